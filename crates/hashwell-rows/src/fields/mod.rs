//! The fields of one row.

pub(crate) mod ahead;
pub(crate) mod delimited;
pub(crate) mod json;
mod number;

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::error::Error;
pub use delimited::RawField;

/// The byte order mark that some programs write before UTF-8.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

/// The way in which a row is divided into fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// The row has no fields.
    None,
    /// Fields are separated by a delimiter, except within quotes if there are any.
    Delimited { delimiter: u8, quote: Option<u8> },
    /// Fields are the members of a JSON object.
    Json,
}

/// A row without its newline, and without the carriage return before that.
pub(crate) fn without_end(row: &[u8]) -> &[u8] {
    match row.strip_suffix(b"\n") {
        Some(line) => line.strip_suffix(b"\r").unwrap_or(line),
        None => row,
    }
}

/// The lines that are blank, and therefore not rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blank {
    /// No line.
    Never,
    /// Lines without bytes before their end.
    Empty,
    /// Lines of only white space, as JSON defines it.
    Space,
}

impl Cut {
    pub(crate) fn blank(self) -> Blank {
        match self {
            Cut::None => Blank::Never,
            Cut::Delimited { .. } => Blank::Empty,
            Cut::Json => Blank::Space,
        }
    }
}

impl Blank {
    /// Returns true if a line, with its end, is blank.
    pub(crate) fn is(self, line: &[u8]) -> bool {
        match self {
            Blank::Never => false,
            Blank::Empty => matches!(line, b"\n" | b"\r\n"),
            Blank::Space => line.iter().all(is_space),
        }
    }

    /// Returns true if a blank line may begin with this byte.
    pub(crate) fn may_begin(self, byte: u8) -> bool {
        match self {
            Blank::Never => false,
            Blank::Empty => matches!(byte, b'\n' | b'\r'),
            Blank::Space => is_space(&byte),
        }
    }

    /// Returns false if certainly no line of a block is blank, otherwise true. A block may begin within a line.
    pub(crate) fn may_be_in(self, block: &[u8]) -> bool {
        use memchr::memmem::find;
        match self {
            Blank::Never => false,
            Blank::Empty => {
                matches!(block, [b'\n', ..] | [b'\r', b'\n', ..])
                    || find(block, b"\n\n").is_some()
                    // Search for a carriage return first: most files have none, and a single byte is found in less time
                    // than this text.
                    || memchr::memchr(b'\r', block)
                        .is_some_and(|at| find(&block[at.saturating_sub(1)..], b"\n\r\n").is_some())
            }
            Blank::Space => {
                block.first().is_some_and(is_space)
                    || memchr::memchr_iter(b'\n', block).any(|at| block.get(at + 1).is_some_and(is_space))
            }
        }
    }
}

/// Returns true for white space of JSON (RFC 8259, section 2).
fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// The reason why a row does not have the field.
#[derive(Debug)]
pub(crate) enum Missing {
    Reason(Cow<'static, str>),
    /// There is not enough memory for the field.
    Memory,
}

impl From<&'static str> for Missing {
    fn from(reason: &'static str) -> Self {
        Missing::Reason(reason.into())
    }
}

impl From<String> for Missing {
    fn from(reason: String) -> Self {
        Missing::Reason(reason.into())
    }
}

impl Cut {
    /// The field that a column refers to, as the text of a sampling key.
    pub(crate) fn sampling_key<'a>(self, row: &'a [u8], column: &Column) -> Result<Cow<'a, [u8]>, Missing> {
        match (self, &column.of) {
            (Cut::Json, Of::Key(key)) => Ok(key.or_null(json::sampling_key(row, &key.name)?)),
            _ => self.field(row, column),
        }
    }

    /// Same as [`field`](Self::field), but a key that a JSON object lacks is null.
    pub(crate) fn field_or_null<'a>(self, row: &'a [u8], column: &Column) -> Result<Cow<'a, [u8]>, Missing> {
        match (self, &column.of) {
            (Cut::Json, Of::Key(key)) => Ok(key.or_null(json::field(row, &key.name)?)),
            _ => self.field(row, column),
        }
    }

    /// The field that a column refers to, in a row without its line ending.
    pub(crate) fn field<'a>(self, row: &'a [u8], column: &Column) -> Result<Cow<'a, [u8]>, Missing> {
        match (self, &column.of) {
            (Cut::Delimited { delimiter, quote }, Of::Number(number)) => {
                let field = delimited::field(row, delimiter, quote, *number).ok_or_else(|| {
                    let has = delimited::fields(row, delimiter, quote).count();
                    format!("the row has {has} fields: column {} is missing", number + 1)
                })?;
                field.map_err(|_| Missing::Memory)
            }
            (Cut::Json, Of::Key(key)) => json::field(row, &key.name)?
                .ok_or_else(|| format!("the object has no key {:?}", key.name).into()),
            _ => Err("the column belongs to a different format".into()),
        }
    }
}

/// A column that [`Rows::column`](crate::Rows::column) looked up, for [`Row::field`](crate::Row::field).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub(crate) of: Of,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    /// The field with this number, counted from 0.
    Number(usize),
    /// The value of this key.
    Key(Key),
}

/// A key of JSON objects. Its clones know the same rows.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    name: String,
    rows: Arc<AtomicU8>,
}

/// The rows whose value or null was read: none so far, only rows without the key, or also rows with the key.
const UNREAD: u8 = 0;
const MISSING: u8 = 1;
const FOUND: u8 = 2;

impl Key {
    fn new(name: &str) -> Self {
        Self { name: name.into(), rows: Arc::new(AtomicU8::new(UNREAD)) }
    }

    /// The value of a row, or null if the row does not have the key. This is how most programs read such rows.
    fn or_null<'a>(&self, value: Option<Cow<'a, [u8]>>) -> Cow<'a, [u8]> {
        let rows = if value.is_some() { FOUND } else { MISSING };
        if self.rows.load(Ordering::Relaxed) < rows {
            self.rows.fetch_max(rows, Ordering::Relaxed);
        }
        value.unwrap_or_default()
    }

    /// Returns an error if no row that was read has the key: its name is probably wrong.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.rows.load(Ordering::Relaxed) {
            MISSING => Err(Error::column(&self.name, "no row has this key")),
            _ => Ok(()),
        }
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Key {}

impl Column {
    /// The number of the column, counted from 0. This is the number of the field in CSV and TSV, and of the leaf column
    /// in Parquet. It is `None` in JSON lines.
    #[must_use]
    pub fn number(&self) -> Option<usize> {
        match self.of {
            Of::Number(number) => Some(number),
            Of::Key(_) => None,
        }
    }

    /// Looks up a name in a header. If it is not in the header, the name is read as a number, counted from 1.
    pub(crate) fn look_up(name: &str, header: Option<&[u8]>, cut: Cut) -> Result<Column, Error> {
        let (delimiter, quote) = match cut {
            Cut::Delimited { delimiter, quote } => (delimiter, quote),
            Cut::Json => return Ok(Column { of: Of::Key(Key::new(name)) }),
            Cut::None => return Err(Error::column(name, "rows of this format have no columns")),
        };
        if let Some(header) = header {
            let header = without_end(header.strip_prefix(BOM).unwrap_or(header));
            let mut found = delimited::fields(header, delimiter, quote)
                .enumerate()
                .filter(|(_, field)| **field == *name.as_bytes());
            if let Some((number, _)) = found.next() {
                return match found.next() {
                    Some(_) => Err(Error::column(
                        name,
                        "it occurs twice in the header (give the number of the column)",
                    )),
                    None => Ok(Column { of: Of::Number(number) }),
                };
            }
        }
        match name.parse::<usize>() {
            Ok(number) if number > 0 => Ok(Column { of: Of::Number(number - 1) }),
            _ if header.is_some() => Err(Error::column(name, "it is not in the header")),
            _ => Err(Error::column(name, "the rows have no header: give the number of the column, from 1")),
        }
    }
}
