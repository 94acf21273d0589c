//! Converts the text of one value to a value of `hwrow/1`.

use super::{number, time};
use crate::kind::Type;
use data_encoding::{BASE64, HEXLOWER_PERMISSIVE};
use hashwell_table::Writer;

/// The prefix of the hexadecimal digits of bytes (`bytea`) in PostgreSQL.
const BYTEA: &[u8] = b"\\x";

/// Writes null.
pub fn null(out: &mut Writer) {
    out.put(&[0]);
}

/// Writes `count` nulls.
pub fn nulls(count: usize, out: &mut Writer) {
    const SOME: &[u8] = &[0; 4096];
    for from in (0..count).step_by(SOME.len()) {
        out.put(&SOME[..SOME.len().min(count - from)]);
    }
}

/// Writes a value of a type that is not a list, struct or map.
///
/// # Errors
/// Returns a phrase with the beginning of the text, if it is not a value of the type.
pub fn write(of: &Type, text: &[u8], out: &mut Writer) -> Result<(), String> {
    let wrote = match of {
        Type::Bool => boolean(text, out),
        Type::Int => number::exact(text, true, out),
        Type::Decimal => number::exact(text, false, out),
        Type::Float16 => number::half(text, out),
        Type::Float32 => number::float(text, true, out),
        Type::Float64 => number::float(text, false, out),
        Type::Text | Type::Any => string(text, out),
        Type::Bytes => {
            out.string(0x31, text);
            Ok(())
        }
        Type::Hex => {
            // PostgreSQL writes `\x` before the digits, and MySQL writes `0x`.
            let digits = text.strip_prefix(BYTEA).or_else(|| text.strip_prefix(b"0x")).unwrap_or(text);
            decoded(HEXLOWER_PERMISSIVE.decode(digits), "not pairs of hexadecimal digits", out)
        }
        Type::Base64 => decoded(BASE64.decode(text), "not base64", out),
        Type::Binary { uuid: true } if text.len() == UUID => uuid(text, out),
        // Base64 contains no backslash.
        Type::Binary { .. } if text.starts_with(BYTEA) => return write(&Type::Hex, text, out),
        Type::Binary { .. } => decoded(
            BASE64.decode(text),
            "not base64 (for other encodings, use --types NAME=hex or NAME=bytes)",
            out,
        ),
        Type::Date => time::date(text, out),
        Type::Time => time::time(text, out),
        Type::Timestamp => time::timestamp(text, false, out),
        Type::Instant => time::timestamp(text, true, out),
        Type::Duration => time::duration(text, out),
        Type::Interval => time::interval(text, out),
        Type::Null => Err("not null, but all other values of the column are null"),
        Type::Unread(what) => Err(*what),
        Type::List(_) | Type::Struct(_) | Type::Map(..) | Type::Json => Err("not a list or object"),
    };
    wrote.map_err(|wrong| format!("{:?} is {wrong}", beginning(text)))
}

/// The beginning of a text, for messages.
#[must_use]
pub fn beginning(text: &[u8]) -> String {
    const SHOWN: usize = 40;
    let text = String::from_utf8_lossy(&text[..text.len().min(4 * SHOWN)]);
    text.chars().take(SHOWN).collect()
}

/// Writes a string.
pub(super) fn string(text: &[u8], out: &mut Writer) -> Result<(), &'static str> {
    std::str::from_utf8(text).map_err(|_| "not UTF-8")?;
    out.string(0x30, text);
    Ok(())
}

fn boolean(text: &[u8], out: &mut Writer) -> Result<(), &'static str> {
    let is_true = match text {
        b"true" | b"True" | b"TRUE" | b"t" | b"T" | b"1" => true,
        b"false" | b"False" | b"FALSE" | b"f" | b"F" | b"0" => false,
        _ => return Err("not a boolean such as true, t or 1"),
    };
    out.put(&[1 + u8::from(is_true)]);
    Ok(())
}

/// The length of a UUID's text. Base64 of 16 bytes is never this long: it has 24 characters.
const UUID: usize = 36;

fn uuid(text: &[u8], out: &mut Writer) -> Result<(), &'static str> {
    const NONE: &str = "not a UUID such as 01234567-89ab-cdef-0123-456789abcdef";
    let hyphens = [8, 13, 18, 23];
    if !hyphens.iter().all(|&at| text[at] == b'-') {
        return Err(NONE);
    }
    let digits: Vec<u8> =
        text.iter().enumerate().filter(|(at, _)| !hyphens.contains(at)).map(|(_, byte)| *byte).collect();
    decoded(HEXLOWER_PERMISSIVE.decode(&digits), NONE, out)
}

fn decoded<E>(bytes: Result<Vec<u8>, E>, wrong: &'static str, out: &mut Writer) -> Result<(), &'static str> {
    out.string(0x31, &bytes.map_err(|_| wrong)?);
    Ok(())
}
