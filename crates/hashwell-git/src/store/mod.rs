//! Every object of a repository, each once, wherever it lies: packs and loose files of the repository and of its
//! alternates. A multi-pack index adds nothing to that, since git keeps the index of every pack next to it.
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

/// For fuzzers alone.
#[doc(hidden)]
pub mod parsers {
    use crate::id::{ObjectHash, ObjectId};
    use crate::store::pack::Pack;
    use crate::store::read::{Header, Limit, Object};
    use crate::store::{config, delta, loose};
    use std::collections::BTreeMap;
    use std::ops::ControlFlow;
    use std::path::Path;

    /// An entry of a pack, as it was read.
    #[derive(Debug)]
    pub struct PackEntry {
        /// That its index gives it.
        pub id: Vec<u8>,
        /// Type and size that its header says, or why there is none.
        pub header: Result<(String, u64), String>,
        /// Type and content of its object, or why there is none.
        pub object: Result<(String, Vec<u8>), String>,
    }

    /// All entries of the pack (SHA-1) next to an index; an object has at most `most` bytes.
    ///
    /// # Errors
    /// In words, if the pack or its index cannot be read at all.
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

    /// The object that a delta makes of its base.
    ///
    /// # Errors
    /// In words, for what is no delta of this base.
    pub fn apply_delta(base: &[u8], delta: &[u8]) -> Result<Vec<u8>, String> {
        let mut object = Vec::new();
        delta::apply(base, delta, &mut object).map(|()| object)
    }

    /// Bytes of an id of the repository with this configuration.
    ///
    /// # Errors
    /// In words, if the configuration cannot be read, or asks for what is not known here.
    pub fn object_format(config: &[u8]) -> Result<usize, String> {
        config::object_format(config).map(|hash| hash.id_len())
    }

    /// Size and place of a loose object's content.
    #[must_use]
    pub fn loose_header(head: &[u8]) -> Option<(u64, usize)> {
        loose::parse(head).map(|(header, start)| (header.size, start))
    }
}

/// Packs that are held open, so that git may replace them meanwhile; systems allow about a thousand open files.
const HELD_MAX: usize = 256;

/// The packs and loose files of a repository.
pub(crate) struct Store {
    /// Largest first, so that most objects have few packs before theirs.
    packs: Vec<Pack>,
    loose: Vec<Loose>,
    limit: Limit,
}

impl Store {
    /// Opens what is there. Packs that cannot be opened are named in the second part; their objects are missing.
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

    /// Bytes of packs and their indexes.
    pub(crate) fn packed_bytes(&self) -> u64 {
        self.packs.iter().map(Pack::disk_bytes).fold(0, u64::saturating_add)
    }

    /// Id, type and size of every object, or why its header cannot be read; in no order that means anything.
    pub(crate) fn headers(&self, each: &mut EachHeader<'_>) -> Walked {
        // Both closures of the walk call it, never at the same time.
        let each = RefCell::new(each);
        let mut reader = LooseReader::new(self.limit);
        self.walk(
            |_| true,
            |pack, wanted| pack.headers(wanted, &mut **each.borrow_mut()),
            |loose, id| (each.borrow_mut())(id, reader.header(loose, id)),
        )
    }

    /// Every chosen object, or why it cannot be read, in the order in which reading is cheap.
    pub(crate) fn objects(&self, chosen: impl Fn(&ObjectId) -> bool, each: &mut EachObject<'_>) -> Walked {
        let each = RefCell::new(each);
        let mut reader = LooseReader::new(self.limit);
        self.walk(
            chosen,
            |pack, wanted| pack.objects(wanted, &mut **each.borrow_mut()).map(|flow| (flow, Vec::new())),
            |loose, id| (each.borrow_mut())(id, reader.object(loose, id)),
        )
    }

    /// Visits packs and loose objects. What lies in several places is wanted from the first only.
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

/// The indexes of a folder's packs, and as damage every pack that has none. A folder that is missing has none.
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
