//! Converts values that already have a type to a type that the user names.

use super::{cell, json};
use crate::kind::Type;
use hashwell_table::{Writer, value};

/// Writes a value of `hwrow/1`, such as one of a Parquet column, as a value of a type that has a name.
///
/// A value whose class is that of the type is not changed. The text of a string, or of bytes that are UTF-8, is parsed
/// as a field of CSV is. Other values are converted as [`json::convert`] converts their JSON.
///
/// # Errors
/// Returns a phrase with the beginning of the value, if it cannot be converted.
pub fn convert(of: &Type, value: &[u8], out: &mut Writer) -> Result<(), String> {
    let own = match value.first() {
        Some(0x30) => Type::Text,
        Some(0x31) => Type::Bytes,
        Some(0x40) => Type::Date,
        Some(0x41) => Type::Timestamp,
        Some(0x42) => Type::Instant,
        Some(0x43) => Type::Time,
        Some(0x44) => Type::Duration,
        Some(0x45) => Type::Interval,
        _ => return json::convert(of, &value::json(value), out),
    };
    if own.class() == of.class() {
        out.put(value);
        return Ok(());
    }
    match (of, own) {
        (_, Type::Interval) => Err(format!("an interval cannot be converted to {}", of.class())),
        (Type::Json, Type::Text) => json::write(of, value::text(value).unwrap_or_default(), out),
        (_, Type::Text | Type::Bytes) => cell::write(of, value::bytes(value).unwrap_or_default(), out),
        _ => json::convert(of, &value::json(value), out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell_of(of: &Type, text: &str) -> Vec<u8> {
        let mut out = Writer::default();
        cell::write(of, text.as_bytes(), &mut out).unwrap();
        out.as_bytes().to_vec()
    }

    #[test]
    fn values_are_converted_as_their_text_is_parsed() {
        use Type::{
            Base64, Bool, Bytes, Date, Decimal, Float32, Float64, Hex, Int, Interval, Text, Timestamp,
        };
        let cases: [(Type, &str, Type, Option<&str>); 21] = [
            (Text, "007", Int, Some("7")),
            (Text, "1.50", Decimal, Some("1.5")),
            (Text, "t", Bool, Some("true")),
            (Text, "0", Bool, Some("false")),
            (Text, "\\xDEad", Hex, Some("dead")),
            (Text, "2024-02-29", Date, Some("2024-02-29")),
            (Text, "x", Int, None),
            (Int, "1", Bool, Some("true")),
            (Int, "2", Bool, None),
            (Int, "12", Text, Some("12")),
            (Int, "12", Float64, Some("12")),
            (Decimal, "0.10", Float64, Some("0.1")),
            (Float64, "0.1", Float32, Some("0.1")),
            (Float64, "0.5", Decimal, Some("0.5")),
            (Float64, "0.5", Int, None),
            (Bool, "true", Text, Some("true")),
            (Bytes, "12", Int, Some("12")),
            (Bytes, "ab", Base64, Some("YWI=")),
            (Date, "2024-02-29", Text, Some("2024-02-29")),
            (Timestamp, "2024-02-29T01:02:03", Date, None),
            (Interval, "P1M", Text, None),
        ];
        for (from, text, of, becomes) in cases {
            let mut out = Writer::default();
            let done = convert(&of, &cell_of(&from, text), &mut out);
            let expected = becomes.map(|text| cell_of(&of, text));
            assert_eq!(
                done.ok().map(|()| out.as_bytes().to_vec()),
                expected,
                "{text} from {from:?} to {of:?}"
            );
        }
    }

    #[test]
    fn null_stays_null_and_text_can_be_json() {
        let mut out = Writer::default();
        convert(&Type::Int, &[0], &mut out).unwrap();
        assert_eq!(out.as_bytes(), [0]);
        let (mut list, mut same) = (Writer::default(), Writer::default());
        convert(&Type::Json, &cell_of(&Type::Text, "[1,\"a\"]"), &mut list).unwrap();
        json::write(&Type::Json, "[1,\"a\"]", &mut same).unwrap();
        assert_eq!(list.as_bytes(), same.as_bytes());
        assert!(convert(&Type::Json, &cell_of(&Type::Text, "[1,"), &mut Writer::default()).is_err());
    }
}
