//! The lock of every object, and the two rules of long work: when other Python threads may run, and when
//! signals are looked for.
//!
//! Work that takes long goes in pieces, and every 50 ms it attaches between two of them and lets Python run
//! what a signal asks for. If that raises (`KeyboardInterrupt`, after Ctrl-C), the call ends there: what the
//! pieces before did to an object stays done, so that a message holds a part of what was to be appended, and a
//! stream stands behind bytes that nobody got.
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

/// Bytes of work from which a call detaches from the interpreter. hashlib's limit: letting go and coming
/// back costs 25 to 60 ns, one to five percent of hashing this much.
const DETACH_AT: usize = 2048;

/// Bytes of work between two looks at the clock: a few milliseconds of the slowest algorithm.
const PIECE: usize = 1 << 20;

/// Runs `f`, which hashes about `work` bytes and calls no Python.
#[inline]
pub(crate) fn run<R: Send>(py: Python<'_>, work: usize, f: impl FnOnce() -> R + Send) -> R {
    if work < DETACH_AT { f() } else { py.detach(f) }
}

/// Whether work of so many bytes goes in pieces.
pub(crate) fn is_long(work: usize) -> bool {
    work > PIECE
}

/// Data in pieces, of which there is one at least.
pub(crate) fn pieces(data: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (first, rest) = data.split_at(data.len().min(PIECE));
    iter::once(first).chain(rest.chunks(PIECE))
}

/// As [`pieces`], of memory to be filled.
pub(crate) fn pieces_mut(data: &mut [u8]) -> impl Iterator<Item = &mut [u8]> {
    let (first, rest) = data.split_at_mut(data.len().min(PIECE));
    iter::once(first).chain(rest.chunks_mut(PIECE))
}

/// Runs `f`, which calls no Python, on each of the pieces of `work` bytes, looking for signals between them.
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

/// Runs `f`, which looks for signals now and then.
pub(crate) fn run_looking<R: Send>(
    py: Python<'_>,
    f: impl FnOnce(&Watch<'_>) -> PyResult<R> + Send,
) -> PyResult<R> {
    py.detach(|| f(&signals()))
}

/// State that threads share. One call at a time sees it, so that each is atomic, as with hashlib.
///
/// Whoever waits for the lock is detached while waiting, and whoever detached for a long piece of work
/// lets go of the lock before attaching again: lock and interpreter cannot wait for each other. A call that
/// lets go in the midst of its work leaves its thread's name, so that other threads go on waiting, and a
/// signal's handler, which runs in the same thread, does not: it sees the state between two pieces.
///
/// A short call on an interpreter with a global lock takes no other: the lock below, which it needs only
/// against detached calls, would cost a tenth of appending 32 bytes.
pub(crate) struct Shared<T> {
    /// How many calls see the state under `turn`, each counted from before it detaches until it has attached
    /// again; or [`HERE`].
    detached: AtomicUsize,
    /// The lock of detached calls, and the thread in a long one.
    turn: Mutex<Option<ThreadId>>,
    /// Told when a long call ends.
    ended: Condvar,
    state: UnsafeCell<T>,
}

/// A short call sees the state under the interpreter's lock, or panicked while it did.
const HERE: usize = usize::MAX;

/// Whether the interpreter has a global lock. Free-threaded builds, where attached threads run side by side, have larger
/// heads of objects.
const GLOBAL_LOCK: bool = size_of::<ffi::PyObject>() == 2 * size_of::<usize>();

const HALF_DONE: &str = "no earlier call on this object failed midway";

// SAFETY: a shared object gives out its state by way of `attached` and `Held` alone, to one call at a time, as they say;
// threads pass it on, for which `Send` is what is needed, as of a `Mutex`.
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

    /// Runs `f` on the state; it hashes about `work` bytes and calls no Python.
    ///
    /// # Panics
    /// If an earlier `f` panicked: the state may be half updated, and a wrong digest is worse.
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

    /// Runs `f`, which calls no Python, on the state and each of the pieces of `work` bytes, looking for
    /// signals between them.
    ///
    /// # Panics
    /// As [`Shared::with`].
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

    /// Runs `f`, which calls no Python, on the state; it looks for signals now and then.
    ///
    /// # Panics
    /// As [`Shared::with`].
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

    /// Runs `f` on the state without detaching, or gives it back where a detached call may see the state.
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
        // SAFETY: `detached` is read and written by attached threads alone, so that the interpreter's lock orders them and
        // puts one behind the other. It was 0: no call is counted that sees the state under `turn`, and none is here. It is
        // `HERE` until `f` is done, for ever if it panics: should `f` call Python, and that run another thread, its call
        // panics, here or in `detach`, before it comes to the state.
        let result = f(unsafe { &mut *self.state.get() });
        self.detached.store(0, Relaxed);
        Ok(result)
    }

    /// Runs `f`, which may see the state under `turn`, without the interpreter.
    fn detach<R: Send>(&self, py: Python<'_>, f: impl FnOnce() -> R + Send) -> R {
        assert_ne!(self.detached.load(Relaxed), HERE, "{HALF_DONE}");
        self.detached.fetch_add(1, Relaxed);
        let result = py.detach(f);
        self.detached.fetch_sub(1, Relaxed);
        result
    }

    /// Waits until no other thread's call is going on. Called inside of [`Shared::detach`].
    fn lock(&self) -> Held<'_, T> {
        let me = thread::current().id();
        let turn = self.turn.lock().expect(HALF_DONE);
        let waited = self.ended.wait_while(turn, |busy| busy.is_some_and(|thread| thread != me));
        Held::new(waited.expect(HALF_DONE), self)
    }
}

/// The state, under the lock of detached calls.
struct Held<'a, T> {
    turn: MutexGuard<'a, Option<ThreadId>>,
    shared: &'a Shared<T>,
    /// What it gives, which decides who may share it.
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
        // SAFETY: `turn` is held, so that no other `Held` is there. Nor is a short call under the interpreter's lock, on one
        // that has it: whoever holds `turn` there is counted in `detached`, which keeps such calls from beginning, and
        // was counted while none was under way.
        unsafe { &*self.shared.state.get() }
    }
}

impl<T> DerefMut for Held<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and `self` is borrowed for as long as this reference lives.
        unsafe { &mut *self.shared.state.get() }
    }
}

/// The state in a long call.
pub(crate) struct Turn<'a, T: Send> {
    shared: &'a Shared<T>,
    /// Let go of while looking for signals only.
    held: Option<Held<'a, T>>,
    /// The thread in a long call as this one found it: this thread, if a handler calls inside of a long call.
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
