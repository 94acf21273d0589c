//! Detects whether the current process is still the one in which a generator was seeded.
//!
//! On Linux, one page of memory is marked so that the kernel zeroes it in every child process.
//! MADV_WIPEONFORK also covers a bare `clone`. The page contains a number that grows from parent to
//! child. Some emulators accept the mark and ignore it, so a handler of `fork` also wipes the page.
//! On other systems, and on kernels without this mark, the process id is used instead, although
//! process ids can repeat after many processes. WebAssembly has no processes and no process ids:
//! asking for one panics there.

/// Returns a number that differs between a process and all its ancestors.
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

    /// The page that contains the number, or `NONE` if it cannot be mapped. There is no lock,
    /// because a child could inherit it locked.
    static PAGE: AtomicPtr<AtomicU64> = AtomicPtr::new(null_mut());
    static NONE: AtomicU64 = AtomicU64::new(0);

    /// The next number. It is in ordinary memory, so a child continues from the value of its
    /// parent.
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
        // SAFETY: `PAGE` contains the address of `NONE` or of a page that is never unmapped. A page of zeros is a valid
        // number.
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
        // The length is rounded up to a page by the kernel.
        const LEN: usize = 1;
        let (rights, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: this maps a new private page, whose address the kernel chooses, and gives advice only about this
        // page.
        let page = unsafe {
            let page = libc::mmap(null_mut(), LEN, rights, kind, -1, 0);
            let marked = page != libc::MAP_FAILED && libc::madvise(page, LEN, libc::MADV_WIPEONFORK) == 0;
            if marked { page.cast() } else { (&raw const NONE).cast_mut() }
        };
        match PAGE.compare_exchange(null_mut(), page, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => {
                // SAFETY: the handler stores to an atomic that is never freed, which is allowed after a fork. If there
                // is no memory for the handler, only the mark wipes the page.
                unsafe { libc::pthread_atfork(None, None, Some(wipe)) };
                page
            }
            // Another thread was first. Its page is used, and this page stays mapped without being
            // used.
            Err(other) => other,
        }
    }
    /// Runs in a child process that `fork` made.
    extern "C" fn wipe() {
        let page = PAGE.load(Ordering::Acquire);
        if !core::ptr::eq(page, &NONE) {
            // SAFETY: `PAGE` is not null, because this handler is registered after the page was stored, and the page is
            // never unmapped.
            unsafe { &*page }.store(0, Ordering::Relaxed);
        }
    }
}
