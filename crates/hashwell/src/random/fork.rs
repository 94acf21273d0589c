//! Whether this is still the process that a generator was seeded in.
//!
//! On Linux one page of memory is marked to be zero in every child, however it is made (MADV_WIPEONFORK also
//! covers a bare `clone`); it holds a number that grows from parent to child. Some emulators take the mark and
//! ignore it, so that a handler of `fork` wipes the page as well. Elsewhere, and where the kernel knows no such
//! mark, the process id stands in, which may come again after many processes. WebAssembly has no processes, and no
//! process ids either: asking for one there is a panic.

/// A number that differs between a process and all its ancestors.
#[inline]
pub(crate) fn process() -> u64 {
    #[cfg(target_os = "linux")]
    if let Some(number) = page::number() {
        return number;
    }
    if cfg!(target_family = "wasm") { 0 } else { std::process::id().into() }
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code)] // mapping a page needs the system call
mod page {
    use core::ptr::null_mut;
    use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

    /// The page's number, once it is mapped; `NONE` where it cannot be. Without locks, which a child could
    /// inherit closed.
    static PAGE: AtomicPtr<AtomicU64> = AtomicPtr::new(null_mut());
    static NONE: AtomicU64 = AtomicU64::new(0);

    /// The next number to give. Ordinary memory: a child goes on where its parent was.
    static NEXT: AtomicU64 = AtomicU64::new(1);

    #[inline]
    pub(super) fn number() -> Option<u64> {
        let mut page = PAGE.load(Ordering::Acquire);
        if page.is_null() {
            page = map();
        }
        if core::ptr::eq(page, &NONE) {
            return None;
        }
        // SAFETY: `PAGE` holds `NONE` or a page that is never unmapped; zero bytes are a number too.
        let number = unsafe { &*page };
        match number.load(Ordering::Relaxed) {
            0 => {
                let fresh = NEXT.fetch_add(1, Ordering::Relaxed);
                // Another thread of the child may have been first.
                let first = number.compare_exchange(0, fresh, Ordering::Relaxed, Ordering::Relaxed);
                Some(first.map_or_else(|other| other, |_| fresh))
            }
            known => Some(known),
        }
    }

    #[cold]
    fn map() -> *mut AtomicU64 {
        // At least a page of every size in use; the kernel rounds up.
        const LEN: usize = 1;
        let (rights, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new private mapping, whose address the kernel chooses, and advice on it alone.
        let page = unsafe {
            let page = libc::mmap(null_mut(), LEN, rights, kind, -1, 0);
            let marked = page != libc::MAP_FAILED && libc::madvise(page, LEN, libc::MADV_WIPEONFORK) == 0;
            if marked { page.cast() } else { (&raw const NONE).cast_mut() }
        };
        match PAGE.compare_exchange(null_mut(), page, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => {
                // SAFETY: the handler stores to an atomic that lives for ever, which is allowed after a fork. If there
                // is no room for it, the mark alone has to do.
                unsafe { libc::pthread_atfork(None, None, Some(wipe)) };
                page
            }
            // Another thread was first: its page counts, and ours, which nobody knows, stays mapped.
            Err(other) => other,
        }
    }
    /// Runs in a child that `fork` made.
    extern "C" fn wipe() {
        let page = PAGE.load(Ordering::Acquire);
        if !core::ptr::eq(page, &NONE) {
            // SAFETY: not null, since this handler was registered after the page was stored; never unmapped.
            unsafe { &*page }.store(0, Ordering::Relaxed);
        }
    }
}
