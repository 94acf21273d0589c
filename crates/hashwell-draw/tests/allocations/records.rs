//! Records of draws: lists, plans, seeds, beacons, transcripts, and draws of other programs.

use crate::refusing::{Answer, Call, Wrong, again, number, number_of};
use crate::shown;
use hashwell_draw::Error;
use hashwell_draw::hwdraw::replay::{consistent, rfc3797, rivest};
use hashwell_draw::hwdraw::{
    self, Allocation, Columns, DrawOptions, EntryList, EntryListBuilder, Evidence, KeyMismatch, ListMismatch,
    Method, Mismatch, Origin, Outcome, PicksMismatch, Plan, Planned, Seed, SeedSource, Transcript, Unchecked,
    Verification, beacon, steps, verify,
};
use std::sync::LazyLock;

fn ceremony() -> Result<(Transcript, EntryList), Error> {
    let entries =
        EntryList::read(&b"Ada\nBlaise\nCarl\nEmmy\nSofja\n"[..], Columns::default(), false, false)?;
    let wishes = DrawOptions { context: "two seats".to_owned(), k: Some(2), ..DrawOptions::default() };
    let wishes = DrawOptions { seed_source: Planned::Dice.into(), ..wishes };
    let plan = Plan::new(&entries, Method::Index, wishes)?;
    Ok((Transcript::draw(plan, Seed::dice("31415926535897932384626433")?, &entries, "test")?, entries))
}

/// Rows with strata or weights, if requested.
fn framed(columns: Columns) -> Result<EntryList, Error> {
    let mut entries = EntryListBuilder::new(columns);
    for [id, stratum, weight] in
        [["Ada", "a", "1.5"], ["Blaise", "b", "2"], ["Carl", "a", "0.25"], ["Emmy", "b", "1"]]
    {
        match columns {
            Columns { stratum: true, weight: true } => entries.push(&[id, stratum, weight])?,
            Columns { stratum: true, .. } => entries.push(&[id, stratum])?,
            Columns { weight: true, .. } => entries.push(&[id, weight])?,
            Columns { .. } => entries.push(&[id])?,
        }
    }
    entries.finish(false)
}

const STRATA: Columns = Columns { stratum: true, weight: false };
const WEIGHTS: Columns = Columns { stratum: false, weight: true };

/// A draw of each kind, its record, and the single steps.
fn drawn(entries: &EntryList, method: Method, wishes: DrawOptions) -> Answer {
    let wishes = DrawOptions { context: "two seats".to_owned(), seed_source: Planned::Dice.into(), ..wishes };
    let transcript = Transcript::draw(
        Plan::new(entries, method, wishes)?,
        Seed::dice("31415926535897932384626433")?,
        entries,
        "test",
    )?;
    let told = format!("{:?}", steps(&transcript, Some(entries))?);
    let json = transcript.to_json();
    Ok(number(told.bytes()) ^ number(json.bytes()))
}

/// A record that is created before the call.
static DRAWN: LazyLock<(Transcript, EntryList)> = LazyLock::new(|| ceremony().expect("a draw"));

pub(super) const QUIET: &[(&str, Call)] = &[
    ("what a list says", || {
        let (_, entries) = &*DRAWN;
        let sizes = [entries.len(), entries.is_empty().into(), entries.columns().stratum.into()];
        let texts = [&*entries.id(0), entries.stratum(1), entries.weight(2)].map(|text| number(text.bytes()));
        let kinds = shown(&(entries.kind(), EntryList::numbers(9).kind()))?;
        Ok(number_of(sizes.into_iter().chain(texts).chain([kinds, number(*entries.digest())])))
    }),
    ("what methods and origins say", || {
        let methods = Method::ALL.iter().map(|method| {
            let said = [method.has_tickets(), method.is_of_positions(), method.is_weighted()];
            number(method.name().bytes()) ^ number_of(said.map(u64::from))
        });
        let origins = [Origin::Text, Origin::Hex, Origin::Dice, Origin::Drand, Origin::Nist, Origin::Os];
        Ok(number_of(methods.chain(origins.map(|origin| number(origin.name().bytes())))))
    }),
    ("what a plan and a line say", || {
        let (transcript, _) = &*DRAWN;
        let reason = hwdraw::not_text(b"a\0").expect("no text has a zero byte");
        Ok(number(reason.bytes()) ^ transcript.plan.picks().expect("it says how many") as u64)
    }),
    ("what outcomes and unchecked items are called", || {
        let items = [Unchecked::Commitment, Unchecked::List, Unchecked::Positions { n: 1 }];
        let codes = items.iter().map(|item| number(item.code().bytes()));
        let (list, picks, key) = (ListMismatch::Kind, PicksMismatch::Labels, KeyMismatch::Key);
        let names = [list.name(), picks.name(), key.name()].map(|name| number(name.bytes()));
        let mismatches = [Mismatch::List(list), Mismatch::Picks(picks), Mismatch::BeaconKey(key)];
        let mismatches = mismatches.map(|mismatch| number(mismatch.code().bytes()));
        let none = Verification::Verified;
        assert!(none.mismatches().is_empty() && none.unchecked().is_empty());
        let outcomes =
            [Outcome::Verified, Outcome::Partial, Outcome::Mismatch].map(|of| number(of.name().bytes()));
        let kind = SeedSource::default().kind().name();
        Ok(number_of(codes.chain(mismatches).chain(names).chain(outcomes).chain([number(kind.bytes())])))
    }),
    ("a ticket as it is shown", || Ok(number(consistent::shown("0.9999123456789012345").bytes()))),
    ("who verifies", || {
        #[cfg(any(feature = "drand", feature = "nist"))]
        beacon::verify_signatures();
        Ok(beacon::drand::verifies().into())
    }),
];

pub(super) const ASKING: &[(&str, Call)] = &[
    ("a list of strata and weights", || {
        let entries = framed(Columns { stratum: true, weight: true })?;
        let strata = entries.strata();
        let text = format!("{strata:?} {} {} {}", entries.id(1), entries.stratum(2), entries.weight(3));
        Ok(number(text.bytes()) ^ number(*entries.digest()))
    }),
    ("a draw of strata", || {
        let wishes =
            DrawOptions { k: Some(1), allocation: Some(Allocation::Proportional), ..DrawOptions::default() };
        drawn(&framed(STRATA)?, Method::Ticket, wishes)
    }),
    ("a draw by weights", || {
        drawn(&framed(WEIGHTS)?, Method::WeightedTicket, DrawOptions { k: Some(2), ..DrawOptions::default() })
    }),
    ("a draw in proportion to size", || {
        drawn(&framed(WEIGHTS)?, Method::PpsSystematic, DrawOptions { k: Some(2), ..DrawOptions::default() })
    }),
    ("a draw by chance", || {
        drawn(
            &EntryList::numbers(20),
            Method::Bernoulli,
            DrawOptions { p: Some("0.25".to_owned()), ..DrawOptions::default() },
        )
    }),
    ("a transcript", || {
        let (transcript, entries) = ceremony()?;
        let json = hashwell_draw::interruptible(|| true, || transcript.to_json_or_stop())?;
        let json = if json.is_empty() { transcript.to_json() } else { json };
        let read = Transcript::from_json(json.as_bytes())?;
        let evidence = Evidence { seed_attested: true, ..Evidence::from(Some(&entries)) };
        let found = verify(&read, &evidence)?;
        serde_json::to_string(&found).map_err(|_| Wrong::Other)?;
        // A check for which there is not enough memory counts as an unchecked item.
        match (found.outcome(), found.unchecked()) {
            (Outcome::Partial, [Unchecked::Commitment]) => Ok(number(json.bytes())),
            (Outcome::Partial, [Unchecked::Commitment, Unchecked::Memory { .. }]) => Err(Wrong::Memory),
            _ => Err(Wrong::Other),
        }
    }),
    ("mismatches", || {
        let (transcript, _) = ceremony()?;
        let evidence = Evidence { commitment: Some("00"), ..Evidence::default() };
        let found = verify(&transcript, &evidence)?;
        let data = found.mismatches().iter().flat_map(Mismatch::data);
        let sum = number_of(data.map(|(key, value)| number(key.bytes()) ^ number(value.bytes())));
        let origin = Unchecked::SeedOrigin { kind: Origin::Dice }.data();
        let json = serde_json::to_string(&found).map_err(|_| Wrong::Other)?;
        Ok(sum ^ number(json.bytes()) ^ number(origin[0].1.bytes()))
    }),
    ("columns", || {
        let columns = Columns { stratum: true, weight: true };
        shown(&(columns.names(), Columns::of_names(&columns.names())?))
    }),
    ("a plan", || {
        let (transcript, entries) = ceremony()?;
        transcript.plan.check()?;
        transcript.plan.check_commitment(&transcript.commitment)?;
        let (columns, _) = transcript.plan.list.layout()?;
        assert_eq!(columns, Columns::default());
        let source = transcript.plan.source()?;
        let picks = hwdraw::draw(&transcript.plan, &transcript.seed.bytes()?, &entries)?;
        let mut ids = picks.iter().map(|pick| &pick.id);
        let mut same = true;
        Transcript::draw_ids(&transcript.plan, &transcript.seed, &entries, &mut |id| {
            same &= ids.next().is_some_and(|other| other == id);
            Ok(())
        })?;
        assert!(same && ids.next().is_none());
        let text = transcript.plan.text();
        let sum = number(text.bytes()) ^ number(source.name().bytes());
        Ok(sum ^ number(transcript.plan.commitment()) ^ shown(&picks)?)
    }),
    ("seeds", || {
        let (mut transcript, _) = ceremony()?;
        let seeds = [Seed::text("0877"), Seed::hex(b"0877"), Seed::os(b"0877"), Seed::dice("0877")?];
        let mut sum = 0;
        for seed in seeds {
            let source = seed.source()?;
            source.check()?;
            let words = source.to_string();
            transcript.plan.seed_source = Planned::parse(&words, None)?.into();
            seed.check_origin(&transcript.plan)?;
            seed.check()?;
            sum = number_of([
                sum,
                number(seed.bytes()?),
                number(words.bytes()),
                number(seed.to_string().bytes()),
            ]);
        }
        Ok(sum)
    }),
    ("RFC 3797", || {
        let key = rfc3797::key("9319 88 2\n1 9 40 5\n")?;
        shown(&rfc3797::picks(key.as_bytes(), 25, 10)?)
    }),
    ("Rivest's sampler", || {
        shown(&(rivest::picks("0877", 100, 10, false)?, rivest::picks("0877", 100, 10, true)?))
    }),
    ("consistent_sampler", || {
        let ids = ["A-1", "A-2", "A-3", "B-1"];
        shown(&(consistent::picks(ids, "314159", 3, false)?, consistent::picks(ids, "314159", 9, true)?))
    }),
    #[cfg(feature = "drand")]
    ("a drand round", || {
        use beacon::drand::{CHAINS, Info, Round};
        const ROUND: &str = r#"{"round":123,"signature":"b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92"}"#;
        beacon::verify_signatures();
        let (chain, info) = (&CHAINS[0], r#","metadata":{"beaconID":"quicknet"}}"#);
        let info = format!(
            r#"{{"public_key":"{}","period":3,"genesis_time":1692803367,"hash":"{}","groupHash":"f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e","schemeID":"{}"{info}"#,
            chain.public_key, chain.hash, chain.scheme
        );
        let round = Round::read(ROUND.as_bytes(), Some(info.as_bytes()))?;
        assert_eq!(Round::read_unverified(ROUND.as_bytes(), chain.hash)?, round);
        round.check()?;
        round.verify()?;
        let hash = number(Info::read(info.as_bytes())?.hash().bytes());
        let seed = Seed::drand(round)?;
        let round = seed.drand.as_ref().expect("its round");
        let sum =
            number(round.randomness()?) ^ u64::from(round.is_published()?) ^ chain.time(123).unsigned_abs();
        Ok(sum ^ hash ^ number(seed.bytes()?) ^ number(seed.source()?.to_string().bytes()))
    }),
    #[cfg(feature = "nist")]
    ("a pulse of NIST's", || {
        use beacon::nist::{CERTIFICATES, Certificate, Pulse, is_published, verifies};
        const PULSE: &[u8] = include_bytes!("../nist/pulse-54610.json");
        const CERTIFICATE: &[u8] = CERTIFICATES[1].pem.as_bytes();
        beacon::verify_signatures();
        let (pulse, value) = Pulse::read(PULSE, Some(CERTIFICATE))?;
        pulse.check(&value)?;
        let certificate = Certificate::read(CERTIFICATE)?;
        pulse.verify(&certificate)?;
        let known = [
            is_published(certificate.sha512()),
            verifies(),
            pulse.certificate_sha512()? == certificate.sha512(),
        ];
        let seed = Seed::nist(pulse, &value);
        let source = seed.source()?.to_string();
        Ok(number_of(known.map(u64::from)) ^ number(seed.bytes()?) ^ number(source.bytes()))
    }),
];

pub(super) const KEPT: &[(&str, Call)] = &[("a kept EntryListBuilder", || {
    let mut entries = EntryListBuilder::new(WEIGHTS);
    for row in 0..40_u32 {
        let id = [b'a' + (row * 7 % 13) as u8, b'a' + (row % 11) as u8];
        let id = std::str::from_utf8(&id).expect("letters");
        again(|| entries.push(&[id, "1.5"]))?;
    }
    let entries = entries.finish(false)?;
    Ok(number(*entries.digest()) ^ entries.len())
})];
