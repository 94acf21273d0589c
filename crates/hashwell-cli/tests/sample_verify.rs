//! `hashwell verify` of what `hashwell sample --transcript` wrote: the draw is made again from the files.

mod common;

use common::{Folder, assert_ran, done, stderr, stdout};
use serde_json::{Value, json};
use std::process::Output;

/// 400 rows in two files: id, a weight of 1 to 5, one of 4 groups.
fn folder() -> Folder {
    let folder = Folder::new();
    let rows: Vec<String> = (0..400).map(|i| format!("{i},{},g{}\n", i % 5 + 1, i * i % 4)).collect();
    for (name, rows) in ["a.csv", "b.csv"].iter().zip(rows.chunks(200)) {
        folder.write(name, format!("id,w,g\n{}", rows.concat()));
    }
    folder
}

fn verify(folder: &Folder, names: &str) -> Output {
    folder.hashwell(["verify"].into_iter().chain(names.split_whitespace()))
}

fn transcript(folder: &Folder) -> Value {
    serde_json::from_slice(&std::fs::read(folder.path().join("t.json")).unwrap()).unwrap()
}

#[test]
fn every_design_is_drawn_again() {
    let folder = folder();
    for design in [
        "-n 7",
        "-n 7 --order draw",
        "-n 7 --replace",
        "-n 7 --weight w --design successive",
        "-n 7 --weight w --design pps",
        "-n 7 --weight w --replace",
        "-n 3 --by g",
        "-n 9 --by g --proportional",
        "-n 7 --key id",
        "-n 2 --by w --by g",
        "-n 7 --key w --key g",
        "-p 0.05 --key id",
        "-p 0.3 --key w --key g",
        "-p 1/20",
        "--every 30",
        "--shuffle",
        "-n 7 --shard north",
    ] {
        let rows = done(&folder, &format!("{design} --seed 0877 --transcript t.json a.csv b.csv"));
        let record = transcript(&folder);
        let (picks, digest) = (rows.lines().count() - 1, record["rows_sha256"].as_str().unwrap());
        let agrees = format!("agrees: {picks} of 400 rows, SHA-256 {digest}\n");
        assert_ran(&verify(&folder, "t.json a.csv b.csv"), 0, &agrees, "");
        // Other rows, or fewer.
        let output = verify(&folder, "t.json b.csv a.csv");
        assert_eq!(output.status.code(), Some(1), "{design}");
        assert!(stdout(&output).starts_with("does not agree: "), "{design}");
        assert_eq!(verify(&folder, "t.json a.csv").status.code(), Some(1), "{design}");
    }
}

#[test]
fn changed_transcripts_do_not_agree() {
    let folder = folder();
    done(&folder, "-n 7 --seed 0877 --transcript t.json a.csv b.csv");
    let record = transcript(&folder);
    for (field, value) in [
        ("picks", json!([1, 2, 3, 4, 5, 6, 7])),
        ("n", json!(401)),
        ("rows_sha256", json!("00")),
        ("seed_hex", json!("30383738")),
        ("context", json!("hashwell sample/1 shard north")),
        ("order", json!("draw")),
        ("surplus", json!(1)),
    ] {
        let mut changed = record.clone();
        changed[field] = value;
        folder.write("t.json", changed.to_string());
        let output = verify(&folder, "t.json a.csv b.csv");
        assert_eq!(output.status.code(), Some(1), "{field}");
        assert!(stdout(&output).starts_with("does not agree: "), "{field}");
    }
}

/// A transcript is a stranger's: nothing in it becomes an option.
#[test]
fn a_transcript_writes_no_file() {
    let folder = folder();
    done(&folder, "-n 7 --seed 0877 --transcript t.json a.csv b.csv");
    let record = transcript(&folder);
    let whole = "hashwell: t.json: no whole transcript of hashwell sample\n";
    for format in ["complement=stolen", "output=stolen", "state-out=stolen", "selftest", "", "-"] {
        let mut changed = record.clone();
        changed["input"]["format"] = format.into();
        folder.write("t.json", changed.to_string());
        let output = verify(&folder, "t.json a.csv b.csv");
        assert_eq!((output.status.code(), &stderr(&output)[..]), (Some(1), whole), "{format}");
        assert!(!folder.path().join("stolen").exists(), "{format}");
    }
}
