//! Shared functions of programs, which may hold programs that hold programs, a million deep: the stack does not grow with
//! them when they go.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::ops::Deref;
use std::rc::Rc;

/// Drops within drops that the stack takes; what is held deeper waits until these have returned.
const DEEPEST: u32 = 64;

struct Drops {
    depth: Cell<u32>,
    waiting: RefCell<Vec<Box<dyn Any>>>,
}

thread_local! {
    static DROPS: Drops = const { Drops { depth: Cell::new(0), waiting: RefCell::new(Vec::new()) } };
}

/// A shared value that is dropped in a loop, however deep what it holds is.
pub(super) struct Held<T: ?Sized + 'static>(Option<Rc<T>>);

impl<T: ?Sized> Held<T> {
    pub(super) fn new(shared: Rc<T>) -> Self {
        Self(Some(shared))
    }

    /// Where the value is. No two live ones share an address: what is counted is never of size 0.
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
        // Where a thread ends and its list has gone, the rest goes in the plain way.
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

    /// The list is not on loan while what it gave is dropped: what that holds comes here again.
    fn next(&self) -> Option<Box<dyn Any>> {
        self.waiting.borrow_mut().pop()
    }
}
