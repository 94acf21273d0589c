//! Programs: generator functions that yield terms and are sent the draws.

use super::live::{Fault, Faults, Live, Numbered, number, short};
use super::term::{Step, Term, as_object};
use hashwell_draw::Error;
use hashwell_draw::process::{Coalgebra, Draw, Flow, Law};
use pyo3::exceptions::PyStopIteration;
use pyo3::prelude::*;
use pyo3::types::iterator::PySendResult;
use pyo3::types::{PyDict, PyIterator, PyTuple};
use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};

/// A generator function and what it is called with.
pub(crate) struct Program {
    pub(crate) function: Py<PyAny>,
    pub(crate) args: Py<PyTuple>,
    pub(crate) kwargs: Option<Py<PyDict>>,
}

impl Program {
    fn generator<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyIterator>, Fault> {
        let kwargs = self.kwargs.as_ref().map(|kwargs| kwargs.bind(py));
        let made = self.function.bind(py).call(self.args.bind(py), kwargs)?;
        made.cast_into::<PyIterator>().map_err(|error| {
            let made = error.into_inner();
            Fault::Wrong(format!(
                "a program is a generator function: it must yield, not give {}",
                short(&made)
            ))
        })
    }
}

/// What a generator said after it was sent something.
fn said<'py>(
    result: PyResult<PySendResult<'py>>,
) -> Result<Flow<Bound<'py, Term>, Bound<'py, PyAny>>, Fault> {
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
    let text = format!("a program yields terms{yielded_step}, as bernoulli(0.5), not {}", short(yielded));
    Fault::Wrong(text)
}

/// One run after another of a program: each starts a new generator.
pub(crate) struct Runs<'a, 'py> {
    py: Python<'py>,
    program: &'a Program,
    generator: RefCell<Option<Bound<'py, PyIterator>>>,
    faults: Faults,
}

impl<'a, 'py> Runs<'a, 'py> {
    pub(crate) fn new(py: Python<'py>, program: &'a Program) -> Self {
        Self { py, program, generator: RefCell::default(), faults: Faults::default() }
    }

    #[inline]
    fn flow(
        &self,
        said: Result<Flow<Bound<'py, Term>, Bound<'py, PyAny>>, Fault>,
    ) -> Flow<Option<Bound<'py, Term>>, Bound<'py, PyAny>> {
        match said {
            Ok(Flow::More(term)) => Flow::More(Some(term)),
            Ok(Flow::Done(out)) => Flow::Done(out),
            Err(fault) => {
                self.faults.keep(fault);
                Flow::More(None)
            }
        }
    }

    #[inline]
    fn send(&self, value: &Bound<'py, PyAny>) -> Result<Flow<Bound<'py, Term>, Bound<'py, PyAny>>, Fault> {
        let generator = self.generator.borrow();
        said(generator.as_ref().expect("start() made it").send(value))
    }
}

impl<'py> Coalgebra for Runs<'_, 'py> {
    /// The term that was yielded; none, if that went wrong.
    type State = Option<Bound<'py, Term>>;
    type Out = Bound<'py, PyAny>;

    fn start(&self) -> Flow<Self::State, Self::Out> {
        self.flow(self.program.generator(self.py).and_then(|generator| {
            *self.generator.borrow_mut() = Some(generator);
            self.send(&self.py.None().into_bound(self.py))
        }))
    }

    #[inline]
    fn law<'a>(&'a self, term: &'a Self::State) -> Law<'a> {
        match term {
            Some(term) => term.get().law(),
            None => self.faults.law(),
        }
    }

    #[inline]
    fn next(&self, term: Self::State, draw: Draw) -> Flow<Self::State, Self::Out> {
        let Some(term) = term else { return Flow::More(None) };
        let value = as_object(self.py, &term.get().law(), draw);
        // Terms are let go of before the program goes on, which makes the next one.
        drop(term);
        let value = self.faults.look(self.py).and_then(|()| Ok(value?));
        self.flow(value.and_then(|value| self.send(&value)))
    }
}

impl<'py> Live<'py> for Runs<'_, 'py> {
    fn object(&self, out: Self::Out) -> Bound<'py, PyAny> {
        out
    }

    fn faults(&self) -> &Faults {
        &self.faults
    }

    /// A fault of a term is thrown into the program, so that the traceback has the line that yielded it.
    fn raise(&self, error: Error) -> PyErr {
        let (raised, of_term) = self.faults.take(error);
        let Some(generator) = self.generator.take().filter(|_| of_term) else { return raised };
        match generator.call_method1("throw", (raised.value(self.py),)) {
            Err(thrown) if !thrown.is_instance_of::<PyStopIteration>(self.py) => thrown,
            // It caught the fault, and went on or returned, as it must not.
            _ => raised,
        }
    }
}

/// A program by its paths, for enumerations: a state is what was drawn so far, and each is reached by a run of its own
/// from the beginning, as a generator cannot be copied.
pub(crate) struct Replays<'a, 'py> {
    runs: Runs<'a, 'py>,
    outcomes: Bound<'py, PyDict>,
    /// Numbers of outcomes that are given away.
    numbers: Cell<u32>,
}

/// What was drawn so far, and the term that comes next.
#[derive(Clone)]
pub(crate) struct Path<'py> {
    drawn: Vec<Draw>,
    next: Option<Bound<'py, Term>>,
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
        for draw in &self.drawn {
            match draw {
                Draw::Index(index) => index.hash(state),
                Draw::Real(real) => real.to_bits().hash(state),
                Draw::Nothing => u64::MAX.hash(state),
            }
        }
    }
}

impl<'a, 'py> Replays<'a, 'py> {
    pub(crate) fn new(py: Python<'py>, program: &'a Program) -> Self {
        Self { runs: Runs::new(py, program), outcomes: PyDict::new(py), numbers: Cell::new(0) }
    }

    fn fresh(&self) -> Result<u32, Fault> {
        let number = self.numbers.get();
        self.numbers.set(number.checked_add(1).ok_or_else(|| Fault::Wrong("too many outcomes".into()))?);
        Ok(number)
    }

    fn flow(
        &self,
        drawn: Vec<Draw>,
        flow: Flow<Option<Bound<'py, Term>>, Bound<'py, PyAny>>,
    ) -> Flow<Path<'py>, Numbered<'py>> {
        match flow {
            Flow::More(next) => Flow::More(Path { drawn, next }),
            Flow::Done(out) => match number(&self.outcomes, out, |_| self.fresh()) {
                Ok(out) => Flow::Done(out),
                Err(fault) => {
                    self.runs.faults.keep(fault);
                    Flow::More(Path { drawn, next: None })
                }
            },
        }
    }
}

impl<'py> Coalgebra for Replays<'_, 'py> {
    type State = Path<'py>;
    type Out = Numbered<'py>;

    fn start(&self) -> Flow<Path<'py>, Numbered<'py>> {
        self.flow(Vec::new(), self.runs.start())
    }

    fn law<'a>(&'a self, path: &'a Path<'py>) -> Law<'a> {
        self.runs.law(&path.next)
    }

    fn next(&self, mut path: Path<'py>, draw: Draw) -> Flow<Path<'py>, Numbered<'py>> {
        if self.runs.faults.has_any() {
            return Flow::More(Path { drawn: path.drawn, next: None });
        }
        path.drawn.push(draw);
        let mut flow = self.runs.start();
        for &draw in &path.drawn {
            match flow {
                Flow::More(term) => flow = self.runs.next(term, draw),
                Flow::Done(_) => {
                    let text = "a program must yield the same terms whenever its draws are the same";
                    self.runs.faults.keep(Fault::Wrong(text.into()));
                    return Flow::More(Path { drawn: path.drawn, next: None });
                }
            }
        }
        self.flow(path.drawn, flow)
    }
}

impl<'py> Live<'py> for Replays<'_, 'py> {
    fn object(&self, out: Numbered<'py>) -> Bound<'py, PyAny> {
        out.object
    }

    fn faults(&self) -> &Faults {
        &self.runs.faults
    }

    fn raise(&self, error: Error) -> PyErr {
        // The generator at hand is not the one that yielded the term.
        self.runs.generator.take();
        self.runs.raise(error)
    }
}
