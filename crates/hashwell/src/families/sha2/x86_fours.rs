//! Four words of SHA-256's schedule in a vector of 128 bits, or those of two blocks of one message in 256: each half of
//! the wider vector does what the narrower does, so that two schedules take the instructions of one.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

/// Words 4i … 4i+3 of each of `BLOCKS` blocks; with `VL` rotations and sums of three are one instruction.
///
/// # Safety
/// Each function needs SSSE3, for two blocks AVX2, and for `VL` AVX-512F and VL, which whoever calls it promises.
pub(super) trait Fours<const BLOCKS: usize>: Copy {
    /// Words 4i … 4i+3 of each block; `i` is below 4.
    unsafe fn words(blocks: &[[u8; 64]; BLOCKS], i: usize) -> Self;

    /// Four constants, the same for each block.
    unsafe fn constants(k: &[u32; 4]) -> Self;

    /// The words of each block behind those of the block before it; `to` is a place that may be written.
    unsafe fn store(self, to: *mut [[u32; 4]; BLOCKS]);

    unsafe fn add(self, other: Self) -> Self;

    unsafe fn rotate_right<const BITS: i32>(self) -> Self;

    unsafe fn shift_right<const BITS: i32>(self) -> Self;

    unsafe fn xor3(a: Self, b: Self, c: Self) -> Self;

    /// The upper three of these words, then the lowest of `next`.
    unsafe fn one_on(self, next: Self) -> Self;

    /// The upper two words where the lower two were; zeros above.
    unsafe fn upper(self) -> Self;

    /// The lower two words where the upper two were; zeros below.
    unsafe fn lower(self) -> Self;
}

/// Of one block.
#[derive(Clone, Copy)]
pub(super) struct One<const VL: bool>(__m128i);

/// Of two blocks.
#[derive(Clone, Copy)]
pub(super) struct Two<const VL: bool>(__m256i);

/// Swaps the bytes of each 32-bit word.
///
/// # Safety
/// The CPU must have SSSE3.
#[inline(always)]
unsafe fn big_endian() -> __m128i {
    // SAFETY: instructions on registers only, which the CPU has: this function asks it of its callers.
    unsafe { _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203) }
}

/// What differs in nothing but the instructions' names.
macro_rules! on_registers {
    ($add:ident $rotate:ident $times:ident $right:ident $left:ident $shift:ident $xor:ident $ternary:ident
     $align:ident $bytes_right:ident $bytes_left:ident) => {
        #[inline(always)]
        unsafe fn add(self, other: Self) -> Self {
            // SAFETY: instructions on registers only, which the CPU has, as the trait asks of callers.
            unsafe { Self($add(self.0, other.0)) }
        }

        #[inline(always)]
        unsafe fn rotate_right<const BITS: i32>(self) -> Self {
            // SAFETY: as in `add`.
            unsafe {
                if VL {
                    return Self($rotate(self.0, $times(BITS)));
                }
                let (right, left) = (_mm_cvtsi32_si128(BITS), _mm_cvtsi32_si128(32 - BITS));
                Self($xor($right(self.0, right), $left(self.0, left)))
            }
        }

        #[inline(always)]
        unsafe fn shift_right<const BITS: i32>(self) -> Self {
            // SAFETY: as in `add`.
            unsafe { Self($shift::<BITS>(self.0)) }
        }

        #[inline(always)]
        unsafe fn xor3(a: Self, b: Self, c: Self) -> Self {
            // SAFETY: as in `add`.
            unsafe { Self(if VL { $ternary::<0x96>(a.0, b.0, c.0) } else { $xor($xor(a.0, b.0), c.0) }) }
        }

        #[inline(always)]
        unsafe fn one_on(self, next: Self) -> Self {
            // SAFETY: as in `add`.
            unsafe { Self($align::<4>(next.0, self.0)) }
        }

        #[inline(always)]
        unsafe fn upper(self) -> Self {
            // SAFETY: as in `add`.
            unsafe { Self($bytes_right::<8>(self.0)) }
        }

        #[inline(always)]
        unsafe fn lower(self) -> Self {
            // SAFETY: as in `add`.
            unsafe { Self($bytes_left::<8>(self.0)) }
        }
    };
}

impl<const VL: bool> Fours<1> for One<VL> {
    #[inline(always)]
    unsafe fn words([block]: &[[u8; 64]; 1], i: usize) -> Self {
        // SAFETY: the load is of a chunk of 16 bytes; otherwise as in `add`.
        unsafe {
            Self(_mm_shuffle_epi8(
                _mm_loadu_si128(block.as_chunks::<16>().0[i].as_ptr().cast()),
                big_endian(),
            ))
        }
    }

    #[inline(always)]
    unsafe fn constants(k: &[u32; 4]) -> Self {
        // SAFETY: the load is of the array's 16 bytes.
        unsafe { Self(_mm_loadu_si128(k.as_ptr().cast())) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut [[u32; 4]; 1]) {
        // SAFETY: the store is of the array's 16 bytes, which the caller has.
        unsafe { _mm_storeu_si128(to.cast(), self.0) }
    }

    on_registers!(_mm_add_epi32 _mm_rorv_epi32 _mm_set1_epi32 _mm_srl_epi32 _mm_sll_epi32 _mm_srli_epi32
        _mm_xor_si128 _mm_ternarylogic_epi32 _mm_alignr_epi8 _mm_srli_si128 _mm_slli_si128);
}

impl<const VL: bool> Fours<2> for Two<VL> {
    #[inline(always)]
    unsafe fn words([first, second]: &[[u8; 64]; 2], i: usize) -> Self {
        // SAFETY: the loads are of chunks of 16 bytes; otherwise as in `add`.
        unsafe {
            let low = _mm_loadu_si128(first.as_chunks::<16>().0[i].as_ptr().cast());
            let high = _mm_loadu_si128(second.as_chunks::<16>().0[i].as_ptr().cast());
            let both = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high);
            Self(_mm256_shuffle_epi8(both, _mm256_broadcastsi128_si256(big_endian())))
        }
    }

    #[inline(always)]
    unsafe fn constants(k: &[u32; 4]) -> Self {
        // SAFETY: the load is of the array's 16 bytes.
        unsafe { Self(_mm256_broadcastsi128_si256(_mm_loadu_si128(k.as_ptr().cast()))) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut [[u32; 4]; 2]) {
        // SAFETY: the store is of the array's 32 bytes, which the caller has.
        unsafe { _mm256_storeu_si256(to.cast(), self.0) }
    }

    on_registers!(_mm256_add_epi32 _mm256_rorv_epi32 _mm256_set1_epi32 _mm256_srl_epi32 _mm256_sll_epi32
        _mm256_srli_epi32 _mm256_xor_si256 _mm256_ternarylogic_epi32 _mm256_alignr_epi8 _mm256_srli_si256
        _mm256_slli_si256);
}
