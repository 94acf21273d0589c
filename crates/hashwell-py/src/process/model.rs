//! The built-in processes, by the registry.

use super::asked::{self, Many};
use super::faults::from_draw;
use super::seed::Origin;
use super::term::drawn;
use super::value::{array, columns, key, object, value_of};
use super::watched::Watched;
use crate::border::errors::{self, exception};
use crate::border::sync::Pace;
use hashwell_draw::Words;
use hashwell_draw::process::interpret::{Depth, Limit, Tree};
use hashwell_draw::process::registry::{self, Argument, Given, Kind, Model, Outcome, Value};
use hashwell_draw::process::{Draw, picture};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

pub(crate) struct BuiltIn(Box<dyn Model>);

impl BuiltIn {
    /// The process of a name and of parameters by name.
    pub(crate) fn new(name: &str, given: &Bound<'_, PyDict>, encoding: Option<&str>) -> PyResult<Self> {
        let row = registry::find(name).map_err(from_draw)?;
        let mut arguments = Given::new();
        for (name, value) in given {
            let name = name.cast::<PyString>()?.to_cow()?.into_owned();
            let parameter = row.parameters.iter().find(|parameter| python_name(parameter.name) == name);
            let kind = parameter.map_or(Kind::Number, |parameter| parameter.kind);
            arguments = arguments.with(&name, argument(&name, kind, &value)?);
        }
        row.build(&arguments, encoding).map(Self).map_err(from_draw)
    }

    pub(crate) fn sample<'py>(
        &self,
        py: Python<'py>,
        origin: Origin,
        replicate: Option<u64>,
        terms: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut words = Watched::new(origin.words(replicate)?);
        let done = watched(py, |ask| self.0.sample_while(&mut words, terms, &mut || ask()))?;
        let raised = words.raised().map_or(Ok(()), Err);
        raised.and_then(|()| object(py, done.map_err(from_draw)?.expect("a no is an exception")))
    }

    pub(crate) fn trace<'py>(
        &self,
        py: Python<'py>,
        origin: Origin,
        replicate: Option<u64>,
        terms: u64,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let trace = self.with_words(py, origin, replicate, |words| self.0.trace_within(words, terms))?;
        (drawn(py, trace.terms)?, object(py, trace.out)?, trace.log_weight).into_pyobject(py)
    }

    /// The lengths of sticks, and what is left.
    pub(crate) fn sticks(
        &self,
        py: Python<'_>,
        origin: Origin,
        replicate: Option<u64>,
    ) -> PyResult<(Vec<f64>, f64)> {
        let sticks = self.with_words(py, origin, replicate, |words| self.0.sticks(words).transpose())?;
        sticks.ok_or_else(|| self.lacks("sticks"))
    }

    /// Runs `f`, which may take long, with the words of a run, while other threads run.
    fn with_words<R: Send>(
        &self,
        py: Python<'_>,
        origin: Origin,
        replicate: Option<u64>,
        f: impl FnOnce(&mut dyn Words) -> Result<R, hashwell_draw::Error> + Send,
    ) -> PyResult<R> {
        let mut words = Watched::new(origin.words(replicate)?);
        let done = py.detach(|| f(&mut words));
        words.raised().map_or_else(|| done.map_err(from_draw), Err)
    }

    pub(crate) fn score(&self, py: Python<'_>, draws: &[Draw]) -> PyResult<(f64, f64)> {
        let score = watched(py, |ask| self.0.score_while(draws, ask))?.map_err(from_draw)?;
        Ok((score.log_probability, score.log_weight))
    }

    pub(crate) fn simulate<'py>(&self, py: Python<'py>, many: &Many) -> PyResult<Bound<'py, PyAny>> {
        let terms = many.simulation.terms;
        let done = match many.origin {
            Origin::Run(run) => asked::detached(py, many, 0, |look| {
                self.0.simulate(&run, many.replicates(), &many.simulation, look)
            }),
            Origin::Mwc => {
                // An urn is asked by its words alone.
                let mut words = Watched::new(many.origin.words(None)?);
                let done = asked::detached(py, many, 0, |look| {
                    self.0.simulate_in_a_row(&mut words, many.len(), terms, look)
                });
                words.raised().map_or(done, Err)
            }
        }?;
        many.tell(py, many.len())?;
        columns(py, done)
    }

    pub(crate) fn weigh<'py>(&self, py: Python<'py>, many: &Many) -> PyResult<Bound<'py, PyTuple>> {
        let outs = PyList::empty(py);
        let log_weights = match many.origin {
            Origin::Run(run) => {
                let done = asked::detached(py, many, 0, |look| {
                    self.0.weigh(&run, many.replicates(), &many.simulation, look)
                })?;
                many.tell(py, many.len())?;
                for value in done.outs {
                    outs.append(object(py, value)?)?;
                }
                done.log_weights
            }
            Origin::Mwc => {
                let mut log_weights = Vec::new();
                asked::each(py, many, |j, words| {
                    let trace = self.0.trace_within(words, many.simulation.terms);
                    let trace = trace.map_err(|error| from_draw(error.in_replicate(j)))?;
                    log_weights.push(trace.log_weight);
                    outs.append(object(py, trace.out)?)
                })?;
                log_weights
            }
        };
        asked::weighted(py, outs.into_any(), log_weights)
    }

    /// Of what comes of the process, or of what sums it up.
    pub(crate) fn exact<'py>(
        &self,
        py: Python<'py>,
        limit: &Limit,
        statistic: bool,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let (mass, steps, states) = (limit.mass, limit.steps, limit.states);
        let exact = watched(py, |ask| {
            let limit = Limit { mass, steps, states, ask: Some(ask) };
            if statistic { self.0.statistic_law(&limit) } else { self.0.exact(&limit) }
        })?;
        asked::law(py, exact.map_err(from_draw)?, |value| key(py, value))
    }

    pub(crate) fn explain(&self, py: Python<'_>, depth: &Depth) -> PyResult<Tree> {
        watched(py, |ask| self.0.explain_while(depth, ask))?.map_err(from_draw)
    }

    pub(crate) fn moments(&self, py: Python<'_>) -> Vec<(&'static str, f64)> {
        py.detach(|| self.0.moments())
    }

    /// `states, probabilities, log_evidence`, a row of so many probabilities for each time.
    pub(crate) fn smooth<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let smoothed = py.detach(|| self.0.smooth()).ok_or_else(|| self.lacks("hidden states"))?;
        let smoothed = smoothed.map_err(from_draw)?;
        let probabilities = array(py, &smoothed.probabilities, f64::to_ne_bytes)?;
        (smoothed.states, probabilities, smoothed.log_evidence).into_pyobject(py)
    }

    pub(crate) fn log_probability(&self, value: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
        Ok(self.0.log_probability(&self.value(value)?))
    }

    pub(crate) fn picture(&self, value: &Bound<'_, PyAny>) -> PyResult<String> {
        Ok(picture::of(&*self.0, &self.value(value)?))
    }

    fn value(&self, value: &Bound<'_, PyAny>) -> PyResult<Value> {
        value_of(self.0.row().outcome, value)
    }

    fn lacks(&self, what: &str) -> PyErr {
        exception::<PyTypeError>(format!("{} has no {what}", self.0.row().name))
    }
}

/// Runs `f` detached with a question whether to go on, which lets Python handle signals now and then; what a handler
/// raises ends it.
fn watched<R: Send>(py: Python<'_>, f: impl FnOnce(&dyn Fn() -> ControlFlow<()>) -> R + Send) -> PyResult<R> {
    /// Questions between two looks at the clock, which costs more than an answer.
    const BETWEEN: u32 = 1 << 8;
    let (done, raised) = py.detach(|| {
        let (asked, pace, raised) = (Cell::new(0_u32), RefCell::new(Pace::new()), RefCell::new(None));
        let done = f(&|| {
            asked.set(asked.get().wrapping_add(1));
            if asked.get() % BETWEEN != 0 {
                return ControlFlow::Continue(());
            }
            match pace.borrow_mut().look() {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    raised.borrow_mut().get_or_insert(error);
                    ControlFlow::Break(())
                }
            }
        });
        (done, raised.into_inner())
    });
    raised.map_or(Ok(done), Err)
}

/// A parameter of Python's. NumPy's arrays are lists of Python's numbers first, which is much faster.
fn argument(name: &str, kind: Kind, value: &Bound<'_, PyAny>) -> PyResult<Argument> {
    let list = value.call_method0("tolist");
    let value = list.as_ref().unwrap_or(value);
    let read = match kind {
        Kind::Number => value.extract().map(Argument::Number),
        Kind::Whole => return errors::whole(value, name, "less than 2**63 in size").map(Argument::Whole),
        Kind::Numbers => value.extract().map(Argument::Numbers),
        Kind::Wholes => value.extract().map(Argument::Wholes),
        Kind::Matrix => value.extract().map(Argument::Matrix),
    };
    read.map_err(|error| errors::of_argument(value.py(), name, error))
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.setattr("process_rows", wrap_pyfunction!(process_rows, module)?)
}

/// What the registry says of each built-in process: `(name, (title, law, source, cost), parameters, encodings, outcome,
/// statistic)`, with a `(name, kind, range, help, default)` for each parameter.
#[pyfunction]
fn process_rows(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let rows = PyList::empty(py);
    for row in registry::PROCESSES {
        let parameters = PyList::empty(py);
        for parameter in row.parameters {
            let (name, kind) = (python_name(parameter.name), format!("{:?}", parameter.kind));
            parameters.append((name, kind, parameter.range, parameter.help, parameter.default))?;
        }
        let (name, outcome) = (python_name(row.name), outcome_name(row.outcome));
        let texts = (row.title, row.law, row.source, row.cost);
        rows.append((name, texts, parameters, row.encodings, outcome, row.statistic))?;
    }
    Ok(rows)
}

/// A name as Python has it.
fn python_name(name: &str) -> String {
    name.replace('-', "_")
}

fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Whole => "int",
        Outcome::Wholes => "list[int]",
        Outcome::Reals => "list[float]",
        Outcome::Labels => "Restaurant",
    }
}
