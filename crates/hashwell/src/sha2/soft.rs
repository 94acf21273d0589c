//! SHA-2 in portable Rust, once for both word sizes and any number of rounds (FIPS 180-4 sections
//! 6.2.2 and 6.4.2).

use super::constants::{K256, K512};

/// What the two word sizes differ in: the functions of section 4.1.2 and 4.1.3, and K.
pub(super) trait Word: Copy + Default {
    fn from_be(bytes: &[u8]) -> Self;
    fn add(self, other: Self) -> Self;
    fn ch(x: Self, y: Self, z: Self) -> Self;
    fn maj(x: Self, y: Self, z: Self) -> Self;
    fn big_sigma_0(self) -> Self;
    fn big_sigma_1(self) -> Self;
    fn sigma_0(self) -> Self;
    fn sigma_1(self) -> Self;
    fn k(t: usize) -> Self;
}

macro_rules! word {
    ($word:ty, $k:ident, S0 $a:literal $b:literal $c:literal, S1 $d:literal $e:literal $f:literal,
     s0 $g:literal $h:literal $i:literal, s1 $j:literal $l:literal $m:literal) => {
        impl Word for $word {
            #[inline(always)]
            fn from_be(bytes: &[u8]) -> Self {
                <$word>::from_be_bytes(bytes.try_into().expect("a word's bytes"))
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            // (x & y) ^ (!x & z), with one operation less.
            #[inline(always)]
            fn ch(x: Self, y: Self, z: Self) -> Self {
                z ^ (x & (y ^ z))
            }
            // (x & y) ^ (x & z) ^ (y & z), likewise.
            #[inline(always)]
            fn maj(x: Self, y: Self, z: Self) -> Self {
                (x & y) ^ (z & (x ^ y))
            }
            #[inline(always)]
            fn big_sigma_0(self) -> Self {
                self.rotate_right($a) ^ self.rotate_right($b) ^ self.rotate_right($c)
            }
            #[inline(always)]
            fn big_sigma_1(self) -> Self {
                self.rotate_right($d) ^ self.rotate_right($e) ^ self.rotate_right($f)
            }
            #[inline(always)]
            fn sigma_0(self) -> Self {
                self.rotate_right($g) ^ self.rotate_right($h) ^ (self >> $i)
            }
            #[inline(always)]
            fn sigma_1(self) -> Self {
                self.rotate_right($j) ^ self.rotate_right($l) ^ (self >> $m)
            }
            #[inline(always)]
            fn k(t: usize) -> Self {
                $k[t]
            }
        }
    };
}

word!(u32, K256, S0 2 13 22, S1 6 11 25, s0 7 18 3, s1 17 19 10);
word!(u64, K512, S0 28 34 39, S1 14 18 41, s0 1 8 7, s1 19 61 6);

/// `B`: block bytes, sixteen words.
pub(super) fn compress<W: Word, const ROUNDS: usize, const B: usize>(state: &mut [W; 8], blocks: &[[u8; B]]) {
    for block in blocks {
        compress_block::<W, ROUNDS, B>(state, block);
    }
}

#[inline(always)]
fn compress_block<W: Word, const ROUNDS: usize, const B: usize>(state: &mut [W; 8], block: &[u8; B]) {
    let mut w = [W::default(); 16];
    for (w, bytes) in w.iter_mut().zip(block.chunks_exact(B / 16)) {
        *w = W::from_be(bytes);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    // Steps 1 and 3 together. `w` holds the last sixteen words, W_t at index t mod 16; the variables are
    // renamed from round to round instead of moved. Unrolled by sixteen, because the indices must be
    // constants for `w` to live in registers.
    macro_rules! round {
        ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident $t:ident $i:literal) => {
            if $t + $i < ROUNDS {
                if $t > 0 {
                    w[$i] = w[$i]
                        .add(w[($i + 1) & 15].sigma_0())
                        .add(w[($i + 9) & 15])
                        .add(w[($i + 14) & 15].sigma_1());
                }
                let t1 = $h.add($e.big_sigma_1()).add(W::ch($e, $f, $g)).add(W::k($t + $i)).add(w[$i]);
                $d = $d.add(t1);
                $h = t1.add($a.big_sigma_0()).add(W::maj($a, $b, $c));
            }
        };
    }
    macro_rules! sixteen {
        ($t:ident) => {
            round!(a b c d e f g h $t 0);
            round!(h a b c d e f g $t 1);
            round!(g h a b c d e f $t 2);
            round!(f g h a b c d e $t 3);
            round!(e f g h a b c d $t 4);
            round!(d e f g h a b c $t 5);
            round!(c d e f g h a b $t 6);
            round!(b c d e f g h a $t 7);
            round!(a b c d e f g h $t 8);
            round!(h a b c d e f g $t 9);
            round!(g h a b c d e f $t 10);
            round!(f g h a b c d e $t 11);
            round!(e f g h a b c d $t 12);
            round!(d e f g h a b c $t 13);
            round!(c d e f g h a b $t 14);
            round!(b c d e f g h a $t 15);
        };
    }
    let mut t = 0;
    while t < ROUNDS {
        sixteen!(t);
        t += 16;
    }
    let mut v = [a, b, c, d, e, f, g, h];
    // The last sixteen may be cut short (SHA256-90R ends ten rounds into its sixth): after r rounds the
    // names are r places late.
    v.rotate_left((8 - ROUNDS % 8) % 8);
    for (h, v) in state.iter_mut().zip(v) {
        *h = h.add(v);
    }
}
