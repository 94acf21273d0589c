//! The sponge of SHA-3, SHAKE, cSHAKE, KMAC, TurboSHAKE and the nodes of KangarooTwelve over
//! Keccak-p, and of all Ascon hashes over Ascon-p. They differ in their [`Spec`].
//!
//! The permutation is lazy. A state is at byte `pos` of its rate, and a full rate is permuted only
//! when more bytes are absorbed or squeezed. So absorbing a short message and reading a short
//! output costs one permutation.

use crate::families::contract::HashState;
use crate::internal::batch::{self, Batch, Pair, TAIL};
use crate::internal::buffer::copy_short;
use crate::internal::cores::{Core, CoreReader};
use crate::internal::error::Error;
use crate::internal::kernel::{Chosen, Table};
use crate::internal::keyed;
use crate::internal::keyed::HmacCore;
use crate::internal::saved::{Fields, NOT_INITIAL, Saved};
use crate::internal::vector::{Input, MAX};
use crate::internal::wipe::Depth;
use alloc::vec::Vec;
use core::ops::Range;
use zeroize::Zeroize;

/// Kernel contract (*chain*): the permutation, and the absorbing of whole blocks, with the full
/// number of rounds and with the reduced one (24 and 12 for Keccak-p\[1600\], 12 and 8 for
/// Ascon-p).
#[derive(Clone, Copy)]
pub(crate) struct Permutation<const WORDS: usize> {
    pub(crate) permute: ByRounds<unsafe fn(&mut [u64; WORDS])>,
    /// Xors each block into the state and permutes it. The data consists of whole blocks.
    pub(crate) absorb: ByRounds<Absorb<WORDS>>,
}

/// Kernel contract (*batch*): the same operations on many states in parallel. Row `i` contains word
/// `i` of each state.
#[derive(Clone, Copy)]
pub(crate) struct PermutationMany<const WORDS: usize> {
    /// Xors a block of each message into its state and permutes, repeated for the given number of
    /// blocks.
    pub(crate) absorb: ByRounds<AbsorbMany<WORDS>>,
    /// Permutes, and writes a block of each state to its output, repeated for the given number of blocks. If the last
    /// argument is true, the first permutation is skipped.
    pub(crate) squeeze: ByRounds<SqueezeMany<WORDS>>,
}

/// The table of batch kernels.
pub(crate) type BatchTable<const WORDS: usize> = Table<Batch<PermutationMany<WORDS>>>;

pub(crate) type Absorb<const WORDS: usize> = unsafe fn(&mut [u64; WORDS], &[u8], Block);
pub(crate) type AbsorbMany<const WORDS: usize> =
    unsafe fn(&mut [[u64; MAX]; WORDS], &[Input<'_>; MAX], Block, usize);
pub(crate) type SqueezeMany<const WORDS: usize> =
    unsafe fn(&mut [[u64; MAX]; WORDS], &[*mut u8; MAX], Block, usize, bool);

/// One function for each number of rounds.
#[derive(Clone, Copy)]
pub(crate) struct ByRounds<F> {
    pub(crate) full: F,
    pub(crate) reduced: F,
}

impl<F> ByRounds<F> {
    fn of(self, rounds: Rounds) -> F {
        if rounds == Rounds::Full { self.full } else { self.reduced }
    }
}

/// The layout of a block in the words of the state.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    /// The rate in bytes, a multiple of eight.
    pub(crate) rate: usize,
    pub(crate) order: ByteOrder,
}

/// The number of rounds: full or reduced.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounds {
    Full,
    Reduced,
}

impl<const WORDS: usize> Chosen<Permutation<WORDS>> {
    #[inline]
    #[allow(unsafe_code)] // one of the two unsafe calls of Keccak and Ascon
    fn permute(self, words: &mut [u64; WORDS], rounds: Rounds) {
        // SAFETY: a `Chosen` proves that the CPU has the kernel's features, which is all that it requires.
        unsafe { self.function().permute.of(rounds)(words) }
    }

    #[inline]
    #[allow(unsafe_code)] // absorbing is the second one
    fn absorb(self, words: &mut [u64; WORDS], data: &[u8], block: Block, rounds: Rounds) {
        // SAFETY: as above.
        unsafe { self.function().absorb.of(rounds)(words, data, block) }
    }
}

/// The byte order of a word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ByteOrder {
    Little,
    Big,
}

/// The parameters that distinguish one sponge from another.
pub(crate) struct Spec<const WORDS: usize> {
    pub(crate) kernels: &'static Table<Permutation<WORDS>>,
    pub(crate) many: &'static BatchTable<WORDS>,
    /// The number of bytes absorbed or squeezed per permutation, a multiple of eight.
    pub(crate) rate: usize,
    /// The byte that ends the message: domain bits and the first padding bit.
    pub(crate) suffix: u8,
    /// The byte xored into the last byte of the rate: the final bit of pad10*1, or zero if there is
    /// none.
    pub(crate) last: u8,
    pub(crate) order: ByteOrder,
    /// The number of rounds of the permutation between two blocks, while absorbing and while squeezing.
    pub(crate) between: Rounds,
    /// The number of rounds of the permutation after the padded block.
    pub(crate) finish: Rounds,
    pub(crate) initial: [u64; WORDS],
}

impl<const WORDS: usize> Spec<WORDS> {
    /// Returns a sponge for calibration: all zeros, with the full number of rounds. The results also apply to the
    /// reduced number of rounds.
    pub(crate) const fn zeros(
        kernels: &'static Table<Permutation<WORDS>>,
        many: &'static BatchTable<WORDS>,
        rate: usize,
    ) -> Self {
        Self {
            kernels,
            many,
            rate,
            suffix: 0,
            last: 0,
            order: ByteOrder::Little,
            between: Rounds::Full,
            finish: Rounds::Full,
            initial: [0; WORDS],
        }
    }

    /// Returns true if all permutations have the same number of rounds.
    pub(crate) fn is_uniform(&self) -> bool {
        self.between == self.finish
    }

    fn block(&self) -> Block {
        Block { rate: self.rate, order: self.order }
    }
}

/// A sponge that absorbs or, inside a [`SpongeReader`], squeezes.
#[derive(Clone)]
pub(crate) struct Sponge<const WORDS: usize> {
    spec: &'static Spec<WORDS>,
    kernel: Chosen<Permutation<WORDS>>,
    words: [u64; WORDS],
    /// The number of bytes of the current block that were absorbed, `0..rate`, or squeezed,
    /// `0..=rate`.
    pos: usize,
    /// The number of message bytes so far, without the input that comes from the parameters.
    length: u64,
    suffix: u8,
}

impl<const WORDS: usize> Sponge<WORDS> {
    #[inline]
    pub(crate) fn new(spec: &'static Spec<WORDS>) -> Self {
        Self::on(spec, spec.kernels.best())
    }

    pub(crate) fn with_kernel(spec: &'static Spec<WORDS>, name: Option<&str>) -> Result<Self, Error> {
        spec.kernels.choose(name).map(|kernel| Self::on(spec, kernel))
    }

    pub(crate) fn on(spec: &'static Spec<WORDS>, kernel: Chosen<Permutation<WORDS>>) -> Self {
        Self { spec, kernel, words: spec.initial, pos: 0, length: 0, suffix: spec.suffix }
    }

    /// Replaces the suffix byte (the domain of cSHAKE, D of TurboSHAKE).
    pub(crate) fn set_suffix(&mut self, suffix: u8) {
        self.suffix = suffix;
    }

    /// Returns true if [`SpongeLanes`] can continue this state.
    pub(crate) fn suits_lanes(&self) -> bool {
        self.pos == 0 && self.spec.is_uniform()
    }

    pub(crate) fn rate(&self) -> usize {
        self.spec.rate
    }

    pub(crate) fn absorb(&mut self, mut data: &[u8]) {
        let rate = self.spec.rate;
        self.length = self.length.wrapping_add(data.len() as u64);
        if self.pos > 0 {
            let (head, rest) = data.split_at(data.len().min(rate - self.pos));
            xor_in(&mut self.words, self.pos, head, self.spec.order);
            self.pos += head.len();
            data = rest;
            if self.pos < rate {
                return;
            }
            self.end_block();
        }
        let (blocks, data) = data.split_at(data.len() / rate * rate);
        if !blocks.is_empty() {
            self.kernel.absorb(&mut self.words, blocks, self.spec.block(), self.spec.between);
        }
        xor_in(&mut self.words, 0, data, self.spec.order);
        self.pos = data.len();
    }

    /// Fills the current block with zeros (SP 800-185 `bytepad`), so that the next input starts a
    /// block.
    pub(crate) fn pad_with_zeros(&mut self) {
        if self.pos > 0 {
            self.end_block();
        }
    }

    /// Marks the start of the message, which must be at the start of a block. The input so far came from the
    /// parameters.
    pub(crate) fn begin_message(&mut self) {
        debug_assert_eq!(self.pos, 0);
        self.length = 0;
    }

    fn end_block(&mut self) {
        self.kernel.permute(&mut self.words, self.spec.between);
        self.pos = 0;
    }

    /// Ends the message with the suffix, the last padding bit and the closing permutation. The
    /// sponge can absorb again afterwards (the customization string of Ascon-CXOF128, a node of
    /// KangarooTwelve).
    pub(crate) fn end_message(&mut self) {
        self.pad();
        self.kernel.permute(&mut self.words, self.spec.finish);
        self.pos = 0;
    }

    fn pad(&mut self) {
        let Self { spec, words, pos, suffix, .. } = self;
        words[*pos / 8] ^= spec.order.byte(*pos, *suffix);
        words[(spec.rate - 1) / 8] ^= spec.order.byte(spec.rate - 1, spec.last);
    }

    /// Ends the message and starts squeezing.
    pub(crate) fn into_reader(mut self) -> SpongeReader<WORDS> {
        self.begin_squeezing();
        SpongeReader { next: self.spec.finish, sponge: self, position: 0 }
    }

    /// Pads the message. The closing permutation is computed when the first byte is squeezed.
    fn begin_squeezing(&mut self) {
        self.pad();
        self.pos = self.spec.rate;
    }

    /// Fills `out`. `pos` now counts the bytes of the block that were squeezed. `next` contains the
    /// rounds of the next permutation: the closing one first, then the one between blocks.
    fn squeeze(&mut self, next: &mut Rounds, mut out: &mut [u8]) {
        while !out.is_empty() {
            if self.pos == self.spec.rate {
                self.kernel.permute(&mut self.words, *next);
                *next = self.spec.between;
                self.pos = 0;
            }
            let (head, rest) = out.split_at_mut(out.len().min(self.spec.rate - self.pos));
            copy_out(&self.words, self.pos, head, self.spec.order);
            self.pos += head.len();
            out = rest;
        }
    }
}

impl<const WORDS: usize> Core for Sponge<WORDS> {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.absorb(data);
    }

    fn finalize_into(&mut self, out: &mut [u8]) {
        self.begin_squeezing();
        self.squeeze(&mut { self.spec.finish }, out);
    }

    fn kernel(&self) -> &'static str {
        self.kernel.name()
    }
}

impl<const WORDS: usize> Zeroize for Sponge<WORDS> {
    fn zeroize(&mut self) {
        self.words = [0; WORDS];
        (self.pos, self.length) = (0, 0);
        zeroize::optimization_barrier(self);
    }
}

/// The bytes of the current block are not saved separately, because they are already xored into the state's words. The
/// rest of the block comes from the last permutation.
impl<const WORDS: usize> Saved for Sponge<WORDS> {
    fn message_len(&self) -> u64 {
        self.length
    }

    fn save(&self, out: &mut Vec<u8>) {
        self.words.iter().for_each(|word| out.extend_from_slice(&self.spec.order.bytes_of(*word)));
    }

    fn restore(&mut self, length: u64, fields: &mut Fields<'_>) -> Result<(), Error> {
        let pos = (length % self.spec.rate as u64) as usize;
        let words = fields.take(8 * WORDS)?;
        if length < self.spec.rate as u64 {
            let initial = self.words.iter().flat_map(|word| self.spec.order.bytes_of(*word));
            if initial.zip(words).skip(pos).any(|(initial, byte)| initial != *byte) {
                return Err(NOT_INITIAL);
            }
        }
        for (word, bytes) in self.words.iter_mut().zip(words.as_chunks().0) {
            *word = self.spec.order.word_of(*bytes);
        }
        (self.pos, self.length) = (pos, length);
        Ok(())
    }
}

impl<const WORDS: usize> Sponge<WORDS> {
    /// Restores the words at the start of a message, which depend on a key.
    #[cfg(feature = "states")]
    pub(crate) fn restore_start(&mut self, fields: &mut Fields<'_>) -> Result<(), Error> {
        for (word, bytes) in self.words.iter_mut().zip(fields.take(8 * WORDS)?.as_chunks().0) {
            *word = self.spec.order.word_of(*bytes);
        }
        Ok(())
    }
}

/// A sponge that squeezes.
#[derive(Clone)]
pub(crate) struct SpongeReader<const WORDS: usize> {
    sponge: Sponge<WORDS>,
    next: Rounds,
    position: u64,
}

impl<const WORDS: usize> CoreReader for SpongeReader<WORDS> {
    const IS_SEEKABLE: bool = false;

    fn position(&self) -> u64 {
        self.position
    }

    fn seek(&mut self, _: u64) -> bool {
        false
    }

    fn read(&mut self, out: &mut [u8]) {
        self.position += out.len() as u64;
        self.sponge.squeeze(&mut self.next, out);
    }
}

impl<const WORDS: usize> Zeroize for SpongeReader<WORDS> {
    fn zeroize(&mut self) {
        self.sponge.zeroize();
    }
}

/// The kernels of a batch.
pub(crate) type KernelPair<const WORDS: usize> = Pair<Permutation<WORDS>, PermutationMany<WORDS>>;

/// Many sponges that start from one sponge, which is at the start of a block.
#[repr(C, align(64))] // the states first, aligned as vectors
pub(crate) struct SpongeLanes<'s, const WORDS: usize> {
    states: [[u64; MAX]; WORDS],
    kernels: KernelPair<WORDS>,
    /// The state before each message, if there are messages.
    start: Option<&'s Sponge<WORDS>>,
    secret: bool,
    /// Whole bytes between the message and its padding (the empty customization string of
    /// KangarooTwelve).
    trailer: &'static [u8],
    spec: &'static Spec<WORDS>,
    /// Messages longer than this are hashed by `alone`.
    longest: usize,
    alone: &'s dyn Fn(&[u8], &mut [u8]),
}

impl<'s, const WORDS: usize> SpongeLanes<'s, WORDS> {
    /// All permutations of `start` must have the same number of rounds.
    pub(crate) fn new(kernels: KernelPair<WORDS>, start: &'s Sponge<WORDS>, secret: bool) -> Self {
        debug_assert!(start.suits_lanes());
        Self::on(kernels, Some(start), start.spec, secret)
    }

    fn on(
        kernels: KernelPair<WORDS>,
        start: Option<&'s Sponge<WORDS>>,
        spec: &'static Spec<WORDS>,
        secret: bool,
    ) -> Self {
        Self {
            kernels,
            start,
            secret,
            trailer: &[],
            spec,
            longest: usize::MAX,
            alone: &|_, _| unreachable!("no message is longer"),
            states: [[0; MAX]; WORDS],
        }
    }

    /// Puts `trailer` between each message and its padding. Messages longer than `longest` are
    /// hashed by `alone`. No message has a prefix.
    pub(crate) fn with_trailer(
        mut self,
        trailer: &'static [u8],
        longest: usize,
        alone: &'s dyn Fn(&[u8], &mut [u8]),
    ) -> Self {
        (self.trailer, self.longest, self.alone) = (trailer, longest, alone);
        self
    }

    fn start(&self) -> &'s Sponge<WORDS> {
        self.start.expect("the calibration begins no message")
    }

    /// Returns the state of a lane. It copies word by word, because `map` over the rows would copy
    /// all of them first.
    fn state(&self, lane: usize) -> [u64; WORDS] {
        core::array::from_fn(|word| self.states[word][lane])
    }
}

/// Returns lanes for calibration, without a message.
pub(crate) fn zeros<const WORDS: usize>(
    kernels: KernelPair<WORDS>,
    spec: &'static Spec<WORDS>,
) -> impl batch::Lanes {
    SpongeLanes::on(kernels, None, spec, false)
}

impl<const WORDS: usize> batch::Lanes for SpongeLanes<'_, WORDS> {
    fn block_len(&self) -> usize {
        self.spec.rate
    }

    fn width(&self) -> (usize, usize) {
        self.kernels.width()
    }

    fn begin(&mut self, lanes: Range<usize>, _: usize) {
        let start = self.start();
        batch::fill(&mut self.states, &lanes, &start.words);
    }

    fn body_len(&self, message_len: usize) -> usize {
        message_len / self.spec.rate * self.spec.rate
    }

    fn pad(&mut self, _: usize, message: &[u8], body_len: usize, tail: &mut [u8; TAIL]) -> usize {
        let rate = self.spec.rate;
        let rest = &message[body_len..];
        let len = rest.len() + self.trailer.len();
        let blocks = if len < rate { 1 } else { len / rate + 1 };
        // Clears all bytes, because clearing only a part would compile to a function call.
        tail.fill(0);
        copy_short(rest, tail);
        tail[rest.len()..len].copy_from_slice(self.trailer);
        tail[len] = self.start().suffix;
        tail[blocks * rate - 1] ^= self.spec.last;
        blocks
    }

    #[allow(unsafe_code)] // the one unsafe call of the absorbing batch kernels
    fn absorb(&mut self, inputs: &[Input<'_>; MAX], blocks: usize) {
        let kernel = self.kernels.batch.expect("more than one lane").to_call();
        assert!(inputs[..kernel.lanes].iter().all(|input| input.holds(blocks, self.spec.rate)));
        let absorb = kernel.function.absorb.of(self.spec.between);
        // SAFETY: a `Chosen` proves that the CPU has the kernel's features; the assertion checks the inputs.
        unsafe { absorb(&mut self.states, inputs, self.spec.block(), blocks) }
    }

    fn absorb_alone(&mut self, lane: usize, input: &[u8]) {
        let mut state = self.state(lane);
        self.kernels.chain.absorb(&mut state, input, self.spec.block(), self.spec.between);
        for (row, word) in self.states.iter_mut().zip(state) {
            row[lane] = word;
        }
    }

    fn take(&mut self, lane: usize, out: &mut [u8]) -> usize {
        let len = out.len().min(self.spec.rate);
        let (whole, rest) = out[..len].as_chunks_mut();
        let mut rows = self.states.iter();
        for (bytes, row) in whole.iter_mut().zip(&mut rows) {
            *bytes = self.spec.order.bytes_of(row[lane]);
        }
        if let Some(row) = rows.next() {
            rest.copy_from_slice(&self.spec.order.bytes_of(row[lane])[..rest.len()]);
        }
        len
    }

    fn secret(&self) -> bool {
        self.secret
    }

    fn output_at_once(&self) -> usize {
        self.spec.rate
    }

    fn suits(&self, _: usize, message: &[u8]) -> bool {
        message.len() <= self.longest
    }

    fn alone(&mut self, prefix: &[u8], message: &[u8], out: &mut [u8]) {
        debug_assert!(prefix.is_empty());
        (self.alone)(message, out);
    }
}

impl<const WORDS: usize> Drop for SpongeLanes<'_, WORDS> {
    fn drop(&mut self) {
        if self.secret {
            self.states.zeroize();
        }
    }
}

/// Sponges of one kind that squeeze in lockstep, one for each lane of the kernel.
pub(crate) struct SpongeReaders<const WORDS: usize> {
    kernel: Chosen<Batch<PermutationMany<WORDS>>>,
    spec: &'static Spec<WORDS>,
    states: [[u64; MAX]; WORDS],
    /// True if the states are already permuted for the next block.
    ready: bool,
}

impl<const WORDS: usize> SpongeReaders<WORDS> {
    /// Absorbs and pads each message after `start`, which is at the start of a block.
    pub(crate) fn new(kernels: KernelPair<WORDS>, start: &Sponge<WORDS>, messages: &[&[u8]]) -> Option<Self> {
        let kernel = kernels.batch?;
        let mut lanes = SpongeLanes::new(kernels, start, true);
        batch::absorb_all(&mut lanes, messages);
        Some(Self { kernel, spec: start.spec, states: lanes.states, ready: true })
    }

    pub(crate) fn width(&self) -> usize {
        self.kernel.function().lanes
    }

    pub(crate) fn rate(&self) -> usize {
        self.spec.rate
    }

    /// Writes the next `blocks` whole blocks of each stream. `outputs` has one element for each lane of the kernel.
    #[allow(unsafe_code)] // the one unsafe call of the squeezing batch kernels
    pub(crate) fn squeeze(&mut self, outputs: &mut [&mut [u8]], blocks: usize) {
        let kernel = self.kernel.to_call();
        assert!(outputs.len() == kernel.lanes);
        let mut places = [core::ptr::null_mut(); MAX];
        for (place, output) in places.iter_mut().zip(outputs) {
            assert!(output.len() >= blocks * self.spec.rate);
            *place = output.as_mut_ptr();
        }
        let squeeze = kernel.function.squeeze.of(self.spec.between);
        // SAFETY: a `Chosen` proves that the CPU has the kernel's features. The assertions check the outputs, and
        // mutable slices cannot overlap.
        unsafe { squeeze(&mut self.states, &places, self.spec.block(), blocks, self.ready) }
        self.ready = blocks == 0 && self.ready;
    }
}

impl<const WORDS: usize> Zeroize for SpongeReaders<WORDS> {
    fn zeroize(&mut self) {
        self.states.zeroize();
    }
}

impl ByteOrder {
    /// Returns a word that contains `bytes` from byte `offset` on, and zeros elsewhere.
    #[inline]
    fn partial_word(self, offset: usize, bytes: &[u8]) -> u64 {
        let mut all = [0; 8];
        all[offset..offset + bytes.len()].copy_from_slice(bytes);
        self.word_of(all)
    }

    #[inline(always)]
    pub(crate) fn word_of(self, bytes: [u8; 8]) -> u64 {
        if self == ByteOrder::Little { u64::from_le_bytes(bytes) } else { u64::from_be_bytes(bytes) }
    }

    /// Returns a word in which the byte at `pos` of a block has this value and all others are zero.
    #[inline(always)]
    fn byte(self, pos: usize, value: u8) -> u64 {
        let shift = 8 * (pos % 8);
        u64::from(value) << if self == ByteOrder::Little { shift } else { 56 - shift }
    }

    #[inline(always)]
    pub(crate) fn bytes_of(self, word: u64) -> [u8; 8] {
        if self == ByteOrder::Little { word.to_le_bytes() } else { word.to_be_bytes() }
    }
}

/// Returns the number of bytes before the first word boundary at or after `pos`, but at most `len`.
#[inline]
fn bytes_to_boundary(pos: usize, len: usize) -> usize {
    (pos.wrapping_neg() % 8).min(len)
}

/// Xors `data` into the state from byte `pos` on.
#[inline]
fn xor_in(state: &mut [u64], pos: usize, data: &[u8], order: ByteOrder) {
    let (head, data) = data.split_at(bytes_to_boundary(pos, data.len()));
    if !head.is_empty() {
        state[pos / 8] ^= order.partial_word(pos % 8, head);
    }
    let state = &mut state[pos.div_ceil(8)..];
    let (whole, tail) = data.as_chunks();
    for (word, bytes) in state.iter_mut().zip(whole) {
        *word ^= order.word_of(*bytes);
    }
    if !tail.is_empty() {
        state[whole.len()] ^= order.partial_word(0, tail);
    }
}

/// Copies state bytes from byte `pos` on to `out`.
#[inline]
fn copy_out(state: &[u64], pos: usize, out: &mut [u8], order: ByteOrder) {
    let (head, out) = out.split_at_mut(bytes_to_boundary(pos, out.len()));
    if !head.is_empty() {
        head.copy_from_slice(&order.bytes_of(state[pos / 8])[pos % 8..][..head.len()]);
    }
    let state = &state[pos.div_ceil(8)..];
    let (whole, tail) = out.as_chunks_mut();
    for (word, bytes) in state.iter().zip(whole.iter_mut()) {
        *bytes = order.bytes_of(*word);
    }
    if !tail.is_empty() {
        tail.copy_from_slice(&order.bytes_of(state[whole.len()])[..tail.len()]);
    }
}

impl<const WORDS: usize> HmacCore for Sponge<WORDS> {}

impl<const WORDS: usize> HashState for Sponge<WORDS> {
    type Stream = SpongeReader<WORDS>;

    const TAG_DEPTH: Depth = Depth::Near;

    fn stream(&self, _: bool) -> Option<SpongeReader<WORDS>> {
        Some(self.clone().into_reader())
    }

    fn tag(self, block_len: usize, output_len: usize, key: &[u8], message: &[u8], tag: &mut [u8]) {
        keyed::tag(block_len, output_len, self, key, message, tag);
    }
}
