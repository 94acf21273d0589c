//! Strict reading of transcripts as JSON: every reader must find the same values in a transcript, so anything that
//! readers treat differently is rejected.

use crate::Error;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// The maximum number of keys of an object. Transcripts have fewer.
const MAX_KEYS: usize = 64;

/// The rules for a kind of transcript.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// The name of the transcript in messages.
    pub(crate) what: &'static str,
    /// The keys whose values may be arrays. Arrays of arrays are always rejected.
    pub(crate) arrays: &'static [&'static str],
    /// True if `null`, `true` and `false` may occur.
    pub(crate) literals: bool,
}

impl Shape {
    /// Checks that these bytes are a single JSON object in UTF-8 of this shape, in which no object has a duplicate key,
    /// no string has an unpaired surrogate, and every number is 0 to 2^64 - 1 in decimal digits without sign, point or
    /// exponent.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`], with line and column.
    pub(crate) fn check(&self, json: &[u8]) -> Result<(), Error> {
        let mut reader = serde_json::Deserializer::from_slice(json);
        let top = Place { shape: self, array: false, inside: Inside::Nothing };
        top.deserialize(&mut reader)
            .and_then(|()| reader.end())
            .map_err(|error| Error::invalid(self.what, one_line(&error)))
    }
}

/// The kind of value that contains a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Nothing,
    Object,
    Array,
}

/// The place of a value in the transcript.
#[derive(Clone, Copy)]
struct Place<'a> {
    shape: &'a Shape,
    inside: Inside,
    /// True if an array is allowed at this place.
    array: bool,
}

impl Place<'_> {
    fn scalar<E: de::Error>(self) -> Result<(), E> {
        if self.inside == Inside::Nothing { Err(E::custom("expected an object")) } else { Ok(()) }
    }

    fn literal<E: de::Error>(self, text: &str) -> Result<(), E> {
        if self.shape.literals {
            self.scalar()
        } else {
            Err(E::custom(format_args!("{text} is not allowed")))
        }
    }

    fn number<E: de::Error>() -> Result<(), E> {
        Err(E::custom("a number must be 0 to 2^64 - 1 in plain digits, without sign, point or exponent"))
    }
}

impl<'de> DeserializeSeed<'de> for Place<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Place<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.literal("null")
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<(), E> {
        self.literal(if value { "true" } else { "false" })
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<(), E> {
        self.scalar()
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<(), E> {
        Self::number()
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<(), E> {
        Self::number()
    }

    fn visit_str<E: de::Error>(self, _: &str) -> Result<(), E> {
        self.scalar()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        if !self.array {
            return Err(de::Error::custom("an array is not allowed here"));
        }
        while items.next_element_seed(Place { inside: Inside::Array, array: false, ..self })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut keys: Vec<Cow<'de, str>> = Vec::new();
        while let Some(Key(key)) = members.next_key::<Key<'de>>()? {
            if keys.contains(&key) {
                return Err(de::Error::custom(format_args!("duplicate field `{key}`")));
            }
            if keys.len() == MAX_KEYS {
                return Err(de::Error::custom(format_args!("an object has more than {MAX_KEYS} keys")));
            }
            let array = self.shape.arrays.contains(&&*key);
            keys.push(key);
            members.next_value_seed(Place { inside: Inside::Object, array, ..self })?;
        }
        Ok(())
    }
}

/// A key, copied only if it has escapes.
#[derive(serde::Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// Formats a parser's message, which may quote its input, as one line of bounded length.
pub(crate) fn one_line(error: &dyn fmt::Display) -> String {
    const MOST: usize = 200;
    let escape = |c: char| if c.is_control() { c.escape_default().collect() } else { c.to_string() };
    let text: String = error.to_string().chars().map(escape).collect();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAW: Shape = Shape { what: "a test", arrays: &["picks"], literals: false };

    fn refused(json: &str) -> String {
        DRAW.check(json.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn what_readers_agree_on_is_accepted() {
        for json in [
            "{}",
            " {\"a\":{\"a\":18446744073709551615},\"b\":\"\\ud83d\\ude00\"}\r\n\t",
            "{\"picks\":[{\"a\":0},\"x\",1]}",
        ] {
            assert_eq!(DRAW.check(json.as_bytes()), Ok(()), "{json}");
        }
        let both = Shape { literals: true, ..DRAW };
        assert_eq!(both.check(b"{\"a\":null,\"b\":true}"), Ok(()));
    }

    #[test]
    fn what_readers_treat_differently_is_refused() {
        for number in ["-0", "-1", "1.0", "1e3", "1E400", "18446744073709551616", &"9".repeat(5000)] {
            let message = refused(&format!("{{\"a\":{number}}}"));
            assert!(message.contains("number"), "{message}");
        }
        assert!(
            refused("{\"a\":1,\"\\u0061\":1}").contains("duplicate field `a` at line 1"),
            "escapes are read first"
        );
        for json in [
            "",
            "null",
            "1",
            "[]",
            "\"a\"",
            "{\"a\":null}",
            "{\"a\":true}",
            "{\"a\":[]}",
            "{\"picks\":[[]]}",
            "{\"a\":NaN}",
            "{\"a\":01}",
            "{\"a\":+1}",
            "{\"a\":\"\\ud800\"}",
            "{\"a\":\"\n\"}",
            "{\"a\":1,}",
            "{} {}",
            "\u{feff}{}",
            &format!("{{\"picks\":{}", "[".repeat(100_000)),
            &"{\"a\":".repeat(100_000),
        ] {
            let message = refused(json);
            assert!(message.starts_with("not a test: ") && message.len() < 300, "{message}");
        }
        assert!(DRAW.check(b"{\"a\":\"\xff\"}").is_err());
        let many: Vec<String> = (0..=MAX_KEYS).map(|i| format!("\"{i}\":1")).collect();
        assert!(refused(&format!("{{{}}}", many.join(","))).contains("more than 64 keys"));
    }
}
