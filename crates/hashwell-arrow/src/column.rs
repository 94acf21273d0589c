//! Arrays that are owned, alone, as a stream, and as one column.

use crate::abi::{Abi, ArrowArray, ArrowArrayStream, ArrowSchema};
use crate::error::{Error, Malformed};
use crate::field::{Field, Kind};
use crate::node::Node;
use std::ffi::{CStr, c_int};
use std::iter;
use std::ptr;

/// An array that is owned, checked but for what its values say.
pub struct Chunk {
    node: Node,
    /// Owns what the node points to.
    _array: ArrowArray,
}

// SAFETY: nobody writes to what an array points to, and the interface lets any thread release it.
unsafe impl Send for Chunk {}
// SAFETY: as above; what is lent is the node alone.
unsafe impl Sync for Chunk {}

impl Chunk {
    /// An array of this type.
    ///
    /// # Safety
    /// The array is as the interface has it, of the type that the field was made of, and its buffers are as long as
    /// lengths, offsets and views say.
    ///
    /// # Errors
    /// If it contradicts its type or itself.
    pub unsafe fn new(array: ArrowArray, field: &Field) -> Result<Self, Malformed> {
        if array.is_released() {
            return Err("it was already consumed");
        }
        // SAFETY: this function demands as much; the array goes after the node.
        Ok(Self { node: unsafe { Node::new(&array, field) }?, _array: array })
    }

    /// All that is in it.
    #[must_use]
    pub fn node(&self) -> &Node {
        &self.node
    }
}

/// Arrays of one type, one after the other: of a stream, or a single one.
pub struct Reader {
    field: Field,
    from: From,
}

enum From {
    Stream(ArrowArrayStream),
    One(Option<ArrowArray>),
}

// SAFETY: the interface lets a stream be used by any thread, one at a time, and a reader is borrowed mutably for it.
unsafe impl Send for Reader {}

impl Reader {
    /// The arrays of a stream. That they are of the type that it tells is the producer's promise.
    ///
    /// # Safety
    /// The stream is as the interface has it.
    ///
    /// # Errors
    /// If the stream fails or its type is not read.
    pub unsafe fn of_stream(mut stream: ArrowArrayStream) -> Result<Self, Error> {
        let get_schema = stream.get_schema.ok_or("a callback is missing")?;
        let mut schema = ArrowSchema::RELEASED;
        // SAFETY: the stream is not released, and the callback fills the schema or returns an error code.
        let code = unsafe { get_schema(&raw mut stream, &raw mut schema) };
        check(&mut stream, code)?;
        if schema.is_released() {
            return Err(Error::Malformed("the schema is missing"));
        }
        // SAFETY: the stream's schema is as the interface has it.
        let field = unsafe { Field::of(&schema) }?;
        Ok(Self { field, from: From::Stream(stream) })
    }

    /// A single array.
    ///
    /// # Safety
    /// The array is as the interface has it, of the type that the field was made of.
    #[must_use]
    pub unsafe fn of_array(field: Field, array: ArrowArray) -> Self {
        Self { field, from: From::One(Some(array)) }
    }

    /// The type of all arrays.
    #[must_use]
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// The next array, if there is one. After an error there is none any more.
    ///
    /// # Errors
    /// If the stream fails, or the array is malformed.
    pub fn next_chunk(&mut self) -> Result<Option<Chunk>, Error> {
        let next = match &mut self.from {
            From::One(array) => Ok(array.take()),
            From::Stream(stream) => next_of(stream),
        };
        // SAFETY: whoever made the reader promised arrays of this type.
        let of = |array| unsafe { Chunk::new(array, &self.field) };
        let chunk = next.and_then(|array| Ok(array.map(of).transpose()?));
        // A stream is not asked again after an error or its end.
        if !matches!(chunk, Ok(Some(_))) {
            self.from = From::One(None);
        }
        chunk
    }
}

fn next_of(stream: &mut ArrowArrayStream) -> Result<Option<ArrowArray>, Error> {
    let get_next = stream.get_next.ok_or("a callback is missing")?;
    let mut array = ArrowArray::RELEASED;
    // SAFETY: the stream is not released; its end leaves the array released.
    let code = unsafe { get_next(stream, &raw mut array) };
    check(stream, code)?;
    Ok((!array.is_released()).then_some(array))
}

/// An error code as an error, with the producer's text.
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
        // SAFETY: the producer's C string lives until the stream is used again.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    };
    Err(Error::Stream { code, text })
}

/// All chunks of a reader, and the rows of all.
pub struct Column {
    field: Field,
    chunks: Vec<Chunk>,
    /// Of the first row of each chunk, and the number of all.
    starts: Vec<usize>,
}

impl Column {
    /// Reads to the end.
    ///
    /// # Errors
    /// As [`Reader::next_chunk`]; if there are too many rows.
    pub fn of(mut reader: Reader) -> Result<Self, Error> {
        let (mut chunks, mut starts, mut rows) = (Vec::new(), vec![0], 0usize);
        while let Some(chunk) = reader.next_chunk()? {
            // A row of no bytes takes no memory: nothing but the sum limits how many there are.
            let sum = rows.checked_add(chunk.node.len()).filter(|sum| isize::try_from(*sum).is_ok());
            rows = sum.ok_or("too many rows")?;
            starts.push(rows);
            chunks.push(chunk);
        }
        Ok(Self { field: reader.field, chunks, starts })
    }

    /// Its type.
    #[must_use]
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// The rows of all chunks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts[self.chunks.len()]
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many rows are null, those among them whose value in a dictionary is.
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

    /// Its chunks, each with the number of its first row.
    pub fn chunks(&self) -> impl Iterator<Item = (usize, &Chunk)> {
        iter::zip(self.starts.iter().copied(), &self.chunks)
    }

    /// Its chunks from the one with this row on.
    pub fn chunks_from(&self, row: usize) -> impl Iterator<Item = (usize, &Chunk)> {
        let first = self.starts[1..].partition_point(|end| *end <= row);
        iter::zip(self.starts[first..].iter().copied(), &self.chunks[first..])
    }
}

impl Node {
    /// The bytes of a row of binary or text, or of a dictionary of these, unless it is null.
    ///
    /// # Errors
    /// As [`Node::bytes`] and [`Node::index`].
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

    /// Whether a row is null, or numbers a value of the dictionary that is. A wrong number is not: reading the value tells.
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
