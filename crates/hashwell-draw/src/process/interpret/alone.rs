//! Many replicates by the thread that calls, where there is no other one and no clock: in WebAssembly.

use crate::Error;
use crate::process::{Replicates, Run};
use std::ops::{ControlFlow, Range};

/// Replicates between two questions whether to go on.
const RANGE: u64 = 1 << 10;

/// As [`pieces`](super::pieces()): how many replicates are done, and whether these are all.
pub(super) fn work_off<T: Send>(
    run: &Run,
    replicates: Range<u64>,
    _threads: usize,
    progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    work: impl Fn(&mut Replicates<'_>) -> Result<T, Error> + Sync,
    take: &mut dyn FnMut(T) -> Result<(), Error>,
) -> Result<(u64, bool), Error> {
    let mut next = replicates.start;
    while next < replicates.end {
        let end = replicates.end.min(next.saturating_add(RANGE));
        let done = next - replicates.start;
        let mut ask = || progress(done);
        let mut range = run.replicates(next..end)?.watched(&mut ask);
        take(work(&mut range)?)?;
        next = range.left().start;
        if next < end || progress(next - replicates.start).is_break() {
            break;
        }
    }
    Ok((next - replicates.start, next >= replicates.end))
}
