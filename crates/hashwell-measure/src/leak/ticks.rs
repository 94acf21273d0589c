//! The clock of the leak test: the CPU's counter if it can be read in user mode, or else the CPU time of the thread
//! over many runs with the same secret.

use crate::timing::clock::{self, probe, time};
use crate::timing::statistics::median;

/// The minimum duration in nanoseconds of a sample with the thread's clock. It is a hundred times the cost of reading
/// the clock.
const THREAD_SAMPLE_NS: u64 = 50_000;

/// A clock, and the conversion from its ticks to core cycles.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    counter: bool,
    core_ghz: f64,
    ticks_per_ns: f64,
}

impl Clock {
    /// The most precise clock of this CPU. Calibrating it takes a few hundredths of a second.
    #[must_use]
    pub fn new() -> Self {
        let core_ghz = median(&(0..9).map(|_| probe().clock).collect::<Vec<_>>());
        let counter_ghz = clock::tsc_ghz();
        Self { counter: counter_ghz.is_some(), core_ghz, ticks_per_ns: counter_ghz.unwrap_or(1.0) }
    }

    /// The thread's CPU-time clock, which is always available.
    #[must_use]
    pub fn thread() -> Self {
        Self { counter: false, ticks_per_ns: 1.0, ..Self::new() }
    }

    /// The name of the clock, for people.
    #[must_use]
    pub fn name(&self) -> &'static str {
        if self.counter {
            "time-stamp counter, between fences"
        } else {
            "CPU time of the thread over many runs"
        }
    }

    /// The core clock in GHz.
    #[must_use]
    pub fn core_ghz(&self) -> f64 {
        self.core_ghz
    }

    /// The number of ticks per nanosecond.
    #[must_use]
    pub fn ticks_per_ns(&self) -> f64 {
        self.ticks_per_ns
    }

    /// The number of runs in one sample.
    pub(crate) fn repeats(&self, mut run: impl FnMut()) -> u64 {
        let mut repeats = 1;
        while !self.counter && time(repeats, &mut run) < THREAD_SAMPLE_NS {
            repeats *= 2;
        }
        repeats
    }

    /// The number of core cycles of one run per tick of a sample.
    pub(crate) fn cycles_per_tick(&self, repeats: u64) -> f64 {
        self.core_ghz / self.ticks_per_ns / repeats as f64
    }

    /// The duration of a sample in ticks.
    pub(crate) fn sample(&self, repeats: u64, mut run: impl FnMut()) -> u64 {
        let now = || if self.counter { counter() } else { clock::Clock::Thread.now() };
        let start = now();
        (0..repeats).for_each(|_| run());
        now().wrapping_sub(start)
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::new()
    }
}

/// Reads the time-stamp counter. The fences keep the measured code from starting before or ending after it.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn counter() -> u64 {
    let (low, high): (u64, u64);
    // SAFETY: the assembly reads a counter into two registers, and uses no memory and no stack. The assembly is not
    // marked `nomem`, so that the compiler moves no memory access across it.
    unsafe {
        std::arch::asm!("lfence", "rdtsc", "lfence", out("rax") low, out("rdx") high, options(nostack));
    }
    high << 32 | low
}

/// Other CPUs have counters that are too coarse, or that programs may not read.
#[cfg(not(target_arch = "x86_64"))]
fn counter() -> u64 {
    clock::Clock::Thread.now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_work_has_more_ticks_on_either_clock() {
        for clock in [Clock::new(), Clock::thread()] {
            let work =
                |n: u64| move || assert!((0..n).fold(0_u64, |a, b| std::hint::black_box(a ^ b)) < 1 << 32);
            let repeats = clock.repeats(work(100));
            // Runs the short and the long work in turn, so that other work on the machine slows down both.
            let mut least = [u64::MAX; 2];
            for _ in 0..50 {
                for (least, n) in least.iter_mut().zip([1000, 20_000]) {
                    *least = clock.sample(repeats, work(n)).min(*least);
                }
            }
            assert!(least[1] > 5 * least[0], "{}: {least:?}", clock.name());
            assert!(clock.cycles_per_tick(repeats) > 0.0 && clock.ticks_per_ns() > 0.1);
        }
    }
}
