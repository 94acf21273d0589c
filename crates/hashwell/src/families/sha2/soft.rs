//! SHA-2 in portable Rust, for both word sizes, any number of rounds and any number of messages in
//! parallel (FIPS 180-4 sections 6.2.2 and 6.4.2).
#![allow(unsafe_code)]

use super::constants::{K256, K512};
use crate::internal::small::ROLLED;
use crate::internal::vector::{self, Input, MAX, Vector, places};

/// The differences between the two word sizes: the functions of sections 4.1.2 and 4.1.3, and K.
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

/// Rounds whose instructions have a fixed order, for CPUs on which the order matters and the
/// compiler's order is slower.
pub(super) trait Round<W, V, const N: usize> {
    /// Returns the words of the block at `from` in each message, and computes the first sixteen rounds, which schedule
    /// no words. The names of the state's variables rotate by one place per round, so after sixteen rounds they are in
    /// their places again.
    ///
    /// # Safety
    /// The CPU must have the instructions of `V`; sixteen words must be readable at each of `from`.
    unsafe fn given(state: &mut [V; 8], from: &[*const W; N]) -> [V; 16];

    /// Computes step 1 for one word: replaces W_(t-16) by W_t, from W_(t-16), W_(t-15), W_(t-7) and W_(t-2). Then
    /// computes step 3 with it, and returns the new d and h of the state a … h.
    ///
    /// # Safety
    /// The CPU must have the instructions of `V`.
    unsafe fn scheduled(k: &W, state: [V; 8], w: &mut V, before: [V; 3]) -> (V, V);
}

/// Repeats a block of code for `$i` from 0 to 15, or below a given count, without a loop. Indices must be constants for
/// words to stay in registers.
macro_rules! for_sixteen {
    ($i:ident in $count:expr, $body:block) => {
        for_sixteen!(@ $i $count, $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    };
    (@ $i:ident $count:expr, $body:block $($number:literal)*) => { $(
        if $count > $number {
            const $i: usize = $number;
            $body
        }
    )* };
}

/// The variables a … h in round `i`, as elements of `$v`. They are renamed from round to round
/// instead of moved.
macro_rules! named {
    ($v:ident $i:ident) => {
        [
            $v[(16 - $i) % 8],
            $v[(17 - $i) % 8],
            $v[(18 - $i) % 8],
            $v[(19 - $i) % 8],
            $v[(20 - $i) % 8],
            $v[(21 - $i) % 8],
            $v[(22 - $i) % 8],
            $v[(23 - $i) % 8],
        ]
    };
}

/// The order of instructions that the compiler chooses.
pub(super) struct Compiled;

impl<W: Sha2Word, V: Vector<W, N>, const N: usize> Round<W, V, N> for Compiled {
    #[inline(always)]
    unsafe fn given(v: &mut [V; 8], from: &[*const W; N]) -> [V; 16] {
        // SAFETY: the caller guarantees the instructions and the words.
        let w = unsafe {
            if N == 1 {
                V::block_be(from[0])
            } else {
                let mut w = vector::block::<W, V, N>(from);
                for w in &mut w {
                    *w = w.decode_be();
                }
                w
            }
        };
        for_sixteen!(I in 16, {
            // SAFETY: the caller guarantees the instructions.
            let (d, h) = unsafe { round(W::k(I), named!(v I), w[I]) };
            (v[(19 - I) % 8], v[(23 - I) % 8]) = (d, h);
        });
        w
    }

    #[inline(always)]
    unsafe fn scheduled(k: &W, state: [V; 8], w: &mut V, [w15, w7, w2]: [V; 3]) -> (V, V) {
        *w = w.add(W::sigma_0(w15)).add(w7).add(W::sigma_1(w2));
        // SAFETY: the caller guarantees the instructions.
        unsafe { round(k, state, *w) }
    }
}

/// Computes step 3 for one word.
///
/// # Safety
/// The CPU must have the instructions of `V`.
#[inline(always)]
unsafe fn round<W: Sha2Word, V: Vector<W, N>, const N: usize>(
    k: &W,
    [a, b, c, d, e, f, g, h]: [V; 8],
    w: V,
) -> (V, V) {
    // SAFETY: it needs only the instructions of `V`, which the caller guarantees.
    let k = unsafe { V::splat(*k) };
    let t1 = h.add(w.add(k)).add(V::choose(e, f, g)).add(W::big_sigma_1(e));
    (d.add(t1), t1.add(V::majority(a, b, c)).add(W::big_sigma_0(a)))
}

/// Computes rounds `t` and `t + 1` with their words of the block.
///
/// # Safety
/// The CPU must have the instructions of `V`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) unsafe fn two_rounds<W: Sha2Word, V: Vector<W, N>, const N: usize>(
    t: usize,
    v: &mut [V; 8],
    w: [V; 2],
) {
    for (i, w) in w.into_iter().enumerate() {
        // SAFETY: the caller guarantees the instructions.
        let (d, h) = unsafe { round(W::k(t + i), *v, w) };
        let [a, b, c, _, e, f, g, _] = *v;
        *v = [h, a, b, c, d, e, f, g];
    }
}

/// Absorbs whole blocks. `B` is the block length in bytes, which is sixteen words.
pub(super) fn compress<W: Sha2Word, const ROUNDS: usize, const B: usize>(
    state: &mut [W; 8],
    blocks: &[[u8; B]],
) {
    const { assert!(B == 16 * size_of::<W>()) };
    if ROLLED && ROUNDS == 90 {
        return compress_rolled::<W, ROUNDS, B>(state, blocks);
    }
    let mut h = *state;
    for block in blocks {
        // SAFETY: a plain word needs no CPU feature, and a block has sixteen words.
        unsafe { compress_block::<W, W, Compiled, 1, ROUNDS>(&mut h, &[block.as_ptr().cast()]) };
    }
    *state = h;
}

/// Absorbs blocks like [`compress`], with a loop of single rounds. This is less code. It is used for SHA256-90R in
/// WebAssembly modules, because few users need this hash.
fn compress_rolled<W: Sha2Word, const ROUNDS: usize, const B: usize>(state: &mut [W; 8], blocks: &[[u8; B]]) {
    for block in blocks {
        let from = block.as_ptr().cast::<W>();
        // SAFETY: a plain word needs no CPU feature, and a block has sixteen words.
        let mut w = unsafe { W::block_be(from) };
        let mut v = *state;
        for t in 0..ROUNDS {
            let before = [w[(t + 1) % 16], w[(t + 9) % 16], w[(t + 14) % 16]];
            let w = &mut w[t % 16];
            // SAFETY: a plain word needs no CPU feature.
            let (d, h) = unsafe {
                if t < 16 {
                    round::<W, W, 1>(W::k(t), v, *w)
                } else {
                    <Compiled as Round<W, W, 1>>::scheduled(W::k(t), v, w, before)
                }
            };
            let [a, b, c, _, e, f, g, _] = v;
            v = [h, a, b, c, d, e, f, g];
        }
        state.iter_mut().zip(v).for_each(|(state, v)| *state = state.add(v));
    }
}

/// Absorbs `blocks` blocks of each of `N` messages.
///
/// # Safety
/// The CPU must have the instructions of `V`; each of `inputs[..N]` must contain `blocks` blocks.
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
    // SAFETY: the caller guarantees the instructions and the lengths of the inputs; rows have MAX >= N words.
    unsafe {
        let mut h = vector::load_states::<W, V, N, 8>(states);
        for i in 0..blocks {
            compress_block::<W, V, R, N, ROUNDS>(&mut h, &places(inputs, i, 16 * size_of::<W>()));
        }
        vector::store_states(h, states);
    }
}

/// Compresses the block at `from` in each message.
///
/// # Safety
/// The CPU must have the instructions of `V`; sixteen words must be readable at each of `from`.
#[inline(always)]
unsafe fn compress_block<W, V, R, const N: usize, const ROUNDS: usize>(
    state: &mut [V; 8],
    from: &[*const W; N],
) where
    W: Sha2Word,
    V: Vector<W, N>,
    R: Round<W, V, N>,
{
    let mut v = *state;
    // Computes steps 1 and 3 together. `w` contains the last sixteen words, W_t at index t mod 16.
    // SAFETY: the caller guarantees the instructions and the words.
    let mut w = unsafe { R::given(&mut v, from) };
    macro_rules! rounds {
        ($t:ident $count:expr) => {
            for_sixteen!(I in $count, {
                let before = [w[(I + 1) & 15], w[(I + 9) & 15], w[(I + 14) & 15]];
                // SAFETY: the rounds need only the instructions of `V`, which the caller guarantees.
                let (d, h) = unsafe { R::scheduled(W::k($t + I), named!(v I), &mut w[I], before) };
                (v[(19 - I) % 8], v[(23 - I) % 8]) = (d, h);
            });
        };
    }
    let mut t = 16;
    while t + 16 <= ROUNDS {
        rounds!(t 16);
        t += 16;
    }
    // SHA256-90R ends ten rounds into its sixth group of sixteen, so the names are rotated by that many places.
    rounds!(t ROUNDS % 16);
    v.rotate_left((8 - ROUNDS % 8) % 8);
    // The words are written without a loop, so that the indices are constants.
    macro_rules! feed_forward {
        ($($i:literal)*) => { $( state[$i] = state[$i].add(v[$i]); )* };
    }
    feed_forward!(0 1 2 3 4 5 6 7);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests the loop that WebAssembly uses for 90 rounds, with several numbers of rounds, on several blocks, and from
    /// a state other than the initial one.
    #[test]
    fn round_by_round_is_the_same() {
        fn check<
            W: Sha2Word + Default + PartialEq + core::fmt::Debug,
            const ROUNDS: usize,
            const B: usize,
        >() {
            let blocks: [[u8; B]; 3] =
                core::array::from_fn(|i| core::array::from_fn(|j| (i * B + j) as u8 ^ 0x5a));
            let [mut rolled, mut unrolled] = [[W::default(); 8]; 2];
            for _ in 0..2 {
                compress::<W, ROUNDS, B>(&mut unrolled, &blocks);
                compress_rolled::<W, ROUNDS, B>(&mut rolled, &blocks);
                assert_eq!(rolled, unrolled);
            }
        }
        check::<u32, 64, 64>();
        check::<u32, 90, 64>();
        check::<u64, 80, 128>();
    }
}
