//! xxHash's XXH3: not a cryptographic hash, but about as fast as bytes can be read.

use super::library::Library;
use super::{Contender, Kind, Known, Provider, Task, Work};
use crate::report::ceiling::{ALGORITHM, OUTPUT};
use std::ffi::c_uint;

pub(super) const KNOWN: Known = Known {
    name: "xxHash",
    variable: "HASHWELL_LIBXXHASH",
    files: &["libxxhash.so.0"],
    symbol: "XXH3_64bits",
    open: |library| Ok(Box::new(Xxhash(library))),
};

struct Xxhash(Library);

impl Provider for Xxhash {
    fn version(&self) -> Option<String> {
        // SAFETY: this is the documented type of the function.
        let number = unsafe { self.0.get::<unsafe extern "C" fn() -> c_uint>("XXH_versionNumber")?() };
        Some(format!("{}.{}.{}", number / 10_000, number / 100 % 100, number % 100))
    }

    fn contenders(&self, task: Task) -> Vec<Contender<'static>> {
        let wanted = task == Task { algorithm: ALGORITHM, kind: Kind::Digest };
        // SAFETY: this is the documented type of the function.
        let hash = unsafe { self.0.get::<unsafe extern "C" fn(*const u8, usize) -> u64>(KNOWN.symbol) };
        let contender = |hash: unsafe extern "C" fn(*const u8, usize) -> u64| {
            Contender::one_by_one(KNOWN.name, move |message, out| {
                // SAFETY: the slice has the length given.
                let value = unsafe { hash(message.as_ptr(), message.len()) };
                out.copy_from_slice(&value.to_be_bytes());
            })
        };
        hash.filter(|_| wanted).map(contender).into_iter().collect()
    }
}

/// The lengths and values of `XSUM_XXH3_testdata` in xxHash's `tests/sanity_test_vectors.h`, for seed 0.
const VALUES: [(usize, u64); 6] = [
    (0, 0x2d06_8005_38d3_94c2),
    (1, 0xc44b_dff4_074e_ecdb),
    (195, 0xcd94_217e_e362_ec3a),
    (512, 0x617e_4959_9013_cb6b),
    (2048, 0xdd59_e2c3_a5f0_38e0),
    (2240, 0x6e73_a905_39cf_2948),
];

/// Returns true if the contender computes the values of xxHash's own tests.
pub fn is_right(contender: &mut Contender<'_>) -> bool {
    // The buffer of these tests: the top bytes of 2654435761 * 0x9e3779b185ebca8d^i.
    let next = |x: &u64| Some(x.wrapping_mul(0x9e37_79b1_85eb_ca8d));
    let buffer: Vec<u8> =
        std::iter::successors(Some(2_654_435_761), next).map(|x: u64| (x >> 56) as u8).take(2240).collect();
    let Work::Here(digests) = &mut contender.work else { return false };
    VALUES.iter().all(|&(len, value)| {
        let mut out = [0; OUTPUT];
        digests(&[&buffer[..len]], &mut out);
        out == value.to_be_bytes()
    })
}
