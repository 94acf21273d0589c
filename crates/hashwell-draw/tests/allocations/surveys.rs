//! Samples of rows as drawn by the command and by Python.

use crate::refusing::{Answer, Call, again, again_after, number, number_of};
use crate::{key, shown};
use hashwell_draw::number::Ratio;
use hashwell_draw::row_sampling::{
    Design, Dialect, ExactSplit, Form, KeySampler, Keys, Kind, Merged, Method, Part, Record, Reuse,
    RowSampler, Rule, SAMPLE, Sample, SamplingOptions, SavedRecord, Seed, Shape, Shares, Shortage, Sizes,
    Slots, SlotsDesign, State, Stratify, Value as Weight, Weigher, check_record, context_of, joined, merge,
    parts_of_context,
};
use hashwell_draw::{Error, Key};
use std::borrow::Cow;
use std::sync::LazyLock;

const ROWS: u64 = 60;

/// A sample of rows, stratified if `stratify` is given.
fn slots(kind: Kind, stratify: Option<Stratify>, key: Key) -> Result<Slots, Error> {
    let strata = stratify.is_some();
    let mut slots = Slots::new(SlotsDesign { k: 4, kind, weight: None, stratify }, key)?;
    let weighted = matches!(kind, Kind::Successive | Kind::Pps | Kind::WeightedReplace);
    let weigher = Weigher::new(kind, None);
    for number in 1..=ROWS {
        let weight = match weighted {
            true => weigher.of_text(&[b'1' + (number % 7) as u8]).expect("a digit"),
            false => Weight::One,
        };
        let label = [b'a' + (number % 3) as u8];
        let label = if strata { &label[..] } else { b"" };
        if slots.skip() > 0 {
            slots.passed(1);
        } else {
            slots.offer(number, weight, label, || Ok(b"a row\n".into()))?;
        }
    }
    Ok(slots)
}

fn picked(sample: Sample) -> Answer {
    shown(&sample.picks(true)?.iter().map(|(_, row)| row.number).fold(0, |sum, row| number_of([sum, row])))
}

fn state(slots: Slots) -> State {
    State { sample: Sample::Slots(slots), shape: Shape { form: Form::Lines, header: Some(b"n\n".to_vec()) } }
}

fn of_kind(kind: Kind) -> Answer {
    let stratify = Stratify { columns: vec!["g".to_owned()], proportional: false };
    let all = state(slots(kind, None, key())?);
    let saved = all.to_bytes()?;
    let again = State::from_bytes(&saved)?;
    let strata = picked(Sample::Slots(slots(kind, Some(stratify), key())?))?;
    Ok(number_of([number(saved), picked(all.sample)?, picked(again.sample)?, strata]))
}

/// Samples that were drawn before the call.
static SAMPLES: LazyLock<[Sample; 2]> = LazyLock::new(|| {
    let mut keys = Keys::new(3, key(), vec!["id".to_owned()], None);
    (0..20).try_for_each(|row: u8| keys.offer(b"", &[row % 7], &[row])).expect("there is memory");
    [Sample::Slots(slots(Kind::Equal, None, key()).expect("there is memory")), Sample::Keys(keys)]
});

pub(super) const QUIET: &[(&str, Call)] = &[
    ("what samples say", || {
        let mut sum = 0;
        for sample in &*SAMPLES {
            let said = [sample.k() as u64, sample.seen(), sample.goes_on().into(), number(sample.key().0)];
            sum = number_of(said.into_iter().chain([sum]));
        }
        let [Sample::Slots(slots), Sample::Keys(keys)] = &*SAMPLES else { unreachable!("one of each") };
        let said =
            [slots.goes_on().into(), slots.seen(), slots.skip(), keys.bound().map_or(0, |at| at as u64)];
        Ok(number_of(said.into_iter().chain([sum])))
    }),
    ("what designs say", || {
        let designs = [Design::Shuffle, Design::Every(7), Design::Chance(Ratio::ZERO)];
        let kinds = Kind::ALL.map(|kind| number(kind.method().bytes()) ^ u64::from(kind.replaces()));
        let forms = [Form::Lines, Form::Parquet].map(|form| number(form.name().bytes()));
        let designs = designs.iter().map(|design| number(design.method().bytes()));
        let shape = Shape { form: Form::Lines, header: None };
        let rows = [Kind::Pps.row(), Design::Shuffle.row(), Method::of_name("ticket").expect("a method")];
        assert!(
            rows[2].needs(Part::GroupBy) && rows[2].allows(Part::Ticket) && Form::of_name("csv").is_some()
        );
        Ok(number_of(designs.chain(kinds).chain(forms).chain([shape.agrees(&shape).into()])))
    }),
    ("weights", || {
        let mut sum = 0;
        for kind in Kind::ALL {
            let weigher = Weigher::new(kind, None);
            let read = weigher.of_text(b" 12.5 ").map_err(|_| Error::Stopped)?;
            let quick = weigher.quick(2.5).is_some_and(|weight| weight.is_positive());
            sum = number_of([sum, shown(&read)?, quick.into(), weigher.takes_floats().into()]);
        }
        Ok(sum)
    }),
    ("rules, row by row", || {
        let mut sum = 0;
        for design in [Design::Chance(Ratio::new(1, 3)?), Design::Every(7)] {
            let mut rule = Rule::of(&design, key())?.expect("it has a rule");
            let mut row = 0;
            while row < 40 {
                let gap = rule.gap().min(40 - row);
                rule.passed(gap);
                row += gap + 1;
                rule.pick(row)?;
                sum = number_of([sum, row, rule.takes(7).into()]);
            }
        }
        Ok(sum)
    }),
];

pub(super) const ASKING: &[(&str, Call)] = &[
    ("a split", || {
        let shares = Shares::parse(["train=0.8", "test=0.2"]).expect("they sum up to 1");
        let names = number(shares.names().iter().flat_map(|name| name.bytes()));
        let mut split = ExactSplit::new(key(), true);
        for row in 0..60_u8 {
            split.offer(&[row % 3], &[row % 20])?;
        }
        split.offer_rows(9, |row| [&b"x"[..], b"y"][row % 2], |row| [&b"g"[..], b"h"][row % 2])?;
        let (rows, groups) = split.seen();
        let strata = split.counts().len() as u64;
        let sizes = number_of(shares.sizes(7));
        let parts = split.parts(&Sizes::Shares(&shares))?;
        let first = shares.part(key().ticket(b"one")) as u64;
        let usual = Dialect::default().is_usual();
        let parts = number_of(parts.into_iter().map(u64::from));
        Ok(number_of([names, rows, groups, strata, sizes, first, usual.into(), parts]))
    }),
    ("equal chances", || of_kind(Kind::Equal)),
    ("with replacement", || of_kind(Kind::Replace)),
    ("picks with replacement", || {
        Ok(number_of(slots(Kind::Replace, None, key())?.picks_after(ROWS, false)?.into_iter().flatten()))
    }),
    ("successive", || of_kind(Kind::Successive)),
    ("in proportion to size", || of_kind(Kind::Pps)),
    ("weights, with replacement", || of_kind(Kind::WeightedReplace)),
    ("keys", || {
        let mut keys = Keys::new(3, key(), vec!["id".to_owned()], None);
        for number in 0..ROWS as u8 {
            keys.offer(b"", &[number % 20], &[number, b'\n'])?;
        }
        picked(Sample::Keys(keys))
    }),
    ("a merged sample", || {
        let parts = [1, 2].map(|shard| {
            let state = state(slots(Kind::Equal, None, key().stratum(&[shard]))?);
            Ok::<_, Error>(Merged { name: "part".to_owned(), state })
        });
        let [one, other] = parts;
        picked(merge(vec![one?, other?], || Ok::<_, Error>(b"merge".to_vec()))?.sample)
    }),
    ("a race", || {
        let mut race = KeySampler::new(3, key(), true, false);
        let mut entered = 0;
        race.update(
            ROWS as usize,
            |rows, ids| rows.into_iter().try_for_each(|row| ids.push(&[row as u8 % 20])),
            |row| Ok(1 + row as u64 % 20),
            |_| {
                entered += 1;
                Ok(())
            },
        )?;
        Ok(number_of(race.order()) ^ entered)
    }),
    ("rules", || {
        let mut sum = 0;
        for design in [Design::Chance(Ratio::new(1, 3)?), Design::Every(7)] {
            let mut rule = Rule::of(&design, key())?.expect("it has a rule");
            rule.pass_rows(1, ROWS, |row| {
                sum = number_of([sum, row]);
                Ok(())
            })?;
            sum = number_of([sum, number(rule.chance().bytes())]);
        }
        Ok(sum)
    }),
    ("a request and its record", || {
        let mut options = SamplingOptions::from_json(r#"{"k": 4}"#)?;
        assert_eq!(options.k, Some(4.into()));
        let wrong = SamplingOptions::default().design().expect_err("there is no size").to_string();
        options.seed_hex = Some("5345".to_owned());
        let request = options.request().map_err(|error| Error::Refused { reason: error.to_string() })?;
        let RowSampler::Sample(sample) = request.sampler()? else { unreachable!("a sample keeps rows") };
        let record = Record {
            seed: &request.seed,
            design: &request.design,
            form: Form::Lines,
            header: false,
            quotes: false,
            dialect: Default::default(),
            n: sample.seen(),
            of_drawing: false,
            picks: Vec::new(),
            rows_sha256: None,
            weights: Vec::new(),
            program: "a test",
        };
        let saved = SavedRecord::read(record.text().as_bytes()).expect("it is a record")?;
        assert!(saved.has_key(&request.seed.key()));
        let other = Record { n: 7, ..record };
        let differences: Vec<String> = saved.differences(&other).iter().map(|one| one.to_string()).collect();
        assert_eq!(differences, ["n is 7, not 0"]);
        Ok(number(wrong.bytes()) ^ number(differences.concat().bytes()))
    }),
    ("a record", || {
        let seed = Seed { bytes: b"seed".to_vec(), context: "a survey".to_owned() };
        let slots = slots(Kind::Pps, None, key())?;
        let record = Record {
            seed: &seed,
            design: &Sample::Slots(slots.clone()).design(),
            form: Form::Lines,
            header: true,
            quotes: false,
            dialect: Default::default(),
            n: slots.seen(),
            of_drawing: true,
            picks: vec![1, 2, 3],
            rows_sha256: Some([7; 32]),
            weights: Sample::Slots(slots.clone()).weights(),
            program: "a test",
        };
        let text = record.text();
        check_record(text.as_bytes())?;
        Ok(number(text.bytes()))
    }),
    ("rules of keys", || {
        let design = Design::KeyChance { columns: vec!["id".to_owned()], p: Ratio::new(1, 3)? };
        let rule = Rule::of(&design, key())?.expect("it has a rule");
        Ok(number_of((0..20_u8).map(|row| rule.takes(key().ticket(&[row])).into())))
    }),
    ("what samples say in words", || {
        let mut sum = 0;
        let proportional = Stratify { columns: vec!["g".to_owned()], proportional: true };
        let strata = Stratify { columns: vec!["g".to_owned()], proportional: false };
        let few = SlotsDesign { k: 4, kind: Kind::Equal, weight: None, stratify: None };
        let samples = [
            Sample::Slots(Slots::new(few, key())?),
            Sample::Slots(slots(Kind::Equal, None, key())?),
            Sample::Slots(slots(Kind::Equal, Some(proportional), key())?),
            Sample::Slots(slots(Kind::Equal, Some(strata), key())?),
            Sample::Keys(Keys::new(3, key(), vec!["id".to_owned()], None)),
        ];
        for sample in samples {
            assert!(sample.chance().is_none_or(|chance| chance == Sample::equal_chance(4, sample.seen())));
            let words = (sample.chance(), sample.shortage(), sample.design());
            let said = words.1.map(|shortage| shortage.said(4) + &shortage.refused(4));
            let mut kept = 0;
            sample.each_kept(&mut |row| kept += row.number);
            sum = number_of([sum, shown(&(words.0, said, words.2))?, kept, shown(&sample.drawn()?)?]);
        }
        let shortage = Shortage::Strata { short: 1, all: 2 };
        Ok(sum ^ number((shortage.said(3) + &shortage.refused(3)).bytes()))
    }),
    ("keys of strata", || {
        let mut keys = Keys::new(3, key(), vec!["id".to_owned()], Some(vec!["g".to_owned()]));
        for number in 0..ROWS as u8 {
            let (label, value) = ([number % 4], [number % 20]);
            let row = || Ok(Cow::Owned(vec![number]));
            keys.offer_ticket(key().ticket(&value), &label, &value, row)?;
            keys.passed(1);
        }
        let all = State { sample: Sample::Keys(keys), shape: Shape { form: Form::Lines, header: None } };
        let saved = all.to_bytes()?;
        Ok(number_of([number(saved.clone()), picked(State::from_bytes(&saved)?.sample)?]))
    }),
    ("keys that were selected before", || {
        let mut reuse = Reuse::default();
        (0..200).for_each(|ticket| reuse.see(ticket));
        let mut all = reuse.clone();
        all.add(&reuse);
        let warning = all.warning().expect("they are all small");
        Ok(number(warning.bytes()) ^ u64::from(all.is_looking()))
    }),
    ("texts of keys and shards", || {
        let fields = [Cow::Borrowed(&b"one"[..]), Cow::Borrowed(b"two")];
        let seed = Seed { bytes: b"seed".to_vec(), context: context_of(SAMPLE, "arms", Some("north")) };
        assert!(parts_of_context(SAMPLE, &seed.context).is_some());
        Ok(number(joined(&fields).iter().copied()) ^ number(seed.key().0))
    }),
    ("a race without weights", || {
        let mut race = KeySampler::new(3, key(), false, true);
        race.update(
            ROWS as usize,
            |rows, ids| rows.into_iter().try_for_each(|row| ids.push(&[row as u8 % 20])),
            |_| unreachable!("there are none"),
            |_| Ok(()),
        )?;
        Ok(number_of(race.order()))
    }),
];

/// Rows of several lengths.
fn row(number: u64) -> Vec<u8> {
    vec![b'x'; (number * 37 % 300) as usize]
}

fn row_of(number: u64) -> Result<Cow<'static, [u8]>, Error> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact((number * 37 % 300) as usize).map_err(|_| Error::Memory { what: "a row" })?;
    bytes.resize((number * 37 % 300) as usize, b'x');
    Ok(bytes.into())
}

/// Offers rows. Each row is offered again if there was no memory for it.
fn kept_slots(kind: Kind, stratify: Option<Stratify>) -> Answer {
    let strata = stratify.is_some();
    let design = SlotsDesign { k: 4, kind, weight: None, stratify };
    let mut slots = again(|| Slots::new(design.clone(), key()))?;
    for number in 1..=ROWS {
        if slots.passes_weights() && slots.pass_weights(&[1.0 + (number % 7) as f64]) == 1 {
            continue;
        }
        if slots.passes_units() && slots.pass_units(&[1 + u128::from(number % 7)]) == 1 {
            continue;
        }
        let weight = match kind {
            Kind::Successive => Weight::Float(1.0 + (number % 7) as f64),
            Kind::Pps => Weight::Units(1 + u128::from(number % 7)),
            _ => Weight::One,
        };
        let label = if strata { &[b'a' + (number % 3) as u8][..] } else { b"" };
        again_after(
            &mut slots,
            |slots| slots.offer(number, weight.clone(), label, || row_of(number)),
            |slots| assert_eq!(slots.seen(), number - 1, "it was not seen"),
        )?;
    }
    let saved = again(|| state(slots.clone()).to_bytes())?;
    let sample = Sample::Slots(slots);
    sample.each_kept(&mut |kept| assert_eq!(kept.bytes, row(kept.number), "each has its row"));
    Ok(number_of([number(saved), shown(&again(|| sample.clone().picks(true))?)?]))
}

fn strata() -> Option<Stratify> {
    Some(Stratify { columns: vec!["g".to_owned()], proportional: false })
}

fn kept_keys(stratify: Option<Vec<String>>) -> Answer {
    let strata = stratify.is_some();
    let mut keys = Keys::new(3, key(), Vec::new(), stratify);
    for number in 1..=ROWS {
        let (label, value) = ([number as u8 % 3], [number as u8 % 20]);
        let label = if strata { &label[..] } else { b"" };
        let ticket = key().ticket(&value);
        again_after(
            &mut keys,
            |keys| keys.offer_ticket(ticket, label, &value, || row_of(number)),
            |keys| assert_eq!(keys.seen, number - 1, "it was not seen"),
        )?;
    }
    let sample = Sample::Keys(keys);
    sample.each_kept(&mut |kept| assert_eq!(kept.bytes, row(kept.number), "each has its row"));
    shown(&again(|| sample.clone().picks(true))?)
}

pub(super) const KEPT: &[(&str, Call)] = &[
    ("a kept sample of equal chances", || kept_slots(Kind::Equal, None)),
    ("a kept sample with replacement", || kept_slots(Kind::Replace, None)),
    ("a kept successive sample", || kept_slots(Kind::Successive, None)),
    ("a kept sample in proportion to size", || kept_slots(Kind::Pps, None)),
    ("a kept sample of strata", || kept_slots(Kind::Equal, strata())),
    ("a kept successive sample of strata", || kept_slots(Kind::Successive, strata())),
    ("a kept sample that rows pass", || {
        let design = SlotsDesign { k: 4, kind: Kind::Equal, weight: None, stratify: None };
        let mut slots = Slots::new(design, key())?;
        let pass = |slots: &mut Slots| {
            let seen = slots.seen();
            slots.pass_rows(seen + 1, ROWS - seen, |at| row_of(seen + 1 + at))
        };
        let look = |slots: &mut Slots| {
            // The row for which there was no memory still has its slots, and must be offered first.
            assert!(slots.seen() < ROWS && slots.skip() == 0);
            let half = || state(slots.clone());
            assert!(matches!(half().to_bytes(), Err(Error::Refused { .. })));
            assert!(matches!(half().sample.picks(true), Err(Error::Refused { .. })));
            let parts = [key(), key().row(b"other")].map(|own| {
                let mut slots = slots.clone();
                slots.key = own;
                Merged { name: "part".to_owned(), state: state(slots) }
            });
            let merged = merge(parts.into(), || Ok::<_, Error>(b"merge".to_vec()));
            assert!(matches!(merged, Err(Error::Refused { .. })));
        };
        again_after(&mut slots, pass, look)?;
        let saved = state(slots.clone()).to_bytes()?;
        Ok(number(saved) ^ shown(&again(|| Sample::Slots(slots.clone()).picks(true))?)?)
    }),
    ("a kept sample of strata that rows pass", || {
        let design = SlotsDesign { k: 2, kind: Kind::Equal, weight: None, stratify: strata() };
        let mut slots = Slots::new(design, key())?;
        let labels = ["a", "b", "", "a long label of a stratum"];
        let pass = |slots: &mut Slots| {
            let seen = slots.seen();
            let label = |at: usize| labels[(seen as usize + at) % 4].as_bytes();
            slots.pass_labelled(seen + 1, (ROWS - seen) as usize, label, |at| row_of(seen + 1 + at as u64))
        };
        again_after(&mut slots, pass, |slots| assert!(slots.seen() < ROWS))?;
        let mut sample = Sample::Slots(slots);
        let rows = [vec![b'y'; 9], Vec::new(), vec![b'z'; 400]];
        again_after(&mut sample, |sample| sample.set_kept(rows.clone()), |_| {})?;
        let mut found = Vec::new();
        sample.each_kept(&mut |row| found.extend_from_slice(row.bytes));
        Ok(number(found) ^ shown(&again(|| sample.clone().picks(false))?)?)
    }),
    ("kept keys", || kept_keys(None)),
    ("kept keys of strata", || kept_keys(Some(Vec::new()))),
];
