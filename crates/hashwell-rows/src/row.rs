//! One row, and what is asked of it.

use std::borrow::Cow;

use crate::error::Error;
use crate::fields::{BOM, Column, Cut, Missing, RawField, delimited, without_end};
use crate::table::Table;
use crate::text::Text;

/// A row, as long as the next one is not read.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) origin: Origin<'a>,
    pub(crate) number: u64,
}

/// Where it comes from.
#[derive(Clone, Copy)]
pub(crate) enum Origin<'a> {
    Text(&'a Text, Cut),
    Table(&'a Table),
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

    /// The value of a column: of CSV and TSV without its quotes, of JSON a string's characters, nothing for null, or another
    /// value's text. Numbers are text here as they are in the file.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the place if the row has no such field, or is no JSON object; [`Error::Memory`] for a field in
    /// quotes that holds some, or has more behind them. Without memory for a JSON string with escapes, or for what Parquet's
    /// reader asks for, the process ends.
    ///
    /// # Panics
    /// As [`Rows::write_table`](crate::Rows::write_table), of Parquet files.
    pub fn field(&self, column: &Column) -> Result<Cow<'a, [u8]>, Error> {
        self.read(column, Cut::field)
    }

    /// The value of a column as the text of a key by which rows are sampled, which is the same in every format: as
    /// [`field`](Self::field), but a JSON integer has one spelling (`-0` is `0`).
    ///
    /// # Errors
    /// As [`field`](Self::field), and [`Error::Invalid`] for JSON lists, objects and numbers with a point or an exponent, whose
    /// texts differ from program to program.
    ///
    /// # Panics
    /// As [`field`](Self::field).
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

    /// All fields of a row of CSV or TSV, without their quotes; none of other rows. Without memory for one that
    /// [`field`](Self::field) has to put together, the process ends.
    pub fn fields(&self) -> impl Iterator<Item = Cow<'a, [u8]>> {
        self.raw_fields().map(RawField::text)
    }

    /// All fields of a row of CSV or TSV with their quotes, so that an empty field and `""` differ. Other formats have
    /// none.
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

    /// The value of a column as the nearest binary64, which is a function of the text alone. NaN and infinities are numbers
    /// here; spaces and an empty text are not.
    ///
    /// # Errors
    /// As [`field`](Self::field), and [`Error::Invalid`] with the place if the text is no number.
    pub fn float(&self, column: &Column) -> Result<f64, Error> {
        let field = self.field(column)?;
        fast_float2::parse(&field[..]).map_err(|_| {
            let text: String = String::from_utf8_lossy(&field).chars().take(40).collect();
            Error::invalid(self.place(), format!("{text:?} is not a number"))
        })
    }

    /// "file:line", the line being the one on which the row begins, counted from 1 with the header; for rows that end with
    /// zero bytes, and of a table, it is the row's number in its file, from 1 on. It is counted now: ask only where it is
    /// shown.
    #[must_use]
    pub fn place(&self) -> String {
        match self.origin {
            Origin::Text(text, _) => format!("{}:{}", text.name(), text.line()),
            Origin::Table(table) => table.place(self.number),
        }
    }
}
