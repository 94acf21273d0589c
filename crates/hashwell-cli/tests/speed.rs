//! `hashwell speed` as users meet it: rows and sizes, wrong and broken peers, Ctrl-C. No test asserts performance.

use crate::common;

use common::{Folder, interrupt, stderr, stdout};
use hashwell_measure::engine::plan::{
    CALL_SIZES, KERNELS, LARGE, LATENCY, Plan, SCALING_BATCH, SCALING_EACH, SCALING_LARGE, STREAMS, Table,
};
use hashwell_measure::engine::{self, Audience};
use hashwell_measure::peers;
use hashwell_measure::report::{Group, Operation, Report, Row, State};
use hashwell_measure::timing::child::{Launcher, NEVER};
use std::io::Write;
use std::process::{Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// One process, one round, JSON.
const TINY: [&str; 6] = ["speed", "--json", "--processes", "1", "--rounds", "1"];

fn tiny(folder: &Folder, args: &[&str]) -> Output {
    folder.hashwell([&TINY, args].concat())
}

fn report(output: &Output) -> Report {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
    Report::from_json(&stdout(output)).unwrap()
}

fn sizes(row: &Row) -> Vec<u64> {
    row.cells.iter().map(|cell| cell.bytes).collect()
}

#[test]
fn a_report_has_the_rows_and_sizes_asked_for() {
    let folder = Folder::new();
    let args =
        ["-a", "SHA-256", "-a", "shake128", "--library", "HASHWELL", "--tables", "d,XOF", "--no-threaded"];
    let report = report(&tiny(&folder, &args));
    let rows: Vec<_> =
        report.rows.iter().map(|row| (&row.algorithm[..], row.operation, sizes(row))).collect();
    let expected = [
        ("sha256", Operation::Digest, LATENCY.to_vec()),
        ("shake128", Operation::Digest, LATENCY.to_vec()),
        ("shake128", Operation::Absorb, STREAMS.to_vec()),
        ("shake128", Operation::Read, STREAMS.to_vec()),
    ];
    assert_eq!(rows, expected);
    for cell in report.rows.iter().flat_map(|row| &row.cells) {
        assert_eq!(cell.samples.iter().map(Vec::len).collect::<Vec<_>>(), [1]);
        assert!(cell.samples[0][0] > 0.0 && cell.clock_ghz > 0.0 && cell.wall_over_cpu > 0.0);
    }
    assert!(report.rows.iter().all(|row| row.status.as_deref() == Some("sound")));
    assert!(report.run.complete && !report.run.quick);
    assert_eq!((report.run.processes, report.run.rounds), (1, 1));
    assert_eq!(report.run.command[1..], [&TINY[..], &args].concat());
    assert_eq!(report.availability, []);
    let facts = [&report.machine.cpu, &report.machine.os, &report.machine.compiler, &report.run.started];
    assert!(facts.iter().all(|fact| !fact.is_empty()), "{facts:?}");
}

#[test]
fn every_right_kernel_is_a_row_of_table_e() {
    let folder = Folder::new();
    let report = report(&tiny(&folder, &["--kernels", "sha256", "--quick"]));
    let sha256 = hashwell::find("sha256").unwrap();
    let available = |kernels: Vec<hashwell::KernelInfo>| {
        kernels.into_iter().filter(|kernel| kernel.available).map(|kernel| kernel.name.to_owned())
    };
    let expected: Vec<String> =
        available(sha256.kernels()).chain(available(sha256.batch_kernels())).collect();
    // Devices have a number, kernels don't. Devices are tested in tests/engines.rs.
    let mut kernels: Vec<String> = report.rows.iter().map(|row| row.kernel.clone().unwrap()).collect();
    kernels.retain(|kernel| !kernel.contains(':'));
    assert_eq!(kernels, expected);
    assert!(report.rows.iter().all(|row| row.group == Group::Kernels && KERNELS.starts_with(&sizes(row))));
    assert!(report.run.quick);
}

#[test]
fn rows_on_all_cores_are_apart() {
    let folder = Folder::new();
    let report =
        report(&tiny(&folder, &["-a", "blake3", "--library", "hashwell", "--tables", "c", "--threaded"]));
    let [row] = &report.rows[..] else { panic!("{} rows", report.rows.len()) };
    assert_eq!(
        (row.group, row.operation, &row.algorithm[..]),
        (Group::Threaded, Operation::Digest, "blake3")
    );
    // All providers are asked for all algorithms, no matter which ones are timed.
    let own = report.availability.iter().filter(|a| a.provider == "hashwell" && a.state == State::Right);
    assert_eq!(own.count(), hashwell::ALGORITHMS.len());
}

/// The numbers of threads and of messages in each row.
fn threads_and_messages(report: &Report) -> Vec<(usize, usize)> {
    report.rows.iter().map(|row| (row.threads, row.messages)).collect()
}

#[test]
fn scaling_has_a_row_for_each_number_of_threads() {
    let folder = Folder::new();
    let args = ["-a", "blake3", "-a", "sha256", "--library", "hashwell", "--threads", "3,2,3"];
    let mut report = report(&tiny(&folder, &[&args[..], &["--html", "page.html"]].concat()));
    assert!(report.rows.iter().all(|row| row.group == Group::Scaling && row.provider == "hashwell"));
    assert_eq!(report.run.complaints.iter().find(|line| line.contains("wrong")), None);
    let blake3 = report.rows.iter().filter(|row| row.algorithm == "blake3").cloned().collect();
    report.rows.retain(|row| row.algorithm == "sha256");
    // SHA-256 is not a tree hash, so one message uses one thread.
    let many: Vec<(usize, usize)> = [1, 2, 3].map(|threads| (threads, SCALING_BATCH)).into();
    assert_eq!(threads_and_messages(&report), many);
    assert!(report.rows.iter().all(|row| sizes(row) == [SCALING_EACH]));
    report.rows = blake3;
    let both: Vec<(usize, usize)> =
        [1, 2, 3].into_iter().flat_map(|threads| [(threads, 1), (threads, SCALING_BATCH)]).collect();
    assert_eq!(threads_and_messages(&report), both);
    assert!(report.rows.iter().filter(|row| row.messages == 1).all(|row| sizes(row) == [SCALING_LARGE]));
    // One chart for each kind of work.
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("Throughput by number of threads: one large message (16 MiB)"));
    assert!(page.contains("Throughput by number of threads: many messages (1024 × 8 KiB)"));
}

/// With `--tables`, the tables are measured as well.
#[test]
fn scaling_joins_other_tables() {
    let folder = Folder::new();
    let args = ["-a", "sha256", "--library", "hashwell", "--tables", "d", "--threads", "1", "--quick"];
    let groups: Vec<Group> = report(&tiny(&folder, &args)).rows.iter().map(|row| row.group).collect();
    assert_eq!(groups, [Group::Single, Group::Scaling]);
}

#[test]
fn single_calls_are_timed_one_by_one() {
    let folder = Folder::new();
    let args = ["-a", "sha256", "-a", "shake128", "--library", "hashwell", "--calls", "--html", "page.html"];
    let report = report(&tiny(&folder, &args));
    assert_eq!(report.rows, []);
    let calls = report.calls.unwrap();
    let rows: Vec<(&str, u64)> = calls.rows.iter().map(|row| (&row.algorithm[..], row.bytes)).collect();
    let expected: Vec<(&str, u64)> =
        ["sha256", "shake128"].iter().flat_map(|name| CALL_SIZES.map(|bytes| (*name, bytes))).collect();
    assert_eq!(rows, expected);
    for row in &calls.rows {
        assert_eq!(row.bins.iter().map(|bin| bin.calls).sum::<u64>(), row.calls);
        assert!(row.minimum <= row.p50 && row.p50 <= row.p99 && row.p99 <= row.maximum && row.calls >= 200);
        // Either there are counters, or there is a reason.
        assert_eq!(row.counters.is_none(), calls.missing.is_some());
    }
    // 16 KiB take longer than 64 bytes.
    assert!(calls.rows[2].p50 > 10.0 * calls.rows[0].p50, "{:?}", calls.rows);
    assert!(std::fs::read_to_string(folder.path().join("page.html")).unwrap().contains("Single calls"));
}

#[test]
fn large_messages_are_measured_if_asked_for() {
    let folder = Folder::new();
    let args = ["-a", "sha256", "--library", "hashwell", "--tables", "b", "--no-threaded", "--large"];
    let report = report(&tiny(&folder, &args));
    assert_eq!(sizes(&report.rows[0]).last(), Some(&LARGE));
}

/// Compiles this C source to a shared library.
fn library(folder: &Folder, name: &str, source: &str) -> Option<String> {
    folder.write(format!("{name}.c"), source);
    let (from, to) = (format!("{name}.c"), format!("{name}.so"));
    let output = folder.tool("gcc", ["-w", "-shared", "-fPIC", "-o", &to, &from])?;
    assert!(output.status.success(), "{}", stderr(&output));
    Some(folder.path().join(to).to_str().unwrap().to_owned())
}

/// Runs the command with every library replaced by this file.
fn with_all_peers(folder: &Folder, file: &str, args: &[&str]) -> Output {
    let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    command.args([&TINY, args].concat()).envs(peers::variables().map(|variable| (variable, file)));
    command.output().unwrap()
}

#[test]
fn a_wrong_peer_is_reported_and_not_timed() {
    let folder = Folder::new();
    let Some(wrong) = library(&folder, "wrong", include_str!("wrong_peers.c")) else { return };
    let algorithms = ["-a", "sha256", "-a", "shake128", "-a", "blake2b-512", "-a", "xxh3-64"];
    let output = with_all_peers(
        &folder,
        &wrong,
        &[&algorithms[..], &["--tables", "d,c,xof", "--no-threaded"]].concat(),
    );
    let report = report(&output);
    let timed: Vec<&str> = report.rows.iter().map(|row| &row.provider[..]).filter(|p| *p != "Rust").collect();
    assert!(timed.len() >= 5 && timed.iter().all(|provider| *provider == "hashwell"), "{timed:?}");
    let libraries = [
        "OpenSSL",
        "libb2",
        "libgcrypt",
        "nettle",
        "libsodium",
        "NSS",
        "GnuTLS",
        "mbedTLS",
        "wolfSSL",
        "Botan",
        "CommonCrypto",
    ];
    // C++ libraries aren't called.
    let cryptopp: Vec<_> = report.availability.iter().filter(|a| a.provider == "Crypto++").collect();
    assert!(matches!(cryptopp[..], [only] if only.algorithm == "sha256" && only.state == State::Uncalled));
    for provider in libraries {
        let states: Vec<State> =
            report.availability.iter().filter(|a| a.provider == provider).map(|a| a.state).collect();
        assert!(
            !states.is_empty() && states.iter().all(|state| *state == State::Wrong),
            "{provider}: {states:?}"
        );
    }
    for provider in libraries.iter().chain(&["xxHash"]) {
        let told = |line: &&String| line.contains(provider) && line.ends_with("it was not timed");
        assert!(
            report.run.complaints.iter().any(|line| told(&line)),
            "{provider}: {:?}",
            report.run.complaints
        );
        let about = report.providers.iter().find(|about| about.name == *provider).unwrap();
        assert_eq!((about.path.as_ref(), about.missing.as_ref()), (Some(&wrong), None));
    }
    assert!(
        stderr(&output).contains("OpenSSL EVP returns a wrong SHA-256 digest for 0 bytes; it was not timed")
    );
    assert!(stderr(&output).contains("the SHAKE128 output stream of libgcrypt is wrong"));
}

/// `speed --programs` finds the programs in a given folder and nowhere else.
#[cfg(unix)]
#[test]
fn programs_are_run_and_compared() {
    use hashwell_measure::report::ProgramKind;
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new();
    let programs = folder.path().join("programs");
    std::fs::create_dir(&programs).unwrap();
    let run = || {
        let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        let output =
            command.args([&TINY[..], &["--programs"]].concat()).env("PATH", &programs).output().unwrap();
        report(&output)
    };
    // If none of the programs exists, the list is empty.
    let none = run();
    assert_eq!((none.programs, none.rows), (vec![], vec![]));
    assert!(none.availability.iter().any(|a| a.provider == "hashwell"));
    let install = |name: &str, script: &str| {
        let path = programs.join(name);
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    // This command computes correct digests. Its upper case and the text around the digest are accepted.
    let hashwell = env!("CARGO_BIN_EXE_hashwell");
    install(
        "sha256sum",
        &format!(
            "#!/bin/sh\nprintf 'SHA256 of '; {hashwell} sum -a sha256 --no-names - | /usr/bin/tr a-f A-F\n"
        ),
    );
    install("b3sum", "#!/bin/sh\necho 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\n");
    install("openssl", "#!/bin/sh\nexit 1\n");
    // A language that supports one algorithm, with a correct result.
    install("python3", &format!("#!/bin/sh\nprintf 'sha256:32 '; {hashwell} sum -a sha256 --no-names -\n"));
    let found = run().programs;
    let found: Vec<_> = found.iter().map(|p| (&p.algorithm[..], p.kind, &p.program[..], p.state)).collect();
    let expected = [
        ("sha256", ProgramKind::Command, "sha256sum", State::Right),
        ("blake3", ProgramKind::Command, "b3sum", State::Wrong),
        ("sha256", ProgramKind::Language, "Python", State::Right),
    ];
    assert_eq!(found, expected);
}

#[test]
fn libraries_that_lack_something_are_missing_or_have_less() {
    let folder = Folder::new();
    let args = ["-a", "sha256", "--tables", "d,c", "--no-threaded"];
    let Some(empty) = library(&folder, "empty", "int nothing;") else { return };
    folder.write("text", "no library");
    let text = folder.path().join("text").to_str().unwrap().to_owned();
    for (file, why) in
        [(&empty, "lacks "), (&text, "cannot be loaded"), (&"/no/such".into(), "cannot be loaded")]
    {
        let report = report(&with_all_peers(&folder, file, &args));
        for about in report.providers.iter().filter(|about| about.name != "hashwell" && about.name != "Rust")
        {
            let missing = about.missing.as_ref().unwrap();
            assert!(missing.contains(why) || missing.contains("HASHWELL_PEERS"), "{}: {missing}", about.name);
        }
        assert!(report.rows.iter().any(|row| row.provider == "hashwell"));
    }
    // The library can be loaded, but has no functions.
    let bare = "
        void *EVP_MD_fetch(void) { return 0; }
        const char *gcry_check_version(void) { return \"1\"; }
        void **nettle_get_hashes(void) { static void *none; return &none; }
        int sodium_init(void) { return 0; }
        int NSS_NoDB_Init(void) { return 0; }";
    let bare = library(&folder, "bare", bare).unwrap();
    let report = report(&with_all_peers(&folder, &bare, &args));
    let found: Vec<&str> =
        report.availability.iter().map(|a| &a.provider[..]).filter(|p| *p != "Rust").collect();
    assert!(!found.is_empty() && found.iter().all(|provider| *provider == "hashwell"), "{found:?}");
    assert_eq!(report.run.complaints.iter().find(|line| line.contains("wrong")), None);
}

#[test]
fn mistakes_are_usage_errors() {
    let folder = Folder::new();
    let many: Vec<String> = (1..=17).map(|count: usize| count.to_string()).collect();
    let many = many.join(",");
    let cases: [(&[&str], &str); 15] = [
        (&["--large", "--tables", "d"], "--large requires table a or b"),
        (&["--from", "x", "--calls"], "cannot be used with"),
        (&["--threads", "0"], "the number of threads must be at least 1, not 0"),
        (&["--threads", "1,257"], "the number of threads must be at most 256, not 257"),
        (&["--threads", &many], "at most 16 thread counts are allowed, not 17"),
        (&["--threads", "all"], "invalid value 'all'"),
        (&["--from", "x", "--threads", "2"], "cannot be used with"),
        (&["-a", "sha257"], "unknown algorithm 'sha257'"),
        (&["--library", "nobody"], "unknown library 'nobody' (known libraries: hashwell, OpenSSL"),
        (&["--processes", "0"], "the number of processes must be at least 1, not 0"),
        (&["--rounds", "1001"], "the number of rounds must be at most 1000, not 1001"),
        (&["--tables", "e"], "table e requires --kernels ALG"),
        (&["--json", "--csv"], "cannot be used with"),
        (&["--from", "x", "--quick"], "cannot be used with"),
        (&["--diff", "x"], "2 values required"),
    ];
    for (args, message) in cases {
        let output = folder.hashwell([&["speed"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(message), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn reports_are_shown_compared_and_refused() {
    let folder = Folder::new();
    let args =
        ["-a", "sha256", "--library", "hashwell", "--tables", "a", "--no-threaded", "--html", "page.html"];
    let output = tiny(&folder, &args);
    folder.write("report.json", &output.stdout);
    assert_eq!(output.status.code(), Some(0));
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    let show = |args: &[&str]| folder.hashwell([&["speed", "--from", "report.json"], args].concat());
    assert_eq!(stdout(&show(&["--json"])), stdout(&output));
    for (format, start) in
        [("--csv", ""), ("--markdown", "|"), ("--asciidoc", "|==="), ("--compare-published", "2018")]
    {
        let shown = show(&[format]);
        assert_eq!(shown.status.code(), Some(0));
        assert!(stdout(&shown).contains("SHA-256") && stdout(&shown).contains(start), "{format}");
    }
    let diff = folder.hashwell(["speed", "--diff", "report.json", "report.json"]);
    assert_eq!(diff.status.code(), Some(0), "{}", stderr(&diff));
    folder.write("other.json", "{}");
    for (args, message) in [
        (&["--from", "none.json"][..], "none.json: No such file"),
        (&["--from", "other.json"], "other.json: not a report written by hashwell speed --json"),
        (&["--diff", "report.json", "other.json"], "other.json: not a report"),
        (&["--from", "report.json", "--html", "no/page.html"], "no/page.html: No such file"),
    ] {
        let output = folder.hashwell([&["speed"], args].concat());
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(stderr(&output).contains(message), "{args:?}: {}", stderr(&output));
    }
    let mut names: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|f| f.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["other.json", "page.html", "report.json"]);
}

/// A sample of 1e-320 ns caused a panic. Impossible measurements are reported in one plain line.
#[test]
fn a_report_that_nobody_can_have_measured_is_refused_in_one_line() {
    let folder = Folder::new();
    let report = tiny(&folder, &["-a", "sha256", "--library", "hashwell", "--tables", "d", "--no-threaded"]);
    let text = stdout(&report);
    let at = text.find("\"samples\": [[").unwrap() + 13;
    let end = at + text[at..].find(']').unwrap();
    folder.write("good.json", &text);
    for (sample, says) in [
        ("1e-320", "a sample must be 0.001 to 1e15 ns, not 1e-320"),
        ("1e999", "invalid JSON at line "),
        ("NaN", "invalid JSON at line "),
    ] {
        folder.write("odd.json", format!("{}{sample}{}", &text[..at], &text[end..]));
        for args in [&["--from", "odd.json"][..], &["--diff", "good.json", "odd.json"]] {
            let output = folder.hashwell([&["speed"], args].concat());
            assert_eq!(output.status.code(), Some(1), "{sample}");
            let said = stderr(&output);
            assert!(said.starts_with("hashwell: odd.json: ") && said.contains(says), "{said}");
            assert_eq!((said.lines().count(), stdout(&output)), (1, String::new()), "{said}");
        }
    }
}

fn small_plan() -> Plan {
    Plan {
        algorithms: vec!["sha256".into()],
        providers: vec!["hashwell".into()],
        tables: vec![Table::Throughput],
        threaded: false,
        processes: 2,
        rounds: Some(2),
        ..Plan::default()
    }
}

#[test]
fn what_was_measured_before_a_stop_is_kept() {
    let launcher = Launcher { program: env!("CARGO_BIN_EXE_hashwell").into(), ..Launcher::this() };
    let stop = AtomicBool::new(false);
    // The run is stopped during the second of five sizes, after one of the two processes.
    let mut steps = 0;
    let mut progress = |_| {
        steps += 1;
        stop.store(steps == 3, Ordering::Relaxed);
    };
    let report = engine::run(
        &small_plan(),
        &launcher,
        &mut Audience { stop: &stop, progress: &mut progress, contest: &mut |_| () },
    )
    .unwrap();
    assert!(!report.run.complete);
    assert_eq!(report.rows.iter().map(sizes).collect::<Vec<_>>(), [[1024]]);
    assert_eq!(report.rows[0].cells[0].samples.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);

    let all = engine::run(
        &small_plan(),
        &launcher,
        &mut Audience { stop: &NEVER, progress: &mut |_| (), contest: &mut |_| () },
    )
    .unwrap();
    assert!(all.run.complete);
    assert_eq!(sizes(&all.rows[0]), [256, 1024, 8192, 16384, 65536]);
}

#[test]
fn a_program_that_does_not_answer_is_an_error() {
    let run = |program: &str| {
        let launcher = Launcher { program: program.into(), ..Launcher::this() };
        engine::run(
            &small_plan(),
            &launcher,
            &mut Audience { stop: &NEVER, progress: &mut |_| (), contest: &mut |_| () },
        )
        .unwrap_err()
    };
    assert_eq!(run("false"), "a benchmark process exited unexpectedly: exit status: 1");
    assert!(run("echo").starts_with("a benchmark process sent an invalid answer"));
    assert!(run("/no/such/program").contains("No such file"));
}

/// A measuring process behaves like any command whose output pipe was closed.
#[test]
fn a_measuring_process_whose_parent_has_ended_says_nothing() {
    let folder = Folder::new();
    let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    command.arg(engine::ARGUMENT).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().unwrap();
    drop(process.stdout.take());
    let start = serde_json::json!({
        "plan": small_plan(), "all_cores": false, "process": 0, "single_calls": false,
    });
    writeln!(process.stdin.take().unwrap(), "{start}").unwrap();
    let output = process.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &stderr(&output)[..]), (Some(141), ""));
}

/// The processes that a process has started.
fn children(pid: u32) -> Vec<u32> {
    let list = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    list.split_whitespace().map(|pid| pid.parse().unwrap()).collect()
}

fn is_running(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with('Z'))
}

#[test]
fn ctrl_c_prints_what_there_is_and_leaves_nobody_behind() {
    let folder = Folder::new();
    let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    let args = ["-a", "sha256", "--library", "hashwell", "--processes", "3", "--rounds", "1000", "--json"];
    let process =
        command.arg("speed").args(args).args(["--html", "page.html"]).stdout(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while children(process.id()).len() < 3 {
        assert!(Instant::now() < deadline, "no measuring processes");
        std::thread::sleep(Duration::from_millis(20));
    }
    let measuring = children(process.id());
    std::thread::sleep(Duration::from_millis(500));
    let pressed = Instant::now();
    interrupt(&process);
    let output = process.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(pressed.elapsed() < Duration::from_secs(20));
    assert!(!Report::from_json(&stdout(&output)).unwrap().run.complete);
    assert!(folder.path().join("page.html").exists());
    assert_eq!(measuring.iter().filter(|pid| is_running(**pid)).count(), 0);
}
