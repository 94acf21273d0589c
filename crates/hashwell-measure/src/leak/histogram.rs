//! Welch's t-test on measurements of two classes, as in dudect (Reparaz, Balasch and Verbauwhede, *Dude, is my code
//! constant time?*, 2017): on all measurements, on those below each of 100 percentiles, and on the centered squares of
//! all. Clocks tick in steps, so values repeat, and a histogram has all the information that the tests need.

use super::{Class, Sample};
use serde::{Deserialize, Serialize};

/// The number of percentiles at which dudect crops. Crop `k` keeps the fraction `1 - 0.5^(10 k / 100)` of the
/// measurements.
const CROPS: i32 = 100;

/// A crop with fewer measurements of one class than this is omitted, because p-values assume large samples.
const MIN_CLASS: f64 = 100.0;

/// The fraction of all measurements that a value must have to count for the clock's step. A clock that is adjusted
/// returns a few values between the steps.
const COMMON: f64 = 0.0005;

/// The measurements that a t-test uses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Test {
    /// All measurements.
    Raw,
    /// This fraction of the measurements, the fastest ones.
    Crop(f64),
    /// The squared distances from the mean of the class, to detect a difference in spread.
    CentredSquares,
}

/// The test with the largest |t|.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Strongest {
    pub(crate) test: Test,
    pub(crate) t: f64,
    /// The number of tests that it was chosen from.
    pub(crate) tests: usize,
}

/// The number of values, their sum, and the sum of their squares.
#[derive(Clone, Copy, Default)]
struct Moments {
    n: f64,
    sum: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64, count: f64) {
        self.n += count;
        self.sum += count * value;
        self.squares += count * value * value;
    }

    fn mean(&self) -> f64 {
        self.sum / self.n
    }

    /// The unbiased variance. Rounding errors cannot make it negative.
    fn variance(&self) -> f64 {
        ((self.squares - self.sum * self.mean()) / (self.n - 1.0)).max(0.0)
    }
}

/// Welch's t for the difference of the means, first minus second. Variances below `floor` are replaced by `floor`,
/// because a clock with discrete steps has at least this uncertainty. Returns 0 if there is nothing to compare.
fn welch(classes: &[Moments; 2], floor: f64) -> f64 {
    let [a, b] = classes;
    if a.n < 2.0 || b.n < 2.0 {
        return 0.0;
    }
    let difference = a.mean() - b.mean();
    let error = (a.variance().max(floor) / a.n + b.variance().max(floor) / b.n).sqrt();
    if difference == 0.0 { 0.0 } else { difference / error }
}

/// A value of the clock, and the number of measurements of each class with this value.
#[derive(Clone, Copy, Debug)]
struct Bin {
    value: f64,
    count: [f64; 2],
}

/// The measurements of two classes, in ticks.
#[derive(Clone, Debug)]
pub(crate) struct Histogram {
    /// The bins, in ascending order of their values.
    bins: Vec<Bin>,
    /// The clock's step in ticks.
    step: f64,
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Histogram {
    pub(crate) fn new(samples: &[Sample]) -> Self {
        let mut sorted: Vec<&Sample> = samples.iter().collect();
        sorted.sort_unstable_by_key(|sample| sample.ticks);
        let mut bins: Vec<Bin> = Vec::new();
        for sample in sorted {
            let value = sample.ticks as f64;
            if bins.last().is_none_or(|bin| bin.value != value) {
                bins.push(Bin { value, count: [0.0; 2] });
            }
            bins.last_mut().expect("just pushed").count[sample.class as usize] += 1.0;
        }
        let common = |bin: &&Bin| bin.count[0] + bin.count[1] >= COMMON * samples.len() as f64;
        let values: Vec<u64> = bins.iter().filter(common).map(|bin| bin.value as u64).collect();
        let step = values.windows(2).map(|pair| pair[1] - pair[0]).fold(0, gcd).max(1);
        Self { bins, step: step as f64 }
    }

    /// The clock's step in ticks.
    pub(crate) fn step(&self) -> f64 {
        self.step
    }

    /// The histogram that would result if every measurement of the fixed class took `by` ticks longer. In steps of the
    /// clock, `by` has an integer part, by which all of these measurements are moved, and a fractional part. A fraction
    /// of the measurements, as large as the fractional part, is moved by one more step, as a clock with discrete steps
    /// would show.
    fn shifted(&self, by: f64) -> Self {
        let (steps, part) = ((by / self.step).floor(), (by / self.step).fract().rem_euclid(1.0));
        let moved = |extra: f64, part: f64| {
            self.bins.iter().map(move |bin| Bin {
                value: bin.value + (steps + extra) * self.step,
                count: [bin.count[Class::Fixed as usize] * part, 0.0],
            })
        };
        let random =
            self.bins.iter().map(|bin| Bin { count: [0.0, bin.count[Class::Random as usize]], ..*bin });
        let mut all: Vec<Bin> = moved(0.0, 1.0 - part).chain(moved(1.0, part)).chain(random).collect();
        all.retain(|bin| bin.count[0] + bin.count[1] > 0.0);
        all.sort_by(|a, b| a.value.total_cmp(&b.value));
        let mut bins: Vec<Bin> = Vec::with_capacity(all.len());
        for bin in all {
            match bins.last_mut() {
                Some(last) if last.value == bin.value => {
                    last.count[0] += bin.count[0];
                    last.count[1] += bin.count[1];
                }
                _ => bins.push(bin),
            }
        }
        Self { bins, step: self.step }
    }

    fn total(&self) -> f64 {
        self.bins.iter().map(|bin| bin.count[0] + bin.count[1]).sum()
    }

    /// The t of every test. Percentiles are taken over both classes together, so that cropping does not depend on the
    /// class. Percentiles between the same two steps of the clock count as one test.
    pub(crate) fn tests(&self) -> Vec<(Test, f64)> {
        // Sums relative to a middle value avoid a loss of precision.
        let Some(origin) = self.bins.get(self.bins.len() / 2).map(|bin| bin.value) else { return Vec::new() };
        let floor = self.step * self.step / 12.0;
        let total = self.total();
        let part = |k: i32| 1.0 - 0.5_f64.powf(f64::from(10 * k) / f64::from(CROPS));
        let mut sums = [Moments::default(); 2];
        let mut found = Vec::new();
        let mut k = 1;
        for (i, bin) in self.bins.iter().enumerate() {
            for (sums, count) in sums.iter_mut().zip(bin.count) {
                sums.add(bin.value - origin, count);
            }
            let kept = (sums[0].n + sums[1].n) / total;
            let crosses = k <= CROPS && part(k) <= kept;
            while k <= CROPS && part(k) <= kept {
                k += 1;
            }
            let last = i + 1 == self.bins.len();
            if crosses && !last && sums.iter().all(|class| class.n >= MIN_CLASS) {
                found.push((Test::Crop(kept), welch(&sums, floor)));
            }
        }
        found.push((Test::Raw, welch(&sums, floor)));
        if sums.iter().all(|class| class.n >= MIN_CLASS) {
            found.push((Test::CentredSquares, self.centred_squares(origin, sums.map(|class| class.mean()))));
        }
        found
    }

    fn centred_squares(&self, origin: f64, means: [f64; 2]) -> f64 {
        let mut squares = [Moments::default(); 2];
        for bin in &self.bins {
            for ((squares, mean), count) in squares.iter_mut().zip(means).zip(bin.count) {
                squares.add((bin.value - origin - mean).powi(2), count);
            }
        }
        // The floor for the values is step^2/12, the variance of their rounding error. The floor for the squares is the
        // square of that.
        welch(&squares, (self.step * self.step / 12.0).powi(2))
    }

    /// The test with the largest |t|.
    pub(crate) fn strongest(&self) -> Strongest {
        let tests = self.tests();
        let largest = tests.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
        let (test, t) = largest.copied().unwrap_or((Test::Raw, 0.0));
        Strongest { test, t, tests: tests.len() }
    }

    /// The smallest difference, in ticks, that would have raised |t| to `t`. To find it, differences are added to every
    /// measurement of one class, in the direction that is harder to detect. Infinite if there are too few measurements.
    pub(crate) fn detectable(&self, t: f64) -> f64 {
        let seen = |by: f64| [by, -by].iter().all(|by| self.shifted(*by).strongest().t.abs() >= t);
        let mut high = 1.0 / 64.0;
        while !seen(high) {
            high *= 2.0;
            if high > 1e12 {
                return f64::INFINITY;
            }
        }
        let mut low = high / 2.0;
        for _ in 0..6 {
            let middle = 0.5 * (low + high);
            if seen(middle) { high = middle } else { low = middle }
        }
        high
    }

    /// The quantiles that divide a class into `parts` equal parts, including both ends.
    pub(crate) fn quantiles(&self, class: Class, parts: usize) -> Vec<f64> {
        let total: f64 = self.bins.iter().map(|bin| bin.count[class as usize]).sum();
        let mut bins = self.bins.iter().filter(|bin| bin.count[class as usize] > 0.0).peekable();
        let mut below = 0.0;
        let at = |i: usize| {
            let wanted = total * i as f64 / parts as f64;
            while let Some(bin) = bins.peek() {
                if below + bin.count[class as usize] >= wanted {
                    return bin.value;
                }
                below += bin.count[class as usize];
                bins.next();
            }
            f64::NAN
        };
        if total == 0.0 { Vec::new() } else { (0..=parts).map(at).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(fixed: &[u64], random: &[u64]) -> Vec<Sample> {
        let of = |class| move |ticks: &u64| Sample { ticks: *ticks, class };
        fixed.iter().map(of(Class::Fixed)).chain(random.iter().map(of(Class::Random))).collect()
    }

    fn raw(fixed: &[u64], random: &[u64]) -> f64 {
        let tests = Histogram::new(&samples(fixed, random)).tests();
        tests.iter().find(|(test, _)| *test == Test::Raw).unwrap().1
    }

    #[test]
    fn welch_by_hand() {
        // The 3 and 4 values have the means 4 and 9 and the variances 4 and 20/3, so t is -5 / sqrt(4/3 + 5/3).
        assert!((raw(&[2, 4, 6], &[6, 8, 10, 12]) - -5.0 / 3.0_f64.sqrt()).abs() < 1e-12);
        // The expected value was computed with Python's module `statistics`.
        let t = raw(&[1003, 998, 1010, 1007, 995], &[1001, 1020, 1015, 1030, 999, 1012]);
        assert!((t - -1.855_365_960_711_879_3).abs() < 1e-12, "{t}");
    }

    #[test]
    fn ties_and_constants() {
        assert_eq!(raw(&[7; 200], &[7; 200]), 0.0);
        // Two constants differ by more than the clock's rounding can explain.
        assert!(raw(&[7; 200], &[9; 200]) < -10.0);
        assert_eq!(raw(&[], &[7; 200]), 0.0);
        assert!(Histogram::new(&[]).tests().is_empty());
        assert_eq!(Histogram::new(&[]).strongest().t, 0.0);
        // All percentiles between the same two values are one test. Together with the test of all measurements and the
        // test of the squares, there are three.
        let two: Vec<u64> = (0..400).map(|i| if i % 2 == 0 { 10 } else { 20 }).collect();
        let strongest = Histogram::new(&samples(&two, &two)).strongest();
        assert_eq!((strongest.t, strongest.tests), (0.0, 3));
    }

    #[test]
    fn the_step_of_the_clock() {
        let mut ticks: Vec<u64> = (0..4000).map(|i| 1000 + 26 * (i % 7)).collect();
        assert_eq!(Histogram::new(&samples(&ticks, &ticks)).step(), 26.0);
        ticks.push(1001);
        assert_eq!(Histogram::new(&samples(&ticks, &ticks)).step(), 26.0);
        assert_eq!(Histogram::new(&samples(&[5; 9], &[5; 9])).step(), 1.0);
    }

    #[test]
    fn shifting_moves_the_mean_of_one_class() {
        let ticks: Vec<u64> = (0..1000).map(|i| 1000 + 26 * (i % 7)).collect();
        let histogram = Histogram::new(&samples(&ticks, &ticks));
        for by in [0.0, 0.5, 26.0, 40.0, -0.5, -61.0] {
            let shifted = histogram.shifted(by);
            let mean = |class: usize| {
                let sum: f64 = shifted.bins.iter().map(|bin| bin.value * bin.count[class]).sum();
                sum / shifted.bins.iter().map(|bin| bin.count[class]).sum::<f64>()
            };
            assert!((mean(0) - mean(1) - by).abs() < 1e-9, "{by}");
        }
    }

    #[test]
    fn a_difference_in_spread_is_seen_in_the_squares() {
        let fixed: Vec<u64> = (0..2001).map(|i| 1000 + i % 3).collect();
        let random: Vec<u64> = (0..2001).map(|i| 996 + 5 * (i % 3)).collect();
        let tests = Histogram::new(&samples(&fixed, &random)).tests();
        let t = |wanted: Test| tests.iter().find(|(test, _)| *test == wanted).unwrap().1;
        assert!(t(Test::Raw).abs() < 1e-9);
        assert!(t(Test::CentredSquares) < -40.0);
    }

    #[test]
    fn quantiles_of_a_class() {
        let histogram = Histogram::new(&samples(&[1, 2, 3, 4], &[10, 10]));
        assert_eq!(histogram.quantiles(Class::Fixed, 4), [1.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(histogram.quantiles(Class::Random, 2), [10.0; 3]);
    }
}
