//! Lists of the chunk values of KT128 that are stored next to the data. They show which part of a
//! large file is damaged. `docs/spec/chunk-list.md` specifies their format.

use crate::api::outboard::{Located, add};
use crate::api::typed::Sha256;
use crate::families::keccak::kangaroo::{Chunks, VALUE};
use crate::internal::error::Error;
use crate::internal::try_alloc;
use alloc::vec::Vec;
use core::ops::Range;

const CHUNK: usize = Chunks::LEN;
/// Magic, version and three reserved bytes.
const MAGIC: [u8; 8] = *b"HWCL\x01\0\0\0";
/// The length of the fields before the values: magic, message length and digest.
const HEADER: usize = 8 + 8 + VALUE;
/// The length of the check value at the end.
const CHECK: usize = 8;
/// An exclusive upper bound on message lengths in bytes. Saved states have the same bound.
const MOST: u64 = 1 << 61;

/// A list of the chaining values that KT128 computes for the chunks of a message. Store it next to the message.
///
/// The message is divided into chunks of 8 KiB, as RFC 9861 specifies. The digest is the ordinary 32-byte KT128 digest
/// of the message, without a customization string. Unlike an [`Outboard`](crate::Outboard), the list is flat: to verify
/// a part of the message, you need the whole list and the first chunk.
///
/// RFC 9861 defines no chaining value for the first chunk. The list contains a value that is computed in the same way,
/// but the digest does not authenticate this value. See [`Located::is_unproven`] for the consequence.
///
/// ```
/// use hashwell::{ChunkListWriter, ChunkLocator};
/// let mut message = vec![7; 100_000];
/// let mut writer = ChunkListWriter::new()?;
/// writer.update(&message)?;
/// let list = writer.finish()?;
///
/// message[50_000] ^= 1;
/// let mut locator = ChunkLocator::new(&list, list.digest())?;
/// locator.update(&message)?;
/// assert_eq!(locator.finish()?.damaged, [49_152..57_344]);
/// # Ok::<(), hashwell::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkList {
    len: u64,
    digest: [u8; VALUE],
    /// The values of all chunks, the first chunk included.
    values: Vec<u8>,
    is_consistent: bool,
}

/// Returns the number of chunks of S, the message with a zero byte after it.
fn chunks(len: u64) -> u64 {
    len / CHUNK as u64 + 1
}

/// Returns the first `N` bytes. There must be at least `N`.
fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    *bytes.first_chunk().expect("enough bytes")
}

fn check_value(bytes: &[u8]) -> [u8; CHECK] {
    array(&Sha256::digest(bytes))
}

impl ChunkList {
    /// The length of a chunk in bytes.
    pub const CHUNK: usize = CHUNK;

    /// Reads a list from the bytes that [`ChunkList::to_bytes`] wrote.
    ///
    /// # Errors
    /// Returns [`Error::BadState`] if the bytes are not a list, or if the number of bytes does not match the message
    /// length in the list. Damaged values are not an error here. [`ChunkLocator`] reports them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let bad = |what| Err(Error::BadState { what });
        let Some((header, rest)) = bytes.split_first_chunk::<HEADER>() else {
            return bad("a list of chunk values has at least 88 bytes");
        };
        let (magic, header) = header.split_at(MAGIC.len());
        if magic != MAGIC {
            return bad("the first 8 bytes are not those of a list of chunk values, version 1");
        }
        let (len, digest) = header.split_at(8);
        let len = u64::from_le_bytes(array(len));
        let expected = (len < MOST).then(|| chunks(len) * VALUE as u64 + CHECK as u64);
        if expected != Some(rest.len() as u64) {
            return bad("the number of chunk values does not fit the message length");
        }
        let (values, check) = rest.split_at(rest.len() - CHECK);
        Ok(Self {
            len,
            digest: array(digest),
            values: try_alloc::copy(values)?.into_vec(),
            is_consistent: check == check_value(&bytes[..bytes.len() - CHECK]),
        })
    }

    /// Encodes the list as bytes, so that you can store it.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`] if an allocation fails.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = try_alloc::list(HEADER + self.values.len() + CHECK)?;
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&self.len.to_le_bytes());
        bytes.extend_from_slice(&self.digest);
        bytes.extend_from_slice(&self.values);
        let check = check_value(&bytes);
        bytes.extend_from_slice(&check);
        Ok(bytes)
    }

    /// Returns the length of the message in bytes, as stored in the list.
    #[must_use]
    pub fn message_len(&self) -> u64 {
        self.len
    }

    /// Returns the KT128 digest of the message, as stored in the list.
    #[must_use]
    pub fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// Returns true if the check value in the stored list is correct. A wrong check value reveals accidental damage. An
    /// attacker who changes the list can also compute a correct check value.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        self.is_consistent
    }

    /// Returns the value of a chunk, which must exist.
    fn value(&self, index: usize) -> &[u8] {
        &self.values[index * VALUE..][..VALUE]
    }
}

/// The values of the chunks of a message that is appended in pieces.
struct Values {
    chunks: Chunks,
    /// The first chunk, or the part of it that has arrived.
    first: Vec<u8>,
    values: Vec<u8>,
    /// The current chunk, which is not full.
    waiting: Vec<u8>,
    len: u64,
}

impl Values {
    fn new() -> Result<Self, Error> {
        Ok(Self {
            chunks: Chunks::new()?,
            first: try_alloc::list(CHUNK)?,
            values: Vec::new(),
            waiting: try_alloc::list(CHUNK)?,
            len: 0,
        })
    }

    fn whole(&mut self, data: &[u8]) -> Result<(), Error> {
        let at = self.values.len();
        let len = data.len() / CHUNK * VALUE;
        self.values.try_reserve(len).map_err(|_| Error::OutOfMemory)?;
        self.values.resize(at + len, 0);
        self.chunks.whole(data, &mut self.values[at..]);
        Ok(())
    }

    fn update(&mut self, mut data: &[u8]) -> Result<(), Error> {
        self.len += data.len() as u64;
        let first = data.len().min(CHUNK - self.first.len());
        self.first.extend_from_slice(&data[..first]);
        while !data.is_empty() {
            let whole = if self.waiting.is_empty() { data.len() / CHUNK * CHUNK } else { 0 };
            let (now, rest) = data.split_at(whole);
            self.whole(now)?;
            let (head, rest) = rest.split_at(rest.len().min(CHUNK - self.waiting.len()));
            self.waiting.extend_from_slice(head);
            if self.waiting.len() == CHUNK {
                let full = core::mem::take(&mut self.waiting);
                self.whole(&full)?;
                self.waiting = full;
                self.waiting.clear();
            }
            data = rest;
        }
        Ok(())
    }

    /// A copy, which can be continued separately.
    fn copy(&self) -> Result<Self, Error> {
        let mut copy = Self::new()?;
        copy.first.extend_from_slice(&self.first);
        copy.waiting.extend_from_slice(&self.waiting);
        copy.values.try_reserve_exact(self.values.len()).map_err(|_| Error::OutOfMemory)?;
        copy.values.extend_from_slice(&self.values);
        copy.len = self.len;
        Ok(copy)
    }

    /// The digest of the message.
    fn digest(mut self) -> Result<[u8; 32], Error> {
        self.end()?;
        Ok(self.chunks.digest(&self.first, &self.values))
    }

    /// Adds the value of the last chunk, after which the message can't grow.
    fn end(&mut self) -> Result<(), Error> {
        self.values.try_reserve(VALUE).map_err(|_| Error::OutOfMemory)?;
        self.values.extend_from_slice(&self.chunks.last(&self.waiting));
        Ok(())
    }
}

/// Computes the [`ChunkList`] of a message in one pass.
pub struct ChunkListWriter(Values);

impl ChunkListWriter {
    /// Starts a message.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`] if an allocation fails.
    pub fn new() -> Result<Self, Error> {
        Values::new().map(Self)
    }

    /// Appends bytes to the message. This is fastest if each call appends at least 256 KiB.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`] if an allocation fails. The writer keeps 32 bytes for each
    /// chunk.
    pub fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.0.update(data)
    }

    /// Ends the message and returns its list, which contains the digest.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`] if an allocation fails.
    pub fn finish(mut self) -> Result<ChunkList, Error> {
        self.0.end()?;
        let Values { chunks, first, values, len, .. } = self.0;
        let digest = chunks.digest(&first, &values);
        Ok(ChunkList { len, digest, values, is_consistent: true })
    }
}

/// Compares a message with its [`ChunkList`] in one pass, and finds the damaged ranges of the message.
pub struct ChunkLocator<'a> {
    list: &'a ChunkList,
    digest: [u8; VALUE],
    /// The values of the message, up to the length in the list.
    values: Values,
    /// The values of the whole message, if it is longer than that.
    longer: Option<Values>,
    /// The number of bytes so far, including extra bytes after the end.
    len: u64,
}

impl<'a> ChunkLocator<'a> {
    /// Starts the comparison of a message with its list.
    ///
    /// The result is only as trustworthy as the digest. Get the digest from a place where an
    /// attacker cannot change it together with the message.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`] if an allocation fails.
    pub fn new(list: &'a ChunkList, digest: &[u8; 32]) -> Result<Self, Error> {
        Ok(Self { list, digest: *digest, values: Values::new()?, longer: None, len: 0 })
    }

    /// Appends bytes to the message. This is fastest if each call appends at least 256 KiB.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`] if an allocation fails.
    pub fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        let room = self.list.len - self.values.len;
        let taken = data.len().min(usize::try_from(room).unwrap_or(usize::MAX));
        self.len += data.len() as u64;
        let (taken, more) = data.split_at(taken);
        self.values.update(taken)?;
        if more.is_empty() {
            return Ok(());
        }
        let longer = match &mut self.longer {
            Some(longer) => longer,
            none => none.insert(self.values.copy()?),
        };
        longer.update(more)
    }

    /// Ends the message and compares it with the list. The result distinguishes damage to the list from damage to the
    /// message. If this is impossible, [`Located::unknown`] contains the whole message.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`] if an allocation fails.
    pub fn finish(self) -> Result<Located, Error> {
        let Self { list, digest, mut values, longer, len } = self;
        // If the length in the list is damaged, only the whole message has the digest.
        let whole = if len < list.len { Some(values.copy()?) } else { longer };
        if let Some(whole) = whole
            && whole.digest()? == digest
        {
            return Ok(Located { bad_nodes: 1, ..Located::default() });
        }
        let is_complete = values.len == list.len;
        if is_complete {
            values.end()?;
        }
        let count = chunks(list.len) as usize;
        let is_equal =
            |index: usize| values.values.get(index * VALUE..(index + 1) * VALUE) == Some(list.value(index));
        let mut located = Located::default();
        if is_complete && values.chunks.digest(&values.first, &values.values) == digest {
            located.bad_nodes = (0..count).filter(|index| !is_equal(*index)).count() as u64;
            // The digest, the length or the check value can be damaged too.
            if located.bad_nodes == 0 && (list.digest != digest || !list.is_consistent) {
                located.bad_nodes = 1;
            }
        } else if count == 1 {
            // The whole message is one chunk, so the list isn't needed.
            add(&mut located.damaged, 0..list.len)?;
        } else {
            let has_first = values.first.len() == CHUNK;
            // If the digest computed from the first chunk and the list is correct, both are authentic.
            let is_proven = has_first && values.chunks.digest(&values.first, &list.values) == digest;
            let is_usable = is_proven || (list.is_consistent && list.digest == digest);
            let from = usize::from(is_proven);
            let wrong = |index: &usize| !is_equal(*index);
            if !is_usable || (from..count).find(wrong).is_none() {
                let whole = 0..list.len;
                located.bad_nodes = 1;
                add(&mut located.unknown, whole)?;
            } else {
                for index in (from..count).filter(wrong) {
                    add_chunk(&mut located.damaged, index as u64, list.len)?;
                }
                located.bad_nodes = u64::from(is_proven && !is_equal(0));
                located.is_unproven = !is_proven;
            }
        }
        if len > list.len {
            add(&mut located.damaged, list.len..len)?;
        }
        Ok(located)
    }
}

/// Adds the bytes of a chunk. If the message ends at a chunk boundary, the last chunk of S contains no message bytes,
/// so damage in that chunk is reported at the end of the message.
fn add_chunk(ranges: &mut Vec<Range<u64>>, index: u64, len: u64) -> Result<(), Error> {
    let start = index * CHUNK as u64;
    let end = (start + CHUNK as u64).min(len);
    if start == end && !ranges.is_empty() {
        return Ok(());
    }
    add(ranges, start..end)
}
