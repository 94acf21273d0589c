//! A pack and its index give the objects that were put in, in whatever order they stand there; damage to one entry changes
//! none but those made from it, and what is read of any files keeps within the limit.
#![no_main]

#[path = "../../crates/hashwell-git/tests/common/packs.rs"]
mod packs;

use std::collections::BTreeMap;
use std::ops::Range;

use arbitrary::Arbitrary;
use hashwell_git::parsers::read_pack;
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
enum Entry {
    /// An object of one of the four types.
    Whole(u8, Vec<u8>),
    /// One byte so many times: a few such are more than all bases that are kept.
    Fill(u8, u8, u16),
    /// All of an earlier entry's content so many times, and more; the base is named by its place, if it stands before, or by
    /// its id.
    Delta { of: u8, times: u8, tail: Vec<u8>, by_id: bool },
    /// A delta of another one of these, of itself or of none, by number.
    Lost(u8, u8),
}

#[derive(Arbitrary, Debug)]
struct Case {
    entries: Vec<Entry>,
    /// Which of those that are left stands next in the pack.
    order: Vec<u8>,
    /// Bytes of the pack that are others, then those of its index, whose checksums stay wrong or are put right.
    pack: Vec<(u16, u8)>,
    index: Vec<(u16, u8)>,
    checksums: bool,
    cut: u16,
    /// The files themselves, in the place of all that.
    raw: Option<(Vec<u8>, Vec<u8>)>,
}

/// Bytes of an object, at most.
const LIMIT: usize = 1 << 16;
/// Entries, at most: each may have as many bytes as the limit says.
const ENTRIES: usize = 32;
/// Of the entries that make nothing.
const LOST: u8 = 8;
/// By their numbers in packs.
const TYPES: [&str; 4] = ["commit", "tree", "blob", "tag"];

enum Made {
    /// Type and content.
    Whole(usize, Vec<u8>),
    /// Base, type, content, delta, and whether the base is named by its id.
    Delta(usize, usize, Vec<u8>, Vec<u8>, bool),
    /// The id of its base.
    Lost(Vec<u8>),
}

struct Object {
    id: Vec<u8>,
    made: Made,
    /// Its place in the pack.
    bytes: Range<usize>,
}

impl Object {
    fn expected(&self) -> Option<(String, Vec<u8>)> {
        match &self.made {
            Made::Whole(kind, content) | Made::Delta(_, kind, content, ..) => {
                Some((TYPES[*kind].to_owned(), content.clone()))
            }
            Made::Lost(_) => None,
        }
    }
}

/// What the entries are; none has another's id, or more bytes than the limit.
fn objects(entries: &[Entry]) -> Vec<Object> {
    let mut objects: Vec<Object> = Vec::new();
    for entry in entries.iter().take(ENTRIES) {
        let made = match entry {
            Entry::Whole(kind, content) => Made::Whole(usize::from(kind % 4), content.clone()),
            Entry::Fill(kind, byte, len) => {
                Made::Whole(usize::from(kind % 4), vec![*byte; usize::from(*len)])
            }
            Entry::Delta { of, times, tail, by_id } => {
                let Some(of) = usize::from(*of).checked_rem(objects.len()) else { continue };
                let Some((_, base)) = objects[of].expected() else { continue };
                let kind = match objects[of].made {
                    Made::Whole(kind, _) | Made::Delta(_, kind, ..) => kind,
                    Made::Lost(_) => continue,
                };
                // An instruction copies a byte at least.
                let times = if base.is_empty() { 0 } else { usize::from(times % 3) };
                let tail = &tail[..tail.len().min(127)];
                let delta = packs::delta(base.len() as u64, times as u64, tail);
                Made::Delta(of, kind, [&base.repeat(times), tail].concat(), delta, *by_id)
            }
            Entry::Lost(_, to) => Made::Lost(vec![to % LOST; 20]),
        };
        let id = match (&made, entry) {
            (_, Entry::Lost(number, _)) => vec![number % LOST; 20],
            (Made::Whole(kind, content) | Made::Delta(_, kind, content, ..), _) => {
                packs::sha1(&[format!("{} {}\0", TYPES[*kind], content.len()).as_bytes(), content].concat())
            }
            _ => continue,
        };
        let large = matches!(&made, Made::Whole(_, content) | Made::Delta(_, _, content, ..) if content.len() > LIMIT);
        if !large && objects.iter().all(|object| object.id != id) {
            objects.push(Object { id, made, bytes: 0..0 });
        }
    }
    objects
}

/// The pack of them, in that order.
fn written(objects: &mut [Object], order: &[u8]) -> packs::Pack {
    let mut pack = packs::Pack::new();
    let mut left: Vec<usize> = (0..objects.len()).collect();
    let mut order = order.iter();
    while !left.is_empty() {
        let next = left.remove(order.next().map_or(0, |next| usize::from(*next) % left.len()));
        let id = objects[next].id.clone();
        let start = match &objects[next].made {
            Made::Whole(kind, content) => {
                pack.entry(*kind as u8 + 1, content.len() as u64, &[], &packs::deflated(content), id)
            }
            Made::Delta(base, _, _, delta, by_id) => match objects[*base].bytes.start {
                start if start > 0 && !by_id => pack.ofs_delta(start as u64, delta, id),
                _ => pack.ref_delta(&objects[*base].id, delta, id),
            },
            Made::Lost(to) => pack.ref_delta(to, &packs::delta(0, 0, b""), id),
        };
        objects[next].bytes = start as usize..pack.bytes.len();
    }
    pack
}

fn damaged(bytes: &mut [u8], by: &[(u16, u8)]) {
    let len = bytes.len();
    by.iter().filter(|_| len > 0).for_each(|(at, to)| bytes[usize::from(*at) % len] ^= to);
}

fn with_checksum(bytes: &mut [u8]) {
    if let Some(body) = bytes.len().checked_sub(20) {
        let checksum = packs::sha1(&bytes[..body]);
        bytes[body..].copy_from_slice(&checksum);
    }
}

fuzz_target!(|case: Case| {
    let mut objects = objects(&case.entries);
    let made = written(&mut objects, &case.order);
    let (whole, index) = (made.pack(), made.index());
    let (mut of_pack, mut of_index) = (whole.clone(), index.clone());
    damaged(&mut of_pack, &case.pack);
    damaged(&mut of_index, &case.index);
    // An index ends with the pack's checksum and its own.
    let end = index.len() - 40;
    if case.checksums {
        with_checksum(&mut of_pack);
        of_index[end..][..20].copy_from_slice(&of_pack[of_pack.len() - 20..]);
        with_checksum(&mut of_index);
    }
    of_pack.truncate(of_pack.len() - usize::from(case.cut).min(of_pack.len()));
    if let Some((pack, index)) = &case.raw {
        (of_pack, of_index) = (pack.clone(), index.clone());
    }

    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let path = folder.path().join("p.idx");
    std::fs::write(&path, &of_index).unwrap();
    std::fs::write(folder.path().join("p.pack"), &of_pack).unwrap();
    let read = read_pack(&path, LIMIT as u64);
    let is_sound = of_pack == whole && of_index == index;
    assert!(read.is_ok() || !is_sound, "{read:?}");
    let Ok(read) = read else { return };
    for entry in &read {
        if let Ok((kind, content)) = &entry.object {
            assert!(content.len() <= LIMIT);
            assert_eq!(entry.header, Ok((kind.clone(), content.len() as u64)));
        }
    }
    if of_index.get(..end) != Some(&index[..end]) {
        return;
    }
    // The index lists the entries where they stand.
    let mut read: BTreeMap<_, _> = read.into_iter().map(|entry| (entry.id, entry.object.ok())).collect();
    assert_eq!(read.len(), objects.len());
    let is_whole = |object: &Object| of_pack.get(object.bytes.clone()) == Some(&whole[object.bytes.clone()]);
    let lost_are_whole = objects.iter().filter(|object| matches!(object.made, Made::Lost(_))).all(is_whole);
    let mut whole_objects: Vec<bool> = Vec::new();
    for object in &objects {
        let base_is_whole = match object.made {
            Made::Whole(..) => true,
            Made::Delta(base, ..) => whole_objects[base],
            Made::Lost(_) => lost_are_whole,
        };
        whole_objects.push(base_is_whole && is_whole(object));
        let object_read = read.remove(&object.id).unwrap();
        if base_is_whole && is_whole(object) {
            assert!(object_read == object.expected(), "{}", packs::hex(&object.id));
        }
    }
});
