//! Hashes many BLAKE2 messages in parallel.

use super::{Blake2, Blake2Word, Compress, CompressMany, Flags, Last, Run};
use crate::internal::batch::{self, Batch, Lanes, Pair, TAIL};
use crate::internal::buffer::copy_short;
use crate::internal::cores::Core;
use crate::internal::kernel::Table;
use crate::internal::vector::{Input, MAX};
use core::ops::Range;
use zeroize::Zeroize;

/// The table of batch kernels.
pub(crate) type BatchTable<W> = Table<Batch<CompressMany<W>>>;

/// The kernels of a batch.
pub(crate) type KernelPair<W, const B: usize> = Pair<Compress<W, B>, CompressMany<W>>;

/// Many hashes in progress that start from one state. The state has absorbed nothing, or only the
/// block of a key. That block is buffered, because it is the last one if the message is empty.
#[repr(C, align(64))] // the states first, aligned as vectors
pub(crate) struct Blake2Lanes<'s, W: Blake2Word, const B: usize> {
    states: [[W; MAX]; 8],
    kernels: KernelPair<W, B>,
    /// The state before each message, if there are messages.
    start: Option<&'s Blake2<W, B>>,
    secret: bool,
    /// The chaining value at the start of each message, after the block of the key, and the number
    /// of bytes before it.
    before: ([W; 8], i64),
    /// The number of bytes before the next block. It is negative for a padded first block.
    counters: [i64; MAX],
    flags: Flags<W>,
}

impl<'s, W: Blake2Word, const B: usize> Blake2Lanes<'s, W, B> {
    pub(crate) fn new(kernels: KernelPair<W, B>, start: &'s Blake2<W, B>, secret: bool) -> Self {
        let mut before = (start.h, 0);
        if !start.buffer.is_empty() {
            kernels.chain.compress(&mut before.0, core::slice::from_ref(start.buffer.block()), 0, Last::No);
            before.1 = B as i64;
        }
        Self::on(kernels, Some(start), before, secret)
    }

    fn on(
        kernels: KernelPair<W, B>,
        start: Option<&'s Blake2<W, B>>,
        before: ([W; 8], i64),
        secret: bool,
    ) -> Self {
        let row = [W::ZERO; MAX];
        let (states, counters, flags) = ([row; 8], [0; MAX], [row; 2]);
        Self { kernels, start, secret, before, states, counters, flags }
    }

    fn start(&self) -> &'s Blake2<W, B> {
        self.start.expect("the calibration begins no message")
    }
}

/// Returns lanes for calibration, without a message.
pub(super) fn zeros<W: Blake2Word, const B: usize>(kernels: KernelPair<W, B>) -> impl Lanes {
    Blake2Lanes::on(kernels, None, ([W::ZERO; 8], 0), false)
}

impl<W: Blake2Word, const B: usize> Lanes for Blake2Lanes<'_, W, B> {
    /// Returns true, because the last block has its own counter and flags.
    fn tail_apart(&self) -> bool {
        true
    }

    fn block_len(&self) -> usize {
        B
    }

    fn width(&self) -> (usize, usize) {
        self.kernels.width()
    }

    /// A prefix is counted when it is absorbed.
    fn begin(&mut self, lanes: Range<usize>, _: usize) {
        let (h, bytes) = self.before;
        batch::fill(&mut self.states, &lanes, &h);
        batch::fill(&mut self.flags, &lanes, &[W::ZERO; 2]);
        self.counters[lanes].fill(bytes);
    }

    /// The last block, full or not, has a flag, so it belongs to the tail.
    fn body_len(&self, message_len: usize) -> usize {
        message_len.saturating_sub(1) / B * B
    }

    fn pad(&mut self, lane: usize, message: &[u8], body_len: usize, tail: &mut [u8; TAIL]) -> usize {
        let rest = &message[body_len..];
        if let Ok(block) = <&[u8; B]>::try_from(rest) {
            tail[..B].copy_from_slice(block);
        } else {
            tail[..B].fill(0);
            copy_short(rest, tail);
        }
        // The body has already been counted, if it was not empty. Padding is not counted.
        self.counters[lane] += rest.len() as i64 - B as i64;
        self.flags[0][lane] = W::ONES;
        if self.start().last == Last::BlockOfLastNode {
            self.flags[1][lane] = W::ONES;
        }
        1
    }

    #[allow(unsafe_code)] // the unsafe call of the batch kernels on many messages
    fn absorb(&mut self, inputs: &[Input<'_>; MAX], blocks: usize) {
        let kernel = self.kernels.batch.expect("more than one lane").to_call();
        assert!(inputs[..kernel.lanes].iter().all(|input| input.holds(blocks, B)));
        let run = Run { blocks, stride: B };
        let counters = self.counters.map(|counter| W::truncated(counter as u64));
        // SAFETY: a `Chosen` proves that the CPU has the kernel's features; the assertion checks the inputs.
        unsafe { (kernel.function)(&mut self.states, inputs, run, &counters, &self.flags) }
        self.counters.iter_mut().for_each(|counter| *counter += (blocks * B) as i64);
    }

    fn absorb_alone(&mut self, lane: usize, input: &[u8]) {
        let mut state = core::array::from_fn(|word| self.states[word][lane]);
        let last = if self.flags[0][lane] == W::ZERO { Last::No } else { self.start().last };
        let counter = i128::from(self.counters[lane]) as u128;
        self.kernels.chain.compress(&mut state, input.as_chunks().0, counter, last);
        self.counters[lane] += input.len() as i64;
        for (row, word) in self.states.iter_mut().zip(state) {
            row[lane] = word;
        }
    }

    fn take(&mut self, lane: usize, out: &mut [u8]) -> usize {
        let len = out.len();
        let mut words = out.chunks_exact_mut(W::BYTES);
        let mut rows = self.states.iter();
        for (bytes, row) in words.by_ref().zip(&mut rows) {
            row[lane].write(bytes);
        }
        if let Some(row) = rows.next() {
            let (rest, mut last) = (words.into_remainder(), [0; 8]);
            row[lane].write(&mut last[..W::BYTES]);
            rest.copy_from_slice(&last[..rest.len()]);
        }
        len
    }

    fn secret(&self) -> bool {
        self.secret
    }

    fn output_at_once(&self) -> usize {
        8 * W::BYTES
    }

    /// If the message is empty, the last block is that of the key or of the prefix, which lanes cannot hash. The
    /// counter is a single word, so BLAKE2s messages of 4 GiB or more are hashed with the chain kernel.
    fn suits(&self, prefix_len: usize, message: &[u8]) -> bool {
        let key_is_last = message.is_empty() && (prefix_len > 0 || !self.start().buffer.is_empty());
        !key_is_last && (message.len() + prefix_len + B) as u128 >> (8 * W::BYTES) == 0
    }

    fn alone(&mut self, prefix: &[u8], message: &[u8], out: &mut [u8]) {
        let mut state = self.start().clone();
        state.update(prefix);
        state.update(message);
        state.finalize_into(out);
        state.zeroize();
    }
}

impl<W: Blake2Word, const B: usize> Drop for Blake2Lanes<'_, W, B> {
    fn drop(&mut self) {
        if self.secret {
            self.states.zeroize();
            self.before.zeroize();
        }
    }
}
