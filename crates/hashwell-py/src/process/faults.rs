//! Errors in processes whose terms come from Python code, and numbered outcomes.

use crate::boundary::builtin;
use crate::boundary::errors::exception;
use hashwell_draw::Error;
use hashwell_draw::process::Distribution;
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::hash::{Hash, Hasher};

/// An error in the Python code of a process.
pub(crate) enum Fault {
    /// Python raised this exception.
    Raised(PyErr),
    /// A TypeError and its cause. The number of the step will be added to the error's text.
    Wrong(String, Option<PyErr>),
}

impl Fault {
    /// Returns a TypeError without a cause.
    pub(crate) fn wrong(text: impl Into<String>) -> Self {
        Fault::Wrong(text.into(), None)
    }
}

impl From<PyErr> for Fault {
    fn from(error: PyErr) -> Self {
        Fault::Raised(error)
    }
}

/// The number of terms between two checks for signals.
const LOOK_EVERY: u32 = 1 << 16;

/// Keeps the first error.
#[derive(Default)]
pub(crate) struct Faults {
    first: RefCell<Option<Fault>>,
    /// The number of terms since the last check for signals.
    terms: Cell<u32>,
}

impl Faults {
    #[cold]
    pub(crate) fn keep(&self, fault: Fault) {
        self.first.borrow_mut().get_or_insert(fault);
    }

    #[inline]
    pub(crate) fn has_any(&self) -> bool {
        self.first.borrow().is_some()
    }

    /// Counts a term, and lets Python handle signals from time to time. This is necessary because a process may run
    /// forever without Python code, or only in functions written in C, which do not check for signals.
    #[inline]
    pub(crate) fn look(&self, py: Python<'_>) -> Result<(), Fault> {
        let terms = self.terms.get() + 1;
        self.terms.set(if terms == LOOK_EVERY { 0 } else { terms });
        if terms == LOOK_EVERY { Ok(py.check_signals()?) } else { Ok(()) }
    }

    /// The distribution of a state with an error. It is invalid, so that the interpreter stops.
    #[cold]
    pub(crate) fn distribution(&self) -> Distribution<'static> {
        Distribution::NoMemory("a state with an error, which `take` returns")
    }

    /// Returns the kept error as an exception or, if there is none, the error of the interpreter. The second value is
    /// true if the error is in a term.
    pub(crate) fn take(&self, py: Python<'_>, error: Error) -> (PyErr, bool) {
        match self.first.borrow_mut().take() {
            Some(Fault::Raised(raised)) => (raised, false),
            Some(Fault::Wrong(text, cause)) => {
                let wrong = exception::<PyTypeError>(at_place(&error, text));
                wrong.set_cause(py, cause);
                (wrong, true)
            }
            None => (from_draw(error), true),
        }
    }
}

/// Adds the places at which an error was found to the error's text.
fn at_place(error: &Error, text: String) -> String {
    match error {
        Error::AtStep { step, reason } => format!("at step {step}: {}", at_place(reason, text)),
        Error::InReplicate { replicate, reason } => {
            format!("in replicate {replicate}: {}", at_place(reason, text))
        }
        _ => text,
    }
}

/// Converts an error of hashwell-draw: a failed allocation to a MemoryError, any other to a ValueError.
#[expect(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
pub(crate) fn from_draw(error: Error) -> PyErr {
    match error.innermost() {
        Error::Memory { .. } => exception::<PyMemoryError>(error.to_string()),
        _ => exception::<PyValueError>(error.to_string()),
    }
}

/// An outcome with its number. Outcomes that are equal in Python have the same number. If outcomes are never compared,
/// all have the number 0.
#[derive(Clone)]
pub(crate) struct Numbered<'py> {
    pub(crate) number: u32,
    pub(crate) object: Bound<'py, PyAny>,
}

impl PartialEq for Numbered<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for Numbered<'_> {}

impl Hash for Numbered<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

impl fmt::Debug for Numbered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match written(&self.object) {
            Some(text) => f.write_str(&text),
            None => write!(f, "outcome {}", self.number),
        }
    }
}

/// Returns the number of an outcome in a dictionary of the known ones, or a number from `fresh` if it is new. The
/// comparison runs Python code, so other threads may run meanwhile. If one of them adds the same outcome first, its
/// number is used, and the fresh one stays unused.
pub(crate) fn number<'py>(
    known: &Bound<'py, PyDict>,
    object: Bound<'py, PyAny>,
    fresh: impl FnOnce(&Bound<'py, PyAny>) -> Result<u32, Fault>,
) -> Result<Numbered<'py>, Fault> {
    check_hash(&object, "an outcome")?;
    let number = match known.get_item(&object)? {
        Some(number) => number.extract()?,
        None => known.call_method1("setdefault", (&object, fresh(&object)?))?.extract()?,
    };
    Ok(Numbered { number, object })
}

/// Checks that an object is hashable.
pub(crate) fn check_hash(object: &Bound<'_, PyAny>, what: &str) -> Result<(), Fault> {
    match object.hash() {
        Ok(_) => Ok(()),
        Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => {
            let hint = if object.is_instance_of::<pyo3::types::PyList>() { ": use a tuple" } else { "" };
            let text = format!("{what} must be hashable, but {} is not{hint}", short(object));
            Err(Fault::Wrong(text, Some(error)))
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the repr of an object, or `None` if `repr` raises an exception. If Python has no memory for the repr, this
/// function unwinds, so that the call raises a MemoryError and no other error replaces it.
fn written(object: &Bound<'_, PyAny>) -> Option<String> {
    match object.repr() {
        Ok(repr) => Some(repr.to_string()),
        Err(error) if error.is_instance_of::<PyMemoryError>(object.py()) => builtin::unwind_for_memory(),
        Err(_) => None,
    }
}

/// Formats an object for the text of an error.
pub(crate) fn short(object: &Bound<'_, PyAny>) -> String {
    const MOST: usize = 60;
    let text = written(object).unwrap_or_else(|| "an object".to_owned());
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
