//! The rows that a sample keeps.

use crate::Error;

/// A row that was picked, with its number in the stream. Numbers start at 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kept {
    /// The number of the row.
    pub number: u64,
    /// The bytes of the row, as the caller provided them.
    pub bytes: Vec<u8>,
}

/// A row that was picked, with its ticket if it has one.
pub type Pick = (Option<u128>, Kept);

/// A row that was picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PickedRow<'a> {
    /// The number of the row in the stream. Numbers start at 1.
    pub number: u64,
    /// The bytes of the row.
    pub bytes: &'a [u8],
}

impl Kept {
    /// Copies a row.
    pub(super) fn of(number: u64, bytes: &[u8]) -> Result<Self, Error> {
        let mut kept = Self::default();
        kept.set(number, bytes)?;
        Ok(kept)
    }

    /// Stores another row, in the same memory if it is large enough.
    fn set(&mut self, number: u64, bytes: &[u8]) -> Result<(), Error> {
        let room = self.bytes.capacity();
        // A short row does not keep the memory of a much longer one. The old row stays until there is memory for the
        // new one.
        if room < bytes.len() || room / 4 > bytes.len() + 64 {
            let mut other = Vec::new();
            other.try_reserve_exact(bytes.len()).map_err(|_| no_memory())?;
            self.bytes = other;
        }
        self.number = number;
        self.bytes.clear();
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }
}

/// Stores this row in a slot; slots are filled in order.
pub(super) fn put(slots: &mut Vec<Kept>, slot: usize, number: u64, bytes: &[u8]) -> Result<(), Error> {
    match slots.get_mut(slot) {
        Some(kept) => kept.set(number, bytes),
        None => {
            debug_assert_eq!(slot, slots.len());
            slots.try_reserve(1).map_err(|_| no_memory())?;
            slots.push(Kept::of(number, bytes)?);
            Ok(())
        }
    }
}

/// The error for missing memory.
pub(super) fn no_memory() -> Error {
    Error::Memory { what: "the rows of the sample" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_rows_do_not_keep_the_memory_of_long_ones() {
        // For a row of one byte, a capacity of up to four times 65 bytes is kept; 66 · 4 is too much.
        for (long, keeps) in [(260, true), (263, true), (264, false), (10_000, false)] {
            let mut slots = Vec::new();
            put(&mut slots, 0, 1, &vec![7; long]).unwrap();
            put(&mut slots, 0, 2, &[8]).unwrap();
            assert_eq!(slots, [Kept { number: 2, bytes: vec![8] }]);
            let capacity = slots[0].bytes.capacity();
            assert_eq!(capacity >= long, keeps, "{long}: {capacity}");
        }
    }
}
