//! The transcript: everything that others need to verify a draw.

use super::list::EntryList;
use super::methods::{Pick, draw, draw_ids};
use super::plan::Plan;
use super::seed::Seed;
use super::{hex, one_line};
use crate::strict::Shape;
use crate::{Error, interrupt};
use hashwell::Sha256;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// A draw with everything that determined it. Fields are sorted by name, as in the JSON text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transcript {
    /// The plan's digest in hexadecimal, which can be published before the seed is known.
    pub commitment: String,
    /// The digest of the picks' ids in hexadecimal.
    pub output: String,
    /// The picks in order.
    pub picks: Vec<Pick>,
    /// Everything that was decided before the seed was known.
    pub plan: Plan,
    /// The name and version of the program that made the draw.
    pub program: String,
    /// The seed, with its origin.
    pub seed: Seed,
}

const WHAT: &str = "a hwdraw/1 transcript";

/// The JSON features that a transcript may use: arrays only for these keys, and no `null`, `true` or `false`.
const SHAPE: Shape = Shape { what: WHAT, arrays: &["columns", "picks", "strata"], literals: false };

impl Transcript {
    /// Makes the draw.
    ///
    /// # Errors
    /// Returns the same errors as [`draw`]. Also returns [`Error::Refused`] if the origin of the seed is not the
    /// planned one, and [`Error::Invalid`] if the seed has fields or bytes that do not fit its origin.
    pub fn draw(plan: Plan, seed: Seed, entries: &EntryList, program: &str) -> Result<Self, Error> {
        seed.check_origin(&plan)?;
        seed.check()?;
        let picks = draw(&plan, &seed.bytes()?, entries)?;
        Ok(Self {
            commitment: hex(&plan.commitment()),
            output: hex(&output(&picks)?),
            picks,
            plan,
            program: program.to_owned(),
            seed,
        })
    }

    /// Makes the same draw as [`Transcript::draw`], but passes the ids of the picks to `take`, in order, instead of
    /// keeping them. Methods that choose positions need 8 bytes of memory for each pick.
    ///
    /// # Errors
    /// Returns the same errors as [`Transcript::draw`], and the errors that `take` returns.
    pub fn draw_ids(
        plan: &Plan,
        seed: &Seed,
        entries: &EntryList,
        take: &mut dyn FnMut(&str) -> Result<(), Error>,
    ) -> Result<(), Error> {
        seed.check_origin(plan)?;
        seed.check()?;
        draw_ids(plan, &seed.bytes()?, entries, take)
    }

    /// Reads a transcript from JSON. The JSON must have exactly the fields and types of this structure, as described in
    /// the section "Reading a transcript" of the specification.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`], with a line and a column, if the JSON is not a transcript.
    pub fn from_json(json: &[u8]) -> Result<Self, Error> {
        let invalid = |error: serde_json::Error| Error::invalid(WHAT, one_line(&error));
        SHAPE.check(json)?;
        serde_json::from_slice(json).map_err(invalid)
    }

    /// The text of the transcript: JSON with sorted keys, one pick on each line.
    ///
    /// # Panics
    /// Never panics, because a transcript contains only texts and integers.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.written(&|_| Ok(())).expect("nothing stops it")
    }

    /// Does the same as [`Transcript::to_json`], but [`interruptible`](crate::interruptible) can stop it.
    ///
    /// # Errors
    /// Returns [`Error::Stopped`] if it is stopped.
    pub fn to_json_or_stop(&self) -> Result<String, Error> {
        self.written(&interrupt::check)
    }

    fn written(&self, check: &dyn Fn(u64) -> Result<(), Error>) -> Result<String, Error> {
        fn text(value: &impl Serialize) -> String {
            serde_json::to_string(value).expect("strings and integers")
        }
        let mut json = format!(
            "{{\n\"commitment\": {},\n\"output\": {},\n\"picks\": [",
            text(&self.commitment),
            text(&self.output)
        );
        for (i, pick) in self.picks.iter().enumerate() {
            check(i as u64)?;
            let comma = if i == 0 { "" } else { "," };
            write!(json, "{comma}\n {}", text(pick)).expect("a String takes everything");
        }
        let (plan, program, seed) = (self.plan.text(), text(&self.program), text(&self.seed));
        write!(json, "\n],\n\"plan\": {plan},\n\"program\": {program},\n\"seed\": {seed}\n}}\n")
            .expect("a String takes everything");
        Ok(json)
    }
}

/// SHA-256 of the picks' ids in order, each preceded by its length as 8 bytes, big-endian.
pub(super) fn output(picks: &[Pick]) -> Result<[u8; 32], Error> {
    let mut hash = Sha256::new();
    for (place, pick) in picks.iter().enumerate() {
        interrupt::check(place as u64)?;
        hash.update(&(pick.id.len() as u64).to_be_bytes());
        hash.update(pick.id.as_bytes());
    }
    Ok(hash.finalize())
}
