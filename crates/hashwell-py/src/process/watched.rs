//! Words that end when a signal's handler raises: a native process draws them for as long as it goes on.

use crate::border::sync::Pace;
use hashwell::{ByteSource, Error};
use hashwell_draw::Words;
use pyo3::prelude::*;

/// Bytes that are read ahead.
const AHEAD: usize = 4096;

/// The words of a run, read detached; some more of them than are asked for.
pub(crate) struct Watched {
    words: Box<dyn Words + Send>,
    ahead: [u8; AHEAD],
    /// Where the next byte lies.
    at: usize,
    pace: Pace,
    raised: Option<PyErr>,
}

impl Watched {
    pub(crate) fn new(words: Box<dyn Words + Send>) -> Self {
        Self { words, ahead: [0; AHEAD], at: AHEAD, pace: Pace::new(), raised: None }
    }

    /// What a handler raised.
    pub(crate) fn raised(self) -> Option<PyErr> {
        self.raised
    }

    #[cold]
    fn read(&mut self) -> Result<(), Error> {
        self.pace.look().map_err(|raised| {
            self.raised = Some(raised);
            // Nobody sees it.
            Error::Exhausted { stream: "interrupted".into(), end: 0, asked: 0 }
        })?;
        self.words.fill(&mut self.ahead)?;
        self.at = 0;
        Ok(())
    }
}

impl ByteSource for Watched {
    fn fill(&mut self, mut out: &mut [u8]) -> Result<(), Error> {
        while !out.is_empty() {
            if self.at == AHEAD {
                self.read()?;
            }
            let len = out.len().min(AHEAD - self.at);
            let (now, later) = out.split_at_mut(len);
            now.copy_from_slice(&self.ahead[self.at..self.at + len]);
            self.at += len;
            out = later;
        }
        Ok(())
    }

    #[inline]
    fn take(&mut self, len: usize) -> Result<[u8; 8], Error> {
        if len == 8
            && let Some(word) = self.ahead[self.at..].first_chunk::<8>()
        {
            self.at += 8;
            return Ok(*word);
        }
        let mut bytes = [0; 8];
        self.fill(&mut bytes[8 - len..])?;
        Ok(bytes)
    }

    fn ahead(&self) -> &[u8] {
        &self.ahead[self.at..]
    }

    fn pass(&mut self, len: usize) {
        assert!(len <= AHEAD - self.at, "so many bytes do not lie ahead");
        self.at += len;
    }
}
