//! Shows how each pick of a transcript is computed, step by step: the computation that verification repeats, for
//! readers who check it by hand or present it. Use [`verify`](super::verify) to find out if the result agrees with the
//! transcript.

use super::hex;
use super::list::EntryList;
use super::methods::{
    MAX_UNLISTED, Part, Pick, RowsOf, Ticket, each_that_enters, key, parts, threshold, words,
};
use super::plan::{Method, Plan};
use super::transcript::Transcript;
use super::weights::units;
use crate::Error;
use crate::draw::{below, below_u128};
use crate::sample::FisherYates;
use hashwell::ByteSource;
use serde::Serialize;
use std::mem::take;

/// A draw step by step. Numbers of 64 bits or more are decimal strings, because some JSON readers cannot represent
/// them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Steps {
    /// The key K in hexadecimal.
    pub key: String,
    /// The strata, or a single part for the whole list.
    pub parts: Vec<PartSteps>,
}

/// A stratum, or the whole list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartSteps {
    /// The label of the stratum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The key of this part in hexadecimal.
    pub key: String,
    /// The number of rows.
    pub n: String,
    /// One step for each pick, in the order of the transcript. If the transcript does not agree with the draw, there
    /// can be more or fewer steps than picks.
    pub picks: Vec<Step>,
}

/// The computation of a pick.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "how", rename_all = "lowercase")]
pub enum Step {
    /// For the methods `index` and `replace`: the remainder of a random number.
    Number {
        /// The random numbers consumed, in hexadecimal; all except the last were rejected.
        words: Vec<String>,
        /// The index of the first of them in the random stream, from 0.
        first: String,
        /// The divisor.
        choices: String,
        /// The remainder.
        rest: String,
        /// The resulting position.
        position: String,
    },
    /// For the methods `ticket` and `bernoulli`: the ticket of the id.
    Ticket {
        /// The ticket in hexadecimal.
        ticket: String,
        /// `bernoulli`: the bound for tickets; absent if every ticket is picked.
        #[serde(skip_serializing_if = "Option::is_none")]
        below: Option<String>,
    },
    /// For the method `weighted-ticket`: the time of the id, divided by the id's weight.
    Time {
        /// The time E in hexadecimal.
        time: String,
        /// The weight in units of the scale.
        units: String,
        /// E / w, approximately.
        quotient: f64,
    },
    /// For the method `pps-systematic`: a point on the line of all weights.
    Point {
        /// The position of the first point.
        start: String,
        /// The distance from each point to the next: the sum of all weights.
        total: String,
        /// The point.
        point: String,
        /// The beginning of the row's segment on the line, whose length is k times its weight.
        from: String,
        /// The beginning of the next row's segment.
        to: String,
        /// The row's position.
        position: String,
    },
    /// For the method `gap`: the row that was the last to take the slot.
    Slot {
        /// The number of rows skipped before it; absent for the first k rows.
        #[serde(skip_serializing_if = "Option::is_none")]
        passed: Option<String>,
        /// The row's position.
        position: String,
    },
    /// The step needs the list, which was not given.
    List,
}

/// A random source that records the numbers read from it.
struct Noted<W> {
    words: W,
    taken: Vec<u64>,
    before: u64,
}

impl<W: ByteSource> ByteSource for Noted<W> {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), hashwell::Error> {
        self.words.fill(out)?;
        self.taken.extend(out.as_chunks::<8>().0.iter().map(|word| u64::from_be_bytes(*word)));
        Ok(())
    }
}

impl<W> Noted<W> {
    fn of(words: W) -> Self {
        Self { words, taken: Vec::new(), before: 0 }
    }

    /// The numbers read since the last call, and the index of the first of them.
    fn news(&mut self) -> (u64, Vec<u64>) {
        let taken = take(&mut self.taken);
        let first = self.before;
        self.before += taken.len() as u64;
        (first, taken)
    }
}

/// Shows how the picks in a transcript are computed. Steps that need the list are shown only if it is given. Takes
/// about as long as verification.
///
/// # Errors
/// Returns [`Error::Invalid`] or [`Error::OutOfRange`] if the plan, the seed or the list is not valid, or
/// [`Error::Memory`] if an allocation fails.
pub fn steps(transcript: &Transcript, entries: Option<&EntryList>) -> Result<Steps, Error> {
    let Transcript { plan, picks, seed, .. } = transcript;
    plan.check()?;
    let seed = seed.bytes()?;
    let numbers = (plan.list.kind == super::Kind::Numbers).then(|| EntryList::numbers(plan.n));
    let entries = entries.or(numbers.as_ref());
    let strata = entries.map(EntryList::strata).unwrap_or_default();
    let mut left = &picks[..];
    let mut all = Vec::new();
    for part in parts(plan, &seed)? {
        let len = left.iter().take_while(|pick| pick.stratum.as_deref() == part.label).count();
        let (mine, others) = left.split_at(len);
        left = others;
        let rows = entries.map(|entries| RowsOf::of(&part, entries, &strata));
        all.push(PartSteps {
            label: part.label.map(str::to_owned),
            key: hex(&part.key.0),
            n: part.n.to_string(),
            picks: of_part(plan, &part, mine, rows.as_ref())?,
        });
    }
    Ok(Steps { key: hex(&key(plan, &seed)?.0), parts: all })
}

fn of_part(
    plan: &Plan,
    part: &Part<'_>,
    picks: &[Pick],
    rows: Option<&RowsOf<'_>>,
) -> Result<Vec<Step>, Error> {
    match plan.method {
        Method::Index => index(plan, part, picks.len()),
        Method::Replace => replace(plan, part, picks.len()),
        Method::Gap => gap(plan, part, picks.len()),
        Method::PpsSystematic => match rows {
            Some(rows) => points(plan, part, picks.len(), rows),
            None => Ok(picks.iter().map(|_| Step::List).collect()),
        },
        Method::Ticket | Method::Bernoulli | Method::WeightedTicket => {
            picks.iter().map(|pick| ticket(plan, part, pick)).collect()
        }
    }
}

fn number(noted: (u64, Vec<u64>), choices: u64, position: u64) -> Step {
    let (first, taken) = noted;
    let rest = taken.last().map_or(0, |word| word % choices.max(1));
    Step::Number {
        words: taken.iter().map(|word| format!("{word:016x}")).collect(),
        first: first.to_string(),
        choices: choices.to_string(),
        rest: rest.to_string(),
        position: position.to_string(),
    }
}

fn index(plan: &Plan, part: &Part<'_>, count: usize) -> Result<Vec<Step>, Error> {
    let mut shuffle = FisherYates::new(Noted::of(words(plan, &part.key)?), part.n)?;
    let mut steps = Vec::new();
    while steps.len() < count {
        let choices = part.n - shuffle.picked();
        let Some(position) = shuffle.next_pick()? else { break };
        steps.push(number(shuffle.words().news(), choices, position));
    }
    Ok(steps)
}

fn replace(plan: &Plan, part: &Part<'_>, count: usize) -> Result<Vec<Step>, Error> {
    let mut noted = Noted::of(words(plan, &part.key)?);
    let step = |_| {
        let position = below(&mut noted, part.n)?;
        Ok(number(noted.news(), part.n, position))
    };
    (0..count).map(step).collect()
}

fn ticket(plan: &Plan, part: &Part<'_>, pick: &Pick) -> Result<Step, Error> {
    let ticket = Ticket::of(plan, &part.key, &pick.id)?;
    let Ticket::Time(time) = ticket else {
        let threshold = if plan.method == Method::Bernoulli { threshold(plan)? } else { None };
        let below = threshold.map(|threshold| format!("{threshold:032x}"));
        return Ok(Step::Ticket { ticket: ticket.text(), below });
    };
    let units = units(plan.scale, pick.weight.as_deref().unwrap_or(""), &pick.id)?;
    let quotient = time.to_f64() / units as f64;
    Ok(Step::Time { time: ticket.text(), units: units.to_string(), quotient })
}

fn gap(plan: &Plan, part: &Part<'_>, count: usize) -> Result<Vec<Step>, Error> {
    if part.n > MAX_UNLISTED {
        return Ok(vec![Step::List; count]);
    }
    let k = usize::try_from(part.k).unwrap_or(usize::MAX);
    if count < k {
        return Ok(Vec::new());
    }
    let mut slots: Vec<(Option<u64>, u64)> = vec![(None, 0); k];
    each_that_enters(words(plan, &part.key)?, part.n, k, |slot, row, skip| {
        slots[slot] = ((row >= part.k).then_some(skip), row);
    })?;
    let step = |(passed, row): (Option<u64>, u64)| Step::Slot {
        passed: passed.map(|passed| passed.to_string()),
        position: row.to_string(),
    };
    Ok(slots.into_iter().map(step).collect())
}

fn points(plan: &Plan, part: &Part<'_>, count: usize, rows: &RowsOf<'_>) -> Result<Vec<Step>, Error> {
    let weight = |index| units(plan.scale, rows.weight(index), &rows.id(index)).map(u128::from);
    if rows.len() != part.n {
        return Ok(vec![Step::List; count]);
    }
    let mut total = 0_u128;
    for index in 0..part.n {
        total += weight(index)?;
    }
    let mut steps = Vec::new();
    if total == 0 {
        return Ok(steps);
    }
    let start = below_u128(&mut words(plan, &part.key)?, total)?;
    let (mut point, mut from) = (start, 0_u128);
    for index in 0..part.n {
        let to = weight(index)?.checked_mul(part.k.into()).and_then(|share| from.checked_add(share));
        let to = to.ok_or_else(|| Error::range("the sum of all weights", "below 2^128 / k", total))?;
        if point < to && steps.len() < count {
            steps.push(Step::Point {
                start: start.to_string(),
                total: total.to_string(),
                point: point.to_string(),
                from: from.to_string(),
                to: to.to_string(),
                position: index.to_string(),
            });
            point = point.saturating_add(total);
        }
        from = to;
    }
    Ok(steps)
}
