//! The table of sampling methods: the single definition of the options that each method needs and accepts.
//!
//! The command, Python and JavaScript translate their options into [`Part`]s; [`METHODS`] defines which of them can be
//! combined.

use super::kind::Kind;
use super::seed::{SAMPLE, SAMPLE_2};

/// An option that appears in the rules of methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The number of rows, or of keys.
    Size,
    /// The probability of each row, or of each key.
    Probability,
    /// The step of a systematic sample.
    Every,
    /// All rows in random order.
    Shuffle,
    /// The columns of the key.
    GroupBy,
    /// The column of the weights.
    Weight,
    /// The meaning of the weights.
    Weighting,
    /// The weight of rows without a weight.
    DefaultWeight,
    /// Sampling with replacement.
    Replace,
    /// The columns of the strata.
    Stratify,
    /// k rows in total, divided among the strata in proportion to their numbers of rows.
    Proportional,
    /// The order of the picked rows.
    Order,
    /// Having fewer than k rows is an error.
    Exact,
    /// The state of the sampler is read or written.
    State,
    /// The rows that are not picked are also written.
    Rest,
    /// Each row is printed with its ticket.
    Ticket,
    /// The name of a part of the data.
    Shard,
}

impl Part {
    /// The options of which every request has exactly one.
    pub const AMOUNTS: [Self; 4] = [Self::Size, Self::Probability, Self::Every, Self::Shuffle];

    /// All options, in the order in which conflicts are searched for.
    pub(super) const ALL: [Self; 17] = [
        Self::Size,
        Self::Probability,
        Self::Every,
        Self::Shuffle,
        Self::GroupBy,
        Self::Weight,
        Self::Replace,
        Self::Weighting,
        Self::Stratify,
        Self::Proportional,
        Self::DefaultWeight,
        Self::Exact,
        Self::Order,
        Self::State,
        Self::Rest,
        Self::Ticket,
        Self::Shard,
    ];
}

/// The sampler of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A sampler that fills slots.
    Slots(Kind),
    /// The keys with the smallest tickets.
    Keys,
    /// The gaps between rows that are picked with a probability.
    Chance,
    /// Keys whose tickets are below a bound.
    KeyChance,
    /// Every n-th row.
    Every,
    /// A permutation of all rows.
    Shuffle,
}

/// The way in which samples of a method are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merging {
    /// They cannot be merged, or no state is kept between rows.
    No,
    /// Like samples without replacement, with new random numbers.
    Equal,
    /// Like samples with replacement, with new random numbers.
    Replacing,
    /// By the ranks of the rows, which states contain.
    Ranks,
    /// By the tickets of the keys.
    Tickets,
}

/// A sampling method.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// The name, in records and states.
    pub name: &'static str,
    /// One line for help texts and documents.
    pub summary: &'static str,
    /// The sampler.
    pub engine: Engine,
    /// The value of the option that gives the meaning of the weights.
    pub weighting: Option<&'static str>,
    /// For weighted methods: the meaning of a weight, for errors that explain the choice.
    pub meaning: &'static str,
    /// The options that a request for this method must have.
    pub needs: &'static [Part],
    /// The options that it also accepts.
    pub takes: &'static [Part],
    /// The way in which samples are merged.
    pub merging: Merging,
    /// True if weights are read as exact decimals instead of floats.
    pub exact_weights: bool,
    /// The algorithm named in records, if several algorithms have the same distribution.
    pub algorithm: Option<&'static str>,
    /// The beginning of the context of the key.
    pub context: &'static str,
}

/// The options that weighted methods without replacement accept.
const WEIGHTED: &[Part] =
    &[Part::DefaultWeight, Part::Stratify, Part::Exact, Part::Order, Part::State, Part::Rest, Part::Shard];

/// All methods.
pub static METHODS: [Method; 10] = [
    Method {
        name: "gap",
        summary: "k rows; every set of k rows has the same probability",
        engine: Engine::Slots(Kind::Equal),
        weighting: None,
        meaning: "",
        needs: &[Part::Size],
        takes: &[
            Part::Stratify,
            Part::Proportional,
            Part::Exact,
            Part::Order,
            Part::State,
            Part::Rest,
            Part::Shard,
        ],
        merging: Merging::Equal,
        exact_weights: false,
        algorithm: None,
        context: SAMPLE,
    },
    Method {
        name: "replace",
        summary: "k rows with replacement: a row may be picked several times",
        engine: Engine::Slots(Kind::Replace),
        weighting: None,
        meaning: "",
        needs: &[Part::Size, Part::Replace],
        takes: &[Part::Stratify, Part::Exact, Part::Order, Part::State, Part::Shard],
        merging: Merging::Replacing,
        exact_weights: false,
        algorithm: None,
        context: SAMPLE_2,
    },
    Method {
        name: "successive",
        summary: "Rows are drawn one after the other, each time with probabilities proportional to the weights of the remaining rows",
        engine: Engine::Slots(Kind::Successive),
        weighting: Some("successive"),
        meaning: "one row after the other, with less than proportional probabilities for heavy rows",
        needs: &[Part::Size, Part::Weight, Part::Weighting],
        takes: WEIGHTED,
        merging: Merging::Ranks,
        exact_weights: false,
        algorithm: None,
        context: SAMPLE,
    },
    Method {
        name: "pps",
        summary: "The inclusion probability of each row is proportional to its weight",
        engine: Engine::Slots(Kind::Pps),
        weighting: Some("pps"),
        meaning: "with probabilities proportional to the weights",
        needs: &[Part::Size, Part::Weight, Part::Weighting],
        takes: WEIGHTED,
        merging: Merging::No,
        exact_weights: true,
        algorithm: Some("chao"),
        context: SAMPLE_2,
    },
    Method {
        name: "weighted-replace",
        summary: "k rows with replacement, with probabilities proportional to the weights",
        engine: Engine::Slots(Kind::WeightedReplace),
        weighting: None,
        meaning: "",
        needs: &[Part::Size, Part::Weight, Part::Replace],
        takes: &[Part::DefaultWeight, Part::Stratify, Part::Exact, Part::Order, Part::State, Part::Shard],
        merging: Merging::No,
        exact_weights: false,
        algorithm: None,
        context: SAMPLE,
    },
    Method {
        name: "ticket",
        summary: "all rows of k keys, regardless of the order and division of the data",
        engine: Engine::Keys,
        weighting: None,
        meaning: "",
        needs: &[Part::Size, Part::GroupBy],
        takes: &[Part::Stratify, Part::Exact, Part::Order, Part::State, Part::Rest, Part::Ticket],
        merging: Merging::Tickets,
        exact_weights: false,
        algorithm: None,
        context: SAMPLE,
    },
    Method {
        name: "chance",
        summary: "each row with the same probability, independently",
        engine: Engine::Chance,
        weighting: None,
        meaning: "",
        needs: &[Part::Probability],
        takes: &[Part::Rest, Part::Shard],
        merging: Merging::No,
        exact_weights: false,
        algorithm: None,
        context: SAMPLE,
    },
    Method {
        name: "bernoulli",
        summary: "all rows of each key with the same probability, regardless of the order and division of the data",
        engine: Engine::KeyChance,
        weighting: None,
        meaning: "",
        needs: &[Part::Probability, Part::GroupBy],
        takes: &[Part::Rest, Part::Ticket],
        merging: Merging::No,
        exact_weights: false,
        algorithm: None,
        context: SAMPLE,
    },
    Method {
        name: "every",
        summary: "every nth row, starting with a random row",
        engine: Engine::Every,
        weighting: None,
        meaning: "",
        needs: &[Part::Every],
        takes: &[Part::Exact, Part::Rest, Part::Shard],
        merging: Merging::No,
        exact_weights: false,
        algorithm: None,
        context: SAMPLE,
    },
    Method {
        name: "shuffle",
        summary: "all rows in random order",
        engine: Engine::Shuffle,
        weighting: None,
        meaning: "",
        needs: &[Part::Shuffle],
        takes: &[Part::Shard],
        merging: Merging::No,
        exact_weights: false,
        algorithm: None,
        context: SAMPLE,
    },
];

impl Method {
    /// The method of this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<&'static Self> {
        METHODS.iter().find(|method| method.name == name)
    }

    /// Returns true if a request for this method may have this option.
    #[must_use]
    pub fn allows(&self, part: Part) -> bool {
        self.needs.contains(&part) || self.takes.contains(&part)
    }

    /// Returns true if a request for this method must have this option.
    #[must_use]
    pub fn needs(&self, part: Part) -> bool {
        self.needs.contains(&part)
    }

    pub(super) fn of_engine(engine: Engine) -> &'static Self {
        METHODS.iter().find(|method| method.engine == engine).expect("a test looks for each engine")
    }
}

impl Kind {
    /// The method's entry in the table.
    #[must_use]
    pub fn row(self) -> &'static Method {
        Method::of_engine(Engine::Slots(self))
    }

    /// Returns true if a row may be picked several times.
    #[must_use]
    pub fn replaces(self) -> bool {
        self.row().needs(Part::Replace)
    }

    /// The name, in records and states.
    #[must_use]
    pub fn method(self) -> &'static str {
        self.row().name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_engine_has_one_method() {
        let kinds = Kind::ALL.into_iter().map(Engine::Slots);
        let others = [Engine::Keys, Engine::Chance, Engine::KeyChance, Engine::Every, Engine::Shuffle];
        for engine in kinds.chain(others) {
            assert_eq!(METHODS.iter().filter(|method| method.engine == engine).count(), 1, "{engine:?}");
        }
        assert_eq!(METHODS.len(), Kind::ALL.len() + others.len());
    }

    /// No two methods have the same options, so options determine the method.
    #[test]
    fn methods_differ() {
        for (i, one) in METHODS.iter().enumerate() {
            assert_eq!(Part::AMOUNTS.iter().filter(|part| one.needs(**part)).count(), 1, "{}", one.name);
            assert_eq!(one.weighting.is_some(), one.needs(Part::Weighting), "{}", one.name);
            for other in &METHODS[..i] {
                assert_ne!(one.name, other.name);
                assert!(
                    one.needs.len() != other.needs.len()
                        || one.needs.iter().any(|part| !other.needs(*part))
                        || one.weighting != other.weighting,
                    "{} {}",
                    one.name,
                    other.name
                );
            }
        }
    }
}
