//! The samplers of a fixed number of rows.

/// A sampler that fills slots with rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Every set of k rows has the same probability.
    Equal,
    /// Each slot holds any row with the same probability.
    Replace,
    /// Rows are drawn one after the other, with probabilities proportional to the weights that are left.
    Successive,
    /// The inclusion probability is proportional to the weight.
    Pps,
    /// Each slot holds any row with a probability proportional to its weight.
    WeightedReplace,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::Equal, Self::Replace, Self::Successive, Self::Pps, Self::WeightedReplace];
}
