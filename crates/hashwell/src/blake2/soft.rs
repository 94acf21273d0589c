//! BLAKE2 compression in portable Rust, once for both word sizes (RFC 7693 section 3).

use super::{Last, Word};

/// What the two word sizes differ in inside the compression function (section 2.1).
pub(super) trait Arithmetic: Word {
    /// Rounds: 12 or 10.
    const ROUNDS: usize;
    fn add(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// Rotation to the right by R1, R2, R3, R4, for `N` in 1..=4.
    fn rotate<const N: usize>(self) -> Self;
    /// The low and high words of the counter.
    fn counter(t: u128) -> [Self; 2];
    /// All ones or all zeros.
    fn mask(set: bool) -> Self;
}

macro_rules! arithmetic {
    ($word:ty, $rounds:literal, $r1:literal $r2:literal $r3:literal $r4:literal) => {
        impl Arithmetic for $word {
            const ROUNDS: usize = $rounds;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline(always)]
            fn rotate<const N: usize>(self) -> Self {
                self.rotate_right([$r1, $r2, $r3, $r4][N - 1])
            }
            #[inline(always)]
            fn counter(t: u128) -> [Self; 2] {
                [t as $word, (t >> <$word>::BITS) as $word]
            }
            #[inline(always)]
            fn mask(set: bool) -> Self {
                if set { <$word>::MAX } else { 0 }
            }
        }
    };
}

arithmetic!(u64, 12, 32 24 16 63);
arithmetic!(u32, 10, 16 12 8 7);

/// Message schedule (section 2.7). BLAKE2b's rounds 10 and 11 start over.
const SIGMA: [[usize; 16]; 10] = [
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

/// Section 3.2 for every block: the counter is the bytes up to and including the block.
pub(super) fn compress<W: Arithmetic, const B: usize>(
    h: &mut [W; 8],
    blocks: &[[u8; B]],
    counter: u128,
    last: Last,
) {
    let mut t = counter;
    for block in blocks {
        t = t.wrapping_add(B as u128);
        compress_block(h, block, t, last);
    }
}

#[inline(always)]
fn compress_block<W: Arithmetic, const B: usize>(h: &mut [W; 8], block: &[u8; B], t: u128, last: Last) {
    let mut m = [W::mask(false); 16];
    for (m, bytes) in m.iter_mut().zip(block.chunks_exact(B / 16)) {
        *m = W::read(bytes);
    }
    let mut v = [W::mask(false); 16];
    v[..8].copy_from_slice(h);
    v[8..].copy_from_slice(&W::INITIAL);
    let [t0, t1] = W::counter(t);
    v[12] = v[12].xor(t0);
    v[13] = v[13].xor(t1);
    v[14] = v[14].xor(W::mask(last != Last::No));
    v[15] = v[15].xor(W::mask(last == Last::BlockOfLastNode));
    // One call a round, so that the message indices are constants.
    macro_rules! rounds {
        ($($r:literal)*) => { $( if $r < W::ROUNDS { round::<W, $r>(&mut v, &m); } )* };
    }
    rounds!(0 1 2 3 4 5 6 7 8 9 10 11);
    for (i, h) in h.iter_mut().enumerate() {
        *h = h.xor(v[i]).xor(v[i + 8]);
    }
}

#[inline(always)]
fn round<W: Arithmetic, const R: usize>(v: &mut [W; 16], m: &[W; 16]) {
    let s = const { &SIGMA[R % 10] };
    mix(v, [0, 4, 8, 12], m[s[0]], m[s[1]]);
    mix(v, [1, 5, 9, 13], m[s[2]], m[s[3]]);
    mix(v, [2, 6, 10, 14], m[s[4]], m[s[5]]);
    mix(v, [3, 7, 11, 15], m[s[6]], m[s[7]]);
    mix(v, [0, 5, 10, 15], m[s[8]], m[s[9]]);
    mix(v, [1, 6, 11, 12], m[s[10]], m[s[11]]);
    mix(v, [2, 7, 8, 13], m[s[12]], m[s[13]]);
    mix(v, [3, 4, 9, 14], m[s[14]], m[s[15]]);
}

/// G of section 3.1.
#[inline(always)]
fn mix<W: Arithmetic>(v: &mut [W; 16], [a, b, c, d]: [usize; 4], x: W, y: W) {
    v[a] = v[a].add(v[b]).add(x);
    v[d] = v[d].xor(v[a]).rotate::<1>();
    v[c] = v[c].add(v[d]);
    v[b] = v[b].xor(v[c]).rotate::<2>();
    v[a] = v[a].add(v[b]).add(y);
    v[d] = v[d].xor(v[a]).rotate::<3>();
    v[c] = v[c].add(v[d]);
    v[b] = v[b].xor(v[c]).rotate::<4>();
}
