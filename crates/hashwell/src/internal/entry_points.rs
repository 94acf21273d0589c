//! The last step before a batch kernel is called, which tests observe.

use crate::internal::batch::Batch;
use crate::internal::kernel::Chosen;
#[cfg(all(test, feature = "std"))]
use {alloc::vec::Vec, core::cell::RefCell};

impl<F: Copy> Chosen<Batch<F>> {
    /// Returns the kernel, which the caller must call next.
    #[inline(always)]
    pub(crate) fn to_call(self) -> Batch<F> {
        #[cfg(all(test, feature = "std"))]
        CALLED.with_borrow_mut(|names| names.push(self.name()));
        self.function()
    }
}

#[cfg(all(test, feature = "std"))]
std::thread_local! {
    /// The names of the batch kernels that this thread has called.
    static CALLED: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// Returns the names of the batch kernels that `act` calls in this thread, without duplicates.
#[cfg(all(test, feature = "std"))]
pub(crate) fn called_by(act: impl FnOnce()) -> Vec<&'static str> {
    CALLED.take();
    act();
    let mut names = CALLED.take();
    names.sort_unstable();
    names.dedup();
    names
}
