//! `sorted-sha256`: the digests of all rows, in 256 buckets by their first byte.

use crate::error::Error;
use crate::spread::sort;
use hashwell::{Many, Params};

/// The SHA-256 of a row.
pub type Digest = [u8; 32];

/// The number of buckets: one for each first byte.
pub(crate) const BUCKETS: usize = 256;

/// A summary of a bucket, for comparing two tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// The number of rows, including repeated ones.
    pub rows: u64,
    /// The SHA-256 digest of the sorted row digests in the bucket.
    pub digest: Digest,
}

pub(crate) struct Sorted {
    pub(crate) buckets: Vec<Vec<Digest>>,
    /// The number of buckets, from the first one on, that are sorted.
    done: usize,
    /// SHA-256 of these buckets. To save memory, this is empty before the first bucket is sorted, because there may be
    /// a `Sorted` for each of very many columns.
    digests: Vec<Digest>,
}

/// The number of digests for which starting a thread is worthwhile.
const A_THREAD_S_WORK: usize = 1 << 14;

/// The number of threads that is worthwhile for this many digests.
fn worth(threads: usize, digests: usize) -> usize {
    threads.clamp(1, 1 + digests / A_THREAD_S_WORK)
}

pub(crate) fn sha256() -> Many {
    let row = hashwell::find("sha256").expect("a row of the registry");
    hashwell::Error::abort_without_memory(row.many(&Params::default())).expect("no parameter is out of range")
}

impl Sorted {
    pub(crate) fn new() -> Self {
        Self { buckets: vec![Vec::new(); BUCKETS], done: 0, digests: Vec::new() }
    }

    /// Adds all digests, or none if there is no memory.
    pub(crate) fn add(&mut self, digests: &[Digest], threads: usize) -> Result<(), Error> {
        let mut counts = [0; BUCKETS];
        for digest in digests {
            counts[usize::from(digest[0])] += 1;
        }
        for (bucket, count) in self.buckets.iter_mut().zip(counts) {
            bucket.try_reserve(count).map_err(|_| Error::NoMemory(count * size_of::<Digest>()))?;
        }
        // Each thread reads all digests, and keeps those of its buckets.
        let each = BUCKETS.div_ceil(worth(threads, digests.len()).min(4));
        let pieces = self.buckets.chunks_mut(each).zip((0..BUCKETS).step_by(each)).collect();
        hashwell_work::each(pieces, |(buckets, first): (&mut [Vec<Digest>], usize)| {
            for digest in digests {
                if let Some(bucket) = buckets.get_mut(usize::from(digest[0]).wrapping_sub(first)) {
                    bucket.push(*digest);
                }
            }
        });
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
        (copy.done, copy.digests) = (self.done, self.digests.clone());
        Ok(copy)
    }

    /// Merges another list of digests.
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

    /// Sorts and hashes some of the buckets that are not sorted yet. Returns true if others are left.
    pub(crate) fn sort_some(&mut self, threads: usize) -> bool {
        // The number for each thread equals the number of messages hashed in parallel SIMD lanes.
        const EACH: usize = 16;
        let threads = worth(threads, self.buckets.iter().map(Vec::len).sum());
        let some = self.done..BUCKETS.min(self.done + EACH * threads);
        self.done = some.end;
        self.digests.resize(BUCKETS, [0; 32]);
        let buckets = self.buckets[some.clone()].chunks_mut(EACH);
        let pieces = buckets.zip(self.digests[some].chunks_mut(EACH)).collect();
        hashwell_work::each(pieces, |(buckets, digests): (&mut [Vec<Digest>], &mut [Digest])| {
            let mut spare = Vec::new();
            buckets.iter_mut().for_each(|bucket| sort(bucket, &mut spare));
            let messages: Vec<&[u8]> = buckets.iter().map(|bucket| bucket.as_flattened()).collect();
            let hashed = sha256().digest_into(&messages, digests.as_flattened_mut());
            hashwell::Error::abort_without_memory(hashed).expect("room for every digest");
        });
        self.done < BUCKETS
    }

    pub(crate) fn sort(&mut self, threads: usize) {
        while self.sort_some(threads) {}
    }

    /// The summary of each bucket, once all are sorted.
    pub(crate) fn summaries(&self) -> Vec<Bucket> {
        let summary = |(bucket, digest): (&Vec<_>, &_)| Bucket { rows: bucket.len() as u64, digest: *digest };
        self.buckets.iter().zip(&self.digests).map(summary).collect()
    }
}

/// The digests that occur more often in one of two sorted lists than in the other. A digest that occurs n times more
/// often is repeated n times.
pub(crate) fn differing(these: &[Digest], those: &[Digest]) -> Result<(Vec<Digest>, Vec<Digest>), Error> {
    let push = |list: &mut Vec<Digest>, digest: &Digest| {
        list.try_reserve(1).map_err(|_| Error::NoMemory((list.len() + 1) * size_of::<Digest>()))?;
        list.push(*digest);
        Ok::<(), Error>(())
    };
    let (mut only_these, mut only_those) = (Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    loop {
        match (these.get(i), those.get(j)) {
            (Some(a), Some(b)) if a == b => (i, j) = (i + 1, j + 1),
            (Some(a), b) if b.is_none_or(|b| a < b) => {
                push(&mut only_these, a)?;
                i += 1;
            }
            (_, Some(b)) => {
                push(&mut only_those, b)?;
                j += 1;
            }
            (_, None) => return Ok((only_these, only_those)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_change_nothing() {
        let mut digests: Vec<Digest> = vec![[0; 32]; 3 * A_THREAD_S_WORK];
        let numbers = (0_u64..).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        digests.iter_mut().zip(numbers).for_each(|(digest, i)| digest[..8].copy_from_slice(&i.to_be_bytes()));
        let of = |threads: usize| {
            let mut sorted = Sorted::new();
            sorted.add(&digests, threads).unwrap();
            sorted.add(&digests[..10], threads).unwrap();
            sorted.sort(threads);
            let all: Vec<_> =
                sorted.summaries().into_iter().map(|bucket| (bucket.rows, bucket.digest)).collect();
            (sorted.buckets, all)
        };
        let one = of(1);
        assert!(one.0.iter().flatten().is_sorted());
        assert_eq!(one.1.iter().map(|(rows, _)| rows).sum::<u64>(), digests.len() as u64 + 10);
        for threads in [2, 3, 5, 1000] {
            assert!(worth(threads, digests.len()) > 1 && of(threads) == one, "{threads}");
        }
        assert_eq!((worth(0, 5), worth(1000, 5)), (1, 1));
        for allowed in 0..3 {
            assert!(hashwell_work::refuse_threads(allowed, || of(4)) == one, "with {allowed} threads more");
        }
    }
}
