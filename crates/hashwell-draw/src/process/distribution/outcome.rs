//! What comes of the terms.

/// What came of a term.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub enum Outcome {
    /// Of Bernoulli (0 or 1), categorical and bounded integers.
    Index(u64),
    /// Of laws with a density.
    Real(f64),
    /// Of an observation.
    Nothing,
}

impl Outcome {
    /// Whether a Bernoulli term came out as 1.
    ///
    /// # Panics
    /// As [`Outcome::index`].
    #[inline]
    #[must_use]
    pub fn flag(self) -> bool {
        self.index() != 0
    }

    /// The index or whole number.
    ///
    /// # Panics
    /// If the term has another kind of draw, which is a mistake of the coalgebra: every interpreter gives `next` a draw
    /// that `law` of the same state [admits](Distribution::admits).
    #[inline]
    #[must_use]
    pub fn index(self) -> u64 {
        match self {
            Outcome::Index(index) => index,
            Outcome::Real(_) | Outcome::Nothing => {
                panic!("{self:?} is not an index: the law of this state is another")
            }
        }
    }

    /// The real number.
    ///
    /// # Panics
    /// As [`Outcome::index`].
    #[inline]
    #[must_use]
    pub fn real(self) -> f64 {
        match self {
            Outcome::Real(real) => real,
            Outcome::Index(_) | Outcome::Nothing => {
                panic!("{self:?} is not real: the law of this state is another")
            }
        }
    }
}
