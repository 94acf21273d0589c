//! Reports with known figures. Each test file uses a part of this.
#![allow(dead_code, unreachable_pub, unused_imports)]

mod skipped;

use hashwell_measure::report::{
    Availability, Cell, Group, Machine, Operation, Provider, Report, Row, Run, SCHEMA, State,
};
pub use skipped::skipped;
use std::collections::BTreeMap;

/// The core clock of all rows.
pub const CLOCK_GHZ: f64 = 4.0;

/// A cell with five rounds per process, whose median is `ns`. `processes` are the factors by which the processes
/// differ.
pub fn cell(bytes: u64, ns: f64, processes: &[f64]) -> Cell {
    const ROUNDS: [f64; 5] = [0.998, 1.0, 1.002, 1.001, 0.999];
    let samples = processes.iter().map(|p| ROUNDS.iter().map(|r| rounded(ns * p * r)).collect()).collect();
    Cell { bytes, samples, clock_ghz: CLOCK_GHZ, wall_over_cpu: 1.0, quiet: true }
}

/// Rounds to picoseconds, so that numbers are short in JSON and are read back unchanged.
fn rounded(ns: f64) -> f64 {
    (ns * 1000.0).round() / 1000.0
}

/// The sizes of [`digest`] rows.
pub const SIZES: [u64; 11] = [0, 8, 64, 256, 576, 1024, 1536, 4096, 8192, 16384, 1 << 20];

/// A row for digests on one thread, which take `each` ns plus `per_byte` ns for each byte.
pub fn digest(
    algorithm: &str,
    title: &str,
    provider: &str,
    each: f64,
    per_byte: f64,
    processes: &[f64],
) -> Row {
    let cells = SIZES.iter().map(|bytes| cell(*bytes, each + per_byte * *bytes as f64, processes)).collect();
    Row {
        group: Group::Single,
        contest: None,
        algorithm: algorithm.into(),
        title: title.into(),
        status: None,
        provider: provider.into(),
        variant: None,
        kernel: None,
        operation: Operation::Digest,
        messages: 1,
        threads: 1,
        cells,
    }
}

/// Processes that differ by 1 %.
pub const LEVEL: &[f64] = &[0.99, 1.0, 1.01];

/// A report with a row of each kind: SHA-256 with two providers that are tied, a slower SHA-1, a disturbed size, a
/// checksum, kernels, streams, threads, a wrong digest, and a missing library.
pub fn small() -> Report {
    let sha256 = digest("sha256", "SHA-256", "hashwell", 20.0, 0.5, LEVEL);
    let openssl = Row {
        variant: Some("EVP".into()),
        ..digest("sha256", "SHA-256", "OpenSSL", 20.0, 0.5, &[1.0, 1.01, 0.99])
    };
    let mut sha1 = digest("sha1", "SHA-1", "OpenSSL", 40.0, 0.75, LEVEL);
    sha1.cells[5].wall_over_cpu = 1.2;
    let blake2b = digest("blake2b-256", "BLAKE2b-256", "hashwell", 40.0, 0.8, LEVEL);
    let ceiling = digest("xxh3-64", "XXH3", "xxhash", 2.0, 0.03, LEVEL);
    let kernel = |name: &str, per_byte| Row {
        group: Group::Kernels,
        kernel: Some(name.into()),
        ..digest("sha256", "SHA-256", "hashwell", 20.0, per_byte, LEVEL)
    };
    let stream = |operation, per_byte: f64| Row {
        operation,
        cells: [32, 1024, 1 << 20].map(|b: u64| cell(b, 10.0 + per_byte * b as f64, LEVEL)).into(),
        ..digest("shake128", "SHAKE128", "hashwell", 0.0, 1.0, LEVEL)
    };
    let threaded = Row {
        group: Group::Threaded,
        threads: 4,
        variant: Some("threaded".into()),
        cells: vec![cell(1 << 20, 1e5, LEVEL)],
        ..digest("blake2bp-512", "BLAKE2bp-512", "libb2", 0.0, 1.0, LEVEL)
    };
    let rows = vec![
        sha1,
        sha256,
        openssl,
        ceiling,
        blake2b,
        kernel("soft", 2.5),
        kernel("sha-ni", 0.5),
        Row { operation: Operation::Many, messages: 32, ..kernel("sha-ni-x4", 0.2) },
        stream(Operation::Absorb, 1.25),
        stream(Operation::Read, 1.0),
        threaded,
    ];
    Report { rows, ..empty() }
}

/// A report without rows.
pub fn empty() -> Report {
    let available = |algorithm: &str, provider: &str, state| Availability {
        algorithm: algorithm.into(),
        provider: provider.into(),
        state,
    };
    let provider = |name: &str, version: Option<&str>, path: Option<&str>, missing: Option<&str>| Provider {
        name: name.into(),
        version: version.map(str::to_owned),
        path: path.map(str::to_owned),
        missing: missing.map(str::to_owned),
    };
    Report {
        schema: SCHEMA.into(),
        machine: Machine {
            cpu: "Test CPU 9000".into(),
            features: vec!["avx2".into(), "sha".into()],
            cores: 4,
            os: "Linux 6.1".into(),
            compiler: "rustc 1.95.0".into(),
            clock_ghz: CLOCK_GHZ,
            tsc_ghz: Some(3.0),
            load: Some([0.5, 0.25, 0.125]),
            notes: BTreeMap::from([("governor".into(), "performance".into())]),
        },
        run: Run {
            version: "0.1.0".into(),
            commit: Some("abc1234".into()),
            command: ["hashwell", "speed", "--html", "my report.html"].map(str::to_owned).into(),
            started: "2026-11-20T10:00:00Z".into(),
            seconds: 61.7,
            quick: false,
            complete: true,
            processes: 3,
            rounds: 5,
            cycle_source: "dependent chain".into(),
            complaints: Vec::new(),
        },
        providers: vec![
            provider("hashwell", Some("0.1.0"), None, None),
            provider("OpenSSL", Some("OpenSSL 3.0.22"), Some("/usr/lib/libcrypto.so.3"), None),
            provider("xxhash", Some("0.8.1"), None, None),
            provider("libsodium", None, None, Some("libsodium.so.23: cannot open")),
        ],
        availability: vec![
            available("sha1", "OpenSSL", State::Right),
            available("sha256", "hashwell", State::Right),
            available("sha256", "OpenSSL", State::Right),
            available("blake2b-256", "hashwell", State::Right),
            available("blake2b-256", "OpenSSL", State::Wrong),
        ],
        rows: Vec::new(),
        calls: None,
        programs: Vec::new(),
    }
}

/// Normally distributed numbers without a dependency: sums of uniform ones from SplitMix64.
pub struct Random(pub u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The sum of twelve uniform numbers minus six, which has variance 1.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }

    /// Samples around `ns`. Processes differ by `between` and rounds by `within`, relative to `ns`.
    pub fn samples(&mut self, ns: f64, processes: usize, between: f64, within: f64) -> Vec<Vec<f64>> {
        (0..processes)
            .map(|_| {
                let level = ns * (between * self.normal()).exp();
                (0..15).map(|_| rounded(level * (within * self.normal()).exp())).collect()
            })
            .collect()
    }
}

/// All algorithms of the registry and some peers, with noise: the maximum that a page must show.
pub fn large() -> Report {
    let mut random = Random(11);
    let mut report = empty();
    report.machine.cpu = "AMD EPYC 9B14 (looks only: invented figures)".into();
    report.run.processes = 5;
    report.run.rounds = 15;
    let peers = ["OpenSSL", "libgcrypt", "nettle", "RustCrypto"];
    report.providers = ["hashwell"]
        .iter()
        .chain(&peers)
        .map(|name| Provider {
            name: (*name).into(),
            version: Some("1.0".into()),
            path: Some(format!("/usr/lib/lib{name}.so")),
            missing: None,
        })
        .collect();
    report.availability.clear();
    for (i, algorithm) in hashwell::ALGORITHMS.iter().enumerate() {
        // The time per byte depends on the block size, so it is similar within a family, as in reality.
        let per_byte = 0.15 + 40.0 / algorithm.block as f64 * (0.5 + 0.04 * (algorithm.block % 7) as f64);
        for (j, provider) in ["hashwell"].iter().chain(&peers).enumerate() {
            if j > 0 && (i * 7 + j * 3) % 4 != 0 {
                continue;
            }
            let factor = 1.0 + 0.13 * j as f64;
            let mut row = digest(algorithm.name, algorithm.title, provider, 0.0, 1.0, LEVEL);
            for cell in &mut row.cells {
                let ns = (60.0 + 15.0 * j as f64) + factor * per_byte * cell.bytes as f64;
                cell.samples = random.samples(ns, 5, 0.01, 0.015);
            }
            report.availability.push(Availability {
                algorithm: algorithm.name.into(),
                provider: (*provider).into(),
                state: State::Right,
            });
            report.rows.push(row);
        }
    }
    let ceiling = digest("xxh3-64", "XXH3", "xxhash", 2.0, 0.03, LEVEL);
    let kernels = [("sha256", "SHA-256"), ("sha3-256", "SHA3-256")].into_iter().flat_map(|(name, title)| {
        [("soft", 2.5), ("bmi2", 2.2), ("avx2", 1.7), ("sha-ni", 0.5)].map(|(kernel, per_byte)| Row {
            group: Group::Kernels,
            kernel: Some(kernel.into()),
            ..digest(name, title, "hashwell", 20.0, per_byte, LEVEL)
        })
    });
    report.rows.extend(std::iter::once(ceiling).chain(kernels));
    let small = small();
    report.rows.extend(
        small.rows.into_iter().filter(|r| r.operation != Operation::Digest || r.group == Group::Threaded),
    );
    report.run.complaints = vec!["nettle: digest of sha512-256 is wrong; it was not timed".into()];
    report
}
