//! Batches of the crate `arrow-array`, over its own half of the interface.

use crate::abi::ArrowArrayStream;
use crate::column::Reader;
use crate::error::Error;
use arrow_array::RecordBatchReader;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use std::mem::ManuallyDrop;
use std::ptr;

const _: () = assert!(size_of::<FFI_ArrowArrayStream>() == size_of::<ArrowArrayStream>());

impl Reader {
    /// Batches as arrays of structs.
    ///
    /// # Errors
    /// If the batches' type is not read.
    pub fn of_batches(batches: Box<dyn RecordBatchReader + Send>) -> Result<Self, Error> {
        let stream = ManuallyDrop::new(FFI_ArrowArrayStream::new(batches));
        // SAFETY: both types are the interface's one struct. Its owner changes: the first one is not dropped.
        let stream = unsafe { ptr::from_ref(&*stream).cast::<ArrowArrayStream>().read() };
        // SAFETY: `arrow-array` fills the struct as the interface has it.
        unsafe { Self::of_stream(stream) }
    }
}
