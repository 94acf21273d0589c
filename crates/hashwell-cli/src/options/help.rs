//! Parts of the help that all commands share: the texts after the options.

/// What `-h` prints after the options: examples, and where to read on.
pub(crate) fn brief(command: &str, examples: &str) -> String {
    format!("Examples:\n{examples}\n\nAll options: hashwell {command} --help. Manual: hashwell man {command}")
}

/// What `--help` prints after the options: the details, the exit codes and examples.
pub(crate) fn full(command: &str, details: &str, examples: &str) -> String {
    format!("{details}\n\nExamples:\n{examples}\n\nManual: hashwell man {command} | man -l -")
}

/// True if a paragraph of the text after the options is only for the help, not for a manual page, which has
/// sections of its own for it.
pub(crate) fn is_only_in_help(paragraph: &str) -> bool {
    ["Examples:", "All options:", "Manual:"].iter().any(|begin| paragraph.starts_with(begin))
}
