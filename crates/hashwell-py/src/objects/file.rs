//! Hashes files. The file at a path is read in Rust, without the interpreter; an open file object is read through its
//! methods.

use crate::boundary::buffer::Input;
use crate::boundary::errors::exception;
use crate::boundary::{errors, sync};
use crate::objects::constructor;
use crate::rows::algorithm::resolve;
use hashwell::Error;
use hashwell_work::{Aligned, LINE};
use pyo3::exceptions::{PyBlockingIOError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyMemoryView, PySlice, PyString};
use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::iter;
use std::path::PathBuf;

/// The number of bytes read at a time.
const CHUNK: usize = 256 * 1024;
/// The number of bytes read at a time if they are hashed on all cores.
const PARALLEL_CHUNK: usize = 4 * 1024 * 1024;
/// The number of bytes read between two checks for signals (Ctrl-C). Attaching to a busy interpreter may take 5 ms.
const STRETCH: usize = 64 * CHUNK;

/// Hash a file. Unlike hashlib.file_digest, this function accepts paths and all algorithms.
///
/// If file is a path, the file is read in pieces, and other Python threads can run during the call. With BLAKE3, KT128
/// or KT256, a large file is hashed on all cores.
///
/// Args:
///     file: A path (str, bytes or os.PathLike), or a file that is open for reading bytes. An open file is read
///         from its current position to its end, and stays open.
///     algorithm: The algorithm, given as a name, a constructor or an Algorithm object.
///     **params: Keyword arguments for the algorithm's constructor.
///
/// Returns:
///     A Digest or a Xof that has absorbed the file.
///
/// Raises:
///     OSError: The file can't be read.
///     ValueError: The algorithm is unknown, or file is neither a path nor open for reading bytes.
///     TypeError: The algorithm has no such parameter.
///
/// Examples:
///     >>> import hashwell, io
///     >>> hashwell.file_digest(io.BytesIO(b"abc"), "sha256").hexdigest()[:16]
///     'ba7816bf8f01cfea'
#[pyfunction]
#[pyo3(signature = (file, algorithm, /, **params))]
pub(crate) fn file_digest<'py>(
    py: Python<'py>,
    file: &Bound<'py, PyAny>,
    algorithm: &Bound<'py, PyAny>,
    params: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let row = resolve(algorithm)?;
    let (mut hasher, size) = constructor::hasher_with(row, None, params)?;
    read(py, file, row.is_parallel(), &mut |bytes, cores| {
        match cores {
            Cores::One => hasher.update(bytes),
            Cores::All => hasher.update_parallel(bytes),
        }
        Ok(())
    })?;
    constructor::wrap(py, row, Some(hasher), size, None)
}

/// The cores on which a piece of a file may be hashed.
#[derive(Clone, Copy)]
pub(crate) enum Cores {
    One,
    All,
}

/// Takes a piece of a file, and does not call Python.
pub(crate) type Take<'t> = &'t mut (dyn FnMut(&[u8], Cores) -> Result<(), Error> + Send);

/// Passes the bytes of a path, an io.BytesIO or an open file to `take`. If `is_parallel`, the pieces of a large file
/// that is given by its path are passed in a pool of threads.
pub(crate) fn read(
    py: Python<'_>,
    file: &Bound<'_, PyAny>,
    is_parallel: bool,
    take: Take<'_>,
) -> PyResult<()> {
    if file.is_instance_of::<PyString>() || file.is_instance_of::<PyBytes>() || file.hasattr("__fspath__")? {
        let path = py.import("os")?.call_method1("fsdecode", (file,))?.extract::<PathBuf>()?;
        read_path(py, path, file, is_parallel, take)
    } else if file.hasattr("getbuffer")? {
        read_memory(py, file, take)
    } else {
        read_file(py, file, take)
    }
}

/// Passes the contents of an io.BytesIO, which exports its memory, so nothing is copied.
fn read_memory(py: Python<'_>, file: &Bound<'_, PyAny>, take: Take<'_>) -> PyResult<()> {
    let memory = file.call_method0("getbuffer")?;
    let input = Input::of(&memory)?;
    let bytes = input.as_slice();
    let has_position = file.hasattr("tell")?;
    // The position may be after the end.
    let position: usize = if has_position { file.call_method0("tell")?.extract()? } else { 0 };
    let rest = &bytes[position.min(bytes.len())..];
    let mut taken = Ok(());
    sync::run_pieces(py, rest.len(), sync::pieces(rest), |piece| {
        if taken.is_ok() {
            taken = take(piece, Cores::One);
        }
    })?;
    taken.map_err(errors::from_library)?;
    if has_position && !rest.is_empty() {
        file.call_method1("seek", (bytes.len(),))?;
    }
    Ok(())
}

fn read_path(
    py: Python<'_>,
    path: PathBuf,
    named: &Bound<'_, PyAny>,
    is_parallel: bool,
    take: Take<'_>,
) -> PyResult<()> {
    let mut file = py.detach(|| File::open(path)).map_err(|error| errors::from_io(&error, named))?;
    let pool = if is_parallel { pool_for(&file) } else { None };
    let (pool, mut buffer) = match pool.and_then(|pool| Some((pool, Aligned::new(PARALLEL_CHUNK).ok()?))) {
        Some((pool, buffer)) => (Some(pool), buffer),
        None => (None, Aligned::new(CHUNK).map_err(|_| errors::no_memory(Some(CHUNK)))?),
    };
    loop {
        let stretch = py.detach(|| match &pool {
            Some(pool) => pool.install(|| read_stretch(take, Cores::All, &mut file, &mut buffer)),
            None => read_stretch(take, Cores::One, &mut file, &mut buffer),
        });
        py.check_signals()?;
        match stretch {
            Ok(Ok(0)) => return Ok(()),
            Ok(Ok(_)) => {}
            Ok(Err(error)) => return Err(errors::from_library(error)),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(errors::from_io(&error, named)),
        }
    }
}

/// Creates threads for a large file: one per core, or fewer if the system does not allow as many. They only exist
/// during the call. The threads of rayon's global pool would not exist in a forked child, which would wait for them
/// forever.
fn pool_for(file: &File) -> Option<ThreadPool> {
    let large = file.metadata().is_ok_and(|metadata| metadata.len() >= 2 * PARALLEL_CHUNK as u64);
    if !large {
        return None;
    }
    let cores = hashwell_work::threads(0);
    let start = |worker: ThreadBuilder| {
        hashwell_work::spawn(|| worker.run()).map_err(|_| io::Error::from(ErrorKind::WouldBlock))
    };
    let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).spawn_handler(start).build().ok();
    let fewer =
        iter::successors(Some(cores / 2), |threads| Some(threads / 2)).take_while(|threads| *threads > 1);
    // 0 is rayon's default.
    iter::once(0).chain(fewer).find_map(pool)
}

/// Reads up to [`STRETCH`] bytes. Returns their number, which is 0 at the end of the file.
fn read_stretch(
    take: Take<'_>,
    cores: Cores,
    file: &mut File,
    buffer: &mut [u8],
) -> io::Result<Result<usize, Error>> {
    let mut total = 0;
    while total < STRETCH {
        match file.read(buffer)? {
            0 => break,
            n => {
                if let Err(error) = take(&buffer[..n], cores) {
                    return Ok(Err(error));
                }
                total += n;
            }
        }
    }
    Ok(Ok(total))
}

fn read_file(py: Python<'_>, file: &Bound<'_, PyAny>, take: Take<'_>) -> PyResult<()> {
    let readable = file.hasattr("readinto")?
        && file.hasattr("readable")?
        && file.call_method0("readable")?.is_truthy()?;
    if !readable {
        return Err(errors::not_a_binary_file(file));
    }
    // The part of the memory that begins at a cache line; see `Aligned`.
    let memory = PyByteArray::new_with(py, CHUNK + LINE, |_| Ok(()))?;
    let start = Input::of(&memory)?.as_slice().as_ptr().align_offset(LINE).min(LINE) as isize;
    let buffer = PyMemoryView::from(&memory)?.get_item(PySlice::new(py, start, start + CHUNK as isize, 1))?;
    loop {
        let n: Option<usize> = file.call_method1("readinto", (&buffer,))?.extract()?;
        match n {
            None => {
                return Err(exception::<PyBlockingIOError>(
                    "the file is in non-blocking mode and has no data",
                ));
            }
            Some(0) => return Ok(()),
            Some(n) => {
                let input = Input::of(&buffer)?;
                let bytes = input.as_slice().get(..n).ok_or_else(|| {
                    exception::<PyOSError>(format!("readinto returned {n} for a buffer of {CHUNK} bytes"))
                })?;
                sync::run(py, n, || take(bytes, Cores::One)).map_err(errors::from_library)?;
                py.check_signals()?;
            }
        }
    }
}
