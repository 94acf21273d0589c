//! What a built-in process says of itself.

use super::columns::Width;
use super::value::{Value, sizes};
use crate::Error;
use crate::order::{sort_by, sort_unstable};
use crate::process::Coalgebra;
use crate::process::interpret::{self, Exact, Limit};
use crate::process::model::{Partition, Smoothed};
use hashwell::Words;
use std::hash::Hash;

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

    /// As [`Model::summed_up`]: the sizes of tables, the largest first, or the last of a list.
    fn summed_up(&self, value: &Value) -> Value {
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
    let outcomes = in_order(outcomes.into_iter().map(|(out, mass)| (value(out), mass)).collect());
    Ok(Exact { outcomes, lost, evidence, unit, steps, expanded })
}

/// Apart, so that there is one sort of them and not one for each process.
fn in_order(mut outcomes: Vec<(Value, f64)>) -> Vec<(Value, f64)> {
    sort_by(&mut outcomes, |(one, _), (other, _)| one.order(other));
    outcomes
}
