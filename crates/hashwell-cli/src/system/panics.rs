//! Panics of libraries that read what anybody may have written.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Whether this thread's panics are somebody's errors, who says what is wrong.
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// What the work gives, or `None` if it panicked, of which nothing is printed. What it had hold of may be half done then, and
/// is not to be used again.
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
