//! Moran's model of a population.

use super::check::{self, absorbed_above};
use super::path::categorical;
use super::walk::Chain;
use crate::Error;
use crate::error::shown;
use crate::number::ln;
use crate::process::{Distribution, Outcome};

/// Moran's model (P. Moran, "Random processes in genetics", 1958): of n individuals `start` have a gene. At each step one
/// reproduces, carriers with weight r, the fitness, and others with weight 1, and its child takes the place of one of the
/// n, all with the same chance. It ends when all have the gene or none: the chance of all is (1 - r^-i) / (1 - r^-n), and
/// i / n for r = 1.
///
/// One categorical term a step, of the weights of one carrier less, as many, and one more: (n - i) i, r i² + (n - i)² and
/// r i (n - i). For r = 1 it takes n (1 + 1/2 + … + 1/(n - 1)) steps on average from one carrier, about n² ln 2 from n / 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moran {
    n: u32,
    start: u32,
    fitness: f64,
}

impl Moran {
    /// Individuals, at most: 2^31.
    pub const MOST: i64 = 1 << 31;

    /// Of n individuals, of whom `start` are carriers of this fitness.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless n is 1 to 2^31, the start at most n, and the fitness of 1e-9 to 1e9.
    pub fn new(n: u32, start: u32, fitness: f64) -> Result<Self, Error> {
        check::whole("n", 1, Self::MOST, n.into())?;
        check::whole("start", 0, n, start)?;
        if !(1e-9..=1e9).contains(&fitness) {
            return Err(Error::range("fitness", "1e-9 to 1e9", shown(fitness)));
        }
        Ok(Self { n, start, fitness })
    }

    /// The chance that all have the gene in the end.
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
