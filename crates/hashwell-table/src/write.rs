//! Bytes of rows in the making, and what all encodings have in common.

/// Where rows are written. A row that is too long, or for which there is no memory, is remembered as such, written no
/// further, and forgotten when it ends: those before it stay.
///
/// Columns are written by [`Rows`](crate::Rows). Whoever has values of another kind, such as texts, puts them here, and
/// has to keep to `docs/spec/rows.md`: nothing here checks that what was put is a row.
#[derive(Default)]
pub struct Writer {
    pub(crate) bytes: Vec<u8>,
    /// Where the row begins that is written.
    start: usize,
    failed: Option<&'static str>,
}

/// Bytes that a row may have at most: a type may declare lists of things that take no memory.
pub const ROW_LIMIT: usize = 1 << 30;

/// The tag of a row.
pub(crate) const ROW: u8 = 0x60;

const TOO_LONG: Wrong = "the row is longer than 1 GiB";

pub(crate) const NO_MEMORY: Wrong = "not enough memory for the row";

/// Why a value has no encoding.
pub(crate) type Wrong = &'static str;

/// A tag and eight bytes.
#[inline]
pub(crate) fn word(tag: u8, word: [u8; 8]) -> [u8; 9] {
    let mut bytes = [tag; 9];
    bytes[1..].copy_from_slice(&word);
    bytes
}

/// A binary64, of which there is one NaN and one zero.
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

/// A tag and a count or a length, and how many bytes both are: a byte below 255, else 255 and eight bytes.
#[inline]
pub(crate) fn head(tag: u8, len: usize) -> ([u8; 16], usize) {
    let mut bytes = [0; 16];
    (bytes[0], bytes[1]) = (tag, len.min(255) as u8);
    bytes[2..10].copy_from_slice(&(len as u64).to_be_bytes());
    (bytes, if len < 255 { 2 } else { 10 })
}

impl Writer {
    /// All that was written.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Forgets all rows, and what one found no place for.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.start = 0;
        self.failed = None;
    }

    /// Begins a row of so many values.
    #[inline]
    pub fn begin_row(&mut self, values: usize) {
        self.head(ROW, values);
    }

    /// Ends a row, and says where.
    ///
    /// # Errors
    /// If it is longer than [`ROW_LIMIT`], or there was no memory for it: then the row is forgotten.
    pub fn end_row(&mut self) -> Result<usize, Wrong> {
        if let Err(wrong) = self.go_on() {
            // What there is of it would be the beginning of the next row.
            self.bytes.truncate(self.start);
            return Err(wrong);
        }
        self.start = self.bytes.len();
        Ok(self.start)
    }

    /// An error if what was written before found no place.
    #[inline]
    pub(crate) fn go_on(&mut self) -> Result<(), Wrong> {
        // Room that earlier rows left lets a row grow unseen: whether it is too long must not hang on them.
        let long = self.bytes.len() - self.start > ROW_LIMIT;
        match self.failed {
            None if !long => Ok(()),
            _ => Err(self.failed.take().unwrap_or(TOO_LONG)),
        }
    }

    /// Bytes as they are.
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

    /// A count or a length: a byte below 255, else 255 and eight bytes.
    #[inline]
    pub fn len(&mut self, len: usize) {
        let (bytes, end) = head(0, len);
        self.put(&bytes[1..end]);
    }

    /// A tag and the count of items, each of which takes a byte at least.
    pub(crate) fn items(&mut self, tag: u8, count: usize) -> Result<(), Wrong> {
        self.head(tag, count);
        if count > ROW_LIMIT { Err(TOO_LONG) } else { self.go_on() }
    }

    /// A tag and eight bytes.
    #[inline]
    pub fn word(&mut self, tag: u8, bytes: [u8; 8]) {
        self.put(&word(tag, bytes));
    }

    /// A tag, whole seconds and nanoseconds.
    #[inline]
    pub fn instant(&mut self, tag: u8, seconds: i64, nanoseconds: u32) {
        let mut bytes = [tag; 13];
        bytes[1..9].copy_from_slice(&seconds.to_be_bytes());
        bytes[9..].copy_from_slice(&nanoseconds.to_be_bytes());
        self.put(&bytes);
    }

    /// A binary64, of which there is one NaN and one zero.
    #[inline]
    pub fn float(&mut self, number: f64) {
        self.put(&float(number));
    }

    /// A tag and a count or a length.
    #[inline]
    pub fn head(&mut self, tag: u8, len: usize) {
        let (bytes, len) = head(tag, len);
        self.put(&bytes[..len]);
    }

    /// A tag, the length of bytes and the bytes.
    #[inline]
    pub fn string(&mut self, tag: u8, bytes: &[u8]) {
        self.head(tag, bytes.len());
        self.put(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The limit is the same, whether there is room for more or not. Nothing touches the memory.
    #[test]
    fn long_rows() {
        for (start, long, right) in [(0, ROW_LIMIT, true), (0, ROW_LIMIT + 1, false), (7, ROW_LIMIT, true)] {
            let mut writer = Writer { bytes: vec![0; start + long], start, failed: None };
            assert_eq!(writer.end_row().is_ok(), right, "{start} {long}");
        }
    }

    /// No piece of a row that was too long is in the next one.
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
