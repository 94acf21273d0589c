//! Sampling with inclusion probabilities proportional to decimal weights of any size.

use super::Chao;
use super::units::{Amount, Units};
use crate::state::{Kind, Reader, Writer};
use crate::{Error, RandomSource};
use hashwell::ByteSource;
use std::cmp::Reverse;

/// The initial number of decimals of the unit.
pub(crate) const DECIMALS: u32 = 18;

/// The maximum number of significant digits of a weight. Every double has fewer.
pub(crate) const MAX_DIGITS: usize = 800;

/// The maximum number of decimals of a weight. The smallest double is 5e-324, and more digits may follow.
const MAX_DECIMALS: u32 = 324 + MAX_DIGITS as u32;

/// [`Chao`] for exact decimal weights. The unit of weights is 10^-18. It gets smaller when a weight needs more
/// decimals, and integers grow as needed for the sums.
#[derive(Clone)]
pub(crate) struct Proportional<W> {
    chao: Chao<W, Amount>,
    /// The unit has 18 + `more` decimals.
    more: u32,
}

impl<W: RandomSource> Proportional<W> {
    pub(crate) fn new(words: W, k: usize) -> Self {
        Self { chao: Chao::empty(words, k), more: 0 }
    }

    /// Offers the next row, whose weight is given in units of 10^-(18 + `more`). Returns the slot that it takes, if any.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the random source fails, or [`Error::Memory`] if an allocation fails. After
    /// an error, the row does not count as seen.
    pub(crate) fn offer(&mut self, units: &Amount, more: u32) -> Result<Option<usize>, Error> {
        if more > self.more {
            self.refine(more - self.more);
            self.more = more;
        }
        self.chao.offer_units(units.scaled(self.more - more))
    }

    /// Skips rows with these weights, in units of 10^-18, up to the first that may take a slot, and returns the number
    /// of skipped rows. The state is the same as if each row had been offered. If the number is 0, the next row must be
    /// offered.
    pub(crate) fn pass_units(&mut self, weights: &[u128]) -> usize
    where
        W: ByteSource,
    {
        let chao = &mut self.chao;
        let (&Amount::Small(mut rest), &Amount::Small(mut total)) = (&chao.rest, &chao.total) else {
            return 0;
        };
        let free = chao.others.len() as u128;
        if self.more > 0 || free == 0 || chao.filled() < chao.k {
            return 0;
        }
        let lightest = match chao.certain.peek() {
            None => None,
            Some(Reverse((Amount::Small(weight), _))) => Some(*weight),
            Some(_) => return 0,
        };
        let most = u128::MAX / chao.k as u128;
        let words = chao.words.ahead().as_chunks().0;
        let (mut passed, mut used) = (0, 0);
        for &weight in weights {
            if weight > 0 {
                let Some(word) = words.get(used) else { break };
                let Some(all) = total.checked_add(weight).filter(|all| *all <= most) else { break };
                let with = rest + weight;
                // The row is not certain, and no certain row stops being certain.
                let is_usual = free * weight <= with
                    && lightest.is_none_or(|lightest| weight <= lightest && free * lightest > with);
                let leaves = |share: u128| share.decide(&with, u64::from_be_bytes(*word));
                if !is_usual || leaves(with - free * weight) != Some(true) {
                    break;
                }
                (rest, total, used) = (with, all, used + 1);
            }
            passed += 1;
        }
        chao.words.pass(8 * used);
        (chao.rest, chao.total) = (Amount::Small(rest), Amount::Small(total));
        chao.seen = chao.seen.saturating_add(passed as u64);
        passed
    }

    fn refine(&mut self, decimals: u32) {
        let chao = &mut self.chao;
        for amount in [&mut chao.rest, &mut chao.total] {
            *amount = amount.scaled(decimals);
        }
        let certain = std::mem::take(&mut chao.certain).into_iter();
        chao.certain =
            certain.map(|Reverse((weight, slot))| Reverse((weight.scaled(decimals), slot))).collect();
    }

    /// The sum of the weights, as decimal text.
    pub(crate) fn sum(&self) -> String {
        self.chao.total.decimal(DECIMALS + self.more)
    }

    /// [`Chao::certain`].
    pub(crate) fn certain(&self) -> impl Iterator<Item = usize> + '_ {
        self.chao.certain()
    }

    /// The number of rows seen, of slots, and of taken slots.
    pub(crate) fn size(&self) -> (u64, usize, usize) {
        (self.chao.seen(), self.chao.capacity(), self.chao.filled())
    }

    /// Saves the state as bytes. If 128 bits are sufficient for units of 10^-18, the bytes are the state of a [`Chao`].
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        self.saved(self.chao.words.stream_position())
    }

    fn saved(&self, position: Option<u128>) -> Vec<u8> {
        let chao = &self.chao;
        let mut certain: Vec<(&Amount, usize)> =
            chao.certain.iter().map(|Reverse((weight, slot))| (weight, *slot)).collect();
        certain.sort_unstable();
        let slots =
            |slots: &[usize]| slots.iter().flat_map(|&slot| (slot as u64).to_be_bytes()).collect::<Vec<u8>>();
        let small = |amount: &Amount| match amount {
            Amount::Small(number) => *number,
            Amount::Big(_) => u128::MAX,
        };
        if self.more == 0 && matches!(chao.total, Amount::Small(_)) {
            let mut writer = Writer::new(Kind::Proportional);
            writer.u64(chao.k as u64).u64(chao.seen).option_u128(position);
            writer.u128(small(&chao.total)).u128(small(&chao.rest));
            let row = |(weight, slot): (&Amount, usize)| {
                small(weight).to_be_bytes().into_iter().chain((slot as u64).to_be_bytes())
            };
            writer.bytes(&certain.into_iter().flat_map(row).collect::<Vec<u8>>()).bytes(&slots(&chao.others));
            return writer.finish();
        }
        let mut writer = Writer::new(Kind::ProportionalExact);
        writer.u64(chao.k as u64).u64(chao.seen).option_u128(position).u64(self.more.into());
        writer.bytes(&chao.total.to_bytes()).bytes(&chao.rest.to_bytes()).u64(certain.len() as u64);
        for (weight, slot) in certain {
            writer.bytes(&weight.to_bytes()).u64(slot as u64);
        }
        writer.bytes(&slots(&chao.others));
        writer.finish()
    }

    /// Restores a saved state. `words` is the same as for [`Chao::from_bytes`].
    pub(crate) fn from_bytes(
        bytes: &[u8],
        words: impl FnOnce(Option<u128>) -> Result<W, Error>,
    ) -> Result<Self, Error> {
        if !Reader::is(bytes, Kind::ProportionalExact) {
            let Chao { words, k, seen, certain, others, rest, total } = Chao::from_bytes(bytes, words)?;
            let certain =
                certain.into_iter().map(|Reverse((weight, slot))| Reverse((Amount::Small(weight), slot)));
            let (certain, [rest, total]) = (certain.collect(), [rest, total].map(Amount::Small));
            return Ok(Self { chao: Chao { words, k, seen, certain, others, rest, total }, more: 0 });
        }
        let mut reader = Reader::new(bytes, Kind::ProportionalExact)?;
        let (k, seen, position, more) =
            (reader.usize()?, reader.u64()?, reader.option_u128()?, reader.u64()?);
        let most = MAX_DECIMALS - DECIMALS;
        let more = u32::try_from(more).ok().filter(|more| *more <= most);
        let more = more.ok_or_else(|| Reader::contradiction("its weights have too many decimals"))?;
        let (total, rest) = (Amount::from_bytes(reader.bytes()?), Amount::from_bytes(reader.bytes()?));
        let mut certain = Vec::new();
        for _ in 0..reader.u64()? {
            certain.push((Amount::from_bytes(reader.bytes()?), reader.usize()?));
        }
        let (others, []) = reader.bytes()?.as_chunks::<8>() else {
            return Err(Reader::contradiction(
                "the length of the list of slots is not a multiple of 8 bytes",
            ));
        };
        reader.end()?;
        let slot = |slot: &[u8; 8]| usize::try_from(u64::from_be_bytes(*slot)).unwrap_or(usize::MAX);
        let mut sampler = Self { more, ..Self::new(words(position)?, k) };
        if !sampler.chao.set(seen, (total, rest), certain, others.iter().map(slot).collect()) {
            return Err(Reader::contradiction("its rows and their weights don't match"));
        }
        Reader::same(bytes, &sampler.saved(position))?;
        Ok(sampler)
    }
}
