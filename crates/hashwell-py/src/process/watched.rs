//! Words that end when a signal's handler raises: a native process draws them for as long as it goes on.

use crate::border::sync::Pace;
use hashwell::{ByteSource, Error, RandomStream};
use pyo3::prelude::*;

/// Reads between two looks at the clock: a few hundred microseconds.
const LOOK_EVERY: u32 = 1 << 16;

/// The words of a run, read detached.
pub(crate) struct Watched {
    words: RandomStream,
    reads: u32,
    pace: Pace,
    raised: Option<PyErr>,
}

impl Watched {
    pub(crate) fn new(words: RandomStream) -> Self {
        Self { words, reads: 0, pace: Pace::new(), raised: None }
    }

    /// What a handler raised.
    pub(crate) fn raised(self) -> Option<PyErr> {
        self.raised
    }

    #[cold]
    fn look(&mut self) -> Result<(), Error> {
        self.reads = 0;
        self.pace.look().map_err(|raised| {
            self.raised = Some(raised);
            // Nobody sees it.
            Error::Exhausted { stream: "interrupted".into(), end: 0, asked: 0 }
        })
    }

    #[inline]
    fn count(&mut self) -> Result<(), Error> {
        self.reads += 1;
        if self.reads < LOOK_EVERY { Ok(()) } else { self.look() }
    }
}

impl ByteSource for Watched {
    #[inline]
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.count()?;
        self.words.fill(out)
    }

    #[inline]
    fn take(&mut self, len: usize) -> Result<[u8; 8], Error> {
        self.count()?;
        self.words.take(len)
    }
}
