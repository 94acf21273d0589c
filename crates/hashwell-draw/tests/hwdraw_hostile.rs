//! Transcripts that lie: one clear line, soon, whatever they claim.

use hashwell_draw::hwdraw::{Columns, Frame, Method, Plan, Seed, Transcript, Wishes, verify};
use std::time::{Duration, Instant};

fn frame() -> Frame {
    Frame::read(b"a\nb\nc\nd\n", Columns::default(), false, false).unwrap()
}

fn transcript(method: Method, wishes: Wishes) -> Transcript {
    let frame = if method == Method::Replace { Frame::numbers(4) } else { frame() };
    let plan = Plan::new(&frame, method, wishes).unwrap();
    Transcript::draw(plan, Seed::text("seed"), &frame, "a test").unwrap()
}

fn index() -> Transcript {
    transcript(Method::Index, Wishes { k: Some(2), ..Wishes::default() })
}

#[test]
fn what_is_no_transcript_is_refused_in_one_line() {
    let good = index().to_json();
    assert!(Transcript::from_json(good.as_bytes()).is_ok());
    let changed = |from: &str, to: &str| {
        assert!(good.contains(from), "{from} in {good}");
        good.replacen(from, to, 1)
    };
    let deep = "[".repeat(1_000_000);
    let wrong = [
        String::new(),
        deep.clone(),
        changed("\"picks\": [", &format!("\"picks\": {deep}")),
        changed("\"k\":2", "\"k\":-2"),
        changed("\"k\":2", "\"k\":2.0"),
        changed("\"k\":2", "\"k\":NaN"),
        changed("\"k\":2", "\"k\":\"2\""),
        changed("\"k\":2", "\"k\":18446744073709551616"),
        changed("\"k\":2", "\"k\":2,\"k\":2"),
        changed("\"k\":2", "\"k\":2,\"else\":2"),
        changed("\"k\":2", &format!("\"k\":2,\"{}\":2", "x\\n".repeat(1000))),
        changed("\"method\":\"index\"", "\"method\":\"Index\""),
        changed("\"kind\":\"list\"", "\"kind\":\"LIST\""),
        changed("\"program\"", "\"commitment\""),
        changed("\"text\":\"seed\"", "\"text\":\"\\ud800\""),
        format!("{good} {{}}"),
        good[..good.len() - 3].to_owned(),
    ];
    for json in wrong {
        let error = Transcript::from_json(json.as_bytes()).unwrap_err().to_string();
        assert!(
            !error.contains('\n') && error.len() < 300 && error.starts_with("not a transcript"),
            "{error}"
        );
    }
    assert!(Transcript::from_json(b"\xff\xfe").is_err());
}

/// The transcript with a plan changed and committed to, as a liar would.
fn lying(mut transcript: Transcript, change: impl Fn(&mut Transcript)) -> Transcript {
    change(&mut transcript);
    transcript.commitment = transcript.plan.commitment().iter().map(|byte| format!("{byte:02x}")).collect();
    transcript
}

#[test]
fn claims_cost_nothing() {
    let huge = u64::MAX;
    let weighted =
        Frame::read(b"a\t1\nb\t2\n", Columns { weight: true, stratum: false }, false, false).unwrap();
    let plan =
        Plan::new(&weighted, Method::WeightedTicket, Wishes { k: Some(1), ..Wishes::default() }).unwrap();
    let weighted = Transcript::draw(plan, Seed::text("s"), &weighted, "a test").unwrap();
    let ticket = transcript(Method::Ticket, Wishes { k: Some(2), ..Wishes::default() });
    let gap = transcript(Method::Gap, Wishes { k: Some(2), ..Wishes::default() });
    let replace = transcript(Method::Replace, Wishes { k: Some(2), ..Wishes::default() });
    let chance = transcript(Method::Bernoulli, Wishes { p: Some("0.5".into()), ..Wishes::default() });
    let cases = [
        lying(index(), |t| t.plan.k = Some(huge)),
        lying(index(), |t| (t.plan.k, t.plan.n) = (Some(huge), huge)),
        lying(index(), |t| t.plan.n = huge),
        lying(index(), |t| t.plan.n = 0),
        lying(index(), |t| t.plan.method = Method::PpsSystematic),
        lying(index(), |t| t.plan.words = "counter2".into()),
        lying(index(), |t| t.plan.frame.digest = "00".into()),
        lying(index(), |t| t.plan.p = Some("0.5".into())),
        lying(index(), |t| t.plan.scale = Some(u32::MAX)),
        lying(index(), |t| t.seed.text = None),
        lying(replace.clone(), |t| t.plan.k = Some(huge)),
        lying(replace, |t| (t.plan.n, t.plan.method) = (huge, Method::Ticket)),
        lying(gap, |t| (t.plan.n, t.plan.k) = (huge, Some(huge))),
        lying(weighted.clone(), |t| t.plan.scale = Some(19)),
        lying(weighted.clone(), |t| t.picks[0].weight = Some("9".repeat(1_000_000))),
        lying(weighted, |t| t.picks[0].weight = Some("1e999999999".into())),
        lying(ticket, |t| t.picks[0].ticket = Some("0".repeat(1_000_000))),
        lying(chance.clone(), |t| t.plan.p = Some(format!("0.{}", "3".repeat(1_000_000)))),
        lying(chance, |t| t.plan.p = Some("1.5".into())),
    ];
    let begin = Instant::now();
    for (i, case) in cases.iter().enumerate() {
        let verdict = verify(case, None);
        assert!(!verdict.agrees() || i == 2, "case {i}: {:?}", case.plan);
        assert!(
            verdict.wrong.iter().all(|line| !line.contains('\n') && line.len() < 500),
            "{:?}",
            verdict.wrong
        );
        assert!(!verify(case, Some(&frame())).agrees(), "case {i} with a list");
    }
    // Not a measure of speed: had it looked at what is claimed, it would not end.
    assert!(begin.elapsed() < Duration::from_secs(60));
}

#[test]
fn plans_are_checked() {
    let frame = frame();
    let refused = |method, wishes: Wishes| Plan::new(&frame, method, wishes).unwrap_err().to_string();
    let k = |k| Wishes { k: Some(k), ..Wishes::default() };
    assert_eq!(refused(Method::Index, k(5)), "k must be 1 to 4, not 5");
    assert_eq!(refused(Method::Index, k(0)), "k must be 1 to 4, not 0");
    assert!(refused(Method::Index, Wishes::default()).contains("index needs k"));
    assert!(refused(Method::WeightedTicket, k(1)).contains("weighted-ticket needs weights"));
    for p in ["", "-0", "1.1", "1e-3", "NaN", ".5", "0.", "2", "1.0000000000000000000000000000000000000001"] {
        let message = refused(Method::Bernoulli, Wishes { p: Some(p.into()), ..Wishes::default() });
        assert!(message.starts_with("p must be a decimal number of 0 to 1"), "{message}");
    }
    assert!(Plan::new(&Frame::numbers(4), Method::Gap, k(1)).is_err());
    assert!(Plan::new(&Frame::numbers(0), Method::Index, k(1)).is_err());
    assert!(Plan::new(&frame, Method::Index, Wishes { words: Some("SHAKE256".into()), ..k(1) }).is_err());
    let plan = Plan::new(&Frame::numbers(u64::MAX), Method::Ticket, k(1)).unwrap();
    let message = hashwell_draw::hwdraw::draw(&plan, b"", &Frame::numbers(u64::MAX)).unwrap_err().to_string();
    assert_eq!(
        message,
        "n of this method must be at most 100000000, for each has a ticket, not 18446744073709551615"
    );
}

#[test]
fn weights_are_whole_numbers_of_their_scale() {
    let columns = Columns { weight: true, stratum: false };
    let with = |content: &str, method, k, scale| {
        let frame = Frame::read(content.as_bytes(), columns, false, false).unwrap();
        let plan = Plan::new(&frame, method, Wishes { k: Some(k), scale, ..Wishes::default() })?;
        hashwell_draw::hwdraw::draw(&plan, b"s", &frame)
    };
    let refused = |content: &str, method, k, scale| with(content, method, k, scale).unwrap_err().to_string();
    let race = Method::WeightedTicket;
    assert!(refused("a\t1.25\nb\t1\n", race, 1, Some(1)).contains("\"1.25\" (of \"a\")"));
    assert!(refused("a\t18446744073709551616\nb\t1\n", race, 1, None).contains("below 2^64"));
    assert!(
        refused("a\t1\nb\t0\nc\t0.0\n", race, 2, None)
            .contains("k must be at most 1, the rows with a weight above 0")
    );
    assert!(
        refused("a\t0\nb\t0\n", Method::PpsSystematic, 1, None)
            .contains("the sum of all weights must be more than 0")
    );
    let heavy = refused("a\t3\nb\t1\nc\t1\n", Method::PpsSystematic, 2, None);
    assert!(
        heavy.starts_with("k must be at most 1") && heavy.contains("or \"a\" would be more than certain"),
        "{heavy}"
    );
    assert_eq!(with("a\t18446744073709551615\nb\t0\n", race, 1, None).unwrap()[0].id, "a");
}

/// Each of these agreed once, without the list.
#[test]
fn lies_without_a_list_are_found() {
    let k = |k| Wishes { k: Some(k), ..Wishes::default() };
    let drawn = |frame: &Frame, method, wishes| {
        let plan = Plan::new(frame, method, wishes).unwrap();
        Transcript::draw(plan, Seed::text("seed"), frame, "a test").unwrap()
    };
    let columns = Columns { stratum: true, weight: false };
    let strata = Frame::read(b"a\tx\nb\tx\nc\ty\nd\ty\ne\ty\nf\tz\n", columns, false, false).unwrap();
    let strata = drawn(
        &strata,
        Method::Index,
        Wishes { allocation: Some(hashwell_draw::hwdraw::Allocation::Proportional), ..k(4) },
    );
    let columns = Columns { stratum: false, weight: true };
    let weighted = Frame::read(b"a\t1\nb\t1\nc\t1\nd\t1\n", columns, false, false).unwrap();
    let pps = drawn(&weighted, Method::PpsSystematic, k(2));
    let open = Frame::read(b"b\na\nc\n", Columns::default(), false, true).unwrap();
    let open = drawn(&open, Method::Index, k(2));
    let ticket = transcript(Method::Ticket, k(2));
    let same_output = |t: &mut Transcript| {
        let mut hash = hashwell::Sha256::new();
        for pick in &t.picks {
            hash.update(&(pick.id.len() as u64).to_be_bytes());
            hash.update(pick.id.as_bytes());
        }
        t.output = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    };
    let cases = [
        lying(index(), |t| t.plan.seed_source = "drand 52db 123".into()),
        lying(index(), |t| t.plan.seed_source = "nist 2 7".into()),
        lying(open.clone(), |t| t.plan.frame.digest = "ab".repeat(32)),
        lying(index(), |t| t.plan.frame.digest = "AB".repeat(32)),
        lying(strata.clone(), |t| t.plan.n = 7),
        lying(strata.clone(), |t| t.plan.strata.iter_mut().for_each(|strata| strata.reverse())),
        lying(strata, |t| t.plan.strata.iter_mut().for_each(|s| (s[0].n, s[1].n) = (3, 2))),
        lying(index(), |t| t.picks[0].ticket = Some("00".into())),
        lying(index(), |t| t.picks[0].weight = Some("1".into())),
        lying(ticket, |t| t.picks[0].index = Some(0)),
        lying(index(), |t| t.picks.iter_mut().for_each(|pick| pick.id = "a".into())),
        lying(index(), |t| {
            let [first, second] = &mut t.picks[..] else { panic!("two picks") };
            std::mem::swap(&mut first.id, &mut second.id);
        }),
        lying(pps.clone(), |t| t.picks.reverse()),
        lying(pps.clone(), |t| t.picks[1].index = Some(9)),
        lying(pps, |t| t.picks[0].weight = Some("0".into())),
    ];
    for (i, mut case) in cases.into_iter().enumerate() {
        same_output(&mut case);
        assert!(!verify(&case, None).agrees(), "case {i}: {case:?}");
    }
}

/// A transcript of less than 1 KB claims that each of many numbers was picked.
#[test]
fn picks_that_are_not_listed_take_no_memory() {
    let few = transcript(Method::Bernoulli, Wishes { p: Some("1".into()), ..Wishes::default() });
    let numbers = Frame::numbers(hashwell_draw::hwdraw::MOST_UNLISTED);
    let wishes = Wishes { p: Some("1".into()), ..Wishes::default() };
    let plan = Plan::new(&numbers, Method::Bernoulli, wishes).unwrap();
    let output = hashwell::Sha256::digest(b"").iter().map(|byte| format!("{byte:02x}")).collect();
    let case = lying(few, |t| (t.plan, t.picks) = (plan.clone(), Vec::new()));
    let verdict = verify(&Transcript { output, ..case }, None);
    assert_eq!(verdict.wrong, ["the picks: listed are 0, computed are more"]);
}

#[test]
fn what_is_written_in_another_way_is_refused() {
    let good = index().to_json();
    for (from, to) in [
        ("\"k\":2", "\"k\":2,\"p\":null"),
        ("\"text\":\"seed\"", "\"hex\":null,\"text\":\"seed\""),
        ("\"index\":", "\"ticket\":null,\"index\":"),
        ("\"method\":\"index\"", "\"method\":{\"index\":null}"),
        ("{\"from\":\"text\",\"text\":\"seed\"}", "[\"text\",\"seed\"]"),
    ] {
        assert!(good.contains(from), "{from} in {good}");
        assert!(Transcript::from_json(good.replacen(from, to, 1).as_bytes()).is_err(), "{to}");
    }
}

#[test]
fn a_pulse_has_64_bytes() {
    let json = format!(
        r#"{{"pulse":{{"uri":"u","chainIndex":2,"pulseIndex":7,"timeStamp":"t","outputValue":"{}","statusCode":0}}}}"#,
        "AB".repeat(64)
    );
    let (pulse, value) = hashwell_draw::hwdraw::beacon::nist::Pulse::read(json.as_bytes(), None).unwrap();
    assert_eq!(Seed::nist(pulse.clone(), &value).bytes(), Ok(value.clone()));
    assert!(Seed::nist(pulse, &value[1..]).bytes().is_err());
}
