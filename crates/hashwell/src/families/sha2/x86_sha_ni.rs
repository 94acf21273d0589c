//! SHA-256 with the x86 SHA extensions, for any even number of rounds.
//!
//! Budget, port bound, and cycles per byte for long messages (see Budgets in `dev/kernels.md`):
//!
//! | kernel | budget | Zen 4: bound | reached | Xeon: bound | reached |
//! |---|---|---:|---:|---:|---:|
//! | one | a chain of 32 `sha256rnds2` of 4 cycles each | 2.00 | 2.05 | 2.00 | 2.06, C |
//! | × 2 | 64 `sha256rnds2`; on the Xeon one in 3 cycles | 1.00 | 1.05 | 1.50 | 1.69, C |
//! | × 4 | 128 `sha256rnds2`, and the schedule: 45 cycles per block on Zen 4 | 0.70 | 0.84 | 1.50 | 1.56, C |
#![allow(unsafe_code)]

use super::constants::K256;
use crate::families::md::{Chain, HmacKernel, Rekey, Tags};
use crate::internal::keyed::PADS;
use crate::internal::vector::{Input, MAX};
use core::arch::asm;
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::mem::transmute;

/// Returns the functions of the kernel for the kernel table.
pub(super) const fn chain<const ROUNDS: usize>() -> Chain<u32, 8, 64> {
    Chain {
        compress: compress::<ROUNDS>,
        hmac: Some(HmacKernel { tags: tags::<ROUNDS>, rekey: rekey::<ROUNDS> }),
        sse: true,
    }
}

/// Loads words in their order. With debug assertions, `_mm_loadu_si128` would copy the words to the stack and leave
/// parts of keys there.
#[inline(always)]
fn load_words(words: [u32; 4]) -> __m128i {
    // SAFETY: both types have 16 bytes without padding, and any 16 bytes are a valid vector.
    unsafe { transmute(words) }
}

/// Swaps the bytes of each 32-bit word.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
fn big_endian(x: __m128i) -> __m128i {
    _mm_shuffle_epi8(x, _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203))
}

/// Returns the state in the layout that `sha256rnds2` requires: (abef, cdgh).
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
fn load_state(state: &[u32; 8]) -> [__m128i; 2] {
    let halves = state.as_chunks::<4>().0;
    let (dcba, hgfe) = (load_words(halves[0]), load_words(halves[1]));
    let cdab = _mm_shuffle_epi32::<0b10_11_00_01>(dcba);
    let efgh = _mm_shuffle_epi32::<0b00_01_10_11>(hgfe);
    [_mm_alignr_epi8::<8>(cdab, efgh), _mm_blend_epi16::<0b1111_0000>(efgh, cdab)]
}

/// Returns the state in the order of its words: a to d and e to h.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
fn in_order([abef, cdgh]: [__m128i; 2]) -> [__m128i; 2] {
    let feba = _mm_shuffle_epi32::<0b00_01_10_11>(abef);
    let dchg = _mm_shuffle_epi32::<0b10_11_00_01>(cdgh);
    [_mm_blend_epi16::<0b1111_0000>(feba, dchg), _mm_alignr_epi8::<8>(dchg, feba)]
}

/// Returns the sixteen words of a block.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
fn load_block(block: &[u8; 64]) -> [__m128i; 4] {
    let mut w = [_mm_setzero_si128(); 4];
    for (w, bytes) in w.iter_mut().zip(block.as_chunks::<16>().0) {
        // SAFETY: both types have 16 bytes without padding, and any 16 bytes are a valid vector.
        *w = big_endian(unsafe { transmute::<[u8; 16], __m128i>(*bytes) });
    }
    w
}

/// Compresses one block of each of `S` messages, with two rounds per instruction:
///
/// ```text
/// state = (abef, cdgh)                     the layout that `sha256rnds2` requires
/// each four rounds g, wk = W[g] + K[g]:
///   cdgh = sha256rnds2(cdgh, abef, wk)     rounds 4g, 4g+1; the two halves swap roles
///   abef = sha256rnds2(abef, cdgh, wk >> 64)
///   W[g+4] = sha256msg2(sha256msg1(W[g], W[g+1]) + (W[g+2], W[g+3] shifted by a word), W[g+3])
/// ```
///
/// 90 is not a multiple of four, so the last group of SHA256-90R stops after its first instruction, and the two halves
/// end with their roles swapped.
///
/// If `AHEAD` is true, words are computed as early as possible instead of as late as possible. A message that depends
/// on the previous block then takes 134 cycles instead of 173 (Zen 4), and a message that was available earlier takes a
/// few cycles more.
///
/// The blocks of the messages are processed in turn. Two blocks take hardly longer than one.
///
/// # Safety
/// The CPU must have SHA, SSSE3 and SSE4.1. (The function enables no features itself, so that it is always inlined.)
#[inline(always)]
unsafe fn blocks<const S: usize, const ROUNDS: usize, const AHEAD: bool>(
    before: [[__m128i; 2]; S],
    mut w: [[__m128i; 4]; S],
) -> [[__m128i; 2]; S] {
    const { assert!(ROUNDS >= 16 && ROUNDS.is_multiple_of(2) && ROUNDS.next_multiple_of(4) <= K256_LEN) };
    let mut state = before;
    macro_rules! next_words {
        ($w:expr, $i:literal) => {
            let w7 = _mm_alignr_epi8::<4>($w[($i + 3) & 3], $w[($i + 2) & 3]);
            let sum = _mm_add_epi32(_mm_sha256msg1_epu32($w[$i], $w[($i + 1) & 3]), w7);
            $w[$i] = _mm_sha256msg2_epu32(sum, $w[($i + 3) & 3]);
        };
    }
    macro_rules! four_rounds {
        ($t:literal $i:literal) => {
            const { assert!($t / 4 % 4 == $i) };
            if $t < ROUNDS {
                for (w, [abef, cdgh]) in w.iter_mut().zip(&mut state) {
                    if $t >= 16 && !AHEAD {
                        next_words!(w, $i);
                    }
                    let wk = _mm_add_epi32(w[$i], load_words(K256.as_chunks::<4>().0[$t / 4]));
                    *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, wk);
                    if $t + 2 < ROUNDS {
                        *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_shuffle_epi32::<0b00_00_11_10>(wk));
                    } else {
                        core::mem::swap(abef, cdgh);
                    }
                    if $t + 16 < ROUNDS && AHEAD {
                        next_words!(w, $i);
                        // This adds no instruction, but keeps the compiler from moving the words after the rounds.
                        asm!("/* {0} */", inlateout(xmm_reg) w[$i], options(pure, nomem, nostack));
                    }
                }
            }
        };
    }
    macro_rules! sixteen_rounds {
        ($($a:literal $b:literal $c:literal $d:literal,)*) => {
            $( four_rounds!($a 0); four_rounds!($b 1); four_rounds!($c 2); four_rounds!($d 3); )*
        };
    }
    const { assert!(ROUNDS <= 96) };
    // SAFETY: the caller guarantees the instructions. The assembly contains no instructions.
    unsafe {
        // The rounds are written without a loop, because the compiler does not unroll loops that contain `asm!`.
        sixteen_rounds!(0 4 8 12, 16 20 24 28, 32 36 40 44, 48 52 56 60, 64 68 72 76, 80 84 88 92,);
        for (state, before) in state.iter_mut().zip(before) {
            *state = [_mm_add_epi32(state[0], before[0]), _mm_add_epi32(state[1], before[1])];
        }
        state
    }
}

/// Compresses a block of one message.
///
/// # Safety
/// The same as for [`blocks`].
#[inline(always)]
unsafe fn block<const ROUNDS: usize, const AHEAD: bool>(
    before: [__m128i; 2],
    w: [__m128i; 4],
) -> [__m128i; 2] {
    // SAFETY: the caller guarantees the features.
    let [state] = unsafe { blocks::<1, ROUNDS, AHEAD>([before], [w]) };
    state
}

/// # Safety
/// The CPU must have SHA, SSSE3 and SSE4.1.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
unsafe fn compress<const ROUNDS: usize>(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    let mut halves = load_state(state);
    for bytes in blocks {
        // SAFETY: this function enables the required features.
        halves = unsafe { block::<ROUNDS, false>(halves, load_block(bytes)) };
    }
    store_state(halves, state);
}

/// HMAC of messages that end in their first block. The words stay in registers: passing them to the next block through
/// memory would take a fifth more time.
struct Hmac {
    /// A mask: ones in the bytes of the tag, and zeros after them.
    mask: [__m128i; 2],
    /// The padding of a message with the length of a tag.
    padding: [__m128i; 4],
}

impl Hmac {
    #[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
    fn new(len: usize, padding: &[u8; 64]) -> Self {
        let mask = MASK[32 - len..].first_chunk().expect("as many bytes as a block");
        let [first, second, ..] = load_block(mask);
        Self { mask: [first, second], padding: load_block(padding) }
    }

    /// Returns the tag of a padded message.
    ///
    /// # Safety
    /// The same as for [`block`].
    #[inline(always)]
    unsafe fn tag<const ROUNDS: usize>(
        &self,
        midstates: [[__m128i; 2]; 2],
        mut w: [__m128i; 4],
    ) -> [__m128i; 2] {
        let mut tag = midstates[0];
        for midstate in midstates {
            // SAFETY: the caller guarantees the features that `block` requires.
            unsafe {
                tag = self.masked(in_order(block::<ROUNDS, true>(midstate, w)));
                w = self.padded(tag);
            }
        }
        tag
    }

    #[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
    fn masked(&self, words: [__m128i; 2]) -> [__m128i; 2] {
        [_mm_and_si128(words[0], self.mask[0]), _mm_and_si128(words[1], self.mask[1])]
    }

    #[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
    fn padded(&self, tag: [__m128i; 2]) -> [__m128i; 4] {
        let [first, second, third, fourth] = self.padding;
        [_mm_or_si128(first, tag[0]), _mm_or_si128(second, tag[1]), third, fourth]
    }
}

/// # Safety
/// The CPU must have SHA, SSSE3 and SSE4.1.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
unsafe fn tags<const ROUNDS: usize>(tags: &mut Tags<'_, u32, 8, 64>) {
    let Tags { midstates: [inner, outer], block: bytes, padding, len, out } = tags;
    assert!((16..=32).contains(len));
    let hmac = Hmac::new(*len, padding);
    let midstates = [load_state(inner), load_state(outer)];
    let mut w = load_block(bytes);
    let mut rest = &mut **out;
    loop {
        // SAFETY: this function enables the required features.
        w = hmac.padded(unsafe { hmac.tag::<ROUNDS>(midstates, w) });
        if rest.len() <= *len {
            break;
        }
        store_words([w[0], w[1]], bytes.first_chunk_mut().expect("half a block"));
        let (tag, behind) = rest.split_at_mut(*len);
        // Copies the first and the last sixteen bytes, because a call of a copy function of any length would spill the
        // registers.
        if let Some(first) = tag.first_chunk_mut::<16>() {
            first.copy_from_slice(&bytes[..16]);
        }
        if let (Some(last), Some(from)) = (tag.last_chunk_mut::<16>(), bytes[..*len].last_chunk()) {
            *last = *from;
        }
        rest = behind;
    }
    **bytes = **padding;
    store_words([w[0], w[1]], bytes.first_chunk_mut().expect("half a block"));
    rest.copy_from_slice(&bytes[..rest.len()]);
}

/// # Safety
/// The CPU must have SHA, SSSE3 and SSE4.1.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
unsafe fn rekey<const ROUNDS: usize>(rekey: &mut Rekey<'_, u32, 8, 64>) {
    let Rekey { fresh, midstates: [inner, outer], block: bytes, padding, len, k, v } = rekey;
    let hmac = Hmac::new(*len, padding);
    let w = load_block(bytes);
    // SAFETY: this function enables the required features.
    let key = unsafe { hmac.tag::<ROUNDS>([load_state(inner), load_state(outer)], w) };
    let fresh = load_state(fresh);
    let pads = PADS.map(|pad| {
        let pad = _mm_set1_epi8(pad.cast_signed());
        [_mm_xor_si128(key[0], pad), _mm_xor_si128(key[1], pad), pad, pad]
    });
    // SAFETY: this function enables the required features.
    let midstates = unsafe { blocks::<2, ROUNDS, true>([fresh; 2], pads) };
    let old = hmac.padded(hmac.masked([w[0], w[1]]));
    // SAFETY: this function enables the required features.
    let next = unsafe { hmac.tag::<ROUNDS>(midstates, old) };
    store_state(midstates[0], inner);
    store_state(midstates[1], outer);
    store_words(key, k.first_chunk_mut().expect("half a tag"));
    store_words(next, v.first_chunk_mut().expect("half a tag"));
}

/// From byte 32 - n on, there are n bytes with the value 0xff, and then zeros.
static MASK: [u8; 96] = {
    let mut mask = [0; 96];
    let mut at = 0;
    while at < 32 {
        mask[at] = 0xff;
        at += 1;
    }
    mask
};

/// Writes eight big-endian words.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
fn store_words(words: [__m128i; 2], out: &mut [u8; 32]) {
    // SAFETY: the unaligned stores write the two halves of a 32-byte array.
    unsafe {
        let p: *mut __m128i = out.as_mut_ptr().cast();
        _mm_storeu_si128(p, big_endian(words[0]));
        _mm_storeu_si128(p.add(1), big_endian(words[1]));
    }
}

/// The inverse of [`load_state`].
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
fn store_state(halves: [__m128i; 2], state: &mut [u32; 8]) {
    let words = in_order(halves);
    // SAFETY: the unaligned stores write the two halves of a 32-byte array.
    unsafe {
        let p: *mut __m128i = state.as_mut_ptr().cast();
        _mm_storeu_si128(p, words[0]);
        _mm_storeu_si128(p.add(1), words[1]);
    }
}

const K256_LEN: usize = K256.len();

/// Compresses two messages. While one message waits for `sha256rnds2`, the instructions of the other run.
///
/// # Safety
/// The CPU must have SHA and AVX; each of `inputs[..2]` must contain `blocks` blocks.
#[target_feature(enable = "sha,avx,ssse3,sse4.1")]
pub(super) unsafe fn compress_2<const ROUNDS: usize>(
    states: &mut [[u32; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    blocks: usize,
) {
    // SAFETY: this function enables the required features; the caller guarantees the lengths of the inputs.
    unsafe { compress_many::<2, ROUNDS>(states, inputs, blocks) }
}

/// Compresses four messages, which take hardly longer than two.
///
/// # Safety
/// The CPU must have SHA and AVX; each of `inputs[..4]` must contain `blocks` blocks.
#[target_feature(enable = "sha,avx,ssse3,sse4.1")]
pub(super) unsafe fn compress_4<const ROUNDS: usize>(
    states: &mut [[u32; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    blocks: usize,
) {
    // SAFETY: this function enables the required features; the caller guarantees the lengths of the inputs.
    unsafe { compress_many::<4, ROUNDS>(states, inputs, blocks) }
}

/// Compresses `S` messages at once, at most four:
///
/// ```text
/// registers: abef, cdgh and W[g] of each message            memory: W[g-3 ..= g] of each, in a ring
/// each group g of four rounds, for each message in turn:
///   its two sha256rnds2 with W[g] + K[g]                    as in `compress`
///   W[g+1] from the ring, by sha256msg1 and sha256msg2      not needed before the next group
/// ```
///
/// It is written in assembly because the order of instructions determines the speed. For four messages, the compiler's
/// order takes 60 cycles per block, and this one takes 51 (Zen 4; the instructions alone take 40).
///
/// # Safety
/// The CPU must have SHA and AVX; each of `inputs[..S]` must contain `blocks` blocks.
#[inline(always)]
unsafe fn compress_many<const S: usize, const ROUNDS: usize>(
    states: &mut [[u32; MAX]; 8],
    inputs: &[Input<'_>; MAX],
    blocks: usize,
) {
    const { assert!(S <= 4 && ROUNDS >= 16 && ROUNDS.is_multiple_of(2)) };
    // SAFETY: the caller guarantees the instructions and the lengths of the inputs. Rows have at least four words. K256
    // has at least ROUNDS words, rounded up to a multiple of four. The assembly reads K256, reads and writes `ring`,
    // and accesses no other memory.
    unsafe {
        let big_endian = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
        let row = |i: usize| _mm_loadu_si128(states[i].as_ptr().cast());
        let mut abef = transpose([row(5), row(4), row(1), row(0)]);
        let mut cdgh = transpose([row(7), row(6), row(3), row(2)]);
        let mut ring = [[_mm_setzero_si128(); 4]; S];
        let mut w = [_mm_setzero_si128(); S];
        for block in 0..blocks {
            let before = (abef, cdgh);
            let mut from = [core::ptr::null::<u8>(); S];
            for s in 0..S {
                from[s] = inputs[s].block(block, 64);
            }
            let word = |s: usize, i: usize| {
                _mm_shuffle_epi8(_mm_loadu_si128(from[s].add(16 * i).cast()), big_endian)
            };
            macro_rules! four_rounds {
                ($s:ident, $t:expr) => {
                    core::arch::asm!(
                        "vpaddd xmm0, {w}, [{k}]",
                        "sha256rnds2 {cdgh}, {abef}, xmm0",
                        "vpshufd xmm0, xmm0, 14",
                        "sha256rnds2 {abef}, {cdgh}, xmm0",
                        w = in(xmm_reg) w[$s], k = in(reg) K256.as_ptr().add($t),
                        abef = inout(xmm_reg) abef[$s], cdgh = inout(xmm_reg) cdgh[$s], out("xmm0") _,
                        options(nostack, preserves_flags, readonly)
                    );
                };
            }
            // The group before the new words is `$i` modulo 4.
            macro_rules! next_words {
                ($s:ident, $i:literal) => {
                    core::arch::asm!(
                        "vmovdqa {next}, [{ring} + {at0}]",
                        "sha256msg1 {next}, [{ring} + {at1}]",
                        "vpalignr {w7}, {w}, [{ring} + {at2}], 4",
                        "vpaddd {next}, {next}, {w7}",
                        "sha256msg2 {next}, {w}",
                        "vmovdqa [{ring} + {at0}], {next}",
                        "vmovdqa {w}, {next}",
                        ring = in(reg) ring[$s].as_mut_ptr(), w = inout(xmm_reg) w[$s],
                        next = out(xmm_reg) _, w7 = out(xmm_reg) _,
                        at0 = const 16 * (($i + 1) & 3), at1 = const 16 * (($i + 2) & 3),
                        at2 = const 16 * (($i + 3) & 3),
                        options(nostack, preserves_flags)
                    );
                };
            }
            macro_rules! group {
                ($t:ident, $i:literal) => {
                    let t = $t + 4 * $i;
                    if t + 4 <= ROUNDS {
                        for s in 0..S {
                            four_rounds!(s, t);
                            if t + 4 < ROUNDS {
                                next_words!(s, $i);
                            }
                        }
                    }
                };
            }
            // The first sixteen words are those of the block.
            for s in 0..S {
                w[s] = word(s, 0);
                ring[s][0] = w[s];
            }
            macro_rules! first_groups {
                ($($i:literal)*) => { $( for s in 0..S {
                    four_rounds!(s, 4 * $i);
                    w[s] = word(s, $i + 1);
                    ring[s][$i + 1] = w[s];
                } )* };
            }
            first_groups!(0 1 2);
            for s in 0..S {
                four_rounds!(s, 12);
                next_words!(s, 3);
            }
            let mut t = 16;
            while t < ROUNDS {
                group!(t, 0);
                group!(t, 1);
                group!(t, 2);
                group!(t, 3);
                t += 16;
            }
            // SHA256-90R ends in the middle of a group.
            if ROUNDS % 4 == 2 {
                let k = _mm_loadu_si128(K256.as_ptr().add(ROUNDS - 2).cast());
                for s in 0..S {
                    let next = _mm_sha256rnds2_epu32(cdgh[s], abef[s], _mm_add_epi32(w[s], k));
                    (abef[s], cdgh[s]) = (next, abef[s]);
                }
            }
            for s in 0..S {
                abef[s] = _mm_add_epi32(abef[s], before.0[s]);
                cdgh[s] = _mm_add_epi32(cdgh[s], before.1[s]);
            }
        }
        let [f, e, b, a] = transpose(abef);
        let [h, g, d, c] = transpose(cdgh);
        for (row, words) in states.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            _mm_storeu_si128(row.as_mut_ptr().cast(), words);
        }
    }
}

/// Transposes four words of each of four messages: rows become messages, and messages become rows.
///
/// # Safety
/// The CPU must have SSE2.
#[inline(always)]
unsafe fn transpose(r: [__m128i; 4]) -> [__m128i; 4] {
    // SAFETY: the instructions use only registers, and the caller guarantees that the CPU has them.
    unsafe {
        let t = [
            _mm_unpacklo_epi32(r[0], r[1]),
            _mm_unpackhi_epi32(r[0], r[1]),
            _mm_unpacklo_epi32(r[2], r[3]),
            _mm_unpackhi_epi32(r[2], r[3]),
        ];
        [
            _mm_unpacklo_epi64(t[0], t[2]),
            _mm_unpackhi_epi64(t[0], t[2]),
            _mm_unpacklo_epi64(t[1], t[3]),
            _mm_unpackhi_epi64(t[1], t[3]),
        ]
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::super::SHA256;
    use super::*;
    use crate::families::md::{Md, Spec};
    use crate::families::sha1::SHA1;
    use crate::internal::cores::Core;
    use crate::internal::cpu;

    /// Fills a vector register with ones, calls `work`, and returns the bits of the register above the lower 128.
    fn left_above(work: impl FnOnce()) -> __m128i {
        let left;
        // SAFETY: the caller has checked that the CPU has AVX. Each statement names the register that it changes.
        unsafe {
            asm!("vcmptrueps ymm15, ymm15, ymm15", out("xmm15") _, options(nomem, nostack, preserves_flags));
            work();
            asm!("vextractf128 {0}, ymm15, 1", out(xmm_reg) left, options(nomem, nostack, preserves_flags));
        }
        left
    }

    /// The caller of an SSE-encoded kernel clears the upper register halves, because data in them would slow the kernel
    /// down.
    #[test]
    fn nothing_is_above_128_bits_when_a_kernel_begins() {
        fn check<const N: usize>(spec: &Spec<u32, N, 64>) {
            let hash = Md::with_kernel(spec, Some("sha-ni")).expect("the CPU has it");
            let above = left_above(|| hash.digest(b"abc", &mut [0; 20]));
            // SAFETY: both types have 16 bytes without padding.
            assert_eq!(unsafe { transmute::<__m128i, [u64; 2]>(above) }, [0; 2]);
        }
        if cpu::sha_ni_avx() {
            check(&SHA256);
            check(&SHA1);
            // The control: without a kernel, nothing clears the upper halves.
            let above = left_above(|| ());
            // SAFETY: as above.
            assert_eq!(unsafe { transmute::<__m128i, [u64; 2]>(above) }, [u64::MAX; 2]);
        }
    }
}
