//! Bottom-k samples: the k rows with the smallest tickets.

use crate::Error;
use crate::state::{Kind, Reader, Writer};
use std::collections::BTreeMap;

/// A sample of the k rows with the smallest tickets among all rows offered. This is the method `ticket` of hwdraw. With
/// tickets from [`Key::ticket`](crate::Key::ticket), every set of k ids has the same probability, for any order of the
/// rows. If you have the key, you can check each row by itself.
///
/// Rows with the same ticket are ordered by `tie`, the bytes of the row's id. Rows with the same ticket and the same
/// tie count as one row, and the first one is kept. Therefore, if rows with the same id are identical, including the
/// payload, [`BottomK::merge`] keeps exactly the rows that a single pass over all rows keeps. In this case, the merge
/// is associative and commutative. If rows with the same id have different payloads, the order of the rows determines
/// which payload is kept.
///
/// The sample consumes no random numbers. A row that enters takes O(log k) time, and any other row takes one
/// comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BottomK<T> {
    k: usize,
    seen: u64,
    kept: BTreeMap<(u128, Box<[u8]>), T>,
}

impl<T> BottomK<T> {
    /// Creates an empty sample of up to k rows.
    #[must_use]
    pub fn new(k: usize) -> Self {
        Self { k, seen: 0, kept: BTreeMap::new() }
    }

    /// Offers a row. Returns true if the row is kept for now. A later row can displace it.
    pub fn offer(&mut self, ticket: u128, tie: &[u8], payload: T) -> bool {
        self.offer_with(ticket, tie, || payload)
    }

    /// Does the same as [`BottomK::offer`], but creates the payload only if the row is kept.
    pub fn offer_with(&mut self, ticket: u128, tie: &[u8], payload: impl FnOnce() -> T) -> bool {
        self.seen = self.seen.saturating_add(1);
        self.enters(ticket, tie) && self.keep((ticket, tie.into()), payload)
    }

    /// Returns true if fewer than k rows are kept, or if this ticket and tie are below those of the last row kept. If
    /// there are many rows, only a few of them pass this test.
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

    /// Merges two samples. The k of the result is the smaller of the two values, because the sample with this k has
    /// dropped the rows after its first k.
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

    /// The ticket, tie and payload of each row. The row with the smallest ticket comes first.
    #[must_use]
    pub fn rows(&self) -> impl ExactSizeIterator<Item = (u128, &[u8], &T)> {
        self.kept.iter().map(|((ticket, tie), payload)| (*ticket, &**tie, payload))
    }

    /// The payloads of the rows. The row with the smallest ticket comes first.
    #[must_use]
    pub fn into_rows(self) -> Vec<T> {
        self.kept.into_values().collect()
    }

    /// The number of rows offered. Rows offered to both parts of a merge count twice.
    #[must_use]
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// The maximum number of rows kept.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.k
    }
}

impl<T: AsRef<[u8]>> BottomK<T> {
    /// Returns the state as bytes, in the format of [`state`](crate::state). Samples of the same rows have the same
    /// bytes, however they were merged.
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
    /// Restores a saved state.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the bytes are not a saved state of this type.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, Kind::BottomK)?;
        let (k, seen, len) = (reader.usize()?, reader.u64()?, reader.usize()?);
        if len > k || len as u64 > seen {
            return Err(Reader::contradiction(
                "it stores more rows than its capacity or the number of rows seen",
            ));
        }
        let mut sample = Self { seen, ..Self::new(k) };
        for _ in 0..len {
            let (ticket, tie, payload) = (reader.u128()?, reader.bytes()?, reader.bytes()?);
            let last = sample.kept.last_key_value();
            if last.is_some_and(|((most, last), _)| (*most, &**last) >= (ticket, tie)) {
                return Err(Reader::contradiction("its tickets are not in ascending order"));
            }
            sample.kept.insert((ticket, tie.into()), payload.into());
        }
        reader.end()?;
        Ok(sample)
    }
}
