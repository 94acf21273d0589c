//! Timing that can be trusted on a busy machine. It measures CPU time, interleaves the candidates in random order in
//! each round, and runs a probe around every few samples, which shows how fast the core ran and whether other processes
//! used it.
//!
//! Times are in nanoseconds. Clock rates are in cycles per nanosecond (GHz).

use crate::timing::counter::Counter;
use crate::timing::random::Random;
use crate::timing::statistics::median;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use std::arch::asm;

/// The clock that measures a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The CPU time of this thread. Reading it costs about half a microsecond, so a sample must be much longer.
    Thread,
    /// The CPU time of all threads of this process.
    Process,
    /// The wall clock.
    Wall,
}

impl Clock {
    /// The current time in nanoseconds since an arbitrary moment.
    ///
    /// # Panics
    /// Panics if the system has no such clock.
    #[cfg(unix)]
    #[must_use]
    pub fn now(self) -> u64 {
        let id = match self {
            Clock::Thread => libc::CLOCK_THREAD_CPUTIME_ID,
            Clock::Process => libc::CLOCK_PROCESS_CPUTIME_ID,
            Clock::Wall => libc::CLOCK_MONOTONIC,
        };
        let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `t` is valid for writing the result, and these clocks exist on every Linux.
        let failed = unsafe { libc::clock_gettime(id, &raw mut t) };
        assert_eq!(failed, 0, "the system has no {self:?} clock");
        t.tv_sec as u64 * 1_000_000_000 + t.tv_nsec as u64
    }

    /// The current time in nanoseconds since an arbitrary moment. This is always wall-clock time, because Windows
    /// updates the CPU time of a thread only 64 times per second.
    #[cfg(not(unix))]
    #[must_use]
    pub fn now(self) -> u64 {
        static START: std::sync::LazyLock<std::time::Instant> =
            std::sync::LazyLock::new(std::time::Instant::now);
        START.elapsed().as_nanos() as u64
    }
}

/// Clears the upper halves of the vector registers. Some peers leave them in use. On some cores, instructions with SSE
/// encoding, which include SHA-NI, then have to merge with the upper halves and take twice as long, which would slow
/// down the next candidate.
fn clear_upper_halves() {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx") {
        // SAFETY: AVX was just detected, and the calling convention lets any function clear these halves.
        unsafe { std::arch::x86_64::_mm256_zeroupper() };
    }
}

/// The duration of one sample in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The duration according to the candidate's clock.
    pub ns: u64,
    /// The duration according to the wall clock.
    pub wall: u64,
}

/// Times `repeats` calls.
pub fn sample(clock: Clock, repeats: u64, mut run: impl FnMut()) -> Sample {
    clear_upper_halves();
    let (start, start_wall) = (clock.now(), Clock::Wall.now());
    (0..repeats).for_each(|_| run());
    let (end_wall, end) = (Clock::Wall.now(), clock.now());
    Sample { ns: end.saturating_sub(start), wall: end_wall.saturating_sub(start_wall) }
}

/// The divisor for a rate: at least 1 ns, in case the clock stood still or went back.
fn at_least_one(ns: u64) -> f64 {
    ns.max(1) as f64
}

/// The CPU time of `repeats` calls, in nanoseconds.
pub fn time(repeats: u64, run: impl FnMut()) -> u64 {
    sample(Clock::Thread, repeats, run).ns
}

/// Something to measure.
pub struct Candidate<'a> {
    sample: Box<dyn FnMut(u64) -> Sample + 'a>,
}

impl<'a> Candidate<'a> {
    /// A candidate that runs in this thread. One call of `run` is one operation.
    pub fn here(run: impl FnMut() + 'a) -> Self {
        Self::by(Clock::Thread, run)
    }

    /// A candidate for which one call of `run` is one operation.
    pub fn by(clock: Clock, mut run: impl FnMut() + 'a) -> Self {
        Self { sample: Box::new(move |repeats| sample(clock, repeats, &mut run)) }
    }

    /// A candidate that measures its own time. `sample` performs this number of operations and returns the nanoseconds.
    pub fn elsewhere(mut sample: impl FnMut(u64) -> u64 + 'a) -> Self {
        Self {
            sample: Box::new(move |repeats| {
                let ns = sample(repeats);
                Sample { ns, wall: ns }
            }),
        }
    }
}

/// The minimum duration of a sample in nanoseconds.
const SAMPLE_NS: f64 = 1e6;

/// The duration of a sample while warming up, in nanoseconds.
const WARM_UP_NS: f64 = SAMPLE_NS / 16.0;

/// Two medians agree if their relative difference is at most this.
const AGREEING_MEDIANS: f64 = 0.03;

/// Runs short samples until two successive medians agree, or until there are ten medians. Returns the number of
/// repetitions of an operation for one sample.
fn warm_up(candidate: &mut Candidate<'_>) -> u64 {
    let mut repeats = 1;
    let mut ns = (candidate.sample)(repeats).ns;
    while (ns as f64) < WARM_UP_NS {
        // Do not increase the number much because of a single short sample.
        let more = repeats as f64 * WARM_UP_NS * 1.1 / ns.max(1) as f64;
        repeats = (more as u64).clamp(repeats + 1, repeats * 8);
        ns = (candidate.sample)(repeats).ns;
    }
    // After a long operation, the candidate is warm; three samples would take too long.
    let samples = if ns as f64 > 4.0 * WARM_UP_NS { 1 } else { 3 };
    let mut typical = || {
        let one = |_| (candidate.sample)(repeats).ns as f64 / repeats as f64;
        median(&(0..samples).map(one).collect::<Vec<_>>())
    };
    let mut last = typical();
    for _ in 1..10 {
        let next = typical();
        let agree = (next / last - 1.0).abs() <= AGREEING_MEDIANS;
        last = next;
        if agree {
            break;
        }
    }
    // 5 % more than a proportional estimate.
    (SAMPLE_NS * 1.05 / last.max(1e-3)).ceil() as u64
}

/// Keeps this thread, and the processes it starts, on one core while this value exists, so that the probe measures the
/// core that is timed.
#[cfg(target_os = "linux")]
pub struct Pinned {
    before: libc::cpu_set_t,
}

/// Pins this thread to its current core. Returns `None` if the system does not allow it.
#[cfg(target_os = "linux")]
#[must_use]
pub fn pin() -> Option<Pinned> {
    // SAFETY: the function has no arguments.
    let core = usize::try_from(unsafe { libc::sched_getcpu() }).ok()?;
    // SAFETY: the sets are bit arrays, for which all zeros is valid.
    let mut sets: [libc::cpu_set_t; 2] = unsafe { std::mem::zeroed() };
    let [before, one] = &mut sets;
    // SAFETY: both sets are of the size given, and CPU_SET checks its bound.
    let failed = unsafe {
        libc::CPU_SET(core, one);
        libc::sched_getaffinity(0, size_of_val(before), before) != 0
            || libc::sched_setaffinity(0, size_of_val(one), one) != 0
    };
    (!failed).then_some(Pinned { before: *before })
}

#[cfg(target_os = "linux")]
impl Drop for Pinned {
    fn drop(&mut self) {
        // SAFETY: the set has the size given. If this fails, the thread stays where it is.
        unsafe { libc::sched_setaffinity(0, size_of_val(&self.before), &raw const self.before) };
    }
}

/// On other systems, the probe measures the core on which it happens to run.
#[cfg(not(target_os = "linux"))]
pub struct Pinned;

/// Does nothing on this system.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn pin() -> Option<Pinned> {
    None
}

// ------------------------------------------------------------------------------------------- the gate

/// A reading of the probe.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// Additions per nanosecond in four independent chains. The rate falls if the core's other hyperthread is busy,
    /// which takes time that no CPU clock shows.
    pub adds: f64,
    /// The core clock in GHz, from one dependent chain. A busy hyperthread does not affect it.
    pub clock: f64,
}

/// Reads the probe, which takes 0.2 ms.
#[must_use]
pub fn probe() -> Reading {
    const ROUNDS: u64 = 10_000;
    let independent = time(1, || four_chains(ROUNDS));
    let dependent = time(1, || one_chain(ROUNDS));
    Reading {
        adds: (ROUNDS * 32) as f64 / at_least_one(independent),
        clock: (ROUNDS * 32) as f64 / at_least_one(dependent),
    }
}

/// The ticks of the time-stamp counter per nanosecond, measured over 10 ms.
#[must_use]
pub fn tsc_ghz() -> Option<f64> {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: every x86-64 CPU has the instruction. A system that forbids it would end the process, but none does.
        let ticks = || unsafe { std::arch::x86_64::_rdtsc() };
        let (start, started) = (ticks(), Clock::Wall.now());
        std::thread::sleep(std::time::Duration::from_millis(10));
        let (end, ended) = (ticks(), Clock::Wall.now());
        Some(end.saturating_sub(start) as f64 / at_least_one(ended.saturating_sub(started)))
    }
    #[cfg(not(target_arch = "x86_64"))]
    None
}

/// Does 32 additions per round, in four chains.
#[cfg(target_arch = "x86_64")]
fn four_chains(rounds: u64) {
    // SAFETY: the assembly only computes on declared registers, and uses no memory and no stack.
    unsafe {
        asm!(
            "2:", ".rept 8", "add {a}, 1", "add {b}, 1", "add {c}, 1", "add {d}, 1", ".endr",
            "dec {n}", "jnz 2b",
            n = inout(reg) rounds => _, a = inout(reg) 0_u64 => _, b = inout(reg) 0_u64 => _,
            c = inout(reg) 0_u64 => _, d = inout(reg) 0_u64 => _, options(nomem, nostack),
        );
    }
}

/// Does 32 additions per round, each dependent on the one before. The operand is a register, because some cores add
/// small constants without executing anything.
#[cfg(target_arch = "x86_64")]
fn one_chain(rounds: u64) {
    // SAFETY: the assembly only computes on declared registers, and uses no memory and no stack.
    unsafe {
        asm!(
            "2:", ".rept 32", "add {a}, {one}", ".endr", "dec {n}", "jnz 2b",
            n = inout(reg) rounds => _, a = inout(reg) 0_u64 => _, one = in(reg) 1_u64,
            options(nomem, nostack),
        );
    }
}

/// Does 32 additions per round, in four chains.
#[cfg(target_arch = "aarch64")]
fn four_chains(rounds: u64) {
    // SAFETY: the assembly only computes on declared registers, and uses no memory and no stack.
    unsafe {
        asm!(
            "2:", ".rept 8", "add {a}, {a}, #1", "add {b}, {b}, #1", "add {c}, {c}, #1", "add {d}, {d}, #1",
            ".endr", "subs {n}, {n}, #1", "b.ne 2b",
            n = inout(reg) rounds => _, a = inout(reg) 0_u64 => _, b = inout(reg) 0_u64 => _,
            c = inout(reg) 0_u64 => _, d = inout(reg) 0_u64 => _, options(nomem, nostack),
        );
    }
}

/// Does 32 additions per round, each dependent on the one before.
#[cfg(target_arch = "aarch64")]
fn one_chain(rounds: u64) {
    // SAFETY: the assembly only computes on declared registers, and uses no memory and no stack.
    unsafe {
        asm!(
            "2:", ".rept 32", "add {a}, {a}, {one}", ".endr", "subs {n}, {n}, #1", "b.ne 2b",
            n = inout(reg) rounds => _, a = inout(reg) 0_u64 => _, one = in(reg) 1_u64,
            options(nomem, nostack),
        );
    }
}

/// On other CPUs, neither probe is exact, so cycle counts are not exact either.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn four_chains(rounds: u64) {
    one_chain(rounds);
}

/// Does additions that the compiler cannot combine.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn one_chain(rounds: u64) {
    (0..32 * rounds).fold(0_u64, |sum, _| std::hint::black_box(sum.wrapping_add(1)));
}

/// A sample is in doubt if the probe is below this fraction of its best value.
const QUIET: f64 = 0.93;

/// A sample is also in doubt if the core's clock before and after it differs by more than this fraction.
const STEADY: f64 = 0.02;

/// The best readings of the probe so far, which are kept for all jobs of a run, and the hardware counter if there is
/// one.
pub struct Gate {
    /// The highest readings, in descending order.
    highest: Vec<f64>,
    counter: Option<Counter>,
}

/// The number of highest readings that are kept. The lowest of them counts as the best value. The clock sometimes
/// jumps, and a single reading that is too high would put every later sample in doubt.
const AGREEING: usize = 5;

impl Default for Gate {
    fn default() -> Self {
        Self { highest: Vec::new(), counter: Counter::open() }
    }
}

impl Gate {
    /// The source of cycle counts.
    #[must_use]
    pub fn cycle_source(&self) -> &'static str {
        if self.counter.is_some() { "hardware counter" } else { "dependent chain" }
    }

    /// Reads the probe, and records the reading.
    pub fn read(&mut self) -> Reading {
        let reading = probe();
        self.note(reading.adds);
        reading
    }

    fn note(&mut self, adds: f64) {
        let place = self.highest.partition_point(|higher| *higher > adds);
        self.highest.insert(place, adds);
        self.highest.truncate(AGREEING);
    }

    /// Returns true if no other process seems to have used the core at this reading.
    #[must_use]
    pub fn is_quiet(&self, adds: f64) -> bool {
        self.highest.last().is_none_or(|best| adds >= QUIET * best)
    }

    /// Runs a function between two readings.
    fn watch<R>(&mut self, run: impl FnOnce() -> R) -> (R, Watched) {
        let before = self.read();
        let count = |counter: &mut Option<Counter>| counter.as_mut().and_then(Counter::read);
        let (start, started) = (count(&mut self.counter), Clock::Thread.now());
        let result = run();
        let (end, ended) = (count(&mut self.counter), Clock::Thread.now());
        let after = self.read();
        let counted =
            start.zip(end).map(|(start, end)| (end - start) as f64 / (ended - started).max(1) as f64);
        let (slow, fast) = (before.clock.min(after.clock), before.clock.max(after.clock));
        let adds = before.adds.min(after.adds);
        let quiet = self.is_quiet(adds) && fast <= slow * (1.0 + STEADY);
        // An interruption makes a reading lower, never higher.
        (result, Watched { adds, clock: counted.unwrap_or(fast), quiet })
    }
}

/// The conclusions from two readings about the time between them.
#[derive(Clone, Copy)]
struct Watched {
    adds: f64,
    clock: f64,
    quiet: bool,
}

/// The number of samples that are taken and repeated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// The number of samples of each candidate.
    pub rounds: usize,
    /// The average number of times that a block of samples may be repeated because other processes used the core.
    pub patience: f64,
}

/// The measurements of one candidate.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Measured {
    /// The nanoseconds per operation, by round.
    pub ns: Vec<f64>,
    /// The core clock in GHz.
    pub clock: f64,
    /// Wall-clock time divided by the time of the candidate's clock.
    pub wall_over_cpu: f64,
    /// True if, in at least half of the rounds, no other process used the core.
    pub quiet: bool,
}

/// The number of samples between two readings of the probe, which take 0.2 ms.
const BLOCK: usize = 8;

/// Times every candidate in every round, in random order. So if the machine is slow for a second, all candidates are
/// affected, and no candidate always runs after the same one.
pub fn interleaved(
    candidates: &mut [Candidate<'_>],
    gate: &mut Gate,
    effort: Effort,
    random: &mut Random,
) -> Vec<Measured> {
    interleaved_while(candidates, gate, effort, random, &mut || true)
}

/// Same as [`interleaved`], but continues after the first round only as long as `go_on` returns true.
pub fn interleaved_while(
    candidates: &mut [Candidate<'_>],
    gate: &mut Gate,
    effort: Effort,
    random: &mut Random,
    go_on: &mut dyn FnMut() -> bool,
) -> Vec<Measured> {
    let repeats: Vec<u64> = candidates.iter_mut().map(warm_up).collect();
    let mut taken: Vec<Vec<(Sample, Watched)>> = vec![Vec::new(); candidates.len()];
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    let blocks = effort.rounds * candidates.len().div_ceil(BLOCK);
    let mut again = (effort.patience * blocks as f64) as usize;
    for round in 0..effort.rounds {
        if round > 0 && !go_on() {
            break;
        }
        random.shuffle(&mut order);
        for block in order.chunks(BLOCK) {
            let mut attempt = || {
                gate.watch(|| block.iter().map(|&i| (candidates[i].sample)(repeats[i])).collect::<Vec<_>>())
            };
            let mut best = attempt();
            while !best.1.quiet && again > 0 {
                again -= 1;
                let next = attempt();
                if next.1.quiet || next.1.adds > best.1.adds {
                    best = next;
                }
            }
            let (samples, watched) = best;
            block.iter().zip(samples).for_each(|(&i, sample)| taken[i].push((sample, watched)));
        }
    }
    taken.iter().zip(repeats).map(|(taken, repeats)| measured(taken, repeats)).collect()
}

fn measured(taken: &[(Sample, Watched)], repeats: u64) -> Measured {
    let sum = |part: fn(&Sample) -> u64| taken.iter().map(|(sample, _)| part(sample)).sum::<u64>() as f64;
    Measured {
        ns: taken.iter().map(|(sample, _)| sample.ns as f64 / repeats as f64).collect(),
        clock: median(&taken.iter().map(|(_, watched)| watched.clock).collect::<Vec<_>>()),
        wall_over_cpu: sum(|s| s.wall) / sum(|s| s.ns).max(1.0),
        quiet: 2 * taken.iter().filter(|(_, watched)| watched.quiet).count() >= taken.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(highest: Vec<f64>) -> Gate {
        Gate { highest, counter: None }
    }

    #[test]
    fn one_reading_that_is_too_high_changes_nothing() {
        let mut gate = gate(Vec::new());
        for adds in [12.8, 12.9, 12.7, 25.0, 8.0, 12.9, 12.8, 12.9] {
            gate.note(adds);
        }
        assert_eq!(gate.highest, [25.0, 12.9, 12.9, 12.9, 12.8]);
        assert!(gate.is_quiet(12.0));
        assert!(!gate.is_quiet(11.0));
    }

    #[test]
    fn rounds_have_one_sample_per_candidate_in_changing_order() {
        let calls = std::cell::RefCell::new(Vec::new());
        let fake = |name: usize, ns: u64| {
            let calls = &calls;
            Candidate::elsewhere(move |repeats| {
                // In rounds, a sample takes at least a millisecond. During the warm-up, it is shorter.
                if ns * repeats >= 1_000_000 {
                    calls.borrow_mut().push(name);
                }
                ns * repeats
            })
        };
        let mut candidates: Vec<_> = (0..3).map(|name| fake(name, 1_000 * (name as u64 + 1))).collect();
        let effort = Effort { rounds: 16, patience: 0.0 };
        let measured = interleaved(&mut candidates, &mut Gate::default(), effort, &mut Random(4));
        drop(candidates);
        for (name, measured) in measured.iter().enumerate() {
            assert_eq!(measured.ns, vec![1_000.0 * (name as f64 + 1.0); 16]);
            assert!(measured.clock > 0.0);
            assert_eq!(measured.wall_over_cpu, 1.0);
        }
        let calls = calls.into_inner();
        let rounds: Vec<Vec<usize>> = calls.chunks(3).map(<[usize]>::to_vec).collect();
        assert_eq!(rounds.len(), 16);
        for round in &rounds {
            let mut round = round.clone();
            round.sort_unstable();
            assert_eq!(round, [0, 1, 2]);
        }
        assert!(rounds.iter().any(|round| *round != rounds[0]));
    }

    #[test]
    fn blocks_in_doubt_are_measured_again_as_often_as_patience_allows() {
        // The best reading is infinite, so every block is in doubt.
        let mut gate = gate(vec![f64::INFINITY; AGREEING]);
        let mut long = 0;
        let mut candidates = [Candidate::elsewhere(|repeats| {
            long += u64::from(repeats >= 1_000);
            1_000 * repeats
        })];
        let effort = Effort { rounds: 6, patience: 0.5 };
        let measured = interleaved(&mut candidates, &mut gate, effort, &mut Random(4));
        drop(candidates);
        assert_eq!((measured[0].ns.len(), measured[0].quiet, long), (6, false, 6 + 3));
    }

    #[test]
    fn rounds_end_when_there_is_no_more_time_but_one_is_always_taken() {
        for (time, rounds) in [(0, 1), (3, 4), (100, 15)] {
            let mut candidates = [1_000, 2_000].map(|ns| Candidate::elsewhere(move |repeats| ns * repeats));
            let mut left = time;
            let mut go_on = || {
                left -= 1;
                left >= 0
            };
            let effort = Effort { rounds: 15, patience: 0.0 };
            let (gate, random) = (&mut Gate::default(), &mut Random(4));
            let measured = interleaved_while(&mut candidates, gate, effort, random, &mut go_on);
            assert_eq!(measured.iter().map(|m| m.ns.len()).collect::<Vec<_>>(), [rounds; 2]);
        }
    }

    #[test]
    fn a_sample_lasts_a_millisecond_once_two_medians_agree() {
        let lasting = |ns: &mut dyn FnMut() -> u64| {
            let mut candidate = Candidate::elsewhere(|repeats| ns() * repeats);
            warm_up(&mut candidate)
        };
        assert_eq!(lasting(&mut || 1_000), 1_050);
        assert_eq!(lasting(&mut || 3_000_000), 1);
        // Each call takes a fifth less time than the one before, down to a tenth of the initial time.
        let mut ns = 10_000;
        let mut warming = || {
            ns = (ns * 4 / 5).max(1_000);
            ns
        };
        assert_eq!(lasting(&mut warming), 1_050);
    }
}
