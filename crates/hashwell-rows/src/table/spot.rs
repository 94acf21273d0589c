//! The place of a row among files and row groups.

/// Where a row lies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) file: usize,
    pub(super) group: usize,
    /// Its number within the row group.
    pub(super) row: u64,
}
