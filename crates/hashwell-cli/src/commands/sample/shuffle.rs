//! All rows in random order.

use super::reading::Stream;
use super::stop::Stop;
use hashwell_draw::{Key, draw};

/// All rows in memory, one behind the other.
#[derive(Default)]
pub(super) struct AllRows {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

/// Reads all rows.
pub(super) fn read(stream: &mut Stream<'_>) -> Result<AllRows, Stop> {
    let mut rows = AllRows::default();
    while let Some(row) = stream.next()? {
        let row = row.bytes();
        rows.bytes.try_reserve(row.len()).map_err(|_| no_memory())?;
        rows.ends.try_reserve(1).map_err(|_| no_memory())?;
        rows.bytes.extend_from_slice(row);
        rows.ends.push(rows.bytes.len());
    }
    Ok(rows)
}

impl AllRows {
    /// Their numbers from 0 in one of their orders.
    pub(super) fn shuffled(&self, key: Key) -> Result<Vec<usize>, Stop> {
        Ok(draw::permutation(&mut key.words(), self.ends.len())?)
    }

    pub(super) fn row(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[at]]
    }
}

fn no_memory() -> Stop {
    Stop::work("not enough memory for the rows of the sample")
}
