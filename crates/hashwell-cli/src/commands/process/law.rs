//! The exact law of a process, beside replicates if there are any.

use super::lines::Lines;
use super::origin::Origin;
use super::show;
use super::simulated::{self, Done};
use super::subject::{Subject, failed};
use crate::system::exit::SUCCESS;
use crate::system::report::{Failure, complain};
use hashwell_draw::process::interpret::{Exact, Limit};
use hashwell_draw::process::picture::{self, Mass};
use hashwell_draw::process::registry::Value;
use serde_json::json;
use std::collections::HashMap;

/// Prints the law.
pub(super) fn print(subject: &Subject<'_>) -> Result<u8, Failure> {
    let (asked, limit) = (subject.asked, subject.limit());
    if subject.model.observes() && asked.replicates.is_some() {
        let message = "--replicates are of the process before anything is observed, the law is of what follows from that: \
                       ask for one of them";
        return Err(Failure::Usage(message.to_owned()));
    }
    let law = if asked.summary { subject.model.statistic_law(&limit) } else { subject.model.exact(&limit) };
    let law = Law::of(law.map_err(failed)?, &limit, subject)?;
    let counted = asked.replicates.map(|_| law.count(subject)).transpose()?;
    subject.picture(|| Ok(law.picture(subject, counted.as_ref())))?;
    match (asked.json, asked.csv) {
        (true, _) => law.print_json(subject, counted.as_ref())?,
        (_, true) => law.print_csv(counted.as_ref())?,
        _ => law.print_text(subject, counted.as_ref())?,
    }
    Ok(counted.map_or(SUCCESS, |counted| counted.done.exit()))
}

/// A law, given what was observed if anything was.
struct Law {
    outcomes: Vec<(Value, f64)>,
    exact: Exact<Value>,
    /// The part of the mass that was not decided.
    lost: f64,
    /// Whether something was observed, so that probabilities are masses over their sum.
    observed: bool,
}

/// How often each outcome came, in their order, and how often another.
struct Counted {
    counts: Vec<u64>,
    others: u64,
    done: Done,
}

impl Law {
    fn of(mut exact: Exact<Value>, limit: &Limit, subject: &Subject<'_>) -> Result<Self, Failure> {
        let name = subject.model.row().name;
        let observed = subject.model.observes();
        let Exact { evidence, lost, .. } = exact;
        if evidence + lost == 0.0 {
            return Err(Failure::Work(format!("{name}: what was observed cannot come")));
        }
        // Of the mass that there is, whatever the probability of what was observed.
        let part = if observed { lost / (evidence + lost) } else { lost };
        if part > limit.mass && exact.steps >= limit.steps && subject.asked.steps.is_none() {
            let (steps, part) = (exact.steps, show::number(part));
            return Err(Failure::Work(format!(
                "{name}: after {steps} steps {part} of the mass is not decided; --steps N allows more, or takes what there is"
            )));
        }
        let over = if observed && evidence > 0.0 { evidence } else { 1.0 };
        let outcomes = std::mem::take(&mut exact.outcomes);
        let outcomes = outcomes.into_iter().map(|(value, mass)| (value, mass / over)).collect();
        Ok(Self { outcomes, exact, lost: part, observed })
    }

    /// Simulates, and sorts replicates into the outcomes.
    fn count(&self, subject: &Subject<'_>) -> Result<Counted, Failure> {
        let origin = Origin::of(subject.asked)?;
        let places: HashMap<String, usize> =
            self.outcomes.iter().enumerate().map(|(i, (value, _))| (show::items(value, ' '), i)).collect();
        let mut counts = vec![0; self.outcomes.len()];
        let mut others = 0;
        let done = simulated::each(subject, &origin, |replicate| {
            let value = replicate.value;
            let value = if subject.asked.summary { subject.model.summed_up(&value) } else { value };
            match places.get(&show::items(&value, ' ')) {
                Some(&i) => counts[i] += 1,
                None => others += 1,
            }
            Ok(())
        });
        origin.say();
        Ok(Counted { counts, others, done: done? })
    }

    fn picture(&self, subject: &Subject<'_>, counted: Option<&Counted>) -> String {
        let masses: Vec<Mass> = self
            .outcomes
            .iter()
            .enumerate()
            .map(|(i, (value, mass))| Mass {
                label: show::text(value),
                place: if let Value::Whole(whole) = value { Some(*whole) } else { None },
                exact: Some(*mass),
                simulated: counted.map(|counted| counted.counts[i]),
            })
            .collect();
        let row = subject.model.row();
        let what = if subject.asked.summary { format!(": {}", row.statistic) } else { String::new() };
        let replicates = counted.map_or(0, |counted| counted.done.replicates);
        picture::bars(&format!("{}{what}", row.title), &masses, replicates)
    }

    fn print_text(&self, subject: &Subject<'_>, counted: Option<&Counted>) -> Result<(), Failure> {
        let mut lines = Lines::default();
        let count =
            |i| counted.map_or_else(String::new, |counted: &Counted| format!("  {:>12}", counted.counts[i]));
        let heading = if counted.is_some() { "    replicates" } else { "" };
        lines.line(&format!("{:>22}{heading}  outcome", "probability"))?;
        for (i, (value, mass)) in self.outcomes.iter().enumerate() {
            lines.line(&format!("{:>22}{}  {}", show::number(*mass), count(i), show::text(value)))?;
        }
        for (name, value) in self.facts(subject, counted) {
            lines.line(&format!("{name}: {}", show::number(value)))?;
        }
        lines.end()
    }

    fn print_csv(&self, counted: Option<&Counted>) -> Result<(), Failure> {
        let mut lines = Lines::default();
        lines.line(if counted.is_some() {
            "outcome,probability,replicates"
        } else {
            "outcome,probability"
        })?;
        for (i, (value, mass)) in self.outcomes.iter().enumerate() {
            let count = counted.map_or_else(String::new, |counted| format!(",{}", counted.counts[i]));
            lines.line(&format!("{},{}{count}", show::items(value, ' '), show::number(*mass)))?;
        }
        lines.end()?;
        if self.lost > 0.0 {
            complain(&format_args!("lost: {}", show::number(self.lost)));
        }
        Ok(())
    }

    fn print_json(&self, subject: &Subject<'_>, counted: Option<&Counted>) -> Result<(), Failure> {
        let outcomes: Vec<_> = self
            .outcomes
            .iter()
            .enumerate()
            .map(|(i, (value, mass))| match counted {
                Some(counted) => {
                    json!({"value": value, "probability": mass, "replicates": counted.counts[i]})
                }
                None => json!({"value": value, "probability": mass}),
            })
            .collect();
        let facts = show::json_facts(self.facts(subject, counted));
        let mut lines = Lines::default();
        lines.line(&json!({"outcomes": outcomes, "facts": facts}).to_string())?;
        lines.end()
    }

    /// What is to be known besides the outcomes.
    fn facts(&self, subject: &Subject<'_>, counted: Option<&Counted>) -> Vec<(String, f64)> {
        let mut facts = vec![("lost".to_owned(), self.lost)];
        if self.observed {
            facts.push(("log evidence".to_owned(), self.exact.log_evidence()));
        }
        if let Some(counted) = counted.filter(|counted| counted.others > 0) {
            facts.push(("replicates of no outcome above".to_owned(), counted.others as f64));
        }
        let closed = subject.model.moments().into_iter();
        facts.extend(closed.map(|(name, value)| (format!("closed form, {name}"), value)));
        facts
    }
}
