//! Measures the cost and the effects of additional rounds, for SHA-256 with different numbers of rounds.
//!
//! ```text
//! plan -> members of SHA-256's family -> digests compared with the portable loop's
//!      -> measure: speed of each, and of the loop (interleaved rounds);
//!                  avalanche: one block, one bit changed, many times     \
//!      -> attack:  collisions and preimages of a few output bits          -> report (JSON) -> tables, charts, page
//!      -> degrees: lower bounds on the algebraic degree                  /
//! ```
//!
//! [`LIMITS`] describes what the figures do not show.

mod attacks;
mod avalanche;
mod degree;
mod view;

pub use attacks::{ATTACKS_SCHEMA, AttackPlan, AttackReport, AttackRow, Expected, attack};
pub use avalanche::{Avalanche, Flipped, avalanche};
pub use degree::{DEGREE_SCHEMA, DegreePlan, DegreeReport, DegreeRow, degrees};
pub use hashwell_accel::family::Error;
pub use view::{Shown, render};

use crate::report::machine;
use crate::timing::clock::{Candidate, Effort, Gate, interleaved, pin};
use crate::timing::input::random_bytes;
use crate::timing::random::Random;
use crate::timing::statistics::summary;
use hashwell_accel::family::{Implementation, Prepared, Sha256Family};
use serde::{Deserialize, Serialize};
use std::hint::black_box;

/// The value of [`Report::schema`] in this version.
pub const SCHEMA: &str = "hashwell-research-rounds/1";

/// The conclusions about security that the figures allow, and those that they don't allow.
pub const LIMITS: [&str; 2] = [
    "A deviation from a random function shows that a function is weak. If no deviation is found, the function can \
     still be weak: these tests don't use its structure, but real attacks do. They detect nothing from about 22 \
     rounds on, but collisions of SHA-256 have been found for 31 rounds (Li, Liu, Wang, Dong and Sun, ASIACRYPT \
     2024).",
    "Public analysis covers SHA-256 with its 64 rounds, and with fewer rounds. There is no public analysis of more \
     than 64 rounds. Each additional round takes time; its effect on security is unknown.",
];

/// The parameters of a measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The numbers of rounds, 1 to 256 each.
    pub rounds: Vec<usize>,
    /// The implementation of the hash functions. `None` means the CPU's SHA instructions if it has them, and otherwise
    /// JIT-compiled code for each number of rounds.
    pub implementation: Option<Implementation>,
    /// The number of bytes of the message that is used to measure speed.
    pub bytes: usize,
    /// The number of samples of one millisecond each.
    pub samples: usize,
    /// The number of pairs of blocks for each avalanche measurement.
    pub pairs: usize,
    /// The seed for blocks and bits.
    pub seed: u64,
}

/// A value with an interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The value.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The results for one number of rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The number of rounds.
    pub rounds: usize,
    /// The implementation that ran.
    pub implementation: String,
    /// Nanoseconds per byte: the median and the quartiles.
    pub ns_per_byte: Interval,
    /// Nanoseconds per byte of the portable loop, in the same rounds of measurement.
    pub loop_ns_per_byte: Interval,
    /// The milliseconds that the JIT compiler took, if code was compiled.
    pub compile_ms: Option<f64>,
    /// The smallest message size in bytes for which compiling is faster than the loop.
    pub break_even_bytes: Option<f64>,
    /// The results if any bit of the block is flipped.
    pub anywhere: Avalanche,
    /// The results if a bit of the block's last word is flipped. This word goes through the fewest rounds.
    pub last_word: Avalanche,
}

/// The results of a measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The schema, [`SCHEMA`].
    pub schema: String,
    /// The version of hashwell.
    pub version: String,
    /// The name of the CPU.
    pub cpu: String,
    /// Same as in [`Plan`].
    pub bytes: usize,
    /// Same as in [`Plan`].
    pub pairs: usize,
    /// Same as in [`Plan`].
    pub seed: u64,
    /// The reason why no code could be compiled, if the loop was used for this reason.
    pub refusal: Option<String>,
    /// The rows, in ascending order of the number of rounds.
    pub rows: Vec<Row>,
}

/// Performs all measurements, on one core.
///
/// # Errors
/// Returns a message of one line if a number of rounds or the implementation is invalid, or if a digest differs from
/// that of the portable loop.
pub fn measure(plan: &Plan) -> Result<Report, String> {
    let message = random_bytes(plan.bytes);
    let members = members(&plan.rounds, plan.implementation, &message)?;
    let speeds = speeds(&members, &message, plan);
    let row = |(Member { prepared, .. }, [ns_per_byte, loop_ns_per_byte]): (&Member, [Interval; 2])| {
        let compiled = prepared.compiled();
        Row {
            rounds: prepared.member().rounds(),
            implementation: prepared.implementation().name().to_owned(),
            ns_per_byte,
            loop_ns_per_byte,
            compile_ms: compiled.map(|compiled| compiled.time.as_secs_f64() * 1e3),
            break_even_bytes: compiled.and_then(|c| c.break_even(loop_ns_per_byte.value, ns_per_byte.value)),
            anywhere: avalanche(prepared, Flipped::Anywhere, plan.pairs, plan.seed),
            last_word: avalanche(prepared, Flipped::LastWord, plan.pairs, plan.seed),
        }
    };
    Ok(Report {
        schema: SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        cpu: machine::cpu_name(),
        bytes: plan.bytes,
        pairs: plan.pairs,
        seed: plan.seed,
        refusal: members.iter().find_map(|member| member.prepared.refusal().map(str::to_owned)),
        rows: members.iter().zip(speeds).map(row).collect(),
    })
}

/// A hash function on the implementation that is measured, and on the portable loop.
struct Member {
    prepared: Prepared,
    soft: Prepared,
}

/// Prepares the hash functions, and compares the digests of the message with those of the portable loop.
fn members(
    rounds: &[usize],
    implementation: Option<Implementation>,
    message: &[u8],
) -> Result<Vec<Member>, String> {
    let prepared = |&rounds: &usize| {
        let member = Sha256Family::sha256_with_rounds(rounds).map_err(|e| e.to_string())?;
        let prepared = match implementation {
            Some(implementation) => member.on(implementation).map_err(|e| e.to_string())?,
            None => fastest(&member),
        };
        let soft = member.on(Implementation::Soft).map_err(|e| e.to_string())?;
        if prepared.digest(message) != soft.digest(message) {
            return Err(format!(
                "with {rounds} rounds, the digest of the implementation {} differs from the digest of the portable loop",
                prepared.implementation()
            ));
        }
        Ok(Member { prepared, soft })
    };
    rounds.iter().map(prepared).collect()
}

/// A block of pseudorandom bytes.
fn random_block(random: &mut Random) -> [u8; 64] {
    let mut block = [0; 64];
    block.as_chunks_mut().0.iter_mut().for_each(|bytes| *bytes = random.word().to_le_bytes());
    block
}

fn fastest(member: &Sha256Family) -> Prepared {
    let prepared = member.prepare();
    if prepared.implementation() == Implementation::Soft { member.compile() } else { prepared }
}

/// The nanoseconds per byte of each hash function and of the loop.
fn speeds(members: &[Member], message: &[u8], plan: &Plan) -> Vec<[Interval; 2]> {
    let _pinned = pin();
    let hash = |prepared: &Prepared| {
        black_box(prepared.digest(black_box(message)));
    };
    let mut candidates: Vec<Candidate<'_>> = members
        .iter()
        .flat_map(|Member { prepared, soft }| [prepared, soft])
        .map(|prepared| Candidate::here(move || hash(prepared)))
        .collect();
    let effort = Effort { rounds: plan.samples, patience: 1.0 };
    let mut order = Random(plan.seed);
    let taken = interleaved(&mut candidates, &mut Gate::default(), effort, &mut order);
    let interval = |ns: &[f64]| {
        let summary = summary(ns).scaled(1.0 / message.len() as f64);
        Interval { value: summary.median, low: summary.lower_quartile, high: summary.upper_quartile }
    };
    taken.chunks_exact(2).map(|two| [interval(&two[0].ns), interval(&two[1].ns)]).collect()
}
