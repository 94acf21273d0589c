//! Which function: a member of the family as data.

use crate::family::error::Error;
use std::sync::Arc;

/// The most rounds that a member may have: four times SHA-256's.
pub const MAX_ROUNDS: usize = 256;

/// By how many bits the four functions of FIPS 180-4 section 4.1.2 rotate, all of them to the right and by 0 to 31.
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
    /// SHA-256's.
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

/// A member of SHA-256's family: FIPS 180-4 sections 5.1.1, 5.2.1 and 6.2 with other numbers.
///
/// ```text
/// W[0 … 15] = the block;  W[t] = σ1(W[t-2]) + W[t-7] + σ0(W[t-15]) + W[t-16]   for t = 16 … rounds - 1
/// rounds t = 0 … rounds - 1 of section 6.2.2 step 3, with K[t] = the member's constant t
/// ```
///
/// Padding, byte order, chaining and feed-forward are SHA-256's. A block is 64 bytes, a digest 32. Below sixteen rounds
/// the last words of each block have no influence, so that such a member is no hash of its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sha256Family {
    rounds: usize,
    /// One for each round, then zeros to a multiple of four, which is what the instructions load at once.
    constants: Arc<[u32]>,
    rotations: Rotations,
    initial: [u32; 8],
}

impl Sha256Family {
    /// A member of `rounds` rounds, 1 to [`MAX_ROUNDS`], with one constant for each.
    ///
    /// # Errors
    /// [`Error::Rounds`], [`Error::Constants`], [`Error::Rotation`].
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

    /// SHA-256 with another number of rounds, and K[t] = K256[t mod 64]: SHA-256 at 64, SHA256-90R at 90.
    ///
    /// # Errors
    /// [`Error::Rounds`].
    pub fn sha256_with_rounds(rounds: usize) -> Result<Self, Error> {
        let constants: Vec<u32> = hashwell::SHA256_CONSTANTS[..64]
            .iter()
            .copied()
            .cycle()
            .take(rounds.min(MAX_ROUNDS + 1))
            .collect();
        Self::new(rounds, &constants, Rotations::SHA256, hashwell::SHA256_INITIAL)
    }

    /// How many rounds.
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// One constant for each round.
    #[must_use]
    pub fn constants(&self) -> &[u32] {
        &self.constants[..self.rounds]
    }

    /// The rotations.
    #[must_use]
    pub fn rotations(&self) -> &Rotations {
        &self.rotations
    }

    /// H(0).
    #[must_use]
    pub fn initial(&self) -> &[u32; 8] {
        &self.initial
    }

    /// The constants in fours, the last filled with zeros.
    #[cfg(any(
        target_arch = "x86_64",
        target_arch = "x86",
        all(target_arch = "aarch64", target_endian = "little")
    ))]
    pub(super) fn constants_in_fours(&self) -> &[[u32; 4]] {
        self.constants.as_chunks().0
    }
}
