//! The sizes of a repository's objects, by type. Sums saturate, because declared sizes can be any numbers.

use crate::object::ObjectType;
use crate::store::read::header;
use hashwell_measure::engine::curve::Curve;
use serde::Serialize;
use std::collections::BTreeMap;

/// The upper bounds of the size classes in bytes. A last class, which has no upper bound, is added to these.
pub(crate) const CLASSES: [u64; 6] = [256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 1 << 20];

/// The number of objects of each size, for each of [`ObjectType::ALL`]. The memory is proportional to the number of
/// different sizes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sizes([BTreeMap<u64, u64>; ObjectType::ALL.len()]);

impl Sizes {
    pub(crate) fn add(&mut self, kind: ObjectType, size: u64) {
        let place = ObjectType::ALL.iter().position(|k| *k == kind).expect("every type is listed");
        *self.0[place].entry(size).or_default() += 1;
    }

    pub(crate) fn count(&self) -> u64 {
        self.all().map(|(_, count)| count).sum()
    }

    /// The number of bytes to hash: contents and headers.
    pub(crate) fn stream_bytes(&self) -> u64 {
        sum(self.streams())
    }

    /// The number of bytes to hash for the largest object, or 0 if there are no objects.
    pub(crate) fn largest_stream(&self) -> u64 {
        self.streams().map(|(len, _)| len).max().unwrap_or(0)
    }

    /// The nanoseconds for hashing all objects, as predicted by a curve.
    pub(crate) fn predicted_ns(&self, curve: &Curve) -> f64 {
        self.streams().map(|(len, count)| curve.ns(len) * count as f64).sum()
    }

    /// The nanoseconds for hashing all objects of a type, as predicted by a curve.
    pub(crate) fn predicted_ns_of(&self, kind: ObjectType, curve: &Curve) -> f64 {
        let place = ObjectType::ALL.iter().position(|k| *k == kind).expect("every type is listed");
        let stream = |size: u64| size.saturating_add(header(kind, size).len() as u64);
        self.0[place].iter().map(|(size, count)| curve.ns(stream(*size)) * *count as f64).sum()
    }

    /// For each n, the total number of hashed bytes of objects with 2^n to 2^(n+1) - 1 hashed bytes.
    pub(crate) fn octaves(&self) -> Vec<u64> {
        let mut octaves = Vec::new();
        for (len, count) in self.streams() {
            let n = len.ilog2() as usize;
            octaves.resize(octaves.len().max(n + 1), 0);
            octaves[n] = sum([(octaves[n], 1), (len, count)]);
        }
        octaves
    }

    /// The sizes of contents with their counts.
    fn all(&self) -> impl Iterator<Item = (u64, u64)> {
        self.0.iter().flatten().map(|(size, count)| (*size, *count))
    }

    /// The lengths of hashed messages with their counts.
    fn streams(&self) -> impl Iterator<Item = (u64, u64)> {
        let of = |(kind, sizes): (ObjectType, &BTreeMap<u64, u64>)| {
            let stream = move |(size, count): (&u64, &u64)| {
                (size.saturating_add(header(kind, *size).len() as u64), *count)
            };
            sizes.iter().map(stream).collect::<Vec<_>>()
        };
        ObjectType::ALL.into_iter().zip(&self.0).flat_map(of)
    }

    /// One line for each type that occurs, followed by one for all objects.
    pub(crate) fn table(&self) -> Vec<Line> {
        let mut all = BTreeMap::new();
        for (size, count) in self.all() {
            *all.entry(size).or_default() += count;
        }
        let kinds =
            ObjectType::ALL.map(|kind| kind.name().to_owned()).into_iter().zip(self.0.iter().cloned());
        kinds.chain([("all".to_owned(), all)]).filter_map(|(kind, sizes)| Line::of(kind, &sizes)).collect()
    }
}

/// Objects of one type.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Line {
    /// `commit`, `tree`, `blob`, `tag`, or `all`.
    pub(crate) kind: String,
    pub(crate) count: u64,
    /// The size of the contents in bytes.
    pub(crate) bytes: u64,
    /// The median: the smallest size that at least half of the objects do not exceed.
    pub(crate) p50: u64,
    /// The 90th percentile.
    pub(crate) p90: u64,
    pub(crate) mean: f64,
    pub(crate) max: u64,
    /// The total size in bytes of the objects in each class. The classes are those of [`CLASSES`], and one for larger
    /// objects.
    pub(crate) class_bytes: Vec<u64>,
    /// The number of objects in each class.
    pub(crate) class_counts: Vec<u64>,
}

impl Line {
    fn of(kind: String, sizes: &BTreeMap<u64, u64>) -> Option<Self> {
        let max = *sizes.last_key_value()?.0;
        let count: u64 = sizes.values().sum();
        let bytes = sum(sizes.iter().map(|(size, count)| (*size, *count)));
        let mut class_bytes = vec![0; CLASSES.len() + 1];
        let mut class_counts = class_bytes.clone();
        for (size, count) in sizes {
            let class = CLASSES.partition_point(|end| end < size);
            class_bytes[class] = sum([(class_bytes[class], 1), (*size, *count)]);
            class_counts[class] += count;
        }
        Some(Self {
            kind,
            count,
            bytes,
            p50: quantile_of(sizes, count.div_ceil(2)),
            p90: quantile_of(sizes, (9 * count).div_ceil(10)),
            mean: sizes.iter().map(|(size, count)| *size as f64 * *count as f64).sum::<f64>() / count as f64,
            max,
            class_bytes,
            class_counts,
        })
    }
}

/// The total size of objects with these sizes and counts, or `u64::MAX` if it is larger.
fn sum(sizes: impl IntoIterator<Item = (u64, u64)>) -> u64 {
    sizes.into_iter().fold(0, |sum, (size, count)| sum.saturating_add(size.saturating_mul(count)))
}

/// The size of the object at this position, from 1, in ascending order of size.
fn quantile_of(sizes: &BTreeMap<u64, u64>, place: u64) -> u64 {
    let mut left = place;
    for (size, count) in sizes {
        if left <= *count {
            return *size;
        }
        left -= count;
    }
    unreachable!("the place is within the objects")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_known_sizes() {
        let mut sizes = Sizes::default();
        for size in [300, 200, 256, 257] {
            sizes.add(ObjectType::Commit, size);
        }
        (1..=10).for_each(|n| sizes.add(ObjectType::Blob, 1000 * n));
        sizes.add(ObjectType::Blob, 2_000_000);
        sizes.add(ObjectType::Tree, 0);
        let table = sizes.table();
        let kinds: Vec<&str> = table.iter().map(|line| &*line.kind).collect();
        assert_eq!(kinds, ["commit", "tree", "blob", "all"]);
        let commits = &table[0];
        assert_eq!((commits.count, commits.bytes, commits.p50, commits.p90), (4, 1013, 256, 300));
        assert_eq!(commits.class_bytes, [456, 557, 0, 0, 0, 0, 0]);
        let blobs = &table[2];
        assert_eq!((blobs.p50, blobs.p90, blobs.max), (6000, 10_000, 2_000_000));
        assert_eq!(blobs.mean, 2_055_000.0 / 11.0);
        assert_eq!(blobs.class_counts, [0, 1, 3, 6, 0, 0, 1]);
        let all = &table[3];
        assert_eq!((all.count, all.bytes), (16, 2_056_013));
        // The header of a commit, "commit 300" and a zero byte, has 11 bytes. The other headers are counted in the same
        // way.
        let headers = 4 * 11 + 9 * 10 + 11 + 13 + 7;
        assert_eq!((sizes.count(), sizes.stream_bytes()), (16, 2_056_013 + headers));
    }

    #[test]
    fn sums_end_where_numbers_do() {
        let mut sizes = Sizes::default();
        (0..40).for_each(|_| sizes.add(ObjectType::Blob, 1 << 60));
        sizes.add(ObjectType::Tree, u64::MAX);
        let blobs = &sizes.table()[1];
        assert_eq!((blobs.bytes, blobs.mean, blobs.max), (u64::MAX, (1_u64 << 60) as f64, 1 << 60));
        assert_eq!((sizes.stream_bytes(), sizes.count()), (u64::MAX, 41));
        assert_eq!(sizes.octaves()[60..], [u64::MAX, 0, 0, u64::MAX]);
    }

    #[test]
    fn quantiles_are_those_of_the_sorted_list() {
        for len in 1..40_u64 {
            let values: Vec<u64> = (0..len).map(|n| n * n % 17).collect();
            let mut sizes = Sizes::default();
            values.iter().for_each(|size| sizes.add(ObjectType::Blob, *size));
            let mut sorted = values;
            sorted.sort_unstable();
            let line = &sizes.table()[0];
            assert_eq!(line.p50, sorted[len.div_ceil(2) as usize - 1]);
            assert_eq!(line.p90, sorted[(9 * len).div_ceil(10) as usize - 1]);
        }
    }
}
