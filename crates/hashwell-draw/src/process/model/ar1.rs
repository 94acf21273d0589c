//! Autoregression.

use super::check::{self, MOST_POINTS};
use crate::Error;
use crate::number::ln;
use crate::process::{Coalgebra, Draw, Flow, Law};

/// The autoregressive process of order 1: x_0 is the start, x_(t+1) = c + φ x_t + σ ε_t with independent standard normal
/// ε_t, for n steps. An anamorphism with one Gaussian term a step, of mean c + φ x_t and deviation σ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ar1 {
    n: u32,
    phi: f64,
    sigma: f64,
    c: f64,
    start: f64,
}

impl Ar1 {
    /// Of n steps.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless φ, c and the start are finite, σ is finite and more than 0, and n less than
    /// [`MOST_POINTS`]. A path that leaves the range of floats fails at that step.
    pub fn new(n: u32, phi: f64, sigma: f64, c: f64, start: f64) -> Result<Self, Error> {
        check::whole("n", 0, MOST_POINTS - 1, n)?;
        check::positive("sigma", sigma)?;
        Ok(Self {
            n,
            phi: check::finite("phi", phi)?,
            sigma,
            c: check::finite("c", c)?,
            start: check::finite("start", start)?,
        })
    }

    /// The logarithm of a path's density; -∞ of one with another start or length.
    #[must_use]
    pub fn log_probability(&self, path: &[f64]) -> f64 {
        const HALF_LN_TWO_PI: f64 = 0.918_938_533_204_672_8;
        if path.len() != self.n as usize + 1 || path[0] != self.start {
            return f64::NEG_INFINITY;
        }
        let step = |pair: &[f64]| {
            let z = (pair[1] - (self.c + self.phi * pair[0])) / self.sigma;
            -0.5 * z * z
        };
        let squares: f64 = path.windows(2).map(step).sum();
        squares - f64::from(self.n) * (ln(self.sigma) + HALF_LN_TWO_PI)
    }

    /// Steps.
    #[must_use]
    pub fn n(&self) -> u32 {
        self.n
    }

    /// Mean and variance of the last value, from step to step. O(n).
    #[must_use]
    pub fn last(&self) -> (f64, f64) {
        let step = |(mean, variance): (f64, f64), _| {
            (self.c + self.phi * mean, self.phi * self.phi * variance + self.sigma * self.sigma)
        };
        (0..self.n).fold((self.start, 0.0), step)
    }

    /// Mean and variance that it tends to: c / (1 - φ) and σ² / (1 - φ²); `None` unless |φ| < 1. The covariance of
    /// values h steps apart tends to φ^h times the variance.
    #[must_use]
    pub fn stationary(&self) -> Option<(f64, f64)> {
        let variance = self.sigma * self.sigma / (1.0 - self.phi * self.phi);
        (self.phi.abs() < 1.0).then(|| (self.c / (1.0 - self.phi), variance))
    }
}

impl Coalgebra for Ar1 {
    type State = Vec<f64>;
    type Out = Vec<f64>;

    fn start(&self) -> Flow<Vec<f64>, Vec<f64>> {
        if self.n == 0 { Flow::Done(vec![self.start]) } else { Flow::More(vec![self.start]) }
    }

    fn law<'a>(&'a self, path: &'a Vec<f64>) -> Law<'a> {
        let at = path.last().copied().unwrap_or(self.start);
        Law::Gaussian { mean: self.c + self.phi * at, deviation: self.sigma }
    }

    fn next(&self, mut path: Vec<f64>, draw: Draw) -> Flow<Vec<f64>, Vec<f64>> {
        path.push(draw.real());
        if path.len() > self.n as usize { Flow::Done(path) } else { Flow::More(path) }
    }
}
