//! The paired test. Measurements that are close in time share the state of the machine, so their differences are closer
//! to independent than the measurements themselves. Consecutive pairs are combined into blocks, and only blocks are
//! assumed to be independent of each other.

use super::{Class, Sample};
use crate::timing::random::Random;
use crate::timing::statistics::median;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The number of blocks: enough for an interval, and few enough that each block is longer than a disturbance of its
/// pairs.
const BLOCKS: usize = 100;

/// Pairs with a measurement above this quantile of all measurements are discarded, because interrupts carry no
/// information.
const KEPT: f64 = 0.95;

/// The number of bootstrap resamples for the interval.
const RESAMPLES: usize = 999;

/// The result of the paired test: fixed minus random class, in the unit of the measurements.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Paired {
    /// The median of the blocks' mean differences. (The median of all pairs could only be a multiple of the clock
    /// step.)
    pub difference: f64,
    /// The lower end of the 95 % interval, by a bootstrap over blocks.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The two-sided p-value of Student's t over blocks.
    pub p: f64,
    /// The number of pairs that were used.
    pub pairs: usize,
    /// The number of blocks.
    pub blocks: usize,
}

impl Paired {
    /// The same result in another unit.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self {
            difference: self.difference * factor,
            low: self.low * factor,
            high: self.high * factor,
            ..self
        }
    }
}

/// The differences of consecutive measurements of different classes, in order. Each measurement is in at most one pair.
fn differences(samples: &[Sample]) -> Vec<f64> {
    let mut sorted: Vec<u64> = samples.iter().map(|sample| sample.ticks).collect();
    sorted.sort_unstable();
    let Some(limit) = sorted.get((KEPT * samples.len() as f64) as usize) else { return Vec::new() };
    let mut found = Vec::new();
    let mut at = 0;
    while let Some([a, b]) = samples.get(at..at + 2) {
        if a.class == b.class {
            at += 1;
            continue;
        }
        at += 2;
        if a.ticks <= *limit && b.ticks <= *limit {
            let (fixed, random) = if a.class == Class::Fixed { (a, b) } else { (b, a) };
            found.push(fixed.ticks as f64 - random.ticks as f64);
        }
    }
    found
}

/// Performs the test. Returns `None` if there are fewer than two pairs per block.
pub(crate) fn paired(samples: &[Sample]) -> Option<Paired> {
    let differences = differences(samples);
    let len = differences.len() / BLOCKS;
    if len < 2 {
        return None;
    }
    let blocks: Vec<f64> =
        differences.chunks_exact(len).map(|block| block.iter().sum::<f64>() / len as f64).collect();
    let mut random = Random(blocks.len() as u64);
    let mut medians: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let resample: Vec<f64> = blocks.iter().map(|_| blocks[random.below(blocks.len())]).collect();
            median(&resample)
        })
        .collect();
    medians.sort_by(f64::total_cmp);
    let end = |quantile: f64| medians[(quantile * (RESAMPLES + 1) as f64).round() as usize - 1];
    Some(Paired {
        difference: median(&blocks),
        low: end(0.025),
        high: end(0.975),
        p: student(&blocks),
        pairs: differences.len(),
        blocks: blocks.len(),
    })
}

/// The two-sided p-value for the hypothesis that the mean is zero.
fn student(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    if mean == 0.0 {
        return 1.0;
    }
    let distribution = StudentsT::new(0.0, 1.0, n - 1.0).expect("more than one block");
    2.0 * distribution.sf(mean.abs() * (n / variance).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::statistics::synthetic::normal;

    #[test]
    fn student_by_table() {
        // t = 1.984 has p = 0.05 at 99 degrees of freedom, t = 3.391 has p = 0.001.
        for (t, p) in [(1.984, 0.05), (3.391, 0.001)] {
            // Fifty values of m - 1 and fifty values of m + 1 have the variance 100/99.
            let mean = t * (100.0_f64 / 99.0).sqrt() / 10.0;
            let values: Vec<f64> = (0..100).map(|i| mean + if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
            assert!((student(&values) / p - 1.0).abs() < 0.01, "{t}: {}", student(&values));
        }
    }

    #[test]
    fn pairs_are_neighbours_of_unlike_class_without_outliers() {
        let sample = |ticks, class| Sample { ticks, class };
        let (fixed, random) = (Class::Fixed, Class::Random);
        let mut samples = vec![
            sample(10, fixed),
            sample(11, fixed),
            sample(14, random),
            sample(20, random),
            sample(10, fixed),
            sample(9_000, random),
            sample(10, fixed),
        ];
        // The 95 % quantile is 30, so only the measurement of 9000 is discarded.
        samples.extend([sample(30, fixed); 60]);
        assert_eq!(differences(&samples), [-3.0, -10.0]);
        assert!(paired(&samples).is_none());
        assert!(paired(&[]).is_none());
    }

    /// Simulated measurements in steps of 26, with a varying level and occasional disturbances.
    fn run(random: &mut Random, n: usize, effect: f64) -> Vec<Sample> {
        let mut level = 1000.0;
        (0..n)
            .map(|_| {
                level += 2.0 * normal(random);
                let class = if random.below(2) == 0 { Class::Fixed } else { Class::Random };
                let effect = if class == Class::Fixed { effect } else { 0.0 };
                let outlier = if random.below(500) == 0 { 50_000.0 } else { 0.0 };
                let time: f64 = level + effect + 20.0 * normal(random).abs() + outlier;
                Sample { ticks: 26 * (time / 26.0) as u64, class }
            })
            .collect()
    }

    #[test]
    fn intervals_and_p_values_keep_their_promise() {
        let mut random = Random(11);
        let runs: Vec<Paired> = (0..300).map(|_| paired(&run(&mut random, 6000, 0.0)).unwrap()).collect();
        let missed = runs.iter().filter(|r| r.low > 0.0 || r.high < 0.0).count();
        let alarms = runs.iter().filter(|r| r.p < 0.05).count();
        // 15 of each are expected. The probability of 28 or more is below 1 in 1000.
        assert!(missed < 28 && alarms < 28, "{missed} {alarms}");
    }

    #[test]
    fn a_difference_far_below_the_clocks_step_is_found() {
        let found = paired(&run(&mut Random(12), 60_000, 4.0)).unwrap();
        assert!(found.low > 2.0 && found.high < 6.0 && found.p < 1e-6, "{found:?}");
    }
}
