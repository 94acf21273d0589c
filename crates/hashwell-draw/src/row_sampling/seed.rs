//! Derives the keys of a sample from its seed. These rules are guaranteed to stay (`docs/spec/sampling.md`): the same
//! seed picks the same rows.

use crate::key::OPEN_LIST;
use crate::{Error, Key, hex};
use hashwell::{RandomStream, Sha256, Source};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The prefix of the context from which the key of a sample is derived, for all methods without a prefix of their own.
pub const SAMPLE: &str = "hashwell sample/1";

/// The prefix of the context from which the key of a sample is derived, for samples with replacement and without
/// weights, and for samples with inclusion proportional to size (PPS). In versions before 0.1.0, both kinds of samples
/// used the prefix [`SAMPLE`] and different rules.
pub const SAMPLE_2: &str = "hashwell sample/2";

/// The prefix of the context from which the key of a merge is derived. It differs from the contexts of samples, so the
/// random numbers of the merge are independent of those of the merged samples.
pub const MERGE: &str = "hashwell sample/1 merge";

/// Comes between the prefix of the context and the length of the user's context.
const CONTEXT: &str = " context ";

/// Comes between a sample's context and the name of a part.
const SHARD: &str = " shard ";

/// Returns the context from which the key of a sample is derived. It starts with `beginning`, which is the
/// [prefix](super::Method::context) of the method. If the user gives a context `text` that is not empty,
/// ` context LEN:TEXT` follows, where LEN is the number of bytes of `text` in decimal. For a part of the data,
/// ` shard NAME` follows.
#[must_use]
pub fn context_of(beginning: &str, text: &str, shard: Option<&str>) -> String {
    let own = if text.is_empty() { String::new() } else { format!("{CONTEXT}{}:{text}", text.len()) };
    let part = shard.map_or_else(String::new, |name| format!("{SHARD}{name}"));
    format!("{beginning}{own}{part}")
}

/// Extracts the user's context and the name of the part of the data from a context that [`context_of`] returned.
/// Returns `None` if the context does not have this form, or if it does not start with `beginning`.
#[must_use]
pub fn parts_of_context<'a>(beginning: &str, context: &'a str) -> Option<(&'a str, Option<&'a str>)> {
    let rest = context.strip_prefix(beginning)?;
    let (text, rest) = match rest.strip_prefix(CONTEXT) {
        None => ("", rest),
        Some(framed) => {
            let (len, framed) = framed.split_once(':')?;
            framed.split_at_checked(len.parse().ok()?)?
        }
    };
    let shard = if rest.is_empty() { None } else { Some(rest.strip_prefix(SHARD)?) };
    (context_of(beginning, text, shard) == context).then_some((text, shard))
}

/// A seed and its context.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seed {
    /// The seed's bytes.
    #[serde(rename = "seed_hex", serialize_with = "to_hex", deserialize_with = "from_hex")]
    pub bytes: Vec<u8>,
    /// The context.
    pub context: String,
}

impl Seed {
    /// Derives the key K of hwdraw/1 for an open list ([`OPEN_LIST`]).
    #[must_use]
    pub fn key(&self) -> Key {
        Key::derive(&self.bytes, self.context.as_bytes(), &OPEN_LIST)
    }

    /// The key of a merge of samples that were drawn with these keys, in this order. The keys are part of the context,
    /// because a merged sample may be merged again with the same seed, and that merge needs new random numbers.
    pub(super) fn merging(bytes: &[u8], keys: impl Iterator<Item = Key>) -> Key {
        let mut hash = Sha256::new();
        keys.for_each(|key| hash.update(&key.0));
        let context = format!("{MERGE} {}", hex::encode(&hash.finalize()));
        Key::derive(bytes, context.as_bytes(), &OPEN_LIST)
    }
}

fn to_hex<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&hex::encode(bytes))
}

fn from_hex<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    hex::decode_any_case(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
}

/// The random numbers that shuffle rows if the order in which the sampler leaves them is not random. They come from
/// child 0 of the key (`docs/guides/random.md`, 4), so that they do not depend on how many numbers the sampler
/// consumed.
pub(super) fn words_of_order(key: &Key) -> Result<RandomStream, Error> {
    Ok(key.words_of(Source::find("counter")?)?.spawn()?)
}
