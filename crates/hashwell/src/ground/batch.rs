//! Many messages at once: the one scheduler of every batch kernel.
//!
//! ```text
//! job = a message, perhaps behind a prefix            lane = a column of the kernel's states
//! idle lane takes the next job:   prefix = whole blocks that lie elsewhere (HMAC's padded keys)
//!                                 body   = whole blocks of the message, hashed where they lie
//!                                 tail   = the rest with its padding, in the lane's own buffer
//!                                 zeros  = one block for each further block of output (sponges)
//! each step:  n = fewest blocks left in any lane; the kernel absorbs n blocks of every lane
//!             lanes at an end go on to what is next, or give their digest and take a job
//! ```
//!
//! Jobs go in by falling length, so that the last ones end together. When too few are left to pay for the
//! whole width of the kernel, each goes on alone on the chain kernel.

use crate::ground::error::Error;
use crate::ground::kernel::{Chosen, Kernel, KernelTable, Table};
use crate::ground::plan::{ROWS, written_for};
use crate::ground::vector::{Input, MAX};
use alloc::vec::Vec;

/// A batch kernel: how wide it is, and what it computes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch<F> {
    /// Messages side by side, at most [`MAX`].
    pub(crate) lanes: usize,
    /// The fewest messages for which it is faster than the chain kernel, one after the other, where nothing was
    /// measured. Decides speed only.
    pub(crate) break_even: usize,
    pub(crate) function: F,
}

/// Row of a batch table.
pub(crate) const fn row<F: Copy>(
    name: &'static str,
    available: fn() -> bool,
    lanes: usize,
    break_even: usize,
    function: F,
) -> Kernel<Batch<F>> {
    assert!(lanes <= MAX && break_even >= 2 && break_even <= lanes);
    Kernel { name, available, function: Batch { lanes, break_even, function } }
}

/// What is to be hashed side by side, as far as the choice of a kernel depends on it.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    pub(crate) messages: usize,
    /// Bytes of a message, about.
    pub(crate) bytes: usize,
}

impl Load {
    /// So many long messages.
    pub(crate) const fn long(messages: usize) -> Self {
        Self { messages, bytes: usize::MAX }
    }

    /// So many messages, as long as the first ones are on average.
    pub(crate) fn of<'m>(messages: usize, message: impl Fn(usize) -> &'m [u8]) -> Self {
        let sample = messages.min(MAX);
        let bytes = (0..sample).fold(0_usize, |sum, i| sum.saturating_add(message(i).len()));
        Self { messages, bytes: bytes / sample.max(1) }
    }
}

/// The chain kernel of a state, and the batch kernel beside it, if there is one.
pub(crate) struct Pair<C: 'static, B: 'static> {
    pub(crate) chain: Chosen<C>,
    pub(crate) batch: Option<Chosen<Batch<B>>>,
    /// The fewest live lanes that pay for the batch kernel.
    break_even: usize,
}

impl<C, B> Clone for Pair<C, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C, B> Copy for Pair<C, B> {}

impl<C: Copy, B: Copy> Pair<C, B> {
    /// A chain kernel, for one message after the other.
    pub(crate) fn alone(chain: Chosen<C>) -> Self {
        Self { chain, batch: None, break_even: usize::MAX }
    }

    /// A batch kernel, with its written break-even.
    pub(crate) fn of(chain: Chosen<C>, batch: Chosen<Batch<B>>) -> Self {
        Self::beside(chain, Some((batch, batch.function().break_even)))
    }

    fn beside(chain: Chosen<C>, batch: Option<(Chosen<Batch<B>>, usize)>) -> Self {
        batch.map_or(Self::alone(chain), |(batch, break_even)| Self { chain, batch: Some(batch), break_even })
    }

    /// Without a name: the best of both tables for the load, unless the process is forced onto a chain kernel. A
    /// chain kernel by name hashes one message at a time; a batch kernel by name goes with the best chain kernel.
    pub(crate) fn choose(
        chain: &Table<C>,
        batch: &Table<Batch<B>>,
        name: Option<&str>,
        load: Load,
    ) -> Result<Self, Error> {
        let Some(name) = name else {
            return Ok(match chain.forced_row() {
                Some(forced) => Self::alone(forced),
                None => Self::beside(chain.best(), batch.best_for(load)),
            });
        };
        if batch.knows(name) && !chain.knows(name) {
            return Ok(Self::of(chain.best(), batch.named(name)?));
        }
        chain.named(name).map(Self::alone)
    }

    /// What [`Lanes::width`] tells of it.
    pub(crate) fn width(&self) -> (usize, usize) {
        self.batch.map_or((1, usize::MAX), |kernel| (kernel.function().lanes, self.break_even))
    }

    /// Name of the kernel that many messages go through.
    pub(crate) fn name(&self) -> &'static str {
        self.batch.map_or_else(|| self.chain.name(), Chosen::name)
    }
}

/// Messages to be hashed side by side.
#[derive(Clone, Copy)]
pub(crate) struct Messages<'a, 'm: 'a> {
    pub(crate) count: usize,
    pub(crate) message: &'a dyn Fn(usize) -> &'m [u8],
    /// What precedes each message, one message's after the other's, or nothing.
    pub(crate) prefixes: &'a [u8],
    /// Bytes of each prefix: whole blocks, or zero.
    pub(crate) prefix_len: usize,
}

impl<'a, 'm> Messages<'a, 'm> {
    /// Without prefixes.
    pub(crate) fn new(count: usize, message: &'a dyn Fn(usize) -> &'m [u8]) -> Self {
        Self { count, message, prefixes: &[], prefix_len: 0 }
    }

    /// As many prefixes as there are messages, all of this length.
    pub(crate) fn with_prefixes(self, prefixes: &'a [u8], prefix_len: usize) -> Self {
        debug_assert_eq!(prefixes.len(), self.count * prefix_len);
        Self { prefixes, prefix_len, ..self }
    }

    /// What the choice of a kernel depends on.
    pub(crate) fn load(&self) -> Load {
        let mut load = Load::of(self.count, self.message);
        load.bytes = load.bytes.saturating_add(self.prefix_len);
        load
    }

    pub(crate) fn prefix(&self, job: usize) -> &'a [u8] {
        &self.prefixes[job * self.prefix_len..][..self.prefix_len]
    }

    #[inline]
    pub(crate) fn message(&self, job: usize) -> &'m [u8] {
        (self.message)(job)
    }
}

/// Longest tail: two blocks of the longest rate.
pub(crate) const TAIL: usize = 2 * 168;

/// The states of all lanes, and their kernels.
pub(crate) trait Lanes {
    /// Whether a tail after whole blocks needs a call of its own. Where it does not, lanes that begin alike pad alike.
    const TAIL_APART: bool = false;

    /// Bytes of a block.
    fn block_len(&self) -> usize;
    /// Width of the kernel, and the fewest lanes worth it.
    fn width(&self) -> (usize, usize);
    /// Gives a lane to a new message, with the state before it. So many bytes of prefix, whole blocks, are
    /// absorbed between that state and the message.
    fn begin(&mut self, lane: usize, prefix_len: usize);
    /// As [`Lanes::begin`] for each lane of the kernel; the first one then pads for all.
    fn begin_all(&mut self, prefix_len: usize) {
        (0..self.width().0).for_each(|lane| self.begin(lane, prefix_len));
    }
    /// How many bytes of a message, from its start, are hashed in place: whole blocks.
    fn body_len(&self, message_len: usize) -> usize;
    /// Writes the blocks that follow the body; returns how many.
    fn pad(&mut self, lane: usize, message: &[u8], tail: &mut [u8; TAIL]) -> usize;
    /// Absorbs `blocks` blocks of every lane; `inputs` has as many columns as the kernel.
    fn absorb(&mut self, inputs: &[Input<'_>; MAX], blocks: usize);
    /// Absorbs whole blocks of one lane on the chain kernel.
    fn absorb_alone(&mut self, lane: usize, input: &[u8]);
    /// Writes the next bytes of output of a lane, as many as it has without another block; returns how many.
    fn take(&mut self, lane: usize, out: &mut [u8]) -> usize;
    /// Whether states and tails depend on a key and must be overwritten.
    fn secret(&self) -> bool;
    /// Bytes of output that a lane has without another block.
    fn output_at_once(&self) -> usize;
    /// Whether a message behind such a prefix can go by lanes.
    fn suits(&self, prefix_len: usize, message: &[u8]) -> bool {
        let _ = (prefix_len, message);
        true
    }
    /// Hashes a prefix and a message that does not suit them from beginning to end.
    fn alone(&mut self, prefix: &[u8], message: &[u8], out: &mut [u8]) {
        let _ = (prefix, message, out);
    }
}

/// A lane at work: the blocks that it absorbs next are `blocks` from block `at` of `head`, then `tail`.
struct Work<'m> {
    job: usize,
    head: &'m [u8],
    head_blocks: usize,
    at: usize,
    blocks: usize,
    next: Next,
    /// Output bytes written.
    written: usize,
}

/// What a lane turns to when it has absorbed its blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The message, whose prefix they were.
    Message,
    /// The tail, which is kept apart from the body.
    Tail,
    Output,
}

impl<'m> Work<'m> {
    /// The blocks left, in the form the kernels want.
    fn input<'t>(&self, block_len: usize, tail: &'t [u8; TAIL]) -> Input<'t>
    where
        'm: 't,
    {
        let in_head = self.at.min(self.head_blocks);
        Input {
            head: &self.head[in_head * block_len..],
            head_blocks: self.head_blocks - in_head,
            tail: &tail[(self.at - in_head) * block_len..],
        }
    }

    /// Goes on to absorb whole blocks of `head` alone.
    fn turn_to(&mut self, head: &'m [u8], blocks: usize) {
        (self.head, self.head_blocks, self.at, self.blocks) = (head, blocks, 0, blocks);
    }

    /// Goes on to the message.
    fn turn_to_message<L: Lanes>(
        &mut self,
        lanes: &mut L,
        lane: usize,
        message: &'m [u8],
        tail: &mut [u8; TAIL],
    ) {
        self.turn_to(message, lanes.body_len(message.len()) / lanes.block_len());
        if L::TAIL_APART && self.head_blocks > 0 {
            self.next = Next::Tail;
        } else {
            self.blocks += lanes.pad(lane, message, tail);
            self.next = Next::Output;
        }
    }
}

static ZEROS: [u8; 168] = [0; 168];

/// Hashes all messages; message `i` writes bytes `i * output_len ..` of `out`.
pub(crate) fn run<L: Lanes>(lanes: &mut L, messages: &Messages<'_, '_>, out: &mut [u8], output_len: usize) {
    let jobs = messages.count;
    debug_assert_eq!(out.len(), jobs * output_len);
    debug_assert!(messages.prefix_len.is_multiple_of(lanes.block_len()));
    let mut tails = [[0; TAIL]; MAX];
    let (width, break_even) = lanes.width();
    let block_len = lanes.block_len();
    let done = run_alike(lanes, messages, out, output_len, &mut tails);
    let order = by_falling_length(messages, done, block_len);
    let mut next_jobs =
        (done..jobs).map(|job| order.as_ref().map_or(job, |order| order[job - done] as usize));
    let mut work: [Option<Work<'_>>; MAX] = [const { None }; MAX];
    let work = &mut work[..width];
    loop {
        let mut blocks = usize::MAX;
        let mut active = 0;
        for (lane, slot) in work.iter_mut().enumerate() {
            while slot.is_none() {
                let Some(job) = next_jobs.next() else { break };
                let message = messages.message(job);
                if !lanes.suits(messages.prefix_len, message) {
                    let out = &mut out[job * output_len..][..output_len];
                    lanes.alone(messages.prefix(job), message, out);
                    continue;
                }
                *slot = Some(start(lanes, lane, job, messages, &mut tails[lane]));
            }
            if let Some(work) = slot {
                blocks = blocks.min(work.blocks);
                active += 1;
            }
        }
        if active == 0 {
            break;
        }
        let together = active >= break_even;
        if together {
            absorb(lanes, work, &tails, blocks);
        } else {
            for (lane, slot) in work.iter().enumerate() {
                let Some(work) = slot else { continue };
                absorb_alone(lanes, lane, work, &tails[lane]);
            }
        }
        for (lane, slot) in work.iter_mut().enumerate() {
            let Some(work) = slot else { continue };
            let done = if together { blocks } else { work.blocks };
            work.at += done;
            work.blocks -= done;
            if work.blocks > 0 {
                continue;
            }
            match work.next {
                Next::Message => {
                    work.turn_to_message(lanes, lane, messages.message(work.job), &mut tails[lane]);
                    continue;
                }
                Next::Tail => {
                    work.turn_to(&[], 0);
                    work.blocks = lanes.pad(lane, messages.message(work.job), &mut tails[lane]);
                    work.next = Next::Output;
                    continue;
                }
                Next::Output => {}
            }
            work.written += lanes.take(lane, &mut out[work.job * output_len..][work.written..output_len]);
            if work.written == output_len {
                *slot = None;
            } else {
                work.turn_to(&ZEROS, 1);
            }
        }
    }
    if lanes.secret() {
        wipe(&mut tails);
    }
}

/// Absorbs one message in each lane, padding and all, and leaves the states there; lanes without a message
/// go along with the last one.
pub(crate) fn absorb_all<L: Lanes>(lanes: &mut L, messages: &[&[u8]]) {
    const { assert!(!L::TAIL_APART) };
    debug_assert!(!messages.is_empty() && messages.len() <= lanes.width().0);
    let message = |lane: usize| messages[lane];
    let messages = Messages::new(messages.len(), &message);
    let mut tails = [[0; TAIL]; MAX];
    let mut work: [Option<Work<'_>>; MAX] = [const { None }; MAX];
    let work = &mut work[..messages.count];
    for (lane, slot) in work.iter_mut().enumerate() {
        *slot = Some(start(lanes, lane, lane, &messages, &mut tails[lane]));
    }
    // A lane at its end must not go on, so they end together or go alone.
    let left = |slot: &Option<Work<'_>>| slot.as_ref().map_or(0, |work| work.blocks);
    let blocks = work.iter().map(left).max().unwrap_or(0);
    if work.iter().all(|slot| left(slot) == blocks) {
        absorb(lanes, work, &tails, blocks);
    } else {
        for (lane, slot) in work.iter().enumerate() {
            let Some(work) = slot else { continue };
            absorb_alone(lanes, lane, work, &tails[lane]);
        }
    }
    if lanes.secret() {
        wipe(&mut tails[..lanes.width().0]);
    }
}

fn absorb_alone<L: Lanes>(lanes: &mut L, lane: usize, work: &Work<'_>, tail: &[u8; TAIL]) {
    let block_len = lanes.block_len();
    let input = work.input(block_len, tail);
    let in_head = work.blocks.min(input.head_blocks);
    lanes.absorb_alone(lane, &input.head[..in_head * block_len]);
    lanes.absorb_alone(lane, &input.tail[..(work.blocks - in_head) * block_len]);
}

/// As long as as many messages as the kernel is wide are alike, each group is one call of the kernel, with
/// none of the bookkeeping that mixed lengths need. Returns how many messages are hashed.
///
/// As many groups as there is room for are padded before the first one is hashed: what was written byte by byte just
/// now, a kernel that reads it by vectors would have to wait for.
fn run_alike<L: Lanes>(
    lanes: &mut L,
    messages: &Messages<'_, '_>,
    out: &mut [u8],
    output_len: usize,
    tails: &mut [[u8; TAIL]; MAX],
) -> usize {
    let Messages { count: jobs, prefix_len, .. } = *messages;
    let (width, _) = lanes.width();
    let block_len = lanes.block_len();
    let mut done = 0;
    if L::TAIL_APART || width == 1 || output_len == 0 || output_len > lanes.output_at_once() {
        return 0;
    }
    const NOTHING: Input<'_> = Input { head: &[], head_blocks: 0, tail: &[] };
    while jobs - done >= width {
        lanes.begin_all(prefix_len);
        let room = MAX.min(jobs - done) / width * width;
        let mut padded = [NOTHING; MAX];
        let (mut blocks, mut alike) = (0, room);
        for (i, (input, tail)) in padded[..room].iter_mut().zip(tails.iter_mut()).enumerate() {
            let message = messages.message(done + i);
            let suits = lanes.suits(prefix_len, message);
            let head_blocks = lanes.body_len(message.len()) / block_len;
            let all = if suits { head_blocks + lanes.pad(0, message, tail) } else { 0 };
            if !suits || (i > 0 && all != blocks) {
                alike = i / width * width;
                break;
            }
            blocks = all;
            *input = Input { head: message, head_blocks, tail };
        }
        let mut inputs = [NOTHING; MAX];
        for (group, padded) in padded[..alike].chunks_exact(width).enumerate() {
            if group > 0 {
                lanes.begin_all(prefix_len);
            }
            if prefix_len > 0 {
                let mut prefixes = [Input { head_blocks: prefix_len / block_len, ..NOTHING }; MAX];
                for (lane, input) in prefixes[..width].iter_mut().enumerate() {
                    input.head = messages.prefix(done + lane);
                }
                lanes.absorb(&prefixes, prefix_len / block_len);
            }
            inputs[..width].copy_from_slice(padded);
            lanes.absorb(&inputs, blocks);
            for (lane, out) in out[done * output_len..].chunks_exact_mut(output_len).take(width).enumerate() {
                // Nearly all digests have this length; known, it spares half of the work.
                match <&mut [u8; 32]>::try_from(&mut *out) {
                    Ok(out) => lanes.take(lane, out),
                    Err(_) => lanes.take(lane, out),
                };
            }
            done += width;
        }
        if alike < room {
            break;
        }
    }
    done
}

/// Overwrites tails by whole vectors: a volatile write for each byte costs as much as hashing a few messages.
fn wipe(tails: &mut [[u8; TAIL]]) {
    tails.as_flattened_mut().fill(0);
    zeroize::optimization_barrier(tails);
}

/// Gives a lane to a message.
fn start<'a, L: Lanes>(
    lanes: &mut L,
    lane: usize,
    job: usize,
    messages: &Messages<'a, '_>,
    tail: &mut [u8; TAIL],
) -> Work<'a> {
    let prefix_len = messages.prefix_len;
    lanes.begin(lane, prefix_len);
    let mut work = Work { job, head: &[], head_blocks: 0, at: 0, blocks: 0, next: Next::Message, written: 0 };
    if prefix_len > 0 {
        work.turn_to(messages.prefix(job), prefix_len / lanes.block_len());
    } else {
        work.turn_to_message(lanes, lane, messages.message(job), tail);
    }
    work
}

/// Absorbs `blocks` blocks of every lane at work. Idle lanes hash along with another one; nobody looks at
/// them.
fn absorb<L: Lanes>(lanes: &mut L, work: &[Option<Work<'_>>], tails: &[[u8; TAIL]; MAX], blocks: usize) {
    let block_len = lanes.block_len();
    let input = |lane: usize| Some(work.get(lane)?.as_ref()?.input(block_len, &tails[lane]));
    let filler = (0..work.len()).find_map(input).expect("a lane is at work");
    let mut inputs = [filler; MAX];
    for (lane, slot) in inputs[..work.len()].iter_mut().enumerate() {
        *slot = input(lane).unwrap_or(filler);
    }
    lanes.absorb(&inputs, blocks);
}

/// The order in which jobs from this one on are taken, or `None` where all have the same number of blocks, or nearly so.
fn by_falling_length(messages: &Messages<'_, '_>, from: usize, block_len: usize) -> Option<Vec<u32>> {
    let (jobs, message) = (from..messages.count, messages.message);
    let first = if jobs.is_empty() { return None } else { message(from).len() };
    let mixed = jobs.clone().any(|job| message(job).len().abs_diff(first) > block_len);
    if !mixed {
        return None;
    }
    let mut order: Vec<u32> = (u32::try_from(from).ok()?..u32::try_from(jobs.end).ok()?).collect();
    order.sort_unstable_by_key(|&job| core::cmp::Reverse(message(job as usize).len() / block_len));
    Some(order)
}

/// A batch table seen without its function type.
pub(crate) trait BatchKernelTable: KernelTable {
    /// Name of the kernel for such a load, if none is named; `None` if the messages go one by one.
    fn name_for(&self, load: Load) -> Option<&'static str>;
}

impl<F: Copy + Sync> BatchKernelTable for Table<Batch<F>> {
    fn name_for(&self, load: Load) -> Option<&'static str> {
        self.best_for(load).map(|(row, _)| row.name())
    }
}

impl<F: Copy> Table<Batch<F>> {
    /// The row forced for this process, else the fastest for the load, and the fewest live lanes that pay for it.
    fn best_for(&self, load: Load) -> Option<(Chosen<Batch<F>>, usize)> {
        let written = |row: Chosen<Batch<F>>| (row, row.function().break_even);
        if let Some(forced) = self.forced_row() {
            return Some(written(forced));
        }
        if let Some(fastest) = self.fastest_for(load.messages, load.bytes) {
            return fastest;
        }
        let mut widths = [None; ROWS];
        self.available().for_each(|(row, kernel)| widths[row] = Some(kernel.function().lanes));
        let place = written_for(load.messages, &widths);
        self.available().find(|(row, _)| Some(*row) == place).map(|(_, row)| written(row))
    }
}
