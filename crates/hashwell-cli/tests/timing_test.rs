//! Tests `hashwell timing-test`: its selection of targets, its output, and that its exit code matches its verdict.
//! Measurements are not asserted, because the machine may be busy, except for a planted leak that is detected even
//! then.

use crate::common;

use common::{Folder, stderr};
use serde_json::Value;

fn leak(folder: &Folder, options: &[&str]) -> (Option<i32>, Value) {
    let output = folder.hashwell([&["timing-test", "--samples", "4000", "--json"], options].concat());
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let json = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}{}", stderr(&output)));
    (output.status.code(), json)
}

#[test]
fn a_report_and_its_pictures() {
    let folder = Folder::new();
    let options =
        ["-a", "sha256", "--target", "hmac-tag", "--seed", "5", "--svg", "t.svg", "--ecdf", "e.svg"];
    let (code, report) = leak(&folder, &options);
    let rows = report["rows"].as_array().unwrap();
    // If two kernels are about equally fast, their order varies from process to process.
    let kernels = hashwell::find("sha256").unwrap().kernels();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["algorithm"], "sha256");
    assert!(kernels.iter().any(|kernel| kernel.available && rows[0]["kernel"] == kernel.name));
    assert_eq!((&report["seed"], &report["samples"]), (&5.into(), &4000.into()));
    let n = |class: usize| rows[0]["analysis"]["n"][class].as_u64().unwrap();
    assert_eq!(n(0) + n(1), 4000);
    let controls = report["controls"].as_array().unwrap();
    let planted = controls.iter().find(|c| c["name"] == "early-exit compare").unwrap();
    assert_eq!(planted["as_planted"], true, "{planted}");
    assert!(controls.iter().any(|c| c["planted"] == false));
    let expected = match &report["verdict"] {
        Value::String(word) if word == "inconclusive" => 3,
        Value::String(_) => 1,
        _ => 0,
    };
    assert_eq!(code, Some(expected), "{}", report["verdict"]);
    for name in ["t.svg", "e.svg"] {
        let picture = std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "no partial files");
}

#[test]
fn all_has_every_kernel_of_this_cpu() {
    let folder = Folder::new();
    let (_, report) =
        leak(&folder, &["--all", "-a", "sha512", "--target", "hmac-tag", "--target", "hash-many"]);
    let mut ran: Vec<&str> =
        report["rows"].as_array().unwrap().iter().map(|r| r["kernel"].as_str().unwrap()).collect();
    let algorithm = hashwell::find("sha512").unwrap();
    let kernels = algorithm.kernels().into_iter().chain(algorithm.batch_kernels());
    let mut available: Vec<&str> = kernels.filter(|k| k.available).map(|k| k.name).collect();
    ran.sort_unstable();
    available.sort_unstable();
    assert_eq!(ran, available);
}

#[test]
fn no_word_promises_anything() {
    let output =
        Folder::new().hashwell(["timing-test", "--samples", "1000", "-a", "kmac128", "--target", "kmac-tag"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let promises = |word: &str| text.to_lowercase().contains(word);
    assert!(!promises("secure") && !promises("pass"), "{text}");
    assert!(text.contains("kmac128") && text.contains("seed"), "{text}");
}

#[test]
fn refusals() {
    let folder = Folder::new();
    for (options, words) in [
        (&["--memcheck"][..], "must run under valgrind"),
        (&["--target", "hmac"], "unknown target 'hmac' (known targets: derive-key"),
        (&["-a", "sha257"], "unknown algorithm 'sha257'"),
        (&["-a", "shake128", "--target", "hmac-tag"], "no target"),
        (&["--samples", "10"], "1000"),
        (&["--seconds", "0"], "it must be 1 to "),
    ] {
        let output = folder.hashwell([&["timing-test"], options].concat());
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    let options = [
        "timing-test",
        "--samples",
        "1000",
        "-a",
        "kmac128",
        "--target",
        "kmac-tag",
        "--svg",
        "no/where.svg",
    ];
    let output = folder.hashwell(options);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("no/where.svg"), "{}", stderr(&output));
}

/// Every kernel of the registry has a line in dev/timing.md, and no line names any other kernel.
#[test]
#[cfg(target_arch = "x86_64")]
fn the_table_of_methods_is_the_registrys() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../dev/timing.md")).unwrap();
    let listed: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(name, _)| name)
        .collect();
    let all = hashwell::ALGORITHMS.iter().flat_map(|a| a.kernels().into_iter().chain(a.batch_kernels()));
    let kernels: std::collections::BTreeSet<&str> = all.map(|kernel| kernel.name).collect();
    let listed: std::collections::BTreeSet<&str> =
        listed.into_iter().filter(|name| !name.contains(' ') && !name.contains('/')).collect();
    assert_eq!(listed, kernels);
}
