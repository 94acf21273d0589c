//! Exact gaps, decided by whole numbers.

use super::skip::{Growing, longest};
use super::slots::{BySkips, SavedRule, SkipRule};
use crate::Error;
use crate::state::{Kind, Reader, Writer};
use hashwell::Words;

/// The rule of hwdraw's method `gap`.
#[derive(Clone, Debug)]
pub struct ExactGap;

/// A reservoir with exact gaps, hwdraw's method `gap`. After t rows, one word R says how many to pass over: the largest s
/// with C(t, k) / C(t + s, k) >= (R + 1) / 2^64; the row after them takes slot below(k). Which s that is is a comparison of
/// whole numbers, so that every language and machine agrees.
///
/// C(t, k) / C(t + s, k) is the chance that Algorithm R passes over s rows at least; so every set of k of n rows has the
/// same chance, but for the 64 bits of R: the chance of a gap differs from the exact one by less than 2^-64.
///
/// One word when the slots are full, two for each row that enters after that (k · ln(n / k) rows, about), and those that
/// [`below`](crate::draw::below) refuses. Time for each: the lesser of k and s multiplications, a few times; and of whole
/// numbers as long as all of these where floats leave it open, which for m of them is one word in 2^46 / m or so.
pub type Gap<W> = BySkips<W, ExactGap>;

impl SkipRule for ExactGap {
    fn start() -> Self {
        Self
    }

    fn next(&mut self, words: &mut impl Words, slots: u64, seen: u64) -> Result<u64, Error> {
        Ok(gap(words.next_u64()?, slots, seen))
    }
}

impl SavedRule for ExactGap {
    const KIND: Kind = Kind::Gap;

    fn save(&self, _: &mut Writer) {}

    fn load(_: &mut Reader<'_>, _: bool) -> Result<Self, Error> {
        Ok(Self)
    }
}

/// The gap that the word says, for 1 <= slots <= seen. `u64::MAX` if the row after it would not have a number of 64 bits.
fn gap(word: u64, slots: u64, seen: u64) -> u64 {
    let most = u64::MAX - seen;
    let gap = if slots == 1 {
        // t / (t + s) >= (R + 1) / 2^64, if and only if t + s <= t · 2^64 / (R + 1).
        let last = (u128::from(seen) << 64) / (u128::from(word) + 1);
        u64::try_from(last - u128::from(seen)).unwrap_or(u64::MAX)
    } else {
        longest(&Growing { seen }, slots, most, word)
    };
    if gap >= most { u64::MAX } else { gap }
}
