//! The bytes of rows being written, and the elements shared by all encodings.

/// Writes rows. If a row is too long, or if there is no memory for the row, the error is stored.
/// [`end_row`](Self::end_row) then returns the error and drops the row. Earlier rows are not affected.
///
/// [`Rows`](crate::Rows) writes the values of Arrow columns. To write other values, such as texts, use this type, and
/// follow `docs/spec/rows.md`: this type does not check that the result is a valid row.
#[derive(Default)]
pub struct Writer {
    pub(crate) bytes: Vec<u8>,
    /// The beginning of the current row.
    start: usize,
    failed: Option<&'static str>,
}

/// The maximum size of an encoded row in bytes. The limit is needed because a list can have very many null items, which
/// take no memory in an Arrow array, but one byte each in the encoding.
pub const ROW_LIMIT: usize = 1 << 30;

/// The tag of a row.
pub(crate) const ROW: u8 = 0x60;

const TOO_LONG: Wrong = "the row is longer than 1 GiB";

pub(crate) const NO_MEMORY: Wrong = "not enough memory for the row";

/// The reason why a value has no encoding.
pub(crate) type Wrong = &'static str;

/// A tag and eight bytes.
#[inline]
pub(crate) fn word(tag: u8, word: [u8; 8]) -> [u8; 9] {
    let mut bytes = [tag; 9];
    bytes[1..].copy_from_slice(&word);
    bytes
}

/// A binary64; there is only one NaN and one zero.
#[inline]
pub(crate) fn float(number: f64) -> [u8; 9] {
    const NAN: u64 = 0x7ff8_0000_0000_0000;
    let bits = if number.is_nan() {
        NAN
    } else if number == 0.0 {
        0
    } else {
        number.to_bits()
    };
    word(0x20, bits.to_be_bytes())
}

/// A tag with a count or length, and the number of bytes of both: one byte for values below 255, otherwise 255 and
/// eight bytes.
#[inline]
pub(crate) fn head(tag: u8, len: usize) -> ([u8; 16], usize) {
    let mut bytes = [0; 16];
    (bytes[0], bytes[1]) = (tag, len.min(255) as u8);
    bytes[2..10].copy_from_slice(&(len as u64).to_be_bytes());
    (bytes, if len < 255 { 2 } else { 10 })
}

impl Writer {
    /// All bytes written.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Drops all rows, and the stored error if there is one.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.start = 0;
        self.failed = None;
    }

    /// Begins a row with this number of values.
    #[inline]
    pub fn begin_row(&mut self, values: usize) {
        self.head(ROW, values);
    }

    /// Ends a row. Returns the position of its end in [`as_bytes`](Self::as_bytes).
    ///
    /// # Errors
    /// Returns an error if the row is longer than [`ROW_LIMIT`], or if there was no memory for the row. In both cases,
    /// the row is dropped.
    pub fn end_row(&mut self) -> Result<usize, Wrong> {
        if let Err(wrong) = self.go_on() {
            // Otherwise, the written part would be the beginning of the next row.
            self.bytes.truncate(self.start);
            return Err(wrong);
        }
        self.start = self.bytes.len();
        Ok(self.start)
    }

    /// Returns an error if the bytes written so far did not fit.
    #[inline]
    pub(crate) fn go_on(&mut self) -> Result<(), Wrong> {
        // Capacity left from earlier rows lets a row grow unnoticed; the limit must not depend on it.
        let long = self.bytes.len() - self.start > ROW_LIMIT;
        match self.failed {
            None if !long => Ok(()),
            _ => Err(self.failed.take().unwrap_or(TOO_LONG)),
        }
    }

    /// Writes bytes unchanged.
    #[inline]
    pub fn put(&mut self, bytes: &[u8]) {
        if self.bytes.capacity() - self.bytes.len() < bytes.len() && !self.grow(bytes.len()) {
            return;
        }
        self.bytes.extend_from_slice(bytes);
    }

    #[cold]
    fn grow(&mut self, by: usize) -> bool {
        let long = self.bytes.len() - self.start;
        if long.saturating_add(by) > ROW_LIMIT {
            self.failed = Some(TOO_LONG);
        } else if self.bytes.try_reserve(by).is_err() {
            self.failed = Some(NO_MEMORY);
        }
        self.failed.is_none()
    }

    /// Writes a count or a length: one byte for values below 255, otherwise 255 and eight bytes.
    #[inline]
    pub fn len(&mut self, len: usize) {
        let (bytes, end) = head(0, len);
        self.put(&bytes[1..end]);
    }

    /// Writes a tag and the number of items, each of which takes at least one byte.
    pub(crate) fn items(&mut self, tag: u8, count: usize) -> Result<(), Wrong> {
        self.head(tag, count);
        if count > ROW_LIMIT { Err(TOO_LONG) } else { self.go_on() }
    }

    /// Writes a tag and eight bytes.
    #[inline]
    pub fn word(&mut self, tag: u8, bytes: [u8; 8]) {
        self.put(&word(tag, bytes));
    }

    /// Writes a tag, seconds and nanoseconds.
    #[inline]
    pub fn instant(&mut self, tag: u8, seconds: i64, nanoseconds: u32) {
        let mut bytes = [tag; 13];
        bytes[1..9].copy_from_slice(&seconds.to_be_bytes());
        bytes[9..].copy_from_slice(&nanoseconds.to_be_bytes());
        self.put(&bytes);
    }

    /// Writes a binary64. All NaNs are written as the same NaN, and -0 as 0.
    #[inline]
    pub fn float(&mut self, number: f64) {
        self.put(&float(number));
    }

    /// Writes a tag, and a count or a length.
    #[inline]
    pub fn head(&mut self, tag: u8, len: usize) {
        let (bytes, len) = head(tag, len);
        self.put(&bytes[..len]);
    }

    /// Writes a tag, the length of the bytes, and the bytes.
    #[inline]
    pub fn string(&mut self, tag: u8, bytes: &[u8]) {
        self.head(tag, bytes.len());
        self.put(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The limit does not depend on spare capacity. The memory is not touched.
    #[test]
    fn long_rows() {
        for (start, long, right) in [(0, ROW_LIMIT, true), (0, ROW_LIMIT + 1, false), (7, ROW_LIMIT, true)] {
            let mut writer = Writer { bytes: vec![0; start + long], start, failed: None };
            assert_eq!(writer.end_row().is_ok(), right, "{start} {long}");
        }
    }

    /// No part of a row that was too long remains in the next one.
    #[test]
    fn what_is_forgotten() {
        fn row(writer: &mut Writer) -> Result<usize, Wrong> {
            writer.begin_row(1);
            writer.float(1.5);
            writer.end_row()
        }
        let (long, mut writer) = (vec![0; ROW_LIMIT + 1], Writer::default());
        assert_eq!(row(&mut writer), Ok(11));
        let one = writer.as_bytes().to_vec();
        for end in [Writer::end_row, row] {
            writer.begin_row(2);
            writer.string(0x31, &long);
            assert_eq!(end(&mut writer), Err(TOO_LONG));
            assert_eq!(writer.as_bytes(), one);
        }
        assert_eq!(row(&mut writer), Ok(22));
        assert_eq!(writer.as_bytes(), one.repeat(2));
        writer.string(0x31, &long);
        writer.clear();
        assert_eq!(row(&mut writer), Ok(11));
        assert_eq!(writer.as_bytes(), one);
    }
}
