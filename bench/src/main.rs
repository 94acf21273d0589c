//! `make bench`: the table algorithm × message size, for every kernel this CPU has.
//!
//! MB/s (10^6 bytes) of thread CPU time, one message at a time from state to digest; median of
//! interleaved rounds, `~` where the quartiles are more than 5 % apart. Every kernel's digest is compared
//! with the portable kernel's before it is timed. `--rounds N`, `--markdown`, names of algorithms.

mod measure;

use hashwell::{ALGORITHMS, Algorithm, Params};
use measure::{Candidate, Timing, interleaved};
use std::hint::black_box;

const SIZES: [usize; 4] = [32, 1 << 10, 16 << 10, 1 << 20];

fn main() {
    let mut rounds = 31;
    let mut markdown = false;
    let mut chosen = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--rounds" => rounds = args.next().and_then(|n| n.parse().ok()).expect("--rounds N"),
            "--markdown" => markdown = true,
            name => chosen.push(hashwell::find(name).unwrap_or_else(|e| panic!("{e}"))),
        }
    }
    if chosen.is_empty() {
        chosen = ALGORITHMS.iter().collect();
    }
    let rows = measure_rows(&chosen, rounds);
    print_rows(&rows, markdown);
}

struct Row {
    algorithm: &'static Algorithm,
    kernel: &'static str,
    timings: Vec<Timing>,
}

/// Size by size, all algorithms and kernels in the same rounds.
fn measure_rows(chosen: &[&'static Algorithm], rounds: usize) -> Vec<Row> {
    let message = random_bytes(SIZES[SIZES.len() - 1]);
    let available = |a: &&'static Algorithm| {
        let a = *a;
        a.kernels().into_iter().filter(|k| k.available).map(move |k| (a, k.name))
    };
    let pairs: Vec<_> = chosen.iter().flat_map(available).collect();
    let mut rows: Vec<Row> =
        pairs.iter().map(|(algorithm, kernel)| Row { algorithm, kernel, timings: Vec::new() }).collect();
    for size in SIZES {
        let message = &message[..size];
        let mut candidates: Vec<_> = pairs.iter().map(|(a, kernel)| candidate(a, kernel, message)).collect();
        for (row, timing) in rows.iter_mut().zip(interleaved(&mut candidates, rounds)) {
            row.timings.push(timing);
        }
    }
    rows
}

/// One digest of the message on a forced kernel, from a copy of a fresh state.
fn candidate<'a>(algorithm: &'static Algorithm, kernel: &'static str, message: &'a [u8]) -> Candidate<'a> {
    let on =
        |kernel| algorithm.build(&Params { kernel: Some(kernel), ..Params::default() }).expect("available");
    let fresh = on(kernel);
    let last = algorithm.kernels().last().expect("a kernel").name;
    let digest = |mut hasher: hashwell::Hasher| {
        hasher.update(message);
        hasher.digest()
    };
    assert_eq!(digest(fresh.clone()), digest(on(last)), "{} on {kernel} is wrong", algorithm.name);
    if algorithm.kernels().iter().any(|k| k.chosen && k.name == kernel) {
        // The fastest kernel is what the one-shot call uses.
        let mut out = vec![0; algorithm.output];
        return Candidate {
            run: Box::new(move || {
                algorithm.digest_into(black_box(message), &mut out).expect("the right length");
                black_box(&out);
            }),
        };
    }
    Candidate {
        run: Box::new(move || {
            let mut hasher = fresh.clone();
            hasher.update(black_box(message));
            black_box(hasher.digest());
        }),
    }
}

/// Not zeros: some machines are faster on them. xorshift64.
fn random_bytes(len: usize) -> Vec<u8> {
    let mut x = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x as u8
    };
    (0..len).map(|_| next()).collect()
}

fn print_rows(rows: &[Row], markdown: bool) {
    let (open, between, close) = if markdown { ("| ", " | ", " |") } else { ("", "  ", "") };
    let head: Vec<String> = ["32 B", "1 KiB", "16 KiB", "1 MiB"].map(|h| format!("{h:>8}")).to_vec();
    println!("{open}{:<16}{between}{:<14}{between}{}{close}", "MB/s", "kernel", head.join(between));
    if markdown {
        println!("|---|---|{}", "---:|".repeat(SIZES.len()));
    }
    for row in rows {
        let cell = |(size, t): (&usize, &Timing)| {
            let rate = *size as f64 * 1e3 / t.median;
            let noisy = t.upper_quartile > 1.05 * t.lower_quartile;
            format!("{:>8}", format!("{}{rate:.0}", if noisy { "~" } else { "" }))
        };
        let cells: Vec<String> = SIZES.iter().zip(&row.timings).map(cell).collect();
        println!(
            "{open}{:<16}{between}{:<14}{between}{}{close}",
            row.algorithm.name,
            row.kernel,
            cells.join(between)
        );
    }
}
