//! Any order of update, clone, reset and read gives what one call gives.
#![no_main]

use arbitrary::Arbitrary;
use hashwell::{ALGORITHMS, Kind, Params};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
enum Step {
    Update(Vec<u8>),
    /// Many equal bytes, to cross block and chunk boundaries cheaply.
    Fill(u8, u16),
    Clone,
    Digest,
    Reset,
}

fuzz_target!(|input: (u8, u8, Vec<Step>, Vec<u16>)| {
    let (row, kernel, steps, reads) = input;
    let algorithm = &ALGORITHMS[usize::from(row) % ALGORITHMS.len()];
    let kernels: Vec<_> = algorithm.kernels().into_iter().filter(|k| k.available).collect();
    let kernel = Some(kernels[usize::from(kernel) % kernels.len()].name);
    let mut hasher = algorithm.build(&Params { kernel, ..Params::default() }).unwrap();
    let mut message = Vec::new();
    for step in steps {
        match step {
            Step::Update(bytes) => {
                hasher.update(&bytes);
                message.extend(bytes);
            }
            Step::Fill(byte, len) => {
                let bytes = vec![byte; len.into()];
                hasher.update(&bytes);
                message.extend(bytes);
            }
            Step::Clone => hasher = hasher.clone(),
            Step::Digest => assert_eq!(hasher.digest(), algorithm.digest(&message)),
            Step::Reset => {
                hasher.reset();
                message.clear();
            }
        }
    }
    assert_eq!(hasher.digest(), algorithm.digest(&message));
    if algorithm.kind == Kind::Xof {
        let mut reader = hasher.into_reader().unwrap();
        let got: Vec<u8> = reads.iter().flat_map(|n| reader.read_vec((*n).into())).collect();
        let mut expected = vec![0; got.len()];
        algorithm.digest_into(&message, &mut expected).unwrap();
        assert!(got == expected);
    }
});
