//! What is asked of which process.

use crate::options::process_args::{Asked, ChosenProcess};
use crate::outputs::output::write_file;
use crate::system::report::Failure;
use hashwell_draw::Error;
use hashwell_draw::process::interpret::{Limit, MOST_TERMS, Simulation};
use hashwell_draw::process::registry::{Given, Model};

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

    /// How replicates are simulated.
    pub(super) fn simulation(&self) -> Simulation {
        let threads = self.asked.threads.unwrap_or(0).into();
        Simulation { threads, terms: self.asked.steps.unwrap_or(MOST_TERMS) }
    }

    /// Where an enumeration ends.
    pub(super) fn limit(&self) -> Limit<'static> {
        let Asked { mass, states, steps, .. } = *self.asked;
        Limit { mass, states, steps: steps.unwrap_or(Limit::default().steps), ask: None }
    }

    /// Writes the picture, if one is asked for.
    pub(super) fn picture(&self, draw: impl FnOnce() -> Result<String, Failure>) -> Result<(), Failure> {
        self.asked.svg.as_ref().map_or(Ok(()), |path| write_file(path, draw()?.as_bytes()))
    }
}

/// Why the process gives nothing.
pub(super) fn failed(error: Error) -> Failure {
    Failure::Work(error.to_string())
}
