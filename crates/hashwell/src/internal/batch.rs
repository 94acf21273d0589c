//! The scheduler of every batch kernel, which hashes many messages at once.
//!
//! ```text
//! job = a message, perhaps after a prefix             lane = a column of the kernel's states
//! an idle lane takes the next job:
//!                                 prefix = whole blocks in a different buffer (HMAC's padded keys)
//!                                 body   = whole blocks of the message, hashed in place
//!                                 tail   = the rest with its padding, in the lane's own buffer
//!                                 zeros  = one block for each further block of output (sponges)
//! each step:  n = fewest blocks left in any lane; the kernel absorbs n blocks of every lane
//!             lanes that reach an end continue with the next part, or write their digest and take a job
//! ```
//!
//! Jobs start in order of decreasing length, so that the last ones end at about the same time. When
//! too few jobs are left for the batch kernel to pay off, each of them continues on the
//! single-message kernel (the chain kernel).

use crate::internal::error::Error;
use crate::internal::kernel::{Chosen, Kernel, KernelTable, Table};
use crate::internal::plan::{ROWS, written_for};
use crate::internal::small;
use crate::internal::try_alloc;
use crate::internal::vector::{Input, MAX};
use alloc::vec::Vec;
use core::ops::Range;

/// True if any family has a batch kernel for this CPU architecture. Otherwise the scheduler is not
/// compiled.
pub(crate) const EXIST: bool = cfg!(any(
    target_arch = "x86_64",
    target_arch = "x86",
    all(target_arch = "wasm32", target_feature = "simd128")
));

/// A batch kernel: its width and its function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch<F> {
    /// The number of messages hashed in parallel, at most [`MAX`].
    pub(crate) lanes: usize,
    /// The minimum number of messages for which the kernel is faster than the chain kernel, if
    /// nothing was measured. It affects only the speed.
    pub(crate) break_even: usize,
    pub(crate) function: F,
}

/// Makes a row of a batch table.
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

/// The properties of a batch that affect the choice of a kernel.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    pub(crate) messages: usize,
    /// The approximate length of a message in bytes.
    pub(crate) bytes: usize,
}

impl Load {
    /// Returns the load of this number of long messages.
    pub(crate) const fn long(messages: usize) -> Self {
        Self { messages, bytes: usize::MAX }
    }

    /// Returns the load of this number of messages. Its message length is the average of the first messages.
    pub(crate) fn of<'m>(messages: usize, message: impl Fn(usize) -> &'m [u8]) -> Self {
        let sample = messages.min(MAX);
        let bytes = (0..sample).fold(0_usize, |sum, i| sum.saturating_add(message(i).len()));
        Self { messages, bytes: bytes / sample.max(1) }
    }
}

/// The chain kernel of a state, and the batch kernel that goes with it, if there is one.
pub(crate) struct Pair<C: 'static, B: 'static> {
    pub(crate) chain: Chosen<C>,
    pub(crate) batch: Option<Chosen<Batch<B>>>,
    /// The minimum number of active lanes for which the batch kernel pays off.
    break_even: usize,
}

impl<C, B> Clone for Pair<C, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C, B> Copy for Pair<C, B> {}

impl<C: Copy, B: Copy> Pair<C, B> {
    /// Returns a pair with only a chain kernel, which hashes one message after the other.
    pub(crate) fn alone(chain: Chosen<C>) -> Self {
        Self { chain, batch: None, break_even: usize::MAX }
    }

    /// Returns a pair with a batch kernel and the break-even from its table.
    pub(crate) fn of(chain: Chosen<C>, batch: Chosen<Batch<B>>) -> Self {
        Self::beside(chain, Some((batch, batch.function().break_even)))
    }

    fn beside(chain: Chosen<C>, batch: Option<(Chosen<Batch<B>>, usize)>) -> Self {
        batch.map_or(Self::alone(chain), |(batch, break_even)| Self { chain, batch: Some(batch), break_even })
    }

    /// Chooses the kernels. Without a name, the best kernels of both tables for the load are chosen, unless a chain
    /// kernel is forced for the process. If a chain kernel is named, messages are hashed one at a time. If a batch
    /// kernel is named, it is used with the best chain kernel.
    pub(crate) fn choose(
        chain: &Table<C>,
        batch: &Table<Batch<B>>,
        name: Option<&str>,
        load: Load,
    ) -> Result<Self, Error> {
        if !EXIST {
            return chain.choose(name).map(Self::alone);
        }
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

    /// Returns the values of [`Lanes::width`].
    pub(crate) fn width(&self) -> (usize, usize) {
        self.batch.map_or((1, usize::MAX), |kernel| (kernel.function().lanes, self.break_even))
    }

    /// Returns the name of the kernel for many messages.
    pub(crate) fn name(&self) -> &'static str {
        self.batch.map_or_else(|| self.chain.name(), Chosen::name)
    }
}

/// Messages to be hashed in parallel.
#[derive(Clone, Copy)]
pub(crate) struct Messages<'a, 'm: 'a> {
    pub(crate) count: usize,
    pub(crate) message: &'a dyn Fn(usize) -> &'m [u8],
    /// The concatenated prefixes of the messages, or nothing.
    pub(crate) prefixes: &'a [u8],
    /// The length of each prefix in bytes: whole blocks, or zero.
    pub(crate) prefix_len: usize,
}

impl<'a, 'm> Messages<'a, 'm> {
    /// Returns messages without prefixes.
    pub(crate) fn new(count: usize, message: &'a dyn Fn(usize) -> &'m [u8]) -> Self {
        Self { count, message, prefixes: &[], prefix_len: 0 }
    }

    /// Adds one prefix of this length for each message.
    pub(crate) fn with_prefixes(self, prefixes: &'a [u8], prefix_len: usize) -> Self {
        debug_assert_eq!(prefixes.len(), self.count * prefix_len);
        Self { prefixes, prefix_len, ..self }
    }

    /// Returns the load that determines the choice of a kernel.
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

/// The maximum length of a tail: two blocks of the highest rate.
pub(crate) const TAIL: usize = 2 * 168;

/// The states of all lanes, and their kernels.
pub(crate) trait Lanes {
    /// Returns true if a tail after whole blocks needs its own call of the kernel, and must be padded after these
    /// blocks are absorbed.
    ///
    /// Otherwise the padding depends only on the start of the lane, the length of the message, and
    /// its bytes after the body.
    fn tail_apart(&self) -> bool {
        false
    }

    /// Returns the length of a block in bytes.
    fn block_len(&self) -> usize;
    /// Returns the width of the kernel, and the minimum number of lanes for which it pays off.
    fn width(&self) -> (usize, usize);
    /// Assigns lanes to new messages, with the initial state. `prefix_len` bytes of prefix, in
    /// whole blocks, are absorbed between that state and the message.
    fn begin(&mut self, lanes: Range<usize>, prefix_len: usize);
    /// Returns the number of bytes from the start of a message that are hashed in place: whole blocks.
    fn body_len(&self, message_len: usize) -> usize;
    /// Writes the blocks after the body, which has the first `body_len` bytes of the message.
    /// Returns the number of blocks.
    fn pad(&mut self, lane: usize, message: &[u8], body_len: usize, tail: &mut [u8; TAIL]) -> usize;
    /// Absorbs `blocks` blocks of every lane. `inputs` has as many columns as the kernel.
    fn absorb(&mut self, inputs: &[Input<'_>; MAX], blocks: usize);
    /// Absorbs whole blocks of one lane with the chain kernel.
    fn absorb_alone(&mut self, lane: usize, input: &[u8]);
    /// Writes the next output bytes of a lane that need no further block, and returns their number.
    fn take(&mut self, lane: usize, out: &mut [u8]) -> usize;
    /// Returns true if states and tails depend on a key and must be overwritten.
    fn secret(&self) -> bool;
    /// Returns the number of output bytes that a lane has without a further block.
    fn output_at_once(&self) -> usize;
    /// Returns true if lanes can hash this message after a prefix of `prefix_len` bytes.
    fn suits(&self, prefix_len: usize, message: &[u8]) -> bool {
        let _ = (prefix_len, message);
        true
    }
    /// Hashes a prefix and a message that lanes cannot hash.
    fn alone(&mut self, prefix: &[u8], message: &[u8], out: &mut [u8]) {
        let _ = (prefix, message, out);
    }
}

/// Writes each word to some columns of its row. The compiler knows the number of columns of a
/// kernel, so it writes vectors, which the kernel can then load. This is a separate function
/// because lanes start in several places.
#[inline(never)]
pub(crate) fn fill<W: Copy, const N: usize>(rows: &mut [[W; MAX]; N], lanes: &Range<usize>, words: &[W; N]) {
    #[inline(always)]
    fn first<W: Copy, const LANES: usize>(rows: &mut [[W; MAX]], words: &[W]) {
        rows.iter_mut().zip(words).for_each(|(row, word)| row[..LANES].copy_from_slice(&[*word; LANES]));
    }
    match (lanes.start, lanes.end) {
        (0, 4) => first::<W, 4>(rows, words),
        (0, 8) => first::<W, 8>(rows, words),
        (0, MAX) => first::<W, MAX>(rows, words),
        _ => rows.iter_mut().zip(words).for_each(|(row, word)| row[lanes.clone()].fill(*word)),
    }
}

/// Calls [`Lanes::pad`] for a message whose lane is not part of a group. This is a separate
/// function because it is needed in several places.
#[inline(never)]
fn pad_one<L: Lanes + ?Sized>(
    lanes: &mut L,
    lane: usize,
    message: &[u8],
    body_len: usize,
    tail: &mut [u8; TAIL],
) -> usize {
    lanes.pad(lane, message, body_len, tail)
}

/// The work of a lane: it absorbs `blocks` blocks from block `at` of `head`, then `tail`.
struct Work<'m> {
    job: usize,
    head: &'m [u8],
    head_blocks: usize,
    at: usize,
    blocks: usize,
    next: Next,
    /// The number of output bytes written.
    written: usize,
}

/// The part that a lane continues with after it has absorbed its blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The message, after its prefix.
    Message,
    /// The tail, which is separate from the body.
    Tail,
    Output,
}

impl<'m> Work<'m> {
    /// Returns the blocks that are left, in the form that kernels expect.
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

    /// Continues with whole blocks of `head`, without a tail.
    fn turn_to(&mut self, head: &'m [u8], blocks: usize) {
        (self.head, self.head_blocks, self.at, self.blocks) = (head, blocks, 0, blocks);
    }

    /// Continues with the message.
    fn turn_to_message<L: Lanes + ?Sized>(
        &mut self,
        lanes: &mut L,
        lane: usize,
        message: &'m [u8],
        tail: &mut [u8; TAIL],
    ) {
        let body_len = lanes.body_len(message.len());
        self.turn_to(message, body_len / lanes.block_len());
        if lanes.tail_apart() && self.head_blocks > 0 {
            self.next = Next::Tail;
        } else {
            self.blocks += pad_one(lanes, lane, message, body_len, tail);
            self.next = Next::Output;
        }
    }
}

static ZEROS: [u8; 168] = [0; 168];

/// Hashes all messages. Message `i` writes its output to `out` from byte `i * output_len`.
#[inline]
pub(crate) fn run<L: Lanes>(lanes: &mut L, messages: &Messages<'_, '_>, out: &mut [u8], output_len: usize) {
    if small::ONE_SCHEDULER {
        run_on::<dyn Lanes + '_>(lanes, messages, out, output_len);
    } else {
        run_on(lanes, messages, out, output_len);
    }
}

fn run_on<L: Lanes + ?Sized>(lanes: &mut L, messages: &Messages<'_, '_>, out: &mut [u8], output_len: usize) {
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
                    let message = messages.message(work.job);
                    let body_len = lanes.body_len(message.len());
                    work.blocks = pad_one(lanes, lane, message, body_len, &mut tails[lane]);
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
        wipe(&mut tails[..MAX.min(messages.count)]);
    }
}

/// Absorbs one message in each lane, including its padding, and leaves the states there. Lanes
/// without a message repeat the last message.
pub(crate) fn absorb_all<L: Lanes>(lanes: &mut L, messages: &[&[u8]]) {
    debug_assert!(!lanes.tail_apart());
    debug_assert!(!messages.is_empty() && messages.len() <= lanes.width().0);
    let message = |lane: usize| messages[lane];
    let messages = Messages::new(messages.len(), &message);
    let mut tails = [[0; TAIL]; MAX];
    let mut work: [Option<Work<'_>>; MAX] = [const { None }; MAX];
    let work = &mut work[..messages.count];
    for (lane, slot) in work.iter_mut().enumerate() {
        *slot = Some(start(lanes, lane, lane, &messages, &mut tails[lane]));
    }
    // A lane must stop at the end of its message. So if not all lanes end together, each of them continues on the chain
    // kernel.
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
        wipe(&mut tails[..MAX.min(messages.count)]);
    }
}

fn absorb_alone<L: Lanes + ?Sized>(lanes: &mut L, lane: usize, work: &Work<'_>, tail: &[u8; TAIL]) {
    let block_len = lanes.block_len();
    let input = work.input(block_len, tail);
    let in_head = work.blocks.min(input.head_blocks);
    lanes.absorb_alone(lane, &input.head[..in_head * block_len]);
    lanes.absorb_alone(lane, &input.tail[..(work.blocks - in_head) * block_len]);
}

/// Hashes groups of messages that have the same number of blocks, one message for each lane of the kernel, with one
/// kernel call per group. This avoids the bookkeeping for mixed lengths. Returns the number of messages hashed.
///
/// If padding can be written before the body is absorbed, several groups are padded before the
/// first one is hashed. If each group were padded directly before its call, the vector loads of the
/// kernel would wait for the bytes that were just stored one by one.
fn run_alike<L: Lanes + ?Sized>(
    lanes: &mut L,
    messages: &Messages<'_, '_>,
    out: &mut [u8],
    output_len: usize,
    tails: &mut [[u8; TAIL]; MAX],
) -> usize {
    let (jobs, prefix_len) = (messages.count, messages.prefix_len);
    let (width, _) = lanes.width();
    let mut done = 0;
    if width == 1 || output_len == 0 || output_len > lanes.output_at_once() {
        return 0;
    }
    let at_once = if lanes.tail_apart() { width } else { MAX };
    while jobs - done >= width {
        let mut inputs = [NOTHING; MAX];
        let alike = heads_alike(lanes, messages, done, &mut inputs[..at_once.min(jobs - done)]);
        if alike < width {
            break;
        }
        lanes.begin(0..width, prefix_len);
        if lanes.tail_apart() {
            absorb_prefixes(lanes, messages, done);
            if inputs[0].head_blocks > 0 {
                lanes.absorb(&inputs, inputs[0].head_blocks);
            }
        }
        let (alike, blocks) = pad_alike(lanes, &mut inputs[..alike], tails);
        for group in 0..alike / width {
            if group > 0 {
                lanes.begin(0..width, prefix_len);
                inputs.copy_within(group * width..(group + 1) * width, 0);
            }
            if !lanes.tail_apart() {
                absorb_prefixes(lanes, messages, done);
            }
            lanes.absorb(&inputs, blocks);
            for (lane, out) in out[done * output_len..].chunks_exact_mut(output_len).take(width).enumerate() {
                // Nearly all digests have one of these lengths. Constant lengths save half of the
                // work.
                if let Ok(out) = <&mut [u8; 32]>::try_from(&mut *out) {
                    lanes.take(lane, out);
                } else if let Ok(out) = <&mut [u8; 64]>::try_from(&mut *out) {
                    lanes.take(lane, out);
                } else {
                    lanes.take(lane, out);
                }
            }
            done += width;
        }
        if alike < at_once {
            break;
        }
    }
    done
}

/// Absorbs the prefixes of the messages from `first` on, one in each lane.
fn absorb_prefixes<L: Lanes + ?Sized>(lanes: &mut L, messages: &Messages<'_, '_>, first: usize) {
    if messages.prefix_len == 0 {
        return;
    }
    let blocks = messages.prefix_len / lanes.block_len();
    let mut prefixes = [NOTHING; MAX];
    for (lane, input) in prefixes[..lanes.width().0].iter_mut().enumerate() {
        *input = Input { head: messages.prefix(first + lane), head_blocks: blocks, tail: &[] };
    }
    lanes.absorb(&prefixes, blocks);
}

/// The input of a lane without a message.
const NOTHING: Input<'_> = Input { head: &[], head_blocks: 0, tail: &[] };

/// Collects the bodies of the messages from `first` on that can be hashed in parallel, and returns
/// their number.
fn heads_alike<'m, L: Lanes + ?Sized>(
    lanes: &L,
    messages: &Messages<'m, '_>,
    first: usize,
    inputs: &mut [Input<'m>],
) -> usize {
    let blocks_of = |len: usize| lanes.body_len(len) / lanes.block_len();
    let first_len = messages.message(first).len();
    let first_blocks = blocks_of(first_len);
    for (i, input) in inputs.iter_mut().enumerate() {
        let head = messages.message(first + i);
        let head_blocks = if head.len() == first_len { first_blocks } else { blocks_of(head.len()) };
        if lanes.tail_apart() && head_blocks != first_blocks || !lanes.suits(messages.prefix_len, head) {
            return i;
        }
        *input = Input { head, head_blocks, tail: &[] };
    }
    inputs.len()
}

/// Pads messages, one lane after the other, until one of them has more or fewer blocks than the
/// first. Returns the number of messages with equal numbers of blocks, and that number of blocks.
/// Bodies that were already absorbed are not counted.
fn pad_alike<'m, L: Lanes + ?Sized>(
    lanes: &mut L,
    inputs: &mut [Input<'m>],
    tails: &'m mut [[u8; TAIL]; MAX],
) -> (usize, usize) {
    let (width, block_len) = (lanes.width().0, lanes.block_len());
    let mut blocks = 0;
    // The padding that was written for a message of whole blocks, with the length of the message. All messages of that
    // length share this padding.
    let mut written: Option<(usize, usize, &[u8; TAIL])> = None;
    for (i, (input, tail)) in inputs.iter_mut().zip(tails.iter_mut()).enumerate() {
        let (len, body_len) = (input.head.len(), input.head_blocks * block_len);
        let (tail_blocks, tail) = match written {
            Some((of, tail_blocks, tail)) if of == len => (tail_blocks, tail),
            _ => (lanes.pad(i % width, input.head, body_len, tail), &*tail),
        };
        if lanes.tail_apart() {
            input.head_blocks = 0;
        } else if body_len == len {
            written = Some((len, tail_blocks, tail));
        }
        let all = input.head_blocks + tail_blocks;
        if i > 0 && all != blocks {
            return (i, blocks);
        }
        blocks = all;
        input.tail = tail;
    }
    (inputs.len(), blocks)
}

/// Overwrites tails with whole vectors. A volatile write for each byte costs as much as hashing a
/// few messages.
fn wipe(tails: &mut [[u8; TAIL]]) {
    tails.as_flattened_mut().fill(0);
    zeroize::optimization_barrier(tails);
}

/// Assigns a lane to a message.
fn start<'a, L: Lanes + ?Sized>(
    lanes: &mut L,
    lane: usize,
    job: usize,
    messages: &Messages<'a, '_>,
    tail: &mut [u8; TAIL],
) -> Work<'a> {
    let prefix_len = messages.prefix_len;
    lanes.begin(lane..lane + 1, prefix_len);
    let mut work = Work { job, head: &[], head_blocks: 0, at: 0, blocks: 0, next: Next::Message, written: 0 };
    if prefix_len > 0 {
        work.turn_to(messages.prefix(job), prefix_len / lanes.block_len());
    } else {
        work.turn_to_message(lanes, lane, messages.message(job), tail);
    }
    work
}

/// Absorbs `blocks` blocks of every active lane. Idle lanes repeat the input of an active lane, and
/// their states are ignored.
fn absorb<L: Lanes + ?Sized>(
    lanes: &mut L,
    work: &[Option<Work<'_>>],
    tails: &[[u8; TAIL]; MAX],
    blocks: usize,
) {
    let block_len = lanes.block_len();
    let input = |lane: usize| Some(work.get(lane)?.as_ref()?.input(block_len, &tails[lane]));
    let filler = (0..work.len()).find_map(input).expect("a lane is at work");
    let mut inputs = [filler; MAX];
    for (lane, slot) in inputs[..work.len()].iter_mut().enumerate() {
        *slot = input(lane).unwrap_or(filler);
    }
    lanes.absorb(&inputs, blocks);
}

/// Returns the order in which jobs from `from` on are started, or `None` if all of them have about
/// the same number of blocks.
fn by_falling_length(messages: &Messages<'_, '_>, from: usize, block_len: usize) -> Option<Vec<u32>> {
    if small::UNSORTED_BATCHES || !EXIST {
        return None;
    }
    let (jobs, message) = (from..messages.count, messages.message);
    let first = if jobs.is_empty() { return None } else { message(from).len() };
    let mixed = jobs.clone().any(|job| message(job).len().abs_diff(first) > block_len);
    if !mixed {
        return None;
    }
    let last = u32::try_from(jobs.end).ok()?;
    // If the allocation fails, the order of the messages is used, which is a little slower and
    // gives the same digests.
    let mut order: Vec<u32> = try_alloc::list(jobs.len()).ok()?;
    order.resize(jobs.len(), 0);
    let class = |job: usize| length_class(message(job).len() / block_len);
    // A counting sort: `places[c]` is the number of messages in classes above c, and then the place of
    // the next message of class c.
    let mut places = [0_u32; LENGTH_CLASSES];
    jobs.clone().for_each(|job| places[class(job)] += 1);
    let mut above = 0;
    for place in places.iter_mut().rev() {
        above += core::mem::replace(place, above);
    }
    for (number, job) in (u32::try_from(from).ok()?..last).zip(jobs) {
        let place = &mut places[class(job)];
        order[*place as usize] = number;
        *place += 1;
    }
    Some(order)
}

/// The number of values of [`length_class`].
const LENGTH_CLASSES: usize = 8 * (usize::BITS as usize - 4) + 16;

/// Returns the class of messages with this number of blocks. Classes grow with the number, and the numbers in a class
/// differ by at most an eighth, which is enough for lanes that end at about the same time.
fn length_class(blocks: usize) -> usize {
    let shift = (usize::BITS - blocks.leading_zeros()).saturating_sub(4);
    8 * shift as usize + (blocks >> shift)
}

/// A batch table without its function type.
pub(crate) trait BatchKernelTable: KernelTable {
    /// Returns the name of the kernel for this load if no kernel is named, or `None` if the
    /// messages are hashed one at a time.
    fn name_for(&self, load: Load) -> Option<&'static str>;
}

impl<F: Copy + Sync> BatchKernelTable for Table<Batch<F>> {
    fn name_for(&self, load: Load) -> Option<&'static str> {
        self.best_for(load).map(|(row, _)| row.name())
    }
}

impl<F: Copy> Table<Batch<F>> {
    /// Returns the row that is forced for this process, or the fastest row for the load, and the
    /// minimum number of active lanes for which it pays off.
    fn best_for(&self, load: Load) -> Option<(Chosen<Batch<F>>, usize)> {
        if !EXIST {
            return None;
        }
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

/// Other tests compare the results of every kernel. These tests check the sequence of kernel calls,
/// which determines the speed.
#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;
    use alloc::vec;

    /// Four lanes with blocks of eight bytes. A call pays off if at least three lanes are active. A state is the input
    /// that was absorbed so far. Each call appends a word to `log`.
    struct Counting {
        apart: bool,
        states: [Vec<u8>; 4],
        log: Vec<String>,
    }

    impl Lanes for Counting {
        fn tail_apart(&self) -> bool {
            self.apart
        }

        fn block_len(&self) -> usize {
            8
        }

        fn width(&self) -> (usize, usize) {
            (4, 3)
        }

        fn begin(&mut self, lanes: Range<usize>, prefix_len: usize) {
            self.log.push(format!("begin{}", lanes.len()));
            self.states[lanes].fill(vec![u8::try_from(prefix_len).unwrap()]);
        }

        fn body_len(&self, message_len: usize) -> usize {
            message_len / 8 * 8
        }

        fn pad(&mut self, _: usize, message: &[u8], body_len: usize, tail: &mut [u8; TAIL]) -> usize {
            self.log.push("pad".into());
            let rest = &message[body_len..];
            tail[..8].fill(0);
            tail[..rest.len()].copy_from_slice(rest);
            tail[rest.len()] = 0x80;
            1
        }

        fn absorb(&mut self, inputs: &[Input<'_>; MAX], blocks: usize) {
            self.log.push(format!("absorb{blocks}"));
            for (state, input) in self.states.iter_mut().zip(inputs) {
                let in_head = blocks.min(input.head_blocks);
                state.extend(&input.head[..8 * in_head]);
                state.extend(&input.tail[..8 * (blocks - in_head)]);
            }
        }

        fn absorb_alone(&mut self, lane: usize, input: &[u8]) {
            self.log.push(format!("alone{}", input.len() / 8));
            self.states[lane].extend(input);
        }

        fn take(&mut self, lane: usize, out: &mut [u8]) -> usize {
            let len = out.len().min(8);
            let hash = self.states[lane]
                .iter()
                .fold(7_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3));
            out[..len].copy_from_slice(&hash.to_be_bytes()[..len]);
            len
        }

        fn secret(&self) -> bool {
            false
        }

        fn output_at_once(&self) -> usize {
            8
        }
    }

    fn counting(apart: bool) -> Counting {
        Counting { apart, states: [const { Vec::new() }; 4], log: Vec::new() }
    }

    /// Returns the calls that hash messages of these lengths after prefixes of that many blocks,
    /// such as "begin4 pad pad". The digests are compared with those of single messages.
    fn calls_behind(prefix_blocks: usize, apart: bool, lengths: &[usize], output_len: usize) -> String {
        let bytes: Vec<u8> = (0..=255).collect();
        let prefixes: Vec<u8> = (0..8 * prefix_blocks * lengths.len()).map(|i| i as u8).collect();
        let message = |i: usize| &bytes[i..i + lengths[i]];
        let messages = Messages::new(lengths.len(), &message).with_prefixes(&prefixes, 8 * prefix_blocks);
        let mut out = vec![0; lengths.len() * output_len];
        let mut lanes = counting(apart);
        run(&mut lanes, &messages, &mut out, output_len);
        for (job, out) in out.chunks_exact(output_len).enumerate() {
            let mut alone = counting(apart);
            alone.begin(0..1, 8 * prefix_blocks);
            alone.absorb_alone(0, messages.prefix(job));
            let mut tail = [0; TAIL];
            let body_len = alone.body_len(message(job).len());
            alone.absorb_alone(0, &message(job)[..body_len]);
            let blocks = alone.pad(0, message(job), body_len, &mut tail);
            alone.absorb_alone(0, &tail[..8 * blocks]);
            for out in out.chunks(8) {
                let mut expected = [0; 8];
                alone.take(0, &mut expected);
                assert_eq!(out, &expected[..out.len()], "message {job}");
                alone.absorb_alone(0, &ZEROS[..8]);
            }
        }
        lanes.log.join(" ").replace("pad pad pad pad", "pad4")
    }

    fn calls(apart: bool, lengths: &[usize]) -> String {
        calls_behind(0, apart, lengths, 8)
    }

    #[test]
    fn alike_messages_fill_the_kernel_and_are_padded_ahead() {
        assert_eq!(calls(false, &[20; 8]), "begin4 pad4 pad4 absorb3 begin4 absorb3");
        assert_eq!(calls(false, &[17, 18, 19, 23]), "begin4 pad4 absorb3");
        // Bodies that need their own call are absorbed before padding.
        assert_eq!(calls(true, &[20; 8]), "begin4 absorb2 pad4 absorb1 begin4 absorb2 pad4 absorb1");
        assert_eq!(calls(true, &[7; 4]), "begin4 pad4 absorb1");
        assert_eq!(calls_behind(2, false, &[9; 4], 8), "begin4 pad4 absorb2 absorb2");
        assert_eq!(calls_behind(2, true, &[9; 4], 5), "begin4 absorb2 absorb1 pad4 absorb1");
    }

    #[test]
    fn whole_blocks_of_one_length_are_padded_once() {
        assert_eq!(calls(false, &[16; 8]), "begin4 pad absorb3 begin4 absorb3");
        assert_eq!(calls(false, &[8, 9, 8, 8]), "begin4 pad pad absorb2");
        assert_eq!(calls(false, &[9, 8, 8, 10]), "begin4 pad pad pad absorb2");
        assert_eq!(calls_behind(2, false, &[8; 4], 8), "begin4 pad absorb2 absorb2");
        // Empty messages form a group only with other empty messages.
        assert_eq!(calls(false, &[0, 7, 0, 0]), "begin4 pad pad absorb1");
        // If padding needs its own call, it is written for each lane separately.
        assert_eq!(calls(true, &[16; 4]), "begin4 absorb2 pad4 absorb1");
    }

    #[test]
    fn groups_go_as_long_as_messages_are_alike() {
        assert_eq!(calls(false, &[8, 9, 10, 15, 30]), "begin4 pad4 pad absorb2 begin1 pad alone3 alone1");
        assert_eq!(calls(false, &[8, 8, 8, 8, 8]), "begin4 pad absorb2 begin1 pad alone1 alone1");
        assert_eq!(
            calls(true, &[8, 8, 8, 8, 30]),
            "begin4 absorb1 pad4 absorb1 begin1 alone3 alone0 pad alone0 alone1"
        );
        // A call pays off for three messages, but not for two.
        assert_eq!(calls(false, &[9; 3]), "begin1 pad begin1 pad begin1 pad absorb2");
        assert_eq!(calls(false, &[9; 2]), "begin1 pad begin1 pad alone1 alone1 alone1 alone1");
        assert_eq!(calls(true, &[7; 3]), "begin1 pad begin1 pad begin1 pad absorb1");
    }

    /// If a long message were started last, it would continue alone after the other messages have ended.
    #[test]
    fn long_messages_begin_first() {
        let lengths = [0, 8, 0, 0, 0, 0, 0, 80];
        let absorbed = calls(false, &lengths);
        let absorbed: Vec<&str> = absorbed
            .split(' ')
            .filter(|call| !call.starts_with("begin") && !call.starts_with("pad"))
            .collect();
        if small::UNSORTED_BATCHES || !EXIST {
            assert_eq!(absorbed, ["absorb1", "absorb1", "alone10", "alone1"]);
            return;
        }
        assert_eq!(absorbed, ["absorb1", "absorb1", "absorb1", "alone7", "alone1"]);
        let bytes = [0; 80];
        let order = |lengths: &[usize], from| {
            let message = |i: usize| &bytes[..lengths[i]];
            by_falling_length(&Messages::new(lengths.len(), &message), from, 8)
        };
        assert_eq!(order(&[0, 9, 30], 0), Some(vec![2, 1, 0]));
        assert_eq!(order(&[24, 0, 80, 24, 72, 0], 0), Some(vec![2, 4, 0, 3, 1, 5]));
        assert_eq!(order(&[80, 17, 30], 1), Some(vec![2, 1]));
        assert_eq!(order(&[0, 8, 8], 0), None, "a block more or less");
        assert_eq!(order(&[80, 0, 8], 1), None);
        assert_eq!(order(&[80, 0], 2), None);
    }

    #[test]
    fn length_classes_grow_by_an_eighth() {
        let edges = (4..usize::BITS - 1).flat_map(|bits| [(1 << bits) - 1, 1 << bits, (1 << bits) + 1]);
        let mut blocks: Vec<usize> = (0..5000).chain(edges).chain([usize::MAX]).collect();
        blocks.sort_unstable();
        for pair in blocks.windows(2) {
            let classes = [pair[0], pair[1]].map(length_class);
            assert!(classes[0] <= classes[1] && classes[1] < LENGTH_CLASSES, "{pair:?}");
            let near = pair[1] - pair[0] <= pair[0] / 8;
            assert!(near || pair[0] == pair[1] || classes[0] < classes[1], "{pair:?}");
        }
        assert_eq!(length_class(usize::MAX), LENGTH_CLASSES - 1);
        assert_eq!([15, 16, 17, 18].map(length_class), [15, 16, 16, 17]);
    }

    #[test]
    fn output_that_takes_more_blocks() {
        assert_eq!(calls_behind(0, false, &[7; 4], 8), "begin4 pad4 absorb1");
        assert_eq!(
            calls_behind(0, false, &[7; 4], 20),
            "begin1 pad begin1 pad begin1 pad begin1 pad absorb1 absorb1 absorb1"
        );
    }

    #[test]
    fn one_message_in_each_lane() {
        let mut lanes = counting(false);
        absorb_all(&mut lanes, &[b"one", b"two"]);
        assert_eq!(lanes.log.join(" "), "begin1 pad begin1 pad absorb1");
        let mut lanes = counting(false);
        absorb_all(&mut lanes, &[b"one", b"a block more"]);
        assert_eq!(lanes.log.join(" "), "begin1 pad begin1 pad alone0 alone1 alone1 alone1");
    }

    #[test]
    fn the_load_is_that_of_the_first_messages() {
        let (bytes, lengths) = ([0; 64], [1, 2, 6]);
        let load = Load::of(3, |i| &bytes[..lengths[i]]);
        assert_eq!((load.messages, load.bytes), (3, 3));
        let load = Load::of(1000, |i| &bytes[..if i < MAX { 10 } else { 64 }]);
        assert_eq!((load.messages, load.bytes), (1000, 10));
        assert_eq!(Load::of(0, |_| &bytes).bytes, 0);
    }
}
