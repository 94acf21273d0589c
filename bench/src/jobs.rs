//! The bar table: what is measured, beside whom, and what must be reached.

use hashwell_measure::peers::ours;
use hashwell_measure::peers::{Contender, Kind, Peers, Task, Work, masked};
use hashwell_measure::timing::clock::{Candidate, Effort, Gate, interleaved};
use hashwell_measure::timing::input::random_bytes;
use hashwell_measure::timing::random::Random;
use hashwell_measure::timing::statistics::{Summary, median, paired_ratio, summary};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::hint::black_box;

/// What a job must reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bar {
    /// At least this part of the best peer's speed.
    Peer(f64),
    /// At most this many nanoseconds for a message.
    Nanoseconds(f64),
    /// At most this many cycles per byte.
    CyclesPerByte(f64),
    /// At most this many cycles per permutation.
    CyclesPerPermutation(f64),
    /// Nothing; the words say what is aimed at.
    Report(&'static str),
}

/// What the figures of a job are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Nanoseconds for one message.
    NsPerMessage,
    /// Core cycles per byte of message.
    CyclesPerByte,
    /// Core cycles per Keccak-p[1600]; every message takes the number given.
    CyclesPerPermutation(usize),
}

/// Who hashwell is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// Everybody who does the same task.
    Peers,
    /// Everybody who does the same with another algorithm.
    PeersOf(&'static str),
    /// hashwell itself with another algorithm.
    Ourselves(&'static str),
    /// OpenSSL without the SHA extensions; our kernels that use them stand back too.
    MaskedOpenssl,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// Its first column.
    pub name: &'static str,
    /// What hashwell computes.
    pub task: Task,
    /// Bytes of each message.
    pub len: usize,
    /// Messages.
    pub count: usize,
    /// Unit of the figures.
    pub unit: Unit,
    /// The other side.
    pub against: Against,
    /// What must be reached.
    pub bar: Bar,
}

/// Bytes of a long message: fixed costs are below a hundredth of a percent of it, and it fits the caches.
const LONG: usize = 64 << 10;
/// Messages of a task with many.
const MANY: usize = 64;
const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

const fn job(name: &'static str, algorithm: &'static str, len: usize, bar: Bar) -> Job {
    let task = Task { algorithm, kind: Kind::Digest };
    let unit = if len < 64 { Unit::NsPerMessage } else { Unit::CyclesPerByte };
    Job { name, task, len, count: 1, unit, against: Against::Peers, bar }
}

const fn many(name: &'static str, algorithm: &'static str, len: usize, bar: Bar) -> Job {
    let task = Task { algorithm, kind: Kind::Many };
    Job { task, count: MANY, ..job(name, algorithm, len, bar) }
}

/// One request.
const fn drbg(name: &'static str, algorithm: &'static str, len: usize, bar: Bar) -> Job {
    let task = Task { algorithm, kind: Kind::Drbg };
    Job { task, ..job(name, algorithm, len, bar) }
}

impl Job {
    const fn hmac(self) -> Self {
        let kind = if matches!(self.task.kind, Kind::Many) { Kind::HmacMany } else { Kind::Hmac };
        Self { task: Task { kind, ..self.task }, ..self }
    }

    const fn against(self, against: Against) -> Self {
        Self { against, ..self }
    }

    const fn unit(self, unit: Unit) -> Self {
        Self { unit, ..self }
    }
}

/// Every job, in the table's order.
pub const JOBS: &[Job] = &[
    job("SHA-256, 32 B", "sha256", 32, Bar::Peer(1.0)),
    job("SHA-256, 1 KiB", "sha256", KIB, Bar::Peer(1.0)),
    job("SHA-256, 1 MiB", "sha256", MIB, Bar::Peer(0.99)),
    many("SHA-256, many 32 B", "sha256", 32, Bar::Report("")),
    many("SHA-256, many 1 KiB", "sha256", KIB, Bar::CyclesPerByte(0.92)),
    job("SHA-256 without SHA-NI, long", "sha256", LONG, Bar::Peer(1.0)).against(Against::MaskedOpenssl),
    job("SHA256-90R, long", "sha256-90r", LONG, Bar::Peer(0.70)).against(Against::Ourselves("sha256")),
    many("SHA256-90R, many 1 KiB", "sha256-90r", KIB, Bar::CyclesPerByte(1.30))
        .against(Against::PeersOf("sha256")),
    job("HMAC-SHA256, 32 B", "sha256", 32, Bar::Peer(1.2)).hmac(),
    many("HMAC-SHA256, many 32 B", "sha256", 32, Bar::Report("")).hmac(),
    many("HMAC-SHA256, many 1 KiB", "sha256", KIB, Bar::Report("")).hmac(),
    drbg("HMAC-DRBG-SHA256, 32 B", "sha256", 32, Bar::Nanoseconds(330.0)),
    drbg("HMAC-DRBG-SHA256, 16 KiB", "sha256", 16 * KIB, Bar::CyclesPerByte(9.0)),
    drbg("HMAC-DRBG-SHA512, 16 KiB", "sha512", 16 * KIB, Bar::CyclesPerByte(18.0)),
    job("SHA-1, long", "sha1", LONG, Bar::Peer(0.99)),
    many("SHA-1, many 1 KiB", "sha1", KIB, Bar::Report("aim 0.42 c/B")),
    job("SHA-512, long", "sha512", LONG, Bar::Peer(1.0)),
    many("SHA-512, many 1 KiB", "sha512", KIB, Bar::CyclesPerByte(1.2)),
    job("SHA3-256, long", "sha3-256", LONG, Bar::CyclesPerByte(6.2)),
    job("SHAKE128, long", "shake128", LONG, Bar::CyclesPerByte(5.0)),
    job("TurboSHAKE128, long", "turboshake128", LONG, Bar::CyclesPerByte(2.55)),
    many("SHAKE256, many 1 KiB", "shake256", KIB, Bar::CyclesPerByte(1.4)),
    // 1 KiB is 7.5 blocks of 136 bytes. Padding, transposing and output are in the figure.
    many("Keccak-p in SHAKE256, many", "shake256", KIB, Bar::CyclesPerPermutation(175.0))
        .unit(Unit::CyclesPerPermutation(8)),
    job("KT128, 1 MiB", "kt128", MIB, Bar::CyclesPerByte(0.62)),
    job("KT256, 1 MiB", "kt256", MIB, Bar::CyclesPerByte(0.76)),
    job("BLAKE2b, long", "blake2b-512", LONG, Bar::Peer(1.0)),
    many("BLAKE2b, many 1 KiB", "blake2b-512", KIB, Bar::CyclesPerByte(0.95)),
    job("BLAKE2bp, long", "blake2bp-512", LONG, Bar::CyclesPerByte(1.0)),
    job("BLAKE3, 1 MiB", "blake3", MIB, Bar::Peer(1.0)),
    job("Ascon-XOF128, long", "ascon-xof128", LONG, Bar::CyclesPerByte(15.8)),
    many("Ascon-XOF128, many 1 KiB", "ascon-xof128", KIB, Bar::CyclesPerByte(4.4)),
];

/// What one contender took.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Whose it is.
    pub name: String,
    /// Kernel, where known.
    pub kernel: Option<String>,
    /// In the job's unit.
    pub cost: Summary,
    /// Its time over hashwell's, paired by rounds: above 1, hashwell is faster. 1 for hashwell.
    pub ratio: f64,
}

/// What was measured for one job.
pub struct Outcome {
    /// The job.
    pub job: Job,
    /// hashwell's figure; of several kernels the fastest one's.
    pub ours: Figure,
    /// The others', fastest first.
    pub peers: Vec<Figure>,
    /// Core clock, GHz.
    pub clock: f64,
    /// Whether the core was ours for enough rounds.
    pub quiet: bool,
}

impl Outcome {
    /// Whether the bar is met; nothing where there is no bar or nobody to compare with. A ratio counts to
    /// the two decimals that bars are written with, which is as far as equal code repeats.
    #[must_use]
    pub fn met(&self) -> Option<bool> {
        match self.job.bar {
            Bar::Peer(least) => self.peers.first().map(|peer| (100.0 * peer.ratio).round() >= 100.0 * least),
            Bar::Nanoseconds(most) | Bar::CyclesPerByte(most) | Bar::CyclesPerPermutation(most) => {
                Some(self.ours.cost.median <= most)
            }
            Bar::Report(_) => None,
        }
    }
}

/// What was measured for one job, by one process or several.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    /// Names and kernels; hashwell's come first.
    pub contenders: Vec<(String, Option<String>)>,
    /// How many of them are hashwell's, at least one.
    pub own: usize,
    /// Nanoseconds of one operation, by contender and round.
    pub ns: Vec<Vec<f64>>,
    /// Core clock, GHz.
    pub clock: f64,
    /// Whether the core was ours for enough rounds.
    pub quiet: bool,
    /// Lines about peers that were left out.
    pub complaints: Vec<String>,
}

impl Samples {
    /// Those of several processes together, if the same contenders took part in all.
    #[must_use]
    pub fn pool(parts: Vec<Samples>) -> Option<Samples> {
        let clock =
            (!parts.is_empty()).then(|| median(&parts.iter().map(|p| p.clock).collect::<Vec<_>>()))?;
        let mut parts = parts.into_iter();
        let mut all = Samples { clock, ..parts.next()? };
        for part in parts {
            if part.contenders != all.contenders {
                return None;
            }
            all.ns.iter_mut().zip(part.ns).for_each(|(all, part)| all.extend(part));
            all.quiet &= part.quiet;
        }
        Some(all)
    }

    /// For another process.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "contenders": self.contenders, "own": self.own, "ns": self.ns, "clock": self.clock,
            "quiet": self.quiet, "complaints": self.complaints,
        })
    }

    /// From another process.
    #[must_use]
    pub fn from_json(json: &Value) -> Option<Samples> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let contender = |pair: &Value| Some((text(&pair[0])?, text(&pair[1])));
        let numbers = |list: &Value| list.as_array()?.iter().map(Value::as_f64).collect();
        Some(Samples {
            contenders: json["contenders"].as_array()?.iter().map(contender).collect::<Option<_>>()?,
            own: usize::try_from(json["own"].as_u64()?).ok()?,
            ns: json["ns"].as_array()?.iter().map(numbers).collect::<Option<_>>()?,
            clock: json["clock"].as_f64()?,
            quiet: json["quiet"].as_bool()?,
            complaints: json["complaints"].as_array()?.iter().map(text).collect::<Option<_>>()?,
        })
    }
}

/// Measures one job in this process. A peer that computes something wrong is not timed.
///
/// # Errors
/// In words, if hashwell itself cannot do the job or does it wrong.
///
/// # Panics
/// If a child process ends while it is timed.
pub fn measure(job: &Job, peers: &Peers, gate: &mut Gate, rounds: usize) -> Result<Samples, String> {
    let buffer = random_bytes(job.len * job.count);
    let messages: Vec<&[u8]> = buffer.chunks_exact(job.len).collect();
    let mut complaints = Vec::new();
    let mut complain = |line: String| complaints.push(format!("{}: {line}", job.name));
    let (mut sides, theirs) = sides(job, peers, &mut complain).map_err(|e| format!("{}: {e}", job.name))?;
    let own = sides.len();
    if own == 0 {
        return Err(format!("{}: no kernel of hashwell does it", job.name));
    }
    sides.extend(theirs.into_iter().map(|contender| (job.their_task(), contender)));

    let mut contenders = Vec::new();
    let mut candidates = Vec::new();
    for (index, (task, contender)) in sides.into_iter().enumerate() {
        let name = contender.name();
        let Contender { kernel, work, .. } = contender;
        let expected = ours::expected(task, &messages).map_err(|e| e.to_string())?;
        match checked(work, &messages, &expected) {
            Some(candidate) => {
                contenders.push((name, kernel));
                candidates.push(candidate);
            }
            None if index < own => return Err(format!("{}: {name} computes something wrong", job.name)),
            None => complain(format!("{name} computes something else and is left out")),
        }
    }
    // Rounds that were disturbed may be measured twice more.
    let effort = Effort { rounds, patience: 2.0 };
    let measured = interleaved(&mut candidates, gate, effort, &mut Random(rounds as u64));
    let clock = median(&measured.iter().map(|m| m.clock).collect::<Vec<_>>());
    let quiet = measured.iter().all(|m| m.quiet);
    let ns = measured.into_iter().map(|m| m.ns).collect();
    Ok(Samples { contenders, own, ns, clock, quiet, complaints })
}

/// What samples say about the job's bar.
///
/// # Panics
/// If hashwell does not take part.
#[must_use]
pub fn evaluate(job: &Job, samples: &Samples) -> Outcome {
    let Samples { contenders, own, ns, clock, quiet, .. } = samples;
    let medians: Vec<f64> = ns.iter().map(|ns| median(ns)).collect();
    let ours = (0..*own).min_by(|&a, &b| medians[a].total_cmp(&medians[b])).expect("hashwell takes part");
    let figure = |index: usize| Figure {
        name: contenders[index].0.clone(),
        kernel: contenders[index].1.clone(),
        cost: summary(&ns[index]).scaled(job.unit_per_ns(*clock)),
        ratio: paired_ratio(&ns[index], &ns[ours]),
    };
    let mut peers: Vec<Figure> = (*own..contenders.len()).map(figure).collect();
    peers.sort_by(|a, b| a.cost.median.total_cmp(&b.cost.median));
    Outcome { job: *job, ours: figure(ours), peers, clock: *clock, quiet: *quiet }
}

type Own = Vec<(Task, Contender<'static>)>;

/// hashwell's contenders, and the others.
fn sides(
    job: &Job,
    peers: &Peers,
    complain: &mut dyn FnMut(String),
) -> Result<(Own, Vec<Contender<'static>>), hashwell::Error> {
    let own = |contenders: Vec<Contender<'static>>| contenders.into_iter().map(|c| (job.task, c)).collect();
    let theirs = match job.against {
        Against::Peers | Against::PeersOf(_) => peers.contenders(job.their_task()),
        Against::Ourselves(_) => vec![ours::contender(job.their_task())?],
        Against::MaskedOpenssl => {
            let without = ours::on_kernels(ours::algorithm(job.task), |kernel| !kernel.contains("sha-ni"))?;
            let child = masked::Masked::start(job.task.algorithm, job.len);
            let theirs = match child {
                Ok(child) => {
                    let masked = Contender::here("OpenSSL", |_, _| ()).variant("masked");
                    vec![Contender { work: Work::Child(child), ..masked }]
                }
                Err(error) => {
                    complain(format!("no OpenSSL in a child process: {error}"));
                    Vec::new()
                }
            };
            return Ok((own(without), theirs));
        }
    };
    Ok((own(vec![ours::contender(job.task)?]), theirs))
}

impl Job {
    /// Whether the job makes sense on this CPU.
    #[must_use]
    pub fn applies(&self) -> bool {
        self.against != Against::MaskedOpenssl || cfg!(target_arch = "x86_64")
    }

    fn their_task(&self) -> Task {
        match self.against {
            Against::PeersOf(algorithm) | Against::Ourselves(algorithm) => Task { algorithm, ..self.task },
            Against::Peers | Against::MaskedOpenssl => self.task,
        }
    }

    /// The job's unit per nanosecond of one operation.
    fn unit_per_ns(&self, clock: f64) -> f64 {
        match self.unit {
            Unit::NsPerMessage => 1.0 / self.count as f64,
            Unit::CyclesPerByte => clock / (self.len * self.count) as f64,
            Unit::CyclesPerPermutation(each) => clock / (each * self.count) as f64,
        }
    }
}

/// A contender ready to be timed, if it computes what is expected.
fn checked<'a>(work: Work<'a>, messages: &'a [&'a [u8]], expected: &[u8]) -> Option<Candidate<'a>> {
    match work {
        Work::Here(mut digests) => {
            let mut out = vec![0; expected.len()];
            digests(messages, &mut out);
            (out == expected)
                .then(|| Candidate::here(move || digests(black_box(messages), black_box(&mut out))))
        }
        Work::Child(child) => (child.digest == expected).then(|| {
            let child = RefCell::new(child);
            Candidate::elsewhere(move |repeats| {
                child.borrow_mut().sample(repeats).expect("the child process answers")
            })
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(bar: Bar, ours: f64, ratios: &[f64]) -> Outcome {
        let figure =
            |ratio: f64| Figure { name: String::new(), kernel: None, cost: summary(&[ours * ratio]), ratio };
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
        assert_eq!(outcome(Bar::Peer(0.99), 5.0, &[0.99, 2.0]).met(), Some(true));
        assert_eq!(outcome(Bar::Peer(0.99), 5.0, &[0.98, 2.0]).met(), Some(false));
        assert_eq!(outcome(Bar::Peer(1.0), 5.0, &[0.996]).met(), Some(true));
        assert_eq!(outcome(Bar::Peer(1.0), 5.0, &[0.994]).met(), Some(false));
        assert_eq!(outcome(Bar::Peer(0.99), 5.0, &[]).met(), None);
        assert_eq!(outcome(Bar::CyclesPerByte(0.92), 0.92, &[]).met(), Some(true));
        assert_eq!(outcome(Bar::CyclesPerByte(0.92), 0.93, &[9.0]).met(), Some(false));
        assert_eq!(outcome(Bar::Nanoseconds(330.0), 330.5, &[600.0]).met(), Some(false));
        assert_eq!(outcome(Bar::Report("aim"), 1.0, &[2.0]).met(), None);
    }

    fn samples(name: &str, ns: &[f64]) -> Samples {
        Samples {
            contenders: vec![("hashwell".into(), Some("soft".into())), (name.into(), None)],
            own: 1,
            ns: vec![ns.to_vec(), ns.iter().map(|ns| 2.0 * ns).collect()],
            clock: ns[0],
            quiet: true,
            complaints: vec!["x".into()],
        }
    }

    #[test]
    fn samples_travel_and_pool() {
        let (a, b) = (samples("peer", &[1.0, 2.0]), samples("peer", &[3.0]));
        assert_eq!(Samples::from_json(&a.to_json()).as_ref(), Some(&a));
        assert_eq!(Samples::pool(vec![a.clone(), samples("another", &[1.0])]), None);
        let all = Samples::pool(vec![a, b]).unwrap();
        assert_eq!(all.ns, [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]]);
        assert_eq!(all.clock, 2.0);
        let outcome = evaluate(&job("", "sha256", 32, Bar::Peer(2.0)), &all);
        assert_eq!((outcome.ours.cost.median, outcome.peers[0].ratio), (2.0, 2.0));
        assert_eq!(outcome.met(), Some(true));
    }

    #[test]
    fn units() {
        let job = many("", "sha256", 1024, Bar::Report(""));
        // 64 messages of 1 KiB in 65.536 us at 3 GHz.
        assert_eq!(65_536.0 * job.unit_per_ns(3.0), 3.0);
        let per_permutation = job.unit(Unit::CyclesPerPermutation(8));
        assert_eq!(51_200.0 * per_permutation.unit_per_ns(2.0), 200.0);
    }

    #[test]
    fn every_job_names_a_row_and_hashwell_does_it_right() {
        for job in JOBS {
            let message = random_bytes(300);
            let messages: Vec<&[u8]> = message.chunks_exact(100).collect();
            let expected = ours::expected(job.task, &messages).unwrap();
            let work = ours::contender(job.task).unwrap().work;
            assert!(checked(work, &messages, &expected).is_some(), "{}", job.name);
        }
    }

    #[test]
    fn a_wrong_contender_is_not_timed() {
        let wrong = Contender::one_by_one("wrong", |_, out| out.fill(1));
        assert!(checked(wrong.work, &[b"abc"], &[0; 32]).is_none());
    }
}
