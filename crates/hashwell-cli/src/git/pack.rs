//! One pack, read so that every delta finds its base at hand: bases before what is made from them, branch by
//! branch of the tree that deltas form. Each entry is then inflated once, and memory is bounded however long the
//! chains are.

use super::store::{EachHeader, EachObject};
use super::{self as git, Object, one_line};
use gix_hash::{Kind, oid};
use gix_odb::pack::cache::DecodeEntry;
use gix_odb::pack::data::decode::{entry, header};
use gix_odb::pack::data::entry::Header;
use gix_odb::pack::{data, index};
use gix_zlib::Inflate;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Entries read before the pack is mapped anew. Mapped pages count as resident memory until then; the system
/// maps up to 64 KiB around each that is touched, so that at most 64 MiB stay.
const ENTRIES_PER_MAPPING: usize = 1024;

/// Bytes of bases kept for the deltas made from them. A base that has to go is inflated again when needed.
const BASES_MAX: usize = 64 << 20;

/// A pack and its index.
pub(crate) struct Pack {
    index: index::File,
    path: PathBuf,
    hash: Kind,
}

/// The position of an entry among those of the pack, in order of their offsets; none is [`NONE`].
type Rank = u32;
const NONE: Rank = Rank::MAX;

impl Pack {
    /// Opens the pack that belongs to an index. It may be damaged further in.
    ///
    /// # Errors
    /// In words, if the index or the pack's ends cannot be used.
    pub(crate) fn open(index: &Path, hash: Kind) -> Result<Self, String> {
        let path = index.with_extension("pack");
        let index = index::File::at(index, hash).map_err(|e| one_line(&e))?;
        Ok(Self { index, path, hash })
    }

    /// Says whether the pack ends as its index expects: a truncated one does not.
    ///
    /// # Errors
    /// In words, if it does not.
    pub(crate) fn check_end(&self) -> Result<(), String> {
        if self.map()?.checksum() == self.index.pack_checksum() {
            return Ok(());
        }
        Err("its end is not what its index expects: truncated, or changed".to_owned())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn len(&self) -> u32 {
        self.index.num_objects()
    }

    pub(crate) fn contains(&self, id: &oid) -> bool {
        self.index.lookup(id).is_some()
    }

    /// Bytes on disk, index included.
    pub(crate) fn disk_bytes(&self) -> u64 {
        let len = |path: &Path| path.metadata().map_or(0, |m| m.len());
        len(&self.path) + len(self.index.path())
    }

    fn map(&self) -> Result<data::File, String> {
        data::File::at(&self.path, self.hash).map_err(|e| one_line(&e))
    }

    /// Calls `each` with id, type and size of every entry that is `wanted`, in the index's order, without
    /// inflating more than a few bytes of it.
    ///
    /// # Errors
    /// In words, if the pack cannot be mapped.
    pub(crate) fn headers(
        &self,
        wanted: impl Fn(&oid) -> bool,
        each: &mut EachHeader<'_>,
    ) -> Result<ControlFlow<()>, String> {
        let mut inflate = Inflate::default();
        let mut entries = self.by_offset();
        entries.retain(|(_, i)| wanted(self.index.oid_at_index(*i)));
        for entries in entries.chunks(ENTRIES_PER_MAPPING) {
            let pack = self.map()?;
            let in_pack = |id: &oid| self.entry_of(&pack, id).map(|e| e.map(header::ResolvedBase::InPack));
            for (offset, i) in entries {
                let header =
                    pack.entry(*offset).and_then(|entry| pack.decode_header(entry, &mut inflate, &in_pack));
                let found = header
                    .map(|h| git::Header { kind: h.kind, size: h.object_size })
                    .map_err(|e| one_line(&e));
                if each(self.index.oid_at_index(*i), found).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Calls `each` with every entry that is `wanted`. Entries come with what they are deltas of.
    ///
    /// # Errors
    /// In words, if the pack cannot be mapped.
    pub(crate) fn objects(
        &self,
        wanted: impl Fn(&oid) -> bool,
        each: &mut EachObject<'_>,
    ) -> Result<ControlFlow<()>, String> {
        let entries = self.by_offset();
        let tree = self.tree(&entries)?;
        let mut reader = Reader { pack: self.map()?, inflate: Inflate::default(), bases: Bases::default() };
        let mut content = Vec::new();
        let mut read = 0;
        // Nodes still to visit, with their distance from the root; roots in order of offset.
        let mut todo: Vec<(Rank, usize)> = Vec::new();
        let mut roots = tree.roots.iter().copied();
        let mut visited = vec![false; entries.len()];
        while let Some((rank, depth)) = todo.pop().or_else(|| Some((next_root(&mut roots, &visited)?, 0))) {
            if std::mem::replace(&mut visited[rank as usize], true) {
                continue;
            }
            reader.bases.truncate(depth);
            let (offset, i) = entries[rank as usize];
            let id = self.index.oid_at_index(i);
            let has_children = tree.first_child[rank as usize] != NONE;
            todo.extend(tree.children(rank).map(|child| (child, depth + 1)));
            if !wanted(id) {
                reader.bases.push(None);
                continue;
            }
            read += 1;
            if read % ENTRIES_PER_MAPPING == 0 {
                reader.pack = self.map()?;
            }
            let object = self.decode(&mut reader, offset, has_children, &mut content);
            let object = object.map(|kind| Object { kind, content: &content });
            if each(id, object).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Offset and position in the index of all entries, by rising offset.
    fn by_offset(&self) -> Vec<(data::Offset, u32)> {
        let mut entries: Vec<_> = self.index.iter().map(|e| e.pack_offset).zip(0..).collect();
        entries.sort_unstable();
        entries
    }

    /// Which entry is a delta of which. What cannot be read is a root: reading it will say why.
    fn tree(&self, entries: &[(data::Offset, u32)]) -> Result<Tree, String> {
        let mut tree = Tree {
            first_child: vec![NONE; entries.len()],
            sibling: vec![NONE; entries.len()],
            roots: Vec::new(),
        };
        let rank = |offset: data::Offset| entries.binary_search_by_key(&offset, |e| e.0).ok();
        let ranks: Vec<usize> = (0..entries.len()).collect();
        for ranks in ranks.rchunks(ENTRIES_PER_MAPPING) {
            let pack = self.map()?;
            for &child in ranks.iter().rev() {
                let base = pack.entry(entries[child].0).ok().and_then(|entry| self.base(&entry));
                match base.and_then(rank).filter(|base| *base != child) {
                    Some(base) => {
                        tree.sibling[child] = tree.first_child[base];
                        tree.first_child[base] = child as Rank;
                    }
                    None => tree.roots.push(child as Rank),
                }
            }
        }
        tree.roots.reverse();
        Ok(tree)
    }

    fn base(&self, entry: &data::Entry) -> Option<data::Offset> {
        match &entry.header {
            Header::OfsDelta { base_distance } => entry.checked_base_pack_offset(*base_distance),
            Header::RefDelta { base_id } => {
                self.index.lookup(base_id).map(|i| self.index.pack_offset_at_index(i))
            }
            _ => None,
        }
    }

    fn entry_of(&self, pack: &data::File, id: &oid) -> gix_error::Result<Option<data::Entry>> {
        self.index.lookup(id).map(|i| pack.entry(self.index.pack_offset_at_index(i))).transpose()
    }

    /// Inflates an entry into `content` and applies its deltas; keeps it if others are deltas of it.
    fn decode(
        &self,
        reader: &mut Reader,
        offset: data::Offset,
        keep: bool,
        content: &mut Vec<u8>,
    ) -> Result<gix_object::Kind, String> {
        let Reader { pack, inflate, bases } = reader;
        let in_pack =
            |id: &oid, _: &mut Vec<u8>| self.entry_of(pack, id).map(|e| e.map(entry::ResolvedBase::InPack));
        let result = pack.entry(offset).and_then(|entry| {
            let at = entry.data_offset;
            pack.decode_entry(entry, content, inflate, &in_pack, bases).map(|outcome| (at, outcome))
        });
        match result {
            Ok((at, outcome)) => {
                let base = || Base {
                    at,
                    kind: outcome.kind,
                    packed: outcome.compressed_size,
                    content: content.clone(),
                };
                bases.push(keep.then(base));
                Ok(outcome.kind)
            }
            Err(error) => {
                bases.push(None);
                Err(one_line(&error))
            }
        }
    }
}

/// The next root; after the last, what no root leads to: deltas of each other in a damaged pack, of which reading
/// says so.
fn next_root(roots: &mut impl Iterator<Item = Rank>, visited: &[bool]) -> Option<Rank> {
    roots.next().or_else(|| visited.iter().position(|visited| !visited).map(|rank| rank as Rank))
}

/// Deltas by what they are deltas of.
struct Tree {
    first_child: Vec<Rank>,
    sibling: Vec<Rank>,
    roots: Vec<Rank>,
}

impl Tree {
    fn children(&self, rank: Rank) -> impl Iterator<Item = Rank> {
        let some = |rank: Rank| (rank != NONE).then_some(rank);
        std::iter::successors(some(self.first_child[rank as usize]), move |child| {
            some(self.sibling[*child as usize])
        })
    }
}

struct Reader {
    pack: data::File,
    inflate: Inflate,
    bases: Bases,
}

/// An inflated entry.
struct Base {
    at: data::Offset,
    kind: gix_object::Kind,
    packed: usize,
    content: Vec<u8>,
}

/// The entries between the root and where we are; those that were not read, or had to go, are missing.
#[derive(Default)]
struct Bases {
    path: Vec<Option<Base>>,
    /// Of all contents.
    bytes: usize,
    /// Entries before this one are missing.
    dropped: usize,
}

impl Bases {
    fn truncate(&mut self, depth: usize) {
        let gone = self.path.drain(depth.min(self.path.len())..);
        self.bytes -= gone.flatten().map(|base| base.content.len()).sum::<usize>();
        self.dropped = self.dropped.min(depth);
    }

    /// The next one down. Those nearest to the root go first when room is short: they are needed last.
    fn push(&mut self, base: Option<Base>) {
        self.bytes += base.as_ref().map_or(0, |base| base.content.len());
        self.path.push(base);
        while self.bytes > BASES_MAX {
            let gone = self.path[self.dropped].take();
            self.bytes -= gone.map_or(0, |base| base.content.len());
            self.dropped += 1;
        }
    }
}

impl DecodeEntry for Bases {
    /// Nothing: only [`Bases::push`] knows who is wanted again.
    fn put(&mut self, _: u32, _: u64, _: &[u8], _: gix_object::Kind, _: usize) {}

    fn get(&mut self, _: u32, at: u64, out: &mut Vec<u8>) -> Option<(gix_object::Kind, usize)> {
        let base = self.path.iter().rev().flatten().find(|base| base.at == at)?;
        out.clear();
        out.extend_from_slice(&base.content);
        Some((base.kind, base.packed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(at: u64, len: usize) -> Option<Base> {
        Some(Base { at, kind: gix_object::Kind::Blob, packed: 1, content: vec![0; len] })
    }

    #[test]
    fn bases_nearest_to_the_root_go_first_when_room_is_short() {
        let mut bases = Bases::default();
        let third = BASES_MAX / 3;
        for at in 0..5 {
            bases.push(base(at, third));
        }
        let mut out = Vec::new();
        let held: Vec<u64> = (0..5).filter(|at| bases.get(0, *at, &mut out).is_some()).collect();
        assert_eq!((held, bases.bytes), (vec![2, 3, 4], 3 * third));
        assert_eq!(out.len(), third);
        bases.truncate(3);
        assert_eq!(bases.bytes, third);
        bases.truncate(1);
        bases.push(base(7, 5));
        assert_eq!(bases.bytes, 5);
        assert!(bases.get(0, 7, &mut out).is_some() && bases.get(0, 2, &mut out).is_none());
        // One that is larger than all the room goes at once.
        bases.push(base(8, BASES_MAX + 1));
        assert_eq!(bases.bytes, 0);
        assert!(bases.get(0, 8, &mut out).is_none());
    }
}
