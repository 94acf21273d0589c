//! SM3 in portable Rust, for one message or several in parallel (section 5.3).
#![allow(unsafe_code)]

use super::T;
use crate::internal::small::ROLLED;
use crate::internal::vector::{self, Input, MAX, Vector, places};

pub(super) fn compress(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
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
    states: &mut [[u32; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    blocks: usize,
) {
    // SAFETY: the caller guarantees the instructions and the lengths of the inputs; rows have MAX >= N words.
    unsafe {
        let mut v = vector::load_states::<u32, V, N, 8>(states);
        for i in 0..blocks {
            let mut w = vector::block::<u32, V, N>(&places(inputs, i, 64));
            for w in &mut w {
                *w = w.decode_be();
            }
            compress_block::<V, N>(&mut v, w);
        }
        vector::store_states(v, states);
    }
}

/// Computes P_0 of section 4.4.
#[inline(always)]
fn p0<V: Vector<u32, N>, const N: usize>(x: V) -> V {
    V::xor3(x, x.rotate_left::<9>(), x.rotate_left::<17>())
}

/// Computes P_1 of section 4.4.
#[inline(always)]
fn p1<V: Vector<u32, N>, const N: usize>(x: V) -> V {
    V::xor3(x, x.rotate_left::<15>(), x.rotate_left::<23>())
}

/// Computes sections 5.3.2 and 5.3.3 together for one block `w`.
///
/// # Safety
/// The CPU must have the instructions of `V`.
#[inline(always)]
unsafe fn compress_block<V: Vector<u32, N>, const N: usize>(state: &mut [V; 8], mut w: [V; 16]) {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    // T_(j-1) ⋘ (j - 1). In small code, this word is rotated from round to round, so that a module does not contain the
    // table.
    let mut turned = T[0].rotate_right(1);
    // Round j uses W_j and W_(j+4), and computes the latter. `w` contains W_(j-12) to W_(j+3), W_i at index i mod 16.
    // The variables are renamed from round to round instead of moved. The rounds are unrolled by sixteen, because the
    // indices must be constants for `w` to stay in registers.
    macro_rules! round {
        ($first:literal $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident $t:ident $i:literal) => {
            if !$first || $i >= 12 {
                let x = V::xor3(w[($i + 4) & 15], w[($i + 11) & 15], w[($i + 1) & 15].rotate_left::<15>());
                w[($i + 4) & 15] = V::xor3(p1(x), w[($i + 7) & 15].rotate_left::<7>(), w[($i + 14) & 15]);
            }
            turned = turned.rotate_left(1);
            let t = if ROLLED { turned } else { T[$t + $i] };
            // SAFETY: the caller guarantees the instructions.
            let t = unsafe { V::splat(t) };
            let a12 = $a.rotate_left::<12>();
            let ss1 = a12.add($e).add(t).rotate_left::<7>();
            let (ff, gg) = if $first {
                (V::xor3($a, $b, $c), V::xor3($e, $f, $g))
            } else {
                (V::majority($a, $b, $c), V::choose($e, $f, $g))
            };
            let tt1 = ff.add($d).add(ss1 ^ a12).add(w[$i & 15] ^ w[($i + 4) & 15]);
            let tt2 = gg.add($h).add(ss1).add(w[$i & 15]);
            $b = $b.rotate_left::<9>();
            $d = tt1;
            $f = $f.rotate_left::<19>();
            $h = p0(tt2);
        };
    }
    macro_rules! four_rounds {
        ($first:literal $t:ident $i:literal $j:literal $k:literal $l:literal) => {
            round!($first a b c d e f g h $t $i);
            round!($first d a b c h e f g $t $j);
            round!($first c d a b g h e f $t $k);
            round!($first b c d a f g h e $t $l);
        };
    }
    macro_rules! sixteen_rounds {
        ($first:literal $t:ident) => {
            four_rounds!($first $t 0 1 2 3);
            four_rounds!($first $t 4 5 6 7);
            four_rounds!($first $t 8 9 10 11);
            four_rounds!($first $t 12 13 14 15);
        };
    }
    let mut t = 0;
    sixteen_rounds!(true t);
    t = 16;
    turned = T[t].rotate_right(1);
    while t < 64 {
        sixteen_rounds!(false t);
        t += 16;
    }
    for (state, v) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *state = *state ^ v;
    }
}
