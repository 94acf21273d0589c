//! Who watches long work on rows.

use crate::border::errors::exception;
use crate::border::sync::Pace;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyBool;

/// Looks for signals while rows are read, and tells how many were.
///
/// Python's own loops over rows have one, too: it is no public name.
#[pyclass(module = "hashwell._native")]
pub(crate) struct Watch {
    pace: Pace,
    done: u64,
    told: Option<Py<PyAny>>,
}

impl Watch {
    /// Rows so far.
    pub(crate) fn done(&self) -> u64 {
        self.done
    }

    /// Between two pieces of other work.
    pub(crate) fn look(&mut self) -> PyResult<()> {
        if self.pace.is_due() {
            self.tell(false)?;
        }
        self.pace.look()
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
    /// Of the argument `progress`: None, a callable that gets the number of rows, or True for a line on stderr.
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
                    "progress is a callable that gets the number of rows, or True, not '{}'",
                    told.get_type().name()?
                )));
            }
            told => told.map(|told| told.clone().unbind()),
        };
        Ok(Self { pace: Pace::new(), done: 0, told })
    }

    /// So many rows more were read.
    pub(crate) fn step(&mut self, rows: usize) -> PyResult<()> {
        self.done += rows as u64;
        self.look()
    }

    /// All were read.
    pub(crate) fn end(&self) -> PyResult<()> {
        self.tell(true)
    }
}
