//! Code that the test files share: vector files, deterministic bytes, and a function that checks an expected output on
//! every kernel.
#![allow(dead_code, unreachable_pub)] // each test file uses only some of these

mod skipped;

use hashwell::{Algorithm, Kind, Params};
use serde_json::Value;
pub use skipped::skipped;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The vectors in this repository.
pub fn own_vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

/// The folder of official vectors next to the repository, or the one that `HASHWELL_VECTORS` names, if it contains
/// `part`, which is a file or a folder. Otherwise, reports by name that it is absent.
pub fn shared_vectors(part: &str) -> Option<PathBuf> {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors");
    let folder = std::env::var_os("HASHWELL_VECTORS").map_or_else(default, PathBuf::from);
    if let Some(name) = absent(&folder, part) {
        skipped(&name, "not beside the checkout");
        return None;
    }
    Some(folder)
}

/// The message about what is skipped if the folder lacks this part.
pub fn absent(folder: &Path, part: &str) -> Option<String> {
    (!folder.join(part).exists()).then(|| format!("official vectors {part}"))
}

/// The text of a file, decompressed if its name ends in `.gz`.
pub fn text(path: &Path) -> String {
    let file = std::fs::File::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut text = String::new();
    let read = if path.extension().is_some_and(|e| e == "gz") {
        flate2::read::GzDecoder::new(file).read_to_string(&mut text)
    } else {
        std::io::BufReader::new(file).read_to_string(&mut text)
    };
    read.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text
}

pub fn json(path: &Path) -> Value {
    serde_json::from_str(&text(path)).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

pub fn hex(text: &str) -> Vec<u8> {
    assert!(text.len().is_multiple_of(2), "odd hex");
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).expect("hex")).collect()
}

pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Byte i is i mod 251. The period is not divisible by a power of two.
pub fn mod251(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

/// SplitMix64, so that random tests are the same on all machines.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next() as u8).collect()
    }
}

/// The first `len` bytes of output, of a digest or a stream.
pub fn output(algorithm: &'static Algorithm, params: &Params<'_>, message: &[u8], len: usize) -> Vec<u8> {
    let output_len = (algorithm.kind == Kind::Fixed && len != algorithm.output).then_some(len);
    let mut hasher = algorithm.build(&Params { output_len, ..*params }).unwrap();
    hasher.update(message);
    match algorithm.kind {
        Kind::Fixed => hasher.digest(),
        Kind::Xof => hasher.into_reader().unwrap().read_vec(len),
    }
}

/// Checks that the output from byte `skip` on is `expected`, on every kernel that this CPU supports.
pub fn expect(
    algorithm: &'static Algorithm,
    params: &Params<'_>,
    message: &[u8],
    skip: usize,
    expected: &[u8],
    label: &str,
) {
    for kernel in algorithm.kernels().iter().filter(|k| k.available) {
        let params = Params { kernel: Some(kernel.name), ..*params };
        let got = output(algorithm, &params, message, skip + expected.len());
        assert_eq!(
            to_hex(&got[skip..]),
            to_hex(expected),
            "{} on {}, {} bytes: {label}",
            algorithm.name,
            kernel.name,
            message.len()
        );
    }
}

/// Returns true if the slow tests run as well.
pub fn slow() -> bool {
    std::env::var_os("SLOW").is_some_and(|v| v == "1")
}
