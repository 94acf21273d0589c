//! Compares hashwell with independent implementations, on random inputs and on lengths around every boundary.

use crate::common;

use common::{Random, output};
use digest::{CustomizedInit, Digest, ExtendableOutput, TryCustomizedInit, Update, XofReader};
use hashwell::{ALGORITHMS, Hmac, Kind, Params, find, hkdf};
use proptest::prelude::*;

/// `len` bytes of output from an independent implementation. `None` if there is none for the row.
fn oracle(name: &str, message: &[u8], len: usize) -> Option<Vec<u8>> {
    let fixed = |digest: &[u8]| Some(digest.to_vec());
    fn xof<X: ExtendableOutput + Default>(message: &[u8], len: usize) -> Option<Vec<u8>> {
        let mut x = X::default();
        x.update(message);
        Some(x.finalize_boxed(len).into())
    }
    match name {
        "sha1" => fixed(&sha1::Sha1::digest(message)),
        "sha224" => fixed(&sha2::Sha224::digest(message)),
        "sha256" => fixed(&sha2::Sha256::digest(message)),
        "sha384" => fixed(&sha2::Sha384::digest(message)),
        "sha512" => fixed(&sha2::Sha512::digest(message)),
        "sha512-224" => fixed(&sha2::Sha512_224::digest(message)),
        "sha512-256" => fixed(&sha2::Sha512_256::digest(message)),
        "ripemd160" => fixed(&ripemd::Ripemd160::digest(message)),
        "sm3" => fixed(&sm3::Sm3::digest(message)),
        "sha3-224" => fixed(&sha3::Sha3_224::digest(message)),
        "sha3-256" => fixed(&sha3::Sha3_256::digest(message)),
        "sha3-384" => fixed(&sha3::Sha3_384::digest(message)),
        "sha3-512" => fixed(&sha3::Sha3_512::digest(message)),
        "shake128" => xof::<shake::Shake128>(message, len),
        "shake256" => xof::<shake::Shake256>(message, len),
        "cshake128" => xof::<cshake::CShake128>(message, len),
        "cshake256" => xof::<cshake::CShake256>(message, len),
        "turboshake128" => xof::<turboshake::TurboShake128>(message, len),
        "turboshake256" => xof::<turboshake::TurboShake256>(message, len),
        "kt128" => xof::<k12::Kt128>(message, len),
        "kt256" => xof::<k12::Kt256>(message, len),
        "blake2b-256" | "blake2b-512" => {
            fixed(blake2b_simd::Params::new().hash_length(len).hash(message).as_bytes())
        }
        "blake2bp-512" => {
            fixed(blake2b_simd::blake2bp::Params::new().hash_length(len).hash(message).as_bytes())
        }
        "blake2s-256" => fixed(&blake2::Blake2s256::digest(message)),
        "blake2sp-256" => {
            fixed(blake2s_simd::blake2sp::Params::new().hash_length(len).hash(message).as_bytes())
        }
        "blake3" => {
            let mut out = vec![0; len];
            blake3::Hasher::new().update(message).finalize_xof().fill(&mut out);
            Some(out)
        }
        "ascon-hash256" => fixed(&ascon_hash256::AsconHash256::digest(message)),
        "ascon-xof128" => xof::<ascon_xof128::AsconXof128>(message, len),
        "ascon-cxof128" => {
            let mut x = ascon_xof128::AsconCxof128::try_new_customized(b"").unwrap();
            x.update(message);
            Some(x.finalize_boxed(len).into())
        }
        "ascon-xof-v1.2" => {
            use ascon_xof_v1_2::{AsconXof, ExtendableOutput, Update};
            let mut out = vec![0; len];
            AsconXof::default().chain(message).finalize_xof_into(&mut out);
            Some(out)
        }
        "ascon-xofa-v1.2" => {
            use ascon_xof_v1_2::{AsconAXof, ExtendableOutput, Update};
            let mut out = vec![0; len];
            AsconAXof::default().chain(message).finalize_xof_into(&mut out);
            Some(out)
        }
        // There is no other implementation; the Python model in reference/ is used to check it.
        "sha256-90r" => None,
        other => panic!("{other} has no oracle: add one"),
    }
}

#[test]
fn lengths_around_every_boundary() {
    let mut random = Random(4);
    for algorithm in ALGORITHMS {
        let block = algorithm.block;
        let near = |n: usize| n.saturating_sub(2)..=n + 2;
        let lengths =
            (0..=3 * block + 2).chain(near(1024)).chain(near(8192)).chain(near(16384)).chain(near(3 * 8192));
        for len in lengths {
            let message = random.bytes(len);
            // For XOFs, use more than the rate, so that squeezing includes a permutation.
            let out = if algorithm.kind == Kind::Xof { 2 * block + 3 } else { algorithm.output };
            let Some(expected) = oracle(algorithm.name, &message, out) else { continue };
            let got = output(algorithm, &Params::default(), &message, out);
            assert_eq!(got, expected, "{} at {len}", algorithm.name);
        }
    }
}

#[test]
fn blake2_every_output_length_key_and_salt() {
    let mut random = Random(5);
    for len in 1..=64 {
        let (key, salt, personal) = (random.bytes(len), random.bytes(16), random.bytes(16));
        let message = random.bytes(len * 5);
        let params = Params { key: Some(&key), salt: &salt, personal: &personal, ..Params::default() };
        let expected = blake2b_simd::Params::new()
            .hash_length(len)
            .key(&key)
            .salt(&salt)
            .personal(&personal)
            .hash(&message);
        assert_eq!(output(find("blake2b").unwrap(), &params, &message, len), expected.as_bytes(), "{len}");
        let params = Params { key: Some(&key), ..Params::default() };
        let expected = blake2b_simd::blake2bp::Params::new().hash_length(len).key(&key).hash(&message);
        assert_eq!(output(find("blake2bp").unwrap(), &params, &message, len), expected.as_bytes(), "{len}");
        if len <= 32 {
            let expected = blake2s_simd::blake2sp::Params::new().hash_length(len).key(&key).hash(&message);
            assert_eq!(
                output(find("blake2sp").unwrap(), &params, &message, len),
                expected.as_bytes(),
                "{len}"
            );
        }
    }
}

proptest! {
    /// Any message, split in any way, with reads of any size.
    #[test]
    fn random_messages(
        row in 0..ALGORITHMS.len(),
        pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..700), 0..40),
        reads in prop::collection::vec(0_usize..600, 1..6),
    ) {
        let algorithm = &ALGORITHMS[row];
        let mut hasher = algorithm.hasher();
        pieces.iter().for_each(|piece| hasher.update(piece));
        let message = pieces.concat();
        if algorithm.kind == Kind::Fixed {
            if let Some(expected) = oracle(algorithm.name, &message, algorithm.output) {
                prop_assert_eq!(hasher.digest(), expected);
            }
        } else {
            let mut reader = hasher.into_reader().unwrap();
            let got: Vec<u8> = reads.iter().flat_map(|n| reader.read_vec(*n)).collect();
            let expected = oracle(algorithm.name, &message, got.len());
            prop_assert_eq!(Some(got), expected);
        }
    }

    #[test]
    fn customisation(
        message in prop::collection::vec(any::<u8>(), 0..20_000),
        customization in prop::collection::vec(any::<u8>(), 0..257),
    ) {
        fn customized<X: CustomizedInit + ExtendableOutput>(c: &[u8], message: &[u8]) -> Vec<u8> {
            let mut x = X::new_customized(c);
            x.update(message);
            x.finalize_boxed(300).into()
        }
        let params = Params { customization: &customization, ..Params::default() };
        let got = |name| output(find(name).unwrap(), &params, &message, 300);
        prop_assert_eq!(got("cshake128"), customized::<cshake::CShake128>(&customization, &message));
        prop_assert_eq!(got("cshake256"), customized::<cshake::CShake256>(&customization, &message));
        let mut x = ascon_xof128::AsconCxof128::try_new_customized(&customization).unwrap();
        x.update(&message);
        prop_assert_eq!(got("ascon-cxof128"), Vec::from(x.finalize_boxed(300)));
        let mut x = k12::CustomRefKt::<168>::new_customized(&customization);
        x.update(&message);
        prop_assert_eq!(got("kt128"), Vec::from(x.finalize_boxed(300)));
        let mut x = k12::CustomRefKt::<136>::new_customized(&customization);
        x.update(&message);
        prop_assert_eq!(got("kt256"), Vec::from(x.finalize_boxed(300)));
    }

    #[test]
    fn hmac_and_hkdf(
        key in prop::collection::vec(any::<u8>(), 0..300),
        message in prop::collection::vec(any::<u8>(), 0..600),
        len in 0_usize..500,
    ) {
        use hmac::{KeyInit, Mac, SimpleHmac};
        macro_rules! check {
            ($($name:literal $hash:ty),*) => { $(
                let mut oracle = SimpleHmac::<$hash>::new_from_slice(&key).unwrap();
                Mac::update(&mut oracle, &message);
                let mut ours = Hmac::new(find($name).unwrap(), &key).unwrap();
                ours.update(&message);
                prop_assert_eq!(ours.tag(), oracle.finalize().into_bytes().to_vec(), "{}", $name);
            )* };
        }
        check!("sha1" sha1::Sha1, "sha256" sha2::Sha256, "sha512" sha2::Sha512, "sha512-256" sha2::Sha512_256,
            "sm3" sm3::Sm3, "ripemd160" ripemd::Ripemd160, "sha3-256" sha3::Sha3_256, "sha3-512" sha3::Sha3_512, "blake2s" blake2::Blake2s256);
        let mut expected = vec![0; len];
        hkdf::Hkdf::<sha2::Sha256>::new(Some(&key), &message).expand(b"info", &mut expected).unwrap();
        let mut okm = vec![0; len];
        hkdf(find("sha256").unwrap(), &message, &key, b"info", &mut okm).unwrap();
        prop_assert_eq!(okm, expected);
    }
}

/// The object identifiers are the same as those of RustCrypto's hashes, so signatures with a DigestInfo accept
/// hashwell's types.
#[cfg(feature = "digest")]
#[test]
fn object_identifiers() {
    use digest::const_oid::AssociatedOid;
    macro_rules! same {
        ($($ours:ident $theirs:ty),* $(,)?) => { $(
            assert_eq!(hashwell::$ours::OID, <$theirs>::OID, stringify!($ours));
        )* };
    }
    same!(Sha1 sha1::Sha1, Sha224 sha2::Sha224, Sha256 sha2::Sha256, Sha384 sha2::Sha384, Sha512 sha2::Sha512,
        Sha512_224 sha2::Sha512_224, Sha512_256 sha2::Sha512_256, Sha3_224 sha3::Sha3_224, Sha3_256 sha3::Sha3_256,
        Sha3_384 sha3::Sha3_384, Sha3_512 sha3::Sha3_512, Ripemd160 ripemd::Ripemd160);
}

/// hashwell's states work through RustCrypto's traits, in RustCrypto's generic code.
#[cfg(feature = "digest")]
#[test]
fn rustcrypto_traits() {
    use hmac::{KeyInit, Mac, SimpleHmac};
    let mut generic = SimpleHmac::<hashwell::Sha3_256>::new_from_slice(b"key").unwrap();
    Mac::update(&mut generic, b"message");
    let ours = hashwell::hmac(find("sha3-256").unwrap(), b"key", b"message").unwrap();
    assert_eq!(generic.finalize().into_bytes()[..], ours);

    fn generic_digest<D: Digest + digest::FixedOutputReset>(first: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let mut d = D::new();
        Digest::update(&mut d, first);
        (d.finalize_reset().to_vec(), d.finalize().to_vec())
    }
    let (first, empty) = generic_digest::<hashwell::Sha512_224>(b"abc");
    let sha512_224 = find("sha512-224").unwrap();
    assert_eq!((first, empty), (sha512_224.digest(b"abc"), sha512_224.digest(b"")));

    let mut xof = hashwell::Kt128::new_customized(b"custom");
    Update::update(&mut xof, b"abc");
    let mut out = [0; 50];
    XofReader::read(&mut xof.finalize_xof(), &mut out);
    let params = Params { customization: b"custom", ..Params::default() };
    assert_eq!(out[..], output(find("kt128").unwrap(), &params, b"abc", 50));
    assert!(hashwell::AsconCxof128::try_new_customized(&[0; 257]).is_err());
}
