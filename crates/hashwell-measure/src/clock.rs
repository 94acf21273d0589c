//! Timing that can be trusted on a busy machine: thread CPU time, candidates interleaved round by round,
//! medians, ratios paired within a round, and a probe that says when somebody else used our core.
//!
//! Times are nanoseconds of CPU time of this thread alone. Clocks are cycles per nanosecond (GHz).

use crate::statistics::median;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use std::arch::asm;

/// CPU time of this thread in nanoseconds. A call costs about half a microsecond, so a sample must be
/// much longer.
///
/// # Panics
/// If the system has no such clock.
#[must_use]
pub fn thread_cpu_ns() -> u64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `t` is a valid place for the result, and the clock exists on every Linux.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut t) };
    assert_eq!(failed, 0, "no thread CPU clock");
    t.tv_sec as u64 * 1_000_000_000 + t.tv_nsec as u64
}

/// Clears the upper halves of the vector registers. Some peers leave them in use, after which instructions
/// of the SSE encoding, SHA-NI among them, merge with them and take twice the time on some cores: whoever
/// came next would pay.
fn clear_upper_halves() {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx") {
        // SAFETY: AVX was just detected; the calling convention lets any function clear these halves.
        unsafe { std::arch::x86_64::_mm256_zeroupper() };
    }
}

/// CPU time of `repeats` calls, in nanoseconds.
pub fn time(repeats: u64, mut run: impl FnMut()) -> u64 {
    clear_upper_halves();
    let start = thread_cpu_ns();
    (0..repeats).for_each(|_| run());
    thread_cpu_ns() - start
}

/// Something to time.
pub struct Candidate<'a> {
    sample: Box<dyn FnMut(u64) -> u64 + 'a>,
}

impl<'a> Candidate<'a> {
    /// One call of `run` is one operation.
    pub fn here(mut run: impl FnMut() + 'a) -> Self {
        Self { sample: Box::new(move |repeats| time(repeats, &mut run)) }
    }

    /// Timed by somebody else: `sample` does that many operations and gives their nanoseconds.
    pub fn elsewhere(sample: impl FnMut(u64) -> u64 + 'a) -> Self {
        Self { sample: Box::new(sample) }
    }
}

/// A sample lasts at least this many nanoseconds.
const SAMPLE_NS: u64 = 1_000_000;

/// How often to run an operation for one sample; finding out warms it up too.
fn repeats(candidate: &mut Candidate<'_>) -> u64 {
    let mut repeats = 1;
    loop {
        let ns = (candidate.sample)(repeats);
        if ns >= SAMPLE_NS {
            return repeats;
        }
        // A tenth more than proportion asks for, and never far on the word of one short sample.
        repeats = (repeats * SAMPLE_NS * 11 / (10 * ns.max(1))).clamp(repeats + 1, repeats * 8);
    }
}

/// Keeps this thread, and processes it starts, on one core while it lives, so that the probe speaks of
/// the core that is timed.
#[cfg(target_os = "linux")]
pub struct Pinned {
    before: libc::cpu_set_t,
}

/// Pins to the core that this thread is on; nothing where the system does not let it.
#[cfg(target_os = "linux")]
#[must_use]
pub fn pin() -> Option<Pinned> {
    // SAFETY: no arguments.
    let core = usize::try_from(unsafe { libc::sched_getcpu() }).ok()?;
    // SAFETY: a set of bits, for which all zeros is valid.
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
        // SAFETY: the set is of the size given. If it fails, the thread stays where it is.
        unsafe { libc::sched_setaffinity(0, size_of_val(&self.before), &raw const self.before) };
    }
}

/// Elsewhere the probe speaks of some core.
#[cfg(not(target_os = "linux"))]
pub struct Pinned;

/// Does nothing here.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn pin() -> Option<Pinned> {
    None
}

// ------------------------------------------------------------------------------------------- the gate

/// What the core gave for a moment.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// Additions per nanosecond of four independent chains. It falls when the core's other hyperthread is
    /// busy, which steals time that no CPU clock shows.
    pub adds: f64,
    /// Core clock in GHz, of one dependent chain; a neighbour does not change it.
    pub clock: f64,
}

/// Reads the probe; 0.2 ms.
#[must_use]
pub fn probe() -> Reading {
    const ROUNDS: u64 = 10_000;
    let independent = time(1, || four_chains(ROUNDS));
    let dependent = time(1, || one_chain(ROUNDS));
    Reading {
        adds: (ROUNDS * 32) as f64 / independent as f64,
        clock: (ROUNDS * 32) as f64 / dependent as f64,
    }
}

/// 32 additions a round, in four chains.
#[cfg(target_arch = "x86_64")]
fn four_chains(rounds: u64) {
    // SAFETY: arithmetic on registers that are declared; no memory, no stack.
    unsafe {
        asm!(
            "2:", ".rept 8", "add {a}, 1", "add {b}, 1", "add {c}, 1", "add {d}, 1", ".endr",
            "dec {n}", "jnz 2b",
            n = inout(reg) rounds => _, a = inout(reg) 0_u64 => _, b = inout(reg) 0_u64 => _,
            c = inout(reg) 0_u64 => _, d = inout(reg) 0_u64 => _, options(nomem, nostack),
        );
    }
}

/// 32 additions a round, each waiting for the one before. The operand is a register, because some cores
/// add small constants without executing anything.
#[cfg(target_arch = "x86_64")]
fn one_chain(rounds: u64) {
    // SAFETY: arithmetic on registers that are declared; no memory, no stack.
    unsafe {
        asm!(
            "2:", ".rept 32", "add {a}, {one}", ".endr", "dec {n}", "jnz 2b",
            n = inout(reg) rounds => _, a = inout(reg) 0_u64 => _, one = in(reg) 1_u64,
            options(nomem, nostack),
        );
    }
}

/// 32 additions a round, in four chains.
#[cfg(target_arch = "aarch64")]
fn four_chains(rounds: u64) {
    // SAFETY: arithmetic on registers that are declared; no memory, no stack.
    unsafe {
        asm!(
            "2:", ".rept 8", "add {a}, {a}, #1", "add {b}, {b}, #1", "add {c}, {c}, #1", "add {d}, {d}, #1",
            ".endr", "subs {n}, {n}, #1", "b.ne 2b",
            n = inout(reg) rounds => _, a = inout(reg) 0_u64 => _, b = inout(reg) 0_u64 => _,
            c = inout(reg) 0_u64 => _, d = inout(reg) 0_u64 => _, options(nomem, nostack),
        );
    }
}

/// 32 additions a round, each waiting for the one before.
#[cfg(target_arch = "aarch64")]
fn one_chain(rounds: u64) {
    // SAFETY: arithmetic on registers that are declared; no memory, no stack.
    unsafe {
        asm!(
            "2:", ".rept 32", "add {a}, {a}, {one}", ".endr", "subs {n}, {n}, #1", "b.ne 2b",
            n = inout(reg) rounds => _, a = inout(reg) 0_u64 => _, one = in(reg) 1_u64,
            options(nomem, nostack),
        );
    }
}

/// On other CPUs neither probe is exact, and neither are cycles.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn four_chains(rounds: u64) {
    one_chain(rounds);
}

/// Additions that the compiler cannot join.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn one_chain(rounds: u64) {
    (0..32 * rounds).fold(0_u64, |sum, _| std::hint::black_box(sum.wrapping_add(1)));
}

/// Rounds at which the probe is below this part of its best do not count.
const QUIET: f64 = 0.93;

/// The probe's best so far, kept over all jobs of a run.
#[derive(Default)]
pub struct Gate {
    /// The highest readings, falling.
    highest: Vec<f64>,
}

/// The best is the lowest of this many readings: the clock jumps now and then, and one reading that is too
/// high would put every later round in doubt.
const AGREEING: usize = 5;

impl Gate {
    /// Reads the probe, and remembers it.
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

    /// Whether the core was ours at this reading.
    #[must_use]
    pub fn is_quiet(&self, adds: f64) -> bool {
        self.highest.last().is_none_or(|best| adds >= QUIET * best)
    }

    /// Up to `wanted` rounds to keep, and whether they were quiet: the first quiet ones. If they are fewer
    /// than half of `wanted`, the rounds with the highest probes, and the figure is in doubt.
    fn select(&self, adds: &[f64], wanted: usize) -> (Vec<usize>, bool) {
        let quiet: Vec<usize> = (0..adds.len()).filter(|&i| self.is_quiet(adds[i])).take(wanted).collect();
        if 2 * quiet.len() >= wanted {
            return (quiet, true);
        }
        let mut all: Vec<usize> = (0..adds.len()).collect();
        all.sort_by(|&a, &b| adds[b].total_cmp(&adds[a]));
        all.truncate(wanted);
        (all, false)
    }
}

/// The rounds of one job that count.
pub struct Rounds {
    /// Nanoseconds per operation, by candidate and round.
    pub ns: Vec<Vec<f64>>,
    /// Core clock, GHz.
    pub clock: f64,
    /// Whether the core was ours.
    pub quiet: bool,
}

/// At most this many times the rounds asked for, in search of quiet ones.
const PATIENCE: usize = 3;

/// Times every candidate in every round, so that a slow second of the machine hits all of them.
pub fn interleaved(candidates: &mut [Candidate<'_>], gate: &mut Gate, rounds: usize) -> Rounds {
    let repeats: Vec<u64> = candidates.iter_mut().map(repeats).collect();
    let mut samples: Vec<Vec<f64>> = Vec::new();
    let mut adds = Vec::new();
    let mut clocks = Vec::new();
    let mut before = gate.read();
    while samples.len() < PATIENCE * rounds && adds.iter().filter(|a| gate.is_quiet(**a)).count() < rounds {
        let round = candidates.iter_mut().zip(&repeats).map(|(c, n)| (c.sample)(*n) as f64 / *n as f64);
        samples.push(round.collect());
        let after = gate.read();
        adds.push(before.adds.min(after.adds));
        clocks.push(before.clock.max(after.clock));
        before = after;
    }
    let (kept, quiet) = gate.select(&adds, rounds);
    let of = |candidate: usize| kept.iter().map(|&round| samples[round][candidate]).collect();
    Rounds {
        ns: (0..candidates.len()).map(of).collect(),
        clock: median(&kept.iter().map(|&round| clocks[round]).collect::<Vec<_>>()),
        quiet,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gate_keeps_quiet_rounds_only() {
        let gate = Gate { highest: vec![12.9] };
        let adds = [12.8, 8.1, 12.5, 11.9, 12.0, 12.9];
        assert_eq!(gate.select(&adds, 4), (vec![0, 2, 4, 5], true));
        assert_eq!(gate.select(&adds, 3), (vec![0, 2, 4], true));
    }

    #[test]
    fn one_reading_that_is_too_high_changes_nothing() {
        let mut gate = Gate::default();
        for adds in [12.8, 12.9, 12.7, 25.0, 8.0, 12.9, 12.8, 12.9] {
            gate.note(adds);
        }
        assert_eq!(gate.highest, [25.0, 12.9, 12.9, 12.9, 12.8]);
        assert!(gate.is_quiet(12.0));
        assert!(!gate.is_quiet(11.0));
    }

    #[test]
    fn too_few_quiet_rounds_are_filled_up_and_marked() {
        let gate = Gate { highest: vec![13.0] };
        assert_eq!(gate.select(&[9.0, 12.9, 8.0, 10.0], 3), (vec![1, 3, 0], false));
        assert_eq!(gate.select(&[9.0, 12.9, 8.0, 12.8], 3), (vec![1, 3], true));
    }

    #[test]
    fn rounds_have_one_sample_per_candidate() {
        let mut calls = 0;
        let mut candidates = [
            Candidate::elsewhere(|n| 1_000_000 * n),
            Candidate::elsewhere(|n| {
                calls += 1;
                2_000 * n
            }),
        ];
        let rounds = interleaved(&mut candidates, &mut Gate::default(), 4);
        assert_eq!(rounds.ns.len(), 2);
        assert!((2..=4).contains(&rounds.ns[0].len()));
        assert!(rounds.ns[1].iter().all(|ns| *ns == 2_000.0));
        assert!(rounds.clock > 0.0);
        drop(candidates);
        assert!(calls >= 4);
    }
}
