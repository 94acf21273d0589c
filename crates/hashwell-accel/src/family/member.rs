//! A member of the family as data, which determines the hash function.

use crate::family::error::Error;
use std::sync::Arc;

/// The maximum number of rounds of a member, four times that of SHA-256.
pub const MAX_ROUNDS: usize = 256;

/// The distances in bits by which the four functions of FIPS 180-4 section 4.1.2 rotate or shift to the right, 0 to 31
/// each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rotations {
    /// Σ0, equation (4.4): three rotations.
    pub big_sigma_0: [u32; 3],
    /// Σ1, equation (4.5): three rotations.
    pub big_sigma_1: [u32; 3],
    /// σ0, equation (4.6): two rotations and a shift.
    pub sigma_0: [u32; 3],
    /// σ1, equation (4.7): two rotations and a shift.
    pub sigma_1: [u32; 3],
}

impl Rotations {
    /// The rotations of SHA-256.
    pub const SHA256: Self = Self {
        big_sigma_0: [2, 13, 22],
        big_sigma_1: [6, 11, 25],
        sigma_0: [7, 18, 3],
        sigma_1: [17, 19, 10],
    };

    fn check(&self) -> Result<(), Error> {
        let functions =
            [("Σ0", self.big_sigma_0), ("Σ1", self.big_sigma_1), ("σ0", self.sigma_0), ("σ1", self.sigma_1)];
        for (function, numbers) in functions {
            if let Some(&given) = numbers.iter().find(|&&number| number > 31) {
                return Err(Error::Rotation { function, given });
            }
        }
        Ok(())
    }
}

/// A member of the SHA-256 family: FIPS 180-4 sections 5.1.1, 5.2.1 and 6.2, with any number of rounds, constants,
/// rotations and initial value.
///
/// ```text
/// W[0 … 15] = the block;  W[t] = σ1(W[t-2]) + W[t-7] + σ0(W[t-15]) + W[t-16]   for t = 16 … rounds - 1
/// rounds t = 0 … rounds - 1 of section 6.2.2 step 3, with K[t] = the member's constant t
/// ```
///
/// Padding, byte order, chaining and feed-forward are those of SHA-256. A block has 64 bytes, and a digest has 32. With
/// fewer than sixteen rounds, the last words of each block have no effect, so such a member does not hash the whole
/// message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sha256Family {
    rounds: usize,
    /// One constant per round, padded with zeros to a multiple of four, because the instructions load four constants at
    /// once.
    constants: Arc<[u32]>,
    rotations: Rotations,
    initial: [u32; 8],
}

impl Sha256Family {
    /// Makes a member with `rounds` rounds, 1 to [`MAX_ROUNDS`], and one constant for each round.
    ///
    /// # Errors
    /// - [`Error::Rounds`] if the number of rounds is out of range.
    /// - [`Error::Constants`] if the number of constants differs from the number of rounds.
    /// - [`Error::Rotation`] if a distance is greater than 31.
    pub fn new(
        rounds: usize,
        constants: &[u32],
        rotations: Rotations,
        initial: [u32; 8],
    ) -> Result<Self, Error> {
        if !(1..=MAX_ROUNDS).contains(&rounds) {
            return Err(Error::Rounds { given: rounds });
        }
        if constants.len() != rounds {
            return Err(Error::Constants { given: constants.len(), rounds });
        }
        rotations.check()?;
        let zeros = rounds.next_multiple_of(4) - rounds;
        let constants = constants.iter().copied().chain(std::iter::repeat_n(0, zeros)).collect();
        Ok(Self { rounds, constants, rotations, initial })
    }

    /// Makes SHA-256 with a different number of rounds and K[t] = K256[t mod 64]. 64 rounds give SHA-256, and 90 rounds
    /// give SHA256-90R.
    ///
    /// # Errors
    /// Returns [`Error::Rounds`] if the number of rounds is not 1 to [`MAX_ROUNDS`].
    pub fn sha256_with_rounds(rounds: usize) -> Result<Self, Error> {
        let constants: Vec<u32> = hashwell::SHA256_CONSTANTS[..64]
            .iter()
            .copied()
            .cycle()
            .take(rounds.min(MAX_ROUNDS + 1))
            .collect();
        Self::new(rounds, &constants, Rotations::SHA256, hashwell::SHA256_INITIAL)
    }

    /// Returns the number of rounds.
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Returns the constants, one for each round.
    #[must_use]
    pub fn constants(&self) -> &[u32] {
        &self.constants[..self.rounds]
    }

    /// Returns the rotations.
    #[must_use]
    pub fn rotations(&self) -> &Rotations {
        &self.rotations
    }

    /// Returns the initial value H(0).
    #[must_use]
    pub fn initial(&self) -> &[u32; 8] {
        &self.initial
    }

    /// Returns the constants in groups of four. The last group is padded with zeros.
    #[cfg(any(
        target_arch = "x86_64",
        target_arch = "x86",
        all(target_arch = "aarch64", target_endian = "little")
    ))]
    pub(super) fn constants_in_fours(&self) -> &[[u32; 4]] {
        self.constants.as_chunks().0
    }
}
