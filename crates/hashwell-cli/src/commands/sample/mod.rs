//! `hashwell sample`: rows of files and pipes, picked at random.
//!
//! ```text
//! options -> plan, seed -> Key
//! FILEs -> reading (rows, progress, Ctrl-C) -> filter ------------------> output, complement
//!                                          \-> slots | keys | shuffle --> finish -> output, complement, transcript
//!                                                        \-> state -> merge, resume -/
//! ```
//!
//! What is drawn, kept, saved and merged is `hashwell_draw::survey`'s; here are options, inputs and outputs. What is drawn
//! depends on the seed, the design and the rows, and on nothing of how they are read.

mod fields;
mod filter;
mod finish;
mod keys;
mod merge;
mod out;
mod output;
mod places;
mod plan;
mod reading;
mod recheck;
mod resume;
mod seed;
mod selftest;
mod shape;
mod shuffle;
mod slots;
mod state;
mod stats;
mod stop;
mod ticket;
mod transcript;

use crate::options::sample_args::SampleOptions;
use crate::system::exit::SUCCESS;
use crate::system::interrupt::INTERRUPTED;
use crate::system::panics::caught;
use crate::system::report::Failure;
use finish::Run;
use hashwell_draw::survey::Design;
use reading::Inputs;
use std::ffi::{OsStr, OsString};
use stop::Stop;

pub(crate) fn run(options: &SampleOptions) -> Result<u8, Failure> {
    places::check(options)?;
    let done = if options.selftest {
        selftest::run(options)
    } else if options.merge {
        merge::run(options).map(|()| SUCCESS)
    } else {
        sample(options).map(|()| SUCCESS)
    };
    exit(done)
}

/// `hashwell verify` of a transcript that `--transcript` wrote; `None` if these bytes are none.
pub(crate) fn recheck(name: &OsStr, json: &[u8], files: &[OsString]) -> Option<Result<u8, Failure>> {
    let record = recheck::transcript(json)?;
    Some(exit(recheck::run(name, &record, files)))
}

fn exit(done: Result<u8, Stop>) -> Result<u8, Failure> {
    match done {
        Ok(code) => Ok(code),
        Err(Stop::Interrupted) => Ok(INTERRUPTED),
        Err(Stop::Failure(failure)) => Err(failure),
    }
}

fn sample(options: &SampleOptions) -> Result<(), Stop> {
    if options.state_in.is_some() {
        return resume::run(options);
    }
    let design = plan::design(options)?;
    let again = options.complement.is_some() && matches!(design, Design::Slots(_) | Design::Keys { .. });
    let (inputs, watch) = Inputs::of(options, again)?;
    let run = Run::new(options, &inputs, &watch, seed::Seed::of(options)?);
    let draw = || match design {
        Design::Slots(slots) => run.slots(slots),
        Design::Keys { columns, k, .. } => run.keys(columns, k),
        Design::Shuffle => run.shuffle(),
        design => run.filter(&design),
    };
    // The reader of Parquet may panic at what anybody may have written, wherever it reads. Files that were begun go then.
    if inputs.are_tables() { caught(draw).unwrap_or_else(|| Err(inputs.panicked())) } else { draw() }
}
