//! The table of targets: what is measured, compared with which implementations, and the required speed.

use hashwell_measure::engine::plan::{Against, Contest};
use hashwell_measure::peers::{Kind, Task, ours};
use hashwell_measure::report::{Cell, Row};
use hashwell_measure::timing::statistics::{Estimate, Summary};
use hashwell_measure::view::figures::{provider, quartiles, time_ratio};

/// The targets of a job: all that are set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bar {
    /// The minimum speed, as a fraction of the fastest peer's speed.
    pub ratio: Option<f64>,
    /// The maximum cost, in the job's unit.
    pub most: Option<Most>,
}

/// A maximum for each CPU that hashwell is tuned for. They have separate values because the CPUs differ by
/// more than the precision of a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Most {
    /// AMD Zen 4.
    pub zen4: f64,
    /// An Intel Xeon with AVX-512 and SHA-NI.
    pub xeon: f64,
}

impl Most {
    /// The maximum for the CPU with this name.
    #[must_use]
    pub fn on(self, processor: &str) -> f64 {
        if processor.contains("Intel") { self.xeon } else { self.zen4 }
    }
}

/// The unit of a job's figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Nanoseconds per message.
    NsPerMessage,
    /// Core cycles per byte of message.
    CyclesPerByte,
    /// Core cycles per permutation Keccak-p[1600]. Each message needs the given number of permutations.
    CyclesPerPermutation(usize),
}

/// A job: one line of the table.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// The name, which is printed in the first column.
    pub name: &'static str,
    /// The computation that is measured.
    pub task: Task,
    /// The length of each message in bytes.
    pub len: usize,
    /// The number of messages.
    pub count: usize,
    /// The unit of the figures.
    pub unit: Unit,
    /// The implementations to compare with.
    pub against: Against<&'static str>,
    /// The targets.
    pub bar: Bar,
}

/// The length of a long message in bytes: fixed costs are less than 0.01 % of its time, and it fits into the
/// caches.
const LONG: usize = 64 << 10;
/// The number of messages in a job with many messages.
const MANY: usize = 64;
const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

/// A job with one message. Its target is the speed of the fastest peer.
const fn job(name: &'static str, algorithm: &'static str, len: usize) -> Job {
    let task = Task { algorithm, kind: Kind::Digest };
    let unit = if len < 64 { Unit::NsPerMessage } else { Unit::CyclesPerByte };
    let bar = Bar { ratio: Some(1.0), most: None };
    Job { name, task, len, count: 1, unit, against: Against::Peers, bar }
}

/// A job with many messages. Its target is higher than the speed of the fastest peer, because SIMD lanes hash
/// several messages in parallel.
const fn many(name: &'static str, algorithm: &'static str, len: usize) -> Job {
    let task = Task { algorithm, kind: Kind::Many };
    Job { task, count: MANY, ..job(name, algorithm, len).ratio(1.15) }
}

/// A job with one request to a generator.
const fn drbg(name: &'static str, algorithm: &'static str, len: usize) -> Job {
    let task = Task { algorithm, kind: Kind::Drbg };
    Job { task, ..job(name, algorithm, len) }
}

impl Job {
    const fn hmac(self) -> Self {
        let kind = if matches!(self.task.kind, Kind::Many) { Kind::HmacMany } else { Kind::Hmac };
        Self { task: Task { kind, ..self.task }, ..self }
    }

    const fn against(self, against: Against<&'static str>) -> Self {
        Self { against, ..self }
    }

    const fn unit(self, unit: Unit) -> Self {
        Self { unit, ..self }
    }

    const fn ratio(self, least: f64) -> Self {
        Self { bar: Bar { ratio: Some(least), ..self.bar }, ..self }
    }

    const fn at_most(self, zen4: f64, xeon: f64) -> Self {
        Self { bar: Bar { most: Some(Most { zen4, xeon }), ..self.bar }, ..self }
    }
}

/// All jobs, in the order of the table.
pub const JOBS: &[Job] = &[
    job("SHA-256, 32 B", "sha256", 32),
    job("SHA-256, 1 KiB", "sha256", KIB),
    job("SHA-256, 1 MiB", "sha256", MIB),
    many("SHA-256, many 32 B", "sha256", 32),
    many("SHA-256, many 1 KiB", "sha256", KIB).at_most(0.92, 0.97),
    job("SHA-256 without SHA-NI, long", "sha256", LONG).against(Against::MaskedOpenssl),
    job("SHA256-90R, long", "sha256-90r", LONG).against(Against::Ourselves("sha256")).ratio(0.70),
    many("SHA256-90R, many 1 KiB", "sha256-90r", KIB).against(Against::PeersOf("sha256")).at_most(1.30, 1.37),
    job("HMAC-SHA256, 32 B", "sha256", 32).hmac().ratio(1.2),
    many("HMAC-SHA256, many 32 B", "sha256", 32).hmac(),
    many("HMAC-SHA256, many 1 KiB", "sha256", KIB).hmac(),
    drbg("HMAC-DRBG-SHA256, 32 B", "sha256", 32).at_most(310.0, 310.0),
    drbg("HMAC-DRBG-SHA256, 16 KiB", "sha256", 16 * KIB).at_most(8.5, 9.0),
    drbg("HMAC-DRBG-SHA512, 16 KiB", "sha512", 16 * KIB).at_most(18.0, 18.0),
    job("SHA-1, long", "sha1", LONG).at_most(1.88, 1.60),
    many("SHA-1, many 1 KiB", "sha1", KIB),
    job("SHA-512, long", "sha512", LONG),
    many("SHA-512, many 1 KiB", "sha512", KIB).at_most(1.30, 1.30),
    job("SHA3-256, long", "sha3-256", LONG).at_most(5.5, 5.8),
    job("SHAKE128, long", "shake128", LONG).at_most(5.0, 5.0),
    job("TurboSHAKE128, long", "turboshake128", LONG).at_most(2.25, 2.28),
    many("SHAKE256, many 1 KiB", "shake256", KIB).at_most(1.5, 1.25),
    // 1 KiB is 7.5 blocks of 136 bytes, so a message needs 8 permutations. The figure includes padding,
    // transposing and output.
    many("Keccak-p in SHAKE256, many", "shake256", KIB)
        .unit(Unit::CyclesPerPermutation(8))
        .at_most(175.0, 175.0),
    job("KT128, 1 MiB", "kt128", MIB).at_most(0.62, 0.62),
    job("KT256, 1 MiB", "kt256", MIB).at_most(0.76, 0.76),
    job("BLAKE2b, long", "blake2b-512", LONG).at_most(3.0, 2.72),
    many("BLAKE2b, many 1 KiB", "blake2b-512", KIB).at_most(0.95, 0.95),
    job("BLAKE2s, long", "blake2s-256", LONG).at_most(4.9, 4.1),
    job("BLAKE2bp, long", "blake2bp-512", LONG).at_most(1.0, 1.05),
    job("BLAKE3, 1 MiB", "blake3", MIB),
    job("Ascon-XOF128, long", "ascon-xof128", LONG).at_most(15.8, 19.5),
    many("Ascon-XOF128, many 1 KiB", "ascon-xof128", KIB).at_most(4.4, 4.4),
];

/// hashwell's speed compared with the fastest peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// hashwell is faster.
    First,
    /// No difference was measured.
    Tied,
    /// hashwell is slower.
    Behind,
}

/// The measured cost of one implementation.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The name of the implementation.
    pub name: String,
    /// The kernel, if it is known.
    pub kernel: Option<String>,
    /// The cost, in the job's unit.
    pub cost: Summary,
    /// Its time divided by hashwell's, paired by rounds: above 1, hashwell is faster. For hashwell itself it
    /// is 1.
    pub ratio: Estimate,
}

/// The results of one job.
pub struct Outcome {
    /// The job.
    pub job: Job,
    /// hashwell's figure, for the fastest kernel if there are several.
    pub ours: Figure,
    /// The figures of the other implementations, fastest first.
    pub peers: Vec<Figure>,
    /// The core clock in GHz.
    pub clock: f64,
    /// True if no other process used the core in enough rounds.
    pub quiet: bool,
}

impl Outcome {
    /// Returns true if the targets are met on the CPU with this name, or `None` if the job has no target. A
    /// ratio is compared with that of the fastest peer for the same job. It is rounded to two decimals, as in
    /// the target, because a third decimal also differs between two runs of the same code.
    #[must_use]
    pub fn met(&self, processor: &str) -> Option<bool> {
        let ratio = self.job.least_ratio().zip(self.peers.first());
        let fast = ratio.map(|(least, peer)| (100.0 * peer.ratio.value).round() >= (100.0 * least).round());
        let short = self.job.bar.most.map(|most| self.ours.cost.median <= most.on(processor));
        [fast, short].into_iter().flatten().reduce(|a, b| a && b)
    }

    /// Compares hashwell with the fastest peer. Returns `None` if no peer does the job, or if the job is
    /// compared with a different algorithm or in a different unit. A difference counts only if it is visible
    /// in two decimals of the ratio and the ratio's confidence interval excludes 1.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        if self.job.least_ratio().is_none() || matches!(self.job.against, Against::Ourselves(_)) {
            return None;
        }
        let ratio = self.peers.first()?.ratio;
        let shown = (100.0 * ratio.value).round();
        Some(if shown == 100.0 || !ratio.excludes(1.0) {
            Verdict::Tied
        } else if shown > 100.0 {
            Verdict::First
        } else {
            Verdict::Behind
        })
    }
}

/// Computes the outcome of a job from the report rows of its contest. Returns `None` if there is no row of
/// hashwell, because no kernel supports the job or a kernel gave a wrong result.
#[must_use]
pub fn evaluate(job: &Job, rows: &[&Row]) -> Option<Outcome> {
    let mut sides: Vec<(&Row, &Cell)> =
        rows.iter().filter_map(|row| Some((*row, row.cells.first()?))).collect();
    sides.sort_by(|(_, a), (_, b)| quartiles(a).median.total_cmp(&quartiles(b).median));
    let is_ours = |row: &Row| row.provider == ours::NAME && row.algorithm == job.task.algorithm;
    let (own, peers): (Vec<_>, Vec<_>) = sides.into_iter().partition(|(row, _)| is_ours(row));
    let (_, fastest) = *own.first()?;
    let figure = |(row, cell): &(&Row, &Cell)| Figure {
        name: named(row),
        kernel: row.kernel.clone(),
        cost: quartiles(cell).scaled(job.unit_per_ns(cell.clock_ghz)),
        ratio: time_ratio(cell, fastest),
    };
    Some(Outcome {
        job: *job,
        ours: figure(&own[0]),
        clock: fastest.clock_ghz,
        quiet: own.iter().chain(&peers).all(|(_, cell)| cell.quiet),
        peers: peers.iter().map(figure).collect(),
    })
}

/// The name of a row's implementation, such as `OpenSSL EVP`.
fn named(row: &Row) -> String {
    provider(row).replacen("; ", " ", 1)
}

impl Job {
    /// Returns the minimum ratio, or `None` if the peers do different work or count it in a different unit.
    #[must_use]
    pub fn least_ratio(&self) -> Option<f64> {
        let same = !matches!(self.against, Against::PeersOf(_))
            && !matches!(self.unit, Unit::CyclesPerPermutation(_));
        self.bar.ratio.filter(|_| same)
    }

    /// Returns true if the job makes sense on this CPU.
    #[must_use]
    pub fn applies(&self) -> bool {
        self.against != Against::MaskedOpenssl || cfg!(target_arch = "x86_64")
    }

    /// The contest that the measuring engine runs for this job.
    #[must_use]
    pub fn contest(&self) -> Contest {
        Contest {
            name: self.name.into(),
            algorithm: self.task.algorithm.into(),
            kind: self.task.kind,
            bytes: self.len as u64,
            messages: self.count,
            against: self.against.owned(),
        }
    }

    /// The factor that converts nanoseconds per message into the job's unit.
    fn unit_per_ns(&self, clock: f64) -> f64 {
        match self.unit {
            Unit::NsPerMessage => 1.0,
            Unit::CyclesPerByte => clock / self.len as f64,
            Unit::CyclesPerPermutation(each) => clock / each as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell_measure::engine::plan::Plan;
    use hashwell_measure::peers::Work;
    use hashwell_measure::report::{Group, Operation};
    use hashwell_measure::timing::input::random_bytes;
    use hashwell_measure::timing::statistics::summary;

    fn outcome(bar: Bar, ours: f64, ratios: &[f64]) -> Outcome {
        let figure = |value: f64| Figure {
            name: String::new(),
            kernel: None,
            cost: summary(&[ours * value]),
            ratio: Estimate { value, low: value - 0.01, high: value + 0.01 },
        };
        Outcome {
            job: Job { bar, ..JOBS[0] },
            ours: figure(1.0),
            peers: ratios.iter().copied().map(figure).collect(),
            clock: 1.0,
            quiet: true,
        }
    }

    #[test]
    fn bars() {
        let met = |bar: Bar, ours: f64, ratios: &[f64]| outcome(bar, ours, ratios).met("AMD EPYC");
        let ratio = Bar { ratio: Some(0.99), most: None };
        assert_eq!(met(ratio, 5.0, &[0.99, 2.0]), Some(true));
        assert_eq!(met(ratio, 5.0, &[0.98, 2.0]), Some(false));
        assert_eq!(met(ratio, 5.0, &[]), None);
        assert_eq!(met(FAST, 5.0, &[0.996]), Some(true));
        assert_eq!(met(FAST, 5.0, &[0.994]), Some(false));
        assert_eq!(met(Bar { ratio: Some(1.15), most: None }, 5.0, &[1.15]), Some(true));
        let most = Bar { ratio: None, most: Some(Most { zen4: 0.92, xeon: 0.97 }) };
        assert_eq!(met(most, 0.92, &[]), Some(true));
        assert_eq!(met(most, 0.93, &[9.0]), Some(false));
        assert_eq!(outcome(most, 0.97, &[]).met("Intel(R) Xeon(R) Processor"), Some(true));
        let both = Bar { ratio: Some(1.15), ..most };
        assert_eq!(met(both, 0.92, &[1.14]), Some(false));
        assert_eq!(met(both, 0.93, &[1.15]), Some(false));
        assert_eq!(met(both, 0.92, &[1.15]), Some(true));
        assert_eq!(met(Bar::default(), 1.0, &[2.0]), None);
        let other_task = Outcome {
            job: Job { bar: both, ..JOBS[0].against(Against::PeersOf("sha1")) },
            ..outcome(both, 0.9, &[0.5])
        };
        assert_eq!(other_task.met("AMD EPYC"), Some(true), "the ratio is to another task");
    }

    const FAST: Bar = Bar { ratio: Some(1.0), most: None };

    #[test]
    fn verdicts() {
        let of = |ratio: f64| outcome(FAST, 1.0, &[ratio, 9.0]).verdict();
        assert_eq!(of(1.02), Some(Verdict::First));
        assert_eq!(of(0.98), Some(Verdict::Behind));
        assert_eq!(
            [of(1.004), of(0.996)],
            [Some(Verdict::Tied); 2],
            "equal in the two decimals that are shown"
        );
        assert_eq!([of(1.009), of(0.991)], [Some(Verdict::Tied); 2], "the interval has 1 in it");
        assert_eq!(outcome(FAST, 1.0, &[]).verdict(), None);
        let other = |job: Job| Outcome { job, ..outcome(FAST, 1.0, &[0.5]) }.verdict();
        assert_eq!(other(JOBS[0].against(Against::PeersOf("sha1"))), None);
        assert_eq!(other(JOBS[0].unit(Unit::CyclesPerPermutation(8))), None);
        assert_eq!(other(JOBS[0].against(Against::MaskedOpenssl)), Some(Verdict::Behind));
    }

    fn row(provider: &str, algorithm: &str, kernel: &str, ns: &[f64]) -> Row {
        let cell = Cell {
            bytes: 32,
            samples: ns.iter().map(|ns| vec![*ns; 2]).collect(),
            clock_ghz: 3.0,
            wall_over_cpu: 1.0,
            quiet: true,
        };
        Row {
            group: Group::Contest,
            contest: Some("job".into()),
            algorithm: algorithm.into(),
            title: algorithm.into(),
            status: None,
            provider: provider.into(),
            variant: Some("call".into()),
            kernel: Some(kernel.into()),
            operation: Operation::Digest,
            messages: 1,
            threads: 1,
            cells: vec![cell],
        }
    }

    #[test]
    fn the_fastest_kernel_of_ours_is_held_against_the_fastest_peer() {
        let rows = [
            row("hashwell", "sha256", "soft", &[4.0, 4.0]),
            row("slow", "sha256", "", &[9.0, 9.0]),
            row("hashwell", "sha256", "avx2", &[1.0, 2.0]),
            row("fast", "sha256", "", &[3.0, 6.0]),
        ];
        let job = job("job", "sha256", 32).ratio(2.0);
        let outcome = evaluate(&job, &rows.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!((outcome.ours.kernel.as_deref(), outcome.ours.cost.median), (Some("avx2"), 1.5));
        let peers: Vec<&str> = outcome.peers.iter().map(|peer| peer.name.as_str()).collect();
        assert_eq!(peers, ["fast call", "slow call"]);
        assert!((outcome.peers[0].ratio.value - 3.0).abs() < 1e-9, "paired by rounds");
        assert_eq!(outcome.met(""), Some(true));
        // The comparison can also be with a different algorithm of hashwell.
        let ourselves =
            [row("hashwell", "sha256-90r", "avx2", &[3.0]), row("hashwell", "sha256", "avx2", &[2.0])];
        let half = Job { task: Task { algorithm: "sha256-90r", kind: Kind::Digest }, ..job };
        let outcome = evaluate(&half, &ourselves.iter().collect::<Vec<_>>()).unwrap();
        assert!((outcome.peers[0].ratio.value - 2.0 / 3.0).abs() < 1e-9);
        assert!(evaluate(&half, &[&rows[1]]).is_none());
    }

    #[test]
    fn units() {
        let job = many("", "sha256", 1024);
        // 1 KiB takes 1.024 us at 3 GHz, which is 3 cycles per byte.
        assert_eq!(1_024.0 * job.unit_per_ns(3.0), 3.0);
        let per_permutation = job.unit(Unit::CyclesPerPermutation(8));
        assert_eq!(800.0 * per_permutation.unit_per_ns(2.0), 200.0);
    }

    #[test]
    fn every_job_names_a_row_and_hashwell_does_it_right() {
        for job in JOBS {
            let message = random_bytes(300);
            let messages: Vec<&[u8]> = message.chunks_exact(100).collect();
            let expected = ours::expected(job.task, &messages).unwrap();
            let Work::Here(mut digests) = ours::contender(job.task).unwrap().work else {
                unreachable!("ours")
            };
            let mut out = vec![0; expected.len()];
            digests(&messages, &mut out);
            assert!(out == expected, "{}", job.name);
        }
    }

    #[test]
    fn every_job_is_a_contest_of_its_own() {
        let contests: Vec<Contest> = JOBS.iter().map(Job::contest).collect();
        let names: std::collections::HashSet<&str> = contests.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names.len(), JOBS.len());
        assert_eq!(Plan { contests, ..Plan::default() }.check(), Ok(()));
    }
}
