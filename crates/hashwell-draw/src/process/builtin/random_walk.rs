//! Random walks with steps of one.

use super::check::{self, MAX_POINTS, absorbed_above};
use super::walk::Chain;
use crate::Error;
use crate::number::log1p;
use crate::process::{Distribution, Outcome};

/// Moves one place up for a draw of 1, and one place down for a draw of 0.
#[inline]
fn by_one(at: i64, draw: Outcome) -> i64 {
    if draw.flag() { at + 1 } else { at - 1 }
}

/// A random walk of n steps on the integers. Each step goes up by one with probability p, and otherwise down by one.
/// The walk ends at start + 2 k - n with probability C(n, k) p^k (1 - p)^(n - k). It is a martingale if p = 1/2. Each
/// step is one Bernoulli term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomWalk {
    n: u32,
    p: f64,
    start: i64,
}

impl RandomWalk {
    /// Creates a walk of n steps, each of which goes up with probability p.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if p is not from 0 to 1, if n is at least [`MAX_POINTS`], or if the absolute value
    /// of the start is at least 2^53.
    pub fn new(n: u32, p: f64, start: i64) -> Result<Self, Error> {
        check::whole("n", 0, MAX_POINTS - 1, n)?;
        check::whole("start", 1 - (1 << 53), (1 << 53) - 1, start)?;
        Ok(Self { n, p: check::probability("p", p)?, start })
    }

    /// The mean and variance of the last place: start + n (2 p - 1) and 4 n p (1 - p).
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
    fn distribution(&self, _: i64) -> Distribution<'_> {
        Distribution::Bernoulli(self.p)
    }

    #[inline]
    fn step(&self, at: i64, draw: Outcome) -> i64 {
        by_one(at, draw)
    }
}

/// A gambler's fortune: each game wins 1 with probability p and otherwise loses 1, until nothing is left or the target
/// is reached (W. Feller, An Introduction to Probability Theory I, XIV.2 and XIV.3). Each game is one Bernoulli term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GamblersRuin {
    start: u32,
    target: u32,
    p: f64,
}

impl GamblersRuin {
    /// Creates a process that begins with the fortune `start` and ends when the fortune is 0 or `target`. The gambler
    /// wins each game with probability p.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if p is not from 0 to 1, or if the start exceeds the target.
    pub fn new(start: u32, target: u32, p: f64) -> Result<Self, Error> {
        check::whole("start", 0, target, start)?;
        Ok(Self { start, target, p: check::probability("p", p)? })
    }

    /// The probability that nothing is left in the end. For start i and target N, it is (r^i - r^N) / (1 - r^N) with
    /// r = (1 - p) / p, or 1 - i / N if p = 1/2.
    #[must_use]
    pub fn ruin(&self) -> f64 {
        // This is the probability that the opponent wins, which avoids a subtraction from 1.
        absorbed_above(-self.odds(), f64::from(self.target - self.start), self.target.into())
    }

    /// The mean number of games. For start i and target N, it is (i - N (1 - q)) / (1 - 2 p), where q is the
    /// probability returned by [`ruin`](Self::ruin), or i (N - i) if p = 1/2.
    #[must_use]
    pub fn games(&self) -> f64 {
        let (i, n) = (f64::from(self.start), f64::from(self.target));
        let (odds, loss) = (self.odds(), 1.0 - 2.0 * self.p);
        if loss == 0.0 || self.start == 0 || self.start == self.target {
            return i * (n - i);
        }
        if (odds * n).abs() < 1.0 {
            return i * (n - i) * nearly_fair(odds * n, odds * i) * (odds / loss);
        }
        // Compute the mean from the point of view of the player who is nearer to the end, so that a smaller number is
        // subtracted.
        if i < n - i {
            (i - n * absorbed_above(odds, i, n)) / loss
        } else {
            (n * self.ruin() - (n - i)) / loss
        }
    }

    /// ln((1 - p) / p), accurate near p = 1/2 too.
    fn odds(&self) -> f64 {
        log1p((1.0 - 2.0 * self.p) / self.p)
    }
}

/// (f(x) - f(y)) / ((x - y) f(x)) for f(x) = (e^x - 1) / x, where |x| < 1 and y is between 0 and x; 1/2 for x = 0. It
/// uses f(x) = Σ x^k / (k + 1)!, and computes (x^k - y^k) / (x - y) as a sum instead of a difference.
fn nearly_fair(x: f64, y: f64) -> f64 {
    let (mut f, mut slope) = (1.0, 0.0);
    // x^k, y^k, (x^k - y^k) / (x - y) and (k + 1)!, for k = 0.
    let (mut x_power, mut y_power, mut quotient, mut factorial) = (1.0, 1.0, 0.0, 1.0);
    for k in 1..=20 {
        quotient = quotient * x + y_power;
        (x_power, y_power) = (x_power * x, y_power * y);
        factorial *= f64::from(k + 1);
        f += x_power / factorial;
        slope += quotient / factorial;
    }
    slope / f
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
    fn distribution(&self, _: i64) -> Distribution<'_> {
        Distribution::Bernoulli(self.p)
    }

    #[inline]
    fn step(&self, at: i64, draw: Outcome) -> i64 {
        by_one(at, draw)
    }
}
