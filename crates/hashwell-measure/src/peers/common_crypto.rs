//! Apple's Common Crypto, part of the system library of macOS: one call for each message. This project has no Mac to test
//! it on.

use super::library::Library;
use super::{Contender, Known, Provider, Task};
use std::ffi::c_uint;

pub(super) const KNOWN: Known = Known {
    name: "CommonCrypto",
    variable: "HASHWELL_LIBCOMMONCRYPTO",
    files: &["/usr/lib/libSystem.B.dylib"],
    symbol: "CC_SHA256",
    open: |library| Ok(Box::new(CommonCrypto(library))),
};

struct CommonCrypto(Library);

const FUNCTIONS: [(&str, &str); 5] = [
    ("sha1", "CC_SHA1"),
    ("sha224", "CC_SHA224"),
    ("sha256", "CC_SHA256"),
    ("sha384", "CC_SHA384"),
    ("sha512", "CC_SHA512"),
];

type Hash = unsafe extern "C" fn(*const u8, c_uint, *mut u8) -> *mut u8;

impl Provider for CommonCrypto {
    fn version(&self) -> Option<String> {
        None
    }

    fn contenders(&self, task: Task) -> Vec<Contender<'static>> {
        // SAFETY: this is the documented type of the function.
        let hash = task.hash_in(&FUNCTIONS).and_then(|function| unsafe { self.0.get::<Hash>(function) });
        let contender = |hash: Hash| {
            Contender::one_by_one(KNOWN.name, move |message, out| {
                // SAFETY: the message has the length given, far below 4 GiB, and `out` has the length of the digest.
                unsafe { hash(message.as_ptr(), message.len() as c_uint, out.as_mut_ptr()) };
            })
        };
        hash.map(contender).into_iter().collect()
    }
}
