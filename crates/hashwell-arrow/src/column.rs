//! Owned arrays: single ones, a stream of them, or one column.

use crate::abi::{Abi, ArrowArray, ArrowArrayStream, ArrowSchema};
use crate::error::{Error, Malformed};
use crate::field::{Field, Kind};
use crate::node::Node;
use std::ffi::{CStr, c_int};
use std::iter;
use std::ptr;

/// An owned array. Everything has been checked except its values.
pub struct Chunk {
    node: Node,
    /// Owns the memory that the node points to.
    _array: ArrowArray,
}

// SAFETY: no code writes to the memory that an array points to, and the interface allows any thread to release it.
unsafe impl Send for Chunk {}
// SAFETY: as before; only the node is borrowed.
unsafe impl Sync for Chunk {}

impl Chunk {
    /// Checks an array of this type.
    ///
    /// # Safety
    /// The array must conform to the interface and have the type from which the field was made. Its buffers must be as
    /// long as lengths, offsets and views require.
    ///
    /// # Errors
    /// Returns [`Malformed`] if the array contradicts its type or itself.
    pub unsafe fn new(array: ArrowArray, field: &Field) -> Result<Self, Malformed> {
        if array.is_released() {
            return Err("the data were already consumed");
        }
        // SAFETY: this function has the same contract, and the array is dropped after the node.
        Ok(Self { node: unsafe { Node::new(&array, field) }?, _array: array })
    }

    /// The contents of the array.
    #[must_use]
    pub fn node(&self) -> &Node {
        &self.node
    }
}

/// Arrays of one type in sequence: those of a stream, or a single one.
pub struct Reader {
    field: Field,
    from: From,
}

enum From {
    Stream(ArrowArrayStream),
    One(Option<ArrowArray>),
}

// SAFETY: the interface allows any thread to use a stream, one at a time, and using a reader requires a mutable borrow.
unsafe impl Send for Reader {}

impl Reader {
    /// Reads the arrays of a stream. The producer must ensure that the arrays have the type that the stream states.
    ///
    /// # Safety
    /// The stream must conform to the interface.
    ///
    /// # Errors
    /// Returns [`Error`] if the stream fails or its type is not supported.
    pub unsafe fn of_stream(mut stream: ArrowArrayStream) -> Result<Self, Error> {
        let get_schema = stream.get_schema.ok_or("the callback get_schema is missing")?;
        let mut schema = ArrowSchema::RELEASED;
        // SAFETY: the stream is not released, and the callback fills the schema or returns an error code.
        let code = unsafe { get_schema(&raw mut stream, &raw mut schema) };
        check(&mut stream, code)?;
        if schema.is_released() {
            return Err(Error::Malformed("the schema is missing"));
        }
        // SAFETY: the stream's schema conforms to the interface.
        let field = unsafe { Field::of(&schema) }?;
        Ok(Self { field, from: From::Stream(stream) })
    }

    /// Reads a single array.
    ///
    /// # Safety
    /// The array must conform to the interface and have the type from which the field was made.
    #[must_use]
    pub unsafe fn of_array(field: Field, array: ArrowArray) -> Self {
        Self { field, from: From::One(Some(array)) }
    }

    /// The type of all arrays.
    #[must_use]
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// The next array, or `None` at the end and after an error.
    ///
    /// # Errors
    /// Returns [`Error`] if the stream fails or the array is malformed.
    pub fn next_chunk(&mut self) -> Result<Option<Chunk>, Error> {
        let next = match &mut self.from {
            From::One(array) => Ok(array.take()),
            From::Stream(stream) => next_of(stream),
        };
        // SAFETY: the code that made the reader guaranteed arrays of this type.
        let of = |array| unsafe { Chunk::new(array, &self.field) };
        let chunk = next.and_then(|array| Ok(array.map(of).transpose()?));
        // A stream is not called again after an error or its end.
        if !matches!(chunk, Ok(Some(_))) {
            self.from = From::One(None);
        }
        chunk
    }
}

fn next_of(stream: &mut ArrowArrayStream) -> Result<Option<ArrowArray>, Error> {
    let get_next = stream.get_next.ok_or("the callback get_next is missing")?;
    let mut array = ArrowArray::RELEASED;
    // SAFETY: the stream is not released. At its end, the stream leaves the array released.
    let code = unsafe { get_next(stream, &raw mut array) };
    check(stream, code)?;
    Ok((!array.is_released()).then_some(array))
}

/// Converts an error code to an error with the producer's text.
fn check(stream: &mut ArrowArrayStream, code: c_int) -> Result<(), Error> {
    if code == 0 {
        return Ok(());
    }
    let text = match stream.get_last_error {
        // SAFETY: the stream is not released, and its last call failed.
        Some(get_last_error) => unsafe { get_last_error(stream) },
        None => ptr::null(),
    };
    let text = if text.is_null() {
        "the Arrow stream failed".to_owned()
    } else {
        // SAFETY: the producer's C string is valid until the stream is used again.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    };
    Err(Error::Stream { code, text })
}

/// All chunks of a reader, and the total number of rows.
pub struct Column {
    field: Field,
    chunks: Vec<Chunk>,
    /// The number of the first row of each chunk, followed by the total number of rows.
    starts: Vec<usize>,
}

impl Column {
    /// Reads all chunks.
    ///
    /// # Errors
    /// Returns [`Error`] in the same cases as [`Reader::next_chunk`], and if there are too many rows.
    pub fn of(mut reader: Reader) -> Result<Self, Error> {
        let (mut chunks, mut starts, mut rows) = (Vec::new(), vec![0], 0usize);
        while let Some(chunk) = reader.next_chunk()? {
            // A row without bytes takes no memory, so the number of rows is limited only by this sum.
            let sum = rows.checked_add(chunk.node.len()).filter(|sum| isize::try_from(*sum).is_ok());
            rows = sum.ok_or("too many rows")?;
            starts.push(rows);
            chunks.push(chunk);
        }
        Ok(Self { field: reader.field, chunks, starts })
    }

    /// The type of the column.
    #[must_use]
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// The number of rows in all chunks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts[self.chunks.len()]
    }

    /// Returns true if there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of null rows, including rows whose value in a dictionary is null.
    #[must_use]
    pub fn nulls(&self) -> usize {
        let of = |chunk: &Chunk| {
            let node = chunk.node();
            match node.dictionary() {
                Some(values) if values.nulls() > 0 => {
                    (0..node.len()).filter(|row| node.is_null(&self.field, *row)).count()
                }
                _ => node.nulls(),
            }
        };
        self.chunks.iter().map(of).sum()
    }

    /// The chunks, each with the number of its first row.
    pub fn chunks(&self) -> impl Iterator<Item = (usize, &Chunk)> {
        iter::zip(self.starts.iter().copied(), &self.chunks)
    }

    /// The chunk that contains this row, and all later chunks.
    pub fn chunks_from(&self, row: usize) -> impl Iterator<Item = (usize, &Chunk)> {
        let first = self.starts[1..].partition_point(|end| *end <= row);
        iter::zip(self.starts[first..].iter().copied(), &self.chunks[first..])
    }
}

impl Node {
    /// The bytes of a row of a binary or text column, or of a dictionary of such values. `None` if the row is null.
    ///
    /// # Errors
    /// Returns [`Malformed`] in the same cases as [`Node::bytes`] and [`Node::index`].
    #[inline]
    pub fn message(&self, field: &Field, row: usize) -> Result<Option<&[u8]>, Malformed> {
        if !self.is_valid(row) {
            return Ok(None);
        }
        match (field.kind, self.dictionary()) {
            (Kind::Dictionary { signed }, Some(values)) => {
                let index = self.index(row, signed)?;
                if values.is_valid(index) { values.bytes(index).map(Some) } else { Ok(None) }
            }
            _ => self.bytes(row).map(Some),
        }
    }

    /// Returns true if a row is null, or refers to a null value of the dictionary. A row with an invalid index counts
    /// as not null; reading the value returns the error.
    #[must_use]
    pub fn is_null(&self, field: &Field, row: usize) -> bool {
        let of_null = |values: &Node, signed| {
            values.nulls() > 0 && self.index(row, signed).is_ok_and(|index| !values.is_valid(index))
        };
        match (field.kind, self.dictionary()) {
            _ if !self.is_valid(row) => true,
            (Kind::Dictionary { signed }, Some(values)) => of_null(values, signed),
            _ => false,
        }
    }
}
