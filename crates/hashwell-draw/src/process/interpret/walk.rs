//! One run of a process: the loop that every interpreter by words shares.

use super::near::{BLOCK, Near};
use crate::Error;
use crate::process::{Coalgebra, Draw, Flow, Law};
use hashwell::Words;
use std::ops::ControlFlow;

/// Terms between two questions whether to go on: some 100 µs.
const BETWEEN: u64 = 1 << 14;

/// What comes of the process with these words. `seen` gets each term and its draw. `ask` is asked now and then whether to
/// go on; `None` if it says no.
#[inline]
pub(super) fn walk<C: Coalgebra>(
    process: &C,
    words: &mut (impl Words + ?Sized),
    terms: u64,
    seen: impl FnMut(&Law<'_>, Draw) -> Result<(), Error>,
    ask: impl FnMut() -> ControlFlow<()>,
) -> Result<Option<C::Out>, Error> {
    let state = match process.start() {
        Flow::More(state) => state,
        Flow::Done(out) => return Ok(Some(out)),
    };
    let mut block = [0; BLOCK];
    let mut words = Near::new(words, &mut block);
    let out = walk_from(process, state, &mut words, terms, seen, ask);
    words.settle();
    out
}

/// As [`walk`], from a state on.
#[inline(always)]
fn walk_from<C: Coalgebra>(
    process: &C,
    mut state: C::State,
    words: &mut impl Words,
    terms: u64,
    mut seen: impl FnMut(&Law<'_>, Draw) -> Result<(), Error>,
    mut ask: impl FnMut() -> ControlFlow<()>,
) -> Result<Option<C::Out>, Error> {
    let mut before = 0;
    loop {
        // Counted from 0 each time, with the sum made for an error alone: so the compiler keeps one counter, not two.
        let piece = BETWEEN.min(terms - before);
        for step in 0..piece {
            let law = process.law(&state);
            let draw = match law.draw(words) {
                Ok(draw) => draw,
                Err(error) => return Err(error.at_step(before + step)),
            };
            seen(&law, draw)?;
            drop(law);
            match process.next(state, draw) {
                Flow::More(next) => state = next,
                Flow::Done(out) => return Ok(Some(out)),
            }
        }
        before += piece;
        if before == terms {
            return Err(Error::Endless { terms });
        }
        if ask().is_break() {
            return Ok(None);
        }
    }
}

/// As [`walk`], where nobody is asked.
#[inline]
pub(super) fn walk_on<C: Coalgebra>(
    process: &C,
    words: &mut (impl Words + ?Sized),
    terms: u64,
    seen: impl FnMut(&Law<'_>, Draw) -> Result<(), Error>,
) -> Result<C::Out, Error> {
    let out = walk(process, words, terms, seen, || ControlFlow::Continue(()))?;
    Ok(out.expect("nobody says no"))
}
