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

use crate::border::buffer::reserved;
use crate::border::errors;
use crate::border::immutable::add_class;
use crate::objects::digest::hexadecimal;
use pyo3::exceptions::{PyOSError, PyOverflowError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyCapsule, PyDict, PyList, PyRange, PySlice, PyString, PyTuple};
use std::borrow::Cow;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::iter;
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
    /// Numbers of values that lie in another array, each of so many bytes, and whether they have a sign.
    Indices { size: usize, signed: bool },
}

impl Layout {
    /// The layout of a type, and that of its dictionary's values if it has a dictionary.
    fn of(schema: &ArrowSchema) -> PyResult<(Self, Option<Self>)> {
        let format = format_of(schema)?;
        if schema.dictionary.is_null() {
            return Ok((Self::of_values(&format).ok_or_else(|| errors::arrow_format(&format))?, None));
        }
        // SAFETY: a schema's dictionary is a schema, which lives as long as that one.
        let values = unsafe { &*schema.dictionary };
        let values_format = format_of(values)?;
        let refused = || errors::arrow_format(&format!("{values_format}, in a dictionary"));
        let values = Self::of_values(&values_format).filter(|_| values.dictionary.is_null());
        Ok((Self::of_indices(&format).ok_or_else(refused)?, Some(values.ok_or_else(refused)?)))
    }

    fn of_values(format: &str) -> Option<Self> {
        Some(match format {
            "z" | "u" => Layout::Offsets32,
            "Z" | "U" => Layout::Offsets64,
            "vz" | "vu" => Layout::Views,
            _ => Layout::Fixed(usize::try_from(format.strip_prefix("w:")?.parse::<i32>().ok()?).ok()?),
        })
    }

    fn of_indices(format: &str) -> Option<Self> {
        let (size, signed) = match format {
            "c" | "C" => (1, format == "c"),
            "s" | "S" => (2, format == "s"),
            "i" | "I" => (4, format == "i"),
            "l" | "L" => (8, format == "l"),
            _ => return None,
        };
        Some(Layout::Indices { size, signed })
    }
}

/// The text that tells the type.
fn format_of(schema: &ArrowSchema) -> PyResult<Cow<'_, str>> {
    if schema.format.is_null() {
        return Err(errors::arrow_malformed("the format is missing"));
    }
    // SAFETY: a format is a C string that lives as long as the schema.
    Ok(unsafe { CStr::from_ptr(schema.format) }.to_string_lossy())
}

/// Whether it is a Series of Polars' type Object: those show themselves as fixed-size binary, and are references to
/// Python objects.
fn holds_objects(column: &Bound<'_, PyAny>) -> PyResult<bool> {
    let Some(dtype) = column.getattr_opt("dtype")? else { return Ok(false) };
    Ok(dtype.str()?.to_string_lossy() == "Object")
}

/// A column of messages.
pub(crate) struct Column {
    layout: Layout,
    /// Of the dictionary's values, if there is one.
    values: Option<Layout>,
    chunks: Vec<Chunk>,
    rows: usize,
    nulls: usize,
}

/// A piece of a column, checked but for what its values say.
struct Chunk {
    rows: Values,
    /// The values that the rows number.
    dictionary: Option<Values>,
    /// The number of its first row.
    start: usize,
    nulls: usize,
    /// Owns what the values point to.
    _array: ArrowArray,
}

impl Column {
    /// The column that an object exports, if it does so.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        if let Some(export) = object.getattr_opt("__arrow_c_array__")? {
            let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = export.call0()?.extract()?;
            let schema: ArrowSchema = take(&schema)?;
            let mut column = Self::new(&schema)?;
            column.push(take(&array)?)?;
            return Ok(Some(column));
        }
        match object.getattr_opt("__arrow_c_stream__")? {
            None => Ok(None),
            Some(_) if holds_objects(object)? => Err(errors::column_of_objects()),
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
        let mut column = Self::new(&schema)?;
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

    fn new(schema: &ArrowSchema) -> PyResult<Self> {
        let (layout, values) = Layout::of(schema)?;
        Ok(Self { layout, values, chunks: Vec::new(), rows: 0, nulls: 0 })
    }

    fn push(&mut self, array: ArrowArray) -> PyResult<()> {
        let chunk =
            Chunk::new(array, self.layout, self.values, self.rows).map_err(errors::arrow_malformed)?;
        // A row of no bytes takes no memory: nothing but the sum limits how many there are.
        let rows = self.rows.checked_add(chunk.rows.len);
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
        let mut slices = reserved(rows.len())?;
        let first = self.chunks.partition_point(|chunk| chunk.start + chunk.rows.len <= rows.start);
        for chunk in &self.chunks[first..] {
            let from = (rows.start + slices.len()).saturating_sub(chunk.start);
            let to = chunk.rows.len.min(rows.end - chunk.start);
            for row in from..to {
                slices.push(chunk.value(row).map_err(errors::arrow_malformed)?.unwrap_or_default());
            }
            if slices.len() == rows.len() {
                break;
            }
        }
        Ok(slices)
    }

    /// Calls `f` with the number of each null's row.
    fn for_each_null(&self, mut f: impl FnMut(usize) -> PyResult<()>) -> PyResult<()> {
        for chunk in self.chunks.iter().filter(|chunk| chunk.nulls > 0) {
            (0..chunk.rows.len).filter(|&row| chunk.is_null(row)).try_for_each(|row| f(chunk.start + row))?;
        }
        Ok(())
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
    fn new(
        array: ArrowArray,
        layout: Layout,
        values: Option<Layout>,
        start: usize,
    ) -> Result<Self, Malformed> {
        let rows = Values::new(&array, layout)?;
        let dictionary = match values {
            _ if array.dictionary.is_null() != values.is_none() => return Err(NOT_OF_THE_FORMAT),
            None => None,
            // SAFETY: an array's dictionary is an array, which lives as long as that one.
            Some(layout) => Some(Values::new(unsafe { &*array.dictionary }, layout)?),
        };
        if dictionary.as_ref().is_some_and(|values| values.has_dictionary) {
            return Err(NOT_OF_THE_FORMAT);
        }
        let mut chunk = Self { nulls: rows.nulls, rows, dictionary, start, _array: array };
        if chunk.dictionary.as_ref().is_some_and(|values| values.nulls > 0) {
            chunk.nulls = (0..chunk.rows.len).filter(|&row| chunk.is_null(row)).count();
        }
        Ok(chunk)
    }

    /// The bytes of a row, if it is not null.
    fn value(&self, row: usize) -> Result<Option<&[u8]>, Malformed> {
        match &self.dictionary {
            Some(values) if self.rows.is_valid(row) => values.value(self.index(values, row)?),
            Some(_) => Ok(None),
            None => self.rows.value(row),
        }
    }

    /// Whether the row is null, or numbers a value that is. A wrong number is not: reading the value tells.
    fn is_null(&self, row: usize) -> bool {
        let of_null = |values: &Values| self.index(values, row).is_ok_and(|index| !values.is_valid(index));
        !self.rows.is_valid(row) || self.dictionary.as_ref().is_some_and(of_null)
    }

    /// The number of a row's value.
    fn index(&self, values: &Values, row: usize) -> Result<usize, Malformed> {
        let index = usize::try_from(self.rows.index(row)?).ok().filter(|index| *index < values.len);
        index.ok_or("an index is of no value of the dictionary")
    }
}

const NOT_OF_THE_FORMAT: Malformed = "the buffers are not those of the format";

/// An array as far as its own buffers go, which whoever made this owns and keeps.
struct Values {
    layout: Layout,
    buffers: *mut *const c_void,
    n_buffers: i64,
    offset: usize,
    len: usize,
    nulls: usize,
    has_dictionary: bool,
}

impl Values {
    fn new(array: &ArrowArray, layout: Layout) -> Result<Self, Malformed> {
        let size = |number: i64| usize::try_from(number).map_err(|_| "a length or offset is negative");
        let (offset, len) = (size(array.offset)?, size(array.length)?);
        let end = offset.checked_add(len).filter(|sum| isize::try_from(*sum).is_ok());
        end.ok_or("length and offset are too large")?;
        let buffers = array.n_buffers;
        let right = match layout {
            Layout::Fixed(_) | Layout::Indices { .. } => buffers == 2,
            Layout::Offsets32 | Layout::Offsets64 => buffers == 3,
            Layout::Views => buffers >= 3,
        };
        if !right || array.buffers.is_null() || array.n_children != 0 {
            return Err(NOT_OF_THE_FORMAT);
        }
        let has_dictionary = !array.dictionary.is_null();
        let (buffers, n_buffers) = (array.buffers, array.n_buffers);
        let mut values = Self { layout, buffers, n_buffers, offset, len, nulls: 0, has_dictionary };
        values.nulls = match array.null_count {
            0 => 0,
            -1 if values.buffer(0).is_none() => 0,
            -1.. if values.buffer(0).is_some() => (0..len).filter(|&row| !values.bit(row)).count(),
            _ => return Err("the count of nulls does not fit"),
        };
        Ok(values)
    }

    /// Buffer `i`, which the layout has, unless it is left out.
    fn buffer(&self, i: usize) -> Option<NonNull<u8>> {
        // SAFETY: `buffers` has `n_buffers` entries, more than `i`, as `new` checked.
        NonNull::new(unsafe { self.buffers.add(i).read() }.cast_mut().cast())
    }

    /// Item `i` of a buffer of `T`, any bytes of which are one.
    ///
    /// # Safety
    /// The buffer has more than `i` items.
    unsafe fn item<T: Copy>(&self, buffer: usize, i: usize) -> Result<T, Malformed> {
        let buffer = self.buffer(buffer).ok_or("a buffer is missing")?.cast::<T>();
        // SAFETY: this function demands more than `i` items; an unaligned read asks nothing of the place.
        Ok(unsafe { buffer.add(i).read_unaligned() })
    }

    /// The place of a row in the buffers.
    fn place(&self, row: usize) -> usize {
        debug_assert!(row < self.len);
        // Not too large, as `new` checked.
        self.offset + row
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

    /// The bytes of a row, if it is not null.
    fn value(&self, row: usize) -> Result<Option<&[u8]>, Malformed> {
        if self.is_valid(row) { self.valid_value(row).map(Some) } else { Ok(None) }
    }

    fn valid_value(&self, row: usize) -> Result<&[u8], Malformed> {
        let place = self.place(row);
        match self.layout {
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
            Layout::Indices { .. } => Err(NOT_OF_THE_FORMAT),
        }
    }

    /// The number in a row of indices.
    fn index(&self, row: usize) -> Result<i128, Malformed> {
        let Layout::Indices { size, signed } = self.layout else { return Err(NOT_OF_THE_FORMAT) };
        let place = self.place(row);
        // SAFETY: there is an index of that many bytes for each row.
        unsafe {
            Ok(match (size, signed) {
                (1, true) => self.item::<i8>(1, place)?.into(),
                (1, false) => self.item::<u8>(1, place)?.into(),
                (2, true) => self.item::<i16>(1, place)?.into(),
                (2, false) => self.item::<u16>(1, place)?.into(),
                (4, true) => self.item::<i32>(1, place)?.into(),
                (4, false) => self.item::<u32>(1, place)?.into(),
                (_, true) => self.item::<i64>(1, place)?.into(),
                (_, false) => self.item::<u64>(1, place)?.into(),
            })
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
        let buffers = self.n_buffers as usize - 3;
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

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let (py, class) = (module.py(), module.py().get_type::<ArrowDigests>());
    // An immutable class would not be marked as a sequence any more.
    py.import("collections.abc")?.getattr("Sequence")?.call_method1("register", (&class,))?;
    add_class::<ArrowDigests>(module)
}

/// A column of digests, null where the message is: of bytes, or of str with hex=True.
///
/// A sequence of bytes (or str) and None; slices are columns, too. NumPy and pandas make an array of objects of
/// it, since NumPy's own byte strings would lose zeros at a digest's end. Hand it to whatever reads Arrow, such
/// as pyarrow.array and polars.Series: it is fixed-size binary there, or large string, and shares its memory
/// with the columns made of it.
///
/// Two columns are equal if their rows are. Compare tags with Hmac.verify.
#[pyclass(frozen, module = "hashwell")]
pub(crate) struct ArrowDigests(Arc<Digests>);

/// What a column and all that is exported of it share.
struct Digests {
    /// The digests, one after the other, in hexadecimal if `hex`; a null's are zeros.
    bytes: Vec<u8>,
    /// A bit for each row, set if it is not null; left out if none is.
    validity: Option<Vec<u8>>,
    rows: usize,
    nulls: usize,
    /// Bytes of a digest.
    size: usize,
    hex: bool,
    /// Where strings begin and end, for Arrow.
    offsets: Option<Vec<i64>>,
}

impl Digests {
    fn new(bytes: Vec<u8>, rows: usize, size: usize, hex: bool) -> PyResult<Self> {
        let mut digests = Self { bytes, validity: None, rows, nulls: 0, size, hex, offsets: None };
        if hex {
            let width = digests.width() as i64;
            let mut offsets = reserved(rows + 1)?;
            offsets.extend((0..=rows as i64).map(|row| row * width));
            digests.offsets = Some(offsets);
        }
        Ok(digests)
    }

    /// Bytes of memory for each row.
    fn width(&self) -> usize {
        if self.hex { 2 * self.size } else { self.size }
    }

    fn set_null(&mut self, row: usize) -> PyResult<()> {
        if self.validity.is_none() {
            let mut bits = reserved(self.rows.div_ceil(8))?;
            bits.resize(self.rows.div_ceil(8), 0xff);
            self.validity = Some(bits);
        }
        if let Some(bits) = &mut self.validity {
            bits[row / 8] &= !(1 << (row % 8));
        }
        let width = self.width();
        self.bytes[row * width..][..width].fill(0);
        self.nulls += 1;
        Ok(())
    }

    /// What a row holds, if it is not null.
    fn row(&self, row: usize) -> Option<&[u8]> {
        let valid = self.validity.as_ref().is_none_or(|bits| bits[row / 8] >> (row % 8) & 1 == 1);
        valid.then(|| &self.bytes[row * self.width()..][..self.width()])
    }

    fn rows(&self) -> impl Iterator<Item = Option<&[u8]>> {
        (0..self.rows).map(|row| self.row(row))
    }

    /// The row as Python has it.
    fn item<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(bytes) = self.row(row) else { return Ok(None) };
        Ok(Some(if self.hex {
            PyString::from_bytes(py, bytes)?.into_any()
        } else {
            PyBytes::new(py, bytes).into_any()
        }))
    }
}

impl ArrowDigests {
    /// The digests of a column's rows, in hexadecimal if `hex`; those of nulls are still to be taken out.
    pub(crate) fn new(column: &Column, bytes: Vec<u8>, size: usize, hex: bool) -> PyResult<Self> {
        let bytes = if hex { hexadecimal(&bytes)? } else { bytes };
        let mut digests = Digests::new(bytes, column.len(), size, hex)?;
        column.for_each_null(|row| digests.set_null(row))?;
        Ok(Self(Arc::new(digests)))
    }

    /// Every step-th row from a first one on, so many.
    fn slice(&self, start: isize, step: isize, rows: usize) -> PyResult<Self> {
        let Digests { size, hex, .. } = *self.0;
        let mut bytes = reserved(rows * self.0.width())?;
        let places =
            || (0..rows).map(|row| start.wrapping_add_unsigned(row.wrapping_mul(step as usize)) as usize);
        for place in places() {
            bytes.extend_from_slice(&self.0.bytes[place * self.0.width()..][..self.0.width()]);
        }
        let mut slice = Digests::new(bytes, rows, size, hex)?;
        for (row, _) in places().enumerate().filter(|(_, place)| self.0.row(*place).is_none()) {
            slice.set_null(row)?;
        }
        Ok(Self(Arc::new(slice)))
    }

    /// The rows from `start` to `stop`, as those arguments of `index` are meant, that hold this.
    fn places<'a>(
        &'a self,
        value: &Bound<'_, PyAny>,
        start: isize,
        stop: Option<isize>,
    ) -> PyResult<Box<dyn Iterator<Item = usize> + 'a>> {
        let rows = self.0.rows;
        let place = |at: isize| {
            let at = if at < 0 { rows.saturating_sub(at.unsigned_abs()) } else { at.unsigned_abs() };
            at.min(rows)
        };
        let range = place(start)..stop.map_or(rows, place);
        let sought = if value.is_none() {
            None
        } else if let (true, Ok(text)) = (self.0.hex, value.cast::<PyString>()) {
            let Ok(text) = text.to_cow() else { return Ok(Box::new(iter::empty())) };
            Some(text.into_owned().into_bytes())
        } else if let (false, Ok(bytes)) = (self.0.hex, value.cast::<PyBytes>()) {
            Some(bytes.as_bytes().to_vec())
        } else {
            return Ok(Box::new(iter::empty()));
        };
        Ok(Box::new(range.filter(move |row| self.0.row(*row) == sought.as_deref())))
    }
}

/// What `unpickle_digests` makes a column of again.
type Pickled<'py> = (Bound<'py, PyBytes>, usize, usize, bool, Vec<usize>);

/// The column of these bytes; for pickle alone.
#[pyfunction]
pub(crate) fn unpickle_digests(
    bytes: &[u8],
    rows: usize,
    size: usize,
    hex: bool,
    nulls: Vec<usize>,
) -> PyResult<ArrowDigests> {
    let width = if hex { size.checked_mul(2) } else { Some(size) };
    let whole = width.and_then(|width| width.checked_mul(rows)) == Some(bytes.len());
    let text = !hex || bytes.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f' | 0));
    let ascending = nulls.is_sorted_by(|a, b| a < b) && nulls.last().is_none_or(|last| *last < rows);
    // What Arrow counts in 64 bits with a sign, and a row more.
    let countable = [rows, size].iter().all(|count| i32::try_from(*count).is_ok() || *count <= bytes.len());
    if !(whole && text && ascending && countable) {
        return Err(PyValueError::new_err("not what a column of digests was pickled as"));
    }
    let mut copy = reserved(bytes.len())?;
    copy.extend_from_slice(bytes);
    let mut digests = Digests::new(copy, rows, size, hex)?;
    nulls.into_iter().try_for_each(|row| digests.set_null(row))?;
    Ok(ArrowDigests(Arc::new(digests)))
}

#[pymethods]
impl ArrowDigests {
    /// Refuses: others make such objects. That it is here, and without a text, keeps `inspect.signature` from showing
    /// that of `object`, which takes nothing.
    #[new]
    #[pyo3(signature = (*_arguments, **_keywords), text_signature = None)]
    fn refuse(_arguments: &Bound<'_, PyTuple>, _keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Err(errors::not_constructible("hashwell.ArrowDigests"))
    }

    /// The rows' bytes and which are null: what other columns share is copied.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Pickled<'py>)> {
        let (py, digests) = (slf.py(), &slf.get().0);
        let nulls = (0..digests.rows).filter(|row| digests.row(*row).is_none()).collect();
        let make = py.import(intern!(py, "hashwell._native"))?.getattr("unpickle_digests")?;
        Ok((make, (PyBytes::new(py, &digests.bytes), digests.rows, digests.size, digests.hex, nulls)))
    }

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

    /// The digest of a row, or None; of a slice, a column.
    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(slice) = key.cast::<PySlice>() {
            let place = slice.indices(self.0.rows as isize)?;
            return Ok(Bound::new(py, self.slice(place.start, place.step, place.slicelength)?)?.into_any());
        }
        let row: isize = key.extract().map_err(|error: PyErr| {
            if error.is_instance_of::<PyOverflowError>(py) { errors::row_out_of_range() } else { error }
        })?;
        let row = if row < 0 { row.checked_add_unsigned(self.0.rows) } else { Some(row) };
        let row = row.and_then(|row| usize::try_from(row).ok()).filter(|row| *row < self.0.rows);
        let row = row.ok_or_else(errors::row_out_of_range)?;
        Ok(self.0.item(py, row)?.unwrap_or_else(|| py.None().into_bound(py)))
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let rows = PyRange::new(py, 0, slf.get().0.rows as isize)?;
        py.import("builtins")?.call_method1("map", (slf.getattr("__getitem__")?, rows))
    }

    fn __reversed__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let rows = PyRange::new_with_step(py, slf.get().0.rows as isize - 1, -1, -1)?;
        py.import("builtins")?.call_method1("map", (slf.getattr("__getitem__")?, rows))
    }

    fn __contains__(&self, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.places(value, 0, None)?.next().is_some())
    }

    /// The first row from start to stop that holds value. Raises ValueError if none does.
    #[pyo3(signature = (value, start=0, stop=None, /))]
    fn index(&self, value: &Bound<'_, PyAny>, start: isize, stop: Option<isize>) -> PyResult<usize> {
        self.places(value, start, stop)?.next().ok_or_else(errors::not_in_the_column)
    }

    /// How many rows hold value.
    #[pyo3(signature = (value, /))]
    fn count(&self, value: &Bound<'_, PyAny>) -> PyResult<usize> {
        Ok(self.places(value, 0, None)?.count())
    }

    /// A column of the same rows, in the same memory, which never changes. pandas asks for it.
    fn copy(&self) -> Self {
        Self(Arc::clone(&self.0))
    }

    /// A list of the rows: bytes, or str with hex=True, and None.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        // Filled at first, since others can see it.
        let list = PyList::new(py, [py.None()])?.as_sequence().repeat(self.0.rows)?.cast_into::<PyList>()?;
        for row in 0..self.0.rows {
            if let Some(item) = self.0.item(py, row)? {
                list.set_item(row, item)?;
            }
        }
        Ok(list)
    }

    /// NumPy's array of the rows: of objects, or if dtype is void of the digest's size (such as 'V32'), which no
    /// null fits into, of that. Others raise TypeError.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let numpy = py.import("numpy")?;
        if copy == Some(false) {
            return Err(errors::copy_needed());
        }
        let dtype = numpy.call_method1("dtype", (dtype.unwrap_or(&py.get_type::<PyAny>()),))?;
        let (kind, size): (char, usize) =
            (dtype.getattr("kind")?.extract()?, dtype.getattr("itemsize")?.extract()?);
        match kind {
            'O' => {
                let array = numpy.call_method1("empty", (self.0.rows, dtype))?;
                array.set_item(PySlice::full(py), self.to_pylist(py)?)?;
                Ok(array)
            }
            'V' if size == self.0.size && !self.0.hex && self.0.nulls == 0 && size > 0 => {
                let bytes = PyByteArray::new(py, &self.0.bytes);
                numpy.call_method1("frombuffer", (bytes, dtype))
            }
            _ => Err(errors::array_type(&dtype, self.0.size)),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Self>() else { return Ok(py.NotImplemented()) };
        let (these, those) = (&*self.0, &*other.get().0);
        let alike = (these.hex, these.size, these.rows) == (those.hex, those.size, those.rows);
        let equal = alike && these.rows().eq(those.rows());
        Ok(equal.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    /// pyarrow's array of the rows, cast to a type if one is asked for.
    #[pyo3(signature = (r#type=None))]
    fn __arrow_array__<'py>(
        slf: &Bound<'py, Self>,
        r#type: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // pyarrow.array would come here again.
        let chunks = slf.py().import("pyarrow")?.call_method1("chunked_array", (slf,))?;
        let array = chunks.call_method1("chunk", (0,))?;
        match r#type {
            Some(wanted) => array.call_method1("cast", (wanted,)),
            None => Ok(array),
        }
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
        let Digests { rows, nulls, size, hex, .. } = &*self.0;
        let hex = if *hex { " in hexadecimal" } else { "" };
        format!("<hashwell.ArrowDigests, {rows} of {size} bytes{hex}, {nulls} null>")
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
    pointers: [*const c_void; 3],
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
        let format = if self.hex { "U".to_owned() } else { format!("w:{}", self.size) };
        let format = CString::new(format).expect("letters and digits are no zero byte");
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
    let bytes = digests.bytes.as_ptr().cast();
    let (pointers, n_buffers) = match &digests.offsets {
        Some(offsets) => ([validity, offsets.as_ptr().cast(), bytes], 3),
        None => ([validity, bytes, ptr::null()], 2),
    };
    let (length, null_count) = (digests.rows as i64, digests.nulls as i64);
    let buffers = Box::into_raw(Box::new(Buffers { pointers, _owner: digests }));
    Exported(ArrowArray {
        length,
        null_count,
        n_buffers,
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
