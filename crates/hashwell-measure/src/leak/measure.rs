//! Measures one subject: a coin chooses the class of every measurement, and only `run` is inside the clock.

use super::Sample;
use super::analysis::Analysis;
use super::subject::{Secrets, Subject};
use super::ticks::Clock;
use crate::statistics::Random;
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
pub fn measure(
    subject: &mut Subject,
    plan: Plan,
    clock: Clock,
    stop: &dyn Fn() -> bool,
) -> Option<Analysis> {
    let mut random = Random(plan.seed);
    let mut secrets = Secrets::new(subject, &mut random);
    let mut sample = |subject: &mut Subject, repeats: u64| {
        let (class, secret) = secrets.next(&mut random);
        subject.prepare(secret);
        Sample { ticks: clock.sample(repeats, || subject.run()), class }
    };
    sample(subject, 1);
    let repeats = clock.repeats(|| subject.run());
    let start = Instant::now();
    let mut samples = Vec::with_capacity(plan.samples);
    for i in 0..WARM_UP + plan.samples {
        let taken = sample(subject, repeats);
        if i >= WARM_UP {
            samples.push(taken);
        }
        if i % 64 == 0 {
            if stop() {
                return None;
            }
            if plan.limit.is_some_and(|limit| start.elapsed() > limit) {
                break;
            }
        }
    }
    Some(Analysis::new(&samples, clock.cycles_per_tick(repeats)))
}
