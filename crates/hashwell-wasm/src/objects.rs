//! Numbered states. JavaScript refers to a hash in progress, a stream, a MAC or a generator by its number.

use crate::buffer::Single;
use crate::ffi::{Code, Result, fail};
use crate::memory::no_memory;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::RefCell;
use hashwell::{Hasher, Reader};

/// A state. States that depend on a key overwrite themselves when they are dropped.
pub(crate) enum Object {
    Hasher(Box<Hasher>),
    Reader(Box<Reader>),
    #[cfg(feature = "keyed")]
    Mac(Box<hashwell::Hmac>),
    #[cfg(feature = "keyed")]
    Kmac(Box<hashwell::Kmac>),
    #[cfg(feature = "source")]
    Source(Box<hashwell::RandomStream>),
    #[cfg(feature = "source")]
    Drbg(Box<hashwell::HmacDrbg>),
}

/// The slot of a number.
enum Slot {
    Used(Object),
    /// A free slot, with the number that was freed before it, or [`NONE`].
    Free(usize),
}

/// The end of the list of free numbers.
const NONE: usize = usize::MAX;

/// All states. The number that was freed last is reused first, so no search is necessary.
struct Objects {
    slots: Vec<Slot>,
    free: usize,
}

static OBJECTS: Single<RefCell<Objects>> = Single(RefCell::new(Objects { slots: Vec::new(), free: NONE }));

/// Stores a state and returns its number.
pub(crate) fn keep(object: Object) -> Result<usize> {
    let Objects { slots, free } = &mut *OBJECTS.0.borrow_mut();
    let number = *free;
    if let Some(slot) = slots.get_mut(number) {
        if let Slot::Free(next) = core::mem::replace(slot, Slot::Used(object)) {
            *free = next;
        }
        return Ok(number);
    }
    slots.try_reserve(1).map_err(|_| no_memory())?;
    slots.push(Slot::Used(object));
    Ok(slots.len() - 1)
}

/// Removes a state and returns it.
pub(crate) fn take(number: usize) -> Result<Object> {
    let Objects { slots, free } = &mut *OBJECTS.0.borrow_mut();
    match slots.get_mut(number) {
        Some(slot @ Slot::Used(_)) => match core::mem::replace(slot, Slot::Free(*free)) {
            Slot::Used(object) => {
                *free = number;
                Ok(object)
            }
            Slot::Free(_) => Err(gone()),
        },
        _ => Err(gone()),
    }
}

/// Calls `work` with a state.
pub(crate) fn with<R>(number: usize, work: impl FnOnce(&mut Object) -> Result<R>) -> Result<R> {
    match OBJECTS.0.borrow_mut().slots.get_mut(number) {
        Some(Slot::Used(object)) => work(object),
        _ => Err(gone()),
    }
}

/// Replaces a state by a different one.
pub(crate) fn replace(number: usize, object: Object) -> Result<()> {
    with(number, |place| {
        *place = object;
        Ok(())
    })
}

/// Returns the failure for a state of a different kind.
#[cold]
pub(crate) fn other_kind() -> crate::ffi::Failure {
    fail(Code::State, "the state has a different kind or is finished", &[])
}

#[cold]
fn gone() -> crate::ffi::Failure {
    fail(Code::State, "the state was freed", &[])
}

/// Frees a state. Does nothing if it has already been freed.
#[unsafe(no_mangle)]
extern "C" fn free(number: usize) {
    drop(take(number));
}
