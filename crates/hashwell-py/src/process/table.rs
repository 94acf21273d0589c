//! A coalgebra of Python's as a table: each state is asked for its term once, when it is first reached, and each draw for
//! where it leads, when it is first drawn. What is in the table needs no Python any more.

use super::live::{Fault, Faults, Live, Numbered, number, short};
use super::term::{Step, borrowed};
use super::unfold::{Leaf, Unfold};
use hashwell_draw::Error;
use hashwell_draw::process::{Coalgebra, Draw, Flow, Law};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::cell::Cell;
use std::sync::{Mutex, MutexGuard};

/// Where a draw leads: nobody knows yet, a node's number, or an outcome's with the highest bit set.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Target(u32);

const UNKNOWN: Target = Target(u32::MAX);
const OUTCOME: u32 = 1 << 31;

/// A term, and where its draws lead. A state of the coalgebra is one node, or more where a step has several terms.
struct Node {
    step: Py<Step>,
    targets: Vec<Target>,
}

/// The table so far.
#[derive(Default)]
struct Rows {
    nodes: Vec<Node>,
    outcomes: Vec<Py<PyAny>>,
    start: Option<Target>,
}

/// Draws of one term that a table has room for.
const MOST_DRAWS: u64 = 1 << 20;

pub(crate) struct Table {
    unfold: Unfold,
    /// Nodes that it may have.
    limit: usize,
    /// State -> target, and outcome -> number, by Python's equality.
    states: Py<PyDict>,
    numbers: Py<PyDict>,
    /// Held for moments only, and never while Python is asked: a step may use its own table.
    rows: Mutex<Rows>,
}

impl Table {
    pub(crate) fn new(py: Python<'_>, unfold: Unfold, limit: usize) -> Self {
        let (states, numbers) = (PyDict::new(py).unbind(), PyDict::new(py).unbind());
        let limit = limit.min(OUTCOME as usize - 1);
        Self { unfold, limit, states, numbers, rows: Mutex::default() }
    }

    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.rows.lock().expect("nothing panics while it is held")
    }

    /// Nodes so far.
    pub(crate) fn len(&self) -> usize {
        self.rows().nodes.len()
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.unfold.step)?;
        visit.call(&self.unfold.seed)?;
        visit.call(&self.states)?;
        visit.call(&self.numbers)?;
        // Whoever holds it is alive, and so is the table.
        let Ok(rows) = self.rows.try_lock() else { return Ok(()) };
        rows.nodes.iter().try_for_each(|node| visit.call(&node.step))?;
        rows.outcomes.iter().try_for_each(|out| visit.call(out))
    }

    fn start(&self, py: Python<'_>) -> Result<Target, Fault> {
        if let Some(start) = self.rows().start {
            return Ok(start);
        }
        let start = self.of_leaf(py, self.unfold.leaf(self.unfold.seed.bind(py).clone())?)?;
        self.rows().start = Some(start);
        Ok(start)
    }

    /// Where a draw leads from a node.
    fn target(&self, py: Python<'_>, node: u32, draw: Draw) -> Result<Target, Fault> {
        let at = draw_index(draw);
        let step = {
            let rows = self.rows();
            let node = &rows.nodes[node as usize];
            match node.targets.get(at) {
                Some(&UNKNOWN) => node.step.clone_ref(py),
                Some(&target) => return Ok(target),
                None => return Err(Fault::Wrong(format!("there is no draw {at}"))),
            }
        };
        let leaf = self.unfold.leaf(step.get().then(py, draw)?)?;
        let target = self.of_leaf(py, leaf)?;
        self.rows().nodes[node as usize].targets[at] = target;
        Ok(target)
    }

    fn of_leaf<'py>(&self, py: Python<'py>, leaf: Leaf<'py>) -> Result<Target, Fault> {
        match leaf {
            Leaf::Done(out) => self.outcome(out),
            Leaf::Step(step) => self.node(step),
            Leaf::State(state) => {
                let states = self.states.bind(py);
                if let Some(known) = states.get_item(&state)? {
                    return Ok(Target(known.extract()?));
                }
                let target = match self.unfold.open(&state)? {
                    Flow::More(step) => self.node(step)?,
                    Flow::Done(out) => self.outcome(out)?,
                };
                // Another thread may have been quicker: its node is the state's, and ours nobody's.
                if let Some(known) = states.get_item(&state)? {
                    return Ok(Target(known.extract()?));
                }
                states.set_item(state, target.0)?;
                Ok(target)
            }
        }
    }

    fn outcome(&self, out: Bound<'_, PyAny>) -> Result<Target, Fault> {
        let numbered = number(self.numbers.bind(out.py()), out)?;
        let mut rows = self.rows();
        if rows.outcomes.len() <= numbered.number as usize {
            let py = numbered.object.py();
            rows.outcomes.resize_with(numbered.number as usize + 1, || py.None());
        }
        let place = &mut rows.outcomes[numbered.number as usize];
        if place.is_none(numbered.object.py()) {
            *place = numbered.object.unbind();
        }
        Ok(Target(numbered.number | OUTCOME))
    }

    fn node(&self, step: Bound<'_, Step>) -> Result<Target, Fault> {
        let draws = match step.get().law() {
            Law::Bernoulli(_) => 2,
            Law::Categorical(weights) => weights.len() as u64,
            Law::Below(n) => n,
            Law::Observe(_) => 1,
            _ => 0,
        };
        if draws == 0 || draws > MOST_DRAWS {
            let text = "a table needs terms of at most 2**20 possible draws, and at least one";
            return Err(Fault::Wrong(format!("{text}, not {}", short(&step))));
        }
        let mut rows = self.rows();
        if rows.nodes.len() >= self.limit {
            let text = format!("the table has {} states, its limit", self.limit);
            return Err(Fault::Raised(pyo3::exceptions::PyValueError::new_err(text)));
        }
        let number = rows.nodes.len() as u32;
        rows.nodes.push(Node { step: step.unbind(), targets: vec![UNKNOWN; draws as usize] });
        Ok(Target(number))
    }

    fn object<'py>(&self, py: Python<'py>, number: u32) -> Bound<'py, PyAny> {
        self.rows().outcomes[number as usize].bind(py).clone()
    }

    /// All outcomes so far, by their numbers.
    pub(crate) fn outcomes<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyAny>> {
        self.rows().outcomes.iter().map(|out| out.bind(py).clone()).collect()
    }

    /// What is in the table so far, for threads without Python.
    pub(crate) fn frozen(&self) -> Frozen {
        let rows = self.rows();
        let mut frozen = Frozen {
            start: rows.start.unwrap_or(UNKNOWN),
            laws: Vec::with_capacity(rows.nodes.len()),
            targets: Vec::new(),
        };
        for node in &rows.nodes {
            frozen.laws.push((node.step.get().law().into_owned(), frozen.targets.len() as u32));
            frozen.targets.extend_from_slice(&node.targets);
        }
        frozen
    }
}

fn draw_index(draw: Draw) -> usize {
    match draw {
        Draw::Index(index) => usize::try_from(index).unwrap_or(usize::MAX),
        Draw::Real(_) => usize::MAX,
        Draw::Nothing => 0,
    }
}

/// Terms between two looks for signals.
const LOOK_EVERY: u32 = 1 << 16;

/// The table as a process: what it lacks is asked for.
pub(crate) struct Growing<'a, 'py> {
    py: Python<'py>,
    table: &'a Table,
    faults: Faults,
    /// Terms since signals were looked for.
    terms: Cell<u32>,
}

impl<'a, 'py> Growing<'a, 'py> {
    pub(crate) fn new(py: Python<'py>, table: &'a Table) -> Self {
        Self { py, table, faults: Faults::default(), terms: Cell::new(0) }
    }

    fn flow(&self, target: Result<Target, Fault>) -> Flow<u32, Numbered<'py>> {
        match target {
            Ok(Target(number)) if number & OUTCOME == 0 => Flow::More(number),
            Ok(Target(number)) => {
                let number = number & !OUTCOME;
                Flow::Done(Numbered { number, object: self.table.object(self.py, number) })
            }
            Err(fault) => {
                self.faults.keep(fault);
                Flow::More(UNKNOWN.0)
            }
        }
    }

    /// Lets Python handle signals now and then: a process may go on for ever without asking it for anything.
    fn look(&self) -> Result<(), Fault> {
        let terms = self.terms.get() + 1;
        self.terms.set(if terms == LOOK_EVERY { 0 } else { terms });
        if terms == LOOK_EVERY { Ok(self.py.check_signals()?) } else { Ok(()) }
    }
}

impl<'py> Coalgebra for Growing<'_, 'py> {
    type State = u32;
    type Out = Numbered<'py>;

    fn start(&self) -> Flow<u32, Numbered<'py>> {
        self.flow(self.table.start(self.py))
    }

    fn law<'a>(&'a self, &node: &'a u32) -> Law<'a> {
        if node == UNKNOWN.0 {
            return self.faults.law();
        }
        self.table.rows().nodes[node as usize].step.get().law().into_owned()
    }

    fn next(&self, node: u32, draw: Draw) -> Flow<u32, Numbered<'py>> {
        if node == UNKNOWN.0 {
            return Flow::More(node);
        }
        self.flow(self.look().and_then(|()| self.table.target(self.py, node, draw)))
    }
}

impl<'py> Live<'py> for Growing<'_, 'py> {
    fn object(&self, out: Numbered<'py>) -> Bound<'py, PyAny> {
        out.object
    }

    fn raise(&self, error: Error) -> PyErr {
        self.faults.take(error).0
    }
}

/// A copy of the table's numbers. Outcomes are their numbers.
pub(crate) struct Frozen {
    start: Target,
    /// Each node's law, and where its targets begin.
    laws: Vec<(Law<'static>, u32)>,
    targets: Vec<Target>,
}

/// What comes of a run that reaches what is not in the table, or takes long: it must be asked for again, where Python
/// is at hand.
pub(crate) const ELSEWHERE: u32 = u32::MAX;

/// Terms of a run without a look for signals.
const LONG: u32 = 1 << 20;

impl Frozen {
    #[inline]
    fn flow(target: Target, terms: u32) -> Flow<(u32, u32), u32> {
        match target {
            UNKNOWN => Flow::Done(ELSEWHERE),
            Target(number) if number & OUTCOME != 0 => Flow::Done(number & !OUTCOME),
            Target(_) if terms == LONG => Flow::Done(ELSEWHERE),
            Target(number) => Flow::More((number, terms)),
        }
    }
}

impl Coalgebra for Frozen {
    /// A node, and the terms so far.
    type State = (u32, u32);
    type Out = u32;

    fn start(&self) -> Flow<(u32, u32), u32> {
        Self::flow(self.start, 0)
    }

    #[inline]
    fn law<'a>(&'a self, (node, _): &'a (u32, u32)) -> Law<'a> {
        borrowed(&self.laws[*node as usize].0)
    }

    #[inline]
    fn next(&self, (node, terms): (u32, u32), draw: Draw) -> Flow<(u32, u32), u32> {
        let first = self.laws[node as usize].1 as usize;
        Self::flow(self.targets[first + draw_index(draw)], terms + 1)
    }
}
