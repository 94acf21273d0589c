//! A NumPy bit generator for a stream: a C struct of functions in a capsule, which `numpy.random.Generator` calls
//! without Python.
//!
//! NumPy copies the struct and calls its functions with `lock` held, from any thread and without the interpreter. The
//! methods here hold the lock, too. Callers of the functions from C, Cython or Numba must also hold it, as with NumPy's
//! own generators. Functions that C calls cannot return an error. If the stream fails (the operating system returns no
//! entropy, or a seeded HMAC-DRBG has returned 2^58 bytes), the process ends with a message, because a number that is
//! not random would be worse. A panic also ends the process: it cannot unwind through `extern "C"`.
#![allow(unsafe_code)]

use crate::boundary::buffer::Output;
use crate::boundary::errors::{self, Jumps, Length};
use crate::boundary::secret;
use crate::generators::random::{State, default_source, open};
use hashwell::{Error, RandomSource, RandomStream};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyCapsule, PyString, PyTuple, PyType};
use std::cell::UnsafeCell;
use std::ffi::{CStr, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// NumPy's `bitgen_t`, followed by the owner of its state, which keeps the state alive.
#[repr(C)]
struct Interface {
    state: *mut c_void,
    next_uint64: unsafe extern "C" fn(*mut c_void) -> u64,
    next_uint32: unsafe extern "C" fn(*mut c_void) -> u32,
    next_double: unsafe extern "C" fn(*mut c_void) -> f64,
    next_raw: unsafe extern "C" fn(*mut c_void) -> u64,
    owner: Arc<Locked>,
}

// SAFETY: the pointer refers to the state in `owner`. Access to the state is protected by `lock` and does not depend on
// the thread.
unsafe impl Send for Interface {}

const CAPSULE: &CStr = c"BitGenerator";

/// The stream, and the number of its children.
struct Seat {
    stream: Box<RandomStream>,
    /// The number of spawned children. Generators from the same SeedSequence share this count, as in NumPy, so that
    /// they never spawn the same child.
    children: Arc<AtomicU64>,
}

impl Seat {
    fn new(stream: Box<RandomStream>) -> Self {
        Self { children: Arc::new(AtomicU64::new(stream.spawned())), stream }
    }

    fn state(&mut self) -> PyResult<State> {
        self.stream.set_spawned(self.children.load(Ordering::Relaxed));
        State::of(&self.stream)
    }

    fn spawn(&mut self) -> Result<Self, Error> {
        let count = |number: u64| number.checked_add(1);
        let number = self.children.fetch_update(Ordering::Relaxed, Ordering::Relaxed, count);
        // After the last number, the stream returns an error.
        self.stream.set_spawned(number.unwrap_or_else(|last| last));
        secret::boxed(|| self.stream.spawn()).map(Self::new)
    }

    /// Returns a new generator at the beginning of the same stream.
    fn again(&self) -> Result<Self, Error> {
        Ok(Self { stream: secret::boxed(|| self.stream.jumped(0))?, children: Arc::clone(&self.children) })
    }
}

/// A seat. Only the holder of the generator's `lock` may access it.
struct Locked(UnsafeCell<Seat>);

// SAFETY: a `Seat` is `Send`, and `lock` allows one thread at a time to access it.
unsafe impl Send for Locked {}
// SAFETY: the same reasons as for `Send` apply.
unsafe impl Sync for Locked {}

macro_rules! next {
    ($($function:ident $method:ident $number:ty;)*) => {
        $(unsafe extern "C" fn $function(state: *mut c_void) -> $number {
            // SAFETY: `state` is that of an `Interface`, whose owner lives as long as the capsule; the caller holds the
            // lock, so this is the only reference.
            let seat = unsafe { &mut *state.cast::<Seat>() };
            seat.stream.$method().unwrap_or_else(|error| fail(&error))
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
    eprintln!("hashwell: {error}; the process ends, because this error can't be passed to NumPy");
    std::process::abort()
}

/// A bit generator for numpy.random.Generator.
///
/// With a seed, the stream is the same on every machine, in every version and in forked children. Without a seed,
/// the operating system seeds the generator, and seeds it again in a forked child. Its output is then not
/// reproducible.
///
/// Numbers are made from the next bytes of the stream, in big-endian order. NumPy's functions next_uint64 and next_raw
/// consume 8 bytes. next_uint32 consumes 4, so it returns the upper half of the number that next_uint64 would return.
/// next_double is (uint64 >> 11) / 2**53.
///
/// Pickles and state contain the key of the stream and the position in it. An OS-seeded generator has no state and
/// can't be pickled. Moving to a position takes constant time for "blake3" and "counter"; other sources generate
/// all bytes before the position.
///
/// Streams end. The length is 2**69 bytes for "counter", 2**64 - 1 bytes for extendable-output functions, and 2**58
/// bytes for HMAC-DRBG. Reading past the end raises ValueError. NumPy can't report such an error: if one of its
/// functions reads past the end, the process aborts.
///
/// Args:
///     source: The name of the random source, one of random_sources(). "blake3" is fast and suits simulations. If
///         the first argument is not a str, as in BitGenerator(12345), it is the seed of the default source.
///     seed: The seed: a str, bytes, an int, a sequence of ints or a SeedSequence.
///     personalization: The purpose of the stream. Streams with different personalizations are independent.
///
/// Raises:
///     ValueError: There is no such source.
///     TypeError: The seed has an unsupported type.
///
/// Examples:
///     >>> import hashwell, numpy
///     >>> generator = numpy.random.Generator(hashwell.BitGenerator("blake3", seed=12345))
///     >>> generator.integers(1, 7, 5).tolist()
///     [6, 3, 2, 4, 3]
#[pyclass(frozen, module = "hashwell")]
pub(crate) struct BitGenerator {
    stream: Arc<Locked>,
    /// The lock that is held while the stream is used.
    #[pyo3(get)]
    lock: Py<PyAny>,
    /// NumPy's interface, whose address `ctypes` and `cffi` expose.
    capsule: Py<PyCapsule>,
    ctypes: PyOnceLock<Py<PyAny>>,
    cffi: PyOnceLock<Py<PyAny>>,
}

/// Python's lock, released on drop.
struct Held<'a, 'py>(&'a Bound<'py, PyAny>);

impl Drop for Held<'_, '_> {
    fn drop(&mut self) {
        // This fails only if other code has already released the lock. Then there is nothing to do.
        let _ = self.0.call_method0("release");
    }
}

impl BitGenerator {
    fn wrap(py: Python<'_>, seat: Seat) -> PyResult<Self> {
        let lock = py.import(intern!(py, "threading"))?.call_method0(intern!(py, "RLock"))?.unbind();
        let stream = Arc::new(Locked(UnsafeCell::new(seat)));
        let (owner, state) = (Arc::clone(&stream), stream.0.get().cast());
        let interface =
            Interface { state, next_uint64, next_uint32, next_double, next_raw: next_uint64, owner };
        let capsule = PyCapsule::new_with_value(py, interface, CAPSULE)?.unbind();
        Ok(Self { stream, lock, capsule, ctypes: PyOnceLock::new(), cffi: PyOnceLock::new() })
    }

    /// Locks out other threads for the lifetime of the returned guard.
    fn hold<'a, 'py>(&'a self, py: Python<'py>) -> PyResult<Held<'a, 'py>> {
        let lock = self.lock.bind(py);
        lock.call_method0(intern!(py, "acquire"))?;
        Ok(Held(lock))
    }

    /// Reads a piece, and then checks for signals such as Ctrl-C.
    fn read_with(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&mut RandomStream) -> Result<(), Error> + Send,
    ) -> PyResult<()> {
        self.with(py, |seat| py.detach(|| read(&mut seat.stream)))?.map_err(errors::from_library)?;
        py.check_signals()
    }

    /// Generates numbers without returning them. Not inlined, because the buffer has 64 KiB: in the stack frame of a
    /// call that returns numbers, it would move the rest of the frame below the part of the stack that is wiped.
    #[inline(never)]
    fn discard(&self, py: Python<'_>, numbers: usize) -> PyResult<()> {
        let mut dropped = [0; 1 << 16];
        let mut left = numbers.saturating_mul(8);
        let _held = self.hold(py)?;
        while left > 0 {
            let len = left.min(dropped.len());
            self.read_with(py, |stream| stream.read(&mut dropped[..len]))?;
            left -= len;
        }
        Ok(())
    }

    /// Runs `f` with the lock held. `f` must not call Python code that could call this function again.
    fn with<R>(&self, py: Python<'_>, f: impl FnOnce(&mut Seat) -> R) -> PyResult<R> {
        let _held = self.hold(py)?;
        // SAFETY: the lock is held. An outer caller in this thread may hold it too, but only between calls of C
        // functions, and `f` does not call this function again.
        Ok(f(unsafe { &mut *self.stream.0.get() }))
    }

    /// The named tuple that `function` in `hashwell._numpy` returns, created at the first call.
    fn interface<'py>(
        slf: &Bound<'py, Self>,
        kept: &PyOnceLock<Py<PyAny>>,
        function: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let make = || Ok::<_, PyErr>(numpy_side(py)?.call_method1(function, (&slf.get().capsule,))?.unbind());
        kept.get_or_try_init(py, make).map(|tuple| tuple.bind(py).clone())
    }
}

/// The number of bytes of an array that are filled between two checks for signals.
const PIECE: usize = 1 << 20;

/// Returns the number of items of an array. `size` is an integer, or one integer for each dimension.
fn count(size: &Bound<'_, PyAny>) -> PyResult<usize> {
    match size.try_iter() {
        Ok(mut sizes) => {
            sizes.try_fold(1_usize, |product, size| Ok(product.saturating_mul(size?.extract::<Length>()?.0)))
        }
        Err(_) => Ok(size.extract::<Length>()?.0),
    }
}

/// The Python module with the parts that need NumPy.
fn numpy_side(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import(intern!(py, "hashwell._numpy"))
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
    #[pyo3(
        signature = (source=None, seed=None, *, personalization=None),
        text_signature = "(source='hmac-drbg-sha256', seed=None, *, personalization=b'')"
    )]
    fn new(
        py: Python<'_>,
        source: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        personalization: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        // With `type(bits)(seed_seq)`, SciPy creates a generator from a SeedSequence that another generator spawned.
        let root =
            source.map(|source| source.getattr_opt(intern!(py, "_hashwell_root"))).transpose()?.flatten();
        if let Some(root) = root {
            if seed.is_some() || personalization.is_some() {
                return Err(errors::seed_sequence_alone());
            }
            let again = root.cast::<Self>()?.get().with(py, |seat| seat.again())?;
            return Self::wrap(py, again.map_err(errors::from_library)?);
        }
        let stream = match source {
            Some(source) if source.is_instance_of::<PyString>() => open(source, seed, personalization)?,
            // With `type(bits)(12345)`, users of NumPy create a generator of the same class.
            only if seed.is_none() => open(default_source(py), only, personalization)?,
            None => open(default_source(py), seed, personalization)?,
            Some(other) => return Err(errors::not_a_source(other)),
        };
        Self::wrap(py, Seat::new(stream))
    }

    /// Return a generator with this state.
    ///
    /// Args:
    ///     state: The value of the attribute `state` of a seeded generator.
    ///
    /// Returns:
    ///     A generator that continues at the position of the state.
    ///
    /// Raises:
    ///     ValueError: The state is not valid.
    ///     TypeError: state is not a dictionary of the expected form.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> bits = hashwell.BitGenerator("blake3", seed=12345)
    ///     >>> copy = hashwell.BitGenerator.from_state(bits.state)
    ///     >>> copy.random_raw() == bits.random_raw()
    ///     True
    #[staticmethod]
    fn from_state(py: Python<'_>, state: State) -> PyResult<Self> {
        Self::wrap(py, Seat::new(state.restore(py)?))
    }

    /// The capsule named "BitGenerator" that contains a bitgen_t, which NumPy reads.
    #[getter]
    fn capsule(&self, py: Python<'_>) -> Py<PyCapsule> {
        self.capsule.clone_ref(py)
    }

    /// The functions for ctypes and Numba, as a named tuple of NumPy.
    ///
    /// Its fields are state_address, state, next_uint64, next_uint32, next_double and bit_generator. They are valid
    /// for the lifetime of this object. You must hold lock while you call the functions. This attribute requires NumPy.
    #[getter]
    fn ctypes<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::interface(slf, &slf.get().ctypes, "ctypes_interface")
    }

    /// The same functions for cffi. This attribute requires NumPy and cffi.
    #[getter]
    fn cffi<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::interface(slf, &slf.get().cffi, "cffi_interface")
    }

    /// The seed as a NumPy seed sequence.
    ///
    /// spawn(n) returns n seeds for generators of this class or of NumPy, and generate_state(n) returns integers.
    /// The children of the seed sequence and of this generator are counted together. This attribute requires NumPy.
    #[getter]
    fn seed_seq<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        numpy_side(slf.py())?.call_method1("SeedSequence", (slf,))
    }

    /// An alias of seed_seq: NumPy's older name, which some programs still use.
    #[getter]
    fn _seed_seq<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::seed_seq(slf)
    }

    /// The number of children that this generator and seed_seq have spawned.
    #[getter]
    fn _spawned(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |seat| seat.children.load(Ordering::Relaxed))
    }

    /// Return the bytes for SeedSequence.generate_state.
    fn _seed_others<'py>(&self, py: Python<'py>, n: Length) -> PyResult<Bound<'py, PyBytes>> {
        PyBytes::new_with(py, n.0, |out| {
            self.with(py, |seat| seat.stream.seed_others(out))?.map_err(errors::from_library)
        })
    }

    /// The name of the random source.
    #[getter]
    fn source(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |seat| seat.stream.source().name())
    }

    /// True if the operating system seeded the generator, so that its output is not reproducible.
    #[getter]
    fn os_seeded(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |seat| seat.stream.key().is_none())
    }

    /// The key and the position, which reveal the whole stream. You can assign a state with the same source.
    #[getter]
    fn state(&self, py: Python<'_>) -> PyResult<State> {
        self.with(py, Seat::state)?
    }

    #[setter]
    fn set_state(&self, py: Python<'_>, state: State) -> PyResult<()> {
        // This is checked before the stream is created, because creating it may take long.
        let (os_seeded, source) =
            self.with(py, |Seat { stream, .. }| (stream.key().is_none(), stream.source()))?;
        if os_seeded {
            return Err(errors::os_seeded_state());
        }
        if state.source != source {
            let what = format!("its source is '{}', not '{}'", state.source.name(), source.name());
            return Err(errors::not_a_state(&what));
        }
        let mut restored = Seat::new(state.restore(py)?);
        self.with(py, |seat| std::mem::swap(seat, &mut restored))
    }

    /// Return the next 64-bit number, or an array of them.
    ///
    /// Args:
    ///     size: The shape of the array: an int or a tuple of ints. With None, a single number is returned. An
    ///         array requires NumPy.
    ///     output: False skips the numbers and returns None.
    ///
    /// Returns:
    ///     An int, a NumPy array of uint64, or None.
    ///
    /// Raises:
    ///     ValueError: The stream has ended.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> bits = hashwell.BitGenerator("blake3", seed=12345)
    ///     >>> 0 <= bits.random_raw() < 2**64
    ///     True
    #[pyo3(signature = (size=None, output=true))]
    fn random_raw<'py>(
        &self,
        py: Python<'py>,
        size: Option<&Bound<'py, PyAny>>,
        output: bool,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(size) = size else {
            let word = self.with(py, |seat| seat.stream.next_u64())?.map_err(errors::from_library)?;
            return Ok(if output { Some(word.into_pyobject(py)?.into_any()) } else { None });
        };
        if !output {
            return self.discard(py, count(size)?).map(|()| None);
        }
        let array = py.import(intern!(py, "numpy"))?.call_method1("empty", (size, "uint64"))?;
        let mut out = Output::of(&array)?;
        let _held = self.hold(py)?;
        let (words, _) = out.as_mut_slice().as_chunks_mut::<8>();
        for piece in words.chunks_mut(PIECE / 8) {
            self.read_with(py, |stream| stream.fill_native(piece))?;
        }
        drop(out);
        Ok(Some(array))
    }

    /// Move the position in the stream.
    ///
    /// This takes constant time for "blake3" and "counter"; other sources generate all bytes before the new
    /// position.
    ///
    /// Args:
    ///     delta: The number of 64-bit numbers to move forward, or back if it is negative.
    ///
    /// Raises:
    ///     ValueError: The new position is before the beginning or after the end of the stream.
    ///     TypeError: The generator is OS-seeded.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> one, two = (hashwell.BitGenerator("blake3", seed=12345) for _ in range(2))
    ///     >>> _ = one.random_raw()
    ///     >>> two.advance(1)
    ///     >>> one.random_raw() == two.random_raw()
    ///     True
    fn advance(&self, py: Python<'_>, delta: &Bound<'_, PyAny>) -> PyResult<()> {
        let delta = errors::number(delta, "delta", "-2**127 to 2**127 - 1")?;
        let _held = self.hold(py)?;
        let mut state = self.state(py)?;
        state.advance(delta)?;
        let mut stream = state.restore(py)?;
        self.with(py, |seat| std::mem::swap(&mut seat.stream, &mut stream))
    }

    /// Return generators that are independent of this one, of each other, and of the results of other calls.
    ///
    /// Child number i, counted over all calls, has the key SHA-256(K + b'\x03' + i as 8 bytes, big-endian), where K
    /// is the key of this generator. The position of this generator doesn't matter.
    ///
    /// Args:
    ///     n_children: The number of generators.
    ///
    /// Returns:
    ///     A list of n_children generators.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> len(hashwell.BitGenerator("blake3", seed=12345).spawn(3))
    ///     3
    fn spawn(&self, py: Python<'_>, n_children: &Bound<'_, PyAny>) -> PyResult<Vec<Self>> {
        let n_children = errors::count_of(n_children, "the number of children")?;
        let child = |_| {
            let child = self.with(py, Seat::spawn)?;
            Self::wrap(py, child.map_err(errors::from_library)?)
        };
        (0..n_children).map(child).collect()
    }

    /// Return the generator of a later stream, at the beginning of that stream.
    ///
    /// Without jumps, a generator is in stream 0. After j jumps in total, it is in stream j. The key of stream j is
    /// SHA-256(K + b'\x04' + j as 8 bytes, big-endian), where K is the key of stream 0.
    ///
    /// Args:
    ///     jumps: The number of streams to skip.
    ///
    /// Returns:
    ///     A generator.
    ///
    /// Examples:
    ///     >>> import hashwell
    ///     >>> bits = hashwell.BitGenerator("blake3", seed=12345)
    ///     >>> bits.jumped(2).random_raw() == bits.jumped().jumped().random_raw()
    ///     True
    #[pyo3(signature = (jumps=Jumps(1)), text_signature = "($self, jumps=1)")]
    fn jumped(&self, py: Python<'_>, jumps: Jumps) -> PyResult<Self> {
        let jumped = self.with(py, |seat| secret::boxed(|| seat.stream.jumped(jumps.0)))?;
        Self::wrap(py, Seat::new(jumped.map_err(errors::from_library)?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let from_state = py.get_type::<Self>().getattr("from_state")?;
        Ok((from_state, PyTuple::new(py, [slf.get().state(py)?])?))
    }

    /// Returns NumPy's class if the program uses NumPy, because NumPy unpickles a Generator only around an instance
    /// of that class. A real subclass would need NumPy at build and import time.
    #[getter(__class__)]
    fn class<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyType>> {
        Ok(numpy_class(py)?.unwrap_or_else(|| py.get_type::<Self>()))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |Seat { stream, .. }| {
            let seeded = if stream.key().is_none() { "OS-seeded" } else { "seeded" };
            format!("<hashwell.BitGenerator '{}', {seeded}>", stream.source().name())
        })
    }
}
