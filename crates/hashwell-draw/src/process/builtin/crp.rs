//! The Chinese restaurant process as an urn.

use super::check;
use super::partition::Partition;
use super::path::{Path, categorical};
use super::urn;
use crate::Error;
use crate::process::{Coalgebra, Distribution, Flow, Outcome};
use hashwell::RandomSource;
use hashwell_work::Watch;

/// The Chinese restaurant process of n customers (D. Aldous, Exchangeability and related topics, 1985, section 11), as
/// an urn (Blackwell and MacQueen, "Ferguson distributions via Pólya urn schemes", 1973). Customer i joins the table of
/// an earlier customer or opens a new table. Each earlier customer has weight 1, and the new table has weight α.
///
/// The process consumes one random number for each customer except the first, whose table is certain. With the same
/// random numbers, the first m customers of a longer process sit at the same tables as in a process of m customers.
///
/// Customers are numbered from 0. The term of customer i is categorical, with i weights of 1 followed by the weight α.
/// [`Crp::labels`] draws the same labels in O(1) time for each customer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crp {
    n: u32,
    alpha: f64,
}

impl Crp {
    /// Creates a process of n customers in which a new table has weight α.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] unless α is finite and positive.
    pub fn new(n: u32, alpha: f64) -> Result<Self, Error> {
        Ok(Self { n, alpha: check::positive("alpha", alpha)? })
    }

    /// The number of customers.
    #[must_use]
    pub fn n(&self) -> u32 {
        self.n
    }

    /// The weight of a new table.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The distribution of the partition of customers into tables, with strength α and discount 0.
    #[must_use]
    pub fn partition(&self) -> Partition {
        Partition { n: self.n, theta: self.alpha, discount: 0.0 }
    }

    /// Appends the table number of each customer to `labels`. Tables are numbered from 0 in the order in which they are
    /// opened. Sampling this process as a coalgebra gives the same labels. If i customers are seated, let
    /// x = u (i + α), where u is the next number drawn by [`unit`](crate::draw::unit). The next customer opens a table
    /// if x >= i, and otherwise joins the table of customer ⌊x⌋.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`] if the random source fails, [`Error::Stopped`] if the watch cancels the call, or
    /// [`Error::Memory`] if n labels and another 3 n bytes cannot be allocated. After an error, `labels` is unchanged.
    #[inline]
    pub fn labels(
        &self,
        words: &mut (impl RandomSource + ?Sized),
        labels: &mut Vec<u32>,
        watch: &Watch<'_>,
    ) -> Result<(), Error> {
        urn::labels(self.n, self.alpha, words, labels, watch)
    }

    fn flow(&self, seated: Seated) -> Flow<Seated, Vec<u32>> {
        let done = seated.labels.len() == self.n as usize;
        if done { Flow::Done(seated.labels.into_items()) } else { Flow::More(seated) }
    }
}

/// The tables of the customers seated so far.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Seated {
    /// If memory runs out, the labels are incomplete, and the run ends with an error.
    labels: Path<u32>,
    tables: u32,
}

/// The draw is the index of the customer whose table is joined, or the number of seated customers if a new table is
/// opened.
impl Coalgebra for Crp {
    type State = Seated;
    type Out = Vec<u32>;

    fn start(&self) -> Flow<Seated, Vec<u32>> {
        let mut seated = Seated { labels: Path::default(), tables: self.n.min(1) };
        seated.labels.resize(seated.tables as usize, 0);
        self.flow(seated)
    }

    fn distribution<'a>(&'a self, seated: &'a Seated) -> Distribution<'a> {
        let seats = seated.labels.len();
        let weight = |at| if at < seats { 1.0 } else { self.alpha };
        categorical(seated.labels.refused(), (0..seats + 1).map(weight))
    }

    fn next(&self, mut seated: Seated, draw: Outcome) -> Flow<Seated, Vec<u32>> {
        match seated.labels.get(draw.index() as usize) {
            Some(&table) => seated.labels.push(table),
            None => {
                seated.labels.push(seated.tables);
                seated.tables += 1;
            }
        }
        self.flow(seated)
    }

    #[inline]
    fn lacks_memory(&self, state: &Seated) -> bool {
        state.labels.refused()
    }
}
