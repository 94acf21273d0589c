//! Texts of keys and labels, straight from Arrow's columns.

use hashwell_arrow::{Field, Kind, Layout, Malformed, Node, Strings};
use std::ops::Range;

/// Columns whose values make one text a row, as `survey::joined` makes it of several.
pub(super) struct Reading<'a>(Vec<Column<'a>>);

struct Column<'a> {
    field: &'a Field,
    node: &'a Node,
    quick: Quick<'a>,
}

/// What most keys are, of which it is not asked anew in every row what they are.
enum Quick<'a> {
    /// Whole numbers of 32 bits.
    Four(&'a [[u8; 4]]),
    /// Whole numbers of 64 bits.
    Eight(&'a [[u8; 8]]),
    /// Texts or bytes from this row on.
    Strings(usize, Strings<'a>),
    Nothing,
}

impl<'a> Reading<'a> {
    /// Some rows of the columns at these places of a table.
    pub(super) fn of(field: &'a Field, node: &'a Node, places: &[usize], rows: Range<usize>) -> Self {
        let column =
            |place: &usize| Column::of(&field.children[*place], &node.children()[*place], rows.clone());
        Self(places.iter().map(column).collect())
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
        // What is wrong with the buffers is said by whoever reads row by row.
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

    /// Appends the text of a key: null is the empty one.
    #[inline(always)]
    fn write(&self, row: usize, out: &mut Vec<u8>) -> Result<(), Malformed> {
        if !self.node.is_valid(row) {
            return Ok(());
        }
        let is_signed = self.field.kind == Kind::Int { signed: true };
        match &self.quick {
            Quick::Eight(numbers) if row < numbers.len() => match i64::from_ne_bytes(numbers[row]) {
                number if is_signed => digits(number < 0, number.unsigned_abs(), out),
                number => digits(false, number as u64, out),
            },
            Quick::Four(numbers) if row < numbers.len() => match i32::from_ne_bytes(numbers[row]) {
                number if is_signed => digits(number < 0, number.unsigned_abs().into(), out),
                number => digits(false, (number as u32).into(), out),
            },
            Quick::Strings(first, strings)
                if let Some(text) = strings.bytes().get(strings.range(row - first)) =>
            {
                out.extend_from_slice(text);
            }
            _ => text(self.field, self.node, row, out)?,
        }
        Ok(())
    }
}

/// The value of a row behind dictionaries and runs, unless it is null.
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

/// Appends the digits of a number of 64 bits, with a sign or without one.
pub(super) fn whole(number: i128, out: &mut Vec<u8>) {
    digits(number < 0, number.unsigned_abs() as u64, out);
}

fn digits(negative: bool, size: u64, out: &mut Vec<u8>) {
    const EIGHT: u64 = 100_000_000;
    if negative {
        out.push(b'-');
    }
    let mut left = size;
    let mut ends = [[0; 8]; 2];
    let mut count = 0;
    while left >= EIGHT {
        ends[count] = text_of(eight_digits(left % EIGHT));
        (left, count) = (left / EIGHT, count + 1);
    }
    let first = eight_digits(left);
    let zeros = (first.leading_zeros() / 8).min(7);
    out.extend_from_slice(&text_of(first << (8 * zeros)));
    out.truncate(out.len() - zeros as usize);
    ends[..count].iter().rev().for_each(|end| out.extend_from_slice(end));
}

/// Digits as text.
#[inline]
fn text_of(digits: u64) -> [u8; 8] {
    (digits | 0x3030_3030_3030_3030).to_be_bytes()
}

/// The digits of a number below 10^8, a byte each, the first one highest. Each step halves all parts at once: into those
/// above and below 10^4, then 10^2, then 10, dividing by products and shifts that are right for all numbers so small.
#[inline]
fn eight_digits(number: u64) -> u64 {
    let fours = ((number / 10_000) << 32) | (number % 10_000);
    let hundreds = ((fours * 5243) >> 19) & 0x7f_0000_007f;
    let twos = (hundreds << 16) | (fours - 100 * hundreds);
    let tens = ((twos * 103) >> 10) & 0x000f_000f_000f_000f;
    (tens << 8) | (twos - 10 * tens)
}
