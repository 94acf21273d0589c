//! Reads every object of a repository once, from the packs and loose files of the repository and of its alternates.
//! Multi-pack indexes are not needed, because git keeps the index of every pack as well.
//!
//! ```text
//! place (config) -> indexes, packs (forest, inflate, delta), loose files -> headers | objects
//! ```

mod config;
mod delta;
mod entry;
mod forest;
mod index;
mod inflate;
mod loose;
mod pack;
pub(crate) mod place;
pub(crate) mod read;

use crate::files::reason;
use crate::id::ObjectId;
use loose::{Loose, LooseReader};
use pack::Pack;
use place::Place;
use read::{Damage, EachHeader, EachObject, Limit, Walked};
use std::cell::RefCell;
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Only for fuzzers.
#[doc(hidden)]
pub mod parsers {
    use crate::id::{ObjectHash, ObjectId};
    use crate::store::pack::Pack;
    use crate::store::read::{Header, Limit, Object};
    use crate::store::{config, delta, loose};
    use std::collections::BTreeMap;
    use std::ops::ControlFlow;
    use std::path::Path;

    /// The result of reading a pack entry.
    #[derive(Debug)]
    pub struct PackEntry {
        /// The id from the index.
        pub id: Vec<u8>,
        /// The type and size in its header, or an error.
        pub header: Result<(String, u64), String>,
        /// The type and content of its object, or an error.
        pub object: Result<(String, Vec<u8>), String>,
    }

    /// Reads all entries of the pack (SHA-1) that belongs to an index. An object may have at most `most` bytes.
    ///
    /// # Errors
    /// Returns a message if the pack or its index cannot be read at all.
    pub fn read_pack(index: &Path, most: u64) -> Result<Vec<PackEntry>, String> {
        let pack = Pack::open(index, ObjectHash::Sha1, Limit(most), true)?;
        pack.check_ends()?;
        let mut headers = BTreeMap::new();
        let mut note = |id: &ObjectId, header: Result<Header, String>| {
            let header = header.map(|header| (header.kind.name().to_owned(), header.size));
            headers.insert(id.as_bytes().to_vec(), header);
            ControlFlow::Continue(())
        };
        let _ = pack.headers(|_| true, &mut note)?;
        let mut entries = Vec::new();
        let mut keep = |id: &ObjectId, object: Result<Object<'_>, String>| {
            let id = id.as_bytes().to_vec();
            let header = headers.remove(&id).unwrap_or_else(|| Err("it was not shown".to_owned()));
            let object = object.map(|object| (object.kind.name().to_owned(), object.content.to_vec()));
            entries.push(PackEntry { id, header, object });
            ControlFlow::Continue(())
        };
        let _ = pack.objects(|_| true, &mut keep)?;
        Ok(entries)
    }

    /// Applies a delta to its base.
    ///
    /// # Errors
    /// Returns a message if this is not a delta of this base.
    pub fn apply_delta(base: &[u8], delta: &[u8]) -> Result<Vec<u8>, String> {
        let mut object = Vec::new();
        delta::apply(base, delta, &mut object).map(|()| object)
    }

    /// The number of bytes of an id in a repository with this configuration.
    ///
    /// # Errors
    /// Returns a message if the configuration cannot be read, or requires an unsupported feature.
    pub fn object_format(config: &[u8]) -> Result<usize, String> {
        config::object_format(config).map(|hash| hash.id_len())
    }

    /// The size and the offset of a loose object's content.
    #[must_use]
    pub fn loose_header(head: &[u8]) -> Option<(u64, usize)> {
        loose::parse(head).map(|(header, start)| (header.size, start))
    }
}

/// The maximum number of packs that are kept open, so that they can be read even if git replaces them. Systems allow
/// about a thousand open files.
const HELD_MAX: usize = 256;

/// The packs and loose files of a repository.
pub(crate) struct Store {
    /// The packs, the largest first, so that for most objects few packs must be searched.
    packs: Vec<Pack>,
    loose: Vec<Loose>,
    limit: Limit,
}

impl Store {
    /// Opens all packs and loose files. Packs that cannot be opened are returned as damage; their objects are missing.
    pub(crate) fn open(place: &Place, limit: Limit) -> (Self, Vec<Damage>) {
        let mut damage = Vec::new();
        let mut packs = Vec::new();
        let folders = place.objects.iter().map(|objects| objects.join("pack"));
        for index in folders.flat_map(|folder| indexes(&folder, &mut damage)).collect::<Vec<_>>() {
            match Pack::open(&index, place.hash, limit, packs.len() < HELD_MAX) {
                Ok(pack) => {
                    if let Err(why) = pack.check_ends() {
                        damage.push(Damage { path: pack.path().to_owned(), why });
                    }
                    packs.push(pack);
                }
                Err(why) => damage.push(Damage { path: index, why }),
            }
        }
        packs.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.path().cmp(b.path())));
        let loose = place.objects.iter().map(|objects| Loose::new(objects.clone(), place.hash));
        (Self { packs, loose: loose.collect(), limit }, damage)
    }

    pub(crate) fn packs(&self) -> usize {
        self.packs.len()
    }

    /// The files of the packs.
    pub(crate) fn pack_files(&self) -> Vec<PathBuf> {
        self.packs.iter().map(|pack| pack.path().with_extension("pack")).collect()
    }

    /// The number of loose objects that are in no pack.
    pub(crate) fn loose_objects(&self) -> u64 {
        let ids = self.loose.iter().flat_map(|loose| {
            // Folders that cannot be read were reported by the walk.
            (0..=u8::MAX).flat_map(|first| loose.ids(first, &mut Vec::new()))
        });
        ids.filter(|id| !self.packs.iter().any(|pack| pack.contains(id))).count() as u64
    }

    /// The size in bytes of the packs and their indexes.
    pub(crate) fn packed_bytes(&self) -> u64 {
        self.packs.iter().map(Pack::disk_bytes).fold(0, u64::saturating_add)
    }

    /// Calls `each` for every object, with its id and with its type and size, or with the reason why its header cannot
    /// be read. The order is unspecified.
    pub(crate) fn headers(&self, each: &mut EachHeader<'_>) -> Walked {
        // Both closures of the walk call it, but never at the same time.
        let each = RefCell::new(each);
        let mut reader = LooseReader::new(self.limit);
        self.walk(
            |_| true,
            |pack, wanted| pack.headers(wanted, &mut **each.borrow_mut()),
            |loose, id| (each.borrow_mut())(id, reader.header(loose, id)),
        )
    }

    /// Calls `each` with every chosen object, or with the reason why it cannot be read, in the order in which reading
    /// is fastest.
    pub(crate) fn objects(&self, chosen: impl Fn(&ObjectId) -> bool, each: &mut EachObject<'_>) -> Walked {
        let each = RefCell::new(each);
        let mut reader = LooseReader::new(self.limit);
        self.walk(
            chosen,
            |pack, wanted| pack.objects(wanted, &mut **each.borrow_mut()).map(|flow| (flow, Vec::new())),
            |loose, id| (each.borrow_mut())(id, reader.object(loose, id)),
        )
    }

    /// Visits packs and loose objects. An object that exists in several places is only read from the first one.
    fn walk(
        &self,
        chosen: impl Fn(&ObjectId) -> bool,
        mut in_pack: impl FnMut(&Pack, &dyn Fn(&ObjectId) -> bool) -> InPack,
        mut loose_one: impl FnMut(&Loose, &ObjectId) -> ControlFlow<()>,
    ) -> Walked {
        let mut walked = Walked { stopped: false, damage: Vec::new() };
        for (i, pack) in self.packs.iter().enumerate() {
            let wanted =
                |id: &ObjectId| chosen(id) && !self.packs[..i].iter().any(|before| before.contains(id));
            let (flow, wrong) =
                in_pack(pack, &wanted).unwrap_or_else(|why| (ControlFlow::Continue(()), vec![why]));
            let damage = wrong.into_iter().map(|why| Damage { path: pack.path().to_owned(), why });
            walked.damage.extend(damage);
            if flow.is_break() {
                return Walked { stopped: true, ..walked };
            }
        }
        for (i, loose) in self.loose.iter().enumerate() {
            let elsewhere = |id: &ObjectId| {
                self.packs.iter().any(|pack| pack.contains(id))
                    || self.loose[..i].iter().any(|before| before.contains(id))
            };
            for first in 0..=u8::MAX {
                for id in loose.ids(first, &mut walked.damage) {
                    if chosen(&id) && !elsewhere(&id) && loose_one(loose, &id).is_break() {
                        return Walked { stopped: true, ..walked };
                    }
                }
            }
        }
        walked
    }
}

/// The result of a walk through a pack: a break if it was stopped, and problems of the pack as a whole.
type InPack = Result<(ControlFlow<()>, Vec<String>), String>;

/// The indexes of a folder's packs. Packs without an index are added to `damage`. A missing folder has no packs.
fn indexes(folder: &Path, damage: &mut Vec<Damage>) -> Vec<PathBuf> {
    let files = match std::fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
        Ok(files) => files,
        Err(error) if error.kind() == ErrorKind::NotFound => return Vec::new(),
        Err(error) => {
            damage.push(Damage { path: folder.to_owned(), why: reason(&error) });
            return Vec::new();
        }
    };
    let packs = files
        .iter()
        .map(std::fs::DirEntry::path)
        .filter(|path| path.extension().is_some_and(|e| e == "pack"));
    let has_index = |pack: &PathBuf| pack.with_extension("idx").symlink_metadata().is_ok();
    let (with, without): (Vec<_>, Vec<_>) = packs.partition(has_index);
    damage.extend(without.into_iter().map(|path| Damage { path, why: "it has no index (.idx)".to_owned() }));
    with.into_iter().map(|pack| pack.with_extension("idx")).collect()
}
