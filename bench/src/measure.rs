//! Timing that can be trusted on a busy machine: thread CPU time, candidates interleaved round by round,
//! medians and quartiles.

/// CPU time of this thread in nanoseconds. A call costs about half a microsecond, so a sample must be
/// much longer.
fn thread_cpu_ns() -> u64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `t` is a valid place for the result, and the clock exists on every Linux.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut t) };
    assert_eq!(failed, 0, "no thread CPU clock");
    t.tv_sec as u64 * 1_000_000_000 + t.tv_nsec as u64
}

/// Something to time: one call of `run` is one operation.
pub(crate) struct Candidate<'a> {
    pub(crate) run: Box<dyn FnMut() + 'a>,
}

/// Nanoseconds per operation.
#[derive(Clone, Copy)]
pub(crate) struct Timing {
    pub(crate) lower_quartile: f64,
    pub(crate) median: f64,
    pub(crate) upper_quartile: f64,
}

/// A sample lasts at least this long.
const SAMPLE_NS: u64 = 1_000_000;

fn time(candidate: &mut Candidate<'_>, repeats: u64) -> u64 {
    let start = thread_cpu_ns();
    (0..repeats).for_each(|_| (candidate.run)());
    thread_cpu_ns() - start
}

/// How often to run an operation for one sample; finding out warms it up too.
fn repeats(candidate: &mut Candidate<'_>) -> u64 {
    let mut repeats = 1;
    while time(candidate, repeats) < SAMPLE_NS {
        repeats *= 2;
    }
    repeats
}

/// Times every candidate in every round, so that a slow second of the machine hits all of them.
pub(crate) fn interleaved(candidates: &mut [Candidate<'_>], rounds: usize) -> Vec<Timing> {
    let repeats: Vec<u64> = candidates.iter_mut().map(repeats).collect();
    let mut samples = vec![Vec::with_capacity(rounds); candidates.len()];
    for _ in 0..rounds {
        for ((candidate, repeats), samples) in candidates.iter_mut().zip(&repeats).zip(&mut samples) {
            samples.push(time(candidate, *repeats) as f64 / *repeats as f64);
        }
    }
    samples.into_iter().map(summary).collect()
}

fn summary(mut samples: Vec<f64>) -> Timing {
    samples.sort_by(f64::total_cmp);
    let at = |part: usize| samples[(samples.len() - 1) * part / 4];
    Timing { lower_quartile: at(1), median: at(2), upper_quartile: at(3) }
}
