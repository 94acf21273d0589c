//! One value of a process.

use super::origin::Origin;
use super::show;
use super::subject::{Subject, failed};
use crate::system::report::{Failure, write_line};
use hashwell_draw::process::picture;

/// Samples once and prints what came.
pub(super) fn print(subject: &Subject<'_>) -> Result<(), Failure> {
    let origin = Origin::of(subject.asked)?;
    let value = subject.model.sample(&mut *origin.words()?).map_err(failed)?;
    // First what may fail for want of a folder.
    subject.picture(|| match subject.model.sticks(&mut *origin.words()?) {
        Some(broken) => Ok(picture::sticks(&broken.map_err(failed)?.0)),
        None => Ok(picture::of(&*subject.model, &value)),
    })?;
    let mut line = if subject.asked.json { show::json(&value) } else { show::text(&value) };
    line.push('\n');
    write_line(line.as_bytes())?;
    origin.say();
    Ok(())
}
