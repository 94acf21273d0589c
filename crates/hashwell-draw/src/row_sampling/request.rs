//! The request for a sample: everything that determines which rows are picked, in the JSON form of records.

use super::design::{Design, Fields};
use super::keys::Keys;
use super::rule::Rule;
use super::sample::Sample;
use super::seed::Seed;
use super::slots::Slots;
use crate::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A request for a sample.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SamplingRequest {
    /// The design.
    pub design: Design,
    /// The order of the picked rows.
    pub order: Order,
    /// The seed and its context.
    #[serde(flatten)]
    pub seed: Seed,
}

/// The order of the picked rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// The order of the input.
    #[default]
    Input,
    /// The order of drawing: the first j rows are also a sample.
    Draw,
}

/// The sampler for a request.
#[derive(Clone)]
pub enum RowSampler {
    /// A sampler that keeps rows, for a sample of a fixed size.
    Sample(Sample),
    /// A rule that picks or skips each row immediately, without keeping rows.
    Rule(Rule),
    /// A random permutation of all rows.
    Shuffle,
}

impl SamplingRequest {
    /// Creates a sampler for this request. It has not seen any rows.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if there are too many slots, [`Error::RandomSource`] if the random source fails,
    /// or [`Error::Memory`] if an allocation fails.
    pub fn sampler(&self) -> Result<RowSampler, Error> {
        let key = self.seed.key();
        Ok(match &self.design {
            Design::Slots(slots) => RowSampler::Sample(Sample::Slots(Slots::new(slots.clone(), key)?)),
            Design::Keys { columns, k, stratify } => {
                RowSampler::Sample(Sample::Keys(Keys::new(*k, key, columns.clone(), stratify.clone())))
            }
            Design::Chance(_) | Design::KeyChance { .. } | Design::Every(_) => {
                let rule = Rule::of(&self.design, key)?;
                RowSampler::Rule(rule.ok_or_else(|| Error::refused("the design has no rule"))?)
            }
            Design::Shuffle => RowSampler::Shuffle,
        })
    }
}

impl Serialize for Design {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Converts to a `Value` first, whose keys are sorted.
        let fields = serde_json::to_value(self.fields()).map_err(serde::ser::Error::custom)?;
        fields.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Design {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Fields::deserialize(deserializer)?.try_into().map_err(serde::de::Error::custom)
    }
}
