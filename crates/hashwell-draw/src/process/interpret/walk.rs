//! One run of a process: the loop that every interpreter by words shares.

use crate::Error;
use crate::process::{Coalgebra, Draw, Flow, Law};
use hashwell::Words;

/// What comes of the process with these words; `seen` gets each term and its draw.
#[inline]
pub(super) fn walk<C: Coalgebra>(
    process: &C,
    words: &mut (impl Words + ?Sized),
    terms: u64,
    mut seen: impl FnMut(&Law<'_>, Draw) -> Result<(), Error>,
) -> Result<C::Out, Error> {
    let mut flow = process.start();
    for step in 0..terms {
        match flow {
            Flow::Done(out) => return Ok(out),
            Flow::More(state) => {
                let law = process.law(&state);
                let draw = law.draw(words).map_err(|error| error.at_step(step))?;
                seen(&law, draw)?;
                drop(law);
                flow = process.next(state, draw);
            }
        }
    }
    match flow {
        Flow::Done(out) => Ok(out),
        Flow::More(_) => Err(Error::Endless { terms }),
    }
}
