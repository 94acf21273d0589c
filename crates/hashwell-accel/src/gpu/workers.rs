//! The workers of a batch: feeders, which keep the device busy, and CPU threads that hash.

use crate::gpu::device::{Gpu, many, unpoisoned};
use crate::gpu::error::Error;
use crate::gpu::program::Program;
use crate::gpu::slot::Slot;
use crate::gpu::work::{Piece, Work};
use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The division of a batch between the device and the CPU.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shared {
    /// The number of messages that the device hashed.
    pub on_device: usize,
    /// The number of messages that the CPU hashed.
    pub on_cpu: usize,
    /// The reason why the device stopped or did not start, if it failed. The digests are correct even then.
    pub failure: Option<Error>,
}

pub(super) struct Workers<'g, 'm, 'o> {
    gpu: &'g Gpu,
    program: &'static Program,
    work: Work<'m, 'o>,
    /// True if only the device hashes.
    alone: bool,
    on_device: AtomicUsize,
    on_cpu: AtomicUsize,
    failure: Mutex<Option<Error>>,
}

impl<'g, 'm, 'o> Workers<'g, 'm, 'o> {
    pub(super) fn new(gpu: &'g Gpu, program: &'static Program, work: Work<'m, 'o>, alone: bool) -> Self {
        let (on_device, on_cpu) = Default::default();
        Self { gpu, program, work, alone, on_device, on_cpu, failure: Mutex::default() }
    }

    /// Does all the work with this number of CPU threads and feeders. The caller's thread is one of them. If the system
    /// refuses to start the others, the caller does their work.
    pub(super) fn run(self, threads: usize, feeders: usize) -> Result<Shared, Error> {
        hashwell_work::scope(|scope| {
            let begin = |work: fn(&Self)| {
                let this = &self;
                scope.start(move || work(this)).is_ok()
            };
            let own = usize::from(self.alone);
            let begun = (own..feeders).filter(|_| begin(Self::feed)).count();
            (1..threads).take_while(|_| begin(Self::hash)).count();
            if self.alone || begun == 0 && feeders > 0 {
                self.feed();
            }
            if !self.alone {
                self.hash();
            }
        });
        let failure = unpoisoned(&self.failure).take();
        if self.alone {
            let shared = self.shared(failure);
            // One feeder may have run out of memory while the others did all the work.
            let done = shared.on_device == self.work.messages();
            return if done { Ok(shared) } else { Err(shared.failure.unwrap_or_else(|| self.unfinished())) };
        }
        // Hashes messages that were returned after all threads had ended.
        self.hash();
        // If a feeder runs out of memory while others feed the device, the device has not failed.
        let fed = self.on_device.load(Ordering::Relaxed) > 0;
        let failure = failure.filter(|error| !(fed && matches!(error, Error::OutOfMemory { .. })));
        Ok(self.shared(failure))
    }

    fn unfinished(&self) -> Error {
        let reason = "it left messages without an error".into();
        Error::Lost { device: self.gpu.described().id.clone(), reason }
    }

    fn shared(&self, failure: Option<Error>) -> Shared {
        let count = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        Shared { on_device: count(&self.on_device), on_cpu: count(&self.on_cpu), failure }
    }

    /// Hashes on the CPU until no messages are left.
    fn hash(&self) {
        let many = many(self.program.name);
        while let Some(piece) = self.work.for_cpu() {
            let messages: Vec<&[u8]> = piece.rows.iter().collect();
            many.digest_into(&messages, piece.out).expect("32 bytes for each message");
            self.on_cpu.fetch_add(messages.len(), Ordering::Relaxed);
        }
    }

    /// Keeps the device busy until no messages for it are left.
    fn feed(&self) {
        if let Err(error) = self.gpu.guarded(|| self.try_feed()) {
            unpoisoned(&self.failure).get_or_insert(error);
        }
    }

    fn try_feed(&self) -> Result<(), Error> {
        self.gpu.messages_program(self.program)?;
        let mut flight = Flight { work: &self.work, pieces: VecDeque::new() };
        let (mut free, mut busy): (Vec<Slot>, VecDeque<Slot>) = Default::default();
        let mut most = 2;
        loop {
            while free.len() + busy.len() < most && self.work.is_left() {
                match self.gpu.slot() {
                    Ok(slot) => free.push(slot),
                    // Continues with one piece at a time.
                    Err(Error::OutOfMemory { .. }) if free.len() + busy.len() == 1 => most = 1,
                    Err(error) => return Err(error),
                }
            }
            while let Some(mut slot) = free.pop() {
                let Some(piece) = self.work.for_device(self.gpu.room(), self.alone) else {
                    self.gpu.keep(slot);
                    most = 0;
                    continue;
                };
                let rows = piece.rows.clone();
                flight.pieces.push_back(piece);
                slot.submit(self.program, &rows)?;
                busy.push_back(slot);
            }
            let Some(mut slot) = busy.pop_front() else { return Ok(()) };
            flight.land(&mut slot)?;
            self.on_device.fetch_add(slot.rows(), Ordering::Relaxed);
            free.push(slot);
        }
    }
}

/// Pieces that the device is hashing. Pieces whose digests do not arrive, for any reason, are returned to the other
/// workers.
struct Flight<'w, 'm, 'o> {
    work: &'w Work<'m, 'o>,
    pieces: VecDeque<Piece<'m, 'o>>,
}

impl Flight<'_, '_, '_> {
    /// Writes the digests of the first piece.
    fn land(&mut self, slot: &mut Slot) -> Result<(), Error> {
        if let Some(first) = self.pieces.front_mut() {
            slot.collect(first.out)?;
        }
        self.pieces.pop_front();
        Ok(())
    }
}

impl Drop for Flight<'_, '_, '_> {
    fn drop(&mut self) {
        self.pieces.drain(..).for_each(|piece| self.work.give_back(piece));
    }
}
