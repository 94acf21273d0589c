//! `hashwell process` as users meet it: values, replicates, distributions, terms, charts, errors.

use crate::common;

use common::{Folder, assert_ran, interrupt, stderr, stdout};
use hashwell_draw::process::registry::PROCESSES;
use std::io::{BufRead, BufReader, Read};
use std::process::{Output, Stdio};
use std::time::Duration;

/// Runs `hashwell process` with these options, which are separated by spaces.
fn process(folder: &Folder, options: &str) -> Output {
    folder.hashwell(["process"].into_iter().chain(options.split_whitespace()))
}

/// Same as [`process`], but must succeed without messages. Returns the output.
#[track_caller]
fn done(options: &str) -> String {
    done_in(&Folder::new(), options)
}

#[track_caller]
fn done_in(folder: &Folder, options: &str) -> String {
    let output = process(folder, options);
    assert_eq!((output.status.code(), &stderr(&output)[..]), (Some(0), ""), "{options}");
    stdout(&output)
}

/// Options with which every process runs.
const ALL: [(&str, &str); 14] = [
    ("geometric", "--p 0.25"),
    ("negative-binomial", "--r 3 --p 0.5"),
    ("crp", "--n 10 --alpha 1.5"),
    ("pitman-yor", "--n 10 --theta 1 --discount 0.5"),
    ("stick-breaking", "--n 10 --theta 2"),
    ("polya-urn", "--n 6"),
    ("hoppe-urn", "--n 6 --theta 2"),
    ("random-walk", "--n 6"),
    ("gamblers-ruin", "--start 2 --target 4"),
    ("markov-chain", "--transition 0.5,0.5;1,0 --n 6"),
    ("hmm", "--initial 0.5,0.5 --transition 0.9,0.1;0.2,0.8 --emission 0.8,0.2;0.3,0.7 --observed 0,1,0"),
    ("ar1", "--n 4 --phi 0.5"),
    ("galton-watson", "--offspring 0.3,0.4,0.3 --generations 3"),
    ("moran", "--n 4"),
];

#[test]
fn every_process_is_listed_described_sampled_and_drawn() {
    let list = done("");
    let page = include_str!("../../../docs/guides/processes.md");
    assert_eq!(ALL.map(|(name, _)| name).to_vec(), PROCESSES.iter().map(|row| row.name).collect::<Vec<_>>());
    for ((name, options), row) in ALL.into_iter().zip(PROCESSES) {
        assert!(list.contains(&format!("{name} ")) && list.contains(row.title), "{list}");
        assert!(
            page.contains(&format!("| `{name}` | {} |", row.title)),
            "docs/guides/processes.md lacks {name}"
        );
        let help = done(&format!("{name} --help"));
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in [row.distribution, row.cost, row.source] {
            assert!(help.contains(&plain(part)), "{name} does not say {part}: {help}");
        }
        for parameter in row.parameters {
            assert!(help.contains(&format!("--{}", parameter.name)), "{name}: {}", parameter.name);
            assert!(help.contains(&plain(parameter.range)), "{name}: {}", parameter.range);
        }
        let folder = Folder::new();
        let value = done_in(&folder, &format!("{name} {options} --seed a --svg v.svg"));
        assert_eq!(value, done(&format!("{name} {options} --seed-hex 61")), "{name}");
        let json = done(&format!("{name} {options} --seed a --json"));
        assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok(), "{name}: {json}");
        let svg = std::fs::read_to_string(folder.path().join("v.svg")).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("<title>") && svg.contains("role=\"img\""), "{name}");
        for encoding in row.encodings.iter().filter(|_| row.encodings.len() > 1) {
            done(&format!("{name} {options} --seed a --encoding {encoding}"));
        }
    }
}

/// The results for a seed never change.
#[test]
fn values_are_pinned() {
    let mut pinned = String::new();
    for (name, options) in ALL {
        let values = done(&format!("{name} {options} --seed 0877 --replicates 3"));
        pinned += &format!("{name} {options}\n{}{values}", done(&format!("{name} {options} --seed 0877")));
    }
    assert_eq!(pinned, include_str!("process_pinned.txt"));
}

#[test]
fn a_new_seed_is_printed_and_gives_the_same_again() {
    let folder = Folder::new();
    let first = process(&folder, "crp --n 50");
    let said = stderr(&first);
    let again = said.strip_prefix("hashwell: drawn with ").and_then(|said| said.strip_suffix('\n')).unwrap();
    assert!(again.starts_with("--seed ") && again.len() == 7 + 32, "{said}");
    assert_ran(&process(&folder, &format!("crp --n 50 {again}")), 0, &stdout(&first), "");
}

#[test]
fn replicates_are_the_same_alone_and_in_any_number_of_threads() {
    for (name, options) in ALL {
        let all = done(&format!("{name} {options} --seed s --replicates 600 --csv"));
        let rows: Vec<&str> = all.lines().collect();
        assert_eq!((rows.len(), &rows[0][..10]), (601, "replicate,"), "{name}");
        for threads in [1, 3] {
            let same = done(&format!("{name} {options} --seed s --replicates 600 --csv --threads {threads}"));
            assert!(same == all, "{name} with {threads} threads");
        }
        let alone = done(&format!("{name} {options} --seed s --replicates 1 --first 599 --csv"));
        assert_eq!(alone.lines().nth(1), rows.last().copied(), "{name}");
        let json = done(&format!("{name} {options} --seed s --replicates 2 --json"));
        assert!(json.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()), "{name}");
    }
    assert_eq!(done("crp --n 3 --seed s --replicates 1 --csv").lines().next(), Some("replicate,0,1,2"));
    assert_eq!(
        done("gamblers-ruin --start 1 --target 3 --seed s --replicates 1 --csv").lines().next(),
        Some("replicate,values")
    );
    for (options, header) in [
        ("geometric --p 0.5", "replicate,value\n"),
        ("crp --n 2", "replicate,0,1\n"),
        ("crp --n 0", "replicate\n"),
        ("gamblers-ruin --start 1 --target 3", "replicate,values\n"),
    ] {
        assert_eq!(done(&format!("{options} --seed s --replicates 0 --csv")), header);
    }
    // Replicates in sequence have the same format.
    assert_eq!(done("crp --n 3 --source mwc --replicates 1 --csv").lines().next(), Some("replicate,0,1,2"));
}

#[test]
fn the_originals_ten_values() {
    let ten = "1\n9\n13\n3\n4\n3\n13\n1\n4\n17\n";
    assert_eq!(done("geometric --p 0.1 --source mwc --replicates 10"), ten);
    assert_eq!(done("geometric --p 0.1 --source mwc --replicates 4 --first 6"), "13\n1\n4\n17\n");
    let refused = process(&Folder::new(), "geometric --p 0.1 --source mwc --seed a");
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn exact_laws() {
    let law = process(&Folder::new(), "geometric --p 0.5 --exact --mass 0.1 --csv");
    assert_eq!(stderr(&law), "hashwell: lost: 0.0625\n");
    // If the user sets the number of steps, the result may be incomplete.
    let few = done("geometric --p 0.5 --exact --steps 2 --json");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&few).unwrap()["facts"]["lost"], 0.25);
    assert_eq!(stdout(&law).lines().take(3).collect::<Vec<_>>(), ["outcome,probability", "1,0.5", "2,0.25"]);
    let text = done("geometric --p 0.5 --exact --mass 0.1");
    assert!(text.contains("0.25  2\n") && text.contains("\nlost: 0.0625\n"), "{text}");
    assert!(text.contains("closed form, mean: 2.0\n"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&done("crp --n 3 --alpha 1 --exact --json")).unwrap();
    let outcomes = json["outcomes"].as_array().unwrap();
    let sum: f64 = outcomes.iter().map(|outcome| outcome["probability"].as_f64().unwrap()).sum();
    assert!(outcomes.len() == 5 && (sum - 1.0).abs() < 1e-12, "{json}");
    // Ewens: 3, 2 + 1 and 1 + 1 + 1 customers with probabilities 1/3, 1/2 and 1/6.
    let sizes = done("crp --n 3 --alpha 1 --exact --summary --csv");
    let mass = |sizes_: &str| -> f64 {
        let line = sizes.lines().find(|line| line.starts_with(&format!("{sizes_},"))).unwrap();
        line.split(',').nth(1).unwrap().parse().unwrap()
    };
    for (of, expected) in [("3", 1.0 / 3.0), ("2 1", 0.5), ("1 1 1", 1.0 / 6.0)] {
        assert!((mass(of) - expected).abs() < 1e-12, "{of}: {sizes}");
    }
    // The probability conditional on the observations is 0.9 / (0.9 + 0.1).
    let hmm = "hmm --initial 0.5,0.5 --transition 1,0;0,1 --emission 0.9,0.1;0.1,0.9 --observed 0";
    for question in ["--exact", "--posterior"] {
        let text = done(&format!("{hmm} {question} --csv"));
        let line = text.lines().skip(1).find_map(|line| line.strip_prefix("0,")).unwrap();
        let mass: f64 = line.split(',').next().unwrap().parse().unwrap();
        assert!((mass - 0.9).abs() < 1e-12, "{text}");
    }
}

const COINS: &str = "hmm --initial 0.5,0.5 --transition 0.9,0.1;0.1,0.9 --emission 0.8,0.2;0.2,0.8";

/// Distributions are conditional on the observations, however likely or unlikely these are.
#[test]
fn laws_given_what_was_observed() {
    let facts = |options: &str| -> serde_json::Value {
        let json: serde_json::Value = serde_json::from_str(&done(options)).unwrap();
        json["facts"].clone()
    };
    let sure = "hmm --initial 1 --transition 1 --emission 0.9999999,0.0000001 --observed 0,0,0 --exact";
    let log = facts(&format!("{sure} --json"))["log evidence"].as_f64().unwrap();
    assert!((log + 3e-7).abs() < 1e-12, "{log}");
    assert!(done(&format!("{sure} --csv")).ends_with("0 0 0,1.0\n"));
    assert_eq!(process(&Folder::new(), &format!("{sure} --replicates 3")).status.code(), Some(2));
    // A mass of 2^-60 does not count as lost.
    let fair = "hmm --initial 0.5,0.5 --transition 0.5,0.5;0.5,0.5 --emission 0.5,0.5;0.5,0.5 --exact --summary --json";
    let observed = vec!["0"; 60].join(",");
    let fair = facts(&format!("{fair} --observed {observed}"));
    let log = fair["log evidence"].as_f64().unwrap();
    assert!(fair["lost"] == 0.0 && (log + 60.0 * 2f64.ln()).abs() < 1e-9, "{fair}");
    // Each row has one value for each state, regardless of the results.
    let posterior = done(&format!("{COINS} --observed 0,0,1 --posterior --csv"));
    let widths: Vec<usize> = posterior.lines().map(|line| line.split(',').count()).collect();
    assert_eq!(widths, [3; 4], "{posterior}");
}

#[test]
fn weights_of_what_was_observed() {
    let observed = format!("{COINS} --observed 0,0,1");
    let options = format!("{observed} --seed s --replicates 4000 --weights");
    let json: Vec<serde_json::Value> =
        done(&format!("{options} --json")).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (facts, replicates) = json.split_last().unwrap();
    assert_eq!(replicates.len(), 4000);
    // The weight of a replicate follows from its states, with a factor of 0.8 for each state that matches its symbol.
    let mut weights = Vec::new();
    for replicate in replicates {
        let path = replicate["value"].as_array().unwrap().iter().zip([0, 0, 1]);
        let weight: f64 = path.map(|(state, seen)| if *state == seen { 0.8 } else { 0.2 }).product();
        assert!((replicate["log weight"].as_f64().unwrap() - weight.ln()).abs() < 1e-12, "{replicate}");
        weights.push(weight);
    }
    let sum: f64 = weights.iter().sum();
    let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
    let fact = |name: &str| facts["facts"][name].as_f64().unwrap();
    assert!((fact("effective sample size") / (sum * sum / squares) - 1.0).abs() < 1e-9, "{facts}");
    assert!((fact("log evidence") - (sum / 4000.0).ln()).abs() < 1e-9, "{facts}");
    // The exact value is -2.3413.
    assert!((fact("log evidence") + 2.3413).abs() < 0.05, "{facts}");
    // The values are the same as without weights, in every format.
    let few = |rest: &str| done(&format!("{observed} --seed s --replicates 3 {rest}"));
    let csv = process(&Folder::new(), &format!("{observed} --seed s --replicates 3 --weights --csv"));
    assert!(stdout(&csv).starts_with("replicate,log weight,0,1,2\n"), "{csv:?}");
    assert!(stderr(&csv).starts_with("hashwell: effective sample size: "), "{csv:?}");
    let text = few("--weights");
    assert!(text.contains("\neffective sample size: ") && text.contains("\nlog evidence: "), "{text}");
    for ((plain, weighted), row) in few("").lines().zip(text.lines()).zip(stdout(&csv).lines().skip(1)) {
        assert_eq!(weighted.split_once("  ").unwrap().1, plain);
        assert!(row.ends_with(&format!(",{}", plain.replace(' ', ","))), "{row}");
    }
    // Impossible observations are reported as such.
    let never =
        "hmm --initial 1 --transition 1 --emission 0,1 --observed 0 --seed s --replicates 1 --weights";
    let said = done(&format!("{never} --json"));
    let [replicate, facts] = &said.lines().collect::<Vec<_>>()[..] else { panic!("{said}") };
    assert!(replicate.contains(r#""log weight":"-inf""#), "{said}");
    assert!(facts.contains(r#""effective sample size":0.0"#) && facts.contains(r#":"-inf""#), "{said}");
}

/// If a replicate fails, the replicates before it are still printed.
#[test]
fn what_came_before_a_failure_is_kept() {
    let options = "geometric --p 0.01 --replicates 2000";
    let all = done(&format!("{options} --seed s"));
    let late = all.lines().position(|line| line.parse::<u64>().unwrap() > 600).unwrap();
    assert!(late > 20, "the seed shows nothing: {late}");
    let before: String = all.lines().take(late).map(|line| format!("{line}\n")).collect();
    for threads in ["1", "3"] {
        let some = process(&Folder::new(), &format!("{options} --seed s --steps 600 --threads {threads}"));
        assert_eq!((some.status.code(), stdout(&some)), (Some(1), before.clone()));
        assert!(stderr(&some).starts_with(&format!("hashwell: in replicate {late}: ")), "{some:?}");
    }
    let drawn = process(&Folder::new(), "geometric --p 1e-9 --replicates 2 --steps 10");
    let said = stderr(&drawn);
    let said: Vec<&str> = said.lines().collect();
    assert!(said.len() == 2 && said[0].starts_with("hashwell: drawn with --seed "), "{said:?}");
    assert!(said[1].contains("in replicate 0"), "{said:?}");
}

#[test]
fn one_value_as_fields() {
    for (options, fields) in [
        ("crp --n 3", "0,1,2\n"),
        ("geometric --p 0.5", "value\n"),
        ("gamblers-ruin --start 1 --target 3", "values\n"),
    ] {
        let csv = done(&format!("{options} --seed s --csv"));
        assert!(csv.starts_with(fields) && csv.lines().count() == 2, "{csv}");
    }
    // Numbers have as few digits as necessary, in every format.
    let huge = "ar1 --n 2 --phi 1 --start 1e200 --seed s";
    let json: serde_json::Value = serde_json::from_str(&done(&format!("{huge} --json"))).unwrap();
    for text in [done(huge), done(&format!("{huge} --csv"))] {
        let last: f64 = text.trim().rsplit([',', ' ', '\n']).next().unwrap().parse().unwrap();
        assert!(
            text.len() < 100 && Some(last) == json.as_array().unwrap().last().unwrap().as_f64(),
            "{text}"
        );
    }
}

/// The counts that are printed with a distribution are the same as those counted from replicates.
#[test]
fn replicates_beside_a_law() {
    for (options, summary) in [("polya-urn --n 3", ""), ("crp --n 4", ""), ("random-walk --n 3", "--summary")]
    {
        let law = done(&format!("{options} --seed s --exact {summary} --replicates 500 --csv"));
        let values = done(&format!("{options} --seed s --replicates 500 --csv"));
        let mut total = 0;
        for row in law.lines().skip(1) {
            let fields: Vec<&str> = row.split(',').collect();
            let came = values.lines().skip(1).filter(|line| {
                let items: Vec<&str> = line.split(',').skip(1).collect();
                if summary.is_empty() {
                    items.join(" ") == fields[0]
                } else {
                    *items.last().unwrap() == fields[0]
                }
            });
            assert_eq!(came.count().to_string(), fields[2], "{options}: {row}");
            total += fields[2].parse::<u64>().unwrap();
        }
        assert_eq!(total, 500, "{law}");
    }
}

#[test]
fn traces_are_scored_and_trees_drawn() {
    for (name, options) in ALL {
        let folder = Folder::new();
        let trace = done_in(&folder, &format!("{name} {options} --seed s --trace --json"));
        let json: serde_json::Value = serde_json::from_str(&trace).unwrap();
        folder.write("trace", &trace);
        let score = done_in(&folder, &format!("{name} {options} --score trace --json"));
        let score: serde_json::Value = serde_json::from_str(&score).unwrap();
        assert_eq!(score["log probability"], json["log probability"], "{name}");
        let text = done_in(&folder, &format!("{name} {options} --seed s --trace"));
        assert!(text.lines().count() > json["terms"].as_array().unwrap().len(), "{name}: {text}");
        let tree = done_in(&folder, &format!("{name} {options} --explain --steps 3 --svg tree.svg"));
        assert!(tree.lines().count() > 1 && folder.path().join("tree.svg").exists(), "{name}: {tree}");
    }
    let tree = done("geometric --p 0.25 --explain --steps 1");
    assert_eq!(tree, "Bernoulli(0.25)\n├─ 0 (0.75): …\n└─ 1 (0.25): 1\n");
}

#[test]
fn refusals_are_one_line_that_names_limit_and_value() {
    let folder = Folder::new();
    folder.write("no-trace", "{}");
    folder.write("short", r#"{"terms":[{"outcome":0}]}"#);
    for (options, code, parts) in [
        ("nothing", 2, &["nothing", "hashwell process --help"][..]),
        ("crp", 2, &["n", "0 to 2^32 - 1"]),
        ("crp --n -1", 2, &["-1", "0 to 4294967295"]),
        ("crp --n x", 2, &["n must be an integer", "x"]),
        ("crp --n 3 --alpha 0", 2, &["alpha", "more than 0", "0"]),
        ("crp --n 3 --alpha nan", 2, &["alpha", "NaN"]),
        ("crp --n 3 --beta 1", 2, &["--beta", "hashwell process crp --help"]),
        ("crp --n 3 --encoding apo", 2, &["apo", "urn"]),
        ("geometric --p 2", 2, &["p must be", "2"]),
        ("geometric --p 0.5 --exact --mass 2", 2, &["--mass", "0 to 1"]),
        ("geometric --p 0.5 --threads 0 --replicates 1", 2, &["threads", "1 to 256"]),
        ("geometric --p 0.5 --threads 257 --replicates 1", 2, &["threads", "257", "1 to 256"]),
        ("geometric --p 0.5 --threads 2 --seed a", 2, &["--replicates"]),
        ("geometric --p 0.5 --mass 0.1 --seed a", 2, &["--exact"]),
        ("geometric --p 0.5 --states 9 --replicates 2", 2, &["--exact"]),
        (
            "geometric --p 0.5 --exact --seed a",
            2,
            &["--seed has no effect with --exact without --replicates"],
        ),
        ("geometric --p 0.5 --explain --seed-hex 00", 2, &["--seed-hex has no effect with --explain"]),
        ("geometric --p 0.5 --source nothing", 2, &["--source", "blake3", "mwc"]),
        ("geometric --p 0.5 --seed-hex xyz", 2, &["--seed-hex"]),
        ("geometric --p 0.5 --replicates 2 --first 18446744073709551615", 2, &["2^64"]),
        ("geometric --p 0.5 --posterior", 2, &["geometric", "observations"]),
        ("geometric --p 1e-9 --seed a --replicates 2 --steps 10", 1, &["10 terms"]),
        ("crp --n 12 --exact --states 100", 1, &["100", "(--states)"]),
        ("geometric --p 1e-9 --seed a --steps 10", 1, &["10 terms", "(--steps)"]),
        ("geometric --p 1e-9 --seed a --steps 10 --trace", 1, &["10 terms", "(--steps)"]),
        ("crp --n 50 --seed a --steps 10", 1, &["10 terms"]),
        ("crp --n 50 --seed a --steps 10 --replicates 2", 1, &["10 terms"]),
        ("hoppe-urn --n 50 --seed a --steps 10", 1, &["10 terms"]),
        ("pitman-yor --n 50 --discount 0.5 --seed a --steps 10 --replicates 1", 1, &["10 terms"]),
        ("geometric --p 1e-9 --exact", 1, &["after 1048576 steps", "0.99", "--steps N"]),
        ("geometric --p 0.5 --seed a --svg -", 2, &["--svg", "must be a file"]),
        ("geometric --p 1e-12 --svg .", 1, &[".: is a directory"]),
        ("geometric --p 1e-12 --replicates 9 --svg nowhere/x.svg", 1, &["nowhere/x.svg"]),
        ("geometric --p 0.5 --replicates 2 --weights", 2, &["--weights", "observations; geometric has none"]),
        ("hmm --initial 0.5,0.5 --transition 1 --emission 1 --observed 0", 2, &["must be 2, not 1"]),
        ("hmm --initial 1 --transition 1 --emission 0,1 --observed 0 --exact", 1, &["hmm", "probability 0"]),
        ("ar1 --n 3 --phi 0.5 --exact", 1, &[]),
        ("geometric --p 0.5 --score no-trace", 1, &["no-trace", "terms"]),
        ("geometric --p 0.5 --score short", 1, &["short", "step 1"]),
        ("geometric --p 0.5 --score nowhere", 1, &["nowhere"]),
        ("geometric --p 0.5 --svg nowhere/x.svg", 1, &["nowhere/x.svg"]),
    ] {
        let output = process(&folder, options);
        let said = stderr(&output);
        let lines = said.lines().filter(|line| !line.contains("drawn with")).count();
        assert_eq!((output.status.code(), lines), (Some(code), 1), "{options}: {said}");
        assert_eq!(stdout(&output), "", "{options}");
        assert!(
            said.starts_with("hashwell: ") && parts.iter().all(|part| said.contains(part)),
            "{options}: {said}"
        );
    }
}

/// A closed pipe is not a failure, and Ctrl-C leaves complete lines.
#[test]
fn closed_pipes_and_interruptions() {
    let folder = Folder::new();
    let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
    let endless =
        ["process", "random-walk", "--n", "20", "--seed", "a", "--replicates", "1000000000", "--csv"];
    command.args(endless).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    lines.read_line(&mut String::new()).unwrap();
    drop(lines);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(141), String::new()));

    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    lines.read_line(&mut String::new()).unwrap();
    interrupt(&child);
    let mut rest = String::new();
    lines.read_to_string(&mut rest).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(
        rest.ends_with('\n') && stderr(&output).starts_with("hashwell: stopped after "),
        "{}",
        stderr(&output)
    );
    for (j, line) in rest.lines().enumerate() {
        assert!(line.starts_with(&format!("{j},")) && line.split(',').count() == 22, "{line}");
    }
}

/// Ctrl-C works during a replicate, or a value, that never ends.
#[test]
fn endless_runs_are_interrupted() {
    let folder = Folder::new();
    for (options, said) in [
        ("--seed a --replicates 5", "stopped after 0 replicates"),
        ("--seed a --replicates 5 --threads 3", "stopped after 0 replicates"),
        ("--seed a", "stopped before the process ended"),
        ("--source mwc --replicates 5", "stopped after 0 replicates"),
    ] {
        let mut command = folder.command(env!("CARGO_BIN_EXE_hashwell"));
        command.args(["process", "geometric", "--p", "1e-18"]).args(options.split(' '));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Wait until the run has started: before that, Ctrl-C would end the process without a message.
        std::thread::sleep(Duration::from_secs(1));
        assert!(child.try_wait().unwrap().is_none(), "{options}");
        interrupt(&child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            (output.status.code(), stdout(&output), stderr(&output)),
            (Some(130), String::new(), format!("hashwell: {said}\n")),
            "{options}"
        );
    }
}

/// The charts in the documentation are those that the program draws (`make docs` updates them).
#[test]
fn the_gallery_is_what_the_program_draws() {
    let commands = include_str!("../../../docs/gallery/commands.txt");
    let gallery = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/gallery");
    let folder = Folder::new();
    for line in commands.lines() {
        let (name, options) = line.split_once(": ").unwrap();
        let process = if options.starts_with("--") { name } else { "" };
        done_in(&folder, &format!("{process} {options} --svg {name}.svg"));
        let file = format!("{name}.svg");
        let drawn = std::fs::read_to_string(folder.path().join(&file)).unwrap();
        let kept = std::fs::read_to_string(gallery.join(&file)).unwrap();
        assert!(drawn == kept, "{file} is another picture: make docs");
        assert!(drawn.len() < 100_000, "{file} has {} bytes", drawn.len());
    }
    for row in PROCESSES {
        assert!(commands.contains(&format!("{}: --", row.name)), "{} has no picture", row.name);
    }
}
