//! The samplers behind one door: a row goes by, and takes slots or none.

use super::design::Kind;
use super::weight::Value;
use crate::order::sort_unstable_by;
use crate::sample::{Gap, Reservoir, WordsAhead};
use crate::state::Reader;
use crate::weighted::{Chao, Jumps};
use crate::{Error, Key, sample, weighted};
use hashwell::CounterWords;

/// Words of a key, which can be saved.
type Words = WordsAhead<CounterWords>;

/// A sampler.
#[derive(Clone)]
pub(super) enum Sampler {
    Equal(Gap<Words>),
    Replace(sample::WithReplacement<Words>),
    Successive(Jumps<Words>),
    Pps(Chao<Words>),
    WeightedReplace(weighted::Slots<Words>),
    /// What merging leaves: it takes no more rows.
    Done {
        kind: Kind,
        ranks: Option<Vec<f64>>,
    },
}

impl Sampler {
    /// A sampler of k slots with the words of a key.
    pub(super) fn new(kind: Kind, key: &Key, k: usize) -> Result<Self, Error> {
        let words = WordsAhead::new(key.words());
        Ok(match kind {
            Kind::Equal => Self::Equal(Gap::new(words, k)?),
            Kind::Replace => Self::Replace(sample::WithReplacement::new(words, k)?),
            Kind::Successive => Self::Successive(Jumps::new(words, k)?),
            Kind::Pps => Self::Pps(Chao::new(words, k)?),
            Kind::WeightedReplace => Self::WeightedReplace(weighted::Slots::new(words, k)?),
        })
    }

    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Equal(_) => Kind::Equal,
            Self::Replace(_) => Kind::Replace,
            Self::Successive(_) => Kind::Successive,
            Self::Pps(_) => Kind::Pps,
            Self::WeightedReplace(_) => Kind::WeightedReplace,
            Self::Done { kind, .. } => *kind,
        }
    }

    /// Whether more rows may come.
    pub(super) fn goes_on(&self) -> bool {
        !matches!(self, Self::Done { .. })
    }

    /// Rows to pass over before the next that may be picked. With weights each row has to be looked at.
    pub(super) fn skip(&self) -> u64 {
        match self {
            Self::Equal(gap) => gap.skip(),
            Self::Replace(slots) => slots.skip(),
            Self::Successive(_) | Self::Pps(_) | Self::WeightedReplace(_) => 0,
            Self::Done { .. } => u64::MAX,
        }
    }

    /// So many rows went by, at most [`Sampler::skip`].
    pub(super) fn passed(&mut self, rows: u64) {
        match self {
            Self::Equal(gap) => gap.passed(rows),
            Self::Replace(slots) => slots.passed(rows),
            _ => {}
        }
    }

    /// The next row, which is right only where [`Sampler::skip`] is 0. The slots that it takes are appended to `slots`.
    pub(super) fn offer(&mut self, weight: Value, slots: &mut Vec<usize>) -> Result<(), Error> {
        match (self, weight) {
            (Self::Equal(gap), _) => slots.push(gap.enter()?),
            (Self::Replace(all), _) => all.enter(slots)?,
            (Self::Successive(jumps), Value::Float(weight)) => slots.extend(jumps.offer(weight)?),
            (Self::WeightedReplace(all), Value::Float(weight)) => slots.extend(all.offer(weight)?),
            (Self::Pps(chao), Value::Units(weight)) => slots.extend(chao.offer(weight)?),
            _ => debug_assert!(false, "a weight of another design"),
        }
        Ok(())
    }

    /// Of successive samples, by slot, the numbers in whose order rows were drawn.
    pub(super) fn ranks(&self) -> Option<Vec<f64>> {
        match self {
            Self::Successive(jumps) => {
                let mut keys: Vec<(usize, f64)> = jumps.keys().collect();
                sort_unstable_by(&mut keys, |(one, _), (other, _)| one.cmp(other));
                Some(keys.into_iter().map(|(_, key)| key).collect())
            }
            Self::Done { ranks, .. } => ranks.clone(),
            _ => None,
        }
    }

    /// The state, from which the sampler goes on; what merging leaves has none.
    pub(super) fn to_bytes(&self) -> Option<Vec<u8>> {
        match self {
            Self::Equal(gap) => Some(gap.to_bytes()),
            Self::Replace(slots) => Some(slots.to_bytes()),
            Self::Successive(jumps) => Some(jumps.to_bytes()),
            Self::Pps(chao) => Some(chao.to_bytes()),
            Self::WeightedReplace(slots) => Some(slots.to_bytes()),
            Self::Done { .. } => None,
        }
    }

    /// A sampler that was saved, with the words of its key.
    pub(super) fn from_bytes(kind: Kind, key: &Key, bytes: &[u8]) -> Result<Self, Error> {
        let words = |position: Option<u128>| {
            let mut words = key.words();
            let position = position.filter(|position| position % 8 == 0);
            let position = position.ok_or_else(|| Reader::contradiction("its words were not counted"))?;
            words.seek(position / 8)?;
            Ok(WordsAhead::new(words))
        };
        match kind {
            Kind::Equal => Gap::from_bytes(bytes, words).map(Self::Equal),
            Kind::Replace => sample::WithReplacement::from_bytes(bytes, words).map(Self::Replace),
            Kind::Successive => Jumps::from_bytes(bytes, words).map(Self::Successive),
            Kind::Pps => Chao::from_bytes(bytes, words).map(Self::Pps),
            Kind::WeightedReplace => weighted::Slots::from_bytes(bytes, words).map(Self::WeightedReplace),
        }
    }

    /// Rows seen, slots, and how many of them are taken, of a sampler that goes on.
    pub(super) fn size(&self) -> Option<(u64, usize, usize)> {
        let filled = |seen: u64, k: usize| k.min(usize::try_from(seen).unwrap_or(k));
        match self {
            Self::Equal(gap) => Some((gap.seen(), gap.capacity(), filled(gap.seen(), gap.capacity()))),
            Self::Replace(slots) => {
                let taken = if slots.seen() > 0 { slots.capacity() } else { 0 };
                Some((slots.seen(), slots.capacity(), taken))
            }
            Self::Successive(jumps) => Some((jumps.seen(), jumps.capacity(), jumps.filled())),
            Self::Pps(chao) => Some((chao.seen(), chao.capacity(), chao.filled())),
            Self::WeightedReplace(slots) => Some((slots.seen(), slots.capacity(), slots.filled())),
            Self::Done { .. } => None,
        }
    }
}
