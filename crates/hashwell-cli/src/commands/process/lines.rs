//! Many lines on standard output, whole ones whenever the process ends.

use crate::system::report::{Failure, write_line};

/// Bytes that are written at once, or a line that is longer.
const BUFFER: usize = 64 << 10;

/// Lines that are gathered and written together.
#[derive(Default)]
pub(super) struct Lines(String);

impl Lines {
    /// A line, which gets its end here.
    pub(super) fn line(&mut self, line: &str) -> Result<(), Failure> {
        self.0.push_str(line);
        self.0.push('\n');
        if self.0.len() < BUFFER { Ok(()) } else { self.end() }
    }

    /// Writes what has been gathered.
    pub(super) fn end(&mut self) -> Result<(), Failure> {
        let written = write_line(self.0.as_bytes());
        self.0.clear();
        written
    }
}
