//! Samples of whole clusters, or of all rows for some values of a key.

use crate::Error;
use std::collections::{BTreeMap, TryReserveError};

/// The k clusters with the smallest tickets, each with all its rows. This is cluster sampling. It is also *distinct by
/// key*, if the rows with the same key form a cluster. Every set of k clusters is equally likely, however many rows the
/// clusters have.
///
/// The sample depends only on the clusters, so [`Clusters::merge`] gives the same result as a single pass over all
/// rows. It is associative and, except for the order of a cluster's rows, commutative. All rows of k clusters are kept
/// in memory.
///
/// A ticket can be any ordered type. With [`WeightedTicket`](crate::weighted::WeightedTicket), clusters are drawn one
/// after the other, in proportion to the weights that are left.
///
/// ```
/// use hashwell_draw::{Key, design::Clusters, key::OPEN_LIST};
///
/// let key = Key::derive(b"0877", b"audit", &OPEN_LIST);
/// let mut clusters = Clusters::new(1);
/// for (household, person) in [("h2", "Ann"), ("h1", "Ben"), ("h2", "Cleo")] {
///     clusters.offer(key.ticket(household.as_bytes()), household.as_bytes(), person)?;
/// }
/// let sample: Vec<_> = clusters.into_sorted();
/// assert_eq!(sample[0].1, ["Ann", "Cleo"]);
/// # Ok::<(), hashwell_draw::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clusters<T, O = u128> {
    k: usize,
    seen: u64,
    /// The rows of each cluster, ordered by ticket, then by key.
    kept: BTreeMap<(O, Box<[u8]>), Vec<T>>,
}

impl<T, O: Ord + Copy> Clusters<T, O> {
    /// Creates a sample of k clusters, which is empty for k = 0.
    #[must_use]
    pub fn new(k: usize) -> Self {
        Self { k, seen: 0, kept: BTreeMap::new() }
    }

    /// Offers a row with the key of its cluster and the ticket of this key. The ticket must be the same for all rows
    /// with the same key. Returns true if the row is kept for now; its cluster can be displaced later.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails.
    #[inline(never)] // few rows get here, and the function is large
    pub fn offer(&mut self, ticket: O, key: &[u8], row: T) -> Result<bool, Error> {
        let admits = self.admits(ticket, key);
        if admits {
            let mut first = Vec::new();
            let name: (O, Box<[u8]>) = (ticket, key.into());
            // A cluster is added only after memory for its first row has been reserved.
            let rows = self.kept.get_mut(&name);
            rows.unwrap_or(&mut first).try_reserve(1).map_err(no_memory)?;
            self.kept.entry(name).or_insert(first).push(row);
            self.trim();
        }
        self.seen = self.seen.saturating_add(1);
        Ok(admits)
    }

    /// Returns true if a row with this key would be kept. Call this before you copy the row.
    #[must_use]
    pub fn admits(&self, ticket: O, key: &[u8]) -> bool {
        let room = self.kept.len() < self.k;
        room || self.kept.last_key_value().is_some_and(|((last, name), _)| (ticket, key) <= (*last, name))
    }

    /// Returns true if the cluster with this key is among those kept.
    #[must_use]
    #[inline(never)]
    pub fn contains(&self, ticket: O, key: &[u8]) -> bool {
        self.kept.contains_key(&(ticket, key.into()))
    }

    /// The number of clusters, at most k.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Returns true if there are no clusters.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Drops the clusters after the first k. A dropped key never comes back, because the keys that displaced it stay
    /// before it.
    fn trim(&mut self) {
        while self.kept.len() > self.k {
            self.kept.pop_last();
        }
    }

    /// Merges another sample with the same k. If both samples contain a cluster, its rows from the other sample are
    /// appended to its rows in this sample.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if the other sample has a different k, or [`Error::Memory`] if an allocation
    /// fails. In both cases, this sample is unchanged.
    pub fn merge(&mut self, other: Self) -> Result<(), Error> {
        if self.k != other.k {
            let must = format!("{} (the size of the first sample)", self.k);
            return Err(Error::range("the size of a sample to merge", must, other.k));
        }
        for (key, rows) in &other.kept {
            let own = self.kept.get_mut(key);
            own.map_or(Ok(()), |own| own.try_reserve(rows.len())).map_err(no_memory)?;
        }
        self.seen = self.seen.saturating_add(other.seen);
        for (key, mut rows) in other.kept {
            self.kept.entry(key).or_default().append(&mut rows);
        }
        self.trim();
        Ok(())
    }

    /// The key and the rows of each cluster, in the order of the clusters' tickets.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &[T])> {
        self.kept.iter().map(|((_, key), rows)| (&**key, &**rows))
    }

    /// Mutable access to the rows of all clusters, so that they can be replaced.
    pub fn rows_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.kept.values_mut().flatten()
    }

    /// The number of rows seen.
    #[must_use]
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// The key and the rows of each cluster, in the order of the clusters' tickets. This order is random: the first j
    /// clusters are the sample for k = j.
    #[must_use]
    pub fn into_sorted(self) -> Vec<(Box<[u8]>, Vec<T>)> {
        self.kept.into_iter().map(|((_, key), rows)| (key, rows)).collect()
    }
}

fn no_memory(_: TryReserveError) -> Error {
    Error::Memory { what: "the rows of a cluster" }
}

impl<T> Clusters<T> {
    /// The largest ticket that is kept, or `None` if there are fewer than k clusters. Rows with a larger ticket are not
    /// kept.
    #[must_use]
    pub fn bound(&self) -> Option<u128> {
        let last = self.kept.last_key_value().map(|((ticket, _), _)| *ticket);
        if self.kept.len() < self.k { None } else { last.or(Some(0)) }
    }
}
