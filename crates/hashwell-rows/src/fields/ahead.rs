//! Finds one field of a row in a block, in the same pass as the row's end.
//!
//! This reader handles only rows in the usual form. It returns `None` for any other row, which is then read by
//! `split/quoted.rs` and `fields/delimited.rs`; these define the result.

use std::ops::Range;

use memchr::{memchr, memchr2};

use super::number::{equal, short, short_decimal};

const END: u8 = b'\n';

/// The text of the field with this number, counted from 0, in the row that begins at `start`, and the position after
/// the row's newline. `None` if the row does not end within `bytes`, has no such field, or the field's text is not
/// contiguous. Quotes are recognized only if `quote` is set.
#[inline]
pub(crate) fn field(
    bytes: &[u8],
    start: usize,
    delimiter: u8,
    quote: Option<u8>,
    column: usize,
) -> Option<(Range<usize>, usize)> {
    let is_quote = |at: usize| quote.filter(|quote| bytes.get(at) == Some(quote));
    let mut at = start;
    for _ in 0..column {
        if let Some(quote) = is_quote(at) {
            at = closing(bytes, at + 1, quote)? + 1;
        }
        let end = find(bytes, at, delimiter, END)?;
        if bytes[end] == END {
            return None;
        }
        at = end + 1;
    }
    let (text, mut at) = match is_quote(at) {
        Some(quote) => {
            let close = at + 1 + memchr(quote, &bytes[at + 1..])?;
            // Text after a closing quote belongs to the field, and two quotes mean one.
            let behind = match &bytes[close + 1..] {
                [b'\r', END, ..] => close + 2,
                [byte, ..] if [delimiter, END].contains(byte) => close + 1,
                _ => return None,
            };
            (at + 1..close, behind)
        }
        None => {
            let end = find(bytes, at, delimiter, END)?;
            let is_carriage = bytes[end] == END && end > at && bytes[end - 1] == b'\r';
            (at..end - usize::from(is_carriage), end)
        }
    };
    let Some(quote) = quote else { return Some((text, at + memchr(END, &bytes[at..])? + 1)) };
    loop {
        let found = find(bytes, at, quote, END)?;
        if bytes[found] == END {
            return Some((text, found + 1));
        }
        // A quote opens a field only if it is the field's first byte.
        at = if bytes[found - 1] == delimiter { closing(bytes, found + 1, quote)? + 1 } else { found + 1 };
    }
}

/// The line that begins at `start`, without its line ending, and the position after its newline.
#[inline]
pub(crate) fn line(bytes: &[u8], start: usize) -> Option<(Range<usize>, usize)> {
    let end = start + memchr(END, &bytes[start..])?;
    Some((start..end, end + 1))
}

/// The number in a text, as the nearest binary64, if it is a plain number: finite and not negative.
#[inline]
pub(crate) fn number(bytes: &[u8], text: Range<usize>) -> Option<f64> {
    if let Some(eight) = bytes[text.start..].first_chunk()
        && let Some(value) = short(*eight, text.len())
    {
        return Some(value);
    }
    fast_float2::parse(&bytes[text]).ok().filter(|value: &f64| *value > 0.0 && value.is_finite())
}

/// The decimals of the unit of [`units`].
const DECIMALS: usize = 18;

/// The maximum number of digits with which every number fits into `u64`.
const MOST_DIGITS: usize = 19;

/// The number in a text, in units of 10^-18, if it is a plain number: up to 19 digits with at most one point among
/// them, and no more decimals than the unit has.
#[inline]
pub(crate) fn units(bytes: &[u8], text: Range<usize>) -> Option<u128> {
    let (digits, decimals) = match bytes[text.start..].first_chunk() {
        Some(eight) if text.len() <= 8 => short_decimal(*eight, text.len())?,
        _ => decimal(&bytes[text])?,
    };
    Some(u128::from(digits) * u128::from(10_u64.pow(DECIMALS.checked_sub(decimals)? as u32)))
}

/// The digits of a plain number, as an integer, and the number of decimals.
fn decimal(text: &[u8]) -> Option<(u64, usize)> {
    let point = memchr(b'.', text);
    let (count, decimals) = point.map_or((text.len(), 0), |at| (text.len() - 1, text.len() - 1 - at));
    if !(1..=MOST_DIGITS).contains(&count) {
        return None;
    }
    let mut digits = 0_u64;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'0'..=b'9' => digits = 10 * digits + u64::from(byte - b'0'),
            _ if point == Some(at) => {}
            _ => return None,
        }
    }
    Some((digits, decimals))
}

/// The first position, from `at` on, at which one of two bytes occurs. Most fields are short, so the first 16 bytes are
/// checked here.
#[inline]
fn find(bytes: &[u8], mut at: usize, one: u8, other: u8) -> Option<usize> {
    for _ in 0..2 {
        let Some(eight) = bytes[at..].first_chunk() else { break };
        let eight = u64::from_le_bytes(*eight);
        let found = equal(eight, one) | equal(eight, other);
        if found != 0 {
            return Some(at + (found.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    memchr2(one, other, &bytes[at..]).map(|found| at + found)
}

/// The quote that closes the field whose text begins at `at`. The byte after a quote determines if the quote closes the
/// field, so that byte must be present.
#[inline]
fn closing(bytes: &[u8], mut at: usize, quote: u8) -> Option<usize> {
    loop {
        let found = at + memchr(quote, &bytes[at..])?;
        if *bytes.get(found + 1)? != quote {
            return Some(found);
        }
        at = found + 2;
    }
}
