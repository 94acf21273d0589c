//! The exact distribution of a process's outcomes, and expectations under it.

use super::forward::{Decided, End, MEMORY, Masses, add, forward, sum};
use super::limits::Limits;
use crate::Error;
use crate::number::ln;
use crate::order::sort_unstable_by;
use crate::process::Coalgebra;
use std::hash::Hash;

/// The exact distribution of a process's outcomes.
#[derive(Clone, Debug, PartialEq)]
pub struct Exact<O> {
    /// Each possible outcome with its mass, in order of discovery. The mass is the sum, over all runs with this
    /// outcome, of the run's probability times the weights of its observations. Masses are in units of
    /// 2^[`unit`](Self::unit).
    pub outcomes: Vec<(O, f64)>,
    /// The mass that was not assigned to an outcome, in the same units. Without observations, the masses of all
    /// outcomes sum to 1 - lost. With observations, later observations could still change the unassigned mass.
    pub lost: f64,
    /// The sum of the masses of all outcomes. If no mass is lost, this is the probability of the observations.
    pub evidence: f64,
    /// The exponent of the unit of all masses, which is a power of two. The exponent is 0 unless observations moved the
    /// sum of the masses out of the range 2^-256 to 2^256.
    pub unit: i64,
    /// The number of steps of the enumeration.
    pub steps: u64,
    /// The number of states whose terms were examined.
    pub expanded: u64,
}

impl<O> Exact<O> {
    /// The outcomes with their probabilities, given the observations. Unassigned mass is not counted.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if the evidence is 0, which means that the observations are impossible.
    pub fn posterior(&self) -> Result<Vec<(&O, f64)>, Error> {
        check_evidence(self.evidence)?;
        Ok(self.outcomes.iter().map(|(out, mass)| (out, mass / self.evidence)).collect())
    }

    /// The natural logarithm of [`evidence`](Self::evidence) · 2^[`unit`](Self::unit), or -∞ if the evidence is 0.
    #[must_use]
    pub fn log_evidence(&self) -> f64 {
        ln(self.evidence) + self.unit as f64 * std::f64::consts::LN_2
    }

    /// Returns the same distribution, sorted by outcome.
    #[must_use]
    pub fn sorted(mut self) -> Self
    where
        O: Ord,
    {
        // All outcomes differ, so the sort need not be stable, and an unstable sort does not allocate.
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

/// Computes the exact distribution of the process's outcomes by enumeration. The enumeration works step by step, and
/// merges equal states that are reached after the same number of terms. The probabilities of a Bernoulli term are
/// exactly p and 1 - p, and those of a categorical term are its weights divided by their sum. Sampling matches these
/// probabilities to within 2^-53.
///
/// For each draw of each state, this costs a call of `next`, a copy of the state and a hash map lookup. If the tables
/// of states and outcomes cannot be allocated, this returns an error. The contents of a state are copied by its `Clone`
/// implementation, which aborts the program on allocation failure if it uses Rust's collections. If a process keeps its
/// whole path, set [`Limits::states`] so that the states fit into memory.
///
/// # Errors
/// Returns [`Error::AtStep`] if a distribution is out of its range or has a density, or if there are more states than
/// the limit. If the watch cancels the call, returns [`Error::AtStep`] with the reason [`Error::Stopped`]. Returns
/// [`Error::OutOfRange`] if a limit is not valid, or [`Error::Memory`] if an allocation fails.
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

/// Outcomes as a list. Returns an error if the list cannot be allocated.
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

/// The mean of a function of a process's outcome.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expectation {
    /// The mean over the outcomes that were found, given the observations.
    pub value: f64,
    /// The fraction of the probability that was not assigned to an outcome. If all values of the function are from c to
    /// d, its mean differs from `value` by at most (d - c) · lost.
    pub lost: f64,
}

/// Computes the mean of `f` over the process's outcomes. The process is enumerated as by [`exact`], but outcomes are
/// not stored, so they need not be comparable.
///
/// # Errors
/// Returns the same errors as [`exact`], or [`Error::OutOfRange`] if the observations are impossible.
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
