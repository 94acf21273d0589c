//! The targets: every operation that processes secrets, on every kernel that this CPU can run. They are generated from
//! the rows of the registry; no algorithm is named here.

use super::subject::Subject;
use hashwell::registry::Parameter;
use hashwell::{
    ALGORITHMS, Algorithm, DrbgParams, Hmac, HmacDrbg, KernelInfo, Kind, Kmac, KmacVariant, Params, Status,
    hkdf_with_kernel, hmac_many_with_kernel,
};
use std::hint::black_box;

/// The size in bytes of secret keys, seeds and key material, if the algorithm allows different sizes.
const KEY: usize = 32;

/// The number of messages or streams of a batch: the number of lanes of the widest kernel.
const MANY: usize = 16;

/// The size in bytes of a message for tree hashes. It is large enough for several leaves, which fill all lanes.
const TREE: usize = 40_000;

/// The message of panics that cannot occur: the kernel names come from the registry, and the CPU's features have been
/// checked.
const AVAILABLE: &str = "the registry lists the kernel as available";

/// The size in bytes of a message: several complete blocks and a partial one.
fn message_len(algorithm: &Algorithm) -> usize {
    2 * algorithm.block + 17
}

/// The size in bytes of a message in a batch: a complete block and a partial one.
fn many_len(algorithm: &Algorithm) -> usize {
    algorithm.block + 9
}

type Make = fn(&'static Algorithm, &'static str) -> Subject;

/// All operations of a row, on the kernels that this CPU can run.
fn rows(algorithm: &'static Algorithm) -> Vec<Subject> {
    let takes = |parameter| algorithm.limits(parameter).is_some();
    let is_xof = algorithm.kind == Kind::Xof;
    let forces =
        |kernel: &str| algorithm.build(&Params { kernel: Some(kernel), ..Params::default() }).is_ok();
    let chain: [(bool, Make); 13] = [
        (true, hash),
        (algorithm.is_parallel(), hash_tree),
        (is_xof, xof),
        (takes(Parameter::Key), keyed),
        (takes(Parameter::Context), derive_key),
        (algorithm.hmac, hmac_tag),
        (algorithm.hmac, hmac_key),
        (algorithm.hmac, hmac_long_key),
        (algorithm.hmac, hmac_verify),
        (algorithm.hmac, hkdf),
        (algorithm.hmac, drbg_new),
        (algorithm.hmac, drbg_generate),
        (algorithm.hmac, drbg_reseed),
    ];
    let batch: [(bool, Make); 4] = [
        (true, hash_many),
        (is_xof, streams),
        (takes(Parameter::Key), keyed_many),
        (algorithm.hmac, hmac_many),
    ];
    let on = |kernel: KernelInfo, paths: &[(bool, Make)]| -> Vec<Subject> {
        let made = paths.iter().filter(|(has, _)| kernel.available && *has);
        made.map(|(_, make)| Subject { default_kernel: kernel.chosen, ..make(algorithm, kernel.name) })
            .collect()
    };
    let chains = algorithm.kernels().into_iter().flat_map(|kernel| on(kernel, &chain));
    let batches = algorithm.batch_kernels().into_iter().flat_map(|kernel| {
        // Only tree hashes use a batch kernel for one message.
        let tree = kernel.available && forces(kernel.name);
        on(kernel, &batch).into_iter().chain(on(kernel, &[(tree, hash_tree as Make)]))
    });
    chains.chain(batches).collect()
}

/// Every target: algorithms in the registry's order, then KMAC.
#[must_use]
pub fn targets() -> Vec<Subject> {
    let mut all: Vec<Subject> = ALGORITHMS.iter().flat_map(rows).collect();
    for variant in KmacVariant::ALL {
        for kernel in variant.kernels().into_iter().filter(|kernel| kernel.available) {
            for make in [kmac_tag, kmac_key, kmac_verify] {
                all.push(Subject { default_kernel: kernel.chosen, ..make(variant, kernel.name) });
            }
        }
    }
    all
}

/// Returns true if the target represents others of its kind. These are the targets with the default kernel, for the
/// first sound row with 32 bytes of output in each set of kernels.
#[must_use]
pub fn representative(subject: &Subject) -> bool {
    let kernels = |a: &Algorithm| a.kernels().iter().map(|k| k.name).collect::<Vec<_>>();
    let first = |own: &Algorithm| {
        let alike =
            |a: &&Algorithm| a.status == Status::Sound && a.output >= 32 && kernels(a) == kernels(own);
        ALGORITHMS.iter().find(alike).is_some_and(|first| first.name == own.name)
    };
    subject.default_kernel
        && match hashwell::find(subject.algorithm) {
            Ok(algorithm) => first(algorithm),
            Err(_) => subject.algorithm == KmacVariant::ALL[0].name(),
        }
}

/// A computation in which there is nothing to find, because both classes are the same.
pub(super) fn clean() -> Subject {
    let algorithm = ALGORITHMS.iter().find(|a| a.hmac && a.status == Status::Sound && a.output >= 32);
    let algorithm = algorithm.expect("the registry has an HMAC");
    hmac_tag(algorithm, Hmac::new(algorithm, &[]).expect("HMAC over it").kernel())
}

// ------------------------------------------------------------------------------------------- one message

/// The digest of a secret message.
fn hash(algorithm: &'static Algorithm, kernel: &'static str) -> Subject {
    digest("hash", algorithm, kernel, message_len(algorithm))
}

/// The digest of a long secret message, which is hashed as a tree.
fn hash_tree(algorithm: &'static Algorithm, kernel: &'static str) -> Subject {
    digest("hash-tree", algorithm, kernel, TREE)
}

fn digest(path: &'static str, algorithm: &'static Algorithm, kernel: &'static str, len: usize) -> Subject {
    let params = Params { kernel: Some(kernel), ..Params::default() };
    let fresh = algorithm.build(&params).expect(AVAILABLE);
    let state = (vec![0; len], vec![0; algorithm.output]);
    Subject::new(
        path,
        algorithm.name,
        kernel,
        len,
        state,
        |(message, _), secret| message.copy_from_slice(secret),
        move |(message, out)| {
            let mut hasher = fresh.clone();
            hasher.update(message);
            hasher.digest_into(black_box(out)).expect("the digest's length");
        },
    )
}

/// The output stream of a secret seed.
fn xof(algorithm: &'static Algorithm, kernel: &'static str) -> Subject {
    let params = Params { kernel: Some(kernel), ..Params::default() };
    let fresh = algorithm.build(&params).expect(AVAILABLE);
    Subject::new(
        "xof",
        algorithm.name,
        kernel,
        KEY,
        (None, vec![0; message_len(algorithm)]),
        move |(reader, _), secret| {
            let mut hasher = fresh.clone();
            hasher.update(secret);
            *reader = Some(hasher.into_reader().expect("the row has a stream"));
        },
        |(reader, out)| {
            let reader: &mut Option<hashwell::Reader> = reader;
            reader.as_mut().expect("prepared").read(black_box(out));
        },
    )
}

/// A keyed hash, including setting the key. The secret is the key, followed by the message.
fn keyed(algorithm: &'static Algorithm, kernel: &'static str) -> Subject {
    let key_len = longest_key(algorithm);
    let len = key_len + message_len(algorithm);
    Subject::new(
        "keyed",
        algorithm.name,
        kernel,
        len,
        (vec![0; len], vec![0; algorithm.output]),
        |(input, _), secret| input.copy_from_slice(secret),
        move |(input, out)| {
            let (key, message) = input.split_at(key_len);
            let params = Params { key: Some(key), kernel: Some(kernel), ..Params::default() };
            let mut hasher = algorithm.build(&params).expect(AVAILABLE);
            hasher.update(message);
            hasher.digest_into(black_box(out)).expect("the digest's length");
        },
    )
}

fn longest_key(algorithm: &Algorithm) -> usize {
    let limits = algorithm.limits(Parameter::Key).expect("the row takes a key");
    usize::try_from(limits.max).expect("keys are short")
}

/// Derives a key from secret key material and a public context.
fn derive_key(algorithm: &'static Algorithm, kernel: &'static str) -> Subject {
    let params = Params { context: Some("hashwell leak"), kernel: Some(kernel), ..Params::default() };
    let fresh = algorithm.build(&params).expect(AVAILABLE);
    Subject::new(
        "derive-key",
        algorithm.name,
        kernel,
        KEY,
        (vec![0; KEY], vec![0; KEY]),
        |(material, _), secret| material.copy_from_slice(secret),
        move |(material, out)| {
            let mut hasher = fresh.clone();
            hasher.update(material);
            hasher.digest_into(black_box(out)).expect("any length");
        },
    )
}

// ------------------------------------------------------------------------------------------- many messages

/// Copies the bytes into pieces of equal length.
fn pieces(bytes: &[u8], into: &mut [Vec<u8>]) {
    for (piece, chunk) in into.iter_mut().zip(bytes.chunks(bytes.len() / MANY)) {
        piece.clear();
        piece.extend_from_slice(chunk);
    }
}

/// Digests of many secret messages.
fn hash_many(algorithm: &'static Algorithm, kernel: &'static str) -> Subject {
    let params = Params { kernel: Some(kernel), ..Params::default() };
    let many = algorithm.many(&params).expect(AVAILABLE);
    Subject::new(
        "hash-many",
        algorithm.name,
        kernel,
        MANY * many_len(algorithm),
        (vec![Vec::new(); MANY], vec![0; MANY * algorithm.output]),
        |(messages, _), secret| pieces(secret, messages),
        move |(messages, out)| many.digest_into(messages, black_box(out)).expect("room for all"),
    )
}

/// Keyed hashes of many secret messages. The secret is the key, followed by the messages.
fn keyed_many(algorithm: &'static Algorithm, kernel: &'static str) -> Subject {
    let key_len = longest_key(algorithm);
    Subject::new(
        "keyed-many",
        algorithm.name,
        kernel,
        key_len + MANY * many_len(algorithm),
        (vec![0; key_len], vec![Vec::new(); MANY], vec![0; MANY * algorithm.output]),
        move |(key, messages, _), secret| {
            key.copy_from_slice(&secret[..key_len]);
            pieces(&secret[key_len..], messages);
        },
        move |(key, messages, out)| {
            let params = Params { key: Some(key), kernel: Some(kernel), ..Params::default() };
            let many = algorithm.many(&params).expect(AVAILABLE);
            many.digest_into(messages, black_box(out)).expect("room for all");
        },
    )
}

/// Output streams of many secret seeds.
fn streams(algorithm: &'static Algorithm, kernel: &'static str) -> Subject {
    let place = (vec![Vec::new(); MANY], None, vec![0; MANY * many_len(algorithm)]);
    Subject::new(
        "streams",
        algorithm.name,
        kernel,
        MANY * KEY,
        place,
        move |(seeds, streams, _), secret| {
            pieces(secret, seeds);
            let params = Params { kernel: Some(kernel), ..Params::default() };
            *streams = Some(algorithm.streams(seeds, &params).expect(AVAILABLE));
        },
        |(_, streams, out)| {
            let streams: &mut Option<hashwell::Streams> = streams;
            streams.as_mut().expect("prepared").read(black_box(out)).expect("a share for each");
        },
    )
}

/// HMAC tags of many secret messages under a secret key.
fn hmac_many(algorithm: &'static Algorithm, kernel: &'static str) -> Subject {
    Subject::new(
        "hmac-many",
        algorithm.name,
        kernel,
        KEY + MANY * many_len(algorithm),
        (vec![0; KEY], vec![Vec::new(); MANY]),
        |(key, messages), secret| {
            key.copy_from_slice(&secret[..KEY]);
            pieces(&secret[KEY..], messages);
        },
        move |(key, messages)| {
            let tags = hmac_many_with_kernel(algorithm, &[&key[..]], messages, Some(kernel));
            black_box(tags.expect(AVAILABLE));
        },
    )
}

// ------------------------------------------------------------------------------------------- HMAC and HKDF

fn hmac_on(algorithm: &'static Algorithm, key: &[u8], kernel: &str) -> Hmac {
    Hmac::with_kernel(algorithm, key, Some(kernel)).expect(AVAILABLE)
}

/// The tag of a secret message under a secret key that is already set.
fn hmac_tag(algorithm: &'static Algorithm, kernel: &'static str) -> Subject {
    let len = message_len(algorithm);
    Subject::new(
        "hmac-tag",
        algorithm.name,
        kernel,
        KEY + len,
        (None, vec![0; len], vec![0; algorithm.output]),
        move |(mac, message, _), secret| {
            *mac = Some(hmac_on(algorithm, &secret[..KEY], kernel));
            message.copy_from_slice(&secret[KEY..]);
        },
        |(mac, message, tag)| {
            let mac: &Option<Hmac> = mac;
            mac.as_ref().expect("prepared").tag_of(message, black_box(tag));
        },
    )
}

/// Setting a secret key.
fn hmac_key(algorithm: &'static Algorithm, kernel: &'static str) -> Subject {
    hmac_key_of("hmac-key", algorithm, kernel, KEY)
}

/// Setting a secret key that is longer than a block and therefore hashed.
fn hmac_long_key(algorithm: &'static Algorithm, kernel: &'static str) -> Subject {
    hmac_key_of("hmac-long-key", algorithm, kernel, algorithm.block + 13)
}

fn hmac_key_of(
    path: &'static str,
    algorithm: &'static Algorithm,
    kernel: &'static str,
    len: usize,
) -> Subject {
    Subject::new(
        path,
        algorithm.name,
        kernel,
        len,
        vec![0; len],
        |key: &mut Vec<u8>, secret| key.copy_from_slice(secret),
        move |key| drop(black_box(hmac_on(algorithm, key, kernel))),
    )
}

/// A tag in which only the last bit is wrong, for the fixed class of a comparison. A comparison that stops early would
/// process all of it, but would stop at the first byte of a random tag. The result is false for both.
fn nearly(mut tag: Vec<u8>) -> Option<Vec<u8>> {
    *tag.last_mut()? ^= 1;
    Some(tag)
}

/// Verifies a tag.
fn hmac_verify(algorithm: &'static Algorithm, kernel: &'static str) -> Subject {
    let mut mac = hmac_on(algorithm, &[7; KEY], kernel);
    mac.update(b"message");
    let fixed = nearly(mac.tag());
    let subject = Subject::new(
        "hmac-verify",
        algorithm.name,
        kernel,
        algorithm.output,
        vec![0; algorithm.output],
        |tag: &mut Vec<u8>, secret| tag.copy_from_slice(secret),
        // The result is not used, because a branch on it would be an additional leak.
        move |tag| std::mem::forget(black_box(mac.verify(tag))),
    );
    Subject { fixed, public_branches: 1, ..subject }
}

/// Derives a key from secret key material.
fn hkdf(algorithm: &'static Algorithm, kernel: &'static str) -> Subject {
    Subject::new(
        "hkdf",
        algorithm.name,
        kernel,
        KEY,
        (vec![0; KEY], vec![0; 2 * algorithm.output + 3]),
        |(material, _), secret| material.copy_from_slice(secret),
        move |(material, out)| {
            let done = hkdf_with_kernel(algorithm, material, b"salt", b"info", black_box(out), Some(kernel));
            done.expect(AVAILABLE);
        },
    )
}

// ------------------------------------------------------------------------------------------- HMAC-DRBG

/// The number of bytes of entropy for the highest strength. `SEED` also includes the bytes of the nonce.
const ENTROPY: usize = 32;
const SEED: usize = 48;

fn drbg_on(algorithm: &'static Algorithm, seed: &[u8], kernel: &str) -> HmacDrbg {
    let (entropy, nonce) = seed.split_at(ENTROPY);
    let params = DrbgParams { kernel: Some(kernel), ..DrbgParams::default() };
    HmacDrbg::new(algorithm, entropy, nonce, &params).expect(AVAILABLE)
}

/// Instantiates a generator with a secret entropy input and nonce.
fn drbg_new(algorithm: &'static Algorithm, kernel: &'static str) -> Subject {
    Subject::new(
        "drbg-new",
        algorithm.name,
        kernel,
        SEED,
        vec![0; SEED],
        |seed: &mut Vec<u8>, secret| seed.copy_from_slice(secret),
        move |seed| drop(black_box(drbg_on(algorithm, seed, kernel))),
    )
}

/// Generates output from a generator whose state is secret.
fn drbg_generate(algorithm: &'static Algorithm, kernel: &'static str) -> Subject {
    Subject::new(
        "drbg-generate",
        algorithm.name,
        kernel,
        SEED,
        (None, vec![0; 2 * algorithm.output + 3]),
        move |(drbg, _), secret| *drbg = Some(drbg_on(algorithm, secret, kernel)),
        |(drbg, out)| {
            let drbg: &mut Option<HmacDrbg> = drbg;
            drbg.as_mut().expect("prepared").generate(black_box(out), b"").expect("a short request");
        },
    )
}

/// Reseeds a generator with a secret state from a secret entropy input. The secret is the seed, followed by the entropy
/// input.
fn drbg_reseed(algorithm: &'static Algorithm, kernel: &'static str) -> Subject {
    Subject::new(
        "drbg-reseed",
        algorithm.name,
        kernel,
        SEED + ENTROPY,
        (None, vec![0; ENTROPY]),
        move |(drbg, entropy), secret| {
            *drbg = Some(drbg_on(algorithm, &secret[..SEED], kernel));
            entropy.copy_from_slice(&secret[SEED..]);
        },
        |(drbg, entropy)| {
            let drbg: &mut Option<HmacDrbg> = drbg;
            drbg.as_mut().expect("prepared").reseed(entropy, b"").expect("enough entropy");
        },
    )
}

// ------------------------------------------------------------------------------------------- KMAC

fn kmac_on(variant: KmacVariant, key: &[u8], kernel: &str) -> Kmac {
    Kmac::with_kernel(variant, key, b"", Some(kernel)).expect(AVAILABLE)
}

/// The tag of a secret message under a secret key that is already set.
fn kmac_tag(variant: KmacVariant, kernel: &'static str) -> Subject {
    const LEN: usize = 353;
    Subject::new(
        "kmac-tag",
        variant.name(),
        kernel,
        KEY + LEN,
        (None, vec![0; variant.output()]),
        move |(mac, _), secret| {
            let mut fresh = kmac_on(variant, &secret[..KEY], kernel);
            fresh.update(&secret[KEY..]);
            *mac = Some(fresh);
        },
        |(mac, tag)| {
            let mac: &Option<Kmac> = mac;
            mac.as_ref().expect("prepared").tag_into(black_box(tag));
        },
    )
}

/// Setting a secret key.
fn kmac_key(variant: KmacVariant, kernel: &'static str) -> Subject {
    Subject::new(
        "kmac-key",
        variant.name(),
        kernel,
        KEY,
        vec![0; KEY],
        |key: &mut Vec<u8>, secret| key.copy_from_slice(secret),
        move |key| drop(black_box(kmac_on(variant, key, kernel))),
    )
}

/// Verifies a tag.
fn kmac_verify(variant: KmacVariant, kernel: &'static str) -> Subject {
    let mut mac = kmac_on(variant, &[7; KEY], kernel);
    mac.update(b"message");
    let fixed = nearly(mac.tag(variant.output()));
    let subject = Subject::new(
        "kmac-verify",
        variant.name(),
        kernel,
        variant.output(),
        vec![0; variant.output()],
        |tag: &mut Vec<u8>, secret| tag.copy_from_slice(secret),
        // The result is not used, because a branch on it would be an additional leak.
        move |tag| std::mem::forget(black_box(mac.verify(tag))),
    );
    Subject { fixed, public_branches: 1, ..subject }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_row_and_every_available_kernel_is_there() {
        let all = targets();
        let found: BTreeSet<(&str, &str)> = all.iter().map(|s| (s.algorithm, s.kernel)).collect();
        for algorithm in ALGORITHMS {
            for kernel in algorithm.kernels().iter().chain(&algorithm.batch_kernels()) {
                assert_eq!(
                    found.contains(&(algorithm.name, kernel.name)),
                    kernel.available,
                    "{}",
                    algorithm.name
                );
            }
        }
        let names: BTreeSet<_> = all.iter().map(|s| (s.path, s.algorithm, s.kernel)).collect();
        assert_eq!(names.len(), all.len(), "no target twice");
        let hmac = ALGORITHMS.iter().filter(|a| a.hmac).count();
        let paths = |path: &str| {
            all.iter().filter(|s| s.path == path).map(|s| s.algorithm).collect::<BTreeSet<_>>().len()
        };
        for path in ["hmac-tag", "hmac-key", "hmac-long-key", "hmac-verify", "hkdf", "drbg-generate"] {
            assert_eq!(paths(path), hmac, "{path}");
        }
        assert_eq!(paths("kmac-tag"), 2);
    }

    #[test]
    fn every_target_runs_and_none_is_called_right() {
        /// Returns the library's verdict on a tag of the message that targets verify.
        fn is_right(subject: &Subject, tag: &[u8]) -> bool {
            if subject.path == "kmac-verify" {
                let variant = KmacVariant::ALL.into_iter().find(|v| v.name() == subject.algorithm).unwrap();
                let mut mac = kmac_on(variant, &[7; KEY], subject.kernel);
                mac.update(b"message");
                return mac.verify(tag).is_ok();
            }
            let mut mac = Hmac::new(hashwell::find(subject.algorithm).unwrap(), &[7; KEY]).unwrap();
            mac.update(b"message");
            mac.verify(tag).is_ok()
        }
        let mut checked = 0;
        for mut subject in targets() {
            // All comparison targets, and no others, have a fixed secret, which is wrong only in its last bit.
            assert_eq!(subject.fixed.is_some(), subject.path.ends_with("-verify"), "{}", subject.path);
            if let Some(tag) = subject.fixed.clone() {
                assert!(!is_right(&subject, &tag), "{} of {}", subject.path, subject.algorithm);
                let tag = nearly(tag).unwrap();
                assert!(is_right(&subject, &tag), "{} of {}", subject.path, subject.algorithm);
                checked += 1;
            }
            let secret = subject.fixed.clone().unwrap_or_else(|| vec![3; subject.secret_len]);
            assert_eq!(secret.len(), subject.secret_len, "{}", subject.path);
            subject.prepare(&secret);
            subject.run();
            subject.run();
        }
        assert!(checked > ALGORITHMS.iter().filter(|a| a.hmac).count(), "{checked}");
    }

    #[test]
    fn the_short_set_has_every_path_of_a_mac_once_for_each_set_of_kernels() {
        let all = targets();
        let short: Vec<&Subject> = all.iter().filter(|s| representative(s)).collect();
        assert!(short.iter().all(|s| s.default_kernel));
        let tables = |path: &str| short.iter().filter(|s| s.path == path).count();
        assert!(tables("hmac-tag") >= 4 && tables("hmac-tag") == tables("hmac-verify"));
        assert_eq!(tables("kmac-tag"), 1);
    }
}
