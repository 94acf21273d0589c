//! Ascon-p\[ROUNDS\] in portable Rust, for one state or several in parallel (SP 800-232 section 3).
#![allow(unsafe_code)]

use crate::families::sponge::Block;
use crate::internal::small::inlined_if_fast;
use crate::internal::vector::{Input, MAX, Vector, load_states, store_states};

/// The number of bytes absorbed per permutation, which is the length of word 0.
const RATE: usize = 8;

/// One round on the five variables. `$rotate!(x, n)` rotates to the right. The negation of x2 at
/// the end of the substitution is omitted: the linear layer preserves it, and [`constant`] undoes
/// it in the next round.
macro_rules! round {
    ($x0:ident $x1:ident $x2:ident $x3:ident $x4:ident, $constant:expr, $rotate:ident) => {
        // Constant addition (section 3.2).
        $x2 = $x2 ^ $constant;
        // Substitution (section 3.3), bit-sliced.
        $x0 = $x0 ^ $x4;
        $x4 = $x4 ^ $x3;
        $x2 = $x2 ^ $x1;
        let (t0, t1, t2, t3, t4) = (!$x0 & $x1, !$x1 & $x2, !$x2 & $x3, !$x3 & $x4, !$x4 & $x0);
        $x0 = $x0 ^ t1;
        $x1 = $x1 ^ t2;
        $x2 = $x2 ^ t3;
        $x3 = $x3 ^ t4;
        $x4 = $x4 ^ t0;
        $x1 = $x1 ^ $x0;
        $x0 = $x0 ^ $x4;
        $x3 = $x3 ^ $x2;
        // Linear diffusion (section 3.4).
        $x0 = $x0 ^ $rotate!($x0, 19) ^ $rotate!($x0, 28);
        $x1 = $x1 ^ $rotate!($x1, 61) ^ $rotate!($x1, 39);
        $x2 = $x2 ^ $rotate!($x2, 1) ^ $rotate!($x2, 6);
        $x3 = $x3 ^ $rotate!($x3, 10) ^ $rotate!($x3, 17);
        $x4 = $x4 ^ $rotate!($x4, 7) ^ $rotate!($x4, 41);
    };
}

/// Returns round constant `i` of 16: 3c, 2d, 1e, 0f, f0, e1, …, where the low nibble increases and
/// the high one decreases. It includes the negation of x2 that the previous round omitted, except
/// in the first round.
#[inline(always)]
pub(super) const fn constant<const ROUNDS: usize>(i: usize) -> u64 {
    let nibbles = (((0x13 - i) & 0xf) << 4) | ((i + 0xc) & 0xf);
    if i == 16 - ROUNDS { nibbles as u64 } else { !(nibbles as u64) }
}

/// Computes the last ROUNDS of the 16 rounds, without a loop, and the negation that the last round omitted.
macro_rules! rounds {
    ($x0:ident $x1:ident $x2:ident $x3:ident $x4:ident, $splat:ident, $rotate:ident) => {
        rounds!(@ $x0 $x1 $x2 $x3 $x4, $splat, $rotate; 4 5 6 7 8 9 10 11 12 13 14 15);
        $x2 = !$x2;
    };
    (@ $x0:ident $x1:ident $x2:ident $x3:ident $x4:ident, $splat:ident, $rotate:ident; $($i:literal)*) => { $(
        if $i + ROUNDS >= 16 {
            round!($x0 $x1 $x2 $x3 $x4, $splat!(constant::<ROUNDS>($i)), $rotate);
        }
    )* };
}

inlined_if_fast! {
    pub(super) fn permute<const ROUNDS: usize>(s: &mut [u64; 5]) {
        *s = permuted::<ROUNDS>(*s);
    }
}

/// Computes the last ROUNDS of the 16 rounds. It is `const`, because initial states are derived
/// with it.
#[inline(always)]
pub(super) const fn permuted<const ROUNDS: usize>(s: [u64; 5]) -> [u64; 5] {
    macro_rules! rotate {
        ($x:expr, $n:literal) => {
            $x.rotate_right($n)
        };
    }
    macro_rules! word {
        ($word:expr) => {
            $word
        };
    }
    let [mut x0, mut x1, mut x2, mut x3, mut x4] = s;
    rounds!(x0 x1 x2 x3 x4, word, rotate);
    [x0, x1, x2, x3, x4]
}

/// Absorbs whole blocks of eight bytes into one state.
#[inline(always)]
pub(super) fn absorb<const ROUNDS: usize>(s: &mut [u64; 5], data: &[u8], block: Block) {
    let mut x = *s;
    for bytes in data.as_chunks::<RATE>().0 {
        x[0] ^= block.order.word_of(*bytes);
        permute::<ROUNDS>(&mut x);
    }
    *s = x;
}

/// Computes the last ROUNDS of the 16 rounds on `N` states in parallel.
///
/// # Safety
/// The CPU must have the instructions of `V`.
#[inline(always)]
unsafe fn permuted_many<V: Vector<u64, N>, const N: usize, const ROUNDS: usize>(s: [V; 5]) -> [V; 5] {
    macro_rules! rotate {
        ($x:expr, $n:literal) => {
            $x.rotate_right::<$n>()
        };
    }
    macro_rules! splat {
        ($word:expr) => {
            // SAFETY: `splat` needs only the instructions of `V`, which the caller guarantees.
            unsafe { V::splat($word) }
        };
    }
    let [mut x0, mut x1, mut x2, mut x3, mut x4] = s;
    rounds!(x0 x1 x2 x3 x4, splat, rotate);
    [x0, x1, x2, x3, x4]
}

/// Absorbs `blocks` blocks of eight bytes of each of `N` messages.
///
/// # Safety
/// The CPU must have the instructions of `V`; each of `inputs[..N]` must contain `blocks` blocks.
#[inline(always)]
pub(super) unsafe fn absorb_many<V: Vector<u64, N>, const N: usize, const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 5],
    inputs: &[Input<'_>; MAX],
    block: Block,
    blocks: usize,
) {
    // SAFETY: the caller guarantees the instructions and the lengths of the inputs; rows have MAX >= N words.
    unsafe {
        let mut s = load_states::<u64, V, N, 5>(states);
        for i in 0..blocks {
            let mut words = [0; N];
            for (word, input) in words.iter_mut().zip(inputs) {
                *word = block.order.word_of(input.block(i, RATE).cast::<[u8; RATE]>().read());
            }
            s[0] = s[0] ^ V::load(words.as_ptr());
            s = permuted_many::<V, N, ROUNDS>(s);
        }
        store_states(s, states);
    }
}

/// Squeezes `blocks` blocks of eight bytes of each of `N` states. Permutes before each block, except before the first
/// one if `ready` is true.
///
/// # Safety
/// The CPU must have the instructions of `V`; each of `outputs[..N]` must be writable for `blocks` blocks.
#[inline(always)]
pub(super) unsafe fn squeeze_many<V: Vector<u64, N>, const N: usize, const ROUNDS: usize>(
    states: &mut [[u64; MAX]; 5],
    outputs: &[*mut u8; MAX],
    block: Block,
    blocks: usize,
    ready: bool,
) {
    // SAFETY: the caller guarantees the instructions and the lengths of the outputs; rows have MAX >= N words.
    unsafe {
        let mut s = load_states::<u64, V, N, 5>(states);
        for i in 0..blocks {
            if i > 0 || !ready {
                s = permuted_many::<V, N, ROUNDS>(s);
            }
            let mut words = [0; N];
            s[0].store(words.as_mut_ptr());
            for (word, output) in words.into_iter().zip(outputs) {
                output.add(i * RATE).cast::<[u8; RATE]>().write(block.order.bytes_of(word));
            }
        }
        store_states(s, states);
    }
}
