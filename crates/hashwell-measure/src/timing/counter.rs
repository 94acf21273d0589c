//! The hardware's counter of core cycles, where the system lends it: most virtual machines have none.

use std::fs::File;
use std::io::Read;
#[cfg(target_os = "linux")]
use std::os::fd::FromRawFd;

/// Core cycles of this thread in user mode.
pub(crate) struct Counter(File);

impl Counter {
    /// Starts counting, if there is a counter and we may use it.
    #[cfg(target_os = "linux")]
    #[must_use]
    pub(crate) fn open() -> Option<Self> {
        /// Bytes of `struct perf_event_attr` in its first version, which every kernel reads.
        const SIZE: u64 = 64;
        const HARDWARE: u64 = 0;
        const CPU_CYCLES: u64 = 0;
        /// The bits `exclude_kernel` and `exclude_hv`.
        const USER_ONLY: u64 = 1 << 5 | 1 << 6;
        let attributes: [u64; 8] = [HARDWARE | SIZE << 32, CPU_CYCLES, 0, 0, 0, USER_ONLY, 0, 0];
        let (this_thread, any_core, no_group, close_on_exec) = (0, -1, -1, 8_u64);
        // SAFETY: the structure has the size that it names, and the kernel only reads it.
        let file = unsafe {
            libc::syscall(
                libc::SYS_perf_event_open,
                attributes.as_ptr(),
                this_thread,
                any_core,
                no_group,
                close_on_exec,
            )
        };
        let file = i32::try_from(file).ok().filter(|file| *file >= 0)?;
        // SAFETY: the kernel just made this descriptor for us.
        let mut counter = Self(unsafe { File::from_raw_fd(file) });
        // Some virtual machines let it be opened and count nothing.
        let before = counter.read()?;
        for n in 0..1000 {
            std::hint::black_box(n);
        }
        (counter.read()? > before).then_some(counter)
    }

    /// Nothing is known of other systems.
    #[cfg(not(target_os = "linux"))]
    #[must_use]
    pub(crate) fn open() -> Option<Self> {
        None
    }

    /// Cycles so far.
    pub(crate) fn read(&mut self) -> Option<u64> {
        let mut count = [0; 8];
        self.0.read_exact(&mut count).ok()?;
        Some(u64::from_ne_bytes(count))
    }
}
