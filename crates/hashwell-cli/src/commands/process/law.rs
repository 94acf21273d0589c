//! The exact distribution of a process, compared with replicates if there are any.

use super::Lines;
use super::simulated::{self, Done};
use super::subject::{Origin, Subject, failed};
use crate::system::exit::SUCCESS;
use crate::system::report::{Failure, complain};
use hashwell_draw::Watch;
use hashwell_draw::process::{Counted, ExactTable, show};
use serde_json::json;

/// Prints the distribution.
pub(super) fn print(subject: &Subject<'_>) -> Result<u8, Failure> {
    let asked = subject.asked;
    if subject.model.observes() && asked.replicates.is_some() {
        let message =
            "--exact takes the observations into account, but --replicates does not: use only one of them";
        return Err(Failure::Usage(message.to_owned()));
    }
    let law = Law::of(subject)?;
    let counted = asked.replicates.map(|_| law.count()).transpose()?;
    let (counted, done) = counted.unzip();
    let beside = counted.as_ref().zip(done.as_ref().map(|done| done.replicates));
    subject.picture(|| Ok(law.outcomes.picture(&subject.model, beside)))?;
    match (asked.json, asked.csv) {
        (true, _) => law.print_json(counted.as_ref())?,
        (_, true) => law.print_csv(counted.as_ref())?,
        _ => law.print_text(counted.as_ref())?,
    }
    Ok(done.map_or(SUCCESS, |done| done.exit()))
}

/// A distribution and its process.
struct Law<'a> {
    outcomes: ExactTable,
    subject: &'a Subject<'a>,
}

impl<'a> Law<'a> {
    fn of(subject: &'a Subject<'a>) -> Result<Self, Failure> {
        let limits = subject.limits(Watch::never());
        let outcomes = ExactTable::of(&subject.model, subject.asked.summary, &limits).map_err(failed)?;
        let ExactTable { lost, steps, .. } = outcomes;
        if lost > limits.mass && steps >= limits.steps && subject.asked.steps.is_none() {
            let (name, part) = (subject.model.entry().name, show::number(lost));
            return Err(Failure::Work(format!(
                "{name}: after {steps} steps, a probability of {part} is not yet assigned to an outcome \
                 (raise the limit with --steps N)"
            )));
        }
        Ok(Self { outcomes, subject })
    }

    /// Simulates replicates, and counts them by outcome.
    fn count(&self) -> Result<(Counted, Done), Failure> {
        let origin = Origin::of(self.subject.asked)?;
        let mut counted = self.outcomes.counter();
        let done = simulated::each(self.subject, &origin, |replicate| {
            counted.add(&self.outcomes.outcome(&self.subject.model, replicate.value));
            Ok(())
        });
        origin.say();
        Ok((counted, done?))
    }

    fn print_text(&self, counted: Option<&Counted>) -> Result<(), Failure> {
        let mut lines = Lines::default();
        let count =
            |i| counted.map_or_else(String::new, |counted: &Counted| format!("  {:>12}", counted.counts[i]));
        let heading = if counted.is_some() { "    replicates" } else { "" };
        lines.line(&format!("{:>22}{heading}  outcome", "probability"))?;
        for (i, (value, mass)) in self.outcomes.list.iter().enumerate() {
            lines.line(&format!("{:>22}{}  {}", show::number(*mass), count(i), show::text(value)))?;
        }
        for (name, value) in self.facts(counted) {
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
        for (i, (value, mass)) in self.outcomes.list.iter().enumerate() {
            let count = counted.map_or_else(String::new, |counted| format!(",{}", counted.counts[i]));
            lines.line(&format!("{},{}{count}", show::items(value, ' '), show::number(*mass)))?;
        }
        lines.end()?;
        if self.outcomes.lost > 0.0 {
            complain(&format_args!("lost: {}", show::number(self.outcomes.lost)));
        }
        Ok(())
    }

    fn print_json(&self, counted: Option<&Counted>) -> Result<(), Failure> {
        let outcomes: Vec<_> = self
            .outcomes
            .list
            .iter()
            .enumerate()
            .map(|(i, (value, mass))| match counted {
                Some(counted) => {
                    json!({"value": value, "probability": mass, "replicates": counted.counts[i]})
                }
                None => json!({"value": value, "probability": mass}),
            })
            .collect();
        let facts = show::json_facts(self.facts(counted));
        let mut lines = Lines::default();
        lines.line(&json!({"outcomes": outcomes, "facts": facts}).to_string())?;
        lines.end()
    }

    fn facts(&self, counted: Option<&Counted>) -> Vec<(String, f64)> {
        self.outcomes.facts(&self.subject.model, counted)
    }
}
