//! The index of a pack: its objects and their offsets (gitformat-pack(5), "pack-*.idx files", versions 1 and 2).

use crate::id::{ObjectHash, ObjectId};

/// The first bytes of an index of version 2. Version 1 has no signature.
const SIGNATURE: [u8; 4] = *b"\xfftOc";

/// The size in bytes of the fan-out table. For each value of a byte, the table contains the number of objects whose ids
/// begin with this byte or a smaller one.
const FAN: usize = 256 * 4;

/// The bit of a 32-bit offset that marks the other bits as an index into the table of 64-bit offsets.
const LARGE: u32 = 1 << 31;

/// A complete index, which has been checked so that no access is out of its bounds.
pub(super) struct Index {
    bytes: Vec<u8>,
    hash: ObjectHash,
    /// The length of the signature and version, which version 1 lacks.
    head: usize,
    count: u32,
}

impl Index {
    /// Returns `None` if the header, the tables or the size is wrong.
    pub(super) fn new(bytes: Vec<u8>, hash: ObjectHash) -> Option<Self> {
        let is_second = bytes.starts_with(&SIGNATURE);
        let head = if is_second { 8 } else { 0 };
        if is_second && number(&bytes, 4)? != 2 {
            return None;
        }
        let mut index = Self { bytes, hash, head, count: 0 };
        for first in 0..=u8::MAX {
            let up_to = number(&index.bytes, index.fan_at(first))?;
            if up_to < index.count {
                return None;
            }
            index.count = up_to;
        }
        let count = index.count as usize;
        let tables_end = count.checked_mul(index.entry_len())?.checked_add(head + FAN)?;
        let tables = index.bytes.get(..tables_end)?;
        let mut large = 0;
        if is_second {
            let offsets = tables[tables_end - 4 * count..].chunks_exact(4).filter_map(|word| number(word, 0));
            let positions =
                || offsets.clone().filter(|offset| offset & LARGE != 0).map(|offset| offset ^ LARGE);
            large = positions().count();
            if positions().any(|position| position as usize >= large) {
                return None;
            }
        }
        let size = large.checked_mul(8)?.checked_add(tables_end)?.checked_add(2 * hash.id_len())?;
        (size == index.bytes.len()).then_some(index)
    }

    /// The number of objects.
    pub(super) fn len(&self) -> u32 {
        self.count
    }

    /// The id at a position. The ids of a valid index are in ascending order.
    pub(super) fn id(&self, position: u32) -> ObjectId {
        ObjectId::new(self.hash, self.id_bytes(position)).expect("as many bytes as an id has")
    }

    /// The offset in the pack for the object at a position.
    pub(super) fn offset(&self, position: u32) -> u64 {
        let (count, position) = (self.count as usize, position as usize);
        let word = |at| number(&self.bytes, at).expect("checked when it was opened");
        if self.is_first() {
            return word(FAN + position * self.entry_len()).into();
        }
        let offsets = self.head + FAN + count * (self.hash.id_len() + 4);
        let offset = word(offsets + 4 * position);
        if offset & LARGE == 0 {
            return offset.into();
        }
        let at = offsets + 4 * count + 8 * (offset ^ LARGE) as usize;
        u64::from(word(at)) << 32 | u64::from(word(at + 4))
    }

    /// The position of an id.
    pub(super) fn position(&self, id: &ObjectId) -> Option<u32> {
        let up_to = |first| number(&self.bytes, self.fan_at(first)).expect("checked when it was opened");
        let first = id.as_bytes()[0];
        let (mut low, mut high) = (first.checked_sub(1).map_or(0, up_to), up_to(first));
        while low < high {
            let middle = u32::midpoint(low, high);
            match self.id_bytes(middle).cmp(id.as_bytes()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The checksum at the end of the pack.
    pub(super) fn pack_checksum(&self) -> &[u8] {
        let len = self.hash.id_len();
        &self.bytes[self.bytes.len() - 2 * len..][..len]
    }

    fn is_first(&self) -> bool {
        self.head == 0
    }

    fn fan_at(&self, first: u8) -> usize {
        self.head + 4 * usize::from(first)
    }

    /// The number of bytes for each object: an id and an offset and, in version 2, a checksum.
    fn entry_len(&self) -> usize {
        self.hash.id_len() + if self.is_first() { 4 } else { 8 }
    }

    fn id_bytes(&self, position: u32) -> &[u8] {
        let (len, position) = (self.hash.id_len(), position as usize);
        let at =
            if self.is_first() { FAN + position * (len + 4) + 4 } else { self.head + FAN + position * len };
        &self.bytes[at..at + len]
    }
}

/// The big-endian number at this offset.
fn number(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|word| u32::from_be_bytes(*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An index with these ids and offsets.
    fn written(version: u8, hash: ObjectHash, entries: &[(Vec<u8>, u64)]) -> Vec<u8> {
        let mut bytes =
            if version == 1 { Vec::new() } else { [&SIGNATURE[..], &[0, 0, 0, version]].concat() };
        for first in 0..=u8::MAX {
            let up_to = entries.iter().filter(|(id, _)| id[0] <= first).count() as u32;
            bytes.extend(up_to.to_be_bytes());
        }
        let mut large: Vec<u64> = Vec::new();
        if version == 1 {
            entries.iter().for_each(|(id, at)| bytes.extend([&(*at as u32).to_be_bytes(), &**id].concat()));
        } else {
            entries.iter().for_each(|(id, _)| bytes.extend(id));
            bytes.extend(vec![0xcc; 4 * entries.len()]);
            for (_, at) in entries {
                let small = u32::try_from(*at).ok().filter(|at| at & LARGE == 0);
                let word = small.unwrap_or(LARGE | large.len() as u32);
                large.extend(small.is_none().then_some(*at));
                bytes.extend(word.to_be_bytes());
            }
        }
        large.iter().for_each(|at| bytes.extend(at.to_be_bytes()));
        bytes.extend([vec![1; hash.id_len()], vec![2; hash.id_len()]].concat());
        bytes
    }

    fn entries(hash: ObjectHash, large: bool) -> Vec<(Vec<u8>, u64)> {
        let first = [0_u8, 0, 7, 7, 7, 200, 255];
        let entry = |(i, first): (usize, &u8)| {
            let mut id = vec![i as u8; hash.id_len()];
            id[0] = *first;
            (id, if large && i % 2 == 1 { u64::MAX - i as u64 } else { 1000 - i as u64 })
        };
        first.iter().enumerate().map(entry).collect()
    }

    #[test]
    fn both_versions_and_both_hashes() {
        for (hash, version, large) in [
            (ObjectHash::Sha1, 1, false),
            (ObjectHash::Sha1, 2, false),
            (ObjectHash::Sha1, 2, true),
            (ObjectHash::Sha256, 1, false),
            (ObjectHash::Sha256, 2, true),
        ] {
            let entries = entries(hash, large);
            let index = Index::new(written(version, hash, &entries), hash).unwrap();
            assert_eq!((index.len(), index.pack_checksum()), (7, &vec![1; hash.id_len()][..]));
            for (position, (id, at)) in (0..).zip(&entries) {
                let id = ObjectId::new(hash, id).unwrap();
                assert_eq!((index.id(position), index.offset(position)), (id, *at));
                assert_eq!(index.position(&id), Some(position));
                let mut other = id.as_bytes().to_vec();
                *other.last_mut().unwrap() ^= 0x40;
                assert_eq!(index.position(&ObjectId::new(hash, &other).unwrap()), None);
            }
            let none = Index::new(written(version, hash, &[]), hash).unwrap();
            assert_eq!((none.len(), none.position(&index.id(0))), (0, None));
        }
    }

    /// After `new`, no access may be out of bounds. The test tries every access on every damaged index that `new`
    /// accepts.
    #[test]
    fn damaged_indexes_are_refused_or_stay_within_their_bytes() {
        let hash = ObjectHash::Sha1;
        for (version, large) in [(1, false), (2, false), (2, true)] {
            let entries = entries(hash, large);
            let sound = written(version, hash, &entries);
            for len in 0..sound.len() {
                assert!(Index::new(sound[..len].to_vec(), hash).is_none(), "{len}");
            }
            assert!(Index::new([&sound[..], &[0]].concat(), hash).is_none());
            assert!(Index::new(sound.clone(), ObjectHash::Sha256).is_none());
            for at in 0..sound.len() {
                for new in [0, 1, 6, 7, 8, 0x7f, 0x80, 0xff] {
                    let mut bytes = sound.clone();
                    bytes[at] = new;
                    let Some(index) = Index::new(bytes, hash) else { continue };
                    for position in 0..index.len() {
                        let _ = (index.offset(position), index.position(&index.id(position)));
                    }
                }
            }
        }
        assert!(Index::new(written(3, hash, &[]), hash).is_none());
    }
}
