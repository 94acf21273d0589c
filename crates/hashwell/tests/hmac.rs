//! Every function that computes a tag returns HMAC as defined, H((K ⊕ opad) ‖ H((K ⊕ ipad) ‖ m)), over the plain digest
//! of every row, for any key length. Functions with a kernel parameter are tested on every kernel.

use crate::common;

use common::Random;
use hashwell::{
    ALGORITHMS, Algorithm, DrbgParams, Error, Hmac, HmacDrbg, KernelInfo, KeyedHmac, Kmac, KmacVariant,
    PlainHmac, RowHmac, hkdf_extract, hkdf_with_kernel, hmac, hmac_many, hmac_many_with_kernel,
};

/// FIPS 198-1, table 1.
fn by_definition(row: &'static Algorithm, key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut block = if key.len() > row.block { row.digest(key) } else { key.to_vec() };
    block.resize(row.block, 0);
    let pad = |byte: u8| block.iter().map(|k| k ^ byte).collect::<Vec<u8>>();
    let inner = row.digest(&[&pad(0x36)[..], message].concat());
    row.digest(&[&pad(0x5c)[..], &inner[..]].concat())
}

fn rows() -> impl Iterator<Item = &'static Algorithm> {
    // Under Miri, the tests that are the same for all rows of a family would take minutes.
    let families = ["sha256", "sha512", "sha3-256", "blake2s-256", "blake2bp-512"];
    ALGORITHMS.iter().filter(move |row| row.hmac && (!cfg!(miri) || families.contains(&row.name)))
}

fn available(kernels: Vec<KernelInfo>) -> impl Iterator<Item = &'static str> {
    kernels.into_iter().filter(|kernel| kernel.available).map(|kernel| kernel.name)
}

/// Key lengths around one block and around two blocks.
fn key_lens(row: &Algorithm) -> [usize; 6] {
    let block = row.block;
    [0, 1, block - 1, block, block + 1, 2 * block + 1]
}

/// HMAC as used by the generator, on this kernel.
fn row_hmac(row: &'static Algorithm, kernel: &str) -> RowHmac {
    let params = DrbgParams { kernel: Some(kernel), ..DrbgParams::default() };
    HmacDrbg::from_seed_unchecked(row, b"", b"", &params).unwrap().hmac().clone()
}

/// The results of the functions that compute the tag of one message, by name.
fn one_by_one(row: &'static Algorithm, kernel: &str, key: &[u8], message: &[u8]) -> Vec<(String, Vec<u8>)> {
    let (first, rest) = message.split_at(message.len() / 3);
    let mut tags = Vec::new();
    let mut note = |entry: &str, tag: Vec<u8>| tags.push((entry.to_string(), tag));
    let mut full = vec![0; row.output];

    let mut running = Hmac::with_kernel(row, key, Some(kernel)).unwrap();
    running.update(b"another message");
    running.tag_of(message, &mut full);
    note("Hmac::tag_of", full.clone());
    running.reset();
    running.update(first);
    running.update(rest);
    note("Hmac::tag", running.tag());

    let mut generator = row_hmac(row, kernel);
    generator.set_key(b"another key");
    generator.set_key(key);
    generator.tag(&[message], &mut full);
    note("RowHmac", full.clone());
    generator.tag(&[first, b"", rest], &mut full);
    note("RowHmac in pieces", full.clone());
    if message.is_empty() {
        generator.tag(&[], &mut full);
        note("RowHmac of nothing", full.clone());
    }

    let mut plain = PlainHmac::new(row, key).unwrap();
    plain.update(b"another message");
    plain.reset();
    plain.update(first);
    plain.update(rest);
    plain.tag_into(&mut full).unwrap();
    note("PlainHmac::tag_into", full.clone());
    PlainHmac::tag_of(row, key, message, &mut full).unwrap();
    note("PlainHmac::tag_of", full.clone());
    note("hmac", hmac(row, key, message).unwrap());
    note("hkdf_extract", hkdf_extract(row, key, message).unwrap());
    tags
}

#[test]
fn one_by_one_every_entry_gives_the_definition() {
    let mut random = Random(0x0048_4d41_4331);
    for row in rows() {
        for key_len in key_lens(row) {
            let key = random.bytes(key_len);
            for message in [0, 1 + random.below(row.block), row.block + random.below(3 * row.block)] {
                let message = random.bytes(message);
                let expected = by_definition(row, &key, &message);
                let label = |kernel: &str| {
                    format!("{} on {kernel}, key {key_len}, message {}", row.name, message.len())
                };
                for kernel in available(row.kernels()) {
                    for (entry, tag) in one_by_one(row, kernel, &key, &message) {
                        assert!(tag == expected, "{entry} of {}", label(kernel));
                    }
                    // Extract uses the salt as key, and expand the result: T(1) = HMAC(PRK, info ‖ 01).
                    let mut okm = vec![0; row.output];
                    hkdf_with_kernel(row, &message, &key, b"info", &mut okm, Some(kernel)).unwrap();
                    assert!(okm == by_definition(row, &expected, b"info\x01"), "HKDF of {}", label(kernel));
                }
            }
        }
    }
}

/// A tag may be truncated at any byte, also within a word.
#[test]
fn shorter_tags_are_the_leftmost_bytes() {
    for row in rows() {
        let expected = by_definition(row, b"key", b"message");
        let keyed = Hmac::new(row, b"key").unwrap();
        let mut plain = PlainHmac::new(row, b"key").unwrap();
        plain.update(b"message");
        for len in 1..=row.output {
            let mut tags = vec![[0; 64]; 3];
            keyed.tag_of(b"message", &mut tags[0][..len]);
            plain.tag_into(&mut tags[1][..len]).unwrap();
            PlainHmac::tag_of(row, b"key", b"message", &mut tags[2][..len]).unwrap();
            for tag in tags {
                assert_eq!((&tag[..len], &tag[len..]), (&expected[..len], &[0; 64][len..]), "{}", row.name);
            }
        }
    }
}

/// Many keys, many messages, and one of either, on batch kernels and on the chain kernel, with equal and mixed lengths,
/// and with too few for all lanes. For an empty message, the key is the last block of the inner hash.
#[test]
fn many_at_once_give_the_definition() {
    let mut random = Random(0x0048_4d41_434d);
    let counts: &[usize] = if cfg!(miri) { &[3] } else { &[2, 3, 7, 16, 37] };
    for row in rows() {
        let lens = key_lens(row);
        for &count in counts {
            let mut bytes = |len: &dyn Fn(usize) -> usize| -> Vec<Vec<u8>> {
                (0..count).map(|i| random.bytes(len(i))).collect()
            };
            let keys = bytes(&|i| lens[i % lens.len()]);
            let batches = [
                bytes(&|_| 0),
                bytes(&|_| 20),
                bytes(&|_| 2 * row.block + 5),
                bytes(&|i| i % 5 * row.block + i % 3),
            ];
            let all = |pairs: &mut dyn Iterator<Item = (&Vec<u8>, &Vec<u8>)>| -> Vec<u8> {
                pairs.flat_map(|(key, message)| by_definition(row, key, message)).collect()
            };
            for messages in &batches {
                let own_keys = all(&mut keys.iter().zip(messages));
                let one_key = all(&mut messages.iter().map(|message| (&keys[1], message)));
                let one_message = all(&mut keys.iter().map(|key| (key, &messages[1])));
                let tag = |keys: &[Vec<u8>], messages: &[Vec<u8>], kernel: Option<&str>| match kernel {
                    None => hmac_many(row, keys, messages).unwrap(),
                    kernel => hmac_many_with_kernel(row, keys, messages, kernel).unwrap(),
                };
                let named = available(row.kernels()).chain(available(row.batch_kernels())).map(Some);
                for kernel in named.chain([None]) {
                    let label = format!("{} on {kernel:?}, {count} of {}", row.name, messages[1].len());
                    assert!(tag(&keys, messages, kernel) == own_keys, "own keys, {label}");
                    assert!(tag(&keys[1..2], messages, kernel) == one_key, "one key, {label}");
                    assert!(tag(&keys, &messages[1..2], kernel) == one_message, "one message, {label}");
                }
            }
        }
    }
}

/// A name with two wrong letters is a typing error; one with three is a different name.
#[test]
fn a_name_that_is_near_is_proposed() {
    for (name, nearest) in [("kmac1", Some("kmac128")), ("kmac26", Some("kmac256")), ("kmac", None)] {
        let error = KmacVariant::find(name).unwrap_err();
        assert_eq!(error, Error::UnknownAlgorithm { name: name.into(), nearest });
    }
}

/// Names in messages and in `Debug` output.
#[test]
fn names_and_kernels_are_those_asked_for() {
    for row in rows() {
        for kernel in available(row.kernels()) {
            assert_eq!(row_hmac(row, kernel).name(), row.name);
            let params = DrbgParams { kernel: Some(kernel), ..DrbgParams::default() };
            let generator = HmacDrbg::from_seed_unchecked(row, b"", b"", &params).unwrap();
            assert_eq!(generator.kernel(), kernel, "{}", row.name);
        }
        let (plain, hmac) = (PlainHmac::new(row, b"key").unwrap(), Hmac::new(row, b"key").unwrap());
        assert_eq!((plain.kernel(), plain.kernel().is_empty()), (hmac.kernel(), false), "{}", row.name);
    }
    for variant in [KmacVariant::Kmac128, KmacVariant::Kmac256] {
        let of = |kernels: Vec<KernelInfo>| available(kernels).collect::<Vec<_>>();
        assert_eq!(of(variant.kernels()), of(hashwell::find("shake128").unwrap().kernels()));
    }
}

#[test]
fn plain_hmac_takes_no_other_tag() {
    for row in rows() {
        let mut hmac = PlainHmac::new(row, b"key").unwrap();
        hmac.update(b"message");
        let tag = by_definition(row, b"key", b"message");
        assert_eq!(hmac.verify(&tag), Ok(()), "{}", row.name);
        for wrong in [&tag[..tag.len() - 1], &[], &[&tag[..], &[0]].concat(), &row.digest(b"message")] {
            assert_eq!(hmac.verify(wrong), Err(Error::TagMismatch), "{}", row.name);
        }
    }
}

#[test]
fn kmac_forgets_a_message() {
    for variant in [KmacVariant::Kmac128, KmacVariant::Kmac256] {
        let kmac = || Kmac::new(variant, b"key", b"use");
        let (mut fresh, mut again) = (kmac(), kmac());
        fresh.update(b"message");
        again.update(b"another message");
        again.reset();
        again.update(b"message");
        assert_eq!(again.tag(32), fresh.tag(32));
        again.reset();
        assert_eq!(again.tag(32), kmac().tag(32));
        assert_ne!(again.tag(32), fresh.tag(32));
    }
}

/// Tags of KMAC can have any length. Long ones are compared piece by piece.
#[test]
fn tags_of_kmac_have_any_length() {
    for variant in [KmacVariant::Kmac128, KmacVariant::Kmac256] {
        let mut kmac = Kmac::new(variant, b"key", b"");
        kmac.update(b"message");
        for len in [1, 32, 167, 168, 169, 336, 337, 1000] {
            let mut tag = kmac.tag(len);
            assert_eq!(kmac.verify(&tag), Ok(()), "{len}");
            for at in [0, len / 2, len - 1] {
                tag[at] ^= 1;
                assert_eq!(kmac.verify(&tag), Err(Error::TagMismatch), "{at} of {len}");
                tag[at] ^= 1;
            }
            // The length is part of the authenticated data.
            assert_eq!(kmac.verify(&kmac.tag(len + 1)[..len]), Err(Error::TagMismatch), "{len}");
        }
        assert_eq!(kmac.verify(&[]), Err(Error::TagMismatch));
    }
}

/// The kernels by index are those of the lists: first those for one message, and then those for many.
#[test]
fn kernels_by_their_places() {
    for row in ALGORITHMS {
        let lists = row.kernels().into_iter().map(|kernel| (kernel, false));
        let lists = Vec::from_iter(lists.chain(row.batch_kernels().into_iter().map(|kernel| (kernel, true))));
        let places = Vec::from_iter((0..lists.len()).map_while(|place| row.kernel_at(place)));
        assert_eq!(places, lists, "{}", row.name);
        assert_eq!(row.kernel_at(lists.len()), None, "{}", row.name);
    }
}
