//! Crates with older versions of the traits work with hashwell's states: `digest` 0.10 with `hmac` 0.12 and `hkdf`
//! 0.12, and `rand_core` 0.6 with `merlin` 3, which does not support big-endian machines.

use digest_0_10::{Digest, ExtendableOutput, ExtendableOutputReset, Update, XofReader};
use hashwell::{CounterRng, DrbgStream, OsDrbg, find, random::DrbgSeed};
use hkdf_0_12::Hkdf;
use hmac_0_12::{Mac, SimpleHmac};
use merlin::Transcript;
use rand_core_0_6::{CryptoRng, RngCore, SeedableRng};

#[test]
fn hmac_0_12() {
    fn tag<D: Digest + digest_0_10::crypto_common::BlockSizeUser>() -> Vec<u8> {
        let mut mac = SimpleHmac::<D>::new_from_slice(b"key").unwrap();
        Mac::update(&mut mac, b"message");
        mac.finalize().into_bytes().to_vec()
    }
    for (tag, name) in [
        (tag::<hashwell::Sha1>(), "sha1"),
        (tag::<hashwell::Sha512_224>(), "sha512-224"),
        (tag::<hashwell::Sha3_384>(), "sha3-384"),
        (tag::<hashwell::Blake2b512>(), "blake2b-512"),
        (tag::<hashwell::Blake2s256>(), "blake2s-256"),
    ] {
        assert_eq!(tag, hashwell::hmac(find(name).unwrap(), b"key", b"message").unwrap(), "{name}");
    }
}

#[test]
fn hkdf_0_12() {
    let (mut theirs, mut ours) = ([0; 100], [0; 100]);
    let hkdf = Hkdf::<hashwell::Sha256, SimpleHmac<hashwell::Sha256>>::new(Some(b"salt"), b"key material");
    hkdf.expand(b"info", &mut theirs).unwrap();
    hashwell::hkdf(find("sha256").unwrap(), b"key material", b"salt", b"info", &mut ours).unwrap();
    assert_eq!(theirs, ours);
}

#[test]
fn digest_0_10() {
    // Reset, and output of any length.
    let mut sha = hashwell::Sha384::new();
    Update::update(&mut sha, b"abc");
    let first = sha.finalize_reset();
    Update::update(&mut sha, b"abc");
    assert_eq!((first[..].to_vec(), Digest::finalize(sha)), (find("sha384").unwrap().digest(b"abc"), first));
    let mut shake = hashwell::Shake256::new();
    Update::update(&mut shake, b"abc");
    let mut out = [0; 64];
    XofReader::read(&mut shake.finalize_xof_reset(), &mut out);
    assert_eq!(out[..], find("shake256").unwrap().digest(b"abc"));
    Update::update(&mut shake, b"abc");
    let mut again = [0; 64];
    XofReader::read(&mut ExtendableOutput::finalize_xof(shake), &mut again);
    assert_eq!(again, out);
}

/// The traits that `rsa` 0.9 requires of a hash for PKCS#1 v1.5 signatures.
#[test]
fn object_identifiers_0_10() {
    fn digest_info<D: Digest + digest_0_10::const_oid::AssociatedOid>() -> String {
        D::OID.to_string()
    }
    assert_eq!(digest_info::<hashwell::Sha256>(), "2.16.840.1.101.3.4.2.1");
    assert_eq!(digest_info::<hashwell::Sha3_512>(), "2.16.840.1.101.3.4.2.10");
    assert_eq!(digest_info::<hashwell::Blake2s256>(), "1.3.6.1.4.1.1722.12.2.2.8");
}

/// A nonce as in Schnorr proofs, from a transcript and a generator.
fn nonce(rng: &mut (impl RngCore + CryptoRng)) -> [u8; 32] {
    let mut transcript = Transcript::new(b"test");
    transcript.append_message(b"statement", b"of no weight");
    let mut nonce = [0; 32];
    transcript
        .build_rng()
        .rekey_with_witness_bytes(b"witness", b"secret")
        .finalize(rng)
        .fill_bytes(&mut nonce);
    nonce
}

#[test]
fn merlin_3() {
    let words = || CounterRng::from_seed([7; 32]);
    assert_eq!(nonce(&mut words()), nonce(&mut words()));
    assert_ne!(nonce(&mut words()), nonce(&mut CounterRng::from_seed([8; 32])));
    let mut os = OsDrbg::new(find("sha256").unwrap(), &Default::default()).unwrap();
    assert_ne!(nonce(&mut os), nonce(&mut os));
    let seeded = || DrbgStream::from_seed(DrbgSeed([1; 48]));
    assert_eq!(nonce(&mut seeded()), nonce(&mut seeded()));
}

/// Both versions read the same stream, and convert it to numbers in the same way.
#[test]
fn one_stream_for_both_versions() {
    let mut old = CounterRng::from_seed([7; 32]);
    let mut plain = CounterRng::new(&[7; 32]);
    let mut bytes = [0; 19];
    plain.read(&mut bytes);
    assert_eq!(old.next_u64(), u64::from_be_bytes(bytes[..8].try_into().unwrap()));
    assert_eq!(old.next_u32(), u32::from_be_bytes(bytes[8..12].try_into().unwrap()));
    let mut rest = [0; 7];
    old.try_fill_bytes(&mut rest).unwrap();
    assert_eq!(rest, bytes[12..]);
}
