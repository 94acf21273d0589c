//! **Do not use these.** Two well-known listings that are biased, implemented as published, so that you can measure the
//! bias: <https://jtobin.io/new-drbg-and-sha2-libs> ("Reservoir Sampling"). The second one follows Erlandson's
//! approximation. The tests of this crate detect the bias of both; `cargo run --release --example bias` prints a table.
//!
//! Use [`AlgorithmR`](crate::algorithms::AlgorithmR) and [`SkipReservoir`](super::SkipReservoir) instead, which consume
//! the same number of random numbers for each row.

use super::by_rows::{ByRows, Choices};
use super::by_skips::{BySkips, SkipRule};
use crate::Error;
use crate::draw::unit_positive;
use crate::number::{ln, log1p};
use hashwell::RandomSource;

/// Draws a number below the number of rows *before* this row. This bound is too small by one.
#[derive(Clone, Debug)]
pub struct RowsBefore;

impl Choices for RowsBefore {
    #[inline(always)]
    fn of(seen: u64) -> u64 {
        seen
    }
}

/// The first listing: Algorithm R, shifted by one. Row i, counted from 1, draws one of i - 1 numbers instead of i.
///
/// As a result, row k + 1 always enters. Of n rows, each of the first k is in the sample with probability (k - 1) /
/// (n - 1) instead of k / n, and each of the others with probability k / (n - 1). For k = 1 the first row is never in
/// the sample.
pub type OffByOne<W> = ByRows<W, RowsBefore>;

/// Uses the first row's probability of entering for all rows of a gap.
#[derive(Clone, Debug)]
pub struct Frozen;

/// The second listing. A gap is drawn as ⌊ln u / ln(1 - k / t)⌋, as if the probability of entering were constant during
/// the whole gap. After t rows, this probability is k / t.
///
/// In fact, the probability of entering falls with each row. The gaps are therefore too short, and rows enter too
/// often, with a probability of about (k + 1) / t. The error does not vanish for large n, but accumulates. With 10^7
/// rows and k = 100, the inclusion probability of the first 100 rows is 0.893 times the correct one.
pub type FrozenGap<W> = BySkips<W, Frozen>;

impl SkipRule for Frozen {
    fn start() -> Self {
        Self
    }

    fn next(&mut self, words: &mut impl RandomSource, slots: u64, seen: u64) -> Result<u64, Error> {
        let u = unit_positive(words)?;
        // At t = k, the listing divides by the logarithm of 0, and the gap is 0.
        if slots == seen {
            return Ok(0);
        }
        Ok((ln(u) / log1p(-(slots as f64 / seen as f64))) as u64)
    }
}
