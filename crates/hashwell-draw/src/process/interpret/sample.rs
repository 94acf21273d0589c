//! One run of a process.

use super::walk::walk_on;
use crate::Error;
use crate::process::Coalgebra;
use hashwell::Words;

/// Terms that a process may draw where nobody says how many: one that needs more is taken for endless.
pub const MOST_TERMS: u64 = 1 << 40;

/// What comes of the process with these words. Weights of observations are not looked at: what is sampled is the process
/// before it is conditioned.
///
/// # Errors
/// As [`sample_within`] of [`MOST_TERMS`].
pub fn sample<C: Coalgebra>(process: &C, words: &mut (impl Words + ?Sized)) -> Result<C::Out, Error> {
    sample_within(process, words, MOST_TERMS)
}

/// As [`sample`], of at most so many terms.
///
/// # Errors
/// [`Error::AtStep`] with the number of the term, counted from 0, for a law that cannot be drawn; [`Error::Endless`] for
/// a process that needs more terms.
pub fn sample_within<C: Coalgebra>(
    process: &C,
    words: &mut (impl Words + ?Sized),
    terms: u64,
) -> Result<C::Out, Error> {
    walk_on(process, words, terms, |_, _| Ok(()))
}
