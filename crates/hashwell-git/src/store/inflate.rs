//! Decompresses data of a file piece by piece. Memory is allocated for the actual output, not for the declared size.

use crate::files::reason;
use crate::regular::{Regular, no_memory};
use flate2::{Decompress, FlushDecompress, Status};
use std::ops::Range;
use std::sync::Arc;

/// The maximum number of bytes that are read at once.
const READ: u64 = 64 << 10;

/// The maximum number of bytes that are allocated before any output.
const TRUSTED: usize = 1 << 20;

/// Reads and decompresses pieces of a file, and keeps the bytes that it read last.
pub(super) struct Reader {
    file: Arc<Regular>,
    /// The bytes that were read last. They begin at offset `at` of the file.
    bytes: Vec<u8>,
    at: u64,
    inflate: Decompress,
}

impl Reader {
    pub(super) fn new(file: Arc<Regular>) -> Self {
        Self { file, bytes: Vec::new(), at: 0, inflate: Decompress::new(true) }
    }

    /// Continues with another file.
    pub(super) fn turn_to(&mut self, file: Arc<Regular>) {
        self.file = file;
        self.bytes.clear();
    }

    /// Returns the bytes from `at` on: at least `need` of them, or all up to the end of the file. If the buffer does
    /// not contain them, reads the bytes up to `wanted`, or fewer if these are more than [`READ`].
    pub(super) fn bytes(&mut self, at: u64, need: usize, wanted: u64) -> Result<&[u8], String> {
        let len = self.file.len();
        let need = (need as u64).min(len.saturating_sub(at));
        let skip = at.wrapping_sub(self.at);
        if at < self.at || skip.saturating_add(need) > self.bytes.len() as u64 {
            let count = wanted.saturating_sub(at).clamp(need, READ.max(need)).min(len.saturating_sub(at));
            self.bytes.clear();
            grow(&mut self.bytes, count as usize)?;
            self.at = at;
            let read = self.file.read_at(at, &mut self.bytes, need as usize);
            self.bytes.truncate(*read.as_ref().unwrap_or(&0));
            read.map_err(|error| reason(&error))?;
        }
        Ok(self.bytes.get((at - self.at) as usize..).unwrap_or_default())
    }

    /// Decompresses the beginning of the data at `place` until `out` is full or the data end. `place.end` is where the
    /// data should end; data that extend beyond it are still read.
    pub(super) fn prefix(&mut self, place: Range<u64>, out: &mut [u8]) -> Result<usize, String> {
        self.inflate.reset(true);
        let (mut at, mut done) = (place.start, 0);
        while done < out.len() && !self.step(&mut at, place.end, out, &mut done)? {}
        Ok(done)
    }

    /// Decompresses the data at `place`, which should result in `declared` bytes, into `out`. Returns the offset at
    /// which the data end.
    pub(super) fn inflate(
        &mut self,
        place: Range<u64>,
        declared: u64,
        out: &mut Vec<u8>,
    ) -> Result<u64, String> {
        self.inflate.reset(true);
        let (mut at, mut done) = (place.start, 0);
        let declared = usize::try_from(declared).map_err(|_| reason(&no_memory(declared)))?;
        // Space for one more byte shows whether the output is too long.
        let most = declared.checked_add(1).ok_or_else(|| reason(&no_memory(declared as u64)))?;
        let mut room = most.min(TRUSTED);
        grow(out, room)?;
        while !self.step(&mut at, place.end, &mut out[..room], &mut done)? {
            if done == most {
                break;
            }
            if done == room {
                room = room.saturating_mul(2).min(most);
                grow(out, room)?;
            }
        }
        if done > declared {
            return Err(format!("it declares {declared} bytes but has more"));
        }
        if done < declared {
            return Err(format!("it declares {declared} bytes but has {done}"));
        }
        out.truncate(done);
        Ok(at)
    }

    /// Decompresses a piece. Returns true if it was the last one.
    fn step(&mut self, at: &mut u64, wanted: u64, out: &mut [u8], done: &mut usize) -> Result<bool, String> {
        let wanted = if wanted > *at { wanted } else { at.saturating_add(READ) };
        self.bytes(*at, 1, wanted)?;
        let input = self.bytes.get((*at - self.at) as usize..).unwrap_or_default();
        let before = (self.inflate.total_in(), self.inflate.total_out());
        let status = self.inflate.decompress(input, &mut out[*done..], FlushDecompress::None);
        let status = status.map_err(|_| "its compressed data is damaged".to_owned())?;
        let (read, written) = (self.inflate.total_in() - before.0, self.inflate.total_out() - before.1);
        *at += read;
        *done += written as usize;
        if status == Status::StreamEnd {
            return Ok(true);
        }
        if read == 0 && written == 0 {
            let why = if input.is_empty() { "truncated" } else { "damaged" };
            return Err(format!("its compressed data is {why}"));
        }
        Ok(false)
    }
}

/// Extends the buffer by `len` bytes, which will be overwritten.
fn grow(out: &mut Vec<u8>, len: usize) -> Result<(), String> {
    if let Some(more) = len.checked_sub(out.len()) {
        out.try_reserve_exact(more).map_err(|_| reason(&no_memory(len as u64)))?;
        out.resize(len, 0);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::ZlibEncoder;
    use std::io::Write;

    /// Returns a reader for a file that contains `before`, followed by the compressed `content`. Also returns the range
    /// of the compressed bytes.
    fn compressed(before: &[u8], content: &[u8]) -> (Reader, Range<u64>, tempfile::NamedTempFile) {
        let mut encoder = ZlibEncoder::new(before.to_vec(), Compression::default());
        encoder.write_all(content).unwrap();
        let bytes = encoder.finish().unwrap();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &bytes).unwrap();
        let reader = Reader::new(Arc::new(Regular::open(file.path()).unwrap()));
        (reader, before.len() as u64..bytes.len() as u64, file)
    }

    #[test]
    fn what_comes_out_is_what_went_in_wherever_the_data_seems_to_end() {
        let random = hashwell::find("shake128").unwrap().hasher().into_reader().unwrap().read_vec(3 << 20);
        for len in [0, 1, 100, TRUSTED - 1, TRUSTED, TRUSTED + 1, 3 << 20] {
            let (mut reader, place, _file) = compressed(b"before", &random[..len]);
            let mut out = b"what was there before".to_vec();
            for end in [place.end, place.start, place.start + 1, u64::MAX] {
                assert_eq!(reader.inflate(place.start..end, len as u64, &mut out), Ok(place.end));
                assert!(out == random[..len], "{len}");
            }
            let mut first = [0; 30];
            let count = reader.prefix(place.clone(), &mut first).unwrap();
            assert_eq!(first[..count], random[..len.min(30)]);
        }
    }

    #[test]
    fn what_is_declared_is_not_believed() {
        let (mut reader, place, _file) = compressed(b"", &vec![0; 5 << 20]);
        let mut out = Vec::new();
        let mut error = |declared| reader.inflate(place.clone(), declared, &mut out).unwrap_err();
        assert_eq!(error(5), "it declares 5 bytes but has more");
        assert_eq!(error(1 << 60), format!("it declares {} bytes but has {}", 1_u64 << 60, 5 << 20));
        assert_eq!(error(u64::MAX), format!("not enough memory for its {} bytes", u64::MAX));
        // Memory is allocated for the actual output, not for the declared size.
        assert!(out.capacity() <= 8 << 20, "{}", out.capacity());
    }

    #[test]
    fn damaged_and_cut_short() {
        let (reader, place, file) = compressed(b"", &[7; 100_000]);
        let bytes = std::fs::read(file.path()).unwrap();
        drop(reader);
        let error = |bytes: &[u8]| {
            std::fs::write(file.path(), bytes).unwrap();
            let mut reader = Reader::new(Arc::new(Regular::open(file.path()).unwrap()));
            reader.inflate(place.clone(), 100_000, &mut Vec::new()).unwrap_err()
        };
        for cut in 0..bytes.len() {
            assert_eq!(error(&bytes[..cut]), "its compressed data is truncated", "{cut}");
        }
        // Damage the checksum at the end.
        let mut other = bytes.clone();
        *other.last_mut().unwrap() ^= 1;
        assert_eq!(error(&other), "its compressed data is damaged");
    }
}
