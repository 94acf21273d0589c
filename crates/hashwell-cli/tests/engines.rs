//! Devices in the command: they are listed, they hash, and they never change a digest.

use crate::common;

use common::{Folder, assert_ran, stderr, stdout};
use hashwell_accel::engines::Kind;
use hashwell_measure::engine::plan::KERNELS;
use hashwell_measure::leak;
use hashwell_measure::report::{Operation, Report};
use serde_json::Value;
use std::collections::BTreeSet;

fn json(folder: &Folder, args: &[&str]) -> Value {
    let output = folder.hashwell(args);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)))
}

#[test]
fn devices_are_listed_and_so_is_why_others_are_not() {
    let folder = Folder::new();
    let report = json(&folder, &["devices", "--json"]);
    let found = hashwell_accel::engines();
    let ids: Vec<&str> =
        report["devices"].as_array().unwrap().iter().map(|device| device["id"].as_str().unwrap()).collect();
    assert_eq!(ids, found.ids());
    assert!(ids.starts_with(&["cpu:0", "jit:0"]), "{ids:?}");
    let table = stdout(&folder.hashwell(["devices"]));
    for id in ids {
        assert!(table.lines().any(|line| line.starts_with(&format!("{id} "))), "{table}");
    }
    for absent in &found.absent {
        assert!(table.contains(&format!("\n{}: {}", absent.prefix, absent.reason)), "{table}");
    }
}

/// Files that are empty, shorter than a block, small with many lengths, longer than those that are hashed together, and
/// several MiB long.
fn files(folder: &Folder) -> Vec<String> {
    let sizes = (0..150).chain([4096, 65_535, 65_536, 70_001, 3_000_000]);
    sizes
        .map(|size: usize| {
            let name = format!("f{size}");
            folder.write(&name, (0..size).map(|i| (i * i + size) as u8).collect::<Vec<_>>());
            name
        })
        .collect()
}

#[test]
fn a_device_and_a_mode_change_no_digest() {
    let folder = Folder::new();
    let files = files(&folder);
    let sum = |options: &[&str]| {
        let files = files.iter().map(String::as_str);
        folder.hashwell(["sum"].into_iter().chain(options.iter().copied()).chain(files))
    };
    let both = ["-a", "sha256-90r", "-a", "sha256"];
    let expected = stdout(&sum(&both));
    let others = [
        &["--device", "jit:0"][..],
        &["--device", "cpu:0"],
        &["--device", "jit:0", "--jobs", "1"],
        &["--mode", "secure"],
        &["--mode", "accel"],
        &["--mode", "fast"],
        &["--mode", "fast", "--device", "jit:0"],
    ];
    for options in others {
        assert_ran(&sum(&[&both, options].concat()), 0, &expected, "");
    }
    // A mode uses a device where it can, and the CPU for the rest.
    assert_ran(&sum(&["--mode", "fast", "-a", "kt128"]), 0, &stdout(&sum(&["-a", "kt128"])), "");
}

#[test]
fn lists_are_checked_on_a_device() {
    let folder = Folder::new();
    let files = files(&folder);
    let list =
        stdout(&folder.hashwell(
            ["sum", "-a", "sha256-90r", "--tag"].into_iter().chain(files.iter().map(String::as_str)),
        ));
    folder.write("LIST", &list);
    let check = |options: &[&str]| folder.hashwell([&["sum", "-c"], options, &["LIST"]].concat());
    let expected: String = files.iter().map(|file| format!("{file}: OK\n")).collect();
    assert_ran(&check(&["--device", "jit:0"]), 0, &expected, "");
    folder.write("f70001", "another");
    let output = check(&["--device", "jit:0"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output), expected.replace("f70001: OK", "f70001: FAILED"));
    std::fs::remove_file(folder.path().join("f3")).unwrap();
    let output = check(&["--device", "jit:0", "--quiet"]);
    assert!(stdout(&output).contains("f3: FAILED open or read\n"), "{}", stdout(&output));
}

#[test]
fn bad_input_is_one_line() {
    let folder = Folder::new();
    folder.write("f", "abc");
    folder.write("k", "sixteen byte key");
    for (options, expected) in [
        (&["--device", "jit:1"][..], "device 'jit:1'"),
        (&["--device", ""], "unknown device ''"),
        (&["--device", "\u{1b}[31m\nx"], "unknown device '"),
        (
            &["--device", "jit:0", "-a", "sha512"],
            "engine 'jit:0' does not support sha512 with these parameters",
        ),
        (&["--device", "jit:0", "-a", "sha256", "-a", "blake3"], "engine 'jit:0' does not support blake3"),
        (
            &["--device", "jit:0", "-a", "blake2b", "--keyed", "--key-file", "k"],
            "engine 'jit:0' does not support blake2b-512 with these parameters",
        ),
        (&["--mode", "secure", "--device", "jit:0"], "mode secure does not allow jit:0 (code)"),
        (&["--mode", "quick"], "invalid value 'quick' for '--mode <MODE>'"),
        (&["--device", "jit:0", "--git-blob"], "cannot be used with"),
    ] {
        let output = folder.hashwell([&["sum"], options, &["f"]].concat());
        let line = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{options:?}: {line}");
        assert!(line.contains(expected) && line.lines().count() == 1, "{options:?}: {line}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn algorithms_say_which_engines_hash_them() {
    let folder = Folder::new();
    let rows = json(&folder, &["algorithms", "--json"]);
    for row in rows.as_array().unwrap() {
        let jit = row["engines"].as_array().unwrap().iter().any(|engine| engine == "jit:0");
        let name = row["name"].as_str().unwrap();
        assert_eq!(jit, ["sha256", "sha256-90r"].contains(&name), "{name}");
    }
    let table = stdout(&folder.hashwell(["algorithms"]));
    let lines: Vec<&str> = table.lines().collect();
    let engines: Vec<usize> =
        (0..lines.len()).filter(|&i| lines[i].starts_with("  engines:       jit:0")).collect();
    assert!(!engines.is_empty(), "{table}");
    assert!(lines.iter().all(|line| line.chars().count() <= 120), "{table}");
}

/// All kernels and devices are in one table, and both modes have the same rows.
#[test]
fn quick_and_full_runs_of_speed_have_every_kernel() {
    let folder = Folder::new();
    let rows = |more: &[&str]| {
        let args = ["speed", "--json", "--processes", "1", "--rounds", "1", "--kernels", "sha256-90r"];
        let output = folder.hashwell([&args, more].concat());
        let report = Report::from_json(&stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)));
        let wrong = |line: &&String| line.contains("not timed");
        assert_eq!(report.run.complaints.iter().find(wrong), None);
        let row = |row: &hashwell_measure::report::Row| {
            let sizes: Vec<u64> = row.cells.iter().map(|cell| cell.bytes).collect();
            (row.kernel.clone().unwrap(), row.operation, row.messages, sizes)
        };
        report.rows.iter().map(row).collect::<Vec<_>>()
    };
    let (quick, full) = (rows(&["--quick"]), rows(&[]));
    assert_eq!(quick, full);
    for (operation, messages) in [(Operation::Digest, 1), (Operation::Many, 32)] {
        assert!(full.contains(&("jit:0".to_owned(), operation, messages, KERNELS.to_vec())), "{full:?}");
    }
    let ninety = hashwell::find("sha256-90r").unwrap();
    for kernel in ninety.kernels().iter().chain(&ninety.batch_kernels()).filter(|kernel| kernel.available) {
        assert!(full.iter().any(|(name, ..)| name == kernel.name), "{}", kernel.name);
    }
}

/// Mode `secure` uses exactly the implementations for which `hashwell timing-test` has targets: all kernels, and no
/// devices.
#[test]
fn secure_is_what_leak_can_look_into() {
    let looked_into: BTreeSet<String> =
        leak::targets().into_iter().map(|subject| subject.kernel.to_string()).collect();
    for algorithm in hashwell::ALGORITHMS {
        for kernel in algorithm.kernels().iter().chain(&algorithm.batch_kernels()).filter(|k| k.available) {
            assert!(looked_into.contains(kernel.name), "{} of {}", kernel.name, algorithm.name);
        }
    }
    for device in hashwell_accel::engines().here.iter().filter(|device| device.kind != Kind::Processor) {
        let prefix = device.id.split(':').next().unwrap();
        let has_targets = looked_into.iter().any(|kernel| kernel.starts_with(prefix));
        assert_eq!(device.kind.has_leak_method(), has_targets, "{}", device.id);
    }
}
