//! hwdraw/1: draws that anyone can recheck (`docs/spec/draw.md`).
//!
//! ```text
//! list -> Frame -> Plan (all but the seed; its digest is the commitment) --\
//! text, hex, dice, beacon -> Seed -> Key -----------------------------------+-> methods -> Picks -> Transcript -> verify, steps
//! ```

pub mod beacon;
pub mod replay;

mod frame;
mod methods;
mod plan;
mod seed;
mod steps;
mod transcript;
mod verify;
mod weights;

pub use frame::{Column, Columns, Frame, FrameBuilder, Kind};
pub use methods::{MOST_UNLISTED, Pick, draw};
pub use plan::{Allocation, FrameNote, MOST_SCALE, Method, Plan, SPEC, Stratum, Wishes, allocate};
pub use seed::{Origin, Seed};
pub use steps::{PartSteps, Step, Steps, steps};
pub use transcript::Transcript;
pub use verify::{Verdict, verify};

use crate::Error;
use crate::hex::{decode, encode as hex};
use serde::{Deserialize, Deserializer};

/// Bytes of digits as transcripts have them.
fn unhex(what: &'static str, text: &str) -> Result<Vec<u8>, Error> {
    decode(text).map_err(|error| Error::invalid(what, format!("its hexadecimal: {error}")))
}

/// A field that may be absent but not `null`, which would be another text of the same transcript.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(value: D) -> Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}

/// A parser's message, which may quote what it read: one line of bounded length.
fn one_line(error: &dyn std::fmt::Display) -> String {
    const MOST: usize = 200;
    let escape = |c: char| if c.is_control() { c.escape_default().collect() } else { c.to_string() };
    let text: String = error.to_string().chars().map(escape).collect();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
