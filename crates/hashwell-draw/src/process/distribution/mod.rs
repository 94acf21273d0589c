//! The terms of the language, and their outcomes.

mod outcome;
mod probability;

pub use outcome::Outcome;
pub(super) use probability::ln_gaussian_density;

use crate::Error;
use crate::draw;
use crate::error::shown;
use hashwell::RandomSource;
use std::borrow::Cow;

/// A term: the distribution of the next draw. The specification defines how each term uses random numbers, so a seed
/// gives the same results in every language.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Distribution<'a> {
    /// 1 if u < p, where u is a number drawn by [`draw::unit`], and 0 otherwise, so 1 has the probability p. p must be
    /// from 0 to 1. Consumes one random number, even if p is 0 or 1.
    Bernoulli(f64),
    /// A number u with 0 <= u < 1, drawn by [`draw::unit`]. Consumes one random number.
    Uniform,
    /// An index with probability proportional to its weight, drawn by [`draw::categorical`]. Consumes one random
    /// number.
    Categorical(Cow<'a, [f64]>),
    /// An integer below n, drawn by [`draw::below`].
    Below(u64),
    /// A number that has the normal distribution with this mean and standard deviation, drawn by [`draw::gaussian`].
    Gaussian {
        /// The mean, which must be finite.
        mean: f64,
        /// The standard deviation, which must be finite and positive.
        deviation: f64,
    },
    /// A number from 0 to 1 that has the beta distribution with these shape parameters, drawn by [`draw::beta`].
    Beta {
        /// The first shape parameter, from 1e-300 to 1e15.
        a: f64,
        /// The second shape parameter, from 1e-300 to 1e15.
        b: f64,
    },
    /// An observation, which conditions the process on data. The weight of a run is multiplied by this factor, which
    /// must be finite and at least 0. Nothing is drawn, and no random number is consumed.
    Observe(f64),
    /// A term that always fails with this error. A process returns it if a state is invalid.
    Fail(Box<Error>),
    /// A term that always fails because there was no memory for the state. The string is the purpose of the memory.
    /// Reporting this error allocates no memory.
    NoMemory(&'static str),
}

impl Distribution<'_> {
    /// Draws from this distribution.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if a parameter is out of its range; no random number is then consumed. Returns
    /// [`Error::RandomSource`] if the random source fails.
    // This is inlined into the loops of the interpreters, where the compiler usually knows the term and removes the
    // other cases.
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

    /// Returns the same distribution, which borrows its weights.
    #[inline]
    #[must_use]
    pub fn borrowed(&self) -> Distribution<'_> {
        match self {
            Distribution::Bernoulli(p) => Distribution::Bernoulli(*p),
            Distribution::Categorical(weights) => Distribution::Categorical(Cow::Borrowed(weights)),
            law => law.clone(),
        }
    }

    /// Returns an error if this distribution represents a state that could not be allocated.
    pub(super) fn check_memory(&self) -> Result<(), Error> {
        match self {
            Distribution::NoMemory(what) => Err(Error::Memory { what }),
            Distribution::Fail(error) if matches!(**error, Error::Memory { .. }) => Err((**error).clone()),
            _ => Ok(()),
        }
    }

    /// A copy that owns its weights, or an error if there is no memory.
    pub(super) fn copied(&self) -> Result<Distribution<'static>, Error> {
        let Distribution::Categorical(weights) = self else { return Ok(self.clone().into_owned()) };
        let mut copy = Vec::new();
        copy.try_reserve_exact(weights.len()).map_err(|_| Error::Memory { what: "the weights of a term" })?;
        copy.extend_from_slice(weights);
        Ok(Distribution::Categorical(Cow::Owned(copy)))
    }

    /// Returns the same distribution, which owns its weights.
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

    /// Returns true if this distribution can produce the draw, so that the draw may be passed to
    /// [`Coalgebra::next`](super::Coalgebra::next).
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

/// Checks a probability with a single comparison of integers, because floats from 0 to 1 have the same order as their
/// bits. This keeps loops over a term short.
#[inline(always)]
fn check_probability(p: f64) -> Result<(), Error> {
    if p.to_bits() <= 1_f64.to_bits() { Ok(()) } else { check_other_probability(p) }
}

/// Handles values that are not probabilities, and -0, which is a probability.
#[cold]
#[inline(never)]
fn check_other_probability(p: f64) -> Result<(), Error> {
    if p == 0.0 { Ok(()) } else { Err(Error::range("a probability", "0 to 1", shown(p))) }
}

#[inline]
fn check_gaussian(mean: f64, deviation: f64) -> Result<(), Error> {
    // Draws are at most 13 standard deviations from the mean, and finite.
    if !(mean.abs() + 13.0 * deviation).is_finite() {
        let got = format!("|{}| + 13·{}", shown(mean), shown(deviation));
        return Err(Error::range("|mean| + 13·deviation", "finite", got));
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
