//! Converts Python's arguments to the random numbers of a process.

use super::faults::from_draw;
use crate::boundary::errors;
use crate::generators::random::source_of;
use crate::generators::seed::Seed;
use hashwell::{ByteSource, Source};
use hashwell_draw::RandomSource;
use hashwell_draw::process::{Mwc256, Run};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// The origin of the random numbers.
#[derive(Clone, Copy)]
pub(crate) enum Origin {
    /// A key, from which the key of each replicate is derived.
    Run(Run),
    /// The generator of mwc-random with its default seed: a single stream, which the replicates consume one after
    /// another.
    Mwc,
}

/// The value of `words` for MWC256, which is not a source of the library because it is unsuitable for secrets.
const MWC: &str = "mwc";

impl Origin {
    /// Uses a seed, or 32 bytes from the operating system if there is none.
    pub(crate) fn of(seed: Option<&Bound<'_, PyAny>>, words: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let source = match words {
            Some(name) if name.eq(MWC)? && seed.is_none() => return Ok(Self::Mwc),
            Some(name) if name.eq(MWC)? => return Err(errors::mwc("seed")),
            Some(name) if !name.is_instance_of::<PyString>() => return Err(errors::not_words(name)),
            Some(name) => source_of(name)?,
            None => Source::find(Run::SOURCE).map_err(|error| from_draw(error.into()))?,
        };
        let run = match seed {
            Some(seed) => Run::of_seed(source, Seed::of(seed)?.as_slice()),
            None => {
                let mut fresh = [0; 32];
                let stream = source.os_seeded(Run::CONTEXT).and_then(|mut stream| stream.fill(&mut fresh));
                stream.map_err(|error| from_draw(error.into()))?;
                Run::of_seed(source, &fresh)
            }
        };
        Ok(Self::Run(run))
    }

    /// Returns the random numbers of the run itself, or of one of its replicates.
    pub(crate) fn words(self, replicate: Option<u64>) -> PyResult<Box<dyn RandomSource + Send>> {
        match (self, replicate) {
            (Self::Run(run), None) => Ok(Box::new(run.words().map_err(from_draw)?)),
            (Self::Run(run), Some(j)) => Ok(Box::new(run.replicate(j).map_err(from_draw)?)),
            (Self::Mwc, None) => Ok(Box::new(Mwc256::new().into_words())),
            (Self::Mwc, Some(_)) => Err(errors::mwc("replicate")),
        }
    }
}
