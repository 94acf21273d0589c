//! Complete programs on files: one large file that is in the page cache, the same file outside of it, and
//! thousands of small files. The figures are wall-clock seconds, and the runs of the programs are
//! interleaved.

use hashwell_measure::timing::input::random_bytes;
use hashwell_measure::timing::statistics::{Summary, paired_ratio, summary};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The size in bytes of a large file that this program creates.
const SIZE: usize = 1 << 30;
/// How many small files this program creates, and the maximum size of one in bytes.
const SMALL: usize = 20_000;
const MOST: usize = 8192;
/// The number of runs of each program.
const RUNS: usize = 7;

/// The programs of a job print the same digests. hashwell is the first one. `{}` is replaced by the file or the
/// folder.
struct Job {
    name: &'static str,
    programs: &'static [&'static [&'static str]],
}

const LARGE: [Job; 3] = [
    Job { name: "BLAKE3", programs: &[&["hashwell", "sum", "-a", "blake3", "{}"], &["b3sum", "{}"]] },
    Job { name: "KT128", programs: &[&["hashwell", "sum", "-a", "kt128", "{}"]] },
    Job {
        name: "SHA-256",
        programs: &[
            &["hashwell", "sum", "-a", "sha256", "{}"],
            &["openssl", "dgst", "-r", "-sha256", "{}"],
            &["sha256sum", "{}"],
        ],
    },
];

/// The commands that people write for a folder. They use two processes, which is the number of cores of the
/// machine on which the figures were measured.
const FOLDER: [Job; 2] = [
    Job {
        name: "BLAKE3",
        programs: &[
            &["hashwell", "sum", "-r", "-a", "blake3", "{}"],
            &["sh", "-c", "find \"$0\" -type f -print0 | xargs -0 -P2 b3sum", "{}"],
        ],
    },
    Job {
        name: "SHA-256",
        programs: &[
            &["hashwell", "sum", "-r", "-a", "sha256", "{}"],
            &["sh", "-c", "find \"$0\" -type f -print0 | xargs -0 -P2 sha256sum", "{}"],
        ],
    },
];

/// The preparation before each run.
#[derive(Clone, Copy, PartialEq)]
enum Cache {
    Kept,
    /// The file is removed from the page cache.
    Left,
}

/// The times of one program.
struct Line {
    program: String,
    seconds: Summary,
    least: f64,
    /// The program's time divided by hashwell's, paired by runs.
    ratio: f64,
}

/// Creates the file and a folder next to it if they don't exist, measures, prints the tables, and returns
/// their rows for JSON.
///
/// # Errors
/// Returns an error if files cannot be written or read.
pub fn run(path: &Path) -> io::Result<Value> {
    if !path.exists() {
        make(path)?;
    }
    let folder = path.with_extension("small");
    if !folder.exists() {
        make_small(&folder)?;
    }
    let bytes = fs::metadata(path)?.len();
    let mut rows = Vec::new();
    let mut table = |title: String, what: &str, jobs: &[Job], path: &Path, cache, bytes: u64| {
        println!("\n{title}, wall-clock seconds, median and least of {RUNS} interleaved runs");
        for job in jobs {
            for line in measure(job.programs, path, cache)? {
                let seconds = line.seconds.median;
                println!(
                    "{:<8} {:<44} {seconds:>7.3} {:>7.3} s  {:>6.0} MB/s  ratio {:.3}",
                    job.name,
                    line.program,
                    line.least,
                    bytes as f64 / 1e6 / seconds,
                    line.ratio
                );
                rows.push(json!({
                    "job": job.name, "files": what, "program": line.program, "file_bytes": bytes,
                    "seconds": seconds, "least": line.least,
                    "quartiles": [line.seconds.lower_quartile, line.seconds.upper_quartile],
                    "time_over_hashwell": line.ratio,
                }));
            }
        }
        io::Result::Ok(())
    };
    let size = format!("{:.0} MiB", bytes as f64 / f64::from(1 << 20));
    table(format!("One file of {size} in the page cache"), "cached", &LARGE, path, Cache::Kept, bytes)?;
    let small: u64 = lengths().map(|len| len as u64).sum();
    let title = format!("{SMALL} files of 1 to {MOST} bytes in the page cache");
    table(title, "small", &FOLDER, &folder, Cache::Kept, small)?;
    table(format!("One file of {size} on its disk"), "on disk", &LARGE, path, Cache::Left, bytes)?;
    Ok(rows.into())
}

fn make(path: &Path) -> io::Result<()> {
    // Repeating 1 MiB is as good as random bytes everywhere, because no program detects repetitions over such
    // a distance.
    let piece = random_bytes(1 << 20);
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    let mut file = File::create(path)?;
    (0..SIZE >> 20).try_for_each(|_| file.write_all(&piece))
}

/// The lengths of the small files, spread evenly.
fn lengths() -> impl Iterator<Item = usize> {
    (0..SMALL).map(|i| 1 + i * 2654 % MOST)
}

fn make_small(folder: &Path) -> io::Result<()> {
    let bytes = random_bytes(MOST);
    // The folder gets its final name only when it is complete.
    let making = folder.with_extension("making");
    for (i, len) in lengths().enumerate() {
        let place = making.join((i / 200).to_string());
        fs::create_dir_all(&place)?;
        fs::write(place.join(i.to_string()), &bytes[..len])?;
    }
    fs::rename(making, folder)
}

/// For programs that are missing, fail or print different digests than the first program, prints a line
/// instead of a time.
fn measure(programs: &[&[&str]], path: &Path, cache: Cache) -> io::Result<Vec<Line>> {
    let mut good: Vec<(&[&str], Vec<f64>)> = Vec::new();
    let mut digests = None;
    for &program in programs {
        // The first run isn't timed. It also loads the file into the cache.
        match (once(program, path, Cache::Kept), &digests) {
            (Ok((found, _)), None) => digests = Some(found),
            (Ok((found, _)), Some(digests)) if found == *digests => {}
            (Ok(_), Some(_)) => {
                println!("{} prints different digests and is excluded", shown(program));
                continue;
            }
            (Err(error), _) => {
                println!("{}: {error}", shown(program));
                if program[0] == "hashwell" {
                    return Ok(Vec::new());
                }
                continue;
            }
        }
        good.push((program, Vec::new()));
    }
    for _ in 0..RUNS {
        for (program, seconds) in &mut good {
            seconds.push(once(program, path, cache)?.1);
        }
    }
    let line = |(program, seconds): &(&[&str], Vec<f64>)| Line {
        program: shown(program),
        seconds: summary(seconds),
        least: seconds.iter().copied().fold(f64::INFINITY, f64::min),
        ratio: paired_ratio(seconds, &good[0].1),
    };
    Ok(good.iter().map(line).collect())
}

/// The command line without the file.
fn shown(program: &[&str]) -> String {
    match program {
        ["sh", "-c", script, ..] => script.replace("\"$0\" ", ""),
        [words @ .., _] => words.join(" "),
        [] => String::new(),
    }
}

/// Uses the `hashwell` command that was built in the same folder as this program, if there is one.
fn which(program: &str) -> PathBuf {
    let beside = |exe: PathBuf| Some(exe.parent()?.join(program)).filter(|p| p.exists());
    let own = (program == "hashwell").then(|| std::env::current_exe().ok().and_then(beside)).flatten();
    own.unwrap_or_else(|| program.into())
}

/// Runs a program once and returns the sorted digests that it printed and the seconds it took.
fn once(program: &[&str], path: &Path, cache: Cache) -> io::Result<(Vec<String>, f64)> {
    if cache == Cache::Left {
        leave_cache(path)?;
    }
    let words = program[1..].iter().map(|word| if *word == "{}" { path.as_os_str() } else { word.as_ref() });
    let start = Instant::now();
    let output = Command::new(which(program[0])).args(words).stderr(Stdio::null()).output()?;
    let seconds = start.elapsed().as_secs_f64();
    let text = String::from_utf8_lossy(&output.stdout);
    let mut digests: Vec<String> =
        text.lines().filter_map(|line| Some(line.split_whitespace().next()?.into())).collect();
    digests.sort_unstable();
    if digests.is_empty() || !output.status.success() {
        return Err(io::Error::other("it failed"));
    }
    Ok((digests, seconds))
}

/// Asks the system to remove a file from the page cache: `dd` with `nocache` and a count of 0 does so for the
/// complete file.
fn leave_cache(path: &Path) -> io::Result<()> {
    let mut file = std::ffi::OsString::from("if=");
    file.push(path);
    File::open(path)?.sync_all()?;
    let done = Command::new("dd").arg(file).args(["iflag=nocache", "count=0", "status=none"]).status()?;
    if done.success() {
        Ok(())
    } else {
        Err(io::Error::other("dd cannot bring a file out of the page cache"))
    }
}
