//! A common interface for the samplers of a fixed number of rows: each row is offered, and takes one or more slots, or
//! none.

use super::kind::Kind;
use super::weight::Value;
use crate::order::sort_unstable_by;
use crate::sample::{Known, Reservoir, SkipReservoir, WithReplacement, WordsAhead};
use crate::state::Reader;
use crate::weighted::{self, AExpJ, Amount, Proportional};
use crate::{Error, Key};
use hashwell::CounterRng;

/// The random numbers of a key, with a position that can be saved.
pub(super) type KeyRng = WordsAhead<CounterRng>;

/// The operations of a sampler, which also has `to_bytes`.
trait Sampling: Sized {
    fn create(key: &Key, k: usize) -> Result<Self, Error>;

    /// Restores the state of a sample with this number of rows.
    fn load(key: &Key, bytes: &[u8], rows: usize) -> Result<Self, Error>;

    /// The number of rows to skip before the next one that may be picked. It is 0 if each row must be examined.
    fn gap(&self) -> u64 {
        0
    }

    /// Skips this number of rows, at most the gap.
    fn pass(&mut self, _rows: u64) {}

    /// Skips rows with these weights up to the next one that may take a slot, and returns the number of skipped rows.
    fn pass_weights(&mut self, _weights: &[f64]) -> usize {
        0
    }

    /// Does the same as [`Sampling::pass_weights`] for weights in units of 10^-18.
    fn pass_units(&mut self, _weights: &[u128]) -> usize {
        0
    }

    /// Offers the next row, after the gap. Appends the slots that it takes to `slots`.
    fn take(&mut self, weight: &Value, slots: &mut Vec<usize>) -> Result<(), Error>;

    /// If the last row made earlier rows superfluous, returns, for each row that was kept before, true if it is still
    /// needed.
    fn changes(&mut self) -> Option<Vec<bool>> {
        None
    }

    /// If the sampler can compute its picks from the number of rows, returns the sampler after these rows, and the rows
    /// to keep.
    fn after(&self, _rows: u64) -> Result<Option<(Self, Known)>, Error> {
        Ok(None)
    }

    /// The slots with replacement, if a row is stored only once for all slots that it takes.
    fn replacing(&self) -> Option<&WithReplacement> {
        None
    }

    /// For each slot, a number that gives the order in which rows were drawn. `None` if this is the order of the slots.
    fn drawing_ranks(&self) -> Option<Vec<f64>> {
        None
    }

    /// The sum of the weights as decimal text, if estimates need it, and the slots whose rows are in the sample with
    /// probability 1.
    fn weight_sum(&self) -> Option<(String, Vec<usize>)> {
        None
    }

    /// The numbers of rows seen, of slots, and of taken slots.
    fn sizes(&self) -> (u64, usize, usize);
}

macro_rules! samplers {
    ($($kind:ident($sampler:ty)),* $(,)?) => {
        /// A sampler.
        #[derive(Clone)]
        pub(super) enum Sampler {
            $($kind($sampler),)*
            /// A merged sample, which takes no more rows.
            Done {
                kind: Kind,
                ranks: Option<Vec<f64>>,
            },
        }

        impl Sampler {
            /// Creates a sampler with k slots and the random numbers of a key.
            pub(super) fn new(kind: Kind, key: &Key, k: usize) -> Result<Self, Error> {
                Ok(match kind {
                    $(Kind::$kind => Self::$kind(<$sampler as Sampling>::create(key, k)?),)*
                })
            }

            /// Restores a saved sampler with the random numbers of its key and this number of rows.
            pub(super) fn from_bytes(kind: Kind, key: &Key, bytes: &[u8], rows: usize) -> Result<Self, Error> {
                match kind {
                    $(Kind::$kind => <$sampler as Sampling>::load(key, bytes, rows).map(Self::$kind),)*
                }
            }

            pub(super) fn kind(&self) -> Kind {
                match self {
                    $(Self::$kind(_) => Kind::$kind,)*
                    Self::Done { kind, .. } => *kind,
                }
            }

            /// The number of rows to skip before the next one that may be picked. With weights it is 0, because each
            /// row must be examined.
            #[inline]
            pub(super) fn skip(&self) -> u64 {
                match self {
                    $(Self::$kind(sampler) => sampler.gap(),)*
                    Self::Done { .. } => u64::MAX,
                }
            }

            /// Skips this number of rows, at most [`Sampler::skip`].
            #[inline]
            pub(super) fn passed(&mut self, rows: u64) {
                match self {
                    $(Self::$kind(sampler) => sampler.pass(rows),)*
                    Self::Done { .. } => {}
                }
            }

            /// Skips rows with these weights up to the next one that may take a slot, and returns the number of skipped
            /// rows. It is 0 if each row must be offered to the sampler.
            #[inline]
            pub(super) fn pass_weights(&mut self, weights: &[f64]) -> usize {
                match self {
                    $(Self::$kind(sampler) => sampler.pass_weights(weights),)*
                    Self::Done { .. } => 0,
                }
            }

            /// Does the same as [`Sampler::pass_weights`] for weights in units of 10^-18.
            #[inline]
            pub(super) fn pass_units(&mut self, weights: &[u128]) -> usize {
                match self {
                    $(Self::$kind(sampler) => sampler.pass_units(weights),)*
                    Self::Done { .. } => 0,
                }
            }

            /// Offers the next row. Call this only if [`Sampler::skip`] is 0. Appends the slots that the row takes to
            /// `slots`.
            #[inline]
            pub(super) fn offer(&mut self, weight: &Value, slots: &mut Vec<usize>) -> Result<(), Error> {
                match self {
                    $(Self::$kind(sampler) => sampler.take(weight, slots),)*
                    Self::Done { .. } => Err(Error::refused("a merged sample accepts no more rows")),
                }
            }

            /// If the last row made earlier rows superfluous, returns, for each row that was kept before, true if it is
            /// still needed. Must be called after each row.
            #[inline]
            pub(super) fn changes(&mut self) -> Option<Vec<bool>> {
                match self {
                    $(Self::$kind(sampler) => Sampling::changes(sampler),)*
                    Self::Done { .. } => None,
                }
            }

            /// If the sampler can compute its picks from the number of rows, returns the sampler after these rows, and
            /// the rows to keep.
            pub(super) fn after(&self, rows: u64) -> Result<Option<(Self, Known)>, Error> {
                Ok(match self {
                    $(Self::$kind(sampler) => {
                        Sampling::after(sampler, rows)?.map(|(after, known)| (Self::$kind(after), known))
                    })*
                    Self::Done { .. } => None,
                })
            }

            /// The slots with replacement, if a row is stored only once for all slots that it takes.
            pub(super) fn replacing(&self) -> Option<&WithReplacement> {
                match self {
                    $(Self::$kind(sampler) => Sampling::replacing(sampler),)*
                    Self::Done { .. } => None,
                }
            }

            /// For each slot, a number that gives the order in which rows were drawn. `None` if this is the order of
            /// the slots.
            pub(super) fn ranks(&self) -> Option<Vec<f64>> {
                if IN_BROWSER {
                    return None;
                }
                match self {
                    $(Self::$kind(sampler) => sampler.drawing_ranks(),)*
                    Self::Done { ranks, .. } => ranks.clone(),
                }
            }

            /// The sum of the weights as decimal text, where the design's estimates need it, and the slots whose rows are in
            /// the sample with probability 1.
            pub(super) fn weights(&self) -> Option<(String, Vec<usize>)> {
                if IN_BROWSER {
                    return None;
                }
                match self {
                    $(Self::$kind(sampler) => sampler.weight_sum(),)*
                    Self::Done { .. } => None,
                }
            }

            /// The saved state, or `None` for a merged sample.
            pub(super) fn to_bytes(&self) -> Option<Vec<u8>> {
                match self {
                    $(Self::$kind(sampler) => Some(sampler.to_bytes()),)*
                    Self::Done { .. } => None,
                }
            }

            /// The numbers of rows seen, of slots and of taken slots, or `None` for a merged sample.
            pub(super) fn size(&self) -> Option<(u64, usize, usize)> {
                match self {
                    $(Self::$kind(sampler) => Some(sampler.sizes()),)*
                    Self::Done { .. } => None,
                }
            }
        }
    };
}

samplers! {
    Equal(SkipReservoir<KeyRng>),
    Replace(Replacing),
    Successive(AExpJ<KeyRng>),
    Pps(Proportional<KeyRng>),
    WeightedReplace(weighted::WeightedWithReplacement<KeyRng>),
}

impl Sampler {
    /// For each slot, the index of its row among the kept rows, if a row is stored only once for all slots that it
    /// takes.
    pub(super) fn places(&self) -> Result<Option<Vec<u32>>, Error> {
        self.replacing().filter(|_| !IN_BROWSER).map(WithReplacement::places).transpose()
    }

    /// Returns true if more rows may come.
    pub(super) fn goes_on(&self) -> bool {
        !matches!(self, Self::Done { .. })
    }
}

/// True in the WebAssembly module for browsers, whose code must be small because it is downloaded. It offers no designs
/// with weights, and its only caller knows the number of rows, so that
/// [`Slots::picks_after`](super::Slots::picks_after) returns all picks. The module excludes code for rows that are
/// offered one by one, for ranks and for weights.
pub(super) const IN_BROWSER: bool = cfg!(all(target_arch = "wasm32", target_os = "unknown"));

/// Slots with replacement.
#[derive(Clone)]
pub(super) struct Replacing {
    slots: WithReplacement,
    /// The rows that the last row made superfluous, until [`Sampling::changes`] returns them.
    changes: Option<Vec<bool>>,
}

/// The random numbers of a key.
fn words_of(key: &Key) -> KeyRng {
    WordsAhead::new(key.words())
}

/// The random numbers of a key from a saved position on.
pub(super) fn words_from(key: &Key, position: Option<u128>) -> Result<KeyRng, Error> {
    let mut words = key.words();
    let position = position.filter(|position| position % 8 == 0);
    let position = position
        .ok_or_else(|| Reader::contradiction("the position in the random numbers is missing or invalid"))?;
    words.seek(position / 8)?;
    Ok(WordsAhead::new(words))
}

/// The error for a weight in a form that the design does not accept.
fn other_weight() -> Error {
    Error::refused("the weight of a row does not fit the design")
}

impl Sampling for SkipReservoir<KeyRng> {
    fn create(key: &Key, k: usize) -> Result<Self, Error> {
        Self::new(words_of(key), k)
    }

    fn load(key: &Key, bytes: &[u8], _: usize) -> Result<Self, Error> {
        Self::from_bytes(bytes, |position| words_from(key, position))
    }

    fn gap(&self) -> u64 {
        self.skip()
    }

    fn pass(&mut self, rows: u64) {
        self.passed(rows);
    }

    fn take(&mut self, _: &Value, slots: &mut Vec<usize>) -> Result<(), Error> {
        slots.push(self.enter()?);
        Ok(())
    }

    fn sizes(&self) -> (u64, usize, usize) {
        let (seen, k) = (self.seen(), self.capacity());
        (seen, k, k.min(usize::try_from(seen).unwrap_or(k)))
    }
}

impl Sampling for Replacing {
    fn create(key: &Key, k: usize) -> Result<Self, Error> {
        Ok(Self { slots: WithReplacement::new(key, k)?, changes: None })
    }

    fn load(key: &Key, bytes: &[u8], rows: usize) -> Result<Self, Error> {
        Ok(Self { slots: WithReplacement::from_bytes(bytes, key, rows)?, changes: None })
    }

    fn gap(&self) -> u64 {
        self.slots.skip()
    }

    fn pass(&mut self, rows: u64) {
        self.slots.passed(rows);
    }

    fn take(&mut self, _: &Value, slots: &mut Vec<usize>) -> Result<(), Error> {
        if IN_BROWSER {
            // This is never reached. Returning an existing error takes less code than a panic or a separate text.
            return Err(other_weight());
        }
        slots.try_reserve(1).map_err(|_| Error::Memory { what: "slots" })?;
        self.changes = self.slots.keep()?;
        slots.push(self.slots.kept() - 1);
        Ok(())
    }

    fn changes(&mut self) -> Option<Vec<bool>> {
        if IN_BROWSER { None } else { self.changes.take() }
    }

    fn after(&self, rows: u64) -> Result<Option<(Self, Known)>, Error> {
        // If fewer rows follow than have been seen, it is cheaper to offer them one by one.
        if IN_BROWSER || rows == 0 || rows < self.slots.seen() {
            return Ok(None);
        }
        let (slots, known) = self.slots.pass_known(rows)?;
        Ok(Some((Self { slots, changes: None }, known)))
    }

    fn replacing(&self) -> Option<&WithReplacement> {
        Some(&self.slots)
    }

    fn sizes(&self) -> (u64, usize, usize) {
        let k = self.slots.capacity();
        (self.slots.seen(), k, if self.slots.seen() > 0 { k } else { 0 })
    }
}

impl Replacing {
    /// The saved state.
    fn to_bytes(&self) -> Vec<u8> {
        self.slots.to_bytes()
    }
}

impl Sampling for AExpJ<KeyRng> {
    fn create(key: &Key, k: usize) -> Result<Self, Error> {
        Self::new(words_of(key), k)
    }

    fn load(key: &Key, bytes: &[u8], _: usize) -> Result<Self, Error> {
        Self::from_bytes(bytes, |position| words_from(key, position))
    }

    fn pass_weights(&mut self, weights: &[f64]) -> usize {
        self.pass_slice(weights)
    }

    fn take(&mut self, weight: &Value, slots: &mut Vec<usize>) -> Result<(), Error> {
        let Value::Float(weight) = weight else { return Err(other_weight()) };
        slots.extend(self.offer(*weight)?);
        Ok(())
    }

    fn drawing_ranks(&self) -> Option<Vec<f64>> {
        let mut keys: Vec<(usize, f64)> = self.keys().collect();
        sort_unstable_by(&mut keys, |(one, _), (other, _)| one.cmp(other));
        Some(keys.into_iter().map(|(_, key)| key).collect())
    }

    fn sizes(&self) -> (u64, usize, usize) {
        (self.seen(), self.capacity(), self.filled())
    }
}

impl Sampling for Proportional<KeyRng> {
    fn create(key: &Key, k: usize) -> Result<Self, Error> {
        Ok(Self::new(words_of(key), k))
    }

    fn load(key: &Key, bytes: &[u8], _: usize) -> Result<Self, Error> {
        Self::from_bytes(bytes, |position| words_from(key, position))
    }

    fn pass_units(&mut self, weights: &[u128]) -> usize {
        Proportional::pass_units(self, weights)
    }

    fn take(&mut self, weight: &Value, slots: &mut Vec<usize>) -> Result<(), Error> {
        slots.extend(match weight {
            Value::Units(units) => self.offer(&Amount::Small(*units), 0)?,
            Value::Exact(weight) => self.offer(&weight.units, weight.more)?,
            Value::One | Value::Float(_) => return Err(other_weight()),
        });
        Ok(())
    }

    fn weight_sum(&self) -> Option<(String, Vec<usize>)> {
        Some((self.sum(), self.certain().collect()))
    }

    fn sizes(&self) -> (u64, usize, usize) {
        self.size()
    }
}

impl Sampling for weighted::WeightedWithReplacement<KeyRng> {
    fn create(key: &Key, k: usize) -> Result<Self, Error> {
        Self::new(words_of(key), k)
    }

    fn load(key: &Key, bytes: &[u8], _: usize) -> Result<Self, Error> {
        Self::from_bytes(bytes, |position| words_from(key, position))
    }

    fn take(&mut self, weight: &Value, slots: &mut Vec<usize>) -> Result<(), Error> {
        let Value::Float(weight) = weight else { return Err(other_weight()) };
        slots.extend(self.offer(*weight)?);
        Ok(())
    }

    fn weight_sum(&self) -> Option<(String, Vec<usize>)> {
        Some((self.sum(), Vec::new()))
    }

    fn sizes(&self) -> (u64, usize, usize) {
        (self.seen(), self.capacity(), self.filled())
    }
}
