//! `hashwell draw` and `verify`: this program and the auditor's program make the same draws and reject the same errors.

use crate::common;

use common::{Folder, assert_ran, output, stderr, stdout};
use hashwell_draw::hwdraw::{EntryList, Evidence, Mismatch, Transcript, Unchecked, Verification, verify};
use serde_json::Value;
use std::path::Path;
use std::process::Output;

const FRUIT: &str = "fig\napple\npear\nquince\nplum\ncherry\n";
const DICE: &str = "08773518267254361087";

fn draw(folder: &Folder, options: &str) -> Output {
    folder.hashwell([&["draw"], &options.split_whitespace().collect::<Vec<_>>()[..]].concat())
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("fruit", FRUIT);
    folder.write("weights", "a\t1\nb\t2.5\nc\t0\nd\t3\ne\t2.5\n");
    folder.write("strata", "a\tx\nb\tx\nc\ty\nd\ty\ne\ty\nf\tz\n");
    folder.write("both", "a\tx\t1\nb\tx\t2\nc\ty\t3\nd\ty\t0.5\n");
    folder
}

fn python() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference/draw.py")
}

/// The commitment in `t.json`.
fn commitment(folder: &Folder) -> String {
    let text = std::fs::read_to_string(folder.path().join("t.json")).unwrap();
    text["{\n\"commitment\": \"".len()..][..64].to_owned()
}

/// Runs the auditor's program, if Python is installed.
fn audit(folder: &Folder, arguments: &[&str]) -> Option<Output> {
    output(folder.command("python3").arg(python()).args(arguments))
}

#[test]
fn draws_are_rechecked_by_both_programs() {
    let folder = folder();
    let draws = [
        ("-n 3", "fruit"),
        ("-n 3 --method ticket --context round\u{e9}", "fruit"),
        ("-n 6 --method index --source shake256", "fruit"),
        ("-n 2 --method index --source blake3", "fruit"),
        ("-n 2 --method gap --open", "fruit"),
        ("-n 9 --method replace --source hmac-drbg-sha256", "fruit"),
        ("-p 0.4 --method bernoulli", "fruit"),
        ("-n 3 --method weighted-ticket", "weights"),
        ("-n 2 --method pps-systematic --scale 3", "weights"),
        ("-n 4 --strata proportional", "strata"),
        ("-n 1 --strata each --method ticket", "strata"),
        ("-n 2 --strata proportional --method weighted-ticket", "both"),
        ("-n 4 --range 1000", ""),
        ("-n 4 --range 100 --method ticket", ""),
        ("-n 2 --range 18446744073709551615", ""),
    ];
    let seeds = [&*format!("--dice {DICE}"), "--seed se\u{e9}d", "--seed-hex 00ff"];
    for ((options, list), seed) in draws.into_iter().zip(seeds.into_iter().cycle()) {
        let drawn = draw(&folder, &format!("{options} {seed} --transcript t.json {list}"));
        assert_eq!((drawn.status.code(), stderr(&drawn)), (Some(0), String::new()), "{options}");
        let lists: &[&str] = if list.is_empty() { &[] } else { &[list] };
        let verified = folder.hashwell([&["verify", "t.json"], lists].concat());
        let codes = |text: &str| {
            let lines: Vec<&str> = text.lines().map(|line| line.split(':').next().unwrap()).collect();
            lines.join("; ")
        };
        let (partial, unchecked) = ("consistent, but not fully verified", "not checked; not checked");
        let lines =
            format!("{partial}; hwdraw/1 commitment {}; seed planned; seed given", commitment(&folder));
        assert_eq!(codes(&stdout(&verified)), format!("{lines}; {unchecked}"), "{options}");
        assert_eq!(verified.status.code(), Some(3), "{options}: {}", stdout(&verified));
        if let Some(audited) = audit(&folder, &[&["t.json"], lists].concat()) {
            assert_eq!((audited.status.code(), stderr(&audited)), (Some(3), String::new()));
            assert_eq!(codes(&stdout(&audited)), format!("{lines}; {unchecked}"), "{options}");
        }
        assert_eq!(folder.hashwell(["verify", "t.json"]).status.code(), Some(3));
        // With the commitment and a witness of the seed, everything can be checked.
        let committed = commitment(&folder);
        let all = ["--seed-attested", "--committed", &committed, "t.json"];
        let verified = folder.hashwell([&["verify"], &all[..], lists].concat());
        assert_eq!(verified.status.code(), Some(0), "{options}: {}", stdout(&verified));
        assert!(stdout(&verified).starts_with("verified: "));
        if let Some(audited) = audit(&folder, &[&all[..], lists].concat()) {
            assert_eq!(audited.status.code(), Some(0), "{}", stdout(&audited));
            assert!(stdout(&audited).starts_with("verified\n"));
        }
        // A different list gives a different draw.
        if !list.is_empty() && !options.contains("--open") {
            let text = std::fs::read_to_string(folder.path().join(list)).unwrap();
            folder.write("other", text.replacen('a', "A", 1));
            let refused = folder.hashwell(["verify", "t.json", "other"]);
            assert_eq!(refused.status.code(), Some(1));
            assert!(stdout(&refused).starts_with("mismatch: "));
            assert!(stdout(&refused).contains("\ndoes not agree: the digest of the list"));
            if let Some(audited) = audit(&folder, &["t.json", "other"]) {
                assert_eq!(audited.status.code(), Some(1));
            }
        }
    }
}

/// This program verifies draws made in Python: random plans of `reference/test_draw.py`.
#[test]
fn the_auditors_draws_are_rechecked_here() {
    let folder = folder();
    let script = "
import json, random, sys
sys.path.insert(0, sys.argv[1])
from reference.test_draw import complete, list_bytes, random_draw
rng = random.Random(2026)
for i in range(40):
    plan, seed, rows = random_draw(rng)
    open(f't{i}', 'w', encoding='utf-8').write(json.dumps(complete(plan, seed, rows)))
    open(f'f{i}', 'wb').write(list_bytes(rows)[0])
";
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let Some(python) = output(folder.command("python3").args(["-c", script]).arg(root)) else { return };
    assert_ran(&python, 0, "", "");
    for i in 0..40 {
        let verified = folder.hashwell(["verify", "-z", &format!("t{i}"), &format!("f{i}")]);
        assert_eq!(
            (verified.status.code(), stderr(&verified)),
            (Some(3), String::new()),
            "{i}: {}",
            stdout(&verified)
        );
        assert_eq!(stdout(&verified).lines().count(), 6);
    }
}

/// The values of a draw never change.
#[test]
fn pinned() {
    let folder = folder();
    let pinned = |options: &str, expected: &str| assert_ran(&draw(&folder, options), 0, expected, "");
    let seed = format!("--dice {DICE} --context example");
    pinned(&format!("-n 6 {seed} fruit"), PINNED[0]);
    pinned(&format!("-n 3 --method ticket {seed} fruit"), PINNED[1]);
    pinned(&format!("-n 3 --method weighted-ticket {seed} weights"), PINNED[2]);
    pinned(&format!("-n 2 --method pps-systematic {seed} weights"), PINNED[3]);
    pinned(&format!("-n 4 --strata proportional {seed} strata"), PINNED[4]);
    pinned(&format!("-n 3 --range 1000000 {seed}"), PINNED[5]);
}

const PINNED: [&str; 6] = [
    "apple\ncherry\nquince\nfig\npear\nplum\n",
    "quince\napple\nplum\n",
    "e\nb\na\n",
    "a\nd\n",
    "b\nc\nd\nf\n",
    "121834\n875999\n424843\n",
];

#[test]
fn order_and_ends_of_lines_do_not_matter() {
    let folder = folder();
    let expected = stdout(&draw(&folder, "-n 4 --seed s fruit"));
    folder.write("sorted", "apple\r\ncherry\r\nfig\r\npear\r\nplum\r\nquince\r\n");
    assert_eq!(stdout(&draw(&folder, "-n 4 --seed s sorted")), expected);
    folder.write("zero", FRUIT.replace('\n', "\0"));
    assert_eq!(stdout(&draw(&folder, "-n 4 --seed s -z zero")), expected.replace('\n', "\0"));
    // In a stream, the order is the only information.
    assert_ne!(
        draw(&folder, "-n 4 --seed s --open fruit").stdout,
        draw(&folder, "-n 4 --seed s --open sorted").stdout
    );
    let prefix = stdout(&draw(&folder, "-n 3 --seed s fruit"));
    assert!(expected.starts_with(&prefix));
    assert_ne!(draw(&folder, "-n 6 --dice 01 fruit").stdout, draw(&folder, "-n 6 --dice 1 fruit").stdout);
    assert_eq!(
        draw(&folder, "-n 6 --dice 01 fruit").stdout,
        draw(&folder, "-n 6 --seed-hex 3031 fruit").stdout
    );
}

#[test]
fn commitments_are_kept() {
    let folder = folder();
    let committed = draw(&folder, "-n 3 --context c --seed-source dice --commit fruit");
    let text = stdout(&committed);
    let (line, plan) = text.split_once('\n').unwrap();
    let commitment = line.strip_prefix("hwdraw/1 commitment ").unwrap();
    let digest: String = hashwell::Sha256::digest(plan.trim_end().as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(digest, commitment);
    let drawn = draw(
        &folder,
        &format!("-n 3 --context c --dice {DICE} --committed {commitment} --transcript t fruit"),
    );
    assert_eq!(drawn.status.code(), Some(0), "{}", stderr(&drawn));
    assert!(std::fs::read_to_string(folder.path().join("t")).unwrap().contains(commitment));
    let other = draw(&folder, &format!("-n 4 --context c --dice {DICE} --committed {commitment} fruit"));
    assert_eq!((other.status.code(), stdout(&other)), (Some(1), String::new()));
    assert!(stderr(&other).contains("nothing was drawn"));
    assert_eq!(draw(&folder, "-n 3 --commit fruit").status.code(), Some(2));
}

/// A seed from a different source than the plan's is rejected, no matter how the plan describes it.
#[test]
fn the_seed_comes_from_where_the_plan_says() {
    let folder = folder();
    let chain = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";
    let commit = |source: &str, description: &str| {
        folder.hashwell([
            "draw",
            "-n",
            "1",
            "--seed-source",
            source,
            "--seed-description",
            description,
            "--commit",
            "fruit",
        ])
    };
    for free in [
        format!("Drand {chain} 123"),
        format!(" drand {chain} 123"),
        format!("drand\t{chain} 123"),
        format!("drand\u{a0}{chain} 123"),
        format!("drand {} 123", chain.to_uppercase()),
        format!("drand {chain} 0123"),
        format!("drand {chain} +123"),
        "drand quicknet 123".to_owned(),
        "NIST 2 7".to_owned(),
        "nist\t2\t7".to_owned(),
        "drand".to_owned(),
        "Dice".to_owned(),
        "dice, thrown in public on 3 May".to_owned(),
        String::new(),
    ] {
        let refused = commit(&free, "");
        let said = stderr(&refused);
        assert_eq!((refused.status.code(), stdout(&refused)), (Some(2), String::new()), "{free}");
        assert!(
            said.contains("--seed-source: the source of a seed must be dice, text")
                && said.lines().count() == 1
        );
        assert!(said.contains("--seed-description"), "{said}");
        // Such a text is not accepted as a description, either.
        let described = commit("dice", &free);
        let is_free = ["Dice", "dice, thrown in public on 3 May", ""].contains(&&*free);
        assert_eq!(described.status.code(), Some(if is_free { 0 } else { 1 }), "{free}");
    }
    assert!(
        stderr(&commit(&format!("nist 7 {}", 777), ""))
            .contains("no certificate is built in for NIST beacon chain 7")
    );
    let drand = format!("drand {chain} 123");
    for planned in ["dice", "text", "os", &drand, "nist 2 777"] {
        let drawn = folder.hashwell([
            "draw",
            "-n",
            "1",
            "--seed-source",
            planned,
            "--seed-hex",
            "00",
            "--transcript",
            "t",
            "fruit",
        ]);
        assert_eq!((drawn.status.code(), stdout(&drawn)), (Some(1), String::new()), "{planned}");
        assert!(stderr(&drawn).contains("but the given seed is hex"), "{}", stderr(&drawn));
        assert!(!folder.path().join("t").exists());
    }
    let without = draw(&folder, "-n 1 --commit fruit");
    assert!(stderr(&without).contains("--commit requires --seed-source"), "{}", stderr(&without));
    // The plan's seed source and the given seed are displayed one below the other.
    let drawn = folder.hashwell([
        "draw",
        "-n",
        "1",
        "--seed",
        "s\u{e9}\n",
        "--seed-description",
        "the title\u{2019}s text",
        "--transcript",
        "t",
        "fruit",
    ]);
    assert_eq!(drawn.status.code(), Some(0), "{}", stderr(&drawn));
    let verified = stdout(&folder.hashwell(["verify", "t", "fruit"]));
    let seed = "seed planned: text (\"the title\u{2019}s text\")\nseed given:   text \"s\u{e9}\\n\"\n";
    assert!(verified.contains(seed), "{verified}");
}

#[test]
fn beacons() {
    let folder = folder();
    let signature =
        "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92";
    folder.write("round", format!("{{\"round\":123,\"signature\":\"{signature}\"}}"));
    folder.write("flipped", format!("{{\"round\":123,\"signature\":\"{}3\"}}", &signature[..95]));
    let drawn = draw(&folder, "-n 2 --drand round --transcript t.json fruit");
    assert_eq!(drawn.status.code(), Some(0), "{}", stderr(&drawn));
    let listed = &commitment(&folder);
    let chain = "chain 52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971 round 123";
    let verified = folder.hashwell(["verify", "--committed", listed, "t.json", "fruit"]);
    assert_eq!((verified.status.code(), stderr(&verified)), (Some(0), String::new()));
    let lines = |first: &str, hex: &str| {
        format!(
            "{first}\nhwdraw/1 commitment {listed}\nseed planned: drand {chain}\nseed given:   drand {chain} {hex}\n"
        )
    };
    let said = stdout(&verified);
    let hex = said.trim_end().rsplit(' ').next().unwrap_or_default().to_owned();
    assert_eq!(said, lines("verified: 2 of 6 by index", &hex));
    if let Some(audited) = audit(&folder, &["--committed", listed, "t.json", "fruit"]) {
        let unchecked = "not checked: the signature of the beacon\n";
        assert_ran(&audited, 3, &(lines("consistent, but not fully verified", &hex) + unchecked), "");
    }
    let planned = "drand 52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971 123";
    let committed = folder.hashwell(["draw", "-n", "2", "--commit", "--seed-source", planned, "fruit"]);
    let commitment = stdout(&committed)[20..84].to_owned();
    assert_eq!(
        draw(&folder, &format!("-n 2 --drand round --committed {commitment} fruit")).stdout,
        drawn.stdout
    );
    let flipped = draw(&folder, "-n 2 --drand flipped fruit");
    assert_eq!((flipped.status.code(), stdout(&flipped)), (Some(1), String::new()));
    assert!(stderr(&flipped).starts_with("hashwell: flipped: not a drand round: "), "{}", stderr(&flipped));
    // The parameters of a different chain, and parameters that no chain has.
    let parameters = r#"{"public_key":"00","period":3,"genesis_time":1,"hash":"00","groupHash":"00"}"#;
    folder.write("info", parameters);
    let wrong = folder.hashwell(["verify", "--drand-chain", "info", "t.json", "fruit"]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(stderr(&wrong).contains("info: not a drand round: the chain hash"), "{}", stderr(&wrong));
}

#[test]
fn pulses_with_their_certificate() {
    let folder = folder();
    let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hashwell-draw");
    for (name, path) in [
        ("pulse", "tests/nist/pulse-54610.json"),
        ("pem", "src/hwdraw/beacon/nist-chain1-2018.pem"),
        ("other.pem", "src/hwdraw/beacon/nist-chain2-2025.pem"),
    ] {
        folder.write(name, std::fs::read_to_string(known.join(path)).unwrap());
    }
    let committed =
        folder.hashwell(["draw", "-n", "2", "--commit", "--seed-source", "nist 1 54610", "fruit"]);
    let commitment = stdout(&committed)[20..84].to_owned();
    let command = format!("-n 2 --nist pulse --committed {commitment} --transcript t fruit");
    for certificate in ["", "--certificate pem "] {
        let drawn = draw(&folder, &format!("{certificate}{command}"));
        assert_eq!(drawn.status.code(), Some(0), "{}", stderr(&drawn));
    }
    let verify = |options: &[&str]| folder.hashwell([&["verify"], options, &["t", "fruit"]].concat());
    for options in [&["--committed", &commitment][..], &["--committed", &commitment, "--certificate", "pem"]]
    {
        let verified = verify(options);
        assert_eq!(verified.status.code(), Some(0), "{}", stdout(&verified));
        assert!(stdout(&verified).starts_with("verified: 2 of 6 by index\n"));
        assert!(stdout(&verified).contains("\nseed planned: nist chain 1 pulse 54610 certificate 5501e3d7"));
    }
    let other = verify(&["--certificate", "other.pem"]);
    assert!(other.status.code() == Some(1) && stdout(&other).contains("the given certificate has SHA-512"));
    if let Some(audited) = audit(&folder, &["--committed", &commitment, "t", "fruit"]) {
        assert_eq!(audited.status.code(), Some(0), "{}", stdout(&audited));
    }
    let refused = draw(&folder, "-n 2 --nist pulse --certificate other.pem --transcript u fruit");
    assert!(refused.status.code() == Some(1) && stderr(&refused).contains("it names certificate"));
    // A different certificate gives a different commitment.
    let own = folder.hashwell([
        "draw",
        "-n",
        "2",
        "--seed-source",
        "nist 1 54610",
        "--certificate",
        "other.pem",
        "--commit",
        "fruit",
    ]);
    assert_ne!(stdout(&own)[20..84], commitment);
    assert!(!folder.path().join("u").exists());
    let transcript = std::fs::read_to_string(folder.path().join("t")).unwrap();
    let at = transcript.find("\"signature\":\"").unwrap() + 13;
    let flipped = if transcript[at..].starts_with('6') { "7" } else { "6" };
    folder.write("t", format!("{}{flipped}{}", &transcript[..at], &transcript[at + 1..]));
    assert_eq!(verify(&[]).status.code(), Some(1));
    if let Some(audited) = audit(&folder, &["t", "fruit"]) {
        assert_eq!(audited.status.code(), Some(1));
    }
}

#[test]
fn ceremonies_of_others() {
    let folder = folder();
    let run = |arguments: &[&str]| stdout(&folder.hashwell([&["draw", "--replay"], arguments].concat()));
    let sources = "9319\n2 5 12 8 10\n9 18 26 34 41 45";
    let picks = "17\n7\n2\n16\n25\n23\n8\n24\n19\n13\n";
    assert_eq!(run(&["rfc3797", "--range", "25", "-n", "10", "--seed", sources]), picks);
    assert_eq!(
        run(&["rfc3797", "--range", "25", "-n", "10", "--seed", "9319./2.5.8.10.12./9.18.26.34.41.45./"]),
        picks
    );
    assert_eq!(run(&["rivest", "--range", "1000", "-n", "3", "--seed", "0000000000"]), "978\n359\n132\n");
    let replaced = run(&["rivest", "--range", "2", "-n", "3", "--method", "replace", "--seed", "0"]);
    assert_eq!(replaced, "1\n1\n2\n");
    folder.write("ids", "A#2\nB#7\nC#1\nD#4\n");
    let consistent =
        run(&["consistent-sampler", "-n", "8", "--method", "replace", "--seed", "314159", "ids"]);
    let ids: String =
        consistent.lines().map(|line| format!("{}\n", line.split('\t').next().unwrap())).collect();
    assert_eq!(ids, "D#4\nC#1\nC#1\nB#7\nA#2\nC#1\nD#4\nB#7\n");
    // The tickets in the documentation of consistent_sampler.
    folder.write("six", "A-1\nA-2\nA-3\nB-1\nB-2\nB-3\n");
    let tickets =
        run(&["consistent-sampler", "-n", "2", "--seed", "314159", "six", "--transcript", "record"]);
    assert_eq!(tickets, "B-2\t0.410310858\nB-3\t0.470960291\n");
    let record: Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("record")).unwrap()).unwrap();
    assert_eq!(
        (&record["spec"], &record["n"], &record["k"]),
        (&"consistent-sampler".into(), &6.into(), &2.into())
    );
    assert_eq!(record["picks"][0]["id"], "B-2");
    assert!(record["picks"][0]["ticket"].as_str().unwrap().starts_with("0.410310858"));
    run(&["rfc3797", "--range", "25", "-n", "1", "--seed", sources, "--transcript", "record"]);
    let record: Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("record")).unwrap()).unwrap();
    assert_eq!(record["picks"][0]["md5"], "990dd0a5692a029a98b5e01aa28f3459");
    let verified = folder.hashwell(["verify", "record"]);
    assert!(stderr(&verified).contains("'draw --replay rfc3797'; to check it, run"), "{verified:?}");
    assert_eq!(
        run(&["rivest", "-n", "1", "--seed", "0", "fruit"]),
        "quince\n".replace("quince", RIVEST_OF_SIX)
    );
}

const RIVEST_OF_SIX: &str = "plum";

/// A list with ticket counts is not drawn with equal chances without a note.
#[test]
fn numbers_that_look_like_weights_are_noted() {
    let folder = Folder::new();
    folder.write("tickets", "ada\t3\nben\t1\n");
    folder.write("dates", "ada\t3\nben\tfirst\n");
    for (options, is_noted) in [
        ("-n 1 --seed s tickets", true),
        ("-n 1 --seed s --method weighted-ticket tickets", false),
        ("-n 1 --seed s dates", false),
        ("-n 1 --seed s --range 5", false),
    ] {
        let drawn = draw(&folder, options);
        let said = stderr(&drawn);
        assert_eq!(
            (drawn.status.code(), said.contains("not as a weight (")),
            (Some(0), is_noted),
            "{options}: {said}"
        );
    }
}

#[test]
fn one_line_says_what_is_wrong() {
    let folder = folder();
    folder.write("twice", "a\nb\na\n");
    folder.write("latin", b"caf\xe9\n");
    folder.write("newline", "a\nb\0");
    folder.write("empty", "");
    folder.write("more.csv", "name,w\nAcme,5,000\nfig,7\n");
    folder.write("less.csv", "name,w\nAcme,5\nfig\n");
    let nine = "9".repeat(90);
    folder.write("wide", format!("a\t{nine}\n"));
    for (options, code, message) in [
        ("-n 2 fruit", 2, "a draw needs a seed that no one could choose"),
        ("--seed s fruit", 2, "missing option -n K: the number of rows to draw"),
        ("-n 7 --seed s fruit", 1, "k must be 1 to 6, not 7"),
        ("-n 0 --seed s fruit", 1, "k must be 1 to 6, not 0"),
        ("-n 1 --seed s empty", 1, "empty: there is nothing to draw from"),
        ("-n 1 --seed s --range 0", 1, "--range 0: there is nothing to draw from"),
        ("-n 1 --seed s --replay rivest empty", 1, "empty: there is nothing to draw from"),
        ("-n 1 --replay rivest --dice 123 fruit", 2, "cannot be used with"),
        ("-n 1 --replay rivest --os-seed fruit", 2, "cannot be used with"),
        ("-n 1 --replay rivest --seed 1 --context c fruit", 2, "cannot be used with"),
        ("-n 1 --replay rivest --seed 1 --source blake3 fruit", 2, "cannot be used with"),
        ("-n 1 --seed 1 --drand-chain fruit fruit", 2, "--drand-chain requires --drand"),
        ("-n 1 --seed s --transcript - fruit", 2, "must be a file, not standard output"),
        (
            "-n 1 --seed s --id name --weight w -m weighted-ticket more.csv",
            1,
            "more.csv:2: the row has 3 fields, but the header has 2",
        ),
        ("-n 1 --seed s --id name less.csv", 1, "less.csv:3: the row has 1 fields, but the header has 2"),
        (
            "-n 1 --seed s --no-header --id 1 more.csv",
            1,
            "more.csv:2: the row has 3 fields, but the first row has 2",
        ),
        ("-n 1 --seed s twice", 1, "twice: invalid list: rows 1 and 3 have the same id \"a\""),
        ("-n 1 --seed s latin", 1, "row 1 is not UTF-8"),
        ("-n 1 --seed s -z newline", 0, ""),
        ("-n 1 --method weighted-ticket --seed s wide", 1, "less than 2^64"),
        ("-n 1 --method weighted-ticket --seed s fruit", 1, "row 1 has 1 of 2 columns"),
        ("-n 1 --dice 12a fruit", 2, "not a sequence of dice digits"),
        ("-n 1 --seed-hex 0 fruit", 2, "--seed-hex"),
        ("-n 1 --seed s --dice 1 fruit", 2, "cannot be used with"),
        ("-n 1 --seed s --method bernoulli fruit", 2, "bernoulli takes -p/--probability"),
        ("-p 2 --seed s --method bernoulli fruit", 1, "p must be a decimal number from 0 to 1"),
        ("-n 1 --seed s --source sha256 fruit", 2, "--source"),
        ("-n 1 --seed s --certificate fruit fruit", 2, "--certificate requires --nist"),
        ("-n 1 --seed s missing", 1, "missing: No such file"),
        ("-n 1 --seed s --method gap --range 5", 1, "the method gap requires a list"),
        ("-n 1 --seed s --method ticket --range 100000001", 1, "at most 100000000"),
        ("-n 1 --seed 1/ --replay rfc3797 --range 65536", 1, "n must be 1 to 65535"),
        ("-n 1 --seed s --transcript missing/t fruit", 1, "missing/t"),
    ] {
        let output = draw(&folder, options);
        assert_eq!(output.status.code(), Some(code), "{options}: {}", stderr(&output));
        let said = stderr(&output);
        assert!(said.contains(message) && said.lines().count() == usize::from(code > 0), "{options}: {said}");
        assert!(said.len() < 500, "{options}: {said}");
        assert!(code == 0 || output.stdout.is_empty(), "{options}");
    }
    folder.write("bad.json", "[".repeat(100_000));
    for arguments in [&["verify", "bad.json"][..], &["verify", "missing"], &["verify", "fruit", "fruit"]] {
        let output = folder.hashwell(arguments);
        assert_eq!((output.status.code(), stderr(&output).lines().count()), (Some(1), 1), "{arguments:?}");
    }
    assert_eq!(folder.hashwell(["verify", "-", "-"]).status.code(), Some(2));
}

#[test]
fn the_systems_seed_can_be_pasted_back() {
    let folder = folder();
    let first = draw(&folder, "-n 6 --os-seed --context c fruit");
    let said = stderr(&first);
    let seed = said.strip_prefix("hashwell: seed: ").unwrap().trim();
    assert_eq!(draw(&folder, &format!("-n 6 {seed} --context c fruit")).stdout, first.stdout);
    assert_ne!(stderr(&draw(&folder, "-n 6 --os-seed --context c fruit")), said);
}

/// A plan with an operating system's seed can be repeated, with the same transcript.
#[test]
fn the_systems_seed_repeats_a_committed_draw() {
    let folder = folder();
    let first = draw(&folder, "-n 2 --os-seed --transcript t.json fruit");
    let seed = stderr(&first).strip_prefix("hashwell: seed: ").unwrap().trim().to_owned();
    let again = draw(&folder, &format!("-n 2 {seed} --transcript u.json fruit"));
    assert_eq!((again.status.code(), again.stdout), (Some(0), first.stdout));
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("t.json"), read("u.json"));
}

/// If the seed of a plan is already known, or if its beacon may not provide the seed, the plan is committed with a
/// warning.
#[test]
fn plans_that_cannot_work_are_reported() {
    let folder = folder();
    let quicknet = "drand 52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";
    for (planned, warning) in [
        (format!("{quicknet} 1000"), "was published on 2023-08-23T15:59:24Z, so the seed is already known"),
        (format!("{quicknet} 99999999999"), ""),
        (format!("drand 53{} 1000", &quicknet[8..]), "is not one of quicknet, default, fastnet"),
        ("nist 1 900000000".to_owned(), "was valid until 2019-01-11T12:00:00Z"),
        ("dice".to_owned(), ""),
    ] {
        let committed = folder.hashwell(["draw", "-n", "1", "--seed-source", &planned, "--commit", "fruit"]);
        assert!(stdout(&committed).starts_with("hwdraw/1 commitment "), "{planned}");
        assert!(stderr(&committed).contains(warning), "{planned}: {}", stderr(&committed));
        assert_eq!(stderr(&committed).is_empty(), warning.is_empty(), "{planned}: {}", stderr(&committed));
    }
}

/// The name of a table selects its format also with -z, which then affects only the output.
#[test]
fn tables_are_tables_with_zero() {
    let folder = folder();
    folder.write("nl.csv", "id,x\n\"a\nb\",1\nc,2\n");
    let drawn = draw(&folder, "-n 2 -z --seed 1 --id id nl.csv");
    let mut ids: Vec<_> = drawn.stdout.split(|byte| *byte == 0).collect();
    ids.sort();
    assert_eq!(ids, [&b""[..], b"a\nb", b"c"], "{drawn:?}");
    folder.write("plain", "a\nb\0c\0");
    assert_eq!(draw(&folder, "-n 2 -z --seed 1 plain").stdout.len(), 6);
}

#[test]
fn another_commitment_does_not_agree() {
    let folder = folder();
    assert_eq!(draw(&folder, "-n 2 --seed s --transcript t fruit").status.code(), Some(0));
    let other = "0".repeat(64);
    for malformed in ["c.json", "00", &other[1..]] {
        let refused = folder.hashwell(["verify", "--committed", malformed, "t", "fruit"]);
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(stderr(&refused).contains("a commitment has 64 hexadecimal digits"), "{refused:?}");
    }
    let printed = stdout(&draw(&folder, "-n 2 --seed-source text --commit fruit"));
    let line = printed.lines().next().unwrap();
    let verified = folder.hashwell(["verify", "--seed-attested", "--committed", line, "t", "fruit"]);
    assert!(stdout(&verified).starts_with("verified: 2 of 6 by index\n"), "{verified:?}");
    let verified = folder.hashwell(["verify", "--committed", &other, "t", "fruit"]);
    assert_eq!(verified.status.code(), Some(1));
    assert!(
        stdout(&verified)
            .starts_with("mismatch: 2 of 6 by index\ndoes not agree: the published commitment is ")
    );
    if let Some(audited) = audit(&folder, &["--committed", &other, "t", "fruit"]) {
        assert_eq!(audited.status.code(), Some(1));
    }
}

#[test]
fn replays_of_too_many_are_refused() {
    let refused = draw(&folder(), "-n 1 --range 10000001 --seed s --replay consistent-sampler");
    assert_eq!((refused.status.code(), stdout(&refused)), (Some(1), String::new()));
    assert!(stderr(&refused).contains("allows at most 10000000 entries, not 10000001"));
}

/// A list with its header and columns is read the same way as by `hashwell sample`, and is equivalent to the list as
/// plain text.
#[test]
fn tables_are_the_lists_of_their_columns() {
    let folder = folder();
    folder.write("one.csv", "\u{feff}fruit\r\nfig\r\napple\r\n\"pear\"\r\nquince\r\nplum\r\ncherry\r\n");
    folder.write("named.csv", "ticket,fruit\n1,fig\n2,apple\n3,pear\n4,quince\n5,plum\n6,cherry\n");
    folder.write("bare.csv", "1,fig\n2,apple\n3,pear\n4,quince\n5,plum\n6,cherry\n");
    folder.write("fruit.tsv", "fruit\tcolor\nfig\tx\napple\tx\npear\ty\nquince\ty\nplum\ty\ncherry\ty\n");
    folder.write("head", format!("fruit\n{FRUIT}"));
    let objects: Vec<String> =
        FRUIT.lines().map(|fruit| format!("{{\"color\":1,\"fruit\":\"{fruit}\"}}\n")).collect();
    folder.write("fruit.jsonl", objects.concat());
    folder.write("both.csv", "weight,id,group\n1,a,x\n2,b,x\n3,c,y\n0.5,d,y\n");
    let tables = [
        ("-n 3", "fruit", "one.csv", ""),
        ("-n 3", "fruit", "named.csv", "--id fruit"),
        ("-n 3", "fruit", "named.csv", "--id 2"),
        ("-n 3", "fruit", "bare.csv", "--no-header --id 2"),
        ("-n 3", "fruit", "fruit.tsv", "--id fruit"),
        ("-n 3", "fruit", "head", "-H"),
        ("-n 3", "fruit", "head", "--csv"),
        ("-n 3", "fruit", "fruit.jsonl", "--id fruit"),
        (
            "-n 2 --strata each --method weighted-ticket",
            "both",
            "both.csv",
            "--stratify group --weight weight",
        ),
        (
            "-n 2 --strata each --method weighted-ticket",
            "both",
            "both.csv",
            "--stratify group --weight 1 --id id",
        ),
    ];
    for (options, list, table, columns) in tables {
        let drawn = draw(&folder, &format!("{options} --seed s --transcript plain.json {list}"));
        let of_table = draw(&folder, &format!("{options} --seed s --transcript t.json {columns} {table}"));
        assert_ran(&of_table, 0, &stdout(&drawn), "");
        let transcript = |name| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(transcript("t.json"), transcript("plain.json"), "{table}");
        let verified =
            folder.hashwell(["verify", "plain.json", table].into_iter().chain(columns.split_whitespace()));
        assert_eq!(verified.status.code(), Some(3), "{table}: {}{}", stdout(&verified), stderr(&verified));
    }
    let wanted: [(&str, &str); 8] = [
        (
            "-n 1 named.csv",
            "named.csv: missing option --id COL: the column of the IDs, one of \"ticket\", \"fruit\"",
        ),
        ("-n 1 fruit.jsonl", "fruit.jsonl: missing option --id COL: the column of the IDs"),
        ("-n 1 bare.csv --no-header", "bare.csv: missing option --id COL: the column of the IDs"),
        (
            "-n 1 one.csv --weight fruit",
            "--weight: this draw has no weights (for weights, choose a --method that uses them, such as \
             weighted-ticket)",
        ),
        (
            "-n 1 -m weighted-ticket both.csv --id id",
            "missing option --weight COL: the column of the weights (the list is a table)",
        ),
        (
            "-n 1 --strata each both.csv --id id",
            "missing option --stratify COL: the column of the strata (the list is a table)",
        ),
        (
            "-n 1 fruit --id x",
            "--id names a column, but fruit is read as plain text: for a table, give --csv, --tsv, --jsonl or \
             --parquet",
        ),
        (
            "-n 1 --range 6 --id x",
            "--range draws from integers, not from a list: remove options such as --id and --csv",
        ),
    ];
    for (options, why) in wanted {
        let refused = draw(&folder, &format!("--seed s {options}"));
        assert!(
            stderr(&refused).starts_with(&format!("hashwell: {why}\n")),
            "{options}: {}",
            stderr(&refused)
        );
        assert_eq!(refused.status.code(), Some(2), "{options}");
    }
    let missing = draw(&folder, "--seed s -n 1 named.csv --id other");
    assert_ran(&missing, 1, "", "hashwell: --id: column \"other\" cannot be used: it is not in the header\n");
}

/// Bytes that are not text are rejected, because they would be invisible entries.
#[test]
fn lists_that_are_no_text_are_refused() {
    let folder = folder();
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let lists: [(&str, Vec<u8>, &str); 9] = [
        ("utf16", utf16("ann\nbob\n"), "row 1 has a NUL byte"),
        ("utf16.csv", utf16("name\nann\nbob\n"), "the file looks like UTF-16"),
        ("marked", utf16("\u{feff}ann\nbob\n"), "byte order mark of UTF-16"),
        ("marked.csv", utf16("\u{feff}name\nann\n"), "the file is UTF-16"),
        ("cr", b"ann\rbob\r".to_vec(), "row 1 has a carriage return"),
        ("mixed.csv", b"name\nann\rbob\n".to_vec(), "mixed.csv:2: the row has a carriage return"),
        ("latin1", b"Andr\xe9\n".to_vec(), "row 1 is not UTF-8"),
        ("latin1.csv", b"name\nAndr\xe9\n".to_vec(), "latin1.csv:2: the id is not UTF-8"),
        (
            "null.jsonl",
            b"{\"id\":null}\n".to_vec(),
            "null.jsonl:1: id must be a string or a number, not null",
        ),
    ];
    for (name, content, why) in lists {
        folder.write(name, content);
        let id = if name == "null.jsonl" { "--id id" } else { "" };
        let refused = draw(&folder, &format!("-n 1 --seed s {id} {name}"));
        let said = stderr(&refused);
        assert_eq!(refused.status.code(), Some(1), "{name}: {said}");
        assert!(
            said.starts_with("hashwell: ") && said.contains(why) && said.lines().count() == 1,
            "{name}: {said}"
        );
    }
    // An option that makes the first row a header must not remove a participant silently.
    folder.write("names", "ann\nbob\n");
    for options in ["--delimiter ;", "--quote '", "--delimiter auto"] {
        let refused = draw(&folder, &format!("-n 1 --seed s {options} names"));
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(
            stderr(&refused).contains("whose first row is not drawn: give --id COL, or --csv"),
            "{refused:?}"
        );
        let drawn = draw(&folder, &format!("-n 1 --seed s {options} --id ann names"));
        assert_ran(&drawn, 0, "bob\n", &stderr(&drawn));
    }
    // Zeros at the end of a weight do not make its scale too large.
    folder.write("zeros", "ann\t0.10000000000000000000\nbob\t2\n");
    assert_eq!(draw(&folder, "-n 1 --seed s -m weighted-ticket zeros").status.code(), Some(0));
    folder.write("empty.csv", "");
    assert_ran(
        &draw(&folder, "-n 1 --seed s empty.csv"),
        1,
        "",
        "hashwell: empty.csv: there is nothing to draw from\n",
    );
    folder.write("lines.csv", "name\n\"two\rlines\"\n");
    assert_ran(&draw(&folder, "-n 1 --seed s lines.csv"), 0, "two\rlines\n", "");
}

/// The codes that `reference/mutations.py` expects.
fn codes_of(case: &Value) -> Vec<&str> {
    case["codes"].as_array().unwrap().iter().map(|code| code.as_str().unwrap()).collect()
}

/// The outcome of a verification, with the codes of all unchecked items or of the first mismatch. All rules in "Reading
/// a transcript" have the same code, whether they are checked while the transcript is read or afterwards.
fn outcome_and_codes(
    json: &[u8],
    list: Option<&[u8]>,
    zero: bool,
    evidence: Evidence<'_>,
) -> (&'static str, Vec<&'static str>) {
    let Ok(transcript) = Transcript::from_json(json) else { return ("mismatch", vec!["transcript"]) };
    let read = |list: &[u8]| {
        let (columns, open) = transcript.plan.list.layout()?;
        EntryList::read(list, columns, zero, open)
    };
    let alone = verify(&transcript, &evidence).unwrap();
    let first = alone.mismatches().first().map(Mismatch::code);
    if first.is_some_and(|code| ["plan", "seed", "pick-fields"].contains(&code)) {
        return ("mismatch", vec!["transcript"]);
    }
    let Ok(entries) = list.map(read).transpose() else { return ("mismatch", vec!["list"]) };
    let found = verify(&transcript, &Evidence { list: entries.as_ref(), ..evidence }).unwrap();
    let mut codes: Vec<&str> = match &found {
        Verification::Verified => vec![],
        Verification::Partial(unchecked) => unchecked.iter().map(Unchecked::code).collect(),
        Verification::Mismatch(mismatches) => vec![mismatches[0].code()],
    };
    codes.sort_unstable();
    (found.outcome().name(), codes)
}

/// Modified transcripts have the same outcome and codes as in the auditor's program. All are tested with the library,
/// and some with the command.
#[test]
fn changed_transcripts_have_one_outcome() {
    let folder = folder();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let made = output(folder.command("python3").current_dir(root).args(["-m", "reference.mutations"]));
    let Some(made) = made else { return };
    assert!(made.status.success(), "{}", stderr(&made));
    let bytes = |case: &Value, name: &str| match (&case[name], &case[format!("{name}_hex")]) {
        (Value::String(text), _) => Some(text.clone().into_bytes()),
        (_, Value::String(digits)) => Some(data_encoding::HEXLOWER.decode(digits.as_bytes()).unwrap()),
        _ => None,
    };
    let mut compared = [0; 3];
    for (i, line) in stdout(&made).lines().enumerate() {
        let case: Value = serde_json::from_str(line).unwrap();
        let (json, list) = (bytes(&case, "transcript").unwrap(), bytes(&case, "list"));
        let (zero, attested) = (case["zero"] == true, case["attested"] == true);
        let evidence = Evidence {
            commitment: case["committed"].as_str(),
            seed_attested: attested,
            ..Evidence::default()
        };
        let found = outcome_and_codes(&json, list.as_deref(), zero, evidence);
        let expected = (case["unsigned"].as_str().unwrap(), codes_of(&case));
        assert_eq!(found, expected, "{line}");
        compared[["verified", "partial", "mismatch"]
            .iter()
            .position(|name| case["unsigned"] == *name)
            .unwrap()] += 1;
        // The command verifies the signatures of drand; the auditor's program does not.
        let name = case["name"].as_str().unwrap();
        if (i % 80 == 0 || name.contains("list: ")) && !name.contains("drand") {
            folder.write("t.json", &json);
            folder.write("list", list.as_deref().unwrap_or_default());
            let mut arguments = vec!["verify", "t.json"];
            arguments.extend(list.as_ref().map(|_| "list"));
            arguments.extend(zero.then_some("--zero"));
            arguments.extend(attested.then_some("--seed-attested"));
            arguments.extend(
                case["committed"].as_str().into_iter().flat_map(|published| ["--committed", published]),
            );
            let said = folder.hashwell(arguments);
            let code = match case["outcome"].as_str() {
                // The command refuses a text that cannot be a commitment.
                _ if case["committed"].as_str().is_some_and(|published| published.len() != 64) => 2,
                Some("verified") => 0,
                Some("partial") => 3,
                _ => 1,
            };
            assert_eq!(said.status.code(), Some(code), "{name}: {}{}", stdout(&said), stderr(&said));
        }
    }
    assert!(compared.iter().sum::<i32>() >= 5000 && compared.iter().min() > Some(&100), "{compared:?}");
}
