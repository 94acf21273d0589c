//! The registry: the built-in processes by name. The command, Python and the documents are generated from it.
//!
//! ```
//! use hashwell_draw::process::{Run, interpret::Limits, registry};
//! use registry::{Given, Value};
//!
//! let crp = registry::find("crp")?.build(&Given::new().with("n", 10).with("alpha", "1.5"), None)?;
//! let Value::Labels(labels) = crp.sample(&mut Run::seeded(b"round 7")?.words()?, &Limits::default())? else { unreachable!() };
//! assert_eq!((labels.len(), labels[0]), (10, 0));
//! # Ok::<(), hashwell_draw::Error>(())
//! ```

mod arguments;
mod columns;
mod erased;
mod model;
mod registered;
mod rows;
mod value;

pub use arguments::{Argument, Arguments, Given, Kind, Parameter};
pub use columns::{Columns, Data, Shape};
pub use model::{Model, ModelEntry};
pub use value::{Value, ValueKind, sizes, tables};

use crate::Error;

/// The entries of all built-in processes.
pub static PROCESSES: &[&ModelEntry] = &[
    &rows::GEOMETRIC,
    &rows::NEGATIVE_BINOMIAL,
    &rows::CRP,
    &rows::PITMAN_YOR,
    &rows::STICK_BREAKING,
    &rows::POLYA_URN,
    &rows::HOPPE_URN,
    &rows::RANDOM_WALK,
    &rows::GAMBLERS_RUIN,
    &rows::MARKOV_CHAIN,
    &rows::HMM,
    &rows::AR1,
    &rows::GALTON_WATSON,
    &rows::MORAN,
];

/// Returns the entry with this name. Underscores are read as hyphens.
///
/// # Errors
/// Returns [`Error::Refused`], which lists the known names, if there is no entry with this name.
pub fn find(name: &str) -> Result<&'static ModelEntry, Error> {
    let wanted = name.replace('_', "-");
    PROCESSES.iter().copied().find(|row| row.name == wanted).ok_or_else(|| {
        let names: Vec<_> = PROCESSES.iter().map(|row| row.name).collect();
        Error::refused(format!("unknown process {name:?}; known: {}", names.join(", ")))
    })
}
