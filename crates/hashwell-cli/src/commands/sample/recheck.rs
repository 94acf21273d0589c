//! `hashwell verify` of a sample's transcript: the same command once more, whose transcript has to be the same.

use super::sample;
use super::stop::Stop;
use super::transcript::format_option;
use crate::options::sample_args::SampleOptions;
use crate::system::exit::{FAILURE, SUCCESS};
use crate::system::report::{printable, reason, write_line};
use clap::{Args, Command, FromArgMatches};
use hashwell_draw::survey::{SAMPLE, SHARD, SPEC};
use serde_json::{Map, Value};
use std::ffi::{OsStr, OsString};
use std::io;

type Record = Map<String, Value>;

/// The transcript of a sample, if these bytes are one.
pub(super) fn transcript(json: &[u8]) -> Option<Record> {
    let Ok(Value::Object(record)) = serde_json::from_slice(json) else { return None };
    (record.get("spec").and_then(Value::as_str) == Some(SPEC)).then_some(record)
}

/// Draws again from the files, and says whether all is as it was.
pub(super) fn run(name: &OsStr, record: &Record, files: &[OsString]) -> Result<u8, Stop> {
    let not_one = || Stop::work(format!("{}: no whole transcript of hashwell sample", printable(name)));
    let mut args = arguments(record).ok_or_else(not_one)?;
    args.push("--".into());
    args.extend_from_slice(files);
    let matches = SampleOptions::augment_args(Command::new("sample")).no_binary_name(true);
    let matches = matches.try_get_matches_from(args).map_err(|_| not_one())?;
    let mut options = SampleOptions::from_arg_matches(&matches).map_err(|_| not_one())?;
    let failed = |error: io::Error| Stop::work(reason(&error));
    let folder = tempfile::tempdir().map_err(failed)?;
    let path = folder.path().join("transcript");
    options.transcript = Some(path.clone());
    options.nowhere = true;
    sample(&options)?;
    let again = transcript(&std::fs::read(path).map_err(failed)?).ok_or_else(not_one)?;
    let wrong = differences(record, &again);
    let text = match wrong.is_empty() {
        true => format!(
            "agrees: {} of {} rows, SHA-256 {}\n",
            again["picks"].as_array().map_or(0, Vec::len),
            again["n"],
            again["rows_sha256"].as_str().unwrap_or_default()
        ),
        false => wrong.iter().map(|wrong| format!("does not agree: {wrong}\n")).collect(),
    };
    write_line(text.as_bytes())?;
    Ok(if wrong.is_empty() { SUCCESS } else { FAILURE })
}

/// The options of the command that has such a transcript.
fn arguments(record: &Record) -> Option<Vec<OsString>> {
    let text = |value: &Value, field: &str| value.get(field).and_then(Value::as_str).map(str::to_owned);
    let number = |value: &Value, field: &str| value.get(field).and_then(Value::as_u64);
    let mut args = vec![format!("--seed-hex={}", record.get("seed_hex")?.as_str()?)];
    let shard = record.get("context")?.as_str()?.strip_prefix(SAMPLE)?;
    if !shard.is_empty() {
        args.push(format!("--shard={}", shard.strip_prefix(SHARD)?));
    }
    let design = record.get("design")?;
    let method = text(design, "method")?;
    match &method[..] {
        "chance" | "bernoulli" => args.push(format!("--probability={}", text(design, "p")?)),
        "every" => args.push(format!("--every={}", number(design, "step")?)),
        "shuffle" => args.push("--shuffle".into()),
        _ => args.push(format!("--rows={}", number(design, "k")?)),
    }
    match &method[..] {
        "successive" | "pps" => args.push(format!("--design={method}")),
        "replace" | "weighted-replace" => args.push("--replace".into()),
        _ => {}
    }
    args.extend(names(design.get("key"))?.into_iter().map(|column| format!("--key={column}")));
    if let Some(weight) = design.get("weight") {
        args.push(format!("--weight={}", text(weight, "column")?));
        args.extend(text(weight, "missing").map(|missing| format!("--missing-weight={missing}")));
    }
    if let Some(strata) = design.get("strata") {
        args.extend(names(strata.get("column"))?.into_iter().map(|column| format!("--by={column}")));
        args.extend((text(strata, "allocation")? == "proportional").then(|| "--proportional".into()));
    }
    args.extend((record.get("order")?.as_str()? == "draw").then(|| "--order=draw".into()));
    let input = record.get("input")?;
    let format = text(input, "format")?;
    args.extend(format_option(&format)?);
    let header = if input.get("header")?.as_bool()? { "--header" } else { "--no-header" };
    args.extend((!matches!(&format[..], "jsonl" | "parquet")).then(|| header.into()));
    args.extend(input.get("quotes")?.as_bool()?.then(|| "--quotes".into()));
    Some(args.into_iter().map(OsString::from).collect())
}

/// Columns: of one its name, of several an array; of none nothing.
fn names(columns: Option<&Value>) -> Option<Vec<&str>> {
    match columns {
        None => Some(Vec::new()),
        Some(Value::Array(columns)) => columns.iter().map(Value::as_str).collect(),
        Some(column) => Some(vec![column.as_str()?]),
    }
}

/// What a transcript says otherwise than the draw does. Which program drew is no matter.
fn differences(said: &Record, drawn: &Record) -> Vec<String> {
    let mut fields: Vec<&String> = said.keys().chain(drawn.keys()).collect();
    fields.sort_unstable();
    fields.dedup();
    let differ = |field: &&String| *field != "program" && said.get(*field) != drawn.get(*field);
    let differing = fields.into_iter().filter(differ);
    differing.map(|field| difference(field, said.get(field), drawn.get(field))).collect()
}

fn difference(field: &str, said: Option<&Value>, drawn: Option<&Value>) -> String {
    const LONGEST: usize = 80;
    let shown = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), Value::to_string);
    let (said, drawn) = (shown(said), shown(drawn));
    let field = printable(OsStr::new(field));
    if said.len().max(drawn.len()) > LONGEST {
        return format!("{field} is another one");
    }
    format!("{field} is {drawn}, not {}", printable(OsStr::new(&said)))
}
