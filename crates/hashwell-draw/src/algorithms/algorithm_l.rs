//! Algorithm L.

use crate::Error;
use crate::number::{exp, log1p, minus_ln_unit};
use crate::sample::by_skips::{BySkips, SavedRule, SkipRule};
use crate::state::{Kind, Reader, Writer};
use hashwell::RandomSource;

/// The rule of Algorithm L: what it keeps is ln W.
#[derive(Clone, Debug)]
pub struct LargestOfTheLeast {
    /// W is the largest of the k least of `seen` uniform numbers.
    ln_w: f64,
}

/// Algorithm L (Li, "Reservoir-sampling algorithms of time complexity O(n(1 + log(N/n)))", 1994, algorithm L): W begins
/// as U^(1/k); ⌊ln U / ln(1 - W)⌋ rows are passed over, the next one takes slot below(k), and W shrinks by U^(1/k).
///
/// Its law is exact in real numbers. Here U has 64 bits and is neither 0 nor 1, and W is a float, kept as its
/// logarithm. Logarithms and exponentials are this crate's own ([`number`](crate::number)), so that all machines draw
/// the same; but it does not decide by integers, and other languages do not implement it. [`SkipReservoir`](crate::sample::SkipReservoir) has both.
///
/// Three words for each row that enters after the slots are full (k · ln(n / k) rows, about), two at first, and those that
/// [`below`](crate::draw::below) refuses. O(1) time for each.
pub type AlgorithmL<W> = BySkips<W, LargestOfTheLeast>;

/// Below e^-82 the least of -ln U, 2^-65, makes a gap of 2^53 rows, after which none enters; the row before took at most
/// 45.1 off.
const LEAST_LN_W: f64 = -128.0;

impl SkipRule for LargestOfTheLeast {
    fn start() -> Self {
        Self { ln_w: 0.0 }
    }

    fn next(&mut self, words: &mut impl RandomSource, slots: u64, seen: u64) -> Result<u64, Error> {
        let (shrink, word) = (words.next_u64()?, words.next_u64()?);
        self.ln_w -= minus_ln_unit(shrink) / slots as f64;
        let rate = -log1p(-exp(self.ln_w));
        // A W that is rounded to 0 lets nothing enter.
        if rate <= 0.0 {
            return Ok(u64::MAX);
        }
        let gap = minus_ln_unit(word) / rate;
        // A W that is rounded to 1 makes a gap of 0. What floats cannot count, no stream reaches: such a gap, of
        // 2^53 rows or more, says that no row enters any more.
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
        if fits { Ok(Self { ln_w }) } else { Err(Reader::contradiction("its ln W does not fit its rows")) }
    }
}
