//! Commands that write files are killed at random moments. Each file must then be either the complete old one or the
//! complete new one, with at most one temporary file next to it. `faults.rs` kills commands at every system call; this
//! test covers the moments between them.
//!
//! Each command is killed 10 times. `HASHWELL_KILLS=200` runs the full test, and `200:7` starts with the seed 7; by
//! default, every run has a different seed. The same seed gives the same fractions of a command's running time.

use crate::common;
use crate::timing;

use common::{Folder, repository, stderr};
use hashwell::{RandomSource, RandomStream, Source};
use std::collections::BTreeMap;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A command line and the files that it writes. If it names no input, it reads `lines` from standard input. If the
/// output differs between runs, a file is complete if it begins and ends as given by `ends`.
struct Job {
    line: &'static str,
    files: &'static [&'static str],
    ends: Option<[&'static str; 2]>,
}

const PAGE: Option<[&str; 2]> = Some(["<!DOCTYPE html>", "</html>"]);
const PICTURE: Option<[&str; 2]> = Some(["<svg", "</svg>"]);

const fn job(line: &'static str, files: &'static [&'static str]) -> Job {
    Job { line, files, ends: None }
}

const JOBS: &[Job] = &[
    // Long files, which take a good part of the running time to write.
    job("sample -n 150000 --seed s lines -o out --transcript more", &["out", "more"]),
    job("sample -p 0.5 --seed s lines -o out --complement more", &["out", "more"]),
    job("sample -n 150000 --seed s -o out --complement more", &["out", "more"]),
    job("sample -n 150000 --seed s lines --state-out out", &["out"]),
    job("draw -n 2 --seed dice few --transcript out", &["out"]),
    job("process crp --n 20000 --seed s --svg out", &["out"]),
    job("speed --from report.json --html out", &["out"]),
    Job {
        ends: PAGE,
        ..job(
            "speed -a sha256 --library hashwell --tables d --no-threaded --processes 1 --rounds 1 --html out",
            &["out"],
        )
    },
    #[cfg(feature = "git")]
    Job { ends: PAGE, ..job("git -a sha256 --repeat 1 --speed report.json repository --html out", &["out"]) },
    Job {
        ends: PICTURE,
        ..job(
            "timing-test -a sha256 --target hmac-tag --samples 1000 --svg out --ecdf more",
            &["out", "more"],
        )
    },
    job("man --out pages", &["pages/hashwell.1", "pages/hashwell-sum.1"]),
];

const OLD: &[u8] = b"what was there";

fn folder() -> Folder {
    let folder = Folder::new();
    let line = |i| format!("line {i}, which is as long as lines of a table may be, or a little longer\n");
    folder.write("lines", (0..200_000).map(line).collect::<String>());
    folder.write("few", (0..50).map(line).collect::<String>());
    folder.write("report.json", timing::speed_report());
    std::fs::create_dir(folder.path().join("tmp")).unwrap();
    folder
}

fn command(folder: &Folder, job: &Job) -> Command {
    let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    command.args(job.line.split(' ')).stdin(File::open(folder.path().join("lines")).unwrap());
    command.env("TMPDIR", folder.path().join("tmp")).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

impl Job {
    fn begin(&self, folder: &Folder) {
        self.files.iter().for_each(|file| folder.write(file, OLD));
    }

    fn written(&self, folder: &Folder) -> BTreeMap<&'static str, Vec<u8>> {
        let read = |file: &&'static str| (*file, std::fs::read(folder.path().join(file)).unwrap());
        self.files.iter().map(read).collect()
    }

    fn is_whole(&self, file: &[u8], new: &[u8]) -> bool {
        let Some([begin, end]) = self.ends else { return file == new };
        file.starts_with(begin.as_bytes()) && file.trim_ascii_end().ends_with(end.as_bytes())
    }
}

/// The names of all files in a folder and its subfolders, except those in repositories.
fn names(folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() && name != "repository" {
            all.extend(names(&entry.path()).into_iter().map(|inner| format!("{name}/{inner}")));
        } else {
            all.push(name);
        }
    }
    all.sort();
    all
}

/// Returns true for the name of a file that is not complete.
fn is_temporary(name: &str) -> bool {
    name.rsplit('/').next().is_some_and(|name| name.starts_with(".hashwell-")) && !name.starts_with("tmp/")
}

/// The number of kills per command, and the random source for the moments.
fn asked() -> (usize, RandomStream) {
    let asked = std::env::var("HASHWELL_KILLS").unwrap_or_else(|_| "10".to_owned());
    let (count, seed) = match asked.split_once(':') {
        Some((count, seed)) => (count, seed.to_owned()),
        None => (&*asked, RandomState::new().hash_one("moments").to_string()),
    };
    println!("each command is killed {count} times, with the seed {seed}");
    let source = Source::find("counter").unwrap();
    (count.parse().expect("HASHWELL_KILLS is a number"), source.seeded(seed.as_bytes(), b"killed").unwrap())
}

/// Ctrl-C, `timeout` and a closed terminal leave only complete files. An incomplete file has no name.
#[test]
fn a_command_that_is_told_to_stop_leaves_nothing_beside() {
    let folder = folder();
    let (_, mut moments) = asked();
    for job in &JOBS[..4] {
        job.begin(&folder);
        let start = Instant::now();
        assert!(command(&folder, job).status().unwrap().success(), "{}", job.line);
        let (time, plain) = (start.elapsed(), names(&folder.path()));
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            for _ in 0..3 {
                let part = moments.next_u64().unwrap() as f64 / u64::MAX as f64;
                let mut child = command(&folder, job).spawn().unwrap();
                std::thread::sleep(Duration::from_secs_f64(part * time.as_secs_f64()));
                common::signal(&child, signal);
                let status = child.wait().unwrap();
                let told = status.signal() == Some(signal) || status.code() == Some(128 + signal);
                assert!(told || status.success(), "{} after signal {signal}: {status}", job.line);
                assert_eq!(names(&folder.path()), plain, "{} after signal {signal}", job.line);
            }
        }
    }
}

#[test]
fn a_command_that_is_killed_leaves_whole_files() {
    let folder = folder();
    let survey = repository(&folder);
    let (count, mut moments) = asked();
    let mut all = [0; 3];
    for job in JOBS.iter().filter(|job| survey || !job.line.starts_with("git")) {
        job.begin(&folder);
        let start = Instant::now();
        let ran = command(&folder, job).stderr(Stdio::piped()).output().unwrap();
        // `timing-test` may report that time depends on a secret.
        assert!(matches!(ran.status.code(), Some(0 | 1 | 3)), "{}: {}", job.line, stderr(&ran));
        let time = start.elapsed();
        let (new, plain) = (job.written(&folder), names(&folder.path()));
        assert!(new.values().all(|new| new != OLD && job.is_whole(new, new)), "{}", job.line);
        let mut ends = [0; 3];
        for _ in 0..count {
            job.begin(&folder);
            let part = moments.next_u64().unwrap() as f64 / u64::MAX as f64;
            let mut child = command(&folder, job).spawn().unwrap();
            std::thread::sleep(Duration::from_secs_f64(1.05 * part * time.as_secs_f64()));
            child.kill().unwrap();
            let killed = child.wait().unwrap().signal() == Some(libc::SIGKILL);
            let label = format!("{}, killed after {part} of {time:?}", job.line);
            for (name, there) in job.written(&folder) {
                let is_new = there != OLD;
                assert!(!is_new || job.is_whole(&there, &new[name]), "{label}: {name} is half a file");
                assert!(is_new || killed, "{label}: {name} was not written");
                ends[usize::from(is_new)] += 1;
            }
            for name in names(&folder.path()).iter().filter(|name| !plain.contains(name)) {
                assert!(is_temporary(name), "{label}: {name} is left");
                ends[2] += 1;
                std::fs::remove_file(folder.path().join(name)).unwrap();
            }
        }
        let [old, new, left] = ends;
        println!("{}: {old} old files, {new} new ones, {left} temporary ones left", job.line);
        all.iter_mut().zip(ends).for_each(|(sum, more)| *sum += more);
        for name in names(&folder.path()).iter().filter(|name| job.files.contains(&&***name)) {
            std::fs::remove_file(folder.path().join(name)).unwrap();
        }
    }
    // Temporary files are left only on file systems that don't support files without a name.
    assert!(all[..2].iter().all(|count| *count > 0), "both ends were to be seen, and the ends are {all:?}");
}
