//! The descriptions and the contents of the crates' packages.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The documentation in `lib.rs` lists all modules in reading order, which is the order of their declarations.
#[test]
fn the_reading_order_names_every_module() {
    let source = include_str!("../src/lib.rs");
    let head: String = source.lines().filter(|line| line.starts_with("//!")).collect();
    let declared = source.lines().filter_map(|line| {
        line.strip_prefix("pub ").unwrap_or(line).strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';'))
    });
    let modules: Vec<&str> = declared.collect();
    assert!(modules.len() >= 8, "{modules:?}");
    let order = &head[head.find("The modules form layers").unwrap()..];
    let place = |module: &&str| {
        let named = order.find(&format!("`{module}`"));
        named.unwrap_or_else(|| panic!("the reading order in lib.rs lacks `{module}`"))
    };
    let places: Vec<usize> = modules.iter().map(place).collect();
    assert!(places.is_sorted(), "{modules:?}");
}

/// The files that `cargo package` would include for a crate of the workspace.
fn packaged(name: &str) -> BTreeSet<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let list = Command::new(cargo)
        .args(["package", "--list", "--allow-dirty", "--offline", "--package", name])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(list.status.success(), "{}", String::from_utf8_lossy(&list.stderr));
    String::from_utf8(list.stdout).unwrap().lines().map(String::from).collect()
}

/// README, licenses and vectors are symbolic links to the project's files, which `cargo package` follows.
#[test]
fn packages_are_whole() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    if here.join("Cargo.toml.orig").exists() {
        eprintln!("SKIPPED: in a package already; cargo does not package it again");
        return;
    }
    let files = packaged("hashwell");
    let names = |folder: &str| {
        let entries = std::fs::read_dir(here.join(folder)).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<Vec<String>>()
    };
    let vectors = names("../../vectors").into_iter().map(|name| format!("vectors/{name}"));
    let tests =
        names("tests").into_iter().filter(|name| name.ends_with(".rs")).map(|name| format!("tests/{name}"));
    for file in vectors.chain(tests).chain([
        "README.md".into(),
        "tests/algorithms.md".into(),
        "tests/common/mod.rs".into(),
        "proofs/standard.rs".into(),
        "proofs/machine/mod.rs".into(),
    ]) {
        assert!(files.contains(&file), "{file} is not packaged");
    }
    assert!(files.len() < 270, "{} files: {files:?}", files.len());
    for name in names("../../crates") {
        let files = packaged(&name);
        for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
            assert!(files.contains(licence), "{name} is packaged without {licence}");
        }
        if published(here, &name) {
            assert!(files.contains("README.md"), "{name} is packaged without a README");
        }
    }
}

/// The manifest of a crate of the workspace.
fn manifest(here: &Path, name: &str) -> String {
    std::fs::read_to_string(here.join("../../crates").join(name).join("Cargo.toml")).unwrap()
}

fn published(here: &Path, name: &str) -> bool {
    !manifest(here, name).contains("\npublish = false\n")
}

/// Every crate that is meant for a registry has a README with an example and the licenses, and its documentation shows
/// the feature of each item.
#[test]
fn pages_of_published_crates_are_whole() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    if here.join("Cargo.toml.orig").exists() {
        eprintln!("SKIPPED: in a package already, away from the other crates");
        return;
    }
    let mut seen = 0;
    for entry in std::fs::read_dir(here.join("../../crates")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !published(here, &name) {
            continue;
        }
        seen += 1;
        let read =
            |file: &str| std::fs::read_to_string(here.join("../../crates").join(&name).join(file)).unwrap();
        let (manifest, source, readme) = (manifest(here, &name), read("src/lib.rs"), read("README.md"));
        assert!(manifest.contains("\nreadme = \"README.md\"\n"), "{name} names no README");
        assert!(
            readme.trim_end().ends_with("Licence: MIT or Apache-2.0."),
            "{name}: README.md has no licence"
        );
        // Rust examples are run by the crate's documentation tests, and command sessions by tools/check_readme.py.
        if readme.contains("```rust\n") {
            let included = "#[cfg(doctest)]\n#[doc = include_str!(\"../README.md\")]\n";
            assert!(source.contains(included), "{name}: nothing runs the example of README.md");
        } else {
            assert!(readme.contains("```console\n"), "{name}: README.md has no example");
        }
        let Some((_, features)) = manifest.split_once("\n[features]\n") else {
            continue;
        };
        assert!(
            source.contains("\n#![cfg_attr(docsrs, feature(doc_cfg))]\n"),
            "{name}: no badges of features"
        );
        let (_, shown) = manifest.split_once("\n[package.metadata.docs.rs]\n").unwrap_or_else(|| {
            panic!("{name}: Cargo.toml does not say with which features its documentation is built")
        });
        let shown = shown.lines().next().unwrap();
        // docs.rs must build the documentation with all features, or with a list of all features that can be built from
        // a package.
        for feature in features.split("\n[").next().unwrap().lines() {
            let Some((feature, _)) =
                feature.split_once(" = ").filter(|(word, _)| !word.starts_with(['#', ' ']))
            else {
                continue;
            };
            let named = shown == "all-features = true" || shown.contains(&format!("\"{feature}\""));
            assert!(
                named || ["default", "fpga-sim"].contains(&feature),
                "{name}: its documentation lacks {feature}"
            );
            let row =
                readme.lines().any(|line| line.starts_with('|') && line.contains(&format!("`{feature}`")));
            assert!(
                name == "hashwell" || feature == "default" || row,
                "{name}: README.md does not have {feature}"
            );
        }
    }
    assert!(seen >= 9, "{seen} crates are published");
}
