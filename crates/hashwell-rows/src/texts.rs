//! Texts of a column that are read ahead of the rows.

use std::ops::Range;

/// Texts of the next rows, read ahead by [`Rows::texts`](crate::Rows::texts).
#[derive(Clone, Copy, Debug, Default)]
pub struct Texts<'a> {
    pub(crate) block: &'a [u8],
    pub(crate) texts: &'a [Range<usize>],
    /// The position where the first row begins, and the positions where rows end.
    pub(crate) begin: usize,
    pub(crate) ends: &'a [usize],
}

impl<'a> Texts<'a> {
    /// The number of texts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Returns true if there are no texts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The text of a row, counted from 0.
    ///
    /// # Panics
    /// Panics if `row` is not less than the number of rows.
    #[inline]
    #[must_use]
    pub fn get(&self, row: usize) -> &'a [u8] {
        &self.block[self.texts[row].clone()]
    }

    /// The bytes of all rows.
    #[must_use]
    pub fn rows(&self) -> &'a [u8] {
        &self.block[self.begin..self.ends.last().copied().unwrap_or(self.begin)]
    }

    /// The bytes of a row, counted from 0. They equal the result of [`Row::bytes`](crate::Row::bytes).
    ///
    /// # Panics
    /// Panics if `row` is not less than the number of rows.
    #[inline]
    #[must_use]
    pub fn row(&self, row: usize) -> &'a [u8] {
        let begin = row.checked_sub(1).map_or(self.begin, |before| self.ends[before]);
        &self.block[begin..self.ends[row]]
    }
}
