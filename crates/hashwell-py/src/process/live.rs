//! What all processes have in common whose next term Python says: faults, and outcomes with numbers.

use hashwell_draw::Error;
use hashwell_draw::process::{Coalgebra, Law};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::cell::RefCell;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A process whose next term Python says. What goes wrong in Python while an interpreter runs is kept in it until the
/// interpreter is back: to the interpreter it is a law that cannot be drawn.
pub(crate) trait Live<'py>: Coalgebra {
    /// What came of it, as an object.
    fn object(&self, out: Self::Out) -> Bound<'py, PyAny>;

    /// An interpreter's error as Python's: what Python raised unchanged, else a ValueError at the step.
    fn raise(&self, error: Error) -> PyErr;
}

/// What went wrong.
pub(crate) enum Fault {
    /// Python raised it.
    Raised(PyErr),
    /// A TypeError, to which the number of the step is added.
    Wrong(String),
}

impl From<PyErr> for Fault {
    fn from(error: PyErr) -> Self {
        Fault::Raised(error)
    }
}

/// Where the first thing that went wrong is kept.
#[derive(Default)]
pub(crate) struct Faults(RefCell<Option<Fault>>);

impl Faults {
    #[cold]
    pub(crate) fn keep(&self, fault: Fault) {
        self.0.borrow_mut().get_or_insert(fault);
    }

    /// The law of a state that is wrong.
    #[cold]
    pub(crate) fn law(&self) -> Law<'static> {
        Law::Fail(Box::new(Error::Memory { what: "this: the fault that is kept tells it" }))
    }

    /// What is kept as an exception, or the interpreter's own error; and whether it is of a term.
    pub(crate) fn take(&self, error: Error) -> (PyErr, bool) {
        match self.0.borrow_mut().take() {
            Some(Fault::Raised(raised)) => (raised, false),
            Some(Fault::Wrong(text)) => (PyTypeError::new_err(at_place(&error, text)), true),
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
pub(crate) fn from_draw(error: Error) -> PyErr {
    match &error {
        Error::AtStep { reason, .. } | Error::InReplicate { reason, .. } => match **reason {
            Error::Memory { .. } => PyMemoryError::new_err(error.to_string()),
            _ => PyValueError::new_err(error.to_string()),
        },
        Error::Memory { .. } => PyMemoryError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// An outcome with its number; equal ones, as Python has it, have one number.
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
        match self.object.repr() {
            Ok(repr) => write!(f, "{repr}"),
            Err(_) => write!(f, "outcome {}", self.number),
        }
    }
}

/// The number of an outcome in a dictionary of those known so far: the next one, if it is new.
pub(crate) fn number<'py>(
    known: &Bound<'py, PyDict>,
    object: Bound<'py, PyAny>,
) -> Result<Numbered<'py>, Fault> {
    check_hash(&object, "an outcome")?;
    let number = match known.get_item(&object)? {
        Some(number) => number.extract()?,
        None => {
            let number = u32::try_from(known.len()).map_err(|_| Fault::Wrong("too many outcomes".into()))?;
            known.set_item(&object, number)?;
            number
        }
    };
    Ok(Numbered { number, object })
}

/// That an object can be a key.
pub(crate) fn check_hash(object: &Bound<'_, PyAny>, what: &str) -> Result<(), Fault> {
    match object.hash() {
        Ok(_) => Ok(()),
        Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => {
            let hint = if object.is_instance_of::<pyo3::types::PyList>() { ": a tuple is" } else { "" };
            Err(Fault::Wrong(format!("{what} must be hashable, which {} is not{hint}", short(object))))
        }
        Err(error) => Err(error.into()),
    }
}

/// An object in an error's text.
pub(crate) fn short(object: &Bound<'_, PyAny>) -> String {
    const MOST: usize = 60;
    let text = object.repr().map_or_else(|_| "an object".into(), |repr| repr.to_string());
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
