//! One value of a process.

use super::lines::Lines;
use super::origin::Origin;
use super::subject::{Subject, failed};
use crate::system::exit::SUCCESS;
use crate::system::interrupt::{INTERRUPTED, Interrupt};
use crate::system::report::{Failure, complain, reason};
use hashwell_draw::process::picture;
use hashwell_draw::process::registry::Value;
use hashwell_draw::process::show;

/// Samples once and prints what came.
pub(super) fn print(subject: &Subject<'_>) -> Result<u8, Failure> {
    let origin = Origin::of(subject.asked)?;
    subject.note_what_was_observed();
    let interrupt = Interrupt::watch().map_err(|error| Failure::Work(reason(&error)))?;
    let mut words = origin.words()?;
    let value = subject.model.sample_while(&mut *words, subject.terms(), &mut || interrupt.flow());
    let done = value
        .map_err(failed)
        .and_then(|value| value.map(|value| show_it(subject, &origin, &value)).transpose());
    // Whatever became of it: how it can be had again.
    origin.say();
    match done? {
        Some(()) => Ok(SUCCESS),
        None => {
            complain(&"stopped before its end");
            Ok(INTERRUPTED)
        }
    }
}

/// First what may fail for want of a folder.
fn show_it(subject: &Subject<'_>, origin: &Origin, value: &Value) -> Result<(), Failure> {
    subject.picture(|| match subject.model.sticks(&mut *origin.words()?) {
        Some(broken) => Ok(picture::sticks(&broken.map_err(failed)?.0)),
        None => Ok(picture::of(&*subject.model, value)),
    })?;
    let mut lines = Lines::default();
    if subject.asked.csv {
        let shape = subject.model.shape();
        lines.line(&show::header(&shape))?;
        lines.line(&show::fields(value, &shape))?;
    } else {
        lines.line(&if subject.asked.json { show::json(value) } else { show::text(value) })?;
    }
    lines.end()
}
