//! Messages that several workers hash at the same time. Devices take messages from the front, where the short ones are,
//! and CPU threads take them from the back. A worker that fails returns its messages.

use crate::gpu::device::unpoisoned;
use crate::gpu::rows::{Rows, Source};
use crate::gpu::slot::Room;
use std::ops::Range;
use std::sync::Mutex;

/// The messages that a worker takes at a time, and the place for their digests.
pub(super) struct Piece<'m, 'o> {
    pub(super) rows: Rows<'m>,
    pub(super) out: &'o mut [u8],
}

pub(super) struct Work<'m, 'o> {
    source: Source<'m>,
    order: Option<&'m [usize]>,
    left: Mutex<Left<'m, 'o>>,
}

struct Left<'m, 'o> {
    places: Range<usize>,
    /// The number of bytes that the remaining messages take in a slot.
    bytes: u64,
    /// The output, with 32 bytes for each place.
    out: &'o mut [u8],
    returned: Vec<Piece<'m, 'o>>,
}

/// The maximum that a CPU thread takes at a time: enough to fill many SIMD lanes, but done soon.
const CPU_ROOM: Room = Room { bytes: 256 << 10, rows: 4096 };

impl<'m, 'o> Work<'m, 'o> {
    /// Takes messages in this order. `out` has 32 bytes for each message, in the same order.
    pub(super) fn new(source: Source<'m>, order: Option<&'m [usize]>, out: &'o mut [u8]) -> Self {
        let all = Rows { source, order, places: 0..source.len() };
        let one_by_one = || all.iter().map(|message| Rows::taken(message) as u64).sum();
        let bytes = all.bytes_together().unwrap_or_else(one_by_one);
        let left = Left { places: all.places, bytes, out, returned: Vec::new() };
        Self { source, order, left: Mutex::new(left) }
    }

    /// Returns a piece for a device with this capacity, or `None` if no messages are left, or only messages that are
    /// too long. If `alone` is true, the piece is as large as possible. Otherwise, it is small enough that all workers
    /// end at about the same time.
    pub(super) fn for_device(&self, room: Room, alone: bool) -> Option<Piece<'m, 'o>> {
        let mut left = unpoisoned(&self.left);
        let share = usize::try_from(left.bytes / 16).unwrap_or(usize::MAX).max(1 << 20);
        let wanted = Room { bytes: if alone { room.bytes } else { room.bytes.min(share) }, ..room };
        let begin = left.places.start;
        let (rows, bytes) = match self.offsets() {
            Some(offsets) => {
                let ends = &offsets[begin + 1..=left.places.end.min(begin.saturating_add(room.rows))];
                let within = |most: usize| ends.partition_point(|end| end - offsets[begin] <= most as u64);
                // At least one message, even if it is longer than the share, if there is room for it.
                let rows = within(wanted.bytes).max(within(room.bytes).min(1));
                (rows, offsets[begin + rows] - offsets[begin])
            }
            None => self.fitting(wanted, left.places.clone(), room.bytes),
        };
        left.places.start += rows;
        left.bytes = left.bytes.saturating_sub(bytes);
        let (own, others) = std::mem::take(&mut left.out).split_at_mut(32 * rows);
        left.out = others;
        (rows > 0).then(|| self.piece(begin..begin + rows, own))
    }

    /// Returns a piece for a CPU thread, or `None` if no messages are left at the moment.
    pub(super) fn for_cpu(&self) -> Option<Piece<'m, 'o>> {
        let mut left = unpoisoned(&self.left);
        if let Some(piece) = left.returned.pop() {
            return Some(piece);
        }
        let end = left.places.end;
        let (rows, bytes) = self.fitting(CPU_ROOM, left.places.clone().rev(), usize::MAX);
        left.places.end -= rows;
        left.bytes = left.bytes.saturating_sub(bytes);
        let out = std::mem::take(&mut left.out);
        let (others, own) = out.split_at_mut(out.len() - 32 * rows);
        left.out = others;
        (rows > 0).then(|| self.piece(end - rows..end, own))
    }

    /// Returns the total number of messages.
    pub(super) fn messages(&self) -> usize {
        self.source.len()
    }

    /// Returns true if there are messages that no worker has taken.
    pub(super) fn is_left(&self) -> bool {
        !unpoisoned(&self.left).places.is_empty()
    }

    /// Returns a piece that could not be hashed to the other workers.
    pub(super) fn give_back(&self, piece: Piece<'m, 'o>) {
        unpoisoned(&self.left).returned.push(piece);
    }

    /// Returns the offsets if the messages are contiguous in the order in which they are hashed.
    fn offsets(&self) -> Option<&'m [u64]> {
        match (self.source, self.order) {
            (Source::Arrow { offsets, .. }, None) => Some(offsets),
            _ => None,
        }
    }

    fn piece(&self, places: Range<usize>, out: &'o mut [u8]) -> Piece<'m, 'o> {
        Piece { rows: Rows { source: self.source, order: self.order, places }, out }
    }

    /// Returns how many of these places fit, and the bytes that they take. The first place counts even if it does not
    /// fit, unless its message is longer than `longest`.
    fn fitting(&self, room: Room, places: impl Iterator<Item = usize>, longest: usize) -> (usize, u64) {
        let (mut rows, mut bytes) = (0, 0_usize);
        for place in places.take(room.rows) {
            let row = self.order.map_or(place, |order| order[place]);
            let more = Rows::taken(self.source.get(row));
            let first = rows == 0 && more <= longest;
            if !first && more > room.bytes.saturating_sub(bytes) {
                break;
            }
            rows += 1;
            bytes += more;
        }
        (rows, bytes as u64)
    }
}
