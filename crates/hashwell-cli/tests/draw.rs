//! `hashwell draw` and `verify`: the same draws from this program and from the auditor's, and what they refuse.

mod common;

use common::{Folder, assert_ran, output, stderr, stdout};
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

/// The auditor's program, if there is a Python.
fn audit(folder: &Folder, arguments: &[&str]) -> Option<Output> {
    output(folder.command("python3").arg(python()).args(arguments))
}

#[test]
fn draws_are_rechecked_by_both_programs() {
    let folder = folder();
    let draws = [
        ("-k 3", "fruit"),
        ("-k 3 --method ticket --context round\u{e9}", "fruit"),
        ("-k 6 --method index --source shake256", "fruit"),
        ("-k 2 --method index --source blake3", "fruit"),
        ("-k 2 --method gap --open", "fruit"),
        ("-k 9 --method replace --source hmac-drbg-sha256", "fruit"),
        ("-p 0.4 --method bernoulli", "fruit"),
        ("-k 3 --method weighted-ticket", "weights"),
        ("-k 2 --method pps-systematic --scale 3", "weights"),
        ("-k 4 --strata proportional", "strata"),
        ("-k 1 --strata each --method ticket", "strata"),
        ("-k 2 --strata proportional --method weighted-ticket", "both"),
        ("-k 4 -n 1000", ""),
        ("-k 4 -n 100 --method ticket", ""),
        ("-k 2 -n 18446744073709551615", ""),
    ];
    let seeds = [&*format!("--dice {DICE}"), "--seed se\u{e9}d", "--seed-hex 00ff"];
    for ((options, list), seed) in draws.into_iter().zip(seeds.into_iter().cycle()) {
        let drawn = draw(&folder, &format!("{options} {seed} --transcript t.json {list}"));
        assert_eq!((drawn.status.code(), stderr(&drawn)), (Some(0), String::new()), "{options}");
        let lists: &[&str] = if list.is_empty() { &[] } else { &[list] };
        let verified = folder.hashwell([&["verify", "t.json"], lists].concat());
        assert_eq!(verified.status.code(), Some(0), "{options}: {}", stdout(&verified));
        assert!(stdout(&verified).starts_with("agrees: ") && stdout(&verified).lines().count() == 3);
        if let Some(audited) = audit(&folder, &[&["t.json"], lists].concat()) {
            let told = stdout(&verified).split_once('\n').unwrap().1.to_owned();
            assert_ran(&audited, 0, &format!("agrees\n{told}"), "");
        }
        assert_eq!(folder.hashwell(["verify", "t.json"]).status.code(), Some(0));
        // Another list is another draw.
        if !list.is_empty() && !options.contains("--open") {
            let text = std::fs::read_to_string(folder.path().join(list)).unwrap();
            folder.write("other", text.replacen('a', "A", 1));
            let refused = folder.hashwell(["verify", "t.json", "other"]);
            assert_eq!(refused.status.code(), Some(1));
            assert!(stdout(&refused).starts_with("does not agree: the digest of the list"));
            if let Some(audited) = audit(&folder, &["t.json", "other"]) {
                assert_eq!(audited.status.code(), Some(1));
            }
        }
    }
}

/// Python draws, this program verifies: random plans of `reference/test_draw.py`.
#[test]
fn the_auditors_draws_are_rechecked_here() {
    let folder = folder();
    let script = "
import json, random, sys
sys.path.insert(0, sys.argv[1])
from reference.test_draw import complete, frame_bytes, random_draw
rng = random.Random(2026)
for i in range(40):
    plan, seed, rows = random_draw(rng)
    open(f't{i}', 'w', encoding='utf-8').write(json.dumps(complete(plan, seed, rows)))
    open(f'f{i}', 'wb').write(frame_bytes(rows)[0])
";
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let Some(python) = output(folder.command("python3").args(["-c", script]).arg(root)) else { return };
    assert_ran(&python, 0, "", "");
    for i in 0..40 {
        let verified = folder.hashwell(["verify", "-z", &format!("t{i}"), &format!("f{i}")]);
        assert_eq!(
            (verified.status.code(), stderr(&verified)),
            (Some(0), String::new()),
            "{i}: {}",
            stdout(&verified)
        );
        assert_eq!(stdout(&verified).lines().count(), 3);
    }
}

/// Values are promises.
#[test]
fn pinned() {
    let folder = folder();
    let pinned = |options: &str, expected: &str| assert_ran(&draw(&folder, options), 0, expected, "");
    let seed = format!("--dice {DICE} --context example");
    pinned(&format!("-k 6 {seed} fruit"), PINNED[0]);
    pinned(&format!("-k 3 --method ticket {seed} fruit"), PINNED[1]);
    pinned(&format!("-k 3 --method weighted-ticket {seed} weights"), PINNED[2]);
    pinned(&format!("-k 2 --method pps-systematic {seed} weights"), PINNED[3]);
    pinned(&format!("-k 4 --strata proportional {seed} strata"), PINNED[4]);
    pinned(&format!("-k 3 -n 1000000 {seed}"), PINNED[5]);
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
    let expected = stdout(&draw(&folder, "-k 4 --seed s fruit"));
    folder.write("sorted", "apple\r\ncherry\r\nfig\r\npear\r\nplum\r\nquince\r\n");
    assert_eq!(stdout(&draw(&folder, "-k 4 --seed s sorted")), expected);
    folder.write("zero", FRUIT.replace('\n', "\0"));
    assert_eq!(stdout(&draw(&folder, "-k 4 --seed s -z zero")), expected.replace('\n', "\0"));
    // Of a stream the order is all there is.
    assert_ne!(
        draw(&folder, "-k 4 --seed s --open fruit").stdout,
        draw(&folder, "-k 4 --seed s --open sorted").stdout
    );
    let prefix = stdout(&draw(&folder, "-k 3 --seed s fruit"));
    assert!(expected.starts_with(&prefix));
    assert_ne!(draw(&folder, "-k 6 --dice 01 fruit").stdout, draw(&folder, "-k 6 --dice 1 fruit").stdout);
    assert_eq!(
        draw(&folder, "-k 6 --dice 01 fruit").stdout,
        draw(&folder, "-k 6 --seed-hex 3031 fruit").stdout
    );
}

#[test]
fn commitments_are_kept() {
    let folder = folder();
    let committed = draw(&folder, "-k 3 --context c --seed-source dice --commit fruit");
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
        &format!("-k 3 --context c --dice {DICE} --committed {commitment} --transcript t fruit"),
    );
    assert_eq!(drawn.status.code(), Some(0), "{}", stderr(&drawn));
    assert!(std::fs::read_to_string(folder.path().join("t")).unwrap().contains(commitment));
    let other = draw(&folder, &format!("-k 4 --context c --dice {DICE} --committed {commitment} fruit"));
    assert_eq!((other.status.code(), stdout(&other)), (Some(1), String::new()));
    assert!(stderr(&other).contains("nothing was drawn"));
    assert_eq!(draw(&folder, "-k 3 --commit fruit").status.code(), Some(2));
}

#[test]
fn beacons() {
    let folder = folder();
    let signature =
        "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92";
    folder.write("round", format!("{{\"round\":123,\"signature\":\"{signature}\"}}"));
    folder.write("flipped", format!("{{\"round\":123,\"signature\":\"{}3\"}}", &signature[..95]));
    let drawn = draw(&folder, "-k 2 --drand round --transcript t fruit");
    assert_eq!(drawn.status.code(), Some(0), "{}", stderr(&drawn));
    let transcript = std::fs::read_to_string(folder.path().join("t")).unwrap();
    let listed = &transcript["{\n\"commitment\": \"".len()..][..64];
    let verify = |list: &str| folder.hashwell(["verify", "--committed", listed, "t", list]);
    let line = format!("hwdraw/1 commitment {listed}\n");
    assert_ran(&verify("fruit"), 0, &format!("agrees: 2 of 6 by index, seed from drand\n{line}"), "");
    if let Some(audited) = audit(&folder, &["--committed", listed, "t", "fruit"]) {
        assert_ran(&audited, 0, &format!("agrees\n{line}not checked: the beacon's signature\n"), "");
    }
    let planned = "drand 52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971 123";
    let committed = folder.hashwell(["draw", "-k", "2", "--commit", "--seed-source", planned, "fruit"]);
    let commitment = stdout(&committed)[20..84].to_owned();
    assert_eq!(
        draw(&folder, &format!("-k 2 --drand round --committed {commitment} fruit")).stdout,
        drawn.stdout
    );
    let flipped = draw(&folder, "-k 2 --drand flipped fruit");
    assert_eq!((flipped.status.code(), stdout(&flipped)), (Some(1), String::new()));
    assert!(
        stderr(&flipped).starts_with("hashwell: flipped: not a round of drand: "),
        "{}",
        stderr(&flipped)
    );
    let pulse = format!(
        r#"{{"pulse":{{"uri":"https://beacon.nist.gov/beacon/2.0/chain/2/pulse/7","chainIndex":2,"pulseIndex":7,"timeStamp":"2026-11-22T10:00:00.000Z","outputValue":"{}","statusCode":0}}}}"#,
        "AB".repeat(64)
    );
    folder.write("pulse", pulse);
    assert_eq!(draw(&folder, "-k 2 --nist pulse --transcript t fruit").status.code(), Some(0));
    assert!(
        std::fs::read_to_string(folder.path().join("t")).unwrap().contains("\"signature\":\"unchecked\"")
    );
    let verified = stdout(&folder.hashwell(["verify", "t", "fruit"]));
    assert!(
        verified.starts_with("agrees: 2 of 6 by index, seed from nist\nhwdraw/1 commitment "),
        "{verified}"
    );
    let unchecked = "not checked: the pulse's signature; compare it with \
                     \"https://beacon.nist.gov/beacon/2.0/chain/2/pulse/7\"\n";
    assert!(verified.ends_with(unchecked), "{verified}");
}

#[test]
fn pulses_with_their_certificate() {
    let folder = folder();
    let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hashwell-draw/tests/nist");
    for name in ["pulse-54610.json", "certificate.pem"] {
        folder.write(name, std::fs::read_to_string(known.join(name)).unwrap());
    }
    let command = "-k 2 --nist pulse-54610.json --certificate certificate.pem --transcript t fruit";
    let drawn = draw(&folder, command);
    assert_eq!(drawn.status.code(), Some(0), "{}", stderr(&drawn));
    let without = folder.hashwell(["verify", "t", "fruit"]);
    assert_eq!(without.status.code(), Some(0));
    assert!(
        stdout(&without)
            .contains("not checked: whether the certificate is the beacon's: its SHA-512 is 5501e3d7")
    );
    let with = |certificate: &str| folder.hashwell(["verify", "--certificate", certificate, "t", "fruit"]);
    let known = with("certificate.pem");
    assert!(known.status.code() == Some(0) && !stdout(&known).contains("SHA-512"), "{}", stdout(&known));
    let other = with("fruit");
    assert!(other.status.code() == Some(1) && stdout(&other).contains("not the one of --certificate"));
    let drawn = draw(&folder, "-k 2 --nist pulse-54610.json --transcript bare fruit");
    assert_eq!(drawn.status.code(), Some(0), "{}", stderr(&drawn));
    let bare = folder.hashwell(["verify", "--certificate", "certificate.pem", "bare", "fruit"]);
    let said = "does not agree: the transcript has no certificate to compare with --certificate\n";
    assert!(bare.status.code() == Some(1) && stdout(&bare).starts_with(said), "{}", stdout(&bare));
    if let Some(audited) = audit(&folder, &["t", "fruit"]) {
        assert_eq!(audited.status.code(), Some(0), "{}", stderr(&audited));
    }
    let refused = draw(&folder, "-k 2 --nist pulse-54610.json --certificate fruit --transcript u fruit");
    assert!(refused.status.code() == Some(1) && stderr(&refused).contains("names another certificate"));
    assert!(!folder.path().join("u").exists());
    let transcript = std::fs::read_to_string(folder.path().join("t")).unwrap();
    let at = transcript.find("\"signature\":\"").unwrap() + 13;
    let flipped = if transcript[at..].starts_with('6') { "7" } else { "6" };
    folder.write("t", format!("{}{flipped}{}", &transcript[..at], &transcript[at + 1..]));
    assert_eq!(folder.hashwell(["verify", "t", "fruit"]).status.code(), Some(1));
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
    assert_eq!(run(&["rfc3797", "-n", "25", "-k", "10", "--seed", sources]), picks);
    assert_eq!(
        run(&["rfc3797", "-n", "25", "-k", "10", "--seed", "9319./2.5.8.10.12./9.18.26.34.41.45./"]),
        picks
    );
    assert_eq!(run(&["rivest", "-n", "1000", "-k", "3", "--seed", "0000000000"]), "978\n359\n132\n");
    let replaced = run(&["rivest", "-n", "2", "-k", "3", "--method", "replace", "--seed", "0"]);
    assert_eq!(replaced, "1\n1\n2\n");
    folder.write("ids", "A#2\nB#7\nC#1\nD#4\n");
    let consistent =
        run(&["consistent-sampler", "-k", "8", "--method", "replace", "--seed", "314159", "ids"]);
    assert_eq!(consistent, "D#4\nC#1\nC#1\nB#7\nA#2\nC#1\nD#4\nB#7\n");
    assert_eq!(
        run(&["rivest", "-k", "1", "--seed", "0", "fruit"]),
        "quince\n".replace("quince", RIVEST_OF_SIX)
    );
}

const RIVEST_OF_SIX: &str = "plum";

#[test]
fn one_line_says_what_is_wrong() {
    let folder = folder();
    folder.write("twice", "a\nb\na\n");
    folder.write("latin", b"caf\xe9\n");
    folder.write("newline", "a\nb\0");
    folder.write("empty", "");
    let nine = "9".repeat(400);
    folder.write("wide", format!("a\t{nine}\n"));
    for (options, code, message) in [
        ("-k 2 fruit", 2, "a draw needs a seed that nobody could choose"),
        ("--seed s fruit", 2, "how many? give -k"),
        ("-k 7 --seed s fruit", 1, "k must be 1 to 6, not 7"),
        ("-k 0 --seed s fruit", 1, "k must be 1 to 6, not 0"),
        ("-k 1 --seed s empty", 1, "k must be 1 to 0, not 1"),
        ("-k 1 --seed s twice", 1, "twice: not a frame: rows 1 and 3 have the same id \"a\""),
        ("-k 1 --seed s latin", 1, "row 1 is not UTF-8"),
        ("-k 1 --seed s -z newline", 0, ""),
        ("-k 1 --method weighted-ticket --seed s wide", 1, "below 2^64"),
        ("-k 1 --method weighted-ticket --seed s fruit", 1, "row 1 has 1 of the 2 columns"),
        ("-k 1 --dice 12a fruit", 2, "not digits of dice"),
        ("-k 1 --seed-hex 0 fruit", 2, "--seed-hex"),
        ("-k 1 --seed s --dice 1 fruit", 2, "cannot be used with"),
        ("-k 1 --seed s --method bernoulli fruit", 2, "bernoulli takes -p"),
        ("-p 2 --seed s --method bernoulli fruit", 1, "p must be a decimal number of 0 to 1"),
        ("-k 1 --seed s --source sha256 fruit", 2, "--source"),
        ("-k 1 --seed s missing", 1, "missing: No such file"),
        ("-k 1 --seed s --method gap -n 5", 1, "gap is for lists"),
        ("-k 1 --seed s --method ticket -n 100000001", 1, "at most 100000000"),
        ("-k 1 --seed 1/ --replay rfc3797 -n 65536", 1, "n must be 1 to 65535"),
        ("-k 1 --seed s --transcript missing/t fruit", 1, "missing/t"),
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
    let first = draw(&folder, "-k 6 --os-seed --context c fruit");
    let said = stderr(&first);
    let seed = said.strip_prefix("hashwell: seed: ").unwrap().trim();
    assert_eq!(draw(&folder, &format!("-k 6 {seed} --context c fruit")).stdout, first.stdout);
    assert_ne!(stderr(&draw(&folder, "-k 6 --os-seed --context c fruit")), said);
}

#[test]
fn another_commitment_does_not_agree() {
    let folder = folder();
    assert_eq!(draw(&folder, "-k 2 --seed s --transcript t fruit").status.code(), Some(0));
    let other = "0".repeat(64);
    let verified = folder.hashwell(["verify", "--committed", &other, "t", "fruit"]);
    assert_eq!(verified.status.code(), Some(1));
    assert!(stdout(&verified).starts_with("does not agree: the commitment is not the one of --committed\n"));
    if let Some(audited) = audit(&folder, &["--committed", &other, "t", "fruit"]) {
        assert_eq!(audited.status.code(), Some(1));
    }
}

#[test]
fn replays_of_too_many_are_refused() {
    let refused = draw(&folder(), "-k 1 -n 10000001 --seed s --replay consistent-sampler");
    assert_eq!((refused.status.code(), stdout(&refused)), (Some(1), String::new()));
    assert!(stderr(&refused).contains("n of consistent-sampler must be at most 10000000, not 10000001"));
}
