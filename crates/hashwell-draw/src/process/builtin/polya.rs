//! Pólya's urn.

use super::check::{self, MAX_POINTS};
use super::path::{Path, categorical};
use super::walk::Keep;
use crate::Error;
use crate::error::shown;
use crate::number::ln;
use crate::process::{Coalgebra, Distribution, Flow, Outcome};

/// Pólya's urn (Eggenberger and Pólya, "Über die Statistik verketteter Vorgänge", 1923). From an urn in which each
/// colour has a weight, n balls are drawn. A drawn ball is returned together with `add` more balls of the same colour.
/// The outcome is the colour of each draw, or the number of draws of each colour. These numbers have a
/// Dirichlet-multinomial distribution, whose parameters are the weights divided by `add`.
///
/// The process is an [anamorphism](crate::process::ana) with one categorical term for each draw. Its weights are the
/// initial weights of the colours plus the added balls. Each draw consumes one random number and takes O(K) time, where
/// K is the number of colours.
#[derive(Clone, Debug, PartialEq)]
pub struct PolyaUrn {
    balls: Vec<f64>,
    add: f64,
    n: u32,
    keep: Keep,
}

impl PolyaUrn {
    /// Creates an urn for n draws. `balls` contains the initial weight of each colour. With [`Keep::Summary`], the
    /// outcome is the number of draws of each colour.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if there are no weights, if a weight is not finite and positive, if `add` is
    /// negative or not finite, if the total weight after n draws is not finite, or if n exceeds [`MAX_POINTS`].
    pub fn new(balls: Vec<f64>, add: f64, n: u32, keep: Keep) -> Result<Self, Error> {
        check::whole("n", 0, MAX_POINTS, n)?;
        if balls.is_empty() {
            return Err(Error::range("balls", "a list of at least one weight", "empty"));
        }
        for &weight in &balls {
            check::positive("balls", weight)?;
        }
        if !(add >= 0.0 && add.is_finite()) {
            return Err(Error::range("add", "finite and at least 0", shown(add)));
        }
        check::finite("the weight of all balls", balls.iter().sum::<f64>() + add * f64::from(n))?;
        Ok(Self { balls, add, n, keep })
    }

    /// The number of draws.
    #[must_use]
    pub fn n(&self) -> u32 {
        self.n
    }

    /// The number of colours in the urn.
    #[must_use]
    pub fn colours(&self) -> usize {
        self.balls.len()
    }

    /// Returns the same urn, but with only the number of draws of each colour as the outcome.
    #[must_use]
    pub fn summary(&self) -> Self {
        Self { keep: Keep::Summary, ..self.clone() }
    }

    /// The logarithm of the probability that the n draws have these colours in this order. The result is -∞ if a colour
    /// does not exist, or if `colours` does not have exactly n items. This takes O(n) time.
    #[must_use]
    pub fn log_probability(&self, colours: &[i64]) -> f64 {
        let mut weights = self.balls.clone();
        let mut sum: f64 = weights.iter().sum();
        let mut log = if colours.len() == self.n as usize { 0.0 } else { f64::NEG_INFINITY };
        for &colour in colours {
            let Some(weight) = usize::try_from(colour).ok().and_then(|colour| weights.get_mut(colour)) else {
                return f64::NEG_INFINITY;
            };
            log += ln(*weight) - ln(sum);
            *weight += self.add;
            sum += self.add;
        }
        log
    }

    /// The mean and variance of the number of draws of the first colour: n q and n q (1 - q) (A + n add) / (A + add),
    /// where A is the initial weight of all colours and q is the first colour's fraction of A.
    #[must_use]
    pub fn first_colour(&self) -> (f64, f64) {
        let all: f64 = self.balls.iter().sum();
        let (n, part) = (f64::from(self.n), self.balls[0] / all);
        let spread = (all + n * self.add) / (all + self.add);
        (n * part, n * part * (1.0 - part) * spread)
    }

    fn flow(&self, urn: Urn) -> Flow<Urn, Vec<i64>> {
        if urn.draws < self.n || self.lacks_memory(&urn) {
            return Flow::More(urn);
        }
        let out = match self.keep {
            Keep::All => urn.drawn,
            Keep::Summary => {
                let mut counts = Path::with_room(urn.counts.len());
                urn.counts.iter().for_each(|&count| counts.push(count.into()));
                counts
            }
        };
        if out.refused() {
            return Flow::More(Urn { drawn: out, ..urn });
        }
        Flow::Done(out.into_items())
    }
}

/// The state of the urn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Urn {
    draws: u32,
    counts: Path<u32>,
    /// The colours in order, if they are kept.
    drawn: Path<i64>,
}

impl Coalgebra for PolyaUrn {
    type State = Urn;
    type Out = Vec<i64>;

    fn start(&self) -> Flow<Urn, Vec<i64>> {
        self.flow(Urn { draws: 0, counts: Path::of(self.balls.len(), 0), drawn: Path::default() })
    }

    fn distribution<'a>(&'a self, urn: &'a Urn) -> Distribution<'a> {
        let weight = |(ball, &count): (&f64, &u32)| ball + self.add * f64::from(count);
        let refused = urn.drawn.refused() || urn.counts.refused();
        categorical(refused, self.balls.iter().zip(&*urn.counts).map(weight))
    }

    fn next(&self, mut urn: Urn, draw: Outcome) -> Flow<Urn, Vec<i64>> {
        urn.draws += 1;
        urn.counts[draw.index() as usize] += 1;
        if self.keep == Keep::All {
            urn.drawn.push(draw.index() as i64);
        }
        self.flow(urn)
    }

    #[inline]
    fn lacks_memory(&self, state: &Urn) -> bool {
        state.drawn.refused() || state.counts.refused()
    }
}
