//! Batches of objects that wait to be hashed as git hashes them. The type, size and content of each object are
//! contiguous.

use crate::files::reason;
use crate::id::ObjectId;
use crate::object::ObjectType;
use crate::regular::no_memory;
use crate::store::read::{Header, Object, header};

/// The maximum number of objects in a batch, so that their ids, bounds and digests are small compared with their bytes.
const OBJECTS_MAX: usize = 1 << 16;

/// The maximum number of bytes in a batch. A larger object is in a batch by itself.
pub(crate) const BYTES_MAX: usize = 32 << 20;

/// Objects of one type that are hashed together.
#[derive(Default)]
pub(crate) struct Batch {
    streams: Vec<u8>,
    /// The offset at which each object's data end.
    ends: Vec<usize>,
    objects: Vec<(ObjectId, Header)>,
}

impl Batch {
    /// Returns true if adding `object` would make the batch larger than `bytes`.
    pub(crate) fn is_full_for(&self, object: &Object<'_>, bytes: usize) -> bool {
        let more = object.content.len() + header(object.kind, object.content.len() as u64).len();
        !self.is_empty() && (self.streams.len() + more > bytes || self.objects.len() == OBJECTS_MAX)
    }

    /// The type of the objects. The batch must not be empty.
    pub(crate) fn kind(&self) -> ObjectType {
        self.objects[0].1.kind
    }

    /// # Errors
    /// Returns a message if there is not enough memory.
    pub(crate) fn push(&mut self, id: ObjectId, object: &Object<'_>) -> Result<(), String> {
        let header = header(object.kind, object.content.len() as u64);
        // Reserve all that a batch may take, so that it need not be moved. If that fails, reserve the exact size:
        // doubling the capacity for a large object would double the bound on memory.
        let need = header.len() + object.content.len();
        let room = need.max(BYTES_MAX - self.streams.len().min(BYTES_MAX));
        let reserved = self.streams.try_reserve_exact(room).or_else(|_| self.streams.try_reserve_exact(need));
        reserved.map_err(|_| reason(&no_memory(object.content.len() as u64)))?;
        self.streams.extend_from_slice(&header);
        self.streams.extend_from_slice(object.content);
        self.ends.push(self.streams.len());
        self.objects.push((id, Header { kind: object.kind, size: object.content.len() as u64 }));
        Ok(())
    }

    /// Empties the batch, and frees the memory that a large object needed.
    pub(crate) fn clear(&mut self) {
        self.streams.clear();
        self.streams.shrink_to(BYTES_MAX);
        self.ends.clear();
        self.objects.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// The ids and headers (types and sizes).
    pub(crate) fn objects(&self) -> &[(ObjectId, Header)] {
        &self.objects
    }

    pub(crate) fn bytes(&self) -> usize {
        self.streams.len()
    }

    /// `type SP size NUL content` for each object.
    pub(crate) fn messages(&self) -> Vec<&[u8]> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(start, end)| &self.streams[*start..*end]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::ObjectHash;

    #[test]
    fn streams_are_what_git_hashes() {
        let mut batch = Batch::default();
        let id = ObjectId::new(ObjectHash::Sha1, &[0; 20]).unwrap();
        for content in [&b"hello\n"[..], b""] {
            batch.push(id, &Object { kind: ObjectType::Blob, content }).unwrap();
        }
        assert_eq!(batch.messages(), [&b"blob 6\0hello\n"[..], b"blob 0\0"]);
        assert_eq!((batch.bytes(), batch.objects().len()), (20, 2));
        batch.clear();
        assert!(batch.messages().is_empty() && batch.bytes() == 0);
    }

    #[test]
    fn a_large_object_is_alone_and_its_room_is_given_back() {
        let id = ObjectId::new(ObjectHash::Sha1, &[0; 20]).unwrap();
        let large = vec![0; BYTES_MAX + 1];
        let large = Object { kind: ObjectType::Blob, content: &large };
        let mut batch = Batch::default();
        assert!(!batch.is_full_for(&large, BYTES_MAX));
        batch.push(id, &Object { kind: ObjectType::Blob, content: b"a" }).unwrap();
        assert!(batch.is_full_for(&large, BYTES_MAX));
        batch.clear();
        batch.push(id, &large).unwrap();
        assert!(batch.is_full_for(&Object { kind: ObjectType::Blob, content: b"" }, BYTES_MAX));
        assert!(batch.streams.capacity() < BYTES_MAX + 100);
        batch.clear();
        assert!(batch.streams.capacity() <= BYTES_MAX);
    }
}
