//! The SHA extensions (Intel's manual, volume 2, chapter 4), with the names of FIPS 180-4. Lane 0 is the lowest.

use super::state::{Done, Machine, unmodelled};
use crate::internal::vector::symbol::{Word, bits};
use alloc::format;
use alloc::vec::Vec;
use iced_x86::{Instruction, Mnemonic as M, Register};

fn choose(x: Word, y: Word, z: Word) -> Word {
    (x & y) ^ (!x & z)
}

fn majority(x: Word, y: Word, z: Word) -> Word {
    (x & y) ^ (x & z) ^ (y & z)
}

impl Machine<'_> {
    /// Executes the instruction if it belongs to this module. Returns false if it doesn't.
    pub(super) fn sha(&mut self, instruction: &Instruction) -> Done<bool> {
        let i = instruction;
        let of = match i.mnemonic() {
            M::Sha1rnds4 => {
                let kind = i.immediate8() & 3;
                return self.lanes(i, |a, b| sha1_rounds(kind, a, b)).map(|()| true);
            }
            M::Sha1nexte => |[.., a3]: [Word; 4], [b0, b1, b2, b3]: [Word; 4]| [b0, b1, b2, b3 + a3.rotl(30)],
            M::Sha1msg1 => |[a0, a1, a2, a3]: [Word; 4], [_, _, b2, b3]: [Word; 4]| {
                // W0 to W5 are in descending lanes, beginning with the highest lane of the first operand.
                [a0 ^ b2, a1 ^ b3, a2 ^ a0, a3 ^ a1]
            },
            M::Sha1msg2 => |[a0, a1, a2, a3]: [Word; 4], [b0, b1, b2, _]: [Word; 4]| {
                let w16 = (a3 ^ b2).rotl(1);
                [(a0 ^ w16).rotl(1), (a1 ^ b0).rotl(1), (a2 ^ b1).rotl(1), w16]
            },
            M::Sha256msg1 => |[a0, a1, a2, a3]: [Word; 4], [b0, ..]: [Word; 4]| {
                let sigma = |x: Word| x.rotr(7) ^ x.rotr(18) ^ x.shr(3);
                [a0 + sigma(a1), a1 + sigma(a2), a2 + sigma(a3), a3 + sigma(b0)]
            },
            M::Sha256msg2 => |[a0, a1, a2, a3]: [Word; 4], [_, _, w14, w15]: [Word; 4]| {
                let sigma = |x: Word| x.rotr(17) ^ x.rotr(19) ^ x.shr(10);
                let (w16, w17) = (a0 + sigma(w14), a1 + sigma(w15));
                [w16, w17, a2 + sigma(w16), a3 + sigma(w17)]
            },
            M::Sha256rnds2 => {
                let wk = self.get(Register::XMM0)?;
                if bits() != 32 {
                    return unmodelled(format!("{i}"));
                }
                let large = ([6, 11, 25], [2, 13, 22]);
                return self.lanes(i, |a, b| two_rounds(large, [wk[0], wk[1]], a, b)).map(|()| true);
            }
            M::Vsha512msg1 => {
                let (w, w4) = (self.four(i, 0)?, self.words_64(i, 1, 2)?[0]);
                let sigma = |x: Word| x.rotr(1) ^ x.rotr(8) ^ x.shr(7);
                let sums = [w[0] + sigma(w[1]), w[1] + sigma(w[2]), w[2] + sigma(w[3]), w[3] + sigma(w4)];
                return self.write_vector(i, &sums, 8).map(|()| true);
            }
            M::Vsha512msg2 => {
                let (sums, [_, _, w14, w15]) = (self.four(i, 0)?, self.four(i, 1)?);
                let sigma = |x: Word| x.rotr(19) ^ x.rotr(61) ^ x.shr(6);
                let (w16, w17) = (sums[0] + sigma(w14), sums[1] + sigma(w15));
                let words = [w16, w17, sums[2] + sigma(w16), sums[3] + sigma(w17)];
                return self.write_vector(i, &words, 8).map(|()| true);
            }
            M::Vsha512rnds2 => {
                let (cdgh, abef, wk) = (self.four(i, 0)?, self.four(i, 1)?, self.words_64(i, 2, 2)?);
                let large = ([14, 18, 41], [28, 34, 39]);
                return self
                    .write_vector(i, &two_rounds(large, [wk[0], wk[1]], cdgh, abef), 8)
                    .map(|()| true);
            }
            _ => return Ok(false),
        };
        self.lanes(i, of).map(|()| true)
    }

    /// Returns the first `count` words of 64 bits of an operand.
    fn words_64(&mut self, i: &Instruction, operand: u32, count: usize) -> Done<Vec<Word>> {
        if bits() != 64 {
            return unmodelled(format!("{i}"));
        }
        self.read(i, operand, 8 * count)
    }

    fn four(&mut self, i: &Instruction, operand: u32) -> Done<[Word; 4]> {
        let cells = self.words_64(i, operand, 4)?;
        Ok([cells[0], cells[1], cells[2], cells[3]])
    }

    fn lanes(&mut self, i: &Instruction, of: impl Fn([Word; 4], [Word; 4]) -> [Word; 4]) -> Done<()> {
        if bits() != 32 {
            return unmodelled(format!("{i}"));
        }
        let (a, b) = (self.read(i, 0, 16)?, self.read(i, 1, 16)?);
        let four = |cells: &[Word]| [cells[0], cells[1], cells[2], cells[3]];
        self.write_vector(i, &of(four(&a), four(&b)), 4)
    }
}

/// Four rounds of SHA-1. a is in the highest lane of `abcd`. `we` contains four message words, the first of them in the
/// highest lane, to which e was added.
fn sha1_rounds(kind: u8, abcd: [Word; 4], we: [Word; 4]) -> [Word; 4] {
    let k = Word::constant([0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xca62_c1d6][usize::from(kind)]);
    let [mut d, mut c, mut b, mut a] = abcd;
    let mut e = Word::constant(0);
    for we in we.into_iter().rev() {
        let f = match kind {
            0 => choose(b, c, d),
            2 => majority(b, c, d),
            _ => b ^ c ^ d,
        };
        let next = f + a.rotl(5) + we + e + k;
        (e, d, c, b, a) = (d, c, b.rotl(30), a, next);
    }
    [d, c, b, a]
}

/// The rotation distances of Σ1, which is applied to e, and of Σ0, which is applied to a.
type Large = ([u32; 3], [u32; 3]);

/// Two rounds of SHA-2. From the lowest lane, the first operand is (h, g, d, c), and the second operand and the result
/// are (f, e, b, a).
fn two_rounds(large: Large, wk: [Word; 2], [h, g, d, c]: [Word; 4], [f, e, b, a]: [Word; 4]) -> [Word; 4] {
    let sum = |by: [u32; 3], x: Word| x.rotr(by[0]) ^ x.rotr(by[1]) ^ x.rotr(by[2]);
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = [a, b, c, d, e, f, g, h];
    for wk in wk {
        let t1 = h + sum(large.0, e) + choose(e, f, g) + wk;
        let t2 = sum(large.1, a) + majority(a, b, c);
        (h, g, f, e, d, c, b, a) = (g, f, e, d + t1, c, b, a, t1 + t2);
    }
    [f, e, b, a]
}
