//! Parses and displays values of `hwrow/1` (`docs/spec/rows.md`).

use std::fmt::Write;

/// Returns the first value, and the bytes after it.
pub(super) fn split_first(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    bytes.split_at_checked(len(bytes, 0)?)
}

/// A limit on the nesting of lists, structs and maps. The format limits it to 64.
const DEEPEST: u32 = 80;

/// The length in bytes of the value at the beginning.
fn len(bytes: &[u8], depth: u32) -> Option<usize> {
    if depth > DEEPEST {
        return None;
    }
    let (tag, rest) = bytes.split_first()?;
    Some(match tag {
        0..=2 => 1,
        0x10 | 0x20 | 0x40 | 0x43 => 9,
        0x11 => 3 + usize::from(*rest.get(1)?),
        0x30 | 0x31 => 1 + string(rest)?.1,
        0x41 | 0x42 | 0x44 => 13,
        0x45 => 17,
        0x50..=0x52 => {
            let (count, mut at) = count(rest)?;
            at += 1;
            for _ in 0..count {
                if *tag == 0x51 {
                    at += string(bytes.get(at..)?)?.1;
                }
                if *tag == 0x52 {
                    at += len(bytes.get(at..)?, depth + 1)?;
                }
                at += len(bytes.get(at..)?, depth + 1)?;
            }
            at
        }
        _ => return None,
    })
}

/// A count, and the number of bytes it takes.
fn count(bytes: &[u8]) -> Option<(usize, usize)> {
    match bytes.split_first()? {
        (0xff, rest) => Some((usize::try_from(u64::from_be_bytes(*rest.first_chunk()?)).ok()?, 9)),
        (count, _) => Some(((*count).into(), 1)),
    }
}

/// A string with a length prefix, and the number of bytes of both.
fn string(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let (len, head) = count(bytes)?;
    let end = head.checked_add(len)?;
    Some((bytes.get(head..end)?, end))
}

/// The values of a row, without the bytes at the beginning of the row.
pub(super) fn values(row: &[u8]) -> &[u8] {
    let head = row.get(1..).and_then(count).map_or(0, |(_, head)| 1 + head);
    row.get(head..).unwrap_or_default()
}

/// The text of a value, if it is a text.
pub(super) fn text(value: &[u8]) -> Option<&str> {
    let (tag, rest) = value.split_first()?;
    if *tag == 0x30 { std::str::from_utf8(string(rest)?.0).ok() } else { None }
}

/// A number, rounded to the nearest binary64.
pub(super) fn number(value: &[u8]) -> Option<f64> {
    match value.first()? {
        0x20 => Some(f64::from_be_bytes(*value.get(1..)?.first_chunk()?)),
        0x10 | 0x11 => json(value).parse().ok(),
        _ => None,
    }
}

/// A value as JSON. Numbers have all their digits; NaN, infinities, bytes and times are strings.
pub(super) fn json(value: &[u8]) -> String {
    let mut out = String::new();
    // A value that this program has written is always readable.
    if write(value, &mut out).is_none() {
        out.push_str("null");
    }
    out
}

fn write(value: &[u8], out: &mut String) -> Option<()> {
    let (tag, rest) = value.split_first()?;
    let first = || Some(i64::from_be_bytes(*rest.first_chunk()?));
    let nanoseconds = || Some(u32::from_be_bytes(*rest.get(8..)?.first_chunk()?));
    match tag {
        0 => out.push_str("null"),
        1 => out.push_str("false"),
        2 => out.push_str("true"),
        0x10 => write!(out, "{}", first()?).ok()?,
        0x11 => decimal(rest, out)?,
        0x20 => {
            let float = f64::from_be_bytes(*rest.first_chunk()?);
            if float.is_finite() {
                write!(out, "{float:?}").ok()?;
            } else {
                write!(out, "\"{float}\"").ok()?;
            }
        }
        0x30 => out.push_str(&quoted(&String::from_utf8_lossy(string(rest)?.0))),
        0x31 => {
            out.push_str("\"0x");
            string(rest)?.0.iter().try_for_each(|byte| write!(out, "{byte:02x}").ok())?;
            out.push('"');
        }
        0x40 => write!(out, "\"{}\"", date(first()?)).ok()?,
        0x41 | 0x42 => {
            let zone = if *tag == 0x42 { "Z" } else { "" };
            let (days, seconds) = (first()?.div_euclid(86400), first()?.rem_euclid(86400));
            write!(out, "\"{}T{}{zone}\"", date(days), time(seconds, nanoseconds()?)).ok()?;
        }
        0x43 => {
            let all = first()?;
            write!(out, "\"{}\"", time(all / 1_000_000_000, (all % 1_000_000_000) as u32)).ok()?;
        }
        0x44 => {
            let all = i128::from(first()?) * 1_000_000_000 + i128::from(nanoseconds()?);
            let (sign, size) = (if all < 0 { "-" } else { "" }, all.unsigned_abs());
            let digits = fraction((size % 1_000_000_000) as u32);
            write!(out, "\"{sign}PT{}{digits}S\"", size / 1_000_000_000).ok()?;
        }
        0x45 => {
            let part = |at: usize| Some(i32::from_be_bytes(*rest.get(at..)?.first_chunk()?));
            let nanoseconds = i64::from_be_bytes(*rest.get(8..)?.first_chunk()?);
            write!(out, "\"{} months {} days {nanoseconds} ns\"", part(0)?, part(4)?).ok()?;
        }
        0x50..=0x52 => nested(*tag, rest, out)?,
        _ => return None,
    }
    Some(())
}

/// Writes the first value, and removes it from `rest`.
fn next(rest: &mut &[u8], out: &mut String) -> Option<()> {
    let (value, more) = split_first(rest)?;
    *rest = more;
    write(value, out)
}

fn nested(tag: u8, bytes: &[u8], out: &mut String) -> Option<()> {
    let (count, head) = count(bytes)?;
    let mut rest = &bytes[head..];
    let [open, close] = if tag == 0x51 { ['{', '}'] } else { ['[', ']'] };
    out.push(open);
    for i in 0..count {
        if i > 0 {
            out.push(',');
        }
        match tag {
            0x50 => next(&mut rest, out)?,
            0x52 => {
                out.push('[');
                next(&mut rest, out)?;
                out.push(',');
                next(&mut rest, out)?;
                out.push(']');
            }
            _ => {
                let (name, len) = string(rest)?;
                out.push_str(&quoted(&String::from_utf8_lossy(name)));
                out.push(':');
                rest = &rest[len..];
                next(&mut rest, out)?;
            }
        }
    }
    out.push(close);
    Some(())
}

/// A decimal: its scale, the number of bytes, and an integer in two's complement.
fn decimal(bytes: &[u8], out: &mut String) -> Option<()> {
    let (scale, number) = (usize::from(*bytes.first()?), bytes.get(2..2 + usize::from(*bytes.get(1)?))?);
    let negative = number.first()? & 0x80 != 0;
    // The absolute value of the number in base 256, and the carry of its negation.
    let mut size = number.to_vec();
    if negative {
        let mut carry = true;
        for byte in size.iter_mut().rev() {
            (*byte, carry) = (!*byte).overflowing_add(u8::from(carry));
        }
    }
    let mut digits = Vec::new();
    while size.iter().any(|byte| *byte != 0) {
        let mut rest = 0_u32;
        for byte in &mut size {
            let all = rest << 8 | u32::from(*byte);
            (*byte, rest) = ((all / 10) as u8, all % 10);
        }
        digits.push(char::from(b'0' + rest as u8));
    }
    while digits.len() <= scale {
        digits.push('0');
    }
    if negative {
        out.push('-');
    }
    let (whole, part) = digits.split_at_checked(scale).map(|(part, whole)| (whole, part))?;
    out.extend(whole.iter().rev());
    if scale > 0 {
        out.push('.');
        out.extend(part.iter().rev());
    }
    Some(())
}

/// A day in the proleptic Gregorian calendar, by Hinnant's algorithm. If the year does not have four digits, the number
/// of days.
fn date(days: i64) -> String {
    if !(-719_528..=2_932_896).contains(&days) {
        return format!("day {days}");
    }
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

fn time(seconds: i64, nanoseconds: u32) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{hours:02}:{minutes:02}:{seconds:02}{}", fraction(nanoseconds))
}

/// The digits after the decimal point, without trailing zeros.
fn fraction(nanoseconds: u32) -> String {
    let digits = format!("{nanoseconds:09}");
    match digits.trim_end_matches('0') {
        "" => String::new(),
        digits => format!(".{digits}"),
    }
}

pub(super) fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// A value on one line. A text has no quotes if it can't be confused with anything else.
pub(super) fn shown(value: &[u8]) -> String {
    match text(value) {
        Some(text) if is_plain(text) => text.to_owned(),
        Some(text) => spelled(text, true),
        None => json(value),
    }
}

/// Two different values, each on one line, in a form in which they never look alike.
pub(super) fn shown_both(old: &[u8], new: &[u8]) -> [String; 2] {
    match (text(old), text(new)) {
        (Some(a), Some(b)) => {
            let escape = look_alike(a, b);
            if is_plain(a) && is_plain(b) && !escape {
                [a.to_owned(), b.to_owned()]
            } else {
                [spelled(a, escape), spelled(b, escape)]
            }
        }
        // A text, and a value of another type.
        (Some(text), None) => [spelled(text, true), json(new)],
        (None, Some(text)) => [json(old), spelled(text, true)],
        (None, None) => [json(old), json(new)],
    }
}

/// Returns true if this text without quotes can't be confused with anything else.
fn is_plain(text: &str) -> bool {
    let reserved = ["null", "true", "false"].contains(&text);
    !text.is_empty()
        && !reserved
        && text.trim() == text
        && !text.contains(|c: char| c.is_control() || is_hidden(c) || "\"\\,;=→".contains(c))
        && !text.contains("  ")
}

/// A text in quotes, with escapes for invisible characters. With `all`, all characters that are not ASCII are escaped.
fn spelled(text: &str, all: bool) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            _ if c.is_control() || is_hidden(c) || all && !c.is_ascii() => out.extend(c.escape_default()),
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Returns true for characters that are hard to see: combining marks, spaces other than the ASCII space, and characters
/// of no width.
fn is_hidden(c: char) -> bool {
    matches!(u32::from(c), 0xa0 | 0xad | 0x300..=0x36f | 0x1ab0..=0x1aff | 0x1dc0..=0x1dff | 0x2000..=0x200f | 0x2028..=0x202f
        | 0x205f..=0x2064 | 0x20d0..=0x20ff | 0x3000 | 0xfe00..=0xfe0f | 0xfe20..=0xfe2f | 0xfeff | 0xe0000..=0xe01ff)
}

/// Returns true if two different texts may look alike: if they differ in hidden characters, or in at most two
/// characters, one of which is not ASCII.
fn look_alike(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let shortest = a.len().min(b.len());
    let front = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let back = a.iter().rev().zip(b.iter().rev()).take(shortest - front).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[front..a.len() - back], &b[front..b.len() - back]);
    let any = |test: fn(&char) -> bool| a.iter().chain(b).any(test);
    any(|c| is_hidden(*c)) || a.len().max(b.len()) <= 2 && any(|c| !c.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(hex: &str) -> Vec<u8> {
        (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
    }

    #[test]
    fn values_are_taken_apart_and_shown() {
        let cases = [
            ("00", "null"),
            ("02", "true"),
            ("10fffffffffffffffe", "-2"),
            ("11020183", "-1.25"),
            ("11000900ffffffffffffffff", "18446744073709551615"),
            ("110301ff", "-0.001"),
            ("203fe0000000000000", "0.5"),
            ("207ff8000000000000", "\"NaN\""),
            ("3003612262", "\"a\\\"b\""),
            ("3102ff00", "\"0xff00\""),
            ("400000000000004a1e", "\"2021-12-13\""),
            ("40ffffffffffffffff", "\"1969-12-31\""),
            ("41ffffffffffffffff1dcd6500", "\"1969-12-31T23:59:59.5\""),
            ("4200000000000000000000000100", "\"1970-01-01T00:00:00.000000001Z\""),
            ("4300004e94914effff", "\"23:59:59.999999999\""),
            ("44ffffffffffffffff1dcd6500", "\"-PT0.5S\""),
            ("500202500100", "[true,[null]]"),
            ("51010161300162", "{\"a\":\"b\"}"),
            ("5201300161300162", "[[\"a\",\"b\"]]"),
        ];
        for (hex, expected) in cases {
            let mut bytes = bytes(hex);
            let len = len(&bytes, 0).unwrap();
            assert!(len == bytes.len() || hex.starts_with("42"), "{hex}");
            bytes.truncate(len);
            assert_eq!(json(&bytes), expected, "{hex}");
            bytes.push(7);
            assert_eq!(split_first(&bytes).unwrap().1, [7]);
        }
    }

    #[test]
    fn values_that_differ_never_look_alike() {
        let text = |text: &str| [&[0x30, text.len() as u8], text.as_bytes()].concat();
        let both = |a: &str, b: &str| shown_both(&text(a), &text(b));
        assert_eq!(both("1.30", "1.31"), ["1.30", "1.31"]);
        assert_eq!(both("a", "a "), ["\"a\"", "\"a \""]);
        assert_eq!(both("", "x"), ["\"\"", "\"x\""]);
        assert_eq!(
            both("\u{e9}t\u{e9}", "e\u{301}te\u{301}"),
            ["\"\\u{e9}t\\u{e9}\"", "\"e\\u{301}te\\u{301}\""]
        );
        assert_eq!(both("M\u{fc}ller", "J\u{f6}rg"), ["M\u{fc}ller", "J\u{f6}rg"]);
        assert_eq!(both("a\r\nb", "a\nb"), ["\"a\\r\\nb\"", "\"a\\nb\""]);
        assert_eq!(shown_both(&[0], &text("null")), ["null", "\"null\""]);
        assert_eq!(shown_both(&bytes("100000000000000001"), &text("1")), ["1", "\"1\""]);
    }
}
