//! Statistics of samples: quartiles, ratios paired by rounds, and their uncertainty.
//!
//! Samples are grouped by process, because the differences between processes (in the locations of code and stack) are
//! larger than those between rounds of one process. Intervals have a level of 95 % and are computed by a bootstrap in
//! two stages, which resamples processes, and then rounds within each process. With few processes, such intervals are
//! too short (Hesterberg, *What Teachers Should Know About the Bootstrap*, 2015, section 4.1), so they are widened by
//! the factor `sqrt(P/(P-1)) t(P-1) / z`. The bootstrap uses a fixed seed, so the same samples give the same interval.

use crate::timing::random::Random;

use statrs::distribution::{ContinuousCDF, StudentsT};

/// Quartiles, in the unit of the samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// A quarter of the samples is below this value.
    pub lower_quartile: f64,
    /// Half of the samples are below this value.
    pub median: f64,
    /// A quarter of the samples is above this value.
    pub upper_quartile: f64,
}

impl Summary {
    /// The same quartiles in another unit.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self {
            lower_quartile: self.lower_quartile * factor,
            median: self.median * factor,
            upper_quartile: self.upper_quartile * factor,
        }
    }

    /// Returns true if the quartiles are more than 5 % apart.
    #[must_use]
    pub fn is_wide(self) -> bool {
        self.upper_quartile > 1.05 * self.lower_quartile
    }
}

/// The quartiles of some samples. They are interpolated between two samples if necessary.
///
/// # Panics
/// Panics if there are no samples.
#[must_use]
pub fn summary(samples: &[f64]) -> Summary {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |quarters: usize| {
        let position = (sorted.len() - 1) * quarters;
        let (below, part) = (position / 4, (position % 4) as f64 / 4.0);
        let above = (below + 1).min(sorted.len() - 1);
        sorted[below] + part * (sorted[above] - sorted[below])
    };
    Summary { lower_quartile: at(1), median: at(2), upper_quartile: at(3) }
}

/// The median.
///
/// # Panics
/// Panics if there are no samples.
#[must_use]
pub fn median(samples: &[f64]) -> f64 {
    summary(samples).median
}

/// The median of the ratios of each round. A disturbance that slows down a whole round affects both sides of its ratio.
///
/// # Panics
/// Panics if there are no samples.
#[must_use]
pub fn paired_ratio(numerators: &[f64], denominators: &[f64]) -> f64 {
    median(&numerators.iter().zip(denominators).map(|(n, d)| n / d).collect::<Vec<_>>())
}

// --------------------------------------------------------------------------------------- intervals

/// A value with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Estimate {
    /// The estimate: a median, or a function of totals.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Estimate {
    /// The same estimate in another unit. The factor must be positive.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self { value: self.value * factor, low: self.low * factor, high: self.high * factor }
    }

    /// Returns true if `value` is outside of the interval.
    #[must_use]
    pub fn excludes(self, value: f64) -> bool {
        value < self.low || self.high < value
    }
}

/// Samples by process and round.
pub type Processes = [Vec<f64>];

/// The number of bootstrap resamples for an interval. Its ends are accurate to about a tenth of its width.
const RESAMPLES: usize = 999;

/// The median of positive samples.
///
/// # Panics
/// Panics if there are no samples, or if one is not positive.
#[must_use]
pub fn estimate(samples: &Processes) -> Estimate {
    let logs = map(samples, f64::ln);
    interval(&[&logs], |medians| medians[0])
}

/// The median of the ratios of each round, for rows that were measured in the same rounds.
///
/// # Panics
/// Panics if there are no samples, or if the two sides do not have the same processes and rounds.
#[must_use]
pub fn paired(numerators: &Processes, denominators: &Processes) -> Estimate {
    assert_eq!(numerators.len(), denominators.len(), "rows of the same processes");
    let logs: Vec<Vec<f64>> = numerators
        .iter()
        .zip(denominators)
        .map(|(n, d)| {
            assert_eq!(n.len(), d.len(), "rows of the same rounds");
            n.iter().zip(d).map(|(n, d)| (n / d).ln()).collect()
        })
        .collect();
    interval(&[&logs], |medians| medians[0])
}

/// The ratio of the medians of two independent runs.
///
/// # Panics
/// Panics if there are no samples.
#[must_use]
pub fn unpaired(numerators: &Processes, denominators: &Processes) -> Estimate {
    let (numerators, denominators) = (map(numerators, f64::ln), map(denominators, f64::ln));
    interval(&[&numerators, &denominators], |medians| medians[0] - medians[1])
}

/// A function of totals, such as a time summed over batches, or a ratio of two sums. `columns` are the values to sum,
/// with one entry per unit; units are resampled with all their columns. `statistic` gets one total per column, and
/// returns a positive value. The estimate is the value for the actual totals.
///
/// # Panics
/// Panics if there are no units, if columns differ in length, or if the value is not positive.
#[must_use]
pub fn of_totals(columns: &[&[f64]], statistic: impl Fn(&[f64]) -> f64) -> Estimate {
    let units = columns[0].len();
    assert!(units > 0 && columns.iter().all(|c| c.len() == units), "columns of the same units");
    let totals: Vec<f64> = columns.iter().map(|column| column.iter().sum()).collect();
    resampled(statistic(&totals).ln(), units, |random| {
        let mut totals = vec![0.0; columns.len()];
        for _ in 0..units {
            let unit = random.below(units);
            totals.iter_mut().zip(columns).for_each(|(total, column)| *total += column[unit]);
        }
        statistic(&totals).ln()
    })
}

// ------------------------------------------------------------------------------------------ two runs

/// The change between two independent runs, by Welch's test. The observations are the log medians of the processes,
/// because processes are independent. Unlike a bootstrap, the test also gives probabilities of rare events, which are
/// needed to compare hundreds of rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// The mean logarithm of NEW / OLD.
    mean: f64,
    /// The standard error of the mean.
    error: f64,
    /// The degrees of freedom according to Welch and Satterthwaite.
    freedom: f64,
}

impl Change {
    /// The change of NEW relative to OLD. `None` if a side has fewer than two processes, from which no spread can be
    /// computed.
    ///
    /// # Panics
    /// Panics if a process has no samples.
    #[must_use]
    pub fn between(new: &Processes, old: &Processes) -> Option<Self> {
        let side = |processes: &Processes| {
            let n = processes.len() as f64;
            let logs: Vec<f64> = processes.iter().map(|p| median(p).ln()).collect();
            let mean = logs.iter().sum::<f64>() / n;
            let squares: f64 = logs.iter().map(|x| (x - mean).powi(2)).sum();
            (processes.len() > 1).then_some((mean, squares / (n - 1.0) / n, n))
        };
        let ((new_mean, new_part, new_n), (old_mean, old_part, old_n)) = side(new).zip(side(old))?;
        let square = new_part + old_part;
        let below = new_part.powi(2) / (new_n - 1.0) + old_part.powi(2) / (old_n - 1.0);
        let freedom = if below > 0.0 { square.powi(2) / below } else { new_n + old_n - 2.0 };
        Some(Self { mean: new_mean - old_mean, error: square.sqrt(), freedom })
    }

    /// The probability of a change of this size, in either direction, if nothing has changed.
    #[must_use]
    pub fn p_value(self) -> f64 {
        match self.error {
            0.0 if self.mean == 0.0 => 1.0,
            0.0 => 0.0,
            error => 2.0 * self.student().sf((self.mean / error).abs()),
        }
    }

    /// The ratio with its interval at the level `1 - alpha`.
    #[must_use]
    pub fn interval(self, alpha: f64) -> Estimate {
        let half = self.error * -self.student().inverse_cdf(0.5 * alpha);
        Estimate { value: self.mean.exp(), low: (self.mean - half).exp(), high: (self.mean + half).exp() }
    }

    fn student(self) -> StudentsT {
        StudentsT::new(0.0, 1.0, self.freedom).expect("more than no degrees of freedom")
    }
}

/// The threshold for many p-values such that an expected fraction `rate` of those at or below it are false discoveries:
/// Benjamini and Hochberg, *Controlling the False Discovery Rate* (1995). This is valid for independent tests and for
/// positively dependent ones, such as the rows of one run. If nothing differs, the probability that any p-value is at
/// or below the threshold is `rate`.
///
/// An interval at the level of 1 minus the threshold excludes 1 exactly if its p-value is at or below the threshold. If
/// intervals are selected in this way, all but an expected fraction `rate` of them contain the true ratio (Benjamini
/// and Yekutieli, *False Discovery Rate-Adjusted Multiple Confidence Intervals*, 2005).
#[must_use]
pub fn discovery_line(p_values: &[f64], rate: f64) -> f64 {
    let mut sorted = p_values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let part = |count: usize| rate * count as f64 / sorted.len() as f64;
    let discoveries = (1..=sorted.len()).rev().find(|count| sorted[count - 1] <= part(*count));
    if sorted.is_empty() { rate } else { part(discoveries.unwrap_or(1)) }
}

fn map(samples: &Processes, f: impl Fn(f64) -> f64) -> Vec<Vec<f64>> {
    samples.iter().map(|process| process.iter().map(|x| f(*x)).collect()).collect()
}

fn interval(sides: &[&Processes], statistic: impl Fn(&[f64]) -> f64) -> Estimate {
    let pooled = |side: &&Processes| median(&side.concat());
    let value = statistic(&sides.iter().map(pooled).collect::<Vec<_>>());
    let processes = sides.iter().map(|side| side.len()).min().expect("a side");
    let mut pool = Vec::new();
    resampled(value, processes, |random| {
        let medians = sides.iter().map(|side| random.resampled_median(side, &mut pool));
        statistic(&medians.collect::<Vec<_>>())
    })
}

/// The bootstrap, on logarithms, because the estimates are ratios or times, whose errors are relative. `resample`
/// returns the logarithm for resampled units.
fn resampled(value: f64, units: usize, mut resample: impl FnMut(&mut Random) -> f64) -> Estimate {
    assert!(value.is_finite(), "samples are above zero");
    let mut random = Random(0x6861_7368_7765_6c6c);
    let mut resampled: Vec<f64> = (0..RESAMPLES).map(|_| resample(&mut random)).collect();
    resampled.sort_by(f64::total_cmp);
    let wider = widening(units);
    let end = |quantile: f64| {
        let index = (quantile * (RESAMPLES + 1) as f64).round() as usize - 1;
        (value + wider * (resampled[index] - value)).exp()
    };
    Estimate { value: value.exp(), low: end(0.025).min(value.exp()), high: end(0.975).max(value.exp()) }
}

/// `sqrt(P/(P-1)) t(P-1, 0.975) / z(0.975)`. For one process, from which no spread can be computed, this is 1. Code
/// that prints such an interval must mention that.
fn widening(processes: usize) -> f64 {
    /// Two-sided 95 % quantiles of Student's t for 1 to 15 degrees of freedom.
    const T: [f64; 15] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
        2.131,
    ];
    const Z: f64 = 1.960;
    match processes {
        0 | 1 => 1.0,
        p => (p as f64 / (p - 1) as f64).sqrt() * T.get(p - 2).copied().unwrap_or(2.1) / Z,
    }
}

impl Random {
    /// Resamples processes, and then the rounds of each, with replacement. `pool` is a reusable buffer.
    fn resampled_median(&mut self, side: &Processes, pool: &mut Vec<f64>) -> f64 {
        pool.clear();
        for _ in 0..side.len() {
            let process = &side[self.below(side.len())];
            pool.extend((0..process.len()).map(|_| process[self.below(process.len())]));
        }
        let middle = pool.len() / 2;
        let (below, &mut upper, _) = pool.select_nth_unstable_by(middle, f64::total_cmp);
        match below.iter().copied().max_by(f64::total_cmp) {
            Some(lower) if pool.len().is_multiple_of(2) => 0.5 * (lower + upper),
            _ => upper,
        }
    }
}

/// Samples with known answers.
#[cfg(test)]
pub(crate) mod synthetic {
    use super::Random;

    /// A number that is uniform in (0, 1).
    pub(crate) fn unit(random: &mut Random) -> f64 {
        (random.below(1 << 53) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// A number from the standard normal distribution, by the method of Box and Muller.
    pub(crate) fn normal(random: &mut Random) -> f64 {
        (-2.0 * unit(random).ln()).sqrt() * (std::f64::consts::TAU * unit(random)).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::synthetic::normal;
    use super::*;

    #[test]
    fn quartiles_of_odd_and_even_numbers_of_samples() {
        assert_eq!(
            summary(&[5.0, 1.0, 4.0, 2.0, 3.0]),
            Summary { lower_quartile: 2.0, median: 3.0, upper_quartile: 4.0 }
        );
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), 2.5);
        assert_eq!(median(&[7.0]), 7.0);
        assert!(summary(&[1.0, 1.0, 1.2, 1.2]).is_wide());
        assert!(!summary(&[1.0, 1.01, 1.02]).is_wide());
    }

    #[test]
    fn the_paired_ratio_ignores_drift_that_both_sides_share() {
        let drift = [1.0, 1.6, 1.1, 3.0, 1.3];
        let ours: Vec<f64> = drift.iter().map(|d| 10.0 * d).collect();
        let peer: Vec<f64> = drift.iter().map(|d| 12.0 * d).collect();
        assert!((paired_ratio(&peer, &ours) - 1.2).abs() < 1e-12);
        // One disturbed sample does not change the result.
        let mut disturbed = peer;
        disturbed[2] *= 5.0;
        assert!((paired_ratio(&disturbed, &ours) - 1.2).abs() < 1e-12);
    }

    /// Simulated processes whose levels vary, with rounds that vary around the level. All variations are relative.
    fn run(random: &mut Random, level: f64, processes: usize, between: f64, within: f64) -> Vec<Vec<f64>> {
        (0..processes)
            .map(|_| {
                let centre = level * (between * normal(random)).exp();
                (0..15).map(|_| centre * (within * normal(random)).exp()).collect()
            })
            .collect()
    }

    /// The fraction of 400 intervals that contain the true value.
    fn coverage(processes: usize, interval: impl Fn(&mut Random) -> Estimate) -> f64 {
        let mut random = Random(processes as u64);
        let hits = (0..400).filter(|_| !interval(&mut random).excludes(1.0)).count();
        hits as f64 / 400.0
    }

    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        for processes in [3, 5, 8] {
            let one = coverage(processes, |r| estimate(&run(r, 1.0, processes, 0.02, 0.01)));
            let two = coverage(processes, |r| {
                unpaired(&run(r, 3.0, processes, 0.02, 0.01), &run(r, 3.0, processes, 0.02, 0.01))
            });
            assert!(one > 0.92 && two > 0.92, "{processes} processes: {one} {two}");
        }
        // Control: treating rounds as processes would give intervals that are far too short.
        let naive = coverage(8, |r| {
            let rounds = run(r, 1.0, 8, 0.02, 0.01).concat();
            estimate(&rounds.into_iter().map(|x| vec![x]).collect::<Vec<_>>())
        });
        assert!(naive < 0.75, "{naive}");
    }

    #[test]
    fn intervals_of_totals_hold_the_truth_as_often_as_they_say() {
        // Units of very different sizes, whose rates vary by 5 % around 1. The rate of the total is 1.
        let units = |random: &mut Random, n: usize| -> (Vec<f64>, Vec<f64>) {
            let size = |r: &mut Random| (1 + r.below(9)) as f64;
            let sizes: Vec<f64> = (0..n).map(|_| size(random)).collect();
            let times = sizes.iter().map(|size| size * (1.0 + 0.05 * normal(random))).collect();
            (times, sizes)
        };
        for n in [8, 40] {
            let hit = coverage(n, |r| {
                let (times, sizes) = units(r, n);
                of_totals(&[&times, &sizes], |t| t[0] / t[1])
            });
            assert!(hit > 0.92, "{n} units: {hit}");
        }
        // Control: the interval of a sum over units shows how much their sizes differ, not how certain the rate is.
        let (times, sizes) = units(&mut Random(1), 40);
        let rate = of_totals(&[&times, &sizes], |t| t[0] / t[1]);
        let sum = of_totals(&[&times], |t| t[0]);
        assert!((sum.high / sum.low).ln() > 5.0 * (rate.high / rate.low).ln(), "{sum:?} {rate:?}");
    }

    #[test]
    fn a_slowdown_of_3_percent_is_seen_and_none_is_not() {
        let mut random = Random(7);
        let old = run(&mut random, 100.0, 8, 0.005, 0.01);
        let slower = run(&mut random, 103.0, 8, 0.005, 0.01);
        let same = run(&mut random, 100.0, 8, 0.005, 0.01);
        let ratio = unpaired(&slower, &old);
        assert!(ratio.low > 1.0 && (1.02..1.04).contains(&ratio.value), "{ratio:?}");
        assert!(!unpaired(&same, &old).excludes(1.0));
    }

    #[test]
    fn welchs_test_gives_what_textbooks_give() {
        let side = |values: &[f64]| values.iter().map(|v| vec![v.exp()]).collect::<Vec<_>>();
        let (new, old) = (side(&[3.0, 4.0, 1.0, 2.1]), side(&[5.2, 4.9, 7.6]));
        let change = Change::between(&new, &old).unwrap();
        // The expected values were computed by hand, the last one by numeric integration of the density.
        let expected = [(change.mean, -3.375), (change.error, 1.0672199), (change.freedom, 4.0261646)];
        for (value, expected) in expected.into_iter().chain([(change.p_value(), 0.0337969)]) {
            assert!((value - expected).abs() < 1e-6, "{value} {expected}");
        }
        for alpha in [0.05, 1e-4, 1e-7, change.p_value() * 1.0001, change.p_value() * 0.9999] {
            let excluded = change.interval(alpha).excludes(1.0);
            assert_eq!(excluded, change.p_value() <= alpha, "{alpha} {change:?}");
        }
        assert_eq!(Change::between(&new, &old[..1]), None);
        let same = Change::between(&[vec![2.0], vec![2.0]], &[vec![2.0], vec![2.0]]).unwrap();
        assert_eq!((same.p_value(), same.interval(0.05).high), (1.0, 1.0));
    }

    #[test]
    fn the_line_of_discoveries() {
        // The example of Benjamini and Hochberg (1995), section 3.2: four of fifteen are significant at 0.05.
        let p = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719,
            0.6528, 0.7590, 1.0,
        ];
        let line = discovery_line(&p, 0.05);
        assert!((line - 4.0 / 15.0 * 0.05).abs() < 1e-12);
        assert_eq!(p.iter().filter(|p| **p <= line).count(), 4);
        // Without a discovery, the threshold is where the first discovery would be.
        assert_eq!(discovery_line(&[0.5, 0.9], 0.05), 0.025);
        assert_eq!(discovery_line(&[], 0.05), 0.05);
    }

    #[test]
    fn pairing_removes_what_both_sides_share() {
        let mut random = Random(3);
        let base = run(&mut random, 100.0, 8, 0.2, 0.1);
        let twin: Vec<Vec<f64>> = base
            .iter()
            .map(|p| p.iter().map(|x| x * 1.01 * (0.001 * normal(&mut random)).exp()).collect())
            .collect();
        let ratio = paired(&twin, &base);
        assert!(ratio.low > 1.005 && ratio.high < 1.015, "{ratio:?}");
        let unpaired = unpaired(&twin, &base);
        assert!(unpaired.high - unpaired.low > 10.0 * (ratio.high - ratio.low), "{unpaired:?}");
    }

    #[test]
    fn the_same_samples_give_the_same_interval() {
        let samples = run(&mut Random(5), 10.0, 4, 0.01, 0.01);
        assert_eq!(estimate(&samples), estimate(&samples));
        let single = estimate(&[vec![2.0, 2.0, 2.0]]);
        assert!((single.value - 2.0).abs() < 1e-12 && (single.high - single.low).abs() < 1e-12);
    }
}
