//! Many replicates of a process, one per line.

use super::Lines;
use super::simulated::{self, Replicate};
use super::subject::{Origin, Subject};
use crate::system::report::{Failure, complain};
use hashwell_draw::process::interpret::Weighted;
use hashwell_draw::process::picture::{self, Mass};
use hashwell_draw::process::registry::{Shape, Value, ValueKind};
use hashwell_draw::process::show;
use serde_json::json;
use std::collections::BTreeMap;

/// Prints the replicates.
pub(super) fn print(subject: &Subject<'_>) -> Result<u8, Failure> {
    let origin = Origin::of(subject.asked)?;
    check(subject, &origin)?;
    let mut rows = Rows::begin(subject)?;
    let mut seen = Seen::default();
    let wanted = subject.asked.svg.is_some();
    let done = simulated::each(subject, &origin, |replicate| {
        rows.row(&replicate)?;
        if wanted {
            seen.add(replicate.value);
        }
        Ok(())
    });
    // If a replicate fails, print those before it, and the seed with which they can be reproduced.
    rows.end()?;
    origin.say();
    let done = done?;
    if done.finished {
        subject.picture(|| Ok(seen.picture(subject)))?;
    }
    Ok(done.exit())
}

/// Rejects requests that cannot be simulated before anything is printed.
fn check(subject: &Subject<'_>, origin: &Origin) -> Result<(), Failure> {
    simulated::wanted(subject.asked)?;
    let refused = match (subject.asked.weights, origin) {
        (false, _) => {
            subject.note_what_was_observed();
            return Ok(());
        }
        (_, Origin::Mwc) => "--weights can't be used with --source mwc".to_owned(),
        _ if subject.model.observes() => return Ok(()),
        _ => {
            format!("--weights requires a process with observations; {} has none", subject.model.entry().name)
        }
    };
    Err(Failure::Usage(refused))
}

/// Lines of replicates, in the requested format.
struct Rows {
    lines: Lines,
    csv: bool,
    json: bool,
    shape: Shape,
    /// The weights of all replicates, for the summary at the end.
    weights: Option<Weighted<()>>,
}

impl Rows {
    fn begin(subject: &Subject<'_>) -> Result<Self, Failure> {
        let asked = subject.asked;
        let none = || Weighted { outs: Vec::new(), log_weights: Vec::new(), finished: true };
        let weights = asked.weights.then(none);
        let mut lines = Lines::default();
        let shape = subject.model.shape();
        if asked.csv {
            let weight = if asked.weights { "log weight," } else { "" };
            lines.line(format!("replicate,{weight}{}", show::header(&shape)).trim_end_matches(','))?;
        }
        Ok(Self { lines, csv: asked.csv, json: asked.json, shape, weights })
    }

    fn row(&mut self, replicate: &Replicate) -> Result<(), Failure> {
        let Replicate { number, value, log_weight } = replicate;
        if let (Some(weights), Some(log_weight)) = (&mut self.weights, log_weight) {
            weights.log_weights.push(*log_weight);
        }
        self.lines.line(&match (log_weight, self.csv, self.json) {
            (None, true, _) => joined(number.to_string(), &show::fields(value, &self.shape)),
            (Some(log), true, _) => {
                joined(format!("{number},{}", show::number(*log)), &show::fields(value, &self.shape))
            }
            (None, _, true) => show::json(value),
            (Some(log), _, true) => {
                json!({"value": value, "log weight": show::json_number(*log)}).to_string()
            }
            (None, ..) => show::text(value),
            (Some(log), ..) => format!("{}  {}", show::number(*log), show::text(value)),
        })
    }

    /// Writes the summary of all weights, and the remaining lines.
    fn end(&mut self) -> Result<(), Failure> {
        let Some(weights) = self.weights.take().filter(|weights| !weights.log_weights.is_empty()) else {
            return self.lines.end();
        };
        // If no weight is greater than 0, nothing can be estimated, and these defaults are printed.
        let size = weights.effective_sample_size().unwrap_or(0.0);
        let log = weights.log_evidence().unwrap_or(f64::NEG_INFINITY);
        let facts = [("effective sample size", size), ("log evidence", log)];
        let warning = weights.is_degenerate().then(|| {
            format!(
                "unreliable: the effective sample size, {}, is less than a tenth of the number of replicates, \
                 {}; simulate more replicates, or use --exact or --posterior",
                show::number(size),
                weights.log_weights.len()
            )
        });
        if self.json {
            self.lines.line(&json!({"facts": show::json_facts(facts), "warning": warning}).to_string())?;
        } else if !self.csv {
            for (name, value) in facts {
                self.lines.line(&format!("{name}: {}", show::number(value)))?;
            }
            if let Some(warning) = &warning {
                self.lines.line(&format!("log evidence is {warning}"))?;
            }
        }
        self.lines.end()?;
        if self.csv {
            facts
                .iter()
                .for_each(|(name, value)| complain(&format_args!("{name}: {}", show::number(*value))));
            if let Some(warning) = warning {
                complain(&format_args!("log evidence is {warning}"));
            }
        }
        Ok(())
    }
}

/// Appends fields to others. A value without items has no fields.
fn joined(before: String, fields: &str) -> String {
    if fields.is_empty() { before } else { format!("{before},{fields}") }
}

/// The data for a chart of replicates.
#[derive(Default)]
struct Seen {
    count: u64,
    paths: Vec<Value>,
    /// The number of replicates with each value, if values are integers. If they are lists of table labels, the number
    /// of replicates with each number of tables.
    wholes: BTreeMap<i64, u64>,
}

impl Seen {
    fn add(&mut self, value: Value) {
        self.count += 1;
        match &value {
            Value::Whole(whole) => *self.wholes.entry(*whole).or_insert(0) += 1,
            Value::Labels(labels) => {
                let tables = labels.iter().max().map_or(0, |&last| i64::from(last) + 1);
                *self.wholes.entry(tables).or_insert(0) += 1;
            }
            _ if self.paths.len() < picture::MAX_PATHS => self.paths.push(value),
            _ => {}
        }
    }

    fn picture(&self, subject: &Subject<'_>) -> String {
        let row = subject.model.entry();
        if matches!(row.values, ValueKind::Wholes | ValueKind::Reals) {
            return picture::of_many(&subject.model, &self.paths);
        }
        let mass = |(&place, &count): (&i64, &u64)| Mass {
            label: place.to_string(),
            place: Some(place),
            exact: None,
            simulated: Some(count),
        };
        let masses: Vec<Mass> = self.wholes.iter().map(mass).collect();
        let what = if row.values == ValueKind::Labels { ": number of tables" } else { "" };
        picture::bars(&format!("{}{what}", row.title), &masses, self.count)
    }
}
