//! Fields between delimiters. `split/quoted.rs` defines which quotes are recognized.

use std::alloc::{Layout, handle_alloc_error};
use std::borrow::Cow;
use std::collections::TryReserveError;

use memchr::memchr;

/// A field without its quotes, or an error if it has to be copied and there is no memory.
type Unquoted<'a> = Result<Cow<'a, [u8]>, TryReserveError>;

/// The field with this number, counted from 0, without its quotes; `None` if the row has fewer fields.
pub(crate) fn field(row: &[u8], delimiter: u8, quote: Option<u8>, number: usize) -> Option<Unquoted<'_>> {
    let mut rest = row;
    for _ in 0..number {
        rest = &rest[end(rest, delimiter, quote)? + 1..];
    }
    let field = &rest[..end(rest, delimiter, quote).unwrap_or(rest.len())];
    Some(quote.map_or(Ok(Cow::Borrowed(field)), |quote| unquoted(field, quote)))
}

/// A field of CSV or TSV with its quotes, from [`Row::raw_fields`](crate::Row::raw_fields).
#[derive(Clone, Copy, Debug)]
pub struct RawField<'a> {
    bytes: &'a [u8],
    quote: Option<u8>,
}

impl<'a> RawField<'a> {
    /// The bytes of the field in the file, with its quotes.
    #[must_use]
    pub fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Returns true if the field is quoted. In a format without quotes, the result is always false.
    #[must_use]
    pub fn is_quoted(self) -> bool {
        self.quote.is_some() && self.bytes.first().copied() == self.quote
    }

    /// The text of the field, without its quotes. If there is no memory for the text, the process aborts.
    #[must_use]
    pub fn text(self) -> Cow<'a, [u8]> {
        let Some(quote) = self.quote else { return Cow::Borrowed(self.bytes) };
        unquoted(self.bytes, quote).unwrap_or_else(|_| handle_alloc_error(Layout::for_value(self.bytes)))
    }
}

/// The fields of a row with their quotes.
pub(crate) fn raw_fields(row: &[u8], delimiter: u8, quote: Option<u8>) -> impl Iterator<Item = RawField<'_>> {
    let mut rest = Some(row);
    std::iter::from_fn(move || {
        let bytes = rest?;
        let end = end(bytes, delimiter, quote);
        rest = end.map(|end| &bytes[end + 1..]);
        Some(RawField { bytes: &bytes[..end.unwrap_or(bytes.len())], quote })
    })
}

/// The fields of a row, without their quotes. If there is no memory for one, the process aborts.
pub(crate) fn fields(row: &[u8], delimiter: u8, quote: Option<u8>) -> impl Iterator<Item = Cow<'_, [u8]>> {
    raw_fields(row, delimiter, quote).map(RawField::text)
}

/// The position of the delimiter that ends the first field.
fn end(rest: &[u8], delimiter: u8, quote: Option<u8>) -> Option<usize> {
    let from = match quote {
        Some(quote) if rest.first() == Some(&quote) => closing(rest, quote)? + 1,
        _ => 0,
    };
    memchr(delimiter, &rest[from..]).map(|at| from + at)
}

/// The closing quote of a field that begins with a quote.
fn closing(field: &[u8], mark: u8) -> Option<usize> {
    let mut at = 1;
    loop {
        let quote = at + memchr(mark, &field[at..])?;
        if field.get(quote + 1) != Some(&mark) {
            return Some(quote);
        }
        at = quote + 2;
    }
}

fn unquoted(field: &[u8], mark: u8) -> Unquoted<'_> {
    if field.first() != Some(&mark) {
        return Ok(Cow::Borrowed(field));
    }
    let close = closing(field, mark).unwrap_or(field.len());
    let inside = &field[1..close];
    let behind = field.get(close + 1..).unwrap_or(&[]);
    if behind.is_empty() && memchr(mark, inside).is_none() {
        return Ok(Cow::Borrowed(inside));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(field.len())?;
    let mut rest = inside;
    while let Some(quote) = memchr(mark, rest) {
        bytes.extend_from_slice(&rest[..=quote]);
        rest = rest.get(quote + 2..).unwrap_or(&[]);
    }
    bytes.extend_from_slice(rest);
    bytes.extend_from_slice(behind);
    Ok(Cow::Owned(bytes))
}
