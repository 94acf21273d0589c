//! The lock of every object, and the rules for long work: when other Python threads may run, and when signals are
//! checked.
//!
//! Long work is done in pieces. Every 50 ms, it attaches to the interpreter between two pieces and lets Python run
//! signal handlers. If a handler raises an exception (`KeyboardInterrupt` after Ctrl-C), the call ends, but the effects
//! of the completed pieces remain: a hash object may have absorbed a part of the input, and a stream may have moved
//! past bytes that were never returned.
#![allow(unsafe_code)]

use crate::boundary::watch::{look, signals};
use hashwell_work::Watch;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::cell::UnsafeCell;
use std::iter;
use std::marker::PhantomData;
use std::mem;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread::{self, ThreadId};

/// The number of bytes of work from which a call detaches from the interpreter. It is hashlib's limit. Detaching and
/// attaching again takes 25 to 60 ns, which is one to five percent of the time for hashing this many bytes.
const DETACH_AT: usize = 2048;

/// The number of bytes of work between two checks of the clock: a few milliseconds for the slowest algorithm.
const PIECE: usize = 1 << 20;

/// Runs `f`, which hashes about `work` bytes and does not call Python.
#[inline]
pub(crate) fn run<R: Send>(py: Python<'_>, work: usize, f: impl FnOnce() -> R + Send) -> R {
    if work < DETACH_AT { f() } else { py.detach(f) }
}

/// Returns true if work on this number of bytes is done in pieces.
pub(crate) fn is_long(work: usize) -> bool {
    work > PIECE
}

/// Divides data into pieces. There is at least one, which may be empty.
pub(crate) fn pieces(data: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (first, rest) = data.split_at(data.len().min(PIECE));
    iter::once(first).chain(rest.chunks(PIECE))
}

/// Like [`pieces`], for memory to be filled.
pub(crate) fn pieces_mut(data: &mut [u8]) -> impl Iterator<Item = &mut [u8]> {
    let (first, rest) = data.split_at_mut(data.len().min(PIECE));
    iter::once(first).chain(rest.chunks_mut(PIECE))
}

/// Runs `f`, which does not call Python, on each piece of `work` bytes, and checks for signals between the pieces.
#[inline]
pub(crate) fn run_pieces<P>(
    py: Python<'_>,
    work: usize,
    pieces: impl Iterator<Item = P> + Send,
    mut f: impl FnMut(P) + Send,
) -> PyResult<()> {
    if !is_long(work) {
        run(py, work, || pieces.for_each(f));
        return Ok(());
    }
    run_looking(py, |watch| {
        pieces.into_iter().try_for_each(|piece| {
            f(piece);
            look(watch)
        })
    })
}

/// Runs `f`, which checks for signals from time to time.
pub(crate) fn run_looking<R: Send>(
    py: Python<'_>,
    f: impl FnOnce(&Watch<'_>) -> PyResult<R> + Send,
) -> PyResult<R> {
    py.detach(|| f(&signals()))
}

/// State that threads share. Only one call at a time can access it, so each call is atomic, as with hashlib.
///
/// A thread that waits for the lock is detached from the interpreter, and a thread that detached for long work releases
/// the lock before it attaches again. So the lock and the interpreter cannot deadlock. A call that releases the lock in
/// the middle of its work stores its thread's ID: other threads keep waiting, but a signal handler, which runs in the
/// same thread, does not. It sees the state between two pieces.
///
/// If the interpreter has a global lock, a short call takes no other lock. It would need the lock below only if there
/// are detached calls, and taking the lock would cost a tenth of the time for appending 32 bytes.
pub(crate) struct Shared<T> {
    /// The number of calls that access the state with the lock `turn`, or [`HERE`]. A call counts from the moment
    /// before it detaches until it has attached again.
    detached: AtomicUsize,
    /// The lock of detached calls, with the ID of the thread of a long call.
    turn: Mutex<Option<ThreadId>>,
    /// Notified when a long call ends.
    ended: Condvar,
    state: UnsafeCell<T>,
}

/// The value of `detached` while a short call accesses the state under the interpreter's lock, and after such a call
/// has panicked.
const HERE: usize = usize::MAX;

/// True if the interpreter has a global lock. Free-threaded builds, where attached threads run in parallel, have larger
/// object heads.
const GLOBAL_LOCK: bool = size_of::<ffi::PyObject>() == 2 * size_of::<usize>();

const HALF_DONE: &str = "no earlier call on this object failed midway";

// SAFETY: a shared object grants access to its state only through `attached` and `Held`, to one call at a time; see the
// comments there. The state is passed between threads, so it must be `Send`, as for a `Mutex`.
unsafe impl<T: Send> Sync for Shared<T> {}

impl<T: Send> Shared<T> {
    pub(crate) fn new(state: T) -> Self {
        Self {
            detached: AtomicUsize::new(0),
            turn: Mutex::new(None),
            ended: Condvar::new(),
            state: UnsafeCell::new(state),
        }
    }

    /// Runs `f` on the state; it hashes about `work` bytes and does not call Python.
    ///
    /// # Panics
    /// Panics if an earlier `f` panicked: the state may be partially updated, and a wrong digest would be worse than a
    /// panic.
    #[inline]
    pub(crate) fn with<R: Send>(&self, py: Python<'_>, work: usize, f: impl FnOnce(&mut T) -> R + Send) -> R {
        let f = if work < DETACH_AT {
            match self.attached(py, f) {
                Ok(result) => return result,
                Err(f) => f,
            }
        } else {
            f
        };
        self.detach(py, || f(&mut self.lock()))
    }

    /// Runs `f`, which does not call Python, on the state and each piece of `work` bytes, and checks for signals
    /// between the pieces.
    ///
    /// # Panics
    /// Panics in the same cases as [`Shared::with`].
    #[inline]
    pub(crate) fn with_pieces<P>(
        &self,
        py: Python<'_>,
        work: usize,
        mut pieces: impl Iterator<Item = P> + Send,
        mut f: impl FnMut(&mut T, P) -> PyResult<()> + Send,
    ) -> PyResult<()> {
        if !is_long(work) {
            return self.with(py, work, |state| pieces.try_for_each(|piece| f(state, piece)));
        }
        self.with_turn(py, |turn| {
            pieces.try_for_each(|piece| {
                f(turn, piece)?;
                turn.look()
            })
        })
    }

    /// Runs `f`, which does not call Python, on the state. `f` checks for signals from time to time.
    ///
    /// # Panics
    /// Panics in the same cases as [`Shared::with`].
    pub(crate) fn with_turn<R: Send>(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&mut Turn<'_, T>) -> PyResult<R> + Send,
    ) -> PyResult<R> {
        self.detach(py, || {
            let mut held = self.lock();
            let before = held.turn.replace(thread::current().id());
            f(&mut Turn { shared: self, held: Some(held), before, watch: signals() })
        })
    }

    /// Runs `f` on the state without detaching. If a detached call may access the state, returns `f` instead of running
    /// it.
    #[inline]
    fn attached<R, F: FnOnce(&mut T) -> R>(&self, py: Python<'_>, f: F) -> Result<R, F> {
        if !GLOBAL_LOCK {
            let held = self.turn.lock_py_attached(py).expect(HALF_DONE);
            return if held.is_none() { Ok(f(&mut Held::new(held, self))) } else { Err(f) };
        }
        match self.detached.load(Relaxed) {
            0 => self.detached.store(HERE, Relaxed),
            calls => {
                assert_ne!(calls, HERE, "{HALF_DONE}");
                return Err(f);
            }
        }
        // SAFETY: only attached threads read and write `detached`, so the interpreter's lock serializes these accesses.
        // `detached` was 0, so no call has access with `turn`, and no other call is in this function. It stays `HERE`
        // until `f` returns, or forever if `f` panics. If `f` called Python and Python ran another thread, a call of
        // that thread would panic, here or in `detach`, before it could access the state.
        let result = f(unsafe { &mut *self.state.get() });
        self.detached.store(0, Relaxed);
        Ok(result)
    }

    /// Detaches from the interpreter and runs `f`, which may take `turn` to access the state.
    fn detach<R: Send>(&self, py: Python<'_>, f: impl FnOnce() -> R + Send) -> R {
        assert_ne!(self.detached.load(Relaxed), HERE, "{HALF_DONE}");
        self.detached.fetch_add(1, Relaxed);
        let result = py.detach(f);
        self.detached.fetch_sub(1, Relaxed);
        result
    }

    /// Waits until no call of another thread is running. Must be called inside [`Shared::detach`].
    fn lock(&self) -> Held<'_, T> {
        let me = thread::current().id();
        let turn = self.turn.lock().expect(HALF_DONE);
        let waited = self.ended.wait_while(turn, |busy| busy.is_some_and(|thread| thread != me));
        Held::new(waited.expect(HALF_DONE), self)
    }
}

/// Access to the state, with the lock of detached calls.
struct Held<'a, T> {
    turn: MutexGuard<'a, Option<ThreadId>>,
    shared: &'a Shared<T>,
    /// The type of the reference that `Held` provides, which determines if `Held` is `Send` and `Sync`.
    state: PhantomData<&'a mut T>,
}

impl<'a, T> Held<'a, T> {
    fn new(turn: MutexGuard<'a, Option<ThreadId>>, shared: &'a Shared<T>) -> Self {
        Self { turn, shared, state: PhantomData }
    }
}

impl<T> Deref for Held<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: `turn` is locked, so no other `Held` exists. If the interpreter has a global lock, no short call has
        // access either: a holder of `turn` is counted in `detached`. The holder was counted while no short call was
        // running, and the count prevents new short calls.
        unsafe { &*self.shared.state.get() }
    }
}

impl<T> DerefMut for Held<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the same reasons as in `deref` apply, and `self` is borrowed mutably for as long as this reference
        // lives.
        unsafe { &mut *self.shared.state.get() }
    }
}

/// Access to the state in a long call.
pub(crate) struct Turn<'a, T: Send> {
    shared: &'a Shared<T>,
    /// `None` only during a check for signals.
    held: Option<Held<'a, T>>,
    /// The thread of the long call that was in progress when this call started. It is this thread if a signal handler
    /// makes a call during a long call.
    before: Option<ThreadId>,
    watch: Watch<'static>,
}

const HELD: &str = "held but while looking for signals";

impl<T: Send> Turn<'_, T> {
    /// Lets Python handle signals if it is time to. The state may have changed afterwards.
    pub(crate) fn look(&mut self) -> PyResult<()> {
        if !self.watch.is_due() {
            return Ok(());
        }
        self.held = None;
        let looked = look(&self.watch);
        self.held = Some(self.shared.lock());
        looked
    }
}

impl<T: Send> Deref for Turn<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.held.as_ref().expect(HELD)
    }
}

impl<T: Send> DerefMut for Turn<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.held.as_mut().expect(HELD)
    }
}

impl<T: Send> Drop for Turn<'_, T> {
    fn drop(&mut self) {
        if let Some(held) = &mut self.held {
            *held.turn = mem::take(&mut self.before);
        }
        self.held = None;
        self.shared.ended.notify_all();
    }
}
