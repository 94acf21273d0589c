//! Hashing a batch of messages gives the same as hashing one message at a time: digests, tags, and streams
//! read in lockstep, with any kernel and any parameters.
#![no_main]

#[path = "common/given.rs"]
mod given;

use arbitrary::Arbitrary;
use given::{Given, kernel, portable};
use hashwell::{ALGORITHMS, Hasher, Kind, Params, hash_many, hmac, hmac_many_with_kernel, xof_many};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
enum Bytes {
    These(Vec<u8>),
    /// Many equal bytes, to exceed a block cheaply.
    Fill(u8, u16),
}

impl Bytes {
    fn get(&self) -> Vec<u8> {
        match self {
            Bytes::These(bytes) => bytes.clone(),
            Bytes::Fill(byte, len) => vec![*byte; usize::from(*len) % 20_000],
        }
    }
}

#[derive(Arbitrary, Debug)]
struct Case {
    row: u8,
    kernel: u8,
    given: Given,
    output_len: u16,
    messages: Vec<Bytes>,
    keys: Vec<Bytes>,
    reads: Vec<u8>,
}

fuzz_target!(|case: Case| {
    let algorithm = &ALGORITHMS[usize::from(case.row) % ALGORITHMS.len()];
    let kernel = kernel(algorithm, case.kernel, true);
    let messages: Vec<Vec<u8>> = case.messages.iter().map(Bytes::get).collect();
    let xof = algorithm.kind == Kind::Xof;

    let given = case.given.params(algorithm);
    let output_len = if xof { Some(usize::from(case.output_len) % 1000) } else { given.output_len };
    let params = Params { output_len, kernel, ..given };
    let begin = || algorithm.build(&Params { kernel: portable(algorithm), output_len, ..given });
    let many = algorithm.many(&params);
    assert_eq!(many.as_ref().map(drop), begin().as_ref().map(drop));
    if let Ok(many) = many {
        let one = |message: &Vec<u8>| {
            let mut hasher: Hasher = begin().unwrap();
            hasher.update(message);
            hasher.digest()
        };
        let digests: Vec<u8> = messages.iter().flat_map(one).collect();
        assert!(many.digest(&messages) == digests);
        assert!(many.digest_iter(&messages) == digests);
        let mut parallel = vec![0; digests.len()];
        many.digest_into_parallel(&messages, &mut parallel).unwrap();
        assert!(parallel == digests);
        match output_len {
            _ if (Params { output_len, ..Params::default() }) != (Params { kernel: None, ..params }) => {}
            Some(len) if xof => assert!(xof_many(algorithm, &messages, len).unwrap() == digests),
            None => assert!(hash_many(algorithm, &messages) == digests),
            Some(_) => {}
        }
    }

    let keys: Vec<Vec<u8>> = case.keys.iter().map(Bytes::get).collect();
    let tags = hmac_many_with_kernel(algorithm, &keys, &messages, kernel);
    let fit = keys.len() == messages.len() || keys.len() == 1 || messages.len() == 1;
    assert_eq!(tags.is_ok(), fit && algorithm.hmac);
    if let Ok(tags) = tags {
        let count = if keys.len() == 1 { messages.len() } else { keys.len() };
        let at = |of: &[Vec<u8>], i: usize| of[if of.len() == 1 { 0 } else { i }].clone();
        let one = |i| hmac(algorithm, &at(&keys, i), &at(&messages, i)).unwrap();
        assert!(tags == (0..count).flat_map(one).collect::<Vec<u8>>());
    }

    let streams = algorithm.streams(&messages, &Params { kernel, ..given });
    assert_eq!(streams.is_ok(), xof && begin().is_ok());
    if let Ok(mut streams) = streams {
        let reader = |message| {
            let mut hasher = begin().unwrap();
            hasher.update(message);
            hasher.into_reader().unwrap()
        };
        let mut readers: Vec<_> = messages.iter().map(|message| reader(message)).collect();
        for len in case.reads.into_iter().map(usize::from) {
            let mut rows = vec![0; len * messages.len()];
            streams.read(&mut rows).unwrap();
            assert!(rows == readers.iter_mut().flat_map(|reader| reader.read_vec(len)).collect::<Vec<u8>>());
        }
    }
});
