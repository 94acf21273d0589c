//! wolfSSL: one function for each hash, one call for each message.

use super::library::{Library, text};
use super::{Contender, Known, Provider, Task};
use std::ffi::{c_char, c_int, c_uint};

pub(super) const KNOWN: Known = Known {
    name: "wolfSSL",
    variable: "HASHWELL_LIBWOLFSSL",
    // The versions of Debian 13 and 12.
    files: &["libwolfssl.so.42", "libwolfssl.so.35"],
    symbol: "wc_Sha256Hash",
    open: |library| Ok(Box::new(WolfSsl(library))),
};

struct WolfSsl(Library);

/// Functions that take a message, its length and the digest.
const FUNCTIONS: [(&str, &str); 11] = [
    ("sha1", "wc_ShaHash"),
    ("sha224", "wc_Sha224Hash"),
    ("sha256", "wc_Sha256Hash"),
    ("sha384", "wc_Sha384Hash"),
    ("sha512", "wc_Sha512Hash"),
    ("sha512-224", "wc_Sha512_224Hash"),
    ("sha512-256", "wc_Sha512_256Hash"),
    ("sha3-224", "wc_Sha3_224Hash"),
    ("sha3-256", "wc_Sha3_256Hash"),
    ("sha3-384", "wc_Sha3_384Hash"),
    ("sha3-512", "wc_Sha3_512Hash"),
];
/// Functions that also take the length of the digest.
const STREAMS: [(&str, &str); 2] = [("shake128", "wc_Shake128Hash"), ("shake256", "wc_Shake256Hash")];

type Hash = unsafe extern "C" fn(*const u8, c_uint, *mut u8) -> c_int;
type Xof = unsafe extern "C" fn(*const u8, c_uint, *mut u8, c_uint) -> c_int;

impl WolfSsl {
    fn contender(&self, task: Task) -> Option<Contender<'static>> {
        if let Some(function) = task.hash_in(&STREAMS) {
            // SAFETY: this is the documented type of the function.
            let hash = unsafe { self.0.get::<Xof>(function) }?;
            return Some(Contender::one_by_one(KNOWN.name, move |message, out| {
                let (len, room) = (message.len() as c_uint, out.len() as c_uint);
                // SAFETY: the slices have the lengths given, which are far below 4 GiB.
                unsafe { hash(message.as_ptr(), len, out.as_mut_ptr(), room) };
            }));
        }
        // SAFETY: this is the documented type of the function.
        let hash = unsafe { self.0.get::<Hash>(task.hash_in(&FUNCTIONS)?) }?;
        Some(Contender::one_by_one(KNOWN.name, move |message, out| {
            // SAFETY: the message has the length given, far below 4 GiB, and `out` has the length of the digest.
            unsafe { hash(message.as_ptr(), message.len() as c_uint, out.as_mut_ptr()) };
        }))
    }
}

impl Provider for WolfSsl {
    fn version(&self) -> Option<String> {
        // SAFETY: this is the documented type of the function; the result is a static string.
        unsafe {
            let version: unsafe extern "C" fn() -> *const c_char = self.0.get("wolfSSL_lib_version")?;
            Some(text(version()))
        }
    }

    fn contenders(&self, task: Task) -> Vec<Contender<'static>> {
        self.contender(task).into_iter().collect()
    }
}
