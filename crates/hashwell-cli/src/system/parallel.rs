//! Processes many files in parallel, and returns the results in order.

use crate::system::report::Failure;
use hashwell_work::{Workers, threads};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The maximum number of jobs. Each job has a thread, with its buffer and stack.
const MAX_JOBS: usize = 1024;

/// The number of files to process in parallel: the requested number, or else one per core, but no more than there are
/// files.
pub(crate) fn jobs(asked: Option<usize>, items: usize) -> Result<usize, Failure> {
    match asked {
        Some(0) => Err(Failure::Usage("--jobs must be at least 1, not 0".to_owned())),
        Some(n) if n > MAX_JOBS => Err(Failure::Usage(format!("--jobs must be at most {MAX_JOBS}, not {n}"))),
        Some(n) => Ok(n.min(items).max(1)),
        None => Ok(threads(0).min(items).max(1)),
    }
}

/// Represents a core while one of our threads is working on it. Each job takes a core, whether one is free or not.
/// Helpers of a job take only free cores, so that large files are processed in parallel without competing for cores.
pub(crate) struct Core(());

static BUSY: AtomicUsize = AtomicUsize::new(0);

impl Core {
    pub(crate) fn of_a_job() -> Self {
        BUSY.fetch_add(1, Ordering::Relaxed);
        Self(())
    }

    /// Takes a core, unless our threads already use all of them.
    pub(crate) fn if_free() -> Option<Self> {
        static CORES: LazyLock<usize> = LazyLock::new(|| threads(0));
        let more = |busy: usize| (busy < *CORES).then_some(busy + 1);
        BUSY.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok().map(|_| Self(()))
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        BUSY.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The maximum number of results that wait for an earlier result, which may be delayed by a large file. The number is
/// large because digests need little memory.
const AHEAD: usize = 1 << 12;

/// Runs `work` on every item, on `jobs` threads or as many as the system allows, and passes the results to `consume` in
/// the order of the items. Stops early if `consume` fails.
pub(crate) fn in_order<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
    mut consume: impl FnMut(&T, R) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let work = |item| {
        let _core = Core::of_a_job();
        (item, work(item))
    };
    Workers::new(jobs).apart().ahead(AHEAD).ordered(items, work, |(item, result)| consume(item, result))
}

/// Returns the results of two functions, which run at the same time unless `asked` is one job.
pub(crate) fn both<A: Send, B: Send>(
    asked: Option<usize>,
    first: impl Fn() -> A + Sync,
    second: impl Fn() -> B + Sync,
) -> Result<(A, B), Failure> {
    let (mut a, mut b) = (None, None);
    let work = |is_first: &bool| match is_first {
        true => (Some(first()), None),
        false => (None, Some(second())),
    };
    in_order(&[true, false], jobs(asked, 2)?, work, |_, (one, other)| {
        (a, b) = (a.take().or(one), b.take().or(other));
        Ok(())
    })?;
    Ok((a.expect("it was an item"), b.expect("it was an item")))
}

/// The number of items in a group, at most `most`: few enough that all threads have work until the end.
pub(crate) fn group_len(items: usize, jobs: usize, most: usize) -> usize {
    (items / (4 * jobs)).clamp(1, most)
}

/// Divides items into groups of at most `longest` neighbors for which `together` returns true. All other items are
/// groups of one.
pub(crate) fn groups<T>(items: &[T], longest: usize, together: impl Fn(&T, &T) -> bool) -> Vec<&[T]> {
    items.chunk_by(together).flat_map(|run| run.chunks(longest)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell_work::refuse_threads;

    /// Other tests may be running at the same time.
    #[test]
    fn helpers_have_cores_that_are_free_and_a_refusal_frees_none() {
        let cores = threads(0);
        let _job = Core::of_a_job();
        let helpers: Vec<Core> = (0..100 * cores).map_while(|_| Core::if_free()).collect();
        assert!(helpers.len() < cores, "{} beside a job, of {cores}", helpers.len());
        let jobs: Vec<Core> = (0..cores).map(|_| Core::of_a_job()).collect();
        assert!((0..100).all(|_| Core::if_free().is_none()));
        drop((jobs, helpers));
    }

    /// Results are in order even if the system refuses to start threads.
    #[test]
    fn results_come_in_order_with_their_items() {
        let items: Vec<u64> = (0..200).collect();
        for (jobs, allowed) in [(1, 9), (2, 9), (7, 9), (7, 1), (7, 0)] {
            let mut got = Vec::new();
            let consume = |n: &u64, square| {
                got.push((*n, square));
                Ok(())
            };
            refuse_threads(allowed, || in_order(&items, jobs, |n| n * n, consume)).unwrap();
            assert!(got.iter().zip(&items).all(|(g, n)| *g == (*n, n * n)) && got.len() == items.len());
        }
    }

    #[test]
    fn both_results_come_whether_there_are_threads_or_not() {
        for (asked, allowed) in [(None, 9), (Some(1), 9), (Some(2), 0)] {
            let both = refuse_threads(allowed, || both(asked, || 1, || "two")).unwrap();
            assert_eq!(both, (1, "two"));
        }
        assert!(both(Some(0), || 1, || 2).is_err());
    }

    #[test]
    fn a_failing_consumer_stops_the_work() {
        let items: Vec<u64> = (0..10_000).collect();
        let done = AtomicUsize::new(0);
        let work = |_: &u64| {
            // Sleep long enough that the consumer runs well before all items are done.
            std::thread::sleep(std::time::Duration::from_micros(200));
            done.fetch_add(1, Ordering::Relaxed)
        };
        let result = in_order(&items, 2, work, |_, _| Err(Failure::Work("full".to_owned())));
        assert!(result.is_err());
        assert!(done.load(Ordering::Relaxed) < items.len());
    }
}
