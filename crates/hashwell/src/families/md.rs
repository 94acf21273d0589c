//! The Merkle–Damgård core. SHA-1, the SHA-2 family, SHA256-90R, SM3 and RIPEMD-160 share one
//! struct with different [`Spec`]s.

use crate::internal::batch::{self, Batch, Lanes, Pair, TAIL};
use crate::internal::buffer::{BlockBuffer, Hold, copy_short, pad_merkle_damgard, strengthened};
use crate::internal::cores::Core;
use crate::internal::error::Error;
use crate::internal::kernel::{Chosen, Table};
use crate::internal::keyed::{
    HmacCore, Keyed, KeyedHmac, Rekeyable, Tag, key_block, pad_for_inner, pad_for_outer,
};
use crate::internal::saved::{Fields, NOT_INITIAL, Saved};
use crate::internal::small;
use crate::internal::vector::{Input, MAX};
use alloc::vec::Vec;
use core::ops::Range;
use zeroize::Zeroize;

/// A word of the chaining value.
pub(crate) trait MdWord: Copy + Zeroize + Send + Sync + 'static {
    const BYTES: usize;
    const ZERO: Self;
    /// True if there are batch kernels for hashes with this word.
    const SIDE_BY_SIDE: bool;
    /// Writes the word as it appears in a digest. `out` has `BYTES` bytes.
    fn write(self, out: &mut [u8]);
    /// Returns the word that [`MdWord::write`] writes as these bytes.
    fn read(bytes: &[u8]) -> Self;
    /// Writes the length of a message in bits, which follows its padding, as a number of
    /// `out.len()` bytes.
    fn write_length(bits: u128, out: &mut [u8]);
}

/// A 32-bit word of a hash that is little-endian throughout, as MD4 was. SHA is big-endian.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Little(pub(crate) u32);

impl Little {
    /// Returns the words of many states as numbers.
    #[allow(unsafe_code)] // the batch kernels of such hashes load and store whole rows
    pub(crate) fn numbers<const N: usize>(states: &mut [[Little; MAX]; N]) -> &mut [[u32; MAX]; N] {
        // SAFETY: `Little` is a transparent wrapper, so both types are arrays of the same number of `u32`.
        unsafe { &mut *(&raw mut *states).cast() }
    }
}

impl Zeroize for Little {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl MdWord for Little {
    const BYTES: usize = 4;
    const ZERO: Little = Little(0);
    const SIDE_BY_SIDE: bool = !small::FEW_BATCH_KERNELS;
    fn write(self, out: &mut [u8]) {
        out.copy_from_slice(&self.0.to_le_bytes());
    }
    fn read(bytes: &[u8]) -> Little {
        Little(u32::from_le_bytes(*bytes.first_chunk().expect("four bytes")))
    }
    fn write_length(bits: u128, out: &mut [u8]) {
        out.copy_from_slice(&bits.to_le_bytes()[..out.len()]);
    }
}

/// Writes the length of a message in SHA's byte order (FIPS 180-4 section 5.1).
#[inline(always)]
fn big_endian(bits: u128, out: &mut [u8]) {
    out.copy_from_slice(&bits.to_be_bytes()[16 - out.len()..]);
}

impl MdWord for u32 {
    const BYTES: usize = 4;
    const ZERO: u32 = 0;
    const SIDE_BY_SIDE: bool = true;
    fn read(bytes: &[u8]) -> u32 {
        u32::from_be_bytes(*bytes.first_chunk().expect("four bytes"))
    }
    #[inline(always)]
    fn write(self, out: &mut [u8]) {
        out.copy_from_slice(&self.to_be_bytes());
    }
    #[inline(always)]
    fn write_length(bits: u128, out: &mut [u8]) {
        big_endian(bits, out);
    }
}

impl MdWord for u64 {
    const BYTES: usize = 8;
    const ZERO: u64 = 0;
    const SIDE_BY_SIDE: bool = !small::FEW_BATCH_KERNELS;
    fn read(bytes: &[u8]) -> u64 {
        u64::from_be_bytes(*bytes.first_chunk().expect("eight bytes"))
    }
    #[inline(always)]
    fn write(self, out: &mut [u8]) {
        out.copy_from_slice(&self.to_be_bytes());
    }
    #[inline(always)]
    fn write_length(bits: u128, out: &mut [u8]) {
        big_endian(bits, out);
    }
}

/// Returns ⌊2^30 · n^(1/degree)⌋ for degree 2 or 3. The constants of SHA-1 and RIPEMD-160 are such
/// roots.
pub(crate) const fn root(n: u128, degree: u32) -> u32 {
    let mut x: u128 = 0;
    let mut bit = 32;
    while bit > 0 {
        bit -= 1;
        let trial = x | 1 << bit;
        if trial.pow(degree) <= n << (30 * degree) {
            x = trial;
        }
    }
    x as u32
}

/// Kernel contract (*chain*).
#[derive(Clone, Copy)]
pub(crate) struct Chain<W: 'static, const N: usize, const B: usize> {
    pub(crate) compress: Compress<W, N, B>,
    /// The two steps of HMAC-DRBG, for kernels that are faster if they keep words in registers.
    pub(crate) hmac: Option<HmacKernel<W, N, B>>,
    /// True if the kernel is slowed down by data that other code has left above the lower 128 bits of registers. This
    /// applies to the SHA instructions, which have only an SSE encoding.
    pub(crate) sse: bool,
}

/// Kernel contract (*HMAC*).
#[derive(Clone, Copy)]
pub(crate) struct HmacKernel<W: 'static, const N: usize, const B: usize> {
    pub(crate) tags: unsafe fn(&mut Tags<'_, W, N, B>),
    pub(crate) rekey: unsafe fn(&mut Rekey<'_, W, N, B>),
}

/// Absorbs whole blocks into one chaining value.
pub(crate) type Compress<W, const N: usize, const B: usize> = unsafe fn(&mut [W; N], &[[u8; B]]);

/// A sequence of HMAC tags, each of which is the next message.
pub(crate) struct Tags<'a, W, const N: usize, const B: usize> {
    /// The chaining values after (key ⊕ ipad) and (key ⊕ opad).
    pub(crate) midstates: [&'a [W; N]; 2],
    /// The first message, padded.
    pub(crate) block: &'a mut [u8; B],
    /// A message of the length of a tag, all zeros, with its padding.
    pub(crate) padding: &'a [u8; B],
    /// The length of a tag in bytes.
    pub(crate) len: usize,
    /// The output for the tags, one after the other. The last tag is truncated to fit. If the output is empty, one tag
    /// is still computed. The last tag stays in `block` as a padded message.
    pub(crate) out: &'a mut [u8],
}

/// A new key and a new V for HMAC-DRBG.
pub(crate) struct Rekey<'a, W, const N: usize, const B: usize> {
    /// H(0).
    pub(crate) fresh: &'a [W; N],
    /// The midstates as in [`Tags`]. They are replaced by those of the new key.
    pub(crate) midstates: [&'a mut [W; N]; 2],
    /// V ‖ 00, padded.
    pub(crate) block: &'a [u8; B],
    /// The padding as in [`Tags`].
    pub(crate) padding: &'a [u8; B],
    /// The length of a tag, of `k` and of `v`, in bytes. Their other bytes are zeros.
    pub(crate) len: usize,
    /// The new key.
    pub(crate) k: &'a mut Tag,
    /// The old V, which is replaced by the new one.
    pub(crate) v: &'a mut Tag,
}

impl<W, const N: usize, const B: usize> Chain<W, N, B> {
    /// Returns a kernel that has no functions for HMAC and does not use the SSE encoding.
    pub(crate) const fn plain(compress: Compress<W, N, B>) -> Self {
        Self { compress, hmac: None, sse: false }
    }
}

impl<W: MdWord, const N: usize, const B: usize> Chosen<Chain<W, N, B>> {
    /// Returns the kernel. If the kernel uses SSE encoding, first clears the upper halves of the vector registers. The
    /// caller must call the kernel next, before other code uses the upper halves again.
    #[inline]
    fn ready(self) -> Chain<W, N, B> {
        let kernel = self.function();
        #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
        if kernel.sse {
            crate::internal::vector::x86::clear_upper_halves();
        }
        kernel
    }

    #[inline]
    #[allow(unsafe_code)] // the only unsafe call of the compression functions
    fn compress(self, state: &mut [W; N], blocks: &[[u8; B]]) {
        // SAFETY: a `Chosen` proves that the CPU has the kernel's features, which is all that it requires.
        unsafe { (self.ready().compress)(state, blocks) }
    }

    /// Computes the tags, in registers or in memory.
    #[inline]
    #[allow(unsafe_code)] // calls the kernel's loop over tags
    fn tags(self, tags: &mut Tags<'_, W, N, B>) {
        assert!(tags.len <= N * W::BYTES);
        match self.ready().hmac {
            // SAFETY: a `Chosen` proves that the CPU has the kernel's features, which is all that it requires.
            Some(hmac) => unsafe { (hmac.tags)(tags) },
            None => self.tags_in_memory(tags),
        }
    }

    /// Computes the key and V in registers. Returns false if the kernel has no function for this.
    #[inline]
    #[allow(unsafe_code)] // calls the kernel's function for new keys
    fn rekey(self, rekey: &mut Rekey<'_, W, N, B>) -> bool {
        assert!(rekey.len <= N * W::BYTES);
        let Some(hmac) = self.ready().hmac else { return false };
        // SAFETY: a `Chosen` proves that the CPU has the kernel's features, which is all that it requires.
        unsafe { (hmac.rekey)(rekey) };
        true
    }

    /// Each tag, and each inner digest, is the digest of a key block and one more block. The same padded block is used
    /// for all of them, which is a tenth faster than computing separate hashes.
    fn tags_in_memory(self, tags: &mut Tags<'_, W, N, B>) {
        let Tags { midstates, block, padding, len, out } = tags;
        let mut state = [W::ZERO; N];
        let mut done = 0;
        loop {
            for midstate in *midstates {
                state.copy_from_slice(midstate);
                self.compress(&mut state, core::slice::from_ref(block));
                // Writes the whole chaining value, whose length the compiler knows, with vectors.
                // If single words were written, the loads of the next block would wait for them.
                // Then the padding is restored after the tag.
                let words = block.chunks_exact_mut(W::BYTES);
                words.zip(&state).for_each(|(bytes, word)| word.write(bytes));
                block[*len..].copy_from_slice(&padding[*len..]);
            }
            let chunk = (out.len() - done).min(*len);
            out[done..done + chunk].copy_from_slice(&block[..chunk]);
            done += chunk;
            if done == out.len() {
                break;
            }
        }
        state = [W::ZERO; N];
        zeroize::optimization_barrier(&state);
    }
}

/// Kernel contract (*batch*): absorbs this number of whole blocks of each message. Row `i` of the
/// states contains word `i` of each chaining value.
pub(crate) type CompressMany<W, const N: usize> = unsafe fn(&mut [[W; MAX]; N], &[Input<'_>; MAX], usize);

/// The table of batch kernels.
pub(crate) type BatchTable<W, const N: usize> = Table<Batch<CompressMany<W, N>>>;

/// The parameters that distinguish one Merkle–Damgård hash from another.
pub(crate) struct Spec<W: 'static, const N: usize, const B: usize> {
    /// H(0), the initial chaining value.
    pub(crate) initial: [W; N],
    pub(crate) kernels: &'static Table<Chain<W, N, B>>,
    pub(crate) many: &'static BatchTable<W, N>,
}

/// The kernels of a batch.
pub(crate) type KernelPair<W, const N: usize, const B: usize> = Pair<Chain<W, N, B>, CompressMany<W, N>>;

/// Many hashes in progress that start from one state and absorb only whole blocks.
#[repr(C, align(64))] // the states first, aligned as vectors
pub(crate) struct MdLanes<'s, W: MdWord, const N: usize, const B: usize> {
    states: [[W; MAX]; N],
    kernels: KernelPair<W, N, B>,
    /// The state before each message, if there are messages.
    start: Option<&'s Md<W, N, B>>,
    secret: bool,
    /// The number of bytes absorbed before the message, for the padding.
    before: [u64; MAX],
}

impl<'s, W: MdWord, const N: usize, const B: usize> MdLanes<'s, W, N, B> {
    pub(crate) fn new(kernels: KernelPair<W, N, B>, start: &'s Md<W, N, B>, secret: bool) -> Self {
        debug_assert!(start.buffer.is_empty());
        Self::on(kernels, Some(start), secret)
    }

    fn on(kernels: KernelPair<W, N, B>, start: Option<&'s Md<W, N, B>>, secret: bool) -> Self {
        Self { kernels, start, secret, states: [[W::ZERO; MAX]; N], before: [0; MAX] }
    }

    /// Returns the chaining value of a lane. It copies word by word, because `map` over the rows
    /// would copy all of them first.
    fn state(&self, lane: usize) -> [W; N] {
        core::array::from_fn(|word| self.states[word][lane])
    }
}

/// Returns lanes for calibration, without a message.
pub(crate) fn zeros<W: MdWord, const N: usize, const B: usize>(kernels: KernelPair<W, N, B>) -> impl Lanes {
    MdLanes::on(kernels, None, false)
}

impl<W: MdWord, const N: usize, const B: usize> Lanes for MdLanes<'_, W, N, B> {
    fn block_len(&self) -> usize {
        B
    }

    fn width(&self) -> (usize, usize) {
        self.kernels.width()
    }

    fn begin(&mut self, lanes: Range<usize>, prefix_len: usize) {
        let start = self.start.expect("the calibration begins no message");
        batch::fill(&mut self.states, &lanes, &start.state);
        self.before[lanes].fill(start.length + prefix_len as u64);
    }

    fn body_len(&self, message_len: usize) -> usize {
        message_len / B * B
    }

    fn pad(&mut self, lane: usize, message: &[u8], body_len: usize, tail: &mut [u8; TAIL]) -> usize {
        let rest = &message[body_len..];
        let bits = u128::from(self.before[lane] + message.len() as u64) << 3;
        pad_merkle_damgard::<B>(rest, tail, |length| W::write_length(bits, length))
    }

    #[allow(unsafe_code)] // the only unsafe call of the batch kernels
    fn absorb(&mut self, inputs: &[Input<'_>; MAX], blocks: usize) {
        let kernel = self.kernels.batch.expect("more than one lane").to_call();
        assert!(inputs[..kernel.lanes].iter().all(|input| input.holds(blocks, B)));
        // SAFETY: a `Chosen` proves that the CPU has the kernel's features; the assertion checks the inputs.
        unsafe { (kernel.function)(&mut self.states, inputs, blocks) }
    }

    fn absorb_alone(&mut self, lane: usize, input: &[u8]) {
        let mut state = self.state(lane);
        self.kernels.chain.compress(&mut state, input.as_chunks().0);
        for (row, word) in self.states.iter_mut().zip(state) {
            row[lane] = word;
        }
    }

    fn take(&mut self, lane: usize, out: &mut [u8]) -> usize {
        write_words(&self.state(lane), out);
        out.len()
    }

    fn output_at_once(&self) -> usize {
        N * W::BYTES
    }

    fn secret(&self) -> bool {
        self.secret
    }
}

impl<W: MdWord, const N: usize, const B: usize> Drop for MdLanes<'_, W, N, B> {
    fn drop(&mut self) {
        if self.secret {
            self.states.zeroize();
        }
    }
}

/// Writes the leftmost bytes of a chaining value.
#[inline(always)]
fn write_words<W: MdWord, const N: usize>(state: &[W; N], out: &mut [u8]) {
    let mut words = out.chunks_exact_mut(W::BYTES);
    for (bytes, word) in words.by_ref().zip(state) {
        word.write(bytes);
    }
    // The digest of SHA-512/224 ends inside a word.
    let rest = words.into_remainder();
    if !rest.is_empty() {
        let mut last = [0; 8];
        let start = out.len() / W::BYTES * W::BYTES;
        state[start / W::BYTES].write(&mut last[..W::BYTES]);
        let rest = &mut out[start..];
        rest.copy_from_slice(&last[..rest.len()]);
    }
}

/// One hash in progress. `W` is the word, `N` the number of words in the chaining value, and `B`
/// the block length in bytes.
#[derive(Clone)]
pub(crate) struct Md<W: 'static, const N: usize, const B: usize> {
    kernel: Chosen<Chain<W, N, B>>,
    state: [W; N],
    buffer: BlockBuffer<B>,
    /// The number of message bytes so far. It cannot reach 2^64 - 1. The padding converts it to
    /// bits with a wider type.
    length: u64,
}

impl<W: MdWord, const N: usize, const B: usize> Md<W, N, B> {
    #[inline]
    pub(crate) fn new(spec: &Spec<W, N, B>) -> Self {
        Self::on(spec, spec.kernels.best())
    }

    pub(crate) fn with_kernel(spec: &Spec<W, N, B>, name: Option<&str>) -> Result<Self, Error> {
        spec.kernels.choose(name).map(|kernel| Self::on(spec, kernel))
    }

    fn on(spec: &Spec<W, N, B>, kernel: Chosen<Chain<W, N, B>>) -> Self {
        Self { kernel, state: spec.initial, buffer: BlockBuffer::new(), length: 0 }
    }
}

impl<W: MdWord, const N: usize, const B: usize> Md<W, N, B> {
    /// Ends the message with `last`. The message so far consists of whole blocks. One variable contains a copy of the
    /// state and the padding, and is overwritten afterwards.
    ///
    /// In WebAssembly, each clearing or copying of more than a few words is a function call. A buffer of two blocks,
    /// which needs only one kernel call if the padding takes two blocks, was measured on Zen 4. SHA-1 and SHA-256 took
    /// 2 to 8 % less time, and all other algorithms 1 to 3 % more.
    #[inline(always)]
    fn finish_apart(&self, last: &[u8], out: &mut [u8]) {
        let mut work = (self.state, [0; B]);
        let (state, block) = (&mut work.0, &mut work.1);
        self.end(self.length, last, state, block);
        write_words(state, out);
        work = ([W::ZERO; N], [0; B]);
        zeroize::optimization_barrier(&work);
    }

    /// Absorbs the end of a message and its padding into `state`. Before `last`, `length` bytes
    /// were absorbed, in whole blocks. `block` contains zeros.
    #[inline(always)]
    fn end(&self, length: u64, last: &[u8], state: &mut [W; N], block: &mut [u8; B]) {
        let (blocks, rest) = last.as_chunks();
        if !blocks.is_empty() {
            self.kernel.compress(state, blocks);
        }
        copy_short(rest, block);
        let bits = u128::from(length.wrapping_add(last.len() as u64)) << 3;
        let write_length = |out: &mut [u8]| W::write_length(bits, out);
        strengthened(block, rest.len(), write_length, |blocks| self.kernel.compress(state, blocks));
    }
}

/// HMAC of one message.
impl<W: MdWord, const N: usize, const B: usize> Md<W, N, B> {
    /// Computes the steps of FIPS 198-1 table 1 with two chaining values and one block, from a hash
    /// without input. States with separate buffers took a third more time for a short message.
    #[inline(always)]
    pub(crate) fn tag_of_one(&self, output_len: usize, key: &[u8], message: &[u8], tag: &mut [u8]) {
        let mut work = ([self.state; 2], [0; B]);
        let ([inner, outer], block) = (&mut work.0, &mut work.1);
        key_block(key, block, output_len, |key, digest| self.finish_apart(key, digest));
        pad_for_inner(block);
        self.kernel.compress(inner, core::slice::from_ref(block));
        pad_for_outer(block);
        self.kernel.compress(outer, core::slice::from_ref(block));
        *block = [0; B];
        self.end(B as u64, message, inner, block);
        *block = Self::padding(output_len);
        write_words(inner, &mut block[..output_len]);
        self.kernel.compress(outer, core::slice::from_ref(block));
        write_words(outer, tag);
        work = ([[W::ZERO; N]; 2], [0; B]);
        zeroize::optimization_barrier(&work);
    }
}

/// HMAC of messages that are tags themselves.
impl<W: MdWord, const N: usize, const B: usize> Md<W, N, B> {
    /// Returns the last block of a message of `len` bytes that follows a key block. The block contains zeros instead of
    /// the message, and then the padding.
    #[inline(always)]
    fn padding(len: usize) -> [u8; B] {
        const { assert!(B >= 64) };
        let mut padding = [0; B];
        padding[len] = 0x80;
        let bits = (B + len) as u128 * 8;
        W::write_length(bits, &mut padding[B - B / 8..]);
        padding
    }

    /// Computes [`Tags`] and returns the last tag.
    #[inline(always)]
    fn tags(keyed: &Keyed<Self>, block: &mut [u8; B], padding: &[u8; B], len: usize, out: &mut [u8]) -> Tag {
        let midstates = [&keyed.inner.state, &keyed.outer.state];
        keyed.inner.kernel.tags(&mut Tags { midstates, block, padding, len, out });
        difference(block, padding)
    }
}

/// Xors a tag or a key into the start of a block.
#[inline(always)]
fn xor<const B: usize>(block: &mut [u8; B], tag: &Tag) {
    block.iter_mut().zip(tag).for_each(|(byte, tag)| *byte ^= tag);
}

/// Returns the tag in a padded block.
#[inline(always)]
fn difference<const B: usize>(block: &[u8; B], padding: &[u8; B]) -> Tag {
    core::array::from_fn(|at| block[at] ^ padding[at])
}

impl<W: MdWord, const N: usize, const B: usize> Core for Md<W, N, B> {
    #[inline(always)]
    fn update(&mut self, data: &[u8]) {
        let Self { kernel, state, buffer, length } = self;
        buffer.absorb(data, Hold::Nothing, |blocks| kernel.compress(state, blocks));
        *length = length.wrapping_add(data.len() as u64);
    }

    /// Pads, and writes the leftmost bytes of the chaining value.
    #[inline(always)]
    fn finalize_into(&mut self, out: &mut [u8]) {
        let Self { kernel, state, buffer, length } = self;
        let write_length = |out: &mut [u8]| W::write_length(u128::from(*length) << 3, out);
        buffer.pad_merkle_damgard(write_length, |blocks| kernel.compress(state, blocks));
        write_words(state, out);
    }

    #[inline(always)]
    fn digest(self, data: &[u8], out: &mut [u8]) {
        self.finish_apart(data, out);
    }

    /// If the buffer is empty, the state is not copied: the end of the message and its padding have their own memory.
    #[inline(always)]
    fn digest_with(&self, last: &[u8], out: &mut [u8]) {
        if !self.buffer.is_empty() {
            let mut state = self.clone();
            state.update(last);
            state.finalize_into(out);
            state.zeroize();
            return;
        }
        self.finish_apart(last, out);
    }

    fn kernel(&self) -> &'static str {
        self.kernel.name()
    }
}

impl<W: MdWord, const N: usize, const B: usize> HmacCore for Md<W, N, B> {
    fn chain_hmac(hmac: &Rekeyable<Self>, v: &mut Tag, out: &mut [u8]) {
        if out.is_empty() {
            return;
        }
        let len = hmac.output_len();
        let padding = Self::padding(len);
        let mut block = padding;
        xor(&mut block, v);
        *v = Self::tags(&hmac.keyed, &mut block, &padding, len, out);
        block = [0; B];
        zeroize::optimization_barrier(&block);
    }

    /// All operations use whole arrays, so that the compiler uses vectors. A copy whose length the compiler does not
    /// know costs a tenth of a compression.
    fn rekey_hmac(hmac: &mut Rekeyable<Self>, k: &mut Tag, v: &mut Tag) {
        let len = hmac.output_len();
        let padding = Self::padding(len);
        // The separator 00 is already there.
        let mut block = Self::padding(len + 1);
        xor(&mut block, v);
        let Rekeyable { fresh, keyed: Keyed { inner, outer, .. }, .. } = hmac;
        let midstates = [&mut inner.state, &mut outer.state];
        let mut rekey = Rekey { fresh: &fresh.state, midstates, block: &block, padding: &padding, len, k, v };
        if fresh.kernel.rekey(&mut rekey) {
            (inner.length, outer.length) = (B as u64, B as u64);
        } else {
            *k = Self::tags(&hmac.keyed, &mut block, &padding, len, &mut []);
            hmac.set_key(&k[..len]);
            block = padding;
            xor(&mut block, v);
            *v = Self::tags(&hmac.keyed, &mut block, &padding, len, &mut []);
        }
        block = [0; B];
        zeroize::optimization_barrier(&block);
    }
}

impl<W: MdWord, const N: usize, const B: usize> Saved for Md<W, N, B> {
    fn message_len(&self) -> u64 {
        self.length
    }

    fn save(&self, out: &mut Vec<u8>) {
        for word in &self.state {
            let mut bytes = [0; 8];
            word.write(&mut bytes[..W::BYTES]);
            out.extend_from_slice(&bytes[..W::BYTES]);
        }
        out.extend_from_slice(self.buffer.bytes());
    }

    fn restore(&mut self, length: u64, fields: &mut Fields<'_>) -> Result<(), Error> {
        let mut initial = [0; 64];
        write_words(&self.state, &mut initial[..N * W::BYTES]);
        let state = fields.take(N * W::BYTES)?;
        if length < B as u64 && *state != initial[..N * W::BYTES] {
            return Err(NOT_INITIAL);
        }
        self.buffer.refill(fields.take((length % B as u64) as usize)?);
        self.state
            .iter_mut()
            .zip(state.chunks_exact(W::BYTES))
            .for_each(|(word, bytes)| *word = W::read(bytes));
        self.length = length;
        Ok(())
    }
}

impl<W: MdWord, const N: usize, const B: usize> Zeroize for Md<W, N, B> {
    fn zeroize(&mut self) {
        self.state = [W::ZERO; N];
        self.length = 0;
        self.buffer.zeroize();
        zeroize::optimization_barrier(self);
    }
}
