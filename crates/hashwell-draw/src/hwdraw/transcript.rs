//! The transcript: what a stranger needs to recheck a draw.

use super::frame::Frame;
use super::methods::{Pick, draw};
use super::plan::Plan;
use super::seed::Seed;
use super::{hex, one_line};
use crate::Error;
use hashwell::Sha256;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Write as _;

/// A draw with all that it was made of. Fields are in the order of their names, as its text is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transcript {
    /// The plan's digest in hexadecimal, which can be published before the seed is known.
    pub commitment: String,
    /// The digest of the picks' ids in hexadecimal.
    pub output: String,
    /// The picks in their order.
    pub picks: Vec<Pick>,
    /// All that was decided before.
    pub plan: Plan,
    /// The program that drew, and its version.
    pub program: String,
    /// The seed, and where it came from.
    pub seed: Seed,
}

const WHAT: &str = "a transcript of hwdraw/1";

/// What must be written as it is written here.
#[derive(Deserialize)]
struct Written {
    plan: Value,
    seed: Value,
}

impl Transcript {
    /// Draws.
    ///
    /// # Errors
    /// As [`draw`]; [`Error::Invalid`] for a seed that is not what it says, or not what the plan announced.
    pub fn draw(plan: Plan, seed: Seed, frame: &Frame, program: &str) -> Result<Self, Error> {
        seed.check(&plan)?;
        let picks = draw(&plan, &seed.bytes()?, frame)?;
        Ok(Self {
            commitment: hex(&plan.commitment()),
            output: hex(&output(&picks)),
            picks,
            plan,
            program: program.to_owned(),
            seed,
        })
    }

    /// Reads a transcript, or refuses it: JSON of this shape with no key missing, unknown or there twice.
    ///
    /// # Errors
    /// [`Error::Invalid`], with line and column.
    pub fn from_json(json: &[u8]) -> Result<Self, Error> {
        let invalid = |error: serde_json::Error| Error::invalid(WHAT, one_line(&error));
        let transcript: Self = serde_json::from_slice(json).map_err(invalid)?;
        // What stands for the same to a parser of structs, as a list of its values, would be another text to commit to.
        let written: Written = serde_json::from_slice(json).map_err(invalid)?;
        let read = (serde_json::to_value(&transcript.plan), serde_json::to_value(&transcript.seed));
        match read {
            (Ok(plan), Ok(seed)) if (&plan, &seed) == (&written.plan, &written.seed) => Ok(transcript),
            _ => Err(Error::invalid(WHAT, "its plan or its seed is written in another way")),
        }
    }

    /// Its text: JSON with sorted keys, a pick a line.
    ///
    /// # Panics
    /// Never: all is texts and whole numbers.
    #[must_use]
    pub fn to_json(&self) -> String {
        fn text(value: &impl Serialize) -> String {
            serde_json::to_string(value).expect("texts and whole numbers")
        }
        let mut json = format!(
            "{{\n\"commitment\": {},\n\"output\": {},\n\"picks\": [",
            text(&self.commitment),
            text(&self.output)
        );
        for (i, pick) in self.picks.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(json, "{comma}\n {}", text(pick)).expect("a String takes everything");
        }
        let (plan, program, seed) = (self.plan.text(), text(&self.program), text(&self.seed));
        write!(json, "\n],\n\"plan\": {plan},\n\"program\": {program},\n\"seed\": {seed}\n}}\n")
            .expect("a String takes everything");
        json
    }
}

/// SHA-256 of the picks' ids in their order, each after its length as 8 bytes, big-endian.
pub(super) fn output(picks: &[Pick]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for pick in picks {
        hash.update(&(pick.id.len() as u64).to_be_bytes());
        hash.update(pick.id.as_bytes());
    }
    hash.finalize()
}
