//! The output formats of reports.

/// Formats of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Tables for a terminal.
    Text,
    /// Tables for GitHub and similar sites.
    Markdown,
    /// Tables as in emails of the git project.
    Asciidoc,
    /// One line for each figure.
    Csv,
    /// All data, for programs.
    Json,
    /// A self-contained page with charts.
    Html,
}
