//! BLAKE3 of one long input: a work item for each chunk, then one for each node of the tree.

use crate::gpu::device::{Gpu, feeders};
use crate::gpu::error::Error;
use crate::gpu::host::Arg;
use crate::gpu::program::{BLAKE3, CHUNKS, PARENTS};
use crate::gpu::slot::{Room, Slot};
use std::collections::VecDeque;
use std::thread;

const CHUNK: usize = 1024;
const ROOT: u32 = 8;

impl Gpu {
    /// The root of one long input's tree, which is its digest: 32 bytes, as the registry's row gives them. `algorithm` is
    /// `blake3` or an alias. Pieces are copied while others are hashed; 32 bytes of each come back.
    ///
    /// # Errors
    /// [`Error::Algorithm`] for a row that is no tree of this kind; or what the device says.
    pub fn tree_root(&self, algorithm: &str, data: &[u8]) -> Result<[u8; 32], Error> {
        let row = hashwell::find(algorithm).map_or(algorithm, |row| row.name);
        if row != "blake3" {
            return Err(Error::Algorithm {
                name: row.chars().take(40).collect::<String>().into(),
                known: "blake3",
            });
        }
        self.guarded(|| {
            self.ready(&BLAKE3, || self.test_tree())?;
            self.root(data, piece_of(self.room()), feeders(true))
        })
    }

    fn test_tree(&self) -> Result<(), Error> {
        let bytes: Vec<u8> = (0..11 * CHUNK as u32 + 5).map(|i| (i % 251) as u8).collect();
        let row = hashwell::find("blake3").expect("a row of the registry");
        for len in [0, 1, 65, CHUNK, CHUNK + 1, 4 * CHUNK, bytes.len()] {
            // Pieces of two chunks from three threads, so that all of the way is gone.
            if self.root(&bytes[..len], 2 * CHUNK, 3)?[..] != row.digest(&bytes[..len])[..] {
                return Err(self.wrong(&BLAKE3, &format!("{len} bytes")));
            }
        }
        Ok(())
    }

    fn root(&self, data: &[u8], piece: usize, feeders: usize) -> Result<[u8; 32], Error> {
        if data.len() <= piece {
            let mut slot = self.slot()?;
            slot.subtree(data, 0, ROOT)?;
            let root = slot.value()?;
            self.keep(slot);
            return Ok(root);
        }
        // A core copies less in a second than a card's bus does.
        let pieces = data.len().div_ceil(piece).div_ceil(feeders);
        let of_part = |number: usize, part| self.values_of_pieces(part, piece, number * pieces);
        let parts = thread::scope(|scope| {
            let begin = |(number, part)| {
                let run = move || of_part(number, part);
                // Where the system refuses a thread, this one does its work.
                thread::Builder::new().spawn_scoped(scope, run).map_err(|_| of_part(number, part))
            };
            let begun: Vec<_> = data.chunks(pieces * piece).enumerate().map(begin).collect();
            let end = |part: Result<thread::ScopedJoinHandle<'_, _>, _>| match part {
                Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                Err(values) => values,
            };
            begun.into_iter().map(end).collect::<Result<Vec<_>, Error>>()
        });
        let values = parts?.concat();
        self.merged(values)
    }

    /// The values of pieces, each of which is a subtree by itself, since it has a power of two chunks or is the last.
    /// The first has this number.
    fn values_of_pieces(&self, data: &[u8], piece: usize, first: usize) -> Result<Vec<[u8; 32]>, Error> {
        let mut values = Vec::with_capacity(data.len() / piece + 1);
        let mut busy: VecDeque<Slot> = VecDeque::new();
        for (number, bytes) in data.chunks(piece).enumerate() {
            let mut slot = if busy.len() < 2 { self.slot()? } else { finished(&mut busy, &mut values)? };
            slot.subtree(bytes, ((first + number) * (piece / CHUNK)) as u64, 0)?;
            busy.push_back(slot);
        }
        while !busy.is_empty() {
            self.keep(finished(&mut busy, &mut values)?);
        }
        Ok(values)
    }

    /// The root over values of the input's pieces.
    fn merged(&self, mut values: Vec<[u8; 32]>) -> Result<[u8; 32], Error> {
        let mut slot = self.slot()?;
        // Of more pieces than there is room for, complete subtrees are merged first.
        let room = piece_of(self.room()) / CHUNK;
        while values.len() > room {
            let mut above = Vec::with_capacity(values.len() / room + 1);
            for some in values.chunks(room) {
                slot.merge(some, 0)?;
                above.push(slot.value()?);
            }
            values = above;
        }
        slot.merge(&values, ROOT)?;
        let root = slot.value()?;
        self.keep(slot);
        Ok(root)
    }
}

/// Waits for the first of the slots at work, and takes its value.
fn finished(busy: &mut VecDeque<Slot>, values: &mut Vec<[u8; 32]>) -> Result<Slot, Error> {
    let mut slot = busy.pop_front().expect("a slot at work");
    values.push(slot.value()?);
    Ok(slot)
}

/// Bytes of a piece: a power of two that fits into a slot.
fn piece_of(room: Room) -> usize {
    1 << room.bytes.ilog2()
}

impl Slot {
    /// Begins with the subtree of a piece whose first chunk has this number. `root` is the flag of the root, if it is that.
    fn subtree(&mut self, bytes: &[u8], first: u64, root: u32) -> Result<(), Error> {
        self.queue.bytes(self.data.host)?[..bytes.len()].copy_from_slice(bytes);
        self.queue.upload(self.data.host, self.data.device, bytes.len())?;
        let chunks = bytes.len().div_ceil(CHUNK).max(1);
        let (low, high) = (first as u32, (first >> 32) as u32);
        let of_chunks = if chunks == 1 { root } else { 0 };
        let numbers = [bytes.len() as u32, low, high, of_chunks].map(Arg::U32);
        let [length, low, high, flag] = numbers;
        let args = [Arg::Buffer(self.data.device), Arg::Buffer(self.digests.device), length, low, high, flag];
        self.queue.launch(&BLAKE3, &CHUNKS, &args, chunks as u32)?;
        self.reduce(chunks, root)
    }

    /// Begins with the nodes above these values.
    fn merge(&mut self, values: &[[u8; 32]], root: u32) -> Result<(), Error> {
        self.queue.bytes(self.digests.host)?[..32 * values.len()].copy_from_slice(values.as_flattened());
        self.queue.upload(self.digests.host, self.digests.device, 32 * values.len())?;
        self.reduce(values.len(), root)
    }

    /// Level after level, between two buffers in turn. `places` has a quarter of the size of `digests` and at least
    /// half as many values as a piece has chunks.
    fn reduce(&mut self, mut count: usize, root: u32) -> Result<(), Error> {
        let (mut values, mut above) = (self.digests.device, self.places.device);
        while count > 1 {
            let flag = if count == 2 { root } else { 0 };
            let args = [Arg::Buffer(values), Arg::Buffer(above), Arg::U32(count as u32), Arg::U32(flag)];
            count = count.div_ceil(2);
            self.queue.launch(&BLAKE3, &PARENTS, &args, count as u32)?;
            (values, above) = (above, values);
        }
        self.queue.download(values, self.digests.host, 32)?;
        self.queue.submit()
    }

    /// Waits for the value at the top.
    fn value(&mut self) -> Result<[u8; 32], Error> {
        let bytes = self.queue.bytes(self.digests.host)?;
        Ok(bytes[..32].try_into().expect("32 bytes"))
    }
}
