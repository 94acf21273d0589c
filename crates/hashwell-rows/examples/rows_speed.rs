//! Benchmark of reading the rows of a file, compared with `wc -l`: `cargo run --release --example rows_speed FILE
//! [COLUMN]`
//!
//! Each line has the minimum of three rounds, in seconds of CPU time (all threads) and of wall time. It only works on
//! Linux, because CPU time is read from `/proc`.

use std::process::{Command, ExitCode};
use std::time::Instant;

use hashwell_rows::{Error, Input, Options, Rows};

/// A name, and a function that reads the rows and returns their number.
type Way<'a> = (&'a str, Box<dyn Fn() -> Result<u64, Error> + 'a>);

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("usage: rows_speed FILE [COLUMN]");
        return ExitCode::from(2);
    };
    let column = arguments.next();
    let input = [Input::path(&path)];
    let one = Options::default();
    let mut alone = one.clone();
    alone.threads = 1;
    let open = |options: &Options| Rows::open(&input, options);
    let mut ways: Vec<Way<'_>> = vec![
        ("skip all", Box::new(|| open(&one)?.skip(u64::MAX))),
        ("skip all, one thread", Box::new(|| open(&alone)?.skip(u64::MAX))),
        ("skip 8191, take one", Box::new(|| gaps(open(&one)?, 8191))),
        ("every row", Box::new(|| gaps(open(&one)?, 0))),
        ("every row, one thread", Box::new(|| gaps(open(&alone)?, 0))),
    ];
    if let Some(column) = &column {
        ways.push(("every row and a number", Box::new(|| numbers(open(&one)?, column))));
        ways.push(("the same, one thread", Box::new(|| numbers(open(&alone)?, column))));
    }
    println!("{:26} {:>10} {:>7} {:>7}", "", "rows", "CPU s", "wall s");
    let wc =
        || Ok(Command::new("wc").arg("-l").arg(&path).output().map_or(0, |out| leading_number(&out.stdout)));
    ways.insert(0, ("wc -l", Box::new(wc)));
    for (name, way) in &ways {
        match (0..3).map(|_| timed(way)).collect::<Result<Vec<_>, Error>>() {
            Ok(rounds) => {
                let least = |of: fn(&(u64, f64, f64)) -> f64| rounds.iter().map(of).fold(f64::MAX, f64::min);
                println!(
                    "{name:26} {:10} {:7.3} {:7.3}",
                    rounds[0].0,
                    least(|round| round.1),
                    least(|round| round.2)
                );
            }
            Err(error) => eprintln!("{name}: {error}"),
        }
    }
    println!("peak memory of this process: {}", status("VmHWM:"));
    ExitCode::SUCCESS
}

fn gaps(mut rows: Rows, gap: u64) -> Result<u64, Error> {
    while rows.skip(gap)? == gap && rows.next()?.is_some() {}
    Ok(rows.rows())
}

fn numbers(mut rows: Rows, column: &str) -> Result<u64, Error> {
    let column = rows.column(column)?;
    let mut sum = 0.0;
    while let Some(row) = rows.next()? {
        sum += row.float(&column)?;
    }
    assert!(!sum.is_nan(), "a number is NaN");
    Ok(rows.rows())
}

fn timed(way: &dyn Fn() -> Result<u64, Error>) -> Result<(u64, f64, f64), Error> {
    let (cpu, wall) = (cpu_seconds(), Instant::now());
    let rows = way()?;
    let wall = wall.elapsed().as_secs_f64();
    Ok((rows, cpu_seconds() - cpu, wall))
}

fn leading_number(text: &[u8]) -> u64 {
    String::from_utf8_lossy(text)
        .split_whitespace()
        .next()
        .and_then(|number| number.parse().ok())
        .unwrap_or(0)
}

/// Returns the CPU time in seconds of this process, its threads, and the children that it has waited for, in steps of
/// 10 ms.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The process's name can contain spaces, so parse the fields after it: fields 14 to 17 of proc(5), counted from the
    // third.
    let behind = stat.rsplit(')').next().unwrap_or_default();
    let ticks: u64 =
        behind.split_whitespace().skip(11).take(4).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    ticks as f64 / 100.0
}

fn status(key: &str) -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find_map(|line| line.strip_prefix(key)).unwrap_or("unknown").trim().to_owned()
}
