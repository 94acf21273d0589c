//! How long one waits for a success.

use crate::Error;
use crate::process::{Coalgebra, Draw, Flow, Law};

/// The number of trials up to the first success, that one included: P(k) = p (1 - p)^(k - 1) for k = 1, 2, …; mean 1/p,
/// variance (1 - p)/p². An apomorphism from 1 with one Bernoulli term a step.
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
        let right = p > 0.0 && p <= 1.0;
        if right { Ok(Self { p }) } else { Err(Error::range("p", "more than 0, at most 1", p)) }
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
        Flow::More(1)
    }

    #[inline]
    fn law<'a>(&'a self, _: &'a u64) -> Law<'a> {
        Law::Bernoulli(self.p)
    }

    #[inline]
    fn next(&self, trial: u64, draw: Draw) -> Flow<u64, u64> {
        if draw.flag() { Flow::Done(trial) } else { Flow::More(trial + 1) }
    }
}
