//! The distribution of hidden states, given the observations.

use super::Lines;
use super::subject::{Subject, failed};
use crate::system::report::Failure;
use hashwell_draw::process::picture;
use hashwell_draw::process::show;
use serde_json::json;

/// Prints the probabilities of the states at each time.
pub(super) fn print(subject: &Subject<'_>) -> Result<(), Failure> {
    let name = subject.model.entry().name;
    let smoothed = subject.model.smooth().ok_or_else(|| {
        Failure::Usage(format!("--posterior requires a process with observations; {name} has none"))
    })?;
    let smoothed = smoothed.map_err(failed)?;
    let states = smoothed.states;
    let rows: Vec<&[f64]> = smoothed.probabilities.chunks(states).collect();
    subject.picture(|| {
        let path = |state: usize| rows.iter().map(|row| row[state]).collect();
        let paths: Vec<Vec<f64>> = (0..states.min(picture::MAX_PATHS)).map(path).collect();
        Ok(picture::paths("Hidden states, given all observations", "probability", "state ", &paths))
    })?;
    let mut lines = Lines::default();
    if subject.asked.json {
        let json = json!({"probabilities": rows, "log evidence": show::json_number(smoothed.log_evidence)});
        lines.line(&json.to_string())?;
        return lines.end();
    }
    let csv = subject.asked.csv;
    if csv {
        lines.line(&format!("time,{}", show::separated(0..states, ',')))?;
    }
    for (time, row) in rows.iter().enumerate() {
        let numbers: Vec<String> = row.iter().map(|&p| show::number(p)).collect();
        let between = if csv { ',' } else { ' ' };
        lines.line(&format!("{time}{between}{}", show::separated(&numbers, between)))?;
    }
    if !csv {
        lines.line(&format!("log evidence: {}", show::number(smoothed.log_evidence)))?;
    }
    lines.end()
}
