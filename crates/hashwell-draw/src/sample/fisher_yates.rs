//! The first picks of a Fisher-Yates shuffle, without shuffling everything.

use crate::Error;
use crate::draw::below;
use crate::interrupt;
use crate::state::{Kind, Reader, Writer};
use hashwell::RandomSource;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hasher, RandomState};

/// Samples the numbers 0 to n - 1 without replacement, one pick after the other. This is the method `index` of hwdraw.
/// It is a Fisher-Yates shuffle that stores only the places whose content differs from their number.
///
/// Pick i, counted from 0, swaps places i and i + below(n - i), and returns the content of place i. A sample can
/// therefore be extended later: the first k picks do not depend on k. The picks are in random order, and are the same
/// as those of [`shuffle`](crate::draw::shuffle) over 0 to n - 1.
///
/// Each pick consumes one random number, plus those that [`below`] rejects. It needs memory for at most one table
/// entry.
#[derive(Clone, Debug)]
pub struct FisherYates<W> {
    words: W,
    n: u64,
    picked: u64,
    /// The content of each place from `picked` on that differs from the place's own number.
    moved: HashMap<u64, u64, Spread>,
}

impl<W: RandomSource> FisherYates<W> {
    /// Starts a sample of n numbers. If n is 0, there are no picks.
    ///
    /// # Errors
    /// This function currently never fails.
    pub fn new(words: W, n: u64) -> Result<Self, Error> {
        Ok(Self { words, n, picked: 0, moved: HashMap::default() })
    }

    /// Returns the next pick. After n picks, returns `None` and consumes no random number.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the random source fails, or [`Error::Memory`] if an allocation fails. After
    /// an error, nothing has been picked.
    pub fn next_pick(&mut self) -> Result<Option<u64>, Error> {
        if self.picked == self.n {
            return Ok(None);
        }
        self.moved.try_reserve(1).map_err(|_| Error::Memory { what: "a sample" })?;
        let here = self.picked;
        let there = here + below(&mut self.words, self.n - here)?;
        self.picked += 1;
        // Place `here` is never used again.
        let mine = self.moved.remove(&here).unwrap_or(here);
        if here == there {
            return Ok(Some(mine));
        }
        Ok(Some(self.moved.insert(there, mine).unwrap_or(there)))
    }

    /// Returns the next k picks, or all remaining picks if there are fewer.
    ///
    /// # Errors
    /// Returns the same errors as [`FisherYates::next_pick`], or [`Error::Stopped`] if the draw is stopped. The picks
    /// before the error are lost, although [`FisherYates::picked`] counts them.
    pub fn picks(&mut self, k: u64) -> Result<Vec<u64>, Error> {
        let mut picks = Vec::new();
        let len = usize::try_from(k.min(self.n - self.picked)).unwrap_or(usize::MAX);
        picks.try_reserve_exact(len).map_err(|_| Error::Memory { what: "a sample" })?;
        while picks.len() < len {
            interrupt::check(picks.len() as u64)?;
            picks.extend(self.next_pick()?);
        }
        Ok(picks)
    }

    /// The number of picks made.
    #[must_use]
    pub fn picked(&self) -> u64 {
        self.picked
    }

    /// Returns the random source, so that you can draw other random numbers from it.
    pub fn words(&mut self) -> &mut W {
        &mut self.words
    }
}

impl<W: RandomSource> FisherYates<W> {
    /// Returns the state as bytes, in the format of [`state`](crate::state). It contains the position in the random
    /// source, but not the source. It has 16 bytes for each place whose content differs from its number.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.saved(self.words.stream_position())
    }

    fn saved(&self, position: Option<u128>) -> Vec<u8> {
        let mut moved: Vec<(u64, u64)> = self.moved.iter().map(|(&place, &item)| (place, item)).collect();
        moved.sort_unstable();
        let mut writer = Writer::new(Kind::FisherYates);
        let pairs: Vec<u8> = moved
            .into_iter()
            .flat_map(|(place, item)| [place, item].map(u64::to_be_bytes))
            .flatten()
            .collect();
        writer.u64(self.n).u64(self.picked).option_u128(position).bytes(&pairs);
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
        let memory = |_| Error::Memory { what: "a sample" };
        let mut reader = Reader::new(bytes, Kind::FisherYates)?;
        let (n, picked, position) = (reader.u64()?, reader.u64()?, reader.option_u128()?);
        let (pairs, rest) = reader.bytes()?.as_chunks::<16>();
        reader.end()?;
        let mut moved = HashMap::with_hasher(Spread::secret());
        moved.try_reserve(pairs.len()).map_err(memory)?;
        let mut items = HashSet::new();
        items.try_reserve(pairs.len()).map_err(memory)?;
        let mut sound = rest.is_empty() && picked <= n;
        let mut before = None;
        for pair in pairs {
            let pair = u128::from_be_bytes(*pair);
            let (place, item) = ((pair >> 64) as u64, pair as u64);
            // A place that isn't picked yet can contain the number of a picked place, which was swapped into it.
            sound &= before < Some(place) && picked <= place && place < n && item < picked;
            sound &= items.insert(item);
            before = Some(place);
            moved.insert(place, item);
        }
        if !sound {
            return Err(Reader::contradiction("its swapped numbers are inconsistent"));
        }
        let sampler = Self { words: words(position)?, n, picked, moved };
        Reader::same(bytes, &sampler.saved(position))?;
        Ok(sampler)
    }
}

/// A hash function for table keys that are single numbers: both halves of a product with Fibonacci's multiplier. Places
/// that are drawn at random collide no more often than by chance. The places of a saved state are chosen by its author,
/// who could make them collide. For these, the number and the multiplier are mixed with a random secret. The secret
/// does not change the content of the table.
#[derive(Clone, Debug)]
struct Spread {
    number: u64,
    multiplier: u64,
}

impl Spread {
    fn secret() -> Self {
        let [number, multiplier] = [0_u8, 1].map(|i| RandomState::new().hash_one(i));
        Self { number, multiplier: multiplier | 1 }
    }
}

impl Default for Spread {
    fn default() -> Self {
        Self { number: 0, multiplier: 0x9e37_79b9_7f4a_7c15 }
    }
}

impl BuildHasher for Spread {
    type Hasher = Self;

    fn build_hasher(&self) -> Self {
        self.clone()
    }
}

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, number: u64) {
        let product = u128::from(self.number ^ number) * u128::from(self.multiplier);
        self.number = (product >> 64) as u64 ^ product as u64;
    }

    fn finish(&self) -> u64 {
        self.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places drawn at random collide no more often than by chance. With the fixed multiplier, this is also true for
    /// places at equal distances. The test checks the lowest bits, which select the place in the table, and the highest
    /// bits, which the table compares first.
    #[test]
    fn places_are_spread() {
        const COUNT: usize = 1 << 12;
        let is_spread = |spread: &Spread, places: &[u64]| {
            for bits in [|hash: u64| hash as usize % COUNT, |hash: u64| (hash >> 52) as usize] {
                let mut taken = [0_usize; COUNT];
                places.iter().for_each(|place| taken[bits(spread.hash_one(place))] = 1);
                // By chance, a fraction of 1 - 1/e of the values is taken: 2589, with a deviation of about 31. Equal
                // distances have their own patterns.
                let taken: usize = taken.iter().sum();
                assert!(taken > COUNT / 2, "{spread:?}: {taken}");
            }
        };
        for step in [1, 2, 1000, 1 << 20] {
            is_spread(&Spread::default(), &Vec::from_iter((0..COUNT as u64).map(|i| step * i)));
        }
        let mut words = hashwell::CounterRng::new(&[1; 32]);
        let drawn = Vec::from_iter((0..COUNT).map(|_| words.next_word()));
        for spread in (0..20).map(|_| Spread::secret()) {
            assert!(spread.multiplier % 2 == 1, "all bits of a place count");
            is_spread(&spread, &drawn);
        }
        let mut bytes = Spread::default();
        bytes.write(b"\x01");
        assert_ne!(bytes.finish(), 0);
        assert!(Spread::secret().multiplier != Spread::secret().multiplier);
    }
}
