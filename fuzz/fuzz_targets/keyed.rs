//! HMAC (also as plain data), KMAC and HKDF, with calls in any order, are compared with their definitions in
//! terms of plain hashing.
#![no_main]

use arbitrary::Arbitrary;
use hashwell::{ALGORITHMS, Algorithm, Error, Hmac, Kmac, KmacVariant, Params, PlainHmac, find, hkdf};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
enum Step {
    Update(Vec<u8>),
    Fill(u8, u16),
    Clone,
    Tag,
    /// Verifies a tag of this length, and the same tag with this bit inverted.
    Verify(u8, u16),
    TagOf(Vec<u8>),
    Reset,
}

#[derive(Arbitrary, Debug)]
struct Case {
    row: u8,
    key: Vec<u8>,
    /// The number of additional key bytes, to exceed a block cheaply.
    more: u8,
    other: Vec<u8>,
    output_len: u16,
    steps: Vec<Step>,
}

/// RFC 2104, section 2.
fn hmac(algorithm: &'static Algorithm, key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut block = if key.len() > algorithm.block { algorithm.digest(key) } else { key.to_vec() };
    block.resize(algorithm.block, 0);
    let padded = |pad: u8| block.iter().map(|byte| byte ^ pad).collect::<Vec<u8>>();
    let inner = algorithm.digest(&[&padded(0x36)[..], message].concat());
    algorithm.digest(&[padded(0x5c), inner].concat())
}

/// SP 800-185, section 2.3.1: the bytes of the number without leading zeros, and their count.
fn encoded(number: u64, at_left: bool) -> Vec<u8> {
    let bytes = number.to_be_bytes();
    let digits = &bytes[(number.leading_zeros() as usize / 8).min(7)..];
    let count = [digits.len() as u8];
    if at_left { [&count[..], digits].concat() } else { [digits, &count[..]].concat() }
}

/// SP 800-185, section 4.3, with cSHAKE. `bits` is the output length, or 0 for output of arbitrary length.
fn kmac(variant: KmacVariant, key: &[u8], customization: &[u8], message: &[u8], bits: u64, out: &mut [u8]) {
    let (name, rate) = match variant {
        KmacVariant::Kmac128 => ("cshake128", 168),
        KmacVariant::Kmac256 => ("cshake256", 136),
    };
    let params = Params { function_name: b"KMAC", customization, ..Params::default() };
    let mut hasher = find(name).unwrap().build(&params).unwrap();
    let mut padded = [encoded(rate, true), encoded(key.len() as u64 * 8, true), key.to_vec()].concat();
    padded.resize(padded.len().next_multiple_of(rate as usize), 0);
    [&padded[..], message, &encoded(bits, false)].iter().for_each(|bytes| hasher.update(bytes));
    hasher.into_reader().unwrap().read(out);
}

/// RFC 5869, sections 2.2 and 2.3.
fn hkdf_by_definition(
    algorithm: &'static Algorithm,
    ikm: &[u8],
    salt: &[u8],
    info: &[u8],
    len: usize,
) -> Vec<u8> {
    let prk = hmac(algorithm, salt, ikm);
    let (mut out, mut t) = (Vec::new(), Vec::new());
    for i in 1..=len.div_ceil(algorithm.output) {
        t = hmac(algorithm, &prk, &[&t, info, &[i as u8]].concat());
        out.extend(&t);
    }
    out.truncate(len);
    out
}

fn turned(mut tag: Vec<u8>, bit: u16) -> Vec<u8> {
    if !tag.is_empty() {
        let bit = usize::from(bit) % (tag.len() * 8);
        tag[bit / 8] ^= 1 << (bit % 8);
    }
    tag
}

fuzz_target!(|case: Case| {
    let Case { row, mut key, more, other, output_len, steps } = case;
    key.resize(key.len() + usize::from(more), more);
    let algorithm = &ALGORITHMS[usize::from(row) % ALGORITHMS.len()];
    let variant = KmacVariant::ALL[usize::from(row) % 2];
    let mut of_kmac = Kmac::new(variant, &key, &other);
    let of_hmac = Hmac::new(algorithm, &key);
    assert_eq!(of_hmac.is_ok(), algorithm.hmac);
    let mut of_hmac = of_hmac.ok();
    let plain = PlainHmac::new(algorithm, &key);
    assert_eq!(plain.is_ok(), algorithm.hmac);
    let mut plain = plain.ok();
    let mut message = Vec::new();
    let tag_of_kmac = |message: &[u8], len: usize| {
        let mut tag = vec![0; len];
        kmac(variant, &key, &other, message, len as u64 * 8, &mut tag);
        tag
    };
    for step in steps {
        let update = match &step {
            Step::Update(bytes) => bytes.clone(),
            Step::Fill(byte, len) => vec![*byte; usize::from(*len) % 5000],
            _ => Vec::new(),
        };
        of_kmac.update(&update);
        message.extend(&update);
        if let Some(of_hmac) = &mut of_hmac {
            of_hmac.update(&update);
            match &step {
                Step::Clone => *of_hmac = of_hmac.clone(),
                Step::Tag => assert_eq!(of_hmac.tag(), hmac(algorithm, &key, &message)),
                Step::Verify(len, bit) => {
                    let tag = hmac(algorithm, &key, &message);
                    assert_eq!(of_hmac.verify(&tag), Ok(()));
                    let cut = usize::from(*len) % (tag.len() + 1);
                    assert_eq!(of_hmac.verify_truncated(&tag[..cut], cut).is_ok(), cut > 0);
                    assert_eq!(of_hmac.verify(&tag[..cut]).is_ok(), cut == tag.len());
                    assert_eq!(of_hmac.verify(&turned(tag, *bit)), Err(Error::TagMismatch));
                }
                Step::TagOf(message) => {
                    let mut tag = vec![0; of_hmac.output_len()];
                    of_hmac.tag_of(message, &mut tag);
                    assert_eq!(tag, hmac(algorithm, &key, message));
                }
                Step::Reset => of_hmac.reset(),
                Step::Update(_) | Step::Fill(..) => {}
            }
        }
        if let Some(plain) = &mut plain {
            plain.update(&update);
            match &step {
                Step::Clone => *plain = plain.clone(),
                Step::Tag | Step::TagOf(_) => {
                    let mut tag = vec![0; algorithm.output];
                    plain.tag_into(&mut tag).unwrap();
                    assert_eq!(tag, hmac(algorithm, &key, &message));
                    if let Step::TagOf(message) = &step {
                        PlainHmac::tag_of(algorithm, &key, message, &mut tag).unwrap();
                        assert_eq!(tag, hmac(algorithm, &key, message));
                    }
                }
                Step::Verify(len, bit) => {
                    let tag = hmac(algorithm, &key, &message);
                    assert_eq!(plain.verify(&tag), Ok(()));
                    let cut = usize::from(*len) % (tag.len() + 1);
                    assert_eq!(plain.verify(&tag[..cut]).is_ok(), cut == tag.len());
                    assert_eq!(plain.tag_into(&mut tag.clone()[..cut]).is_ok(), cut > 0);
                    assert_eq!(plain.verify(&turned(tag, *bit)), Err(Error::TagMismatch));
                }
                Step::Reset => plain.reset(),
                Step::Update(_) | Step::Fill(..) => {}
            }
        }
        match step {
            Step::Clone => of_kmac = of_kmac.clone(),
            Step::Tag => assert_eq!(of_kmac.tag(variant.output()), tag_of_kmac(&message, variant.output())),
            Step::Verify(len, bit) => {
                let tag = tag_of_kmac(&message, len.into());
                assert_eq!(of_kmac.verify(&tag).is_ok(), len > 0);
                assert_eq!(of_kmac.verify(&turned(tag, bit)), Err(Error::TagMismatch));
            }
            Step::Reset => {
                of_kmac.reset();
                message.clear();
            }
            _ => {}
        }
    }
    let len = usize::from(output_len) % 2000;
    let mut stream = vec![0; len];
    kmac(variant, &key, &other, &message, 0, &mut stream);
    assert!(of_kmac.into_reader().read_vec(len) == stream);

    let mut out = vec![0; len];
    let made = hkdf(algorithm, &key, &other, &message, &mut out);
    assert_eq!(made.is_ok(), algorithm.hmac && len <= 255 * algorithm.output);
    if made.is_ok() {
        assert!(out == hkdf_by_definition(algorithm, &key, &other, &message, len));
    }
});
