//! SHA-1 in portable Rust (FIPS 180-4 section 6.1.2).

use super::K;

pub(super) fn compress(state: &mut [u32; 5], blocks: &[[u8; 64]]) {
    for block in blocks {
        compress_block(state, block);
    }
}

/// f_t of section 4.1.1, for the four groups of 20 rounds.
#[inline(always)]
fn f<const GROUP: usize>(x: u32, y: u32, z: u32) -> u32 {
    match GROUP {
        0 => (x & y) | (!x & z),
        2 => (x & y) | (z & (x | y)),
        _ => x ^ y ^ z,
    }
}

/// Rounds `20 * GROUP` to `20 * GROUP + 19`. `w` holds W_(t-16) … W_(t-1), at index t mod 16, from the
/// second sixteen on.
#[inline(always)]
fn twenty_rounds<const GROUP: usize>(v: &mut [u32; 5], w: &mut [u32; 16]) {
    let [mut a, mut b, mut c, mut d, mut e] = *v;
    macro_rules! round {
        ($a:ident $b:ident $c:ident $d:ident $e:ident $i:expr) => {
            let t = 20 * GROUP + $i;
            if t >= 16 {
                w[t & 15] = (w[(t + 13) & 15] ^ w[(t + 8) & 15] ^ w[(t + 2) & 15] ^ w[t & 15]).rotate_left(1);
            }
            $e = $e
                .wrapping_add($a.rotate_left(5))
                .wrapping_add(f::<GROUP>($b, $c, $d))
                .wrapping_add(K[GROUP])
                .wrapping_add(w[t & 15]);
            $b = $b.rotate_left(30);
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
    five!(0);
    five!(5);
    five!(10);
    five!(15);
    *v = [a, b, c, d, e];
}

#[inline(always)]
fn compress_block(state: &mut [u32; 5], block: &[u8; 64]) {
    let mut w = [0; 16];
    for (w, bytes) in w.iter_mut().zip(block.as_chunks().0) {
        *w = u32::from_be_bytes(*bytes);
    }
    let mut v = *state;
    twenty_rounds::<0>(&mut v, &mut w);
    twenty_rounds::<1>(&mut v, &mut w);
    twenty_rounds::<2>(&mut v, &mut w);
    twenty_rounds::<3>(&mut v, &mut w);
    for (h, v) in state.iter_mut().zip(v) {
        *h = h.wrapping_add(v);
    }
}
