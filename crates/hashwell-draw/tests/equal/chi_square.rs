//! The distance of counts from their expected values.

/// The chi-square of counts, and the value that it exceeds with probability 10^-6 (Wilson and Hilferty).
pub(crate) fn chi_square(counts: &[u64], expected: &[f64]) -> (f64, f64) {
    assert_eq!(counts.len(), expected.len());
    let terms =
        counts.iter().zip(expected).map(|(&count, expected)| (count as f64 - expected).powi(2) / expected);
    let nine = 2.0 / (9.0 * (counts.len() - 1) as f64);
    (terms.sum(), (counts.len() - 1) as f64 * (1.0 - nine + 4.753 * nine.sqrt()).powi(3))
}

/// For rows 0 to n - 1, divided at `cuts`: counts how often rows of each part are in a sample, and compares this with
/// equal probabilities. `variance` is the variance of the counts, relative to that of sampling with replacement.
pub(crate) fn profile(cuts: &[u64], variance: f64, samples: impl Iterator<Item = Vec<u64>>) -> (f64, f64) {
    let n = *cuts.last().expect("an end");
    let mut counts = vec![0; cuts.len()];
    let mut all = 0_i32;
    for row in samples.flatten() {
        counts[cuts.partition_point(|&cut| cut <= row)] += 1;
        all += 1;
    }
    let begins = std::iter::once(&0).chain(cuts);
    let expected: Vec<f64> =
        begins.zip(cuts).map(|(begin, end)| f64::from(all) * (end - begin) as f64 / n as f64).collect();
    let (chi_square, limit) = chi_square(&counts, &expected);
    (chi_square / variance, limit)
}
