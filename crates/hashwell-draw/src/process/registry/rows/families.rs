//! Branching processes.

use crate::Error;
use crate::process::builtin::{GaltonWatson, Keep, MAX_POINTS};
use crate::process::interpret::{Exact, Limits};
use crate::process::registry::arguments::{Kind, Parameter};
use crate::process::registry::columns::Width;
use crate::process::registry::model::Model;
use crate::process::registry::model::ModelEntry;
use crate::process::registry::registered::{Facts, Registered, enumerated};
use crate::process::registry::value::{Value, ValueKind};

pub(in crate::process::registry) static GALTON_WATSON: ModelEntry = ModelEntry {
    name: "galton-watson",
    title: "Galton-Watson process",
    distribution: "Each individual of a generation independently has k children with probability offspring[k]. The \
        value is the sequence of generation sizes, including the first. P(extinct by generation g) = \
        f(f(… f(0))) for one ancestor, where f is the generating function of the offspring distribution",
    source: "F. Galton, H. Watson, On the probability of the extinction of families (1875); T. Harris, The Theory of \
             Branching Processes (1963), I",
    cost: "one random number and O(length of offspring) time per individual",
    parameters: &[
        Parameter {
            name: "offspring",
            symbol: "p",
            kind: Kind::Numbers,
            range: "probabilities that sum to 1",
            help: "probabilities of 0, 1, 2, … children",
            default: None,
        },
        Parameter {
            name: "generations",
            symbol: "g",
            kind: Kind::Whole,
            range: "0 to 2^27 - 1",
            help: "number of generations after the first",
            default: None,
        },
        Parameter {
            name: "start",
            symbol: "z",
            kind: Kind::Whole,
            range: "0 to --most",
            help: "size of the first generation",
            default: Some("1"),
        },
        Parameter {
            name: "most",
            symbol: "M",
            kind: Kind::Whole,
            range: "0 to 2^53",
            help: "maximum size of a generation; a larger one is an error",
            default: Some("1000000"),
        },
    ],
    encodings: &["ana"],
    values: ValueKind::Wholes,
    statistic: "the size of the last generation",
    make: |row, given, encoding| {
        const MOST: i64 = GaltonWatson::MOST as i64;
        let generations = given.count("generations", 0, i64::from(MAX_POINTS) - 1)?;
        let (start, most) = (given.count("start", 0, MOST)?, given.count("most", 0, MOST)?);
        let family = GaltonWatson::new(given.numbers("offspring"), generations, start, most, Keep::All)?;
        Ok(Model::new(row, encoding, family))
    },
};

impl Registered for GaltonWatson {
    fn value(sizes: Vec<i64>) -> Value {
        Value::Wholes(sizes)
    }
}

impl Facts for GaltonWatson {
    fn width(&self) -> Width {
        Width::Fixed(self.generations() as usize + 1)
    }

    fn exact(&self, limits: &Limits<'_>) -> Result<Exact<Value>, Error> {
        enumerated(self, limits, Value::Wholes)
    }

    fn exact_statistic(&self, limits: &Limits<'_>) -> Result<Exact<Value>, Error> {
        enumerated(&self.summary(), limits, Value::last)
    }

    fn moments(&self) -> Vec<(&'static str, f64)> {
        let (mean, variance) = self.last();
        vec![
            ("mean of the last value", mean),
            ("variance of the last value", variance),
            ("probability of extinction", self.extinct()),
        ]
    }
}
