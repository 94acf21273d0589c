//! Chains on the integers, as paths.

use super::check::MAX_POINTS;
use super::path::{Path, failure};
use crate::Error;
use crate::number::ln;
use crate::process::{Coalgebra, Distribution, Flow, Outcome};

/// Selects the outcome of a process that goes through many places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// All places, in order.
    All,
    /// A summary: the last place or, for an urn, the number of draws of each colour. States that differ only in their
    /// past are then equal, so an enumeration merges them.
    Summary,
}

/// A Markov chain on the integers. Each step is one term, whose draws can be enumerated.
pub trait Chain {
    /// The place where the chain begins.
    fn begin(&self) -> i64;
    /// The number of steps, or `None` if this number is not fixed.
    fn steps(&self) -> Option<u32>;
    /// Returns true if the chain ends at this place.
    fn absorbs(&self, at: i64) -> bool;
    /// The term of a step from this place.
    fn distribution(&self, at: i64) -> Distribution<'_>;
    /// The place after a step from `at` with this draw.
    fn step(&self, at: i64, draw: Outcome) -> i64;
}

/// A chain's path from its beginning to its end. The outcome is the list of all places including the first one, or only
/// the last place with [`Keep::Summary`]. If a path has more than [`MAX_POINTS`] places, the run fails at that step.
#[derive(Clone, Debug, PartialEq)]
pub struct Walk<C> {
    chain: C,
    keep: Keep,
}

impl<C: Chain> Walk<C> {
    /// Creates a walk of this chain.
    pub fn new(chain: C, keep: Keep) -> Self {
        Self { chain, keep }
    }

    /// The chain.
    pub fn chain(&self) -> &C {
        &self.chain
    }

    /// Returns the same walk, but with only the last place as the outcome.
    #[must_use]
    pub fn summary(&self) -> Self
    where
        C: Clone,
    {
        Self { chain: self.chain.clone(), keep: Keep::Summary }
    }

    /// The logarithm of a path's probability, or -∞ if this is not a complete path of the chain. The probability of a
    /// step is the sum of the probabilities of all draws that lead to it.
    pub fn log_probability(&self, path: &[i64]) -> f64 {
        let Some((&first, rest)) = path.split_first() else { return f64::NEG_INFINITY };
        let (mut at, mut log) = (first, if first == self.chain.begin() { 0.0 } else { f64::NEG_INFINITY });
        for (steps, &next) in (0..).zip(rest) {
            if log == f64::NEG_INFINITY || self.ends(at, steps) {
                return f64::NEG_INFINITY;
            }
            let mut chance = 0.0;
            let listed = self.chain.distribution(at).each_outcome(|draw, probability| {
                if self.chain.step(at, draw) == next {
                    chance += probability;
                }
                Ok(())
            });
            log += if listed.is_ok() { ln(chance) } else { f64::NEG_INFINITY };
            at = next;
        }
        if self.ends(at, rest.len() as u64) { log } else { f64::NEG_INFINITY }
    }

    #[inline]
    fn ends(&self, at: i64, steps: u64) -> bool {
        self.chain.steps().is_some_and(|all| steps >= all.into()) || self.chain.absorbs(at)
    }

    #[inline]
    fn flow(&self, mut place: Place) -> Flow<Place, Vec<i64>> {
        if self.keep == Keep::All {
            place.path.push(place.at);
        }
        match (self.ends(place.at, place.steps) && !place.path.refused(), self.keep) {
            (false, _) => Flow::More(place),
            (true, Keep::All) => Flow::Done(place.path.into_items()),
            (true, Keep::Summary) => Flow::Done(vec![place.at]),
        }
    }
}

/// The state of a walk.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    at: i64,
    steps: u64,
    /// All places, if they are kept.
    path: Path<i64>,
}

impl<C: Chain> Coalgebra for Walk<C> {
    type State = Place;
    type Out = Vec<i64>;

    fn start(&self) -> Flow<Place, Vec<i64>> {
        self.flow(Place { at: self.chain.begin(), steps: 0, path: Path::default() })
    }

    #[inline]
    fn distribution<'a>(&'a self, place: &'a Place) -> Distribution<'a> {
        if is_full(place.path.len()) {
            return beyond(place.path.len());
        }
        if place.path.refused() {
            return failure();
        }
        self.chain.distribution(place.at)
    }

    #[inline]
    fn next(&self, place: Place, draw: Outcome) -> Flow<Place, Vec<i64>> {
        self.flow(Place { at: self.chain.step(place.at, draw), steps: place.steps + 1, ..place })
    }

    #[inline]
    fn lacks_memory(&self, state: &Place) -> bool {
        state.path.refused()
    }
}

/// Returns true if a path with this number of places cannot continue.
#[inline]
fn is_full(places: usize) -> bool {
    places >= MAX_POINTS as usize
}

/// The distribution after the last place that a path can have; it fails.
#[cold]
fn beyond(places: usize) -> Distribution<'static> {
    let must = format!("at most {MAX_POINTS} points");
    Distribution::Fail(Box::new(Error::range("the length of a path", must, places + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_end_at_their_most_places() {
        const MOST: usize = MAX_POINTS as usize;
        assert_eq!([MOST - 1, MOST, MOST + 1].map(is_full), [false, true, true]);
        let Distribution::Fail(error) = beyond(MOST) else { panic!("it fails") };
        assert_eq!(error.to_string(), "the length of a path must be at most 134217728 points, not 134217729");
    }
}
