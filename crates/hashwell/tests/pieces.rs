//! Pieces of a message can be hashed in any order, and the digest is that of the whole message.

use crate::common;

use common::{mod251, to_hex};
use hashwell::{ALGORITHMS, Algorithm, Error, Params, Pieces, find};

const LEN: usize = Pieces::LEN;

fn trees() -> impl Iterator<Item = &'static Algorithm> {
    ALGORITHMS.iter().filter(|algorithm| algorithm.is_parallel())
}

fn pieces(algorithm: &'static Algorithm, params: &Params<'_>, message: &[u8]) -> Pieces {
    algorithm.pieces(params, message.len() as u64).unwrap()
}

/// Computes the values, beginning with the last piece.
fn values(pieces: &Pieces, message: &[u8]) -> Vec<Vec<u8>> {
    let mut values: Vec<Vec<u8>> = (0..pieces.count())
        .rev()
        .map(|index| {
            let range = pieces.range(index);
            pieces.value(index, &message[range.start as usize..range.end as usize]).unwrap()
        })
        .collect();
    values.reverse();
    values
}

fn joined(algorithm: &'static Algorithm, params: &Params<'_>, message: &[u8]) -> Vec<u8> {
    let pieces = pieces(algorithm, params, message);
    let mut join = pieces.join();
    values(&pieces, message).iter().for_each(|value| join.push(value).unwrap());
    join.digest().unwrap()
}

fn whole(algorithm: &'static Algorithm, params: &Params<'_>, message: &[u8]) -> Vec<u8> {
    let mut hasher = algorithm.build(params).unwrap();
    hasher.update(message);
    hasher.digest()
}

fn check(algorithm: &'static Algorithm, params: &Params<'_>, message: &[u8]) {
    let (found, expected) = (joined(algorithm, params, message), whole(algorithm, params, message));
    assert_eq!(to_hex(&found), to_hex(&expected), "{}, {} bytes, {params:?}", algorithm.name, message.len());
}

#[test]
fn every_length_around_borders() {
    // Lengths around chunks (1 KiB of BLAKE3, 8 KiB of KangarooTwelve), around pieces, and around complete trees.
    let mut lens = vec![0, 1, 1023, 1024, 1025, 8191, 8192, 8193, 16_383, 16_385];
    for pieces in 1..=9 {
        for chunk in [0, 1024, 8192] {
            lens.extend([pieces * LEN + chunk - 1, pieces * LEN + chunk, pieces * LEN + chunk + 1]);
            lens.push(pieces * LEN - chunk);
        }
    }
    let message = mod251(10 * LEN);
    for algorithm in trees() {
        for &len in &lens {
            check(algorithm, &Params::default(), &message[..len]);
        }
    }
}

#[test]
fn with_parameters_and_on_every_kernel() {
    let message = mod251(3 * LEN + 8192 + 5);
    let long = mod251(20_000);
    for algorithm in trees() {
        for len in [0, 1, 8191, LEN - 1, LEN, LEN + 1, 2 * LEN, message.len()] {
            let message = &message[..len];
            check(algorithm, &Params { output_len: Some(200), ..Params::default() }, message);
            for kernel in algorithm.kernels().iter().chain(&algorithm.batch_kernels()).filter(|k| k.available)
            {
                check(algorithm, &Params { kernel: Some(kernel.name), ..Params::default() }, message);
            }
            for customization in [&b"c"[..], &long] {
                if algorithm.takes(hashwell::registry::Parameter::Customization) {
                    check(algorithm, &Params { customization, ..Params::default() }, message);
                }
            }
        }
    }
}

/// Values may be stored and sent, so they never change. For BLAKE3, they are chaining values as its crate computes
/// them. For KT128, those of the leaves are TurboSHAKE128 (RFC 9861 section 3.2).
#[test]
fn values_are_pinned() {
    let message = mod251(2 * LEN + 8192 + 5);
    let blake3 = find("blake3").unwrap();
    let of_blake3 = values(&pieces(blake3, &Params::default(), &message), &message);
    for (index, value) in of_blake3.iter().enumerate() {
        use blake3::hazmat::HasherExt;
        let mut subtree = blake3::Hasher::new();
        let piece = &message[index * LEN..message.len().min((index + 1) * LEN)];
        subtree.set_input_offset((index * LEN) as u64).update(piece);
        assert_eq!(*value, subtree.finalize_non_root());
    }
    let kt128 = find("kt128").unwrap();
    let of_kt128 = values(&pieces(kt128, &Params::default(), &message), &message);
    let leaf = |chunk: usize| {
        let params = Params { domain: Some(0x0b), output_len: Some(32), ..Params::default() };
        whole(find("turboshake128").unwrap(), &params, &message[chunk * 8192..(chunk + 1) * 8192])
    };
    let leaves = |chunks: std::ops::Range<usize>| chunks.flat_map(leaf).collect::<Vec<u8>>();
    let chunks = LEN / 8192;
    assert_eq!(of_kt128[0], [&message[..8192], &leaves(1..chunks)].concat());
    assert_eq!(of_kt128[1], leaves(chunks..2 * chunks));
    assert_eq!(of_kt128[2], [&leaves(2 * chunks..2 * chunks + 1), &message[message.len() - 5..]].concat());
    assert_eq!(Pieces::LEN, 262_144);
}

#[test]
fn what_does_not_fit_is_refused() {
    let plain = Params::default();
    for algorithm in ALGORITHMS {
        let result = algorithm.pieces(&plain, 1 << 30);
        assert_eq!(result.is_ok(), algorithm.is_parallel(), "{}", algorithm.name);
        let unsupported = Error::Unsupported { algorithm: algorithm.name, what: "hashing in pieces" };
        assert!(result.is_ok() || result.is_err_and(|error| error == unsupported));
    }
    let blake3 = find("blake3").unwrap();
    for params in [Params { key: Some(&[1; 32]), ..plain }, Params { context: Some("a context"), ..plain }] {
        let error = blake3.pieces(&params, 1).unwrap_err().to_string();
        assert_eq!(error, "blake3 does not support hashing in pieces with a key or context");
    }
    assert!(blake3.pieces(&Params { customization: b"c", ..plain }, 1).is_err());
    let message = mod251(LEN + 7);
    for algorithm in trees() {
        let name = algorithm.name;
        let pieces = pieces(algorithm, &plain, &message);
        assert_eq!(
            (pieces.count(), pieces.range(1), pieces.range(2)),
            (2, LEN as u64..LEN as u64 + 7, LEN as u64 + 7..LEN as u64 + 7)
        );
        let says = |error: Error| error.to_string();
        let value = |index, data: &[u8]| says(pieces.value(index, data).unwrap_err());
        assert_eq!(value(2, b""), format!("{name}: number of the piece must be 0 to 1, not 2"));
        assert_eq!(value(0, b"abc"), format!("{name}: length of the piece must be {LEN} bytes, not 3"));
        assert_eq!(value(1, &message[..8]), format!("{name}: length of the piece must be 7 bytes, not 8"));
        assert!(pieces.value(u64::MAX, b"").is_err());
        let values = values(&pieces, &message);
        let mut join = pieces.join();
        let wrong = join.push(b"short").unwrap_err().to_string();
        assert_eq!(wrong, format!("{name}: value of the piece must be {} bytes, not 5", values[0].len()));
        // The failed call had no effect.
        join.push(&values[0]).unwrap();
        join.push(&values[1]).unwrap();
        let one_more = join.push(&values[1]).unwrap_err().to_string();
        assert_eq!(one_more, format!("{name}: number of values must be 2, not 3"));
        assert_eq!(join.digest().unwrap(), whole(algorithm, &plain, &message));
        let mut join = pieces.join();
        join.push(&values[0]).unwrap();
        assert_eq!(says(join.digest().unwrap_err()), format!("{name}: number of values must be 2, not 1"));
        // A message of the maximum length.
        let longest = algorithm.pieces(&plain, u64::MAX).unwrap();
        let last = longest.range(longest.count() - 1);
        assert_eq!((last.end, last.end - last.start), (u64::MAX, LEN as u64 - 1));
        assert_eq!(longest.range(u64::MAX), u64::MAX..u64::MAX);
        assert!(longest.value(longest.count() - 1, &mod251(LEN - 1)).is_ok());
    }
}
