//! From the seed to the keys of a sample. What is here is a promise (`docs/sampling.md`): the same seed picks the same
//! rows.

use crate::key::OPEN_FRAME;
use crate::{Error, Key, hex};
use hashwell::{RandomStream, Sha256, Source};

/// The context of a sample's key.
pub const SAMPLE: &str = "hashwell sample/1";

/// The beginning of the context of a merge's key: its choices are independent of those of the parts.
pub const MERGE: &str = "hashwell sample/1 merge";

/// Between a sample's context and the name of a part.
pub const SHARD: &str = " shard ";

/// The context of a part of the data.
#[must_use]
pub fn context_of_shard(name: &str) -> String {
    format!("{SAMPLE}{SHARD}{name}")
}

/// A seed and what it is used for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seed {
    /// The seed's bytes.
    pub bytes: Vec<u8>,
    /// The context.
    pub context: String,
}

impl Seed {
    /// K of hwdraw/1, with the open frame.
    #[must_use]
    pub fn key(&self) -> Key {
        Key::derive(&self.bytes, self.context.as_bytes(), &OPEN_FRAME)
    }

    /// The key of a merge of samples that were drawn with these keys, in this order. The keys are part of the context,
    /// since a merged sample may be merged again with the same seed, and those choices have to be new ones.
    pub(super) fn merging(bytes: &[u8], keys: impl Iterator<Item = Key>) -> Key {
        let mut hash = Sha256::new();
        keys.for_each(|key| hash.update(&key.0));
        let context = format!("{MERGE} {}", hex::encode(&hash.finalize()));
        Key::derive(bytes, context.as_bytes(), &OPEN_FRAME)
    }
}

/// The words that put rows into random order, where the sampler itself leaves none: those of child 0 of the key
/// (`docs/random.md`, 4), so that they do not depend on how many the sampler took.
pub(super) fn words_of_order(key: &Key) -> Result<RandomStream, Error> {
    Ok(key.words_of(Source::find("counter")?)?.spawn()?)
}
