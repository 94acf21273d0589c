//! Draws rows with replacement from known weights, each in constant time: Walker's alias method with Vose's table (*A
//! linear algorithm for generating random numbers with a given distribution*, 1991).

use crate::draw::{below, below_u128};
use crate::weighted::weight::{check, too_heavy};
use crate::{Error, RandomSource};
use std::ops::{Add, Sub};

/// A column of the table: heights below `own` belong to the column's row, the others to the alias.
#[derive(Clone, Copy, Debug)]
struct Column<S> {
    own: S,
    alias: usize,
}

/// Vose's construction: a row that does not fill its column gets the rest from a row that has more than one column.
/// `shares` are the rows' weights, scaled so that the height of a column is `full`. Their sum is one full column for
/// each row, except for rounding.
fn columns<S>(mut shares: Vec<S>, full: S, zero: S) -> Result<Vec<Column<S>>, Error>
where
    S: Copy + PartialOrd + Add<Output = S> + Sub<Output = S>,
{
    let n = shares.len();
    let mut columns = reserved(n)?;
    columns.extend((0..n).map(|alias| Column { own: full, alias }));
    let (mut small, mut large) = (reserved(n)?, reserved(n)?);
    for row in (0..n).rev() {
        if shares[row] < full { small.push(row) } else { large.push(row) }
    }
    let mut giver = None;
    while let Some(row) = small.pop() {
        // Because of rounding, a row may remain that no other row fills up. If that row has no weight, its column is
        // filled by the row that most recently filled a column.
        let Some(&from) = large.last().or(giver.as_ref().filter(|_| shares[row] <= zero)) else { continue };
        columns[row] = Column { own: shares[row], alias: from };
        giver = Some(from);
        if large.is_empty() {
            continue;
        }
        shares[from] = (shares[from] + shares[row]) - full;
        if shares[from] < full {
            large.pop();
            small.push(from);
        }
    }
    Ok(columns)
}

fn reserved<T>(n: usize) -> Result<Vec<T>, Error> {
    let mut vec = Vec::new();
    vec.try_reserve_exact(n).map_err(|_| Error::Memory { what: "an alias table" })?;
    Ok(vec)
}

/// An alias table of integer weights. It draws row i with probability exactly w/W, where w is the weight of row i and W
/// the sum of all weights.
#[derive(Clone, Debug)]
pub struct AliasTable {
    columns: Vec<Column<u128>>,
    /// W, the height of a column.
    total: u128,
}

impl AliasTable {
    /// Builds the table of these n weights in O(n) time.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if n·W is 2^128 or more, where W is the sum of the weights, or [`Error::Memory`]
    /// if an allocation fails.
    pub fn new(weights: &[u128]) -> Result<Self, Error> {
        let n = weights.len().max(1) as u128;
        let mut total = 0_u128;
        for (row, &weight) in weights.iter().enumerate() {
            let next = total.checked_add(weight).filter(|total| total.checked_mul(n).is_some());
            total = next
                .ok_or_else(|| too_heavy("the sum of the weights, times the number of rows,", row as u64))?;
        }
        if total == 0 {
            return Ok(Self { columns: Vec::new(), total });
        }
        let mut shares = reserved(weights.len())?;
        shares.extend(weights.iter().map(|weight| weight * n));
        Ok(Self { columns: columns(shares, total, 0)?, total })
    }

    /// Draws the index of a row, or returns `None` if no row has a positive weight. Consumes the random numbers of one
    /// call of [`below`] with n and one call of [`below_u128`] with W.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the random source fails.
    pub fn draw(&self, words: &mut (impl RandomSource + ?Sized)) -> Result<Option<usize>, Error> {
        pick(&self.columns, words, |words| below_u128(words, self.total))
    }
}

/// An alias table of float weights. It draws row i with a probability of about w/W, where w is the weight of row i and
/// W the sum of all n weights. The error of the probability is about n·2^-53.
///
/// This is an absolute error, not a relative one. The table has a resolution of 2^-53, so a row whose weight is less
/// than about 2^-53 of the sum does not get its exact probability. For example, if the weights are 1 and 1e-20, the
/// second row is drawn with probability 2^-54. [`AliasTable`] has no such limit.
#[derive(Clone, Debug)]
pub struct FloatAliasTable {
    columns: Vec<Column<f64>>,
}

impl FloatAliasTable {
    /// Builds the table of these n weights in O(n) time.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if a weight is not valid; the error names the weight and the row. Returns
    /// [`Error::Memory`] if an allocation fails.
    pub fn new(weights: &[f64]) -> Result<Self, Error> {
        let mut largest = 0.0;
        for (row, &weight) in weights.iter().enumerate() {
            check(weight, row as u64)?;
            largest = if weight > largest { weight } else { largest };
        }
        if largest == 0.0 {
            return Ok(Self { columns: Vec::new() });
        }
        // Weights are divided by the largest one, so that their sum cannot overflow and is at least 1.
        let mut shares: Vec<f64> = reserved(weights.len())?;
        shares.extend(weights.iter().map(|weight| weight / largest));
        let mean = shares.iter().sum::<f64>() / weights.len() as f64;
        shares.iter_mut().for_each(|share| *share /= mean);
        Ok(Self { columns: columns(shares, 1.0, 0.0)? })
    }

    /// Draws the index of a row, or returns `None` if no row has a positive weight. Consumes the random numbers of one
    /// call of [`below`] with n, and one more.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the random source fails.
    pub fn draw(&self, words: &mut (impl RandomSource + ?Sized)) -> Result<Option<usize>, Error> {
        pick(&self.columns, words, |words| Ok(words.next_f64()?))
    }
}

/// Draws a column, then a height in it.
fn pick<S: PartialOrd, V: RandomSource + ?Sized>(
    columns: &[Column<S>],
    words: &mut V,
    height: impl FnOnce(&mut V) -> Result<S, Error>,
) -> Result<Option<usize>, Error> {
    if columns.is_empty() {
        return Ok(None);
    }
    let row = below(words, columns.len() as u64)? as usize;
    let column = &columns[row];
    Ok(Some(if height(words)? < column.own { row } else { column.alias }))
}
