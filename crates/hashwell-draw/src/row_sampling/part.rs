//! A sampler with the rows that it keeps, for all rows or for one stratum.

use super::kind::Kind;
use super::row::{Kept, no_memory, put};
use super::sampler::{IN_BROWSER, Sampler};
use super::seed::words_of_order;
use super::weight::Value;
use crate::order::sort_by;
use crate::sample::Known;
use crate::state::Reader;
use crate::{Error, Key, draw};
use std::borrow::Cow;

/// A function that is called with the label and the part of each stratum.
pub(super) type EachPart<'a> = dyn FnMut(&[u8], &Part) -> Result<(), Error> + 'a;

/// A sample to which rows can still be offered.
#[derive(Clone)]
pub(super) struct Part {
    pub(super) key: Key,
    pub(super) sampler: Sampler,
    pub(super) kept: Vec<Kept>,
    /// The number of rows seen.
    pub(super) seen: u64,
    /// The number of these rows that could be picked: rows with a weight above zero, or without weights.
    pub(super) eligible: u64,
    /// The slots that the next row takes. This is empty unless the sampler chose slots for a row that could not be
    /// stored in all of them, because reading the row failed or memory ran out. The row must then be offered again.
    slots: Vec<usize>,
}

impl Part {
    pub(super) fn new(kind: Kind, key: Key, k: usize) -> Result<Self, Error> {
        Ok(Self::over(key, Sampler::new(kind, &key, k)?, Vec::new(), 0, 0))
    }

    /// Restores a saved part.
    pub(super) fn over(key: Key, sampler: Sampler, kept: Vec<Kept>, seen: u64, eligible: u64) -> Self {
        Self { key, sampler, kept, seen, eligible, slots: Vec::new() }
    }

    /// The number of rows to skip before the next one that may be picked.
    pub(super) fn skip(&self) -> u64 {
        if self.slots.is_empty() { self.sampler.skip() } else { 0 }
    }

    /// Returns an error if a row has to be offered again.
    pub(super) fn check_whole(&self) -> Result<(), Error> {
        if self.slots.is_empty() {
            return Ok(());
        }
        Err(Error::refused("the last row is not in the sample: it must be offered again"))
    }

    /// Reports that `rows` rows, at most [`Part::skip`], were skipped.
    pub(super) fn passed(&mut self, rows: u64) {
        self.sampler.passed(rows);
        self.seen += rows;
        self.eligible += rows;
    }

    /// Skips rows with these weights up to the next one that may be kept, and returns the number of rows skipped.
    pub(super) fn pass_weights(&mut self, weights: &[f64]) -> usize {
        self.pass_with(weights, Sampler::pass_weights)
    }

    /// Does the same as [`Part::pass_weights`] for weights in units of 10^-18.
    pub(super) fn pass_units(&mut self, weights: &[u128]) -> usize {
        self.pass_with(weights, Sampler::pass_units)
    }

    fn pass_with<T: PartialOrd + Default>(
        &mut self,
        weights: &[T],
        pass: fn(&mut Sampler, &[T]) -> usize,
    ) -> usize {
        if !self.slots.is_empty() {
            return 0;
        }
        let rows = pass(&mut self.sampler, weights);
        self.seen += rows as u64;
        self.eligible += weights[..rows].iter().filter(|weight| **weight > T::default()).count() as u64;
        rows
    }

    /// Offers the next row; it need not be one that the sampler waits for.
    pub(super) fn offer<'a>(
        &mut self,
        number: u64,
        weight: Value,
        row: impl FnOnce() -> Result<Cow<'a, [u8]>, Error>,
    ) -> Result<(), Error> {
        if self.skip() > 0 {
            self.passed(1);
            return Ok(());
        }
        if self.slots.is_empty() {
            let chosen = self.sampler.offer(&weight, &mut self.slots);
            chosen.inspect_err(|_| self.slots.clear())?;
            if let Some(stays) = self.sampler.changes() {
                drop_others(&mut self.kept, stays);
            }
        }
        if !self.slots.is_empty() {
            let bytes = row()?;
            self.slots.iter().try_for_each(|slot| put(&mut self.kept, *slot, number, &bytes))?;
            self.slots.clear();
        }
        self.seen += 1;
        self.eligible += u64::from(weight.is_positive());
        Ok(())
    }

    /// Offers the next rows, the first of which has the number `first`, if the sampler can determine immediately which
    /// of them to keep. Otherwise it returns false. In this case, and after an error, nothing has changed.
    pub(super) fn pass_known<'a>(
        &mut self,
        first: u64,
        rows: u64,
        mut row: impl FnMut(u64) -> Result<Cow<'a, [u8]>, Error>,
    ) -> Result<bool, Error> {
        if !self.slots.is_empty() {
            return Ok(false);
        }
        let Some((sampler, Known { stays, rows: numbers })) = self.sampler.after(rows)? else {
            return Ok(false);
        };
        let mut kept = Vec::new();
        kept.try_reserve_exact(numbers.len()).map_err(|_| no_memory())?;
        for number in numbers {
            let at = number - self.seen;
            kept.push(Kept::of(first + at, &row(at)?)?);
        }
        if self.kept.is_empty() {
            self.kept = kept;
        } else {
            self.kept.try_reserve(kept.len()).map_err(|_| no_memory())?;
            drop_others(&mut self.kept, stays);
            self.kept.append(&mut kept);
        }
        self.sampler = sampler;
        self.seen += rows;
        self.eligible += rows;
        Ok(true)
    }

    /// Returns the rows and, for each slot, the index of its row among them. The sampler's slots must share rows.
    pub(super) fn shared(self) -> Result<(Vec<Kept>, Vec<u32>), Error> {
        self.check_whole()?;
        let places = self.sampler.places()?.unwrap_or_default();
        Ok((self.kept, places))
    }

    /// The number of slots that contain a row.
    pub(super) fn slots(&self) -> usize {
        match self.sampler.replacing() {
            Some(slots) if slots.seen() > 0 => slots.capacity(),
            _ => self.kept.len(),
        }
    }

    /// Calls `each` with the row of each slot.
    pub(super) fn each_slot(&self, each: &mut dyn FnMut(&Kept)) -> Result<(), Error> {
        match self.sampler.replacing() {
            Some(slots) if !IN_BROWSER => slots.each_place(&mut |place| each(&self.kept[place as usize])),
            _ => {
                self.kept.iter().for_each(each);
                Ok(())
            }
        }
    }

    /// Restores a part from a saved state, which contains a row for each slot.
    pub(super) fn of_slots(
        key: Key,
        sampler: Sampler,
        slots: Vec<Kept>,
        seen: u64,
        eligible: u64,
    ) -> Result<Self, Error> {
        let Some(places) = sampler.places()? else {
            return Ok(Self::over(key, sampler, slots, seen, eligible));
        };
        let wrong = || Reader::contradiction("the rows in its slots are not those that its key picks");
        let len = places.iter().max().map_or(0, |most| *most as usize + 1);
        if places.len() != slots.len() {
            return Err(wrong());
        }
        let mut kept: Vec<Option<Kept>> = Vec::new();
        kept.try_reserve_exact(len).map_err(|_| no_memory())?;
        kept.resize(len, None);
        for (place, row) in places.iter().zip(slots) {
            match &mut kept[*place as usize] {
                Some(kept) if *kept != row => return Err(wrong()),
                Some(_) => {}
                place => *place = Some(row),
            }
        }
        let kept: Vec<Kept> = kept.into_iter().flatten().collect();
        if kept.len() != len || !kept.is_sorted_by(|one, other| one.number < other.number) {
            return Err(wrong());
        }
        Ok(Self::over(key, sampler, kept, seen, eligible))
    }

    /// The rows in the order of drawing. The first j of them are also a sample.
    pub(super) fn drawn(self) -> Result<Vec<Kept>, Error> {
        self.check_whole()?;
        if let Some(places) = self.sampler.places()? {
            return copies(&self.kept, &places);
        }
        let mut kept = self.kept;
        match self.sampler.ranks() {
            // The slots are independent, so their order is random already.
            None if self.sampler.kind().replaces() => {}
            None => draw::shuffle(&mut words_of_order(&self.key)?, &mut kept)?,
            Some(ranks) => {
                let mut order: Vec<(f64, Kept)> = ranks.into_iter().zip(kept).collect();
                sort_by(&mut order, |a, b| a.0.total_cmp(&b.0).then(a.1.number.cmp(&b.1.number)));
                return Ok(order.into_iter().map(|(_, kept)| kept).collect());
            }
        }
        Ok(kept)
    }
}

/// Drops the rows for which `stays` is false.
fn drop_others(rows: &mut Vec<Kept>, stays: Vec<bool>) {
    let mut stays = stays.into_iter();
    rows.retain(|_| stays.next().unwrap_or(true));
}

/// The row at each of these places.
fn copies(rows: &[Kept], places: &[u32]) -> Result<Vec<Kept>, Error> {
    let mut copies = Vec::new();
    copies.try_reserve_exact(places.len()).map_err(|_| no_memory())?;
    for place in places {
        let Kept { number, bytes } = &rows[*place as usize];
        copies.push(Kept::of(*number, bytes)?);
    }
    Ok(copies)
}
