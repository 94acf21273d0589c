//! One sort of places for whatever is sorted once and away from hot loops.
//!
//! A comparison of its own is a sort of its own, and each takes 5 to 10 KB of the program.

use std::cmp::Ordering;

/// Sorts places by what stands at them; equal ones stay in their order. Costs a call for each comparison.
pub(crate) fn sort_places(places: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    places.sort_by(|&a, &b| compare(a, b));
}

/// The places from 0 to `count` in the order of what stands at them, equal ones from the first on.
pub(crate) fn places_in_order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    sort_places(&mut places, compare);
    places
}
