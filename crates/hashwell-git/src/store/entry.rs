//! The header of a pack entry: its type and size (gitformat-pack(5), "pack-*.pack files").

use crate::id::{ObjectHash, ObjectId};
use crate::object::ObjectType;

/// The maximum length of an entry's header: a size of ten bytes, followed by a distance of ten bytes or an id.
pub(super) const HEAD_MAX: usize = 10 + 32;

/// An entry of a pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) content: Content,
    /// The declared size of the decompressed data, which are an object or a delta.
    pub(super) size: u64,
    /// The offset of its compressed data, relative to its header.
    pub(super) head: usize,
}

/// The kind of data that an entry contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Object(ObjectType),
    /// A delta whose base is the entry that begins this number of bytes before this one.
    DeltaAt(u64),
    /// A delta whose base is the object with this id.
    DeltaOf(ObjectId),
}

impl Entry {
    /// Parses a header. `None` if it is invalid or truncated.
    pub(super) fn read(bytes: &[u8], hash: ObjectHash) -> Option<Self> {
        let (kind, size, mut head) = kind_and_size(bytes)?;
        let content = match kind {
            1 => Content::Object(ObjectType::Commit),
            2 => Content::Object(ObjectType::Tree),
            3 => Content::Object(ObjectType::Blob),
            4 => Content::Object(ObjectType::Tag),
            6 => {
                let (distance, len) = distance(&bytes[head..])?;
                head += len;
                Content::DeltaAt(distance)
            }
            7 => {
                let id = ObjectId::new(hash, bytes.get(head..head + hash.id_len())?)?;
                head += hash.id_len();
                Content::DeltaOf(id)
            }
            _ => return None,
        };
        Some(Self { content, size, head })
    }

    pub(super) fn is_delta(&self) -> bool {
        !matches!(self.content, Content::Object(_))
    }
}

/// Reads the type, which has three bits, and the size, which has four bits in the first byte and seven in each further
/// byte, lowest bits first. Also returns the length of the header.
fn kind_and_size(bytes: &[u8]) -> Option<(u8, u64, usize)> {
    let mut byte = *bytes.first()?;
    let kind = byte >> 4 & 7;
    let mut size = u64::from(byte & 15);
    let mut len = 1;
    let mut shift = 4;
    while byte & 0x80 != 0 {
        byte = *bytes.get(len)?;
        len += 1;
        let bits = u64::from(byte & 0x7f);
        if shift >= u64::BITS || bits << shift >> shift != bits {
            return None;
        }
        size |= bits << shift;
        shift += 7;
    }
    Some((kind, size, len))
}

/// Reads a number with seven bits per byte, highest bits first. Each further byte adds one, so that no number has two
/// encodings. Also returns the length of the encoding.
fn distance(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut byte = *bytes.first()?;
    let mut distance = u64::from(byte & 0x7f);
    let mut len = 1;
    while byte & 0x80 != 0 {
        byte = *bytes.get(len)?;
        len += 1;
        distance = distance.checked_add(1)?.checked_mul(1 << 7)? | u64::from(byte & 0x7f);
    }
    Some((distance, len))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Option<(Content, u64, usize)> {
        Entry::read(bytes, ObjectHash::Sha1).map(|entry| (entry.content, entry.size, entry.head))
    }

    #[test]
    fn types_and_sizes() {
        let blob = Content::Object(ObjectType::Blob);
        assert_eq!(read(&[0x3f, 9]), Some((blob, 15, 1)));
        assert_eq!(read(&[0xb3, 0]), Some((blob, 3, 2)));
        assert_eq!(read(&[0xb0, 0x81, 1]), Some((blob, 1 << 4 | 1 << 11, 3)));
        for (kind, object_type) in [(1, ObjectType::Commit), (2, ObjectType::Tree), (4, ObjectType::Tag)] {
            assert_eq!(read(&[kind << 4]), Some((Content::Object(object_type), 0, 1)));
        }
        let largest = [&[0xbf][..], &[0xff; 8], &[15]].concat();
        assert_eq!(read(&largest), Some((blob, u64::MAX, 10)));
        for wrong in [
            &[][..],
            &[0x00],
            &[0x50],
            &[0xb0],
            &[&[0xbf][..], &[0xff; 8], &[16]].concat(),
            &[&[0xb0][..], &[0x80; 9], &[0]].concat(),
            &[0xb0; 50],
        ] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn bases() {
        assert_eq!(read(&[0x65, 0x7f]), Some((Content::DeltaAt(127), 5, 2)));
        assert_eq!(read(&[0x65, 0x80, 0]), Some((Content::DeltaAt(128), 5, 3)));
        assert_eq!(read(&[0xe5, 0, 0x80, 0x80, 1]), Some((Content::DeltaAt((129 << 7) + 1), 5, 5)));
        assert_eq!(read(&[&[0x60][..], &[0xff; 10], &[0]].concat()), None);
        assert_eq!((read(&[0x60]), read(&[0x60, 0x80])), (None, None));
        for hash in [ObjectHash::Sha1, ObjectHash::Sha256] {
            let len = hash.id_len();
            let id = ObjectId::new(hash, &vec![7; len]).unwrap();
            let bytes = [vec![0x75], vec![7; len]].concat();
            let entry = Entry { content: Content::DeltaOf(id), size: 5, head: 1 + len };
            assert_eq!(Entry::read(&bytes, hash), Some(entry));
            assert_eq!(Entry::read(&bytes[..len], hash), None);
        }
    }
}
