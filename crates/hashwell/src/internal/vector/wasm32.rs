//! Implements [`Vector`] with WebAssembly's 128-bit vectors. A rotation takes three instructions, or one shuffle if it
//! moves whole bytes. `x ? y : z` takes one instruction.
//!
//! A module is compiled with or without these vectors. A module that contains them does not load on an engine without
//! them. So if this code runs, the instructions exist.
#![allow(unsafe_code)]

use super::{Vector, sixteen};
use core::arch::wasm32::*;
use core::ops::{BitAnd, BitXor, Not};

/// Defines a vector type: its name, lanes, and the intrinsics of its operations. `bytes` contains the rotations to the
/// right by whole bytes, as shuffles.
macro_rules! vector {
    (
        $(#[$doc:meta])* $name:ident $lanes:literal x $word:ty,
        $splat:ident $add:ident $shl:ident $shr:ident,
        swap $swap:expr, bytes { $($bits:literal $rotated:expr,)* }, transpose $transpose:expr
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name(v128);

        impl Vector<$word, $lanes> for $name {
            #[inline(always)]
            unsafe fn splat(word: $word) -> Self {
                Self($splat(word))
            }
            #[inline(always)]
            unsafe fn load(from: *const $word) -> Self {
                // SAFETY: the caller guarantees that the words are readable. They need not be aligned.
                Self(unsafe { v128_load(from.cast()) })
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $word) {
                // SAFETY: the caller guarantees that the words are writable. They need not be aligned.
                unsafe { v128_store(to.cast(), self.0) }
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                Self($add(self.0, other.0))
            }
            #[inline(always)]
            fn rotate_left<const BITS: u32>(self) -> Self {
                // The distance is a constant, so the compiler keeps only one arm.
                match <$word>::BITS - BITS {
                    $($bits => Self($rotated(self.0)),)*
                    _ => Self(v128_or($shl(self.0, BITS), $shr(self.0, <$word>::BITS - BITS))),
                }
            }
            #[inline(always)]
            fn rotate_right<const BITS: u32>(self) -> Self {
                match BITS {
                    $($bits => Self($rotated(self.0)),)*
                    _ => Self(v128_or($shl(self.0, <$word>::BITS - BITS), $shr(self.0, BITS))),
                }
            }
            #[inline(always)]
            fn swap_halves(self) -> Self {
                if <$word>::BITS == 64 { self.rotate_right::<32>() } else { self.rotate_right::<16>() }
            }
            #[inline(always)]
            fn shift_right<const BITS: u32>(self) -> Self {
                Self($shr(self.0, BITS))
            }
            #[inline(always)]
            fn decode_be(self) -> Self {
                Self($swap(self.0))
            }
            #[inline(always)]
            fn decode_le(self) -> Self {
                self
            }
            #[inline(always)]
            fn transpose(rows: [Self; $lanes]) -> [Self; $lanes] {
                $transpose(rows)
            }
            #[inline(always)]
            fn chi(a: Self, b: Self, c: Self) -> Self {
                a ^ Self(v128_andnot(c.0, b.0))
            }
            #[inline(always)]
            fn choose(x: Self, y: Self, z: Self) -> Self {
                Self(v128_bitselect(y.0, z.0, x.0))
            }
            #[inline(always)]
            fn majority(x: Self, y: Self, z: Self) -> Self {
                Self(v128_bitselect(z.0, y.0, v128_xor(x.0, y.0)))
            }
        }

        impl BitXor for $name {
            type Output = Self;
            #[inline(always)]
            fn bitxor(self, other: Self) -> Self {
                Self(v128_xor(self.0, other.0))
            }
        }

        impl BitAnd for $name {
            type Output = Self;
            #[inline(always)]
            fn bitand(self, other: Self) -> Self {
                Self(v128_and(self.0, other.0))
            }
        }

        impl Not for $name {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                Self(v128_not(self.0))
            }
        }
    };
}

vector! {
    /// Four words of 32 bits.
    Simd128x4 4 x u32,
    u32x4_splat u32x4_add u32x4_shl u32x4_shr,
    swap |v| i8x16_shuffle::<3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12>(v, v),
    bytes {
        8 |v| i8x16_shuffle::<1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12>(v, v),
        16 |v| i8x16_shuffle::<2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13>(v, v),
        24 |v| i8x16_shuffle::<3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14>(v, v),
    },
    transpose |[a, b, c, d]: [Self; 4]| {
        // Each vector contains words 0 and 1 of two rows, or words 2 and 3 of two rows.
        let (ab, cd) = (u32x4_shuffle::<0, 4, 1, 5>(a.0, b.0), u32x4_shuffle::<0, 4, 1, 5>(c.0, d.0));
        let (ef, gh) = (u32x4_shuffle::<2, 6, 3, 7>(a.0, b.0), u32x4_shuffle::<2, 6, 3, 7>(c.0, d.0));
        [
            Self(u64x2_shuffle::<0, 2>(ab, cd)),
            Self(u64x2_shuffle::<1, 3>(ab, cd)),
            Self(u64x2_shuffle::<0, 2>(ef, gh)),
            Self(u64x2_shuffle::<1, 3>(ef, gh)),
        ]
    }
}
vector! {
    /// Two words of 64 bits.
    Simd128x2 2 x u64,
    u64x2_splat u64x2_add u64x2_shl u64x2_shr,
    swap |v| i8x16_shuffle::<7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8>(v, v),
    bytes {
        8 |v| i8x16_shuffle::<1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8>(v, v),
        16 |v| i8x16_shuffle::<2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9>(v, v),
        24 |v| i8x16_shuffle::<3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10>(v, v),
        32 |v| i8x16_shuffle::<4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11>(v, v),
        40 |v| i8x16_shuffle::<5, 6, 7, 0, 1, 2, 3, 4, 13, 14, 15, 8, 9, 10, 11, 12>(v, v),
        48 |v| i8x16_shuffle::<6, 7, 0, 1, 2, 3, 4, 5, 14, 15, 8, 9, 10, 11, 12, 13>(v, v),
        56 |v| i8x16_shuffle::<7, 0, 1, 2, 3, 4, 5, 6, 15, 8, 9, 10, 11, 12, 13, 14>(v, v),
    },
    transpose |[a, b]: [Self; 2]| {
        [Self(u64x2_shuffle::<0, 2>(a.0, b.0)), Self(u64x2_shuffle::<1, 3>(a.0, b.0))]
    }
}

/// Defines a function that loads the words of a block of one message through vectors: its name, the vector type and its
/// lanes, and the indices at which the vectors start.
macro_rules! block_be {
    ($name:ident, $word:ty, $vector:ident, $extract:ident $($lane:literal)+, $($at:literal)+) => {
        /// Loads sixteen words from big-endian bytes as numbers.
        ///
        /// # Safety
        /// `from` must be readable for sixteen words, aligned or not.
        #[inline(always)]
        pub(super) unsafe fn $name(from: *const $word) -> [$word; 16] {
            const LANES: usize = [$($lane),+].len();
            // SAFETY: each part has `LANES` of the sixteen words, which the caller guarantees.
            let parts = [$(unsafe { $vector::load(from.add($at)) }.decode_be().0),+];
            sixteen(|i| {
                let part = parts[i / LANES];
                [$($extract::<$lane>(part)),+][i % LANES]
            })
        }
    };
}

block_be!(block_be_4, u32, Simd128x4, u32x4_extract_lane 0 1 2 3, 0 4 8 12);
block_be!(block_be_2, u64, Simd128x2, u64x2_extract_lane 0 1, 0 2 4 6 8 10 12 14);
