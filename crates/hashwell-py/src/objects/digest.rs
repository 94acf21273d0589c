//! Digest objects with the interface of hashlib.

use crate::boundary::buffer::{Input, digest_bytes, zeros};
use crate::boundary::builtin::{self, Builtin, Given, Method};
use crate::boundary::class::{self, Getter, Native, Ours};
use crate::boundary::errors;
use crate::boundary::secret;
use crate::boundary::sync::{self, Shared};
use crate::rows::algorithm::{Algorithm, object_name, status_word};
use hashwell::{Hasher, Kind, Reader};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyString, PyType};
use std::ffi::CStr;
use std::ops::Deref;

/// The maximum length in bytes of a message that is stored instead of hashed.
const SHORT: usize = 64;

/// A message in progress. A short one is stored as it is. Most digests are of one short message, and for these, the
/// hash state, which is several times larger, is only created on the stack. The state need not be moved into the Python
/// object and copied out of it.
#[derive(Clone)]
pub(crate) enum Message {
    Short { bytes: Short, len: usize },
    Hashed(Box<Hasher>),
}

/// The bytes of a short message, aligned. Without the alignment, they would start at an odd address in the enum, and
/// then a move would have to wait for the bytes that were just written.
#[derive(Clone)]
#[repr(align(8))]
pub(crate) struct Short([u8; SHORT]);

impl Message {
    #[inline]
    pub(crate) fn new() -> Self {
        Message::Short { bytes: Short([0; SHORT]), len: 0 }
    }

    /// Starts a message for a hasher with parameters.
    pub(crate) fn of(hasher: Hasher) -> Self {
        Message::Hashed(Box::new(hasher))
    }

    #[inline]
    pub(crate) fn update(&mut self, row: &'static hashwell::Algorithm, data: &[u8]) {
        if let Message::Short { bytes, len } = self
            && let Some(room) = bytes.0[*len..].get_mut(..data.len())
        {
            room.copy_from_slice(data);
            *len += data.len();
        } else {
            self.hasher(row).update(data);
        }
    }

    /// Returns a reader of the output of an extendable-output function for the message so far.
    pub(crate) fn reader(&self, row: &'static hashwell::Algorithm) -> Reader {
        let reader = match self {
            Message::Short { bytes, len } => row.reader(&bytes.0[..*len]),
            Message::Hashed(hasher) => Hasher::clone(hasher).into_reader(),
        };
        reader.expect("the row is an extendable-output function")
    }

    fn hasher(&mut self, row: &'static hashwell::Algorithm) -> &mut Hasher {
        if let Message::Short { bytes, len } = self {
            let mut hasher = Box::new(row.hasher());
            hasher.update(&bytes.0[..*len]);
            *self = Message::Hashed(hasher);
        }
        match self {
            Message::Hashed(hasher) => hasher,
            Message::Short { .. } => unreachable!("hashed above"),
        }
    }

    /// Saves the hash in progress as bytes.
    pub(crate) fn save(&mut self, row: &'static hashwell::Algorithm) -> Result<Vec<u8>, hashwell::Error> {
        self.hasher(row).to_bytes()
    }

    /// Saves the hash in progress with its key, in memory that is overwritten when it is dropped.
    pub(crate) fn save_secret(
        &mut self,
        row: &'static hashwell::Algorithm,
    ) -> Result<impl Deref<Target = Vec<u8>> + use<>, hashwell::Error> {
        self.hasher(row).to_secret_bytes()
    }

    /// Writes the digest of the message so far.
    #[inline]
    pub(crate) fn digest_into(&self, row: &'static hashwell::Algorithm, out: &mut [u8]) {
        let right_length = match self {
            Message::Short { bytes, len } => row.digest_into(&bytes.0[..*len], out),
            Message::Hashed(hasher) => hasher.digest_into(out),
        };
        right_length.expect("the digest's own length");
    }
}

/// The value of the Python class `Digest`: a digest in progress.
pub(crate) struct Digest {
    row: &'static hashwell::Algorithm,
    digest_size: usize,
    message: Shared<Message>,
}

static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();

impl Native for Digest {
    const NAME: &str = "Digest";
    const FULL_NAME: &CStr = c"hashwell.Digest";
    const DOC: &CStr =
        c"A hash object with the interface of hashlib.\n\n\
        To make an object, use a constructor such as hashwell.sha256, or hashwell.new. Several threads can use the\n\
        same object; each call is atomic.\n\n\
        Examples:\n    >>> import hashwell\n    >>> digest = hashwell.sha256(b\"a\")\n    \
        >>> digest.update(b\"bc\")\n    >>> digest.hexdigest() == hashwell.sha256(b\"abc\").hexdigest()\n    True";
    const GETTERS: &'static [Getter<Self>] = &[
        Getter {
            name: c"name",
            doc: c"The name of the algorithm.",
            value: |digest, py| text(py, object_name(digest.row)),
        },
        Getter {
            name: c"digest_size",
            doc: c"The size of the digest in bytes.",
            value: |digest, py| Ok(digest.digest_size.into_pyobject(py)?.into_any()),
        },
        Getter {
            name: c"block_size",
            doc: c"The block size in bytes.",
            value: |digest, py| Ok(digest.row.block.into_pyobject(py)?.into_any()),
        },
        Getter {
            name: c"algorithm",
            doc: c"The Algorithm object, which has all properties of the algorithm.",
            value: |digest, py| Ok(Bound::new(py, Algorithm { row: digest.row })?.into_any()),
        },
        Getter {
            name: c"kernel",
            doc: c"The name of the kernel in use.",
            value: |digest, py| {
                text(py, digest.message.with(py, 0, |message| message.hasher(digest.row).kernel()))
            },
        },
    ];

    fn kept() -> &'static PyOnceLock<Py<PyType>> {
        &CLASS
    }

    fn repr(&self) -> String {
        let (name, status) = (object_name(self.row), status_word(self.row));
        format!("<hashwell.Digest '{name}'{status}, {} bytes>", self.digest_size)
    }
}

fn text<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    Ok(PyString::from_bytes(py, text.as_bytes())?.into_any())
}

impl Digest {
    #[inline]
    pub(crate) fn new(row: &'static hashwell::Algorithm, message: Message, digest_size: usize) -> Self {
        Self { row, digest_size, message: Shared::new(message) }
    }

    /// Returns the saved state.
    fn saved(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        self.message.with(py, 0, |message| message.save(self.row)).map_err(errors::from_library)
    }

    /// Creates the Python object.
    #[inline(always)]
    pub(crate) fn into_object(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        class::make(py, self)
    }

    #[inline]
    fn absorb(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let input = Input::of(data)?;
        let bytes = input.as_slice();
        if !sync::is_long(bytes.len()) {
            self.message.with(py, bytes.len(), |message| message.update(self.row, bytes));
            return Ok(());
        }
        self.message.with_pieces(py, bytes.len(), sync::pieces(bytes), |message, piece| {
            message.update(self.row, piece);
            Ok(())
        })
    }
}

/// Adds the class.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    builtin::add_method::<Update>(
        py,
        "update",
        "data",
        "Append data to the message.\n\nArgs:\n    data: A bytes-like object.\n\n\
        Raises:\n    TypeError: data is not a bytes-like object.",
    )?;
    let doc = "Return the digest of the message so far. You can append more data afterwards.";
    builtin::add_method::<DigestSoFar<false>>(py, "digest", "", doc)?;
    builtin::add_method::<DigestSoFar<true>>(
        py,
        "hexdigest",
        "",
        "Return the digest of the message so far in hexadecimal.",
    )?;
    builtin::add_method::<Copy>(py, "copy", "", "Return an independent copy of this object.")?;
    builtin::add_method::<CopyOfModule<false>>(py, "__copy__", "", "Return copy().")?;
    builtin::add_method::<CopyOfModule<true>>(py, "__deepcopy__", "memo", "Return copy().")?;
    builtin::add_method::<ToBytes>(py, "to_bytes", "", TO_BYTES)?;
    builtin::add_method::<Reduce>(
        py,
        "__reduce__",
        "",
        "Support pickle, which stores the result of to_bytes().",
    )?;
    builtin::add_class_method::<Ours<Digest>, FromBytes>(
        py,
        "from_bytes",
        "$type, data",
        "Restore an object from the result of to_bytes().\n\nArgs:\n    \
        data: The saved state, from any language.\n\n\
        Returns:\n    A Digest that continues after the saved message.\n\nRaises:\n    \
        ValueError: The bytes are not a valid saved state of a Digest.",
    )?;
    builtin::add_method::<ToSecretBytes>(py, "to_secret_bytes", "", TO_SECRET_BYTES)?;
    builtin::add_class_method::<Ours<Digest>, FromSecretBytes>(
        py,
        "from_secret_bytes",
        "$type, data",
        "Restore an object from the result of to_secret_bytes().\n\nArgs:\n    \
        data: The saved state, from any language.\n\n\
        Returns:\n    A Digest that continues after the saved message, with the same key.\n\nRaises:\n    \
        ValueError: The bytes are not a valid saved state of a Digest with a key.",
    )?;
    class::add::<Digest>(module)
}

struct Update;

impl Method for Update {
    type Of = Ours<Digest>;

    #[inline]
    fn call<'py>(digest: &Digest, py: Python<'py>, arguments: Given<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        digest.absorb(py, arguments.one("update", "data")?)?;
        Ok(py.None().into_bound(py))
    }
}

/// The methods `digest` and `hexdigest`.
struct DigestSoFar<const HEX: bool>;

impl<const HEX: bool> Method for DigestSoFar<HEX> {
    type Of = Ours<Digest>;

    #[inline]
    fn call<'py>(digest: &Digest, py: Python<'py>, arguments: Given<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        arguments.none(if HEX { "hexdigest" } else { "digest" })?;
        let Digest { row, digest_size, message } = digest;
        let bytes = digest_bytes(py, *digest_size, |out| {
            message.with(py, 0, |message| message.digest_into(row, out));
        })?;
        Ok(if HEX { hex(py, bytes.as_bytes())?.into_any() } else { bytes.into_any() })
    }
}

struct Copy;

impl Method for Copy {
    type Of = Ours<Digest>;

    #[inline]
    fn call<'py>(digest: &Digest, py: Python<'py>, arguments: Given<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        arguments.none("copy")?;
        let message = digest.message.with(py, 0, |message| message.clone());
        Digest::new(digest.row, message, digest.digest_size).into_object(py)
    }
}

/// The methods that the module `copy` calls: `__deepcopy__` with a dictionary of the objects that have already been
/// copied, and `__copy__` without one.
struct CopyOfModule<const DEEP: bool>;

impl<const DEEP: bool> Method for CopyOfModule<DEEP> {
    type Of = Ours<Digest>;

    fn call<'py>(digest: &Digest, py: Python<'py>, arguments: Given<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        if DEEP {
            arguments.one("__deepcopy__", "memo")?;
        } else {
            arguments.none("__copy__")?;
        }
        let message = digest.message.with(py, 0, |message| message.clone());
        Digest::new(digest.row, message, digest.digest_size).into_object(py)
    }
}

const TO_BYTES: &str = "Return the state as bytes, from which from_bytes() restores the object in any process and language.\n\n\
    The bytes are as secret as the message. docs/spec/state.md specifies their format.\n\nReturns:\n    \
    The saved state. Its size is at most 4096 bytes plus the size of the parameters.\n\nRaises:\n    \
    ValueError: The object was made with a key, and the bytes would contain it.";

struct ToBytes;

impl Method for ToBytes {
    type Of = Ours<Digest>;

    fn call<'py>(digest: &Digest, py: Python<'py>, arguments: Given<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        arguments.none("to_bytes")?;
        Ok(PyBytes::new(py, &digest.saved(py)?).into_any())
    }
}

const TO_SECRET_BYTES: &str = "Return the state with its key as bytes, from which from_secret_bytes() restores the object.\n\n\
    Anyone who has these bytes has the key. Store them only where you would store the key, and encrypt them like the\n\
    key. Python does not overwrite them when it frees their memory.\n\nReturns:\n    \
    The saved state. Its size is at most 4096 bytes plus the size of the parameters.\n\nRaises:\n    \
    ValueError: The object was made without a key: use to_bytes().";

struct ToSecretBytes;

impl Method for ToSecretBytes {
    type Of = Ours<Digest>;

    fn call<'py>(digest: &Digest, py: Python<'py>, arguments: Given<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        arguments.none("to_secret_bytes")?;
        let saved = digest.message.with(py, 0, |message| message.save_secret(digest.row));
        Ok(PyBytes::new(py, &saved.map_err(errors::from_library)?).into_any())
    }
}

struct FromSecretBytes;

impl Builtin for FromSecretBytes {
    fn call<'py>(
        py: Python<'py>,
        _: Option<Borrowed<'_, 'py, PyAny>>,
        arguments: Given<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let hasher = restored_secret(arguments.one("from_secret_bytes", "data")?, Kind::Fixed)?;
        let (row, digest_size) = (hasher.algorithm(), hasher.output_len());
        Digest::new(row, Message::of(hasher), digest_size).into_object(py)
    }
}

struct Reduce;

impl Method for Reduce {
    type Of = Ours<Digest>;

    fn call<'py>(digest: &Digest, py: Python<'py>, arguments: Given<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        arguments.none("__reduce__")?;
        reduced(&class::of::<Digest>(py)?.clone(), &digest.saved(py)?)
    }
}

/// The result of `__reduce__`: the class's `from_bytes`, which pickle calls, and its argument.
fn reduced<'py>(class: &Bound<'py, PyType>, saved: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let py = class.py();
    Ok((class.getattr("from_bytes")?, (PyBytes::new(py, saved),)).into_pyobject(py)?.into_any())
}

struct FromBytes;

impl Builtin for FromBytes {
    fn call<'py>(
        py: Python<'py>,
        _: Option<Borrowed<'_, 'py, PyAny>>,
        arguments: Given<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let hasher = restored(arguments.one("from_bytes", "data")?, Kind::Fixed)?;
        let (row, digest_size) = (hasher.algorithm(), hasher.output_len());
        Digest::new(row, Message::of(hasher), digest_size).into_object(py)
    }
}

/// Restores the hasher from these bytes. Its algorithm must be of this kind.
pub(crate) fn restored(data: &Bound<'_, PyAny>, kind: Kind) -> PyResult<Hasher> {
    let input = Input::of(data)?;
    let hasher = Hasher::from_bytes(input.as_slice()).map_err(errors::from_library)?;
    of_kind(hasher, kind, "from_bytes")
}

/// Restores a hasher with a key, like [`restored`].
pub(crate) fn restored_secret(data: &Bound<'_, PyAny>, kind: Kind) -> PyResult<Hasher> {
    let input = Input::of(data)?;
    let hasher = secret::after(|| Hasher::from_secret_bytes(input.as_slice()));
    of_kind(hasher.map_err(errors::from_library)?, kind, "from_secret_bytes")
}

fn of_kind(hasher: Hasher, kind: Kind, reader: &str) -> PyResult<Hasher> {
    let row = hasher.algorithm();
    if row.kind != kind {
        let class = if row.kind == Kind::Fixed { "Digest" } else { "Xof" };
        return Err(errors::saved_of_other_class(row.name, class, reader));
    }
    Ok(hasher)
}

/// The two lower-case hexadecimal digits of a byte.
fn digits(byte: u8) -> [u8; 2] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]
}

fn write_digits(bytes: &[u8], text: &mut [u8]) {
    for (pair, byte) in text.as_chunks_mut().0.iter_mut().zip(bytes) {
        *pair = digits(*byte);
    }
}

/// Returns the bytes in lower-case hexadecimal, as a Python string.
pub(crate) fn hex<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    let mut short = [0; 2 * SHORT];
    let mut long;
    let text = if let Some(text) = short.get_mut(..2 * bytes.len()) {
        write_digits(bytes, text);
        text
    } else {
        long = hexadecimal(bytes)?;
        &mut long
    };
    PyString::from_bytes(py, text)
}

/// Returns the bytes in lower-case hexadecimal, as a vector.
pub(crate) fn hexadecimal(bytes: &[u8]) -> PyResult<Vec<u8>> {
    let mut text = zeros(2 * bytes.len())?;
    write_digits(bytes, &mut text);
    Ok(text)
}
