//! Shared closures of programs, which can contain further programs, nested a million levels deep. Dropping them does
//! not overflow the stack.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::ops::Deref;
use std::rc::Rc;

/// The maximum depth of nested drops on the stack. Deeper values wait until the outer drops have returned.
const DEEPEST: u32 = 64;

struct Drops {
    depth: Cell<u32>,
    waiting: RefCell<Vec<Box<dyn Any>>>,
}

thread_local! {
    static DROPS: Drops = const { Drops { depth: Cell::new(0), waiting: RefCell::new(Vec::new()) } };
}

/// A shared value that is dropped iteratively, however deeply it is nested.
pub(super) struct Held<T: ?Sized + 'static>(Option<Rc<T>>);

impl<T: ?Sized> Held<T> {
    pub(super) fn new(shared: Rc<T>) -> Self {
        Self(Some(shared))
    }

    /// The address of the value. No two live values share an address, because an `Rc` allocation is never empty.
    pub(super) fn address(&self) -> *const () {
        self.0.as_ref().map_or(std::ptr::null(), |shared| Rc::as_ptr(shared).cast())
    }
}

impl<T: ?Sized> Clone for Held<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: ?Sized> Deref for Held<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.0.as_deref().expect("only drop takes it")
    }
}

impl<T: ?Sized> Drop for Held<T> {
    fn drop(&mut self) {
        let Some(shared) = self.0.take() else { return };
        if Rc::strong_count(&shared) > 1 {
            return;
        }
        let mut shared = Some(shared);
        // If the thread is ending and its list is gone, drop the rest in the usual way.
        let _ = DROPS.try_with(|drops| drops.release(&mut shared));
    }
}

impl Drops {
    fn release<T: ?Sized + 'static>(&self, shared: &mut Option<Rc<T>>) {
        let depth = self.depth.get();
        if depth >= DEEPEST {
            self.waiting.borrow_mut().push(Box::new(shared.take()));
            return;
        }
        self.depth.set(depth + 1);
        drop(shared.take());
        if depth == 0 {
            while let Some(next) = self.next() {
                drop(next);
            }
        }
        self.depth.set(depth);
    }

    /// The list must not be borrowed while a value from it is dropped, because nested values are added to it.
    fn next(&self) -> Option<Box<dyn Any>> {
        self.waiting.borrow_mut().pop()
    }
}
