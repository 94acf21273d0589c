//! Passes information about the program that makes a report to the crate: the compiler and, if the program is built in
//! its own repository, the commit.

use std::process::Command;

fn output(program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

fn main() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = output(&rustc, &["--version"]).unwrap_or_else(|| "unknown compiler".into());
    println!("cargo::rustc-env=HASHWELL_RUSTC={version}");
    println!("cargo::rerun-if-changed=build.rs");
    // Fuzzers write no reports, and what they build takes minutes, which need not be spent again after every commit.
    if std::env::var_os("CARGO_CFG_FUZZING").is_some() {
        return;
    }
    // It has a line more after every commit.
    if let Some(log) = output("git", &["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    // If the source is a copy in a different repository, the commit of that repository has no meaning here.
    if output("git", &["ls-files", "--error-unmatch", "build.rs"]).is_none() {
        return;
    }
    if let Some(commit) = output("git", &["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]) {
        println!("cargo::rustc-env=HASHWELL_COMMIT={commit}");
    }
}
