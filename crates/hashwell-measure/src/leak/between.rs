//! Tests whether time depends on which of several secrets is used. Each secret is measured once per round, in a new
//! random order for every round, and the means of the secrets are compared by an analysis of variance.
//!
//! The test with two classes compares one secret with the mean of all. This test also shows how much secrets differ
//! from each other. In addition, the means can be compared with those of another run, or at another place on the stack.

use super::measure::wander;
use super::subject::{Subject, fill};
use super::ticks::Clock;
use crate::timing::random::Random;
use statrs::distribution::{ContinuousCDF, FisherSnedecor};

/// The number of rounds that are discarded first.
const WARM_UP: usize = 20;

/// The fraction of measurements that is kept. The slowest ones are discarded regardless of their secret, because
/// interrupts carry no information.
const KEPT: f64 = 0.9;

/// The parameters of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Contest {
    /// The number of secrets.
    pub secrets: usize,
    /// True if all secrets are the same, so that there is nothing to find.
    pub same: bool,
    /// The number of measurements of each secret.
    pub rounds: usize,
    /// The seed of the secrets.
    pub secret_seed: u64,
    /// The seed of the order.
    pub order_seed: u64,
}

/// The results of the measurements.
#[derive(Clone, Debug)]
pub struct Between {
    /// The variance of the secrets' means, divided by the variance that the spread of single measurements would cause.
    /// It is about 1 if time does not depend on the secret.
    pub ratio: f64,
    /// The probability of this ratio, or a larger one, if time does not depend on the secret.
    pub p: f64,
    /// The standard deviation of the secrets' true means, in core cycles. Zero if their spread can be explained by
    /// chance.
    pub spread: f64,
    /// The mean of each secret minus the mean of its rounds, in core cycles.
    pub means: Vec<f64>,
}

impl Between {
    /// Measures a subject.
    ///
    /// # Panics
    /// Panics if there are fewer than two secrets or two rounds.
    #[must_use]
    pub fn measure(subject: &mut Subject, contest: Contest, clock: Clock) -> Self {
        let Contest { secrets: count, same, rounds, secret_seed, order_seed } = contest;
        assert!(count > 1 && rounds > 1);
        let len = subject.secret_len;
        let mut random = Random(secret_seed);
        let mut secrets = vec![0; count * len];
        secrets.chunks_exact_mut(len).for_each(|secret| fill(secret, &mut random));
        if same {
            let (first, others) = secrets.split_at_mut(len);
            others.chunks_exact_mut(len).for_each(|secret| secret.copy_from_slice(first));
        }
        let mut random = Random(order_seed);
        let mut order: Vec<usize> = (0..count).collect();
        // Secrets are stored in the order of the round, so that the position in memory does not depend on the secret.
        let mut round = vec![0; count * len];
        let mut ticks = vec![vec![0; count]; rounds];
        subject.prepare(&secrets[..len]);
        let repeats = clock.repeats(|| subject.run());
        for at in 0..WARM_UP + rounds {
            random.shuffle(&mut order);
            for (place, secret) in round.chunks_exact_mut(len).zip(&order) {
                place.copy_from_slice(&secrets[secret * len..][..len]);
            }
            let row = &mut ticks[at.saturating_sub(WARM_UP)];
            for (secret, i) in round.chunks_exact(len).zip(&order) {
                subject.prepare(secret);
                wander(random.word() >> 57);
                row[*i] = clock.sample(repeats, || subject.run());
            }
        }
        Self::new(&ticks, clock.cycles_per_tick(repeats))
    }

    /// Evaluates the ticks of each secret, round by round.
    fn new(rounds: &[Vec<u64>], cycles_per_tick: f64) -> Self {
        let mut sorted: Vec<u64> = rounds.iter().flatten().copied().collect();
        sorted.sort_unstable();
        let limit = sorted[(KEPT * (sorted.len() - 1) as f64) as usize];
        let mut of: Vec<Vec<f64>> = vec![Vec::new(); rounds[0].len()];
        let mut used = 0.0;
        for round in rounds {
            let kept: Vec<(usize, f64)> =
                round.iter().enumerate().filter(|(_, t)| **t <= limit).map(|(i, t)| (i, *t as f64)).collect();
            if kept.len() > 1 {
                used += 1.0;
                // The machine's level varies from round to round.
                let level = mean(kept.iter().map(|(_, t)| *t));
                kept.iter().for_each(|(i, t)| of[*i].push(t - level));
            }
        }
        let means: Vec<f64> = of.iter().map(|of| mean(of.iter().copied())).collect();
        let n: usize = of.iter().map(Vec::len).sum();
        let (groups, grand) = (means.len() as f64, mean(of.iter().flatten().copied()));
        let within: f64 =
            of.iter().zip(&means).flat_map(|(of, m)| of.iter().map(move |t| (t - m).powi(2))).sum();
        let freedom = (n as f64 - groups - used + 1.0).max(1.0);
        let within = within / freedom;
        let between: f64 =
            of.iter().zip(&means).map(|(of, m)| of.len() as f64 * (m - grand).powi(2)).sum::<f64>()
                / (groups - 1.0);
        // Constant times have no spread to compare with.
        let ratio = if between == 0.0 { 1.0 } else { between / within.max(f64::MIN_POSITIVE) };
        let law = FisherSnedecor::new(groups - 1.0, freedom).expect("positive degrees of freedom");
        Self {
            ratio,
            p: if between == 0.0 { 1.0 } else { law.sf(ratio) },
            spread: ((between - within) * groups / n as f64).max(0.0).sqrt() * cycles_per_tick,
            means: means.iter().map(|m| m * cycles_per_tick).collect(),
        }
    }

    /// The correlation of the secrets' means with those of another run with the same secrets. It is near 1 if both runs
    /// see the same effect.
    #[must_use]
    pub fn correlation(&self, other: &Self) -> f64 {
        let [a, b] = [self, other].map(|run| {
            let level = mean(run.means.iter().copied());
            run.means.iter().map(|m| m - level).collect::<Vec<f64>>()
        });
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt()
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (n, sum) = values.fold((0.0, 0.0), |(n, sum), x| (n + 1.0, sum + x));
    if n == 0.0 { 0.0 } else { sum / n }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::statistics::synthetic::{normal, unit};

    /// Simulated times in steps of 26, with a varying level and occasional interrupts. Every other secret takes
    /// `effect` longer.
    fn run(random: &mut Random, effect: f64) -> Between {
        let mut level = 1000.0;
        let rounds: Vec<Vec<u64>> = (0..300)
            .map(|_| {
                level += 5.0 * normal(random);
                let mut time = |i: usize| {
                    let interrupt = if unit(random) < 0.01 { 20_000.0 } else { 0.0 };
                    let effect = if i.is_multiple_of(2) { 0.0 } else { effect };
                    let time: f64 = level + effect + 20.0 * normal(random).abs() + interrupt;
                    26 * (time / 26.0 + unit(random)) as u64
                };
                (0..16).map(&mut time).collect()
            })
            .collect();
        Between::new(&rounds, 1.0)
    }

    #[test]
    fn p_values_keep_their_promise() {
        let mut random = Random(31);
        let alarms = (0..200).filter(|_| run(&mut random, 0.0).p < 0.05).count();
        // 10 alarms are expected. The probability of more than 21 is below 1 in 1000.
        assert!(alarms <= 21, "{alarms}");
    }

    #[test]
    fn a_difference_is_found_and_is_as_large_as_planted() {
        let mut random = Random(32);
        let [a, b, none] = [8.0, 8.0, 0.0].map(|effect| run(&mut random, effect));
        assert!(a.p < 1e-6, "{a:?}");
        // Half of the secrets are 4 below the mean, and half are 4 above it.
        assert!((3.0..5.0).contains(&a.spread), "{a:?}");
        assert!(a.correlation(&b) > 0.8 && a.correlation(&none).abs() < 0.8, "{a:?} {b:?} {none:?}");
    }

    #[test]
    fn constant_times_show_nothing() {
        let constant = Between::new(&vec![vec![7; 5]; 9], 1.0);
        assert_eq!((constant.ratio, constant.p, constant.spread), (1.0, 1.0, 0.0));
    }

    #[test]
    fn it_measures_what_it_is_given() {
        let mut subject =
            crate::leak::targets().into_iter().find(|subject| subject.path == "hmac-tag").unwrap();
        let contest = Contest { secrets: 4, same: false, rounds: 30, secret_seed: 1, order_seed: 2 };
        let between = Between::measure(&mut subject, contest, Clock::new());
        assert!(between.means.len() == 4 && between.ratio >= 0.0 && (0.0..=1.0).contains(&between.p));
    }
}
