//! A counter for times of about a microsecond: the CPU's own counter if programs may read it,
//! otherwise the clock of the standard library. The length of a tick differs by a factor of 100
//! between systems.

#[cfg(feature = "std")]
use std::time::Instant as Clock;

/// A type for targets without a clock. Nothing is measured there, but the code must compile.
#[cfg(not(feature = "std"))]
#[derive(Clone, Copy)]
struct Clock;

#[cfg(not(feature = "std"))]
impl Clock {
    fn now() -> Self {
        Self
    }

    fn elapsed(self) -> core::time::Duration {
        core::time::Duration::ZERO
    }
}

#[cfg(all(target_arch = "x86_64", not(target_env = "sgx")))]
mod counter {
    #[derive(Clone, Copy)]
    pub(super) struct Moment(u64);

    impl Moment {
        /// Reads the counter, after all previous instructions have ended and before any later
        /// instruction starts.
        #[allow(unsafe_code)] // reads the counter
        #[inline(always)]
        pub(super) fn now() -> Self {
            let (low, high): (u64, u64);
            // SAFETY: the assembly reads a counter into two registers and does not use the stack or memory. `nomem` is
            // omitted so that the compiler moves no memory access across it.
            unsafe {
                core::arch::asm!("lfence", "rdtsc", "lfence", out("rax") low, out("rdx") high, options(nostack));
            }
            Self(high << 32 | low)
        }

        #[inline(always)]
        pub(super) fn ticks(self) -> u64 {
            Self::now().0.wrapping_sub(self.0)
        }
    }
}

/// These systems let every program read the virtual counter.
#[cfg(all(
    target_arch = "aarch64",
    any(target_os = "linux", target_os = "android", target_vendor = "apple")
))]
mod counter {
    #[derive(Clone, Copy)]
    pub(super) struct Moment(u64);

    impl Moment {
        /// Reads the counter, after all previous instructions have ended and before any later
        /// instruction starts.
        #[allow(unsafe_code)] // reads the counter
        #[inline(always)]
        pub(super) fn now() -> Self {
            let ticks: u64;
            // SAFETY: the assembly reads a counter into a register and does not use the stack or memory. `nomem` is
            // omitted so that the compiler moves no memory access across it.
            unsafe {
                core::arch::asm!("isb", "mrs {}, cntvct_el0", "isb", out(reg) ticks, options(nostack));
            }
            Self(ticks)
        }

        #[inline(always)]
        pub(super) fn ticks(self) -> u64 {
            Self::now().0.wrapping_sub(self.0)
        }
    }
}

#[cfg(not(any(
    all(target_arch = "x86_64", not(target_env = "sgx")),
    all(target_arch = "aarch64", any(target_os = "linux", target_os = "android", target_vendor = "apple"))
)))]
mod counter {
    use super::Clock;

    #[derive(Clone, Copy)]
    pub(super) struct Moment(Clock);

    impl Moment {
        pub(super) fn now() -> Self {
            Self(Clock::now())
        }

        /// Returns nanoseconds.
        pub(super) fn ticks(self) -> u64 {
            self.0.elapsed().as_nanos() as u64
        }
    }
}

use counter::Moment;

/// Returns the number of ticks that `run` takes, including the time to read the counter.
#[inline(always)]
pub(crate) fn of(run: impl FnOnce()) -> u64 {
    let start = Moment::now();
    run();
    start.ticks()
}

/// A time interval in ticks and in nanoseconds.
pub(crate) struct Watch {
    started: Clock,
    moment: Moment,
}

impl Watch {
    pub(crate) fn start() -> Self {
        Self { started: Clock::now(), moment: Moment::now() }
    }

    /// Returns the nanoseconds since the start, and the ticks per microsecond.
    pub(crate) fn stop(&self) -> (u64, f64) {
        let (ticks, elapsed) = (self.moment.ticks(), self.started.elapsed());
        (elapsed.as_nanos() as u64, ticks as f64 / (elapsed.as_secs_f64() * 1e6).max(1e-3))
    }
}
