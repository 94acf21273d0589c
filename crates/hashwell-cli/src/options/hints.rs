//! Suggestions for names that this program does not have.

use crate::options::args::Options;
use clap::{Command, CommandFactory};
use strsim::osa_distance;

/// Names of commands that other programs use or that this program used before, and their replacements.
const COMMANDS: [(&[&str], &str); 12] = [
    (&["leak", "leaks", "dudect", "timing"], "'timing-test'"),
    (&["rows"], "'table' for digests of a table, or 'diff' to compare two"),
    (&["hash", "digest", "checksum", "shasum", "sha256sum", "sha512sum", "b2sum"], "'sum'"),
    (&["md5sum"], "'sum -c' to check a list; new MD5 lists are not supported"),
    (&["b3sum"], "'sum -a blake3'"),
    (&["check"], "'sum -c' for checksums, or 'verify' for a draw"),
    (&["list", "kernels"], "'algorithms'"),
    (&["rand"], "'random'"),
    (&["shuf", "pick"], "'sample'"),
    (&["lottery", "raffle"], "'draw'"),
    (&["compare"], "'diff'"),
    (&["bench", "benchmark"], "'speed'"),
];

/// Options that other programs or earlier versions have, by command, and their replacements.
const OPTIONS: &[(&[&str], &[&str], &str)] = &[
    (&["sum"], &["--personal", "--person"], "use --personalization"),
    (&["sum"], &["--h1", "--dirhash"], "use --go-h1"),
    (&["sum"], &["--h1-prefix"], "use --go-h1-prefix"),
    (&["sum"], &["--nix", "--nix-hash"], "use --nar"),
    (&["sum"], &["--debug"], "'hashwell algorithms' lists the kernels"),
    (&["sum"], &["--num-threads", "--threads"], "use --jobs"),
    (&["sum"], &["--no-mmap"], "remove it: files are read, not mapped"),
    (&["sum"], &["--seek"], "use 'hashwell xof --seek'"),
    (&["sum"], &["--sysv", "-s"], "use -c -a sysv to check such a list; new ones are not supported"),
    (&["sum"], &["-U", "--UNIVERSAL", "-0", "--01"], "files are always hashed as they are"),
    (&["speed"], &["--provider", "--providers", "--peers", "--libraries"], "use --library"),
    (&["git"], &["--peers", "--provider", "--library"], "use --libraries"),
    (&["sample"], &["--key", "--group", "--groupby"], "use --group-by"),
    (&["sample"], &["--strata"], "use --stratify"),
    (&["sample", "draw", "verify"], &["--by", "--stratum"], "use --stratify"),
    (&["sample"], &["--missing-weight"], "use --default-weight"),
    (&["sample", "draw", "verify"], &["--weights"], "use --weight COL"),
    (&["sample", "draw"], &["--chance", "--frac", "--fraction"], "use -p/--probability"),
    (&["sample"], &["-k", "--picks", "--count", "--size"], "use -n"),
    (&["sample"], &["--random-state"], "use --seed"),
    (&["draw"], &["-k", "--count", "--size"], "use -n/--picks"),
    (&["draw"], &["--numbers"], "use --range N"),
    (&["table"], &["--diff"], "use 'hashwell diff OLD NEW'"),
    (&["table"], &["--each"], "use --per-row"),
    (&["table"], &["--suite"], "use --scheme"),
    (&["table", "diff"], &["--declared-order"], "use --ordered-columns"),
];

/// Returns the replacement for an option that the command does not have.
pub(crate) fn instead_of_option(command: &str, option: &str) -> Option<&'static str> {
    let known = |(commands, names, _): &&(&[&str], &[&str], &str)| {
        commands.contains(&command) && names.contains(&option)
    };
    OPTIONS.iter().find(known).map(|(.., instead)| *instead)
}

/// Returns the replacement for a command that this program does not have.
pub(crate) fn instead_of_command(name: &str) -> Option<String> {
    let known = COMMANDS.iter().find(|(names, _)| names.contains(&name));
    known.map(|(_, instead)| format!("use {instead}")).or_else(|| {
        nearest(name, Options::command().get_subcommands().map(Command::get_name))
            .map(|name| format!("did you mean '{name}'?"))
    })
}

/// Returns the known name that is closest to `name`. It may differ by one typing error, or by two in names with at
/// least five letters.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let most = if name.len() < 5 { 1 } else { 2 };
    let near = known.map(|known| (osa_distance(name, known), known)).filter(|(errors, _)| *errors <= most);
    near.min_by_key(|(errors, _)| *errors).map(|(_, known)| known.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

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
    /// Explanations for missing options must not be about options that exist.
    #[test]
    fn no_option_has_an_explained_name() {
        let mut program = Options::command();
        program.build();
        for (commands, names, _) in OPTIONS {
            for (command, name) in
                commands.iter().flat_map(|command| names.iter().map(move |name| (command, name)))
            {
                // Some commands exist only in builds with additional features.
                let Some(found) = program.find_subcommand(command) else { continue };
                let is_there = found.get_arguments().any(|argument| {
                    argument.get_long().is_some_and(|long| format!("--{long}") == *name)
                        || argument.get_short().is_some_and(|short| format!("-{short}") == *name)
                });
                assert!(!is_there, "{command} {name}");
            }
        }
        assert_eq!(instead_of_option("sample", "--key"), Some("use --group-by"));
    }
}
