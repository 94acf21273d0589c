//! Weighted samplers as bytes, in the envelope of all samplers (`state`).

use super::arrival::Arrival;
use super::{Jumps, WeightedTicket, WeightedTickets};
use crate::draw::Exponential;
use crate::state::{Kind, Reader, Writer};
use crate::{Error, Words};

impl<W: Words> Jumps<W> {
    /// The state as bytes: all but the words, of which it has the position. The rows are the caller's to keep.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new(Kind::Jumps);
        writer.u64(self.queue.capacity() as u64).u64(self.seen).option_u128(self.words.stream_position());
        writer.bytes(
            &[self.jump.left, self.jump.sum, self.jump.scale].map(|x| x.to_bits().to_be_bytes()).concat(),
        );
        writer.u64(self.jump.rows as u64);
        let mut keys = vec![0; self.queue.len()];
        self.queue.entries().for_each(|entry| keys[entry.slot()] = entry.key());
        writer.bytes(&keys.iter().flat_map(|key| key.to_be_bytes()).collect::<Vec<u8>>());
        writer.finish()
    }

    /// A saved state. `words` is told how many bytes of the words were read, if the source had counted them, and gives the
    /// words from there on.
    ///
    /// # Errors
    /// [`Error::Invalid`] for bytes that are not such a state; what `words` says; [`Error::Memory`].
    pub fn from_bytes(
        bytes: &[u8],
        words: impl FnOnce(Option<u128>) -> Result<W, Error>,
    ) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, Kind::Jumps)?;
        let (k, seen, position) = (reader.usize()?, reader.u64()?, reader.option_u128()?);
        let jump = reader.bytes()?;
        let (rows, keys) = (reader.usize()?, reader.bytes()?);
        reader.end()?;
        let (&[left, sum, scale], []) = numbers(jump) else {
            return Err(Reader::contradiction("a jump has three numbers"));
        };
        let (keys, []) = keys.as_chunks::<8>() else {
            return Err(Reader::contradiction("a key has 8 bytes"));
        };
        if keys.len() > k || keys.len() as u64 > seen {
            return Err(Reader::contradiction("it keeps more rows than it can have"));
        }
        let mut sampler = Self::new(words(position)?, k)?;
        for key in keys {
            let key = u64::from_be_bytes(*key);
            if !Arrival(key).is_possible() {
                return Err(Reader::contradiction("no row arrives at such a time"));
            }
            sampler.queue.fill(key)?;
        }
        let [left, sum, scale] = [left, sum, scale].map(|number| f64::from_bits(u64::from_be_bytes(number)));
        sampler.seen = seen;
        if !sampler.set_jump([left, sum, scale], rows) {
            return Err(Reader::contradiction("its jump is none"));
        }
        Ok(sampler)
    }
}

fn numbers(bytes: &[u8]) -> (&[[u8; 8]], &[u8]) {
    bytes.as_chunks::<8>()
}

impl<T: Ord + AsRef<[u8]>> WeightedTickets<T> {
    /// The state as bytes: equal for samples of equal rows, however they were put together.
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
    /// A saved state.
    ///
    /// # Errors
    /// [`Error::Invalid`] for bytes that are not such a state; [`Error::Memory`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, Kind::WeightedTickets)?;
        let (k, rows, len) = (reader.usize()?, reader.u64()?, reader.usize()?);
        if len > k || len as u64 > rows {
            return Err(Reader::contradiction("it keeps more rows than it can have"));
        }
        let mut sample = Self::new(k);
        let mut before: Option<WeightedTicket> = None;
        for _ in 0..len {
            let time = Exponential { whole: reader.u64()?, fraction: reader.u128()? };
            let ticket = WeightedTicket { time, weight: reader.u128()? };
            if ticket.weight == 0 || before.is_some_and(|before| before > ticket) {
                return Err(Reader::contradiction("its tickets do not ascend"));
            }
            before = Some(ticket);
            sample.offer(ticket, reader.bytes()?.into())?;
        }
        reader.end()?;
        sample.set_rows(rows);
        Ok(sample)
    }
}
