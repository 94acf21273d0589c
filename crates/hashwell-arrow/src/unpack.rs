//! Converts packed rows back to columns. The bytes may come from an untrusted file, so all lengths are checked.

use crate::error::{Error, Malformed};
use crate::export::{Memory, Piece};
use crate::field::{Field, Kind, Layout};
use std::collections::HashMap;
use std::sync::Arc;

const SHORT: Malformed = "an encoded row is too short";

/// Splits off this number of bytes.
fn take<'a>(from: &mut &'a [u8], len: usize) -> Result<&'a [u8], Malformed> {
    let (bytes, rest) = from.split_at_checked(len).ok_or(SHORT)?;
    *from = rest;
    Ok(bytes)
}

fn number(from: &mut &[u8]) -> Result<usize, Malformed> {
    let (number, rest) = from.split_first_chunk().ok_or(SHORT)?;
    *from = rest;
    usize::try_from(u64::from_le_bytes(*number)).map_err(|_| SHORT)
}

fn text<'a>(from: &mut &'a [u8]) -> Result<&'a [u8], Malformed> {
    let len = number(from)?;
    take(from, len)
}

/// Reads a packed type.
///
/// # Errors
/// Returns [`Error`] if the bytes are not a packed type, or if types are nested too deeply.
pub fn unpack_field(from: &mut &[u8]) -> Result<Field, Error> {
    field_at(from, 0)
}

fn field_at(from: &mut &[u8], depth: usize) -> Result<Field, Error> {
    const DEPTH: usize = 64;
    if depth > DEPTH {
        return Err(Error::Malformed("types are nested more than 64 levels deep"));
    }
    let name = std::str::from_utf8(text(from)?).map_err(|_| Error::Malformed("a name is not UTF-8"))?;
    let format = std::str::from_utf8(text(from)?).map_err(|_| Error::Malformed("a format is not UTF-8"))?;
    let flags: [u8; 8] = text(from)?.try_into().map_err(|_| SHORT)?;
    let metadata = text(from)?;
    let has_metadata = take(from, 1)? == [1];
    let count = number(from)?;
    let has_dictionary = take(from, 1)? == [1];
    // Each child takes at least one byte.
    if count > from.len() {
        return Err(SHORT.into());
    }
    let children = (0..count).map(|_| field_at(from, depth + 1)).collect::<Result<_, _>>()?;
    let dictionary = if has_dictionary { Some(field_at(from, depth + 1)?) } else { None };
    let mut field = Field::new(name, format, children, dictionary)?;
    field.flags = i64::from_le_bytes(flags);
    if has_metadata && !is_metadata(metadata).unwrap_or(false) {
        return Err(Error::Malformed("the metadata are malformed"));
    }
    field.metadata = has_metadata.then(|| metadata.to_vec());
    Ok(field)
}

/// Returns true if the bytes are metadata as the interface encodes them. Consumers compute the length of metadata from
/// the metadata itself, so it must match.
fn is_metadata(mut bytes: &[u8]) -> Option<bool> {
    let mut number = |skip: usize| {
        let (number, rest) = bytes.get(skip..)?.split_first_chunk()?;
        bytes = rest;
        usize::try_from(i32::from_ne_bytes(*number)).ok()
    };
    let (texts, mut before) = (number(0)?.checked_mul(2)?, 0);
    for _ in 0..texts {
        before = number(before)?;
    }
    Some(bytes.len() == before)
}

/// Columns that are being built.
pub struct Unpacker {
    field: Field,
    len: usize,
    nulls: usize,
    /// The number of values to store for a null. A value of more than 8 bytes counts as several values, one for every 8
    /// bytes.
    blank: usize,
    /// The validity bitmap.
    valid: Vec<u8>,
    /// Bits, fixed-width values, views, indices of a dictionary, or ends of runs.
    fixed: Vec<u8>,
    /// A 0, followed by the end of each row. The sizes of list views are computed from these numbers.
    ends: Vec<i64>,
    /// The bytes of all rows.
    bytes: Vec<u8>,
    children: Vec<Unpacker>,
    /// Maps the packed bytes of each value of a dictionary to its index.
    known: HashMap<Vec<u8>, usize>,
    /// The last value, for runs.
    last: Option<Vec<u8>>,
}

impl Unpacker {
    /// Columns of this type without any rows.
    #[must_use]
    pub fn new(field: &Field) -> Self {
        let own = field.children.iter().chain(field.dictionary.as_deref());
        let children: Vec<Self> = own.map(Self::new).collect();
        let blanks = || children.iter().fold(0, |sum: usize, child| sum.saturating_add(child.blank));
        let blank = match field.layout {
            Layout::Fixed(width) => width.div_ceil(8),
            Layout::FixedList(width) => width.saturating_mul(blanks()),
            Layout::Struct => blanks(),
            _ => 1,
        };
        Self {
            blank: blank.max(1),
            children,
            field: field.clone(),
            len: 0,
            nulls: 0,
            valid: Vec::new(),
            fixed: Vec::new(),
            ends: vec![0],
            bytes: Vec::new(),
            known: HashMap::new(),
            last: None,
        }
    }

    /// Appends a packed row.
    ///
    /// # Errors
    /// Returns [`Malformed`] if the bytes are not a row of this type, or if there are more bytes after it.
    pub fn push(&mut self, mut row: &[u8]) -> Result<(), Malformed> {
        self.value(&mut row)?;
        if row.is_empty() { Ok(()) } else { Err("an encoded row is too long") }
    }

    fn mark(&mut self, valid: bool) {
        if self.len.is_multiple_of(8) {
            self.valid.push(0);
        }
        self.valid[self.len / 8] |= u8::from(valid) << (self.len % 8);
        self.len += 1;
        self.nulls += usize::from(!valid);
    }

    fn value(&mut self, from: &mut &[u8]) -> Result<(), Malformed> {
        match self.field.kind {
            Kind::Dictionary { signed } => return self.word(from, signed),
            Kind::Runs => return self.run(from),
            _ => {}
        }
        let valid = match take(from, 1)? {
            [0] => false,
            [1] => true,
            _ => return Err("the null marker of an encoded value is invalid"),
        };
        if !valid {
            return self.null();
        }
        match self.field.layout {
            Layout::Null | Layout::Runs => return Err("a value of the null type is not null"),
            Layout::Bits => {
                let bit = take(from, 1)?[0] & 1;
                self.bit(bit);
            }
            Layout::Fixed(width) => self.fixed.extend_from_slice(take(from, width)?),
            Layout::Bytes { .. } | Layout::Views => {
                let bytes = text(from)?;
                if self.field.kind == Kind::Text && std::str::from_utf8(bytes).is_err() {
                    return Err("an encoded string is not UTF-8");
                }
                self.put(bytes)?;
            }
            Layout::List { .. } | Layout::ListView { .. } | Layout::FixedList(_) => {
                let count = number(from)?;
                if matches!(self.field.layout, Layout::FixedList(width) if width != count) {
                    return Err("a fixed-size list has the wrong size");
                }
                for _ in 0..count {
                    // Each item has at least one byte, so a wrong count fails here.
                    self.children[0].value(from)?;
                }
                self.end(self.children[0].len)?;
            }
            Layout::Struct => self.children.iter_mut().try_for_each(|child| child.value(from))?,
        }
        self.mark(true);
        Ok(())
    }

    fn bit(&mut self, bit: u8) {
        if self.len.is_multiple_of(8) {
            self.fixed.push(0);
        }
        self.fixed[self.len / 8] |= bit << (self.len % 8);
    }

    /// Appends a null row, and the values that must be stored for it.
    fn null(&mut self) -> Result<(), Malformed> {
        // A null takes one packed byte regardless of the type's width, which may be any number, and lists may be
        // nested. So the input size does not limit the number of values.
        const MOST: usize = 1 << 24;
        if self.blank > MOST {
            return Err("a null row requires more than 16777216 values");
        }
        match self.field.layout {
            Layout::Bits => self.bit(0),
            Layout::Fixed(width) => self.fixed.resize(self.fixed.len() + width, 0),
            Layout::Bytes { .. } | Layout::Views => self.put(b"")?,
            Layout::List { .. } | Layout::ListView { .. } => self.end(self.children[0].len)?,
            Layout::FixedList(width) => (0..width).try_for_each(|_| self.children[0].nothing())?,
            Layout::Struct => self.children.iter_mut().try_for_each(Self::nothing)?,
            Layout::Null | Layout::Runs => {}
        }
        self.mark(false);
        Ok(())
    }

    /// Appends a row whose parent is null.
    fn nothing(&mut self) -> Result<(), Malformed> {
        match self.field.kind {
            Kind::Dictionary { .. } | Kind::Runs => self.value(&mut &[0][..]),
            _ => self.null(),
        }
    }

    /// Appends the bytes of a row.
    fn put(&mut self, bytes: &[u8]) -> Result<(), Malformed> {
        const INLINE: usize = 12;
        if self.field.layout == Layout::Views {
            let len = i32::try_from(bytes.len()).map_err(|_| "a view is longer than 2147483647 bytes")?;
            self.fixed.extend_from_slice(&len.to_ne_bytes());
            let mut view = [0; INLINE];
            if bytes.len() <= INLINE {
                view[..bytes.len()].copy_from_slice(bytes);
            } else {
                let at = i32::try_from(self.bytes.len());
                let at = at.map_err(|_| "the views have more than 2147483647 bytes in total")?;
                view[..4].copy_from_slice(&bytes[..4]);
                view[8..].copy_from_slice(&at.to_ne_bytes());
                self.bytes.extend_from_slice(bytes);
            }
            self.fixed.extend_from_slice(&view);
            return Ok(());
        }
        self.bytes.extend_from_slice(bytes);
        self.end(self.bytes.len())
    }

    /// Ends a row.
    fn end(&mut self, end: usize) -> Result<(), Malformed> {
        let narrow = matches!(
            self.field.layout,
            Layout::Bytes { wide: false } | Layout::List { wide: false } | Layout::ListView { wide: false }
        );
        if narrow && i32::try_from(end).is_err() {
            return Err("a column with 32-bit offsets has more than 2147483647 bytes or values");
        }
        self.ends.push(end as i64);
        Ok(())
    }

    /// Appends the index of a value in the dictionary.
    fn word(&mut self, from: &mut &[u8], signed: bool) -> Result<(), Malformed> {
        let Layout::Fixed(width) = self.field.layout else { return Err(SHORT) };
        let rest = *from;
        if rest.first() == Some(&0) {
            *from = &rest[1..];
            self.fixed.resize(self.fixed.len() + width, 0);
            self.mark(false);
            return Ok(());
        }
        let len = extent(&self.children[0].field, rest)?;
        let bytes = take(from, len)?;
        let index = match self.known.get(bytes) {
            Some(index) => *index,
            None => {
                let index = self.children[0].len;
                self.children[0].push(bytes)?;
                self.known.insert(bytes.to_vec(), index);
                index
            }
        };
        let bits = 8 * width as u32 - u32::from(signed);
        if bits < 64 && index as u64 >> bits > 0 {
            return Err("the dictionary has more values than its index type can count");
        }
        let index = (index as u64).to_ne_bytes();
        self.fixed.extend_from_slice(if cfg!(target_endian = "big") {
            &index[8 - width..]
        } else {
            &index[..width]
        });
        self.mark(true);
        Ok(())
    }

    /// Appends a value, which starts a new run unless it equals the last one.
    fn run(&mut self, from: &mut &[u8]) -> Result<(), Malformed> {
        let len = extent(&self.children[1].field, from)?;
        let bytes = take(from, len)?;
        let Layout::Fixed(width) = self.children[0].field.layout else { return Err(SHORT) };
        self.len += 1;
        if (self.len as u64) >> (8 * width as u32 - 1) > 0 {
            return Err("the column has more rows than the type of its run ends can count");
        }
        let end = (self.len as u64).to_ne_bytes();
        let end = if cfg!(target_endian = "big") { &end[8 - width..] } else { &end[..width] };
        let ends = &mut self.children[0];
        if self.last.as_deref() == Some(bytes) {
            let at = ends.fixed.len() - width;
            ends.fixed[at..].copy_from_slice(end);
            return Ok(());
        }
        ends.fixed.extend_from_slice(end);
        ends.mark(true);
        self.children[1].push(bytes)?;
        self.last = Some(bytes.to_vec());
        Ok(())
    }

    /// Returns the columns.
    #[must_use]
    pub fn finish(mut self) -> Piece {
        let valid = (self.nulls > 0).then(|| memory(self.valid));
        let ends = |ends: Vec<i64>, wide: bool| {
            if wide { memory(ends) } else { memory(ends.iter().map(|end| *end as i32).collect::<Vec<_>>()) }
        };
        let buffers = match self.field.layout {
            Layout::Null | Layout::Runs => Vec::new(),
            Layout::Bits | Layout::Fixed(_) => vec![valid, Some(memory(self.fixed))],
            Layout::Bytes { wide } => vec![valid, Some(ends(self.ends, wide)), Some(memory(self.bytes))],
            Layout::Views => {
                let len = vec![self.bytes.len() as i64];
                vec![valid, Some(memory(self.fixed)), Some(memory(self.bytes)), Some(memory(len))]
            }
            Layout::List { wide } => vec![valid, Some(ends(self.ends, wide))],
            Layout::ListView { wide } => {
                let sizes = self.ends.windows(2).map(|pair| pair[1] - pair[0]).collect();
                self.ends.pop();
                vec![valid, Some(ends(self.ends, wide)), Some(ends(sizes, wide))]
            }
            Layout::FixedList(_) | Layout::Struct => vec![valid],
        };
        let nulls = match self.field.layout {
            Layout::Runs => 0,
            _ => self.nulls,
        };
        let dictionary = self.field.dictionary.is_some().then(|| self.children.pop()).flatten();
        Piece {
            len: self.len,
            nulls,
            buffers,
            children: self.children.into_iter().map(Self::finish).collect(),
            dictionary: dictionary.map(|values| Box::new(values.finish())),
        }
    }
}

fn memory<T: Memory + 'static>(memory: T) -> Arc<dyn Memory> {
    Arc::new(memory)
}

/// The number of bytes that a packed value of this type takes.
fn extent(field: &Field, bytes: &[u8]) -> Result<usize, Malformed> {
    let mut left = bytes;
    pass(field, &mut left)?;
    Ok(bytes.len() - left.len())
}

fn pass(field: &Field, from: &mut &[u8]) -> Result<(), Malformed> {
    if let Some(of) = &field.dictionary {
        return if from.first() == Some(&0) { take(from, 1).map(drop) } else { pass(of, from) };
    }
    if let (Layout::Runs, [_, of]) = (field.layout, &field.children[..]) {
        return pass(of, from);
    }
    if take(from, 1)? == [0] {
        return Ok(());
    }
    match field.layout {
        Layout::Bits => take(from, 1).map(drop),
        Layout::Fixed(width) => take(from, width).map(drop),
        Layout::Bytes { .. } | Layout::Views => text(from).map(drop),
        Layout::List { .. } | Layout::ListView { .. } | Layout::FixedList(_) => {
            let count = number(from)?;
            (0..count).try_for_each(|_| pass(&field.children[0], from))
        }
        Layout::Struct => field.children.iter().try_for_each(|child| pass(child, from)),
        Layout::Null | Layout::Runs => Err(SHORT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::pack_field;

    fn field(format: &str, children: Vec<Field>) -> Field {
        Field::new("f", format, children, None).unwrap()
    }

    fn push(field: &Field, rows: &[&[u8]]) -> Result<Piece, Malformed> {
        let mut columns = Unpacker::new(field);
        rows.iter().try_for_each(|row| columns.push(row))?;
        Ok(columns.finish())
    }

    #[test]
    fn every_shorter_and_longer_row_is_refused() {
        let lists = field("+s", vec![field("+l", vec![field("u", Vec::new())]), field("s", Vec::new())]);
        let row = b"\x01\x01\x02\0\0\0\0\0\0\0\x01\x01\0\0\0\0\0\0\0a\0\x01\x07\0";
        let piece = push(&lists, &[row, b"\0", row]).unwrap();
        assert_eq!((piece.len, piece.nulls, piece.children[0].nulls), (3, 1, 1));
        let items = &piece.children[0].children[0];
        assert_eq!((items.len, items.nulls), (4, 2));
        assert_eq!(items.buffers[2].as_ref().unwrap().bytes(), b"aa");
        assert_eq!(piece.children[1].buffers[1].as_ref().unwrap().bytes(), b"\x07\0\0\0\x07\0");
        for len in 0..row.len() {
            assert!(push(&lists, &[&row[..len]]).is_err(), "{len} bytes");
        }
        assert!(push(&lists, &[&[&row[..], &[0]].concat()]).is_err());
    }

    #[test]
    fn lengths_that_lie_end_where_the_bytes_do() {
        let huge = [&[1][..], &u64::MAX.to_le_bytes()].concat();
        for format in ["u", "z", "vu", "U"] {
            assert!(push(&field(format, Vec::new()), &[&huge]).is_err(), "{format}");
        }
        for format in ["+l", "+vl", "+w:2147483647"] {
            assert!(push(&field(format, vec![field("n", Vec::new())]), &[&huge]).is_err(), "{format}");
        }
        assert!(push(&field("+w:2147483647", vec![field("n", Vec::new())]), &[b"\0"]).is_err());
        let lists = field("+w:100000", vec![field("+w:100000", vec![field("n", Vec::new())])]);
        assert!(push(&lists, &[b"\0"]).is_err(), "of which each alone could be");
        assert!(push(&field("w:2147483647", Vec::new()), &[b"\0"]).is_err());
        assert!(push(&field("u", Vec::new()), &[b"\x01\x01\0\0\0\0\0\0\0\xff"]).is_err(), "no UTF-8");
        assert!(push(&field("b", Vec::new()), &[b"\x02\0"]).is_err());
    }

    #[test]
    fn numbers_of_a_dictionary_that_do_not_fit_are_refused() {
        let words = Field::new("f", "c", Vec::new(), Some(field("C", Vec::new()))).unwrap();
        let rows: Vec<[u8; 2]> = (0..128).chain(0..128).map(|word| [1, word]).collect();
        let rows: Vec<&[u8]> = rows.iter().map(|row| &row[..]).collect();
        let piece = push(&words, &rows).unwrap();
        assert_eq!((piece.len, piece.dictionary.unwrap().len), (256, 128));
        assert!(push(&words, &[&rows[..], &[b"\x01\xff"]].concat()).is_err());
    }

    #[test]
    fn types_come_back() {
        let mut of =
            field("+s", vec![field("+m", vec![field("+s", vec![field("u", vec![]), field("i", vec![])])])]);
        of.metadata = Some(vec![0; 4]);
        let mut bytes = Vec::new();
        pack_field(&of, &mut bytes);
        assert_eq!(unpack_field(&mut &bytes[..]).unwrap(), of);
        for len in 0..bytes.len() {
            assert!(unpack_field(&mut &bytes[..len]).is_err(), "{len} bytes");
        }
    }
}
