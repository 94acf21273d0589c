//! Samples with replacement.

use super::count::check_slots;
use crate::draw::below;
use crate::key::Digests;
use crate::order::sort_unstable;
use crate::state::{Kind, Reader, Writer};
use crate::{Error, Key};
use hashwell::{RandomSource, Sha256};
use std::collections::TryReserveError;
use std::ops::Range;

/// The number of slots whose random numbers come from the same blocks.
const TILE: usize = 64;
/// The number of tiles whose blocks are hashed together.
const TILES: usize = 16;
/// The number of slots in these tiles.
const GROUP: usize = TILES * TILE;
/// The number of blocks that a tile usually needs for the last row that each slot takes in an octave (`LAST`), and for
/// all rows that the slots take in it (`ALL`).
const LAST: usize = 5;
const ALL: usize = 10;
/// The first octave in which a random number has 64 bits instead of 32.
const WHOLE: u32 = 32;
/// Rows with this number or a larger one are never taken.
const END: u64 = 1 << 63;
/// The maximum number of slots: places are 32-bit numbers.
const MOST: usize = 1 << 30;

/// A sample with replacement of k rows of a stream, in k slots. Every row has the same probability of being in a
/// slot, independently of the other slots, so several slots can hold the same row.
///
/// Rows are counted from 0. A slot always takes row 0. It takes each later row x with probability 1 / (x + 1), so that
/// after n rows it holds each of the n rows with probability 1/n. The rows that a slot takes are drawn octave by
/// octave. Octave m consists of the rows from 2^m to 2^(m+1) - 1. With probability 1/2, a slot takes no row of an
/// octave. Otherwise, the last row that it takes in the octave is uniform on the octave. The row that it takes before
/// row x is uniform on the rows below x. If that row is below 2^m, it belongs to an earlier octave.
/// `docs/spec/sampling.md` specifies the rule. The picks do not depend on the rows after which the state was saved. The
/// picks of k slots are the first k of the picks of k + 1 slots.
///
/// The caller stores the rows for which [`WithReplacement::skip`] is 0, in order, and drops those that
/// [`WithReplacement::keep`] reports as no longer needed. At most about 3k rows are stored. The time is O(k + n) while
/// n is at most 2k, and then O(k log k) each time that n doubles. The sampler needs about 16 bytes of memory for each
/// slot.
#[derive(Clone, Debug)]
pub struct WithReplacement {
    key: Key,
    k: usize,
    seen: u64,
    /// The plan for the octave that the stream is in; `None` as long as all rows are kept.
    octave: Option<Octave>,
}

/// The rows to keep after [`WithReplacement::pass_known`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// For each row kept before, true if a slot still holds it. Drop the other rows.
    pub stays: Vec<bool>,
    /// The numbers of the rows to append, ascending, counted from 0 at the beginning of the stream.
    pub rows: Vec<u64>,
}

/// The plan for the rest of an octave.
#[derive(Clone, Debug)]
struct Octave {
    /// The first row after the octave.
    end: u64,
    /// The number of rows that had been seen when the plan was made.
    begin: u64,
    /// For each slot, the place of its row among the rows kept when the plan was made.
    places: Vec<u32>,
    /// The number of rows kept when the plan was made.
    older: usize,
    /// The rows to keep from `begin` on, ascending.
    takes: Vec<u64>,
    /// The number of these rows kept so far.
    kept: usize,
}

impl WithReplacement {
    /// Creates k slots that have not seen any rows. Their random numbers are derived from `key`.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if k is more than 2^30.
    pub fn new(key: &Key, k: usize) -> Result<Self, Error> {
        check_slots(k as u64)?;
        if k > MOST {
            return Err(Error::range("the size of a sample with replacement", "at most 2^30", k));
        }
        Ok(Self { key: *key, k, seen: 0, octave: None })
    }

    /// The first row of the next octave. Before the first octave that has a plan, all rows are kept: 16 rows, or if k
    /// is larger, fewer than 2 k.
    fn next_octave(&self) -> u64 {
        self.octave.as_ref().map_or_else(|| self.k.next_power_of_two().max(16) as u64, |octave| octave.end)
    }

    /// The number of rows to skip before the next row to keep. Returns `u64::MAX` if no further row has to be kept.
    #[must_use]
    pub fn skip(&self) -> u64 {
        if self.k == 0 || self.seen >= END {
            return u64::MAX;
        }
        let Some(octave) = &self.octave else { return 0 };
        match octave.takes.get(octave.kept) {
            Some(row) => row - self.seen,
            // The first row of an octave is kept, and keeping it makes the plan.
            None if octave.end < END => octave.end - self.seen,
            None => u64::MAX,
        }
    }

    /// Skips `rows` rows.
    ///
    /// # Panics
    /// Panics if `rows` is more than [`WithReplacement::skip`].
    pub fn passed(&mut self, rows: u64) {
        assert!(rows <= self.skip(), "{rows} rows were skipped, but one of the next {} is kept", self.skip());
        self.seen = self.seen.saturating_add(rows);
    }

    /// Keeps the next row. Call this only if [`WithReplacement::skip`] is 0. The place of this row is after the rows
    /// kept so far. At the beginning of an octave, the function returns a list with an element for each row kept so
    /// far, which is true if a slot still holds the row. Drop the other rows before you add this one.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails. After an error, nothing has changed.
    ///
    /// # Panics
    /// Panics if [`WithReplacement::skip`] is not 0.
    pub fn keep(&mut self) -> Result<Option<Vec<bool>>, Error> {
        assert!(self.skip() == 0, "a row is kept before {} rows were skipped", self.skip());
        let mut stays = None;
        if self.seen == self.next_octave() {
            let (octave, held) = self.plan()?;
            (self.octave, stays) = (Some(octave), Some(held));
        }
        if let Some(octave) = &mut self.octave {
            octave.kept += 1;
        }
        self.seen += 1;
        Ok(stays)
    }

    /// Returns, for each slot, the number of the row that it holds after `rows` rows. Rows are counted from 0, and need
    /// not have been seen. The function takes O(k) time for any number of rows. The result is empty if `rows` is 0.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails.
    pub fn rows_after(&self, rows: u64) -> Result<Vec<u64>, Error> {
        let mut held = filled(if rows == 0 { 0 } else { self.k }, 0)?;
        settle(&mut Blocks::new(&self.key)?, 0..held.len(), 0..rows.min(END), &mut |slot, row| {
            held[slot] = row;
        })?;
        Ok(held)
    }

    /// Returns the slots after `rows` more rows, and the rows to keep. Use this function if you can look up each of
    /// these rows by its number. It takes O(k) time for any number of rows. The picks are the same as with
    /// [`WithReplacement::skip`] and [`WithReplacement::keep`].
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails.
    pub fn pass_known(&self, rows: u64) -> Result<(Self, Known), Error> {
        let begin = self.seen.min(END);
        let seen = self.seen.saturating_add(rows);
        let end = seen.min(END);
        if self.k == 0 || begin == end {
            let known = Known { stays: filled(self.kept(), true)?, rows: Vec::new() };
            return Ok((Self { seen, ..self.clone() }, known));
        }
        // A slot that takes none of the new rows is marked by a row before them. If row 0 is one of the new rows, the
        // slot contains row 0.
        let mut places = self.places()?;
        let mut stays = filled(self.kept(), false)?;
        let mut rows = filled(self.k, begin.wrapping_sub(1))?;
        if begin == 0 {
            rows.fill(0);
        }
        let mut blocks = Blocks::new(&self.key)?;
        settle(&mut blocks, 0..self.k, begin..end, &mut |slot, row| rows[slot] = row)?;
        let is_new = |row: u64| begin == 0 || row >= begin;
        for (place, _) in places.iter().zip(&rows).filter(|(_, row)| !is_new(**row)) {
            stays[*place as usize] = true;
        }
        let (moved, older) = moved(&stays)?;
        let held = distinct(rows.iter().copied().filter(|row| is_new(*row)), begin..end, self.k)?;
        let index = Index::new(&held)?;
        places.try_reserve_exact(self.k - places.len()).map_err(no_memory)?;
        places.resize(self.k, 0);
        for (place, row) in places.iter_mut().zip(&rows) {
            *place = if is_new(*row) { older + index.place(*row) as u32 } else { moved[*place as usize] };
        }
        let older = older as usize + held.len();
        // The next row will make the plan for the rest of its octave.
        let octave = Some(Octave { end, begin: end, places, older, takes: Vec::new(), kept: 0 });
        Ok((Self { key: self.key, k: self.k, seen, octave }, Known { stays, rows: held }))
    }

    /// Makes the plan for the octave that begins with the next row, and finds the kept rows that slots still hold.
    fn plan(&self) -> Result<(Octave, Vec<bool>), Error> {
        let begin = self.seen;
        let mut places = self.places()?;
        let mut held = filled(self.kept(), false)?;
        places.iter().for_each(|place| held[*place as usize] = true);
        let (moved, older) = moved(&held)?;
        places.iter_mut().for_each(|place| *place = moved[*place as usize]);
        let m = begin.ilog2();
        let mut takes = takes(&self.key, self.k, m, begin)?;
        if takes.first() != Some(&begin) {
            takes.try_reserve(1).map_err(no_memory)?;
            takes.insert(0, begin);
        }
        Ok((Octave { end: 2 << m, begin, places, older: older as usize, takes, kept: 0 }, held))
    }

    /// The number of rows that the caller keeps.
    #[must_use]
    pub fn kept(&self) -> usize {
        match &self.octave {
            _ if self.k == 0 => 0,
            Some(octave) => octave.older + octave.kept,
            // All rows are kept, and they fit into memory.
            None => self.seen as usize,
        }
    }

    /// Returns, for each slot, the place of its row among the rows kept. Places are counted from 0. The result is empty
    /// before the first row.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails.
    pub fn places(&self) -> Result<Vec<u32>, Error> {
        let mut places = Vec::new();
        places.try_reserve_exact(if self.seen > 0 { self.k } else { 0 }).map_err(no_memory)?;
        let index = Index::new(self.takes())?;
        self.each(&|row| index.place(row), &mut |place| places.push(place))?;
        Ok(places)
    }

    /// Calls `each` with the places that [`WithReplacement::places`] returns, one by one. This uses little memory, but
    /// each place takes a search in O(log k).
    pub(crate) fn each_place(&self, each: &mut dyn FnMut(u32)) -> Result<(), Error> {
        let takes = self.takes();
        self.each(&|row| takes.partition_point(|take| *take < row), each)
    }

    /// The rows of the plan that have been kept.
    fn takes(&self) -> &[u64] {
        self.octave.as_ref().map_or(&[], |octave| &octave.takes[..octave.kept])
    }

    /// Calls `each` with the place of each slot's row; `place` returns the places of the plan's rows.
    fn each(&self, place: &dyn Fn(u64) -> usize, each: &mut dyn FnMut(u32)) -> Result<(), Error> {
        if self.seen == 0 {
            return Ok(());
        }
        let mut blocks = Blocks::new(&self.key)?;
        for first in (0..self.k).step_by(GROUP) {
            let slots = first..self.k.min(first + GROUP);
            let mut places = [0; GROUP];
            match &self.octave {
                None => settle(&mut blocks, slots.clone(), 0..self.seen, &mut |slot, row| {
                    places[slot - first] = row as u32;
                })?,
                Some(octave) => {
                    places[..slots.len()].copy_from_slice(&octave.places[slots.clone()]);
                    let rows = octave.begin..self.seen.min(octave.end);
                    settle(&mut blocks, slots.clone(), rows, &mut |slot, row| {
                        places[slot - first] = (octave.older + place(row)) as u32;
                    })?;
                }
            }
            places[..slots.len()].iter().for_each(|place| each(*place));
        }
        Ok(())
    }

    /// The number of rows seen so far.
    #[must_use]
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// The number of slots.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.k
    }

    /// Returns the state as bytes, in the format of [`state`](crate::state). It contains the number of rows seen and
    /// the number of slots, but not the key.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new(Kind::WithReplacement);
        writer.u64(self.seen).u64(self.k as u64);
        writer.finish()
    }

    /// Restores a saved state. `key` must be the same key as before. The rows kept are those that slots hold, each
    /// once, in the order of the stream. [`WithReplacement::places`] maps the slots to these rows. `held` is the number
    /// of slots that hold a row: k, or 0 before the first row. It limits the time and memory that a malformed state can
    /// consume.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the bytes are not a saved state of this type, [`Error::OutOfRange`] if there are
    /// too many slots, or [`Error::Memory`] if an allocation fails.
    pub fn from_bytes(bytes: &[u8], key: &Key, held: usize) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, Kind::WithReplacement)?;
        let (seen, k) = (reader.u64()?, reader.usize()?);
        reader.end()?;
        if held != if seen > 0 { k } else { 0 } {
            return Err(Reader::contradiction("the number of stored rows doesn't match the sampler's state"));
        }
        let slots = Self::new(key, k)?;
        if seen == 0 {
            return Ok(slots);
        }
        Ok(slots.pass_known(seen)?.0)
    }
}

/// Finds the row that each of these slots holds after `rows.end` rows, and calls `held` with the slot and its row if
/// the row is in `rows`. Slots that hold row 0, as all do at first, are not reported. The first slot must be the first
/// of a tile.
fn settle(
    blocks: &mut Blocks,
    slots: Range<usize>,
    rows: Range<u64>,
    held: &mut dyn FnMut(usize, u64),
) -> Result<(), Error> {
    if rows.is_empty() || rows.end == 1 {
        return Ok(());
    }
    let tiles = slots.end.div_ceil(TILE);
    for first in (slots.start / TILE..tiles).step_by(TILES) {
        // For each tile, the slots whose rows are not known yet.
        let mut open = [u64::MAX; TILES];
        let open = &mut open[..TILES.min(tiles - first)];
        if first + open.len() == tiles && !slots.end.is_multiple_of(TILE) {
            open[tiles - 1 - first] = (1 << (slots.end % TILE)) - 1;
        }
        for m in (0..=(rows.end - 1).ilog2()).rev() {
            let high = 2_u64 << m;
            if high <= rows.start || open.iter().all(|open| *open == 0) {
                break;
            }
            blocks.begin(m, if high > rows.end { ALL } else { LAST });
            for (i, _) in open.iter().enumerate().filter(|(_, open)| **open != 0) {
                blocks.add((first + i) as u64);
            }
            blocks.hash()?;
            let unsettled = open.iter_mut().enumerate().filter(|(_, open)| **open != 0);
            for (at, (i, open)) in unsettled.enumerate() {
                let mut tile = blocks.tile(at);
                tile.next_round();
                while tile.slots & *open != 0 {
                    for slot in ones(tile.slots & *open) {
                        // Of the rows that a slot takes, only the last one below `rows.end` counts.
                        let row = tile.rows[slot];
                        if row < rows.end {
                            *open &= !(1 << slot);
                            if row >= rows.start {
                                held((first + i) * TILE + slot, row);
                            }
                        }
                    }
                    if tile.slots & *open != 0 {
                        tile.next_round();
                    }
                }
            }
        }
    }
    Ok(())
}

/// The rows of octave m, from `from` on, that slots take, in ascending order and without duplicates.
fn takes(key: &Key, k: usize, m: u32, from: u64) -> Result<Vec<u64>, Error> {
    let mut blocks = Blocks::new(key)?;
    let mut takes = Vec::new();
    // A slot takes ln 2 rows on average.
    takes.try_reserve_exact(k / 10 * 7 + GROUP).map_err(no_memory)?;
    let tiles = k.div_ceil(TILE);
    for first in (0..tiles).step_by(TILES) {
        let tiles = first..tiles.min(first + TILES);
        blocks.begin(m, ALL);
        tiles.clone().for_each(|tile| blocks.add(tile as u64));
        blocks.hash()?;
        for (at, number) in tiles.enumerate() {
            let mut tile = blocks.tile(at);
            while tile.next_round() != 0 {
                takes.try_reserve(TILE).map_err(no_memory)?;
                let slots = ones(tile.slots).filter(|slot| number * TILE + slot < k);
                takes.extend(slots.map(|slot| tile.rows[slot]).filter(|row| *row >= from));
            }
        }
    }
    sort_unstable(&mut takes);
    takes.dedup();
    Ok(takes)
}

/// The hashed message: the key, its tag, the octave, the tile and the number of the block.
type Message = [u8; 50];

/// Blocks of random numbers for some tiles of an octave, hashed together.
struct Blocks {
    digests: &'static Digests,
    message: Message,
    each: usize,
    octave: u32,
    len: usize,
    messages: [Message; TILES * ALL],
    blocks: [[u8; 32]; TILES * ALL],
}

impl Blocks {
    fn new(key: &Key) -> Result<Self, Error> {
        let mut message = [0; 50];
        message[..33].copy_from_slice(&key.slots_prefix());
        let (messages, blocks) = ([[0; 50]; TILES * ALL], [[0; 32]; TILES * ALL]);
        Ok(Self { digests: Digests::shared()?, message, each: 0, octave: 0, len: 0, messages, blocks })
    }

    /// Begins an octave in which each tile first needs `each` blocks.
    fn begin(&mut self, octave: u32, each: usize) {
        self.message[33] = octave as u8;
        (self.octave, self.each, self.len) = (octave, each, 0);
    }

    /// Adds a tile; at most [`TILES`] fit.
    fn add(&mut self, tile: u64) {
        self.message[34..42].copy_from_slice(&tile.to_be_bytes());
        for (block, message) in self.messages[self.len..][..self.each].iter_mut().enumerate() {
            *message = self.message;
            message[42..].copy_from_slice(&(block as u64).to_be_bytes());
        }
        self.len += self.each;
    }

    fn hash(&mut self) -> Result<(), Error> {
        self.digests.of(&self.messages[..self.len], &mut self.blocks[..self.len])
    }

    /// The tile at index `at`, in the order in which tiles were added.
    fn tile(&self, at: usize) -> Tile<'_> {
        let blocks = &self.blocks[at * self.each..][..self.each];
        let message = self.messages[at * self.each];
        let blocks = blocks.as_flattened();
        Tile { m: self.octave, message, blocks, more: [0; 32], at: 0, slots: 0, rows: [0; TILE] }
    }
}

/// The slots of a tile in an octave, and the rows that they take. Each round draws one row per slot, beginning with the
/// last row of the octave that the slot takes.
struct Tile<'a> {
    m: u32,
    /// The message of a block, except its number.
    message: Message,
    /// The bytes of the first blocks.
    blocks: &'a [u8],
    /// The most recent block after them.
    more: [u8; 32],
    /// The position after the bytes that were used.
    at: usize,
    /// The slots that take a row in this round, as bits from the lowest up, and their rows.
    slots: u64,
    rows: [u64; TILE],
}

/// The positions of the bits that are set, ascending.
fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (place < u64::BITS).then_some(place as usize)
    })
}

impl Tile<'_> {
    /// Draws the next round, and returns the slots that take a row in it, as bits.
    #[inline(never)]
    fn next_round(&mut self) -> u64 {
        let low = 1 << self.m;
        if self.at == 0 {
            self.slots = u64::from_be_bytes(self.bytes());
            for slot in ones(self.slots) {
                // The range is a power of two, so no number is rejected.
                self.rows[slot] = low + (self.number() & (low - 1));
            }
            return self.slots;
        }
        for slot in ones(self.slots) {
            self.rows[slot] = self.below(self.rows[slot]);
            if self.rows[slot] < low {
                self.slots &= !(1 << slot);
            }
        }
        self.slots
    }

    /// [`below`](crate::draw::below) with the random numbers of the octave, which have 32 or 64 bits.
    fn below(&mut self, n: u64) -> u64 {
        if self.m < WHOLE {
            let n = n as u32;
            loop {
                let half = u32::from_be_bytes(self.bytes());
                let rest = half % n;
                if half - rest <= n.wrapping_neg() {
                    return rest.into();
                }
            }
        }
        loop {
            let word = u64::from_be_bytes(self.bytes());
            let rest = word % n;
            if word - rest <= n.wrapping_neg() {
                return rest;
            }
        }
    }

    /// The next random number of the octave.
    fn number(&mut self) -> u64 {
        if self.m < WHOLE {
            u32::from_be_bytes(self.bytes()).into()
        } else {
            u64::from_be_bytes(self.bytes())
        }
    }

    /// The next 4 or 8 bytes of the blocks, which never cross the end of a block.
    fn bytes<const LEN: usize>(&mut self) -> [u8; LEN] {
        let from = self.at;
        self.at += LEN;
        if let Some(bytes) = self.blocks.get(from..self.at) {
            return *bytes.first_chunk().expect("they are as many");
        }
        if from.is_multiple_of(32) {
            self.message[42..].copy_from_slice(&(from as u64 / 32).to_be_bytes());
            self.more = Sha256::digest(&self.message);
        }
        *self.more[from % 32..].first_chunk().expect("they lie in one block")
    }
}

/// The new place of each row if only the rows for which `stays` is true are kept, and the number of rows kept.
fn moved(stays: &[bool]) -> Result<(Vec<u32>, u32), Error> {
    let (mut moved, mut kept) = (filled(stays.len(), 0)?, 0);
    for (moved, stays) in moved.iter_mut().zip(stays) {
        *moved = kept;
        kept += u32::from(*stays);
    }
    Ok((moved, kept))
}

/// The rows that are in a range, in ascending order and without duplicates. There are at most k.
fn distinct(rows: impl Iterator<Item = u64>, range: Range<u64>, k: usize) -> Result<Vec<u64>, Error> {
    let mut all = Vec::new();
    let span = range.end - range.start;
    if span <= 64 * k as u64 {
        // One bit for each row needs less memory than a list of the rows, and no sorting.
        let mut bits = filled(span.div_ceil(64) as usize, 0_u64)?;
        rows.for_each(|row| bits[((row - range.start) / 64) as usize] |= 1 << ((row - range.start) % 64));
        all.try_reserve_exact(bits.iter().map(|bits| bits.count_ones() as usize).sum()).map_err(no_memory)?;
        for (word, bits) in bits.iter().enumerate() {
            all.extend(ones(*bits).map(|bit| range.start + (word * 64 + bit) as u64));
        }
        return Ok(all);
    }
    all.try_reserve_exact(k).map_err(no_memory)?;
    all.extend(rows);
    sort_unstable(&mut all);
    all.dedup();
    Ok(all)
}

/// Finds the places of rows in an ascending list, mostly without a search.
struct Index<'a> {
    rows: &'a [u64],
    shift: u32,
    /// For each value of the upper bits, the place of the first row with at least this value.
    first: Vec<u32>,
}

impl<'a> Index<'a> {
    fn new(rows: &'a [u64]) -> Result<Self, Error> {
        let span = rows.last().map_or(0, |last| last - rows[0]);
        let shift = span.checked_div(rows.len() as u64).map_or(0, |gap| gap.checked_ilog2().unwrap_or(0));
        let mut first = filled((span >> shift) as usize + 1, 0)?;
        for (place, row) in rows.iter().enumerate().rev() {
            first[((row - rows[0]) >> shift) as usize] = place as u32;
        }
        Ok(Self { rows, shift, first })
    }

    /// The place of a row, which must be in the list.
    fn place(&self, row: u64) -> usize {
        let first = self.first[((row - self.rows[0]) >> self.shift) as usize] as usize;
        first + self.rows[first..].iter().take_while(|other| **other < row).count()
    }
}

fn filled<T: Clone>(len: usize, value: T) -> Result<Vec<T>, Error> {
    let mut all = Vec::new();
    all.try_reserve_exact(len).map_err(no_memory)?;
    all.resize(len, value);
    Ok(all)
}

fn no_memory(_: TryReserveError) -> Error {
    Error::Memory { what: "slots" }
}

/// Counts how often each of the numbers 0 to n - 1 is drawn in k draws with replacement. Returns pairs of a number and
/// its count, in ascending order of the numbers. Numbers that are never drawn are omitted. The counts have a
/// multinomial distribution with equal probabilities.
///
/// The draws are k calls of [`below`] with n. They consume k random numbers, plus those that [`below`] rejects. The
/// function stores all k numbers before it counts them.
///
/// # Errors
/// Returns [`Error::OutOfRange`] if n is 0 but k is not, [`Error::RandomSource`] if the random source fails, or
/// [`Error::Memory`] if an allocation fails.
pub fn multinomial(
    words: &mut (impl RandomSource + ?Sized),
    n: u64,
    k: u64,
) -> Result<Vec<(u64, u64)>, Error> {
    let memory = |_| Error::Memory { what: "a sample" };
    let mut draws: Vec<u64> = Vec::new();
    draws.try_reserve_exact(usize::try_from(k).unwrap_or(usize::MAX)).map_err(memory)?;
    for _ in 0..k {
        draws.push(below(words, n)?);
    }
    sort_unstable(&mut draws);
    let runs = draws.chunk_by(|a, b| a == b);
    Ok(runs.map(|run| (run[0], run.len() as u64)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> Key {
        Key(std::array::from_fn(|i| i as u8))
    }

    /// The rows in the slots after n rows, for a sampler that is saved and restored after each number of rows in `at`.
    fn rows(k: usize, n: u64, at: &[u64]) -> Vec<u64> {
        let (mut slots, mut kept): (_, Vec<u64>) = (WithReplacement::new(&key(), k).unwrap(), Vec::new());
        for stop in at.iter().copied().chain([n]) {
            while slots.seen() < stop {
                let gap = slots.skip().min(stop - slots.seen());
                slots.passed(gap);
                if slots.seen() < stop {
                    let row = slots.seen();
                    if let Some(stays) = slots.keep().unwrap() {
                        let mut stays = stays.into_iter();
                        kept.retain(|_| stays.next().unwrap());
                    }
                    kept.push(row);
                }
                assert_eq!(slots.kept(), kept.len());
            }
            if stop < n {
                let places = slots.places().unwrap();
                let held: Vec<u64> = places.iter().map(|place| kept[*place as usize]).collect();
                slots = WithReplacement::from_bytes(&slots.to_bytes(), &key(), held.len()).unwrap();
                kept = held.clone();
                kept.sort_unstable();
                kept.dedup();
                let again = slots.places().unwrap();
                assert_eq!(again.iter().map(|place| kept[*place as usize]).collect::<Vec<_>>(), held);
            }
        }
        slots.places().unwrap().iter().map(|place| kept[*place as usize]).collect()
    }

    #[test]
    fn picks_do_not_depend_on_how_the_stream_is_cut() {
        for k in [1, 5, 64, 70, 1500] {
            for n in [1, 2, 3, 16, 17, 33, 64, 1000, 4096, 10_007] {
                let known = WithReplacement::new(&key(), k).unwrap().rows_after(n).unwrap();
                for at in [&[][..], &[1], &[n / 2], &[n / 3, n / 2, n - 1], &[n.next_power_of_two() / 2]] {
                    assert_eq!(rows(k, n, at), known, "{k} of {n}, {at:?}");
                }
            }
        }
    }

    #[test]
    fn rows_that_are_known_are_passed_at_once() {
        for k in [1, 64, 70, 1500] {
            for cuts in [&[1][..], &[5, 1, 30], &[1000, 2, 8000], &[40_000], &[3, 100_000]] {
                let (mut slots, mut kept) = (WithReplacement::new(&key(), k).unwrap(), Vec::new());
                for rows in cuts {
                    let (after, known) = slots.pass_known(*rows).unwrap();
                    let mut stays = known.stays.into_iter();
                    kept.retain(|_| stays.next().unwrap());
                    kept.extend(known.rows);
                    slots = after;
                    let held: Vec<u64> =
                        slots.places().unwrap().iter().map(|place| kept[*place as usize]).collect();
                    assert_eq!(held, self::rows(k, slots.seen(), &[]), "{k}, {cuts:?}");
                    let mut distinct = held;
                    distinct.sort_unstable();
                    distinct.dedup();
                    assert_eq!(kept, distinct);
                }
            }
        }
        let none = WithReplacement::new(&key(), 0).unwrap().pass_known(9).unwrap();
        assert_eq!((none.0.seen(), none.0.skip(), none.1.rows.len()), (9, u64::MAX, 0));
        let end = WithReplacement::new(&key(), 2).unwrap().pass_known(u64::MAX).unwrap().0;
        assert_eq!((end.seen(), end.skip(), end.places().unwrap().len()), (u64::MAX, u64::MAX, 2));
        let many = WithReplacement::new(&key(), 64).unwrap().pass_known(u64::MAX).unwrap().1.rows;
        assert!(many.len() == 64 && many[63] > END / 2 && many[63] < END);
        assert_eq!(end.pass_known(1).unwrap().0.seen(), u64::MAX);
    }

    /// The rows that slot 0 takes in an octave, the last one first, if its bit is set and these are the random numbers.
    fn takes_of(m: u32, numbers: &[u64]) -> Vec<u64> {
        let mut bytes = 1_u64.to_be_bytes().to_vec();
        for number in numbers {
            let wide = number.to_be_bytes();
            bytes.extend(if m < WHOLE { &wide[4..] } else { &wide[..] });
        }
        let mut tile =
            Tile { m, message: [0; 50], blocks: &bytes, more: [0; 32], at: 0, slots: 0, rows: [0; TILE] };
        let mut takes = Vec::new();
        while tile.next_round() != 0 {
            assert_eq!(tile.slots, 1);
            takes.push(tile.rows[0]);
            if tile.at == bytes.len() {
                break;
            }
        }
        takes
    }

    /// Enumerates all relevant random numbers: after n rows a slot holds each row of the octave with probability 1/n,
    /// so an earlier row stays with probability 2^m/n.
    #[test]
    fn each_row_of_an_octave_has_the_same_probability() {
        fn follow(m: u32, numbers: &mut Vec<u64>, ways: u64, found: &mut impl FnMut(&[u64], u64)) {
            let takes = takes_of(m, numbers);
            if takes.len() < numbers.len() {
                return found(&takes, ways);
            }
            let x = *takes.last().unwrap();
            for number in 0..x {
                numbers.push(number);
                follow(m, numbers, ways / x, found);
                numbers.pop();
            }
        }
        for m in 0..=3 {
            let low = 1_u64 << m;
            // The number of cases in which the slot takes rows of the octave, chosen so that all denominators divide
            // it.
            let all = low * (low..2 * low).product::<u64>();
            for n in low + 1..=2 * low {
                let mut held = vec![0; n as usize];
                for first in 0..low {
                    follow(m, &mut vec![first], all / low, &mut |takes, ways| {
                        if let Some(row) = takes.iter().find(|row| **row < n) {
                            held[*row as usize] += ways;
                        }
                    });
                }
                for row in low..n {
                    // The bit is set in half of all cases.
                    assert_eq!(held[row as usize] * n, 2 * all, "row {row} of {n}");
                }
            }
        }
    }

    #[test]
    fn numbers_that_would_favour_some_rows_are_drawn_again() {
        // 2^32 = 1431655765 · 3 + 1: the largest number is rejected for 3 rows.
        assert_eq!(takes_of(1, &[1, u32::MAX.into(), 2, 1]), [3, 2]);
        assert_eq!(takes_of(1, &[1, u64::from(u32::MAX) - 1, 1]), [3, 2]);
        // From octave 32 on, random numbers have 64 bits.
        let last = (1 << 33) - 1;
        assert_eq!(takes_of(32, &[u64::MAX, u64::MAX, (1 << 32) + 5, 7]), [last, (1 << 32) + 5]);
    }
}
