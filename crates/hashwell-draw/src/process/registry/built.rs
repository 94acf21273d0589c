//! From a process of known types to a [`Model`].

use super::columns::{Columns, Data, Items, Width};
use super::row::{Model, ProcessRow, Progress};
use super::value::Value;
use crate::Error;
use crate::process::interpret::{self, Depth, Exact, Limit, Score, Simulation, Trace, Tree, Weighted};
use crate::process::model::Smoothed;
use crate::process::{Coalgebra, Draw, Run};
use hashwell::Words;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::Range;

/// What a built-in process says of itself, besides being a coalgebra.
pub(super) trait BuiltIn: Coalgebra<State: Clone, Out: Debug + Send> + Send + Sync + Sized {
    /// What came of it, as a value.
    fn value(out: Self::Out) -> Value;

    /// How many items its values have.
    fn width(&self) -> Width;

    /// One run; a process that has a quicker way than a term a step, with the same draws, has it here.
    fn run(&self, words: &mut (impl Words + ?Sized), terms: u64) -> Result<Value, Error> {
        interpret::sample_within(self, words, terms).map(Self::value)
    }

    /// One run, the items of its value put behind others.
    fn gather(&self, words: &mut (impl Words + ?Sized), terms: u64, data: &mut Data) -> Result<(), Error> {
        data.push(&self.run(words, terms)?)
    }

    /// As [`Model::exact`].
    fn exact(&self, limit: &Limit) -> Result<Exact<Value>, Error>;

    /// As [`Model::statistic_law`].
    fn statistic_law(&self, limit: &Limit) -> Result<Exact<Value>, Error> {
        self.exact(limit)
    }

    /// As [`Model::log_probability`].
    fn log_probability(&self, _value: &Value) -> Option<f64> {
        None
    }

    /// As [`Model::moments`].
    fn moments(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// As [`Model::smooth`].
    fn smooth(&self) -> Option<Result<Smoothed, Error>> {
        None
    }

    /// As [`Model::sticks`].
    fn sticks(&self, _words: &mut dyn Words) -> Option<Result<(Vec<f64>, f64), Error>> {
        None
    }
}

/// The exact law of a process whose outcomes have an order.
pub(super) fn enumerated<C>(
    process: &C,
    limit: &Limit,
    value: impl Fn(C::Out) -> Value,
) -> Result<Exact<Value>, Error>
where
    C: Coalgebra<State: Clone + Eq + Hash, Out: Ord + Hash>,
{
    let exact = interpret::exact(process, limit)?.sorted();
    let outcomes = exact.outcomes.into_iter().map(|(out, mass)| (value(out), mass)).collect();
    let Exact { lost, evidence, unit, steps, expanded, .. } = exact;
    Ok(Exact { outcomes, lost, evidence, unit, steps, expanded })
}

/// A process as a model.
pub(super) fn built<P: BuiltIn + 'static>(
    row: &'static ProcessRow,
    encoding: usize,
    process: P,
) -> Box<dyn Model> {
    Box::new(Built { row, encoding, process })
}

/// A process and its row.
struct Built<P> {
    row: &'static ProcessRow,
    encoding: usize,
    process: P,
}

impl<P: BuiltIn> Model for Built<P> {
    fn row(&self) -> &'static ProcessRow {
        self.row
    }

    fn encoding(&self) -> &'static str {
        self.row.encodings[self.encoding]
    }

    fn sample(&self, words: &mut dyn Words) -> Result<Value, Error> {
        self.process.run(words, interpret::MOST_TERMS)
    }

    fn simulate(
        &self,
        run: &Run,
        replicates: Range<u64>,
        simulation: &Simulation,
        progress: Progress<'_>,
    ) -> Result<Columns, Error> {
        let (outcome, width) = (self.row.outcome, self.process.width());
        let done = interpret::pieces(run, replicates, simulation.threads, progress, |replicates| {
            let mut items = Items::of(outcome);
            while let Some((j, words)) = replicates.next_words()? {
                let gathered = self.process.gather(words, simulation.terms, &mut items.data);
                gathered.map_err(|error| error.in_replicate(j))?;
                items.end(width)?;
            }
            Ok(items)
        })?;
        Items::columns(done.pieces, outcome, width, done.replicates, done.finished)
    }

    fn exact(&self, limit: &Limit) -> Result<Exact<Value>, Error> {
        self.process.exact(limit)
    }

    fn statistic_law(&self, limit: &Limit) -> Result<Exact<Value>, Error> {
        self.process.statistic_law(limit)
    }

    fn trace(&self, words: &mut dyn Words) -> Result<Trace<Value>, Error> {
        let Trace { terms, out, log_weight } = interpret::trace(&self.process, words)?;
        Ok(Trace { terms, out: P::value(out), log_weight })
    }

    fn score(&self, draws: &[Draw]) -> Result<Score, Error> {
        interpret::score(&self.process, draws)
    }

    fn explain(&self, depth: &Depth) -> Result<Tree, Error> {
        interpret::explain(&self.process, depth)
    }

    fn weigh(
        &self,
        run: &Run,
        replicates: Range<u64>,
        simulation: &Simulation,
        progress: Progress<'_>,
    ) -> Result<Weighted<Value>, Error> {
        let weighted = interpret::weigh(&self.process, run, replicates, simulation, progress)?;
        let Weighted { outs, log_weights, finished } = weighted;
        Ok(Weighted { outs: outs.into_iter().map(P::value).collect(), log_weights, finished })
    }

    fn log_probability(&self, value: &Value) -> Option<f64> {
        self.process.log_probability(value)
    }

    fn moments(&self) -> Vec<(&'static str, f64)> {
        self.process.moments()
    }

    fn smooth(&self) -> Option<Result<Smoothed, Error>> {
        self.process.smooth()
    }

    fn sticks(&self, words: &mut dyn Words) -> Option<Result<(Vec<f64>, f64), Error>> {
        self.process.sticks(words)
    }
}
