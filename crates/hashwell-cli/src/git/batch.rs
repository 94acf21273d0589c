//! Objects waiting to be hashed, as git hashes them: type, size and content of each in one run of bytes.

use super::Object;
use gix_hash::ObjectId;

/// Objects of a batch, at most: their ids, bounds and digests stay small beside their bytes.
const OBJECTS_MAX: usize = 1 << 16;

/// Bytes of a batch, at most, unless one object is larger: it is a batch of its own then.
pub(crate) const BYTES_MAX: usize = 32 << 20;

/// Objects that are hashed together.
#[derive(Default)]
pub(crate) struct Batch {
    streams: Vec<u8>,
    /// Where each object's stream ends.
    ends: Vec<usize>,
    ids: Vec<ObjectId>,
}

impl Batch {
    /// Whether another `object` would make it larger than `bytes`.
    pub(crate) fn is_full_for(&self, object: &Object<'_>, bytes: usize) -> bool {
        let more = object.content.len() + super::header(object.kind, object.content.len() as u64).len();
        !self.ids.is_empty() && (self.streams.len() + more > bytes || self.ids.len() == OBJECTS_MAX)
    }

    pub(crate) fn push(&mut self, id: ObjectId, object: &Object<'_>) {
        let header = super::header(object.kind, object.content.len() as u64);
        // Exactly: doubling a large object's room would double the bound on memory.
        self.streams.reserve_exact(
            (header.len() + object.content.len()).max(BYTES_MAX - self.streams.len().min(BYTES_MAX)),
        );
        self.streams.extend_from_slice(&header);
        self.streams.extend_from_slice(object.content);
        self.ends.push(self.streams.len());
        self.ids.push(id);
    }

    /// Makes it empty; room for a large object is given back.
    pub(crate) fn clear(&mut self) {
        self.streams.clear();
        self.streams.shrink_to(BYTES_MAX);
        self.ends.clear();
        self.ids.clear();
    }

    pub(crate) fn ids(&self) -> &[ObjectId] {
        &self.ids
    }

    pub(crate) fn bytes(&self) -> usize {
        self.streams.len()
    }

    /// `type SP size NUL content` of each object.
    pub(crate) fn messages(&self) -> Vec<&[u8]> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(start, end)| &self.streams[*start..*end]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gix_object::Kind;

    #[test]
    fn streams_are_what_git_hashes() {
        let mut batch = Batch::default();
        let id = ObjectId::null(gix_hash::Kind::Sha1);
        for content in [&b"hello\n"[..], b""] {
            batch.push(id, &Object { kind: Kind::Blob, content });
        }
        assert_eq!(batch.messages(), [&b"blob 6\0hello\n"[..], b"blob 0\0"]);
        assert_eq!((batch.bytes(), batch.ids().len()), (20, 2));
        batch.clear();
        assert!(batch.messages().is_empty() && batch.bytes() == 0);
    }

    #[test]
    fn a_large_object_is_alone_and_its_room_is_given_back() {
        let id = ObjectId::null(gix_hash::Kind::Sha1);
        let large = vec![0; BYTES_MAX + 1];
        let large = Object { kind: Kind::Blob, content: &large };
        let mut batch = Batch::default();
        assert!(!batch.is_full_for(&large, BYTES_MAX));
        batch.push(id, &Object { kind: Kind::Blob, content: b"a" });
        assert!(batch.is_full_for(&large, BYTES_MAX));
        batch.clear();
        batch.push(id, &large);
        assert!(batch.is_full_for(&Object { kind: Kind::Blob, content: b"" }, BYTES_MAX));
        assert!(batch.streams.capacity() < BYTES_MAX + 100);
        batch.clear();
        assert!(batch.streams.capacity() <= BYTES_MAX);
    }
}
