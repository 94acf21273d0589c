//! Fields of a JSON object, by their keys.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::Missing;

/// A string's characters, nothing for null, or the unchanged JSON text of any other value. If a key is repeated, the
/// last one counts. `None` if the object does not have the key.
pub(crate) fn field<'a>(row: &'a [u8], key: &str) -> Result<Option<Cow<'a, [u8]>>, Missing> {
    raw(row, key)?.map(characters).transpose()
}

/// The JSON text of a member's value, if the object has the key.
fn raw<'a>(row: &'a [u8], key: &str) -> Result<Option<&'a str>, Missing> {
    let mut json = serde_json::Deserializer::from_slice(row);
    let found = Key(key).deserialize(&mut json).and_then(|found| json.end().map(|()| found));
    match found {
        Ok(found) => Ok(found.map(RawValue::get)),
        Err(error) => {
            Err(format!("not a JSON object: unexpected text at column {}", error.column().max(1)).into())
        }
    }
}

fn characters(text: &str) -> Result<Cow<'_, [u8]>, Missing> {
    if !text.starts_with('"') {
        return Ok(Cow::Borrowed(if text == "null" { b"" } else { text.as_bytes() }));
    }
    match serde_json::from_str::<Cow<'_, str>>(text) {
        Ok(Cow::Borrowed(text)) => Ok(Cow::Borrowed(text.as_bytes())),
        Ok(Cow::Owned(text)) => Ok(Cow::Owned(text.into_bytes())),
        Err(error) => {
            Err(format!("not a JSON string: unexpected text at column {}", error.column().max(1)).into())
        }
    }
}

/// The value of a member as the text of a sampling key, with a single spelling for each integer. Numbers with a point
/// or an exponent, lists and objects are rejected, because other programs write them differently. `None` if the object
/// does not have the key.
pub(crate) fn sampling_key<'a>(row: &'a [u8], key: &str) -> Result<Option<Cow<'a, [u8]>>, Missing> {
    let Some(text) = raw(row, key)? else { return Ok(None) };
    let kind = match text.as_bytes()[0] {
        b'[' => "a list",
        b'{' => "an object",
        b'-' | b'0'..=b'9' if text.contains(['.', 'e', 'E']) => "a number that is not an integer",
        _ if text == "-0" => return Ok(Some(Cow::Borrowed(b"0"))),
        _ => return characters(text).map(Some),
    };
    Err(format!(
        "the value of {key:?} is {kind}, whose text differs between programs: use a string, an integer, a boolean or \
         null"
    )
    .into())
}

/// Searches for one key and skips the values of the others.
struct Key<'k>(&'k str);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Option<&'de RawValue>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Key<'_> {
    type Value = Option<&'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut found = None;
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            if key == self.0 {
                found = Some(map.next_value()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}
