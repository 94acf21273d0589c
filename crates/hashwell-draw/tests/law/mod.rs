//! Exact distributions of small weighted samples, and chi-square tests of samples against them.
#![allow(dead_code, unreachable_pub)]

use std::collections::BTreeMap;

/// The probability of each set of `k` rows under successive sampling: the sum over all orders of the product of each
/// row's weight divided by the remaining weight.
pub fn successive(weights: &[u32], k: usize) -> BTreeMap<Vec<usize>, f64> {
    let mut law = BTreeMap::new();
    walk(weights, k, &mut Vec::new(), 1.0, &mut law);
    law
}

fn walk(weights: &[u32], k: usize, drawn: &mut Vec<usize>, chance: f64, law: &mut BTreeMap<Vec<usize>, f64>) {
    if drawn.len() == k {
        let mut set = drawn.clone();
        set.sort_unstable();
        *law.entry(set).or_default() += chance;
        return;
    }
    let left: Vec<usize> = (0..weights.len()).filter(|row| !drawn.contains(row)).collect();
    let total: u32 = left.iter().map(|&row| weights[row]).sum();
    for row in left.into_iter().filter(|&row| weights[row] > 0) {
        drawn.push(row);
        walk(weights, k, drawn, chance * f64::from(weights[row]) / f64::from(total), law);
        drawn.pop();
    }
}

/// The number of times that each set occurred. Sets are sorted here.
pub fn count(runs: usize, mut sample: impl FnMut(usize) -> Vec<usize>) -> BTreeMap<Vec<usize>, u64> {
    let mut counts = BTreeMap::new();
    for run in 0..runs {
        let mut set = sample(run);
        set.sort_unstable();
        *counts.entry(set).or_default() += 1;
    }
    counts
}

/// The chi-square of the counts in standard deviations (Wilson and Hilferty): above 4.75 for one fair experiment in a
/// million. Infinite if something impossible occurred.
pub fn deviations<K: Ord>(counts: &BTreeMap<K, u64>, law: &BTreeMap<K, f64>) -> f64 {
    if counts.keys().any(|set| law.get(set).is_none_or(|&chance| chance == 0.0)) {
        return f64::INFINITY;
    }
    let runs = counts.values().sum::<u64>() as f64;
    let possible = law.iter().filter(|(_, chance)| **chance > 0.0);
    let (mut chi, mut cells) = (0.0, 0.0);
    for (set, chance) in possible {
        let must = runs * chance;
        assert!(must > 5.0, "too few runs for chi-square");
        let got = counts.get(set).copied().unwrap_or(0) as f64;
        chi += (got - must) * (got - must) / must;
        cells += 1.0;
    }
    let freedom: f64 = cells - 1.0;
    let part = 2.0 / (9.0 * freedom);
    ((chi / freedom).cbrt() - (1.0 - part)) / part.sqrt()
}

/// A fair sampler exceeds this in one of a million experiments.
pub const CONVICTED: f64 = 4.75;
