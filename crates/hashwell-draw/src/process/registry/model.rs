//! The entries of the registry, and processes built from an entry and parameters.

use super::arguments::{Arguments, Given, Parameter};
use super::columns::{Columns, Items, Shape};
use super::erased::{AnyProcess, DynCoalgebra};
use super::registered::Registered;
use super::value::{Value, ValueKind};
use crate::Error;
use crate::process::builtin::Smoothed;
use crate::process::interpret::{self, Depth, Exact, Limits, Score, Trace, Tree, Weighted};
use crate::process::{Outcome, Replicates, Streams};
use hashwell::RandomSource;
use hashwell_work::Watch;

/// An entry of the registry, which contains the name, the parameters and the documentation of a process. The command,
/// the Python bindings and the documents use no other information about the process.
#[derive(Debug)]
pub struct ModelEntry {
    /// The name, such as `crp`; Python uses underscores instead of hyphens.
    pub name: &'static str,
    /// The full name.
    pub title: &'static str,
    /// The distribution, in words and a formula.
    pub distribution: &'static str,
    /// The source in the literature, such as a section of a paper.
    pub source: &'static str,
    /// The cost of a sample in time, memory and random numbers.
    pub cost: &'static str,
    /// The parameters of the process.
    pub parameters: &'static [Parameter],
    /// The names of the encodings, which are ways to generate the process from random numbers. All encodings have the
    /// same distribution. The first one is the default.
    pub encodings: &'static [&'static str],
    /// The kind of the values.
    pub values: ValueKind,
    /// The statistic of a value, such as "the sizes of the tables, the largest first". It is empty for a process whose
    /// values have a density.
    pub statistic: &'static str,
    /// Builds the process from arguments of the right kinds and the index of an encoding.
    pub(super) make: Make,
}

/// Builds the process of an entry from arguments and the number of an encoding.
type Make = fn(&'static ModelEntry, &Arguments, usize) -> Result<Model, Error>;

impl ModelEntry {
    /// Builds the process with these parameters.
    ///
    /// # Errors
    /// Returns [`Error::Refused`] if a parameter is unknown, missing or given twice, or if the encoding is unknown.
    /// Returns [`Error::OutOfRange`] if a parameter is of the wrong type or out of its range. The error contains the
    /// parameter's name, range and value.
    pub fn build(&'static self, given: &Given, encoding: Option<&str>) -> Result<Model, Error> {
        let encoding = match encoding {
            None => 0,
            Some(name) => self.encodings.iter().position(|known| *known == name).ok_or_else(|| {
                let known = self.encodings.join(", ");
                Error::refused(format!("{} has no encoding {name:?} (it has {known})", self.name))
            })?,
        };
        (self.make)(self, &given.arguments(self.name, self.parameters)?, encoding)
    }
}

/// A process of the registry with its parameters; created by [`ModelEntry::build`]. The type of the process is known
/// only at run time.
///
/// Each operation takes [`Limits`], whose watch can cancel it.
pub struct Model {
    entry: &'static ModelEntry,
    encoding: usize,
    process: Box<dyn AnyProcess>,
}

impl Model {
    pub(super) fn new(
        entry: &'static ModelEntry,
        encoding: usize,
        process: impl Registered + 'static,
    ) -> Self {
        Self { entry, encoding, process: Box::new(process) }
    }

    /// The registry entry that this process was built from.
    #[must_use]
    pub fn entry(&self) -> &'static ModelEntry {
        self.entry
    }

    /// The name of the encoding.
    #[must_use]
    pub fn encoding(&self) -> &'static str {
        self.entry.encodings[self.encoding]
    }

    /// The shape of the values in [`Columns`]. For [`Shape::Ragged`], it contains the offsets of an empty list of
    /// values.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.process.width().shape(vec![0])
    }

    fn coalgebra(&self) -> DynCoalgebra<'_> {
        DynCoalgebra(&*self.process)
    }

    /// Samples the process once. Observations are ignored.
    ///
    /// # Errors
    /// Returns the same errors as [`sample`](interpret::sample()).
    pub fn sample(&self, words: &mut dyn RandomSource, limits: &Limits<'_>) -> Result<Value, Error> {
        let mut labels = Vec::new();
        match self.process.any_labels(words, limits, &mut labels) {
            Some(done) => done.map(|()| Value::Labels(labels)),
            None => interpret::sample(&self.coalgebra(), words, limits),
        }
    }

    /// Samples replicates into flat arrays. The watch counts the replicates that are done. If it cancels the
    /// simulation, the replicates that are already done are returned.
    ///
    /// # Errors
    /// Returns the same errors as [`simulate`](interpret::simulate()).
    pub fn simulate(&self, streams: Streams<'_>, limits: &Limits<'_>) -> Result<Columns, Error> {
        let (kind, width) = (self.entry.values, self.process.width());
        let (run, replicates) = match streams {
            Streams::Separate(run, replicates) => (run, replicates),
            Streams::Shared(words, count) => {
                let mut items = Items::of(kind);
                let done = one_after_another(count, limits, || {
                    items.data.push(&self.sample(words, limits)?)?;
                    items.end(width)
                })?;
                return items.columns(width, done, done == count);
            }
        };
        let work = |replicates: &mut Replicates, watch: &Watch<'_>| {
            let limits = Limits { watch, ..*limits };
            let mut items = Items::of(kind);
            while let Some(()) =
                replicates.next_of(|words| self.process.gather(words, &limits, &mut items.data))?
            {
                items.end(width)?;
            }
            Ok(items)
        };
        let work: &(dyn Fn(&mut Replicates, &Watch<'_>) -> _ + Sync) = &work;
        let mut all = Items::with_room(kind, width, &replicates);
        let done = interpret::pieces(run, replicates, limits, work, &mut |more| all.append(&more))?;
        all.columns(width, done.replicates, done.finished)
    }

    /// Samples replicates, and also returns the weight that the observations give to each replicate.
    ///
    /// # Errors
    /// Returns the same errors as [`weigh`](interpret::weigh()).
    pub fn weigh(&self, streams: Streams<'_>, limits: &Limits<'_>) -> Result<Weighted<Value>, Error> {
        let coalgebra = self.coalgebra();
        let (words, count) = match streams {
            Streams::Separate(run, replicates) => {
                return interpret::weigh(&coalgebra, run, replicates, limits);
            }
            Streams::Shared(words, count) => (words, count),
        };
        let (mut outs, mut log_weights) = (Vec::new(), Vec::new());
        let done = one_after_another(count, limits, || {
            let (out, log_weight) = interpret::weigh_one(&coalgebra, words, limits)?;
            let reserved = outs.try_reserve(1).and_then(|()| log_weights.try_reserve(1));
            reserved.map_err(|_| Error::Memory { what: "replicates" })?;
            outs.push(out);
            log_weights.push(log_weight);
            Ok(())
        })?;
        Ok(Weighted { outs, log_weights, finished: done == count })
    }

    /// The exact distribution of the values, sorted by value.
    ///
    /// # Errors
    /// Returns the same errors as [`exact`](interpret::exact()), or [`Error::Invalid`] if the values have a density.
    pub fn exact(&self, limits: &Limits<'_>) -> Result<Exact<Value>, Error> {
        self.process.exact(limits)
    }

    /// The exact distribution of the statistic ([`ModelEntry::statistic`]), sorted by value. States with the same
    /// statistic are merged.
    ///
    /// # Errors
    /// Returns the same errors as [`Model::exact`].
    pub fn exact_statistic(&self, limits: &Limits<'_>) -> Result<Exact<Value>, Error> {
        self.process.exact_statistic(limits)
    }

    /// The statistic of a value. If the value is already a number, or has a density, this is the value itself.
    #[must_use]
    pub fn statistic(&self, value: &Value) -> Value {
        self.process.statistic(value)
    }

    /// Samples the process once, and returns all of its terms.
    ///
    /// # Errors
    /// Returns the same errors as [`trace`](interpret::trace()).
    pub fn trace(&self, words: &mut dyn RandomSource, limits: &Limits<'_>) -> Result<Trace<Value>, Error> {
        interpret::trace(&self.coalgebra(), words, limits)
    }

    /// The probability of a run whose terms have these outcomes.
    ///
    /// # Errors
    /// Returns the same errors as [`score`](interpret::score()).
    pub fn score(&self, outcomes: &[Outcome], limits: &Limits<'_>) -> Result<Score, Error> {
        interpret::score(&self.coalgebra(), outcomes, limits)
    }

    /// The tree of the process's terms, limited by `depth`.
    ///
    /// # Errors
    /// Returns the same errors as [`explain`](interpret::explain()).
    pub fn explain(&self, depth: &Depth, limits: &Limits<'_>) -> Result<Tree, Error> {
        interpret::explain(&self.coalgebra(), depth, limits)
    }

    /// Returns true if there are observations. Samples ignore observations; only masses, weights and posteriors use
    /// them. The result is always false for a process that has no observation terms.
    #[must_use]
    pub fn observes(&self) -> bool {
        self.process.observes()
    }

    /// The logarithm of a value's probability, computed from a closed form, or -∞ for an impossible value. The result
    /// is `None` if there is no closed form, or if the value is of a different kind than the values of the process.
    #[must_use]
    pub fn log_probability(&self, value: &Value) -> Option<f64> {
        self.process.log_probability(value)
    }

    /// The names and results of closed forms, such as `("mean", 10.0)`. This takes O(n) time, plus a forward pass over
    /// the observations if there are any. The list is empty for partitions with n beyond 10^8.
    #[must_use]
    pub fn moments(&self) -> Vec<(&'static str, f64)> {
        self.process.moments()
    }

    /// The posterior of the hidden state at each time, computed by a forward and a backward pass. The result is `None`
    /// for a process that has no observation terms.
    #[must_use]
    pub fn smooth(&self) -> Option<Result<Smoothed, Error>> {
        self.process.smooth()
    }

    /// The lengths of the pieces that a sample with these random numbers breaks off the stick, in order, and the length
    /// of the rest. The result is `None` for a process without sticks.
    #[must_use]
    pub fn sticks(
        &self,
        words: &mut dyn RandomSource,
        limits: &Limits<'_>,
    ) -> Option<Result<(Vec<f64>, f64), Error>> {
        self.process.sticks(words, limits)
    }
}

/// Calls `one` for each replicate, until the watch cancels the work. Returns the number of replicates that were done.
fn one_after_another(
    count: u64,
    limits: &Limits<'_>,
    mut one: impl FnMut() -> Result<(), Error>,
) -> Result<u64, Error> {
    let (mut done, mut stopped) = (0, limits.watch.look().is_err());
    while done < count && !stopped {
        match one() {
            Ok(()) => {
                done += 1;
                stopped = limits.watch.add(1).is_err();
            }
            Err(Error::Stopped) => stopped = true,
            Err(error) => return Err(error.in_replicate(done)),
        }
    }
    Ok(done)
}
