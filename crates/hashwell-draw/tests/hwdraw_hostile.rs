//! Malicious transcripts: each is rejected quickly with one clear line.

use hashwell_draw::hwdraw::{
    Allocation, Columns, DrawOptions, EntryList, Evidence, Method, Mismatch, Origin, Outcome, PicksMismatch,
    Plan, Planned, Seed, SeedSource, Step, Transcript, Unchecked, Verification, steps, verify,
};
use std::time::{Duration, Instant};

/// The texts of the mismatches.
fn wrong(transcript: &Transcript, entries: Option<&EntryList>) -> Vec<String> {
    verify(transcript, &entries.into()).unwrap().mismatches().iter().map(ToString::to_string).collect()
}

fn entries() -> EntryList {
    EntryList::read(b"a\nb\nc\nd\n", Columns::default(), false, false).unwrap()
}

fn transcript(method: Method, wishes: DrawOptions) -> Transcript {
    let entries = if method == Method::Replace { EntryList::numbers(4) } else { entries() };
    let plan = Plan::new(&entries, method, wishes).unwrap();
    Transcript::draw(plan, Seed::text("seed"), &entries, "a test").unwrap()
}

fn index() -> Transcript {
    transcript(Method::Index, DrawOptions { k: Some(2), ..DrawOptions::default() })
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
            !error.contains('\n') && error.len() < 300 && error.starts_with("not a hwdraw/1 transcript: "),
            "{error}"
        );
    }
    assert!(Transcript::from_json(b"\xff\xfe").is_err());
    let said = |json: &str| Transcript::from_json(json.as_bytes()).unwrap_err().to_string();
    let unknown = "not a hwdraw/1 transcript: unknown field";
    let line = said(&changed("\"k\":2", "\"k\":2,\"a\\nb\":2"));
    assert!(
        line.starts_with(&format!("{unknown} `a\\nb`, expected one of `allocation`, `context`")),
        "{line}"
    );
    let long = said(&changed("\"k\":2", &format!("\"k\":2,\"{}\":2", "x".repeat(1000))));
    assert_eq!(long, format!("{unknown} `{}…", "x".repeat(200 - "unknown field `".len())));
}

/// The transcript with a changed plan and a matching commitment, as an attacker would make it.
fn lying(mut transcript: Transcript, change: impl Fn(&mut Transcript)) -> Transcript {
    change(&mut transcript);
    transcript.commitment = transcript.plan.commitment().iter().map(|byte| format!("{byte:02x}")).collect();
    transcript
}

fn drand(chain: &str, round: u64) -> SeedSource {
    Planned::Drand { chain: chain.to_owned(), round }.into()
}

/// Sets the digest of the output as an attacker would.
fn same_output(t: &mut Transcript) {
    let mut hash = hashwell::Sha256::new();
    for pick in &t.picks {
        hash.update(&(pick.id.len() as u64).to_be_bytes());
        hash.update(pick.id.as_bytes());
    }
    t.output = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
}

#[test]
fn claims_cost_nothing() {
    let huge = u64::MAX;
    let weighted =
        EntryList::read(b"a\t1\nb\t2\n", Columns { weight: true, stratum: false }, false, false).unwrap();
    let plan =
        Plan::new(&weighted, Method::WeightedTicket, DrawOptions { k: Some(1), ..DrawOptions::default() })
            .unwrap();
    let weighted = Transcript::draw(plan, Seed::text("s"), &weighted, "a test").unwrap();
    let ticket = transcript(Method::Ticket, DrawOptions { k: Some(2), ..DrawOptions::default() });
    let gap = transcript(Method::Gap, DrawOptions { k: Some(2), ..DrawOptions::default() });
    let replace = transcript(Method::Replace, DrawOptions { k: Some(2), ..DrawOptions::default() });
    let fifty =
        transcript(Method::Bernoulli, DrawOptions { p: Some("0.5".into()), ..DrawOptions::default() });
    let other = "not a hwdraw/1 plan: its parameters do not fit the method index";
    let scale = "a number in plain digits with at most 0 decimals, and less than 2^64 / 10^0";
    let chance = "p must be a decimal number from 0 to 1 with at most 38 decimals, such as 0.05, not";
    let cases = [
        (lying(index(), |t| t.plan.k = Some(huge)), "k must be 1 to 4, not 18446744073709551615".to_owned()),
        (
            lying(index(), |t| (t.plan.k, t.plan.n) = (Some(huge), huge)),
            format!("the picks: the plan has {huge}, but the transcript lists 2"),
        ),
        (
            lying(index(), |t| t.plan.n = huge),
            "the picks: \"d\" at position 3 should be the row at position 4488066839962662359".into(),
        ),
        (lying(index(), |t| t.plan.n = 0), "k must be 1 to 0, not 2".into()),
        (
            lying(index(), |t| t.plan.method = Method::PpsSystematic),
            "not a hwdraw/1 plan: pps-systematic needs weights".into(),
        ),
        (
            lying(index(), |t| t.plan.random_source = "counter2".into()),
            "not a random source: \"counter2\"".into(),
        ),
        (
            lying(index(), |t| t.plan.list.digest = "00".into()),
            "not a hwdraw/1 plan: the list's digest must be 64 lower-case hexadecimal digits, not \"00\""
                .into(),
        ),
        (lying(index(), |t| t.plan.p = Some("0.5".into())), other.into()),
        (lying(index(), |t| t.plan.scale = Some(u32::MAX)), other.into()),
        (
            lying(index(), |t| t.seed.text = None),
            "not a seed: a seed from text or dice must have the field text, and any other seed the field hex"
                .into(),
        ),
        (
            lying(replace.clone(), |t| t.plan.k = Some(huge)),
            format!("the picks: the plan has {huge}, but the transcript lists 2"),
        ),
        (
            lying(replace, |t| {
                (t.plan.n, t.plan.method) = (huge, Method::Ticket);
                t.picks.iter_mut().for_each(|pick| (pick.index, pick.ticket) = (None, Some("00".into())));
                t.plan.list.digest =
                    EntryList::numbers(huge).digest().iter().map(|byte| format!("{byte:02x}")).collect();
            }),
            "n for this method must be at most 100000000 (each row has a ticket), not 18446744073709551615"
                .into(),
        ),
        (
            lying(gap, |t| (t.plan.n, t.plan.k) = (huge, Some(huge))),
            format!("the picks: the plan has {huge}, but the transcript lists 2"),
        ),
        (
            lying(weighted.clone(), |t| t.plan.scale = Some(19)),
            "the scale of weights must be 0 to 18 decimals, not 19".into(),
        ),
        (
            lying(weighted.clone(), |t| t.picks[0].weight = Some("9".repeat(1_000_000))),
            format!("a weight must be {scale}, not \"{}\"… (of \"a\")", "9".repeat(70)),
        ),
        (
            lying(weighted, |t| t.picks[0].weight = Some("1e999999999".into())),
            format!("a weight must be {scale}, not \"1e999999999\" (of \"a\")"),
        ),
        (
            lying(ticket, |t| t.picks[0].ticket = Some("0".repeat(1_000_000))),
            format!(
                "the picks: \"c\" with ticket \"{}\"… should have ticket 0ec5f34bfba7a2676c494aaff09f192d",
                "0".repeat(70)
            ),
        ),
        (
            lying(fifty.clone(), |t| t.plan.p = Some(format!("0.{}", "3".repeat(1_000_000)))),
            format!("{chance} \"0.{}\"…", "3".repeat(68)),
        ),
        (lying(fifty, |t| t.plan.p = Some("1.5".into())), format!("{chance} \"1.5\"")),
    ];
    let begin = Instant::now();
    for (i, (case, line)) in cases.iter().enumerate() {
        let said = wrong(case, None);
        assert_eq!(said.first(), Some(line), "case {i}");
        assert!(said.iter().all(|line| !line.contains('\n') && line.len() < 500), "{said:?}");
        assert_ne!(wrong(case, Some(&entries())), [""; 0], "case {i} with a list");
    }
    // This does not measure performance: if the claimed numbers were used, the check would not end.
    assert!(begin.elapsed() < Duration::from_secs(60));
}

#[test]
fn plans_are_checked() {
    let entries = entries();
    let refused = |method, wishes: DrawOptions| Plan::new(&entries, method, wishes).unwrap_err().to_string();
    let k = |k| DrawOptions { k: Some(k), ..DrawOptions::default() };
    assert_eq!(refused(Method::Index, k(5)), "k must be 1 to 4, not 5");
    assert_eq!(refused(Method::Index, k(0)), "k must be 1 to 4, not 0");
    assert!(refused(Method::Index, DrawOptions::default()).contains("index needs k"));
    let both = DrawOptions { p: Some("0.5".into()), ..k(1) };
    assert_eq!(
        refused(Method::Bernoulli, both),
        "not a hwdraw/1 plan: the method bernoulli must not have a k"
    );
    assert!(refused(Method::WeightedTicket, k(1)).contains("weighted-ticket needs weights"));
    for p in ["", "-0", "1.1", "1e-3", "NaN", ".5", "0.", "2", "1.0000000000000000000000000000000000000001"] {
        let message = refused(Method::Bernoulli, DrawOptions { p: Some(p.into()), ..DrawOptions::default() });
        assert!(message.starts_with("p must be a decimal number from 0 to 1"), "{message}");
    }
    assert!(Plan::new(&EntryList::numbers(4), Method::Gap, k(1)).is_err());
    assert!(Plan::new(&EntryList::numbers(0), Method::Index, k(1)).is_err());
    assert!(
        Plan::new(&entries, Method::Index, DrawOptions { random_source: Some("SHAKE256".into()), ..k(1) })
            .is_err()
    );
    let plan = Plan::new(&EntryList::numbers(u64::MAX), Method::Ticket, k(1)).unwrap();
    let message =
        hashwell_draw::hwdraw::draw(&plan, b"", &EntryList::numbers(u64::MAX)).unwrap_err().to_string();
    assert_eq!(
        message,
        "n for this method must be at most 100000000 (each row has a ticket), not 18446744073709551615"
    );
}

/// A size must be at most the number of rows, in each stratum as well. With replacement, any size is allowed, unless it
/// is allocated to strata.
#[test]
fn sizes_are_those_of_the_rows() {
    let columns = Columns { stratum: true, weight: false };
    let strata = EntryList::read(b"a\tx\nb\tx\nc\ty\nd\ty\ne\ty\nf\ty\n", columns, false, false).unwrap();
    let planned = |entries: &EntryList, method, k, allocation| {
        Plan::new(entries, method, DrawOptions { k: Some(k), allocation, ..DrawOptions::default() })
            .map(|plan| plan.picks())
            .map_err(|error| error.to_string())
    };
    let (each, shared) = (Some(Allocation::Each), Some(Allocation::Proportional));
    assert_eq!(planned(&entries(), Method::Replace, 9, None), Ok(Some(9)));
    assert_eq!(planned(&strata, Method::Replace, 9, each), Ok(Some(18)));
    assert_eq!(planned(&strata, Method::Index, 2, each), Ok(Some(4)));
    assert_eq!(
        planned(&strata, Method::Index, 3, each),
        Err("k must be at most 2 (the number of rows in stratum \"x\"), not 3".into())
    );
    assert_eq!(planned(&strata, Method::Index, 6, shared), Ok(Some(6)));
    for method in [Method::Index, Method::Replace] {
        assert_eq!(planned(&strata, method, 7, shared), Err("k must be 1 to 6, not 7".into()));
    }
    let names = ["index", "ticket", "weighted-ticket", "bernoulli", "gap", "replace", "pps-systematic"];
    assert_eq!(Method::ALL.map(Method::name), names);
    let none = Err("invalid list: its rows have no strata".into());
    assert_eq!(planned(&entries(), Method::Index, 1, each), none);
    let none = Err("not a hwdraw/1 plan: strata require a column, an allocation and sizes".into());
    assert_eq!(planned(&strata, Method::Index, 1, None), none);
}

/// With the list, the number of computed picks does not depend on the number of listed ones.
#[test]
fn rows_too_many_and_too_few_are_counted() {
    let list: String = (0..20).map(|i| format!("{i:02}\n")).collect();
    let list = EntryList::read(list.as_bytes(), Columns::default(), false, false).unwrap();
    let plan =
        Plan::new(&list, Method::Bernoulli, DrawOptions { p: Some("0.5".into()), ..DrawOptions::default() });
    let drawn = Transcript::draw(plan.unwrap(), Seed::text("seed"), &list, "a test").unwrap();
    let count = drawn.picks.len();
    let said = |change: &dyn Fn(&mut Transcript)| {
        let mut case = drawn.clone();
        change(&mut case);
        same_output(&mut case);
        wrong(&case, Some(&list))
    };
    let fewer = said(&|t| drop(t.picks.pop()));
    assert_eq!(fewer, [format!("the picks: the transcript lists {}, but the draw produces more", count - 1)]);
    let more = said(&|t| t.picks.push(t.picks[0].clone()));
    assert_eq!(
        more,
        [format!("the picks: the transcript lists {}, but the draw produces {count}", count + 1)]
    );
    let other = said(&|t| t.picks[0].id = "20".into());
    let ticket = drawn.picks[0].ticket.as_ref().unwrap();
    assert_eq!(
        other,
        [format!(
            "the picks: pick 1 is \"20\" with ticket \"{ticket}\", but {:?} with ticket \"{ticket}\" was computed",
            drawn.picks[0].id
        )]
    );
}

#[test]
fn a_list_is_the_one_of_the_plan() {
    let other = EntryList::read(b"a\nb\nc\ne\n", Columns::default(), false, false).unwrap();
    let plan = index().plan;
    let message = hashwell_draw::hwdraw::draw(&plan, b"seed", &other).unwrap_err().to_string();
    assert_eq!(message, "not the plan's list: its digest or its number of rows differs");
    assert!(hashwell_draw::hwdraw::draw(&plan, b"seed", &entries()).is_ok());
}

/// Rows of a stream that are not available are skipped with gaps, up to 10^8 of them.
#[test]
fn gaps_are_looked_at_as_far_as_is_said() {
    let most = hashwell_draw::hwdraw::MAX_UNLISTED;
    let stream = EntryList::read(b"b\na\nc\n", Columns::default(), false, true).unwrap();
    let plan = Plan::new(&stream, Method::Gap, DrawOptions { k: Some(2), ..DrawOptions::default() }).unwrap();
    let drawn = Transcript::draw(plan, Seed::text("seed"), &stream, "a test").unwrap();
    let unchecked = [Unchecked::Commitment, Unchecked::SeedOrigin { kind: Origin::Text }, Unchecked::List];
    let looked_at = verify(&lying(drawn.clone(), |t| t.plan.n = most), &Evidence::default()).unwrap();
    assert!(
        matches!(looked_at.mismatches(), [Mismatch::Picks(PicksMismatch::Position { .. })]),
        "{looked_at:?}"
    );
    let beyond = lying(drawn, |t| t.plan.n = most + 1);
    let unchecked = [&unchecked[..], &[Unchecked::Positions { n: 100_000_001 }]].concat();
    assert_eq!(verify(&beyond, &Evidence::default()), Ok(Verification::Partial(unchecked)));
    assert!(steps(&beyond, None).unwrap().parts[0].picks.iter().all(|step| *step == Step::List));
    let asked = lying(beyond, |t| t.plan.n = most);
    assert!(matches!(steps(&asked, None).unwrap().parts[0].picks[0], Step::Slot { .. }));
}

#[test]
fn weights_are_whole_numbers_of_their_scale() {
    let columns = Columns { weight: true, stratum: false };
    let with = |content: &str, method, k, scale| {
        let entries = EntryList::read(content.as_bytes(), columns, false, false).unwrap();
        let plan = Plan::new(&entries, method, DrawOptions { k: Some(k), scale, ..DrawOptions::default() })?;
        hashwell_draw::hwdraw::draw(&plan, b"s", &entries)
    };
    let refused = |content: &str, method, k, scale| with(content, method, k, scale).unwrap_err().to_string();
    let race = Method::WeightedTicket;
    assert!(refused("a\t1.25\nb\t1\n", race, 1, Some(1)).contains("\"1.25\" (of \"a\")"));
    assert!(refused("a\t18446744073709551616\nb\t1\n", race, 1, None).contains("less than 2^64"));
    assert!(
        refused("a\t1\nb\t0\nc\t0.0\n", race, 2, None)
            .contains("k must be at most 1 (the number of rows with a weight above 0)")
    );
    assert!(
        refused("a\t0\nb\t0\n", Method::PpsSystematic, 1, None)
            .contains("the sum of all weights must be more than 0")
    );
    let heavy = refused("a\t3\nb\t1\nc\t1\n", Method::PpsSystematic, 2, None);
    assert!(
        heavy.starts_with("k must be at most 1")
            && heavy.contains("otherwise, the inclusion probability of \"a\" would exceed 1"),
        "{heavy}"
    );
    assert_eq!(with("a\t18446744073709551615\nb\t0\n", race, 1, None).unwrap()[0].id, "a");
    // A plan has as many decimals as the longest weight, unless it gives a larger number, and at most 18.
    let entries = EntryList::read(b"a\t1.25\nb\t1\nc\t0.5\n", columns, false, false).unwrap();
    let scale = |scale| {
        let plan = Plan::new(&entries, race, DrawOptions { k: Some(1), scale, ..DrawOptions::default() });
        plan.map(|plan| plan.scale).map_err(|error| error.to_string())
    };
    assert_eq!((scale(None), scale(Some(18))), (Ok(Some(2)), Ok(Some(18))));
    assert_eq!(scale(Some(19)), Err("the scale of weights must be 0 to 18 decimals, not 19".into()));
    // With proportional allocation, any stratum may get a pick. Rows without a weight are rejected with any seed.
    let columns = Columns { weight: true, stratum: true };
    let rows = b"a\tx\t1\nb\tx\t1\nc\tx\t1\nd\ty\t0\n";
    let entries = EntryList::read(rows, columns, false, false).unwrap();
    let wishes =
        DrawOptions { k: Some(1), allocation: Some(Allocation::Proportional), ..DrawOptions::default() };
    for (method, refused) in [
        (Method::PpsSystematic, "the sum of all weights must be more than 0, not 0"),
        (race, "k must be at most 0 (the number of rows with a weight above 0), not 1"),
    ] {
        let plan = Plan::new(&entries, method, wishes.clone()).unwrap();
        for seed in 0..8 {
            let drawn = hashwell_draw::hwdraw::draw(&plan, &[seed], &entries);
            assert_eq!(drawn.unwrap_err().to_string(), refused);
        }
    }
    // Row a has two thirds of the weight of its stratum: one pick can be proportional to weight, two cannot. 1.5 picks
    // are 1 or 2.
    let entries = EntryList::read(b"a\tx\t2\nb\tx\t1\nc\ty\t1\nd\ty\t1\n", columns, false, false).unwrap();
    let plan = Plan::new(&entries, Method::PpsSystematic, DrawOptions { k: Some(3), ..wishes }).unwrap();
    for seed in 0..8 {
        let drawn = hashwell_draw::hwdraw::draw(&plan, &[seed], &entries);
        assert_eq!(
            drawn.unwrap_err().to_string(),
            "k must be at most 1 (otherwise, the inclusion probability of \"a\" would exceed 1), not 2"
        );
    }
}

/// Each row has the inclusion probability k/n, for all sizes and labels of the strata.
#[test]
fn proportional_draws_are_fair() {
    const DRAWS: u32 = 2000;
    let columns = Columns { stratum: true, weight: false };
    let rows = b"a1\ta\na2\ta\nb1\tb\nb2\tb\nc1\tc\nc2\tc\nd1\td\n";
    let entries = EntryList::read(rows, columns, false, false).unwrap();
    for method in [Method::Index, Method::Ticket, Method::Gap, Method::Replace] {
        let wishes =
            DrawOptions { k: Some(2), allocation: Some(Allocation::Proportional), ..DrawOptions::default() };
        let plan = Plan::new(&entries, method, wishes).unwrap();
        assert!(plan.strata.iter().flatten().all(|stratum| stratum.k.is_none()));
        assert_eq!(plan.picks(), Some(2));
        let mut times = std::collections::BTreeMap::new();
        for seed in 0..DRAWS {
            for pick in hashwell_draw::hwdraw::draw(&plan, &seed.to_be_bytes(), &entries).unwrap() {
                *times.entry(pick.id).or_insert(0_u32) += 1;
            }
        }
        // 571 each. Five standard deviations of 20, or of 23 with replacement, are at most 115.
        assert!(times.len() == 7 && times.values().all(|&count| count.abs_diff(571) < 115), "{times:?}");
    }
}

/// Each of these transcripts was once accepted without the list.
#[test]
fn lies_without_a_list_are_found() {
    let k = |k| DrawOptions { k: Some(k), ..DrawOptions::default() };
    let drawn = |entries: &EntryList, method, wishes| {
        let plan = Plan::new(entries, method, wishes).unwrap();
        let mut ids = Vec::new();
        let mut add = |id: &str| {
            ids.push(id.to_owned());
            Ok(())
        };
        Transcript::draw_ids(&plan, &Seed::text("seed"), entries, &mut add).unwrap();
        let transcript = Transcript::draw(plan, Seed::text("seed"), entries, "a test").unwrap();
        assert!(transcript.picks.iter().map(|pick| &pick.id).eq(&ids), "{ids:?}");
        transcript
    };
    let columns = Columns { stratum: true, weight: false };
    let strata = EntryList::read(b"a\tx\nb\tx\nc\ty\nd\ty\ne\ty\nf\tz\n", columns, false, false).unwrap();
    let each = drawn(&strata, Method::Index, DrawOptions { allocation: Some(Allocation::Each), ..k(1) });
    let strata =
        drawn(&strata, Method::Index, DrawOptions { allocation: Some(Allocation::Proportional), ..k(4) });
    let columns = Columns { stratum: false, weight: true };
    let weighted = EntryList::read(b"a\t1\nb\t1\nc\t1\nd\t1\n", columns, false, false).unwrap();
    let pps = drawn(&weighted, Method::PpsSystematic, k(2));
    let open = EntryList::read(b"b\na\nc\n", Columns::default(), false, true).unwrap();
    let open = drawn(&open, Method::Index, k(2));
    let ticket = transcript(Method::Ticket, k(2));
    let plan = |what: &str| format!("not a hwdraw/1 plan: {what}");
    let picks = |what: &str| format!("the picks: {what}");
    let (order, place) = ("are not in the order of the list", "is wrong or in the wrong place");
    let fifty = DrawOptions { p: Some("0.5".into()), ..DrawOptions::default() };
    let list: String = (0..20).map(|i| format!("{i:02}\n")).collect();
    let listed = |open| {
        drawn(
            &EntryList::read(list.as_bytes(), Columns::default(), false, open).unwrap(),
            Method::Bernoulli,
            fifty.clone(),
        )
    };
    let (chance, stream) = (listed(false), listed(true));
    let race = drawn(&weighted, Method::WeightedTicket, k(2));
    let replace = drawn(&entries(), Method::Replace, k(4));
    let twice_ticket = ticket.clone();
    let twice = |t: &mut Transcript| t.picks[1] = t.picks[0].clone();
    let cases = [
        (
            lying(index(), |t| t.plan.seed_source = drand("52db", 123)),
            "a drand chain must be its hash, in 64 lower-case hexadecimal digits, not \"52db\"".to_owned(),
        ),
        (
            lying(index(), |t| t.plan.seed_source = drand(&"0f".repeat(32), 0)),
            "a drand round must be 1 to 2^64 - 1, not 0".into(),
        ),
        (
            lying(index(), |t| t.plan.seed_source = drand(&"0f".repeat(32), 123)),
            format!("the plan's seed is drand chain {} round 123, but the given seed is text", "0f".repeat(32)),
        ),
        (
            lying(index(), |t| t.plan.seed_source = Planned::Dice.into()),
            "the plan's seed is dice, but the given seed is text".into(),
        ),
        (
            lying(index(), |t| t.plan.seed_source.description = "Drand 123".into()),
            "the description \"Drand 123\" seems to name a beacon, but the seed's source is text: plan the \
             beacon's chain and round, or don't name a beacon"
                .into(),
        ),
        (
            lying(index(), |t| t.plan.seed_source.description = "x".repeat(1001)),
            "the description of a seed's source must be at most 1000 bytes, not 1001".into(),
        ),
        (
            lying(index(), |t| t.plan.seed_source.description = "a\u{202e}b".into()),
            "the description of a seed's source must be one line without control characters, not \"a\\u{202e}b\""
                .into(),
        ),
        (
            lying(open.clone(), |t| t.plan.list.digest = "ab".repeat(32)),
            plan("the digest of an open list must be 64 zeros"),
        ),
        (
            lying(index(), |t| t.plan.list.digest = "AB".repeat(32)),
            plan(&format!(
                "the list's digest must be 64 lower-case hexadecimal digits, not \"{}\"",
                "AB".repeat(32)
            )),
        ),
        (lying(index(), |t| t.plan.spec = "hwdraw/2".into()), plan("its specification is \"hwdraw/2\"")),
        (
            lying(strata.clone(), |t| t.plan.n = 7),
            plan("the sizes of its strata do not add up to n, or one is 0"),
        ),
        (
            lying(strata.clone(), |t| t.plan.strata.iter_mut().for_each(|strata| strata.reverse())),
            plan("its stratum labels are not sorted, or one occurs twice"),
        ),
        (
            lying(strata.clone(), |t| t.plan.strata.iter_mut().for_each(|s| s[1].label = "x".into())),
            plan("its stratum labels are not sorted, or one occurs twice"),
        ),
        (
            lying(strata.clone(), |t| t.plan.strata.iter_mut().for_each(|s| (s[0].n, s[1].n) = (3, 2))),
            format!(
                "{}\n{}\n{}",
                picks("their strata differ from the plan"),
                picks("\"e\" at position 2 is not a row that can be picked"),
                picks("\"e\" at position 2 should be the row at position 0")
            ),
        ),
        (
            lying(strata.clone(), |t| t.plan.strata.iter_mut().for_each(|s| s[0].k = Some(1))),
            plan("the number of picks of a stratum differs from the allocation"),
        ),
        (
            lying(each.clone(), |t| t.plan.strata.iter_mut().for_each(|s| s[0].k = None)),
            plan("the number of picks of a stratum differs from the allocation"),
        ),
        (
            lying(each, |t| t.plan.strata.iter_mut().for_each(|s| s[0].k = Some(2))),
            plan("the number of picks of a stratum differs from the allocation"),
        ),
        (
            lying(strata.clone(), |t| t.picks[0].stratum = Some("y".into())),
            picks("their strata differ from the plan"),
        ),
        (
            lying(strata, |t| t.picks.iter_mut().for_each(|pick| pick.stratum = None)),
            picks("\"a\" at position 0 does not have the fields of the method index"),
        ),
        (
            lying(index(), |t| t.picks[0].ticket = Some("00".into())),
            picks("\"d\" at position 3 with ticket \"00\" does not have the fields of the method index"),
        ),
        (
            lying(index(), |t| t.picks[0].weight = Some("1".into())),
            picks("\"d\" at position 3 does not have the fields of the method index"),
        ),
        (
            lying(index(), |t| t.picks[0].id = String::new()),
            picks("\"\" at position 3 does not have the fields of the method index"),
        ),
        (
            lying(ticket.clone(), |t| t.picks[0].index = Some(0)),
            picks(
                "\"c\" at position 0 with ticket \"0ec5f34bfba7a2676c494aaff09f192d\" does not have the fields \
                 of the method ticket",
            ),
        ),
        (
            lying(ticket, |t| t.picks.swap(0, 1)),
            picks(
                "\"c\" with ticket \"0ec5f34bfba7a2676c494aaff09f192d\" is wrong or in the wrong place",
            ),
        ),
        (
            lying(index(), |t| t.picks.iter_mut().for_each(|pick| pick.id = "a".into())),
            picks(&format!(
                "\"a\" at position 3 occurs twice\n\
                 the picks: \"a\" at position 1 and \"a\" at position 3 {order}"
            )),
        ),
        (
            lying(index(), |t| {
                let [first, second] = &mut t.picks[..] else { panic!("two picks") };
                std::mem::swap(&mut first.id, &mut second.id);
            }),
            picks(&format!("\"d\" at position 1 and \"b\" at position 3 {order}")),
        ),
        (
            lying(pps.clone(), |t| t.picks.reverse()),
            picks(&format!("\"c\" at position 2 and \"a\" at position 0 {order}")),
        ),
        (
            lying(pps.clone(), |t| t.picks[1].index = Some(4)),
            picks("\"c\" at position 4 is not a row that can be picked"),
        ),
        (
            lying(pps, |t| t.picks[0].weight = Some("0".into())),
            picks("\"a\" at position 0 is not a row that can be picked"),
        ),
        (
            lying(index(), twice),
            picks(&format!(
                "\"d\" at position 3 occurs twice\nthe picks: \"d\" at position 3 and \"d\" at position 3 {order}\n\
                 the picks: \"d\" at position 3 should be the row at position 1"
            )),
        ),
        (
            lying(open, |t| t.picks[1].index = t.picks[0].index),
            picks(&format!(
                "\"a\" at position 0 and \"b\" at position 0 {order}\n\
                 the picks: \"a\" at position 0 should be the row at position 1"
            )),
        ),
        (
            lying(twice_ticket, twice),
            picks(&format!(
                "\"c\" with ticket \"0ec5f34bfba7a2676c494aaff09f192d\" occurs twice\nthe picks: \"c\" with ticket \"0ec5f34bfba7a2676c494aaff09f192d\" {place}"
            )),
        ),
        (
            lying(chance.clone(), |t| t.picks.swap(0, 1)),
            picks(&format!("\"01\" with ticket \"5b1782cf3654465ba89943a07638c6df\" {place}")),
        ),
        (
            lying(chance, twice),
            picks(&format!(
                "\"01\" with ticket \"5b1782cf3654465ba89943a07638c6df\" occurs twice\nthe picks: \"01\" with ticket \"5b1782cf3654465ba89943a07638c6df\" {place}"
            )),
        ),
        (
            lying(race, |t| t.picks[0].weight = Some("0".into())),
            picks(&format!("\"c\" with ticket \"000000006f3f98e5da6e2d4382935c32eaf4b251\" {place}")),
        ),
        (
            lying(replace, |t| t.picks.iter_mut().for_each(|pick| pick.id = "a".into())),
            picks(&format!(
                "\"a\" at position 3 occurs twice\n\
                 the picks: \"a\" at position 0 and \"a\" at position 2 {order}"
            )),
        ),
    ];
    for (i, (mut case, lines)) in cases.into_iter().enumerate() {
        same_output(&mut case);
        assert_eq!(wrong(&case, None).join("\n"), lines, "case {i}: {case:?}");
    }
    // A stream has its own order, independent of its ids.
    let mut other = lying(stream, |t| t.picks.reverse());
    other.picks.iter_mut().for_each(|pick| pick.index = None);
    same_output(&mut other);
    assert_eq!(wrong(&other, None), [""; 0]);
}

/// A transcript of less than 1 KB claims that a very large number of rows was picked.
#[test]
fn picks_that_are_not_listed_take_no_memory() {
    let few = transcript(Method::Bernoulli, DrawOptions { p: Some("1".into()), ..DrawOptions::default() });
    let numbers = EntryList::numbers(hashwell_draw::hwdraw::MAX_UNLISTED);
    let wishes = DrawOptions { p: Some("1".into()), ..DrawOptions::default() };
    let plan = Plan::new(&numbers, Method::Bernoulli, wishes).unwrap();
    let output = hashwell::Sha256::digest(b"").iter().map(|byte| format!("{byte:02x}")).collect();
    let case = lying(few, |t| (t.plan, t.picks) = (plan.clone(), Vec::new()));
    assert_eq!(
        wrong(&Transcript { output, ..case }, None),
        ["the picks: the transcript lists 0, but the draw produces more"]
    );
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

/// The seed source of a plan has exactly the keys of its kind.
#[test]
fn sources_have_their_keys() {
    let good = index().to_json();
    let source = "{\"description\":\"\",\"kind\":\"text\"}";
    assert!(good.contains(source), "{good}");
    let (chain, certificate) = ("0f".repeat(32), "0f".repeat(64));
    for other in [
        "\"text\"".to_owned(),
        "{\"kind\":\"text\"}".to_owned(),
        "{\"description\":\"\"}".to_owned(),
        "{\"description\":null,\"kind\":\"text\"}".to_owned(),
        "{\"description\":\"\",\"kind\":\"Text\"}".to_owned(),
        "{\"description\":\"\",\"kind\":\"text\",\"round\":1}".to_owned(),
        "{\"description\":\"\",\"kind\":\"text\",\"round\":null}".to_owned(),
        "[null,null,\"\",\"text\",null,null]".to_owned(),
        format!("{{\"chain\":\"{chain}\",\"description\":\"\",\"kind\":\"drand\"}}"),
        format!("{{\"chain\":\"{chain}\",\"description\":\"\",\"kind\":\"drand\",\"round\":\"1\"}}"),
        format!("{{\"chain\":\"{chain}\",\"description\":\"\",\"kind\":\"drand\",\"round\":1.0}}"),
        "{\"chain\":2,\"description\":\"\",\"kind\":\"drand\",\"round\":1}".to_owned(),
        "{\"chain\":2,\"description\":\"\",\"kind\":\"nist\",\"pulse\":1}".to_owned(),
        format!(
            "{{\"certificate\":\"{certificate}\",\"chain\":\"2\",\"description\":\"\",\"kind\":\"nist\",\"pulse\":1}}"
        ),
        format!(
            "{{\"certificate\":\"{certificate}\",\"chain\":2,\"description\":\"\",\"kind\":\"nist\",\"pulse\":1,\"round\":1}}"
        ),
    ] {
        let error = Transcript::from_json(good.replace(source, &other).as_bytes());
        assert!(error.is_err(), "{other}");
    }
    // The right format, but not the source of this seed.
    let nist = format!(
        "{{\"certificate\":\"{certificate}\",\"chain\":2,\"description\":\"\",\"kind\":\"nist\",\"pulse\":7}}"
    );
    let read = Transcript::from_json(good.replace(source, &nist).as_bytes()).unwrap();
    assert!(read.plan.text().contains(&nist));
    assert_eq!(verify(&read, &Evidence::default()).unwrap().outcome(), Outcome::Mismatch);
}

/// Weights of strata without picks are parsed as strictly as all others.
#[test]
fn every_weight_is_one() {
    let columns = Columns { stratum: true, weight: true };
    for (weight, scale, fits) in [("0.55", 1, false), ("0.50", 1, true), ("18446744073709551616", 0, false)] {
        let list = format!("a\tx\t1\nb\tx\t1\nc\ty\t{weight}\n");
        let entries = EntryList::read(list.as_bytes(), columns, false, false).unwrap();
        let wishes = DrawOptions {
            k: Some(1),
            allocation: Some(Allocation::Proportional),
            scale: Some(scale),
            ..DrawOptions::default()
        };
        assert_eq!(Plan::new(&entries, Method::WeightedTicket, wishes).is_ok(), fits, "{weight}");
    }
}

/// Programs use `code` and `reason`; `message` is for people.
#[test]
fn results_are_data() {
    let transcript = index();
    let json = |evidence: &Evidence<'_>, transcript: &Transcript| {
        serde_json::to_value(verify(transcript, evidence).unwrap()).unwrap()
    };
    let commitment = &transcript.commitment;
    assert_eq!(
        json(&Evidence { commitment: Some(commitment), ..Evidence::default() }, &transcript),
        serde_json::json!({
            "mismatches": [],
            "outcome": "partial",
            "unchecked": [
                { "code": "seed-origin", "kind": "text", "message": Unchecked::SeedOrigin { kind: Origin::Text }.to_string() },
                { "code": "list", "message": "the list: it was not given" },
            ],
        })
    );
    let entries = entries();
    let all = |published| Evidence {
        list: Some(&entries),
        commitment: Some(published),
        seed_attested: true,
        ..Evidence::default()
    };
    let verified = serde_json::json!({ "mismatches": [], "outcome": "verified", "unchecked": [] });
    assert_eq!(json(&all(commitment), &transcript), verified);
    assert_eq!(
        json(&all("00"), &transcript),
        serde_json::json!({
            "mismatches": [{
                "code": "published-commitment",
                "computed": commitment,
                "message": "the published commitment is \"00\", not that of the plan",
                "published": "00",
            }],
            "outcome": "mismatch",
            "unchecked": [],
        })
    );
    // The first mismatch is that of the earliest check.
    let mut lies = transcript.clone();
    lies.picks.truncate(1);
    lies.plan.seed_source = Planned::Dice.into();
    let found = verify(&lies, &all(commitment)).unwrap();
    let codes: Vec<&str> = found.mismatches().iter().map(Mismatch::code).collect();
    assert_eq!(codes, ["commitment", "published-commitment", "output", "seed-origin", "picks"]);
    assert_eq!(json(&all(commitment), &lies)["mismatches"][4]["reason"], "planned");
}
