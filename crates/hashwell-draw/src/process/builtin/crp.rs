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
/// an urn (Blackwell and MacQueen, "Ferguson distributions via Pólya urn schemes", 1973): customer i copies the table of
/// an earlier customer, each of whom has weight 1, or opens a table with weight α. One word a customer but for the first,
/// who sits down without one. The first m customers of a longer process are those of CRP(m) of the same words.
///
/// The term of customer i is a categorical one of i ones and α; [`Crp::labels`] draws the same in O(1) a customer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crp {
    n: u32,
    alpha: f64,
}

impl Crp {
    /// The process of n customers and weight α of a new table.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless α is finite and more than 0.
    pub fn new(n: u32, alpha: f64) -> Result<Self, Error> {
        Ok(Self { n, alpha: check::positive("alpha", alpha)? })
    }

    /// Customers.
    #[must_use]
    pub fn n(&self) -> u32 {
        self.n
    }

    /// The weight of a new table.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The law of its partition: of strength α and discount 0.
    #[must_use]
    pub fn partition(&self) -> Partition {
        Partition { n: self.n, theta: self.alpha, discount: 0.0 }
    }

    /// The table of each customer, tables numbered from 0 in their order of opening, behind what `labels` holds: what
    /// sampling the coalgebra gives. With i customers seated, x = u (i + α) of the next [`unit`](crate::draw::unit) u
    /// opens a table if x >= i, and else copies customer ⌊x⌋.
    ///
    /// # Errors
    /// [`Error::RandomSource`]; [`Error::Stopped`] if the watch cancels it; [`Error::Memory`] for n labels and 3 n bytes. `labels` are as they were then.
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

/// Who sits where.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Seated {
    /// What memory refuses is missing for good: then all are never seated.
    labels: Path<u32>,
    tables: u32,
}

/// The draw is the number of the customer who is copied, or how many there are, for a new table.
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
