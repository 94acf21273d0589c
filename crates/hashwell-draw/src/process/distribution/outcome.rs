//! The outcomes of terms.

/// The outcome of a term.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub enum Outcome {
    /// The outcome of a Bernoulli term (0 or 1), of a categorical term, or of [`Below`](super::Distribution::Below).
    Index(u64),
    /// The outcome of a term whose distribution has a density.
    Real(f64),
    /// The outcome of an observation.
    Nothing,
}

impl Outcome {
    /// Returns true if a Bernoulli term resulted in 1.
    ///
    /// # Panics
    /// Panics in the same cases as [`Outcome::index`].
    #[inline]
    #[must_use]
    pub fn flag(self) -> bool {
        self.index() != 0
    }

    /// Returns the index or integer that was drawn.
    ///
    /// # Panics
    /// Panics if the outcome is of a different kind, which is a bug in the coalgebra: every interpreter passes `next` a
    /// draw that the `distribution` of the same state [admits](super::Distribution::admits).
    #[inline]
    #[must_use]
    pub fn index(self) -> u64 {
        match self {
            Outcome::Index(index) => index,
            Outcome::Real(_) | Outcome::Nothing => {
                panic!("{self:?} is not an index: this state has a different distribution")
            }
        }
    }

    /// Returns the real number that was drawn.
    ///
    /// # Panics
    /// Panics if the outcome is of a different kind, in the same cases as [`Outcome::index`].
    #[inline]
    #[must_use]
    pub fn real(self) -> f64 {
        match self {
            Outcome::Real(real) => real,
            Outcome::Index(_) | Outcome::Nothing => {
                panic!("{self:?} is not real: this state has a different distribution")
            }
        }
    }
}
