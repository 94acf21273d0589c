//! One value of a process.

use super::show;
use super::subject::{Subject, failed};
use crate::system::report::{Failure, write_line};
use hashwell_draw::process::picture;

/// Samples once and prints what came.
pub(super) fn print(subject: &Subject<'_>) -> Result<(), Failure> {
    let (run, seed) = subject.run()?;
    let value = subject.model.sample(&mut run.words().map_err(failed)?).map_err(failed)?;
    // First what may fail for want of a folder.
    subject.picture(|| picture::of(&*subject.model, &value))?;
    let mut line = if subject.asked.json { show::json(&value) } else { show::text(&value) };
    line.push('\n');
    write_line(line.as_bytes())?;
    seed.say();
    Ok(())
}
