//! Many BLAKE2 messages side by side.

use super::{Blake2, Blake2Word, Compress, CompressMany, Flags, Last, Run};
use crate::ground::batch::{Batch, Lanes, Pair, TAIL};
use crate::ground::cores::Core;
use crate::ground::kernel::Table;
use crate::ground::vector::{Input, MAX};
use zeroize::Zeroize;

/// The table of batch kernels.
pub(crate) type BatchTable<W> = Table<Batch<CompressMany<W>>>;

/// The kernels of a batch.
pub(crate) type KernelPair<W, const B: usize> = Pair<Compress<W, B>, CompressMany<W>>;

/// Many hashes in progress. `S` gives the state that a job starts from: nothing absorbed but perhaps one
/// block, a key's, which waits in the buffer, because it is the last one if the message is empty.
#[repr(C, align(64))] // the states first, aligned as vectors
pub(crate) struct Blake2Lanes<'s, W: Blake2Word, const B: usize, S: Fn(usize) -> &'s Blake2<W, B>> {
    states: [[W; MAX]; 8],
    kernels: KernelPair<W, B>,
    start: S,
    secret: bool,
    /// The start met last, and its chaining value after the key's block.
    after_key: Option<(&'s Blake2<W, B>, [W; 8])>,
    /// Bytes before the next block; below zero for a padded first one.
    counters: [i64; MAX],
    flags: Flags<W>,
    /// What the last block of each message will be.
    last: [Last; MAX],
}

impl<'s, W: Blake2Word, const B: usize, S: Fn(usize) -> &'s Blake2<W, B>> Blake2Lanes<'s, W, B, S> {
    pub(crate) fn new(kernels: KernelPair<W, B>, start: S, secret: bool) -> Self {
        let row = [W::ZERO; MAX];
        let (states, counters, flags) = ([row; 8], [0; MAX], [row; 2]);
        Self { kernels, start, secret, after_key: None, states, counters, flags, last: [Last::Block; MAX] }
    }

    /// The chaining value that a message starts from, and the bytes behind it.
    fn before(&mut self, start: &'s Blake2<W, B>) -> ([W; 8], i64) {
        if start.buffer.is_empty() {
            return (start.h, 0);
        }
        let h = match self.after_key {
            Some((known, h)) if core::ptr::eq(known, start) => h,
            _ => {
                let mut h = start.h;
                self.kernels.chain.compress(&mut h, core::slice::from_ref(start.buffer.block()), 0, Last::No);
                self.after_key = Some((start, h));
                h
            }
        };
        (h, B as i64)
    }
}

/// Lanes for the calibration, which no message begins.
pub(super) fn zeros<W: Blake2Word, const B: usize>(kernels: KernelPair<W, B>) -> impl Lanes {
    Blake2Lanes::new(kernels, |_| unreachable!("a calibration has no jobs"), false)
}

impl<'s, W: Blake2Word, const B: usize, S: Fn(usize) -> &'s Blake2<W, B>> Lanes for Blake2Lanes<'s, W, B, S> {
    /// The last block has a counter and flags of its own.
    const TAIL_APART: bool = true;

    fn block_len(&self) -> usize {
        B
    }

    fn width(&self) -> (usize, usize) {
        self.kernels.width()
    }

    fn begin(&mut self, lane: usize, job: usize) {
        let start = (self.start)(job);
        self.last[lane] = start.last;
        let (h, bytes) = self.before(start);
        for (row, word) in self.states.iter_mut().zip(h) {
            row[lane] = word;
        }
        self.counters[lane] = bytes;
        self.flags.iter_mut().for_each(|row| row[lane] = W::ZERO);
    }

    /// The last block, full or not, is flagged and so belongs to the tail.
    fn body_len(&self, message_len: usize) -> usize {
        message_len.saturating_sub(1) / B * B
    }

    fn pad(&mut self, lane: usize, message: &[u8], tail: &mut [u8; TAIL]) -> usize {
        let rest = &message[self.body_len(message.len())..];
        tail[..B].fill(0);
        tail[..rest.len()].copy_from_slice(rest);
        // The body has been counted, if it was not empty; the padding counts for nothing.
        self.counters[lane] += rest.len() as i64 - B as i64;
        self.flags[0][lane] = W::ONES;
        if self.last[lane] == Last::BlockOfLastNode {
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
        // SAFETY: a `Chosen` proves the CPU's features; the inputs are long enough.
        unsafe { (kernel.function)(&mut self.states, inputs, run, &counters, &self.flags) }
        self.counters.iter_mut().for_each(|counter| *counter += (blocks * B) as i64);
    }

    fn absorb_alone(&mut self, lane: usize, input: &[u8]) {
        let mut state = core::array::from_fn(|word| self.states[word][lane]);
        let last = if self.flags[0][lane] == W::ZERO { Last::No } else { self.last[lane] };
        let counter = i128::from(self.counters[lane]) as u128;
        self.kernels.chain.compress(&mut state, input.as_chunks().0, counter, last);
        self.counters[lane] += input.len() as i64;
        for (row, word) in self.states.iter_mut().zip(state) {
            row[lane] = word;
        }
    }

    fn take(&mut self, lane: usize, out: &mut [u8]) -> usize {
        let mut digest = [0; 64];
        for (bytes, row) in digest.chunks_exact_mut(W::BYTES).zip(&self.states) {
            row[lane].write(bytes);
        }
        out.copy_from_slice(&digest[..out.len()]);
        out.len()
    }

    fn secret(&self) -> bool {
        self.secret
    }

    fn output_at_once(&self) -> usize {
        8 * W::BYTES
    }

    /// An empty message leaves a key as the last block; and one word holds the counter only so far: a BLAKE2s
    /// message of 4 GiB goes alone.
    fn suits(&self, job: usize, message: &[u8]) -> bool {
        let key_is_last = message.is_empty() && !(self.start)(job).buffer.is_empty();
        !key_is_last && (message.len() + B) as u128 >> (8 * W::BYTES) == 0
    }

    fn alone(&mut self, job: usize, message: &[u8], out: &mut [u8]) {
        let mut state = (self.start)(job).clone();
        state.update(message);
        state.finalize_into(out);
        state.zeroize();
    }
}

impl<'s, W: Blake2Word, const B: usize, S: Fn(usize) -> &'s Blake2<W, B>> Drop for Blake2Lanes<'s, W, B, S> {
    fn drop(&mut self) {
        if self.secret {
            self.states.zeroize();
            if let Some((_, h)) = &mut self.after_key {
                h.zeroize();
            }
        }
    }
}
