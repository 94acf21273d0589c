//! Measures the bias of the two well-known listings in `sample::demonstration`. For each k and n, it compares the
//! frequency of rows in a sample with the correct frequency. `cargo run --release --example bias -p hashwell-draw`
//! prints the table.
//!
//! Seeds are fixed, so the table is always the same. For the first k rows, the probability is computed instead of
//! counting them: each row that enters the sample replaces one of k, so after m such rows a given one of the first k is
//! still in the sample with probability exactly (1 - 1/k)^m. This probability is averaged over the samples. For the
//! last hundredth of the rows, the rows in the samples are counted.

use hashwell::{RandomStream, Source};
use hashwell_draw::Key;
use hashwell_draw::algorithms::AlgorithmR;
use hashwell_draw::key::OPEN_LIST;
use hashwell_draw::sample::demonstration::{FrozenGap, OffByOne};
use hashwell_draw::sample::{Reservoir, SkipReservoir};

fn main() {
    println!(
        "share of the first k rows, and of the last hundredth, divided by the fair share (± one standard error)\n"
    );
    println!(
        "| k | n | samples | R shifted by one: first, last | frozen gap: first, last | exact gap: first, last |"
    );
    println!("|---|---|---|---|---|---|");
    for (k, n, samples) in [
        (1, 1_000, 100_000),
        (10, 100, 200_000),
        (10, 10_000, 30_000),
        (100, 10_000, 10_000),
        (1000, 10_000, 1_000),
    ] {
        let shifted = measure(samples, n, |words| OffByOne::new(words, k).expect("few slots"));
        row(k, n, samples, &shifted.to_string());
    }
    // These are too many rows to draw a number for each, so only the algorithms with gaps are measured.
    for (k, n, samples) in [(10, 10_000_000, 100_000), (100, 10_000_000, 60_000), (1000, 10_000_000, 1_000)] {
        row(k, n, samples, "-");
    }
    let fair = measure(10_000, 10_000, |words| AlgorithmR::new(words, 100).expect("few slots"));
    println!("\nCorrect algorithm R, k = 100, n = 10000: {fair}");
}

fn row(k: usize, n: u64, samples: u32, shifted: &str) {
    let frozen = measure(samples, n, |words| FrozenGap::new(words, k).expect("few slots"));
    let exact = measure(samples, n, |words| SkipReservoir::new(words, k).expect("few slots"));
    println!("| {k} | {n} | {samples} | {shifted} | {frozen} | {exact} |");
}

/// The means of the shares and their standard errors.
struct Shares {
    first: (f64, f64),
    last: (f64, f64),
}

impl std::fmt::Display for Shares {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [(first, first_error), (last, last_error)] = [self.first, self.last];
        write!(f, "{first:.4} ± {first_error:.4}, {last:.3} ± {last_error:.3}")
    }
}

fn measure<R: Reservoir>(samples: u32, n: u64, new: impl Fn(RandomStream) -> R) -> Shares {
    let source = Source::find("blake3").expect("a source");
    let key = Key::derive(b"bias", b"", &OPEN_LIST);
    let (mut first, mut last) = (Vec::new(), Vec::new());
    for sample in 0..samples {
        let words = key.stratum(&sample.to_be_bytes()).words_of(source).expect("a stream");
        let (in_first, in_last) = shares(new(words), n);
        first.push(in_first);
        last.push(in_last);
    }
    Shares { first: mean(&first), last: mean(&last) }
}

/// Returns two values for one sample, each divided by its fair value: the probability that a given one of the first k
/// rows is in it, and the number of rows in it from the last hundredth.
fn shares(mut reservoir: impl Reservoir, n: u64) -> (f64, f64) {
    let k = reservoir.capacity();
    let last = n - n / 100;
    let (mut still, mut late) = (1.0, vec![false; k]);
    while reservoir.seen().saturating_add(reservoir.skip()) < n {
        if reservoir.skip() > 0 {
            reservoir.passed(reservoir.skip());
            continue;
        }
        let row = reservoir.seen();
        late[reservoir.enter().expect("words")] = row >= last;
        if row >= k as u64 {
            still *= 1.0 - 1.0 / k as f64;
        }
    }
    let fair = k as f64 / n as f64;
    let late = late.into_iter().filter(|late| *late).count() as f64;
    (still / fair, late / ((n / 100) as f64 * fair))
}

fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}
