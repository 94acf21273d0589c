//! From a process of known types to a [`Model`].

use super::row::{Model, ProcessRow};
use super::value::Value;
use crate::Error;
use crate::process::{Coalgebra, interpret};
use hashwell::Words;

/// What a built-in process says of itself, besides being a coalgebra.
pub(super) trait BuiltIn: Coalgebra + Send + Sync + Sized {
    /// What came of it, as a value.
    fn value(out: Self::Out) -> Value;

    /// One run; a process that has a quicker way than a term a step, with the same draws, has it here.
    fn run(&self, words: &mut dyn Words) -> Result<Self::Out, Error> {
        interpret::sample(self, words)
    }

    /// As [`Model::log_probability`].
    fn log_probability(&self, _value: &Value) -> Option<f64> {
        None
    }

    /// As [`Model::moments`].
    fn moments(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}

/// A process and its row.
struct Built<P> {
    row: &'static ProcessRow,
    encoding: usize,
    process: P,
}

/// A process as a model.
pub(super) fn built<P: BuiltIn + 'static>(
    row: &'static ProcessRow,
    encoding: usize,
    process: P,
) -> Box<dyn Model> {
    Box::new(Built { row, encoding, process })
}

impl<P: BuiltIn> Model for Built<P> {
    fn row(&self) -> &'static ProcessRow {
        self.row
    }

    fn encoding(&self) -> &'static str {
        self.row.encodings[self.encoding]
    }

    fn sample(&self, words: &mut dyn Words) -> Result<Value, Error> {
        self.process.run(words).map(P::value)
    }

    fn log_probability(&self, value: &Value) -> Option<f64> {
        self.process.log_probability(value)
    }

    fn moments(&self) -> Vec<(&'static str, f64)> {
        self.process.moments()
    }
}
