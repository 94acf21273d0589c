//! One run of a process, and the loop that all interpreters with random numbers share.

use super::limits::Limits;
use super::read_ahead::{BLOCK, Near};
use crate::Error;
use crate::process::{Coalgebra, Distribution, Flow, Outcome};
use hashwell::RandomSource;

/// The number of terms between two checks of the watch, about 100 µs.
const BETWEEN: u64 = 1 << 14;

/// Samples the process once. Observations are ignored: the sample is from the process without conditioning.
///
/// # Errors
/// Returns [`Error::AtStep`] if a draw fails. Its step is the number of the term, counted from 0. Returns
/// [`Error::Endless`] if the run has more terms than the limit, or [`Error::Stopped`] if the watch cancels the run.
#[inline]
pub fn sample<C: Coalgebra>(
    process: &C,
    words: &mut (impl RandomSource + ?Sized),
    limits: &Limits<'_>,
) -> Result<C::Out, Error> {
    walk(process, words, limits, |_, _| Ok(()))
}

/// Runs the process once, and passes each term and its outcome to `seen`.
#[inline]
pub(super) fn walk<C: Coalgebra>(
    process: &C,
    words: &mut (impl RandomSource + ?Sized),
    limits: &Limits<'_>,
    seen: impl FnMut(&Distribution<'_>, Outcome) -> Result<(), Error>,
) -> Result<C::Out, Error> {
    let state = match process.start() {
        Flow::More(state) => state,
        Flow::Done(out) => return Ok(out),
    };
    let mut block = [0; BLOCK];
    let mut words = Near::new(words, &mut block);
    let out = walk_from(process, state, &mut words, limits, seen);
    words.settle();
    out
}

#[inline(always)]
fn walk_from<C: Coalgebra>(
    process: &C,
    mut state: C::State,
    words: &mut impl RandomSource,
    &Limits { terms, watch, .. }: &Limits<'_>,
    mut seen: impl FnMut(&Distribution<'_>, Outcome) -> Result<(), Error>,
) -> Result<C::Out, Error> {
    let mut before = 0;
    loop {
        // The inner loop counts from 0 and only an error adds `before`, so that the compiler keeps one counter, not two.
        let piece = BETWEEN.min(terms - before);
        for step in 0..piece {
            let term = process.distribution(&state);
            let outcome = match term.draw(words) {
                Ok(outcome) => outcome,
                Err(error) => return Err(error.at_step(before + step)),
            };
            seen(&term, outcome)?;
            drop(term);
            match process.next(state, outcome) {
                Flow::More(next) => state = next,
                Flow::Done(out) => return Ok(out),
            }
        }
        before += piece;
        if before == terms {
            return Err(Error::Endless { terms });
        }
        watch.look()?;
    }
}
