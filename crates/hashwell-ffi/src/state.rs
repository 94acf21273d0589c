//! States in memory of the caller's: a seal, then a value that is plain data.
//!
//! The seal differs from kind to kind, and from process to process, since it depends on where the library was
//! loaded: memory that was never initialised, a wiped state, one of another kind or one from a file are told
//! apart from a state that works. What follows the seal is trusted.

use crate::boundary::{Failure, OK};
use std::alloc::Layout;
use std::ffi::c_int;
use std::mem::{ManuallyDrop, MaybeUninit};

/// What a C program has room for. Nothing in it may be on the heap, since it is copied byte by byte and never
/// dropped; `heap.rs` checks that.
pub(crate) trait Plain: Sized {
    /// Bytes of the C type, some of them in reserve.
    const SIZE: usize;
    /// Tells the kind from others.
    const KIND: u64;
}

/// What stands in front of a state or object of this kind, in this process.
#[inline]
pub(crate) fn seal(kind: u64) -> u64 {
    static ANCHOR: u8 = 0;
    (&raw const ANCHOR).addr() as u64 ^ kind
}

/// Alignment of the C types, in bytes. What Haskell's and other managed memory gives.
pub(crate) const ALIGN: usize = 16;

/// A state where it stands.
#[repr(C)]
pub(crate) struct Sealed<T> {
    seal: u64,
    value: ManuallyDrop<T>,
}

impl<T: Plain> Sealed<T> {
    fn seal() -> u64 {
        const { assert!(size_of::<Self>() <= T::SIZE && align_of::<Self>() <= ALIGN) };
        seal(T::KIND)
    }

    /// Puts a state where there is room for one.
    ///
    /// # Safety
    /// `place` is NULL or points to [`Plain::SIZE`] bytes.
    #[inline]
    pub(crate) unsafe fn put(
        place: *mut Self,
        value: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<c_int, Failure> {
        // SAFETY: the caller promises of the place what `put_with` asks for.
        unsafe { Self::put_with(place, |place| Ok(place.write(value()?))) }
    }

    /// Lets `make` write a state where there is room for one.
    ///
    /// # Safety
    /// As [`Sealed::put`].
    #[inline]
    pub(crate) unsafe fn put_with(
        place: *mut Self,
        make: impl FnOnce(&mut MaybeUninit<T>) -> Result<&mut T, Failure>,
    ) -> Result<c_int, Failure> {
        check(place)?;
        // SAFETY: the caller promises room, and the place is aligned; bytes that were never written are no `T` yet.
        unsafe {
            make(&mut *(&raw mut (*place).value).cast::<MaybeUninit<T>>())?;
            (&raw mut (*place).seal).write(Self::seal());
        }
        Ok(OK)
    }

    /// The state.
    ///
    /// # Safety
    /// `place` is NULL or points to [`Plain::SIZE`] bytes that nobody writes to while the reference lives.
    #[inline]
    pub(crate) unsafe fn get<'a>(place: *const Self) -> Result<&'a T, Failure> {
        check(place)?;
        // SAFETY: the caller promises bytes to read; volatile, since nothing may be assumed of bytes that were perhaps never written.
        if unsafe { (&raw const (*place).seal).read_volatile() } != Self::seal() {
            return Err(Failure::State);
        }
        // SAFETY: the seal says that `put` made it.
        Ok(unsafe { &(*place).value })
    }

    /// The state, to change it.
    ///
    /// # Safety
    /// `place` is NULL or points to [`Plain::SIZE`] bytes that nobody else uses while the reference lives.
    #[inline]
    pub(crate) unsafe fn get_mut<'a>(place: *mut Self) -> Result<&'a mut T, Failure> {
        // SAFETY: the caller promises more than `get` asks for.
        unsafe { Self::get(place)? };
        // SAFETY: `get` found a state, and the caller says that nobody else uses it.
        Ok(unsafe { &mut (*place).value })
    }

    /// Overwrites all its bytes, by whole vectors and with a barrier so that it is really done, and what its
    /// functions left on the stack.
    ///
    /// # Safety
    /// `place` is NULL or points to [`Plain::SIZE`] bytes.
    pub(crate) unsafe fn wipe(place: *mut Self) {
        if !place.is_null() {
            // SAFETY: the caller promises so many bytes, which need no alignment.
            unsafe { place.cast::<u8>().write_bytes(0, T::SIZE) };
            zeroize::optimization_barrier(&place);
            hashwell::wipe_stack();
        }
    }

    const LAYOUT: Layout = match Layout::from_size_align(T::SIZE, ALIGN) {
        Ok(layout) => layout,
        Err(_) => panic!("an alignment is a power of two"),
    };

    /// Puts a state on the heap.
    ///
    /// # Safety
    /// `out` is NULL or points to a pointer.
    pub(crate) unsafe fn allocate(
        out: *mut *mut Self,
        value: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<c_int, Failure> {
        // SAFETY: the caller promises a good `out`; it is NULL then even if the rest fails.
        unsafe { crate::memory::store(out, std::ptr::null_mut())? };
        // SAFETY: no state is without size.
        let place = unsafe { std::alloc::alloc(Self::LAYOUT) }.cast::<Self>();
        if place.is_null() {
            return Err(Failure::Memory);
        }
        // SAFETY: the place is large enough, and `out` was good above.
        unsafe {
            match Self::put(place, value) {
                Ok(_) => out.write(place),
                Err(failure) => {
                    std::alloc::dealloc(place.cast(), Self::LAYOUT);
                    return Err(failure);
                }
            }
        }
        Ok(OK)
    }

    /// Overwrites a state on the heap and gives its memory back.
    ///
    /// # Safety
    /// `place` is NULL or from [`Sealed::allocate`], and not freed before.
    pub(crate) unsafe fn free(place: *mut Self) {
        if !place.is_null() {
            // SAFETY: the caller promises a place from `allocate`, which nobody uses any more.
            unsafe {
                Self::wipe(place);
                std::alloc::dealloc(place.cast(), Self::LAYOUT);
            }
        }
    }
}

fn check<T>(place: *const Sealed<T>) -> Result<(), Failure> {
    match (place.is_null(), place.is_aligned()) {
        (true, _) => Err(Failure::Null),
        (_, false) => Err(Failure::Align),
        _ => Ok(()),
    }
}

/// Makes a type a state, with the functions that all states have.
macro_rules! state {
    ($type:ty, $kind:literal, size $bytes:literal, $size:ident $align:ident $wipe:ident $free:ident) => {
        impl $crate::state::Plain for $type {
            const SIZE: usize = $bytes;
            const KIND: u64 = u64::from_le_bytes(*$kind);
        }

        export! {
            fn $size() -> usize {
                <$type as $crate::state::Plain>::SIZE
            }

            fn $align() -> usize {
                $crate::state::ALIGN
            }

            fn $wipe(state: *mut Sealed<$type>) {
                Sealed::wipe(state);
            }

            fn $free(state: *mut Sealed<$type>) {
                Sealed::free(state);
            }
        }
    };
}
