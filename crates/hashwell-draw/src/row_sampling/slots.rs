//! Samples of a fixed number of rows, either from all rows or from each stratum.

use super::design::SlotsDesign;
use super::kind::Kind;
use super::part::{EachPart, Part};
use super::row::{Kept, PickedRow, no_memory};
use super::sampler::{IN_BROWSER, KeyRng, Sampler};
use super::seed::words_of_order;
use super::strata::{AllStrata, PackedRows, Strata};
use super::weight::Value;
use crate::design::allocate;
use crate::order::sort_unstable;
use crate::sample::{Reservoir, SkipReservoir, check_slots};
use crate::{Error, Key, draw, interrupt};
use std::borrow::Cow;
use std::collections::HashMap;

/// A sample of a fixed number of rows. It has one part, or one part for each stratum.
#[derive(Clone)]
pub struct Slots {
    /// The design.
    pub design: SlotsDesign,
    /// The key from which the random numbers are derived.
    pub key: Key,
    /// The parts by their labels. Without strata, there is one part with an empty label.
    pub(super) parts: HashMap<Vec<u8>, Part>,
    /// The strata of a design for which [`Strata`] replaces the parts.
    pub(super) strata: Option<AllStrata>,
}

/// The rows and, for each pick, the index of its row, or the unchanged slots if their design does not share rows.
pub(super) type Shared = Result<(Vec<Kept>, Vec<u32>), Slots>;

impl Slots {
    /// Starts a sample.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if there are too many slots, [`Error::RandomSource`] if the random source fails,
    /// or [`Error::Memory`] if an allocation fails.
    pub fn new(design: SlotsDesign, key: Key) -> Result<Self, Error> {
        let mut slots = Self::empty(design, key)?;
        if slots.design.stratify.is_none() {
            slots.parts.insert(Vec::new(), Part::new(slots.design.kind, key, slots.design.k)?);
        }
        Ok(slots)
    }

    /// Starts a sample without parts. The parts of a saved state are then added to it.
    pub(super) fn empty(design: SlotsDesign, key: Key) -> Result<Self, Error> {
        check_slots(design.k as u64)?;
        Ok(Self { strata: Strata::of(&design, key), design, key, parts: HashMap::new() })
    }

    /// The number of rows to skip before the next row that may be picked. With strata or weights, this number is 0,
    /// because each row must be examined.
    #[must_use]
    pub fn skip(&self) -> u64 {
        self.whole().map_or(0, Part::skip)
    }

    /// Skips `rows` rows, which must be at most [`Slots::skip`].
    pub fn passed(&mut self, rows: u64) {
        if self.design.stratify.is_none() {
            self.parts.values_mut().for_each(|part| part.passed(rows));
        }
    }

    /// Offers the next row. `number` is its number, counted from 1, and `weight` is its weight. `label` is the label of
    /// its stratum, or empty if there are no strata. `row` returns the bytes of the row, and is called only if the row
    /// is kept.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if the sum of the weights is too large, [`Error::RandomSource`] if the random
    /// source fails, or [`Error::Memory`] if an allocation fails. Returns any error that `row` returns. After an error,
    /// the row does not count as seen: if you offer it again, the sample continues as if there had been no error. If
    /// slots had already been chosen for the row, you must offer it again before you draw, save or merge the sample.
    /// With [`Kind::WeightedReplace`](super::Kind), the sample is unusable after [`Error::RandomSource`] and
    /// [`Error::Memory`].
    pub fn offer<'a>(
        &mut self,
        number: u64,
        weight: Value,
        label: &[u8],
        row: impl FnOnce() -> Result<Cow<'a, [u8]>, Error>,
    ) -> Result<(), Error> {
        // `row` is passed on as a trait object, because otherwise the following code would be compiled for each type of
        // row.
        let mut row = Some(row);
        self.offer_row(number, weight, label, &mut || row.take().map_or(Ok(Cow::Borrowed(&[])), |row| row()))
    }

    fn offer_row<'a>(
        &mut self,
        number: u64,
        weight: Value,
        label: &[u8],
        row: &mut dyn FnMut() -> Result<Cow<'a, [u8]>, Error>,
    ) -> Result<(), Error> {
        if let Some(strata) = &mut self.strata {
            return strata.offer(number, label, row);
        }
        // Without strata there is one part, and its label need not be looked up.
        let known = match self.design.stratify {
            Some(_) => self.parts.get_mut(label),
            None => self.parts.values_mut().next(),
        };
        let part = match known {
            Some(part) => part,
            None => {
                let part = Part::new(self.design.kind, self.key.stratum(label), self.design.k)?;
                self.parts.entry(label.to_vec()).or_insert(part)
            }
        };
        part.offer(number, weight, row)
    }

    /// Returns true if [`Slots::pass_weights`] can skip rows. This requires weights that are floats, and a sample
    /// without strata.
    #[must_use]
    pub fn passes_weights(&self) -> bool {
        self.design.stratify.is_none() && self.design.kind == Kind::Successive
    }

    /// Skips rows up to the first row that may be kept or has an invalid weight, and returns the number of skipped
    /// rows. `weights` contains the weights of the next rows. Pass the first row that was not skipped to
    /// [`Slots::offer`]. No rows are skipped before all slots are taken. The sample is the same as if each row had been
    /// offered.
    pub fn pass_weights(&mut self, weights: &[f64]) -> usize {
        if !self.passes_weights() {
            return 0;
        }
        self.parts.values_mut().next().map_or(0, |part| part.pass_weights(weights))
    }

    /// Returns true if [`Slots::pass_units`] can skip rows. This requires weights that are exact decimals, and a sample
    /// without strata.
    #[must_use]
    pub fn passes_units(&self) -> bool {
        self.design.stratify.is_none() && self.design.kind == Kind::Pps
    }

    /// Does the same as [`Slots::pass_weights`] for weights in units of 10^-18. Returns 0 if [`Slots::passes_units`]
    /// returns false. The first row that was not skipped does not always take a slot.
    pub fn pass_units(&mut self, weights: &[u128]) -> usize {
        if !self.passes_units() {
            return 0;
        }
        self.parts.values_mut().next().map_or(0, |part| part.pass_units(weights))
    }

    /// Offers the next `rows` rows, which have no weights, to a sample without strata. The first of these rows has the
    /// number `first` and the index 0. `row` is called with the index of each row that is kept, and returns the bytes
    /// of the row.
    ///
    /// # Errors
    /// Returns the same errors as [`Slots::offer`]. After an error, either the rows before the failed one count as
    /// [seen](Slots::seen), or none of the rows do.
    ///
    /// # Panics
    /// Panics if there are strata.
    pub fn pass_rows<'a>(
        &mut self,
        first: u64,
        rows: u64,
        mut row: impl FnMut(u64) -> Result<Cow<'a, [u8]>, Error>,
    ) -> Result<(), Error> {
        assert!(self.design.stratify.is_none(), "rows of strata have labels");
        let part = self.parts.values_mut().next().expect("a sample without strata has one part");
        if part.pass_known(first, rows, &mut row)? {
            return Ok(());
        }
        let mut at = 0;
        loop {
            let gap = part.skip().min(rows - at);
            part.passed(gap);
            at += gap;
            if at == rows {
                return Ok(());
            }
            part.offer(first + at, Value::One, || row(at))?;
            at += 1;
        }
    }

    /// Offers the next `rows` rows, which have no weights, to a sample with strata. The first of these rows has the
    /// number `first` and the index 0. `label` is called with the index of a row, and returns the label of its stratum.
    /// `row` is called with the index of each row that is kept, and returns the bytes of the row. The sample is the
    /// same as after calling [`Slots::offer`] for each row, but this function is faster.
    ///
    /// # Errors
    /// Returns the same errors as [`Slots::offer`]. After an error, only the rows before the failed one count as
    /// [seen](Slots::seen).
    pub fn pass_labelled<'l, 'r>(
        &mut self,
        first: u64,
        rows: usize,
        label: impl Fn(usize) -> &'l [u8],
        mut row: impl FnMut(usize) -> Result<Cow<'r, [u8]>, Error>,
    ) -> Result<(), Error> {
        self.pass_labels(first, rows, &label, &mut row)
    }

    fn pass_labels<'l, 'r>(
        &mut self,
        first: u64,
        rows: usize,
        label: &dyn Fn(usize) -> &'l [u8],
        row: &mut dyn FnMut(usize) -> Result<Cow<'r, [u8]>, Error>,
    ) -> Result<(), Error> {
        if let Some(strata) = &mut self.strata {
            return strata.pass(first, rows, label, row);
        }
        (0..rows).try_for_each(|at| self.offer_row(first + at as u64, Value::One, label(at), &mut || row(at)))
    }

    /// Returns the numbers of the rows that are picked from a stream of `rows` rows, in the order of drawing if
    /// `of_drawing` is true, or else in the order of the input. Numbers start at 1. The rows themselves are not needed.
    /// Returns `None` for designs with strata or weights, and for designs without replacement if rows have already been
    /// [seen](Slots::seen). The time is that of k picks with replacement, or of about k·ln(n/k) picks without
    /// replacement, where n is `rows`.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails, or [`Error::Stopped`] if the draw is stopped.
    pub fn picks_after(&self, rows: u64, of_drawing: bool) -> Result<Option<Vec<u64>>, Error> {
        let Some(part) = self.whole() else { return Ok(None) };
        let mut picks = match &part.sampler {
            Sampler::Equal(sampler) if !IN_BROWSER && part.seen == 0 => {
                let mut picks = equal_picks(sampler.clone(), rows)?;
                if of_drawing {
                    draw::shuffle(&mut words_of_order(&part.key)?, &mut picks)?;
                }
                picks
            }
            sampler => {
                let Some(slots) = sampler.replacing() else { return Ok(None) };
                let mut picks = slots.rows_after(rows)?;
                picks.iter_mut().for_each(|row| *row += 1);
                picks
            }
        };
        if !of_drawing {
            sort_unstable(&mut picks);
        }
        Ok(Some(picks))
    }

    fn whole(&self) -> Option<&Part> {
        if self.design.stratify.is_none() { self.parts.values().next() } else { None }
    }

    /// Returns true if more rows may be offered. A merged sample accepts no more rows.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        self.parts.values().all(|part| part.sampler.goes_on())
    }

    /// Calls `each` with each row that is kept so far.
    pub(super) fn each_kept(&self, each: &mut dyn FnMut(PickedRow<'_>)) {
        if let Some(strata) = &self.strata {
            return strata.each_kept(each);
        }
        let row = |row: &Kept| each(PickedRow { number: row.number, bytes: &row.bytes });
        self.parts.values().flat_map(|part| &part.kept).for_each(row);
    }

    /// Sets the bytes of the kept rows, in the order of [`Slots::each_kept`].
    pub(super) fn set_kept(&mut self, bytes: &mut dyn Iterator<Item = Vec<u8>>) -> Result<(), Error> {
        if let Some(strata) = &mut self.strata {
            return strata.set_kept(bytes);
        }
        let rows = self.parts.values_mut().flat_map(|part| &mut part.kept);
        rows.zip(bytes).for_each(|(row, bytes)| row.bytes = bytes);
        Ok(())
    }

    /// Adds `before`, the number of rows in earlier samples, to the numbers of the rows.
    pub(super) fn renumber(&mut self, before: u64) {
        if let Some(strata) = &mut self.strata {
            strata.renumber(before);
        }
        self.parts.values_mut().flat_map(|part| &mut part.kept).for_each(|row| row.number += before);
    }

    /// Calls `each` with each stratum, or with the only part, in the order of the labels.
    pub(super) fn each_part(&self, each: &mut EachPart<'_>) -> Result<(), Error> {
        if let Some(strata) = &self.strata {
            return strata.each_part(each);
        }
        self.labels().into_iter().try_for_each(|label| each(label, &self.parts[label]))
    }

    /// Adds a part of a state. Returns false if a part with its label exists.
    pub(super) fn restore(&mut self, label: Vec<u8>, part: Part) -> Result<bool, Error> {
        // A merged sample accepts no more rows, and its strata remain separate parts.
        if part.sampler.goes_on()
            && let Some(strata) = &mut self.strata
        {
            return strata.restore(&label, part);
        }
        self.take_apart()?;
        Ok(self.parts.insert(label, part).is_none())
    }

    /// Converts the strata to parts.
    pub(super) fn take_apart(&mut self) -> Result<(), Error> {
        let Some(strata) = self.strata.take() else { return Ok(()) };
        strata.into_parts(&mut |label, part| {
            self.parts.insert(label, part);
        })
    }

    /// The number of strata, or 1 without strata.
    pub(super) fn count(&self) -> usize {
        self.strata.as_ref().map_or(self.parts.len(), |strata| strata.len())
    }

    /// The number of rows of the whole stream.
    #[must_use]
    pub fn seen(&self) -> u64 {
        let strata = self.strata.as_ref().map_or(0, |strata| strata.seen());
        strata + self.parts.values().map(|part| part.seen).sum::<u64>()
    }

    /// The labels in the order of their bytes.
    pub(super) fn labels(&self) -> Vec<&[u8]> {
        let mut labels: Vec<&[u8]> = self.parts.keys().map(|label| &label[..]).collect();
        sort_unstable(&mut labels);
        labels
    }

    /// The reason why fewer than k rows could be picked, or `None`. A shortage is reported to the user, and is an error
    /// with `--exact`.
    #[must_use]
    pub fn shortage(&self) -> Option<Shortage> {
        if self.design.stratify.as_ref().is_some_and(|stratify| stratify.proportional) {
            let seen = self.seen();
            return (seen < self.design.k as u64).then_some(Shortage::Rows(seen));
        }
        if let Some(strata) = &self.strata {
            let short = strata.short();
            return (short > 0).then_some(Shortage::Strata { short, all: strata.len() });
        }
        // With replacement, one row is sufficient.
        let enough = |part: &&Part| match self.design.kind {
            kind if kind.replaces() => part.eligible > 0 || self.design.k == 0,
            _ => part.eligible >= self.design.k as u64,
        };
        let short: Vec<&Part> = self.parts.values().filter(|part| !enough(part)).collect();
        match (&self.design.stratify, short.first()) {
            (_, None) => None,
            (Some(_), _) => Some(Shortage::Strata { short: short.len(), all: self.parts.len() }),
            (None, Some(part)) if part.eligible < part.seen => {
                Some(Shortage::Weights { rows: part.seen, eligible: part.eligible })
            }
            (None, Some(part)) => Some(Shortage::Rows(part.seen)),
        }
    }

    /// For designs with weights, the data for estimates of totals: for all rows, or for each stratum in the order of
    /// the labels.
    pub(super) fn weights(&self) -> Vec<WeightSum> {
        let labels = self.labels().into_iter();
        let of_label = |label: &[u8]| {
            let part = &self.parts[label];
            let (sum, slots) = part.sampler.weights()?;
            let mut certain: Vec<u64> =
                slots.into_iter().filter_map(|slot| Some(part.kept.get(slot)?.number)).collect();
            certain.sort_unstable();
            let stratum = self.design.stratify.as_ref().map(|_| String::from_utf8_lossy(label).into_owned());
            Some(WeightSum { stratum, sum, certain })
        };
        labels.filter_map(of_label).collect()
    }

    /// The rows in the order of drawing. Strata are in the order of their labels.
    pub(super) fn drawn(mut self) -> Result<Vec<Kept>, Error> {
        if let Some(rows) = self.packed(true)? {
            let mut drawn = Vec::new();
            drawn.try_reserve_exact(rows.len()).map_err(|_| no_memory())?;
            for at in 0..rows.len() {
                let PickedRow { number, bytes } = rows.get(at);
                drawn.push(Kept::of(number, bytes)?);
            }
            return Ok(drawn);
        }
        let labels: Vec<Vec<u8>> = self.labels().into_iter().map(<[u8]>::to_vec).collect();
        let shares = self.shares(&labels)?;
        let mut rows = Vec::new();
        for (label, share) in labels.iter().zip(shares) {
            let part = self.parts.remove(label).expect("its label is here");
            let mut drawn = part.drawn()?;
            // The rows that were drawn first are also a random sample.
            drawn.truncate(share);
            rows.append(&mut drawn);
        }
        Ok(rows)
    }

    /// The rows of [`Strata`], if there are any, in the order of drawing, or in that of the input.
    pub(super) fn packed(&mut self, of_drawing: bool) -> Result<Option<PackedRows>, Error> {
        let Some(strata) = self.strata.take() else { return Ok(None) };
        let proportional = self.design.stratify.as_ref().is_some_and(|stratify| stratify.proportional);
        if !of_drawing && !proportional {
            return strata.in_input_order().map(Some);
        }
        let shares = if proportional { Some(self.proportional_shares(&strata.sizes()?)?) } else { None };
        let mut rows = strata.drawn(&|at| shares.as_ref().map_or(usize::MAX, |shares| shares[at]))?;
        if !of_drawing {
            rows.sort()?;
        }
        Ok(Some(rows))
    }

    /// The rows and, for each pick in the order of drawing, the index of its row among them, for designs that may pick
    /// a row several times. Strata are in the order of their labels.
    pub(super) fn shared(mut self) -> Result<Shared, Error> {
        let shared = |part: &Part| part.sampler.kind().replaces() && part.sampler.goes_on();
        if IN_BROWSER || self.design.kind != Kind::Replace || !self.parts.values().all(shared) {
            return Ok(Err(self));
        }
        let labels: Vec<Vec<u8>> = self.labels().into_iter().map(<[u8]>::to_vec).collect();
        let shares = self.shares(&labels)?;
        let (mut rows, mut places): (Vec<Kept>, Vec<u32>) = (Vec::new(), Vec::new());
        for (label, share) in labels.iter().zip(shares) {
            let part = self.parts.remove(label).expect("its label is here");
            let (mut own, mut own_places) = part.shared()?;
            // The first picks are also a random sample.
            own_places.truncate(share);
            let before = u32::try_from(rows.len()).map_err(|_| no_memory())?;
            u32::try_from(rows.len() + own.len()).map_err(|_| no_memory())?;
            if rows.is_empty() {
                (rows, places) = (own, own_places);
                continue;
            }
            rows.try_reserve(own.len()).map_err(|_| no_memory())?;
            places.try_reserve(own_places.len()).map_err(|_| no_memory())?;
            own_places.iter_mut().for_each(|place| *place += before);
            rows.append(&mut own);
            places.append(&mut own_places);
        }
        Ok(Ok((rows, places)))
    }

    /// The number of rows to pick from each stratum.
    fn shares(&self, labels: &[Vec<u8>]) -> Result<Vec<usize>, Error> {
        if !self.design.stratify.as_ref().is_some_and(|stratify| stratify.proportional) {
            return Ok(vec![self.design.k; labels.len()]);
        }
        let strata: Vec<(&[u8], u64)> =
            labels.iter().map(|label| (&label[..], self.parts[label].seen)).collect();
        self.proportional_shares(&strata)
    }

    /// The shares of strata with these labels and numbers of rows.
    pub(super) fn proportional_shares(&self, strata: &[(&[u8], u64)]) -> Result<Vec<usize>, Error> {
        let shares = allocate(&mut self.key.allocation().words(), self.design.k as u64, strata)?;
        // No share is larger than k.
        Ok(shares.into_iter().map(|share| share as usize).collect())
    }
}

/// For each slot of a reservoir, the number of the row that it contains after `rows` rows.
fn equal_picks(mut sampler: SkipReservoir<KeyRng>, rows: u64) -> Result<Vec<u64>, Error> {
    let k = usize::try_from(rows).map_or(sampler.capacity(), |rows| rows.min(sampler.capacity()));
    let mut picks = Vec::new();
    picks.try_reserve_exact(k).map_err(|_| no_memory())?;
    let mut entered = 0;
    while sampler.skip() < rows - sampler.seen() {
        interrupt::check(entered)?;
        entered += 1;
        sampler.passed(sampler.skip());
        let slot = sampler.enter()?;
        match picks.get_mut(slot) {
            Some(pick) => *pick = sampler.seen(),
            None => picks.push(sampler.seen()),
        }
    }
    Ok(picks)
}

/// The data about weights that estimates of totals need. With the design `pps`, a row of weight w that is not certain
/// has the inclusion probability (k - c)·w/(T - C), where k is the size of the sample, T the sum of all weights, c the
/// number of certain rows, and C the sum of their weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightSum {
    /// The label of the stratum, if there are strata.
    pub stratum: Option<String>,
    /// The sum of the weights of all rows, as decimal text.
    pub sum: String,
    /// The numbers of the rows that are in the sample with probability 1. Numbers start at 1.
    pub certain: Vec<u64>,
}

/// The reason why fewer rows were picked than requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shortage {
    /// There are only this many rows.
    Rows(u64),
    /// There are only this many keys.
    Keys(u64),
    /// There are too few rows with a weight above 0.
    Weights {
        /// The number of rows.
        rows: u64,
        /// The number of rows with a weight above 0.
        eligible: u64,
    },
    /// Some strata have too few rows.
    Strata {
        /// The number of strata with too few rows.
        short: usize,
        /// The number of all strata.
        all: usize,
    },
}

impl Shortage {
    /// Describes the result of a request for `k` rows.
    #[must_use]
    pub fn said(&self, k: usize) -> String {
        match self {
            Self::Strata { short, all } => {
                format!("in {short} of {all} strata, all rows were picked, because there are fewer than {k}")
            }
            _ => format!("{}: all of them were picked", self.count()),
        }
    }

    /// The error message for a request of `k` rows with `--exact`.
    #[must_use]
    pub fn refused(&self, k: usize) -> String {
        match self {
            Self::Strata { short, all } => format!("{short} of {all} strata have fewer than {k} rows"),
            _ => format!("{}, not {k}", self.count()),
        }
    }

    fn count(&self) -> String {
        let plural = |n: u64, what: &str| format!("only {n} {what}{}", if n == 1 { "" } else { "s" });
        match self {
            Self::Rows(rows) => plural(*rows, "row"),
            Self::Keys(keys) => plural(*keys, "key"),
            Self::Weights { rows, eligible } => {
                format!("only {eligible} of {rows} rows have a weight above 0")
            }
            Self::Strata { short, .. } => format!("{short}"),
        }
    }
}
