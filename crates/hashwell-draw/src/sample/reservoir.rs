//! The interface of all rules that keep rows of a stream.

use crate::Error;

/// A rule that keeps rows of a stream in a fixed number of slots. It does not see the rows, only their number; the
/// caller stores them.
///
/// ```text
/// loop {
///     while skip() > 0 { skip as many rows, report them with passed() }
///     the next row goes into slot enter()
/// }
/// ```
///
/// [`AlgorithmR`](crate::algorithms::AlgorithmR) looks only a limited number of rows ahead, so its `skip` can be above
/// 0 again after these rows. For the other rules, `skip` covers all rows up to the next one that enters, and calling it
/// again costs one comparison.
pub trait Reservoir {
    /// The number of rows to skip before the next one that can enter; `u64::MAX` if no further row enters.
    fn skip(&self) -> u64;

    /// Reports that `rows` rows were skipped without entering.
    ///
    /// # Panics
    /// Panics if they are more than [`Reservoir::skip`].
    fn passed(&mut self, rows: u64);

    /// Lets the next row enter; call this only if [`Reservoir::skip`] is 0. Returns its slot, whose row it displaces;
    /// slots are first filled in order. This also draws when the next row enters.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the random source fails. The row has not entered then, and nothing has
    /// changed except the random source.
    ///
    /// # Panics
    /// Panics if [`Reservoir::skip`] is not 0.
    fn enter(&mut self) -> Result<usize, Error>;

    /// The number of rows seen so far, including those that entered.
    fn seen(&self) -> u64;

    /// The number of slots.
    fn capacity(&self) -> usize;
}

impl<R: Reservoir + ?Sized> Reservoir for &mut R {
    fn skip(&self) -> u64 {
        (**self).skip()
    }

    fn passed(&mut self, rows: u64) {
        (**self).passed(rows);
    }

    fn enter(&mut self) -> Result<usize, Error> {
        (**self).enter()
    }

    fn seen(&self) -> u64 {
        (**self).seen()
    }

    fn capacity(&self) -> usize {
        (**self).capacity()
    }
}
