//! How long one waits for a success.

use super::check;
use crate::Error;
use crate::process::{Coalgebra, Distribution, Flow, Outcome};

/// The number of trials up to the first success, that one included: P(k) = p (1 - p)^(k - 1) for k = 1, 2, …; mean 1/p,
/// variance (1 - p)/p². An apomorphism with one Bernoulli term a step, whose state is how many trials there were.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometric {
    p: f64,
}

impl Geometric {
    /// The process of chance p of success.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless 0 < p <= 1: with p = 0 it would not end.
    pub fn new(p: f64) -> Result<Self, Error> {
        Ok(Self { p: check::success(p)? })
    }

    /// The chance of success.
    #[must_use]
    pub fn p(&self) -> f64 {
        self.p
    }
}

impl Coalgebra for Geometric {
    type State = u64;
    type Out = u64;

    #[inline]
    fn start(&self) -> Flow<u64, u64> {
        Flow::More(0)
    }

    #[inline]
    fn distribution<'a>(&'a self, _: &'a u64) -> Distribution<'a> {
        Distribution::Bernoulli(self.p)
    }

    #[inline]
    fn next(&self, trials: u64, draw: Outcome) -> Flow<u64, u64> {
        // Counted before the flag is looked at, so that both ways hold the same number: a compiler then makes one branch of
        // the flag, and no number of it.
        let trials = trials + 1;
        if draw.flag() { Flow::Done(trials) } else { Flow::More(trials) }
    }
}
