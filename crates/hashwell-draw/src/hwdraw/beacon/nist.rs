//! Pulses of NIST's Randomness Beacon, version 2.0 (NISTIR 8213, draft of May 2019, section 4 and its appendix on
//! fields).
//!
//! ```text
//! message = all fields from uri to statusCode, in their order (section "signatureValue")
//! signatureValue = RSASSA-PKCS1-v1_5, SHA-512, of message          certificateId = SHA-512(certificate, as DER)
//! outputValue = SHA-512(message ‖ signatureValue)
//! ```

use super::signatures::NIST;
use crate::Error;
use crate::hwdraw::{hex, one_line, present, unhex};
use data_encoding::BASE64;
use hashwell::Sha512;
use serde::{Deserialize, Serialize};

/// Which pulse a seed is of, and what verifies it. Fields are in the order of their names; bytes are in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pulse {
    /// The certificate, as DER, of a pulse that was verified.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
    /// The chain's number.
    pub chain: u64,
    /// What is signed, of a pulse that was verified.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The pulse's number in its chain.
    pub pulse: u64,
    /// The signature, or `unchecked` if there was no certificate to verify it.
    pub signature: String,
    /// Its time, as it says.
    pub time: String,
    /// Where it is published.
    pub uri: String,
}

/// In place of a signature that nobody verified.
const UNCHECKED: &str = "unchecked";

#[derive(Deserialize)]
struct Published<T> {
    pulse: T,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Fields {
    chain_index: u64,
    pulse_index: u64,
    time_stamp: String,
    uri: String,
    output_value: String,
    status_code: u32,
}

/// What is signed besides.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Signed {
    version: String,
    cipher_suite: u32,
    period: u32,
    certificate_id: String,
    local_random_value: String,
    external: External,
    list_values: Vec<Listed>,
    precommitment_value: String,
    signature_value: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct External {
    source_id: String,
    status_code: u32,
    value: String,
}

#[derive(Deserialize)]
struct Listed {
    value: String,
}

impl Pulse {
    /// The pulse of a file as the beacon gives it, and its output value of 64 bytes. With a certificate, as PEM or DER,
    /// the pulse is verified with it, and holds it; without one, nothing says that it is the beacon's: compare it with
    /// what its URI gives.
    ///
    /// # Errors
    /// [`Error::Invalid`] for another shape, for a pulse whose status is not 0, normal operation, and as
    /// [`Pulse::verify`].
    pub fn read(json: &[u8], certificate: Option<&[u8]>) -> Result<(Self, Vec<u8>), Error> {
        let Published { pulse } = parse::<Published<Fields>>(json)?;
        let value = bytes(&pulse.output_value)?;
        if value.len() != OUTPUT_BYTES {
            return Err(invalid(format!("its output value has {} bytes, not 64", value.len())));
        }
        if pulse.status_code != 0 {
            return Err(invalid(format!("its status is {}, not 0, normal operation", pulse.status_code)));
        }
        let mut read = Self {
            certificate: None,
            chain: pulse.chain_index,
            message: None,
            pulse: pulse.pulse_index,
            signature: UNCHECKED.to_owned(),
            time: pulse.time_stamp.clone(),
            uri: pulse.uri.clone(),
        };
        if let Some(certificate) = certificate {
            let Published { pulse: signed } = parse::<Published<Signed>>(json)?;
            read.certificate = Some(hex(&der(certificate)?));
            read.message = Some(hex(&message(&pulse, &signed)?));
            read.signature = hex(&bytes(&signed.signature_value)?);
            read.verify(&value)?;
        }
        Ok((read, value))
    }

    /// Whether all agrees of a pulse that has a certificate: the certificate with the id that is signed, the fields
    /// with what is signed, the time with the certificate's, the signature, and the output value with message and
    /// signature. What cannot be said is returned, in words. Of a pulse without one it is the signature.
    ///
    /// # Errors
    /// [`Error::Invalid`] names what is wrong; a pulse with a certificate is that, too, where nothing verifies
    /// signatures: `beacon::verify_signatures` was not called, which feature `nist` brings.
    pub fn verify(&self, value: &[u8]) -> Result<String, Error> {
        let (certificate, message) = match (&self.certificate, &self.message) {
            (None, None) if self.signature == UNCHECKED => {
                let uri = crate::hwdraw::frame::quoted(&self.uri);
                return Ok(format!("the pulse's signature; compare it with {uri}"));
            }
            (Some(certificate), Some(message)) => (unhex(WHAT, certificate)?, unhex(WHAT, message)?),
            _ => return Err(invalid("it has some of certificate, message and signature".to_owned())),
        };
        let signature = unhex(WHAT, &self.signature)?;
        let id = Sha512::digest(&certificate);
        if !message.starts_with(&self.beginning(&message, &id)) {
            return Err(invalid("what is signed is another pulse, or names another certificate".to_owned()));
        }
        // The status ends the message.
        if !message.ends_with(&[0; 4]) {
            return Err(invalid("its status is not 0, normal operation".to_owned()));
        }
        if Sha512::digest(&[&message[..], &signature].concat())[..] != *value {
            return Err(invalid("its output value is not the SHA-512 of message and signature".to_owned()));
        }
        let verify = NIST.get().ok_or_else(|| {
            invalid("it has a certificate, and nothing here verifies signatures of NIST's beacon".to_owned())
        })?;
        verify(&certificate, &self.time, &message, &signature).map_err(invalid)?;
        Ok(whose(&id))
    }

    /// How a message of this pulse begins: uri, version, suite, period, certificate, chain, pulse, time. Version and
    /// period are the message's own; the suite is 0, RSA and SHA-512.
    fn beginning(&self, message: &[u8], id: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        field(&mut out, self.uri.as_bytes());
        let version = message.get(out.len()..).and_then(|rest| rest.first_chunk());
        let version = version.map_or(0, |len| u32::from_be_bytes(*len) as usize);
        let end = out.len().saturating_add(4).saturating_add(version);
        out.extend(message.get(out.len()..end).unwrap_or_default());
        out.extend(0_u32.to_be_bytes());
        out.extend(message.get(out.len()..out.len() + 4).unwrap_or_default());
        field(&mut out, id);
        out.extend(self.chain.to_be_bytes());
        out.extend(self.pulse.to_be_bytes());
        field(&mut out, self.time.as_bytes());
        out
    }

    /// Whether it was verified with this certificate, as PEM or DER.
    ///
    /// # Errors
    /// [`Error::Invalid`] for what is neither.
    pub fn has_certificate(&self, certificate: &[u8]) -> Result<bool, Error> {
        Ok(self.certificate.as_ref() == Some(&hex(&der(certificate)?)))
    }

    /// What verifying cannot say of a pulse that has a certificate, in the words of [`Pulse::verify`].
    #[must_use]
    pub fn whose(&self) -> Option<String> {
        let certificate = unhex(WHAT, self.certificate.as_ref()?).ok()?;
        Some(whose(&Sha512::digest(&certificate)))
    }
}

fn whose(id: &[u8]) -> String {
    format!("whether the certificate is the beacon's: its SHA-512 is {}", hex(id))
}

/// All fields in the order in which they are signed.
fn message(pulse: &Fields, signed: &Signed) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    field(&mut out, pulse.uri.as_bytes());
    field(&mut out, signed.version.as_bytes());
    out.extend(signed.cipher_suite.to_be_bytes());
    out.extend(signed.period.to_be_bytes());
    field(&mut out, &bytes(&signed.certificate_id)?);
    out.extend(pulse.chain_index.to_be_bytes());
    out.extend(pulse.pulse_index.to_be_bytes());
    field(&mut out, pulse.time_stamp.as_bytes());
    field(&mut out, &bytes(&signed.local_random_value)?);
    field(&mut out, &bytes(&signed.external.source_id)?);
    out.extend(signed.external.status_code.to_be_bytes());
    field(&mut out, &bytes(&signed.external.value)?);
    for listed in &signed.list_values {
        field(&mut out, &bytes(&listed.value)?);
    }
    field(&mut out, &bytes(&signed.precommitment_value)?);
    out.extend(pulse.status_code.to_be_bytes());
    Ok(out)
}

/// Bytes behind their length, of 4 bytes.
fn field(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend((bytes.len() as u32).to_be_bytes());
    out.extend(bytes);
}

/// The beacon's hexadecimal, which has capitals.
fn bytes(text: &str) -> Result<Vec<u8>, Error> {
    unhex(WHAT, &text.to_ascii_lowercase())
}

/// A certificate as DER. The beacon's own PEM has no newline after its first line, so that newlines do not count.
fn der(certificate: &[u8]) -> Result<Vec<u8>, Error> {
    const MARKS: [&str; 2] = ["-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"];
    let Some(text) =
        std::str::from_utf8(certificate).ok().filter(|text| text.trim_start().starts_with("-----"))
    else {
        return Ok(certificate.to_vec());
    };
    let inside =
        text.split_once(MARKS[0]).and_then(|(_, rest)| rest.split_once(MARKS[1])).map(|(inside, _)| inside);
    let base64: String = inside.unwrap_or_default().split_ascii_whitespace().collect();
    match BASE64.decode(base64.as_bytes()) {
        Ok(der) if !der.is_empty() => Ok(der),
        _ => Err(Error::invalid("a certificate", "it has no base64 between BEGIN and END CERTIFICATE")),
    }
}

fn parse<'a, T: Deserialize<'a>>(json: &'a [u8]) -> Result<T, Error> {
    serde_json::from_slice(json).map_err(|error| invalid(one_line(&error)))
}

fn invalid(reason: String) -> Error {
    Error::invalid(WHAT, reason)
}

const WHAT: &str = "a pulse of NIST's beacon";

/// The bytes of an output value.
pub(in crate::hwdraw) const OUTPUT_BYTES: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_pulse_is_refused() {
        let json = |value: &str, status: u8| {
            format!(
                r#"{{"pulse":{{"uri":"u","chainIndex":2,"pulseIndex":7,"timeStamp":"t","outputValue":"{value}","statusCode":{status},"version":"2.0"}}}}"#
            )
        };
        let (pulse, value) = Pulse::read(json(&"aB".repeat(64), 0).as_bytes(), None).unwrap();
        assert_eq!((pulse.chain, pulse.pulse, &value), (2, 7, &vec![0xab; 64]));
        assert!(pulse.verify(&value).unwrap().starts_with("the pulse's signature"));
        assert!(Pulse { signature: "ab".into(), ..pulse }.verify(&value).is_err());
        assert!(Pulse::read(json(&"ab".repeat(63), 0).as_bytes(), None).is_err());
        assert!(Pulse::read(json(&"ab".repeat(64), 1).as_bytes(), None).is_err());
        assert!(Pulse::read(json(&"ab".repeat(64), 0).as_bytes(), Some(b"0")).is_err(), "no signature");
        assert!(Pulse::read(b"{}", None).is_err());
    }
}
