//! A pack and its index return the objects that were put in, in any order of the entries. Damage to an entry
//! changes only that entry and those that are based on it. For any files, no object exceeds the limit.
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
    /// One byte, repeated. A few of these take more memory than the reader uses to keep bases.
    Fill(u8, u8, u16),
    /// A delta that copies the whole content of an earlier entry up to twice and then appends bytes. The base
    /// is named by its offset if it comes earlier in the pack and `by_id` is false, and otherwise by its id.
    Delta { of: u8, times: u8, tail: Vec<u8>, by_id: bool },
    /// A delta whose base is another such entry, itself, or an object that doesn't exist. Entry and base are
    /// given by number.
    Lost(u8, u8),
}

#[derive(Arbitrary, Debug)]
struct Case {
    entries: Vec<Entry>,
    /// For each place in the pack, which of the remaining entries comes next.
    order: Vec<u8>,
    /// Bytes of the pack and of its index that are changed: the position, and the value that is combined by
    /// exclusive or. With `checksums`, the checksums are corrected.
    pack: Vec<(u16, u8)>,
    index: Vec<(u16, u8)>,
    checksums: bool,
    cut: u16,
    /// If set, the fuzzer's bytes are the pack and the index, instead of all of the above.
    raw: Option<(Vec<u8>, Vec<u8>)>,
}

/// The maximum size of an object in bytes.
const LIMIT: usize = 1 << 16;
/// The maximum number of entries, because each can be as large as the limit.
const ENTRIES: usize = 32;
/// The number of different ids of `Lost` entries.
const LOST: u8 = 8;
/// The types of objects, by their numbers in packs, minus 1.
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
    /// The position of the entry in the pack.
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

/// Builds the objects of the entries. Entries with an id that already occurs or with more bytes than the
/// limit are skipped.
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
                // A copy instruction copies at least one byte.
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

/// Writes the objects into a pack, in this order.
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
    // An index ends with the checksum of the pack, followed by its own checksum.
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
    // From here on, the index has the right ids and offsets.
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
