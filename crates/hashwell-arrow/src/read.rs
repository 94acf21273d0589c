//! Reads values by the layout of their buffers. Functions panic if a row is beyond the node's length, and return an
//! error if the producer's data are wrong.

use crate::error::Malformed;
use crate::field::Layout;
use crate::node::{NOT_OF_THE_FORMAT, Node};
use std::ops::Range;
use std::slice;

const MISSING: Malformed = "a buffer is missing";

/// The values of consecutive rows with the layout [`Layout::Bytes`], which are stored contiguously. The values of null
/// rows are included.
#[derive(Clone, Copy)]
pub struct Strings<'a> {
    bytes: &'a [u8],
    /// The offsets, of four or eight bytes each. There is one more than there are rows.
    offsets: &'a [u8],
    wide: bool,
    first: i64,
}

impl<'a> Strings<'a> {
    /// The bytes of all values.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The range of a row's value in [`Strings::bytes`]. Rows are counted from the first of these rows. If an offset is
    /// wrong, the returned range is outside of the bytes.
    #[inline]
    #[must_use]
    pub fn range(&self, row: usize) -> Range<usize> {
        let place = |i| usize::try_from(self.offset(i).wrapping_sub(self.first)).unwrap_or(usize::MAX);
        place(row)..place(row + 1)
    }

    #[inline]
    fn offset(&self, i: usize) -> i64 {
        if self.wide {
            i64::from_ne_bytes(self.offsets.as_chunks().0[i])
        } else {
            i32::from_ne_bytes(self.offsets.as_chunks().0[i]).into()
        }
    }
}

impl Node {
    /// Item `i` of a buffer of `T`. All byte patterns must be valid for `T`.
    ///
    /// # Safety
    /// The buffer must have more than `i` items.
    #[inline]
    unsafe fn item<T: Copy>(&self, buffer: usize, i: usize) -> Result<T, Malformed> {
        let buffer = self.buffer(buffer).ok_or(MISSING)?.cast::<T>();
        // SAFETY: the contract of this function requires more than `i` items, and an unaligned read needs no alignment.
        Ok(unsafe { buffer.add(i).read_unaligned() })
    }

    /// Item `i` of a buffer of signed numbers with 32 or 64 bits.
    ///
    /// # Safety
    /// The same requirements as for [`Node::item`] apply.
    #[inline]
    unsafe fn offset_at(&self, wide: bool, buffer: usize, i: usize) -> Result<i64, Malformed> {
        // SAFETY: this function has the same contract.
        unsafe { if wide { self.item::<i64>(buffer, i) } else { self.item::<i32>(buffer, i).map(i64::from) } }
    }

    /// The index of a row in the buffers.
    #[inline]
    fn place(&self, row: usize) -> usize {
        assert!(row < self.len(), "row {row} of {}", self.len());
        // This doesn't overflow, because `new` checked it.
        self.offset + row
    }

    #[inline]
    fn bit_at(&self, buffer: usize, place: usize) -> Result<bool, Malformed> {
        // SAFETY: bitmaps have a bit for every row.
        let byte = unsafe { self.item::<u8>(buffer, place / 8) }?;
        Ok(byte >> (place % 8) & 1 == 1)
    }

    /// Returns true if a row is not null in this node itself.
    #[inline]
    #[must_use]
    pub fn is_valid(&self, row: usize) -> bool {
        self.nulls() == 0 || (self.layout != Layout::Null && self.bit_at(0, self.place(row)) == Ok(true))
    }

    /// The value of a row with the layout [`Layout::Bits`], even if the row is null.
    ///
    /// # Errors
    /// Returns [`Malformed`] if the buffer is missing or the node has a different layout.
    #[inline]
    pub fn bit(&self, row: usize) -> Result<bool, Malformed> {
        if self.layout == Layout::Bits { self.bit_at(1, self.place(row)) } else { Err(NOT_OF_THE_FORMAT) }
    }

    /// The bytes of all rows of a fixed-width layout, contiguously, including null rows.
    ///
    /// # Errors
    /// Returns [`Malformed`] if the buffer is missing or the node has a different layout.
    pub fn fixed(&self) -> Result<&[u8], Malformed> {
        let Layout::Fixed(width) = self.layout else { return Err(NOT_OF_THE_FORMAT) };
        let places = self.offset.checked_mul(width).zip(self.len().checked_mul(width));
        let places = places.and_then(|(from, len)| Some((from, from.checked_add(len)?)));
        let places = places.and_then(|(from, to)| Some((i64::try_from(from).ok()?, i64::try_from(to).ok()?)));
        let (from, to) = places.ok_or("the values are too long")?;
        self.bytes_of(1, from, to)
    }

    /// The bytes of a row whose layout is bytes, views or fixed width, even if the row is null.
    ///
    /// # Errors
    /// Returns [`Malformed`] if offsets or a view are wrong, a buffer is missing, or the node has a different layout.
    #[inline]
    pub fn bytes(&self, row: usize) -> Result<&[u8], Malformed> {
        let place = self.place(row);
        match self.layout {
            Layout::Bytes { wide } => {
                // SAFETY: there is one more offset than there are rows.
                let (from, to) =
                    unsafe { (self.offset_at(wide, 1, place)?, self.offset_at(wide, 1, place + 1)?) };
                self.bytes_of(2, from, to)
            }
            Layout::Fixed(width) => {
                let from = place.checked_mul(width).and_then(|from| i64::try_from(from).ok());
                let from = from.ok_or("the values are too long")?;
                self.bytes_of(1, from, from.saturating_add_unsigned(width as u64))
            }
            Layout::Views => self.view(place),
            _ => Err(NOT_OF_THE_FORMAT),
        }
    }

    /// The values of one or more rows with the layout [`Layout::Bytes`].
    ///
    /// # Errors
    /// Returns [`Malformed`] if the first or the last offset is wrong, a buffer is missing, or the node has a different
    /// layout.
    pub fn strings(&self, rows: Range<usize>) -> Result<Strings<'_>, Malformed> {
        let Layout::Bytes { wide } = self.layout else { return Err(NOT_OF_THE_FORMAT) };
        let (from, to) = (self.place(rows.start), self.place(rows.end - 1) + 1);
        // SAFETY: there is one more offset than there are rows.
        let (first, last) = unsafe { (self.offset_at(wide, 1, from)?, self.offset_at(wide, 1, to)?) };
        let width = if wide { 8 } else { 4 };
        let of = |place: usize| i64::try_from(place).ok().and_then(|place| place.checked_mul(width));
        let (from, to) = of(from).zip(of(to + 1)).ok_or("the offsets are too long")?;
        Ok(Strings {
            bytes: self.bytes_of(2, first, last)?,
            offsets: self.bytes_of(1, from, to)?,
            wide,
            first,
        })
    }

    /// The number in a row of integers of 1 to 8 bytes, even if it is null.
    ///
    /// # Errors
    /// Returns [`Malformed`] if the buffer is missing or the node has a different layout.
    pub fn number(&self, row: usize, signed: bool) -> Result<i128, Malformed> {
        let Layout::Fixed(width @ 1..=8) = self.layout else { return Err(NOT_OF_THE_FORMAT) };
        let mut bytes = [0; 8];
        // Buffers are in the machine's byte order.
        let from = if cfg!(target_endian = "big") { 8 - width } else { 0 };
        bytes[from..from + width].copy_from_slice(self.bytes(row)?);
        let unused = 64 - 8 * width as u32;
        let number = u64::from_ne_bytes(bytes);
        Ok(if signed { i128::from((number << unused) as i64 >> unused) } else { i128::from(number) })
    }

    /// The range of values of the first child that belong to a row of lists, even if it is null.
    ///
    /// # Errors
    /// Returns [`Malformed`] if offsets or sizes are wrong, a buffer is missing, or the node has a different layout.
    pub fn range(&self, row: usize) -> Result<Range<usize>, Malformed> {
        let place = self.place(row);
        let (from, to) = match self.layout {
            Layout::List { wide } => {
                // SAFETY: there is one more offset than there are rows.
                unsafe { (self.offset_at(wide, 1, place)?, self.offset_at(wide, 1, place + 1)?) }
            }
            Layout::ListView { wide } => {
                // SAFETY: there is an offset and a size for each row.
                let (from, size) =
                    unsafe { (self.offset_at(wide, 1, place)?, self.offset_at(wide, 2, place)?) };
                (from, from.checked_add(size).ok_or("an offset is too large")?)
            }
            Layout::FixedList(width) => return Ok(row * width..(row + 1) * width),
            _ => return Err(NOT_OF_THE_FORMAT),
        };
        if from < 0 || to < from {
            return Err("offsets are negative or decrease");
        }
        if to as u64 > self.children()[0].len() as u64 {
            return Err("a list ends beyond its values");
        }
        Ok(from as usize..to as usize)
    }

    /// The index of a row's value in the dictionary, even if the row is null.
    ///
    /// # Errors
    /// Returns [`Malformed`] if the index is invalid or there is no dictionary.
    pub fn index(&self, row: usize, signed: bool) -> Result<usize, Malformed> {
        let values = self.dictionary().ok_or(NOT_OF_THE_FORMAT)?;
        let index = usize::try_from(self.number(row, signed)?).ok().filter(|index| *index < values.len());
        index.ok_or("an index is outside the dictionary")
    }

    /// The index of a row's value in the second child, for a layout of runs.
    ///
    /// # Errors
    /// Returns [`Malformed`] if the layout is a different one.
    pub fn run(&self, row: usize) -> Result<usize, Malformed> {
        let [ends, _] = self.children() else { return Err(NOT_OF_THE_FORMAT) };
        let place = self.place(row) as i128;
        let (mut from, mut to) = (0, ends.len());
        while from < to {
            let middle = from + (to - from) / 2;
            if ends.number(middle, true)? <= place { from = middle + 1 } else { to = middle }
        }
        // This is less than the number of runs, because `new` checked the end of the last run.
        Ok(from)
    }

    /// Bytes `from..to` of a buffer, which must be long enough if this is a valid range.
    #[inline]
    fn bytes_of(&self, buffer: usize, from: i64, to: i64) -> Result<&[u8], Malformed> {
        let (Ok(from), Ok(to)) = (isize::try_from(from), isize::try_from(to)) else {
            return Err("an offset is too large");
        };
        if from < 0 || to < from {
            return Err("offsets are negative or decrease");
        }
        if from == to {
            return Ok(&[]);
        }
        let start = self.buffer(buffer).ok_or(MISSING)?;
        // SAFETY: neither number is negative, and neither is their difference. The producer's buffer is as long as its
        // offsets, views or width require, and stays valid and unchanged until the array is released.
        Ok(unsafe { slice::from_raw_parts(start.offset(from).as_ptr(), (to - from) as usize) })
    }

    /// The bytes of a view. A view is a length, followed by 12 bytes that contain either the value, or its first bytes,
    /// a buffer's number and an offset into that buffer.
    fn view(&self, place: usize) -> Result<&[u8], Malformed> {
        const INLINE: i32 = 12;
        // SAFETY: there is a view for each row.
        let [len, _, buffer, offset] = unsafe { self.item::<[i32; 4]>(1, place)? };
        if len <= INLINE {
            let start = i64::try_from(place).ok().and_then(|place| place.checked_mul(16)?.checked_add(4));
            let start = start.ok_or("too many views")?;
            return self.bytes_of(1, start, start + i64::from(len));
        }
        // `new` checked that there are at least three buffers: validity, views, and the lengths at the end.
        let buffers = self.n_buffers - 3;
        let buffer = usize::try_from(buffer).ok().filter(|buffer| *buffer < buffers);
        let buffer = buffer.ok_or("a view refers to a missing buffer")?;
        // SAFETY: the last buffer has a length for each buffer between the views and itself.
        let whole = unsafe { self.item::<i64>(buffers + 2, buffer)? };
        let end = i64::from(offset) + i64::from(len);
        if end > whole {
            return Err("a view ends beyond its buffer");
        }
        self.bytes_of(2 + buffer, i64::from(offset), end)
    }
}
