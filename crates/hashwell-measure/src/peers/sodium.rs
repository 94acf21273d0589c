//! libsodium: one call for each message.

use super::library::{Library, text};
use super::{Contender, Known, Provider, Task};
use std::ffi::{c_char, c_int, c_ulonglong};
use std::ptr::null;

pub(super) const KNOWN: Known = Known {
    name: "libsodium",
    variable: "HASHWELL_LIBSODIUM",
    files: &["libsodium.so.23"],
    symbol: "sodium_init",
    open: |library| {
        // SAFETY: this is the documented type of the function. It may be called any number of times; a negative result
        // means failure.
        let ready = unsafe {
            let init = library.get::<unsafe extern "C" fn() -> c_int>(KNOWN.symbol);
            init.is_some_and(|init| init() >= 0)
        };
        if ready { Ok(Box::new(Sodium(library))) } else { Err("sodium_init failed".into()) }
    },
};

struct Sodium(Library);

type Generic = unsafe extern "C" fn(*mut u8, usize, *const u8, c_ulonglong, *const u8, usize) -> c_int;
type Fixed = unsafe extern "C" fn(*mut u8, *const u8, c_ulonglong) -> c_int;

impl Sodium {
    fn contender(&self, task: Task) -> Option<Contender<'static>> {
        let symbol = match task.algorithm {
            _ if !task.kind.is_hash() => return None,
            "blake2b-256" | "blake2b-512" => "crypto_generichash",
            "sha256" => "crypto_hash_sha256",
            "sha512" => "crypto_hash_sha512",
            _ => return None,
        };
        if symbol == "crypto_generichash" {
            // SAFETY: this is the documented type of the function.
            let hash = unsafe { self.0.get::<Generic>(symbol) }?;
            return Some(Contender::one_by_one(KNOWN.name, move |message, out| {
                // SAFETY: the slices have the lengths given, and there is no key.
                unsafe {
                    hash(
                        out.as_mut_ptr(),
                        out.len(),
                        message.as_ptr(),
                        message.len() as c_ulonglong,
                        null(),
                        0,
                    );
                }
            }));
        }
        // SAFETY: this is the documented type of the function.
        let hash = unsafe { self.0.get::<Fixed>(symbol) }?;
        Some(Contender::one_by_one(KNOWN.name, move |message, out| {
            // SAFETY: `out` has the digest's length.
            unsafe { hash(out.as_mut_ptr(), message.as_ptr(), message.len() as c_ulonglong) };
        }))
    }
}

impl Provider for Sodium {
    fn version(&self) -> Option<String> {
        // SAFETY: this is the documented type of the function; the result is a static string.
        unsafe {
            let version: unsafe extern "C" fn() -> *const c_char = self.0.get("sodium_version_string")?;
            Some(text(version()))
        }
    }

    fn contenders(&self, task: Task) -> Vec<Contender<'static>> {
        self.contender(task).into_iter().collect()
    }
}
