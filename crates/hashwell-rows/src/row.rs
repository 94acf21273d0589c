//! A single row and its fields.

use std::borrow::Cow;

use crate::error::Error;
use crate::fields::{BOM, Column, Cut, Missing, RawField, delimited, without_end};
use crate::table::Table;
use crate::text::Text;

/// A row, valid until the next one is read.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) origin: Origin<'a>,
    pub(crate) number: u64,
}

/// The source of the row.
#[derive(Clone, Copy)]
pub(crate) enum Origin<'a> {
    Text(&'a Text, Cut),
    Table(&'a Table),
}

impl<'a> Row<'a> {
    /// The bytes of the row, including its terminator. The last row of a file may have no terminator. The first row of
    /// a file without a header begins with the byte order mark if the file has one. The result is empty for rows of
    /// tables.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The number of rows of the stream before this one, not counting headers.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The value of a column. In CSV and TSV, this is the field without its quotes. In JSON, it is the characters of a
    /// string, an empty text for null, or the JSON text of any other value. Numbers are returned as text, unchanged.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] with the place if the row has no such field, or is not a JSON object. Returns
    /// [`Error::Memory`] if there is no memory to copy a quoted field. A quoted field is copied if it contains quotes,
    /// or if more text follows it. If there is no memory for a JSON string with escapes, or for the Parquet reader, the
    /// process aborts.
    ///
    /// # Panics
    /// For Parquet files, panics in the same cases as [`Rows::write_table`](crate::Rows::write_table).
    pub fn field(&self, column: &Column) -> Result<Cow<'a, [u8]>, Error> {
        self.read(column, Cut::field)
    }

    /// Same as [`field`](Self::field), but a key that a JSON object lacks is null, which is an empty text.
    ///
    /// # Errors
    /// Returns the same errors as [`field`](Self::field), except for a key that the object lacks.
    ///
    /// # Panics
    /// Panics in the same cases as [`field`](Self::field).
    pub fn field_or_null(&self, column: &Column) -> Result<Cow<'a, [u8]>, Error> {
        self.read(column, Cut::field_or_null)
    }

    /// The value of a column as text that is used as a row's key in sampling. The text is the same in every format. It
    /// is the result of [`field`](Self::field), except that each JSON integer has only one spelling (`-0` becomes `0`), and
    /// that a key that a JSON object lacks is null.
    ///
    /// # Errors
    /// Returns the same errors as [`field`](Self::field). Also returns [`Error::Invalid`] for JSON lists and objects,
    /// and for JSON numbers with a point or an exponent, because programs write these values differently.
    ///
    /// # Panics
    /// Panics in the same cases as [`field`](Self::field).
    pub fn sampling_key(&self, column: &Column) -> Result<Cow<'a, [u8]>, Error> {
        self.read(column, Cut::sampling_key)
    }

    fn read(
        &self,
        column: &Column,
        read: impl Fn(Cut, &'a [u8], &Column) -> Result<Cow<'a, [u8]>, Missing>,
    ) -> Result<Cow<'a, [u8]>, Error> {
        match self.origin {
            Origin::Text(text, cut) => {
                let whole = self.bytes;
                let bytes = if text.is_first() { whole.strip_prefix(BOM).unwrap_or(whole) } else { whole };
                read(cut, without_end(bytes), column).map_err(|missing| match missing {
                    Missing::Reason(reason) => Error::invalid(self.place(), reason),
                    Missing::Memory => Error::Memory { place: self.place() },
                })
            }
            Origin::Table(table) => table.field(self.number, column).map(Cow::Owned),
        }
    }

    /// All fields of a row of CSV or TSV, without their quotes. Rows of other formats have no fields. If there is no
    /// memory for a field that [`field`](Self::field) has to copy, the process aborts.
    pub fn fields(&self) -> impl Iterator<Item = Cow<'a, [u8]>> {
        self.raw_fields().map(RawField::text)
    }

    /// All fields of a row of CSV or TSV with their quotes, so that an empty field and `""` differ. Rows of other
    /// formats have no fields.
    pub fn raw_fields(&self) -> impl Iterator<Item = RawField<'a>> {
        let of = match self.origin {
            Origin::Text(text, Cut::Delimited { delimiter, quote }) => {
                let bytes = if text.is_first() {
                    self.bytes.strip_prefix(BOM).unwrap_or(self.bytes)
                } else {
                    self.bytes
                };
                Some(delimited::raw_fields(without_end(bytes), delimiter, quote))
            }
            _ => None,
        };
        of.into_iter().flatten()
    }

    /// The value of a column, rounded to the nearest binary64. The result depends only on the text. NaN and infinities
    /// are accepted; spaces and an empty string are not.
    ///
    /// # Errors
    /// Returns the same errors as [`field`](Self::field), and [`Error::Invalid`] with the place if the text is not a
    /// number.
    pub fn float(&self, column: &Column) -> Result<f64, Error> {
        let field = self.field(column)?;
        fast_float2::parse(&field[..]).map_err(|_| {
            let text: String = String::from_utf8_lossy(&field).chars().take(40).collect();
            Error::invalid(self.place(), format!("{text:?} is not a number"))
        })
    }

    /// The place of the row as "file:line". The row begins on this line; lines are counted from 1 and include the
    /// header. For rows that end with zero bytes, and for rows of tables, "line" is the number of the row in its file,
    /// counted from 1. The place is computed on each call, so call this function only to display the place.
    #[must_use]
    pub fn place(&self) -> String {
        match self.origin {
            Origin::Text(text, _) => format!("{}:{}", text.name(), text.line()),
            Origin::Table(table) => table.place(self.number),
        }
    }
}
