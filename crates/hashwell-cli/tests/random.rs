//! `hashwell random`: consistent formats, seeds, errors, and the end of the output.

use crate::common;

use common::{Folder, assert_ran, stderr, stdout};
use data_encoding::{BASE64, HEXLOWER};
use std::io::Read;
use std::process::Stdio;

fn random(options: &str) -> std::process::Output {
    Folder::new().hashwell([&["random"], &options.split_whitespace().collect::<Vec<_>>()[..]].concat())
}

/// The first bytes of a source for the seed "seed", computed by the library.
fn expected(source: hashwell::Source, len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    source.seeded(b"seed", b"").unwrap().read(&mut bytes).unwrap();
    bytes
}

/// This length takes several pieces, so that errors at the joins between pieces would be noticed.
const LONG: usize = 100_001;

#[test]
fn every_source_prints_its_stream() {
    for source in hashwell::Source::all() {
        let name = source.name();
        let output = random(&format!("--source {name} --seed seed -n {LONG} --format raw"));
        assert!(output.status.success() && output.stdout == expected(source, LONG), "{name}");
    }
}

#[test]
fn formats_agree() {
    let bytes = expected(hashwell::Source::find("blake3").unwrap(), LONG);
    let print = |options: &str| stdout(&random(&format!("--source blake3 --seed seed {options}")));
    assert_eq!(print(&format!("-n {LONG}")), HEXLOWER.encode(&bytes) + "\n");
    assert_eq!(print(&format!("-n {LONG} --format base64")), BASE64.encode(&bytes) + "\n");
    assert_eq!(print("-n 0"), "\n");
    let words: Vec<u64> =
        bytes.chunks_exact(8).map(|word| u64::from_be_bytes(word.try_into().unwrap())).collect();
    let count = words.len();
    let numbers: Vec<u64> =
        print(&format!("--count {count} --format u64")).lines().map(|n| n.parse().unwrap()).collect();
    assert_eq!(numbers, words);
    let floats: Vec<f64> =
        print(&format!("--count {count} --format float")).lines().map(|n| n.parse().unwrap()).collect();
    assert!(floats.iter().zip(&words).all(|(float, word)| float * 2f64.powi(53) == (word >> 11) as f64));
    assert_eq!(floats.len(), count);
}

/// The values for a seed never change.
#[test]
fn pinned() {
    assert_ran(&random("--source counter --seed seed -n 8"), 0, "42fe394cb6d56841\n", "");
    assert_ran(&random("--seed seed --personalization use -n 8"), 0, "dfd46a3dbae7ebc1\n", "");
    assert_ran(
        &random("--source blake3 --seed seed --count 2 --format float"),
        0,
        "0.33784542956013386\n0.7330062486008891\n",
        "",
    );
}

#[test]
fn seeds_are_bytes() {
    let folder = Folder::new();
    folder.write("seed", b"\x00ab\n");
    let options = [&["--seed-file", "seed"][..], &["--seed-hex", "0061620a"], &["--seed-hex", "0061620A"]];
    let outputs = options.map(|seed| stdout(&folder.hashwell([&["random", "-n", "16"], seed].concat())));
    assert!(outputs[0] == outputs[1] && outputs[1] == outputs[2] && outputs[0].len() == 33);
    let with = |options: &str| stdout(&random(&format!("-n 16 --source kt128 {options}")));
    let all = [
        with("--seed a"),
        with("--seed 61 --personalization a"),
        with("--seed-hex 61 --personalization b"),
        with("--seed a --personalization b"),
        with("--seed ab"),
    ];
    assert_eq!(all[2], all[3]);
    let differ: std::collections::HashSet<&String> = all.iter().collect();
    assert_eq!(differ.len(), 4);
}

#[test]
fn without_a_seed_nothing_repeats() {
    for source in hashwell::Source::all() {
        let print = || random(&format!("-n 16 --source {}", source.name()));
        let (a, b) = (print(), print());
        assert!(a.status.success() && a.stdout.len() == 33 && a.stdout != b.stdout, "{source:?}");
    }
    let named = |output: &std::process::Output| stdout(output).trim().len();
    assert_eq!(named(&random("-n 70000 --personalization use")), 140_000);
}

#[test]
fn refusals() {
    for (options, message) in [
        (
            "-n 8 --source sha256",
            "hashwell: --source: sha256 does not support output streams; known generators: counter, ",
        ),
        (
            "-n 8 --source blake4",
            "hashwell: --source: unknown algorithm 'blake4' (did you mean 'blake3'?); known generators: ",
        ),
        ("-n 8 --seed-hex abc", "hashwell: --seed-hex must be an even number of hexadecimal digits\n"),
        ("-n 8 --seed-file missing", "hashwell: missing: No such file or directory\n"),
        ("-n 8 --count 1", "hashwell: the argument '--bytes <BYTES>' cannot be used with '--count <N>'"),
        ("-n 8 --seed a --seed-hex 61", "hashwell: the argument '--seed <TEXT>' cannot be used with"),
        ("-n 8 --unlimited", "hashwell: the argument '--bytes <BYTES>' cannot be used with '--unlimited'"),
        ("-n 8 --format u64", "hashwell: --bytes can't be used with --format u64 or float; use --count\n"),
        ("--count 8", "hashwell: --count requires --format u64 or float (for bytes, use -n)\n"),
        (
            "--count 2305843009213693952 --format u64",
            "hashwell: --count must be 0 to 2305843009213693951, not 2305843009213693952\n",
        ),
    ] {
        let output = random(options);
        let code = if message.contains("No such file") { 1 } else { 2 };
        assert_eq!((output.status.code(), stdout(&output)), (Some(code), String::new()), "{options}");
        assert!(stderr(&output).starts_with(message), "{options}: {}", stderr(&output));
    }
}

#[test]
fn help_warns_of_the_process_list() {
    let help = stdout(&random("--help"));
    assert_eq!(help.matches("process").count(), 2, "{help}");
    for source in hashwell::Source::all() {
        assert!(help.split_whitespace().any(|word| word.trim_matches([',', '.']) == source.name()));
    }
}

#[test]
fn an_endless_stream_ends_with_its_reader() {
    let folder = Folder::new();
    for options in [&["--format", "raw"][..], &["--source", "blake3", "--format", "float"]] {
        let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        command.args(["random", "--unlimited"]).args(options).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut pipe = child.stdout.take().unwrap();
        pipe.read_exact(&mut vec![0; 300_000]).unwrap();
        drop(pipe);
        assert_ran(&child.wait_with_output().unwrap(), 141, "", "");
    }
}

/// Without a number, there is an error instead of endless output: on a terminal, into a pipe and into a file.
#[test]
fn output_without_end_is_asked_for() {
    let folder = Folder::new();
    let message =
        "hashwell: missing option: -n BYTES, --count N (with --format u64 or float) or --unlimited\n";
    assert_ran(&folder.hashwell(["random"]), 2, "", message);
    assert_ran(&folder.hashwell(["random", "--format", "u64", "--seed", "s"]), 2, "", message);
    let file = std::fs::File::create(folder.path().join("file")).unwrap();
    let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    let output = command.arg("random").stdout(file).stderr(Stdio::piped()).output().unwrap();
    assert_ran(&output, 2, "", message);
    assert_eq!(std::fs::metadata(folder.path().join("file")).unwrap().len(), 0);
    let terminal = |options: &str| {
        let command = format!("timeout 5 '{}' random {options}", env!("CARGO_BIN_EXE_hashwell"));
        folder.tool("script", ["-qc", &command, "/dev/null"]).map(|output| stdout(&output).replace('\r', ""))
    };
    let Some(screen) = terminal("") else { return };
    assert_eq!(screen, message);
    // With the option, the output is endless, on a terminal as well.
    let screen = terminal("--unlimited --format u64 --seed s | head -n 3").unwrap();
    assert_eq!(screen.lines().count(), 3, "{screen}");
}

#[test]
fn a_full_disk_is_told() {
    let folder = Folder::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    let output = command.args(["random", "-n", "9"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_ran(&output, 1, "", "hashwell: write error: No space left on device\n");
}
