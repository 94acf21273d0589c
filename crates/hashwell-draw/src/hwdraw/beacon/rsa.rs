//! RSASSA-PKCS1-v1_5 with SHA-512 (RFC 8017, section 8.2.2), verified with a certificate's key. All numbers are public,
//! so nothing here needs constant time.

use hashwell::Sha512;
use num_bigint::BigUint;
use x509_cert::Certificate;
use x509_cert::der::asn1::{ObjectIdentifier, UintRef};
use x509_cert::der::{Decode, Reader, SliceReader};

/// rsaEncryption (RFC 8017, appendix A.1).
const RSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");

/// DigestInfo of SHA-512 up to the digest (RFC 8017, section 9.2, note 1).
const SHA512: [u8; 19] = *b"\x30\x51\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x03\x05\x00\x04\x40";

/// The allowed numbers of bytes of a modulus; NIST's has 512. Smaller keys can be broken, larger ones take too long.
const SIZES: std::ops::RangeInclusive<usize> = 256..=1024;

/// Checks that the key of a certificate, as DER, signed the message, and that the certificate was valid at `time` (such
/// as 2018-08-30T17:44:00.000Z). The issuer of the certificate is not checked.
pub(super) fn verify(certificate: &[u8], time: &str, message: &[u8], signature: &[u8]) -> Result<(), String> {
    let unread = |error| format!("its certificate is invalid: {error}");
    let certificate = Certificate::from_der(certificate).map_err(unread)?;
    let certificate = certificate.tbs_certificate();
    let validity = certificate.validity();
    let [from, until] = [validity.not_before, validity.not_after].map(|time| time.to_date_time().to_string());
    // The parts from the year to the second have a fixed number of digits, so they can be compared as texts.
    let second = |time: &str| time.get(..19).map(str::to_owned);
    if !(second(&from) <= second(time) && second(time) <= second(&until)) {
        return Err(format!("its time is not within the certificate's validity period ({from} to {until})"));
    }
    let key = certificate.subject_public_key_info();
    if key.algorithm.oid != RSA {
        return Err("its certificate has no RSA key".to_owned());
    }
    let numbers = SliceReader::new(key.subject_public_key.raw_bytes()).and_then(|mut reader| {
        reader
            .sequence(|reader| Ok([UintRef::decode(reader)?.as_bytes(), UintRef::decode(reader)?.as_bytes()]))
    });
    let [modulus, exponent] = numbers.map_err(unread)?;
    if !SIZES.contains(&modulus.len()) || exponent.len() > 4 {
        return Err(format!(
            "its certificate's RSA key has a modulus of {} bytes (allowed: {} to {}) and an exponent of {} bytes \
             (at most 4)",
            modulus.len(),
            SIZES.start(),
            SIZES.end(),
            exponent.len()
        ));
    }
    let [n, e, s] = [modulus, exponent, signature].map(BigUint::from_bytes_be);
    let expected = encoded(message, modulus.len());
    // Compare the whole encoding: parsing it would allow forged signatures with extra data.
    if signature.len() == modulus.len() && s < n && s.modpow(&e, &n) == BigUint::from_bytes_be(&expected) {
        return Ok(());
    }
    Err("the signature was not made with the certificate's key".to_owned())
}

/// EMSA-PKCS1-v1_5 (section 9.2): 00 01 FF … FF 00, then the digest as DER.
fn encoded(message: &[u8], len: usize) -> Vec<u8> {
    let digest = Sha512::digest(message);
    let mut out = vec![0xff; len - SHA512.len() - digest.len()];
    let last = out.len() - 1;
    (out[0], out[1], out[last]) = (0, 1, 0);
    out.extend(SHA512);
    out.extend(digest);
    out
}
