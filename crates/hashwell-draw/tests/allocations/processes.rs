//! Each allocation of processes and surveys is refused once, as `allocations.rs` does it with draws and samplers: an error
//! that says so, or the process ends as Rust's own collections end it, or the answer is right.
#![cfg(all(target_os = "linux", not(miri)))] // Miri starts no processes

#[path = "../../hashwell/tests/common/refusing.rs"]
mod refusing;

use hashwell::Words;
use hashwell_draw::number::Ratio;
use hashwell_draw::process::interpret::{Depth, Limit, Simulation};
use hashwell_draw::process::registry::{Given, Model, PROCESSES, Value, find};
use hashwell_draw::process::{Outcomes, Run, picture};
use hashwell_draw::survey::{
    By, Design, Form, Keys, Kind, Merged, Race, Record, Rule, Sample, Seed, Shape, Slots, SlotsDesign, State,
    Value as Weight, Weigher, merge,
};
use hashwell_draw::{Error, Key};
use refusing::{Answer, Call, number, number_of};
use std::fmt::{self, Debug, Write};
use std::ops::ControlFlow;

/// What is shown of an answer as a number, for which no memory is needed.
fn shown(answer: &impl Debug) -> Answer {
    struct Sum(u64);
    impl Write for Sum {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 = number_of([self.0, number(text.bytes())]);
            Ok(())
        }
    }
    let mut sum = Sum(0);
    write!(sum, "{answer:?}").expect("it only counts");
    Ok(sum.0)
}

/// A small process of each row.
fn model(name: &str) -> Result<Box<dyn Model>, Error> {
    const GIVEN: &[(&str, &[(&str, &str)])] = &[
        ("geometric", &[("p", "0.3")]),
        ("negative-binomial", &[("r", "3"), ("p", "0.3")]),
        ("crp", &[("n", "6"), ("alpha", "1.5")]),
        ("pitman-yor", &[("n", "6"), ("discount", "0.5")]),
        ("stick-breaking", &[("n", "6")]),
        ("polya-urn", &[("n", "6"), ("balls", "1,2")]),
        ("hoppe-urn", &[("n", "6")]),
        ("random-walk", &[("n", "6")]),
        ("gamblers-ruin", &[("start", "2"), ("target", "5")]),
        ("markov-chain", &[("n", "6"), ("transition", "0.9,0.1;0.2,0.8")]),
        (
            "hmm",
            &[
                ("initial", "0.5,0.5"),
                ("transition", "0.9,0.1;0.2,0.8"),
                ("emission", "0.7,0.3;0.1,0.9"),
                ("observed", "0,1,1,0"),
            ],
        ),
        ("ar1", &[("n", "6"), ("phi", "0.5")]),
        ("galton-watson", &[("generations", "4"), ("offspring", "0.5,0.3,0.2")]),
        ("moran", &[("n", "6"), ("start", "2")]),
    ];
    let parameters = GIVEN.iter().find(|(own, _)| *own == name).expect("each process is given").1;
    let given = parameters.iter().fold(Given::new(), |given, (name, value)| given.with(name, *value));
    find(name)?.build(&given, None)
}

fn run() -> Run {
    Run::seeded(b"allocations").expect("the source is there")
}

fn on(_: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

const LIMIT: Limit<'_> = Limit { mass: 1e-3, steps: 50, states: 1 << 12, ask: None };

/// On one thread: those that are started ask for memory of their own.
const ALONE: Simulation = Simulation { threads: 1, terms: 1 << 20 };

const PROCESSES_ASKED: &[(&str, Call)] = &[
    ("all are built and sampled", || {
        let mut sum = 0;
        for row in PROCESSES {
            let value = model(row.name)?.sample(&mut run().words()?)?;
            sum = number_of([sum, shown(&value)?]);
        }
        Ok(sum)
    }),
    ("replicates of partitions", || shown(&model("crp")?.simulate(&run(), 0..50, &ALONE, &mut on)?)),
    ("replicates of paths", || shown(&model("markov-chain")?.simulate(&run(), 0..50, &ALONE, &mut on)?)),
    ("replicates of reals", || shown(&model("ar1")?.simulate(&run(), 0..50, &ALONE, &mut on)?)),
    ("replicates in a row", || {
        let words: &mut dyn Words = &mut run().words()?;
        shown(&model("hoppe-urn")?.simulate_in_a_row(words, 50, 1 << 20, &mut on)?)
    }),
    ("replicates on threads", || {
        let two = Simulation { threads: 2, ..ALONE };
        shown(&model("geometric")?.simulate(&run(), 0..5000, &two, &mut on)?)
    }),
    ("a law", || shown(&model("crp")?.exact(&LIMIT)?)),
    ("the law of a statistic", || shown(&model("pitman-yor")?.statistic_law(&LIMIT)?)),
    ("outcomes and their picture", || {
        let model = model("geometric")?;
        let outcomes = Outcomes::of(&*model, false, &LIMIT)?;
        let mut counted = outcomes.counter();
        counted.add(&Value::Whole(2));
        let facts = shown(&outcomes.facts(&*model, Some(&counted)))?;
        Ok(number_of([facts, number(outcomes.picture(&*model, Some((&counted, 1))).bytes())]))
    }),
    ("a trace and its score", || {
        let model = model("markov-chain")?;
        let trace = model.trace(&mut run().words()?)?;
        let score = model.score(&trace.draws())?;
        Ok(number_of([shown(&trace.out)?, shown(&score)?, trace.log_probability()?.to_bits()]))
    }),
    ("a tree of terms", || {
        let tree = model("polya-urn")?.explain(&Depth { terms: 3, ..Depth::default() })?;
        Ok(number(tree.text().bytes()))
    }),
    ("weights and what was hidden", || {
        let model = model("hmm")?;
        let weighted = model.weigh(&run(), 0..30, &ALONE, &mut on)?;
        let smooth = model.smooth().expect("it observes")?;
        Ok(number_of([shown(&weighted.posterior()?)?, shown(&smooth)?, model.moments().len() as u64]))
    }),
    ("pictures", || {
        let labels = picture::of(&*model("crp")?, &Value::Labels(vec![0, 0, 1, 0, 2, 1]));
        let sticks = model("stick-breaking")?.sticks(&mut run().words()?).expect("it has sticks")?;
        Ok(number_of([number(labels.bytes()), shown(&sticks)?]))
    }),
];

fn key() -> Key {
    Seed { bytes: b"seed".to_vec(), context: "a survey".to_owned() }.key()
}

const ROWS: u64 = 60;

/// A sample of rows, of strata of them if `by` says so.
fn slots(kind: Kind, by: Option<By>, key: Key) -> Result<Slots, Error> {
    let strata = by.is_some();
    let mut slots = Slots::new(SlotsDesign { k: 4, kind, weight: None, by }, key)?;
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
    shown(
        &sample.picks(true)?.into_iter().map(|(_, row)| row.number).fold(0, |sum, row| number_of([sum, row])),
    )
}

fn state(slots: Slots) -> State {
    State { sample: Sample::Slots(slots), shape: Shape { form: Form::Lines, header: Some(b"n\n".to_vec()) } }
}

fn of_kind(kind: Kind) -> Answer {
    let by = By { columns: vec!["g".to_owned()], proportional: false };
    let all = state(slots(kind, None, key())?);
    let saved = all.to_bytes()?;
    let again = State::from_bytes(&saved)?;
    let strata = picked(Sample::Slots(slots(kind, Some(by), key())?))?;
    Ok(number_of([number(saved), picked(all.sample)?, picked(again.sample)?, strata]))
}

const SURVEYS: &[(&str, Call)] = &[
    ("equal chances", || of_kind(Kind::Equal)),
    ("with replacement", || of_kind(Kind::Replace)),
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
        let mut race = Race::new(3, key(), true, false);
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
    ("a record", || {
        let seed = Seed { bytes: b"seed".to_vec(), context: "a survey".to_owned() };
        let slots = slots(Kind::Pps, None, key())?;
        let record = Record {
            seed: &seed,
            design: &Sample::Slots(slots.clone()).design(),
            form: Form::Lines,
            header: true,
            quotes: false,
            n: slots.seen(),
            of_drawing: true,
            picks: vec![1, 2, 3],
            rows_sha256: Some([7; 32]),
            program: "a test",
        };
        Ok(number(record.text().bytes()))
    }),
];

/// Calls that return no error for want of memory: each refusal ends the process.
const ENDED: &[&str] = &["outcomes and their picture", "pictures", "rules"];

#[test]
fn child() {
    refusing::child(&[PROCESSES_ASKED, SURVEYS]);
}

#[test]
fn each_allocation_is_refused_once() {
    let processes = refusing::refuse_each(PROCESSES_ASKED);
    for (name, outcomes) in processes.into_iter().chain(refusing::refuse_each(SURVEYS)) {
        assert_eq!(outcomes.errors == 0, ENDED.contains(&name), "{name}: {outcomes:?}");
        assert!(outcomes.ends + outcomes.errors > 0, "{name} asks for no memory any more");
    }
}
