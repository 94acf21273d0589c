//! Libraries in C and Rust that `bench/build_peers` made, all with functions of one type. HASHWELL_PEERS names their
//! folder.

use super::library::Library;
use super::{Contender, Task};
use std::path::Path;

/// `peer_digests` of `bench/peers_c/peer.h`.
type PeerDigests = unsafe extern "C" fn(*const *const u8, *const usize, usize, *mut u8, usize);

struct Function {
    symbol: &'static str,
    name: &'static str,
    algorithm: &'static str,
    /// Only for tasks of many messages.
    many: bool,
}

const fn one(symbol: &'static str, name: &'static str, algorithm: &'static str) -> Function {
    Function { symbol, name, algorithm, many: false }
}

const fn many(symbol: &'static str, name: &'static str, algorithm: &'static str) -> Function {
    Function { symbol, name, algorithm, many: true }
}

const LIBRARIES: [(&str, &[Function]); 5] = [
    (
        "isal",
        &[
            many("peer_sha1", "isa-l", "sha1"),
            many("peer_sha256", "isa-l", "sha256"),
            many("peer_sha256_ni", "isa-l SHA-NI x2", "sha256"),
            many("peer_sha512", "isa-l", "sha512"),
        ],
    ),
    (
        "k12",
        &[
            one("peer_kt128", "K12", "kt128"),
            one("peer_kt256", "K12", "kt256"),
            one("peer_turboshake128", "K12", "turboshake128"),
        ],
    ),
    (
        "xkcp",
        &[
            one("peer_sha3_256", "XKCP", "sha3-256"),
            one("peer_shake128", "XKCP", "shake128"),
            one("peer_turboshake128", "XKCP", "turboshake128"),
            many("peer_shake256_x4", "XKCP x4", "shake256"),
            many("peer_shake256_x8", "XKCP x8", "shake256"),
        ],
    ),
    ("ascon", &[one("peer_ascon_xof128", "ascon-c", "ascon-xof128")]),
    (
        "rust",
        &[
            one("peer_sha1", "sha1 +native", "sha1"),
            one("peer_sha256", "sha2 +native", "sha256"),
            one("peer_sha512", "sha2 +native", "sha512"),
            one("peer_sha3_256", "sha3 +native", "sha3-256"),
            one("peer_shake128", "shake +native", "shake128"),
            one("peer_libcrux_shake128", "libcrux +native", "shake128"),
            many("peer_libcrux_shake256_x4", "libcrux x4 +native", "shake256"),
            one("peer_turboshake128", "turboshake +native", "turboshake128"),
            one("peer_kt128", "k12 +native", "kt128"),
            one("peer_kt256", "k12 +native", "kt256"),
            one("peer_blake2b", "blake2b_simd +native", "blake2b-512"),
            many("peer_blake2b_many", "blake2b_simd +native", "blake2b-512"),
            one("peer_blake2bp", "blake2b_simd +native", "blake2bp-512"),
            one("peer_blake3", "blake3 +native", "blake3"),
            one("peer_ascon_xof128", "ascon-xof128 +native", "ascon-xof128"),
        ],
    ),
];

/// One loaded library.
pub struct Built {
    library: Library,
    functions: &'static [Function],
}

/// Loads those that are there, and says which.
pub(crate) fn load(present: &mut Vec<String>, missing: &mut Vec<String>) -> Vec<Built> {
    let Some(folder) = std::env::var_os("HASHWELL_PEERS") else {
        missing.push(
            "isa-l, K12, XKCP, ascon-c, Rust for this CPU: HASHWELL_PEERS is not set, see bench/build_peers"
                .into(),
        );
        return Vec::new();
    };
    let mut libraries = Vec::new();
    for (name, functions) in LIBRARIES {
        let path = Path::new(&folder).join(format!("libpeer_{name}.so"));
        let path = path.to_string_lossy();
        // SAFETY: the user names the folder, and what build_peers puts there has no initialisers.
        match unsafe { Library::load(&path) } {
            Some(library) => {
                present.push(path.into_owned());
                libraries.push(Built { library, functions });
            }
            None => missing.push(format!("{path} cannot be loaded")),
        }
    }
    libraries
}

impl Built {
    /// What it offers for the task.
    pub(crate) fn contenders(&self, task: Task) -> Vec<Contender<'static>> {
        let fits = |f: &&Function| !task.hmac && f.algorithm == task.algorithm && (task.many || !f.many);
        self.functions.iter().filter(fits).filter_map(|f| self.contender(f)).collect()
    }

    fn contender(&self, function: &Function) -> Option<Contender<'static>> {
        // SAFETY: every function of these libraries is of this type.
        let digests: PeerDigests = unsafe { self.library.get(function.symbol) }?;
        let mut pointers = Vec::new();
        let mut lengths = Vec::new();
        Some(Contender::here(function.name, move |messages, out| {
            pointers.clear();
            pointers.extend(messages.iter().map(|m| m.as_ptr()));
            lengths.clear();
            lengths.extend(messages.iter().map(|m| m.len()));
            let each = out.len() / messages.len();
            // SAFETY: both lists have as many entries as there are messages, which outlive the call, and
            // `out` has room for that many digests.
            unsafe {
                digests(pointers.as_ptr(), lengths.as_ptr(), messages.len(), out.as_mut_ptr(), each);
            }
        }))
    }
}
