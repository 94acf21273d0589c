//! Types of columns: what their format strings say.

use crate::abi::ArrowSchema;
use crate::error::{Error, Malformed};
use std::ffi::{CStr, c_char};
use std::slice;

/// How the values of a type lie in its buffers, the first of which tells what is null, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layout {
    /// No buffers: everything is null.
    Null,
    /// A bit to a value.
    Bits,
    /// So many bytes to a value.
    Fixed(usize),
    /// Offsets of 32 bits (of 64 if `wide`), bytes.
    Bytes {
        /// Of 64 bits.
        wide: bool,
    },
    /// Views: a short value itself, or where it lies in which of any number of further buffers; the last buffer tells the
    /// lengths of those.
    Views,
    /// Offsets of 32 bits (of 64 if `wide`) into one child.
    List {
        /// Of 64 bits.
        wide: bool,
    },
    /// Offsets and sizes, each of 32 bits (of 64 if `wide`), into one child.
    ListView {
        /// Of 64 bits.
        wide: bool,
    },
    /// So many values of one child to a row.
    FixedList(usize),
    /// A value of every child to a row.
    Struct,
    /// Two children: where runs of rows end, and the value of each.
    Runs,
}

/// The unit of a count of time.
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

/// What a calendar's interval counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interval {
    /// Months, of 32 bits.
    Months,
    /// Days and milliseconds, of 32 bits each.
    DayTime,
    /// Months and days of 32 bits each, nanoseconds of 64.
    MonthDayNano,
}

/// What the values of a type mean; how wide they are is in the [`Layout`].
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
    /// A whole number of that many bytes, times 10 to the minus `scale`.
    Decimal {
        scale: i32,
    },
    Binary,
    /// UTF-8.
    Text,
    /// Days since 1970 in 4 bytes, or milliseconds in 8.
    Date,
    Time(Unit),
    /// Since 1970: of a place that is not named, or if `zoned` in UTC.
    Timestamp {
        unit: Unit,
        zoned: bool,
    },
    Duration(Unit),
    Interval(Interval),
    List,
    Struct,
    /// A list of structs of key and value.
    Map,
    /// Numbers of values of [`Field::dictionary`].
    Dictionary {
        signed: bool,
    },
    Runs,
}

/// A column's name and type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// May be empty.
    pub name: String,
    /// Of the interface: the type, without children and dictionary.
    pub format: String,
    /// Of the interface: nullable, ordered dictionary, sorted keys.
    pub flags: i64,
    /// As the interface encodes it, if there is any.
    pub metadata: Option<Vec<u8>>,
    /// How values lie in buffers.
    pub layout: Layout,
    /// What they mean.
    pub kind: Kind,
    /// Of lists one, of structs any number, of maps a struct of two.
    pub children: Vec<Field>,
    /// What a dictionary's numbers stand for.
    pub dictionary: Option<Box<Field>>,
}

/// How deep types may lie in each other.
const DEPTH: usize = 64;
/// How many fields a schema may have, at all depths.
const FIELDS: usize = 1 << 20;
/// The digits that a decimal may be shifted by.
const SCALE: i32 = 255;

const NULLABLE: i64 = 2;

impl Field {
    /// A nullable field of this format.
    ///
    /// # Errors
    /// [`Error::Format`] if the format is unknown or has not that many children.
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

    /// What a schema says.
    ///
    /// # Safety
    /// The schema is as the interface has it: pointers to texts, metadata, children and dictionary are null or to such.
    ///
    /// # Errors
    /// [`Error::Format`] for a type that is unknown or a union, [`Error::Malformed`].
    pub unsafe fn of(schema: &ArrowSchema) -> Result<Self, Error> {
        // SAFETY: this function demands as much.
        unsafe { Self::at_depth(schema, 0, &mut 0) }
    }

    /// # Safety
    /// As for [`Field::of`].
    unsafe fn at_depth(schema: &ArrowSchema, depth: usize, fields: &mut usize) -> Result<Self, Error> {
        *fields += 1;
        if depth > DEPTH {
            return Err(Error::Malformed("more than 64 nested types"));
        }
        if *fields > FIELDS {
            return Err(Error::Malformed("more than 1048576 fields"));
        }
        // SAFETY: format and name are C strings that live as long as the schema, or null.
        let (format, name) = unsafe { (text(schema.format), text(schema.name)) };
        let format = format.ok_or("the format is missing")?.to_string_lossy();
        let name = name.unwrap_or_default().to_str().map_err(|_| "a name is not UTF-8")?;
        // SAFETY: a schema's dictionary is a schema, which lives as long as that one.
        let dictionary = match unsafe { schema.dictionary.as_ref() } {
            // SAFETY: as for the schema that it is of.
            Some(values) => Some(unsafe { Self::at_depth(values, depth + 1, fields) }?),
            None => None,
        };
        let count = usize::try_from(schema.n_children).map_err(|_| "the number of children is negative")?;
        if count > FIELDS || (count > 0 && schema.children.is_null()) {
            return Err(Error::Malformed("the number of children is wrong"));
        }
        // The format is looked at first: it tells what was given better than a fault of its children.
        parse(&format, dictionary.is_some()).ok_or_else(|| unknown(&format))?;
        let mut children = Vec::new();
        for i in 0..count {
            // SAFETY: there are `n_children` pointers to schemas that live as long as this one.
            let child = unsafe { schema.children.add(i).read().as_ref() };
            // SAFETY: as for the schema that it is of.
            children.push(unsafe { Self::at_depth(child.ok_or("a child is missing")?, depth + 1, fields) }?);
        }
        let mut field = Self::new(name, &format, children, dictionary)?;
        field.flags = schema.flags;
        // SAFETY: metadata are as the interface encodes them, and live as long as the schema.
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

    /// The time zone of a timestamp that has one.
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
/// It is one, or null, and lives as long as what it is taken for.
unsafe fn text<'a>(text: *const c_char) -> Option<&'a CStr> {
    // SAFETY: this function demands as much.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) })
}

/// A copy of metadata: a count of pairs, and of each text of a pair its length and its bytes.
///
/// # Safety
/// They are as the interface encodes them, or null.
unsafe fn metadata(from: *const c_char) -> Result<Option<Vec<u8>>, Malformed> {
    if from.is_null() {
        return Ok(None);
    }
    let mut len = 0usize;
    let mut number = |skip: usize| {
        len = len.checked_add(skip)?;
        // SAFETY: this function demands that a number is there.
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
    // SAFETY: the texts are there up to the last one's end.
    Ok(Some(unsafe { slice::from_raw_parts(from.cast(), len) }.to_vec()))
}

/// Layout and kind of a format.
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

/// Precision, scale and, if it is not 128, the number of bits.
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
