//! Simulates many replicates in several threads, in ranges.
//!
//! ```text
//! ranges of replicates -> Workers: threads and the caller work on them -> pieces in order -> caller
//! ```

use crate::Error;
use crate::process::{Replicates, Run};
use hashwell_work::{Stopped, Watch, Workers};
use std::iter;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The target time for a range, unless one replicate takes longer. It determines how often progress is reported, and
/// how soon the caller regains control after a stop.
const RANGE_TIME: Duration = Duration::from_millis(20);
/// The maximum number of threads.
const MAX_THREADS: usize = 256;
/// The maximum number of replicates in a range, because the results of a range wait until the ranges before it are
/// done.
const MAX_RANGE: u64 = 1 << 14;
/// The number of replicates in a range in WebAssembly, which has no clock.
const RANGE_WITHOUT_CLOCK: u64 = 1 << 10;

/// Implements [`pieces`](super::pieces()); returns the number of replicates that are done, and true if these are all.
pub(super) fn work_off<T: Send>(
    run: &Run,
    replicates: Range<u64>,
    threads: usize,
    watch: &Watch<'_>,
    work: impl Fn(&mut Replicates, &Watch<'_>) -> Result<T, Error> + Sync,
    take: &mut dyn FnMut(T) -> Result<(), Error>,
) -> Result<(u64, bool), Error> {
    // The start of the first range that failed: later ranges are not needed.
    let failed = AtomicU64::new(u64::MAX);
    let size = Size::new();
    let mut claimed = replicates.start;
    let ranges = iter::from_fn(|| {
        let range = claimed..replicates.end.min(claimed.saturating_add(size.get()));
        claimed = range.end;
        (!range.is_empty() && range.start <= failed.load(Relaxed)).then_some(range)
    });
    let work = |range: Range<u64>| {
        let start = range.start;
        let ask = |_| match watch.look() {
            Ok(()) if start <= failed.load(Relaxed) => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        };
        let own = Watch::new(&ask);
        let done = size.timed(range.end - start, || {
            let mut replicates = run.replicates(range)?;
            let out = work(&mut replicates, &own)?;
            // If the work was stopped, some replicates are left.
            Ok((out, replicates.left().start))
        });
        match &done {
            // This only counts. The calling thread checks the watch between results.
            Ok((_, end)) => _ = watch.add(end - start),
            // Earlier ranges continue, because they may fail too.
            Err(_) => _ = failed.fetch_min(start, Relaxed),
        }
        (start, done)
    };
    let mut next = replicates.start;
    let put = |(start, done): (u64, Result<(T, u64), Error>)| {
        // Results after a range that was stopped don't count.
        if start == next {
            let (out, end) = done.map_err(End::Failed)?;
            next = end;
            take(out).map_err(End::Failed)?;
        }
        Ok(())
    };
    // Never use more threads than there are replicates.
    let total = replicates.end.saturating_sub(replicates.start);
    let threads =
        hashwell_work::threads(threads).min(MAX_THREADS).min(usize::try_from(total).unwrap_or(usize::MAX));
    match Workers::new(threads.max(1)).watch(watch).ordered(ranges, work, put) {
        Err(End::Failed(error)) => Err(error),
        Ok(()) | Err(End::Stopped) => Ok((next - replicates.start, next >= replicates.end)),
    }
}

/// The reason why not all ranges were taken.
enum End {
    Failed(Error),
    Stopped,
}

impl From<Stopped> for End {
    fn from(_: Stopped) -> Self {
        End::Stopped
    }
}

/// The number of replicates in the next range: one at first, then as many as took [`RANGE_TIME`].
struct Size(AtomicU64);

impl Size {
    fn new() -> Self {
        Self(AtomicU64::new(if cfg!(target_family = "wasm") { RANGE_WITHOUT_CLOCK } else { 1 }))
    }

    fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }

    /// Runs the work on a range of this many replicates, and adjusts the size of later ranges to the time that it took.
    fn timed<R>(&self, replicates: u64, work: impl FnOnce() -> R) -> R {
        if cfg!(target_family = "wasm") {
            return work();
        }
        let begin = Instant::now();
        let out = work();
        let time = begin.elapsed();
        if time < RANGE_TIME / 2 {
            self.0.store((replicates * 4).min(MAX_RANGE), Relaxed);
        } else if time > RANGE_TIME * 2 {
            self.0.store((replicates / 2).max(1), Relaxed);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell_work::refuse_threads;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn numbers(replicates: &mut Replicates, _: &Watch<'_>) -> Result<Vec<u64>, Error> {
        let mut numbers = Vec::new();
        while let Some((number, _)) = replicates.next_words()? {
            numbers.push(number);
        }
        Ok(numbers)
    }

    #[test]
    fn refused_threads_leave_the_work_to_the_others() {
        let run = Run::seeded(b"threads").unwrap();
        for allowed in 0..3 {
            let mut got = Vec::new();
            let mut take = |some| {
                got.extend::<Vec<u64>>(some);
                Ok(())
            };
            let call = || work_off(&run, 5..5000, 4, Watch::never(), numbers, &mut take);
            assert_eq!(refuse_threads(allowed, call), Ok((4995, true)));
            assert!(got.into_iter().eq(5..5000), "{allowed} threads more");
        }
    }

    /// Later ranges are stopped too, although they would run forever.
    #[test]
    fn the_first_error_ends_all_ranges() {
        let run = Run::seeded(b"threads").unwrap();
        let work = |replicates: &mut Replicates, watch: &Watch<'_>| {
            if replicates.left().start == 0 {
                return Err(Error::Endless { terms: 1 });
            }
            while watch.look().is_ok() {
                std::thread::yield_now();
            }
            Ok(())
        };
        let done = work_off(&run, 0..100, 3, Watch::never(), work, &mut |()| Ok(()));
        assert_eq!(done, Err(Error::Endless { terms: 1 }));
    }

    #[test]
    fn panics_reach_the_caller() {
        let run = Run::seeded(b"threads").unwrap();
        for allowed in [0, 3] {
            let work = |_: &mut Replicates, _: &Watch<'_>| -> Result<(), Error> { panic!("a replicate") };
            let call = || work_off(&run, 0..50_000, 4, Watch::never(), work, &mut |()| Ok(()));
            let payload = catch_unwind(AssertUnwindSafe(|| refuse_threads(allowed, call))).unwrap_err();
            assert_eq!(payload.downcast_ref::<&str>(), Some(&"a replicate"));
        }
    }
}
