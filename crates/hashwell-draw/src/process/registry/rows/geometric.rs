//! How long one waits.

use crate::number::{ln, log1p};
use crate::process::model::Geometric;
use crate::process::registry::built::{BuiltIn, built};
use crate::process::registry::given::{Kind, Parameter};
use crate::process::registry::row::ProcessRow;
use crate::process::registry::value::{Outcome, Value};

pub(in crate::process::registry) static GEOMETRIC: ProcessRow = ProcessRow {
    name: "geometric",
    title: "Geometric law",
    law: "the number of trials up to the first success, that one included: P(k) = p (1 - p)^(k - 1), k = 1, 2, …",
    source: "J. Tobin, Recursive stochastic processes (2017): an apomorphism from 1",
    cost: "1/p words on average",
    parameters: &[Parameter {
        name: "p",
        symbol: "p",
        kind: Kind::Number,
        range: "more than 0, at most 1",
        help: "the chance of success in each trial",
        default: None,
    }],
    encodings: &["apo"],
    outcome: Outcome::Whole,
    make: |row, given, encoding| Ok(built(row, encoding, Geometric::new(given.number("p"))?)),
};

impl BuiltIn for Geometric {
    fn value(trials: u64) -> Value {
        Value::Whole(trials as i64)
    }

    fn log_probability(&self, value: &Value) -> Option<f64> {
        let Value::Whole(k) = *value else { return None };
        Some(if k < 1 {
            f64::NEG_INFINITY
        } else if k == 1 {
            ln(self.p())
        } else {
            ln(self.p()) + (k - 1) as f64 * log1p(-self.p())
        })
    }

    fn moments(&self) -> Vec<(&'static str, f64)> {
        let p = self.p();
        vec![("mean", 1.0 / p), ("variance", (1.0 - p) / p / p)]
    }
}
