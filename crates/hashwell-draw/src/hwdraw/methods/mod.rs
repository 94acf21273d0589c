//! The methods: from a plan, a seed and a frame to picks.

mod positions;
mod pps;
mod tickets;

use super::frame::Frame;
use super::plan::{Method, Plan};
use super::{hex, present, unhex};
use crate::{Error, Key};
use hashwell::RandomStream;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

pub(super) use positions::each_that_enters;
pub(super) use tickets::{Ticket, threshold};

/// One pick. Fields are in the order of their names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pick {
    /// What was picked.
    pub id: String,
    /// Its position, from 0, in the frame or in its stratum; of methods that choose positions.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// The label of its stratum.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub stratum: Option<String>,
    /// Its ticket in hexadecimal; of methods that choose tickets.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub ticket: Option<String>,
    /// Its weight as the frame has it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<String>,
}

/// The most rows that are looked at one by one without a list: of the numbers 1 to n for tickets, of any frame that is
/// not there for `gap`.
pub const MOST_UNLISTED: u64 = 100_000_000;

/// A stratum, or the whole frame.
pub(super) struct Part<'a> {
    pub(super) key: Key,
    pub(super) k: u64,
    pub(super) n: u64,
    pub(super) label: Option<&'a str>,
}

/// K, from which everything else comes.
pub(super) fn key(plan: &Plan, seed: &[u8]) -> Result<Key, Error> {
    let frame = unhex("a frame's digest", &plan.frame.digest)?;
    let frame = frame.try_into().map_err(|_| Error::invalid("a frame's digest", "it has not 32 bytes"))?;
    Ok(Key::derive(seed, plan.context.as_bytes(), &frame))
}

/// What is drawn from one after the other.
pub(super) fn parts<'a>(plan: &'a Plan, seed: &[u8]) -> Result<Vec<Part<'a>>, Error> {
    let key = key(plan, seed)?;
    Ok(match &plan.strata {
        None => vec![Part { key, k: plan.k.unwrap_or(0), n: plan.n, label: None }],
        Some(strata) => strata
            .iter()
            .map(|stratum| Part {
                key: key.stratum(stratum.label.as_bytes()),
                k: stratum.k,
                n: stratum.n,
                label: Some(&stratum.label),
            })
            .collect(),
    })
}

/// Words of a key, from the plan's source.
pub(super) fn words(plan: &Plan, key: &Key) -> Result<RandomStream, Error> {
    Ok(key.words_of(plan.source()?)?)
}

/// The positions that a part's picks have, where they follow from its size alone.
pub(super) fn positions(plan: &Plan, part: &Part<'_>) -> Result<Vec<u64>, Error> {
    let mut words = words(plan, &part.key)?;
    positions::positions(plan.method, &mut words, part.n, part.k)
}

/// The picks of a plan from its frame, in their order: of strata one after the other.
///
/// # Errors
/// [`Error::Invalid`] if the frame is not the plan's; [`Error::OutOfRange`] for a frame that the method cannot draw from;
/// [`Error::Memory`].
pub fn draw(plan: &Plan, seed: &[u8], frame: &Frame) -> Result<Vec<Pick>, Error> {
    draw_at_most(usize::MAX, plan, seed, frame)
}

/// As [`draw`], but `bernoulli` stops once it has `most` picks.
pub(super) fn draw_at_most(most: usize, plan: &Plan, seed: &[u8], frame: &Frame) -> Result<Vec<Pick>, Error> {
    plan.check()?;
    if plan.frame.digest != hex(frame.digest()) || plan.n != frame.len() {
        return Err(Error::invalid("the frame of the plan", "its digest or its number of rows is another"));
    }
    let strata = frame.strata();
    let mut picks = Vec::new();
    for part in parts(plan, seed)? {
        let rows = RowsOf::of(&part, frame, &strata);
        if rows.len() != part.n {
            return Err(Error::invalid("the frame of the plan", "its strata are others"));
        }
        draw_part(plan, &part, &rows, most, &mut picks)?;
    }
    Ok(picks)
}

/// The rows of a part, by their position in it.
pub(super) struct RowsOf<'a> {
    frame: &'a Frame,
    members: Option<&'a [u64]>,
}

impl<'a> RowsOf<'a> {
    /// Those of a stratum, none if the frame has no such stratum; or all of them.
    pub(super) fn of(part: &Part<'_>, frame: &'a Frame, strata: &'a BTreeMap<&str, Vec<u64>>) -> Self {
        let members = part.label.map(|label| strata.get(label).map_or(&[][..], |rows| &rows[..]));
        Self { frame, members }
    }

    /// How many there are.
    pub(super) fn len(&self) -> u64 {
        self.members.map_or(self.frame.len(), |members| members.len() as u64)
    }

    /// The id of a row.
    pub(super) fn id(&self, index: u64) -> Cow<'a, str> {
        self.frame.id(self.place(index))
    }

    /// The weight of a row, as it was written.
    pub(super) fn weight(&self, index: u64) -> &'a str {
        self.frame.weight(self.place(index))
    }

    /// The position in the frame.
    fn place(&self, index: u64) -> u64 {
        self.members.map_or(index, |members| members[index as usize])
    }
}

fn draw_part(
    plan: &Plan,
    part: &Part<'_>,
    rows: &RowsOf<'_>,
    most: usize,
    picks: &mut Vec<Pick>,
) -> Result<(), Error> {
    let chosen = match plan.method {
        method if method.is_of_positions() => with_indexes(positions(plan, part)?),
        Method::PpsSystematic => with_indexes(pps::pps(plan, part, rows)?),
        _ => tickets::chosen(plan, part, rows, most.saturating_sub(picks.len()))?,
    };
    picks.try_reserve(chosen.len()).map_err(|_| Error::Memory { what: "the picks" })?;
    for (index, ticket) in chosen {
        let place = rows.place(index);
        let weight = plan.method.is_weighted().then(|| rows.frame.weight(place).to_owned());
        picks.push(Pick {
            id: rows.frame.id(place).into_owned(),
            index: ticket.is_none().then_some(index),
            stratum: part.label.map(str::to_owned),
            ticket: ticket.map(|ticket| ticket.text()),
            weight,
        });
    }
    Ok(())
}

fn with_indexes(positions: Vec<u64>) -> Vec<(u64, Option<Ticket>)> {
    positions.into_iter().map(|position| (position, None)).collect()
}
