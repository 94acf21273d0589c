//! Samples lines of a text, with the same result as `hashwell sample` (`docs/spec/sampling.md`).

use crate::failure::Failure;
use crate::inputs::Inputs;
use crate::reply;
use hashwell_draw::Error;
use hashwell_draw::draw::permutation;
use hashwell_draw::row_sampling::{
    Order, Part, RequestError, RowSampler, Rule, Sample, SamplingOptions, SamplingRequest, Spelling,
};
use serde_json::json;

/// The names of the options in JavaScript.
struct Spelled;

impl Spelling for Spelled {
    fn name(&self, part: Part) -> Option<String> {
        let name = match part {
            Part::Size => "n",
            Part::Probability => "probability",
            Part::Every => "every",
            Part::Shuffle => "shuffle",
            Part::Replace => "replace",
            Part::Order => "order",
            Part::GroupBy
            | Part::Weight
            | Part::Weighting
            | Part::DefaultWeight
            | Part::Stratify
            | Part::Proportional
            | Part::Exact
            | Part::State
            | Part::Rest
            | Part::Ticket
            | Part::Shard => return None,
        };
        Some(name.to_owned())
    }
}

pub(crate) fn refused(error: RequestError) -> Failure {
    match error {
        RequestError::Probability(error) => error.into(),
        error => Failure::usage(error.text(&Spelled)),
    }
}

/// Returns the numbers of the picked lines, which start at 1.
fn picks(request: &SamplingRequest, lines: u64) -> Result<Vec<u64>, Error> {
    match request.sampler()? {
        RowSampler::Sample(Sample::Slots(mut slots)) => {
            if let Some(picks) = slots.picks_after(lines, request.order == Order::Draw)? {
                return Ok(picks);
            }
            slots.pass_rows(1, lines, |_| Ok([].as_slice().into()))?;
            let picks = Sample::Slots(slots).picks(request.order == Order::Draw)?;
            Ok(picks.iter().map(|(_, row)| row.number).collect())
        }
        RowSampler::Sample(Sample::Keys(_)) => {
            Err(Error::Refused { reason: "lines of text have no keys".to_owned() })
        }
        RowSampler::Rule(rule) => ruled(rule, lines),
        RowSampler::Shuffle => {
            let order = permutation(&mut request.seed.key().words(), lines as usize)?;
            Ok(order.into_iter().map(|at| at as u64 + 1).collect())
        }
    }
}

/// Returns the lines that a rule picks. A rule decides on each line separately.
fn ruled(mut rule: Rule, lines: u64) -> Result<Vec<u64>, Error> {
    let mut picks = Vec::new();
    rule.pass_rows(1, lines, |line| {
        picks.try_reserve(1).map_err(|_| Error::Memory { what: "the picks" })?;
        picks.push(line + 1);
        Ok(())
    })?;
    Ok(picks)
}

/// Returns the picked lines and their numbers.
pub(crate) fn sample(inputs: &Inputs<'_>) -> Result<String, Failure> {
    let options: SamplingOptions = inputs.request()?;
    let columns = [&options.group_by, &options.stratify].iter().any(|names| !names.is_empty());
    if columns || options.weight.is_some() {
        return Err(Failure::usage("lines of text have no columns"));
    }
    let request = options.request().map_err(refused)?;
    let text = std::str::from_utf8(inputs.first()).map_err(|error| {
        Failure::input(format!("the text is not valid UTF-8 at byte {}", error.valid_up_to()))
    })?;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let numbers = picks(&request, lines.len() as u64)?;
    let picked: Vec<&str> = numbers
        .iter()
        .map(|number| lines[*number as usize - 1])
        .map(|line| line.strip_suffix('\n').unwrap_or(line))
        .collect();
    reply::json(&json!({ "n": lines.len(), "numbers": numbers, "rows": picked }))
}
