//! Branching processes.

use super::check::{self, MAX_POINTS};
use super::path::{Path, failure};
use super::walk::Keep;
use crate::Error;
use crate::process::{Coalgebra, Distribution, Flow, Outcome};

/// The branching process of Galton and Watson ("On the probability of the extinction of families", 1875). Each
/// individual has k children with probability `offspring[k]`. The children of all individuals of a generation form the
/// next generation. The outcome is the list of the sizes of all generations, with zeros after extinction, or only the
/// size of the last generation.
///
/// The process is an [anamorphism](crate::process::ana) with one categorical term, and thus one random number, for each
/// individual. If a generation has more than `most` individuals, the run fails at that step. This limit is needed
/// because a family can grow without bound.
#[derive(Clone, Debug, PartialEq)]
pub struct GaltonWatson {
    offspring: Vec<f64>,
    generations: u32,
    start: u64,
    most: u64,
    keep: Keep,
}

impl GaltonWatson {
    /// The largest allowed value of `most`, the maximum size of a generation: 2^53.
    pub const MOST: u64 = 1 << 53;

    /// Creates a process. `offspring` is the distribution of the number of children, `generations` is the number of
    /// generations after the first, `start` is the size of the first generation, and `most` is the maximum size of a
    /// generation.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if `offspring` is not a list of probabilities with sum 1 (to within 10^-9), if
    /// `generations` is at least [`MAX_POINTS`], if `most` exceeds 2^53, or if `start` exceeds `most`.
    pub fn new(
        offspring: Vec<f64>,
        generations: u32,
        start: u64,
        most: u64,
        keep: Keep,
    ) -> Result<Self, Error> {
        check::whole("generations", 0, MAX_POINTS - 1, generations)?;
        check::whole("most", 0, Self::MOST, most)?;
        check::whole("start", 0, most, start)?;
        Ok(Self { offspring: check::probabilities("offspring", offspring)?, generations, start, most, keep })
    }

    /// The number of generations after the first.
    #[must_use]
    pub fn generations(&self) -> u32 {
        self.generations
    }

    /// Returns the same process, but with only the size of the last generation as the outcome.
    #[must_use]
    pub fn summary(&self) -> Self {
        Self { keep: Keep::Summary, ..self.clone() }
    }

    /// The mean and variance of the size of the last generation, computed from one generation to the next. If a
    /// generation has mean m and variance v, the next one has mean m μ and variance μ² v + m σ², where μ and σ² are the
    /// mean and variance of the number of children.
    #[must_use]
    pub fn last(&self) -> (f64, f64) {
        let chances = || (0_u32..).map(f64::from).zip(&self.offspring);
        let children: f64 = chances().map(|(k, p)| k * p).sum();
        let spread: f64 = chances().map(|(k, p)| (k - children) * (k - children) * p).sum();
        let (mut mean, mut variance) = (self.start as f64, 0.0);
        for _ in 0..self.generations {
            // If every individual has the same number of children, the variance stays 0 even if the mean is infinite.
            let added = if spread > 0.0 { mean * spread } else { 0.0 };
            (mean, variance) = (mean * children, variance * children * children + added);
        }
        (mean, variance)
    }

    /// The probability that the last generation is empty: f(f(… f(0))) raised to the power of the size of the first
    /// generation. f is the generating function of the number of children, and is applied once for each later
    /// generation.
    #[must_use]
    pub fn extinct(&self) -> f64 {
        let f = |s: f64| self.offspring.iter().rev().fold(0.0, |sum, p| sum * s + p);
        let line = (0..self.generations).fold(0.0, |s, _| f(s));
        let (mut all, mut square, mut left) = (1.0, line, self.start);
        while left > 0 {
            all *= if left & 1 == 1 { square } else { 1.0 };
            square *= square;
            left >>= 1;
        }
        all
    }

    /// The state after a generation of this size.
    fn after(&self, mut family: Family, size: u64) -> Flow<Family, Vec<i64>> {
        if self.keep == Keep::All {
            family.sizes.push(size as i64);
        }
        let done = size == 0 || family.generation == self.generations;
        if done && self.keep == Keep::All {
            family.sizes.resize(self.generations as usize + 1, 0);
        }
        if !done || family.sizes.refused() {
            return Flow::More(Family { left: size, children: 0, ..family });
        }
        Flow::Done(match self.keep {
            Keep::All => family.sizes.into_items(),
            Keep::Summary => vec![size as i64],
        })
    }
}

/// The state of a family.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Family {
    generation: u32,
    /// The number of individuals of this generation whose children have not been drawn.
    left: u64,
    children: u64,
    /// The sizes of the generations, if they are kept.
    sizes: Path<i64>,
}

impl Coalgebra for GaltonWatson {
    type State = Family;
    type Out = Vec<i64>;

    fn start(&self) -> Flow<Family, Vec<i64>> {
        self.after(Family { generation: 0, left: 0, children: 0, sizes: Path::default() }, self.start)
    }

    fn distribution<'a>(&'a self, family: &'a Family) -> Distribution<'a> {
        if family.children > self.most {
            let must = format!("at most {}", self.most);
            return Distribution::Fail(Box::new(Error::range(
                "the size of a generation",
                must,
                family.children,
            )));
        }
        if family.sizes.refused() {
            return failure();
        }
        Distribution::Categorical((&self.offspring).into())
    }

    fn next(&self, mut family: Family, draw: Outcome) -> Flow<Family, Vec<i64>> {
        family.left -= 1;
        family.children += draw.index();
        // There are too many children. The next distribution fails, even if this was the last individual of the last
        // generation.
        if family.left > 0 || family.children > self.most {
            return Flow::More(family);
        }
        family.generation += 1;
        let size = family.children;
        self.after(family, size)
    }

    #[inline]
    fn lacks_memory(&self, state: &Family) -> bool {
        state.sizes.refused()
    }
}
