//! Records of draws: frames, plans, seeds, beacons, transcripts, and draws of others' programs.

use crate::refusing::{Answer, Call, Wrong, again, number, number_of};
use crate::shown;
use hashwell_draw::Error;
use hashwell_draw::hwdraw::replay::{consistent, rfc3797, rivest};
use hashwell_draw::hwdraw::{
    self, Allocation, Columns, Frame, FrameBuilder, Method, Origin, Plan, Seed, Transcript, Wishes, allocate,
    beacon, steps, verify,
};
use std::sync::LazyLock;

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

/// A record that was made before.
static DRAWN: LazyLock<(Transcript, Frame)> = LazyLock::new(|| ceremony().expect("a draw"));

pub(super) const QUIET: &[(&str, Call)] = &[
    ("what a frame says", || {
        let (_, frame) = &*DRAWN;
        let sizes = [frame.len(), frame.is_empty().into(), frame.columns().stratum.into()];
        let texts = [&*frame.id(0), frame.stratum(1), frame.weight(2)].map(|text| number(text.bytes()));
        let kinds = shown(&(frame.kind(), Frame::numbers(9).kind()))?;
        Ok(number_of(sizes.into_iter().chain(texts).chain([kinds, number(*frame.digest())])))
    }),
    ("what methods and origins say", || {
        let methods = Method::ALL.iter().map(|method| {
            let said = [method.has_tickets(), method.is_of_positions(), method.is_weighted()];
            number(method.name().bytes()) ^ number_of(said.map(u64::from))
        });
        let origins = [Origin::Text, Origin::Hex, Origin::Dice, Origin::Drand, Origin::Nist, Origin::Os];
        Ok(number_of(methods.chain(origins.map(|origin| number(origin.name().bytes())))))
    }),
    ("what a plan says", || {
        let (transcript, _) = &*DRAWN;
        Ok(transcript.plan.picks().expect("it says how many") as u64)
    }),
    ("what a verdict says", || Ok(hwdraw::Verdict::default().agrees().into())),
    ("a ticket as it is shown", || Ok(number(consistent::shown("0.9999123456789012345").bytes()))),
    ("who verifies", || {
        #[cfg(any(feature = "drand", feature = "nist"))]
        beacon::verify_signatures();
        Ok(beacon::drand::verifies().into())
    }),
];

pub(super) const ASKING: &[(&str, Call)] = &[
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
    ("columns", || {
        let columns = Columns { stratum: true, weight: true };
        shown(&(columns.names(), Columns::of_names(&columns.names())?))
    }),
    ("a plan", || {
        let (transcript, frame) = ceremony()?;
        transcript.plan.check()?;
        let source = transcript.plan.source()?;
        let picks = hwdraw::draw(&transcript.plan, &transcript.seed.bytes()?, &frame)?;
        let text = transcript.plan.text();
        let sum = number(text.bytes()) ^ number(source.name().bytes());
        Ok(sum ^ number(transcript.plan.commitment()) ^ shown(&picks)?)
    }),
    ("seeds", || {
        let (transcript, _) = ceremony()?;
        let seeds = [Seed::text("0877"), Seed::hex(b"0877"), Seed::os(b"0877"), Seed::dice("0877")?];
        let mut sum = 0;
        for seed in seeds {
            let unchecked = seed.check(&transcript.plan)?;
            sum = number_of([sum, number(seed.bytes()?), number(seed.source().bytes()), shown(&unchecked)?]);
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
    ("a round of drand", || {
        use beacon::drand::{CHAINS, Round};
        const ROUND: &str = r#"{"round":123,"signature":"b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92"}"#;
        beacon::verify_signatures();
        let (chain, info) = (&CHAINS[0], r#","metadata":{"beaconID":"quicknet"}}"#);
        let info = format!(
            r#"{{"public_key":"{}","period":3,"genesis_time":1692803367,"hash":"{}","groupHash":"f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e","schemeID":"{}"{info}"#,
            chain.public_key, chain.hash, chain.scheme
        );
        let round = Round::read(ROUND.as_bytes(), Some(info.as_bytes()))?;
        round.verify()?;
        let seed = Seed::drand(round)?;
        let round = seed.drand.as_ref().expect("its round");
        let sum = number(round.randomness()?) ^ u64::from(round.is_published()?);
        Ok(sum ^ number(seed.bytes()?) ^ number(seed.source().bytes()))
    }),
    #[cfg(feature = "nist")]
    ("a pulse of NIST's", || {
        use beacon::nist::Pulse;
        const PULSE: &[u8] = include_bytes!("../nist/pulse-54610.json");
        const CERTIFICATE: &[u8] = include_bytes!("../nist/certificate.pem");
        beacon::verify_signatures();
        let (pulse, value) = Pulse::read(PULSE, Some(CERTIFICATE))?;
        let said = [Some(pulse.verify(&value)?), pulse.whose()];
        let has = pulse.has_certificate(CERTIFICATE)?;
        let seed = Seed::nist(pulse, &value);
        Ok(shown(&said)? ^ u64::from(has) ^ number(seed.bytes()?) ^ number(seed.source().bytes()))
    }),
];

pub(super) const KEPT: &[(&str, Call)] = &[("a kept FrameBuilder", || {
    let mut frame = FrameBuilder::new(WEIGHTS);
    for row in 0..40_u32 {
        let id = [b'a' + (row * 7 % 13) as u8, b'a' + (row % 11) as u8];
        let id = std::str::from_utf8(&id).expect("letters");
        again(|| frame.push(&[id, "1.5"]))?;
    }
    let frame = frame.finish(false)?;
    Ok(number(*frame.digest()) ^ frame.len())
})];
