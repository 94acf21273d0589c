//! Four words of the SHA-256 message schedule in a 128-bit vector, or the words of two blocks of one message in a
//! 256-bit vector. Each half of the wider vector is computed like the narrower one, so two schedules take as many
//! instructions as one.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

/// Words 4i … 4i+3 of each of `BLOCKS` blocks. With `VL`, a rotation or a three-operand Boolean operation is one
/// instruction.
///
/// # Safety
/// For each function, the caller must ensure that the CPU has SSSE3, AVX2 for two blocks, and AVX-512F and VL for `VL`.
pub(super) trait Fours<const BLOCKS: usize>: Copy {
    /// Returns words 4i … 4i+3 of each block. `i` is less than 4.
    unsafe fn words(blocks: &[[u8; 64]; BLOCKS], i: usize) -> Self;

    /// Returns four constants, the same for each block.
    unsafe fn constants(k: &[u32; 4]) -> Self;

    /// Stores the words of one block after the other. `to` must be writable.
    unsafe fn store(self, to: *mut [[u32; 4]; BLOCKS]);

    unsafe fn add(self, other: Self) -> Self;

    /// Returns the upper three of these words, followed by the lowest word of `next`.
    unsafe fn one_on(self, next: Self) -> Self;

    /// Returns s0 of each word.
    unsafe fn sigma_0(self) -> Self;

    /// Returns s1 of the upper two words in the place of the lower two, and zeros above.
    unsafe fn sigma_1_of_upper(self) -> Self;

    /// Returns s1 of the lower two words in the place of the upper two, and zeros below.
    unsafe fn sigma_1_of_lower(self) -> Self;
}

/// Four words of one block.
#[derive(Clone, Copy)]
pub(super) struct One<const VL: bool>(__m128i);

/// Four words of each of two blocks.
#[derive(Clone, Copy)]
pub(super) struct Two<const VL: bool>(__m256i);

/// The byte orders for shuffles of sixteen bytes. The first one reverses each 32-bit word. The others put words 0 and 2
/// below two words of zeros, or above them.
const BIG_ENDIAN: u128 = 0x0c0d_0e0f_0809_0a0b_0405_0607_0001_0203;
const EVEN_BELOW: u128 = 0x8080_8080_8080_8080_0b0a_0908_0302_0100;
const EVEN_ABOVE: u128 = 0x0b0a_0908_0302_0100_8080_8080_8080_8080;

/// # Safety
/// The CPU must have SSE2.
#[inline(always)]
unsafe fn order(bytes: u128) -> __m128i {
    // SAFETY: the instruction uses only registers, and the caller guarantees that the CPU has it.
    unsafe { _mm_set_epi64x((bytes >> 64) as i64, bytes as i64) }
}

/// Implements the operations that differ only in the names of the instructions.
macro_rules! on_registers {
    ($add:ident $rotate:ident $times:ident $right:ident $left:ident $right_64:ident $xor:ident $ternary:ident
     $align:ident $bytes_right:ident $bytes_left:ident $shuffle:ident $shuffle_bytes:ident $order:expr) => {
        #[inline(always)]
        unsafe fn add(self, other: Self) -> Self {
            // SAFETY: the instructions use only registers, and the caller guarantees that the CPU has them.
            unsafe { Self($add(self.0, other.0)) }
        }

        #[inline(always)]
        unsafe fn one_on(self, next: Self) -> Self {
            // SAFETY: as in `add`.
            unsafe { Self($align::<4>(next.0, self.0)) }
        }

        #[inline(always)]
        unsafe fn sigma_0(self) -> Self {
            let w = self.0;
            // SAFETY: as in `add`.
            unsafe {
                if VL {
                    let (r7, r18) = ($rotate(w, $times(7)), $rotate(w, $times(18)));
                    return Self($ternary::<0x96>(r7, r18, $right::<3>(w)));
                }
                let (r7, r18) = ($xor($right::<7>(w), $left::<25>(w)), $xor($right::<18>(w), $left::<14>(w)));
                Self($xor($xor(r7, r18), $right::<3>(w)))
            }
        }

        #[inline(always)]
        unsafe fn sigma_1_of_upper(self) -> Self {
            // SAFETY: as in `add`.
            unsafe {
                if VL {
                    return Self(sigma_1!(self.0, $rotate $times $right $ternary, $bytes_right));
                }
                Self(sigma_1_of_twins!($shuffle::<0b11_11_10_10>(self.0), $right $right_64 $xor, $shuffle_bytes $order, EVEN_BELOW))
            }
        }

        #[inline(always)]
        unsafe fn sigma_1_of_lower(self) -> Self {
            // SAFETY: as in `add`.
            unsafe {
                if VL {
                    return Self(sigma_1!(self.0, $rotate $times $right $ternary, $bytes_left));
                }
                Self(sigma_1_of_twins!($shuffle::<0b01_01_00_00>(self.0), $right $right_64 $xor, $shuffle_bytes $order, EVEN_ABOVE))
            }
        }
    };
}

/// Computes s1 of words that are moved by two places. s1(0) = 0.
macro_rules! sigma_1 {
    ($words:expr, $rotate:ident $times:ident $right:ident $ternary:ident, $move:ident) => {{
        let w = $move::<8>($words);
        $ternary::<0x96>($rotate(w, $times(17)), $rotate(w, $times(19)), $right::<10>(w))
    }};
}

/// Computes s1 of words that each occur twice. Shifting a pair of equal words rotates the word, in one instruction.
macro_rules! sigma_1_of_twins {
    ($twins:expr, $right:ident $right_64:ident $xor:ident, $shuffle_bytes:ident $order:expr, $bytes:ident) => {{
        let w = $twins;
        let s1 = $xor($xor($right_64::<17>(w), $right_64::<19>(w)), $right::<10>(w));
        $shuffle_bytes(s1, $order($bytes))
    }};
}

impl<const VL: bool> Fours<1> for One<VL> {
    #[inline(always)]
    unsafe fn words([block]: &[[u8; 64]; 1], i: usize) -> Self {
        let bytes = block.as_chunks::<16>().0[i].as_ptr();
        // SAFETY: the load reads a chunk of 16 bytes; otherwise as in `add`.
        unsafe { Self(_mm_shuffle_epi8(_mm_loadu_si128(bytes.cast()), order(BIG_ENDIAN))) }
    }

    #[inline(always)]
    unsafe fn constants(k: &[u32; 4]) -> Self {
        // SAFETY: the load reads the array's 16 bytes.
        unsafe { Self(_mm_loadu_si128(k.as_ptr().cast())) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut [[u32; 4]; 1]) {
        // SAFETY: the store writes the array's 16 bytes, and the caller guarantees that they are writable.
        unsafe { _mm_storeu_si128(to.cast(), self.0) }
    }

    on_registers!(_mm_add_epi32 _mm_rorv_epi32 _mm_set1_epi32 _mm_srli_epi32 _mm_slli_epi32 _mm_srli_epi64
        _mm_xor_si128 _mm_ternarylogic_epi32 _mm_alignr_epi8 _mm_srli_si128 _mm_slli_si128 _mm_shuffle_epi32
        _mm_shuffle_epi8 order);
}

impl<const VL: bool> Fours<2> for Two<VL> {
    #[inline(always)]
    unsafe fn words([first, second]: &[[u8; 64]; 2], i: usize) -> Self {
        // SAFETY: the loads read chunks of 16 bytes; otherwise as in `add`.
        unsafe {
            let low = _mm_loadu_si128(first.as_chunks::<16>().0[i].as_ptr().cast());
            let high = _mm_loadu_si128(second.as_chunks::<16>().0[i].as_ptr().cast());
            let both = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high);
            Self(_mm256_shuffle_epi8(both, _mm256_broadcastsi128_si256(order(BIG_ENDIAN))))
        }
    }

    #[inline(always)]
    unsafe fn constants(k: &[u32; 4]) -> Self {
        // SAFETY: the load reads the array's 16 bytes.
        unsafe { Self(_mm256_broadcastsi128_si256(_mm_loadu_si128(k.as_ptr().cast()))) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut [[u32; 4]; 2]) {
        // SAFETY: the store writes the array's 32 bytes, and the caller guarantees that they are writable.
        unsafe { _mm256_storeu_si256(to.cast(), self.0) }
    }

    on_registers!(_mm256_add_epi32 _mm256_rorv_epi32 _mm256_set1_epi32 _mm256_srli_epi32 _mm256_slli_epi32
        _mm256_srli_epi64 _mm256_xor_si256 _mm256_ternarylogic_epi32 _mm256_alignr_epi8 _mm256_srli_si256
        _mm256_slli_si256 _mm256_shuffle_epi32 _mm256_shuffle_epi8
        |bytes| _mm256_broadcastsi128_si256(order(bytes)));
}
