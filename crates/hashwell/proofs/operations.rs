//! Tests that each vector type has the properties that the proofs over symbolic words assume (`dev/verification.md`).
//! Every operation of [`Vector`] is compared, in every lane, with the same operation on a plain word. Boolean functions
//! are tested with all eight combinations of bits at every position; rotations and shifts, which are linear, with every
//! single bit; sums with carries of every length from every position; and operations that move words or bytes with
//! words that are all different.

use super::Vector;
use crate::internal::skipped::skipped;
use alloc::vec::Vec;
use core::fmt::{Debug, LowerHex};

/// Additional functions of a plain word that the tests need.
trait Plain: Vector<Self, 1> + Eq + Debug + LowerHex {
    const BITS: u32;
    fn of(value: u64) -> Self;
}

macro_rules! plain {
    ($word:ty) => {
        impl Plain for $word {
            const BITS: u32 = <$word>::BITS;
            fn of(value: u64) -> Self {
                value as $word
            }
        }
    };
}

plain!(u32);
plain!(u64);

/// Returns a different word for each lane: `value` rotated by the lane's number, so every lane gets every pattern.
fn spread<W: Plain, const N: usize>(value: u64) -> [W; N] {
    core::array::from_fn(|lane| {
        let wide = u128::from(value) << W::BITS | u128::from(value);
        W::of((wide >> (lane as u32 % W::BITS)) as u64)
    })
}

fn load<W, V: Vector<W, N>, const N: usize>(words: &[W; N]) -> V {
    // SAFETY: `words` is an array of `N` words, and the test of a type checks that the CPU has its instructions.
    unsafe { V::load(words.as_ptr()) }
}

fn stored<W: Plain, V: Vector<W, N>, const N: usize>(vector: V) -> [W; N] {
    let mut words = [W::of(0); N];
    // SAFETY: `words` is an array of `N` words.
    unsafe { vector.store(words.as_mut_ptr()) };
    words
}

/// Compares a function of up to three vectors with the function of words, in all lanes.
fn same<W: Plain, V: Vector<W, N>, const N: usize>(
    what: &str,
    values: [u64; 3],
    vector: &dyn Fn(V, V, V) -> V,
    word: &dyn Fn(W, W, W) -> W,
) {
    let [x, y, z] = values.map(spread::<W, N>);
    let said: [W; N] = core::array::from_fn(|i| word(x[i], y[i], z[i]));
    assert_eq!(stored(vector(load(&x), load(&y), load(&z))), said, "{what} of {values:x?}");
}

/// A rotation to the left, a rotation to the right and a shift, all by the same distance.
type Moves<V> = [fn(V) -> V; 3];

/// Tests every distance with every single bit.
fn distances<W: Plain, V: Vector<W, N>, const N: usize>(vectors: &[Moves<V>], words: &[Moves<W>]) {
    assert_eq!(vectors.len() as u32, W::BITS - 1);
    for (distance, (moves, said)) in vectors.iter().zip(words).enumerate() {
        for bit in 0..W::BITS {
            for (vector, word) in moves.iter().zip(said) {
                let what = alloc::format!("a rotation or shift by {}", distance + 1);
                same::<W, V, N>(&what, [1 << bit, 0, 0], &|x, _, _| vector(x), &|x, _, _| word(x));
            }
        }
    }
}

/// Tests all operations except rotations and shifts.
fn operations<W: Plain, V: Vector<W, N>, const N: usize>() {
    // The bits of the three words at position i are the bits of i mod 8. Eight rotations bring every combination to
    // every position.
    let patterns = [0xaaaa_aaaa_aaaa_aaaa_u64, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0];
    for turn in 0..8 {
        let values = patterns.map(|pattern| pattern.rotate_left(turn));
        same::<W, V, N>("^", values, &|x, y, _| x ^ y, &|x, y, _| x ^ y);
        same::<W, V, N>("&", values, &|x, y, _| x & y, &|x, y, _| x & y);
        same::<W, V, N>("!", values, &|x, _, _| !x, &|x, _, _| !x);
        same::<W, V, N>("xor3", values, &V::xor3, &|x, y, z| x ^ y ^ z);
        same::<W, V, N>("chi", values, &V::chi, &|x, y, z| x ^ (!y & z));
        same::<W, V, N>("xor_or_not", values, &V::xor_or_not, &|x, y, z| x ^ !(!y & z));
        same::<W, V, N>("choose", values, &V::choose, &|x, y, z| (x & y) ^ (!x & z));
        same::<W, V, N>("majority", values, &V::majority, &|x, y, z| (x & y) ^ (x & z) ^ (y & z));
    }
    let ones = u64::MAX >> (64 - W::BITS);
    for from in 0..W::BITS {
        for to in from..=W::BITS {
            // Ones at the positions `from` to `to` - 1, plus a one at `from`: a carry through all of them, or out of
            // the word.
            let run = (ones >> (W::BITS - (to - from).max(1))) << from;
            same::<W, V, N>("add", [run, 1 << from, 0], &|x, y, _| x.add(y), &|x, y, _| x.add(y));
            same::<W, V, N>("add", [!run, run, 0], &|x, y, _| x.add(y), &|x, y, _| x.add(y));
        }
        same::<W, V, N>("swap_halves", [1 << from, 0, 0], &|x, _, _| x.swap_halves(), &|x, _, _| {
            x.swap_halves()
        });
        same::<W, V, N>("decode_be", [1 << from, 0, 0], &|x, _, _| x.decode_be(), &|x, _, _| x.decode_be());
        same::<W, V, N>("decode_le", [1 << from, 0, 0], &|x, _, _| x.decode_le(), &|x, _, _| x.decode_le());
    }
    // All words are different, and so are the bytes of each word.
    let marker = |i: usize| W::of((i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - W::BITS));
    let rows: [[W; N]; N] = core::array::from_fn(|j| core::array::from_fn(|i| marker(N * j + i)));
    let columns = V::transpose(rows.map(|row| load(&row))).map(stored);
    assert_eq!(columns, core::array::from_fn(|i| core::array::from_fn(|j| rows[j][i])), "transpose");
    let memory: Vec<Vec<W>> = (0..N).map(|j| (0..3 * N).map(|i| marker(3 * N * j + i)).collect()).collect();
    let places = core::array::from_fn(|j| memory[j].as_ptr());
    for at in 0..=2 * N {
        // SAFETY: each pointer is to 3 · N words.
        let gathered = unsafe { V::gather(&places, at) }.map(stored);
        assert_eq!(gathered, core::array::from_fn(|i| core::array::from_fn(|j| memory[j][at + i])), "gather");
    }
    if N == 1 {
        let block: [W; 16] = core::array::from_fn(marker);
        // SAFETY: `block` has sixteen words, and the test of a type checks that the CPU has its instructions.
        let words = unsafe { V::block_be(block.as_ptr()) }.map(stored);
        assert_eq!(words, block.map(|word| [word.decode_be(); N]), "block_be");
    }
    // SAFETY: the test of a type checks that the CPU has its instructions.
    assert_eq!(stored(unsafe { V::splat(marker(7)) }), [marker(7); N], "splat");
}

/// The test of a vector type. It includes every distance, so every distance that a kernel uses is tested.
macro_rules! check {
    ($name:ident, $v:ty, $n:literal x u32, $available:expr) => {
        check!($name, $v, $n, u32, $available;
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
    };
    ($name:ident, $v:ty, $n:literal x u64, $available:expr) => {
        check!($name, $v, $n, u64, $available;
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39
            40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);
    };
    ($name:ident, $v:ty, $n:literal, $w:ty, $available:expr; $($distance:literal)*) => {
        #[test]
        fn $name() {
            if !$available {
                return skipped(stringify!($v), "the CPU lacks its instructions");
            }
            operations::<$w, $v, $n>();
            let vectors: &[Moves<$v>] = &[$([
                <$v as Vector<$w, $n>>::rotate_left::<$distance>,
                <$v as Vector<$w, $n>>::rotate_right::<$distance>,
                <$v as Vector<$w, $n>>::shift_right::<$distance>,
            ]),*];
            let words: &[Moves<$w>] = &[$([
                |word| <$w>::rotate_left(word, $distance),
                |word| <$w>::rotate_right(word, $distance),
                |word| word >> $distance,
            ]),*];
            distances::<$w, $v, $n>(vectors, words);
        }
    };
}

check!(a_word_of_32_bits, u32, 1 x u32, true);
check!(a_word_of_64_bits, u64, 1 x u64, true);

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::super::x86::*;
    use super::*;
    use crate::internal::cpu;

    check!(avx2_x8, Avx2x8, 8 x u32, cpu::avx2());
    check!(avx2_x4, Avx2x4, 4 x u64, cpu::avx2());
    check!(avx512_x16, Avx512x16, 16 x u32, cpu::avx512());
    check!(avx512_x8, Avx512x8, 8 x u64, cpu::avx512());
    check!(avx512_x8_of_32_bits, Avx512x8u32, 8 x u32, cpu::avx512());
    check!(avx512_x4, Avx512x4, 4 x u64, cpu::avx512());
    check!(avx512_x1, Avx512x1, 1 x u64, cpu::avx512());

    #[test]
    fn every_vector_type_is_checked() {
        let names = include_str!("../src/internal/vector/x86.rs")
            .lines()
            .filter_map(|line| line.trim().split_once("(__m"))
            .map(|(name, _)| name);
        are_checked(&names.filter(|name| name.chars().all(char::is_alphanumeric)).collect::<Vec<_>>(), 7);
    }
}

/// `make test-wasi` runs these tests in a build with the instructions.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm32 {
    use super::super::wasm32::*;
    use super::*;

    check!(simd128_x4, Simd128x4, 4 x u32, true);
    check!(simd128_x2, Simd128x2, 2 x u64, true);
}

#[test]
fn every_vector_type_of_webassembly_is_checked() {
    // In that file, the types are arguments of a macro: each line has a name and its lanes.
    let types = include_str!("../src/internal/vector/wasm32.rs")
        .lines()
        .filter(|line| line.starts_with("    Simd128"));
    let names: Vec<&str> = types.filter_map(|line| line.split_whitespace().next()).collect();
    are_checked(&names, 2);
}

/// Asserts that every type is tested above. The proofs don't apply to a type that isn't.
fn are_checked(names: &[&str], least: usize) {
    assert!(names.len() >= least, "{names:?}");
    for name in names {
        assert!(
            include_str!("operations.rs").contains(&alloc::format!(", {name}, ")),
            "no test checks {name}"
        );
    }
}
