//! `hashwell sample` in parts: states that are continued, and states that are merged.

use crate::common;

use common::{Folder, assert_ran, done, sample, stderr, stdout};

/// 900 rows in three files and in one: an id, a weight of 1 to 5, and one of 4 groups.
fn folder() -> Folder {
    let folder = Folder::new();
    let row = |i: usize| format!("{i},{},g{}\n", i % 5 + 1, i * i % 4);
    let rows: Vec<String> = (0..900).map(row).collect();
    folder.write("all.csv", format!("id,w,g\n{}", rows.concat()));
    for (part, rows) in rows.chunks(300).enumerate() {
        folder.write(format!("{part}.csv"), format!("id,w,g\n{}", rows.concat()));
    }
    folder
}

const DESIGNS: [&str; 10] = [
    "-n 20",
    "-n 20 --replace",
    "-n 20 --group-by id",
    "-n 4 --group-by w --group-by g",
    "-n 2 --stratify w --stratify g",
    "-n 5 --stratify g",
    "-n 20 --stratify g --proportional",
    "-n 20 --weight w --design successive",
    "-n 20 --weight w --design pps",
    "-n 20 --weight w --replace",
];

/// The designs that can be merged.
const MERGED: &[&str] = DESIGNS.split_at(8).0;

/// Saving a state after one file and continuing with the other files gives the sample of all files.
#[test]
fn a_state_goes_on() {
    let folder = folder();
    for design in DESIGNS {
        for order in ["input", "draw"] {
            let whole = done(&folder, &format!("{design} --seed s --order {order} all.csv"));
            done(&folder, &format!("{design} --seed s --state-out a 0.csv"));
            done(&folder, &format!("{design} --state-in a --state-out b 1.csv"));
            assert_eq!(
                done(&folder, &format!("{design} --state-in b --order {order} 2.csv")),
                whole,
                "{design}"
            );
        }
    }
    let other = sample(&folder, "-n 9 --state-in a 2.csv");
    let said = "hashwell: --state-in: the state belongs to a sample with other options (remove the options that differ)\n";
    assert_ran(&other, 2, "", said);
}

/// The design, the seed and the format are stored in the state and need not be repeated.
#[test]
fn a_state_goes_on_without_the_design() {
    let folder = folder();
    for design in DESIGNS {
        let whole = done(&folder, &format!("{design} --seed s --context c all.csv"));
        done(&folder, &format!("{design} --seed s --context c --state-out a 0.csv"));
        done(&folder, "--state-in a --state-out b 1.csv");
        assert_eq!(done(&folder, "--state-in b 2.csv"), whole, "{design}");
    }
    // This includes the format and the header, if the file names don't determine them.
    let rows = |i: usize| (0..9).map(|row| format!("{}\tx\n", 9 * i + row)).collect::<String>();
    for (format, header) in
        [("--tsv", "a\tb\n"), ("--tsv --no-header", ""), ("-H", "a\tb\n"), ("", ""), ("-z", "")]
    {
        let piece =
            |i| format!("{header}{}", rows(i)).replace('\n', if format == "-z" { "\0" } else { "\n" });
        folder.write("first", piece(0));
        folder.write("second", piece(1));
        let whole = done(&folder, &format!("-n 5 --seed s {format} first second"));
        done(&folder, &format!("-n 5 --seed s {format} --state-out a first"));
        assert_eq!(done(&folder, "--state-in a second"), whole, "{format}");
    }
    let none = sample(&folder, "first");
    assert_eq!(none.status.code(), Some(2));
}

#[test]
fn parts_are_merged() {
    let folder = folder();
    for design in MERGED {
        let shard = |part: usize| {
            if design.contains("--group-by") { String::new() } else { format!("--shard {part}") }
        };
        for part in 0..3 {
            done(&folder, &format!("{design} --seed s {} --state-out {part}.state {part}.csv", shard(part)));
        }
        let merged = done(&folder, "--merge --seed s 0.state 1.state 2.state");
        let whole = done(&folder, &format!("{design} --seed s all.csv"));
        assert_eq!(merged.lines().count(), whole.lines().count(), "{design}");
        let all = std::fs::read_to_string(folder.path().join("all.csv")).unwrap();
        assert!(merged.lines().all(|row| all.lines().any(|other| other == row)), "{design}");
        let ids: Vec<u64> =
            merged.lines().skip(1).map(|row| row.split(',').next().unwrap().parse().unwrap()).collect();
        assert!(ids.is_sorted(), "{design}: in the order of the files");
        if design.contains("--group-by") {
            assert_eq!(merged, whole, "tickets do not depend on parts");
        }
        // A merged state can be merged again. Merging a single state gives the same sample.
        done(&folder, "--merge --seed s --state-out 01.state 0.state 1.state");
        let again = done(&folder, "--merge --seed t 01.state 2.state");
        assert_eq!(again.lines().count(), whole.lines().count(), "{design}");
        let alone = done(&folder, "--merge 0.state");
        assert_eq!(alone, done(&folder, &format!("{design} --seed s {} 0.csv", shard(0))), "{design}");
    }
}

/// Each part has the same share of the merged sample as of all rows: for 10 of 300, 300 and 300 rows, 3 to 4 from each.
#[test]
fn merged_samples_are_fair_to_parts() {
    let folder = folder();
    let mut counts = [0_u32; 3];
    for seed in 0..60 {
        for part in 0..3 {
            done(&folder, &format!("-n 10 --seed {seed} --shard {part} --state-out {part}.state {part}.csv"));
        }
        for row in done(&folder, &format!("--merge --seed {seed} 0.state 1.state 2.state")).lines().skip(1) {
            counts[row.split(',').next().unwrap().parse::<usize>().unwrap() / 300] += 1;
        }
    }
    let chi_square: f64 = counts.iter().map(|count| (f64::from(*count) - 200.0).powi(2) / 200.0).sum();
    assert!(chi_square < 27.6, "{counts:?}: p below 1e-6");
}

#[test]
fn what_cannot_be_merged_is_refused() {
    let folder = folder();
    done(&folder, "-n 5 --seed s --state-out a 0.csv");
    done(&folder, "-n 5 --seed s --state-out b 1.csv");
    let same = sample(&folder, "--merge --seed s a b");
    assert_eq!(same.status.code(), Some(1));
    assert!(
        stderr(&same).starts_with("hashwell: b: this sample was drawn with the same seed as another sample"),
        "{}",
        stderr(&same)
    );
    done(&folder, "-n 6 --seed t --state-out c 1.csv");
    let other = sample(&folder, "--merge --seed s a c");
    assert_ran(&other, 1, "", "hashwell: c: it has a different design than a\n");
    done(&folder, "-n 5 --group-by id --seed s --state-out k 0.csv");
    done(&folder, "-n 5 --group-by id --seed t --state-out l 1.csv");
    let keys = sample(&folder, "--merge k l");
    assert_ran(
        &keys,
        1,
        "",
        "hashwell: l: it has a different seed than k, but sampling by key requires the same seed\n",
    );
    for (design, name) in [("--design pps", "pps"), ("--replace", "weighted-replace")] {
        for part in ["0", "1"] {
            let shard = format!("--seed s --shard {part} --state-out {part} {part}.csv");
            done(&folder, &format!("-n 5 --weight w {design} {shard}"));
        }
        let said = format!(
            "hashwell: samples of the method {name} cannot be merged exactly; continue a sample from its saved state \
             instead\n"
        );
        assert_ran(&sample(&folder, "--merge 0 1"), 1, "", &said);
    }
    assert_eq!(sample(&folder, "--merge").status.code(), Some(2));
}

#[test]
fn changed_states_are_one_line() {
    let folder = folder();
    done(&folder, "-n 5 --seed s --state-out a 0.csv");
    let bytes = std::fs::read(folder.path().join("a")).unwrap();
    for at in (0..bytes.len()).step_by(7) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        folder.write("changed", &changed);
        folder.write("cut", &bytes[..at]);
        for name in ["changed", "cut"] {
            let output = sample(&folder, &format!("--merge {name}"));
            assert_eq!((output.status.code(), stdout(&output)), (Some(1), String::new()), "{name} at {at}");
            assert!(
                stderr(&output).starts_with(&format!("hashwell: {name}: not a saved sample: ")),
                "{}",
                stderr(&output)
            );
        }
    }
}

/// The same seed, options and file give the same transcript.
#[test]
fn transcripts_repeat() {
    let folder = folder();
    for design in DESIGNS.into_iter().chain(["-p 0.1", "--every 50", "--shuffle", "-p 0.1 --group-by g"]) {
        let rows = done(&folder, &format!("{design} --seed 0877 --transcript a.json all.csv"));
        assert_eq!(done(&folder, &format!("{design} --seed-hex 30383737 --transcript b.json all.csv")), rows);
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(read("a.json"), read("b.json"), "{design}");
        let record: serde_json::Value = serde_json::from_str(&read("a.json")).unwrap();
        assert_eq!((&record["n"], &record["seed_text"]), (&900.into(), &"0877".into()));
        let picks = record["picks"].as_array().unwrap();
        assert_eq!(picks.len(), rows.lines().count() - 1, "{design}");
        let all = std::fs::read_to_string(folder.path().join("all.csv")).unwrap();
        let all: Vec<&str> = all.lines().collect();
        let named: Vec<&str> = picks.iter().map(|pick| all[pick.as_u64().unwrap() as usize]).collect();
        assert_eq!(named, rows.lines().skip(1).collect::<Vec<_>>(), "{design}");
        let digest = hashwell::Sha256::digest(rows.split_once('\n').unwrap().1.as_bytes());
        assert_eq!(record["rows_sha256"], data_encoding::HEXLOWER.encode(&digest));
    }
}

#[test]
fn the_self_test_passes_and_its_controls_fail() {
    let output = sample(&Folder::new(), "--selftest --seed 12");
    let text = stdout(&output);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "{text}");
    assert_eq!((text.matches("must fail").count(), text.matches(", exact: ").count()), (4, 2), "{text}");
    assert!(
        text.ends_with("every test passed; a correct sampler fails a test with probability 1e-7\n"),
        "{text}"
    );
}
