//! Messages in their original layout, an order of them that suits a device, and pieces of them.

use crate::gpu::error::Error;
use std::ops::Range;

/// The layout of messages in memory.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source<'m> {
    /// One message after the other: message i is `data[offsets[i] .. offsets[i + 1]]`.
    Arrow {
        /// The bytes of all messages.
        data: &'m [u8],
        /// The offsets, one more than there are messages. They have been checked.
        offsets: &'m [u64],
    },
    /// Messages at any addresses.
    Slices(&'m [&'m [u8]]),
}

impl<'m> Source<'m> {
    /// Returns messages in the layout of Arrow's large binaries.
    ///
    /// # Errors
    /// Returns [`Error::Offsets`] if the offsets decrease or exceed the data, or if there are none.
    pub(super) fn arrow(data: &'m [u8], offsets: &'m [u64]) -> Result<Self, Error> {
        let wrong = |at: usize, offset, must: String| Err(Error::Offsets { at, offset, must: must.into() });
        let Some(last) = offsets.last() else { return wrong(0, 0, String::new()) };
        if !every_pair(offsets, |before, after| before <= after) {
            let at = offsets.windows(2).position(|pair| pair[0] > pair[1]).unwrap_or(0);
            return wrong(at + 1, offsets[at + 1], format!("at least {}", offsets[at]));
        }
        if *last > data.len() as u64 {
            return wrong(offsets.len() - 1, *last, format!("at most {}", data.len()));
        }
        Ok(Self::Arrow { data, offsets })
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Arrow { offsets, .. } => offsets.len() - 1,
            Self::Slices(slices) => slices.len(),
        }
    }

    pub(super) fn get(&self, row: usize) -> &'m [u8] {
        match self {
            // The offsets are inside the data, whose length is a usize.
            Self::Arrow { data, offsets } => &data[offsets[row] as usize..offsets[row + 1] as usize],
            Self::Slices(slices) => slices[row],
        }
    }
}

impl Source<'_> {
    /// Returns the length of the first message that is longer than `most`.
    pub(super) fn longer_than(&self, most: usize) -> Option<usize> {
        match self {
            Self::Arrow { offsets, .. } if every_pair(offsets, |begin, end| end - begin <= most as u64) => {
                None
            }
            _ => (0..self.len()).map(|row| self.get(row).len()).find(|len| *len > most),
        }
    }
}

/// Returns true if `is_so` holds for all pairs of adjacent numbers. It checks many pairs before each branch, so that
/// the compiler can use SIMD instructions.
fn every_pair(numbers: &[u64], is_so: impl Fn(u64, u64) -> bool) -> bool {
    let pairs = numbers.len().saturating_sub(1);
    (0..pairs).step_by(1024).all(|begin| {
        let some = &numbers[begin..(begin + 1025).min(numbers.len())];
        some.iter().zip(&some[1..]).fold(true, |all, (before, after)| all & is_so(*before, *after))
    })
}

/// Returns the number of SHA-256 blocks of a message with this number of bytes.
fn blocks_of(bytes: u64) -> u64 {
    // No message is so long (2^64 - 72 bytes) that the sum saturates.
    (bytes.saturating_add(9 + 63)) / 64
}

/// Returns the number of SHA-256 blocks of a message.
pub(super) fn blocks(message: &[u8]) -> u64 {
    blocks_of(message.len() as u64)
}

/// Returns the rows sorted by their number of blocks, so that neighbouring work items of a device end at the same time,
/// or `None` if the messages are already sorted.
pub(super) fn order(source: &Source<'_>) -> Option<Vec<usize>> {
    let blocks_at = |row: usize| blocks(source.get(row));
    let sorted = match source {
        // A fast check for messages that all have the same length.
        Source::Arrow { offsets, .. } if offsets.len() > 1 => {
            let len = offsets[1] - offsets[0];
            every_pair(offsets, |begin, end| end - begin == len)
        }
        _ => false,
    };
    if sorted || (1..source.len()).all(|row| blocks_at(row - 1) <= blocks_at(row)) {
        return None;
    }
    let mut order: Vec<usize> = (0..source.len()).collect();
    // This sort is stable, and fast if there are few different numbers.
    order.sort_by_key(|row| blocks_at(*row));
    Some(order)
}

/// Some of the messages, as a range of places in an order.
#[derive(Clone, Debug)]
pub(super) struct Rows<'m> {
    pub(super) source: Source<'m>,
    pub(super) order: Option<&'m [usize]>,
    pub(super) places: Range<usize>,
}

impl<'m> Rows<'m> {
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &'m [u8]> + use<'m> {
        let (source, order) = (self.source, self.order);
        self.places.clone().map(move |place| source.get(order.map_or(place, |order| order[place])))
    }

    /// Returns all their bytes as one slice, if they are contiguous.
    pub(super) fn together(&self) -> Option<&'m [u8]> {
        match (self.source, self.order) {
            (Source::Arrow { data, offsets }, None) => {
                Some(&data[offsets[self.places.start] as usize..offsets[self.places.end] as usize])
            }
            _ => None,
        }
    }

    /// Returns the number of bytes that they take in a slot, if it can be determined without looking at each message.
    pub(super) fn bytes_together(&self) -> Option<u64> {
        match (self.source, self.order) {
            (Source::Arrow { offsets, .. }, None) => {
                Some(offsets[self.places.end] - offsets[self.places.start])
            }
            _ => None,
        }
    }

    /// Returns the number of bytes that a message takes in a slot, if the messages are not contiguous.
    pub(super) fn taken(message: &[u8]) -> usize {
        message.len().next_multiple_of(16)
    }
}
