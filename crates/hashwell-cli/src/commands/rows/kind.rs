//! Types that texts are read as: those of a column beside which they stand, or named by hand.

use hashwell_arrow::{Field, Kind, Layout};

/// What a text has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// Of JSON: what the value itself is.
    Any,
    /// Nothing but null.
    Null,
    Bool,
    /// A whole number of any size.
    Int,
    /// A number with digits behind the point, as it is written.
    Decimal,
    Float32,
    Float64,
    Text,
    /// The bytes of the text.
    Bytes,
    Hex,
    Base64,
    Date,
    Time,
    /// Of a place that is not named.
    Timestamp,
    /// A timestamp with an offset from UTC.
    Instant,
    List(Box<Type>),
    /// Fields by the bytes of their names.
    Struct(Vec<(String, Type)>),
    Map(Box<Type>, Box<Type>),
    /// What no text is read as, in words.
    Unread(&'static str),
}

/// Those that have names.
static NAMED: [(&str, Type); 14] = [
    ("null", Type::Null),
    ("bool", Type::Bool),
    ("int", Type::Int),
    ("decimal", Type::Decimal),
    ("float32", Type::Float32),
    ("float64", Type::Float64),
    ("text", Type::Text),
    ("bytes", Type::Bytes),
    ("hex", Type::Hex),
    ("base64", Type::Base64),
    ("date", Type::Date),
    ("time", Type::Time),
    ("timestamp", Type::Timestamp),
    ("instant", Type::Instant),
];

impl Type {
    /// The type of a name.
    pub(super) fn find(name: &str) -> Option<Self> {
        NAMED.iter().find(|(known, _)| *known == name).map(|(_, of)| of.clone())
    }

    /// All names.
    pub(super) fn names() -> String {
        NAMED.each_ref().map(|(name, _)| *name).join(", ")
    }

    /// Its name, or in words what it is.
    pub(super) fn name(&self) -> &'static str {
        NAMED.iter().find(|(_, of)| of == self).map_or(self.class(), |(name, _)| name)
    }

    /// What texts are that stand for values of a column.
    pub(super) fn of(field: &Field) -> Self {
        let child = |i: usize| field.children.get(i).map_or(Self::Null, Self::of);
        match field.kind {
            Kind::Null => Self::Null,
            Kind::Bool => Self::Bool,
            Kind::Int { .. } => Self::Int,
            Kind::Decimal { .. } => Self::Decimal,
            Kind::Float if field.layout == Layout::Fixed(8) => Self::Float64,
            Kind::Float if field.layout == Layout::Fixed(4) => Self::Float32,
            Kind::Float => Self::Unread("float16, which texts are not read as"),
            Kind::Binary => {
                Self::Unread("binary: say with --types whether texts are its bytes, hex or base64")
            }
            Kind::Text => Self::Text,
            Kind::Date => Self::Date,
            Kind::Time(_) => Self::Time,
            Kind::Timestamp { zoned: false, .. } => Self::Timestamp,
            Kind::Timestamp { zoned: true, .. } => Self::Instant,
            Kind::Duration(_) => Self::Unread("a duration, which engines write in different ways"),
            Kind::Interval(_) => Self::Unread("an interval, which engines write in different ways"),
            Kind::List => Self::List(Box::new(child(0))),
            Kind::Struct => {
                let of = |field: &Field| (field.name.clone(), Self::of(field));
                let mut fields: Vec<_> = field.children.iter().map(of).collect();
                fields.sort_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
                Self::Struct(fields)
            }
            Kind::Map => {
                let entry = |i: usize| {
                    let pair = field.children.first().and_then(|pair| pair.children.get(i));
                    Box::new(pair.map_or(Self::Null, Self::of))
                };
                Self::Map(entry(0), entry(1))
            }
            Kind::Dictionary { .. } => field.dictionary.as_deref().map_or(Self::Null, Self::of),
            Kind::Runs => child(1),
            _ => Self::Unread("of a type that texts are not read as"),
        }
    }

    /// The class of values, of which no two of different classes are equal; in words.
    pub(super) fn class(&self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Null => "null",
            Self::Bool => "boolean",
            Self::Int | Self::Decimal => "exact numbers",
            Self::Float32 | Self::Float64 => "floating point",
            Self::Text => "text",
            Self::Bytes | Self::Hex | Self::Base64 => "binary",
            Self::Date => "dates",
            Self::Time => "times of day",
            Self::Timestamp => "local timestamps",
            Self::Instant => "timestamps with a zone",
            Self::List(_) => "lists",
            Self::Struct(_) => "structs",
            Self::Map(..) => "maps",
            Self::Unread(what) => what.split([':', ',']).next().unwrap_or(what),
        }
    }
}
