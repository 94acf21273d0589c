//! What goes wrong in processes whose next term Python says, and outcomes with numbers.

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

/// What went wrong.
pub(crate) enum Fault {
    /// Python raised it.
    Raised(PyErr),
    /// A TypeError, to which the number of the step is added, and what it comes of.
    Wrong(String, Option<PyErr>),
}

impl Fault {
    /// A TypeError without a cause.
    pub(crate) fn wrong(text: impl Into<String>) -> Self {
        Fault::Wrong(text.into(), None)
    }
}

impl From<PyErr> for Fault {
    fn from(error: PyErr) -> Self {
        Fault::Raised(error)
    }
}

/// Terms between two looks for signals.
const LOOK_EVERY: u32 = 1 << 16;

/// Where the first thing that went wrong is kept.
#[derive(Default)]
pub(crate) struct Faults {
    first: RefCell<Option<Fault>>,
    /// Terms since signals were looked for.
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

    /// Lets Python handle signals now and then, a term later: a process may go on for ever in functions written in C,
    /// which do not look for any, or without asking Python for anything.
    #[inline]
    pub(crate) fn look(&self, py: Python<'_>) -> Result<(), Fault> {
        let terms = self.terms.get() + 1;
        self.terms.set(if terms == LOOK_EVERY { 0 } else { terms });
        if terms == LOOK_EVERY { Ok(py.check_signals()?) } else { Ok(()) }
    }

    /// The law of a state that is wrong.
    #[cold]
    pub(crate) fn distribution(&self) -> Distribution<'static> {
        Distribution::NoMemory("this: the fault that is kept tells it")
    }

    /// What is kept as an exception, or the interpreter's own error; and whether it is of a term.
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

/// A text with the places that an error was found at.
fn at_place(error: &Error, text: String) -> String {
    match error {
        Error::AtStep { step, reason } => format!("at step {step}: {}", at_place(reason, text)),
        Error::InReplicate { replicate, reason } => {
            format!("in replicate {replicate}: {}", at_place(reason, text))
        }
        _ => text,
    }
}

/// The draw layer's errors: what memory does not hold is a MemoryError, all else a ValueError.
#[expect(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
pub(crate) fn from_draw(error: Error) -> PyErr {
    match error.innermost() {
        Error::Memory { .. } => exception::<PyMemoryError>(error.to_string()),
        _ => exception::<PyValueError>(error.to_string()),
    }
}

/// An outcome with its number; equal ones, as Python has it, have one number. Where none are compared all have 0.
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

/// The number of an outcome in a dictionary of those known so far: one of `fresh`, if it is new. Comparing runs Python,
/// and other threads meanwhile: if one of them was quicker, its number is the outcome's, and the fresh one nobody's.
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

/// That an object can be a key.
pub(crate) fn check_hash(object: &Bound<'_, PyAny>, what: &str) -> Result<(), Fault> {
    match object.hash() {
        Ok(_) => Ok(()),
        Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => {
            let hint = if object.is_instance_of::<pyo3::types::PyList>() { ": a tuple is" } else { "" };
            let text = format!("{what} must be hashable, which {} is not{hint}", short(object));
            Err(Fault::Wrong(text, Some(error)))
        }
        Err(error) => Err(error.into()),
    }
}

/// The text of an object, if it can be written. Where memory is refused there is no other in its place.
fn written(object: &Bound<'_, PyAny>) -> Option<String> {
    match object.repr() {
        Ok(repr) => Some(repr.to_string()),
        Err(error) if error.is_instance_of::<PyMemoryError>(object.py()) => builtin::unwind_for_memory(),
        Err(_) => None,
    }
}

/// An object in an error's text.
pub(crate) fn short(object: &Bound<'_, PyAny>) -> String {
    const MOST: usize = 60;
    let text = written(object).unwrap_or_else(|| "an object".to_owned());
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
