//! RIPEMD-160 in portable Rust, for one message or several in parallel (the paper, appendix A).
#![allow(unsafe_code)]

use super::{LEFT, RIGHT};
use crate::families::md::Little;
use crate::internal::vector::{self, Input, MAX, Vector, places};

pub(super) fn compress(state: &mut [Little; 5], blocks: &[[u8; 64]]) {
    let mut h = state.map(|Little(word)| word);
    for block in blocks {
        let mut x = [0; 16];
        for (x, bytes) in x.iter_mut().zip(block.as_chunks().0) {
            *x = u32::from_le_bytes(*bytes);
        }
        // SAFETY: a plain word needs no CPU feature.
        unsafe { compress_block::<u32, 1>(&mut h, &x) };
    }
    *state = h.map(Little);
}

/// Absorbs `blocks` blocks of each of `N` messages.
///
/// # Safety
/// The CPU must have the instructions of `V`; each of `inputs[..N]` must contain `blocks` blocks.
#[inline(always)]
pub(super) unsafe fn compress_many<V: Vector<u32, N>, const N: usize>(
    states: &mut [[Little; MAX]; 5],
    inputs: &[Input<'_>; MAX],
    blocks: usize,
) {
    // SAFETY: the caller guarantees the instructions and the lengths of the inputs; rows have MAX >= N words.
    unsafe {
        let states = Little::numbers(states);
        let mut h = vector::load_states::<u32, V, N, 5>(states);
        for i in 0..blocks {
            let mut x = vector::block::<u32, V, N>(&places(inputs, i, 64));
            for x in &mut x {
                *x = x.decode_le();
            }
            compress_block::<V, N>(&mut h, &x);
        }
        vector::store_states(h, states);
    }
}

/// Computes the nonlinear function ("nonlinear functions at bit level") of round `ROUND` of the left line.
#[inline(always)]
fn f<V: Vector<u32, N>, const N: usize, const ROUND: usize>(x: V, y: V, z: V) -> V {
    match ROUND {
        0 => V::xor3(x, y, z),
        1 => V::choose(x, y, z),
        2 => V::xor_or_not(z, x, y),
        3 => V::choose(z, x, y),
        _ => V::xor_or_not(x, y, z),
    }
}

/// Compresses one block `x`.
///
/// # Safety
/// The CPU must have the instructions of `V`.
#[inline(always)]
#[allow(clippy::manual_div_ceil)] // 15 + 1 is the number of a step; nothing is rounded
unsafe fn compress_block<V: Vector<u32, N>, const N: usize>(h: &mut [V; 5], x: &[V; 16]) {
    let [mut a, mut b, mut c, mut d, mut e] = *h;
    let [mut a2, mut b2, mut c2, mut d2, mut e2] = *h;
    // The variables are renamed from step to step instead of moved. The steps of both lines alternate, since the lines
    // do not depend on each other. The right line has the functions of the left line in reverse order.
    macro_rules! step {
        ($line:ident $round:expr, $j:expr, $a:ident $b:ident $c:ident $d:ident $e:ident) => {
            // SAFETY: the caller guarantees the instructions.
            let k = unsafe { V::splat(const { $line.constants[$j / 16] }) };
            let t = $a.add(f::<V, N, { $round }>($b, $c, $d)).add(x[const { $line.word[$j] }].add(k));
            $a = t.rotate_left::<{ $line.rotation[$j] }>().add($e);
            $c = $c.rotate_left::<10>();
        };
    }
    macro_rules! five_steps {
        ($($j:literal)*) => { $(
            step!(LEFT $j / 16, $j, a b c d e);
            step!(RIGHT 4 - $j / 16, $j, a2 b2 c2 d2 e2);
            step!(LEFT ($j + 1) / 16, $j + 1, e a b c d);
            step!(RIGHT 4 - ($j + 1) / 16, $j + 1, e2 a2 b2 c2 d2);
            step!(LEFT ($j + 2) / 16, $j + 2, d e a b c);
            step!(RIGHT 4 - ($j + 2) / 16, $j + 2, d2 e2 a2 b2 c2);
            step!(LEFT ($j + 3) / 16, $j + 3, c d e a b);
            step!(RIGHT 4 - ($j + 3) / 16, $j + 3, c2 d2 e2 a2 b2);
            step!(LEFT ($j + 4) / 16, $j + 4, b c d e a);
            step!(RIGHT 4 - ($j + 4) / 16, $j + 4, b2 c2 d2 e2 a2);
        )* };
    }
    five_steps!(0 5 10 15 20 25 30 35 40 45 50 55 60 65 70 75);
    let [h0, h1, h2, h3, h4] = *h;
    *h = [h1.add(c).add(d2), h2.add(d).add(e2), h3.add(e).add(a2), h4.add(a).add(b2), h0.add(b).add(c2)];
}
