//! Many replicates, and long work without the interpreter.

use super::faults::from_draw;
use super::seed::Origin;
use hashwell_draw::{Error, Watch};
use pyo3::prelude::*;
use std::ops::{ControlFlow, Range};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The time between two checks for signals. Attaching to a busy interpreter may take 5 ms.
pub(crate) const CHECK_EVERY: Duration = Duration::from_millis(50);

/// Replicates to simulate.
pub(crate) struct Many {
    pub(crate) origin: Origin,
    pub(crate) replicates: Range<u64>,
    pub(crate) threads: usize,
    /// The maximum number of terms of each replicate.
    pub(crate) terms: u64,
    /// The Python function that is called with the number of finished replicates and the total number.
    pub(crate) progress: Option<Py<PyAny>>,
}

impl Many {
    pub(crate) fn len(&self) -> u64 {
        self.replicates.end - self.replicates.start
    }

    pub(crate) fn replicates(&self) -> Range<u64> {
        self.replicates.clone()
    }

    /// Reports the number of finished replicates.
    pub(crate) fn tell(&self, py: Python<'_>, done: u64) -> PyResult<()> {
        self.progress
            .as_ref()
            .map_or(Ok(()), |progress| progress.bind(py).call1((done, self.len())).map(drop))
    }
}

/// Runs `work` without the interpreter. The watch that `work` gets lets Python handle signals every 50 ms, and calls
/// `tell` with the number of steps done. If a signal handler or `tell` raises, the work stops and the exception is
/// returned.
pub(crate) fn detached<R: Send>(
    py: Python<'_>,
    tell: impl Fn(Python<'_>, u64) -> PyResult<()> + Sync + Send,
    work: impl FnOnce(&Watch<'_>) -> Result<R, Error> + Send,
) -> PyResult<R> {
    let raised = Mutex::new(None);
    let ask = |done| {
        let told = |py: Python<'_>| py.check_signals().and_then(|()| tell(py, done));
        // An interpreter that is being shut down runs no handlers.
        match Python::try_attach(told).unwrap_or(Ok(())) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                *raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                ControlFlow::Break(())
            }
        }
    };
    let done = py.detach(|| work(&Watch::new(&ask).every(CHECK_EVERY)));
    let raised = raised.into_inner().unwrap_or_else(PoisonError::into_inner);
    raised.map_or_else(|| done.map_err(from_draw), Err)
}

/// Like [`detached`], without progress.
pub(crate) fn interruptible<R: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Watch<'_>) -> Result<R, Error> + Send,
) -> PyResult<R> {
    detached(py, |_, _| Ok(()), work)
}
