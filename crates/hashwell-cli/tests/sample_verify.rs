//! `hashwell verify` for transcripts of `hashwell sample --transcript`: the sample is drawn again from the files.

use crate::common;

use common::{Folder, assert_ran, done, sample, stderr, stdout};
use serde_json::{Value, json};
use std::process::Output;

/// 400 rows in two files: an id, a weight of 1 to 5, and one of 4 groups.
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

/// A short transcript cannot make the verification draw any number of rows.
#[test]
fn designs_with_more_picks_than_the_record_are_refused() {
    let folder = folder();
    for design in ["-n 7 --replace", "-n 7 --weight w --replace", "-n 7 --stratify g --replace"] {
        done(&folder, &format!("{design} --seed 0877 --transcript t.json a.csv"));
        let mut record = transcript(&folder);
        let picks = record["picks"].as_array().unwrap().len();
        record["design"]["k"] = json!(1_000_000_000);
        folder.write("large.json", record.to_string());
        let refused = verify(&folder, "large.json a.csv");
        assert_eq!(refused.status.code(), Some(1), "{refused:?}");
        let why = format!("it has {picks} picks, but its design 1000000000 picks");
        assert!(stderr(&refused).contains(&why), "{refused:?}");
    }
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
        "-n 3 --stratify g",
        "-n 9 --stratify g --proportional",
        "-n 7 --group-by id",
        "-n 2 --stratify w --stratify g",
        "-n 7 --group-by w --group-by g",
        "-p 0.05 --group-by id",
        "-p 0.3 --group-by w --group-by g",
        "-p 1/20",
        "--every 30",
        "--shuffle",
        "-n 7 --shard north",
        "-n 7 --context test --shard north",
        "-p 0.05 --group-by id --context test",
    ] {
        let rows = done(&folder, &format!("{design} --seed 0877 --transcript t.json a.csv b.csv"));
        let record = transcript(&folder);
        let (picks, digest) = (rows.lines().count() - 1, record["rows_sha256"].as_str().unwrap());
        let verified = format!("verified: {picks} of 400 rows, SHA-256 {digest}\n");
        assert_ran(&verify(&folder, "t.json a.csv b.csv"), 0, &verified, "");
        // Different rows, or fewer.
        let output = verify(&folder, "t.json b.csv a.csv");
        assert_eq!(output.status.code(), Some(1), "{design}");
        assert!(stdout(&output).starts_with("mismatch\ndoes not agree: "), "{design}");
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
        assert!(stdout(&output).starts_with("mismatch\ndoes not agree: "), "{field}");
    }
}

/// Estimates need the sum of the weights, so a transcript must contain it.
#[test]
fn weights_that_are_missing_do_not_agree() {
    let folder = folder();
    for design in ["--design pps", "--replace"] {
        done(&folder, &format!("-n 7 --weight w {design} --seed 0877 --transcript t.json a.csv b.csv"));
        let mut record = transcript(&folder);
        assert!(record.as_object_mut().unwrap().remove("weights").is_some());
        folder.write("t.json", record.to_string());
        let output = verify(&folder, "t.json a.csv b.csv");
        assert_eq!(output.status.code(), Some(1), "{design}");
        assert!(stdout(&output).starts_with("mismatch\ndoes not agree: weights is "), "{}", stdout(&output));
    }
}

/// A transcript is untrusted: nothing in it becomes an option.
#[test]
fn a_transcript_writes_no_file() {
    let folder = folder();
    done(&folder, "-n 7 --seed 0877 --transcript t.json a.csv b.csv");
    let record = transcript(&folder);
    let whole = "hashwell: t.json: not a transcript of hashwell sample: \
                 a field is missing, or its value has the wrong type\n";
    for format in ["complement=stolen", "output=stolen", "state-out=stolen", "selftest", "", "-"] {
        let mut changed = record.clone();
        changed["input"]["format"] = format.into();
        folder.write("t.json", changed.to_string());
        let output = verify(&folder, "t.json a.csv b.csv");
        assert_eq!((output.status.code(), &stderr(&output)[..]), (Some(1), whole), "{format}");
        assert!(!folder.path().join("stolen").exists(), "{format}");
    }
}

/// Duplicate keys are rejected, because JSON parsers disagree on which of two values counts.
#[test]
fn transcripts_with_a_key_twice_are_refused() {
    let folder = folder();
    done(&folder, "-n 7 --seed 0877 --transcript t.json a.csv b.csv");
    let text = transcript(&folder).to_string();
    for (key, value) in [("picks", "[1,2,3]"), ("seed_hex", "\"00\""), ("n", "1"), ("program", "\"x\"")] {
        let named = format!("{{\"{key}\":{value},");
        for changed in [text.replacen('{', &named, 1), text.replacen("\"design\":{", &named.repeat(2), 1)] {
            folder.write("t.json", changed);
            let output = verify(&folder, "t.json a.csv b.csv");
            assert_eq!(output.status.code(), Some(1), "{key}");
        }
    }
    folder.write("t.json", text.replacen('{', "{\"n\":1,", 1));
    let why = "hashwell: t.json: not a transcript of hashwell sample: duplicate field `n` at line 1 column ";
    let said = stderr(&verify(&folder, "t.json a.csv b.csv"));
    assert!(said.starts_with(why) && said.lines().count() == 1, "{said}");
}

/// The rule of an older version is not supported any more. Its transcripts are rejected with the reason.
#[test]
fn old_samples_with_replacement_are_refused() {
    let folder = folder();
    done(&folder, "-n 7 --replace --seed 0877 --transcript t.json a.csv b.csv");
    let record = transcript(&folder);
    assert_eq!(record["context"], "hashwell sample/2");
    for (context, old) in [
        ("hashwell sample/1", true),
        ("hashwell sample/1 context 4:arms shard x", true),
        ("hashwell sample/3", false),
    ] {
        let mut changed = record.clone();
        changed["context"] = context.into();
        folder.write("t.json", changed.to_string());
        let output = verify(&folder, "t.json a.csv b.csv");
        let said = stderr(&output);
        assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{said}");
        let why = "a version of hashwell before 0.1.0 drew this sample with the context hashwell sample/1; the design \
                   replace now uses the context hashwell sample/2";
        assert_eq!(said.contains(why), old, "{said}");
    }
    // The context of weighted samples is still `hashwell sample/1`.
    done(&folder, "-n 7 --weight w --replace --seed 0877 --transcript t.json a.csv b.csv");
    assert_eq!(transcript(&folder)["context"], "hashwell sample/1");
}

/// A wrong field is reported as an error in the transcript, not in the command line, and no field is ignored.
#[test]
fn malformed_transcripts_are_no_usage_errors() {
    let folder = folder();
    let odd =
        ["null", "true", "-1", "1.0", "18446744073709551616", "\"\"", "\"x\"", "[]", "{}", "\"--output=x\""];
    for (i, design) in
        ["-n 7 --weight w --replace", "-p 0.1", "-n 7 --shard x", "-n 2 --stratify g"].into_iter().enumerate()
    {
        done(&folder, &format!("{design} --seed 0877 --transcript t.json a.csv b.csv"));
        let record = transcript(&folder);
        let outer = record.as_object().unwrap();
        let inner = outer.iter().flat_map(|(key, value)| {
            value.as_object().into_iter().flatten().map(move |(inside, _)| format!("/{key}/{inside}"))
        });
        let places: Vec<String> = outer.keys().map(|key| format!("/{key}")).chain(inner).collect();
        let places = places.iter().filter(|place| !matches!(&place[..], "/program" | "/spec"));
        // Each design tests a part of the values, so that together, each value is tested.
        for (place, odd) in
            places.flat_map(|place| odd.iter().skip(i % 2).step_by(2).map(move |odd| (place, odd)))
        {
            let mut changed = record.clone();
            *changed.pointer_mut(place).unwrap() = "\u{1}".into();
            let text = changed.to_string().replace("\"\\u0001\"", odd);
            let same = serde_json::from_str::<Value>(&text).is_ok_and(|value| value == record);
            // CSV has quotes with and without the option, so the sample is the same.
            if same || (&place[..], *odd) == ("/input/quotes", "true") {
                continue;
            }
            folder.write("t.json", text);
            let output = verify(&folder, "t.json a.csv b.csv");
            let said = (stdout(&output), stderr(&output));
            assert_eq!(output.status.code(), Some(1), "{design}: {place} {odd}: {said:?}");
        }
    }
    assert!(!folder.path().join("x").exists());
    let refused = verify(&folder, "t.json a.csv b.csv --id id");
    assert_eq!((refused.status.code(), &stdout(&refused)[..]), (Some(2), ""));
}

/// Each context gives a different draw, also for samples of keys. Without a context, the seed determines the draw. If
/// one step selects rows, a second step with a different context splits them at the requested rate.
#[test]
fn contexts_make_steps_independent() {
    let folder = Folder::new();
    let rows: String = (0..3000).map(|i| format!("{i},u{i}\n")).collect();
    folder.write("all.csv", format!("id,user\n{rows}"));
    let count = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap().lines().count() - 1;
    let first = done(&folder, "-n 5 --seed s all.csv");
    assert_eq!(done(&folder, "-n 5 --seed s --context= all.csv"), first);
    for design in [
        "-n 5",
        "-n 5 --group-by user",
        "-p 0.01",
        "-p 0.01 --group-by user",
        "--every 100",
        "--shuffle",
        "-n 5 --replace",
    ] {
        let of = |context: &str| done(&folder, &format!("{design} --seed s {context} all.csv"));
        assert!(of("") != of("--context a") && of("--context a") != of("--context b"), "{design}");
    }
    done(
        &folder,
        "-p 0.1 --group-by user --seed s -o test.csv --complement rest.csv --transcript t.json all.csv",
    );
    let again = sample(&folder, "-p 0.1 --group-by user --seed s -o none.csv rest.csv");
    let said = "hashwell: the keys of this input were probably selected before with the same seed and context, so this \
                sample is not independent of the earlier one; give each step its own context (--context)\n";
    assert_ran(&again, 0, "", said);
    assert_eq!(count("none.csv"), 0);
    assert_eq!(stderr(&sample(&folder, "-p 0.5 --group-by user --seed s test.csv")), said);
    // The expected counts are 270 of 2700 and half of 300. The standard deviations are 16 and 9; five of them are
    // allowed.
    done(&folder, "-p 0.1 --group-by user --seed s --context validation -o val.csv rest.csv");
    assert!(count("val.csv").abs_diff(count("rest.csv") / 10) < 80, "{}", count("val.csv"));
    done(&folder, "-p 0.5 --group-by user --seed s --context arms -o a.csv --complement b.csv test.csv");
    assert!(count("a.csv").abs_diff(count("b.csv")) < 90, "{} {}", count("a.csv"), count("b.csv"));

    done(&folder, "-n 5 --seed s --context c --state-out state all.csv");
    for (earlier, own, code) in [
        ("t.json", "", 1),
        ("t.json", "--context c", 0),
        ("state", "--context c", 1),
        ("state", "", 0),
        ("all.csv", "", 1),
    ] {
        let step = sample(&folder, &format!("-n 5 --seed s {own} --after {earlier} all.csv"));
        assert_eq!(step.status.code(), Some(code), "{earlier} {own}: {}", stderr(&step));
    }
}
