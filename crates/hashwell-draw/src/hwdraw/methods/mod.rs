//! The methods, which compute picks from a plan, a seed and a list.

mod positions;
mod pps;
mod tickets;

use super::list::EntryList;
use super::plan::{Method, Plan, Stratum};
use super::{hex, present, unhex, weights};
use crate::design::allocate;
use crate::{Error, Key, interrupt};
use hashwell::RandomStream;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

pub(super) use positions::each_that_enters;
pub(super) use tickets::{Ticket, threshold};

/// One pick. Fields are sorted by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pick {
    /// The id that was picked.
    pub id: String,
    /// The position in the list or in the stratum, counted from 0. It is present only for methods that choose
    /// positions.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// The label of the id's stratum.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub stratum: Option<String>,
    /// The ticket in hexadecimal. It is present only for methods that choose tickets.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub ticket: Option<String>,
    /// The weight as written in the list.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub weight: Option<String>,
}

/// The maximum number of rows that are examined one by one without a list. For methods with tickets, it limits draws
/// from the numbers 1 to n. For `gap`, it limits all draws.
pub const MAX_UNLISTED: u64 = 100_000_000;

/// A stratum, or the whole list.
pub(super) struct Part<'a> {
    pub(super) key: Key,
    /// The number of picks.
    pub(super) k: u64,
    /// The maximum number of picks that any seed gives this part. Requirements on k are checked with this number, so
    /// that no seed makes a planned draw fail.
    pub(super) most: u64,
    pub(super) n: u64,
    pub(super) label: Option<&'a str>,
}

/// The key K, from which everything else is derived.
pub(super) fn key(plan: &Plan, seed: &[u8]) -> Result<Key, Error> {
    let entries = unhex("a list's digest", &plan.list.digest)?;
    let entries =
        entries.try_into().map_err(|_| Error::invalid("a list's digest", "it does not have 32 bytes"))?;
    Ok(Key::derive(seed, plan.context.as_bytes(), &entries))
}

/// The parts that are drawn from, one after the other.
pub(super) fn parts<'a>(plan: &'a Plan, seed: &[u8]) -> Result<Vec<Part<'a>>, Error> {
    let key = key(plan, seed)?;
    let k = plan.k.unwrap_or(0);
    let Some(strata) = &plan.strata else {
        return Ok(vec![Part { key, k, most: k, n: plan.n, label: None }]);
    };
    let shares = shares(plan, strata, &key)?;
    let part = |(stratum, k): (&'a Stratum, u64)| {
        let rounded_up = (u128::from(plan.k.unwrap_or(0)) * u128::from(stratum.n)).div_ceil(plan.n.into());
        Part {
            key: key.stratum(stratum.label.as_bytes()),
            k,
            most: stratum.k.unwrap_or(rounded_up as u64),
            n: stratum.n,
            label: Some(&stratum.label),
        }
    };
    Ok(strata.iter().zip(shares).map(part).collect())
}

/// The number of picks of each stratum: as planned, or a proportional allocation from the seed.
fn shares(plan: &Plan, strata: &[Stratum], key: &Key) -> Result<Vec<u64>, Error> {
    if let Some(planned) = strata.iter().map(|stratum| stratum.k).collect() {
        return Ok(planned);
    }
    let sizes: Vec<(&str, u64)> = strata.iter().map(|stratum| (&*stratum.label, stratum.n)).collect();
    allocate(&mut words(plan, &key.allocation())?, plan.k.unwrap_or(0), &sizes)
}

/// The random numbers of a key, from the plan's source.
pub(super) fn words(plan: &Plan, key: &Key) -> Result<RandomStream, Error> {
    Ok(key.words_of(plan.source()?)?)
}

/// The positions of a part's picks, for methods where they depend only on its size.
pub(super) fn positions(plan: &Plan, part: &Part<'_>) -> Result<Vec<u64>, Error> {
    let mut words = words(plan, &part.key)?;
    positions::positions(plan.method, &mut words, part.n, part.k)
}

/// Draws from the list as planned. Returns the picks in order, one stratum after the other.
///
/// # Errors
/// Returns [`Error::Invalid`] if the list is not the one in the plan, [`Error::OutOfRange`] if the method cannot draw
/// from this list, [`Error::Memory`] if an allocation fails, or [`Error::Stopped`] if the draw is stopped.
pub fn draw(plan: &Plan, seed: &[u8], entries: &EntryList) -> Result<Vec<Pick>, Error> {
    draw_at_most(usize::MAX, plan, seed, entries)
}

/// Like [`draw`], but passes on only the ids of the picks, one after the other.
pub(super) fn draw_ids(
    plan: &Plan,
    seed: &[u8],
    entries: &EntryList,
    take: &mut dyn FnMut(&str) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut taken = 0;
    each_part(usize::MAX, plan, seed, entries, &mut |_, rows, chosen| {
        chosen.each(&mut |index, _| {
            interrupt::check(taken)?;
            taken += 1;
            take(&rows.id(index))
        })
    })
}

/// Like [`draw`], but `bernoulli` stops once it has `most` picks.
pub(super) fn draw_at_most(
    most: usize,
    plan: &Plan,
    seed: &[u8],
    entries: &EntryList,
) -> Result<Vec<Pick>, Error> {
    let mut picks: Vec<Pick> = Vec::new();
    each_part(most, plan, seed, entries, &mut |part, rows, chosen| {
        picks.try_reserve(chosen.len()).map_err(|_| Error::Memory { what: "the picks" })?;
        chosen.each(&mut |index, ticket| {
            interrupt::check(picks.len() as u64)?;
            picks.push(Pick {
                id: rows.id(index).into_owned(),
                index: ticket.is_none().then_some(index),
                stratum: part.label.map(str::to_owned),
                ticket: ticket.map(|ticket| ticket.text()),
                weight: plan.method.is_weighted().then(|| rows.weight(index).to_owned()),
            });
            Ok(())
        })
    })?;
    Ok(picks)
}

/// The rows that were chosen from a part, by their position in it.
enum Chosen {
    /// Positions, for methods that choose positions.
    Positions(Vec<u64>),
    /// Positions with their tickets, for methods that choose tickets.
    Tickets(Vec<(u64, Option<Ticket>)>),
}

impl Chosen {
    fn len(&self) -> usize {
        match self {
            Self::Positions(positions) => positions.len(),
            Self::Tickets(tickets) => tickets.len(),
        }
    }

    fn each(self, take: &mut dyn FnMut(u64, Option<Ticket>) -> Result<(), Error>) -> Result<(), Error> {
        match self {
            Self::Positions(positions) => positions.into_iter().try_for_each(|position| take(position, None)),
            Self::Tickets(tickets) => {
                tickets.into_iter().try_for_each(|(position, ticket)| take(position, ticket))
            }
        }
    }
}

/// Draws from each part, and passes on the chosen rows. `bernoulli` stops once it has `most` picks.
fn each_part(
    most: usize,
    plan: &Plan,
    seed: &[u8],
    entries: &EntryList,
    take: &mut dyn FnMut(&Part<'_>, &RowsOf<'_>, Chosen) -> Result<(), Error>,
) -> Result<(), Error> {
    plan.check()?;
    let invalid = |reason| Err(Error::invalid("the plan's list", reason));
    if plan.list.digest != hex(entries.digest()) || plan.n != entries.len() {
        return invalid("its digest or its number of rows differs");
    }
    if plan.list.kind != entries.kind() || plan.list.columns != entries.columns().names() {
        return invalid("its kind or its columns differ");
    }
    weights::check(plan.scale, entries)?;
    let strata = entries.strata();
    let mut drawn = 0;
    for part in parts(plan, seed)? {
        let rows = RowsOf::of(&part, entries, &strata);
        if rows.len() != part.n {
            return Err(Error::invalid("the plan's list", "its strata differ"));
        }
        let chosen = match plan.method {
            method if method.is_of_positions() => Chosen::Positions(positions(plan, &part)?),
            Method::PpsSystematic => Chosen::Positions(pps::pps(plan, &part, &rows)?),
            _ => Chosen::Tickets(tickets::chosen(plan, &part, &rows, most.saturating_sub(drawn))?),
        };
        drawn += chosen.len();
        take(&part, &rows, chosen)?;
    }
    Ok(())
}

/// The rows of a part, by their position in it.
pub(super) struct RowsOf<'a> {
    entries: &'a EntryList,
    members: Option<&'a [u64]>,
}

impl<'a> RowsOf<'a> {
    /// The rows of a stratum (none if the list has no such stratum), or all rows.
    pub(super) fn of(part: &Part<'_>, entries: &'a EntryList, strata: &'a BTreeMap<&str, Vec<u64>>) -> Self {
        let members = part.label.map(|label| strata.get(label).map_or(&[][..], |rows| &rows[..]));
        Self { entries, members }
    }

    /// The number of rows.
    pub(super) fn len(&self) -> u64 {
        self.members.map_or(self.entries.len(), |members| members.len() as u64)
    }

    /// The id of a row.
    pub(super) fn id(&self, index: u64) -> Cow<'a, str> {
        self.entries.id(self.place(index))
    }

    /// The weight of a row, as it was written.
    pub(super) fn weight(&self, index: u64) -> &'a str {
        self.entries.weight(self.place(index))
    }

    /// The position in the list.
    fn place(&self, index: u64) -> u64 {
        self.members.map_or(index, |members| members[index as usize])
    }
}
