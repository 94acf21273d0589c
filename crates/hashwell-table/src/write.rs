//! Bytes of rows in the making, and what all encodings have in common.

/// Where rows are written. A row that is too long, or for which there is no memory, is remembered as such and written no
/// further.
#[derive(Default)]
pub(crate) struct Writer {
    pub(crate) bytes: Vec<u8>,
    /// Where the row begins that is written.
    start: usize,
    failed: Option<&'static str>,
}

/// Bytes that a row may have at most: a type may declare lists of things that take no memory.
pub const ROW_LIMIT: usize = 1 << 30;

const TOO_LONG: Wrong = "the row is longer than 1 GiB";

/// Why a value has no encoding.
pub(crate) type Wrong = &'static str;

impl Writer {
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.start = 0;
    }

    /// Ends a row, and says where.
    pub(crate) fn end_row(&mut self) -> Result<usize, Wrong> {
        self.go_on()?;
        self.start = self.bytes.len();
        Ok(self.start)
    }

    /// An error if what was written before found no place.
    pub(crate) fn go_on(&mut self) -> Result<(), Wrong> {
        self.failed.take().map_or(Ok(()), Err)
    }

    #[inline]
    pub(crate) fn put(&mut self, bytes: &[u8]) {
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
            self.failed = Some("there is no memory for the row");
        }
        self.failed.is_none()
    }

    /// A count or a length: a byte below 255, else 255 and eight bytes.
    #[inline]
    pub(crate) fn len(&mut self, len: usize) {
        match u8::try_from(len) {
            Ok(byte) if byte < 255 => self.put(&[byte]),
            _ => {
                self.put(&[255]);
                self.put(&(len as u64).to_be_bytes());
            }
        }
    }

    /// A tag and the count of items, each of which takes a byte at least.
    pub(crate) fn items(&mut self, tag: u8, count: usize) -> Result<(), Wrong> {
        self.put(&[tag]);
        self.len(count);
        if count > ROW_LIMIT { Err(TOO_LONG) } else { self.go_on() }
    }

    /// A tag and eight bytes.
    #[inline]
    pub(crate) fn word(&mut self, tag: u8, word: [u8; 8]) {
        let mut bytes = [tag; 9];
        bytes[1..].copy_from_slice(&word);
        self.put(&bytes);
    }

    /// A tag, whole seconds and nanoseconds.
    #[inline]
    pub(crate) fn instant(&mut self, tag: u8, seconds: i64, nanoseconds: u32) {
        let mut bytes = [tag; 13];
        bytes[1..9].copy_from_slice(&seconds.to_be_bytes());
        bytes[9..].copy_from_slice(&nanoseconds.to_be_bytes());
        self.put(&bytes);
    }

    /// A tag, the length of bytes and the bytes.
    #[inline]
    pub(crate) fn string(&mut self, tag: u8, bytes: &[u8]) {
        let short = bytes.len() as u8;
        if bytes.len() < 255 {
            self.put(&[tag, short]);
        } else {
            self.put(&[tag]);
            self.len(bytes.len());
        }
        self.put(bytes);
    }
}
