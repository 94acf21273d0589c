//! The table algorithm × message size, for every kernel this CPU has: thread CPU time from state to digest,
//! one message at a time on the chain kernels, [`MANY`] at a time on the batch kernels.

use crate::clock::{Candidate, Gate, interleaved};
use crate::input::random_bytes;
use crate::statistics::{Summary, summary};
use hashwell::{Algorithm, KernelInfo, Params};
use serde_json::{Value, json};
use std::hint::black_box;

/// Bytes of the messages, one column each.
const SIZES: [usize; 4] = [32, 1 << 10, 16 << 10, 1 << 20];

/// Messages of a batch.
const MANY: usize = 32;

/// An algorithm on a kernel.
pub struct Row {
    algorithm: &'static Algorithm,
    kernel: &'static str,
    batch: bool,
    /// Nanoseconds per message, by size.
    timings: Vec<Summary>,
    /// Core clock by size, GHz.
    clocks: Vec<f64>,
}

/// Size by size, all algorithms and kernels in the same rounds. Every kernel's digest is compared with the
/// portable kernel's before it is timed.
///
/// # Panics
/// If a digest is wrong.
#[must_use]
pub fn measure(chosen: &[&'static Algorithm], gate: &mut Gate, rounds: usize) -> Vec<Row> {
    let message = random_bytes(SIZES[SIZES.len() - 1]);
    let kernels = |algorithm: &&'static Algorithm| {
        let algorithm = *algorithm;
        let row = move |kernel: KernelInfo, batch| {
            let (timings, clocks) = (Vec::new(), Vec::new());
            kernel.available.then_some(Row { algorithm, kernel: kernel.name, batch, timings, clocks })
        };
        let chain = algorithm.kernels().into_iter().filter_map(move |k| row(k, false));
        chain.chain(algorithm.batch_kernels().into_iter().filter_map(move |k| row(k, true)))
    };
    let mut rows: Vec<Row> = chosen.iter().flat_map(kernels).collect();
    for size in SIZES {
        let message = &message[..size];
        let candidate = |row: &Row| {
            let make = if row.batch { many_candidate } else { candidate };
            make(row.algorithm, row.kernel, message)
        };
        let mut candidates: Vec<_> = rows.iter().map(candidate).collect();
        let timed = interleaved(&mut candidates, gate, rounds);
        for (row, ns) in rows.iter_mut().zip(timed.ns) {
            let messages = if row.batch { MANY } else { 1 };
            row.timings.push(summary(&ns).scaled(1.0 / messages as f64));
            row.clocks.push(timed.clock);
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

/// The digests of many messages on a forced batch kernel.
fn many_candidate<'a>(
    algorithm: &'static Algorithm,
    kernel: &'static str,
    message: &'a [u8],
) -> Candidate<'a> {
    let many = algorithm.many(&Params { kernel: Some(kernel), ..Params::default() }).expect("available");
    let messages = vec![message; MANY];
    let mut out = many.digest(&messages);
    let one = algorithm.digest(message);
    assert!(out.chunks_exact(one.len()).all(|d| d == one), "{} on {kernel} is wrong", algorithm.name);
    Candidate::here(move || {
        many.digest_into(black_box(&messages), &mut out).expect("the right length");
        black_box(&out);
    })
}

/// 10^6 bytes per second.
fn megabytes_per_second(size: usize, ns: f64) -> f64 {
    size as f64 * 1e3 / ns
}

/// Prints the table, in MB/s or, as Markdown for `docs/backends.md`, in core cycles per byte; `~` where the
/// quartiles are more than 5 % apart.
pub fn print(rows: &[Row], markdown: bool) {
    let (open, between, close) = if markdown { ("| ", " | ", " |") } else { ("", "  ", "") };
    let unit = if markdown { "cycles/byte" } else { "MB/s" };
    let head: Vec<String> = ["32 B", "1 KiB", "16 KiB", "1 MiB"].map(|h| format!("{h:>8}")).to_vec();
    println!("{open}{unit:<16}{between}{:<14}{between}{}{close}", "kernel", head.join(between));
    if markdown {
        println!("|---|---|{}", "---:|".repeat(SIZES.len()));
    }
    for row in rows {
        let cell = |((size, t), clock): ((&usize, &Summary), &f64)| {
            let noise = if t.is_wide() { "~" } else { "" };
            let figure = if markdown {
                format!("{noise}{:.2}", t.median * clock / *size as f64)
            } else {
                format!("{noise}{:.0}", megabytes_per_second(*size, t.median))
            };
            format!("{figure:>8}")
        };
        let cells: Vec<String> = SIZES.iter().zip(&row.timings).zip(&row.clocks).map(cell).collect();
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
        json!({ "algorithm": row.algorithm.name, "kernel": row.kernel, "batch": row.batch, "sizes": sizes })
    };
    rows.iter().map(row).collect()
}
