//! The built-in processes, by the registry.

use super::asked::Many;
use super::live::from_draw;
use super::seed::words_of;
use hashwell_draw::process::interpret::{Depth, Limit, Tree};
use hashwell_draw::process::registry::{self, Argument, Given, Kind, Model, Outcome, Value};
use hashwell_draw::process::{Draw, Run, picture};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyList, PyString, PyTuple};

pub(crate) struct BuiltIn(Box<dyn Model>);

impl BuiltIn {
    /// The process of a name and of parameters by name.
    pub(crate) fn new(name: &str, given: &Bound<'_, PyDict>, encoding: Option<&str>) -> PyResult<Self> {
        let row = registry::find(name).map_err(from_draw)?;
        let mut arguments = Given::new();
        for (name, value) in given {
            let name = name.cast::<PyString>()?.to_cow()?.into_owned();
            let parameter = row.parameters.iter().find(|parameter| parameter.name.replace('-', "_") == name);
            let kind = parameter.map_or(Kind::Number, |parameter| parameter.kind);
            arguments = arguments.with(&name, argument(kind, &value)?);
        }
        row.build(&arguments, encoding).map(Self).map_err(from_draw)
    }

    pub(crate) fn sample<'py>(
        &self,
        py: Python<'py>,
        run: &Run,
        replicate: Option<u64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut words = words_of(run, replicate)?;
        let value = py.detach(|| self.0.sample(&mut words)).map_err(from_draw)?;
        as_object(py, value)
    }

    pub(crate) fn trace<'py>(
        &self,
        _: Python<'py>,
        _: &Run,
        _: Option<u64>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        Err(self.lacks("a trace"))
    }

    pub(crate) fn score(&self, _: &[Draw]) -> PyResult<(f64, f64)> {
        Err(self.lacks("a score"))
    }

    pub(crate) fn simulate<'py>(&self, _: Python<'py>, _: &Many<'py>) -> PyResult<Bound<'py, PyAny>> {
        Err(self.lacks("simulations"))
    }

    pub(crate) fn weigh<'py>(&self, _: Python<'py>, _: &Many<'py>) -> PyResult<Bound<'py, PyTuple>> {
        Err(self.lacks("weights"))
    }

    pub(crate) fn exact<'py>(&self, _: Python<'py>, _: &Limit) -> PyResult<Bound<'py, PyTuple>> {
        Err(self.lacks("an exact law"))
    }

    pub(crate) fn explain(&self, _: &Depth) -> PyResult<Tree> {
        Err(self.lacks("a tree"))
    }

    pub(crate) fn moments(&self) -> Vec<(&'static str, f64)> {
        self.0.moments()
    }

    pub(crate) fn log_probability(&self, value: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
        Ok(self.0.log_probability(&self.value(value)?))
    }

    fn lacks(&self, what: &str) -> PyErr {
        PyTypeError::new_err(format!("{} has not {what}", self.0.row().name))
    }

    /// A value of Python's as one of this process.
    fn value(&self, value: &Bound<'_, PyAny>) -> PyResult<Value> {
        Ok(match self.0.row().outcome {
            Outcome::Whole => Value::Whole(value.extract()?),
            Outcome::Wholes => Value::Wholes(value.extract()?),
            Outcome::Reals => Value::Reals(value.extract()?),
            Outcome::Labels => Value::Labels(value.extract()?),
        })
    }

    pub(crate) fn picture(&self, value: &Bound<'_, PyAny>) -> PyResult<String> {
        match self.value(value)? {
            Value::Labels(labels) => Ok(picture::restaurant(&labels)),
            _ => Err(self.lacks("a picture")),
        }
    }
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.setattr("process_rows", wrap_pyfunction!(process_rows, module)?)
}

/// What the registry says of each built-in process: `(name, title, law, source, cost, parameters, encodings, outcome)`,
/// with a `(name, kind, range, help, default)` for each parameter.
#[pyfunction]
fn process_rows(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let rows = PyList::empty(py);
    for row in registry::PROCESSES {
        let parameters = PyList::empty(py);
        for parameter in row.parameters {
            let kind = format!("{:?}", parameter.kind);
            let name = parameter.name.replace('-', "_");
            parameters.append((name, kind, parameter.range, parameter.help, parameter.default))?;
        }
        let name = row.name.replace('-', "_");
        let outcome = format!("{:?}", row.outcome);
        rows.append((name, row.title, row.law, row.source, row.cost, parameters, row.encodings, outcome))?;
    }
    Ok(rows)
}

/// A parameter of Python's. Texts are read as the command reads them.
fn argument(kind: Kind, value: &Bound<'_, PyAny>) -> PyResult<Argument> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Argument::Text(text.to_cow()?.into_owned()));
    }
    Ok(match kind {
        Kind::Number => Argument::Number(value.extract()?),
        Kind::Whole => Argument::Whole(value.extract()?),
        Kind::Numbers => Argument::Numbers(value.extract()?),
        Kind::Wholes => Argument::Wholes(value.extract()?),
        Kind::Matrix => Argument::Matrix(value.extract()?),
    })
}

/// A value: an int, a list, or labels as a bytearray of native numbers of 32 bits.
fn as_object(py: Python<'_>, value: Value) -> PyResult<Bound<'_, PyAny>> {
    Ok(match value {
        Value::Whole(whole) => whole.into_pyobject(py)?.into_any(),
        Value::Wholes(wholes) => PyList::new(py, wholes)?.into_any(),
        Value::Reals(reals) => PyList::new(py, reals)?.into_any(),
        Value::Labels(labels) => numbers(py, &labels, |label| label.to_ne_bytes())?.into_any(),
    })
}

/// Native numbers, for memoryview and NumPy.
fn numbers<'py, T: Copy, const N: usize>(
    py: Python<'py>,
    items: &[T],
    bytes: impl Fn(T) -> [u8; N],
) -> PyResult<Bound<'py, PyByteArray>> {
    PyByteArray::new_with(py, items.len() * N, |out| {
        for (place, &item) in out.as_chunks_mut::<N>().0.iter_mut().zip(items) {
            *place = bytes(item);
        }
        Ok(())
    })
}
