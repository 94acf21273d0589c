//! `make bench`: compares hashwell with the fastest peer of the same run, job by job, and with the project's
//! targets.

use hashwell::ALGORITHMS;
use hashwell_bench::jobs::{Job, Outcome};
use hashwell_bench::{files, jobs, kernels, report};
use hashwell_measure::engine::plan::{Plan, Table};
use hashwell_measure::engine::{self, Audience};
use hashwell_measure::peers::{Peers, masked};
use hashwell_measure::report::Row;
use hashwell_measure::report::machine;
use hashwell_measure::timing::child::{Launcher, NEVER};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
Usage: hashwell-bench [options] [words]

Compares hashwell with the best peer and with the project's targets, job by job. With arguments, only the jobs run whose name
contains one of them.

  --kernels    Measure every algorithm and kernel by message size instead; words are names of algorithms
  --all        Show every peer of a job, not only the best
  --file FILE  Also time complete programs on FILE, which is created with 1 GiB if it doesn't exist
  --only-files Print no other table than that of --file
  --passes N   Number of processes that measure each job [default: 8; with --kernels 4]
  --rounds N   Number of rounds of each process [default: 8]
  --json FILE  Write the results to FILE as JSON
";

#[derive(Default)]
struct Options {
    kernels: bool,
    all: bool,
    only_files: bool,
    file: Option<PathBuf>,
    json: Option<PathBuf>,
    passes: Option<usize>,
    rounds: Option<usize>,
    words: Vec<String>,
}

fn options(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options::default();
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--kernels" => options.kernels = true,
            "--all" => options.all = true,
            "--only-files" => options.only_files = true,
            "--file" => options.file = Some(value()?.into()),
            "--json" => options.json = Some(value()?.into()),
            "--passes" => options.passes = Some(number(&value()?)?),
            "--rounds" => options.rounds = Some(number(&value()?)?),
            unknown if unknown.starts_with('-') => return Err(USAGE.into()),
            _ => options.words.push(arg),
        }
    }
    Ok(options)
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or_else(|| format!("{text} is not a number above 0"))
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
    if args == [engine::ARGUMENT] {
        return engine::serve().map_err(|e| e.to_string());
    }
    let options = options(args.into_iter())?;
    let mut result = json!({ "cpu": machine::cpu_model() });
    if options.kernels {
        result["kernels"] = kernel_table(&options)?;
    } else if !options.only_files {
        bar_table(&options, &mut result)?;
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

fn kernel_table(options: &Options) -> Result<Value, String> {
    let mut names = Plan::canonical(&options.words)?;
    if names.is_empty() {
        names = ALGORITHMS.iter().map(|row| row.name.to_owned()).collect();
    }
    let plan = Plan {
        tables: vec![Table::Kernels],
        kernels: names,
        threaded: false,
        processes: options.passes.unwrap_or(4),
        rounds: Some(options.rounds.unwrap_or(8)),
        ..Plan::default()
    };
    let mut audience = Audience { stop: &NEVER, progress: &mut |_| (), contest: &mut |_| () };
    let report = engine::run(&plan, &Launcher::this(), &mut audience)?;
    report.run.complaints.iter().for_each(|line| eprintln!("{line}"));
    kernels::print(&report.rows);
    Ok(kernels::json(&report.rows))
}

/// Prints each row as soon as it is measured. Complaints are printed after the table.
fn bar_table(options: &Options, result: &mut Value) -> Result<(), String> {
    let wanted = |name: &str| {
        let contains = |word: &String| name.to_lowercase().contains(&word.to_lowercase());
        options.words.is_empty() || options.words.iter().any(contains)
    };
    let (processes, rounds) = (options.passes.unwrap_or(8), options.rounds.unwrap_or(8));
    let peers = Peers::find();
    let cpu = machine::cpu_model();
    println!("{cpu}; {processes} processes, {rounds} rounds each");
    for about in peers.found.iter().map(|found| &found.about) {
        let version = about.version.as_ref().map_or_else(String::new, |version| format!(", {version}"));
        let path = about.path.as_ref().map_or_else(String::new, |path| format!(", {path}"));
        match &about.missing {
            Some(why) => println!("no peer: {}: {why}", about.name),
            None => println!("peer: {}{version}{path}", about.name),
        }
    }
    report::print_head();

    let jobs: Vec<&Job> = jobs::JOBS.iter().filter(|job| job.applies() && wanted(job.name)).collect();
    let plan = Plan {
        tables: Vec::new(),
        contests: jobs.iter().map(|job| job.contest()).collect(),
        threaded: false,
        processes,
        rounds: Some(rounds),
        ..Plan::default()
    };
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut measured = |of_contest: &[&Row]| {
        let of_it = |job: &&&Job| of_contest.iter().any(|row| row.contest.as_deref() == Some(job.name));
        let outcome = jobs.iter().find(of_it).and_then(|job| jobs::evaluate(job, of_contest));
        if let Some(outcome) = outcome {
            report::print_row(&outcome, &cpu, options.all);
            outcomes.push(outcome);
        }
    };
    let mut audience = Audience { stop: &NEVER, progress: &mut |_| (), contest: &mut measured };
    let measured = engine::run(&plan, &Launcher::this(), &mut audience)?;
    measured.run.complaints.iter().for_each(|line| println!("{line}"));
    if let Some(job) = jobs.iter().find(|job| !outcomes.iter().any(|o| o.job.name == job.name)) {
        return Err(format!("{}: no kernel of hashwell does it, or it does it wrong", job.name));
    }
    result["peers"] = json!(peers.found.iter().map(|found| &found.about).collect::<Vec<_>>());
    result["rows"] =
        outcomes.iter().map(|outcome| report::row_json(outcome, &cpu, processes * rounds)).collect();
    println!("\n{}", report::verdict(&outcomes, &cpu));
    let absent: Vec<&str> =
        peers.found.iter().filter(|f| f.about.missing.is_some()).map(|f| f.about.name.as_str()).collect();
    if !absent.is_empty() {
        println!("without these peers: {}", absent.join(", "));
    }
    Ok(())
}
