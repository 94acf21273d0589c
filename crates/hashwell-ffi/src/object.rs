//! Objects own heap memory, so they can't be plain data in the caller's memory. C uses them only by address: `*_new`
//! creates an object and `*_free` drops it. Like a state, an object starts with a seal, which identifies its type.

use crate::boundary::{Failure, OK};
use crate::memory::store;
use crate::state::seal;
use std::alloc::Layout;
use std::ffi::c_int;

/// A type that C uses by address.
pub(crate) trait Kind: Sized {
    /// Identifies the type.
    const KIND: u64;
}

/// The layout of an object on the heap: its seal and its value.
#[repr(C)]
pub(crate) struct Object<T> {
    seal: u64,
    value: T,
}

impl<T: Kind> Object<T> {
    /// Creates an object and stores its address; stores NULL after an error.
    ///
    /// # Safety
    /// `out` is NULL or points to a pointer.
    pub(crate) unsafe fn make(
        out: *mut *mut Self,
        value: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<c_int, Failure> {
        // SAFETY: the caller guarantees that `out` is valid. NULL is stored before anything can fail, so the caller's
        // pointer never dangles.
        unsafe { store(out, std::ptr::null_mut())? };
        // Allocate first, so that nothing has to be undone if the allocation fails.
        // SAFETY: the size of an object is not zero, because it has a seal.
        let place = unsafe { std::alloc::alloc(Self::LAYOUT) }.cast::<Self>();
        if place.is_null() {
            return Err(Failure::Memory);
        }
        // SAFETY: the place is new and has the size of an object; `out` was valid above.
        unsafe {
            match value() {
                Ok(value) => {
                    place.write(Self { seal: seal(T::KIND), value });
                    out.write(place);
                    Ok(OK)
                }
                Err(failure) => {
                    std::alloc::dealloc(place.cast(), Self::LAYOUT);
                    Err(failure)
                }
            }
        }
    }

    /// Returns the object.
    ///
    /// # Safety
    /// `place` is NULL, or points to an object that is not modified while the reference exists, or to at least eight
    /// readable bytes of something else.
    pub(crate) unsafe fn get<'a>(place: *const Self) -> Result<&'a T, Failure> {
        if place.is_null() {
            return Err(Failure::Null);
        }
        if !place.is_aligned() {
            return Err(Failure::Align);
        }
        // SAFETY: the caller guarantees eight readable bytes. The read is volatile, because they may be uninitialised.
        if unsafe { (&raw const (*place).seal).read_volatile() } != seal(T::KIND) {
            return Err(Failure::State);
        }
        // SAFETY: the seal shows that `make` created it.
        Ok(unsafe { &(*place).value })
    }

    /// Returns the object, to modify it.
    ///
    /// # Safety
    /// The requirements of [`Object::get`] apply, and nothing else uses the object while the reference exists.
    pub(crate) unsafe fn get_mut<'a>(place: *mut Self) -> Result<&'a mut T, Failure> {
        // SAFETY: the caller guarantees the requirements of `get`.
        unsafe { Self::get(place)? };
        // SAFETY: `get` found an object, and the caller guarantees that nothing else uses it.
        Ok(unsafe { &mut (*place).value })
    }

    const LAYOUT: Layout = Layout::new::<Self>();

    /// Drops an object and overwrites its memory. Does nothing if `place` is not an object.
    ///
    /// # Safety
    /// The requirements of [`Object::get_mut`] apply. The address is not used afterwards.
    pub(crate) unsafe fn free(place: *mut Self) {
        // SAFETY: the caller guarantees the requirements of `get_mut`, and that this is the last use.
        unsafe {
            if Self::get_mut(place).is_ok() {
                (&raw mut (*place).value).drop_in_place();
                place.write_bytes(0, 1);
                zeroize::optimization_barrier(&place);
                std::alloc::dealloc(place.cast(), Self::LAYOUT);
            }
        }
    }
}
