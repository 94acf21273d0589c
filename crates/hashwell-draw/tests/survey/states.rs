//! States: a saved state can be restored, and an inconsistent one is rejected with its reason.

use super::by_hand::{Body, Saved, SavedPart, direct, several, some};
use super::{
    bytes_of, design, drawn, key, lines, names, refused, row, sampled, saved, saved_slots, stratified, value,
    weight_of,
};
use hashwell_draw::row_sampling::{
    Design, Form, Keys, Kind, MAX_ROWS, Sample, Shape, Slots, SlotsDesign, State, Stratify, Value, Weight,
};

fn slots_of(state: State) -> Slots {
    match state.sample {
        Sample::Slots(slots) => slots,
        Sample::Keys(_) => panic!("a sample of keys"),
    }
}

/// A sample that is saved and restored after any row continues as if it had not been interrupted.
#[test]
fn samples_go_on_from_anywhere() {
    for kind in Kind::ALL {
        for (k, stops) in [(0, [0, 5]), (1, [1, 100]), (5, [0, 20]), (5, [3, 4]), (5, [5, 6]), (30, [9, 250])]
        {
            let mut whole = Slots::new(design(kind, k), key(2)).unwrap();
            let mut parts = whole.clone();
            for number in 1..=300 {
                if stops.contains(&(number - 1)) {
                    let bytes = saved_slots(&parts);
                    parts = slots_of(State::from_bytes(&bytes).unwrap());
                    assert_eq!(saved_slots(&parts), bytes, "{kind:?}, {k} after {}", number - 1);
                }
                for slots in [&mut whole, &mut parts] {
                    slots.offer(number, value(kind, weight_of(number)), b"", || bytes_of(number)).unwrap();
                }
            }
            assert_eq!(saved_slots(&parts), saved_slots(&whole), "{kind:?}, {k}");
            let must = direct(kind, k, key(2), 1..=300).drawn(kind, key(2));
            assert_eq!(drawn(Sample::Slots(parts)), must, "{kind:?}, {k}");
        }
    }
}

/// Everything in a state besides the rows.
#[test]
fn designs_and_shapes_are_read_as_they_were_written() {
    let weight =
        |default: Option<&str>| Weight { column: "w ä".into(), default: default.map(str::to_owned) };
    let strata = |columns: &[&str], proportional| Some(Stratify { columns: names(columns), proportional });
    let of = |kind, weight, stratify| SlotsDesign { k: 9, kind, weight, stratify };
    let designs = [
        of(Kind::Equal, None, None),
        of(Kind::Pps, Some(weight(None)), None),
        of(Kind::Successive, Some(weight(Some(""))), strata(&[""], false)),
        of(Kind::WeightedReplace, Some(weight(Some("0.5"))), strata(&["g"], true)),
        of(Kind::Replace, None, strata(&["a", "", "länger"], false)),
        of(Kind::Equal, None, strata(&["a", "b"], true)),
    ];
    for design in designs {
        let slots = Slots::new(design.clone(), key(1)).unwrap();
        let state = State::from_bytes(&saved_slots(&slots)).unwrap();
        assert_eq!(state.sample.design(), Design::Slots(design));
        assert!(state.sample.key() == key(1) && state.shape == lines());
    }
    for columns in [names(&["user"]), names(&[]), names(&["a", "b"])] {
        for stratify in [None, Some(names(&["g"])), Some(names(&["g", "h"]))] {
            let keys = Keys::new(3, key(1), columns.clone(), stratify.clone());
            let state = State::from_bytes(&saved(Sample::Keys(keys))).unwrap();
            assert_eq!(state.sample.design(), Design::Keys { columns: columns.clone(), k: 3, stratify });
        }
    }
    let sample = Sample::Slots(sampled(Kind::Equal, 2, key(1), 1..=5));
    let forms = [Form::Lines, Form::Nul, Form::Csv, Form::Tsv, Form::JsonLines, Form::Objects, Form::Arrow];
    for (at, form) in forms.into_iter().enumerate() {
        for header in [None, Some(Vec::new()), Some(b"a,b\n".to_vec())] {
            let shape = Shape { form, header: header.clone() };
            let bytes = State { sample: sample.clone(), shape: shape.clone() }.to_bytes().unwrap();
            let mut must = Saved::of(Kind::Equal, 2, key(1), 1..=5);
            (must.form, must.header) = (at as u64, header.map_or(Vec::new(), |header| some(&header)));
            assert_eq!(bytes, must.bytes());
            assert_eq!(State::from_bytes(&bytes).unwrap().shape, shape);
        }
    }
    let parquet = State { sample, shape: Shape { form: Form::Parquet, header: None } };
    assert_eq!(parquet.to_bytes().unwrap_err().to_string(), "a state cannot store rows of this format");
}

/// The result of a merge can be restored, and accepts no more rows.
#[test]
fn what_merging_left_is_read() {
    for kind in [Kind::Equal, Kind::Successive, Kind::Replace] {
        for (k, n) in [(4, 90), (4, 2), (0, 3), (4, 0)] {
            let must = Saved::of(kind, k, key(5), 1..=n);
            let mut left = must.clone();
            left.part().sampler = None;
            let state = State::from_bytes(&left.bytes()).unwrap();
            let sample = state.sample.clone();
            assert_eq!(state.to_bytes().unwrap(), left.bytes(), "{kind:?} {k} {n}");
            assert_eq!(drawn(sample), direct(kind, k, key(5), 1..=n).drawn(kind, key(5)), "{kind:?} {k} {n}");
            assert!(!state.sample.goes_on());
            let mut slots = slots_of(state);
            assert!(!slots.goes_on() && slots.skip() == u64::MAX);
            slots.offer(n + 1, Value::One, b"", || panic!("no row is kept")).unwrap();
            assert_eq!(slots.seen(), n + 1);
        }
    }
    // A sample can be continued if all of its strata can.
    let mut one = Saved::of(Kind::Equal, 2, key(5), []);
    one.stratify = some(b"g");
    let part = |label: &[u8]| SavedPart::of(label, Kind::Equal, 2, key(5).stratum(label), 1..=3);
    one.body = Body::Parts(vec![part(b"a"), SavedPart { sampler: None, ..part(b"b") }]);
    assert!(!State::from_bytes(&one.bytes()).unwrap().sample.goes_on());
    one.body = Body::Parts(vec![part(b"a"), part(b"b")]);
    assert!(State::from_bytes(&one.bytes()).unwrap().sample.goes_on());
}

/// A change of a state, and the resulting error.
type Lie = (&'static str, fn(&mut Saved));

fn all_are_refused(honest: &Saved, lies: &[Lie]) {
    assert_eq!(refused(honest), "it was read");
    for (at, (reason, lie)) in lies.iter().enumerate() {
        let mut state = honest.clone();
        lie(&mut state);
        assert_eq!(refused(&state), *reason, "lie {at}");
    }
}

const OTHER_ROWS: &str = "the rows in its slots are not those that its key picks";
/// With this key, the slots contain the rows 1, 2 and 2.
const REPLACING: u8 = 18;
const COUNTS: &str = "the number of stored rows doesn't match the sampler's state";
const NUMBER: &str = "the number of a row is larger than the number of rows read";
const METHOD: &str = "its method is unknown";
const ENCODING: &str = "its encoding is not the one that hashwell writes";
const KEY: &str = "a key must have 32 bytes";
const TEXT: &str = "a column name is not UTF-8";
const LIST: &str = "a list of columns is truncated";
const ONE_PART: &str = "its strata do not match its design";
const OWN_KEY: &str = "a stratum has the key of a different stratum";
const TOO_MANY: &str = "it counts more rows than are possible";

#[test]
fn heads_that_lie_are_refused() {
    let honest = Saved::of(Kind::Equal, 3, key(1), 1..=20);
    let lies: [Lie; 23] = [
        // A changed encoding that would have the same meaning.
        (ENCODING, |state| state.proportional = 2),
        (ENCODING, |state| state.column = b"\x03w".to_vec()),
        (ENCODING, |state| state.header = b"\x02a".to_vec()),
        (ENCODING, |state| state.part().rows[0].1 = 0.5),
        (KEY, |state| state.key.truncate(31)),
        (KEY, |state| state.key.push(1)),
        (METHOD, |state| state.method = "none"),
        (METHOD, |state| state.method = "ticket"),
        (METHOD, |state| state.key_columns = some(b"user")),
        (METHOD, |state| (state.method, state.key_columns) = ("none", some(b"user"))),
        (TEXT, |state| state.column = some(b"\xff")),
        (TEXT, |state| (state.column, state.missing) = (some(b"w"), some(b"\xff"))),
        (TEXT, |state| state.stratify = some(b"\xff")),
        (TEXT, |state| state.key_columns = some(b"\xff")),
        (LIST, |state| state.stratify = several(&["a", "b"])[..9].to_vec()),
        (LIST, |state| state.stratify = several(&["a", "b"])[..18].to_vec()),
        (LIST, |state| state.stratify = [&several(&["a"])[..], &[0xff; 8], b"b"].concat()),
        ("its format is unknown", |state| state.form = 7),
        ("it has extra fields", |state| state.more = true),
        (COUNTS, |state| state.k = 4),
        (COUNTS, |state| state.k = 2),
        // A sampler that does not belong to the method.
        ("it is a reservoir with exact gaps, not a sample with replacement", |state| {
            state.method = "replace";
        }),
        ("it is a reservoir with exact gaps, not a weighted reservoir with jumps", |state| {
            state.method = "successive";
        }),
    ];
    all_are_refused(&honest, &lies);
    assert!(State::from_bytes(b"").is_err());
}

#[test]
fn parts_that_lie_are_refused() {
    let honest = Saved::of(Kind::Equal, 3, key(1), 1..=20);
    let lies: [Lie; 19] = [
        (KEY, |state| state.part().key.truncate(31)),
        (COUNTS, |state| state.part().seen = 21),
        (COUNTS, |state| state.part().seen = 19),
        (COUNTS, |state| state.part().eligible = 21),
        (COUNTS, |state| state.part().eligible = 2),
        (COUNTS, |state| {
            state.part().rows.pop();
        }),
        (COUNTS, |state| state.part().rows.push((1, 0.0))),
        // In the result of a merge, nothing records how many rows there were.
        (COUNTS, |state| (state.part().sampler, state.part().seen) = (None, 19)),
        (COUNTS, |state| (state.part().sampler, state.part().eligible) = (None, 2)),
        (COUNTS, |state| (state.part().sampler, state.k) = (None, 4)),
        (NUMBER, |state| state.part().rows[0].0 = 0),
        (NUMBER, |state| state.part().rows[2].0 = 21),
        (OWN_KEY, |state| state.part().key[0] += 1),
        (ONE_PART, |state| state.part().label = b"x".to_vec()),
        (ONE_PART, |state| state.body = Body::Parts(Vec::new())),
        (ONE_PART, |state| {
            let part = state.part().clone();
            state.body = Body::Parts(vec![SavedPart { label: b"x".to_vec(), ..part.clone() }, part]);
        }),
        ("a stratum occurs twice", |state| {
            let part = state.part().clone();
            state.body = Body::Parts(vec![part.clone(), part]);
        }),
        // The key of a label, although there are strata.
        (OWN_KEY, |state| state.stratify = some(b"g")),
        (TOO_MANY, |state| {
            let eligible = state.part().eligible;
            *state.part() = SavedPart { sampler: None, seen: MAX_ROWS + 1, eligible, ..state.part().clone() };
        }),
    ];
    all_are_refused(&honest, &lies);

    // A number in the whole stream, and a key of its stratum.
    let mut honest = Saved::of(Kind::Equal, 2, key(1), []);
    honest.stratify = some(b"g");
    let part = |label: &[u8], numbers| SavedPart::of(label, Kind::Equal, 2, key(1).stratum(label), numbers);
    honest.body = Body::Parts(vec![part(b"a", 1..=2), part(b"b", 3..=5)]);
    let lies: [Lie; 5] = [
        (OWN_KEY, |state| state.part().key = vec![1; 32]),
        (NUMBER, |state| state.part().rows[0].0 = 6),
        (COUNTS, |state| {
            state.part().rows.pop();
        }),
        (TOO_MANY, |state| (state.part().sampler, state.part().seen) = (None, MAX_ROWS - 2)),
        (TOO_MANY, |state| (state.part().sampler, state.part().seen) = (None, u64::MAX - 2)),
    ];
    all_are_refused(&honest, &lies);
    honest.part().rows[0].0 = 5;
    assert_eq!(refused(&honest), "it was read");
    (honest.part().sampler, honest.part().seen) = (None, MAX_ROWS - 3);
    assert_eq!(refused(&honest), "it was read");
}

/// If rows have weights or occur several times, other counts are valid.
#[test]
fn counts_of_other_designs() {
    // Row 9 has no weight.
    let weights = Saved::of(Kind::Pps, 12, key(1), 1..=10);
    let lies: [Lie; 4] = [
        (COUNTS, |state| state.part().eligible = 10),
        (COUNTS, |state| state.part().eligible = 8),
        (COUNTS, |state| state.part().eligible = 0),
        (COUNTS, |state| (state.part().sampler, state.part().eligible, state.k) = (None, 11, 9)),
    ];
    all_are_refused(&weights, &lies);
    // Two of the slots contain the same row, and the third one a different row.
    let replacing = Saved::of(Kind::Replace, 3, key(REPLACING), 1..=2);
    let lies: [Lie; 10] = [
        (COUNTS, |state| state.part().eligible = 0),
        (COUNTS, |state| state.part().eligible = 3),
        (COUNTS, |state| state.part().seen = 3),
        (COUNTS, |state| {
            state.part().rows.pop();
        }),
        (OTHER_ROWS, |state| state.part().rows[1].0 = 1),
        (OTHER_ROWS, |state| state.part().rows.reverse()),
        // Rows that are not in order.
        (OTHER_ROWS, |state| state.part().rows = vec![(2, 0.0), (1, 0.0), (1, 0.0)]),
        (
            "it is a sample with replacement from a version before 0.1.0, not a sample with replacement",
            |state| {
                use hashwell_draw::state::{Kind as Envelope, Writer};
                let mut writer = Writer::new(Envelope::OldWithReplacement);
                writer.u64(2).option_u128(Some(8)).bytes(&[9_u64.to_be_bytes(); 3].concat());
                state.part().sampler = Some(writer.finish());
            },
        ),
        // A sampler with many slots, for which the rows would have to be allocated.
        (COUNTS, |state| state.part().sampler = Some(slots_of_a_sampler(2, 1 << 29))),
        (COUNTS, |state| state.part().sampler = Some(slots_of_a_sampler(0, 3))),
    ];
    all_are_refused(&replacing, &lies);
    let mut other = replacing;
    other.part().sampler = Some(slots_of_a_sampler(2, 3));
    assert_eq!(refused(&other), "it was read");
}

/// The state of a sampler with replacement.
fn slots_of_a_sampler(seen: u64, k: u64) -> Vec<u8> {
    use hashwell_draw::state::{Kind as Envelope, Writer};
    let mut writer = Writer::new(Envelope::WithReplacement);
    writer.u64(seen).u64(k);
    writer.finish()
}

#[test]
fn keys_that_lie_are_refused() {
    let rows = |label: &[u8], keys: &[(&str, &[u64])]| {
        (label.to_vec(), keys.iter().map(|(key, rows)| (key.as_bytes().to_vec(), rows.to_vec())).collect())
    };
    // All rows that were seen are kept.
    let honest = Saved::of_keys(3, key(1), 4, vec![rows(b"", &[("b", &[2, 3]), ("a", &[1, 4])])]);
    let lies: [Lie; 8] = [
        // Keys that are not in order, and more than k keys.
        (ENCODING, |state| {
            if let Body::Keys(_, strata) = &mut state.body {
                strata[0].1.reverse();
            }
        }),
        (ENCODING, |state| state.k = 1),
        (NUMBER, |state| set_seen(state, 3)),
        (NUMBER, |state| set_number(state, 0)),
        (NUMBER, |state| set_number(state, 5)),
        (TOO_MANY, |state| set_seen(state, MAX_ROWS + 1)),
        ("it has more rows than were read", |state| {
            if let Body::Keys(_, strata) = &mut state.body {
                strata[0].1[1].1.push(4);
            }
        }),
        (METHOD, |state| state.key_columns = Vec::new()),
    ];
    all_are_refused(&honest, &lies);
    let mut most = honest.clone();
    set_seen(&mut most, MAX_ROWS);
    assert_eq!(State::from_bytes(&most.bytes()).unwrap().sample.seen(), MAX_ROWS);
    // The same errors are detected in strata.
    let mut strata = honest;
    strata.stratify = some(b"g");
    strata.body = Body::Keys(4, vec![rows(b"x", &[("a", &[1, 4])]), rows(b"y", &[("a", &[2, 3])])]);
    assert_eq!(refused(&strata), "it was read");
    let sample = State::from_bytes(&strata.bytes()).unwrap().sample;
    assert_eq!((drawn(sample.clone()), sample.seen()), (vec![1, 4, 2, 3], 4));
    assert_eq!(saved(sample), strata.bytes());
    strata.body = Body::Keys(4, vec![rows(b"x", &[("a", &[1, 4])]), rows(b"y", &[("a", &[2, 3, 4])])]);
    assert_eq!(refused(&strata), "it has more rows than were read");
}

fn set_seen(state: &mut Saved, to: u64) {
    if let Body::Keys(seen, _) = &mut state.body {
        *seen = to;
    }
}

fn set_number(state: &mut Saved, to: u64) {
    if let Body::Keys(_, strata) = &mut state.body {
        strata[0].1[0].1[0] = to;
    }
}

/// A restored state continues with its strata and with new ones.
#[test]
fn strata_go_on() {
    let label = |number: u64| if number.is_multiple_of(3) { &b"a"[..] } else { b"b" };
    let mut slots = Slots::new(stratified(Kind::Equal, 2, false), key(3)).unwrap();
    for number in (3..=30).step_by(3) {
        slots.offer(number, Value::One, label(number), || Ok(row(number).into())).unwrap();
    }
    slots = slots_of(State::from_bytes(&saved_slots(&slots_of_seen(slots, 30))).unwrap());
    for number in 31..=60 {
        slots.offer(number, Value::One, label(number), || bytes_of(number)).unwrap();
    }
    let of = |name: &'static [u8], numbers: Vec<u64>| {
        let key = key(3).stratum(name);
        direct(Kind::Equal, 2, key, numbers).drawn(Kind::Equal, key)
    };
    let first = of(b"a", (1..=60).filter(|number| number % 3 == 0).collect());
    let second = of(b"b", (1..=60).filter(|number| number % 3 != 0).collect());
    assert_eq!(drawn(Sample::Slots(slots)), [first, second].concat());
}

/// The other rows are passed as well, so that no number is larger than the number of rows seen.
fn slots_of_seen(mut slots: Slots, until: u64) -> Slots {
    for number in (1..=until).filter(|number| number % 3 != 0) {
        slots.offer(number, Value::One, b"b", || bytes_of(number)).unwrap();
    }
    slots
}
