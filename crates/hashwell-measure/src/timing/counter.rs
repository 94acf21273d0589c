//! The CPU's event counters, if the system gives access to them. Many virtual machines don't have any.

use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{Error, Read};
#[cfg(target_os = "linux")]
use std::os::fd::FromRawFd;

/// An event, with its number in `perf_event_open`.
#[derive(Clone, Copy)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code))] // there, nothing is counted
pub(crate) enum Event {
    Cycles = 0,
    Instructions = 1,
    CacheMisses = 3,
    BranchMisses = 5,
}

/// Events in user mode per call: means over all calls.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PerCall {
    /// Core cycles.
    pub cycles: f64,
    /// Retired instructions.
    pub instructions: Option<f64>,
    /// Misses of the last-level cache, or the closest event that the CPU counts.
    pub cache_misses: Option<f64>,
    /// Mispredicted branches.
    pub branch_misses: Option<f64>,
}

impl PerCall {
    /// Instructions per cycle.
    #[must_use]
    pub fn instructions_per_cycle(&self) -> Option<f64> {
        self.instructions.filter(|_| self.cycles > 0.0).map(|instructions| instructions / self.cycles)
    }
}

/// A counter for an event of this thread in user mode.
pub(crate) struct Counter(File);

/// A reading of a counter: the count, and the nanoseconds for which the counter was enabled and for which it ran.
#[derive(Clone, Copy)]
struct Shown {
    count: u64,
    enabled: u64,
    running: u64,
}

impl Counter {
    /// Starts counting core cycles, if there is a counter and this process may use it.
    #[must_use]
    pub(crate) fn open() -> Option<Self> {
        let mut counter = Self::of(Event::Cycles).ok()?;
        counter.is_counting().then_some(counter)
    }

    /// Starts counting an event.
    #[cfg(target_os = "linux")]
    fn of(event: Event) -> Result<Self, Error> {
        /// The size of the first version of `struct perf_event_attr` in bytes, which every kernel accepts.
        const SIZE: u64 = 64;
        const HARDWARE: u64 = 0;
        /// Each reading also has the time enabled and the time running.
        const TIMES: u64 = 0b11;
        /// The bits `exclude_kernel` and `exclude_hv`.
        const USER_ONLY: u64 = 1 << 5 | 1 << 6;
        let attributes: [u64; 8] = [HARDWARE | SIZE << 32, event as u64, 0, 0, TIMES, USER_ONLY, 0, 0];
        let (this_thread, any_core, no_group, close_on_exec) = (0, -1, -1, 8_u64);
        // SAFETY: the structure has the size that it states, and the kernel only reads it.
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
        match i32::try_from(file) {
            // SAFETY: the kernel has just created this descriptor for this process.
            Ok(file) if file >= 0 => Ok(Self(unsafe { File::from_raw_fd(file) })),
            _ => Err(Error::last_os_error()),
        }
    }

    /// Other systems are not supported.
    #[cfg(not(target_os = "linux"))]
    fn of(_: Event) -> Result<Self, Error> {
        Err(std::io::ErrorKind::Unsupported.into())
    }

    /// Returns false for virtual machines that allow a counter to be opened but count nothing.
    fn is_counting(&mut self) -> bool {
        let Some(before) = self.read() else { return false };
        for n in 0..1000 {
            std::hint::black_box(n);
        }
        self.read().is_some_and(|after| after > before)
    }

    /// The count until now.
    pub(crate) fn read(&mut self) -> Option<u64> {
        self.show().map(|shown| shown.count)
    }

    fn show(&mut self) -> Option<Shown> {
        let mut words = [[0; 8]; 3];
        self.0.read_exact(words.as_flattened_mut()).ok()?;
        let [count, enabled, running] = words.map(u64::from_ne_bytes);
        Some(Shown { count, enabled, running })
    }
}

/// The number of events between two readings. The count is scaled up if the counter shared the hardware with others.
fn between(before: Shown, after: Shown) -> Option<f64> {
    let delta = |of: fn(&Shown) -> u64| of(&after).saturating_sub(of(&before)) as f64;
    let (count, enabled, running) = (delta(|s| s.count), delta(|s| s.enabled), delta(|s| s.running));
    (running > 0.0).then(|| count * enabled / running)
}

/// The counters of one thread: core cycles, and those of the other events that the CPU supports.
pub(crate) struct Counters {
    cycles: Counter,
    others: [Option<Counter>; 3],
}

impl Counters {
    /// Opens the counters.
    ///
    /// # Errors
    /// Returns the reason in one line if there are none.
    pub(crate) fn open() -> Result<Self, String> {
        let mut cycles = Counter::of(Event::Cycles).map_err(|error| reason(&error))?;
        if !cycles.is_counting() {
            return Err("the counter of core cycles does not advance, as in some virtual machines".into());
        }
        let others = [Event::Instructions, Event::CacheMisses, Event::BranchMisses];
        Ok(Self { cycles, others: others.map(|event| Counter::of(event).ok()) })
    }

    /// Counts the events of this number of calls.
    pub(crate) fn per_call(&mut self, calls: u64, call: &mut impl FnMut()) -> Option<PerCall> {
        let show = |all: &mut Self| {
            let others = all.others.each_mut();
            (all.cycles.show(), others.map(|counter| counter.as_mut().and_then(Counter::show)))
        };
        let before = show(self);
        (0..calls).for_each(|_| call());
        let after = show(self);
        let per_call = |before: Option<Shown>, after: Option<Shown>| {
            before.zip(after).and_then(|(before, after)| Some(between(before, after)? / calls as f64))
        };
        let [instructions, cache_misses, branch_misses] =
            [0, 1, 2].map(|at| per_call(before.1[at], after.1[at]));
        Some(PerCall { cycles: per_call(before.0, after.0)?, instructions, cache_misses, branch_misses })
    }
}

/// The reason why `perf_event_open` failed: the system's message, and the setting that decides about access.
fn reason(error: &Error) -> String {
    let words = error.to_string();
    let words = words.split(" (os error").next().unwrap_or_default();
    #[cfg(target_os = "linux")]
    match error.raw_os_error() {
        Some(libc::EACCES | libc::EPERM) => {
            let paranoid = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid");
            let paranoid = paranoid.map_or_else(|_| "unknown".into(), |text| text.trim().to_owned());
            return format!(
                "perf_event_open: {words} (/proc/sys/kernel/perf_event_paranoid is {paranoid}; if it is at most \
                 2, programs can count their own events, unless a container forbids it)"
            );
        }
        Some(libc::ENOENT | libc::ENODEV | libc::EOPNOTSUPP) => {
            return format!("perf_event_open: {words} (the CPU, or this virtual machine, has no counter)");
        }
        _ => {}
    }
    format!("perf_event_open: {words}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_ran_half_of_the_time_is_doubled() {
        let shown = |count, enabled, running| Shown { count, enabled, running };
        assert_eq!(between(shown(100, 10, 10), shown(300, 30, 20)), Some(400.0));
        assert_eq!(between(shown(100, 10, 10), shown(300, 30, 30)), Some(200.0));
        assert_eq!(between(shown(100, 10, 10), shown(100, 30, 10)), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn reasons_name_the_setting_or_the_machine() {
        let of = |code| reason(&Error::from_raw_os_error(code));
        let refused = of(libc::EACCES);
        assert!(
            refused
                .starts_with("perf_event_open: Permission denied (/proc/sys/kernel/perf_event_paranoid is ")
        );
        assert!(of(libc::ENOENT).contains("has no counter"));
        assert_eq!(of(libc::ENOSYS), "perf_event_open: Function not implemented");
    }

    /// Counters work if the system has them; otherwise there is a reason.
    #[test]
    fn more_work_has_more_cycles_or_there_is_a_reason() {
        let work = |n: u64| {
            for i in 0..n {
                std::hint::black_box(i);
            }
        };
        match Counters::open() {
            Ok(mut counters) => {
                let few = counters.per_call(10, &mut || work(1000)).unwrap().cycles;
                let many = counters.per_call(10, &mut || work(100_000)).unwrap().cycles;
                assert!(many > 10.0 * few, "{few} {many}");
            }
            Err(reason) => assert!(!reason.is_empty() && !reason.contains('\n'), "{reason}"),
        }
    }
}
