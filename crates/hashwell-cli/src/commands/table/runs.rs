//! Sorts the rows of a table by their digests, in memory if they fit. Otherwise, writes sorted runs to disk and merges
//! them.

use crate::system::os;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

/// A row: its SHA-256, and the number of rows before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Record {
    pub(super) digest: [u64; 4],
    pub(super) row: u64,
}

/// The size in bytes of a record, in memory and on disk.
const WIDTH: usize = size_of::<Record>();

/// The minimum memory for sorting, in bytes.
pub(super) const LEAST: usize = 1 << 20;

/// The minimum number of bytes of a run that are read at once. Smaller reads take longer.
const PIECE: usize = 16 << 10;

impl Record {
    pub(super) fn new(digest: &[u8; 32], row: u64) -> Self {
        let (words, _) = digest.as_chunks::<8>();
        Self { digest: std::array::from_fn(|i| u64::from_be_bytes(words[i])), row }
    }

    fn to_bytes(self) -> [u8; WIDTH] {
        let mut bytes = [0; WIDTH];
        let words = self.digest.iter().chain([&self.row]);
        for (place, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(words) {
            *place = word.to_be_bytes();
        }
        bytes
    }

    fn of_bytes(bytes: &[u8; WIDTH]) -> Self {
        let words = bytes.as_chunks::<8>().0;
        let word = |i: usize| u64::from_be_bytes(words[i]);
        Self { digest: std::array::from_fn(word), row: word(4) }
    }
}

/// Collects records, to sort them.
pub(super) struct Sorter {
    /// The maximum number of records in memory.
    most: usize,
    held: Vec<Record>,
    disk: Option<Disk>,
}

/// Sorted runs, one after the other in a file without a name. The file disappears with the process, however it ends.
struct Disk {
    file: Arc<File>,
    len: u64,
    /// The start and end of each run.
    runs: Vec<(u64, u64)>,
}

impl Disk {
    fn new() -> io::Result<Self> {
        Ok(Self { file: Arc::new(tempfile::tempfile()?), len: 0, runs: Vec::new() })
    }

    /// Writes a run.
    fn add(&mut self, records: impl Iterator<Item = io::Result<Record>>) -> io::Result<()> {
        let mut out = io::BufWriter::with_capacity(PIECE, &*self.file);
        let mut end = self.len;
        for record in records {
            out.write_all(&record?.to_bytes())?;
            end += WIDTH as u64;
        }
        out.flush()?;
        self.runs.push((self.len, end));
        self.len = end;
        Ok(())
    }
}

impl Sorter {
    /// Creates a sorter that uses this much memory in bytes, but at least [`LEAST`].
    pub(super) fn new(memory: usize) -> Self {
        Self { most: memory.max(LEAST) / WIDTH, held: Vec::new(), disk: None }
    }

    /// Adds a record. Errors come from the temporary file.
    pub(super) fn add(&mut self, record: Record) -> io::Result<()> {
        if self.held.len() == self.most {
            self.spill()?;
        }
        if self.held.len() == self.held.capacity() {
            // Never reserve more than the maximum number of records.
            let more = self.held.len().max(1024).min(self.most - self.held.len());
            if self.held.try_reserve_exact(more).is_err() {
                self.spill()?;
            }
        }
        self.held.push(record);
        Ok(())
    }

    fn spill(&mut self) -> io::Result<()> {
        self.held.sort_unstable();
        let disk = match &mut self.disk {
            Some(disk) => disk,
            none => none.insert(Disk::new()?),
        };
        disk.add(self.held.iter().copied().map(Ok))?;
        self.held.clear();
        Ok(())
    }

    /// Returns all records in order.
    pub(super) fn sorted(mut self) -> io::Result<Sorted> {
        if self.disk.is_some() && !self.held.is_empty() {
            self.spill()?;
        }
        let Some(mut disk) = self.disk else {
            self.held.sort_unstable();
            return Ok(Sorted::Held(self.held.into_iter()));
        };
        self.held = Vec::new();
        let memory = self.most * WIDTH;
        let at_once = (memory / PIECE).max(2);
        while disk.runs.len() > at_once {
            let mut fewer = Disk::new()?;
            for runs in disk.runs.chunks(at_once) {
                fewer.add(Merge::of(&disk.file, runs, memory)?)?;
            }
            disk = fewer;
        }
        Ok(Sorted::Merged(Merge::of(&disk.file, &disk.runs, memory)?))
    }
}

/// Sorted records.
pub(super) enum Sorted {
    Held(std::vec::IntoIter<Record>),
    Merged(Merge),
}

impl Iterator for Sorted {
    type Item = io::Result<Record>;

    fn next(&mut self) -> Option<io::Result<Record>> {
        match self {
            Self::Held(records) => records.next().map(Ok),
            Self::Merged(merge) => merge.next(),
        }
    }
}

/// Merges several runs into one.
pub(super) struct Merge {
    runs: Vec<Run>,
    /// The next record of each run that isn't exhausted.
    heads: BinaryHeap<Reverse<(Record, usize)>>,
}

impl Merge {
    fn of(file: &Arc<File>, runs: &[(u64, u64)], memory: usize) -> io::Result<Self> {
        let piece = (memory / runs.len().max(1)).clamp(WIDTH, 1 << 20) / WIDTH * WIDTH;
        let run = |&(at, end): &(u64, u64)| Run {
            file: Arc::clone(file),
            at,
            end,
            piece,
            bytes: Vec::new(),
            from: 0,
        };
        let mut runs: Vec<Run> = runs.iter().map(run).collect();
        let mut heads = BinaryHeap::with_capacity(runs.len());
        for (i, run) in runs.iter_mut().enumerate() {
            if let Some(record) = run.next()? {
                heads.push(Reverse((record, i)));
            }
        }
        Ok(Self { runs, heads })
    }
}

impl Iterator for Merge {
    type Item = io::Result<Record>;

    fn next(&mut self) -> Option<io::Result<Record>> {
        let mut head = self.heads.peek_mut()?;
        let Reverse((record, run)) = *head;
        match self.runs[run].next() {
            Ok(Some(next)) => *head = Reverse((next, run)),
            Ok(None) => drop(std::collections::binary_heap::PeekMut::pop(head)),
            Err(error) => return Some(Err(error)),
        }
        Some(Ok(record))
    }
}

/// A run that is being read.
struct Run {
    file: Arc<File>,
    at: u64,
    end: u64,
    piece: usize,
    bytes: Vec<u8>,
    from: usize,
}

impl Run {
    fn next(&mut self) -> io::Result<Option<Record>> {
        if self.from == self.bytes.len() {
            let len = (self.end - self.at).min(self.piece as u64) as usize;
            if len == 0 {
                return Ok(None);
            }
            self.bytes.resize(len, 0);
            if os::fill(&self.file, self.at, &mut self.bytes)? < len {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            (self.at, self.from) = (self.at + len as u64, 0);
        }
        let record = self.bytes[self.from..].first_chunk().map(Record::of_bytes);
        self.from += WIDTH;
        Ok(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudorandom numbers from SplitMix64.
    fn word(seed: u64) -> u64 {
        let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Returns records with different row numbers. A tenth of them have the same digest as an earlier record.
    fn records(count: u64) -> Vec<Record> {
        (0..count).map(|row| Record { digest: [word(row % (count * 9 / 10 + 1)); 4], row }).collect()
    }

    fn sorted(most: usize, records: &[Record]) -> Vec<Record> {
        let mut sorter = Sorter { most, held: Vec::new(), disk: None };
        records.iter().for_each(|record| sorter.add(*record).unwrap());
        sorter.sorted().unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn runs_of_any_length_give_the_same_order() {
        for count in [0, 1, 999, 1000, 1001, 5000] {
            let records = records(count);
            let mut expected = records.clone();
            expected.sort();
            // With 1000 records in memory, there are few runs. With 10, there are many runs, which are merged two
            // at a time, in several rounds.
            for most in [100_000, 1000, 10] {
                assert_eq!(sorted(most, &records), expected, "{count} rows, {most} at a time");
            }
        }
    }

    #[test]
    fn the_order_is_that_of_the_bytes() {
        let (low, high) = ([&[1; 8][..], &[2; 24]].concat(), [&[1; 7][..], &[2; 25]].concat());
        let record = |bytes: &[u8]| Record::new(bytes.try_into().unwrap(), 7);
        assert!(record(&low) < record(&high) && low < high);
        assert_eq!(Record::of_bytes(&record(&high).to_bytes()), record(&high));
    }
}
