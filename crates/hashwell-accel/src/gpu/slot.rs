//! A slot: host and device memory for a piece of messages, and the queue between them. Two slots work in turn.

use crate::gpu::error::Error;
use crate::gpu::host::{Arg, Buffer, Device, Kind, Pinned, Queue};
use crate::gpu::program::{MESSAGES, Program};
use crate::gpu::rows::Rows;

/// The capacity of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    /// The number of message bytes, a multiple of 64.
    pub(super) bytes: usize,
    /// The number of messages.
    pub(super) rows: usize,
}

/// The number of bytes after the messages that a kernel may read.
const SPARE: usize = 1024;

impl Room {
    /// Returns the capacity for a device of this kind with this amount of memory. On a GPU, a piece is large enough to
    /// keep all units busy.
    pub(super) fn of(kind: Kind, memory: u64) -> Self {
        let wanted: usize = if kind == Kind::Cpu { 8 << 20 } else { 32 << 20 };
        // Leaves memory for two slots, and as much for other uses.
        let most = usize::try_from(memory / 8).unwrap_or(usize::MAX);
        // A multiple of 64, so that a message of this length fits, although each message starts at a multiple of 16.
        let bytes = wanted.min(most).max(1 << 16) / 64 * 64;
        Self { bytes, rows: bytes / 64 }
    }
}

/// Host and device memory of the same size. One is copied to the other.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) host: Pinned,
    pub(super) device: Buffer,
}

pub(super) struct Slot {
    pub(super) queue: Box<dyn Queue>,
    /// The bytes of messages.
    pub(super) data: Pair,
    /// The start and the length of each message.
    pub(super) places: Pair,
    /// The digests.
    pub(super) digests: Pair,
    room: Room,
    rows: usize,
}

impl Slot {
    pub(super) fn new(device: &dyn Device, room: Room) -> Result<Self, Error> {
        let mut queue = device.queue()?;
        let mut pair = |bytes| -> Result<Pair, Error> {
            Ok(Pair { device: queue.device_memory(bytes)?, host: queue.pinned_memory(bytes)? })
        };
        let (data, places, digests) =
            (pair(room.bytes + SPARE)?, pair(8 * room.rows)?, pair(32 * room.rows)?);
        Ok(Self { queue, data, places, digests, room, rows: 0 })
    }

    /// Waits until the slot is free, and starts to hash messages.
    ///
    /// # Panics
    /// Panics if the slot has no room for this number of messages or bytes. Each message starts at a multiple of 16.
    pub(super) fn submit(&mut self, program: &'static Program, rows: &Rows<'_>) -> Result<(), Error> {
        let Self { queue, data, places, room, .. } = self;
        assert!(rows.len() <= room.rows, "more messages than there is room for");
        let memory = queue.bytes(data.host)?;
        let mut used = 0;
        let base = rows.together().map(|bytes| {
            memory[..bytes.len()].copy_from_slice(bytes);
            used = bytes.len();
            bytes.as_ptr().addr()
        });
        if base.is_none() {
            for message in rows.iter() {
                memory[used..used + message.len()].copy_from_slice(message);
                used += Rows::taken(message);
            }
        }
        assert!(used <= room.bytes, "more bytes than there is room for");
        let mut next = 0;
        let words = queue.bytes(places.host)?.as_chunks_mut::<8>().0;
        for (word, message) in words.iter_mut().zip(rows.iter()) {
            let start = base.map_or(next, |base| message.as_ptr().addr() - base);
            next += Rows::taken(message);
            // A slot has less than 4 GiB, so the numbers fit.
            word[..4].copy_from_slice(&(start as u32).to_ne_bytes());
            word[4..].copy_from_slice(&(message.len() as u32).to_ne_bytes());
        }
        self.launch(program, used, rows.len())
    }

    fn launch(&mut self, program: &'static Program, bytes: usize, rows: usize) -> Result<(), Error> {
        let Self { queue, data, places, digests, .. } = self;
        queue.upload(data.host, data.device, bytes)?;
        queue.upload(places.host, places.device, 8 * rows)?;
        let args = [data.device, places.device, digests.device].map(Arg::Buffer);
        // `rows` is at most the capacity of the slot, so the place and the digest of every work item are inside the
        // buffers.
        queue.launch(program, &MESSAGES, &args, rows as u32)?;
        queue.download(digests.device, digests.host, 32 * rows)?;
        queue.submit()?;
        self.rows = rows;
        Ok(())
    }

    /// Returns the number of messages that were submitted last.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Repeats the places of the messages that were submitted last until there are `rows` of them, or as many as fit,
    /// and uploads them. It is used for measurements.
    pub(super) fn repeat(&mut self, rows: usize) -> Result<(), Error> {
        let (given, rows) = (8 * self.rows, rows.min(self.room.rows));
        let words = self.queue.bytes(self.places.host)?;
        (given..8 * rows).for_each(|at| words[at] = words[at - given]);
        self.rows = rows;
        self.queue.upload(self.places.host, self.places.device, 8 * rows)
    }

    /// Runs the kernel `times` times on the data that was uploaded last, and waits. It is used for measurements.
    pub(super) fn again(&mut self, program: &'static Program, times: u32) -> Result<(), Error> {
        let args = [self.data.device, self.places.device, self.digests.device].map(Arg::Buffer);
        for _ in 0..times {
            self.queue.launch(program, &MESSAGES, &args, self.rows as u32)?;
        }
        self.queue.wait()
    }

    /// Waits for the digests of the messages that were submitted last.
    pub(super) fn collect(&mut self, out: &mut [u8]) -> Result<(), Error> {
        let digests = self.queue.bytes(self.digests.host)?;
        out.copy_from_slice(&digests[..32 * self.rows]);
        Ok(())
    }
}
