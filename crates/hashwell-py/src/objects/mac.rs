//! Message authentication: HMAC over the algorithms of the registry, and KMAC.

use crate::boundary::buffer::{Input, copied_bytes, digest_bytes, new_bytes};
use crate::boundary::errors::{self, Length};
use crate::boundary::secret;
use crate::boundary::sync::{self, Shared};
use crate::objects::digest::hex;
use crate::objects::xof::Xof;
use crate::rows::algorithm::{object_name, resolve};
use hashwell::KmacVariant;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyType};

/// An HMAC object (RFC 2104) for a message that comes in parts.
///
/// Several threads can use the same object; each call is atomic.
///
/// Args:
///     algorithm: The hash function, given as a name, a constructor or an Algorithm object.
///     key: The secret key.
///     data: The first part of the message.
///     kernel: The name of a kernel of the hash function, as Algorithm.kernels lists it. By default, the fastest
///         one is used.
///
/// Raises:
///     ValueError: The algorithm is unknown, HMAC is not defined for it, or there is no such kernel.
///     TypeError: key or data is not a bytes-like object.
///
/// Examples:
///     >>> import hashwell
///     >>> mac = hashwell.Hmac("sha256", b"secret")
///     >>> mac.update(b"message")
///     >>> mac.verify(hashwell.hmac("sha256", b"secret", b"message"))
#[pyclass(frozen, module = "hashwell")]
pub(crate) struct Hmac {
    row: &'static hashwell::Algorithm,
    hmac: Shared<Box<hashwell::Hmac>>,
}

#[pymethods]
impl Hmac {
    #[new]
    #[pyo3(signature = (algorithm, key, data=None, *, kernel=None), text_signature = "(algorithm, key, data=b'', *, kernel=None)")]
    fn new(
        py: Python<'_>,
        algorithm: &Bound<'_, PyAny>,
        key: &Bound<'_, PyAny>,
        data: Option<&Bound<'_, PyAny>>,
        kernel: Option<&str>,
    ) -> PyResult<Self> {
        let row = resolve(algorithm)?;
        let (key, data) = (Input::of(key)?, data.map(Input::of).transpose()?);
        let mut hmac = secret::boxed(|| hashwell::Hmac::with_kernel(row, key.as_slice(), kernel))
            .map_err(errors::from_library)?;
        if let Some(data) = &data {
            let bytes = data.as_slice();
            sync::run_pieces(py, bytes.len(), sync::pieces(bytes), |piece| hmac.update(piece))?;
        }
        Ok(Self { row, hmac: Shared::new(hmac) })
    }

    /// The name of the MAC: 'hmac-' followed by the name of the hash function.
    #[getter]
    fn name(&self) -> String {
        format!("hmac-{}", object_name(self.row))
    }

    /// The size of the tag in bytes.
    #[getter]
    fn digest_size(&self) -> usize {
        self.row.output
    }

    /// The block size of the hash function in bytes.
    #[getter]
    fn block_size(&self) -> usize {
        self.row.block
    }

    /// The name of the kernel in use.
    #[getter]
    fn kernel(&self, py: Python<'_>) -> &'static str {
        self.hmac.with(py, 0, |hmac| hmac.kernel())
    }

    /// Append data to the message.
    ///
    /// Args:
    ///     data: A bytes-like object.
    ///
    /// Raises:
    ///     TypeError: data is not a bytes-like object.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> mac = hashwell.Hmac("sha256", b"secret", b"mess")
    ///     >>> mac.update(b"age")
    ///     >>> mac.hexdigest()[:16]
    ///     '8b5f48702995c159'
    fn update(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let input = Input::of(data)?;
        let bytes = input.as_slice();
        self.hmac.with_pieces(py, bytes.len(), sync::pieces(bytes), |hmac, piece| {
            hmac.update(piece);
            Ok(())
        })
    }

    /// Return the tag of the message so far. You can append more data afterwards.
    ///
    /// Returns:
    ///     The tag as bytes. Its length is digest_size.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> hashwell.Hmac("sha256", b"secret", b"message").digest().hex()[:16]
    ///     '8b5f48702995c159'
    fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        copied_bytes(py, &self.hmac.with(py, 0, |hmac| hmac.tag()))
    }

    /// Return the tag of the message so far in hexadecimal. You can append more data afterwards.
    ///
    /// Returns:
    ///     The tag as a str.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> hashwell.Hmac("sha256", b"secret", b"message").hexdigest()[:16]
    ///     '8b5f48702995c159'
    fn hexdigest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        hex(py, &self.hmac.with(py, 0, |hmac| hmac.tag()))
    }

    /// Check that tag is the tag of the message so far. The time doesn't depend on where the tags differ.
    ///
    /// Args:
    ///     tag: The tag to check.
    ///     length: The length of a truncated tag in bytes. Only this many bytes of the full tag are compared. By
    ///         default, all bytes are compared.
    ///
    /// Raises:
    ///     TagMismatchError: The tags differ, or tag doesn't have the expected length.
    ///     ValueError: length is 0 or greater than digest_size.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> mac = hashwell.Hmac("sha256", b"secret", b"message")
    ///     >>> mac.verify(mac.digest()[:16], length=16)
    ///     >>> mac.verify(bytes(32))
    ///     Traceback (most recent call last):
    ///     hashwell.TagMismatchError: authentication tag does not match
    #[pyo3(signature = (tag, *, length=None))]
    fn verify(&self, py: Python<'_>, tag: &Bound<'_, PyAny>, length: Option<Length>) -> PyResult<()> {
        let input = Input::of(tag)?;
        let tag = input.as_slice();
        let length = length.map_or(self.row.output, |Length(length)| length);
        self.hmac.with(py, 0, |hmac| hmac.verify_truncated(tag, length)).map_err(errors::from_library)
    }

    /// Return an independent copy of this object.
    fn copy(&self, py: Python<'_>) -> Self {
        let copy = self.hmac.with(py, 0, |hmac| secret::after(|| hmac.clone()));
        Self { row: self.row, hmac: Shared::new(copy) }
    }

    /// Return the state as bytes, from which from_secret_bytes() restores the object in any process and language.
    ///
    /// Anyone who has these bytes can compute tags like someone who has the key. Store them only where you would store
    /// the key, and encrypt them like the key. Python does not overwrite them when it frees their memory.
    /// docs/spec/state.md specifies their format.
    ///
    /// Returns:
    ///     The saved state, which has at most 4096 bytes.
    fn to_secret_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let saved = self.hmac.with(py, 0, |hmac| hmac.to_secret_bytes());
        Ok(PyBytes::new(py, &saved.map_err(errors::from_library)?))
    }

    /// Restore an object from the result of to_secret_bytes().
    ///
    /// Args:
    ///     data: The saved state, from any language.
    ///
    /// Returns:
    ///     An Hmac that continues after the saved message.
    ///
    /// Raises:
    ///     ValueError: The bytes are not a valid saved state of an Hmac.
    #[classmethod]
    fn from_secret_bytes(_class: &Bound<'_, PyType>, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let input = Input::of(data)?;
        let hmac = secret::boxed(|| hashwell::Hmac::from_secret_bytes(input.as_slice()));
        let hmac = hmac.map_err(errors::from_library)?;
        Ok(Self { row: hmac.algorithm(), hmac: Shared::new(hmac) })
    }

    fn __repr__(&self) -> String {
        format!("<hashwell.Hmac '{}'>", self.name())
    }
}

/// A KMAC object (SP 800-185 section 4) for a message that comes in parts.
///
/// Several threads can use the same object; each call is atomic.
///
/// Args:
///     variant: "kmac128" or "kmac256".
///     key: The secret key.
///     data: The first part of the message.
///     customization: The purpose of the tag. Tags with different customizations are independent.
///
/// Raises:
///     ValueError: There is no such variant.
///     TypeError: key, data or customization is not a bytes-like object.
///
/// Examples:
///     >>> import hashwell
///     >>> mac = hashwell.Kmac("kmac128", b"secret", b"mess")
///     >>> mac.update(b"age")
///     >>> mac.digest(8) == hashwell.kmac128(b"secret", b"message", 8)
///     True
#[pyclass(frozen, module = "hashwell")]
pub(crate) struct Kmac {
    variant: KmacVariant,
    kmac: Shared<Box<hashwell::Kmac>>,
}

impl Kmac {
    /// The rate of the cSHAKE function on which KMAC is based. KMAC uses the padding of that function.
    fn rate(&self) -> PyResult<usize> {
        let cshake = match self.variant {
            KmacVariant::Kmac128 => "cshake128",
            KmacVariant::Kmac256 => "cshake256",
        };
        hashwell::find(cshake).map(|row| row.block).map_err(errors::from_library)
    }

    fn cloned(&self, py: Python<'_>) -> Box<hashwell::Kmac> {
        self.kmac.with(py, 0, |kmac| secret::after(|| kmac.clone()))
    }

    fn tag<'py>(&self, py: Python<'py>, length: Option<Length>) -> PyResult<Bound<'py, PyBytes>> {
        let length = length.map_or(self.variant.output(), |Length(length)| length);
        tag_bytes(py, &self.cloned(py), length)
    }
}

/// Computes a tag. Its length is an input of KMAC.
fn tag_bytes<'py>(py: Python<'py>, kmac: &hashwell::Kmac, length: usize) -> PyResult<Bound<'py, PyBytes>> {
    if !sync::is_long(length) {
        return digest_bytes(py, length, |out| sync::run(py, length, || kmac.tag_into(out)));
    }
    let mut reader = secret::after(|| Box::new(kmac.tag_reader(length as u64)));
    new_bytes(py, length, |pieces| sync::run_pieces(py, length, pieces, |piece| reader.read(piece)))
}

#[pymethods]
impl Kmac {
    #[new]
    #[pyo3(signature = (variant, key, data=None, *, customization=None), text_signature = "(variant, key, data=b'', *, customization=b'')")]
    fn new(
        py: Python<'_>,
        variant: &str,
        key: &Bound<'_, PyAny>,
        data: Option<&Bound<'_, PyAny>>,
        customization: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let variant = KmacVariant::find(variant).map_err(errors::from_library)?;
        Ok(Self { variant, kmac: Shared::new(keyed(py, variant, key, data, customization)?) })
    }

    /// The name of the MAC: 'kmac128' or 'kmac256'.
    #[getter]
    fn name(&self) -> &'static str {
        self.variant.name()
    }

    /// The default size of a tag in bytes, which is twice the security strength.
    #[getter]
    fn digest_size(&self) -> usize {
        self.variant.output()
    }

    /// The size of a block in bytes.
    #[getter]
    fn block_size(&self) -> PyResult<usize> {
        self.rate()
    }

    /// Append data to the message.
    ///
    /// Args:
    ///     data: A bytes-like object.
    ///
    /// Raises:
    ///     TypeError: data is not a bytes-like object.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> mac = hashwell.Kmac("kmac128", b"secret", b"mess")
    ///     >>> mac.update(b"age")
    ///     >>> mac.hexdigest(8)
    ///     'bfc1378bc24152c6'
    fn update(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let input = Input::of(data)?;
        let bytes = input.as_slice();
        self.kmac.with_pieces(py, bytes.len(), sync::pieces(bytes), |kmac, piece| {
            kmac.update(piece);
            Ok(())
        })
    }

    /// Return the tag of the message so far. You can append more data afterwards.
    ///
    /// Args:
    ///     length: The length of the tag in bytes. By default, it is digest_size. A shorter tag is not the start of
    ///         a longer one.
    ///
    /// Returns:
    ///     The tag as bytes.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> hashwell.Kmac("kmac128", b"secret", b"message").digest(8).hex()
    ///     'bfc1378bc24152c6'
    #[pyo3(signature = (length=None))]
    fn digest<'py>(&self, py: Python<'py>, length: Option<Length>) -> PyResult<Bound<'py, PyBytes>> {
        self.tag(py, length)
    }

    /// Return the tag of the message so far in hexadecimal. You can append more data afterwards.
    ///
    /// Args:
    ///     length: The length of the tag in bytes. By default, it is digest_size.
    ///
    /// Returns:
    ///     The tag as a str.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> hashwell.Kmac("kmac128", b"secret", b"message").hexdigest(8)
    ///     'bfc1378bc24152c6'
    #[pyo3(signature = (length=None))]
    fn hexdigest<'py>(&self, py: Python<'py>, length: Option<Length>) -> PyResult<Bound<'py, PyString>> {
        hex(py, self.tag(py, length)?.as_bytes())
    }

    /// Check that tag is the tag of the message so far. The time doesn't depend on where the tags differ.
    ///
    /// Args:
    ///     tag: The tag to check.
    ///     length: The expected length of the tag in bytes. By default, it is digest_size.
    ///
    /// Raises:
    ///     TagMismatchError: The tags differ, or tag doesn't have the expected length.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> mac = hashwell.Kmac("kmac128", b"secret", b"message")
    ///     >>> mac.verify(bytes.fromhex("bfc1378bc24152c6"), length=8)
    #[pyo3(signature = (tag, *, length=None))]
    fn verify(&self, py: Python<'_>, tag: &Bound<'_, PyAny>, length: Option<Length>) -> PyResult<()> {
        let input = Input::of(tag)?;
        let tag = input.as_slice();
        let length = length.map_or(self.variant.output(), |Length(length)| length);
        if tag.len() != length {
            return Err(errors::from_library(hashwell::Error::TagMismatch));
        }
        let kmac = self.cloned(py);
        sync::run(py, length, || kmac.verify(tag)).map_err(errors::from_library)
    }

    /// Return the output of KMACXOF for the message so far.
    ///
    /// Returns:
    ///     A Xof. You can append more data to this object afterwards.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> stream = hashwell.Kmac("kmac128", b"secret", b"message").xof()
    ///     >>> len(stream.read(100))
    ///     100
    fn xof(&self, py: Python<'_>) -> PyResult<Xof> {
        let name = match self.variant {
            KmacVariant::Kmac128 => "kmacxof128",
            KmacVariant::Kmac256 => "kmacxof256",
        };
        // Uses a copy on the stack. If the value were moved out of the box, its bytes would remain on the heap.
        let reader = self
            .kmac
            .with(py, 0, |kmac| secret::after(|| Box::new(hashwell::Kmac::clone(kmac).into_reader())));
        Ok(Xof::reading(name, self.rate()?, reader))
    }

    /// Return an independent copy of this object.
    fn copy(&self, py: Python<'_>) -> Self {
        Self { variant: self.variant, kmac: Shared::new(self.cloned(py)) }
    }

    /// Return the state as bytes, from which from_secret_bytes() restores the object in any process and language.
    ///
    /// Anyone who has these bytes can compute tags like someone who has the key. Store them only where you would store
    /// the key, and encrypt them like the key. Python does not overwrite them when it frees their memory.
    /// docs/spec/state.md specifies their format.
    ///
    /// Returns:
    ///     The saved state, which has at most 4096 bytes.
    fn to_secret_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let saved = self.kmac.with(py, 0, |kmac| kmac.to_secret_bytes());
        Ok(PyBytes::new(py, &saved.map_err(errors::from_library)?))
    }

    /// Restore an object from the result of to_secret_bytes().
    ///
    /// Args:
    ///     data: The saved state, from any language.
    ///
    /// Returns:
    ///     A Kmac that continues after the saved message.
    ///
    /// Raises:
    ///     ValueError: The bytes are not a valid saved state of a Kmac.
    #[classmethod]
    fn from_secret_bytes(_class: &Bound<'_, PyType>, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let input = Input::of(data)?;
        let kmac = secret::boxed(|| hashwell::Kmac::from_secret_bytes(input.as_slice()));
        let kmac = kmac.map_err(errors::from_library)?;
        Ok(Self { variant: kmac.variant(), kmac: Shared::new(kmac) })
    }

    fn __repr__(&self) -> String {
        format!("<hashwell.Kmac '{}'>", self.name())
    }
}

fn keyed<'py>(
    py: Python<'py>,
    variant: KmacVariant,
    key: &Bound<'py, PyAny>,
    data: Option<&Bound<'py, PyAny>>,
    customization: Option<&Bound<'py, PyAny>>,
) -> PyResult<Box<hashwell::Kmac>> {
    let key = Input::of(key)?;
    let customization = customization.map(Input::of).transpose()?;
    let data = data.map(Input::of).transpose()?;
    let customization = customization.as_ref().map_or(&[][..], Input::as_slice);
    let mut kmac = secret::after(|| Box::new(hashwell::Kmac::new(variant, key.as_slice(), customization)));
    if let Some(data) = &data {
        let bytes = data.as_slice();
        sync::run_pieces(py, bytes.len(), sync::pieces(bytes), |piece| kmac.update(piece))?;
    }
    Ok(kmac)
}

fn one_tag<'py>(
    py: Python<'py>,
    variant: KmacVariant,
    key: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
    length: Option<Length>,
    customization: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let kmac = keyed(py, variant, key, Some(data), customization)?;
    tag_bytes(py, &kmac, length.map_or(variant.output(), |Length(length)| length))
}

/// Return the KMAC128 tag of one message (SP 800-185 section 4).
///
/// Args:
///     key: The secret key.
///     data: The message.
///     length: The length of the tag in bytes. A shorter tag is not the start of a longer one.
///     customization: The purpose of the tag. Tags with different customizations are independent.
///
/// Returns:
///     The tag as bytes.
///
/// Raises:
///     TypeError: key, data or customization is not a bytes-like object.
///
/// Examples:
///     >>> import hashwell
///     >>> hashwell.kmac128(b"secret", b"message", 8).hex()
///     'bfc1378bc24152c6'
#[pyfunction]
#[pyo3(signature = (key, data, length=None, customization=None), text_signature = "(key, data, length=32, customization=b'')")]
pub(crate) fn kmac128<'py>(
    py: Python<'py>,
    key: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
    length: Option<Length>,
    customization: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    one_tag(py, KmacVariant::Kmac128, key, data, length, customization)
}

/// Return the KMAC256 tag of one message (SP 800-185 section 4).
///
/// Args:
///     key: The secret key.
///     data: The message.
///     length: The length of the tag in bytes. A shorter tag is not the start of a longer one.
///     customization: The purpose of the tag. Tags with different customizations are independent.
///
/// Returns:
///     The tag as bytes.
///
/// Raises:
///     TypeError: key, data or customization is not a bytes-like object.
///
/// Examples:
///     >>> import hashwell
///     >>> hashwell.kmac256(b"secret", b"message", 8).hex()
///     '211452743bc2f557'
#[pyfunction]
#[pyo3(signature = (key, data, length=None, customization=None), text_signature = "(key, data, length=64, customization=b'')")]
pub(crate) fn kmac256<'py>(
    py: Python<'py>,
    key: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
    length: Option<Length>,
    customization: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    one_tag(py, KmacVariant::Kmac256, key, data, length, customization)
}
