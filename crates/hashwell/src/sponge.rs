//! The only sponge: SHA-3, SHAKE, cSHAKE, KMAC, TurboSHAKE and the nodes of KangarooTwelve over
//! Keccak-p, and every Ascon hash over Ascon-p, differ in their [`Spec`].
//!
//! The permutation is lazy. A state stands at byte `pos` of its rate; a full rate is permuted only when
//! more bytes go in or come out, so that absorbing one short message and reading one short output costs
//! one permutation.

use crate::error::Error;
use crate::family::Core;
use crate::kernel::{Chosen, Table};
use zeroize::Zeroize;

/// Kernel contract: the permutation at its full number of rounds and at its reduced one (24 and 12 for
/// Keccak-p\[1600\], 12 and 8 for Ascon-p).
#[derive(Clone, Copy)]
pub(crate) struct Permutation<const LANES: usize> {
    pub(crate) full: unsafe fn(&mut [u64; LANES]),
    pub(crate) reduced: unsafe fn(&mut [u64; LANES]),
}

/// Which number of rounds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounds {
    Full,
    Reduced,
}

impl<const LANES: usize> Chosen<Permutation<LANES>> {
    #[inline]
    #[allow(unsafe_code)] // the one unsafe call of Keccak and Ascon
    fn permute(self, lanes: &mut [u64; LANES], rounds: Rounds) {
        let Permutation { full, reduced } = self.function();
        let permute = if rounds == Rounds::Full { full } else { reduced };
        // SAFETY: the kernels need nothing but their CPU feature, and a `Chosen` proves that.
        unsafe { permute(lanes) }
    }
}

/// How bytes lie in a lane.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LaneOrder {
    Little,
    Big,
}

/// What tells one sponge from another.
pub(crate) struct Spec<const LANES: usize> {
    pub(crate) kernels: &'static Table<Permutation<LANES>>,
    /// Bytes absorbed or squeezed per permutation; a multiple of eight.
    pub(crate) rate: usize,
    /// The byte that ends the message: domain bits and the first padding bit.
    pub(crate) suffix: u8,
    /// The byte xored into the last byte of the rate: the final bit of pad10*1, or zero without one.
    pub(crate) last: u8,
    pub(crate) order: LaneOrder,
    /// Rounds between blocks, absorbed or squeezed.
    pub(crate) between: Rounds,
    /// Rounds after the padded block.
    pub(crate) finish: Rounds,
    pub(crate) initial: [u64; LANES],
}

/// A sponge that absorbs (or, inside a [`SpongeReader`], squeezes).
#[derive(Clone)]
pub(crate) struct Sponge<const LANES: usize> {
    spec: &'static Spec<LANES>,
    kernel: Chosen<Permutation<LANES>>,
    lanes: [u64; LANES],
    /// Bytes of the current block absorbed, `0..rate`, or squeezed, `0..=rate`.
    pos: usize,
    suffix: u8,
}

impl<const LANES: usize> Sponge<LANES> {
    #[inline]
    pub(crate) fn new(spec: &'static Spec<LANES>) -> Self {
        Self::on(spec, spec.kernels.best())
    }

    pub(crate) fn with_kernel(spec: &'static Spec<LANES>, name: Option<&str>) -> Result<Self, Error> {
        spec.kernels.choose(name).map(|kernel| Self::on(spec, kernel))
    }

    fn on(spec: &'static Spec<LANES>, kernel: Chosen<Permutation<LANES>>) -> Self {
        Self { spec, kernel, lanes: spec.initial, pos: 0, suffix: spec.suffix }
    }

    /// Replaces the suffix byte (cSHAKE's domain, TurboSHAKE's D).
    pub(crate) fn set_suffix(&mut self, suffix: u8) {
        self.suffix = suffix;
    }

    pub(crate) fn rate(&self) -> usize {
        self.spec.rate
    }

    /// An empty sponge of the same kind on the same kernel, with the specification's own suffix.
    pub(crate) fn fresh(&self) -> Self {
        Self::on(self.spec, self.kernel)
    }

    pub(crate) fn absorb(&mut self, mut data: &[u8]) {
        let rate = self.spec.rate;
        if self.pos > 0 {
            let (head, rest) = data.split_at(data.len().min(rate - self.pos));
            xor_in(&mut self.lanes, self.pos, head, self.spec.order);
            self.pos += head.len();
            data = rest;
            if self.pos < rate {
                return;
            }
            self.end_block();
        }
        while let Some((block, rest)) = data.split_at_checked(rate) {
            xor_in(&mut self.lanes, 0, block, self.spec.order);
            self.end_block();
            data = rest;
        }
        xor_in(&mut self.lanes, 0, data, self.spec.order);
        self.pos = data.len();
    }

    /// Fills the current block with zeros (SP 800-185 `bytepad`), so that what follows starts a block.
    pub(crate) fn pad_with_zeros(&mut self) {
        if self.pos > 0 {
            self.end_block();
        }
    }

    fn end_block(&mut self) {
        self.kernel.permute(&mut self.lanes, self.spec.between);
        self.pos = 0;
    }

    /// Ends the message: suffix, last padding bit and the closing permutation, after which the sponge
    /// can absorb again (Ascon-CXOF128's customisation, one node of KangarooTwelve).
    pub(crate) fn end_message(&mut self) {
        self.pad();
        self.kernel.permute(&mut self.lanes, self.spec.finish);
        self.pos = 0;
    }

    fn pad(&mut self) {
        xor_in(&mut self.lanes, self.pos, &[self.suffix], self.spec.order);
        if self.spec.last != 0 {
            xor_in(&mut self.lanes, self.spec.rate - 1, &[self.spec.last], self.spec.order);
        }
    }

    /// Ends the message and turns to squeezing.
    pub(crate) fn into_reader(mut self) -> SpongeReader<LANES> {
        self.begin_squeezing();
        SpongeReader { next: self.spec.finish, sponge: self, position: 0 }
    }

    /// Pads; the closing permutation is left to the first byte squeezed.
    fn begin_squeezing(&mut self) {
        self.pad();
        self.pos = self.spec.rate;
    }

    /// Fills `out`. `pos` now counts the bytes of the block that are squeezed; `next` are the rounds of the
    /// next permutation: the closing one first, then the one between blocks.
    fn squeeze(&mut self, next: &mut Rounds, mut out: &mut [u8]) {
        while !out.is_empty() {
            if self.pos == self.spec.rate {
                self.kernel.permute(&mut self.lanes, *next);
                *next = self.spec.between;
                self.pos = 0;
            }
            let (head, rest) = out.split_at_mut(out.len().min(self.spec.rate - self.pos));
            copy_out(&self.lanes, self.pos, head, self.spec.order);
            self.pos += head.len();
            out = rest;
        }
    }
}

impl<const LANES: usize> Core for Sponge<LANES> {
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

impl<const LANES: usize> Zeroize for Sponge<LANES> {
    fn zeroize(&mut self) {
        self.lanes.zeroize();
        self.pos = 0;
    }
}

/// A sponge that squeezes.
#[derive(Clone)]
pub(crate) struct SpongeReader<const LANES: usize> {
    sponge: Sponge<LANES>,
    next: Rounds,
    /// Bytes read in all.
    position: u64,
}

impl<const LANES: usize> SpongeReader<LANES> {
    pub(crate) fn read(&mut self, out: &mut [u8]) {
        self.position = self.position.wrapping_add(out.len() as u64);
        self.sponge.squeeze(&mut self.next, out);
    }

    pub(crate) fn position(&self) -> u64 {
        self.position
    }
}

impl<const LANES: usize> Zeroize for SpongeReader<LANES> {
    fn zeroize(&mut self) {
        self.sponge.zeroize();
    }
}

impl LaneOrder {
    /// The lane that has `bytes` from byte `offset` on and zeros elsewhere.
    #[inline]
    fn partial_lane(self, offset: usize, bytes: &[u8]) -> u64 {
        let mut all = [0; 8];
        all[offset..offset + bytes.len()].copy_from_slice(bytes);
        self.lane_of(all)
    }

    #[inline]
    fn lane_of(self, bytes: [u8; 8]) -> u64 {
        if self == LaneOrder::Little { u64::from_le_bytes(bytes) } else { u64::from_be_bytes(bytes) }
    }

    #[inline]
    fn bytes_of(self, lane: u64) -> [u8; 8] {
        if self == LaneOrder::Little { lane.to_le_bytes() } else { lane.to_be_bytes() }
    }
}

/// The bytes before the first lane boundary at or after `pos`, but no more than `len`.
#[inline]
fn bytes_to_boundary(pos: usize, len: usize) -> usize {
    (pos.wrapping_neg() % 8).min(len)
}

/// Xors `data` into the state from byte `pos` on.
#[inline]
fn xor_in(lanes: &mut [u64], pos: usize, data: &[u8], order: LaneOrder) {
    let (head, data) = data.split_at(bytes_to_boundary(pos, data.len()));
    if !head.is_empty() {
        lanes[pos / 8] ^= order.partial_lane(pos % 8, head);
    }
    let lanes = &mut lanes[pos.div_ceil(8)..];
    let (words, tail) = data.as_chunks();
    for (lane, word) in lanes.iter_mut().zip(words) {
        *lane ^= order.lane_of(*word);
    }
    if !tail.is_empty() {
        lanes[words.len()] ^= order.partial_lane(0, tail);
    }
}

/// Copies state bytes from byte `pos` on into `out`.
#[inline]
fn copy_out(lanes: &[u64], pos: usize, out: &mut [u8], order: LaneOrder) {
    let (head, out) = out.split_at_mut(bytes_to_boundary(pos, out.len()));
    if !head.is_empty() {
        head.copy_from_slice(&order.bytes_of(lanes[pos / 8])[pos % 8..][..head.len()]);
    }
    let lanes = &lanes[pos.div_ceil(8)..];
    let (words, tail) = out.as_chunks_mut();
    for (lane, word) in lanes.iter().zip(words.iter_mut()) {
        *word = order.bytes_of(*lane);
    }
    if !tail.is_empty() {
        tail.copy_from_slice(&order.bytes_of(lanes[words.len()])[..tail.len()]);
    }
}
