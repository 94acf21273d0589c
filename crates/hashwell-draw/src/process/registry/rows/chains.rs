//! Chains on the integers.

use crate::Error;
use crate::process::builtin::{Chain, GamblersRuin, Keep, MAX_POINTS, MarkovChain, Moran, RandomWalk, Walk};
use crate::process::interpret::{Exact, Limits};
use crate::process::registry::arguments::{Kind, Parameter};
use crate::process::registry::columns::Width;
use crate::process::registry::model::Model;
use crate::process::registry::model::ModelEntry;
use crate::process::registry::registered::{Facts, Registered, enumerated};
use crate::process::registry::value::{Value, ValueKind};

const STEPS: Parameter = Parameter {
    name: "n",
    symbol: "n",
    kind: Kind::Whole,
    range: "0 to 2^27 - 1",
    help: "number of steps",
    default: None,
};
const MAX_STEPS: i64 = MAX_POINTS as i64 - 1;
const UP: Parameter = Parameter {
    name: "p",
    symbol: "p",
    kind: Kind::Number,
    range: "0 to 1",
    help: "probability of a step up",
    default: Some("0.5"),
};
const START: Parameter = Parameter {
    name: "start",
    symbol: "i",
    kind: Kind::Whole,
    range: "an integer whose absolute value is below 2^53",
    help: "initial position",
    default: Some("0"),
};

pub(in crate::process::registry) static RANDOM_WALK: ModelEntry = ModelEntry {
    name: "random-walk",
    title: "Random walk",
    distribution: "A walk of n steps. Each step is +1 with probability p and -1 otherwise, so P(end = start + 2 k - \
        n) = C(n, k) p^k (1 - p)^(n - k). The value is the path, including the start",
    source: "W. Feller, An Introduction to Probability Theory I, III",
    cost: "one random number per step",
    parameters: &[STEPS, UP, START],
    encodings: &["ana"],
    values: ValueKind::Wholes,
    statistic: "the final position",
    make: |row, given, encoding| {
        let n = given.count("n", 0, MAX_STEPS)?;
        let walk = RandomWalk::new(n, given.number("p"), given.whole("start"))?;
        Ok(Model::new(row, encoding, Walk::new(walk, Keep::All)))
    },
};

pub(in crate::process::registry) static GAMBLERS_RUIN: ModelEntry = ModelEntry {
    name: "gamblers-ruin",
    title: "Gambler's ruin",
    distribution: "A fortune, initially i, changes by +1 with probability p and by -1 otherwise, until it is 0 or \
        the target N. P(ruin) = (r^i - r^N) / (1 - r^N) with r = (1 - p) / p, and 1 - i / N for p = 1/2. The value is \
        the sequence of fortunes",
    source: "W. Feller, An Introduction to Probability Theory I, XIV.2 and XIV.3",
    cost: "one random number per game; on average i (N - i) games for p = 1/2, otherwise (i - N P(target)) \
        / (1 - 2 p)",
    parameters: &[
        Parameter { range: "0 to the target", help: "initial fortune", default: None, ..START },
        Parameter {
            name: "target",
            symbol: "N",
            kind: Kind::Whole,
            range: "0 to 2^32 - 1",
            help: "fortune at which the game ends",
            default: None,
        },
        Parameter { help: "probability of winning a game", ..UP },
    ],
    encodings: &["apo"],
    values: ValueKind::Wholes,
    statistic: "the final fortune",
    make: |row, given, encoding| {
        let (start, target) =
            (given.count("start", 0, u32::MAX.into())?, given.count("target", 0, u32::MAX.into())?);
        let game = GamblersRuin::new(start, target, given.number("p"))?;
        Ok(Model::new(row, encoding, Walk::new(game, Keep::All)))
    },
};

pub(in crate::process::registry) static MARKOV_CHAIN: ModelEntry = ModelEntry {
    name: "markov-chain",
    title: "Markov chain",
    distribution: "A chain of n steps on the states 0 to S - 1. The entry in row i and column j of the matrix is \
        the probability of going from state i to state j. The value is the sequence of states, including \
        the first",
    source: "W. Feller, An Introduction to Probability Theory I, XV",
    cost: "one random number and O(S) time per step",
    parameters: &[
        Parameter {
            name: "transition",
            symbol: "A",
            kind: Kind::Matrix,
            range: "S rows of S probabilities that sum to 1",
            help: "transition probabilities, one row per state",
            default: None,
        },
        STEPS,
        Parameter { range: "0 to S - 1", help: "initial state", ..START },
    ],
    encodings: &["ana"],
    values: ValueKind::Wholes,
    statistic: "the final state",
    make: |row, given, encoding| {
        let n = given.count("n", 0, MAX_STEPS)?;
        let chain = MarkovChain::new(given.matrix("transition"), given.whole("start"), n)?;
        Ok(Model::new(row, encoding, Walk::new(chain, Keep::All)))
    },
};

pub(in crate::process::registry) static MORAN: ModelEntry = ModelEntry {
    name: "moran",
    title: "Moran process",
    distribution: "A population of n individuals, of whom i carry a gene. At each step one individual reproduces, \
        with weight r for carriers and 1 for others, and its child replaces an individual chosen \
        uniformly. The process ends when all or none carry the gene. P(all) = (1 - r^-i) / (1 - r^-n), \
        and i / n for r = 1. The value is the sequence of carrier counts",
    source: "P. Moran, Random processes in genetics (1958)",
    cost: "one random number per step; for r = 1, on average n (1 + 1/2 + … + 1/(n - 1)) steps from one \
        carrier, and about 0.69 n² from n / 2",
    parameters: &[
        Parameter { range: "1 to 2^31", help: "number of individuals", default: None, ..STEPS },
        Parameter { range: "0 to n", help: "initial number of carriers", default: Some("1"), ..START },
        Parameter {
            name: "fitness",
            symbol: "r",
            kind: Kind::Number,
            range: "1e-9 to 1e9",
            help: "reproductive weight of a carrier",
            default: Some("1"),
        },
    ],
    encodings: &["ana"],
    values: ValueKind::Wholes,
    statistic: "the final number of carriers",
    make: |row, given, encoding| {
        let (n, start) = (given.count("n", 1, Moran::MOST)?, given.count("start", 0, Moran::MOST)?);
        let model = Moran::new(n, start, given.number("fitness"))?;
        Ok(Model::new(row, encoding, Walk::new(model, Keep::All)))
    },
};

/// The closed forms of a chain.
trait Known: Chain + Clone + Send + Sync {
    fn moments(&self) -> Vec<(&'static str, f64)>;
}

impl Known for RandomWalk {
    fn moments(&self) -> Vec<(&'static str, f64)> {
        let (mean, variance) = self.end();
        vec![("mean of the last value", mean), ("variance of the last value", variance)]
    }
}

impl Known for GamblersRuin {
    fn moments(&self) -> Vec<(&'static str, f64)> {
        vec![("probability of ruin", self.ruin()), ("expected number of games", self.games())]
    }
}

impl Known for MarkovChain {
    fn moments(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}

impl Known for Moran {
    fn moments(&self) -> Vec<(&'static str, f64)> {
        vec![("probability of fixation", self.fixation())]
    }
}

impl<C: Known> Registered for Walk<C> {
    fn value(path: Vec<i64>) -> Value {
        Value::Wholes(path)
    }
}

impl<C: Known> Facts for Walk<C> {
    fn width(&self) -> Width {
        self.chain().steps().map_or(Width::Ragged, |steps| Width::Fixed(steps as usize + 1))
    }

    fn exact(&self, limits: &Limits<'_>) -> Result<Exact<Value>, Error> {
        enumerated(self, limits, Value::Wholes)
    }

    fn exact_statistic(&self, limits: &Limits<'_>) -> Result<Exact<Value>, Error> {
        enumerated(&self.summary(), limits, Value::last)
    }

    fn log_probability(&self, value: &Value) -> Option<f64> {
        let Value::Wholes(path) = value else { return None };
        Some(Walk::log_probability(self, path))
    }

    fn moments(&self) -> Vec<(&'static str, f64)> {
        self.chain().moments()
    }
}
