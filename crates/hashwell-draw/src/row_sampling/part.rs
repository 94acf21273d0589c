//! A sampler and the rows that it keeps: of all rows, or of one stratum.

use super::kind::Kind;
use super::row::{Kept, put};
use super::sampler::Sampler;
use super::seed::words_of_order;
use super::weight::Value;
use crate::order::sort_by;
use crate::{Error, Key, draw};
use std::borrow::Cow;

/// A sample in the making.
#[derive(Clone)]
pub(super) struct Part {
    pub(super) key: Key,
    pub(super) sampler: Sampler,
    pub(super) kept: Vec<Kept>,
    /// Rows that went by.
    pub(super) seen: u64,
    /// Those of them that could be picked: that have a weight above zero, or no weight.
    pub(super) eligible: u64,
    /// Slots that the next row takes: empty, but where the sampler has chosen them and the row is not in them all, since there
    /// was no row or no memory.
    slots: Vec<usize>,
}

impl Part {
    pub(super) fn new(kind: Kind, key: Key, k: usize) -> Result<Self, Error> {
        Ok(Self::over(key, Sampler::new(kind, &key, k)?, Vec::new(), 0, 0))
    }

    /// A part that was saved.
    pub(super) fn over(key: Key, sampler: Sampler, kept: Vec<Kept>, seen: u64, eligible: u64) -> Self {
        Self { key, sampler, kept, seen, eligible, slots: Vec::new() }
    }

    /// Rows to pass over before the next that may be picked.
    pub(super) fn skip(&self) -> u64 {
        if self.slots.is_empty() { self.sampler.skip() } else { 0 }
    }

    /// That no row is missing, which is to come again.
    pub(super) fn check_whole(&self) -> Result<(), Error> {
        if self.slots.is_empty() {
            return Ok(());
        }
        Err(Error::refused("the last row is not in the sample: it has to come again"))
    }

    /// So many rows went by, at most [`Part::skip`].
    pub(super) fn passed(&mut self, rows: u64) {
        self.sampler.passed(rows);
        self.seen += rows;
        self.eligible += rows;
    }

    /// Passes over rows with these weights up to the next that may be kept, and returns how many they are.
    pub(super) fn pass_weights(&mut self, weights: &[f64]) -> usize {
        if !self.slots.is_empty() {
            return 0;
        }
        let rows = self.sampler.pass_weights(weights);
        self.seen += rows as u64;
        self.eligible += weights[..rows].iter().filter(|weight| **weight > 0.0).count() as u64;
        rows
    }

    /// The next row, wherever the sampler is.
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

    /// The rows in the order of drawing, any first part of which is a sample too.
    pub(super) fn drawn(self) -> Result<Vec<Kept>, Error> {
        self.check_whole()?;
        let mut kept = self.kept;
        match self.sampler.ranks() {
            // Slots of their own.
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
