//! Random partitions: restaurants, urns and sticks.

use crate::Error;
use crate::process::builtin::{
    Broken, Crp, CrpTables, HoppeUrn, MAX_POINTS, Partition, PitmanYor, Seating, StickBreaking,
};
use crate::process::interpret;
use crate::process::interpret::{Exact, Limits};
use crate::process::registry::arguments::{Kind, Parameter};
use crate::process::registry::columns::Width;
use crate::process::registry::model::Model;
use crate::process::registry::model::ModelEntry;
use crate::process::registry::registered::{Facts, Registered, enumerated};
use crate::process::registry::value::{Value, ValueKind};
use hashwell::RandomSource;

const CUSTOMERS: Parameter = Parameter {
    name: "n",
    symbol: "n",
    kind: Kind::Whole,
    range: "0 to 2^32 - 1",
    help: "number of customers",
    default: None,
};
const THETA: Parameter = Parameter {
    name: "theta",
    symbol: "θ",
    kind: Kind::Number,
    range: "greater than -discount",
    help: "strength; larger values give more tables",
    default: Some("1"),
};
const DISCOUNT: Parameter = Parameter {
    name: "discount",
    symbol: "d",
    kind: Kind::Number,
    range: "0 to 1, excluding 1",
    help: "discount: subtracted from the weight of each table and added to the weight of a new table",
    default: None,
};
const SIZES: &str = "the table sizes, largest first";

pub(in crate::process::registry) static CRP: ModelEntry = ModelEntry {
    name: "crp",
    title: "Chinese restaurant process",
    distribution: "With i customers seated, the next customer joins a table with s customers with probability s / \
        (i + α) and opens a new table with probability α / (i + α). P(partition) = α^K Π (s - 1)! / (α \
        (α + 1) … (α + n - 1)) for K tables",
    source: "D. Aldous, Exchangeability and related topics (1985), section 11; W. Ewens, The sampling theory of \
             selectively neutral alleles (1972)",
    cost: "urn: one random number and constant time per customer. Other encodings: O(K) time per customer for \
        K tables, and one random number (ana) or at most two (the others). The first customer needs no \
        random number",
    parameters: &[
        CUSTOMERS,
        Parameter {
            name: "alpha",
            symbol: "α",
            kind: Kind::Number,
            range: "greater than 0",
            help: "weight of a new table",
            default: Some("1"),
        },
    ],
    encodings: &["urn", "futu", "ana", "futu-categorical"],
    values: ValueKind::Labels,
    statistic: SIZES,
    make: |row, given, encoding| {
        let (n, alpha) = (given.count("n", 0, u32::MAX.into())?, given.number("alpha"));
        let seating = match row.encodings[encoding] {
            "futu" => Seating::Futu,
            "ana" => Seating::Ana,
            "futu-categorical" => Seating::FutuCategorical,
            _ => return Ok(Model::new(row, encoding, Crp::new(n, alpha)?)),
        };
        Ok(Model::new(row, encoding, CrpTables::new(n, alpha, seating)?))
    },
};

pub(in crate::process::registry) static PITMAN_YOR: ModelEntry = ModelEntry {
    name: "pitman-yor",
    title: "Pitman-Yor process",
    distribution: "With i customers seated at K tables, the next customer joins a table with s customers with \
        probability (s - d) / (i + θ) and opens a new table with probability (θ + d K) / (i + θ), where θ is \
        the strength and d the discount",
    source: "J. Pitman, M. Yor, The two-parameter Poisson-Dirichlet distribution derived from a stable subordinator \
             (1997); J. Pitman, Exchangeable and partially exchangeable random partitions (1995), formula 16",
    cost: "one or two random numbers and constant time per customer; the first customer needs no random number",
    parameters: &[CUSTOMERS, THETA, DISCOUNT],
    encodings: &["urn"],
    values: ValueKind::Labels,
    statistic: SIZES,
    make: |row, given, encoding| {
        let n = given.count("n", 0, u32::MAX.into())?;
        let process = PitmanYor::new(n, given.number("theta"), given.number("discount"))?;
        Ok(Model::new(row, encoding, process))
    },
};

pub(in crate::process::registry) static HOPPE_URN: ModelEntry = ModelEntry {
    name: "hoppe-urn",
    title: "Hoppe's urn",
    distribution: "After i draws, the urn contains a black ball of weight θ and i colored balls of weight 1. If the \
        black ball is drawn, it is returned together with a ball of a new color; if a colored ball is drawn, it is \
        returned with another ball of the same color. The colors have the distribution of crp with α = θ",
    source: "F. Hoppe, Pólya-like urns and the Ewens' sampling formula (1984)",
    cost: "one or two random numbers and constant time per draw",
    parameters: &[
        Parameter { help: "number of draws", ..CUSTOMERS },
        Parameter { range: "greater than 0", help: "weight of the black ball", ..THETA },
    ],
    encodings: &["futu"],
    values: ValueKind::Labels,
    statistic: "the number of balls of each color, largest first",
    make: |row, given, encoding| {
        let n = given.count("n", 0, u32::MAX.into())?;
        Ok(Model::new(row, encoding, HoppeUrn::new(n, given.number("theta"))?))
    },
};

pub(in crate::process::registry) static STICK_BREAKING: ModelEntry = ModelEntry {
    name: "stick-breaking",
    title: "Stick-breaking",
    distribution: "n points fall uniformly on a stick of length 1. Piece k is a fraction V_k of the remaining \
        stick, where V_k has the distribution Beta(1 - d, θ + k d) with the strength θ and the discount d. \
        Pieces are broken off until every point lies on a piece. Points on the same piece share a label. \
        The labels have the same distribution as those of pitman-yor (for d = 0, those of crp)",
    source: "J. Sethuraman, A constructive definition of Dirichlet priors (1994); J. Pitman, M. Yor, The two-parameter \
             Poisson-Dirichlet distribution derived from a stable subordinator (1997)",
    cost: "one random number and O(log pieces) time per point; for each piece, one random number if \
        d = 0 and a few otherwise. There are about θ ln n pieces for d = 0, and on the order of \
        n^(d / (1 - d)) for d > 0, at most 2^23",
    parameters: &[
        Parameter { range: "0 to 2^27", help: "number of points on the stick", ..CUSTOMERS },
        Parameter {
            range: "at least -discount + 10^-300, at most 10^6",
            help: "strength; larger values give more pieces",
            ..THETA
        },
        Parameter {
            help: "discount: the d of the Beta distribution; larger values give more pieces",
            default: Some("0"),
            ..DISCOUNT
        },
    ],
    encodings: &["futu"],
    values: ValueKind::Labels,
    statistic: "the number of points on each piece, largest first",
    make: |row, given, encoding| {
        let n = given.count("n", 0, MAX_POINTS.into())?;
        let process = StickBreaking::new(n, given.number("theta"), given.number("discount"))?;
        Ok(Model::new(row, encoding, process))
    },
};

/// Returns true if this number of terms is enough for any run of the partition; the fast implementations don't count
/// terms.
fn enough(terms: u64, partition: &Partition) -> bool {
    terms >= 2 * u64::from(partition.n())
}

/// Implements the traits for processes that have a faster implementation for labels, which makes the same draws.
macro_rules! urns {
    ($($type:ty),*) => {$(
        impl Registered for $type {
            fn value(labels: Vec<u32>) -> Value {
                Value::Labels(labels)
            }

            fn labels(
                &self,
                words: &mut (impl RandomSource + ?Sized),
                limits: &Limits<'_>,
                labels: &mut Vec<u32>,
            ) -> Option<Result<(), Error>> {
                enough(limits.terms, &self.partition())
                    .then(|| <$type>::labels(self, words, labels, limits.watch))
            }
        }

        impl Facts for $type {
            fn width(&self) -> Width {
                Width::Fixed(self.partition().n() as usize)
            }

            fn partition(&self) -> Option<Partition> {
                Some(self.partition())
            }

            fn exact(&self, limits: &Limits<'_>) -> Result<Exact<Value>, Error> {
                enumerated(self, limits, Value::Labels)
            }
        }
    )*};
}
urns!(Crp, PitmanYor, HoppeUrn);

impl Registered for CrpTables {
    fn value(labels: Vec<u32>) -> Value {
        Value::Labels(labels)
    }
}

impl Facts for CrpTables {
    fn width(&self) -> Width {
        Width::Fixed(self.crp().n() as usize)
    }

    fn partition(&self) -> Option<Partition> {
        Some(self.crp().partition())
    }

    /// Uniform terms cannot be enumerated, so this uses categorical terms with the same distribution.
    fn exact(&self, limits: &Limits<'_>) -> Result<Exact<Value>, Error> {
        enumerated(&self.enumerable(), limits, Value::Labels)
    }
}

impl Registered for StickBreaking {
    fn value(broken: Broken) -> Value {
        Value::Labels(broken.labels)
    }
}

impl Facts for StickBreaking {
    fn width(&self) -> Width {
        Width::Fixed(self.partition().n() as usize)
    }

    fn partition(&self) -> Option<Partition> {
        Some(self.partition())
    }

    /// Enumerates the Pitman-Yor process, whose labels have the same distribution.
    fn exact(&self, limits: &Limits<'_>) -> Result<Exact<Value>, Error> {
        enumerated(&self.without_sticks(), limits, Value::Labels)
    }

    fn sticks(
        &self,
        words: &mut dyn RandomSource,
        limits: &Limits<'_>,
    ) -> Option<Result<(Vec<f64>, f64), Error>> {
        Some(interpret::sample(self, words, limits).map(|broken| broken.sticks()))
    }
}
