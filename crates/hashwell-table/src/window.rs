//! Fixed-size buffers for several short rows, so that columns can be written one after another.

/// The capacity of a place in bytes. Beyond four SHA-256 blocks, hashing takes so long that the way of writing rows
/// does not matter.
const ROOM: usize = 184;

/// The number of bytes copied at once, independent of the length of a string: a copy of unknown length is a
/// function call, which costs more.
const AT_ONCE: usize = 16;

/// A row that is being written.
///
/// Its size is three cache lines: an odd number, so that the first lines of all places are spread over all sets of a
/// cache.
#[derive(Clone)]
pub(crate) struct Place {
    /// The length of the row; above `ROOM` if it did not fit.
    len: usize,
    bytes: [u8; ROOM],
}

impl Place {
    pub(crate) const EMPTY: Self = Self { len: 0, bytes: [0; ROOM] };

    /// Begins a row with the first `len` of these bytes.
    #[inline(always)]
    pub(crate) fn begin(&mut self, head: &[u8], len: usize) {
        self.len = 0;
        self.put_first(head, len);
    }

    /// Appends bytes, if they fit.
    #[inline(always)]
    pub(crate) fn put(&mut self, bytes: &[u8]) {
        let room = self.bytes.get_mut(self.len..).and_then(|room| room.get_mut(..bytes.len()));
        match room {
            Some(room) => {
                room.copy_from_slice(bytes);
                self.len += bytes.len();
            }
            None => self.len = ROOM + 1,
        }
    }

    /// Like [`Place::put`], for the first `len` bytes of `from`.
    #[inline(always)]
    pub(crate) fn put_first(&mut self, from: &[u8], len: usize) {
        let room = self.bytes.get_mut(self.len..).and_then(<[u8]>::first_chunk_mut::<AT_ONCE>);
        match (room, from.first_chunk::<AT_ONCE>()) {
            // Excess bytes are overwritten later, or cut off at the end.
            (Some(room), Some(from)) if len <= AT_ONCE => {
                *room = *from;
                self.len += len;
            }
            _ => self.put(&from[..len]),
        }
    }

    /// The row, if it fit.
    #[inline]
    pub(crate) fn row(&self) -> Option<&[u8]> {
        self.bytes.get(..self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row that did not fit is never returned, regardless of the bytes that are written after it.
    #[test]
    fn room() {
        let mut place = Place::EMPTY;
        place.begin(&[7; ROOM - 1], ROOM - 1);
        place.put_first(&[8; 20], 1);
        assert_eq!(place.row().map(|row| (row.len(), row[ROOM - 1])), Some((ROOM, 8)));
        for more in [&b"x"[..], b"", b"y"] {
            place.put(more);
        }
        assert_eq!(place.row(), None);
        place.begin(b"abc", 2);
        place.put_first(b"0123456789abcdefgh", 3);
        place.put_first(b"0123456789abcdefgh", 17);
        place.put_first(b"z", 1);
        assert_eq!(place.row(), Some(&b"ab0120123456789abcdefgz"[..]));
    }
}
