//! The three structs of the interface, and their ownership.
//!
//! A struct with `release` set belongs to the code that holds it, and is released once: by its `Drop`, unless it was
//! moved out, which leaves `release` null in the old place. The fields are private to this crate, because safe code
//! that could change them could cause any function to be called with any pointer.

use crate::error::Malformed;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{self, NonNull};

/// The type of a column.
#[repr(C)]
pub struct ArrowSchema {
    pub(crate) format: *const c_char,
    pub(crate) name: *const c_char,
    pub(crate) metadata: *const c_char,
    pub(crate) flags: i64,
    pub(crate) n_children: i64,
    pub(crate) children: *mut *mut ArrowSchema,
    pub(crate) dictionary: *mut ArrowSchema,
    pub(crate) release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    pub(crate) private_data: *mut c_void,
}

/// An array: a piece of a column.
#[repr(C)]
pub struct ArrowArray {
    pub(crate) length: i64,
    pub(crate) null_count: i64,
    pub(crate) offset: i64,
    pub(crate) n_buffers: i64,
    pub(crate) n_children: i64,
    pub(crate) buffers: *mut *const c_void,
    pub(crate) children: *mut *mut ArrowArray,
    pub(crate) dictionary: *mut ArrowArray,
    pub(crate) release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    pub(crate) private_data: *mut c_void,
}

/// A stream of arrays of one type.
#[repr(C)]
pub struct ArrowArrayStream {
    pub(crate) get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    pub(crate) get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    pub(crate) get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    pub(crate) release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    pub(crate) private_data: *mut c_void,
}

mod sealed {
    pub trait Sealed {
        /// The data that the struct's producer needs to release it.
        fn private_data(&self) -> *mut std::ffi::c_void;
    }
}

/// One of the three structs.
pub trait Abi: Sized + sealed::Sealed {
    /// The name of its capsules in Python.
    const NAME: &'static CStr;
    /// A released struct.
    const RELEASED: Self;

    /// Returns true if the struct was released.
    fn is_released(&self) -> bool;

    /// Marks the struct as released, without releasing anything.
    fn mark_released(&mut self);

    /// Moves a struct out of its place as the interface specifies, which leaves a released struct there.
    ///
    /// # Safety
    /// If the pointer is aligned, it must point to a struct of this type that no other code uses at the same time.
    /// Unless the struct is released, it must conform to the interface: its callbacks may be called with the struct.
    ///
    /// # Errors
    /// Returns [`Malformed`] if the pointer is not aligned, or if the struct was moved out before.
    unsafe fn take(place: NonNull<Self>) -> Result<Self, Malformed> {
        if !place.is_aligned() {
            return Err("a struct is not aligned");
        }
        // SAFETY: the contract of this function requires a struct there. Marking the original as released leaves the
        // copy as the only owner.
        let taken = unsafe {
            let taken = place.read();
            (*place.as_ptr()).mark_released();
            taken
        };
        if taken.is_released() { Err("the data were already consumed") } else { Ok(taken) }
    }
}

macro_rules! abi {
    ($name:ident, $capsule:literal, { $($field:ident: $nothing:expr),* }) => {
        impl sealed::Sealed for $name {
            fn private_data(&self) -> *mut c_void {
                self.private_data
            }
        }

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
                    // SAFETY: only producers set `release`: this crate's `export`, or a producer for which the caller
                    // of `take` or `Reader::of_stream` guaranteed conforming structs. This struct has not been released
                    // yet.
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
