//! Catches panics of libraries that parse untrusted files.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// True if this thread's panics are caught and reported as errors by a caller.
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Returns the result of `work`, or `None` if it panicked. The panic message is not printed. Values that `work` was
/// modifying may be inconsistent after a panic and must not be used again.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            if !CAUGHT.get() {
                before(panic);
            }
        }));
    });
    let outer = CAUGHT.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    CAUGHT.set(outer);
    done.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_nothing() {
        assert_eq!(caught(|| 7), Some(7));
        let inner = || caught(|| panic!("inside")).map_or_else(|| CAUGHT.get(), |()| false);
        assert_eq!(caught(inner), Some(true));
        assert!(!CAUGHT.get());
    }
}
