//! Arithmetic on one word of each of several states in parallel. Every batch kernel is written with
//! it once, for any width.
//!
//! A kernel is a function that is generic over [`Vector`]. It is inlined into one function per
//! instruction set, which enables the CPU features. `x86.rs` and `wasm32.rs` map the operations to
//! instructions. A plain word is the vector of width one.
//!
//! Between calls, the states are stored word by word: row `i` contains word `i` of each state. Rows
//! have [`MAX`] columns for every kernel, so that one scheduler can use all kernels.

#![allow(unsafe_code)]

use core::ops::{BitAnd, BitXor, Not};

#[cfg(test)]
#[path = "../../../proofs/operations.rs"]
mod operations;
#[cfg(test)]
#[path = "../../../proofs/symbol/mod.rs"]
pub(crate) mod symbol;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) mod wasm32;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) mod x86;

/// The number of columns in a batch state: the width of the widest kernel.
pub(crate) const MAX: usize = 16;

/// The blocks of one message that a batch kernel absorbs: those of `head`, then those of `tail`,
/// which contains the padding.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub(crate) head: &'a [u8],
    pub(crate) head_blocks: usize,
    pub(crate) tail: &'a [u8],
}

impl Input<'_> {
    /// Returns the address of block `i`, with blocks of `len` bytes.
    #[inline(always)]
    pub(crate) fn block(&self, i: usize, len: usize) -> *const u8 {
        let head = self.head.as_ptr().wrapping_add(i * len);
        let tail = self.tail.as_ptr().wrapping_add(i.wrapping_sub(self.head_blocks).wrapping_mul(len));
        if i < self.head_blocks { head } else { tail }
    }

    /// Returns true if there are at least `blocks` blocks of `len` bytes.
    #[inline]
    pub(crate) fn holds(&self, blocks: usize, len: usize) -> bool {
        let in_head = blocks.min(self.head_blocks);
        self.head.len() >= in_head * len && self.tail.len() >= (blocks - in_head) * len
    }
}

/// A block of each of `N` messages, word by word: row `i` contains word `i` of each message.
///
/// While the vector units work on one block, [`Dealt::word`] prepares the next one with scalar
/// instructions, which do not use the vector units. Transposing it would cost one vector
/// instruction in ten.
#[repr(align(64))] // otherwise vectors would cross cache lines
pub(crate) struct Dealt<W, const N: usize, const WORDS: usize>([[W; N]; WORDS]);

impl<W: Copy, const N: usize, const WORDS: usize> Dealt<W, N, WORDS> {
    pub(crate) fn new(zero: W) -> Self {
        Self([[zero; N]; WORDS])
    }

    /// Loads row `i` in the byte order of the messages.
    ///
    /// # Safety
    /// The CPU must have the instructions of `V`.
    #[inline(always)]
    pub(crate) unsafe fn row<V: Vector<W, N>>(&self, i: usize) -> V {
        // SAFETY: the caller guarantees the instructions, and a row has `N` words.
        unsafe { V::load(self.0[i].as_ptr()) }
    }

    /// Lays out the first `words` words at once, by transposing.
    ///
    /// # Safety
    /// The CPU must have the instructions of `V`. `words` must be `N` to `WORDS`, and each of `from` must be readable
    /// for `words` words.
    #[inline(always)]
    pub(crate) unsafe fn all<V: Vector<W, N>>(&mut self, from: &[*const W; N], words: usize) {
        debug_assert!(N <= words && words <= WORDS);
        // The words are laid out in steps of `N` words. The last step may overlap the previous one.
        let mut at = 0;
        loop {
            // SAFETY: the caller guarantees the instructions and `words` words, and `at + N` is at most `words`.
            let columns = unsafe { V::gather(from, at) };
            for (column, row) in columns.into_iter().zip(&mut self.0[at..at + N]) {
                // SAFETY: a row has `N` words.
                unsafe { column.store(row.as_mut_ptr()) };
            }
            if at + N == words {
                return;
            }
            at = (at + N).min(words - N);
        }
    }

    /// Lays out word `i`.
    ///
    /// # Safety
    /// Word `i` must be readable at each of `from`.
    #[inline(always)]
    pub(crate) unsafe fn word(&mut self, i: usize, from: &[*const W; N]) {
        for (place, from) in self.0[i].iter_mut().zip(from) {
            // SAFETY: the caller guarantees that word `i` is readable at each place. The write is volatile because the
            // compiler would otherwise use shuffles.
            unsafe { core::ptr::from_mut(place).write_volatile(from.add(i).read_unaligned()) };
        }
    }
}

/// Returns the addresses of block `i` of the first `N` inputs, with blocks of `len` bytes.
#[inline(always)]
pub(crate) fn places<W, const N: usize>(inputs: &[Input<'_>; MAX], i: usize, len: usize) -> [*const W; N] {
    let mut places = [core::ptr::null(); N];
    for (place, input) in places.iter_mut().zip(inputs) {
        *place = input.block(i, len).cast();
    }
    places
}

/// Loads the first `N` columns of a batch state, row by row.
///
/// # Safety
/// The CPU must have the instructions of `V`.
#[inline(always)]
pub(crate) unsafe fn load_states<W, V: Vector<W, N>, const N: usize, const ROWS: usize>(
    states: &[[W; MAX]; ROWS],
) -> [V; ROWS] {
    const { assert!(N <= MAX) };
    // SAFETY: the caller guarantees the instructions, and a row has MAX words, which is at least `N`.
    let mut rows = [unsafe { V::load(states[0].as_ptr()) }; ROWS];
    for (to, row) in rows.iter_mut().zip(states) {
        // SAFETY: as above.
        *to = unsafe { V::load(row.as_ptr()) };
    }
    rows
}

/// Writes the first `N` columns of a batch state.
#[inline(always)]
pub(crate) fn store_states<W, V: Vector<W, N>, const N: usize, const ROWS: usize>(
    rows: [V; ROWS],
    states: &mut [[W; MAX]; ROWS],
) {
    const { assert!(N <= MAX) };
    for (from, row) in rows.into_iter().zip(states) {
        // SAFETY: a row has MAX words, and `from` proves the instructions.
        unsafe { from.store(row.as_mut_ptr()) };
    }
}

/// Returns words 0 to 15. The calls are written out, because a compiler that optimizes for size would keep the words of
/// a loop in memory.
#[inline(always)]
#[rustfmt::skip]
pub(crate) fn sixteen<W>(word: impl Fn(usize) -> W) -> [W; 16] {
    [
        word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7),
        word(8), word(9), word(10), word(11), word(12), word(13), word(14), word(15),
    ]
}

/// Loads a block of sixteen words of each of `N` messages. Vector `i` contains word `i` of each message, in its byte
/// order.
///
/// # Safety
/// The CPU must have the instructions of `V`; sixteen words must be readable at each of `from`.
#[inline(always)]
pub(crate) unsafe fn block<W, V: Vector<W, N>, const N: usize>(from: &[*const W; N]) -> [V; 16] {
    // SAFETY: the caller guarantees the instructions and sixteen words at each place. `N` is at most sixteen.
    let mut words = [unsafe { V::load(from[0]) }; 16];
    for (part, words) in words.chunks_exact_mut(N).enumerate() {
        // SAFETY: as above. Each part has `N` of the sixteen words.
        words.copy_from_slice(&unsafe { V::gather(from, part * N) });
    }
    words
}

/// A vector of `N` words `W`, one of each message. A lane is the column of one message through all vectors, and all
/// arithmetic works on each lane separately.
///
/// The constructors are unsafe. A value of a vector type proves that the CPU has the instructions of the type, and the
/// other operations rely on this.
pub(crate) trait Vector<W, const N: usize>:
    Copy + BitXor<Output = Self> + BitAnd<Output = Self> + Not<Output = Self>
{
    /// Returns a vector with this word in every lane.
    ///
    /// # Safety
    /// The CPU must have the instructions of this type.
    unsafe fn splat(word: W) -> Self;
    /// Loads a vector.
    ///
    /// # Safety
    /// The CPU must have the instructions of this type. `from` must be readable for `N` words, aligned or not.
    unsafe fn load(from: *const W) -> Self;
    /// Stores the vector.
    ///
    /// # Safety
    /// `to` must be writable for `N` words, aligned or not.
    unsafe fn store(self, to: *mut W);

    /// Returns the sum modulo 2^bits.
    fn add(self, other: Self) -> Self;
    fn rotate_left<const BITS: u32>(self) -> Self;
    fn rotate_right<const BITS: u32>(self) -> Self;
    fn shift_right<const BITS: u32>(self) -> Self;
    /// Converts words that were loaded from big-endian bytes to numbers.
    fn decode_be(self) -> Self;
    /// Converts words that were loaded from little-endian bytes to numbers.
    fn decode_le(self) -> Self;
    /// Loads the sixteen words of a block of big-endian bytes as numbers, for one message. `N` is 1.
    ///
    /// # Safety
    /// The CPU must have the instructions of this type. `from` must be readable for sixteen words, aligned or not, and
    /// for `N - 1` more.
    #[inline(always)]
    unsafe fn block_be(from: *const W) -> [Self; 16] {
        // SAFETY: the caller guarantees sixteen words and the other words of the last vector.
        sixteen(|i| unsafe { Self::load(from.add(i)) }.decode_be())
    }
    /// Transposes a matrix: word `i` of `rows[j]` becomes word `j` of row `i`.
    fn transpose(rows: [Self; N]) -> [Self; N];

    /// Loads words `at .. at + N` of each of `N` places, transposed: vector `i` contains word `at + i` of every place.
    /// (This and the kernels use loops, because the compiler does not inline `map` on large arrays.)
    ///
    /// # Safety
    /// The same as for [`Vector::load`], for each place.
    #[inline(always)]
    unsafe fn gather(from: &[*const W; N], at: usize) -> [Self; N] {
        // SAFETY: the caller guarantees what `load` requires, for `N` words from word `at` on of each place.
        let mut rows = [unsafe { Self::load(from[0].add(at)) }; N];
        for (row, from) in rows.iter_mut().zip(from).skip(1) {
            // SAFETY: as above.
            *row = unsafe { Self::load(from.add(at)) };
        }
        Self::transpose(rows)
    }

    /// Rotates by half a word, which is faster on some CPUs than rotating by another distance.
    fn swap_halves(self) -> Self;

    /// Returns `a ^ b ^ c`.
    #[inline(always)]
    fn xor3(a: Self, b: Self, c: Self) -> Self {
        a ^ b ^ c
    }

    /// Returns `a ^ (!b & c)`, the row step of Keccak.
    #[inline(always)]
    fn chi(a: Self, b: Self, c: Self) -> Self {
        a ^ (!b & c)
    }

    /// Returns `a ^ (b | !c)`, which RIPEMD-160 uses.
    #[inline(always)]
    fn xor_or_not(a: Self, b: Self, c: Self) -> Self {
        !Self::chi(a, b, c)
    }

    /// Returns `x ? y : z` for each bit.
    #[inline(always)]
    fn choose(x: Self, y: Self, z: Self) -> Self {
        z ^ (x & (y ^ z))
    }

    /// Returns the majority of each three bits.
    #[inline(always)]
    fn majority(x: Self, y: Self, z: Self) -> Self {
        y ^ ((x ^ y) & (y ^ z))
    }
}

macro_rules! word {
    ($word:ty, $block_be:ident) => {
        impl Vector<$word, 1> for $word {
            #[inline(always)]
            unsafe fn splat(word: $word) -> Self {
                word
            }
            #[inline(always)]
            unsafe fn load(from: *const $word) -> Self {
                // SAFETY: the caller guarantees that a word is readable.
                unsafe { from.read_unaligned() }
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $word) {
                // SAFETY: the caller guarantees that a word is writable.
                unsafe { to.write_unaligned(self) }
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn rotate_left<const BITS: u32>(self) -> Self {
                <$word>::rotate_left(self, BITS)
            }
            #[inline(always)]
            fn rotate_right<const BITS: u32>(self) -> Self {
                <$word>::rotate_right(self, BITS)
            }
            #[inline(always)]
            fn swap_halves(self) -> Self {
                <$word>::rotate_right(self, <$word>::BITS / 2)
            }
            #[inline(always)]
            fn shift_right<const BITS: u32>(self) -> Self {
                self >> BITS
            }
            #[inline(always)]
            fn decode_be(self) -> Self {
                <$word>::from_be(self)
            }
            #[inline(always)]
            fn decode_le(self) -> Self {
                <$word>::from_le(self)
            }
            // WebAssembly reverses the bytes of a vector in one instruction, and those of a word in
            // nine or twenty.
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            #[inline(always)]
            unsafe fn block_be(from: *const $word) -> [Self; 16] {
                // SAFETY: the caller guarantees that sixteen words are readable.
                unsafe { wasm32::$block_be(from) }
            }
            // WebAssembly has no and-not for words, so this form needs one complement fewer than
            // `chi`.
            #[inline(always)]
            fn xor_or_not(a: Self, b: Self, c: Self) -> Self {
                a ^ (b | !c)
            }
            #[inline(always)]
            fn transpose(rows: [Self; 1]) -> [Self; 1] {
                rows
            }
        }
    };
}

word!(u32, block_be_4);
word!(u64, block_be_2);
