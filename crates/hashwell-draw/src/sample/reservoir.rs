//! What all rules that keep rows of a stream have in common.

use crate::Error;

/// A rule that keeps rows of a stream in a fixed number of slots. It sees no row, only how many went by; whoever has
/// the rows keeps them.
///
/// ```text
/// loop {
///     while skip() > 0 { pass over as many rows, tell passed() }
///     the next row goes into slot enter()
/// }
/// ```
///
/// [`AlgorithmR`](crate::algorithms::AlgorithmR) looks a limited number of rows ahead, so that its `skip` may be above 0
/// again after all of it was passed; of the others it is the whole way to the next row that enters, and asking again is
/// a comparison.
pub trait Reservoir {
    /// Rows to pass over before the next that can enter; `u64::MAX` says that none does any more.
    fn skip(&self) -> u64;

    /// So many rows went by without entering.
    ///
    /// # Panics
    /// If they are more than [`Reservoir::skip`].
    fn passed(&mut self, rows: u64);

    /// The next row enters, which is right only where [`Reservoir::skip`] is 0. Returns its slot, whose row it
    /// displaces; slots are filled in order first. What enters next is decided here.
    ///
    /// # Errors
    /// [`Error::RandomSource`]. The row has not entered then, and nothing has changed but the words.
    ///
    /// # Panics
    /// If [`Reservoir::skip`] is not 0.
    fn enter(&mut self) -> Result<usize, Error>;

    /// Rows seen so far, those that entered among them.
    fn seen(&self) -> u64;

    /// Slots.
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
