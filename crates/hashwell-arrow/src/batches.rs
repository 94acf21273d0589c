//! Batches of the crate `arrow-array`, converted through its own implementation of the interface.

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
    /// Returns the batches as arrays of structs. If the reader panics, the stream returns an error and doesn't call the
    /// reader again.
    ///
    /// # Errors
    /// Returns [`Error`] if the type of the batches is not supported.
    pub fn of_batches(mut batches: Box<dyn RecordBatchReader + Send>) -> Result<Self, Error> {
        let schema = batches.schema();
        // A panic that reaches the C interface would end the process.
        let next = move || {
            panic::catch_unwind(AssertUnwindSafe(|| batches.next()))
                .unwrap_or_else(|_| Some(Err(io::Error::other("the reader of the batches panicked").into())))
        };
        let batches = RecordBatchIterator::new(iter::from_fn(next), schema);
        let stream = ManuallyDrop::new(FFI_ArrowArrayStream::new(Box::new(batches)));
        // SAFETY: both types are the struct of the interface. Ownership moves: the first struct is not dropped.
        let stream = unsafe { ptr::from_ref(&*stream).cast::<ArrowArrayStream>().read() };
        // SAFETY: `arrow-array` fills the struct as the interface specifies.
        unsafe { Self::of_stream(stream) }
    }
}
