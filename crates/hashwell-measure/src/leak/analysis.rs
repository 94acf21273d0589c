//! Evaluates the measurements of one subject.

use super::histogram::{Histogram, Test};
use super::paired::{Paired, paired};
use super::{Class, SUSPICIOUS, Sample, two_sided};
use serde::{Deserialize, Serialize};

/// The number of standard deviations above the threshold at which an effect is detected nine times out of ten.
const NINE_IN_TEN: f64 = 1.282;

/// The number of points of the curve that shows t as a function of the number of measurements.
const TRACE: usize = 24;

/// The number of equal parts of each class in [`Quantiles`].
const PARTS: usize = 100;

/// The percentiles of both classes, in core cycles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Quantiles {
    /// Percentiles of the fixed class.
    pub fixed: Vec<f64>,
    /// Percentiles of the random class.
    pub random: Vec<f64>,
}

/// The results of the measurements of one subject. Differences are fixed minus random class, in core cycles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// The number of measurements of the fixed and of the random class.
    pub n: [usize; 2],
    /// The t with the largest |t| of all tests.
    pub t: f64,
    /// The test with this t.
    pub test: Test,
    /// The number of tests.
    pub tests: usize,
    /// `t / sqrt(n)`, which does not grow with n.
    pub tau: f64,
    /// Welch's t over all measurements.
    pub raw_t: f64,
    /// The paired test, if there are enough pairs.
    pub paired: Option<Paired>,
    /// The p-value of the row, with Bonferroni's correction over its tests and the paired test. It is an upper bound:
    /// crops of the same measurements are correlated, so the true value is lower.
    pub p: f64,
    /// The smallest difference that these measurements would have detected nine times out of ten, by |t| > 4.5. `None`
    /// if there are too few measurements, or if they show a difference.
    pub detectable: Option<f64>,
    /// The step of the clock, in core cycles.
    pub step: f64,
    /// Pairs of a number n and the largest |t| of the first n measurements.
    pub trace: Vec<(usize, f64)>,
    /// The times of both classes.
    pub quantiles: Quantiles,
}

impl Analysis {
    pub(crate) fn new(samples: &[Sample], cycles_per_tick: f64) -> Self {
        let histogram = Histogram::new(samples);
        let strongest = histogram.strongest();
        let count = |class| samples.iter().filter(|sample| sample.class == class).count();
        let paired = paired(samples);
        let unpaired = strongest.tests.max(1) as f64 * two_sided(strongest.t);
        let p = unpaired.min(paired.map_or(1.0, |paired| paired.p));
        let quantiles = |class| {
            let ticks = histogram.quantiles(class, PARTS);
            ticks.into_iter().map(|ticks| ticks * cycles_per_tick).collect()
        };
        let raw = histogram.tests().into_iter().find(|(test, _)| *test == Test::Raw);
        let detectable = (strongest.t.abs() <= SUSPICIOUS)
            .then(|| histogram.detectable(SUSPICIOUS + NINE_IN_TEN) * cycles_per_tick);
        Self {
            n: [count(Class::Fixed), count(Class::Random)],
            t: strongest.t,
            test: strongest.test,
            tests: strongest.tests,
            tau: strongest.t / (samples.len().max(1) as f64).sqrt(),
            raw_t: raw.map_or(0.0, |(_, t)| t),
            paired: paired.map(|paired| paired.scaled(cycles_per_tick)),
            // The factor 2 is for the two kinds of test.
            p: (2.0 * p).min(1.0),
            detectable: detectable.filter(|cycles| cycles.is_finite()),
            step: histogram.step() * cycles_per_tick,
            trace: trace(samples),
            quantiles: Quantiles { fixed: quantiles(Class::Fixed), random: quantiles(Class::Random) },
        }
    }
}

/// The largest |t| of the first measurements, for numbers of measurements that grow by a constant factor.
fn trace(samples: &[Sample]) -> Vec<(usize, f64)> {
    let end = samples.len() as f64;
    let start = 200.0_f64.min(end);
    let at = |i: usize| (start * (end / start).powf(i as f64 / (TRACE - 1) as f64)).round() as usize;
    let mut points: Vec<usize> = if samples.is_empty() { Vec::new() } else { (0..TRACE).map(at).collect() };
    points.dedup();
    points.into_iter().map(|n| (n, Histogram::new(&samples[..n]).strongest().t.abs())).collect()
}

/// The p-values after Holm's step-down adjustment. The probability that the adjusted p-value of any true null
/// hypothesis is below α is at most α.
pub(crate) fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut adjusted = vec![0.0; p.len()];
    let mut largest = 0.0_f64;
    for (rank, &row) in order.iter().enumerate() {
        largest = largest.max(((p.len() - rank) as f64 * p[row]).min(1.0));
        adjusted[row] = largest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::random::Random;
    use crate::timing::statistics::synthetic::{normal, unit};

    #[test]
    fn holm_by_hand() {
        assert_eq!(holm(&[0.01, 0.04, 0.03]), [0.03, 0.06, 0.06]);
        assert_eq!(holm(&[0.5, 0.9]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }

    /// The method for choosing the order of the classes.
    #[derive(Clone, Copy)]
    enum Order {
        Coin,
        /// First all measurements of one class, then all measurements of the other class.
        Naive,
    }

    /// Simulated measurements of a busy machine: skewed times in steps of 26 ticks, occasional interrupts, and a level
    /// that falls by `drift` from the first to the last measurement.
    fn run(random: &mut Random, n: usize, order: Order, drift: f64, effect: f64) -> Vec<Sample> {
        (0..n)
            .map(|i| {
                let fixed = match order {
                    Order::Coin => random.below(2) == 0,
                    Order::Naive => i < n / 2,
                };
                let class = if fixed { Class::Fixed } else { Class::Random };
                let level = 1000.0 - drift * i as f64 / n as f64;
                let skewed = 30.0 * (0.5 * normal(random)).exp();
                let interrupt = if unit(random) < 0.002 { 20_000.0 * unit(random) } else { 0.0 };
                let time = level + skewed + interrupt + if fixed { effect } else { 0.0 };
                // A measurement can begin anywhere between two steps of the clock.
                Sample { ticks: 26 * ((time / 26.0) + unit(random)) as u64, class }
            })
            .collect()
    }

    /// The fractions of `trials` runs with p < 0.05, and with |t| > 4.5.
    fn alarms(trials: usize, mut run: impl FnMut() -> Vec<Sample>) -> (f64, f64) {
        let (mut significant, mut suspicious) = (0, 0);
        for _ in 0..trials {
            let analysis = Analysis::new(&run(), 1.0);
            significant += usize::from(analysis.p < 0.05);
            suspicious += usize::from(analysis.t.abs() > SUSPICIOUS);
        }
        (significant as f64 / trials as f64, suspicious as f64 / trials as f64)
    }

    #[test]
    fn false_alarms_are_as_rare_as_said() {
        let mut random = Random(21);
        let (significant, suspicious) = alarms(200, || run(&mut random, 3000, Order::Coin, 0.0, 0.0));
        // At most 10 of 200 runs are expected to have p < 0.05. Even if 10 are expected, the probability of more than
        // 20 is below 1 in 1000.
        assert!(significant <= 0.1 && suspicious <= 0.01, "{significant} {suspicious}");
    }

    #[test]
    fn drift_gives_no_alarm_in_random_order_and_many_in_blocks() {
        let mut random = Random(22);
        let (significant, suspicious) = alarms(100, || run(&mut random, 3000, Order::Coin, 40.0, 0.0));
        assert!(significant <= 0.13 && suspicious <= 0.02, "{significant} {suspicious}");
        // A control shows why the order must be random: the drift is the same, but all measurements of one class come
        // first.
        let (_, suspicious) = alarms(100, || run(&mut random, 3000, Order::Naive, 40.0, 0.0));
        assert!(suspicious > 0.9, "{suspicious}");
    }

    #[test]
    fn what_is_called_detectable_is_detected() {
        let mut random = Random(23);
        let clean = Analysis::new(&run(&mut random, 10_000, Order::Coin, 10.0, 0.0), 1.0);
        let effect = clean.detectable.unwrap();
        assert!((0.3..6.0).contains(&effect), "{effect}");
        for sign in [1.0, -1.0] {
            let (_, seen) = alarms(60, || run(&mut random, 10_000, Order::Coin, 10.0, sign * effect));
            assert!(seen > 0.75, "{effect}: {seen}");
        }
        // A quarter of the effect is rarely detected, so the figure is not far too high either.
        let (_, seen) = alarms(60, || run(&mut random, 10_000, Order::Coin, 10.0, effect / 4.0));
        assert!(seen < 0.5, "{effect}: {seen}");
    }

    #[test]
    fn few_or_constant_measurements_say_nothing() {
        let nothing = Analysis::new(&[], 1.0);
        assert_eq!((nothing.n, nothing.t, nothing.p, nothing.detectable), ([0, 0], 0.0, 1.0, None));
        let mut random = Random(24);
        let constant: Vec<Sample> =
            run(&mut random, 2000, Order::Coin, 0.0, 0.0).iter().map(|s| Sample { ticks: 9, ..*s }).collect();
        let constant = Analysis::new(&constant, 1.0);
        assert_eq!((constant.t, constant.p), (0.0, 1.0));
        // The clock's step is known, and a shift by a fraction of it would have been detected.
        assert!(constant.detectable.unwrap() < 1.0);
    }

    #[test]
    fn t_against_n_ends_with_t() {
        let mut random = Random(25);
        let analysis = Analysis::new(&run(&mut random, 5000, Order::Coin, 0.0, 30.0), 1.0);
        assert_eq!(analysis.trace.last(), Some(&(5000, analysis.t.abs())));
        assert!(analysis.trace.len() == TRACE && analysis.trace[0].0 == 200);
        assert!(analysis.trace[0].1 < analysis.t.abs());
        assert!((analysis.tau * 5000.0_f64.sqrt() - analysis.t).abs() < 1e-9);
    }
}
