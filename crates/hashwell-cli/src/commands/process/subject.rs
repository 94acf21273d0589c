//! What is asked of which process.

use crate::options::process_args::{Asked, ChosenProcess};
use crate::outputs::output::{check_place, write_file};
use crate::system::report::{Failure, note};
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
    /// Of usage, for parameters that are missing or out of their range; and where no picture can be put.
    pub(super) fn of(chosen: &'a ChosenProcess) -> Result<Self, Failure> {
        let given =
            chosen.given.iter().fold(Given::new(), |given, (name, text)| given.with(name, text.as_str()));
        let model = chosen.row.build(&given, chosen.encoding.as_deref());
        let model = model.map_err(|error| Failure::Usage(error.to_string()))?;
        // Before work that may take hours.
        chosen.asked.svg.as_deref().map_or(Ok(()), check_place)?;
        Ok(Self { model, asked: &chosen.asked })
    }

    /// Terms of a run, at most.
    pub(super) fn terms(&self) -> u64 {
        self.asked.steps.unwrap_or(MOST_TERMS)
    }

    /// To be said where what is drawn does not know what was observed.
    pub(super) fn note_what_was_observed(&self) {
        if self.model.observes() {
            note(
                &"drawn as if nothing had been observed; --exact, --posterior and --replicates N --weights heed it",
            );
        }
    }

    /// How replicates are simulated.
    pub(super) fn simulation(&self) -> Simulation {
        let threads = self.asked.threads.unwrap_or(0).into();
        Simulation { threads, terms: self.terms() }
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
    let option = match error.innermost() {
        Error::Endless { .. } => " (--steps)",
        Error::OutOfRange { what: Limit::STATES, .. } => " (--states)",
        _ => "",
    };
    Failure::Work(format!("{error}{option}"))
}
