//! Every object of a repository, each once, wherever it lies: packs and loose files of the repository and of its
//! alternates. A multi-pack-index adds nothing to that, since git keeps the index of every pack beside it.

use super::pack::Pack;
use super::place::Place;
use super::{Header, Object, one_line};
use crate::report::reason;
use gix_hash::{ObjectId, oid};
use std::cell::RefCell;
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The packs and loose files of a repository.
pub(crate) struct Store {
    /// Largest first, so that most objects have few packs before theirs.
    packs: Vec<Pack>,
    loose: Vec<gix_odb::loose::Store>,
}

/// A part of the store that could not be used, or not in full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Damage {
    pub(crate) path: PathBuf,
    pub(crate) why: String,
}

impl Store {
    /// Opens what is there. Packs that cannot be opened are named in the second part; their objects are missing.
    pub(crate) fn open(place: &Place) -> (Self, Vec<Damage>) {
        let mut damage = Vec::new();
        let mut packs = Vec::new();
        let folders = place.objects.iter().map(|objects| objects.join("pack"));
        for index in folders.flat_map(|folder| indexes(&folder, &mut damage)).collect::<Vec<_>>() {
            match Pack::open(&index, place.hash) {
                Ok(pack) => {
                    if let Err(why) = pack.check_end() {
                        damage.push(Damage { path: pack.path().to_owned(), why });
                    }
                    packs.push(pack);
                }
                Err(why) => damage.push(Damage { path: index, why }),
            }
        }
        packs.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.path().cmp(b.path())));
        let loose = place.objects.iter().map(|objects| gix_odb::loose::Store::at(objects, place.hash));
        (Self { packs, loose: loose.collect() }, damage)
    }

    pub(crate) fn packs(&self) -> usize {
        self.packs.len()
    }

    /// Bytes of packs and their indexes.
    pub(crate) fn packed_bytes(&self) -> u64 {
        self.packs.iter().map(Pack::disk_bytes).sum()
    }

    /// Id, type and size of every object, or why its header cannot be read; in no order that means anything.
    pub(crate) fn headers(&self, each: &mut EachHeader<'_>) -> Walked {
        // Both closures of the walk call it, never at the same time.
        let each = RefCell::new(each);
        self.walk(
            |_| true,
            |pack, wanted| pack.headers(wanted, &mut **each.borrow_mut()),
            |loose, id| (each.borrow_mut())(id, loose_header(loose, id)),
        )
    }

    /// Every chosen object, or why it cannot be read, in the order in which reading is cheap.
    pub(crate) fn objects(&self, chosen: impl Fn(&oid) -> bool, each: &mut EachObject<'_>) -> Walked {
        let each = RefCell::new(each);
        let mut content = Vec::new();
        self.walk(
            chosen,
            |pack, wanted| pack.objects(wanted, &mut **each.borrow_mut()),
            |loose, id| (each.borrow_mut())(id, loose_object(loose, id, &mut content)),
        )
    }

    /// Visits packs and loose objects. What lies in several places is wanted from the first only.
    fn walk(
        &self,
        chosen: impl Fn(&oid) -> bool,
        mut in_pack: impl FnMut(&Pack, &dyn Fn(&oid) -> bool) -> Result<ControlFlow<()>, String>,
        mut loose_one: impl FnMut(&gix_odb::loose::Store, &oid) -> ControlFlow<()>,
    ) -> Walked {
        let mut walked = Walked { stopped: false, damage: Vec::new() };
        for (i, pack) in self.packs.iter().enumerate() {
            let wanted = |id: &oid| chosen(id) && !self.packs[..i].iter().any(|before| before.contains(id));
            match in_pack(pack, &wanted) {
                Ok(flow) if flow.is_break() => return Walked { stopped: true, ..walked },
                Ok(_) => {}
                Err(why) => walked.damage.push(Damage { path: pack.path().to_owned(), why }),
            }
        }
        for (i, loose) in self.loose.iter().enumerate() {
            let elsewhere = |id: &oid| {
                self.packs.iter().any(|pack| pack.contains(id))
                    || self.loose[..i].iter().any(|before| before.contains(id))
            };
            for id in loose_ids(loose, &mut walked.damage) {
                if chosen(&id) && !elsewhere(&id) && loose_one(loose, &id).is_break() {
                    return Walked { stopped: true, ..walked };
                }
            }
        }
        walked
    }
}

/// What [`Store::headers`] calls for each object; a break ends the walk.
pub(crate) type EachHeader<'a> = dyn FnMut(&oid, Result<Header, String>) -> ControlFlow<()> + 'a;

/// What [`Store::objects`] calls for each object; a break ends the walk.
pub(crate) type EachObject<'a> = dyn FnMut(&oid, Result<Object<'_>, String>) -> ControlFlow<()> + 'a;

/// How a walk went.
#[derive(Debug)]
pub(crate) struct Walked {
    /// Whether it was ended before its end.
    pub(crate) stopped: bool,
    /// Parts that could not be read at all.
    pub(crate) damage: Vec<Damage>,
}

const GONE: &str = "it is gone: does another program work on the repository?";

fn loose_header(loose: &gix_odb::loose::Store, id: &oid) -> Result<Header, String> {
    let header = loose.try_header(id).map_err(|e| one_line(&e))?;
    header.map(|(size, kind)| Header { kind, size }).ok_or_else(|| GONE.to_owned())
}

fn loose_object<'a>(
    loose: &gix_odb::loose::Store,
    id: &oid,
    content: &'a mut Vec<u8>,
) -> Result<Object<'a>, String> {
    let object = loose.try_find(id, content).map_err(|e| one_line(&e))?;
    object.map(|o| Object { kind: o.kind, content: o.data }).ok_or_else(|| GONE.to_owned())
}

/// Ids of all loose objects, sorted, so that two runs read them in the same order.
fn loose_ids(loose: &gix_odb::loose::Store, damage: &mut Vec<Damage>) -> Vec<ObjectId> {
    let mut ids = Vec::new();
    for id in loose.iter() {
        match id {
            Ok(id) => ids.push(id),
            Err(error) => damage.push(Damage {
                path: error.path().unwrap_or(Path::new("")).to_owned(),
                why: error.to_string(),
            }),
        }
    }
    ids.sort_unstable();
    ids
}

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
    let (with, without): (Vec<_>, Vec<_>) = packs.partition(|pack| pack.with_extension("idx").is_file());
    damage.extend(without.into_iter().map(|path| Damage { path, why: "it has no index (.idx)".to_owned() }));
    with.into_iter().map(|pack| pack.with_extension("idx")).collect()
}
