//! One value: its text as `hwrow/1` has a value of its type.

use super::kind::Type;
use super::{number, time};
use data_encoding::{BASE64, HEXLOWER_PERMISSIVE};
use hashwell_table::Writer;

/// Writes null.
pub(super) fn null(out: &mut Writer) {
    out.put(&[0]);
}

/// Writes a value of a type that is no list, struct or map.
///
/// # Errors
/// In words, with the text's beginning.
pub(super) fn write(of: &Type, text: &[u8], out: &mut Writer) -> Result<(), String> {
    let wrote = match of {
        Type::Bool => boolean(text, out),
        Type::Int => number::exact(text, true, out),
        Type::Decimal => number::exact(text, false, out),
        Type::Float32 => number::float(text, true, out),
        Type::Float64 => number::float(text, false, out),
        Type::Text | Type::Any => string(text, out),
        Type::Bytes => {
            out.string(0x31, text);
            Ok(())
        }
        Type::Hex => decoded(HEXLOWER_PERMISSIVE.decode(text), "not pairs of hexadecimal digits", out),
        Type::Base64 => decoded(BASE64.decode(text), "not base64", out),
        Type::Date => time::date(text, out),
        Type::Time => time::time(text, out),
        Type::Timestamp => time::timestamp(text, false, out),
        Type::Instant => time::timestamp(text, true, out),
        Type::Null => Err("not null, as all other values of the column are"),
        Type::Unread(what) => Err(*what),
        Type::List(_) | Type::Struct(_) | Type::Map(..) => Err("not a list or object"),
    };
    wrote.map_err(|wrong| format!("{:?} is {wrong}", beginning(text)))
}

/// What a message shows of a text.
pub(super) fn beginning(text: &[u8]) -> String {
    const SHOWN: usize = 40;
    let text = String::from_utf8_lossy(&text[..text.len().min(4 * SHOWN)]);
    text.chars().take(SHOWN).collect()
}

/// Writes a text.
pub(super) fn string(text: &[u8], out: &mut Writer) -> Result<(), &'static str> {
    std::str::from_utf8(text).map_err(|_| "not UTF-8")?;
    out.string(0x30, text);
    Ok(())
}

fn boolean(text: &[u8], out: &mut Writer) -> Result<(), &'static str> {
    let is_true = match text {
        b"true" | b"True" | b"TRUE" | b"t" => true,
        b"false" | b"False" | b"FALSE" | b"f" => false,
        _ => return Err("neither true nor false"),
    };
    out.put(&[1 + u8::from(is_true)]);
    Ok(())
}

fn decoded<E>(bytes: Result<Vec<u8>, E>, wrong: &'static str, out: &mut Writer) -> Result<(), &'static str> {
    out.string(0x31, &bytes.map_err(|_| wrong)?);
    Ok(())
}
