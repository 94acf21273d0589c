//! Saved states of weighted samplers, in the format that all samplers use (see the module [`state`](crate::state)).

use super::arrival::Arrival;
use super::queue::Queue;
use super::{AExpJ, Chao, WeightedTicket, WeightedTickets, WeightedWithReplacement};
use crate::draw::Exponential;
use crate::state::{Kind, Reader, Writer};
use crate::{Error, RandomSource};
use std::cmp::Reverse;

impl<W: RandomSource> AExpJ<W> {
    /// Returns the state as bytes, in the format of [`state`](crate::state). It contains the position in the random
    /// source, but neither the source nor the rows, which the caller keeps.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.saved(self.words.stream_position())
    }

    fn saved(&self, position: Option<u128>) -> Vec<u8> {
        let mut writer = Writer::new(Kind::AExpJ);
        writer.u64(self.queue.capacity() as u64).u64(self.seen).option_u128(position);
        writer.bytes(
            &[self.jump.left, self.jump.sum, self.jump.scale].map(|x| x.to_bits().to_be_bytes()).concat(),
        );
        writer.u64(self.jump.rows as u64);
        writer.bytes(&keys_by_slot(&self.queue));
        writer.finish()
    }

    /// Restores a saved state. `words` gets the number of bytes that were read from the random source, or `None` if the
    /// source did not count them. It returns the source, positioned after these bytes.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the bytes are not a saved state of this type, or [`Error::Memory`] if an
    /// allocation fails. Returns any error that `words` returns.
    pub fn from_bytes(
        bytes: &[u8],
        words: impl FnOnce(Option<u128>) -> Result<W, Error>,
    ) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, Kind::AExpJ)?;
        let (k, seen, position) = (reader.usize()?, reader.u64()?, reader.option_u128()?);
        let jump = reader.bytes()?;
        let (rows, keys) = (reader.usize()?, reader.bytes()?);
        reader.end()?;
        let (&[left, sum, scale], []) = numbers(jump) else {
            return Err(Reader::contradiction(
                "the saved distance to the next picked row must consist of three numbers",
            ));
        };
        let keys = keys_of(keys)?;
        if keys.len() > k || keys.len() as u64 > seen {
            return Err(Reader::contradiction(
                "it stores more rows than its capacity or the number of rows seen",
            ));
        }
        let mut sampler = Self::new(words(position)?, k)?;
        if !keys.iter().all(|key| Arrival(u64::from_be_bytes(*key)).is_possible()) {
            return Err(Reader::contradiction("the arrival time of a row is out of range"));
        }
        fill(&mut sampler.queue, keys)?;
        let [left, sum, scale] = [left, sum, scale].map(|number| f64::from_bits(u64::from_be_bytes(number)));
        sampler.seen = seen;
        if !sampler.set_jump([left, sum, scale], rows) {
            return Err(Reader::contradiction("the saved distance to the next picked row is inconsistent"));
        }
        Reader::same(bytes, &sampler.saved(position))?;
        Ok(sampler)
    }
}

fn keys_by_slot(queue: &Queue) -> Vec<u8> {
    let mut keys = vec![0; queue.len()];
    queue.entries().for_each(|entry| keys[entry.slot()] = entry.key());
    keys.iter().flat_map(|key| key.to_be_bytes()).collect()
}

fn keys_of(bytes: &[u8]) -> Result<&[[u8; 8]], Error> {
    match numbers(bytes) {
        (keys, []) => Ok(keys),
        _ => Err(Reader::contradiction("the length of the list of keys is not a multiple of 8 bytes")),
    }
}

/// Fills a queue that has room for all keys.
fn fill(queue: &mut Queue, keys: &[[u8; 8]]) -> Result<(), Error> {
    keys.iter().try_for_each(|key| queue.fill(u64::from_be_bytes(*key)).map(drop))
}

fn numbers(bytes: &[u8]) -> (&[[u8; 8]], &[u8]) {
    bytes.as_chunks::<8>()
}

impl<T: Ord + AsRef<[u8]>> WeightedTickets<T> {
    /// Returns the state as bytes, in the format of [`state`](crate::state). Samples of the same rows have the same
    /// bytes, however they were merged.
    #[must_use]
    pub fn to_bytes(self) -> Vec<u8> {
        let mut writer = Writer::new(Kind::WeightedTickets);
        let (k, rows) = (self.capacity(), self.rows());
        let kept = self.into_sorted();
        writer.u64(k as u64).u64(rows).u64(kept.len() as u64);
        for (WeightedTicket { time, weight }, row) in &kept {
            writer.u64(time.whole).u128(time.fraction).u128(*weight).bytes(row.as_ref());
        }
        writer.finish()
    }
}

impl<T: Ord + for<'a> From<&'a [u8]>> WeightedTickets<T> {
    /// Restores a saved state.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the bytes are not a saved state of this type, or [`Error::Memory`] if an
    /// allocation fails.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, Kind::WeightedTickets)?;
        let (k, rows, len) = (reader.usize()?, reader.u64()?, reader.usize()?);
        if len > k || len as u64 > rows {
            return Err(Reader::contradiction(
                "it stores more rows than its capacity or the number of rows seen",
            ));
        }
        let mut sample = Self::new(k);
        let mut before: Option<(WeightedTicket, &[u8])> = None;
        for _ in 0..len {
            let time = Exponential { whole: reader.u64()?, fraction: reader.u128()? };
            let ticket = WeightedTicket { time, weight: reader.u128()? };
            let (bytes, mut descends) = (reader.bytes()?, ticket.weight == 0);
            if let Some((last, row)) = before {
                // Rows with equal tickets have a fixed order too, so that a sample has only one encoding.
                descends |= (last, T::from(row)) > (ticket, T::from(bytes));
            }
            if descends {
                return Err(Reader::contradiction(
                    "its tickets are not in ascending order, or a weight is 0",
                ));
            }
            before = Some((ticket, bytes));
            sample.offer(ticket, bytes.into())?;
        }
        reader.end()?;
        sample.set_rows(rows);
        Ok(sample)
    }
}

impl<W: RandomSource> WeightedWithReplacement<W> {
    /// Returns the state as bytes, in the format of [`state`](crate::state). It contains the position in the random
    /// source, but neither the source nor the rows, which the caller keeps.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.saved(self.words.stream_position())
    }

    fn saved(&self, position: Option<u128>) -> Vec<u8> {
        let mut writer = Writer::new(Kind::WeightedReplacement);
        writer.u64(self.waiting.capacity() as u64).u64(self.seen).option_u128(position);
        writer.f64(self.sum).f64(self.lost).bytes(&keys_by_slot(&self.waiting));
        if self.in_units {
            writer.u64(1);
        }
        writer.finish()
    }

    /// Restores a saved state. `words` is used in the same way as by [`AExpJ::from_bytes`].
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the bytes are not a saved state of this type, or [`Error::Memory`] if an
    /// allocation fails. Returns any error that `words` returns.
    pub fn from_bytes(
        bytes: &[u8],
        words: impl FnOnce(Option<u128>) -> Result<W, Error>,
    ) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, Kind::WeightedReplacement)?;
        let (k, seen, position) = (reader.usize()?, reader.u64()?, reader.option_u128()?);
        let (sum, lost, keys) = (reader.f64()?, reader.f64()?, reader.bytes()?);
        let in_units = reader.left() > 0 && reader.u64()? == 1;
        reader.end()?;
        let keys = keys_of(keys)?;
        // The first row with a positive weight takes all slots.
        let began = sum > 0.0;
        if keys.len() != if began { k } else { 0 } || (began && seen == 0) {
            return Err(Reader::contradiction("its number of slots is wrong"));
        }
        let mut sampler = Self::new(words(position)?, k)?;
        fill(&mut sampler.waiting, keys)?;
        if !sampler.set_sum((sum, in_units), lost, seen) {
            return Err(Reader::contradiction("its sum of weights is inconsistent with its slots"));
        }
        Reader::same(bytes, &sampler.saved(position))?;
        Ok(sampler)
    }
}

impl<W: RandomSource> Chao<W> {
    /// Returns the state as bytes, in the format of [`state`](crate::state). It contains the position in the random
    /// source, but neither the source nor the rows, which the caller keeps.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.saved(self.words.stream_position())
    }

    fn saved(&self, position: Option<u128>) -> Vec<u8> {
        let mut writer = Writer::new(Kind::Proportional);
        writer.u64(self.k as u64).u64(self.seen).option_u128(position);
        writer.u128(self.total).u128(self.rest);
        // A heap's internal order depends on its history, but the order in which it returns entries does not. Sorting
        // makes the bytes unique.
        let mut certain: Vec<(u128, usize)> = self.certain.iter().map(|Reverse(row)| *row).collect();
        certain.sort_unstable();
        let certain = certain
            .into_iter()
            .flat_map(|(weight, slot)| weight.to_be_bytes().into_iter().chain((slot as u64).to_be_bytes()));
        writer.bytes(&certain.collect::<Vec<u8>>());
        writer.bytes(&self.others.iter().flat_map(|&slot| (slot as u64).to_be_bytes()).collect::<Vec<u8>>());
        writer.finish()
    }

    /// Restores a saved state. `words` is used in the same way as by [`AExpJ::from_bytes`].
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the bytes are not a saved state of this type, or [`Error::Memory`] if an
    /// allocation fails. Returns any error that `words` returns.
    pub fn from_bytes(
        bytes: &[u8],
        words: impl FnOnce(Option<u128>) -> Result<W, Error>,
    ) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, Kind::Proportional)?;
        let (k, seen, position) = (reader.usize()?, reader.u64()?, reader.option_u128()?);
        let (total, rest) = (reader.u128()?, reader.u128()?);
        let (certain, others) = (reader.bytes()?, reader.bytes()?);
        reader.end()?;
        let (certain, []) = certain.as_chunks::<24>() else {
            return Err(Reader::contradiction(
                "the length of the list of rows with probability 1 is not a multiple of 24 bytes",
            ));
        };
        let (others, []) = others.as_chunks::<8>() else {
            return Err(Reader::contradiction(
                "the length of the list of slots is not a multiple of 8 bytes",
            ));
        };
        let slot =
            |bytes: &[u8]| bytes.first_chunk().map_or(usize::MAX, |slot| u64::from_be_bytes(*slot) as usize);
        let weight = |bytes: &[u8]| bytes.first_chunk().map_or(0, |weight| u128::from_be_bytes(*weight));
        let certain = certain.iter().map(|row| (weight(row), slot(&row[16..]))).collect();
        let others = others.iter().map(|row| slot(row)).collect();
        let mut sampler = Self::new(words(position)?, k)?;
        if !sampler.set(seen, (total, rest), certain, others) {
            return Err(Reader::contradiction("its rows and their weights don't match"));
        }
        Reader::same(bytes, &sampler.saved(position))?;
        Ok(sampler)
    }
}
