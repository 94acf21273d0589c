//! A field of a JSON object by its key.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::Missing;

/// A string's characters, or any other value's JSON text as it stands. Of a key that comes twice, the last.
pub(crate) fn field<'a>(row: &'a [u8], key: &str) -> Result<Cow<'a, [u8]>, Missing> {
    let mut json = serde_json::Deserializer::from_slice(row);
    let found = Key(key).deserialize(&mut json).and_then(|found| json.end().map(|()| found));
    let text = match found {
        Ok(Some(value)) => value.get(),
        Ok(None) => return Err(format!("the object has no key {key:?}").into()),
        Err(error) => return Err(format!("not a JSON object: {error}").into()),
    };
    if !text.starts_with('"') {
        return Ok(Cow::Borrowed(text.as_bytes()));
    }
    match serde_json::from_str::<Cow<'a, str>>(text) {
        Ok(Cow::Borrowed(text)) => Ok(Cow::Borrowed(text.as_bytes())),
        Ok(Cow::Owned(text)) => Ok(Cow::Owned(text.into_bytes())),
        Err(error) => Err(format!("not a JSON string: {error}").into()),
    }
}

/// Looks for one key and passes over the others' values.
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
