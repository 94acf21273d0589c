//! Processes with hidden states.

use crate::Error;
use crate::number::exp;
use crate::process::builtin::{Hmm, Smoothed};
use crate::process::interpret::{Exact, Limits};
use crate::process::registry::arguments::{Kind, Parameter};
use crate::process::registry::columns::Width;
use crate::process::registry::model::Model;
use crate::process::registry::model::ModelEntry;
use crate::process::registry::registered::{Facts, Registered, enumerated};
use crate::process::registry::value::{Value, ValueKind};

pub(in crate::process::registry) static HMM: ModelEntry = ModelEntry {
    name: "hmm",
    title: "Hidden Markov model",
    distribution: "The hidden states form a Markov chain. At each time, a symbol is emitted with the \
        probabilities in the row of `emission` for the current hidden state. The value is the path of hidden states, \
        weighted by the probability of the observed symbols",
    source: "L. Rabiner, A tutorial on hidden Markov models and selected applications in speech recognition (1989), III",
    cost: "one random number and O(S) time per observation; the posterior takes O(S²) time per observation, \
        forward and backward",
    parameters: &[
        Parameter {
            name: "initial",
            symbol: "π",
            kind: Kind::Numbers,
            range: "S probabilities that sum to 1",
            help: "distribution of the first hidden state",
            default: None,
        },
        Parameter {
            name: "transition",
            symbol: "A",
            kind: Kind::Matrix,
            range: "S rows of S probabilities that sum to 1",
            help: "transition probabilities, one row per hidden state",
            default: None,
        },
        Parameter {
            name: "emission",
            symbol: "B",
            kind: Kind::Matrix,
            range: "S rows with one probability per symbol, each row summing to 1",
            help: "emission probabilities, one row per hidden state",
            default: None,
        },
        Parameter {
            name: "observed",
            symbol: "o",
            kind: Kind::Wholes,
            range: "symbol numbers, counted from 0",
            help: "observed symbols",
            default: None,
        },
    ],
    encodings: &["futu"],
    values: ValueKind::Wholes,
    statistic: "the last hidden state",
    make: |row, given, encoding| {
        let (transition, emission) = (given.matrix("transition"), given.matrix("emission"));
        let model = Hmm::new(given.numbers("initial"), transition, emission, &given.wholes("observed"))?;
        Ok(Model::new(row, encoding, model))
    },
};

impl Registered for Hmm {
    fn value(path: Vec<i64>) -> Value {
        Value::Wholes(path)
    }
}

impl Facts for Hmm {
    fn width(&self) -> Width {
        Width::Fixed(self.observations())
    }

    fn exact(&self, limits: &Limits<'_>) -> Result<Exact<Value>, Error> {
        enumerated(self, limits, Value::Wholes)
    }

    fn exact_statistic(&self, limits: &Limits<'_>) -> Result<Exact<Value>, Error> {
        enumerated(&self.summary(), limits, Value::last)
    }

    fn observes(&self) -> bool {
        self.observations() > 0
    }

    fn moments(&self) -> Vec<(&'static str, f64)> {
        let log = self.log_evidence().unwrap_or(f64::NEG_INFINITY);
        vec![("log evidence", log), ("evidence", exp(log))]
    }

    fn smooth(&self) -> Option<Result<Smoothed, Error>> {
        Some(Hmm::smooth(self))
    }
}
