//! Any bytes are either a round of drand or a pulse of NIST's beacon, or they are refused with a one-line
//! error. Rounds and pulses that can be read verify; with a different number or value they don't. With any
//! certificate, only pulses that its key has signed verify.
#![no_main]

use hashwell_draw::hwdraw::beacon::{drand, nist, verify_signatures};
use libfuzzer_sys::fuzz_target;

fn one_line(error: &hashwell_draw::Error) {
    assert!(!error.to_string().contains(['\n', '\r']), "{error}");
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn round(json: &[u8], info: Option<&[u8]>) -> Result<(), hashwell_draw::Error> {
    let round = drand::Round::read(json, info)?;
    assert_eq!(round.verify(), Ok(()));
    // If the caller gives the key (`info`), the chain need not be a published one.
    assert!(info.is_some() || round.is_published() == Ok(true));
    let signature: Vec<u8> = (0..round.signature.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&round.signature[at..at + 2], 16).unwrap())
        .collect();
    assert_eq!(round.randomness()?, hashwell::Sha256::digest(&signature));
    assert!(drand::Round { round: round.round ^ 1, ..round }.verify().is_err());
    Ok(())
}

fn pulse(json: &[u8], certificate: Option<&[u8]>) -> Result<(), hashwell_draw::Error> {
    let (pulse, mut value) = nist::Pulse::read(json, certificate)?;
    assert_eq!(pulse.check(&value), Ok(()));
    if let Some(certificate) = certificate {
        assert_eq!(pulse.verify(&nist::Certificate::read(certificate)?), Ok(()));
    }
    assert!(nist::Pulse { pulse: pulse.pulse ^ 1, ..pulse.clone() }.check(&value).is_err());
    value[0] ^= 1;
    assert!(pulse.check(&value).is_err());
    Ok(())
}

/// Builds a pulse that names this certificate (DER) and has an invalid signature. It must be refused because
/// of the signature or the certificate's content, not because of its name.
fn under(certificate: &[u8], json: &[u8]) -> Result<(), hashwell_draw::Error> {
    let (pulse, value) = nist::Pulse::read(json, None)?;
    let mut message = Vec::new();
    let mut field = |bytes: &[u8]| {
        message.extend((bytes.len() as u32).to_be_bytes());
        message.extend(bytes);
    };
    field(pulse.uri.as_bytes());
    field(b"2.0");
    // The cipher suite, then the period.
    message.extend([0, 0, 0, 0, 0, 0, 0xea, 0x60]);
    message.extend(64_u32.to_be_bytes());
    message.extend(hashwell::Sha512::digest(certificate));
    message.extend(pulse.chain.to_be_bytes());
    message.extend(pulse.pulse.to_be_bytes());
    message.extend((pulse.time.len() as u32).to_be_bytes());
    message.extend(pulse.time.as_bytes());
    message.extend([0; 4]);
    let signature = value.repeat(8);
    let value = hashwell::Sha512::digest(&[&message[..], &signature].concat());
    let pulse = nist::Pulse {
        certificate: Some(hex(certificate)),
        message: hex(&message),
        signature: hex(&signature),
        ..pulse
    };
    assert_eq!(pulse.check(&value), Ok(()));
    let certificate = nist::Certificate::read(certificate)?;
    // If the certificate looks like PEM, the DER in it has a different hash value.
    if pulse.certificate_sha512()? != certificate.sha512() {
        return Ok(());
    }
    let error = pulse.verify(&certificate).unwrap_err();
    let said = error.to_string();
    assert!(said.contains("certificate") && !said.contains("names another certificate"), "{said}");
    Err(error)
}

fuzz_target!(init: verify_signatures(), |bytes: &[u8]| {
    let Some((kind, files)) = bytes.split_first() else { return };
    // A second file can follow.
    let mut parts = files.splitn(2, |byte| *byte == 0);
    let (json, other) = (parts.next().unwrap_or_default(), parts.next());
    let read = match (kind, other) {
        (b'd', _) => round(json, other),
        (b'c', Some(certificate)) => under(certificate, json),
        _ => pulse(json, other),
    };
    if let Err(error) = read {
        one_line(&error);
    }
});
