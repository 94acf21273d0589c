//! Where the words of a process come from.

use super::subject::failed;
use crate::inputs::seed::PublicSeed;
use crate::options::names::{MWC, source_warning};
use crate::options::process_args::Asked;
use crate::system::report::{Failure, note};
use hashwell::{Source, Words};
use hashwell_draw::process::{Mwc256, Run};

/// A source of words, and its seed.
pub(super) enum Origin {
    /// Words of a key, a child of it for each replicate.
    Run(Run, PublicSeed),
    /// One generator, which replicates take from one after the other.
    Mwc,
}

impl Origin {
    pub(super) fn of(asked: &Asked) -> Result<Self, Failure> {
        if asked.source == MWC {
            if asked.seed.is_some() || asked.seed_hex.is_some() {
                let message =
                    "--source mwc begins as mwc-random does when nobody seeds it, and takes no seed";
                return Err(Failure::Usage(message.to_owned()));
            }
            return Ok(Self::Mwc);
        }
        let source = Source::find(&asked.source).map_err(|error| {
            let names: Vec<String> = Source::all().map(Source::name).collect();
            Failure::Usage(format!("--source: {error}; known: {}, {MWC}", names.join(", ")))
        })?;
        source_warning(source).iter().for_each(|text| note(text));
        let seed = PublicSeed::of(asked.seed.as_deref(), asked.seed_hex.as_deref())?;
        Ok(Self::Run(Run::of_seed(source, &seed.bytes), seed))
    }

    /// The words of the process that is sampled once, or of all replicates if they follow one another.
    pub(super) fn words(&self) -> Result<Box<dyn Words>, Failure> {
        match self {
            Self::Run(run, _) => Ok(Box::new(run.words().map_err(failed)?)),
            Self::Mwc => Ok(Box::new(Mwc256::new().into_words())),
        }
    }

    /// Prints a seed that nobody gave, once the work is done.
    pub(super) fn say(&self) {
        if let Self::Run(_, seed) = self {
            seed.say();
        }
    }
}
