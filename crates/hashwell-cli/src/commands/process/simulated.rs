//! The loop over many replicates: batch after batch, until all are done, one fails or Ctrl-C is pressed.

use super::batch::{Batch, Replicate};
use super::origin::Origin;
use super::subject::{Subject, failed};
use crate::options::process_args::Asked;
use crate::system::exit::SUCCESS;
use crate::system::interrupt::{INTERRUPTED, Interrupt};
use crate::system::progress::Progress;
use crate::system::report::{Failure, complain, reason};
use hashwell_draw::Error;
use hashwell_draw::process::Run;
use std::ops::Range;
use std::time::{Duration, Instant};

/// How far a simulation came.
pub(super) struct Done {
    pub(super) replicates: u64,
    pub(super) finished: bool,
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

/// How long a batch should take, so that lines are seen as they come.
const BATCH: Duration = Duration::from_millis(100);
/// Items of a batch in memory, about.
const ITEMS: u64 = 1 << 22;

/// The numbers of the replicates that are asked for.
pub(super) fn wanted(asked: &Asked) -> Result<Range<u64>, Failure> {
    let (first, count) = (asked.first, asked.replicates.unwrap_or_default());
    first.checked_add(count).map(|end| first..end).ok_or_else(|| {
        Failure::Usage(format!(
            "--first and --replicates must add up to less than 2^64, not {first} + {count}"
        ))
    })
}

/// Hands each replicate to `take`, in order; those before one that fails, too.
pub(super) fn each(
    subject: &Subject<'_>,
    origin: &Origin,
    mut take: impl FnMut(Replicate) -> Result<(), Failure>,
) -> Result<Done, Failure> {
    let wanted = wanted(subject.asked)?;
    let interrupt = Interrupt::watch().map_err(|error| Failure::Work(reason(&error)))?;
    match origin {
        Origin::Run(run, _) => side_by_side(subject, run, wanted, &interrupt, &mut take),
        Origin::Mwc => in_a_row(subject, origin, wanted, &interrupt, &mut take),
    }
}

/// Replicates with words of their own.
fn side_by_side(
    subject: &Subject<'_>,
    run: &Run,
    wanted: Range<u64>,
    interrupt: &Interrupt,
    take: &mut impl FnMut(Replicate) -> Result<(), Failure>,
) -> Result<Done, Failure> {
    let progress = Progress::steps("replicates", wanted.end - wanted.start).apart_from_output();
    let (mut next, mut size) = (wanted.start, 1);
    while next < wanted.end {
        let (start, end) = (Instant::now(), next.saturating_add(size).min(wanted.end));
        let simulate = |range| Batch::of(subject, run, range, || interrupt.flow());
        let (batch, error) = match simulate(next..end) {
            Ok(batch) => (batch, None),
            Err(error) => {
                let Error::InReplicate { replicate, .. } = error else { return Err(failed(error)) };
                // What came before it is lost with its batch, and comes anew.
                (simulate(next..replicate).map_err(failed)?, Some(error))
            }
        };
        batch.replicates(next).try_for_each(&mut *take)?;
        next += batch.len();
        progress.add(batch.len());
        if !batch.finished() || interrupt.flow().is_break() {
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

/// Replicates that take words from one generator, one after the other: those before the first one are drawn, too.
fn in_a_row(
    subject: &Subject<'_>,
    origin: &Origin,
    wanted: Range<u64>,
    interrupt: &Interrupt,
    take: &mut impl FnMut(Replicate) -> Result<(), Failure>,
) -> Result<Done, Failure> {
    let progress = Progress::steps("replicates", wanted.end).apart_from_output();
    let mut words = origin.words()?;
    for number in 0..wanted.end {
        let value = if interrupt.flow().is_continue() {
            subject.model.sample_while(&mut *words, subject.terms(), &mut || interrupt.flow())
        } else {
            Ok(None)
        };
        let Some(value) = value.map_err(failed)? else {
            return Ok(Done { replicates: number.saturating_sub(wanted.start), finished: false });
        };
        progress.add(1);
        if number >= wanted.start {
            take(Replicate { number, value, log_weight: None })?;
        }
    }
    Ok(Done { replicates: wanted.end - wanted.start, finished: true })
}
