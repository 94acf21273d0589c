//! Measures one subject: a coin chooses the class of every measurement, and only `run` is inside the clock.

use super::Sample;
use super::analysis::Analysis;
use super::subject::{Secrets, Subject};
use super::ticks::Clock;
use crate::timing::random::Random;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Measurements that are thrown away first: caches and branch predictors settle.
const WARM_UP: usize = 500;

/// How long to measure a subject.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Measurements of both classes together.
    pub samples: usize,
    /// Fewer if that takes longer than this.
    pub limit: Option<Duration>,
    /// Seed of secrets and classes.
    pub seed: u64,
}

/// Measures a subject and says what the measurements say; `None` if `stop` said so meanwhile.
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

/// Waits for up to 500 cycles, whatever the class. A clock whose steps are tens of cycles long would otherwise see every
/// measurement begin at about the same place of a step, for as long as the loop keeps its rhythm; the length of that
/// rhythm would then decide to which step a time is rounded, and a cycle of preparation more for one class would show
/// as a whole step.
pub(super) fn wander(rounds: u64) {
    let mut x = rounds;
    for _ in 0..rounds {
        x = black_box(x.rotate_left(1) ^ 1);
    }
    black_box(x);
}
