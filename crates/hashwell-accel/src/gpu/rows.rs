//! Messages as they come, in an order that suits a device, and pieces of them.

use crate::gpu::error::Error;
use std::ops::Range;

/// Where messages lie.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source<'m> {
    /// One behind the other: message i is `data[offsets[i] .. offsets[i + 1]]`.
    Arrow {
        /// All bytes.
        data: &'m [u8],
        /// One more than there are messages, checked.
        offsets: &'m [u64],
    },
    /// Anywhere.
    Slices(&'m [&'m [u8]]),
}

impl<'m> Source<'m> {
    /// Arrow's layout of large binaries.
    ///
    /// # Errors
    /// [`Error::Offsets`] if offsets fall or leave the data, or if there are none.
    pub(super) fn arrow(data: &'m [u8], offsets: &'m [u64]) -> Result<Self, Error> {
        let wrong = |at: usize, offset, must: String| Err(Error::Offsets { at, offset, must: must.into() });
        let Some(last) = offsets.last() else { return wrong(0, 0, "there, even of no messages".into()) };
        if let Some(at) = offsets.windows(2).position(|pair| pair[0] > pair[1]) {
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
            // Within the data, whose length is a usize.
            Self::Arrow { data, offsets } => &data[offsets[row] as usize..offsets[row + 1] as usize],
            Self::Slices(slices) => slices[row],
        }
    }
}

/// Blocks of SHA-256 of a message.
pub(super) fn blocks(message: &[u8]) -> u64 {
    (message.len() as u64 + 9).div_ceil(64)
}

/// Rows sorted by how many blocks they have, so that neighbours on a device end at one time; none if they lie so.
pub(super) fn order(source: &Source<'_>) -> Option<Vec<usize>> {
    let blocks_of = |row: usize| blocks(source.get(row));
    if (1..source.len()).all(|row| blocks_of(row - 1) <= blocks_of(row)) {
        return None;
    }
    let mut order: Vec<usize> = (0..source.len()).collect();
    // Stable, and quick where there are few different numbers.
    order.sort_by_key(|row| blocks_of(*row));
    Some(order)
}

/// Some messages: places in an order.
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

    /// All bytes of them in one piece, if they lie so.
    pub(super) fn together(&self) -> Option<&'m [u8]> {
        match (self.source, self.order) {
            (Source::Arrow { data, offsets }, None) => {
                Some(&data[offsets[self.places.start] as usize..offsets[self.places.end] as usize])
            }
            _ => None,
        }
    }

    /// Bytes that a message takes of a slot's room.
    pub(super) fn taken(message: &[u8]) -> usize {
        message.len().next_multiple_of(16)
    }
}
