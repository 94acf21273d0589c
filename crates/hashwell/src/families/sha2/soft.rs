//! SHA-2 in portable Rust, once for both word sizes, any number of rounds and any number of messages side
//! by side (FIPS 180-4 sections 6.2.2 and 6.4.2).
#![allow(unsafe_code)]

use super::constants::{K256, K512};
use crate::ground::vector::{self, Input, MAX, Vector, places, sixteen};

/// What the two word sizes differ in: the functions of section 4.1.2 and 4.1.3, and K.
pub(super) trait Sha2Word: Vector<Self, 1> + 'static {
    fn k(t: usize) -> &'static Self;
    fn big_sigma_0<V: Vector<Self, N>, const N: usize>(x: V) -> V;
    fn big_sigma_1<V: Vector<Self, N>, const N: usize>(x: V) -> V;
    fn sigma_0<V: Vector<Self, N>, const N: usize>(x: V) -> V;
    fn sigma_1<V: Vector<Self, N>, const N: usize>(x: V) -> V;
}

macro_rules! word {
    ($word:ty, $k:ident, S0 $a:literal $b:literal $c:literal, S1 $d:literal $e:literal $f:literal,
     s0 $g:literal $h:literal $i:literal, s1 $j:literal $l:literal $m:literal) => {
        impl Sha2Word for $word {
            #[inline(always)]
            fn k(t: usize) -> &'static Self {
                &$k[t]
            }
            #[inline(always)]
            fn big_sigma_0<V: Vector<Self, N>, const N: usize>(x: V) -> V {
                V::xor3(x.rotate_right::<$a>(), x.rotate_right::<$b>(), x.rotate_right::<$c>())
            }
            #[inline(always)]
            fn big_sigma_1<V: Vector<Self, N>, const N: usize>(x: V) -> V {
                V::xor3(x.rotate_right::<$d>(), x.rotate_right::<$e>(), x.rotate_right::<$f>())
            }
            #[inline(always)]
            fn sigma_0<V: Vector<Self, N>, const N: usize>(x: V) -> V {
                V::xor3(x.rotate_right::<$g>(), x.rotate_right::<$h>(), x.shift_right::<$i>())
            }
            #[inline(always)]
            fn sigma_1<V: Vector<Self, N>, const N: usize>(x: V) -> V {
                V::xor3(x.rotate_right::<$j>(), x.rotate_right::<$l>(), x.shift_right::<$m>())
            }
        }
    };
}

word!(u32, K256, S0 2 13 22, S1 6 11 25, s0 7 18 3, s1 17 19 10);
word!(u64, K512, S0 28 34 39, S1 14 18 41, s0 1 8 7, s1 19 61 6);

/// What may have an order of its own, where it decides and the compiler's is slower.
pub(super) trait Round<W, V, const N: usize> {
    /// Step 1 for one word, W_t in place of W_(t-16) from it and W_(t-15), W_(t-7), W_(t-2), and step 3 with it: the new d and
    /// h of the state a … h.
    ///
    /// # Safety
    /// The CPU must have the instructions of `V`.
    unsafe fn scheduled(k: &W, state: [V; 8], w: &mut V, before: [V; 3]) -> (V, V);
}

/// In the compiler's order.
pub(super) struct Compiled;

impl<W: Sha2Word, V: Vector<W, N>, const N: usize> Round<W, V, N> for Compiled {
    #[inline(always)]
    unsafe fn scheduled(k: &W, state: [V; 8], w: &mut V, [w15, w7, w2]: [V; 3]) -> (V, V) {
        *w = w.add(W::sigma_0(w15)).add(w7).add(W::sigma_1(w2));
        // SAFETY: as this function asks.
        unsafe { round(k, state, *w) }
    }
}

/// Step 3 for one word.
///
/// # Safety
/// The CPU must have the instructions of `V`.
#[inline(always)]
unsafe fn round<W: Sha2Word, V: Vector<W, N>, const N: usize>(
    k: &W,
    [a, b, c, d, e, f, g, h]: [V; 8],
    w: V,
) -> (V, V) {
    // SAFETY: it needs nothing but the instructions of `V`, which this function demands.
    let k = unsafe { V::splat(*k) };
    let t1 = h.add(w.add(k)).add(V::choose(e, f, g)).add(W::big_sigma_1(e));
    (d.add(t1), t1.add(V::majority(a, b, c)).add(W::big_sigma_0(a)))
}

/// `B`: block bytes, sixteen words.
pub(super) fn compress<W: Sha2Word, const ROUNDS: usize, const B: usize>(
    state: &mut [W; 8],
    blocks: &[[u8; B]],
) {
    const { assert!(B == 16 * size_of::<W>()) };
    let mut h = *state;
    for block in blocks {
        let words = block.as_ptr().cast::<W>();
        // SAFETY: a block is sixteen words.
        let word = |i| unsafe { W::load(words.add(i)) }.decode_be();
        let w = sixteen(word);
        // SAFETY: a plain word needs nothing of the CPU.
        unsafe { compress_block::<W, W, Compiled, 1, ROUNDS>(&mut h, w) };
    }
    *state = h;
}

/// Absorbs `blocks` blocks of each of `N` messages.
///
/// # Safety
/// The CPU must have the instructions of `V`; `inputs[..N]` must be that long.
#[inline(always)]
pub(super) unsafe fn compress_many<W, V, R, const N: usize, const ROUNDS: usize>(
    states: &mut [[W; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    blocks: usize,
) where
    W: Sha2Word,
    V: Vector<W, N>,
    R: Round<W, V, N>,
{
    // SAFETY: the instructions are the caller's; rows are MAX >= N words long; the inputs are long enough.
    unsafe {
        let mut h = vector::load_states::<W, V, N, 8>(states);
        for i in 0..blocks {
            let mut w = vector::block::<W, V, N>(&places(inputs, i, 16 * size_of::<W>()));
            for w in &mut w {
                *w = w.decode_be();
            }
            compress_block::<W, V, R, N, ROUNDS>(&mut h, w);
        }
        vector::store_states(h, states);
    }
}

/// `w` is the block.
///
/// # Safety
/// The CPU must have the instructions of `V`.
#[inline(always)]
unsafe fn compress_block<W, V, R, const N: usize, const ROUNDS: usize>(state: &mut [V; 8], mut w: [V; 16])
where
    W: Sha2Word,
    V: Vector<W, N>,
    R: Round<W, V, N>,
{
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    // Steps 1 and 3 together. `w` holds the last sixteen words, W_t at index t mod 16; the variables are
    // renamed from round to round instead of moved. Unrolled by sixteen, because the indices must be
    // constants for `w` to live in registers.
    macro_rules! round {
        ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident $schedule:literal $t:ident $i:literal) => {
            let (k, state) = (W::k($t + $i), [$a, $b, $c, $d, $e, $f, $g, $h]);
            // SAFETY: they need nothing but the instructions of `V`, which this function demands.
            unsafe {
                if $schedule {
                    let before = [w[($i + 1) & 15], w[($i + 9) & 15], w[($i + 14) & 15]];
                    ($d, $h) = R::scheduled(k, state, &mut w[$i], before);
                } else {
                    ($d, $h) = round(k, state, w[$i]);
                }
            }
        };
    }
    macro_rules! rounds {
        ($schedule:literal $t:ident $count:expr) => {
            if $count > 0 { round!(a b c d e f g h $schedule $t 0); }
            if $count > 1 { round!(h a b c d e f g $schedule $t 1); }
            if $count > 2 { round!(g h a b c d e f $schedule $t 2); }
            if $count > 3 { round!(f g h a b c d e $schedule $t 3); }
            if $count > 4 { round!(e f g h a b c d $schedule $t 4); }
            if $count > 5 { round!(d e f g h a b c $schedule $t 5); }
            if $count > 6 { round!(c d e f g h a b $schedule $t 6); }
            if $count > 7 { round!(b c d e f g h a $schedule $t 7); }
            if $count > 8 { round!(a b c d e f g h $schedule $t 8); }
            if $count > 9 { round!(h a b c d e f g $schedule $t 9); }
            if $count > 10 { round!(g h a b c d e f $schedule $t 10); }
            if $count > 11 { round!(f g h a b c d e $schedule $t 11); }
            if $count > 12 { round!(e f g h a b c d $schedule $t 12); }
            if $count > 13 { round!(d e f g h a b c $schedule $t 13); }
            if $count > 14 { round!(c d e f g h a b $schedule $t 14); }
            if $count > 15 { round!(b c d e f g h a $schedule $t 15); }
        };
    }
    let mut t = 0;
    rounds!(false t 16);
    t = 16;
    while t + 16 <= ROUNDS {
        rounds!(true t 16);
        t += 16;
    }
    // SHA256-90R ends ten rounds into its sixth sixteen; the names are then that many places late.
    rounds!(true t ROUNDS % 16);
    let mut v = [a, b, c, d, e, f, g, h];
    v.rotate_left((8 - ROUNDS % 8) % 8);
    // Written out, as the words above.
    macro_rules! feed_forward {
        ($($i:literal)*) => { $( state[$i] = state[$i].add(v[$i]); )* };
    }
    feed_forward!(0 1 2 3 4 5 6 7);
}
