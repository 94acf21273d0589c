//! The Pitman-Yor process as an urn with a discount.

use super::ahead::Ahead;
use super::partition::{Partition, seated};
use super::path::{Path, categorical, failure};
use crate::Error;
use crate::process::{Coalgebra, Distribution, Flow, Outcome};
use hashwell::RandomSource;
use hashwell_work::Watch;

/// The partition of the Pitman-Yor process (Pitman and Yor, "The two-parameter Poisson-Dirichlet distribution", 1997)
/// with strength θ and discount d, as an urn. Customer i draws one of the earlier customers. Customers 1 to i - 1 have
/// weight 1, and customer 0 has weight 1 + θ. If the drawn customer did not open a table, customer i joins the table of
/// the drawn customer. If the drawn customer opened a table, customer i opens a new table with probability d,
/// or (θ + d) / (1 + θ) if customer 0 was drawn, and otherwise joins the table of the drawn customer. In total,
/// customer i joins a table of size s with weight s - d, and opens a new table with weight θ + d K, where K is the
/// number of tables.
///
/// The process consumes one random number for each customer except the first, and one more each time that the drawn
/// customer is one who opened a table. With the same random numbers, the first m customers of a longer process sit at
/// the same tables as in a process of m customers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PitmanYor {
    partition: Partition,
}

impl PitmanYor {
    /// Creates a process of n customers, with strength θ and discount d.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if d is less than 0 or at least 1, if θ is not finite, or if θ is at most -d.
    pub fn new(n: u32, theta: f64, discount: f64) -> Result<Self, Error> {
        Ok(Self::of(Partition::new(n, theta, discount)?))
    }

    /// Creates the process whose partition has this distribution.
    #[must_use]
    pub fn of(partition: Partition) -> Self {
        Self { partition }
    }

    /// The distribution of the partition of customers into tables.
    #[must_use]
    pub fn partition(&self) -> Partition {
        self.partition
    }

    /// The probability that a new table is opened if the customer who opened table `label` is drawn.
    fn opens(&self, label: u32) -> f64 {
        let Partition { theta, discount, .. } = self.partition;
        if label == 0 { (theta + discount) / (1.0 + theta) } else { discount }
    }

    /// Appends the table number of each customer to `labels`. Sampling this process as a coalgebra gives the same
    /// labels, but this function takes only O(1) time for each customer. For customer i, let x = u ((i - 1) + (1 + θ)),
    /// where u is the next number drawn by [`unit`](crate::draw::unit). Customer 1 + ⌊x⌋ is drawn if x < i - 1, and
    /// otherwise customer 0.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the random source fails, [`Error::Stopped`] if the watch cancels the call, or
    /// [`Error::Memory`] if n labels or the list of customers who opened tables cannot be allocated.
    pub fn labels(
        &self,
        words: &mut (impl RandomSource + ?Sized),
        labels: &mut Vec<u32>,
        watch: &Watch<'_>,
    ) -> Result<(), Error> {
        seated(labels, self.partition.n, |labels| self.seat(Ahead::new(words, watch), labels))
    }

    fn seat(
        &self,
        mut words: Ahead<'_, impl RandomSource + ?Sized>,
        labels: &mut [u32],
    ) -> Result<(), Error> {
        let Partition { n, theta, .. } = self.partition;
        let mut opened: Vec<u32> = Vec::new();
        for i in 0..n {
            // This customer and each later one need at least one random number.
            let sure = n - i;
            let mut label = opened.len() as u32;
            if i > 0 {
                let others = f64::from(i - 1);
                let mark = words.unit(sure)? * (others + (1.0 + theta));
                let drawn = if mark < others { 1 + mark as u32 } else { 0 };
                let table = labels[drawn as usize];
                let joins = opened[table as usize] != drawn || words.unit(sure)? >= self.opens(table);
                label = if joins { table } else { label };
            }
            if label as usize == opened.len() {
                opened.try_reserve(1).map_err(|_| Error::Memory { what: "the tables" })?;
                opened.push(i);
            }
            labels[i as usize] = label;
        }
        Ok(())
    }

    fn flow(&self, seated: Seated) -> Flow<Seated, Vec<u32>> {
        let done = seated.labels.len() == self.partition.n as usize && !seated.refused();
        if done { Flow::Done(seated.labels.into_items()) } else { Flow::More(seated) }
    }
}

/// The tables of the customers seated so far.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Seated {
    labels: Path<u32>,
    /// The customer who opened each table.
    opened: Path<u32>,
    /// The table of the drawn customer, if that customer opened it.
    drawn: Option<u32>,
}

impl Seated {
    fn refused(&self) -> bool {
        self.labels.refused() || self.opened.refused()
    }

    fn seat(&mut self, table: u32) {
        if table as usize == self.opened.len() {
            self.opened.push(self.labels.len() as u32);
        }
        self.labels.push(table);
    }
}

impl Coalgebra for PitmanYor {
    type State = Seated;
    type Out = Vec<u32>;

    fn start(&self) -> Flow<Seated, Vec<u32>> {
        let mut seated = Seated { labels: Path::default(), opened: Path::default(), drawn: None };
        if self.partition.n > 0 {
            seated.seat(0);
        }
        self.flow(seated)
    }

    fn distribution<'a>(&'a self, seated: &'a Seated) -> Distribution<'a> {
        match seated.drawn {
            _ if seated.refused() => failure(),
            Some(table) => Distribution::Bernoulli(self.opens(table)),
            None => {
                let seats = seated.labels.len();
                let weight = |at| if at + 1 < seats { 1.0 } else { 1.0 + self.partition.theta };
                categorical(false, (0..seats).map(weight))
            }
        }
    }

    fn next(&self, mut seated: Seated, draw: Outcome) -> Flow<Seated, Vec<u32>> {
        match seated.drawn.take() {
            Some(table) => seated.seat(if draw.flag() { seated.opened.len() as u32 } else { table }),
            None => {
                let last = seated.labels.len() - 1;
                let drawn = match draw.index() as usize {
                    index if index == last => 0,
                    index => index + 1,
                };
                let table = seated.labels[drawn];
                if seated.opened[table as usize] as usize == drawn {
                    seated.drawn = Some(table);
                } else {
                    seated.seat(table);
                }
            }
        }
        self.flow(seated)
    }

    #[inline]
    fn lacks_memory(&self, state: &Seated) -> bool {
        state.refused()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If there is no memory for labels or tables, the next distribution fails, even after the last customer.
    #[test]
    fn refused_memory_fails_at_the_next_term() {
        let process = PitmanYor::new(3, 1.0, 0.5).unwrap();
        let refuse: [fn(&mut Seated); 2] =
            [|seated| seated.labels.resize(usize::MAX, 0), |seated| seated.opened.resize(usize::MAX, 0)];
        for refuse in refuse {
            let Flow::More(seated) = process.start() else { panic!("somebody is to come") };
            let Flow::More(mut seated) = process.next(seated, Outcome::Index(0)) else {
                panic!("she opened a table")
            };
            refuse(&mut seated);
            // Two customers cannot be recorded: the second and the third one.
            let mut places = vec![seated];
            for draw in [Outcome::Index(0), Outcome::Index(0)] {
                let Flow::More(seated) = process.next(places[0].clone(), draw) else {
                    panic!("it has no memory")
                };
                places.push(seated);
            }
            assert!(
                places.iter().all(|seated| matches!(process.distribution(seated), Distribution::NoMemory(_)))
            );
        }
    }
}
