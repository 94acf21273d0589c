//! Streams of random bytes by name, for hashwell.Random and hashwell.BitGenerator, and what their state looks
//! like.

use crate::border::buffer::{Input, new_bytes};
use crate::border::errors::{self, Length};
use crate::border::sync::Shared;
use crate::generators::seed::Seed;
use hashwell::{Source, StreamKey};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString, PyTuple};

/// The source that a caller names.
pub(crate) fn source_of(name: &Bound<'_, PyAny>) -> PyResult<Source> {
    let text = name.cast::<PyString>().map_err(|_| errors::not_a_source(name))?;
    Source::find(&text.to_cow()?).map_err(errors::no_source)
}

/// The stream of a seed, or without one the operating system's.
pub(crate) fn open(
    source: &Bound<'_, PyAny>,
    seed: Option<&Bound<'_, PyAny>>,
    personalization: Option<&Bound<'_, PyAny>>,
) -> PyResult<hashwell::RandomStream> {
    let source = source_of(source)?;
    let (seed, personalization) =
        (seed.map(Seed::of).transpose()?, personalization.map(Input::of).transpose()?);
    let personalization = personalization.as_ref().map_or(&[][..], Input::as_slice);
    let stream = match &seed {
        Some(seed) => source.seeded(seed.as_slice(), personalization),
        None => source.os_seeded(personalization),
    };
    stream.map_err(errors::from_library)
}

/// Where a seeded stream is: a dictionary in Python, of the shape that NumPy's states have.
#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct State {
    /// Whose state it is.
    bit_generator: String,
    state: Place,
}

#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
struct Place {
    source: String,
    /// 32 bytes, from which everything follows.
    key: Vec<u8>,
    jumps: u64,
    spawned: u64,
    /// Bytes read.
    position: u128,
}

const OWNER: &str = "hashwell";

impl State {
    pub(crate) fn of(stream: &hashwell::RandomStream) -> PyResult<Self> {
        let key = stream.key().ok_or_else(errors::os_seeded_state)?;
        let state = Place {
            source: stream.source().name(),
            key: key.root.to_vec(),
            jumps: key.jumps,
            spawned: stream.spawned(),
            position: stream.position(),
        };
        Ok(Self { bit_generator: OWNER.to_owned(), state })
    }

    /// Goes so many numbers of 64 bits on, or back.
    pub(crate) fn advance(&mut self, numbers: i128) -> PyResult<()> {
        let position = &mut self.state.position;
        let there = numbers.checked_mul(8).and_then(|bytes| position.checked_add_signed(bytes));
        *position = there.ok_or_else(|| errors::no_such_position(*position, numbers))?;
        Ok(())
    }

    /// The stream at that place. Where blocks are not independent, all of it up to there is generated again,
    /// which Ctrl-C can stop.
    pub(crate) fn restore(self, py: Python<'_>) -> PyResult<hashwell::RandomStream> {
        let Self { bit_generator, state } = self;
        if bit_generator != OWNER {
            return Err(errors::not_a_state(&format!("it is of '{bit_generator}'")));
        }
        let source = Source::find(&state.source).map_err(errors::no_source)?;
        let root = <[u8; 32]>::try_from(state.key);
        let root =
            root.map_err(|key| errors::not_a_state(&format!("its key has {} bytes, not 32", key.len())))?;
        let key = StreamKey { root, jumps: state.jumps };
        let mut stream = hashwell::RandomStream::of_key(source, key).map_err(errors::from_library)?;
        stream.set_spawned(state.spawned);
        go_to(py, &mut stream, state.position)?;
        Ok(stream)
    }
}

/// Goes to a byte position, which Ctrl-C can stop.
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

/// What hashwell.Random is made of. Threads may share one; each call is atomic.
#[pyclass(frozen, module = "hashwell._native")]
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
        open(source, seed, Some(personalization)).map(|stream| Self(Shared::new(Box::new(stream))))
    }

    #[staticmethod]
    fn from_state(py: Python<'_>, state: State) -> PyResult<Self> {
        state.restore(py).map(|stream| Self(Shared::new(Box::new(stream))))
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

    /// The next (k + 7) // 8 bytes as a big-endian number, without its surplus low bits.
    fn getrandbits<'py>(&self, py: Python<'py>, k: isize) -> PyResult<Bound<'py, PyAny>> {
        let bits = usize::try_from(k).map_err(|_| errors::negative_bits())?;
        let len = bits.div_ceil(8);
        let surplus = 8 * len - bits;
        if len <= 8 {
            let word = self.with(py, 0, |stream| {
                let mut bytes = [0; 8];
                stream.read(&mut bytes[8 - len..])?;
                Ok(u64::from_be_bytes(bytes))
            })?;
            return Ok((word >> surplus).into_pyobject(py)?.into_any());
        }
        let number = py.get_type::<PyInt>().call_method1("from_bytes", (self.read(py, len)?, "big"))?;
        if surplus == 0 { Ok(number) } else { number.call_method1("__rshift__", (surplus,)) }
    }

    fn randbytes<'py>(&self, py: Python<'py>, n: Length) -> PyResult<Bound<'py, PyBytes>> {
        self.read(py, n.0)
    }
}

/// Names of all sources of random numbers, for Random, BitGenerator and the command line's `random`.
#[pyfunction]
fn random_sources(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, Source::all().map(Source::name).collect::<Vec<_>>())
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // Not a public name: hashwell._random uses it.
    module.setattr("RandomStream", module.py().get_type::<RandomStream>())?;
    module.add_function(wrap_pyfunction!(random_sources, module)?)
}
