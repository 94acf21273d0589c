//! What others build on, as text: `api.txt` of each crate. Whoever changes it sees so in the commit, and decides whether the
//! version says it. `HASHWELL_WRITE_API=1 cargo test -p hashwell --test all public_api` writes the files again.

use crate::common;

use common::skipped;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates of the workspace whose interface is written down, with all features, those that are off by default among them.
/// Their tests of refused memory look that each function in it has a case. Each has more lines than the number.
const CRATES: [(&str, usize); 6] = [
    ("hashwell", 100),
    ("hashwell-draw", 100),
    ("hashwell-table", 90),
    ("hashwell-rows", 90),
    ("hashwell-arrow", 100),
    ("hashwell-document", 100),
];

/// rustdoc, told that it may write JSON, which its stable releases do as its nightly ones. cargo and the compiler do not
/// hear of it, so that nothing is built twice.
fn rustdoc() -> PathBuf {
    let script = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rustdoc-json");
    std::fs::write(&script, "#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc \"$@\"\n").unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    script
}

/// The interface of a crate, an item a line; `None` if this rustdoc writes what cannot be read here.
fn interface(name: &str, rustdoc: &Path) -> Option<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let made = Command::new(cargo)
        .args(["rustdoc", "--quiet", "--locked", "--lib", "--all-features", "--package", name])
        .arg("--target-dir")
        .arg(target)
        .args(["--", "-Z", "unstable-options", "--output-format", "json", "--cap-lints", "warn"])
        .env("RUSTDOC", rustdoc)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let json = target.join("doc").join(name.replace('-', "_")).with_extension("json");
    let read = public_api::Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build();
    match read {
        Ok(interface) => Some(interface.items().map(|item| format!("{item}\n")).collect()),
        Err(error) => {
            skipped(
                "the public interface as text",
                &format!("this rustdoc's JSON is of another format: {error}"),
            );
            None
        }
    }
}

#[test]
fn the_public_interface_is_as_written_down() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    if !crates.join("hashwell-draw").exists() {
        return skipped("the public interface as text", "not in the repository");
    }
    let rustdoc = rustdoc();
    for (name, least) in CRATES {
        let Some(now) = interface(name, &rustdoc) else { return };
        assert!(now.lines().count() > least, "{name}: {now}");
        let file = crates.join(name).join("api.txt");
        if std::env::var_os("HASHWELL_WRITE_API").is_some() {
            std::fs::write(&file, &now).unwrap();
        }
        let written = std::fs::read_to_string(&file).unwrap_or_default();
        let missing: Vec<&str> =
            written.lines().filter(|line| !now.lines().any(|other| other == *line)).collect();
        let new: Vec<&str> =
            now.lines().filter(|line| !written.lines().any(|other| other == *line)).collect();
        assert!(
            now == written,
            "{name} is not what {} says; if that is meant, HASHWELL_WRITE_API=1 writes it\ngone: {missing:#?}\nnew: {new:#?}",
            file.display()
        );
    }
}
