//! The Chinese restaurant process.

use crate::Error;
use crate::process::{Coalgebra, Draw, Flow, Law};
use hashwell::Words;

/// The Chinese restaurant process of n customers, as an urn: customer i copies the table of an earlier customer, each of
/// whom has weight 1, or opens a table with weight α. n - 1 words; the first customer sits down without one.
///
/// The term of customer i is a categorical one of i ones and α. [`Crp::labels`] draws the same in O(1) a customer.
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
        let right = alpha > 0.0 && alpha.is_finite();
        if right {
            Ok(Self { n, alpha })
        } else {
            Err(Error::range("alpha", "finite and more than 0", alpha))
        }
    }

    /// The table of each customer, tables numbered from 0 in their order of opening: what sampling the coalgebra gives,
    /// in O(1) time a customer.
    ///
    /// # Errors
    /// [`Error::Words`]; [`Error::Memory`] for n labels.
    pub fn labels(&self, words: &mut (impl Words + ?Sized)) -> Result<Vec<u32>, Error> {
        let n = self.n as usize;
        let mut labels: Vec<u32> = Vec::new();
        labels.try_reserve_exact(n).map_err(|_| Error::Memory { what: "the labels of customers" })?;
        let mut tables = 0;
        for i in 0..n {
            let seated = i as f64;
            let mark = if i == 0 { 0.0 } else { words.next_f64()? * (seated + self.alpha) };
            if mark >= seated {
                labels.push(tables);
                tables += 1;
            } else {
                labels.push(labels[mark as usize]);
            }
        }
        Ok(labels)
    }

    /// E[tables] = Σ α / (α + i), i from 0 to n - 1. O(n).
    #[must_use]
    pub fn expected_tables(&self) -> f64 {
        (0..self.n).map(|i| self.alpha / (self.alpha + f64::from(i))).sum()
    }
}

/// Who sits where.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Seated {
    labels: Vec<u32>,
    tables: u32,
}

impl Crp {
    fn flow(&self, seated: Seated) -> Flow<Seated, Vec<u32>> {
        if seated.labels.len() == self.n as usize { Flow::Done(seated.labels) } else { Flow::More(seated) }
    }
}

impl Coalgebra for Crp {
    type State = Seated;
    type Out = Vec<u32>;

    fn start(&self) -> Flow<Seated, Vec<u32>> {
        if self.n == 0 { Flow::Done(Vec::new()) } else { self.flow(Seated { labels: vec![0], tables: 1 }) }
    }

    fn law<'a>(&'a self, seated: &'a Seated) -> Law<'a> {
        let mut weights = vec![1.0; seated.labels.len()];
        weights.push(self.alpha);
        Law::Categorical(weights.into())
    }

    fn next(&self, mut seated: Seated, draw: Draw) -> Flow<Seated, Vec<u32>> {
        match seated.labels.get(draw.index() as usize) {
            Some(&table) => seated.labels.push(table),
            None => {
                seated.labels.push(seated.tables);
                seated.tables += 1;
            }
        }
        self.flow(seated)
    }
}
