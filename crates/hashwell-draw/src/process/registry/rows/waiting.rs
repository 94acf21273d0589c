//! Waiting times.

use crate::Error;
use crate::number::{ln, log1p};
use crate::process::builtin::{Geometric, NegativeBinomial};
use crate::process::interpret::{Exact, Limits};
use crate::process::registry::arguments::{Kind, Parameter};
use crate::process::registry::columns::Width;
use crate::process::registry::model::Model;
use crate::process::registry::model::ModelEntry;
use crate::process::registry::registered::{Facts, Registered, enumerated};
use crate::process::registry::value::{Value, ValueKind};

const P: Parameter = Parameter {
    name: "p",
    symbol: "p",
    kind: Kind::Number,
    range: "greater than 0, at most 1",
    help: "probability of success in each trial",
    default: None,
};

pub(in crate::process::registry) static GEOMETRIC: ModelEntry = ModelEntry {
    name: "geometric",
    title: "Geometric distribution",
    distribution: "The number of trials up to and including the first success: P(k) = p (1 - p)^(k - 1), k = 1, 2, \
        …",
    source: "J. Tobin, Recursive stochastic processes (2017): an apomorphism from 1",
    cost: "1 / p random numbers on average",
    parameters: &[P],
    encodings: &["apo"],
    values: ValueKind::Whole,
    statistic: "the number of trials",
    make: |row, given, encoding| Ok(Model::new(row, encoding, Geometric::new(given.number("p"))?)),
};

impl Registered for Geometric {
    fn value(trials: u64) -> Value {
        Value::Whole(trials as i64)
    }
}

impl Facts for Geometric {
    fn width(&self) -> Width {
        Width::One
    }

    fn exact(&self, limits: &Limits<'_>) -> Result<Exact<Value>, Error> {
        enumerated(self, limits, Self::value)
    }

    fn log_probability(&self, value: &Value) -> Option<f64> {
        let Value::Whole(k) = *value else { return None };
        Some(match k {
            ..1 => f64::NEG_INFINITY,
            1 => ln(self.p()),
            _ => ln(self.p()) + (k - 1) as f64 * log1p(-self.p()),
        })
    }

    fn moments(&self) -> Vec<(&'static str, f64)> {
        let p = self.p();
        vec![("mean", 1.0 / p), ("variance", (1.0 - p) / p / p)]
    }
}

pub(in crate::process::registry) static NEGATIVE_BINOMIAL: ModelEntry = ModelEntry {
    name: "negative-binomial",
    title: "Negative binomial distribution",
    distribution: "The number of failures before the r-th success: P(k) = C(k + r - 1, k) p^r (1 - p)^k, k = 0, 1, \
        2, …",
    source: "W. Feller, An Introduction to Probability Theory I, VI.8",
    cost: "r / p random numbers on average",
    parameters: &[
        Parameter {
            name: "r",
            symbol: "r",
            kind: Kind::Whole,
            range: "1 to 2^32 - 1",
            help: "number of successes to wait for",
            default: None,
        },
        P,
    ],
    encodings: &["apo"],
    values: ValueKind::Whole,
    statistic: "the number of failures",
    make: |row, given, encoding| {
        let r = given.count("r", 1, u32::MAX.into())?;
        Ok(Model::new(row, encoding, NegativeBinomial::new(r, given.number("p"))?))
    },
};

impl Registered for NegativeBinomial {
    fn value(failures: u64) -> Value {
        Value::Whole(failures as i64)
    }
}

impl Facts for NegativeBinomial {
    fn width(&self) -> Width {
        Width::One
    }

    fn exact(&self, limits: &Limits<'_>) -> Result<Exact<Value>, Error> {
        enumerated(self, limits, Self::value)
    }

    fn log_probability(&self, value: &Value) -> Option<f64> {
        let Value::Whole(k) = *value else { return None };
        Some(u64::try_from(k).map_or(f64::NEG_INFINITY, |k| NegativeBinomial::log_probability(self, k)))
    }

    fn moments(&self) -> Vec<(&'static str, f64)> {
        let (mean, variance) = NegativeBinomial::moments(self);
        vec![("mean", mean), ("variance", variance)]
    }
}
