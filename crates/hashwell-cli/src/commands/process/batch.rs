//! Replicates that are simulated together.

use super::subject::Subject;
use hashwell_draw::Error;
use hashwell_draw::process::Run;
use hashwell_draw::process::interpret::Weighted;
use hashwell_draw::process::registry::{Columns, Outcome, Value};
use hashwell_draw::process::show;
use std::ops::{ControlFlow, Range};

/// A replicate.
pub(super) struct Replicate {
    pub(super) number: u64,
    pub(super) value: Value,
    /// The logarithm of the weight of what was observed, if that is asked for.
    pub(super) log_weight: Option<f64>,
}

/// What came of replicates that follow one another.
pub(super) enum Batch {
    Columns(Columns, Outcome),
    Weighted(Weighted<Value>),
}

impl Batch {
    /// # Errors
    /// Of the first replicate that fails.
    pub(super) fn of(
        subject: &Subject<'_>,
        run: &Run,
        replicates: Range<u64>,
        mut flow: impl FnMut() -> ControlFlow<()>,
    ) -> Result<Self, Error> {
        let (model, simulation) = (&subject.model, &subject.simulation());
        let progress = &mut |_| flow();
        if subject.asked.weights {
            return model.weigh(run, replicates, simulation, progress).map(Batch::Weighted);
        }
        let columns = model.simulate(run, replicates, simulation, progress)?;
        Ok(Batch::Columns(columns, model.row().outcome))
    }

    /// Replicates that came.
    pub(super) fn len(&self) -> u64 {
        match self {
            Batch::Columns(columns, _) => columns.replicates,
            Batch::Weighted(weighted) => weighted.outs.len() as u64,
        }
    }

    /// Whether all came.
    pub(super) fn finished(&self) -> bool {
        match self {
            Batch::Columns(columns, _) => columns.finished,
            Batch::Weighted(weighted) => weighted.finished,
        }
    }

    /// Numbers that are held, about.
    pub(super) fn items(&self) -> u64 {
        match self {
            Batch::Columns(columns, _) => columns.data.len() as u64,
            Batch::Weighted(weighted) => weighted.outs.iter().map(show::count).sum(),
        }
    }

    /// The replicates, the first of which has this number.
    pub(super) fn replicates(&self, first: u64) -> impl Iterator<Item = Replicate> {
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
