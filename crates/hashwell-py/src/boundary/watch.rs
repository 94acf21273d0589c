//! Signals and progress during long work.

use crate::boundary::errors::{self, exception};
use hashwell_work::{Stopped, Watch as Work};
use pyo3::exceptions::{PyKeyboardInterrupt, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyBool;
use std::cell::Cell;
use std::ops::ControlFlow;
use std::time::Duration;

/// The time between two checks for signals. Attaching to a busy interpreter may take 5 ms.
const CHECK_EVERY: Duration = Duration::from_millis(50);

thread_local! {
    /// The exception that stopped the work of this thread.
    static RAISED: Cell<Option<PyErr>> = const { Cell::new(None) };
}

/// Attaches to the interpreter and runs `tell`; an exception stops the work.
pub(crate) fn attached(tell: impl FnOnce(Python<'_>) -> PyResult<()>) -> ControlFlow<()> {
    // An interpreter that is being shut down runs no handlers.
    match Python::try_attach(tell).unwrap_or(Ok(())) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            RAISED.set(Some(error));
            ControlFlow::Break(())
        }
    }
}

/// Returns a watch that lets Python handle signals every 50 ms. The exception of a handler stops the work; [`raised`]
/// returns it. During a check, the work must not hold a lock that a handler may need.
pub(crate) fn signals() -> Work<'static> {
    RAISED.set(None);
    Work::new(&|_| attached(|py| py.check_signals())).every(CHECK_EVERY)
}

/// The exception that stopped the work.
pub(crate) fn raised(_: Stopped) -> PyErr {
    RAISED.take().unwrap_or_else(|| exception::<PyKeyboardInterrupt>("stopped"))
}

/// Checks the watch of [`signals`].
#[inline]
pub(crate) fn look(watch: &Work<'_>) -> PyResult<()> {
    watch.look().map_err(raised)
}

/// Runs long work of hashwell-draw without the interpreter. If a signal handler raises, as after Ctrl-C, the work ends and
/// its exception is returned.
pub(crate) fn run_draw<R: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<R, hashwell_draw::Error> + Send,
) -> PyResult<R> {
    py.detach(|| {
        let watch = signals();
        let result = hashwell_draw::interruptible(move || watch.look().is_ok(), work);
        // Work that continues after a stop, such as the rest of a verification, doesn't hide the exception.
        RAISED.take().map_or_else(|| result.map_err(errors::from_draw), Err)
    })
}

/// Checks for signals while rows are read, and reports the number of rows.
///
/// The Python code also uses it in its loops over rows.
#[pyclass(name = "_Watch", module = "hashwell._native")]
pub(crate) struct Watch {
    work: Work<'static>,
    done: u64,
    told: Option<Py<PyAny>>,
}

impl Watch {
    /// The number of rows so far.
    pub(crate) fn done(&self) -> u64 {
        self.done
    }

    /// Checks for signals and reports the progress, between two pieces of other work.
    pub(crate) fn look(&mut self) -> PyResult<()> {
        if self.work.is_due() {
            self.tell(false)?;
        }
        look(&self.work)
    }

    fn tell(&self, last: bool) -> PyResult<()> {
        let Some(told) = &self.told else { return Ok(()) };
        Python::try_attach(|py| {
            let ours = told
                .bind(py)
                .getattr_opt("__module__")?
                .is_some_and(|module| module.eq("hashwell._tables").unwrap_or(false));
            match ours {
                true => told.call1(py, (self.done, last)),
                false => told.call1(py, (self.done,)),
            }
        })
        .map_or(Ok(()), |told| told.map(drop))
    }
}

#[pymethods]
impl Watch {
    /// Reads the argument `progress`: None, a function of the number of rows, or True for a progress line on stderr.
    #[new]
    #[pyo3(signature = (progress=None))]
    pub(crate) fn new(progress: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let told = match progress {
            Some(told) if told.is_instance_of::<PyBool>() => match told.is_truthy()? {
                true => {
                    Some(told.py().import(intern!(told.py(), "hashwell._tables"))?.getattr("tell")?.unbind())
                }
                false => None,
            },
            Some(told) if !told.is_callable() => {
                return Err(exception::<PyTypeError>(format!(
                    "progress must be a function of the number of rows, or True, not '{}'",
                    told.get_type().name()?
                )));
            }
            told => told.map(|told| told.clone().unbind()),
        };
        Ok(Self { work: signals(), done: 0, told })
    }

    /// Reports that `rows` more rows were read.
    pub(crate) fn step(&mut self, rows: usize) -> PyResult<()> {
        self.done += rows as u64;
        self.look()
    }

    /// Reports that all rows were read.
    pub(crate) fn end(&self) -> PyResult<()> {
        self.tell(true)
    }
}
