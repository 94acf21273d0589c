//! hwdraw/1: draws that anyone can recheck (`docs/spec/draw.md`).
//!
//! ```text
//! list -> Frame -> Plan (all but the seed; its digest is the commitment) --\
//! text, hex, dice, beacon -> Seed -> Key -----------------------------------+-> methods -> Picks -> Transcript -> verify
//! ```

pub mod beacon;
pub mod replay;

mod frame;
mod plan;
mod seed;

pub use frame::{Column, Columns, Frame, FrameBuilder, Kind};
pub use plan::{Allocation, FrameNote, MOST_SCALE, Method, Plan, SPEC, Stratum, Wishes, allocate};
pub use seed::{Origin, Seed};

use crate::Error;
use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};

/// Bytes as transcripts have them.
fn hex(bytes: &[u8]) -> String {
    HEXLOWER.encode(bytes)
}

fn unhex(what: &'static str, text: &str) -> Result<Vec<u8>, Error> {
    HEXLOWER_PERMISSIVE
        .decode(text.as_bytes())
        .map_err(|error| Error::invalid(what, format!("its hexadecimal: {error}")))
}
