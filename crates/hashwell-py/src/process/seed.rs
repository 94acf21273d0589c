//! From Python's arguments to the words of a process.

use super::live::from_draw;
use crate::generators::random::source_of;
use crate::generators::seed::Seed;
use hashwell::{ByteSource, RandomStream, Source};
use hashwell_draw::Key;
use hashwell_draw::key::OPEN_FRAME;
use hashwell_draw::process::Run;
use pyo3::prelude::*;

/// The run of a seed, or without one of 32 bytes of the operating system's.
pub(crate) fn run_of(seed: Option<&Bound<'_, PyAny>>, words: Option<&Bound<'_, PyAny>>) -> PyResult<Run> {
    let source = match words {
        Some(name) => source_of(name)?,
        None => Source::find(Run::SOURCE).map_err(|error| from_draw(error.into()))?,
    };
    let key = |bytes: &[u8]| Key::derive(bytes, Run::CONTEXT, &OPEN_FRAME);
    let key = match seed {
        Some(seed) => key(Seed::of(seed)?.as_slice()),
        None => {
            let mut fresh = [0; 32];
            let stream = source.os_seeded(Run::CONTEXT).and_then(|mut stream| stream.fill(&mut fresh));
            stream.map_err(|error| from_draw(error.into()))?;
            key(&fresh)
        }
    };
    Ok(Run::new(source, key))
}

/// The words of the run itself, or of one of its replicates.
pub(crate) fn words_of(run: &Run, replicate: Option<u64>) -> PyResult<RandomStream> {
    match replicate {
        None => run.words(),
        Some(j) => run.replicate(j),
    }
    .map_err(from_draw)
}
