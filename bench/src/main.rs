//! `make bench`: hashwell beside the best peer of the same run, job by job, against the project's bars.

use hashwell::ALGORITHMS;
use hashwell_bench::measure::{Gate, pin};
use hashwell_bench::peers::{Peers, masked};
use hashwell_bench::{files, jobs, kernels, report};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
Usage: hashwell-bench [options] [words]

The bar table: hashwell beside the best peer, job by job. Words choose jobs whose name contains one of them.

  --kernels    instead, every algorithm and kernel by message size; words are algorithms
  --markdown   that table in Markdown
  --all        every peer of a job, not only the best
  --file FILE  also whole programs on FILE, which is made (1 GiB) if it is not there
  --rounds N   rounds to keep, 61 if not given
  --json FILE  the results for programs
";

#[derive(Default)]
struct Options {
    kernels: bool,
    markdown: bool,
    all: bool,
    file: Option<PathBuf>,
    json: Option<PathBuf>,
    rounds: Option<usize>,
    words: Vec<String>,
}

fn options(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options::default();
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--kernels" => options.kernels = true,
            "--markdown" => options.markdown = true,
            "--all" => options.all = true,
            "--file" => options.file = Some(value()?.into()),
            "--json" => options.json = Some(value()?.into()),
            "--rounds" => {
                let rounds = value()?.parse().ok().filter(|n| *n > 0);
                options.rounds = Some(rounds.ok_or("--rounds needs a number above 0")?);
            }
            unknown if unknown.starts_with('-') => return Err(USAGE.into()),
            _ => options.words.push(arg),
        }
    }
    Ok(options)
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [first, algorithm, len] = &args[..]
        && first == masked::ARGUMENT
    {
        let len = len.parse().map_err(|_| "not a length")?;
        return masked::serve(algorithm, len).map_err(|e| e.to_string());
    }
    let options = options(args.into_iter())?;
    let rounds = options.rounds.unwrap_or(61);
    let mut result = json!({ "cpu": report::cpu_name(), "rounds": rounds });
    if options.kernels {
        result["kernels"] = kernel_table(&options, rounds)?;
    } else {
        result["rows"] = bar_table(&options, rounds, &mut result["peers"])?;
    }
    if let Some(file) = &options.file {
        result["files"] = files::run(file).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    if let Some(path) = &options.json {
        let text = format!("{result:#}\n");
        std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

fn kernel_table(options: &Options, rounds: usize) -> Result<Value, String> {
    let named = options.words.iter().map(|name| hashwell::find(name).map_err(|e| e.to_string()));
    let mut chosen = named.collect::<Result<Vec<_>, _>>()?;
    if chosen.is_empty() {
        chosen = ALGORITHMS.iter().collect();
    }
    let _pinned = pin();
    let rows = kernels::measure(&chosen, &mut Gate::default(), rounds);
    kernels::print(&rows, options.markdown);
    Ok(kernels::json(&rows))
}

/// Prints each row when it is done. Complaints come after the table.
fn bar_table(options: &Options, rounds: usize, peer_names: &mut Value) -> Result<Value, String> {
    let wanted = |name: &str| {
        let contains = |word: &String| name.to_lowercase().contains(&word.to_lowercase());
        options.words.is_empty() || options.words.iter().any(contains)
    };
    let peers = Peers::find();
    println!("{}; {rounds} rounds", report::cpu_name());
    peers.present.iter().for_each(|line| println!("peer: {line}"));
    peers.missing.iter().for_each(|line| println!("no peer: {line}"));
    *peer_names = json!({ "present": peers.present, "missing": peers.missing });
    report::print_head();
    let _pinned = pin();
    let mut gate = Gate::default();
    let mut complaints = Vec::new();
    let mut rows = Vec::new();
    for job in jobs::JOBS.iter().filter(|job| wanted(job.name)) {
        let outcome = jobs::run(job, &peers, &mut gate, rounds, &mut |line| complaints.push(line))?;
        report::print_row(&outcome, options.all);
        rows.push(report::row_json(&outcome));
    }
    complaints.iter().for_each(|line| println!("{line}"));
    Ok(rows.into())
}
