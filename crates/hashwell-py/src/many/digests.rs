//! Columns of digests, which are Arrow arrays and Python sequences.

use crate::boundary::arrow::{capsule, stream_of};
use crate::boundary::buffer::{copied_bytes, reserved};
use crate::boundary::errors::{self, exception};
use crate::boundary::immutable::add_class;
use crate::objects::digest::hexadecimal;
use hashwell_arrow::export::{self, Memory, Piece};
use hashwell_arrow::{Column, Field};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyCapsule, PyDict, PyList, PyRange, PySlice, PyString, PyTuple};
use std::iter;
use std::sync::Arc;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let (py, class) = (module.py(), module.py().get_type::<ArrowDigests>());
    // The class is registered first, because an immutable class can't be marked as a sequence. Every interpreter has
    // already imported `_collections_abc`. Importing `collections.abc`, which has the same contents, would take a
    // millisecond.
    py.import("_collections_abc")?.getattr("Sequence")?.call_method1("register", (&class,))?;
    add_class::<ArrowDigests>(module)
}

/// A column of digests, as hash_many and hash_rows return it.
///
/// Its values are bytes, or str with hex=True. Null messages have null digests.
///
/// The object is a sequence whose items are bytes (or str), or None for nulls. A slice of it is also a column. NumPy
/// and pandas convert it to an array of objects, because NumPy's own byte strings would drop zero bytes at the end of a
/// digest. Any library that reads Arrow data accepts it, for example pyarrow.array and polars.Series. In Arrow, its
/// type is fixed-size binary (with hex=True, large string). The Arrow data shares the memory of this object.
///
/// Two columns are equal if their rows are equal. To compare secret tags, use Hmac.verify instead.
///
/// Examples:
///     >>> import hashwell, pyarrow
///     >>> column = hashwell.hash_many("sha256", pyarrow.array(["a", None]), hex=True)
///     >>> len(column), column.null_count, column[0][:8], column[1]
///     (2, 1, 'ca978112', None)
///     >>> pyarrow.array(column).type
///     DataType(large_string)
#[pyclass(frozen, module = "hashwell")]
pub(crate) struct ArrowDigests(Arc<Digests>);

/// The data that a column shares with everything exported from it.
struct Digests {
    /// The digests in row order, in hexadecimal if `hex`. The digest of a null is zeros.
    bytes: Arc<Vec<u8>>,
    /// One bit for each row, which is set if the row is not null. `None` if no row is null.
    validity: Option<Arc<Vec<u8>>>,
    rows: usize,
    nulls: usize,
    /// The number of bytes of a digest.
    size: usize,
    hex: bool,
    /// The offsets of the strings, for Arrow.
    offsets: Option<Arc<Vec<i64>>>,
}

impl Digests {
    fn new(bytes: Vec<u8>, rows: usize, size: usize, hex: bool) -> PyResult<Self> {
        let mut digests =
            Self { bytes: Arc::new(bytes), validity: None, rows, nulls: 0, size, hex, offsets: None };
        if hex {
            let width = digests.width() as i64;
            let mut offsets = reserved(rows + 1)?;
            offsets.extend((0..=rows as i64).map(|row| row * width));
            digests.offsets = Some(Arc::new(offsets));
        }
        Ok(digests)
    }

    /// The number of bytes in memory for each row.
    fn width(&self) -> usize {
        if self.hex { 2 * self.size } else { self.size }
    }

    fn set_null(&mut self, row: usize) -> PyResult<()> {
        if self.validity.is_none() {
            let mut bits = reserved(self.rows.div_ceil(8))?;
            bits.resize(self.rows.div_ceil(8), 0xff);
            self.validity = Some(Arc::new(bits));
        }
        if let Some(bits) = &mut self.validity {
            Arc::make_mut(bits)[row / 8] &= !(1 << (row % 8));
        }
        let width = self.width();
        Arc::make_mut(&mut self.bytes)[row * width..][..width].fill(0);
        self.nulls += 1;
        Ok(())
    }

    /// The bytes of a row, or `None` if it is null.
    fn row(&self, row: usize) -> Option<&[u8]> {
        let valid = self.validity.as_ref().is_none_or(|bits| bits[row / 8] >> (row % 8) & 1 == 1);
        valid.then(|| &self.bytes[row * self.width()..][..self.width()])
    }

    fn rows(&self) -> impl Iterator<Item = Option<&[u8]>> {
        (0..self.rows).map(|row| self.row(row))
    }

    /// The Arrow type.
    fn field(&self) -> Field {
        let format = if self.hex { "U".to_owned() } else { format!("w:{}", self.size) };
        Field::new("", &format, Vec::new(), None).expect("digests are shorter than 2 GiB")
    }

    /// The Arrow array, which shares the memory.
    fn piece(&self) -> Piece {
        let shared = |bytes: &Arc<Vec<u8>>| Some(Arc::clone(bytes) as Arc<dyn Memory>);
        let mut buffers = vec![self.validity.as_ref().and_then(shared)];
        if let Some(offsets) = &self.offsets {
            buffers.push(Some(Arc::clone(offsets) as Arc<dyn Memory>));
        }
        buffers.push(shared(&self.bytes));
        Piece { len: self.rows, nulls: self.nulls, buffers, ..Piece::default() }
    }

    /// The row as a Python object.
    fn item<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(bytes) = self.row(row) else { return Ok(None) };
        Ok(Some(if self.hex {
            PyString::from_bytes(py, bytes)?.into_any()
        } else {
            copied_bytes(py, bytes)?.into_any()
        }))
    }
}

impl ArrowDigests {
    /// Creates a column from the digests of a column's rows, in hexadecimal if `hex`. This function removes the digests
    /// of nulls.
    pub(crate) fn new(column: &Column, bytes: Vec<u8>, size: usize, hex: bool) -> PyResult<Self> {
        let bytes = if hex { hexadecimal(&bytes)? } else { bytes };
        let mut digests = Digests::new(bytes, column.len(), size, hex)?;
        for (start, chunk) in column.chunks() {
            let node = chunk.node();
            let mut nulls = (0..node.len()).filter(|row| node.is_null(column.field(), *row));
            nulls.try_for_each(|row| digests.set_null(start + row))?;
        }
        Ok(Self(Arc::new(digests)))
    }

    /// Creates a column of these digests, without nulls.
    pub(crate) fn of_rows(bytes: Vec<u8>, rows: usize, size: usize, hex: bool) -> PyResult<Self> {
        let bytes = if hex { hexadecimal(&bytes)? } else { bytes };
        Ok(Self(Arc::new(Digests::new(bytes, rows, size, hex)?)))
    }

    /// Returns `rows` rows: every `step`-th row, beginning with `start`.
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

    /// The numbers of the rows with this value between `start` and `stop`, which have the same meaning as in `index`.
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

/// The arguments from which `_unpickle_digests` restores a column.
type Pickled<'py> = (Bound<'py, PyBytes>, usize, usize, bool, Vec<usize>);

/// Restores a column. Only pickle calls it.
#[pyfunction(name = "_unpickle_digests")]
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
    // Checks that Arrow's signed 64-bit integers can represent the sizes, even with one more row.
    let countable = [rows, size].iter().all(|count| i32::try_from(*count).is_ok() || *count <= bytes.len());
    if !(whole && text && ascending && countable) {
        return Err(exception::<PyValueError>("not a pickled column of digests"));
    }
    let mut copy = reserved(bytes.len())?;
    copy.extend_from_slice(bytes);
    let mut digests = Digests::new(copy, rows, size, hex)?;
    nulls.into_iter().try_for_each(|row| digests.set_null(row))?;
    Ok(ArrowDigests(Arc::new(digests)))
}

#[pymethods]
impl ArrowDigests {
    /// Raises TypeError, because only functions of this package make such objects.
    ///
    /// Without this constructor, `inspect.signature` would show the signature of `object`, which takes no arguments.
    #[new]
    #[pyo3(signature = (*_arguments, **_keywords), text_signature = None)]
    fn refuse(_arguments: &Bound<'_, PyTuple>, _keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Err(errors::not_constructible("hashwell.ArrowDigests"))
    }

    /// Supports pickle, which stores the digests and the positions of the nulls.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Pickled<'py>)> {
        let (py, digests) = (slf.py(), &slf.get().0);
        let nulls = (0..digests.rows).filter(|row| digests.row(*row).is_none()).collect();
        let make = py.import(intern!(py, "hashwell._native"))?.getattr("_unpickle_digests")?;
        Ok((make, (copied_bytes(py, &digests.bytes)?, digests.rows, digests.size, digests.hex, nulls)))
    }

    /// The size of a digest in bytes.
    #[getter]
    fn digest_size(&self) -> usize {
        self.0.size
    }

    /// The number of nulls, which are the rows without a digest.
    #[getter]
    fn null_count(&self) -> usize {
        self.0.nulls
    }

    fn __len__(&self) -> usize {
        self.0.rows
    }

    /// Return the digest of a row or None. For a slice, return a column.
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

    /// Return the index of the first row with this value, searching from start to stop.
    ///
    /// Args:
    ///     value: The digest as bytes (with hex=True, a str), or None for a null.
    ///     start: The first row to search. A negative number counts from the end.
    ///     stop: The row after the last one to search. By default, all rows from start on are searched.
    ///
    /// Returns:
    ///     The index of the row, counted from 0.
    ///
    /// Raises:
    ///     ValueError: There is no such row.
    #[pyo3(signature = (value, start=0, stop=None, /))]
    fn index(&self, value: &Bound<'_, PyAny>, start: isize, stop: Option<isize>) -> PyResult<usize> {
        self.places(value, start, stop)?.next().ok_or_else(errors::not_in_the_column)
    }

    /// Return the number of rows with this value.
    ///
    /// Args:
    ///     value: The digest as bytes (with hex=True, a str), or None for a null.
    ///
    /// Returns:
    ///     The number of rows.
    #[pyo3(signature = (value, /))]
    fn count(&self, value: &Bound<'_, PyAny>) -> PyResult<usize> {
        Ok(self.places(value, 0, None)?.count())
    }

    /// Return a column with the same rows, which shares the memory with this one. pandas calls this method.
    fn copy(&self) -> Self {
        Self(Arc::clone(&self.0))
    }

    /// Return the rows as a list. Each item is bytes (with hex=True, a str), or None if the row is null.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        // The list is filled with `None` first, because other threads can see the list through the garbage collector.
        let list = PyList::new(py, [py.None()])?.as_sequence().repeat(self.0.rows)?.cast_into::<PyList>()?;
        for row in 0..self.0.rows {
            if let Some(item) = self.0.item(py, row)? {
                list.set_item(row, item)?;
            }
        }
        Ok(list)
    }

    /// Return a NumPy array of the rows.
    ///
    /// The dtype is object, or void of the digest's size, such as 'V32', if no row is null. Any other dtype raises
    /// TypeError.
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

    /// Return a pyarrow array of the rows, which is cast to `type` if it is given.
    #[pyo3(signature = (r#type=None))]
    fn __arrow_array__<'py>(
        slf: &Bound<'py, Self>,
        r#type: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // This doesn't use pyarrow.array, which would call this method again.
        let chunks = slf.py().import("pyarrow")?.call_method1("chunked_array", (slf,))?;
        let array = chunks.call_method1("chunk", (0,))?;
        match r#type {
            Some(wanted) => array.call_method1("cast", (wanted,)),
            None => Ok(array),
        }
    }

    /// Return the type for Arrow's C data interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule(py, export::schema(&self.0.field()))
    }

    /// Return the type and the digests for Arrow's C data interface. A requested type is ignored.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        Ok((capsule(py, export::schema(&self.0.field()))?, capsule(py, export::array(self.0.piece()))?))
    }

    /// Return a stream with one array for Arrow's C stream interface. A requested type is ignored.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        stream_of(py, self.0.field(), self.0.piece())
    }

    fn __repr__(&self) -> String {
        let Digests { rows, nulls, size, hex, .. } = &*self.0;
        let hex = if *hex { " in hexadecimal" } else { "" };
        format!("<hashwell.ArrowDigests, {rows} of {size} bytes{hex}, {nulls} null>")
    }
}
