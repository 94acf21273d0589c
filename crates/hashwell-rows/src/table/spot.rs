//! The place of a row among files and row groups.

/// The place of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) file: usize,
    pub(super) group: usize,
    /// The row's number within the row group.
    pub(super) row: u64,
}
