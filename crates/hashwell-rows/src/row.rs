//! One row, and what is asked of it.

use std::borrow::Cow;

use crate::error::Error;
use crate::fields::{BOM, Column, Cut, without_end};
use crate::text::Text;

/// A row, as long as the next one is not read.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) text: &'a Text,
    pub(crate) cut: Cut,
    pub(crate) number: u64,
}

impl<'a> Row<'a> {
    /// The row byte for byte, with its terminator if it has one: the last row of a file may have none. The first row of a
    /// file without a header begins with the mark that precedes UTF-8 if the file does. Empty for a table's row.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// How many rows of the stream come before it, headers not counted.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The value of a column: of CSV and TSV without its quotes, of JSON a string's characters or another value's text.
    /// Numbers are text here as they are in the file.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the place if the row has no such field, or is no JSON object.
    pub fn field(&self, column: &Column) -> Result<Cow<'a, [u8]>, Error> {
        let first = self.text.is_first();
        let bytes = if first { self.bytes.strip_prefix(BOM).unwrap_or(self.bytes) } else { self.bytes };
        self.cut.field(without_end(bytes), column).map_err(|reason| Error::invalid(self.place(), reason))
    }

    /// "file:line", the line being the one on which the row begins, counted from 1 with the header; for rows that end with
    /// zero bytes it is the row's number. It is counted now: ask only where it is shown.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{}:{}", self.text.name(), self.text.line())
    }
}
