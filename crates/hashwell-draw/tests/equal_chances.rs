//! The inclusion probabilities of rows at the beginning, at the end and at the edges of blocks, for sizes that are too
//! large to enumerate. Samplers that are known to be biased fail the same tests. Seeds are fixed, so a value beyond the
//! 10^-6 quantile is an error, not bad luck.

use crate::chi_square::{chi_square, profile};
use crate::slots::rows_in_slots;
use hashwell::{RandomSource, RandomStream, Source};
use hashwell_draw::algorithms::{AlgorithmL, AlgorithmR, SequentialSampler};
use hashwell_draw::draw::{below, shuffle};
use hashwell_draw::sample::demonstration::{FrozenGap, OffByOne};
use hashwell_draw::sample::{
    self, BottomK, FisherYates, Sample, SkipReservoir, Tickets, WithReplacement, from_iter, merge,
};
use hashwell_draw::{Key, key::OPEN_LIST};

fn words(name: &str) -> RandomStream {
    let source = Source::find("blake3").unwrap();
    Key::derive(name.as_bytes(), b"equal chances", &OPEN_LIST).words_of(source).unwrap()
}

/// The first k rows, the rest in tenths, and rows around 2048.
fn cuts(n: u64, k: u64) -> Vec<u64> {
    let mut cuts: Vec<u64> = (1..=10).map(|tenth| n * tenth / 10).chain([k, n - n / 100]).collect();
    if n > 2100 {
        cuts.extend([2047, 2048, 2049]);
    }
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

/// Returns true if samples of k of n distinct rows are consistent with equal probabilities. The variance is that of a
/// hypergeometric number.
fn is_fair(n: u64, k: u64, samples: u32, sample: impl FnMut() -> Vec<u64>) -> bool {
    fits(n, k, (n - k) as f64 / (n - 1) as f64, samples, sample)
}

/// Returns true if k draws with replacement are consistent with equal probabilities.
fn is_fair_with_replacement(n: u64, k: u64, samples: u32, sample: impl FnMut() -> Vec<u64>) -> bool {
    fits(n, k, 1.0, samples, sample)
}

fn fits(n: u64, k: u64, variance: f64, samples: u32, mut sample: impl FnMut() -> Vec<u64>) -> bool {
    let (chi_square, limit) = profile(&cuts(n, k), variance, (0..samples).map(|_| sample()));
    println!("chi-square {chi_square:.1}, limit {limit:.1}");
    chi_square < limit
}

macro_rules! reservoirs {
    ($($name:ident: $type:ident, $n:literal, $k:literal, $samples:literal, $fair:literal;)*) => {$(
        #[test]
        fn $name() {
            let mut words = words(stringify!($name));
            let sample = || from_iter(&mut $type::new(&mut words, $k).unwrap(), 0..$n).unwrap();
            assert_eq!(is_fair($n, $k, $samples, sample), $fair);
        }
    )*};
}
reservoirs! {
    gaps_of_few_rows: SkipReservoir, 200, 10, 40_000, true;
    gaps_of_many_rows: SkipReservoir, 4200, 10, 15_000, true;
    gaps_of_many_slots: SkipReservoir, 400, 50, 20_000, true;
    algorithm_r_of_few_rows: AlgorithmR, 200, 10, 40_000, true;
    algorithm_r_of_many_rows: AlgorithmR, 700, 10, 80_000, true;
    algorithm_l_of_few_rows: AlgorithmL, 200, 10, 40_000, true;
    algorithm_l_of_many_rows: AlgorithmL, 4200, 10, 15_000, true;
    algorithm_l_of_many_slots: AlgorithmL, 400, 50, 20_000, true;
    shifted_by_one: OffByOne, 200, 10, 40_000, false;
    shifted_by_one_of_many_rows: OffByOne, 700, 10, 80_000, false;
    frozen_gaps_of_few_rows: FrozenGap, 200, 10, 40_000, false;
    frozen_gaps_of_many_rows: FrozenGap, 4200, 10, 15_000, false;
    frozen_gaps_of_many_slots: FrozenGap, 400, 50, 20_000, false;
}

#[test]
fn known_n() {
    let (n, k) = (4200, 10);
    let mut shuffled = words("shuffled");
    assert!(is_fair(n, k, 30_000, || FisherYates::new(&mut shuffled, n).unwrap().picks(k).unwrap()));
    let mut set = words("floyd");
    assert!(is_fair(n, k, 30_000, || hashwell_draw::algorithms::floyd(&mut set, n, k).unwrap()));
    let mut ordered = words("in order");
    assert!(is_fair(n, k, 30_000, || {
        let mut selection = SequentialSampler::new(&mut ordered, n, k).unwrap();
        std::iter::from_fn(|| selection.next_pick().unwrap()).collect()
    }));
    let mut counted = words("multinomial");
    assert!(is_fair_with_replacement(n, k, 30_000, || {
        let counts = sample::multinomial(&mut counted, n, k).unwrap();
        counts.into_iter().flat_map(|(row, count)| vec![row; count as usize]).collect()
    }));
    // The remainder of a random number with too few values: 0 to 1023 for 700 rows.
    let mut biased = words("biased");
    let mut rest = || biased.next_bits(10).unwrap() % 700;
    assert!(!is_fair_with_replacement(700, k, 30_000, || (0..k).map(|_| rest()).collect()));
}

#[test]
fn slots_with_replacement() {
    let mut words = words("slots");
    let n = 4200;
    let mut draw = 0_u64;
    assert!(is_fair_with_replacement(n, 10, 10_000, || {
        draw += 1;
        let key = Key::derive(&draw.to_be_bytes(), b"slots with replacement", &OPEN_LIST);
        rows_in_slots(WithReplacement::new(&key, 10).unwrap(), Vec::new(), n)
    }));
    // Control: the probability that a slot takes a row only changes when the slot takes one.
    let slot = |words: &mut RandomStream| from_iter(&mut FrozenGap::new(words, 1).unwrap(), 0..n).unwrap()[0];
    assert!(!is_fair_with_replacement(n, 10, 10_000, || (0..10).map(|_| slot(&mut words)).collect()));
}

#[test]
fn tickets() {
    let ids: Vec<String> = (0..2100).map(|row| row.to_string()).collect();
    let mut draw = 0_u64;
    let mut sample = |bits: u32| {
        draw += 1;
        let key = Key::derive(&draw.to_be_bytes(), b"equal chances", &OPEN_LIST);
        let mut kept = BottomK::new(200);
        let offer = |row: usize, ticket: u128| {
            kept.offer(ticket >> (128 - bits), ids[row].as_bytes(), row as u64);
        };
        Tickets::new(&key).each(&ids, offer).unwrap();
        kept.into_rows()
    };
    assert!(is_fair(2100, 200, 100, || sample(128)));
    // Many tickets of 4 bits are equal, so the ids decide.
    assert!(!is_fair(2100, 200, 100, || sample(4)));
}

/// A merged sample of three parts of 40, 100 and 60 rows, each drawn with a different reservoir.
fn merged(
    words: &mut RandomStream,
    together: impl Fn(&mut RandomStream, Sample<u64>, Sample<u64>) -> Sample<u64>,
) -> Vec<u64> {
    let a = from_iter(&mut AlgorithmR::new(&mut *words, 10).unwrap(), 0..40).unwrap();
    let b = from_iter(&mut SkipReservoir::new(&mut *words, 10).unwrap(), 40..140).unwrap();
    let c = from_iter(&mut AlgorithmL::new(&mut *words, 10).unwrap(), 140..200).unwrap();
    let [a, b, c] = [(a, 40), (b, 100), (c, 60)].map(|(rows, seen)| Sample::new(rows, seen, 10).unwrap());
    let both = together(words, a, b);
    together(words, both, c).into_rows()
}

#[test]
fn merged_samples() {
    let mut fair = words("merged");
    assert!(is_fair(200, 10, 40_000, || merged(&mut fair, |words, a, b| merge(words, a, b).unwrap())));
    // Control: the parts are assumed to have the same number of rows.
    let mut halves = words("halves");
    assert!(!is_fair(200, 10, 40_000, || {
        merged(&mut halves, |words, a, b| {
            let seen = a.seen() + b.seen();
            let rows = a.rows().iter().zip(b.rows());
            let pick = |(a, b): (&u64, &u64)| if below(words, 2).unwrap() == 0 { *a } else { *b };
            Sample::new(rows.map(pick).collect(), seen, 10).unwrap()
        })
    }));
}

#[test]
fn how_many_come_of_one_part_is_hypergeometric() {
    // 4 of 10 + 10: the probability that none is from the first part is C(10, 4) / C(20, 4) = 0.0433. With a binomial
    // number, it would be 0.0625.
    let mut words = words("parts");
    let draws = 40_000;
    let part = |from: u64| Sample::new((from..from + 4).collect(), 10, 4).unwrap();
    let mut none = 0;
    let mut none_by_binomial = 0;
    for _ in 0..draws {
        let merged = merge(&mut words, part(0), part(100)).unwrap();
        none += u32::from(merged.rows().iter().all(|&row| row >= 100));
        none_by_binomial += u32::from((0..4).all(|_| below(&mut words, 20).unwrap() >= 10));
    }
    // Five standard deviations are 0.0051.
    let fair = |none: u32| (f64::from(none) / f64::from(draws) - 210.0 / 4845.0).abs() < 0.0051;
    assert!(fair(none) && !fair(none_by_binomial), "{none} {none_by_binomial}");
}

/// The error: each row of the merged sample is from the first part with the same probability, as if rows were put back.
fn binomial(words: &mut RandomStream, a: Sample<u64>, b: Sample<u64>) -> Sample<u64> {
    let (seen, k) = (a.seen() + b.seen(), a.capacity());
    let of_first = (0..k).filter(|_| below(words, seen).unwrap() < a.seen()).count();
    let (mut rows, mut others) = (a.into_rows(), b.into_rows());
    shuffle(words, &mut rows).unwrap();
    shuffle(words, &mut others).unwrap();
    rows.truncate(of_first);
    rows.extend(&others[..k - of_first]);
    Sample::new(rows, seen, k).unwrap()
}

/// Eight reservoirs of 4 of 5 rows are merged in pairs. The number of the 4 rows that are from the first half, and from
/// the first quarter, is hypergeometric. Every row has the right probability with either kind of merge; the binomial
/// one can only be detected by the joint distribution of rows.
#[test]
fn trees_of_merges_are_hypergeometric() {
    let mut words = words("tree");
    let mut fits = |merge: fn(&mut RandomStream, Sample<u64>, Sample<u64>) -> Sample<u64>, part: u64| {
        let choose = |n: u64, k: u64| (0..k).fold(1, |product, i| product * (n - i) / (i + 1)) as f64;
        let draws = 20_000;
        let mut counts = [0; 5];
        for _ in 0..draws {
            let leaf = |words: &mut RandomStream, i: u64| {
                let rows =
                    from_iter(&mut SkipReservoir::new(&mut *words, 4).unwrap(), 5 * i..5 * i + 5).unwrap();
                Sample::new(rows, 5, 4).unwrap()
            };
            let mut level: Vec<_> = (0..8).map(|i| leaf(&mut words, i)).collect();
            while level.len() > 1 {
                let mut below = level.into_iter();
                level =
                    std::iter::from_fn(|| Some(merge(&mut words, below.next()?, below.next()?))).collect();
            }
            counts[level[0].rows().iter().filter(|&&row| row < part).count()] += 1;
        }
        let expected: Vec<f64> = (0..5)
            .map(|i| f64::from(draws) * choose(part, i) * choose(40 - part, 4 - i) / choose(40, 4))
            .collect();
        let (chi_square, limit) = chi_square(&counts, &expected);
        println!("{part}: chi-square {chi_square:.1}, limit {limit:.1}");
        chi_square < limit
    };
    let right = |words: &mut RandomStream, a, b| merge(words, a, b).unwrap();
    for part in [20, 10] {
        assert!(fits(right, part) && !fits(binomial, part), "the first {part} rows");
    }
}
