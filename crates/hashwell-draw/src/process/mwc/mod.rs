//! Marsaglia's multiply-with-carry generator, compatible with the Haskell package mwc-random.

mod seed;

use hashwell::random::{FromWords, from_words};
use seed::DEFAULT_SEED;

const MULTIPLIER: u64 = 1_540_315_826;
/// The initial carry of a generator, unless its seed contains one.
const CARRY: u32 = 362_436;

/// MWC256, also called MWC8222 (G. Marsaglia, "Seeds for random number generators", Communications of the ACM 46(5),
/// 2003). The state consists of 256 numbers and a carry, the period is about 2^8222, and each number takes one
/// multiplication. The generator returns exactly the numbers of mwc-random 0.15 (`System.Random.MWC`), so you can
/// repeat runs of Haskell programs.
///
/// **Not suitable for secrets**: anyone who has seen 257 numbers can compute all later ones. The generator has no child
/// streams and cannot seek. If several runs use the same generator, each run begins where the one before it ended.
///
/// [`Mwc256::into_words`] turns the generator into a random source for processes.
///
/// ```
/// use hashwell_draw::process::{Mwc256, builtin::Geometric, interpret};
///
/// let (geometric, mut words) = (Geometric::new(0.1)?, Mwc256::new().into_words());
/// let limits = interpret::Limits::default();
/// let ten: Result<Vec<_>, _> = (0..10).map(|_| interpret::sample(&geometric, &mut words, &limits)).collect();
/// assert_eq!(ten?, [1, 9, 13, 3, 4, 3, 13, 1, 4, 17]);
/// # Ok::<(), hashwell_draw::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mwc256 {
    state: [u32; 256],
    /// The index of the last number.
    at: u8,
    carry: u32,
}

impl Default for Mwc256 {
    fn default() -> Self {
        Self::new()
    }
}

impl Mwc256 {
    /// Creates the generator with the default seed, like `create` of mwc-random.
    #[must_use]
    pub fn new() -> Self {
        Self::seeded(&[])
    }

    /// Creates the generator with this seed, like `initialize` of mwc-random. The state begins with the seed's numbers.
    /// The rest of the state consists of the numbers of the default state, XORed with the seed's numbers in turn. A
    /// seed of 258 numbers is a saved state, whose last two numbers are the index and the carry. In all other seeds,
    /// numbers after the 256th are ignored.
    #[must_use]
    pub fn seeded(seed: &[u32]) -> Self {
        let mut state = DEFAULT_SEED;
        for (i, number) in state.iter_mut().enumerate() {
            match seed.get(i) {
                Some(given) => *number = *given,
                None if seed.is_empty() => {}
                None => *number ^= seed[i % seed.len()],
            }
        }
        let (at, carry) = match seed {
            [_, .., at, carry] if seed.len() == 258 => (*at as u8, (u64::from(*carry) % MULTIPLIER) as u32),
            _ => (u8::MAX, CARRY),
        };
        Self { state, at, carry }
    }

    /// Returns the state as a seed of 258 numbers, like `save` of mwc-random.
    #[must_use]
    pub fn saved(&self) -> Vec<u32> {
        self.state.iter().copied().chain([self.at.into(), self.carry]).collect()
    }

    /// Returns the next 32-bit number, like `uniformWord32` of mwc-random.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        self.at = self.at.wrapping_add(1);
        let number = &mut self.state[usize::from(self.at)];
        let product = MULTIPLIER * u64::from(*number) + u64::from(self.carry);
        let high = (product >> 32) as u32;
        let (sum, over) = (product as u32).overflowing_add(high);
        *number = sum.wrapping_add(over.into());
        // The result is below the multiplier, so it does not overflow: mwc-random's source has the proof.
        self.carry = high + u32::from(over);
        *number
    }

    /// Returns the next 64-bit number. It consists of two 32-bit numbers, of which the first is the upper half.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let high = self.next_u32();
        u64::from(high) << 32 | u64::from(self.next_u32())
    }

    /// Returns the next number u with 0 < u < 1, like `uniform` of mwc-random for doubles. It is an odd multiple of
    /// 2^-53 (J. Doornik, "Conversion of high-period random numbers to floating point", 2007).
    #[inline]
    pub fn next_f64(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
        (self.next_word() >> 11) as f64 * STEP
    }

    /// Turns the generator into a random source for processes. If w is a random number of this source,
    /// u = (w >> 11) · 2^-53 is the next [`Mwc256::next_f64`], which is the double that mwc-random returns. Bit 11 of
    /// each random number is therefore always 1. Bernoulli, categorical and uniform terms keep their exact
    /// distributions, but [`below`](crate::draw::below) is biased if the bound is a multiple of 4096.
    #[must_use]
    pub fn into_words(mut self) -> FromWords<impl FnMut() -> Result<u64, hashwell::Error>> {
        from_words(move || Ok(self.next_word()))
    }

    /// The next number of the source: 52 bits of the double, a 1, and 11 bits that the double does not use.
    #[inline]
    fn next_word(&mut self) -> u64 {
        // The conversion treats the number as signed, so 0 is in the middle of its range.
        let high = self.next_u32() ^ 1 << 31;
        let low = self.next_u32();
        u64::from(high) << 32 | u64::from(low & 0xf_ffff) << 12 | 1 << 11 | u64::from(low >> 21)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell::RandomSource;

    /// The examples for `create` and `initialize` in mwc-random's documentation.
    #[test]
    fn numbers_are_those_of_mwc_random() {
        assert_eq!(Mwc256::default().next_u64() as i64, -8_765_701_622_605_876_598);
        let bytes = |mut mwc: Mwc256| [(); 10].map(|()| mwc.next_u32() as u8);
        assert_eq!(bytes(Mwc256::new()), [209, 138, 126, 150, 165, 15, 69, 203, 155, 146]);
        let mut mwc = Mwc256::new();
        (0..10).for_each(|_| _ = mwc.next_u64());
        let mut again = Mwc256::seeded(&mwc.saved());
        assert_eq!((mwc.next_u32(), again.next_u32()), (1_771_812_561, 1_771_812_561));
        assert!((0..600).all(|_| mwc.next_u64() == again.next_u64()));
        // uniformRM (1, 200) of the package random: 8 bits of each number, drawn again until they are below 200.
        let mut mwc = Mwc256::seeded(&[1, 2, 3]);
        let bits = std::iter::repeat_with(|| mwc.next_u64() & 255).find(|&bits| bits < 200);
        assert_eq!(bits, Some(100));
    }

    /// The function `wordsToDouble` of mwc-random.
    #[test]
    fn doubles_are_those_of_mwc_random() {
        let (mut words, mut doubles, mut numbers) =
            (Mwc256::new().into_words(), Mwc256::new(), Mwc256::new());
        for _ in 0..1000 {
            let (x, y) = (numbers.next_u32() as i32, numbers.next_u32() as i32);
            let two = |exponent| 2_f64.powi(exponent);
            let must = f64::from(x) * two(-32) + (0.5 + two(-53)) + f64::from(y & 0xf_ffff) * two(-52);
            assert_eq!(doubles.next_f64(), must);
            assert_eq!(RandomSource::next_f64(&mut words).unwrap(), must);
        }
    }

    #[test]
    fn a_saved_carry_is_below_the_multiplier() {
        let mut seed = Mwc256::new().saved();
        seed[257] = u32::MAX;
        assert_eq!(u64::from(Mwc256::seeded(&seed).carry), u64::from(u32::MAX) % MULTIPLIER);
        let mut mwc = Mwc256::seeded(&[u32::MAX; 256]);
        (0..2000).for_each(|_| _ = mwc.next_u32());
        assert!(u64::from(mwc.carry) < MULTIPLIER);
    }
}
