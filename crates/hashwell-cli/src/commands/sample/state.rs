//! States in their files: what `--state-out` writes.

use super::output::Sink;
use super::stop::Stop;
use crate::system::report::{printable, reason};
use hashwell_draw::survey::{Form, Sample, Shape, State};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// How every state begins.
const MAGIC: &[u8] = b"hwstate/";

/// The most bytes of a state that does not come from a file.
const MOST_PIPED: u64 = 4 << 30;

/// Writes a sample's state into its file.
pub(super) fn write(path: &Path, sample: Sample, shape: &Shape) -> Result<(), Stop> {
    let bytes = State { sample, shape: shape.clone() }.to_bytes()?;
    let mut sink = Sink::open(Some(path), b'\n')?;
    sink.bytes(&bytes)?;
    Ok(sink.end()?)
}

/// Reads a state from its file.
pub(super) fn read(path: &Path) -> Result<State, Stop> {
    let name = || printable(path.as_os_str());
    let bytes = bounded(path).map_err(|error| Stop::work(format!("{}: {}", name(), reason(&error))))?;
    let state = State::from_bytes(&bytes).map_err(|error| Stop::work(format!("{}: {error}", name())))?;
    if matches!(state.shape.form, Form::Objects | Form::Arrow) {
        return Err(Stop::work(format!("{}: its rows are of a program, and no text", name())));
    }
    Ok(state)
}

/// The bytes of a state. What is no file may have no end: it has to begin as a state does, and has at most [`MOST_PIPED`].
fn bounded(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    if file.metadata()?.is_file() {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    file.by_ref().take(MAGIC.len() as u64).read_to_end(&mut bytes)?;
    if bytes != MAGIC {
        // Read as a state it says so.
        return Ok(bytes);
    }
    file.take(MOST_PIPED).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_PIPED {
        return Err(io::Error::other(format!("a state from a pipe has at most {MOST_PIPED} bytes")));
    }
    Ok(bytes)
}
