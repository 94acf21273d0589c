//! The waiting time for a success.

use super::check;
use crate::Error;
use crate::process::{Coalgebra, Distribution, Flow, Outcome};

/// The process that repeats a trial until the first success. The outcome is the number of trials, which has the
/// geometric distribution P(k) = p (1 - p)^(k - 1) for k = 1, 2, …. The mean is 1/p, and the variance is (1 - p)/p².
/// The process is an [apomorphism](crate::process::apo) with one Bernoulli term for each trial. Its state is the number
/// of trials so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometric {
    p: f64,
}

impl Geometric {
    /// Creates a process with success probability p.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] unless 0 < p <= 1. With p = 0, the process would never end.
    pub fn new(p: f64) -> Result<Self, Error> {
        Ok(Self { p: check::success(p)? })
    }

    /// The success probability.
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
        // Counting before checking the flag gives both branches the same number. The compiler then uses the flag only
        // for the branch, and does not compute a number from it.
        let trials = trials + 1;
        if draw.flag() { Flow::Done(trials) } else { Flow::More(trials) }
    }
}
