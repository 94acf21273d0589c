//! Values and rows as text.

use std::io::{self, Write};

use parquet::record::{Field, Row};

/// A value as text: a string as it is, bytes as they are, a list or a group as JSON; `None` for null.
pub(super) fn text(field: &Field) -> Option<Vec<u8>> {
    Some(match field {
        Field::Null => return None,
        Field::Str(text) => text.clone().into_bytes(),
        Field::Bytes(bytes) => bytes.data().to_vec(),
        Field::Float16(number) => number.to_string().into_bytes(),
        // The shortest digits that give the same number again.
        Field::Float(number) => number.to_string().into_bytes(),
        Field::Double(number) => number.to_string().into_bytes(),
        other => match other.to_json_value() {
            serde_json::Value::String(text) => text.into_bytes(),
            value => value.to_string().into_bytes(),
        },
    })
}

/// `{"key":value,...}` and a line feed.
pub(super) fn json_line(row: &Row, out: &mut dyn Write) -> io::Result<()> {
    for (number, (key, field)) in row.get_column_iter().enumerate() {
        let before = if number == 0 { '{' } else { ',' };
        write!(out, "{before}{}:{}", serde_json::Value::from(key.as_str()), field.to_json_value())?;
    }
    out.write_all(b"}\n")
}

/// A row of CSV; bytes that are no text are base64, as in JSON.
pub(super) fn csv_line(row: &Row, out: &mut dyn Write) -> io::Result<()> {
    let fields = row.get_column_iter().map(|(_, field)| match field {
        Field::Bytes(_) => field.to_json_value().as_str().unwrap_or_default().as_bytes().to_vec(),
        other => text(other).unwrap_or_default(),
    });
    csv_fields(fields, out)
}

pub(super) fn csv_fields(fields: impl Iterator<Item = Vec<u8>>, out: &mut dyn Write) -> io::Result<()> {
    for (number, field) in fields.enumerate() {
        if number > 0 {
            out.write_all(b",")?;
        }
        csv_field(&field, out)?;
    }
    out.write_all(b"\n")
}

fn csv_field(field: &[u8], out: &mut dyn Write) -> io::Result<()> {
    if !field.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        return out.write_all(field);
    }
    out.write_all(b"\"")?;
    for part in field.split_inclusive(|&byte| byte == b'"') {
        out.write_all(part)?;
        if part.ends_with(b"\"") {
            out.write_all(b"\"")?;
        }
    }
    out.write_all(b"\"")
}
