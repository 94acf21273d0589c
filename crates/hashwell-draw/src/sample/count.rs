//! The counters that every reservoir has.

use crate::Error;
use crate::state::{Reader, Writer};

/// The maximum number of slots of a reservoir: 2^40. Up to this limit, rounding errors are far too small to matter (see
/// `skip.rs`).
pub const MAX_SLOTS: u64 = 1 << 40;

pub(crate) fn check_slots(k: u64) -> Result<(), Error> {
    if k <= MAX_SLOTS { Ok(()) } else { Err(Error::range("the size of a sample", "at most 2^40", k)) }
}

/// The numbers of slots, of rows seen and of rows to skip.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Count {
    pub(crate) capacity: u64,
    pub(crate) seen: u64,
    pub(crate) skip: u64,
}

impl Count {
    pub(crate) fn new(k: usize) -> Result<Self, Error> {
        let capacity = k as u64;
        check_slots(capacity)?;
        // Without slots, no row enters.
        Ok(Self { capacity, seen: 0, skip: if k == 0 { u64::MAX } else { 0 } })
    }

    /// The slot of the next row, if there are empty ones.
    pub(crate) fn empty_slot(&self) -> Option<u64> {
        (self.seen < self.capacity).then_some(self.seen)
    }

    pub(crate) fn passed(&mut self, rows: u64) {
        assert!(rows <= self.skip, "{rows} rows were skipped, but one of the next {} enters", self.skip);
        self.seen = self.seen.saturating_add(rows);
        if self.skip != u64::MAX {
            self.skip -= rows;
        }
    }

    /// Counts the next row, which enters the sample. The `skip` rows after it do not.
    pub(crate) fn entered(&mut self, skip: u64) {
        self.seen = self.seen.saturating_add(1);
        self.skip = skip;
    }

    pub(crate) fn check_enters(&self) {
        assert!(self.skip == 0, "a row enters before {} rows were skipped", self.skip);
    }

    pub(crate) fn save(&self, writer: &mut Writer) {
        writer.u64(self.capacity).u64(self.seen).u64(self.skip);
    }

    pub(crate) fn load(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let capacity = reader.usize()?;
        let loaded = Self { seen: reader.u64()?, skip: reader.u64()?, ..Self::new(capacity)? };
        let fits = match capacity {
            0 => loaded.skip == u64::MAX,
            _ => loaded.seen >= loaded.capacity || loaded.skip == 0,
        };
        if !fits {
            return Err(Reader::contradiction("it skips rows although slots are empty"));
        }
        Ok(loaded)
    }
}
