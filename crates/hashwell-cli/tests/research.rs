//! The output of `hashwell research`. Speeds are not asserted, because the machine may be busy. Bits are asserted,
//! because the seed determines them.

use crate::common;

use common::{Folder, assert_ran, stderr};
use serde_json::Value;

/// Runs the command with few samples and pairs, so that it is fast.
fn rounds(folder: &Folder, options: &[&str]) -> std::process::Output {
    let quick = ["research", "rounds", "--size", "64", "--samples", "3", "--pairs", "500"];
    folder.hashwell([&quick[..], options].concat())
}

#[test]
fn a_report_and_its_pictures() {
    let folder = Folder::new();
    let pictures = ["--svg", "speed.svg", "--avalanche-svg", "bits.svg", "--html", "page.html"];
    let output =
        rounds(&folder, &[&["--rounds", "16..64", "--step", "24", "--json"], &pictures[..]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = report["rows"].as_array().unwrap();
    let numbers: Vec<u64> = rows.iter().map(|row| row["rounds"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [16, 40, 64]);
    // Sixteen rounds are the control: the last word has been used in only one of them, and no output bit changes half
    // of the time.
    assert_eq!(rows[0]["last_word"]["biased_bits"], 256);
    assert_eq!(rows[2]["last_word"]["biased_bits"], 0);
    assert!(rows.iter().all(|row| row["ns_per_byte"]["value"].as_f64().unwrap() > 0.0));
    for name in ["speed.svg", "bits.svg"] {
        let picture = std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
    }
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    // Both charts for a wide window and for a narrow one.
    assert_eq!(page.matches("<svg").count(), 4);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "no partial files");
}

/// Bits don't depend on the implementation, and the output contains the limits of its conclusions.
#[test]
fn implementations_agree_and_the_limits_are_named() {
    let folder = Folder::new();
    let bits = |implementation: &str| {
        let output = rounds(&folder, &["--rounds", "20", "--implementation", implementation, "--json"]);
        let report: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
        assert_eq!(report["rows"][0]["implementation"], implementation);
        (report["rows"][0]["anywhere"].clone(), report["rows"][0]["compile_ms"].is_null())
    };
    let (soft, no_code) = bits("soft");
    assert!(no_code);
    if cfg!(feature = "accel") {
        assert_eq!(bits("jit"), (soft, false));
    } else {
        let output = rounds(&folder, &["--rounds", "20", "--implementation", "jit"]);
        let line = "hashwell: --implementation jit: this build doesn't include the feature accel (build with: cargo install \
                    --locked --path crates/hashwell-cli --features accel)\n";
        assert_ran(&output, 2, "", line);
        // The default implementation on this CPU gives the same bits.
        let output = rounds(&folder, &["--rounds", "20", "--json"]);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["rows"][0]["anywhere"], soft);
    }
    let output = rounds(&folder, &["--rounds", "20", "--implementation", "scalar", "--json"]);
    assert_eq!(stderr(&output), "hashwell: --implementation scalar: same as --implementation soft\n");
    let text = rounds(&folder, &["--rounds", "90"]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("the function can still be weak") && text.contains("biased bits"), "{text}");
}

#[test]
fn csv_is_one_table() {
    let folder = Folder::new();
    let output = rounds(&folder, &["--rounds", "20..21", "--step", "1", "--csv"]);
    let mut lines = csv::Reader::from_reader(output.stdout.as_slice());
    let names: std::collections::BTreeSet<String> =
        lines.headers().unwrap().iter().map(str::to_owned).collect();
    assert_eq!(names.len(), lines.headers().unwrap().len(), "{names:?}");
    let rounds: Vec<String> = lines.records().map(|line| line.unwrap()[0].to_owned()).collect();
    assert_eq!(rounds, ["20", "21"]);
}

#[test]
fn bad_input_is_one_line() {
    let folder = Folder::new();
    for (options, expected) in [
        (&["--rounds", "0..3"][..], "the number of rounds must be 1 to 256, not 0"),
        (&["--rounds", "1..257"], "the number of rounds must be 1 to 256, not 257"),
        (&["--rounds", "9..8"], "the first number, 9, is greater than the last, 8"),
        (&["--rounds", "many"], "expected an integer, or two with .. between them, got 'many'"),
        (
            &["--rounds", "99999999999999999999"],
            "expected an integer, or two with .. between them, got '99999999999999999999'",
        ),
        (&["--algorithm", "sha512"], "sha256"),
        (&["--implementation", "sha"], "unknown implementation 'sha' (known: sha-ni, armv8-sha2, jit, soft)"),
        (&["--step", "0"], "0"),
    ] {
        let output = rounds(&folder, options);
        let line = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{options:?}: {line}");
        assert!(line.contains(expected) && line.trim_end().lines().count() == 1, "{options:?}: {line}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn attacks_find_few_rounds_and_the_seed_determines_the_figures() {
    let folder = Folder::new();
    let attacks = |options: &[&str]| {
        let quick = ["research", "attacks", "--bits", "10", "--experiments", "60", "--rounds", "16..40"];
        folder.hashwell([&quick[..], &["--step", "24"], options].concat())
    };
    let report = |options: &[&str]| -> Value {
        let output = attacks(&[options, &["--json"]].concat());
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)))
    };
    let found = report(&["--svg", "attacks.svg"]);
    let [few, many] = &found["rows"].as_array().unwrap()[..] else { panic!("{found}") };
    assert_eq!((few["rounds"].as_u64(), many["rounds"].as_u64()), (Some(16), Some(40)));
    // A counter in the last word changes few output bits after one round, and all of them after 24 more.
    let expected = found["expected"]["images"].as_f64().unwrap();
    assert!(few["images"]["high"].as_f64().unwrap() < expected / 10.0, "{few}");
    assert!((many["images"]["value"].as_f64().unwrap() - expected).abs() < 0.05, "{many}");
    assert!(std::fs::read_to_string(folder.path().join("attacks.svg")).unwrap().starts_with("<svg"));
    assert_eq!(report(&["--implementation", "soft"])["rows"], found["rows"]);
    assert_ne!(report(&["--seed", "2"])["rows"], found["rows"]);
    let text = String::from_utf8(attacks(&[]).stdout).unwrap();
    assert!(text.contains("a random function: collision 5.35 bits, preimage 10.00 bits"), "{text}");
    assert_ran(
        &folder.hashwell(["research", "attacks", "--bits", "33"]),
        2,
        "",
        "hashwell: invalid value '33' for '--bits <BITS>': it must be 4 to 32 (see 'hashwell research attacks --help')\n",
    );
}

#[test]
fn degrees_grow_with_rounds() {
    let folder = Folder::new();
    let degree = |options: &[&str]| {
        folder.hashwell([&["research", "degree", "--highest", "8", "--step", "8"], options].concat())
    };
    let output = degree(&["--rounds", "16..24", "--json", "--svg", "degree.svg"]);
    let report: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    let bits = |row: usize| -> Vec<u64> {
        report["rows"][row]["bits"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect()
    };
    // The last word has been added to two words in round 15, and to all words long before round 23.
    assert!(bits(0)[0] <= 64 && bits(0)[7] <= 50, "{report}");
    assert_eq!(bits(1), [256; 8]);
    assert!(std::fs::read_to_string(folder.path().join("degree.svg")).unwrap().starts_with("<svg"));
    let csv = degree(&["--rounds", "24", "--csv"]);
    let lines = "rounds,one bit,half of the bits,all bits,degree ≥ 1,degree ≥ 2,degree ≥ 4,degree ≥ 8\n\
                 24,8,8,8,256,256,256,256\n";
    assert_ran(&csv, 0, lines, "");
}

/// Digests of `abc`, computed with a Python implementation of FIPS 180-4 with any number of rounds.
const DIGESTS: [(&str, &str); 5] = [
    ("1", "c774d234257194ecf7d6a1f7e1bee8ac4b3898a1ec13bb0bba8942377b64a6c4"),
    ("20", "4bfbf29ab9df2a44ff6acd43c72a8fd50171d3f8678f01eda3f2bdffdc14efb5"),
    ("72", "dc32a35b8286d68f6d53851503ca9b6d4f9cfaa5bd98cc8c7a5716f7b2c9430e"),
    ("90", "4109b01465a0497e666f43a5cd87904f54ea34059bf23bc7260c7fc90ccf3230"),
    ("256", "536115e974101b709df48835fc4ab1c56552af359324d6584646d9570e607bb5"),
];

#[test]
fn digests_have_any_number_of_rounds() {
    let folder = Folder::new();
    folder.write("f", "abc");
    folder.write("long", vec![7; 3_000_000]);
    for (rounds, digest) in DIGESTS {
        for more in [&[][..], &["--implementation", "soft"]] {
            let output = folder.hashwell([&["research", "sum", "--rounds", rounds, "f"], more].concat());
            assert_ran(&output, 0, &format!("{digest}  f\n"), "");
        }
    }
    // Names are escaped and files are read in pieces, as with `sum`.
    folder.write("a\nb", "abc");
    for (rounds, algorithm) in [("64", "sha256"), ("90", "sha256-90r")] {
        let files = ["long", "a\nb", "f"];
        let expected = folder.hashwell([&["sum", "-a", algorithm], &files[..]].concat());
        let output = folder.hashwell([&["research", "sum", "--rounds", rounds], &files[..]].concat());
        assert_ran(&output, 0, &String::from_utf8(expected.stdout).unwrap(), "");
    }
    let output = folder.hashwell(["research", "sum", "--rounds", "72", "missing", "f"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{}  f\n", DIGESTS[2].1));
}

#[test]
fn bad_input_of_sum_is_one_line() {
    let folder = Folder::new();
    folder.write("f", "abc");
    let jit = "--implementation jit: this build doesn't include the feature accel (build with: cargo install --locked --path \
               crates/hashwell-cli --features accel)";
    for (options, expected) in [
        (&["--rounds", "0"][..], "invalid value '0' for '--rounds <N>': it must be 1 to 256"),
        (&["--rounds", "257"], "invalid value '257' for '--rounds <N>': it must be 1 to 256"),
        (&[], "--rounds <N>"),
        (&["--rounds", "72", "--implementation", "simd"], "unknown implementation 'simd' (known: sha-ni, "),
        (&["--rounds", "72", "--implementation", "jit"], jit),
    ] {
        let output = folder.hashwell([&["research", "sum", "f"], options].concat());
        if cfg!(feature = "accel") && expected == jit {
            assert_ran(&output, 0, &format!("{}  f\n", DIGESTS[2].1), "");
            continue;
        }
        let line = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{options:?}: {line}");
        assert!(line.contains(expected) && line.trim_end().lines().count() == 1, "{options:?}: {line}");
    }
}
