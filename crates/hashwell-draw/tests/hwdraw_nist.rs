//! A published pulse of NIST's beacon and the certificate of its time: chain 1, pulse 54610, of 30 August 2018, as the
//! tests of the package nist-randomness-beacon have them (OpenSSL's `dgst -sha512 -verify` says that it verifies). Any
//! change of what is signed is refused.
#![cfg(feature = "nist")]

use hashwell::Sha512;
use hashwell_draw::hwdraw::beacon::{nist::Pulse, verify_signatures};
use hashwell_draw::hwdraw::{Columns, Frame, Method, Plan, Seed, Transcript, Wishes, verify};

const PULSE: &str = include_str!("nist/pulse-54610.json");
const CERTIFICATE: &str = include_str!("nist/certificate.pem");

fn read() -> (Pulse, Vec<u8>) {
    Pulse::read(PULSE.as_bytes(), Some(CERTIFICATE.as_bytes())).unwrap()
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_published_pulse_is_right() {
    verify_signatures();
    let (pulse, value) = read();
    assert_eq!((pulse.chain, pulse.pulse, &pulse.time[..]), (1, 54610, "2018-08-30T17:44:00.000Z"));
    let unchecked = pulse.verify(&value).unwrap();
    let id = "5501e3d72bc42f3b96e16de4dcadcb16768e109662bd16d667d5fd9aee585af31bbdc5dd4f53592276064b53dddd76c8f3604b2a41db6e09f78f82bb5d6569e7";
    assert_eq!(unchecked, format!("whether the certificate is the beacon's: its SHA-512 is {id}"));
    assert_eq!(pulse.whose(), Some(unchecked));
    // The same certificate as DER, and as the beacon writes it.
    let der = bytes(pulse.certificate.as_ref().unwrap());
    let beacons = CERTIFICATE.replacen("-----\n", "-----", 1).replace('\n', "\r\n");
    for form in [&der[..], beacons.as_bytes()] {
        assert_eq!(Pulse::read(PULSE.as_bytes(), Some(form)).unwrap(), (pulse.clone(), value.clone()));
        assert_eq!(pulse.has_certificate(form), Ok(true));
    }
    let without = Pulse::read(PULSE.as_bytes(), None).unwrap();
    assert_eq!((without.0.signature.as_str(), without.0.certificate, without.1), ("unchecked", None, value));
}

#[test]
fn a_flipped_bit_anywhere_is_refused() {
    verify_signatures();
    // Every digit, and every number, of the file; other characters make it no pulse, or are not signed.
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
            // The addresses of earlier pulses are not signed.
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
    let (message, signature) = (bytes(right.message.as_ref().unwrap()), bytes(&right.signature));
    let refused = |message: &[u8], signature: &[u8], why: &str| {
        let value = Sha512::digest(&[message, signature].concat());
        let forged = Pulse { message: Some(hex(message)), signature: hex(signature), ..right.clone() };
        let said = forged.verify(&value).unwrap_err().to_string();
        assert!(said.contains(why), "{said}");
    };
    // What the transcript's own fields say is compared with how the message begins; version and period are the message's own.
    let version = right.uri.len() + 8;
    let suite = version + usize::from(message[version - 1]);
    let (period, id) = (suite + 4, suite + 8);
    let end = id + 4 + 64 + 16 + 4 + right.time.len();
    let bound = |at| at < end && !(version..suite).contains(&at) && !(period..id).contains(&at);
    for at in (0..end).chain((end..message.len() - 4).step_by(97)) {
        let mut changed = message.clone();
        changed[at] ^= 0x10;
        refused(
            &changed,
            &signature,
            if bound(at) { "another pulse" } else { "the signature is not the certificate's" },
        );
    }
    // Of another status than normal operation, no signature is asked for.
    let mut broken = message.clone();
    *broken.last_mut().unwrap() = 1;
    refused(&broken, &signature, "its status is not 0, normal operation");
    for at in [0, 1, 255, 511] {
        let mut changed = signature.clone();
        changed[at] ^= 1;
        refused(&message, &changed, "the signature is not the certificate's");
    }
    refused(&message, &signature[1..], "the signature is not the certificate's");
    refused(&message, &[&[0], &signature[..]].concat(), "the signature is not the certificate's");
    // Another certificate, or none.
    let mut der = bytes(right.certificate.as_ref().unwrap());
    for at in (0..der.len()).step_by(211) {
        der[at] ^= 1;
        let other = Pulse { certificate: Some(hex(&der)), ..right.clone() };
        assert!(other.verify(&value).unwrap_err().to_string().contains("another certificate"));
        der[at] ^= 1;
    }
    for half in [Pulse { certificate: None, ..right.clone() }, Pulse { message: None, ..right.clone() }] {
        assert!(half.verify(&value).is_err());
    }
    // Fields of the transcript that are not the signed ones.
    for lie in [
        Pulse { pulse: 54611, ..right.clone() },
        Pulse { chain: 2, ..right.clone() },
        Pulse { time: "2018-08-30T17:45:00.000Z".into(), ..right.clone() },
        Pulse { uri: "https://example.org".into(), ..right.clone() },
    ] {
        assert!(lie.verify(&value).unwrap_err().to_string().contains("another pulse"));
    }
    assert!(right.verify(&value[1..]).is_err());
}

#[test]
fn transcripts_hold_what_verifies_them() {
    verify_signatures();
    let (pulse, value) = read();
    let frame = Frame::read(b"a\nb\nc\nd\n", Columns::default(), false, false).unwrap();
    let wishes = Wishes { k: Some(2), seed_source: "nist 1 54610".into(), ..Wishes::default() };
    let plan = Plan::new(&frame, Method::Index, wishes).unwrap();
    let transcript = Transcript::draw(plan, Seed::nist(pulse, &value), &frame, "test").unwrap();
    let again = Transcript::from_json(transcript.to_json().as_bytes()).unwrap();
    let verdict = verify(&again, Some(&frame));
    assert!(verdict.agrees(), "{verdict:?}");
    assert_eq!(verdict.unchecked, [again.seed.nist.as_ref().unwrap().whose().unwrap()]);
    let mut lie = again;
    let last = lie.seed.nist.as_mut().unwrap();
    last.signature.replace_range(..1, if last.signature.starts_with('0') { "1" } else { "0" });
    assert!(!verify(&lie, Some(&frame)).agrees());
}
