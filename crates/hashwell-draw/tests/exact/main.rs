//! The exact distribution of every sampler that makes integer decisions, for up to 7 rows and samples of up to 3. Every
//! set has the same probability, computed as a fraction.

mod decisions;
mod fraction;
mod weighted;

use decisions::Draw::{Below, Lemire};
use decisions::{Draw, assert_uniform, choose, law};
use fraction::Fraction;
use hashwell::RandomSource;
use hashwell::random::Tape;
use hashwell_draw::algorithms::{AlgorithmR, SequentialSampler};
use hashwell_draw::draw::{below, permutation, shuffle};
use hashwell_draw::sample::demonstration::{FrozenGap, OffByOne};
use hashwell_draw::sample::{self, FisherYates, Reservoir, Sample, SkipReservoir, from_iter};
use std::collections::BTreeMap;

/// All combinations of n and k to try.
fn sizes() -> impl Iterator<Item = (u64, u64)> {
    (1..=7).flat_map(|n| (1..=n.min(3)).map(move |k| (n, k)))
}

fn sorted(mut sample: Vec<u64>) -> Vec<u64> {
    sample.sort_unstable();
    sample
}

#[test]
fn sparse_shuffles_give_every_sequence() {
    for (n, k) in sizes() {
        let draws: Vec<Draw> = (0..k).map(|i| Below(n - i)).collect();
        let picks = law(&draws, &[], |tape| FisherYates::new(Tape::new(tape), n).unwrap().picks(k).unwrap());
        assert_uniform(&picks, (n - k + 1..=n).product());
        let items: Vec<u64> = (0..n).collect();
        let chosen = |tape: &[u64]| sample::choose(&mut Tape::new(tape), &items, k as usize).unwrap();
        let chosen = law(&draws, &[], |tape| chosen(tape).into_iter().copied().collect::<Vec<_>>());
        assert_eq!(chosen, picks);
    }
}

#[test]
fn shuffles_give_every_order_and_begin_as_sparse_ones() {
    for n in 1..=6 {
        let draws: Vec<Draw> = (0..n).map(|i| Below(n - i)).collect();
        let orders = law(&draws, &[], |tape| {
            let order = permutation(&mut Tape::new(tape), n as usize).unwrap();
            let mut letters: Vec<usize> = (0..n as usize).collect();
            shuffle(&mut Tape::new(tape), &mut letters).unwrap();
            let sparse = FisherYates::new(Tape::new(tape), n).unwrap().picks(n).unwrap();
            assert!(letters == order && sparse.iter().map(|&pick| pick as usize).eq(order.iter().copied()));
            order
        });
        assert_uniform(&orders, (1..=n).product());
    }
}

#[test]
fn floyd_gives_every_set() {
    for (n, k) in sizes() {
        let draws: Vec<Draw> = (n - k..n).map(|j| Below(j + 1)).collect();
        let sets =
            law(&draws, &[], |tape| hashwell_draw::algorithms::floyd(&mut Tape::new(tape), n, k).unwrap());
        assert_uniform(&sets, choose(n, k));
    }
}

#[test]
fn algorithm_r_gives_every_set() {
    for (n, k) in sizes() {
        let draws: Vec<Draw> = (k + 1..=n).map(Lemire).collect();
        // Algorithm R looks ahead for the next row that enters. The number 1 at the end of the tape means that this is
        // row n + 1.
        let sets = law(&draws, &[1], |tape| {
            let mut tape = Tape::new(tape);
            let sample = from_iter(&mut AlgorithmR::new(&mut tape, k as usize).unwrap(), 0..n).unwrap();
            assert!(tape.next_u64().is_err(), "one word a row");
            sorted(sample)
        });
        assert_uniform(&sets, choose(n, k));
    }
}

#[test]
#[should_panic(expected = "{")]
fn algorithm_r_shifted_by_one_does_not() {
    let draws: Vec<Draw> = (3..=5).map(|row| Lemire(row - 1)).collect();
    let sets = law(&draws, &[1], |tape| {
        sorted(from_iter(&mut OffByOne::new(Tape::new(tape), 2).unwrap(), 0..5).unwrap())
    });
    assert_uniform(&sets, choose(5, 2));
}

#[test]
fn shifted_by_one_the_first_rows_have_k_minus_1_of_n_minus_1() {
    for (n, k) in sizes().filter(|(n, k)| k < n) {
        let draws: Vec<Draw> = (k + 1..=n).map(|row| Lemire(row - 1)).collect();
        let sets = law(&draws, &[1], |tape| {
            from_iter(&mut OffByOne::new(Tape::new(tape), k as usize).unwrap(), 0..n).unwrap()
        });
        let all: u64 = sets.values().sum();
        for row in 0..n {
            let with = sets.iter().filter(|(set, _)| set.contains(&row)).map(|(_, count)| count).sum::<u64>();
            assert_eq!(with * (n - 1), all * if row < k { k - 1 } else { k }, "row {row} of {n}, {k} slots");
        }
    }
}

#[test]
fn draws_with_replacement_give_every_sequence() {
    for (n, k) in sizes() {
        let draws = vec![Below(n); k as usize];
        let rows: Vec<u64> = (0..n).collect();
        let sequences = law(&draws, &[], |tape| {
            let sequence = hashwell_draw::algorithms::haskell_sampling::resample(
                &mut Tape::new(tape),
                k as usize,
                rows.clone(),
            )
            .unwrap()
            .unwrap();
            let counts = sample::multinomial(&mut Tape::new(tape), n, k).unwrap();
            let again = counts.iter().flat_map(|&(row, count)| vec![row; count as usize]);
            assert_eq!(again.collect::<Vec<_>>(), sorted(sequence.clone()));
            sequence
        });
        assert_uniform(&sequences, n.pow(k as u32));
    }
}

/// C(top - s, k) / C(top, k).
fn passes(top: u64, s: u64, k: u64) -> Fraction {
    let factors = (0..k).map(|i| Fraction::new(i128::from(top - i) - i128::from(s), i128::from(top - i)));
    if top < s + k {
        Fraction::new(0, 1)
    } else {
        factors.fold(Fraction::new(1, 1), |product, factor| product * factor)
    }
}

/// The first and the last random number whose skip is s, from the probabilities of skipping at least s and at least s +
/// 1 rows.
fn class(at_least: Fraction, more: Fraction) -> Option<[u64; 2]> {
    let (last, first) = (at_least.words(), more.words());
    (first < last).then(|| [first as u64, (last - 1) as u64])
}

/// The distribution of the sample of a reservoir with gaps. It is computed from every class of random numbers with the
/// same skip, with its exact probability, and from every slot that a row can take.
fn law_of_gaps<R: Reservoir>(n: u64, k: u64, new: impl Fn(Vec<u64>) -> R) -> BTreeMap<Vec<u64>, Fraction> {
    let mut law = BTreeMap::new();
    follow(&new, n, k, k, &mut (0..k).collect(), &mut Vec::new(), Fraction::new(1, 1), &mut law);
    law
}

/// All continuations after `seen` rows, of which the last one has entered.
#[expect(clippy::too_many_arguments)]
fn follow<R: Reservoir>(
    new: &impl Fn(Vec<u64>) -> R,
    n: u64,
    k: u64,
    seen: u64,
    slots: &mut Vec<u64>,
    tape: &mut Vec<u64>,
    chance: Fraction,
    law: &mut BTreeMap<Vec<u64>, Fraction>,
) {
    for s in 0..=n - seen {
        let (at_least, more) = (passes(seen + s, s, k), passes(seen + s + 1, s + 1, k));
        let end = s == n - seen;
        let words = if end { Some([0, (at_least.words() - 1) as u64]) } else { class(at_least, more) };
        let words = words.expect("classes of few rows have words");
        for word in words {
            tape.push(word);
            let skip = replay(new(tape.clone()), n, k, tape.len());
            assert!(if end { skip >= s } else { skip == s }, "{skip} for a skip of {s} after {seen} rows");
            tape.pop();
        }
        let chance = chance * if end { at_least } else { at_least - more };
        if end {
            let total = law.entry(sorted(slots.clone())).or_insert(Fraction::new(0, 1));
            *total = *total + chance;
            continue;
        }
        for slot in 0..k {
            let before = std::mem::replace(&mut slots[slot as usize], seen + s);
            tape.extend([words[0], slot]);
            follow(new, n, k, seen + s + 1, slots, tape, chance * Fraction::new(1, i128::from(k)), law);
            tape.truncate(tape.len() - 2);
            slots[slot as usize] = before;
        }
    }
}

/// The skip after all numbers of the tape.
fn replay<R: Reservoir>(mut reservoir: R, n: u64, k: u64, words: usize) -> u64 {
    for entered in 0.. {
        if entered >= k && (entered - k) * 2 + 1 >= words as u64 {
            return reservoir.skip();
        }
        reservoir.passed(reservoir.skip());
        reservoir.enter().unwrap();
        assert!(reservoir.seen() <= n);
    }
    unreachable!()
}

#[test]
fn gaps_give_every_set_the_same_fraction() {
    for (n, k) in sizes() {
        let law = law_of_gaps(n, k, |tape| SkipReservoir::new(leaked(tape), k as usize).unwrap());
        assert_eq!(law.len() as u64, choose(n, k));
        let must = Fraction::new(1, i128::from(choose(n, k)));
        assert!(law.values().all(|chance| *chance == must), "{n} {k} {law:?}");
    }
}

#[test]
#[should_panic(expected = "for a skip of")]
fn frozen_gaps_are_other_gaps() {
    law_of_gaps(7, 2, |tape| FrozenGap::new(leaked(tape), 2).unwrap());
}

fn leaked(tape: Vec<u64>) -> Tape<'static> {
    Tape::new(Vec::leak(tape))
}

#[test]
fn selections_in_order_give_every_set_the_same_fraction() {
    fn follow(
        n: u64,
        k: u64,
        at: u64,
        tape: &mut Vec<u64>,
        chance: Fraction,
        picks: &mut Vec<u64>,
        sets: &mut u64,
    ) {
        let left = k - picks.len() as u64;
        if left == 0 {
            assert_eq!(chance, Fraction::new(1, i128::from(choose(n, k))), "{picks:?} of {n}");
            *sets += 1;
            return;
        }
        for s in 0..=n - at - left {
            let (at_least, more) = (passes(n - at, s, left), passes(n - at, s + 1, left));
            let words = class(at_least, more).unwrap();
            picks.push(at + s);
            for word in words {
                tape.push(word);
                let mut selection = SequentialSampler::new(Tape::new(tape), n, k).unwrap();
                let again: Vec<u64> =
                    (0..picks.len()).map(|_| selection.next_pick().unwrap().unwrap()).collect();
                assert_eq!(&again, picks);
                tape.pop();
            }
            tape.push(words[0]);
            follow(n, k, at + s + 1, tape, chance * (at_least - more), picks, sets);
            tape.pop();
            picks.pop();
        }
    }
    for (n, k) in sizes() {
        let mut sets = 0;
        follow(n, k, 0, &mut Vec::new(), Fraction::new(1, 1), &mut Vec::new(), &mut sets);
        assert_eq!(sets, choose(n, k));
    }
}

/// The distribution of a merged sample of k, over all samples of both streams. The draw for row i of the merged sample
/// is `below(all(i))`.
fn law_of_merging(
    a: u64,
    b: u64,
    k: u64,
    all: impl Fn(u64) -> u64,
    merge: impl Fn(&[u64], Sample<u64>, Sample<u64>) -> Vec<u64>,
) -> BTreeMap<Vec<u64>, u64> {
    let sets = |from: u64, n: u64| -> Vec<Vec<u64>> {
        let all = (0_u64..1 << n).filter(|set| u64::from(set.count_ones()) == n.min(k));
        all.map(|set| (0..n).filter(|row| set >> row & 1 == 1).map(|row| from + row).collect()).collect()
    };
    let mut draws: Vec<Draw> = (0..k.min(a + b)).map(|i| Below(all(i))).collect();
    draws.extend((1..=a.min(k)).rev().map(Below));
    draws.extend((1..=b.min(k)).rev().map(Below));
    let mut total = BTreeMap::new();
    for first in sets(0, a) {
        for second in sets(a, b) {
            let sample = |rows: &[u64], seen| Sample::new(rows.to_vec(), seen, k as usize).unwrap();
            let merged = law(&draws, &[], |tape| sorted(merge(tape, sample(&first, a), sample(&second, b))));
            for (set, count) in merged {
                *total.entry(set).or_insert(0) += count;
            }
        }
    }
    total
}

#[test]
fn merged_samples_give_every_set() {
    for (a, b, k) in [(2, 3, 2), (4, 3, 2), (1, 4, 2), (0, 4, 2), (3, 0, 3), (1, 1, 3), (2, 3, 3), (4, 2, 1)]
    {
        let sets = law_of_merging(
            a,
            b,
            k,
            |i| a + b - i,
            |tape, a, b| {
                let mut tape = Tape::new(tape);
                let merged = sample::merge(&mut tape, a, b).unwrap();
                assert!(tape.next_u64().is_err(), "all words are eaten");
                merged.into_rows()
            },
        );
        assert_uniform(&sets, choose(a + b, k.min(a + b)));
    }
}

#[test]
#[should_panic(expected = "{")]
fn binomial_merging_does_not() {
    let (a, b, k) = (4, 3, 2);
    // Control: each row is from the first stream with the same probability, as if rows were put back. Everything else
    // is right.
    let sets = law_of_merging(
        a,
        b,
        k,
        |_| a + b,
        |tape, first, second| {
            let mut words = Tape::new(tape);
            let draws = [below(&mut words, a + b), below(&mut words, a + b)];
            let of_first = draws.into_iter().filter(|draw| *draw.as_ref().unwrap() < a).count();
            let (mut rows, mut others) = (first.into_rows(), second.into_rows());
            shuffle(&mut words, &mut rows).unwrap();
            shuffle(&mut words, &mut others).unwrap();
            rows.truncate(of_first);
            rows.extend(others.into_iter().take(k as usize - of_first));
            rows
        },
    );
    assert_uniform(&sets, choose(a + b, k));
}

#[test]
fn slots_with_replacement_are_merged_one_by_one() {
    let merged = law(&[Below(5), Below(5)], &[], |tape| {
        sample::merge_with_replacement(&mut Tape::new(tape), (vec!['a'; 2], 2), (vec!['b'; 2], 3)).unwrap()
    });
    let must = [(['a', 'a'], 4), (['a', 'b'], 6), (['b', 'a'], 6), (['b', 'b'], 9)];
    assert_eq!(merged, must.map(|(slots, count)| (slots.to_vec(), count)).into());
    let mut none = Tape::new(&[]);
    let empty = || (Vec::new(), 0);
    assert_eq!(sample::merge_with_replacement(&mut none, empty(), (vec![1], 9)), Ok(vec![1]));
    assert_eq!(sample::merge_with_replacement(&mut none, (vec![1], 9), empty()), Ok(vec![1]));
    assert!(sample::merge_with_replacement(&mut none, (vec![1], 9), (vec![1, 2], 9)).is_err());
    assert!(sample::merge_with_replacement(&mut none, (vec![1], 0), (vec![1], 9)).is_err());
}
