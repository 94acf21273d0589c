//! The lock of every object, and the one rule for when other Python threads may run.

use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::sync::Mutex;

/// Bytes of work from which a call detaches from the interpreter. hashlib's limit: letting go and coming
/// back costs 25 to 60 ns, one to five percent of hashing this much.
const DETACH_AT: usize = 2048;

/// Runs `f`, which hashes about `work` bytes and calls no Python.
#[inline]
pub(crate) fn run<R: Send>(py: Python<'_>, work: usize, f: impl FnOnce() -> R + Send) -> R {
    if work < DETACH_AT { f() } else { py.detach(f) }
}

/// State that threads share. One call at a time sees it, so that each is atomic, as with hashlib.
///
/// Whoever waits for the lock is detached while waiting, and whoever detached for a long piece of work
/// lets go of the lock before attaching again: lock and interpreter cannot wait for each other.
pub(crate) struct Shared<T>(Mutex<T>);

impl<T: Send> Shared<T> {
    pub(crate) fn new(state: T) -> Self {
        Self(Mutex::new(state))
    }

    /// Runs `f` on the state; it hashes about `work` bytes and calls no Python.
    ///
    /// # Panics
    /// If an earlier `f` panicked: the state may be half updated, and a wrong digest is worse.
    #[inline]
    pub(crate) fn with<R: Send>(&self, py: Python<'_>, work: usize, f: impl FnOnce(&mut T) -> R + Send) -> R {
        const HALF_DONE: &str = "no earlier call on this object failed midway";
        if work < DETACH_AT {
            f(&mut self.0.lock_py_attached(py).expect(HALF_DONE))
        } else {
            py.detach(|| f(&mut self.0.lock().expect(HALF_DONE)))
        }
    }
}
