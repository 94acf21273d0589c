//! Each allocation of draws, samplers, weighted samplers, transcripts and processes is refused once: an error that says so, or
//! the process ends as Rust's own collections end it, or the answer is right. None gives another answer.
#![cfg(all(target_os = "linux", not(miri)))] // Miri starts no processes

#[path = "../../hashwell/tests/common/refusing.rs"]
mod refusing;

use hashwell_draw::design::{self, BernoulliSkips, Clusters, Decay, Strata, Systematic};
use hashwell_draw::hwdraw::{
    Allocation, Columns, Frame, FrameBuilder, Method, Plan, Seed, Transcript, Wishes, allocate, steps, verify,
};
use hashwell_draw::key::OPEN_FRAME;
use hashwell_draw::number::Ratio;
use hashwell_draw::sample::{
    self, AlgorithmL, AlgorithmR, BottomK, FisherYates, Gap, InOrder, Sample, Tickets, WithReplacement,
};
use hashwell_draw::weighted::{
    self, AliasTable, Chao, FloatAliasTable, Jumps, Race, Res, Slots, WeightedTicket, WeightedTickets,
    systematic_pps,
};
use hashwell_draw::{Error, Key, Words, draw, hex};
use refusing::{Answer, Call, Wrong, again, number, number_of};

fn words() -> impl Words {
    Key::derive(b"0877", b"", &OPEN_FRAME).words()
}

/// Of rows as numbers.
fn rows(rows: impl IntoIterator<Item = impl TryInto<u64>>) -> Answer {
    Ok(number_of(rows.into_iter().map(|row| row.try_into().ok().expect("a number of a row"))))
}

fn ceremony() -> Result<(Transcript, Frame), Error> {
    let frame = Frame::read(&b"Ada\nBlaise\nCarl\nEmmy\nSofja\n"[..], Columns::default(), false, false)?;
    let wishes = Wishes { context: "two seats".to_owned(), k: Some(2), ..Wishes::default() };
    let plan = Plan::new(&frame, Method::Index, wishes)?;
    Ok((Transcript::draw(plan, Seed::dice("31415926535897932384626433")?, &frame, "test")?, frame))
}

/// Rows, in two strata or with weights where they are asked for.
fn framed(columns: Columns) -> Result<Frame, Error> {
    let mut frame = FrameBuilder::new(columns);
    for [id, stratum, weight] in
        [["Ada", "a", "1.5"], ["Blaise", "b", "2"], ["Carl", "a", "0.25"], ["Emmy", "b", "1"]]
    {
        match columns {
            Columns { stratum: true, weight: true } => frame.push(&[id, stratum, weight])?,
            Columns { stratum: true, .. } => frame.push(&[id, stratum])?,
            Columns { weight: true, .. } => frame.push(&[id, weight])?,
            Columns { .. } => frame.push(&[id])?,
        }
    }
    frame.finish(false)
}

const STRATA: Columns = Columns { stratum: true, weight: false };
const WEIGHTS: Columns = Columns { stratum: false, weight: true };

/// A draw of each kind, its record, and how it went step by step.
fn drawn(frame: &Frame, method: Method, wishes: Wishes) -> Answer {
    let wishes = Wishes { context: "two seats".to_owned(), ..wishes };
    let transcript = Transcript::draw(
        Plan::new(frame, method, wishes)?,
        Seed::dice("31415926535897932384626433")?,
        frame,
        "test",
    )?;
    let told = format!("{:?}", steps(&transcript, Some(frame))?);
    let json = transcript.to_json();
    Ok(number(told.bytes()) ^ number(json.bytes()))
}

/// A sampler of each kind to the end, whose steps are made again where there was no memory for them.
fn offered(mut offer: impl FnMut(u32) -> Result<Option<usize>, Error>) -> Answer {
    let mut sum = 0;
    for row in 1..300 {
        let slot = again(|| offer(row * 7919 % 101 + 1))?;
        sum = number_of([sum, slot.map_or(99, |slot| slot as u64)]);
    }
    Ok(sum)
}

/// Calls that draw a number, and samplers that hold numbers of rows alone.
const QUIET: &[(&str, Call)] = &[
    ("numbers", || {
        let words = &mut words();
        let numbers = [draw::below(words, 6)?, draw::below_lemire(words, 6)?];
        let floats = [draw::unit(words)?, draw::gaussian(words)?, draw::beta(words, 2.0, 3.0)?];
        let chance = draw::bernoulli(words, &Ratio::new(1, 3)?)?;
        draw::shuffle(words, &mut [1, 2, 3])?;
        let floats = floats.map(f64::to_bits);
        Ok(number_of(numbers.into_iter().chain(floats).chain([chance.into()])))
    }),
    ("categorical", || Ok(draw::categorical(&mut words(), &[1.0, 2.0, 3.0])? as u64)),
    ("categorical_exact", || rows([draw::categorical_exact(&mut words(), &[1, 2, 3])?])),
    ("InOrder", || {
        let mut picks = InOrder::new(words(), 1000, 10)?;
        let mut sum = 0;
        while let Some(pick) = picks.next_pick()? {
            sum = number_of([sum, pick]);
        }
        Ok(sum)
    }),
];

const ASKING: &[(&str, Call)] = &[
    ("permutation", || rows(draw::permutation(&mut words(), 100)?)),
    ("floyd", || rows(sample::floyd(&mut words(), 1_000_000, 30)?)),
    ("multinomial", || {
        let counts = sample::multinomial(&mut words(), 1000, 30)?;
        Ok(number_of(counts.into_iter().flat_map(|(row, count)| [row, count])))
    }),
    ("choose", || rows(sample::choose(&mut words(), &[1_u64, 2, 3, 4, 5], 2)?.into_iter().copied())),
    ("Gap", || rows(sample::from_iter(&mut Gap::new(words(), 5)?, 0..1000_u64)?)),
    ("AlgorithmL", || rows(sample::from_iter(&mut AlgorithmL::new(words(), 5)?, 0..1000_u64)?)),
    ("AlgorithmR", || rows(sample::from_iter(&mut AlgorithmR::new(words(), 5)?, 0..1000_u64)?)),
    ("FisherYates", || rows(FisherYates::new(words(), 1000)?.picks(30)?)),
    ("WithReplacement", || {
        let (mut sampler, mut slots) = (WithReplacement::new(words(), 5)?, Vec::new());
        let mut sum = 0;
        for row in 0..20 {
            if sampler.skip() == 0 {
                sampler.enter(&mut slots)?;
                sum = number_of(slots.iter().map(|slot| *slot as u64).chain([sum, row]));
            } else {
                sampler.passed(1);
            }
        }
        Ok(sum)
    }),
    ("BottomK", || {
        let tickets = Tickets::new(&Key::derive(b"0877", b"", &OPEN_FRAME));
        let mut kept = BottomK::new(5);
        let ids: Vec<[u8; 4]> = (0..100_u32).map(u32::to_be_bytes).collect();
        for (id, ticket) in ids.iter().zip(tickets.of(&ids)?) {
            kept.offer(ticket, id, u64::from(u32::from_be_bytes(*id)));
        }
        let saved = kept.seen();
        Ok(number_of(kept.into_rows()) ^ saved)
    }),
    ("alias tables", || {
        let (exact, floats) = (AliasTable::new(&[1, 2, 3])?, FloatAliasTable::new(&[1.0, 2.0, 3.0])?);
        let drawn = [exact.draw(&mut words())?, floats.draw(&mut words())?];
        rows(drawn.map(|place| place.expect("a place")))
    }),
    ("Chao", || {
        let mut sampler = Chao::new(words(), 3)?;
        let mut sum = 0;
        for row in 1..50_u64 {
            let slot = sampler.offer(row.into())?;
            sum = number_of([sum, slot.map_or(99, |slot| slot as u64)]);
        }
        Ok(sum ^ number(sampler.to_bytes()))
    }),
    ("Res", || {
        let mut sampler = Res::new(words(), 3)?;
        let mut sum = 0;
        for row in 1..50_u32 {
            let slot = sampler.offer(row.into())?;
            sum = number_of([sum, slot.map_or(99, |slot| slot as u64)]);
        }
        Ok(sum)
    }),
    ("Jumps", || {
        let mut sampler = Jumps::new(words(), 3)?;
        let mut sum = 0;
        for row in 1..50_u32 {
            let slot = sampler.offer(row.into())?;
            sum = number_of([sum, slot.map_or(99, |slot| slot as u64)]);
        }
        Ok(sum ^ number(sampler.to_bytes()))
    }),
    ("systematic_pps", || rows(systematic_pps(&mut words(), &[1, 2, 3, 4], 2)?)),
    ("merges", || {
        let one = |seen| Sample::new(vec![seen, seen + 1, seen + 2], seen, 3);
        let merged = sample::merge(&mut words(), one(50)?, one(70)?)?;
        let (first, second) = (vec![1_u64, 2, 3], vec![4, 5, 6]);
        let replaced = sample::merge_with_replacement(&mut words(), (first, 9), (second, 11))?;
        rows(merged.into_rows().into_iter().chain(replaced))
    }),
    ("BottomK merged and saved", || {
        let tickets = Tickets::new(&Key::derive(b"0877", b"", &OPEN_FRAME));
        let of = |from: u32| {
            let mut kept = BottomK::new(5);
            let ids: Vec<[u8; 4]> = (from..from + 40).map(u32::to_be_bytes).collect();
            tickets.each(&ids, |i, ticket| {
                kept.offer_with(ticket, &ids[i], || ids[i].to_vec());
            })?;
            Ok::<_, Error>(kept)
        };
        let merged = of(0)?.merge(of(40)?);
        let saved = merged.to_bytes();
        Ok(number(saved.clone()) ^ number(BottomK::<Vec<u8>>::from_bytes(&saved)?.to_bytes()))
    }),
    ("four", || {
        let first = sample::four::sample(&mut words(), 5, 0..100_u64)?;
        let second = sample::four::resample(&mut words(), 5, 0..100_u64)?;
        let weights = || (1..100_u64).map(|row| (row as f64, row));
        let third = weighted::four::psample(words(), 5, weights())?;
        let fourth = weighted::four::presample(words(), 5, weights())?;
        rows([first, second, third, fourth].into_iter().flatten().flatten())
    }),
    ("Slots", || {
        let mut slots = Slots::new(words(), 4)?;
        let mut sum = 0;
        for row in 1..50_u32 {
            sum = number_of(slots.offer(row.into())?.iter().map(|slot| *slot as u64).chain([sum]));
        }
        Ok(sum ^ number(slots.to_bytes()))
    }),
    ("WeightedTickets", || {
        let of = |from: u64| {
            let (mut words, mut tickets) = (words(), WeightedTickets::new(5));
            for row in from..from + 30 {
                tickets.offer(WeightedTicket::draw(&mut words, row.into())?, row.to_be_bytes().to_vec())?;
            }
            Ok::<_, Error>(tickets)
        };
        let mut tickets = of(1)?;
        tickets.merge(of(31)?)?;
        let saved = tickets.clone().to_bytes();
        let read = WeightedTickets::<Vec<u8>>::from_bytes(&saved)?;
        Ok(number(saved) ^ number(read.into_sorted().into_iter().flat_map(|(_, row)| row)))
    }),
    ("Race", || {
        let (mut race, mut other) = (Race::new(5), Race::new(5));
        for row in 0..50_u64 {
            let key = weighted::race_key(row.wrapping_mul(0x9e37_79b9_7f4a_7c15), 1.0 + row as f64);
            if row % 2 == 0 { &mut race } else { &mut other }.offer(key, row)?;
        }
        race.merge(other)?;
        rows(race.into_sorted().into_iter().map(|(_, row)| row))
    }),
    ("designs", || {
        let mut strata = Strata::new(|_: &[u8]| Gap::new(words(), 2));
        let mut sum = 0;
        for row in 0..40_u64 {
            let label = [b'a' + (row % 3) as u8];
            sum = number_of([sum, strata.offer(&label)?.map_or(99, |slot| slot as u64)]);
        }
        let shares = design::allocate(7, &[("a", 10), ("b", 20), ("c", 3)])?;
        let mut skips = BernoulliSkips::new(words(), &Ratio::new(1, 7)?)?;
        let skipped = [skips.skip()?, skips.skip()?];
        let systematic = Systematic::of(&mut words(), 100, 7)?;
        let decay = Decay::half_life(5.0)?.key(7, 1.0, 2.0)?.map_or(0, f64::to_bits);
        Ok(number_of([sum, decay].into_iter().chain(shares).chain(skipped).chain(systematic)))
    }),
    ("Clusters", || {
        let key = Key::derive(b"0877", b"", &OPEN_FRAME);
        let of = |from: u64| {
            let mut clusters = Clusters::new(3);
            for row in from..from + 40 {
                let label = (row % 9).to_be_bytes();
                clusters.offer(key.ticket(&label), &label, row)?;
            }
            Ok::<_, Error>(clusters)
        };
        let mut clusters = of(0)?;
        clusters.merge(of(100)?)?;
        rows(clusters.into_sorted().into_iter().flat_map(|(_, rows)| rows))
    }),
    ("a frame of strata and weights", || {
        let frame = framed(Columns { stratum: true, weight: true })?;
        let strata = frame.strata();
        let shares = allocate(Allocation::Proportional, 2, &frame)?;
        let text = format!("{strata:?} {shares:?} {} {} {}", frame.id(1), frame.stratum(2), frame.weight(3));
        Ok(number(text.bytes()) ^ number(*frame.digest()))
    }),
    ("a draw of strata", || {
        let wishes = Wishes { k: Some(1), allocation: Some(Allocation::Each), ..Wishes::default() };
        drawn(&framed(STRATA)?, Method::Ticket, wishes)
    }),
    ("a draw by weights", || {
        drawn(&framed(WEIGHTS)?, Method::WeightedTicket, Wishes { k: Some(2), ..Wishes::default() })
    }),
    ("a draw in proportion to size", || {
        drawn(&framed(WEIGHTS)?, Method::PpsSystematic, Wishes { k: Some(2), ..Wishes::default() })
    }),
    ("a draw by chance", || {
        drawn(
            &Frame::numbers(20),
            Method::Bernoulli,
            Wishes { p: Some("0.25".to_owned()), ..Wishes::default() },
        )
    }),
    ("digits", || Ok(number(hex::encode(b"abc").bytes()) ^ number(hex::decode("00ff").expect("two bytes")))),
    ("a transcript", || {
        let (transcript, frame) = ceremony()?;
        let json = transcript.to_json();
        let read = Transcript::from_json(json.as_bytes())?;
        let verdict = verify(&read, Some(&frame));
        // What cannot be computed again does not agree, and it says why.
        match &verdict.wrong[..] {
            [] => Ok(number(json.bytes())),
            [reason] if reason.contains("memory") => Err(Wrong::Memory),
            _ => Err(Wrong::Other),
        }
    }),
];

/// Samplers that are kept over a step for which there was no memory: the step made again, and all after it, give what they
/// give in a process that has memory. [`Slots`] says that it is of no more use then.
const KEPT: &[(&str, Call)] = &[
    ("kept FisherYates", || {
        let mut shuffle = FisherYates::new(words(), 1000)?;
        let mut sum = 0;
        for _ in 0..30 {
            sum = number_of([sum, again(|| shuffle.next_pick())?.unwrap_or(0)]);
        }
        Ok(sum)
    }),
    ("kept WithReplacement", || {
        let (mut sampler, mut slots) = (again(|| WithReplacement::new(words(), 20))?, Vec::new());
        let mut sum = 0;
        for _ in 0..100 {
            if sampler.skip() == 0 {
                again(|| sampler.enter(&mut slots))?;
                sum = number_of(slots.iter().map(|slot| *slot as u64).chain([sum]));
            } else {
                sampler.passed(1);
            }
        }
        Ok(sum)
    }),
    ("kept Chao", || {
        let mut sampler = Chao::new(words(), 20)?;
        offered(|weight| sampler.offer(weight.into()))
    }),
    ("kept Res", || {
        let mut sampler = Res::new(words(), 20)?;
        offered(|weight| sampler.offer(weight.into()))
    }),
    ("kept Jumps", || {
        let mut sampler = Jumps::new(words(), 20)?;
        offered(|weight| sampler.offer(weight.into()))
    }),
    ("kept WeightedTickets", || {
        let (mut words, mut tickets) = (words(), WeightedTickets::new(5));
        for row in 1..50_u64 {
            let ticket = again(|| WeightedTicket::draw(&mut words, row.into()))?;
            again(|| tickets.offer(ticket, row))?;
        }
        let seen = tickets.rows();
        rows(tickets.into_sorted().into_iter().map(|(_, row)| row).chain([seen]))
    }),
    ("kept Race", || {
        let mut race = Race::new(20);
        for row in 0..100_u64 {
            let key = weighted::race_key(row.wrapping_mul(0x9e37_79b9_7f4a_7c15), 1.0 + row as f64);
            again(|| race.offer(key, row))?;
        }
        let seen = race.rows();
        rows(race.into_sorted().into_iter().map(|(_, row)| row).chain([seen]))
    }),
    ("kept Clusters", || {
        let key = Key::derive(b"0877", b"", &OPEN_FRAME);
        let mut clusters = Clusters::new(5);
        for row in 0..60_u64 {
            let label = (row % 13).to_be_bytes();
            again(|| clusters.offer(key.ticket(&label), &label, row))?;
        }
        let bound = clusters.bound().map_or(0, |bound| bound as u64);
        Ok(number_of([clusters.seen(), clusters.len() as u64, bound]))
    }),
    ("kept tables", || {
        let exact = again(|| AliasTable::new(&[1, 2, 3]))?;
        let floats = again(|| FloatAliasTable::new(&[1.0, 2.0]))?;
        let mut words = words();
        let drawn = [exact.draw(&mut words)?, floats.draw(&mut words)?];
        Ok(number_of(drawn.map(|place| place.map_or(9, |place| place as u64))))
    }),
];

/// Calls that no refusal ends.
const NEVER_ENDS: &[&str] = &[
    "permutation",
    "floyd",
    "choose",
    "Gap",
    "AlgorithmL",
    "FisherYates",
    "WithReplacement",
    "alias tables",
    "Res",
    "systematic_pps",
];

#[test]
fn child() {
    refusing::child(&[QUIET, ASKING, KEPT]);
}

#[test]
fn samplers_are_kept_over_a_refusal() {
    for (name, outcomes) in refusing::refuse_each(KEPT) {
        // Names of clusters are Rust's own collections'.
        let ends = if name == "kept Clusters" { outcomes.ends } else { 0 };
        assert_eq!((outcomes.ends, outcomes.errors), (ends, 0), "{name}: {outcomes:?}");
        assert!(outcomes.again > 0, "{name}: no step was refused: {outcomes:?}");
    }
}

#[test]
fn numbers_ask_for_no_memory() {
    refusing::ask_for_none(QUIET);
}

#[test]
fn each_allocation_is_refused_once() {
    for (name, outcomes) in refusing::refuse_each(ASKING) {
        assert!(outcomes.ends + outcomes.errors > 0, "{name} asks for no memory any more");
        assert!(outcomes.ends == 0 || !NEVER_ENDS.contains(&name), "{name}: {outcomes:?}");
    }
}
