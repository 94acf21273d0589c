//! `hashwell sample` as users meet it: designs, orders, files that are complete or absent, errors.

use crate::common;

use common::{Folder, assert_ran, done, sample, stderr, stdout};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Output, Stdio};

/// The lines that [`done`] returns.
#[track_caller]
fn rows(folder: &Folder, options: &str) -> Vec<String> {
    done(folder, options).lines().map(str::to_owned).collect()
}

/// The numbers from 1 to n, one per line, in `rows`.
fn numbered(n: u64) -> Folder {
    let folder = Folder::new();
    folder.write("rows", (1..=n).map(|i| format!("{i}\n")).collect::<String>());
    folder
}

fn numbers(rows: &[String]) -> Vec<u64> {
    rows.iter().map(|row| row.parse().unwrap()).collect()
}

fn piped(folder: &Folder, options: &str, input: &[u8]) -> Output {
    let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    command.arg("sample").args(options.split_whitespace());
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A command that reads no input closes its pipe.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

#[test]
fn a_fixed_number_of_rows_in_the_inputs_order() {
    let folder = numbered(1000);
    for k in [0, 1, 7, 999, 1000] {
        let picked = numbers(&rows(&folder, &format!("-n {k} --seed a rows")));
        assert_eq!(picked.len(), k);
        assert!(picked.is_sorted_by(|a, b| a < b), "{picked:?}");
    }
    assert_ne!(rows(&folder, "-n 7 --seed a rows"), rows(&folder, "-n 7 --seed b rows"));
    assert_eq!(rows(&folder, "-n 7 --seed a rows"), rows(&folder, "-n 7 --seed-hex 61 rows"));
}

/// The rows that a seed picks never change.
#[test]
fn picks_are_pinned() {
    let folder = numbered(1000);
    folder.write(
        "w.csv",
        (1..=1000)
            .fold("id,w,g\n".to_owned(), |text, i| text + &format!("{i},{},{}\n", (i * 7919) % 13, i % 3)),
    );
    let mut pinned = String::new();
    for options in [
        "-n 5 rows",
        "-n 5 --order draw rows",
        "-p 0.005 rows",
        "--every 200 rows",
        "-n 5 --replace rows",
        "-n 5 --shard x rows",
        "-n 5 --weight w --design successive w.csv",
        "-n 5 --weight w --design pps w.csv",
        "-n 5 --weight w --replace w.csv",
        "-n 2 --stratify g w.csv",
        "-n 5 --stratify g --proportional w.csv",
        "-n 5 --group-by id w.csv",
        "-p 0.005 --group-by id w.csv",
    ] {
        let picked = rows(&folder, &format!("{options} --seed 0877"));
        let ids: Vec<&str> = picked
            .iter()
            .filter(|row| !row.starts_with("id"))
            .map(|row| row.split(',').next().unwrap())
            .collect();
        pinned += &format!("{options}: {}\n", ids.join(" "));
    }
    let shuffled = rows(&folder, "--shuffle --seed 0877 rows");
    pinned += &format!("--shuffle: {}\n", shuffled[..5].join(" "));
    assert_eq!(pinned, include_str!("sample_pinned.txt"));
}

#[test]
fn a_new_seed_is_printed_and_picks_the_same_again() {
    let folder = numbered(1000);
    let first = sample(&folder, "-n 9 rows");
    let said = stderr(&first);
    let again = said.strip_prefix("hashwell: drawn with ").and_then(|said| said.strip_suffix('\n')).unwrap();
    assert!(again.starts_with("--seed ") && again.len() == 7 + 32, "{said}");
    assert_ran(&sample(&folder, &format!("-n 9 {again} rows")), 0, &stdout(&first), "");
    assert_ne!(stdout(&sample(&folder, "-n 9 rows")), stdout(&first));
}

#[test]
fn orders() {
    let folder = numbered(200);
    for options in ["-n 20", "-n 20 --replace", "-n 200"] {
        let input = numbers(&rows(&folder, &format!("{options} --seed s rows")));
        let drawn = numbers(&rows(&folder, &format!("{options} --seed s --order draw rows")));
        assert!(input.is_sorted() && !drawn.is_sorted(), "{options}: {drawn:?}");
        let mut sorted = drawn.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, input, "{options}");
    }
    let shuffled = numbers(&rows(&folder, "--shuffle --seed s rows"));
    let all: BTreeSet<u64> = shuffled.iter().copied().collect();
    assert_eq!((shuffled.len(), all.len(), shuffled.is_sorted()), (200, 200, false));
}

#[test]
fn chances_and_steps() {
    let folder = numbered(10_000);
    let picked = rows(&folder, "-p 1/10 --seed s rows").len();
    assert!((880..1120).contains(&picked), "{picked}");
    assert_eq!(rows(&folder, "-p 0.1 --seed s rows"), rows(&folder, "-p 1/10 --seed s rows"));
    assert_eq!(rows(&folder, "-p 0 --seed s rows").len(), 0);
    assert_eq!(rows(&folder, "-p 1 --seed s rows").len(), 10_000);
    let every = numbers(&rows(&folder, "--every 97 --seed s rows"));
    assert!(every[0] <= 97 && every.windows(2).all(|pair| pair[1] - pair[0] == 97), "{every:?}");
    assert!(every.last().unwrap() + 97 > 10_000);
    assert_eq!(rows(&folder, "--every 1 --seed s rows").len(), 10_000);
}

/// The picked rows and the rest are all rows, for any design and any input.
#[test]
fn the_complement_is_the_rest() {
    let folder = Folder::new();
    let text: String = (1..=500).map(|i| format!("{i},{},{}\n", i % 5, i % 7)).collect();
    folder.write("rows.csv", format!("id,w,g\n{text}"));
    for options in [
        "-n 50",
        "-n 0",
        "-n 500",
        "-p 0.2",
        "--every 9",
        "-n 50 --weight w --design successive",
        "-n 50 --weight w --design pps",
        "-n 5 --stratify g",
        "-n 2 --group-by g",
        "-p 0.5 --group-by g",
    ] {
        let whole = stdout(&sample(&folder, &format!("{options} --seed s --complement rest.csv rows.csv")));
        let rest = std::fs::read_to_string(folder.path().join("rest.csv")).unwrap();
        let mut union: Vec<&str> = whole.lines().skip(1).chain(rest.lines().skip(1)).collect();
        assert!(rest.starts_with("id,w,g\n") && whole.starts_with("id,w,g\n"), "{options}");
        union.sort_by_key(|row| row.split(',').next().unwrap().parse::<u64>().unwrap());
        assert_eq!(union, text.lines().collect::<Vec<_>>(), "{options}");
        let numbers: Vec<u64> =
            rest.lines().skip(1).map(|row| row.split(',').next().unwrap().parse().unwrap()).collect();
        assert!(numbers.is_sorted(), "{options}");
        std::fs::remove_file(folder.path().join("rest.csv")).unwrap();
        let input = std::fs::read(folder.path().join("rows.csv")).unwrap();
        let output = piped(&folder, &format!("{options} --seed s --csv --complement rest.csv"), &input);
        assert_ran(&output, 0, &whole, "");
        assert_eq!(std::fs::read_to_string(folder.path().join("rest.csv")).unwrap(), rest, "{options}");
    }
}

/// A large sample reads a file twice and a pipe once, with the same result.
#[test]
fn many_rows_of_a_file_are_those_of_a_pipe() {
    let folder = Folder::new();
    let text: String = (1..=30_000).map(|i| format!("{i},\"a\n{}\"\n", i % 7)).collect();
    folder.write("rows.csv", format!("id,text\n{text}"));
    let input = std::fs::read(folder.path().join("rows.csv")).unwrap();
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&input).unwrap();
    folder.write("packed.csv.gz", packed.finish().unwrap());
    for options in [
        "-n 5000",
        "-n 5000 --order draw",
        "-n 4999 --shard x --complement rest",
        "-n 6000 --order draw --complement rest",
        "-n 30000",
        "-n 40000 --transcript record",
    ] {
        let files = || ["rest", "record"].map(|name| std::fs::read(folder.path().join(name)).ok());
        let options = format!("{options} --seed s --stats");
        let whole = sample(&folder, &format!("{options} rows.csv"));
        let others = files();
        let said = |output: &Output| stderr(output).replace(|c: char| c.is_ascii_digit() || c == '.', "#");
        for other in [
            piped(&folder, &format!("{options} --csv"), &input),
            sample(&folder, &format!("{options} packed.csv.gz")),
        ] {
            assert_eq!(stdout(&other), stdout(&whole), "{options}");
            assert_eq!(said(&other), said(&whole), "{options}");
            assert_eq!(files(), others, "{options}");
        }
        let chance = if options.contains("40000") || options.contains("30000") {
            "probability 1\n"
        } else {
            "/30000\n"
        };
        assert!(stderr(&whole).contains(chance), "{}", stderr(&whole));
    }
    assert_ran(
        &sample(&folder, "-n 40000 --seed s --exact rows.csv"),
        1,
        "",
        "hashwell: only 30000 rows, not 40000\n",
    );
    let twice: u64 = done(&folder, "-n 5000 --seed s rows.csv rows.csv").lines().count() as u64;
    assert_eq!(twice, 2 * 5000 + 1);
}

#[test]
fn strata() {
    let folder = Folder::new();
    // 600, 300, 99 and 1 rows.
    let label = |i: u64| match i {
        0..600 => "big",
        600..900 => "middle",
        900..999 => "small",
        _ => "\"one, alone\"",
    };
    let text: String = (0..1000).map(|i| format!("{i},{}\n", label(i * 7 % 1000))).collect();
    folder.write("rows.csv", format!("id,stratum\n{text}"));
    let sizes = |options: &str| {
        let mut sizes = BTreeMap::new();
        for row in &rows(&folder, &format!("{options} --seed s rows.csv"))[1..] {
            *sizes.entry(row.split_once(',').unwrap().1.to_owned()).or_insert(0) += 1;
        }
        sizes.into_iter().collect::<Vec<_>>()
    };
    let sized = |sizes: &[(&str, u64)]| -> Vec<(String, u64)> {
        sizes.iter().map(|(label, n)| ((*label).to_owned(), *n)).collect()
    };
    let said = "hashwell: in 1 of 4 strata, all rows were picked, because there are fewer than 5\n";
    let output = sample(&folder, "-n 5 --stratify stratum --seed s rows.csv");
    assert_eq!(
        (output.status.code(), &stderr(&output)[..], stdout(&output).lines().count()),
        (Some(0), said, 17)
    );
    assert_eq!(sizes("-n 1 --stratify stratum").len(), 4);
    // 10 rows: 6, 3, 0.99 and 0.01. The remaining row goes to the stratum with the largest fraction.
    assert_eq!(
        sizes("-n 10 --stratify stratum --proportional"),
        sized(&[("big", 6), ("middle", 3), ("small", 1)])
    );
    let thousand = sized(&[("\"one, alone\"", 1), ("big", 600), ("middle", 300), ("small", 99)]);
    assert_eq!(sizes("-n 1000 --stratify stratum --proportional"), thousand);
    // The rows of a stratum do not depend on the other strata.
    folder.write(
        "big.csv",
        format!(
            "id,stratum\n{}",
            text.lines()
                .filter(|row| row.ends_with("big"))
                .fold(String::new(), |text, row| text + row + "\n")
        ),
    );
    let all = rows(&folder, "-n 5 --stratify stratum --seed s big.csv");
    let of_all = stdout(&output);
    assert_eq!(of_all.lines().filter(|row| row.ends_with("big")).collect::<Vec<_>>(), all[1..]);
}

/// Either all rows of a key are picked or none, and the same keys are picked in every table and every order.
#[test]
fn keys() {
    let folder = Folder::new();
    let row = |i: u64| format!("{i}\tuser{}\n", i * 31 % 50);
    folder.write("a.tsv", (0..400).fold("id\tuser\n".to_owned(), |text, i| text + &row(i)));
    folder.write("b.tsv", (0..400).rev().fold("id\tuser\n".to_owned(), |text, i| text + &row(i)));
    let users = |options: &str| -> Vec<String> {
        rows(&folder, options)[1..].iter().map(|row| row.split('\t').nth(1).unwrap().to_owned()).collect()
    };
    let distinct = |options: &str| users(options).into_iter().collect::<BTreeSet<_>>();
    let three = distinct("-n 3 --group-by user --seed s a.tsv");
    assert_eq!((three.len(), users("-n 3 --group-by user --seed s a.tsv").len()), (3, 24));
    assert_eq!(distinct("-n 3 --group-by user --seed s b.tsv"), three, "in another order");
    assert!(
        three.is_subset(&distinct("-n 9 --group-by user --seed s a.tsv")),
        "larger samples have the smaller in them"
    );
    let tenth = distinct("-p 0.1 --group-by user --seed s a.tsv");
    assert!(tenth.is_subset(&distinct("-p 0.4 --group-by user --seed s b.tsv")));
    let drawn = users("-n 3 --group-by user --seed s --order draw a.tsv");
    assert!(drawn[..8].iter().all(|user| *user == drawn[0]) && drawn[8] != drawn[0]);
    let tickets = rows(&folder, "-n 3 --group-by user --seed s --order draw --print-ticket a.tsv");
    assert_eq!(tickets[0], "ticket\tid\tuser");
    let tickets: Vec<&str> = tickets[1..].iter().map(|row| row.split('\t').next().unwrap()).collect();
    assert!(tickets.is_sorted() && tickets.iter().all(|ticket| ticket.len() == 32), "{tickets:?}");
    // SHA-256(K ‖ 01 ‖ key), with K as specified in docs/spec/sampling.md.
    let key = hashwell_draw::Key::derive(b"s", b"hashwell sample/1", &[0; 32]);
    assert_eq!(format!("{:032x}", key.ticket(drawn[0].as_bytes())), tickets[0]);
}

#[test]
fn weights() {
    let folder = Folder::new();
    folder.write("w.csv", "id,w\na,1\nb,0\nc,2.5e0\nd, 3 \ne,0.0\n");
    let picked =
        |options: &str| rows(&folder, &format!("{options} --weight w --seed s w.csv"))[1..].join(" ");
    for design in ["successive", "pps"] {
        assert_eq!(picked(&format!("-n 3 --design {design}")), "a,1 c,2.5e0 d, 3 ");
        let output = sample(&folder, &format!("-n 4 --design {design} --weight w --seed s w.csv"));
        let said = "hashwell: only 3 of 5 rows have a weight above 0: all of them were picked\n";
        assert_ran(&output, 0, "id,w\na,1\nc,2.5e0\nd, 3 \n", said);
    }
    for (weight, what) in [
        ("-1", "-1; it must be finite and not negative"),
        ("nan", "nan; it must be finite and not negative"),
        ("inf", "inf; it must be finite and not negative"),
        ("1e999", "1e999; it must be finite and not negative"),
        ("1,2", "'1,2', which is not a number"),
        ("ten", "'ten', which is not a number"),
        ("", "empty (use --default-weight W to give such rows a weight; with 0, they are never picked)"),
    ] {
        folder.write("bad.csv", format!("id,w\na,1\n\"b\n\",2\nc,\"{weight}\"\nd,1\n"));
        let output = sample(&folder, "-n 3 --weight w --design successive --seed s -o out bad.csv");
        assert_ran(&output, 1, "", &format!("hashwell: bad.csv:5: the weight (column w) is {what}\n"));
        assert!(!folder.path().join("out").exists());
    }
    folder.write("blank.csv", "id,w\na,1\nb,\n");
    let blank = "-n 2 --weight w --design successive --seed s --default-weight";
    assert_eq!(rows(&folder, &format!("{blank} 1 blank.csv")).len(), 3);
    assert_eq!(stdout(&sample(&folder, &format!("{blank} 0 blank.csv"))), "id,w\na,1\n");
}

#[test]
fn more_than_there_is() {
    let folder = numbered(3);
    let said = "hashwell: only 3 rows: all of them were picked\n";
    assert_ran(&sample(&folder, "-n 5 --seed s rows"), 0, "1\n2\n3\n", said);
    assert_ran(&sample(&folder, "-n 5 --seed s --exact rows"), 1, "", "hashwell: only 3 rows, not 5\n");
    assert_ran(&sample(&folder, "-n 3 --seed s --exact rows"), 0, "1\n2\n3\n", "");
    assert_eq!(rows(&folder, "-n 5 --seed s --replace rows").len(), 5);
    folder.write("empty", "");
    for options in ["-n 5", "-p 0.5", "--every 3", "-n 5 --replace", "--shuffle", "-n 0"] {
        let output = sample(&folder, &format!("{options} --seed s empty"));
        assert_eq!((output.status.code(), stdout(&output)), (Some(0), String::new()), "{options}");
        let output = sample(&folder, &format!("{options} --seed s --csv empty"));
        assert_eq!((output.status.code(), stdout(&output)), (Some(0), String::new()), "{options}");
    }
    folder.write("header.csv", "id,w\n");
    for options in ["-n 5", "-p 0.5", "--every 3", "--shuffle", "-n 2 --group-by id", "-n 2 --stratify id"] {
        let output = sample(&folder, &format!("{options} --seed s header.csv"));
        assert_eq!((output.status.code(), &stdout(&output)[..]), (Some(0), "id,w\n"), "{options}");
    }
}

/// A file is complete or absent, and an existing file is kept on failure.
#[test]
fn files_are_whole_or_not_there() {
    let folder = numbered(100);
    assert_ran(&sample(&folder, "-n 5 --seed s -o out rows"), 0, "", "");
    let before = std::fs::read_to_string(folder.path().join("out")).unwrap();
    assert_eq!(before.lines().count(), 5);
    folder.write("bad.csv", "id,w\n1,1\n2,x\n");
    for options in [
        "-n 5 --weight w --design pps bad.csv",
        "-p 0.5 rows missing",
        "-n 500 --exact rows",
        "-n 5 rows missing",
        "--every 2 rows .",
    ] {
        let output = sample(&folder, &format!("--seed s -o out --complement rest {options}"));
        assert_eq!((output.status.code(), stdout(&output)), (Some(1), String::new()), "{options}");
        assert_eq!(stderr(&output).lines().count(), 1, "{options}: {}", stderr(&output));
        assert_eq!(std::fs::read_to_string(folder.path().join("out")).unwrap(), before, "{options}");
    }
    let mut names: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort_unstable();
    assert_eq!(names, ["bad.csv", "out", "rows"], "nothing else was left");
    // A path that is not a regular file is written to directly.
    assert_ran(&sample(&folder, "-n 5 --seed s -o /dev/null rows"), 0, "", "");
    let full = sample(&folder, "-n 5 --seed s -o /dev/full rows");
    assert_ran(&full, 1, "", "hashwell: /dev/full: No space left on device\n");
}

#[test]
fn statistics() {
    let folder = numbered(100);
    for (options, said) in [
        ("-n 5 rows", "100 rows, 292 B in 0.0 s; 5 picked; each with probability 5/100"),
        ("-n 500 rows", "100 rows, 292 B in 0.0 s; 100 picked; each with probability 1"),
        ("-p 0 rows", "100 rows, 292 B in 0.0 s; 0 picked; each with probability 0/1"),
        ("--every 25 rows", "100 rows, 292 B in 0.0 s; 4 picked; each with probability 1/25"),
        ("--shuffle rows", "100 rows, 292 B in 0.0 s; 100 picked"),
    ] {
        let output = sample(&folder, &format!("--stats --seed s {options}"));
        let last = stderr(&output).lines().last().unwrap_or_default().to_owned();
        assert_eq!((output.status.code(), last), (Some(0), format!("hashwell: {said}")), "{options}");
    }
}

/// `pps` uses doubles and decimals of any size exactly, and reports the values that estimates need.
#[test]
fn weights_of_any_size() {
    let folder = Folder::new();
    let stats = |options: &str| {
        let output = sample(&folder, &format!("--stats --seed s {options}"));
        assert_eq!(output.status.code(), Some(0), "{options}: {}", stderr(&output));
        stderr(&output).lines().last().unwrap_or_default().to_owned()
    };
    folder.write("p.csv", "v,w\nA,100\nB,1\nC,1\n");
    let said = stats("-n 2 --weight w --design pps --transcript t.json p.csv");
    assert!(
        said.ends_with("2 picked; the weights sum to 102; row 1 has the inclusion probability 1"),
        "{said}"
    );
    let record = std::fs::read_to_string(folder.path().join("t.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    assert_eq!(record["weights"], serde_json::json!({ "certain": [1], "sum": "102" }));
    assert_eq!(folder.hashwell(["verify", "t.json", "p.csv"]).status.code(), Some(0));
    let said = stats("-n 2 --weight w --replace p.csv");
    assert!(said.ends_with("2 picked; the weights sum to 102"), "{said}");
    // Weights of a softmax, and weights whose exact sum no double can represent.
    let weights =
        ["6.144212353328207e-06", "5e-324", "1e308", "1.7976931348623157e308", "-0", "0.1", "1e-22"];
    let rows: String = weights.iter().enumerate().map(|(i, w)| format!("{i},{w}\n")).collect();
    folder.write("w.csv", format!("v,w\n{rows}"));
    let said = stats("-n 3 --weight w --design pps w.csv");
    assert!(said.contains("sum to 2797693134862315") && said.ends_with("(the first is row 3)"), "{said}");
    done(&folder, "-n 3 --weight w --design pps --seed s --state-out a w.csv");
    let (first, rest) = rows.split_at(rows.find("3,").unwrap());
    folder.write("one.csv", format!("v,w\n{first}"));
    folder.write("two.csv", format!("v,w\n{rest}"));
    done(&folder, "-n 3 --weight w --design pps --seed s --state-out b one.csv");
    done(&folder, "--state-in b --state-out c two.csv");
    let [whole, parts] = ["a", "c"].map(|name| std::fs::read(folder.path().join(name)).unwrap());
    assert_eq!(whole, parts);
    for design in ["--design pps", "--design successive", "--replace"] {
        assert_eq!(done(&folder, &format!("-n 5 --weight w {design} --seed s w.csv")).lines().count(), 6);
    }
    folder.write("long.csv", format!("v,w\n1,0.{}\n", "7".repeat(5000)));
    let long = sample(&folder, "-n 1 --weight w --design pps --seed s long.csv");
    let said = "hashwell: long.csv:2: the weight (column w) is 0.77777777777777777777777777777777777777…, which has 5000 \
                significant digits; the maximum is 800\n";
    assert_ran(&long, 1, "", said);
}

#[test]
fn refusals() {
    let folder = numbered(9);
    for (options, message) in [
        ("rows", "the following required arguments were not provided: "),
        ("-n 1 -p 0.1 rows", "the argument '--rows <K|SHARE%>' cannot be used with '--probability <P>'"),
        ("-n -1 rows", "unexpected argument '-1' found"),
        ("-p 1.5 rows", "-p: a probability must be 0 to 1, not \"1.5\""),
        ("-p x rows", "-p: a probability must be "),
        ("--every 0 rows", "invalid value '0' for '--every <N>'"),
        ("-n 1 --weight w rows", "--weight needs --design: successive ("),
        ("-n 1 --design pps rows", "the following required arguments were not provided: --weight <COL>"),
        ("-p 0.1 --weight w rows", "the argument '--probability <P>' cannot be used with '--weight <COL>'"),
        ("-n 1 --default-weight -1 rows", "unexpected argument '-1' found"),
        (
            "-p 0.1 --order draw rows",
            "--order draw requires -n: with -p, rows are written in the order of the input",
        ),
        ("-p 0.1 --exact rows", "--exact requires -n: with -p the number of rows is random"),
        ("-p 0.1 --state-out x rows", "-p needs no state: "),
        ("-n 1 --seed a --seed-hex 61 rows", "the argument '--seed <TEXT>' cannot be used with"),
        ("-n 1 --seed-hex 6 rows", "--seed-hex must be an even number of hexadecimal digits"),
        ("-n 1 --csv --tsv rows", "the argument '--csv' cannot be used with '--tsv'"),
        ("-n 1 -H --jsonl rows", "-H requires lines, CSV or TSV: "),
        (
            "-n 1 --max-record 0 rows",
            "invalid value '0' for '--max-record <BYTES>': must be at least 1, not 0",
        ),
        ("-n 1 - -", "standard input is named twice"),
        (
            "-n 1 -o x --state-out y rows",
            "the argument '--output <FILE>' cannot be used with '--state-out <FILE>'",
        ),
        ("--merge --csv rows", "the argument '--merge' cannot be used with '--csv'"),
        ("--selftest rows", "the argument '--selftest' cannot be used with '[FILE]...'"),
        ("--shuffle --replace rows", "the argument '--shuffle' cannot be used with"),
        (
            "-n 33.3333333333333333333333333333% rows",
            "invalid value '33.3333333333333333333333333333%' for '--rows <K|SHARE%>': a share has at most 16 decimals",
        ),
        ("-n 100.1% rows", "invalid value '100.1%' for '--rows <K|SHARE%>': a share must be 0% to 100%"),
        ("-n 10% --transcript t rows", "-n SHARE% and --transcript can't be combined"),
        ("-n 1 -H --no-header rows", "the argument '--header' cannot be used with '--no-header'"),
        (
            "-n 1 --csv --comment , rows",
            "the first character of comments must be neither the delimiter nor the quote",
        ),
    ] {
        let output = sample(&folder, options);
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()), "{options}");
        let said = stderr(&output);
        assert!(said.starts_with(&format!("hashwell: {message}")), "{options}: {said}");
        assert_eq!(said.lines().count(), 1, "{options}: {said}");
    }
    for (options, message) in [
        ("-n 1 --seed s missing", "missing: No such file or directory\n"),
        ("-n 1 --seed s rows missing", "missing: No such file or directory\n"),
    ] {
        assert_ran(&sample(&folder, options), 1, "", &format!("hashwell: {message}"));
    }
}

/// A seed is empty if it is a shell variable that is not set.
#[test]
fn an_empty_seed_is_reported() {
    let folder = numbered(9);
    let said = "hashwell: the seed is empty, so anyone can predict the result\n";
    for command in [
        "sample -n 1 --seed= rows",
        "sample -n 1 --seed-hex= rows",
        "sample -n 50% --seed= rows",
        "split --into a=1 --seed= -o {} rows",
        "process geometric --p 0.5 --seed=",
        "random -n 1 --seed=",
        "random -n 1 --seed-hex=",
    ] {
        let output = folder.hashwell(command.split(' '));
        assert!(output.status.success() && stderr(&output).ends_with(said), "{command}: {}", stderr(&output));
    }
}

#[test]
fn a_dash_is_standard_output() {
    let folder = numbered(100);
    let picked = done(&folder, "-n 5 --seed s rows");
    assert_eq!(done(&folder, "-n 5 --seed s -o - rows"), picked);
    let input = std::fs::read(folder.path().join("rows")).unwrap();
    assert_ran(&piped(&folder, "-n 5 --seed s -o - -", &input), 0, &picked, "");
    assert!(!folder.path().join("-").exists());
}

#[test]
fn a_broken_pipe_is_quiet() {
    let folder = numbered(100_000);
    for options in ["-n 50000 --seed s rows", "-p 1 --seed s rows", "--shuffle --seed s rows"] {
        let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        command.arg("sample").args(options.split(' ')).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        assert_ran(&child.wait_with_output().unwrap(), 141, "", "");
    }
}
