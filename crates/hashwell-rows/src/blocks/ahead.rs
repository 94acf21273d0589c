//! Threads that read ahead. Each has every n-th block of the file, and hands its blocks over in order; so the blocks come
//! in the file's order whatever the threads do. Buffers go back and forth, so that memory is fixed.

use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

use memchr::memchr_iter;

use super::block::{Block, Plan};

/// Blocks of each thread that are in flight: one to be read and one to be used.
const IN_FLIGHT: usize = 4;

/// Who reads every n-th block.
enum Lane {
    /// Another thread, and the two ways between us.
    Thread { full: Receiver<io::Result<Block>>, free: Sender<Block> },
    /// The thread that asks for blocks. A thread that only waited would be woken for every block, on the processor of
    /// whoever wakes it, and all would end up on one.
    Here(Fill),
}

pub(crate) struct Ahead {
    lanes: Vec<Lane>,
    turn: usize,
    ended: bool,
    counts: Arc<AtomicBool>,
}

/// What reads the blocks of one lane: fills the block.
type Fill = Box<dyn FnMut(&mut Block) -> io::Result<()> + Send>;

impl Ahead {
    /// One thread that reads a stream.
    pub(super) fn of_reader(reader: Box<dyn Read + Send>, plan: Plan) -> Result<Ahead, Box<dyn Read + Send>> {
        let mut ahead = Ahead::empty();
        // Where no thread can be had, the reader must come back: it waits in a slot that both can reach.
        let slot = Arc::new(Mutex::new(Some(reader)));
        let mut taken: Option<Box<dyn Read + Send>> = None;
        let theirs = Arc::clone(&slot);
        let fill = Box::new(move |block: &mut Block| {
            if taken.is_none() {
                taken = theirs.lock().map_err(|_| io::Error::other("a thread failed"))?.take();
            }
            let reader = taken.as_mut().ok_or_else(|| io::Error::other("a thread failed"))?;
            block.fill(|bytes, _| reader.read(bytes))
        });
        if ahead.start(fill, plan) {
            return Ok(ahead);
        }
        let back = slot.lock().ok().and_then(|mut held| held.take());
        back.map_or(Ok(ahead), Err)
    }

    /// Threads that read a file here and there; `None` if they cannot be had.
    pub(super) fn of_file(file: File, offset: u64, plan: Plan) -> Option<Ahead> {
        let file = Arc::new(file);
        let lanes = plan.threads as u64;
        let of_lane = |lane| strided(Arc::clone(&file), offset, lane, lanes, plan.size);
        let mut ahead = Ahead::empty();
        ahead.lanes.push(Lane::Here(of_lane(0)));
        (CAN_READ_AT && (1..lanes).all(|lane| ahead.start(of_lane(lane), plan))).then_some(ahead)
    }

    fn empty() -> Ahead {
        Ahead { lanes: Vec::new(), turn: 0, ended: false, counts: Arc::new(AtomicBool::new(true)) }
    }

    /// Adds a lane; false if the system has no thread for it, or no memory.
    fn start(&mut self, mut fill: Fill, plan: Plan) -> bool {
        let Ok(blocks) = (0..IN_FLIGHT).map(|_| Block::new(plan.size)).collect::<io::Result<Vec<_>>>() else {
            return false;
        };
        let (give, full) = sync_channel::<io::Result<Block>>(IN_FLIGHT);
        let (free, take) = channel::<Block>();
        let counts = Arc::clone(&self.counts);
        let work = move || {
            while let Ok(mut block) = take.recv() {
                let done = fill(&mut block).map(|()| {
                    if counts.load(Ordering::Relaxed) {
                        block.ends = plan.count.map(|byte| memchr_iter(byte, block.bytes()).count() as u64);
                    }
                    block
                });
                let last = !done.as_ref().is_ok_and(Block::is_full);
                if give.send(done).is_err() || last {
                    return;
                }
            }
        };
        if thread::Builder::new().name("rows".into()).spawn(work).is_err() {
            return false;
        }
        for block in blocks {
            // A thread that has ended already is noticed when its block is asked for.
            let _ = free.send(block);
        }
        self.lanes.push(Lane::Thread { full, free });
        true
    }

    pub(super) fn next(&mut self, block: &mut Block) -> io::Result<()> {
        if self.ended {
            *block = Block::empty();
            return Ok(());
        }
        match &mut self.lanes[self.turn] {
            Lane::Here(fill) => fill(block)?,
            Lane::Thread { full, free } => {
                let next =
                    full.recv().map_err(|_| io::Error::other("a thread that read ahead has failed"))??;
                let used = std::mem::replace(block, next);
                // A thread that is done needs no buffer.
                let _ = free.send(used);
            }
        }
        self.turn = (self.turn + 1) % self.lanes.len();
        // The file ends where the first block that is not full ends, even if it has grown since.
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
