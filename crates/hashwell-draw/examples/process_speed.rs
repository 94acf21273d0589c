//! Benchmarks of processes: one step compared with a hand-written loop, exact distributions, and replicates with their
//! keys.
//!
//! Run `cargo run --release -p hashwell-draw --example process_speed`. Nanoseconds are the minimum of many rounds, in
//! which the compared jobs take turns. Seconds and milliseconds are CPU time, averaged over some rounds. Results are
//! checked before anything is measured.

use hashwell::{ByteSource, RandomSource, Source};
use hashwell_draw::draw::{beta, gaussian, unit};
use hashwell_draw::process::builtin::{Crp, Geometric, Hmm};
use hashwell_draw::process::interpret::{Limits, exact, sample, simulate};
use hashwell_draw::process::registry::{Data, Given, find};
use hashwell_draw::process::{Coalgebra, Distribution, Flow, Outcome, Run, Streams};
use hashwell_draw::{Error, Key, Watch};
use std::hint::black_box;
use std::time::Instant;

const ALPHA: f64 = 1.5;

/// A random walk with steps of +1 and -1.
struct Walk {
    steps: u64,
    up: f64,
}

impl Coalgebra for Walk {
    type State = (u64, i64);
    type Out = i64;

    fn start(&self) -> Flow<(u64, i64), i64> {
        Flow::More((0, 0))
    }

    #[inline]
    fn distribution<'a>(&'a self, _: &'a (u64, i64)) -> Distribution<'a> {
        Distribution::Bernoulli(self.up)
    }

    #[inline]
    fn next(&self, (step, at): (u64, i64), draw: Outcome) -> Flow<(u64, i64), i64> {
        let at = if draw.flag() { at + 1 } else { at - 1 };
        if step + 1 == self.steps { Flow::Done(at) } else { Flow::More((step + 1, at)) }
    }
}

fn walk_by_hand(walk: &Walk, words: &mut impl RandomSource) -> Result<i64, Error> {
    let mut at = 0;
    for _ in 0..walk.steps {
        at += if unit(words)? < walk.up { 1 } else { -1 };
    }
    Ok(at)
}

fn geometric_by_hand(p: f64, words: &mut impl RandomSource) -> Result<u64, Error> {
    let mut trial = 1;
    while unit(words)? >= p {
        trial += 1;
    }
    Ok(trial)
}

/// Returns the minimum time in nanoseconds for each job, divided by the number that the job returns. In each round, all
/// jobs take turns.
fn least(rounds: usize, jobs: &mut [&mut dyn FnMut() -> u64]) -> Vec<f64> {
    let mut least = vec![f64::INFINITY; jobs.len()];
    for _ in 0..rounds {
        for (job, least) in jobs.iter_mut().zip(&mut least) {
            let begin = Instant::now();
            let done = job();
            *least = least.min(begin.elapsed().as_nanos() as f64 / done as f64);
        }
    }
    least
}

/// A random generator that costs almost nothing (splitmix64), so that the cost of the code around it can be measured.
struct Cheap(u64);

impl ByteSource for Cheap {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), hashwell::Error> {
        let (words, rest) = out.as_chunks_mut::<8>();
        assert!(rest.is_empty(), "only whole words are requested here");
        words.iter_mut().try_for_each(|word| self.take(8).map(|made| *word = made))
    }

    #[inline(always)]
    fn take(&mut self, len: usize) -> Result<[u8; 8], hashwell::Error> {
        assert_eq!(len, 8, "only whole words are requested here");
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        Ok((mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb).to_be_bytes())
    }
}

fn cheap() -> Cheap {
    Cheap(7)
}

/// Compares steps of a coalgebra with a hand-written loop on the same random numbers.
fn steps<W: RandomSource>(name: &str, words: impl Fn() -> W) -> Result<(), Error> {
    let walk = Walk { steps: 20_000, up: 0.5 };
    let waits = 20;
    let geometric = Geometric::new(1e-3)?;
    assert_eq!(sample(&walk, &mut words(), &Limits::default())?, walk_by_hand(&walk, &mut words())?);
    assert_eq!(sample(&geometric, &mut words(), &Limits::default())?, geometric_by_hand(1e-3, &mut words())?);
    let [mut a, mut b, mut c, mut d] = [words(), words(), words(), words()];
    let times = least(
        400,
        &mut [
            &mut || {
                black_box(sample(&walk, &mut a, &Limits::default())).expect("a walk");
                walk.steps
            },
            &mut || {
                black_box(walk_by_hand(&walk, &mut b)).expect("a walk");
                walk.steps
            },
            &mut || (0..waits).map(|_| sample(&geometric, &mut c, &Limits::default()).expect("a wait")).sum(),
            &mut || (0..waits).map(|_| geometric_by_hand(1e-3, &mut d).expect("a wait")).sum(),
        ],
    );
    for (scheme, pair) in ["random walk", "geometric"].iter().zip(times.chunks(2)) {
        let (ours, hand) = (pair[0], pair[1]);
        println!(
            "{scheme} on {name}: a step {ours:.2} ns, hand-written {hand:.2} ns, ratio {:.2}",
            ours / hand
        );
    }
    Ok(())
}

fn terms() -> Result<(), Error> {
    let n = 2000;
    let mut all = [cheap(), cheap(), cheap(), cheap()];
    let [a, b, c, d] = &mut all;
    let times = least(
        200,
        &mut [
            &mut || (0..n).map(|_| unit(a).map_or(0, |u| u64::from(black_box(u) < 2.0))).sum(),
            &mut || (0..n).map(|_| gaussian(b).map_or(0, |z| u64::from(black_box(z) < 99.0))).sum(),
            &mut || (0..n).map(|_| beta(c, 1.0, 1.5).map_or(0, |x| u64::from(black_box(x) < 2.0))).sum(),
            &mut || (0..n).map(|_| beta(d, 0.5, 2.5).map_or(0, |x| u64::from(black_box(x) < 2.0))).sum(),
        ],
    );
    for (term, time) in ["uniform", "Gaussian", "Beta(1, 1.5)", "Beta(0.5, 2.5)"].iter().zip(times) {
        println!("{term} on cheap words: {time:.1} ns");
    }
    Ok(())
}

/// Returns the average CPU time of a round in seconds, which does not depend on other work on the machine. If the
/// system doesn't count CPU time, returns the wall time.
fn busy(rounds: u32, mut job: impl FnMut() -> Result<(), Error>) -> Result<f64, Error> {
    let count = || {
        let counted = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        counted.split(' ').next()?.parse::<f64>().ok()
    };
    let (begin, clock) = (count(), Instant::now());
    for _ in 0..rounds {
        job()?;
    }
    let nanoseconds = match (begin, count()) {
        (Some(begin), Some(end)) => end - begin,
        _ => clock.elapsed().as_nanos() as f64,
    };
    Ok(nanoseconds / 1e9 / f64::from(rounds))
}

/// Returns the expected number of tables.
fn tables(customers: u32) -> f64 {
    (0..customers).map(|i| ALPHA / (ALPHA + f64::from(i))).sum()
}

fn exact_sizes(customers: u32, rounds: u32) -> Result<(), Error> {
    let sizes = Crp::new(customers, ALPHA)?.partition();
    let limit = Limits { mass: 0.0, ..Limits::default() };
    let law = exact(&sizes, &limit)?;
    let mean: f64 = law.outcomes.iter().map(|(sizes, mass)| sizes.len() as f64 * mass).sum();
    assert!((mean - tables(customers)).abs() < 1e-12, "{mean} {}", tables(customers));
    let time = busy(rounds, || exact(&sizes, &limit).map(|law| drop(black_box(law))))?;
    let (outcomes, expanded) = (law.outcomes.len(), law.expanded);
    println!(
        "exact sizes of {customers} customers: {time:.4} s, {outcomes} outcomes, {expanded} states expanded"
    );
    Ok(())
}

/// One long restaurant process, with random numbers from the default source.
fn restaurant(run: &Run) -> Result<(), Error> {
    let short = Crp::new(1000, ALPHA)?;
    let mut labels = Vec::new();
    short.labels(&mut run.words()?, &mut labels, Watch::never())?;
    assert_eq!(labels, sample(&short, &mut run.words()?, &Limits::default())?);
    for alpha in [1.5, 100.0] {
        let long = Crp::new(1_000_000, alpha)?;
        let time = busy(20, || {
            labels.clear();
            let words: &mut dyn RandomSource = &mut run.words()?;
            long.labels(words, &mut labels, Watch::never())
        })?;
        println!("a restaurant of 10^6, alpha {alpha}: {:.2} ms", time * 1e3);
    }
    let model = find("crp")?.build(&Given::new().with("n", 1_000_000).with("alpha", ALPHA), None)?;
    let time =
        busy(20, || model.sample(&mut run.words()?, &Limits::default()).map(|value| drop(black_box(value))))?;
    println!("  by the registry: {:.2} ms", time * 1e3);
    Ok(())
}

fn replicates(run: &Run) -> Result<(), Error> {
    const CUSTOMERS: u32 = 100;
    let (count, crp) = (2000, Crp::new(CUSTOMERS, ALPHA)?);
    let mut labels = Vec::new();
    let mut sum = |stop: u64| -> Result<u64, Error> {
        let mut sum = 0;
        let mut replicates = run.replicates(0..stop)?;
        while let Some((_, words)) = replicates.next_words()? {
            labels.clear();
            crp.labels(words, &mut labels, Watch::never())?;
            sum += labels.iter().map(|&label| u64::from(label)).sum::<u64>();
        }
        Ok(sum)
    };
    let alone = (0..count).try_fold(0, |sum, j| {
        let mut labels = Vec::new();
        crp.labels(&mut run.replicate(j)?, &mut labels, Watch::never())?;
        Ok::<_, Error>(sum + labels.iter().map(|&label| u64::from(label)).sum::<u64>())
    })?;
    assert_eq!(sum(count)?, alone);
    let first = || -> Result<u64, Error> {
        let mut replicates = run.replicates(0..count)?;
        let mut sum = 0_u64;
        while let Some((_, stream)) = replicates.next_words()? {
            sum = sum.wrapping_add(stream.next_u64()?);
        }
        black_box(sum);
        Ok(count)
    };
    let (mut cheap, mut none) = (cheap(), Vec::new());
    let times = least(
        200,
        &mut [
            &mut || sum(count).map(|_| count).expect("restaurants"),
            &mut || first().expect("words"),
            &mut || {
                for _ in 0..count {
                    none.clear();
                    crp.labels(&mut cheap, &mut none, Watch::never()).expect("a restaurant");
                }
                count
            },
        ],
    );
    let (all, words, urn) = (times[0], times[1], times[2]);
    println!("a restaurant of 100: {all:.0} ns, {:.2} million per second in one thread", 1e3 / all);
    println!("  its key and first 128 words {words:.0} ns; the urn on cheap words {urn:.0} ns");
    columns(run, CUSTOMERS)?;
    let geometric = Geometric::new(0.1)?;
    let limits = Limits { threads: 1, ..Limits::default() };
    let mut words = 0;
    let time = busy(1, || {
        let all = simulate(&geometric, run, 0..1_000_000, &limits)?;
        words = all.outs.iter().sum();
        Ok(())
    })?;
    println!("10^6 geometric replicates: {time:.2} s, of {words} words");
    Ok(())
}

/// Replicates as the command and Python compute them: the process is found by name, and the results are flat arrays.
fn columns(run: &Run, customers: u32) -> Result<(), Error> {
    const REPLICATES: u64 = 1_000_000;
    let given = Given::new().with("n", i64::from(customers)).with("alpha", ALPHA);
    let model = find("crp")?.build(&given, None)?;
    let limits = Limits { threads: 1, ..Limits::default() };
    let mut mean = 0.0;
    let time = busy(3, || {
        let all = model.simulate(Streams::Separate(run, 0..REPLICATES), &limits)?;
        let Data::U32(labels) = all.data else { unreachable!("labels are of 32 bits") };
        let opened = labels
            .chunks(customers as usize)
            .step_by(100)
            .map(|one| one.iter().max().map_or(0, |last| last + 1));
        mean = opened.map(f64::from).sum::<f64>() / (REPLICATES / 100) as f64;
        Ok(())
    })?;
    assert!((mean - tables(customers)).abs() < 0.1, "{mean} {}", tables(customers));
    println!("10^6 restaurants of {customers} by the registry, in columns: {time:.2} s");
    Ok(())
}

/// A forward pass with T S² products. The entries of a row are (i j + i + j) mod 97 + 1, scaled.
fn hidden() -> Result<(), Error> {
    let law = |i: usize, width: usize| {
        let row: Vec<f64> = (0..width).map(|j| ((i * j + i + j) % 97 + 1) as f64).collect();
        let sum: f64 = row.iter().sum();
        row.into_iter().map(|x| x / sum).collect::<Vec<_>>()
    };
    let of = |states: usize, times: i64| {
        let rows = |width: usize| (0..states).map(|i| law(i, width)).collect::<Vec<_>>();
        let observed: Vec<i64> = (0..times).map(|t| t * t % 7 % 5).collect();
        Hmm::new(law(1, states), rows(states), rows(5), &observed)
    };
    let small = of(7, 20)?;
    let enumerated = exact(&small.summary(), &Limits { mass: 0.0, ..Limits::default() })?.log_evidence();
    assert!((small.log_evidence()? - enumerated).abs() < 1e-11);
    for (states, times, rounds) in [(300, 2000, 5), (1000, 10_000, 1)] {
        let model = of(states, times)?;
        let time = busy(rounds, || model.log_evidence().map(|log| _ = black_box(log)))?;
        println!("hmm, {states} states, {times} observations, forward: {time:.3} s");
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    steps("cheap words", cheap)?;
    let source = Source::find(Run::SOURCE)?;
    steps(Run::SOURCE, || Key([1; 32]).words_of(source).expect("a stream"))?;
    terms()?;
    exact_sizes(30, 10)?;
    exact_sizes(40, 2)?;
    let run = Run::seeded(b"process_speed")?;
    restaurant(&run)?;
    replicates(&run)?;
    hidden()
}
