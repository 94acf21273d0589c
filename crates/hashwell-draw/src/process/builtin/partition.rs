//! Random partitions: closed forms for the Chinese restaurant process and related processes.

use super::path::{Path, categorical};
use crate::Error;
use crate::error::shown;
use crate::number::ln;
use crate::process::{Coalgebra, Distribution, Flow, Outcome};

/// The distribution of a random partition of n customers into tables, with strength θ and discount d. If c customers
/// are seated at K tables, the next customer joins a table of size s with probability (s - d) / (c + θ), or opens a
/// table with probability (θ + d K) / (c + θ). For d = 0 this is Ewens' distribution (Ewens, "The sampling theory of
/// selectively neutral alleles", 1972). For d > 0, see Pitman, "Exchangeable and partially exchangeable random
/// partitions" (1995), proposition 9.
///
/// As a coalgebra, this is the distribution of the table sizes. The states are multisets of sizes, so an enumeration
/// merges partitions that differ only in their labels. For example, 30 customers have 8.5·10^23 partitions, but only
/// 5604 multisets of table sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partition {
    pub(super) n: u32,
    pub(super) theta: f64,
    pub(super) discount: f64,
}

impl Partition {
    /// Creates the distribution for n customers, strength θ and discount d.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if d is less than 0 or at least 1, if θ is not finite, or if θ is at most -d.
    pub fn new(n: u32, theta: f64, discount: f64) -> Result<Self, Error> {
        if !(0.0..1.0).contains(&discount) {
            return Err(Error::range("discount", "0 to 1, excluding 1", shown(discount)));
        }
        let right = theta > -discount && theta.is_finite();
        let must = "finite and greater than -discount";
        if right { Ok(Self { n, theta, discount }) } else { Err(Error::range("theta", must, shown(theta))) }
    }

    /// The number of customers.
    #[must_use]
    pub fn n(&self) -> u32 {
        self.n
    }

    /// The logarithm of the probability that the customers sit at tables with these labels. The result is -∞ if the
    /// tables are not labelled in the order in which they were opened, or if there is not exactly one label for each
    /// customer. The probability is the exchangeable partition probability function (Pitman 1995, formula 16): the
    /// product of (θ + k d) for k from 1 to K - 1, times the product of (1 - d) … (s - 1 - d) over all tables, divided
    /// by (θ + 1) … (θ + n - 1). This takes O(n) time.
    #[must_use]
    pub fn log_probability(&self, labels: &[u32]) -> f64 {
        if labels.len() != self.n as usize {
            return f64::NEG_INFINITY;
        }
        let mut sizes: Vec<f64> = Vec::new();
        let mut log = 0.0;
        for (&label, seated) in labels.iter().zip(0_u32..) {
            let tables = sizes.len();
            let weight = match sizes.get_mut(label as usize) {
                Some(size) => {
                    *size += 1.0;
                    *size - 1.0 - self.discount
                }
                None if label as usize == tables => {
                    sizes.push(1.0);
                    self.theta + self.discount * f64::from(label)
                }
                None => return f64::NEG_INFINITY,
            };
            if seated > 0 {
                log += ln(weight) - ln(self.theta + f64::from(seated));
            }
        }
        log
    }

    /// The mean and variance of the number of tables, computed customer by customer in O(n) time. For d = 0, the mean
    /// is Σ θ / (θ + i) and the variance is Σ θ i / (θ + i)², where i goes from 0 to n - 1.
    #[must_use]
    pub fn tables(&self) -> (f64, f64) {
        let (mut mean, mut variance) = (f64::from(self.n.min(1)), 0.0);
        for i in 1..self.n {
            let all = self.theta + f64::from(i);
            let new = (self.theta + self.discount * mean) / all;
            variance += variance * 2.0 * self.discount / all + new * (1.0 - new);
            mean += new;
        }
        (mean, variance)
    }

    /// The probability that two given customers share a table: (1 - d) / (1 + θ).
    #[must_use]
    pub fn together(&self) -> f64 {
        (1.0 - self.discount) / (1.0 + self.theta)
    }

    fn flow(&self, sizes: Sizes) -> Flow<Sizes, Vec<i64>> {
        if sizes.customers < self.n || sizes.counts.refused() {
            return Flow::More(sizes);
        }
        let tables = sizes.descending();
        if tables.refused() {
            return Flow::More(Sizes { counts: Path::refusing(), ..sizes });
        }
        Flow::Done(tables.into_items())
    }
}

/// The number of tables of each size.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sizes {
    customers: u32,
    /// Each size with its number of tables, ascending by size; no number is 0.
    counts: Path<(u32, u32)>,
}

impl Sizes {
    /// The sizes of all tables, the largest first.
    fn descending(&self) -> Path<i64> {
        let tables = self.counts.iter().map(|&(_, count)| count as usize).sum();
        let mut all = Path::with_room(tables);
        for &(size, count) in self.counts.iter().rev() {
            all.resize(all.len() + count as usize, i64::from(size));
        }
        all
    }

    /// Adds a table of this size; `at` is the place where the size belongs.
    fn add(&mut self, at: usize, size: u32) {
        match self.counts.get_mut(at) {
            Some((there, count)) if *there == size => *count += 1,
            _ => self.counts.insert(at, (size, 1)),
        }
    }
}

/// The draw is 0 for a new table. Otherwise, it is one more than the index of the table size that grows.
impl Coalgebra for Partition {
    type State = Sizes;
    type Out = Vec<i64>;

    fn start(&self) -> Flow<Sizes, Vec<i64>> {
        let customers = self.n.min(1);
        self.flow(Sizes { customers, counts: Path::of(customers as usize, (1, 1)) })
    }

    fn distribution<'a>(&'a self, sizes: &'a Sizes) -> Distribution<'a> {
        let tables: u32 = sizes.counts.iter().map(|&(_, count)| count).sum();
        let open = self.theta + self.discount * f64::from(tables);
        let join = |(size, count): (u32, u32)| (f64::from(size) - self.discount) * f64::from(count);
        let weight = |at: usize| at.checked_sub(1).map_or(open, |place| join(sizes.counts[place]));
        categorical(sizes.counts.refused(), (0..sizes.counts.len() + 1).map(weight))
    }

    fn next(&self, mut sizes: Sizes, draw: Outcome) -> Flow<Sizes, Vec<i64>> {
        sizes.customers += 1;
        match draw.index() as usize {
            0 => sizes.add(0, 1),
            place => {
                let (size, count) = sizes.counts[place - 1];
                sizes.add(place, size + 1);
                if count > 1 {
                    sizes.counts[place - 1].1 -= 1;
                } else {
                    sizes.counts.remove(place - 1);
                }
            }
        }
        self.flow(sizes)
    }

    #[inline]
    fn lacks_memory(&self, state: &Sizes) -> bool {
        state.counts.refused()
    }
}

/// Appends the labels that `seat` returns for n customers. An error leaves `labels` unchanged.
pub(super) fn seated(
    labels: &mut Vec<u32>,
    n: u32,
    seat: impl FnOnce(&mut [u32]) -> Result<(), Error>,
) -> Result<(), Error> {
    reserve(labels, n as usize)?;
    let before = labels.len();
    labels.resize(before + n as usize, 0);
    seat(&mut labels[before..]).inspect_err(|_| labels.truncate(before))
}

/// Reserves memory for `count` more labels.
pub(super) fn reserve<T>(labels: &mut Vec<T>, count: usize) -> Result<(), Error> {
    labels.try_reserve(count).map_err(|_| Error::Memory { what: "the labels of customers" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_memory_holds_is_refused() {
        for count in [usize::MAX, isize::MAX as usize, isize::MAX as usize / 4 + 1] {
            let refused = reserve::<u32>(&mut Vec::new(), count).unwrap_err();
            assert_eq!(refused.to_string(), "not enough memory for the labels of customers");
        }
        let mut labels = vec![7];
        let failed = seated(&mut labels, 3, |_| Err(Error::Memory { what: "a test" }));
        assert_eq!((failed.is_err(), labels), (true, vec![7]));
    }
}
