//! SHA-1 in portable Rust, for one message or several in parallel (FIPS 180-4 section 6.1.2).
#![allow(unsafe_code)]

use super::K;
use crate::internal::small::ROLLED;
use crate::internal::vector::{self, Input, MAX, Vector, places};

pub(super) fn compress(state: &mut [u32; 5], blocks: &[[u8; 64]]) {
    for block in blocks {
        // SAFETY: a plain word needs no CPU feature, and a block has sixteen words.
        unsafe { compress_block::<u32, 1>(state, u32::block_be(block.as_ptr().cast())) };
    }
}

/// Absorbs `blocks` blocks of each of `N` messages.
///
/// # Safety
/// The CPU must have the instructions of `V`; each of `inputs[..N]` must contain `blocks` blocks.
#[inline(always)]
pub(super) unsafe fn compress_many<V: Vector<u32, N>, const N: usize>(
    states: &mut [[u32; MAX]; 5],
    inputs: &[Input<'_>; MAX],
    blocks: usize,
) {
    // SAFETY: the caller guarantees the instructions and the lengths of the inputs; rows have MAX >= N words.
    unsafe {
        let mut h = vector::load_states::<u32, V, N, 5>(states);
        for i in 0..blocks {
            let mut w = vector::block::<u32, V, N>(&places(inputs, i, 64));
            for w in &mut w {
                *w = w.decode_be();
            }
            compress_block::<V, N>(&mut h, w);
        }
        vector::store_states(h, states);
    }
}

/// Computes f_t of section 4.1.1, for the four groups of 20 rounds.
#[inline(always)]
fn f<V: Vector<u32, N>, const N: usize, const GROUP: usize>(x: V, y: V, z: V) -> V {
    match GROUP {
        0 => V::choose(x, y, z),
        2 => V::majority(x, y, z),
        _ => V::xor3(x, y, z),
    }
}

/// Computes rounds `20 * GROUP` to `20 * GROUP + 19`. From the second sixteen rounds on, `w`
/// contains W_(t-16) … W_(t-1), at index t mod 16.
#[inline(always)]
fn twenty_rounds<V: Vector<u32, N>, const N: usize, const GROUP: usize>(
    v: &mut [V; 5],
    w: &mut [V; 16],
    k: V,
) {
    let [mut a, mut b, mut c, mut d, mut e] = *v;
    macro_rules! round {
        ($a:ident $b:ident $c:ident $d:ident $e:ident $i:expr) => {
            let t = 20 * GROUP + $i;
            if t >= 16 {
                let newer = V::xor3(w[(t + 13) & 15], w[(t + 8) & 15], w[(t + 2) & 15]);
                w[t & 15] = (newer ^ w[t & 15]).rotate_left::<1>();
            }
            $e = $e.add(w[t & 15].add(k)).add(f::<V, N, GROUP>($b, $c, $d)).add($a.rotate_left::<5>());
            $b = $b.rotate_left::<30>();
        };
    }
    // Renaming the variables replaces the five moves of the standard's loop.
    macro_rules! five {
        ($i:expr) => {
            round!(a b c d e $i);
            round!(e a b c d $i + 1);
            round!(d e a b c $i + 2);
            round!(c d e a b $i + 3);
            round!(b c d e a $i + 4);
        };
    }
    if ROLLED && N > 1 {
        for i in [0, 5, 10, 15] {
            five!(i);
        }
    } else {
        five!(0);
        five!(5);
        five!(10);
        five!(15);
    }
    *v = [a, b, c, d, e];
}

/// Compresses one block `w`.
///
/// # Safety
/// The CPU must have the instructions of `V`.
#[inline(always)]
unsafe fn compress_block<V: Vector<u32, N>, const N: usize>(state: &mut [V; 5], mut w: [V; 16]) {
    // SAFETY: `splat` needs only the instructions of `V`, which the caller guarantees.
    let k = K.map(|k| unsafe { V::splat(k) });
    let mut v = *state;
    twenty_rounds::<V, N, 0>(&mut v, &mut w, k[0]);
    twenty_rounds::<V, N, 1>(&mut v, &mut w, k[1]);
    twenty_rounds::<V, N, 2>(&mut v, &mut w, k[2]);
    twenty_rounds::<V, N, 3>(&mut v, &mut w, k[3]);
    for (h, v) in state.iter_mut().zip(v) {
        *h = h.add(v);
    }
}
