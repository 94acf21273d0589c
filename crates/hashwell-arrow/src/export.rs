//! Columns out: a field and pieces of memory become the interface's structs. What they point to is owned by counted
//! references, which their release callbacks drop.

use crate::abi::{Abi, ArrowArray, ArrowArrayStream, ArrowSchema};
use crate::field::Field;
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;
use std::slice;
use std::sync::Arc;

/// A buffer.
pub trait Memory: Send + Sync {
    /// Its bytes, always the same.
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
                // SAFETY: numbers are bytes without gaps.
                unsafe { slice::from_raw_parts(self.as_ptr().cast(), size_of_val(self.as_slice())) }
            }
        })*
    };
}

memory!(i32, i64);

/// An array to be handed out. That buffers and children are those of its type is its maker's promise, for which this
/// module does nothing unsound, but consumers may.
#[derive(Default)]
pub struct Piece {
    /// Rows.
    pub len: usize,
    /// How many of them are null.
    pub nulls: usize,
    /// As the type has them; the first one, which tells what is null, may be left out.
    pub buffers: Vec<Option<Arc<dyn Memory>>>,
    /// As the type has them.
    pub children: Vec<Piece>,
    /// If the type has one.
    pub dictionary: Option<Box<Piece>>,
}

/// A struct that this module made, which any thread may release: it owns counted references to [`Memory`] and memory of
/// its own.
#[repr(transparent)]
pub struct Exported<T>(pub T);

// SAFETY: as above.
unsafe impl<T> Send for Exported<T> {}

struct SchemaParts {
    format: CString,
    name: CString,
    metadata: Option<Vec<u8>>,
    children: Box<[*mut ArrowSchema]>,
    dictionary: *mut ArrowSchema,
}

/// A text without the zero bytes that no C string has.
fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}

/// The type, as a struct of the interface.
#[must_use]
pub fn schema(field: &Field) -> Exported<ArrowSchema> {
    let boxed = |field: &Field| Box::into_raw(Box::new(schema(field).0));
    let parts = Box::new(SchemaParts {
        format: c_string(&field.format),
        name: c_string(&field.name),
        metadata: field.metadata.clone(),
        children: field.children.iter().map(boxed).collect(),
        dictionary: field.dictionary.as_deref().map_or(ptr::null_mut(), boxed),
    });
    let parts = Box::into_raw(parts);
    // SAFETY: the box was made above, and its address stays until the release callback takes it back.
    let held = unsafe { &mut *parts };
    Exported(ArrowSchema {
        format: held.format.as_ptr(),
        name: held.name.as_ptr(),
        metadata: held.metadata.as_ref().map_or(ptr::null(), |bytes| bytes.as_ptr().cast()),
        flags: field.flags,
        n_children: held.children.len() as i64,
        children: held.children.as_mut_ptr(),
        dictionary: held.dictionary,
        release: Some(release_schema),
        private_data: parts.cast(),
    })
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: consumers release a struct once, and this one's private data is the box that `schema` made.
    unsafe {
        let parts = Box::from_raw((*schema).private_data.cast::<SchemaParts>());
        drop_all(&parts.children, parts.dictionary);
        (*schema).mark_released();
    }
}

/// Releases what nobody moved out, and frees the structs.
///
/// # Safety
/// The pointers are of boxes that nobody uses any more, the last one perhaps null.
unsafe fn drop_all<T>(children: &[*mut T], dictionary: *mut T) {
    for child in children.iter().copied().chain((!dictionary.is_null()).then_some(dictionary)) {
        // SAFETY: this function demands as much.
        drop(unsafe { Box::from_raw(child) });
    }
}

struct ArrayParts {
    pointers: Box<[*const c_void]>,
    _memory: Vec<Option<Arc<dyn Memory>>>,
    children: Box<[*mut ArrowArray]>,
    dictionary: *mut ArrowArray,
}

/// The array, as a struct of the interface.
#[must_use]
pub fn array(piece: Piece) -> Exported<ArrowArray> {
    let boxed = |piece: Piece| Box::into_raw(Box::new(array(piece).0));
    let pointer = |memory: &Option<Arc<dyn Memory>>| {
        memory.as_ref().map_or(ptr::null(), |memory| memory.bytes().as_ptr().cast())
    };
    let parts = Box::into_raw(Box::new(ArrayParts {
        pointers: piece.buffers.iter().map(pointer).collect(),
        _memory: piece.buffers,
        children: piece.children.into_iter().map(boxed).collect(),
        dictionary: piece.dictionary.map_or(ptr::null_mut(), |values| boxed(*values)),
    }));
    // SAFETY: as for a schema.
    let held = unsafe { &mut *parts };
    Exported(ArrowArray {
        length: piece.len as i64,
        null_count: piece.nulls as i64,
        offset: 0,
        n_buffers: held.pointers.len() as i64,
        n_children: held.children.len() as i64,
        buffers: held.pointers.as_mut_ptr(),
        children: held.children.as_mut_ptr(),
        dictionary: held.dictionary,
        release: Some(release_array),
        private_data: parts.cast(),
    })
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: consumers release a struct once, and this one's private data is the box that `array` made.
    unsafe {
        let parts = Box::from_raw((*array).private_data.cast::<ArrayParts>());
        drop_all(&parts.children, parts.dictionary);
        (*array).mark_released();
    }
}

/// Gives the next array of a stream, or says why there is none.
pub type Next = Box<dyn FnMut() -> Option<Result<Piece, String>> + Send>;

struct Left {
    field: Field,
    next: Next,
    error: CString,
}

/// Arrays of one type, as a struct of the interface. An error is told as `EINVAL` with its text.
#[must_use]
pub fn stream(field: Field, next: Next) -> Exported<ArrowArrayStream> {
    Exported(ArrowArrayStream {
        get_schema: Some(stream_schema),
        get_next: Some(stream_next),
        get_last_error: Some(stream_error),
        release: Some(release_stream),
        private_data: Box::into_raw(Box::new(Left { field, next, error: CString::default() })).cast(),
    })
}

unsafe extern "C" fn stream_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the stream is not released, so that its private data is the box that `stream` made; `out` is
    // memory for a schema, with nothing in it yet.
    unsafe {
        let left = &*(*stream).private_data.cast::<Left>();
        out.write(schema(&left.field).0);
    }
    0
}

unsafe extern "C" fn stream_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    const EINVAL: c_int = 22;
    // SAFETY: as above, and consumers call a stream from one thread at a time.
    let left = unsafe { &mut *(*stream).private_data.cast::<Left>() };
    let next = match (left.next)() {
        Some(Err(text)) => {
            left.error = c_string(&text);
            return EINVAL;
        }
        Some(Ok(piece)) => array(piece).0,
        None => ArrowArray::RELEASED,
    };
    // SAFETY: as above.
    unsafe { out.write(next) };
    0
}

unsafe extern "C" fn stream_error(stream: *mut ArrowArrayStream) -> *const c_char {
    // SAFETY: as above; the text lives until the stream is used again.
    let left = unsafe { &*(*stream).private_data.cast::<Left>() };
    if left.error.is_empty() { ptr::null() } else { left.error.as_ptr() }
}

unsafe extern "C" fn release_stream(stream: *mut ArrowArrayStream) {
    // SAFETY: consumers release a struct once, and this one's private data is the box that `stream` made.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<Left>()));
        (*stream).mark_released();
    }
}
