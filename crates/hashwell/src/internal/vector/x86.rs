//! Implements [`Vector`] with x86 vectors. Without AVX-512, a rotation takes three instructions and a three-operand
//! Boolean operation two or three. With AVX-512, each takes one instruction, on vectors of any length.
#![allow(unsafe_code)]

use super::Vector;
use crate::internal::cpu;
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::ops::{BitAnd, BitXor, Not};

/// Clears the bits above the lower 128 in the first sixteen vector registers. Instructions in SSE encoding, such as the
/// SHA instructions, preserve these bits, and are slower if other code has left data there. On Zen 4, SHA-256 of 1 KiB
/// takes 3 % longer after code that used 256-bit vectors, and 50 % longer after code that used 512-bit vectors.
#[inline(always)]
pub(crate) fn clear_upper_halves() {
    #[target_feature(enable = "avx")]
    fn clear() {
        _mm256_zeroupper();
    }
    if cpu::avx() {
        // SAFETY: the CPU has AVX, and the compiler knows what the instruction overwrites.
        unsafe { clear() }
    }
}

/// Defines a vector type: its name, register, lanes, and the intrinsics of its operations. The last part selects how
/// rotations and Boolean operations are computed: `avx2` from shifts and two-operand operations, `avx512` with single
/// instructions.
macro_rules! vector {
    (
        $(#[$doc:meta])* $name:ident($register:ty) $lanes:literal x $word:ty as $int:ty,
        $splat:ident $load:ident $store:ident $add:ident $xor:ident $and:ident $srl:ident,
        swap $swap:expr, transpose $transpose:expr, $level:ident { $($how:tt)* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name($register);

        impl Vector<$word, $lanes> for $name {
            #[inline(always)]
            unsafe fn splat(word: $word) -> Self {
                // SAFETY: the caller guarantees that the CPU has the instruction.
                Self(unsafe { $splat(word as $int) })
            }
            #[inline(always)]
            unsafe fn load(from: *const $word) -> Self {
                // SAFETY: the caller guarantees that the CPU has the instruction and that the memory is readable.
                Self(unsafe { $load(from.cast()) })
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $word) {
                // SAFETY: the caller guarantees that the memory is writable, and `self` proves the instruction.
                unsafe { $store(to.cast(), self.0) }
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                // SAFETY: a value of this type proves that the CPU has its instructions.
                Self(unsafe { $add(self.0, other.0) })
            }
            #[inline(always)]
            fn shift_right<const BITS: u32>(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $srl(self.0, _mm_cvtsi32_si128(BITS as i32)) })
            }
            #[inline(always)]
            fn decode_be(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $swap(self.0) })
            }
            #[inline(always)]
            fn decode_le(self) -> Self {
                self
            }
            #[inline(always)]
            fn transpose(rows: [Self; $lanes]) -> [Self; $lanes] {
                let mut registers = [rows[0].0; $lanes];
                for (register, row) in registers.iter_mut().zip(rows) {
                    *register = row.0;
                }
                #[allow(unused_unsafe)] // for the vector of one word
                // SAFETY: as above.
                let registers = unsafe { $transpose(registers) };
                let mut columns = rows;
                for (column, register) in columns.iter_mut().zip(registers) {
                    column.0 = register;
                }
                columns
            }
            vector!($level $word; $($how)*);
        }

        impl BitXor for $name {
            type Output = Self;
            #[inline(always)]
            fn bitxor(self, other: Self) -> Self {
                // SAFETY: a value of this type proves that the CPU has its instructions.
                Self(unsafe { $xor(self.0, other.0) })
            }
        }

        impl BitAnd for $name {
            type Output = Self;
            #[inline(always)]
            fn bitand(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $and(self.0, other.0) })
            }
        }

        impl Not for $name {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $xor(self.0, $splat(-1)) })
            }
        }
    };
    (avx2 $word:ty; $sll:ident $srl:ident $or:ident $andnot:ident) => {
        #[inline(always)]
        fn rotate_left<const BITS: u32>(self) -> Self {
            // SAFETY: a value of this type proves that the CPU has its instructions.
            Self(unsafe {
                let up = _mm_cvtsi32_si128(BITS as i32);
                let down = _mm_cvtsi32_si128((<$word>::BITS - BITS) as i32);
                $or($sll(self.0, up), $srl(self.0, down))
            })
        }
        #[inline(always)]
        fn rotate_right<const BITS: u32>(self) -> Self {
            // SAFETY: as above.
            Self(unsafe {
                let up = _mm_cvtsi32_si128((<$word>::BITS - BITS) as i32);
                let down = _mm_cvtsi32_si128(BITS as i32);
                $or($sll(self.0, up), $srl(self.0, down))
            })
        }
        #[inline(always)]
        fn swap_halves(self) -> Self {
            if <$word>::BITS == 64 { self.rotate_right::<32>() } else { self.rotate_right::<16>() }
        }
        #[inline(always)]
        fn chi(a: Self, b: Self, c: Self) -> Self {
            // SAFETY: as above.
            a ^ Self(unsafe { $andnot(b.0, c.0) })
        }
    };
    (avx512 $word:ty; $rolv:ident $rorv:ident $splat:ident $int:ty, $ternary:ident, $halves:expr) => {
        #[inline(always)]
        fn rotate_left<const BITS: u32>(self) -> Self {
            // SAFETY: a value of this type proves that the CPU has its instructions.
            Self(unsafe { $rolv(self.0, $splat(BITS as $int)) })
        }
        #[inline(always)]
        fn rotate_right<const BITS: u32>(self) -> Self {
            // SAFETY: as above.
            Self(unsafe { $rorv(self.0, $splat(BITS as $int)) })
        }
        #[inline(always)]
        fn swap_halves(self) -> Self {
            // SAFETY: as above.
            Self(unsafe { $halves(self.0) })
        }
        #[inline(always)]
        fn xor3(a: Self, b: Self, c: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { $ternary::<0x96>(a.0, b.0, c.0) })
        }
        #[inline(always)]
        fn chi(a: Self, b: Self, c: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { $ternary::<0xd2>(a.0, b.0, c.0) })
        }
        #[inline(always)]
        fn choose(x: Self, y: Self, z: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { $ternary::<0xca>(x.0, y.0, z.0) })
        }
        #[inline(always)]
        fn majority(x: Self, y: Self, z: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { $ternary::<0xe8>(x.0, y.0, z.0) })
        }
    };
}

vector! {
    /// Eight words in a 256-bit register, AVX2.
    Avx2x8(__m256i) 8 x u32 as i32,
    _mm256_set1_epi32 _mm256_loadu_si256 _mm256_storeu_si256 _mm256_add_epi32 _mm256_xor_si256
        _mm256_and_si256 _mm256_srl_epi32,
    swap |v| _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(swap32())), transpose transpose_8x8_32,
    avx2 { _mm256_sll_epi32 _mm256_srl_epi32 _mm256_or_si256 _mm256_andnot_si256 }
}
vector! {
    /// Four words in a 256-bit register, AVX2.
    Avx2x4(__m256i) 4 x u64 as i64,
    _mm256_set1_epi64x _mm256_loadu_si256 _mm256_storeu_si256 _mm256_add_epi64 _mm256_xor_si256
        _mm256_and_si256 _mm256_srl_epi64,
    swap |v| _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(swap64())), transpose transpose_4x4_64,
    avx2 { _mm256_sll_epi64 _mm256_srl_epi64 _mm256_or_si256 _mm256_andnot_si256 }
}
vector! {
    /// Sixteen words in a 512-bit register, AVX-512F and AVX-512BW.
    Avx512x16(__m512i) 16 x u32 as i32,
    _mm512_set1_epi32 _mm512_loadu_si512 _mm512_storeu_si512 _mm512_add_epi32 _mm512_xor_si512
        _mm512_and_si512 _mm512_srl_epi32,
    swap |v| _mm512_shuffle_epi8(v, _mm512_broadcast_i32x4(swap32())), transpose transpose_16x16_32,
    avx512 { _mm512_rolv_epi32 _mm512_rorv_epi32 _mm512_set1_epi32 i32, _mm512_ternarylogic_epi32,
        |v| _mm512_rol_epi32::<16>(v) }
}
vector! {
    /// Eight words in a 512-bit register, AVX-512F and AVX-512BW.
    Avx512x8(__m512i) 8 x u64 as i64,
    _mm512_set1_epi64 _mm512_loadu_si512 _mm512_storeu_si512 _mm512_add_epi64 _mm512_xor_si512
        _mm512_and_si512 _mm512_srl_epi64,
    swap |v| _mm512_shuffle_epi8(v, _mm512_broadcast_i32x4(swap64())), transpose transpose_8x8_64,
    avx512 { _mm512_rolv_epi64 _mm512_rorv_epi64 _mm512_set1_epi64 i64, _mm512_ternarylogic_epi64,
        |v| _mm512_shuffle_epi32::<0b10_11_00_01>(v) }
}
vector! {
    /// Eight words of 32 bits in a 256-bit register, AVX-512VL.
    Avx512x8u32(__m256i) 8 x u32 as i32,
    _mm256_set1_epi32 _mm256_loadu_si256 _mm256_storeu_si256 _mm256_add_epi32 _mm256_xor_si256
        _mm256_and_si256 _mm256_srl_epi32,
    swap |v| _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(swap32())), transpose transpose_8x8_32,
    avx512 { _mm256_rolv_epi32 _mm256_rorv_epi32 _mm256_set1_epi32 i32, _mm256_ternarylogic_epi32,
        |v| _mm256_rol_epi32::<16>(v) }
}
vector! {
    /// Four words in a 256-bit register, AVX-512VL.
    Avx512x4(__m256i) 4 x u64 as i64,
    _mm256_set1_epi64x _mm256_loadu_si256 _mm256_storeu_si256 _mm256_add_epi64 _mm256_xor_si256
        _mm256_and_si256 _mm256_srl_epi64,
    swap |v| _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(swap64())), transpose transpose_4x4_64,
    avx512 { _mm256_rolv_epi64 _mm256_rorv_epi64 _mm256_set1_epi64x i64, _mm256_ternarylogic_epi64,
        |v| _mm256_shuffle_epi32::<0b10_11_00_01>(v) }
}

#[cfg(target_arch = "x86_64")]
vector! {
    /// One word in a 128-bit register, AVX-512VL. It is used for the rotations, the three-operand Boolean operations
    /// and the 32 registers, not for the width.
    Avx512x1(__m128i) 1 x u64 as i64,
    _mm_set1_epi64x _mm_loadl_epi64 _mm_storel_epi64 _mm_add_epi64 _mm_xor_si128 _mm_and_si128 _mm_srl_epi64,
    swap |v| _mm_shuffle_epi8(v, swap64()), transpose |rows: [__m128i; 1]| rows,
    avx512 { _mm_rolv_epi64 _mm_rorv_epi64 _mm_set1_epi64x i64, _mm_ternarylogic_epi64,
        |v| _mm_shuffle_epi32::<0b10_11_00_01>(v) }
}

/// Converts between vectors and their registers, for code with inline assembly.
#[cfg(target_arch = "x86_64")]
macro_rules! registers {
    ($($name:ident($register:ty))*) => { $(
        impl $name {
            /// Makes a vector from its register.
            ///
            /// # Safety
            /// The CPU must have the instructions of the vector.
            #[inline(always)]
            pub(crate) unsafe fn of(register: $register) -> Self {
                Self(register)
            }

            #[inline(always)]
            pub(crate) fn register(self) -> $register {
                self.0
            }
        }
    )* };
}

#[cfg(target_arch = "x86_64")]
registers! { Avx512x1(__m128i) Avx512x4(__m256i) Avx512x8(__m512i) Avx512x16(__m512i) }

/// The byte order that reverses each 32-bit word.
#[inline(always)]
fn swap32() -> __m128i {
    // SAFETY: SSE2 is part of x86-64 and of every feature set above.
    unsafe { _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203) }
}

/// The byte order that reverses each 64-bit word.
#[inline(always)]
fn swap64() -> __m128i {
    // SAFETY: as above.
    unsafe { _mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607) }
}

/// Transposes four rows of four 64-bit words.
///
/// # Safety
/// The CPU must have AVX2.
#[inline(always)]
unsafe fn transpose_4x4_64(r: [__m256i; 4]) -> [__m256i; 4] {
    // SAFETY: the caller guarantees AVX2.
    unsafe {
        // 128-bit part c of t[2k + h] contains word 2c + h of rows 2k and 2k + 1.
        let t = [
            _mm256_unpacklo_epi64(r[0], r[1]),
            _mm256_unpackhi_epi64(r[0], r[1]),
            _mm256_unpacklo_epi64(r[2], r[3]),
            _mm256_unpackhi_epi64(r[2], r[3]),
        ];
        [
            _mm256_permute2x128_si256::<0x20>(t[0], t[2]),
            _mm256_permute2x128_si256::<0x20>(t[1], t[3]),
            _mm256_permute2x128_si256::<0x31>(t[0], t[2]),
            _mm256_permute2x128_si256::<0x31>(t[1], t[3]),
        ]
    }
}

/// Transposes eight rows of eight 32-bit words.
///
/// # Safety
/// The CPU must have AVX2.
#[inline(always)]
unsafe fn transpose_8x8_32(r: [__m256i; 8]) -> [__m256i; 8] {
    // SAFETY: the caller guarantees AVX2.
    unsafe {
        // 128-bit part c of four(…)[h] contains word 4c + h of four rows.
        let four = |r: &[__m256i]| {
            let t = [
                _mm256_unpacklo_epi32(r[0], r[1]),
                _mm256_unpackhi_epi32(r[0], r[1]),
                _mm256_unpacklo_epi32(r[2], r[3]),
                _mm256_unpackhi_epi32(r[2], r[3]),
            ];
            [
                _mm256_unpacklo_epi64(t[0], t[2]),
                _mm256_unpackhi_epi64(t[0], t[2]),
                _mm256_unpacklo_epi64(t[1], t[3]),
                _mm256_unpackhi_epi64(t[1], t[3]),
            ]
        };
        let (a, b) = (four(&r[..4]), four(&r[4..]));
        [
            _mm256_permute2x128_si256::<0x20>(a[0], b[0]),
            _mm256_permute2x128_si256::<0x20>(a[1], b[1]),
            _mm256_permute2x128_si256::<0x20>(a[2], b[2]),
            _mm256_permute2x128_si256::<0x20>(a[3], b[3]),
            _mm256_permute2x128_si256::<0x31>(a[0], b[0]),
            _mm256_permute2x128_si256::<0x31>(a[1], b[1]),
            _mm256_permute2x128_si256::<0x31>(a[2], b[2]),
            _mm256_permute2x128_si256::<0x31>(a[3], b[3]),
        ]
    }
}

/// Transposes four vectors of four 128-bit parts.
///
/// # Safety
/// The CPU must have AVX-512F.
#[inline(always)]
unsafe fn transpose_parts(x: [__m512i; 4]) -> [__m512i; 4] {
    // SAFETY: the caller guarantees AVX-512F.
    unsafe {
        let even = [_mm512_shuffle_i64x2::<0x88>(x[0], x[1]), _mm512_shuffle_i64x2::<0x88>(x[2], x[3])];
        let odd = [_mm512_shuffle_i64x2::<0xdd>(x[0], x[1]), _mm512_shuffle_i64x2::<0xdd>(x[2], x[3])];
        [
            _mm512_shuffle_i64x2::<0x88>(even[0], even[1]),
            _mm512_shuffle_i64x2::<0x88>(odd[0], odd[1]),
            _mm512_shuffle_i64x2::<0xdd>(even[0], even[1]),
            _mm512_shuffle_i64x2::<0xdd>(odd[0], odd[1]),
        ]
    }
}

/// Transposes eight rows of eight 64-bit words.
///
/// # Safety
/// The CPU must have AVX-512F.
#[inline(always)]
unsafe fn transpose_8x8_64(r: [__m512i; 8]) -> [__m512i; 8] {
    // SAFETY: the caller guarantees AVX-512F.
    unsafe {
        // Part c of a vector of `low` contains word 2c of two rows, and part c of a vector of `high` contains word 2c +
        // 1.
        let low = transpose_parts([
            _mm512_unpacklo_epi64(r[0], r[1]),
            _mm512_unpacklo_epi64(r[2], r[3]),
            _mm512_unpacklo_epi64(r[4], r[5]),
            _mm512_unpacklo_epi64(r[6], r[7]),
        ]);
        let high = transpose_parts([
            _mm512_unpackhi_epi64(r[0], r[1]),
            _mm512_unpackhi_epi64(r[2], r[3]),
            _mm512_unpackhi_epi64(r[4], r[5]),
            _mm512_unpackhi_epi64(r[6], r[7]),
        ]);
        [low[0], high[0], low[1], high[1], low[2], high[2], low[3], high[3]]
    }
}

/// Transposes sixteen rows of sixteen 32-bit words.
///
/// # Safety
/// The CPU must have AVX-512F.
#[inline(always)]
unsafe fn transpose_16x16_32(r: [__m512i; 16]) -> [__m512i; 16] {
    // SAFETY: the caller guarantees AVX-512F.
    unsafe {
        // Part c of four(…)[h] contains word 4c + h of four rows.
        let four = |r: &[__m512i]| {
            let t = [
                _mm512_unpacklo_epi32(r[0], r[1]),
                _mm512_unpackhi_epi32(r[0], r[1]),
                _mm512_unpacklo_epi32(r[2], r[3]),
                _mm512_unpackhi_epi32(r[2], r[3]),
            ];
            [
                _mm512_unpacklo_epi64(t[0], t[2]),
                _mm512_unpackhi_epi64(t[0], t[2]),
                _mm512_unpacklo_epi64(t[1], t[3]),
                _mm512_unpackhi_epi64(t[1], t[3]),
            ]
        };
        let (a, b, c, d) = (four(&r[..4]), four(&r[4..8]), four(&r[8..12]), four(&r[12..]));
        let w0 = transpose_parts([a[0], b[0], c[0], d[0]]);
        let w1 = transpose_parts([a[1], b[1], c[1], d[1]]);
        let w2 = transpose_parts([a[2], b[2], c[2], d[2]]);
        let w3 = transpose_parts([a[3], b[3], c[3], d[3]]);
        [
            w0[0], w1[0], w2[0], w3[0], w0[1], w1[1], w2[1], w3[1], w0[2], w1[2], w2[2], w3[2], w0[3], w1[3],
            w2[3], w3[3],
        ]
    }
}
