//! The three structs of the interface, and how they are owned.
//!
//! A struct belongs to whoever holds it with `release` set, and is released once: by its `Drop`, unless it was moved out,
//! which leaves `release` null behind.

use crate::error::Malformed;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{self, NonNull};

/// The type of a column.
#[repr(C)]
#[allow(missing_docs)]
pub struct ArrowSchema {
    pub format: *const c_char,
    pub name: *const c_char,
    pub metadata: *const c_char,
    pub flags: i64,
    pub n_children: i64,
    pub children: *mut *mut ArrowSchema,
    pub dictionary: *mut ArrowSchema,
    pub release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    pub private_data: *mut c_void,
}

/// A piece of a column.
#[repr(C)]
#[allow(missing_docs)]
pub struct ArrowArray {
    pub length: i64,
    pub null_count: i64,
    pub offset: i64,
    pub n_buffers: i64,
    pub n_children: i64,
    pub buffers: *mut *const c_void,
    pub children: *mut *mut ArrowArray,
    pub dictionary: *mut ArrowArray,
    pub release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    pub private_data: *mut c_void,
}

/// A column in pieces.
#[repr(C)]
#[allow(missing_docs)]
pub struct ArrowArrayStream {
    pub get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    pub get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    pub get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    pub release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    pub private_data: *mut c_void,
}

mod sealed {
    pub trait Sealed {}
}

/// One of the three structs.
pub trait Abi: Sized + sealed::Sealed {
    /// Of its capsules in Python.
    const NAME: &'static CStr;
    /// A struct that holds nothing.
    const RELEASED: Self;

    /// Whether it holds nothing.
    fn is_released(&self) -> bool;

    /// Says that it holds nothing, without releasing anything.
    fn mark_released(&mut self);

    /// Moves a struct out of its place, as the interface has it: what stays behind holds nothing.
    ///
    /// # Safety
    /// The pointer, if it is aligned, is to a struct of this type that nobody else uses meanwhile.
    ///
    /// # Errors
    /// If the pointer is not aligned, or somebody took the struct before.
    unsafe fn take(place: NonNull<Self>) -> Result<Self, Malformed> {
        if !place.is_aligned() {
            return Err("a struct is not aligned");
        }
        // SAFETY: this function demands a struct there. Its copy and its mark make one owner of two places.
        let taken = unsafe {
            let taken = place.read();
            (*place.as_ptr()).mark_released();
            taken
        };
        if taken.is_released() { Err("it was consumed before") } else { Ok(taken) }
    }
}

macro_rules! abi {
    ($name:ident, $capsule:literal, { $($field:ident: $nothing:expr),* }) => {
        impl sealed::Sealed for $name {}

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
                    // SAFETY: the struct is ours and not released; its producer's callback takes it back.
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
