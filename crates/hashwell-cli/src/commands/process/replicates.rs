//! Many replicates of a process, a line each.

use super::lines::Lines;
use super::origin::Origin;
use super::show;
use super::subject::{Subject, failed};
use crate::system::exit::SUCCESS;
use crate::system::interrupt::{INTERRUPTED, Interrupt};
use crate::system::progress::Progress;
use crate::system::report::{Failure, complain, reason};
use hashwell_draw::process::picture::{self, Mass};
use hashwell_draw::process::registry::{Outcome, Shape, Value};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Prints the replicates.
pub(super) fn print(subject: &Subject<'_>) -> Result<u8, Failure> {
    let origin = Origin::of(subject.asked)?;
    let mut rows = Rows::of(subject);
    let mut seen = Seen::default();
    let wanted = subject.asked.svg.is_some();
    let done = each(subject, &origin, |j, value, ragged| {
        rows.row(j, &value, ragged)?;
        if wanted {
            seen.add(value);
        }
        Ok(())
    })?;
    rows.lines.end()?;
    if done.finished {
        subject.picture(|| Ok(seen.picture(subject)))?;
    }
    origin.say();
    Ok(done.exit())
}

/// How far a simulation came.
pub(super) struct Done {
    pub(super) replicates: u64,
    finished: bool,
}

impl Done {
    /// Says where it was stopped, if it was.
    pub(super) fn exit(&self) -> u8 {
        if self.finished {
            return SUCCESS;
        }
        complain(&format_args!("stopped after {} replicates", self.replicates));
        INTERRUPTED
    }
}

/// How long a batch should take, so that Ctrl-C is noticed and progress is seen.
const BATCH: Duration = Duration::from_millis(100);
/// Items of a batch in memory, about.
const ITEMS: u64 = 1 << 22;

/// Hands each replicate, with its number and whether values have lengths of their own, to `take`, in order.
pub(super) fn each(
    subject: &Subject<'_>,
    origin: &Origin,
    mut take: impl FnMut(u64, Value, bool) -> Result<(), Failure>,
) -> Result<Done, Failure> {
    let asked = subject.asked;
    let (first, count) = (asked.first, asked.replicates.unwrap_or_default());
    let last = first.checked_add(count).ok_or_else(|| {
        Failure::Usage(format!(
            "--first and --replicates must add up to less than 2^64, not {first} + {count}"
        ))
    })?;
    let interrupt = Interrupt::watch().map_err(|error| Failure::Work(reason(&error)))?;
    let progress = Progress::steps("replicates", count).apart_from_output();
    let outcome = subject.model.row().outcome;
    match origin {
        Origin::Run(run, _) => {
            let (mut next, mut batch) = (first, 1);
            while next < last {
                let (start, end) = (Instant::now(), next.saturating_add(batch).min(last));
                let columns = subject
                    .model
                    .simulate(run, next..end, &subject.simulation(), &mut |_| interrupt.flow())
                    .map_err(failed)?;
                let ragged = matches!(columns.shape, Shape::Ragged(_));
                for j in 0..columns.replicates {
                    take(next + j, show::value(&columns, outcome, j as usize), ragged)?;
                }
                next += columns.replicates;
                progress.add(columns.replicates);
                if !columns.finished || interrupt.flow().is_break() {
                    return Ok(Done { replicates: next - first, finished: next == last });
                }
                let items = columns.data.len() as u64;
                if start.elapsed() < BATCH && items < ITEMS / 4 {
                    batch = batch.saturating_mul(4);
                } else if items > ITEMS {
                    batch = (batch / 4).max(1);
                }
            }
        }
        Origin::Mwc => {
            let mut words = origin.words()?;
            for j in 0..last {
                let value = subject.model.sample(&mut *words).map_err(failed)?;
                if j >= first {
                    take(j, value, true)?;
                    progress.add(1);
                }
                if interrupt.flow().is_break() {
                    let replicates = (j + 1).saturating_sub(first);
                    return Ok(Done { replicates, finished: j + 1 == last });
                }
            }
        }
    }
    Ok(Done { replicates: count, finished: true })
}

/// Lines of replicates, in the form that is asked for.
struct Rows {
    lines: Lines,
    csv: bool,
    json: bool,
    begun: bool,
}

impl Rows {
    fn of(subject: &Subject<'_>) -> Self {
        Self { lines: Lines::default(), csv: subject.asked.csv, json: subject.asked.json, begun: false }
    }

    fn row(&mut self, j: u64, value: &Value, ragged: bool) -> Result<(), Failure> {
        if !self.csv {
            return self.lines.line(&if self.json { show::json(value) } else { show::text(value) });
        }
        if !self.begun {
            self.begun = true;
            self.lines.line(&header(value, ragged))?;
        }
        let between = if ragged { ' ' } else { ',' };
        let items = show::items(value, between);
        self.lines.line(&if items.is_empty() && !ragged { j.to_string() } else { format!("{j},{items}") })
    }
}

/// A column for each item where all values have as many; else one, with blanks between items.
fn header(value: &Value, ragged: bool) -> String {
    let width = match value {
        Value::Whole(_) => return "replicate,value".to_owned(),
        _ if ragged => return "replicate,values".to_owned(),
        Value::Wholes(wholes) => wholes.len(),
        Value::Reals(reals) => reals.len(),
        Value::Labels(labels) => labels.len(),
    };
    (0..width).fold("replicate".to_owned(), |header, i| format!("{header},{i}"))
}

/// What a picture of replicates is made of.
#[derive(Default)]
struct Seen {
    count: u64,
    paths: Vec<Value>,
    /// How often each whole number came, of labels how often each number of tables.
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
            _ if self.paths.len() < picture::MOST_PATHS => self.paths.push(value),
            _ => {}
        }
    }

    fn picture(&self, subject: &Subject<'_>) -> String {
        let row = subject.model.row();
        if matches!(row.outcome, Outcome::Wholes | Outcome::Reals) {
            return picture::of_many(&*subject.model, &self.paths);
        }
        let mass = |(&place, &count): (&i64, &u64)| Mass {
            label: place.to_string(),
            place: Some(place),
            exact: None,
            simulated: Some(count),
        };
        let masses: Vec<Mass> = self.wholes.iter().map(mass).collect();
        let what = if row.outcome == Outcome::Labels { ": how many tables" } else { "" };
        picture::bars(&format!("{}{what}", row.title), &masses, self.count)
    }
}
