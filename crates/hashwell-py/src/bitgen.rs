//! A stream as a NumPy bit generator: a C struct of functions in a capsule, which `numpy.random.Generator`
//! calls without Python.
//!
//! NumPy copies the struct and calls its functions with `lock` held, from any thread and without the
//! interpreter. So do the methods here; whoever calls the functions from C, Cython or Numba has to hold it
//! too, as with NumPy's own generators. Functions that C calls cannot fail: if the stream does (the operating
//! system gives no entropy, a seeded HMAC-DRBG has given 2^58 bytes), the process ends with a message, since a
//! number that is not random would be worse. A panic ends it too: it does not cross `extern "C"`.
#![allow(unsafe_code)]

use crate::errors;
use crate::random::{State, open};
use hashwell::{Error, RandomStream};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple, PyType};
use std::cell::UnsafeCell;
use std::ffi::{CStr, c_void};
use std::sync::Arc;

/// NumPy's `bitgen_t`, then what keeps its state alive.
#[repr(C)]
struct Interface {
    state: *mut c_void,
    next_uint64: unsafe extern "C" fn(*mut c_void) -> u64,
    next_uint32: unsafe extern "C" fn(*mut c_void) -> u32,
    next_double: unsafe extern "C" fn(*mut c_void) -> f64,
    next_raw: unsafe extern "C" fn(*mut c_void) -> u64,
    owner: Arc<Locked>,
}

// SAFETY: the pointer is to what `owner` holds, whose use is up to `lock` and not to a thread.
unsafe impl Send for Interface {}

const CAPSULE: &CStr = c"BitGenerator";

/// The stream, which whoever holds the generator's `lock` may use.
struct Locked(UnsafeCell<RandomStream>);

// SAFETY: a `RandomStream` may go from thread to thread, and `lock` lets one at a time use it.
unsafe impl Send for Locked {}
// SAFETY: as above.
unsafe impl Sync for Locked {}

macro_rules! next {
    ($($function:ident $method:ident $number:ty;)*) => {
        $(unsafe extern "C" fn $function(state: *mut c_void) -> $number {
            // SAFETY: `state` is that of an `Interface`, whose owner lives as long as the capsule; the caller
            // holds the lock, so that this is the only reference.
            let stream = unsafe { &mut *state.cast::<RandomStream>() };
            stream.$method().unwrap_or_else(|error| fail(&error))
        })*
    };
}

next! {
    next_uint64 next_u64 u64;
    next_uint32 next_u32 u32;
    next_double next_f64 f64;
}

#[cold]
fn fail(error: &Error) -> ! {
    eprintln!("hashwell: {error}; NumPy cannot be told, so the process ends");
    std::process::abort()
}

/// A bit generator for numpy.random.Generator: BitGenerator(source, seed=None, *, personalization=b'').
///
/// source is one of random_sources(). With a seed, bytes of any length, the stream is the same on every
/// machine and in every version, and in forked children; personalization tells uses of one seed apart. Without
/// a seed nobody can repeat it: the operating system seeds it, in a forked child anew.
///
/// A number is the next bytes of the stream, big-endian: next_uint64 and next_raw take 8, next_uint32 takes 4 (so
/// that the first half of a uint64 is the next uint32), next_double is (uint64 >> 11) * 2**-53.
///
/// Pickles, and state, hold the key of the stream and the position in it; an OS-seeded one has neither.
/// Going to a position takes a moment for 'blake3' and 'counter'; other sources generate all bytes before it.
#[pyclass(frozen, module = "hashwell")]
pub(crate) struct BitGenerator {
    stream: Arc<Locked>,
    /// Held while the stream is used.
    #[pyo3(get)]
    lock: Py<PyAny>,
}

/// Python's lock, let go on drop.
struct Held<'a, 'py>(&'a Bound<'py, PyAny>);

impl Drop for Held<'_, '_> {
    fn drop(&mut self) {
        // Fails only if someone else let go of it, and then there is nothing to do.
        let _ = self.0.call_method0("release");
    }
}

impl BitGenerator {
    fn wrap(py: Python<'_>, stream: RandomStream) -> PyResult<Self> {
        let lock = py.import("threading")?.call_method0("RLock")?.unbind();
        Ok(Self { stream: Arc::new(Locked(UnsafeCell::new(stream))), lock })
    }

    /// Runs `f`, which calls no Python, with the lock held.
    fn with<R>(&self, py: Python<'_>, f: impl FnOnce(&mut RandomStream) -> R) -> PyResult<R> {
        let lock = self.lock.bind(py);
        lock.call_method0("acquire")?;
        let _held = Held(lock);
        // SAFETY: the lock is held, and held by this thread further out only between calls of C functions: `f`
        // calls nothing that comes back here.
        Ok(f(unsafe { &mut *self.stream.0.get() }))
    }
}

/// NumPy's class, if the program has imported it.
fn numpy_class(py: Python<'_>) -> PyResult<Option<Bound<'_, PyType>>> {
    let modules = py.import("sys")?.getattr("modules")?;
    let numpy = modules.call_method1("get", ("numpy.random",))?;
    if numpy.is_none() {
        return Ok(None);
    }
    Ok(numpy.getattr_opt("BitGenerator")?.and_then(|class| class.cast_into().ok()))
}

#[pymethods]
impl BitGenerator {
    #[new]
    #[pyo3(signature = (source, seed=None, *, personalization=None), text_signature = "(source, seed=None, *, personalization=b'')")]
    fn new(
        py: Python<'_>,
        source: &str,
        seed: Option<&Bound<'_, PyAny>>,
        personalization: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Self::wrap(py, open(source, seed, personalization)?)
    }

    /// The generator that this state was taken of.
    #[staticmethod]
    fn from_state(py: Python<'_>, state: State) -> PyResult<Self> {
        Self::wrap(py, state.restore(py)?)
    }

    /// What NumPy reads: a capsule named "BitGenerator" over a bitgen_t.
    #[getter]
    fn capsule<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let owner = Arc::clone(&self.stream);
        let state = owner.0.get().cast();
        let interface =
            Interface { state, next_uint64, next_uint32, next_double, next_raw: next_uint64, owner };
        PyCapsule::new_with_value(py, interface, CAPSULE)
    }

    /// Name of the source.
    #[getter]
    fn source(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |stream| stream.source().name())
    }

    /// Whether the operating system seeded it, so that nobody can repeat its output.
    #[getter]
    fn os_seeded(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |stream| stream.key().is_none())
    }

    /// Key and position: whoever has them has the whole stream. May be set, to a state of the same source.
    #[getter]
    fn state(&self, py: Python<'_>) -> PyResult<State> {
        self.with(py, |stream| State::of(stream))?
    }

    #[setter]
    fn set_state(&self, py: Python<'_>, state: State) -> PyResult<()> {
        let mut restored = state.restore(py)?;
        let set = self.with(py, |stream| {
            let fits = stream.key().is_some() && stream.source() == restored.source();
            if fits {
                std::mem::swap(stream, &mut restored);
            }
            fits
        })?;
        match set {
            true => Ok(()),
            false if self.os_seeded(py)? => Err(errors::os_seeded_state()),
            false => Err(errors::not_a_state(&format!("it is of source '{}'", restored.source().name()))),
        }
    }

    /// The next 64 bits.
    fn random_raw(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |stream| stream.next_u64())?.map_err(errors::from_library)
    }

    /// A list of n_children generators, independent of this one, of each other and of those of other calls.
    /// Child i of all that were ever spawned has the key SHA-256(K + b'\x03' + i as 8 bytes, big-endian), K the
    /// key of this one; how far this one was read does not matter.
    fn spawn(&self, py: Python<'_>, n_children: usize) -> PyResult<Vec<Self>> {
        let child = |_| {
            let child = self.with(py, |stream| stream.spawn())?;
            Self::wrap(py, child.map_err(errors::from_library)?)
        };
        (0..n_children).map(child).collect()
    }

    /// The generator that many streams further on, at the beginning of its stream. Stream j of the row that this
    /// one's stream is number 0 of has the key SHA-256(K + b'\x04' + j as 8 bytes, big-endian); jumping twice
    /// adds up.
    #[pyo3(signature = (jumps=1))]
    fn jumped(&self, py: Python<'_>, jumps: u64) -> PyResult<Self> {
        let jumped = self.with(py, |stream| stream.jumped(jumps))?;
        Self::wrap(py, jumped.map_err(errors::from_library)?)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let from_state = py.get_type::<Self>().getattr("from_state")?;
        Ok((from_state, PyTuple::new(py, [slf.get().state(py)?])?))
    }

    /// NumPy's class where the program uses NumPy, which unpickles a Generator only around an instance of
    /// that. A real subclass would need NumPy to be built and to be imported.
    #[getter(__class__)]
    fn class<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyType>> {
        Ok(numpy_class(py)?.unwrap_or_else(|| py.get_type::<Self>()))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |stream| {
            let seeded = if stream.key().is_none() { "OS-seeded" } else { "seeded" };
            format!("<hashwell.BitGenerator '{}', {seeded}>", stream.source().name())
        })
    }
}
