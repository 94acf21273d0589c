//! Slices of BLAKE3 messages in the format of Bao: a range of bytes together with the nodes that
//! prove that the range belongs to a digest.

use crate::api::outboard::{LENGTH, PAIR, check_group, groups, left_of, pair};
use crate::families::blake3::subtrees::{Value, group, only, parent};
use crate::internal::error::Error;
use crate::internal::try_alloc;
use alloc::vec::Vec;
use core::ops::Range;

/// The maximum number of subtrees that wait to be visited: at most one for each level of the tree,
/// whose height is at most 54, and the current one.
const PENDING: usize = 56;

/// A part of a slice: a range of bytes to copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SlicePart {
    /// A range of the bytes that [`Outboard::to_bytes`](crate::Outboard::to_bytes) returns: the message length or a
    /// node.
    Outboard(Range<u64>),
    /// A range of the bytes of the message: a group.
    Message(Range<u64>),
}

/// The tree of a message, and the groups that a slice contains.
struct Selection {
    len: u64,
    group: u64,
    /// The number of groups of the message.
    groups: u64,
    /// The groups of the slice.
    wanted: Range<u64>,
}

impl Selection {
    /// Selects the groups that contain `count` bytes from `start`. As in Bao, at least one group is selected. If the
    /// range is after the end of the message, the last group is selected, because it proves the length.
    fn new(len: u64, group: u64, start: u64, count: u64) -> Self {
        let groups = groups(len, group);
        let first = (start / group).min(groups - 1);
        let end = start.saturating_add(count.max(1)).div_ceil(group).clamp(first + 1, groups);
        let first = if start < len { first } else { groups - 1 };
        Self { len, group, groups, wanted: first..end.max(first + 1) }
    }

    /// Returns true if the slice contains this subtree or a part of it.
    fn has(&self, range: &Range<u64>) -> bool {
        range.start < self.wanted.end && self.wanted.start < range.end
    }

    /// Returns the bytes of these groups.
    fn bytes(&self, range: &Range<u64>) -> Range<u64> {
        let end = range.end.saturating_mul(self.group).min(self.len);
        range.start * self.group..end
    }
}

/// Divides a subtree of at least two groups into its left and its right subtree.
fn halves(range: &Range<u64>) -> (Range<u64>, Range<u64>) {
    let middle = range.start + left_of(range.end - range.start);
    (range.start..middle, middle..range.end)
}

/// Returns true if the subtree is a single group.
fn is_leaf(range: &Range<u64>) -> bool {
    range.end - range.start == 1
}

/// An iterator over the parts of a slice, in order. Each part is a range of bytes to copy, from the message or from its
/// [`Outboard`](crate::Outboard).
///
/// With groups of 1 KiB, the slice is the same as that of `SliceExtractor` in the crate `bao`. With larger groups, the
/// slice contains whole groups and no nodes below them. It then consists of the message length as 8 bytes and the
/// encoding of the crate `bao-tree` for the same groups.
///
/// The iterator reads nothing itself, and its memory is logarithmic in the message length. The
/// parts are not verified: pass them to a [`SliceDecoder`] to detect a damaged message or outboard.
///
/// ```
/// use hashwell::{OutboardWriter, SliceDecoder, SlicePart, SliceParts};
/// let message = vec![7; 100_000];
/// let mut writer = OutboardWriter::new(1024)?;
/// writer.update(&message)?;
/// let (outboard, digest) = writer.finish()?;
/// let outboard = outboard.to_bytes()?;
///
/// let mut slice = Vec::new();
/// for part in SliceParts::new(message.len() as u64, 1024, 50_000, 100)? {
///     let (source, range) = match &part {
///         SlicePart::Outboard(range) => (&outboard, range),
///         SlicePart::Message(range) => (&message, range),
///     };
///     slice.extend_from_slice(&source[range.start as usize..range.end as usize]);
/// }
///
/// // Verify the slice with the digest only.
/// let mut decoder = SliceDecoder::new(&digest, 1024, 50_000, 100)?;
/// let (mut input, mut verified) = (&slice[..], Vec::new());
/// while let Some(bytes) = decoder.decode(&mut input)? {
///     verified.extend_from_slice(bytes);
/// }
/// decoder.finish()?;
/// assert_eq!(verified, [7; 100]);
/// # Ok::<(), hashwell::Error>(())
/// ```
pub struct SliceParts {
    selection: Selection,
    /// True if the message length comes next.
    at_start: bool,
    /// The subtrees to visit, the next one last. Each one has the position of its first node and the range of its
    /// groups.
    pending: Vec<(u64, Range<u64>)>,
}

impl SliceParts {
    /// Selects `count` bytes of a message, from the byte at `start` on. The message has `message_len` bytes, and its
    /// outboard has groups of `group` bytes.
    ///
    /// A range that reaches past the end of the message includes the last group, which proves the
    /// message length. If `count` is 0, it is treated as 1.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if `group` is not a power of two from 1 KiB to 64 MiB, and
    /// [`Error::OutOfMemory`] if an allocation fails.
    pub fn new(message_len: u64, group: usize, start: u64, count: u64) -> Result<Self, Error> {
        check_group(group)?;
        let selection = Selection::new(message_len, group as u64, start, count);
        let mut pending = try_alloc::list(PENDING)?;
        pending.push((0, 0..selection.groups));
        Ok(Self { selection, at_start: true, pending })
    }
}

impl Iterator for SliceParts {
    type Item = SlicePart;

    fn next(&mut self) -> Option<SlicePart> {
        const LEN: u64 = LENGTH as u64;
        const NODE: u64 = PAIR as u64;
        if core::mem::take(&mut self.at_start) {
            return Some(SlicePart::Outboard(0..LEN));
        }
        let (at, range) = self.pending.pop()?;
        if is_leaf(&range) {
            return Some(SlicePart::Message(self.selection.bytes(&range)));
        }
        let (left, right) = halves(&range);
        let right = (at + (left.end - left.start), right);
        for (at, range) in [right, (at + 1, left)] {
            if self.selection.has(&range) {
                self.pending.push((at, range));
            }
        }
        // The position is far below 2^64 for every message that exists. If a larger length is declared, only the
        // caller's read fails.
        let from = at.saturating_mul(NODE).saturating_add(LEN);
        Some(SlicePart::Outboard(from..from.saturating_add(NODE)))
    }
}

/// A subtree whose value its parent has authenticated.
struct Expected {
    value: Value,
    range: Range<u64>,
}

/// Verifies a slice while it arrives, and returns only verified bytes.
///
/// The decoder accepts the slices of [`SliceParts`] and, with groups of 1 KiB, those of the crate `bao`. It stops at
/// the first node or group that does not match the digest. It needs memory for one group and at most 56 chaining
/// values, regardless of the message length that the slice declares.
///
/// For an example, see [`SliceParts`].
pub struct SliceDecoder {
    digest: Value,
    group: usize,
    start: u64,
    count: u64,
    /// Present as soon as the message length is known.
    selection: Option<Selection>,
    /// The subtrees to visit, the next one last.
    pending: Vec<Expected>,
    /// The bytes of the current part.
    waiting: Vec<u8>,
    /// True if the current part was verified, so that its bytes can be dropped.
    is_done: bool,
    /// The number of slice bytes before the current part.
    at: u64,
    proven: bool,
    failure: Option<Error>,
}

impl SliceDecoder {
    /// Makes a decoder for a slice that was made with the same `group`, `start` and `count`. `digest` is the BLAKE3
    /// digest of the whole message.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if `group` is not a power of two from 1 KiB to 64 MiB, and
    /// [`Error::OutOfMemory`] if an allocation fails.
    pub fn new(digest: &[u8; 32], group: usize, start: u64, count: u64) -> Result<Self, Error> {
        check_group(group)?;
        Ok(Self {
            digest: *digest,
            group,
            start,
            count,
            selection: None,
            pending: try_alloc::list(PENDING)?,
            waiting: Vec::new(),
            is_done: false,
            at: 0,
            proven: false,
            failure: None,
        })
    }

    /// Takes bytes of the slice from the front of `input`, and returns the next verified bytes of the message. Call
    /// this method until it returns `None`. Then either `input` is empty and the decoder needs more bytes, or the slice
    /// is complete.
    ///
    /// Bytes after the end of the slice are left in `input`.
    ///
    /// # Errors
    /// Returns [`Error::WrongSlice`] if a node or a group does not match the digest. All later calls
    /// return the same error. Returns [`Error::OutOfMemory`] if an allocation fails.
    pub fn decode(&mut self, input: &mut &[u8]) -> Result<Option<&[u8]>, Error> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        match self.advance(input) {
            Ok(Some(range)) => Ok(Some(&self.waiting[range])),
            Ok(None) => Ok(None),
            Err(error) => {
                self.pending.clear();
                self.failure = Some(error.clone());
                Err(error)
            }
        }
    }

    /// Verifies parts until one has bytes to return. Returns their range in `waiting`.
    fn advance(&mut self, input: &mut &[u8]) -> Result<Option<Range<usize>>, Error> {
        loop {
            if core::mem::take(&mut self.is_done) {
                self.at += self.waiting.len() as u64;
                self.waiting.clear();
            }
            let Some(needed) = self.part_len() else { return Ok(None) };
            let (head, rest) = input.split_at(input.len().min(needed - self.waiting.len()));
            self.waiting.try_reserve(head.len()).map_err(|_| Error::OutOfMemory)?;
            self.waiting.extend_from_slice(head);
            *input = rest;
            if self.waiting.len() < needed {
                return Ok(None);
            }
            self.is_done = true;
            if let Some(range) = self.verify()?.filter(|range| !range.is_empty()) {
                return Ok(Some(range));
            }
        }
    }

    /// Returns the length of the current part, or `None` after the last part.
    fn part_len(&self) -> Option<usize> {
        let Some(selection) = &self.selection else { return Some(LENGTH) };
        let next = self.pending.last()?;
        if !is_leaf(&next.range) {
            return Some(PAIR);
        }
        let bytes = selection.bytes(&next.range);
        Some((bytes.end - bytes.start) as usize)
    }

    /// Verifies the current part. For a group, returns the range of the requested bytes in it.
    fn verify(&mut self) -> Result<Option<Range<usize>>, Error> {
        let Some(selection) = &self.selection else {
            let len = u64::from_le_bytes(*self.waiting.first_chunk().expect("8 bytes"));
            let selection = Selection::new(len, self.group as u64, self.start, self.count);
            self.pending.push(Expected { value: self.digest, range: 0..selection.groups });
            self.selection = Some(selection);
            return Ok(None);
        };
        let Some(Expected { value, range }) = self.pending.pop() else { return Ok(None) };
        let is_root = range == (0..selection.groups);
        if !is_leaf(&range) {
            let (left_value, right_value) = pair(&self.waiting);
            if parent(left_value, right_value, is_root) != value {
                return Err(Error::WrongSlice { what: "a node does not match the digest", at: self.at });
            }
            let (left, right) = halves(&range);
            for (value, range) in [(*right_value, right), (*left_value, left)] {
                if selection.has(&range) {
                    self.pending.push(Expected { value, range });
                }
            }
            return Ok(None);
        }
        let bytes = selection.bytes(&range);
        let found = if is_root { only(&self.waiting) } else { group(bytes.start, &self.waiting) };
        if found != value {
            return Err(Error::WrongSlice { what: "data does not match the digest", at: self.at });
        }
        self.proven |= range.end == selection.groups;
        let end = self.start.saturating_add(self.count).clamp(bytes.start, bytes.end);
        let start = self.start.clamp(bytes.start, end);
        Ok(Some((start - bytes.start) as usize..(end - bytes.start) as usize))
    }

    /// Returns true if the slice is complete and verified.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.selection.is_some() && self.pending.is_empty() && self.failure.is_none()
    }

    /// Ends the slice, and returns the message length if the slice proves it. A slice proves the length if it contains
    /// the last group of the message, for example because it reaches past the end.
    ///
    /// # Errors
    /// Returns [`Error::WrongSlice`] if the slice is wrong or incomplete.
    pub fn finish(self) -> Result<Option<u64>, Error> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        if !self.is_complete() {
            let at = self.at + self.waiting.len() as u64;
            return Err(Error::WrongSlice { what: "it is truncated", at });
        }
        Ok(self.selection.filter(|_| self.proven).map(|selection| selection.len))
    }
}
