//! Exports columns: a field and pieces of memory are converted to the structs of the interface. These own counted
//! references to the memory, which their release callbacks drop.

use crate::abi::{Abi, ArrowArray, ArrowArrayStream, ArrowSchema};
use crate::field::Field;
use std::ffi::{CString, c_char, c_int, c_void};
use std::panic::{self, AssertUnwindSafe};
use std::ptr;
use std::slice;
use std::sync::Arc;

/// A buffer.
pub trait Memory: Send + Sync {
    /// The bytes, which must be the same at each call.
    fn bytes(&self) -> &[u8];
}

impl Memory for Vec<u8> {
    fn bytes(&self) -> &[u8] {
        self
    }
}

macro_rules! memory {
    ($($number:ty),*) => {
        $(impl Memory for Vec<$number> {
            fn bytes(&self) -> &[u8] {
                // SAFETY: numbers are bytes without padding.
                unsafe { slice::from_raw_parts(self.as_ptr().cast(), size_of_val(self.as_slice())) }
            }
        })*
    };
}

memory!(i32, i64);

/// An array to be exported. The caller must ensure that buffers and children match the type. This module is sound even
/// if they don't match, but consumers may not be.
#[derive(Default)]
pub struct Piece {
    /// The number of rows.
    pub len: usize,
    /// The number of null rows.
    pub nulls: usize,
    /// The buffers that the type has. The first one, the validity bitmap, may be omitted.
    pub buffers: Vec<Option<Arc<dyn Memory>>>,
    /// The children that the type has.
    pub children: Vec<Piece>,
    /// The dictionary, if the type has one.
    pub dictionary: Option<Box<Piece>>,
}

/// A struct that this module made. Any thread may release it, because it owns counted references to [`Memory`] and its
/// own memory.
#[repr(transparent)]
pub struct Exported<T: Abi>(pub T);

// SAFETY: see above for structs of this module. The interface guarantees that any thread may also release the structs
// of other producers. There are no other structs.
unsafe impl<T: Abi> Send for Exported<T> {}

/// The structs that another struct points to, each in its own box.
struct Inner<T> {
    children: Box<[*mut T]>,
    /// May be null.
    dictionary: *mut T,
}

impl<T> Inner<T> {
    fn new(children: impl Iterator<Item = T>, dictionary: Option<T>) -> Self {
        let boxed = |inner| Box::into_raw(Box::new(inner));
        Self {
            children: children.map(boxed).collect(),
            dictionary: dictionary.map_or(ptr::null_mut(), boxed),
        }
    }
}

impl<T> Drop for Inner<T> {
    /// Releases the structs that no consumer has moved out, and frees all of them.
    fn drop(&mut self) {
        let dictionary = (!self.dictionary.is_null()).then_some(self.dictionary);
        for inner in self.children.iter().copied().chain(dictionary) {
            // SAFETY: `new` made the boxes, which no other code frees.
            drop(unsafe { Box::from_raw(inner) });
        }
    }
}

/// Releases a struct of this module, whose private data is a box of `P`.
unsafe extern "C" fn release<T: Abi, P>(made: *mut T) {
    // SAFETY: consumers release a struct once. The code that sets this callback also sets the private data to such a
    // box.
    unsafe {
        drop(Box::from_raw((*made).private_data().cast::<P>()));
        (*made).mark_released();
    }
}

struct SchemaParts {
    format: CString,
    name: CString,
    metadata: Option<Vec<u8>>,
    inner: Inner<ArrowSchema>,
}

/// A C string of the text without its zero bytes.
fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}

/// Converts a type to a struct of the interface.
#[must_use]
pub fn schema(field: &Field) -> Exported<ArrowSchema> {
    let inner = |field: &Field| schema(field).0;
    let parts = Box::new(SchemaParts {
        format: c_string(&field.format),
        name: c_string(&field.name),
        metadata: field.metadata.clone(),
        inner: Inner::new(field.children.iter().map(inner), field.dictionary.as_deref().map(inner)),
    });
    let parts = Box::into_raw(parts);
    // SAFETY: the box was made above, and its address stays valid until the release callback frees it.
    let held = unsafe { &mut *parts };
    Exported(ArrowSchema {
        format: held.format.as_ptr(),
        name: held.name.as_ptr(),
        metadata: held.metadata.as_ref().map_or(ptr::null(), |bytes| bytes.as_ptr().cast()),
        flags: field.flags,
        n_children: held.inner.children.len() as i64,
        children: held.inner.children.as_mut_ptr(),
        dictionary: held.inner.dictionary,
        release: Some(release::<ArrowSchema, SchemaParts>),
        private_data: parts.cast(),
    })
}

struct ArrayParts {
    pointers: Box<[*const c_void]>,
    _memory: Vec<Option<Arc<dyn Memory>>>,
    inner: Inner<ArrowArray>,
}

/// Converts an array to a struct of the interface.
#[must_use]
pub fn array(piece: Piece) -> Exported<ArrowArray> {
    let inner = |piece: Piece| array(piece).0;
    let pointer = |memory: &Option<Arc<dyn Memory>>| {
        memory.as_ref().map_or(ptr::null(), |memory| memory.bytes().as_ptr().cast())
    };
    let parts = Box::into_raw(Box::new(ArrayParts {
        pointers: piece.buffers.iter().map(pointer).collect(),
        _memory: piece.buffers,
        inner: Inner::new(
            piece.children.into_iter().map(inner),
            piece.dictionary.map(|values| inner(*values)),
        ),
    }));
    // SAFETY: the same as for a schema.
    let held = unsafe { &mut *parts };
    Exported(ArrowArray {
        length: piece.len as i64,
        null_count: piece.nulls as i64,
        offset: 0,
        n_buffers: held.pointers.len() as i64,
        n_children: held.inner.children.len() as i64,
        buffers: held.pointers.as_mut_ptr(),
        children: held.inner.children.as_mut_ptr(),
        dictionary: held.inner.dictionary,
        release: Some(release::<ArrowArray, ArrayParts>),
        private_data: parts.cast(),
    })
}

/// Returns the next array of a stream, a message if there is an error, or `None` at the end.
pub type Next = Box<dyn FnMut() -> Option<Result<Piece, String>> + Send>;

struct Left {
    field: Field,
    next: Next,
    error: CString,
}

/// Converts arrays of one type to a struct of the interface. An error is reported as `EINVAL` with its text.
#[must_use]
pub fn stream(field: Field, next: Next) -> Exported<ArrowArrayStream> {
    Exported(ArrowArrayStream {
        get_schema: Some(stream_schema),
        get_next: Some(stream_next),
        get_last_error: Some(stream_error),
        release: Some(release::<ArrowArrayStream, Left>),
        private_data: Box::into_raw(Box::new(Left { field, next, error: CString::default() })).cast(),
    })
}

unsafe extern "C" fn stream_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the stream is not released, so its private data is the box that `stream` made; `out` is memory for a
    // schema and contains nothing yet.
    unsafe {
        let left = &*(*stream).private_data.cast::<Left>();
        out.write(schema(&left.field).0);
    }
    0
}

unsafe extern "C" fn stream_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    const EINVAL: c_int = 22;
    // SAFETY: as before, and consumers use a stream from one thread at a time.
    let left = unsafe { &mut *(*stream).private_data.cast::<Left>() };
    // A panic would end the process here.
    let next = panic::catch_unwind(AssertUnwindSafe(&mut left.next)).unwrap_or_else(|_| {
        left.next = Box::new(|| Some(Err("the source of the stream panicked".to_owned())));
        (left.next)()
    });
    let next = match next {
        Some(Err(text)) => {
            left.error = c_string(&text);
            return EINVAL;
        }
        Some(Ok(piece)) => array(piece).0,
        None => ArrowArray::RELEASED,
    };
    // SAFETY: as before.
    unsafe { out.write(next) };
    0
}

unsafe extern "C" fn stream_error(stream: *mut ArrowArrayStream) -> *const c_char {
    // SAFETY: as before; the text is valid until the stream is used again.
    let left = unsafe { &*(*stream).private_data.cast::<Left>() };
    if left.error.is_empty() { ptr::null() } else { left.error.as_ptr() }
}
