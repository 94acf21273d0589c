//! Coalgebras defined in Python: a step function maps a state to a term, and the continuation of the term maps each of
//! its draws to the next state, a further term or the outcome.

use super::faults::{Fault, check_hash, short};
use super::term::{Done, Step, Term};
use hashwell_draw::process::{Flow, Outcome};
use pyo3::prelude::*;

/// The recursion scheme, which determines the results that a continuation may return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    /// The next state.
    Ana,
    /// The next state, or `done(…)`.
    Apo,
    /// The next state, `done(…)`, or a further term.
    Futu,
}

/// A step function and the state where it begins.
pub(crate) struct Unfold {
    pub(crate) scheme: Scheme,
    pub(crate) step: Py<PyAny>,
    pub(crate) seed: Py<PyAny>,
}

/// The result of a continuation.
pub(crate) enum Leaf<'py> {
    State(Bound<'py, PyAny>),
    Step(Bound<'py, Step>),
    Done(Bound<'py, PyAny>),
}

/// The result of a step: a term with its continuation, or the outcome of the process.
type Said<'py> = Result<Flow<Bound<'py, Step>, Bound<'py, PyAny>>, Fault>;

impl Unfold {
    pub(crate) fn copy(&self, py: Python<'_>) -> Self {
        Self { scheme: self.scheme, step: self.step.clone_ref(py), seed: self.seed.clone_ref(py) }
    }

    /// Converts the result of a continuation.
    pub(crate) fn leaf<'py>(&self, given: Bound<'py, PyAny>) -> Result<Leaf<'py>, Fault> {
        let py = given.py();
        if let Ok(step) = given.cast_exact::<Step>() {
            return match self.scheme {
                Scheme::Futu => Ok(Leaf::Step(step.clone())),
                Scheme::Ana | Scheme::Apo => Err(self.no_leaf(&given, "a term requires futu()")),
            };
        }
        if let Ok(done) = given.cast_exact::<Done>() {
            return match self.scheme {
                Scheme::Apo | Scheme::Futu => Ok(Leaf::Done(done.get().out(py))),
                Scheme::Ana => Err(self.no_leaf(&given, "done() requires apo() or futu()")),
            };
        }
        if given.is_instance_of::<Term>() {
            return Err(without_continuation(&given));
        }
        check_hash(&given, "a state")?;
        Ok(Leaf::State(given))
    }

    /// Calls the step function for a state.
    pub(crate) fn open<'py>(&self, state: &Bound<'py, PyAny>) -> Said<'py> {
        let py = state.py();
        let given = self.step.bind(py).call1((state,))?;
        match given.cast_into_exact::<Step>() {
            Ok(step) => Ok(Flow::More(step)),
            Err(error) => {
                let given = error.into_inner();
                if let Ok(done) = given.cast_exact::<Done>() {
                    return Ok(Flow::Done(done.get().out(py)));
                }
                if given.is_instance_of::<Term>() {
                    return Err(without_continuation(&given));
                }
                let text = "a step must return a term with its continuation, or done(…)";
                Err(Fault::wrong(format!("{text}, not {}", short(&given))))
            }
        }
    }

    /// Returns the first step of a run that calls Python for every step.
    pub(crate) fn start<'py>(&self, py: Python<'py>) -> Said<'py> {
        self.goes_on(Leaf::State(self.seed.bind(py).clone()))
    }

    /// Returns the step to which this draw of a step leads.
    pub(crate) fn next<'py>(&self, py: Python<'py>, step: Bound<'py, Step>, draw: Outcome) -> Said<'py> {
        let given = step.get().then(py, draw)?;
        // The step is dropped before the next one is created, so that its objects can be reused.
        drop(step);
        self.goes_on(self.leaf(given)?)
    }

    fn goes_on<'py>(&self, leaf: Leaf<'py>) -> Said<'py> {
        match leaf {
            Leaf::State(state) => self.open(&state),
            Leaf::Step(step) => Ok(Flow::More(step)),
            Leaf::Done(out) => Ok(Flow::Done(out)),
        }
    }

    fn no_leaf(&self, given: &Bound<'_, PyAny>, what: &str) -> Fault {
        let scheme = format!("{:?}", self.scheme).to_lowercase();
        Fault::wrong(format!(
            "a continuation of {scheme} must return the next state, not {} ({what})",
            short(given)
        ))
    }
}

fn without_continuation(term: &Bound<'_, PyAny>) -> Fault {
    let text = "a term of a coalgebra needs a continuation, as in bernoulli(p, then)";
    Fault::wrong(format!("{text}, not {}", short(term)))
}
