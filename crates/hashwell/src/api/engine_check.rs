//! A conformance test for engines, to be called from the tests of each engine.

use crate::api::engine::Engine;
use crate::internal::error::Error;
use crate::internal::kernel::Listing;
use crate::registry::{ALGORITHMS, Accepts, Algorithm, Kind, Params, Shape, Value};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// A violation of the contract of [`Engine`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConformanceError(String);

impl fmt::Display for ConformanceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for ConformanceError {}

/// The numbers of comparisons that [`check`] made. Your test can assert that they are not zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// The number of algorithms that the engine claims with at least one set of parameters.
    pub rows: usize,
    /// The number of combinations of an algorithm and parameters that the engine claims. Parameters with secrets count
    /// only if the engine may see secrets.
    pub claims: usize,
    /// The number of correct digests.
    pub digests: usize,
}

/// Compares an engine with the portable kernels for every algorithm that it claims.
///
/// The test covers:
///
/// - each parameter of the algorithm
/// - every message length up to a little more than four blocks, and some long messages
/// - batches of 1 to 100 messages of mixed lengths
/// - empty and overlapping messages
/// - short and long outputs
/// - use by two threads at the same time (with feature `std`)
///
/// An engine that must not see secrets receives none.
///
/// # Errors
/// Returns the first [`ConformanceError`], which names the algorithm, the parameters and the batch.
pub fn check(engine: &dyn Engine) -> Result<Checked, ConformanceError> {
    let name = engine.name();
    let (kind, number) = name.split_once(':').unwrap_or_default();
    let well_named = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if kind.is_empty() || !kind.chars().all(well_named) || number.parse::<u32>().is_err() {
        return Err(ConformanceError(format!(
            "the name '{name}' is not a kind and a number, such as 'opencl:0'"
        )));
    }
    engine.available().map_err(|fault| ConformanceError(format!("{name} is not available: {fault}")))?;
    let mut checked = Checked::default();
    for algorithm in ALGORITHMS {
        let before = checked.claims;
        for (what, params) in parameter_sets(algorithm) {
            Case { engine, algorithm, what: &what, params }.check(&mut checked)?;
        }
        checked.rows += usize::from(checked.claims > before);
    }
    Ok(checked)
}

static MATERIAL: [u8; 64] = [0x5c; 64];

/// Returns the sets of parameters to test: plain hashing, each parameter by itself, and other output lengths.
fn parameter_sets(algorithm: &'static Algorithm) -> Vec<(String, Params<'static>)> {
    let plain = Params::default();
    let mut sets = vec![("no parameters".to_string(), plain)];
    sets.extend(algorithm.accepts.iter().map(|accepts| (format!("{:?}", accepts.parameter), with(accepts))));
    let (min, max) = algorithm.output_range;
    let rate = algorithm.block;
    let lengths = match algorithm.kind {
        Kind::Fixed => vec![min, max],
        Kind::Xof => vec![1, rate - 1, rate, rate + 1, 3 * rate + 5, 1000],
    };
    let other = |len: usize| (format!("{len} bytes of output"), Params { output_len: Some(len), ..plain });
    sets.extend(lengths.into_iter().filter(|len| *len != algorithm.output).map(other));
    sets
}

/// Returns this parameter with a length or value that is not its default.
fn with(accepts: &Accepts) -> Params<'static> {
    let longest = usize::try_from(accepts.max).unwrap_or(usize::MAX).min(MATERIAL.len());
    let value = match accepts.parameter.row().shape {
        Shape::Bytes => Value::Bytes(&MATERIAL[..longest]),
        Shape::Text => Value::Text("hashwell 2026 contract of engines"),
        // 2 is not the default of any numeric parameter.
        Shape::Number => Value::Number(accepts.min.max(2)),
        Shape::Flag => Value::Number(1),
    };
    let mut params = Params::default();
    params.set(accepts.parameter, value).expect("of the parameter's shape, and within its limits");
    params
}

/// An algorithm with parameters.
struct Case<'e> {
    engine: &'e dyn Engine,
    algorithm: &'static Algorithm,
    what: &'e str,
    params: Params<'static>,
}

/// The number of guard bytes before and after the output, which an engine that writes through
/// pointers must not change.
const GUARD: usize = 64;

impl Case<'_> {
    fn breach(&self, what: &str) -> ConformanceError {
        ConformanceError(format!(
            "{}: {} with {}: {what}",
            self.engine.name(),
            self.algorithm.name,
            self.what
        ))
    }

    fn check(&self, checked: &mut Checked) -> Result<(), ConformanceError> {
        let soft = self.algorithm.family.kernels().names().last().copied();
        let refused =
            |error: Error| self.breach(&format!("the portable kernel rejects these parameters: {error}"));
        let expected = self.algorithm.many(&Params { kernel: soft, ..self.params }).map_err(refused)?;
        let output_len = expected.output_len();
        let params = Params { output_len: Some(output_len), ..self.params };
        let claims = self.engine.claims(self.algorithm, &params);
        if claims != self.engine.claims(self.algorithm, &params) {
            return Err(self.breach("the engine claims this in one call but not in the next"));
        }
        if !claims || expected.is_secret() && !self.engine.may_see_secrets() {
            return Ok(());
        }
        checked.claims += 1;
        // Parameters affect only the start of the message, so fewer lengths are enough for them.
        let whole = self.params == Params::default();
        for (name, messages) in batches(self.algorithm.block, whole) {
            let messages: Vec<&[u8]> = messages.iter().map(|range| &BYTES[range.clone()]).collect();
            let digests = expected.digest(&messages);
            let breach = |what: &str| self.breach(&format!("{name}, {} messages: {what}", messages.len()));
            // A byte that the engine does not write differs from one of the two fill values.
            for fill in [0x00, 0xff] {
                self.compare(&params, &messages, &digests, fill).map_err(|what| breach(&what))?;
            }
            checked.digests += messages.len();
        }
        #[cfg(feature = "std")]
        if whole {
            self.by_two_threads(&params, &expected)?;
        }
        Ok(())
    }

    /// Compares one call of the engine, whose output buffer is filled with `fill`.
    fn compare(
        &self,
        params: &Params<'_>,
        messages: &[&[u8]],
        expected: &[u8],
        fill: u8,
    ) -> Result<(), String> {
        let mut memory = vec![fill; expected.len() + 2 * GUARD];
        let end = GUARD + expected.len();
        let written = self.engine.digest_many(self.algorithm, params, messages, &mut memory[GUARD..end]);
        let written = written.map_err(|fault| format!("it failed: {fault}"))?;
        if written != messages.len() {
            return Err(format!("it reported {written} digests for {} messages", messages.len()));
        }
        if memory[..GUARD].iter().chain(&memory[end..]).any(|byte| *byte != fill) {
            return Err("it wrote outside the output buffer".into());
        }
        let len = expected.len() / messages.len();
        let mut digests = memory[GUARD..end].chunks_exact(len).zip(expected.chunks_exact(len));
        match digests.position(|(digest, expected)| digest != expected) {
            None => Ok(()),
            Some(i) => Err(format!("digest {i}, of a message of {} bytes, is wrong", messages[i].len())),
        }
    }

    /// Uses the engine from two threads, since threads can share engines. If the system refuses to
    /// start threads, this test is skipped.
    #[cfg(feature = "std")]
    fn by_two_threads(
        &self,
        params: &Params<'_>,
        expected: &crate::api::many::Many,
    ) -> Result<(), ConformanceError> {
        let batch =
            |from: usize| -> Vec<&[u8]> { (0..20).map(|i| &BYTES[from + i..from + 40 * i]).collect() };
        let run = |from: usize| {
            let messages = batch(from);
            self.compare(params, &messages, &expected.digest(&messages), 0)
        };
        let answers = std::thread::scope(|scope| {
            let other = std::thread::Builder::new().spawn_scoped(scope, || run(100)).ok();
            [
                run(0),
                other.map_or(Ok(()), |thread| thread.join().unwrap_or_else(|_| Err("it panicked".into()))),
            ]
        });
        let wrong = answers.into_iter().find_map(Result::err);
        wrong.map_or(Ok(()), |what| Err(self.breach(&format!("from two threads at once: {what}"))))
    }
}

/// The source of all messages. Two bytes differ if they are at the same position of different blocks, or if their
/// distance is a power of two.
static BYTES: [u8; 70_000] = {
    let mut bytes = [0; 70_000];
    let mut i = 0;
    while i < bytes.len() {
        bytes[i] = (i % 251) as u8;
        i += 1;
    }
    bytes
};

type Batch = (&'static str, Vec<core::ops::Range<usize>>);

/// Returns batches of messages, as ranges of [`BYTES`].
fn batches(block: usize, whole: bool) -> Vec<Batch> {
    // Short and long messages alternate, so that neighbours end at different times.
    let nth = |i: usize, most: usize| if i.is_multiple_of(2) { i / 2 } else { most - 1 - i / 2 };
    let every = |most: usize| (0..most).map(move |i| nth(i, most)).map(|len| len..2 * len);
    let count =
        |n: usize| (0..n).map(|i| 3 * i..3 * i + [0, 1, block - 1, block, block + 1, 3 * block][i % 6]);
    let mut batches: Vec<Batch> = vec![
        ("an empty message", core::iter::once(0..0).collect()),
        ("one block", core::iter::once(0..block).collect()),
        ("mixed lengths", every(if whole { 4 * block + 17 } else { 2 * block + 3 }).collect()),
        ("identical messages", vec![5..5 + 2 * block; 17]),
        ("overlapping messages", (0..33).map(|i| i..i + 100).collect()),
    ];
    if whole {
        batches.extend(
            (2..=18).chain([31, 33, 64, 100]).map(|n| ("lengths around one block", count(n).collect())),
        );
        batches.push(("empty messages", vec![9..9; 20]));
        batches.push((
            "one long message among short ones",
            (0..20).map(|i| if i == 7 { 0..65_537 } else { i..2 * i }).collect(),
        ));
        // Lengths around the thresholds where trees and their leaves begin.
        let trees = [1023, 1024, 1025, 4096, 8190, 8191, 8192, 8193, 16_383, 16_384, 16_385];
        batches.push(("long messages", trees.map(|len| 11..11 + len).to_vec()));
    }
    batches
}
