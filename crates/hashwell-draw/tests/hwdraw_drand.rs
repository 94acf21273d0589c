//! Tests published rounds of drand, as in the tests of drand-verify: unchanged, with one bit flipped, with a different
//! round, and with a different key.

use hashwell::Sha256;
use hashwell_draw::hwdraw::beacon::drand::{CHAINS, Info, Round};
use hashwell_draw::hwdraw::beacon::verify_signatures;
use hashwell_draw::hwdraw::{
    Columns, DrawOptions, EntryList, Evidence, KeyMismatch, Method, Mismatch, Origin, Outcome, Plan, Planned,
    Seed, SeedSource, Transcript, Unchecked, Verification, verify,
};

const MAINNET: &str = r#"{"round":72785,
    "randomness":"8b676484b5fb1f37f9ec5c413d7d29883504e5b669f604a1ce68b3388e9ae3d9",
    "signature":"82f5d3d2de4db19d40a6980e8aa37842a0e55d1df06bd68bddc8d60002e8e959eb9cfa368b3c1b77d18f02a54fe047b80f0989315f83b12a74fd8679c4f12aae86eaf6ab5690b34f1fddd50ee3cc6f6cdf59e95526d5a5d82aaa84fa6f181e42",
    "previous_signature":"a609e19a03c2fcc559e8dae14900aaefe517cb55c840f6e69bc8e4f66c8d18e8a609685d9917efbfb0c37f058c2de88f13d297c7e19e0ab24813079efe57a182554ff054c7638153f9b26a60e7111f71a0ff63d9571704905d3ca6df0b031747"}"#;
const QUICKNET: &str = r#"{"round":123,"signature":"b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92"}"#;
const FASTNET: &str = r#"{"round":23456,"signature":"98401ef9833e75bf06fda3243e4fcf6d075d62b45c2a59d26df5d5fcbdfd0c14ee89fc035abd5528a8c25b68fbecae65"}"#;

/// Period, time of the first round, group hash and beacon id: the other values that `/info` returns besides key and
/// hash.
const PARAMETERS: [(u32, i64, &str, &str); 3] = [
    (3, 1_692_803_367, "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e", "quicknet"),
    (30, 1_595_431_050, "176f93498eac9ca337150b46d21dd58673ea4e3581185f869672e59fa4cb390a", "default"),
    (3, 1_677_685_200, "a81e9d63f614ccdb144b8ff79fbd4d5a2d22055c0bfe4ee9a8092003dab1c6c0", "fastnet"),
];

fn info(i: usize) -> String {
    let (chain, (period, genesis, group, beacon)) = (CHAINS[i], PARAMETERS[i]);
    format!(
        r#"{{"public_key":"{}","period":{period},"genesis_time":{genesis},"hash":"{}","groupHash":"{group}","schemeID":"{}","metadata":{{"beaconID":"{beacon}"}}}}"#,
        chain.public_key, chain.hash, chain.scheme
    )
}

#[test]
fn published_rounds_are_right() {
    verify_signatures();
    for (json, i) in [(QUICKNET, 0), (MAINNET, 1), (FASTNET, 2)] {
        // The chain's hash depends on these values, see `info`.
        assert_eq!((CHAINS[i].period, CHAINS[i].genesis), (PARAMETERS[i].0, PARAMETERS[i].1));
        assert_eq!((CHAINS[i].time(1), CHAINS[i].time(u64::MAX)), (PARAMETERS[i].1, i64::MAX));
        let round = Round::read(json.as_bytes(), None).unwrap();
        assert_eq!(round.chain, CHAINS[i].hash);
        assert_eq!(round.is_published(), Ok(true));
        assert_eq!(Round::read(json.as_bytes(), Some(info(i).as_bytes())), Ok(round.clone()));
        let signature: Vec<u8> = (0..round.signature.len() / 2)
            .map(|i| u8::from_str_radix(&round.signature[2 * i..2 * i + 2], 16).unwrap())
            .collect();
        assert_eq!(round.randomness().unwrap(), Sha256::digest(&signature));
    }
}

#[test]
fn anything_else_is_refused() {
    verify_signatures();
    for (json, i) in [(QUICKNET, 0), (MAINNET, 1), (FASTNET, 2)] {
        let right = Round::read(json.as_bytes(), None).unwrap();
        let refused = |what: &str, change: &dyn Fn(&mut Round)| {
            let mut wrong = right.clone();
            change(&mut wrong);
            assert!(wrong.verify().is_err(), "{what} of {}", CHAINS[i].name);
        };
        let flip = |text: &mut String, digit: usize| {
            let value = u8::from_str_radix(&text[digit..=digit], 16).unwrap() ^ 1;
            text.replace_range(digit..=digit, &format!("{value:x}"));
        };
        let last = right.signature.len() - 1;
        for digit in [1, 2, 40, last] {
            refused("a flipped bit", &|round| flip(&mut round.signature, digit));
        }
        refused("the sign", &|round| {
            let sign = u8::from_str_radix(&round.signature[..2], 16).unwrap() ^ 0x20;
            round.signature.replace_range(..2, &format!("{sign:02x}"));
        });
        refused("another round", &|round| round.round += 1);
        refused("a key with a flipped bit", &|round| flip(&mut round.public_key, 50));
        refused("the key at infinity", &|round| {
            round.public_key = format!("c0{}", "0".repeat(round.public_key.len() - 2));
            round.signature = format!("c0{}", "0".repeat(round.signature.len() - 2));
        });
        refused("a short signature", &|round| round.signature.truncate(last - 1));
        refused("another scheme", &|round| round.scheme = "bls-bn254-unchained-on-g1".to_owned());
        if right.previous_signature.is_some() {
            refused("another round before", &|round| {
                round.previous_signature.iter_mut().for_each(|s| flip(s, 9));
            });
        }
        assert!(Round::read(json.replace("\"round\":", "\"round\":1").as_bytes(), None).is_err());
        assert!(Round::read(json.as_bytes(), Some(info((i + 1) % 3).as_bytes())).is_err());
        let false_info = info(i).replace("\"period\":3", "\"period\":4");
        assert!(
            Round::read(json.as_bytes(), Some(false_info.as_bytes()))
                .unwrap_err()
                .to_string()
                .contains("hash")
        );
    }
    let randomness = MAINNET.replace("\"8b67", "\"8b68");
    assert!(Round::read(randomness.as_bytes(), None).unwrap_err().to_string().contains("randomness"));
    assert!(Round::read(b"{\"round\":1}", None).is_err());
}

#[test]
fn a_transcript_holds_its_round() {
    verify_signatures();
    let entries = EntryList::read(b"a\nb\nc\n", Columns::default(), false, false).unwrap();
    let seed = Seed::drand(Round::read(QUICKNET.as_bytes(), None).unwrap()).unwrap();
    let planned = |seed_source: SeedSource| {
        let wishes = DrawOptions { k: Some(1), seed_source, ..DrawOptions::default() };
        Plan::new(&entries, Method::Index, wishes).unwrap()
    };
    let source = |chain: &str, round| SeedSource::from(Planned::Drand { chain: chain.to_owned(), round });
    assert_eq!(seed.source(), Ok(source(CHAINS[0].hash, 123)));
    for other in [source(CHAINS[0].hash, 124), source(CHAINS[1].hash, 123), Planned::Hex.into()] {
        let another = Transcript::draw(planned(other.clone()), seed.clone(), &entries, "a test").unwrap_err();
        assert!(
            another
                .to_string()
                .starts_with(&format!("the plan's seed is {other}, but the given seed is drand"))
        );
    }
    // A seed from a different source than the planned round.
    let refused = Transcript::draw(planned(source(CHAINS[0].hash, 123)), Seed::text("a"), &entries, "a test");
    assert!(refused.is_err());
    let transcript = Transcript::draw(planned(seed.source().unwrap()), seed, &entries, "a test").unwrap();
    let commitment = transcript.commitment.clone();
    let verified = |transcript: &Transcript| {
        let evidence =
            Evidence { list: Some(&entries), commitment: Some(&commitment), ..Evidence::default() };
        verify(transcript, &evidence).unwrap()
    };
    assert_eq!(verified(&transcript).outcome(), Outcome::Verified);
    // A seed with the attacker's own key. The chain is a published one, which has a different key.
    let mut forged = transcript.clone();
    forged.seed.drand.as_mut().unwrap().public_key = CHAINS[2].public_key.to_owned();
    let found = verified(&forged);
    let [Mismatch::Beacon { error }] = found.mismatches() else { panic!("{found:?}") };
    assert!(error.to_string().contains("its key is not the key of chain quicknet"), "{found:?}");
    // The signature of another round, with its digest as the seed.
    let mut other = transcript;
    other.seed.drand.as_mut().unwrap().round = 124;
    let codes: Vec<&str> = verified(&other).mismatches().iter().map(Mismatch::code).collect();
    assert_eq!(codes, ["seed-origin", "beacon"]);
}

/// A chain that isn't published: its parameters contain the key. The key of quicknet with a different hash is such a
/// chain, because the hash depends on the period, too.
#[test]
fn a_chain_of_ones_own_needs_its_parameters() {
    verify_signatures();
    let entries = EntryList::read(b"a\nb\nc\n", Columns::default(), false, false).unwrap();
    let key: Vec<u8> = bytes(CHAINS[0].public_key);
    let (period, genesis, group, beacon) = (4_u32, PARAMETERS[0].1, PARAMETERS[0].2, "own");
    let hash = |beacon: &str| {
        let parts =
            [&period.to_be_bytes()[..], &genesis.to_be_bytes(), &key, &bytes(group), beacon.as_bytes()];
        hex(&Sha256::digest(&parts.concat()))
    };
    let own = |beacon: &str| {
        info(0)
            .replace("\"period\":3", "\"period\":4")
            .replace(CHAINS[0].hash, &hash(beacon))
            .replace("quicknet", beacon)
    };
    let json = own(beacon);
    let round = Round::read(QUICKNET.as_bytes(), Some(json.as_bytes())).unwrap();
    assert_eq!(round.is_published(), Ok(false));
    let seed = Seed::drand(round).unwrap();
    let wishes = DrawOptions { k: Some(1), seed_source: seed.source().unwrap(), ..DrawOptions::default() };
    let plan = Plan::new(&entries, Method::Index, wishes).unwrap();
    let transcript = Transcript::draw(plan, seed, &entries, "a test").unwrap();
    let with = |transcript: &Transcript, chain: Option<&str>| {
        verify(
            transcript,
            &Evidence {
                list: Some(&entries),
                commitment: Some(&transcript.commitment),
                drand_chain: chain.map(|json| Info::read(json.as_bytes()).unwrap()),
                ..Evidence::default()
            },
        )
        .unwrap()
    };
    let without = with(&transcript, None);
    assert_eq!(without.outcome(), Outcome::Partial);
    assert_eq!(without.unchecked(), [Unchecked::BeaconKey { key: hash(beacon), kind: Origin::Drand }]);
    assert_eq!(with(&transcript, Some(&json)).outcome(), Outcome::Verified);
    for other in [own("others"), info(0)] {
        let found = with(&transcript, Some(&other));
        assert!(matches!(found.mismatches()[0], Mismatch::BeaconKey(KeyMismatch::Chain { .. })), "{found:?}");
    }
    // The same chain with a different key: the given parameters determine the right one.
    let mut forged = transcript;
    let forger = forged.seed.drand.as_mut().unwrap();
    forger.public_key = CHAINS[2].public_key.to_owned();
    assert_eq!(with(&forged, Some(&json)).mismatches()[0], Mismatch::BeaconKey(KeyMismatch::Key));
}

/// The published rounds of `vectors/draw.json`.
#[test]
fn rounds_of_the_vectors_give_their_seeds() {
    verify_signatures();
    let file: serde_json::Value = serde_json::from_str(include_str!("vectors/draw.json")).unwrap();
    let mut count = 0;
    for case in file["cases"].as_array().unwrap() {
        if let (Some(chain), Some(published)) = (case["chain"].as_str(), case.get("published")) {
            let round = Round::read(published.to_string().as_bytes(), None).unwrap();
            assert_eq!((&*round.chain, round.is_published()), (chain, Ok(true)));
            assert_eq!(hex(&round.randomness().unwrap()), case["seed"]);
            count += 1;
        }
        if case["transcript"]["seed"]["from"] == "drand" {
            let transcript = Transcript::from_json(case["transcript"].to_string().as_bytes()).unwrap();
            let found = verify(&transcript, &Evidence::default()).unwrap();
            let unchecked = vec![Unchecked::Commitment, Unchecked::List];
            assert_eq!(found, Verification::Partial(unchecked), "{}", case["name"]);
            count += 1;
        }
    }
    assert_eq!(count, 2 + 3);
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
