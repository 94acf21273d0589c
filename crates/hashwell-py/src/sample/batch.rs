//! Rows as the input of a sample: the texts of their keys and labels, their weights, and the data that represents the
//! rows.

use crate::boundary::arrow::malformed;
use crate::boundary::errors;
use hashwell_arrow::{Field, Malformed, Node, pack};
use hashwell_draw::row_sampling::{Keys, Reuse, Rule, Slots, Value};
use hashwell_draw::sample::{Ids, Tickets};
use hashwell_draw::{Error, Key};
use pyo3::prelude::*;
use std::ops::Range;

/// Concatenated texts.
#[derive(Default)]
pub(super) struct Texts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Texts {
    pub(super) fn push(&mut self, text: &[u8]) -> Result<(), Error> {
        let room = self.bytes.try_reserve(text.len()).and(self.ends.try_reserve(1));
        room.map_err(|_| Error::Memory { what: "keys and strata" })?;
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len());
        Ok(())
    }

    /// Like [`Texts::push`], for a text that `write` writes.
    pub(super) fn push_with(
        &mut self,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), Malformed>,
    ) -> PyResult<()> {
        write(&mut self.bytes).map_err(malformed)?;
        self.ends.push(self.bytes.len());
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn get(&self, row: usize) -> &[u8] {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[row]]
    }
}

/// The weights of rows.
pub(super) enum Weights {
    /// All weights are floats, as in most designs. A sampler can process many of them at the same time.
    Floats(Vec<f64>),
    /// Any other weights.
    Values(Vec<Value>),
}

impl Default for Weights {
    fn default() -> Self {
        Self::Floats(Vec::new())
    }
}

impl Weights {
    pub(super) fn push(&mut self, weight: Value) -> PyResult<()> {
        if let Self::Floats(floats) = self
            && !matches!(weight, Value::Float(_))
        {
            let mut values = Vec::new();
            values.try_reserve(floats.len() + 1).map_err(|_| errors::no_memory(None))?;
            values.extend(floats.iter().map(|weight| Value::Float(*weight)));
            *self = Self::Values(values);
        }
        match (self, weight) {
            (Self::Floats(floats), Value::Float(weight)) => {
                floats.try_reserve(1).map_err(|_| errors::no_memory(None))?;
                floats.push(weight);
            }
            (Self::Values(values), weight) => {
                values.try_reserve(1).map_err(|_| errors::no_memory(None))?;
                values.push(weight);
            }
            (Self::Floats(_), _) => unreachable!("other weights made it a list of values"),
        }
        Ok(())
    }

    fn len(&self) -> usize {
        match self {
            Self::Floats(floats) => floats.len(),
            Self::Values(values) => values.len(),
        }
    }

    fn get(&self, row: usize) -> Value {
        match self {
            Self::Floats(floats) => Value::Float(floats[row]),
            Self::Values(values) => values[row].clone(),
        }
    }
}

/// The data that the sample keeps for a row.
#[derive(Default)]
pub(super) enum Keep<'a> {
    /// Only the number of the row.
    #[default]
    Nothing,
    /// A number that represents the row. The first row has this number.
    Handles(u64),
    /// The row itself, encoded as bytes. The rows of the batch start at this index of the array.
    Packed(&'a Field, &'a Node, usize),
}

/// The key from which tickets are computed ([`Key::ticket`]), and the greatest ticket that can still be selected, or
/// `None` if there is no limit.
#[derive(Clone, Copy)]
pub(super) struct Useful {
    pub(super) key: Key,
    pub(super) most: Option<u128>,
    /// True if all tickets are examined, to detect keys that were selected before.
    pub(super) looks: bool,
}

/// A function that adds the keys of some rows.
pub(super) type WriteKeys<'a> = dyn FnMut(Range<usize>, &mut Ids) -> Result<(), Error> + 'a;

impl Useful {
    /// Returns the rows, out of `rows` rows, whose tickets can be selected.
    pub(super) fn of(self, rows: usize, write: &mut WriteKeys<'_>) -> Result<Ticketed, Error> {
        let mut ticketed = Ticketed::default();
        Tickets::new(&self.key).each_written(rows, write, |row, ticket, key| {
            if self.looks {
                ticketed.reuse.see(ticket);
            }
            if self.most.is_some_and(|most| ticket > most) {
                return Ok(());
            }
            ticketed.rows.try_reserve(1).map_err(|_| Error::Memory { what: "tickets" })?;
            ticketed.rows.push((row, ticket));
            ticketed.keys.push(key)
        })?;
        Ok(ticketed)
    }
}

/// The rows of a batch that may be selected, with their tickets and keys.
#[derive(Default)]
pub(super) struct Ticketed {
    rows: Vec<(usize, u128)>,
    keys: Texts,
    pub(super) reuse: Reuse,
}

/// The error for inconsistent columns, with the same text in the whole package.
pub(super) fn malformed_row(what: Malformed) -> Error {
    Error::Refused { reason: format!("malformed Arrow data: {what}") }
}

/// Consecutive rows of a stream.
#[derive(Default)]
pub(super) struct Batch<'a> {
    /// Rows.
    pub(super) len: usize,
    /// The number of rows in the stream before these.
    pub(super) before: u64,
    pub(super) weights: Option<Weights>,
    pub(super) labels: Option<Texts>,
    /// The rows that may be selected, for designs by keys.
    pub(super) ticketed: Option<Ticketed>,
    pub(super) keep: Keep<'a>,
}

impl Batch<'_> {
    /// Checks that there is one label, weight and key for each row. `keys` is the number of keys.
    pub(super) fn check(&self, keys: Option<usize>) -> PyResult<()> {
        let lens = [
            ("weights", self.weights.as_ref().map(Weights::len)),
            ("strata", self.labels.as_ref().map(Texts::len)),
            ("keys", keys),
        ];
        match lens.into_iter().find(|(_, len)| len.is_some_and(|len| len != self.len)) {
            Some((what, Some(len))) => Err(errors::not_one_each(what, len, self.len)),
            _ => Ok(()),
        }
    }

    fn label(&self, row: usize) -> &[u8] {
        self.labels.as_ref().map_or(b"", |labels| labels.get(row))
    }

    fn number(&self, row: usize) -> u64 {
        self.before + row as u64 + 1
    }

    fn payload(&self, row: usize) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        match self.keep {
            Keep::Nothing => {}
            Keep::Handles(first) => bytes.extend_from_slice(&(first + row as u64).to_be_bytes()),
            Keep::Packed(field, node, first) => {
                pack(field, node, first + row, &mut bytes).map_err(malformed_row)?;
            }
        }
        Ok(bytes)
    }

    /// Offers all rows to a sample of rows.
    pub(super) fn pass_slots(&self, slots: &mut Slots) -> Result<(), Error> {
        if self.weights.is_none() && slots.design.stratify.is_none() {
            let row = |row: u64| Ok(self.payload(row as usize)?.into());
            return slots.pass_rows(self.number(0), self.len as u64, row);
        }
        let Some(weights) = &self.weights else {
            let row = |row: usize| Ok(self.payload(row)?.into());
            return slots.pass_labelled(self.number(0), self.len, |row| self.label(row), row);
        };
        let floats = match weights {
            Weights::Floats(floats) if slots.passes_weights() => &floats[..],
            _ => &[],
        };
        let mut row = 0;
        loop {
            row += slots.pass_weights(floats.get(row..).unwrap_or_default());
            if row == self.len {
                return Ok(());
            }
            let payload = || Ok(self.payload(row)?.into());
            slots.offer(self.number(row), weights.get(row), self.label(row), payload)?;
            row += 1;
        }
    }

    /// Offers all rows to a sample of keys. Only rows whose tickets can be selected are examined.
    pub(super) fn pass_keys(&self, keys: &mut Keys) -> Result<(), Error> {
        let Some(Ticketed { rows, keys: texts, .. }) = &self.ticketed else { return Ok(()) };
        let mut done = 0;
        for (i, &(row, ticket)) in rows.iter().enumerate() {
            keys.passed((row - done) as u64);
            keys.offer_ticket(ticket, self.label(row), texts.get(i), || Ok(self.payload(row)?.into()))?;
            done = row + 1;
        }
        keys.passed((self.len - done) as u64);
        Ok(())
    }

    /// Calls `take` with the number of each row that a rule picks, and with the data that represents the row.
    pub(super) fn pass_rule(
        &self,
        rule: &mut Rule,
        mut take: impl FnMut(u64, Vec<u8>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if let Some(ticketed) = &self.ticketed {
            let mut picked = ticketed.rows.iter().filter(|(_, ticket)| rule.takes(*ticket));
            return picked.try_for_each(|(row, _)| take(self.number(*row), self.payload(*row)?));
        }
        rule.pass_rows(self.number(0), self.len as u64, |row| {
            let row = row as usize;
            take(self.number(row), self.payload(row)?)
        })
    }
}
