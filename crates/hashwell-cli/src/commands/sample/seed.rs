//! From the seed to the keys of a sample. What is here is a promise (`docs/sampling.md`): the same seed picks the same
//! rows.

use crate::inputs::seed::PublicSeed;
use crate::options::sample_args::SampleOptions;
use crate::system::report::Failure;
use data_encoding::HEXLOWER;
use hashwell::{RandomStream, Sha256, Source, StreamKey};
use hashwell_draw::Key;
use hashwell_draw::key::OPEN_FRAME;

/// The context of a sample's key.
pub(super) const SAMPLE: &str = "hashwell sample/1";

/// The beginning of the context of a merge's key: its choices are independent of those of the parts.
const MERGE: &str = "hashwell sample/1 merge";

/// Between a sample's context and the name of a part.
pub(super) const SHARD: &str = " shard ";

/// A seed and what it is used for.
pub(super) struct Seed {
    pub(super) public: PublicSeed,
    pub(super) context: String,
}

impl Seed {
    /// The seed that the options give, or a new one.
    pub(super) fn of(options: &SampleOptions) -> Result<Self, Failure> {
        let context = match (&options.shard, options.merge) {
            (_, true) => MERGE.to_owned(),
            (Some(name), _) => format!("{SAMPLE}{SHARD}{name}"),
            _ => SAMPLE.to_owned(),
        };
        let public = PublicSeed::of(options.seed.as_deref(), options.seed_hex.as_deref())?;
        Ok(Self { public, context })
    }

    /// Prints a new seed, in a form to be pasted.
    pub(super) fn say(&self) {
        self.public.say();
    }

    /// The key of a merge of samples that were drawn with these keys, in this order. The keys are part of the context,
    /// since a merged sample may be merged again with the same seed, and those choices have to be new ones.
    pub(super) fn merging(mut self, keys: impl Iterator<Item = Key>) -> Key {
        let mut hash = Sha256::new();
        keys.for_each(|key| hash.update(&key.0));
        self.context = format!("{} {}", self.context, HEXLOWER.encode(&hash.finalize()));
        self.key()
    }

    /// K of hwdraw/1, with the open frame.
    pub(super) fn key(&self) -> Key {
        Key::derive(&self.public.bytes, self.context.as_bytes(), &OPEN_FRAME)
    }
}

/// The words that put rows into random order, where the sampler itself leaves none: those of child 0 of the key
/// (`docs/random.md`, 4), so that they do not depend on how many the sampler took.
pub(super) fn words_of_order(key: &Key) -> Result<RandomStream, Failure> {
    let mut parent = RandomStream::of_key(counter(), StreamKey { root: key.0, jumps: 0 }).map_err(failed)?;
    parent.spawn().map_err(failed)
}

fn counter() -> Source {
    Source::find("counter").expect("a source")
}

fn failed(error: hashwell::Error) -> Failure {
    Failure::Work(error.to_string())
}
