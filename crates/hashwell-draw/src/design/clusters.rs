//! Whole clusters, or all rows of some values of a key.

use crate::Error;
use std::collections::{BTreeMap, TryReserveError};

/// The k clusters with the smallest tickets, each with all its rows: cluster sampling, and *distinct by key*, which is the
/// same design with the key's values for clusters. Each set of k of the clusters that occur is equally likely, however
/// many rows they have.
///
/// The sample depends on the clusters alone, so that [`Clusters::merge`] is a union: associative, commutative but for
/// the order of a cluster's rows, and equal to one pass. Memory holds all rows of k clusters.
///
/// Tickets are whatever has an order: with [`WeightedTicket`](crate::weighted::WeightedTicket) clusters are drawn one after
/// the other, in proportion to the weights that are left.
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
    /// By ticket, then by key.
    kept: BTreeMap<(O, Box<[u8]>), Vec<T>>,
}

impl<T, O: Ord + Copy> Clusters<T, O> {
    /// A sample of k clusters; k = 0 is an empty one.
    #[must_use]
    pub fn new(k: usize) -> Self {
        Self { k, seen: 0, kept: BTreeMap::new() }
    }

    /// A row with its cluster's key and the key's ticket, which must be the same for all rows of a key. Says whether the
    /// row was kept, for the time being.
    ///
    /// # Errors
    /// [`Error::Memory`].
    #[inline(never)] // few rows come so far, and much is behind it
    pub fn offer(&mut self, ticket: O, key: &[u8], row: T) -> Result<bool, Error> {
        let admits = self.admits(ticket, key);
        if admits {
            let mut first = Vec::new();
            let name: (O, Box<[u8]>) = (ticket, key.into());
            // A cluster is kept when there is room for its first row.
            let rows = self.kept.get_mut(&name);
            rows.unwrap_or(&mut first).try_reserve(1).map_err(no_memory)?;
            self.kept.entry(name).or_insert(first).push(row);
            self.trim();
        }
        self.seen = self.seen.saturating_add(1);
        Ok(admits)
    }

    /// Whether a row of this key would be kept: what to ask before a row is copied.
    #[must_use]
    pub fn admits(&self, ticket: O, key: &[u8]) -> bool {
        let room = self.kept.len() < self.k;
        room || self.kept.last_key_value().is_some_and(|((last, name), _)| (ticket, key) <= (*last, name))
    }

    /// Whether the cluster of this key is among those kept.
    #[must_use]
    #[inline(never)]
    pub fn contains(&self, ticket: O, key: &[u8]) -> bool {
        self.kept.contains_key(&(ticket, key.into()))
    }

    /// How many clusters there are, at most k.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// A key that left does not come back: those that displaced it stay before it.
    fn trim(&mut self) {
        while self.kept.len() > self.k {
            self.kept.pop_last();
        }
    }

    /// Takes in another sample of as many clusters; the rows of a cluster that both have come after one another.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if it was for another k, [`Error::Memory`]: this sample is then as it was.
    pub fn merge(&mut self, other: Self) -> Result<(), Error> {
        if self.k != other.k {
            return Err(Error::range("the size of a sample to merge", self.k.to_string(), other.k));
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

    /// The clusters' keys and rows in the order of their tickets.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &[T])> {
        self.kept.iter().map(|((_, key), rows)| (&**key, &**rows))
    }

    /// The rows of all clusters, to be replaced by others that stand for them.
    pub fn rows_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.kept.values_mut().flatten()
    }

    /// Rows seen.
    #[must_use]
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// The clusters' keys and rows in the order of their tickets, which is a random order: a prefix is the sample of fewer.
    #[must_use]
    pub fn into_sorted(self) -> Vec<(Box<[u8]>, Vec<T>)> {
        self.kept.into_iter().map(|((_, key), rows)| (key, rows)).collect()
    }
}

fn no_memory(_: TryReserveError) -> Error {
    Error::Memory { what: "the rows of a cluster" }
}

impl<T> Clusters<T> {
    /// The greatest ticket of those that count, once there are k clusters: a greater one is of no use.
    #[must_use]
    pub fn bound(&self) -> Option<u128> {
        let last = self.kept.last_key_value().map(|((ticket, _), _)| *ticket);
        if self.kept.len() < self.k { None } else { last.or(Some(0)) }
    }
}
