//! All rows of the keys with the least tickets: the same keys in every order, every part, and every table that has them.

use super::design::Design;
use super::row::{Kept, Pick};
use crate::design::Clusters;
use crate::{Error, Key};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The keys with the least tickets so far, and all their rows; of all rows, or of each stratum.
#[derive(Clone)]
pub struct Keys {
    /// Keys picked, of each stratum if there are any.
    pub k: usize,
    /// What tickets are made of.
    pub key: Key,
    /// Columns of the key.
    pub columns: Vec<String>,
    /// Columns of the strata.
    pub stratify: Option<Vec<String>>,
    /// By label; without strata one with none.
    pub(super) parts: BTreeMap<Vec<u8>, Clusters<Kept>>,
    /// Rows that went by.
    pub seen: u64,
}

impl Keys {
    /// None so far. `by` names columns of strata, of each of which k keys are picked.
    #[must_use]
    pub fn new(k: usize, key: Key, columns: Vec<String>, stratify: Option<Vec<String>>) -> Self {
        let mut parts = BTreeMap::new();
        if stratify.is_none() {
            parts.insert(Vec::new(), Clusters::new(k));
        }
        Self { k, key, columns, stratify, parts, seen: 0 }
    }

    /// The next row: its key's text and its stratum's label, which without strata is empty.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn offer(&mut self, label: &[u8], value: &[u8], bytes: &[u8]) -> Result<(), Error> {
        self.offer_ticket(self.key.ticket(value), label, value, || Ok(bytes.into()))
    }

    /// As [`Keys::offer`], the ticket being known; the row is asked for only if it is kept.
    ///
    /// # Errors
    /// [`Error::Memory`], and what `row` says. The row was not seen then.
    #[inline]
    pub fn offer_ticket<'a>(
        &mut self,
        ticket: u128,
        label: &[u8],
        value: &[u8],
        row: impl FnOnce() -> Result<Cow<'a, [u8]>, Error>,
    ) -> Result<(), Error> {
        match self.parts.get_mut(label) {
            Some(part) if !part.admits(ticket, value) => {}
            _ => self.keep(ticket, label, value, Kept::of(self.seen + 1, &row()?)?)?,
        }
        self.seen += 1;
        Ok(())
    }

    /// A ticket of no row that comes is of any use if it is above this; `None` while all may be, and with strata.
    #[must_use]
    pub fn bound(&self) -> Option<u128> {
        if self.stratify.is_some() { None } else { self.parts.values().next()?.bound() }
    }

    /// So many rows went by, whose tickets are above the [`Keys::bound`].
    pub fn passed(&mut self, rows: u64) {
        self.seen += rows;
    }

    pub(super) fn keep(&mut self, ticket: u128, label: &[u8], value: &[u8], row: Kept) -> Result<(), Error> {
        // A stratum is there with its first key, also in what is read or merged.
        let mut first = Clusters::new(self.k);
        let part = self.parts.get_mut(label);
        let is_new = part.is_none() && self.k > 0;
        part.unwrap_or(&mut first).offer(ticket, value, row)?;
        if is_new {
            self.parts.insert(label.to_vec(), first);
        }
        Ok(())
    }

    /// The design.
    pub(super) fn design(&self) -> Design {
        Design::Keys { columns: self.columns.clone(), k: self.k, stratify: self.stratify.clone() }
    }

    /// How many keys there are in the least stratum, if they are fewer than k.
    pub(super) fn missing(&self) -> Option<u64> {
        let least = self.parts.values().map(Clusters::len).min().unwrap_or(0);
        (least < self.k).then_some(least as u64)
    }

    /// The rows, key by key in the order of tickets, each with its ticket; strata in the order of their labels.
    pub(super) fn drawn(self) -> Vec<Pick> {
        let key = self.key;
        let clusters = self.parts.into_values().flat_map(Clusters::into_sorted);
        let rows = |(value, rows): (Box<[u8]>, Vec<Kept>)| {
            let ticket = key.ticket(&value);
            rows.into_iter().map(move |row| (Some(ticket), row))
        };
        clusters.flat_map(rows).collect()
    }
}
