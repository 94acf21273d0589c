//! Hoppe's urn.

use super::ahead::Ahead;
use super::check;
use super::partition::{Partition, seated};
use super::path::{Path, categorical, failure};
use crate::Error;
use crate::process::{Coalgebra, Distribution, Flow, Outcome};
use hashwell::RandomSource;
use hashwell_work::Watch;

/// Hoppe's urn (F. Hoppe, "Pólya-like urns and the Ewens' sampling formula", 1984) of n draws: a black ball of weight θ, and
/// the coloured ones. The black ball goes back with a ball of a new colour, a coloured one with another of its colour. The
/// colours, numbered in their order, are those of a Chinese restaurant process in law.
///
/// A futumorphism: Bernoulli(θ / (i + θ)) for the black ball after i draws, the first among them; else a categorical
/// term of i ones, which is ball ⌊u i⌋. [`HoppeUrn::labels`] draws the same in O(1). One or two words a draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HoppeUrn {
    n: u32,
    theta: f64,
}

impl HoppeUrn {
    /// Of n draws and a black ball of weight θ.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless θ is finite and more than 0.
    pub fn new(n: u32, theta: f64) -> Result<Self, Error> {
        Ok(Self { n, theta: check::positive("theta", theta)? })
    }

    /// The law of its colours: of strength θ and discount 0.
    #[must_use]
    pub fn partition(&self) -> Partition {
        Partition { n: self.n, theta: self.theta, discount: 0.0 }
    }

    /// The colour of each ball that was put in, behind what `labels` holds.
    ///
    /// # Errors
    /// [`Error::RandomSource`]; [`Error::Stopped`] if the watch cancels it; [`Error::Memory`] for n labels.
    pub fn labels(
        &self,
        words: &mut (impl RandomSource + ?Sized),
        labels: &mut Vec<u32>,
        watch: &Watch<'_>,
    ) -> Result<(), Error> {
        seated(labels, self.n, |labels| self.draw(Ahead::new(words, watch), labels))
    }

    fn draw(
        &self,
        mut words: Ahead<'_, impl RandomSource + ?Sized>,
        labels: &mut [u32],
    ) -> Result<(), Error> {
        let mut colours = 0;
        for i in 0..self.n {
            let balls = f64::from(i);
            // The draws after this one need a word each.
            let sure = self.n - i;
            labels[i as usize] = if words.unit(sure)? < self.theta / (balls + self.theta) {
                colours += 1;
                colours - 1
            } else {
                labels[(words.unit(sure)? * balls) as usize]
            };
        }
        Ok(())
    }
}

/// What is in the urn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Balls {
    labels: Path<u32>,
    colours: u32,
    /// Whether a coloured ball is to be drawn.
    coloured: bool,
}

impl Coalgebra for HoppeUrn {
    type State = Balls;
    type Out = Vec<u32>;

    fn start(&self) -> Flow<Balls, Vec<u32>> {
        self.flow(Balls { labels: Path::default(), colours: 0, coloured: false })
    }

    fn distribution<'a>(&'a self, balls: &'a Balls) -> Distribution<'a> {
        if balls.labels.refused() {
            failure()
        } else if balls.coloured {
            categorical(false, balls.labels.iter().map(|_| 1.0))
        } else {
            Distribution::Bernoulli(self.theta / (balls.labels.len() as f64 + self.theta))
        }
    }

    fn next(&self, mut balls: Balls, draw: Outcome) -> Flow<Balls, Vec<u32>> {
        if balls.coloured {
            balls.labels.push(balls.labels[draw.index() as usize]);
            balls.coloured = false;
        } else if draw.flag() {
            balls.labels.push(balls.colours);
            balls.colours += 1;
        } else {
            balls.coloured = true;
        }
        self.flow(balls)
    }

    #[inline]
    fn lacks_memory(&self, state: &Balls) -> bool {
        state.labels.refused()
    }
}

impl HoppeUrn {
    fn flow(&self, balls: Balls) -> Flow<Balls, Vec<u32>> {
        let done = balls.labels.len() == self.n as usize;
        if done { Flow::Done(balls.labels.into_items()) } else { Flow::More(balls) }
    }
}
