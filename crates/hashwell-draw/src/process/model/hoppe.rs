//! Hoppe's urn.

use super::partition::{Partition, check_alpha, reserve};
use crate::Error;
use crate::process::{Coalgebra, Draw, Flow, Law};
use hashwell::Words;

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
        check_alpha(theta).map_err(|_| Error::range("theta", "finite and more than 0", theta))?;
        Ok(Self { n, theta })
    }

    /// The law of its colours: of strength θ and discount 0.
    #[must_use]
    pub fn partition(&self) -> Partition {
        Partition { n: self.n, theta: self.theta, discount: 0.0 }
    }

    /// The colour of each ball that was put in, behind what `labels` holds.
    ///
    /// # Errors
    /// [`Error::Words`]; [`Error::Memory`] for n labels.
    pub fn labels(&self, words: &mut (impl Words + ?Sized), labels: &mut Vec<u32>) -> Result<(), Error> {
        reserve(labels, self.n)?;
        let before = labels.len();
        let mut colours = 0;
        for i in 0..self.n {
            let balls = f64::from(i);
            if words.next_f64()? < self.theta / (balls + self.theta) {
                labels.push(colours);
                colours += 1;
            } else {
                labels.push(labels[before + (words.next_f64()? * balls) as usize]);
            }
        }
        Ok(())
    }
}

/// What is in the urn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Balls {
    labels: Vec<u32>,
    colours: u32,
    /// Whether a coloured ball is to be drawn.
    coloured: bool,
}

impl Coalgebra for HoppeUrn {
    type State = Balls;
    type Out = Vec<u32>;

    fn start(&self) -> Flow<Balls, Vec<u32>> {
        self.flow(Balls { labels: Vec::new(), colours: 0, coloured: false })
    }

    fn law<'a>(&'a self, balls: &'a Balls) -> Law<'a> {
        if balls.coloured {
            Law::Categorical(vec![1.0; balls.labels.len()].into())
        } else {
            Law::Bernoulli(self.theta / (balls.labels.len() as f64 + self.theta))
        }
    }

    fn next(&self, mut balls: Balls, draw: Draw) -> Flow<Balls, Vec<u32>> {
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
}

impl HoppeUrn {
    fn flow(&self, balls: Balls) -> Flow<Balls, Vec<u32>> {
        if balls.labels.len() == self.n as usize { Flow::Done(balls.labels) } else { Flow::More(balls) }
    }
}
