//! Many messages in one call: `hash_many`, `xof_many`, `hmac_many`.
//!
//! ```text
//! messages -> windows of slices -> threads -> kernels -> results
//! ```
//!
//! The slices and digests of a window stay in the cache. Between windows, other Python threads can run, and Ctrl-C is
//! checked.

use crate::boundary::buffer::{Input, Output, new_bytes, zeros};
use crate::boundary::builtin::or_no_memory;
use crate::boundary::errors::{self, Length, Threads};
use crate::boundary::sync;
use crate::boundary::watch::raised;
use crate::many::device;
use crate::many::digests::ArrowDigests;
use crate::many::messages::{Encoding, Messages, OneOrMany};
use crate::many::results::{Buffer, Memory, Objects, Sink};
use crate::rows::algorithm::resolve;
use crate::rows::arguments::Arguments;
use hashwell::engine::OnEngine;
use hashwell::{Algorithm, Hasher, Kind, hmac_many as tags_of};
use hashwell_work::{Watch, Workers};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMemoryView, PyString};
use std::mem;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(hash_many, module)?)?;
    module.add_function(wrap_pyfunction!(xof_many, module)?)?;
    module.add_function(wrap_pyfunction!(hmac_many, module)?)
}

/// Hash many messages in one call and return their digests in order.
///
/// For short messages, this is much faster than one call per message. Messages are not copied, and other Python threads
/// can run during the call. Many short messages take about half the time if you pass a NumPy array or an Arrow column
/// instead of a list of bytes, or set contiguous=True.
///
/// Args:
///     algorithm: The algorithm, given as a name, a constructor or an Algorithm object.
///     messages: The messages, in one of four forms: an iterable of bytes-like objects; a C-contiguous buffer with
///         two dimensions, such as a NumPy array, in which each row is a message; a one-dimensional NumPy array of
///         dtype S, in which each item without its trailing zero bytes is a message; or an Arrow column. An Arrow
///         column is any object with __arrow_c_array__ or __arrow_c_stream__ whose values are binary, strings, or a
///         dictionary of these, such as a categorical of pandas or Polars. Arrow strings are hashed as UTF-8.
///     length: The digest size in bytes. It is required for extendable-output functions without a default size.
///     contiguous: True returns one bytes object that contains all digests, one after the other.
///     out: A writable buffer with exactly the size of all digests together. It is filled and returned. After an error
///         or Ctrl-C, it may be partly overwritten.
///     threads: The maximum number of threads, up to 4096. 0 uses one thread per core.
///     hex: True returns digests in hexadecimal. It can't be combined with contiguous or out.
///     encoding: The name of a Python codec, such as "utf-8". It encodes messages of type str and NumPy arrays of
///         dtype U.
///     device: The id of the device that hashes the messages instead of the CPU, as hashwell.devices() lists it. If
///         the device can't hash them, the call fails. It can't be combined with threads.
///     **params: Keyword arguments for the algorithm's constructor. The argument `kernel` also accepts the names in
///         Algorithm.batch_kernels.
///
/// Returns:
///     The digests. Their form depends on the form of the messages. An iterable gives a list of bytes. A NumPy array
///     gives a NumPy array of dtype uint8 with one row per digest. Any other buffer gives a memoryview with one row per
///     digest. An empty memoryview has only one dimension. With hex=True, all of these give a list of str instead. An
///     Arrow column gives an ArrowDigests column, in which nulls stay null.
///
/// Raises:
///     TypeError: A message is a str and encoding is missing, an Arrow column contains neither bytes nor text,
///         length is missing, or the algorithm has no such parameter.
///     BufferError: A buffer is not contiguous, or contains Python objects or pointers.
///     ValueError: The algorithm is unknown; out has the wrong size or shares memory with a message; contiguous or
///         out is used with a column that contains nulls; or the device doesn't exist or doesn't support the
///         algorithm.
///     RuntimeError: The device failed, or this build doesn't support devices.
///
/// Examples:
///     >>> import hashwell
///     >>> [digest.hex()[:8] for digest in hashwell.hash_many("sha256", [b"a", b"b"])]
///     ['ca978112', '3e23e816']
///     >>> hashwell.hash_many("blake3", ["a", "b"], encoding="utf-8", length=4, hex=True)
///     ['17762fdd', '10e5cf3d']
///     >>> len(hashwell.hash_many("sha256", [b"a", b"b"], contiguous=True))
///     64
#[pyfunction]
#[pyo3(
    signature = (algorithm, messages, *, length=None, contiguous=false, out=None, threads=Threads(1), hex=false, encoding=None, device=None, **params),
    text_signature = "(algorithm, messages, *, length=None, contiguous=False, out=None, threads=1, hex=False, encoding=None, device=None, **params)"
)]
#[expect(clippy::too_many_arguments, reason = "they are Python's")]
fn hash_many<'py>(
    algorithm: &Bound<'py, PyAny>,
    messages: &Bound<'py, PyAny>,
    length: Option<Length>,
    contiguous: bool,
    out: Option<Bound<'py, PyAny>>,
    threads: Threads,
    hex: bool,
    encoding: Option<Bound<'py, PyString>>,
    device: Option<&str>,
    params: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let form = Form { contiguous, hex, out, threads };
    or_no_memory(|| {
        plain(resolve(algorithm)?, "hash_many", messages, length, encoding, (device, params), form)
    })
}

/// Return the first bytes of output of an extendable-output function for each of many messages, in order.
///
/// Args:
///     algorithm: The extendable-output function, given as a name, a constructor or an Algorithm object.
///     messages: The messages, in any form that hash_many accepts.
///     length: The number of output bytes per message.
///     contiguous: True returns one bytes object that contains all outputs, one after the other.
///     out: A writable buffer with exactly the size of all outputs together. It is filled and returned.
///     threads: The maximum number of threads, up to 4096. 0 uses one thread per core.
///     hex: True returns outputs in hexadecimal. It can't be combined with contiguous or out.
///     encoding: The name of a Python codec that encodes messages of type str and NumPy arrays of dtype U.
///     **params: Keyword arguments for the algorithm's constructor.
///
/// Returns:
///     The outputs, in the same form in which hash_many returns digests.
///
/// Raises:
///     TypeError: A message is a str and encoding is missing, an Arrow column contains neither bytes nor text, or
///         the algorithm has no such parameter.
///     BufferError: A buffer is not contiguous, or contains Python objects or pointers.
///     ValueError: The algorithm is not an extendable-output function, or out has the wrong size or shares memory
///         with a message.
///
/// Examples:
///     >>> import hashwell
///     >>> hashwell.xof_many("shake128", [b"a", b"b"], 4, hex=True)
///     ['85c8de88', 'f0ffa343']
#[pyfunction]
#[pyo3(
    signature = (algorithm, messages, length, *, contiguous=false, out=None, threads=Threads(1), hex=false, encoding=None, **params),
    text_signature = "(algorithm, messages, length, *, contiguous=False, out=None, threads=1, hex=False, encoding=None, **params)"
)]
#[expect(clippy::too_many_arguments, reason = "they are Python's")]
fn xof_many<'py>(
    algorithm: &Bound<'py, PyAny>,
    messages: &Bound<'py, PyAny>,
    length: Length,
    contiguous: bool,
    out: Option<Bound<'py, PyAny>>,
    threads: Threads,
    hex: bool,
    encoding: Option<Bound<'py, PyString>>,
    params: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    or_no_memory(|| {
        let row = resolve(algorithm)?;
        row.hasher().into_reader().map_err(errors::from_library)?;
        let form = Form { contiguous, hex, out, threads };
        plain(row, "xof_many", messages, Some(length), encoding, (None, params), form)
    })
}

/// Compute many HMAC tags in one call.
///
/// You can pass many messages with one key, one message with many keys, or many pairs of a key and a message.
///
/// To check a tag, use Hmac.verify. It takes the same time wherever the tags differ.
///
/// Args:
///     algorithm: The hash function, given as a name, a constructor or an Algorithm object.
///     keys: One secret key (a bytes-like object), or many keys in any form that hash_many accepts for messages.
///     messages: One message, or many in any form that hash_many accepts. If there are several keys and several
///         messages, both must be iterables of bytes-like objects, with the same number of items.
///     contiguous: True returns one bytes object that contains all tags, one after the other.
///     out: A writable buffer with exactly the size of all tags together. It is filled and returned.
///     threads: The maximum number of threads, up to 4096. 0 uses one thread per core.
///     hex: True returns tags in hexadecimal. It can't be combined with contiguous or out.
///     encoding: The name of a Python codec that encodes messages of type str. Keys must be bytes.
///
/// Returns:
///     The tags, in the same form in which hash_many returns digests. Pairs give a list of bytes.
///
/// Raises:
///     TypeError: A key is a str, a message is a str and encoding is missing, or an Arrow column contains neither
///         bytes nor text.
///     BufferError: A buffer is not contiguous, or contains Python objects or pointers.
///     ValueError: HMAC is not defined for the algorithm, the numbers of keys and messages differ, or out has the
///         wrong size or shares memory with a key or a message.
///
/// Examples:
///     >>> import hashwell
///     >>> [tag.hex()[:8] for tag in hashwell.hmac_many("sha256", b"secret", [b"a", b"b"])]
///     ['4048c449', '8caf2958']
#[pyfunction]
#[pyo3(
    signature = (algorithm, keys, messages, *, contiguous=false, out=None, threads=Threads(1), hex=false, encoding=None),
    text_signature = "(algorithm, keys, messages, *, contiguous=False, out=None, threads=1, hex=False, encoding=None)"
)]
#[expect(clippy::too_many_arguments, reason = "they are Python's")]
fn hmac_many<'py>(
    algorithm: &Bound<'py, PyAny>,
    keys: &Bound<'py, PyAny>,
    messages: &Bound<'py, PyAny>,
    contiguous: bool,
    out: Option<Bound<'py, PyAny>>,
    threads: Threads,
    hex: bool,
    encoding: Option<Bound<'py, PyString>>,
) -> PyResult<Bound<'py, PyAny>> {
    let form = Form { contiguous, hex, out, threads };
    or_no_memory(|| tags(algorithm, keys, messages, encoding, form))
}

/// Implements `hmac_many`, with results in the requested form.
fn tags<'py>(
    algorithm: &Bound<'py, PyAny>,
    keys: &Bound<'py, PyAny>,
    messages: &Bound<'py, PyAny>,
    encoding: Option<Bound<'py, PyString>>,
    form: Form<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let row = resolve(algorithm)?;
    // Without keys and messages, this only checks that HMAC is defined.
    tags_of::<&[u8], &[u8]>(row, &[], &[]).map_err(errors::from_library)?;
    let encoding = encoding.map(Encoding::new).transpose()?;
    const DEFINED: &str = "HMAC is defined, and the numbers match";
    let write = |tags: Result<Vec<u8>, hashwell::Error>, out: &mut [u8]| {
        out.copy_from_slice(&tags.expect(DEFINED));
    };
    let write_long = |key: &[u8], message: &[u8], out: &mut [u8], watch: &Watch<'_>| {
        let mut hmac = hashwell::Hmac::new(row, key).expect(DEFINED);
        if sync::pieces(message).all(|piece| {
            hmac.update(piece);
            watch.look().is_ok()
        }) {
            out.copy_from_slice(&hmac.tag());
        }
    };
    let run =
        |source: &Bound<'py, PyAny>, rows: Messages<'py>, common: &[u8], hash: &Hash<'_>, long: &Long<'_>| {
            let lanes = lanes(row);
            let digest = row.output;
            Batch { hash, long: &|| Ok(Box::new(long)), device: None, common, digest, lanes, form }
                .run(source, &rows)
        };
    let keys_given = single(keys, None).map_err(|error| match encoding {
        Some(_) if keys.is_instance_of::<PyString>() => errors::key_is_text(),
        _ => error,
    })?;
    if encoding.is_some() {
        keys_given.refuse_text()?;
    }
    match (keys_given, single(messages, encoding)?) {
        (OneOrMany::One(key), rows) => {
            let (key, rows) = (Input::of(&key)?, rows.into_many()?);
            let key = key.as_slice();
            run(
                messages,
                rows,
                key,
                &|rows, out| write(tags_of(row, &[key], rows), out),
                &|row, out, watch| {
                    write_long(key, row[0], out, watch);
                },
            )
        }
        (OneOrMany::Many(rows), OneOrMany::One(message)) => {
            let message = Input::of(&message)?;
            let message = message.as_slice();
            run(
                keys,
                rows,
                message,
                &|keys, out| write(tags_of(row, keys, &[message]), out),
                &|row, out, watch| {
                    write_long(row[0], message, out, watch);
                },
            )
        }
        (OneOrMany::Many(many_keys), OneOrMany::Many(rows)) => {
            let pairs = many_keys.paired_with(rows)?;
            let hash: &Hash<'_> = &|pairs, out| {
                let (keys, messages): (Vec<_>, Vec<_>) =
                    pairs.chunks_exact(2).map(|row| (row[0], row[1])).unzip();
                write(tags_of(row, &keys, &messages), out);
            };
            run(messages, pairs, &[], hash, &|row, out, watch| write_long(row[0], row[1], out, watch))
        }
    }
}

/// Reads an argument that may be a single value or many. A collection with one item counts as a single value.
fn single<'py>(argument: &Bound<'py, PyAny>, encoding: Option<Encoding<'py>>) -> PyResult<OneOrMany<'py>> {
    Ok(match OneOrMany::of(argument, encoding)? {
        OneOrMany::Many(Messages::Objects(columns)) if columns[0].len() == 1 => {
            OneOrMany::One(columns[0].get(0)?)
        }
        given => given,
    })
}

/// Implements `hash_many` and `xof_many`.
fn plain<'py>(
    row: &'static Algorithm,
    function: &str,
    messages: &Bound<'py, PyAny>,
    length: Option<Length>,
    encoding: Option<Bound<'py, PyString>>,
    (device, params): (Option<&str>, Option<&Bound<'py, PyDict>>),
    form: Form<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = messages.py();
    let items: Vec<_> = params.map_or(Vec::new(), |params| params.iter().collect());
    let mut arguments = Arguments::new(row);
    for (keyword, value) in &items {
        arguments.set(function, keyword.cast::<PyString>()?, value)?;
    }
    arguments.digest_size = length.map(|Length(size)| size).or(arguments.digest_size);
    let many = arguments.many()?;
    if device.is_some() && form.threads.0 != 1 {
        return Err(errors::threads_and_device());
    }
    let engine = device.map(|id| device::open(py, id)).transpose()?;
    let device = engine.as_deref().map(|engine| device::ready(py, &many, engine)).transpose()?;
    let device = device.as_ref();
    let encoding = encoding.map(Encoding::new).transpose()?;
    let hash: &Hash<'_> = &|messages, out| {
        let hashed = hashwell::Error::abort_without_memory(many.digest_into(messages, out));
        hashed.expect("out was cut to the digests' length");
    };
    let long = || {
        let hasher = arguments.single()?;
        let long: Box<Long<'_>> =
            Box::new(move |row, out, watch| digest_in_pieces(hasher.clone(), row[0], out, watch));
        Ok(long)
    };
    let (digest, lanes) = (many.output_len(), lanes(row));
    let batch = Batch { hash, long: &long, device, common: &[], digest, lanes, form };
    batch.run(messages, &Messages::of(messages, encoding)?)
}

/// Writes one digest, unless the watch stops it.
fn digest_in_pieces(mut hasher: Hasher, message: &[u8], out: &mut [u8], watch: &Watch<'_>) {
    for piece in sync::pieces(message) {
        hasher.update(piece);
        if watch.look().is_err() {
            return;
        }
    }
    if hasher.algorithm().kind == Kind::Fixed {
        return hasher.digest_into(out).expect("out was cut to the digest's length");
    }
    let mut reader = hasher.into_reader().expect("the row is an extendable-output function");
    for piece in sync::pieces_mut(out) {
        reader.read(piece);
        if watch.look().is_err() {
            return;
        }
    }
}

/// The number of messages that one kernel hashes at the same time.
fn lanes(row: &Algorithm) -> usize {
    const MOST: usize = 16;
    if row.batch_kernels().iter().any(|kernel| kernel.available) { MOST } else { 1 }
}

/// A function that writes the digests of some rows.
type Hash<'a> = dyn Fn(&[&[u8]], &mut [u8]) + Sync + 'a;

/// A function that writes the digest of one row in pieces, unless the watch stops it.
type Long<'a> = dyn Fn(&[&[u8]], &mut [u8], &Watch<'_>) + Send + Sync + 'a;

/// The form of the results that the caller requests.
struct Form<'py> {
    contiguous: bool,
    hex: bool,
    out: Option<Bound<'py, PyAny>>,
    /// The maximum number of threads, or 0 for one per core.
    threads: Threads,
}

/// The work of one call.
struct Batch<'a, 'py> {
    hash: &'a Hash<'a>,
    /// Creates the function that hashes one long row in pieces.
    long: &'a dyn Fn() -> PyResult<Box<Long<'a>>>,
    /// The device that hashes instead of `hash` and `long`.
    device: Option<&'a OnEngine<'a>>,
    /// The bytes of a Python object (such as a key) that `hash` reads for every row.
    common: &'a [u8],
    /// The number of bytes of a digest.
    digest: usize,
    /// The number of rows that use all lanes of a kernel.
    lanes: usize,
    form: Form<'py>,
}

impl<'py> Batch<'_, 'py> {
    /// Returns the digests in the requested form. By default, it is the form of `source`, the argument with the
    /// messages.
    fn run(self, source: &Bound<'py, PyAny>, messages: &Messages<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (py, rows) = (source.py(), messages.len());
        let Form { contiguous, hex, .. } = self.form;
        // Hexadecimal digests are twice as long.
        let len = rows
            .checked_mul(self.digest)
            .filter(|len| len.checked_mul(2).is_some_and(|len| isize::try_from(len).is_ok()));
        let len = len.ok_or_else(|| errors::no_memory(None))?;
        if hex && (contiguous || self.form.out.is_some()) {
            return Err(errors::hex_without_place());
        }
        if let (Messages::Column(column), true) = (messages, contiguous || self.form.out.is_some())
            && let nulls = column.nulls()
            && nulls > 0
        {
            return Err(errors::nulls_without_place(nulls));
        }
        if let Some(out) = &self.form.out {
            self.fill_buffer(py, messages, out)?;
            return Ok(out.clone());
        }
        if contiguous {
            return Ok(self.bytes(py, messages, len)?.into_any());
        }
        match messages {
            Messages::Rows(_) if !hex => match empty_array(source, rows, self.digest)? {
                Some(array) => {
                    self.fill_buffer(py, messages, &array)?;
                    Ok(array)
                }
                None => table(&self.bytes(py, messages, len)?, rows, self.digest),
            },
            Messages::Objects(_) | Messages::Rows(_) => {
                let mut objects = Objects::new(py, rows, hex)?;
                self.fill(py, messages, &mut objects)?;
                Ok(objects.into_list().into_any())
            }
            Messages::Column(column) => {
                let mut digests = zeros(len)?;
                self.fill(py, messages, &mut Memory(&mut digests))?;
                Ok(Bound::new(py, ArrowDigests::new(column, digests, self.digest, hex)?)?.into_any())
            }
        }
    }

    fn bytes(&self, py: Python<'py>, messages: &Messages<'py>, len: usize) -> PyResult<Bound<'py, PyBytes>> {
        new_bytes(py, len, |pieces| self.fill(py, messages, pieces))
    }

    fn fill_buffer(
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

    /// Hashes the messages window by window and writes the digests to `sink`.
    fn fill(&self, py: Python<'py>, messages: &Messages<'py>, sink: &mut impl Sink<'py>) -> PyResult<()> {
        let threads = self.form.threads.count();
        let window = if self.device.is_some() { ON_A_DEVICE } else { window(self.digest, threads) };
        sink.check(&[self.common])?;
        for from in (0..messages.len()).step_by(window) {
            let rows = from..messages.len().min(from + window);
            let count = rows.len();
            messages.window(rows, |slices| {
                sink.check(slices)?;
                let out = sink.room(py, count * self.digest)?;
                self.window(py, Share { slices, out, long: false }, messages.slices_per_row(), threads)
            })?;
            sink.filled(py, count)?;
            py.check_signals()?;
        }
        Ok(())
    }

    /// Hashes one window. A long window is divided into shares for several threads.
    fn window(
        &self,
        py: Python<'_>,
        whole: Share<'_, '_, '_>,
        slices_per_row: usize,
        threads: usize,
    ) -> PyResult<()> {
        /// Work on this number of bytes takes longer than starting a thread.
        const WORTH_A_THREAD: usize = 64 * 1024;
        if let Some(device) = self.device {
            return py.detach(|| device.digest_into(whole.slices, whole.out)).map_err(errors::from_library);
        }
        let (hash, digest) = (self.hash, self.digest);
        // The work for each row that does not depend on its message.
        let each = self.common.len().saturating_add(digest);
        let work =
            work(whole.slices).saturating_add(each.saturating_mul(whole.slices.len() / slices_per_row));
        let threads = threads.min(work / WORTH_A_THREAD);
        if threads <= 1 && !sync::is_long(work) {
            sync::run(py, work, || hash(whole.slices, whole.out));
            return Ok(());
        }
        let goal = (work / threads.max(1) + 1).min(SHARE);
        // If there are several threads, each needs a share. A single thread uses as few shares as the checks for
        // signals allow.
        let lanes = if threads <= 1 { self.lanes } else { 1.max(self.lanes * goal / SHARE) };
        let shares = shares(whole, slices_per_row, (digest, each), goal, lanes)?;
        let long = if shares.iter().any(|share| share.long) { Some((self.long)()?) } else { None };
        let hash = |share: Share<'_, '_, '_>, watch: &Watch<'_>| match &long {
            Some(long) if share.long => long(share.slices, share.out, watch),
            _ => hash(share.slices, share.out),
        };
        sync::run_looking(py, |watch| {
            let workers = Workers::new(threads.max(1)).watch(watch);
            workers.unordered(shares, |share| hash(share, watch), |()| Ok(())).map_err(raised)
        })
    }
}

/// The number of bytes of work of a share.
const SHARE: usize = 16 << 20;
/// A row with more bytes of work than this is hashed in pieces.
const LONG: usize = 64 << 20;

/// Consecutive rows, and the memory for their digests.
struct Share<'s, 'm, 'o> {
    slices: &'s [&'m [u8]],
    out: &'o mut [u8],
    /// True if it is a single row that takes as long as many others.
    long: bool,
}

/// Divides rows into shares. Each share except the last has at least `lanes` rows and `goal` bytes of work, and each
/// long row is a separate share. A row counts as `each` bytes of work in addition to its own bytes, and its digest has
/// `digest` bytes.
fn shares<'s, 'm, 'o>(
    Share { mut slices, mut out, .. }: Share<'s, 'm, 'o>,
    slices_per_row: usize,
    (digest, each): (usize, usize),
    goal: usize,
    lanes: usize,
) -> PyResult<Vec<Share<'s, 'm, 'o>>> {
    let mut shares = Vec::new();
    while !slices.is_empty() {
        let (mut rows, mut done, mut long) = (0, 0, false);
        for row in slices.chunks_exact(slices_per_row) {
            let work = work(row).saturating_add(each);
            long = work > LONG && rows == 0;
            if (done >= goal && rows >= lanes) || (work > LONG && rows > 0) {
                break;
            }
            done = done.saturating_add(work);
            rows += 1;
            if long {
                break;
            }
        }
        let (now, later) = slices.split_at(rows * slices_per_row);
        let (now_out, later_out) = mem::take(&mut out).split_at_mut(rows * digest);
        shares.try_reserve(1).map_err(|_| errors::no_memory(Some(size_of::<Share<'_, '_, '_>>())))?;
        shares.push(Share { slices: now, out: now_out, long });
        (slices, out) = (later, later_out);
    }
    Ok(shares)
}

/// The number of rows of a window for a device, which divides the window further if necessary. There must be enough
/// rows to keep the device busy, but few enough that other threads can run in between.
const ON_A_DEVICE: usize = 1 << 16;

/// The number of rows of a window. It is small enough that slices, short messages and digests stay in the cache, and
/// large enough for all lanes of a kernel. With several threads, each thread gets more work than starting a thread
/// takes.
fn window(digest: usize, threads: usize) -> usize {
    const ROWS: usize = 2048;
    const BYTES: usize = 256 * 1024;
    const LANES: usize = 16;
    let rows = ROWS.min(BYTES / digest.max(1)).max(LANES);
    // Counts at most 64 threads. More threads would need more memory, and would not have enough work.
    if threads > 1 { rows * threads.min(64) * 4 } else { rows }
}

/// The work of hashing these slices, in bytes. A short message takes as long as a whole block.
fn work(slices: &[&[u8]]) -> usize {
    const BLOCK: usize = 64;
    slices.iter().map(|slice| slice.len() + BLOCK).sum()
}

/// Returns a new NumPy array for the digests if `source` is a NumPy array.
fn empty_array<'py>(
    source: &Bound<'py, PyAny>,
    rows: usize,
    digest: usize,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    // If the program has an array, it has imported NumPy.
    let modules = source.py().import("sys")?.getattr("modules")?.cast_into::<PyDict>()?;
    let Some(numpy) = modules.get_item("numpy")? else { return Ok(None) };
    if !source.is_instance(&numpy.getattr("ndarray")?)? {
        return Ok(None);
    }
    numpy.call_method1("empty", ((rows, digest), "uint8")).map(Some)
}

/// Returns a memoryview with this shape. If there are no items, returns a one-dimensional memoryview, because Python
/// has no empty memoryview with two dimensions.
fn table<'py>(bytes: &Bound<'py, PyBytes>, rows: usize, digest: usize) -> PyResult<Bound<'py, PyAny>> {
    let view = PyMemoryView::from(bytes)?;
    if rows * digest == 0 { Ok(view.into_any()) } else { view.call_method1("cast", ("B", (rows, digest))) }
}
