//! Arrow columns in and out, by Arrow's C data interface: three structs whose layout never changes, handed
//! over in Python capsules. Written out here because of the whole of Arrow nothing else is needed.
//!
//! What a producer hands over is checked as far as the interface lets one: the number of buffers, counts,
//! offsets that never fall, views that stay inside their buffers, null pointers. It does not tell the
//! length of buffers, so that producers are trusted in that, as every consumer trusts them.
//!
//! A struct belongs to whoever holds it with `release` set, and is released once: by its `Drop`, unless it
//! was moved out of a capsule, which leaves `release` null behind.
#![allow(unsafe_code)]

use crate::errors;
use pyo3::exceptions::{PyIndexError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ops::Range;
use std::ptr::{self, NonNull};
use std::slice;
use std::sync::Arc;

// ---------------------------------------------------------------- the interface

/// The type of a column.
#[repr(C)]
struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

/// A piece of a column.
#[repr(C)]
struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

/// A column in pieces.
#[repr(C)]
struct ArrowArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

/// One of the three structs.
trait Abi: Sized {
    /// Of its capsules.
    const NAME: &'static CStr;
    /// A struct that holds nothing.
    const RELEASED: Self;

    fn is_released(&self) -> bool;

    /// Says so without releasing anything.
    fn mark_released(&mut self);
}

macro_rules! abi {
    ($name:ident, $capsule:literal, { $($field:ident: $nothing:expr),* }) => {
        impl Abi for $name {
            const NAME: &'static CStr = $capsule;
            const RELEASED: Self = Self { $($field: $nothing,)* release: None, private_data: ptr::null_mut() };

            fn is_released(&self) -> bool {
                self.release.is_none()
            }

            fn mark_released(&mut self) {
                self.release = None;
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: the struct is ours and not released; its producer's callback takes it back.
                    unsafe { release(self) }
                }
            }
        }
    };
}

abi!(ArrowSchema, c"arrow_schema", {
    format: ptr::null(), name: ptr::null(), metadata: ptr::null(), flags: 0, n_children: 0,
    children: ptr::null_mut(), dictionary: ptr::null_mut()
});
abi!(ArrowArray, c"arrow_array", {
    length: 0, null_count: 0, offset: 0, n_buffers: 0, n_children: 0, buffers: ptr::null_mut(),
    children: ptr::null_mut(), dictionary: ptr::null_mut()
});
abi!(ArrowArrayStream, c"arrow_array_stream", { get_schema: None, get_next: None, get_last_error: None });

/// Moves a struct out of the capsule that a producer made.
fn take<T: Abi>(capsule: &Bound<'_, PyAny>) -> PyResult<T> {
    let pointer = capsule.cast::<PyCapsule>()?.pointer_checked(Some(T::NAME))?.cast::<T>();
    if !pointer.is_aligned() {
        return Err(errors::arrow_malformed("a struct is not aligned"));
    }
    // SAFETY: a capsule of this name holds this struct, which lives as long as the capsule. Copying it and
    // marking the source released is how the interface moves it: its destructor then lets it be.
    let taken = unsafe {
        let taken = pointer.read();
        (*pointer.as_ptr()).mark_released();
        taken
    };
    if taken.is_released() { Err(errors::arrow_malformed("it was consumed before")) } else { Ok(taken) }
}

// ---------------------------------------------------------------- columns that come in

/// How the values of a type lie in its buffers. The first buffer of all types tells which are null.
#[derive(Clone, Copy)]
enum Layout {
    /// Offsets of 32 bits, bytes.
    Offsets32,
    /// Offsets of 64 bits, bytes.
    Offsets64,
    /// Bytes, so many to a value.
    Fixed(usize),
    /// Views: a short value itself, or where it lies in which of any number of further buffers; the last
    /// buffer tells the lengths of those.
    Views,
}

impl Layout {
    fn of(schema: &ArrowSchema) -> PyResult<Self> {
        if schema.format.is_null() {
            return Err(errors::arrow_malformed("the format is missing"));
        }
        // SAFETY: a format is a C string that lives as long as the schema.
        let format = unsafe { CStr::from_ptr(schema.format) }.to_string_lossy();
        if !schema.dictionary.is_null() {
            return Err(errors::arrow_format(&format!("{format}, with a dictionary")));
        }
        let width = |text: &str| usize::try_from(text.parse::<i32>().ok()?).ok();
        match &*format {
            "z" | "u" => Ok(Layout::Offsets32),
            "Z" | "U" => Ok(Layout::Offsets64),
            "vz" | "vu" => Ok(Layout::Views),
            _ => match format.strip_prefix("w:").and_then(width) {
                Some(width) => Ok(Layout::Fixed(width)),
                None => Err(errors::arrow_format(&format)),
            },
        }
    }
}

/// A column of messages.
pub(crate) struct Column {
    layout: Layout,
    chunks: Vec<Chunk>,
    rows: usize,
    nulls: usize,
}

/// A piece of a column, checked but for what its values say.
struct Chunk {
    array: ArrowArray,
    /// The number of its first row.
    start: usize,
    len: usize,
    nulls: usize,
}

impl Column {
    /// The column that an object exports, if it does so.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        if let Some(export) = object.getattr_opt("__arrow_c_array__")? {
            let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = export.call0()?.extract()?;
            let schema: ArrowSchema = take(&schema)?;
            let mut column = Self::new(Layout::of(&schema)?);
            column.push(take(&array)?)?;
            return Ok(Some(column));
        }
        match object.getattr_opt("__arrow_c_stream__")? {
            None => Ok(None),
            Some(export) => Self::of_stream(&mut take(&export.call0()?)?).map(Some),
        }
    }

    fn of_stream(stream: &mut ArrowArrayStream) -> PyResult<Self> {
        let (Some(get_schema), Some(get_next)) = (stream.get_schema, stream.get_next) else {
            return Err(errors::arrow_malformed("a callback is missing"));
        };
        let mut schema = ArrowSchema::RELEASED;
        // SAFETY: the stream is not released, and the callback fills the schema or returns an error code.
        let code = unsafe { get_schema(stream, &raw mut schema) };
        stream.check(code)?;
        if schema.is_released() {
            return Err(errors::arrow_malformed("the schema is missing"));
        }
        let mut column = Self::new(Layout::of(&schema)?);
        loop {
            let mut array = ArrowArray::RELEASED;
            // SAFETY: as above; the end of the stream leaves the array released.
            let code = unsafe { get_next(stream, &raw mut array) };
            stream.check(code)?;
            if array.is_released() {
                return Ok(column);
            }
            column.push(array)?;
        }
    }

    fn new(layout: Layout) -> Self {
        Self { layout, chunks: Vec::new(), rows: 0, nulls: 0 }
    }

    fn push(&mut self, array: ArrowArray) -> PyResult<()> {
        let chunk = Chunk::new(array, self.layout, self.rows).map_err(errors::arrow_malformed)?;
        // A row of no bytes takes no memory: nothing but the sum limits how many there are.
        let rows = self.rows.checked_add(chunk.len);
        self.rows = rows.ok_or_else(|| errors::arrow_malformed("too many rows"))?;
        self.nulls += chunk.nulls;
        self.chunks.push(chunk);
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.rows
    }

    pub(crate) fn nulls(&self) -> usize {
        self.nulls
    }

    /// The values of these rows; a null's is empty.
    pub(crate) fn slices(&self, rows: Range<usize>) -> PyResult<Vec<&[u8]>> {
        let mut slices = Vec::with_capacity(rows.len());
        let first = self.chunks.partition_point(|chunk| chunk.start + chunk.len <= rows.start);
        for chunk in &self.chunks[first..] {
            let from = (rows.start + slices.len()).saturating_sub(chunk.start);
            let to = chunk.len.min(rows.end - chunk.start);
            for row in from..to {
                slices.push(chunk.value(self.layout, row).map_err(errors::arrow_malformed)?);
            }
            if slices.len() == rows.len() {
                break;
            }
        }
        Ok(slices)
    }

    /// Calls `f` with the number of each null's row.
    fn for_each_null(&self, mut f: impl FnMut(usize)) {
        for chunk in self.chunks.iter().filter(|chunk| chunk.nulls > 0) {
            (0..chunk.len).filter(|&row| !chunk.is_valid(row)).for_each(|row| f(chunk.start + row));
        }
    }
}

impl ArrowArrayStream {
    /// An error code as an exception, with the producer's text.
    fn check(&mut self, code: c_int) -> PyResult<()> {
        if code == 0 {
            return Ok(());
        }
        let text = match self.get_last_error {
            // SAFETY: the stream is not released, and its last call failed.
            Some(get_last_error) => unsafe { get_last_error(self) },
            None => ptr::null(),
        };
        let text = if text.is_null() {
            "the Arrow stream failed".to_owned()
        } else {
            // SAFETY: the producer's C string lives until the stream is used again.
            unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
        };
        Err(PyOSError::new_err((code, text)))
    }
}

type Malformed = &'static str;

impl Chunk {
    fn new(array: ArrowArray, layout: Layout, start: usize) -> Result<Self, Malformed> {
        let size = |number: i64| usize::try_from(number).map_err(|_| "a length or offset is negative");
        let len = size(array.length)?;
        let values = size(array.offset)?.checked_add(len).filter(|sum| isize::try_from(*sum).is_ok());
        values.ok_or("length and offset are too large")?;
        let buffers = array.n_buffers;
        let right = match layout {
            Layout::Fixed(_) => buffers == 2,
            Layout::Offsets32 | Layout::Offsets64 => buffers == 3,
            Layout::Views => buffers >= 3,
        };
        if !right || array.buffers.is_null() || array.n_children != 0 || !array.dictionary.is_null() {
            return Err("the buffers are not those of the format");
        }
        let mut chunk = Self { array, start, len, nulls: 0 };
        chunk.nulls = match chunk.array.null_count {
            0 => 0,
            -1 if chunk.buffer(0).is_none() => 0,
            -1.. if chunk.buffer(0).is_some() => (0..len).filter(|&row| !chunk.bit(row)).count(),
            _ => return Err("the count of nulls does not fit"),
        };
        Ok(chunk)
    }

    /// Buffer `i`, which the layout has, unless it is left out.
    fn buffer(&self, i: usize) -> Option<NonNull<u8>> {
        // SAFETY: `buffers` has `n_buffers` entries, more than `i`, as `new` checked.
        NonNull::new(unsafe { self.array.buffers.add(i).read() }.cast_mut().cast())
    }

    /// Item `i` of a buffer of `T`, any bytes of which are one.
    ///
    /// # Safety
    /// The buffer has more than `i` items.
    unsafe fn item<T: Copy>(&self, buffer: usize, i: usize) -> Result<T, Malformed> {
        let buffer = self.buffer(buffer).ok_or("a buffer is missing")?.cast::<T>();
        // SAFETY: the caller's; nothing is asked of the alignment.
        Ok(unsafe { buffer.add(i).read_unaligned() })
    }

    /// The place of a row in the buffers.
    fn place(&self, row: usize) -> usize {
        debug_assert!(row < self.len);
        // Neither negative nor too large, as `new` checked.
        self.array.offset as usize + row
    }

    fn bit(&self, row: usize) -> bool {
        let place = self.place(row);
        // SAFETY: the bitmap has a bit for every row.
        let byte = unsafe { self.item::<u8>(0, place / 8) };
        byte.is_ok_and(|byte| byte >> (place % 8) & 1 == 1)
    }

    fn is_valid(&self, row: usize) -> bool {
        self.nulls == 0 || self.bit(row)
    }

    /// The bytes of a row; none for a null.
    fn value(&self, layout: Layout, row: usize) -> Result<&[u8], Malformed> {
        if !self.is_valid(row) {
            return Ok(&[]);
        }
        let place = self.place(row);
        match layout {
            Layout::Offsets32 => {
                // SAFETY: there is an offset more than rows.
                let (from, to) = unsafe { (self.item::<i32>(1, place)?, self.item::<i32>(1, place + 1)?) };
                self.bytes(2, i64::from(from), i64::from(to))
            }
            Layout::Offsets64 => {
                // SAFETY: as above.
                let (from, to) = unsafe { (self.item::<i64>(1, place)?, self.item::<i64>(1, place + 1)?) };
                self.bytes(2, from, to)
            }
            Layout::Fixed(width) => {
                let from = place.checked_mul(width).and_then(|from| i64::try_from(from).ok());
                let from = from.ok_or("the values are too long")?;
                self.bytes(1, from, from.saturating_add_unsigned(width as u64))
            }
            Layout::Views => self.view(place),
        }
    }

    /// Bytes `from..to` of a buffer, which is at least as long, if they are a range at all.
    fn bytes(&self, buffer: usize, from: i64, to: i64) -> Result<&[u8], Malformed> {
        let (Ok(from), Ok(to)) = (isize::try_from(from), isize::try_from(to)) else {
            return Err("an offset is too large");
        };
        if from < 0 || to < from {
            return Err("offsets are negative or fall");
        }
        if from == to {
            return Ok(&[]);
        }
        let start = self.buffer(buffer).ok_or("a buffer is missing")?;
        // SAFETY: neither number is negative, nor is their difference. The producer's buffer reaches as far
        // as its offsets, views or width say, and lives, unchanged, until the array is released.
        Ok(unsafe { slice::from_raw_parts(start.offset(from).as_ptr(), (to - from) as usize) })
    }

    /// What a view shows: its length, then 12 bytes that are the value or the start of it, the number of a
    /// buffer and an offset into that.
    fn view(&self, place: usize) -> Result<&[u8], Malformed> {
        const INLINE: i32 = 12;
        // SAFETY: there is a view for each row.
        let [len, _, buffer, offset] = unsafe { self.item::<[i32; 4]>(1, place)? };
        if len <= INLINE {
            let start = i64::try_from(place).ok().and_then(|place| place.checked_mul(16)?.checked_add(4));
            let start = start.ok_or("too many views")?;
            return self.bytes(1, start, start + i64::from(len));
        }
        // Not below 3, as `new` checked: validity, views, and the lengths at the end.
        let buffers = self.array.n_buffers as usize - 3;
        let buffer = usize::try_from(buffer).ok().filter(|buffer| *buffer < buffers);
        let buffer = buffer.ok_or("a view is of no buffer")?;
        // SAFETY: the last buffer holds a length for each of those between the views and it.
        let whole = unsafe { self.item::<i64>(buffers + 2, buffer)? };
        let end = i64::from(offset) + i64::from(len);
        if end > whole {
            return Err("a view ends beyond its buffer");
        }
        self.bytes(2 + buffer, i64::from(offset), end)
    }
}

// ---------------------------------------------------------------- columns that go out

/// A column of digests: fixed-size binary, null where the message is.
///
/// Hand it to whatever reads Arrow: pyarrow.array, polars.Series, and others. It shares its memory with
/// the columns made of it.
#[pyclass(frozen, module = "hashwell")]
pub(crate) struct ArrowDigests(Arc<Digests>);

/// What a column and all that is exported of it share.
struct Digests {
    /// The digests, one after the other; a null's are zeros.
    bytes: Vec<u8>,
    /// A bit for each row, set if it is not null; left out if none is.
    validity: Option<Vec<u8>>,
    rows: usize,
    nulls: usize,
    /// Bytes of a digest.
    size: usize,
}

impl ArrowDigests {
    /// The digests of a column's rows, of which those of nulls are still to be taken out.
    pub(crate) fn new(column: &Column, mut bytes: Vec<u8>, size: usize) -> Self {
        let (rows, nulls) = (column.len(), column.nulls());
        let mut validity = (nulls > 0).then(|| vec![0xff; rows.div_ceil(8)]);
        if let Some(validity) = &mut validity {
            column.for_each_null(|row| {
                validity[row / 8] &= !(1 << (row % 8));
                bytes[row * size..][..size].fill(0);
            });
        }
        Self(Arc::new(Digests { bytes, validity, rows, nulls, size }))
    }
}

#[pymethods]
impl ArrowDigests {
    /// Bytes of a digest.
    #[getter]
    fn digest_size(&self) -> usize {
        self.0.size
    }

    /// Rows without a digest.
    #[getter]
    fn null_count(&self) -> usize {
        self.0.nulls
    }

    fn __len__(&self) -> usize {
        self.0.rows
    }

    /// The digest of a row, or None.
    fn __getitem__<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let Digests { bytes, validity, rows, size, .. } = &*self.0;
        if row >= *rows {
            return Err(PyIndexError::new_err("row out of range"));
        }
        let valid = validity.as_ref().is_none_or(|bits| bits[row / 8] >> (row % 8) & 1 == 1);
        Ok(valid.then(|| PyBytes::new(py, &bytes[row * size..][..*size])))
    }

    /// The type, as Arrow's C data interface has it.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule(py, self.0.schema())
    }

    /// Type and digests, as Arrow's C data interface has them. The type is always this one.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        Ok((capsule(py, self.0.schema())?, capsule(py, array(Arc::clone(&self.0)))?))
    }

    /// A stream of one array, as Arrow's C data interface has it. The type is always this one.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        capsule(py, stream(Arc::clone(&self.0)))
    }

    fn __repr__(&self) -> String {
        let Digests { rows, nulls, size, .. } = &*self.0;
        format!("<hashwell.ArrowDigests, {rows} of {size} bytes, {nulls} null>")
    }
}

/// A struct that this file made, which any thread may release: it owns nothing but a [`Digests`], which is
/// `Send` and `Sync`, and plain memory.
#[repr(transparent)]
struct Exported<T>(T);

// SAFETY: as above.
unsafe impl<T> Send for Exported<T> {}

/// The struct in a capsule, which releases it unless a consumer moved it out.
fn capsule<T: Abi + 'static>(py: Python<'_>, made: Exported<T>) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, made, T::NAME)
}

/// What an exported array points to.
struct Buffers {
    pointers: [*const c_void; 2],
    _owner: Arc<Digests>,
}

/// What an exported stream has left.
struct Left {
    digests: Arc<Digests>,
    given: bool,
}

impl Digests {
    fn schema(&self) -> Exported<ArrowSchema> {
        const NULLABLE: i64 = 2;
        let format = CString::new(format!("w:{}", self.size)).expect("digits hold no zero byte");
        let format = format.into_raw();
        Exported(ArrowSchema {
            format,
            name: c"".as_ptr(),
            flags: NULLABLE,
            release: Some(release_schema),
            private_data: format.cast(),
            ..ArrowSchema::RELEASED
        })
    }
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: consumers release a struct once, and this one's private data is the format that `schema` made.
    unsafe {
        drop(CString::from_raw((*schema).private_data.cast()));
        (*schema).release = None;
    }
}

fn array(digests: Arc<Digests>) -> Exported<ArrowArray> {
    let validity = digests.validity.as_ref().map_or(ptr::null(), |bits| bits.as_ptr().cast());
    let pointers = [validity, digests.bytes.as_ptr().cast()];
    let (length, null_count) = (digests.rows as i64, digests.nulls as i64);
    let buffers = Box::into_raw(Box::new(Buffers { pointers, _owner: digests }));
    Exported(ArrowArray {
        length,
        null_count,
        n_buffers: 2,
        // The pointers are the box's first field, and have one address with it or another.
        // SAFETY: the box was made above.
        buffers: unsafe { (&raw mut (*buffers).pointers).cast() },
        release: Some(release_array),
        private_data: buffers.cast(),
        ..ArrowArray::RELEASED
    })
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: consumers release a struct once, and this one's private data is the box that `array` made.
    unsafe {
        drop(Box::from_raw((*array).private_data.cast::<Buffers>()));
        (*array).release = None;
    }
}

fn stream(digests: Arc<Digests>) -> Exported<ArrowArrayStream> {
    Exported(ArrowArrayStream {
        get_schema: Some(stream_schema),
        get_next: Some(stream_next),
        get_last_error: Some(stream_error),
        release: Some(release_stream),
        private_data: Box::into_raw(Box::new(Left { digests, given: false })).cast(),
    })
}

unsafe extern "C" fn stream_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the stream is not released, so that its private data is the box that `stream` made; `out` is
    // memory for a schema, with nothing in it yet.
    unsafe {
        let left = &*(*stream).private_data.cast::<Left>();
        out.write(left.digests.schema().0);
    }
    0
}

unsafe extern "C" fn stream_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: as above, and consumers call a stream from one thread at a time.
    unsafe {
        let left = &mut *(*stream).private_data.cast::<Left>();
        let given = std::mem::replace(&mut left.given, true);
        out.write(if given { ArrowArray::RELEASED } else { array(Arc::clone(&left.digests)).0 });
    }
    0
}

unsafe extern "C" fn stream_error(_: *mut ArrowArrayStream) -> *const c_char {
    ptr::null()
}

unsafe extern "C" fn release_stream(stream: *mut ArrowArrayStream) {
    // SAFETY: consumers release a struct once, and this one's private data is the box that `stream` made.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<Left>()));
        (*stream).release = None;
    }
}
