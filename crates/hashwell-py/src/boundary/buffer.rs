//! Access to Python's bytes without copies: input buffers, output buffers and new `bytes` objects.
//!
//! PyO3's `PyUntypedBuffer` rejects buffers without a shape or strides, such as those of ctypes arrays, but hashlib
//! accepts them. So this file uses the buffer protocol directly.
//!
//! A view is held for the whole call, and while it is held, the buffer cannot be resized. It can be written to: if
//! another thread writes to a mutable buffer while it is being hashed, the digest is that of a mix of old and new
//! bytes, as with hashlib. This is the worst that can happen, because no length or index is ever read from the bytes.
#![allow(unsafe_code)]

use crate::boundary::errors::{self, exception};
use crate::boundary::sync;
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::alloc::{Layout, alloc_zeroed};
use std::ffi::{CStr, c_char, c_int};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::slice;

/// A C-contiguous view of an object's memory.
struct View<'py> {
    /// Boxed because an exporter may let `shape` point into the struct itself.
    raw: Box<ffi::Py_buffer>,
    /// Ties the view to a thread that is attached to the interpreter, because only an attached thread may release the
    /// view.
    attached: PhantomData<Python<'py>>,
}

impl<'py> View<'py> {
    /// Returns a view with any strides. Use it only for the shape and the item type.
    fn strided(object: &Bound<'py, PyAny>, flags: c_int) -> PyResult<Self> {
        let mut raw = Box::new(ffi::Py_buffer::new());
        // SAFETY: both pointers are valid, and `object` proves that the thread is attached.
        if unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), &raw mut *raw, flags) } != 0 {
            return Err(PyErr::fetch(object.py()));
        }
        Ok(Self { raw, attached: PhantomData })
    }

    fn get(object: &Bound<'py, PyAny>, flags: c_int) -> PyResult<Self> {
        let view = Self::strided(object, flags)?;
        // SAFETY: the view was filled by `PyObject_GetBuffer` and not released.
        if unsafe { ffi::PyBuffer_IsContiguous(&raw const *view.raw, b'C' as c_char) } == 0 {
            return Err(exception::<PyBufferError>("the buffer must be C-contiguous, but it is strided"));
        }
        if holds_pointers(view.format()) {
            return Err(errors::pointers(view.format()));
        }
        Ok(view)
    }

    fn len(&self) -> usize {
        // A valid length is not negative. If an exporter sets a negative length, the view is treated as empty.
        self.raw.len.try_into().unwrap_or(0)
    }

    /// The item type, in the notation of the `struct` module.
    fn format(&self) -> &[u8] {
        if self.raw.format.is_null() {
            return b"B";
        }
        // SAFETY: an exporter's format is a C string that lives as long as the view.
        unsafe { CStr::from_ptr(self.raw.format) }.to_bytes()
    }

    /// The number of items along each dimension, if the exporter sets it.
    fn shape(&self) -> Option<&[ffi::Py_ssize_t]> {
        let dimensions = usize::try_from(self.raw.ndim).ok()?;
        if dimensions == 0 || self.raw.shape.is_null() {
            return None;
        }
        // SAFETY: a shape that is not null has one entry for each dimension, for as long as the view lives.
        Some(unsafe { slice::from_raw_parts(self.raw.shape, dimensions) })
    }

    fn as_slice(&self) -> &[u8] {
        if self.len() == 0 {
            return &[];
        }
        // SAFETY: a C-contiguous view is `len` bytes from `buf` on, valid until it is released on drop. Concurrent
        // writes are the responsibility of the caller; see the head of this file.
        unsafe { slice::from_raw_parts(self.raw.buf.cast(), self.len()) }
    }
}

/// Returns true if items of this type are or contain pointers. A digest of pointers depends on memory addresses, and
/// overwriting them makes the interpreter dereference random numbers. The notation is that of PEP 3118; ctypes adds
/// `z`, and `Z` where no type of a complex number follows it.
fn holds_pointers(format: &[u8]) -> bool {
    let mut codes = format.iter();
    while let Some(code) = codes.next() {
        match code {
            b'O' | b'P' | b'&' | b'X' | b'z' => return true,
            b'Z' if !matches!(codes.as_slice().first(), Some(b'f' | b'd' | b'g')) => return true,
            // Skips the name of a field. If the name has no end, the format is invalid.
            b':' if !codes.any(|letter| *letter == b':') => return true,
            _ => {}
        }
    }
    false
}

impl Drop for View<'_> {
    fn drop(&mut self) {
        // SAFETY: the view was filled, and it is released only here. This thread is attached to the interpreter,
        // because a `View` is not `Send`.
        unsafe { ffi::PyBuffer_Release(&raw mut *self.raw) }
    }
}

/// Bytes to read: a `bytes` object, which needs no view, or any C-contiguous buffer with any item type.
pub(crate) enum Input<'a, 'py> {
    Bytes(&'a [u8]),
    Buffer(InputBuffer<'py>),
}

pub(crate) struct InputBuffer<'py>(View<'py>);

impl<'a, 'py> Input<'a, 'py> {
    #[inline]
    pub(crate) fn of(object: &'a Bound<'py, PyAny>) -> PyResult<Self> {
        match Self::of_bytes(object) {
            Some(bytes) => Ok(Input::Bytes(bytes)),
            None => Self::of_buffer(object),
        }
    }

    /// Accepts only a `bytes` object.
    #[inline]
    pub(crate) fn of_bytes(object: &'a Bound<'py, PyAny>) -> Option<&'a [u8]> {
        object.cast_exact::<PyBytes>().ok().map(|bytes| bytes.as_bytes())
    }

    fn of_buffer(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() {
            return Err(errors::string_given());
        }
        View::get(object, ffi::PyBUF_FULL_RO).map(|view| Input::Buffer(InputBuffer(view)))
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            Input::Bytes(bytes) => bytes,
            Input::Buffer(buffer) => buffer.0.as_slice(),
        }
    }
}

/// How a function of many messages interprets an object, judging by its buffer.
pub(crate) enum Shape {
    /// No buffer, or a one-dimensional array of Python objects. The objects themselves are hashed, not their addresses.
    Objects,
    /// A one-dimensional array of strings (NumPy's `U`), which are not bytes.
    Text,
    /// A one-dimensional array of byte strings (NumPy's `S`), or a two-dimensional array of items.
    Rows,
    /// Bytes that are not divided into rows.
    Flat,
    /// A buffer with this number of dimensions, which is more than a buffer of messages can have.
    Deep(usize),
}

impl Shape {
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        // SAFETY: `object` is valid, and the thread is attached.
        if unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) } == 0 {
            return Ok(Shape::Objects);
        }
        let view = View::strided(object, ffi::PyBUF_FULL_RO)?;
        Ok(match (usize::try_from(view.raw.ndim).unwrap_or(0), view.format()) {
            (1, b"O") => Shape::Objects,
            (1, format) if is_counted(format, b'w') => Shape::Text,
            (1, format) if is_counted(format, b's') => Shape::Rows,
            (0 | 1, _) => Shape::Flat,
            (2, _) => Shape::Rows,
            (dimensions, _) => Shape::Deep(dimensions),
        })
    }
}

/// Returns true if a format consists of an optional byte order, a count and this code.
fn is_counted(format: &[u8], code: u8) -> bool {
    let Some(digits) = format.strip_suffix(&[code]) else { return false };
    let digits = digits.strip_prefix(b"<").or(digits.strip_prefix(b">")).unwrap_or(digits);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

/// The rows of a C-contiguous buffer. In a two-dimensional buffer, a row is the bytes of its items. In a
/// one-dimensional buffer of fixed-width byte strings, a row is a string.
pub(crate) struct Rows<'py> {
    view: View<'py>,
    rows: usize,
    row_len: usize,
    /// True if zeros at the end of a row are padding.
    padded: bool,
}

impl<'py> Rows<'py> {
    pub(crate) fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        let view = View::get(object, ffi::PyBUF_FULL_RO)?;
        let (sizes, padded) = match view.shape() {
            Some(&[rows, columns]) => ([rows, columns, view.raw.itemsize], false),
            Some(&[rows]) => ([rows, 1, view.raw.itemsize], true),
            _ => ([-1; 3], false),
        };
        let sizes = sizes.map(|size| usize::try_from(size).ok());
        if let [Some(rows), Some(columns), Some(item)] = sizes
            && let Some(row_len) = columns.checked_mul(item)
            && rows.checked_mul(row_len) == Some(view.len())
        {
            return Ok(Self { view, rows, row_len, padded });
        }
        Err(exception::<PyBufferError>("the buffer's shape does not match its length"))
    }

    pub(crate) fn len(&self) -> usize {
        self.rows
    }

    /// Returns row `i`, which must exist.
    pub(crate) fn row(&self, i: usize) -> &[u8] {
        let row = &self.view.as_slice()[i * self.row_len..][..self.row_len];
        if !self.padded {
            return row;
        }
        &row[..row.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1)]
    }
}

/// Memory to write into.
pub(crate) struct Output<'py>(View<'py>);

/// The item type of a buffer of integers.
#[derive(Clone, Copy)]
pub(crate) struct Integer {
    /// The number of bytes of an item: 1, 2, 4 or 8.
    pub(crate) size: usize,
    /// The largest value of an item.
    pub(crate) max: u64,
}

impl<'py> Output<'py> {
    pub(crate) fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        let view = View::get(object, ffi::PyBUF_FULL_RO)?;
        if view.raw.readonly != 0 { Err(errors::read_only()) } else { Ok(Self(view)) }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if the output shares memory with `bytes`.
    pub(crate) fn overlaps(&self, bytes: &[u8]) -> bool {
        let (from, other) = (self.0.raw.buf.addr(), bytes.as_ptr().addr());
        from < other + bytes.len() && other < from + self.len()
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [u8] {
        if self.len() == 0 {
            return &mut [];
        }
        // SAFETY: the same reasons as in `View::as_slice` apply. `of` has checked that the view is writable, and
        // because of `&mut self` this is the only slice made from it.
        unsafe { slice::from_raw_parts_mut(self.0.raw.buf.cast(), self.len()) }
    }

    /// Returns the item type if it is an integer type in the machine's byte order.
    pub(crate) fn integer(&self) -> Option<Integer> {
        let native = if cfg!(target_endian = "little") { b'<' } else { b'>' };
        let code = match self.0.format() {
            [code] => *code,
            [order, code] if [b'@', b'=', native].contains(order) => *code,
            _ => return None,
        };
        let size @ (1 | 2 | 4 | 8) = usize::try_from(self.0.raw.itemsize).ok()? else { return None };
        let max = u64::MAX >> (64 - 8 * size);
        match code {
            b'B' | b'H' | b'I' | b'L' | b'Q' | b'N' => Some(Integer { size, max }),
            b'b' | b'h' | b'i' | b'l' | b'q' | b'n' => Some(Integer { size, max: max >> 1 }),
            _ => None,
        }
    }
}

/// The number of bytes of a piece of new memory.
pub(crate) const PIECE: usize = 64 * 1024;

/// New memory, handed out in pieces. A piece is zeroed here and filled by its receiver, and is small enough to stay in
/// the cache meanwhile.
pub(crate) struct Pieces<'a>(&'a mut [MaybeUninit<u8>]);

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a mut [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a mut [u8]> {
        if self.0.is_empty() { None } else { self.take(self.0.len().min(PIECE)) }
    }
}

impl<'a> Pieces<'a> {
    /// Returns the next `len` bytes, or `None` if there are fewer.
    pub(crate) fn take(&mut self, len: usize) -> Option<&'a mut [u8]> {
        let piece = self.0.split_off_mut(..len)?;
        piece.fill(MaybeUninit::new(0));
        // SAFETY: every byte was written on the line above, and any byte is a `u8`.
        Some(unsafe { slice::from_raw_parts_mut(piece.as_mut_ptr().cast(), piece.len()) })
    }

    /// Like [`Pieces::take`], for a piece that is so long that zeroing it takes a while. The memory must have at least
    /// `len` bytes.
    pub(crate) fn take_long(&mut self, py: Python<'_>, len: usize) -> PyResult<&'a mut [u8]> {
        let piece = self.0.split_off_mut(..len).expect("the memory is as long as all digests");
        write_zeros(py, piece)?;
        // SAFETY: every byte was written on the line above, and any byte is a `u8`.
        Ok(unsafe { slice::from_raw_parts_mut(piece.as_mut_ptr().cast(), piece.len()) })
    }
}

/// Returns an empty vector with room for this number of items, or raises MemoryError.
pub(crate) fn reserved<T>(items: usize) -> PyResult<Vec<T>> {
    let mut room = Vec::new();
    let no_memory = |_| errors::no_memory(items.checked_mul(size_of::<T>()));
    room.try_reserve_exact(items).map_err(no_memory)?;
    Ok(room)
}

/// Returns zeroed bytes, or raises MemoryError. For a large length, the system zeroes each page when a thread first
/// writes to it.
pub(crate) fn zeros(len: usize) -> PyResult<Vec<u8>> {
    if len == 0 {
        return Ok(Vec::new());
    }
    let no_memory = || errors::no_memory(Some(len));
    let layout = Layout::array::<u8>(len).map_err(|_| no_memory())?;
    // SAFETY: the layout's size is not 0.
    let memory = unsafe { alloc_zeroed(layout) };
    if memory.is_null() {
        return Err(no_memory());
    }
    // SAFETY: the memory comes from the global allocator, like that of a vector, with the layout of `len` bytes, and
    // all of them are 0.
    Ok(unsafe { Vec::from_raw_parts(memory, len, len) })
}

fn write_zeros(py: Python<'_>, memory: &mut [MaybeUninit<u8>]) -> PyResult<()> {
    let len = memory.len();
    sync::run_pieces(py, len, memory.chunks_mut(PIECE), |piece| piece.fill(MaybeUninit::new(0)))
}

/// The maximum length of outputs that are written to the stack first. All digests are shorter.
const SHORT: usize = 64;

/// Creates a `bytes` object for a digest of `len` bytes, which `fill` writes in one call.
#[inline]
pub(crate) fn digest_bytes<'py>(
    py: Python<'py>,
    len: usize,
    fill: impl FnOnce(&mut [u8]),
) -> PyResult<Bound<'py, PyBytes>> {
    if len > SHORT {
        return PyBytes::new_with(py, len, |out| {
            fill(out);
            Ok(())
        });
    }
    let mut out = [0; SHORT];
    fill(&mut out[..len]);
    copied_bytes(py, &out[..len])
}

/// Creates a `bytes` object. Unlike this function, `PyBytes::new` panics if Python has no memory for the object.
#[inline]
pub(crate) fn copied_bytes<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    // SAFETY: the length of a slice is valid for the type, and the slice is only read. The result is a new reference to
    // a `bytes` object, or null with an exception set.
    unsafe {
        let object = ffi::PyBytes_FromStringAndSize(bytes.as_ptr().cast(), bytes.len() as ffi::Py_ssize_t);
        Ok(Bound::from_owned_ptr_or_err(py, object)?.cast_into_unchecked())
    }
}

/// Creates a `bytes` object of `len` bytes, which `fill` writes. `fill` may detach from the interpreter. Unlike
/// `PyBytes::new_with`, this function does not zero a large block of memory while it is attached.
#[inline]
pub(crate) fn new_bytes<'py>(
    py: Python<'py>,
    len: usize,
    fill: impl FnOnce(&mut Pieces<'_>) -> PyResult<()>,
) -> PyResult<Bound<'py, PyBytes>> {
    let size = ffi::Py_ssize_t::try_from(len).map_err(|_| errors::no_memory(None))?;
    // SAFETY: with a null pointer, Python allocates `size` bytes, which this function writes before any other code can
    // access the object. The result is a new reference to a `bytes` object, or null with an exception set.
    let bytes = unsafe {
        let object = ffi::PyBytes_FromStringAndSize(std::ptr::null(), size);
        Bound::from_owned_ptr_or_err(py, object)?.cast_into_unchecked::<PyBytes>()
    };
    // SAFETY: the object has `len` bytes, and no other code has a reference to it yet.
    let memory = unsafe { slice::from_raw_parts_mut(ffi::PyBytes_AsString(bytes.as_ptr()).cast(), len) };
    let mut pieces = Pieces(memory);
    fill(&mut pieces)?;
    // Zeroes the rest, in case `fill` stopped early. After an error, the object is not returned.
    pieces.for_each(drop);
    Ok(bytes)
}
