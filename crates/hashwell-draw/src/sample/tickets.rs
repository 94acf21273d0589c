//! Tickets of many ids at once.

use crate::key::Digests;
use crate::{Error, Key};
use std::mem;
use std::ops::Range;

/// Computes the tickets of many ids under one key, in parallel with the widest SHA-256 kernel that the CPU supports.
/// The tickets are the same as those of [`Key::ticket`].
#[derive(Debug)]
pub struct Tickets(Tagged);

/// SHA-256 of many ids, each after the same prefix.
struct Tagged {
    digests: &'static Digests,
    prefix: [u8; PREFIX],
}

/// The number of ids hashed at a time: their copies and digests stay in the nearest cache.
const BATCH: usize = 256;
/// The number of bytes before an id.
const PREFIX: usize = 33;

/// A buffer of ids that are hashed together. Each id comes after the prefix of its message.
pub struct Ids {
    prefix: [u8; PREFIX],
    /// Valid up to `filled`; the rest is left over from earlier ids.
    bytes: Vec<u8>,
    filled: usize,
    ends: Vec<usize>,
}

impl Ids {
    /// The maximum length in bytes of an id written by [`Ids::extend_short`].
    pub const SHORT: usize = 32;

    /// Appends an id.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails.
    pub fn push(&mut self, id: &[u8]) -> Result<(), Error> {
        self.room(PREFIX.saturating_add(id.len()))?;
        let (prefix, rest) = self.bytes[self.filled..].split_at_mut(PREFIX);
        prefix.copy_from_slice(&self.prefix);
        rest[..id.len()].copy_from_slice(id);
        self.filled += PREFIX + id.len();
        self.ends.push(self.filled);
        Ok(())
    }

    /// Appends `count` ids of at most [`Ids::SHORT`] bytes. `write` gets the index of an id, counted from 0. It writes
    /// the id directly into the buffer that is hashed, and returns the length of the id.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails.
    #[inline]
    pub fn extend_short(
        &mut self,
        count: usize,
        mut write: impl FnMut(usize, &mut [u8; Self::SHORT]) -> usize,
    ) -> Result<(), Error> {
        self.room(count.saturating_mul(PREFIX + Self::SHORT))?;
        // `at` is a local variable, so that writing an id does not wait for the stored end of the previous one.
        let (bytes, mut at) = (&mut self.bytes[..], self.filled);
        let end = |i: usize| {
            let (prefix, rest) = bytes[at..].split_at_mut(PREFIX);
            prefix.copy_from_slice(&self.prefix);
            let Some(id) = rest.first_chunk_mut() else { unreachable!("there is room for all") };
            at += PREFIX + write(i, id).min(Self::SHORT);
            at
        };
        self.ends.extend((0..count).map(end));
        self.filled = at;
        Ok(())
    }

    /// Makes room for this many more bytes.
    fn room(&mut self, more: usize) -> Result<(), Error> {
        let missing = self.filled.saturating_add(more).saturating_sub(self.bytes.len());
        if missing > 0 {
            self.bytes.try_reserve(missing).map_err(|_| Error::Memory { what: "ids" })?;
            self.bytes.resize(self.bytes.capacity(), 0);
        }
        Ok(())
    }

    fn clear(&mut self) {
        self.filled = 0;
        self.ends.clear();
    }
}

impl Tickets {
    /// Prepares the computation of tickets under this key.
    #[must_use]
    pub fn new(key: &Key) -> Self {
        Self(Tagged { digests: Digests::shared_or_abort(), prefix: key.ticket_prefix() })
    }

    /// Returns the tickets of all ids, in order.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails.
    pub fn of<I: AsRef<[u8]>>(&self, ids: &[I]) -> Result<Vec<u128>, Error> {
        let mut tickets = Vec::new();
        tickets.try_reserve_exact(ids.len()).map_err(|_| Error::Memory { what: "tickets" })?;
        self.each(ids, |_, ticket| tickets.push(ticket))?;
        Ok(tickets)
    }

    /// Calls `take` with the index and the ticket of each id, in order. The first id has the index 0.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails.
    pub fn each<I: AsRef<[u8]>>(&self, ids: &[I], mut take: impl FnMut(usize, u128)) -> Result<(), Error> {
        let write =
            |batch: Range<usize>, out: &mut Ids| ids[batch].iter().try_for_each(|id| out.push(id.as_ref()));
        self.each_written(ids.len(), write, |i, ticket, _| {
            take(i, ticket);
            Ok(())
        })
    }

    /// Calls `take` with the ticket of each number in order. The id of a number is its decimal digits.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails, or the error that `take` returns.
    pub fn each_number(
        &self,
        numbers: Range<u64>,
        mut take: impl FnMut(u128) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let count = usize::try_from(numbers.end.saturating_sub(numbers.start));
        let count = count.map_err(|_| Error::Memory { what: "ids" })?;
        let mut next = Decimal::new(numbers.start);
        let write = |batch: Range<usize>, out: &mut Ids| {
            out.extend_short(batch.len(), |_, place| {
                let len = next.write(place);
                next.increment();
                len
            })
        };
        self.each_written(count, write, |_, ticket, _| take(ticket))
    }

    /// Does the same as [`Tickets::each`] for ids that are not in memory. `write` appends the ids with the given
    /// indices, and `take` also gets each id's bytes. Each id is written only once, directly into the buffer that is
    /// hashed.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails, or the error that `write` or `take` returns.
    ///
    /// # Panics
    /// Panics if `write` does not append exactly one id for each index of the range.
    pub fn each_written(
        &self,
        ids: usize,
        write: impl FnMut(Range<usize>, &mut Ids) -> Result<(), Error>,
        mut take: impl FnMut(usize, u128, &[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.0.each_batch(ids, write, |first, digests, written| {
            let mut each = digests.iter().zip(written).zip(first..);
            each.try_for_each(|((digest, id), i)| take(i, Key::ticket_of(digest), &id[PREFIX..]))
        })
    }
}

/// The decimal digits of a number, which can be incremented without a division.
struct Decimal {
    /// The digits, from the end of the array to its beginning, after zeros.
    digits: [u8; Self::MOST],
    len: usize,
}

impl Decimal {
    /// The largest number of digits: those of 2^64 - 1.
    const MOST: usize = 20;

    fn new(mut number: u64) -> Self {
        let mut this = Self { digits: [b'0'; Self::MOST], len: 1 };
        for (i, digit) in this.digits.iter_mut().rev().enumerate() {
            *digit += (number % 10) as u8;
            number /= 10;
            if *digit > b'0' {
                this.len = i + 1;
            }
        }
        this
    }

    fn increment(&mut self) {
        for (i, digit) in self.digits.iter_mut().rev().enumerate() {
            if *digit < b'9' {
                *digit += 1;
                self.len = self.len.max(i + 1);
                return;
            }
            *digit = b'0';
        }
    }

    /// Writes the digits to the beginning of `place`, and returns their number.
    fn write(&self, place: &mut [u8]) -> usize {
        place[..self.len].copy_from_slice(&self.digits[Self::MOST - self.len..]);
        self.len
    }
}

impl Tagged {
    /// Calls `take` for each batch with the index of its first id, the digests, and the messages that were hashed.
    #[inline]
    fn each_batch(
        &self,
        ids: usize,
        mut write: impl FnMut(Range<usize>, &mut Ids) -> Result<(), Error>,
        mut take: impl FnMut(usize, &[[u8; 32]], &[&[u8]]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let ends = Vec::with_capacity(BATCH.min(ids));
        let mut written = Ids { prefix: self.prefix, bytes: Vec::new(), filled: 0, ends };
        let mut digests = [[0; 32]; BATCH];
        for first in (0..ids).step_by(BATCH) {
            let batch = first..ids.min(first + BATCH);
            written.clear();
            write(batch.clone(), &mut written)?;
            assert_eq!(written.ends.len(), batch.len(), "an id for each number");
            let mut begin = 0;
            let cut = |&end: &usize| &written.bytes[mem::replace(&mut begin, end)..end];
            let cuts: Vec<&[u8]> = written.ends.iter().map(cut).collect();
            let digests = &mut digests[..cuts.len()];
            self.digests.of(&cuts, digests)?;
            take(first, digests, &cuts)?;
        }
        Ok(())
    }
}

/// Computes the keys of many rows in parallel. Each row has its own random numbers, which are derived from its key. The
/// keys are the same as those of [`Key::row`], and each comes with the first 128 bits of its random numbers.
#[derive(Debug)]
pub struct RowKeys(Tagged);

impl RowKeys {
    /// Prepares the computation of row keys under this key.
    #[must_use]
    pub fn new(key: &Key) -> Self {
        Self(Tagged { digests: Digests::shared_or_abort(), prefix: key.row_prefix() })
    }

    /// Calls `take` for each row, in order. `take` gets the index of the row, counted from 0, its key, the first 128
    /// bits of its random numbers, and its id. `write` is the same as for [`Tickets::each_written`].
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails, or the error that `write` or `take` returns.
    ///
    /// # Panics
    /// Panics if `write` does not append exactly one id for each index of the range.
    pub fn each_written(
        &self,
        ids: usize,
        write: impl FnMut(Range<usize>, &mut Ids) -> Result<(), Error>,
        mut take: impl FnMut(usize, Key, u128, &[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.0.each_block(ids, write, |_| 0, |i, key, block, id| take(i, key, Key::ticket_of(block), id))
    }
}

/// The keys of strata, equal to [`Key::stratum`], each with a block of its random numbers, computed in SIMD lanes.
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
#[derive(Debug)]
pub(crate) struct StratumKeys(Tagged);

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
impl StratumKeys {
    /// Stratum keys under this key.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if an allocation fails.
    pub(crate) fn new(key: &Key) -> Result<Self, Error> {
        Ok(Self(Tagged { digests: Digests::shared()?, prefix: key.stratum_prefix() }))
    }

    /// Calls `take` for each label in order with its index, its key, and the four random numbers of the block that
    /// `block_of` selects. `write` is the same as for [`Tickets::each_written`].
    pub(crate) fn each_written(
        &self,
        labels: usize,
        write: impl FnMut(Range<usize>, &mut Ids) -> Result<(), Error>,
        block_of: impl Fn(usize) -> u64,
        mut take: impl FnMut(usize, Key, &[u8; 32]),
    ) -> Result<(), Error> {
        self.0.each_block(labels, write, block_of, |i, key, block, _| {
            take(i, key, block);
            Ok(())
        })
    }
}

impl Tagged {
    /// Calls `take` with the index of each id, the key in its digest, a block of this key's random numbers, and the id.
    #[inline]
    fn each_block(
        &self,
        ids: usize,
        write: impl FnMut(Range<usize>, &mut Ids) -> Result<(), Error>,
        block_of: impl Fn(usize) -> u64,
        mut take: impl FnMut(usize, Key, &[u8; 32], &[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut messages = [[0; 32 + 1 + 8]; BATCH];
        let mut blocks = [[0; 32]; BATCH];
        self.each_batch(ids, write, |first, keys, written| {
            let (messages, blocks) = (&mut messages[..keys.len()], &mut blocks[..keys.len()]);
            for (i, (message, key)) in messages.iter_mut().zip(keys).enumerate() {
                *message = Key(*key).words_message(block_of(first + i));
            }
            self.digests.of(messages, blocks)?;
            for (i, (key, block)) in keys.iter().zip(&*blocks).enumerate() {
                take(first + i, Key(*key), block, &written[i][PREFIX..])?;
            }
            Ok(())
        })
    }
}

impl std::fmt::Debug for Tagged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tagged")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_tickets_of_their_digits() {
        let key = Key([8; 32]);
        let tickets = Tickets::new(&key);
        for numbers in [0..1, 1..1200, 99_990..100_010, u64::MAX - 300..u64::MAX, 5..5] {
            let must =
                Vec::from_iter(numbers.clone().map(|number| key.ticket(number.to_string().as_bytes())));
            let mut found = Vec::new();
            let take = |ticket| {
                found.push(ticket);
                Ok(())
            };
            tickets.each_number(numbers.clone(), take).unwrap();
            assert_eq!(found, must, "{numbers:?}");
        }
    }

    /// Tickets do not depend on the way in which ids are written.
    #[test]
    fn ids_that_are_written_in_place_have_their_tickets() {
        let key = Key([7; 32]);
        let ids = Vec::from_iter((0..700).map(|i| vec![i as u8; i % (Ids::SHORT + 1)]));
        let must = Vec::from_iter(ids.iter().map(|id| (key.ticket(id), id.clone())));
        let short = |batch: Range<usize>, out: &mut Ids| {
            let first = batch.start;
            // Write the ids in two pieces, after an id that is written with `push`.
            out.push(&ids[first])?;
            let mut at = first + 1;
            for count in [batch.len() / 2, batch.len() - 1 - batch.len() / 2] {
                out.extend_short(count, |i, place| {
                    let id = &ids[at + i];
                    place[..id.len()].copy_from_slice(id);
                    id.len()
                })?;
                at += count;
            }
            Ok(())
        };
        let mut found = Vec::new();
        let take = |i, ticket, id: &[u8]| {
            assert_eq!(i, found.len());
            found.push((ticket, id.to_vec()));
            Ok(())
        };
        Tickets::new(&key).each_written(ids.len(), short, take).unwrap();
        assert_eq!(found, must);
        assert_eq!(Tickets::new(&key).of(&ids).unwrap(), Vec::from_iter(must.iter().map(|row| row.0)));
        // If the returned length is too large, the id fills its whole place.
        let full = |_, out: &mut Ids| {
            out.extend_short(1, |_, place| {
                place.fill(1);
                Ids::SHORT + 9
            })
        };
        let check = |_, ticket, id: &[u8]| {
            assert_eq!((ticket, id), (key.ticket(&[1; Ids::SHORT]), &[1; Ids::SHORT][..]));
            Ok(())
        };
        Tickets::new(&key).each_written(1, full, check).unwrap();
    }
}
