//! Samples of a fixed number of rows.

use super::by_hand::{Saved, SavedPart, direct, shuffled};
use super::{bytes_of, design, drawn, key, numbers, row, sampled, saved_slots, stratified, value, weight_of};
use hashwell_draw::design::allocate;
use hashwell_draw::key::OPEN_LIST;
use hashwell_draw::row_sampling::{Design, Kind, Sample, Shortage, Slots, State, Value, Weigher, WeightSum};
use hashwell_draw::weighted::Chao;
use hashwell_draw::{Key, hex};
use std::cell::Cell;

/// For each design, the rows, their order, the state, and the number of requested rows are those of the sampler itself.
#[test]
fn a_sample_is_that_of_its_sampler() {
    for kind in Kind::ALL {
        for (k, n) in [(0, 30), (1, 400), (7, 3), (7, 7), (7, 8), (20, 1000), (5, 0)] {
            let asked = Cell::new(0);
            let mut slots = Slots::new(design(kind, k), key(3)).unwrap();
            for number in 1..=n {
                let row = || {
                    asked.set(asked.get() + 1);
                    bytes_of(number)
                };
                slots.offer(number, value(kind, weight_of(number)), b"", row).unwrap();
            }
            let must = direct(kind, k, key(3), 1..=n);
            let of = format!("{kind:?}, {k} of {n}");
            assert_eq!((slots.seen(), asked.get()), (n, must.entered), "{of}");
            assert!(slots.goes_on());
            assert_eq!(saved_slots(&slots), Saved::of(kind, k, key(3), 1..=n).bytes(), "{of}");
            let sample = Sample::Slots(slots);
            assert_eq!((sample.seen(), sample.k(), sample.key()), (n, k, key(3)), "{of}");
            assert!(sample.goes_on() && sample.design() == Design::Slots(design(kind, k)), "{of}");
            let mut sorted = must.slots.clone();
            sorted.sort_unstable();
            assert_eq!(numbers(sample.clone(), false), sorted, "{of}");
            for of_drawing in [true, false] {
                let mut slots = Slots::new(design(kind, k), key(3)).unwrap();
                let is_known = matches!(kind, Kind::Equal | Kind::Replace);
                let must = is_known.then(|| numbers(sample.clone(), of_drawing));
                assert_eq!(slots.picks_after(n, of_drawing).unwrap(), must, "{of}, {of_drawing}");
                slots.offer(1, value(kind, weight_of(1)), b"", || bytes_of(1)).unwrap();
                let after = slots.picks_after(n, of_drawing).unwrap();
                assert_eq!(after.is_some(), kind == Kind::Replace, "{of}");
            }
            assert_eq!(drawn(sample), must.drawn(kind, key(3)), "{of}");
        }
    }
}

/// Weights that are skipped in batches of any size give the same sample as weights that are offered one by one.
#[test]
fn weights_that_go_by_together_are_weights_one_by_one() {
    for kind in Kind::ALL.into_iter().filter(|kind| !matches!(kind, Kind::Equal | Kind::Replace)) {
        for k in [0, 1, 5, 40] {
            for cut in [1, 3, 100, 255, 256, 257, 3000] {
                let n = 3000;
                let weights: Vec<f64> = (1..=n).map(|number| weight_of(number) as f64).collect();
                let units: Vec<u128> = (1..=n).map(|number| weight_of(number).into()).collect();
                let mut slots = Slots::new(design(kind, k), key(9)).unwrap();
                let mut passed = 0;
                for batch in weights.chunks(cut) {
                    let end = slots.seen() + batch.len() as u64;
                    while slots.seen() < end {
                        let at = slots.seen() as usize;
                        passed += slots.pass_weights(&weights[at..end as usize]);
                        passed += slots.pass_units(&units[at..end as usize]);
                        let number = slots.seen() + 1;
                        if number <= end {
                            let weight = value(kind, weight_of(number));
                            slots.offer(number, weight, b"", || bytes_of(number)).unwrap();
                        }
                    }
                }
                assert_eq!(
                    saved_slots(&slots),
                    Saved::of(kind, k, key(9), 1..=n).bytes(),
                    "{kind:?} {k} {cut}"
                );
                let passes = slots.passes_weights() || slots.passes_units();
                assert_eq!(passed > 1500, passes && k > 0, "{kind:?} {k} {cut} {passed}");
            }
        }
    }
    // An invalid weight is not skipped.
    let mut slots = Slots::new(design(Kind::Successive, 1), key(9)).unwrap();
    slots.offer(1, Value::Float(1e300), b"", || bytes_of(1)).unwrap();
    assert_eq!(slots.pass_weights(&[1.0, 0.0, -1.0, 1.0]), 2);
    assert_eq!(slots.pass_weights(&[f64::NAN]), 0);
    assert_eq!(slots.seen(), 3);
}

/// The samples of `vectors/sampling.json`, which `reference/sampling.py` computes from the specification: row
/// by row, and with rows skipped where possible.
#[test]
fn samples_proportional_to_size_are_those_of_the_reference() {
    let file: serde_json::Value = serde_json::from_str(include_str!("../vectors/sampling.json")).unwrap();
    let texts: Vec<&str> =
        file["weights"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    let weigher = Weigher::new(Kind::Pps, None);
    let weights: Vec<Value> = texts.iter().map(|text| weigher.of_text(text.as_bytes()).unwrap()).collect();
    let (cases, mut all) = (file["proportional"].as_array().unwrap(), 0);
    for case in cases {
        let seed = hex::decode(case["seed"].as_str().unwrap()).unwrap();
        let key = Key::derive(&seed, case["context"].as_str().unwrap().as_bytes(), &OPEN_LIST);
        let [k, n] = ["k", "n"].map(|name| case[name].as_u64().unwrap() as usize);
        let must: Vec<u64> =
            case["rows"].as_array().unwrap().iter().map(|row| row.as_u64().unwrap() + 1).collect();
        for passes in [false, true] {
            let mut slots = Slots::new(design(Kind::Pps, k), key).unwrap();
            let mut passed = 0;
            while slots.seen() < n as u64 {
                let at = slots.seen() as usize;
                let units = weights[at..n].iter().map_while(|weight| match weight {
                    Value::Units(units) if passes => Some(*units),
                    _ => None,
                });
                passed += slots.pass_units(&units.collect::<Vec<_>>());
                let at = slots.seen() as usize;
                if at < n {
                    let number = at as u64 + 1;
                    slots.offer(number, weights[at].clone(), b"", || bytes_of(number)).unwrap();
                }
            }
            assert_eq!(numbers(Sample::Slots(slots), false), must, "{k} of {n}");
            assert!(passed == 0 || passes, "{k} of {n}: {passed}");
            all += passed;
        }
    }
    assert_eq!(cases.len(), 6);
    assert!(all > 200, "{all} rows were skipped");
}

/// The sample after each batch is the same whether the rows of a batch are offered one by one, in one call of
/// `pass_rows`, or with calls of `skip` and `passed`, which pass the rows that cannot enter.
#[test]
fn rows_passed_together_are_the_same_as_rows_one_by_one() {
    for kind in [Kind::Equal, Kind::Replace] {
        for k in [0, 1, 5, 40] {
            for cuts in [&[1][..], &[2, 3], &[0, 1, 41], &[7, 100, 1000], &[3000]] {
                let mut single = Slots::new(design(kind, k), key(9)).unwrap();
                let (mut at_once, mut passing) = (single.clone(), single.clone());
                let mut before = 0;
                for cut in cuts.iter().cycle().take_while(|cut| **cut < 3000).take(60).chain(&[500]) {
                    for number in before + 1..=before + cut {
                        single.offer(number, Value::One, b"", || bytes_of(number)).unwrap();
                    }
                    let mut asked = Vec::new();
                    let row = |at: u64| {
                        asked.push(before + at + 1);
                        bytes_of(before + at + 1)
                    };
                    at_once.pass_rows(before + 1, *cut, row).unwrap();
                    let mut number = before + 1;
                    while number <= before + cut {
                        let gap = passing.skip().min(before + cut + 1 - number);
                        passing.passed(gap);
                        number += gap;
                        if number <= before + cut {
                            passing.offer(number, Value::One, b"", || bytes_of(number)).unwrap();
                            number += 1;
                        }
                    }
                    let entered = |until| direct(kind, k, key(9), 1..=until).entered;
                    before += cut;
                    let of = format!("{kind:?}, {k} of {before}");
                    assert!(at_once.seen() == before && passing.seen() == before, "{of}");
                    if kind == Kind::Replace && *cut > 0 && *cut >= before - cut {
                        // Only those rows are requested that are in slots after the batch, even if there are
                        // many rows.
                        let mut held = direct(kind, k, key(9), 1..=before).slots;
                        held.retain(|row| *row > before - cut);
                        held.sort_unstable();
                        held.dedup();
                        assert_eq!(asked, held, "{of}");
                    } else if before < 700 && kind == Kind::Equal {
                        assert_eq!(asked.len() as u64, entered(before) - entered(before - cut), "{of}");
                    }
                    let must = saved_slots(&single);
                    assert_eq!(saved_slots(&at_once), must, "{of}");
                    assert_eq!(saved_slots(&passing), must, "{of}");
                }
                assert_eq!(saved_slots(&at_once), Saved::of(kind, k, key(9), 1..=before).bytes());
            }
        }
    }
}

/// Only rows that need not be examined may be skipped: none with weights or strata.
#[test]
fn what_may_be_passed_over() {
    use hashwell_draw::sample::{Reservoir, SkipReservoir};
    let slots = sampled(Kind::Equal, 2, key(4), 1..=500);
    let mut gap = SkipReservoir::new(key(4).words(), 2).unwrap();
    for _ in 0..500 {
        if gap.skip() > 0 {
            gap.passed(1);
        } else {
            gap.enter().unwrap();
        }
    }
    assert!(gap.skip() > 2);
    assert_eq!(slots.skip(), gap.skip());
    assert_eq!(Slots::new(design(Kind::Equal, 0), key(4)).unwrap().skip(), u64::MAX);
    for kind in [Kind::Successive, Kind::Pps, Kind::WeightedReplace] {
        assert_eq!(sampled(kind, 2, key(4), 1..=500).skip(), 0);
    }
    let mut strata = Slots::new(stratified(Kind::Equal, 1, false), key(4)).unwrap();
    for number in 1..=300 {
        strata.offer(number, Value::One, b"a", || bytes_of(number)).unwrap();
    }
    strata.passed(0);
    assert_eq!((strata.skip(), strata.seen()), (0, 300));
}

#[test]
#[should_panic(expected = "rows of strata have labels")]
fn strata_are_not_passed_over() {
    let mut slots = Slots::new(stratified(Kind::Equal, 1, false), key(4)).unwrap();
    let _ = slots.pass_rows(1, 1, bytes_of);
}

/// Three strata of 53, 24 and 23 rows.
fn label(number: u64) -> &'static [u8] {
    match number % 100 {
        0..53 => b"a",
        53..77 => b"b",
        _ => b"c",
    }
}

/// Strata have separate samples with their own keys. They are in the order of their labels. With proportional
/// allocation, each stratum keeps the first rows of its sample.
#[test]
fn strata_are_samples_of_their_own() {
    for kind in [Kind::Equal, Kind::Successive, Kind::Replace] {
        let sizes = [("a", 53), ("b", 24), ("c", 23)];
        let shares = allocate(&mut key(6).allocation().words(), 10, &sizes).unwrap();
        for (proportional, shares) in [(false, vec![10; 3]), (true, shares)] {
            // Stratum c comes first, so that the order is not that of the rows.
            let order = || (1..=100).rev();
            let mut slots = Slots::new(stratified(kind, 10, proportional), key(6)).unwrap();
            for number in order() {
                let weight = value(kind, weight_of(number));
                slots.offer(number, weight, label(number), || bytes_of(number)).unwrap();
            }
            let labels: [&[u8]; 3] = [b"a", b"b", b"c"];
            let of = |name: &'static [u8]| order().filter(move |number| label(*number) == name);
            let must: Vec<u64> = (labels.into_iter().zip(shares))
                .flat_map(|(name, share)| {
                    let key = key(6).stratum(name);
                    let mut rows = direct(kind, 10, key, of(name)).drawn(kind, key);
                    rows.truncate(share as usize);
                    rows
                })
                .collect();
            let part = |name| SavedPart::of(name, kind, 10, key(6).stratum(name), of(name));
            let mut state = Saved::of(kind, 10, key(6), []);
            state.stratify = b"\x01g".to_vec();
            state.proportional = proportional.into();
            state.body = super::by_hand::Body::Parts(labels.into_iter().map(part).collect());
            assert_eq!(saved_slots(&slots), state.bytes());
            assert_eq!((slots.seen(), slots.shortage()), (100, None));
            assert_eq!(slots.picks_after(9, true).unwrap(), None);
            assert_eq!(drawn(Sample::Slots(slots.clone())), must, "{kind:?} {proportional}");
            let mut sorted = must;
            sorted.sort_unstable();
            assert_eq!(numbers(Sample::Slots(slots), false), sorted, "{kind:?} {proportional}");
        }
    }
}

#[test]
#[cfg(target_pointer_width = "64")] // on other targets, the number does not fit into a usize
fn too_many_slots_are_refused() {
    let error = Slots::new(design(Kind::Equal, (1 << 40) + 1), key(1)).map(drop).unwrap_err();
    assert_eq!(error.to_string(), "the size of a sample must be at most 2^40, not 1099511627777");
}

fn said(shortage: &Shortage, k: usize) -> [String; 2] {
    [shortage.said(k), shortage.refused(k)]
}

/// Cases with fewer rows than requested, and with just enough.
#[test]
fn shortages() {
    let of = |kind, k, n| sampled(kind, k, key(1), 1..=n).shortage();
    for kind in [Kind::Equal, Kind::Successive, Kind::Pps] {
        // All rows up to 8 have a weight.
        assert_eq!([of(kind, 8, 8), of(kind, 0, 0), of(kind, 3, 100)], [None, None, None], "{kind:?}");
        assert_eq!(of(kind, 8, 7), Some(Shortage::Rows(7)), "{kind:?}");
        assert_eq!(of(kind, 1, 0), Some(Shortage::Rows(0)), "{kind:?}");
    }
    // Row 9 has no weight, and row 10 has one.
    assert_eq!(of(Kind::Equal, 10, 9), Some(Shortage::Rows(9)));
    assert_eq!(of(Kind::Pps, 9, 9), Some(Shortage::Weights { rows: 9, eligible: 8 }));
    assert_eq!(of(Kind::Successive, 10, 10), Some(Shortage::Weights { rows: 10, eligible: 9 }));
    assert_eq!(of(Kind::Pps, 9, 10), None);
    for kind in [Kind::Replace, Kind::WeightedReplace] {
        assert_eq!([of(kind, 8, 1), of(kind, 0, 0), of(kind, 0, 1)], [None, None, None], "{kind:?}");
        assert_eq!(of(kind, 8, 0), Some(Shortage::Rows(0)), "{kind:?}");
    }
    let weightless = sampled(Kind::WeightedReplace, 2, key(1), [9, 18]);
    assert_eq!(weightless.shortage(), Some(Shortage::Weights { rows: 2, eligible: 0 }));

    let of = |kind, k, proportional, labels: &[&str]| {
        let mut slots = Slots::new(stratified(kind, k, proportional), key(1)).unwrap();
        for (number, label) in (1..).zip(labels) {
            slots.offer(number, Value::One, label.as_bytes(), || bytes_of(number)).unwrap();
        }
        slots.shortage()
    };
    let labels = ["a", "a", "b", "c", "c", "c"];
    assert_eq!(of(Kind::Equal, 1, false, &labels), None);
    assert_eq!(of(Kind::Equal, 2, false, &labels), Some(Shortage::Strata { short: 1, all: 3 }));
    assert_eq!(of(Kind::Equal, 3, false, &labels), Some(Shortage::Strata { short: 2, all: 3 }));
    assert_eq!(of(Kind::Replace, 3, false, &labels), None);
    assert_eq!(of(Kind::Equal, 6, true, &labels), None);
    assert_eq!(of(Kind::Equal, 7, true, &labels), Some(Shortage::Rows(6)));
    assert_eq!(of(Kind::Equal, 1, true, &[]), Some(Shortage::Rows(0)));

    assert_eq!(said(&Shortage::Rows(1), 5), ["only 1 row: all of them were picked", "only 1 row, not 5"]);
    assert_eq!(said(&Shortage::Rows(0), 5), ["only 0 rows: all of them were picked", "only 0 rows, not 5"]);
    assert_eq!(said(&Shortage::Keys(2), 5), ["only 2 keys: all of them were picked", "only 2 keys, not 5"]);
    assert_eq!(said(&Shortage::Keys(1), 5), ["only 1 key: all of them were picked", "only 1 key, not 5"]);
    assert_eq!(
        said(&Shortage::Weights { rows: 9, eligible: 2 }, 5),
        [
            "only 2 of 9 rows have a weight above 0: all of them were picked",
            "only 2 of 9 rows have a weight above 0, not 5"
        ]
    );
    assert_eq!(
        said(&Shortage::Strata { short: 2, all: 7 }, 5),
        [
            "in 2 of 7 strata, all rows were picked, because there are fewer than 5",
            "2 of 7 strata have fewer than 5 rows"
        ]
    );
}

/// The probability of each row is reported if it is the same for all.
#[test]
fn chances() {
    let of = |kind, k, n| Sample::Slots(sampled(kind, k, key(1), 1..=n)).chance();
    let said = [(5, 4), (5, 5), (5, 6), (0, 3), (0, 0)].map(|(k, n)| of(Kind::Equal, k, n).unwrap());
    assert_eq!(said, ["1", "1", "5/6", "0/3", "1"]);
    for kind in [Kind::Replace, Kind::Successive, Kind::Pps, Kind::WeightedReplace] {
        assert_eq!(of(kind, 5, 9), None);
    }
    let strata = Slots::new(stratified(Kind::Equal, 5, true), key(1)).unwrap();
    assert_eq!(Sample::Slots(strata).chance(), None);
}

/// Kept rows can be replaced by a representation of them.
#[test]
fn rows_kept_are_shown() {
    let mut sample = Sample::Slots(sampled(Kind::Equal, 7, key(5), 1..=90));
    let mut seen = Vec::new();
    sample.each_kept(&mut |kept| seen.push(kept.number));
    let others: Vec<Vec<u8>> = seen.iter().map(|number| row(number + 1)).collect();
    seen.sort_unstable();
    let mut must = direct(Kind::Equal, 7, key(5), 1..=90).slots;
    assert_eq!(shuffled(key(5), must.clone()), drawn(sample.clone()));
    must.sort_unstable();
    assert_eq!(seen, must);
    sample.set_kept(others).unwrap();
    let picks = sample.picks(false).unwrap();
    assert!(picks.iter().all(|(ticket, kept)| ticket.is_none() && kept.bytes == row(kept.number + 1)));
}

/// A sample with probability proportional to weights that are texts. It is saved and restored after some of the rows.
fn by_texts(k: usize, seed: u8, texts: &[&str]) -> Slots {
    let weigher = Weigher::new(Kind::Pps, None);
    let mut slots = Slots::new(design(Kind::Pps, k), key(seed)).unwrap();
    for (number, text) in (1..).zip(texts) {
        let weight = weigher.of_text(text.as_bytes()).unwrap();
        slots.offer(number, weight, b"", || bytes_of(number)).unwrap();
        if number % 3 == 1 {
            let bytes = saved_slots(&slots);
            let Sample::Slots(read) = State::from_bytes(&bytes).unwrap().sample else { panic!("slots") };
            assert_eq!(saved_slots(&read), bytes);
            slots = read;
        }
    }
    slots
}

fn sum_of(slots: &Slots) -> (String, Vec<u64>) {
    let mut weights = Sample::Slots(slots.clone()).weights();
    assert_eq!(weights.len(), 1);
    let WeightSum { stratum, sum, certain } = weights.remove(0);
    assert_eq!(stratum, None);
    (sum, certain)
}

/// Weights of `pps` are exact for any number of decimals and any size.
#[test]
fn weights_of_any_size_are_exact() {
    // If the first weight has as many decimals as the others, weights are counted like integers.
    let units: Vec<u128> = (0..60).map(|row| 1 + row * row % 17 + if row == 30 { 2000 } else { 0 }).collect();
    let mut chao = Chao::new(key(3).words(), 5).unwrap();
    let mut rows = vec![0; 5];
    for (row, units) in (1..).zip(&units) {
        if let Some(slot) = chao.offer(*units).unwrap() {
            rows[slot] = row;
        }
    }
    rows.sort_unstable();
    for power in [-18, -22, -60, -300] {
        let texts: Vec<String> = units.iter().map(|units| format!("{units}e{power}")).collect();
        let slots = by_texts(5, 3, &texts.iter().map(String::as_str).collect::<Vec<_>>());
        let (sum, certain) = sum_of(&slots);
        let digits = sum.trim_start_matches(['0', '.']);
        assert_eq!(digits, chao.total().to_string().trim_end_matches('0'));
        assert_eq!(certain, [31]);
        let picks: Vec<u64> =
            Sample::Slots(slots).picks(false).unwrap().iter().map(|pick| pick.1.number).collect();
        assert_eq!(picks, rows, "{power}");
    }
    // Large numbers with the inclusion probabilities 0.2, 0.4, 0.6 and 0.8.
    let mut times = [0_u32; 4];
    for seed in 0..=255 {
        for texts in [
            ["1e60", "2e60", "3e60", "4e60"],
            ["1e-30", "2e-30", "3e-30", "4e-30"],
            ["5e-324", "1e-323", "1.5e-323", "2e-323"],
            ["4e307", "8e307", "1.2e308", "1.6e308"],
        ] {
            for (_, row) in Sample::Slots(by_texts(2, seed, &texts)).picks(false).unwrap().iter() {
                times[row.number as usize - 1] += 1;
            }
        }
    }
    for (times, tenths) in times.into_iter().zip([2, 4, 6, 8]) {
        // Five standard deviations of 1024 draws are at most 80. The four samples of a seed are not independent.
        assert!((f64::from(times) - 102.4 * f64::from(tenths)).abs() < 160.0, "{times} of {tenths}");
    }
    // Numbers of all sizes, whose sums no double can represent.
    let mixed = [
        "0.1",
        "1.7976931348623157e308",
        "-0",
        "5e-324",
        "1.7976931348623157e308",
        "1e-18",
        "340282366920938463463374607431768211456",
        "2",
    ];
    let slots = by_texts(3, 1, &mixed);
    let (sum, certain) = sum_of(&slots);
    assert!(
        sum.starts_with("35953862697246314") && sum.contains(".1000000000000000010") && sum.ends_with('5'),
        "{sum}"
    );
    assert_eq!((certain, slots.seen(), slots.shortage()), (vec![2, 5], 8, None));
    let all = by_texts(9, 1, &mixed);
    assert_eq!(sum_of(&all).1, [1, 2, 4, 5, 6, 7, 8]);
    assert_eq!(all.shortage(), Some(Shortage::Weights { rows: 8, eligible: 7 }));
    let (sum, certain) = sum_of(&by_texts(2, 1, &["100", "1", "1"]));
    assert_eq!((&*sum, certain), ("102", vec![1]));
    // Draws with replacement report a sum; samples without weights have none.
    assert_eq!(Sample::Slots(sampled(Kind::WeightedReplace, 2, key(1), 1..=3)).weights()[0].sum, "6");
    assert_eq!(Sample::Slots(sampled(Kind::Successive, 2, key(1), 1..=3)).weights(), []);
}
