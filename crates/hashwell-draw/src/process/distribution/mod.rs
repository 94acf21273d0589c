//! The terms of the language, and what comes of them.

mod outcome;
mod probability;

pub use outcome::Outcome;
pub(super) use probability::ln_gaussian_density;

use crate::Error;
use crate::draw;
use crate::error::shown;
use hashwell::RandomSource;
use std::borrow::Cow;

/// A term: the law of the next draw. How each is made of words is part of the specification, so that a seed gives the
/// same process in every language.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Distribution<'a> {
    /// 1 with probability p of 0 <= p <= 1, else 0: u < p of one [`draw::unit`]. One word, whatever p is.
    Bernoulli(f64),
    /// u of 0 <= u < 1, a [`draw::unit`]. One word.
    Uniform,
    /// An index by its weight, as [`draw::categorical`]. One word.
    Categorical(Cow<'a, [f64]>),
    /// A whole number below n, as [`draw::below`].
    Below(u64),
    /// A number of the normal law of this mean and standard deviation, as [`draw::gaussian`].
    Gaussian {
        /// Finite.
        mean: f64,
        /// Finite and more than 0.
        deviation: f64,
    },
    /// A number of 0 to 1 of the beta law of these shapes, as [`draw::beta`].
    Beta {
        /// 1e-300 to 1e15.
        a: f64,
        /// 1e-300 to 1e15.
        b: f64,
    },
    /// Not drawn: the process is weighted by this factor, finite and at least 0. No word. It conditions what is asked of
    /// the process on something that was observed.
    Observe(f64),
    /// A term that nobody can draw, with the reason: what a model says that finds its state wrong at a step.
    Fail(Box<Error>),
    /// A term that can't be drawn because its state was refused memory, with what the memory was for. To say so takes none.
    NoMemory(&'static str),
}

impl Distribution<'_> {
    /// Draws it.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for parameters out of their range, before a word is eaten; [`Error::RandomSource`].
    // Into the loops of the interpreters, where the compiler mostly sees which term it is and leaves out the others.
    #[inline(always)]
    pub fn draw(&self, words: &mut (impl RandomSource + ?Sized)) -> Result<Outcome, Error> {
        match self {
            Distribution::Bernoulli(p) => {
                check_probability(*p)?;
                Ok(Outcome::Index((draw::unit(words)? < *p).into()))
            }
            Distribution::Uniform => Ok(Outcome::Real(draw::unit(words)?)),
            Distribution::Categorical(weights) => {
                Ok(Outcome::Index(draw::categorical(words, weights)? as u64))
            }
            Distribution::Below(n) => Ok(Outcome::Index(draw::below(words, *n)?)),
            Distribution::Gaussian { mean, deviation } => {
                check_gaussian(*mean, *deviation)?;
                Ok(Outcome::Real(mean + deviation * draw::gaussian(words)?))
            }
            Distribution::Beta { a, b } => Ok(Outcome::Real(draw::beta(words, *a, *b)?)),
            Distribution::Observe(weight) => {
                check_weight(*weight)?;
                Ok(Outcome::Nothing)
            }
            Distribution::Fail(error) => Err((**error).clone()),
            Distribution::NoMemory(what) => Err(Error::Memory { what }),
        }
    }

    /// The same, borrowing the weights.
    #[inline]
    #[must_use]
    pub fn borrowed(&self) -> Distribution<'_> {
        match self {
            Distribution::Bernoulli(p) => Distribution::Bernoulli(*p),
            Distribution::Categorical(weights) => Distribution::Categorical(Cow::Borrowed(weights)),
            law => law.clone(),
        }
    }

    /// That it does not stand for a state which memory was refused for.
    pub(super) fn check_memory(&self) -> Result<(), Error> {
        match self {
            Distribution::NoMemory(what) => Err(Error::Memory { what }),
            Distribution::Fail(error) if matches!(**error, Error::Memory { .. }) => Err((**error).clone()),
            _ => Ok(()),
        }
    }

    /// A copy that owns its weights, of what memory there is.
    pub(super) fn copied(&self) -> Result<Distribution<'static>, Error> {
        let Distribution::Categorical(weights) = self else { return Ok(self.clone().into_owned()) };
        let mut copy = Vec::new();
        copy.try_reserve_exact(weights.len()).map_err(|_| Error::Memory { what: "the weights of a term" })?;
        copy.extend_from_slice(weights);
        Ok(Distribution::Categorical(Cow::Owned(copy)))
    }

    /// The same, owning what it borrowed.
    #[must_use]
    pub fn into_owned(self) -> Distribution<'static> {
        match self {
            Distribution::Bernoulli(p) => Distribution::Bernoulli(p),
            Distribution::Uniform => Distribution::Uniform,
            Distribution::Categorical(weights) => Distribution::Categorical(Cow::Owned(weights.into_owned())),
            Distribution::Below(n) => Distribution::Below(n),
            Distribution::Gaussian { mean, deviation } => Distribution::Gaussian { mean, deviation },
            Distribution::Beta { a, b } => Distribution::Beta { a, b },
            Distribution::Observe(weight) => Distribution::Observe(weight),
            Distribution::Fail(error) => Distribution::Fail(error),
            Distribution::NoMemory(what) => Distribution::NoMemory(what),
        }
    }

    /// Whether a draw can come of this law, so that [`Coalgebra::next`](super::Coalgebra::next) may be given it.
    #[must_use]
    pub fn admits(&self, draw: Outcome) -> bool {
        match (self, draw) {
            (Distribution::Bernoulli(p), Outcome::Index(index)) => {
                index < 2 && if index == 1 { *p > 0.0 } else { *p < 1.0 }
            }
            (Distribution::Uniform, Outcome::Real(u)) => (0.0..1.0).contains(&u),
            (Distribution::Categorical(weights), Outcome::Index(index)) => usize::try_from(index)
                .ok()
                .and_then(|index| weights.get(index))
                .is_some_and(|&weight| weight > 0.0),
            (Distribution::Below(n), Outcome::Index(index)) => index < *n,
            (Distribution::Gaussian { .. }, Outcome::Real(x)) => x.is_finite(),
            (Distribution::Beta { .. }, Outcome::Real(x)) => (0.0..=1.0).contains(&x),
            (Distribution::Observe(_), Outcome::Nothing) => true,
            _ => false,
        }
    }
}

/// One comparison of whole numbers, as floats of 0 to 1 are ordered like their bits: loops over a term stay short.
#[inline(always)]
fn check_probability(p: f64) -> Result<(), Error> {
    if p.to_bits() <= 1_f64.to_bits() { Ok(()) } else { check_other_probability(p) }
}

/// Of what is none, and of -0, which is one.
#[cold]
#[inline(never)]
fn check_other_probability(p: f64) -> Result<(), Error> {
    if p == 0.0 { Ok(()) } else { Err(Error::range("a probability", "0 to 1", shown(p))) }
}

#[inline]
fn check_gaussian(mean: f64, deviation: f64) -> Result<(), Error> {
    // Draws are at most 13 deviations from the mean, and finite.
    if !(mean.abs() + 13.0 * deviation).is_finite() {
        let got = format!("{} and {}", shown(mean), shown(deviation));
        return Err(Error::range(
            "mean and deviation",
            "such that 13 deviations from the mean are finite",
            got,
        ));
    }
    if deviation > 0.0 { Ok(()) } else { Err(Error::range("a deviation", "more than 0", shown(deviation))) }
}

#[inline]
fn check_weight(weight: f64) -> Result<(), Error> {
    let right = weight >= 0.0 && weight.is_finite();
    if right {
        Ok(())
    } else {
        Err(Error::range("the weight of an observation", "a finite number of at least 0", shown(weight)))
    }
}
