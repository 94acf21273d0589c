//! The traits that a built-in process implements to be in the registry.

use super::columns::Width;
use super::value::{Value, sizes};
use crate::Error;
use crate::order::{sort_unstable, sort_unstable_by};
use crate::process::Coalgebra;
use crate::process::builtin::{Partition, Smoothed};
use crate::process::interpret::{self, Exact, Limits};
use hashwell::RandomSource;
use std::hash::Hash;

/// A built-in process that the registry can list.
pub(super) trait Registered: Coalgebra<State: Clone> + Facts + Sized {
    /// The result of a run as a value.
    fn value(out: Self::Out) -> Value;

    /// Appends the labels of one run, if the process can draw them faster than term by term. The outcomes are the same,
    /// and the run has no more terms than the limit. Returns `None` and consumes no random number if the process cannot
    /// do this.
    fn labels(
        &self,
        _words: &mut (impl RandomSource + ?Sized),
        _limits: &Limits<'_>,
        _labels: &mut Vec<u32>,
    ) -> Option<Result<(), Error>> {
        None
    }
}

/// The properties of a process that don't follow from its terms, for [`Model`](super::Model).
pub(super) trait Facts: Send + Sync {
    /// The number of items of the process's values.
    fn width(&self) -> Width;

    /// The random partition that the process's labels describe, if there is one.
    fn partition(&self) -> Option<Partition> {
        None
    }

    /// Like [`Model::exact`](super::Model::exact).
    fn exact(&self, limits: &Limits<'_>) -> Result<Exact<Value>, Error>;

    /// Like [`Model::exact_statistic`](super::Model::exact_statistic).
    fn exact_statistic(&self, limits: &Limits<'_>) -> Result<Exact<Value>, Error> {
        match self.partition() {
            Some(partition) => enumerated(&partition, limits, Value::Wholes),
            None => self.exact(limits),
        }
    }

    /// Like [`Model::statistic`](super::Model::statistic). The default is the sizes of the tables, largest first, or
    /// the last item of a list.
    fn statistic(&self, value: &Value) -> Value {
        match value {
            Value::Labels(labels) => {
                let mut sizes: Vec<i64> = sizes(labels).into_iter().map(|size| size as i64).collect();
                sort_unstable(&mut sizes);
                sizes.reverse();
                Value::Wholes(sizes)
            }
            Value::Wholes(list) => list.last().map_or_else(|| value.clone(), |&last| Value::Whole(last)),
            Value::Whole(_) | Value::Reals(_) => value.clone(),
        }
    }

    /// Like [`Model::observes`](super::Model::observes).
    fn observes(&self) -> bool {
        false
    }

    /// Like [`Model::log_probability`](super::Model::log_probability).
    fn log_probability(&self, value: &Value) -> Option<f64> {
        let Value::Labels(labels) = value else { return None };
        Some(self.partition()?.log_probability(labels))
    }

    /// Like [`Model::moments`](super::Model::moments).
    fn moments(&self) -> Vec<(&'static str, f64)> {
        self.partition().map_or(Vec::new(), |partition| of_tables(&partition))
    }

    /// Like [`Model::smooth`](super::Model::smooth).
    fn smooth(&self) -> Option<Result<Smoothed, Error>> {
        None
    }

    /// Like [`Model::sticks`](super::Model::sticks).
    fn sticks(
        &self,
        _words: &mut dyn RandomSource,
        _limits: &Limits<'_>,
    ) -> Option<Result<(Vec<f64>, f64), Error>> {
        None
    }
}

/// The closed forms of a random partition.
fn of_tables(partition: &Partition) -> Vec<(&'static str, f64)> {
    if partition.n() > 100_000_000 {
        return Vec::new();
    }
    let (mean, variance) = partition.tables();
    vec![
        ("expected number of tables", mean),
        ("variance of the number of tables", variance),
        ("probability that two customers share a table", partition.together()),
    ]
}

/// The exact distribution of a process whose outcomes can be compared, sorted by value.
pub(super) fn enumerated<C>(
    process: &C,
    limits: &Limits<'_>,
    value: impl Fn(C::Out) -> Value,
) -> Result<Exact<Value>, Error>
where
    C: Coalgebra<State: Clone + Eq + Hash, Out: Eq + Hash>,
{
    let Exact { outcomes, lost, evidence, unit, steps, expanded } = interpret::exact(process, limits)?;
    let outcomes = interpret::kept(outcomes.into_iter().map(|(out, mass)| (value(out), mass)))?;
    let outcomes = in_order(outcomes);
    Ok(Exact { outcomes, lost, evidence, unit, steps, expanded })
}

/// Sorts outcomes by value. This is a separate function, so that the sort is compiled only once and not for each
/// process.
fn in_order(mut outcomes: Vec<(Value, f64)>) -> Vec<(Value, f64)> {
    // A stable sort would allocate memory.
    sort_unstable_by(&mut outcomes, |(one, _), (other, _)| one.order(other));
    outcomes
}
