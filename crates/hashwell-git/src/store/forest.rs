//! The dependencies between the entries of a pack. They form trees of deltas, each with an object that is not a delta
//! as its root; malicious packs can also contain cycles. Everything here takes time and memory proportional to the
//! number of entries.

use crate::object::ObjectType;
use std::collections::TryReserveError;

/// The index of an entry among those of the pack, in order of their offsets. [`NONE`] means no entry.
pub(super) type Rank = u32;
pub(super) const NONE: Rank = Rank::MAX;

/// The type of an entry, as its header declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Root(ObjectType),
    DeltaOf(Rank),
    /// The entry cannot be read.
    Broken,
}

/// The reason why the type of an entry's object is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    /// The root of its tree, or a delta on the way to it, cannot be read.
    Broken,
    /// It is in a cycle of deltas, or depends on one.
    Circle,
}

/// The trees of deltas.
pub(super) struct Forest {
    base: Vec<Rank>,
    kinds: Vec<Result<ObjectType, Unknown>>,
    /// For each entry, the position in `deltas` at which its deltas begin. They end where those of the next entry
    /// begin.
    first: Vec<Rank>,
    deltas: Vec<Rank>,
    /// All entries, each after its base, except those that depend on cycles.
    order: Vec<Rank>,
}

/// A vector with `count` copies of `value`, if there is enough memory.
pub(super) fn filled<T: Clone>(count: usize, value: T) -> Result<Vec<T>, TryReserveError> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(count)?;
    vector.resize(count, value);
    Ok(vector)
}

impl Forest {
    /// # Errors
    /// Returns an error if there is not enough memory.
    pub(super) fn new(nodes: &[Node]) -> Result<Self, TryReserveError> {
        let count = nodes.len();
        let mut base = filled(count, NONE)?;
        let mut kinds = filled(count, Err(Unknown::Circle))?;
        let mut first: Vec<Rank> = filled(count + 1, 0)?;
        for (rank, node) in nodes.iter().enumerate() {
            match *node {
                Node::Root(kind) => kinds[rank] = Ok(kind),
                Node::DeltaOf(of) => {
                    base[rank] = of;
                    first[of as usize] += 1;
                }
                Node::Broken => kinds[rank] = Err(Unknown::Broken),
            }
        }
        // `first` has the number of deltas of each entry. Turn these numbers into the ends of the ranges. Inserting the
        // deltas from last to first then moves each end to the beginning of its range.
        let mut sum = 0;
        for place in &mut first {
            sum += *place;
            *place = sum;
        }
        let mut deltas = filled(sum as usize, NONE)?;
        for rank in (0..count).rev().filter(|rank| base[*rank] != NONE) {
            let place = &mut first[base[rank] as usize];
            *place -= 1;
            deltas[*place as usize] = rank as Rank;
        }
        let mut order = Vec::new();
        order.try_reserve_exact(count)?;
        order.extend((0..count as Rank).filter(|rank| base[*rank as usize] == NONE));
        let mut forest = Self { base, kinds, first, deltas, order };
        let mut done = 0;
        while let Some(rank) = forest.order.get(done).copied() {
            done += 1;
            for place in forest.places(rank) {
                let delta = forest.deltas[place];
                forest.kinds[delta as usize] = forest.kinds[rank as usize];
                forest.order.push(delta);
            }
        }
        Ok(forest)
    }

    /// The entries that are not deltas, or that cannot be read.
    pub(super) fn roots(&self) -> impl Iterator<Item = Rank> {
        self.order.iter().copied().take_while(|rank| self.base[*rank as usize] == NONE)
    }

    /// The type of the object that an entry contains.
    pub(super) fn kind(&self, rank: Rank) -> Result<ObjectType, Unknown> {
        self.kinds[rank as usize]
    }

    pub(super) fn base(&self, rank: Rank) -> Option<Rank> {
        Some(self.base[rank as usize]).filter(|base| *base != NONE)
    }

    pub(super) fn deltas(&self, rank: Rank) -> &[Rank] {
        &self.deltas[self.places(rank)]
    }

    fn places(&self, rank: Rank) -> std::ops::Range<usize> {
        self.first[rank as usize] as usize..self.first[rank as usize + 1] as usize
    }

    /// The entries that are in no tree: those in cycles, and those that depend on cycles.
    pub(super) fn rootless(&self) -> impl Iterator<Item = Rank> {
        let circle = |(_, kind): &(Rank, &Result<ObjectType, Unknown>)| **kind == Err(Unknown::Circle);
        (0..).zip(&self.kinds).filter(circle).map(|(rank, _)| rank)
    }

    /// For each cycle of deltas, its first entry and its length.
    pub(super) fn circles(&self) -> Vec<(Rank, usize)> {
        let rootless: Vec<Rank> = self.rootless().collect();
        let mut fresh = vec![false; if rootless.is_empty() { 0 } else { self.base.len() }];
        rootless.iter().for_each(|rank| fresh[*rank as usize] = true);
        let mut circles = Vec::new();
        for mut rank in rootless {
            let mut path = Vec::new();
            while std::mem::replace(&mut fresh[rank as usize], false) {
                path.push(rank);
                rank = self.base[rank as usize];
            }
            if let Some(start) = path.iter().position(|seen| *seen == rank) {
                let circle = &path[start..];
                circles.push((*circle.iter().min().expect("it is not empty"), circle.len()));
            }
        }
        circles
    }

    /// For each entry, the number of `wanted` entries that depend on it, including itself. The delta on which most
    /// entries depend is moved to the end of its base's deltas, because the base is no longer needed when its last
    /// delta has been computed. With n entries, the number of bases that must be kept at the same time is then at most
    /// the number of binary digits of n, however long the chains are.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory.
    pub(super) fn needed(&mut self, wanted: &[bool]) -> Result<Vec<Rank>, TryReserveError> {
        let mut needed: Vec<Rank> = filled(wanted.len(), 0)?;
        for rank in self.order.iter().rev().copied() {
            needed[rank as usize] += Rank::from(wanted[rank as usize]);
            if let Some(base) = self.base(rank) {
                needed[base as usize] += needed[rank as usize];
            }
            let places = self.places(rank);
            let deltas = &mut self.deltas[places];
            if let Some(most) = (0..deltas.len()).max_by_key(|i| needed[deltas[*i] as usize]) {
                deltas[most..].rotate_left(1);
            }
        }
        Ok(needed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Node::{Broken, DeltaOf, Root};

    #[test]
    fn kinds_come_from_roots() {
        let nodes = [
            DeltaOf(3),
            DeltaOf(0),
            Broken,
            Root(ObjectType::Tree),
            DeltaOf(2),
            DeltaOf(3),
            Root(ObjectType::Tag),
        ];
        let forest = Forest::new(&nodes).unwrap();
        let kinds: Vec<_> = (0..7).map(|rank| forest.kind(rank)).collect();
        let (tree, broken) = (Ok(ObjectType::Tree), Err(Unknown::Broken));
        assert_eq!(kinds, [tree, tree, broken, tree, broken, tree, Ok(ObjectType::Tag)]);
        assert_eq!(forest.deltas(3), [0, 5]);
        assert_eq!((forest.base(1), forest.base(2)), (Some(0), None));
        assert_eq!(forest.roots().collect::<Vec<_>>(), [2, 3, 6]);
        assert_eq!((forest.rootless().count(), forest.circles()), (0, vec![]));
    }

    #[test]
    fn circles_are_found_once_each() {
        // 1 -> 4 -> 2 -> 1 is a cycle, on which 0 and 7 depend; 5 -> 5 is a cycle; 3 is valid; 8 <-> 9 is a cycle.
        let of = [4, 4, 1, NONE, 2, 5, 3, 0, 9, 8];
        let node = |of: &Rank| if *of == NONE { Root(ObjectType::Blob) } else { DeltaOf(*of) };
        let forest = Forest::new(&of.iter().map(node).collect::<Vec<_>>()).unwrap();
        assert_eq!(forest.circles(), [(1, 3), (5, 1), (8, 2)]);
        assert_eq!(forest.rootless().collect::<Vec<_>>(), [0, 1, 2, 4, 5, 7, 8, 9]);
        assert_eq!((forest.kind(6), forest.kind(0)), (Ok(ObjectType::Blob), Err(Unknown::Circle)));
        let long: Vec<Node> = (0..100_000).map(|rank| DeltaOf((rank + 1) % 100_000)).collect();
        assert_eq!(Forest::new(&long).unwrap().circles(), [(0, 100_000)]);
    }

    #[test]
    fn the_delta_that_most_need_comes_last() {
        // 0 has the deltas 1, 2 and 5; 2 has 3, which has 4.
        let nodes = [Root(ObjectType::Blob), DeltaOf(0), DeltaOf(0), DeltaOf(2), DeltaOf(3), DeltaOf(0)];
        let mut forest = Forest::new(&nodes).unwrap();
        assert_eq!(forest.needed(&[true; 6]).unwrap(), [6, 1, 3, 2, 1, 1]);
        assert_eq!(forest.deltas(0), [1, 5, 2]);
        let mut forest = Forest::new(&nodes).unwrap();
        let wanted = [false, false, false, true, false, true];
        assert_eq!(forest.needed(&wanted).unwrap(), [2, 0, 1, 1, 0, 1]);
        assert_eq!(forest.deltas(0), [1, 2, 5]);
    }
}
