//! Keeps secret states off the stack. A state that depends on a key is overwritten when it is dropped. But if it is
//! moved, a copy stays in the old stack frame, and PyO3 moves the value of an object when it creates the object. So a
//! state is created and boxed in a separate stack frame, which is then overwritten. After that, only the pointer to the
//! heap is moved.

/// Calls `make` and returns the result on the heap, without copies on the stack.
pub(crate) fn boxed<T, E>(make: impl FnOnce() -> Result<T, E>) -> Result<Box<T>, E> {
    after(|| make().map(Box::new))
}

/// Calls `work`, and overwrites the stack that it used.
pub(crate) fn after<R>(work: impl FnOnce() -> R) -> R {
    #[inline(never)]
    fn apart<R>(work: impl FnOnce() -> R) -> R {
        work()
    }
    let result = apart(work);
    hashwell::wipe_stack();
    result
}
