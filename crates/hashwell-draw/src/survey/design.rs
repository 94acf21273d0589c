//! What is to be drawn.

use crate::number::Ratio;

/// A design, with all that it needs to know. Columns are names, whose values whoever reads the rows gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Design {
    /// A fixed number of rows, of all or of each stratum.
    Slots(SlotsDesign),
    /// All rows of a fixed number of values of columns, of all or of each stratum.
    Keys {
        /// Columns of the key.
        columns: Vec<String>,
        /// Keys picked.
        k: usize,
        /// Columns of the strata.
        by: Option<Vec<String>>,
    },
    /// Each row by itself, with this probability.
    Chance(Ratio),
    /// All rows of each value of columns, each value by itself.
    KeyChance {
        /// Columns of the key.
        columns: Vec<String>,
        /// The probability of each value.
        p: Ratio,
    },
    /// Every nth row.
    Every(u64),
    /// All rows in random order.
    Shuffle,
}

/// A sample of a fixed number of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotsDesign {
    /// Rows picked, of all or of each stratum.
    pub k: usize,
    /// How they are.
    pub kind: Kind,
    /// Of rows with weights.
    pub weight: Option<Weight>,
    /// Strata.
    pub by: Option<By>,
}

/// How rows get into slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Each set of k rows with the same chance.
    Equal,
    /// Each slot any row with the same chance.
    Replace,
    /// Drawn one after the other, with chances in proportion to the weights that are left.
    Successive,
    /// Inclusion in proportion to the weight.
    Pps,
    /// Each slot any row with a chance in proportion to its weight.
    WeightedReplace,
}

/// Where weights are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weight {
    /// The column.
    pub column: String,
    /// The weight of rows that have none, as text.
    pub missing: Option<String>,
}

/// Strata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct By {
    /// Columns of the label.
    pub columns: Vec<String>,
    /// k rows in all, not of each stratum.
    pub proportional: bool,
}

impl Design {
    /// The name of the method, in records and states.
    #[must_use]
    pub fn method(&self) -> &'static str {
        match self {
            Self::Slots(slots) => slots.kind.method(),
            Self::Keys { .. } => "ticket",
            Self::Chance(_) => "chance",
            Self::KeyChance { .. } => "bernoulli",
            Self::Every(_) => "every",
            Self::Shuffle => "shuffle",
        }
    }
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Equal, Self::Replace, Self::Successive, Self::Pps, Self::WeightedReplace];

    /// Whether a row may be picked several times.
    #[must_use]
    pub fn replaces(self) -> bool {
        matches!(self, Self::Replace | Self::WeightedReplace)
    }

    /// The name, in records and states.
    #[must_use]
    pub fn method(self) -> &'static str {
        match self {
            Self::Equal => "gap",
            Self::Replace => "replace",
            Self::Successive => "successive",
            Self::Pps => "pps",
            Self::WeightedReplace => "weighted-replace",
        }
    }
}
