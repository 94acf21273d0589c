//! Completion scripts, run by the shells that are installed.

use crate::common;

use common::{Folder, stderr, stdout};

fn folder_with_script(shell: &str) -> Folder {
    let folder = Folder::new();
    let script = folder.hashwell(["completions", shell]);
    assert!(script.status.success(), "{}", stderr(&script));
    folder.write("script", script.stdout);
    folder
}

fn algorithms(wanted: impl Fn(&hashwell::Algorithm) -> bool) -> Vec<String> {
    hashwell::ALGORITHMS.iter().filter(|row| wanted(row)).map(|row| row.name.to_owned()).collect()
}

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Command lines whose last word is to be completed, and the expected completions.
fn cases() -> Vec<(Vec<&'static str>, Vec<String>)> {
    let all = algorithms(|_| true);
    let hmacs = algorithms(|row| row.hmac);
    let kmacs = strings(&["kmac128", "kmac256"]);
    let sources: Vec<String> = hashwell::Source::all().map(hashwell::Source::name).collect();
    let mut cases = vec![
        (vec!["sum", "-a", "sha3-"], strings(&["sha3-224", "sha3-256", "sha3-384", "sha3-512"])),
        (vec!["sum", "--algorithm", "sha256-"], strings(&["sha256-90r"])),
        (vec!["sum", "-a", "sha256", "-a", "asc"], algorithms(|row| row.name.starts_with("asc"))),
        (vec!["sum", "-a", ""], all.clone()),
        (vec!["speed", "-a", ""], all.clone()),
        (vec!["speed", "--kernels", ""], all.clone()),
        (vec!["speed", "--library", "libs"], strings(&["libsodium"])),
        (vec!["speed", "--tables", ""], strings(&["a", "b", "c", "d", "e", "xof"])),
        (vec!["xof", "-a", ""], algorithms(|row| row.kind == hashwell::Kind::Xof)),
        (vec!["hmac", "-a", ""], hmacs.clone()),
        (vec!["hkdf", "-a", ""], hmacs),
        (vec!["kmac", "-a", ""], kmacs.clone()),
        (vec!["random", "--source", ""], sources),
        (vec!["random", "--format", "b"], strings(&["base64"])),
        (vec!["timing-test", "-a", ""], all.iter().cloned().chain(kmacs).collect()),
        (vec!["timing-test", "--target", "hmac-t"], strings(&["hmac-tag"])),
        (vec!["completions", "f"], strings(&["fish"])),
        (vec!["man", "kma"], strings(&["kmac"])),
        (vec!["sum", "--exc"], strings(&["--exclude"])),
        (vec!["sum", "--outb"], strings(&["--outboard"])),
        (vec!["sum", "--loc"], strings(&["--locate"])),
        (vec!["hk"], strings(&["hkdf"])),
        (vec!["process", "galt"], strings(&["galton-watson"])),
        (vec!["process", "crp", "--encoding", "f"], strings(&["futu", "futu-categorical"])),
        (vec!["process", "crp", "--al"], strings(&["--alpha"])),
        (vec!["measure"], strings(&[])),
    ];
    if cfg!(feature = "git") {
        cases.push((vec!["git", "-a", ""], all));
    }
    cases
}

#[test]
fn bash_completes_names() {
    let folder = folder_with_script("bash");
    for (words, mut expected) in cases() {
        let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
        let [.., before, word] = &[&["'hashwell'".to_owned()], &quoted[..]].concat()[..] else {
            unreachable!()
        };
        let run = format!(
            "source ./script; COMP_WORDS=(hashwell {}); COMP_CWORD={}; \
             _hashwell hashwell {word} {before}; for reply in \"${{COMPREPLY[@]}}\"; do echo \"$reply\"; done",
            quoted.join(" "),
            words.len(),
        );
        let Some(output) = folder.tool("bash", ["--norc", "-c", &run]) else { return };
        let mut offered: Vec<String> = stdout(&output).lines().map(str::to_owned).collect();
        offered.sort_unstable();
        expected.sort_unstable();
        assert_eq!(offered, expected, "{words:?}: {}", stderr(&output));
    }
}

#[test]
fn fish_completes_names_and_says_their_status() {
    let folder = folder_with_script("fish");
    let complete = |line: &str| {
        let run = format!("source ./script; complete -C '{line}'");
        let output =
            folder.command("fish").args(["--no-config", "-c", &run]).env("HOME", folder.path()).output();
        Some(stdout(&output.ok()?))
    };
    // clap's script for fish does not complete positional arguments.
    let positional = |words: &[&str]| words.len() == 2 && !words[1].starts_with('-');
    for (words, mut expected) in cases().into_iter().filter(|(words, _)| !positional(words)) {
        let Some(text) = complete(&format!("hashwell {}", words.join(" "))) else {
            eprintln!("SKIPPED: no fish here");
            return;
        };
        let mut offered: Vec<String> =
            text.lines().map(|line| line.split('\t').next().unwrap_or_default().to_owned()).collect();
        offered.sort_unstable();
        expected.sort_unstable();
        assert_eq!(offered, expected, "{words:?}");
    }
    let text = complete("hashwell sum -a sha").unwrap();
    assert!(text.contains("sha1\tSHA-1: broken\n"), "{text}");
    assert!(text.contains("sha256-90r\tSHA256-90R: experimental\n"), "{text}");
}

/// zsh completes only at its prompt, so this test checks that it reads the script, and what the script contains.
#[test]
fn zsh_reads_its_script_which_has_the_names() {
    let folder = folder_with_script("zsh");
    if let Some(read) = folder.tool("zsh", ["-f", "-n", "script"]) {
        assert!(read.status.success(), "{}", stderr(&read));
    }
    let script = std::fs::read_to_string(folder.path().join("script")).unwrap();
    let sum = &script[script.find("(sum)").unwrap()..script.find("(algorithms)").unwrap()];
    for algorithm in hashwell::ALGORITHMS {
        assert!(sum.contains(&format!("{}\\:", algorithm.name)), "{}", algorithm.name);
    }
    assert!(sum.contains(r#"sha1\:"SHA-1\: broken""#), "{sum}");
    let sources = &script[script.find("'--source=").unwrap()..];
    let sources = &sources[..sources.find("))'").unwrap()];
    assert!(hashwell::Source::all().all(|source| sources.contains(&source.name())), "{sources}");
    assert!(!script.contains("measure-child"), "commands of the program's own are not the user's");
}

#[test]
fn the_help_says_how_to_install_them() {
    let help = stdout(&Folder::new().hashwell(["completions", "--help"]));
    for part in ["bash-completion/completions/hashwell", ".zfunc/_hashwell", "fish/completions/hashwell.fish"]
    {
        assert!(help.contains(part), "{help}");
    }
}

/// The instructions in the help are sufficient for users of bash.
#[test]
fn the_installation_in_the_help_works_in_bash() {
    let folder = Folder::new();
    let help = stdout(&folder.hashwell(["completions", "--help"]));
    let steps: Vec<&str> = help
        .lines()
        .skip_while(|line| !line.starts_with("bash"))
        .skip(1)
        .take_while(|line| line.starts_with(' '))
        .collect();
    assert_eq!(steps.len(), 2, "{help}");
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_hashwell")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut bash = folder.command("bash");
    bash.args(["--norc", "-c", &format!("set -e\n{}", steps.join("\n"))]);
    let Some(output) = common::output(bash.env("HOME", folder.path()).env("PATH", path)) else { return };
    assert!(output.status.success(), "{}", stderr(&output));
    let script = folder.path().join(".local/share/bash-completion/completions/hashwell");
    assert!(std::fs::read_to_string(script).unwrap().contains("complete -F _hashwell"));
}
