//! Markov chains of finitely many states.

use super::check::{self, MAX_POINTS};
use super::walk::Chain;
use crate::Error;
use crate::process::{Distribution, Outcome};

/// n steps of a Markov chain with states 0 to S - 1: from state i to state j with the chance in row i and column j of the
/// matrix. One categorical term of a row a step: one word and O(S).
#[derive(Clone, Debug, PartialEq)]
pub struct MarkovChain {
    states: usize,
    transition: Vec<f64>,
    start: i64,
    n: u32,
}

impl MarkovChain {
    /// Of n steps from a state.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless there is a state, each row has a probability for each and a sum of 1 (to within
    /// 10^-9), the start is a state, and n less than [`MAX_POINTS`].
    pub fn new(transition: Vec<Vec<f64>>, start: i64, n: u32) -> Result<Self, Error> {
        check::whole("n", 0, MAX_POINTS - 1, n)?;
        let states = transition.len();
        check::whole("the states of transition", 1, u32::MAX as usize, states)?;
        check::whole("start", 0, states as i64 - 1, start)?;
        Ok(Self { states, transition: check::laws("transition", transition, states)?, start, n })
    }

    fn row(&self, state: usize) -> &[f64] {
        &self.transition[state * self.states..][..self.states]
    }

    /// The law of the last state: the row of the start times the matrix, n times. O(n S²).
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
