//! Suggestions for names that this program does not have.

use crate::options::args::Options;
use clap::{Command, CommandFactory};

/// Names of commands that other programs use or that this program used before, and what to use instead.
const COMMANDS: [(&[&str], &str); 12] = [
    (&["leak", "leaks", "dudect", "timing"], "'timing-test'"),
    (&["rows"], "'table' for digests of a table, or 'diff' to compare two"),
    (&["hash", "digest", "checksum", "shasum", "sha256sum", "sha512sum", "b2sum"], "'sum'"),
    (&["md5sum"], "'sum -c' to check a list; new MD5 lists are not supported"),
    (&["b3sum"], "'sum -a blake3'"),
    (&["check"], "'sum -c' for checksums, or 'verify' for a draw"),
    (&["list", "kernels"], "'algorithms'"),
    (&["rand"], "'random'"),
    (&["shuf", "split", "pick"], "'sample'"),
    (&["lottery", "raffle"], "'draw'"),
    (&["compare"], "'diff'"),
    (&["bench", "benchmark"], "'speed'"),
];

/// Options of commands that are known under another name, and the name here.
const OPTIONS: [(&str, &[&str], &str); 11] = [
    ("sum", &["--personal", "--person"], "use --personalization"),
    ("sum", &["--h1", "--dirhash"], "use --go-h1"),
    ("sum", &["--h1-prefix"], "use --go-h1-prefix"),
    ("sum", &["--debug"], "'hashwell algorithms' lists the kernels"),
    ("sum", &["--num-threads", "--threads"], "use --jobs"),
    ("sum", &["--no-mmap"], "remove it: files are read, not mapped"),
    ("sum", &["--seek"], "use 'hashwell xof --seek'"),
    ("sum", &["--sysv", "-s"], "use -c -a sysv to check such a list; new ones are not supported"),
    ("sum", &["-U", "--UNIVERSAL", "-0", "--01"], "files are always hashed as they are"),
    ("speed", &["--provider", "--providers", "--peers", "--libraries"], "use --library"),
    ("git", &["--peers", "--provider", "--library"], "use --libraries"),
];

/// Returns what to use instead of an option that the command does not have.
pub(crate) fn instead_of_option(command: &str, option: &str) -> Option<&'static str> {
    let known = |(of, names, _): &&(&str, &[&str], &'static str)| *of == command && names.contains(&option);
    OPTIONS.iter().find(known).map(|(.., instead)| *instead)
}

/// Returns what to use instead of a command that this program does not have.
pub(crate) fn instead_of_command(name: &str) -> Option<String> {
    let known = COMMANDS.iter().find(|(names, _)| names.contains(&name));
    known.map(|(_, instead)| format!("use {instead}")).or_else(|| {
        nearest(name, Options::command().get_subcommands().map(Command::get_name))
            .map(|name| format!("did you mean '{name}'?"))
    })
}

/// The name that differs least: by one typing error, or by two in names of at least five letters.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let most = if name.len() < 5 { 1 } else { 2 };
    let near = known.map(|known| (errors(name, known), known)).filter(|(errors, _)| *errors <= most);
    near.min_by_key(|(errors, _)| *errors).map(|(_, known)| known.to_owned())
}

/// The number of letters to insert, delete, replace or swap with the next one to make one text of the other
/// (optimal string alignment distance).
fn errors(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_are_counted() {
        for (a, b, count) in [("sum", "smu", 1), ("sum", "sum", 0), ("sum", "summ", 1), ("", "abc", 3)] {
            assert_eq!((errors(a, b), errors(b, a)), (count, count), "{a} {b}");
        }
    }

    #[test]
    fn wrong_names_get_the_right_one() {
        for (wrong, right) in [
            ("smu", "did you mean 'sum'?"),
            ("smaple", "did you mean 'sample'?"),
            ("speeed", "did you mean 'speed'?"),
            ("leak", "use 'timing-test'"),
        ] {
            assert_eq!(instead_of_command(wrong).as_deref(), Some(right), "{wrong}");
        }
        assert_eq!(instead_of_command("measure-chil"), None);
        assert_eq!(instead_of_option("sum", "--h1"), Some("use --go-h1"));
    }
}
