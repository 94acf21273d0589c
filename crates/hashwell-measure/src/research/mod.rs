//! What more rounds cost, and what they do to a bit: SHA-256 over its number of rounds.
//!
//! ```text
//! plan -> members of SHA-256's family -> digests compared with the portable loop's
//!      -> speed of each, and of the loop (interleaved rounds) \
//!      -> avalanche: one block, one bit changed, many times    -> report (JSON) -> tables, charts, page
//! ```
//!
//! [`LIMITS`] says what the figures do not tell.

mod avalanche;
mod view;

pub use avalanche::{Avalanche, Flipped, avalanche};
pub use hashwell_accel::family::Error;
pub use view::render;

use crate::report::machine;
use crate::timing::clock::{Candidate, Effort, Gate, interleaved, pin};
use crate::timing::input::random_bytes;
use crate::timing::random::Random;
use crate::timing::statistics::summary;
use hashwell_accel::family::{Implementation, Prepared, Sha256Family};
use serde::{Deserialize, Serialize};
use std::hint::black_box;

/// [`Report::schema`] of this version.
pub const SCHEMA: &str = "hashwell-research-rounds/1";

/// What the figures tell of security, and what they do not.
pub const LIMITS: [&str; 2] = [
    "A biased bit shows that a function is too weak. That none is seen shows nothing: a linear function spreads bits as \
     well, and attacks choose their differences. Here nothing is seen from some twenty rounds on, and collisions of \
     SHA-256 have been found for 31 (Li, Liu, Wang, Dong and Sun, ASIACRYPT 2024).",
    "Analysed in public are SHA-256, with its 64 rounds, and fewer of its rounds, in order to attack them. For more rounds \
     nothing is claimed: they cost their share of time, and what they add is not known.",
];

/// What is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Numbers of rounds, 1 to 256 each.
    pub rounds: Vec<usize>,
    /// Where the members run; `None` for the processor's instructions if it has them, else code made for each.
    pub implementation: Option<Implementation>,
    /// Bytes of the message that speed is measured on.
    pub bytes: usize,
    /// Samples of a millisecond each.
    pub samples: usize,
    /// Pairs of blocks for each avalanche.
    pub pairs: usize,
    /// What blocks and bits are drawn from.
    pub seed: u64,
}

/// A value, and how far others of its kind are from it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The value.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// One number of rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// How many.
    pub rounds: usize,
    /// What ran.
    pub implementation: String,
    /// Nanoseconds a byte: median and quartiles.
    pub ns_per_byte: Interval,
    /// The same of the portable loop, in the same rounds of measurement.
    pub loop_ns_per_byte: Interval,
    /// Milliseconds that the making of the code took, where code was made.
    pub compile_ms: Option<f64>,
    /// Bytes of message after which that has paid, against the loop.
    pub break_even_bytes: Option<f64>,
    /// One bit anywhere in the block is changed.
    pub anywhere: Avalanche,
    /// One bit of the block's last word is changed, which meets the fewest rounds.
    pub last_word: Avalanche,
}

/// Everything that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: String,
    /// hashwell's.
    pub version: String,
    /// The processor.
    pub cpu: String,
    /// As in [`Plan`].
    pub bytes: usize,
    /// As in [`Plan`].
    pub pairs: usize,
    /// As in [`Plan`].
    pub seed: u64,
    /// Why no code was made, where the loop had to do.
    pub refusal: Option<String>,
    /// By rising number of rounds.
    pub rows: Vec<Row>,
}

/// Measures all of it, on one core.
///
/// # Errors
/// A number of rounds or an implementation that cannot be, or a digest that is not the portable loop's, as one line.
pub fn measure(plan: &Plan) -> Result<Report, String> {
    let message = random_bytes(plan.bytes);
    let mut members = Vec::new();
    for &rounds in &plan.rounds {
        let member = Sha256Family::sha256_with_rounds(rounds).map_err(|e| e.to_string())?;
        let prepared = match plan.implementation {
            Some(implementation) => member.on(implementation).map_err(|e| e.to_string())?,
            None => fastest(&member),
        };
        let soft = member.on(Implementation::Soft).map_err(|e| e.to_string())?;
        if prepared.digest(&message) != soft.digest(&message) {
            return Err(format!(
                "{rounds} rounds on {} give another digest than the loop",
                prepared.implementation()
            ));
        }
        members.push((prepared, soft));
    }
    let speeds = speeds(&members, &message, plan);
    let row = |((prepared, _), [ns_per_byte, loop_ns_per_byte]): (&(Prepared, Prepared), [Interval; 2])| {
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
        refusal: members.iter().find_map(|(prepared, _)| prepared.refusal().map(str::to_owned)),
        rows: members.iter().zip(speeds).map(row).collect(),
    })
}

fn fastest(member: &Sha256Family) -> Prepared {
    let prepared = member.prepare();
    if prepared.implementation() == Implementation::Soft { member.compile() } else { prepared }
}

/// Nanoseconds a byte of each member and of the loop.
fn speeds(members: &[(Prepared, Prepared)], message: &[u8], plan: &Plan) -> Vec<[Interval; 2]> {
    let _pinned = pin();
    let hash = |prepared: &Prepared| {
        black_box(prepared.digest(black_box(message)));
    };
    let mut candidates: Vec<Candidate<'_>> = members
        .iter()
        .flat_map(|(prepared, soft)| [prepared, soft])
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
