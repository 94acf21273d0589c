//! Every system call that a command makes fails once, and a command that writes a file is killed at any moment: what it
//! says is true, what it leaves is whole, and it ends.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod common;
#[path = "common/timing.rs"]
mod timing;
#[path = "common/traced.rs"]
mod traced;

use common::{Folder, stderr};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output};
use std::time::Duration;
use traced::{Call, Fault, Traced};

/// What a hang is, on a machine that builds something else besides.
const LIMIT: Duration = Duration::from_secs(60);

/// A command line, and the file that it writes, if it writes one.
#[derive(Clone, Copy)]
struct Job {
    line: &'static str,
    file: Option<&'static str>,
    gives: Gives,
    /// Of calls with one number so many are let fail, spread over all.
    most: usize,
}

/// What a command prints and writes, and what it says of its failures.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gives {
    /// The same bytes always; of a failure one line.
    Same,
    /// A verdict on each file.
    Verdicts,
    /// JSON with times in it: a measurement, whose processes have lines of their own.
    Times,
    /// The same of a repository, with all that cannot be read.
    Survey,
}

const fn job(line: &'static str) -> Job {
    Job { line, file: None, gives: Gives::Same, most: usize::MAX }
}

const fn writes(line: &'static str, file: &'static str) -> Job {
    Job { file: Some(file), ..job(line) }
}

const JOBS: &[Job] = &[
    job("sum a b"),
    job("sum -a sha256 -a kt128 large"),
    job("sum -r -j 2 folder"),
    Job { gives: Gives::Verdicts, ..job("sum -c list") },
    job("hmac -a sha256 --key-file key a"),
    job("xof -a shake128 -n 3000 a"),
    job("random -n 70000 --seed s"),
    job("rows table.csv"),
    writes("sample -n 3 --seed s lines -o out", "out"),
    writes("sample -n 3 --seed s lines --transcript out", "out"),
    writes("sample -n 3 --seed s lines --state-out out", "out"),
    writes("draw -k 2 --seed dice lines --transcript out", "out"),
    job("process crp --n 5 --seed s"),
    writes("process crp --n 5 --seed s --svg out", "out"),
    job("speed --from report.json --json"),
    writes("speed --from report.json --html out", "out"),
    Job { gives: Gives::Times, most: 3, ..writes(SPEED, "out") },
    #[cfg(feature = "git")]
    Job { gives: Gives::Survey, most: 4, ..writes(SURVEY, "out") },
];

/// One process, one round of short messages.
const SPEED: &str =
    "speed --json -a sha256 --provider hashwell --tables d --no-threaded --processes 1 --rounds 1 --html out";

const SURVEY: &str = "git --json -a sha256 --repeat 1 --speed report.json repository --html out";

/// What the test can run here.
fn jobs(folder: &Folder) -> Vec<Job> {
    let survey = repository(folder);
    JOBS.iter().copied().filter(|job| job.gives != Gives::Survey || survey).collect()
}

/// A repository with packed objects, deltas, and objects in files of their own; or that there is no git.
fn repository(folder: &Folder) -> bool {
    let git = |args: &[&str]| {
        let [name, email] = ["user.name=n", "user.email=e"];
        let output = folder.tool("git", [&["-C", "repository", "-c", name, "-c", email], args].concat())?;
        assert!(output.status.success(), "git {args:?}: {}", stderr(&output));
        Some(output)
    };
    folder.write("repository/small", "a small file");
    let made = git(&["init", "-q"]).is_some();
    if !made {
        return false;
    }
    for version in 0..4 {
        // A window that moves over lines that are all different.
        let line = |n: u32| format!("line {n} {:08x}\n", n.wrapping_mul(2_654_435_761));
        folder.write("repository/file", (20 * version..20 * version + 100).map(line).collect::<String>());
        git(&["add", "--all"]);
        git(&["commit", "-q", "-m", "version"]);
        if version == 2 {
            git(&["gc", "-q"]);
        }
    }
    true
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a", "some bytes");
    folder.write("b", vec![7; 5000]);
    folder.write("large", vec![9; 700_000]);
    for name in ["one", "two", "deeper/three"] {
        folder.write(format!("folder/{name}"), name);
    }
    folder.write("key", "a key");
    folder.write("lines", (0..50).map(|line| format!("line {line}\n")).collect::<String>());
    folder.write("table.csv", "n,text\n1,one\n2,two\n");
    folder.write("list", folder.hashwell(["sum", "a", "b"]).stdout);
    folder.write("report.json", timing::speed_report());
    folder
}

/// The names of all files, with what is in them.
fn files(folder: &Folder) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder.path()).unwrap().map(Result::unwrap);
    let plain = entries.filter(|entry| entry.file_type().unwrap().is_file());
    plain
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .filter(|(name, _)| !name.starts_with("standard-"))
        .collect()
}

/// A command with its standard streams in files, so that nobody has to read pipes meanwhile.
fn command(folder: &Folder, line: &str) -> Command {
    let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    let [out, err] = ["out", "error"]
        .map(|stream| File::create(folder.path().join(format!("standard-{stream}"))).unwrap());
    command.args(line.split(' ')).stdout(out).stderr(err);
    // The same calls in every run, and no two seconds for a backtrace.
    command.env("HASHWELL_CALIBRATE", "0").env_remove("RUST_BACKTRACE");
    // Other projects' libraries may end a process as they like: libsodium does where it gets no random bytes.
    command.envs(hashwell_measure::peers::variables().map(|variable| (variable, "none")));
    command
}

fn traced(folder: &Folder, job: &Job, choose: impl FnMut(usize, &Call) -> Option<Fault>) -> (Output, Traced) {
    let traced =
        traced::run(&mut command(folder, job.line), LIMIT, choose).expect("a process may trace its child");
    let [out, err] = ["out", "error"]
        .map(|stream| std::fs::read(folder.path().join(format!("standard-{stream}"))).unwrap());
    (Output { status: traced.status, stdout: out, stderr: err }, traced)
}

/// What of a report is the same in every run.
fn without_times(report: &[u8]) -> Option<Value> {
    let report: Value = serde_json::from_slice(report).ok()?;
    let rows = report["rows"].as_array()?.iter().map(|row| {
        let cells = row["cells"].as_array().into_iter().flatten().map(|cell| &cell["bytes"]);
        json!([row["algorithm"], row["provider"], row["operation"], cells.collect::<Vec<_>>()]).to_string()
    });
    // Of a repository they are in the order of their times.
    let rows: BTreeSet<String> = rows.collect();
    let of_run = ["complete", "hashed_bytes"].map(|field| &report["run"][field]);
    let repository = ["repository", "sizes", "octaves", "check"].map(|field| &report[field]);
    Some(json!([rows, of_run, repository]))
}

impl Job {
    /// Whether two outputs are one.
    fn prints(&self, output: &[u8], plain: &[u8]) -> bool {
        match self.gives {
            Gives::Same | Gives::Verdicts => output == plain,
            Gives::Times | Gives::Survey => without_times(output) == without_times(plain),
        }
    }

    /// Whether a file is `whole`, or one that is as good.
    fn is_whole(&self, file: &[u8], whole: &[u8]) -> bool {
        let is_page = file.starts_with(b"<!DOCTYPE html>") && file.trim_ascii_end().ends_with(b"</html>");
        file == whole || (matches!(self.gives, Gives::Times | Gives::Survey) && is_page)
    }

    /// Whether all files are those that it leaves, or as good.
    fn leaves(&self, now: &BTreeMap<String, Vec<u8>>, whole: &BTreeMap<String, Vec<u8>>) -> bool {
        let one = |(name, file): (&String, &Vec<u8>)| {
            whole.get(name).is_some_and(|whole| match self.file == Some(name) {
                true => self.is_whole(file, whole),
                false => file == whole,
            })
        };
        now.len() == whole.len() && now.iter().all(one)
    }
}

/// How a call may fail. Calls that are not here cannot, or only where the caller is wrong.
fn faults(call: &Call) -> &'static [Fault] {
    use Fault::{Error, Short};
    match call.number {
        libc::SYS_read | libc::SYS_pread64 => &[Error(libc::EIO), Error(libc::EINTR), Short],
        libc::SYS_write => &[Error(libc::ENOSPC), Error(libc::EIO), Error(libc::EINTR), Short],
        libc::SYS_openat | libc::SYS_open => &[Error(libc::EMFILE), Error(libc::EACCES), Error(libc::EINTR)],
        libc::SYS_statx | libc::SYS_newfstatat | libc::SYS_fstat | libc::SYS_stat | libc::SYS_lseek => {
            &[Error(libc::EIO)]
        }
        libc::SYS_getdents64 | libc::SYS_readlink | libc::SYS_readlinkat | libc::SYS_getcwd => {
            &[Error(libc::EIO)]
        }
        libc::SYS_mmap | libc::SYS_mprotect | libc::SYS_mremap => &[Error(libc::ENOMEM)],
        libc::SYS_clone3 | libc::SYS_clone => &[Error(libc::EAGAIN)],
        libc::SYS_rename | libc::SYS_renameat | libc::SYS_renameat2 => {
            &[Error(libc::EIO), Error(libc::ENOSPC)]
        }
        libc::SYS_link | libc::SYS_linkat | libc::SYS_fchmod | libc::SYS_ftruncate => &[Error(libc::EIO)],
        libc::SYS_fsync | libc::SYS_fdatasync => &[Error(libc::EIO)],
        // Of a folder the standard library takes no other answer.
        libc::SYS_close => &[Error(libc::EINTR)],
        libc::SYS_getrandom => &[Error(libc::ENOSYS), Error(libc::EINTR)],
        libc::SYS_ioctl | libc::SYS_fcntl | libc::SYS_prlimit64 | libc::SYS_rt_sigaction => {
            &[Error(libc::EINVAL)]
        }
        libc::SYS_sched_getaffinity | libc::SYS_madvise | libc::SYS_fadvise64 | libc::SYS_pipe2 => {
            &[Error(libc::EPERM)]
        }
        libc::SYS_dup | libc::SYS_poll | libc::SYS_ppoll | libc::SYS_eventfd2 => &[Error(libc::EINTR)],
        _ => &[],
    }
}

/// Whether the lines are some of `all`, in their order; of the last one a part may be missing.
fn are_some_of(lines: &[u8], all: &[u8]) -> bool {
    let mut rest = all.split_inclusive(|byte| *byte == b'\n');
    lines.split_inclusive(|byte| *byte == b'\n').all(|line| rest.any(|whole| whole.starts_with(line)))
}

/// What is wrong with the end of a command, if something is.
fn wrong(job: &Job, output: &Output, plain: &Output, failed: Option<&Call>) -> Option<&'static str> {
    let said = stderr(output);
    // How the standard library begins a thread: without this there is none, and nobody whom it could tell.
    if is_refused_memory(failed) && said.contains("alternative stack") && said.contains("fatal runtime error")
    {
        return None;
    }
    if said.contains("panicked") {
        return Some("it panics");
    }
    let speaks = |line: &str| {
        line.starts_with("hashwell: ") || (is_refused_memory(failed) && line.starts_with("memory allocation"))
    };
    let all_right = job.prints(&output.stdout, &plain.stdout);
    match output.status.code() {
        None if output.status.signal() == Some(libc::SIGABRT) && is_refused_memory(failed) => {
            (!said.starts_with("memory allocation of ")).then_some("it aborts without a reason")
        }
        None => Some("a signal ends it"),
        Some(0) if !all_right => Some("it succeeds with another output"),
        Some(0) => None,
        // `sum -c` also says which file is not right.
        Some(1) if job.gives == Gives::Verdicts => (!said.ends_with('\n')).then_some("it gives no reason"),
        Some(1) if !said.lines().all(speaks) || !said.ends_with('\n') => Some("it gives no reason"),
        Some(1) if job.gives == Gives::Same && said.lines().count() != 1 => {
            Some("its reason takes several lines")
        }
        Some(1) if job.gives == Gives::Same && !are_some_of(&output.stdout, &plain.stdout) => {
            Some("it fails and writes what is not right")
        }
        Some(1) if job.gives == Gives::Survey && !all_right => survey_is_wrong(&output.stdout, &plain.stdout),
        Some(1) => None,
        Some(_) => Some("its exit code is another"),
    }
}

/// What is wrong with the report of a repository of which something could not be read: what it has is right, and what it has
/// not is told. A part of one was cut off in writing.
fn survey_is_wrong(output: &[u8], plain: &[u8]) -> Option<&'static str> {
    let [Ok(output), Ok(plain)] = [output, plain].map(serde_json::from_slice::<Value>) else { return None };
    let objects = |report: &Value| report["repository"]["objects"].as_u64().unwrap();
    let count = |what: &str| output["check"][what]["count"].as_u64().unwrap();
    let told = count("unreadable") + count("damaged") > 0;
    let is_right = count("mismatches") == 0 && objects(&output) <= objects(&plain);
    (!is_right || !told).then_some("its report is not right")
}

fn is_refused_memory(failed: Option<&Call>) -> bool {
    failed.is_some_and(|call| [libc::SYS_mmap, libc::SYS_mprotect, libc::SYS_mremap].contains(&call.number))
}

/// Whether this system lets processes trace their children.
fn tracing_is_allowed(folder: &Folder) -> bool {
    let tried = traced::run(&mut command(folder, "--version"), LIMIT, |_, _| None);
    let refused = tried.is_err_and(|error| error.kind() == std::io::ErrorKind::PermissionDenied);
    if refused {
        common::skipped("faults of system calls", "the system lets no process trace another");
    }
    !refused
}

#[test]
fn every_system_call_fails_once() {
    let folder = folder();
    if !tracing_is_allowed(&folder) {
        return;
    }
    let jobs = jobs(&folder);
    let before = files(&folder);
    let mut faulty = BTreeSet::new();
    let mut told = 0;
    for job in &jobs {
        let (plain, all) = traced(&folder, job, |_, _| None);
        assert_eq!(plain.status.code(), Some(0), "{}: {}", job.line, stderr(&plain));
        let after = files(&folder);
        let numbers: BTreeSet<i64> = all.calls.iter().map(|call| call.number).collect();
        for number in numbers {
            let of_number: Vec<_> = all.calls.iter().filter(|call| call.number == number).collect();
            let tried = of_number.len().min(job.most);
            for nth in (0..tried).map(|i| i * of_number.len() / tried) {
                for fault in faults(of_number[nth]) {
                    if let Some(file) = job.file {
                        std::fs::remove_file(folder.path().join(file)).unwrap();
                    }
                    let mut left = nth + 1;
                    let (output, run) = traced(&folder, job, |_, call| {
                        left -= usize::from(call.number == number && left > 0);
                        (left == 0).then_some(*fault)
                    });
                    if run.failed.is_some() {
                        told += usize::from(!output.status.success());
                    }
                    let now = files(&folder);
                    let written = job.leaves(&now, &after);
                    let kept = written || (!output.status.success() && now == before);
                    let wrong = wrong(job, &output, &plain, run.failed.as_ref())
                        .or(run.hung.then_some("it does not end"))
                        .or((!kept).then_some("it leaves other files"));
                    if let Some(wrong) = wrong {
                        faulty.insert(format!(
                            "{}: {wrong} when {:x?} has {fault:?}: {}: {}",
                            job.line,
                            run.failed,
                            output.status,
                            stderr(&output),
                        ));
                    }
                    for name in now.keys().filter(|name| !after.contains_key(*name)) {
                        std::fs::remove_file(folder.path().join(name)).unwrap();
                    }
                    if let Some(file) = job.file {
                        std::fs::write(folder.path().join(file), &after[file]).unwrap();
                    }
                }
            }
        }
        if let Some(file) = job.file {
            std::fs::remove_file(folder.path().join(file)).unwrap();
        }
    }
    assert!(faulty.is_empty(), "{}", faulty.into_iter().collect::<Vec<_>>().join("\n"));
    assert!(told > 100, "only {told} faults made a command fail: are they injected?");
}

/// Killed when it makes its n-th call, for every n: the file that a command replaces is the old one or the new one.
#[test]
fn whoever_is_killed_leaves_the_old_file_or_the_new() {
    let folder = folder();
    if !tracing_is_allowed(&folder) {
        return;
    }
    let jobs = jobs(&folder);
    let old = b"what was there".to_vec();
    for job in &jobs {
        let Some(file) = job.file else { continue };
        let path = folder.path().join(file);
        std::fs::write(&path, &old).unwrap();
        let (plain, all) = traced(&folder, job, |_, _| None);
        assert_eq!(plain.status.code(), Some(0), "{}: {}", job.line, stderr(&plain));
        let new = std::fs::read(&path).unwrap();
        assert_ne!(new, old, "{}", job.line);
        let mut ends = [0, 0];
        // Of all calls, or of so many as are let fail of each kind.
        let tried = all.calls.len().min(job.most.saturating_mul(10));
        for nth in (0..tried).map(|i| i * all.calls.len() / tried) {
            std::fs::write(&path, &old).unwrap();
            let (output, run) = traced(&folder, job, |call, _| (call == nth).then_some(Fault::Killed));
            if run.failed.is_some() {
                assert_eq!(output.status.signal(), Some(libc::SIGKILL), "{}: call {nth}", job.line);
            }
            assert!(!run.hung, "{}: what it had started does not end after call {nth}", job.line);
            let there = std::fs::read(&path).unwrap();
            let is_new = job.is_whole(&there, &new);
            assert!(there == old || is_new, "{}: half a file after call {nth}", job.line);
            ends[usize::from(is_new)] += 1;
        }
        assert!(ends[0] > 0, "{}: {ends:?}", job.line);
    }
}
