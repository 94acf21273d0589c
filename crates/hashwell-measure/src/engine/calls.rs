//! Single calls: the core cycles of each call, and the counts of the CPU's event counters over many calls.
//!
//! All other figures are means over the calls of a sample. Here each call is timed on its own, so that rare slow calls
//! are visible: evicted caches, mispredicted branches, interrupts.

use super::candidates::Entrant;
use super::plan::{CALL_COUNT, CALL_SIZES};
use crate::leak::Clock as Ticks;
use crate::report::{Bin, CallRow, Calls, PerCall, Row};
use crate::timing::clock::Clock;
use crate::timing::counter::Counters;

/// The maximum total time, in nanoseconds, of the calls of a row at one size. At least [`FEWEST`] calls are timed even
/// if they take longer.
const BUDGET_NS: u64 = 50_000_000;
/// The minimum number of calls: with fewer, the 99th percentile would be the maximum.
const FEWEST: u64 = 200;
/// The number of bins from the minimum to the 99th percentile. Calls above that are in one more bin.
const BINS: usize = 40;

/// Times single calls of every row that hashes one message in this process.
pub(super) fn measure(list: &mut [Entrant], input: &[u8]) -> Calls {
    let ticks = Ticks::new();
    let overhead = (0..1000).map(|_| ticks.sample(1, || {})).min().unwrap_or(0);
    let (mut counters, missing) = match Counters::open() {
        Ok(counters) => (Some(counters), None),
        Err(reason) => (None, Some(reason)),
    };
    let mut rows = Vec::new();
    for entrant in list {
        for bytes in CALL_SIZES {
            let row = entrant.row.clone();
            let Some(mut call) = entrant.call(input, bytes as usize) else { continue };
            let one = warmed_up(&mut call);
            let count = (BUDGET_NS / one.max(1)).clamp(FEWEST, CALL_COUNT);
            let repeats = ticks.repeats(&mut call);
            let cycles = (0..count).map(|_| {
                let taken = ticks.sample(repeats, &mut call).saturating_sub(overhead);
                taken.max(1) as f64 * ticks.cycles_per_tick(repeats)
            });
            let cycles = cycles.collect();
            let counters = counters.as_mut().and_then(|counters| counters.per_call(count, &mut call));
            rows.push(described(row, bytes, cycles, counters));
        }
    }
    Calls { clock: ticks.name().into(), clock_ghz: ticks.core_ghz(), missing, rows }
}

/// The time of a call in nanoseconds, after several calls that are not timed.
fn warmed_up(call: &mut impl FnMut()) -> u64 {
    const WARM_UP_NS: u64 = 2_000_000;
    let (began, mut calls) = (Clock::Wall.now(), 0);
    loop {
        call();
        calls += 1;
        let taken = Clock::Wall.now().saturating_sub(began);
        if taken >= WARM_UP_NS || calls >= 1000 {
            return taken / calls;
        }
    }
}

fn described(row: Row, bytes: u64, mut cycles: Vec<f64>, counters: Option<PerCall>) -> CallRow {
    cycles.sort_by(f64::total_cmp);
    let (p50, p99) = (percentile(&cycles, 0.5), percentile(&cycles, 0.99));
    CallRow {
        algorithm: row.algorithm,
        title: row.title,
        provider: row.provider,
        variant: row.variant,
        kernel: row.kernel,
        bytes,
        calls: cycles.len() as u64,
        minimum: cycles[0],
        p50,
        p99,
        maximum: cycles[cycles.len() - 1],
        bins: bins(&cycles, p99),
        counters,
    }
}

/// The smallest value that is not exceeded by this fraction of the values.
fn percentile(sorted: &[f64], part: f64) -> f64 {
    let rank = (part * sorted.len() as f64).ceil() as usize;
    sorted[rank.clamp(1, sorted.len()) - 1]
}

/// A histogram: bins of equal width up to the 99th percentile, and one for the rest. Empty bins are omitted.
fn bins(sorted: &[f64], p99: f64) -> Vec<Bin> {
    let (low, high) = (sorted[0], sorted[sorted.len() - 1]);
    let width = (p99 - low) / BINS as f64;
    if width <= 0.0 {
        // All calls except the slowest 1 % took the same time.
        let slower = sorted.iter().filter(|cycles| **cycles > p99).count() as u64;
        let equal = Bin { from: low, to: low, calls: sorted.len() as u64 - slower };
        let rest = (slower > 0).then_some(Bin { from: p99, to: high, calls: slower });
        return [equal].into_iter().chain(rest).collect();
    }
    let mut counts = [0; BINS + 1];
    for cycles in sorted {
        let at = if *cycles > p99 { BINS } else { (((cycles - low) / width) as usize).min(BINS - 1) };
        counts[at] += 1;
    }
    let edge = |at: usize| match at {
        0..BINS => low + at as f64 * width,
        BINS => p99,
        _ => high,
    };
    let filled = counts.into_iter().enumerate().filter(|(_, calls)| *calls > 0);
    filled.map(|(at, calls)| Bin { from: edge(at), to: edge(at + 1), calls }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_were_taken() {
        let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!((percentile(&hundred, 0.5), percentile(&hundred, 0.99)), (50.0, 99.0));
        assert_eq!((percentile(&[7.0], 0.5), percentile(&[7.0], 0.99)), (7.0, 7.0));
        assert_eq!(percentile(&[1.0, 2.0, 3.0], 0.5), 2.0);
    }

    #[test]
    fn every_call_is_in_one_bin() {
        let mut cycles: Vec<f64> = (0..1000).map(|i| 100.0 + f64::from(i % 97)).collect();
        cycles.extend([5000.0, 9000.0]);
        cycles.sort_by(f64::total_cmp);
        let p99 = percentile(&cycles, 0.99);
        let all = bins(&cycles, p99);
        assert_eq!(all.iter().map(|bin| bin.calls).sum::<u64>(), 1002);
        assert_eq!((all[0].from, all[all.len() - 1].to), (100.0, 9000.0));
        assert!(all.windows(2).all(|two| two[0].to <= two[1].from) && all.len() <= BINS + 1);
        let last = &all[all.len() - 1];
        let above = cycles.iter().filter(|taken| **taken > p99).count() as u64;
        assert_eq!((last.from, last.calls), (p99, above));
    }

    #[test]
    fn equal_calls_have_one_bin_and_the_slower_ones_another() {
        let equal = bins(&[3.0; 10], 3.0);
        assert_eq!(equal, [Bin { from: 3.0, to: 3.0, calls: 10 }]);
        let mut cycles = vec![3.0; 200];
        cycles.push(50.0);
        let two = bins(&cycles, 3.0);
        assert_eq!(two, [Bin { from: 3.0, to: 3.0, calls: 200 }, Bin { from: 3.0, to: 50.0, calls: 1 }]);
    }
}
