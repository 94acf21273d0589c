//! The samplers of a fixed number of rows.

/// A sampler that fills slots with rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Each set of k rows with the same probability.
    Equal,
    /// Each slot any row with the same probability.
    Replace,
    /// Drawn one after the other, with probabilities in proportion to the weights that are left.
    Successive,
    /// Inclusion in proportion to the weight.
    Pps,
    /// Each slot any row with a probability in proportion to its weight.
    WeightedReplace,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Equal, Self::Replace, Self::Successive, Self::Pps, Self::WeightedReplace];
}
