//! RIPEMD-160 (Dobbertin, Bosselaers, Preneel, "RIPEMD-160: a strengthened version of RIPEMD",
//! 1996, called "the paper" below; also ISO/IEC 10118-3, dedicated hash-function 1). Its digest of
//! 160 bits is too short to resist collisions, so use it only to check existing data.

mod kernels;
#[cfg(test)]
#[path = "../../../proofs/families/ripemd160.rs"]
pub(in crate::families) mod proof;
mod soft;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
mod x86_vectors;

use crate::families::md::{Little, Md, Spec, root};
use crate::families::sha1;

/// RIPEMD-160 in progress.
pub(crate) type State = Md<Little, 5, 64>;

pub(crate) static RIPEMD160: Spec<Little, 5, 64> =
    Spec { initial: INITIAL, kernels: &kernels::RIPEMD160, many: &kernels::RIPEMD160_MANY };

/// The paper, appendix A, "initial value": the same as SHA-1's.
const INITIAL: [Little; 5] = {
    let [a, b, c, d, e] = sha1::INITIAL;
    [Little(a), Little(b), Little(c), Little(d), Little(e)]
};

/// One of the two lines of eighty steps.
struct Line {
    /// The word of the block that each step uses (the paper, appendix A, "selection of message
    /// word").
    word: [usize; 80],
    /// The rotation of each step ("amount for rotate left").
    rotation: [u32; 80],
    /// The constant that each round of sixteen steps adds ("added constants").
    constants: [u32; 5],
}

/// The constants are 0, and ⌊2^30 · √n⌋ or ⌊2^30 · ∛n⌋ for the first four primes n.
const LEFT: Line = Line::new(0, &[0, root(2, 2), root(3, 2), root(5, 2), root(7, 2)]);
const RIGHT: Line = Line::new(1, &[root(2, 3), root(3, 3), root(5, 3), root(7, 3), 0]);

/// The words of each round are ρ applied to those of the previous round.
const RHO: [usize; 16] = [7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8];

/// The rotation of each word of the block in each round, in both lines (the paper, section 4,
/// "shifts").
const SHIFTS: [[u32; 16]; 5] = [
    [11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8],
    [12, 13, 11, 15, 6, 9, 9, 7, 12, 15, 11, 13, 7, 8, 7, 7],
    [13, 15, 14, 11, 7, 7, 6, 8, 13, 14, 13, 12, 5, 5, 6, 9],
    [14, 11, 12, 14, 8, 6, 5, 5, 15, 12, 15, 14, 9, 9, 8, 6],
    [15, 12, 13, 13, 9, 5, 8, 6, 14, 11, 12, 11, 8, 6, 5, 5],
];

impl Line {
    /// Makes a line. If `right` is 0, it starts with the words in order. If it is 1, it starts with
    /// π(i) = 9i + 5 mod 16.
    const fn new(right: usize, constants: &[u32; 5]) -> Self {
        let mut line = Line { word: [0; 80], rotation: [0; 80], constants: *constants };
        let mut step = 0;
        while step < 80 {
            let (round, i) = (step / 16, step % 16);
            line.word[step] = match (round, right) {
                (0, 0) => i,
                (0, _) => (9 * i + 5) % 16,
                _ => RHO[line.word[step - 16]],
            };
            line.rotation[step] = SHIFTS[round][line.word[step]];
            step += 1;
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_constants_are_the_printed_ones() {
        assert_eq!(LEFT.constants, [0, 0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xa953_fd4e]);
        assert_eq!(RIGHT.constants, [0x50a2_8be6, 0x5c4d_d124, 0x6d70_3ef3, 0x7a6d_76e9, 0]);
        assert_eq!(LEFT.word[64..], [4, 0, 5, 9, 7, 12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13]);
        assert_eq!(RIGHT.word[64..], [12, 15, 10, 4, 1, 5, 8, 7, 6, 2, 13, 14, 0, 3, 9, 11]);
        assert_eq!(LEFT.rotation[..5], [11, 14, 15, 12, 5]);
        assert_eq!(RIGHT.rotation[75..], [5, 15, 13, 11, 11]);
    }
}
