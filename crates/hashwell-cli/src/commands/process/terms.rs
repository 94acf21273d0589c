//! The terms of a process: the terms of one run, the probability of a run, and the tree of all terms.

use super::Lines;
use super::subject::{Origin, Subject, failed};
use crate::inputs::reading::read_named;
use crate::system::report::{Failure, printable};
use hashwell_draw::Watch;
use hashwell_draw::process::interpret::Depth;
use hashwell_draw::process::show;
use hashwell_draw::process::{Outcome, picture};
use serde_json::{Value, json};
use std::ffi::OsString;

/// The maximum size in bytes of a trace.
const MOST: u64 = 1 << 30;

/// Prints every term of a run with its draw.
pub(super) fn trace(subject: &Subject<'_>) -> Result<(), Failure> {
    let origin = Origin::of(subject.asked)?;
    let trace = subject.model.trace(&mut *origin.words()?, &subject.limits(Watch::never()));
    // Print the seed before anything can fail, so that the run can be reproduced.
    origin.say();
    let trace = trace.map_err(failed)?;
    let log_probability = trace.log_probability().map_err(failed)?;
    let mut lines = Lines::default();
    if subject.asked.json {
        let term = |(distribution, outcome): &(hashwell_draw::process::Distribution<'_>, Outcome)| json!({"distribution": distribution.to_string(), "outcome": as_json(*outcome)});
        let terms: Vec<Value> = trace.terms.iter().map(term).collect();
        let json = json!({
            "terms": terms,
            "value": trace.out,
            "log probability": show::json_number(log_probability),
            "log weight": show::json_number(trace.log_weight),
        });
        lines.line(&json.to_string())?;
    } else {
        for (law, draw) in &trace.terms {
            lines.line(&format!("{law}: {}", as_json(*draw)))?;
        }
        lines.line(&format!("value: {}", show::text(&trace.out)))?;
        lines.line(&format!("log probability: {}", show::number(log_probability)))?;
        if trace.log_weight != 0.0 {
            lines.line(&format!("log weight: {}", show::number(trace.log_weight)))?;
        }
    }
    lines.end()
}

/// Prints the probability of a run.
pub(super) fn score(subject: &Subject<'_>, name: &OsString) -> Result<(), Failure> {
    let of_file = |reason: &dyn std::fmt::Display| Failure::Work(format!("{}: {reason}", printable(name)));
    let text = read_named(name, MOST)?;
    let trace: Value = serde_json::from_slice(&text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        of_file(&format_args!(
            "not a trace written by --trace --json: invalid JSON at line {line}, column {column}"
        ))
    })?;
    let terms = trace.get("terms").and_then(Value::as_array);
    let terms = terms
        .ok_or_else(|| of_file(&"not a trace written by --trace --json: the list of terms is missing"))?;
    let outcome = |(step, term): (usize, &Value)| {
        let outcome = term.get("outcome").and_then(from_json);
        outcome.ok_or_else(|| {
            of_file(&format_args!("not a trace written by --trace --json: term {step} has no outcome"))
        })
    };
    let outcomes: Vec<Outcome> = terms.iter().enumerate().map(outcome).collect::<Result<_, Failure>>()?;
    let score =
        subject.model.score(&outcomes, &subject.limits(Watch::never())).map_err(|error| of_file(&error))?;
    let mut lines = Lines::default();
    if subject.asked.json {
        let facts = [("log probability", score.log_probability), ("log weight", score.log_weight)];
        lines.line(&show::json_facts(facts).to_string())?;
    } else {
        lines.line(&format!("log probability: {}", show::number(score.log_probability)))?;
        if score.log_weight != 0.0 {
            lines.line(&format!("log weight: {}", show::number(score.log_weight)))?;
        }
    }
    lines.end()
}

/// Prints the tree of terms.
pub(super) fn explain(subject: &Subject<'_>) -> Result<(), Failure> {
    let usual = Depth::default();
    let terms = subject.asked.steps.map_or(usual.terms, |steps| usize::try_from(steps).unwrap_or(usize::MAX));
    let tree =
        subject.model.explain(&Depth { terms, ..usual }, &subject.limits(Watch::never())).map_err(failed)?;
    subject.picture(|| Ok(picture::tree(&tree)))?;
    let mut lines = Lines::default();
    lines.line(tree.text().trim_end())?;
    lines.end()
}

/// An integer, a floating-point number, or null.
fn as_json(draw: Outcome) -> Value {
    match draw {
        Outcome::Index(index) => index.into(),
        Outcome::Real(real) => real.into(),
        Outcome::Nothing => Value::Null,
    }
}

fn from_json(value: &Value) -> Option<Outcome> {
    match value {
        Value::Null => Some(Outcome::Nothing),
        Value::Number(number) => {
            number.as_u64().map(Outcome::Index).or_else(|| number.as_f64().map(Outcome::Real))
        }
        _ => None,
    }
}
