//! What the user is told: complaints on standard error, results on standard output.

use crate::system::standard;
use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

/// Why a command stops before its end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line makes no sense.
    Usage(String),
    /// The work cannot be done.
    Work(String),
    /// Standard output cannot be written.
    Output(io::Error),
}

/// One line on standard error, whatever the message has in it.
pub(crate) fn complain(message: &dyn Display) {
    let escape = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    let message: String = message.to_string().chars().map(escape).collect();
    explain(&format!("hashwell: {message}\n"));
}

/// Something to know rather than a complaint: said to people, not to scripts that compare standard error.
pub(crate) fn note(message: &dyn Display) {
    if io::stderr().is_terminal() {
        complain(message);
    }
}

/// Text on standard error. If even that cannot be written there is nobody left to tell.
pub(crate) fn explain(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// As [`complain`], about a file.
pub(crate) fn complain_of(name: &OsStr, message: &dyn Display) {
    complain(&format_args!("{}: {message}", printable(name)));
}

/// A name for a message: one line, whatever bytes it has.
pub(crate) fn printable(name: &OsStr) -> String {
    let text = name.to_string_lossy();
    if text.chars().any(char::is_control) { format!("{text:?}") } else { text.into_owned() }
}

/// The operating system's reason, without Rust's "(os error 2)".
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

/// Writes a whole line (or block of lines) at once, so that no reader and no interruption sees part of one.
pub(crate) fn write_line(line: &[u8]) -> Result<(), Failure> {
    standard::write(line).map_err(Failure::Output)
}
