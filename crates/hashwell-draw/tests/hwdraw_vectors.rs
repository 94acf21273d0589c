//! `vectors/draw.json`: every transcript is drawn again, byte for byte, and is verified with and without its list.

use hashwell_draw::draw::below_u128;
use hashwell_draw::hwdraw::{
    Columns, DrawOptions, EntryList, EntryListBuilder, Evidence, Kind, Method, Outcome, Plan, Planned,
    SeedSource, Step, Transcript, steps, verify,
};
use hashwell_draw::number::Ratio;
use hashwell_draw::{Error, Key, RandomSource};
use serde_json::Value;

fn cases() -> Vec<Value> {
    let text = include_str!("vectors/draw.json");
    let mut file: Value = serde_json::from_str(text).unwrap();
    serde_json::from_value(file["cases"].take()).unwrap()
}

fn entries(rows: &Value, columns: Columns, open: bool) -> Result<EntryList, Error> {
    let rows: Vec<Vec<String>> = serde_json::from_value(rows.clone()).unwrap();
    let mut builder = EntryListBuilder::new(columns);
    for row in rows {
        builder.push(&row.iter().map(String::as_str).collect::<Vec<_>>())?;
    }
    builder.finish(open)
}

/// The transcripts with their lists.
fn transcripts() -> impl Iterator<Item = (String, Transcript, EntryList, bool)> {
    cases().into_iter().filter(|case| case.get("transcript").is_some()).map(|case| {
        let transcript = Transcript::from_json(case["transcript"].to_string().as_bytes()).unwrap();
        let note = &transcript.plan.list;
        let listed = note.kind != Kind::Numbers;
        let entries = if listed {
            entries(&case["rows"], Columns::of_names(&note.columns).unwrap(), note.kind == Kind::Open)
                .unwrap()
        } else {
            EntryList::numbers(transcript.plan.n)
        };
        (case["name"].as_str().unwrap().to_owned(), transcript, entries, listed)
    })
}

#[test]
fn transcripts_are_drawn_again() {
    // Other tests call `verify_signatures`, which applies to a whole process. nextest has a separate process for each
    // test; `cargo test` does not.
    if ["NEXTEST", "HASHWELL_ALONE"].iter().all(|name| std::env::var_os(name).is_none()) {
        let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
        alone.args(["--exact", "hwdraw_vectors::transcripts_are_drawn_again"]).env("HASHWELL_ALONE", "1");
        let output = alone.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
        return;
    }
    let mut methods = Vec::new();
    for (name, transcript, entries, listed) in transcripts() {
        let plan = transcript.plan.clone();
        let wishes = DrawOptions {
            context: plan.context.clone(),
            k: plan.k,
            p: plan.p.clone(),
            scale: plan.scale,
            allocation: plan.allocation,
            seed_source: plan.seed_source.clone(),
            random_source: Some(plan.random_source.clone()),
        };
        assert_eq!(Plan::new(&entries, plan.method, wishes).unwrap(), plan, "{name}");
        let drawn = Transcript::draw(plan, transcript.seed.clone(), &entries, &transcript.program).unwrap();
        assert_eq!(drawn, transcript, "{name}");
        // `verify_signatures` was not called here, and features have no effect by themselves.
        let unchecked = |evidence: &Evidence<'_>| {
            let found = verify(&transcript, evidence).unwrap();
            assert_eq!(found.mismatches(), [], "{name}");
            let codes: Vec<&str> = found.unchecked().iter().map(|item| item.code()).collect();
            (found.outcome(), codes.join(" "))
        };
        let all = Evidence {
            list: listed.then_some(&entries),
            commitment: Some(&transcript.commitment),
            seed_attested: true,
            ..Evidence::default()
        };
        let is_beacon = transcript.seed.drand.is_some() || transcript.seed.nist.is_some();
        let (outcome, signature, origin) = if is_beacon {
            (Outcome::Partial, "beacon-signature", "beacon-signature")
        } else {
            (Outcome::Verified, "", "seed-origin")
        };
        assert_eq!(unchecked(&all), (outcome, signature.to_owned()), "{name}");
        let list = if listed { " list" } else { "" };
        let few = format!("commitment {origin}{list}");
        assert_eq!(unchecked(&Evidence::default()), (Outcome::Partial, few), "{name}");
        methods.push(transcript.plan.method);
        let json = transcript.to_json();
        assert_eq!(Transcript::from_json(json.as_bytes()).unwrap(), transcript);
    }
    assert!(Method::ALL.iter().all(|method| methods.contains(method)));
}

#[test]
fn steps_lead_to_the_picks() {
    for (name, transcript, entries, listed) in transcripts() {
        let alone = steps(&transcript, None).unwrap();
        let steps = steps(&transcript, listed.then_some(&entries)).unwrap();
        assert_eq!(steps.key, alone.key, "{name}");
        let all = |steps: hashwell_draw::hwdraw::Steps| steps.parts.into_iter().flat_map(|part| part.picks);
        let (found, alone): (Vec<Step>, Vec<Step>) = (all(steps).collect(), all(alone).collect());
        assert_eq!((found.len(), alone.len()), (transcript.picks.len(), transcript.picks.len()), "{name}");
        let plan = &transcript.plan;
        let (mut eaten, mut slots, mut label) = (0, 0, None);
        for ((pick, step), alone) in transcript.picks.iter().zip(&found).zip(alone) {
            assert!(*step == alone || alone == Step::List, "{name}");
            if label != pick.stratum {
                (eaten, slots, label) = (0, 0, pick.stratum.clone());
            }
            let stratum = plan.strata.iter().flatten().find(|stratum| Some(&stratum.label) == label.as_ref());
            let n = stratum.map_or(plan.n, |stratum| stratum.n);
            let k = transcript.picks.iter().filter(|other| other.stratum == pick.stratum).count() as u64;
            match step {
                Step::Number { words, first, choices, rest, position } => {
                    assert_eq!(*first, eaten.to_string(), "{name}: words follow one another");
                    eaten += words.len();
                    let left = if plan.method == Method::Index { n - slots } else { n };
                    assert_eq!(*choices, left.to_string(), "{name}");
                    slots += 1;
                    let word = u64::from_str_radix(words.last().unwrap(), 16).unwrap();
                    assert_eq!((word % choices.parse::<u64>().unwrap()).to_string(), *rest, "{name}");
                    assert_eq!(pick.index.unwrap().to_string(), *position, "{name}");
                }
                Step::Point { point, from, to, position, .. } => {
                    let number = |text: &str| text.parse::<u128>().unwrap();
                    assert!((number(from)..number(to)).contains(&number(point)), "{name}");
                    assert_eq!(pick.index.unwrap().to_string(), *position, "{name}");
                }
                Step::Slot { passed, position } => {
                    assert_eq!(pick.index.unwrap().to_string(), *position, "{name}");
                    // The first k rows fill the slots.
                    assert_eq!(passed.is_none(), pick.index < Some(k), "{name}");
                }
                Step::Ticket { ticket, below } => {
                    assert_eq!(pick.ticket.as_ref(), Some(ticket), "{name}");
                    let all = plan.p.as_ref().is_none_or(|p| p.parse() == Ok(Ratio::ONE));
                    assert_eq!(below.is_none(), all, "{name}");
                    assert!(below.as_ref().is_none_or(|below| ticket < below), "{name}");
                }
                Step::Time { time, units, quotient } => {
                    assert_eq!(pick.ticket.as_ref(), Some(time), "{name}");
                    let (whole, fraction) = time.split_at(time.len() - 32);
                    let number = |digits: &str| u128::from_str_radix(digits, 16).unwrap() as f64;
                    let time = number(whole) + number(fraction) / 2_f64.powi(128);
                    let ratio = quotient * units.parse::<f64>().unwrap() / time;
                    assert!((ratio - 1.0).abs() < 1e-12, "{name}: {ratio}");
                }
                Step::List => panic!("{name}: the list is there"),
            }
        }
    }
}

/// A point at the end of a row belongs to the next row.
#[test]
fn points_between_rows() {
    let columns = Columns { stratum: false, weight: true };
    let entries = EntryList::read(b"a\t1\nb\t1\nc\t1\nd\t1\n", columns, false, false).unwrap();
    let plan =
        Plan::new(&entries, Method::PpsSystematic, DrawOptions { k: Some(2), ..DrawOptions::default() })
            .unwrap();
    let mut ends = 0;
    for seed in 0..20 {
        let seed = hashwell_draw::hwdraw::Seed::text(&seed.to_string());
        let transcript = Transcript::draw(plan.clone(), seed, &entries, "a test").unwrap();
        let steps = steps(&transcript, Some(&entries)).unwrap().parts.remove(0).picks;
        for (pick, step) in transcript.picks.iter().zip(&steps) {
            let Step::Point { point, from, position, .. } = step else { panic!("a point") };
            assert_eq!(pick.index.unwrap().to_string(), *position);
            ends += u32::from(point == from);
        }
        assert_eq!(steps.len(), 2);
    }
    assert!(ends > 0);
}

/// If a transcript lists fewer rows than slots, no slot is shown.
#[test]
fn slots_that_are_not_listed_are_not_shown() {
    let (_, mut transcript, entries, _) =
        transcripts().find(|(_, transcript, ..)| transcript.plan.method == Method::Gap).unwrap();
    assert_eq!(steps(&transcript, Some(&entries)).unwrap().parts[0].picks.len(), transcript.picks.len());
    transcript.picks.pop();
    assert!(steps(&transcript, Some(&entries)).unwrap().parts[0].picks.is_empty());
}

#[test]
fn numbers_below() {
    for case in cases().iter().filter(|case| case.get("below").is_some()) {
        let tape: Vec<String> = serde_json::from_value(case["tape"].clone()).unwrap();
        let tape: Vec<u64> = tape.iter().map(|word| u64::from_str_radix(word, 16).unwrap()).collect();
        let mut words = hashwell::random::Tape::new(&tape);
        let n = case["below"].as_str().unwrap().parse().unwrap();
        assert_eq!(
            below_u128(&mut words, n).unwrap().to_string(),
            case["expected"].as_str().unwrap(),
            "{case}"
        );
        assert!(words.next_u64().is_err(), "every word is eaten: {case}");
    }
}

#[test]
fn sources_of_words() {
    for case in cases().iter().filter(|case| case.get("key").is_some()) {
        let mut key = [0; 32];
        for (i, byte) in key.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&case["key"].as_str().unwrap()[2 * i..2 * i + 2], 16).unwrap();
        }
        let source = hashwell::Source::find(case["random_source"].as_str().unwrap()).unwrap();
        let mut words = Key(key).words_of(source).unwrap();
        for expected in case["expected"].as_array().unwrap() {
            assert_eq!(format!("{:016x}", words.next_u64().unwrap()), expected.as_str().unwrap(), "{case}");
        }
    }
}

#[test]
fn what_is_no_frame_is_refused() {
    let refused: Vec<Value> = cases().into_iter().filter(|case| case.get("refused").is_some()).collect();
    assert!(refused.iter().any(|case| case["refused"] == "duplicate"));
    for case in refused {
        assert!(entries(&case["rows"], Columns::default(), false).is_err(), "{case}");
    }
}

#[test]
fn descriptions_that_name_a_beacon_are_refused() {
    let cases: Vec<Value> = cases().into_iter().filter(|case| case.get("folded").is_some()).collect();
    assert!(cases.len() > 60);
    for case in cases {
        let description = case["description"].as_str().unwrap().to_owned();
        for planned in [Planned::Dice, Planned::Text, Planned::Hex, Planned::Os] {
            let source = SeedSource { planned, description: description.clone() };
            assert_eq!(source.check().is_err(), case["beacon"] == true, "{case}");
        }
        // The description of a beacon may be any text.
        let drand = Planned::Drand { chain: "0f".repeat(32), round: 1 };
        assert_eq!(SeedSource { planned: drand, description }.check(), Ok(()), "{case}");
    }
}

/// Any change in a transcript causes a mismatch, at least with the list.
#[test]
fn changes_are_found() {
    for (name, transcript, entries, listed) in transcripts() {
        let entries = listed.then_some(&entries);
        let changed = |what: &str, change: &dyn Fn(&mut Transcript)| {
            let mut other = transcript.clone();
            change(&mut other);
            if other != transcript {
                let outcome = verify(&other, &entries.into()).unwrap().outcome();
                assert_eq!(outcome, Outcome::Mismatch, "{name}: {what}");
            }
        };
        let digit = |text: &mut String| {
            *text = format!("{}{}", if text.starts_with('0') { '1' } else { '0' }, &text[1..]);
        };
        changed("the commitment", &|t| digit(&mut t.commitment));
        changed("the output", &|t| digit(&mut t.output));
        changed("the list", &|t| digit(&mut t.plan.list.digest));
        changed("n", &|t| t.plan.n ^= 1);
        changed("k", &|t| t.plan.k = t.plan.k.map(|k| k + 1));
        changed("the context", &|t| t.plan.context.push('x'));
        changed("the description", &|t| t.plan.seed_source.description.push('x'));
        // A different seed may draw the same rows, but never the same tickets.
        if transcript.picks.iter().any(|pick| pick.ticket.is_some()) {
            changed("a text as seed", &|t| t.seed.text.iter_mut().for_each(|text| text.push('0')));
        }
        changed("the picks' order", &|t| t.picks.reverse());
        changed("a pick less", &|t| drop(t.picks.pop()));
        changed("another id", &|t| t.picks.iter_mut().take(1).for_each(|pick| pick.id.push('x')));
        let first = |t: &mut Transcript, change: &dyn Fn(&mut hashwell_draw::hwdraw::Pick)| {
            t.picks.iter_mut().take(1).for_each(change);
        };
        changed("an index", &|t| first(t, &|pick| pick.index = pick.index.map(|index| index + 1)));
        changed("a ticket", &|t| first(t, &|pick| pick.ticket.iter_mut().for_each(digit)));
        changed("a weight", &|t| {
            first(t, &|pick| pick.weight.iter_mut().for_each(|weight| weight.push('0')));
        });
    }
}

#[test]
fn more_picks_extend_a_sample() {
    let content: String = (0..40).map(|i| format!("row {i}\n")).collect();
    let entries = EntryList::read(content.as_bytes(), Columns::default(), false, false).unwrap();
    for method in [Method::Index, Method::Ticket, Method::Replace] {
        let picks = |k| {
            let plan =
                Plan::new(&entries, method, DrawOptions { k: Some(k), ..DrawOptions::default() }).unwrap();
            hashwell_draw::hwdraw::draw(&plan, b"0877", &entries).unwrap()
        };
        let all = picks(40);
        for k in [1, 2, 7, 39] {
            assert_eq!(picks(k), all[..k as usize], "{}", method.name());
        }
    }
}
