//! BLAKE2 compression in portable Rust, for both word sizes and any number of messages in parallel
//! (RFC 7693 section 3).
#![allow(unsafe_code)]

use super::{Blake2Word, Flags, Last, Run};
use crate::internal::small::ROLLED;
use crate::internal::vector::{self, Input, MAX, Vector, places, sixteen};

/// The differences between the two word sizes inside the compression function (section 2.1).
pub(super) trait Arithmetic: Blake2Word + Vector<Self, 1> {
    /// The number of rounds: 12 or 10.
    const ROUNDS: usize;
    /// Rotates to the right by R1, R2, R3 or R4, for `I` in 1..=4.
    fn rotate<V: Vector<Self, N>, const N: usize, const I: usize>(x: V) -> V;
    /// Returns the low and the high word of the counter.
    fn counter(t: u128) -> [Self; 2];
}

macro_rules! arithmetic {
    ($word:ty, $rounds:literal, $r2:literal $r3:literal $r4:literal) => {
        impl Arithmetic for $word {
            const ROUNDS: usize = $rounds;
            #[inline(always)]
            fn rotate<V: Vector<Self, N>, const N: usize, const I: usize>(x: V) -> V {
                match I {
                    // Rotates by half a word.
                    1 => x.swap_halves(),
                    2 => x.rotate_right::<$r2>(),
                    3 => x.rotate_right::<$r3>(),
                    _ => x.rotate_right::<$r4>(),
                }
            }
            #[inline(always)]
            fn counter(t: u128) -> [Self; 2] {
                [t as $word, (t >> <$word>::BITS) as $word]
            }
        }
    };
}

arithmetic!(u64, 12, 24 16 63);
arithmetic!(u32, 10, 12 8 7);

/// The message schedule (section 2.7). Rounds 10 and 11 of BLAKE2b repeat the first two rows.
pub(super) const SIGMA: [[usize; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/// Computes section 3.2 for every block. The counter is the number of bytes up to and including the
/// block.
pub(super) fn compress<W: Arithmetic, const B: usize>(
    h: &mut [W; 8],
    blocks: &[[u8; B]],
    counter: u128,
    last: Last,
) {
    let mut t = counter;
    for block in blocks {
        t = t.wrapping_add(B as u128);
        let [t0, t1] = W::counter(t);
        let mask = |set| if set { W::ONES } else { W::ZERO };
        let tweak = [t0, t1, mask(last != Last::No), mask(last == Last::BlockOfLastNode)];
        let word = |i| W::read(&block[i * (B / 16)..][..B / 16]);
        let m = sixteen(word);
        // SAFETY: a plain word needs no CPU feature.
        unsafe { compress_block::<W, W, Compiled, 1>(h, &m, tweak) };
    }
}

/// Absorbs blocks of each of `N` messages.
///
/// # Safety
/// The CPU must have the instructions of `V`; each of `inputs[..N]` must contain the blocks of `run`.
#[inline(always)]
pub(super) unsafe fn compress_many<
    W: Arithmetic,
    V: Vector<W, N>,
    R: Round<W, V, N>,
    const N: usize,
    const B: usize,
>(
    states: &mut [[W; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    run: Run,
    counters: &[W; MAX],
    flags: &Flags<W>,
) {
    // SAFETY: the caller guarantees the instructions and the lengths of the inputs; rows have MAX >= N words.
    unsafe {
        let mut h = vector::load_states::<W, V, N, 8>(states);
        let block_len = V::splat(W::counter(B as u128)[0]);
        let zero = V::splat(W::ZERO);
        let flags = [V::load(flags[0].as_ptr()), V::load(flags[1].as_ptr())];
        let mut t = V::load(counters.as_ptr());
        for i in 0..run.blocks {
            let mut m = vector::block::<W, V, N>(&places(inputs, i, run.stride));
            for m in &mut m {
                *m = m.decode_le();
            }
            t = t.add(block_len);
            compress_block::<W, V, R, N>(&mut h, &m, [t, zero, flags[0], flags[1]]);
        }
        vector::store_states(h, states);
    }
}

/// Computes F of section 3.2. `tweak` contains the low and the high word of the counter, and the two finalization flags
/// as masks.
///
/// # Safety
/// The CPU must have the instructions of `V`.
#[inline(always)]
unsafe fn compress_block<W: Arithmetic, V: Vector<W, N>, R: Round<W, V, N>, const N: usize>(
    h: &mut [V; 8],
    m: &[V; 16],
    tweak: [V; 4],
) {
    // SAFETY: `splat` needs only the instructions of `V`, which the caller guarantees.
    let initial = |i: usize| unsafe { V::splat(W::INITIAL[i]) };
    // Without a loop, like the code below, because indices must be constants for words to stay in
    // registers.
    let mut v = [
        h[0],
        h[1],
        h[2],
        h[3],
        h[4],
        h[5],
        h[6],
        h[7],
        initial(0),
        initial(1),
        initial(2),
        initial(3),
        initial(4) ^ tweak[0],
        initial(5) ^ tweak[1],
        initial(6) ^ tweak[2],
        initial(7) ^ tweak[3],
    ];
    if ROLLED && N > 1 {
        for r in 0..W::ROUNDS {
            round(&mut v, m, &SIGMA[r % 10]);
        }
    } else {
        // One call per round, so that the message indices are constants.
        macro_rules! rounds {
            ($($r:literal)*) => { $(
                if $r < W::ROUNDS {
                    // SAFETY: the caller guarantees the instructions.
                    unsafe { R::round::<{ $r % 10 }>(&mut v, m) };
                }
            )* };
        }
        rounds!(0 1 2 3 4 5 6 7 8 9 10 11);
    }
    macro_rules! feed_forward {
        ($($i:literal)*) => { $( h[$i] = V::xor3(h[$i], v[$i], v[$i + 8]); )* };
    }
    feed_forward!(0 1 2 3 4 5 6 7);
}

/// A round whose instructions have a fixed order, for CPUs on which the order matters and the
/// compiler's order is slower.
pub(super) trait Round<W, V, const N: usize> {
    /// Computes the round with this row of the message schedule.
    ///
    /// # Safety
    /// The CPU must have the instructions of `V`.
    unsafe fn round<const ROW: usize>(v: &mut [V; 16], m: &[V; 16]);
}

/// The order of instructions that the compiler chooses.
pub(super) struct Compiled;

impl<W: Arithmetic, V: Vector<W, N>, const N: usize> Round<W, V, N> for Compiled {
    #[inline(always)]
    unsafe fn round<const ROW: usize>(v: &mut [V; 16], m: &[V; 16]) {
        round(v, m, &SIGMA[ROW]);
    }
}

/// Computes a round. `s` is its row of the message schedule.
#[inline(always)]
fn round<W: Arithmetic, V: Vector<W, N>, const N: usize>(v: &mut [V; 16], m: &[V; 16], s: &[usize; 16]) {
    let pick = |from: usize| [m[s[from] & 15], m[s[from + 2] & 15], m[s[from + 4] & 15], m[s[from + 6] & 15]];
    mix(v, [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]], pick(0), pick(1));
    mix(v, [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]], pick(8), pick(9));
}

/// Computes G of section 3.1 on four columns or diagonals. Each step is computed for all four before the next step, so
/// that consecutive instructions do not depend on each other.
#[inline(always)]
fn mix<W: Arithmetic, V: Vector<W, N>, const N: usize>(
    v: &mut [V; 16],
    at: [[usize; 4]; 4],
    x: [V; 4],
    y: [V; 4],
) {
    macro_rules! all {
        ($i:ident $abcd:pat => $step:expr) => {{
            let ($i, $abcd) = (0, at[0]);
            $step;
        }
        {
            let ($i, $abcd) = (1, at[1]);
            $step;
        }
        {
            let ($i, $abcd) = (2, at[2]);
            $step;
        }
        {
            let ($i, $abcd) = (3, at[3]);
            $step;
        }};
    }
    all!(i [a, b, ..] => v[a] = v[a].add(x[i]).add(v[b]));
    all!(_i [a, _, _, d] => v[d] = W::rotate::<V, N, 1>(v[d] ^ v[a]));
    all!(_i [_, _, c, d] => v[c] = v[c].add(v[d]));
    all!(_i [_, b, c, _] => v[b] = W::rotate::<V, N, 2>(v[b] ^ v[c]));
    all!(i [a, b, ..] => v[a] = v[a].add(y[i]).add(v[b]));
    all!(_i [a, _, _, d] => v[d] = W::rotate::<V, N, 3>(v[d] ^ v[a]));
    all!(_i [_, _, c, d] => v[c] = v[c].add(v[d]));
    all!(_i [_, b, c, _] => v[b] = W::rotate::<V, N, 4>(v[b] ^ v[c]));
}
