//! Many messages side by side are the same as one by one: digests, tags, and streams read in lockstep, on any kernel.
#![no_main]

use arbitrary::Arbitrary;
use hashwell::{ALGORITHMS, Kind, Params, hash_many, hmac, hmac_many_with_kernel, xof_many};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
enum Bytes {
    These(Vec<u8>),
    /// Many equal bytes, to cross blocks cheaply.
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
    output_len: u16,
    messages: Vec<Bytes>,
    keys: Vec<Bytes>,
    reads: Vec<u8>,
}

fuzz_target!(|case: Case| {
    let algorithm = &ALGORITHMS[usize::from(case.row) % ALGORITHMS.len()];
    let kernels =
        algorithm.kernels().into_iter().chain(algorithm.batch_kernels()).filter(|kernel| kernel.available);
    let kernels: Vec<_> = [None].into_iter().chain(kernels.map(|kernel| Some(kernel.name))).collect();
    let kernel = kernels[usize::from(case.kernel) % kernels.len()];
    let messages: Vec<Vec<u8>> = case.messages.iter().map(Bytes::get).collect();
    let xof = algorithm.kind == Kind::Xof;

    let output_len = xof.then_some(usize::from(case.output_len) % 1000);
    let many = algorithm.many(&Params { output_len, kernel, ..Params::default() }).unwrap();
    let one = |message: &Vec<u8>| {
        let mut out = vec![0; many.output_len()];
        algorithm.digest_into(message, &mut out).unwrap();
        out
    };
    let digests: Vec<u8> = messages.iter().flat_map(one).collect();
    assert!(many.digest(&messages) == digests);
    assert!(many.digest_iter(&messages) == digests);
    match output_len {
        Some(len) => assert!(xof_many(algorithm, &messages, len).unwrap() == digests),
        None => assert!(hash_many(algorithm, &messages) == digests),
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

    let streams = algorithm.streams(&messages, &Params { kernel, ..Params::default() });
    assert_eq!(streams.is_ok(), xof);
    if let Ok(mut streams) = streams {
        let mut readers: Vec<_> = messages.iter().map(|message| algorithm.reader(message).unwrap()).collect();
        for len in case.reads.into_iter().map(usize::from) {
            let mut rows = vec![0; len * messages.len()];
            streams.read(&mut rows).unwrap();
            assert!(rows == readers.iter_mut().flat_map(|reader| reader.read_vec(len)).collect::<Vec<u8>>());
        }
    }
});
