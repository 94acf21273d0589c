//! The distributions of weighted draws over every tape of random numbers, as fractions. They are exact for integer
//! decisions, and within a derived bound where times are rounded.
//!
//! For `categorical_exact`, `AliasTable`, `systematic_pps` and `Chao`, the distribution is *equal* to the closed form.
//! `weighted-ticket` compares exponential times that are rounded down to a grid (of 2^-128; a coarser one is used
//! here), and `ARes` and `AExpJ` are functions of 64-bit numbers that are uniform on a grid. The distribution of these
//! is *close to* the closed form of successive sampling, and the distance decreases with the grid as it must.

use crate::law;

use super::decisions::Draw::{self, Below, Uniform};
use super::decisions::law as law_of;
use super::fraction::Fraction;
use hashwell::random::Tape;
use hashwell::{ByteSource, RandomSource};
use hashwell_draw::Error;
use hashwell_draw::algorithms::{ARes, AliasTable};
use hashwell_draw::draw::categorical_exact;
use hashwell_draw::weighted::{AExpJ, Chao, WeightedTicket, systematic_pps};
use law::successive;
use std::collections::BTreeMap;

fn fraction(a: u128, b: u128) -> Fraction {
    Fraction::new(a as i128, b as i128)
}

/// Weights of up to 7 rows: large ones, small ones, and zeros.
const WEIGHTS: [&[u64]; 7] =
    [&[5], &[1, 2], &[3, 0, 1], &[1, 2, 3, 4], &[1, 1, 6, 0, 2], &[2, 2, 2, 2, 2, 1], &[1, 4, 1, 0, 2, 3, 1]];

/// Checks that outcome i occurred in the fraction weight i / total of all cases.
fn assert_proportional(counts: &BTreeMap<usize, u64>, weights: &[u64]) {
    let (all, total) = (counts.values().sum::<u64>(), weights.iter().sum::<u64>());
    for (row, &weight) in weights.iter().enumerate() {
        let count = counts.get(&row).copied().unwrap_or(0);
        assert_eq!(
            fraction(count.into(), all.into()),
            fraction(weight.into(), total.into()),
            "row {row} of {weights:?}"
        );
    }
}

#[test]
fn single_draws_are_proportional_to_weight() {
    for weights in WEIGHTS {
        let total = weights.iter().sum();
        let by_sum =
            law_of(&[Below(total)], &[], |tape| categorical_exact(&mut Tape::new(tape), weights).unwrap());
        assert_proportional(&by_sum, weights);
        let wide: Vec<u128> = weights.iter().copied().map(u128::from).collect();
        let table = AliasTable::new(&wide).unwrap();
        let draws = [Below(weights.len() as u64), Below(total)];
        let by_table = law_of(&draws, &[], |tape| table.draw(&mut Tape::new(tape)).unwrap().unwrap());
        assert_proportional(&by_table, weights);
    }
}

/// Control: `<=` in place of `<`.
#[test]
#[should_panic(expected = "row 0")]
fn a_sum_that_takes_its_end_is_not_proportional() {
    let weights = [1, 2, 3];
    let counts = law_of(&[Below(6)], &[], |tape| {
        let mut sum = 0;
        weights.iter().position(|weight| {
            sum += weight;
            tape[0] % 6 <= sum
        })
    });
    assert_proportional(&counts.into_iter().map(|(row, count)| (row.unwrap(), count)).collect(), &weights);
}

/// The rows that are certain, the number of remaining places, and the total weight of the other rows. As long as a row
/// has k·w > W, it is certain, and the others share the rest.
fn certain(weights: &[u64], k: u64) -> (Vec<bool>, u64, u64) {
    let (mut taken, mut left, mut rest) = (vec![false; weights.len()], k, weights.iter().sum::<u64>());
    while let Some(row) =
        (0..weights.len()).find(|&row| !taken[row] && left > 0 && left * weights[row] > rest)
    {
        (taken[row], left, rest) = (true, left - 1, rest - weights[row]);
    }
    (taken, left, rest)
}

/// The closed form of inclusion probabilities proportional to size.
fn proportional(weights: &[u64], k: u64) -> Vec<Fraction> {
    let (taken, left, rest) = certain(weights, k);
    let chance = |row: usize| match taken[row] {
        true => fraction(1, 1),
        false if rest == 0 => fraction(0, 1),
        false => fraction((left * weights[row]).into(), rest.into()),
    };
    (0..weights.len()).map(chance).collect()
}

/// k from 1 to 3, if more than k rows have a weight.
fn sizes(weights: &[u64]) -> impl Iterator<Item = u64> + use<> {
    let positive = weights.iter().filter(|&&weight| weight > 0).count() as u64;
    (1..=3).filter(move |&k| k < positive)
}

#[test]
fn systematic_samples_have_their_inclusions() {
    for weights in WEIGHTS {
        for k in sizes(weights) {
            let (_, left, rest) = certain(weights, k);
            let wide: Vec<u128> = weights.iter().copied().map(u128::from).collect();
            let draws: Vec<Draw> = if left > 0 { vec![Below(rest)] } else { vec![] };
            let samples =
                law_of(&draws, &[], |tape| systematic_pps(&mut Tape::new(tape), &wide, k as usize).unwrap());
            let all: u64 = samples.values().sum();
            for (row, must) in proportional(weights, k).into_iter().enumerate() {
                let with: u64 =
                    samples.iter().filter(|(rows, _)| rows.contains(&row)).map(|(_, count)| count).sum();
                assert!(samples.keys().all(|rows| rows.len() as u64 == k));
                assert_eq!(fraction(with.into(), all.into()), must, "row {row} of {weights:?}, k = {k}");
            }
        }
    }
}

/// Chao's sample for a tape, or the draw for which the tape has no number.
fn by_chao(tape: &[u64], weights: &[u64], k: u64) -> Result<Vec<usize>, Draw> {
    let mut slots = vec![0; k as usize];
    let mut chao = Chao::new(Tape::new(tape), k as usize).unwrap();
    for (row, &weight) in weights.iter().enumerate() {
        match chao.offer(weight.into()) {
            Ok(slot) => slot.into_iter().for_each(|slot| slots[slot] = row),
            Err(_) => {
                // The tape ended before the row was accepted. The row needs a uniform number, whose thresholds are
                // fractions of the weight of all rows that are not certain, and then one of the slots of the rows that
                // were not certain.
                let mut before = Tape::new(tape);
                let mut again = Chao::new(&mut before, k as usize).unwrap();
                for &weight in &weights[..row] {
                    again.offer(weight.into()).unwrap();
                }
                let first = before.stream_position() == Some(8 * tape.len() as u128);
                let others = chao.filled() - chao.certain().count();
                return Err(if first {
                    Uniform(certain(&weights[..=row], k).2)
                } else {
                    Below(others as u64)
                });
            }
        }
    }
    slots.sort_unstable();
    Ok(slots)
}

/// The distribution of Chao's samples: every class of every number that is drawn. All numbers of a class give the same
/// sample.
fn follow_chao(
    weights: &[u64],
    k: u64,
    drawn: &mut Vec<(Draw, u64)>,
    chance: Fraction,
    law: &mut BTreeMap<Vec<usize>, Fraction>,
) {
    let tape = |which| drawn.iter().map(|&(draw, x)| draw.word(x, which)).collect::<Vec<_>>();
    match by_chao(&tape(0), weights, k) {
        Ok(sample) => {
            assert!(
                (1..3).all(|which| by_chao(&tape(which), weights, k).as_ref() == Ok(&sample)),
                "{drawn:?}"
            );
            let total = law.entry(sample).or_insert(fraction(0, 1));
            *total = *total + chance;
        }
        Err(draw) => {
            let classes = draw.choices();
            for x in 0..classes {
                drawn.push((draw, x));
                follow_chao(weights, k, drawn, chance * fraction(1, classes.into()), law);
                drawn.pop();
            }
        }
    }
}

#[test]
fn chaos_samples_have_their_inclusions_after_every_row() {
    for weights in WEIGHTS {
        for k in sizes(weights) {
            let mut law = BTreeMap::new();
            follow_chao(weights, k, &mut Vec::new(), fraction(1, 1), &mut law);
            for (row, must) in proportional(weights, k).into_iter().enumerate() {
                let with = law.iter().filter(|(rows, _)| rows.contains(&row));
                let inclusion = with.fold(fraction(0, 1), |sum, (_, chance)| sum + *chance);
                assert_eq!(inclusion, must, "row {row} of {weights:?}, k = {k}");
            }
        }
    }
}

/// The largest difference between the probabilities that the two distributions give to a set.
fn distance(law: &BTreeMap<Vec<usize>, f64>, must: &BTreeMap<Vec<usize>, f64>) -> f64 {
    let sets = law.keys().chain(must.keys());
    let of = |law: &BTreeMap<Vec<usize>, f64>, set| law.get(set).copied().unwrap_or(0.0);
    sets.map(|set| (of(law, set) - of(must, set)).abs()).fold(0.0, f64::max)
}

/// A ticket with the time m / grid. Each unit of the time is a round that fails, in which the second number is smaller
/// and the third one is not. In the last round, the first number is not followed by a smaller one.
fn ticket(m: u64, grid: u64, weight: u32) -> WeightedTicket {
    let mut tape = [5, 0, 4, 0, 4, 0].repeat((m / grid) as usize);
    tape.extend([m % grid * ((1 << 63) / grid * 2), 0].repeat(2));
    let mut words = Tape::new(&tape);
    let ticket = WeightedTicket::draw(&mut words, weight.into()).unwrap();
    assert!(words.next_u64().is_err(), "all words are eaten");
    ticket
}

/// The distribution of the first k of three tickets on a grid of N points, on which a time is m/N with probability (1 -
/// 1/N)^m / N, as shown for `draw::exponential`. It is computed from integer counts of the cases of each m₁ + m₂ + m₃.
fn raced(
    weights: [u32; 3],
    k: usize,
    grid: u64,
    order: impl Fn(&WeightedTicket) -> WeightedTicket,
) -> BTreeMap<Vec<usize>, f64> {
    let most = 13 * grid;
    let tickets =
        weights.map(|weight| (0..most).map(|m| order(&ticket(m, grid, weight))).collect::<Vec<_>>());
    let mut counts: BTreeMap<Vec<usize>, Vec<u64>> = BTreeMap::new();
    for a in 0..most {
        for b in 0..most - a {
            for c in 0..most - a - b {
                let mut rows =
                    [(tickets[0][a as usize], 0), (tickets[1][b as usize], 1), (tickets[2][c as usize], 2)];
                rows.sort_unstable();
                let mut set: Vec<usize> = rows[..k].iter().map(|row| row.1).collect();
                set.sort_unstable();
                counts.entry(set).or_insert_with(|| vec![0; most as usize])[(a + b + c) as usize] += 1;
            }
        }
    }
    let n = grid as f64;
    let chance = |counts: Vec<u64>| {
        counts.into_iter().rev().fold(0.0, |sum, count| sum * (1.0 - 1.0 / n) + count as f64) / (n * n * n)
    };
    counts.into_iter().map(|(set, counts)| (set, chance(counts))).collect()
}

/// Rounding down to the grid changes the order of two rows only if E₁w₂ - E₂w₁ is between -w₁/N and w₂/N. Its density
/// there is at most μ/(w₁ + w₂), where μ = -N·ln(1 - 1/N) is the rate. So the probability is at most μ/N, which is
/// 2^-128 for N = 2^128. Three rows have three pairs.
#[test]
fn tickets_are_successive_samples_to_the_grid() {
    let right = |ticket: &WeightedTicket| *ticket;
    for weights in [[1, 1, 1], [1, 2, 3], [5, 1, 2]] {
        for k in 1..=2 {
            let must = successive(&weights, k);
            let off = [4, 12].map(|grid| distance(&raced(weights, k, grid, right), &must));
            for (off, n) in off.into_iter().zip([4.0, 12.0_f64]) {
                // The sum of all three is above 13 with probability 2.3e-4.
                assert!(off < -3.0 * (1.0 - 1.0 / n).ln() + 3e-4, "{weights:?}, k = {k}, {n}: {off}");
            }
            assert!(off[1] < 0.4 * off[0], "{weights:?}, k = {k}: {off:?}");
        }
    }
    // Control: with E·w in place of E/w, no grid gets closer.
    let swapped = |ticket: &WeightedTicket| WeightedTicket { weight: 60 / ticket.weight, ..*ticket };
    let off = distance(&raced([5, 1, 2], 1, 12, swapped), &successive(&[5, 1, 2], 1));
    assert!(off > 0.4, "{off}");
}

/// The distribution of a sampler with slots whose random numbers are the midpoints of `grid` equal intervals. Tapes are
/// extended until they are long enough.
fn on_grid(grid: u64, sampler: impl Fn(&[u64]) -> Option<Vec<usize>>) -> BTreeMap<Vec<usize>, f64> {
    let part = u64::MAX / grid;
    let (mut law, mut tapes) = (BTreeMap::new(), vec![Vec::new()]);
    while let Some(tape) = tapes.pop() {
        if let Some(set) = sampler(&tape) {
            *law.entry(set).or_insert(0.0) += (1.0 / grid as f64).powi(tape.len() as i32);
        } else {
            tapes.extend((0..grid).map(|i| [&tape[..], &[i * part + part / 2]].concat()));
        }
    }
    law
}

/// The rows in the slots; `None` if there are not enough random numbers.
fn slots(weights: &[u32], mut offer: impl FnMut(f64) -> Result<Option<usize>, Error>) -> Option<Vec<usize>> {
    let mut slots = BTreeMap::new();
    for (row, &weight) in weights.iter().enumerate() {
        slots.extend(offer(weight.into()).ok()?.map(|slot| (slot, row)));
    }
    let mut set: Vec<usize> = slots.into_values().collect();
    set.sort_unstable();
    Some(set)
}

/// In the unit square of two rows' random numbers, an increasing curve separates the points at which the first row has
/// the smaller key from the others. It crosses fewer than 2G of the G² cells; all other cells are on one side. Three
/// rows have three pairs, so the distribution of `ARes` is off by less than 6/G. Rounding moves the curve, but by less
/// than a cell, because keys are monotonic in their random numbers. For `AExpJ`, whose random numbers have a different
/// meaning after each row, no such bound is derived; the test shows that its distribution gets closer, over all cases
/// together.
#[test]
fn races_of_floats_are_successive_samples_to_the_grid() {
    let mut jumps_off = [0.0; 2];
    for weights in [[1, 2, 3], [5, 1, 2]] {
        for k in 1..=2 {
            let must = successive(&weights, k);
            let res = |grid, weights: &[u32]| {
                on_grid(grid, |tape| {
                    let mut res = ARes::new(Tape::new(tape), k).unwrap();
                    slots(weights, |weight| res.offer(weight))
                })
            };
            let jumps = |grid, weights: &[u32]| {
                on_grid(grid, |tape| {
                    let mut jumps = AExpJ::new(Tape::new(tape), k).unwrap();
                    slots(weights, |weight| jumps.offer(weight))
                })
            };
            let off = [8, 24].map(|grid| distance(&res(grid, &weights), &must));
            assert!(off[0] < 6.0 / 8.0 && off[1] < 6.0 / 24.0, "{weights:?}, k = {k}: {off:?}");
            assert!(off[0] < 0.05 && off[1] < 0.01, "{weights:?}, k = {k}: {off:?}");
            let off = [3, 10].map(|grid| distance(&jumps(grid, &weights), &must));
            assert!(off[1] < 0.02, "{weights:?}, k = {k}: {off:?}");
            jumps_off = [jumps_off[0] + off[0], jumps_off[1] + off[1]];
            // Controls: with squared weights, a finer grid does not bring either distribution closer.
            let squared = weights.map(|weight| weight * weight);
            let off = [8, 24].map(|grid| distance(&res(grid, &squared), &must));
            assert!(off[0] > 0.1 && off[1] > 0.1, "{weights:?}, k = {k}: {off:?}");
            let off = distance(&jumps(10, &squared), &must);
            assert!(off > 0.1, "{weights:?}, k = {k}: {off}");
        }
    }
    assert!(jumps_off[1] < 0.6 * jumps_off[0], "{jumps_off:?}");
}
