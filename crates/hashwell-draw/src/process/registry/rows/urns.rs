//! Urns whose colours are known in advance.

use crate::Error;
use crate::process::builtin::{Keep, MAX_POINTS, PolyaUrn};
use crate::process::interpret::{Exact, Limits};
use crate::process::registry::arguments::{Kind, Parameter};
use crate::process::registry::columns::Width;
use crate::process::registry::model::Model;
use crate::process::registry::model::ModelEntry;
use crate::process::registry::registered::{Facts, Registered, enumerated};
use crate::process::registry::value::{Value, ValueKind};

pub(in crate::process::registry) static POLYA_URN: ModelEntry = ModelEntry {
    name: "polya-urn",
    title: "Pólya's urn",
    distribution: "Each draw picks a color with probability proportional to its weight and then increases that \
        weight by `add`. The counts of the colors have the Dirichlet-multinomial distribution with \
        parameters weight / `add` (beta-binomial for two colors)",
    source: "F. Eggenberger, G. Pólya, Über die Statistik verketteter Vorgänge (1923)",
    cost: "one random number and O(colors) time per draw",
    parameters: &[
        Parameter {
            name: "balls",
            symbol: "b",
            kind: Kind::Numbers,
            range: "at least one weight, each greater than 0",
            help: "initial weight of each color",
            default: Some("1,1"),
        },
        Parameter {
            name: "n",
            symbol: "n",
            kind: Kind::Whole,
            range: "0 to 2^27",
            help: "number of draws",
            default: None,
        },
        Parameter {
            name: "add",
            symbol: "c",
            kind: Kind::Number,
            range: "at least 0",
            help: "weight added to the drawn color after each draw",
            default: Some("1"),
        },
    ],
    encodings: &["ana"],
    values: ValueKind::Wholes,
    statistic: "the number of draws of each color",
    make: |row, given, encoding| {
        let n = given.count("n", 0, MAX_POINTS.into())?;
        let urn = PolyaUrn::new(given.numbers("balls"), given.number("add"), n, Keep::All)?;
        Ok(Model::new(row, encoding, urn))
    },
};

impl Registered for PolyaUrn {
    fn value(colours: Vec<i64>) -> Value {
        Value::Wholes(colours)
    }
}

impl Facts for PolyaUrn {
    fn width(&self) -> Width {
        Width::Fixed(self.n() as usize)
    }

    fn exact(&self, limits: &Limits<'_>) -> Result<Exact<Value>, Error> {
        enumerated(self, limits, Value::Wholes)
    }

    fn exact_statistic(&self, limits: &Limits<'_>) -> Result<Exact<Value>, Error> {
        enumerated(&self.summary(), limits, Value::Wholes)
    }

    /// The number of draws of each colour.
    fn statistic(&self, value: &Value) -> Value {
        let Value::Wholes(colours) = value else { return value.clone() };
        let mut counts = vec![0; self.colours()];
        for &colour in colours {
            if let Some(count) = usize::try_from(colour).ok().and_then(|colour| counts.get_mut(colour)) {
                *count += 1;
            }
        }
        Value::Wholes(counts)
    }

    fn log_probability(&self, value: &Value) -> Option<f64> {
        let Value::Wholes(colours) = value else { return None };
        Some(PolyaUrn::log_probability(self, colours))
    }

    fn moments(&self) -> Vec<(&'static str, f64)> {
        let (mean, variance) = self.first_colour();
        vec![("mean of color 0", mean), ("variance of color 0", variance)]
    }
}
