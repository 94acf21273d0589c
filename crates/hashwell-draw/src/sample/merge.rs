//! One sample of two, as if one had seen the rows of both.

use crate::Error;
use crate::draw::{below_u128, shuffle};
use hashwell::RandomSource;

/// A reservoir's rows, and of how many they are a sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample<T> {
    rows: Vec<T>,
    seen: u64,
    capacity: usize,
}

impl<T> Sample<T> {
    /// The rows in the slots of a reservoir of so many slots, after so many rows.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if they are not min(seen, capacity) rows.
    pub fn new(rows: Vec<T>, seen: u64, capacity: usize) -> Result<Self, Error> {
        let must = seen.min(capacity as u64);
        if rows.len() as u64 != must {
            let must = format!("{must} for {seen} rows and {capacity} slots");
            return Err(Error::range("the number of rows in a sample", must, rows.len()));
        }
        Ok(Self { rows, seen, capacity })
    }

    /// The rows.
    #[must_use]
    pub fn rows(&self) -> &[T] {
        &self.rows
    }

    /// The rows.
    #[must_use]
    pub fn into_rows(self) -> Vec<T> {
        self.rows
    }

    /// Of how many rows it is a sample.
    #[must_use]
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// How many rows it has at most.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.capacity
    }
}

/// A sample without replacement of the rows of two streams, made of a sample of each: every set has the same chance,
/// exactly, if it had that in both. Its capacity is the lesser of the two, as nothing more is known.
///
/// How many come of the first is a hypergeometric number, drawn as what it is: of all rows of both, seen or kept, as
/// many are taken as fit in, one after the other, and each is one of the first stream's a that are left with chance a /
/// (a + b). (A binomial number, one chance for all, is a common mistake: two samples of 4 of 10 rows give none of the
/// first in 0.0625 of cases, which should be 0.0433.) Then so many rows of each sample are chosen, each set with the
/// same chance, since slots are in no random order.
///
/// `merge` is associative and commutative in law, not bit for bit; [`BottomK`](crate::sample::BottomK) is so bit for bit.
/// Eats [`below_u128`] of a + b, a + b - 1, … for each row of the result, then what [`shuffle`] eats for the rows of
/// the first sample, and for the second's.
///
/// # Errors
/// [`Error::OutOfRange`] if both streams together have more than 2^64 - 1 rows; [`Error::RandomSource`].
pub fn merge<T>(
    words: &mut (impl RandomSource + ?Sized),
    a: Sample<T>,
    b: Sample<T>,
) -> Result<Sample<T>, Error> {
    let both = u128::from(a.seen) + u128::from(b.seen);
    let seen = u64::try_from(both)
        .map_err(|_| Error::range("the rows of both samples", "at most 2^64 - 1", both))?;
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

/// How many of `len` rows, taken of a + b, are of the a.
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

/// A sample with replacement of the rows of two streams, slot by slot: a slot is the first sample's with chance
/// a / (a + b), a and b the rows seen. Exact, associative in law. A sample of no rows has no slots filled, and gives way.
///
/// Eats [`below_u128`] of a + b for each slot.
///
/// # Errors
/// [`Error::OutOfRange`] if both have rows and not equally many slots, or a sample without rows has slots;
/// [`Error::RandomSource`].
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
