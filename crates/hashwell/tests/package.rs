//! What the crates say of themselves and bring with them.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The head of `lib.rs` says in which order to read the modules, all of them: that in which they are declared.
#[test]
fn the_reading_order_names_every_module() {
    let source = include_str!("../src/lib.rs");
    let head: String = source.lines().filter(|line| line.starts_with("//!")).collect();
    let declared = source.lines().filter_map(|line| {
        line.strip_prefix("pub ").unwrap_or(line).strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';'))
    });
    let modules: Vec<&str> = declared.collect();
    assert!(modules.len() >= 8, "{modules:?}");
    let order = &head[head.find("Read in this order").unwrap()..];
    let place = |module: &&str| {
        let named = order.find(&format!("`{module}`"));
        named.unwrap_or_else(|| panic!("the reading order in lib.rs lacks `{module}`"))
    };
    let places: Vec<usize> = modules.iter().map(place).collect();
    assert!(places.is_sorted(), "{modules:?}");
}

/// The files that `cargo package` would take, of a crate of the workspace.
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

/// README, licences and vectors are links to the project's own, which `cargo package` follows.
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
    ]) {
        assert!(files.contains(&file), "{file} is not packaged");
    }
    assert!(files.len() < 250, "{} files: {files:?}", files.len());
    for name in names("../../crates") {
        let files = packaged(&name);
        for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
            assert!(files.contains(licence), "{name} is packaged without {licence}");
        }
    }
}
