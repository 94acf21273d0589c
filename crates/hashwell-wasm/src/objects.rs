//! States by number: what JavaScript holds of a hash in progress, a stream, a MAC or a generator.

use crate::buffer::Single;
use crate::ffi::{Code, Result, fail};
use crate::memory::no_memory;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::RefCell;
use hashwell::{Hasher, Reader};

/// A state. What depends on a key overwrites itself when it is dropped.
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

/// A number's place.
enum Slot {
    Used(Object),
    /// Freed; with the number that was freed before it, or [`NONE`].
    Free(usize),
}

/// No number.
const NONE: usize = usize::MAX;

/// All of them. The number that was freed last is given again first, so that none is looked for.
struct Objects {
    slots: Vec<Slot>,
    free: usize,
}

static OBJECTS: Single<RefCell<Objects>> = Single(RefCell::new(Objects { slots: Vec::new(), free: NONE }));

/// Keeps a state; returns its number.
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

/// Takes a state away.
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

/// Works with a state.
pub(crate) fn with<R>(number: usize, work: impl FnOnce(&mut Object) -> Result<R>) -> Result<R> {
    match OBJECTS.0.borrow_mut().slots.get_mut(number) {
        Some(Slot::Used(object)) => work(object),
        _ => Err(gone()),
    }
}

/// Puts a state in the place of another one.
pub(crate) fn replace(number: usize, object: Object) -> Result<()> {
    with(number, |place| {
        *place = object;
        Ok(())
    })
}

/// The state is of another kind.
#[cold]
pub(crate) fn other_kind() -> crate::ffi::Failure {
    fail(Code::State, "the state is of another kind, or has ended", &[])
}

#[cold]
fn gone() -> crate::ffi::Failure {
    fail(Code::State, "the state was freed", &[])
}

/// Frees a state; one that is gone already is no failure.
#[unsafe(no_mangle)]
extern "C" fn free(number: usize) {
    drop(take(number));
}
