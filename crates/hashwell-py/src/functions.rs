//! One-shot functions, and settings of the whole process.

use crate::boundary::buffer::{Input, copied_bytes, digest_bytes, new_bytes};
use crate::boundary::builtin::{self, Builtin, Given};
use crate::boundary::errors::{self, Length, exception};
use crate::boundary::{secret, sync};
use crate::many::digests;
use crate::objects::digest::{Message, hex};
use crate::objects::mac;
use crate::rows::algorithm::{self, digest_size, resolve};
use crate::rows::arguments::Arguments;
use crate::tables::state;
use hashwell::{Algorithm, Kind};
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    const ARGUMENTS: &str = "Args:\n    \
        algorithm: The algorithm, given as a name, a constructor or an Algorithm object.\n    \
        data: The message, as a contiguous bytes-like object.\n    \
        length: The digest size in bytes. It is required for extendable-output functions without a default size.\n    \
        **params: Keyword arguments for the algorithm's constructor.\n\n";
    const RAISES: &str = "Raises:\n    \
        ValueError: The algorithm is unknown, or it doesn't support this length.\n    \
        TypeError: data is not a bytes-like object, length is missing, or the algorithm has no such parameter.\n\n\
        Examples:\n    >>> import hashwell\n    ";
    let (py, signature) = (module.py(), "algorithm, data, length=None, **params");
    let doc = format!(
        "Return the digest of one message.\n\n{ARGUMENTS}Returns:\n    The digest as bytes.\n\n{RAISES}\
         >>> hashwell.digest(\"sha256\", b\"abc\").hex()[:16]\n    'ba7816bf8f01cfea'"
    );
    module.add("digest", builtin::make::<OneDigest<false>>(py, "hashwell", "digest", signature, &doc)?)?;
    let doc = format!(
        "Return the digest of one message in hexadecimal.\n\n{ARGUMENTS}Returns:\n    The digest as a str.\n\n{RAISES}\
         >>> hashwell.hexdigest(\"shake128\", b\"abc\", 8)\n    '5881092dd818bf5c'"
    );
    module
        .add("hexdigest", builtin::make::<OneDigest<true>>(py, "hashwell", "hexdigest", signature, &doc)?)?;
    module.add_function(wrap_pyfunction!(hmac, module)?)?;
    module.add_function(wrap_pyfunction!(hkdf, module)?)?;
    module.add_function(wrap_pyfunction!(hkdf_extract, module)?)?;
    module.add_function(wrap_pyfunction!(hkdf_expand, module)?)?;
    module.add_function(wrap_pyfunction!(mac::kmac128, module)?)?;
    module.add_function(wrap_pyfunction!(mac::kmac256, module)?)?;
    module.add_function(wrap_pyfunction!(kernels, module)?)?;
    // These names are private: only pickle calls the functions.
    module.setattr("_unpickle_kernel", wrap_pyfunction!(algorithm::unpickle_kernel, module)?)?;
    module.setattr("_unpickle_digests", wrap_pyfunction!(digests::unpickle_digests, module)?)?;
    module.setattr("_unpickle_table", wrap_pyfunction!(state::unpickle_table, module)?)
}

/// The functions `digest` and `hexdigest`.
struct OneDigest<const HEX: bool>;

impl<const HEX: bool> Builtin for OneDigest<HEX> {
    #[inline]
    fn call<'py>(
        py: Python<'py>,
        _: Option<Borrowed<'_, 'py, PyAny>>,
        arguments: Given<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let digest = match arguments.positional {
            [algorithm, data] if !arguments.has_keywords() => plain_digest(py, resolve(algorithm)?, data)?,
            _ => digest_with(py, if HEX { "hexdigest" } else { "digest" }, arguments)?,
        };
        Ok(if HEX { hex(py, digest.as_bytes())?.into_any() } else { digest.into_any() })
    }
}

/// Computes a digest without parameters.
#[inline]
fn plain_digest<'py>(
    py: Python<'py>,
    row: &'static Algorithm,
    data: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let input = Input::of(data)?;
    let bytes = input.as_slice();
    let size = digest_size(row);
    if size == 0 {
        return Err(errors::no_digest_size(row.name));
    }
    if sync::is_long(bytes.len()) {
        let mut message = Message::new();
        sync::run_pieces(py, bytes.len(), sync::pieces(bytes), |piece| message.update(row, piece))?;
        return digest_bytes(py, size, |out| message.digest_into(row, out));
    }
    digest_bytes(py, size, |out| {
        sync::run(py, bytes.len(), || row.digest_into(bytes, out)).expect("the digest's own length");
    })
}

/// Handles calls with a length or keywords, and invalid calls.
fn digest_with<'py>(py: Python<'py>, function: &str, given: Given<'_, 'py>) -> PyResult<Bound<'py, PyBytes>> {
    const NAMES: [&str; 3] = ["algorithm", "data", "length"];
    let mut values = [None; 3];
    if given.positional.len() > NAMES.len() {
        return Err(errors::too_many_arguments(function, NAMES.len(), given.positional.len()));
    }
    for (slot, value) in values.iter_mut().zip(given.positional) {
        *slot = Some(&**value);
    }
    let mut params = Vec::new();
    for (keyword, value) in given.named() {
        let name = keyword.to_cow()?;
        match NAMES.iter().position(|known| *known == name) {
            None => params.push((keyword, value)),
            Some(i) if values[i].is_none() => values[i] = Some(value),
            Some(_) => return Err(errors::two_values(function, &name)),
        }
    }
    let [algorithm, data, length] = values;
    let row = resolve(algorithm.ok_or_else(|| errors::missing_argument(function, "algorithm"))?)?;
    let input = Input::of(data.ok_or_else(|| errors::missing_argument(function, "data"))?)?;
    let mut arguments = Arguments::new(row);
    for (keyword, value) in params {
        arguments.set(function, &keyword, value)?;
    }
    if let Some(length) = length
        && let Some(Length(length)) = length.extract()?
    {
        arguments.digest_size = Some(length);
    }
    let (mut hasher, size) = arguments.build()?;
    if size == 0 && arguments.digest_size.is_none() {
        return Err(errors::no_digest_size(row.name));
    }
    let bytes = input.as_slice();
    sync::run_pieces(py, bytes.len(), sync::pieces(bytes), |piece| hasher.update(piece))?;
    match row.kind {
        Kind::Fixed => digest_bytes(py, size, |out| {
            hasher.digest_into(out).expect("the digest's own length");
        }),
        Kind::Xof => new_bytes(py, size, |pieces| {
            let mut reader = hasher.into_reader().expect("the row is an extendable-output function");
            sync::run_pieces(py, size, pieces, |piece| reader.read(piece))
        }),
    }
}

/// Return the HMAC tag of one message (RFC 2104).
///
/// To check a tag, use Hmac.verify. It takes the same time wherever the tags differ.
///
/// Args:
///     algorithm: The hash function, given as a name, a constructor or an Algorithm object.
///     key: The secret key.
///     data: The message.
///
/// Returns:
///     The tag as bytes. It is as long as a digest of the hash function.
///
/// Raises:
///     ValueError: The algorithm is unknown, or HMAC is not defined for it.
///     TypeError: key or data is not a bytes-like object.
///
/// Examples:
///     >>> import hashwell
///     >>> hashwell.hmac("sha256", b"secret", b"message").hex()[:16]
///     '8b5f48702995c159'
#[pyfunction]
fn hmac<'py>(
    py: Python<'py>,
    algorithm: &Bound<'py, PyAny>,
    key: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let row = resolve(algorithm)?;
    let (key, data) = (Input::of(key)?, Input::of(data)?);
    copied_bytes(py, &tag(py, row, key.as_slice(), data.as_slice())?)
}

/// Computes an HMAC tag.
fn tag(py: Python<'_>, row: &'static Algorithm, key: &[u8], data: &[u8]) -> PyResult<Vec<u8>> {
    if !sync::is_long(data.len()) {
        let tag = sync::run(py, key.len() + data.len(), || hashwell::hmac(row, key, data));
        return tag.map_err(errors::from_library);
    }
    let mut hmac = secret::boxed(|| hashwell::Hmac::new(row, key)).map_err(errors::from_library)?;
    sync::run_pieces(py, data.len(), sync::pieces(data), |piece| hmac.update(piece))?;
    Ok(hmac.tag())
}

/// Derive key material from a secret with HKDF (RFC 5869).
///
/// Args:
///     algorithm: The hash function, given as a name, a constructor or an Algorithm object.
///     ikm: The secret (the input key material).
///     length: The number of bytes to derive, at most 255 times the digest size.
///     salt: A salt, which need not be secret.
///     info: The purpose of the derived key. Keys with different info are independent.
///
/// Returns:
///     The derived key as bytes.
///
/// Raises:
///     ValueError: The algorithm is unknown, HMAC is not defined for it, or length is too large.
///     TypeError: ikm, salt or info is not a bytes-like object.
///
/// Examples:
///     >>> import hashwell
///     >>> hashwell.hkdf("sha256", b"shared secret", 16, info=b"encryption").hex()
///     '88ae252e57fc08d6f6f17c4a8659b469'
#[pyfunction]
#[pyo3(signature = (algorithm, ikm, length, *, salt=None, info=None), text_signature = "(algorithm, ikm, length, *, salt=b'', info=b'')")]
fn hkdf<'py>(
    py: Python<'py>,
    algorithm: &Bound<'py, PyAny>,
    ikm: &Bound<'py, PyAny>,
    length: Length,
    salt: Option<&Bound<'py, PyAny>>,
    info: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let row = resolve(algorithm)?;
    let ikm = Input::of(ikm)?;
    let (salt, info) = (salt.map(Input::of).transpose()?, info.map(Input::of).transpose()?);
    let ikm = ikm.as_slice();
    let salt = salt.as_ref().map_or(&[][..], Input::as_slice);
    let info = info.as_ref().map_or(&[][..], Input::as_slice);
    // The pseudorandom key is an HMAC tag (RFC 5869 section 2.2), so `tag` can compute it in pieces if this takes long.
    let prk = if sync::is_long(ikm.len()) { Some(tag(py, row, salt, ikm)?) } else { None };
    PyBytes::new_with(py, length.0, |okm| {
        let expanded = sync::run(py, ikm.len().saturating_add(okm.len()), || match &prk {
            Some(prk) => hashwell::hkdf_expand(row, prk, info, okm),
            None => hashwell::hkdf(row, ikm, salt, info, okm),
        });
        expanded.map_err(errors::from_library)
    })
}

/// Return the pseudorandom key of HKDF's first step, "extract" (RFC 5869 section 2.2).
///
/// Args:
///     algorithm: The hash function, given as a name, a constructor or an Algorithm object.
///     ikm: The secret (the input key material).
///     salt: A salt, which need not be secret.
///
/// Returns:
///     The pseudorandom key as bytes. It is as long as a digest of the hash function.
///
/// Raises:
///     ValueError: The algorithm is unknown, or HMAC is not defined for it.
///     TypeError: ikm or salt is not a bytes-like object.
///
/// Examples:
///     >>> import hashwell
///     >>> len(hashwell.hkdf_extract("sha256", b"shared secret", salt=b"salt"))
///     32
#[pyfunction]
#[pyo3(signature = (algorithm, ikm, *, salt=None), text_signature = "(algorithm, ikm, *, salt=b'')")]
fn hkdf_extract<'py>(
    py: Python<'py>,
    algorithm: &Bound<'py, PyAny>,
    ikm: &Bound<'py, PyAny>,
    salt: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let row = resolve(algorithm)?;
    let (ikm, salt) = (Input::of(ikm)?, salt.map(Input::of).transpose()?);
    let (ikm, salt) = (ikm.as_slice(), salt.as_ref().map_or(&[][..], Input::as_slice));
    if sync::is_long(ikm.len()) {
        return copied_bytes(py, &tag(py, row, salt, ikm)?);
    }
    let prk = sync::run(py, ikm.len(), || hashwell::hkdf_extract(row, salt, ikm));
    copied_bytes(py, &prk.map_err(errors::from_library)?)
}

/// Derive key material from a pseudorandom key with HKDF's second step, "expand" (RFC 5869 section 2.3).
///
/// Args:
///     algorithm: The hash function, given as a name, a constructor or an Algorithm object.
///     prk: The pseudorandom key, such as the result of hkdf_extract.
///     length: The number of bytes to derive, at most 255 times the digest size.
///     info: The purpose of the derived key. Keys with different info are independent.
///
/// Returns:
///     The derived key as bytes.
///
/// Raises:
///     ValueError: The algorithm is unknown, HMAC is not defined for it, or length is too large.
///     TypeError: prk or info is not a bytes-like object.
///
/// Examples:
///     >>> import hashwell
///     >>> prk = hashwell.hkdf_extract("sha256", b"shared secret")
///     >>> hashwell.hkdf_expand("sha256", prk, 4, info=b"encryption") == hashwell.hkdf("sha256", b"shared secret", 4, info=b"encryption")
///     True
#[pyfunction]
#[pyo3(signature = (algorithm, prk, length, *, info=None), text_signature = "(algorithm, prk, length, *, info=b'')")]
fn hkdf_expand<'py>(
    py: Python<'py>,
    algorithm: &Bound<'py, PyAny>,
    prk: &Bound<'py, PyAny>,
    length: Length,
    info: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let row = resolve(algorithm)?;
    let (prk, info) = (Input::of(prk)?, info.map(Input::of).transpose()?);
    let (prk, info) = (prk.as_slice(), info.as_ref().map_or(&[][..], Input::as_slice));
    PyBytes::new_with(py, length.0, |okm| {
        sync::run(py, okm.len(), || hashwell::hkdf_expand(row, prk, info, okm)).map_err(errors::from_library)
    })
}

/// Return the names of all kernels (implementations for particular CPUs).
///
/// Returns:
///     A tuple of the names that the argument `kernel` and the environment variable HASHWELL_KERNEL accept.
///     Algorithm.kernels lists the kernels of one algorithm and shows which of them this CPU can run.
///
/// Examples:
///     >>> import hashwell
///     >>> "soft" in hashwell.kernels()
///     True
#[pyfunction]
fn kernels(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, hashwell::kernels())
}

/// Forces the kernel that HASHWELL_KERNEL names. Called once, at import.
pub(crate) fn force_kernel_from_environment() -> PyResult<()> {
    let Some(name) = std::env::var_os("HASHWELL_KERNEL").filter(|name| !name.is_empty()) else {
        return Ok(());
    };
    let name = name.to_string_lossy();
    hashwell::force_kernel(&name).map_err(|error| {
        let known = hashwell::kernels().join(", ");
        exception::<PyImportError>(format!("HASHWELL_KERNEL: {error}; known: {known}"))
    })
}
