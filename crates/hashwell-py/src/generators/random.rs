//! Streams of random bytes from named sources, for hashwell.Random and hashwell.BitGenerator, and the format of their
//! states.

use crate::boundary::buffer::{Input, copied_bytes, new_bytes};
use crate::boundary::errors::{self, Length};
use crate::boundary::immutable::add_private_class;
use crate::boundary::secret;
use crate::boundary::sync::Shared;
use crate::generators::seed::{self, Seed};
use hashwell::{RandomSource, Source, StreamKey};
use pyo3::exceptions::{PyKeyError, PyOverflowError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyMapping, PyString, PyTuple};

/// Returns the source with this name.
pub(crate) fn source_of(name: &Bound<'_, PyAny>) -> PyResult<Source> {
    let text = name.cast::<PyString>().map_err(|_| errors::not_a_source(name))?;
    Source::find(&text.to_cow()?).map_err(errors::no_source)
}

/// The default source of Random and BitGenerator.
pub(crate) fn default_source(py: Python<'_>) -> &Bound<'_, PyAny> {
    intern!(py, "hmac-drbg-sha256")
}

/// Opens the stream of a seed, or an OS-seeded stream if there is no seed.
pub(crate) fn open(
    source: &Bound<'_, PyAny>,
    seed: Option<&Bound<'_, PyAny>>,
    personalization: Option<&Bound<'_, PyAny>>,
) -> PyResult<Box<hashwell::RandomStream>> {
    let source = source_of(source)?;
    let (seed, personalization) =
        (seed.map(Seed::of).transpose()?, personalization.map(Input::of).transpose()?);
    let personalization = personalization.as_ref().map_or(&[][..], Input::as_slice);
    let stream = secret::boxed(|| match &seed {
        Some(seed) => source.seeded(seed.as_slice(), personalization),
        None => source.os_seeded(personalization),
    });
    stream.map_err(errors::from_library)
}

/// The key and the position of a seeded stream. In Python it is a dictionary with the structure of NumPy's states.
///
/// ```text
/// {"bit_generator": "hashwell", "state": {"source", "key", "jumps", "spawned", "position"}}
/// ```
pub(crate) struct State {
    pub(crate) source: Source,
    key: StreamKey,
    spawned: u64,
    /// The number of bytes read.
    position: u128,
}

/// The value of `bit_generator` in a state of this package.
const OWNER: &str = "hashwell";

impl State {
    pub(crate) fn of(stream: &hashwell::RandomStream) -> PyResult<Self> {
        let key = stream.key().ok_or_else(errors::os_seeded_state)?.clone();
        let (source, spawned, position) = (stream.source(), stream.spawned(), stream.position());
        Ok(Self { source, key, spawned, position })
    }

    /// Moves the position forward by this number of 64-bit numbers, or back if it is negative.
    pub(crate) fn advance(&mut self, numbers: i128) -> PyResult<()> {
        let there = numbers.checked_mul(8).and_then(|bytes| self.position.checked_add_signed(bytes));
        self.position = there.ok_or_else(|| errors::no_such_position(self.position, numbers))?;
        Ok(())
    }

    /// Opens the stream and moves it to the position. If the blocks of the stream are not independent, all bytes before
    /// the position are generated again, which Ctrl-C can stop.
    pub(crate) fn restore(self, py: Python<'_>) -> PyResult<Box<hashwell::RandomStream>> {
        let mut stream = secret::boxed(|| hashwell::RandomStream::of_key(self.source, self.key))
            .map_err(errors::from_library)?;
        stream.set_spawned(self.spawned);
        go_to(py, &mut stream, self.position)?;
        Ok(stream)
    }
}

impl<'py> FromPyObject<'_, 'py> for State {
    type Error = PyErr;

    /// Checks every field before it uses any. Ignores fields that other programs have added.
    fn extract(state: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let owner: String = Field::of(&state, "bit_generator")?.text()?;
        if owner != OWNER {
            return Err(errors::not_a_state(&format!("it belongs to '{owner}'")));
        }
        let place = Field::of(&state, "state")?.value;
        let source = Source::find(&Field::of(&place, "source")?.text()?);
        let root = Field::of(&place, "key")?.key()?;
        let jumps = Field::of(&place, "jumps")?.number("2**64 - 1")?;
        let spawned = Field::of(&place, "spawned")?.number("2**64 - 1")?;
        let position = Field::of(&place, "position")?.number("2**128 - 1")?;
        let source = source.map_err(|error| errors::not_a_state(&error.to_string()))?;
        Ok(Self { source, key: StreamKey { root, jumps }, spawned, position })
    }
}

impl<'py> IntoPyObject<'py> for State {
    type Target = PyDict;
    type Output = Bound<'py, PyDict>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let place = PyDict::new(py);
        place.set_item("source", self.source.name())?;
        place.set_item("key", copied_bytes(py, &self.key.root)?)?;
        place.set_item("jumps", self.key.jumps)?;
        place.set_item("spawned", self.spawned)?;
        place.set_item("position", self.position)?;
        let state = PyDict::new(py);
        state.set_item("bit_generator", OWNER)?;
        state.set_item("state", place)?;
        Ok(state)
    }
}

/// A field of a state, with its name for error texts.
struct Field<'py> {
    name: &'static str,
    value: Bound<'py, PyAny>,
}

impl<'py> Field<'py> {
    fn of(state: &Bound<'py, PyAny>, name: &'static str) -> PyResult<Self> {
        let state = state.cast::<PyMapping>().map_err(|_| errors::no_dictionary(state, name))?;
        match state.get_item(name) {
            Ok(value) => Ok(Self { name, value }),
            Err(error) if error.is_instance_of::<PyKeyError>(state.py()) => Err(errors::no_field(name)),
            Err(error) => Err(error),
        }
    }

    fn text(&self) -> PyResult<String> {
        let text = self.value.cast::<PyString>().map_err(|_| self.wrong("a string"))?;
        Ok(text.to_cow()?.into_owned())
    }

    fn key(&self) -> PyResult<[u8; 32]> {
        if self.value.is_instance_of::<PyString>() {
            return Err(self.wrong("bytes"));
        }
        let key = Input::of(&self.value).map_err(|_| self.wrong("bytes"))?;
        let short = |_| errors::not_a_state(&format!("its key has {} bytes, not 32", key.as_slice().len()));
        key.as_slice().try_into().map_err(short)
    }

    /// Reads an integer from 0 to `max`, which is the maximum of the type.
    fn number<T: for<'a> FromPyObject<'a, 'py, Error = PyErr>>(&self, max: &str) -> PyResult<T> {
        self.value.extract().map_err(|error: PyErr| {
            if !error.is_instance_of::<PyOverflowError>(self.value.py()) {
                return self.wrong("an integer");
            }
            let (name, not) = (self.name, errors::but_not(&self.value));
            errors::not_a_state(&format!("its {name} must be 0 to {max}{not}"))
        })
    }

    fn wrong(&self, kind: &str) -> PyErr {
        errors::wrong_field(self.name, kind, &self.value)
    }
}

/// Moves the stream to a byte position. Ctrl-C can stop this.
fn go_to(py: Python<'_>, stream: &mut hashwell::RandomStream, position: u128) -> PyResult<()> {
    const STEP: u128 = 16 << 20;
    stream.check_reaches(position).map_err(errors::from_library)?;
    if stream.is_seekable() || position < stream.position() {
        let first = if stream.is_seekable() { position } else { 0 };
        stream.seek(first).map_err(errors::from_library)?;
    }
    while stream.position() < position {
        let next = position.min(stream.position() + STEP);
        py.detach(|| stream.seek(next)).map_err(errors::from_library)?;
        py.check_signals()?;
    }
    Ok(())
}

/// The implementation of hashwell.Random. Several threads can use the same object; each call is atomic.
#[pyclass(frozen, name = "_RandomStream", module = "hashwell._native")]
pub(crate) struct RandomStream(Shared<Box<hashwell::RandomStream>>);

impl RandomStream {
    /// Runs `f`, which reads about `work` bytes.
    #[inline]
    fn with<R: Send>(
        &self,
        py: Python<'_>,
        work: usize,
        f: impl FnOnce(&mut hashwell::RandomStream) -> Result<R, hashwell::Error> + Send,
    ) -> PyResult<R> {
        self.0.with(py, work, |stream| f(stream)).map_err(errors::from_library)
    }

    fn read<'py>(&self, py: Python<'py>, n: usize) -> PyResult<Bound<'py, PyBytes>> {
        new_bytes(py, n, |pieces| {
            self.0
                .with_pieces(py, n, pieces, |stream, piece| stream.read(piece).map_err(errors::from_library))
        })
    }
}

#[pymethods]
impl RandomStream {
    #[new]
    fn new(
        source: &Bound<'_, PyAny>,
        seed: Option<&Bound<'_, PyAny>>,
        personalization: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        open(source, seed, Some(personalization)).map(|stream| Self(Shared::new(stream)))
    }

    #[staticmethod]
    fn from_state(py: Python<'_>, state: State) -> PyResult<Self> {
        state.restore(py).map(|stream| Self(Shared::new(stream)))
    }

    fn state(&self, py: Python<'_>) -> PyResult<State> {
        self.0.with(py, 0, |stream| State::of(stream))
    }

    #[getter]
    fn source(&self, py: Python<'_>) -> String {
        self.0.with(py, 0, |stream| stream.source().name())
    }

    #[getter]
    fn os_seeded(&self, py: Python<'_>) -> bool {
        self.0.with(py, 0, |stream| stream.key().is_none())
    }

    fn random(&self, py: Python<'_>) -> PyResult<f64> {
        self.with(py, 0, |stream| stream.next_f64())
    }

    /// Return the next (k + 7) // 8 bytes as a big-endian number, without its surplus low bits.
    fn getrandbits<'py>(&self, py: Python<'py>, k: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let bits = errors::count_of(k, "number of bits")?;
        if let Ok(word_bits @ 0..=64) = u32::try_from(bits) {
            let number = self.with(py, 0, |stream| stream.next_bits(word_bits))?;
            return Ok(number.into_pyobject(py)?.into_any());
        }
        let len = bits.div_ceil(8);
        let surplus = 8 * len - bits;
        let number = py.get_type::<PyInt>().call_method1("from_bytes", (self.read(py, len)?, "big"))?;
        if surplus == 0 { Ok(number) } else { number.call_method1("__rshift__", (surplus,)) }
    }

    fn randbytes<'py>(&self, py: Python<'py>, n: Length) -> PyResult<Bound<'py, PyBytes>> {
        self.read(py, n.0)
    }
}

/// Return the names of all random sources.
///
/// Returns:
///     A tuple of the names that Random, BitGenerator and `hashwell random` accept.
///
/// Examples:
///     >>> import hashwell
///     >>> "blake3" in hashwell.random_sources()
///     True
#[pyfunction]
fn random_sources(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, Source::all().map(Source::name).collect::<Vec<_>>())
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_private_class::<RandomStream>(module)?;
    module.setattr("_seed", wrap_pyfunction!(seed::seed, module)?)?;
    module.add_function(wrap_pyfunction!(random_sources, module)?)
}
