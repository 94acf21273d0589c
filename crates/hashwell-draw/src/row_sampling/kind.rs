//! The samplers of a fixed number of rows.

/// A sampler that fills slots with rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Every set of k rows has the same probability.
    Equal,
    /// Every row has the same probability of being in a slot (sampling with replacement).
    Replace,
    /// Rows are drawn one after the other. The probability that a row is drawn next is proportional to its weight,
    /// among the rows that are left.
    Successive,
    /// The inclusion probability of a row is proportional to its weight.
    Pps,
    /// The probability that a slot holds a row is proportional to the row's weight (sampling with replacement).
    WeightedReplace,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::Equal, Self::Replace, Self::Successive, Self::Pps, Self::WeightedReplace];
}
