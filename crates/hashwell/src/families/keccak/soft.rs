//! Keccak-p\[1600, ROUNDS\] in portable Rust, for one state or several in parallel (FIPS 202
//! sections 3.2 and 3.3). Word (x, y), which the standard calls a lane, is `a[x + 5y]`.

#![allow(unsafe_code)]

use crate::families::sponge::Block;
use crate::internal::small::{ROLLED, inlined_if_fast};
use crate::internal::vector::{Dealt, Input, MAX, Vector, load_states, places, store_states};

/// The constants of ι for rounds 0 to 23, from the LFSR of algorithm 5 (x^8 + x^6 + x^5 + x^4 + 1).
/// Bit 2^j - 1 of round i is the output of the LFSR at step j + 7i.
pub(super) const RC: [u64; 24] = {
    let mut rc = [0; 24];
    let mut lfsr: u8 = 1;
    let mut round = 0;
    while round < 24 {
        let mut j = 0;
        while j < 7 {
            rc[round] |= ((lfsr & 1) as u64) << ((1 << j) - 1);
            lfsr = (lfsr << 1) ^ if lfsr & 0x80 != 0 { 0x71 } else { 0 };
            j += 1;
        }
        round += 1;
    }
    rc
};

/// The offsets of ρ (algorithm 2). Starting at (1, 0), step t rotates by (t + 1)(t + 2) / 2 and
/// moves from (x, y) to (y, 2x + 3y), which is also where π moves the word.
pub(super) const RHO: [u32; 25] = {
    let mut offsets = [0; 25];
    let (mut x, mut y) = (1, 0);
    let mut t = 0;
    while t < 24 {
        offsets[x + 5 * y] = (t + 1) * (t + 2) / 2 % 64;
        (x, y) = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    offsets
};

/// Repeats a block of code for each of 0 to 4, without a loop. Indices must be constants for words to stay in
/// registers, and the compiler does not unroll loops of this size itself.
macro_rules! for_each_of_five {
    ($i:ident $body:block) => {{
        const $i: usize = 0;
        $body
    }
    {
        const $i: usize = 1;
        $body
    }
    {
        const $i: usize = 2;
        $body
    }
    {
        const $i: usize = 3;
        $body
    }
    {
        const $i: usize = 4;
        $body
    }};
}
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
))]
pub(super) use for_each_of_five;

inlined_if_fast! {
    /// Computes the last ROUNDS of the 24 rounds (FIPS 202 section 3.3) on one state.
    pub(super) fn permute<const ROUNDS: usize>(a: &mut [u64; 25]) {
        // SAFETY: a plain word needs no CPU feature.
        *a = unsafe { permuted::<u64, Compiled, 1, ROUNDS>(*a, |_| ()) };
    }
}

/// Absorbs whole blocks into one state.
#[inline(always)]
pub(super) fn absorb<const ROUNDS: usize>(a: &mut [u64; 25], data: &[u8], block: Block) {
    let mut s = *a;
    for bytes in data.chunks_exact(block.rate) {
        let words = bytes.as_chunks().0;
        xor_block(&mut s, block.rate, |i| u64::from_le_bytes(words[i]));
        permute::<ROUNDS>(&mut s);
    }
    *a = s;
}

/// Absorbs `blocks` blocks of each of `N` messages.
///
/// # Safety
/// The CPU must have the instructions of `V`; each of `inputs[..N]` must contain `blocks` blocks, each of at least `N`
/// words.
#[inline(always)]
pub(super) unsafe fn absorb_many<V: Vector<u64, N>, R: Round<V, N>, const N: usize, const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 25],
    inputs: &[Input<'_>; MAX],
    block: Block,
    blocks: usize,
) {
    // SAFETY: the caller guarantees the instructions and the lengths of the inputs. Rows have MAX >= N words, and `at +
    // N` is at most the end of a block.
    unsafe {
        let mut s = load_states::<u64, V, N, 25>(states);
        let (rate, words) = (block.rate, block.rate / 8);
        let mut dealt = Dealt::<u64, N, 25>::new(0);
        if blocks > 0 {
            dealt.all::<V>(&places(inputs, 0, rate), words);
        }
        for i in 1..=blocks {
            xor_block(&mut s, rate, |i| dealt.row::<V>(i).decode_le());
            let next = places(inputs, i, rate);
            let step = if i < blocks { words.div_ceil(ROUNDS / 2) } else { 0 };
            s = permuted::<V, R, N, ROUNDS>(s, |i| {
                for i in (i * step).min(words)..((i + 1) * step).min(words) {
                    dealt.word(i, &next);
                }
            });
        }
        store_states(s, states);
    }
}

/// Squeezes `blocks` blocks of each of `N` states. Permutes before each block, except before the first one if `ready`
/// is true.
///
/// # Safety
/// The CPU must have the instructions of `V`; each of `outputs[..N]` must be writable for `blocks` blocks, each of at
/// least `N` words.
#[inline(always)]
pub(super) unsafe fn squeeze_many<V: Vector<u64, N>, R: Round<V, N>, const N: usize, const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 25],
    outputs: &[*mut u8; MAX],
    block: Block,
    blocks: usize,
    ready: bool,
) {
    // SAFETY: the caller guarantees the instructions and the lengths of the outputs. Rows have MAX >= N words, and
    // `at + N` is at most the end of a block.
    unsafe {
        let mut s = load_states::<u64, V, N, 25>(states);
        let (rate, words) = (block.rate, block.rate / 8);
        for i in 0..blocks {
            if i > 0 || !ready {
                s = permuted::<V, R, N, ROUNDS>(s, |_| ());
            }
            let mut rows = [[0_u64; N]; 25];
            for (row, words) in rows.iter_mut().zip(s) {
                words.decode_le().store(row.as_mut_ptr());
            }
            let mut at = 0;
            loop {
                let mut group = [s[0]; N];
                for (words, row) in group.iter_mut().zip(&rows[at..at + N]) {
                    *words = V::load(row.as_ptr());
                }
                for (words, output) in V::transpose(group).into_iter().zip(outputs) {
                    words.store(output.add(i * rate + at * 8).cast());
                }
                if at + N == words {
                    break;
                }
                at = (at + N).min(words - N);
            }
        }
        store_states(s, states);
    }
}

/// Xors a block into the state. The code has no loop over the rate, because the indices must be constants.
#[inline(always)]
pub(super) fn xor_block<V: Vector<u64, N>, const N: usize>(
    s: &mut [V; 25],
    rate: usize,
    word: impl Fn(usize) -> V,
) {
    debug_assert!(matches!(rate, 72 | 104 | 136 | 144 | 168));
    macro_rules! xor {
        ($($i:literal)*) => { $( s[$i] = s[$i] ^ word($i); )* };
    }
    xor!(0 1 2 3 4 5 6 7 8);
    if rate > 72 {
        xor!(9 10 11 12);
        if rate > 104 {
            xor!(13 14 15 16);
            if rate > 136 {
                xor!(17);
                if rate > 144 {
                    xor!(18 19 20);
                }
            }
        }
    }
}

/// Computes the last ROUNDS of the 24 rounds on `N` states in parallel. Calls `other_work` once for every two rounds,
/// for work that other parts of the CPU can do in the meantime.
///
/// # Safety
/// The CPU must have the instructions of `V`.
#[inline(always)]
unsafe fn permuted<V: Vector<u64, N>, R: Round<V, N>, const N: usize, const ROUNDS: usize>(
    mut a: [V; 25],
    mut other_work: impl FnMut(usize),
) -> [V; 25] {
    if ROLLED && N > 1 {
        (0..ROUNDS / 2).for_each(other_work);
        // SAFETY: the function needs only the instructions of `V`, which the caller guarantees.
        return unsafe { permuted_apart::<V, R, N>(&a, ROUNDS) };
    }
    if ROLLED {
        for (i, rc) in RC[24 - ROUNDS..].iter().enumerate() {
            // SAFETY: the round needs only the instructions of `V`, which the caller guarantees.
            a = unsafe { R::round(&a, rc) };
            if i % 2 == 0 {
                other_work(i / 2);
            }
        }
        return a;
    }
    for (i, rc) in RC[24 - ROUNDS..].as_chunks::<2>().0.iter().enumerate() {
        // SAFETY: the rounds need only the instructions of `V`, which the caller guarantees.
        unsafe {
            a = R::round(&a, &rc[0]);
            other_work(i);
            a = R::round(&a, &rc[1]);
        }
    }
    a
}

/// Computes the last `rounds` of the 24 rounds on `N` states. All callers and all numbers of rounds share this
/// function, to keep WebAssembly modules small.
///
/// # Safety
/// The CPU must have the instructions of `V`.
#[inline(never)]
unsafe fn permuted_apart<V: Vector<u64, N>, R: Round<V, N>, const N: usize>(
    a: &[V; 25],
    rounds: usize,
) -> [V; 25] {
    let mut a = *a;
    for rc in &RC[24 - rounds..] {
        // SAFETY: the caller guarantees the instructions.
        a = unsafe { R::round(&a, rc) };
    }
    a
}

/// A round whose instructions have a fixed order, for CPUs on which the order matters and the
/// compiler's order is slower.
pub(super) trait Round<V, const N: usize> {
    /// Computes a round with this constant.
    ///
    /// # Safety
    /// The CPU must have the instructions of `V`.
    unsafe fn round(a: &[V; 25], rc: &u64) -> [V; 25];
}

/// Computes the rest of a round after the column sums of θ. `$word` is word `$from` of the state, which is in column
/// `$x`, with its column sums added.
macro_rules! row_by_row {
    ($a:ident $rc:ident $from:ident $x:ident $word:expr) => {{
        // ρ and π move word (x + 3y, x) to (x, y). χ uses only words of one row.
        let mut out = *$a;
        for_each_of_five!(Y {
            let mut b = [$a[0]; 5];
            for_each_of_five!(X {
                const $x: usize = (X + 3 * Y) % 5;
                const $from: usize = $x + 5 * X;
                b[X] = $word.rotate_left::<{ RHO[$from] }>();
            });
            for_each_of_five!(X { out[X + 5 * Y] = V::chi(b[X], b[(X + 1) % 5], b[(X + 2) % 5]); });
        });
        // ι
        // SAFETY: the caller of the enclosing function guarantees the instructions.
        out[0] = out[0] ^ unsafe { V::splat(*$rc) };
        out
    }};
}

/// Returns the column sums of θ.
#[inline(always)]
fn columns<V: Vector<u64, N>, const N: usize>(a: &[V; 25]) -> [V; 5] {
    let mut c = [a[0]; 5];
    for_each_of_five!(X { c[X] = V::xor3(V::xor3(a[X], a[X + 5], a[X + 10]), a[X + 15], a[X + 20]); });
    c
}

/// The order of instructions that the compiler chooses.
pub(super) struct Compiled;

impl<V: Vector<u64, N>, const N: usize> Round<V, N> for Compiled {
    #[inline(always)]
    unsafe fn round(a: &[V; 25], rc: &u64) -> [V; 25] {
        // θ: `d` is the value that is added to each column.
        let (c, mut d) = (columns(a), [a[0]; 5]);
        for_each_of_five!(X { d[X] = c[(X + 4) % 5] ^ c[(X + 1) % 5].rotate_left::<1>(); });
        row_by_row!(a rc FROM FROM_X (a[FROM] ^ d[FROM_X]))
    }
}

/// Merges θ into three-operand Boolean operations. A round has five operations fewer, but more of them have three
/// operands. The compiler chooses the order.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(super) struct Folded;

#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
impl<V: Vector<u64, N>, const N: usize> Round<V, N> for Folded {
    #[inline(always)]
    unsafe fn round(a: &[V; 25], rc: &u64) -> [V; 25] {
        // θ: two words are added to each column, and both are xored into each of its words at once.
        let (c, mut turned) = (columns(a), [a[0]; 5]);
        for_each_of_five!(X { turned[X] = c[X].rotate_left::<1>(); });
        row_by_row!(a rc FROM FROM_X V::xor3(a[FROM], c[(FROM_X + 4) % 5], turned[(FROM_X + 1) % 5]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_constants_are_the_printed_ones() {
        assert_eq!((RC[0], RC[1], RC[23]), (1, 0x8082, 0x8000_0000_8000_8008));
        assert_eq!(RHO[..5], [0, 1, 62, 28, 27]);
    }
}
