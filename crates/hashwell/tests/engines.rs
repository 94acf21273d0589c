//! Engines that only use the public interface: the CPU as an engine, and one that fails in every possible way.

use crate::common;

use common::mod251;
use hashwell::engine::{Cpu, Engine, Fault, check};
use hashwell::{ALGORITHMS, Algorithm, Error, Kind, Params, find};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread::ThreadId;

/// The error of an engine.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fails {
    Never,
    Unavailable,
    PanicsWhenAsked,
    PanicsMidway,
    /// Writes half of the digests, and then returns an error.
    Midway,
    /// Writes half of the digests, and reports this number.
    WritesHalf,
    /// Writes half of the digests, but reports that it wrote all of them.
    SaysMore,
    /// Reports that it wrote more digests than there are messages.
    CountsTooMany,
    /// The last digest has one wrong bit.
    WrongBit,
    /// The digests are in a different order.
    Swapped,
    /// Claims all algorithms, but only supports SHA-256.
    ClaimsAll,
    /// Ignores the key.
    ForgetsParameters,
    /// The output has one wrong bit if its length is not the default.
    WrongElsewhere,
    /// Claims support only every second time.
    Fickle,
    /// Only works on the thread on which it was created.
    OneThread,
}

/// The CPU as an engine, with the error `fails` after it is `armed`.
struct Faulty {
    fails: Fails,
    name: &'static str,
    armed: AtomicBool,
    asked: AtomicUsize,
    calls: AtomicUsize,
    owner: OnceLock<ThreadId>,
    secrets: bool,
}

impl Faulty {
    fn new(fails: Fails) -> Self {
        Self {
            fails,
            name: "faulty:0",
            armed: AtomicBool::new(true),
            asked: AtomicUsize::new(0),
            calls: AtomicUsize::new(0),
            owner: OnceLock::new(),
            secrets: true,
        }
    }

    /// Works until it is armed, so that it can be opened.
    fn later(fails: Fails) -> Self {
        Self { armed: AtomicBool::new(false), ..Self::new(fails) }
    }

    fn does(&self, fails: Fails) -> bool {
        self.fails == fails && self.armed.load(Ordering::Relaxed)
    }
}

impl Engine for Faulty {
    fn name(&self) -> &str {
        self.name
    }

    fn available(&self) -> Result<(), Fault> {
        assert!(!self.does(Fails::PanicsWhenAsked), "no driver\nat all");
        if self.does(Fails::Unavailable) { Err("the cable\nis loose".into()) } else { Ok(()) }
    }

    fn claims(&self, algorithm: &'static Algorithm, params: &Params<'_>) -> bool {
        let fickle = self.does(Fails::Fickle) && self.asked.fetch_add(1, Ordering::Relaxed) % 2 == 1;
        // Two families are sufficient to detect errors.
        let has =
            self.does(Fails::ClaimsAll) || ["sha256", "blake2s-256", "shake128"].contains(&algorithm.name);
        has && !fickle && Cpu::new().claims(algorithm, params)
    }

    fn may_see_secrets(&self) -> bool {
        self.secrets
    }

    fn digest_many(
        &self,
        algorithm: &'static Algorithm,
        params: &Params<'_>,
        messages: &[&[u8]],
        out: &mut [u8],
    ) -> Result<usize, Fault> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        assert!(params.kernel.is_none() && !messages.is_empty() && !out.is_empty());
        assert_eq!(Some(out.len() / messages.len()), params.output_len);
        if self.does(Fails::ClaimsAll) && algorithm.name != "sha256" {
            return Err("there is no such thing here".into());
        }
        let plain = Params { output_len: params.output_len, ..Params::default() };
        let params = if self.does(Fails::ForgetsParameters) { &plain } else { params };
        let half = messages.len() / 2;
        let len = out.len() / messages.len();
        let wanting = [Fails::Midway, Fails::PanicsMidway, Fails::WritesHalf, Fails::SaysMore];
        if wanting.iter().any(|fails| self.does(*fails)) {
            Cpu::new().digest_many(algorithm, params, &messages[..half], &mut out[..half * len])?;
            assert!(!self.does(Fails::PanicsMidway), "out of {}", "memory");
            return match self.fails {
                Fails::Midway => Err("the queue is full".into()),
                Fails::SaysMore => Ok(messages.len()),
                _ => Ok(half),
            };
        }
        let here = std::thread::current().id();
        if self.does(Fails::OneThread) && *self.owner.get_or_init(|| here) != here {
            return Err("the context is another thread's".into());
        }
        let written = Cpu::new().digest_many(algorithm, params, messages, out)?;
        if self.does(Fails::WrongBit) || self.does(Fails::WrongElsewhere) && len != algorithm.output {
            *out.last_mut().expect("one byte of output") ^= 1;
        }
        if self.does(Fails::Swapped) {
            let (first, rest) = out.split_at_mut(len);
            if let Some(last) = rest.rchunks_exact_mut(len).next() {
                first.swap_with_slice(last);
            }
        }
        Ok(written + usize::from(self.does(Fails::CountsTooMany)))
    }
}

#[test]
fn this_processor_is_an_engine() {
    let checked = check(&Cpu::new()).unwrap();
    assert_eq!(checked.rows, ALGORITHMS.len());
    // The contract test tries every parameter of every row.
    let parameters: usize = ALGORITHMS.iter().map(|row| row.accepts.len()).sum();
    assert!(checked.claims >= ALGORITHMS.len() + parameters && checked.digests > 50_000, "{checked:?}");
    let soft = check(&Cpu::on_kernel("soft")).unwrap();
    assert_eq!(soft.rows, ALGORITHMS.len() - 1, "all rows but BLAKE3's have a kernel 'soft'");
}

#[test]
fn the_contract_finds_every_fault() {
    assert!(check(&Faulty::new(Fails::Never)).unwrap().rows == 3);
    for (fails, finding) in [
        (Fails::Unavailable, "is not available"),
        (Fails::Midway, "it failed: the queue is full"),
        (Fails::WritesHalf, "it reported 0 digests"),
        (Fails::SaysMore, "digest 0, of a message of 0 bytes, is wrong"),
        (Fails::CountsTooMany, "it reported 2 digests"),
        (Fails::WrongBit, "is wrong"),
        (Fails::Swapped, "is wrong"),
        (Fails::ClaimsAll, "there is no such thing here"),
        (Fails::ForgetsParameters, "blake2s-256 with Key"),
        (
            Fails::WrongElsewhere,
            "bytes of output: an empty message, 1 messages: digest 0, of a message of 0 bytes, is wrong",
        ),
        (Fails::Fickle, "the engine claims this in one call but not in the next"),
        (Fails::OneThread, "from two threads at once: it failed: the context is another thread's"),
    ] {
        let breach = check(&Faulty::new(fails)).expect_err(&format!("{fails:?}"));
        assert!(breach.to_string().contains(finding), "{fails:?}: {breach}");
    }
    for name in ["", "faulty", "faulty:", ":0", "Faulty:0", "faulty:zero", "a b:0"] {
        let breach = check(&Faulty { name, ..Faulty::new(Fails::Never) }).unwrap_err();
        assert!(breach.to_string().contains("is not a kind and a number"), "{breach}");
    }
}

fn refusal(fails: Fails) -> String {
    let sha256 = find("sha256").unwrap().many(&Params::default()).unwrap();
    sha256.on(&Faulty::new(fails)).expect_err(&format!("{fails:?}")).to_string()
}

/// Errors that can be detected before anything is hashed are reported at that time, each in one line.
#[test]
fn a_bad_engine_is_not_opened() {
    for (fails, expected) in [
        (Fails::Unavailable, "engine 'faulty:0' is not available: the cable is loose"),
        (Fails::PanicsWhenAsked, "engine 'faulty:0' is not available: it panicked: no driver at all"),
        (Fails::Midway, "engine 'faulty:0' failed: the queue is full"),
        (Fails::PanicsMidway, "engine 'faulty:0' failed: it panicked: out of memory"),
        (Fails::WritesHalf, "engine 'faulty:0' failed: it wrote 3 digests for 6 messages"),
        (Fails::SaysMore, "engine 'faulty:0' failed: its digest of a message of 64 bytes is wrong"),
        (Fails::CountsTooMany, "engine 'faulty:0' failed: it wrote 7 digests for 6 messages"),
        (Fails::WrongBit, "engine 'faulty:0' failed: its digest of a message of 199 bytes is wrong"),
        (Fails::Swapped, "engine 'faulty:0' failed: its digest of a message of 0 bytes is wrong"),
    ] {
        assert_eq!(refusal(fails), expected);
    }
    let many = |name: &str, params| find(name).unwrap().many(&params).unwrap();
    let engine = Faulty::new(Fails::Never);
    let refused = many("sha512", Params::default()).on(&engine).unwrap_err();
    assert_eq!(refused.to_string(), "engine 'faulty:0' does not support sha512 with these parameters");
    let named = many("sha256", Params { kernel: Some("soft"), ..Params::default() });
    let refused = named.on(&engine).unwrap_err();
    assert_eq!(refused.to_string(), "engine 'faulty:0' does not support sha256 with a CPU kernel");
    assert_eq!(engine.calls.load(Ordering::Relaxed), 0);
    let long =
        Faulty { name: Box::leak("x\u{7}".repeat(500).into_boxed_str()), ..Faulty::new(Fails::Unavailable) };
    let text = many("sha256", Params::default()).on(&long).unwrap_err().to_string();
    assert!(text.len() < 200 && !text.contains('\u{7}'), "{text}");
}

/// If an engine fails later, the output is zeros, never a part of the digests.
#[test]
fn a_failure_leaves_zeros() {
    let sha256 = find("sha256").unwrap().many(&Params::default()).unwrap();
    let messages: Vec<Vec<u8>> = (0..40).map(mod251).collect();
    for fails in [Fails::Midway, Fails::PanicsMidway, Fails::WritesHalf, Fails::CountsTooMany] {
        let engine = Faulty::later(fails);
        let there = sha256.on(&engine).unwrap();
        let mut out = vec![0xa5; 40 * 32];
        there.digest_into(&messages, &mut out).unwrap();
        assert_eq!(out, sha256.digest(&messages));
        engine.armed.store(true, Ordering::Relaxed);
        let failed = there.digest_into(&messages, &mut out).unwrap_err();
        assert!(matches!(failed, Error::EngineFailed { .. }), "{failed}");
        assert!(out.iter().all(|byte| *byte == 0), "{fails:?}");
        assert!(there.digest(&messages).is_err());
    }
}

#[test]
fn buffers_of_another_length_are_refused_before_the_engine_is_asked() {
    let sha256 = find("sha256").unwrap().many(&Params::default()).unwrap();
    let engine = Faulty::new(Fails::Never);
    let there = sha256.on(&engine).unwrap();
    let calls = engine.calls.load(Ordering::Relaxed);
    let mut out = [7; 65];
    let refused = there.digest_into(&["a", "b"], &mut out).unwrap_err();
    assert_eq!(refused.to_string(), "sha256: digests buffer must be 64 bytes, not 65");
    assert_eq!(out, [7; 65]);
    // An empty batch is not passed to the engine.
    let none: [&str; 0] = [];
    assert!(there.digest(&none).unwrap().is_empty());
    let nothing = Params { output_len: Some(0), ..Params::default() };
    let nothing = find("shake128").unwrap().many(&nothing).unwrap();
    assert!(nothing.on(&engine).unwrap().digest(&["a"]).unwrap().is_empty());
    assert_eq!(engine.calls.load(Ordering::Relaxed), calls);
    assert_eq!(format!("{there:?}"), "OnEngine(sha256 on faulty:0)");
}

/// The engine gets the same parameters, even after the memory that contained them was freed.
#[test]
fn parameters_reach_the_engine() {
    let messages: Vec<Vec<u8>> = (0..9).map(|i| mod251(50 * i)).collect();
    for (name, len) in [("blake2b-512", 20), ("blake2s-256", 32), ("blake3", 100), ("cshake128", 500)] {
        let algorithm = find(name).unwrap();
        let many = {
            let (key, text) = (mod251(32), String::from("text of the caller's"));
            let keyed = algorithm.limits(hashwell::registry::Parameter::Key).is_some();
            let customization: &[u8] =
                if algorithm.kind == Kind::Xof && !keyed { text.as_bytes() } else { &[] };
            let key = keyed.then_some(&key[..]);
            let params = Params { output_len: Some(len), key, customization, ..Params::default() };
            algorithm.many(&params).unwrap()
        };
        let expected = many.digest(&messages);
        assert_eq!(many.on(&Cpu::new()).unwrap().digest(&messages).unwrap(), expected, "{name}");
    }
}

#[test]
fn secrets_reach_only_engines_that_may_see_them() {
    let careless = Faulty { secrets: false, ..Faulty::new(Fails::Never) };
    let keyed = Params { key: Some(b"key"), ..Params::default() };
    let blake2s = find("blake2s-256").unwrap();
    let refused = blake2s.many(&keyed).unwrap().on(&careless).unwrap_err();
    assert_eq!(refused.to_string(), "engine 'faulty:0' does not support blake2s-256 with a key");
    assert_eq!(careless.calls.load(Ordering::Relaxed), 0);
    let context = Params { context: Some("context"), ..Params::default() };
    let all = Faulty { secrets: false, ..Faulty::new(Fails::ClaimsAll) };
    assert!(find("blake3").unwrap().many(&context).unwrap().on(&all).is_err());
    assert_eq!(all.calls.load(Ordering::Relaxed), 0);
    // The contract test does not pass keys to this engine either, and checks the same rows without keys.
    let (open, closed) = (check(&Faulty::new(Fails::Never)).unwrap(), check(&careless).unwrap());
    assert_eq!((open.rows, open.claims - closed.claims), (closed.rows, 1));
    assert!(blake2s.many(&keyed).unwrap().on(&Faulty::new(Fails::Never)).is_ok());
}

/// A minimal engine, as a first implementation might be. It records the lengths and numbers of messages.
#[derive(Default)]
struct Plainest {
    lengths: Mutex<BTreeSet<usize>>,
    counts: Mutex<BTreeSet<usize>>,
}

impl Engine for Plainest {
    fn name(&self) -> &str {
        "plainest:0"
    }

    fn available(&self) -> Result<(), Fault> {
        Ok(())
    }

    fn claims(&self, algorithm: &'static Algorithm, params: &Params<'_>) -> bool {
        ["sha256", "blake3"].contains(&algorithm.name) && Cpu::new().claims(algorithm, params)
    }

    fn digest_many(
        &self,
        algorithm: &'static Algorithm,
        params: &Params<'_>,
        messages: &[&[u8]],
        out: &mut [u8],
    ) -> Result<usize, Fault> {
        assert!(params.key.is_none() && params.context.is_none());
        if algorithm.name == "sha256" {
            self.lengths.lock().unwrap().extend(messages.iter().map(|message| message.len()));
            self.counts.lock().unwrap().insert(messages.len());
        }
        Cpu::new().digest_many(algorithm, params, messages, out)
    }
}

#[test]
fn an_engine_that_says_nothing_of_secrets_sees_none() {
    let (blake3, engine) = (find("blake3").unwrap(), Plainest::default());
    let keyed = Params { key: Some(&[7; 32]), ..Params::default() };
    let refused = blake3.many(&keyed).unwrap().on(&engine).unwrap_err();
    assert_eq!(refused.to_string(), "engine 'plainest:0' does not support blake3 with a key");
    assert!(blake3.many(&Params::default()).unwrap().on(&engine).is_ok());
}

/// The contract test covers what its documentation says: every length up to more than four blocks, long ones, and one
/// to a hundred messages.
#[test]
fn the_contract_tries_what_it_says() {
    let engine = Plainest::default();
    assert_eq!(check(&engine).unwrap().rows, 2);
    let (lengths, counts) = (engine.lengths.into_inner().unwrap(), engine.counts.into_inner().unwrap());
    assert!((0..=4 * 64 + 16).all(|len| lengths.contains(&len)), "{lengths:?}");
    assert!([1023, 1024, 1025, 8192, 65_537].iter().all(|len| lengths.contains(len)), "{lengths:?}");
    assert!((1..=18).chain([100]).all(|count| counts.contains(&count)), "{counts:?}");
}
