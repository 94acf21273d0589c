//! AVX-512: sixteen SHA-256 or eight SHA-512 messages side by side; one SHA-512 message with its schedule in
//! vectors and its rounds in scalar registers.
#![allow(unsafe_code)]

use super::constants::K512;
use super::soft::{self, Word};
use crate::lanes::x86::{Avx512x8, Avx512x16};
use crate::lanes::{Input, Lanes, MAX};
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

/// The two halves run on different ports, so that the schedule costs little beside the rounds:
///
/// ```text
/// w[0..8] = the last sixteen words, two a vector; wk[0..16] = words plus constants, in memory
/// sixteen rounds at a time, for each vector i:
///   two scalar rounds with wk[2i], wk[2i+1]
///   w[i] += s0(W[t-15], W[t-14]) + (W[t-7], W[t-6]) + s1(W[t-2], W[t-1])   rotations are one instruction
///   wk[2i..] = w[i] + K
/// ```
///
/// # Safety
/// The CPU must have AVX-512F, AVX-512VL, BMI1 and BMI2.
#[target_feature(enable = "avx512f,avx512vl,avx2,ssse3,bmi1,bmi2")]
pub(super) unsafe fn compress(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
    // Swaps the bytes of each 64-bit word.
    let big_endian = _mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607);
    let constants = |t: usize| {
        debug_assert!(t + 2 <= K512.len());
        // SAFETY: `t` is below 79 (asserted where tests run); unaligned load of two words.
        unsafe { _mm_loadu_si128(K512.as_ptr().add(t).cast()) }
    };
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for block in blocks {
        let before = [a, b, c, d, e, f, g, h];
        let mut w = [_mm_setzero_si128(); 8];
        let mut wk = [0_u64; 16];
        macro_rules! store {
            ($i:literal $t:expr) => {
                let sum = _mm_add_epi64(w[$i], constants($t + 2 * $i));
                // SAFETY: two words of `wk`; unaligned store.
                unsafe { _mm_storeu_si128(wk[2 * $i..2 * $i + 2].as_mut_ptr().cast(), sum) };
            };
        }
        macro_rules! load {
            ($($i:literal)*) => { $(
                // SAFETY: 16 bytes of the block; unaligned load.
                let bytes = unsafe { _mm_loadu_si128(block[16 * $i..16 * $i + 16].as_ptr().cast()) };
                w[$i] = _mm_shuffle_epi8(bytes, big_endian);
                store!($i 0);
            )* };
        }
        load!(0 1 2 3 4 5 6 7);
        // Maj(a, b, c) = b ^ ((a ^ b) & (b ^ c)), where b ^ c is the round before's a ^ b.
        let mut b_xor_c = b ^ c;
        macro_rules! round {
            ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident $i:expr) => {
                $h = $h
                    .wrapping_add(wk[$i])
                    .wrapping_add(u64::choose($e, $f, $g))
                    .wrapping_add(u64::big_sigma_1($e));
                $d = $d.wrapping_add($h);
                let a_xor_b = $a ^ $b;
                $h = $h.wrapping_add($b ^ (a_xor_b & b_xor_c)).wrapping_add(u64::big_sigma_0($a));
                b_xor_c = a_xor_b;
            };
        }
        macro_rules! schedule {
            ($i:literal $t:ident) => {
                if $t < 64 {
                    let w15 = _mm_alignr_epi8::<8>(w[($i + 1) & 7], w[$i]);
                    let w7 = _mm_alignr_epi8::<8>(w[($i + 5) & 7], w[($i + 4) & 7]);
                    let w2 = w[($i + 7) & 7];
                    let s0 = _mm_ternarylogic_epi64::<0x96>(
                        _mm_ror_epi64::<1>(w15),
                        _mm_ror_epi64::<8>(w15),
                        _mm_srli_epi64::<7>(w15),
                    );
                    let s1 = _mm_ternarylogic_epi64::<0x96>(
                        _mm_ror_epi64::<19>(w2),
                        _mm_ror_epi64::<61>(w2),
                        _mm_srli_epi64::<6>(w2),
                    );
                    w[$i] = _mm_add_epi64(_mm_add_epi64(w[$i], s0), _mm_add_epi64(w7, s1));
                    store!($i $t + 16);
                }
            };
        }
        let mut t = 0;
        while t < 80 {
            round!(a b c d e f g h 0);
            round!(h a b c d e f g 1);
            schedule!(0 t);
            round!(g h a b c d e f 2);
            round!(f g h a b c d e 3);
            schedule!(1 t);
            round!(e f g h a b c d 4);
            round!(d e f g h a b c 5);
            schedule!(2 t);
            round!(c d e f g h a b 6);
            round!(b c d e f g h a 7);
            schedule!(3 t);
            round!(a b c d e f g h 8);
            round!(h a b c d e f g 9);
            schedule!(4 t);
            round!(g h a b c d e f 10);
            round!(f g h a b c d e 11);
            schedule!(5 t);
            round!(e f g h a b c d 12);
            round!(d e f g h a b c 13);
            schedule!(6 t);
            round!(c d e f g h a b 14);
            round!(b c d e f g h a 15);
            schedule!(7 t);
            t += 16;
        }
        [a, b, c, d, e, f, g, h] = [
            a.wrapping_add(before[0]),
            b.wrapping_add(before[1]),
            c.wrapping_add(before[2]),
            d.wrapping_add(before[3]),
            e.wrapping_add(before[4]),
            f.wrapping_add(before[5]),
            g.wrapping_add(before[6]),
            h.wrapping_add(before[7]),
        ];
    }
    *state = [a, b, c, d, e, f, g, h];
}

/// Sixteen messages: sums, rotations and three-operand booleans are one instruction each for all of them.
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL; `inputs[..16]` must be `blocks` blocks long.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_16<const ROUNDS: usize>(
    states: &mut [[u32; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    blocks: usize,
) {
    // SAFETY: the caller's.
    unsafe { soft::compress_many::<u32, Avx512x16, 16, ROUNDS>(states, inputs, blocks) }
}

/// Eight messages, likewise.
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL; `inputs[..8]` must be `blocks` blocks long.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
pub(super) unsafe fn compress_8(states: &mut [[u64; MAX]; 8], inputs: &[Input<'_>; MAX], blocks: usize) {
    // SAFETY: the caller's.
    unsafe { soft::compress_many::<u64, Avx512x8, 8, 80>(states, inputs, blocks) }
}
