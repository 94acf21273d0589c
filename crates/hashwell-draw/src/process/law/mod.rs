//! The terms of the language, and what comes of them.

mod outcome;
mod probability;

pub use outcome::Draw;
pub(super) use probability::ln_gaussian_density;

use crate::Error;
use crate::draw;
use crate::error::shown;
use hashwell::Words;
use std::borrow::Cow;

/// A term: the law of the next draw. How each is made of words is part of the specification, so that a seed gives the
/// same process in every language.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Law<'a> {
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
}

impl Law<'_> {
    /// Draws it.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for parameters out of their range, before a word is eaten; [`Error::Words`].
    // Into the loops of the interpreters, where the compiler mostly sees which term it is and leaves out the others.
    #[inline(always)]
    pub fn draw(&self, words: &mut (impl Words + ?Sized)) -> Result<Draw, Error> {
        match self {
            Law::Bernoulli(p) => {
                check_probability(*p)?;
                Ok(Draw::Index((draw::unit(words)? < *p).into()))
            }
            Law::Uniform => Ok(Draw::Real(draw::unit(words)?)),
            Law::Categorical(weights) => Ok(Draw::Index(draw::categorical(words, weights)? as u64)),
            Law::Below(n) => Ok(Draw::Index(draw::below(words, *n)?)),
            Law::Gaussian { mean, deviation } => {
                check_gaussian(*mean, *deviation)?;
                Ok(Draw::Real(mean + deviation * draw::gaussian(words)?))
            }
            Law::Beta { a, b } => Ok(Draw::Real(draw::beta(words, *a, *b)?)),
            Law::Observe(weight) => {
                check_weight(*weight)?;
                Ok(Draw::Nothing)
            }
            Law::Fail(error) => Err((**error).clone()),
        }
    }

    /// The same, borrowing the weights.
    #[inline]
    #[must_use]
    pub fn borrowed(&self) -> Law<'_> {
        match self {
            Law::Bernoulli(p) => Law::Bernoulli(*p),
            Law::Categorical(weights) => Law::Categorical(Cow::Borrowed(weights)),
            law => law.clone(),
        }
    }

    /// That it does not stand for a state which memory was refused for.
    pub(super) fn check_memory(&self) -> Result<(), Error> {
        match self {
            Law::Fail(error) if matches!(**error, Error::Memory { .. }) => Err((**error).clone()),
            _ => Ok(()),
        }
    }

    /// A copy that owns its weights, of what memory there is.
    pub(super) fn copied(&self) -> Result<Law<'static>, Error> {
        let Law::Categorical(weights) = self else { return Ok(self.clone().into_owned()) };
        let mut copy = Vec::new();
        copy.try_reserve_exact(weights.len()).map_err(|_| Error::Memory { what: "the weights of a term" })?;
        copy.extend_from_slice(weights);
        Ok(Law::Categorical(Cow::Owned(copy)))
    }

    /// The same, owning what it borrowed.
    #[must_use]
    pub fn into_owned(self) -> Law<'static> {
        match self {
            Law::Bernoulli(p) => Law::Bernoulli(p),
            Law::Uniform => Law::Uniform,
            Law::Categorical(weights) => Law::Categorical(Cow::Owned(weights.into_owned())),
            Law::Below(n) => Law::Below(n),
            Law::Gaussian { mean, deviation } => Law::Gaussian { mean, deviation },
            Law::Beta { a, b } => Law::Beta { a, b },
            Law::Observe(weight) => Law::Observe(weight),
            Law::Fail(error) => Law::Fail(error),
        }
    }

    /// Whether a draw can come of this law, so that [`Coalgebra::next`](super::Coalgebra::next) may be given it.
    #[must_use]
    pub fn admits(&self, draw: Draw) -> bool {
        match (self, draw) {
            (Law::Bernoulli(p), Draw::Index(index)) => {
                index < 2 && if index == 1 { *p > 0.0 } else { *p < 1.0 }
            }
            (Law::Uniform, Draw::Real(u)) => (0.0..1.0).contains(&u),
            (Law::Categorical(weights), Draw::Index(index)) => usize::try_from(index)
                .ok()
                .and_then(|index| weights.get(index))
                .is_some_and(|&weight| weight > 0.0),
            (Law::Below(n), Draw::Index(index)) => index < *n,
            (Law::Gaussian { .. }, Draw::Real(x)) => x.is_finite(),
            (Law::Beta { .. }, Draw::Real(x)) => (0.0..=1.0).contains(&x),
            (Law::Observe(_), Draw::Nothing) => true,
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
