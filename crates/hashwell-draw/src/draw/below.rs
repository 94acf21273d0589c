//! Bounded integers by hwdraw's rule: the remainder of a random number mod n, with rejection of the incomplete last
//! block of n.

use crate::Error;
use hashwell::RandomSource;

/// Returns a uniform integer x with 0 <= x < n. Draws random numbers w until w < n · ⌊2^64 / n⌋, and returns w mod n.
///
/// Consumes one random number for each attempt. An attempt is rejected with probability (2^64 mod n) / 2^64, which is
/// below 1/2 and below n / 2^64. On average, fewer than 2 random numbers are therefore consumed (1 + 2^-44 for n =
/// 1,000,000).
///
/// # Errors
/// Returns [`Error::OutOfRange`] if n is 0, or [`Error::RandomSource`] if the random source fails.
#[inline]
pub fn below(words: &mut (impl RandomSource + ?Sized), n: u64) -> Result<u64, Error> {
    if n == 0 {
        return Err(empty());
    }
    loop {
        let word = words.next_u64()?;
        let rest = word % n;
        if is_taken(word, rest, n) {
            return Ok(rest);
        }
    }
}

/// Returns true if w < n · ⌊2^64 / n⌋, without another division, given r = w mod n. w lies in the block of n numbers
/// that begins at w - r. Blocks begin at multiples of n, and L = n · ⌊2^64 / n⌋ is the largest multiple of n that is at
/// most 2^64. So w < L if and only if its block ends at L or before. Because a block's end is a multiple of n, this
/// holds if and only if it ends at 2^64 or before: w - r + n <= 2^64, or w - r <= 2^64 - n, which is the 64-bit
/// negation of n, as n is not 0.
#[inline]
fn is_taken(word: u64, rest: u64, n: u64) -> bool {
    word - rest <= n.wrapping_neg()
}

/// [`below`] for repeated draws with the same n, which needs a multiplication instead of a division.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Below {
    n: u64,
    /// ⌊(2^64 - 1) / n⌋; 0 for n = 0.
    inverse: u64,
}

impl Below {
    /// Draws below n. With n = 0 every draw fails.
    pub(crate) fn new(n: u64) -> Self {
        Self { n, inverse: u64::MAX.checked_div(n).unwrap_or(0) }
    }

    /// The same result as [`below`].
    #[inline]
    pub(crate) fn draw(self, words: &mut (impl RandomSource + ?Sized)) -> Result<u64, Error> {
        if self.n == 0 {
            return Err(empty());
        }
        loop {
            let word = words.next_u64()?;
            let rest = self.rest(word);
            if is_taken(word, rest, self.n) {
                return Ok(rest);
            }
        }
    }

    /// w mod n. The quotient q is ⌊w · inverse / 2^64⌋ or one more: inverse >= 2^64 / n - 1, so that w · inverse / 2^64
    /// >= w / n - w / 2^64 > q - 1. Its floor is therefore at least q - 1.
    #[inline]
    fn rest(self, word: u64) -> u64 {
        let quotient = ((u128::from(word) * u128::from(self.inverse)) >> 64) as u64;
        let rest = word - quotient * self.n;
        if rest >= self.n { rest - self.n } else { rest }
    }
}

/// Like [`below`], for n up to 2^128 - 1. If n > 2^64, an attempt takes two random numbers, w = first · 2^64 + second,
/// and the rule uses 2^128 instead of 2^64. For n < 2^64, the result is the same as with [`below`]. For n = 2^64, a
/// random number is returned unchanged.
///
/// # Errors
/// Returns the same errors as [`below`].
pub fn below_u128(words: &mut (impl RandomSource + ?Sized), n: u128) -> Result<u128, Error> {
    if let Ok(n) = u64::try_from(n) {
        return below(words, n).map(u128::from);
    }
    if n == 1 << 64 {
        return Ok(words.next_u64()?.into());
    }
    loop {
        let word = next_u128(words)?;
        let rest = word % n;
        if word - rest <= n.wrapping_neg() {
            return Ok(rest);
        }
    }
}

/// Two random numbers as one of 128 bits; the first is the upper half.
#[inline]
pub(super) fn next_u128(words: &mut (impl RandomSource + ?Sized)) -> Result<u128, Error> {
    let high = u128::from(words.next_u64()?);
    Ok(high << 64 | u128::from(words.next_u64()?))
}

/// The error for n = 0.
#[cold]
pub(super) fn empty() -> Error {
    Error::range("the number of choices", "at least 1", 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell::ByteSource;
    use hashwell::random::Tape;

    /// The rule as written in the specification.
    fn by_the_book(word: u64, n: u64) -> Option<u64> {
        let limit = u128::from(n) * ((1_u128 << 64) / u128::from(n));
        (u128::from(word) < limit).then(|| word % n)
    }

    #[test]
    fn one_division_is_the_rule() {
        let sizes =
            [1, 2, 3, 5, 7, 10, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, u64::MAX - 1, u64::MAX];
        for n in sizes {
            let limit = (u128::from(n) * ((1_u128 << 64) / u128::from(n))) as u64;
            let near = (0..4)
                .flat_map(|i| [limit.wrapping_add(i), limit.wrapping_sub(i), n.wrapping_add(i), n - 1, !i]);
            for word in near {
                let tape = [word, 0];
                assert_eq!(Below::new(n).rest(word), word % n, "{word} below {n}");
                let mut again = Tape::new(&tape);
                let again = (Below::new(n).draw(&mut again).unwrap(), again.stream_position());
                let mut tape = Tape::new(&tape);
                let (got, must) = (below(&mut tape, n).unwrap(), by_the_book(word, n));
                assert_eq!(got, must.unwrap_or(0), "{word} below {n}");
                assert_eq!(
                    tape.stream_position(),
                    Some(if must.is_some() { 8 } else { 16 }),
                    "{word} below {n}"
                );
                assert_eq!((got, tape.stream_position()), again, "{word} below {n}");
            }
        }
        assert!(Below::new(0).draw(&mut Tape::new(&[1])).is_err());
    }

    #[test]
    fn wide_numbers_take_two_words() {
        let mut tape = Tape::new(&[7, 1, 2, u64::MAX, u64::MAX, 3, 4]);
        assert_eq!(below_u128(&mut tape, 1 << 64), Ok(7));
        assert_eq!(below_u128(&mut tape, (1 << 64) + 1), Ok(((1_u128 << 64) + 2) % ((1 << 64) + 1)));
        // For n = 2^128 - 1, only the largest random number is rejected.
        assert_eq!(below_u128(&mut tape, u128::MAX), Ok((3 << 64) + 4));
        assert_eq!(tape.stream_position(), Some(56));
        assert!(below(&mut Tape::new(&[1]), 0).is_err() && below_u128(&mut Tape::new(&[1]), 0).is_err());
        assert!(matches!(below(&mut Tape::new(&[]), 1), Err(Error::RandomSource(_))));
        // A power of two divides 2^128, so no random number is rejected, not even in the last block.
        let mut tape = Tape::new(&[1 << 63, 5]);
        assert_eq!(below_u128(&mut tape, 1 << 127), Ok(5));
        // n = 1 consumes a random number like any other n, so the count does not depend on n.
        let mut tape = Tape::new(&[9]);
        assert_eq!((below(&mut tape, 1), tape.stream_position()), (Ok(0), Some(8)));
    }
}
