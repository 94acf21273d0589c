//! Starts threads, which the system may refuse because of a limit on processes (`RLIMIT_NPROC`, a container's limit) or
//! on memory (`RLIMIT_AS`). All functions here continue with the threads that they get, which may be only the caller's
//! thread.

use std::cell::Cell;
use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError};
use std::{hint, io, panic, thread};

/// The number of free bytes that a new thread needs for its stack, and for allocations before our code runs. The C
/// library and the standard library end the process if those allocations fail. glibc never takes an allocation of this
/// size from its heap, so such an allocation shows how much memory the system has left.
const THREAD: usize = 33 << 20;

/// Checks that the system has this many bytes of memory left.
///
/// # Errors
/// Returns [`io::ErrorKind::OutOfMemory`] if it hasn't.
pub fn room(bytes: usize) -> io::Result<()> {
    let mut room = Vec::<u8>::new();
    room.try_reserve_exact(bytes).map_err(|_| io::ErrorKind::OutOfMemory)?;
    // Keeps the compiler from removing an allocation that is never used.
    hint::black_box(room.as_ptr());
    Ok(())
}

/// Returns the number of threads for work that requests `wanted` threads. 0 means as many as the system can run at the
/// same time.
#[must_use]
pub fn threads(wanted: usize) -> usize {
    if wanted == 0 { thread::available_parallelism().map_or(1, NonZero::get) } else { wanted }
}

thread_local! {
    /// The number of threads that this thread may still start; `None` for no limit.
    static ALLOWED: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Runs `work`, which may start at most `allowed` threads; all others are refused. For the tests of all crates.
#[doc(hidden)]
pub fn refuse_threads<R>(allowed: usize, work: impl FnOnce() -> R) -> R {
    struct Before(Option<usize>);
    impl Drop for Before {
        fn drop(&mut self) {
            ALLOWED.set(self.0);
        }
    }
    let _before = Before(ALLOWED.replace(Some(allowed)));
    work()
}

/// Returns true if a thread may be started.
fn may_start() -> bool {
    let allowed = match ALLOWED.get() {
        Some(0) => false,
        Some(left) => {
            ALLOWED.set(Some(left - 1));
            true
        }
        None => true,
    };
    allowed && !cfg!(target_family = "wasm") && room(THREAD).is_ok()
}

/// Work that is passed to a thread, and can be taken back if the system refuses to start the thread.
struct Slot<F>(Arc<Mutex<Option<F>>>);

impl<F> Slot<F> {
    fn new(work: F) -> (Self, Self) {
        let slot = Arc::new(Mutex::new(Some(work)));
        (Self(Arc::clone(&slot)), Self(slot))
    }

    fn take(self) -> F {
        let work = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        work.expect("either the thread runs the work or the caller gets it back")
    }
}

fn builder() -> thread::Builder {
    thread::Builder::new().name("hashwell".into())
}

/// Starts a thread that the caller doesn't wait for.
///
/// # Errors
/// Returns `work` if the system refuses to start the thread.
pub fn spawn<F: FnOnce() + Send + 'static>(work: F) -> Result<(), F> {
    spawn_with(work, |work| work()).map(drop)
}

/// Starts a thread that calls `run`, and returns a handle to wait for it.
///
/// # Errors
/// Returns `work` if the system refuses to start the thread.
pub(crate) fn spawn_with<W: Send + 'static>(work: W, run: fn(W)) -> Result<thread::JoinHandle<()>, W> {
    if !may_start() {
        return Err(work);
    }
    let (ours, theirs) = Slot::new(work);
    builder().spawn(move || run(theirs.take())).map_err(|_| ours.take())
}

/// Runs `work` with a scope in which it can start threads that borrow data. Returns when all these threads have ended.
pub fn scope<'env, R>(work: impl for<'scope> FnOnce(Scope<'scope, 'env>) -> R) -> R {
    thread::scope(|scope| work(Scope(scope)))
}

/// Starts threads, which end before the call of [`scope()`] does.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'scope, 'env>(&'scope thread::Scope<'scope, 'env>);

impl<'scope> Scope<'scope, '_> {
    /// Starts a thread.
    ///
    /// # Errors
    /// Returns `work` if the system refuses to start the thread, so that the caller can run it.
    pub fn start<T, F>(self, work: F) -> Result<Worker<'scope, T>, F>
    where
        T: Send + 'scope,
        F: FnOnce() -> T + Send + 'scope,
    {
        if !may_start() {
            return Err(work);
        }
        let (ours, theirs) = Slot::new(work);
        builder().spawn_scoped(self.0, move || theirs.take()()).map(Worker).map_err(|_| ours.take())
    }
}

/// A thread of a [`Scope`].
#[derive(Debug)]
pub struct Worker<'scope, T>(thread::ScopedJoinHandle<'scope, T>);

impl<T> Worker<'_, T> {
    /// Waits for the thread and returns its result.
    ///
    /// # Panics
    /// Panics with the thread's panic.
    #[must_use]
    pub fn join(self) -> T {
        self.0.join().unwrap_or_else(|payload| panic::resume_unwind(payload))
    }
}

/// Runs two functions in parallel, the second one on a separate thread if the system allows it, and returns both
/// results.
///
/// # Panics
/// Panics if one of the functions does.
pub fn both<A, B: Send>(first: impl FnOnce() -> A, second: impl FnOnce() -> B + Send) -> (A, B) {
    scope(|scope| match scope.start(second) {
        Ok(second) => {
            let first = first();
            (first, second.join())
        }
        Err(second) => (first(), second()),
    })
}

/// Runs `work` on the caller's thread and on up to `threads - 1` others. Returns all results, with the caller's first.
/// `work` takes its items from a queue, so that fewer threads can do the same work.
///
/// # Panics
/// Panics if `work` does.
pub fn together<R: Send>(threads: usize, work: impl Fn() -> R + Sync) -> Vec<R> {
    scope(|scope| {
        let started: Vec<_> = (1..threads).map_while(|_| scope.start(&work).ok()).collect();
        let own = work();
        [own].into_iter().chain(started.into_iter().map(Worker::join)).collect()
    })
}

/// Runs `job` on every piece, each on a separate thread, and returns the results in the pieces' order. The caller's
/// thread runs the last piece and those for which the system refuses a thread.
///
/// # Panics
/// Panics if `job` does.
pub fn each<P: Send, R: Send>(pieces: Vec<P>, job: impl Fn(P) -> R + Sync) -> Vec<R> {
    let slots: Vec<_> = pieces.into_iter().map(|piece| Mutex::new((Some(piece), None))).collect();
    let slot = |i: usize| slots[i].lock().expect("nothing panics while it has the lock");
    run_each(slots.len(), &|i| {
        let piece = slot(i).0.take();
        let result = job(piece.expect("each piece is taken once"));
        slot(i).1 = Some(result);
    });
    let result = |slot: Mutex<(Option<P>, Option<R>)>| slot.into_inner().ok()?.1;
    slots.into_iter().map(|slot| result(slot).expect("each piece was done")).collect()
}

/// Runs the jobs with the numbers 0 to `jobs` - 1. The function isn't generic, because the code for starting threads is
/// large.
fn run_each(jobs: usize, job: &(dyn Fn(usize) + Sync)) {
    scope(|scope| {
        let start = |i: usize| (i + 1 < jobs).then(|| scope.start(move || job(i)).ok()).flatten();
        let started: Vec<_> = (0..jobs).map(start).collect();
        (0..jobs).filter(|i| started[*i].is_none()).for_each(job);
        started.into_iter().flatten().for_each(Worker::join);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    #[test]
    fn refused_work_comes_back() {
        let text = String::from("work");
        let work = refuse_threads(0, || spawn(move || assert_eq!(text, "work")).unwrap_err());
        work();
        refuse_threads(1, || {
            scope(|scope| {
                assert_eq!(scope.start(|| 1).ok().map(Worker::join), Some(1));
                let back = scope.start(|| 2).unwrap_err();
                assert_eq!(back(), 2);
            });
        });
        assert_eq!(room(usize::MAX >> 1).unwrap_err().kind(), io::ErrorKind::OutOfMemory);
    }

    #[test]
    fn all_work_is_done_whatever_the_system_refuses() {
        for allowed in 0..6 {
            refuse_threads(allowed, || {
                assert_eq!(both(|| 1, || 2), (1, 2));
            });
            refuse_threads(allowed, || {
                assert_eq!(each((0..5).collect(), |n| n * n), [0, 1, 4, 9, 16]);
            });
            refuse_threads(allowed, || {
                let next = AtomicUsize::new(0);
                let take = || {
                    std::iter::from_fn(|| Some(next.fetch_add(1, Relaxed))).take_while(|n| *n < 50).count()
                };
                let taken = together(4, take);
                assert_eq!((taken.len(), taken.iter().sum::<usize>()), (4.min(allowed + 1), 50));
            });
        }
    }

    #[test]
    fn nothing_to_do_is_done() {
        assert_eq!(each(Vec::<u8>::new(), |n| n), []);
        assert_eq!(together(0, || 7), [7]);
    }

    #[test]
    fn panics_reach_the_caller() {
        let panics = |n: u8| {
            if n == 1 {
                panic!("piece {n}")
            }
        };
        for allowed in [0, 5] {
            let calls: [&dyn Fn(); 3] = [
                &|| drop(each(vec![0, 1, 2], panics)),
                &|| assert_eq!(both(|| (), || panics(1)), ((), ())),
                &|| drop(together(3, || panics(1))),
            ];
            for call in calls {
                let payload = catch_unwind(AssertUnwindSafe(|| refuse_threads(allowed, call))).unwrap_err();
                assert_eq!(payload.downcast_ref::<String>().unwrap(), "piece 1");
            }
        }
    }

    #[test]
    fn the_number_of_threads() {
        assert_eq!(threads(3), 3);
        assert!(threads(0) >= 1);
    }
}
