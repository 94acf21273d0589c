//! States in the caller's memory: a seal, followed by a value that is plain data.
//!
//! The seal is different for each type and, because it depends on the address at which the library was loaded, usually
//! for each process. It detects memory that was never initialised, a wiped state, a state of another type, and a state
//! from a file. The bytes after the seal are trusted.

use crate::boundary::{Failure, OK};
use std::alloc::Layout;
use std::ffi::c_int;
use std::mem::{ManuallyDrop, MaybeUninit};
use zeroize::Zeroize;

/// A type that is stored in the memory of a C program. It must not own heap memory, because it is copied byte by byte
/// and never dropped; `heap.rs` checks this.
pub(crate) trait Plain: Sized {
    /// The size of the C type in bytes, some of which are reserved.
    const SIZE: usize;
    /// Identifies the type.
    const KIND: u64;
}

/// Returns the seal of a state or object of this type, in this process.
#[inline]
pub(crate) fn seal(kind: u64) -> u64 {
    static ANCHOR: u8 = 0;
    (&raw const ANCHOR).addr() as u64 ^ kind
}

/// The alignment of the C types in bytes. Memory managed by Haskell and other languages has at least this alignment.
pub(crate) const ALIGN: usize = 16;

/// The layout of a state in memory: its seal and its value.
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

    /// Stores a state in memory.
    ///
    /// # Safety
    /// `place` is NULL or points to [`Plain::SIZE`] bytes.
    #[inline]
    pub(crate) unsafe fn put(
        place: *mut Self,
        value: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<c_int, Failure> {
        // SAFETY: the caller guarantees the requirements of `put_with`.
        unsafe { Self::put_with(place, |place| Ok(place.write(value()?))) }
    }

    /// Lets `make` write a state in memory.
    ///
    /// # Safety
    /// The requirements of [`Sealed::put`] apply.
    #[inline]
    pub(crate) unsafe fn put_with(
        place: *mut Self,
        make: impl FnOnce(&mut MaybeUninit<T>) -> Result<&mut T, Failure>,
    ) -> Result<c_int, Failure> {
        check(place)?;
        // SAFETY: the caller guarantees the space, and the place is aligned. Uninitialised bytes are not treated as a
        // `T`.
        unsafe {
            make(&mut *(&raw mut (*place).value).cast::<MaybeUninit<T>>())?;
            (&raw mut (*place).seal).write(Self::seal());
        }
        Ok(OK)
    }

    /// Lets `make` write a state that contains a key to a temporary place, and copies it to memory. If `make` fails,
    /// `place` keeps its state. All temporary copies are overwritten.
    ///
    /// # Safety
    /// The requirements of [`Sealed::put`] apply.
    pub(crate) unsafe fn put_secret(
        place: *mut Self,
        make: impl FnOnce(&mut MaybeUninit<T>) -> Result<&mut T, Failure>,
    ) -> Result<c_int, Failure>
    where
        T: Clone + Zeroize,
    {
        #[inline(never)]
        fn apart<T: Clone + Zeroize>(
            place: &mut MaybeUninit<T>,
            make: impl FnOnce(&mut MaybeUninit<T>) -> Result<&mut T, Failure>,
        ) -> Result<&mut T, Failure> {
            let mut temporary = MaybeUninit::uninit();
            let made = make(&mut temporary)?;
            let copy = place.write(made.clone());
            made.zeroize();
            Ok(copy)
        }
        // SAFETY: the caller guarantees the requirements of `put_with`.
        let done = unsafe { Self::put_with(place, |place| apart(place, make)) };
        hashwell::wipe_stack();
        done
    }

    /// Returns the state.
    ///
    /// # Safety
    /// `place` is NULL or points to [`Plain::SIZE`] bytes that are not modified while the reference exists.
    #[inline]
    pub(crate) unsafe fn get<'a>(place: *const Self) -> Result<&'a T, Failure> {
        check(place)?;
        // SAFETY: the caller guarantees readable bytes. The read is volatile, because they may be uninitialised.
        if unsafe { (&raw const (*place).seal).read_volatile() } != Self::seal() {
            return Err(Failure::State);
        }
        // SAFETY: the seal shows that `put` wrote it.
        Ok(unsafe { &(*place).value })
    }

    /// Returns the state, to modify it.
    ///
    /// # Safety
    /// `place` is NULL or points to [`Plain::SIZE`] bytes that nothing else uses while the reference exists.
    #[inline]
    pub(crate) unsafe fn get_mut<'a>(place: *mut Self) -> Result<&'a mut T, Failure> {
        // SAFETY: the caller guarantees more than `get` requires.
        unsafe { Self::get(place)? };
        // SAFETY: `get` found a state, and the caller guarantees that nothing else uses it.
        Ok(unsafe { &mut (*place).value })
    }

    /// Overwrites all bytes of a state, with a barrier so that the compiler can't remove the writes. Also overwrites
    /// the data that its functions left on the stack.
    ///
    /// # Safety
    /// `place` is NULL or points to [`Plain::SIZE`] bytes.
    pub(crate) unsafe fn wipe(place: *mut Self) {
        if !place.is_null() {
            // SAFETY: the caller guarantees `SIZE` bytes, which need no alignment.
            unsafe { place.cast::<u8>().write_bytes(0, T::SIZE) };
            zeroize::optimization_barrier(&place);
            hashwell::wipe_stack();
        }
    }

    const LAYOUT: Layout = match Layout::from_size_align(T::SIZE, ALIGN) {
        Ok(layout) => layout,
        Err(_) => panic!("an alignment is a power of two"),
    };

    /// Creates a state on the heap.
    ///
    /// # Safety
    /// `out` is NULL or points to a pointer.
    pub(crate) unsafe fn allocate(
        out: *mut *mut Self,
        value: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<c_int, Failure> {
        // SAFETY: the caller guarantees that `out` is valid. NULL is stored first, so the caller's pointer never
        // dangles, even if the allocation fails.
        unsafe { crate::memory::store(out, std::ptr::null_mut())? };
        // SAFETY: the size of a state is not zero.
        let place = unsafe { std::alloc::alloc(Self::LAYOUT) }.cast::<Self>();
        if place.is_null() {
            return Err(Failure::Memory);
        }
        // SAFETY: the place is large enough, and `out` was valid above.
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

    /// Overwrites a state on the heap and frees its memory.
    ///
    /// # Safety
    /// `place` is NULL, or [`Sealed::allocate`] returned it and it has not been freed.
    pub(crate) unsafe fn free(place: *mut Self) {
        if !place.is_null() {
            // SAFETY: the caller guarantees a place from `allocate` that is no longer used.
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

/// Implements [`Plain`] for a type and defines the functions that all states have.
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
