//! The official vectors next to the repository (see `common::shared_vectors`): NIST CAVP and ACVP, Wycheproof's JSON,
//! BLAKE2, BLAKE3, RFC 9861, SP 800-185 and Ascon. If they are absent, the tests are skipped with a message.

use crate::common;

use common::{expect, hex, json, mod251, shared_vectors, skipped, slow, text, to_hex};
use hashwell::{Algorithm, Error, Hmac, Kmac, KmacVariant, Params, find, hkdf};
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

/// The blocks of a CAVP response file: lines `key = value` between blank lines, with the headers (`[L = 32]`) that
/// precede them.
fn cavp(path: &Path) -> Vec<HashMap<String, String>> {
    let mut header = HashMap::new();
    let mut cases = Vec::new();
    let mut case = HashMap::new();
    for line in text(path).lines().chain([""]) {
        let line = line.trim();
        if let Some(inside) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            if let Some((key, value)) = inside.split_once('=') {
                header.insert(key.trim().to_owned(), value.trim().to_owned());
            }
        } else if let Some((key, value)) = line.split_once('=') {
            case.insert(key.trim().to_owned(), value.trim().to_owned());
        } else if line.is_empty() && !case.is_empty() {
            let mut whole = header.clone();
            whole.extend(std::mem::take(&mut case));
            cases.push(whole);
        }
    }
    cases
}

fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    files
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

fn number(case: &HashMap<String, String>, key: &str) -> usize {
    case[key].parse().unwrap_or_else(|_| panic!("{key} in {case:?}"))
}

/// Absent vectors are reported, and each part by its own name.
#[test]
fn absent_vectors_are_named() {
    let empty = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    assert_eq!(
        common::absent(&empty, "blake2/blake2-kat.json.gz").unwrap(),
        "official vectors blake2/blake2-kat.json.gz"
    );
    assert_eq!(common::absent(&empty, "official.rs"), None);
}

#[test]
fn cavp_messages() {
    let Some(shared) = shared_vectors("cavp") else { return };
    let mut run = 0;
    for family in ["SHA1", "SHA2", "SHA3", "SHAKE"] {
        for path in files(&shared.join("cavp").join(family)) {
            let file = name_of(&path);
            let kinds = ["ShortMsg", "LongMsg", "VariableOut"];
            let Some(kind) = kinds.into_iter().find(|kind| file.contains(kind)) else { continue };
            let algorithm = find(file.split(kind).next().unwrap()).unwrap();
            for case in cavp(&path).iter().filter(|case| case.contains_key("Msg")) {
                let mut message = hex(&case["Msg"]);
                if let Some(bits) = case.get("Len") {
                    message.truncate(bits.parse::<usize>().unwrap() / 8);
                }
                let expected = hex(case.get("MD").or(case.get("Output")).unwrap());
                expect(algorithm, &Params::default(), &message, 0, &expected, &file);
                run += 1;
            }
        }
    }
    assert!(run > 5000, "only {run} cases ran");
}

#[test]
fn cavp_monte_carlo() {
    let Some(shared) = shared_vectors("cavp") else { return };
    for family in ["SHA1", "SHA2", "SHA3", "SHAKE"] {
        for path in files(&shared.join("cavp").join(family)) {
            let file = name_of(&path);
            let Some((name, _)) = file.split_once("Monte") else { continue };
            let algorithm = find(name).unwrap();
            let cases = cavp(&path);
            let results: Vec<_> = cases.iter().filter(|case| case.contains_key("COUNT")).collect();
            assert_eq!(results.len(), 100, "{file}");
            // The block with the seed comes before the first COUNT.
            let field = |key: &str| cases.iter().find_map(|case| case.get(key)).map(|v| hex(v));
            if family == "SHAKE" {
                shake_monte_carlo(algorithm, &field("Msg").unwrap(), &cases, &results);
                continue;
            }
            let mut md = field("Seed").unwrap();
            for case in results {
                if family == "SHA3" {
                    (0..1000).for_each(|_| md = algorithm.digest(&md));
                } else {
                    // Each step hashes the last three digests (SHAVS section 6.4).
                    let mut last = [md.clone(), md.clone(), md];
                    for _ in 0..1000 {
                        let next = algorithm.digest(&last.concat());
                        last.rotate_left(1);
                        last[2] = next;
                    }
                    [_, _, md] = last;
                }
                assert_eq!(to_hex(&md), case["MD"], "{file} {}", case["COUNT"]);
            }
        }
    }
}

/// SHA3VS section 6.3.3: the next message is the first 16 bytes of output, and the next length is computed from the
/// last two bytes.
fn shake_monte_carlo(
    algorithm: &'static Algorithm,
    seed: &[u8],
    cases: &[HashMap<String, String>],
    results: &[&HashMap<String, String>],
) {
    let limit = |key: &str| cases.iter().find_map(|c| c.get(key)).unwrap().parse::<usize>().unwrap() / 8;
    let (min, max) = (limit("Minimum Output Length (bits)"), limit("Maximum Output Length (bits)"));
    let (mut output, mut len) = (seed.to_vec(), max);
    for case in results {
        for _ in 0..1000 {
            let mut message = output;
            message.resize(16, 0);
            output = vec![0; len];
            algorithm.digest_into(&message, &mut output).unwrap();
            let [.., high, low] = output[..] else { panic!("output shorter than two bytes") };
            len = min + usize::from(u16::from_be_bytes([high, low])) % (max - min + 1);
        }
        assert_eq!(to_hex(&output), case["Output"], "{} {}", algorithm.name, case["COUNT"]);
    }
}

#[test]
fn cavp_hmac() {
    let Some(shared) = shared_vectors("cavp/HMAC/HMAC.rsp.gz") else { return };
    let cases = cavp(&shared.join("cavp/HMAC/HMAC.rsp.gz"));
    assert_eq!(cases.len(), 1575);
    for case in &cases {
        let hash = match number(case, "L") {
            20 => "sha1",
            28 => "sha224",
            32 => "sha256",
            48 => "sha384",
            _ => "sha512",
        };
        let mut hmac = Hmac::new(find(hash).unwrap(), &hex(&case["Key"])).unwrap();
        hmac.update(&hex(&case["Msg"]));
        assert_eq!(hmac.verify_truncated(&hex(&case["Mac"]), number(case, "Tlen")), Ok(()), "{case:?}");
    }
}

fn acvp_groups(path: &Path) -> Vec<Value> {
    json(path)["testGroups"].as_array().unwrap().clone()
}

fn str_of<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} in {value}"))
}

fn bits(value: &Value, key: &str) -> usize {
    let bits = value[key].as_u64().unwrap_or_else(|| panic!("{key} in {value}"));
    assert_eq!(bits % 8, 0);
    bits as usize / 8
}

#[test]
fn acvp_hashes() {
    let Some(shared) = shared_vectors("acvp") else { return };
    let mut run = 0;
    for path in files(&shared.join("acvp")) {
        let file = name_of(&path);
        let stem = file.split(".json").next().unwrap();
        let name = stem.rsplit_once('-').unwrap().0.replace("SP800", "").trim_end_matches('-').to_owned();
        let Ok(algorithm) = find(&name) else { continue };
        for group in acvp_groups(&path) {
            let kind = str_of(&group, "testType").to_owned();
            for test in group["tests"].as_array().unwrap() {
                match kind.as_str() {
                    "AFT" | "VOT" => {
                        let message = hex(str_of(test, "msg"));
                        let text = |key: &str| test[key].as_str().unwrap_or_default().as_bytes().to_vec();
                        let (function_name, mut customization) =
                            (text("functionName"), text("customization"));
                        if let Some(cs) = test["cs"].as_str() {
                            customization = hex(cs);
                        }
                        let params = Params {
                            function_name: &function_name,
                            customization: &customization,
                            ..Params::default()
                        };
                        let expected = hex(str_of(test, "md"));
                        expect(algorithm, &params, &message[..bits(test, "len")], 0, &expected, &file);
                    }
                    "LDT" if slow() => acvp_large(algorithm, test),
                    "MCT" if algorithm.name.starts_with("sha3") => acvp_sha3_mct(algorithm, test),
                    // The alternate SHA-2 procedure and that of cSHAKE have different rules. CAVP's Monte Carlo tests
                    // cover these functions.
                    _ => continue,
                }
                run += 1;
            }
        }
    }
    assert!(run > 3000, "only {run} cases ran");
}

fn acvp_large(algorithm: &'static Algorithm, test: &Value) {
    let large = &test["largeMsg"];
    let content = hex(str_of(large, "content")).repeat(1 << 16);
    let mut missing = bits(large, "fullLength");
    let mut hasher = algorithm.hasher();
    while missing > 0 {
        let n = missing.min(content.len());
        hasher.update(&content[..n]);
        missing -= n;
    }
    assert_eq!(to_hex(&hasher.digest()), str_of(test, "md").to_lowercase(), "{}", algorithm.name);
}

fn acvp_sha3_mct(algorithm: &'static Algorithm, test: &Value) {
    let mut md = hex(str_of(test, "msg"));
    for result in test["resultsArray"].as_array().unwrap() {
        (0..1000).for_each(|_| md = algorithm.digest(&md));
        assert_eq!(to_hex(&md), str_of(result, "md").to_lowercase(), "{}", algorithm.name);
    }
}

#[test]
fn acvp_hmac() {
    let Some(shared) = shared_vectors("acvp") else { return };
    let mut run = 0;
    for path in files(&shared.join("acvp")) {
        let file = name_of(&path);
        let Some(name) = file.strip_prefix("HMAC-").and_then(|f| f.strip_suffix("-2.0.json.gz")) else {
            continue;
        };
        for group in acvp_groups(&path) {
            for test in group["tests"].as_array().unwrap() {
                let mut hmac = Hmac::new(find(name).unwrap(), &hex(str_of(test, "key"))).unwrap();
                hmac.update(&hex(str_of(test, "msg")));
                let tag = hex(str_of(test, "mac"));
                assert_eq!(
                    hmac.verify_truncated(&tag, bits(test, "macLen")),
                    Ok(()),
                    "{file} {}",
                    test["tcId"]
                );
                run += 1;
            }
        }
    }
    assert_eq!(run, 1500);
}

#[test]
fn wycheproof_json() {
    let Some(shared) = shared_vectors("wycheproof") else { return };
    let mut run = 0;
    for path in files(&shared.join("wycheproof")) {
        let file = name_of(&path);
        let stem = file.split("_test.json").next().unwrap();
        let Some((mac, rest)) = stem.split_once('_').map_or_else(|| Some((stem, "")), Some) else { continue };
        for group in json(&path)["testGroups"].as_array().unwrap() {
            for test in group["tests"].as_array().unwrap() {
                let valid = str_of(test, "result") != "invalid";
                let label = format!("{file} {}", test["tcId"]);
                let right = match mac {
                    "hmac" => {
                        let mut hmac = Hmac::new(find(rest).unwrap(), &hex(str_of(test, "key"))).unwrap();
                        hmac.update(&hex(str_of(test, "msg")));
                        hmac.verify_truncated(&hex(str_of(test, "tag")), bits(group, "tagSize")).is_ok()
                    }
                    "kmac128" | "kmac256" => {
                        let variant = KmacVariant::find(mac).unwrap();
                        let mut kmac = Kmac::new(variant, &hex(str_of(test, "key")), b"");
                        kmac.update(&hex(str_of(test, "msg")));
                        let verdict = kmac.verify(&hex(str_of(test, "tag")));
                        assert!(matches!(verdict, Ok(()) | Err(Error::TagMismatch)));
                        verdict.is_ok()
                    }
                    "hkdf" => {
                        let field = |key| hex(str_of(test, key));
                        let mut okm = vec![0; test["size"].as_u64().unwrap() as usize];
                        let (ikm, salt, info) = (field("ikm"), field("salt"), field("info"));
                        let derived = hkdf(find(rest).unwrap(), &ikm, &salt, &info, &mut okm);
                        derived.is_ok() && okm == field("okm")
                    }
                    // PBKDF2 is not supported yet.
                    "pbkdf2" => continue,
                    other => panic!("{other}"),
                };
                assert_eq!(right, valid, "{label}");
                run += 1;
            }
        }
    }
    assert!(run > 2600, "only {run} cases ran");
}

#[test]
fn blake2_kats() {
    let Some(shared) = shared_vectors("blake2/blake2-kat.json.gz") else { return };
    let mut run = 0;
    for case in json(&shared.join("blake2/blake2-kat.json.gz")).as_array().unwrap() {
        let name = str_of(case, "hash");
        if !["blake2b", "blake2bp", "blake2s", "blake2sp"].contains(&name) {
            continue;
        }
        let key = hex(str_of(case, "key"));
        let params = Params { key: (!key.is_empty()).then_some(&key), ..Params::default() };
        expect(find(name).unwrap(), &params, &hex(str_of(case, "in")), 0, &hex(str_of(case, "out")), name);
        run += 1;
    }
    assert_eq!(run, 4 * 512);
}

#[test]
fn blake2_parameters() {
    let Some(shared) = shared_vectors("blake2/blake2-python.json.gz") else { return };
    let cases = json(&shared.join("blake2/blake2-python.json.gz"));
    for case in cases.as_array().unwrap() {
        let field = |key: &str| case[key].as_str().map(hex).unwrap_or_default();
        let (key, salt, personal) = (field("key"), field("salt"), field("person"));
        let params = Params {
            key: case.get("key").map(|_| &key[..]),
            salt: &salt,
            personal: &personal,
            ..Params::default()
        };
        let algorithm = find(str_of(case, "hash")).unwrap();
        expect(algorithm, &params, b"data", 0, &hex(str_of(case, "digest")), &case.to_string());
    }
    assert_eq!(cases.as_array().unwrap().len(), 1728 + 864);
}

#[test]
fn blake3_modes() {
    let Some(shared) = shared_vectors("blake3/test_vectors.json.gz") else { return };
    let file = json(&shared.join("blake3/test_vectors.json.gz"));
    let key = str_of(&file, "key").as_bytes();
    let context = str_of(&file, "context_string");
    let algorithm = find("blake3").unwrap();
    for case in file["cases"].as_array().unwrap() {
        let message = mod251(case["input_len"].as_u64().unwrap() as usize);
        for (mode, params) in [
            ("hash", Params::default()),
            ("keyed_hash", Params { key: Some(key), ..Params::default() }),
            ("derive_key", Params { context: Some(context), ..Params::default() }),
        ] {
            expect(algorithm, &params, &message, 0, &hex(str_of(case, mode)), mode);
        }
    }
}

/// `{"kind": "empty" | "ptn" | "fill" | "hex", …}`.
fn rfc9861_bytes(value: &Value) -> Vec<u8> {
    let len = || value["len"].as_u64().unwrap() as usize;
    match value["kind"].as_str() {
        None | Some("empty") => Vec::new(),
        Some("ptn") => mod251(len()),
        Some("fill") => vec![value["byte"].as_u64().unwrap() as u8; len()],
        Some("hex") => hex(str_of(value, "hex")),
        Some(other) => panic!("{other}"),
    }
}

#[test]
fn rfc9861() {
    let Some(shared) = shared_vectors("kt/rfc9861.json") else { return };
    let file = json(&shared.join("kt/rfc9861.json"));
    let cases = file["vectors"].as_array().unwrap();
    assert_eq!(cases.len(), 93);
    for case in cases {
        let customization = rfc9861_bytes(&case["C"]);
        let params = Params {
            domain: case["D"].as_u64().map(|d| d as u8),
            customization: &customization,
            ..Params::default()
        };
        let expected = hex(str_of(case, "expected"));
        let skip = case["out_len"].as_u64().unwrap() as usize - expected.len();
        let algorithm = find(str_of(case, "alg")).unwrap();
        expect(algorithm, &params, &rfc9861_bytes(&case["msg"]), skip, &expected, &case.to_string());
    }
}

#[test]
fn sp800_185() {
    let Some(shared) = shared_vectors("sp800-185/samples.json") else { return };
    let mut run = 0;
    for case in json(&shared.join("sp800-185/samples.json"))["vectors"].as_array().unwrap() {
        let name = str_of(case, "alg");
        let text = |key: &str| case[key].as_str().unwrap_or_default();
        let data = hex(text("data"));
        let expected = hex(text("expected"));
        if name.starts_with("cshake") {
            let params = Params {
                function_name: text("function_name").as_bytes(),
                customization: text("customization").as_bytes(),
                ..Params::default()
            };
            expect(find(name).unwrap(), &params, &data, 0, &expected, &case.to_string());
        } else if let Some(variant) = name.strip_prefix("kmac") {
            let xof = variant.ends_with("xof") || case["xof"] == true;
            let variant = KmacVariant::find(&format!("kmac{}", &variant[..3])).unwrap();
            let mut kmac = Kmac::new(variant, &hex(text("key")), text("customization").as_bytes());
            kmac.update(&data);
            let got =
                if xof { kmac.into_reader().read_vec(expected.len()) } else { kmac.tag(expected.len()) };
            assert_eq!(to_hex(&got), to_hex(&expected), "{case}");
        } else {
            continue;
        }
        run += 1;
    }
    assert_eq!(run, 18, "cSHAKE 6, KMAC 6, KMACXOF 6");
}

#[test]
fn ascon() {
    let Some(shared) = shared_vectors("ascon") else { return };
    for (file, name) in [
        ("LWC_HASH_KAT_128_256_AsconHash256.txt.gz", "ascon-hash256"),
        ("LWC_XOF_KAT_128_512_AsconXOF128.txt.gz", "ascon-xof128"),
        ("LWC_CXOF_KAT_128_512_AsconCXOF128.txt.gz", "ascon-cxof128"),
    ] {
        let cases = cavp(&shared.join("ascon/sp800-232").join(file));
        assert!(cases.len() >= 1025, "{file}");
        for case in cases {
            let customization = case.get("Z").map(|z| hex(z)).unwrap_or_default();
            let params = Params { customization: &customization, ..Params::default() };
            expect(find(name).unwrap(), &params, &hex(&case["Msg"]), 0, &hex(&case["MD"]), &case["Count"]);
        }
    }
    for (file, name) in [
        ("LWC_HASH_KAT_256_Ascon_Xof.json.gz", "ascon-xof-v1.2"),
        ("LWC_HASH_KAT_256_AsconA_Xof.json.gz", "ascon-xofa-v1.2"),
    ] {
        for case in json(&shared.join("ascon/v1.2").join(file)).as_array().unwrap() {
            let (message, expected) = (hex(str_of(case, "Msg")), hex(str_of(case, "MD")));
            expect(find(name).unwrap(), &Params::default(), &message, 0, &expected, file);
        }
    }
}

/// 5 GiB of zeros, which is more than any 32-bit length.
#[test]
fn five_gib_of_zeros() {
    let Some(shared) = shared_vectors("big/zeros_5gib.json") else { return };
    if !slow() {
        skipped("digests of 5 GiB", "SLOW=1 runs them");
        return;
    }
    let zeros = vec![0; 1 << 24];
    let pieces = (5_u64 << 30) / zeros.len() as u64;
    for (name, expected) in json(&shared.join("big/zeros_5gib.json"))["digests"].as_object().unwrap() {
        let mut hasher = find(name).unwrap().hasher();
        (0..pieces).for_each(|_| hasher.update(&zeros));
        let expected = hex(expected.as_str().unwrap());
        let mut got = vec![0; expected.len()];
        hasher.digest_into(&mut got).unwrap();
        assert_eq!(got, expected, "{name}");
    }
}
