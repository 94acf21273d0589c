//! Reads the texts of keys and labels directly from Arrow columns.

use super::batch::malformed_row;
use hashwell_arrow::{Field, Kind, Layout, Malformed, Node, Strings};
use hashwell_draw::Error;
use hashwell_draw::sample::Ids;
use std::ops::Range;

/// The columns whose values are joined to one text per row, as in `row_sampling::joined`.
pub(super) struct Reading<'a>(Vec<Column<'a>>);

struct Column<'a> {
    field: &'a Field,
    node: &'a Node,
    quick: Quick<'a>,
}

/// The most frequent types of keys. Their type is determined once instead of for every row.
enum Quick<'a> {
    /// 32-bit integers.
    Four(&'a [[u8; 4]]),
    /// 64-bit integers.
    Eight(&'a [[u8; 8]]),
    /// Strings or bytes, and the index of the first row.
    Strings(usize, Strings<'a>),
    Nothing,
}

impl<'a> Reading<'a> {
    /// Prepares reading these rows of the columns at these indices of a table.
    pub(super) fn of(field: &'a Field, node: &'a Node, places: &[usize], rows: Range<usize>) -> Self {
        let column =
            |place: &usize| Column::of(&field.children[*place], &node.children()[*place], rows.clone());
        Self(places.iter().map(column).collect())
    }

    /// Adds the texts of these rows to the IDs that are hashed.
    pub(super) fn write_all(&self, rows: Range<usize>, ids: &mut Ids) -> Result<(), Error> {
        let one = if let [column] = &self.0[..] { Some(column) } else { None };
        let last = rows.clone().last().unwrap_or(0);
        if let Some(column) = one.filter(|column| column.number(last).is_some()) {
            return ids.extend_short(rows.len(), |i, id| match column.number(rows.start + i) {
                Some((negative, size)) if column.node.is_valid(rows.start + i) => digits(negative, size, id),
                _ => 0,
            });
        }
        let mut text = Vec::new();
        for row in rows {
            if let Some(there) = one.and_then(|column| column.string(row)) {
                ids.push(there)?;
                continue;
            }
            text.clear();
            self.write(row, &mut text).map_err(malformed_row)?;
            ids.push(&text)?;
        }
        Ok(())
    }

    /// Appends the text of a row.
    #[inline]
    pub(super) fn write(&self, row: usize, out: &mut Vec<u8>) -> Result<(), Malformed> {
        if let [column] = &self.0[..] {
            return column.write(row, out);
        }
        for column in &self.0 {
            let at = out.len();
            out.extend_from_slice(&[0; 8]);
            column.write(row, out)?;
            let len = (out.len() - at - 8) as u64;
            out[at..at + 8].copy_from_slice(&len.to_be_bytes());
        }
        Ok(())
    }
}

impl<'a> Column<'a> {
    fn of(field: &'a Field, node: &'a Node, rows: Range<usize>) -> Self {
        // Errors in the buffers are reported when the rows are read one by one.
        let numbers = || node.fixed().unwrap_or_default();
        let quick = match (field.kind, node.layout()) {
            (Kind::Int { .. }, Layout::Fixed(4)) => Quick::Four(numbers().as_chunks().0),
            (Kind::Int { .. }, Layout::Fixed(8)) => Quick::Eight(numbers().as_chunks().0),
            (Kind::Text | Kind::Binary, Layout::Bytes { .. }) if !rows.is_empty() => node
                .strings(rows.clone())
                .map_or(Quick::Nothing, |strings| Quick::Strings(rows.start, strings)),
            _ => Quick::Nothing,
        };
        Self { field, node, quick }
    }

    /// Appends the text of a key. The text of a null is empty.
    #[inline(always)]
    fn write(&self, row: usize, out: &mut Vec<u8>) -> Result<(), Malformed> {
        if !self.node.is_valid(row) {
            return Ok(());
        }
        if let Some((negative, size)) = self.number(row) {
            append(negative, size, out);
        } else if let Some(string) = self.string(row) {
            out.extend_from_slice(string);
        } else {
            text(self.field, self.node, row, out)?;
        }
        Ok(())
    }

    /// Returns an integer of one of the frequent widths, as its sign (true if negative) and its absolute value. Does
    /// not check for nulls.
    #[inline(always)]
    fn number(&self, row: usize) -> Option<(bool, u64)> {
        let signed = |number: i64| match self.field.kind {
            Kind::Int { signed: true } => (number < 0, number.unsigned_abs()),
            _ => (false, number as u64),
        };
        match &self.quick {
            Quick::Eight(numbers) => Some(signed(i64::from_ne_bytes(*numbers.get(row)?))),
            Quick::Four(numbers) => {
                let number = i32::from_ne_bytes(*numbers.get(row)?);
                let is_signed = self.field.kind == Kind::Int { signed: true };
                Some(signed(if is_signed { number.into() } else { (number as u32).into() }))
            }
            _ => None,
        }
    }

    /// Returns a string that is not null.
    #[inline(always)]
    fn string(&self, row: usize) -> Option<&'a [u8]> {
        let Quick::Strings(first, strings) = &self.quick else { return None };
        if self.node.is_valid(row) { strings.bytes().get(strings.range(row - first)) } else { None }
    }
}

/// Follows dictionaries and run-end encoding to the value of a row. Returns `None` if it is null.
pub(super) fn value<'a>(
    mut field: &'a Field,
    mut node: &'a Node,
    mut row: usize,
) -> Result<Option<(&'a Field, &'a Node, usize)>, Malformed> {
    loop {
        if let (Kind::Dictionary { signed }, Some(values), Some(of)) =
            (field.kind, node.dictionary(), &field.dictionary)
        {
            if !node.is_valid(row) {
                return Ok(None);
            }
            (row, node, field) = (node.index(row, signed)?, values, of);
        } else if let (Layout::Runs, [_, values], [_, of]) =
            (field.layout, node.children(), &field.children[..])
        {
            (row, node, field) = (node.run(row)?, values, of);
        } else {
            return Ok(node.is_valid(row).then_some((field, node, row)));
        }
    }
}

fn text(field: &Field, node: &Node, row: usize, out: &mut Vec<u8>) -> Result<(), Malformed> {
    let Some((field, node, row)) = value(field, node, row)? else { return Ok(()) };
    match field.kind {
        Kind::Int { signed } => whole(node.number(row, signed)?, out),
        Kind::Bool => out.extend_from_slice(if node.bit(row)? { b"true" } else { b"false" }),
        Kind::Null => {}
        _ => out.extend_from_slice(node.bytes(row)?),
    }
    Ok(())
}

/// Appends the decimal digits of a signed or unsigned 64-bit integer.
pub(super) fn whole(number: i128, out: &mut Vec<u8>) {
    append(number < 0, number.unsigned_abs() as u64, out);
}

fn append(negative: bool, size: u64, out: &mut Vec<u8>) {
    let mut text = [0; Ids::SHORT];
    let len = digits(negative, size, &mut text);
    out.extend_from_slice(&text[..len]);
}

/// Writes the decimal digits of a number, and returns their number of bytes.
#[inline]
fn digits(negative: bool, size: u64, out: &mut [u8; Ids::SHORT]) -> usize {
    const EIGHT: u64 = 100_000_000;
    let mut left = size;
    let mut ends = [[0; 8]; 2];
    let mut count = 0;
    while left >= EIGHT {
        ends[count] = text_of(eight_digits(left % EIGHT));
        (left, count) = (left / EIGHT, count + 1);
    }
    let first = eight_digits(left);
    let zeros = (first.leading_zeros() / 8).min(7);
    // If there is no sign, the digits overwrite this byte.
    out[0] = b'-';
    let mut at = usize::from(negative);
    out[at..at + 8].copy_from_slice(&text_of(first << (8 * zeros)));
    at += 8 - zeros as usize;
    for end in ends[..count].iter().rev() {
        out[at..at + 8].copy_from_slice(end);
        at += 8;
    }
    at
}

/// Converts digits to text.
#[inline]
fn text_of(digits: u64) -> [u8; 8] {
    (digits | 0x3030_3030_3030_3030).to_be_bytes()
}

/// Returns the eight decimal digits of a number below 10^8, one per byte, with the first digit in the highest byte.
/// Each step splits all parts into halves at the same time: at 10^4, then at 10^2, then at 10. It divides with
/// multiplications and shifts, which are exact for all numbers of this size.
#[inline]
fn eight_digits(number: u64) -> u64 {
    let fours = ((number / 10_000) << 32) | (number % 10_000);
    let hundreds = ((fours * 5243) >> 19) & 0x7f_0000_007f;
    let twos = (hundreds << 16) | (fours - 100 * hundreds);
    let tens = ((twos * 103) >> 10) & 0x000f_000f_000f_000f;
    (tens << 8) | (twos - 10 * tens)
}
