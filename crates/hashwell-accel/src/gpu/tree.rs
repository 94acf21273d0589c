//! BLAKE3 of one long input, with a work item for each chunk, and then one for each node of the tree.

use crate::gpu::device::{Gpu, feeders, unpoisoned};
use crate::gpu::error::{Error, printable};
use crate::gpu::host::Arg;
use crate::gpu::program::{BLAKE3, CHUNKS, PARENTS};
use crate::gpu::slot::{Room, Slot};
use std::collections::VecDeque;
use std::iter::Enumerate;
use std::slice::Chunks;
use std::sync::Mutex;

const CHUNK: usize = 1024;
const ROOT: u32 = 8;

impl Gpu {
    /// Returns the root of the tree of one long input. This is its digest of 32 bytes, the same as the registry's
    /// algorithm returns.
    ///
    /// `algorithm` is `blake3` or an alias. Pieces of the input are copied while other pieces are hashed, and 32 bytes
    /// of each piece are copied back.
    ///
    /// # Errors
    /// Returns [`Error::Algorithm`] for other algorithms, or an error of the device.
    pub fn tree_root(&self, algorithm: &str, data: &[u8]) -> Result<[u8; 32], Error> {
        let row = hashwell::find(algorithm).map_or(algorithm, |row| row.name);
        if row != "blake3" {
            return Err(Error::Algorithm { name: printable(row, 40), known: "blake3" });
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
            // Uses pieces of two chunks and three threads, to test all of the code.
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
        let left = Mutex::new(data.chunks(piece).enumerate());
        let feed = || self.values_of_pieces(&left, piece / CHUNK);
        // Uses several threads, because the bus of a GPU is faster than one core can copy.
        let parts = hashwell_work::together(feeders, feed);
        let mut values = Vec::with_capacity(data.len().div_ceil(piece));
        let mut failure = Ok(());
        for part in parts {
            part.map_or_else(|error| failure = Err(error), |part| values.extend(part));
        }
        if values.len() < data.len().div_ceil(piece) {
            // If all pieces have values, the error does not matter: a thread ran out of memory, and the others did all
            // the work.
            failure?;
        }
        values.sort_unstable_by_key(|(number, _)| *number);
        self.merged(values.into_iter().map(|(_, value)| value).collect())
    }

    /// Takes pieces with their numbers until none are left, and returns their values. Each piece is a subtree, since it
    /// has a power of two chunks or is the last piece.
    fn values_of_pieces(&self, left: &Mutex<Pieces<'_>>, chunks: usize) -> Result<Vec<Value>, Error> {
        let mut values = Vec::new();
        let mut busy: VecDeque<(usize, Slot)> = VecDeque::new();
        let mut most = 2;
        while unpoisoned(left).len() > 0 {
            let slot = if busy.len() < most { self.slot() } else { finished(&mut busy, &mut values) };
            let mut slot = match slot {
                // Continues with one piece at a time.
                Err(Error::OutOfMemory { .. }) if busy.len() == 1 && most == 2 => {
                    most = 1;
                    continue;
                }
                slot => slot?,
            };
            let Some((number, bytes)) = unpoisoned(left).next() else {
                self.keep(slot);
                break;
            };
            slot.subtree(bytes, (number * chunks) as u64, 0)?;
            busy.push_back((number, slot));
        }
        while !busy.is_empty() {
            self.keep(finished(&mut busy, &mut values)?);
        }
        Ok(values)
    }

    /// Returns the root from the values of the pieces.
    fn merged(&self, mut values: Vec<[u8; 32]>) -> Result<[u8; 32], Error> {
        let mut slot = self.slot()?;
        // If there is no room for all values, complete subtrees are merged first.
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

/// The pieces that no thread has taken, with their numbers.
type Pieces<'d> = Enumerate<Chunks<'d, u8>>;
/// The number of a piece, and its value.
type Value = (usize, [u8; 32]);

/// Waits for the first busy slot, and takes its value.
fn finished(busy: &mut VecDeque<(usize, Slot)>, values: &mut Vec<Value>) -> Result<Slot, Error> {
    let (number, mut slot) = busy.pop_front().expect("a slot at work");
    values.push((number, slot.value()?));
    Ok(slot)
}

/// Returns the length of a piece in bytes: a power of two that fits into a slot.
fn piece_of(room: Room) -> usize {
    1 << room.bytes.ilog2()
}

impl Slot {
    /// Starts to compute the subtree of a piece, whose first chunk has the number `first`. `root` is the flag of the
    /// root, or 0 if the subtree is not the root.
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

    /// Starts to compute the nodes above these values.
    fn merge(&mut self, values: &[[u8; 32]], root: u32) -> Result<(), Error> {
        self.queue.bytes(self.digests.host)?[..32 * values.len()].copy_from_slice(values.as_flattened());
        self.queue.upload(self.digests.host, self.digests.device, 32 * values.len())?;
        self.reduce(values.len(), root)
    }

    /// Computes one level after the other, in two alternating buffers. `places` is a quarter of the size of `digests`,
    /// which is enough for at least half as many values as a piece has chunks.
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

    /// Waits for the value at the top, and returns it.
    fn value(&mut self) -> Result<[u8; 32], Error> {
        let bytes = self.queue.bytes(self.digests.host)?;
        Ok(bytes[..32].try_into().expect("32 bytes"))
    }
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, Gpu};
    use crate::gpu::program::BLAKE3;
    use crate::gpu::tests::real_device;
    use blake3::hazmat::HasherExt;

    fn subtree(gpu: &Gpu, bytes: &[u8], first: u64) -> [u8; 32] {
        let mut slot = gpu.slot().unwrap();
        slot.subtree(bytes, first, 0).unwrap();
        slot.value().unwrap()
    }

    /// The numbers of chunks have 64 bits, which matters for inputs of 4 TiB and more. A piece of such an input is
    /// enough for this test.
    #[test]
    fn numbers_of_chunks_have_two_halves() {
        let Some(gpu) = real_device() else { return };
        gpu.ready(&BLAKE3, || gpu.test_tree()).unwrap();
        let bytes: Vec<u8> = (0..4 * CHUNK as u32).map(|i| (i % 251) as u8).collect();
        for first in [4, (1 << 32) - 4, 1 << 32, (7 << 32) + 8, (1 << 54) - 4] {
            let mut hasher = blake3::Hasher::new();
            hasher.set_input_offset(first * CHUNK as u64).update(&bytes);
            assert_eq!(subtree(gpu, &bytes, first), hasher.finalize_non_root(), "{first}");
        }
        // Tests the carry within a piece.
        let mut values = Vec::new();
        for first in [(1 << 32) - 1, 1 << 32] {
            let mut hasher = blake3::Hasher::new();
            hasher.set_input_offset(first * CHUNK as u64).update(&bytes[..CHUNK]);
            values.push(hasher.finalize_non_root());
        }
        let pair =
            blake3::hazmat::merge_subtrees_non_root(&values[0], &values[1], blake3::hazmat::Mode::Hash);
        let both = [&bytes[..CHUNK], &bytes[..CHUNK]].concat();
        assert_eq!(subtree(gpu, &both, (1 << 32) - 1), pair);
    }
}
