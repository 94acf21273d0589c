//! Markov chains with finitely many states.

use super::check::{self, MAX_POINTS};
use super::walk::Chain;
use crate::Error;
use crate::process::{Distribution, Outcome};

/// A Markov chain of n steps with states 0 to S - 1. The matrix entry in row i and column j is the probability of a
/// step from state i to state j. Each step is a categorical term whose weights are a row of the matrix. It consumes one
/// random number and takes O(S) time.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkovChain {
    states: usize,
    transition: Vec<f64>,
    start: i64,
    n: u32,
}

impl MarkovChain {
    /// Creates a chain of n steps from a start state.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if there are no states, if the number of probabilities in a row is not the number
    /// of states, if the sum of a row is not 1 (to within 10^-9), if the start is not a state, or if n is at least
    /// [`MAX_POINTS`].
    pub fn new(transition: Vec<Vec<f64>>, start: i64, n: u32) -> Result<Self, Error> {
        check::whole("n", 0, MAX_POINTS - 1, n)?;
        let states = transition.len();
        check::whole("the number of rows of transition", 1, u32::MAX as usize, states)?;
        check::whole("start", 0, states as i64 - 1, start)?;
        Ok(Self { states, transition: check::laws("transition", transition, states)?, start, n })
    }

    fn row(&self, state: usize) -> &[f64] {
        &self.transition[state * self.states..][..self.states]
    }

    /// The distribution of the last state, computed step by step in O(n S²) time.
    #[must_use]
    pub fn end(&self) -> Vec<f64> {
        let mut law = vec![0.0; self.states];
        law[self.start as usize] = 1.0;
        for _ in 0..self.n {
            let mut next = vec![0.0; self.states];
            for (state, mass) in law.iter().enumerate() {
                next.iter_mut().zip(self.row(state)).for_each(|(to, p)| *to += mass * p);
            }
            law = next;
        }
        law
    }
}

impl Chain for MarkovChain {
    fn begin(&self) -> i64 {
        self.start
    }

    fn steps(&self) -> Option<u32> {
        Some(self.n)
    }

    fn absorbs(&self, _: i64) -> bool {
        false
    }

    fn distribution(&self, at: i64) -> Distribution<'_> {
        Distribution::Categorical(self.row(at as usize).into())
    }

    fn step(&self, _: i64, draw: Outcome) -> i64 {
        draw.index() as i64
    }
}
