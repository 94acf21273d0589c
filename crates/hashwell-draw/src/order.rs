//! Sorting functions that keep WebAssembly modules small: outside hot loops, and everywhere in WebAssembly, all sorts
//! share one implementation.
//!
//! For every comparison function, the compiler generates a separate sort, of 5 to 10 KB of code. In WebAssembly,
//! downloading that code takes longer than calling a function for each comparison.

use std::cmp::Ordering;

/// Stable sort of indices, by a comparison of the items to which they refer. Each comparison costs a function call.
pub(crate) fn sort_places(places: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    places.sort_by(|&a, &b| compare(a, b));
}

/// The indices 0 to `count` - 1 in sorted order; equal ones keep their order.
pub(crate) fn places_in_order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    sort_places(&mut places, compare);
    places
}

/// Sorts items; equal ones may be reordered.
pub(crate) fn sort_unstable<T: Ord>(items: &mut [T]) {
    if cfg!(target_family = "wasm") {
        sort_by_places(items, T::cmp);
    } else {
        // Don't pass `T::cmp`: for numbers, the compiler makes a branchless sort of this call, and shares it with other
        // calls.
        items.sort_unstable();
    }
}

/// Sorts items; equal ones may be reordered.
pub(crate) fn sort_unstable_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if cfg!(target_family = "wasm") {
        sort_by_places(items, compare);
    } else {
        items.sort_unstable_by(compare);
    }
}

/// Sorts items; equal ones keep their order.
pub(crate) fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if cfg!(target_family = "wasm") {
        sort_by_places(items, compare);
    } else {
        items.sort_by(compare);
    }
}

/// Moves the `count` smallest items, at least one, to the front, in any order.
pub(crate) fn smallest_first<T: Ord>(items: &mut [T], count: usize) {
    if cfg!(target_family = "wasm") {
        sort_unstable(items);
    } else {
        items.select_nth_unstable(count - 1);
    }
}

/// Sorts the indices with the shared sort, then moves each item to its place.
fn sort_by_places<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut places = places_in_order(items.len(), &|a, b| compare(&items[a], &items[b]));
    for start in 0..items.len() {
        // Follow the cycle of moves until it returns to its start.
        let mut to = start;
        loop {
            let from = std::mem::replace(&mut places[to], to);
            if from == start {
                break;
            }
            items.swap(to, from);
            to = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sorted_is_in_order() {
        let given = [5, 3, 9, 3, 1, 7];
        let by = |sort: &dyn Fn(&mut [i32])| {
            let mut items = given;
            sort(&mut items);
            items
        };
        assert_eq!(by(&|items| sort_unstable(items)), [1, 3, 3, 5, 7, 9]);
        assert_eq!(by(&|items| sort_unstable_by(items, |a, b| b.cmp(a))), [9, 7, 5, 3, 3, 1]);
        assert_eq!(
            by(&|items| sort_by(items, |a, b| (a / 4).cmp(&(b / 4)))),
            [3, 3, 1, 5, 7, 9],
            "a stable one"
        );
        assert_eq!(places_in_order(6, &|a, b| given[a].cmp(&given[b])), [4, 1, 3, 0, 5, 2]);
        for count in 1..=given.len() {
            let mut least = by(&|items| smallest_first(items, count));
            least[..count].sort_unstable();
            assert_eq!(least[..count], [1, 3, 3, 5, 7, 9][..count]);
        }
    }

    /// The replacements for the library's sorts in WebAssembly give the same result, also for equal items.
    #[test]
    fn by_places_is_a_stable_sort() {
        let mut state = 1_u32;
        for len in (0..40).chain([1000]) {
            let mut items: Vec<(u32, usize)> = (0..len)
                .map(|at| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (state >> 28, at)
                })
                .collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            sort_by_places(&mut items, |a, b| a.0.cmp(&b.0));
            assert_eq!(items, expected);
        }
    }
}
