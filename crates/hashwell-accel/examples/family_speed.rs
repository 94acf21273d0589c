//! Benchmark of the SHA-256 family with other rotation distances: the portable loop compared with JIT-compiled code.
//!
//! ```text
//! cargo run --release -p hashwell-accel --features jit --example family_speed
//! ```
//!
//! The table shows nanoseconds per byte for messages of 16 KiB. Each time is the minimum of many runs, which alternate
//! between the two. The digests are compared first. For the code, the table also shows the time to compile it, and the
//! number of bytes after which faster hashing has saved this time.

use hashwell_accel::family::{Error, Implementation, Prepared, Rotations, Sha256Family};
use std::time::{Duration, Instant};

const BYTES: usize = 16 << 10;
const RUNS: usize = 2000;

fn main() -> Result<(), Error> {
    println!("rounds  loop ns/B  code ns/B  Gbit/s  loop = 1  made in  code bytes  paid for after");
    for rounds in [16, 64, 90, 128, 256] {
        let sha256 = Sha256Family::sha256_with_rounds(rounds)?;
        let rotations = Rotations { big_sigma_0: [3, 14, 23], ..Rotations::SHA256 };
        let member = Sha256Family::new(rounds, sha256.constants(), rotations, *sha256.initial())?;
        let (soft, code) = (member.on(Implementation::Soft)?, member.on(Implementation::Jit)?);
        let message: Vec<u8> = (0..BYTES).map(|i| (i % 251) as u8).collect();
        assert_eq!(soft.digest(&message), code.digest(&message), "{rounds} rounds");
        let mut least = [Duration::MAX; 2];
        for _ in 0..RUNS {
            for (least, prepared) in least.iter_mut().zip([&soft, &code]) {
                *least = time(prepared, &message).min(*least);
            }
        }
        let [of_soft, of_code] = least.map(|time| time.as_nanos() as f64 / BYTES as f64);
        let made = code.compiled().expect("compiled code");
        let paid = made
            .break_even(of_soft, of_code)
            .map_or("never".to_owned(), |bytes| format!("{:.1} MB", bytes / 1e6));
        println!(
            "{rounds:>6} {of_soft:>10.2} {of_code:>10.2} {:>7.2} {:>9.2} {:>8.1?} {:>11}  {paid}",
            8.0 / of_code,
            of_soft / of_code,
            made.time,
            made.bytes
        );
    }
    Ok(())
}

fn time(prepared: &Prepared, message: &[u8]) -> Duration {
    let start = Instant::now();
    std::hint::black_box(prepared.digest(std::hint::black_box(message)));
    start.elapsed()
}
