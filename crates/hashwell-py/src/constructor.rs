//! Hashing objects from calls: one builtin function per registry row, all of them [`Construct`] with the
//! row's [`Algorithm`] as owner; and `new`, which is told the row.

use crate::algorithm::{self, Algorithm, resolve};
use crate::arguments::{self, Arguments};
use crate::buffer::Input;
use crate::builtin::{self, Builtin, Given};
use crate::digest::{Digest, Message};
use crate::errors::{self, Length};
use crate::sync;
use crate::xof::{Phase, Xof};
use hashwell::{Hasher, Kind};
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyString};

/// The constructor of a row, by this name.
pub(crate) fn make<'py>(owner: &Bound<'py, Algorithm>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let row = owner.get().row;
    let class = if row.kind == Kind::Fixed { "Digest" } else { "Xof" };
    let signature = format!("data=b'', *, {}", arguments::signature(row));
    let doc = format!("{} ({}). Returns a hashwell.{class}.", row.title, row.source);
    builtin::make::<Construct>(owner.py(), Some(owner.as_any()), name, &signature, &doc)
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    const DOC: &str = "An object of the named algorithm, a Digest or a Xof.\n\n\
        Keyword arguments are those of its constructor.";
    let signature = "algorithm, data=b'', **params";
    module.add("new", builtin::make::<New>(module.py(), None, "new", signature, DOC)?)
}

/// The row of a constructor.
pub(crate) fn row_of(function: &Bound<'_, PyAny>) -> Option<&'static hashwell::Algorithm> {
    let owner = function.cast::<PyCFunction>().ok()?.getattr("__self__").ok()?;
    Some(owner.cast::<Algorithm>().ok()?.get().row)
}

struct Construct;

impl Builtin for Construct {
    #[inline]
    fn call<'py>(
        py: Python<'py>,
        owner: Option<Borrowed<'_, 'py, PyAny>>,
        arguments: Given<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let owner = owner.ok_or_else(|| errors::missing_argument("constructor", "row"))?;
        let row = owner.cast_exact::<Algorithm>()?.get().row;
        match arguments.positional {
            [] => object(py, row, None, arguments),
            [data] => object(py, row, Some(data), arguments),
            more => Err(errors::too_many_arguments(&algorithm::identifier(row.name), 1, more.len())),
        }
    }
}

struct New;

impl Builtin for New {
    #[inline]
    fn call<'py>(
        py: Python<'py>,
        _: Option<Borrowed<'_, 'py, PyAny>>,
        arguments: Given<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match arguments.positional {
            [] => Err(errors::missing_argument("new", "algorithm")),
            [algorithm] => object(py, resolve(algorithm)?, None, arguments),
            [algorithm, data] => object(py, resolve(algorithm)?, Some(data), arguments),
            more => Err(errors::too_many_arguments("new", 2, more.len())),
        }
    }
}

/// The object of a call whose positional arguments are dealt with.
#[inline]
fn object<'a, 'py>(
    py: Python<'py>,
    row: &'static hashwell::Algorithm,
    data: Option<&'a Borrowed<'a, 'py, PyAny>>,
    arguments: Given<'a, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let data = data.map(|data| &**data);
    if arguments.has_keywords() {
        object_with(py, row, data, arguments)
    } else {
        wrap(py, row, None, algorithm::digest_size(row), data)
    }
}

fn object_with<'a, 'py>(
    py: Python<'py>,
    row: &'static hashwell::Algorithm,
    mut data: Option<&'a Bound<'py, PyAny>>,
    given: Given<'a, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let function = algorithm::identifier(row.name);
    let mut arguments = Arguments::new(row);
    for (keyword, value) in given.named() {
        if keyword.to_cow()? != "data" {
            arguments.set(&function, &keyword, value)?;
        } else if data.replace(value).is_some() {
            return Err(errors::two_values(&function, "data"));
        }
    }
    let (hasher, digest_size) = arguments.build()?;
    wrap(py, row, Some(hasher), digest_size, data)
}

/// The Python object of a hasher, by default the row's plain one, that then absorbs `data`.
#[inline]
pub(crate) fn wrap<'py>(
    py: Python<'py>,
    row: &'static hashwell::Algorithm,
    hasher: Option<Hasher>,
    digest_size: usize,
    data: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    match row.kind {
        Kind::Fixed => {
            let mut message = hasher.map_or_else(Message::new, Message::of);
            if let Some(data) = data {
                let input = Input::of(data)?;
                let bytes = input.as_slice();
                sync::run_pieces(py, bytes.len(), sync::pieces(bytes), |piece| message.update(row, piece))?;
            }
            Ok(Bound::new(py, Digest::new(row, message, digest_size))?.into_any())
        }
        Kind::Xof => {
            let phase = Phase::new(hasher.unwrap_or_else(|| row.hasher()));
            let object = Bound::new(py, Xof::new(row, phase, digest_size))?;
            data.map_or(Ok(()), |data| object.get().absorb_bytes(py, data))?;
            Ok(object.into_any())
        }
    }
}

/// A hasher with keyword arguments, and its digest size, which `length` overrides.
pub(crate) fn hasher_with(
    row: &'static hashwell::Algorithm,
    length: Option<Length>,
    params: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Hasher, usize)> {
    let function = algorithm::identifier(row.name);
    let items: Vec<_> = params.map_or(Vec::new(), |params| params.iter().collect());
    let mut arguments = Arguments::new(row);
    for (keyword, value) in &items {
        arguments.set(&function, keyword.cast::<PyString>()?, value)?;
    }
    arguments.digest_size = length.map(|Length(size)| size).or(arguments.digest_size);
    arguments.build()
}
