//! Many files at a time, results in order.

use crate::system::report::Failure;
use hashwell::threads::{A_THREAD, room};
use std::collections::BTreeMap;
use std::io;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{LazyLock, mpsc};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Each job has a thread, with its buffer and stack.
const MOST_JOBS: usize = 1024;

/// How many files to read at a time: as asked, else one per core, but no more than there are.
pub(crate) fn jobs(asked: Option<usize>, items: usize) -> Result<usize, Failure> {
    match asked {
        Some(0) => Err(Failure::Usage("--jobs must be at least 1, not 0".to_owned())),
        Some(n) if n > MOST_JOBS => {
            Err(Failure::Usage(format!("--jobs must be at most {MOST_JOBS}, not {n}")))
        }
        Some(n) => Ok(n.min(items).max(1)),
        None => Ok(std::thread::available_parallelism().map_or(1, NonZero::get).min(items).max(1)),
    }
}

/// A core, for as long as a thread of ours is at work on it. Jobs have one each, whether there is one or not; helpers of
/// a job only one that is free, so that many large files at a time go side by side and not through each other.
pub(crate) struct Core(());

static BUSY: AtomicUsize = AtomicUsize::new(0);

impl Core {
    pub(crate) fn of_a_job() -> Self {
        BUSY.fetch_add(1, Ordering::Relaxed);
        Self(())
    }

    /// One that no thread of ours is at work on.
    pub(crate) fn if_free() -> Option<Self> {
        static CORES: LazyLock<usize> =
            LazyLock::new(|| std::thread::available_parallelism().map_or(1, NonZero::get));
        let more = |busy: usize| (busy < *CORES).then_some(busy + 1);
        BUSY.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok().map(|_| Self(()))
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        BUSY.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Starts a thread.
///
/// # Errors
/// If the system refuses it, or there is no memory for it.
pub(crate) fn start<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    room(A_THREAD)?;
    Builder::new().spawn_scoped(scope, work)
}

/// Runs `work` on every item, on `jobs` threads (none are started for one) or as many as the system allows, and
/// hands the results to `consume` in the items' order. Stops early when `consume` fails.
pub(crate) fn in_order<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
    mut consume: impl FnMut(&T, R) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        let start_worker = |_: &usize| {
            let (sender, next, stop, work) = (sender.clone(), &next, &stop, &work);
            let worker = move || {
                let _core = Core::of_a_job();
                while !stop.load(Ordering::Relaxed) {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(i) else { break };
                    if sender.send((i, work(item))).is_err() {
                        break;
                    }
                }
            };
            start(scope, worker).is_ok()
        };
        if jobs == 1 || (0..jobs).take_while(start_worker).count() == 0 {
            let _core = Core::of_a_job();
            return items.iter().try_for_each(|item| consume(item, work(item)));
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        for (i, result) in results {
            waiting.insert(i, result);
            while let Some(result) = waiting.remove(&due) {
                if let Err(failure) = consume(&items[due], result) {
                    stop.store(true, Ordering::Relaxed);
                    return Err(failure);
                }
                due += 1;
            }
        }
        Ok(())
    })
}

/// Items for one group, at most `most`: so few that all threads have work to the end.
pub(crate) fn group_len(items: usize, jobs: usize, most: usize) -> usize {
    (items / (4 * jobs)).clamp(1, most)
}

/// Neighbours that go `together`, at most `longest`; everything else alone.
pub(crate) fn groups<T>(items: &[T], longest: usize, together: impl Fn(&T, &T) -> bool) -> Vec<&[T]> {
    items.chunk_by(together).flat_map(|run| run.chunks(longest)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Other tests may be at work meanwhile.
    #[test]
    fn helpers_have_cores_that_are_free_and_a_refusal_frees_none() {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        let _job = Core::of_a_job();
        let helpers: Vec<Core> = (0..100 * cores).map_while(|_| Core::if_free()).collect();
        assert!(helpers.len() < cores, "{} beside a job, of {cores}", helpers.len());
        let jobs: Vec<Core> = (0..cores).map(|_| Core::of_a_job()).collect();
        assert!((0..100).all(|_| Core::if_free().is_none()));
        drop((jobs, helpers));
    }

    #[test]
    fn results_come_in_order_whatever_finishes_first() {
        let items: Vec<u64> = (0..200).collect();
        for jobs in [1, 2, 7] {
            let mut got = Vec::new();
            let slow_first = |n: &u64| {
                std::thread::sleep(std::time::Duration::from_micros(if n.is_multiple_of(7) {
                    500
                } else {
                    0
                }));
                n * n
            };
            in_order(&items, jobs, slow_first, |n, square| {
                got.push((*n, square));
                Ok(())
            })
            .unwrap();
            assert!(got.iter().zip(&items).all(|(g, n)| *g == (*n, n * n)) && got.len() == items.len());
        }
    }

    #[test]
    fn a_failing_consumer_stops_the_work() {
        let items: Vec<u64> = (0..10_000).collect();
        let done = AtomicUsize::new(0);
        let work = |_: &u64| {
            // Slow enough that the consumer has its say long before the items run out.
            std::thread::sleep(std::time::Duration::from_micros(200));
            done.fetch_add(1, Ordering::Relaxed)
        };
        let result = in_order(&items, 2, work, |_, _| Err(Failure::Work("full".to_owned())));
        assert!(result.is_err());
        assert!(done.load(Ordering::Relaxed) < items.len());
    }
}
