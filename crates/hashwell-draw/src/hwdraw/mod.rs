//! hwdraw/1: draws that anyone can verify (`docs/spec/draw.md`).
//!
//! ```text
//! file -> EntryList -> Plan (all except the seed; its digest is the commitment) -\
//! text, hex, dice, beacon -> Seed -> Key ----------------------------------------+-> methods -> Picks -> Transcript
//!                                                                                                   -> verify, steps
//! ```

pub mod beacon;
pub mod replay;

mod list;
mod lookalike;
mod methods;
mod plan;
mod seed;
mod source;
mod steps;
mod transcript;
mod verification;
mod verify;
mod weights;

pub use list::{Column, Columns, EntryList, EntryListBuilder, Kind, not_text};
pub use methods::{MAX_UNLISTED, Pick, draw};
pub use plan::{Allocation, DrawOptions, ListSummary, MAX_SCALE, Method, Plan, SPEC, Stratum};
pub use seed::Seed;
pub use source::{MAX_DESCRIPTION, Origin, Planned, SeedSource};
pub use steps::{PartSteps, Step, Steps, steps};
pub use transcript::Transcript;
pub use verification::{
    KeyMismatch, ListMismatch, Mismatch, Outcome, PicksMismatch, Unchecked, Verification,
};
pub use verify::{Evidence, verify};

use crate::Error;
use crate::hex::{decode, encode as hex};
use crate::strict::one_line;
use serde::{Deserialize, Deserializer};

/// Decodes hexadecimal digits in a transcript.
fn unhex(what: &'static str, text: &str) -> Result<Vec<u8>, Error> {
    decode(text).map_err(|error| Error::invalid(what, format!("a hexadecimal value has an {error}")))
}

/// Deserializes a field that may be absent but not `null`, so that a transcript has only one text.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(value: D) -> Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}
