//! `hashwell process`: stochastic processes, sampled, enumerated, traced and drawn.
//!
//! ```text
//! options -> model, run -> value | replicates | law | terms -> lines, JSON, CSV
//!                                                          \-> picture
//! ```

mod list;
mod show;
mod subject;
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
    value::print(&subject)?;
    Ok(SUCCESS)
}
