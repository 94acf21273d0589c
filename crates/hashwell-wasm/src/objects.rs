//! States by number: what JavaScript holds of a hash in progress, a stream or a MAC.

use crate::border::{Code, Result, fail};
use crate::buffer::Single;
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
    #[cfg(feature = "source")]
    Source(Box<hashwell::RandomStream>),
}

/// All of them; a number that was freed is given again.
static OBJECTS: Single<RefCell<Vec<Option<Object>>>> = Single(RefCell::new(Vec::new()));

/// Keeps a state; returns its number.
pub(crate) fn keep(object: Object) -> usize {
    let mut objects = OBJECTS.0.borrow_mut();
    match objects.iter().position(Option::is_none) {
        Some(free) => {
            objects[free] = Some(object);
            free
        }
        None => {
            objects.push(Some(object));
            objects.len() - 1
        }
    }
}

/// Takes a state away.
pub(crate) fn take(number: usize) -> Result<Object> {
    OBJECTS.0.borrow_mut().get_mut(number).and_then(Option::take).ok_or_else(gone)
}

/// Works with a state.
pub(crate) fn with<R>(number: usize, work: impl FnOnce(&mut Object) -> Result<R>) -> Result<R> {
    match OBJECTS.0.borrow_mut().get_mut(number) {
        Some(Some(object)) => work(object),
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
pub(crate) fn other_kind() -> crate::border::Failure {
    fail(Code::State, format_args!("the state is of another kind, or has ended"))
}

#[cold]
fn gone() -> crate::border::Failure {
    fail(Code::State, format_args!("the state was freed"))
}

/// Frees a state; one that is gone already is no failure.
#[unsafe(no_mangle)]
extern "C" fn free(number: usize) {
    drop(take(number));
}
