//! The algorithms of the registry as Python objects, and the names of algorithms in arguments.

use crate::boundary::callable;
use crate::boundary::errors::{self, exception};
use hashwell::{ALGORITHMS, KernelInfo, Kind, Status};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyFrozenSet, PyMappingProxy, PyString, PyTuple, PyType};
use std::hash::{Hash, Hasher};

/// The function that pickle calls to restore a [`Kernel`], and its arguments.
type Reduced<'py> = (Bound<'py, PyAny>, (&'static str, bool, bool));

/// An algorithm of the package, with its properties. hashwell.algorithms[name] returns an equal object.
///
/// Objects of the same algorithm are equal.
///
/// Args:
///     name: The name of the algorithm or one of its aliases.
///
/// Raises:
///     ValueError: There is no such algorithm.
///
/// Examples:
///     >>> import hashwell
///     >>> row = hashwell.Algorithm("SHA-256")
///     >>> row.name, row.kind, row.digest_size, row.source
///     ('sha256', 'digest', 32, 'FIPS 180-4 section 6.2')
#[pyclass(frozen, eq, hash, module = "hashwell")]
#[derive(PartialEq)]
pub(crate) struct Algorithm {
    pub(crate) row: &'static hashwell::Algorithm,
}

impl Hash for Algorithm {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.row.name.hash(state);
    }
}

#[pymethods]
impl Algorithm {
    /// The canonical name, the same in all language bindings.
    #[getter]
    fn name(&self) -> &'static str {
        self.row.name
    }

    /// The name of the algorithm in its standard.
    #[getter]
    fn title(&self) -> &'static str {
        self.row.title
    }

    /// Other accepted names.
    #[getter]
    fn aliases<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.row.aliases)
    }

    /// The kind of output: 'digest' has a fixed length, and 'xof' has any length.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.row.kind {
            Kind::Fixed => "digest",
            Kind::Xof => "xof",
        }
    }

    /// The security status: 'sound', 'legacy', 'broken' or 'experimental'.
    ///
    /// No published attack on a 'sound' algorithm is better than the generic attacks. A 'legacy' algorithm is superseded.
    /// For a 'broken' algorithm, practical collisions exist. For an 'experimental' algorithm, no public analysis
    /// exists.
    #[getter]
    fn status(&self) -> &'static str {
        self.row.status.name()
    }

    /// The block size in bytes. For a sponge function, it is the rate.
    #[getter]
    fn block_size(&self) -> usize {
        self.row.block
    }

    /// The number of bytes that digest() returns without a length, or 0 if it needs a length.
    #[getter]
    fn digest_size(&self) -> usize {
        digest_size(self.row)
    }

    /// The minimum and maximum digest size in bytes. The maximum is None if there is no limit.
    #[getter]
    fn digest_size_range(&self) -> (usize, Option<usize>) {
        let (min, max) = self.row.output_range;
        (min, (max != usize::MAX).then_some(max))
    }

    /// True if HMAC and HKDF are defined for this algorithm.
    #[getter]
    fn hmac(&self) -> bool {
        self.row.hmac
    }

    /// The keyword parameters of the constructor, as a dict that maps each name to its minimum and maximum.
    ///
    /// For `domain` and the parameters of BLAKE2's tree mode, the minimum and maximum are values. For the other
    /// parameters, they are lengths in bytes. The maximum is None if there is no limit.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let parameters = PyDict::new(py);
        for limits in self.row.accepts {
            let keyword = limits.parameter.row().keyword;
            parameters.set_item(keyword, (limits.min, (limits.max != u64::MAX).then_some(limits.max)))?;
        }
        Ok(parameters)
    }

    /// The standard and section that define the algorithm.
    #[getter]
    fn source(&self) -> &'static str {
        self.row.source
    }

    /// The kernels (implementations for particular CPUs) of this algorithm.
    ///
    /// The attribute `chosen` is True for the kernel that this machine uses. To find it, this attribute measures the
    /// speed of the kernels if necessary.
    #[getter]
    fn kernels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        kernels(py, self.row.kernels())
    }

    /// The kernels that hash many messages in parallel. The tuple is empty if messages are hashed one by one.
    #[getter]
    fn batch_kernels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        kernels(py, self.row.batch_kernels())
    }

    /// Return the algorithm with this name or alias.
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        hashwell::find(name).map(|row| Self { row }).map_err(errors::from_library)
    }

    /// Supports pickle. The name is stored, so another machine uses its own kernels.
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (&'static str,)) {
        (py.get_type::<Self>(), (self.row.name,))
    }

    fn __repr__(&self) -> String {
        format!("<hashwell.Algorithm '{}'{}>", self.row.name, status_word(self.row))
    }
}

/// The status of an algorithm for its repr, such as ", broken". It is empty if there is no reason for a warning.
pub(crate) fn status_word(row: &hashwell::Algorithm) -> String {
    if row.status == Status::Sound { String::new() } else { format!(", {}", row.status.name()) }
}

/// The warning in the documentation of an algorithm that is not recommended.
pub(crate) fn warning(row: &hashwell::Algorithm) -> Option<&'static str> {
    match row.status {
        Status::Sound => None,
        Status::Legacy => Some("Legacy: it is superseded. Use it only to check existing data."),
        Status::Broken => Some("Broken: practical collisions exist."),
        Status::Experimental => Some("Experimental: no public analysis exists. Do not use it in production."),
        _ => Some("It is not known to be sound."),
    }
}

fn kernels(py: Python<'_>, rows: Vec<KernelInfo>) -> PyResult<Bound<'_, PyTuple>> {
    let kernels = rows
        .into_iter()
        .map(|KernelInfo { name, available, chosen, .. }| Bound::new(py, Kernel { name, available, chosen }));
    PyTuple::new(py, kernels.collect::<PyResult<Vec<_>>>()?)
}

/// An implementation of an algorithm for one kind of CPU. Algorithm.kernels lists these objects.
///
/// Examples:
///     >>> import hashwell
///     >>> portable = hashwell.Algorithm("sha256").kernels[-1]
///     >>> portable.name, portable.available
///     ('soft', True)
#[pyclass(frozen, get_all, module = "hashwell")]
pub(crate) struct Kernel {
    /// The name. The argument `kernel` and the environment variable HASHWELL_KERNEL accept it.
    name: &'static str,
    /// True if this CPU can run the kernel.
    available: bool,
    /// True if objects use the kernel when no other kernel is requested.
    chosen: bool,
}

#[pymethods]
impl Kernel {
    /// Raises TypeError, because only functions of this package make such objects.
    ///
    /// Without this constructor, `inspect.signature` would show the signature of `object`, which takes no arguments.
    #[new]
    #[pyo3(signature = (*_arguments, **_keywords), text_signature = None)]
    fn refuse(_arguments: &Bound<'_, PyTuple>, _keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Err(errors::not_constructible("hashwell.Kernel"))
    }

    /// Supports pickle. The attributes describe the machine that pickled the object.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let make = py.import(intern!(py, "hashwell._native"))?.getattr("_unpickle_kernel")?;
        Ok((make, (self.name, self.available, self.chosen)))
    }

    fn __repr__(&self) -> String {
        let Self { name, available, chosen } = self;
        let word = |yes: &bool| if *yes { "True" } else { "False" };
        let (available, chosen) = (word(available), word(chosen));
        format!("<hashwell.Kernel '{name}', available={available}, chosen={chosen}>")
    }
}

/// Restores a kernel. Only pickle calls it.
#[pyfunction(name = "_unpickle_kernel")]
pub(crate) fn unpickle_kernel(name: &str, available: bool, chosen: bool) -> PyResult<Kernel> {
    let known = hashwell::kernels().into_iter().find(|known| *known == name);
    let name = known.ok_or_else(|| exception::<PyValueError>(format!("there is no kernel '{name}'")))?;
    Ok(Kernel { name, available, chosen })
}

/// The default number of bytes of a digest. An extendable-output function has none (0), unless its specification
/// defines one and HMAC is defined over it (BLAKE3).
pub(crate) fn digest_size(row: &hashwell::Algorithm) -> usize {
    if row.kind == Kind::Fixed || row.hmac { row.output } else { 0 }
}

/// The attribute `name` of an object. It is hashlib's name if hashlib has the algorithm, and otherwise the name in the
/// registry. If the digest size is variable, it is the name of the family: 'blake2bp' instead of 'blake2bp-512', like
/// 'blake2b' in hashlib.
pub(crate) fn object_name(row: &'static hashwell::Algorithm) -> &'static str {
    match row.name {
        "sha512-224" => "sha512_224",
        "sha512-256" => "sha512_256",
        "sha3-224" => "sha3_224",
        "sha3-256" => "sha3_256",
        "sha3-384" => "sha3_384",
        "sha3-512" => "sha3_512",
        "shake128" => "shake_128",
        "shake256" => "shake_256",
        name => family_name(row).unwrap_or(name),
    }
}

/// For an algorithm with a variable digest size: the alias that contains no size.
pub(crate) fn family_name(row: &'static hashwell::Algorithm) -> Option<&'static str> {
    if row.kind == Kind::Xof || row.output_range.0 == row.output_range.1 {
        return None;
    }
    let size = |alias: &str| row.name.strip_prefix(alias)?.strip_prefix('-')?.parse().ok();
    row.aliases.iter().copied().find(|alias| size(alias) == Some(8 * row.output))
}

/// The name as an identifier.
pub(crate) fn identifier(name: &str) -> String {
    name.replace(['-', '.', '/'], "_")
}

/// A dictionary from every usual spelling of a name to its [`Algorithm`]. This is the fastest way to find an algorithm
/// by its name, because Python caches the hash of a string. The keys are interned, like names in source code, so a
/// successful lookup only compares pointers.
static SPELLINGS: PyOnceLock<Py<PyDict>> = PyOnceLock::new();

/// Returns the algorithm that an argument selects by its name, as an [`Algorithm`], or by its constructor.
#[inline]
pub(crate) fn resolve(argument: &Bound<'_, PyAny>) -> PyResult<&'static hashwell::Algorithm> {
    let py = argument.py();
    if let Ok(name) = argument.cast::<PyString>() {
        if let Some(spellings) = SPELLINGS.get(py)
            && let Some(algorithm) = spellings.bind(py).get_item(name)?
        {
            return Ok(algorithm.cast_exact::<Algorithm>()?.get().row);
        }
        return hashwell::find(&name.to_cow()?).map_err(errors::from_library);
    }
    if let Ok(algorithm) = argument.cast::<Algorithm>() {
        return Ok(algorithm.get().row);
    }
    callable::about(argument).map(|about| about.row).ok_or_else(|| {
        exception::<PyTypeError>("an algorithm must be a name, hashwell.algorithms[name] or a constructor")
    })
}

/// Adds the mappings of the registry to the module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let (algorithms, spellings) = (PyDict::new(py), PyDict::new(py));
    for row in ALGORITHMS {
        let algorithm = Bound::new(py, Algorithm { row })?;
        algorithms.set_item(row.name, &algorithm)?;
        for name in std::iter::once(row.name).chain(row.aliases.iter().copied()) {
            spellings.set_item(PyString::intern(py, name), &algorithm)?;
            spellings.set_item(PyString::intern(py, &name.replace('-', "_")), &algorithm)?;
        }
    }
    module.add("algorithms", PyMappingProxy::new(py, algorithms.as_mapping()))?;
    module.add("algorithms_available", PyFrozenSet::new(py, spellings.keys())?)?;
    // If the module is initialized again, the mapping from the first time is kept. It has the same contents.
    let _ = SPELLINGS.set(py, spellings.unbind());
    Ok(())
}
