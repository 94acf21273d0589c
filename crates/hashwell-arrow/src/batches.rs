//! Batches of the crate `arrow-array`, over its own half of the interface.

use crate::abi::ArrowArrayStream;
use crate::column::Reader;
use crate::error::Error;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatchIterator, RecordBatchReader};
use std::mem::ManuallyDrop;
use std::panic::{self, AssertUnwindSafe};
use std::{io, iter, ptr};

const _: () = assert!(size_of::<FFI_ArrowArrayStream>() == size_of::<ArrowArrayStream>());

impl Reader {
    /// Batches as arrays of structs. A reader that panics is an error of the stream, and not asked again.
    ///
    /// # Errors
    /// If the batches' type is not read.
    pub fn of_batches(mut batches: Box<dyn RecordBatchReader + Send>) -> Result<Self, Error> {
        let schema = batches.schema();
        // Behind the interface, which is C's, a panic would end the process.
        let next = move || {
            panic::catch_unwind(AssertUnwindSafe(|| batches.next()))
                .unwrap_or_else(|_| Some(Err(io::Error::other("the reader of the batches panicked").into())))
        };
        let batches = RecordBatchIterator::new(iter::from_fn(next), schema);
        let stream = ManuallyDrop::new(FFI_ArrowArrayStream::new(Box::new(batches)));
        // SAFETY: both types are the interface's one struct. Its owner changes: the first one is not dropped.
        let stream = unsafe { ptr::from_ref(&*stream).cast::<ArrowArrayStream>().read() };
        // SAFETY: `arrow-array` fills the struct as the interface has it.
        unsafe { Self::of_stream(stream) }
    }
}
