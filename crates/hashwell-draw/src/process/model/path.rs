//! Places one after another, in memory that may end.

use crate::Error;
use crate::process::Law;
use std::ops::{Deref, DerefMut};

/// A list that grows by a term. The term after which it has no memory to grow is the last: the process goes on to a law
/// that fails.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path<T> {
    items: Vec<T>,
    refused: bool,
}

impl<T> Default for Path<T> {
    fn default() -> Self {
        Self { items: Vec::new(), refused: false }
    }
}

impl<T> Path<T> {
    #[inline]
    pub(super) fn push(&mut self, item: T) {
        if self.reserve(1) {
            self.items.push(item);
        }
    }

    #[inline]
    fn reserve(&mut self, count: usize) -> bool {
        self.refused |= self.items.try_reserve(count).is_err();
        !self.refused
    }

    /// Whether memory was refused: then the process must not be done.
    #[inline]
    pub(super) fn refused(&self) -> bool {
        self.refused
    }

    /// So many items, the missing ones as this.
    pub(super) fn resize(&mut self, len: usize, item: T)
    where
        T: Clone,
    {
        if self.reserve(len.saturating_sub(self.len())) {
            self.items.resize(len, item);
        }
    }

    /// The items, where all of them are there.
    #[inline]
    pub(super) fn into_items(self) -> Vec<T> {
        self.items
    }
}

impl<T> Deref for Path<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T> DerefMut for Path<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

/// The law that says that memory was refused.
#[cold]
pub(super) fn failure() -> Law<'static> {
    Law::Fail(Box::new(Error::Memory { what: "a path" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_memory_is_remembered() {
        let mut path = Path::default();
        path.push(7_i64);
        path.resize(usize::MAX, 0);
        path.push(8);
        assert!(path.refused());
        assert_eq!(path.into_items(), [7]);
        assert!(matches!(failure(), Law::Fail(_)));
    }
}
