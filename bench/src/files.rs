//! Whole programs on one file in the page cache: wall-clock seconds, runs interleaved.

use hashwell_measure::timing::input::random_bytes;
use hashwell_measure::timing::statistics::{Summary, paired_ratio, summary};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Bytes of a file made here.
const SIZE: usize = 1 << 30;
/// Runs of each program.
const RUNS: usize = 7;

/// Programs that compute the same, hashwell first. Each prints the digest as its first word.
const JOBS: [(&str, &[&[&str]]); 3] = [
    ("BLAKE3", &[&["hashwell", "sum", "-a", "blake3"], &["b3sum"]]),
    ("KT128", &[&["hashwell", "sum", "-a", "kt128"]]),
    (
        "SHA-256",
        &[&["hashwell", "sum", "-a", "sha256"], &["openssl", "dgst", "-r", "-sha256"], &["sha256sum"]],
    ),
];

/// What one program took.
struct Line {
    program: String,
    seconds: Summary,
    /// Its time over hashwell's, paired by runs.
    ratio: f64,
}

/// Makes the file if it is not there, measures, prints, and gives the rows for programs.
///
/// # Errors
/// If the file cannot be written or read.
pub fn run(path: &Path) -> io::Result<Value> {
    if !path.exists() {
        make(path)?;
    }
    let bytes = std::fs::metadata(path)?.len();
    println!("\n{:.0} MiB file, wall-clock seconds, median of {RUNS} interleaved runs", mib(bytes));
    let mut rows = Vec::new();
    for (name, programs) in JOBS {
        for line in measure(programs, path)? {
            let seconds = line.seconds.median;
            println!(
                "{name:<8} {:<28} {seconds:>7.3} s  {:>6.0} MB/s  ratio {:.3}",
                line.program,
                bytes as f64 / 1e6 / seconds,
                line.ratio
            );
            rows.push(json!({
                "job": name, "program": line.program, "file_bytes": bytes, "seconds": seconds,
                "quartiles": [line.seconds.lower_quartile, line.seconds.upper_quartile],
                "time_over_hashwell": line.ratio,
            }));
        }
    }
    Ok(rows.into())
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

fn make(path: &Path) -> io::Result<()> {
    // 1 MiB again and again is as good as more: no program looks that far back.
    let piece = random_bytes(1 << 20);
    path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    let mut file = std::fs::File::create(path)?;
    (0..SIZE >> 20).try_for_each(|_| file.write_all(&piece))
}

/// Programs that are absent, fail or print another digest than the first get a line and no time.
fn measure(programs: &[&[&str]], path: &Path) -> io::Result<Vec<Line>> {
    let mut good: Vec<(Vec<String>, Vec<f64>)> = Vec::new();
    let mut digest = None;
    for program in programs {
        let words: Vec<String> =
            [&[which(program[0])], &program[1..].iter().map(|w| (*w).into()).collect::<Vec<_>>()[..]]
                .concat();
        // The first run, untimed, also brings the file into the cache.
        match (once(&words, path), &digest) {
            (Ok((found, _)), None) => digest = Some(found),
            (Ok((found, _)), Some(digest)) if found == *digest => {}
            (Ok(_), Some(_)) => {
                println!("{} prints another digest and is left out", program.join(" "));
                continue;
            }
            (Err(error), _) => {
                println!("{}: {error}", program.join(" "));
                if program[0] == "hashwell" {
                    return Ok(Vec::new());
                }
                continue;
            }
        }
        good.push((words, Vec::new()));
    }
    for _ in 0..RUNS {
        for (words, seconds) in &mut good {
            seconds.push(once(words, path)?.1);
        }
    }
    let line = |(words, seconds): &(Vec<String>, Vec<f64>)| {
        let program = Path::new(&words[0]).file_name().map_or(String::new(), |n| n.to_string_lossy().into());
        Line {
            program: [&[program], &words[1..]].concat().join(" "),
            seconds: summary(seconds),
            ratio: paired_ratio(seconds, &good[0].1),
        }
    };
    Ok(good.iter().map(line).collect())
}

/// hashwell's own command is the one built beside this program, if there is one.
fn which(program: &str) -> String {
    let beside = |exe: PathBuf| Some(exe.parent()?.join(program)).filter(|p| p.exists());
    let own = (program == "hashwell").then(|| std::env::current_exe().ok().and_then(beside)).flatten();
    own.map_or_else(|| program.into(), |path| path.display().to_string())
}

/// One run: the first word printed, and the seconds it took.
fn once(words: &[String], path: &Path) -> io::Result<(String, f64)> {
    let start = Instant::now();
    let output = Command::new(&words[0]).args(&words[1..]).arg(path).stderr(Stdio::null()).output()?;
    let seconds = start.elapsed().as_secs_f64();
    let text = String::from_utf8_lossy(&output.stdout);
    match text.split_whitespace().next() {
        Some(digest) if output.status.success() => Ok((digest.into(), seconds)),
        _ => Err(io::Error::other("it failed")),
    }
}
