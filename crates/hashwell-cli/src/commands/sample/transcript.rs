//! `--transcript`: a record of a sample in its file.

use super::output::Sink;
use super::shape::form_of;
use super::stop::Stop;
use crate::options::sample_args::{Order, SampleOptions};
use hashwell::Sha256;
use hashwell_draw::survey::{Design, Form, Record, Seed, Shape};
use std::io::{self, Write};
use std::path::Path;

/// SHA-256 of the rows in the order in which they are written, header and tickets left out; where it is wanted.
pub(super) struct Digest(Option<Sha256>);

impl Digest {
    pub(super) fn new(options: &SampleOptions) -> Self {
        Self(options.transcript.is_some().then(Sha256::new))
    }

    /// Of nothing.
    pub(super) fn none() -> Self {
        Self(None)
    }

    pub(super) fn is_wanted(&self) -> bool {
        self.0.is_some()
    }

    /// The digest, if it is wanted.
    fn finish(self) -> Option<[u8; 32]> {
        self.0.map(Sha256::finalize)
    }

    pub(super) fn add(&mut self, row: &[u8]) {
        if let Some(hash) = &mut self.0 {
            hash.update(row);
        }
    }
}

/// Rows of tables, which have no bytes, as JSON lines.
impl Write for Digest {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes the record of a draw into its file, which has no name yet. `picks` are the rows' numbers, from 1, in the order in
/// which they are written, of the `n` rows of the input.
pub(super) fn sink(
    path: &Path,
    (seed, design, shape): (&Seed, &Design, &Shape),
    options: &SampleOptions,
    n: u64,
    picks: Vec<u64>,
    digest: Digest,
) -> Result<Sink, Stop> {
    let record = Record {
        seed,
        design,
        form: shape.form,
        header: shape.header.is_some(),
        quotes: options.form.quotes,
        of_drawing: options.order == Order::Draw,
        n,
        picks,
        rows_sha256: digest.finish(),
        program: concat!("hashwell ", env!("CARGO_PKG_VERSION")),
    };
    let mut sink = Sink::open(Some(path), b'\n')?;
    sink.row(record.text().as_bytes())?;
    Ok(sink)
}

/// The option that asks for the format of this name, if one does; `None` for a name that is no format's. A name from a
/// transcript may be anything, an option that writes a file among it.
pub(super) fn format_option(name: &str) -> Option<Option<String>> {
    let form = form_of(name)?;
    Some((form != Form::Lines).then(|| format!("--{name}")))
}
