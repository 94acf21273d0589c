//! The time of one message as a function of its size. With these curves, the time for messages of any sizes can be
//! predicted.

use crate::peers::Digests;
use crate::report::Cell;
use crate::timing::clock::{Candidate, Effort, Gate, interleaved};
use crate::timing::input::random_bytes;
use crate::timing::random::Random;
use crate::timing::statistics::median;
use std::hint::black_box;
use std::ops::ControlFlow;

/// The sizes of messages in bytes. They are not only powers of two, because tree hashes are fastest at powers of two.
pub const SIZES: [usize; 22] = [
    16,
    64,
    128,
    256,
    512,
    768,
    1 << 10,
    1536,
    2 << 10,
    3 << 10,
    4 << 10,
    6 << 10,
    8 << 10,
    12 << 10,
    16 << 10,
    24 << 10,
    32 << 10,
    48 << 10,
    64 << 10,
    96 << 10,
    256 << 10,
    1 << 20,
];

/// The subset of [`SIZES`] that predicts messages of up to `largest` bytes. The curve needs a point at or above the
/// size of the largest message.
#[must_use]
pub fn sizes_up_to(largest: u64) -> &'static [usize] {
    let below = SIZES.partition_point(|size| (*size as u64) < largest);
    &SIZES[..(below + 1).clamp(2, SIZES.len())]
}

/// The number of bytes of memory that [`measure`] needs for messages of up to this size.
#[must_use]
pub fn memory(largest: usize) -> usize {
    largest + MANY
}

/// The time of one message in nanoseconds, at several sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Pairs of bytes and nanoseconds, in ascending order of bytes; at least two.
    points: Vec<(u64, f64)>,
}

impl Curve {
    /// Returns a curve through these points, if there are at least two of different sizes.
    #[must_use]
    pub fn through(mut points: Vec<(u64, f64)>) -> Option<Self> {
        points.sort_by_key(|point| point.0);
        points.dedup_by_key(|point| point.0);
        (points.len() > 1).then_some(Self { points })
    }

    /// The curve of a row of a report, which uses the median at each size.
    #[must_use]
    pub fn of_cells(cells: &[Cell]) -> Option<Self> {
        Self::through(cells.iter().map(|cell| (cell.bytes, median(&cell.samples.concat()))).collect())
    }

    /// The points as pairs of bytes and nanoseconds.
    #[must_use]
    pub fn points(&self) -> &[(u64, f64)] {
        &self.points
    }

    /// The time of a message of this many bytes, in nanoseconds. It is interpolated linearly, because the time of a
    /// hash is a constant plus a time for each byte. Beyond the last point, the last line is extended; below the first
    /// point, its time is returned.
    #[must_use]
    pub fn ns(&self, bytes: u64) -> f64 {
        let right = self.points.partition_point(|point| point.0 < bytes).clamp(1, self.points.len() - 1);
        let [(x0, y0), (x1, y1)] = [self.points[right - 1], self.points[right]];
        let x = bytes.max(self.points[0].0) as f64 - x0 as f64;
        y0 + x * (y1 - y0) / (x1 - x0) as f64
    }
}

/// A contender to measure.
pub struct Runner<'r> {
    /// The work.
    pub digests: &'r mut Digests<'static>,
    /// The size of a digest in bytes.
    pub output_len: usize,
    /// True if it gets many messages at a time.
    pub many: bool,
}

impl Runner<'_> {
    fn candidate<'a>(&'a mut self, messages: &'a [&'a [u8]]) -> Candidate<'a> {
        let mut out = vec![0; messages.len() * self.output_len];
        Candidate::here(move || (self.digests)(black_box(messages), black_box(&mut out)))
    }
}

/// The maximum number of messages in a batch.
const MANY: usize = 32;

/// The number of messages in a batch: fewer if they are long, but enough for the widest kernel.
fn many(size: usize) -> usize {
    ((4 << 20) / size).clamp(MANY / 2, MANY)
}

/// Measures all curves at these sizes, which are in ascending order, with the runners interleaved. Calls `done` after
/// each size, and returns `None` if `done` returns a break.
///
/// # Panics
/// Panics if `effort` has no rounds, or if there are no sizes.
pub fn measure(
    runners: &mut [Runner<'_>],
    sizes: &[usize],
    gate: &mut Gate,
    effort: Effort,
    done: &mut dyn FnMut() -> ControlFlow<()>,
) -> Option<Vec<Curve>> {
    let random = random_bytes(memory(sizes[sizes.len() - 1]));
    let mut order = Random(0);
    let mut points = vec![Vec::new(); runners.len()];
    for size in sizes.iter().copied() {
        // The messages are different, but share the same memory.
        let messages: Vec<&[u8]> = (0..MANY).map(|i| &random[i..i + size]).collect();
        let counts: Vec<usize> =
            runners.iter().map(|runner| if runner.many { many(size) } else { 1 }).collect();
        let candidates = runners.iter_mut().zip(&counts).map(|(r, count)| r.candidate(&messages[..*count]));
        let timed = interleaved(&mut candidates.collect::<Vec<_>>(), gate, effort, &mut order);
        for ((points, timed), count) in points.iter_mut().zip(timed).zip(&counts) {
            points.push((size as u64, median(&timed.ns) / *count as f64));
        }
        if done().is_break() {
            return None;
        }
    }
    points.into_iter().map(Curve::through).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_and_a_rate_are_met_everywhere() {
        let truth = |bytes: u64| 30.0 + 0.5 * bytes as f64;
        let curve =
            Curve::through([4096, 16, 256, 1 << 20].map(|bytes| (bytes, truth(bytes))).to_vec()).unwrap();
        for bytes in [16, 17, 255, 256, 1000, 4096, 1 << 20, 50 << 20] {
            assert!((curve.ns(bytes) - truth(bytes)).abs() < 1e-6 * truth(bytes), "{bytes}");
        }
        assert_eq!(curve.ns(0), truth(16));
        assert_eq!(curve.ns(1), truth(16));
    }

    #[test]
    fn sizes_end_behind_the_largest_message() {
        assert_eq!(sizes_up_to(0), [16, 64]);
        assert_eq!(sizes_up_to(64), [16, 64]);
        assert_eq!(sizes_up_to(65), [16, 64, 128]);
        assert_eq!(sizes_up_to(1 << 20), SIZES);
        assert_eq!(sizes_up_to(u64::MAX), SIZES);
    }

    #[test]
    fn one_size_makes_no_curve() {
        assert_eq!(Curve::through(vec![(16, 1.0)]), None);
        assert_eq!(Curve::through(vec![(16, 1.0), (16, 2.0)]), None);
    }

    #[test]
    fn the_median_of_all_processes_counts() {
        let cell = |bytes, samples| Cell { bytes, samples, clock_ghz: 1.0, wall_over_cpu: 1.0, quiet: true };
        let cells = [cell(100, vec![vec![10.0, 99.0], vec![11.0]]), cell(200, vec![vec![20.0]])];
        assert_eq!(Curve::of_cells(&cells).unwrap().points(), [(100, 11.0), (200, 20.0)]);
    }

    const EFFORT: Effort = Effort { rounds: 2, patience: 0.0 };

    #[test]
    fn measured_curves_rise() {
        let mut work: Digests<'static> = Box::new(|messages, out| {
            let sum: u64 = messages.iter().flat_map(|m| m.iter()).map(|byte| u64::from(*byte)).sum();
            out.fill(sum as u8);
        });
        let mut steps = 0;
        let mut runners = [Runner { digests: &mut work, output_len: 1, many: true }];
        let mut step = || {
            steps += 1;
            ControlFlow::Continue(())
        };
        let curves = measure(&mut runners, &SIZES, &mut Gate::default(), EFFORT, &mut step).unwrap();
        assert_eq!((curves.len(), steps), (1, SIZES.len()));
        assert!(curves[0].ns(1 << 20) > 100.0 * curves[0].ns(256));
        let stopped = measure(&mut [], &SIZES, &mut Gate::default(), EFFORT, &mut || ControlFlow::Break(()));
        assert_eq!(stopped, None);
    }
}
