//! Samples that are merged.

use super::by_hand::{by_rank, direct, shuffled};
use super::{bytes_of, key, lines, names, row, sampled, saved, stratified, value, weight_of};
use hashwell::Sha256;
use hashwell_draw::hex;
use hashwell_draw::key::OPEN_LIST;
use hashwell_draw::row_sampling::{
    Form, Keys, Kind, MAX_ROWS, MERGE, Merged, Sample, Shape, Slots, State, Value, merge,
};
use hashwell_draw::sample::{self, merge_with_replacement};
use hashwell_draw::{Error, Key};

fn part(name: &str, sample: Sample) -> Merged {
    Merged { name: name.into(), state: State { sample, shape: lines() } }
}

fn merged(parts: Vec<Merged>) -> Result<State, String> {
    merge(parts, || Ok::<_, Error>(b"seed".to_vec())).map_err(|error| error.to_string())
}

/// The key of a merge of samples with these keys, as specified in `docs/spec/sampling.md`.
fn key_of(keys: &[Key]) -> Key {
    let keys: Vec<u8> = keys.iter().flat_map(|key| key.0).collect();
    let context = format!("{MERGE} {}", hex::encode(&Sha256::digest(&keys)));
    assert!(context.starts_with("hashwell sample/1 merge "));
    Key::derive(b"seed", context.as_bytes(), &OPEN_LIST)
}

/// The numbers of rows in three parts. Each part counts its rows from 1.
const SIZES: [u64; 3] = [50, 3, 100];

fn three(kind: Kind, k: usize) -> Vec<Slots> {
    (1_u8..).zip(SIZES).map(|(of, n)| sampled(kind, k, key(of), 1..=n)).collect()
}

/// The numbers of the merged rows, by slot, or in drawing order for successive samples.
fn three_by_hand(kind: Kind, k: usize, own: Key) -> Vec<u64> {
    let mut words = own.words();
    let mut before = 0;
    let mut parts = Vec::new();
    for (of, n) in (1_u8..).zip(SIZES) {
        let mut part = direct(kind, k, key(of), 1..=n);
        part.slots.iter_mut().for_each(|number| *number += before);
        before += n;
        parts.push(part);
    }
    match kind {
        Kind::Equal => {
            let mut all = sample::Sample::new(Vec::new(), 0, k).unwrap();
            for part in parts {
                let part = sample::Sample::new(part.slots, part.seen, k).unwrap();
                all = sample::merge(&mut words, all, part).unwrap();
            }
            all.into_rows()
        }
        Kind::Replace => {
            let mut all = (Vec::new(), 0);
            for part in parts {
                let seen = all.1 + part.seen;
                all = (merge_with_replacement(&mut words, all, (part.slots, part.seen)).unwrap(), seen);
            }
            all.0
        }
        _ => {
            let ranks: Vec<f64> = parts.iter().flat_map(|part| part.ranks.clone().unwrap()).collect();
            let rows: Vec<u64> = parts.iter().flat_map(|part| part.slots.clone()).collect();
            let mut order = by_rank(&ranks, &rows);
            order.truncate(k);
            order
        }
    }
}

/// The number that a row of the whole has within its part.
fn in_its_part(number: u64) -> u64 {
    match number {
        0..=50 => number,
        51..=53 => number - 50,
        _ => number - 53,
    }
}

/// The rows of all parts are concatenated, and the result of a merge is that of merging the samplers.
#[test]
fn merges_are_those_of_samples() {
    for kind in [Kind::Equal, Kind::Replace, Kind::Successive] {
        for k in [0, 1, 4, 60, 200] {
            let parts = three(kind, k).into_iter().map(|slots| part("x", Sample::Slots(slots))).collect();
            let state = merged(parts).unwrap();
            let own = key_of(&[key(1), key(2), key(3)]);
            assert_eq!((state.sample.key(), state.sample.seen(), state.sample.k()), (own, 153, k));
            assert!(!state.sample.goes_on());
            let slots = three_by_hand(kind, k, own);
            let must = if kind == Kind::Equal { shuffled(own, slots) } else { slots };
            let numbers = |sample: Sample| -> Vec<u64> {
                let rows = sample.drawn().unwrap().into_iter().map(|(_, kept)| kept);
                // Its bytes are the same as in its part.
                rows.inspect(|kept| assert_eq!(kept.bytes, row(in_its_part(kept.number))))
                    .map(|kept| kept.number)
                    .collect()
            };
            assert_eq!(numbers(state.sample.clone()), must, "{kind:?} {k}");
            // The merged sample is the same after it was saved and restored.
            let bytes = state.to_bytes().unwrap();
            let again = State::from_bytes(&bytes).unwrap();
            assert_eq!(again.to_bytes().unwrap(), bytes);
            assert_eq!(numbers(again.sample), must, "{kind:?} {k}");
        }
    }
}

/// Rows with a weight of zero are counted, so that a merge can report a shortage correctly.
#[test]
fn merges_count_what_could_be_picked() {
    use hashwell_draw::row_sampling::Shortage;
    let parts = [(1, 8..=10_u64), (2, 17..=18)].map(|(of, numbers)| {
        let count = numbers.clone().count() as u64;
        let mut slots = sampled(Kind::Successive, 5, key(of), []);
        for (number, weight) in (1..=count).zip(numbers) {
            let weight = value(Kind::Successive, weight_of(weight));
            slots.offer(number, weight, b"", || bytes_of(number)).unwrap();
        }
        part("x", Sample::Slots(slots))
    });
    let state = merged(parts.to_vec()).unwrap();
    assert_eq!(state.sample.shortage(), Some(Shortage::Weights { rows: 5, eligible: 3 }));
}

/// Merging a single sample gives the same sample: it can be continued, and needs no seed.
#[test]
fn one_sample_is_itself() {
    for kind in Kind::ALL {
        let sample = Sample::Slots(sampled(kind, 3, key(1), 1..=40));
        let alone = merge(vec![part("x", sample.clone())], || -> Result<_, Error> { panic!("no seed") });
        assert_eq!(alone.unwrap().to_bytes().unwrap(), saved(sample));
    }
}

/// Strata are merged one by one, each with its own random numbers, including a stratum that only one part has.
#[test]
fn strata_are_merged_one_by_one() {
    let labels: [&[&str]; 2] = [&["b", "a", "b", "a", "a", "b"], &["c", "a", "a", "c"]];
    let k = 2;
    let parts: Vec<Merged> = (1_u8..)
        .zip(labels)
        .map(|(of, labels)| {
            let mut slots = Slots::new(stratified(Kind::Equal, k, false), key(of)).unwrap();
            for (number, label) in (1..).zip(labels) {
                slots.offer(number, Value::One, label.as_bytes(), || bytes_of(number)).unwrap();
            }
            part("x", Sample::Slots(slots))
        })
        .collect();
    let state = merged(parts).unwrap();
    let own = key_of(&[key(1), key(2)]);
    assert_eq!((state.sample.key(), state.sample.seen()), (own, 10));
    let mut must = Vec::new();
    for label in ["a", "b", "c"] {
        let stratum = own.stratum(label.as_bytes());
        let mut words = stratum.words();
        let mut all = sample::Sample::new(Vec::new(), 0, k).unwrap();
        for ((of, before), labels) in [(1, 0), (2, 6)].into_iter().zip(labels) {
            let numbers: Vec<u64> =
                (1..).zip(labels).filter(|(_, name)| **name == label).map(|(number, _)| number).collect();
            if numbers.is_empty() {
                continue;
            }
            let seen = numbers.len() as u64;
            let slots = direct(Kind::Equal, k, key(of).stratum(label.as_bytes()), numbers).slots;
            let rows = slots.into_iter().map(|number| number + before).collect();
            all = sample::merge(&mut words, all, sample::Sample::new(rows, seen, k).unwrap()).unwrap();
        }
        must.extend(shuffled(stratum, all.into_rows()));
    }
    let found: Vec<u64> = state.sample.clone().drawn().unwrap().iter().map(|(_, kept)| kept.number).collect();
    assert_eq!(found, must);
    // The merged state is consistent.
    let bytes = state.to_bytes().unwrap();
    assert_eq!(State::from_bytes(&bytes).unwrap().to_bytes().unwrap(), bytes);
}

fn users(of: u8, k: usize, stratify: bool, rows: std::ops::RangeInclusive<u64>) -> Sample {
    let stratify = stratify.then(|| names(&["g"]));
    let mut keys = Keys::new(k, key(of), names(&["user"]), stratify.clone());
    for number in rows {
        let label = if stratify.is_none() { String::new() } else { (number % 2).to_string() };
        let value = format!("u{}", number * 7919 % 23);
        let bytes = row(number);
        keys.offer(label.as_bytes(), value.as_bytes(), &bytes).unwrap();
    }
    Sample::Keys(keys)
}

/// Merging keys of parts gives the same keys as one pass over all rows.
#[test]
fn keys_of_parts_are_those_of_the_whole() {
    for by in [false, true] {
        for k in [0, 1, 5, 40] {
            let whole = users(1, k, by, 1..=200);
            let parts = [1..=1, 2..=120, 121..=200].map(|rows| part("x", users(1, k, by, rows)));
            let state =
                merge(parts.to_vec(), || -> Result<_, Error> { panic!("keys need no seed") }).unwrap();
            assert!(state.sample.goes_on());
            assert_eq!(state.to_bytes().unwrap(), saved(whole), "by {by}, {k}");
        }
    }
}

/// Samples that cannot be merged are rejected with the reason.
#[test]
fn what_does_not_belong_together_is_refused() {
    let of = |kind, k, of, n| Sample::Slots(sampled(kind, k, key(of), 1..=n));
    let error = |parts: Vec<Merged>| merged(parts).map(drop).unwrap_err();
    assert_eq!(error(Vec::new()), "there is no sample to merge");
    let equal = || part("first", of(Kind::Equal, 2, 1, 9));
    let other_design = "second: it has a different design than first";
    assert_eq!(error(vec![equal(), part("second", of(Kind::Equal, 3, 2, 9))]), other_design);
    assert_eq!(error(vec![equal(), part("second", of(Kind::Replace, 2, 2, 9))]), other_design);
    assert_eq!(error(vec![equal(), part("second", users(2, 2, false, 1..=9))]), other_design);
    assert_eq!(
        error(vec![
            equal(),
            part("second", of(Kind::Equal, 2, 2, 9)),
            part("third", of(Kind::Equal, 2, 1, 8))
        ]),
        "third: this sample was drawn with the same seed as another sample, so their picks are not independent; \
         give each part its own shard name"
    );
    assert_eq!(
        error(vec![part("first", users(1, 2, false, 1..=9)), part("second", users(2, 2, false, 1..=9))]),
        "second: it has a different seed than first, but sampling by key requires the same seed"
    );
    for (kind, name) in [(Kind::Pps, "pps"), (Kind::WeightedReplace, "weighted-replace")] {
        assert_eq!(
            error(vec![part("first", of(kind, 2, 1, 9)), part("second", of(kind, 2, 2, 9))]),
            format!(
                "samples of the method {name} cannot be merged exactly; continue a sample from its saved state instead"
            )
        );
    }
    let failed = merge(vec![equal(), part("second", of(Kind::Equal, 2, 2, 9))], || Err(Error::Stopped));
    assert!(matches!(failed, Err(Error::Stopped)));
}

/// The rows of both samples must have the same shape. A sample of no rows has no header, and is compatible with all.
#[test]
fn rows_look_alike() {
    let of = |name: &str, of, n, form, header: Option<&str>| Merged {
        name: name.into(),
        state: State {
            sample: Sample::Slots(sampled(Kind::Equal, 2, key(of), 1..=n)),
            shape: Shape { form, header: header.map(|header| header.as_bytes().to_vec()) },
        },
    };
    let (csv, tsv) = (Form::Csv, Form::Tsv);
    let shape = |parts| merged(parts).map(|state| state.shape);
    let with = |header: Option<&str>| Ok(Shape { form: csv, header: header.map(|text| text.into()) });
    let pair = |one: (u64, Option<&str>), other: (u64, Option<&str>)| {
        shape(vec![of("one", 1, one.0, csv, one.1), of("other", 2, other.0, csv, other.1)])
    };
    assert_eq!(pair((5, Some("a")), (6, Some("a"))), with(Some("a")));
    assert_eq!(pair((5, None), (6, None)), with(None));
    assert_eq!(pair((0, None), (6, Some("a"))), with(Some("a")));
    assert_eq!(pair((5, Some("a")), (0, None)), with(Some("a")));
    assert_eq!(pair((0, None), (6, None)), with(None));
    let refused =
        |name: &str, like: &str| Err(format!("{name}: it has a different format or header than {like}"));
    assert_eq!(pair((5, Some("a")), (6, Some("b"))), refused("other", "one"));
    assert_eq!(pair((5, None), (6, Some("b"))), refused("one", "other"));
    assert_eq!(pair((5, Some("a")), (1, None)), refused("other", "one"));
    let forms = shape(vec![of("one", 1, 5, csv, None), of("other", 2, 5, tsv, None)]);
    assert_eq!(forms, refused("other", "one"));
}

/// All rows together are counted with 63 bits.
#[test]
fn so_many_rows_are_too_many() {
    let of = |of, seen| {
        let mut slots = Slots::new(super::design(Kind::Equal, 0), key(of)).unwrap();
        slots.passed(seen);
        part("x", Sample::Slots(slots))
    };
    assert_eq!(merged(vec![of(1, MAX_ROWS - 5), of(2, 5)]).unwrap().sample.seen(), MAX_ROWS);
    for last in [6, u64::MAX] {
        assert_eq!(
            merged(vec![of(1, MAX_ROWS - 5), of(2, last)]).map(drop).unwrap_err(),
            "together, the samples have more than 9223372036854775807 rows"
        );
    }
}
