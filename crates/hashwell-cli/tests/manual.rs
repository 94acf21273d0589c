//! Manual pages: every command has one with every section, the examples work as described, and formatters print no
//! warnings.

use crate::common;

use common::{Folder, stderr, stdout};
use std::path::Path;

/// The hand-written texts of the pages, with their commands. The text of the program itself has the name "".
fn texts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("manual");
    let text = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let command = if name == "hashwell" { "" } else { name };
        (command.to_owned(), std::fs::read_to_string(&path).unwrap())
    };
    let mut texts: Vec<_> = std::fs::read_dir(folder).unwrap().map(text).collect();
    texts.retain(|(command, _)| match &command[..] {
        "git" => cfg!(feature = "git"),
        _ => true,
    });
    texts
}

/// Writes every page into a folder.
fn pages() -> Folder {
    let folder = Folder::new();
    let output = folder.hashwell(["man", "--out", "new/man1"]);
    assert_eq!(
        (output.status.code(), stdout(&output), stderr(&output)),
        (Some(0), String::new(), String::new())
    );
    folder
}

fn names(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path().join("new/man1")).unwrap();
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

#[test]
fn every_command_has_a_page_with_every_section() {
    let folder = pages();
    let page_of = |subcommand: &str| match subcommand {
        "" => "hashwell.1".to_owned(),
        subcommand => format!("hashwell-{subcommand}.1"),
    };
    let mut expected: Vec<String> = texts().iter().map(|(name, _)| page_of(name)).collect();
    expected.sort_unstable();
    assert_eq!(names(&folder), expected);
    let help = stdout(&folder.hashwell(["--help"]));
    for (subcommand, text) in &texts() {
        let page = std::fs::read_to_string(folder.path().join("new/man1").join(page_of(subcommand))).unwrap();
        let sections: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix(".SH ")).collect();
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "FILES", "ENVIRONMENT"] {
            assert_eq!(
                sections.iter().filter(|s| **s == section).count(),
                1,
                "{subcommand}: {section} {sections:?}"
            );
        }
        assert!(sections.ends_with(&["\"EXIT STATUS\"", "\"SEE ALSO\""]), "{subcommand}: {sections:?}");
        let exits = &page[page.find(".SH \"EXIT STATUS\"").unwrap()..];
        assert!(exits.contains(".TP\n\\fB0\\fR\n") && exits.contains("\n\\fB2\\fR\nusage"), "{exits}");
        assert!(page.contains("HASHWELL_KERNEL"), "{subcommand}");
        let lines: Vec<&str> = page.lines().collect();
        for described in lines.windows(3).filter(|lines| lines[0] == ".TP") {
            assert!(!described[2].is_empty(), "{subcommand}: {} has a description", described[1]);
        }
        assert!(help.contains(&format!("\n  {subcommand}")), "{subcommand} is in the help");
        assert_eq!(
            text.matches("    $ ").count(),
            page.matches("\n$ ").count(),
            "{subcommand}: all examples are shown"
        );
        let printed = match &subcommand[..] {
            "" => folder.hashwell(["man"]),
            subcommand => folder.hashwell(["man", subcommand]),
        };
        assert_eq!(stdout(&printed), page);
    }
}

#[test]
fn pages_refer_to_pages_that_exist() {
    let folder = pages();
    let names = names(&folder);
    for name in &names {
        let page = std::fs::read_to_string(folder.path().join("new/man1").join(name)).unwrap();
        let plain = page.replace("\\fB", "").replace("\\fR", "").replace("\\-", "-");
        let references: Vec<&str> = plain
            .match_indices("(1)")
            .map(|(at, _)| plain[..at].rsplit(|c: char| c.is_whitespace()).next().unwrap())
            .collect();
        assert!(references.len() >= names.len() - 1, "{name} refers to {references:?}");
        for reference in references {
            assert!(names.contains(&format!("{reference}.1")), "{name} refers to {reference}(1)");
        }
    }
}

#[test]
fn formatters_have_no_complaint() {
    let folder = pages();
    for name in names(&folder) {
        let path = format!("new/man1/{name}");
        if let Some(groff) = folder.tool("groff", ["-ww", "-z", "-man", "-Tutf8", &path]) {
            assert_eq!((groff.status.code(), stderr(&groff)), (Some(0), String::new()), "{name}");
        }
        // References to pages that may not be installed are not checked.
        if let Some(mandoc) = folder.tool("mandoc", ["-T", "lint", "-W", "warning", &path]) {
            assert_eq!(stdout(&mandoc), "", "{name}");
        }
    }
    assert_eq!(folder.hashwell(["man", "nothing"]).status.code(), Some(2));
    let refused = folder.hashwell(["man", "--out", "new/man1/hashwell.1/x"]);
    assert_eq!(refused.status.code(), Some(1), "{}", stderr(&refused));
}

/// Runs each block of a text in a separate shell, as a reader would type it. `...` matches any lines.
fn run_examples(subcommand: &str, text: &str) -> usize {
    let folder = Folder::new();
    let program = Path::new(env!("CARGO_BIN_EXE_hashwell")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut run = 0;
    for block in text.split("\n\n").filter(|block| block.starts_with("    $ ")) {
        let mut script = "exec 2>&1; set -o pipefail\n".to_owned();
        let mut expected: Vec<String> = vec![String::new()];
        for line in block.lines() {
            let line = line.strip_prefix("    ").unwrap();
            match line.strip_prefix("$ ") {
                Some(command) => {
                    script += &format!("{command}\necho @@@\n");
                    expected.push(String::new());
                    run += 1;
                }
                None => *expected.last_mut().unwrap() += &format!("{line}\n"),
            }
        }
        if script.contains("\ngit ") && folder.tool("git", ["--version"]).is_none() {
            continue;
        }
        let mut bash = folder.command("bash");
        bash.args(["--norc", "-c", &script]).env("PATH", &path).env("HOME", folder.path());
        let Some(output) = common::output(&mut bash) else { return run };
        let printed = stdout(&output);
        let printed: Vec<&str> = printed.split("@@@\n").collect();
        assert_eq!(printed.len(), expected.len(), "{subcommand}: {printed:?}");
        for (printed, expected) in printed.iter().zip(&expected[1..]) {
            let matches = match expected.split_once("...\n") {
                Some((begin, _)) => printed.starts_with(begin) && printed.len() > begin.len(),
                None => printed == expected,
            };
            assert!(matches, "{subcommand}:\n{script}\nprinted\n{printed}\ninstead of\n{expected}");
        }
    }
    run
}

#[test]
fn examples_do_what_they_say() {
    for (subcommand, text) in &texts() {
        assert!(run_examples(subcommand, text) > 0, "{subcommand} has no example");
    }
}
