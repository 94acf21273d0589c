//! Botan, through its C interface. There is one object for each algorithm, which is reset after each digest.

use super::library::{Library, text};
use super::{Contender, Known, Provider, Task};
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::null_mut;

pub(super) const KNOWN: Known = Known {
    name: "Botan",
    variable: "HASHWELL_LIBBOTAN",
    // The versions of Debian 13 and 12.
    files: &["libbotan-3.so.7", "libbotan-2.so.19"],
    symbol: "botan_hash_init",
    open: |library| Ok(Box::new(Botan(library))),
};

struct Botan(Library);

/// Botan's names, with digests of the same length as in the registry.
const NAMES: [(&str, &str); 17] = [
    ("sha1", "SHA-1"),
    ("sha224", "SHA-224"),
    ("sha256", "SHA-256"),
    ("sha384", "SHA-384"),
    ("sha512", "SHA-512"),
    ("sha512-256", "SHA-512-256"),
    ("sm3", "SM3"),
    ("sha3-224", "SHA-3(224)"),
    ("sha3-256", "SHA-3(256)"),
    ("sha3-384", "SHA-3(384)"),
    ("sha3-512", "SHA-3(512)"),
    ("shake128", "SHAKE-128(256)"),
    ("shake256", "SHAKE-256(512)"),
    ("blake2b-256", "BLAKE2b(256)"),
    ("blake2b-512", "BLAKE2b(512)"),
    ("blake2s-256", "BLAKE2s(256)"),
    ("ripemd160", "RIPEMD-160"),
];

type Init = unsafe extern "C" fn(*mut *mut c_void, *const c_char, u32) -> c_int;
type Update = unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int;
type Final = unsafe extern "C" fn(*mut c_void, *mut u8) -> c_int;

impl Botan {
    fn contender(&self, task: Task) -> Option<Contender<'static>> {
        let name = task.hash_in(&NAMES)?;
        let name = CString::new(name).ok()?;
        let len = hashwell::find(task.algorithm).ok()?.output;
        let (mut hash, mut room) = (null_mut(), 0);
        // SAFETY: these are the documented types of the functions. Only if the result is zero is there an object, which
        // lives as long as the process.
        let (update, finish) = unsafe {
            let init: Init = self.0.get(KNOWN.symbol)?;
            let length: unsafe extern "C" fn(*mut c_void, *mut usize) -> c_int =
                self.0.get("botan_hash_output_length")?;
            let update: Update = self.0.get("botan_hash_update")?;
            let finish: Final = self.0.get("botan_hash_final")?;
            if init(&raw mut hash, name.as_ptr(), 0) != 0 || length(hash, &raw mut room) != 0 {
                return None;
            }
            (update, finish)
        };
        (room == len).then(|| {
            Contender::one_by_one(KNOWN.name, move |message, out| {
                // SAFETY: the object exists, the message has the length given, and `out` has the length of the digest.
                unsafe {
                    update(hash, message.as_ptr(), message.len());
                    finish(hash, out.as_mut_ptr());
                }
            })
        })
    }
}

impl Provider for Botan {
    fn version(&self) -> Option<String> {
        // SAFETY: this is the documented type of the function; the result is a static string.
        unsafe {
            let version: unsafe extern "C" fn() -> *const c_char = self.0.get("botan_version_string")?;
            Some(text(version()))
        }
    }

    fn contenders(&self, task: Task) -> Vec<Contender<'static>> {
        self.contender(task).into_iter().collect()
    }
}
