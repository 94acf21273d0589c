//! The clock of the leak test. The CPU's counter where it can be read from user mode; elsewhere the CPU time of the
//! thread, over many runs with the same secret.

use crate::timing::clock::{self, probe, time};
use crate::timing::statistics::median;

/// A sample by the thread's clock lasts at least this many nanoseconds, a hundred times what reading it costs.
const THREAD_SAMPLE_NS: u64 = 50_000;

/// What measures, and how its ticks become core cycles.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    counter: bool,
    core_ghz: f64,
    ticks_per_ns: f64,
}

impl Clock {
    /// The finest clock of this CPU; calibrated in a few hundredths of a second.
    #[must_use]
    pub fn new() -> Self {
        let core_ghz = median(&(0..9).map(|_| probe().clock).collect::<Vec<_>>());
        let counter_ghz = clock::tsc_ghz();
        Self { counter: counter_ghz.is_some(), core_ghz, ticks_per_ns: counter_ghz.unwrap_or(1.0) }
    }

    /// The thread's clock, which exists everywhere.
    #[must_use]
    pub fn thread() -> Self {
        Self { counter: false, ticks_per_ns: 1.0, ..Self::new() }
    }

    /// What it is, for people.
    #[must_use]
    pub fn name(&self) -> &'static str {
        if self.counter { "time-stamp counter, between fences" } else { "CPU time of the thread, many runs" }
    }

    /// Core clock, GHz.
    #[must_use]
    pub fn core_ghz(&self) -> f64 {
        self.core_ghz
    }

    /// Ticks in a nanosecond.
    #[must_use]
    pub fn ticks_per_ns(&self) -> f64 {
        self.ticks_per_ns
    }

    /// Runs in one sample.
    pub(crate) fn repeats(&self, mut run: impl FnMut()) -> u64 {
        let mut repeats = 1;
        while !self.counter && time(repeats, &mut run) < THREAD_SAMPLE_NS {
            repeats *= 2;
        }
        repeats
    }

    /// Core cycles of one run in a tick of a sample.
    pub(crate) fn cycles_per_tick(&self, repeats: u64) -> f64 {
        self.core_ghz / self.ticks_per_ns / repeats as f64
    }

    /// Ticks of a sample.
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

/// The time-stamp counter. Fences keep what is measured from starting before and ending after.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn counter() -> u64 {
    let (low, high): (u64, u64);
    // SAFETY: reads a counter into two registers; no memory, no stack. Memory is not declared untouched, so that the
    // compiler moves nothing across either.
    unsafe {
        std::arch::asm!("lfence", "rdtsc", "lfence", out("rax") low, out("rdx") high, options(nostack));
    }
    high << 32 | low
}

/// The counters of other CPUs are coarse, or closed to programs.
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
            let least = |n| (0..50).map(|_| clock.sample(repeats, work(n))).min().unwrap();
            assert!(least(20_000) > 5 * least(1000), "{}", clock.name());
            assert!(clock.cycles_per_tick(repeats) > 0.0 && clock.ticks_per_ns() > 0.1);
        }
    }
}
