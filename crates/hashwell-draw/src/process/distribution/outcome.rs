//! The outcomes of terms.

/// The outcome of a term.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub enum Outcome {
    /// The outcome of Bernoulli terms (0 or 1), categorical terms and bounded integers.
    Index(u64),
    /// The outcome of distributions with a density.
    Real(f64),
    /// The outcome of observations.
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

    /// The index or integer.
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

    /// The real number.
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
