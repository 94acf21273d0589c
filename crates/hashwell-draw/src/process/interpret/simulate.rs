//! Many replicates of a process.

use super::pieces::{Simulation, pieces};
use super::sample::{MOST_TERMS, sample_while, sample_within};
use crate::Error;
use crate::process::{Coalgebra, ReplicateWords, Replicates, Run};
use std::ops::{ControlFlow, Range};

pub(super) const MEMORY: Error = Error::Memory { what: "replicates" };

/// Replicates that were simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulated<O> {
    /// What came of each, in the order of replicates, from the first on.
    pub outs: Vec<O>,
    /// Whether all were simulated: false after a [`ControlFlow::Break`].
    pub finished: bool,
}

/// What comes of these replicates of the process, each with [words of its own](Run::replicate), in their order; the same
/// whatever the threads. `progress` is called now and then with the number of replicates that are done, by the thread that
/// called; what was done before it says [`ControlFlow::Break`] is given back.
///
/// # Errors
/// [`Error::InReplicate`] with the least number of a replicate that fails, as [`sample_within`](super::sample_within) says;
/// [`Error::Memory`].
pub fn simulate<C>(
    process: &C,
    run: &Run,
    replicates: Range<u64>,
    simulation: &Simulation,
    progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Simulated<C::Out>, Error>
where
    C: Coalgebra + Sync,
    C::Out: Send,
{
    outs_of(run, replicates, simulation, progress, |words, ask| {
        sample_while(process, words, simulation.terms, ask)
    })
}

/// What `one` makes of the words of each of these replicates.
pub(super) fn outs_of<O: Send>(
    run: &Run,
    replicates: Range<u64>,
    simulation: &Simulation,
    progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    one: impl Fn(&mut ReplicateWords, &mut dyn FnMut() -> ControlFlow<()>) -> Result<Option<O>, Error> + Sync,
) -> Result<Simulated<O>, Error> {
    let mut outs = Vec::new();
    let work = |replicates: &mut Replicates<'_>| {
        let mut outs = Vec::new();
        while let Some(out) = replicates.next_of(&one)? {
            outs.try_reserve(1).map_err(|_| MEMORY)?;
            outs.push(out);
        }
        Ok(outs)
    };
    let mut take = |more: Vec<O>| {
        outs.try_reserve(more.len()).map_err(|_| MEMORY)?;
        outs.extend(more);
        Ok(())
    };
    let done = pieces(run, replicates, simulation.threads, progress, work, &mut take)?;
    Ok(Simulated { outs, finished: done.finished })
}

/// Gives what comes of each replicate to `take`, with the replicate's number, in this thread, and keeps none. Ends early
/// where `take` says [`ControlFlow::Break`].
///
/// # Errors
/// As [`simulate`], and what `take` says.
pub fn each<C: Coalgebra>(
    process: &C,
    run: &Run,
    replicates: Range<u64>,
    mut take: impl FnMut(u64, C::Out) -> Result<ControlFlow<()>, Error>,
) -> Result<(), Error> {
    let mut replicates = run.replicates(replicates)?;
    while let Some((j, words)) = replicates.next_words()? {
        let out = sample_within(process, words, MOST_TERMS).map_err(|error| error.in_replicate(j))?;
        if take(j, out)?.is_break() {
            break;
        }
    }
    Ok(())
}
