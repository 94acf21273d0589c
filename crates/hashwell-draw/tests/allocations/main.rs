//! Each allocation of the calls of this crate is refused once: an error that says so, or the process ends as Rust's own
//! collections end it, or the answer is right. None gives another answer. `lists.rs` says which case looks at which public
//! function, and fails where one has none.
#![cfg(all(target_os = "linux", not(miri)))] // Miri starts no processes

#[path = "../../../hashwell/tests/common/refusing.rs"]
mod refusing;

// `api.txt` has all features.
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

/// The words from where a saved state had come to.
fn words_from(position: Option<u128>) -> Result<CounterRng, Error> {
    let mut words = words();
    words.seek(position.expect("it is counted") / 8)?;
    Ok(words)
}

/// Of rows as numbers.
fn rows(rows: impl IntoIterator<Item = impl TryInto<u64>>) -> Answer {
    Ok(number_of(rows.into_iter().map(|row| row.try_into().ok().expect("a number of a row"))))
}

/// What is shown of an answer as a number, for which no memory is needed.
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

/// Calls that ask for nothing, in a process that has made them before. What they look at was made then.
const QUIET: &[&[(&str, Call)]] =
    &[draws::QUIET, saved::QUIET, records::QUIET, processes::QUIET, surveys::QUIET];

/// Calls that ask.
const ASKING: &[&[(&str, Call)]] =
    &[draws::ASKING, saved::ASKING, records::ASKING, processes::ASKING, surveys::ASKING];

/// Objects that are kept over a step for which there was no memory: the step made again, and all after it, give what they
/// give in a process that has memory. [`Slots`](hashwell_draw::weighted::WeightedWithReplacement) says that it is of no more use then, and
/// [`WeightedReservoir`](hashwell_draw::row_sampling::KeySampler) of surveys.
const KEPT: &[&[(&str, Call)]] = &[draws::KEPT, records::KEPT, processes::KEPT, surveys::KEPT];

/// Calls that no refusal ends.
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
