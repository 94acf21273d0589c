//! What processes cost: a step beside a loop written by hand, exact laws, replicates and their keys.
//!
//! `cargo run --release -p hashwell-draw --example process_speed`. Each figure is the least of many rounds, in which what is
//! compared takes turns; results are compared before anything is timed.

use hashwell::{ByteSource, Source, Words};
use hashwell_draw::draw::{beta, gaussian, unit};
use hashwell_draw::process::interpret::{Limit, Simulation, exact, pieces, sample, simulate};
use hashwell_draw::process::model::Geometric;
use hashwell_draw::process::{Coalgebra, Draw, Flow, Law, Run};
use hashwell_draw::{Error, Key};
use std::borrow::Cow;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

/// Steps of +1 and -1.
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
    fn law<'a>(&'a self, _: &'a (u64, i64)) -> Law<'a> {
        Law::Bernoulli(self.up)
    }

    #[inline]
    fn next(&self, (step, at): (u64, i64), draw: Draw) -> Flow<(u64, i64), i64> {
        let at = if draw.flag() { at + 1 } else { at - 1 };
        if step + 1 == self.steps { Flow::Done(at) } else { Flow::More((step + 1, at)) }
    }
}

fn walk_by_hand(walk: &Walk, words: &mut impl Words) -> Result<i64, Error> {
    let mut at = 0;
    for _ in 0..walk.steps {
        at += if unit(words)? < walk.up { 1 } else { -1 };
    }
    Ok(at)
}

fn geometric_by_hand(p: f64, words: &mut impl Words) -> Result<u64, Error> {
    let mut trial = 1;
    while unit(words)? >= p {
        trial += 1;
    }
    Ok(trial)
}

/// The sizes of the tables of a Chinese restaurant, sorted: customers who differ by their names alone are one state.
struct Sizes {
    customers: usize,
    alpha: f64,
}

impl Coalgebra for Sizes {
    type State = Vec<u8>;
    type Out = Vec<u8>;

    fn start(&self) -> Flow<Vec<u8>, Vec<u8>> {
        Flow::More(vec![1])
    }

    /// A new table, or one of the tables of a size, which are neighbours.
    fn law<'a>(&'a self, sizes: &'a Vec<u8>) -> Law<'a> {
        let tables = sizes.chunk_by(|one, other| one == other);
        let weights = tables.map(|alike| f64::from(alike[0]) * alike.len() as f64);
        Law::Categorical(Cow::Owned(std::iter::once(self.alpha).chain(weights).collect()))
    }

    fn next(&self, mut sizes: Vec<u8>, draw: Draw) -> Flow<Vec<u8>, Vec<u8>> {
        match draw.index() {
            0 => sizes.insert(0, 1),
            kind => {
                // The last of the tables of this size grows, so that the others stay in order.
                let mut tables = sizes.chunk_by(|one, other| one == other).map(<[u8]>::len);
                let end: usize = tables.by_ref().take(kind as usize).sum();
                sizes[end - 1] += 1;
            }
        }
        let seated: usize = sizes.iter().map(|&size| usize::from(size)).sum();
        if seated == self.customers { Flow::Done(sizes) } else { Flow::More(sizes) }
    }
}

/// The restaurant by an urn: a customer opens a table, or goes where an earlier one sits.
fn urn(words: &mut impl Words, alpha: f64, labels: &mut [u32]) -> Result<u32, Error> {
    let mut tables = 0;
    for customer in 0..labels.len() {
        let mark = unit(words)? * (customer as f64 + alpha);
        let earlier = mark as usize;
        labels[customer] = if earlier < customer {
            labels[earlier]
        } else {
            tables += 1;
            tables - 1
        };
    }
    Ok(tables)
}

/// The least time for one of what a job says that it did, in nanoseconds, over rounds in which all jobs take turns.
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

/// Words that cost next to nothing (splitmix64), so that what is around them shows.
struct Cheap(u64);

impl ByteSource for Cheap {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), hashwell::Error> {
        out.chunks_mut(8).try_for_each(|chunk| {
            let len = chunk.len();
            self.take(8).map(|word| chunk.copy_from_slice(&word[..len]))
        })
    }

    #[inline(always)]
    fn take(&mut self, len: usize) -> Result<[u8; 8], hashwell::Error> {
        assert_eq!(len, 8, "whole words alone are asked for here");
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        Ok((mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb).to_be_bytes())
    }
}

fn cheap() -> Cheap {
    Cheap(7)
}

/// A step of a coalgebra beside the same loop by hand, on the same words.
fn steps<W: Words>(name: &str, words: impl Fn() -> W) -> Result<(), Error> {
    let walk = Walk { steps: 20_000, up: 0.5 };
    let waits = 20;
    let geometric = Geometric::new(1e-3)?;
    assert_eq!(sample(&walk, &mut words())?, walk_by_hand(&walk, &mut words())?);
    assert_eq!(sample(&geometric, &mut words())?, geometric_by_hand(1e-3, &mut words())?);
    let [mut a, mut b, mut c, mut d] = [words(), words(), words(), words()];
    let times = least(
        400,
        &mut [
            &mut || {
                black_box(sample(&walk, &mut a)).expect("a walk");
                walk.steps
            },
            &mut || {
                black_box(walk_by_hand(&walk, &mut b)).expect("a walk");
                walk.steps
            },
            &mut || (0..waits).map(|_| sample(&geometric, &mut c).expect("a wait")).sum(),
            &mut || (0..waits).map(|_| geometric_by_hand(1e-3, &mut d).expect("a wait")).sum(),
        ],
    );
    for (scheme, pair) in ["random walk", "geometric"].iter().zip(times.chunks(2)) {
        let (ours, hand) = (pair[0], pair[1]);
        println!("{scheme} on {name}: a step {ours:.2} ns, by hand {hand:.2} ns, ratio {:.2}", ours / hand);
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

fn exact_sizes(customers: usize, rounds: usize) -> Result<(), Error> {
    let sizes = Sizes { customers, alpha: 1.5 };
    let law = exact(&sizes, &Limit::default())?;
    let tables: f64 = law.outcomes.iter().map(|(sizes, mass)| sizes.len() as f64 * mass).sum();
    let must: f64 = (0..customers).map(|i| 1.5 / (1.5 + i as f64)).sum();
    assert!((tables - must).abs() < 1e-12, "{tables} {must}");
    let mut time = || {
        black_box(exact(&sizes, &Limit::default())).expect("a law");
        1
    };
    let time = least(rounds, &mut [&mut time])[0] / 1e9;
    println!(
        "exact sizes of {customers} customers: {time:.4} s, {} outcomes, {} states expanded, E[tables] = {tables:.12}",
        law.outcomes.len(),
        law.expanded
    );
    Ok(())
}

fn replicates() -> Result<(), Error> {
    const CUSTOMERS: usize = 100;
    let run = Run::seeded(b"process_speed")?;
    let count = 2000;
    let mut labels = [0; CUSTOMERS];
    let mut sum = |stop: u64| -> Result<u64, Error> {
        let mut tables = 0;
        let mut replicates = run.replicates(0..stop)?;
        while let Some((_, words)) = replicates.next_words()? {
            tables += u64::from(urn(words, 1.5, &mut labels)?);
        }
        Ok(tables)
    };
    let alone = (0..count).try_fold(0, |sum, j| {
        Ok::<_, Error>(sum + u64::from(urn(&mut run.replicate(j)?, 1.5, &mut [0; CUSTOMERS])?))
    })?;
    assert_eq!(sum(count)?, alone);
    let first = |words: usize| -> Result<u64, Error> {
        let mut replicates = run.replicates(0..count)?;
        let mut sum = 0_u64;
        while let Some((_, stream)) = replicates.next_words()? {
            for _ in 0..words {
                sum = sum.wrapping_add(stream.next_u64()?);
            }
        }
        black_box(sum);
        Ok(count)
    };
    let mut none = [0; CUSTOMERS];
    let mut cheap = cheap();
    let times = least(
        200,
        &mut [
            &mut || sum(count).map(|_| count).expect("restaurants"),
            &mut || first(0).expect("keys"),
            &mut || first(1).expect("words"),
            &mut || first(CUSTOMERS).expect("words"),
            &mut || {
                (0..count).for_each(|_| drop(black_box(urn(&mut cheap, 1.5, &mut none))));
                count
            },
        ],
    );
    println!("a restaurant of 100: {:.0} ns, {:.2} million a second in one thread", times[0], 1e3 / times[0]);
    println!(
        "  its key {:.0} ns, its first 128 words {:.0} ns, reading 100 of them {:.0} ns; the urn on cheap words {:.0} ns",
        times[1],
        times[2] - times[1],
        times[3] - times[2],
        times[4]
    );
    let many = || -> Result<f64, Error> {
        let begin = Instant::now();
        let all = pieces(&run, 0..1_000_000, 1, &mut |_| ControlFlow::Continue(()), |replicates| {
            let mut labels = [0; CUSTOMERS];
            let mut tables = 0_u64;
            while let Some((_, words)) = replicates.next_words()? {
                tables += u64::from(urn(words, 1.5, &mut labels)?);
            }
            Ok(tables)
        })?;
        assert_eq!(all.replicates, 1_000_000);
        let mean = all.pieces.iter().sum::<u64>() as f64 / 1e6;
        let must: f64 = (0..CUSTOMERS).map(|i| 1.5 / (1.5 + i as f64)).sum();
        assert!((mean - must).abs() < 0.01, "{mean} {must}");
        Ok(begin.elapsed().as_secs_f64())
    };
    let time =
        (0..3).map(|_| many()).collect::<Result<Vec<_>, _>>()?.into_iter().fold(f64::INFINITY, f64::min);
    println!("10^6 restaurants of 100 by pieces: {time:.2} s");
    let geometric = Geometric::new(0.1)?;
    let begin = Instant::now();
    let outs = simulate(
        &geometric,
        &run,
        0..1_000_000,
        &Simulation { threads: 1, ..Simulation::default() },
        &mut |_| ControlFlow::Continue(()),
    )?;
    println!(
        "10^6 geometric replicates: {:.2} s, of {} words",
        begin.elapsed().as_secs_f64(),
        outs.outs.iter().sum::<u64>()
    );
    Ok(())
}

fn main() -> Result<(), Error> {
    steps("cheap words", cheap)?;
    let source = Source::find(Run::SOURCE)?;
    steps(Run::SOURCE, || Key([1; 32]).words_of(source).expect("a stream"))?;
    terms()?;
    exact_sizes(30, 5)?;
    exact_sizes(40, 2)?;
    replicates()
}
