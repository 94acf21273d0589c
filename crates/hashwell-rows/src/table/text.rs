//! Values as text.

use parquet::record::Field;

/// A value as text: strings and bytes are unchanged; `None` for null.
pub(super) fn text(field: &Field) -> Option<Vec<u8>> {
    Some(match field {
        Field::Null => return None,
        Field::Str(text) => text.clone().into_bytes(),
        Field::Bytes(bytes) => bytes.data().to_vec(),
        Field::Float16(number) => number.to_string().into_bytes(),
        // `to_string` returns the shortest digits that are read back as the same number.
        Field::Float(number) => number.to_string().into_bytes(),
        Field::Double(number) => number.to_string().into_bytes(),
        other => match other.to_json_value() {
            serde_json::Value::String(text) => text.into_bytes(),
            value => value.to_string().into_bytes(),
        },
    })
}
