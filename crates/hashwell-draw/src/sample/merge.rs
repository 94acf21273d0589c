//! Merges two samples into one, as if a single sampler had seen the rows of both.

use crate::Error;
use crate::draw::{below_u128, shuffle};
use hashwell::RandomSource;

/// The rows of a reservoir, with the number of rows that they were sampled from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample<T> {
    rows: Vec<T>,
    seen: u64,
    capacity: usize,
}

impl<T> Sample<T> {
    /// Creates a sample from the rows in the slots of a reservoir. `seen` is the number of rows seen, and `capacity` is
    /// the number of slots.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if the number of rows is not min(seen, capacity).
    pub fn new(rows: Vec<T>, seen: u64, capacity: usize) -> Result<Self, Error> {
        let must = seen.min(capacity as u64);
        if rows.len() as u64 != must {
            let must = format!("{must} (for {seen} rows seen and {capacity} slots)");
            return Err(Error::range("the number of rows in a sample", must, rows.len()));
        }
        Ok(Self { rows, seen, capacity })
    }

    /// The rows.
    #[must_use]
    pub fn rows(&self) -> &[T] {
        &self.rows
    }

    /// Returns the rows, consuming the sample.
    #[must_use]
    pub fn into_rows(self) -> Vec<T> {
        self.rows
    }

    /// The number of rows from which the sample was taken.
    #[must_use]
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// The maximum number of rows in the sample.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.capacity
    }
}

/// Merges samples without replacement of two streams into a sample of the rows of both streams. Every set of rows has
/// exactly the same probability if this is also true for each of the two samples. The capacity of the result is the
/// smaller of the two capacities, because the sample with this capacity contains no more rows.
///
/// The number of rows from the first sample has a hypergeometric distribution. It is drawn step by step: with a rows
/// left in the first stream and b in the second, the next row of the result comes from the first stream with
/// probability a / (a + b). Then this number of rows is chosen at random from the first sample, and the other rows are
/// chosen at random from the second sample, because slots are not in random order.
///
/// A common mistake is to draw the number of rows from a binomial distribution, whose probability is constant. If two
/// samples, each of 4 of 10 rows, are merged in this way, the result contains no row of the first sample in 6.25 % of
/// cases, instead of 4.33 %.
///
/// This function is associative and commutative in distribution, but not bit for bit. The merge of
/// [`BottomK`](crate::sample::BottomK) samples is associative and commutative bit for bit.
///
/// The function consumes the random numbers of one call of [`below_u128`] for each row of the result, first with a + b,
/// then with a + b - 1, and so on. Then it consumes the random numbers of two calls of [`shuffle`], one for the rows of
/// the first sample and one for those of the second sample.
///
/// # Errors
/// Returns [`Error::OutOfRange`] if both streams together have more than 2^64 - 1 rows, or [`Error::RandomSource`] if
/// the random source fails.
pub fn merge<T>(
    words: &mut (impl RandomSource + ?Sized),
    a: Sample<T>,
    b: Sample<T>,
) -> Result<Sample<T>, Error> {
    let both = u128::from(a.seen) + u128::from(b.seen);
    let seen = u64::try_from(both)
        .map_err(|_| Error::range("the number of rows in both samples together", "at most 2^64 - 1", both))?;
    let capacity = a.capacity.min(b.capacity);
    let len = seen.min(capacity as u64) as usize;
    let of_first = hypergeometric(words, a.seen, b.seen, len)?;
    let (mut rows, mut others) = (a.rows, b.rows);
    shuffle(words, &mut rows)?;
    shuffle(words, &mut others)?;
    rows.truncate(of_first);
    rows.extend(others.into_iter().take(len - of_first));
    Ok(Sample { rows, seen, capacity })
}

/// Draws the number of rows from the first stream among `len` rows that are taken at random from streams of `a` and `b`
/// rows.
fn hypergeometric(
    words: &mut (impl RandomSource + ?Sized),
    a: u64,
    b: u64,
    len: usize,
) -> Result<usize, Error> {
    let (mut left, mut all) = (u128::from(a), u128::from(a) + u128::from(b));
    for _ in 0..len {
        if below_u128(words, all)? < left {
            left -= 1;
        }
        all -= 1;
    }
    Ok((u128::from(a) - left) as usize)
}

/// Merges samples with replacement of two streams, slot by slot. A slot's row comes from the first sample with
/// probability a / (a + b), where a and b are the numbers of rows that the samples have seen. The merge is exact, and
/// associative in distribution. If one sample has seen no rows, the result is the other sample.
///
/// For each slot, the function consumes the random numbers of one call of [`below_u128`] with a + b.
///
/// # Errors
/// Returns [`Error::OutOfRange`] if both samples have seen rows but have different numbers of slots, or if a sample
/// that has seen no rows has filled slots. Returns [`Error::RandomSource`] if the random source fails.
pub fn merge_with_replacement<T>(
    words: &mut (impl RandomSource + ?Sized),
    (a, seen_a): (Vec<T>, u64),
    (b, seen_b): (Vec<T>, u64),
) -> Result<Vec<T>, Error> {
    let differ =
        |must: usize, got: usize| Err(Error::range("the number of filled slots", must.to_string(), got));
    match (seen_a, seen_b) {
        (0, _) if !a.is_empty() => differ(0, a.len()),
        (_, 0) if !b.is_empty() => differ(0, b.len()),
        (_, 0) => Ok(a),
        (0, _) => Ok(b),
        _ if a.len() != b.len() => differ(a.len(), b.len()),
        _ => {
            let all = u128::from(seen_a) + u128::from(seen_b);
            let pick = |(a, b)| Ok(if below_u128(words, all)? < seen_a.into() { a } else { b });
            a.into_iter().zip(b).map(pick).collect()
        }
    }
}
