//! Hoppe's urn.

use super::ahead::Ahead;
use super::check;
use super::partition::{Partition, seated};
use super::path::{Path, categorical, failure};
use crate::Error;
use crate::process::{Coalgebra, Distribution, Flow, Outcome};
use hashwell::RandomSource;
use hashwell_work::Watch;

/// Hoppe's urn (F. Hoppe, "Pólya-like urns and the Ewens' sampling formula", 1984), from which n balls are drawn. The
/// urn contains a black ball of weight θ and coloured balls of weight 1. A drawn black ball is returned together with a
/// ball of a new colour. A drawn coloured ball is returned together with a new ball of the same colour. The colours,
/// numbered in order of appearance, have the distribution of a Chinese restaurant process.
///
/// The process is a [futumorphism](crate::process::futu). After i draws, a Bernoulli(θ / (i + θ)) term decides if the
/// black ball is drawn. The first draw also has this term. If a coloured ball is drawn, a categorical term of i equal
/// weights selects ball ⌊u i⌋, where u is the next number drawn by [`unit`](crate::draw::unit). [`HoppeUrn::labels`]
/// draws the same balls in O(1) time for each draw. Each draw consumes one or two random numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HoppeUrn {
    n: u32,
    theta: f64,
}

impl HoppeUrn {
    /// Creates an urn with a black ball of weight θ, for n draws.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] unless θ is finite and positive.
    pub fn new(n: u32, theta: f64) -> Result<Self, Error> {
        Ok(Self { n, theta: check::positive("theta", theta)? })
    }

    /// The distribution of the partition of draws into colours, with strength θ and discount 0.
    #[must_use]
    pub fn partition(&self) -> Partition {
        Partition { n: self.n, theta: self.theta, discount: 0.0 }
    }

    /// Appends to `labels` the colour of each ball that is added to the urn.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the random source fails, [`Error::Stopped`] if the watch cancels the call, or
    /// [`Error::Memory`] if n labels cannot be allocated.
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
            // This draw and each later one need at least one random number.
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

/// The content of the urn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Balls {
    labels: Path<u32>,
    colours: u32,
    /// True if a coloured ball is drawn next.
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
