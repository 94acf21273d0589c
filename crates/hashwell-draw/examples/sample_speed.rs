//! Benchmark of samples of 10^7 numbers in memory, compared with the crate rand.
//!
//! Run `cargo run --release --example sample_speed -p hashwell-draw`. Each figure is the minimum CPU time of 5 rounds,
//! in which all samplers take turns. The size and the members of every sample are checked.

use hashwell::Source;
use hashwell_draw::algorithms::{AlgorithmL, AlgorithmR, SequentialSampler, floyd};
use hashwell_draw::sample::{BottomK, SkipReservoir, Tickets, WithReplacement, choose, from_iter};
use hashwell_draw::{Key, key::OPEN_LIST};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, IteratorRandom};
use std::hint::black_box;
use std::sync::LazyLock;
use std::time::Instant;

const ROWS: u64 = 10_000_000;
const ROUNDS: usize = 5;

type Job<'a> = (String, Box<dyn FnMut(u64) -> usize + 'a>);

fn main() {
    let rows: Vec<u64> = (0..ROWS).map(|row| row.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let ids: Vec<String> = (0..ROWS / 10).map(|row| format!("{:09}", row * 7919 % 1_000_000_007)).collect();
    for k in [100, 10_000] {
        jobs(&rows, k);
    }
    tickets(&ids);
}

fn blake3(round: u64) -> hashwell::RandomStream {
    let source = Source::find("blake3").expect("a source");
    source.seeded(&round.to_be_bytes(), b"speed").expect("a stream")
}

fn counter(round: u64) -> hashwell::CounterRng {
    Key::derive(&round.to_be_bytes(), b"speed", &OPEN_LIST).words()
}

fn jobs(rows: &[u64], k: usize) {
    let check = |sample: Vec<&u64>| {
        let inverse = 0xf1de_83e1_9937_733d_u64;
        assert_eq!(sample.len(), k);
        let mut numbers: Vec<u64> = sample.iter().map(|row| row.wrapping_mul(inverse)).collect();
        numbers.sort_unstable();
        assert!(numbers.windows(2).all(|two| two[0] < two[1]) && numbers[k - 1] < ROWS, "different rows");
        k
    };
    let of = |picks: Vec<u64>| picks.into_iter().map(|pick| &rows[pick as usize]).collect();
    let jobs: Vec<Job<'_>> = vec![
        (
            "gap, counter words".into(),
            Box::new(move |seed| {
                check(from_iter(&mut SkipReservoir::new(counter(seed), k).unwrap(), rows).unwrap())
            }),
        ),
        (
            "L, counter words".into(),
            Box::new(move |seed| {
                check(from_iter(&mut AlgorithmL::new(counter(seed), k).unwrap(), rows).unwrap())
            }),
        ),
        (
            "R, blake3 words".into(),
            Box::new(move |seed| {
                check(from_iter(&mut AlgorithmR::new(blake3(seed), k).unwrap(), rows).unwrap())
            }),
        ),
        (
            "R, rand's StdRng as words".into(),
            Box::new(move |seed| {
                let words = hashwell::random::from_words({
                    let mut rng = StdRng::seed_from_u64(seed);
                    move || Ok(rand::Rng::next_u64(&mut rng))
                });
                check(from_iter(&mut AlgorithmR::new(words, k).unwrap(), rows).unwrap())
            }),
        ),
        (
            "rand's sample of an iterator (R)".into(),
            Box::new(move |seed| check(rows.iter().sample(&mut StdRng::seed_from_u64(seed), k))),
        ),
        (
            "sparse shuffle, counter words".into(),
            Box::new(move |seed| check(choose(&mut counter(seed), rows, k).unwrap())),
        ),
        (
            "floyd, counter words".into(),
            Box::new(move |seed| check(of(floyd(&mut counter(seed), ROWS, k as u64).unwrap()))),
        ),
        (
            "in order, counter words".into(),
            Box::new(move |seed| {
                let mut selection = SequentialSampler::new(counter(seed), ROWS, k as u64).unwrap();
                check(of(std::iter::from_fn(|| selection.next_pick().unwrap()).collect()))
            }),
        ),
        (
            "rand's sample of a slice".into(),
            Box::new(move |seed| check(rows.sample(&mut StdRng::seed_from_u64(seed), k).collect())),
        ),
        (
            "with replacement, a stream, counter words".into(),
            Box::new(move |seed| {
                let key = Key::derive(&seed.to_be_bytes(), b"", &OPEN_LIST);
                let mut sample = WithReplacement::new(&key, k).unwrap();
                loop {
                    let skip = sample.skip();
                    if sample.seen().saturating_add(skip) >= ROWS {
                        return sample.places().unwrap().len();
                    }
                    sample.passed(skip);
                    sample.keep().unwrap();
                }
            }),
        ),
    ];
    report(&format!("k = {k} of 10^7 numbers"), "ms", jobs);
}

fn tickets(ids: &[String]) {
    let key = Key::derive(b"speed", b"", &OPEN_LIST);
    let expected = ids.iter().map(|id| key.ticket(id.as_bytes())).min();
    let jobs: Vec<Job<'_>> = vec![
        (
            "tickets in lanes".into(),
            Box::new(|_| {
                let mut least = u128::MAX;
                Tickets::new(&key).each(ids, |_, ticket| least = least.min(ticket)).unwrap();
                assert_eq!(Some(least), expected);
                ids.len()
            }),
        ),
        (
            "tickets in lanes, the 100 smallest kept".into(),
            Box::new(|_| {
                let mut sample = BottomK::new(100);
                let offer = |row: usize, ticket| {
                    sample.offer_with(ticket, ids[row].as_bytes(), || row);
                };
                Tickets::new(&key).each(ids, offer).unwrap();
                assert_eq!(sample.rows().next().map(|row| row.0), expected);
                sample.rows().len()
            }),
        ),
        (
            "tickets one at a time".into(),
            Box::new(|_| {
                let least = ids.iter().map(|id| key.ticket(id.as_bytes())).min();
                assert_eq!(least, expected);
                ids.len()
            }),
        ),
    ];
    report("a ticket for each of 10^6 ids of 9 bytes", "ns per row", jobs);
}

fn report(title: &str, unit: &str, mut jobs: Vec<Job<'_>>) {
    let mut least = vec![f64::MAX; jobs.len()];
    for round in 0..ROUNDS {
        for (job, least) in jobs.iter_mut().zip(&mut least) {
            // The clock has steps of some milliseconds, so short jobs are repeated.
            let (begin, mut times) = (cpu_ms(), 0.0);
            while times == 0.0 || cpu_ms() - begin < 60.0 {
                black_box(job.1(round as u64));
                times += 1.0;
            }
            *least = f64::min((cpu_ms() - begin) / times, *least);
        }
    }
    println!("{title} ({unit})");
    for ((name, _), least) in jobs.iter().zip(least) {
        println!("  {least:8.3}  {name}");
    }
}

/// Returns the CPU time of this thread in milliseconds. On systems other than Linux, returns the wall time.
fn cpu_ms() -> f64 {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = text.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.unwrap_or_else(|| BEGIN.elapsed().as_nanos() as f64) / 1e6
}
