//! The distribution of a built-in process as a list of outcomes, and counts of replicates for them.

use super::interpret::{Exact, Limits};
use super::picture::{self, Mass};
use super::registry::{Model, Value};
use super::show;
use crate::Error;
use std::collections::HashMap;

/// The possible outcomes of a process, or the possible values of its statistic, each with its probability. If the
/// process has observations, the probabilities are conditional on the observations.
#[derive(Clone, Debug)]
pub struct ExactTable {
    /// The outcomes with their probabilities, sorted by outcome.
    pub list: Vec<(Value, f64)>,
    /// The fraction of the probability that was not assigned to an outcome.
    pub lost: f64,
    /// The number of steps of the enumeration.
    pub steps: u64,
    /// The logarithm of the probability of the observations, if there are any.
    pub log_evidence: Option<f64>,
    /// The statistic whose values are the outcomes; empty if the outcomes are the values themselves.
    statistic: &'static str,
}

/// The number of replicates with each outcome of an [`ExactTable`], and with outcomes that it does not list.
#[derive(Clone, Debug)]
pub struct Counted {
    places: HashMap<String, usize>,
    /// The number of replicates with each outcome, in the order of [`ExactTable::list`].
    pub counts: Vec<u64>,
    /// The number of replicates with any other outcome.
    pub others: u64,
}

impl ExactTable {
    /// Enumerates the values of the process, or the values of its statistic if `summary` is true.
    ///
    /// # Errors
    /// Returns the same errors as [`Model::exact`], or [`Error::Refused`] if the observations are impossible.
    pub fn of(model: &Model, summary: bool, limits: &Limits<'_>) -> Result<Self, Error> {
        let exact = if summary { model.exact_statistic(limits) } else { model.exact(limits) }?;
        let log_evidence = model.observes().then(|| exact.log_evidence());
        let Exact { outcomes, lost, evidence, steps, .. } = exact;
        if evidence + lost == 0.0 {
            return Err(Error::refused(format!(
                "{}: the observations have probability 0",
                model.entry().name
            )));
        }
        // This is a fraction of the mass that is compatible with the observations, independent of their probability.
        let lost = if model.observes() { lost / (evidence + lost) } else { lost };
        let over = if model.observes() && evidence > 0.0 { evidence } else { 1.0 };
        let list = outcomes.into_iter().map(|(value, mass)| (value, mass / over)).collect();
        let statistic = if summary { model.entry().statistic } else { "" };
        Ok(Self { list, lost, steps, log_evidence, statistic })
    }

    /// Creates a count of 0 for each outcome.
    #[must_use]
    pub fn counter(&self) -> Counted {
        let places =
            self.list.iter().enumerate().map(|(i, (value, _))| (show::items(value, ' '), i)).collect();
        Counted { places, counts: vec![0; self.list.len()], others: 0 }
    }

    /// The outcome in this table of a replicate with this value: the value itself or its statistic.
    #[must_use]
    pub fn outcome(&self, model: &Model, value: Value) -> Value {
        if self.statistic.is_empty() { value } else { model.statistic(&value) }
    }

    /// Draws a chart of the distribution as SVG. If `counted` contains counts and the number of replicates, the chart
    /// compares the distribution with them.
    #[must_use]
    pub fn picture(&self, model: &Model, counted: Option<(&Counted, u64)>) -> String {
        let mass = |(i, (value, mass)): (usize, &(Value, f64))| Mass {
            label: show::text(value),
            place: if let Value::Whole(whole) = value { Some(*whole) } else { None },
            exact: Some(*mass),
            simulated: counted.map(|(counted, _)| counted.counts[i]),
        };
        let masses: Vec<Mass> = self.list.iter().enumerate().map(mass).collect();
        let what = if self.statistic.is_empty() { String::new() } else { format!(": {}", self.statistic) };
        let replicates = counted.map_or(0, |(_, replicates)| replicates);
        picture::bars(&format!("{}{what}", model.entry().title), &masses, replicates)
    }

    /// Returns named numbers that describe the distribution, such as the lost probability and values that
    /// have a closed form.
    #[must_use]
    pub fn facts(&self, model: &Model, counted: Option<&Counted>) -> Vec<(String, f64)> {
        let mut facts = vec![("lost".to_owned(), self.lost)];
        facts.extend(self.log_evidence.map(|evidence| ("log evidence".to_owned(), evidence)));
        if let Some(counted) = counted.filter(|counted| counted.others > 0) {
            facts.push(("replicates with an outcome that is not listed".to_owned(), counted.others as f64));
        }
        let closed = model.moments().into_iter();
        facts.extend(closed.map(|(name, value)| (format!("closed form, {name}"), value)));
        facts
    }
}

impl Counted {
    /// Counts a replicate with this outcome.
    pub fn add(&mut self, outcome: &Value) {
        match self.places.get(&show::items(outcome, ' ')) {
            Some(&i) => self.counts[i] += 1,
            None => self.others += 1,
        }
    }
}
