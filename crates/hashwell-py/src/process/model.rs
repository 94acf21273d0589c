//! The built-in processes of the registry.

use super::faults::from_draw;
use super::many::{Many, detached, interruptible};
use super::seed::Origin;
use super::term::drawn;
use super::value::{array, columns, distribution, key, object, value_of, weighted};
use crate::boundary::errors::{self, exception};
use hashwell_draw::process::interpret::{Depth, Limits, MAX_TERMS, Score, Tree};
use hashwell_draw::process::registry::{self, Argument, Given, Kind, Model, Value, ValueKind};
use hashwell_draw::process::{Outcome, Streams, picture};
use hashwell_draw::{Error, RandomSource, Watch};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

/// A model of the registry, for [`Engine`](super::engine::Engine).
pub(crate) struct NativeModel(Model);

impl NativeModel {
    /// Creates the process with this name and these named parameters.
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
        mut words: Box<dyn RandomSource + Send>,
        terms: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let value = interruptible(py, |watch| self.0.sample(&mut *words, &limits(terms, watch)))?;
        object(py, value)
    }

    pub(crate) fn trace<'py>(
        &self,
        py: Python<'py>,
        mut words: Box<dyn RandomSource + Send>,
        terms: u64,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let trace = interruptible(py, |watch| self.0.trace(&mut *words, &limits(terms, watch)))?;
        (drawn(py, trace.terms)?, object(py, trace.out)?, trace.log_weight).into_pyobject(py)
    }

    /// Returns the lengths of the pieces that are broken off the stick, and the length of the rest.
    pub(crate) fn sticks(
        &self,
        py: Python<'_>,
        mut words: Box<dyn RandomSource + Send>,
    ) -> PyResult<(Vec<f64>, f64)> {
        let work = |watch: &Watch<'_>| self.0.sticks(&mut *words, &limits(MAX_TERMS, watch)).transpose();
        interruptible(py, work)?.ok_or_else(|| self.lacks("sticks"))
    }

    pub(crate) fn score(&self, py: Python<'_>, outcomes: &[Outcome]) -> PyResult<Score> {
        interruptible(py, |watch| self.0.score(outcomes, &limits(MAX_TERMS, watch)))
    }

    pub(crate) fn simulate<'py>(&self, py: Python<'py>, many: &Many) -> PyResult<Bound<'py, PyAny>> {
        let done = self.replicated(py, many, |streams, limits| self.0.simulate(streams, limits))?;
        columns(py, done)
    }

    pub(crate) fn weigh<'py>(&self, py: Python<'py>, many: &Many) -> PyResult<Bound<'py, PyTuple>> {
        let done = self.replicated(py, many, |streams, limits| self.0.weigh(streams, limits))?;
        let outs = PyList::empty(py);
        for value in done.outs {
            outs.append(object(py, value)?)?;
        }
        weighted(py, outs.into_any(), done.log_weights)
    }

    /// Runs `work` on the replicates, without the interpreter.
    fn replicated<R: Send>(
        &self,
        py: Python<'_>,
        many: &Many,
        work: impl FnOnce(Streams<'_>, &Limits<'_>) -> Result<R, Error> + Send,
    ) -> PyResult<R> {
        let mut shared = match many.origin {
            Origin::Run(_) => None,
            Origin::Mwc => Some(many.origin.words(None)?),
        };
        let done = detached(
            py,
            |py, done| many.tell(py, done),
            |watch| {
                let limits = Limits { threads: many.threads, ..limits(many.terms, watch) };
                match (&many.origin, &mut shared) {
                    (Origin::Run(run), _) => work(Streams::Separate(run, many.replicates()), &limits),
                    (Origin::Mwc, Some(words)) => work(Streams::Shared(&mut **words, many.len()), &limits),
                    (Origin::Mwc, None) => unreachable!("its generator was made"),
                }
            },
        )?;
        many.tell(py, many.len())?;
        Ok(done)
    }

    /// Returns the distribution of the process's values, or of its statistic.
    pub(crate) fn exact<'py>(
        &self,
        py: Python<'py>,
        &Limits { mass, steps, states, .. }: &Limits<'_>,
        statistic: bool,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let exact = interruptible(py, |watch| {
            let limits = Limits { mass, steps, states, watch, ..Limits::default() };
            if statistic { self.0.exact_statistic(&limits) } else { self.0.exact(&limits) }
        })?;
        distribution(py, exact, |value| key(py, value))
    }

    pub(crate) fn explain(&self, py: Python<'_>, depth: &Depth) -> PyResult<Tree> {
        interruptible(py, |watch| self.0.explain(depth, &limits(MAX_TERMS, watch)))
    }

    pub(crate) fn moments(&self, py: Python<'_>) -> Vec<(&'static str, f64)> {
        py.detach(|| self.0.moments())
    }

    /// `states, probabilities, log_evidence`. For each time there is a row of `states` probabilities.
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
        Ok(picture::of(&self.0, &self.value(value)?))
    }

    fn value(&self, value: &Bound<'_, PyAny>) -> PyResult<Value> {
        value_of(self.0.entry().values, value)
    }

    fn lacks(&self, what: &str) -> PyErr {
        exception::<PyTypeError>(format!("{} has no {what}", self.0.entry().name))
    }
}

fn limits<'w>(terms: u64, watch: &'w Watch<'w>) -> Limits<'w> {
    Limits { terms, watch, ..Limits::default() }
}

/// Reads a parameter. A NumPy array is first converted to a list of Python numbers, which is much faster.
fn argument(name: &str, kind: Kind, value: &Bound<'_, PyAny>) -> PyResult<Argument> {
    let list = value.call_method0("tolist");
    let value = list.as_ref().unwrap_or(value);
    let read = match kind {
        Kind::Number => value.extract().map(Argument::Number),
        Kind::Whole => return errors::whole(value, name, "-2**63 to 2**63 - 1").map(Argument::Whole),
        Kind::Numbers => value.extract().map(Argument::Numbers),
        Kind::Wholes => value.extract().map(Argument::Wholes),
        Kind::Matrix => value.extract().map(Argument::Matrix),
    };
    read.map_err(|error| errors::of_argument(value.py(), name, error))
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.setattr("_process_rows", wrap_pyfunction!(process_rows, module)?)
}

/// Return the registry's description of each built-in process.
///
/// A description is `(name, (title, law, source, cost), parameters, encodings, outcome, statistic)`. Each parameter
/// is `(name, kind, range, help, default)`.
#[pyfunction(name = "_process_rows")]
fn process_rows(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let rows = PyList::empty(py);
    for row in registry::PROCESSES {
        let parameters = PyList::empty(py);
        for parameter in row.parameters {
            let (name, kind) = (python_name(parameter.name), format!("{:?}", parameter.kind));
            parameters.append((name, kind, parameter.range, parameter.help, parameter.default))?;
        }
        let (name, outcome) = (python_name(row.name), kind_name(row.values));
        let texts = (row.title, row.distribution, row.source, row.cost);
        rows.append((name, texts, parameters, row.encodings, outcome, row.statistic))?;
    }
    Ok(rows)
}

/// The name as a Python identifier.
fn python_name(name: &str) -> String {
    name.replace('-', "_")
}

fn kind_name(outcome: ValueKind) -> &'static str {
    match outcome {
        ValueKind::Whole => "int",
        ValueKind::Wholes => "list[int]",
        ValueKind::Reals => "list[float]",
        ValueKind::Labels => "Restaurant",
    }
}
