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
/// an urn (Blackwell and MacQueen, "Ferguson distributions via Pólya urn schemes", 1973): customer i copies the table
/// of an earlier customer, each of whom has weight 1, or opens a new table with weight α. Consumes one random number
/// for each customer except the first, whose table is certain. The first m customers of a longer process have the same
/// tables as in CRP(m) with the same random numbers.
///
/// The term of customer i is a categorical one with i ones and α; [`Crp::labels`] draws the same labels in O(1) for
/// each customer.
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

    /// The distribution of its partition, with strength α and discount 0.
    #[must_use]
    pub fn partition(&self) -> Partition {
        Partition { n: self.n, theta: self.alpha, discount: 0.0 }
    }

    /// Appends the table number of each customer to `labels`. Tables are numbered from 0 in the order in which they are
    /// opened. Sampling the coalgebra gives the same result. With i customers seated, let x = u (i + α) for the next
    /// [`unit`](crate::draw::unit) u. If x >= i, the customer opens a table; otherwise customer ⌊x⌋ is copied.
    ///
    /// # Errors
    /// Returns [`Error::RandomSource`], [`Error::Stopped`] if the watch cancels it, or [`Error::Memory`] for n labels
    /// and 3 n bytes. After an error, `labels` is unchanged.
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

/// The seating so far.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Seated {
    /// If memory runs out, the labels stay incomplete, and the run never ends normally.
    labels: Path<u32>,
    tables: u32,
}

/// The draw is the index of the customer who is copied, or the number of customers for a new table.
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
