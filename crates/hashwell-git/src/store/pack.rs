//! Reads a pack in an order in which the base of every delta is available. Deltas form trees, which are read branch by
//! branch, with each base before its deltas. So each entry is usually decompressed once, and memory is bounded however
//! long the chains are.
//!
//! The pack is read, not mapped, because the process would be killed if a mapped file were truncated.

use super::delta::{self, SIZES_MAX};
use super::entry::{Content, Entry, HEAD_MAX};
use super::forest::{Forest, Node, Rank, Unknown, filled};
use super::index::Index;
use super::inflate::Reader;
use super::read::{EachHeader, EachObject, Header, Limit, Object, give_back};
use crate::files::reason;
use crate::id::{ObjectHash, ObjectId};
use crate::regular::Regular;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The maximum number of bytes of bases that are kept for their deltas, unless a single one is larger. A base that is
/// dropped is computed again when needed.
const BASES_MAX: usize = if cfg!(test) {
    1 << 20
} else if cfg!(fuzzing) {
    1 << 16
} else {
    64 << 20
};

/// The size of signature, version and number of objects.
const HEAD: u64 = 12;

/// The minimum size of an entry: a byte of header, and eight bytes of compressed empty data.
const ENTRY_MIN: u64 = 9;

/// A pack and its index.
pub(crate) struct Pack {
    index: Index,
    path: PathBuf,
    hash: ObjectHash,
    limit: Limit,
    disk_bytes: u64,
    /// The open file, so that the pack can be read to its end after git has replaced it.
    held: Option<Arc<Regular>>,
}

impl Pack {
    /// Opens the pack that belongs to an index. The pack's entries may be damaged. The pack stays open if `hold` is
    /// true.
    ///
    /// # Errors
    /// Returns a message if either file cannot be read at all.
    pub(crate) fn open(index: &Path, hash: ObjectHash, limit: Limit, hold: bool) -> Result<Self, String> {
        let path = index.with_extension("pack");
        let why = |error: std::io::Error| reason(&error);
        let pack = Regular::open(&path).map_err(|e| format!("its pack: {}", why(e)))?;
        let file = Regular::open(index).map_err(why)?;
        let disk_bytes = pack.len().saturating_add(file.len());
        // Index version 2 has the largest entries: an ID, a checksum, and offsets of 4 and 8 bytes.
        let entry_max = (hash.id_len() + 16) as u64;
        let most = (pack.len() / ENTRY_MIN + 1).saturating_mul(entry_max).saturating_add(2048);
        let bytes = file.read(most).map_err(|error| match file.len() > most {
            true => "it lists more objects than fit into its pack".to_owned(),
            false => reason(&error),
        })?;
        let index =
            Index::new(bytes, hash).ok_or("not a valid pack index: its header, tables or size is wrong")?;
        let ids = || (0..index.len()).map(|position| index.id(position));
        if !ids().zip(ids().skip(1)).all(|(id, next)| id < next) {
            return Err("its IDs are not sorted".to_owned());
        }
        let held = hold.then(|| Arc::new(pack));
        Ok(Self { index, path, hash, limit, disk_bytes, held })
    }

    /// Checks that the pack begins and ends as its index expects. This detects truncated packs.
    ///
    /// # Errors
    /// Returns a message if the pack begins or ends differently.
    pub(crate) fn check_ends(&self) -> Result<(), String> {
        let file = self.file()?;
        let mut head = [0; HEAD as usize];
        let mut end = vec![0; self.hash.id_len()];
        if file.len() < HEAD + end.len() as u64 {
            return Err(format!("truncated: it has {} bytes", file.len()));
        }
        let read = |at, out: &mut [u8]| file.read_at(at, out, out.len()).map_err(|e| reason(&e));
        read(0, &mut head)?;
        read(file.len() - end.len() as u64, &mut end)?;
        let number = |at: usize| u32::from_be_bytes(*head[at..].first_chunk().expect("twelve bytes"));
        if &head[..4] != b"PACK" {
            return Err("it does not begin like a pack".to_owned());
        }
        if !matches!(number(4), 2 | 3) {
            return Err(format!("its version is {}, not 2 or 3", number(4)));
        }
        if number(8) != self.len() {
            return Err(format!(
                "its header declares {} objects, but its index lists {}",
                number(8),
                self.len()
            ));
        }
        if end != self.index.pack_checksum() {
            return Err(
                "its checksum differs from the one in its index: the pack is truncated or was changed"
                    .to_owned(),
            );
        }
        Ok(())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn len(&self) -> u32 {
        self.index.len()
    }

    pub(crate) fn contains(&self, id: &ObjectId) -> bool {
        self.index.position(id).is_some()
    }

    /// The size in bytes on disk, including the index.
    pub(crate) fn disk_bytes(&self) -> u64 {
        self.disk_bytes
    }

    fn file(&self) -> Result<Arc<Regular>, String> {
        match &self.held {
            Some(file) => Ok(Arc::clone(file)),
            None => Regular::open(&self.path).map(Arc::new).map_err(|e| reason(&e)),
        }
    }

    /// Calls `each` with the id, type and size of every entry that is `wanted`, and decompresses only a few bytes of
    /// each. Also returns one line for each problem of the pack as a whole.
    ///
    /// # Errors
    /// Returns a message if the pack cannot be read at all.
    pub(crate) fn headers(
        &self,
        wanted: impl Fn(&ObjectId) -> bool,
        each: &mut EachHeader<'_>,
    ) -> Result<(ControlFlow<()>, Vec<String>), String> {
        let mut entries = self.entries()?;
        let forest = entries.forest()?;
        let circle = |(rank, count): (Rank, usize)| {
            let deltas = if count == 1 { "delta" } else { "deltas" };
            format!("it contains a cycle of {count} {deltas} that includes object {}", entries.id(rank))
        };
        let circles: Vec<String> = forest.circles().into_iter().map(circle).collect();
        for rank in 0..entries.places.len() as Rank {
            let id = entries.id(rank);
            if !wanted(&id) {
                continue;
            }
            if each(&id, entries.header(rank, &forest)).is_break() {
                return Ok((ControlFlow::Break(()), circles));
            }
        }
        Ok((ControlFlow::Continue(()), circles))
    }

    /// Calls `each` with every entry that is `wanted`. Each base is followed by its deltas.
    ///
    /// # Errors
    /// Returns a message if the pack cannot be read at all.
    pub(crate) fn objects(
        &self,
        wanted: impl Fn(&ObjectId) -> bool,
        each: &mut EachObject<'_>,
    ) -> Result<ControlFlow<()>, String> {
        let mut entries = self.entries()?;
        let mut forest = entries.forest()?;
        let mut is_wanted = self.filled(false)?;
        for (rank, is_wanted) in (0..).zip(&mut is_wanted) {
            *is_wanted = wanted(&entries.id(rank));
        }
        for rank in forest.rootless().filter(|rank| is_wanted[*rank as usize]) {
            if each(&entries.id(rank), Err(why_unknown(Unknown::Circle))).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        let needed = forest.needed(&is_wanted).map_err(|_| self.no_memory())?;
        let mut roots = forest.roots().filter(|rank| needed[*rank as usize] > 0);
        let mut bases = Bases::default();
        let mut spare = Vec::new();
        while let Some(rank) = bases.next(&forest, &needed).or_else(|| roots.next()) {
            let mut content = std::mem::take(&mut spare);
            let made = match forest.base(rank) {
                None => entries.inflate(rank, &mut content),
                Some(_) => entries.make_from(&mut bases, &forest, rank, &mut content),
            };
            let made = made.and_then(|()| forest.kind(rank).map_err(why_unknown));
            if is_wanted[rank as usize] {
                let object = made.as_ref().map(|kind| Object { kind: *kind, content: &content });
                if each(&entries.id(rank), object.map_err(String::clone)).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            if needed[rank as usize] > Rank::from(is_wanted[rank as usize]) {
                bases.push(rank, made.map_or(Kept::Broken, |_| Kept::Content(content)));
            } else {
                spare = content;
                give_back(&mut spare);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn filled<T: Clone>(&self, value: T) -> Result<Vec<T>, String> {
        filled(self.len() as usize, value).map_err(|_| self.no_memory())
    }

    fn no_memory(&self) -> String {
        format!("not enough memory for its list of {} objects", self.len())
    }

    /// The entries in ascending order of their offsets.
    fn entries(&self) -> Result<Entries<'_>, String> {
        let file = self.file()?;
        let end = file.len().saturating_sub(self.hash.id_len() as u64);
        let mut places = self.filled((0, 0))?;
        for (position, place) in (0..).zip(&mut places) {
            *place = (self.index.offset(position), position);
        }
        places.sort_unstable();
        Ok(Entries { pack: self, places, end, reader: Reader::new(file), delta: Vec::new() })
    }
}

fn why_unknown(unknown: Unknown) -> String {
    match unknown {
        Unknown::Broken => "the base of its delta cannot be read",
        Unknown::Circle => "it is in a cycle of deltas, or depends on one",
    }
    .to_owned()
}

/// The entries of a pack, and the state for reading them.
struct Entries<'p> {
    pack: &'p Pack,
    /// Pairs of an offset and a position in the index.
    places: Vec<(u64, u32)>,
    /// The offset after the last entry.
    end: u64,
    reader: Reader,
    /// The last delta that was decompressed.
    delta: Vec<u8>,
}

impl Entries<'_> {
    fn id(&self, rank: Rank) -> ObjectId {
        self.pack.index.id(self.places[rank as usize].1)
    }

    fn rank(&self, offset: u64) -> Option<Rank> {
        self.places.binary_search_by_key(&offset, |place| place.0).ok().map(|rank| rank as Rank)
    }

    /// Reads an entry's header. The bytes up to `wanted` are read as well.
    fn entry(&mut self, rank: Rank, wanted: u64) -> Result<Entry, String> {
        let offset = self.places[rank as usize].0;
        if !(HEAD..self.end).contains(&offset) {
            return Err(format!("its offset in the index, {offset}, is outside the objects of the pack"));
        }
        let bytes = self.reader.bytes(offset, HEAD_MAX, wanted)?;
        let entry = Entry::read(bytes, self.pack.hash);
        entry.ok_or_else(|| "its header in the pack is damaged".to_owned())
    }

    /// Determines which entries are deltas of which.
    fn forest(&mut self) -> Result<Forest, String> {
        let mut nodes = self.pack.filled(Node::Broken)?;
        for (rank, node) in (0..).zip(&mut nodes) {
            let Ok(entry) = self.entry(rank, self.end) else { continue };
            *node = match entry.content {
                Content::Object(object_type) => Node::Root(object_type),
                _ => self.base(rank, &entry).map_or(Node::Broken, Node::DeltaOf),
            };
        }
        Forest::new(&nodes).map_err(|_| self.pack.no_memory())
    }

    /// The base of an entry, if it is a delta.
    fn base(&self, rank: Rank, entry: &Entry) -> Option<Rank> {
        let index = &self.pack.index;
        match &entry.content {
            Content::DeltaAt(distance) => {
                let offset = self.places[rank as usize].0.checked_sub(*distance);
                offset.filter(|offset| *distance > 0 && *offset >= HEAD).and_then(|offset| self.rank(offset))
            }
            Content::DeltaOf(id) => index.position(id).and_then(|position| self.rank(index.offset(position))),
            Content::Object(_) => None,
        }
    }

    /// The offset of the compressed data of an entry.
    fn data(&self, rank: Rank, entry: &Entry) -> u64 {
        self.places[rank as usize].0 + entry.head as u64
    }

    /// The type and size of the object that an entry contains.
    fn header(&mut self, rank: Rank, forest: &Forest) -> Result<Header, String> {
        let entry = self.entry(rank, self.end)?;
        if entry.is_delta() && self.base(rank, &entry).is_none() {
            return Err("the base of its delta is not listed in the index".to_owned());
        }
        let kind = forest.kind(rank).map_err(why_unknown)?;
        self.pack.limit.check(entry.size)?;
        let mut size = entry.size;
        if entry.is_delta() {
            let mut sizes = [0; SIZES_MAX];
            let count = self.reader.prefix(self.data(rank, &entry)..self.end, &mut sizes)?;
            size = delta::sizes(&sizes[..count])?.1;
            self.pack.limit.check(size)?;
        }
        Ok(Header { kind, size })
    }

    /// The offset at which the compressed data of an entry should end: the beginning of the next entry.
    fn end_of(&self, rank: Rank) -> u64 {
        self.places.get(rank as usize + 1).map_or(self.end, |place| place.0.min(self.end))
    }

    /// Decompresses the data of an entry: an object, or a delta.
    fn inflate(&mut self, rank: Rank, out: &mut Vec<u8>) -> Result<(), String> {
        let end = self.end_of(rank);
        let entry = self.entry(rank, end)?;
        self.pack.limit.check(entry.size)?;
        self.reader.inflate(self.data(rank, &entry)..end, entry.size, out).map(drop)
    }

    /// Applies the delta of an entry to its base.
    fn apply(&mut self, rank: Rank, base: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
        let mut delta = std::mem::take(&mut self.delta);
        let made = self.inflate(rank, &mut delta).and_then(|()| {
            self.pack.limit.check(delta::sizes(&delta)?.1)?;
            delta::apply(base, &delta, out)
        });
        give_back(&mut delta);
        self.delta = delta;
        made
    }

    /// Applies the delta of an entry to the base that was kept last, like [`Self::apply`]. If that base was dropped,
    /// computes it again.
    fn make_from(
        &mut self,
        bases: &mut Bases,
        forest: &Forest,
        rank: Rank,
        out: &mut Vec<u8>,
    ) -> Result<(), String> {
        if bases.last_is_dropped() {
            let made = self.make_again(bases, forest);
            bases.restore(made.map_or(Kept::Broken, Kept::Content));
        }
        let made = match bases.path.last().map(|open| &open.kept) {
            Some(Kept::Content(base)) => self.apply(rank, base, out),
            _ => Err(why_unknown(Unknown::Broken)),
        };
        bases.leave(forest);
        made
    }

    /// Computes the object of the last kept entry again, from its nearest ancestor that has not been dropped.
    fn make_again(&mut self, bases: &Bases, forest: &Forest) -> Result<Vec<u8>, String> {
        let mut open = bases.path.iter().rev().peekable();
        let mut chain = Vec::new();
        let mut base = None;
        let mut next = open.peek().map(|open| open.rank);
        while let Some(rank) = next {
            if let Some(open) = open.next_if(|open| open.rank == rank) {
                match &open.kept {
                    Kept::Content(content) => {
                        base = Some(content);
                        break;
                    }
                    Kept::Broken => return Err(why_unknown(Unknown::Broken)),
                    Kept::Dropped => {}
                }
            }
            chain.push(rank);
            next = forest.base(rank);
        }
        let (mut content, mut made) = (Vec::new(), Vec::new());
        while let Some(rank) = chain.pop() {
            match (base.take(), forest.base(rank)) {
                (Some(base), _) => self.apply(rank, base, &mut made)?,
                (None, None) => self.inflate(rank, &mut made)?,
                (None, Some(_)) => self.apply(rank, &content, &mut made)?,
            }
            std::mem::swap(&mut content, &mut made);
        }
        Ok(content)
    }
}

/// An entry with deltas that have not been computed yet.
struct Open {
    rank: Rank,
    kept: Kept,
    /// The number of its deltas that have been started.
    begun: usize,
}

enum Kept {
    Content(Vec<u8>),
    /// Dropped to save memory; it can be computed again.
    Dropped,
    /// It could not be computed.
    Broken,
}

impl Kept {
    fn bytes(&self) -> usize {
        if let Self::Content(content) = self { content.len() } else { 0 }
    }
}

/// The entries on the path from the root to the current one that have more deltas to compute.
#[derive(Default)]
struct Bases {
    path: Vec<Open>,
    /// The total size of all contents in bytes.
    bytes: usize,
    /// Entries before this index have no content.
    dropped: usize,
}

impl Bases {
    /// The next delta of the last entry here.
    fn next(&mut self, forest: &Forest, needed: &[Rank]) -> Option<Rank> {
        let open = self.path.last_mut()?;
        let left = &forest.deltas(open.rank)[open.begun..];
        let next = left.iter().position(|rank| needed[*rank as usize] > 0)?;
        open.begun += next + 1;
        Some(left[next])
    }

    /// Removes the last entry if the delta that was just computed was its last one.
    fn leave(&mut self, forest: &Forest) {
        if self.path.last().is_some_and(|open| open.begun == forest.deltas(open.rank).len()) {
            self.bytes -= self.path.pop().map_or(0, |open| open.kept.bytes());
            self.dropped = self.dropped.min(self.path.len());
        }
    }

    fn push(&mut self, rank: Rank, kept: Kept) {
        self.path.push(Open { rank, kept: Kept::Dropped, begun: 0 });
        self.restore(kept);
    }

    fn last_is_dropped(&self) -> bool {
        self.path.last().is_some_and(|open| matches!(open.kept, Kept::Dropped))
    }

    /// Stores the content of the last entry, which had none. If memory is short, the contents nearest to the root are
    /// dropped, because they are needed last. The last one is always kept, however large it is.
    fn restore(&mut self, kept: Kept) {
        let Some((last, before)) = self.path.split_last_mut() else { return };
        self.dropped = self.dropped.min(before.len());
        self.bytes += kept.bytes();
        last.kept = kept;
        while self.bytes > BASES_MAX
            && let Some(open) = before.get_mut(self.dropped)
        {
            if let Kept::Content(content) = &open.kept {
                self.bytes -= content.len();
                open.kept = Kept::Dropped;
            }
            self.dropped += 1;
        }
    }
}

#[cfg(test)]
#[path = "../../tests/common/packs.rs"]
mod packs;

#[cfg(test)]
mod tests {
    use super::packs::{blob_id, leb};
    use super::*;

    fn open(folder: &Path, pack: &packs::Pack) -> Pack {
        std::fs::write(folder.join("p.pack"), pack.pack()).unwrap();
        std::fs::write(folder.join("p.idx"), pack.index()).unwrap();
        Pack::open(&folder.join("p.idx"), ObjectHash::Sha1, Limit(1 << 20), true).unwrap()
    }

    /// The number of objects whose content matches their id, and the messages about the others.
    fn read(pack: &Pack, wanted: impl Fn(&ObjectId) -> bool) -> (usize, Vec<String>) {
        let (mut right, mut wrong) = (0, Vec::new());
        let flow = pack.objects(wanted, &mut |id, object| {
            match object {
                Ok(object) if blob_id(object.content) == id.as_bytes() => right += 1,
                Ok(_) => wrong.push("another hash".to_owned()),
                Err(why) => wrong.push(why),
            }
            ControlFlow::Continue(())
        });
        assert!(flow.unwrap().is_continue());
        (right, wrong)
    }

    /// The deltas form a trunk with binary trees below it, so bases are dropped and are needed again after their
    /// descendants.
    #[test]
    fn bases_that_had_to_go_are_made_again() {
        const SIZE: usize = 300_000;
        let mut content = vec![9; SIZE];
        let mut next = |pack: &mut packs::Pack, base: Option<u64>| {
            let number = pack.listed.len() as u32;
            content[SIZE - 4..].copy_from_slice(&number.to_be_bytes());
            // All of the base except its last bytes, followed by new bytes.
            let copy =
                [&[0xf0][..], &(SIZE as u32 - 4).to_le_bytes()[..3], &[4], &number.to_be_bytes()].concat();
            let delta = [leb(SIZE as u64), leb(SIZE as u64), copy].concat();
            match base {
                Some(base) => pack.ofs_delta(base, &delta, blob_id(&content)),
                None => pack.blob(&content),
            }
        };
        let mut pack = packs::Pack::new();
        let mut trunk = next(&mut pack, None);
        for _ in 0..4 {
            trunk = next(&mut pack, Some(trunk));
            let mut level = vec![trunk];
            for _ in 0..5 {
                let twice: Vec<u64> = level.iter().flat_map(|base| [*base; 2]).collect();
                level = twice.into_iter().map(|base| next(&mut pack, Some(base))).collect();
            }
        }
        let count = pack.listed.len();
        assert_eq!(count, 1 + 4 * 63);
        let folder = tempfile::tempdir().unwrap();
        let pack = open(folder.path(), &pack);
        assert_eq!(read(&pack, |_| true), (count, vec![]));
        // If only some entries are wanted, their bases are also read, but not reported.
        let some = |id: &ObjectId| id.as_bytes()[0] < 64;
        let expected = (0..pack.len()).filter(|i| some(&pack.index.id(*i))).count();
        assert_eq!(read(&pack, some), (expected, vec![]));
    }

    /// If the file were mapped into memory, a signal would kill the process.
    #[test]
    fn a_pack_that_is_truncated_or_removed_while_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let mut pack = packs::Pack::new();
        for i in 0..1000_u32 {
            pack.blob(&i.to_be_bytes().repeat(50));
        }
        let half = pack.listed[500].1;
        let pack = open(folder.path(), &pack);
        let path = folder.path().join("p.pack");
        std::fs::remove_file(folder.path().join("p.idx")).unwrap();
        std::fs::rename(&path, folder.path().join("gone")).unwrap();
        assert_eq!(read(&pack, |_| true), (1000, vec![]));
        let file = std::fs::File::options().write(true).open(folder.path().join("gone")).unwrap();
        file.set_len(half).unwrap();
        let (right, wrong) = read(&pack, |_| true);
        assert!(right > 300 && right + wrong.len() == 1000, "{right}");
        assert!(wrong.iter().all(|why| why == "it was truncated while it was read"), "{wrong:?}");
        file.set_len(0).unwrap();
        let mut headers = 0;
        let walked = pack.headers(|_| true, &mut |_, header| {
            headers += usize::from(header.is_err());
            ControlFlow::Continue(())
        });
        assert_eq!((walked.unwrap().1, headers), (Vec::new(), 1000));
        assert_eq!(pack.check_ends(), Err("it was truncated while it was read".to_owned()));
    }

    #[test]
    fn bases_nearest_to_the_root_go_first_when_room_is_short() {
        let mut bases = Bases::default();
        let third = BASES_MAX / 3;
        for rank in 0..5 {
            bases.push(rank, Kept::Content(vec![0; third]));
        }
        let held = |bases: &Bases| bases.path.iter().map(|open| open.kept.bytes() > 0).collect::<Vec<_>>();
        assert_eq!((held(&bases), bases.bytes), (vec![false, false, true, true, true], 3 * third));
        // Content that is restored replaces the content nearest to the root.
        bases.path.truncate(2);
        bases.bytes = 0;
        assert!(bases.last_is_dropped());
        bases.restore(Kept::Content(vec![0; third]));
        assert_eq!((held(&bases), bases.bytes), (vec![false, true], third));
        // Content that is larger than the limit is kept alone.
        bases.push(7, Kept::Content(vec![0; BASES_MAX + 1]));
        assert_eq!((held(&bases), bases.bytes), (vec![false, false, true], BASES_MAX + 1));
    }
}
