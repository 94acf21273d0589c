//! Parallel maps over items. The results are passed to the caller's thread.
//!
//! ```text
//! items --claim--> thread 1 --work--\
//!      \---claim--> thread 2 --work---+--> results, a bounded number ahead --> caller: takes them, checks its watch
//! ```

use crate::start::{scope, threads};
use crate::watch::{Stopped, Watch};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The maximum time after which the caller checks its watch again.
const LOOK: Duration = Duration::from_millis(20);

/// Maps items in parallel.
///
/// The caller's thread is one of the threads: it takes the results, and works on items while there is no result to
/// take. If the system refuses to start other threads, the caller's thread does all the work.
///
/// # Examples
/// ```
/// use hashwell_work::{Stopped, Workers};
///
/// let mut squares = Vec::new();
/// Workers::new(4).ordered(0..100_u64, |n| n * n, |square| {
///     squares.push(square);
///     Ok::<_, Stopped>(())
/// })?;
/// assert_eq!(squares, (0..100).map(|n| n * n).collect::<Vec<_>>());
/// # Ok::<(), Stopped>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Workers<'w> {
    threads: usize,
    ahead: usize,
    /// True if the caller's thread only takes results.
    apart: bool,
    watch: &'w Watch<'w>,
}

impl<'w> Workers<'w> {
    /// Returns workers for this number of threads. 0 means as many as the system can run at the same time.
    #[must_use]
    pub fn new(wanted: usize) -> Self {
        let threads = threads(wanted);
        Self { threads, ahead: threads.saturating_mul(4), apart: false, watch: Watch::never() }
    }

    /// Sets the number of items (at least one) that may be in progress or done before the caller takes the first of
    /// them. The default is four for each thread.
    #[must_use]
    pub fn ahead(mut self, items: usize) -> Self {
        self.ahead = items.max(1);
        self
    }

    /// Keeps the caller's thread free to take results immediately, even if an item takes long. All threads are started
    /// in addition to the caller's thread, unless the number of threads is 1.
    #[must_use]
    pub fn apart(self) -> Self {
        Self { apart: true, ..self }
    }

    /// Sets the watch. The caller's thread checks it between results and while it waits, and all threads check it
    /// before each item. `work` may check it as well.
    #[must_use]
    pub fn watch(self, watch: &'w Watch<'w>) -> Self {
        Self { watch, ..self }
    }

    /// Calls `work` on every item. Passes the results to `take` on the caller's thread, in the order of the items,
    /// while other items are worked on. Stops at the first error of `take`. If the watch stops the work, `take` still
    /// gets the results of the items that were begun.
    ///
    /// # Errors
    /// Returns the error of `take`, or [`Stopped`] if the watch stopped the work.
    ///
    /// # Panics
    /// Panics if `work`, `take` or the iterator does.
    pub fn ordered<T: Send, R: Send, E: From<Stopped>>(
        &self,
        items: impl IntoIterator<Item = T, IntoIter: Send>,
        work: impl Fn(T) -> R + Sync,
        take: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        self.run(items.into_iter(), true, work, take)
    }

    /// Does the same as [`Workers::ordered`], but passes results in the order in which they are completed.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Workers::ordered`].
    ///
    /// # Panics
    /// Panics in the same cases as [`Workers::ordered`].
    pub fn unordered<T: Send, R: Send, E: From<Stopped>>(
        &self,
        items: impl IntoIterator<Item = T, IntoIter: Send>,
        work: impl Fn(T) -> R + Sync,
        take: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        self.run(items.into_iter(), false, work, take)
    }

    fn run<I: Iterator + Send, R: Send, E: From<Stopped>>(
        &self,
        items: I,
        ordered: bool,
        work: impl Fn(I::Item) -> R + Sync,
        mut take: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        let threads = self.threads.min(items.size_hint().1.unwrap_or(usize::MAX));
        if threads <= 1 || cfg!(target_family = "wasm") {
            return self.here(items, work, take);
        }
        let queue = Queue {
            state: Mutex::new(State {
                items: Some(items),
                claimed: 0,
                taken: 0,
                ready: VecDeque::new(),
                working: 0,
            }),
            ordered,
            helps: !self.apart,
            ahead: self.ahead as u64,
            done: Condvar::new(),
            space: Condvar::new(),
        };
        let result = scope(|scope| {
            let start = |_: &usize| {
                queue.lock().working += 1;
                let worker = || queue.work(self.watch, &work);
                let started = scope.start(worker).is_ok();
                if !started {
                    queue.lock().working -= 1;
                }
                started
            };
            if (usize::from(!self.apart)..threads).take_while(start).count() == 0 {
                let items = queue.lock().items.take();
                return items.map_or(Ok(()), |items| self.here(items, &work, &mut take));
            }
            // Threads that wait for space end when the caller does, even if `take` panics.
            let _close = Close(&queue);
            queue.take(self.watch, &work, &mut take)
        });
        // A panic is propagated even if the work was stopped before its result was due.
        let state = queue.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(payload) = state.ready.into_iter().flatten().find_map(Result::err) {
            resume_unwind(payload);
        }
        result
    }

    /// Does all work on the caller's thread.
    fn here<I: Iterator, R, E: From<Stopped>>(
        &self,
        items: I,
        work: impl Fn(I::Item) -> R,
        mut take: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        for item in items {
            self.watch.look()?;
            take(work(item))?;
        }
        self.watch.look().map_err(E::from)
    }
}

struct Queue<I, R> {
    state: Mutex<State<I, R>>,
    ordered: bool,
    /// True if the caller's thread works too.
    helps: bool,
    ahead: u64,
    /// Notified when a result is ready, or when a thread ends.
    done: Condvar,
    /// Notified when a result was taken, or when no item is left.
    space: Condvar,
}

struct State<I, R> {
    /// The items that no thread has claimed. `None` after the last one, and when the work stops.
    items: Option<I>,
    claimed: u64,
    taken: u64,
    /// The results to take. If they are ordered, every claimed item has a place here.
    ready: VecDeque<Option<thread::Result<R>>>,
    /// The number of threads that have not ended.
    working: usize,
}

impl<I: Iterator, R> Queue<I, R> {
    fn lock(&self) -> MutexGuard<'_, State<I, R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_full(&self, state: &State<I, R>) -> bool {
        state.claimed - state.taken >= self.ahead
    }

    /// Claims the next item, and returns it with its number, if there is space for its result.
    fn claim(&self, state: &mut State<I, R>, watch: &Watch<'_>) -> Option<(u64, I::Item)> {
        if watch.stopped().is_some() {
            state.items = None;
        }
        if self.is_full(state) {
            return None;
        }
        // The iterator is taken out, so that it is not called again if it panics.
        let mut items = state.items.take()?;
        let item = items.next()?;
        state.items = Some(items);
        let number = state.claimed;
        state.claimed += 1;
        if self.ordered {
            state.ready.push_back(None);
        }
        Some((number, item))
    }

    /// Does the same as [`Queue::claim`], but waits for space.
    fn wait_and_claim(&self, watch: &Watch<'_>) -> Option<(u64, I::Item)> {
        let mut state = self.lock();
        while state.items.is_some() && self.is_full(&state) {
            state = self.space.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        self.claim(&mut state, watch)
    }

    fn put(&self, number: u64, result: thread::Result<R>) {
        let mut state = self.lock();
        if self.ordered {
            let place = (number - state.taken) as usize;
            state.ready[place] = Some(result);
        } else {
            state.ready.push_back(Some(result));
        }
    }

    /// Works on items until none is left.
    fn work(&self, watch: &Watch<'_>, work: &(impl Fn(I::Item) -> R + Sync)) {
        let _end = End(self);
        while let Some((number, item)) = self.wait_and_claim(watch) {
            self.put(number, catch_unwind(AssertUnwindSafe(|| work(item))));
            self.done.notify_one();
        }
    }

    /// Takes results until all threads have ended, or there is an error.
    fn take<E: From<Stopped>>(
        &self,
        watch: &Watch<'_>,
        work: &impl Fn(I::Item) -> R,
        take: &mut impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut stopped = Ok(());
        loop {
            let mut state = self.lock();
            let result = match state.ready.front() {
                Some(Some(_)) => state.ready.pop_front().flatten(),
                _ => None,
            };
            if let Some(result) = result {
                state.taken += 1;
                drop(state);
                self.space.notify_one();
                take(result.unwrap_or_else(|payload| resume_unwind(payload)))?;
            } else if let Some((number, item)) = self.helps.then(|| self.claim(&mut state, watch)).flatten() {
                drop(state);
                self.put(number, Ok(work(item)));
            } else if state.working == 0 {
                break;
            } else if watch.asks() {
                drop(self.done.wait_timeout(state, LOOK));
            } else {
                drop(self.done.wait(state));
            }
            if stopped.is_ok() {
                stopped = watch.look();
                if stopped.is_err() {
                    self.close();
                }
            }
        }
        stopped.and_then(|()| watch.look()).map_err(E::from)
    }

    /// Prevents all threads from claiming more items.
    fn close(&self) {
        self.lock().items = None;
        self.space.notify_all();
    }
}

struct Close<'q, I: Iterator, R>(&'q Queue<I, R>);

impl<I: Iterator, R> Drop for Close<'_, I, R> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Notifies the others that a thread has ended, because no item is left or because the iterator panicked.
struct End<'q, I: Iterator, R>(&'q Queue<I, R>);

impl<I: Iterator, R> Drop for End<'_, I, R> {
    fn drop(&mut self) {
        self.0.lock().working -= 1;
        self.0.space.notify_all();
        self.0.done.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::start::refuse_threads;
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

    /// The numbers of threads that the tests may start: none, one, and as many as requested.
    const ALLOWED: [usize; 3] = [0, 1, 9];

    fn pause(n: u64) {
        thread::sleep(Duration::from_micros(if n.is_multiple_of(7) { 500 } else { 0 }));
    }

    #[test]
    fn results_come_in_order_whatever_is_done_first() {
        for (threads, allowed) in
            [1, 2, 7].into_iter().flat_map(|threads| ALLOWED.map(|allowed| (threads, allowed)))
        {
            for (ahead, apart) in [(1, false), (3, false), (1000, false), (1, true), (1000, true)] {
                let mut got = Vec::new();
                let square = |n: u64| {
                    pause(n);
                    n * n
                };
                let workers = Workers::new(threads).ahead(ahead);
                let workers = if apart { workers.apart() } else { workers };
                refuse_threads(allowed, || {
                    workers.ordered(0..200, square, |square| {
                        got.push(square);
                        Ok::<_, Stopped>(())
                    })
                })
                .unwrap();
                assert!(got.iter().copied().eq((0..200).map(|n| n * n)), "{threads} {allowed} {ahead}");
            }
        }
    }

    #[test]
    fn unordered_results_are_all_there() {
        for allowed in ALLOWED {
            let mut got = Vec::new();
            refuse_threads(allowed, || {
                Workers::new(3).unordered(
                    0..200,
                    |n: u64| n,
                    |n| {
                        got.push(n);
                        Ok::<_, Stopped>(())
                    },
                )
            })
            .unwrap();
            got.sort_unstable();
            assert!(got.into_iter().eq(0..200));
        }
    }

    #[derive(Debug, PartialEq)]
    enum Failure {
        Full,
        Stopped(Stopped),
    }

    impl From<Stopped> for Failure {
        fn from(stopped: Stopped) -> Self {
            Failure::Stopped(stopped)
        }
    }

    /// After an error, threads that wait for space also end.
    #[test]
    fn the_first_error_stops_the_work() {
        for allowed in ALLOWED {
            let done = AtomicUsize::new(0);
            let work = |n: u64| {
                done.fetch_add(1, Relaxed);
                n
            };
            let take = |n| if n == 20 { Err(Failure::Full) } else { Ok(()) };
            let result = refuse_threads(allowed, || Workers::new(3).ahead(5).ordered(0..10_000, work, take));
            assert_eq!(result, Err(Failure::Full));
            assert!((21..=26).contains(&done.load(Relaxed)), "{done:?}");
        }
    }

    #[test]
    fn no_more_results_than_asked_for_wait_for_the_caller() {
        let (made, taken) = (AtomicU64::new(0), AtomicU64::new(0));
        let most = AtomicU64::new(0);
        let work = |_: u64| {
            let waiting = made.fetch_add(1, Relaxed) + 1 - taken.load(Relaxed);
            most.fetch_max(waiting, Relaxed);
        };
        let take = |()| {
            pause(0);
            taken.fetch_add(1, Relaxed);
            Ok::<_, Stopped>(())
        };
        Workers::new(4).ahead(6).ordered(0..100, work, take).unwrap();
        // An item that was popped may not have been counted yet.
        assert!(most.load(Relaxed) <= 7, "{most:?}");
    }

    #[test]
    fn a_watch_stops_the_work_and_what_was_begun_is_taken() {
        for allowed in ALLOWED {
            let done = AtomicU64::new(0);
            let ask =
                |_| if done.load(Relaxed) < 50 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
            let watch = Watch::new(&ask);
            let work = |n: u64| {
                done.fetch_add(1, Relaxed);
                pause(n);
                n
            };
            let mut next = 0;
            let result = refuse_threads(allowed, || {
                Workers::new(3).watch(&watch).ordered(0..1_000_000, work, |n| {
                    assert_eq!(n, next);
                    next += 1;
                    Ok(())
                })
            });
            assert_eq!(result, Err(Stopped::Cancelled));
            assert_eq!(next, done.load(Relaxed));
        }
    }

    /// The caller checks the watch even while an item takes long.
    #[test]
    fn the_caller_looks_while_it_waits() {
        let ask = |_| ControlFlow::Break(());
        let watch = Watch::new(&ask);
        let endless = |_: u64| {
            while watch.stopped().is_none() {
                thread::yield_now();
            }
        };
        let result = Workers::new(2).apart().watch(&watch).unordered(0..2, endless, |()| Ok(()));
        assert_eq!(result, Err(Stopped::Cancelled));
    }

    #[test]
    fn panics_reach_the_caller() {
        let panics = |at: u64| {
            move |n: u64| {
                if n == at {
                    panic!("item {n}")
                }
            }
        };
        for allowed in ALLOWED {
            let in_work = || Workers::new(3).ordered(0..50, panics(20), Ok::<_, Stopped>);
            let apart = || Workers::new(3).apart().ordered(0..50, panics(20), Ok::<_, Stopped>);
            let in_take = || {
                Workers::new(3).ahead(2).ordered(
                    0..50,
                    |n: u64| n,
                    |n| {
                        panics(20)(n);
                        Ok::<_, Stopped>(())
                    },
                )
            };
            for call in [&in_work as &dyn Fn() -> Result<(), Stopped>, &apart, &in_take] {
                let payload = catch_unwind(AssertUnwindSafe(|| refuse_threads(allowed, call))).unwrap_err();
                assert_eq!(payload.downcast_ref::<String>().unwrap(), "item 20");
            }
            let items = (0..50).inspect(|n| panics(20)(*n));
            let in_items = || Workers::new(3).ordered(items.clone(), drop, Ok::<_, Stopped>);
            assert!(catch_unwind(AssertUnwindSafe(|| refuse_threads(allowed, in_items))).is_err());
        }
    }
}
