//! The distributions of weighted samples: exact if cases can be enumerated, by chi-square otherwise. Each test has a
//! control that must fail.

use crate::law;

use hashwell::random::Tape;
use hashwell::{ByteSource, CounterRng};
use hashwell_draw::RandomSource;
use hashwell_draw::algorithms::{ARes, AliasTable, FloatAliasTable, haskell_sampling};
use hashwell_draw::draw::Exponential;
use hashwell_draw::weighted::{
    AExpJ, Chao, WeightedReservoir, WeightedTicket, WeightedTickets, WeightedWithReplacement, systematic_pps,
};
use law::{CONVICTED, count, deviations, successive};
use std::collections::BTreeMap;

const RUNS: usize = 30_000;
const WEIGHTS: [u32; 5] = [1, 2, 3, 4, 10];

fn words(run: usize) -> CounterRng {
    let mut key = [5; 32];
    key[..8].copy_from_slice(&run.to_be_bytes());
    CounterRng::new(&key)
}

/// Random numbers for many runs, from one stream.
fn stream() -> CounterRng {
    words(0)
}

fn floats(weights: &[u32]) -> Vec<f64> {
    weights.iter().copied().map(f64::from).collect()
}

/// The rows in the slots of a sampler.
fn rows(weights: &[f64], mut offer: impl FnMut(f64) -> Option<usize>) -> Vec<usize> {
    let mut slots = BTreeMap::new();
    for (row, &weight) in weights.iter().enumerate() {
        if let Some(slot) = offer(weight) {
            slots.insert(slot, row);
        }
    }
    slots.into_values().collect()
}

fn by_res(words: impl RandomSource, weights: &[f64], k: usize) -> Vec<usize> {
    let mut res = ARes::new(words, k).unwrap();
    rows(weights, |weight| res.offer(weight).unwrap())
}

fn by_jumps(words: impl RandomSource, weights: &[f64], k: usize) -> Vec<usize> {
    let mut jumps = AExpJ::new(words, k).unwrap();
    rows(weights, |weight| jumps.offer(weight).unwrap())
}

fn by_tickets(mut words: impl RandomSource, weights: &[u32], k: usize) -> Vec<usize> {
    let mut tickets = WeightedTickets::new(k);
    for (row, &weight) in weights.iter().enumerate() {
        tickets.offer(WeightedTicket::draw(&mut words, weight.into()).unwrap(), row).unwrap();
    }
    tickets.into_sorted().into_iter().map(|(_, row)| row).collect()
}

fn by_pps(mut words: impl RandomSource, weights: &[u32], k: usize) -> Vec<usize> {
    let weights: Vec<u128> = weights.iter().copied().map(u128::from).collect();
    systematic_pps(&mut words, &weights, k).unwrap()
}

#[test]
fn successive_samples_have_the_closed_form_law() {
    for k in [1, 2, 3, 4] {
        let (law, weights, mut words) = (successive(&WEIGHTS, k), floats(&WEIGHTS), stream());
        let test = |name: &str, counts| {
            let off = deviations(&counts, &law);
            assert!(off < CONVICTED, "{name}, k = {k}: {off}");
        };
        test("ARes", count(RUNS, |_| by_res(&mut words, &weights, k)));
        test("AExpJ", count(RUNS, |_| by_jumps(&mut words, &weights, k)));
        test("tickets", count(RUNS, |_| by_tickets(&mut words, &WEIGHTS, k)));
        let values = || weights.iter().copied().zip(0..);
        test(
            "psample",
            count(RUNS, |_| haskell_sampling::psample(&mut words, k, values()).unwrap().unwrap()),
        );
        // Two parts, each with its own jumps, merged by their keys.
        let merged = |words: &mut CounterRng| {
            let mut race = WeightedReservoir::new(k);
            for part in [0..2, 2..5] {
                let mut jumps = AExpJ::new(&mut *words, k).unwrap();
                let kept = rows(&weights[part.clone()], |weight| jumps.offer(weight).unwrap());
                jumps.keys().for_each(|(slot, key)| race.offer(key, part.start + kept[slot]).unwrap());
            }
            race.into_sorted().into_iter().map(|(_, row)| row).collect()
        };
        test("merged jumps", count(RUNS, |_| merged(&mut words)));
    }
}

/// Control: inclusion proportional to weight is a different distribution, and either test distinguishes them.
#[test]
fn successive_and_proportional_are_told_apart() {
    let (weights, k, mut words) = ([1, 2, 3, 4], 2, stream());
    let law = successive(&weights, k);
    let inclusion =
        |row: usize| law.iter().filter(|(set, _)| set.contains(&row)).map(|(_, chance)| chance).sum::<f64>();
    let must = [0.2345, 0.4413, 0.6083, 0.7159];
    assert!((0..4).all(|row| (inclusion(row) - must[row]).abs() < 6e-5));
    let proportional = count(RUNS, |_| by_pps(&mut words, &weights, k));
    assert!(deviations(&proportional, &law) > 30.0);
    // Inclusions of one row: successive sampling against 0.4 = 2·2/10.
    let law = BTreeMap::from([(vec![0], 0.4), (vec![1], 0.6)]);
    let of = |set: Vec<usize>| vec![usize::from(!set.contains(&1))];
    let fair = count(RUNS, |_| of(by_pps(&mut words, &weights, k)));
    let other = count(RUNS, |_| of(by_jumps(&mut words, &floats(&weights), k)));
    assert!(deviations(&fair, &law) < CONVICTED && deviations(&other, &law) > 8.0);
}

/// u^(1/w) underflows, so rows whose key is 0 are kept in the order of the file. Samples of 10^6 rows of weight 1e-6
/// must have 50 of their 5000 rows from the first hundredth of the file.
#[test]
fn powers_of_small_weights_are_convicted() {
    const ROWS: usize = 1_000_000;
    let (weights, k) = (vec![1e-6; ROWS], 5000);
    let early = |sample: &[usize]| sample.iter().filter(|&&row| row < ROWS / 100).count();
    let mut uniform = stream();
    let mut naive: Vec<(f64, usize)> =
        (0..ROWS).map(|row| (uniform.next_f64().unwrap().powf(1.0 / weights[row]), row)).collect();
    naive.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let naive: Vec<usize> = naive[..k].iter().map(|&(_, row)| row).collect();
    assert!(early(&naive) > 4000, "{}", early(&naive));
    for sample in [by_res(stream(), &weights, k), by_jumps(stream(), &weights, k)] {
        let early = early(&sample);
        println!("{early} rows of the first hundredth");
        assert!(sample.len() == k && (20..=85).contains(&early), "{early}");
    }
}

/// Weights that differ by 600 orders of magnitude, and one at each end of the range of floating point.
#[test]
fn extreme_weights_are_rows_like_others() {
    for scale in [5e-324, 1e-300, 1e-6, 1.0, 1e300, 4e307] {
        let weights: Vec<f64> = [1, 2, 3, 1].iter().map(|&weight| f64::from(weight) * scale).collect();
        let law = successive(&[1, 2, 3, 1], 2);
        let mut words = stream();
        let raced = count(20_000, |_| by_res(&mut words, &weights, 2));
        let jumped = count(20_000, |_| by_jumps(&mut words, &weights, 2));
        let off = [deviations(&raced, &law), deviations(&jumped, &law)];
        assert!(off[0] < CONVICTED && off[1] < CONVICTED, "{scale}: {off:?}");
    }
    let mut weights = vec![1e-300; 2000];
    (weights[700], weights[1500], weights[1501]) = (1e300, 1e299, f64::MAX);
    for run in 0..200 {
        for mut sample in [by_res(words(run), &weights, 3), by_jumps(words(run), &weights, 3)] {
            sample.sort_unstable();
            assert_eq!(sample, [700, 1500, 1501]);
        }
    }
}

/// 2000 rows, so that jumps are long and blocks end: counts the tenths of the file, and the rows of each weight.
#[test]
fn long_streams_are_fair_everywhere() {
    let (k, runs, mut words) = (40, 1500, stream());
    let weights: Vec<f64> = (0..2000).map(|row| f64::from(row % 4)).collect();
    // Every tenth has the same weights, so the tenths are equally likely. Rows of weight 0 never occur.
    let tenths: BTreeMap<usize, f64> = (0..10).map(|tenth| (tenth, 0.1)).collect();
    let test = |sampler: &mut dyn FnMut() -> Vec<usize>| {
        let (mut places, mut kinds) = (BTreeMap::new(), [0_u64; 4]);
        for _ in 0..runs {
            for row in sampler() {
                *places.entry(row / 200).or_default() += 1;
                kinds[row % 4] += 1;
            }
        }
        (deviations(&places, &tenths), kinds)
    };
    let (off, jumped) = test(&mut || by_jumps(&mut words, &weights, k));
    assert!(off < CONVICTED && jumped[0] == 0, "{off} {jumped:?}");
    let (off, raced) = test(&mut || by_res(&mut words, &weights, k));
    assert!(off < CONVICTED && raced[0] == 0, "{off} {raced:?}");
    for kind in 1..4 {
        let (a, b) = (jumped[kind] as f64, raced[kind] as f64);
        assert!((a - b).abs() < 5.0 * (a + b).sqrt(), "{jumped:?} {raced:?}");
    }
    // Control: jumps that keep the first threshold T.
    let (off, _) = test(&mut || frozen_jumps(&mut words, &weights, k));
    assert!(off > 20.0, "{off}");
}

/// A-ExpJ that never updates its threshold T: rows enter as often at the end as at the beginning.
fn frozen_jumps(words: &mut CounterRng, weights: &[f64], k: usize) -> Vec<usize> {
    let mut sample: Vec<usize> = (0..weights.len()).filter(|&row| weights[row] > 0.0).take(k).collect();
    let total: f64 = sample.iter().map(|&row| weights[row]).sum();
    let mut left = -words.next_f64().unwrap().ln() * total / k as f64;
    let first = sample[k - 1] + 1;
    for (row, weight) in weights.iter().enumerate().skip(first) {
        left -= weight;
        if left < 0.0 {
            sample[(words.next_u64().unwrap() % k as u64) as usize] = row;
            left = -words.next_f64().unwrap().ln() * total / k as f64;
        }
    }
    sample
}

/// On a grid of N points, E is geometric with ratio (N - 1)/N (the distribution that is proved for
/// `draw::exponential`). With the tickets' own comparison, row 1 comes before row 2 with probability w1/(w1 + w2),
/// counting ties as one half, up to 1/N.
#[test]
fn races_of_whole_numbers_are_fair_to_the_grid() {
    let chance = |grid: u64, weights: [u128; 2]| {
        let most = 22 * grid;
        let law: Vec<f64> =
            (0..most).map(|m| (1.0 - 1.0 / grid as f64).powi(m as i32) / grid as f64).collect();
        let ticket = |m: u64, weight| {
            let fraction = u128::from(m % grid) * ((1_u128 << 127) / u128::from(grid) * 2);
            WeightedTicket { time: Exponential { whole: m / grid, fraction }, weight }
        };
        let mut first = 0.0;
        for a in 0..most {
            for b in 0..most {
                let share = match ticket(a, weights[0]).cmp(&ticket(b, weights[1])) {
                    std::cmp::Ordering::Less => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Greater => 0.0,
                };
                first += law[a as usize] * law[b as usize] * share;
            }
        }
        first
    };
    for weights in [[1, 1], [1, 2], [3, 1], [2, 7]] {
        let must = weights[0] as f64 / (weights[0] + weights[1]) as f64;
        for grid in [8, 32] {
            let got = chance(grid, weights);
            assert!((got - must).abs() < 1.0 / grid as f64, "{weights:?}, {grid}: {got}");
        }
    }
    // Control: comparing E·w in place of E/w.
    assert!((1.0 - chance(32, [2, 7]) - 2.0 / 9.0).abs() > 0.4);
}

#[test]
fn systematic_inclusion_is_exactly_proportional() {
    let cases: [&[u128]; 6] =
        [&[1, 2, 3, 4], &[5, 5, 5], &[1, 0, 7, 2, 0, 1, 1], &[1, 1, 1, 97], &[3, 50, 2, 50, 4], &[9]];
    for weights in cases {
        for k in 0..=weights.len() + 1 {
            // The rows that are certain by definition, and the others.
            let mut certain = vec![false; weights.len()];
            let positive = weights.iter().filter(|&&weight| weight > 0).count();
            let (mut left, mut rest) = (k.min(positive) as u128, weights.iter().sum::<u128>());
            while let Some(row) =
                (0..weights.len()).find(|&row| !certain[row] && left > 0 && left * weights[row] > rest)
            {
                (certain[row], left, rest) = (true, left - 1, rest - weights[row]);
            }
            let mut counts = vec![0_u128; weights.len()];
            for start in 0..rest.max(1) {
                let sample = systematic_pps(&mut Tape::new(&[start as u64]), weights, k).unwrap();
                assert_eq!(sample.len(), k.min(positive));
                sample.iter().for_each(|&row| counts[row] += 1);
            }
            for row in 0..weights.len() {
                let must = if certain[row] || (k >= positive && weights[row] > 0) {
                    rest.max(1)
                } else {
                    left * weights[row]
                };
                assert_eq!(counts[row], must, "row {row} of {weights:?}, k = {k}");
            }
        }
    }
}

/// Runs Chao's procedure on every tape of numbers below a common multiple of all the bounds it draws below.
#[test]
fn chaos_inclusion_is_exactly_proportional() {
    // Weights, k, and a multiple of all sums (and of the numbers up to k) that occur.
    let cases: [(&[u128], usize, u64); 5] = [
        (&[1, 2, 3, 4], 2, 30),
        (&[2, 1, 1], 2, 4),
        (&[1, 1, 6, 2], 2, 4),
        (&[6, 1, 0, 1, 1], 2, 6),
        (&[3, 1, 2], 1, 12),
    ];
    for (weights, k, multiple) in cases {
        let mut inclusion = vec![0.0; weights.len()];
        // Tapes are extended until they are long enough. The probability of each depends on its length.
        let mut tapes = vec![Vec::new()];
        while let Some(tape) = tapes.pop() {
            match by_chao(Tape::new(&tape), weights, k) {
                Some(sample) => {
                    let chance = (1.0 / multiple as f64).powi(tape.len() as i32);
                    sample.into_iter().for_each(|row| inclusion[row] += chance);
                }
                None => tapes
                    .extend((0..multiple).map(|class| [&tape[..], &[number_of(class, multiple)]].concat())),
            }
        }
        let exact = chao_law(weights, k);
        for row in 0..weights.len() {
            assert!(
                (inclusion[row] - exact[row]).abs() < 1e-9,
                "{weights:?}, k = {k}: {inclusion:?}, not {exact:?}"
            );
        }
    }
}

/// A number whose remainder is `class`, and which is between class / n and (class + 1) / n of all numbers. So a uniform
/// number and a draw below a divisor of n both give each class the same probability.
fn number_of(class: u64, n: u64) -> u64 {
    let middle = ((u128::from(2 * class + 1) << 63) / u128::from(n)) as u64;
    middle - middle % n + class
}

fn by_chao(words: impl RandomSource, weights: &[u128], k: usize) -> Option<Vec<usize>> {
    let mut chao = Chao::new(words, k).unwrap();
    let mut slots = BTreeMap::new();
    for (row, &weight) in weights.iter().enumerate() {
        if let Some(slot) = chao.offer(weight).ok()? {
            slots.insert(slot, row);
        }
    }
    Some(slots.into_values().collect())
}

/// k·w/W, without the rows that are certain.
fn chao_law(weights: &[u128], k: usize) -> Vec<f64> {
    let mut law: Vec<f64> = vec![0.0; weights.len()];
    let (mut left, mut rest) = (k as f64, weights.iter().sum::<u128>() as f64);
    while let Some(row) = (0..weights.len()).find(|&row| law[row] == 0.0 && left * weights[row] as f64 > rest)
    {
        (law[row], left, rest) = (1.0, left - 1.0, rest - weights[row] as f64);
    }
    let share = |(law, &weight): (f64, &u128)| if law == 1.0 { 1.0 } else { left * weight as f64 / rest };
    law.into_iter().zip(weights).map(share).collect()
}

#[test]
fn alias_tables_are_exact() {
    for weights in [&[1_u128, 2, 3, 4][..], &[0, 0, 5], &[7], &[1, 0, 0, 0, 96, 3], &[2; 9]] {
        let (table, total) = (AliasTable::new(weights).unwrap(), weights.iter().sum::<u128>());
        let floats =
            FloatAliasTable::new(&weights.iter().map(|&weight| weight as f64).collect::<Vec<_>>()).unwrap();
        let (n, mut counts, mut near) = (weights.len(), vec![0; weights.len()], vec![0.0; weights.len()]);
        for column in 0..n {
            for height in 0..total {
                let row = table.draw(&mut Tape::new(&[column as u64, height as u64])).unwrap().unwrap();
                counts[row] += 1;
            }
            for height in 0..1000 {
                let word = (u64::MAX / 1000) * height + u64::MAX / 2000;
                near[floats.draw(&mut Tape::new(&[column as u64, word])).unwrap().unwrap()] += 1e-3;
            }
        }
        for row in 0..n {
            let must = n as u128 * weights[row];
            assert_eq!(counts[row], must, "row {row} of {weights:?}");
            let off = (near[row] - must as f64 / total as f64).abs();
            assert!(off < 1e-3 * n as f64 && (weights[row] > 0 || near[row] == 0.0), "{weights:?}: {near:?}");
        }
    }
    let none = &mut Tape::new(&[]);
    assert_eq!(AliasTable::new(&[0, 0]).unwrap().draw(none), Ok(None));
    assert_eq!(FloatAliasTable::new(&[]).unwrap().draw(none), Ok(None));
}

#[test]
fn draws_with_replacement_are_independent_and_proportional() {
    let (weights, mut words) = ([1.0, 2.0, 3.0, 4.0], stream());
    let law: BTreeMap<Vec<usize>, f64> = (0..16)
        .map(|pair| (vec![pair / 4, pair % 4], weights[pair / 4] * weights[pair % 4] / 100.0))
        .collect();
    let mut counts = BTreeMap::new();
    for _ in 0..RUNS {
        let pair =
            haskell_sampling::presample(&mut words, 2, weights.iter().copied().zip(0..)).unwrap().unwrap();
        *counts.entry(pair).or_default() += 1;
    }
    assert!(deviations(&counts, &law) < CONVICTED);
    // Control: without replacement, no row occurs twice.
    let mut without = BTreeMap::new();
    for _ in 0..RUNS {
        *without.entry(by_jumps(&mut words, &weights, 2)).or_default() += 1;
    }
    assert!(deviations(&without, &law) > 30.0);
}

#[test]
fn slots_eat_a_word_for_each_row_that_they_take() {
    let mut words = stream();
    let mut slots = WeightedWithReplacement::new(&mut words, 3).unwrap();
    let taken: usize = (0..500).map(|row| slots.offer(f64::from(row % 7)).unwrap().len()).sum();
    assert_eq!(slots.seen(), 500);
    assert_eq!(words.stream_position(), Some(8 * taken as u128));
}
