//! HMAC-DRBG, with calls in any order, and its streams are compared with a second implementation of SP
//! 800-90A in this file. Any bytes are accepted as a saved generator or refused.
#![no_main]

use arbitrary::Arbitrary;
use hashwell::{ALGORITHMS, Algorithm, DrbgParams, DrbgStream, Error, HmacDrbg, Sha256, hmac};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
enum Step {
    Generate(u16, Vec<u8>),
    /// Filled in requests of 65,536 bytes.
    Fill(u32, Vec<u8>),
    Reseed(Vec<u8>, Vec<u8>),
    Save,
    /// One byte of the saved state is set to `to`. The checksum is corrected if `checksum` is true.
    Damage {
        at: u8,
        to: u8,
        checksum: bool,
    },
    Uninstantiate,
}

#[derive(Arbitrary, Debug)]
struct Case {
    row: u8,
    entropy: Vec<u8>,
    nonce: Vec<u8>,
    personalization: Vec<u8>,
    interval: u8,
    steps: Vec<Step>,
    saved: Vec<u8>,
    /// The lengths of the reads from the stream.
    reads: Vec<u16>,
    label: Vec<u8>,
}

const MAX_REQUEST: usize = 1 << 16;

/// The number of bytes that a stream requests from its generator at a time.
const FRAME: usize = 1024;

/// The working state of section 10.1.2.1.
struct Model {
    algorithm: &'static Algorithm,
    k: Vec<u8>,
    v: Vec<u8>,
    counter: u64,
}

impl Model {
    /// Section 10.1.2.3.
    fn new(algorithm: &'static Algorithm, seed: &[u8]) -> Self {
        let (k, v) = (vec![0; algorithm.output], vec![1; algorithm.output]);
        let mut model = Self { algorithm, k, v, counter: 1 };
        model.update(seed);
        model
    }

    fn next(&mut self) -> &[u8] {
        self.v = hmac(self.algorithm, &self.k, &self.v).unwrap();
        &self.v
    }

    /// Section 10.1.2.2.
    fn update(&mut self, data: &[u8]) {
        for round in [0, 1] {
            self.k = hmac(self.algorithm, &self.k, &[&self.v, &[round][..], data].concat()).unwrap();
            self.next();
            if data.is_empty() {
                break;
            }
        }
    }

    /// Section 10.1.2.5, for a request that the counter allows.
    fn generate(&mut self, len: usize, additional: &[u8]) -> Vec<u8> {
        if !additional.is_empty() {
            self.update(additional);
        }
        let mut out = Vec::new();
        while out.len() < len {
            out.extend(self.next());
        }
        self.update(additional);
        self.counter += 1;
        out.truncate(len);
        out
    }
}

/// Reads a stream from a seed in pieces of any length, and the stream that is forked from it
/// (docs/guides/random.md).
fn stream(case: &Case, algorithm: &'static Algorithm, params: &DrbgParams<'_>) {
    let Case { entropy, nonce, personalization, label, .. } = case;
    let mut stream = DrbgStream::from_seed_unchecked(algorithm, entropy, nonce, params).unwrap();
    let mut model = Model::new(algorithm, &[&entropy[..], nonce, personalization].concat());
    let forked = stream.fork_stream(label);
    let seed = Model::new(algorithm, &[&entropy[..], nonce, personalization].concat())
        .generate(48, &[b"hashwell fork_stream", &label[..]].concat());
    let all = |model: &mut Model, len: usize| -> Vec<u8> {
        (0..len.div_ceil(FRAME)).flat_map(|_| model.generate(FRAME, b"")).collect()
    };
    let lengths = || case.reads.iter().map(|len| usize::from(*len) % 5000);
    let requests = lengths().sum::<usize>().div_ceil(FRAME).min(case.interval.into());
    let mut expected = all(&mut model, requests * FRAME);
    for len in lengths() {
        let mut out = vec![1; len];
        let read = stream.read(&mut out);
        assert_eq!(read.is_ok(), out.len() <= expected.len());
        if read.is_err() {
            assert!(out.iter().all(|byte| *byte == 0));
            break;
        }
        assert!(out[..] == expected[..out.len()]);
        expected.drain(..out.len());
    }
    let mut out = vec![0; 100];
    forked.unwrap().read(&mut out).unwrap();
    assert!(out == all(&mut Model::new(algorithm, &seed), 100)[..100]);
}

fuzz_target!(|case: Case| {
    if let Ok(mut drbg) = HmacDrbg::import_state(&case.saved) {
        assert_eq!(drbg.export_state().unwrap()[..], case.saved);
    }
    let rows: Vec<_> = ALGORITHMS.iter().filter(|row| row.hmac).collect();
    let algorithm = rows[usize::from(case.row) % rows.len()];
    let interval = u64::from(case.interval);
    let params = DrbgParams {
        personalization: &case.personalization,
        reseed_interval: Some(interval),
        ..DrbgParams::default()
    };
    let drbg = HmacDrbg::from_seed_unchecked(algorithm, &case.entropy, &case.nonce, &params);
    assert_eq!(drbg.is_ok(), interval > 0);
    let Ok(mut drbg) = drbg else { return };
    stream(&case, algorithm, &params);
    let mut model = Model::new(algorithm, &[case.entropy, case.nonce, case.personalization].concat());
    let mut there = true;
    for step in case.steps {
        let left = (interval + 1).saturating_sub(model.counter);
        assert_eq!(drbg.is_instantiated(), there);
        assert_eq!(drbg.requests_left(), if there { left } else { 0 });
        match step {
            Step::Generate(len, additional) => {
                let mut out = vec![0; usize::from(len)];
                let made = drbg.generate(&mut out, &additional);
                assert_eq!(made.is_ok(), there && left > 0);
                if made.is_ok() {
                    assert!(out == model.generate(out.len(), &additional));
                }
            }
            Step::Fill(len, additional) => {
                let mut out = vec![0; len as usize % (4 * MAX_REQUEST)];
                let requests = out.len().div_ceil(MAX_REQUEST);
                let made = drbg.fill(&mut out, &additional);
                assert_eq!(made.is_ok(), there && left >= requests as u64);
                if made.is_ok() {
                    let pieces = out.chunks(MAX_REQUEST);
                    assert!(
                        pieces.into_iter().all(|piece| piece == model.generate(piece.len(), &additional))
                    );
                }
            }
            Step::Reseed(entropy, additional) => {
                assert_eq!(drbg.reseed(&entropy, &additional).is_ok(), there);
                model.update(&[entropy, additional].concat());
                model.counter = 1;
            }
            Step::Save if there => {
                let saved = drbg.export_state().unwrap();
                drbg = HmacDrbg::import_state(&saved).unwrap();
                assert_eq!(drbg.export_state().unwrap(), saved);
            }
            Step::Damage { at, to, checksum } if there => {
                let mut saved = drbg.export_state().unwrap();
                let at = usize::from(at) % saved.len();
                let same = saved[at] == to;
                saved[at] = to;
                if checksum {
                    let body = saved.len() - 8;
                    let checksum = Sha256::digest(&saved[..body]);
                    saved[body..].copy_from_slice(&checksum[..8]);
                }
                let read = HmacDrbg::import_state(&saved);
                assert!(checksum || read.is_ok() == same);
                if let Ok(mut other) = read {
                    assert_eq!(other.export_state().unwrap(), saved);
                    let _ = other.generate(&mut [0; 100], b"");
                }
            }
            Step::Save | Step::Damage { .. } => {
                assert!(matches!(drbg.export_state(), Err(Error::NotInstantiated { .. })));
            }
            Step::Uninstantiate => {
                drbg.uninstantiate();
                there = false;
            }
        }
    }
});
