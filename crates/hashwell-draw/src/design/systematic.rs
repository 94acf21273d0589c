//! Systematic samples: rows at equal steps from a random start.

use crate::draw::below;
use crate::{Error, RandomSource};

/// An iterator over the numbers of the sampled rows, counted from 0, in ascending order. [`Systematic::every`] and
/// [`Systematic::of`] create it.
///
/// One random number decides all rows, so two rows closer than ⌊step⌋ are never in the same sample. If the data is
/// periodic and its period is the step, a sample contains either all rows of a recurring kind or none of them.
#[derive(Clone, Debug)]
pub struct Systematic {
    /// The next row is ⌊`at`/`unit`⌋.
    at: u128,
    step: u128,
    unit: u128,
    left: u64,
}

impl Systematic {
    /// Samples every `step`-th row, from a start that is uniform on the first `step` rows. Each row has probability
    /// exactly 1/`step`. The iterator is infinite; of n rows, ⌊n/step⌋ or one more are in the sample. Consumes the
    /// random numbers of one call of [`below`].
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if the step is 0, or [`Error::RandomSource`] if the random source fails.
    pub fn every(words: &mut (impl RandomSource + ?Sized), step: u64) -> Result<Self, Error> {
        if step == 0 {
            return Err(Error::range("a step", "at least 1", step));
        }
        Ok(Self { at: below(words, step)?.into(), step: step.into(), unit: 1, left: u64::MAX })
    }

    /// Samples k of n rows at steps of n/k, which need not be an integer. Each row has probability exactly k/n. The
    /// sample consists of the rows ⌊(r + j·n)/k⌋ for 0 <= j < k, where r is uniform on 0 to n - 1. If k exceeds n, all
    /// rows are taken. Consumes the random numbers of one call of [`below`], or none if k or n is 0.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the random source fails.
    pub fn of(words: &mut (impl RandomSource + ?Sized), n: u64, k: u64) -> Result<Self, Error> {
        let k = k.min(n);
        let at = if k == 0 { 0 } else { below(words, n)? };
        Ok(Self { at: at.into(), step: n.into(), unit: k.max(1).into(), left: k })
    }
}

impl Iterator for Systematic {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        if self.left == 0 {
            return None;
        }
        let row = u64::try_from(self.at / self.unit).ok()?;
        self.at += self.step;
        self.left -= 1;
        Some(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell::random::Tape;

    #[test]
    fn every_row_has_the_same_probability() {
        for n in 1..=12_u64 {
            for k in 0..=13 {
                let mut counts = vec![0; n as usize];
                for start in 0..n {
                    let rows: Vec<u64> = Systematic::of(&mut Tape::new(&[start]), n, k).unwrap().collect();
                    assert_eq!(rows.len() as u64, k.min(n));
                    assert!(rows.windows(2).all(|pair| pair[0] < pair[1]));
                    rows.iter().for_each(|&row| counts[row as usize] += 1);
                }
                assert!(counts.iter().all(|&count| count == k.min(n)), "{k} of {n}: {counts:?}");
            }
            for start in 0..n {
                let rows: Vec<u64> =
                    Systematic::every(&mut Tape::new(&[start]), n).unwrap().take(3).collect();
                assert_eq!(rows, [start, start + n, start + 2 * n]);
            }
        }
    }

    #[test]
    fn ends() {
        let mut none = Tape::new(&[]);
        assert_eq!(Systematic::of(&mut none, 0, 5).unwrap().count(), 0);
        assert!(Systematic::every(&mut none, 0).is_err() && Systematic::every(&mut none, 1).is_err());
        let mut last = Systematic::of(&mut Tape::new(&[u64::MAX - 1]), u64::MAX, u64::MAX).unwrap();
        assert_eq!((last.next(), last.next()), (Some(0), Some(1)));
        let mut wide = Systematic::every(&mut Tape::new(&[5]), u64::MAX).unwrap();
        assert_eq!((wide.next(), wide.next()), (Some(5), None));
    }
}
