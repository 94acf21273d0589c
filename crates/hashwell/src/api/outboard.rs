//! BLAKE3 hash trees that are stored next to the data, in the pre-order layout of Bao. They show
//! which part of a large file is damaged.

use crate::families::blake3::subtrees::{CHUNK, Value, group, only, parent};
use crate::internal::error::Error;
use crate::internal::try_alloc;
use alloc::vec::Vec;
use core::ops::Range;

/// The length of the two values of a node in bytes.
pub(crate) const PAIR: usize = 64;
/// The length of the message length before the nodes, in bytes.
pub(crate) const LENGTH: usize = 8;
/// The maximum group size. Larger groups would locate damage too imprecisely.
const LARGEST: usize = 64 << 20;

const UNFIT: &str = "no group size fits the outboard's size and message length";

/// The BLAKE3 hash tree of a message, to be stored next to the message. Each leaf of the tree is a group of consecutive
/// bytes of the message.
///
/// The format is that of Bao: the length of the message as 8 bytes, little-endian, then the nodes in pre-order. Each
/// node consists of the chaining values of its left and its right subtree. With groups of 1 KiB, the bytes are the same
/// as those of the crate `bao`. With groups of 16 KiB and without the length, they are the same as the `.obao4` file of
/// iroh. The digest is the ordinary BLAKE3 digest of the message.
///
/// ```
/// use hashwell::{Outboard, OutboardWriter, Locator};
/// let mut message = vec![7; 100_000];
/// let mut writer = OutboardWriter::new(Outboard::DEFAULT_GROUP)?;
/// writer.update(&message)?;
/// let (outboard, digest) = writer.finish()?;
///
/// message[50_000] ^= 1;
/// let mut locator = Locator::new(&outboard, &digest)?;
/// locator.update(&message)?;
/// assert_eq!(locator.finish()?.damaged, [49_152..65_536]);
/// # Ok::<(), hashwell::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outboard {
    group: usize,
    len: u64,
    /// The nodes in pre-order.
    nodes: Vec<u8>,
}

impl Outboard {
    /// The recommended group size: 16 KiB. The size of the tree is then 0.39 % of the size of the
    /// message.
    pub const DEFAULT_GROUP: usize = 16 << 10;

    /// Reads an outboard from the bytes that [`Outboard::to_bytes`] or the crate `bao` wrote. The group size is
    /// computed from the number of bytes and from the message length, which is in the first 8 bytes.
    ///
    /// # Errors
    /// Returns [`Error::BadState`] if no group size gives this number of bytes. Damaged values are not an error here.
    /// [`Locator`] reports them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let bad = Error::BadState { what: UNFIT };
        let Some((length, nodes)) = bytes.split_first_chunk::<LENGTH>() else { return Err(bad) };
        let len = u64::from_le_bytes(*length);
        let group = Self::group_of(bytes.len() as u64, len)?;
        Ok(Self { group, len, nodes: try_alloc::copy(nodes)?.into_vec() })
    }

    /// Computes the group size from the length of the message and the length of its outboard, which includes the
    /// 8 bytes of the message length. If you know the group size, you can use parts of an outboard without reading all
    /// of it.
    ///
    /// # Errors
    /// Returns [`Error::BadState`] if no group size gives this number of bytes.
    pub fn group_of(outboard_len: u64, message_len: u64) -> Result<usize, Error> {
        let mut sizes = core::iter::successors(Some(CHUNK), |size| Some(2 * size));
        // A message of one group has no nodes, so every group size of at least its length fits. The
        // default size is tried first.
        let nodes = outboard_len.checked_sub(LENGTH as u64);
        let fits = |group: &usize| {
            let count = groups(message_len, *group as u64) - 1;
            nodes.is_some() && count.checked_mul(PAIR as u64) == nodes
        };
        let found = Some(Self::DEFAULT_GROUP)
            .filter(fits)
            .or_else(|| sizes.by_ref().take_while(|size| *size <= LARGEST).find(fits));
        found.ok_or(Error::BadState { what: UNFIT })
    }

    /// Encodes the outboard as bytes, so that you can store it: the message length, then the nodes.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`] if an allocation fails.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = try_alloc::list(LENGTH + self.nodes.len())?;
        bytes.extend_from_slice(&self.len.to_le_bytes());
        bytes.extend_from_slice(&self.nodes);
        Ok(bytes)
    }

    /// Returns the length of the message in bytes, as stored in the outboard. The length is proven only after the last
    /// group has been verified.
    #[must_use]
    pub fn message_len(&self) -> u64 {
        self.len
    }

    /// Returns the group size in bytes.
    #[must_use]
    pub fn group(&self) -> usize {
        self.group
    }

    /// Returns the nodes without the message length. With groups of 16 KiB, these are the bytes of
    /// iroh's `.obao4` file.
    #[must_use]
    pub fn nodes(&self) -> &[u8] {
        &self.nodes
    }

    /// Returns the digest computed from the first node, or `None` if the message is a single group.
    #[must_use]
    pub fn digest(&self) -> Option<[u8; 32]> {
        self.nodes.first_chunk().map(Self::root_of)
    }

    /// Computes the digest of a message from the first node of its outboard. The message must have at least two groups.
    #[must_use]
    pub fn root_of(first_node: &[u8; 64]) -> [u8; 32] {
        let (left, right) = pair(first_node);
        parent(left, right, true)
    }
}

/// Returns the two values of a node.
pub(crate) fn pair(node: &[u8]) -> (&Value, &Value) {
    let (left, right) = node.split_at(PAIR / 2);
    (left.first_chunk().expect("32 bytes"), right.first_chunk().expect("32 bytes"))
}

/// Returns the number of groups. An empty message has one group.
pub(crate) fn groups(len: u64, group: u64) -> u64 {
    len.div_ceil(group).max(1)
}

/// Returns the number of groups in the left subtree. `groups` is at least 2.
pub(crate) fn left_of(groups: u64) -> u64 {
    1 << (groups - 1).ilog2()
}

pub(crate) fn check_group(group: usize) -> Result<(), Error> {
    let fits = group.is_power_of_two() && (CHUNK..=LARGEST).contains(&group);
    let out_of_range = Error::OutOfRange {
        algorithm: "blake3",
        what: "group size, a power of two,",
        unit: "bytes",
        min: CHUNK as u64,
        max: LARGEST as u64,
        got: group as u64,
    };
    fits.then_some(()).ok_or(out_of_range)
}

/// The values of the groups of a message that is appended in pieces.
struct Groups {
    group: usize,
    values: Vec<Value>,
    len: u64,
    /// The current group. A full group is hashed only when the next byte arrives, because a group that is the whole
    /// message has a digest instead of a value.
    waiting: Vec<u8>,
}

impl Groups {
    fn new(group: usize) -> Result<Self, Error> {
        check_group(group)?;
        Ok(Self { group, values: Vec::new(), len: 0, waiting: try_alloc::list(group)? })
    }

    fn push(&mut self, value: Value) -> Result<(), Error> {
        self.values.try_reserve(1).map_err(|_| Error::OutOfMemory)?;
        self.values.push(value);
        Ok(())
    }

    fn offset(&self) -> u64 {
        self.values.len() as u64 * self.group as u64
    }

    fn update(&mut self, mut data: &[u8]) -> Result<(), Error> {
        self.len += data.len() as u64;
        while !data.is_empty() {
            if self.waiting.len() == self.group {
                self.push(group(self.offset(), &self.waiting))?;
                self.waiting.clear();
            }
            let whole = if self.waiting.is_empty() { (data.len() - 1) / self.group } else { 0 };
            let (now, rest) = data.split_at(whole * self.group);
            for data in now.chunks_exact(self.group) {
                self.push(group(self.offset(), data))?;
            }
            let (head, rest) = rest.split_at(rest.len().min(self.group - self.waiting.len()));
            self.waiting.extend_from_slice(head);
            data = rest;
        }
        Ok(())
    }

    /// A copy, which can be continued separately.
    fn copy(&self) -> Result<Self, Error> {
        let mut values = try_alloc::list(self.values.len())?;
        values.extend_from_slice(&self.values);
        let mut waiting = try_alloc::list(self.group)?;
        waiting.extend_from_slice(&self.waiting);
        Ok(Self { group: self.group, values, len: self.len, waiting })
    }

    /// The digest of the message.
    fn digest(self) -> Result<Option<Value>, Error> {
        let count = groups(self.len, self.group as u64) as usize;
        let values = self.finish(count == 1)?;
        let mut computed = try_alloc::list(count - 1)?;
        Ok(compute(&values, 0..count, true, &mut computed))
    }

    /// Returns the values of all groups, or the digest if the message is a single group.
    fn finish(mut self, single: bool) -> Result<Vec<Value>, Error> {
        if single {
            self.push(only(&self.waiting))?;
        } else if !self.waiting.is_empty() {
            self.push(group(self.offset(), &self.waiting))?;
        }
        Ok(self.values)
    }
}

/// Computes the [`Outboard`] of a message in one pass.
pub struct OutboardWriter(Groups);

impl OutboardWriter {
    /// Starts a message that is divided into groups of `group` bytes, a power of two from 1 KiB to
    /// 64 MiB.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] for other group sizes, and [`Error::OutOfMemory`] if an
    /// allocation fails.
    pub fn new(group: usize) -> Result<Self, Error> {
        Groups::new(group).map(Self)
    }

    /// Appends bytes to the message. This is fastest if each call appends at least one group.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`] if an allocation fails. The writer keeps 32 bytes for each
    /// group.
    pub fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.0.update(data)
    }

    /// Ends the message and returns its tree and its digest.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`] if an allocation fails.
    pub fn finish(self) -> Result<(Outboard, [u8; 32]), Error> {
        let (group, len) = (self.0.group, self.0.len);
        let single = self.0.values.is_empty();
        let values = self.0.finish(single)?;
        let mut nodes = try_alloc::list((values.len() - 1) * PAIR)?;
        let digest = if let [digest] = values[..] { digest } else { write(&values, true, &mut nodes) };
        Ok((Outboard { group, len, nodes }, digest))
    }
}

/// Appends the nodes of a subtree and returns its value.
fn write(values: &[Value], is_root: bool, nodes: &mut Vec<u8>) -> Value {
    if let [value] = values {
        return *value;
    }
    let at = nodes.len();
    nodes.resize(at + PAIR, 0);
    let (left, right) = values.split_at(left_of(values.len() as u64) as usize);
    let (left, right) = (write(left, false, nodes), write(right, false, nodes));
    nodes[at..][..32].copy_from_slice(&left);
    nodes[at + 32..][..32].copy_from_slice(&right);
    parent(&left, &right, is_root)
}

/// The result of comparing a message with its [`Outboard`] or [`ChunkList`](crate::ChunkList). The ranges are byte ranges of the
/// message. They are sorted, and adjacent ranges are merged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Located {
    /// Damaged ranges: groups or chunks whose values differ from the values that the digest authenticates.
    /// This includes bytes that are missing at the end and extra bytes after the end.
    pub damaged: Vec<Range<u64>>,
    /// Ranges that contain damage at an unknown position, because the outboard or list is damaged
    /// too.
    pub unknown: Vec<Range<u64>>,
    /// The number of damaged nodes or values in the outboard or list. [`Located::damaged`] is correct
    /// even if nodes are damaged.
    pub bad_nodes: u64,
    /// True if the damaged ranges are not proven by the digest, but rely on the check value of a
    /// [`ChunkList`](crate::ChunkList). This is the case if the first 8 KiB of the message are damaged, because the
    /// KT128 digest authenticates the list only together with these 8 KiB. An attacker who can change the list can then
    /// hide damage in other ranges, but cannot hide that the message is damaged.
    pub is_unproven: bool,
}

impl Located {
    /// Returns true if the message matches the digest. Nodes of the outboard may still be damaged.
    #[must_use]
    pub fn is_intact(&self) -> bool {
        self.damaged.is_empty() && self.unknown.is_empty()
    }
}

/// Compares a message with its [`Outboard`] in one pass, and finds the damaged ranges of the message.
pub struct Locator<'a> {
    outboard: &'a Outboard,
    digest: [u8; 32],
    /// The values of the message, up to the length in the outboard.
    groups: Groups,
    /// The values of the whole message, if it is longer than that.
    longer: Option<Groups>,
    /// The number of bytes so far, including extra bytes after the end.
    len: u64,
}

impl<'a> Locator<'a> {
    /// Starts the comparison of a message with its outboard.
    ///
    /// The result is only as trustworthy as the digest. Get the digest from a place where an
    /// attacker cannot change it together with the message.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`] if an allocation fails.
    pub fn new(outboard: &'a Outboard, digest: &[u8; 32]) -> Result<Self, Error> {
        Ok(Self { outboard, digest: *digest, groups: Groups::new(outboard.group)?, longer: None, len: 0 })
    }

    /// Appends bytes to the message. This is fastest if each call appends at least one group.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`] if an allocation fails.
    pub fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        let room = self.outboard.len - self.groups.len;
        let taken = data.len().min(usize::try_from(room).unwrap_or(usize::MAX));
        self.len += data.len() as u64;
        let (taken, more) = data.split_at(taken);
        self.groups.update(taken)?;
        if more.is_empty() {
            return Ok(());
        }
        let longer = match &mut self.longer {
            Some(longer) => longer,
            none => none.insert(self.groups.copy()?),
        };
        longer.update(more)
    }

    /// Ends the message and compares it with the outboard. The result distinguishes damage to the outboard from damage
    /// to the message.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`] if an allocation fails.
    pub fn finish(self) -> Result<Located, Error> {
        let Self { outboard, digest, groups, longer, len } = self;
        // If the length in the outboard is damaged, only the whole message has the digest.
        let whole = if len < outboard.len { Some(groups.copy()?) } else { longer };
        if let Some(whole) = whole
            && whole.digest()? == Some(digest)
        {
            return Ok(Located { bad_nodes: 1, ..Located::default() });
        }
        let count = self::groups(outboard.len, outboard.group as u64) as usize;
        let values = groups.finish(count == 1)?;
        let mut computed = try_alloc::list(count - 1)?;
        compute(&values, 0..count, true, &mut computed);
        let mut walk = Walk { outboard, values: &values, computed: &computed, located: Located::default() };
        walk.node(0, 0..count, &digest)?;
        let mut located = walk.located;
        if len > outboard.len {
            add(&mut located.damaged, outboard.len..len)?;
        }
        Ok(located)
    }
}

/// Appends the values of a subtree's nodes in pre-order and returns the value of the subtree, or
/// `None` if groups are missing at the end.
fn compute(
    values: &[Value],
    range: Range<usize>,
    is_root: bool,
    out: &mut Vec<Option<Value>>,
) -> Option<Value> {
    if range.len() == 1 {
        return values.get(range.start).copied();
    }
    let at = out.len();
    out.push(None);
    let middle = range.start + left_of(range.len() as u64) as usize;
    let left = compute(values, range.start..middle, false, out);
    let right = compute(values, middle..range.end, false, out);
    out[at] = left.zip(right).map(|(left, right)| parent(&left, &right, is_root));
    out[at]
}

/// Appends a range, or extends the last range if they are adjacent.
pub(crate) fn add(ranges: &mut Vec<Range<u64>>, range: Range<u64>) -> Result<(), Error> {
    match ranges.last_mut() {
        Some(last) if last.end == range.start => last.end = range.end,
        _ => {
            ranges.try_reserve(1).map_err(|_| Error::OutOfMemory)?;
            ranges.push(range);
        }
    }
    Ok(())
}

/// The comparison of a tree from its root downwards.
struct Walk<'a> {
    outboard: &'a Outboard,
    values: &'a [Value],
    computed: &'a [Option<Value>],
    located: Located,
}

impl Walk<'_> {
    /// Compares the subtree of these groups with `expected`, the value that its parent
    /// authenticates. The first node of the subtree is at `at`.
    fn node(&mut self, at: usize, range: Range<usize>, expected: &Value) -> Result<(), Error> {
        let group = self.outboard.group as u64;
        let bytes = range.start as u64 * group..(range.end as u64 * group).min(self.outboard.len);
        if range.len() == 1 {
            if self.values.get(range.start) != Some(expected) {
                add(&mut self.located.damaged, bytes)?;
            }
            return Ok(());
        }
        if self.computed[at] == Some(*expected) {
            self.compare(at, range);
            return Ok(());
        }
        let (left, right) = pair(&self.outboard.nodes[at * PAIR..][..PAIR]);
        if parent(left, right, at == 0) != *expected {
            self.located.bad_nodes += 1;
            return add(&mut self.located.unknown, bytes);
        }
        let left_groups = left_of(range.len() as u64) as usize;
        let middle = range.start + left_groups;
        self.node(at + 1, range.start..middle, left)?;
        self.node(at + left_groups, middle..range.end, right)
    }

    /// Counts the damaged nodes of a subtree whose data is correct.
    fn compare(&mut self, at: usize, range: Range<usize>) {
        if range.len() == 1 {
            return;
        }
        let left_groups = left_of(range.len() as u64) as usize;
        let middle = range.start + left_groups;
        let (left, right) = pair(&self.outboard.nodes[at * PAIR..][..PAIR]);
        let value = |groups: Range<usize>, at: usize| {
            if groups.len() == 1 { self.values.get(groups.start).copied() } else { self.computed[at] }
        };
        let right_value = value(middle..range.end, at + left_groups);
        if value(range.start..middle, at + 1) != Some(*left) || right_value != Some(*right) {
            self.located.bad_nodes += 1;
        }
        self.compare(at + 1, range.start..middle);
        self.compare(at + left_groups, middle..range.end);
    }
}
