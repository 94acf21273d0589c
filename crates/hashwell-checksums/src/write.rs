//! Writes the lines of a list. The formats that coreutils supports are byte-for-byte the same as its output.
//!
//! Names are bytes, because file names need not be valid text.

use crate::choice::Choice;
use crate::formats::Writer;
use crate::layout::json;
pub use crate::layout::{End, escaped, escaped_if_many_lines, line, name_in, unescaped};
use crate::stamp::Stamp;
use data_encoding::{BASE64, HEXLOWER};
use hashwell::registry::{ParameterRow, Value};

/// The layout of digests and names on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// `DIGEST  NAME`
    Gnu,
    /// `ALG (NAME) = DIGEST`
    Tag,
    /// `sha256-BASE64  NAME`
    Sri,
    /// `{"algorithm": …}`
    Json,
    /// Only the bytes of the digest.
    Raw,
    /// A format of another tool.
    Other(Writer),
}

/// The encoding of digest bytes as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Hexadecimal in lower case.
    Hex,
    /// Base64 with padding.
    Base64,
}

/// The style of an output line.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// The layout of digests and names on a line.
    pub layout: Layout,
    /// True if lines of [`Layout::Gnu`] and [`Layout::Sri`] contain the file name.
    pub names: bool,
    /// True if lines of [`Layout::Gnu`] and [`Layout::Sri`] have the binary mode mark `*` before the name.
    pub binary: bool,
    /// The encoding of digest bytes as text.
    pub encoding: Encoding,
    /// The line ending.
    pub end: End,
}

/// The prefix of a subresource integrity value, such as `sha256`. Returns `None` for algorithms that are not in the W3C
/// recommendation.
#[must_use]
pub fn sri_prefix(choice: Choice) -> Option<&'static str> {
    ["sha256", "sha384", "sha512"].into_iter().find(|name| choice.algorithm.name == *name)
}

impl Style {
    /// The line for one digest, with its line ending. `parameters` are the parameters with which the digest was
    /// computed. Only JSON lines contain the parameters, and also the file's size and times, as far as `stamp` has
    /// them. The result is empty if the format of another tool cannot represent the name.
    #[must_use]
    pub fn line<'p>(
        self,
        choice: Choice,
        parameters: impl IntoIterator<Item = (&'static ParameterRow, Value<'p>)>,
        digest: &[u8],
        name: &[u8],
        stamp: &Stamp,
    ) -> Vec<u8> {
        let text = match self.encoding {
            Encoding::Hex => HEXLOWER.encode(digest),
            Encoding::Base64 => BASE64.encode(digest),
        };
        match self.layout {
            Layout::Raw => digest.to_vec(),
            Layout::Json => json(choice, parameters, digest, name, stamp),
            Layout::Other(writer) => {
                writer.line(choice, digest, name, stamp.size.unwrap_or(0)).unwrap_or_default()
            }
            Layout::Gnu => self.text_and_name(&text, name),
            Layout::Tag => line(&choice.tag(), " (", name, &format!(") = {text}"), self.end),
            Layout::Sri => {
                let prefix = sri_prefix(choice).unwrap_or_default();
                self.text_and_name(&format!("{prefix}-{}", BASE64.encode(digest)), name)
            }
        }
    }

    /// The comment with a stamp above the lines of a file, with its line ending. The comment is empty if the stamp has no
    /// time of modification, if the format has no comments, and in JSON, whose lines contain the stamp.
    #[must_use]
    pub fn comment(self, stamp: &Stamp) -> Vec<u8> {
        let mark = match self.layout {
            Layout::Json | Layout::Raw => None,
            Layout::Other(writer) => writer.comment(),
            Layout::Gnu | Layout::Tag | Layout::Sri => Some('#'),
        };
        let Some(mark) = mark.filter(|_| stamp.tells()) else { return Vec::new() };
        let mut text = stamp.comment().replacen('#', mark.encode_utf8(&mut [0; 4]), 1).into_bytes();
        text.push(self.end.byte());
        text
    }

    /// Returns the lines for one file, below the [`comment`](Self::comment) with its stamp.
    #[must_use]
    pub fn entry(self, digests: &[(Choice, Vec<u8>)], name: &[u8], stamp: &Stamp) -> Vec<u8> {
        let mut text = self.comment(stamp);
        text.extend(digests.iter().flat_map(|(choice, digest)| self.line(*choice, [], digest, name, stamp)));
        text
    }

    fn text_and_name(self, text: &str, name: &[u8]) -> Vec<u8> {
        match self.names {
            true => line(text, if self.binary { " *" } else { "  " }, name, "", self.end),
            false => line(text, "", b"", "", self.end),
        }
    }
}
