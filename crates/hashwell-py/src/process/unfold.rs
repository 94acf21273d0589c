//! Coalgebras of Python's: a step from a state to a term, and from each of its draws to what follows.

use super::live::{Fault, Faults, Live, check_hash, short};
use super::term::{Done, Step, Term};
use hashwell_draw::Error;
use hashwell_draw::process::{Coalgebra, Draw, Flow, Law};
use pyo3::prelude::*;

/// What a continuation may give: the scheme of recursion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    /// The next state.
    Ana,
    /// The next state, or `done(…)`.
    Apo,
    /// The next state, `done(…)`, or a further term.
    Futu,
}

/// A step function and where it begins.
pub(crate) struct Unfold {
    pub(crate) scheme: Scheme,
    pub(crate) step: Py<PyAny>,
    pub(crate) seed: Py<PyAny>,
}

/// What follows a draw.
pub(crate) enum Leaf<'py> {
    State(Bound<'py, PyAny>),
    Step(Bound<'py, Step>),
    Done(Bound<'py, PyAny>),
}

impl Unfold {
    pub(crate) fn copy(&self, py: Python<'_>) -> Self {
        Self { scheme: self.scheme, step: self.step.clone_ref(py), seed: self.seed.clone_ref(py) }
    }

    /// What a continuation gave.
    pub(crate) fn leaf<'py>(&self, given: Bound<'py, PyAny>) -> Result<Leaf<'py>, Fault> {
        let py = given.py();
        if let Ok(step) = given.cast_exact::<Step>() {
            return match self.scheme {
                Scheme::Futu => Ok(Leaf::Step(step.clone())),
                Scheme::Ana | Scheme::Apo => Err(self.no_leaf(&given, "a term, which futu takes")),
            };
        }
        if let Ok(done) = given.cast_exact::<Done>() {
            return match self.scheme {
                Scheme::Apo | Scheme::Futu => Ok(Leaf::Done(done.get().out(py))),
                Scheme::Ana => Err(self.no_leaf(&given, "an end, which apo takes")),
            };
        }
        if given.is_instance_of::<Term>() {
            return Err(without_continuation(&given));
        }
        check_hash(&given, "a state")?;
        Ok(Leaf::State(given))
    }

    /// What comes of a state: its term, or the end.
    pub(crate) fn open<'py>(
        &self,
        state: &Bound<'py, PyAny>,
    ) -> Result<Flow<Bound<'py, Step>, Bound<'py, PyAny>>, Fault> {
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
                let text = "a step gives a term with its continuation, or done(…)";
                Err(Fault::Wrong(format!("{text}, not {}", short(&given))))
            }
        }
    }

    fn no_leaf(&self, given: &Bound<'_, PyAny>, what: &str) -> Fault {
        let scheme = format!("{:?}", self.scheme).to_lowercase();
        Fault::Wrong(format!(
            "a continuation of {scheme} gives the next state, not {} ({what})",
            short(given)
        ))
    }
}

fn without_continuation(term: &Bound<'_, PyAny>) -> Fault {
    let text = "a term of a coalgebra has a continuation, as bernoulli(p, then)";
    Fault::Wrong(format!("{text}, not {}", short(term)))
}

/// A run of a coalgebra, in which Python is asked for each step.
pub(crate) struct Steps<'a, 'py> {
    py: Python<'py>,
    unfold: &'a Unfold,
    faults: Faults,
}

impl<'a, 'py> Steps<'a, 'py> {
    pub(crate) fn new(py: Python<'py>, unfold: &'a Unfold) -> Self {
        Self { py, unfold, faults: Faults::default() }
    }

    fn flow(&self, leaf: Result<Leaf<'py>, Fault>) -> Flow<Option<Bound<'py, Step>>, Bound<'py, PyAny>> {
        let open = |leaf| match leaf {
            Leaf::State(state) => self.unfold.open(&state),
            Leaf::Step(step) => Ok(Flow::More(step)),
            Leaf::Done(out) => Ok(Flow::Done(out)),
        };
        match leaf.and_then(open) {
            Ok(Flow::More(step)) => Flow::More(Some(step)),
            Ok(Flow::Done(out)) => Flow::Done(out),
            Err(fault) => {
                self.faults.keep(fault);
                Flow::More(None)
            }
        }
    }
}

impl<'py> Coalgebra for Steps<'_, 'py> {
    /// The term that comes next; none, if that went wrong.
    type State = Option<Bound<'py, Step>>;
    type Out = Bound<'py, PyAny>;

    fn start(&self) -> Flow<Self::State, Self::Out> {
        self.flow(Ok(Leaf::State(self.unfold.seed.bind(self.py).clone())))
    }

    fn law<'a>(&'a self, step: &'a Self::State) -> Law<'a> {
        match step {
            Some(step) => step.get().law(),
            None => self.faults.law(),
        }
    }

    fn next(&self, step: Self::State, draw: Draw) -> Flow<Self::State, Self::Out> {
        let Some(step) = step else { return Flow::More(None) };
        let given = self.faults.look(self.py).and_then(|()| Ok(step.get().then(self.py, draw)?));
        // Terms are let go of before the next one is made.
        drop(step);
        self.flow(given.and_then(|given| self.unfold.leaf(given)))
    }
}

impl<'py> Live<'py> for Steps<'_, 'py> {
    fn object(&self, out: Self::Out) -> Bound<'py, PyAny> {
        out
    }

    fn faults(&self) -> &Faults {
        &self.faults
    }

    fn raise(&self, error: Error) -> PyErr {
        self.faults.take(error).0
    }
}
