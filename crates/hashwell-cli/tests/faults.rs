//! Every system call of a command fails once, and a command that writes a file is killed at any moment. Its messages
//! must be true, its files must be complete, and it must end.

use crate::common;
use crate::timing;
use crate::traced;

use common::{Folder, stderr};
use flate2::Compression;
use flate2::write::GzEncoder;
use parquet::data_type::Int64Type;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{PipeReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output};
use std::sync::Arc;
use std::time::Duration;
use traced::{Call, Fault, Traced};

/// The time after which a command counts as hanging, even on a busy machine.
const LIMIT: Duration = Duration::from_secs(60);

/// A command line, the file that it gets through a pipe, and the files that it writes.
#[derive(Clone, Copy)]
struct Job {
    line: &'static str,
    input: Option<&'static str>,
    files: &'static [&'static str],
    gives: Gives,
    /// The maximum number of calls of each kind that are made to fail, evenly distributed.
    most: usize,
}

/// The kind of output of a command, and how it reports failures.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gives {
    /// Always the same bytes. A failure is reported in one line.
    Same,
    /// A verdict for each file.
    Verdicts,
    /// JSON that contains times. This is a measurement, which starts processes that print their own messages.
    Times,
    /// JSON about a repository, with times and with a list of everything that could not be read.
    Survey,
    /// Random output, which always has the same length but different bytes.
    Fresh,
}

const fn job(line: &'static str) -> Job {
    Job { line, input: None, files: &[], gives: Gives::Same, most: usize::MAX }
}

const fn writes(line: &'static str, files: &'static [&'static str]) -> Job {
    Job { files, ..job(line) }
}

const fn reads(input: &'static str, job: Job) -> Job {
    Job { input: Some(input), ..job }
}

const JOBS: &[Job] = &[
    job("sum a b"),
    job("sum -a sha256 -a kt128 large"),
    job("sum -r -j 2 folder"),
    Job { gives: Gives::Verdicts, ..job("sum -c list") },
    job("hmac -a sha256 --key-file key a"),
    job("xof -a shake128 -n 3000 a"),
    job("random -n 70000 --seed s"),
    Job { gives: Gives::Fresh, ..job("random -n 100") },
    job("table table.csv"),
    writes("sample -n 3 --seed s lines -o out", OUT),
    writes("sample -n 3 --seed s lines --transcript out", OUT),
    writes("sample -n 3 --seed s lines --state-out out", OUT),
    Job { gives: Gives::Fresh, ..job("sample -n 3 lines") },
    reads("lines", job("sample -n 3 --seed s")),
    few(reads("lines", writes("sample -n 3 --seed s -o out --complement more", &["more", "out"]))),
    few(job("sample -n 3 --seed s lines.gz")),
    few(job("sample -n 3 --seed s --weight w --design successive weights.csv")),
    few(writes("sample -n 3 --seed s --weight w --design pps weights.csv -o out", OUT)),
    writes("sample -n 3 --seed s lines --complement out", OUT),
    few(writes(
        "sample -n 4 --seed s lines.gz -o out --complement more --transcript record",
        &["more", "out", "record"],
    )),
    few(job("sample -n 3 --state-in state lines.gz")),
    few(writes("sample -n 3 --state-in state lines --state-out out", OUT)),
    few(writes("sample --merge --seed t state other-state -o out", OUT)),
    few(writes("sample -n 3 --seed s rows.parquet -o out", OUT)),
    writes("draw -n 2 --seed dice lines --transcript out", OUT),
    job("process crp --n 5 --seed s"),
    writes("process crp --n 5 --seed s --svg out", OUT),
    job("speed --from report.json --json"),
    writes("speed --from report.json --html out", OUT),
    Job { gives: Gives::Times, most: 3, ..writes(SPEED, OUT) },
    #[cfg(feature = "git")]
    Job { gives: Gives::Survey, most: 4, ..writes(SURVEY, OUT) },
];

/// A job whose code is also covered by others, so that in CI only some calls of each kind fail. With
/// `HASHWELL_FAULTS=all`, all calls fail.
const fn few(job: Job) -> Job {
    Job { most: 3, ..job }
}

const OUT: &[&str] = &["out"];

/// One process, and one round with short messages.
const SPEED: &str =
    "speed --json -a sha256 --library hashwell --tables d --no-threaded --processes 1 --rounds 1 --html out";

const SURVEY: &str = "git --json -a sha256 --repeat 1 --speed report.json repository --html out";

/// The jobs that can be run on this machine.
fn jobs(folder: &Folder) -> Vec<Job> {
    let survey = repository(folder);
    let all = std::env::var("HASHWELL_FAULTS").is_ok_and(|asked| asked == "all");
    let most = |job: Job| match job.gives {
        // A measurement makes thousands of calls, so only some of them fail in any case.
        Gives::Same | Gives::Fresh if all => Job { most: usize::MAX, ..job },
        _ => job,
    };
    JOBS.iter().copied().filter(|job| job.gives != Gives::Survey || survey).map(most).collect()
}

/// Creates a repository with packed objects, deltas and loose objects. If there is no git, reports that and returns
/// false.
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
    folder.write("lines", (10..60).map(|line| format!("line {line}\n")).collect::<String>());
    folder.write("table.csv", "n,text\n1,one\n2,two\n");
    folder.write(
        "weights.csv",
        format!("w,text\n{}", (1..40).map(|w| format!("{w},row {w}\n")).collect::<String>()),
    );
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&std::fs::read(folder.path().join("lines")).unwrap()).unwrap();
    folder.write("lines.gz", packed.finish().unwrap());
    folder.write("rows.parquet", parquet());
    for (state, shard) in [("state", "one"), ("other-state", "two")] {
        let options = ["-n", "3", "--seed", "s", "--shard", shard, "--state-out", state, "lines"];
        let made = folder.hashwell([&["sample"], &options[..]].concat());
        assert!(made.status.success(), "{}", stderr(&made));
    }
    folder.write("list", folder.hashwell(["sum", "a", "b"]).stdout);
    folder.write("report.json", timing::speed_report());
    folder
}

/// A table with one column and two groups of rows.
fn parquet() -> Vec<u8> {
    let schema = Arc::new(parse_message_type("message rows { required int64 id; }").unwrap());
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::default()).unwrap();
    for ids in [0..30, 30..50] {
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let ids: Vec<i64> = ids.collect();
        column.typed::<Int64Type>().write_batch(&ids, None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.close().unwrap();
    bytes
}

/// The names of all files, with their contents.
fn files(folder: &Folder) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder.path()).unwrap().map(Result::unwrap);
    let plain = entries.filter(|entry| entry.file_type().unwrap().is_file());
    plain
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .filter(|(name, _)| !name.starts_with("standard-"))
        .collect()
}

/// A pipe that contains a complete file, which must fit into the pipe's buffer.
fn piped(folder: &Folder, file: &str) -> PipeReader {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let bytes = std::fs::read(folder.path().join(file)).unwrap();
    assert!(bytes.len() <= 4096, "{file}: nobody reads yet");
    writer.write_all(&bytes).unwrap();
    reader
}

/// A command whose standard streams are files, so that no pipes must be read while it runs.
fn command(folder: &Folder, line: &str) -> Command {
    let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    let [out, err] = ["out", "error"]
        .map(|stream| File::create(folder.path().join(format!("standard-{stream}"))).unwrap());
    command.args(line.split(' ')).stdout(out).stderr(err);
    // These settings make the calls the same in every run, and avoid backtraces, each of which takes two seconds.
    command.env("HASHWELL_CALIBRATE", "0").env_remove("RUST_BACKTRACE");
    // Other libraries may end the process: libsodium does so if it gets no random bytes.
    command.envs(hashwell_measure::peers::variables().map(|variable| (variable, "none")));
    command
}

fn traced(folder: &Folder, job: &Job, choose: impl FnMut(usize, &Call) -> Option<Fault>) -> (Output, Traced) {
    let mut command = command(folder, job.line);
    if let Some(input) = job.input {
        command.stdin(piped(folder, input));
    }
    let traced = traced::run(&mut command, LIMIT, choose).expect("a process may trace its child");
    let [out, err] = ["out", "error"]
        .map(|stream| std::fs::read(folder.path().join(format!("standard-{stream}"))).unwrap());
    (Output { status: traced.status, stdout: out, stderr: err }, traced)
}

/// The parts of a report that are the same in every run.
fn without_times(report: &[u8]) -> Option<Value> {
    let report: Value = serde_json::from_slice(report).ok()?;
    let rows = report["rows"].as_array()?.iter().map(|row| {
        let cells = row["cells"].as_array().into_iter().flatten().map(|cell| &cell["bytes"]);
        json!([row["algorithm"], row["provider"], row["operation"], cells.collect::<Vec<_>>()]).to_string()
    });
    // For a repository, rows are sorted by their times.
    let rows: BTreeSet<String> = rows.collect();
    let of_run = ["complete", "hashed_bytes"].map(|field| &report["run"][field]);
    let repository = ["repository", "sizes", "octaves", "check"].map(|field| &report[field]);
    Some(json!([rows, of_run, repository]))
}

impl Job {
    /// Returns true if two outputs are equivalent.
    fn prints(&self, output: &[u8], plain: &[u8]) -> bool {
        match self.gives {
            Gives::Same | Gives::Verdicts => output == plain,
            Gives::Times | Gives::Survey => without_times(output) == without_times(plain),
            Gives::Fresh => output.len() == plain.len(),
        }
    }

    /// Returns true if a file is the same as `whole`, or is an equivalent one.
    fn is_whole(&self, file: &[u8], whole: &[u8]) -> bool {
        let is_page = file.starts_with(b"<!DOCTYPE html>") && file.trim_ascii_end().ends_with(b"</html>");
        file == whole || (matches!(self.gives, Gives::Times | Gives::Survey) && is_page)
    }

    /// Returns true if all files are the expected ones, or are equivalent.
    fn leaves(&self, now: &BTreeMap<String, Vec<u8>>, whole: &BTreeMap<String, Vec<u8>>) -> bool {
        let one = |(name, file): (&String, &Vec<u8>)| {
            whole.get(name).is_some_and(|whole| match self.files.contains(&&**name) {
                true => self.is_whole(file, whole),
                false => file == whole,
            })
        };
        now.len() == whole.len() && now.iter().all(one)
    }
}

/// The possible results of a call.
enum May {
    Fail(&'static [Fault]),
    /// The call cannot fail if the caller is correct, or the failure has no visible effect, for this reason.
    Not(&'static str),
}

/// The possible results of a call. `None` if this kind of call is not known here.
fn may(call: &Call) -> Option<May> {
    use Fault::{Error, Refused, Short};
    use May::{Fail, Not};
    Some(match call.number {
        libc::SYS_read | libc::SYS_pread64 => Fail(&[Error(libc::EIO), Error(libc::EINTR), Short]),
        libc::SYS_write => Fail(&[Error(libc::ENOSPC), Error(libc::EIO), Error(libc::EINTR), Short]),
        libc::SYS_openat | libc::SYS_open => {
            Fail(&[Error(libc::EMFILE), Error(libc::EACCES), Error(libc::EINTR)])
        }
        libc::SYS_statx | libc::SYS_newfstatat | libc::SYS_fstat | libc::SYS_stat | libc::SYS_lseek => {
            Fail(&[Error(libc::EIO)])
        }
        libc::SYS_access | libc::SYS_getdents64 | libc::SYS_readlink | libc::SYS_readlinkat => {
            Fail(&[Error(libc::EIO)])
        }
        libc::SYS_getcwd | libc::SYS_unlink | libc::SYS_unlinkat => Fail(&[Error(libc::EIO)]),
        libc::SYS_mmap | libc::SYS_mprotect | libc::SYS_mremap => Fail(&[Error(libc::ENOMEM)]),
        // Unmapping part of a range can fail if there are too many mappings.
        libc::SYS_munmap => Fail(&[Error(libc::ENOMEM)]),
        libc::SYS_brk => Fail(&[Refused]),
        libc::SYS_clone3 => Fail(&[Error(libc::EAGAIN), Error(libc::ENOMEM), Error(libc::ENOSYS)]),
        libc::SYS_clone | libc::SYS_vfork | libc::SYS_fork => {
            Fail(&[Error(libc::EAGAIN), Error(libc::ENOMEM)])
        }
        libc::SYS_execve => Fail(&[Error(libc::ENOENT), Error(libc::EACCES), Error(libc::ENOMEM)]),
        // If the caller of the command lets the system reap children, the child is already gone.
        libc::SYS_wait4 | libc::SYS_waitid => Fail(&[Error(libc::EINTR), Error(libc::ECHILD)]),
        libc::SYS_kill => Not("whom it ends is a child that was not waited for yet"),
        libc::SYS_setpgid => Fail(&[Error(libc::EPERM), Error(libc::EACCES)]),
        libc::SYS_sched_setaffinity => Fail(&[Error(libc::EPERM), Error(libc::EINVAL)]),
        libc::SYS_perf_event_open => Fail(&[Error(libc::EACCES), Error(libc::ENOSYS), Error(libc::EMFILE)]),
        libc::SYS_clock_nanosleep | libc::SYS_nanosleep => Fail(&[Error(libc::EINTR)]),
        // This call only waits, and may return at any time without a reason.
        libc::SYS_futex if is_wait(call) => Fail(&[Error(libc::EINTR), Error(libc::EAGAIN)]),
        libc::SYS_futex => Not("waking fails for a wrong address only"),
        libc::SYS_exit | libc::SYS_exit_group => Not("nothing comes after it"),
        libc::SYS_gettid | libc::SYS_getpid | libc::SYS_sched_yield => Not("it has no errors"),
        libc::SYS_rt_sigprocmask => Not("it fails for a wrong address or request only"),
        libc::SYS_sigaltstack => Fail(&[Error(libc::EPERM)]),
        // The error on systems that are too old for this call.
        libc::SYS_set_robust_list => Fail(&[Error(libc::ENOSYS)]),
        libc::SYS_rseq => {
            Not("the C library aborts where one thread has it and another has not, as on no system")
        }
        libc::SYS_prctl => Fail(&[Error(libc::EINVAL)]),
        libc::SYS_clock_gettime => {
            Not("every Linux has the clocks that measuring asks for, which asserts it")
        }
        libc::SYS_rename | libc::SYS_renameat | libc::SYS_renameat2 => {
            Fail(&[Error(libc::EIO), Error(libc::ENOSPC)])
        }
        libc::SYS_link | libc::SYS_linkat | libc::SYS_fchmod | libc::SYS_ftruncate => {
            Fail(&[Error(libc::EIO)])
        }
        // If the system does not let the user change the group, the file keeps its own group, which gets fewer
        // permissions.
        libc::SYS_fchown => Fail(&[Error(libc::EPERM)]),
        libc::SYS_fsync | libc::SYS_fdatasync => Fail(&[Error(libc::EIO)]),
        // If closing a folder fails with any other error, the standard library panics.
        libc::SYS_close => Fail(&[Error(libc::EINTR)]),
        // The standard library's seeds for hash tables: it panics at errors that no system returns (EIO, for example
        // from a seccomp filter).
        libc::SYS_getrandom if call.arguments[2] == u64::from(libc::GRND_INSECURE) => {
            Fail(&[Error(libc::EPERM), Error(libc::ENOSYS), Error(libc::EINTR), Short])
        }
        libc::SYS_getrandom => {
            Fail(&[Error(libc::EIO), Error(libc::EPERM), Error(libc::ENOSYS), Error(libc::EINTR), Short])
        }
        libc::SYS_ioctl | libc::SYS_fcntl | libc::SYS_prlimit64 | libc::SYS_rt_sigaction => {
            Fail(&[Error(libc::EINVAL)])
        }
        libc::SYS_sched_getaffinity | libc::SYS_madvise | libc::SYS_fadvise64 | libc::SYS_pipe2 => {
            Fail(&[Error(libc::EPERM)])
        }
        libc::SYS_dup | libc::SYS_poll | libc::SYS_ppoll | libc::SYS_eventfd2 => Fail(&[Error(libc::EINTR)]),
        libc::SYS_dup2 | libc::SYS_dup3 => Fail(&[Error(libc::EINTR), Error(libc::EBUSY)]),
        _ => return None,
    })
}

fn is_wait(call: &Call) -> bool {
    let operation = call.arguments[1] as i32 & libc::FUTEX_CMD_MASK;
    [libc::FUTEX_WAIT, libc::FUTEX_WAIT_BITSET].contains(&operation)
}

/// Returns true if the lines are a subsequence of `all`. The last one may be incomplete.
fn are_some_of(lines: &[u8], all: &[u8]) -> bool {
    let mut rest = all.split_inclusive(|byte| *byte == b'\n');
    lines.split_inclusive(|byte| *byte == b'\n').all(|line| rest.any(|whole| whole.starts_with(line)))
}

/// The problem with how a command ended, if there is one.
fn wrong(job: &Job, output: &Output, plain: &Output, failed: Option<&Call>) -> Option<&'static str> {
    let said = stderr(output);
    // This is how the standard library starts a thread: without this memory there is no thread, and nothing that could
    // report it.
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
    // A sample without a given seed prints the seed that it used.
    let is_told = usize::from(job.gives == Gives::Fresh && said.starts_with("hashwell: drawn with --seed "));
    match output.status.code() {
        None if output.status.signal() == Some(libc::SIGABRT) && is_refused_memory(failed) => {
            (!said.starts_with("memory allocation of ")).then_some("it aborts without a reason")
        }
        None => Some("a signal ends it"),
        Some(0) if !all_right => Some("it succeeds with another output"),
        Some(0) => None,
        // `sum -c` also reports which file does not match.
        Some(1) if job.gives == Gives::Verdicts => (!said.ends_with('\n')).then_some("it gives no reason"),
        Some(1) if !said.lines().all(speaks) || !said.ends_with('\n') => Some("it gives no reason"),
        Some(1) if matches!(job.gives, Gives::Same | Gives::Fresh) && said.lines().count() != 1 + is_told => {
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

/// The problem, if there is one, with the report about a repository that could not be read completely. Its contents
/// must be right, and missing parts must be reported. A report that is not valid JSON was truncated while writing.
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

/// Returns true if a temporary file may be left: either removing it failed, which is reported, or there was no memory
/// to start a thread, which ended the process immediately.
fn may_stay(name: &str, output: &Output, run: &Traced) -> bool {
    let number = run.failed.map(|call| call.number);
    let is_refused = number.is_some_and(|number| [libc::SYS_unlink, libc::SYS_unlinkat].contains(&number));
    let is_aborted = output.status.signal() == Some(libc::SIGABRT);
    name.starts_with(".hashwell-") && ((is_refused && !output.status.success()) || is_aborted)
}

/// Returns true if this system allows processes to trace their children.
pub(super) fn tracing_is_allowed(folder: &Folder) -> bool {
    let tried = traced::run(&mut command(folder, "--version"), LIMIT, |_, _| None);
    let refused = tried.is_err_and(|error| error.kind() == std::io::ErrorKind::PermissionDenied);
    if refused {
        common::skipped("faults of system calls", "the system lets no process trace another");
    }
    !refused
}

/// The number of runs with a fault, by how they ended.
#[derive(Clone, Copy, Default)]
struct Ends {
    /// The work was done, and the result is right.
    done: usize,
    /// Exit code 1, with a reason.
    said: usize,
    /// The standard library or an allocator ended the process because there was no memory.
    no_memory: usize,
    /// The call was not made in this run.
    missed: usize,
}

impl Ends {
    fn add(&mut self, output: &Output, run: &Traced) {
        let end = match output.status.code() {
            _ if run.failed.is_none() => &mut self.missed,
            Some(0) => &mut self.done,
            Some(_) => &mut self.said,
            None => &mut self.no_memory,
        };
        *end += 1;
    }

    fn injected(self) -> usize {
        self.done + self.said + self.no_memory
    }
}

impl std::fmt::Display for Ends {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { done, said, no_memory, missed } = *self;
        write!(
            f,
            "{} injected: {done} done and right, {said} refused with a reason, {no_memory} ended for want of memory \
             ({missed} more not reached)",
            self.injected()
        )
    }
}

/// The name of a fault in the table that is printed.
fn name(fault: Fault) -> String {
    let Fault::Error(error) = fault else { return format!("{fault:?}") };
    const NAMES: &[(i32, &str)] = &[
        (libc::EIO, "EIO"),
        (libc::EINTR, "EINTR"),
        (libc::ENOSPC, "ENOSPC"),
        (libc::EMFILE, "EMFILE"),
        (libc::EACCES, "EACCES"),
        (libc::ENOMEM, "ENOMEM"),
        (libc::EAGAIN, "EAGAIN"),
        (libc::ENOSYS, "ENOSYS"),
        (libc::EPERM, "EPERM"),
        (libc::EINVAL, "EINVAL"),
        (libc::ENOENT, "ENOENT"),
        (libc::ECHILD, "ECHILD"),
        (libc::ESRCH, "ESRCH"),
        (libc::EBUSY, "EBUSY"),
    ];
    let named = NAMES.iter().find(|(number, _)| *number == error);
    named.map_or_else(|| error.to_string(), |(_, name)| (*name).to_owned())
}

/// The counts by the first word of the command and by fault.
#[derive(Default)]
struct Counts {
    commands: BTreeMap<&'static str, Ends>,
    faults: BTreeMap<String, Ends>,
    all: Ends,
    /// Kinds of calls that do not fail, by number, with the reason.
    not: BTreeSet<(i64, &'static str)>,
}

impl Counts {
    fn add(&mut self, job: &Job, fault: Fault, output: &Output, run: &Traced) {
        let command = job.line.split(' ').next().unwrap();
        self.commands.entry(command).or_default().add(output, run);
        self.faults.entry(name(fault)).or_default().add(output, run);
        self.all.add(output, run);
    }

    fn print(&self) {
        self.commands.iter().for_each(|(command, ends)| println!("{command}: {ends}"));
        self.faults.iter().for_each(|(fault, ends)| println!("{fault}: {ends}"));
        self.not.iter().for_each(|(call, why)| println!("call {call} does not fail: {why}"));
        println!("all: {}", self.all);
    }
}

/// Restores the files that a job writes, and removes other files.
fn restore(folder: &Folder, job: &Job, after: &BTreeMap<String, Vec<u8>>, before: bool) {
    for name in files(folder).keys().filter(|name| !after.contains_key(*name)) {
        std::fs::remove_file(folder.path().join(name)).unwrap();
    }
    for file in job.files {
        match before {
            true => drop(std::fs::remove_file(folder.path().join(file))),
            false => std::fs::write(folder.path().join(file), &after[*file]).unwrap(),
        }
    }
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
    let mut counts = Counts::default();
    for job in &jobs {
        let (plain, all) = traced(&folder, job, |_, _| None);
        assert_eq!(plain.status.code(), Some(0), "{}: {}", job.line, stderr(&plain));
        let after = files(&folder);
        let mut fresh = BTreeSet::from([(plain.stdout.clone(), plain.stderr.clone())]);
        let numbers: BTreeSet<i64> = all.calls.iter().map(|call| call.number).collect();
        for number in numbers {
            let of_number: Vec<_> = all.calls.iter().filter(|call| call.number == number).collect();
            let tried = of_number.len().min(job.most);
            for nth in (0..tried).map(|i| i * of_number.len() / tried) {
                let faults = match may(of_number[nth]) {
                    Some(May::Fail(faults)) => faults,
                    Some(May::Not(why)) => {
                        counts.not.insert((number, why));
                        continue;
                    }
                    None => {
                        faulty.insert(format!(
                            "{}: what may become of the call {number} is not listed",
                            job.line
                        ));
                        continue;
                    }
                };
                for fault in faults {
                    restore(&folder, job, &after, true);
                    let mut left = nth + 1;
                    let (output, run) = traced(&folder, job, |_, call| {
                        let is_it = call.number == number && !matches!(may(call), Some(May::Not(_)));
                        left -= usize::from(call.number == number && left > 0);
                        (left == 0 && is_it).then_some(*fault)
                    });
                    counts.add(job, *fault, &output, &run);
                    let now = files(&folder);
                    let some = |(name, file)| before.get(name).or_else(|| after.get(name)) == Some(file);
                    let now: BTreeMap<_, _> =
                        now.into_iter().filter(|(name, _)| !may_stay(name, &output, &run)).collect();
                    let is_kept = match job.files.len() > 1 {
                        // If there are several files, some may already have their names.
                        true => now.iter().all(some),
                        false => now == before,
                    };
                    let kept = job.leaves(&now, &after) || (!output.status.success() && is_kept);
                    let is_new = job.gives != Gives::Fresh
                        || !output.status.success()
                        || fresh.insert((output.stdout.clone(), output.stderr.clone()));
                    let wrong = wrong(job, &output, &plain, run.failed.as_ref())
                        .or(run.hung.then_some("it does not end"))
                        .or((!kept).then_some("it leaves other files"))
                        .or((!is_new).then_some("what is random was there before"));
                    if let Some(wrong) = wrong {
                        faulty.insert(format!(
                            "{}: {wrong} when {:x?} has {fault:?}: {}: {}",
                            job.line,
                            run.failed,
                            output.status,
                            stderr(&output),
                        ));
                    }
                    restore(&folder, job, &after, false);
                }
            }
        }
        restore(&folder, job, &before, true);
    }
    counts.print();
    assert!(faulty.is_empty(), "{}", faulty.into_iter().collect::<Vec<_>>().join("\n"));
    let said = counts.all.said;
    assert!(said > 100, "only {said} faults made a command fail: are they injected?");
}

/// For every n, the command is killed when it makes its n-th call. The file that it replaces is then either the old one
/// or the new one.
#[test]
fn whoever_is_killed_leaves_the_old_file_or_the_new() {
    let folder = folder();
    if !tracing_is_allowed(&folder) {
        return;
    }
    let jobs = jobs(&folder);
    let old = b"what was there".to_vec();
    let mut kills = BTreeMap::new();
    for job in jobs.iter().filter(|job| !job.files.is_empty()) {
        let read = |file: &&str| std::fs::read(folder.path().join(file)).unwrap();
        let reset = || job.files.iter().for_each(|file| folder.write(file, &old));
        reset();
        let (plain, all) = traced(&folder, job, |_, _| None);
        assert_eq!(plain.status.code(), Some(0), "{}: {}", job.line, stderr(&plain));
        let new: Vec<_> = job.files.iter().map(read).collect();
        assert!(!new.contains(&old), "{}", job.line);
        let mut ends = [0, 0];
        // Tries all calls, or as many of each kind as would be made to fail.
        let tried = all.calls.len().min(job.most.saturating_mul(10));
        for nth in (0..tried).map(|i| i * all.calls.len() / tried) {
            reset();
            let (output, run) = traced(&folder, job, |call, _| (call == nth).then_some(Fault::Killed));
            if run.failed.is_some() {
                assert_eq!(output.status.signal(), Some(libc::SIGKILL), "{}: call {nth}", job.line);
            }
            assert!(!run.hung, "{}: what it had started does not end after call {nth}", job.line);
            for (there, new) in job.files.iter().map(read).zip(&new) {
                let is_new = job.is_whole(&there, new);
                assert!(there == old || is_new, "{}: half a file after call {nth}", job.line);
                ends[usize::from(is_new)] += 1;
            }
        }
        assert!(ends[0] > 0, "{}: {ends:?}", job.line);
        *kills.entry(job.line.split(' ').next().unwrap()).or_insert(0) += tried;
    }
    println!("killed at a call, every file old or new: {kills:?}, {} in all", kills.values().sum::<usize>());
}
