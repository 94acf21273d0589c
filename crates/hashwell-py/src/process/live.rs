//! A process whose next term Python says, of whatever kind: one coalgebra, for which the interpreters are compiled
//! once.

use super::faults::{Fault, Faults, Numbered};
use super::program::{Path, Program, Replays, Runs};
use super::table::Table;
use super::term::{Step, Term};
use super::unfold::Unfold;
use hashwell_draw::Error;
use hashwell_draw::process::{Coalgebra, Draw, Flow, Law};
use pyo3::prelude::*;
use std::hash::{Hash, Hasher};
use std::mem::discriminant;
use std::ops::ControlFlow;

/// A process whose next term Python says. What goes wrong in Python while an interpreter runs is kept in it until the
/// interpreter is back: to the interpreter it is a law that cannot be drawn.
pub(crate) struct Live<'a, 'py> {
    py: Python<'py>,
    kind: Kind<'a, 'py>,
    faults: Faults,
}

enum Kind<'a, 'py> {
    Program(Runs<'a, 'py>),
    /// A program that is enumerated.
    Replayed(Replays<'a, 'py>),
    /// Not enumerated: its states are not compared.
    Unfold(&'a Unfold),
    Table(&'a Table),
}

/// Where it stands.
#[derive(Clone)]
pub(crate) enum Place<'py> {
    Term(Bound<'py, Term>),
    Step(Bound<'py, Step>),
    Node(u32),
    Path(Box<Path<'py>>),
    /// Where something went wrong.
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
        Self { py, kind, faults: Faults::default() }
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

    /// What an interpreter gave, unless something went wrong that it did not come to: what Python raised unchanged,
    /// else a ValueError at the step.
    pub(crate) fn checked<T>(&self, given: Result<T, Error>) -> PyResult<T> {
        let error = match given {
            Ok(_) if self.faults.has_any() => Error::Stopped,
            Ok(given) => return Ok(given),
            Err(error) => error,
        };
        let (raised, of_term) = self.faults.take(self.py, error);
        Err(match &self.kind {
            Kind::Program(runs) if of_term => runs.throw(raised),
            // Of a program that is replayed, the generator at hand is not the one that yielded the term.
            _ => raised,
        })
    }

    /// Whether an enumeration goes on: nothing is asked of Python after a fault.
    pub(crate) fn go_on(&self) -> ControlFlow<()> {
        if self.faults.has_any() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    #[cold]
    fn wrong(&self, fault: Fault) -> Flow<Place<'py>, Numbered<'py>> {
        self.faults.keep(fault);
        Flow::More(Place::Wrong)
    }
}

/// A flow to another kind of place.
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

/// The same of what is not enumerated, and needs no numbers.
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

fn path(path: Path<'_>) -> Place<'_> {
    Place::Path(Box::new(path))
}

impl<'py> Coalgebra for Live<'_, 'py> {
    type State = Place<'py>;
    type Out = Numbered<'py>;

    fn start(&self) -> Flow<Place<'py>, Numbered<'py>> {
        let started = match &self.kind {
            Kind::Program(runs) => runs.start().map(|flow| at_next(flow, Place::Term)),
            Kind::Replayed(replays) => replays.start().map(|flow| at(flow, path)),
            Kind::Unfold(unfold) => unfold.start(self.py).map(|flow| at_next(flow, Place::Step)),
            Kind::Table(table) => table.start(self.py).map(|flow| at(flow, Place::Node)),
        };
        started.unwrap_or_else(|fault| self.wrong(fault))
    }

    #[inline]
    fn law<'a>(&'a self, place: &'a Place<'py>) -> Law<'a> {
        match (place, &self.kind) {
            (Place::Term(term), _) => term.get().law(),
            (Place::Step(step), _) => step.get().law(),
            (Place::Path(path), _) => path.next.get().law(),
            (Place::Node(node), Kind::Table(table)) => table.law(*node),
            _ => self.faults.law(),
        }
    }

    #[inline]
    fn next(&self, place: Place<'py>, draw: Draw) -> Flow<Place<'py>, Numbered<'py>> {
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
            (Place::Path(path_so_far), Kind::Replayed(replays)) => {
                replays.next(*path_so_far, draw).map(|flow| at(flow, path))
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
}
