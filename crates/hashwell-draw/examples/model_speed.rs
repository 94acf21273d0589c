//! What the built-in processes cost: `cargo run --release -p hashwell-draw --example model_speed`.
//!
//! Results are checked before they are timed; each time is the least of some rounds.

use hashwell_draw::process::interpret::{Limit, Simulation, pieces, sample};
use hashwell_draw::process::model::{Crp, Hmm};
use hashwell_draw::process::registry::{Given, find};
use hashwell_draw::process::{Mwc256, Run};
use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

fn least(rounds: u32, mut work: impl FnMut()) -> f64 {
    let round = |_| {
        let begin = Instant::now();
        work();
        begin.elapsed().as_secs_f64()
    };
    (0..rounds).map(round).fold(f64::INFINITY, f64::min)
}

fn restaurants(run: &Run) -> Result<(), hashwell_draw::Error> {
    let short = Crp::new(200, 10.0)?;
    let mut labels = Vec::new();
    short.labels(&mut run.words()?, &mut labels)?;
    assert_eq!(labels, sample(&short, &mut run.words()?)?);
    for alpha in [1.0, 10.0, 100.0] {
        let crp = Crp::new(1_000_000, alpha)?;
        let time = least(9, || {
            labels.clear();
            crp.labels(&mut run.words().unwrap(), &mut labels).unwrap();
            black_box(&labels);
        });
        println!("crp, 10^6 customers, alpha {alpha}, blake3: {:.2} ms", time * 1e3);
    }
    let mut mwc = Mwc256::new().into_words();
    let crp = Crp::new(1_000_000, 10.0)?;
    let time = least(9, || {
        labels.clear();
        crp.labels(&mut mwc, &mut labels).unwrap();
        black_box(&labels);
    });
    println!("crp, 10^6 customers, alpha 10, mwc: {:.2} ms", time * 1e3);
    let crp = Crp::new(100, 1.5)?;
    let time = least(3, || {
        pieces(run, 0..100_000, 1, &mut |_| ControlFlow::Continue(()), |replicates| {
            let mut labels = Vec::new();
            while let Some((_, words)) = replicates.next_words()? {
                crp.labels(words, &mut labels)?;
            }
            Ok(labels)
        })
        .unwrap();
    });
    println!("crp, 10^5 replicates of 100 customers, one thread: {:.2} M restaurants/s", 0.1 / time);
    let model = find("crp")?.build(&Given::new().with("n", 100).with("alpha", 1.5), None)?;
    let simulation = Simulation { threads: 1, ..Simulation::default() };
    let time = least(3, || {
        let keep = &mut |_| ControlFlow::Continue(());
        black_box(model.simulate(run, 0..100_000, &simulation, keep).unwrap());
    });
    println!("the same by the registry, in columns: {:.2} M restaurants/s", 0.1 / time);
    Ok(())
}

fn sizes() -> Result<(), hashwell_draw::Error> {
    for (n, outcomes) in [(30, 5604), (40, 37338)] {
        let partition = Crp::new(n, 1.5)?.partition();
        let limit = Limit { mass: 0.0, ..Limit::default() };
        let time = least(5, || {
            let exact = hashwell_draw::process::interpret::exact(&partition, &limit).unwrap();
            assert_eq!(exact.outcomes.len(), outcomes);
        });
        println!("exact table sizes, n = {n}: {time:.3} s");
    }
    Ok(())
}

/// The same numbers as `hmm_peer.py` of this example's report: rows of (i j + i + j) mod 97 + 1, scaled.
fn hidden() -> Result<(), hashwell_draw::Error> {
    const STATES: usize = 1000;
    let law = |i: usize, width: usize| {
        let row: Vec<f64> = (0..width).map(|j| ((i * j + i + j) % 97 + 1) as f64).collect();
        let sum: f64 = row.iter().sum();
        row.into_iter().map(|x| x / sum).collect::<Vec<_>>()
    };
    let rows = |width: usize| (0..STATES).map(|i| law(i, width)).collect::<Vec<_>>();
    let observed: Vec<i64> = (0..10_000_i64).map(|t| t * t % 7 % 5).collect();
    let model = Hmm::new(law(1, STATES), rows(STATES), rows(5), &observed)?;
    let mut log = 0.0;
    let time = least(2, || log = model.log_evidence().unwrap());
    println!("hmm, 1000 states, 10^4 observations, forward: {time:.2} s, log evidence {log:.6}");
    Ok(())
}

fn main() -> Result<(), hashwell_draw::Error> {
    let run = Run::seeded(b"speed")?;
    restaurants(&run)?;
    sizes()?;
    hidden()
}
