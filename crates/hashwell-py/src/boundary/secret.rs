//! States that are made of keys. What holds one overwrites it when it is dropped; but a state that is moved stays behind in
//! the frames that it was moved from, and PyO3 moves what an object holds to its place. So a state is made, and put on the heap,
//! in a frame of its own, which is overwritten then: from there on it is a pointer that moves.

/// What `make` gives, on the heap.
pub(crate) fn boxed<T, E>(make: impl FnOnce() -> Result<T, E>) -> Result<Box<T>, E> {
    after(|| make().map(Box::new))
}

/// Overwrites what `work` leaves on the stack.
pub(crate) fn after<R>(work: impl FnOnce() -> R) -> R {
    #[inline(never)]
    fn apart<R>(work: impl FnOnce() -> R) -> R {
        work()
    }
    let result = apart(work);
    hashwell::wipe_stack();
    result
}
