//! nettle, of GnuTLS: a list of structures, one for each hash.

use super::library::{Library, text};
use super::{Contender, Known, Provider, Task};
use std::ffi::{c_char, c_int, c_uint};

pub(super) const KNOWN: Known = Known {
    name: "nettle",
    variable: "HASHWELL_LIBNETTLE",
    file: "libnettle.so.8",
    symbol: "nettle_get_hashes",
    open: |library| Ok(Box::new(Nettle(library))),
};

struct Nettle(Library);

/// `struct nettle_hash` of version 3.
#[repr(C)]
#[derive(Clone, Copy)]
struct Hash {
    name: *const c_char,
    context_size: c_uint,
    digest_size: c_uint,
    block_size: c_uint,
    init: unsafe extern "C" fn(*mut u64),
    update: unsafe extern "C" fn(*mut u64, usize, *const u8),
    digest: unsafe extern "C" fn(*mut u64, usize, *mut u8),
}

impl Nettle {
    /// The structure whose name is one of the algorithm's.
    fn find(&self, algorithm: &str) -> Option<Hash> {
        // SAFETY: the documented type; the list ends with null, and lives as long as the library.
        unsafe {
            let list: unsafe extern "C" fn() -> *const *const Hash = self.0.get(KNOWN.symbol)?;
            let mut entry = list();
            while !(*entry).is_null() {
                let hash = **entry;
                if hashwell::find(&text(hash.name)).is_ok_and(|row| row.name == algorithm) {
                    return Some(hash);
                }
                entry = entry.add(1);
            }
        }
        None
    }
}

impl Provider for Nettle {
    fn version(&self) -> Option<String> {
        // SAFETY: the documented types.
        let part = |symbol| unsafe { Some(self.0.get::<unsafe extern "C" fn() -> c_int>(symbol)?()) };
        Some(format!("{}.{}", part("nettle_version_major")?, part("nettle_version_minor")?))
    }

    fn contenders(&self, task: Task) -> Vec<Contender<'static>> {
        let hash = if task.kind.is_hash() { self.find(task.algorithm) } else { None };
        let contender = |hash: Hash| {
            // Words, so that it is aligned for any context.
            let mut context = vec![0_u64; (hash.context_size as usize).div_ceil(8)];
            Contender::one_by_one(KNOWN.name, move |message, out| {
                let len = out.len().min(hash.digest_size as usize);
                // SAFETY: the context has the size asked for, and the slices have the lengths given.
                unsafe {
                    (hash.init)(context.as_mut_ptr());
                    (hash.update)(context.as_mut_ptr(), message.len(), message.as_ptr());
                    (hash.digest)(context.as_mut_ptr(), len, out.as_mut_ptr());
                }
            })
        };
        hash.map(contender).into_iter().collect()
    }
}
