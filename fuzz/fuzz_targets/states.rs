//! Update, clone, reset and read, in any order and with every parameter, give the same as one call on the
//! portable kernel. The same is true of states as plain data and of parallel updates.
#![no_main]

#[path = "common/given.rs"]
mod given;

use arbitrary::Arbitrary;
use given::{Given, kernel, portable};
use hashwell::{ALGORITHMS, Error, Hasher, Kind, Params, PlainHasher};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
enum Step {
    Update(Vec<u8>),
    /// Many equal bytes, to cross block and chunk boundaries cheaply.
    Fill(u8, u16),
    /// The same with `update_parallel`. For parallel algorithms there are many bytes, so that more than one
    /// thread is used.
    Parallel(u8, u32),
    Clone,
    Digest,
    Reset,
}

#[derive(Arbitrary, Debug)]
struct Case {
    row: u8,
    kernel: u8,
    given: Given,
    steps: Vec<Step>,
    reads: Vec<u16>,
}

/// The maximum length of one parallel update in bytes.
const PARALLEL: u32 = 1 << 19;

fuzz_target!(|case: Case| {
    let algorithm = &ALGORITHMS[usize::from(case.row) % ALGORITHMS.len()];
    let params = Params { kernel: kernel(algorithm, case.kernel, false), ..case.given.params(algorithm) };
    let built = algorithm.build(&params);
    let begin = || algorithm.build(&Params { kernel: portable(algorithm), ..params });
    let plain = algorithm.plain_hasher(&params);
    if params.customization.len() <= PlainHasher::MAX_KANGAROO_CUSTOMIZATION {
        assert_eq!(plain.as_ref().map(drop), built.as_ref().map(drop));
    }
    let mut hasher = match (built, begin()) {
        (Ok(hasher), Ok(_)) => hasher,
        (built, other) => return assert_eq!(built.map(drop), other.map(drop)),
    };
    let start = plain.ok();
    let mut plain = start.clone();
    let mut message = Vec::new();
    let whole = |message: &[u8]| -> Hasher {
        let mut whole = begin().unwrap();
        whole.update(message);
        whole
    };
    for step in case.steps {
        let bytes = match &step {
            Step::Update(bytes) => bytes.clone(),
            Step::Fill(byte, len) => vec![*byte; usize::from(*len)],
            Step::Parallel(byte, len) => {
                vec![*byte; (len % if algorithm.is_parallel() { PARALLEL } else { 5000 }) as usize]
            }
            _ => Vec::new(),
        };
        message.extend(&bytes);
        plain.iter_mut().for_each(|plain| plain.update(&bytes));
        match step {
            Step::Update(_) | Step::Fill(..) => hasher.update(&bytes),
            Step::Parallel(..) => hasher.update_parallel(&bytes),
            Step::Clone => {
                hasher = hasher.clone();
                plain = plain.clone();
            }
            Step::Digest => {
                let expected = whole(&message).digest();
                assert_eq!(hasher.digest(), expected);
                if let Some(plain) = &plain {
                    let mut out = vec![0; plain.output_len()];
                    plain.digest_into(&mut out).unwrap();
                    assert_eq!(out, expected);
                }
            }
            Step::Reset => {
                hasher.reset();
                plain = start.clone();
                message.clear();
            }
        }
        assert_eq!((hasher.algorithm(), hasher.output_len()), (algorithm, whole(b"").output_len()));
    }
    assert_eq!(hasher.digest(), whole(&message).digest());
    let readers = [hasher.into_reader(), whole(&message).into_reader()];
    let [Ok(mut reader), Ok(mut expected)] = readers else {
        return assert!(algorithm.kind == Kind::Fixed);
    };
    assert!(algorithm.kind == Kind::Xof);
    let expected = expected.read_vec(case.reads.iter().copied().map(usize::from).sum());
    let got: Vec<u8> = case.reads.iter().flat_map(|n| reader.read_vec((*n).into())).collect();
    assert!(got == expected);
    if let Some(plain) = plain {
        let read = plain.reader().map(|mut reader| reader.read_vec(expected.len()));
        assert!(matches!(read, Ok::<_, Error>(read) if read == expected));
    }
});
