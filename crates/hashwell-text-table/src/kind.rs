//! The types that text can be parsed as.

use hashwell_arrow::{Field, Kind, Layout};

/// The type of a text column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Any JSON value, with the type that it has in JSON.
    Any,
    /// Null only.
    Null,
    /// `true` or `false`, also as `t` and `f` (PostgreSQL), or `1` and `0` (MySQL, SQLite).
    Bool,
    /// An integer of any size.
    Int,
    /// A decimal number, exactly as written.
    Decimal,
    /// A number, rounded to the nearest binary16.
    Float16,
    /// A number, rounded to the nearest binary32.
    Float32,
    /// A number, rounded to the nearest binary64.
    Float64,
    /// A string.
    Text,
    /// The bytes of the text.
    Bytes,
    /// Bytes in hexadecimal, also with `\x` (PostgreSQL) or `0x` (MySQL) before the digits.
    Hex,
    /// Bytes in base64.
    Base64,
    /// Base64, or the text of a UUID for values of 16 bytes: this is how binary columns of Parquet are written.
    Binary {
        /// True for values of 16 bytes.
        uuid: bool,
    },
    /// A date.
    Date,
    /// A time of day.
    Time,
    /// A timestamp without an offset from UTC.
    Timestamp,
    /// A timestamp with an offset from UTC.
    Instant,
    /// An ISO 8601 duration of days, hours, minutes and seconds.
    Duration,
    /// An ISO 8601 duration in which months and days have no fixed length.
    Interval,
    /// A list of values of one type.
    List(Box<Type>),
    /// Fields, in the byte order of their names.
    Struct(Vec<(String, Type)>),
    /// The types of keys and values.
    Map(Box<Type>, Box<Type>),
    /// A JSON value of any kind.
    Json,
    /// A type for which there is no parser, with the phrase that messages about such a column contain.
    Unread(&'static str),
}

/// The types that have names.
static NAMED: [(&str, Type); 18] = [
    ("null", Type::Null),
    ("bool", Type::Bool),
    ("int", Type::Int),
    ("decimal", Type::Decimal),
    ("float16", Type::Float16),
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
    ("json", Type::Json),
    ("duration", Type::Duration),
    ("interval", Type::Interval),
];

impl Type {
    /// The type with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        NAMED.iter().find(|(known, _)| *known == name).map(|(_, of)| of.clone())
    }

    /// The names of all types, as a list for messages.
    #[must_use]
    pub fn names() -> String {
        NAMED.each_ref().map(|(name, _)| *name).join(", ")
    }

    /// The name of the type, or a phrase if it has none.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Binary { .. } => "base64",
            _ => NAMED.iter().find(|(_, of)| of == self).map_or(self.class(), |(name, _)| name),
        }
    }

    /// The type that the text of an Arrow column is parsed as.
    #[must_use]
    pub fn of(field: &Field) -> Self {
        let child = |i: usize| field.children.get(i).map_or(Self::Null, Self::of);
        match field.kind {
            Kind::Null => Self::Null,
            Kind::Bool => Self::Bool,
            Kind::Int { .. } => Self::Int,
            Kind::Decimal { .. } => Self::Decimal,
            Kind::Float if field.layout == Layout::Fixed(8) => Self::Float64,
            Kind::Float if field.layout == Layout::Fixed(4) => Self::Float32,
            Kind::Float => Self::Float16,
            Kind::Binary => Self::Binary { uuid: field.layout == Layout::Fixed(16) },
            Kind::Text => Self::Text,
            Kind::Date => Self::Date,
            Kind::Time(_) => Self::Time,
            Kind::Timestamp { zoned: false, .. } => Self::Timestamp,
            Kind::Timestamp { zoned: true, .. } => Self::Instant,
            Kind::Duration(_) => Self::Duration,
            Kind::Interval(_) => Self::Interval,
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
            _ => Self::Unread("has a type that cannot be parsed from text (exclude it with --columns)"),
        }
    }

    /// The reason why text cannot be parsed as this type, as a phrase about a column. `None` if it can be parsed.
    #[must_use]
    pub fn unread(&self) -> Option<&'static str> {
        const WITHIN: &str = "has values in its lists, structs or maps whose type cannot be parsed from text \
                              (exclude it with --columns)";
        fn within(of: &Type) -> bool {
            match of {
                Type::Unread(_) => true,
                Type::List(item) => within(item),
                Type::Struct(fields) => fields.iter().any(|(_, of)| within(of)),
                Type::Map(key, value) => within(key) || within(value),
                _ => false,
            }
        }
        match self {
            Self::Unread(what) => Some(what),
            of => within(of).then_some(WITHIN),
        }
    }

    /// Returns true if the empty string is a value of this type.
    #[must_use]
    pub fn has_empty(&self) -> bool {
        matches!(self, Self::Any | Self::Text | Self::Bytes | Self::Hex | Self::Base64 | Self::Binary { .. })
    }

    /// The class of the type, as a noun. Values of different classes are never equal.
    #[must_use]
    pub fn class(&self) -> &'static str {
        match self {
            Self::Any | Self::Json => "JSON",
            Self::Null => "null",
            Self::Bool => "boolean",
            Self::Int | Self::Decimal => "exact numbers",
            Self::Float16 | Self::Float32 | Self::Float64 => "floating point",
            Self::Text => "text",
            Self::Bytes | Self::Hex | Self::Base64 | Self::Binary { .. } => "binary",
            Self::Date => "dates",
            Self::Time => "times of day",
            Self::Timestamp => "local timestamps",
            Self::Instant => "timestamps with a zone",
            Self::Duration => "durations",
            Self::Interval => "intervals",
            Self::List(_) => "lists",
            Self::Struct(_) => "structs",
            Self::Map(..) => "maps",
            Self::Unread(what) => what.split([':', ',']).next().unwrap_or(what).trim_start_matches("is "),
        }
    }
}
