//! Many messages at a time: compares every batch kernel, selected by name, with the portable chain kernel.

use crate::common;

use common::{Random, mod251};
use hashwell::{
    ALGORITHMS, Algorithm, Error, Many, Node, Params, find, hash_many, hmac, hmac_many, xof_many,
};

fn on<'a>(kernel: &'a str) -> Params<'a> {
    Params { kernel: Some(kernel), ..Params::default() }
}

/// All ways to hash many messages on this CPU: each batch kernel, each chain kernel, and the default.
fn ways(algorithm: &'static Algorithm) -> Vec<Many> {
    let names = algorithm.batch_kernels().into_iter().chain(algorithm.kernels());
    let named = names.filter(|kernel| kernel.available).map(|kernel| {
        let many = algorithm.many(&on(kernel.name)).unwrap();
        assert_eq!(many.kernel(), kernel.name);
        many
    });
    named.chain([algorithm.many(&Params::default()).unwrap()]).collect()
}

fn one_by_one(algorithm: &'static Algorithm, params: &Params<'_>, messages: &[Vec<u8>]) -> Vec<u8> {
    let soft = algorithm.kernels().last().unwrap().name;
    let fresh = algorithm.build(&Params { kernel: Some(soft), ..*params }).unwrap();
    let digest = |message: &Vec<u8>| {
        let mut hasher = fresh.clone();
        hasher.update(message);
        hasher.digest()
    };
    messages.iter().flat_map(digest).collect()
}

#[test]
fn every_batch_kernel_at_every_length() {
    let mut random = Random(11);
    for algorithm in ALGORITHMS {
        // Every length up to more than four blocks, in random order, so that lanes have different lengths.
        let mut messages: Vec<Vec<u8>> =
            (0..=4 * algorithm.block + 17).map(|len| random.bytes(len)).collect();
        for i in (1..messages.len()).rev() {
            messages.swap(i, random.below(i + 1));
        }
        let expected = one_by_one(algorithm, &Params::default(), &messages);
        for many in ways(algorithm) {
            let name = many.kernel();
            assert!(many.digest(&messages) == expected, "{} on {name}", algorithm.name);
        }
    }
}

/// Few messages, equal lengths, and one long message among short ones, to test how the scheduler fills and drains
/// lanes.
#[test]
fn every_count_and_mix() {
    let mut random = Random(12);
    for algorithm in ALGORITHMS {
        let block = algorithm.block;
        let all = ways(algorithm);
        for count in (0..=18).chain([33, 64, 100]) {
            for mix in 0..4 {
                let mut messages: Vec<Vec<u8>> = (0..count)
                    .map(|i| {
                        let len = match mix {
                            0 => block * 3,
                            1 => random.below(block * 12),
                            2 => {
                                if i % 7 == 3 {
                                    block * 40 + i
                                } else {
                                    i
                                }
                            }
                            _ => [0, 1, block - 1, block, block + 1][i % 5],
                        };
                        random.bytes(len)
                    })
                    .collect();
                if mix == 2 && count == 18 {
                    messages[5] = random.bytes(20_000);
                }
                let expected = one_by_one(algorithm, &Params::default(), &messages);
                for many in &all {
                    let got = many.digest(&messages);
                    assert!(got == expected, "{} on {}: {count}, mix {mix}", algorithm.name, many.kernel());
                }
            }
        }
    }
}

/// Messages with the same number of blocks are padded in groups. A message with a different number, at any position,
/// ends a group.
#[test]
fn alike_messages_around_another() {
    let mut random = Random(13);
    for algorithm in ALGORITHMS {
        let alike: Vec<Vec<u8>> = (0..37).map(|i| random.bytes(i % 5)).collect();
        for place in 0..20 {
            let mut messages = alike.clone();
            messages[place] = random.bytes(3 * algorithm.block);
            let expected = one_by_one(algorithm, &Params::default(), &messages);
            for many in ways(algorithm) {
                let name = many.kernel();
                assert!(many.digest(&messages) == expected, "{} on {name}: {place}", algorithm.name);
            }
        }
    }
}

#[test]
fn parameters_hold_for_every_message() {
    let messages: Vec<Vec<u8>> = (0..70).map(|i| mod251(i * 29)).collect();
    let key = mod251(32);
    for (name, params) in [
        ("blake2b-512", Params { key: Some(&key), output_len: Some(20), ..Params::default() }),
        ("blake2b-256", Params { salt: b"salt", personal: b"personal", ..Params::default() }),
        ("blake2s-256", Params { key: Some(&key), ..Params::default() }),
        ("blake2bp-512", Params { key: Some(&key), ..Params::default() }),
        ("blake2sp-256", Params { key: Some(&key), output_len: Some(20), ..Params::default() }),
        ("blake3", Params { key: Some(&key), ..Params::default() }),
        ("cshake128", Params { customization: b"hashwell", output_len: Some(500), ..Params::default() }),
        ("turboshake256", Params { domain: Some(0x2a), ..Params::default() }),
        ("kt128", Params { customization: b"hashwell", ..Params::default() }),
        ("kt256", Params { output_len: Some(1000), ..Params::default() }),
        ("ascon-cxof128", Params { customization: b"hashwell", output_len: Some(77), ..Params::default() }),
        ("shake256", Params { output_len: Some(0), ..Params::default() }),
    ] {
        let algorithm = find(name).unwrap();
        let expected = one_by_one(algorithm, &params, &messages);
        for kernel in algorithm.batch_kernels().iter().filter(|kernel| kernel.available) {
            let many = algorithm.many(&Params { kernel: Some(kernel.name), ..params }).unwrap();
            assert!(many.digest(&messages) == expected, "{name} on {}", kernel.name);
        }
        assert!(algorithm.many(&params).unwrap().digest(&messages) == expected, "{name}");
    }
}

#[test]
fn long_output() {
    let messages: Vec<Vec<u8>> = (0..21).map(|i| mod251(i * 50)).collect();
    for algorithm in ALGORITHMS.iter().filter(|a| a.kind == hashwell::Kind::Xof) {
        for len in [0, 1, algorithm.block - 1, algorithm.block, algorithm.block + 1, 3 * algorithm.block, 999]
        {
            let params = Params { output_len: Some(len), ..Params::default() };
            let expected = one_by_one(algorithm, &params, &messages);
            assert!(xof_many(algorithm, &messages, len).unwrap() == expected, "{} {len}", algorithm.name);
        }
    }
    let refused = xof_many(find("sha256").unwrap(), &messages, 9).unwrap_err();
    assert_eq!(refused.to_string(), "sha256 does not support a variable output length");
}

/// Tree hashes whose leaves are hashed in SIMD lanes, with lengths around all boundaries, and split in all ways.
#[test]
fn trees_on_every_kernel() {
    let mut random = Random(13);
    for name in ["kt128", "kt256", "blake2bp-512", "blake2sp-256"] {
        let algorithm = find(name).unwrap();
        let message = random.bytes(300_000);
        let lens = [0, 1, 127, 128, 129, 511, 512, 513, 640, 641, 1023, 1024, 1025, 1536, 1537, 2049]
            .into_iter()
            .chain([8190, 8191, 8192, 8193, 16_383, 16_384, 16_385, 8192 * 9, 8192 * 34 + 5, 300_000]);
        for len in lens {
            let message = message[..len].to_vec();
            let expected = one_by_one(algorithm, &Params::default(), core::slice::from_ref(&message));
            for kernel in algorithm.batch_kernels().iter().filter(|kernel| kernel.available) {
                for cuts in 0..4 {
                    let mut hasher = algorithm.build(&on(kernel.name)).unwrap();
                    assert_eq!(hasher.kernel(), kernel.name);
                    let mut rest = &message[..];
                    for _ in 0..cuts {
                        let (head, tail) = rest.split_at(random.below(rest.len() + 1));
                        hasher.update(head);
                        rest = tail;
                    }
                    hasher.update(rest);
                    assert_eq!(hasher.digest(), expected, "{name} on {} at {len}", kernel.name);
                }
            }
        }
    }
}

#[test]
fn iterators_and_buffers() {
    let sha256 = find("sha256").unwrap();
    let messages: Vec<Vec<u8>> = (0..2500).map(|i| mod251(i % 300)).collect();
    let expected = one_by_one(sha256, &Params::default(), &messages);
    assert!(hash_many(sha256, messages.iter().filter(|_| true)) == expected);
    assert!(hash_many(sha256, Vec::<Vec<u8>>::new()).is_empty());
    let many = sha256.many(&Params::default()).unwrap();
    let mut out = vec![0; expected.len()];
    many.digest_into(&messages, &mut out).unwrap();
    assert!(out == expected);
    let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    out.fill(0);
    sha256.digest_many_into(&Params::default(), &slices, &mut out).unwrap();
    assert!(out == expected);
    let refused = many.digest_into(&messages[..2], &mut out[..65]).unwrap_err();
    assert_eq!(refused.to_string(), "sha256: digests buffer must be 64 bytes, not 65");
    assert_eq!(sha256.many(&on("warp")).unwrap_err(), Error::UnknownKernel { name: "warp".into() });
}

#[test]
fn hmac_of_many() {
    for algorithm in ALGORITHMS.iter().filter(|a| a.hmac) {
        let keys: Vec<Vec<u8>> = (0..40).map(|i| mod251(i * 9)).collect();
        let messages: Vec<Vec<u8>> = (0..40).map(|i| mod251((i * 37) % 700)).collect();
        let tag = |key: &[u8], message: &[u8]| hmac(algorithm, key, message).unwrap();
        let all = |pairs: Vec<(&Vec<u8>, &Vec<u8>)>| -> Vec<u8> {
            pairs.into_iter().flat_map(|(key, message)| tag(key, message)).collect()
        };
        let name = algorithm.name;
        let one_key = hmac_many(algorithm, &keys[3..4], &messages).unwrap();
        assert!(one_key == all(messages.iter().map(|m| (&keys[3], m)).collect()), "{name}");
        let one_message = hmac_many(algorithm, &keys, &messages[7..8]).unwrap();
        assert!(one_message == all(keys.iter().map(|k| (k, &messages[7])).collect()), "{name}");
        let pairs = hmac_many(algorithm, &keys, &messages).unwrap();
        assert!(pairs == all(keys.iter().zip(&messages).collect()), "{name}");
        assert!(hmac_many(algorithm, &keys, &messages[..3]).is_err(), "{name}");
    }
    assert!(hmac_many(find("shake128").unwrap(), &["k"], &["m"]).is_err());
    let none: [&[u8]; 0] = [];
    assert!(hmac_many(find("sha256").unwrap(), &["k"], &none).unwrap().is_empty());
}

/// Streams that are computed in parallel: every kernel, any number of seeds, and reads of any sizes.
#[test]
fn streams_in_lockstep() {
    let mut random = Random(14);
    for algorithm in ALGORITHMS.iter().filter(|a| a.kind == hashwell::Kind::Xof) {
        let names = algorithm.batch_kernels().into_iter().chain(algorithm.kernels());
        for kernel in names.filter(|kernel| kernel.available) {
            for count in [0, 1, 3, 4, 5, 8, 9, 17] {
                for mixed in [false, true] {
                    let seeds: Vec<Vec<u8>> =
                        (0..count).map(|i| random.bytes(if mixed { 150 * i } else { 34 })).collect();
                    let mut streams = algorithm.streams(&seeds, &on(kernel.name)).unwrap();
                    assert_eq!(streams.count(), count);
                    let mut all = vec![Vec::new(); count];
                    for len in [0, 1, 5, 168, 168 * 3, 136, 8, 700, 135] {
                        let mut out = vec![0; count * len];
                        streams.read(&mut out).unwrap();
                        for (i, all) in all.iter_mut().enumerate() {
                            all.extend_from_slice(&out[i * len..][..len]);
                        }
                    }
                    let len = all.first().map_or(0, Vec::len);
                    let expected = xof_many(algorithm, &seeds, len).unwrap();
                    let name = algorithm.name;
                    assert!(all.concat() == expected, "{name} on {}: {count}, {mixed}", kernel.name);
                    if count > 0 {
                        assert_eq!(streams.position(), len as u64);
                    }
                }
            }
        }
    }
    let mut streams = find("shake128").unwrap().streams(&["a", "b"], &Params::default()).unwrap();
    let refused = streams.read(&mut [0; 7]).unwrap_err();
    assert_eq!(refused.to_string(), "shake128: output buffer must be 6 to 8 bytes, not 7");
    let mut streams = find("shake128").unwrap().streams(&["a", "b", "c"], &Params::default()).unwrap();
    let refused = streams.read(&mut [0; 11]).unwrap_err();
    assert_eq!(refused.to_string(), "shake128: output buffer must be 9 to 12 bytes, not 11");
    assert!(find("sha256").unwrap().streams(&["a"], &Params::default()).is_err());
}

#[cfg(feature = "rayon")]
#[test]
fn all_cores_agree_with_one() {
    let mut random = Random(15);
    let message = random.bytes(3_000_000);
    for algorithm in ALGORITHMS {
        for (len, cut) in [(0, 0), (8191, 100), (8193, 8192), (300_000, 5), (3_000_000, 1_234_567)] {
            let mut hasher = algorithm.hasher();
            hasher.update_parallel(&message[..cut]);
            hasher.update_parallel(&message[cut..len]);
            assert_eq!(hasher.digest(), algorithm.digest(&message[..len]), "{} at {len}", algorithm.name);
        }
        let messages: Vec<&[u8]> = (0..300).map(|i| &message[i * 500..][..(i * i) % 900]).collect();
        let many = algorithm.many(&Params::default()).unwrap();
        let mut out = vec![0; 300 * many.output_len()];
        many.digest_into_parallel(&messages, &mut out).unwrap();
        assert!(out == many.digest(&messages), "{}", algorithm.name);
        assert!(many.digest_into_parallel(&messages, &mut out[1..]).is_err());
    }
}

/// BLAKE2 of a tree node: the values of CPython's own tests, and the last node's flag on every kernel.
#[test]
fn nodes_of_a_tree() {
    let node =
        Node { fanout: 2, max_depth: 3, leaf_length: 4, offset: 5, depth: 6, inner_length: 7, last: true };
    let known =
        [("blake2b", "920568b0c5873b2f0ab67bedb6cf1b2b"), ("blake2s", "bf2a8f7fe3c555012a6f8046e646bc75")];
    let mut random = Random(17);
    for (name, digest) in known {
        let algorithm = find(name).unwrap();
        let params = Params {
            output_len: Some(16),
            key: Some(b"bar"),
            salt: b"baz",
            personal: b"bing",
            node,
            ..Params::default()
        };
        let mut hasher = algorithm.build(&params).unwrap();
        hasher.update(b"foo");
        let hex: String = hasher.digest().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, digest);
        for last in [false, true] {
            let params = Params { node: Node { last, ..node }, ..params };
            let messages: Vec<Vec<u8>> = (0..200).map(|len| random.bytes(2 * len)).collect();
            let expected = one_by_one(algorithm, &params, &messages);
            for kernel in algorithm.batch_kernels().into_iter().chain(algorithm.kernels()) {
                if kernel.available {
                    let many = algorithm.many(&Params { kernel: Some(kernel.name), ..params }).unwrap();
                    assert!(
                        many.digest(&messages) == expected,
                        "{name} on {}, last node: {last}",
                        kernel.name
                    );
                }
            }
        }
    }
}

/// Streams can be computed in parallel even if a customization string is too long to be stored in the state.
#[test]
fn streams_of_long_customizations() {
    let (row, long) = (find("kt128").unwrap(), [7; 300]);
    for customization in [&long[..256], &long[..257], &long] {
        let params = Params { customization, ..Params::default() };
        let seeds = ["a", "bc"];
        let mut out = [0; 200];
        row.streams(&seeds, &params).unwrap().read(&mut out).unwrap();
        for (seed, own) in seeds.iter().zip(out.chunks(100)) {
            let mut hasher = row.build(&params).unwrap();
            hasher.update(seed.as_bytes());
            let mut must = [0; 100];
            hasher.into_reader().unwrap().read(&mut must);
            assert_eq!(own, must, "{} bytes", customization.len());
        }
    }
}
