//! One value of a process.

use super::Lines;
use super::subject::{Origin, Subject, failed};
use crate::system::exit::SUCCESS;
use crate::system::interrupt::{Interrupt, interrupted};
use crate::system::report::{Failure, complain, reason};
use hashwell_draw::process::interpret::Limits;
use hashwell_draw::process::picture;
use hashwell_draw::process::registry::Value;
use hashwell_draw::process::show;
use hashwell_draw::{Error, Watch};

/// Samples once and prints the value.
pub(super) fn print(subject: &Subject<'_>) -> Result<u8, Failure> {
    let origin = Origin::of(subject.asked)?;
    subject.note_what_was_observed();
    let interrupt = Interrupt::watch().map_err(|error| Failure::Work(reason(&error)))?;
    let mut words = origin.words()?;
    let ask = |_| interrupt.flow();
    let watch = Watch::new(&ask);
    let done = match subject.model.sample(&mut *words, &subject.limits(&watch)) {
        Ok(value) => show_it(subject, &origin, &value).map(|()| SUCCESS),
        Err(Error::Stopped) => {
            complain(&"stopped before the process ended");
            Ok(interrupted())
        }
        Err(error) => Err(failed(error)),
    };
    // The seed makes the value reproducible, so it is printed even if the work failed.
    origin.say();
    done
}

/// Writes the chart first, since it may fail if the folder is missing, and then prints the value.
fn show_it(subject: &Subject<'_>, origin: &Origin, value: &Value) -> Result<(), Failure> {
    subject.picture(|| match subject.model.sticks(&mut *origin.words()?, &Limits::default()) {
        Some(broken) => Ok(picture::sticks(&broken.map_err(failed)?.0)),
        None => Ok(picture::of(&subject.model, value)),
    })?;
    let mut lines = Lines::default();
    // An allocation failure while the text grows would abort the process. A text may grow to twice the memory that it
    // needs.
    let most = show::most_bytes(value).saturating_mul(2);
    if Vec::<u8>::new().try_reserve(usize::try_from(most).unwrap_or(usize::MAX)).is_err() {
        return Err(Failure::Work(format!("not enough memory to print {} numbers", show::count(value))));
    }
    if subject.asked.csv {
        let shape = subject.model.shape();
        lines.line(&show::header(&shape))?;
        lines.line(&show::fields(value, &shape))?;
    } else {
        lines.line(&if subject.asked.json { show::json(value) } else { show::text(value) })?;
    }
    lines.end()
}
