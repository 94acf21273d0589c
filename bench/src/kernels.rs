//! The table algorithm × message size, for every kernel this CPU has. MB/s (10^6 bytes) of thread CPU time,
//! one message at a time from state to digest.

use crate::jobs::random_bytes;
use crate::measure::{Candidate, Gate, Summary, interleaved, summary};
use hashwell::{Algorithm, Params};
use serde_json::{Value, json};
use std::hint::black_box;

/// Bytes of the messages, one column each.
const SIZES: [usize; 4] = [32, 1 << 10, 16 << 10, 1 << 20];

/// An algorithm on a kernel.
pub struct Row {
    algorithm: &'static Algorithm,
    kernel: &'static str,
    /// Nanoseconds per message, by size.
    timings: Vec<Summary>,
}

/// Size by size, all algorithms and kernels in the same rounds. Every kernel's digest is compared with the
/// portable kernel's before it is timed.
///
/// # Panics
/// If a digest is wrong.
#[must_use]
pub fn measure(chosen: &[&'static Algorithm], gate: &mut Gate, rounds: usize) -> Vec<Row> {
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
        for (row, ns) in rows.iter_mut().zip(interleaved(&mut candidates, gate, rounds).ns) {
            row.timings.push(summary(&ns));
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
        return Candidate::here(move || {
            algorithm.digest_into(black_box(message), &mut out).expect("the right length");
            black_box(&out);
        });
    }
    Candidate::here(move || {
        let mut hasher = fresh.clone();
        hasher.update(black_box(message));
        black_box(hasher.digest());
    })
}

/// 10^6 bytes per second.
fn megabytes_per_second(size: usize, ns: f64) -> f64 {
    size as f64 * 1e3 / ns
}

/// Prints the table; `~` where the quartiles are more than 5 % apart.
pub fn print(rows: &[Row], markdown: bool) {
    let (open, between, close) = if markdown { ("| ", " | ", " |") } else { ("", "  ", "") };
    let head: Vec<String> = ["32 B", "1 KiB", "16 KiB", "1 MiB"].map(|h| format!("{h:>8}")).to_vec();
    println!("{open}{:<16}{between}{:<14}{between}{}{close}", "MB/s", "kernel", head.join(between));
    if markdown {
        println!("|---|---|{}", "---:|".repeat(SIZES.len()));
    }
    for row in rows {
        let cell = |(size, t): (&usize, &Summary)| {
            let noise = if t.is_wide() { "~" } else { "" };
            format!("{:>8}", format!("{noise}{:.0}", megabytes_per_second(*size, t.median)))
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

/// The table for programs.
#[must_use]
pub fn json(rows: &[Row]) -> Value {
    let cell = |(size, t): (&usize, &Summary)| {
        let rate = megabytes_per_second(*size, t.median);
        json!({ "message_bytes": size, "ns": t.median, "mb_per_s": rate, "wide": t.is_wide() })
    };
    let row = |row: &Row| {
        let sizes: Vec<Value> = SIZES.iter().zip(&row.timings).map(cell).collect();
        json!({ "algorithm": row.algorithm.name, "kernel": row.kernel, "sizes": sizes })
    };
    rows.iter().map(row).collect()
}
