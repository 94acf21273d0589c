//! Each allocation of draws, samplers, weighted samplers, transcripts and processes is refused once: an error that says so, or
//! the process ends as Rust's own collections end it, or the answer is right. None gives another answer.
#![cfg(all(target_os = "linux", not(miri)))] // Miri starts no processes

#[path = "../../hashwell/tests/common/refusing.rs"]
mod refusing;

use hashwell_draw::hwdraw::{Columns, Frame, Method, Plan, Seed, Transcript, Wishes, verify};
use hashwell_draw::key::OPEN_FRAME;
use hashwell_draw::number::Ratio;
use hashwell_draw::sample::{
    self, AlgorithmL, AlgorithmR, BottomK, FisherYates, Gap, InOrder, Tickets, WithReplacement,
};
use hashwell_draw::weighted::{AliasTable, Chao, FloatAliasTable, Jumps, Res, systematic_pps};
use hashwell_draw::{Error, Key, Words, draw};
use refusing::{Answer, Call, Wrong, number, number_of};

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
    refusing::child(&[QUIET, ASKING]);
}

#[test]
fn numbers_ask_for_no_memory() {
    for (name, _) in QUIET {
        let (asked, came) = refusing::outcome(name, "again", 0).expect("nothing is asked for");
        assert_eq!((asked, came.as_str()), (0, "the answer"), "{name}");
    }
}

#[test]
fn each_allocation_is_refused_once() {
    for (name, outcomes) in refusing::refuse_each(ASKING) {
        assert!(outcomes.ends + outcomes.errors > 0, "{name} asks for no memory any more");
        assert!(outcomes.ends == 0 || !NEVER_ENDS.contains(&name), "{name}: {outcomes:?}");
    }
}
