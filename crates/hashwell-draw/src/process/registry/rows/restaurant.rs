//! Restaurants: random partitions.

use crate::Error;
use crate::process::model::Crp;
use crate::process::registry::built::{BuiltIn, built};
use crate::process::registry::given::{Kind, Parameter};
use crate::process::registry::row::ProcessRow;
use crate::process::registry::value::{Outcome, Value};
use hashwell::Words;

const CUSTOMERS: Parameter = Parameter {
    name: "n",
    symbol: "n",
    kind: Kind::Whole,
    range: "0 to 2^32 - 1",
    help: "how many customers come",
    default: None,
};

pub(in crate::process::registry) static CRP: ProcessRow = ProcessRow {
    name: "crp",
    title: "Chinese restaurant process",
    law: "customer i sits down at a table with chance (its customers) / (i + α), at a new one with α / (i + α): \
          P(partition) = α^K Π (|t| - 1)! / (α (α + 1) … (α + n - 1))",
    source: "D. Aldous, Exchangeability and related topics (1985), section 11; W. Ewens, The sampling theory of \
             selectively neutral alleles (1972)",
    cost: "one word a customer after the first, O(n) time and memory",
    parameters: &[
        CUSTOMERS,
        Parameter {
            name: "alpha",
            symbol: "α",
            kind: Kind::Number,
            range: "more than 0",
            help: "the weight of a new table",
            default: Some("1"),
        },
    ],
    encodings: &["urn", "futu", "ana", "futu-categorical"],
    outcome: Outcome::Labels,
    make: |row, given, encoding| {
        let n = given.count("n", 0, u32::MAX.into())?;
        Ok(built(row, encoding, Crp::new(n, given.number("alpha"))?))
    },
};

impl BuiltIn for Crp {
    fn value(labels: Vec<u32>) -> Value {
        Value::Labels(labels)
    }

    fn run(&self, words: &mut dyn Words) -> Result<Vec<u32>, Error> {
        self.labels(words)
    }

    fn moments(&self) -> Vec<(&'static str, f64)> {
        vec![("expected tables", self.expected_tables())]
    }
}
