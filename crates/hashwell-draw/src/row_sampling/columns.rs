//! Combines the values of several columns into one.

use std::borrow::Cow;

/// Joins the texts of several columns into the bytes of a key or label. For each column, in the order given, the bytes
/// are the length of the text as 8 bytes, big-endian, and the text. The text of a single column is returned unchanged.
#[must_use]
pub fn joined<'a>(fields: &[Cow<'a, [u8]>]) -> Cow<'a, [u8]> {
    if let [field] = fields {
        return field.clone();
    }
    let mut joined = Vec::with_capacity(fields.iter().map(|field| 8 + field.len()).sum());
    for field in fields {
        joined.extend((field.len() as u64).to_be_bytes());
        joined.extend_from_slice(field);
    }
    joined.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_fields_cannot_be_taken_for_others() {
        let of = |fields: &[&'static str]| {
            joined(&fields.iter().map(|field| field.as_bytes().into()).collect::<Vec<_>>()).into_owned()
        };
        assert_eq!(of(&["ab"]), b"ab");
        assert_eq!(of(&["a", "b"]), b"\0\0\0\0\0\0\0\x01a\0\0\0\0\0\0\0\x01b");
        assert_ne!(of(&["ab", ""]), of(&["a", "b"]));
    }
}
