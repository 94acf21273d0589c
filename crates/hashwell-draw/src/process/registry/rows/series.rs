//! Series of real numbers.

use crate::Error;
use crate::process::builtin::{Ar1, MAX_POINTS};
use crate::process::interpret::{Exact, Limits};
use crate::process::registry::arguments::{Kind, Parameter};
use crate::process::registry::columns::Width;
use crate::process::registry::model::Model;
use crate::process::registry::model::ModelEntry;
use crate::process::registry::registered::{Facts, Registered};
use crate::process::registry::value::{Value, ValueKind};

const NUMBER: Parameter = Parameter {
    name: "start",
    symbol: "x_0",
    kind: Kind::Number,
    range: "a finite number",
    help: "first value",
    default: Some("0"),
};

pub(in crate::process::registry) static AR1: ModelEntry = ModelEntry {
    name: "ar1",
    title: "Autoregressive process of order 1",
    distribution: "x_(t+1) = c + φ x_t + σ ε_t with independent standard normal ε_t, for n steps from the start. \
        The value is the sequence of all x_t. For |φ| < 1 the covariance of values h steps apart tends \
        to φ^h σ² / (1 - φ²)",
    source: "U. Yule, On a method of investigating periodicities in disturbed series (1927); G. Box, G. Jenkins, Time \
             Series Analysis (1970), 3.2",
    cost: "2.74 random numbers per step on average",
    parameters: &[
        Parameter {
            name: "n",
            symbol: "n",
            kind: Kind::Whole,
            range: "0 to 2^27 - 1",
            help: "number of steps",
            default: None,
        },
        Parameter {
            name: "phi",
            symbol: "φ",
            help: "coefficient of the previous value",
            default: None,
            ..NUMBER
        },
        Parameter {
            name: "sigma",
            symbol: "σ",
            range: "greater than 0, at most 10^307",
            help: "standard deviation of the noise",
            default: Some("1"),
            ..NUMBER
        },
        Parameter { name: "c", symbol: "c", help: "constant added at each step", ..NUMBER },
        NUMBER,
    ],
    encodings: &["ana"],
    values: ValueKind::Reals,
    statistic: "",
    make: |row, given, encoding| {
        let n = given.count("n", 0, i64::from(MAX_POINTS) - 1)?;
        let (phi, sigma) = (given.number("phi"), given.number("sigma"));
        Ok(Model::new(row, encoding, Ar1::new(n, phi, sigma, given.number("c"), given.number("start"))?))
    },
};

impl Registered for Ar1 {
    fn value(path: Vec<f64>) -> Value {
        Value::Reals(path)
    }
}

impl Facts for Ar1 {
    fn width(&self) -> Width {
        Width::Fixed(self.n() as usize + 1)
    }

    fn exact(&self, _: &Limits<'_>) -> Result<Exact<Value>, Error> {
        Err(Error::refused("ar1 can't be enumerated: its values are continuous"))
    }

    fn log_probability(&self, value: &Value) -> Option<f64> {
        let Value::Reals(path) = value else { return None };
        Some(Ar1::log_probability(self, path))
    }

    fn moments(&self) -> Vec<(&'static str, f64)> {
        let (mean, variance) = self.last();
        let mut moments = vec![("mean of the last value", mean), ("variance of the last value", variance)];
        if let Some((mean, variance)) = self.stationary() {
            moments.extend([("stationary mean", mean), ("stationary variance", variance)]);
        }
        moments
    }
}
