//! `hashwell sample` with every form of input: the rows are byte for byte the same, however they are read.

use crate::common;

use common::{Folder, assert_ran, stderr, stdout};
use std::io::Write;
use std::process::{Output, Stdio};

fn sample(folder: &Folder, options: &str, input: Option<&[u8]>) -> Output {
    let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    command.arg("sample").args(options.split_whitespace());
    let Some(input) = input else { return command.output().unwrap() };
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A command that reads no input closes its pipe.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// Rows with quoted commas, quotes and newlines, CRLF, empty fields, and no newline at the end.
const CSV: &str = "id,text\r\n1,\"a, b\"\r\n2,\"two\nlines\"\r\n3,\"say \"\"hi\"\"\"\n4,\r\n5,\"\"\r\n6,last";

/// Missing keys of JSON Lines are null, as in most programs. A key that no row has is probably misspelled.
#[test]
fn keys_that_objects_lack_are_null() {
    let folder = Folder::new();
    folder.write("sparse.jsonl", "{\"g\":\"x\",\"w\":2}\n{\"w\":1}\n{\"g\":null}\n{\"g\":\"x\"}\n");
    folder.write(
        "full.jsonl",
        "{\"g\":\"x\",\"w\":2}\n{\"g\":null,\"w\":1}\n{\"g\":null,\"w\":null}\n{\"g\":\"x\",\"w\":null}\n",
    );
    for options in
        ["-n 1 --stratify g", "-p 0.5 --group-by g", "-n 2 --weight w --design pps --default-weight 1"]
    {
        for seed in 0..4 {
            let picks = |file: &str| {
                let options = format!("{options} --seed {seed} --transcript t.json {file}");
                assert_eq!(sample(&folder, &options, None).status.code(), Some(0), "{options}");
                let record = std::fs::read(folder.path().join("t.json")).unwrap();
                serde_json::from_slice::<serde_json::Value>(&record).unwrap()["picks"].clone()
            };
            assert_eq!(picks("sparse.jsonl"), picks("full.jsonl"), "{options} {seed}");
        }
        let misspelled = options.replace(" g", " gg").replace(" w ", " ww ");
        let output = sample(&folder, &format!("{misspelled} --seed s -o out sparse.jsonl"), None);
        let told = stderr(&output);
        assert!(
            output.status.code() == Some(1) && told.contains("cannot be used: no row has this key"),
            "{told}"
        );
        assert!(!folder.path().join("out").exists());
    }
    let output = sample(&folder, "-n 1 --weight w --design pps --seed s sparse.jsonl", None);
    assert!(stderr(&output).contains("sparse.jsonl:3: the object has no key \"w\""), "{}", stderr(&output));
}

#[test]
fn rows_are_copied_byte_for_byte() {
    let folder = Folder::new();
    folder.write("a.csv", CSV);
    for options in ["-n 6", "-n 9", "-p 1", "--every 1"] {
        let output = sample(&folder, &format!("{options} --seed s a.csv"), None);
        assert_eq!((output.status.code(), &stdout(&output)[..]), (Some(0), CSV), "{options}");
    }
    // If another row follows a row without a terminator, the row gets a terminator of the same kind as the other rows.
    let drawn = stdout(&sample(&folder, "-n 6 --seed s --order draw a.csv", None));
    assert_eq!(drawn.matches("two\nlines").count(), 1);
    let mut lengths: Vec<usize> = drawn.split_inclusive('\n').map(str::len).collect();
    lengths.sort_unstable();
    assert!(drawn.contains("6,last") && lengths.len() >= 7, "{drawn:?}");
    folder.write("b.csv", "id,text\r\n7,x\r\n");
    let both = stdout(&sample(&folder, "-n 9 --seed s a.csv b.csv", None));
    assert_eq!(both, format!("{CSV}\r\n7,x\r\n"));
}

/// A byte order mark stays at the beginning of the file, even if a column is inserted before the others.
#[test]
fn a_mark_stays_first() {
    let folder = Folder::new();
    folder.write("a.csv", "\u{feff}id,text\n1,a\n");
    let output = stdout(&sample(&folder, "-n 1 --group-by id --print-ticket --seed s a.csv", None));
    assert!(output.starts_with("\u{feff}ticket,id,text\n") && output.ends_with(",1,a\n"), "{output:?}");
}

#[test]
fn header_rules() {
    let folder = Folder::new();
    folder.write("a.csv", "id,text\n1,a\n2,b\n");
    folder.write("b.csv", "id,other\n3,c\n");
    folder.write("lines", "head\n1\n2\n");
    let refused = sample(&folder, "-n 9 --seed s -o out a.csv b.csv", None);
    assert_ran(&refused, 1, "", "hashwell: b.csv: the header row differs from the header of a.csv\n");
    assert!(!folder.path().join("out").exists());
    let said = "hashwell: only 5 rows: all of them were picked\n";
    let all = "id,text\n1,a\n2,b\nid,other\n3,c\n";
    assert_ran(&sample(&folder, "-n 9 --seed s --no-header a.csv b.csv", None), 0, all, said);
    assert!(stdout(&sample(&folder, "-n 1 -H --seed s lines", None)).starts_with("head\n"));
    assert_eq!(stdout(&sample(&folder, "-n 1 -H --seed s lines lines", None)).lines().count(), 2);
    // A column may be given by its number.
    let by_number = "-n 1 --weight 1 --design pps --seed s";
    assert_eq!(sample(&folder, &format!("{by_number} a.csv"), None).status.code(), Some(0));
    let missing = sample(&folder, "-n 1 --weight w --design pps --seed s a.csv", None);
    assert_eq!(missing.status.code(), Some(1));
    assert!(
        stderr(&missing).starts_with("hashwell: --weight: column \"w\" cannot be used"),
        "{}",
        stderr(&missing)
    );
}

#[test]
fn formats_by_flag_or_name() {
    let folder = Folder::new();
    let records: Vec<u8> = (0..50).flat_map(|i| format!("a\n{i}\0").into_bytes()).collect();
    let output = sample(&folder, "-z -n 3 --seed s", Some(&records));
    assert_eq!(
        (output.stdout.iter().filter(|byte| **byte == 0).count(), stderr(&output)),
        (3, String::new())
    );
    let json: String = (0..50).map(|i| format!("{{\"w\": {}, \"id\": \"x{i}\"}}\n", i % 2)).collect();
    folder.write("rows.jsonl", &json);
    for input in [None, Some(json.as_bytes())] {
        let name = if input.is_some() { "--jsonl" } else { "rows.jsonl" };
        let options = format!("-n 25 --weight w --design successive --seed s {name}");
        let output = sample(&folder, &options, input);
        assert_eq!(
            (output.status.code(), stdout(&output).matches("\"w\": 1").count()),
            (Some(0), 25),
            "{options}"
        );
    }
    let keyed = sample(&folder, "-n 2 --group-by 0 --seed s", Some(b"a\nb\nc\na\nb\nc\r\n"));
    assert_eq!((keyed.status.code(), stdout(&keyed).lines().count()), (Some(0), 4));
}

/// The same rows are picked from a file, a pipe, and a compressed file, in one piece or several.
#[test]
fn rows_do_not_depend_on_how_they_are_read() {
    let folder = Folder::new();
    let rows: Vec<String> = (0..20_000).map(|i| format!("{i},{},{}\n", i % 7, "x".repeat(i % 90))).collect();
    let whole = format!("id,w,text\n{}", rows.concat());
    folder.write("whole.csv", &whole);
    for (part, rows) in rows.chunks(7_000).enumerate() {
        folder.write(format!("part{part}.csv"), format!("id,w,text\n{}", rows.concat()));
    }
    for designs in [
        "-n 50",
        "-p 0.01",
        "--every 300",
        "-n 50 --replace",
        "-n 50 --weight w --design successive",
        "-n 50 --weight w --design pps",
        "-n 5 --stratify w",
        "-n 20 --group-by id",
    ] {
        let expected = stdout(&sample(&folder, &format!("{designs} --seed s whole.csv"), None));
        assert!(expected.lines().count() > 20, "{designs}");
        let same = |options: &str, input: Option<&[u8]>| {
            let output = sample(&folder, &format!("{designs} --seed s {options}"), input);
            assert_eq!(
                (stderr(&output), stdout(&output)),
                (String::new(), expected.clone()),
                "{designs} {options}"
            );
        };
        same("--csv", Some(whole.as_bytes()));
        same("--csv -", Some(whole.as_bytes()));
        same("part0.csv part1.csv part2.csv", None);
        if let Some(packed) = folder.tool("gzip", ["-c", "whole.csv"]) {
            folder.write("packed.csv.gz", &packed.stdout);
            same("packed.csv.gz", None);
            same("--csv", Some(&packed.stdout));
        }
    }
}

#[test]
fn hostile_input_is_one_line() {
    let folder = Folder::new();
    folder.write("open.csv", format!("id,text\n1,\"{}", "x\n".repeat(5000)));
    let output = sample(&folder, "-n 1 --seed s --max-record 4K -o out open.csv", None);
    assert_eq!(
        (output.status.code(), stdout(&output), stderr(&output).lines().count()),
        (Some(1), String::new(), 1)
    );
    assert!(stderr(&output).contains("open.csv:2"), "{}", stderr(&output));
    if let Some(packed) = folder.tool("gzip", ["-c", "open.csv"]) {
        folder.write("cut.gz", &packed.stdout[..packed.stdout.len() - 9]);
        let output = sample(&folder, "-n 1 --seed s cut.gz", None);
        assert_eq!(
            (output.status.code(), stdout(&output), stderr(&output).lines().count()),
            (Some(1), String::new(), 1)
        );
    }
    let directory = sample(&folder, "-n 1 --seed s .", None);
    assert_eq!((directory.status.code(), stderr(&directory).lines().count()), (Some(1), 1));
}
