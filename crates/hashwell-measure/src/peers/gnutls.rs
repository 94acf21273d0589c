//! GnuTLS: one call for each message. Some of its hashes come from Nettle.

use super::known::CAPITALS;
use super::library::{Library, text};
use super::{Contender, Known, Provider, Task};
use std::ffi::{CString, c_char, c_int};
use std::ptr::null;

pub(super) const KNOWN: Known = Known {
    name: "GnuTLS",
    variable: "HASHWELL_LIBGNUTLS",
    files: &["libgnutls.so.30"],
    symbol: "gnutls_hash_fast",
    open: |library| Ok(Box::new(GnuTls(library))),
};

struct GnuTls(Library);

type Hash = unsafe extern "C" fn(c_int, *const u8, usize, *mut u8) -> c_int;

impl GnuTls {
    fn contender(&self, task: Task) -> Option<Contender<'static>> {
        // `gnutls_digest_get_id` reports no length for SHAKE.
        let name = task.hash_in(&CAPITALS)?;
        let len = hashwell::find(task.algorithm).ok()?.output;
        let name = CString::new(name).ok()?;
        // SAFETY: these are the documented types of the functions; the name ends with zero, and is only read.
        let (id, room, hash) = unsafe {
            let id: unsafe extern "C" fn(*const c_char) -> c_int = self.0.get("gnutls_digest_get_id")?;
            let room: unsafe extern "C" fn(c_int) -> usize = self.0.get("gnutls_hash_get_len")?;
            let id = id(name.as_ptr());
            (id, room(id), self.0.get::<Hash>(KNOWN.symbol)?)
        };
        let mut digest = vec![0; len];
        // A name may be known although the library lacks the hash, or its policy forbids it. Zero means success.
        // SAFETY: `digest` has the length that the library writes.
        let has = id != 0 && room == len && unsafe { hash(id, digest.as_ptr(), 0, digest.as_mut_ptr()) } == 0;
        has.then(|| {
            Contender::one_by_one(KNOWN.name, move |message, out| {
                // SAFETY: the slices have the lengths given; a digest has `len` bytes, as `out` has.
                unsafe { hash(id, message.as_ptr(), message.len(), out.as_mut_ptr()) };
            })
        })
    }
}

impl Provider for GnuTls {
    fn version(&self) -> Option<String> {
        // SAFETY: this is the documented type of the function; null asks for any version, and the result is a static
        // string.
        unsafe {
            let version: unsafe extern "C" fn(*const c_char) -> *const c_char =
                self.0.get("gnutls_check_version")?;
            let version = version(null());
            (!version.is_null()).then(|| text(version))
        }
    }

    fn contenders(&self, task: Task) -> Vec<Contender<'static>> {
        self.contender(task).into_iter().collect()
    }
}
