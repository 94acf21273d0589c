//! The table of sampling methods: the single definition of the options that each method needs and accepts.
//!
//! The command, Python and JavaScript translate their options into [`Part`]s; [`METHODS`] defines which of them can be
//! combined.

use super::kind::Kind;
use super::seed::{SAMPLE, SAMPLE_2};

/// An option of a request for a sample, as it is named in the table of methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The number of rows or keys to pick.
    Size,
    /// The probability with which each row or key is picked.
    Probability,
    /// The step of a systematic sample.
    Every,
    /// Returns all rows in random order.
    Shuffle,
    /// The columns whose values form the key of a row.
    GroupBy,
    /// The column that contains the weights.
    Weight,
    /// The meaning of the weights.
    Weighting,
    /// The default weight, which is used for rows without a weight.
    DefaultWeight,
    /// Samples with replacement.
    Replace,
    /// The columns that define the strata.
    Stratify,
    /// Picks k rows in total. They are divided among the strata in proportion to the number of rows in each stratum.
    Proportional,
    /// The order of the picked rows.
    Order,
    /// Makes it an error to have fewer than k rows.
    Exact,
    /// Reads or writes the state of the sampler.
    State,
    /// Also writes the rows that are not picked.
    Rest,
    /// Prints each row with its ticket.
    Ticket,
    /// The name of the part of the data (shard) from which the sample is drawn.
    Shard,
}

impl Part {
    /// The options that determine how many rows are picked. Every request has exactly one of them.
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

/// The kind of sampler that a method uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A sampler that fills slots.
    Slots(Kind),
    /// The keys with the smallest tickets.
    Keys,
    /// Rows that are picked independently with the same probability. The gaps between them are drawn.
    Chance,
    /// Keys whose tickets are below a bound.
    KeyChance,
    /// Every n-th row.
    Every,
    /// A random permutation of all rows.
    Shuffle,
}

/// The way in which samples of a method are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merging {
    /// Samples of the method cannot be merged exactly, or the method keeps no state.
    No,
    /// Samples are merged like samples without replacement, with new random numbers.
    Equal,
    /// Samples are merged like samples with replacement, with new random numbers.
    Replacing,
    /// Rows are merged by their ranks, which saved states contain.
    Ranks,
    /// Keys are merged by their tickets.
    Tickets,
}

/// A sampling method.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// The name of the method in records and states.
    pub name: &'static str,
    /// One line for help texts and documents.
    pub summary: &'static str,
    /// The sampler.
    pub engine: Engine,
    /// The value of the option [`Part::Weighting`] that selects this method, if the method needs this option.
    pub weighting: Option<&'static str>,
    /// The meaning of a weight in this method, for error messages that explain the values of [`Part::Weighting`]. Empty
    /// for methods without this option.
    pub meaning: &'static str,
    /// The options that a request for this method must have.
    pub needs: &'static [Part],
    /// The other options that a request for this method can have.
    pub takes: &'static [Part],
    /// The way in which samples of this method are merged.
    pub merging: Merging,
    /// True if weights are read as exact decimals instead of floats.
    pub exact_weights: bool,
    /// The algorithm named in records, if several algorithms have the same distribution.
    pub algorithm: Option<&'static str>,
    /// The prefix of the context from which the key of the sample is derived.
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
    /// Finds the method with this name.
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
    /// The method of this kind, from the table [`METHODS`].
    #[must_use]
    pub fn row(self) -> &'static Method {
        Method::of_engine(Engine::Slots(self))
    }

    /// Returns true if a row may be picked several times.
    #[must_use]
    pub fn replaces(self) -> bool {
        self.row().needs(Part::Replace)
    }

    /// The name of this kind's method in records and states.
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
