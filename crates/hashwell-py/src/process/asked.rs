//! Each interpreter, asked of a process that lives in Python, with its answer as Python objects.

use super::faults::from_draw;
use super::live::Live;
use super::seed::Origin;
use super::table::{ELSEWHERE, Table};
use super::term::{as_draw, drawn};
use super::value::array;
use super::watched::Watched;
use crate::border::sync::Pace;
use hashwell_draw::Error;
use hashwell_draw::Words;
use hashwell_draw::process::interpret::{self, Depth, Exact, Limit, Simulation, Tree, Weighted};
use hashwell_draw::process::{Draw, Run};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::ops::{ControlFlow, Range};

/// Replicates, how many terms each may have, and whom to tell.
pub(crate) struct Many {
    pub(crate) origin: Origin,
    pub(crate) replicates: Range<u64>,
    pub(crate) simulation: Simulation,
    pub(crate) progress: Option<Py<PyAny>>,
}

impl Many {
    pub(crate) fn len(&self) -> u64 {
        self.replicates.end - self.replicates.start
    }

    pub(crate) fn replicates(&self) -> Range<u64> {
        self.replicates.clone()
    }

    /// Tells that so many are done.
    pub(crate) fn tell(&self, py: Python<'_>, done: u64) -> PyResult<()> {
        self.progress
            .as_ref()
            .map_or(Ok(()), |progress| progress.bind(py).call1((done, self.len())).map(drop))
    }
}

pub(crate) fn sample<'py>(
    live: &Live<'_, 'py>,
    words: &mut dyn Words,
    terms: u64,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(live.checked(interpret::sample_within(live, words, terms))?.object)
}

/// `[(term, draw), …], out, log_weight`
pub(crate) fn trace<'py>(
    py: Python<'py>,
    live: &Live<'_, 'py>,
    words: &mut dyn Words,
    terms: u64,
) -> PyResult<Bound<'py, PyTuple>> {
    let trace = live.checked(interpret::trace_within(live, words, terms))?;
    (drawn(py, trace.terms)?, trace.out.object, trace.log_weight).into_pyobject(py)
}

/// `log_probability, log_weight`
pub(crate) fn score(live: &Live<'_, '_>, draws: &[Draw]) -> PyResult<(f64, f64)> {
    let score = live.checked(interpret::score(live, draws))?;
    Ok((score.log_probability, score.log_weight))
}

/// The draws of a list of Python's.
pub(crate) fn draws_of(draws: &Bound<'_, PyAny>) -> PyResult<Vec<Draw>> {
    draws.try_iter()?.map(|draw| as_draw(&draw?)).collect()
}

/// The law of what comes of it, as [`law`] gives it.
pub(crate) fn exact<'py>(
    py: Python<'py>,
    live: &Live<'_, 'py>,
    limit: &Limit,
) -> PyResult<Bound<'py, PyTuple>> {
    let ask = || live.go_on();
    let limit = Limit { ask: Some(&ask), ..*limit };
    law(py, live.checked(interpret::exact(live, &limit))?, |out| Ok(out.object))
}

/// `[(outcome, mass), …], lost, evidence, log_evidence, unit, steps, expanded`; masses count units of 2^unit.
pub(crate) fn law<'py, O>(
    py: Python<'py>,
    exact: Exact<O>,
    object: impl Fn(O) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let log_evidence = exact.log_evidence();
    let Exact { outcomes, lost, evidence, unit, steps, expanded } = exact;
    let masses = PyList::empty(py);
    for (out, mass) in outcomes {
        masses.append((object(out)?, mass))?;
    }
    (masses, lost, evidence, log_evidence, unit, steps, expanded).into_pyobject(py)
}

pub(crate) fn explain(live: &Live<'_, '_>, depth: &Depth) -> PyResult<Tree> {
    live.checked(interpret::explain(live, depth))
}

/// `[out, …]`, one replicate after the other.
pub(crate) fn simulate<'py>(
    py: Python<'py>,
    live: &Live<'_, 'py>,
    many: &Many,
) -> PyResult<Bound<'py, PyList>> {
    let outs = PyList::empty(py);
    each(py, many, |j, words| {
        let out = interpret::sample_within(live, words, many.simulation.terms);
        outs.append(live.checked(out.map_err(|error| error.in_replicate(j)))?.object)
    })?;
    Ok(outs)
}

/// `[out, …], [log_weight, …], [weight, …]`, the latter of sum 1, and of all weights `effective_sample_size,
/// log_evidence`.
pub(crate) fn weigh<'py>(
    py: Python<'py>,
    live: &Live<'_, 'py>,
    many: &Many,
) -> PyResult<Bound<'py, PyTuple>> {
    let outs = PyList::empty(py);
    let mut log_weights = Vec::new();
    each(py, many, |j, words| {
        let weighed = interpret::weigh_one(live, words, many.simulation.terms);
        let (out, log_weight) = live.checked(weighed.map_err(|error| error.in_replicate(j)))?;
        log_weights.push(log_weight);
        outs.append(out.object)
    })?;
    weighted(py, outs.into_any(), log_weights)
}

/// As [`weigh`] gives it.
pub(crate) fn weighted<'py>(
    py: Python<'py>,
    outs: Bound<'py, PyAny>,
    log_weights: Vec<f64>,
) -> PyResult<Bound<'py, PyTuple>> {
    let weights: Weighted<()> = Weighted { outs: Vec::new(), log_weights, finished: true };
    let size = weights.effective_sample_size().map_err(from_draw)?;
    let log_evidence = weights.log_evidence().map_err(from_draw)?;
    let posterior = weights.posterior().map_err(from_draw)?;
    (outs, weights.log_weights, posterior, size, log_evidence).into_pyobject(py)
}

/// Each replicate in turn, in this thread, with a look for signals now and then.
pub(crate) fn each(
    py: Python<'_>,
    many: &Many,
    mut take: impl FnMut(u64, &mut dyn Words) -> PyResult<()>,
) -> PyResult<()> {
    let mut pace = Pace::new();
    let mut next = |j: u64, words: &mut dyn Words| {
        take(j, words)?;
        if pace.is_due() {
            py.check_signals()?;
            many.tell(py, j + 1 - many.replicates.start)?;
            pace = Pace::new();
        }
        Ok::<_, PyErr>(())
    };
    match many.origin {
        Origin::Run(run) => {
            let mut replicates = run.replicates(many.replicates()).map_err(from_draw)?;
            while let Some((j, words)) = replicates.next_words().map_err(from_draw)? {
                next(j, words)?;
            }
        }
        Origin::Mwc => {
            let mut words = Watched::new(many.origin.words(None)?);
            let done = many.replicates().try_for_each(|j| next(j, &mut words));
            words.raised().map_or(done, Err)?;
        }
    }
    many.tell(py, many.len())
}

/// `[outcome, …], numbers`: the outcomes that came, in the order in which they did, and which of them came of each
/// replicate (native numbers of 32 bits). Runs within the table need no Python, and go on threads; what they miss is
/// asked for between.
pub(crate) fn simulate_table<'py>(
    py: Python<'py>,
    table: &Table,
    run: &Run,
    many: &Many,
) -> PyResult<Bound<'py, PyTuple>> {
    let growing = Live::of_table(py, table);
    let mut numbers: Vec<u32> = Vec::new();
    let mut first = many.replicates.start;
    // A new table knows little: few runs at first, so that few must be made twice.
    let mut piece = 1;
    while first < many.replicates.end {
        let end = first.saturating_add(piece).min(many.replicates.end);
        piece = (2 * piece).min(1 << 20);
        let outs = in_threads(py, table, run, many, first..end)?;
        numbers
            .try_reserve(outs.len())
            .map_err(|_| from_draw(Error::Memory { what: "what came of the replicates" }))?;
        for (j, number) in (first..end).zip(outs) {
            numbers.push(match number {
                ELSEWHERE => {
                    let mut words = run.replicate(j).map_err(from_draw)?;
                    let out = interpret::sample_within(&growing, &mut words, many.simulation.terms);
                    growing.checked(out.map_err(|error| error.in_replicate(j)))?.number
                }
                number => number,
            });
        }
        first = end;
    }
    many.tell(py, many.len())?;
    // What came of other runs of the table has no say in the type of the array.
    const UNSEEN: u32 = u32::MAX;
    let mut places = vec![UNSEEN; table.outcomes()];
    let outs = PyList::empty(py);
    for number in &mut numbers {
        let place = &mut places[*number as usize];
        if *place == UNSEEN {
            *place = outs.len() as u32;
            outs.append(table.object(py, *number))?;
        }
        *number = *place;
    }
    (outs, array(py, &numbers, u32::to_ne_bytes)?).into_pyobject(py)
}

fn in_threads(
    py: Python<'_>,
    table: &Table,
    run: &Run,
    many: &Many,
    range: Range<u64>,
) -> PyResult<Vec<u32>> {
    let before = range.start - many.replicates.start;
    let frozen = table.frozen().map_err(from_draw)?;
    let simulation = many.simulation;
    let done =
        detached(py, many, before, |look| interpret::simulate(&frozen, run, range, &simulation, look))?;
    Ok(done.outs)
}

/// Runs `work` detached, which calls what it is given now and then with the number of replicates that are done, beside
/// `before`. What a signal's handler or the caller's function raises meanwhile ends it.
pub(crate) fn detached<R: Send>(
    py: Python<'_>,
    many: &Many,
    before: u64,
    work: impl FnOnce(&mut dyn FnMut(u64) -> ControlFlow<()>) -> Result<R, Error> + Send,
) -> PyResult<R> {
    let mut raised = None;
    let done = py.detach(|| {
        let mut pace = Pace::new();
        work(&mut |done| {
            if !pace.is_due() {
                return ControlFlow::Continue(());
            }
            let tell = |py: Python<'_>| py.check_signals().and_then(|()| many.tell(py, before + done));
            // An interpreter that is being shut down runs no handlers.
            let told = Python::try_attach(tell).unwrap_or(Ok(()));
            pace = Pace::new();
            match told {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    raised = Some(error);
                    ControlFlow::Break(())
                }
            }
        })
    });
    raised.map_or_else(|| done.map_err(from_draw), Err)
}
