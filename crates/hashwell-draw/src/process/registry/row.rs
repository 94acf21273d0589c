//! What a row of the table says, and what can be asked of the process it builds.

use super::columns::{Columns, Shape};
use super::given::{Arguments, Given, Parameter};
use super::value::{Outcome, Value};
use crate::Error;
use crate::process::interpret::{Depth, Exact, Limit, MOST_TERMS, Score, Simulation, Trace, Tree, Weighted};
use crate::process::model::Smoothed;
use crate::process::{Draw, Run};
use hashwell::Words;
use std::ops::{ControlFlow, Range};

/// A built-in process: what the command, Python and the documents know of it.
#[derive(Debug)]
pub struct ProcessRow {
    /// Its name, as `crp`; Python has underscores for hyphens.
    pub name: &'static str,
    /// What it is called in full.
    pub title: &'static str,
    /// Its law, in words and a formula.
    pub law: &'static str,
    /// Who it is from: paper, section.
    pub source: &'static str,
    /// What a sample costs: time, memory, words.
    pub cost: &'static str,
    /// What it takes.
    pub parameters: &'static [Parameter],
    /// Its encodings, equal in law; the first is taken where none is named.
    pub encodings: &'static [&'static str],
    /// What a value of it is.
    pub outcome: Outcome,
    /// What [`Model::statistic_law`] is the law of, as "the sizes of the tables, the largest first"; empty of a process whose
    /// values have a density.
    pub statistic: &'static str,
    /// The process of arguments that have the right kinds, in the encoding of that number.
    pub(super) make: Make,
}

/// What makes a process of a row, arguments and the number of an encoding.
type Make = fn(&'static ProcessRow, &Arguments, usize) -> Result<Box<dyn Model>, Error>;

impl ProcessRow {
    /// The process of these parameters.
    ///
    /// # Errors
    /// [`Error::Invalid`] for parameters that are unknown, missing or given twice, and for an unknown encoding;
    /// [`Error::OutOfRange`] with the parameter's name, limit and value.
    pub fn build(&'static self, given: &Given, encoding: Option<&str>) -> Result<Box<dyn Model>, Error> {
        let encoding = match encoding {
            None => 0,
            Some(name) => self.encodings.iter().position(|known| *known == name).ok_or_else(|| {
                let known = self.encodings.join(", ");
                Error::invalid("an encoding", format!("{} has {known}, not {name:?}", self.name))
            })?,
        };
        (self.make)(self, &given.arguments(self.name, self.parameters)?, encoding)
    }
}

/// What a long simulation calls now and then with the number of replicates that are done.
pub type Progress<'a> = &'a mut dyn FnMut(u64) -> ControlFlow<()>;

/// What a long run asks now and then whether to go on.
pub type Ask<'a> = &'a mut dyn FnMut() -> ControlFlow<()>;

/// A built-in process with its parameters, whatever its types are.
pub trait Model: Send + Sync {
    /// Its row.
    fn row(&self) -> &'static ProcessRow;

    /// Its encoding.
    fn encoding(&self) -> &'static str;

    /// How the items of its replicates make values; of ragged ones as of no replicate.
    fn shape(&self) -> Shape;

    /// What comes of it with these words; observations are not looked at.
    ///
    /// # Errors
    /// As [`sample`](crate::process::interpret::sample()).
    fn sample(&self, words: &mut dyn Words) -> Result<Value, Error> {
        let value = self.sample_while(words, MOST_TERMS, &mut || ControlFlow::Continue(()))?;
        Ok(value.expect("nobody says no"))
    }

    /// As [`Model::sample`], of at most so many terms; `None` if `ask` says no. Urns, which come without a term a step, are
    /// not asked where they have terms enough.
    ///
    /// # Errors
    /// As [`sample_within`](crate::process::interpret::sample_within).
    fn sample_while(&self, words: &mut dyn Words, terms: u64, ask: Ask<'_>) -> Result<Option<Value>, Error>;

    /// What comes of these replicates, as flat arrays.
    ///
    /// # Errors
    /// As [`simulate`](crate::process::interpret::simulate()).
    fn simulate(
        &self,
        run: &Run,
        replicates: Range<u64>,
        simulation: &Simulation,
        progress: Progress<'_>,
    ) -> Result<Columns, Error>;

    /// What comes of so many replicates that follow one another on one stream of words, as flat arrays. `progress` is
    /// asked during each as well, but for the urns of [`Model::sample_while`].
    ///
    /// # Errors
    /// As [`Model::simulate`].
    fn simulate_in_a_row(
        &self,
        words: &mut dyn Words,
        count: u64,
        terms: u64,
        progress: Progress<'_>,
    ) -> Result<Columns, Error>;

    /// The law of what comes of it, outcomes in their order.
    ///
    /// # Errors
    /// As [`exact`](crate::process::interpret::exact()); [`Error::Invalid`] of a process whose values have a density.
    fn exact(&self, limit: &Limit) -> Result<Exact<Value>, Error>;

    /// The law of what the process is summed up by ([`ProcessRow::statistic`]), by states that are merged; outcomes in
    /// their order.
    ///
    /// # Errors
    /// As [`Model::exact`].
    fn statistic_law(&self, limit: &Limit) -> Result<Exact<Value>, Error>;

    /// What one of its values is summed up by: the outcome that it counts for in [`Model::statistic_law`]. The value itself,
    /// where that is a number already, or has a density.
    fn summed_up(&self, value: &Value) -> Value;

    /// A run with all of its terms.
    ///
    /// # Errors
    /// As [`trace`](crate::process::interpret::trace()).
    fn trace(&self, words: &mut dyn Words) -> Result<Trace<Value>, Error> {
        self.trace_within(words, MOST_TERMS)
    }

    /// As [`Model::trace`], of at most so many terms.
    ///
    /// # Errors
    /// As [`trace_within`](crate::process::interpret::trace_within).
    fn trace_within(&self, words: &mut dyn Words, terms: u64) -> Result<Trace<Value>, Error>;

    /// How likely it is that the process draws just this.
    ///
    /// # Errors
    /// As [`score`](crate::process::interpret::score()).
    fn score(&self, draws: &[Draw]) -> Result<Score, Error> {
        self.score_while(draws, &|| ControlFlow::Continue(()))
    }

    /// As [`Model::score`]; `ask` is asked at each term whether to go on.
    ///
    /// # Errors
    /// As [`Model::score`], and [`Error::Stopped`] at a step.
    fn score_while(&self, draws: &[Draw], ask: &dyn Fn() -> ControlFlow<()>) -> Result<Score, Error>;

    /// The tree of its terms.
    ///
    /// # Errors
    /// As [`explain`](crate::process::interpret::explain()).
    fn explain(&self, depth: &Depth) -> Result<Tree, Error> {
        self.explain_while(depth, &|| ControlFlow::Continue(()))
    }

    /// As [`Model::explain`]; `ask` is asked at each term whether to go on.
    ///
    /// # Errors
    /// As [`Model::explain`], and [`Error::Stopped`] at a step.
    fn explain_while(&self, depth: &Depth, ask: &dyn Fn() -> ControlFlow<()>) -> Result<Tree, Error>;

    /// Replicates weighted by what was observed.
    ///
    /// # Errors
    /// As [`weigh`](crate::process::interpret::weigh()).
    fn weigh(
        &self,
        run: &Run,
        replicates: Range<u64>,
        simulation: &Simulation,
        progress: Progress<'_>,
    ) -> Result<Weighted<Value>, Error>;

    /// Whether something was observed: samples are drawn as if it had not been, and only masses, weights and posteriors
    /// look at it. Never said of a process that cannot observe.
    fn observes(&self) -> bool;

    /// The logarithm of a value's probability by its closed form; `None` where there is none, or the value is of another
    /// kind. -∞ for what cannot come.
    fn log_probability(&self, value: &Value) -> Option<f64>;

    /// Closed forms, as `("mean", 10.0)`. O(n), and a forward pass of what is observed; none of partitions where n is beyond
    /// 10^8.
    fn moments(&self) -> Vec<(&'static str, f64)>;

    /// The posterior of hidden states at each time, by a forward and a backward pass: S states a row. `None` of a process
    /// that observes nothing.
    fn smooth(&self) -> Option<Result<Smoothed, Error>>;

    /// The lengths of the sticks that a sample with these words breaks, in their order, and what is left. `None` of a
    /// process without sticks.
    fn sticks(&self, words: &mut dyn Words) -> Option<Result<(Vec<f64>, f64), Error>>;
}
