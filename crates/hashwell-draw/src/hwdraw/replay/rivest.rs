//! Ronald Rivest's `sampler.py` (version of 14 November 2011), which Colorado uses to draw ballots.

use super::check;
use crate::Error;
use hashwell::Sha256;
use std::collections::HashSet;

/// The largest n. This is a limit of this implementation; `sampler.py` has none.
pub const MOST: u64 = 1 << 32;

/// Picks k of the numbers 1 to n. The i-th candidate, counted from 1, is 1 + (SHA-256(seed ‖ "," ‖ i) mod n), where i
/// is in decimal. If `replacement` is false, a candidate that was picked before is skipped.
///
/// # Errors
/// Returns [`Error::OutOfRange`] if k or n is 0, or, without replacement, if k exceeds n.
pub fn picks(seed: &str, n: u64, k: u64, replacement: bool) -> Result<Vec<u64>, Error> {
    check(if replacement { k.min(1) } else { k }, n, MOST)?;
    let mut picks = Vec::new();
    let mut seen = HashSet::new();
    let mut i = 0_u64;
    while (picks.len() as u64) < k {
        i += 1;
        let pick = 1 + remainder(&Sha256::digest(format!("{seed},{i}").as_bytes()), n);
        if replacement || seen.insert(pick) {
            picks.push(pick);
        }
    }
    Ok(picks)
}

/// A number of 32 bytes, big-endian, modulo n.
fn remainder(number: &[u8; 32], n: u64) -> u64 {
    let n = u128::from(n);
    number.iter().fold(0, |rest, byte| (rest << 8 | u128::from(*byte)) % n) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The transcript in `sampler.py`, which has one duplicate.
    #[test]
    fn big_apple_city_council() {
        let expected = [
            740, 180, 264, 789, 238, 448, 272, 611, 761, 208, 596, 88, 160, 113, 766, 427, 184, 816, 653,
            411, 779, 331, 339, 487, 594, 235, 65, 527, 821, 490, 461, 251, 471, 414, 174, 567, 300, 134,
            144, 357, 786, 792, 218, 550, 787, 537, 197,
        ];
        let seed = "3546311556112163624615351222";
        assert_eq!(picks(seed, 876, 47, false).unwrap(), expected);
        assert_eq!(picks(seed, 876, 32, true).unwrap()[31], 611);
    }

    /// Chris Jerdonek's test cases (`rivest-sampler-tests`).
    #[test]
    fn test_cases() {
        for (seed, n, expected) in [
            ("0", 1000, [905, 573, 160]),
            ("0", 2, [1, 1, 2]),
            ("1", 1000, [97, 89, 163]),
            ("0000000000", 1000, [978, 359, 132]),
            ("999999999999999999999999", 1000, [544, 800, 654]),
            ("abcde", 1000, [247, 427, 157]),
        ] {
            assert_eq!(picks(seed, n, 3, true).unwrap(), expected, "{seed} {n}");
        }
        assert!(picks("0", 2, 3, false).is_err() && picks("0", 0, 1, true).is_err());
        assert_eq!(picks("0", 1, 3, true).unwrap(), [1, 1, 1]);
    }
}
