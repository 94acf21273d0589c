//! Mbed TLS: its message-digest layer, one call for each message.

use super::known::CAPITALS;
use super::library::{Library, text};
use super::{Contender, Known, Provider, Task};
use std::ffi::{CString, c_char, c_int, c_uchar, c_void};

pub(super) const KNOWN: Known = Known {
    name: "mbedTLS",
    variable: "HASHWELL_LIBMBEDCRYPTO",
    // The versions of Debian 13, the version before, and versions 3.4 and 2.28.
    files: &["libmbedcrypto.so.16", "libmbedcrypto.so.15", "libmbedcrypto.so.14", "libmbedcrypto.so.7"],
    symbol: "mbedtls_md_info_from_string",
    open: |library| Ok(Box::new(MbedTls(library))),
};

struct MbedTls(Library);

/// `mbedtls_md_info_t`, a static structure.
type Info = *const c_void;

impl MbedTls {
    fn contender(&self, task: Task) -> Option<Contender<'static>> {
        let name = task.hash_in(&CAPITALS)?;
        let len = hashwell::find(task.algorithm).ok()?.output;
        let name = CString::new(name).ok()?;
        // SAFETY: these are the documented types of the functions; the name ends with zero, and the size is only read
        // from `info` if that is not null.
        let (info, hash) = unsafe {
            let find: unsafe extern "C" fn(*const c_char) -> Info = self.0.get(KNOWN.symbol)?;
            let size: unsafe extern "C" fn(Info) -> c_uchar = self.0.get("mbedtls_md_get_size")?;
            let hash: unsafe extern "C" fn(Info, *const u8, usize, *mut u8) -> c_int =
                self.0.get("mbedtls_md")?;
            let info = find(name.as_ptr());
            if info.is_null() || usize::from(size(info)) != len {
                return None;
            }
            (info, hash)
        };
        Some(Contender::one_by_one(KNOWN.name, move |message, out| {
            // SAFETY: the slices have the lengths given; a digest has as many bytes as `out`.
            unsafe { hash(info, message.as_ptr(), message.len(), out.as_mut_ptr()) };
        }))
    }
}

impl Provider for MbedTls {
    fn version(&self) -> Option<String> {
        /// The documentation requires 9 bytes.
        const ROOM: usize = 32;
        let mut version: [c_char; ROOM] = [0; ROOM];
        // SAFETY: this is the documented type of the function; the string ends with zero within the buffer.
        unsafe {
            let get: unsafe extern "C" fn(*mut c_char) = self.0.get("mbedtls_version_get_string")?;
            get(version.as_mut_ptr());
            Some(text(version.as_ptr()))
        }
    }

    fn contenders(&self, task: Task) -> Vec<Contender<'static>> {
        self.contender(task).into_iter().collect()
    }
}
