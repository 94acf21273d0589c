//! `hashwell process` as a person meets it: values, replicates, laws, terms, pictures, refusals.

mod common;

use common::{Folder, assert_ran, stderr, stdout};
use hashwell_draw::process::registry::PROCESSES;
use std::io::{BufRead, BufReader, Read};
use std::process::{Output, Stdio};

/// Runs `hashwell process` with these words, which have no blanks in them.
fn process(folder: &Folder, options: &str) -> Output {
    folder.hashwell(["process"].into_iter().chain(options.split_whitespace()))
}

/// As [`process`], which must do its work without a word; what it prints.
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
    let page = include_str!("../../../docs/process.md");
    assert_eq!(ALL.map(|(name, _)| name).to_vec(), PROCESSES.iter().map(|row| row.name).collect::<Vec<_>>());
    for ((name, options), row) in ALL.into_iter().zip(PROCESSES) {
        assert!(list.contains(&format!("{name} ")) && list.contains(row.title), "{list}");
        assert!(page.contains(&format!("| `{name}` | {} |", row.title)), "docs/process.md lacks {name}");
        let help = done(&format!("{name} --help"));
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in [row.law, row.cost, row.source] {
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

/// What a seed gives is a promise.
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
    assert_eq!(done("geometric --p 0.5 --seed s --replicates 0 --csv"), "");
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
    assert_eq!(stdout(&law).lines().take(3).collect::<Vec<_>>(), ["outcome,probability", "1,0.5", "2,0.25"]);
    let text = done("geometric --p 0.5 --exact --mass 0.1");
    assert!(text.contains("0.25  2\n") && text.contains("\nlost: 0.0625\n"), "{text}");
    assert!(text.contains("closed form, mean: 2.0\n"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&done("crp --n 3 --alpha 1 --exact --json")).unwrap();
    let outcomes = json["outcomes"].as_array().unwrap();
    let sum: f64 = outcomes.iter().map(|outcome| outcome["probability"].as_f64().unwrap()).sum();
    assert!(outcomes.len() == 5 && (sum - 1.0).abs() < 1e-12, "{json}");
    // Ewens: 3, 2 + 1 and 1 + 1 + 1 customers with 1/3, 1/2 and 1/6.
    let sizes = done("crp --n 3 --alpha 1 --exact --summary --csv");
    let mass = |sizes_: &str| -> f64 {
        let line = sizes.lines().find(|line| line.starts_with(&format!("{sizes_},"))).unwrap();
        line.split(',').nth(1).unwrap().parse().unwrap()
    };
    for (of, expected) in [("3", 1.0 / 3.0), ("2 1", 0.5), ("1 1 1", 1.0 / 6.0)] {
        assert!((mass(of) - expected).abs() < 1e-12, "{of}: {sizes}");
    }
    // Conditioned on what was observed: 0.9 / (0.9 + 0.1).
    let hmm = "hmm --initial 0.5,0.5 --transition 1,0;0,1 --emission 0.9,0.1;0.1,0.9 --observed 0";
    for question in ["--exact", "--posterior"] {
        let text = done(&format!("{hmm} {question} --csv"));
        let line = text.lines().skip(1).find_map(|line| line.strip_prefix("0,")).unwrap();
        let mass: f64 = line.split(',').next().unwrap().parse().unwrap();
        assert!((mass - 0.9).abs() < 1e-12, "{text}");
    }
}

/// Counts beside a law are those of replicates that are counted here.
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
        // A tree has no branches of a term with a density.
        let tree = process(&folder, &format!("{name} {options} --explain --steps 3 --svg tree.svg"));
        let drawn = folder.path().join("tree.svg").exists();
        assert!(
            drawn == tree.status.success() && (drawn || stderr(&tree).contains("density")),
            "{name}: {tree:?}"
        );
    }
    let tree = done("geometric --p 0.25 --explain --steps 1");
    assert_eq!(tree, "Bernoulli(0.25)\n├─ 0 (0.75): …\n└─ 1 (0.25): 1\n");
}

#[test]
fn refusals_are_one_line_that_names_limit_and_value() {
    let folder = Folder::new();
    folder.write("no-trace", "{}");
    folder.write("short", r#"{"terms":[{"draw":0}]}"#);
    for (options, code, parts) in [
        ("nothing", 2, &["nothing", "hashwell process --help"][..]),
        ("crp", 2, &["n", "0 to 2^32 - 1"]),
        ("crp --n -1", 2, &["-1", "0 to 4294967295"]),
        ("crp --n x", 2, &["n must be a whole number", "x"]),
        ("crp --n 3 --alpha 0", 2, &["alpha", "more than 0", "0"]),
        ("crp --n 3 --alpha nan", 2, &["alpha", "NaN"]),
        ("crp --n 3 --beta 1", 2, &["--beta", "hashwell process crp --help"]),
        ("crp --n 3 --encoding apo", 2, &["apo", "urn"]),
        ("geometric --p 2", 2, &["p must be", "2"]),
        ("geometric --p 0.5 --exact --mass 2", 2, &["--mass", "0 to 1"]),
        ("geometric --p 0.5 --threads 0 --replicates 1", 2, &["threads"]),
        ("geometric --p 0.5 --source nothing", 2, &["--source", "blake3", "mwc"]),
        ("geometric --p 0.5 --seed-hex xyz", 2, &["--seed-hex"]),
        ("geometric --p 0.5 --replicates 2 --first 18446744073709551615", 2, &["2^64"]),
        ("geometric --p 0.5 --posterior", 2, &["geometric", "observes nothing"]),
        ("geometric --p 1e-9 --seed a --replicates 2 --steps 10", 1, &["10 terms"]),
        ("crp --n 12 --exact --states 100", 1, &["100"]),
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

/// What nobody reads any more is no failure of the process's; and what Ctrl-C stops leaves whole lines.
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
    let interrupted = folder.command("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
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

/// The pictures of the documentation are those that the program draws (`make docs` draws them anew).
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
