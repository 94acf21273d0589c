//! Values by their kind: the encoding of one row of one column.

use crate::error::Error;
use crate::write::{NO_MEMORY, Writer, Wrong, float, word};
use hashwell_arrow::{Field, Interval, Kind, Layout, Node, Unit, f16_to_f32};

/// A column, or one nested in another, ready to be written row by row.
pub(crate) struct Cell<'a> {
    pub(crate) node: &'a Node,
    pub(crate) nullable: bool,
    pub(crate) form: Form<'a>,
}

pub(crate) enum Form<'a> {
    Null,
    Bool,
    Text,
    Bytes,
    /// Numbers, with the bytes of all rows.
    Fixed(Number, &'a [u8]),
    List(Box<Cell<'a>>),
    /// Fields with their encoded names, sorted by name.
    Struct(Vec<(Vec<u8>, Cell<'a>)>),
    Map {
        entries: &'a Node,
        key: Box<Cell<'a>>,
        value: Box<Cell<'a>>,
    },
    Dictionary {
        signed: bool,
        values: Box<Cell<'a>>,
    },
    Runs(Box<Cell<'a>>),
}

#[derive(Clone, Copy)]
pub(crate) enum Number {
    Signed(Width),
    Unsigned(Width),
    Float(Width),
    Decimal(usize, i32),
    Days,
    /// A date in milliseconds, which are a multiple of a day.
    Date,
    Time(Width, Unit),
    /// A timestamp, with its tag and unit.
    Instant(u8, Unit),
    Interval(Interval),
}

#[derive(Clone, Copy)]
pub(crate) enum Width {
    One,
    Two,
    Four,
    Eight,
}

const MALFORMED: Wrong = "the buffers do not match the format";

impl<'a> Cell<'a> {
    pub(crate) fn new(field: &Field, node: &'a Node) -> Result<Self, Error> {
        Ok(Self { node, nullable: node.nulls() > 0, form: Form::new(field, node)? })
    }

    /// Writes a row.
    #[inline]
    pub(crate) fn write(&self, row: usize, out: &mut Writer) -> Result<(), Wrong> {
        if self.nullable && !self.node.is_valid(row) {
            out.put(&[0]);
            return Ok(());
        }
        match &self.form {
            Form::Fixed(number, bytes) => number.write(bytes, row, out),
            Form::Text => {
                let bytes = self.node.bytes(row)?;
                std::str::from_utf8(bytes).map_err(|_| "the text is not UTF-8")?;
                out.string(0x30, bytes);
                Ok(())
            }
            Form::Bytes => {
                out.string(0x31, self.node.bytes(row)?);
                Ok(())
            }
            Form::Bool => {
                out.put(&[1 + u8::from(self.node.bit(row)?)]);
                Ok(())
            }
            form => self.write_other(form, row, out),
        }
    }

    fn write_other(&self, form: &Form<'_>, row: usize, out: &mut Writer) -> Result<(), Wrong> {
        match form {
            Form::Null => out.put(&[0]),
            Form::List(items) => {
                let range = self.node.range(row)?;
                out.items(0x50, range.len())?;
                for item in range {
                    items.write(item, out)?;
                    out.go_on()?;
                }
            }
            Form::Struct(fields) => {
                out.items(0x51, fields.len())?;
                for (name, cell) in fields {
                    out.put(name);
                    cell.write(row, out)?;
                }
            }
            Form::Map { entries, key, value } => {
                let range = self.node.range(row)?;
                out.items(0x52, range.len())?;
                let start = out.bytes.len();
                let mut pairs = Vec::new();
                for entry in range {
                    let from = out.bytes.len();
                    key.write(entry, out)?;
                    // The written byte decides, because the validity of dictionaries and runs does not include all of
                    // their nulls.
                    if !entries.is_valid(entry) || out.bytes.get(from) == Some(&0) {
                        return Err("a map key is null");
                    }
                    let middle = out.bytes.len();
                    value.write(entry, out)?;
                    out.go_on()?;
                    pairs.try_reserve(1).map_err(|_| NO_MEMORY)?;
                    pairs.push([from - start, middle - start, out.bytes.len() - start]);
                }
                sort_pairs(&mut out.bytes[start..], &mut pairs)?;
            }
            Form::Dictionary { signed, values } => values.write(self.node.index(row, *signed)?, out)?,
            Form::Runs(values) => values.write(self.node.run(row)?, out)?,
            Form::Fixed(..) | Form::Text | Form::Bytes | Form::Bool => unreachable!("written above"),
        }
        Ok(())
    }
}

/// Sorts pairs by their keys. Each pair is given by the start of its key, the start of its value and its end.
fn sort_pairs(bytes: &mut [u8], pairs: &mut [[usize; 3]]) -> Result<(), Wrong> {
    let key = |pair: &[usize; 3]| &bytes[pair[0]..pair[1]];
    let sorted = pairs.is_sorted_by(|a, b| key(a) < key(b));
    if sorted {
        return Ok(());
    }
    pairs.sort_unstable_by(|a, b| key(a).cmp(key(b)));
    if pairs.windows(2).any(|two| key(&two[0]) == key(&two[1])) {
        return Err("a map key occurs twice");
    }
    let mut ordered = Vec::new();
    ordered.try_reserve_exact(bytes.len()).map_err(|_| NO_MEMORY)?;
    pairs.iter().for_each(|pair| ordered.extend_from_slice(&bytes[pair[0]..pair[2]]));
    bytes.copy_from_slice(&ordered);
    Ok(())
}

impl<'a> Form<'a> {
    fn new(field: &Field, node: &'a Node) -> Result<Self, Error> {
        let child = |i: usize| -> Result<Box<Cell<'a>>, Error> {
            Ok(Box::new(Cell::new(&field.children[i], &node.children()[i])?))
        };
        Ok(match field.kind {
            Kind::Null => Form::Null,
            Kind::Bool => Form::Bool,
            Kind::Text => Form::Text,
            Kind::Binary => Form::Bytes,
            Kind::List => Form::List(child(0)?),
            Kind::Struct => Form::Struct(fields(field, node)?),
            Kind::Map => {
                let (inner, entries) = (&field.children[0], &node.children()[0]);
                let half = |i: usize| -> Result<Box<Cell<'a>>, Error> {
                    Ok(Box::new(Cell::new(&inner.children[i], &entries.children()[i])?))
                };
                Form::Map { entries, key: half(0)?, value: half(1)? }
            }
            Kind::Dictionary { signed } => {
                let (values, node) = field.dictionary.as_deref().zip(node.dictionary()).ok_or(MALFORMED)?;
                Form::Dictionary { signed, values: Box::new(Cell::new(values, node)?) }
            }
            Kind::Runs => Form::Runs(child(1)?),
            _ => {
                let number = Number::of(field)
                    .ok_or_else(|| Error::Arrow(hashwell_arrow::Error::Format(field.format.clone())))?;
                Form::Fixed(number, node.fixed()?)
            }
        })
    }
}

/// Sorts indices of names by the bytes of the names.
pub(crate) fn sort_by_name<'n>(places: &mut [usize], name: &dyn Fn(usize) -> &'n str) {
    places.sort_by(|a, b| name(*a).cmp(name(*b)));
}

/// The fields of a struct, sorted by the bytes of their names.
fn fields<'a>(field: &Field, node: &'a Node) -> Result<Vec<(Vec<u8>, Cell<'a>)>, Error> {
    let mut order: Vec<usize> = (0..field.children.len()).collect();
    let name = |i: &usize| field.children[*i].name.as_bytes();
    sort_by_name(&mut order, &|i| &field.children[i].name);
    if let Some(two) = order.windows(2).find(|two| name(&two[0]) == name(&two[1])) {
        return Err(Error::SameName(field.children[two[0]].name.clone()));
    }
    let of = |i: usize| {
        let mut written = Writer::default();
        written.len(name(&i).len());
        written.put(name(&i));
        written.go_on()?;
        Ok((written.bytes, Cell::new(&field.children[i], &node.children()[i])?))
    };
    order.into_iter().map(of).collect()
}

impl Number {
    fn of(field: &Field) -> Option<Self> {
        let Layout::Fixed(bytes) = field.layout else { return None };
        let width = match bytes {
            1 => Width::One,
            2 => Width::Two,
            4 => Width::Four,
            _ => Width::Eight,
        };
        Some(match field.kind {
            Kind::Int { signed: true } => Self::Signed(width),
            Kind::Int { signed: false } => Self::Unsigned(width),
            Kind::Float => Self::Float(width),
            Kind::Decimal { scale } => Self::Decimal(bytes, scale),
            Kind::Date if bytes == 4 => Self::Days,
            Kind::Date => Self::Date,
            Kind::Time(unit) => Self::Time(width, unit),
            Kind::Timestamp { unit, zoned } => Self::Instant(if zoned { 0x42 } else { 0x41 }, unit),
            Kind::Duration(unit) => Self::Instant(0x44, unit),
            Kind::Interval(form) => Self::Interval(form),
            _ => return None,
        })
    }

    #[inline]
    fn write(self, bytes: &[u8], row: usize, out: &mut Writer) -> Result<(), Wrong> {
        match self.short(bytes, row) {
            Some(bytes) => {
                out.put(&bytes);
                Ok(())
            }
            None => self.write_seldom(bytes, row, out),
        }
    }

    /// The encoding, if it is a tag and eight bytes.
    #[inline(always)]
    pub(crate) fn short(self, bytes: &[u8], row: usize) -> Option<[u8; 9]> {
        let whole = |number: i64| Some(word(0x10, number.to_be_bytes()));
        match self {
            Self::Signed(width) => whole(width.signed(bytes, row)),
            Self::Unsigned(width) => whole(i64::try_from(width.unsigned(bytes, row)).ok()?),
            Self::Float(width) => Some(float(width.float(bytes, row))),
            Self::Days => Some(word(0x40, i64::from(i32::from_ne_bytes(at(bytes, row))).to_be_bytes())),
            _ => None,
        }
    }

    fn write_seldom(self, bytes: &[u8], row: usize, out: &mut Writer) -> Result<(), Wrong> {
        const DAY: i64 = 86_400;
        match self {
            Self::Unsigned(width) => out.whole(width.unsigned(bytes, row).into()),
            Self::Instant(tag, unit) => {
                let (seconds, nanoseconds) = split(i64::from_ne_bytes(at(bytes, row)), unit);
                out.instant(tag, seconds, nanoseconds);
            }
            Self::Decimal(width, scale) => out.decimal(&bytes[row * width..][..width], scale),
            Self::Date => {
                let milliseconds = i64::from_ne_bytes(at(bytes, row));
                if milliseconds % (DAY * 1000) != 0 {
                    return Err("the date is not a whole number of days");
                }
                out.word(0x40, (milliseconds / (DAY * 1000)).to_be_bytes());
            }
            Self::Time(width, unit) => {
                let (seconds, nanoseconds) = split(width.signed(bytes, row), unit);
                if !(0..=DAY).contains(&seconds) || (seconds == DAY && nanoseconds > 0) {
                    return Err("the time of day is before 00:00 or after 24:00");
                }
                out.word(0x43, (seconds * 1_000_000_000 + i64::from(nanoseconds)).to_be_bytes());
            }
            Self::Interval(form) => {
                let (months, days, nanoseconds) = match form {
                    Interval::Months => (i32::from_ne_bytes(at(bytes, row)), 0, 0),
                    Interval::DayTime => {
                        let both: [u8; 8] = at(bytes, row);
                        let milliseconds = i32::from_ne_bytes(at(&both, 1));
                        (0, i32::from_ne_bytes(at(&both, 0)), i64::from(milliseconds) * 1_000_000)
                    }
                    Interval::MonthDayNano => {
                        let all: [u8; 16] = at(bytes, row);
                        let of = |i| i32::from_ne_bytes(at(&all, i));
                        (of(0), of(1), i64::from_ne_bytes(at(&all, 1)))
                    }
                };
                out.put(&[0x45]);
                out.put(&months.to_be_bytes());
                out.put(&days.to_be_bytes());
                out.put(&nanoseconds.to_be_bytes());
            }
            Self::Signed(_) | Self::Float(_) | Self::Days => unreachable!("a tag and eight bytes"),
        }
        Ok(())
    }
}

/// Item `row` of an array of items with `N` bytes each.
#[inline]
fn at<const N: usize>(bytes: &[u8], row: usize) -> [u8; N] {
    bytes[row * N..][..N].try_into().expect("a slice of that length")
}

/// Seconds, rounded down, and nanoseconds.
#[inline]
fn split(count: i64, unit: Unit) -> (i64, u32) {
    let by = |per: i64| (count.div_euclid(per), (count.rem_euclid(per) * (1_000_000_000 / per)) as u32);
    // Each arm has a constant divisor, because dividing by a constant is many times faster.
    match unit {
        Unit::Second => (count, 0),
        Unit::Milli => by(1_000),
        Unit::Micro => by(1_000_000),
        Unit::Nano => by(1_000_000_000),
    }
}

impl Width {
    #[inline(always)]
    fn signed(self, bytes: &[u8], row: usize) -> i64 {
        match self {
            Self::One => i8::from_ne_bytes(at(bytes, row)).into(),
            Self::Two => i16::from_ne_bytes(at(bytes, row)).into(),
            Self::Four => i32::from_ne_bytes(at(bytes, row)).into(),
            Self::Eight => i64::from_ne_bytes(at(bytes, row)),
        }
    }

    #[inline(always)]
    fn unsigned(self, bytes: &[u8], row: usize) -> u64 {
        match self {
            Self::One => u8::from_ne_bytes(at(bytes, row)).into(),
            Self::Two => u16::from_ne_bytes(at(bytes, row)).into(),
            Self::Four => u32::from_ne_bytes(at(bytes, row)).into(),
            Self::Eight => u64::from_ne_bytes(at(bytes, row)),
        }
    }

    #[inline(always)]
    fn float(self, bytes: &[u8], row: usize) -> f64 {
        match self {
            Self::Eight => f64::from_ne_bytes(at(bytes, row)),
            Self::Four => f32::from_ne_bytes(at(bytes, row)).into(),
            _ => f16_to_f32(u16::from_ne_bytes(at(bytes, row))).into(),
        }
    }
}
