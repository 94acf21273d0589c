//! Published pulses of NIST's beacon with the certificates of their time: pulse 54610 of chain 1 (30 August 2018), as
//! in the tests of the package nist-randomness-beacon, and the pulses of chain 2 in `vectors/draw.json`. Any change of
//! the signed bytes is rejected.

use hashwell::Sha512;
use hashwell_draw::hwdraw::beacon::nist::{CERTIFICATES, Certificate, Pulse, is_published};
use hashwell_draw::hwdraw::beacon::verify_signatures;
use hashwell_draw::hwdraw::{
    Columns, DrawOptions, EntryList, Evidence, KeyMismatch, Method, Mismatch, Origin, Outcome, Plan, Planned,
    Seed, Transcript, Unchecked, Verification, verify,
};

const PULSE: &str = include_str!("nist/pulse-54610.json");
const CERTIFICATE: &str = CERTIFICATES[1].pem;

fn read() -> (Pulse, Vec<u8>) {
    Pulse::read(PULSE.as_bytes(), Some(CERTIFICATE.as_bytes())).unwrap()
}

fn certificate() -> Certificate {
    Certificate::read(CERTIFICATE.as_bytes()).unwrap()
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The end of a certificate's validity, in seconds since 1970: the second time in it, as `YYMMDDhhmmssZ`.
fn end(pem: &str) -> i64 {
    let text: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
    let der = data_encoding::BASE64.decode(text.as_bytes()).unwrap();
    let time = der.windows(15).filter(|bytes| bytes[..2] == [0x17, 13] && bytes[14] == b'Z').nth(1).unwrap();
    let digits = |at: usize| i64::from(time[at] - b'0') * 10 + i64::from(time[at + 1] - b'0');
    let [year, month, day, hour, minute, second] = [2, 4, 6, 8, 10, 12].map(digits);
    // Days before the month, in a year that begins in March, and leap days since 2000.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 11_017 + 365 * year + year / 4 + (153 * month + 2) / 5 + day - 1;
    ((days * 24 + hour) * 60 + minute) * 60 + second
}

#[test]
fn a_published_pulse_is_right() {
    verify_signatures();
    let (pulse, value) = read();
    assert_eq!((pulse.chain, pulse.pulse, &pulse.time[..]), (1, 54610, "2018-08-30T17:44:00.000Z"));
    assert_eq!((pulse.check(&value), pulse.verify(&certificate())), (Ok(()), Ok(())));
    assert_eq!(pulse.certificate_sha512(), Ok(CERTIFICATES[1].sha512.to_owned()));
    // The same certificate as DER, in the beacon's format, and from the published ones.
    let der = bytes(pulse.certificate.as_ref().unwrap());
    let beacons = CERTIFICATE.replacen("-----\n", "-----", 1).replace('\n', "\r\n");
    for form in [Some(&der[..]), Some(beacons.as_bytes()), None] {
        assert_eq!(Pulse::read(PULSE.as_bytes(), form).unwrap(), (pulse.clone(), value.clone()));
    }
    let other = Pulse::read(PULSE.as_bytes(), Some(CERTIFICATES[0].pem.as_bytes())).unwrap_err();
    assert!(other.to_string().contains("it names certificate 5501e3d7"), "{other}");
}

#[test]
fn published_certificates_have_their_digests() {
    for published in CERTIFICATES {
        assert_eq!(Certificate::read(published.pem.as_bytes()).unwrap().sha512(), published.sha512);
        assert!(is_published(published.sha512));
        assert_eq!(published.until, end(published.pem));
    }
    assert!(!is_published("") && !is_published(&"0".repeat(128)));
}

/// The published pulses of `vectors/draw.json`, and the draws from them.
#[test]
fn pulses_of_the_vectors_give_their_seeds() {
    verify_signatures();
    let file: serde_json::Value = serde_json::from_str(include_str!("vectors/draw.json")).unwrap();
    let mut count = 0;
    for case in file["cases"].as_array().unwrap() {
        if let (Some(sha512), Some(published)) = (case["certificate"].as_str(), case.get("published")) {
            let (pulse, value) = Pulse::read(published.to_string().as_bytes(), None).unwrap();
            assert_eq!(pulse.certificate_sha512().unwrap(), sha512);
            assert!(pulse.certificate.is_some());
            assert_eq!(hex(&value), case["seed"]);
            count += 1;
        }
        if case["transcript"]["seed"]["from"] == "nist" {
            let transcript = Transcript::from_json(case["transcript"].to_string().as_bytes()).unwrap();
            let verdict = verify(&transcript, &Evidence::default());
            let unchecked = vec![Unchecked::Commitment, Unchecked::List];
            assert_eq!(verdict, Ok(Verification::Partial(unchecked)), "{}", case["name"]);
            count += 1;
        }
    }
    assert_eq!(count, 2 + 2);
}

#[test]
fn a_flipped_bit_anywhere_is_refused() {
    verify_signatures();
    // A bit of every digit is flipped, including the hexadecimal ones. Other characters are not changed: either this
    // would make the file invalid, or they are not signed.
    let (right, value) = read();
    let at = PULSE.find("\"uri\"").unwrap();
    let mut refused = 0;
    for (i, byte) in PULSE.bytes().enumerate().skip(at) {
        if !byte.is_ascii_hexdigit() || byte.is_ascii_lowercase() {
            continue;
        }
        let mut changed = PULSE.as_bytes().to_vec();
        changed[i] ^= 1;
        match Pulse::read(&changed, Some(CERTIFICATE.as_bytes())) {
            Err(_) => refused += 1,
            // The URLs of earlier pulses are not signed.
            Ok(same) => {
                assert_eq!(same, (right.clone(), value.clone()));
                let line = PULSE[..i].rsplit('\n').next().unwrap();
                assert!(line.contains("uri") && !line.contains("54610"), "{line}");
            }
        }
    }
    assert!(refused > 2000, "{refused}");
}

#[test]
fn whoever_makes_the_output_value_anew_needs_the_key() {
    verify_signatures();
    let (right, value) = read();
    let (message, signature) = (bytes(&right.message), bytes(&right.signature));
    let refused = |message: &[u8], signature: &[u8], why: &str| {
        let value = Sha512::digest(&[message, signature].concat());
        let forged = Pulse { message: hex(message), signature: hex(signature), ..right.clone() };
        let found = forged.check(&value).and_then(|()| forged.verify(&certificate()));
        let said = found.unwrap_err().to_string();
        assert!(said.contains(why), "{said}");
    };
    // The fields of the transcript are compared with the beginning of the message, except version and period.
    let version = right.uri.len() + 8;
    let suite = version + usize::from(message[version - 1]);
    let (period, id) = (suite + 4, suite + 8);
    let end = id + 4 + 64 + 16 + 4 + right.time.len();
    for at in (0..end).chain((end..message.len() - 4).step_by(97)) {
        let mut changed = message.clone();
        changed[at] ^= 0x10;
        let why = if (suite..period).contains(&at) {
            "its cipher suite is"
        } else if (id..id + 4 + 64).contains(&at) {
            ""
        } else if at >= end || (version..suite).contains(&at) || (period..id).contains(&at) {
            "the signature was not made with the certificate's key"
        } else {
            ""
        };
        refused(&changed, &signature, why);
    }
    for cut in [0, 3, 4, 60, 100, end - 1] {
        refused(&message[..cut], &signature, "its message is too short");
    }
    // If the status is not normal operation, no signature is required.
    let mut broken = message.clone();
    *broken.last_mut().unwrap() = 1;
    refused(&broken, &signature, "its status is not 0 (normal operation)");
    for at in [0, 1, 255, 511] {
        let mut changed = signature.clone();
        changed[at] ^= 1;
        refused(&message, &changed, "the signature was not made with the certificate's key");
    }
    refused(&message, &signature[1..], "the signature was not made with the certificate's key");
    refused(
        &message,
        &[&[0], &signature[..]].concat(),
        "the signature was not made with the certificate's key",
    );
    // A different certificate.
    let der = bytes(right.certificate.as_ref().unwrap());
    for at in (4..der.len()).step_by(211) {
        let mut other = der.clone();
        other[at] ^= 1;
        let said =
            Pulse { certificate: Some(hex(&other)), ..right.clone() }.check(&value).unwrap_err().to_string();
        assert!(said.contains("does not name the given certificate"), "{said}");
        let said = right.verify(&Certificate::read(&other).unwrap()).unwrap_err().to_string();
        assert!(said.contains("does not name the given certificate"), "{said}");
    }
    for file in [&b""[..], b"pear\n", &der[..der.len() - 1], &[&der[..], b"\0"].concat()] {
        let said = Certificate::read(file).unwrap_err().to_string();
        assert!(said.contains("neither PEM nor DER"), "{said}");
    }
    // Fields of the transcript that differ from the signed ones.
    for lie in [
        Pulse { pulse: 54611, ..right.clone() },
        Pulse { chain: 2, ..right.clone() },
        Pulse { time: "2018-08-30T17:45:00.000Z".into(), ..right.clone() },
        Pulse { uri: "https://example.org".into(), ..right.clone() },
    ] {
        assert!(lie.check(&value).unwrap_err().to_string().contains("time, chain or pulse differs"));
    }
    assert!(right.check(&value[1..]).is_err());
}

/// A forged pulse can contain anything, but its URL must name it, and its time must be valid.
#[test]
fn addresses_and_times_have_their_form() {
    let (right, _) = Pulse::read(PULSE.as_bytes(), None).unwrap();
    let made = |uri: &str, time: &str| {
        // The message as an attacker would make it, with lengths in front of URI and time.
        let field = |text: &str| [&(text.len() as u32).to_be_bytes()[..], text.as_bytes()].concat();
        let mut message = bytes(&right.message);
        for (from, to) in [(&right.uri, uri), (&right.time, time)] {
            let old = field(from);
            let at = message.windows(old.len()).position(|window| window == old).unwrap();
            message.splice(at..at + old.len(), field(to));
        }
        let value = Sha512::digest(&[message.clone(), bytes(&right.signature)].concat());
        let pulse =
            Pulse { message: hex(&message), uri: uri.to_owned(), time: time.to_owned(), ..right.clone() };
        pulse.check(&value)
    };
    assert_eq!(made(&right.uri, &right.time), Ok(()));
    let path = "/chain/1/pulse/54610";
    assert_eq!(made(&format!("https://other.example{path}"), &right.time), Ok(()));
    for uri in [
        &format!("http://beacon.nist.gov/beacon/2.0{path}")[..],
        "https://beacon.nist.gov/beacon/2.0/chain/1/pulse/1",
        "https://beacon.nist.gov/beacon/2.0/chain/2/pulse/54610",
        &format!("https://beacon.nist.gov{path}0"),
        "",
    ] {
        assert!(made(uri, &right.time).unwrap_err().to_string().contains("its uri "), "{uri}");
    }
    for time in
        ["1970-01-01", "", "2018-08-30T17:44:00Z", "2018-08-30 17:44:00.000Z", "2018-08-30T17:44:00.000Zx"]
    {
        assert!(made(&right.uri, time).unwrap_err().to_string().contains("its time "), "{time}");
    }
}

#[test]
fn transcripts_hold_what_verifies_them() {
    verify_signatures();
    let (pulse, value) = read();
    let entries = EntryList::read(b"a\nb\nc\nd\n", Columns::default(), false, false).unwrap();
    let seed = Seed::nist(pulse, &value);
    let planned = |planned: Planned| {
        let wishes = DrawOptions { k: Some(2), seed_source: planned.into(), ..DrawOptions::default() };
        Plan::new(&entries, Method::Index, wishes).unwrap()
    };
    let sha512 = CERTIFICATES[1].sha512.to_owned();
    // A different certificate gives a different seed, even for the same chain and pulse.
    let others = Planned::Nist { certificate: CERTIFICATES[0].sha512.to_owned(), chain: 1, pulse: 54610 };
    assert!(Transcript::draw(planned(others), seed.clone(), &entries, "test").is_err());
    let plan = planned(Planned::Nist { certificate: sha512, chain: 1, pulse: 54610 });
    let transcript = Transcript::draw(plan, seed, &entries, "test").unwrap();
    let again = Transcript::from_json(transcript.to_json().as_bytes()).unwrap();
    let evidence = |certificate: Option<usize>| Evidence {
        list: Some(&entries),
        commitment: Some(&transcript.commitment),
        certificate: certificate.map(|i| Certificate::read(CERTIFICATES[i].pem.as_bytes()).unwrap()),
        ..Evidence::default()
    };
    assert_eq!(verify(&again, &evidence(None)).unwrap().outcome(), Outcome::Verified);
    assert_eq!(verify(&again, &evidence(Some(1))).unwrap().outcome(), Outcome::Verified);
    let given = CERTIFICATES[0].sha512.to_owned();
    let other = Mismatch::BeaconKey(KeyMismatch::Certificate { given });
    assert_eq!(verify(&again, &evidence(Some(0))).unwrap(), Verification::Mismatch(vec![other]));
    let mut without = again.clone();
    without.seed.nist.as_mut().unwrap().certificate = None;
    assert_eq!(verify(&without, &evidence(None)).unwrap().outcome(), Outcome::Verified);
    let mut lie = again;
    let last = lie.seed.nist.as_mut().unwrap();
    last.signature.replace_range(..1, if last.signature.starts_with('0') { "1" } else { "0" });
    assert_eq!(verify(&lie, &evidence(None)).unwrap().outcome(), Outcome::Mismatch);
}

/// A forged pulse. Without a certificate, its signature isn't verified, so nothing shows that it is from the beacon.
#[test]
fn a_pulse_of_ones_own_is_not_verified() {
    verify_signatures();
    let (right, _) = read();
    let entries = EntryList::read(b"a\nb\n", Columns::default(), false, false).unwrap();
    let id = bytes(CERTIFICATES[1].sha512);
    let mut message = bytes(&right.message);
    let at = message.windows(64).position(|window| window == id).unwrap();
    message[at] ^= 1;
    let own = hex(&message[at..at + 64]);
    let value = Sha512::digest(&[message.clone(), bytes(&right.signature)].concat());
    let seed = Seed::nist(Pulse { certificate: None, message: hex(&message), ..right }, &value);
    let wishes = DrawOptions { k: Some(1), seed_source: seed.source().unwrap(), ..DrawOptions::default() };
    let plan = Plan::new(&entries, Method::Index, wishes).unwrap();
    let transcript = Transcript::draw(plan, seed, &entries, "test").unwrap();
    let evidence = Evidence {
        list: Some(&entries),
        commitment: Some(&transcript.commitment),
        seed_attested: true,
        ..Evidence::default()
    };
    let kind = Origin::Nist;
    let unchecked = vec![Unchecked::BeaconKey { key: own, kind }, Unchecked::BeaconSignature { kind }];
    assert_eq!(verify(&transcript, &evidence), Ok(Verification::Partial(unchecked)));
}
