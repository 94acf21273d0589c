//! `hashwell sample` with misleading input: merges of merges, malicious states, identical names.

use crate::common;

use common::{Folder, assert_ran, done, interrupt, sample, stderr, stdout};
use hashwell_draw::Key;
use hashwell_draw::key::OPEN_LIST;
use hashwell_draw::state::{Kind, Writer};
use std::io::Write;
use std::process::Stdio;

#[track_caller]
fn refused(folder: &Folder, options: &str, code: i32, begin: &str) {
    let output = sample(folder, options);
    let said = stderr(&output);
    assert_eq!((output.status.code(), &stdout(&output)[..]), (Some(code), ""), "{options}: {said}");
    assert!(said.starts_with(begin) && said.lines().count() == 1, "{options}: {said}");
}

/// A saved sample with one line as its only row, and with a valid digest. `number` is the number of the row, and `seen`
/// the number of rows seen. The key of the stratum is that of the sample.
fn state(key: u8, number: u64, seen: u64) -> Vec<u8> {
    state_of(key, [key; 32], number, seen)
}

fn state_of(key: u8, part: [u8; 32], number: u64, seen: u64) -> Vec<u8> {
    let mut writer = Writer::new(Kind::Command);
    writer.bytes(&[key; 32]).u64(1).bytes(b"gap");
    writer.bytes(b"").bytes(b"").bytes(b"").u64(0).bytes(b"").u64(0).bytes(b"");
    writer.u64(1).bytes(b"").bytes(&part).bytes(b"").u64(seen).u64(seen).u64(1);
    writer.u64(number).bytes(b"row\n").f64(0.0);
    writer.finish()
}

/// A saved sample of all rows of one key.
fn state_of_keys(number: u64, seen: u64) -> Vec<u8> {
    let mut writer = Writer::new(Kind::Command);
    writer.bytes(&[1; 32]).u64(1).bytes(b"ticket");
    writer.bytes(b"").bytes(b"").bytes(b"").u64(0).bytes(b"\x010").u64(0).bytes(b"");
    writer.u64(seen).u64(1).bytes(b"row").u64(1).u64(number).bytes(b"row\n");
    writer.finish()
}

/// Four parts of one row each are merged in pairs, and the results are merged again, with the same seed for all merges.
/// Each row is picked for a quarter of the seeds. If all merges of a seed had the same key, the last one would be
/// impossible, because its two parts would have the same key.
#[test]
fn merges_of_merges_with_one_seed_are_uniform() {
    const SEEDS: usize = 60;
    let folder = Folder::new();
    for part in 0..4 {
        folder.write(format!("{part}"), format!("{part}\n"));
    }
    let mut counts = [0_u32; 4];
    for seed in 0..SEEDS {
        for part in 0..4 {
            done(&folder, &format!("-n 1 --seed {seed} --shard {part} --state-out {part}.s {part}"));
        }
        done(&folder, &format!("--merge --seed {seed} --state-out 01.s 0.s 1.s"));
        done(&folder, &format!("--merge --seed {seed} --state-out 23.s 2.s 3.s"));
        let row = done(&folder, &format!("--merge --seed {seed} 01.s 23.s"));
        counts[row.trim().parse::<usize>().unwrap()] += 1;
    }
    let fair = SEEDS as f64 / 4.0;
    let chi_square: f64 = counts.iter().map(|count| (f64::from(*count) - fair).powi(2) / fair).sum();
    assert!(chi_square < 30.7, "{counts:?}: p below 1e-6");
}

/// The key of a merge is as specified in `docs/spec/sampling.md`.
#[test]
fn the_key_of_a_merge_is_as_specified() {
    let folder = Folder::new();
    folder.write("a", state(1, 1, 1));
    folder.write("b", state(2, 1, 1));
    for (states, keys) in [("a b", [[1; 32], [2; 32]]), ("b a", [[2; 32], [1; 32]])] {
        done(&folder, &format!("--merge --seed s --state-out m {states}"));
        let digest = data_encoding::HEXLOWER.encode(&hashwell::Sha256::digest(keys.as_flattened()));
        let context = format!("hashwell sample/1 merge {digest}");
        let saved = std::fs::read(folder.path().join("m")).unwrap();
        assert_eq!(saved[24..56], Key::derive(b"s", context.as_bytes(), &OPEN_LIST).0);
    }
}

#[test]
fn an_empty_part_does_not_lose_the_header() {
    let folder = Folder::new();
    folder.write("empty.csv", "");
    folder.write("a.csv", "id,w\n1,2\n");
    folder.write("b.csv", "w,id\n2,1\n");
    folder.write("c.csv", "3,4\n");
    for (i, file) in ["empty.csv", "a.csv", "b.csv", "--no-header c.csv"].iter().enumerate() {
        done(&folder, &format!("-n 1 --replace --seed {i} --state-out {i}.s {file}"));
    }
    assert!(done(&folder, "--merge --seed s 0.s 1.s").starts_with("id,w\n"));
    refused(
        &folder,
        "--merge --seed s 0.s 1.s 2.s",
        1,
        "hashwell: 2.s: it has a different format or header than 1.s",
    );
    refused(
        &folder,
        "--merge --seed s 3.s 1.s",
        1,
        "hashwell: 3.s: it has a different format or header than 1.s",
    );
}

#[test]
fn two_outputs_have_two_files() {
    let folder = Folder::new();
    folder.write("in", "1\n2\n");
    let run = |options: &str| format!("-n 1 --seed s in {options}");
    refused(
        &folder,
        &run("-o x --complement x"),
        2,
        "hashwell: --output and --complement are the same file: x",
    );
    refused(
        &folder,
        &run("-o x --transcript ./x"),
        2,
        "hashwell: --output and --transcript are the same file",
    );
    refused(&folder, &run("--transcript ./in"), 2, "hashwell: --transcript: in is also an input");
    refused(&folder, &run("--state-out in"), 2, "hashwell: --state-out: in is also an input");
    refused(&folder, &run("-o in"), 2, "hashwell: --output: in is also an input");
    refused(&folder, &run("--complement ./in"), 2, "hashwell: --complement: in is also an input");
    folder.write("sizes.csv", "a,1\n");
    let stratified = "--stratify 1 --seed s --sizes sizes.csv -o sizes.csv in.csv";
    refused(&folder, stratified, 2, "hashwell: --output: sizes.csv is also an input");
    done(&folder, "-n 1 --seed s --state-out state in");
    let state = std::fs::read(folder.path().join("state")).unwrap();
    refused(&folder, &run("--after state -o state"), 2, "hashwell: --output: state is also an input");
    refused(&folder, "--state-in state -o state in", 2, "hashwell: --output: state is also an input");
    refused(&folder, "--merge -o state state", 2, "hashwell: --output: state is also an input");
    assert_eq!(std::fs::read(folder.path().join("state")).unwrap(), state);
    done(&folder, "--merge --state-out state state");
    let draw = folder.hashwell("draw -n 1 --seed s --transcript in in".split(' '));
    assert_ran(&draw, 2, "", "hashwell: --transcript: in is also an input\n");
    assert_eq!(std::fs::read(folder.path().join("in")).unwrap(), b"1\n2\n");
    assert!(!folder.path().join("x").exists());
    done(&folder, &run("-o x --complement y --transcript z"));
    #[cfg(unix)]
    done(&folder, &run("-o /dev/null --complement /dev/null"));
}

#[test]
fn states_that_lie_are_refused() {
    let folder = Folder::new();
    let lies = [
        (state(1, 0, 1), "the number of a row"),
        (state(1, 2, 1), "the number of a row"),
        (state(1, 1, u64::MAX), "it counts more rows"),
        (state_of(1, [9; 32], 1, 1), "a stratum has the key of a different stratum"),
        (state_of_keys(0, 1), "the number of a row"),
        (state_of_keys(u64::MAX, 1), "the number of a row"),
        (state_of_keys(1, u64::MAX), "it counts more rows"),
    ];
    for (bytes, why) in lies {
        folder.write("lie", bytes);
        refused(&folder, "--merge lie", 1, &format!("hashwell: lie: not a saved sample: {why}"));
    }
    let most = u64::MAX >> 1;
    folder.write("a", state(1, most, most));
    folder.write("b", state(2, most, most));
    assert_ran(&sample(&folder, "--merge --order draw a"), 0, "row\n", "");
    refused(&folder, "--merge --seed s a b", 1, "hashwell: together, the samples have more than");
}

#[test]
fn a_state_is_not_merged_with_itself() {
    let folder = Folder::new();
    folder.write("k", state_of_keys(1, 1));
    assert_ran(&sample(&folder, "--merge k"), 0, "row\n", "");
    refused(&folder, "--merge k ./k", 2, "hashwell: --merge: ./k is named twice");
}

#[cfg(target_os = "linux")]
#[test]
fn a_state_without_end_is_refused() {
    let said = "hashwell: /dev/zero: not a saved sample: it does not begin with hwstate/";
    refused(&Folder::new(), "--merge /dev/zero", 1, said);
}

#[test]
fn a_weight_that_is_too_small_is_no_zero() {
    let folder = Folder::new();
    folder.write("w.csv", "w\n1\n1e-400\n");
    let said = "hashwell: w.csv:3: the weight (column w) is 1e-400, which is too small";
    refused(&folder, "-n 1 --weight w --design successive --seed s w.csv", 1, said);
    folder.write("w.csv", "w\n1\n0e9\n-0.0\n");
    assert_eq!(done(&folder, "-n 1 --weight w --design successive --seed s w.csv"), "w\n1\n");
}

#[test]
fn names_of_two_formats_need_an_option() {
    let folder = Folder::new();
    folder.write("a.csv", "1\n");
    folder.write("b.tsv", "2\n");
    let said = "hashwell: the names of a.csv and b.tsv suggest different formats";
    refused(&folder, "-p 1 --no-header --seed s a.csv b.tsv", 2, said);
    assert_eq!(done(&folder, "-p 1 --no-header --tsv --seed s a.csv b.tsv"), "1\n2\n");
}

/// A state contains no information about a shortage of rows, so options that need it are rejected instead of ignored.
#[test]
fn options_of_rows_are_not_of_states() {
    let folder = Folder::new();
    folder.write("in", "1\n");
    for options in ["-n 5 --exact --seed s --state-out x in", "-n 5 --stats --seed s --state-out x in"] {
        let output = sample(&folder, options);
        assert_eq!((output.status.code(), folder.path().join("x").exists()), (Some(2), false), "{options}");
    }
}

/// The copy of a pipe, which `--complement` needs to read the rows twice, has no name while it is made, and does not
/// exist after Ctrl-C has ended the run.
#[cfg(unix)]
#[test]
fn ctrl_c_leaves_no_copy_of_a_pipe() {
    let folder = Folder::new();
    folder.write("tmp/.keep", "");
    let files = || std::fs::read_dir(folder.path().join("tmp")).unwrap().count();
    let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    command.args(["sample", "-n", "1", "--complement", "rest"]).env("TMPDIR", folder.path().join("tmp"));
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    // This is more than fits into a pipe's buffer, so most of it has been copied when the write returns.
    pipe.write_all(&vec![b'\n'; 1 << 20]).unwrap();
    assert_eq!(files(), 1);
    interrupt(&child);
    // Ctrl-C is checked after each piece.
    assert!((0..1000).any(|_| pipe.write_all(&[b'\n'; 100_000]).is_err()), "it goes on");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &stdout(&output)[..]), (Some(130), ""), "{}", stderr(&output));
    assert_eq!(files(), 1);
    assert!(!folder.path().join("rest").exists());
}
