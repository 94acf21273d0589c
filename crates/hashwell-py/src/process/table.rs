//! Caches a Python coalgebra in a table. Python is called for the term of a state when the state is first reached, and
//! for the target of a draw when it is first drawn. If several threads reach the same state or draw at the same time,
//! Python may be called several times for it. Entries of the table need no further calls of Python.

use super::faults::{Fault, Numbered, from_draw, number, short};
use super::many::{Many, detached};
use super::term::Step;
use super::unfold::{Leaf, Unfold};
use super::value::array;
use crate::boundary::errors::exception;
use hashwell_draw::process::interpret::{self, Limits};
use hashwell_draw::process::{Coalgebra, Distribution, Flow, Outcome, Run};
use hashwell_draw::{Error, RandomSource};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard};

/// The target of a draw: unknown, the number of a node, or, with the highest bit set, the number of an outcome.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Target(u32);

const UNKNOWN: Target = Target(u32::MAX);
const OUTCOME: u32 = 1 << 31;

/// A term and the targets of its draws. A state of the coalgebra is one node, or several if its step has several terms.
struct Node {
    step: Py<Step>,
    targets: Vec<Target>,
}

/// The table so far.
#[derive(Default)]
struct Rows {
    nodes: Vec<Node>,
    outcomes: Vec<Py<PyAny>>,
    /// The number of targets of all nodes.
    targets: usize,
    start: Option<Target>,
}

const MEMORY: Error = Error::Memory { what: "a table" };

/// The maximum number of draws of one term in a table.
const MAX_DRAWS: u64 = 1 << 20;
/// The maximum number of draws of all terms together. They need 256 MiB, and the same again while threads run.
const MAX_TARGETS: usize = 1 << 26;

pub(crate) struct Table {
    unfold: Unfold,
    /// The maximum number of nodes: `states` in Python.
    limit: usize,
    /// Dictionaries from states to targets, and from outcomes to numbers. They use Python's equality.
    states: Py<PyDict>,
    numbers: Py<PyDict>,
    /// Locked only briefly, and never during a call of Python, because a step may use its own table.
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

    /// The number of nodes so far.
    pub(crate) fn len(&self) -> usize {
        self.rows().nodes.len()
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.unfold.step)?;
        visit.call(&self.unfold.seed)?;
        visit.call(&self.states)?;
        visit.call(&self.numbers)?;
        // If a thread holds the lock, the table is in use and must not be collected.
        let Ok(rows) = self.rows.try_lock() else { return Ok(()) };
        rows.nodes.iter().try_for_each(|node| visit.call(&node.step))?;
        rows.outcomes.iter().try_for_each(|out| visit.call(out))
    }

    /// Returns the node at which a run begins. This function and `next` call Python for entries that the table lacks.
    pub(crate) fn start<'py>(&self, py: Python<'py>) -> Result<Flow<u32, Numbered<'py>>, Fault> {
        let known = self.rows().start;
        let start = match known {
            Some(start) => start,
            None => self.of_leaf(py, self.unfold.leaf(self.unfold.seed.bind(py).clone())?)?,
        };
        self.rows().start = Some(start);
        Ok(self.flow(py, start))
    }

    /// The distribution of a node's term.
    pub(crate) fn distribution(&self, node: u32) -> Distribution<'static> {
        self.rows().nodes[node as usize].step.get().distribution().into_owned()
    }

    /// Returns the node to which this draw at a node leads.
    pub(crate) fn next<'py>(
        &self,
        py: Python<'py>,
        node: u32,
        draw: Outcome,
    ) -> Result<Flow<u32, Numbered<'py>>, Fault> {
        Ok(self.flow(py, self.target(py, node, draw)?))
    }

    fn flow<'py>(&self, py: Python<'py>, Target(number): Target) -> Flow<u32, Numbered<'py>> {
        if number & OUTCOME == 0 {
            return Flow::More(number);
        }
        let number = number & !OUTCOME;
        Flow::Done(Numbered { number, object: self.object(py, number) })
    }

    /// Returns the target of a draw at a node.
    fn target(&self, py: Python<'_>, node: u32, draw: Outcome) -> Result<Target, Fault> {
        let at = draw_index(draw);
        let step = {
            let rows = self.rows();
            let node = &rows.nodes[node as usize];
            match node.targets.get(at) {
                Some(&UNKNOWN) => node.step.clone_ref(py),
                Some(&target) => return Ok(target),
                None => return Err(Fault::wrong(format!("the draw {at} is out of range"))),
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
                // Another thread may have added the state first. Then its node is used, and ours stays unused.
                Ok(Target(states.call_method1("setdefault", (state, target.0))?.extract()?))
            }
        }
    }

    fn outcome(&self, out: Bound<'_, PyAny>) -> Result<Target, Fault> {
        let numbered = number(self.numbers.bind(out.py()), out, |out| {
            let mut rows = self.rows();
            let number = rows.outcomes.len();
            if number >= OUTCOME as usize - 1 {
                return Err(Fault::wrong("a table can have at most 2**31 - 1 outcomes"));
            }
            rows.outcomes.push(out.clone().unbind());
            Ok(number as u32)
        })?;
        Ok(Target(numbered.number | OUTCOME))
    }

    fn node(&self, step: Bound<'_, Step>) -> Result<Target, Fault> {
        let draws = match step.get().distribution() {
            Distribution::Bernoulli(_) => 2,
            Distribution::Categorical(weights) => weights.len() as u64,
            Distribution::Below(n) => n,
            Distribution::Observe(_) => 1,
            _ => 0,
        };
        if draws == 0 || draws > MAX_DRAWS {
            let text = "each term of a table must have 1 to 2**20 possible draws";
            return Err(Fault::wrong(format!("{text}, unlike {}", short(&step))));
        }
        let mut rows = self.rows();
        if rows.nodes.len() >= self.limit {
            let text =
                format!("the table has {} terms, the maximum that the argument 'states' allows", self.limit);
            return Err(Fault::Raised(exception::<pyo3::exceptions::PyValueError>(text)));
        }
        let (number, draws) = (rows.nodes.len() as u32, draws as usize);
        if rows.targets + draws > MAX_TARGETS {
            let text = format!("the terms of the table have more than {MAX_TARGETS} possible draws");
            return Err(Fault::Raised(exception::<pyo3::exceptions::PyValueError>(text)));
        }
        let mut targets = Vec::new();
        targets.try_reserve_exact(draws).map_err(|_| from_draw(MEMORY))?;
        targets.resize(draws, UNKNOWN);
        rows.targets += draws;
        rows.nodes.push(Node { step: step.unbind(), targets });
        Ok(Target(number))
    }

    fn object<'py>(&self, py: Python<'py>, number: u32) -> Bound<'py, PyAny> {
        self.rows().outcomes[number as usize].bind(py).clone()
    }

    /// `[outcome, …], numbers`: the outcomes in the order of their first occurrence, and the index of the outcome of
    /// each replicate, as native 32-bit integers. Runs that stay within the table need no Python and are simulated in
    /// threads. For each other run, `grow` is called with the number and the random numbers of the replicate, and
    /// returns the number of the outcome.
    pub(crate) fn simulate<'py>(
        &self,
        py: Python<'py>,
        run: &Run,
        many: &Many,
        grow: impl Fn(u64, &mut dyn RandomSource) -> PyResult<u32>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let mut numbers: Vec<u32> = Vec::new();
        let mut first = many.replicates.start;
        // A new table is almost empty. So only a few runs are started at first, because many of them must be repeated.
        let mut piece = 1;
        while first < many.replicates.end {
            let end = first.saturating_add(piece).min(many.replicates.end);
            piece = (2 * piece).min(1 << 20);
            let outs = self.simulate_frozen(py, run, many, first..end)?;
            numbers
                .try_reserve(outs.len())
                .map_err(|_| from_draw(Error::Memory { what: "the outcomes of the replicates" }))?;
            for (j, number) in (first..end).zip(outs) {
                numbers.push(match number {
                    ELSEWHERE => {
                        let mut words = run.replicate(j).map_err(from_draw)?;
                        grow(j, &mut words)?
                    }
                    number => number,
                });
            }
            first = end;
        }
        many.tell(py, many.len())?;
        // The outcomes of other runs of the table don't influence the type of the array.
        const UNSEEN: u32 = u32::MAX;
        let mut places = vec![UNSEEN; self.outcomes()];
        let outs = PyList::empty(py);
        for number in &mut numbers {
            let place = &mut places[*number as usize];
            if *place == UNSEEN {
                *place = outs.len() as u32;
                outs.append(self.object(py, *number))?;
            }
            *number = *place;
        }
        (outs, array(py, &numbers, u32::to_ne_bytes)?).into_pyobject(py)
    }

    /// Simulates without Python. The result of a run that leaves the table is [`ELSEWHERE`].
    fn simulate_frozen(
        &self,
        py: Python<'_>,
        run: &Run,
        many: &Many,
        range: Range<u64>,
    ) -> PyResult<Vec<u32>> {
        let before = range.start - many.replicates.start;
        let frozen = self.frozen().map_err(from_draw)?;
        let (threads, terms) = (many.threads, many.terms);
        let tell = |py: Python<'_>, done| many.tell(py, before + done);
        let done = detached(py, tell, |watch| {
            let limits = Limits { terms, threads, watch, ..Limits::default() };
            interpret::simulate(&frozen, run, range, &limits)
        })?;
        Ok(done.outs)
    }

    /// The number of outcomes so far.
    fn outcomes(&self) -> usize {
        self.rows().outcomes.len()
    }

    /// Copies the current contents of the table for threads that do not use Python.
    fn frozen(&self) -> Result<Frozen, Error> {
        let rows = self.rows();
        let (mut laws, mut targets) = (Vec::new(), Vec::new());
        laws.try_reserve_exact(rows.nodes.len()).map_err(|_| MEMORY)?;
        targets.try_reserve_exact(rows.targets).map_err(|_| MEMORY)?;
        for node in &rows.nodes {
            laws.push((node.step.get().distribution().into_owned(), targets.len() as u32));
            targets.extend_from_slice(&node.targets);
        }
        Ok(Frozen { start: rows.start.unwrap_or(UNKNOWN), laws, targets })
    }
}

fn draw_index(draw: Outcome) -> usize {
    match draw {
        Outcome::Index(index) => usize::try_from(index).unwrap_or(usize::MAX),
        Outcome::Real(_) => usize::MAX,
        Outcome::Nothing => 0,
    }
}

/// A copy of the table without Python objects. Outcomes are represented by their numbers.
struct Frozen {
    start: Target,
    /// The distribution of each node, and the index of its first target.
    laws: Vec<(Distribution<'static>, u32)>,
    targets: Vec<Target>,
}

/// The result of a run that leaves the table or takes long. The run must be repeated with Python.
const ELSEWHERE: u32 = u32::MAX;

/// The maximum number of terms of a run without a check for signals.
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
    /// A node, and the number of terms so far.
    type State = (u32, u32);
    type Out = u32;

    fn start(&self) -> Flow<(u32, u32), u32> {
        Self::flow(self.start, 0)
    }

    #[inline]
    fn distribution<'a>(&'a self, (node, _): &'a (u32, u32)) -> Distribution<'a> {
        self.laws[*node as usize].0.borrowed()
    }

    #[inline]
    fn next(&self, (node, terms): (u32, u32), draw: Outcome) -> Flow<(u32, u32), u32> {
        let first = self.laws[node as usize].1 as usize;
        Self::flow(self.targets[first + draw_index(draw)], terms + 1)
    }
}
