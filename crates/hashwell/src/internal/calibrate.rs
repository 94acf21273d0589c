//! Measures which kernels are fastest on this CPU, at the first use of a table. No fixed order is
//! right for all CPUs.
//!
//! ```text
//! first use of a table -> kernels in turn, on zeros, ten rounds -> fewest ticks of each -> Plan -> published
//! ```
//!
//! A trial hashes only 2 KiB in all lanes together, so that few trials are interrupted. The minimum of ten trials is
//! then very likely from one that was not interrupted. Each kernel runs once before the trials, because cold code takes
//! several times as long. Only zeros are hashed, so the time reveals no secret. No thread and no heap memory is used.

use crate::internal::batch::{Batch, Lanes, Pair};
use crate::internal::kernel::{Chosen, Table};
use crate::internal::plan::{CHAIN_MARGIN, Contestant, Costs, Length, PARTS, Plan, ROWS, better};
use crate::internal::ticks;
use crate::internal::vector::{Input, MAX};
use core::hint::black_box;

/// The number of trials of each kernel at each length.
const ROUNDS: usize = 10;

/// The number of bytes that a batch kernel hashes in one trial, in all its lanes together.
const BATCH_BYTES: usize = 2048;

/// The number of bytes that a chain kernel hashes in one trial. A chain kernel takes several times as long per byte as
/// a batch kernel.
const CHAIN_BYTES: usize = 512;

/// The minimum number of counter steps in a trial, chosen so that an error of one step is smaller
/// than the margin of a plan. If the counter is coarse, a trial makes several calls. Many Arm CPUs
/// count at 24 MHz. Zen 4 counts at 2.6 GHz, but in steps of 26.
const STEPS: u64 = 64;

/// The maximum number of calls in a trial, in case the counter does not advance.
const CALLS: u64 = 256;

/// The maximum input of one lane: half of a trial, since a batch kernel has at least two lanes.
static ZEROS: [u8; BATCH_BYTES / 2] = [0; BATCH_BYTES / 2];

/// Several calls of a kernel.
struct Trial {
    ticks: u64,
    /// The number of blocks hashed in each lane.
    blocks: u64,
    /// The length of a block in bytes.
    block_len: usize,
}

/// Makes this number of calls on its own states.
fn trial<C: Copy + 'static, B: Copy + 'static, L: Lanes>(
    pair: Pair<C, B>,
    length: Length,
    calls: u64,
    lanes: impl Fn(Pair<C, B>) -> L,
) -> Trial {
    let mut lanes = lanes(pair);
    let block_len = lanes.block_len();
    let (bytes, width) = if pair.batch.is_some() { (BATCH_BYTES, lanes.width().0) } else { (CHAIN_BYTES, 1) };
    let blocks = if length == Length::Short { 1 } else { (bytes / width / block_len).max(2) };
    let head = &ZEROS[..blocks * block_len];
    let inputs = [Input { head, head_blocks: blocks, tail: &[] }; MAX];
    // Otherwise the compiler could write the zeros of the states after the clock has started.
    let lanes = black_box(&mut lanes);
    let ticks = match pair.batch {
        Some(_) => ticks::of(|| (0..calls).for_each(|_| lanes.absorb(&inputs, blocks))),
        None => ticks::of(|| (0..calls).for_each(|_| lanes.absorb_alone(0, head))),
    };
    Trial { ticks, blocks: calls * blocks as u64, block_len }
}

/// Returns the number of ticks between two consecutive values of the counter, or a multiple of it.
fn step(readings: &[u64]) -> u64 {
    let divisor = |a: u64, b: u64| {
        let (mut a, mut b) = (a, b);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    readings.iter().copied().fold(0, divisor).max(1)
}

/// The rows of a batch table, followed by the chain kernel.
const PLACES: usize = ROWS + 1;

/// The results of a measurement.
struct Contest {
    /// The costs of each measured place.
    costs: [Costs; PLACES],
    nanoseconds: u64,
    ticks_per_microsecond: f64,
    block_len: usize,
}

impl Contest {
    /// Measures all places in turn. `trial` makes the given number of calls if the place has a
    /// kernel. It is a trait object, because a type parameter would compile the whole measurement
    /// once for each table.
    fn of(trial: &dyn Fn(usize, Length, u64) -> Option<Trial>) -> Self {
        let readings: [u64; ROUNDS] = core::array::from_fn(|_| ticks::of(|| {}));
        Self::beyond(&readings, trial)
    }

    /// Measures like [`Contest::of`]. `readings` are the ticks between two consecutive readings of
    /// the counter.
    fn beyond(readings: &[u64], trial: &dyn Fn(usize, Length, u64) -> Option<Trial>) -> Self {
        let reading = readings.iter().copied().min().unwrap_or(0);
        let enough = STEPS * step(readings);
        let watch = ticks::Watch::start();
        let mut costs = [[u64::MAX; 2]; PLACES];
        let mut calls = [[1; 2]; PLACES];
        let mut length_of_block = 0;
        let timed = |place, length: Length, calls| {
            let trial = trial(place, length, calls)?;
            Some(Trial { ticks: trial.ticks.saturating_sub(reading), ..trial })
        };
        for (place, calls) in calls.iter_mut().enumerate() {
            for length in Length::ALL {
                // Warms up cold code, which takes several times as long.
                let Some(Trial { block_len, .. }) = timed(place, length, 1) else { break };
                length_of_block = block_len;
                let calls = &mut calls[length as usize];
                let short = |calls| timed(place, length, calls).is_some_and(|trial| trial.ticks < enough);
                while *calls < CALLS && short(*calls) {
                    *calls *= 2;
                }
            }
        }
        for _ in 0..ROUNDS {
            for (place, (costs, calls)) in costs.iter_mut().zip(&calls).enumerate() {
                for length in Length::ALL {
                    let Some(trial) = timed(place, length, calls[length as usize]) else { break };
                    let cost = &mut costs[length as usize];
                    *cost = (*cost).min((trial.ticks * PARTS / trial.blocks).max(1));
                }
            }
        }
        let (nanoseconds, ticks_per_microsecond) = watch.stop();
        Self { costs, nanoseconds, ticks_per_microsecond, block_len: length_of_block }
    }

    /// Completes the plan with the cost of the measurement and the speeds of its rows.
    fn into_plan(self, mut plan: Plan, lanes: impl Fn(usize) -> usize) -> Plan {
        plan.nanoseconds = u32::try_from(self.nanoseconds).unwrap_or(u32::MAX);
        plan.block_len = self.block_len as u32;
        for (row, (speeds, costs)) in plan.speeds.iter_mut().zip(&self.costs).enumerate() {
            let bytes = (lanes(row) * self.block_len) as f64 * PARTS as f64;
            *speeds = costs.map(|cost| (bytes / cost as f64 * self.ticks_per_microsecond) as u32);
        }
        plan
    }

    /// Returns the plan of a chain table. `first` is the first row, in the order of the table, that
    /// this CPU can run.
    fn chain_plan(self, first: usize) -> Plan {
        // The length of a message is unknown when its state is made, so a block of a short message and a block of a
        // long one have the same weight.
        let cost = |row: usize| self.costs[row][0].saturating_add(self.costs[row][1]);
        let best = better(first, ROWS, CHAIN_MARGIN, cost);
        self.into_plan(Plan::always(best), |_| 1)
    }

    /// Returns the plan of a batch table. `widths` are the lanes of the rows that this CPU can run.
    fn batch_plan(self, widths: &[Option<usize>; ROWS]) -> Plan {
        let contestant = |row: usize| widths[row].map(|lanes| Contestant { lanes, costs: self.costs[row] });
        let plan = Plan::of(self.costs[ROWS], &core::array::from_fn::<_, ROWS, _>(contestant));
        self.into_plan(plan, |row| widths[row].unwrap_or(0))
    }
}

/// Returns the plan of a chain table. The order of speed of the rows in `rivals` depends on the CPU.
/// They are measured if the first row that this CPU can run is one of them. `lanes` makes the lanes
/// of a family, all zeros.
pub(crate) fn chain<C: Copy + 'static, B: Copy + 'static, L: Lanes>(
    table: &Table<C>,
    rivals: &[&str],
    lanes: impl Fn(Pair<C, B>) -> L,
) -> Plan {
    let mut pairs = [const { None }; PLACES];
    let first = table.available().next().map_or(0, |(row, _)| row);
    for (row, chain) in table.available().filter(|(_, chain)| rivals.contains(&chain.name())) {
        pairs[row] = Some(Pair::alone(chain));
    }
    if pairs[first].is_none() || pairs.iter().flatten().count() < 2 {
        return Plan::always(first);
    }
    let of = |place, length, calls| Some(trial(pairs[place]?, length, calls, &lanes));
    Contest::of(&of).chain_plan(first)
}

/// Returns the plan of a batch table: all rows that this CPU can run, compared with the best chain
/// kernel.
pub(crate) fn batch<C: Copy + 'static, B: Copy + 'static, L: Lanes>(
    chain: &Table<C>,
    table: &Table<Batch<B>>,
    lanes: impl Fn(Pair<C, B>) -> L,
) -> Plan {
    let chain: Chosen<C> = chain.best();
    let mut pairs = [const { None }; PLACES];
    let mut widths = [None; ROWS];
    for (row, batch) in table.available() {
        pairs[row] = Some(Pair::of(chain, batch));
        widths[row] = Some(batch.function().lanes);
    }
    if pairs.iter().flatten().next().is_none() {
        return Plan::of([1; 2], &[]);
    }
    pairs[ROWS] = Some(Pair::alone(chain));
    let of = |place, length, calls| Some(trial(pairs[place]?, length, calls, &lanes));
    Contest::of(&of).batch_plan(&widths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::cell::Cell;

    /// Returns the cost of a kernel that takes `nanoseconds` per block, on a counter with `tick`
    /// nanoseconds per tick that advances in steps of `step`.
    fn cost(nanoseconds: u64, tick: u64, step: u64) -> f64 {
        let now = Cell::new(0);
        let read = |now: u64| now / (tick * step) * step;
        let trial = |place: usize, length: Length, calls: u64| {
            let blocks = calls * if length == Length::Short { 1 } else { 4 };
            let start = now.get();
            now.set(start + blocks * nanoseconds);
            (place == 0).then_some(Trial { ticks: read(now.get()) - read(start), blocks, block_len: 64 })
        };
        (Contest::beyond(&[0, step], &trial).costs[0][0] * tick) as f64 / PARTS as f64
    }

    #[test]
    fn a_coarse_counter_is_fine_enough() {
        let coarse = [(420, 1, 1), (420, 42, 1), (421, 42, 1), (420, 100, 1), (80, 100, 1)];
        for (nanoseconds, tick, step) in coarse.into_iter().chain([(421, 1, 26), (80, 1, 26), (423, 2, 50)]) {
            let (found, expected) = (cost(nanoseconds, tick, step), nanoseconds as f64);
            assert!((found / expected - 1.0).abs() < 0.02, "{nanoseconds}, {tick}, {step}: {found}");
        }
    }

    #[test]
    fn the_step_of_a_counter() {
        assert_eq!([step(&[]), step(&[0, 0]), step(&[0, 1]), step(&[35, 36])], [1; 4]);
        assert_eq!([step(&[52, 78, 52]), step(&[52, 52])], [26, 52], "52 at worst doubles the calls");
    }
}
