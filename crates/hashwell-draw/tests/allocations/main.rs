//! Refuses each allocation of the calls of this crate once. There must be an error that reports it, or the process
//! ends, as with Rust's own collections, or the result is right. It must never be wrong. `lists.rs` lists the case that
//! tests each public function, and fails if there is none.
#![cfg(all(target_os = "linux", not(miri)))] // Miri starts no processes

#[path = "../../../hashwell/tests/common/refusing.rs"]
mod refusing;

// `api.txt` lists the functions of all features.
#[cfg(all(feature = "drand", feature = "nist"))]
#[path = "../../../hashwell/tests/common/every_function.rs"]
mod every_function;

mod draws;
#[cfg(all(feature = "drand", feature = "nist"))]
mod lists;
mod processes;
mod records;
mod saved;
mod surveys;

use hashwell::CounterRng;
use hashwell_draw::{Error, Key, key::OPEN_LIST};
use refusing::{Answer, Call, number, number_of};
use std::fmt::{self, Debug, Write};

fn key() -> Key {
    Key::derive(b"0877", b"", &OPEN_LIST)
}

fn words() -> CounterRng {
    key().words()
}

/// The random numbers from the position of a saved state on.
fn words_from(position: Option<u128>) -> Result<CounterRng, Error> {
    let mut words = words();
    words.seek(position.expect("it is counted") / 8)?;
    Ok(words)
}

/// The hash of row numbers.
fn rows(rows: impl IntoIterator<Item = impl TryInto<u64>>) -> Answer {
    Ok(number_of(rows.into_iter().map(|row| row.try_into().ok().expect("a number of a row"))))
}

/// The `Debug` output of a result as a number, computed without allocating.
fn shown(answer: &impl Debug) -> Answer {
    struct Sum(u64);
    impl Write for Sum {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 = number_of([self.0, number(text.bytes())]);
            Ok(())
        }
    }
    let mut sum = Sum(0);
    write!(sum, "{answer:?}").expect("it only counts");
    Ok(sum.0)
}

/// Calls that do not allocate in a process that has made them before. Their inputs are created by the first call.
const QUIET: &[&[(&str, Call)]] =
    &[draws::QUIET, saved::QUIET, records::QUIET, processes::QUIET, surveys::QUIET];

/// Calls that allocate.
const ASKING: &[&[(&str, Call)]] =
    &[draws::ASKING, saved::ASKING, records::ASKING, processes::ASKING, surveys::ASKING];

/// Objects that are used across a step for which there was no memory. Repeating the step and all steps after it must
/// give the same results as in a process with enough memory.
/// [`Slots`](hashwell_draw::weighted::WeightedWithReplacement) and
/// [`WeightedReservoir`](hashwell_draw::row_sampling::KeySampler) instead report that they can no longer be used.
const KEPT: &[&[(&str, Call)]] = &[draws::KEPT, records::KEPT, processes::KEPT, surveys::KEPT];

/// Calls that never end the process if an allocation is refused.
const NEVER_END: &[&str] = &[
    "kept FisherYates",
    "kept WithReplacement",
    "kept Chao",
    "kept ARes",
    "kept AExpJ",
    "kept WeightedTickets",
    "kept WeightedReservoir",
    "kept merges",
    "kept tables",
    "permutation",
    "floyd",
    "choose",
    "SkipReservoir",
    "AlgorithmL",
    "FisherYates",
    "WithReplacement",
    "alias tables",
    "ARes",
    "WeightedReservoir",
    "slices of weights",
    "systematic_pps",
    "words of a source",
];

#[test]
fn child() {
    let all: Vec<_> = [QUIET, ASKING, KEPT].into_iter().flatten().copied().collect();
    refusing::child(&all);
}

#[test]
fn some_calls_ask_for_no_memory() {
    QUIET.iter().for_each(|calls| refusing::ask_for_none(calls));
}

#[test]
fn objects_are_kept_over_a_refusal() {
    for calls in KEPT {
        for (name, outcomes) in refusing::refuse_each(calls) {
            assert_eq!(outcomes.errors, 0, "{name}: {outcomes:?}");
            assert_eq!(outcomes.ends == 0, NEVER_END.contains(&name), "{name}: {outcomes:?}");
            assert!(outcomes.again > 0, "{name}: no step was refused: {outcomes:?}");
        }
    }
}

#[test]
fn each_allocation_is_refused_once() {
    for calls in ASKING {
        for (name, outcomes) in refusing::refuse_each(calls) {
            assert!(outcomes.ends + outcomes.errors > 0, "{name} asks for no memory any more");
            assert_eq!(outcomes.ends == 0, NEVER_END.contains(&name), "{name}: {outcomes:?}");
        }
    }
}
