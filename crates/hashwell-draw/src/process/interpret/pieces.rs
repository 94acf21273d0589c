//! Many replicates, processed in ranges.

use super::limits::Limits;
use super::threads::work_off;
use crate::Error;
use crate::process::{Replicates, Run};
use hashwell_work::Watch;
use std::ops::Range;

/// The number of replicates that were simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// The number of replicates that are done, counted from the first one.
    pub replicates: u64,
    /// False if the watch ended the work before all replicates were done.
    pub finished: bool,
}

/// Divides the replicates into ranges, and calls `work` with each range and with a watch that can cancel the work. Use
/// this function if a result belongs to many replicates, such as a flat array. The results of the ranges are passed to
/// `take` in order and without gaps, beginning with the first replicate, while other ranges are in progress. The
/// division into ranges isn't specified. The caller's thread calls `take`. The watch of the limits counts the
/// replicates that are done. If that watch cancels the work, `take` still gets the results up to the first range that
/// is not done.
///
/// # Errors
/// Returns the error of the first range that fails, independently of the number of threads. Returns the error of `take`
/// if `take` fails, or [`Error::Memory`] if an allocation fails.
///
/// # Panics
/// Panics if `work` panics.
pub fn pieces<T: Send>(
    run: &Run,
    replicates: Range<u64>,
    limits: &Limits<'_>,
    work: impl Fn(&mut Replicates, &Watch<'_>) -> Result<T, Error> + Sync,
    take: &mut dyn FnMut(T) -> Result<(), Error>,
) -> Result<Pieces, Error> {
    let (replicates, finished) = work_off(run, replicates, limits.threads, limits.watch, work, take)?;
    Ok(Pieces { replicates, finished })
}
