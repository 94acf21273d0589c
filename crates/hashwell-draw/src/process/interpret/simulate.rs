//! Simulation of many replicates of a process.

use super::limits::Limits;
use super::pieces::pieces;
use super::sample::sample;
use crate::Error;
use crate::process::{Coalgebra, ReplicateRng, Replicates, Run};
use hashwell_work::Watch;
use std::ops::{ControlFlow, Range};

pub(super) const MEMORY: Error = Error::Memory { what: "replicates" };

/// Simulated replicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulated<O> {
    /// The samples, in the order of the replicates.
    pub outs: Vec<O>,
    /// False if the watch ended the simulation before all replicates were done.
    pub finished: bool,
}

/// Samples these replicates of the process, each with [different random numbers](Run::replicate). The samples don't
/// depend on the number of threads. The watch counts the replicates that are done. If the watch cancels the simulation,
/// this function returns the replicates before the first incomplete one.
///
/// # Errors
/// Returns [`Error::InReplicate`] if a replicate fails, for the same reasons as [`sample`](super::sample()). If several
/// fail, the error is that of the replicate with the smallest number. Returns [`Error::Memory`] if an allocation fails.
pub fn simulate<C>(
    process: &C,
    run: &Run,
    replicates: Range<u64>,
    limits: &Limits<'_>,
) -> Result<Simulated<C::Out>, Error>
where
    C: Coalgebra + Sync,
    C::Out: Send,
{
    outs_of(run, replicates, limits, |words, limits| sample(process, words, limits))
}

/// Calls `one` with the random numbers of each of these replicates.
pub(super) fn outs_of<O: Send>(
    run: &Run,
    replicates: Range<u64>,
    limits: &Limits<'_>,
    one: impl Fn(&mut ReplicateRng, &Limits<'_>) -> Result<O, Error> + Sync,
) -> Result<Simulated<O>, Error> {
    let mut outs = Vec::new();
    let work = |replicates: &mut Replicates, watch: &Watch<'_>| {
        let limits = Limits { watch, ..*limits };
        let mut outs = Vec::new();
        while let Some(out) = replicates.next_of(|words| one(words, &limits))? {
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
    let done = pieces(run, replicates, limits, work, &mut take)?;
    Ok(Simulated { outs, finished: done.finished })
}

/// Samples the replicates one by one in the caller's thread, and passes each sample to `take` with the replicate's
/// number. Ends early if `take` returns [`ControlFlow::Break`].
///
/// # Errors
/// Returns the same errors as [`simulate`], the error of `take`, or [`Error::InReplicate`] with the reason
/// [`Error::Stopped`] if the watch cancels a replicate.
pub fn each<C: Coalgebra>(
    process: &C,
    run: &Run,
    replicates: Range<u64>,
    limits: &Limits<'_>,
    mut take: impl FnMut(u64, C::Out) -> Result<ControlFlow<()>, Error>,
) -> Result<(), Error> {
    let mut replicates = run.replicates(replicates)?;
    while let Some((j, words)) = replicates.next_words()? {
        let out = sample(process, words, limits).map_err(|error| error.in_replicate(j))?;
        if take(j, out)?.is_break() {
            break;
        }
    }
    Ok(())
}
