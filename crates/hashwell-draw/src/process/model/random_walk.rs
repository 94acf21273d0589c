//! Walks by steps of one.

use super::check::{self, MOST_POINTS, absorbed_above};
use super::walk::Chain;
use crate::Error;
use crate::number::ln;
use crate::process::{Draw, Law};

/// One place up for 1, down for 0.
#[inline]
fn by_one(at: i64, draw: Draw) -> i64 {
    if draw.flag() { at + 1 } else { at - 1 }
}

/// n steps on the whole numbers, each up by one with chance p, else down: P(end = start + 2 k - n) = C(n, k) p^k
/// (1 - p)^(n - k). A martingale for p = 1/2. One Bernoulli term a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomWalk {
    n: u32,
    p: f64,
    start: i64,
}

impl RandomWalk {
    /// Of n steps, each up with chance p.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless 0 <= p <= 1, n is less than [`MOST_POINTS`], and the start less than 2^53 in size.
    pub fn new(n: u32, p: f64, start: i64) -> Result<Self, Error> {
        check::whole("n", 0, MOST_POINTS - 1, n)?;
        check::whole("start", 1 - (1 << 53), (1 << 53) - 1, start)?;
        Ok(Self { n, p: check::probability("p", p)?, start })
    }

    /// Mean and variance of the last place: start + n (2 p - 1), and 4 n p (1 - p).
    #[must_use]
    pub fn end(&self) -> (f64, f64) {
        let n = f64::from(self.n);
        (self.start as f64 + n * (2.0 * self.p - 1.0), 4.0 * n * self.p * (1.0 - self.p))
    }
}

impl Chain for RandomWalk {
    fn begin(&self) -> i64 {
        self.start
    }

    fn steps(&self) -> Option<u32> {
        Some(self.n)
    }

    fn absorbs(&self, _: i64) -> bool {
        false
    }

    #[inline]
    fn law(&self, _: i64) -> Law<'_> {
        Law::Bernoulli(self.p)
    }

    #[inline]
    fn step(&self, at: i64, draw: Draw) -> i64 {
        by_one(at, draw)
    }
}

/// A gambler with a fortune who wins or loses 1 in each game, with chance p of winning, until nothing is left or the
/// target is reached (W. Feller, An Introduction to Probability Theory I, XIV.2 and XIV.3). One Bernoulli term a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GamblersRuin {
    start: u32,
    target: u32,
    p: f64,
}

impl GamblersRuin {
    /// From a fortune to a target, each game won with chance p.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless 0 <= p <= 1, and the start at most the target.
    pub fn new(start: u32, target: u32, p: f64) -> Result<Self, Error> {
        check::whole("start", 0, target, start)?;
        Ok(Self { start, target, p: check::probability("p", p)? })
    }

    /// The chance to end with nothing: (r^i - r^N) / (1 - r^N) with r = (1 - p) / p; 1 - i / N for p = 1/2.
    #[must_use]
    pub fn ruin(&self) -> f64 {
        // As the other player sees it, so that nothing is subtracted from 1.
        absorbed_above(-self.odds(), f64::from(self.target - self.start), self.target.into())
    }

    /// Games, on average: (i - N (1 - ruin)) / (1 - 2 p); i (N - i) for p = 1/2.
    #[must_use]
    pub fn games(&self) -> f64 {
        let (i, n) = (f64::from(self.start), f64::from(self.target));
        let fair = self.p == 0.5 || self.start == 0 || self.start == self.target;
        if fair {
            return i * (n - i);
        }
        (i - n * absorbed_above(self.odds(), i, n)) / (1.0 - 2.0 * self.p)
    }

    /// ln((1 - p) / p).
    fn odds(&self) -> f64 {
        ln((1.0 - self.p) / self.p)
    }
}

impl Chain for GamblersRuin {
    fn begin(&self) -> i64 {
        self.start.into()
    }

    fn steps(&self) -> Option<u32> {
        None
    }

    fn absorbs(&self, at: i64) -> bool {
        at == 0 || at == i64::from(self.target)
    }

    #[inline]
    fn law(&self, _: i64) -> Law<'_> {
        Law::Bernoulli(self.p)
    }

    #[inline]
    fn step(&self, at: i64, draw: Draw) -> i64 {
        by_one(at, draw)
    }
}
