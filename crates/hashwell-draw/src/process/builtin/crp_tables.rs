//! The Chinese restaurant process in which customers choose tables, in the three encodings of J. Tobin's article, which
//! is cited below.

use super::check::{self, MAX_POINTS};
use super::crp::Crp;
use super::path::{Path, categorical, failure};
use crate::Error;
use crate::process::{Coalgebra, Distribution, Flow, Outcome};

/// The way in which a customer chooses a table when c customers are seated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seating {
    /// An [anamorphism](crate::process::ana) with one categorical term for each customer. The weights are α and the
    /// sizes of the tables. Index 0 opens a table.
    Ana,
    /// A [futumorphism](crate::process::futu). A Bernoulli(α / (c + α)) term decides if the customer opens a table. If
    /// not, a uniform term u chooses the first table at which the running sum of table sizes exceeds u c.
    Futu,
    /// Like `Futu`, but with a categorical term whose weights are the table sizes instead of the uniform term. The same
    /// random numbers give the same tables.
    FutuCategorical,
}

/// The Chinese restaurant process in which customers choose tables (J. Tobin, Recursive stochastic processes, 2017). It
/// has the same distribution as [`Crp`], in which customers choose earlier customers and join their tables. The process
/// takes O(K) time for each customer, where K is the number of tables. It consumes one random number for each customer
/// except the first. Futumorphisms consume up to two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrpTables {
    crp: Crp,
    seating: Seating,
}

impl CrpTables {
    /// Creates a process of n customers in which a new table has weight α.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if α is not finite and positive, or if n exceeds [`MAX_POINTS`].
    pub fn new(n: u32, alpha: f64, seating: Seating) -> Result<Self, Error> {
        Ok(Self { crp: Crp::new(check::whole("n", 0, MAX_POINTS, n)?, alpha)?, seating })
    }

    /// Returns the same process with terms that can be enumerated: [`Seating::Futu`] is replaced by
    /// [`Seating::FutuCategorical`], which gives the same tables.
    #[must_use]
    pub fn enumerable(&self) -> Self {
        let seating = match self.seating {
            Seating::Futu => Seating::FutuCategorical,
            other => other,
        };
        Self { seating, ..*self }
    }

    /// The [`Crp`] with the same parameters.
    #[must_use]
    pub fn crp(&self) -> &Crp {
        &self.crp
    }
}

/// The tables of the customers seated so far.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tables {
    labels: Path<u32>,
    sizes: Path<u32>,
    /// True if the next customer will join an existing table.
    joins: bool,
}

impl Tables {
    /// The first table whose running sum of sizes exceeds u times the number of customers.
    fn picked(&self, u: f64) -> usize {
        let mark = u * self.labels.len() as f64;
        let mut running = 0.0;
        let exceeds = |&size: &u32| {
            running += f64::from(size);
            running > mark
        };
        self.sizes.iter().position(exceeds).unwrap_or(self.sizes.len() - 1)
    }

    fn refused(&self) -> bool {
        self.labels.refused() || self.sizes.refused()
    }

    /// Seats a customer at this table, or at a new one if the table does not exist.
    fn seat(&mut self, table: usize) {
        match self.sizes.get_mut(table) {
            Some(size) => *size += 1,
            None => self.sizes.push(1),
        }
        self.labels.push(table as u32);
        self.joins = false;
    }
}

impl Coalgebra for CrpTables {
    type State = Tables;
    type Out = Vec<u32>;

    fn start(&self) -> Flow<Tables, Vec<u32>> {
        let mut tables = Tables { labels: Path::default(), sizes: Path::default(), joins: false };
        if self.crp.n() > 0 {
            tables.seat(0);
        }
        self.flow(tables)
    }

    fn distribution<'a>(&'a self, tables: &'a Tables) -> Distribution<'a> {
        if tables.refused() {
            return failure();
        }
        let alpha = self.crp.alpha();
        let size = |at: usize| f64::from(tables.sizes[at]);
        let number = tables.sizes.len();
        match (self.seating, tables.joins) {
            (Seating::Ana, _) => {
                let weight = |at: usize| at.checked_sub(1).map_or(alpha, size);
                categorical(false, (0..number + 1).map(weight))
            }
            (_, false) => Distribution::Bernoulli(alpha / (tables.labels.len() as f64 + alpha)),
            (Seating::Futu, true) => Distribution::Uniform,
            (Seating::FutuCategorical, true) => categorical(false, (0..number).map(size)),
        }
    }

    fn next(&self, mut tables: Tables, draw: Outcome) -> Flow<Tables, Vec<u32>> {
        let new = tables.sizes.len();
        match (self.seating, tables.joins) {
            (Seating::Ana, _) => tables.seat((draw.index() as usize).checked_sub(1).unwrap_or(new)),
            (_, false) if draw.flag() => tables.seat(new),
            (_, false) => tables.joins = true,
            (Seating::Futu, true) => tables.seat(tables.picked(draw.real())),
            (Seating::FutuCategorical, true) => tables.seat(draw.index() as usize),
        }
        self.flow(tables)
    }

    #[inline]
    fn lacks_memory(&self, state: &Tables) -> bool {
        state.refused()
    }
}

impl CrpTables {
    fn flow(&self, tables: Tables) -> Flow<Tables, Vec<u32>> {
        let done = tables.labels.len() == self.crp.n() as usize && !tables.refused();
        if done { Flow::Done(tables.labels.into_items()) } else { Flow::More(tables) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If there is no memory for labels or sizes, the next distribution fails, even after the last customer.
    #[test]
    fn refused_memory_fails_at_the_next_term() {
        let tables = CrpTables::new(2, 1.0, Seating::Ana).unwrap();
        let refuse: [fn(&mut Tables); 2] =
            [|tables| tables.labels.resize(usize::MAX, 0), |tables| tables.sizes.resize(usize::MAX, 0)];
        for refuse in refuse {
            let Flow::More(mut seated) = tables.start() else { panic!("somebody is to come") };
            refuse(&mut seated);
            let Flow::More(seated) = tables.next(seated, Outcome::Index(1)) else {
                panic!("it has no memory")
            };
            assert!(matches!(tables.distribution(&seated), Distribution::NoMemory(_)));
        }
    }
}
