//! The seed of a sample, as the options give it.

use crate::inputs::seed::PublicSeed;
use crate::options::sample_args::SampleOptions;
use crate::system::report::Failure;
use hashwell_draw::{Key, survey};

/// A seed and what it is used for.
pub(super) struct Seed {
    public: PublicSeed,
    pub(super) seed: survey::Seed,
}

impl Seed {
    /// The seed that the options give, or a new one.
    pub(super) fn of(options: &SampleOptions) -> Result<Self, Failure> {
        let context = match (&options.shard, options.merge) {
            (_, true) => survey::MERGE.to_owned(),
            (Some(name), _) => survey::context_of_shard(name),
            _ => survey::SAMPLE.to_owned(),
        };
        let public = PublicSeed::of(options.seed.as_deref(), options.seed_hex.as_deref())?;
        let seed = survey::Seed { bytes: public.bytes.clone(), context };
        Ok(Self { public, seed })
    }

    /// Prints a new seed, in a form to be pasted.
    pub(super) fn say(&self) {
        self.public.say();
    }

    /// K of hwdraw/1, with the open frame.
    pub(super) fn key(&self) -> Key {
        self.seed.key()
    }
}
