//! Many messages at once: the one scheduler of every batch kernel.
//!
//! ```text
//! job = message and the state it starts from          lane = a column of the kernel's states
//! idle lane takes the next job:   body  = whole blocks, hashed where they lie
//!                                 tail  = the rest with its padding, in the lane's own buffer
//!                                 zeros = one block for each further block of output (sponges)
//! each step:  n = fewest blocks left in any lane; the kernel absorbs n blocks of every lane
//!             lanes at an end turn to their next segment, or give their digest and take a job
//! ```
//!
//! Jobs go in by falling length, so that the last ones end together. When too few are left to pay for the
//! whole width of the kernel, each goes on alone on the chain kernel.

use crate::error::Error;
use crate::kernel::{Chosen, Kernel, Table};
use crate::lanes::MAX;
use alloc::vec::Vec;
use zeroize::Zeroize;

/// A batch kernel: how wide it is, and what it computes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch<F> {
    /// Messages side by side, at most [`MAX`].
    pub(crate) lanes: usize,
    /// The fewest messages for which it is faster than the chain kernel, one after the other, on CPUs that
    /// choose it. Decides speed only.
    pub(crate) break_even: usize,
    pub(crate) function: F,
}

impl<F> Batch<F> {
    /// What [`Lanes::width`] tells of it.
    pub(crate) fn width(&self) -> (usize, usize) {
        (self.lanes, self.break_even)
    }
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

/// The chain kernel of a state, and the batch kernel beside it, if there is one.
pub(crate) struct Pair<C: 'static, B: 'static> {
    pub(crate) chain: Chosen<C>,
    pub(crate) batch: Option<Chosen<Batch<B>>>,
}

impl<C, B> Clone for Pair<C, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C, B> Copy for Pair<C, B> {}

impl<C: Copy, B: Copy> Pair<C, B> {
    /// Without a name: the best of both tables for so many messages, unless the process is forced onto a chain
    /// kernel. A chain kernel by name hashes one message at a time; a batch kernel by name goes with the best
    /// chain kernel.
    pub(crate) fn choose(
        chain: &Table<C>,
        batch: &Table<Batch<B>>,
        name: Option<&str>,
        messages: usize,
    ) -> Result<Self, Error> {
        let Some(name) = name else {
            let batch = if chain.is_forced() { None } else { batch.best_for(messages) };
            return Ok(Self { chain: chain.best(), batch });
        };
        match (chain.choose(Some(name)), batch.choose(Some(name))) {
            (Ok(chain), _) => Ok(Self { chain, batch: None }),
            (_, Ok(batch)) => Ok(Self { chain: chain.best(), batch: Some(batch) }),
            (Err(Error::UnknownBackend { .. }), Err(error)) | (Err(error), _) => Err(error),
        }
    }

    /// Name of the kernel that many messages go through.
    pub(crate) fn name(&self) -> &'static str {
        self.batch.map_or_else(|| self.chain.name(), Chosen::name)
    }
}

/// Longest tail: two blocks of the longest rate.
pub(crate) const TAIL: usize = 2 * 168;

/// The states of all lanes, and their kernels.
pub(crate) trait Lanes {
    /// Bytes of a block.
    fn block_len(&self) -> usize;
    /// Width of the kernel, and the fewest lanes worth it.
    fn width(&self) -> (usize, usize);
    /// Gives a lane to a new message, with its state before the message.
    fn begin(&mut self, lane: usize, job: usize);
    /// How many bytes of a message, from its start, are hashed in place: whole blocks.
    fn body_len(&self, message_len: usize) -> usize;
    /// Writes the blocks that follow the body; returns how many.
    fn pad(&mut self, lane: usize, message: &[u8], tail: &mut [u8; TAIL]) -> usize;
    /// Absorbs `blocks` blocks of every lane; `inputs` has as many columns as the kernel.
    fn absorb(&mut self, inputs: &[&[u8]; MAX], blocks: usize);
    /// Absorbs whole blocks of one lane on the chain kernel.
    fn absorb_alone(&mut self, lane: usize, input: &[u8]);
    /// Writes the next bytes of output of a lane, as many as it has without another block; returns how many.
    fn take(&mut self, lane: usize, out: &mut [u8]) -> usize;
    /// Whether states and tails depend on a key and must be overwritten.
    fn secret(&self) -> bool;
    /// Hashes a message that does not suit lanes from beginning to end, if it is one.
    fn alone(&mut self, job: usize, message: &[u8], out: &mut [u8]) -> bool {
        let _ = (job, message, out);
        false
    }
}

/// What a lane is absorbing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Segment {
    Body,
    Tail,
    Zeros,
}

/// A lane at work.
struct Work {
    job: usize,
    segment: Segment,
    /// Bytes of the segment absorbed.
    at: usize,
    /// Blocks of the segment left.
    blocks: usize,
    /// Output bytes written.
    written: usize,
}

static ZEROS: [u8; 168] = [0; 168];

/// Hashes `jobs` messages; job `i` writes bytes `i * output_len ..` of `out`.
pub(crate) fn run<'m, L: Lanes>(
    lanes: &mut L,
    jobs: usize,
    message: impl Fn(usize) -> &'m [u8],
    out: &mut [u8],
    output_len: usize,
) {
    debug_assert_eq!(out.len(), jobs * output_len);
    let mut tails = [[0; TAIL]; MAX];
    let (width, break_even) = lanes.width();
    let block_len = lanes.block_len();
    let order = by_falling_length(jobs, block_len, &message);
    let mut next_jobs = (0..jobs).map(|i| order.as_ref().map_or(i, |order| order[i] as usize));
    let mut work: [Option<Work>; MAX] = [const { None }; MAX];
    loop {
        let mut active = 0;
        for (lane, slot) in work[..width].iter_mut().enumerate() {
            while slot.is_none() {
                let Some(job) = next_jobs.next() else { break };
                let message = message(job);
                if lanes.alone(job, message, &mut out[job * output_len..][..output_len]) {
                    continue;
                }
                lanes.begin(lane, job);
                let body = lanes.body_len(message.len()) / block_len;
                *slot = Some(Work { job, segment: Segment::Body, at: 0, blocks: body, written: 0 });
                if body == 0 {
                    enter_tail(lanes, lane, slot.as_mut().expect("just set"), message, &mut tails[lane]);
                }
            }
            active += usize::from(slot.is_some());
        }
        if active == 0 {
            break;
        }
        let input = |lane: usize, work: &Work| match work.segment {
            Segment::Body => &message(work.job)[work.at..],
            // Two borrows of one array: the tails are not written while the kernel reads them.
            Segment::Tail => &tails[lane][work.at..],
            Segment::Zeros => &ZEROS[..],
        };
        let at_work = || work.iter().enumerate().filter_map(|(lane, work)| Some((lane, work.as_ref()?)));
        let together = active >= break_even;
        let blocks = at_work().map(|(_, work)| work.blocks).min().expect("a lane is active");
        if together {
            // Idle lanes hash along with another one; nobody looks at them.
            let (first, filler) = at_work().next().expect("a lane is active");
            let mut inputs = [input(first, filler); MAX];
            for (lane, work) in at_work() {
                inputs[lane] = input(lane, work);
            }
            lanes.absorb(&inputs, blocks);
        } else {
            for (lane, work) in at_work() {
                lanes.absorb_alone(lane, &input(lane, work)[..work.blocks * block_len]);
            }
        }
        for (lane, slot) in work[..width].iter_mut().enumerate() {
            let Some(work) = slot else { continue };
            let done = if together { blocks } else { work.blocks };
            work.at += done * block_len;
            work.blocks -= done;
            if work.blocks > 0 {
                continue;
            }
            if work.segment == Segment::Body {
                enter_tail(lanes, lane, work, message(work.job), &mut tails[lane]);
                continue;
            }
            work.written += lanes.take(lane, &mut out[work.job * output_len..][work.written..output_len]);
            if work.written == output_len {
                *slot = None;
            } else {
                (work.segment, work.at, work.blocks) = (Segment::Zeros, 0, 1);
            }
        }
    }
    if lanes.secret() {
        tails.as_flattened_mut().zeroize();
    }
}

fn enter_tail<L: Lanes>(lanes: &mut L, lane: usize, work: &mut Work, message: &[u8], tail: &mut [u8; TAIL]) {
    (work.segment, work.at) = (Segment::Tail, 0);
    work.blocks = lanes.pad(lane, message, tail);
}

/// The order in which jobs are taken, or `None` where all have the same number of blocks, or nearly so.
fn by_falling_length<'m>(
    jobs: usize,
    block_len: usize,
    message: impl Fn(usize) -> &'m [u8],
) -> Option<Vec<u32>> {
    let blocks = |job: usize| message(job).len() / block_len;
    if jobs == 0 {
        return None;
    }
    let first = blocks(0);
    let mixed = (1..jobs).any(|job| blocks(job).abs_diff(first) > 1);
    if !mixed {
        return None;
    }
    let mut order: Vec<u32> = (0..u32::try_from(jobs).ok()?).collect();
    order.sort_unstable_by_key(|&job| core::cmp::Reverse(blocks(job as usize)));
    Some(order)
}

impl<F: Copy> Table<Batch<F>> {
    /// The row forced for this process, else the narrowest one that holds all the messages, else the best.
    fn best_for(&self, messages: usize) -> Option<Chosen<Batch<F>>> {
        let best = self.best_if_any()?;
        if self.is_forced() || best.function().lanes < messages {
            return Some(best);
        }
        let holds = |row: &Chosen<Batch<F>>| row.function().lanes >= messages;
        self.available().filter(holds).min_by_key(|row| row.function().lanes)
    }
}
