//! The number of failures before a number of successes.

use super::check;
use crate::Error;
use crate::number::{ln, ln_gamma, log1p};
use crate::process::{Coalgebra, Distribution, Flow, Outcome};

/// The process that repeats a trial until the r-th success. The outcome is the number of failures, which has the
/// negative binomial distribution P(k) = C(k + r - 1, k) p^r (1 - p)^k for k = 0, 1, 2, …. The process is an
/// [apomorphism](crate::process::apo) with one Bernoulli term for each trial. It consumes r / p random numbers on
/// average.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NegativeBinomial {
    r: u32,
    p: f64,
}

impl NegativeBinomial {
    /// Creates a process that ends after r successes. Each trial is a success with probability p.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if r is 0, if p is 0, or if p is not from 0 to 1.
    pub fn new(r: u32, p: f64) -> Result<Self, Error> {
        check::whole("r", 1, u32::MAX, r)?;
        Ok(Self { r, p: check::success(p)? })
    }

    /// The mean and variance: r (1 - p) / p and r (1 - p) / p².
    #[must_use]
    pub fn moments(&self) -> (f64, f64) {
        let mean = f64::from(self.r) * (1.0 - self.p) / self.p;
        (mean, mean / self.p)
    }

    /// The natural logarithm of P(k).
    #[must_use]
    pub fn log_probability(&self, k: u64) -> f64 {
        let (k, r) = (k as f64, f64::from(self.r));
        let failures = if k == 0.0 { 0.0 } else { k * log1p(-self.p) };
        ln_gamma(k + r) - ln_gamma(r) - ln_gamma(k + 1.0) + r * ln(self.p) + failures
    }
}

/// The numbers of successes and failures so far.
type Trials = (u32, u64);

impl Coalgebra for NegativeBinomial {
    type State = Trials;
    type Out = u64;

    #[inline]
    fn start(&self) -> Flow<Trials, u64> {
        Flow::More((0, 0))
    }

    #[inline]
    fn distribution<'a>(&'a self, _: &'a Trials) -> Distribution<'a> {
        Distribution::Bernoulli(self.p)
    }

    #[inline]
    fn next(&self, (successes, failures): Trials, draw: Outcome) -> Flow<Trials, u64> {
        match (draw.flag(), successes + 1 == self.r) {
            (true, true) => Flow::Done(failures),
            (true, false) => Flow::More((successes + 1, failures)),
            (false, _) => Flow::More((successes, failures + 1)),
        }
    }
}
