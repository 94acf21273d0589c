//! From a process of known types to a [`Model`].

use super::built_in::BuiltIn;
use super::columns::{Columns, Data, Items, Shape};
use super::erased::{Asking, Erased};
use super::row::{Ask, Model, ProcessRow, Progress};
use super::value::Value;
use crate::Error;
use crate::process::interpret::{self, Depth, Exact, Limit, Score, Simulation, Trace, Tree, Weighted};
use crate::process::model::Smoothed;
use crate::process::{Draw, ReplicateWords, Replicates, Run};
use hashwell::Words;
use std::ops::{ControlFlow, Range};

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
        if cfg!(target_arch = "wasm32") {
            // Without the process's types, since bytes count more than calls there.
            let value = self.sample_while(words, terms, ask)?;
            return value.map(|value| data.push(&value)).transpose();
        }
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

    fn shape(&self) -> Shape {
        self.process.width().shape(vec![0])
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
        let mut all = Items::with_room(outcome, width, &replicates);
        let done = interpret::pieces(run, replicates, simulation.threads, progress, work, &mut |more| {
            all.append(&more)
        })?;
        all.columns(width, done.replicates, done.finished)
    }

    fn simulate_in_a_row(
        &self,
        words: &mut dyn Words,
        count: u64,
        terms: u64,
        progress: Progress<'_>,
    ) -> Result<Columns, Error> {
        let (outcome, width) = (self.row.outcome, self.process.width());
        let (mut items, mut done) = (Items::of(outcome), 0);
        while done < count && progress(done).is_continue() {
            let value = self.sample_while(words, terms, &mut || progress(done));
            let Some(value) = value.map_err(|error| error.in_replicate(done))? else { break };
            items.data.push(&value)?;
            items.end(width)?;
            done += 1;
        }
        items.columns(width, done, done == count)
    }

    fn exact(&self, limit: &Limit) -> Result<Exact<Value>, Error> {
        self.process.exact(limit)
    }

    fn statistic_law(&self, limit: &Limit) -> Result<Exact<Value>, Error> {
        self.process.statistic_law(limit)
    }

    fn summed_up(&self, value: &Value) -> Value {
        self.process.summed_up(value)
    }

    fn trace_within(&self, words: &mut dyn Words, terms: u64) -> Result<Trace<Value>, Error> {
        interpret::trace_within(&self.erased(), words, terms)
    }

    fn score_while(&self, draws: &[Draw], ask: &dyn Fn() -> ControlFlow<()>) -> Result<Score, Error> {
        interpret::score(&Asking(self.erased(), ask), draws)
    }

    fn explain_while(&self, depth: &Depth, ask: &dyn Fn() -> ControlFlow<()>) -> Result<Tree, Error> {
        interpret::explain(&Asking(self.erased(), ask), depth)
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
