//! Extendable-output functions: first absorb a message, then read as much output as needed.

use crate::boundary::buffer::{Input, Output, new_bytes};
use crate::boundary::builtin::{self, Given, Method, OfPyO3};
use crate::boundary::errors::{self, Length, Offset, Whence, exception};
use crate::boundary::immutable::add_class;
use crate::boundary::sync::{self, Shared};
use crate::objects::digest::{Message, hex, restored, restored_secret};
use crate::objects::uniform;
use crate::rows::algorithm::{digest_size, object_name, status_word};
use hashwell::{Hasher, Kind, Reader};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple, PyType};
use std::iter;

/// The phase of a stream.
#[derive(Clone)]
enum Phase {
    Absorbing(&'static hashwell::Algorithm, Message),
    /// Boxed, because it is several times as large as a short message.
    Reading(Box<Reader>),
}

impl Phase {
    /// Appends data to the message. Returns false if the message has ended.
    #[inline]
    fn absorb(&mut self, data: &[u8]) -> bool {
        match self {
            Phase::Absorbing(row, message) => {
                message.update(row, data);
                true
            }
            Phase::Reading(_) => false,
        }
    }

    /// Returns the reader. This ends the message if it has not ended.
    #[inline]
    fn reader(&mut self) -> &mut Reader {
        self.end();
        match self {
            Phase::Reading(reader) => reader,
            Phase::Absorbing(..) => unreachable!("turned to reading above"),
        }
    }

    /// Ends the message if it has not ended.
    #[inline]
    fn end(&mut self) {
        /// This is a separate function, so that later reads, which are often short, don't have to save the registers
        /// that it uses.
        #[inline(never)]
        fn begin_to_read(row: &'static hashwell::Algorithm, message: &Message) -> Phase {
            Phase::Reading(Box::new(message.reader(row)))
        }
        if let Phase::Absorbing(row, message) = self {
            *self = begin_to_read(row, message);
        }
    }

    /// Returns a separate reader for the message so far, or `None` if the message has ended.
    fn first_reader(&self) -> Option<Reader> {
        match self {
            Phase::Absorbing(row, message) => Some(message.reader(row)),
            Phase::Reading(_) => None,
        }
    }

    /// The number of bytes read so far, or `None` if the message has not ended.
    fn position(&self) -> Option<u64> {
        match self {
            Phase::Absorbing(..) => None,
            Phase::Reading(reader) => Some(reader.position()),
        }
    }
}

/// An extendable-output function: absorb a message, then read as much output as you need.
///
/// To make an object, use a constructor such as hashwell.shake128, hashwell.new or Kmac.xof. The message ends with
/// finalize() or the first read; appending data after that raises FinalizedError. Iteration yields the output in
/// pieces of block_size bytes, without end. Several threads can use the same object; each call is atomic.
///
/// Examples:
///     >>> import hashwell
///     >>> stream = hashwell.shake128(b"seed")
///     >>> stream.read(4).hex(), stream.read(4).hex()
///     ('25629347', '58924276')
///     >>> stream.tell()
///     8
#[pyclass(frozen, module = "hashwell")]
pub(crate) struct Xof {
    name: &'static str,
    block_size: usize,
    /// The number of bytes that digest() returns without a length, or 0 if it requires a length.
    digest_size: usize,
    phase: Shared<Phase>,
}

impl Xof {
    #[inline]
    pub(crate) fn new(row: &'static hashwell::Algorithm, message: Message, digest_size: usize) -> Self {
        let phase = Shared::new(Phase::Absorbing(row, message));
        Self { name: object_name(row), block_size: row.block, digest_size, phase }
    }

    /// Creates the object of a restored hasher.
    fn of(hasher: Hasher) -> Self {
        let (row, len) = (hasher.algorithm(), hasher.output_len());
        let digest_size = if len == row.output { digest_size(row) } else { len };
        Self::new(row, Message::of(hasher), digest_size)
    }

    /// Creates a stream whose message has ended.
    pub(crate) fn reading(name: &'static str, block_size: usize, reader: Box<Reader>) -> Self {
        Self { name, block_size, digest_size: 0, phase: Shared::new(Phase::Reading(reader)) }
    }

    #[inline]
    pub(crate) fn absorb_bytes(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let input = Input::of(data)?;
        let bytes = input.as_slice();
        self.phase.with_pieces(py, bytes.len(), sync::pieces(bytes), |phase, piece| {
            if phase.absorb(piece) { Ok(()) } else { Err(errors::finalized(self.name)) }
        })
    }

    /// Returns the first `length` bytes of output for the message so far, without ending the message.
    fn first_bytes<'py>(&self, py: Python<'py>, length: Option<Length>) -> PyResult<Bound<'py, PyBytes>> {
        let size = match length {
            Some(Length(size)) => size,
            None if self.digest_size == 0 => return Err(errors::no_digest_size(self.name)),
            None => self.digest_size,
        };
        let reader = self.phase.with(py, 0, |phase| phase.first_reader());
        let mut reader = reader.ok_or_else(|| errors::digest_of_reading(self.name))?;
        new_bytes(py, size, |pieces| sync::run_pieces(py, size, pieces, |piece| reader.read(piece)))
    }

    #[inline]
    fn read_bytes<'py>(&self, py: Python<'py>, size: usize) -> PyResult<Bound<'py, PyBytes>> {
        new_bytes(py, size, |pieces| {
            // A read of 0 bytes also ends the message.
            let pieces = iter::once(&mut [][..]).chain(pieces);
            self.phase.with_pieces(py, size, pieces, read_piece(size))
        })
    }
}

/// Adds the class, and the method for short reads.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let doc = "Return the next n bytes of output. The first read ends the message.\n\nArgs:\n    \
        n: The number of bytes.\n\nReturns:\n    The output as bytes.\n\nRaises:\n    \
        ValueError: The output has fewer than n bytes left, because it ends after 2**64 - 1 bytes. Nothing is read in\n        \
        this case.";
    builtin::add_method::<Read>(module.py(), "read", "n", doc)?;
    add_class::<Xof>(module)
}

struct Read;

impl Method for Read {
    type Of = OfPyO3<Xof>;

    #[inline]
    fn call<'py>(xof: &Xof, py: Python<'py>, arguments: Given<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let n: Length = arguments.one("read", "n")?.extract()?;
        Ok(xof.read_bytes(py, n.0)?.into_any())
    }
}

/// Returns a function that reads one piece after another, `len` bytes in total. If the stream has fewer than `len`
/// bytes left, it reads nothing.
fn read_piece(len: usize) -> impl FnMut(&mut Phase, &mut [u8]) -> PyResult<()> + Send {
    let mut unchecked = Some(len as u64);
    move |phase, piece| {
        let reader = phase.reader();
        if let Some(len) = unchecked.take() {
            reader.check_left(len).map_err(errors::from_library)?;
        }
        reader.try_read(piece).map_err(errors::from_library)
    }
}

#[pymethods]
impl Xof {
    /// Raises TypeError, because only functions of this package make such objects.
    ///
    /// Without this constructor, `inspect.signature` would show the signature of `object`, which takes no arguments.
    #[new]
    #[pyo3(signature = (*_arguments, **_keywords), text_signature = None)]
    fn refuse(_arguments: &Bound<'_, PyTuple>, _keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Err(errors::not_constructible("hashwell.Xof"))
    }

    /// The name of the algorithm.
    #[getter]
    fn name(&self) -> &'static str {
        self.name
    }

    /// The block size in bytes. For a sponge function, it is the rate.
    #[getter]
    fn block_size(&self) -> usize {
        self.block_size
    }

    /// The number of bytes that digest() returns without a length.
    ///
    /// It is 0 if digest() needs a length, as with hashlib's SHAKE.
    #[getter]
    fn digest_size(&self) -> usize {
        self.digest_size
    }

    /// True if the message has ended, so that no data can be appended.
    #[getter]
    fn finalized(&self, py: Python<'_>) -> bool {
        self.phase.with(py, 0, |phase| matches!(phase, Phase::Reading(_)))
    }

    /// Append data to the message and return this object, so that you can chain calls.
    ///
    /// Args:
    ///     data: A bytes-like object.
    ///
    /// Returns:
    ///     This object.
    ///
    /// Raises:
    ///     FinalizedError: The message has ended.
    ///     TypeError: data is not a bytes-like object.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> hashwell.shake128().absorb(b"a").absorb(b"bc").hexdigest(8)
    ///     '5881092dd818bf5c'
    fn absorb<'py>(slf: Bound<'py, Self>, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Self>> {
        slf.get().absorb_bytes(slf.py(), data)?;
        Ok(slf)
    }

    /// Append data to the message, as in hashlib.
    ///
    /// Args:
    ///     data: A bytes-like object.
    ///
    /// Raises:
    ///     FinalizedError: The message has ended.
    ///     TypeError: data is not a bytes-like object.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> stream = hashwell.shake128(b"a")
    ///     >>> stream.update(b"bc")
    ///     >>> stream.hexdigest(8)
    ///     '5881092dd818bf5c'
    fn update(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        self.absorb_bytes(py, data)
    }

    /// End the message and return this object. A second call does nothing.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> hashwell.shake128(b"abc").finalize().finalized
    ///     True
    fn finalize<'py>(slf: Bound<'py, Self>) -> Bound<'py, Self> {
        slf.get().phase.with(slf.py(), 0, |phase| {
            phase.reader();
        });
        slf
    }

    /// Fill a buffer with the next bytes of output. The first read ends the message.
    ///
    /// Args:
    ///     buffer: A writable C-contiguous buffer with any item type.
    ///
    /// Raises:
    ///     ValueError: The output has fewer bytes left than the buffer needs. Nothing is read in this case.
    ///     TypeError: The buffer is not writable.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> buffer = bytearray(8)
    ///     >>> hashwell.shake128(b"abc").read_into(buffer)
    ///     >>> buffer.hex()
    ///     '5881092dd818bf5c'
    fn read_into(&self, py: Python<'_>, buffer: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut output = Output::of(buffer)?;
        let bytes = output.as_mut_slice();
        let len = bytes.len();
        self.phase.with_pieces(py, len, sync::pieces_mut(bytes), read_piece(len))
    }

    /// Return the first bytes of output, as in hashlib. You can append more data afterwards.
    ///
    /// Args:
    ///     length: The number of bytes. By default, it is digest_size.
    ///
    /// Returns:
    ///     The output as bytes.
    ///
    /// Raises:
    ///     FinalizedError: The message has ended.
    ///     TypeError: length is missing, and digest_size is 0.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> hashwell.shake128(b"abc").digest(8).hex()
    ///     '5881092dd818bf5c'
    #[pyo3(signature = (length=None))]
    fn digest<'py>(&self, py: Python<'py>, length: Option<Length>) -> PyResult<Bound<'py, PyBytes>> {
        self.first_bytes(py, length)
    }

    /// Return the first bytes of output in hexadecimal. You can append more data afterwards.
    ///
    /// Args:
    ///     length: The number of bytes. By default, it is digest_size.
    ///
    /// Returns:
    ///     The output as a str.
    ///
    /// Raises:
    ///     FinalizedError: The message has ended.
    ///     TypeError: length is missing, and digest_size is 0.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> hashwell.shake128(b"abc").hexdigest(8)
    ///     '5881092dd818bf5c'
    #[pyo3(signature = (length=None))]
    fn hexdigest<'py>(&self, py: Python<'py>, length: Option<Length>) -> PyResult<Bound<'py, PyString>> {
        hex(py, self.first_bytes(py, length)?.as_bytes())
    }

    /// Return n uniform integers in range(below), by the rejection sampling of ML-KEM and ML-DSA.
    ///
    /// With below=3329, the results are bit for bit the same as in FIPS 203 algorithm 7. With below=8380417, they are
    /// the same as in FIPS 204 algorithm 30, and with below=15 or below=9, as in algorithm 31. If bits is an odd
    /// multiple of four, two candidates share bits / 4 bytes, with the low bits first. Otherwise, each candidate takes
    /// as many whole bytes as it needs, in little-endian order, and the surplus high bits are dropped. After the call,
    /// the position in the output is the same as after the loops of the standards.
    ///
    /// Args:
    ///     n: The number of integers.
    ///     below: The exclusive upper bound, from 1 to 2**64 - 1.
    ///     bits: The number of bits of a candidate. By default, it is the number of bits of below - 1.
    ///     out: A writable C-contiguous buffer of integers, whose first n items are filled.
    ///
    /// Returns:
    ///     A list of int, or the buffer `out` if you pass one.
    ///
    /// Raises:
    ///     ValueError: An argument is out of its range. Nothing is read in this case.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> numbers = hashwell.shake128(b"seed").ml_rej_uniform(256, 3329)
    ///     >>> len(numbers), max(numbers) < 3329
    ///     (256, True)
    #[pyo3(signature = (n, below, bits=None, *, out=None))]
    fn ml_rej_uniform<'py>(
        &self,
        py: Python<'py>,
        n: Length,
        below: &Bound<'py, PyAny>,
        bits: Option<&Bound<'py, PyAny>>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let range = uniform::Range::new(below, bits)?;
        let draw = |work: usize, f: uniform::Draw<'_>| {
            if !sync::is_long(work) {
                return self.phase.with(py, work, |phase| f(phase.reader(), &mut || Ok(())));
            }
            self.phase.with_turn(py, |turn| {
                // The numbers are drawn from a copy, because a signal handler may use the stream and must see its state
                // before the call.
                let mut reader = turn.reader().clone();
                let drawn = f(&mut reader, &mut || turn.look());
                *turn.reader() = reader;
                drawn
            })
        };
        match out {
            None => uniform::list(py, n.0, range, draw),
            Some(out) => uniform::fill(out, n.0, range, draw),
        }
    }

    /// An alias of ml_rej_uniform.
    #[pyo3(signature = (n, below, bits=None, *, out=None))]
    fn uniform<'py>(
        &self,
        py: Python<'py>,
        n: Length,
        below: &Bound<'py, PyAny>,
        bits: Option<&Bound<'py, PyAny>>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.ml_rej_uniform(py, n, below, bits, out)
    }

    /// Return the number of bytes read so far, which is the position in the output.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> stream = hashwell.shake128(b"abc")
    ///     >>> _ = stream.read(10)
    ///     >>> stream.tell()
    ///     10
    fn tell(&self, py: Python<'_>) -> u64 {
        self.phase.with(py, 0, |phase| phase.position()).unwrap_or(0)
    }

    /// Return True if seek() is supported, which is the case only for BLAKE3.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> hashwell.blake3().seekable(), hashwell.shake128().seekable()
    ///     (True, False)
    fn seekable(&self, py: Python<'_>) -> bool {
        self.phase.with(py, 0, |phase| phase.clone().reader().is_seekable())
    }

    /// Move to a position in the output, at constant cost.
    ///
    /// Args:
    ///     offset: The position in bytes, relative to whence.
    ///     whence: 0 for the start of the output, or 1 for the current position.
    ///
    /// Returns:
    ///     The new position, relative to the start.
    ///
    /// Raises:
    ///     io.UnsupportedOperation: seekable() is False.
    ///     ValueError: whence is neither 0 nor 1.
    ///     OverflowError: The new position is not in the range 0 to 2**64 - 1.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> stream = hashwell.blake3(b"abc")
    ///     >>> stream.seek(4)
    ///     4
    ///     >>> stream.read(4) == hashwell.blake3(b"abc").digest(8)[4:]
    ///     True
    #[pyo3(signature = (offset, whence=Whence(0)), text_signature = "($self, offset, whence=0)")]
    fn seek(&self, py: Python<'_>, offset: Offset, whence: Whence) -> PyResult<u64> {
        let (Offset(offset), Whence(whence)) = (offset, whence);
        if !self.seekable(py) {
            return Err(errors::unsupported_operation(
                py,
                &format!("{} does not support seeking", self.name),
            ));
        }
        if !matches!(whence, 0 | 1) {
            return Err(exception::<PyValueError>("whence must be 0 or 1: an unlimited output has no end"));
        }
        let sought = self.phase.with(py, 0, |phase| {
            let reader = phase.reader();
            let start = if whence == 0 { 0 } else { reader.position() };
            let position = u64::try_from(i128::from(start).checked_add(offset)?).ok()?;
            Some(reader.seek(position).map(|()| position))
        });
        match sought {
            None => Err(exception::<PyOverflowError>("the position must be 0 to 2**64 - 1")),
            Some(position) => position.map_err(errors::from_library),
        }
    }

    /// Return an independent copy of this object at the same position.
    fn copy(&self, py: Python<'_>) -> Self {
        let Self { name, block_size, digest_size, .. } = *self;
        Self {
            name,
            block_size,
            digest_size,
            phase: Shared::new(self.phase.with(py, 0, |phase| phase.clone())),
        }
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy(py)
    }

    /// Return the state as bytes, from which from_bytes() restores the object in any process and language.
    ///
    /// The bytes are as secret as the message. docs/spec/state.md specifies their format.
    ///
    /// Returns:
    ///     The saved state. Its size is at most 4096 bytes plus the size of the parameters.
    ///
    /// Raises:
    ///     TypeError: The message has ended. An output stream can't be saved.
    ///     ValueError: The object was made with a key, and the bytes would contain it.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> saved = hashwell.shake128(b"a").to_bytes()
    ///     >>> hashwell.Xof.from_bytes(saved).absorb(b"bc").hexdigest(8)
    ///     '5881092dd818bf5c'
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let saved = self.phase.with(py, 0, |phase| match phase {
            Phase::Absorbing(row, message) => Some(message.save(row)),
            Phase::Reading(_) => None,
        });
        let saved = saved.ok_or_else(|| errors::saved_of_reading(self.name))?;
        Ok(PyBytes::new(py, &saved.map_err(errors::from_library)?))
    }

    /// Restore an object from the result of to_bytes().
    ///
    /// Args:
    ///     data: The saved state, from any language.
    ///     digest_size: The number of bytes that digest() returns without a length. By default, it is the saved one. A
    ///         state doesn't contain the size if it is the one that other languages use by default.
    ///
    /// Returns:
    ///     A Xof that continues after the saved message.
    ///
    /// Raises:
    ///     ValueError: The bytes are not a valid saved state of a Xof.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> saved = hashwell.shake128(b"a").to_bytes()
    ///     >>> hashwell.Xof.from_bytes(saved).absorb(b"bc").hexdigest(8)
    ///     '5881092dd818bf5c'
    #[classmethod]
    #[pyo3(signature = (data, digest_size=None))]
    fn from_bytes(
        _class: &Bound<'_, PyType>,
        data: &Bound<'_, PyAny>,
        digest_size: Option<Length>,
    ) -> PyResult<Self> {
        let restored = Self::of(restored(data, Kind::Xof)?);
        let digest_size = digest_size.map_or(restored.digest_size, |Length(size)| size);
        Ok(Self { digest_size, ..restored })
    }

    /// Return the state with its key as bytes, from which from_secret_bytes() restores the object.
    ///
    /// Anyone who has these bytes has the key. Store them only where you would store the key, and encrypt them like the
    /// key. Python does not overwrite them when it frees their memory.
    ///
    /// Returns:
    ///     The saved state. Its size is at most 4096 bytes plus the size of the parameters.
    ///
    /// Raises:
    ///     TypeError: The message has ended: an output stream has no saved form.
    ///     ValueError: The object was made without a key: use to_bytes().
    fn to_secret_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let saved = self.phase.with(py, 0, |phase| match phase {
            Phase::Absorbing(row, message) => Some(message.save_secret(row)),
            Phase::Reading(_) => None,
        });
        let saved = saved.ok_or_else(|| errors::saved_of_reading(self.name))?;
        Ok(PyBytes::new(py, &saved.map_err(errors::from_library)?))
    }

    /// Restore an object from the result of to_secret_bytes().
    ///
    /// Args:
    ///     data: The saved state, from any language.
    ///
    /// Returns:
    ///     A Xof that continues after the saved message, with the same key.
    ///
    /// Raises:
    ///     ValueError: The bytes are not a valid saved state of a Xof with a key.
    #[classmethod]
    fn from_secret_bytes(_class: &Bound<'_, PyType>, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self::of(restored_secret(data, Kind::Xof)?))
    }

    /// Support pickle, which stores the result of to_bytes() and the digest size.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        let arguments = (this.to_bytes(py)?, this.digest_size);
        Ok((slf.get_type().getattr("from_bytes")?, arguments).into_pyobject(py)?.into_any())
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.read_bytes(py, self.block_size)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let name = self.name;
        let status = hashwell::find(name).map_or_else(|_| String::new(), status_word);
        match self.phase.with(py, 0, |phase| phase.position()) {
            None => format!("<hashwell.Xof '{name}'{status}, absorbing>"),
            Some(position) => format!("<hashwell.Xof '{name}'{status}, reading at {position}>"),
        }
    }
}
