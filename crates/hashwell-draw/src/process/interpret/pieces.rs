//! Many replicates, a range of them at a time: in several threads, or where there are none, alone.

#[cfg(target_arch = "wasm32")]
use super::alone::work_off;
#[cfg(not(target_arch = "wasm32"))]
use super::threads::work_off;
use crate::Error;
use crate::process::{Replicates, Run};
use std::ops::{ControlFlow, Range};

/// How replicates are simulated. The threads change nothing; the terms only whether a long replicate is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// Threads, the caller's among them; 0: as many as the system offers. More than 256 count as 256. Where the system
    /// refuses some, the others do the work.
    pub threads: usize,
    /// Terms of a replicate, at most.
    pub terms: u64,
}

impl Default for Simulation {
    fn default() -> Self {
        Self { threads: 0, terms: super::MOST_TERMS }
    }
}

/// How far many replicates came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// Replicates that are done, from the first one on.
    pub replicates: u64,
    /// Whether these are all: false after a [`ControlFlow::Break`].
    pub finished: bool,
}

/// Cuts the replicates into ranges and calls `work` with each, which takes all that it is given; for what does not come
/// one by one, as flat arrays. What comes of the ranges is given to `take` in their order, without a gap from the first
/// replicate on, while others are worked on; where they are cut is not promised. Now and then `progress` is called with the
/// number of replicates that are done. Both are called by the thread that called; after `progress` says
/// [`ControlFlow::Break`] what is done is still taken, as far as it follows without a gap.
///
/// # Errors
/// Of the first range whose work fails, whatever the threads; what `take` says; [`Error::Memory`].
///
/// # Panics
/// If `work` does.
pub fn pieces<T: Send>(
    run: &Run,
    replicates: Range<u64>,
    threads: usize,
    progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    work: impl Fn(&mut Replicates<'_>) -> Result<T, Error> + Sync,
    take: &mut dyn FnMut(T) -> Result<(), Error>,
) -> Result<Pieces, Error> {
    let (replicates, finished) = work_off(run, replicates, threads, progress, work, take)?;
    Ok(Pieces { replicates, finished })
}
