//! Samples all rows of the keys with the smallest tickets. The keys do not depend on the order or division of the rows,
//! and are the same in every table that contains them.

use super::design::Design;
use super::row::{Kept, Pick};
use crate::design::Clusters;
use crate::{Error, Key};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A sample of the k keys with the smallest tickets so far, with all rows of these keys. If there are strata, k keys
/// are picked from each stratum.
#[derive(Clone)]
pub struct Keys {
    /// The number of keys to pick, in total or from each stratum.
    pub k: usize,
    /// The key from which tickets are derived.
    pub key: Key,
    /// The columns whose values form the key of a row.
    pub columns: Vec<String>,
    /// The columns that define the strata, if there are any.
    pub stratify: Option<Vec<String>>,
    /// The clusters of each stratum by label; without strata, a single one with an empty label.
    pub(super) parts: BTreeMap<Vec<u8>, Clusters<Kept>>,
    /// The number of rows seen.
    pub seen: u64,
}

impl Keys {
    /// Creates an empty sample. `stratify` contains the columns that define the strata. If it is `None`, there are no
    /// strata.
    #[must_use]
    pub fn new(k: usize, key: Key, columns: Vec<String>, stratify: Option<Vec<String>>) -> Self {
        let mut parts = BTreeMap::new();
        if stratify.is_none() {
            parts.insert(Vec::new(), Clusters::new(k));
        }
        Self { k, key, columns, stratify, parts, seen: 0 }
    }

    /// Offers the next row. `label` is the label of its stratum, or empty if there are no strata. `value` is the text
    /// of its key, and `bytes` is the row itself.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails.
    pub fn offer(&mut self, label: &[u8], value: &[u8], bytes: &[u8]) -> Result<(), Error> {
        self.offer_ticket(self.key.ticket(value), label, value, || Ok(bytes.into()))
    }

    /// Does the same as [`Keys::offer`] for a row whose ticket is already known. `row` returns the bytes of the row,
    /// and is called only if the row is kept.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails, or the error that `row` returns. After an error, the row does
    /// not count as seen.
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

    /// The largest ticket with which a later row can be kept. Returns `None` while any row may be kept, or if there are
    /// strata.
    #[must_use]
    pub fn bound(&self) -> Option<u128> {
        if self.stratify.is_some() { None } else { self.parts.values().next()?.bound() }
    }

    /// Reports that `rows` rows with tickets above [`Keys::bound`] were skipped.
    pub fn passed(&mut self, rows: u64) {
        self.seen += rows;
    }

    pub(super) fn keep(&mut self, ticket: u128, label: &[u8], value: &[u8], row: Kept) -> Result<(), Error> {
        // A stratum is added together with its first key, also when reading a state or merging.
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

    /// The number of keys in the smallest stratum, if it is less than k.
    pub(super) fn missing(&self) -> Option<u64> {
        let least = self.parts.values().map(Clusters::len).min().unwrap_or(0);
        (least < self.k).then_some(least as u64)
    }

    /// The rows with their tickets, key by key in the order of tickets; strata in the order of their labels.
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
