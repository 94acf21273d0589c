//! Built-in processes by name (`docs/guides/processes.md`).

use crate::failure::Failure;
use crate::inputs::Inputs;
use crate::reply;
use hashwell_draw::process::interpret::Limits;
use hashwell_draw::process::registry::{Argument, Given, Kind, Model, PROCESSES, find};
use hashwell_draw::process::{ExactTable, Run, Streams, picture, show};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// A request about a process.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Request {
    process: String,
    /// The parameters, as texts, as on the command line. Numbers are also texts, because JSON parsers may round them.
    #[serde(default)]
    parameters: Map<String, Value>,
    encoding: Option<String>,
    #[serde(default)]
    seed: String,
    /// The number of replicates, which are returned in addition to the distribution, or instead of one value.
    #[serde(default)]
    replicates: u64,
    /// The number of the first replicate.
    #[serde(default)]
    first: u64,
    /// True to use the summary statistic of the values instead of the values.
    #[serde(default)]
    summary: bool,
    /// The maximum number of states of an enumeration.
    states: Option<usize>,
}

impl Request {
    fn model(&self) -> Result<Model, Failure> {
        let mut given = Given::new();
        for (name, value) in &self.parameters {
            let value: Argument = match value {
                Value::String(text) => text.as_str().into(),
                _ => return Err(Failure::usage(format!("{name} must be a number or a string"))),
            };
            given = given.with(name, value);
        }
        Ok(find(&self.process)
            .map_err(|error| Failure::unknown(&error))?
            .build(&given, self.encoding.as_deref())?)
    }

    fn simulate(
        &self,
        model: &Model,
        mut take: impl FnMut(hashwell_draw::process::registry::Value),
    ) -> Result<(), Failure> {
        let run = Run::seeded(self.seed.as_bytes())?;
        let end = self
            .first
            .checked_add(self.replicates)
            .ok_or_else(|| Failure::usage("first + replicates must be below 2^64"))?;
        let streams = Streams::Separate(&run, self.first..end);
        let columns = model.simulate(streams, &Limits { threads: 1, ..Limits::default() })?;
        let kind = model.entry().values;
        (0..columns.replicates as usize).for_each(|j| take(show::value(&columns, kind, j)));
        Ok(())
    }
}

/// Lists the processes with their parameters.
pub(crate) fn list(_: &Inputs<'_>) -> Result<String, Failure> {
    let kind = |kind| match kind {
        Kind::Number => "number",
        Kind::Whole => "whole",
        Kind::Numbers => "numbers",
        Kind::Wholes => "wholes",
        Kind::Matrix => "matrix",
    };
    let rows: Vec<Value> = PROCESSES
        .iter()
        .map(|row| {
            let parameters: Vec<Value> = row
                .parameters
                .iter()
                .map(|parameter| {
                    json!({
                        "name": parameter.name,
                        "symbol": parameter.symbol,
                        "kind": kind(parameter.kind),
                        "range": parameter.range,
                        "help": parameter.help,
                        "default": parameter.default,
                    })
                })
                .collect();
            json!({
                "name": row.name,
                "title": row.title,
                "distribution": row.distribution,
                "source": row.source,
                "statistic": row.statistic,
                "encodings": row.encodings,
                "parameters": parameters,
            })
        })
        .collect();
    reply::json(&rows)
}

/// Returns one value or several replicates, and their chart.
pub(crate) fn value(inputs: &Inputs<'_>) -> Result<String, Failure> {
    let request: Request = inputs.request()?;
    let model = request.model()?;
    let limits = Limits::default();
    if request.replicates == 0 {
        let run = Run::seeded(request.seed.as_bytes())?;
        let value = model.sample(&mut run.words()?, &limits)?;
        let svg = match model.sticks(&mut run.words()?, &limits) {
            Some(broken) => picture::sticks(&broken?.0),
            None => picture::of(&model, &value),
        };
        return reply::json(&json!({ "value": value, "text": show::text(&value), "svg": svg }));
    }
    let mut values = Vec::new();
    request.simulate(&model, |value| values.push(value))?;
    let svg = picture::of_many(&model, &values);
    reply::json(&json!({ "values": values, "svg": svg }))
}

/// Returns the distribution, and replicates if any are requested.
pub(crate) fn law(inputs: &Inputs<'_>) -> Result<String, Failure> {
    let request: Request = inputs.request()?;
    let model = request.model()?;
    let mut limits = Limits::default();
    limits.states = request.states.unwrap_or(limits.states);
    let outcomes = ExactTable::of(&model, request.summary, &limits)?;
    let mut counted = outcomes.counter();
    if request.replicates > 0 {
        if model.observes() {
            let message = "replicates can't be compared with this distribution: they ignore the observations";
            return Err(Failure::usage(message));
        }
        request.simulate(&model, |value| counted.add(&outcomes.outcome(&model, value)))?;
    }
    let beside = (request.replicates > 0).then_some((&counted, request.replicates));
    let list: Vec<Value> = outcomes
        .list
        .iter()
        .zip(&counted.counts)
        .map(|((value, mass), count)| {
            json!({ "value": value, "text": show::text(value), "probability": mass, "replicates": count })
        })
        .collect();
    reply::json(&json!({
        "outcomes": list,
        "facts": show::json_facts(outcomes.facts(&model, beside.map(|(counted, _)| counted))),
        "svg": outcomes.picture(&model, beside),
    }))
}
