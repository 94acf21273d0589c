//! Samples in which every row has the same chance.

use crate::Error;

/// A rule that keeps rows of a stream in a fixed number of slots. It sees no row, only how many went by; whoever has
/// the rows keeps them.
///
/// ```text
/// loop { pass over `skip()` rows, tell `passed`; the next row goes into slot `enter()` }
/// ```
pub trait Reservoir {
    /// Rows to pass over before the next that enters; `u64::MAX` says that none does any more.
    fn skip(&self) -> u64;

    /// So many rows went by without entering.
    ///
    /// # Panics
    /// If they are more than [`Reservoir::skip`].
    fn passed(&mut self, rows: u64);

    /// The next row enters, which is right only where [`Reservoir::skip`] is 0. Returns its slot, whose row it displaces; slots
    /// are filled in order first. What enters next is decided here.
    ///
    /// # Errors
    /// [`Error::Words`].
    fn enter(&mut self) -> Result<usize, Error>;

    /// Rows seen so far, those that entered among them.
    fn seen(&self) -> u64;

    /// Slots.
    fn capacity(&self) -> usize;
}
