//! What is asked of which process: the model, and where its words come from.

use crate::inputs::seed::PublicSeed;
use crate::options::names::source_warning;
use crate::options::process_args::{Asked, ChosenProcess};
use crate::outputs::output::write_file;
use crate::system::report::{Failure, note};
use hashwell::Source;
use hashwell_draw::key::OPEN_FRAME;
use hashwell_draw::process::Run;
use hashwell_draw::process::registry::{Given, Model};
use hashwell_draw::{Error, Key};

/// A process and what is asked of it.
pub(super) struct Subject<'a> {
    pub(super) model: Box<dyn Model>,
    pub(super) asked: &'a Asked,
}

impl<'a> Subject<'a> {
    /// # Errors
    /// Of usage, for parameters that are missing or out of their range.
    pub(super) fn of(chosen: &'a ChosenProcess) -> Result<Self, Failure> {
        let given =
            chosen.given.iter().fold(Given::new(), |given, (name, text)| given.with(name, text.as_str()));
        let model = chosen.row.build(&given, chosen.encoding.as_deref());
        let model = model.map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(Self { model, asked: &chosen.asked })
    }

    /// The run of the seed. A seed that nobody gave is printed once the work is done, by [`PublicSeed::say`].
    pub(super) fn run(&self) -> Result<(Run, PublicSeed), Failure> {
        let Asked { seed, seed_hex, source, .. } = self.asked;
        let source = Source::find(source).map_err(|error| {
            let names: Vec<String> = Source::all().map(Source::name).collect();
            Failure::Usage(format!("--source: {error}; known: {}", names.join(", ")))
        })?;
        source_warning(source).iter().for_each(|text| note(text));
        let seed = PublicSeed::of(seed.as_deref(), seed_hex.as_deref())?;
        Ok((Run::new(source, Key::derive(&seed.bytes, Run::CONTEXT, &OPEN_FRAME)), seed))
    }

    /// Writes the picture, if one is asked for.
    pub(super) fn picture(&self, draw: impl FnOnce() -> String) -> Result<(), Failure> {
        self.asked.svg.as_ref().map_or(Ok(()), |path| write_file(path, draw().as_bytes()))
    }
}

/// Why the process gives nothing.
pub(super) fn failed(error: Error) -> Failure {
    Failure::Work(error.to_string())
}
