//! Threads that read ahead. Each of n threads reads every n-th block of the file and hands over its blocks in order, so
//! that the blocks arrive in the file's order independently of the threads. Buffers are reused, so that memory is
//! constant.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hashwell_work::ReadAhead;
use memchr::memchr_iter;

use super::block::{Block, Plan};
use crate::fields::Blank;

/// The number of blocks of each thread, some being read and some being used.
const IN_FLIGHT: usize = 4;

/// A reader of every n-th block.
enum Lane {
    /// A separate thread.
    Thread(ReadAhead<Block, io::Error>),
    /// The thread that requests blocks. If it only waited, it would be woken for every block, on the CPU of the thread
    /// that wakes it, and all threads would end up on one CPU.
    Here(Fill),
}

pub(crate) struct Ahead {
    lanes: Vec<Lane>,
    turn: usize,
    ended: bool,
    counts: Arc<AtomicBool>,
}

/// Fills the blocks of one lane, one after another.
type Fill = Box<dyn FnMut(&mut Block) -> io::Result<()> + Send>;

impl Ahead {
    /// One thread that reads a stream, or the caller's thread if no other can be started.
    pub(super) fn of_reader(mut reader: Box<dyn Read + Send>, plan: Plan) -> Ahead {
        let mut ahead = Ahead::empty();
        ahead.start(Box::new(move |block| block.fill(|bytes, _| reader.read(bytes))), plan);
        ahead
    }

    /// Threads that read a file at different offsets, as many as can be started; `None` if the file doesn't support
    /// this.
    pub(super) fn of_file(file: File, offset: u64, plan: Plan) -> Option<Ahead> {
        let file = Arc::new(file);
        let lanes = plan.threads as u64;
        let of_lane = |lane| strided(Arc::clone(&file), offset, lane, lanes, plan.size);
        let mut ahead = Ahead::empty();
        ahead.lanes.push(Lane::Here(of_lane(0)));
        (1..lanes).for_each(|lane| ahead.start(of_lane(lane), plan));
        CAN_READ_AT.then_some(ahead)
    }

    fn empty() -> Ahead {
        Ahead { lanes: Vec::new(), turn: 0, ended: false, counts: Arc::new(AtomicBool::new(true)) }
    }

    /// Adds a lane. It runs on the caller's thread if the system has no thread or no memory for it.
    fn start(&mut self, fill: Fill, plan: Plan) {
        self.lanes.push(self.thread(fill, plan).map_or_else(Lane::Here, Lane::Thread));
    }

    fn thread(&self, fill: Fill, plan: Plan) -> Result<ReadAhead<Block, io::Error>, Fill> {
        let Ok(blocks) = (0..IN_FLIGHT).map(|_| Block::new(plan.size)).collect::<io::Result<Vec<_>>>() else {
            return Err(fill);
        };
        let counts = Arc::clone(&self.counts);
        ReadAhead::start(blocks, fill, move |fill, block| {
            fill(block)?;
            if counts.load(Ordering::Relaxed) {
                block.ends = plan.count.map(|byte| memchr_iter(byte, block.bytes()).count() as u64);
                block.may_have_blanks =
                    (plan.blank != Blank::Never).then(|| plan.blank.may_be_in(block.bytes()));
            }
            Ok(block.is_full())
        })
    }

    pub(super) fn next(&mut self, block: &mut Block) -> io::Result<()> {
        if self.ended {
            *block = Block::empty();
            return Ok(());
        }
        match &mut self.lanes[self.turn] {
            Lane::Here(fill) => fill(block)?,
            Lane::Thread(thread) => {
                if !thread.swap(block)? {
                    *block = Block::empty();
                }
            }
        }
        self.turn = (self.turn + 1) % self.lanes.len();
        // The first block that is not full is the end of the file, even if the file has grown since.
        self.ended = !block.is_full();
        Ok(())
    }

    pub(super) fn want_counts(&self, wanted: bool) {
        if self.counts.load(Ordering::Relaxed) != wanted {
            self.counts.store(wanted, Ordering::Relaxed);
        }
    }
}

/// Reads blocks `lane`, `lane + lanes`, and so on.
fn strided(file: Arc<File>, offset: u64, lane: u64, lanes: u64, size: usize) -> Fill {
    let step = lanes.saturating_mul(size as u64);
    let mut start = offset.saturating_add(lane.saturating_mul(size as u64));
    Box::new(move |block| {
        block.fill(|bytes, done| read_at(&file, bytes, start.saturating_add(done as u64)))?;
        start = start.saturating_add(step);
        Ok(())
    })
}

const CAN_READ_AT: bool = cfg!(any(unix, windows));

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, bytes, offset)
}

#[cfg(not(any(unix, windows)))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}
