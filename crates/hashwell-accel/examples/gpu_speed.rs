//! Benchmark of a device compared with the CPU, as a table. Results are checked before anything is measured.
//!
//! ```text
//! cargo run --release -p hashwell-accel --features opencl --example gpu_speed [device]
//! ```
//!
//! A device is named in the form `opencl:0`. By default, the first device is used. A device that is the CPU itself gets
//! less work.

use hashwell::{Params, find};
use hashwell_accel::gpu::{Gpu, Kind, Listed, Sharing, devices};
use std::ops::Range;
use std::time::{Duration, Instant};

/// Figures that others published. They are for hashes of passwords, for which hashcat skips a part of the computation.
const HASHCAT: &str = "hashcat 6.2.6, mode 1400 (SHA-256 of short passwords; published by others, not measured here): \
    RTX 4090 21,975.5 MH/s, RTX 4060 4,037.5 MH/s, RTX 2060 3,306 MH/s";

fn main() {
    for listed in devices() {
        println!("{listed:?}");
    }
    let Some(name) = std::env::args().nth(1).or_else(first) else {
        println!("no device: nothing is measured");
        return;
    };
    let begin = Instant::now();
    let gpu = Gpu::open(&name).unwrap_or_else(|error| panic!("{error}"));
    let opened = begin.elapsed();
    let rounds = if gpu.described().kind == Kind::Cpu { 1 } else { 3 };
    let large = gpu.described().kind != Kind::Cpu;
    verify(&gpu);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!(
        "\nopened in {opened:.2?}; break-even at {} blocks; the CPU has {cores} cores\n",
        gpu.break_even()
    );
    println!("| job | by | millions per second | GB/s | time |");
    println!("|---|---|---:|---:|---:|");
    for row in ["sha256", "sha256-90r"] {
        for len in [64, 1 << 10, 64 << 10] {
            messages(&gpu, row, len, if large { 2 << 30 } else { 8 << 20 }, rounds);
        }
    }
    tickets(&gpu, if large { 1_000_000_000 } else { 10_000_000 }, rounds);
    tree(&gpu, if large { 1 << 30 } else { 64 << 20 }, rounds);
    println!("\n{HASHCAT}");
}

fn first() -> Option<String> {
    devices().into_iter().find_map(|listed| match listed {
        Listed::Device(device) => Some(device.id.to_string()),
        _ => None,
    })
}

fn bytes(count: usize) -> Vec<u8> {
    let mut word = 1_u64;
    let mut bytes = vec![0; count];
    for eight in bytes.chunks_mut(8) {
        word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        eight.copy_from_slice(&word.to_be_bytes()[..eight.len()]);
    }
    bytes
}

fn verify(gpu: &Gpu) {
    let data = bytes(3_000_001);
    let offsets: Vec<u64> = (0..20_000).map(|i| i * i * 3 / 400).collect();
    let cut: Vec<&[u8]> = offsets.windows(2).map(|pair| &data[pair[0] as usize..pair[1] as usize]).collect();
    for row in ["sha256", "sha256-90r"] {
        let mut out = vec![0; 32 * cut.len()];
        gpu.hash_batch_shared(row, &data, &offsets, &mut out, Sharing::device_alone())
            .expect("a working device");
        let many = find(row).and_then(|row| row.many(&Params::default())).expect("a known algorithm");
        assert!(out == many.digest(&cut), "{row} is wrong");
    }
    let key = [3; 32];
    let picks = gpu.tickets(&key, 1..100_001, 50).expect("a working device");
    let mut all: Vec<(u128, u64)> = Vec::new();
    each_ticket(&key, 1..100_001, |row, ticket| all.push((ticket, row)));
    all.sort_unstable();
    assert!(
        picks.iter().map(|pick| (pick.ticket, pick.row)).eq(all[..50].iter().copied()),
        "tickets are wrong"
    );
    let root = gpu.tree_root("blake3", &data).expect("a working device");
    assert!(root[..] == find("blake3").expect("a known algorithm").digest(&data)[..], "the tree is wrong");
    println!(
        "\nverified: digests of 19,999 messages by both algorithms, 100,000 tickets, a tree of 2,930 chunks"
    );
}

/// Returns the minimum time of the rounds, after one round that is not counted.
fn least(rounds: usize, mut job: impl FnMut()) -> Duration {
    job();
    let once = |_| {
        let begin = Instant::now();
        job();
        begin.elapsed()
    };
    (0..rounds).map(once).min().expect("some rounds")
}

fn line(job: &str, by: &str, count: f64, bytes: f64, taken: Duration) {
    let seconds = taken.as_secs_f64();
    let (millions, rate) = (count / seconds / 1e6, bytes / seconds / 1e9);
    println!("| {job} | {by} | {millions:.2} | {rate:.3} | {taken:.2?} |");
}

fn messages(gpu: &Gpu, row: &str, len: usize, total: usize, rounds: usize) {
    let job = format!("{row}, {len} bytes");
    let count = total / len;
    let data = bytes(total);
    let offsets: Vec<u64> = (0..=count as u64).map(|i| i * len as u64).collect();
    let mut out = vec![0; 32 * count];
    // This number of messages gives work to every unit of the largest GPU.
    let kernel = if total > 1 << 30 { 1 << 18 } else { count.min(1 << 16) };
    let (hashed, taken) = gpu.kernel_time(row, len, kernel, 5).expect("a working device");
    line(&job, "device, no transfer", hashed as f64, (hashed * len) as f64, taken);
    let ways = [
        ("device, with transfer", Sharing::device_alone()),
        ("CPU, all cores", Sharing { threads: None, break_even: Some(u64::MAX) }),
        ("both", Sharing { threads: None, break_even: Some(0) }),
    ];
    for (by, sharing) in ways {
        let mut shared = None;
        let taken = least(rounds, || {
            shared = Some(
                gpu.hash_batch_shared(row, &data, &offsets, &mut out, sharing).expect("a working device"),
            );
        });
        line(&job, by, count as f64, total as f64, taken);
        let shared = shared.expect("it ran");
        if by == "both" {
            println!("| | (device {}, CPU {}) | | | |", shared.on_device, shared.on_cpu);
        }
        assert!(shared.failure.is_none(), "{shared:?}");
    }
}

/// Computes tickets on one core of the CPU, with its widest SHA-256 kernel.
fn each_ticket(key: &[u8; 32], rows: Range<u64>, mut take: impl FnMut(u64, u128)) {
    let many = find("sha256").and_then(|row| row.many(&Params::default())).expect("a known algorithm");
    let mut digests = vec![0; 32 * 1024];
    for first in rows.clone().step_by(1024) {
        let some = first..rows.end.min(first + 1024);
        let message = |row: u64| [key, &[1][..], row.to_string().as_bytes()].concat();
        let messages: Vec<Vec<u8>> = some.clone().map(message).collect();
        let out = &mut digests[..32 * messages.len()];
        many.digest_into(&messages, out).expect("32 bytes for each message");
        for (row, digest) in some.zip(out.chunks_exact(32)) {
            take(row, u128::from_be_bytes(digest[..16].try_into().expect("16 bytes")));
        }
    }
}

fn tickets(gpu: &Gpu, rows: u64, rounds: usize) {
    let key = [5; 32];
    let taken = least(rounds, || {
        assert_eq!(gpu.tickets(&key, 1..rows + 1, 1000).expect("a working device").len(), 1000);
    });
    let blocks = |rows: u64| rows as f64 * 64.0;
    line(&format!("1000 least of {rows} tickets"), "device", rows as f64, blocks(rows), taken);
    let few = 1_000_000;
    let mut least_of_all = u128::MAX;
    let taken =
        least(rounds, || each_ticket(&key, 1..few + 1, |_, ticket| least_of_all = least_of_all.min(ticket)));
    line(&format!("{few} tickets"), "CPU, one core", few as f64, blocks(few), taken);
}

fn tree(gpu: &Gpu, total: usize, rounds: usize) {
    let data = bytes(total);
    let job = format!("blake3, one input of {} MiB", total >> 20);
    let mut root = [0; 32];
    let taken = least(rounds, || root = gpu.tree_root("blake3", &data).expect("a working device"));
    line(&job, "device, with transfer", 1.0, total as f64, taken);
    let row = find("blake3").expect("a known algorithm");
    let mut digest = Vec::new();
    let taken = least(rounds, || digest = row.digest(&data));
    line(&job, "CPU, one core", 1.0, total as f64, taken);
    assert!(digest == root, "the tree is wrong");
}
