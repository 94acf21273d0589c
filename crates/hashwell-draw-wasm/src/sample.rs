//! Lines of a text, as `hashwell sample` picks them (`docs/sampling.md`).

use crate::failure::Failure;
use crate::inputs::Inputs;
use crate::reply;
use hashwell_draw::draw::permutation;
use hashwell_draw::survey::{Design, Kind, Rule, SAMPLE, Sample, Seed, Slots, SlotsDesign};
use hashwell_draw::{Error, Key, hex};
use serde::Deserialize;
use serde_json::json;

/// How the lines of a text are sampled.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Request {
    design: Wanted,
    /// The seed: text, or hexadecimal.
    seed: Option<String>,
    seed_hex: Option<String>,
    /// In the order of drawing, in place of that of the text.
    #[serde(default)]
    order_of_drawing: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
enum Wanted {
    Rows(usize),
    Replace(usize),
    Probability(String),
    Every(u64),
    Shuffle,
}

impl Request {
    fn seed(&self) -> Result<Vec<u8>, Failure> {
        match (&self.seed, &self.seed_hex) {
            (Some(text), None) => Ok(text.clone().into_bytes()),
            (None, Some(digits)) => hex::decode_any_case(digits)
                .map_err(|error| Failure::usage(format!("a seed in hexadecimal: {error}"))),
            _ => Err(Failure::usage("a sample needs one seed, as text or in hexadecimal")),
        }
    }

    /// Numbers of the lines picked, from 1.
    fn picks(&self, key: Key, lines: u64) -> Result<Vec<u64>, Failure> {
        let slots = |kind, k| self.slots(SlotsDesign { k, kind, weight: None, by: None }, key, lines);
        match &self.design {
            Wanted::Rows(k) => slots(Kind::Equal, *k),
            Wanted::Replace(k) => slots(Kind::Replace, *k),
            Wanted::Probability(p) => ruled(&Design::Chance(p.parse()?), key, lines),
            Wanted::Every(0) => Err(Failure::usage("every must be 1 or more, not 0")),
            Wanted::Every(step) => ruled(&Design::Every(*step), key, lines),
            Wanted::Shuffle => {
                let order = permutation(&mut key.words(), lines as usize)?;
                Ok(order.into_iter().map(|at| at as u64 + 1).collect())
            }
        }
    }

    fn slots(&self, design: SlotsDesign, key: Key, lines: u64) -> Result<Vec<u64>, Failure> {
        let mut slots = Slots::new(design, key)?;
        slots.pass_rows(1, lines, |_| Ok([].as_slice().into()))?;
        let picks = Sample::Slots(slots).picks(self.order_of_drawing)?;
        Ok(picks.into_iter().map(|(_, row)| row.number).collect())
    }
}

/// The lines of a rule that decides on each as it comes.
fn ruled(design: &Design, key: Key, lines: u64) -> Result<Vec<u64>, Failure> {
    let mut picks = Vec::new();
    let Some(mut rule) = Rule::of(design, key)? else { return Ok(picks) };
    rule.pass_rows(1, lines, |line| {
        picks.try_reserve(1).map_err(|_| Error::Memory { what: "the picks" })?;
        picks.push(line + 1);
        Ok(())
    })?;
    Ok(picks)
}

/// The lines that were picked, and their numbers.
pub(crate) fn sample(inputs: &Inputs<'_>) -> Result<String, Failure> {
    let request: Request = inputs.request()?;
    let seed = Seed { bytes: request.seed()?, context: SAMPLE.to_owned() };
    let text = std::str::from_utf8(inputs.first()).map_err(|error| {
        Failure::input(format!("the text is not UTF-8 from byte {} on", error.valid_up_to()))
    })?;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let numbers = request.picks(seed.key(), lines.len() as u64)?;
    let picked: Vec<&str> = numbers
        .iter()
        .map(|number| lines[*number as usize - 1])
        .map(|line| line.strip_suffix('\n').unwrap_or(line))
        .collect();
    reply::json(&json!({ "n": lines.len(), "numbers": numbers, "rows": picked }))
}
