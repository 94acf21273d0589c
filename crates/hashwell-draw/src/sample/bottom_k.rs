//! The k rows with the least tickets.

use crate::Error;
use crate::state::{Kind, Reader, Writer};
use std::collections::BTreeMap;

/// The k rows with the least tickets of all that were offered, hwdraw's method `ticket`. With tickets of
/// [`Key::ticket`](crate::Key::ticket) every set of k ids has the same chance, whatever the order of the rows; and
/// whoever has the key can check each row alone.
///
/// Two rows with one ticket go by the bytes that break the tie, which are the row's id; rows in which both are equal
/// are one row, and the first stays. So a union of samples is the sample of the union: where rows of the same id are
/// the same row, payload and all, [`BottomK::merge`] is associative, does not care for order, and keeps bit for bit the
/// rows that one pass over all of them keeps. Which of two payloads of one id stays depends on the order.
///
/// Eats no words. O(log k) for a row that enters, a comparison for one that does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BottomK<T> {
    k: usize,
    seen: u64,
    kept: BTreeMap<(u128, Box<[u8]>), T>,
}

impl<T> BottomK<T> {
    /// A sample of k rows, of none so far.
    #[must_use]
    pub fn new(k: usize) -> Self {
        Self { k, seen: 0, kept: BTreeMap::new() }
    }

    /// Offers a row. Whether it is kept, for now.
    pub fn offer(&mut self, ticket: u128, tie: &[u8], payload: T) -> bool {
        self.offer_with(ticket, tie, || payload)
    }

    /// As [`BottomK::offer`], for a payload that is made only if the row is kept.
    pub fn offer_with(&mut self, ticket: u128, tie: &[u8], payload: impl FnOnce() -> T) -> bool {
        self.seen = self.seen.saturating_add(1);
        self.enters(ticket, tie) && self.keep((ticket, tie.into()), payload)
    }

    /// Whether a row with this ticket would be looked at: it is not above the k-th least. Few of many rows are.
    #[inline]
    #[must_use]
    pub fn enters(&self, ticket: u128, tie: &[u8]) -> bool {
        if self.kept.len() < self.k {
            return true;
        }
        self.kept.last_key_value().is_some_and(|((most, last), _)| (ticket, tie) < (*most, last))
    }

    fn keep(&mut self, at: (u128, Box<[u8]>), payload: impl FnOnce() -> T) -> bool {
        let std::collections::btree_map::Entry::Vacant(place) = self.kept.entry(at) else { return false };
        place.insert(payload());
        if self.kept.len() > self.k {
            self.kept.pop_last();
        }
        true
    }

    /// The sample of both samples' rows; of the lesser k, as no more is known of all rows.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        self.k = self.k.min(other.k);
        self.seen = self.seen.saturating_add(other.seen);
        for (at, payload) in other.kept {
            if !self.enters(at.0, &at.1) {
                break;
            }
            self.keep(at, || payload);
        }
        while self.kept.len() > self.k {
            self.kept.pop_last();
        }
        self
    }

    /// The rows, the least ticket first: ticket, tie, payload.
    #[must_use]
    pub fn rows(&self) -> impl ExactSizeIterator<Item = (u128, &[u8], &T)> {
        self.kept.iter().map(|((ticket, tie), payload)| (*ticket, &**tie, payload))
    }

    /// The payloads, the least ticket first.
    #[must_use]
    pub fn into_rows(self) -> Vec<T> {
        self.kept.into_values().collect()
    }

    /// Rows that were offered, those in both parts of a merge twice.
    #[must_use]
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Rows that are kept at most.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.k
    }
}

impl<T: AsRef<[u8]>> BottomK<T> {
    /// The state as bytes (`state`): equal for samples of equal rows, however they were put together.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new(Kind::BottomK);
        writer.u64(self.k as u64).u64(self.seen).u64(self.kept.len() as u64);
        for (ticket, tie, payload) in self.rows() {
            writer.u128(ticket).bytes(tie).bytes(payload.as_ref());
        }
        writer.finish()
    }
}

impl<T: for<'a> From<&'a [u8]>> BottomK<T> {
    /// A saved state.
    ///
    /// # Errors
    /// [`Error::Invalid`] for bytes that are not such a state.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, Kind::BottomK)?;
        let (k, seen, len) = (reader.usize()?, reader.u64()?, reader.usize()?);
        if len > k || len as u64 > seen {
            return Err(Reader::contradiction("it keeps more rows than it can have"));
        }
        let mut sample = Self { seen, ..Self::new(k) };
        for _ in 0..len {
            let (ticket, tie, payload) = (reader.u128()?, reader.bytes()?, reader.bytes()?);
            let last = sample.kept.last_key_value();
            if last.is_some_and(|((most, last), _)| (*most, &**last) >= (ticket, tie)) {
                return Err(Reader::contradiction("its tickets do not ascend"));
            }
            sample.kept.insert((ticket, tie.into()), payload.into());
        }
        reader.end()?;
        Ok(sample)
    }
}
