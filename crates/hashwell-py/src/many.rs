//! Many messages in one call: `hash_many`, `xof_many`, `hmac_many`.
//!
//! ```text
//! messages -> windows of slices -> threads -> kernels -> results
//! ```
//!
//! Slices and digests of a window stay in the cache, and between windows other Python threads and Ctrl-C
//! get their turn.

use crate::algorithm::resolve;
use crate::arguments::Arguments;
use crate::arrow::ArrowDigests;
use crate::buffer::{Input, Output, new_bytes};
use crate::errors::{self, Length};
use crate::messages::{Messages, OneOrMany};
use crate::results::{Buffer, Memory, Objects, Sink};
use crate::sync;
use hashwell::{Algorithm, Many, hmac_many as tags_of};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMemoryView, PyString};
use std::{io, thread};

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(hash_many, module)?)?;
    module.add_function(wrap_pyfunction!(xof_many, module)?)?;
    module.add_function(wrap_pyfunction!(hmac_many, module)?)
}

/// The digests of many messages, in order.
///
/// messages is one of: an iterable of buffers; a C-contiguous buffer of two dimensions, such as a NumPy
/// array, each row of which is a message; an Arrow column of binary or string values, which is any object
/// with __arrow_c_array__ or __arrow_c_stream__. The digests come in kind: a list of bytes; an array of
/// uint8 with a row for each digest, or a memoryview of that shape (a flat one if it is empty); an
/// ArrowDigests column, where nulls stay null.
///
/// length is the digest size, which a stream without one must be given. contiguous=True gives one bytes
/// object, a digest after the other; out, a writable buffer of exactly as many bytes, gets them instead
/// and is returned. threads is the most threads to hash on, 0 for one per core. Other keyword arguments
/// are those of the algorithm's constructor; kernel may also name one for many messages.
///
/// Raises TypeError for a str and for Arrow types that are not bytes, BufferError for a strided buffer,
/// ValueError if out is too long, too short, or shares memory with a message. After an error, out may be
/// partly written.
#[pyfunction]
#[pyo3(
    signature = (algorithm, messages, *, length=None, contiguous=false, out=None, threads=Length(1), **params),
    text_signature = "(algorithm, messages, *, length=None, contiguous=False, out=None, threads=1, **params)"
)]
fn hash_many<'py>(
    algorithm: &Bound<'py, PyAny>,
    messages: &Bound<'py, PyAny>,
    length: Option<Length>,
    contiguous: bool,
    out: Option<Bound<'py, PyAny>>,
    threads: Length,
    params: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let many = many_with(resolve(algorithm)?, "hash_many", length, params)?;
    plain(&many, messages, contiguous, out, threads)
}

/// The first length bytes of output for each of many messages, in order.
///
/// Messages, results and keyword arguments are those of hash_many; algorithm is an extendable-output
/// function.
#[pyfunction]
#[pyo3(
    signature = (algorithm, messages, length, *, contiguous=false, out=None, threads=Length(1), **params),
    text_signature = "(algorithm, messages, length, *, contiguous=False, out=None, threads=1, **params)"
)]
fn xof_many<'py>(
    algorithm: &Bound<'py, PyAny>,
    messages: &Bound<'py, PyAny>,
    length: Length,
    contiguous: bool,
    out: Option<Bound<'py, PyAny>>,
    threads: Length,
    params: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let row = resolve(algorithm)?;
    row.hasher().into_reader().map_err(errors::from_library)?;
    let many = many_with(row, "xof_many", Some(length), params)?;
    plain(&many, messages, contiguous, out, threads)
}

/// HMAC tags: of many messages under one key, of one message under many keys, or of each message under
/// its own key, in order.
///
/// keys and messages are each one buffer or many, and equally many if both are; a single one of many
/// counts as one. Many messages under one key, or many keys for one message, may have any form that
/// hash_many takes, and give its results; pairs are iterables of buffers and give a list of bytes.
/// contiguous, out and threads are as for hash_many. Compare tags with Hmac.verify.
#[pyfunction]
#[pyo3(
    signature = (algorithm, keys, messages, *, contiguous=false, out=None, threads=Length(1)),
    text_signature = "(algorithm, keys, messages, *, contiguous=False, out=None, threads=1)"
)]
fn hmac_many<'py>(
    algorithm: &Bound<'py, PyAny>,
    keys: &Bound<'py, PyAny>,
    messages: &Bound<'py, PyAny>,
    contiguous: bool,
    out: Option<Bound<'py, PyAny>>,
    threads: Length,
) -> PyResult<Bound<'py, PyAny>> {
    let row = resolve(algorithm)?;
    // Neither keys nor messages: only whether HMAC is defined.
    tags_of::<&[u8], &[u8]>(row, &[], &[]).map_err(errors::from_library)?;
    let run = |source: &Bound<'py, PyAny>, rows: Messages<'py>, common: &[u8], hash: &Hash| {
        Batch { hash, common, digest: row.output, threads: threads.0 }.run(source, &rows, contiguous, out)
    };
    let write = |tags: Result<Vec<u8>, hashwell::Error>, out: &mut [u8]| {
        out.copy_from_slice(&tags.expect("HMAC is defined, and the numbers match"));
    };
    match (single(keys)?, single(messages)?) {
        (OneOrMany::One(key), rows) => {
            let (key, rows) = (Input::of(&key)?, rows.into_many()?);
            let key = key.as_slice();
            run(messages, rows, key, &|rows, out| write(tags_of(row, &[key], rows), out))
        }
        (OneOrMany::Many(rows), OneOrMany::One(message)) => {
            let message = Input::of(&message)?;
            let message = message.as_slice();
            run(keys, rows, message, &|keys, out| write(tags_of(row, keys, &[message]), out))
        }
        (OneOrMany::Many(many_keys), OneOrMany::Many(rows)) => {
            let pairs = many_keys.paired_with(rows)?;
            run(messages, pairs, &[], &|pairs, out| {
                let (keys, messages): (Vec<_>, Vec<_>) =
                    pairs.chunks_exact(2).map(|row| (row[0], row[1])).unzip();
                write(tags_of(row, &keys, &messages), out);
            })
        }
    }
}

/// The argument, where a single one of many counts as one.
fn single<'py>(argument: &Bound<'py, PyAny>) -> PyResult<OneOrMany<'py>> {
    Ok(match OneOrMany::of(argument)? {
        OneOrMany::Many(Messages::Objects(columns)) if columns[0].len() == 1 => {
            OneOrMany::One(columns[0].get(0)?)
        }
        given => given,
    })
}

/// What hashes many messages with these keyword arguments.
fn many_with(
    row: &'static Algorithm,
    function: &str,
    length: Option<Length>,
    params: Option<&Bound<'_, PyDict>>,
) -> PyResult<Many> {
    let items: Vec<_> = params.map_or(Vec::new(), |params| params.iter().collect());
    let mut arguments = Arguments::new(row);
    for (keyword, value) in &items {
        arguments.set(function, keyword.cast::<PyString>()?, value)?;
    }
    arguments.digest_size = length.map(|Length(size)| size).or(arguments.digest_size);
    arguments.many()
}

fn plain<'py>(
    many: &Many,
    messages: &Bound<'py, PyAny>,
    contiguous: bool,
    out: Option<Bound<'py, PyAny>>,
    threads: Length,
) -> PyResult<Bound<'py, PyAny>> {
    let hash: &Hash =
        &|messages, out| many.digest_into(messages, out).expect("out was cut to the digests' length");
    let batch = Batch { hash, common: &[], digest: many.output_len(), threads: threads.0 };
    batch.run(messages, &Messages::of(messages)?, contiguous, out)
}

/// Writes the digests of some rows.
type Hash<'a> = dyn Fn(&[&[u8]], &mut [u8]) + Sync + 'a;

/// One call's work.
struct Batch<'a> {
    hash: &'a Hash<'a>,
    /// Bytes of Python's that `hash` reads for every row.
    common: &'a [u8],
    /// Bytes of a digest.
    digest: usize,
    /// The most threads, 0 for one per core.
    threads: usize,
}

impl Batch<'_> {
    /// The digests in the form asked for; by default in that of `source`, the argument of these messages.
    fn run<'py>(
        self,
        source: &Bound<'py, PyAny>,
        messages: &Messages<'py>,
        contiguous: bool,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, rows) = (source.py(), messages.len());
        let len = rows.checked_mul(self.digest).filter(|len| isize::try_from(*len).is_ok());
        let len = len.ok_or_else(|| PyMemoryError::new_err(()))?;
        if let (Messages::Column(column), true) = (messages, contiguous || out.is_some())
            && column.nulls() > 0
        {
            return Err(errors::nulls_without_place(column.nulls()));
        }
        if let Some(out) = out {
            self.fill_buffer(py, messages, &out)?;
            return Ok(out);
        }
        if contiguous {
            return Ok(self.bytes(py, messages, len)?.into_any());
        }
        match messages {
            Messages::Objects(_) => {
                let mut objects = Objects::new(py, rows)?;
                self.fill(py, messages, &mut objects)?;
                Ok(objects.into_list().into_any())
            }
            Messages::Rows(_) => match empty_array(source, rows, self.digest)? {
                Some(array) => {
                    self.fill_buffer(py, messages, &array)?;
                    Ok(array)
                }
                None => table(&self.bytes(py, messages, len)?, rows, self.digest),
            },
            Messages::Column(column) => {
                let mut digests = zeros(len)?;
                self.fill(py, messages, &mut Memory(&mut digests))?;
                Ok(Bound::new(py, ArrowDigests::new(column, digests, self.digest))?.into_any())
            }
        }
    }

    fn bytes<'py>(
        &self,
        py: Python<'py>,
        messages: &Messages<'py>,
        len: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mut result = Ok(());
        let bytes = new_bytes(py, len, |pieces| result = self.fill(py, messages, pieces))?;
        result.map(|()| bytes)
    }

    fn fill_buffer<'py>(
        &self,
        py: Python<'py>,
        messages: &Messages<'py>,
        out: &Bound<'py, PyAny>,
    ) -> PyResult<()> {
        let output = Output::of(out)?;
        let expected = messages.len() * self.digest;
        if output.len() != expected {
            return Err(errors::out_length(expected, messages.len(), self.digest, output.len()));
        }
        self.fill(py, messages, &mut Buffer::new(output))
    }

    /// Hashes window by window into `sink`.
    fn fill<'py>(
        &self,
        py: Python<'py>,
        messages: &Messages<'py>,
        sink: &mut impl Sink<'py>,
    ) -> PyResult<()> {
        let threads = match self.threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let window = window(self.digest, threads);
        sink.check(&[self.common])?;
        let slices_per_row = messages.slices_per_row();
        for from in (0..messages.len()).step_by(window) {
            let rows = from..messages.len().min(from + window);
            let count = rows.len();
            messages.window(rows, |slices| {
                sink.check(slices)?;
                let out = sink.room(count * self.digest)?;
                let work = work(slices) + out.len();
                let hashed =
                    sync::run(py, work, || self.share_out(slices, slices_per_row, out, threads, work));
                Ok(hashed?)
            })?;
            sink.filled(py, count)?;
            py.check_signals()?;
        }
        Ok(())
    }

    /// Hashes on some threads, this one among them.
    fn share_out(
        &self,
        slices: &[&[u8]],
        slices_per_row: usize,
        out: &mut [u8],
        threads: usize,
        work: usize,
    ) -> io::Result<()> {
        /// Bytes of work that take longer than starting a thread.
        const WORTH_A_THREAD: usize = 64 * 1024;
        let threads = threads.min(work / WORTH_A_THREAD);
        if threads <= 1 {
            (self.hash)(slices, out);
            return Ok(());
        }
        let mut shares = self.shares(slices, slices_per_row, out, work / threads + 1).into_iter();
        let mine = shares.next();
        thread::scope(|scope| {
            for (slices, out) in shares {
                thread::Builder::new().spawn_scoped(scope, || (self.hash)(slices, out))?;
            }
            if let Some((slices, out)) = mine {
                (self.hash)(slices, out);
            }
            Ok(())
        })
    }

    /// Runs of rows of at least `goal` bytes of work, but the last.
    fn shares<'s, 'm>(
        &self,
        mut slices: &'s [&'m [u8]],
        slices_per_row: usize,
        mut out: &'s mut [u8],
        goal: usize,
    ) -> Vec<(&'s [&'m [u8]], &'s mut [u8])> {
        let mut shares = Vec::new();
        while !slices.is_empty() {
            let (mut rows, mut done) = (0, 0);
            for row in slices.chunks_exact(slices_per_row) {
                if done >= goal {
                    break;
                }
                done += work(row) + self.digest;
                rows += 1;
            }
            let (now, later) = slices.split_at(rows * slices_per_row);
            let (now_out, later_out) = out.split_at_mut(rows * self.digest);
            shares.push((now, now_out));
            (slices, out) = (later, later_out);
        }
        shares
    }
}

/// Rows of a window: so few that slices, short messages and digests stay in the cache; enough for every
/// lane of a kernel; and on several threads so many that each has more to do than to start.
fn window(digest: usize, threads: usize) -> usize {
    const ROWS: usize = 2048;
    const BYTES: usize = 256 * 1024;
    const LANES: usize = 16;
    let rows = ROWS.min(BYTES / digest.max(1)).max(LANES);
    if threads > 1 { rows.saturating_mul(threads).saturating_mul(4) } else { rows }
}

/// Bytes that hashing these amounts to: a short message takes as long as a whole block.
fn work(slices: &[&[u8]]) -> usize {
    const BLOCK: usize = 64;
    slices.iter().map(|slice| slice.len() + BLOCK).sum()
}

fn zeros(len: usize) -> PyResult<Vec<u8>> {
    let mut memory = Vec::new();
    memory.try_reserve_exact(len).map_err(|_| PyMemoryError::new_err(()))?;
    memory.resize(len, 0);
    Ok(memory)
}

/// A new NumPy array of digests, if `source` is one.
fn empty_array<'py>(
    source: &Bound<'py, PyAny>,
    rows: usize,
    digest: usize,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    // Whoever has an array has imported NumPy.
    let modules = source.py().import("sys")?.getattr("modules")?.cast_into::<PyDict>()?;
    let Some(numpy) = modules.get_item("numpy")? else { return Ok(None) };
    if !source.is_instance(&numpy.getattr("ndarray")?)? {
        return Ok(None);
    }
    numpy.call_method1("empty", ((rows, digest), "uint8")).map(Some)
}

/// A memoryview of these shape; there is none without items.
fn table<'py>(bytes: &Bound<'py, PyBytes>, rows: usize, digest: usize) -> PyResult<Bound<'py, PyAny>> {
    let view = PyMemoryView::from(bytes)?;
    if rows * digest == 0 { Ok(view.into_any()) } else { view.call_method1("cast", ("B", (rows, digest))) }
}
