//! `--selftest`: tests the samplers of this program on this machine. Small cases are enumerated; large ones are
//! counted. The same tests must fail for samplers that are known to be biased, or they would prove nothing.

use super::request::selftest_key;
use crate::options::sample_args::SampleOptions;
use crate::system::exit::{FAILURE, SUCCESS};
use crate::system::report::{Failure, write_line};
use hashwell::CounterRng;
use hashwell::random::Tape;
use hashwell_draw::design::BernoulliSkips;
use hashwell_draw::sample::demonstration::{FrozenGap, OffByOne};
use hashwell_draw::sample::{Reservoir, Sample, SkipReservoir, WithReplacement, merge};
use hashwell_draw::weighted::{AExpJ, Chao};
use hashwell_draw::{Error, Key};
use std::collections::BTreeMap;

/// The maximum probability that a correct sampler fails the test of a count.
const FALSE_ALARM: &str = "1e-7";

/// The chi-square values for 1, 5 and 9 degrees of freedom that are exceeded with this probability.
const BEYOND: [(usize, f64); 3] = [(1, 28.374), (5, 40.863), (9, 50.172)];

pub(super) fn run(options: &SampleOptions) -> Result<u8, Failure> {
    let mut verdicts = Verdicts { key: selftest_key(options)?, words: 0, failed: 0, text: String::new() };
    exact_gaps(&mut verdicts)?;
    exact_merge(&mut verdicts)?;
    positions(&mut verdicts)?;
    first_rows(&mut verdicts)?;
    weights(&mut verdicts)?;
    chances(&mut verdicts)?;
    let failed = verdicts.failed;
    let end = if failed == 0 { "every test passed".to_owned() } else { format!("{failed} tests FAILED") };
    write_line(
        format!("{}{end}; a correct sampler fails a test with probability {FALSE_ALARM}\n", verdicts.text)
            .as_bytes(),
    )?;
    Ok(if failed == 0 { SUCCESS } else { FAILURE })
}

/// The results so far, and the source of random numbers for the next test.
struct Verdicts {
    key: Key,
    words: u64,
    failed: u32,
    text: String,
}

impl Verdicts {
    /// Random numbers that no other test uses.
    fn words(&mut self) -> CounterRng {
        self.key().words()
    }

    /// A key that no other test uses.
    fn key(&mut self) -> Key {
        self.words += 1;
        self.key.stratum(&self.words.to_be_bytes())
    }

    fn say(&mut self, passed: bool, what: &str) {
        self.failed += u32::from(!passed);
        self.text += &format!("{}  {what}\n", if passed { "ok    " } else { "FAILED" });
    }

    /// Compares counts with their expected values. Counts of correct samplers (`right`) must fit; those of biased
    /// samplers must not.
    fn count(&mut self, what: &str, right: bool, counts: &[u64], expected: &[f64], spread: f64) {
        let part = |(count, expected): (&u64, &f64)| (*count as f64 - expected).powi(2) / expected / spread;
        let chi_square: f64 = counts.iter().zip(expected).map(part).sum();
        let freedom = counts.len() - 1;
        let beyond = BEYOND.iter().find(|(df, _)| *df == freedom).map_or(0.0, |(_, beyond)| *beyond);
        let verdict =
            if right { "chi-square" } else { "must fail because it is biased on purpose, chi-square" };
        let what = format!("{what}: {verdict} {chi_square:.1}, limit {beyond:.1}");
        self.say((chi_square <= beyond) == right, &what);
    }
}

/// Checks that every set of 2 of 5 rows is equally frequent if all random numbers that lead to different results are
/// tried: the numbers for gaps are multiples of 1/30, and those for slots are 0 or 1.
fn exact_gaps(verdicts: &mut Verdicts) -> Result<(), Failure> {
    const GAPS: u64 = 30;
    let gap = |i: u64| ((u128::from(i + 1) << 64) / u128::from(GAPS) - 1) as u64;
    let mut sets: BTreeMap<Vec<u64>, u64> = BTreeMap::new();
    for tape in 0..GAPS.pow(3) * 8 {
        let (gaps, slots) = (tape / 8, tape % 8);
        let (g1, g2, g3) = (gap(gaps % GAPS), gap(gaps / GAPS % GAPS), gap(gaps / GAPS / GAPS));
        let words = [g1, slots & 1, g2, slots >> 1 & 1, g3, slots >> 2, g1];
        let mut rows = walk(SkipReservoir::new(Tape::new(&words), 2)?, 5)?;
        rows.sort_unstable();
        *sets.entry(rows).or_default() += 1;
    }
    let each = GAPS.pow(3) * 8 / 10;
    let passed = sets.len() == 10 && sets.values().all(|count| *count == each);
    verdicts.say(
        passed,
        &format!("-n, exact: each set of 2 of 5 rows occurs in {each} of {} cases", GAPS.pow(3) * 8),
    );
    Ok(())
}

/// Merges samples of 2 of 3 rows and 2 of 2 rows. Checks that every set of 2 of 5 rows is equally frequent if all
/// possible random numbers are tried.
fn exact_merge(verdicts: &mut Verdicts) -> Result<(), Failure> {
    let mut sets: BTreeMap<Vec<u64>, u64> = BTreeMap::new();
    let mut cases = 0;
    for first in [[1, 2], [1, 3], [2, 3]] {
        for tape in 0..5 * 4 * 2 * 2 {
            let words = [tape % 5, tape / 5 % 4, tape / 20 % 2, 0, tape / 40, 0];
            let (a, b) = (Sample::new(first.to_vec(), 3, 2)?, Sample::new(vec![4, 5], 2, 2)?);
            let mut rows = merge(&mut Tape::new(&words), a, b)?.into_rows();
            rows.sort_unstable();
            *sets.entry(rows).or_default() += 1;
            cases += 1;
        }
    }
    let passed = sets.len() == 10 && sets.values().all(|count| *count == cases / 10);
    verdicts.say(
        passed,
        &format!("--merge, exact: each set of 2 of 3 + 2 rows occurs in {} of {cases} cases", cases / 10),
    );
    Ok(())
}

/// The numbers of the rows, from 1, that are in the slots after n rows.
fn walk(mut reservoir: impl Reservoir, n: u64) -> Result<Vec<u64>, Error> {
    let mut rows = vec![0; reservoir.capacity()];
    while reservoir.seen() < n {
        let gap = reservoir.skip().min(n - reservoir.seen());
        if gap > 0 {
            reservoir.passed(gap);
            continue;
        }
        let slot = reservoir.enter()?;
        rows[slot] = reservoir.seen();
    }
    Ok(rows)
}

/// Draws many samples of k out of n rows, and counts the picks in each tenth of the rows.
fn deciles<R: Reservoir>(
    verdicts: &mut Verdicts,
    runs: u64,
    (k, n): (u64, u64),
    make: impl Fn(CounterRng) -> Result<R, Error>,
) -> Result<[u64; 10], Error> {
    let mut counts = [0; 10];
    for _ in 0..runs {
        let words = verdicts.words();
        for row in walk(make(words)?, n)? {
            counts[((row - 1) * 10 / n) as usize] += 1;
        }
    }
    debug_assert_eq!(counts.iter().sum::<u64>(), runs * k);
    Ok(counts)
}

/// Counts all ten tenths, and the first and the last tenth by themselves.
fn positions(verdicts: &mut Verdicts) -> Result<(), Failure> {
    const RUNS: u64 = 4000;
    let (k, n) = (10, 100_000);
    let expected = [(RUNS * k) as f64 / 10.0; 10];
    // The rows of a sample are distinct, so counts vary slightly less than independent ones.
    let spread = (n - k) as f64 / (n - 1) as f64;
    let gap = deciles(verdicts, RUNS, (k, n), |words| SkipReservoir::new(words, k as usize))?;
    verdicts.count(&format!("-n {k} of {n} rows, ten tenths"), true, &gap, &expected, spread);
    let (first, last) = (gap[0], gap[9]);
    for (name, tenth) in [("first", first), ("last", last)] {
        let counts = [tenth, RUNS * k - tenth];
        let expected = [(RUNS * k) as f64 / 10.0, (RUNS * k) as f64 * 0.9];
        verdicts.count(&format!("-n {k} of {n} rows, {name} tenth"), true, &counts, &expected, spread);
    }
    let frozen = deciles(verdicts, RUNS, (k, n), |words| FrozenGap::new(words, k as usize))?;
    verdicts.count("a gap with a fixed probability, ten tenths", false, &frozen, &expected, spread);
    Ok(())
}

/// Samples 2 of 10 rows. An off-by-one error shows in the first rows.
fn first_rows(verdicts: &mut Verdicts) -> Result<(), Failure> {
    const RUNS: u64 = 20_000;
    let expected = [(RUNS * 2) as f64 / 10.0; 10];
    let gap = deciles(verdicts, RUNS, (2, 10), |words| SkipReservoir::new(words, 2))?;
    verdicts.count("-n 2 of 10 rows, row by row", true, &gap, &expected, 8.0 / 9.0);
    let off = deciles(verdicts, RUNS, (2, 10), |words| OffByOne::new(words, 2))?;
    verdicts.count("Algorithm R off by one, row by row", false, &off, &expected, 8.0 / 9.0);
    Ok(())
}

/// Samples 2 of 4 rows with the weights 1, 2, 3 and 4, and counts the pairs in the order 12, 13, 14, 23, 24, 34.
fn weights(verdicts: &mut Verdicts) -> Result<(), Failure> {
    const RUNS: u64 = 40_000;
    let weights = [1_u64, 2, 3, 4];
    let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    // The first row is drawn with probability w/10, the second with w/(10 - first).
    let chance = |(a, b): (usize, usize)| {
        let (a, b) = (weights[a] as f64, weights[b] as f64);
        a * b / 10.0 * (1.0 / (10.0 - a) + 1.0 / (10.0 - b))
    };
    let expected = pairs.map(|pair| chance(pair) * RUNS as f64);
    let (mut successive, mut pps) = ([0; 6], [0; 6]);
    let place = |mut pair: Vec<usize>| {
        pair.sort_unstable();
        pairs.iter().position(|other| *other == (pair[0], pair[1])).expect("two rows")
    };
    for _ in 0..RUNS {
        let (mut jumps, mut chao) = (AExpJ::new(verdicts.words(), 2)?, Chao::new(verdicts.words(), 2)?);
        let (mut one, mut other) = (vec![0; 2], vec![0; 2]);
        for (row, weight) in weights.iter().enumerate() {
            jumps.offer(*weight as f64)?.into_iter().for_each(|slot| one[slot] = row);
            chao.offer((*weight).into())?.into_iter().for_each(|slot| other[slot] = row);
        }
        successive[place(one)] += 1;
        pps[place(other)] += 1;
    }
    verdicts.count("--design successive, pairs of weights 1 to 4", true, &successive, &expected, 1.0);
    verdicts.count("--design pps, tested as successive", false, &pps, &expected, 1.0);
    // The heaviest row, which is in 8 of 10 samples with pps.
    let heaviest = |counts: &[u64; 6]| [counts[2] + counts[4] + counts[5], counts[0] + counts[1] + counts[3]];
    let of_ten = [0.8 * RUNS as f64, 0.2 * RUNS as f64];
    verdicts.count("--design pps, the heaviest row", true, &heaviest(&pps), &of_ten, 1.0);
    verdicts.count("--design successive, tested as pps", false, &heaviest(&successive), &of_ten, 1.0);
    Ok(())
}

/// Draws Bernoulli samples and samples with replacement, and counts the picks in each tenth of the rows.
fn chances(verdicts: &mut Verdicts) -> Result<(), Failure> {
    const N: u64 = 200_000;
    let mut skips = BernoulliSkips::new(verdicts.words(), &"1/8".parse()?)?;
    let (mut counts, mut row) = ([0; 10], skips.skip()?);
    while row < N {
        counts[(row * 10 / N) as usize] += 1;
        row += 1 + skips.skip()?;
    }
    let picked: u64 = counts.iter().sum();
    let all = [N as f64 / 8.0, N as f64 * 7.0 / 8.0];
    verdicts.count("-p 1/8 of 200000 rows, number of picks", true, &[picked, N - picked], &all, 1.0);
    // The counts are binomial, so their variance is smaller by the factor 1 - p.
    verdicts.count(
        "-p 1/8 of 200000 rows, ten tenths",
        true,
        &counts,
        &[picked as f64 / 10.0; 10],
        7.0 / 8.0,
    );
    let mut counts = [0; 10];
    let (k, n) = (40, 1000);
    for _ in 0..1000 {
        let mut slots = WithReplacement::new(&verdicts.key(), k)?;
        let mut rows = Vec::new();
        while slots.seen() < n {
            let gap = slots.skip().min(n - slots.seen());
            slots.passed(gap);
            if slots.seen() < n {
                if let Some(stays) = slots.keep()? {
                    let mut stays = stays.into_iter();
                    rows.retain(|_| stays.next() == Some(true));
                }
                rows.push(slots.seen());
            }
        }
        slots
            .places()?
            .into_iter()
            .for_each(|place| counts[((rows[place as usize] - 1) * 10 / n) as usize] += 1);
    }
    verdicts.count("-n 40 --replace of 1000 rows, ten tenths", true, &counts, &[4000.0; 10], 1.0);
    Ok(())
}
