//! Parses JSON: splits a row into its members, and converts JSON values to values of `hwrow/1`.

use super::cell::{self, beginning};
use super::number;
use crate::kind::Type;
use hashwell_table::Writer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The maximum nesting depth of values, as in Arrow.
const DEPTH: usize = 64;

/// The members of an object in order, each with the text of its value.
struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

/// The members of a JSON object in order, each with the text of its value.
///
/// # Errors
/// Returns a phrase if the text is not an object.
pub fn members(text: &[u8]) -> Result<Vec<(Cow<'_, str>, &RawValue)>, String> {
    let members = serde_json::from_slice::<Members<'_>>(text);
    members.map(|members| members.0).map_err(|error| format!("not a JSON object: {error}"))
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Object)
    }
}

struct Object;

impl<'de> Visitor<'de> for Object {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Members<'de>, M::Error> {
        let mut members: Vec<(Cow<'de, str>, &'de RawValue)> = Vec::new();
        while let Some(Name(name)) = map.next_key()? {
            members.push((name, map.next_value()?));
        }
        // A few members are compared pair by pair, which needs no memory.
        let twice = if members.len() < 16 {
            (1..members.len()).find(|i| members[..*i].iter().any(|(name, _)| *name == members[*i].0))
        } else {
            let mut seen = std::collections::HashSet::new();
            members.iter().position(|(name, _)| !seen.insert(&**name))
        };
        match twice {
            Some(i) => Err(M::Error::custom(format_args!("the key {:?} occurs twice", members[i].0))),
            None => Ok(Members(members)),
        }
    }
}

/// A key, which is borrowed if it contains no escapes.
struct Name<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Name<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Borrowed(text)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

/// The shape of a JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Null.
    Null,
    /// A boolean.
    Bool,
    /// A number with neither a decimal point nor an exponent.
    Whole,
    /// A number with a decimal point or an exponent.
    Float,
    /// A string.
    Text,
    /// A list.
    List,
    /// An object.
    Object,
}

impl Shape {
    /// The shape of the value with this text, which must be valid JSON.
    #[must_use]
    pub fn of(text: &str) -> Self {
        match text.as_bytes().first() {
            Some(b'n') => Self::Null,
            Some(b't' | b'f') => Self::Bool,
            Some(b'"') => Self::Text,
            Some(b'[') => Self::List,
            Some(b'{') => Self::Object,
            _ if text.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit()) => Self::Whole,
            _ => Self::Float,
        }
    }
}

/// The set of shapes that the values of a key have.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shapes(u8);

impl Shapes {
    /// Adds a shape.
    pub fn add(&mut self, shape: Shape) {
        self.0 |= 1 << shape as u8;
    }

    /// The union of both sets.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The type that all values have in common, if there is one.
    #[must_use]
    pub fn common(self) -> Option<Type> {
        let only = |shapes: &[Shape]| {
            let allowed = shapes.iter().fold(1 << Shape::Null as u8, |sum, shape| sum | 1 << *shape as u8);
            self.0 & !allowed == 0
        };
        Some(match () {
            () if only(&[]) => Type::Null,
            () if only(&[Shape::Bool]) => Type::Bool,
            () if only(&[Shape::Whole]) => Type::Int,
            () if only(&[Shape::Whole, Shape::Float]) => Type::Float64,
            () if only(&[Shape::Text]) => Type::Text,
            () if only(&[Shape::List, Shape::Object]) => Type::Json,
            () => return None,
        })
    }

    /// The names of the shapes, for messages.
    #[must_use]
    pub fn names(self) -> Vec<&'static str> {
        let names = [
            (Shape::Bool, "booleans"),
            (Shape::Whole, "integers"),
            (Shape::Float, "numbers with a decimal point or an exponent"),
            (Shape::Text, "strings"),
            (Shape::List, "lists"),
            (Shape::Object, "objects"),
        ];
        names.iter().filter(|(shape, _)| self.0 & 1 << *shape as u8 != 0).map(|(_, name)| *name).collect()
    }
}

/// Writes the value with this text.
///
/// # Errors
/// Returns a phrase if it is not a value of the type.
pub fn write(of: &Type, text: &str, out: &mut Writer) -> Result<(), String> {
    at_depth(of, text, 0, out)
}

/// Writes the value with this text as a value of a type that the user names. In contrast to [`write`], a number or a
/// boolean becomes text, as it is written, and `0`, `1` and strings such as `"true"` become booleans.
///
/// # Errors
/// Returns a phrase if it cannot be converted.
pub fn convert(of: &Type, text: &str, out: &mut Writer) -> Result<(), String> {
    match (of, Shape::of(text)) {
        (Type::Text, Shape::Bool | Shape::Whole | Shape::Float) | (Type::Bool, Shape::Whole) => {
            cell::write(of, text.as_bytes(), out)
        }
        (Type::Bool, Shape::Text) => cell::write(of, &string(text)?, out),
        _ => write(of, text, out),
    }
}

fn at_depth(of: &Type, text: &str, depth: usize, out: &mut Writer) -> Result<(), String> {
    if depth > DEPTH {
        return Err(format!("the value is nested more than {DEPTH} levels deep"));
    }
    let of = if let Type::Json = of { &Type::Any } else { of };
    match (of, Shape::of(text)) {
        (_, Shape::Null) => cell::null(out),
        (Type::Any | Type::List(_), Shape::List) => {
            let items: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| error.to_string())?;
            let each = if let Type::List(each) = of { each } else { of };
            out.put(&[0x50]);
            out.len(items.len());
            items.iter().try_for_each(|item| at_depth(each, item.get(), depth + 1, out))?;
        }
        (Type::Any, Shape::Object) => {
            let mut members = members(text.as_bytes())?;
            members.sort_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
            begin_struct(members.len(), out);
            for (name, value) in members {
                put_name(&name, out);
                at_depth(of, value.get(), depth + 1, out)?;
            }
        }
        (Type::Struct(fields), Shape::Object) => object(fields, text, depth, out)?,
        (Type::Map(key, value), Shape::Object) => {
            let members = members(text.as_bytes())?;
            map(members.iter().map(|(name, value)| (&**name, *value)), value, depth, out, |name, pair| {
                cell::write(key, name.as_bytes(), pair)
            })?;
        }
        (Type::Map(key, value), Shape::List) => {
            let pairs: Vec<(&RawValue, &RawValue)> = serde_json::from_str(text)
                .map_err(|error| format!("not a map or a list of [key, value] pairs: {error}"))?;
            map(pairs.into_iter(), value, depth, out, |name, pair| {
                if Shape::of(name.get()) == Shape::Null {
                    return Err("a map key is null".to_owned());
                }
                at_depth(key, name.get(), depth + 1, pair)
            })?;
        }
        (
            Type::Int | Type::Decimal | Type::Float16 | Type::Float32 | Type::Float64,
            Shape::Whole | Shape::Float,
        )
        | (Type::Bool, Shape::Bool) => cell::write(of, text.as_bytes(), out)?,
        (Type::Any, Shape::Bool) => cell::write(&Type::Bool, text.as_bytes(), out)?,
        (Type::Any, Shape::Whole) => whole(text, out)?,
        (Type::Any, Shape::Float) => cell::write(&Type::Float64, text.as_bytes(), out)?,
        (Type::Bool | Type::List(_) | Type::Struct(_) | Type::Map(..), Shape::Text) => {
            return Err(format!(
                "{:?} is a string, not a value of the column's type",
                beginning(text.as_bytes())
            ));
        }
        (_, Shape::Text) => cell::write(of, &string(text)?, out)?,
        (Type::Unread(what), _) => return Err((*what).to_owned()),
        _ => return Err(format!("{:?} is not of the column's type", beginning(text.as_bytes()))),
    }
    Ok(())
}

fn whole(text: &str, out: &mut Writer) -> Result<(), String> {
    number::exact(text.as_bytes(), true, out)
        .map_err(|wrong| format!("{:?} is {wrong}", beginning(text.as_bytes())))
}

/// The characters of a string.
pub(crate) fn string(text: &str) -> Result<Cow<'_, [u8]>, String> {
    let wrong = |error: serde_json::Error| {
        format!("not a JSON string: unexpected text at column {}", error.column().max(1))
    };
    let Name(text) = serde_json::from_str(text).map_err(wrong)?;
    Ok(match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    })
}

fn begin_struct(fields: usize, out: &mut Writer) {
    out.put(&[0x51]);
    out.len(fields);
}

fn put_name(name: &str, out: &mut Writer) {
    out.len(name.len());
    out.put(name.as_bytes());
}

/// Writes a struct with these fields, which are sorted by name. A missing member is null.
fn object(fields: &[(String, Type)], text: &str, depth: usize, out: &mut Writer) -> Result<(), String> {
    let mut members = members(text.as_bytes())?;
    members.sort_unstable_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
    let mut members = members.into_iter().peekable();
    let unknown = |name: &str| format!("the struct has no field {name:?}");
    begin_struct(fields.len(), out);
    for (name, of) in fields {
        put_name(name, out);
        match members.next_if(|(member, _)| **member <= **name) {
            Some((member, _)) if *member != **name => return Err(unknown(&member)),
            Some((_, value)) => at_depth(of, value.get(), depth + 1, out)?,
            None => cell::null(out),
        }
    }
    members.next().map_or(Ok(()), |(name, _)| Err(unknown(&name)))
}

/// Writes a map. `write` writes its keys; the values are given as text.
fn map<'v, K>(
    entries: impl Iterator<Item = (K, &'v RawValue)>,
    value: &Type,
    depth: usize,
    out: &mut Writer,
    write: impl Fn(K, &mut Writer) -> Result<(), String>,
) -> Result<(), String> {
    let mut pairs = Vec::new();
    for (key, of) in entries {
        let mut pair = Writer::default();
        write(key, &mut pair)?;
        let middle = pair.as_bytes().len();
        at_depth(value, of.get(), depth + 1, &mut pair)?;
        // This reports a failed allocation. Otherwise, the incomplete bytes would be used as if they were complete.
        pair.end_row()?;
        pairs.push((pair, middle));
    }
    let key = |pair: &(Writer, usize)| pair.0.as_bytes()[..pair.1].to_vec();
    pairs.sort_by_cached_key(key);
    if pairs.windows(2).any(|two| key(&two[0]) == key(&two[1])) {
        return Err("a map key occurs twice".to_owned());
    }
    out.put(&[0x52]);
    out.len(pairs.len());
    pairs.iter().for_each(|(pair, _)| out.put(pair.as_bytes()));
    Ok(())
}
