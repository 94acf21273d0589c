//! The loop over many replicates: batch after batch, until all are done, one fails or Ctrl-C is pressed.

use super::subject::{Origin, Subject, failed};
use crate::options::process_args::Asked;
use crate::system::exit::SUCCESS;
use crate::system::interrupt::{Interrupt, interrupted};
use crate::system::progress::Progress;
use crate::system::report::{Failure, complain, reason};
use hashwell_draw::process::interpret::{Limits, Weighted};
use hashwell_draw::process::registry::{Columns, Value, ValueKind};
use hashwell_draw::process::{Run, Streams, show};
use hashwell_draw::{Error, Watch};
use std::ops::Range;
use std::time::{Duration, Instant};

/// The number of replicates that a simulation completed.
pub(super) struct Done {
    pub(super) replicates: u64,
    pub(super) finished: bool,
}

impl Done {
    /// If the simulation was stopped early, prints the number of completed replicates. Returns the exit code.
    pub(super) fn exit(&self) -> u8 {
        if self.finished {
            return SUCCESS;
        }
        complain(&format_args!("stopped after {} replicates", self.replicates));
        interrupted()
    }
}

/// The target duration of a batch, short enough that lines appear as they are simulated.
const BATCH: Duration = Duration::from_millis(100);
/// The approximate number of items that a batch keeps in memory.
const ITEMS: u64 = 1 << 22;

/// The numbers of the requested replicates.
pub(super) fn wanted(asked: &Asked) -> Result<Range<u64>, Failure> {
    let (first, count) = (asked.first, asked.replicates.unwrap_or_default());
    first.checked_add(count).map(|end| first..end).ok_or_else(|| {
        Failure::Usage(format!(
            "--first and --replicates must add up to less than 2^64, not {first} + {count}"
        ))
    })
}

/// Passes each replicate to `take`, in order. If one fails, those before it are still passed.
pub(super) fn each(
    subject: &Subject<'_>,
    origin: &Origin,
    mut take: impl FnMut(Replicate) -> Result<(), Failure>,
) -> Result<Done, Failure> {
    let wanted = wanted(subject.asked)?;
    let interrupt = Interrupt::watch().map_err(|error| Failure::Work(reason(&error)))?;
    let ask = |_| interrupt.flow();
    let watch = Watch::new(&ask);
    let limits = &subject.limits(&watch);
    match origin {
        Origin::Run(run, _) => in_parallel(subject, run, wanted, limits, &mut take),
        Origin::Mwc => in_series(subject, origin, wanted, limits, &mut take),
    }
}

/// Simulates replicates that are independent of each other.
fn in_parallel(
    subject: &Subject<'_>,
    run: &Run,
    wanted: Range<u64>,
    limits: &Limits<'_>,
    take: &mut impl FnMut(Replicate) -> Result<(), Failure>,
) -> Result<Done, Failure> {
    let progress = Progress::steps("replicates", wanted.end - wanted.start).apart_from_output();
    let (mut next, mut size) = (wanted.start, 1);
    while next < wanted.end {
        let (start, end) = (Instant::now(), next.saturating_add(size).min(wanted.end));
        let simulate = |range| Batch::of(subject, run, range, limits);
        let (batch, error) = match simulate(next..end) {
            Ok(batch) => (batch, None),
            Err(error) => {
                let Error::InReplicate { replicate, .. } = error else { return Err(failed(error)) };
                // The replicates before the failed one were lost together with its batch, so simulate them again.
                (simulate(next..replicate).map_err(failed)?, Some(error))
            }
        };
        batch.replicates(next).try_for_each(&mut *take)?;
        next += batch.len();
        progress.add(batch.len());
        if !batch.finished() || limits.watch.look().is_err() {
            return Ok(Done { replicates: next - wanted.start, finished: next == wanted.end });
        }
        if let Some(error) = error {
            return Err(failed(error));
        }
        let items = batch.items();
        if start.elapsed() < BATCH && items < ITEMS / 4 {
            size = size.saturating_mul(4);
        } else if items > ITEMS {
            size = (size / 4).max(1);
        }
    }
    Ok(Done { replicates: wanted.end - wanted.start, finished: true })
}

/// Simulates replicates on one generator, one after the other. Replicates before the first requested one are drawn as
/// well.
fn in_series(
    subject: &Subject<'_>,
    origin: &Origin,
    wanted: Range<u64>,
    limits: &Limits<'_>,
    take: &mut impl FnMut(Replicate) -> Result<(), Failure>,
) -> Result<Done, Failure> {
    let progress = Progress::steps("replicates", wanted.end).apart_from_output();
    let mut words = origin.words()?;
    for number in 0..wanted.end {
        let looked = limits.watch.look().map_err(Error::from);
        let value = match looked.and_then(|()| subject.model.sample(&mut *words, limits)) {
            Err(Error::Stopped) => {
                return Ok(Done { replicates: number.saturating_sub(wanted.start), finished: false });
            }
            value => value.map_err(failed)?,
        };
        progress.add(1);
        if number >= wanted.start {
            take(Replicate { number, value, log_weight: None })?;
        }
    }
    Ok(Done { replicates: wanted.end - wanted.start, finished: true })
}

/// A replicate.
pub(super) struct Replicate {
    pub(super) number: u64,
    pub(super) value: Value,
    /// The log weight of the observations, if requested.
    pub(super) log_weight: Option<f64>,
}

/// Replicates that were simulated together.
enum Batch {
    Columns(Columns, ValueKind),
    Weighted(Weighted<Value>),
}

impl Batch {
    /// # Errors
    /// Returns the error of the first replicate that fails.
    fn of(
        subject: &Subject<'_>,
        run: &Run,
        replicates: Range<u64>,
        limits: &Limits<'_>,
    ) -> Result<Self, Error> {
        let (model, streams) = (&subject.model, Streams::Separate(run, replicates));
        if subject.asked.weights {
            return model.weigh(streams, limits).map(Batch::Weighted);
        }
        let columns = model.simulate(streams, limits)?;
        Ok(Batch::Columns(columns, model.entry().values))
    }

    /// The number of replicates that were simulated.
    fn len(&self) -> u64 {
        match self {
            Batch::Columns(columns, _) => columns.replicates,
            Batch::Weighted(weighted) => weighted.outs.len() as u64,
        }
    }

    /// Returns true if all replicates were simulated.
    fn finished(&self) -> bool {
        match self {
            Batch::Columns(columns, _) => columns.finished,
            Batch::Weighted(weighted) => weighted.finished,
        }
    }

    /// The approximate number of values in memory.
    fn items(&self) -> u64 {
        match self {
            Batch::Columns(columns, _) => columns.data.len() as u64,
            Batch::Weighted(weighted) => weighted.outs.iter().map(show::count).sum(),
        }
    }

    /// The replicates, numbered from `first`.
    fn replicates(&self, first: u64) -> impl Iterator<Item = Replicate> {
        (0..self.len()).map(move |j| {
            let (value, log_weight) = match self {
                Batch::Columns(columns, outcome) => (show::value(columns, *outcome, j as usize), None),
                Batch::Weighted(weighted) => {
                    (weighted.outs[j as usize].clone(), Some(weighted.log_weights[j as usize]))
                }
            };
            Replicate { number: first + j, value, log_weight }
        })
    }
}
