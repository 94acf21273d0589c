//! Measures if the time of a target depends on its secret, on the position of the stack, or on both. `dev/timing.md`
//! has the results. Run it on a CPU core that does nothing else:
//!
//! ```text
//! taskset -c 1 cargo run --release -p hashwell-measure --example secrets -- drbg-reseed blake2s-256 soft [SEEDS]
//! taskset -c 1 cargo run --release -p hashwell-measure --example secrets -- KERNEL
//! ```
//!
//! With a target, it first compares 32 secrets at each of four positions of the stack in a cache line, twice. A control
//! does the same with 32 equal secrets. Then it runs the test of `hashwell timing-test` with SEEDS seeds, and the same
//! test with two classes that are both random. With a kernel, it counts the kernel's targets for which the times of 32
//! secrets differ, at the one position that the stack happens to have.

use hashwell_measure::leak::{Between, Clock, Contest, LEAK, Plan, SUSPICIOUS, Subject, measure, targets};
use hashwell_measure::timing::clock;
use std::hint::black_box;

const ROUNDS: usize = 400;

/// Calls `work` with the stack pointer lower by `BYTES`.
#[inline(never)]
fn lower<const BYTES: usize>(work: &mut dyn FnMut()) {
    let pad = black_box([0_u8; BYTES]);
    work();
    black_box(&pad);
}

fn at_four_places(work: &mut dyn FnMut()) {
    lower::<16>(work);
    lower::<32>(work);
    lower::<48>(work);
    lower::<64>(work);
}

fn secrets(subject: &mut Subject, clock: Clock) {
    let contest =
        |same, order_seed| Contest { secrets: 32, same, rounds: ROUNDS, secret_seed: 1, order_seed };
    let mut runs: Vec<Between> = Vec::new();
    println!("stack mod 64   variance ratio         p   spread, cycles   control's ratio         p");
    for seed in [1, 2] {
        at_four_places(&mut || {
            let here = black_box(0_u8);
            let run = Between::measure(subject, contest(false, seed), clock);
            let control = Between::measure(subject, contest(true, seed), clock);
            let place = std::ptr::from_ref(&here) as usize % 64;
            println!(
                "{place:12} {:16.2} {:9.0e} {:16.2} {:17.2} {:9.2}",
                run.ratio, run.p, run.spread, control.ratio, control.p
            );
            runs.push(run);
        });
    }
    println!("correlation of the secrets' means, for each pair of rows above:");
    for a in &runs {
        let row: Vec<String> = runs.iter().map(|b| format!("{:5.2}", a.correlation(b))).collect();
        println!("{}", row.join(" "));
    }
}

fn classes(subject: &mut Subject, clock: Clock, seeds: u64) {
    for one_class in [false, true] {
        subject.one_class = one_class;
        let run = |seed| measure(subject, Plan { samples: 50_000, limit: None, seed }, clock, &|| false);
        let t: Vec<f64> = (1..=seeds).filter_map(run).map(|analysis| analysis.t.abs()).collect();
        let above = |limit| t.iter().filter(|t| **t > limit).count();
        println!(
            "{}: of {} seeds, {} above {SUSPICIOUS} and {} above {LEAK}; largest |t| {:.1}",
            if one_class { "both classes random  " } else { "fixed against random " },
            t.len(),
            above(SUSPICIOUS),
            above(LEAK),
            t.iter().copied().fold(0.0, f64::max)
        );
    }
}

/// A p-value that is too small to occur by chance, even with some hundred targets.
const CERTAIN: f64 = 1e-6;

fn survey(kernel: &str, clock: Clock) {
    let (mut all, mut found, mut false_alarms) = (0, 0, 0);
    for mut subject in targets().into_iter().filter(|subject| subject.kernel == kernel) {
        let contest = |same| Contest { secrets: 32, same, rounds: ROUNDS / 4, secret_seed: 1, order_seed: 1 };
        let [run, control] = [false, true].map(|same| Between::measure(&mut subject, contest(same), clock));
        all += 1;
        false_alarms += usize::from(control.p < CERTAIN);
        if run.p < CERTAIN {
            found += 1;
            println!(
                "{} {}: spread {:.2} cycles, p {:.0e}",
                subject.path, subject.algorithm, run.spread, run.p
            );
        }
    }
    println!("{kernel}: {found} of {all} targets; with 32 equal secrets {false_alarms}");
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [kernel] = words.as_slice() {
        let _pinned = clock::pin();
        return survey(kernel, Clock::new());
    }
    let [path, algorithm, kernel, seeds @ ..] = words.as_slice() else {
        eprintln!("secrets PATH ALGORITHM KERNEL [SEEDS], or secrets KERNEL");
        std::process::exit(2);
    };
    let named =
        |subject: &Subject| (subject.path, subject.algorithm, subject.kernel) == (path, algorithm, kernel);
    let Some(mut subject) = targets().into_iter().find(named) else {
        eprintln!("this machine has no target {path} {algorithm} {kernel}");
        std::process::exit(2);
    };
    let Ok(seeds) = seeds.first().map_or(Ok(8), |seeds| seeds.parse()) else {
        eprintln!("not a number of seeds: {}", seeds[0]);
        std::process::exit(2);
    };
    let _pinned = clock::pin();
    let clock = Clock::new();
    secrets(&mut subject, clock);
    classes(&mut subject, clock, seeds);
}
