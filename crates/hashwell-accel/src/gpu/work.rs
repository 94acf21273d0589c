//! Messages that several hash at once: the devices take from the front, where the short ones are, and the processor's
//! threads from the back. Whoever fails gives back what it had.

use crate::gpu::device::unpoisoned;
use crate::gpu::rows::{Rows, Source};
use crate::gpu::slot::Room;
use std::ops::Range;
use std::sync::Mutex;

/// What one takes at a time, with the place of its digests.
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
    /// Bytes of room that the messages left take.
    bytes: u64,
    /// 32 bytes for each place.
    out: &'o mut [u8],
    returned: Vec<Piece<'m, 'o>>,
}

/// What the processor takes at a time: enough for many lanes, and soon done.
const CPU_ROOM: Room = Room { bytes: 256 << 10, rows: 4096 };

impl<'m, 'o> Work<'m, 'o> {
    /// Messages in this order; `out` has 32 bytes for each, in the same order.
    pub(super) fn new(source: Source<'m>, order: Option<&'m [usize]>, out: &'o mut [u8]) -> Self {
        let all = Rows { source, order, places: 0..source.len() };
        let one_by_one = || all.iter().map(|message| Rows::taken(message) as u64).sum();
        let bytes = all.bytes_together().unwrap_or_else(one_by_one);
        let left = Left { places: all.places, bytes, out, returned: Vec::new() };
        Self { source, order, left: Mutex::new(left) }
    }

    /// A piece for a device with so much room; none if nothing is left, or only messages that are longer than its room.
    /// With `alone` as much as there is room for, else no more than leaves the others enough to end at the same time.
    pub(super) fn for_device(&self, room: Room, alone: bool) -> Option<Piece<'m, 'o>> {
        let mut left = unpoisoned(&self.left);
        let share = usize::try_from(left.bytes / 16).unwrap_or(usize::MAX).max(1 << 20);
        let wanted = Room { bytes: if alone { room.bytes } else { room.bytes.min(share) }, ..room };
        let begin = left.places.start;
        let (rows, bytes) = match self.offsets() {
            Some(offsets) => {
                let ends = &offsets[begin + 1..=left.places.end.min(begin.saturating_add(room.rows))];
                let within = |most: usize| ends.partition_point(|end| end - offsets[begin] <= most as u64);
                // One that is longer than its share, if there is room for it.
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

    /// A piece for a thread of the processor; none if nothing is left at the moment.
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

    /// How many messages there were.
    pub(super) fn messages(&self) -> usize {
        self.source.len()
    }

    /// Whether anything is left that nobody has taken.
    pub(super) fn is_left(&self) -> bool {
        !unpoisoned(&self.left).places.is_empty()
    }

    /// Gives back what could not be hashed.
    pub(super) fn give_back(&self, piece: Piece<'m, 'o>) {
        unpoisoned(&self.left).returned.push(piece);
    }

    /// Where messages lie one behind the other in the order in which they go.
    fn offsets(&self) -> Option<&'m [u64]> {
        match (self.source, self.order) {
            (Source::Arrow { offsets, .. }, None) => Some(offsets),
            _ => None,
        }
    }

    fn piece(&self, places: Range<usize>, out: &'o mut [u8]) -> Piece<'m, 'o> {
        Piece { rows: Rows { source: self.source, order: self.order, places }, out }
    }

    /// How many of these places fit, at least one if it is no longer than `longest`, and the bytes that they take.
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
