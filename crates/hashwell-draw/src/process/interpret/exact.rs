//! The law of what comes of a process, by enumeration: step by step over the states that can be reached, equal ones merged.

use crate::Error;
use crate::number::ln;
use crate::process::{Coalgebra, Flow};
use indexmap::IndexMap;
use std::hash::Hash;

/// Where an enumeration ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// It ends when at most this part of the weight is undecided; with 0 never for this reason.
    pub mass: f64,
    /// It ends after so many steps, each a term.
    pub steps: u64,
    /// States and outcomes that may be held at once: more are an error.
    pub states: usize,
}

impl Default for Limit {
    /// All but 10^-12 of the mass, in at most 2^20 steps and 2^22 states.
    fn default() -> Self {
        Self { mass: 1e-12, steps: 1 << 20, states: 1 << 22 }
    }
}

/// The law of what comes of a process.
#[derive(Clone, Debug, PartialEq)]
pub struct Exact<O> {
    /// What can come, each once, in the order in which it was found; with its mass, the sum over all runs of their
    /// probabilities times the weights of their observations. In units of 2^[`unit`](Self::unit).
    pub outcomes: Vec<(O, f64)>,
    /// The mass of what was not decided. Without observations all masses sum up to 1 - lost.
    pub lost: f64,
    /// The sum of all masses: the probability of what was observed, if nothing is lost.
    pub evidence: f64,
    /// The power of two that masses are counted in: 0, unless observations made all of them very small or large.
    pub unit: i64,
    /// Steps that were made.
    pub steps: u64,
    /// States whose terms were looked at.
    pub expanded: u64,
}

impl<O> Exact<O> {
    /// The outcomes with their probabilities given what was observed.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if the evidence is 0.
    pub fn posterior(&self) -> Result<Vec<(&O, f64)>, Error> {
        if self.evidence > 0.0 {
            Ok(self.outcomes.iter().map(|(out, mass)| (out, mass / self.evidence)).collect())
        } else {
            Err(Error::range("the evidence", "more than 0", self.evidence))
        }
    }

    /// The natural logarithm of the evidence, whatever the unit.
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
        self.outcomes.sort_by(|(one, _), (other, _)| one.cmp(other));
        self
    }
}

/// The law of what comes of the process.
///
/// # Errors
/// [`Error::AtStep`] for a law out of its range, one with a density, and more states than the limit has;
/// [`Error::Memory`].
pub fn exact<C>(process: &C, limit: &Limit) -> Result<Exact<C::Out>, Error>
where
    C: Coalgebra,
    C::State: Clone + Eq + Hash,
    C::Out: Eq + Hash,
{
    let mut outcomes = IndexMap::<C::Out, f64>::new();
    let mut frontier = IndexMap::<C::State, f64>::new();
    match process.start() {
        Flow::More(state) => drop(frontier.insert(state, 1.0)),
        Flow::Done(out) => drop(outcomes.insert(out, 1.0)),
    }
    let (mut steps, mut expanded) = (0, 0);
    let lost = loop {
        let lost: f64 = frontier.values().sum();
        if frontier.is_empty() || steps >= limit.steps || lost <= limit.mass {
            break lost;
        }
        let mut after = IndexMap::new();
        for (state, mass) in frontier {
            expanded += 1;
            let law = process.law(&state);
            law.each_draw(|draw, probability| {
                match process.next(state.clone(), draw) {
                    Flow::More(next) => *after.entry(next).or_insert(0.0) += mass * probability,
                    Flow::Done(out) => *outcomes.entry(out).or_insert(0.0) += mass * probability,
                }
                let states = after.len() + outcomes.len();
                if states > limit.states {
                    let must = format!("at most {}, its limit", limit.states);
                    return Err(Error::range("the states of an enumeration", must, states));
                }
                Ok(())
            })
            .map_err(|error| error.at_step(steps))?;
        }
        steps += 1;
        frontier = after;
    };
    let evidence = outcomes.values().sum();
    Ok(Exact { outcomes: outcomes.into_iter().collect(), lost, evidence, unit: 0, steps, expanded })
}

/// The mean of a function of what comes of a process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expectation {
    /// The mean over what was decided, given what was observed.
    pub value: f64,
    /// The part of the weight that was not decided.
    pub lost: f64,
}

/// The mean of `f`, as [`exact`] without keeping the outcomes.
///
/// # Errors
/// As [`exact`], and [`Error::OutOfRange`] if the evidence is 0.
pub fn expect<C>(process: &C, limit: &Limit, mut f: impl FnMut(&C::Out) -> f64) -> Result<Expectation, Error>
where
    C: Coalgebra,
    C::State: Clone + Eq + Hash,
    C::Out: Eq + Hash,
{
    let exact = exact(process, limit)?;
    let value = exact.posterior()?.into_iter().map(|(out, mass)| f(out) * mass).sum();
    Ok(Expectation { value, lost: exact.lost })
}
