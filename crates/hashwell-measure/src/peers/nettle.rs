//! Nettle, which GnuTLS uses: one structure for each hash, most of them in a list.

use super::library::{Library, text};
use super::{Contender, Known, Provider, Task};
use std::ffi::{c_char, c_int, c_uint};

pub(super) const KNOWN: Known = Known {
    name: "nettle",
    variable: "HASHWELL_LIBNETTLE",
    files: &["libnettle.so.8"],
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
    /// The structure whose name is one of the algorithm's names.
    fn find(&self, algorithm: &str) -> Option<Hash> {
        // SAFETY: this is the documented type of the list, which ends with null and lives as long as the library.
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

    /// Same as [`Nettle::find`], for hashes that are not in the list.
    fn find_by_symbol(&self, algorithm: &str) -> Option<Hash> {
        // SAFETY: the symbols are structures of the documented type, which live as long as the library.
        let structure = |symbol| unsafe { self.0.get::<*const Hash>(symbol).map(|hash| *hash) };
        match algorithm {
            "sha512-224" => structure("nettle_sha512_224"),
            "sha512-256" => structure("nettle_sha512_256"),
            // SHA3-256 has the same rate, but different padding.
            "shake256" => Some(Hash {
                digest_size: c_uint::MAX,
                // SAFETY: this is the documented type of the function.
                digest: unsafe { self.0.get("nettle_sha3_256_shake") }?,
                ..structure("nettle_sha3_256")?
            }),
            _ => None,
        }
    }
}

impl Provider for Nettle {
    fn version(&self) -> Option<String> {
        // SAFETY: these are the documented types of the functions.
        let part = |symbol| unsafe { Some(self.0.get::<unsafe extern "C" fn() -> c_int>(symbol)?()) };
        Some(format!("{}.{}", part("nettle_version_major")?, part("nettle_version_minor")?))
    }

    fn contenders(&self, task: Task) -> Vec<Contender<'static>> {
        let find = |algorithm| self.find(algorithm).or_else(|| self.find_by_symbol(algorithm));
        let hash = if task.kind.is_hash() { find(task.algorithm) } else { None };
        let contender = |hash: Hash| {
            // A vector of `u64`s is aligned for any context.
            let mut context = vec![0_u64; (hash.context_size as usize).div_ceil(8)];
            Contender::one_by_one(KNOWN.name, move |message, out| {
                let len = out.len().min(hash.digest_size as usize);
                // SAFETY: the context has the requested size, and the slices have the lengths given.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::{Kind, Work};

    #[test]
    fn hashes_that_the_list_leaves_out_are_found_and_right() {
        let Some(nettle) = KNOWN.find().provider else {
            println!("skipped: nettle is not installed");
            return;
        };
        for name in ["sha256", "sha512-224", "sha512-256", "sha3-256", "shake256"] {
            let algorithm = hashwell::find(name).unwrap();
            let task = Task { algorithm: algorithm.name, kind: Kind::Digest };
            let mut contenders = nettle.contenders(task);
            assert_eq!(contenders.len(), 1, "{name}");
            let Work::Here(digests) = &mut contenders[0].work else { panic!("in this process") };
            for len in [0, 1, 135, 136, 1000] {
                let message = vec![7; len];
                let mut out = vec![0; algorithm.output];
                digests(&[&message], &mut out);
                assert_eq!(out, algorithm.digest(&message), "{name} of {len} bytes");
            }
        }
    }
}
