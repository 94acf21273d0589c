//! Moran's model of a population.

use super::check::{self, absorbed_above};
use super::path::categorical;
use super::walk::Chain;
use crate::Error;
use crate::error::shown;
use crate::number::ln;
use crate::process::{Distribution, Outcome};

/// Moran's model (P. Moran, "Random processes in genetics", 1958). Initially, `start` of n individuals carry a gene. In
/// each step, one individual is chosen to reproduce. A carrier is chosen with weight r (the fitness), and any other
/// individual with weight 1. The child, which is like its parent, replaces one of the n individuals, which is chosen
/// uniformly. The process ends when all individuals or none carry the gene. If i individuals carry the gene, the
/// probability that all carry it in the end is (1 - r^-i) / (1 - r^-n), or i / n for r = 1.
///
/// Each step is one categorical term with three events. The number i of carriers decreases by one with weight
/// (n - i) i, stays the same with weight r i² + (n - i)², or increases by one with weight r i (n - i). For r = 1, the
/// process takes n (1 + 1/2 + … + 1/(n - 1)) steps on average if it starts with one carrier, and about n² ln 2 steps if
/// it starts with n / 2 carriers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moran {
    n: u32,
    start: u32,
    fitness: f64,
}

impl Moran {
    /// The maximum number of individuals: 2^31.
    pub const MOST: i64 = 1 << 31;

    /// Creates a population of n individuals, `start` of which are carriers with this fitness.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if n is not from 1 to 2^31, if `start` exceeds n, or if the fitness is not from
    /// 1e-9 to 1e9.
    pub fn new(n: u32, start: u32, fitness: f64) -> Result<Self, Error> {
        check::whole("n", 1, Self::MOST, n.into())?;
        check::whole("start", 0, n, start)?;
        if !(1e-9..=1e9).contains(&fitness) {
            return Err(Error::range("fitness", "1e-9 to 1e9", shown(fitness)));
        }
        Ok(Self { n, start, fitness })
    }

    /// The probability that all individuals carry the gene in the end.
    #[must_use]
    pub fn fixation(&self) -> f64 {
        absorbed_above(-ln(self.fitness), self.start.into(), self.n.into())
    }
}

impl Chain for Moran {
    fn begin(&self) -> i64 {
        self.start.into()
    }

    fn steps(&self) -> Option<u32> {
        None
    }

    fn absorbs(&self, at: i64) -> bool {
        at == 0 || at == i64::from(self.n)
    }

    fn distribution(&self, at: i64) -> Distribution<'_> {
        let (carriers, others) = (at as f64, (i64::from(self.n) - at) as f64);
        let stay = self.fitness * carriers * carriers + others * others;
        categorical(false, [others * carriers, stay, self.fitness * carriers * others].into_iter())
    }

    fn step(&self, at: i64, draw: Outcome) -> i64 {
        at + draw.index() as i64 - 1
    }
}
