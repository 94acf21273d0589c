//! **Do not use these.** Two well-known listings that are biased, as they were printed, so that everybody can measure by
//! how much: <https://jtobin.io/new-drbg-and-sha2-libs> ("Reservoir Sampling"), whose second one follows
//! Erlandson's approximation. The tests of this crate convict both; `cargo run --release --example bias` prints the table.
//!
//! Use [`AlgorithmR`](crate::algorithms::AlgorithmR) and [`SkipReservoir`](super::SkipReservoir) instead, which take the same words a row.

use super::by_rows::{ByRows, Choices};
use super::by_skips::{BySkips, SkipRule};
use crate::Error;
use crate::draw::unit_positive;
use crate::number::{ln, log1p};
use hashwell::RandomSource;

/// Draws one of as many numbers as there are rows *before* the row, one too few.
#[derive(Clone, Debug)]
pub struct RowsBefore;

impl Choices for RowsBefore {
    #[inline(always)]
    fn of(seen: u64) -> u64 {
        seen
    }
}

/// The first listing: Algorithm R, shifted by one. Row number i, counted from 1, draws one of i - 1 numbers in place of i.
///
/// So row k + 1 always enters. Of n rows, each of the first k is in the sample with chance (k - 1) / (n - 1) in place of
/// k / n, and the others with k / (n - 1); for k = 1 the first row never is.
pub type OffByOne<W> = ByRows<W, RowsBefore>;

/// Holds the chance of the first row of a gap for all of its rows.
#[derive(Clone, Debug)]
pub struct Frozen;

/// The second listing: gaps as if the chance to enter, k / t after t rows, stayed what it is for the whole gap: ⌊ln u /
/// ln(1 - k / t)⌋.
///
/// It falls with each row, so that gaps come out too short, and rows enter too often: with chance (k + 1) / t or so. That
/// does not go away for large n, it adds up: of 10^7 rows and k = 100, the first 100 have 0.893 of their share.
pub type FrozenGap<W> = BySkips<W, Frozen>;

impl SkipRule for Frozen {
    fn start() -> Self {
        Self
    }

    fn next(&mut self, words: &mut impl RandomSource, slots: u64, seen: u64) -> Result<u64, Error> {
        let u = unit_positive(words)?;
        // At t = k the listing divides by the logarithm of 0: the gap is 0.
        if slots == seen {
            return Ok(0);
        }
        Ok((ln(u) / log1p(-(slots as f64 / seen as f64))) as u64)
    }
}
