//! From a process of known types to a [`Model`].

use super::columns::{Columns, Data, Items, Width};
use super::erased::Erased;
use super::row::{Ask, Model, ProcessRow, Progress};
use super::value::Value;
use crate::Error;
use crate::process::interpret::{self, Depth, Exact, Limit, Score, Simulation, Trace, Tree, Weighted};
use crate::process::model::{Partition, Smoothed};
use crate::process::{Coalgebra, Draw, ReplicateWords, Replicates, Run};
use hashwell::Words;
use std::hash::Hash;
use std::ops::Range;

/// What a built-in process says of itself, besides being a coalgebra.
pub(super) trait BuiltIn: Coalgebra<State: Clone> + Send + Sync + Sized {
    /// What came of it, as a value.
    fn value(out: Self::Out) -> Value;

    /// How many items its values have.
    fn width(&self) -> Width;

    /// The labels of one run behind those that are there, where the process has a quicker way to them than a term a step, with
    /// the same draws and of no more than so many terms; `None`, and no word eaten, where it has none.
    fn quick_labels(
        &self,
        _words: &mut (impl Words + ?Sized),
        _terms: u64,
        _labels: &mut Vec<u32>,
    ) -> Option<Result<(), Error>> {
        None
    }

    /// The random partition that its labels are.
    fn partition(&self) -> Option<Partition> {
        None
    }

    /// As [`Model::exact`].
    fn exact(&self, limit: &Limit) -> Result<Exact<Value>, Error>;

    /// As [`Model::statistic_law`].
    fn statistic_law(&self, limit: &Limit) -> Result<Exact<Value>, Error> {
        match self.partition() {
            Some(partition) => enumerated(&partition, limit, Value::Wholes),
            None => self.exact(limit),
        }
    }

    /// As [`Model::observes`].
    fn observes(&self) -> bool {
        false
    }

    /// As [`Model::log_probability`].
    fn log_probability(&self, value: &Value) -> Option<f64> {
        let Value::Labels(labels) = value else { return None };
        Some(self.partition()?.log_probability(labels))
    }

    /// As [`Model::moments`].
    fn moments(&self) -> Vec<(&'static str, f64)> {
        self.partition().map_or(Vec::new(), |partition| of_tables(&partition))
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

/// The closed forms of a random partition.
fn of_tables(partition: &Partition) -> Vec<(&'static str, f64)> {
    if partition.n() > 100_000_000 {
        return Vec::new();
    }
    let (mean, variance) = partition.tables();
    vec![("expected tables", mean), ("variance of tables", variance), ("two together", partition.together())]
}

/// The exact law of a process whose outcomes are whole numbers, in their order.
pub(super) fn enumerated<C>(
    process: &C,
    limit: &Limit,
    value: impl Fn(C::Out) -> Value,
) -> Result<Exact<Value>, Error>
where
    C: Coalgebra<State: Clone + Eq + Hash, Out: Eq + Hash>,
{
    let Exact { outcomes, lost, evidence, unit, steps, expanded } = interpret::exact(process, limit)?;
    let mut outcomes: Vec<_> = outcomes.into_iter().map(|(out, mass)| (value(out), mass)).collect();
    outcomes.sort_by(|(one, _), (other, _)| one.order(other));
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

impl<P: BuiltIn + 'static> Built<P> {
    fn erased(&self) -> Erased<'_> {
        Erased::new(&self.process)
    }

    /// One run, the items of its value put behind others; `None`, and nothing there, if it was told to stop.
    fn gather(
        &self,
        words: &mut ReplicateWords,
        terms: u64,
        ask: Ask<'_>,
        data: &mut Data,
    ) -> Result<Option<()>, Error> {
        if let Data::U32(labels) = data
            && let Some(done) = self.process.quick_labels(words, terms, labels)
        {
            return done.map(Some);
        }
        let out = interpret::sample_while(&self.process, words, terms, ask)?;
        out.map(|out| data.push(&P::value(out))).transpose()
    }
}

impl<P: BuiltIn + 'static> Model for Built<P> {
    fn row(&self) -> &'static ProcessRow {
        self.row
    }

    fn encoding(&self) -> &'static str {
        self.row.encodings[self.encoding]
    }

    fn sample_while(&self, words: &mut dyn Words, terms: u64, ask: Ask<'_>) -> Result<Option<Value>, Error> {
        let mut labels = Vec::new();
        match self.process.quick_labels(words, terms, &mut labels) {
            Some(done) => done.map(|()| Some(Value::Labels(labels))),
            None => interpret::sample_while(&self.erased(), words, terms, ask),
        }
    }

    fn simulate(
        &self,
        run: &Run,
        replicates: Range<u64>,
        simulation: &Simulation,
        progress: Progress<'_>,
    ) -> Result<Columns, Error> {
        let (outcome, width) = (self.row.outcome, self.process.width());
        let work = |replicates: &mut Replicates<'_>| {
            let mut items = Items::of(outcome);
            while let Some(()) =
                replicates.next_of(|words, ask| self.gather(words, simulation.terms, ask, &mut items.data))?
            {
                items.end(width)?;
            }
            Ok(items)
        };
        let work: &(dyn Fn(&mut Replicates<'_>) -> _ + Sync) = &work;
        let done = interpret::pieces(run, replicates, simulation.threads, progress, work)?;
        Items::columns(done.pieces, outcome, width, done.replicates, done.finished)
    }

    fn exact(&self, limit: &Limit) -> Result<Exact<Value>, Error> {
        self.process.exact(limit)
    }

    fn statistic_law(&self, limit: &Limit) -> Result<Exact<Value>, Error> {
        self.process.statistic_law(limit)
    }

    fn trace_within(&self, words: &mut dyn Words, terms: u64) -> Result<Trace<Value>, Error> {
        interpret::trace_within(&self.erased(), words, terms)
    }

    fn score(&self, draws: &[Draw]) -> Result<Score, Error> {
        interpret::score(&self.erased(), draws)
    }

    fn explain(&self, depth: &Depth) -> Result<Tree, Error> {
        interpret::explain(&self.erased(), depth)
    }

    fn weigh(
        &self,
        run: &Run,
        replicates: Range<u64>,
        simulation: &Simulation,
        progress: Progress<'_>,
    ) -> Result<Weighted<Value>, Error> {
        interpret::weigh(&self.erased(), run, replicates, simulation, progress)
    }

    fn observes(&self) -> bool {
        self.process.observes()
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
