//! Writes one value as text.

use super::form::Form;
use data_encoding::BASE64;
use hashwell_arrow::{Interval, Kind, Malformed, Node, Unit, f16_to_f32};
use std::fmt::Write as _;

const SECOND: i128 = 1_000_000_000;
const DAY: i128 = 86_400 * SECOND;

/// The reason why a value cannot be written as text.
type Wrong = String;

/// Appends a CSV field: nothing for null, and `""` for an empty string.
pub(super) fn csv(form: &Form, node: &Node, row: usize, out: &mut Vec<u8>) -> Result<(), Wrong> {
    let Some((form, node, row)) = present(form, node, row)? else { return Ok(()) };
    let mut text = Vec::new();
    match form {
        form if form.is_nested() => json(form, node, row, &mut text)?,
        Form::Value(Kind::Float) => text.extend(float(node, row)?.text().bytes()),
        form => plain(form, node, row, &mut text)?,
    }
    csv_text(&text, out);
    Ok(())
}

/// Appends the CSV header. A name that would be misread is quoted: one that starts with a byte order mark or with
/// `sep=`.
pub fn csv_header<'n>(names: impl Iterator<Item = &'n str>, out: &mut Vec<u8>) {
    for (number, name) in names.enumerate() {
        if number > 0 {
            out.push(b',');
        }
        if name.starts_with('\u{feff}') || name.starts_with("sep=") {
            out.push(b'"');
            out.extend_from_slice(name.replace('"', "\"\"").as_bytes());
            out.push(b'"');
        } else {
            csv_text(name.as_bytes(), out);
        }
    }
    out.push(b'\n');
}

/// Appends a text as a CSV field, quoted if it is empty or has a special character.
pub fn csv_text(field: &[u8], out: &mut Vec<u8>) {
    let special = |byte: &u8| matches!(byte, b',' | b'"' | b'\n' | b'\r');
    if !field.is_empty() && !field.iter().any(special) {
        out.extend_from_slice(field);
        return;
    }
    out.push(b'"');
    for &byte in field {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

/// Appends a value as JSON. Values that JSON cannot represent are strings.
pub(super) fn json(form: &Form, node: &Node, row: usize, out: &mut Vec<u8>) -> Result<(), Wrong> {
    let Some((form, node, row)) = present(form, node, row)? else {
        out.extend_from_slice(b"null");
        return Ok(());
    };
    match form {
        Form::Value(Kind::Bool | Kind::Int { .. }) => plain(form, node, row, out)?,
        Form::Value(Kind::Float) => json_float(float(node, row)?.wide(), out),
        Form::Value(Kind::Text) => json_text(utf8(node, row)?, out),
        Form::List(items) => {
            let child = child(node, 0)?;
            list(node.range(row)?, out, |item, out| json(items, child, item, out))?;
        }
        Form::Struct(fields) => {
            out.push(b'{');
            for (number, (name, field)) in fields.iter().enumerate() {
                if number > 0 {
                    out.push(b',');
                }
                json_text(name, out);
                out.push(b':');
                json(field, child(node, number)?, row, out)?;
            }
            out.push(b'}');
        }
        Form::Map(key, value) => map(key, value, node, row, out)?,
        _ => {
            out.push(b'"');
            plain(form, node, row, out)?;
            out.push(b'"');
        }
    }
    Ok(())
}

fn list(
    items: std::ops::Range<usize>,
    out: &mut Vec<u8>,
    mut item: impl FnMut(usize, &mut Vec<u8>) -> Result<(), Wrong>,
) -> Result<(), Wrong> {
    out.push(b'[');
    let first = items.start;
    for at in items {
        if at > first {
            out.push(b',');
        }
        item(at, out)?;
    }
    out.push(b']');
    Ok(())
}

/// Appends an object whose keys are the texts of the map's keys, or a list of pairs if the keys are lists, structs or
/// maps.
fn map(key: &Form, value: &Form, node: &Node, row: usize, out: &mut Vec<u8>) -> Result<(), Wrong> {
    let entries = child(node, 0)?;
    let (keys, values) = (child(entries, 0)?, child(entries, 1)?);
    if key.is_nested() {
        return list(node.range(row)?, out, |entry, out| {
            out.push(b'[');
            json(key, keys, entry, out)?;
            out.push(b',');
            json(value, values, entry, out)?;
            out.push(b']');
            Ok(())
        });
    }
    out.push(b'{');
    let range = node.range(row)?;
    let first = range.start;
    for entry in range {
        if entry > first {
            out.push(b',');
        }
        let mut text = Vec::new();
        match present(key, keys, entry)? {
            None => return Err("a map key is null".into()),
            Some((Form::Value(Kind::Float), ..)) => csv(key, keys, entry, &mut text)?,
            Some((key, keys, entry)) => plain(key, keys, entry, &mut text)?,
        }
        json_text(std::str::from_utf8(&text).map_err(|_| NOT_UTF8)?, out);
        out.push(b':');
        json(value, values, entry, out)?;
    }
    out.push(b'}');
    Ok(())
}

/// Appends a JSON string.
pub(super) fn json_text(text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(serde_json::Value::from(text).to_string().as_bytes());
}

/// Appends a JSON number, or a string if JSON has no such number.
fn json_float(number: f64, out: &mut Vec<u8>) {
    match serde_json::Number::from_f64(number) {
        Some(number) => out.extend_from_slice(number.to_string().as_bytes()),
        None if number.is_nan() => out.extend_from_slice(b"\"NaN\""),
        None if number > 0.0 => out.extend_from_slice(b"\"Infinity\""),
        None => out.extend_from_slice(b"\"-Infinity\""),
    }
}

/// The value that a dictionary or a run refers to; `None` for null.
fn present<'a>(
    form: &'a Form,
    node: &'a Node,
    row: usize,
) -> Result<Option<(&'a Form, &'a Node, usize)>, Malformed> {
    if !node.is_valid(row) {
        return Ok(None);
    }
    match form {
        Form::Value(Kind::Null) => Ok(None),
        Form::Dictionary { signed, values } => {
            let dictionary = node.dictionary().ok_or("a dictionary is missing")?;
            present(values, dictionary, node.index(row, *signed)?)
        }
        Form::Runs(values) => {
            present(values, node.children().get(1).ok_or("runs are missing")?, node.run(row)?)
        }
        form => Ok(Some((form, node, row))),
    }
}

fn child(node: &Node, number: usize) -> Result<&Node, Malformed> {
    node.children().get(number).ok_or("a child is missing")
}

const NOT_UTF8: &str = "the text is not UTF-8";

fn utf8(node: &Node, row: usize) -> Result<&str, Wrong> {
    Ok(std::str::from_utf8(node.bytes(row)?).map_err(|_| NOT_UTF8)?)
}

fn fixed<const N: usize>(node: &Node, row: usize) -> Result<[u8; N], Malformed> {
    node.bytes(row)?.try_into().map_err(|_| "a value has the wrong width")
}

/// A floating-point number, in the width that determines its shortest text.
enum Float {
    /// A number of 16 or 32 bits.
    Narrow(f32),
    /// A number of 64 bits.
    Wide(f64),
}

impl Float {
    fn text(self) -> String {
        match self {
            Self::Narrow(number) => number.to_string(),
            Self::Wide(number) => number.to_string(),
        }
    }

    fn wide(self) -> f64 {
        match self {
            Self::Narrow(number) => number.into(),
            Self::Wide(number) => number,
        }
    }
}

fn float(node: &Node, row: usize) -> Result<Float, Malformed> {
    Ok(match node.bytes(row)?.len() {
        2 => Float::Narrow(f16_to_f32(u16::from_ne_bytes(fixed(node, row)?))),
        4 => Float::Narrow(f32::from_ne_bytes(fixed(node, row)?)),
        _ => Float::Wide(f64::from_ne_bytes(fixed(node, row)?)),
    })
}

/// Appends the text of a scalar value that is not a floating-point number.
fn plain(form: &Form, node: &Node, row: usize, out: &mut Vec<u8>) -> Result<(), Wrong> {
    let kind = match form {
        Form::Value(kind) => *kind,
        Form::Uuid => {
            out.extend_from_slice(uuid(node.bytes(row)?).as_bytes());
            return Ok(());
        }
        _ => return Err("this value can't be written as text".into()),
    };
    let text = match kind {
        Kind::Text => {
            out.extend_from_slice(utf8(node, row)?.as_bytes());
            return Ok(());
        }
        Kind::Bool => node.bit(row)?.to_string(),
        Kind::Int { signed } => node.number(row, signed)?.to_string(),
        Kind::Decimal { scale } => decimal(node.bytes(row)?, scale),
        Kind::Binary => BASE64.encode(node.bytes(row)?),
        Kind::Date => date(days(node, row)?),
        Kind::Time(unit) => {
            let time = count(node, row)? * nanoseconds(unit);
            if !(0..=DAY).contains(&time) {
                return Err("the time of day is before 00:00 or after 24:00".into());
            }
            time_of_day(time)
        }
        Kind::Timestamp { unit, zoned } => {
            let since = count(node, row)? * nanoseconds(unit);
            let (day, time) = (since.div_euclid(DAY), since.rem_euclid(DAY));
            format!("{}T{}{}", date(day), time_of_day(time), if zoned { "Z" } else { "" })
        }
        Kind::Duration(unit) => format!("PT{}S", seconds(count(node, row)? * nanoseconds(unit))),
        Kind::Interval(interval) => {
            let bytes = node.bytes(row)?;
            let part = |i: usize| -> Result<i32, Malformed> {
                let four = bytes.get(4 * i..4 * i + 4).and_then(|four| four.try_into().ok());
                Ok(i32::from_ne_bytes(four.ok_or("an interval has the wrong width")?))
            };
            let (months, days, rest) = match interval {
                Interval::Months => (part(0)?, 0, 0),
                Interval::DayTime => (0, part(0)?, i128::from(part(1)?) * nanoseconds(Unit::Milli)),
                Interval::MonthDayNano => {
                    let eight = bytes.get(8..16).and_then(|eight| eight.try_into().ok());
                    let rest = i64::from_ne_bytes(eight.ok_or("an interval has the wrong width")?);
                    (part(0)?, part(1)?, rest.into())
                }
            };
            format!("P{months}M{days}DT{}S", seconds(rest))
        }
        _ => return Err("this value can't be written as text".into()),
    };
    out.extend_from_slice(text.as_bytes());
    Ok(())
}

fn nanoseconds(unit: Unit) -> i128 {
    match unit {
        Unit::Second => SECOND,
        Unit::Milli => 1_000_000,
        Unit::Micro => 1_000,
        Unit::Nano => 1,
    }
}

fn count(node: &Node, row: usize) -> Result<i128, Malformed> {
    node.number(row, true)
}

/// Days since 1970, from a number of days or of milliseconds.
fn days(node: &Node, row: usize) -> Result<i128, Wrong> {
    const MILLISECONDS: i128 = 86_400_000;
    let count = count(node, row)?;
    match node.bytes(row)?.len() {
        4 => Ok(count),
        _ if count % MILLISECONDS == 0 => Ok(count / MILLISECONDS),
        _ => Err("the date is not a whole number of days".into()),
    }
}

/// A date in the Gregorian calendar. Years have four digits, or a sign and more digits if necessary (ISO 8601).
fn date(days: i128) -> String {
    // Years begin in March here, in eras of 400 years.
    let since = days + 719_468;
    let (era, day) = (since.div_euclid(146_097), since.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + i128::from(month <= 2);
    let sign = match year {
        ..0 => "-",
        0..10_000 => "",
        _ => "+",
    };
    format!("{sign}{:04}-{month:02}-{day:02}", year.abs())
}

/// Hours, minutes and seconds, with 0, 3, 6 or 9 decimals as needed.
fn time_of_day(time: i128) -> String {
    let (seconds, fraction) = (time / SECOND, time % SECOND);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let mut text = format!("{hours:02}:{minutes:02}:{seconds:02}");
    // Writing to a String cannot fail.
    let _ = match fraction {
        0 => Ok(()),
        _ if fraction % 1_000_000 == 0 => write!(text, ".{:03}", fraction / 1_000_000),
        _ if fraction % 1_000 == 0 => write!(text, ".{:06}", fraction / 1_000),
        _ => write!(text, ".{fraction:09}"),
    };
    text
}

/// Seconds with as many decimals as needed.
fn seconds(time: i128) -> String {
    let (whole, fraction) = (time.abs() / SECOND, time.abs() % SECOND);
    let sign = if time < 0 { "-" } else { "" };
    match fraction {
        0 => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{fraction:09}").trim_end_matches('0').to_owned(),
    }
}

fn uuid(bytes: &[u8]) -> String {
    let mut text = data_encoding::HEXLOWER.encode(bytes);
    for at in [20, 16, 12, 8] {
        text.insert(at, '-');
    }
    text
}

/// An integer in two's complement and in the machine's byte order, times 10^-`scale`.
fn decimal(bytes: &[u8], scale: i32) -> String {
    let mut bytes = bytes.to_vec();
    if cfg!(target_endian = "little") {
        bytes.reverse();
    }
    let negative = bytes.first().is_some_and(|byte| *byte >= 128);
    if negative {
        let mut carry = true;
        for byte in bytes.iter_mut().rev() {
            (*byte, carry) = (!*byte).overflowing_add(u8::from(carry));
        }
    }
    let mut digits = Vec::new();
    while bytes.iter().any(|byte| *byte != 0) {
        let mut rest = 0;
        for byte in &mut bytes {
            let part = rest * 256 + u32::from(*byte);
            (*byte, rest) = ((part / 10) as u8, part % 10);
        }
        digits.push(b'0' + rest as u8);
    }
    let places = usize::try_from(scale).unwrap_or(0);
    if !digits.is_empty() {
        digits.splice(0..0, std::iter::repeat_n(b'0', usize::try_from(-i64::from(scale)).unwrap_or(0)));
    }
    while digits.len() <= places {
        digits.push(b'0');
    }
    let mut text: String = digits.iter().rev().map(|digit| char::from(*digit)).collect();
    if places > 0 {
        text.insert(text.len() - places, '.');
    }
    if negative {
        text.insert(0, '-');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_all_years() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (11_016, "2000-02-29"),
            (-719_162, "0001-01-01"),
            (-719_468, "0000-03-01"),
            (-719_529, "-0001-12-31"),
            (2_932_896, "9999-12-31"),
            (2_932_897, "+10000-01-01"),
            (i32::MAX.into(), "+5881580-07-11"),
            (i32::MIN.into(), "-5877641-06-23"),
        ] {
            assert_eq!(date(days), expected);
        }
        assert_eq!(time_of_day(0), "00:00:00");
        assert_eq!(time_of_day(DAY), "24:00:00");
        assert_eq!(time_of_day(1_000_000), "00:00:00.001");
        assert_eq!(time_of_day(DAY - 1), "23:59:59.999999999");
        assert_eq!(
            [seconds(-1_500_000_000), seconds(-1), seconds(60 * SECOND)],
            ["-1.5", "-0.000000001", "60"]
        );
    }

    #[test]
    fn decimals_of_every_width() {
        assert_eq!(decimal(&(-5_i32).to_ne_bytes(), 2), "-0.05");
        assert_eq!(decimal(&0_i64.to_ne_bytes(), 2), "0.00");
        assert_eq!(decimal(&i128::MIN.to_ne_bytes(), 0), i128::MIN.to_string());
        assert_eq!(decimal(&12_345_i128.to_ne_bytes(), 3), "12.345");
        assert_eq!(decimal(&7_i64.to_ne_bytes(), -3), "7000");
        let mut wide = [0; 32];
        wide[..16].copy_from_slice(&u128::MAX.to_ne_bytes());
        if cfg!(target_endian = "little") {
            assert_eq!(decimal(&wide, 0), u128::MAX.to_string());
        }
    }
}
