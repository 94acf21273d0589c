//! The law of what comes of a process, and means under it.

use super::forward::{Decided, End, MEMORY, Masses, add, forward, sum};
use super::limits::Limits;
use crate::Error;
use crate::number::ln;
use crate::order::sort_unstable_by;
use crate::process::Coalgebra;
use std::hash::Hash;

/// The law of what comes of a process.
#[derive(Clone, Debug, PartialEq)]
pub struct Exact<O> {
    /// What can come, each once, in the order in which it was found; with its mass, the sum over all runs of their
    /// probabilities times the weights of their observations. In units of 2^[`unit`](Self::unit).
    pub outcomes: Vec<(O, f64)>,
    /// The mass of what was not decided, in the same units. Without observations all masses sum up to 1 - lost; with them
    /// it is what is known so far, on which later observations have their say.
    pub lost: f64,
    /// The sum of all masses: the probability of what was observed, if nothing is lost.
    pub evidence: f64,
    /// The power of two that masses are counted in: 0, unless observations took their sum out of 2^-256 to 2^256.
    pub unit: i64,
    /// Steps that were made.
    pub steps: u64,
    /// States whose terms were looked at.
    pub expanded: u64,
}

impl<O> Exact<O> {
    /// The outcomes with their probabilities given what was observed, and that they were decided.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if the evidence is 0: what was observed cannot be.
    pub fn posterior(&self) -> Result<Vec<(&O, f64)>, Error> {
        check_evidence(self.evidence)?;
        Ok(self.outcomes.iter().map(|(out, mass)| (out, mass / self.evidence)).collect())
    }

    /// The natural logarithm of the evidence, whatever the unit; -∞ if it is 0.
    #[must_use]
    pub fn log_evidence(&self) -> f64 {
        ln(self.evidence) + self.unit as f64 * std::f64::consts::LN_2
    }

    /// The same with outcomes in their order.
    #[must_use]
    pub fn sorted(mut self) -> Self
    where
        O: Ord,
    {
        // All differ, and a stable sort would ask for memory.
        sort_unstable_by(&mut self.outcomes, |(one, _), (other, _)| one.cmp(other));
        self
    }
}

fn check_evidence(evidence: f64) -> Result<(), Error> {
    if evidence > 0.0 {
        Ok(())
    } else {
        Err(Error::range("the probability of the observations", "more than 0", evidence))
    }
}

/// The law of what comes of the process, by enumeration with equal states merged: step by step, so that states are merged
/// which are reached after equally many terms. A Bernoulli term has its p, a categorical one weight / sum, as they stand; what
/// is drawn of words comes within 2^-53 of that.
///
/// Costs `next`, a copy of the state and a look into a hash map for each draw of each state. Tables of states and outcomes
/// are asked for memory and may be refused it, with an error. What the states themselves hold is copied by their `Clone`,
/// as Rust's collections do it: a process that keeps its whole path should have a limit of states that its memory bears.
///
/// # Errors
/// [`Error::AtStep`] for a law out of its range, one with a density, and more states than the limit has;
/// [`Error::Memory`]; [`Error::OutOfRange`] for a limit that is none; [`Error::Stopped`] at a step.
pub fn exact<C>(process: &C, limits: &Limits<'_>) -> Result<Exact<C::Out>, Error>
where
    C: Coalgebra,
    C::State: Clone + Eq + Hash,
    C::Out: Eq + Hash,
{
    let mut outcomes = Outcomes { masses: Masses::default(), total: 0.0 };
    let End { lost, unit, steps, expanded, .. } = forward(process, limits, &mut outcomes)?;
    let evidence = sum(&outcomes.masses);
    let outcomes = kept(outcomes.masses.into_iter())?;
    Ok(Exact { outcomes, lost, evidence, unit, steps, expanded })
}

/// Outcomes as a list, in memory that may be refused.
pub(crate) fn kept<O>(outcomes: impl ExactSizeIterator<Item = (O, f64)>) -> Result<Vec<(O, f64)>, Error> {
    let mut list = Vec::new();
    list.try_reserve_exact(outcomes.len()).map_err(|_| MEMORY)?;
    list.extend(outcomes);
    Ok(list)
}

struct Outcomes<O> {
    masses: Masses<O>,
    total: f64,
}

impl<O: Eq + Hash> Decided<O> for Outcomes<O> {
    #[inline]
    fn add(&mut self, out: O, mass: f64) -> Result<(), Error> {
        self.total += mass;
        add(&mut self.masses, out, mass)
    }

    fn total(&self) -> f64 {
        self.total
    }

    fn scale(&mut self, factor: f64) {
        self.total *= factor;
        self.masses.values_mut().for_each(|mass| *mass *= factor);
    }

    fn held(&self) -> usize {
        self.masses.len()
    }
}

/// The mean of a function of what comes of a process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expectation {
    /// The mean over what was decided, given what was observed.
    pub value: f64,
    /// The part of the mass that was not decided: a function between c and d has its mean within (d - c) · lost of the value.
    pub lost: f64,
}

/// The mean of `f`, as [`exact`] without keeping the outcomes, which need not be comparable.
///
/// # Errors
/// As [`exact`], and [`Error::OutOfRange`] if the evidence is 0.
pub fn expect<C>(
    process: &C,
    limits: &Limits<'_>,
    f: impl FnMut(&C::Out) -> f64,
) -> Result<Expectation, Error>
where
    C: Coalgebra,
    C::State: Clone + Eq + Hash,
{
    let mut mean = Mean { f, sum: 0.0, total: 0.0 };
    let end = forward(process, limits, &mut mean)?;
    check_evidence(mean.total)?;
    Ok(Expectation { value: mean.sum / mean.total, lost: end.lost / (end.lost + mean.total) })
}

struct Mean<F> {
    f: F,
    sum: f64,
    total: f64,
}

impl<O, F: FnMut(&O) -> f64> Decided<O> for Mean<F> {
    fn add(&mut self, out: O, mass: f64) -> Result<(), Error> {
        self.total += mass;
        self.sum += mass * (self.f)(&out);
        Ok(())
    }

    fn total(&self) -> f64 {
        self.total
    }

    fn scale(&mut self, factor: f64) {
        self.total *= factor;
        self.sum *= factor;
    }

    fn held(&self) -> usize {
        0
    }
}
