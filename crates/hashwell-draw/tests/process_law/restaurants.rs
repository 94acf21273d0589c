//! Samples of partitions: draw by draw, and in distribution.

use super::distribution::{CONVICTED, deviations};
use super::{counts, exact, model};
use hashwell::random::Tape;
use hashwell::{ByteSource, RandomSource};
use hashwell_draw::process::builtin::{
    Crp, CrpTables, HoppeUrn, Partition, PitmanYor, Seating, StickBreaking,
};
use hashwell_draw::process::interpret::{Limits, sample, score, trace};
use hashwell_draw::process::registry::Value;
use hashwell_draw::process::{Coalgebra, Distribution, Outcome, Run, ana, futu};
use hashwell_draw::{Error, Watch};
use std::collections::BTreeMap;

fn run(seed: u32) -> Run {
    Run::seeded(format!("restaurants {seed}").as_bytes()).unwrap()
}

#[test]
fn the_quick_ways_draw_what_the_terms_do() {
    // Random numbers are read in blocks of 128: exactly that number of customers, one more, and several blocks.
    let sizes = [0, 1, 2, 127, 128, 129, 130, 150, 150, 150, 300, 300];
    for (seed, n) in (0..).zip(sizes) {
        for strength in [0.01, 0.1, 1.0, 7.3, 1e6, 1e300] {
            let crp = Crp::new(n, strength).unwrap();
            quick(seed, &crp, |words, labels| crp.labels(words, labels, Watch::never()));
            let hoppe = HoppeUrn::new(n, strength).unwrap();
            quick(seed, &hoppe, |words, labels| hoppe.labels(words, labels, Watch::never()));
            for discount in [0.0, 0.25, 0.9] {
                for theta in [strength, -discount * 0.99] {
                    let Ok(process) = PitmanYor::new(n, theta, discount) else { continue };
                    quick(seed, &process, |words, labels| process.labels(words, labels, Watch::never()));
                }
            }
        }
    }
}

/// The fast function appends the same labels, and consumes the same number of random numbers as the terms do. If the
/// source has one number too few, it appends nothing.
fn quick<C: Coalgebra<Out = Vec<u32>>>(
    seed: u32,
    process: &C,
    labels_of: impl Fn(&mut dyn RandomSource, &mut Vec<u32>) -> Result<(), Error>,
) {
    let (mut one, mut other) = (run(seed).words().unwrap(), run(seed).words().unwrap());
    let mut labels = vec![9];
    labels_of(&mut one, &mut labels).unwrap();
    assert_eq!(labels[1..], sample(process, &mut other, &Limits::default()).unwrap());
    assert_eq!(one.stream_position(), other.stream_position());
    let eaten = (other.stream_position().unwrap() / 8) as usize;
    let mut words = run(seed).words().unwrap();
    let tape: Vec<u64> = (0..eaten).map(|_| words.next_u64().unwrap()).collect();
    let mut again = vec![9];
    labels_of(&mut Tape::new(&tape), &mut again).unwrap();
    assert_eq!(again, labels);
    if let Some((_, short)) = tape.split_last() {
        let mut none = vec![9];
        assert!(matches!(labels_of(&mut Tape::new(short), &mut none), Err(Error::RandomSource(_))));
        assert_eq!(none, [9]);
    }
}

/// Tests marks, which are u (i + α) as computed in floating point, at every position in a block: integers, and adjacent
/// floats.
#[test]
fn marks_at_the_border_of_two_customers() {
    for alpha in [1.0, 0.5, 3.0, 1.5] {
        let crp = Crp::new(140, alpha).unwrap();
        for part in 0..9_u64 {
            for off in [-1_i64, 0, 1] {
                // The number that makes the mark of customer i equal to `part` of i, rounded, and adjacent numbers.
                let word = |i: u32| {
                    let sum = f64::from(i) + alpha;
                    let wanted = (f64::from(i) * part as f64 / 8.0).floor() / sum;
                    let unit = (wanted * 2_f64.powi(53)) as i64 + off;
                    (unit.clamp(0, (1 << 53) - 1) as u64) << 11
                };
                let tape: Vec<u64> = (1..140).map(word).collect();
                let mut labels = Vec::new();
                crp.labels(&mut Tape::new(&tape), &mut labels, Watch::never()).unwrap();
                assert_eq!(
                    labels,
                    sample(&crp, &mut Tape::new(&tape), &Limits::default()).unwrap(),
                    "{alpha} {part} {off}"
                );
            }
        }
    }
}

/// The uniform and the categorical term agree: sizes and customers are scaled by the same number, bit for bit.
#[test]
fn futumorphisms_agree_draw_for_draw() {
    for (seed, alpha) in (0..30).flat_map(|seed| [0.3, 1.5, 20.0].map(|alpha| (seed, alpha))) {
        let of = |seating| CrpTables::new(300, alpha, seating).unwrap();
        let uniform = trace(&of(Seating::Futu), &mut run(seed).words().unwrap(), &Limits::default()).unwrap();
        let categorical =
            trace(&of(Seating::FutuCategorical), &mut run(seed).words().unwrap(), &Limits::default())
                .unwrap();
        assert_eq!(uniform.out, categorical.out);
        assert_eq!(uniform.terms.len(), categorical.terms.len());
        let score = score(&of(Seating::Futu), &uniform.outcomes(), &Limits::default()).unwrap();
        assert_eq!(uniform.log_probability(), Ok(score.log_probability));
        assert!(uniform.terms.iter().any(|(law, _)| *law == Distribution::Uniform));
    }
}

/// The encodings as written with the builders, with tables as lists of customers.
#[test]
fn encodings_are_those_of_the_original_text() {
    type Tables = Vec<Vec<u32>>;
    fn seat(mut tables: Tables, table: usize, customer: u32) -> Tables {
        match tables.get_mut(table) {
            Some(table) => table.insert(0, customer),
            None => tables.push(vec![customer]),
        }
        tables
    }
    fn sizes(tables: &Tables) -> Vec<f64> {
        tables.iter().map(|table| table.len() as f64).collect()
    }
    const N: u32 = 40;
    const ALPHA: f64 = 1.5;
    let by_ana = ana(
        (1, vec![vec![0]]),
        |(n, tables): &(u32, Tables)| (*n == N).then(|| tables.clone()),
        |(_, tables)| Distribution::Categorical([vec![ALPHA], sizes(tables)].concat().into()),
        |(n, tables), draw| {
            let table = (draw.index() as usize).checked_sub(1).unwrap_or(tables.len());
            (n + 1, seat(tables, table, n))
        },
    );
    let by_futu = futu((1, vec![vec![0]]), |(n, tables): &(u32, Tables)| {
        use hashwell_draw::process::{Flow, Program};
        if *n == N {
            return Program::Pure(Flow::Done(tables.clone()));
        }
        let (n, tables) = (*n, tables.clone());
        let go =
            move |tables: &Tables, table| Program::Pure(Flow::More((n + 1, seat(tables.clone(), table, n))));
        Program::term(Distribution::Bernoulli(ALPHA / (f64::from(n) + ALPHA)), move |opens| {
            if opens.flag() {
                return go(&tables, tables.len());
            }
            let tables = tables.clone();
            Program::term(Distribution::Categorical(sizes(&tables).into()), move |table: Outcome| {
                go(&tables, table.index() as usize)
            })
        })
    });
    for seed in 0..10 {
        let words = || run(seed).words().unwrap();
        let ours = |seating| {
            let labels =
                sample(&CrpTables::new(N, ALPHA, seating).unwrap(), &mut words(), &Limits::default())
                    .unwrap();
            hashwell_draw::process::registry::tables(&labels)
        };
        assert_eq!(sample(&by_ana, &mut words(), &Limits::default()).unwrap(), ours(Seating::Ana));
        assert_eq!(
            sample(&by_futu, &mut words(), &Limits::default()).unwrap(),
            ours(Seating::FutuCategorical)
        );
    }
}

#[test]
fn a_longer_process_begins_as_a_shorter_one() {
    let long = [("n", "200")];
    for m in ["0", "1", "2", "63"] {
        let short = [("n", m)];
        for (name, encoding) in [
            ("crp", "urn"),
            ("crp", "futu"),
            ("crp", "ana"),
            ("hoppe-urn", "futu"),
            ("pitman-yor", "urn"),
            ("stick-breaking", "futu"),
        ] {
            let discount = [("discount", "0.25")];
            let more: &[_] = if name == "pitman-yor" { &discount } else { &[] };
            let labels = |n: &[(&'static str, &'static str)]| {
                let process = model(name, &[n, more].concat(), Some(encoding));
                match process.sample(&mut run(1).words().unwrap(), &Limits::default()).unwrap() {
                    Value::Labels(labels) => labels,
                    other => panic!("{other:?}"),
                }
            };
            let n = m.parse().unwrap();
            assert_eq!((labels(&short).len(), &labels(&short)[..]), (n, &labels(&long)[..n]), "{name}");
        }
    }
}

#[test]
fn samples_have_their_exact_law() {
    let n = ("n", "5");
    for (name, given, encoding) in [
        ("crp", vec![("alpha", "1.5")], "urn"),
        ("crp", vec![("alpha", "1.5")], "futu"),
        ("crp", vec![("alpha", "1.5")], "ana"),
        ("crp", vec![("alpha", "1.5")], "futu-categorical"),
        ("hoppe-urn", vec![("theta", "1.5")], "futu"),
        ("pitman-yor", vec![("theta", "1"), ("discount", "0.3")], "urn"),
        ("pitman-yor", vec![("theta", "-0.1"), ("discount", "0.4")], "urn"),
        ("stick-breaking", vec![("theta", "1.5")], "futu"),
        ("stick-breaking", vec![("theta", "0.5"), ("discount", "0.25")], "futu"),
    ] {
        let process = model(name, &[vec![n], given.clone()].concat(), Some(encoding));
        let counts = counts(&process, format!("law of {name} {encoding}").as_bytes(), 30_000);
        let law = exact(&process);
        let far = deviations(&counts, &law);
        assert!(far < CONVICTED, "{name} {encoding}: {far}");
        // Control: the samples do not fit a distribution whose discount is larger by 0.1.
        let partition = |more: f64| {
            let number = |name, other| given_number(&given, name).unwrap_or(other);
            let theta = number("alpha", number("theta", 1.0));
            Partition::new(5, theta, number("discount", 0.0) + more).unwrap()
        };
        let law_of = |partition: Partition| {
            let mass = |labels: &Vec<i64>| {
                let labels: Vec<u32> = labels.iter().map(|&label| label as u32).collect();
                partition.log_probability(&labels).exp()
            };
            law.keys().map(|labels| (labels.clone(), mass(labels))).collect::<BTreeMap<_, _>>()
        };
        assert!(deviations(&counts, &law_of(partition(0.0))) < CONVICTED);
        let biased = deviations(&counts, &law_of(partition(0.1)));
        assert!(biased > CONVICTED, "{name} {encoding}: {biased}");
    }
}

fn given_number(given: &[(&str, &str)], wanted: &str) -> Option<f64> {
    given.iter().find(|(name, _)| *name == wanted).map(|(_, text)| text.parse().unwrap())
}

/// Two errors in published code must be detected by the same test.
#[test]
fn biased_restaurants_are_convicted() {
    let law = exact(&model("crp", &[("n", "5"), ("alpha", "1.5")], None));
    let biased = |chance: fn(f64) -> f64, conditional: bool| {
        let mut counts: BTreeMap<Vec<i64>, u64> = BTreeMap::new();
        for j in 0..30_000 {
            let mut words = run(7).replicate(j).unwrap();
            let (mut labels, mut tables) = (vec![0_i64], 1);
            for c in 1..5 {
                let seated = f64::from(c);
                let first = hashwell_draw::draw::unit(&mut words).unwrap();
                let u = if conditional { hashwell_draw::draw::unit(&mut words).unwrap() } else { first };
                if first < chance(seated) {
                    labels.push(tables);
                    tables += 1;
                } else {
                    labels.push(labels[(u * seated) as usize]);
                }
            }
            *counts.entry(labels).or_default() += 1;
        }
        deviations(&counts, &law)
    };
    let right = biased(|seated| 1.5 / (seated + 1.5), true);
    assert!(right < CONVICTED, "{right}");
    // a / (i - 1 + a) with i counted from 0: the second customer never joins the first.
    let off_by_one = biased(|seated| 1.5 / (seated - 1.0 + 1.5), true);
    assert!(off_by_one > 2.0 * CONVICTED, "{off_by_one}");
    // The uniform number of the comparison is also used to select the table.
    let unconditional = biased(|seated| 1.5 / (seated + 1.5), false);
    assert!(unconditional > 2.0 * CONVICTED, "{unconditional}");
}

#[test]
fn sticks_are_broken_as_far_as_points_need() {
    let stick = StickBreaking::new(400, 2.0, 0.0).unwrap();
    let (mut first, mut pieces) = (0.0, 0);
    for j in 0..500 {
        let broken = sample(&stick, &mut run(3).replicate(j).unwrap(), &Limits::default()).unwrap();
        let (sticks, rest) = broken.sticks();
        assert!(sticks.iter().all(|&length| length >= 0.0) && rest > 0.0);
        assert!((sticks.iter().sum::<f64>() + rest - 1.0).abs() < 1e-12);
        first += sticks[0];
        pieces += sticks.len();
        let model = model("stick-breaking", &[("n", "400"), ("theta", "2")], None);
        if j < 3 {
            let words = &mut run(3).replicate(j).unwrap();
            assert_eq!(model.sticks(words, &Limits::default()).unwrap().unwrap(), (sticks, rest));
        }
    }
    // V_1 of Beta(1, 2) has mean 1/3 and variance 1/18.
    assert!((first / 500.0 - 1.0 / 3.0).abs() < 5.0 * (1.0_f64 / 18.0 / 500.0).sqrt());
    // About θ ln n.
    assert!((8.0..20.0).contains(&(f64::from(pieces as u32) / 500.0)), "{pieces}");
}

/// Appends labels to others.
type Quick<'a> = dyn Fn(&mut dyn RandomSource, &mut Vec<u32>) -> Result<(), Error> + 'a;

/// Uniform numbers are multiples of 1/8 and weights are multiples of 1/2, so that marks are on the boundaries of
/// tables. All functions must give the same labels.
#[test]
fn borders_belong_to_what_comes_after_them() {
    let mut coarse = run(11).words().unwrap();
    for _ in 0..2000 {
        let tape: Vec<u64> = (0..12).map(|_| coarse.next_u64().unwrap() & 7 << 61).collect();
        let same = |labels: &Quick<'_>, must: Vec<u32>| {
            let mut quick = Vec::new();
            labels(&mut Tape::new(&tape), &mut quick).unwrap();
            assert_eq!(quick, must, "{tape:x?}");
        };
        for theta in [0.5, 1.0, 2.0] {
            let (crp, hoppe) = (Crp::new(6, theta).unwrap(), HoppeUrn::new(6, theta).unwrap());
            same(
                &|words, labels| crp.labels(words, labels, Watch::never()),
                sample(&crp, &mut Tape::new(&tape), &Limits::default()).unwrap(),
            );
            same(
                &|words, labels| hoppe.labels(words, labels, Watch::never()),
                sample(&hoppe, &mut Tape::new(&tape), &Limits::default()).unwrap(),
            );
            let process = PitmanYor::new(6, theta, 0.25).unwrap();
            let must = sample(&process, &mut Tape::new(&tape), &Limits::default()).unwrap();
            same(&|words, labels| process.labels(words, labels, Watch::never()), must);
            let of = |seating| {
                sample(&CrpTables::new(6, theta, seating).unwrap(), &mut Tape::new(&tape), &Limits::default())
            };
            assert_eq!(of(Seating::Futu).unwrap(), of(Seating::FutuCategorical).unwrap(), "{tape:x?}");
        }
    }
}

/// Random numbers need not be aligned to eight bytes.
#[test]
fn words_may_begin_anywhere() {
    for skipped in 1..8 {
        let words = || {
            let mut words = run(12).words().unwrap();
            words.fill(&mut vec![0; skipped]).unwrap();
            words
        };
        for n in [3, 300, 1500] {
            let (crp, mut labels) = (Crp::new(n, 1.5).unwrap(), Vec::new());
            let (mut one, mut other) = (words(), words());
            crp.labels(&mut one, &mut labels, Watch::never()).unwrap();
            assert_eq!(labels, sample(&crp, &mut other, &Limits::default()).unwrap(), "{skipped} {n}");
            assert_eq!(one.stream_position(), other.stream_position());
        }
    }
}
