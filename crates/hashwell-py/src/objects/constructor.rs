//! Constructors of hash objects: a [`callable`] for each algorithm in the registry, all of them implemented by
//! [`Construct`], and `new`, which gets the algorithm as an argument.

use crate::boundary::buffer::Input;
use crate::boundary::builtin::{self, Builtin, Given};
use crate::boundary::callable::{self, About, Attributes};
use crate::boundary::errors::{self, Length};
use crate::boundary::sync;
use crate::objects::digest::{Digest, Message};
use crate::objects::xof::Xof;
use crate::rows::algorithm::{self, Algorithm, resolve};
use crate::rows::arguments::{self, Arguments};
use hashwell::registry::Parameter;
use hashwell::{ALGORITHMS, Hasher, Kind};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::ffi::CStr;

/// Creates the constructor with this name for an algorithm.
fn make<'py>(py: Python<'py>, row: &'static hashwell::Algorithm, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let class = if row.kind == Kind::Fixed { "Digest" } else { "Xof" };
    let warning = algorithm::warning(row).map_or_else(String::new, |text| format!("\n\n{text}"));
    let ranges = if row.accepts.is_empty() {
        String::new()
    } else {
        let name = row.name;
        format!(
            "\n\nThe arguments that are not listed below are parameters of the algorithm. Their ranges are in\n\
             hashwell.algorithms[\"{name}\"].parameters."
        )
    };
    let size = match (row.takes(Parameter::OutputLength), class) {
        (false, _) => "",
        (true, "Digest") => "\n    digest_size: The size of the digest in bytes.",
        (true, _) => "\n    digest_size: The number of bytes that digest() returns without a length.",
    };
    callable::make::<Construct>(
        py,
        About {
            name: name.to_owned(),
            signature: format!("(data=b'', *, {}, string=b'')", arguments::signature(row)),
            doc: format!(
                "Return a new {} object ({}), which is a hashwell.{class}.{warning}{ranges}\n\n\
                 Args:\n    \
                 data: The first part of the message.{size}\n    \
                 kernel: The name of a kernel in Algorithm.kernels.\n    \
                 usedforsecurity: Accepted for compatibility with hashlib, and ignored.\n    \
                 string: An alias for data, as in hashlib.",
                row.title, row.source
            ),
            row,
        },
    )
}

/// Adds a constructor for each name of each algorithm, and `new`.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    for row in ALGORITHMS {
        for name in std::iter::once(row.name).chain(algorithm::family_name(row)) {
            let name = algorithm::identifier(name);
            module.add(name.as_str(), make(module.py(), row, &name)?)?;
        }
    }
    const DOC: &str = "Return a hash object of the named algorithm, like hashlib.new.\n\n\
        Args:\n    \
        algorithm: The algorithm, given as a name, a constructor or an Algorithm object.\n    \
        data: The first part of the message.\n    \
        **params: Keyword arguments for the algorithm's constructor.\n\n\
        Returns:\n    A Digest, or a Xof if the algorithm is an extendable-output function.\n\n\
        Raises:\n    \
        ValueError: The algorithm is unknown, or a parameter is out of its range.\n    \
        TypeError: data is not a bytes-like object, or the algorithm has no such parameter.\n\n\
        Examples:\n    >>> import hashwell\n    \
        >>> hashwell.new(\"sha256\", b\"abc\").hexdigest()[:16]\n    'ba7816bf8f01cfea'";
    let signature = "algorithm, data=b'', **params";
    module.add("new", builtin::make::<New>(module.py(), "hashwell", "new", signature, DOC)?)
}

/// Returns the algorithm of a constructor.
fn row_of(function: &Bound<'_, PyAny>) -> Option<&'static hashwell::Algorithm> {
    Some(callable::about(function)?.row)
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
        let row = row_of(&owner).ok_or_else(|| errors::missing_argument("constructor", "row"))?;
        match arguments.positional {
            [] => object(py, row, None, arguments),
            [data] => object(py, row, Some(data), arguments),
            more => Err(errors::too_many_arguments(&algorithm::identifier(row.name), 1, more.len())),
        }
    }
}

impl Attributes for Construct {
    const NAMES: [&CStr; 9] = [
        c"__name__",
        c"__qualname__",
        c"__doc__",
        c"__text_signature__",
        c"algorithm",
        c"SALT_SIZE",
        c"PERSON_SIZE",
        c"MAX_KEY_SIZE",
        c"MAX_DIGEST_SIZE",
    ];

    fn attribute<'py>(py: Python<'py>, about: &About, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let row = about.row;
        // The attributes that hashlib has for BLAKE2.
        let size = |parameter| match row.limits(Parameter::Fanout) {
            Some(_) => row.limits(parameter).map(|limits| limits.max).into_pyobject(py).map(Some),
            None => Ok(None),
        };
        Ok(match name {
            "__name__" | "__qualname__" => Some(PyString::new(py, &about.name).into_any()),
            "__doc__" => Some(PyString::new(py, &about.doc).into_any()),
            "__text_signature__" => Some(PyString::new(py, &about.signature).into_any()),
            "algorithm" => Some(Bound::new(py, Algorithm { row })?.into_any()),
            "SALT_SIZE" => size(Parameter::Salt)?,
            "PERSON_SIZE" => size(Parameter::Personal)?,
            "MAX_KEY_SIZE" => size(Parameter::Key)?,
            "MAX_DIGEST_SIZE" if row.limits(Parameter::Fanout).is_some() => {
                Some(row.output_range.1.into_pyobject(py)?.into_any())
            }
            _ => None,
        })
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
            [] => new_by_name(py, arguments),
            [algorithm] => object(py, resolve(algorithm)?, None, arguments),
            [algorithm, data] => object(py, resolve(algorithm)?, Some(data), arguments),
            more => Err(errors::too_many_arguments("new", 2, more.len())),
        }
    }
}

/// Creates the object of a call without positional arguments, such as `new(algorithm="sha256")`.
#[cold]
fn new_by_name<'py>(py: Python<'py>, arguments: Given<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    let is_algorithm = |(keyword, _): &(Bound<'py, PyString>, _)| keyword == ALGORITHM;
    let (_, algorithm) =
        arguments.named().find(is_algorithm).ok_or_else(|| errors::missing_argument("new", ALGORITHM))?;
    object_with(py, resolve(algorithm)?, None, arguments.named().filter(|named| !is_algorithm(named)))
}

/// The name of the first argument of `new`.
const ALGORITHM: &str = "algorithm";

/// Creates the object that a call returns. The positional arguments of the call have already been read.
#[inline]
fn object<'a, 'py>(
    py: Python<'py>,
    row: &'static hashwell::Algorithm,
    data: Option<&'a Borrowed<'a, 'py, PyAny>>,
    arguments: Given<'a, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let data = data.map(|data| &**data);
    if arguments.has_keywords() {
        object_with(py, row, data, arguments.named())
    } else {
        wrap(py, row, None, algorithm::digest_size(row), data)
    }
}

fn object_with<'a, 'py>(
    py: Python<'py>,
    row: &'static hashwell::Algorithm,
    mut data: Option<&'a Bound<'py, PyAny>>,
    named: impl Iterator<Item = (Bound<'py, PyString>, &'a Bound<'py, PyAny>)>,
) -> PyResult<Bound<'py, PyAny>> {
    let function = algorithm::identifier(row.name);
    let mut arguments = Arguments::new(row);
    for (keyword, value) in named {
        // hashlib's functions call this argument string, and its types call it data. Newer versions accept both.
        if !matches!(&*keyword.to_cow()?, "data" | "string") {
            arguments.set(&function, &keyword, value)?;
        } else if data.replace(value).is_some() {
            return Err(errors::two_values(&function, "data"));
        }
    }
    let (hasher, digest_size) = arguments.build()?;
    wrap(py, row, Some(hasher), digest_size, data)
}

/// Creates the Python object of a hasher and appends `data`. The default is a hasher of the algorithm without
/// parameters.
#[inline]
pub(crate) fn wrap<'py>(
    py: Python<'py>,
    row: &'static hashwell::Algorithm,
    hasher: Option<Hasher>,
    digest_size: usize,
    data: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut message = hasher.map_or_else(Message::new, Message::of);
    if let Some(data) = data {
        let input = Input::of(data)?;
        let bytes = input.as_slice();
        if sync::is_long(bytes.len()) {
            sync::run_pieces(py, bytes.len(), sync::pieces(bytes), |piece| message.update(row, piece))?;
        } else {
            sync::run(py, bytes.len(), || message.update(row, bytes));
        }
    }
    Ok(match row.kind {
        Kind::Fixed => Digest::new(row, message, digest_size).into_object(py)?,
        Kind::Xof => Bound::new(py, Xof::new(row, message, digest_size))?.into_any(),
    })
}

/// Returns a hasher with keyword arguments, and its digest size, which `length` overrides.
pub(crate) fn hasher_with(
    row: &'static hashwell::Algorithm,
    length: Option<Length>,
    params: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Hasher, usize)> {
    with_arguments(row, params, |arguments| {
        arguments.digest_size = length.map(|Length(size)| size).or(arguments.digest_size);
        arguments.build()
    })
}

/// Calls `make` with the parameters from the keyword arguments `params`.
pub(crate) fn with_arguments<T>(
    row: &'static hashwell::Algorithm,
    params: Option<&Bound<'_, PyDict>>,
    make: impl FnOnce(&mut Arguments<'_, '_>) -> PyResult<T>,
) -> PyResult<T> {
    let function = algorithm::identifier(row.name);
    let items: Vec<_> = params.map_or(Vec::new(), |params| params.iter().collect());
    let mut arguments = Arguments::new(row);
    for (keyword, value) in &items {
        arguments.set(&function, keyword.cast::<PyString>()?, value)?;
    }
    make(&mut arguments)
}
