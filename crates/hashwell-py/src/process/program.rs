//! Programs: generator functions that yield terms and receive the draws.

use super::faults::{Fault, Numbered, number, short};
use super::term::{Step, Term, as_object};
use crate::boundary::errors::exception;
use hashwell_draw::process::{Flow, Outcome};
use pyo3::exceptions::{PyAttributeError, PyMemoryError, PyStopIteration};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::iterator::PySendResult;
use pyo3::types::{PyDict, PyIterator, PyTuple};
use std::cell::RefCell;
use std::hash::{Hash, Hasher};

/// A generator function and its arguments.
pub(crate) struct Program {
    pub(crate) function: Py<PyAny>,
    pub(crate) args: Py<PyTuple>,
    pub(crate) kwargs: Option<Py<PyDict>>,
}

impl Program {
    fn generator<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyIterator>, Fault> {
        let kwargs = self.kwargs.as_ref().map(|kwargs| kwargs.bind(py));
        let made = self.function.bind(py).call(self.args.bind(py), kwargs)?;
        made.cast_into::<PyIterator>().map_err(|error| no_generator(&error.into_inner()))
    }
}

#[cold]
fn no_generator(made: &Bound<'_, PyAny>) -> Fault {
    Fault::wrong(format!(
        "a program must be a generator function (with yield), but it returned {}",
        short(made)
    ))
}

/// The result of a step of a program: a term, or the outcome.
type Said<'py> = Result<Flow<Bound<'py, Term>, Bound<'py, PyAny>>, Fault>;

/// Converts the result of sending a value to a generator.
fn said<'py>(result: PyResult<PySendResult<'py>>) -> Said<'py> {
    match result? {
        PySendResult::Next(yielded) => match yielded.cast_into_exact::<Term>() {
            Ok(term) => Ok(Flow::More(term)),
            Err(error) => Err(not_a_term(&error.into_inner())),
        },
        PySendResult::Return(out) => Ok(Flow::Done(out)),
    }
}

#[cold]
fn not_a_term(yielded: &Bound<'_, PyAny>) -> Fault {
    let yielded_step = if yielded.is_instance_of::<Step>() { " without a continuation" } else { "" };
    let text =
        format!("a program must yield terms{yielded_step}, such as bernoulli(0.5), not {}", short(yielded));
    Fault::wrong(text)
}

/// Consecutive runs of a program. Each run starts a new generator.
pub(crate) struct Runs<'a, 'py> {
    py: Python<'py>,
    program: &'a Program,
    generator: RefCell<Option<Bound<'py, PyIterator>>>,
}

impl<'a, 'py> Runs<'a, 'py> {
    pub(crate) fn new(py: Python<'py>, program: &'a Program) -> Self {
        Self { py, program, generator: RefCell::default() }
    }

    pub(crate) fn start(&self) -> Said<'py> {
        let generator = self.program.generator(self.py)?;
        *self.generator.borrow_mut() = Some(generator);
        self.send(&self.py.None().into_bound(self.py))
    }

    #[inline]
    pub(crate) fn next(&self, term: Bound<'py, Term>, draw: Outcome) -> Said<'py> {
        let value = as_object(self.py, &term.get().distribution(), draw)?;
        // The term is dropped before the program creates the next one, so that its object can be reused.
        drop(term);
        self.send(&value)
    }

    #[inline]
    fn send(&self, value: &Bound<'py, PyAny>) -> Said<'py> {
        let generator = self.generator.borrow();
        let generator = generator.as_ref().expect("start() made it");
        said(generator.send(value)).map_err(|fault| no_iterator(generator, fault))
    }

    /// Throws an error in a term into the program, so that the traceback contains the line that yielded the term.
    pub(crate) fn throw(&self, raised: PyErr) -> PyErr {
        let Some(generator) = self.generator.take() else { return raised };
        // An iterator that is not a generator has no `throw`.
        let Ok(throw) = generator.getattr(intern!(self.py, "throw")) else { return raised };
        match throw.call1((raised.value(self.py),)) {
            Err(thrown) if !thrown.is_instance_of::<PyStopIteration>(self.py) => thrown,
            // The program caught the error and continued or returned, which is not allowed.
            _ => raised,
        }
    }
}

/// An iterator that is not a generator cannot receive draws.
#[cold]
fn no_iterator(generator: &Bound<'_, PyIterator>, fault: Fault) -> Fault {
    let py = generator.py();
    match fault {
        Fault::Raised(error)
            if error.is_instance_of::<PyAttributeError>(py)
                && !generator.hasattr(intern!(py, "send")).unwrap_or(true) =>
        {
            no_generator(generator)
        }
        fault => fault,
    }
}

/// A program in the form of its paths, for enumerations. A state is the sequence of draws so far. Each state is reached
/// by a separate run from the beginning, because a generator cannot be copied.
pub(crate) struct Replays<'a, 'py> {
    runs: Runs<'a, 'py>,
    outcomes: Bound<'py, PyDict>,
}

/// The draws so far, and the next term.
pub(crate) struct Path<'py> {
    /// `None` if this copy could not be allocated.
    drawn: Option<Vec<Outcome>>,
    pub(crate) next: Bound<'py, Term>,
}

impl Path<'_> {
    /// Returns true if this is a copy for which there was no memory.
    pub(crate) fn lacks_memory(&self) -> bool {
        self.drawn.is_none()
    }
}

/// An enumeration copies every path. If a copy cannot be allocated, the enumeration must fail, but the process must not
/// abort. So a failed copy is marked instead.
impl Clone for Path<'_> {
    fn clone(&self) -> Self {
        let copied = |drawn: &Vec<Outcome>| {
            let mut copy = Vec::new();
            // Also reserves space for the next draw.
            copy.try_reserve_exact(drawn.len() + 1).ok()?;
            copy.extend_from_slice(drawn);
            Some(copy)
        };
        Self { drawn: self.drawn.as_ref().and_then(copied), next: self.next.clone() }
    }
}

impl PartialEq for Path<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.drawn == other.drawn
    }
}

/// Draws with a density are not enumerated.
impl Eq for Path<'_> {}

impl Hash for Path<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for draw in self.drawn.iter().flatten() {
            match draw {
                Outcome::Index(index) => index.hash(state),
                Outcome::Real(real) => real.to_bits().hash(state),
                Outcome::Nothing => u64::MAX.hash(state),
            }
        }
    }
}

impl<'a, 'py> Replays<'a, 'py> {
    pub(crate) fn new(py: Python<'py>, program: &'a Program) -> Self {
        Self { runs: Runs::new(py, program), outcomes: PyDict::new(py) }
    }

    pub(crate) fn start(&self) -> Result<Flow<Path<'py>, Numbered<'py>>, Fault> {
        self.flow(Vec::new(), self.runs.start()?)
    }

    pub(crate) fn next(
        &self,
        path: Path<'py>,
        draw: Outcome,
    ) -> Result<Flow<Path<'py>, Numbered<'py>>, Fault> {
        let mut drawn = path.drawn.unwrap_or_default();
        drawn
            .try_reserve(1)
            .map_err(|_| exception::<PyMemoryError>("not enough memory for the draws of a program"))?;
        drawn.push(draw);
        let mut flow = self.runs.start()?;
        for &draw in &drawn {
            flow = match flow {
                Flow::More(term) => self.runs.next(term, draw)?,
                Flow::Done(_) => {
                    let text = "a program must yield the same terms whenever its draws are the same";
                    return Err(Fault::wrong(text));
                }
            };
        }
        self.flow(drawn, flow)
    }

    fn flow(
        &self,
        drawn: Vec<Outcome>,
        flow: Flow<Bound<'py, Term>, Bound<'py, PyAny>>,
    ) -> Result<Flow<Path<'py>, Numbered<'py>>, Fault> {
        Ok(match flow {
            Flow::More(next) => Flow::More(Path { drawn: Some(drawn), next }),
            // No other code has access to the dictionary.
            Flow::Done(out) => Flow::Done(number(&self.outcomes, out, |_| {
                u32::try_from(self.outcomes.len())
                    .map_err(|_| Fault::wrong("a process can have at most 2**32 outcomes"))
            })?),
        })
    }
}
