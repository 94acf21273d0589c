//! Keccak-p\[1600\] with the Armv8.2 SHA-3 instructions. This kernel has run only in an emulator, so it is not known
//! whether it is faster than the portable kernel.
//!
//! Budget and cycles were not measured for the same reason.
#![allow(unsafe_code)]

use super::soft::{RC, RHO, for_each_of_five};
use crate::families::sponge::Block;
use core::arch::aarch64::*;

/// Computes the last ROUNDS of the 24 rounds (FIPS 202 sections 3.2 and 3.3), with one word in the lower half of each
/// vector register. The 25 words and five column sums fit into the 32 registers.
///
/// ```text
/// each round:
///   c[x] = eor3(eor3(a[x,0], a[x,1], a[x,2]), a[x,3], a[x,4])
///   d[x] = rax1(c[x-1], c[x+1])                          the sum of θ; rotates the second operand by one
///   b[π(x,y)] = xar(a[x,y], d[x], -ρ[x,y])               the xor of θ, ρ and π; rotates to the right
///   a[x,y] = bcax(b[x,y], b[x+2,y], b[x+1,y])            χ
///   a[0,0] ^= RC                                         ι
/// ```
///
/// # Safety
/// The CPU must have the SHA-3 instructions.
#[target_feature(enable = "sha3")]
pub(super) unsafe fn permute<const ROUNDS: usize>(state: &mut [u64; 25]) {
    let mut a = [vdupq_n_u64(0); 25];
    for_each_of_five!(Y {
        for_each_of_five!(X { a[X + 5 * Y] = vdupq_n_u64(state[X + 5 * Y]); });
    });
    let zero = vdupq_n_u64(0);
    macro_rules! round {
        ($rc:expr) => {
            let (mut c, mut d, mut out) = ([zero; 5], [zero; 5], [zero; 25]);
            for_each_of_five!(X {
                c[X] = veor3q_u64(veor3q_u64(a[X], a[X + 5], a[X + 10]), a[X + 15], a[X + 20]);
            });
            for_each_of_five!(X { d[X] = vrax1q_u64(c[(X + 4) % 5], c[(X + 1) % 5]); });
            // The words are computed row by row, as in the portable kernel. Word (x, y) comes from (x + 3y, x).
            for_each_of_five!(Y {
                let mut b = [zero; 5];
                for_each_of_five!(X {
                    const FROM_X: usize = (X + 3 * Y) % 5;
                    const FROM: usize = FROM_X + 5 * X;
                    const RIGHT: i32 = (64 - RHO[FROM] as i32) % 64;
                    b[X] = vxarq_u64::<RIGHT>(a[FROM], d[FROM_X]);
                });
                for_each_of_five!(X { out[X + 5 * Y] = vbcaxq_u64(b[X], b[(X + 2) % 5], b[(X + 1) % 5]); });
            });
            out[0] = veorq_u64(out[0], vdupq_n_u64($rc));
            a = out;
        };
    }
    // Each iteration computes two rounds, because after one round most words would have to be moved to the registers
    // that the loop expects.
    for rc in RC[24 - ROUNDS..].as_chunks::<2>().0 {
        round!(rc[0]);
        round!(rc[1]);
    }
    for_each_of_five!(Y {
        for_each_of_five!(X { state[X + 5 * Y] = vgetq_lane_u64::<0>(a[X + 5 * Y]); });
    });
}

/// # Safety
/// The CPU must have the SHA-3 instructions.
#[target_feature(enable = "sha3")]
pub(super) unsafe fn absorb<const ROUNDS: usize>(state: &mut [u64; 25], data: &[u8], block: Block) {
    for bytes in data.chunks_exact(block.rate) {
        for (word, bytes) in state.iter_mut().zip(bytes.as_chunks().0) {
            *word ^= u64::from_le_bytes(*bytes);
        }
        // SAFETY: the attribute enables the instructions that the permutation requires.
        unsafe { permute::<ROUNDS>(state) };
    }
}
