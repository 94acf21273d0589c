//! Saved states (`docs/spec/state.md`): all rows at all boundaries, the vectors that all languages share, and mutated
//! states.

use crate::common::{Random, hex, json, mod251, own_vectors, to_hex};
use hashwell::registry::Parameter;
use hashwell::{
    ALGORITHMS, Algorithm, Error, Hasher, Hmac, Kmac, KmacVariant, Node, Params, PlainHasher, PlainHmac,
    Sha256, Sha512, find,
};
use serde_json::Value;
use std::mem::MaybeUninit;
use zeroize::Zeroize;

/// Lengths on both sides of blocks, of the stripes of BLAKE2's tree modes, and of the chunks of BLAKE3 and
/// KangarooTwelve.
fn borders(algorithm: &Algorithm) -> Vec<usize> {
    let units =
        [algorithm.block, 2 * algorithm.block, 3 * algorithm.block, 512, 1024, 1536, 2048, 3072, 4096]
            .into_iter()
            .chain([7168, 8192, 16384, 24576, 65536, 98304]);
    let mut lengths: Vec<usize> = units.flat_map(|unit| [unit - 1, unit, unit + 1]).collect();
    lengths.extend([0, 1, 100_000]);
    lengths.sort_unstable();
    lengths.dedup();
    lengths
}

#[test]
fn every_row_goes_on_from_every_border() {
    let message = mod251(101_000);
    for algorithm in ALGORITHMS {
        let mut pieces = algorithm.hasher();
        let mut plain = algorithm.plain_hasher(&Params::default()).unwrap();
        let mut done = 0;
        for len in borders(algorithm) {
            let label = format!("{} after {len}", algorithm.name);
            let (head, rest) = message.split_at(len);
            pieces.update(&message[done..len]);
            message[done..len].chunks(37).for_each(|piece| plain.update(piece));
            done = len;
            let mut whole = algorithm.hasher();
            whole.update(head);
            let saved = whole.to_bytes().unwrap();
            // The state depends on the message, not on how it was split.
            assert_eq!(pieces.to_bytes().unwrap(), saved, "{label}, in pieces");
            assert_eq!(plain.to_bytes().unwrap(), saved, "{label}, as plain data");
            assert!(saved.len() <= 4096, "{label}");
            let mut restored = Hasher::from_bytes(&saved).unwrap();
            assert_eq!((restored.algorithm(), restored.message_len()), (algorithm, len as u64), "{label}");
            assert_eq!(restored.to_bytes().unwrap(), saved, "{label}, again");
            assert_eq!(restored.digest(), algorithm.digest(head), "{label}");
            let mut plain = PlainHasher::from_bytes(&saved).unwrap();
            assert_eq!(plain.message_len(), len as u64, "{label}, as plain data");
            for piece in [&rest[..rest.len().min(3)], &rest[rest.len().min(3)..]] {
                restored.update(piece);
                plain.update(piece);
            }
            assert_eq!(restored.digest(), algorithm.digest(&message), "{label}, finished");
            let mut digest = vec![0; algorithm.output];
            plain.digest_into(&mut digest).unwrap();
            assert_eq!(digest, algorithm.digest(&message), "{label}, finished as plain data");
            restored.reset();
            assert_eq!(restored.digest(), algorithm.digest(b""), "{label}, reset");
        }
    }
}

#[test]
fn sha256_is_short() {
    let mut hasher = find("sha256").unwrap().hasher();
    hasher.update(&[1; 63]);
    assert_eq!(hasher.to_bytes().unwrap().len(), 123);
}

#[test]
fn parameters_come_along() {
    let node =
        Node { fanout: 2, max_depth: 3, offset: 7, depth: 1, inner_length: 32, last: true, leaf_length: 9 };
    let plain = Params::default();
    let cases = [
        ("blake2b-512", Params { output_len: Some(20), salt: b"salt", personal: b"person", node, ..plain }),
        ("blake2s-256", Params { node, ..plain }),
        ("blake2bp-512", Params { output_len: Some(9), ..plain }),
        ("cshake256", Params { customization: &[7; 300], function_name: b"name", ..plain }),
        ("turboshake256", Params { domain: Some(1), ..plain }),
        ("kt256", Params { customization: &[7; 9000], output_len: Some(3), ..plain }),
        ("ascon-cxof128", Params { customization: b"custom", ..plain }),
        ("blake3", Params { output_len: Some(100), ..plain }),
    ];
    for (name, params) in cases {
        let mut hasher = find(name).unwrap().build(&params).unwrap();
        hasher.update(&mod251(10_000));
        let saved = hasher.to_bytes().unwrap();
        let mut restored = Hasher::from_bytes(&saved).unwrap();
        assert_eq!(restored.to_bytes().unwrap(), saved, "{name}");
        for hasher in [&mut hasher, &mut restored] {
            hasher.update(b"more");
        }
        assert_eq!(restored.digest(), hasher.digest(), "{name}");
        restored.reset();
        hasher.reset();
        assert_eq!(restored.digest(), hasher.digest(), "{name}, reset");
        let output = Params { output_len: params.output_len, ..plain };
        let plain = find(name)
            .unwrap()
            .plain_hasher(&Params {
                customization: &params.customization[..params.customization.len().min(256)],
                ..params
            })
            .unwrap();
        let what = "exporting a PlainHasher if parameters other than length and kernel were set";
        let refused = format!("{name} does not support {what}");
        let expected = if params == output { None } else { Some(refused) };
        assert_eq!(plain.to_bytes().err().map(|error| error.to_string()), expected);
    }
}

#[test]
fn secrets_stay() {
    let key = Params { key: Some(&[1; 32]), ..Params::default() };
    for algorithm in ALGORITHMS.iter().filter(|row| row.limits(Parameter::Key).is_some()) {
        let refused = algorithm.build(&key).unwrap().to_bytes().unwrap_err();
        assert!(matches!(refused, Error::Unsupported { .. }), "{}", algorithm.name);
        let plain = algorithm.plain_hasher(&key).unwrap().to_bytes().unwrap_err();
        assert_eq!(plain.to_string(), refused.to_string());
    }
    let derived = Params { context: Some("purpose"), ..Params::default() };
    let refused = find("blake3").unwrap().build(&derived).unwrap().to_bytes().unwrap_err();
    assert_eq!(
        refused.to_string(),
        "blake3 does not support exporting a state that depends on a key (use to_secret_bytes)"
    );
}

/// The states and outputs that `reference/state.py` computes from the specification.
#[test]
fn vectors() {
    let file = json(&own_vectors().join("state.json"));
    let rest = file["rest"].as_u64().unwrap() as usize;
    let mut rows = std::collections::BTreeSet::new();
    for case in file["cases"].as_array().unwrap() {
        let bytes = |field: &str| hex(case[field].as_str().unwrap_or(""));
        let (salt, personal) = (bytes("salt"), bytes("personal"));
        let (customization, function_name) = (bytes("customization"), bytes("function_name"));
        let number = |field: &str| case[field].as_u64();
        let params = Params {
            output_len: number("output_len").map(|len| len as usize),
            salt: &salt,
            personal: &personal,
            customization: &customization,
            function_name: &function_name,
            domain: number("domain").map(|domain| domain as u8),
            ..Params::default()
        };
        let name = case["algorithm"].as_str().unwrap();
        rows.insert(name.to_owned());
        let len = number("len").unwrap() as usize;
        let message = mod251(len + rest);
        let mut hasher = find(name).unwrap().build(&params).unwrap();
        hasher.update(&message[..len]);
        assert_eq!(Value::from(to_hex(&hasher.to_bytes().unwrap())), case["state"], "{name} after {len}");
        let mut restored = Hasher::from_bytes(&bytes("state")).unwrap();
        restored.update(&message[len..]);
        assert_eq!(Value::from(to_hex(&restored.digest())), case["expected"], "{name} after {len}");
    }
    assert_eq!(rows.len(), ALGORITHMS.len(), "a row without a vector");
}

/// The same bytes with a corrected checksum.
fn checked(body: &[u8]) -> Vec<u8> {
    [body, &Sha256::digest(body)[..8]].concat()
}

fn refusal(bytes: &[u8]) -> String {
    Hasher::from_bytes(bytes).expect_err("a bad state was taken").to_string()
}

/// An accepted state is written as the same bytes again, so it contains no unused bytes.
#[test]
fn mutated_states_are_refused_or_can_be() {
    let mut random = Random(1);
    let message = mod251(10_000);
    for algorithm in ALGORITHMS {
        let mut accepted = 0;
        for len in
            [0, 1, algorithm.block - 1, algorithm.block, algorithm.block + 1, 1024, 2048, 8192, 8200, 9999]
        {
            let mut hasher = algorithm.hasher();
            hasher.update(&message[..len]);
            let saved = hasher.to_bytes().unwrap();
            let body = &saved[..saved.len() - 8];
            for at in 0..saved.len() {
                let mut bad = saved.clone();
                bad[at] ^= 1 << random.below(8);
                refusal(&bad);
                assert!(Hasher::from_bytes(&saved[..at]).is_err(), "{} cut at {at}", algorithm.name);
                if at > 0 && at < body.len() {
                    refusal(&checked(&body[..at]));
                }
            }
            refusal(&[&saved[..], &[0]].concat());
            refusal(&checked(&[body, &[0]].concat()));
            for round in 0..2 * body.len() {
                let mut bad = body.to_vec();
                // First, each byte of the header and the parameters is changed, and then random bytes.
                let at = if round < 24 { round.min(body.len() - 1) } else { random.below(body.len()) };
                bad[at] ^= random.below(255) as u8 + 1;
                let bad = checked(&bad);
                if let Ok(mut taken) = Hasher::from_bytes(&bad) {
                    assert_eq!(taken.to_bytes().unwrap(), bad, "{} after {len}, byte {at}", algorithm.name);
                    taken.update(&message);
                    let _ = taken.digest();
                    accepted += 1;
                }
                let plain = PlainHasher::from_bytes(&bad).is_ok();
                assert_eq!(plain, Hasher::from_bytes(&bad).is_ok(), "{}", algorithm.name);
            }
        }
        assert!(accepted > 0, "{}", algorithm.name);
    }
}

#[test]
fn impossible_states_are_refused_by_name() {
    let file = json(&own_vectors().join("state.json"));
    for case in file["rejected"].as_array().unwrap() {
        let state = hex(case["state"].as_str().unwrap());
        assert_eq!(Value::from(refusal(&state)), case["message"]);
        let plain = PlainHasher::from_bytes(&state).expect_err("a bad state was taken");
        assert_eq!(Value::from(plain.to_string()), case["message"], "as plain data");
    }
    let mut sha512 = find("sha512").unwrap().hasher();
    sha512.update(b"abc");
    let saved = sha512.to_bytes().unwrap();
    assert!(Sha512::from_bytes(&saved).is_ok());
    let other = Sha256::from_bytes(&saved).unwrap_err().to_string();
    assert_eq!(other, "not an exported state: its algorithm or output length differs from that of sha256");
}

/// Parameters have a unique form: in order, without duplicates, and without default values.
#[test]
fn parameters_have_one_form() {
    let blake2b = |parameters: &[u8]| {
        let state = find("blake2b-512").unwrap().hasher().to_bytes().unwrap();
        let len = (parameters.len() as u32).to_le_bytes();
        checked(&[&state[..8], &len, parameters, &state[12..state.len() - 8]].concat())
    };
    let number = |id: u8, value: u64| [&[id, 8, 0, 0, 0][..], &value.to_le_bytes()].concat();
    assert!(Hasher::from_bytes(&blake2b(b"")).is_ok());
    for parameters in [
        number(0, 64),                           // the default
        number(8, 1),                            // the default fan-out
        [number(10, 5), number(10, 5)].concat(), // twice
        [number(10, 5), number(9, 2)].concat(),  // not in order
        number(10, 1 << 32),                     // more than the field has
        vec![1, 1, 0, 0, 0, 7],                  // a key
        vec![7, 1, 0, 0, 0, b'c'],               // a context
        vec![99, 0, 0, 0, 0],                    // no such parameter
        vec![2, 0, 0, 0, 0],                     // an empty salt
        vec![2, 255, 255, 255, 255],             // cut off
    ] {
        assert!(refusal(&blake2b(&parameters)).starts_with("not an exported state: "), "{parameters:?}");
    }
    // A parameter of another algorithm, and one that is out of range.
    assert_eq!(refusal(&blake2b(&number(6, 31))), "blake2b-512 does not support a domain byte");
    assert!(refusal(&blake2b(&number(0, 65))).contains("must be 1 to 64 bytes, not 65"));
}

/// Bytes of a case, in hexadecimal.
fn bytes_of(case: &Value, field: &str) -> Vec<u8> {
    hex(case[field].as_str().unwrap_or(""))
}

/// The states with keys and the outputs that `reference/state.py` computes from the specification.
#[test]
fn secret_vectors() {
    let file = json(&own_vectors().join("state.json"));
    let rest = file["rest"].as_u64().unwrap() as usize;
    let mut kinds = std::collections::BTreeSet::new();
    for case in file["secret"].as_array().unwrap() {
        let text = |field: &str| case[field].as_str().unwrap();
        let (name, kind) = (text("algorithm"), text("kind"));
        let len = case["len"].as_u64().unwrap() as usize;
        let label = format!("{kind} {name} after {len}");
        let message = mod251(len + rest);
        let (begun, end) = message.split_at(len);
        let (key, saved) = (bytes_of(case, "key"), bytes_of(case, "state"));
        kinds.insert(kind.to_owned());
        let tag = match kind {
            "hash" => {
                let salt = bytes_of(case, "salt");
                let params = Params {
                    key: case["key"].is_string().then_some(&key),
                    context: case["context"].as_str(),
                    salt: &salt,
                    output_len: case["output_len"].as_u64().map(|len| len as usize),
                    ..Params::default()
                };
                let mut hasher = find(name).unwrap().build(&params).unwrap();
                hasher.update(begun);
                assert_eq!(*hasher.to_secret_bytes().unwrap(), saved, "{label}");
                let mut restored = Hasher::from_secret_bytes(&saved).unwrap();
                assert_eq!(
                    (hasher.message_len(), restored.message_len()),
                    (len as u64, len as u64),
                    "{label}"
                );
                assert_eq!(*restored.to_secret_bytes().unwrap(), saved, "{label}, again");
                let mut place = MaybeUninit::uninit();
                let plain = PlainHasher::from_secret_bytes_in(&saved, &mut place).unwrap();
                assert_eq!(plain.message_len(), len as u64, "{label}, as plain data");
                match plain.to_secret_bytes() {
                    Ok(again) => assert_eq!(*again, saved, "{label}, as plain data"),
                    Err(refused) => {
                        assert!(!salt.is_empty() || params.context.is_some(), "{label}");
                        assert!(
                            refused.to_string().contains("parameters other than key, length and kernel"),
                            "{refused}"
                        );
                    }
                }
                plain.update(end);
                restored.update(end);
                let mut digest = vec![0; plain.output_len()];
                plain.digest_into(&mut digest).unwrap();
                plain.zeroize();
                assert_eq!(digest, restored.digest(), "{label}, as plain data");
                restored.reset();
                hasher.reset();
                assert_eq!(restored.digest(), hasher.digest(), "{label}, reset");
                digest
            }
            "hmac" => {
                let row = find(name).unwrap();
                let mut hmac = Hmac::new(row, &key).unwrap();
                hmac.update(begun);
                assert_eq!(*hmac.to_secret_bytes().unwrap(), saved, "{label}");
                let mut restored = Hmac::from_secret_bytes(&saved).unwrap();
                assert_eq!(*restored.to_secret_bytes().unwrap(), saved, "{label}, again");
                let mut place = MaybeUninit::uninit();
                let plain = PlainHmac::from_secret_bytes_in(&saved, &mut place).unwrap();
                assert_eq!(*plain.to_secret_bytes().unwrap(), saved, "{label}, as plain data");
                plain.update(end);
                restored.update(end);
                let mut tag = vec![0; row.output];
                plain.tag_into(&mut tag).unwrap();
                assert_eq!(tag, restored.tag(), "{label}, as plain data");
                for tag_of_empty in [&mut restored, &mut hmac] {
                    tag_of_empty.reset();
                }
                plain.reset();
                let mut empty = vec![0; row.output];
                plain.tag_into(&mut empty).unwrap();
                plain.zeroize();
                assert_eq!((restored.tag(), empty), (hmac.tag(), hmac.tag()), "{label}, reset");
                tag
            }
            _ => {
                let variant = KmacVariant::find(name).unwrap();
                let mut kmac = Kmac::new(variant, &key, &bytes_of(case, "customization"));
                kmac.update(begun);
                assert_eq!(*kmac.to_secret_bytes().unwrap(), saved, "{label}");
                let mut restored = Kmac::from_secret_bytes(&saved).unwrap();
                assert_eq!(*restored.to_secret_bytes().unwrap(), saved, "{label}, again");
                restored.update(end);
                let tag = restored.tag(32);
                restored.reset();
                kmac.reset();
                assert_eq!(restored.tag(9), kmac.tag(9), "{label}, reset");
                tag
            }
        };
        assert_eq!(Value::from(to_hex(&tag)), case["expected"], "{label}");
    }
    assert_eq!(kinds.len(), 3);
}

/// Every algorithm with HMAC, at lengths on both sides of a block.
#[test]
fn every_hmac_goes_on() {
    let message = mod251(5000);
    for row in ALGORITHMS.iter().filter(|row| row.hmac) {
        let mut hmac = Hmac::new(row, b"key").unwrap();
        hmac.update(&message);
        for len in [0, 1, row.block - 1, row.block, row.block + 1, 2048, 4999] {
            let mut begun = Hmac::new(row, b"key").unwrap();
            begun.update(&message[..len]);
            let mut restored = Hmac::from_secret_bytes(&begun.to_secret_bytes().unwrap()).unwrap();
            restored.update(&message[len..]);
            assert_eq!(restored.tag(), hmac.tag(), "{} after {len}", row.name);
        }
    }
}

fn secret_refusals(kind: &str, saved: &[u8]) -> Vec<String> {
    let (mut hasher, mut hmac) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    let refused = match kind {
        "hash" => vec![
            Hasher::from_secret_bytes(saved).err(),
            PlainHasher::from_secret_bytes_in(saved, &mut hasher).err(),
        ],
        "hmac" => vec![
            Hmac::from_secret_bytes(saved).err(),
            PlainHmac::from_secret_bytes_in(saved, &mut hmac).err(),
        ],
        _ => vec![Kmac::from_secret_bytes(saved).err()],
    };
    refused.into_iter().map(|error| error.expect("a bad state was taken").to_string()).collect()
}

#[test]
fn impossible_secret_states_are_refused_by_name() {
    let file = json(&own_vectors().join("state.json"));
    for case in file["rejected_secret"].as_array().unwrap() {
        let kind = case["kind"].as_str().unwrap();
        for message in secret_refusals(kind, &bytes_of(case, "state")) {
            assert_eq!(Value::from(message), case["message"], "{kind}");
        }
    }
    let refused = find("sha256").unwrap().hasher().to_secret_bytes().unwrap_err();
    assert_eq!(
        refused.to_string(),
        "sha256 does not support exporting a state without a key as secret bytes (use to_bytes)"
    );
    let plain = find("sha256").unwrap().plain_hasher(&Params::default()).unwrap().to_secret_bytes();
    assert_eq!(plain.unwrap_err().to_string(), refused.to_string());
}

/// An accepted state is written as the same bytes again, even if a byte of it was changed.
#[test]
fn mutated_secret_states_are_refused_or_can_be() {
    let file = json(&own_vectors().join("state.json"));
    let mut random = Random(2);
    let (mut accepted, mut refused) = (0, 0);
    for case in file["secret"].as_array().unwrap() {
        let saved = bytes_of(case, "state");
        let body = &saved[..saved.len() - 8];
        for _ in 0..40 {
            let mut bad = body.to_vec();
            bad[random.below(body.len())] ^= random.below(255) as u8 + 1;
            let bad = checked(&bad);
            let again = match case["kind"].as_str().unwrap() {
                "hash" => Hasher::from_secret_bytes(&bad).and_then(|mut hasher| {
                    let again = hasher.to_secret_bytes();
                    hasher.update(&[1; 3000]);
                    let _ = hasher.digest();
                    again
                }),
                "hmac" => Hmac::from_secret_bytes(&bad).and_then(|mut hmac| {
                    let again = hmac.to_secret_bytes();
                    hmac.update(&[1; 3000]);
                    let _ = hmac.tag();
                    again
                }),
                _ => Kmac::from_secret_bytes(&bad).and_then(|kmac| kmac.to_secret_bytes()),
            };
            match again {
                Ok(again) => {
                    assert_eq!(*again, bad, "{case}");
                    accepted += 1;
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(accepted > 100 && refused > 1000, "{accepted} accepted, {refused} refused");
}
