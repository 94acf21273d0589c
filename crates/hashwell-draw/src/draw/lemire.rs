//! Bounded integers by multiplication, for loops in which n changes with every draw.

use super::below::empty;
use crate::Error;
use hashwell::RandomSource;

/// Returns a uniform integer x with 0 <= x < n, by Lemire's rule ("Fast Random Integer Generation in an Interval",
/// 2019, algorithm 5). The result is the upper half of the 128 bits of w · n, where w is a random number. While the
/// lower half is less than 2^64 mod n, w is drawn again.
///
/// It is as exact as [`below`](crate::draw::below) and rejects as many random numbers, but it is a *different rule*,
/// which returns a different number for the same random number. hwdraw's draws use `below`, which is simpler to
/// explain. This function needs a multiplication and a comparison where `below` needs a division. It is meant for
/// Algorithm R, whose n changes with every row.
///
/// # Errors
/// Returns the same errors as [`below`](crate::draw::below).
#[inline]
pub fn below_lemire(words: &mut (impl RandomSource + ?Sized), n: u64) -> Result<u64, Error> {
    lemire(|| Ok(words.next_u64()?), n)
}

/// Like [`below_lemire`], with random numbers from a function.
#[inline]
pub(crate) fn lemire(mut next: impl FnMut() -> Result<u64, Error>, n: u64) -> Result<u64, Error> {
    let (high, low) = product(next()?, n);
    // Rejected lower halves are below 2^64 mod n, hence below n. Larger ones are accepted without the division.
    if low > n { Ok(high) } else { rarely(next, n, high, low) }
}

#[cold]
fn rarely(
    mut next: impl FnMut() -> Result<u64, Error>,
    n: u64,
    mut high: u64,
    mut low: u64,
) -> Result<u64, Error> {
    if n == 0 {
        return Err(empty());
    }
    let refused = n.wrapping_neg() % n;
    while low < refused {
        (high, low) = product(next()?, n);
    }
    Ok(high)
}

#[inline(always)]
fn product(word: u64, n: u64) -> (u64, u64) {
    let product = u128::from(word) * u128::from(n);
    ((product >> 64) as u64, product as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell::ByteSource;
    use hashwell::random::Tape;

    /// The number of the 2^64 random numbers that give x: those w with x · 2^64 + refused <= w · n < (x + 1) · 2^64.
    fn words_for(x: u64, n: u64) -> u128 {
        let (n, refused) = (u128::from(n), u128::from(n.wrapping_neg() % n));
        let first = ((u128::from(x) << 64) + refused).div_ceil(n);
        let last = ((u128::from(x) + 1) << 64).div_ceil(n);
        last - first
    }

    #[test]
    fn all_numbers_have_equally_many_words() {
        for n in [1, 2, 3, 5, 6, 7, 10, 1000, (1 << 32) + 1, (1 << 63) + 1, u64::MAX] {
            for x in [0, 1, 2, n / 3, n / 2, n - 1].into_iter().filter(|&x| x < n) {
                assert_eq!(words_for(x, n), (1 << 64) / u128::from(n), "{x} of {n}");
                // The first and the last of these give x, and their neighbours don't.
                let first =
                    ((u128::from(x) << 64) + u128::from(n.wrapping_neg() % n)).div_ceil(n.into()) as u64;
                let last = first + (words_for(x, n) - 1) as u64;
                let mut tries = vec![(first, true), (last, true)];
                tries.extend(first.checked_sub(1).map(|word| (word, false)));
                tries.extend(last.checked_add(1).map(|word| (word, false)));
                for (word, gives) in tries {
                    let tape = [word];
                    let mut tape = Tape::new(&tape);
                    assert_eq!(below_lemire(&mut tape, n) == Ok(x), gives, "{word} below {n}");
                    assert_eq!(tape.stream_position(), Some(8));
                }
            }
        }
        assert!(below_lemire(&mut Tape::new(&[5]), 0).is_err());
    }
}
