//! Keeps the k smallest entries of any type, in any order. States are merged by union. Equal entries count separately.

use crate::Error;
use crate::order::{smallest_first, sort_unstable};

/// The k smallest entries offered, and up to k later ones that may not be among the k smallest.
#[derive(Clone, Debug)]
pub(crate) struct Smallest<E> {
    k: usize,
    rows: u64,
    kept: Vec<E>,
    /// True if `kept[k - 1]` is the k-th smallest of some k entries, so that larger entries can be ignored.
    bounded: bool,
}

impl<E: Ord> Smallest<E> {
    pub(crate) fn new(k: usize) -> Self {
        Self { k, rows: 0, kept: Vec::new(), bounded: false }
    }

    /// Offers an entry. Takes constant time on average.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails. The entry then does not count as offered.
    pub(crate) fn offer(&mut self, entry: E) -> Result<(), Error> {
        self.keep(entry)?;
        self.pass();
        Ok(())
    }

    /// Counts an entry that is never kept.
    pub(crate) fn pass(&mut self) {
        self.rows = self.rows.saturating_add(1);
    }

    fn keep(&mut self, entry: E) -> Result<(), Error> {
        if self.k == 0 || (self.bounded && entry > self.kept[self.k - 1]) {
            return Ok(());
        }
        self.room(1)?;
        self.kept.push(entry);
        if self.kept.len() >= self.k.saturating_mul(2) {
            smallest_first(&mut self.kept, self.k);
            self.kept.truncate(self.k);
            self.bounded = true;
        }
        Ok(())
    }

    fn room(&mut self, entries: usize) -> Result<(), Error> {
        self.kept.try_reserve(entries).map_err(|_| Error::Memory { what: "the rows of a sample" })
    }

    /// Merges the entries of another sample.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if the other sample has a different k, or [`Error::Memory`] if an allocation
    /// fails. After an error, nothing has been merged.
    pub(crate) fn merge(&mut self, other: Self) -> Result<(), Error> {
        if self.k != other.k {
            let must = format!("{} (the size of the first sample)", self.k);
            return Err(Error::range("the size of a sample to merge", must, other.k));
        }
        // At most 2k entries are ever kept.
        self.room(other.kept.len().min(self.k.saturating_mul(2) - self.kept.len()))?;
        self.rows = self.rows.saturating_add(other.rows);
        other.kept.into_iter().try_for_each(|entry| self.keep(entry))
    }

    /// The number of entries offered.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    pub(crate) fn set_rows(&mut self, rows: u64) {
        self.rows = rows;
    }

    pub(crate) fn capacity(&self) -> usize {
        self.k
    }

    /// The k smallest entries in order.
    pub(crate) fn into_sorted(mut self) -> Vec<E> {
        sort_unstable(&mut self.kept);
        self.kept.truncate(self.k);
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_order_and_any_cut_keep_the_same() {
        let numbers: Vec<u32> = (0..500).map(|i| i * 7919 % 503).collect();
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        for k in [0, 1, 2, 3, 10, 249, 499, 500, 501, usize::MAX] {
            let of = |part: &[u32]| {
                let mut smallest = Smallest::new(k);
                part.iter().for_each(|&number| smallest.offer(number).unwrap());
                smallest
            };
            for cut in [0, 1, 7, 250, 500] {
                let mut merged = of(&numbers[cut..]);
                merged.merge(of(&numbers[..cut])).unwrap();
                assert_eq!((merged.rows(), merged.into_sorted()), (500, sorted[..k.min(500)].to_vec()));
            }
        }
        assert!(Smallest::<u32>::new(1).merge(Smallest::new(2)).is_err());
    }
}
