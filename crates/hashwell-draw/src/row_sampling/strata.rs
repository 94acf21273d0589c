//! Uniform samples of many strata in little memory. A stratum takes 48 bytes plus 24 bytes for each row, not counting
//! the row's bytes and a long label; a [`Part`] takes more than a kilobyte. The picks are the same as with one [`Part`]
//! for each stratum.

use super::design::SlotsDesign;
use super::kind::Kind;
use super::part::{EachPart, Part};
use super::row::{Kept, PickedRow, no_memory};
use super::sampler::{KeyRng, Sampler, words_from};
use super::seed::words_of_order;
use crate::order::{places_in_order, sort_unstable};
use crate::sample::{Ids, Reservoir, SkipReservoir, StratumKeys};
use crate::{Error, Key, draw};
use hashwell::{ByteSource, Sha256};
use std::borrow::Cow;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

/// The number of rows whose strata are looked up together.
const BLOCK: usize = 256;

/// A stratum that has consumed more random numbers than this gets a sampler, which generates them in large blocks.
const FEW_WORDS: u64 = 64;

/// The maximum length of a label stored in its entry.
const SHORT: usize = 14;

/// The length byte of a label that is in `long_labels`.
const ELSEWHERE: u8 = u8::MAX;

/// Replaced rows are not removed while they have fewer bytes than this.
const LEFT: u64 = 1 << 20;

/// Rows whose bytes are stored in one vector.
#[derive(Clone, Debug, Default)]
pub(super) struct PackedRows {
    bytes: Vec<u8>,
    rows: Vec<Packed>,
}

/// A row in [`PackedRows`]. The number 0 means that there is no row.
#[derive(Clone, Copy, Debug, Default)]
struct Packed {
    number: u64,
    at: u64,
    len: u32,
    /// The number of bytes, starting at `at`, that belong to this row.
    room: u32,
}

/// A stratum.
#[derive(Clone)]
struct Entry {
    /// The label, or the index of a long label.
    label: [u8; SHORT + 1],
    label_len: u8,
    /// The first of the stratum's places for rows.
    first: u32,
    /// The number of random numbers consumed, if there is no sampler.
    used: u32,
    seen: u64,
    /// The number of rows to skip before one enters.
    skip: u64,
    sampler: Option<Box<SkipReservoir<KeyRng>>>,
}

/// The strata of a uniform sample.
#[derive(Clone)]
pub(super) struct Strata {
    key: Key,
    k: usize,
    hasher: RandomState,
    /// A hash table with open addressing. The upper half of a value is the hash of a label, the lower half the index of its
    /// entry plus 1.
    table: Vec<u64>,
    entries: Vec<Entry>,
    long_labels: Vec<Vec<u8>>,
    /// The places of all strata. A stratum that fills its places gets twice as many, up to k.
    rows: PackedRows,
    /// For each power of two, the first places of free blocks with this number of places.
    free: Vec<Vec<u32>>,
    /// The number of bytes of replaced rows.
    left: u64,
    /// The number of rows offered.
    seen: u64,
}

/// The type in which a sample stores its strata.
pub(super) type AllStrata = Box<Strata>;

/// The random numbers of a stratum, generated in blocks of four. Only full 64-bit numbers are read.
struct Words {
    key: Key,
    block: [u8; 32],
    /// The number of the current block.
    number: u64,
    /// The number of random numbers consumed.
    used: u64,
}

impl Words {
    fn new(key: Key, used: u64) -> Self {
        let number = used / 4;
        Self { key, block: Sha256::digest(&key.words_message(number)), number, used }
    }
}

impl ByteSource for Words {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), hashwell::Error> {
        for word in out.chunks_mut(8) {
            if self.used / 4 != self.number {
                *self = Self::new(self.key, self.used);
            }
            let at = (self.used % 4) as usize * 8;
            word.copy_from_slice(&self.block[at..at + word.len()]);
            self.used += 1;
        }
        Ok(())
    }
}

/// The number of places that a stratum with this number of rows has.
fn places(rows: usize, k: usize) -> usize {
    if rows == 0 { 0 } else { rows.checked_next_power_of_two().unwrap_or(k).min(k) }
}

impl Strata {
    /// Returns an empty sample, or `None` for designs that use parts.
    pub(super) fn of(design: &SlotsDesign, key: Key) -> Option<AllStrata> {
        let own = || Self {
            key,
            k: design.k,
            hasher: RandomState::new(),
            table: Vec::new(),
            entries: Vec::new(),
            long_labels: Vec::new(),
            rows: PackedRows::default(),
            free: Vec::new(),
            left: 0,
            seen: 0,
        };
        let is_kept_here = design.stratify.is_some() && design.kind == Kind::Equal;
        is_kept_here.then(|| Box::new(own()))
    }

    /// The number of rows offered.
    pub(super) fn seen(&self) -> u64 {
        self.seen
    }

    /// The number of strata.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The number of strata with fewer than k rows.
    pub(super) fn short(&self) -> usize {
        self.entries.iter().filter(|entry| entry.seen < self.k as u64).count()
    }

    fn label(&self, entry: usize) -> &[u8] {
        let entry = &self.entries[entry];
        match entry.label_len {
            ELSEWHERE => {
                let at = u32::from_le_bytes(std::array::from_fn(|i| entry.label[i]));
                &self.long_labels[at as usize]
            }
            len => &entry.label[..len.into()],
        }
    }

    fn hash(&self, label: &[u8]) -> u32 {
        (self.hasher.hash_one(label) >> 32) as u32
    }

    /// The entry of a label with this hash.
    fn find(&self, hash: u32, label: &[u8]) -> Option<usize> {
        let mask = self.table.len().checked_sub(1)?;
        let mut at = hash as usize & mask;
        loop {
            let found = self.table[at];
            let entry = (found as u32).checked_sub(1)? as usize;
            if (found >> 32) as u32 == hash && self.label(entry) == label {
                return Some(entry);
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds an entry. Nothing has changed after an error.
    fn insert(&mut self, hash: u32, label: &[u8]) -> Result<usize, Error> {
        let no_memory = |_| Error::Memory { what: "strata" };
        let number = self.entries.len();
        let index = u32::try_from(number + 1).map_err(|_| Error::Memory { what: "strata" })?;
        if 4 * (number + 1) > 3 * self.table.len() {
            let len = (2 * self.table.len()).max(16);
            let mut table = Vec::new();
            table.try_reserve_exact(len).map_err(no_memory)?;
            table.resize(len, 0);
            for found in self.table.iter().filter(|found| **found != 0) {
                *empty(&mut table, (found >> 32) as u32) = *found;
            }
            self.table = table;
        }
        self.entries.try_reserve(1).map_err(no_memory)?;
        let mut bytes = [0; SHORT + 1];
        let label_len = if let Some(place) = bytes[..SHORT].get_mut(..label.len()) {
            place.copy_from_slice(label);
            label.len() as u8
        } else {
            let mut own = Vec::new();
            own.try_reserve_exact(label.len()).map_err(no_memory)?;
            own.extend_from_slice(label);
            self.long_labels.try_reserve(1).map_err(no_memory)?;
            bytes[..4].copy_from_slice(&(self.long_labels.len() as u32).to_le_bytes());
            self.long_labels.push(own);
            ELSEWHERE
        };
        let skip = if self.k == 0 { u64::MAX } else { 0 };
        self.entries.push(Entry { label: bytes, label_len, first: 0, used: 0, seen: 0, skip, sampler: None });
        *empty(&mut self.table, hash) = u64::from(hash) << 32 | u64::from(index);
        Ok(number)
    }

    /// Removes the last entry, which has no rows and whose label has this hash.
    fn remove_last(&mut self, hash: u32) {
        let last = u64::from(hash) << 32 | self.entries.len() as u64;
        let (mask, mut at) = (self.table.len() - 1, hash as usize);
        while self.table[at & mask] != last {
            at += 1;
        }
        // No remaining entry was inserted by probing past this place.
        self.table[at & mask] = 0;
        if self.entries.pop().is_some_and(|entry| entry.label_len == ELSEWHERE) {
            self.long_labels.pop();
        }
    }

    /// Offers a row with its number, from 1, and the label of its stratum. `row` is called only if the row is kept.
    pub(super) fn offer<'a>(
        &mut self,
        number: u64,
        label: &[u8],
        row: &mut dyn FnMut() -> Result<Cow<'a, [u8]>, Error>,
    ) -> Result<(), Error> {
        let hash = self.hash(label);
        self.offer_hashed(number, hash, label, None, row)
    }

    /// Offers several rows, the first of which has this number. `label` and `row` get the index among these rows, from 0.
    pub(super) fn pass<'l, 'r>(
        &mut self,
        first: u64,
        rows: usize,
        label: &dyn Fn(usize) -> &'l [u8],
        row: &mut dyn FnMut(usize) -> Result<Cow<'r, [u8]>, Error>,
    ) -> Result<(), Error> {
        let keys = StratumKeys::new(&self.key)?;
        let (mut hashes, mut found) = ([0; BLOCK], [None; BLOCK]);
        let (mut wanted, mut ready) = (Vec::new(), Vec::new());
        for begin in (0..rows).step_by(BLOCK) {
            let len = BLOCK.min(rows - begin);
            // The lookups are independent, so the CPU loads the entries of several rows at the same time.
            for (i, hash) in hashes[..len].iter_mut().enumerate() {
                *hash = self.hash(label(begin + i));
            }
            for i in 0..len {
                found[i] = self.find(hashes[i], label(begin + i));
            }
            wanted.clear();
            wanted.extend((0..len).filter_map(|i| Some((i, self.wanted_block(found[i])?))));
            ready.clear();
            let write = |some: Range<usize>, out: &mut Ids| {
                wanted[some].iter().try_for_each(|(i, _)| out.push(label(begin + i)))
            };
            keys.each_written(
                wanted.len(),
                write,
                |at| wanted[at].1,
                |at, key, block| {
                    let (i, number) = wanted[at];
                    ready.push((i, Words { key, block: *block, number, used: 0 }));
                },
            )?;
            let mut ready = ready.drain(..).peekable();
            for i in 0..len {
                let words = ready.next_if(|(row, _)| *row == i).map(|(_, words)| words);
                let mut row = || row(begin + i);
                let number = first + (begin + i) as u64;
                match found[i] {
                    Some(entry) => self.take(entry, number, words, &mut row)?,
                    None => self.offer_hashed(number, hashes[i], label(begin + i), words, &mut row)?,
                }
            }
        }
        Ok(())
    }

    /// The block of random numbers that the next row of a stratum may need, if it needs any.
    fn wanted_block(&self, entry: Option<usize>) -> Option<u64> {
        let Some(entry) = entry else { return (self.k == 1).then_some(0) };
        let entry = &self.entries[entry];
        let needs =
            entry.skip == 0 && entry.sampler.is_none() && entry.seen.saturating_add(1) >= self.k as u64;
        needs.then_some(u64::from(entry.used) / 4)
    }

    fn offer_hashed<'a>(
        &mut self,
        number: u64,
        hash: u32,
        label: &[u8],
        words: Option<Words>,
        row: &mut dyn FnMut() -> Result<Cow<'a, [u8]>, Error>,
    ) -> Result<(), Error> {
        if let Some(entry) = self.find(hash, label) {
            return self.take(entry, number, words, row);
        }
        let entry = self.insert(hash, label)?;
        self.take(entry, number, words, row).inspect_err(|_| self.remove_last(hash))
    }

    /// Offers a row to a stratum, with a block of its random numbers if there is one. An error changes nothing.
    fn take<'a>(
        &mut self,
        at: usize,
        number: u64,
        words: Option<Words>,
        row: &mut dyn FnMut() -> Result<Cow<'a, [u8]>, Error>,
    ) -> Result<(), Error> {
        let k = self.k;
        let entry = &mut self.entries[at];
        if entry.skip > 0 {
            entry.seen += 1;
            self.seen += 1;
            // After the largest skip, no row with a 64-bit number enters.
            entry.skip -= u64::from(entry.skip != u64::MAX);
            return Ok(());
        }
        let bytes = row()?;
        // Memory is allocated before anything is drawn, so that an error changes nothing.
        let filled = usize::try_from(entry.seen).map_or(k, |seen| seen.min(k));
        let len = self.room_for(&bytes)?;
        if filled < k {
            self.make_place(at, filled)?;
        }
        let entry = &mut self.entries[at];
        let slot = if let Some(sampler) = &mut entry.sampler {
            sampler.passed(entry.seen - sampler.seen());
            let slot = sampler.enter()?;
            entry.skip = sampler.skip();
            slot
        } else if filled + 1 < k {
            filled
        } else {
            let used = entry.used.into();
            let words = match words {
                Some(words) => Words { used, ..words },
                None => {
                    let key = self.key.stratum(self.label(at));
                    Words::new(key, used)
                }
            };
            let entry = &mut self.entries[at];
            let mut sampler = SkipReservoir::resumed(words, k, entry.seen, 0)?;
            let slot = sampler.enter()?;
            let Words { key, used, .. } = *sampler.words();
            entry.skip = sampler.skip();
            // This is below FEW_WORDS plus the random numbers of one more row.
            entry.used = used as u32;
            if used > FEW_WORDS {
                let words = words_from(&key, Some(u128::from(used) * 8))?;
                entry.sampler = Some(Box::new(SkipReservoir::resumed(words, k, entry.seen + 1, entry.skip)?));
            }
            slot
        };
        let entry = &mut self.entries[at];
        entry.seen += 1;
        self.seen += 1;
        let slot = entry.first as usize + slot;
        self.put(slot, number, &bytes, len);
        Ok(())
    }

    /// Makes room for the bytes of a row, and returns their number.
    fn room_for(&mut self, bytes: &[u8]) -> Result<u32, Error> {
        self.rows.bytes.try_reserve(bytes.len()).map_err(|_| no_memory())?;
        u32::try_from(bytes.len()).map_err(|_| no_memory())
    }

    /// Makes a place for one more row of a stratum with `filled` rows.
    fn make_place(&mut self, at: usize, filled: usize) -> Result<(), Error> {
        let (old, new) = (places(filled, self.k), places(filled + 1, self.k));
        if new == old {
            return Ok(());
        }
        let class = |places: usize| places.ilog2() as usize;
        let from = self.entries[at].first as usize;
        let reused =
            if new.is_power_of_two() { self.free.get_mut(class(new)).and_then(Vec::pop) } else { None };
        let first = match reused {
            Some(first) => first,
            None => {
                let first = u32::try_from(self.rows.rows.len()).map_err(|_| no_memory())?;
                self.rows.rows.try_reserve(new).map_err(|_| no_memory())?;
                self.rows.rows.resize(first as usize + new, Packed::default());
                first
            }
        };
        if old > 0 {
            // If there is no memory for the free list, these places stay unused.
            if self.free.len() <= class(old) && self.free.try_reserve(class(old) + 1).is_ok() {
                self.free.resize(class(old) + 1, Vec::new());
            }
            if let Some(free) = self.free.get_mut(class(old))
                && free.try_reserve(1).is_ok()
            {
                free.push(from as u32);
            }
        }
        let rows = &mut self.rows.rows;
        rows.copy_within(from..from + filled, first as usize);
        rows[from..from + filled].fill(Packed::default());
        self.entries[at].first = first;
        Ok(())
    }

    /// Replaces the row in a place. [`Strata::room_for`] has allocated its bytes.
    fn put(&mut self, slot: usize, number: u64, bytes: &[u8], len: u32) {
        let PackedRows { bytes: all, rows } = &mut self.rows;
        let row = &mut rows[slot];
        row.number = number;
        // A short row does not keep the memory of a much longer one.
        if row.room < len || row.room / 4 > len.saturating_add(64) {
            self.left += u64::from(row.room);
            (row.at, row.room) = (all.len() as u64, len);
            all.extend_from_slice(bytes);
        } else {
            all[row.at as usize..][..bytes.len()].copy_from_slice(bytes);
        }
        row.len = len;
        if self.left > LEFT && self.left > self.rows.bytes.len() as u64 / 2 {
            self.close_gaps();
        }
    }

    /// Removes the bytes of replaced rows, if there is memory for a copy of the others.
    fn close_gaps(&mut self) {
        let PackedRows { bytes, rows } = &mut self.rows;
        let len = rows.iter().map(|row| row.len as usize).sum();
        let mut all = Vec::new();
        self.left = 0;
        if all.try_reserve_exact(len).is_err() {
            return;
        }
        for row in rows {
            let at = all.len() as u64;
            all.extend_from_slice(&bytes[row.at as usize..][..row.len as usize]);
            (row.at, row.room) = (at, row.len);
        }
        *bytes = all;
    }

    /// The places of the rows of a stratum, in the order of its slots.
    fn places_of(&self, at: usize) -> Range<usize> {
        let entry = &self.entries[at];
        let filled = usize::try_from(entry.seen).map_or(self.k, |seen| seen.min(self.k));
        entry.first as usize..entry.first as usize + filled
    }

    /// Calls `each` with each row that is kept, stratum by stratum.
    pub(super) fn each_kept(&self, each: &mut dyn FnMut(PickedRow<'_>)) {
        for at in 0..self.entries.len() {
            self.places_of(at).for_each(|place| each(self.rows.get(place)));
        }
    }

    /// Replaces the bytes of the rows, in the order of [`Strata::each_kept`].
    pub(super) fn set_kept(&mut self, bytes: &mut dyn Iterator<Item = Vec<u8>>) -> Result<(), Error> {
        for at in 0..self.entries.len() {
            for (place, bytes) in self.places_of(at).zip(&mut *bytes) {
                let len = self.room_for(&bytes)?;
                self.put(place, self.rows.rows[place].number, &bytes, len);
            }
        }
        Ok(())
    }

    /// Adds `before`, the number of rows in earlier samples, to the numbers of the rows.
    pub(super) fn renumber(&mut self, before: u64) {
        self.rows.rows.iter_mut().filter(|row| row.number != 0).for_each(|row| row.number += before);
    }

    /// The indices of the strata in the order of their labels' bytes.
    fn by_label(&self) -> Vec<usize> {
        places_in_order(self.entries.len(), &|one, other| self.label(one).cmp(self.label(other)))
    }

    /// Calls `each` with each stratum, in the order of the labels.
    pub(super) fn each_part(&self, each: &mut EachPart<'_>) -> Result<(), Error> {
        self.by_label().into_iter().try_for_each(|at| each(self.label(at), &self.part(at)?))
    }

    /// Calls `each` with each stratum, in any order.
    pub(super) fn into_parts(self, each: &mut dyn FnMut(Vec<u8>, Part)) -> Result<(), Error> {
        for at in 0..self.entries.len() {
            each(self.label(at).to_vec(), self.part(at)?);
        }
        Ok(())
    }

    fn part(&self, at: usize) -> Result<Part, Error> {
        let entry = &self.entries[at];
        let key = self.key.stratum(self.label(at));
        let sampler = match &entry.sampler {
            Some(sampler) => {
                let mut sampler = (**sampler).clone();
                sampler.passed(entry.seen - sampler.seen());
                sampler
            }
            None => {
                let words = words_from(&key, Some(u128::from(entry.used) * 8))?;
                SkipReservoir::resumed(words, self.k, entry.seen, entry.skip)?
            }
        };
        let places = self.places_of(at);
        let mut kept = Vec::new();
        kept.try_reserve_exact(places.len()).map_err(|_| no_memory())?;
        for place in places {
            let PickedRow { number, bytes } = self.rows.get(place);
            kept.push(Kept::of(number, bytes)?);
        }
        Ok(Part::over(key, Sampler::Equal(sampler), kept, entry.seen, entry.seen))
    }

    /// Adds a stratum of a saved state. Returns false if a stratum with this label exists.
    pub(super) fn restore(&mut self, label: &[u8], part: Part) -> Result<bool, Error> {
        let hash = self.hash(label);
        let Sampler::Equal(mut sampler) = part.sampler else { return Ok(false) };
        if self.find(hash, label).is_some() {
            return Ok(false);
        }
        let at = self.insert(hash, label)?;
        for (filled, kept) in part.kept.iter().enumerate() {
            let len = self.room_for(&kept.bytes)?;
            self.make_place(at, filled)?;
            let slot = self.entries[at].first as usize + filled;
            self.put(slot, kept.number, &kept.bytes, len);
        }
        let used = sampler.words().stream_position().map_or(u64::MAX, |bytes| (bytes / 8) as u64);
        let entry = &mut self.entries[at];
        (entry.seen, entry.skip) = (part.seen, sampler.skip());
        if used > FEW_WORDS {
            entry.sampler = Some(Box::new(sampler));
        } else {
            entry.used = used as u32;
        }
        self.seen += part.seen;
        Ok(true)
    }

    /// The numbers of rows of the strata, in the order of the labels.
    pub(super) fn sizes(&self) -> Result<Vec<(&[u8], u64)>, Error> {
        let order = self.by_label();
        let mut sizes = Vec::new();
        sizes.try_reserve_exact(order.len()).map_err(|_| Error::Memory { what: "strata" })?;
        sizes.extend(order.iter().map(|at| (self.label(*at), self.entries[*at].seen)));
        Ok(sizes)
    }

    /// The rows in the order of drawing, with strata in the order of their labels. `share` returns the number of rows of a
    /// stratum, by its index in this order.
    pub(super) fn drawn(self, share: &dyn Fn(usize) -> usize) -> Result<PackedRows, Error> {
        let mut drawn: Vec<Packed> = Vec::new();
        let mut order: Vec<u64> = Vec::new();
        for (stratum, at) in self.by_label().into_iter().enumerate() {
            let places = self.places_of(at);
            drawn.try_reserve(places.len()).map_err(|_| no_memory())?;
            order.clear();
            order.try_reserve(places.len()).map_err(|_| no_memory())?;
            order.extend(places.clone().map(|place| place as u64));
            // A single row needs no shuffling.
            if places.len() > 1 {
                draw::shuffle(&mut words_of_order(&self.key.stratum(self.label(at)))?, &mut order)?;
            }
            // The first rows drawn are also a sample.
            let share = share(stratum).min(places.len());
            drawn.extend(order[..share].iter().map(|place| self.rows.rows[*place as usize]));
        }
        Ok(PackedRows { bytes: self.rows.bytes, rows: drawn })
    }

    /// The rows in the order of the input.
    pub(super) fn in_input_order(self) -> Result<PackedRows, Error> {
        let Self { mut rows, table, entries, .. } = self;
        // Frees memory that the caller may need.
        drop((table, entries));
        rows.rows.retain(|row| row.number != 0);
        rows.sort()?;
        Ok(rows)
    }
}

/// The first empty place for a label with this hash. The table must have one.
fn empty(table: &mut [u64], hash: u32) -> &mut u64 {
    let mask = table.len() - 1;
    let mut at = hash as usize & mask;
    while table[at] != 0 {
        at = (at + 1) & mask;
    }
    &mut table[at]
}

impl PackedRows {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn get(&self, at: usize) -> PickedRow<'_> {
        let row = &self.rows[at];
        PickedRow { number: row.number, bytes: &self.bytes[row.at as usize..][..row.len as usize] }
    }

    /// Sorts the rows by their numbers.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails.
    pub(super) fn sort(&mut self) -> Result<(), Error> {
        let Self { rows, .. } = self;
        let mut order: Vec<u64> = Vec::new();
        let mut sorted = Vec::new();
        order.try_reserve_exact(rows.len()).map_err(|_| no_memory())?;
        sorted.try_reserve_exact(rows.len()).map_err(|_| no_memory())?;
        if rows.iter().all(|row| row.number <= u32::MAX.into()) {
            // Number and place are combined into one integer, so that no other sort has to be compiled.
            order.extend(rows.iter().zip(0..).map(|(row, place): (_, u64)| row.number << 32 | place));
            sort_unstable(&mut order);
        } else {
            let by_number =
                places_in_order(rows.len(), &|one, other| rows[one].number.cmp(&rows[other].number));
            order.extend(by_number.into_iter().map(|place| place as u64));
        }
        sorted.extend(order.into_iter().map(|place| rows[place as u32 as usize]));
        *rows = sorted;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::design::Stratify;
    use super::super::sample::{Form, Sample, Shape};
    use super::super::slots::Slots;
    use super::super::state::State;
    use super::super::weight::Value;
    use super::*;
    use hashwell::CounterRng;
    use std::collections::BTreeMap;

    struct Rows {
        labels: Vec<Vec<u8>>,
        bytes: Vec<Vec<u8>>,
    }

    /// Rows of this number of strata. A third of the rows are in the first stratum. Labels are empty, short or long.
    fn rows(count: usize, strata: u64, longest: u64) -> Rows {
        let mut words = CounterRng::new(&[8; 32]);
        let mut below = |n: u64| words.next_word() % n;
        let mut label = || {
            let stratum = if below(3) == 0 { 0 } else { below(strata) };
            let text = stratum.to_string();
            let len = if stratum == 0 { 0 } else { (stratum % 33) as usize };
            if stratum == 0 { Vec::new() } else { format!("{text:->len$}").into_bytes() }
        };
        let labels = (0..count).map(|_| label()).collect();
        let bytes = (0..count).map(|row| vec![row as u8; below(longest) as usize]).collect();
        Rows { labels, bytes }
    }

    fn design(k: usize, proportional: bool) -> SlotsDesign {
        let stratify = Stratify { columns: vec!["s".into()], proportional };
        SlotsDesign { k, kind: Kind::Equal, weight: None, stratify: Some(stratify) }
    }

    /// A sample of these rows, which are offered one by one or together, sometimes after an error. The sample is saved
    /// and restored in between.
    fn compact(key: Key, k: usize, proportional: bool, rows: &Rows) -> Slots {
        let mut slots = Slots::new(design(k, proportional), key).unwrap();
        let mut at = 0;
        for step in 0.. {
            let len = (rows.labels.len() - at).min([1, 700, 5, 256, 1][step % 5]);
            let mut asked = 0;
            let mut fails = |row: usize| {
                asked += 1;
                if asked == 40 { Err(Error::Memory { what: "a test" }) } else { Ok(row) }
            };
            if len == 1 {
                let mut row = || Ok(Cow::Borrowed(&rows.bytes[fails(at)?][..]));
                slots.offer(at as u64 + 1, Value::One, &rows.labels[at], &mut row).unwrap();
                at += 1;
            } else {
                let label = |row: usize| &rows.labels[at + row][..];
                let row = |row: usize| Ok(Cow::Borrowed(&rows.bytes[fails(at + row)?][..]));
                let passed = slots.pass_labelled(at as u64 + 1, len, label, row);
                // The rows before the failed one were seen; the failed one is offered again.
                assert!(passed.is_ok() || slots.seen() < (at + len) as u64);
                at = slots.seen() as usize;
            }
            if step % 7 == 6 {
                let shape = Shape { form: Form::Lines, header: None };
                let state = State { sample: Sample::Slots(slots), shape };
                let bytes = state.to_bytes().unwrap();
                let Sample::Slots(loaded) = State::from_bytes(&bytes).unwrap().sample else { panic!() };
                assert!(loaded.strata.is_some());
                slots = loaded;
            }
            if at == rows.labels.len() {
                return slots;
            }
        }
        unreachable!()
    }

    /// The same strata, each as a part.
    fn apart(key: Key, k: usize, rows: &Rows) -> BTreeMap<Vec<u8>, Part> {
        let mut parts = BTreeMap::new();
        for (at, (label, bytes)) in rows.labels.iter().zip(&rows.bytes).enumerate() {
            let part = parts
                .entry(label.clone())
                .or_insert_with(|| Part::new(Kind::Equal, key.stratum(label), k).unwrap());
            part.offer(at as u64 + 1, Value::One, || Ok(Cow::Borrowed(bytes))).unwrap();
        }
        parts
    }

    #[test]
    fn strata_equal_parts() {
        let key = Key([3; 32]);
        for (k, count, strata, longest) in [
            (0, 900, 9, 5),
            (1, 9000, 3000, 40),
            (2, 9000, 900, 9),
            (3, 5000, 5000, 2),
            (40, 30_000, 50, 300),
        ] {
            let rows = rows(count, strata, longest);
            let slots = compact(key, k, false, &rows);
            let parts = apart(key, k, &rows);
            let mut must = parts.iter();
            slots
                .each_part(&mut |label, part| {
                    let (own, like) = must.next().unwrap();
                    assert_eq!(label, own);
                    assert_eq!((part.key, part.seen, part.eligible), (like.key, like.seen, like.eligible));
                    assert_eq!(part.kept, like.kept, "{k} {label:?}");
                    assert_eq!(part.sampler.to_bytes(), like.sampler.to_bytes(), "{k} {label:?}");
                    Ok(())
                })
                .unwrap();
            assert!(must.next().is_none());
            let short = parts.values().filter(|part| part.seen < k as u64).count();
            assert_eq!(slots.strata.as_ref().unwrap().short(), short);
            let drawn: Vec<Kept> = parts.into_values().flat_map(|part| part.drawn().unwrap()).collect();
            assert_eq!(slots.clone().drawn().unwrap(), drawn);
            let mut sorted = drawn;
            sorted.sort();
            let picks = Sample::Slots(slots).picks(false).unwrap();
            let found: Vec<Kept> =
                picks.iter().map(|(_, row)| Kept { number: row.number, bytes: row.bytes.to_vec() }).collect();
            assert_eq!(found, sorted);
        }
    }

    #[test]
    fn shares_are_the_first_rows_of_each_stratum() {
        let (key, rows) = (Key([4; 32]), rows(4000, 40, 9));
        let slots = compact(key, 100, true, &rows);
        let parts = apart(key, 100, &rows);
        let sizes: Vec<_> = parts.iter().map(|(label, part)| (&label[..], part.seen)).collect();
        let shares = slots.proportional_shares(&sizes).unwrap();
        assert_eq!(shares.iter().sum::<usize>(), 100);
        let first = |(part, share): (Part, usize)| part.drawn().unwrap().into_iter().take(share);
        let must: Vec<Kept> = parts.into_values().zip(shares).flat_map(first).collect();
        assert_eq!(slots.drawn().unwrap(), must);
    }

    /// The bytes of replaced rows are removed.
    #[test]
    fn memory_is_that_of_the_rows() {
        let key = Key([5; 32]);
        let mut slots = Slots::new(design(1, false), key).unwrap();
        let labels = ["a", "b", "c"];
        for row in 0..30_000 {
            let bytes = vec![row as u8; row];
            let label = labels[row % 3].as_bytes();
            slots.offer(row as u64 + 1, Value::One, label, || Ok(Cow::Borrowed(&bytes))).unwrap();
        }
        let strata = slots.strata.as_ref().unwrap();
        assert!(strata.rows.bytes.len() < 3 << 20, "{}", strata.rows.bytes.len());
        slots.each_kept(&mut |row| {
            let bytes = vec![(row.number - 1) as u8; row.number as usize - 1];
            assert!(row.bytes == bytes);
        });
        slots.renumber(7);
        slots.set_kept(&mut [vec![1; 9], vec![], vec![2; 100_000]].into_iter()).unwrap();
        let mut found = Vec::new();
        slots.each_kept(&mut |row| found.push((row.number > 7, row.bytes.to_vec())));
        assert_eq!(found, [(true, vec![1; 9]), (true, vec![]), (true, vec![2; 100_000])]);
    }
}
