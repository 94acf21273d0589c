//! `sorted-sha256`: the digests of all rows, in 256 buckets by their first byte.

use crate::error::Error;
use crate::threads;
use hashwell::Many;

/// The SHA-256 of a row.
pub type Digest = [u8; 32];

/// How many buckets there are: one for each first byte.
pub(crate) const BUCKETS: usize = 256;

/// What two tables can be compared by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// Rows, repeats counted.
    pub rows: u64,
    /// SHA-256 of the sorted digests of its rows.
    pub digest: Digest,
}

pub(crate) struct Sorted {
    pub(crate) buckets: Vec<Vec<Digest>>,
    /// How many of the first buckets are sorted.
    done: usize,
}

impl Sorted {
    pub(crate) fn new() -> Self {
        Self { buckets: vec![Vec::new(); BUCKETS], done: BUCKETS }
    }

    /// Adds digests, of which there is room for all or none is added.
    pub(crate) fn add(&mut self, digests: &[Digest]) -> Result<(), Error> {
        let mut counts = [0; BUCKETS];
        for digest in digests {
            counts[usize::from(digest[0])] += 1;
        }
        for (bucket, count) in self.buckets.iter_mut().zip(counts) {
            bucket.try_reserve(count).map_err(|_| Error::NoMemory(count * size_of::<Digest>()))?;
        }
        for digest in digests {
            self.buckets[usize::from(digest[0])].push(*digest);
        }
        self.done = 0;
        Ok(())
    }

    pub(crate) fn try_clone(&self) -> Result<Self, Error> {
        let mut copy = Self::new();
        for (bucket, from) in copy.buckets.iter_mut().zip(&self.buckets) {
            bucket
                .try_reserve_exact(from.len())
                .map_err(|_| Error::NoMemory(size_of_val(from.as_slice())))?;
            bucket.extend_from_slice(from);
        }
        copy.done = self.done;
        Ok(copy)
    }

    /// Takes all that is in another one.
    pub(crate) fn merge(&mut self, other: Self) -> Result<(), Error> {
        for (bucket, more) in self.buckets.iter_mut().zip(&other.buckets) {
            bucket.try_reserve(more.len()).map_err(|_| Error::NoMemory(size_of_val(more.as_slice())))?;
        }
        for (bucket, more) in self.buckets.iter_mut().zip(other.buckets) {
            if bucket.is_empty() { *bucket = more } else { bucket.extend(more) }
        }
        self.done = 0;
        Ok(())
    }

    /// Sorts some buckets more, and says whether others are left.
    pub(crate) fn sort_some(&mut self, threads: usize) -> bool {
        const AT_ONCE: usize = 32;
        let some = &mut self.buckets[self.done..BUCKETS.min(self.done + AT_ONCE)];
        if !some.is_empty() {
            let each = some.len().div_ceil(threads.clamp(1, AT_ONCE));
            self.done += some.len();
            threads::each(some.chunks_mut(each).collect(), |buckets| {
                buckets.iter_mut().for_each(|bucket| bucket.sort_unstable_by(compare));
            });
        }
        self.done < BUCKETS
    }

    pub(crate) fn sort(&mut self, threads: usize) {
        while self.sort_some(threads) {}
    }

    /// What each bucket has, once they are sorted.
    pub(crate) fn summaries(&self, sha256: &Many) -> Vec<Bucket> {
        let messages: Vec<&[u8]> = self.buckets.iter().map(|bucket| bucket.as_flattened()).collect();
        let mut digests = [[0; 32]; BUCKETS];
        sha256.digest_into(&messages, digests.as_flattened_mut()).expect("room for every digest");
        let summary = |(bucket, digest): (&Vec<_>, _)| Bucket { rows: bucket.len() as u64, digest };
        self.buckets.iter().zip(digests).map(summary).collect()
    }
}

/// The order of digests: their first eight bytes, as a number, nearly always decide.
fn compare(a: &Digest, b: &Digest) -> std::cmp::Ordering {
    let first = |digest: &Digest| digest.first_chunk().map(|bytes| u64::from_be_bytes(*bytes));
    first(a).cmp(&first(b)).then_with(|| a.cmp(b))
}

/// The digests that are in one of two sorted lists only, as often as they are there more.
pub(crate) fn differing(these: &[Digest], those: &[Digest]) -> (Vec<Digest>, Vec<Digest>) {
    let (mut only_these, mut only_those) = (Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    loop {
        match (these.get(i), those.get(j)) {
            (Some(a), Some(b)) if a == b => (i, j) = (i + 1, j + 1),
            (Some(a), b) if b.is_none_or(|b| a < b) => {
                only_these.push(*a);
                i += 1;
            }
            (_, Some(b)) => {
                only_those.push(*b);
                j += 1;
            }
            (_, None) => return (only_these, only_those),
        }
    }
}
