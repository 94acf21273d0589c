//! The paired test: neighbours in time share what the machine does meanwhile, so that their differences are closer
//! to independent than the measurements are. Consecutive pairs make a block, and only blocks are taken to be
//! independent of each other.

use super::{Class, Sample};
use crate::timing::random::Random;
use crate::timing::statistics::median;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Blocks to make of all pairs: enough for an interval, few enough for each to outlast what disturbs its pairs.
const BLOCKS: usize = 100;

/// Pairs with a measurement above this part of all measurements are left out: an interrupt says nothing.
const KEPT: f64 = 0.95;

/// Bootstrap resamples of the interval.
const RESAMPLES: usize = 999;

/// Fixed minus random class, in the unit of the measurements.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Paired {
    /// Median over blocks of their mean difference. (A median over pairs could only be a whole step of the clock.)
    pub difference: f64,
    /// Lower end of the interval of 95 %, by a bootstrap over blocks.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Two-sided p-value of Student's t over blocks.
    pub p: f64,
    /// Pairs in use.
    pub pairs: usize,
    /// Blocks.
    pub blocks: usize,
}

impl Paired {
    /// In another unit.
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

/// Differences of neighbours of unlike class, each measurement in one pair at most, in order.
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

/// The test; `None` for fewer than two pairs a block.
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

/// Two-sided p-value of the mean's being zero.
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
            // Fifty values of m - 1 and fifty of m + 1 have the variance 100/99.
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
        // The others are within the first 95 %.
        samples.extend([sample(30, fixed); 60]);
        assert_eq!(differences(&samples), [-3.0, -10.0]);
        assert!(paired(&samples).is_none());
        assert!(paired(&[]).is_none());
    }

    /// Measurements in steps of 26, with a level that wanders and a disturbance now and then.
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
        // 15 expected of each; 28 and more have a chance below 1 in 1000.
        assert!(missed < 28 && alarms < 28, "{missed} {alarms}");
    }

    #[test]
    fn a_difference_far_below_the_clocks_step_is_found() {
        let found = paired(&run(&mut Random(12), 60_000, 4.0)).unwrap();
        assert!(found.low > 2.0 && found.high < 6.0 && found.p < 1e-6, "{found:?}");
    }
}
