//! The formats in which a report can be asked for.

/// Formats of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Tables for a terminal.
    Text,
    /// Tables for GitHub and its like.
    Markdown,
    /// Tables as in mails of the git project.
    Asciidoc,
    /// One line for each figure.
    Csv,
    /// Everything, to be read again by programs.
    Json,
    /// A page with charts that needs nothing but itself.
    Html,
}
