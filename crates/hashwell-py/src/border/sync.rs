//! The lock of every object, and the two rules of long work: when other Python threads may run, and when
//! signals are looked for.
//!
//! Work that takes long goes in pieces, and every 50 ms it attaches between two of them and lets Python run
//! what a signal asks for. If that raises (`KeyboardInterrupt`, after Ctrl-C), the call ends there: what the
//! pieces before did to an object stays done, so that a message holds a part of what was to be appended, and a
//! stream stands behind bytes that nobody got.

use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::iter;
use std::mem;
use std::ops::{Deref, DerefMut};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// Bytes of work from which a call detaches from the interpreter. hashlib's limit: letting go and coming
/// back costs 25 to 60 ns, one to five percent of hashing this much.
const DETACH_AT: usize = 2048;

/// Bytes of work between two looks at the clock: a few milliseconds of the slowest algorithm.
const PIECE: usize = 1 << 20;

/// From one look for signals to the next. Attaching to a busy interpreter may take 5 ms.
pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(50);

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
    run_looking(py, |pace| {
        pieces.into_iter().try_for_each(|piece| {
            f(piece);
            pace.look()
        })
    })
}

/// Runs `f`, which looks for signals now and then.
pub(crate) fn run_looking<R: Send>(
    py: Python<'_>,
    f: impl FnOnce(&mut Pace) -> PyResult<R> + Send,
) -> PyResult<R> {
    py.detach(|| f(&mut Pace::new()))
}

/// When to look for signals.
pub(crate) struct Pace(Instant);

impl Pace {
    pub(crate) fn new() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn is_due(&self) -> bool {
        self.0.elapsed() >= LOOK_EVERY
    }

    /// Lets Python handle signals if it is time to, and gives what a handler raises. No lock that a handler may
    /// want is held meanwhile.
    pub(crate) fn look(&mut self) -> PyResult<()> {
        if !self.is_due() {
            return Ok(());
        }
        // An interpreter that is being shut down runs no handlers.
        let looked = Python::try_attach(|py| py.check_signals()).unwrap_or(Ok(()));
        *self = Self::new();
        looked
    }
}

/// State that threads share. One call at a time sees it, so that each is atomic, as with hashlib.
///
/// Whoever waits for the lock is detached while waiting, and whoever detached for a long piece of work
/// lets go of the lock before attaching again: lock and interpreter cannot wait for each other. A call that
/// lets go in the midst of its work leaves its thread's name, so that other threads go on waiting, and a
/// signal's handler, which runs in the same thread, does not: it sees the state between two pieces.
pub(crate) struct Shared<T> {
    slot: Mutex<Slot<T>>,
    /// Told when a long call ends.
    ended: Condvar,
}

struct Slot<T> {
    state: T,
    /// The thread in a long call.
    busy: Option<ThreadId>,
}

const HALF_DONE: &str = "no earlier call on this object failed midway";

impl<T: Send> Shared<T> {
    pub(crate) fn new(state: T) -> Self {
        Self { slot: Mutex::new(Slot { state, busy: None }), ended: Condvar::new() }
    }

    /// Runs `f` on the state; it hashes about `work` bytes and calls no Python.
    ///
    /// # Panics
    /// If an earlier `f` panicked: the state may be half updated, and a wrong digest is worse.
    #[inline]
    pub(crate) fn with<R: Send>(&self, py: Python<'_>, work: usize, f: impl FnOnce(&mut T) -> R + Send) -> R {
        if work < DETACH_AT {
            let mut slot = self.slot.lock_py_attached(py).expect(HALF_DONE);
            if slot.busy.is_none() {
                return f(&mut slot.state);
            }
        }
        py.detach(|| f(&mut self.lock().state))
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
        py.detach(|| {
            let mut slot = self.lock();
            let before = slot.busy.replace(thread::current().id());
            f(&mut Turn { shared: self, slot: Some(slot), before, pace: Pace::new() })
        })
    }

    /// Waits until no other thread's call is going on. Called detached.
    fn lock(&self) -> MutexGuard<'_, Slot<T>> {
        let me = thread::current().id();
        let slot = self.slot.lock().expect(HALF_DONE);
        let waited = self.ended.wait_while(slot, |slot| slot.busy.is_some_and(|thread| thread != me));
        waited.expect(HALF_DONE)
    }
}

/// The state in a long call.
pub(crate) struct Turn<'a, T: Send> {
    shared: &'a Shared<T>,
    /// Let go of while looking for signals only.
    slot: Option<MutexGuard<'a, Slot<T>>>,
    /// `busy` as this call found it: this thread, if a handler calls inside of a long call.
    before: Option<ThreadId>,
    pace: Pace,
}

const HELD: &str = "held but while looking for signals";

impl<T: Send> Turn<'_, T> {
    /// As [`Pace::look`]. The state may be another afterwards.
    pub(crate) fn look(&mut self) -> PyResult<()> {
        if !self.pace.is_due() {
            return Ok(());
        }
        self.slot = None;
        let looked = self.pace.look();
        self.slot = Some(self.shared.lock());
        looked
    }
}

impl<T: Send> Deref for Turn<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.slot.as_ref().expect(HELD).state
    }
}

impl<T: Send> DerefMut for Turn<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.slot.as_mut().expect(HELD).state
    }
}

impl<T: Send> Drop for Turn<'_, T> {
    fn drop(&mut self) {
        if let Some(slot) = &mut self.slot {
            slot.busy = mem::take(&mut self.before);
        }
        self.slot = None;
        self.shared.ended.notify_all();
    }
}
