//! Autoregression.

use super::check::{self, MAX_POINTS};
use super::path::{Path, failure};
use crate::Error;
use crate::error::shown;
use crate::process::distribution::ln_gaussian_density;
use crate::process::{Coalgebra, Distribution, Flow, Outcome};

/// The autoregressive process of order 1 with n steps: x_(t+1) = c + φ x_t + σ ε_t, where x_0 is the start and the ε_t
/// are independent and standard normal. The process is an [anamorphism](crate::process::ana) with one Gaussian term for
/// each step, which has mean c + φ x_t and standard deviation σ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ar1 {
    n: u32,
    phi: f64,
    sigma: f64,
    c: f64,
    start: f64,
}

impl Ar1 {
    /// Creates a process of n steps.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if φ, c or the start is not finite, if σ is not positive or exceeds 10^307, or if
    /// n is at least [`MAX_POINTS`]. If a path later leaves the range of floats, the run fails at that step.
    pub fn new(n: u32, phi: f64, sigma: f64, c: f64, start: f64) -> Result<Self, Error> {
        check::whole("n", 0, MAX_POINTS - 1, n)?;
        let right = sigma > 0.0 && sigma <= 1e307;
        if !right {
            return Err(Error::range("sigma", "more than 0 and at most 1e307", shown(sigma)));
        }
        Ok(Self {
            n,
            phi: check::finite("phi", phi)?,
            sigma,
            c: check::finite("c", c)?,
            start: check::finite("start", start)?,
        })
    }

    /// The logarithm of a path's density, or -∞ if the start or the length of the path differs from that of the
    /// process.
    #[must_use]
    pub fn log_probability(&self, path: &[f64]) -> f64 {
        if path.len() != self.n as usize + 1 || path[0] != self.start {
            return f64::NEG_INFINITY;
        }
        let step = |pair: &[f64]| ln_gaussian_density(self.c + self.phi * pair[0], self.sigma, pair[1]);
        path.windows(2).map(step).sum()
    }

    /// The number of steps.
    #[must_use]
    pub fn n(&self) -> u32 {
        self.n
    }

    /// The mean and variance of the last value, computed step by step in O(n) time.
    #[must_use]
    pub fn last(&self) -> (f64, f64) {
        // Values beyond the range of floats are infinite. If φ is 0, the previous value is ignored, because 0 times
        // infinity would be NaN.
        let kept = |x: f64| if self.phi == 0.0 { 0.0 } else { self.phi * x };
        let step = |(mean, variance): (f64, f64), _| {
            (self.c + kept(mean), kept(kept(variance)) + self.sigma * self.sigma)
        };
        (0..self.n).fold((self.start, 0.0), step)
    }

    /// The limits of the mean and the variance of x_t, which are c / (1 - φ) and σ² / (1 - φ²), or `None` if |φ| is at
    /// least 1. The covariance of values h steps apart tends to φ^h times the limit of the variance.
    #[must_use]
    pub fn stationary(&self) -> Option<(f64, f64)> {
        let variance = self.sigma * self.sigma / ((1.0 - self.phi) * (1.0 + self.phi));
        (self.phi.abs() < 1.0).then(|| (self.c / (1.0 - self.phi), variance))
    }
}

impl Ar1 {
    fn after(&self, mut path: Path<f64>, value: f64) -> Flow<Path<f64>, Vec<f64>> {
        path.push(value);
        let done = path.len() > self.n as usize;
        if done { Flow::Done(path.into_items()) } else { Flow::More(path) }
    }
}

impl Coalgebra for Ar1 {
    type State = Path<f64>;
    type Out = Vec<f64>;

    fn start(&self) -> Flow<Path<f64>, Vec<f64>> {
        self.after(Path::default(), self.start)
    }

    fn distribution<'a>(&'a self, path: &'a Path<f64>) -> Distribution<'a> {
        if path.refused() {
            return failure();
        }
        let at = path.last().copied().unwrap_or(self.start);
        Distribution::Gaussian { mean: self.c + self.phi * at, deviation: self.sigma }
    }

    fn next(&self, path: Path<f64>, draw: Outcome) -> Flow<Path<f64>, Vec<f64>> {
        self.after(path, draw.real())
    }
}
