//! Objects: what holds heap of its own, and so cannot be plain data in memory of the caller's. C knows them by their
//! address alone: `*_new` makes one, `*_free` drops it. A seal in front tells them from states and from other memory,
//! as that of a state does.

use crate::boundary::{Failure, OK};
use crate::memory::store;
use crate::state::seal;
use std::alloc::Layout;
use std::ffi::c_int;

/// What C has the address of.
pub(crate) trait Kind: Sized {
    /// Tells the kind from others.
    const KIND: u64;
}

/// An object where it stands, on the heap.
#[repr(C)]
pub(crate) struct Object<T> {
    seal: u64,
    value: T,
}

impl<T: Kind> Object<T> {
    /// Stores the address of a new object; NULL on errors.
    ///
    /// # Safety
    /// `out` is NULL or points to a pointer.
    pub(crate) unsafe fn make(
        out: *mut *mut Self,
        value: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<c_int, Failure> {
        // SAFETY: the caller promises a good `out`; it is written before anything can fail, so that it never dangles.
        unsafe { store(out, std::ptr::null_mut())? };
        // First of all, so that nothing is undone where there is no memory.
        // SAFETY: no object is without size: it has a seal.
        let place = unsafe { std::alloc::alloc(Self::LAYOUT) }.cast::<Self>();
        if place.is_null() {
            return Err(Failure::Memory);
        }
        // SAFETY: the place is as large as an object and not used before; `out` was good above.
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

    /// The object.
    ///
    /// # Safety
    /// `place` is NULL, or an object that nobody changes while the reference lives, or eight readable bytes and more of
    /// something else.
    pub(crate) unsafe fn get<'a>(place: *const Self) -> Result<&'a T, Failure> {
        if place.is_null() {
            return Err(Failure::Null);
        }
        if !place.is_aligned() {
            return Err(Failure::Align);
        }
        // SAFETY: the caller promises eight bytes to read; volatile, since they may be no seal and never written.
        if unsafe { (&raw const (*place).seal).read_volatile() } != seal(T::KIND) {
            return Err(Failure::State);
        }
        // SAFETY: the seal says that `make` made it.
        Ok(unsafe { &(*place).value })
    }

    /// The object, to change it.
    ///
    /// # Safety
    /// As [`Object::get`], and nobody else uses it while the reference lives.
    pub(crate) unsafe fn get_mut<'a>(place: *mut Self) -> Result<&'a mut T, Failure> {
        // SAFETY: the caller promises what `get` asks for.
        unsafe { Self::get(place)? };
        // SAFETY: `get` found an object, which the caller says is used by nobody else.
        Ok(unsafe { &mut (*place).value })
    }

    const LAYOUT: Layout = Layout::new::<Self>();

    /// Drops an object, and overwrites all of its place. Anything else is left alone.
    ///
    /// # Safety
    /// As [`Object::get_mut`]; the address is not used any more.
    pub(crate) unsafe fn free(place: *mut Self) {
        // SAFETY: the caller promises what `get_mut` asks for, and that this is the last use.
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
