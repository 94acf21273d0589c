//! Algorithm L, a reservoir that skips rows.

use crate::Error;
use crate::number::{exp, log1p, minus_ln_unit};
use crate::sample::by_skips::{BySkips, SavedRule, SkipRule};
use crate::state::{Kind, Reader, Writer};
use hashwell::RandomSource;

/// The rule by which [`AlgorithmL`] skips rows. Its state is ln W, where W is the k-th smallest of the uniform numbers
/// so far.
#[derive(Clone, Debug)]
pub struct LargestOfTheLeast {
    /// The logarithm of W, which is the k-th smallest of `seen` uniform numbers.
    ln_w: f64,
}

/// Algorithm L, a reservoir that skips rows (Li, "Reservoir-sampling algorithms of time complexity O(n(1 + log(N/n)))",
/// 1994, algorithm L). W starts as U^(1/k), where every U is a new uniform number. Then three steps are repeated: ⌊ln U
/// / ln(1 - W)⌋ rows are skipped, the next row takes slot below(k), and W is multiplied by U^(1/k).
///
/// With real numbers, its distribution would be exact. In this implementation, U has 64 bits and is neither 0 nor 1,
/// and W is stored as its logarithm, a float. This crate computes the logarithms and exponentials
/// ([`number`](crate::number)), so all machines get the same result. But the algorithm decides with floats, and
/// hashwell does not implement it in other languages. [`SkipReservoir`](crate::sample::SkipReservoir) decides with
/// integers and is implemented in other languages, too.
///
/// Consumes two random numbers at first, then three for each row that enters after the slots are full (about k · ln(n /
/// k) of n rows), plus those that [`below`](crate::draw::below) rejects. Takes O(1) time for each row that enters.
pub type AlgorithmL<W> = BySkips<W, LargestOfTheLeast>;

/// A lower bound on ln W. If ln W is below -82, even the smallest -ln U, which is 2^-65, makes a gap of more than 2^53
/// rows, and no further row enters. The last row that enters lowers ln W by at most 45.1.
const LEAST_LN_W: f64 = -128.0;

impl SkipRule for LargestOfTheLeast {
    fn start() -> Self {
        Self { ln_w: 0.0 }
    }

    fn next(&mut self, words: &mut impl RandomSource, slots: u64, seen: u64) -> Result<u64, Error> {
        let (shrink, word) = (words.next_u64()?, words.next_u64()?);
        self.ln_w -= minus_ln_unit(shrink) / slots as f64;
        let rate = -log1p(-exp(self.ln_w));
        // If W is rounded to 0, no row enters.
        if rate <= 0.0 {
            return Ok(u64::MAX);
        }
        let gap = minus_ln_unit(word) / rate;
        // If W is rounded to 1, the gap is 0. Floats cannot count a gap of 2^53 rows or more. No stream reaches the end
        // of such a gap, so it means that no further row enters.
        let most = ((1_u64 << 53) as f64).min((u64::MAX - seen) as f64);
        Ok(if gap < most { gap as u64 } else { u64::MAX })
    }
}

impl SavedRule for LargestOfTheLeast {
    const KIND: Kind = Kind::AlgorithmL;

    fn save(&self, writer: &mut Writer) {
        writer.f64(self.ln_w);
    }

    fn load(reader: &mut Reader<'_>, full: bool) -> Result<Self, Error> {
        let ln_w = reader.f64()?;
        let fits = if full { (LEAST_LN_W..0.0).contains(&ln_w) } else { ln_w == 0.0 };
        if fits {
            Ok(Self { ln_w })
        } else {
            Err(Reader::contradiction("the value ln W of Algorithm L does not match the number of rows"))
        }
    }
}
