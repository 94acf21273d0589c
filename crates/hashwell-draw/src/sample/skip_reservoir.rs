//! A reservoir with exact gaps, decided by integers.

use super::bracket::Bracket;
use super::by_skips::{BySkips, SavedRule, SkipRule};
use super::skip::{Growing, longest};
use crate::Error;
use crate::state::{Kind, Reader, Writer};
use hashwell::RandomSource;

/// The rule of hwdraw's method `gap`. If the source shows which random numbers come next, parts of the next gaps are
/// computed from these numbers in advance. This only saves time: if a different random number is drawn, its gap is
/// computed from scratch.
#[derive(Clone, Debug)]
pub struct ExactGap {
    /// `None` if the source's `ahead()` is empty.
    ahead: Option<Box<Ahead>>,
}

/// The number of random numbers whose brackets are computed together, in SIMD lanes.
const GROUP: usize = 8;

#[derive(Clone, Debug)]
struct Ahead {
    slots: u64,
    /// Random numbers and their brackets; those from `at` to `end` are still to come.
    words: [u64; GROUP],
    brackets: [Bracket; GROUP],
    at: usize,
    end: usize,
}

/// A reservoir with exact gaps. This is the method `gap` of hwdraw. After t rows, one random number R gives the number
/// of rows to skip: the largest s with C(t, k) / C(t + s, k) >= (R + 1) / 2^64. The row after the skipped rows takes
/// slot below(k). The number s is found by comparing integers, so every language and machine gets the same result.
///
/// C(t, k) / C(t + s, k) is the probability that Algorithm R skips at least s rows. Therefore, every set of k of n rows
/// has the same probability, except for the limited precision of R. Because R has 64 bits, the probability of a gap
/// differs from the exact one by less than 2^-64.
///
/// It consumes one random number when the slots are full, two for each row that enters after that (about k · ln(n / k)
/// rows), and those that [`below`](crate::draw::below) rejects. A gap usually takes the time of a logarithm and an
/// exponential, because it is computed in closed form (`bracket`). For one gap in a few hundred, the closed form is too
/// close to an integer to decide. While fewer than about 2.5·k rows have been seen, it can't decide any gap. Each
/// undecided gap costs a few times min(k, s) multiplications. If m multiplications still leave the gap undecided, which
/// happens with a probability of about m / 2^46, it is computed exactly with big integers.
pub type SkipReservoir<W> = BySkips<W, ExactGap>;

impl SkipRule for ExactGap {
    fn start() -> Self {
        Self { ahead: None }
    }

    fn next(&mut self, words: &mut impl RandomSource, slots: u64, seen: u64) -> Result<u64, Error> {
        if self.ahead.as_ref().is_none_or(|ahead| ahead.at == ahead.end) {
            self.look_ahead(words.ahead(), slots);
        }
        let word = words.next_u64()?;
        let known = self.ahead.as_mut().and_then(|ahead| ahead.take(word, slots));
        let bracket = match known {
            Some(bracket) => bracket,
            // With one slot, the gap is computed by a division.
            None if slots == 1 => Bracket::NONE,
            None => Bracket::of([word], slots)[0],
        };
        Ok(gap(word, bracket, slots, seen))
    }
}

impl ExactGap {
    /// Computes the brackets of the next gaps. Every second random number is a gap's, unless one is rejected when
    /// drawing a slot.
    fn look_ahead(&mut self, bytes: &[u8], slots: u64) {
        let words = bytes.as_chunks::<8>().0;
        // With fewer random numbers, this would save nothing.
        if words.len() < 2 * GROUP {
            return;
        }
        let none = || Ahead { slots, words: [0; GROUP], brackets: [Bracket::NONE; GROUP], at: 0, end: 0 };
        let ahead = self.ahead.get_or_insert_with(|| Box::new(none()));
        (ahead.slots, ahead.at, ahead.end) = (slots, 0, GROUP);
        ahead.words = std::array::from_fn(|i| u64::from_be_bytes(words[2 * i]));
        ahead.brackets = Bracket::of(ahead.words, slots);
    }
}

impl Ahead {
    /// The bracket of the next random number, if it is the expected one.
    #[inline]
    fn take(&mut self, word: u64, slots: u64) -> Option<Bracket> {
        let at = self.at;
        if at >= self.end || self.words[at] != word || self.slots != slots {
            self.at = self.end;
            return None;
        }
        self.at += 1;
        Some(self.brackets[at])
    }
}

impl SavedRule for ExactGap {
    const KIND: Kind = Kind::SkipReservoir;

    fn save(&self, _: &mut Writer) {}

    fn load(_: &mut Reader<'_>, _: bool) -> Result<Self, Error> {
        Ok(Self::start())
    }
}

/// The gap given by a random number, for 1 <= slots <= seen. `u64::MAX` if the row after it would not have a 64-bit
/// number.
fn gap(word: u64, bracket: Bracket, slots: u64, seen: u64) -> u64 {
    let most = u64::MAX - seen;
    let gap = if slots == 1 {
        // t / (t + s) >= (R + 1) / 2^64, if and only if t + s <= t · 2^64 / (R + 1).
        let last = (u128::from(seen) << 64) / (u128::from(word) + 1);
        u64::try_from(last - u128::from(seen)).unwrap_or(u64::MAX)
    } else if let Some(end) = bracket.end(seen, slots) {
        end
    } else {
        longest(&Growing { seen }, slots, most, word)
    };
    if gap >= most { u64::MAX } else { gap }
}

#[cfg(test)]
mod tests {
    use super::super::words_ahead::WordsAhead;
    use super::*;
    use crate::sample::Reservoir;
    use hashwell::CounterRng;
    use hashwell::random::Tape;

    /// The numbers and slots of the rows that enter, up to n rows or the end of the random numbers.
    fn entering(words: impl RandomSource, k: usize, n: u64) -> (Vec<(u64, usize)>, Option<u128>) {
        let mut gap = SkipReservoir::new(words, k).unwrap();
        let mut rows = Vec::new();
        while gap.seen().saturating_add(gap.skip()) < n {
            gap.passed(gap.skip());
            let Ok(slot) = gap.enter() else { break };
            rows.push((gap.seen(), slot));
        }
        (rows, gap.words().stream_position())
    }

    #[test]
    fn words_that_are_shown_ahead_make_the_same_gaps() {
        for (k, n) in [(1, 1 << 40), (2, 1 << 40), (7, 10_000), (100, 1 << 30), (1000, 200_000)] {
            let words = || CounterRng::new(&[k as u8; 32]);
            assert_eq!(entering(WordsAhead::new(words()), k, n), entering(words(), k, n), "{k} of {n}");
        }
    }

    /// A row beyond 2^64 - 1 has no number and does not enter, whether floats or products decide.
    #[test]
    fn rows_without_a_number_do_not_enter() {
        for seen in [u64::MAX - 5, u64::MAX] {
            for bracket in [Bracket::NONE, Bracket::of([0], 2)[0]] {
                assert_eq!(gap(0, bracket, 2, seen), u64::MAX);
            }
        }
        assert_eq!(gap(u64::MAX, Bracket::NONE, 2, u64::MAX - 5), 0);
    }

    /// If a random number is rejected when drawing a slot, the next gap uses the random numbers after it.
    #[test]
    fn words_that_are_another_s_after_all_are_looked_at_anew() {
        let mut words = CounterRng::new(&[3; 32]);
        // 2^64 - 1 is rejected for 7 slots; otherwise it is a gap of 0.
        let tape: Vec<u64> =
            (0..400).map(|i| if i % 13 == 5 { u64::MAX } else { words.next_word() }).collect();
        let plain = entering(Tape::new(&tape), 7, u64::MAX);
        assert_eq!(entering(WordsAhead::new(Tape::new(&tape)), 7, u64::MAX).0, plain.0);
        assert!(plain.0.len() > 100, "{}", plain.0.len());
    }
}
