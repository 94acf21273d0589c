//! The types of columns, as their format strings define them.

use crate::abi::ArrowSchema;
use crate::error::{Error, Malformed};
use std::ffi::{CStr, c_char};
use std::slice;

/// The storage layout of the values of a type in its buffers. The first buffer, if present, is the validity bitmap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layout {
    /// No buffers: all rows are null.
    Null,
    /// One bit per value.
    Bits,
    /// This number of bytes per value.
    Fixed(usize),
    /// Offsets of 32 bits (64 if `wide`) and bytes.
    Bytes {
        /// True for offsets of 64 bits.
        wide: bool,
    },
    /// Views: each contains a short value itself, or the location of a longer value in an additional buffer. There can
    /// be any number of additional buffers; the last buffer contains their lengths.
    Views,
    /// Offsets of 32 bits (64 if `wide`) into one child.
    List {
        /// True for offsets of 64 bits.
        wide: bool,
    },
    /// Offsets and sizes, each of 32 bits (64 if `wide`), into one child.
    ListView {
        /// True for offsets and sizes of 64 bits.
        wide: bool,
    },
    /// This number of values of one child per row.
    FixedList(usize),
    /// One value of every child per row.
    Struct,
    /// Two children: the ends of runs of rows, and the value of each run.
    Runs,
}

/// The unit of a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Unit {
    Second,
    Milli,
    Micro,
    Nano,
}

impl Unit {
    fn of(letter: u8) -> Option<Self> {
        Some(match letter {
            b's' => Self::Second,
            b'm' => Self::Milli,
            b'u' => Self::Micro,
            b'n' => Self::Nano,
            _ => return None,
        })
    }
}

/// The components of a calendar interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interval {
    /// Months, of 32 bits.
    Months,
    /// Days and milliseconds, of 32 bits each.
    DayTime,
    /// Months and days of 32 bits each, nanoseconds of 64.
    MonthDayNano,
}

/// The meaning of the values of a type. Their width is part of the [`Layout`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Kind {
    Null,
    Bool,
    Int {
        signed: bool,
    },
    Float,
    /// An integer of the layout's width, times 10^-`scale`.
    Decimal {
        scale: i32,
    },
    Binary,
    /// UTF-8 text.
    Text,
    /// Days since 1970 in 4 bytes, or milliseconds in 8.
    Date,
    Time(Unit),
    /// The time since 1970, in UTC if `zoned`, or else in an unspecified time zone.
    Timestamp {
        unit: Unit,
        zoned: bool,
    },
    Duration(Unit),
    Interval(Interval),
    List,
    Struct,
    /// A list of structs with a key and a value.
    Map,
    /// Indices into the values of [`Field::dictionary`].
    Dictionary {
        signed: bool,
    },
    Runs,
}

/// A column's name and type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name, which may be empty.
    pub name: String,
    /// The format string of the interface: the type, without children and dictionary.
    pub format: String,
    /// The flags of the interface: nullable, ordered dictionary, sorted keys.
    pub flags: i64,
    /// The metadata as the interface encodes them, if there are any.
    pub metadata: Option<Vec<u8>>,
    /// How the values are stored in buffers.
    pub layout: Layout,
    /// The meaning of the values.
    pub kind: Kind,
    /// The children: one for lists, any number for structs, and a struct with two fields for maps.
    pub children: Vec<Field>,
    /// The type of the dictionary's values.
    pub dictionary: Option<Box<Field>>,
}

/// The maximum nesting depth of types.
const DEPTH: usize = 64;
/// The maximum number of fields of a schema, at all depths.
const FIELDS: usize = 1 << 20;
/// The maximum scale of a decimal, positive or negative.
const SCALE: i32 = 255;

const NULLABLE: i64 = 2;

impl Field {
    /// A nullable field of this format.
    ///
    /// # Errors
    /// Returns [`Error::Format`] if the format is unknown or does not have this number of children.
    pub fn new(
        name: &str,
        format: &str,
        children: Vec<Field>,
        dictionary: Option<Field>,
    ) -> Result<Self, Error> {
        let (layout, kind) = parse(format, dictionary.is_some()).ok_or_else(|| unknown(format))?;
        let field = Self {
            name: name.to_owned(),
            format: format.to_owned(),
            flags: NULLABLE,
            metadata: None,
            layout,
            kind,
            children,
            dictionary: dictionary.map(Box::new),
        };
        if field.has_its_children() { Ok(field) } else { Err(unknown(format)) }
    }

    /// Reads a schema.
    ///
    /// # Safety
    /// The schema must conform to the interface: pointers to texts, metadata, children and dictionary are valid or
    /// null.
    ///
    /// # Errors
    /// Returns [`Error::Format`] if the type is unknown or a union, and [`Error::Malformed`] if the schema violates the
    /// interface.
    pub unsafe fn of(schema: &ArrowSchema) -> Result<Self, Error> {
        // SAFETY: this function has the same contract.
        unsafe { Self::at_depth(schema, 0, &mut 0) }
    }

    /// # Safety
    /// The same requirements as for [`Field::of`] apply.
    unsafe fn at_depth(schema: &ArrowSchema, depth: usize, fields: &mut usize) -> Result<Self, Error> {
        *fields += 1;
        if depth > DEPTH {
            return Err(Error::Malformed("types are nested more than 64 levels deep"));
        }
        if *fields > FIELDS {
            return Err(Error::Malformed("more than 1048576 fields"));
        }
        // SAFETY: format and name are C strings that are valid as long as the schema, or null.
        let (format, name) = unsafe { (text(schema.format), text(schema.name)) };
        let format = format.ok_or("the format is missing")?.to_string_lossy();
        let name = name.unwrap_or_default().to_str().map_err(|_| "a name is not UTF-8")?;
        // SAFETY: a schema's dictionary is a schema, which is valid as long as the outer one.
        let dictionary = match unsafe { schema.dictionary.as_ref() } {
            // SAFETY: the same as for the outer schema.
            Some(values) => Some(unsafe { Self::at_depth(values, depth + 1, fields) }?),
            None => None,
        };
        let count = usize::try_from(schema.n_children).map_err(|_| "the number of children is negative")?;
        if count > FIELDS || (count > 0 && schema.children.is_null()) {
            return Err(Error::Malformed("the number of children is wrong"));
        }
        // The format is checked first, because an unknown format describes the problem better than an error in its
        // children.
        parse(&format, dictionary.is_some()).ok_or_else(|| unknown(&format))?;
        let mut children = Vec::new();
        for i in 0..count {
            // SAFETY: there are `n_children` pointers to schemas that are valid as long as this one.
            let child = unsafe { schema.children.add(i).read().as_ref() };
            // SAFETY: the same as for the outer schema.
            children.push(unsafe { Self::at_depth(child.ok_or("a child is missing")?, depth + 1, fields) }?);
        }
        let mut field = Self::new(name, &format, children, dictionary)?;
        field.flags = schema.flags;
        // SAFETY: metadata are encoded as the interface specifies, and are valid as long as the schema.
        field.metadata = unsafe { metadata(schema.metadata) }?;
        Ok(field)
    }

    fn has_its_children(&self) -> bool {
        let children = &self.children;
        match self.kind {
            Kind::Struct => true,
            Kind::List => children.len() == 1,
            Kind::Map => {
                matches!(&children[..], [entries] if entries.kind == Kind::Struct && entries.children.len() == 2)
            }
            Kind::Runs => {
                let ends = |field: &Field| {
                    field.kind == Kind::Int { signed: true } && field.layout != Layout::Fixed(1)
                };
                children.len() == 2 && ends(&children[0])
            }
            _ => children.is_empty(),
        }
    }

    /// The time zone of a timestamp, if it has one.
    #[must_use]
    pub fn zone(&self) -> Option<&str> {
        match self.kind {
            Kind::Timestamp { zoned: true, .. } => self.format.get(4..),
            _ => None,
        }
    }
}

fn unknown(format: &str) -> Error {
    Error::Format(format.to_owned())
}

/// A C string.
///
/// # Safety
/// The pointer must be null or point to a C string that is valid for the returned lifetime.
unsafe fn text<'a>(text: *const c_char) -> Option<&'a CStr> {
    // SAFETY: this function has the same contract.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) })
}

/// Copies metadata: the number of pairs and, for each text of a pair, its length and its bytes.
///
/// # Safety
/// The metadata must be encoded as the interface specifies, or the pointer must be null.
unsafe fn metadata(from: *const c_char) -> Result<Option<Vec<u8>>, Malformed> {
    if from.is_null() {
        return Ok(None);
    }
    let mut len = 0usize;
    let mut number = |skip: usize| {
        len = len.checked_add(skip)?;
        // SAFETY: the contract of this function requires that there is a number.
        let number = unsafe { from.add(len).cast::<i32>().read_unaligned() };
        len += 4;
        usize::try_from(number).ok()
    };
    const WRONG: Malformed = "the metadata are malformed";
    let texts = number(0).and_then(|pairs| pairs.checked_mul(2)).ok_or(WRONG)?;
    let mut before = 0;
    for _ in 0..texts {
        before = number(before).ok_or(WRONG)?;
    }
    let len = len.checked_add(before).ok_or(WRONG)?;
    // SAFETY: there are texts up to the end of the last one.
    Ok(Some(unsafe { slice::from_raw_parts(from.cast(), len) }.to_vec()))
}

/// The layout and kind of a format.
fn parse(format: &str, has_dictionary: bool) -> Option<(Layout, Kind)> {
    use Layout::{Bytes, Fixed, FixedList, ListView, Views};
    let bytes = format.as_bytes();
    if let [letter @ (b'c' | b'C' | b's' | b'S' | b'i' | b'I' | b'l' | b'L')] = bytes {
        let width = match letter.to_ascii_lowercase() {
            b'c' => 1,
            b's' => 2,
            b'i' => 4,
            _ => 8,
        };
        let signed = letter.is_ascii_lowercase();
        let kind = if has_dictionary { Kind::Dictionary { signed } } else { Kind::Int { signed } };
        return Some((Fixed(width), kind));
    }
    if has_dictionary {
        return None;
    }
    Some(match bytes {
        b"n" => (Layout::Null, Kind::Null),
        b"b" => (Layout::Bits, Kind::Bool),
        b"e" => (Fixed(2), Kind::Float),
        b"f" => (Fixed(4), Kind::Float),
        b"g" => (Fixed(8), Kind::Float),
        b"z" | b"Z" => (Bytes { wide: format == "Z" }, Kind::Binary),
        b"u" | b"U" => (Bytes { wide: format == "U" }, Kind::Text),
        b"vz" => (Views, Kind::Binary),
        b"vu" => (Views, Kind::Text),
        b"tdD" => (Fixed(4), Kind::Date),
        b"tdm" => (Fixed(8), Kind::Date),
        b"tts" | b"ttm" => (Fixed(4), Kind::Time(Unit::of(bytes[2])?)),
        b"ttu" | b"ttn" => (Fixed(8), Kind::Time(Unit::of(bytes[2])?)),
        b"tiM" => (Fixed(4), Kind::Interval(Interval::Months)),
        b"tiD" => (Fixed(8), Kind::Interval(Interval::DayTime)),
        b"tin" => (Fixed(16), Kind::Interval(Interval::MonthDayNano)),
        [b't', b's', unit, b':', zone @ ..] => {
            (Fixed(8), Kind::Timestamp { unit: Unit::of(*unit)?, zoned: !zone.is_empty() })
        }
        [b't', b'D', unit] => (Fixed(8), Kind::Duration(Unit::of(*unit)?)),
        [b'w', b':', ..] => (Fixed(count(&format[2..])?), Kind::Binary),
        [b'd', b':', ..] => decimal(&format[2..])?,
        b"+l" | b"+L" => (Layout::List { wide: format == "+L" }, Kind::List),
        b"+vl" | b"+vL" => (ListView { wide: format == "+vL" }, Kind::List),
        [b'+', b'w', b':', ..] => (FixedList(count(&format[3..])?), Kind::List),
        b"+s" => (Layout::Struct, Kind::Struct),
        b"+m" => (Layout::List { wide: false }, Kind::Map),
        b"+r" => (Layout::Runs, Kind::Runs),
        _ => return None,
    })
}

fn count(digits: &str) -> Option<usize> {
    usize::try_from(digits.parse::<i32>().ok()?).ok()
}

/// Parses precision, scale and, if it is not 128, the number of bits.
fn decimal(numbers: &str) -> Option<(Layout, Kind)> {
    let mut numbers = numbers.split(',').map(|number| number.parse::<i32>().ok());
    let (_precision, scale) = (numbers.next()??, numbers.next()??);
    let bits = numbers.next().unwrap_or(Some(128))?;
    if numbers.next().is_some() || !matches!(bits, 32 | 64 | 128 | 256) || !(-SCALE..=SCALE).contains(&scale)
    {
        return None;
    }
    Some((Layout::Fixed(bits.unsigned_abs() as usize / 8), Kind::Decimal { scale }))
}
