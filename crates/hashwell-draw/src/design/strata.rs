//! Samples stratum by stratum.

use crate::Error;
use crate::order::sort_places;
use crate::sample::Reservoir;
use std::collections::BTreeMap;

/// A sampler for each stratum, made when its first row comes. A stratum's rows are a stream of their own: with words of
/// its own ([`Key::stratum`](crate::Key::stratum)) its sample depends on nothing but them.
///
/// ```
/// use hashwell_draw::{Key, design::Strata, key::OPEN_FRAME, sample::Gap};
///
/// let key = Key::derive(b"0877", b"audit", &OPEN_FRAME);
/// let mut strata = Strata::new(|label: &[u8]| Gap::new(key.stratum(label).words(), 2));
/// for (label, slot) in [("north", 0), ("south", 0), ("north", 1)] {
///     assert_eq!(strata.offer(label.as_bytes())?, Some(slot));
/// }
/// # Ok::<(), hashwell_draw::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Strata<R, F> {
    make: F,
    strata: BTreeMap<Box<[u8]>, R>,
}

impl<R: Reservoir, F: FnMut(&[u8]) -> Result<R, Error>> Strata<R, F> {
    /// No strata yet; `make` makes the sampler of a label, of any size.
    pub fn new(make: F) -> Self {
        Self { make, strata: BTreeMap::new() }
    }

    /// The next row: the slot of its stratum that it takes, if it does.
    ///
    /// # Errors
    /// What `make` says, and [`Error::Words`].
    pub fn offer(&mut self, label: &[u8]) -> Result<Option<usize>, Error> {
        if !self.strata.contains_key(label) {
            self.strata.insert(label.into(), (self.make)(label)?);
        }
        let Some(sampler) = self.strata.get_mut(label) else { return Ok(None) };
        if sampler.skip() == 0 {
            return sampler.enter().map(Some);
        }
        sampler.passed(1);
        Ok(None)
    }

    /// The strata in the order of their labels' bytes.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &R)> {
        self.strata.iter().map(|(label, sampler)| (&**label, sampler))
    }
}

/// k rows shared among strata of these sizes in proportion: each gets ⌊k·size/n⌋, and one more those with the largest
/// remainders k·size mod n, of equal ones the one whose label's bytes come first (Hamilton's method). Shares come in the
/// order of the sizes; none exceeds its stratum, and if k exceeds n each has all its rows.
///
/// ```
/// use hashwell_draw::design::allocate;
///
/// assert_eq!(allocate(7, &[(b"a".as_slice(), 10), (b"b", 10), (b"c", 1)])?, [4, 3, 0]);
/// # Ok::<(), hashwell_draw::Error>(())
/// ```
///
/// # Errors
/// [`Error::OutOfRange`] for strata of 2^64 rows together, or a label that stands there twice; [`Error::Memory`].
pub fn allocate<L: AsRef<[u8]>>(k: u64, strata: &[(L, u64)]) -> Result<Vec<u64>, Error> {
    let n: u128 = strata.iter().map(|(_, size)| u128::from(*size)).sum();
    if n > u128::from(u64::MAX) {
        return Err(Error::range("the rows of all strata", "below 2^64", n));
    }
    let mut order = Vec::new();
    let mut shares = Vec::new();
    let room = order.try_reserve_exact(strata.len()).and(shares.try_reserve_exact(strata.len()));
    room.map_err(|_| Error::Memory { what: "the strata" })?;
    let k = u128::from(k).min(n);
    shares.extend(strata.iter().map(|(_, size)| k * u128::from(*size)));
    order.extend(0..strata.len());
    let label = |at: usize| strata[at].0.as_ref();
    sort_places(&mut order, &|a, b| label(a).cmp(label(b)));
    if let Some(twice) = order.windows(2).find(|pair| label(pair[0]) == label(pair[1])) {
        return Err(Error::range(
            "a label",
            "of one stratum",
            format!("{:?}", String::from_utf8_lossy(label(twice[0]))),
        ));
    }
    if n == 0 {
        return Ok(vec![0; strata.len()]);
    }
    // Stable: of equal remainders the first label stays first.
    sort_places(&mut order, &|a, b| (shares[b] % n).cmp(&(shares[a] % n)));
    let mut whole: Vec<u64> = shares.iter().map(|share| (share / n) as u64).collect();
    let left = k as u64 - whole.iter().sum::<u64>();
    order.iter().take(left as usize).for_each(|&at| whole[at] += 1);
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_are_shared_by_size_then_label() {
        let of = |k, sizes: &[(&str, u64)]| allocate(k, sizes).unwrap();
        assert_eq!(of(0, &[("a", 5), ("b", 5)]), [0, 0]);
        assert_eq!(of(1, &[("b", 5), ("a", 5)]), [0, 1]);
        assert_eq!(of(3, &[("c", 1), ("b", 1), ("a", 1), ("d", 1)]), [1, 1, 1, 0]);
        assert_eq!(of(10, &[("a", 53), ("b", 24), ("c", 23)]), [5, 3, 2]);
        assert_eq!(of(99, &[("a", 3), ("b", 0), ("c", 4)]), [3, 0, 4]);
        assert_eq!(of(5, &[]), [0; 0]);
        assert_eq!(of(5, &[("", 0)]), [0]);
        assert_eq!(of(u64::MAX, &[("a", u64::MAX - 1), ("b", 1)]), [u64::MAX - 1, 1]);
        assert!(allocate(1, &[("a", u64::MAX), ("b", 1)]).is_err());
        assert!(allocate(1, &[("a", 1), ("b", 2), ("a", 1)]).is_err());
    }

    #[test]
    fn all_are_given_and_nobody_gets_more_than_a_row_off() {
        for k in 0..60 {
            let sizes = [("a", 7), ("b", 19), ("c", 1), ("d", 23), ("e", 7)];
            let shares = allocate(k, &sizes).unwrap();
            assert_eq!(shares.iter().sum::<u64>(), k.min(57));
            for ((_, size), share) in sizes.iter().zip(shares) {
                let exact = k.min(57) as f64 * *size as f64 / 57.0;
                assert!(share <= *size && (share as f64 - exact).abs() < 1.0);
            }
        }
    }
}
