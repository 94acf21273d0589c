//! `hashwell process`: stochastic processes, sampled, enumerated, traced and drawn.
//!
//! ```text
//! options -> subject: a model, and its words -> value | replicates | law | posterior | terms -> lines
//!                                                                                         \-> picture
//! ```

mod batch;
mod law;
mod lines;
mod list;
mod origin;
mod posterior;
mod replicates;
mod simulated;
mod subject;
mod terms;
mod value;

use crate::options::process_args::ProcessOptions;
use crate::system::exit::SUCCESS;
use crate::system::report::Failure;
use subject::Subject;

pub(crate) fn run(options: &ProcessOptions) -> Result<u8, Failure> {
    let Some(chosen) = &options.process else {
        list::print()?;
        return Ok(SUCCESS);
    };
    let subject = Subject::of(chosen)?;
    let asked = subject.asked;
    match &asked.score {
        Some(name) => terms::score(&subject, name)?,
        None if asked.trace => terms::trace(&subject)?,
        None if asked.explain => terms::explain(&subject)?,
        None if asked.exact => return law::print(&subject),
        None if asked.posterior => posterior::print(&subject)?,
        None => match asked.replicates {
            Some(_) => return replicates::print(&subject),
            None => return value::print(&subject),
        },
    }
    Ok(SUCCESS)
}
