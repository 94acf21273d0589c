//! Measures one subject. The class of every measurement is chosen at random, and only `run` is timed.

use super::Sample;
use super::analysis::Analysis;
use super::subject::{Secrets, Subject};
use super::ticks::Clock;
use crate::timing::random::Random;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The number of measurements that are discarded first, until caches and branch predictors have settled.
const WARM_UP: usize = 500;

/// The duration of the measurement of a subject.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The number of measurements of both classes together.
    pub samples: usize,
    /// A time limit, after which fewer measurements are used.
    pub limit: Option<Duration>,
    /// The seed of secrets and classes.
    pub seed: u64,
}

/// Measures a subject and evaluates the measurements. Returns `None` if `stop` returned true in the meantime.
#[must_use]
pub fn measure(subject: &mut Subject, plan: Plan, clock: Clock, stop: &dyn Fn() -> bool) -> Option<Analysis> {
    let mut random = Random(plan.seed);
    let mut secrets = Secrets::new(subject, &mut random);
    secrets.refill(&mut random);
    secrets.secrets().take(1).for_each(|secret| subject.prepare(secret));
    let repeats = clock.repeats(|| subject.run());
    let start = Instant::now();
    let over = || plan.limit.is_some_and(|limit| start.elapsed() > limit);
    let mut samples: Vec<Sample> = Vec::with_capacity(WARM_UP + plan.samples);
    let mut ticks = Vec::with_capacity(secrets.classes().len());
    while samples.len() < WARM_UP + plan.samples && !over() {
        if stop() {
            return None;
        }
        secrets.refill(&mut random);
        ticks.clear();
        for secret in secrets.secrets() {
            subject.prepare(secret);
            wander(random.word() >> 57);
            ticks.push(clock.sample(repeats, || subject.run()));
        }
        let both = ticks.iter().zip(secrets.classes());
        samples.extend(both.map(|(ticks, class)| Sample { ticks: *ticks, class: *class }));
    }
    samples.truncate(WARM_UP + plan.samples);
    samples.drain(..WARM_UP.min(samples.len()));
    Some(Analysis::new(&samples, clock.cycles_per_tick(repeats)))
}

/// Waits for up to 500 cycles, independently of the class. Otherwise, if a clock has steps of tens of cycles, every
/// measurement would begin at about the same point of a step for as long as the loop keeps its rhythm. The length of
/// that rhythm would decide to which step a time is rounded, so one more cycle of preparation for one class would
/// appear as a difference of a whole step.
pub(super) fn wander(rounds: u64) {
    let mut x = rounds;
    for _ in 0..rounds {
        x = black_box(x.rotate_left(1) ^ 1);
    }
    black_box(x);
}
