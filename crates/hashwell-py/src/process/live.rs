//! A process whose terms come from Python code. All kinds of processes have one coalgebra type, so that the
//! interpreters are compiled only once.

use super::faults::{Fault, Faults, Numbered, from_draw};
use super::many::{CHECK_EVERY, Many};
use super::program::{Path, Program, Replays, Runs};
use super::seed::Origin;
use super::table::Table;
use super::term::{Step, Term, drawn};
use super::unfold::Unfold;
use super::value::{distribution, weighted};
use hashwell_draw::process::interpret::{self, Depth, Limits, Score, Tree};
use hashwell_draw::process::{Coalgebra, Distribution, Flow, Outcome};
use hashwell_draw::{Error, RandomSource, Watch};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::hash::{Hash, Hasher};
use std::mem::discriminant;
use std::time::Instant;

/// A process whose terms come from Python code. If an error occurs in Python while an interpreter runs, it is kept here
/// until the interpreter returns. The interpreter only sees an invalid distribution.
pub(crate) struct Live<'a, 'py> {
    py: Python<'py>,
    kind: Kind<'a, 'py>,
    faults: Faults,
    /// An error stops this watch, so that an enumeration does not call Python afterwards.
    watch: Watch<'static>,
}

enum Kind<'a, 'py> {
    Program(Runs<'a, 'py>),
    /// A program that is being enumerated.
    Replayed(Replays<'a, 'py>),
    /// A coalgebra that is not enumerated, so its states are not compared.
    Unfold(&'a Unfold),
    Table(&'a Table),
}

/// A state of the process.
#[derive(Clone)]
pub(crate) enum Place<'py> {
    Term(Bound<'py, Term>),
    Step(Bound<'py, Step>),
    Node(u32),
    Path(Path<'py>),
    /// The state after an error.
    Wrong,
}

impl PartialEq for Place<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Place::Node(one), Place::Node(other)) => one == other,
            (Place::Path(one), Place::Path(other)) => one == other,
            (Place::Term(one), Place::Term(other)) => one.is(other),
            (Place::Step(one), Place::Step(other)) => one.is(other),
            (one, other) => discriminant(one) == discriminant(other),
        }
    }
}

impl Eq for Place<'_> {}

impl Hash for Place<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Place::Node(node) => node.hash(state),
            Place::Path(path) => path.hash(state),
            Place::Term(_) | Place::Step(_) | Place::Wrong => {}
        }
    }
}

impl<'a, 'py> Live<'a, 'py> {
    fn new(py: Python<'py>, kind: Kind<'a, 'py>) -> Self {
        Self { py, kind, faults: Faults::default(), watch: Watch::plain() }
    }

    pub(crate) fn of_program(py: Python<'py>, program: &'a Program) -> Self {
        Self::new(py, Kind::Program(Runs::new(py, program)))
    }

    pub(crate) fn of_replays(py: Python<'py>, program: &'a Program) -> Self {
        Self::new(py, Kind::Replayed(Replays::new(py, program)))
    }

    pub(crate) fn of_unfold(py: Python<'py>, unfold: &'a Unfold) -> Self {
        Self::new(py, Kind::Unfold(unfold))
    }

    pub(crate) fn of_table(py: Python<'py>, table: &'a Table) -> Self {
        Self::new(py, Kind::Table(table))
    }

    /// Returns the result of an interpreter, or the kept error. An exception that Python raised is returned unchanged.
    /// Other errors are returned as exceptions with the number of the step.
    pub(crate) fn checked<T>(&self, given: Result<T, Error>) -> PyResult<T> {
        let error = match given {
            Ok(_) if self.faults.has_any() => Error::Stopped,
            Ok(given) => return Ok(given),
            Err(error) => error,
        };
        let (raised, of_term) = self.faults.take(self.py, error);
        Err(match &self.kind {
            Kind::Program(runs) if of_term => runs.throw(raised),
            // If a program is replayed, the current generator is not the one that yielded the term.
            _ => raised,
        })
    }

    #[cold]
    fn wrong(&self, fault: Fault) -> Flow<Place<'py>, Numbered<'py>> {
        self.faults.keep(fault);
        self.watch.stop();
        Flow::More(Place::Wrong)
    }
}

/// The interpreters, with results as Python objects.
impl<'py> Live<'_, 'py> {
    fn limits(&self, terms: u64) -> Limits<'_> {
        Limits { terms, watch: &self.watch, ..Limits::default() }
    }

    pub(crate) fn sample(&self, words: &mut dyn RandomSource, terms: u64) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.checked(interpret::sample(self, words, &self.limits(terms)))?.object)
    }

    /// Runs replicate `j`, and returns the number of its outcome.
    pub(crate) fn replicate(
        &self,
        j: u64,
        words: &mut dyn RandomSource,
        terms: u64,
    ) -> PyResult<Numbered<'py>> {
        let out = interpret::sample(self, words, &self.limits(terms));
        self.checked(out.map_err(|error| error.in_replicate(j)))
    }

    /// `[(term, draw), …], out, log_weight`
    pub(crate) fn trace(&self, words: &mut dyn RandomSource, terms: u64) -> PyResult<Bound<'py, PyTuple>> {
        let trace = self.checked(interpret::trace(self, words, &self.limits(terms)))?;
        (drawn(self.py, trace.terms)?, trace.out.object, trace.log_weight).into_pyobject(self.py)
    }

    pub(crate) fn score(&self, outcomes: &[Outcome]) -> PyResult<Score> {
        self.checked(interpret::score(self, outcomes, &self.limits(u64::MAX)))
    }

    pub(crate) fn exact(&self, limits: &Limits<'_>) -> PyResult<Bound<'py, PyTuple>> {
        let limits = Limits { watch: &self.watch, ..*limits };
        distribution(self.py, self.checked(interpret::exact(self, &limits))?, |out| Ok(out.object))
    }

    pub(crate) fn explain(&self, depth: &Depth) -> PyResult<Tree> {
        self.checked(interpret::explain(self, depth, &self.limits(u64::MAX)))
    }

    /// `[out, …]`, in the order of the replicates.
    pub(crate) fn simulate(&self, many: &Many) -> PyResult<Bound<'py, PyList>> {
        let outs = PyList::empty(self.py);
        self.each(many, |j, words| outs.append(self.replicate(j, words, many.terms)?.object))?;
        Ok(outs)
    }

    pub(crate) fn weigh(&self, many: &Many) -> PyResult<Bound<'py, PyTuple>> {
        let outs = PyList::empty(self.py);
        let mut log_weights = Vec::new();
        self.each(many, |j, words| {
            let weighed = interpret::weigh_one(self, words, &self.limits(many.terms));
            let (out, log_weight) = self.checked(weighed.map_err(|error| error.in_replicate(j)))?;
            log_weights.push(log_weight);
            outs.append(out.object)
        })?;
        weighted(self.py, outs.into_any(), log_weights)
    }

    /// Calls `take` for each replicate in order, in this thread, and checks for signals from time to time.
    fn each(
        &self,
        many: &Many,
        mut take: impl FnMut(u64, &mut dyn RandomSource) -> PyResult<()>,
    ) -> PyResult<()> {
        let mut checked = Instant::now();
        let mut next = |j: u64, words: &mut dyn RandomSource| {
            take(j, words)?;
            if checked.elapsed() >= CHECK_EVERY {
                self.py.check_signals()?;
                many.tell(self.py, j + 1 - many.replicates.start)?;
                checked = Instant::now();
            }
            Ok::<_, PyErr>(())
        };
        match many.origin {
            Origin::Run(run) => {
                let mut replicates = run.replicates(many.replicates()).map_err(from_draw)?;
                while let Some((j, words)) = replicates.next_words().map_err(from_draw)? {
                    next(j, words)?;
                }
            }
            Origin::Mwc => {
                let mut words = many.origin.words(None)?;
                many.replicates().try_for_each(|j| next(j, &mut *words))?;
            }
        }
        many.tell(self.py, many.len())
    }
}

/// Converts the state of a flow to a [`Place`].
#[inline]
fn at<'py, S>(
    flow: Flow<S, Numbered<'py>>,
    place: impl FnOnce(S) -> Place<'py>,
) -> Flow<Place<'py>, Numbered<'py>> {
    match flow {
        Flow::More(state) => Flow::More(place(state)),
        Flow::Done(out) => Flow::Done(out),
    }
}

/// Does the same as [`at`] for a process that is not enumerated and needs no outcome numbers.
#[inline]
fn at_next<'py, S>(
    flow: Flow<S, Bound<'py, PyAny>>,
    place: impl FnOnce(S) -> Place<'py>,
) -> Flow<Place<'py>, Numbered<'py>> {
    match flow {
        Flow::More(state) => Flow::More(place(state)),
        Flow::Done(object) => Flow::Done(Numbered { number: 0, object }),
    }
}

impl<'py> Coalgebra for Live<'_, 'py> {
    type State = Place<'py>;
    type Out = Numbered<'py>;

    fn start(&self) -> Flow<Place<'py>, Numbered<'py>> {
        let started = match &self.kind {
            Kind::Program(runs) => runs.start().map(|flow| at_next(flow, Place::Term)),
            Kind::Replayed(replays) => replays.start().map(|flow| at(flow, Place::Path)),
            Kind::Unfold(unfold) => unfold.start(self.py).map(|flow| at_next(flow, Place::Step)),
            Kind::Table(table) => table.start(self.py).map(|flow| at(flow, Place::Node)),
        };
        started.unwrap_or_else(|fault| self.wrong(fault))
    }

    #[inline]
    fn distribution<'a>(&'a self, place: &'a Place<'py>) -> Distribution<'a> {
        match (place, &self.kind) {
            (Place::Term(term), _) => term.get().distribution(),
            (Place::Step(step), _) => step.get().distribution(),
            (Place::Path(path), _) => path.next.get().distribution(),
            (Place::Node(node), Kind::Table(table)) => table.distribution(*node),
            _ => self.faults.distribution(),
        }
    }

    #[inline]
    fn next(&self, place: Place<'py>, draw: Outcome) -> Flow<Place<'py>, Numbered<'py>> {
        if self.faults.has_any() {
            return Flow::More(Place::Wrong);
        }
        if let Err(fault) = self.faults.look(self.py) {
            return self.wrong(fault);
        }
        let gone_on = match (place, &self.kind) {
            (Place::Term(term), Kind::Program(runs)) => {
                runs.next(term, draw).map(|flow| at_next(flow, Place::Term))
            }
            (Place::Path(path), Kind::Replayed(replays)) => {
                replays.next(path, draw).map(|flow| at(flow, Place::Path))
            }
            (Place::Step(step), Kind::Unfold(unfold)) => {
                unfold.next(self.py, step, draw).map(|flow| at_next(flow, Place::Step))
            }
            (Place::Node(node), Kind::Table(table)) => {
                table.next(self.py, node, draw).map(|flow| at(flow, Place::Node))
            }
            _ => return Flow::More(Place::Wrong),
        };
        gone_on.unwrap_or_else(|fault| self.wrong(fault))
    }

    #[inline]
    fn lacks_memory(&self, place: &Place<'py>) -> bool {
        matches!(place, Place::Path(path) if path.lacks_memory())
    }
}
