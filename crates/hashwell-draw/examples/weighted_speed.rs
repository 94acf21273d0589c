//! Benchmark of weighted samples of 10^7 rows in memory, compared with `sample_weighted` of the crate rand. Each figure
//! is the minimum CPU time of several rounds, in which the samplers take turns. Every result is checked first.
//!
//! ```text
//! cargo run --release -p hashwell-draw --example weighted_speed
//! ```

use hashwell::random::from_rng;
use hashwell::{RandomSource, Source};
use hashwell_draw::algorithms::{ARes, AliasTable};
use hashwell_draw::weighted::{AExpJ, WeightedWithReplacement};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::time::Duration;

const ROWS: usize = 10_000_000;
const ROUNDS: usize = 5;

type Sampler = (&'static str, fn(&[f64], usize) -> Vec<usize>);

const SAMPLERS: [Sampler; 5] = [
    ("rand 0.10 sample_weighted, xoshiro", by_rand),
    ("AExpJ (A-ExpJ), xoshiro", |weights, k| by_jumps(from_rng(SmallRng::seed_from_u64(1)), weights, k)),
    ("AExpJ (A-ExpJ), blake3", |weights, k| by_jumps(stream("blake3"), weights, k)),
    ("AExpJ (A-ExpJ), counter", |weights, k| by_jumps(stream("counter"), weights, k)),
    ("ARes (A-ARes), xoshiro", by_res),
];

fn main() {
    let mut rng = SmallRng::seed_from_u64(7);
    let weights: Vec<f64> = (0..ROWS).map(|_| rng.random::<f64>()).collect();
    for k in [100, 10_000, 1_000_000] {
        println!("{k} of {ROWS} rows, weights uniform on 0 to 1");
        let mut best = [Duration::MAX; SAMPLERS.len()];
        for round in 0..=ROUNDS {
            for ((name, sampler), best) in SAMPLERS.iter().zip(&mut best) {
                let before = cpu();
                let mut sample = sampler(&weights, k);
                let took = cpu() - before;
                if round == 0 {
                    check(name, &weights, k, &mut sample);
                } else {
                    *best = took.min(*best);
                }
            }
        }
        for ((name, _), took) in SAMPLERS.iter().zip(best) {
            let ratio = best[0].as_secs_f64() / took.as_secs_f64();
            println!("  {:8.1} ms  {ratio:5.2} x  {name}", took.as_secs_f64() * 1e3);
        }
    }
    with_replacement(&weights);
}

fn stream(name: &str) -> impl RandomSource {
    Source::find(name).and_then(|source| source.seeded(b"speed", b"")).expect("a source")
}

fn by_rand(weights: &[f64], k: usize) -> Vec<usize> {
    let mut rng = SmallRng::seed_from_u64(1);
    let sample = rand::seq::index::sample_weighted(&mut rng, weights.len(), |row| weights[row], k);
    sample.expect("weights").into_vec()
}

fn by_jumps(words: impl RandomSource, weights: &[f64], k: usize) -> Vec<usize> {
    let mut jumps = AExpJ::new(words, k).expect("a sampler");
    let mut sample = vec![0; k];
    let mut at = 0;
    while at < weights.len() {
        let (rows, slot) = jumps.skip_slice(&weights[at..]).expect("weights");
        at += rows;
        if let Some(slot) = slot {
            sample[slot] = at - 1;
        }
    }
    sample
}

fn by_res(weights: &[f64], k: usize) -> Vec<usize> {
    let mut res = ARes::new(from_rng(SmallRng::seed_from_u64(1)), k).expect("a sampler");
    let mut sample = vec![0; k];
    for (row, &weight) in weights.iter().enumerate() {
        if let Some(slot) = res.offer(weight).expect("weights") {
            sample[slot] = row;
        }
    }
    sample
}

/// Checks that a sample has k different rows, that each tenth of the file has its share of them, and that their mean
/// weight is the expected one for successive sampling.
fn check(name: &str, weights: &[f64], k: usize, sample: &mut Vec<usize>) {
    sample.sort_unstable();
    sample.dedup();
    assert_eq!(sample.len(), k, "{name}");
    let rows = k as f64;
    for tenth in 0..10 {
        let of_it = sample.iter().filter(|&&row| row * 10 / weights.len() == tenth).count() as f64;
        assert!(
            (of_it - rows / 10.0).abs() < 6.0 * (rows * 0.09).sqrt(),
            "{name}: {of_it} rows of tenth {tenth}"
        );
    }
    // A row of weight w arrives before time t with probability 1 - e^(-t·w). Find the t at which k rows have arrived on
    // average.
    let arrived = |t: f64| weights.iter().step_by(101).map(|w| 1.0 - (-t * w).exp()).sum::<f64>() * 101.0;
    let (mut low, mut high) = (0.0, 100.0);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if arrived(middle) < rows { low = middle } else { high = middle }
    }
    let must = weights.iter().step_by(101).map(|w| w * (1.0 - (-low * w).exp())).sum::<f64>() * 101.0 / rows;
    let mean = sample.iter().map(|&row| weights[row]).sum::<f64>() / rows;
    assert!((mean - must).abs() < 6.0 * 0.24 / rows.sqrt() + 2e-3, "{name}: mean weight {mean}, not {must}");
}

/// Measures sampling with replacement. The crate rand has no such function for a stream, so there is no comparison.
fn with_replacement(weights: &[f64]) {
    let before = cpu();
    let mut slots =
        WeightedWithReplacement::new(from_rng(SmallRng::seed_from_u64(1)), 100).expect("a sampler");
    let taken: usize = weights.iter().map(|&weight| slots.offer(weight).expect("weights").len()).sum();
    println!(
        "  {:8.1} ms  Slots, 100 draws with replacement of a stream ({taken} slots taken)",
        ms(cpu() - before)
    );
    let units: Vec<u128> = weights.iter().map(|weight| (weight * 1e6) as u128).collect();
    let before = cpu();
    let table = AliasTable::new(&units).expect("weights");
    let built = cpu() - before;
    let mut words = from_rng(SmallRng::seed_from_u64(1));
    let before = cpu();
    let sum: usize = (0..1_000_000).map(|_| table.draw(&mut words).expect("words").expect("a row")).sum();
    let drawn = cpu() - before;
    println!(
        "  {:8.1} ms  AliasTable of {ROWS} rows; 10^6 draws {:.1} ms (checksum {sum})",
        ms(built),
        ms(drawn)
    );
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Returns the CPU time of this process, user and system, from `/proc`. On systems without it, returns the wall time.
fn cpu() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    let start = *START.get_or_init(Instant::now);
    let scheduled = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds = scheduled.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}
