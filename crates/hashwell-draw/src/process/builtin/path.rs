//! Lists in the states of processes. If memory runs out, a list is marked as incomplete instead of aborting the
//! program.

use crate::process::Distribution;
use std::ops::{Deref, DerefMut};

/// A list that grows by one item for each term. If memory runs out, the list stays incomplete, and the process fails at
/// its next term.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Path<T> {
    items: Vec<T>,
    refused: bool,
}

/// If there is no memory for a copy, the copy is empty and marked as incomplete. Enumerations copy every state, and
/// must not abort the program.
impl<T: Clone> Clone for Path<T> {
    fn clone(&self) -> Self {
        let mut copy = Self { items: Vec::new(), refused: self.refused };
        if copy.items.try_reserve_exact(self.items.len()).is_ok() {
            copy.items.extend_from_slice(&self.items);
        } else {
            copy.refused = true;
        }
        copy
    }
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

    /// An empty path with room for `len` items.
    pub(super) fn with_room(len: usize) -> Self {
        let mut path = Self::default();
        path.refused = path.items.try_reserve_exact(len).is_err();
        path
    }

    /// A path that failed to allocate memory.
    pub(super) fn refusing() -> Self {
        Self { items: Vec::new(), refused: true }
    }

    /// A path of `len` copies of an item.
    pub(super) fn of(len: usize, item: T) -> Self
    where
        T: Clone,
    {
        let mut path = Self::default();
        path.resize(len, item);
        path
    }

    /// Inserts an item at an index.
    pub(super) fn insert(&mut self, at: usize, item: T) {
        if self.reserve(1) {
            self.items.insert(at, item);
        }
    }

    /// Removes the item at an index.
    pub(super) fn remove(&mut self, at: usize) {
        self.items.remove(at);
    }

    /// Returns true if an allocation failed. Then the process must not end with
    /// [`Flow::Done`](crate::process::Flow::Done).
    #[inline]
    pub(super) fn refused(&self) -> bool {
        self.refused
    }

    /// Resizes the path to `len` items; missing items are copies of `item`.
    pub(super) fn resize(&mut self, len: usize, item: T)
    where
        T: Clone,
    {
        if self.reserve(len.saturating_sub(self.len())) {
            self.items.resize(len, item);
        }
    }

    /// Returns the items, if all of them are there.
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

/// A categorical distribution with these weights, or one that fails if the state is incomplete.
pub(super) fn categorical(
    refused: bool,
    weights: impl ExactSizeIterator<Item = f64>,
) -> Distribution<'static> {
    let mut list = Vec::new();
    if refused || list.try_reserve_exact(weights.len()).is_err() {
        return failure();
    }
    list.extend(weights);
    Distribution::Categorical(list.into())
}

/// The distribution that reports an allocation failure.
#[cold]
pub(super) fn failure() -> Distribution<'static> {
    Distribution::NoMemory("a path")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_memory_is_remembered() {
        assert!(Path::<u64>::with_room(usize::MAX).refused() && Path::<u64>::refusing().clone().refused());
        let mut path = Path::default();
        path.push(7_i64);
        path.resize(usize::MAX, 0);
        path.push(8);
        assert!(path.refused());
        assert_eq!(path.into_items(), [7]);
        assert!(matches!(failure(), Distribution::NoMemory(_)));
    }
}
