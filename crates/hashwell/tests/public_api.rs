//! The public interface of each crate as text, in its `api.txt`. A change to it is visible in the commit, so that its
//! author can decide whether the version number must reflect it. `HASHWELL_WRITE_API=1 cargo test -p hashwell --test
//! all public_api` updates the files.

use crate::common;

use common::skipped;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates whose interface is recorded, with all features, including those that are off by default. Their allocation
/// tests check that each function in it has a case. Each interface has more lines than the given number.
const CRATES: [(&str, usize); 6] = [
    ("hashwell", 100),
    ("hashwell-draw", 100),
    ("hashwell-table", 90),
    ("hashwell-rows", 90),
    ("hashwell-arrow", 100),
    ("hashwell-document", 100),
];

/// A rustdoc that may write JSON in stable releases as in nightly ones. cargo and the compiler do not see this setting,
/// so that nothing is built twice.
fn rustdoc() -> PathBuf {
    let script = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rustdoc-json");
    std::fs::write(&script, "#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc \"$@\"\n").unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    script
}

/// The interface of a crate, one item per line. `None` if this rustdoc writes an unsupported format.
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
