//! Messages to the user on standard error, and results on standard output.

use crate::system::standard;
use hashwell_document::markup::is_obeyed;
pub(crate) use hashwell_git::files::reason;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

/// The reason why a command stops early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line is invalid.
    Usage(String),
    /// The work cannot be done.
    Work(String),
    /// Standard output cannot be written.
    Output(io::Error),
    /// Ctrl-C or another signal arrived while files were being written. They are removed.
    Interrupted,
}

impl From<hashwell_draw::Error> for Failure {
    fn from(error: hashwell_draw::Error) -> Self {
        Self::Work(error.to_string())
    }
}

impl From<hashwell_rows::Error> for Failure {
    fn from(error: hashwell_rows::Error) -> Self {
        use hashwell_rows::Error;
        match error {
            Error::Io { name, error } => Self::Work(format!("{name}: {}", reason(&error))),
            Error::Options(_) => Self::Usage(error.to_string()),
            other => Self::Work(other.to_string()),
        }
    }
}

impl Failure {
    /// The failure of reading rows. The message contains the name of the file.
    pub(crate) fn of_rows(error: hashwell_rows::Error) -> Self {
        use hashwell_rows::Error;
        match error {
            Error::Io { name, error } => Self::Work(format!("{name}: {}", reason(&error))),
            Error::Options(text) => Self::Usage(text.into_owned()),
            other => Self::Work(other.to_string()),
        }
    }
}

impl From<hashwell_work::Stopped> for Failure {
    fn from(stopped: hashwell_work::Stopped) -> Self {
        Failure::Work(stopped.to_string())
    }
}

/// Prints a message as one line on standard error, even if it contains newlines.
pub(crate) fn complain(message: &dyn Display) {
    explain(&format!("hashwell: {}\n", one_line(&message.to_string())));
}

/// Escapes all characters that would end the line, and all that a terminal interprets as control characters.
pub(crate) fn one_line(text: &str) -> String {
    let escape = |c: char| if is_obeyed(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escape).collect()
}

/// Prints a note, but only on a terminal, because scripts may compare standard error.
pub(crate) fn note(message: &dyn Display) {
    if io::stderr().is_terminal() {
        complain(message);
    }
}

/// Prints a text to standard error. An error is ignored, because it could not be reported.
pub(crate) fn explain(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Same as [`complain`], with the name of a file.
pub(crate) fn complain_of(name: &OsStr, message: &dyn Display) {
    complain(&format_args!("{}: {message}", printable(name)));
}

/// A name for a message, on one line even if it contains control characters.
pub(crate) fn printable(name: &OsStr) -> String {
    let text = name.to_string_lossy();
    if text.chars().any(is_obeyed) { format!("{text:?}") } else { text.into_owned() }
}

/// Writes a whole line (or block of lines) at once, so that a reader or an interruption never sees a part of it. A
/// terminal gets [`visible`] text; a file or a pipe gets the unchanged bytes.
pub(crate) fn write_line(line: &[u8]) -> Result<(), Failure> {
    write_bytes(&for_output(line))
}

/// Writes output that is not text, like [`write_line`], except that a terminal gets the unchanged bytes as well.
pub(crate) fn write_bytes(bytes: &[u8]) -> Result<(), Failure> {
    standard::write(bytes).map_err(Failure::Output)
}

/// Text for standard output: [`visible`] if that is a terminal.
pub(crate) fn for_output(text: &[u8]) -> Cow<'_, [u8]> {
    static TERMINAL: OnceLock<bool> = OnceLock::new();
    if *TERMINAL.get_or_init(|| io::stdout().is_terminal()) { visible(text) } else { Cow::Borrowed(text) }
}

/// The text with escapes for everything that a terminal would interpret: names of files may contain control characters,
/// and bytes that are not UTF-8. Newlines and tabs are kept, and so is NUL, which terminals ignore and which `sum
/// --zero` writes. JSON stays valid.
fn visible(text: &[u8]) -> Cow<'_, [u8]> {
    let stays = |c: char| !is_obeyed(c) || matches!(c, '\n' | '\t' | '\0');
    if str::from_utf8(text).is_ok_and(|text| text.chars().all(stays)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\r' => shown.push_str("\\r"),
                c if stays(c) => shown.push(c),
                c => shown.push_str(&format!("\\u{:04x}", u32::from(c))),
            }
        }
        chunk.invalid().iter().for_each(|byte| shown.push_str(&format!("\\x{byte:02x}")));
    }
    Cow::Owned(shown.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        for (text, shown) in [
            (&b"plain \xc3\xa4\tname\n\0"[..], "plain \u{e4}\tname\n\0"),
            (b"a\x1b[8m\rb\x7f\n", "a\\u001b[8m\\rb\\u007f\n"),
            (
                "\u{9b}31m \u{202e}gpj.\u{2066} \u{200f}\u{2028}".as_bytes(),
                "\\u009b31m \\u202egpj.\\u2066 \\u200f\\u2028",
            ),
            // Bytes that are not UTF-8. The first one is a control character in an 8-bit terminal.
            (b"\x9b31m\xff", "\\x9b31m\\xff"),
        ] {
            assert_eq!(String::from_utf8_lossy(&visible(text)), shown);
        }
    }

    #[test]
    fn names_and_messages_take_one_line() {
        assert_eq!(printable(OsStr::new("a b")), "a b");
        for name in ["a\nb", "a\u{1b}b", "a\u{9b}b", "a\u{202e}b", "a\u{2069}b", "a\u{200e}b", "a\u{2028}b"] {
            for shown in [printable(OsStr::new(name)), one_line(name)] {
                assert!(!shown.chars().any(is_obeyed), "{shown:?}");
                assert!(shown.contains('\\'), "{shown:?}");
            }
        }
    }
}
