//! `hashwell split`, exact shares and sizes of strata: every row is in one part, and in the specified one.

use crate::common;

use common::{Folder, stderr, stdout};
use std::collections::{HashMap, HashSet};

/// 500 visits by 50 users. Every seventh visit is `yes`.
fn visits() -> String {
    let line = |i: u32| format!("{},{i},{}\n", i % 50, if i.is_multiple_of(7) { "yes" } else { "no" });
    format!("user,i,label\n{}", (0..500).map(line).collect::<String>())
}

fn run(folder: &Folder, line: &str) -> String {
    let output = folder.hashwell(line.split(' '));
    assert!(output.status.success(), "{line}: {}", stderr(&output));
    stdout(&output)
}

fn rows(folder: &Folder, name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn every_row_is_in_one_part_in_input_order() {
    let folder = Folder::new();
    folder.write("v.csv", visits());
    for options in
        ["", " --exact", " --group-by user", " --stratify label", " --group-by user --stratify label"]
    {
        let told = run(&folder, &format!("split --into a=0.8,b=1/10,c=0.1{options} --seed s -o out v.csv"));
        assert!(told.starts_with("a  ") && told.lines().count() == 3, "{told}");
        let parts = ["out/a.csv", "out/b.csv", "out/c.csv"].map(|name| rows(&folder, name));
        let number = |row: &String| row.split(',').nth(1).unwrap().parse::<u32>().unwrap();
        assert!(parts.iter().all(|part| part.iter().map(number).is_sorted()));
        let mut all: Vec<u32> = parts.iter().flatten().map(number).collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..500), "{options}");
        if options.contains("label") || options.contains("exact") {
            assert_eq!(parts.each_ref().map(Vec::len), [400, 50, 50], "{options}");
        }
        if options.contains("user") {
            let users = parts.each_ref().map(|part| {
                part.iter().map(|row| row.split(',').next().unwrap().to_owned()).collect::<HashSet<_>>()
            });
            assert_eq!(users.iter().map(HashSet::len).sum::<usize>(), 50, "{options}");
        }
    }
}

/// The part of a group depends only on the group, and the first part is the sample with that probability.
#[test]
fn groups_stay_where_they_are() {
    let folder = Folder::new();
    folder.write("v.csv", visits());
    run(&folder, "split --into train=0.7,test=0.3 --group-by user --seed s -o out v.csv");
    let sample = run(&folder, "sample -p 0.7 --group-by user --seed s v.csv");
    assert_eq!(sample.lines().skip(1).collect::<Vec<_>>(), rows(&folder, "out/train.csv"));
    let part_of = |name: &str| {
        let rows = rows(&folder, name);
        rows.iter().map(|row| row.split(',').next().unwrap().to_owned()).collect::<HashSet<_>>()
    };
    let before = part_of("out/test.csv");
    // Rows of new users are inserted at the beginning, and the old rows are in a different order.
    let body: Vec<String> = visits().lines().skip(1).map(str::to_owned).collect();
    let more: String = (900..990)
        .map(|i| format!("{i},{i},no\n"))
        .chain(body.into_iter().rev().map(|row| row + "\n"))
        .collect();
    folder.write("w.csv", format!("user,i,label\n{more}"));
    run(&folder, "split --into train=0.7,test=0.3 --group-by user --seed s -o out w.csv");
    let old = |user: &String| user.parse::<u32>().unwrap() < 50;
    assert_eq!(part_of("out/test.csv").into_iter().filter(old).collect::<HashSet<_>>(), before);
    // A different context gives a different split.
    run(&folder, "split --into train=0.7,test=0.3 --group-by user --seed s --context x -o out v.csv");
    assert_ne!(part_of("out/test.csv"), before);
}

#[test]
fn formats_and_names() {
    let folder = Folder::new();
    folder.write("v.csv", visits());
    run(&folder, "split --into a=1/2,b=1/2 --group-by user --seed s -o p-{}.csv.gz v.csv");
    let semicolons = visits().replace(',', ";");
    folder.write("v.txt", &semicolons);
    run(&folder, "split --into a=1/2,b=1/2 --group-by user --delimiter ; --seed s -o q-{}.csv v.txt");
    let unpacked = run(&folder, "sample -p 1 --seed 1 p-b.csv.gz");
    let other = std::fs::read_to_string(folder.path().join("q-b.csv")).unwrap();
    assert_eq!(unpacked.replace(',', ";"), other);
    let refused = |line: &str, told: &str| {
        let output = folder.hashwell(line.split(' '));
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(stderr(&output).contains(told), "{line}: {}", stderr(&output));
    };
    refused("split --into a=0.5,b=0.4 --seed s -o r v.csv", "add up to 0.9, not 1");
    refused("split --into ../a=0.5,b=0.5 --seed s -o r v.csv", "can't be used as a file name");
    refused("split --into a=1 --seed s v.csv", "--output");
    refused(
        "split --into a=1 --seed s -o - v.csv",
        "--output: several files can't be written to standard output",
    );
    refused(
        "split --into a=1 --seed s -o o_{}.tsv v.csv",
        "hashwell: --output o_a.tsv: rows of CSV are written as .parquet, .csv or .jsonl",
    );
    run(&folder, "split --into a=1/2,b=1/2 --group-by user --seed s -o o --as parquet v.csv");
    run(&folder, "split --into a=1/2,b=1/2 --group-by user --seed s -o o v.csv");
    for part in ["a", "b"] {
        let files = [format!("o/{part}.parquet"), format!("o/{part}.csv")];
        assert!(run(&folder, &format!("diff {} {}", files[0], files[1])).starts_with("the same: "));
    }
    let blanks = folder.hashwell(["split", "--into", "a=1/2, b=1/2", "--seed", "s", "-o", "blanks", "v.csv"]);
    assert_eq!(blanks.status.code(), Some(0), "{}", stderr(&blanks));
    assert!(folder.path().join("blanks/b.csv").exists());
    // No part replaces the input or another part.
    folder.write("a.csv", visits());
    for output in [".", "{}.csv", "./{}.csv"] {
        refused(
            &format!("split --into a=0.5,b=0.5 --seed s -o {output} v.csv a.csv"),
            "a.csv is also an input",
        );
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("a.csv")).unwrap(), visits());
    assert!(!folder.path().join("b.csv").exists());
    assert!(!folder.path().join("r").exists());
}

#[test]
fn a_split_may_have_one_part() {
    let folder = Folder::new();
    folder.write("v.csv", "id,g\n1,a\n2,b\n");
    for options in ["", "--exact", "--stratify g", "--exact --group-by g", "--stratify g --group-by id"] {
        let line = format!("split --into all=1 {options} --seed s -o p v.csv");
        let run = folder.hashwell(line.split_whitespace());
        assert_eq!(run.status.code(), Some(0), "{line}: {}", stderr(&run));
        assert_eq!(std::fs::read_to_string(folder.path().join("p/all.csv")).unwrap(), "id,g\n1,a\n2,b\n");
    }
}

/// From a pipe, the name of an output does not turn a header into a row.
#[test]
fn the_name_of_an_output_is_no_format_of_a_pipe() {
    let folder = Folder::new();
    folder.write("v.csv", "id,g\n1,a\n2,b\n");
    let piped = |line: &str| {
        let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        command
            .args(line.split_whitespace())
            .stdin(std::fs::File::open(folder.path().join("v.csv")).unwrap());
        command.output().unwrap()
    };
    for line in ["split --into a=.5,b=.5 --seed 2 -o s_{}.csv", "sample -n 1 --seed 2 -o x.jsonl"] {
        let refused = piped(line);
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(stderr(&refused).contains("standard input is read as lines"), "{refused:?}");
    }
    assert_eq!(piped("split --into a=.5,b=.5 --seed 2 --csv -o s_{}.csv").status.code(), Some(0));
    assert_eq!(piped("sample -n 1 --seed 2 -o x.txt").status.code(), Some(0));
}

#[test]
fn exact_shares_and_sizes_of_strata() {
    let folder = Folder::new();
    folder.write("v.csv", visits());
    let by_label = |text: &str| {
        let mut counts = HashMap::new();
        text.lines()
            .skip(1)
            .for_each(|row| *counts.entry(row.rsplit(',').next().unwrap().to_owned()).or_insert(0) += 1);
        counts
    };
    assert_eq!(run(&folder, "sample -n 12.5% --seed s v.csv").lines().count(), 64);
    let picked = by_label(&run(&folder, "sample -n 20% --stratify label --seed s --rest rest.csv v.csv"));
    // 72 of 500 rows are `yes`.
    assert!(matches!((picked["yes"], picked["no"]), (14, 86) | (15, 85)), "{picked:?}");
    assert_eq!(rows(&folder, "rest.csv").len(), 400);
    folder.write("sizes.csv", "label,rows\nyes,30\nno,2\n");
    let picked = by_label(&run(&folder, "sample --sizes sizes.csv --stratify label --seed s v.csv"));
    assert_eq!((picked["yes"], picked["no"]), (30, 2));
    folder.write("many.csv", "yes,300\n");
    let output = folder.hashwell("sample --sizes many.csv --stratify label --seed s v.csv".split(' '));
    assert!(stderr(&output).contains("\"yes\" has 72 instead of 300"), "{}", stderr(&output));
    let unlisted = "nothing is picked from these strata, because the --sizes file does not list them: \"no\"";
    assert!(stderr(&output).contains(unlisted), "{output:?}");
    let exact = folder.hashwell("sample --exact --sizes many.csv --stratify label --seed s v.csv".split(' '));
    assert_eq!((exact.status.code(), stdout(&exact)), (Some(1), String::new()));
    folder.write("wrong.csv", "yes,3\nno,x\n");
    let wrong = folder.hashwell("sample --sizes wrong.csv --stratify label --seed s v.csv".split(' '));
    assert!(stderr(&wrong).contains("wrong.csv:2: \"x\" is not a number of rows"), "{}", stderr(&wrong));
    // A first line with a wrong number is not a header.
    folder.write("first.csv", "yes,10%\nno,2\n");
    let first = folder.hashwell("sample --sizes first.csv --stratify label --seed s v.csv".split(' '));
    assert!(stderr(&first).contains("first.csv:1: \"10%\" is not a number of rows"), "{}", stderr(&first));
    // A header names the columns of the strata: by the name or number in the option, or by the name in the file.
    let sized = |text: &str, columns: &str| {
        folder.write("header.csv", text);
        let line = format!("sample --sizes header.csv {columns} --seed s v.csv");
        let output = folder.hashwell(line.split(' '));
        (output.status.code(), stdout(&output).lines().count(), stderr(&output))
    };
    let two = "--stratify user --stratify label";
    for (text, columns, rows) in [
        ("3,rows\nyes,30\nno,2\n", "--stratify 3", 33),
        ("label,rows\nyes,30\nno,2\n", "--stratify 3", 33),
        ("user,label,rows\n0,no,3\n", two, 4),
        ("1,3,rows\n0,no,3\n", "--stratify 1 --stratify label", 0),
        ("user,label,3rows\n0,no,3\n", "--stratify 1 --stratify label", 4),
        ("label,user,rows\n0,no,3\n", two, 0),
        ("yes,many\nno,2\n", "--stratify label", 0),
        ("i,rows\nno,2\n", "--stratify 3", 0),
    ] {
        let (code, found, said) = sized(text, columns);
        assert_eq!((code, found), (Some(i32::from(rows == 0)), rows), "{text}: {said}");
        assert!(
            rows > 0 || said.contains("header.csv:1: ") && said.contains("a header must name the columns"),
            "{said}"
        );
    }
    // Labels of several columns are readable.
    let (_, _, said) = sized("0,no,300\n", two);
    assert!(said.contains("strata with too few rows: \"0, no\" has 8 instead of 300"), "{said}");
    let unlisted =
        "nothing is picked from these strata, because the --sizes file does not list them: \"0, yes\", ";
    assert!(said.contains(unlisted), "{said}");
    // With groups, the sizes apply only to groups that have all their rows in one stratum.
    folder.write("groups.csv", "u,g\na,x\na,y\nb,x\nc,x\n");
    folder.write("three.csv", "x,3\ny,1\n");
    let line = "sample --sizes three.csv --group-by u --stratify g --seed s groups.csv";
    let output = folder.hashwell(line.split(' '));
    assert_eq!(stdout(&output), "u,g\nb,x\nc,x\n");
    let said = "with --sizes, groups with rows in several strata are not picked (1 group)\n";
    assert!(stderr(&output).ends_with(said), "{}", stderr(&output));
    let both = folder.hashwell("sample -n 10% --replace --seed s v.csv".split(' '));
    assert!(stderr(&both).contains("-n SHARE% and --replace can't be combined"));
    let stats = folder.hashwell("sample -n 50% --seed s --stats groups.csv".split(' '));
    assert!(stderr(&stats).ends_with("; 2 picked; each with probability 2/4\n"), "{}", stderr(&stats));
    // A group made of both columns, as in Python.
    assert!(run(&folder, "sample -n 2 --stratify label --group-by user --seed s v.csv").lines().count() > 4);
}
