//! A draw from any list with any options either succeeds or is refused with a one-line error. A transcript of
//! a draw is read back unchanged, and it verifies. Numbers, beacons, old ceremonies and parameters of
//! processes are read or refused.
#![no_main]

use arbitrary::Arbitrary;
use hashwell_draw::hwdraw::beacon::{drand, nist};
use hashwell_draw::hwdraw::replay::{consistent, rfc3797, rivest};
use hashwell_draw::hwdraw::{
    Allocation, Columns, DrawOptions, EntryList, Method, Outcome, Plan, Planned, Seed, SeedSource,
    Transcript, verify,
};
use hashwell_draw::number::{Decimal, Ratio};
use hashwell_draw::process::registry::{Given, PROCESSES};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Case {
    list: Vec<u8>,
    stratum: bool,
    weight: bool,
    zero: bool,
    open: bool,
    method: u8,
    k: Option<u16>,
    p: Option<String>,
    scale: Option<u8>,
    allocation: u8,
    random_source: Option<String>,
    context: String,
    seed: String,
    others: Vec<String>,
}

fn one_line(error: &hashwell_draw::Error) {
    assert!(!error.to_string().contains(['\n', '\r']), "{error}");
}

fn drawn(case: &Case) -> Result<(), hashwell_draw::Error> {
    let columns = Columns { stratum: case.stratum, weight: case.weight };
    let entries = EntryList::read(&case.list, columns, case.zero, case.open)?;
    let in_strata = entries.strata().values().map(Vec::len).sum::<usize>();
    assert_eq!(in_strata as u64, if case.stratum { entries.len() } else { 0 });
    let wishes = DrawOptions {
        context: case.context.clone(),
        k: case.k.map(u64::from),
        p: case.p.clone(),
        scale: case.scale.map(u32::from),
        allocation: [None, Some(Allocation::Each), Some(Allocation::Proportional)]
            [usize::from(case.allocation % 3)],
        seed_source: SeedSource { planned: Planned::Text, description: "a fuzzer".to_owned() },
        random_source: case.random_source.clone(),
    };
    let plan = Plan::new(&entries, Method::ALL[usize::from(case.method) % 7], wishes)?;
    let transcript = Transcript::draw(plan, Seed::text(&case.seed), &entries, "a fuzzer")?;
    let read = Transcript::from_json(transcript.to_json().as_bytes())?;
    assert_eq!(read, transcript);
    for entries in [None, Some(&entries)] {
        assert_eq!(verify(&read, &entries.into())?.mismatches(), []);
    }
    // With a different seed, verification must report a mismatch, unless that seed gives the same picks.
    let other = Transcript { seed: Seed::text(&format!("{}.", case.seed)), ..transcript.clone() };
    let picks = Transcript::draw(transcript.plan.clone(), other.seed.clone(), &entries, "a fuzzer")?.picks;
    let outcome = verify(&other, &Some(&entries).into())?.outcome();
    assert_eq!(outcome != Outcome::Mismatch, picks == transcript.picks);
    Ok(())
}

fn numbers(text: &str, scale: Option<u8>) {
    match text.parse::<Ratio>() {
        Ok(ratio) => {
            assert!(ratio.numerator() <= ratio.denominator());
            assert_eq!(ratio.to_string().parse(), Ok(ratio));
            assert_eq!(ratio.complement().complement(), ratio);
            assert!((0.0..=1.0).contains(&ratio.to_f64()));
        }
        Err(error) => one_line(&error),
    }
    match Decimal::new(scale.unwrap_or_default().into()) {
        Ok(decimal) => {
            let whole = decimal.integer(text);
            whole.as_ref().map_err(one_line).ok();
            // A zero at the end does not change the number.
            if let Ok(whole) = whole
                && text.contains('.')
                && !text.contains(['e', 'E'])
            {
                assert_eq!(decimal.integer(&format!("{text}0")), Ok(whole));
            }
        }
        Err(error) => one_line(&error),
    }
}

fuzz_target!(|case: Case| {
    if let Err(error) = drawn(&case) {
        one_line(&error);
    }
    let k = u64::from(case.k.unwrap_or_default()) % 300;
    for text in &case.others {
        numbers(text, case.scale);
        if let Ok(key) = rfc3797::key(text) {
            let picks = rfc3797::picks(key.as_bytes(), 300, k).map(|picks| picks.len() as u64);
            assert_eq!(picks.ok(), (k > 0).then_some(k));
        }
        let picks = rivest::picks(text, 300, k, false).map(|picks| picks.len() as u64);
        assert_eq!(picks.ok(), (k > 0).then_some(k));
        if let Err(error) = drand::Round::read(text.as_bytes(), None) {
            one_line(&error);
        }
        if let Err(error) = nist::Pulse::read(text.as_bytes(), None) {
            one_line(&error);
        }
    }
    let ids = case.others.iter().map(String::as_str);
    if let Ok(picks) = consistent::picks(ids, &case.seed, k, true) {
        assert!(picks.is_sorted_by_key(|pick| pick.ticket.clone()));
        assert_eq!(picks.len() as u64, k);
    }
    let row = PROCESSES[usize::from(case.method) % PROCESSES.len()];
    let parameters = row.parameters.iter().zip(&case.others);
    let given =
        parameters.fold(Given::new(), |given, (parameter, text)| given.with(parameter.name, text.clone()));
    for encoding in row.encodings {
        if let Err(error) = row.build(&given, Some(encoding)) {
            one_line(&error);
        }
    }
});
