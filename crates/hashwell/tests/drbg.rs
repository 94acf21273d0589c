//! HMAC-DRBG: known answers, and each rule of SP 800-90A.

use crate::common;

use common::{hex, json, own_vectors, shared_vectors, text, to_hex};
use hashwell::drbg::limits::{MAX_INPUT, MAX_REQUEST, MAX_RESEED_INTERVAL};
use hashwell::{
    ALGORITHMS, Algorithm, CounterRng, Drbg, DrbgParams, DrbgStream, Error, Hmac, HmacDrbg, KeyedHmac,
    Request, find,
};
use serde_json::Value;
use std::collections::HashSet;

const FULL: DrbgParams<'_> = DrbgParams {
    personalization: b"",
    strength: None,
    prediction_resistance: true,
    reseed_interval: None,
    kernel: None,
};

fn eligible() -> impl Iterator<Item = &'static Algorithm> {
    ALGORITHMS.iter().filter(|a| a.hmac)
}

fn sha256() -> &'static Algorithm {
    find("sha256").unwrap()
}

/// A generator for a row, from inputs that are long enough for all rows.
fn drbg(algorithm: &'static Algorithm, params: &DrbgParams<'_>) -> HmacDrbg {
    HmacDrbg::new(algorithm, &[1; 32], &[2; 16], params).unwrap()
}

fn bytes(drbg: &mut HmacDrbg, len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    drbg.generate(&mut out, b"").unwrap();
    out
}

/// K and V, which are at the end of the exported state, before its checksum.
fn key_and_v(drbg: &mut HmacDrbg) -> (String, String) {
    let state = drbg.export_state().unwrap();
    let len = drbg.algorithm().output;
    let at = state.len() - 8 - 2 * len;
    (to_hex(&state[at..at + len]), to_hex(&state[at + len..at + 2 * len]))
}

/// A source that returns these bytes once.
fn once(entropy: &[u8]) -> impl FnMut(&mut [u8]) -> Result<(), Error> {
    let mut entropy = Some(entropy.to_vec());
    move |out| {
        let entropy = entropy.take().expect("asked once");
        out.copy_from_slice(&entropy);
        Ok(())
    }
}

// ---------------------------------------------------------------- known answers

fn field(case: &Value, name: &str) -> Vec<u8> {
    case[name].as_str().map(hex).unwrap_or_default()
}

#[test]
fn own_vectors_on_every_kernel() {
    let cases = json(&own_vectors().join("hmac-drbg.json"));
    let mut seen = HashSet::new();
    for case in cases["cases"].as_array().unwrap() {
        let algorithm = find(case["algorithm"].as_str().unwrap()).unwrap();
        seen.insert(algorithm.name);
        for kernel in algorithm.kernels().iter().filter(|k| k.available) {
            let personalization = field(case, "personalization");
            let params = DrbgParams { personalization: &personalization, kernel: Some(kernel.name), ..FULL };
            let (entropy, nonce) = (field(case, "entropy"), field(case, "nonce"));
            let mut drbg = HmacDrbg::new(algorithm, &entropy, &nonce, &params).unwrap();
            assert_eq!(drbg.kernel(), kernel.name);
            for step in case["steps"].as_array().unwrap() {
                let additional = field(step, "additional");
                let Some(len) = step["generate"].as_u64() else {
                    drbg.reseed(&field(step, "reseed"), &additional).unwrap();
                    continue;
                };
                let mut out = vec![0; len as usize];
                if step["entropy"].is_null() {
                    drbg.generate(&mut out, &additional).unwrap();
                } else {
                    let request =
                        Request { additional: &additional, prediction_resistance: true, strength: None };
                    drbg.generate_from(&mut once(&field(step, "entropy")), &mut out, &request).unwrap();
                }
                if let Some(expected) = step["expected"].as_str() {
                    assert_eq!(to_hex(&out), expected, "{} on {}: {case}", algorithm.name, kernel.name);
                }
            }
        }
    }
    for algorithm in eligible() {
        assert!(seen.contains(algorithm.name), "{} has no vector in hmac-drbg.json", algorithm.name);
    }
}

/// The row with NIST's name for a hash.
fn nist(name: &str) -> &'static Algorithm {
    find(&name.to_lowercase().replace("sha2-512/", "sha512/")).unwrap()
}

/// All cases of the three files, including K and V after every call.
#[test]
fn cavp() {
    let Some(shared) = shared_vectors("cavp/HMAC_DRBG") else { return };
    for (file, states) in [("no_reseed", 3), ("pr_false", 4), ("pr_true", 3)] {
        let mut run = 0;
        let mut hashes = HashSet::new();
        let mut algorithm = sha256();
        let (mut seed, mut drbg): (Vec<Vec<u8>>, Option<HmacDrbg>) = (Vec::new(), None);
        let (mut additional, mut reseed, mut fresh) = (Vec::new(), Vec::new(), Vec::new());
        let (mut v, mut out) = (String::new(), Vec::new());
        let mut checked = 0;
        let content = text(&shared.join(format!("cavp/HMAC_DRBG/{file}.txt.gz")));
        // The inputs of a call precede its marker, except ReturnedBits; K and V follow it. The output length of a
        // generate call is that of its group.
        let mut output_len = 0;
        for line in content.lines().map(str::trim) {
            if let Some(header) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                match header.split_once(" = ") {
                    None => {
                        algorithm = nist(header);
                        hashes.insert(algorithm.name);
                    }
                    Some(("ReturnedBitsLen", bits)) => output_len = bits.parse::<usize>().unwrap() / 8,
                    Some(_) => {}
                }
            } else if let Some(marker) = line.strip_prefix("** ") {
                if marker.starts_with("INSTANTIATE") {
                    let params = DrbgParams { personalization: &seed[2], ..FULL };
                    drbg = Some(HmacDrbg::new(algorithm, &seed[0], &seed[1], &params).unwrap());
                    seed.clear();
                } else if marker.starts_with("RESEED") {
                    drbg.as_mut().unwrap().reseed(&reseed, &additional).unwrap();
                } else {
                    let drbg = drbg.as_mut().unwrap();
                    let expected = std::mem::replace(&mut out, vec![0; output_len]);
                    if file == "pr_true" {
                        let request =
                            Request { additional: &additional, prediction_resistance: true, strength: None };
                        drbg.generate_from(&mut once(&fresh), &mut out, &request).unwrap();
                    } else {
                        drbg.generate(&mut out, &additional).unwrap();
                    }
                    if marker.contains("SECOND") {
                        assert_eq!(to_hex(&out), to_hex(&expected), "{file} {}", algorithm.name);
                        run += 1;
                    }
                    out.clear();
                }
            } else if let Some((key, value)) = line.split_once('=') {
                let value = value.trim();
                match key.trim() {
                    "EntropyInput" | "Nonce" | "PersonalizationString" => seed.push(hex(value)),
                    "EntropyInputReseed" => reseed = hex(value),
                    "AdditionalInput" | "AdditionalInputReseed" => additional = hex(value),
                    "EntropyInputPR" => fresh = hex(value),
                    "ReturnedBits" => out = hex(value),
                    "V" => v = value.into(),
                    "Key" => {
                        let expected = (value.into(), v.clone());
                        assert_eq!(key_and_v(drbg.as_mut().unwrap()), expected, "{file} {}", algorithm.name);
                        checked += 1;
                    }
                    _ => {}
                }
            }
        }
        assert_eq!((run, checked, hashes.len()), (1680, 1680 * states, 7), "{file}");
    }
}

#[test]
fn acvp() {
    let Some(shared) = shared_vectors("acvp") else { return };
    for (file, cases) in [("hmacDRBG-1.0", 330), ("hmacDRBG-SP800-90Ar1", 660)] {
        let mut run = 0;
        let content = json(&shared.join(format!("acvp/{file}.json.gz")));
        for group in content["testGroups"].as_array().unwrap() {
            let algorithm = nist(group["mode"].as_str().unwrap());
            let mut out = vec![0; group["returnedBitsLen"].as_u64().unwrap() as usize / 8];
            for test in group["tests"].as_array().unwrap() {
                let personalization = field(test, "persoString");
                let params = DrbgParams { personalization: &personalization, ..FULL };
                let (entropy, nonce) = (field(test, "entropyInput"), field(test, "nonce"));
                let mut drbg = HmacDrbg::new(algorithm, &entropy, &nonce, &params).unwrap();
                for call in test["otherInput"].as_array().unwrap() {
                    let (entropy, additional) = (field(call, "entropyInput"), field(call, "additionalInput"));
                    if call["intendedUse"] == "reSeed" {
                        drbg.reseed(&entropy, &additional).unwrap();
                    } else if group["predResistance"] == true {
                        // The entropy is passed directly, because it is more than the strength requires, which is all
                        // that a source is asked for.
                        drbg.reseed(&entropy, &additional).unwrap();
                        drbg.generate(&mut out, b"").unwrap();
                    } else {
                        drbg.generate(&mut out, &additional).unwrap();
                    }
                }
                assert_eq!(out, field(test, "returnedBits"), "{file} {}", test["tcId"]);
                run += 1;
            }
        }
        assert_eq!(run, cases);
    }
}

// ---------------------------------------------------------------- SP 800-90A, rule by rule

fn out_of_range(result: Result<(), Error>) -> (&'static str, &'static str, u64, u64, u64) {
    match result {
        Err(Error::OutOfRange { what, unit, min, max, got, .. }) => (what, unit, min, max, got),
        other => panic!("{other:?}"),
    }
}

#[test]
fn strength_is_that_of_the_hash() {
    for algorithm in eligible() {
        let most = match algorithm.output {
            20 => 128,
            28 => 192,
            _ => 256,
        };
        assert_eq!(drbg(algorithm, &FULL).strength(), most, "{}", algorithm.name);
        for (asked, given) in [(1, 112), (112, 112), (113, 128), (128, 128), (129, 192), (193, 256)] {
            let params = DrbgParams { strength: Some(asked), ..FULL };
            let made = HmacDrbg::new(algorithm, &[0; 32], &[0; 16], &params);
            if asked <= most {
                assert_eq!(made.unwrap().strength(), given, "{} {asked}", algorithm.name);
            } else {
                let what = "HMAC-DRBG security strength";
                assert_eq!(out_of_range(made.map(drop)), (what, "bits", 1, most.into(), asked.into()));
            }
        }
        for asked in [0, most + 1] {
            let params = DrbgParams { strength: Some(asked), ..FULL };
            out_of_range(HmacDrbg::new(algorithm, &[0; 32], &[0; 16], &params).map(drop));
        }
    }
    for algorithm in ALGORITHMS.iter().filter(|a| !a.hmac) {
        let made = HmacDrbg::new(algorithm, &[0; 32], &[0; 16], &FULL).map(drop);
        assert_eq!(made, Err(Error::Unsupported { algorithm: algorithm.name, what: "HMAC" }));
    }
}

#[test]
fn seeds_have_the_strength() {
    for algorithm in eligible() {
        for strength in [112, 128, 192, 256] {
            let params = DrbgParams { strength: Some(strength), ..FULL };
            let (entropy, nonce) = (vec![3; strength as usize / 8], vec![4; strength as usize / 16]);
            let Ok(mut drbg) = HmacDrbg::new(algorithm, &entropy, &nonce, &params) else {
                assert!(strength > 128, "{}", algorithm.name);
                continue;
            };
            let short = |result, what, len: usize| {
                let limits = (what, "bytes", len as u64, MAX_INPUT, len as u64 - 1);
                assert_eq!(out_of_range(result), limits);
            };
            let made = HmacDrbg::new(algorithm, &entropy[1..], &nonce, &params).map(drop);
            short(made, "HMAC-DRBG entropy input", entropy.len());
            let made = HmacDrbg::new(algorithm, &entropy, &nonce[1..], &params).map(drop);
            short(made, "HMAC-DRBG nonce", nonce.len());
            short(drbg.reseed(&entropy[1..], b""), "HMAC-DRBG entropy input", entropy.len());
            drbg.reseed(&entropy, b"").unwrap();
            // A source is asked for this number of bytes, once.
            let mut asked = Vec::new();
            let mut source = |out: &mut [u8]| {
                asked.push(out.len());
                Ok(())
            };
            let mut drbg = HmacDrbg::from_source(algorithm, &params, &mut source).unwrap();
            drbg.reseed_from(&mut source, b"").unwrap();
            assert_eq!(asked, [entropy.len() + nonce.len(), entropy.len()]);
        }
    }
}

/// A generator with a source is the same as one with the source's bytes.
#[test]
fn a_source_gives_entropy_then_nonce() {
    for algorithm in eligible() {
        let strength = drbg(algorithm, &FULL).strength() as usize / 8;
        let seed = common::mod251(strength * 3 / 2);
        let (entropy, nonce) = seed.split_at(strength);
        let mut by_hand = HmacDrbg::new(algorithm, entropy, nonce, &FULL).unwrap();
        let mut by_source = HmacDrbg::from_source(algorithm, &FULL, &mut once(&seed)).unwrap();
        assert_eq!(bytes(&mut by_hand, 100), bytes(&mut by_source, 100));
    }
}

/// 2^35 bits plus one byte of zeros, which the system maps but which are never accessed.
#[cfg(target_pointer_width = "64")]
#[test]
fn inputs_have_at_most_2_to_the_35_bits() {
    let long = vec![0; MAX_INPUT as usize + 1];
    let refused = |result, what, min| {
        assert_eq!(out_of_range(result), (what, "bytes", min, MAX_INPUT, MAX_INPUT + 1));
    };
    let mut drbg = drbg(sha256(), &FULL);
    let before = key_and_v(&mut drbg);
    let make = |entropy: &[u8], nonce: &[u8], personalization: &[u8]| {
        HmacDrbg::new(sha256(), entropy, nonce, &DrbgParams { personalization, ..FULL }).map(drop)
    };
    refused(make(&long, &[0; 16], b""), "HMAC-DRBG entropy input", 32);
    refused(make(&[0; 32], &long, b""), "HMAC-DRBG nonce", 16);
    refused(make(&[0; 32], &[0; 16], &long), "HMAC-DRBG personalization string", 0);
    let unchecked = HmacDrbg::from_seed_unchecked(sha256(), &long, b"", &FULL).map(drop);
    refused(unchecked, "HMAC-DRBG entropy input", 0);
    refused(drbg.reseed(&long, b""), "HMAC-DRBG entropy input", 32);
    refused(drbg.reseed(&[0; 32], &long), "HMAC-DRBG additional input", 0);
    refused(drbg.reseed_from(&mut once(&[0; 32]), &long), "HMAC-DRBG additional input", 0);
    refused(drbg.generate(&mut [0], &long), "HMAC-DRBG additional input", 0);
    refused(drbg.fill(&mut [0], &long), "HMAC-DRBG additional input", 0);
    let request = Request { additional: &long, ..Request::default() };
    refused(drbg.generate_from(&mut once(&[0; 32]), &mut [0], &request), "HMAC-DRBG additional input", 0);
    assert_eq!(key_and_v(&mut drbg), before);
}

#[test]
fn requests_have_at_most_2_to_the_19_bits() {
    let mut drbg = drbg(sha256(), &FULL);
    let mut out = vec![0xaa; MAX_REQUEST + 1];
    let before = key_and_v(&mut drbg);
    let limits = ("HMAC-DRBG request", "bytes", 0, 65_536, 65_537);
    assert_eq!(out_of_range(drbg.generate(&mut out, b"")), limits);
    let mut dry = |_: &mut [u8]| panic!("not asked");
    assert_eq!(out_of_range(drbg.generate_from(&mut dry, &mut out, &Request::default())), limits);
    assert!(out.iter().all(|&byte| byte == 0xaa));
    assert_eq!(key_and_v(&mut drbg), before);
    drbg.generate(&mut out[1..], b"").unwrap();
}

/// Request number `interval` is accepted, and the next one is rejected.
#[test]
fn the_reseed_interval_is_kept() {
    for interval in [1, 2, 7] {
        let params = DrbgParams { reseed_interval: Some(interval), ..FULL };
        let mut drbg = drbg(sha256(), &params);
        for served in 0..interval {
            assert_eq!(drbg.requests_left(), interval - served);
            drbg.generate(&mut [0; 5], b"").unwrap();
        }
        let before = key_and_v(&mut drbg);
        let required = Err(Error::ReseedRequired { algorithm: "sha256", interval });
        assert_eq!(drbg.generate(&mut [0; 5], b""), required);
        assert_eq!(drbg.generate(&mut [], b""), required);
        assert_eq!(drbg.fill(&mut [0; 5], b""), required);
        assert_eq!((drbg.requests_left(), key_and_v(&mut drbg)), (0, before));
        // A reseed resets the counter. So does a request with a source, which also uses the additional input.
        let mut other = drbg.clone();
        drbg.reseed(&[9; 32], b"more").unwrap();
        let expected = bytes(&mut drbg, 40);
        let mut out = [0; 40];
        let request = Request { additional: b"more", ..Request::default() };
        other.generate_from(&mut once(&[9; 32]), &mut out, &request).unwrap();
        assert_eq!(out[..], expected);
        assert_eq!((drbg.requests_left(), other.requests_left()), (interval - 1, interval - 1));
    }
    assert_eq!(drbg(sha256(), &FULL).reseed_interval(), MAX_RESEED_INTERVAL);
    for interval in [0, MAX_RESEED_INTERVAL + 1] {
        let params = DrbgParams { reseed_interval: Some(interval), ..FULL };
        let made = HmacDrbg::new(sha256(), &[0; 32], &[0; 16], &params).map(drop);
        let limits = ("HMAC-DRBG reseed interval", "requests", 1, MAX_RESEED_INTERVAL, interval);
        assert_eq!(out_of_range(made), limits);
    }
}

/// Request number 2^48 is accepted: the counter is compared with ">".
#[test]
fn the_last_request_of_2_to_the_48() {
    let mut state = drbg(sha256(), &FULL).export_state().unwrap().to_vec();
    // "hwdrbg" 00 01, 6, "sha256", flags, strength: the counter is at offset 18.
    let body = state.len() - 8;
    assert_eq!(state[18..26], 1_u64.to_be_bytes());
    state[18..26].copy_from_slice(&MAX_RESEED_INTERVAL.to_be_bytes());
    let checksum = sha256().digest(&state[..body]);
    state[body..].copy_from_slice(&checksum[..8]);
    let mut drbg = HmacDrbg::import_state(&state).unwrap();
    assert_eq!(drbg.requests_left(), 1);
    drbg.generate(&mut [0; 32], b"").unwrap();
    assert!(matches!(drbg.generate(&mut [0; 32], b""), Err(Error::ReseedRequired { .. })));
    let mut long = vec![0; MAX_REQUEST + 1];
    let mut drbg = HmacDrbg::import_state(&state).unwrap();
    assert!(matches!(drbg.fill(&mut long, b""), Err(Error::ReseedRequired { .. })));
    assert!(long.iter().all(|&byte| byte == 0));
}

#[test]
fn prediction_resistance_has_to_be_asked_for() {
    let params = DrbgParams { prediction_resistance: false, ..FULL };
    let mut drbg = drbg(sha256(), &params);
    let before = key_and_v(&mut drbg);
    let request = Request { prediction_resistance: true, ..Request::default() };
    let refused = Err(Error::NoPredictionResistance { algorithm: "sha256" });
    assert_eq!(drbg.generate_from(&mut once(&[0; 32]), &mut [0; 4], &request), refused);
    assert_eq!(key_and_v(&mut drbg), before);
    // The strength that a request requires.
    let request = |strength| Request { strength: Some(strength), ..Request::default() };
    drbg.generate_from(&mut once(&[0; 32]), &mut [0; 4], &request(256)).unwrap();
    let refused = drbg.generate_from(&mut once(&[0; 32]), &mut [0; 4], &request(257));
    assert_eq!(out_of_range(refused), ("strength of an HMAC-DRBG request", "bits", 0, 256, 257));
}

#[test]
fn a_source_that_fails_changes_nothing() {
    let failed = || Error::EntropyFailed { reason: "the socket is dry".into() };
    let mut dry = |out: &mut [u8]| {
        out.fill(0xee); // what was written before the failure must not be used
        Err(failed())
    };
    assert_eq!(HmacDrbg::from_source(sha256(), &FULL, &mut dry).map(drop), Err(failed()));
    let mut drbg = drbg(sha256(), &FULL);
    let before = key_and_v(&mut drbg);
    let mut out = [0xaa; 9];
    let request = Request { prediction_resistance: true, ..Request::default() };
    assert_eq!(drbg.reseed_from(&mut dry, b""), Err(failed()));
    assert_eq!(drbg.generate_from(&mut dry, &mut out, &request), Err(failed()));
    assert_eq!((out, key_and_v(&mut drbg)), ([0xaa; 9], before));
    assert_eq!(drbg.fill_from(&mut dry, &mut out, &request), Err(failed()));
    // In the middle of a long request, output that already exists is overwritten.
    let mut calls = 0;
    let mut soon_dry = |_: &mut [u8]| {
        calls += 1;
        if calls == 1 { Ok(()) } else { Err(failed()) }
    };
    let mut long = vec![0xaa; 2 * MAX_REQUEST];
    assert_eq!(drbg.fill_from(&mut soon_dry, &mut long, &request), Err(failed()));
    assert!(long[..MAX_REQUEST].iter().all(|&byte| byte == 0));
    assert!(long[MAX_REQUEST..].iter().all(|&byte| byte == 0xaa));
}

#[test]
fn zero_bytes_are_a_request() {
    let mut drbg = drbg(sha256(), &FULL);
    let before = key_and_v(&mut drbg);
    drbg.generate(&mut [], b"").unwrap();
    assert_eq!(drbg.requests_left(), MAX_RESEED_INTERVAL - 1);
    assert_ne!(key_and_v(&mut drbg), before);
    // With `fill`, zero bytes are not a request.
    let before = key_and_v(&mut drbg);
    drbg.fill(&mut [], b"").unwrap();
    assert_eq!(key_and_v(&mut drbg), before);
}

#[test]
fn a_wiped_generator_gives_nothing() {
    for algorithm in eligible() {
        let mut drbg = drbg(algorithm, &FULL);
        drbg.uninstantiate();
        assert!(!drbg.is_instantiated());
        assert_eq!((drbg.strength(), drbg.requests_left()), (0, 0));
        let gone = || Error::NotInstantiated { algorithm: algorithm.name };
        let mut out = [0xaa; 4];
        let mut source = |_: &mut [u8]| panic!("not asked");
        assert_eq!(drbg.generate(&mut out, b""), Err(gone()));
        assert_eq!(drbg.fill(&mut out, b""), Err(gone()));
        assert_eq!(drbg.generate_from(&mut source, &mut out, &Request::default()), Err(gone()));
        assert_eq!(drbg.fill_from(&mut source, &mut out, &Request::default()), Err(gone()));
        assert_eq!(drbg.reseed(&[0; 32], b""), Err(gone()));
        assert_eq!(drbg.reseed_from(&mut source, b""), Err(gone()));
        assert_eq!(drbg.export_state().map(drop), Err(gone()));
        assert_eq!(out, [0xaa; 4]);
    }
}

/// Backtracking resistance: without additional input, V is the HMAC of the last output block. Additional input prevents
/// this.
#[test]
fn additional_input_cuts_the_link_to_the_last_block() {
    for additional in [&b""[..], b"x"] {
        let mut drbg = drbg(sha256(), &FULL);
        let mut out = [0; 32];
        drbg.generate(&mut out, additional).unwrap();
        let (key, v) = key_and_v(&mut drbg);
        let mut mac = Hmac::new(sha256(), &hex(&key)).unwrap();
        mac.update(&out);
        assert_eq!(to_hex(&mac.tag()) == v, additional.is_empty());
    }
}

#[test]
fn debug_prints_nothing_secret() {
    assert_eq!(format!("{:?}", drbg(sha256(), &FULL)), "HmacDrbg(sha256)");
    let stream = DrbgStream::new(sha256(), &[1; 32], &[2; 16], &FULL).unwrap();
    assert_eq!(format!("{stream:?}"), "DrbgStream(sha256)");
    assert_eq!(format!("{:?}", CounterRng::new(&[1; 32])), "CounterRng");
}

/// The state has no heap memory and no pointer into itself: a copy of the bytes is a generator.
#[test]
fn the_state_is_plain_data() {
    assert!(size_of::<HmacDrbg>() <= 1024 && align_of::<HmacDrbg>() <= 16);
    for algorithm in eligible() {
        let mut original = drbg(algorithm, &FULL);
        let mut copy = original.clone();
        assert_eq!(bytes(&mut original, 77), bytes(&mut copy, 77), "{}", algorithm.name);
        let mut moved = Box::new(original);
        assert_eq!(bytes(&mut moved, 77), bytes(&mut copy, 77), "{}", algorithm.name);
    }
}

#[test]
fn self_tests_pass_on_demand() {
    for algorithm in ALGORITHMS {
        let expected = match algorithm.hmac {
            true => Ok(()),
            false => Err(Error::Unsupported { algorithm: algorithm.name, what: "HMAC" }),
        };
        assert_eq!(HmacDrbg::self_test(algorithm), expected);
    }
}

// ---------------------------------------------------------------- errors of other implementations

/// The crate hmac-drbg 0.3.0 treats empty additional input as input.
#[test]
fn empty_additional_input_is_none() {
    for algorithm in eligible() {
        let mut drbg = drbg(algorithm, &FULL);
        let mut other = drbg.clone();
        let (mut a, mut b) = ([0; 50], [0; 50]);
        drbg.generate(&mut a, b"").unwrap();
        other.generate_from(&mut once(&[]), &mut b, &Request::default()).unwrap();
        assert_eq!(a, b);
        let strength = drbg.strength() as usize / 8;
        drbg.reseed(&[5; 32][..strength], b"").unwrap();
        other.reseed_from(&mut once(&[5; 32][..strength]), b"").unwrap();
        assert_eq!(bytes(&mut drbg, 50), bytes(&mut other, 50));
    }
}

/// That crate panics for lengths that are not multiples of the digest's. The output must be a prefix of that of a
/// longer request.
#[test]
fn any_length() {
    for algorithm in eligible() {
        let fresh = drbg(algorithm, &FULL);
        let whole = bytes(&mut fresh.clone(), 200);
        for len in 0..200 {
            assert_eq!(bytes(&mut fresh.clone(), len), whole[..len], "{} {len}", algorithm.name);
        }
    }
}

/// A reseed in mbedtls once reset the configured interval.
#[test]
fn a_reseed_keeps_the_settings() {
    let params = DrbgParams { reseed_interval: Some(3), strength: Some(128), ..FULL };
    let mut drbg = drbg(sha256(), &params);
    drbg.reseed(&[1; 16], b"").unwrap();
    assert_eq!((drbg.reseed_interval(), drbg.strength(), drbg.requests_left()), (3, 128, 3));
    assert!(drbg.prediction_resistance());
}

// ---------------------------------------------------------------- seeds without checks, own HMACs, states

#[test]
fn unchecked_seeds_may_be_short() {
    for seed in [&b""[..], b"7"] {
        let mut drbg = HmacDrbg::from_seed_unchecked(sha256(), seed, b"", &FULL).unwrap();
        drbg.reseed(seed, b"").unwrap();
        bytes(&mut drbg, 10);
    }
    let unchecked = HmacDrbg::from_seed_unchecked(sha256(), &[1; 32], &[2; 16], &FULL);
    assert_eq!(bytes(&mut unchecked.unwrap(), 64), bytes(&mut drbg(sha256(), &FULL), 64));
}

/// An HMAC that the caller implements, as a C program might.
#[derive(Clone)]
struct Own(&'static Algorithm, Vec<u8>);

impl KeyedHmac for Own {
    fn name(&self) -> &'static str {
        "own"
    }
    fn output_len(&self) -> usize {
        self.0.output
    }
    fn set_key(&mut self, key: &[u8]) {
        self.1 = key.to_vec();
    }
    fn tag(&self, message: &[&[u8]], out: &mut [u8]) {
        let mut mac = Hmac::new(self.0, &self.1).unwrap();
        message.iter().for_each(|piece| mac.update(piece));
        mac.tag_into(out);
    }
    fn wipe(&mut self) {
        self.1.clear();
    }
}

#[test]
fn over_an_own_hmac_it_is_the_same() {
    for algorithm in eligible() {
        let mut own = Drbg::with_hmac(Own(algorithm, Vec::new()), &[1; 32], &[2; 16], &FULL).unwrap();
        let mut ours = drbg(algorithm, &FULL);
        for additional in [&b""[..], b"some"] {
            let (mut a, mut b) = ([0; 131], [0; 131]);
            own.generate(&mut a, additional).unwrap();
            ours.generate(&mut b, additional).unwrap();
            assert_eq!(a, b, "{}", algorithm.name);
        }
        own.uninstantiate();
        assert_eq!(own.generate(&mut [0], b""), Err(Error::NotInstantiated { algorithm: "own" }));
    }
    // SHA-256 with the name of Ascon: a tag of eight bytes is rejected.
    struct Short;
    impl KeyedHmac for Short {
        fn name(&self) -> &'static str {
            "short"
        }
        fn output_len(&self) -> usize {
            8
        }
        fn set_key(&mut self, _: &[u8]) {}
        fn tag(&self, _: &[&[u8]], _: &mut [u8]) {}
        fn wipe(&mut self) {}
    }
    let refused = Drbg::with_hmac(Short, &[1; 32], &[2; 16], &FULL).map(drop);
    assert_eq!(out_of_range(refused), ("HMAC tag", "bytes", 20, 64, 8));
}

#[test]
fn states_go_out_and_come_back() {
    for algorithm in eligible() {
        for params in [FULL, DrbgParams { reseed_interval: Some(10), strength: Some(112), ..FULL }] {
            let mut drbg = drbg(algorithm, &params);
            bytes(&mut drbg, 3);
            let state = drbg.export_state().unwrap();
            let mut back = HmacDrbg::import_state(&state).unwrap();
            assert_eq!(*back.export_state().unwrap(), *state);
            assert_eq!(back.requests_left(), drbg.requests_left());
            assert_eq!(bytes(&mut drbg, 99), bytes(&mut back, 99));
        }
    }
    let unchecked = HmacDrbg::from_seed_unchecked(sha256(), b"", b"", &FULL);
    let state = unchecked.unwrap().export_state().unwrap();
    HmacDrbg::import_state(&state).unwrap().reseed(b"", b"").unwrap();
}

/// Every byte matters, every length except one is wrong, and fields are checked in addition to the checksum.
#[test]
fn bad_states_are_refused() {
    let mut drbg = drbg(sha256(), &FULL);
    let state = drbg.export_state().unwrap();
    for at in 0..state.len() {
        let mut bad = state.to_vec();
        bad[at] ^= 1;
        assert!(matches!(HmacDrbg::import_state(&bad), Err(Error::BadState { .. })), "{at}");
        assert!(HmacDrbg::import_state(&state[..at]).is_err(), "{at}");
    }
    let body = state.len() - 8;
    let import = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bad = state[..body].to_vec();
        change(&mut bad);
        bad.extend(&sha256().digest(&bad)[..8]);
        HmacDrbg::import_state(&bad).map(drop)
    };
    assert_eq!(import(&|_| {}), Ok(()));
    let bad = |change: &dyn Fn(&mut Vec<u8>)| {
        assert!(matches!(import(change), Err(Error::BadState { .. })));
    };
    bad(&|s| s.push(0));
    bad(&|s| s[15] |= 4); // flags
    bad(&|s| s[16..18].copy_from_slice(&100_u16.to_be_bytes())); // strength
    bad(&|s| s[18..26].fill(0)); // counter of a wiped one
    bad(&|s| s[18..26].fill(0xff)); // counter beyond the interval
    bad(&|s| s[9] = 0xff); // name
    assert!(matches!(import(&|s| s[26..34].fill(0xff)), Err(Error::OutOfRange { .. }))); // interval
    assert!(matches!(import(&|s| s[9] = b'x'), Err(Error::UnknownAlgorithm { .. })));
}

// ---------------------------------------------------------------- streams

/// `fill` consists of requests of 65,536 bytes and a remainder.
#[test]
fn long_requests_are_split() {
    let mut drbg = drbg(sha256(), &FULL);
    for len in [1, MAX_REQUEST, MAX_REQUEST + 1, 2 * MAX_REQUEST + 77] {
        let (mut whole, mut parts) = (vec![0; len], vec![0; len]);
        let mut by_hand = drbg.clone();
        drbg.fill(&mut whole, b"a").unwrap();
        for part in parts.chunks_mut(MAX_REQUEST) {
            by_hand.generate(part, b"a").unwrap();
        }
        assert!(whole == parts, "{len}");
        assert_eq!(drbg.requests_left(), by_hand.requests_left());
    }
}

#[test]
fn every_split_of_reads_gives_one_stream() {
    for algorithm in eligible() {
        let fresh = DrbgStream::new(algorithm, &[1; 32], &[2; 16], &FULL).unwrap();
        let mut whole = vec![0; 10_000];
        fresh.clone().read(&mut whole).unwrap();
        // The stream consists of requests of 1024 bytes.
        let mut drbg = drbg(algorithm, &FULL);
        let requests: Vec<u8> = (0..10).flat_map(|_| bytes(&mut drbg, 1024)).take(10_000).collect();
        assert!(whole == requests, "{}", algorithm.name);
        let mut random = common::Random(7);
        for most in [1, 9, 1023, 1024, 1025, 5000] {
            let (mut stream, mut parts, mut rest) = (fresh.clone(), vec![0; 10_000], 0);
            while rest < parts.len() {
                let len = (1 + random.below(most)).min(parts.len() - rest);
                stream.read(&mut parts[rest..rest + len]).unwrap();
                stream.read(&mut []).unwrap();
                rest += len;
            }
            assert!(parts == whole, "{} by {most}", algorithm.name);
        }
    }
}

/// The same applies to generators with a source: it is used for every request with prediction resistance.
#[test]
fn long_requests_from_a_source_are_split() {
    let request = Request { prediction_resistance: true, ..Request::default() };
    let source = || {
        let mut calls = 0_u8;
        move |out: &mut [u8]| {
            calls += 1;
            out.fill(calls);
            Ok(())
        }
    };
    for len in [0, 1, MAX_REQUEST, MAX_REQUEST + 1, 2 * MAX_REQUEST + 77] {
        let (mut whole, mut parts) = (vec![0; len], vec![0; len]);
        let (mut drbg, mut by_hand) = (drbg(sha256(), &FULL), drbg(sha256(), &FULL));
        drbg.fill_from(&mut source(), &mut whole, &request).unwrap();
        let mut given = source();
        for part in parts.chunks_mut(MAX_REQUEST) {
            by_hand.generate_from(&mut given, part, &request).unwrap();
        }
        assert!(whole == parts, "{len}");
        assert_eq!(key_and_v(&mut drbg), key_and_v(&mut by_hand), "{len}");
    }
}

/// A generator that was instantiated without prediction resistance does not have it after its state is restored.
#[test]
fn a_state_keeps_what_prediction_resistance_was() {
    let request = Request { prediction_resistance: true, ..Request::default() };
    for prediction_resistance in [false, true] {
        let state = drbg(sha256(), &DrbgParams { prediction_resistance, ..FULL }).export_state().unwrap();
        let mut back = HmacDrbg::import_state(&state).unwrap();
        let answer = back.generate_from(&mut once(&[0; 32]), &mut [0; 4], &request);
        let refused = Err(Error::NoPredictionResistance { algorithm: "sha256" });
        assert_eq!(answer, if prediction_resistance { Ok(()) } else { refused });
    }
}

#[test]
fn forked_streams_depend_on_seed_and_label_only() {
    let read = |stream: &DrbgStream| {
        let mut out = [0; 40];
        stream.clone().read(&mut out).unwrap();
        out
    };
    let mut stream = DrbgStream::from_seed_unchecked(sha256(), b"public", b"", &FULL).unwrap();
    let of_a = read(&stream.fork_stream(b"a").unwrap());
    stream.read(&mut [0; 3000]).unwrap();
    assert_eq!(read(&stream.fork_stream(b"a").unwrap()), of_a);
    let other_seed = DrbgStream::from_seed_unchecked(sha256(), b"Public", b"", &FULL).unwrap();
    let all = [
        of_a,
        read(&stream),
        read(&stream.fork_stream(b"").unwrap()),
        read(&stream.fork_stream(b"b").unwrap()),
        read(&stream.fork_stream(b"a").unwrap().fork_stream(b"a").unwrap()),
        read(&other_seed.fork_stream(b"a").unwrap()),
    ];
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    // As defined.
    let mut root = HmacDrbg::from_seed_unchecked(sha256(), b"public", b"", &FULL).unwrap();
    let mut seed = [0; 48];
    root.generate(&mut seed, b"hashwell fork_streama").unwrap();
    let defined = DrbgStream::new(sha256(), &seed[..32], &seed[32..], &DrbgParams::default()).unwrap();
    assert_eq!(read(&defined), of_a);
}

/// A stream does not reseed. At its end, it returns an error and overwrites what it has written.
#[test]
fn a_stream_ends_with_its_interval() {
    let params = DrbgParams { reseed_interval: Some(2), ..FULL };
    let mut stream = DrbgStream::new(sha256(), &[1; 32], &[2; 16], &params).unwrap();
    let mut out = [0xaa; 3000];
    assert!(matches!(stream.read(&mut out), Err(Error::ReseedRequired { interval: 2, .. })));
    assert!(out[..2048].iter().all(|&byte| byte == 0));
}

/// If many blocks are read at once, they are computed in SIMD lanes.
#[test]
fn counter_words_in_lanes() {
    let block = |i: u64| sha256().digest(&[&[9; 32][..], &[0], &i.to_be_bytes()].concat());
    for (first, blocks) in
        [(0, 15), (3, 16), (1, 17), (0, 63), (5, 64), (0, 65), (7, 200), (u64::MAX - 99, 100)]
    {
        let mut words = CounterRng::new(&[9; 32]);
        words.seek(4 * u128::from(first) + 1).unwrap();
        let mut out = vec![0; 32 * blocks - 8];
        words.try_read(&mut out).unwrap();
        let expected: Vec<u8> = (0..blocks as u64).flat_map(|i| block(first + i)).collect();
        assert_eq!(out, expected[8..], "{blocks} blocks from {first}");
        assert_eq!(words.position(), 32 * (u128::from(first) + blocks as u128));
    }
}

/// Block i is SHA-256(K ‖ 00 ‖ i).
#[test]
fn counter_words() {
    let key = [0x42; 32];
    let block = |i: u64| sha256().digest(&[&key[..], &[0], &i.to_be_bytes()].concat());
    let whole: Vec<u8> = (0..6).flat_map(block).collect();
    let mut words = CounterRng::new(&key);
    for expected in whole.chunks(8) {
        assert_eq!(words.next_word(), u64::from_be_bytes(expected.try_into().unwrap()));
    }
    for cut in 0..whole.len() {
        let (mut words, mut out) = (CounterRng::new(&key), vec![0; whole.len()]);
        words.read(&mut out[..cut]);
        words.read(&mut out[cut..]);
        assert_eq!(out, whole);
    }
    for word in [0, 1, 3, 4, 5, 23, 2, u64::MAX.into(), (1 << 66) - 1] {
        words.seek(word).unwrap();
        let at = (word % 4) as usize * 8;
        let expected = block((word / 4) as u64)[at..at + 8].try_into().unwrap();
        assert_eq!(words.next_word(), u64::from_be_bytes(expected), "{word}");
        assert_eq!(words.position(), (word + 1) * 8);
    }
}

/// Block 2^64 - 1 is the last one; the counter does not wrap around.
#[test]
fn counter_words_end() {
    let mut words = CounterRng::new(&[0x42; 32]);
    let exhausted = |asked| Err(Error::Exhausted { stream: "counter".into(), end: 1 << 69, asked });
    words.seek((1 << 66) - 1).unwrap();
    let mut out = [1; 9];
    assert_eq!(words.try_read(&mut out), exhausted((1 << 69) + 1));
    assert_eq!((out, words.position()), ([1; 9], (1 << 69) - 8));
    words.try_read(&mut out[..8]).unwrap();
    assert_eq!(words.try_read(&mut out[..1]), exhausted((1 << 69) + 1));
    assert_eq!((words.position(), words.try_read(&mut [])), (1 << 69, Ok(())));
    assert_eq!(words.seek((1 << 66) + 1), exhausted((1 << 69) + 8));
    assert!(words.seek(u128::MAX).is_err());
    assert_eq!(words.seek(1 << 66), Ok(()));
    assert!(std::panic::catch_unwind(move || words.next_word()).is_err());
}
