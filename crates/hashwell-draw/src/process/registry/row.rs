//! What a row of the table says, and what can be asked of the process it builds.

use super::given::{Arguments, Given, Parameter};
use super::value::{Outcome, Value};
use crate::Error;
use hashwell::Words;

/// A built-in process: what the command, Python and the documents know of it.
#[derive(Debug)]
pub struct ProcessRow {
    /// Its name, as `crp`; Python has underscores for hyphens.
    pub name: &'static str,
    /// What it is called in full.
    pub title: &'static str,
    /// Its law, in words and a formula.
    pub law: &'static str,
    /// Who it is from: paper, section.
    pub source: &'static str,
    /// What a sample costs: time, memory, words.
    pub cost: &'static str,
    /// What it takes.
    pub parameters: &'static [Parameter],
    /// Its encodings, equal in law; the first is taken where none is named.
    pub encodings: &'static [&'static str],
    /// What a value of it is.
    pub outcome: Outcome,
    /// The process of arguments that have the right kinds, in the encoding of that number.
    pub(super) make: Make,
}

/// What makes a process of a row, arguments and the number of an encoding.
type Make = fn(&'static ProcessRow, &Arguments, usize) -> Result<Box<dyn Model>, Error>;

impl ProcessRow {
    /// The process of these parameters.
    ///
    /// # Errors
    /// [`Error::Invalid`] for parameters that are unknown, missing or given twice, and for an unknown encoding;
    /// [`Error::OutOfRange`] with the parameter's name, limit and value.
    pub fn build(&'static self, given: &Given, encoding: Option<&str>) -> Result<Box<dyn Model>, Error> {
        let encoding = match encoding {
            None => 0,
            Some(name) => self.encodings.iter().position(|known| *known == name).ok_or_else(|| {
                let known = self.encodings.join(", ");
                Error::invalid("an encoding", format!("{} has {known}, not {name:?}", self.name))
            })?,
        };
        (self.make)(self, &given.arguments(self.name, self.parameters)?, encoding)
    }
}

/// A built-in process with its parameters, whatever its types are.
pub trait Model: Send + Sync {
    /// Its row.
    fn row(&self) -> &'static ProcessRow;

    /// Its encoding.
    fn encoding(&self) -> &'static str;

    /// What comes of it with these words; observations are not looked at.
    ///
    /// # Errors
    /// As [`sample`](crate::process::interpret::sample).
    fn sample(&self, words: &mut dyn Words) -> Result<Value, Error>;

    /// The logarithm of a value's probability by its closed form; `None` where there is none, or the value is of another
    /// kind. -∞ for what cannot come.
    fn log_probability(&self, value: &Value) -> Option<f64>;

    /// Closed forms, as `("mean", 10.0)`.
    fn moments(&self) -> Vec<(&'static str, f64)>;
}
