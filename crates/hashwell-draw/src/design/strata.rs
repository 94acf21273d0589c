//! Stratified samples.

use crate::draw::below;
use crate::order::sort_places;
use crate::sample::Reservoir;
use crate::{Error, RandomSource};
use std::collections::BTreeMap;

/// Keeps a sampler for each stratum, which is created when the first row of the stratum comes. If each stratum has its
/// own random numbers ([`Key::stratum`](crate::Key::stratum)), the sample of a stratum depends only on the rows of this
/// stratum.
///
/// ```
/// use hashwell_draw::{Key, design::Strata, key::OPEN_LIST, sample::SkipReservoir};
///
/// let key = Key::derive(b"0877", b"audit", &OPEN_LIST);
/// let mut strata = Strata::new(|label: &[u8]| SkipReservoir::new(key.stratum(label).words(), 2));
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
    /// Creates an empty set of strata. `make` creates the sampler for a label, which can have any length.
    pub fn new(make: F) -> Self {
        Self { make, strata: BTreeMap::new() }
    }

    /// Offers the next row, which belongs to the stratum with this label. Returns the slot that the row takes in the
    /// stratum's sampler, or `None` if it takes none.
    ///
    /// # Errors
    /// Returns the error of `make`, or [`Error::RandomSource`] if the random source fails.
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

    /// The label and the sampler of each stratum, in the order of the labels' bytes.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &R)> {
        self.strata.iter().map(|(label, sampler)| (&**label, sampler))
    }
}

/// Divides k rows among strata in proportion to their sizes. The shares are rounded at random (systematic rounding), so
/// the expected share of a stratum is exactly k·size/n, where n is the sum of all sizes, and every row has the
/// inclusion probability k/n. The shares are in the order of `strata`. No share exceeds the size of its stratum. If k
/// exceeds n, each share is the whole stratum.
///
/// Each stratum gets ⌊k·size/n⌋ rows, and some strata get one more. To select these strata, segments with the lengths
/// k·size mod n are laid end to end on a line, in the order of the labels' bytes. A stratum gets one more row if one of
/// the points r, r + n, r + 2n, … lies on its segment, where r = [`below`]\(n). A segment includes its start and
/// excludes its end. Consumes the random numbers of one call of [`below`], or none if there are no rows.
///
/// ```
/// use hashwell_draw::{Key, design::allocate, key::OPEN_LIST};
///
/// let mut words = Key::derive(b"0877", b"audit", &OPEN_LIST).allocation().words();
/// let shares = allocate(&mut words, 7, &[(b"a".as_slice(), 10), (b"b", 10), (b"c", 1)])?;
/// assert_eq!(shares, [3, 4, 0]);
/// # Ok::<(), hashwell_draw::Error>(())
/// ```
///
/// # Errors
/// Returns [`Error::OutOfRange`] if the strata have 2^64 rows or more in total, or if a label is repeated. Returns
/// [`Error::RandomSource`] if the random source fails, or [`Error::Memory`] if an allocation fails.
pub fn allocate<L: AsRef<[u8]>>(
    words: &mut (impl RandomSource + ?Sized),
    k: u64,
    strata: &[(L, u64)],
) -> Result<Vec<u64>, Error> {
    let n: u128 = strata.iter().map(|(_, size)| u128::from(*size)).sum();
    if n > u128::from(u64::MAX) {
        return Err(Error::range("the total number of rows in all strata", "below 2^64", n));
    }
    let mut order = Vec::new();
    let mut shares = Vec::new();
    let room = order.try_reserve_exact(strata.len()).and(shares.try_reserve_exact(strata.len()));
    room.map_err(|_| Error::Memory { what: "the strata" })?;
    order.extend(0..strata.len());
    let label = |at: usize| strata[at].0.as_ref();
    sort_places(&mut order, &|a, b| label(a).cmp(label(b)));
    if let Some(twice) = order.windows(2).find(|pair| label(pair[0]) == label(pair[1])) {
        return Err(Error::range(
            "the labels of the strata",
            "unique",
            format!("{:?} twice", String::from_utf8_lossy(label(twice[0]))),
        ));
    }
    shares.resize(strata.len(), 0);
    if n == 0 {
        return Ok(shares);
    }
    let k = u128::from(k).min(n);
    // The distance from the start of the next segment to the next point.
    let mut ahead = u128::from(below(words, n as u64)?);
    for at in order {
        let share = k * u128::from(strata[at].1);
        let piece = share % n;
        let is_hit = ahead < piece;
        shares[at] = (share / n) as u64 + u64::from(is_hit);
        ahead = ahead + if is_hit { n } else { 0 } - piece;
    }
    Ok(shares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell::random::Tape;

    /// The shares for each random start from 0 to n - 1. All starts are equally likely.
    fn all(k: u64, strata: &[(&str, u64)]) -> Vec<Vec<u64>> {
        let n: u64 = strata.iter().map(|(_, size)| size).sum();
        (0..n).map(|start| allocate(&mut Tape::new(&[start]), k, strata).unwrap()).collect()
    }

    #[test]
    fn pieces_are_in_the_order_of_labels() {
        assert_eq!(all(1, &[("b", 2), ("a", 2)]), [[0, 1], [0, 1], [1, 0], [1, 0]]);
        // The remainders are 4, 4 and 4, with n = 6: the points are 0 and 6, 1 and 7, and so on.
        let thirds = [[1, 1, 0], [1, 1, 0], [1, 0, 1], [1, 0, 1], [0, 1, 1], [0, 1, 1]];
        assert_eq!(all(2, &[("a", 2), ("b", 2), ("c", 2)]), thirds);
        assert_eq!(all(0, &[("a", 1), ("b", 1)]), [[0, 0], [0, 0]]);
        assert_eq!(all(99, &[("a", 1), ("b", 0), ("c", 2)]), [[1, 0, 2]; 3]);
        // The exact shares are 5.3, 2.4 and 2.3.
        let shares = all(10, &[("a", 53), ("b", 24), ("c", 23)]);
        let starts = [29, 30, 69, 70].map(|start| &shares[start][..]);
        assert_eq!(starts, [[6, 2, 2], [5, 3, 2], [5, 3, 2], [5, 2, 3]]);
    }

    #[test]
    fn limits() {
        let mut none = Tape::new(&[]);
        assert_eq!(allocate::<&str>(&mut none, 5, &[]).unwrap(), [0; 0]);
        assert_eq!(allocate(&mut none, 5, &[("", 0)]).unwrap(), [0]);
        assert!(matches!(allocate(&mut none, 5, &[("", 9)]), Err(Error::RandomSource(_))));
        assert!(allocate(&mut none, 1, &[("a", u64::MAX), ("b", 1)]).is_err());
        assert!(allocate(&mut none, 1, &[("a", 1), ("b", 2), ("a", 1)]).is_err());
        let most = [("a", u64::MAX - 1), ("b", 1)];
        assert_eq!(allocate(&mut Tape::new(&[7]), u64::MAX, &most).unwrap(), [u64::MAX - 1, 1]);
        assert_eq!(allocate(&mut Tape::new(&[u64::MAX - 2]), 1, &most).unwrap(), [1, 0]);
        assert_eq!(allocate(&mut Tape::new(&[u64::MAX - 1]), 1, &most).unwrap(), [0, 1]);
    }

    /// A proof on small cases: the shares of a stratum add up to k·size over the n equally likely starts, for every k
    /// and all sizes. Within a stratum, all sets of the same size are equally likely, so every row is included with
    /// probability k/n.
    #[test]
    fn expected_shares_are_exactly_proportional() {
        let mut cases = 0;
        for sizes in 0..6_u64.pow(4) {
            let size = |place: u32| sizes / 6_u64.pow(place) % 6;
            // The order of the labels differs from that of the strata.
            let strata = [("c", size(0)), ("a", size(1)), ("d", size(2)), ("b", size(3))];
            let n: u64 = strata.iter().map(|(_, size)| size).sum();
            for k in 0..=n + 1 {
                let mut sums = [0; 4];
                for shares in all(k, &strata) {
                    assert_eq!(shares.iter().sum::<u64>(), k.min(n));
                    for (((_, size), share), sum) in strata.iter().zip(shares).zip(&mut sums) {
                        let exact = k.min(n) * size;
                        assert!(share <= *size && (exact / n..=exact.div_ceil(n)).contains(&share));
                        *sum += share;
                    }
                }
                assert_eq!(sums, strata.map(|(_, size)| k.min(n) * size), "{k} of {strata:?}");
                cases += 1;
            }
        }
        assert_eq!(cases, 15_552);
    }
}
