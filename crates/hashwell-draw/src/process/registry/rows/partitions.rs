//! Random partitions: restaurants, urns and sticks.

use crate::Error;
use crate::process::interpret;
use crate::process::interpret::{Exact, Limit};
use crate::process::model::{
    Broken, Crp, CrpTables, HoppeUrn, MOST_POINTS, Partition, PitmanYor, Seating, StickBreaking,
};
use crate::process::registry::built::built;
use crate::process::registry::built_in::{BuiltIn, enumerated};
use crate::process::registry::columns::Width;
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
const THETA: Parameter = Parameter {
    name: "theta",
    symbol: "θ",
    kind: Kind::Number,
    range: "more than minus the discount",
    help: "the strength: the larger, the more tables",
    default: Some("1"),
};
const DISCOUNT: Parameter = Parameter {
    name: "discount",
    symbol: "d",
    kind: Kind::Number,
    range: "0 to 1, without 1",
    help: "what each table's weight is lessened by, in favour of new ones",
    default: None,
};
const SIZES: &str = "the sizes of the tables, the largest first";

pub(in crate::process::registry) static CRP: ProcessRow = ProcessRow {
    name: "crp",
    title: "Chinese restaurant process",
    law: "with i customers seated, the next one sits down at a table of s with chance s / (i + α), at a new one with \
          α / (i + α): P(partition) = α^K Π (s - 1)! / (α (α + 1) … (α + n - 1)) for K tables",
    source: "D. Aldous, Exchangeability and related topics (1985), section 11; W. Ewens, The sampling theory of \
             selectively neutral alleles (1972)",
    cost: "urn: one word and constant time a customer; the others O(K) a customer for K tables, one word (ana) or up to two; the \
           first customer takes no word",
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
    statistic: SIZES,
    make: |row, given, encoding| {
        let (n, alpha) = (given.count("n", 0, u32::MAX.into())?, given.number("alpha"));
        let seating = match row.encodings[encoding] {
            "futu" => Seating::Futu,
            "ana" => Seating::Ana,
            "futu-categorical" => Seating::FutuCategorical,
            _ => return Ok(built(row, encoding, Crp::new(n, alpha)?)),
        };
        Ok(built(row, encoding, CrpTables::new(n, alpha, seating)?))
    },
};

pub(in crate::process::registry) static PITMAN_YOR: ProcessRow = ProcessRow {
    name: "pitman-yor",
    title: "Pitman-Yor process",
    law: "with i customers seated at K tables, the next one sits down at a table of s with chance (s - d) / (i + θ), at a \
          new one with (θ + d K) / (i + θ)",
    source: "J. Pitman, M. Yor, The two-parameter Poisson-Dirichlet distribution derived from a stable subordinator \
             (1997); J. Pitman, Exchangeable and partially exchangeable random partitions (1995), formula 16",
    cost: "one or two words and constant time a customer; the first takes no word",
    parameters: &[CUSTOMERS, THETA, DISCOUNT],
    encodings: &["urn"],
    outcome: Outcome::Labels,
    statistic: SIZES,
    make: |row, given, encoding| {
        let n = given.count("n", 0, u32::MAX.into())?;
        let process = PitmanYor::new(n, given.number("theta"), given.number("discount"))?;
        Ok(built(row, encoding, process))
    },
};

pub(in crate::process::registry) static HOPPE_URN: ProcessRow = ProcessRow {
    name: "hoppe-urn",
    title: "Hoppe's urn",
    law: "of a black ball of weight θ and i coloured ones of weight 1 one is drawn: the black one goes back with a ball of \
          a new colour, a coloured one with another of its colour; the colours have the law of crp with α = θ",
    source: "F. Hoppe, Pólya-like urns and the Ewens' sampling formula (1984)",
    cost: "one or two words and constant time a draw",
    parameters: &[
        Parameter { help: "how many balls are drawn", ..CUSTOMERS },
        Parameter { range: "more than 0", help: "the weight of the black ball", ..THETA },
    ],
    encodings: &["futu"],
    outcome: Outcome::Labels,
    statistic: "how many balls each colour has, the most frequent first",
    make: |row, given, encoding| {
        let n = given.count("n", 0, u32::MAX.into())?;
        Ok(built(row, encoding, HoppeUrn::new(n, given.number("theta"))?))
    },
};

pub(in crate::process::registry) static STICK_BREAKING: ProcessRow = ProcessRow {
    name: "stick-breaking",
    title: "Stick-breaking",
    law: "n points on a stick of length 1; piece k is the part V_k of what is left, V_k of the law Beta(1 - d, θ + k d), \
          broken off when a point lies beyond; points on a piece share a label, in law as pitman-yor's, with d = 0 as \
          crp's",
    source: "J. Sethuraman, A constructive definition of Dirichlet priors (1994); J. Pitman, M. Yor, The two-parameter \
             Poisson-Dirichlet distribution derived from a stable subordinator (1997)",
    cost: "one word and O(log pieces) a point, one word (d = 0) or a few a piece; θ ln n pieces about with d = 0, of order \
           n^(d / (1 - d)) with d > 0, at most 2^23",
    parameters: &[
        Parameter { range: "0 to 2^27", help: "how many points fall on the stick", ..CUSTOMERS },
        Parameter { range: "more than minus the discount by at least 10^-300, at most 10^6", ..THETA },
        Parameter { default: Some("0"), ..DISCOUNT },
    ],
    encodings: &["futu"],
    outcome: Outcome::Labels,
    statistic: "how many points each piece has, the most first",
    make: |row, given, encoding| {
        let n = given.count("n", 0, MOST_POINTS.into())?;
        let process = StickBreaking::new(n, given.number("theta"), given.number("discount"))?;
        Ok(built(row, encoding, process))
    },
};

/// Whether so many terms are enough for any run of the partition: a native way counts none.
fn enough(terms: u64, partition: &Partition) -> bool {
    terms >= 2 * u64::from(partition.n())
}

/// Processes with a native way to their labels, equal draw for draw.
macro_rules! urns {
    ($($type:ty),*) => {$(
        impl BuiltIn for $type {
            fn value(labels: Vec<u32>) -> Value {
                Value::Labels(labels)
            }

            fn width(&self) -> Width {
                Width::Fixed(self.partition().n() as usize)
            }

            fn quick_labels(
                &self,
                words: &mut (impl Words + ?Sized),
                terms: u64,
                labels: &mut Vec<u32>,
            ) -> Option<Result<(), Error>> {
                enough(terms, &self.partition()).then(|| self.labels(words, labels))
            }

            fn partition(&self) -> Option<Partition> {
                Some(self.partition())
            }

            fn exact(&self, limit: &Limit) -> Result<Exact<Value>, Error> {
                enumerated(self, limit, Value::Labels)
            }
        }
    )*};
}
urns!(Crp, PitmanYor, HoppeUrn);

impl BuiltIn for CrpTables {
    fn value(labels: Vec<u32>) -> Value {
        Value::Labels(labels)
    }

    fn width(&self) -> Width {
        Width::Fixed(self.crp().n() as usize)
    }

    fn partition(&self) -> Option<Partition> {
        Some(self.crp().partition())
    }

    /// For its uniform terms' sake with the categorical terms that draw the same.
    fn exact(&self, limit: &Limit) -> Result<Exact<Value>, Error> {
        enumerated(&self.enumerable(), limit, Value::Labels)
    }
}

impl BuiltIn for StickBreaking {
    fn value(broken: Broken) -> Value {
        Value::Labels(broken.labels)
    }

    fn width(&self) -> Width {
        Width::Fixed(self.partition().n() as usize)
    }

    fn partition(&self) -> Option<Partition> {
        Some(self.partition())
    }

    /// That of the Pitman-Yor process, which the labels have.
    fn exact(&self, limit: &Limit) -> Result<Exact<Value>, Error> {
        enumerated(&self.without_sticks(), limit, Value::Labels)
    }

    fn sticks(&self, words: &mut dyn Words) -> Option<Result<(Vec<f64>, f64), Error>> {
        Some(interpret::sample(self, words).map(|broken| broken.sticks()))
    }
}
