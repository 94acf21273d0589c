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
    #[inline]
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

/// Two digits at a time, since each division waits for the one before.
#[inline]
fn digits(negative: bool, size: u64, out: &mut Vec<u8>) {
    const MOST: usize = 20;
    if negative {
        out.push(b'-');
    }
    let len = size.checked_ilog10().map_or(1, |log| log as usize + 1);
    let from = out.len();
    out.extend_from_slice(&[0; MOST]);
    let (mut left, mut at) = (size, from + len);
    while at > from + 1 {
        let two = (left % 100) as u8;
        left /= 100;
        at -= 2;
        out[at..at + 2].copy_from_slice(&[b'0' + two / 10, b'0' + two % 10]);
    }
    if at > from {
        out[from] = b'0' + left as u8;
    }
    out.truncate(from + len);
}
