//! Many replicates in several threads, a range of them at a time.

use crate::Error;
use crate::process::{Replicates, Run};
use std::ops::{ControlFlow, Range};

/// How replicates are simulated. Nothing here changes what comes of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// Threads, the caller's among them; 0: as many as the system offers. Where it refuses some, the others do the work.
    pub threads: usize,
    /// Terms of a replicate, at most.
    pub terms: u64,
}

impl Default for Simulation {
    fn default() -> Self {
        Self { threads: 0, terms: super::MOST_TERMS }
    }
}

/// What came of ranges of replicates, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pieces<T> {
    /// One for each range. They follow one another without a gap, from the first replicate on.
    pub pieces: Vec<T>,
    /// Replicates that they are of.
    pub replicates: u64,
    /// Whether all replicates were simulated: false after a [`ControlFlow::Break`].
    pub finished: bool,
}

/// Cuts the replicates into ranges and calls `work` with each, which takes all that it is given; for what does not come
/// one by one, as flat arrays. Between ranges `progress` is called with the number of replicates that are done, by the
/// thread that called.
///
/// # Errors
/// Of the first range whose work fails; [`Error::Memory`].
pub fn pieces<T: Send>(
    run: &Run,
    replicates: Range<u64>,
    _threads: usize,
    progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    work: impl Fn(&mut Replicates) -> Result<T, Error> + Sync,
) -> Result<Pieces<T>, Error> {
    let mut all = Pieces { pieces: Vec::new(), replicates: 0, finished: true };
    let mut start = replicates.start;
    while start < replicates.end {
        let end = start.saturating_add(256).min(replicates.end);
        all.pieces.push(work(&mut run.replicates(start..end)?)?);
        all.replicates += end - start;
        start = end;
        if progress(all.replicates).is_break() {
            all.finished = start >= replicates.end;
            break;
        }
    }
    Ok(all)
}
