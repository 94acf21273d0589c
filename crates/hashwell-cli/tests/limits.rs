//! The command when the system refuses threads, memory or standard streams, and when files have no end.

use crate::common;
use crate::timing;

use common::{Folder, assert_ran, ended, limited, repository, stderr, stdout};
use std::ffi::OsStr;
use std::fs::{File, OpenOptions, Permissions, copy, set_permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// One algorithm of each family, and both of those that use several cores for one message.
const FAMILIES: [&str; 8] =
    ["sha1", "sha256", "sha512", "sha3-256", "kt128", "blake2b", "blake3", "ascon-hash256"];

fn is_root() -> bool {
    // SAFETY: returns a number.
    unsafe { libc::geteuid() == 0 }
}

/// A user without any other processes, because a limit on processes applies to all of a user's processes.
fn nobody_else() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    1_000_000 + 1000 * (std::process::id() % 100_000) + NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Runs the command with a limit that is set in its process. The test fails if it hangs.
fn under(folder: &Folder, resource: libc::__rlimit_resource_t, most: u64, args: &[&str]) -> Output {
    let program = folder.path().join("hashwell");
    let files = ["out", "err"].map(|name| folder.path().join(format!("std{name}-{}", nobody_else())));
    let mut command = folder.command(program);
    let [out, err] = files.each_ref().map(|file| File::create(file).unwrap());
    command.args(args).stdout(out).stderr(err).env_remove("RUST_BACKTRACE");
    // The limit on processes does not apply to root.
    if resource == libc::RLIMIT_NPROC && is_root() {
        command.uid(nobody_else());
    }
    limited(&mut command, resource, most);
    let mut child = command.spawn().unwrap();
    let status = ended(&mut child, Duration::from_secs(60), &(args, resource, most));
    let [out, err] = files.map(|file| {
        let bytes = std::fs::read(&file).unwrap();
        std::fs::remove_file(file).unwrap();
        bytes
    });
    Output { status, stdout: out, stderr: err }
}

/// A folder that any user can read, with the command, a file of several pieces, and small files.
fn folder() -> Folder {
    let folder = Folder::new();
    set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    copy(env!("CARGO_BIN_EXE_hashwell"), folder.path().join("hashwell")).unwrap();
    let large: Vec<u8> = (0..9_000_000_u32).map(|i| (i >> 3) as u8).collect();
    folder.write("large", large);
    folder.write("large2", vec![7; 5_000_000]);
    for i in 0..100 {
        folder.write(format!("small/{i}"), vec![i as u8; 500 * i]);
    }
    folder.write("key", "key");
    folder
}

/// All commands that read or compute, for every family if they take an algorithm.
fn commands(folder: &Folder) -> Vec<Vec<String>> {
    let mut commands: Vec<String> = Vec::new();
    for algorithm in FAMILIES {
        commands.push(format!("sum -a {algorithm} large"));
        folder.write(
            format!("list.{algorithm}"),
            folder.hashwell(["sum", "-a", algorithm, "large", "large2", "small/3", "small/4"]).stdout,
        );
        commands.push(format!("sum -c list.{algorithm}"));
    }
    for algorithm in ["sha256", "sha3-256", "blake3"] {
        commands.push(format!("hmac -a {algorithm} --key-file key large"));
    }
    for algorithm in ["shake128", "kt128", "blake3", "ascon-xof128"] {
        commands.push(format!("xof -a {algorithm} -n 100000 large"));
    }
    for source in ["blake3", "hmac-drbg-sha256", "counter"] {
        commands.push(format!("random --source {source} --seed s -n 100000"));
    }
    commands.push("sum -r -j 4 small large large2".to_owned());
    commands.push("sum -a sha256 -a blake3 -a kt128 large large2".to_owned());
    commands.push("sum --git-tree small".to_owned());
    folder.write("lines", (0..5000).map(|i| format!("line {i}\n")).collect::<String>());
    folder.write("table.csv", (0..500).map(|i| format!("{i},{}\n", i * i)).collect::<String>());
    commands.push("sample -n 20 --seed s lines".to_owned());
    commands.push("sample --shuffle --seed s lines".to_owned());
    commands.push("draw -n 2 --seed dice lines".to_owned());
    commands.push("table --no-header table.csv".to_owned());
    commands.push("algorithms".to_owned());
    commands.iter().map(|command| command.split(' ').map(str::to_owned).collect()).collect()
}

/// The part of the output that is the same in every run: everything except the figures of kernels, which are measured
/// again each time.
fn told<'a>(args: &[&str], output: &'a Output) -> &'a [u8] {
    let all = &output.stdout[..];
    let figures = all.windows(9).position(|part| part == b"\nKernels:");
    figures.filter(|_| args == ["algorithms"]).map_or(all, |at| &all[..at])
}

/// Runs all commands under each limit. Their output must be the same as without a limit.
fn all_under(resource: libc::__rlimit_resource_t, limits: impl Fn(&Folder) -> Vec<u64>) {
    let folder = folder();
    let limits = limits(&folder);
    for command in commands(&folder) {
        let args: Vec<&str> = command.iter().map(String::as_str).collect();
        let free = folder.hashwell(&args);
        assert_eq!(free.status.code(), Some(0), "{args:?}: {}", stderr(&free));
        for most in &limits {
            let limited = under(&folder, resource, *most, &args);
            let label = format!("{args:?} with {most}: {:?}: {}", limited.status, stderr(&limited));
            assert_eq!(limited.status.code(), Some(0), "{label}");
            assert!(told(&args, &limited) == told(&args, &free) && limited.stderr == free.stderr, "{label}");
        }
    }
}

#[test]
fn without_threads_one_does_the_work() {
    // With one process, there are no threads. With two, one thread reads ahead, and none is left for a pool.
    all_under(libc::RLIMIT_NPROC, |_| vec![1, 2, 3]);
}

/// The work succeeds with any memory limit that is at least 1 MiB above the amount for hashing one small file on one
/// thread. (The MiB is for commands that need slightly more memory.)
#[test]
fn with_little_memory_the_work_is_done() {
    all_under(libc::RLIMIT_AS, |folder| {
        let least = least_kib(folder);
        let more = [1024, 2048, 4096, 4608, 8192, 40 << 10, 80 << 10];
        more.iter().map(|more| (least + more) << 10).collect()
    });
}

/// The address space in KiB that hashing one small file on one thread needs. Most of it is the program's code.
fn least_kib(folder: &Folder) -> u64 {
    let works = |most: u64| {
        let output = under(folder, libc::RLIMIT_AS, most << 10, &["sum", "-j1", "small/1"]);
        output.status.code() == Some(0)
    };
    assert!(!works(1 << 10));
    least(1 << 10, 1 << 20, 64, works)
}

/// The smallest limit that works, or one that is larger by at most `precision`. `too_little` is not tried, and `enough`
/// must work.
fn least(mut too_little: u64, mut enough: u64, precision: u64, works: impl Fn(u64) -> bool) -> u64 {
    assert!(works(enough), "{enough}");
    while enough - too_little > precision {
        let middle = u64::midpoint(too_little, enough);
        *(if works(middle) { &mut enough } else { &mut too_little }) = middle;
    }
    enough
}

/// Returns true if there is one line about the lack of memory: from the command, from the standard library (with its
/// note on backtraces), or from the system's loader. Commands that measure may additionally report that a benchmark
/// process has ended.
fn says_that_memory_is_scarce(err: &str) -> bool {
    let besides =
        ["hashwell: a benchmark process exited unexpectedly: ", "note: run with `RUST_BACKTRACE=1`"];
    let lines = err.lines().filter(|line| !besides.iter().any(|words| line.starts_with(words)));
    lines.count() == 1 && ["emory", "cannot allocate", "cannot map"].iter().any(|words| err.contains(words))
}

/// With 64 MiB of address space, or a few MiB more than hashing one small file needs, a command does its work or
/// reports in one line that it cannot. The program's code is included, so a build without optimization has less left.
#[test]
fn with_64_mib_of_addresses_the_work_is_done_or_there_is_one_line() {
    let folder = folder();
    let mut lines: Vec<Vec<String>> = commands(&folder);
    folder.write("report.json", timing::speed_report());
    folder.write("record.json", folder.hashwell(["draw", "-n", "2", "--seed", "dice", "lines"]).stdout);
    let more = [
        "process crp --n 50 --seed s --replicates 2000",
        "sample --shuffle --seed s lines --transcript record",
        "kmac -a kmac128 --key-file key large",
        "hkdf -a sha256 --key-file key -n 64",
        "verify record.json",
        "speed --from report.json --json",
        "speed --json -a sha256 --library hashwell --tables d --no-threaded --processes 1 --rounds 1",
        "timing-test -a sha256 --target hmac-tag --samples 1000",
        "process geometric --p 0.5 --exact --svg out.svg",
        "completions bash",
        "man",
        "--help",
    ];
    lines.extend(more.map(|line| line.split(' ').map(str::to_owned).collect()));
    if cfg!(feature = "git") && repository(&folder) {
        let line = "git --json -a sha256 --repeat 1 --speed report.json repository";
        lines.push(line.split(' ').map(str::to_owned).collect());
    }
    // Measurements give different figures each time.
    let measured = ["git", "speed", "timing-test"];
    let (mut done, mut refused) = (0, 0);
    let least = least_kib(&folder);
    for line in &lines {
        let args: Vec<&str> = line.iter().map(String::as_str).collect();
        let free = folder.hashwell(&args);
        for kib in [least + (4 << 10), least + (8 << 10), 64 << 10] {
            let limited = under(&folder, libc::RLIMIT_AS, kib << 10, &args);
            let err = stderr(&limited);
            let label =
                format!("{args:?} with {kib} KiB, of which {least} are needed: {:?}: {err}", limited.status);
            assert!(!err.contains("panicked"), "{label}");
            // `timing-test` ends with the result of its measurement, which it prints as a table: no difference, a
            // difference, or too little data.
            let judged = args[0] == "timing-test"
                && matches!(limited.status.code(), Some(0 | 1 | 3))
                && stdout(&limited).contains("\nCONTROL ")
                && !says_that_memory_is_scarce(&err);
            if limited.status.code() == free.status.code() || judged {
                let same = told(&args, &limited) == told(&args, &free) && err == stderr(&free);
                assert!(same || measured.contains(&args[0]), "{label}");
                done += 1;
            } else {
                let ended = limited.status.signal().is_none_or(|signal| signal == libc::SIGABRT);
                assert!(
                    ended && limited.status.code() != Some(0) && says_that_memory_is_scarce(&err),
                    "{label}"
                );
                refused += 1;
            }
        }
    }
    println!(
        "with 4 and 8 MiB more than {least} KiB, and with 64 MiB: {done} commands do their work, {refused} say that they cannot"
    );
    assert!(done > 0);
}

/// Commands that measure start processes and threads. They work with those that they get, or report in one line what is
/// missing.
#[test]
fn with_few_threads_and_files_measuring_works_or_there_is_one_line() {
    let folder = folder();
    folder.write("report.json", timing::speed_report());
    let mut lines = vec![
        "speed --json -a sha256 --library hashwell --tables d --no-threaded --processes 1 --rounds 1",
        "speed --json -a blake3 --library hashwell --threads 2 --processes 1 --rounds 1",
        "timing-test -a sha256 --target hmac-tag --samples 1000 --json",
    ];
    if cfg!(feature = "git") && repository(&folder) {
        lines.push("git --json -a sha256 --repeat 1 --speed report.json repository");
    }
    for line in lines {
        let args: Vec<&str> = line.split(' ').collect();
        for (resource, most) in [
            (libc::RLIMIT_NPROC, 1),
            (libc::RLIMIT_NPROC, 2),
            (libc::RLIMIT_NOFILE, 5),
            (libc::RLIMIT_NOFILE, 16),
        ] {
            let output = under(&folder, resource, most, &args);
            let (out, err) = (stdout(&output), stderr(&output));
            let label = format!("{line} with {most} of {resource}: {:?}: {err}", output.status);
            match output.status.code() {
                // `timing-test` may report that time depends on a secret, or that it cannot tell.
                Some(0 | 1 | 3) if !out.is_empty() => {
                    let whole = serde_json::from_str::<serde_json::Value>(&out).is_ok();
                    assert!(whole && !err.contains("panicked"), "{label}");
                }
                Some(1) => {
                    assert!(err.starts_with("hashwell: ") && err.lines().count() == 1, "{label}");
                }
                _ => panic!("{label}"),
            }
        }
    }
}

/// The three standard streams are included.
#[test]
fn with_sixteen_open_files_the_work_is_done() {
    all_under(libc::RLIMIT_NOFILE, |_| vec![16]);
}

/// In a folder in which the user may not write, there is one line, and the folder is unchanged.
#[test]
fn where_nothing_may_be_written_there_is_one_line() {
    let folder = folder();
    folder.write("lines", "a\nb\nc\n");
    folder.write("closed/old", "what was there");
    folder.write("report.json", timing::speed_report());
    let closed = folder.path().join("closed");
    let survey = repository(&folder);
    set_permissions(&closed, Permissions::from_mode(0o555)).unwrap();
    for name in ["closed/new", "closed/old"] {
        for line in [
            "sample -n 2 --seed s lines -o",
            "sample -n 2 --seed s lines --complement",
            "sample -n 2 --seed s lines --transcript",
            "sample -n 2 --seed s lines --state-out",
            "draw -n 2 --seed s lines --transcript",
            "speed --from report.json --html",
            "process crp --n 5 --seed s --svg",
            "timing-test -a sha256 --target hmac-tag --samples 1000 --svg",
            "timing-test -a sha256 --target hmac-tag --samples 1000 --ecdf",
            #[cfg(feature = "git")]
            "git -a sha256 --repeat 1 --speed report.json repository --html",
            "man --out",
        ] {
            if line.starts_with("git") && !survey {
                continue;
            }
            let mut command = folder.command(folder.path().join("hashwell"));
            command.args(line.split(' ')).arg(name);
            if is_root() {
                command.uid(nobody_else());
            }
            let output = command.output().unwrap();
            let err = stderr(&output);
            assert_eq!(output.status.code(), Some(1), "{line} {name}: {err}");
            // A file cannot be used as the folder to write into.
            let why =
                if line == "man --out" && name == "closed/old" { "File exists" } else { "Permission denied" };
            assert_eq!(err, format!("hashwell: {name}: {why}\n"), "{line} {name}");
            let left: Vec<_> =
                std::fs::read_dir(&closed).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            assert!(
                left == ["old"] && std::fs::read(closed.join("old")).unwrap() == b"what was there",
                "{left:?}"
            );
        }
    }
}

/// With even less memory, the command prints one plain line, or at worst one line from the standard library. It never
/// hangs, and never prints a wrong digest or a backtrace.
#[test]
fn without_memory_there_is_a_plain_line() {
    let folder = folder();
    let lines = ["more than ", "out of memory", "emory allocation"];
    for (args, most) in [
        (&["sum", "-c", "/dev/zero"][..], 200_u64 << 20),
        (&["hmac", "-a", "sha256", "--key-file", "/dev/zero", "key"], 60 << 20),
        (&["random", "--seed-file", "/dev/zero", "-n", "8"], 60 << 20),
        (&["sum", "--git-blob", "/dev/zero"], 200 << 20),
        (&["speed", "--from", "/dev/zero"], 60 << 20),
    ] {
        let output = under(&folder, libc::RLIMIT_AS, most, args);
        let err = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {:?}: {err}", output.status);
        assert!(output.stdout.is_empty());
        assert!(err.lines().count() == 1 && lines.iter().any(|line| err.contains(line)), "{args:?}: {err}");
    }
}

/// An enumeration that does not fit into memory is reported in one line, for any process and no matter when memory runs
/// out, because states are copied and outcomes are kept with fallible allocations.
#[test]
fn an_enumeration_without_memory_is_said() {
    let folder = folder();
    let chain = ["markov-chain", "--n", "40", "--start", "0", "--transition", "0.5,0.5;0.5,0.5"];
    let hmm = [
        "hmm",
        "--initial",
        "0.5,0.5",
        "--transition",
        "0.9,0.1;0.1,0.9",
        "--emission",
        "0.8,0.2;0.2,0.8",
        "--observed",
        "0,0,1,1,0,0,1,1,0,0,1,1,0,0,1,1,0,0,1,1,0,0,1,1,0,0,1,1,0,0,1,1,0,0,1,1",
    ];
    for process in [
        &["crp", "--n", "14", "--alpha", "1"][..],
        &["pitman-yor", "--n", "14", "--theta", "1", "--discount", "0.5"],
        &["hoppe-urn", "--n", "14", "--theta", "1"],
        &["polya-urn", "--n", "40", "--balls", "1,1", "--add", "1"],
        &["moran", "--n", "60", "--start", "30", "--fitness", "1"],
        &["random-walk", "--n", "40", "--start", "0", "--p", "0.5"],
        &chain,
        &hmm,
    ] {
        for most in [60_u64, 83] {
            let mut args = vec!["process"];
            args.extend(process);
            args.extend(["--exact", "--states", "100000000", "--mass", "0", "--no-progress"]);
            let output = under(&folder, libc::RLIMIT_AS, most << 20, &args);
            let err = stderr(&output);
            assert_eq!(output.status.code(), Some(1), "{args:?} with {most} MiB: {:?}: {err}", output.status);
            assert!(err.contains("not enough memory") && err.lines().count() == 1, "{args:?}: {err}");
        }
    }
}

/// Times by size need messages as large as the largest object. If there is no memory for them, there is one line and no
/// abort, no matter when memory runs out.
#[test]
#[cfg(feature = "git")]
fn a_repository_without_memory_is_said() {
    let folder = folder();
    if !repository(&folder) {
        return;
    }
    let content: Vec<u8> =
        (0..1_500_000_u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect();
    folder.write("repository/large", content);
    let add = folder.tool("git", ["-C", "repository", "add", "large"]);
    let commit = ["-C", "repository", "-c", "user.name=n", "-c", "user.email=e", "commit", "-qmm"];
    assert!(add.unwrap().status.success() && folder.tool("git", commit).unwrap().status.success());
    let args = ["git", "--repeat", "1", "repository", "--sample", "1K", "-a", "sha1"];
    let run = |half_mib: u64| under(&folder, libc::RLIMIT_AS, half_mib << 19, &args);
    let enough = least(16, 200, 1, |half_mib| run(half_mib).status.success());
    let mut scarce = 0;
    for half_mib in enough - 13..enough {
        let output = run(half_mib);
        let err = stderr(&output);
        // With less memory than the program itself needs, the system or its loader ends it. With more memory, the
        // program prints the message.
        if err.starts_with("hashwell: ") {
            scarce += 1;
            assert!(output.status.code() == Some(1) && err.contains("memory"), "{half_mib}: {output:?}");
        }
        assert!(scarce == 0 || output.status.signal().is_none(), "{half_mib}: {output:?}");
    }
    assert_ne!(scarce, 0, "no limit was met between what the program and what the work needs");
}

/// The standard library aborts the process if a small allocation fails; the command prints one line instead. The limits
/// are just below the memory that the program needs to start.
#[test]
#[cfg(target_os = "linux")]
fn without_memory_for_a_small_block_there_is_one_line() {
    let folder = folder();
    let run = |pages: u64| under(&folder, libc::RLIMIT_AS, pages << 12, &["algorithms"]);
    let enough = least(1, 1 << 15, 1, |pages| run(pages).status.success());
    let mut lines = 0;
    for pages in enough - 200..enough {
        let output = run(pages);
        let err = stderr(&output);
        assert!(!err.contains("memory allocation of"), "{pages}: {output:?}");
        if err.starts_with("hashwell: ") {
            assert_eq!(
                (output.status.code(), err.as_str()),
                (Some(1), "hashwell: not enough memory\n"),
                "{pages}"
            );
            lines += 1;
        }
    }
    assert_ne!(lines, 0, "no limit was met between what the loader and what the program needs");
}

#[test]
fn files_without_end_are_read_to_a_limit() {
    let folder = Folder::new();
    folder.write("f", "f");
    let repository = repository(&folder);
    let kept = |mib: u32| format!("larger than {mib} MiB, the limit for input that must fit into memory\n");
    let mut cases = vec![
        (vec!["sum", "-c", "/dev/zero"], 256),
        (vec!["sum", "-c", "-a", "blake3", "--status", "/dev/zero"], 256),
        (vec!["hmac", "-a", "sha256", "--key-file", "/dev/zero", "f"], 64),
        (vec!["random", "--seed-file", "/dev/zero", "-n", "8"], 64),
        (vec!["speed", "--from", "/dev/zero"], 64),
        (vec!["speed", "--diff", "/dev/zero", "f"], 64),
    ];
    if repository {
        cases.push((vec!["git", "--speed", "/dev/zero", "repository"], 64));
    }
    for (args, mib) in cases {
        let start = Instant::now();
        let output = folder.hashwell(&args);
        assert_ran(&output, 1, "", &format!("hashwell: /dev/zero: {}", kept(mib)));
        assert!(start.elapsed() < Duration::from_secs(60), "{args:?}");
    }
    // A reference of a nested repository is read as well, and must be a file.
    folder.write("tree/r/.git/objects/x", "");
    folder.write("tree/r/.git/refs/x", "");
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("tree/r/.git/HEAD")).unwrap();
    assert_eq!(folder.hashwell(["sum", "--git-tree", "tree"]).status.code(), Some(0));
}

/// Runs the command with its standard streams redirected by the shell.
fn redirected(folder: &Folder, redirections: &str, args: &[&str]) -> Output {
    let script = format!("exec \"$0\" \"$@\" {redirections}");
    let mut command = folder.command("sh");
    command.arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_hashwell")).args(args);
    command.output().unwrap()
}

/// If the output cannot be written, every command reports a failure.
#[test]
fn output_that_cannot_be_written_is_a_failure() {
    let folder = Folder::new();
    folder.write("f", "f");
    folder.write("SHA256SUMS", folder.hashwell(["sum", "f"]).stdout);
    let mut commands = vec![
        vec!["sum", "f"],
        vec!["sum", "-j2", "f", "f", "f"],
        vec!["sum", "--git-blob", "f"],
        vec!["sum", "--raw", "f"],
        vec!["sum", "-c", "SHA256SUMS"],
        vec!["xof", "-a", "shake128", "-n", "16", "f"],
        vec!["xof", "-a", "blake3", "--raw", "-n", "100000", "f"],
        vec!["random", "-n", "16"],
        vec!["random", "--format", "raw", "-n", "100000"],
        vec!["random", "--format", "u64", "--count", "3"],
        vec!["hmac", "-a", "sha256", "--key-hex", "00", "f"],
        vec!["hmac", "-a", "sha256", "--key-hex", "00", "--verify", "00", "f"],
        vec!["algorithms"],
        vec!["algorithms", "--json"],
        vec!["completions", "bash"],
        vec!["man"],
        vec!["--help"],
        vec!["sum", "--help"],
        vec!["--version"],
        vec!["timing-test", "-a", "sha256", "--target", "hmac-tag", "--samples", "1000"],
        vec!["speed", "--quick", "-a", "sha256", "--library", "hashwell", "--tables", "c", "--no-threaded"],
    ];
    if repository(&folder) {
        commands.push(vec!["git", "-a", "sha256", "--repeat", "1", "repository"]);
    }
    let closed = "hashwell: write error: Bad file descriptor\n";
    let full = "hashwell: write error: No space left on device\n";
    for args in commands {
        // In the last case, the stream is open, but not for writing.
        let slow = matches!(args[0], "timing-test" | "speed" | "git");
        let ways = [(">&-", closed), ("<&- >&-", closed), (">/dev/full", full), ("1</dev/null", closed)];
        for (redirections, message) in ways.into_iter().take(if slow { 1 } else { 4 }) {
            let output = redirected(&folder, redirections, &args);
            let err = stderr(&output);
            assert_eq!(output.status.code(), Some(1), "{args:?} {redirections}: {err}");
            assert!(err.ends_with(message), "{args:?} {redirections}: {err}");
        }
        // If messages cannot be printed either, the exit code shows the failure.
        assert_eq!(redirected(&folder, ">&- 2>&-", &args).status.code(), Some(1), "{args:?}");
    }
}

/// The /dev/null that Python passes is open in both directions, like the one that Rust's runtime opens.
#[test]
fn output_to_nowhere_is_no_failure() {
    let folder = Folder::new();
    folder.write("f", "f");
    let null = || OpenOptions::new().read(true).write(true).open("/dev/null").unwrap();
    for args in [&["sum", "f"][..], &["random", "-n", "9"], &["--help"]] {
        let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        let output = command.args(args).stdin(null()).stdout(null()).output().unwrap();
        assert_ran(&output, 0, "", "");
        // Standard error may be closed as long as nothing is printed to it.
        assert_eq!(redirected(&folder, ">/dev/null 2>&-", args).status.code(), Some(0));
    }
    assert_eq!(redirected(&folder, "2>&-", &["sum", "missing"]).status.code(), Some(1));
}

#[test]
fn a_closed_standard_input_is_no_empty_one() {
    let folder = Folder::new();
    folder.write("f", "f");
    folder.write("list", folder.hashwell(["sum", "f"]).stdout);
    let bad = "hashwell: -: Bad file descriptor\n";
    for args in [
        &["sum"][..],
        &["sum", "-"],
        &["sum", "--git-blob", "-"],
        &["sum", "-c", "-"],
        &["hmac", "-a", "sha256", "--key-hex", "00"],
        &["xof", "-a", "shake128", "-n", "16"],
    ] {
        // A closed stream, and one that is only open for writing.
        for redirection in ["<&-", "0>/dev/null"] {
            assert_ran(&redirected(&folder, redirection, args), 1, "", bad);
        }
    }
    // A command that does not read standard input is not affected.
    assert_ran(&redirected(&folder, "<&-", &["sum", "-c", "list"]), 0, "f: OK\n", "");
    assert!(stdout(&redirected(&folder, "<&- 2>&-", &["sum", "f"])).ends_with("  f\n"));
}

/// If the reader closes the pipe, the exit code is that of a program that SIGPIPE ended, and there is no message.
#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = Folder::new();
    folder.write("f", "f");
    for args in [&["sum", "f"][..], &["random", "--unlimited"], &["algorithms"], &["--help"]] {
        let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = run(command.args(args).stdout(writer).stderr(Stdio::piped()));
        let code = output.status.code().or(output.status.signal().map(|signal| 128 + signal));
        assert_eq!((code, &stderr(&output)[..]), (Some(141), ""), "{args:?}");
    }
}

fn run(command: &mut Command) -> Output {
    let child = command.spawn().unwrap();
    // The command also has a copy of the pipe's write end.
    command.stdout(Stdio::null());
    child.wait_with_output().unwrap()
}

/// Names that only `OsStr` can represent are read from a list without limits.
#[test]
fn what_is_written_is_checked_by_the_command_itself() {
    let folder = Folder::new();
    let names = [
        &b" lead"[..],
        b"*star",
        b"new\nline",
        b"back\\slash",
        b"cr\rname",
        b"\xff\xfe",
        b"SHA256 (x) = ab",
        b";x",
    ];
    let names: Vec<_> =
        names.map(std::os::unix::ffi::OsStrExt::from_bytes).into_iter().collect::<Vec<&OsStr>>();
    names.iter().for_each(|name| folder.write(name, name.as_encoded_bytes()));
    for (algorithm, lengths) in
        [("blake2b", &["8", "16", "24", "48", "64", "96", "512"][..]), ("shake128", &["24", "2048"])]
    {
        for length in lengths {
            for layout in
                [&[][..], &["--base64"], &["--tag"], &["--tag", "--base64"], &["--zero"], &["--json"]]
            {
                let options = [&["sum", "-a", algorithm, "-l", length], layout, &["--"]].concat();
                let args: Vec<&OsStr> = options.into_iter().map(OsStr::new).collect();
                let list = folder.hashwell([&args[..], &names].concat());
                folder.write("list", list.stdout);
                let checked = folder.hashwell(["sum", "--strict", "-c", "-a", algorithm, "list"]);
                assert_eq!(checked.status.code(), Some(0), "{args:?}: {}", stderr(&checked));
                assert_eq!(stdout(&checked).matches(": OK\n").count(), names.len(), "{args:?}");
            }
        }
    }
}
