//! Parts of the help that all commands share: the list of commands in groups, and the texts after the options.

use clap::Command;

/// The commands by task. A command that no group names is listed in the last one.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Checksums and hashes:", &["sum", "xof", "algorithms", "devices"]),
    ("Keys and random numbers:", &["hmac", "kmac", "hkdf", "random"]),
    ("Sampling, draws and tables:", &["sample", "split", "draw", "verify", "table", "diff", "process"]),
    ("Benchmarks and tests:", &["speed", "git", "timing-test", "research"]),
    ("Help and shells:", &["man", "completions", "help"]),
];

/// Returns the template of `hashwell --help` for a program with these commands: clap has no headings for commands.
pub(crate) fn program_template(commands: &Command) -> String {
    let names: Vec<&str> = commands.get_subcommands().map(Command::get_name).chain(["help"]).collect();
    let widest = names.iter().map(|name| name.len()).max().unwrap_or(0);
    let about = |name: &str| match commands.find_subcommand(name) {
        Some(command) => command.get_about().map(ToString::to_string).unwrap_or_default(),
        None => "Print the help of a command".to_owned(),
    };
    let line = |name: &str| format!("  {name:widest$}  {}\n", about(name));
    let is_grouped = |name: &&str| GROUPS.iter().any(|(_, group)| group.contains(name));
    let others: String = names.iter().filter(|name| !is_grouped(name)).map(|name| line(name)).collect();
    let group = |(heading, group): &(&str, &[&str])| {
        let lines: String = group.iter().filter(|name| names.contains(name)).map(|name| line(name)).collect();
        format!("\n{heading}\n{lines}")
    };
    let groups: String = GROUPS.iter().map(group).collect();
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\nCommands:\n{groups}{others}\n\
         Options:\n{{options}}{{after-help}}"
    )
}

/// Returns the text that `-h` prints after the options: examples, and where to read on.
pub(crate) fn brief(command: &str, examples: &str) -> String {
    format!("Examples:\n{examples}\n\nAll options: hashwell {command} --help. Manual: hashwell man {command}")
}

/// Returns the text that `--help` prints after the options: the details, the exit codes and examples.
pub(crate) fn full(command: &str, details: &str, examples: &str) -> String {
    format!("{details}\n\nExamples:\n{examples}\n\nManual: hashwell man {command} | man -l -")
}

/// True if a paragraph of the text after the options is only for the help, not for a manual page, which has
/// separate sections for it.
pub(crate) fn is_only_in_help(paragraph: &str) -> bool {
    ["Examples:", "All options:", "Manual:"].iter().any(|begin| paragraph.starts_with(begin))
}
