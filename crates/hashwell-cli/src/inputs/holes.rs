//! The parts of a sparse file that the file system has stored. The rest are holes: zeros that need not be read.

use crate::system::os;
use std::fs::File;
use std::io;
use std::ops::Range;

/// The ranges of a file that have data, in order.
#[derive(Debug, Default)]
pub(crate) struct Data {
    /// The ranges, or `None` if the whole file is read.
    ranges: Option<Vec<Range<u64>>>,
    size: u64,
}

/// The maximum number of ranges. Storing more is not worth the memory.
const MAX_RANGES: usize = 1 << 20;

impl Data {
    /// The ranges of a file of this size. The whole file is read if it has no holes, or if the file system does not
    /// report them.
    pub(crate) fn of(file: &File, size: u64) -> Self {
        if !os::is_sparse(file) {
            return Self::default();
        }
        let mut ranges = Vec::new();
        let mut at = 0;
        while at < size && ranges.len() < MAX_RANGES {
            match os::next_data(file, at) {
                Ok(Some(range)) if range.start >= at && range.end > range.start => {
                    at = range.end;
                    ranges.push(range);
                }
                Ok(None) => return Self { ranges: Some(ranges), size },
                _ => return Self::default(),
            }
        }
        if at < size { Self::default() } else { Self { ranges: Some(ranges), size } }
    }

    /// Fills the buffer with the file's bytes at this offset, up to the end of the file. Returns the number of bytes.
    pub(crate) fn fill(&self, file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let end = offset.saturating_add(buffer.len() as u64);
        if self.ranges.as_ref().is_some_and(|ranges| end <= self.size && !overlaps(ranges, offset..end)) {
            buffer.fill(0);
            return Ok(buffer.len());
        }
        os::fill(file, offset, buffer)
    }
}

/// Returns true if one of the sorted ranges overlaps with `wanted`.
fn overlaps(ranges: &[Range<u64>], wanted: Range<u64>) -> bool {
    let first = ranges.partition_point(|range| range.end <= wanted.start);
    ranges.get(first).is_some_and(|range| range.start < wanted.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Seek, SeekFrom, Write};

    #[test]
    fn holes_read_as_zeros_and_data_as_it_is() {
        let mut file = tempfile::tempfile().unwrap();
        file.set_len(10 << 20).unwrap();
        for at in [3 << 20, (7 << 20) + 5] {
            file.seek(SeekFrom::Start(at)).unwrap();
            file.write_all(b"data").unwrap();
        }
        let data = Data::of(&file, 10 << 20);
        let mut buffer = vec![1; 1 << 20];
        for piece in 0..11 {
            let len = data.fill(&file, piece << 20, &mut buffer).unwrap();
            assert_eq!(len, if piece < 10 { 1 << 20 } else { 0 });
            let at = match piece {
                3 => Some(0),
                7 => Some(5),
                _ => None,
            };
            let expected = |i: usize| at.and_then(|at| b"data".get(i.checked_sub(at)?)).copied().unwrap_or(0);
            assert!((0..len).all(|i| buffer[i] == expected(i)), "{piece}");
        }
    }

    #[test]
    fn ranges_in_common() {
        let ranges = [10..20, 30..40];
        for (wanted, is) in
            [(0..10, false), (0..11, true), (20..30, false), (19..20, true), (39..50, true), (40..50, false)]
        {
            assert_eq!(overlaps(&ranges, wanted.clone()), is, "{wanted:?}");
        }
    }
}
