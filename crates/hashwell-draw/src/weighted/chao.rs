//! Chao, *A general purpose unequal probability sampling plan*, Biometrika 69 (1982), with integer weights.

use super::units::{Uniform, Units};
use super::weight::{SIZE_TIMES_SUM, too_heavy};
use crate::draw::below;
use crate::{Error, RandomSource};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A sample of k rows of a stream with inclusion probabilities proportional to size (PPS). After every row, each row
/// seen so far is in the sample with probability exactly k·w/W, where w is its weight and W the sum of all weights so
/// far. A row with k·w > W is certain: it is in the sample with probability 1 for as long as that holds, and the other
/// rows share the remaining slots by the same rule. Weights are integers ([`Decimal`](crate::number::Decimal) reads
/// them), and all probabilities are exact fractions of integers. This is not successive sampling.
///
/// Each new row lowers the inclusion probabilities of the other rows. One of k + 1 rows, which are those in the sample
/// and the new one, is removed. Each is removed with the probability by which its inclusion probability falls. The
/// probabilities of rows that are not certain all fall by the same factor, so that these rows are equally likely to
/// leave.
///
/// Each row with a weight above 0 after the first k consumes one random `u64` (with probability 2^-64, more than one).
/// A new row that is certain consumes none if no certain row stops being certain. If the removed row was not certain,
/// the random numbers of one call of [`below`] are also consumed. Each row that stops being certain takes O(log k)
/// time, and any other row takes O(1) time.
#[derive(Clone)]
pub struct Chao<W, N = u128> {
    pub(super) words: W,
    pub(super) k: usize,
    pub(super) seen: u64,
    /// The certain rows: the lightest first, then the lowest slot.
    pub(super) certain: BinaryHeap<Reverse<(N, usize)>>,
    /// The slots of the rows that are not certain.
    pub(super) others: Vec<usize>,
    /// The weight of all rows seen that are not certain.
    pub(super) rest: N,
    pub(super) total: N,
}

const MEMORY: Error = Error::Memory { what: "a sample" };

/// The weight of a row that is not certain anymore, and its slot. The slot is `None` for the new row.
type Demoted<N> = (N, Option<usize>);

impl<W: RandomSource> Chao<W> {
    /// Starts a sample of k rows. If k is 0, the sample stays empty.
    ///
    /// # Errors
    /// This function currently never fails. It returns a [`Result`] for consistency with the other samplers.
    pub fn new(words: W, k: usize) -> Result<Self, Error> {
        Ok(Self::empty(words, k))
    }

    /// Offers the next row. Returns the slot that it takes, or `None` if it does not enter the sample. Slots are first
    /// filled in order.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if k·W is 2^128 or more, [`Error::RandomSource`] if the random source fails, or
    /// [`Error::Memory`] if an allocation fails. After an error, the row does not count as seen.
    pub fn offer(&mut self, weight: u128) -> Result<Option<usize>, Error> {
        self.offer_units(weight)
    }

    /// The sum of the weights of all rows seen.
    #[must_use]
    pub fn total(&self) -> u128 {
        self.total
    }
}

impl<W: RandomSource, N: Units> Chao<W, N> {
    pub(super) fn empty(words: W, k: usize) -> Self {
        let (certain, others) = (BinaryHeap::new(), Vec::new());
        Self { words, k, seen: 0, certain, others, rest: N::default(), total: N::default() }
    }

    /// [`Chao::offer`] for any kind of units.
    pub(super) fn offer_units(&mut self, weight: N) -> Result<Option<usize>, Error> {
        let total = self.total.plus(&weight).filter(|total| total.times(self.k.max(1)).is_some());
        let total = total.ok_or_else(|| too_heavy(SIZE_TIMES_SUM, self.seen))?;
        let slot = if weight == N::default() || self.k == 0 {
            None
        } else if self.certain.len() + self.others.len() < self.k {
            Some(self.fill(weight)?)
        } else {
            self.exchange(weight)?
        };
        self.total = total;
        self.seen = self.seen.saturating_add(1);
        Ok(slot)
    }

    fn fill(&mut self, weight: N) -> Result<usize, Error> {
        self.certain.try_reserve(1).map_err(|_| MEMORY)?;
        let slot = self.certain.len();
        self.certain.push(Reverse((weight, slot)));
        Ok(slot)
    }

    /// Removes one of k + 1 rows: the k rows in the sample and the new one. Returns the slot that the new row takes, if
    /// it enters the sample.
    fn exchange(&mut self, weight: N) -> Result<Option<usize>, Error> {
        // The new row may become certain. Rows that stop being certain move to `others`, or back if this fails.
        self.certain.try_reserve(1).map_err(|_| MEMORY)?;
        let mut demoted = Vec::new();
        let chosen = self.demote(&weight, &mut demoted).and_then(|(rest, new_is_certain)| {
            self.others.try_reserve(demoted.len()).map_err(|_| MEMORY)?;
            let leaving = self.choose(&demoted, &rest)?;
            Ok((rest, new_is_certain, leaving))
        });
        let (rest, new_is_certain, leaving) = match chosen {
            Ok(chosen) => chosen,
            Err(error) => {
                let back = demoted.into_iter().filter_map(|(weight, slot)| Some(Reverse((weight, slot?))));
                self.certain.extend(back);
                return Err(error);
            }
        };
        self.rest = rest;
        let slot = match leaving {
            Leaving::New => None,
            Leaving::Demoted(at) => demoted.remove(at).1,
            Leaving::Other(at) => Some(self.others.swap_remove(at)),
        };
        if new_is_certain {
            self.certain.extend(slot.map(|slot| Reverse((weight, slot))));
        }
        // The new row takes the slot of the removed one.
        self.others.extend(demoted.iter().filter_map(|(_, own)| own.or(slot)));
        Ok(slot)
    }

    /// Removes the rows that stop being certain because of the new row from the certain rows, the lightest first, and
    /// appends them to `demoted`. Returns the new rest, and true if the new row is certain itself.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails, possibly after some rows have been removed.
    fn demote(&mut self, weight: &N, demoted: &mut Vec<Demoted<N>>) -> Result<(N, bool), Error> {
        let (mut rest, mut new) = (self.rest.clone(), Some(weight));
        loop {
            let lightest = self.certain.peek().map(|Reverse((weight, _))| weight);
            let take_new = new.is_some_and(|new| lightest.is_none_or(|weight| new <= weight));
            let Some(weight) = (if take_new { new } else { lightest }) else { break };
            // The sum does not overflow, because k times the total does not.
            let with = rest.plus(weight).unwrap_or_default();
            // The number of certain rows except this one. They leave k - heavier slots for this row and the rest.
            let heavier = self.certain.len() + usize::from(new.is_some()) - 1;
            if heavier < self.k && weight.times(self.k - heavier).is_some_and(|share| share > with) {
                break;
            }
            rest = with;
            demoted.try_reserve(1).map_err(|_| MEMORY)?;
            if take_new {
                demoted.extend(new.take().map(|weight| (weight.clone(), None)));
            } else {
                demoted.extend(self.certain.pop().map(|Reverse((weight, slot))| (weight, Some(slot))));
            }
        }
        Ok((rest, new.is_some()))
    }

    /// Chooses the row to remove: a demoted row of weight w with probability 1 - free·w/rest, or else one of the
    /// others, all with equal probability.
    fn choose(&mut self, demoted: &[Demoted<N>], rest: &N) -> Result<Leaving, Error> {
        // One of k + 1 rows is removed, and it is not one of the rows that are still certain.
        let free = demoted.len() + self.others.len() - 1;
        let (mut uniform, mut reach) = (Uniform::default(), N::default());
        for (at, (weight, slot)) in demoted.iter().enumerate() {
            // This does not overflow, because the sum of the shares of all rows is `rest`.
            let share = rest.minus(&weight.times(free).unwrap_or_default());
            reach = reach.plus(&share).unwrap_or_default();
            if uniform.is_below(&mut self.words, &reach, rest)? {
                return Ok(if slot.is_some() { Leaving::Demoted(at) } else { Leaving::New });
            }
        }
        below(&mut self.words, self.others.len() as u64).map(|at| Leaving::Other(at as usize))
    }

    /// Restores the saved sample in a new sampler. Returns false if such a sample is impossible.
    pub(super) fn set(
        &mut self,
        seen: u64,
        (total, rest): (N, N),
        certain: Vec<(N, usize)>,
        others: Vec<usize>,
    ) -> bool {
        let len = certain.len() + others.len();
        let mut taken = vec![false; len];
        let mut slots = certain.iter().map(|(_, slot)| *slot).chain(others.iter().copied());
        let each_once =
            slots.all(|slot| taken.get_mut(slot).is_some_and(|taken| !std::mem::replace(taken, true)));
        let sum = certain.iter().try_fold(rest.clone(), |sum, (weight, _)| sum.plus(weight));
        let zero = N::default();
        let sums = sum.as_ref() == Some(&total) || (self.k == 0 && rest == zero);
        let bounded = total.times(self.k.max(1)).is_some();
        // Until the first row is removed, all rows are certain. After that, there is always a row that is not certain,
        // and the certain rows are too heavy to be among the others.
        let kept = if rest == zero {
            others.is_empty() && len <= self.k && len as u64 <= seen
        } else {
            let least = certain.iter().map(|(weight, _)| weight).min();
            // Neither the product nor the sum overflows if the count is valid: others.len() + 1 <= k, and k times the
            // total does not overflow.
            let heavy = |least: &N| least.times(others.len() + 1) > rest.plus(least);
            !others.is_empty()
                && len == self.k
                && (len as u64) < seen
                && bounded
                && sums
                && least.is_none_or(heavy)
        };
        if !(each_once && sums && bounded && kept && certain.iter().all(|(weight, _)| *weight > zero)) {
            return false;
        }
        (self.seen, self.total, self.rest, self.others) = (seen, total, rest, others);
        self.certain = certain.into_iter().map(Reverse).collect();
        true
    }

    /// The size k of the sample.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.k
    }

    /// The number of slots that are taken.
    #[must_use]
    pub fn filled(&self) -> usize {
        self.certain.len() + self.others.len()
    }

    /// The number of rows seen, including those with weight 0.
    #[must_use]
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// The slots of the certain rows. Given the weights so far, the inclusion probability of these rows is 1.
    pub fn certain(&self) -> impl Iterator<Item = usize> + '_ {
        self.certain.iter().map(|Reverse((_, slot))| *slot)
    }
}

enum Leaving {
    New,
    /// The demoted row with this index.
    Demoted(usize),
    /// The row with this index among the others.
    Other(usize),
}
