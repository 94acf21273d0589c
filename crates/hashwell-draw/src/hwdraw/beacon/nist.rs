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
use crate::hwdraw::list::quoted;
use crate::hwdraw::{hex, one_line, present, unhex};
use data_encoding::BASE64;
use hashwell::Sha512;
use serde::{Deserialize, Serialize};

/// A certificate that NIST published for its beacon.
#[derive(Clone, Copy, Debug)]
pub struct Published {
    /// The chain whose pulses the certificate verifies.
    pub chain: u64,
    /// The SHA-512 of the certificate's DER encoding.
    pub sha512: &'static str,
    /// The certificate as PEM.
    pub pem: &'static str,
    /// The time until which the certificate is valid, in seconds since 1970.
    pub until: i64,
}

/// The certificates that NIST published. Pulses refer to them by their SHA-512.
pub const CERTIFICATES: [Published; 2] = [
    Published {
        chain: 2,
        sha512: "528943a555f5f8ca54423be6dfb95925a35c7b552046420e7d7cd072058a14d6536ad3a8e9754b6582f164a90b0cd86a65d659f5426a2659a947595d1c816c8c",
        pem: include_str!("nist-chain2-2025.pem"),
        until: 1_788_566_399,
    },
    Published {
        chain: 1,
        sha512: "5501e3d72bc42f3b96e16de4dcadcb16768e109662bd16d667d5fd9aee585af31bbdc5dd4f53592276064b53dddd76c8f3604b2a41db6e09f78f82bb5d6569e7",
        pem: include_str!("nist-chain1-2018.pem"),
        until: 1_547_208_000,
    },
];

/// A certificate in DER, with the SHA-512 that identifies it. The certificate is parsed only when it verifies a pulse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    der: Vec<u8>,
    sha512: String,
}

impl Certificate {
    /// Reads a certificate in PEM or DER.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the PEM contains no base64, or if the bytes are not a sequence in DER, as all
    /// certificates are.
    pub fn read(file: &[u8]) -> Result<Self, Error> {
        let der = der(file)?;
        if is_sequence(&der) {
            Ok(Self::of(der))
        } else {
            Err(Error::invalid("a certificate", "it is neither PEM nor DER"))
        }
    }

    fn of(der: Vec<u8>) -> Self {
        let sha512 = hex(&Sha512::digest(&der));
        Self { der, sha512 }
    }

    /// The SHA-512 of the certificate's DER encoding, as used in plans.
    #[must_use]
    pub fn sha512(&self) -> &str {
        &self.sha512
    }
}

/// Returns true if NIST published a certificate with this SHA-512.
#[must_use]
pub fn is_published(sha512: &str) -> bool {
    CERTIFICATES.iter().any(|published| published.sha512 == sha512)
}

/// The published certificate with this SHA-512.
fn published(sha512: &str) -> Option<Certificate> {
    let pem = CERTIFICATES.iter().find(|published| published.sha512 == sha512)?.pem;
    Certificate::read(pem.as_bytes()).ok()
}

/// The pulse that a seed comes from, with the bytes covered by its signature. Fields are sorted by name, and bytes are
/// in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pulse {
    /// The certificate, as DER, if it was known when the draw was made.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
    /// The chain's number.
    pub chain: u64,
    /// The signed bytes.
    pub message: String,
    /// The pulse's number in its chain.
    pub pulse: u64,
    /// The signature.
    pub signature: String,
    /// The time of the pulse, such as 2018-08-30T17:44:00.000Z.
    pub time: String,
    /// The address of the pulse.
    pub uri: String,
}

#[derive(Deserialize)]
struct File<T> {
    pulse: T,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Fields {
    uri: String,
    version: String,
    cipher_suite: u32,
    period: u32,
    certificate_id: String,
    chain_index: u64,
    pulse_index: u64,
    time_stamp: String,
    local_random_value: String,
    external: External,
    list_values: Vec<Listed>,
    precommitment_value: String,
    status_code: u32,
    signature_value: String,
    output_value: String,
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

/// The beginning of a signed message.
struct Head<'a> {
    uri: &'a [u8],
    suite: u32,
    certificate: &'a [u8],
    chain: u64,
    pulse: u64,
    time: &'a [u8],
}

impl<'a> Head<'a> {
    /// Reads uri, version, suite, period, certificate id, chain, pulse and time. Returns `None` if the message ends
    /// earlier.
    fn read(mut message: &'a [u8]) -> Option<Self> {
        fn take<'a>(message: &mut &'a [u8], len: usize) -> Option<&'a [u8]> {
            message.split_off(..len)
        }
        fn number<const N: usize>(message: &mut &[u8]) -> Option<[u8; N]> {
            take(message, N)?.try_into().ok()
        }
        fn text<'a>(message: &mut &'a [u8]) -> Option<&'a [u8]> {
            let len = u32::from_be_bytes(number(message)?);
            take(message, len as usize)
        }
        let message = &mut message;
        let uri = text(message)?;
        let (_version, suite) = (text(message)?, u32::from_be_bytes(number(message)?));
        let _period: [u8; 4] = number(message)?;
        Some(Self {
            uri,
            suite,
            certificate: text(message)?,
            chain: u64::from_be_bytes(number(message)?),
            pulse: u64::from_be_bytes(number(message)?),
            time: text(message)?,
        })
    }
}

impl Pulse {
    /// Reads a pulse and its output value of 64 bytes from the JSON that the beacon publishes. The signature is
    /// verified if [`verifies`] returns true and a certificate is known. This is the certificate passed in, as PEM or
    /// DER, or else the one in [`CERTIFICATES`] that the pulse names.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the JSON does not have this format, if the pulse's status isn't 0 (normal
    /// operation), if the pulse names a different certificate, or if the signature is wrong.
    pub fn read(json: &[u8], certificate: Option<&[u8]>) -> Result<(Self, Vec<u8>), Error> {
        let File { pulse } = parse::<File<Fields>>(json)?;
        let value = bytes(&pulse.output_value)?;
        let sha512 = hex(&bytes(&pulse.certificate_id)?);
        let certificate = match certificate {
            Some(file) => {
                let certificate = Certificate::read(file)?;
                if certificate.sha512 != sha512 {
                    return Err(invalid(format!(
                        "it names certificate {sha512}, but the given certificate is {}",
                        certificate.sha512
                    )));
                }
                Some(certificate)
            }
            None => published(&sha512).filter(|_| verifies()),
        };
        let read = Self {
            certificate: certificate.as_ref().map(|certificate| hex(&certificate.der)),
            chain: pulse.chain_index,
            message: hex(&message(&pulse)?),
            pulse: pulse.pulse_index,
            signature: hex(&bytes(&pulse.signature_value)?),
            time: pulse.time_stamp,
            uri: pulse.uri,
        };
        read.check(&value)?;
        if let Some(certificate) = certificate.filter(|_| verifies()) {
            read.verify(&certificate)?;
        }
        Ok((read, value))
    }

    /// Checks everything except the signature. The address and the time must have the required form. The fields uri,
    /// chain, pulse, time and certificate must be the signed ones. The status must be 0, and the output value must be
    /// the SHA-512 of the message and the signature.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if a check fails. The error names the first check that failed.
    pub fn check(&self, value: &[u8]) -> Result<(), Error> {
        let (message, signature) = (unhex(WHAT, &self.message)?, unhex(WHAT, &self.signature)?);
        let head = Head::read(&message).ok_or_else(|| invalid("its message is too short".to_owned()))?;
        if (head.uri, head.time) != (self.uri.as_bytes(), self.time.as_bytes())
            || (head.chain, head.pulse) != (self.chain, self.pulse)
        {
            return Err(invalid("its URI, time, chain or pulse differs from the signed one".to_owned()));
        }
        let end = format!("/chain/{}/pulse/{}", self.chain, self.pulse);
        if !self.uri.starts_with("https://") || !self.uri.ends_with(&end) {
            let uri = quoted(&self.uri);
            return Err(invalid(format!("its uri {uri} must start with https:// and end with {end}")));
        }
        if !is_time(&self.time) {
            let time = quoted(&self.time);
            return Err(invalid(format!("its time {time} must have the form 2018-08-30T17:44:00.000Z")));
        }
        if let Some(der) = &self.certificate
            && Sha512::digest(&unhex(WHAT, der)?)[..] != *head.certificate
        {
            return Err(invalid(OTHER_CERTIFICATE.to_owned()));
        }
        if head.suite != 0 {
            return Err(invalid(format!("its cipher suite is {}, not 0 (RSA and SHA-512)", head.suite)));
        }
        // The message ends with the status.
        if !message.ends_with(&[0; 4]) {
            return Err(invalid("its status is not 0 (normal operation)".to_owned()));
        }
        if Sha512::digest(&[&message[..], &signature].concat())[..] != *value {
            return Err(invalid(
                "its output value is not the SHA-512 of its message and signature".to_owned(),
            ));
        }
        Ok(())
    }

    /// The SHA-512 of the certificate that the signed message names.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the message is not valid.
    pub fn certificate_sha512(&self) -> Result<String, Error> {
        let message = unhex(WHAT, &self.message)?;
        let head = Head::read(&message).ok_or_else(|| invalid("its message is too short".to_owned()))?;
        Ok(hex(head.certificate))
    }

    /// The certificate for this pulse, if it is known: the one in the transcript, or a published one.
    pub(in crate::hwdraw) fn known_certificate(&self) -> Result<Option<Certificate>, Error> {
        match &self.certificate {
            Some(der) => Ok(Some(Certificate::of(unhex(WHAT, der)?))),
            None => Ok(published(&self.certificate_sha512()?)),
        }
    }

    /// Verifies the signature with the key of a certificate. The certificate must be the one that the message names,
    /// and it must be valid at the time of the pulse.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the certificate does not meet these conditions, if the signature is wrong, or if
    /// [`verifies`] returns false.
    pub fn verify(&self, certificate: &Certificate) -> Result<(), Error> {
        if self.certificate_sha512()? != certificate.sha512 {
            return Err(invalid(OTHER_CERTIFICATE.to_owned()));
        }
        let (message, signature) = (unhex(WHAT, &self.message)?, unhex(WHAT, &self.signature)?);
        let verify = NIST.get().ok_or_else(|| invalid("this build can't verify its signature".to_owned()))?;
        verify(&certificate.der, &self.time, &message, &signature).map_err(invalid)
    }
}

/// Returns true if this process verifies signatures of NIST's beacon. This requires the feature `nist` and a call of
/// `beacon::verify_signatures`.
#[must_use]
pub fn verifies() -> bool {
    NIST.get().is_some()
}

/// Returns true for a time such as 2018-08-30T17:44:00.000Z. Only the digits are checked, not the ranges of the
/// numbers.
fn is_time(text: &str) -> bool {
    const FORM: &[u8; 24] = b"0000-00-00T00:00:00.000Z";
    text.len() == FORM.len()
        && text.bytes().zip(FORM).all(|(byte, form)| match form {
            b'0' => byte.is_ascii_digit(),
            form => byte == *form,
        })
}

/// The signed message: all fields in the order in which they are signed.
fn message(pulse: &Fields) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    field(&mut out, pulse.uri.as_bytes());
    field(&mut out, pulse.version.as_bytes());
    out.extend(pulse.cipher_suite.to_be_bytes());
    out.extend(pulse.period.to_be_bytes());
    field(&mut out, &bytes(&pulse.certificate_id)?);
    out.extend(pulse.chain_index.to_be_bytes());
    out.extend(pulse.pulse_index.to_be_bytes());
    field(&mut out, pulse.time_stamp.as_bytes());
    field(&mut out, &bytes(&pulse.local_random_value)?);
    field(&mut out, &bytes(&pulse.external.source_id)?);
    out.extend(pulse.external.status_code.to_be_bytes());
    field(&mut out, &bytes(&pulse.external.value)?);
    for listed in &pulse.list_values {
        field(&mut out, &bytes(&listed.value)?);
    }
    field(&mut out, &bytes(&pulse.precommitment_value)?);
    out.extend(pulse.status_code.to_be_bytes());
    Ok(out)
}

/// Appends bytes, preceded by their length as 4 bytes.
fn field(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend((bytes.len() as u32).to_be_bytes());
    out.extend(bytes);
}

/// Decodes the beacon's hexadecimal, which has upper-case digits.
fn bytes(text: &str) -> Result<Vec<u8>, Error> {
    unhex(WHAT, &text.to_ascii_lowercase())
}

/// A certificate as DER. The beacon's own PEM has no newline after its first line, so newlines are not required.
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

/// Returns true if the bytes are a sequence in DER with a length of 2 bytes (X.690, 8.1.3.5), and nothing else.
/// A certificate of 256 bytes to 64 KiB is such a sequence.
fn is_sequence(der: &[u8]) -> bool {
    let [0x30, 0x82, high, low, rest @ ..] = der else { return false };
    rest.len() == usize::from(u16::from_be_bytes([*high, *low]))
}

fn parse<'a, T: Deserialize<'a>>(json: &'a [u8]) -> Result<T, Error> {
    serde_json::from_slice(json).map_err(|error| invalid(one_line(&error)))
}

fn invalid(reason: String) -> Error {
    Error::invalid(WHAT, reason)
}

const WHAT: &str = "a NIST beacon pulse";

const OTHER_CERTIFICATE: &str = "its signed message does not name the given certificate";
