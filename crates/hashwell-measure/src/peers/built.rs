//! Libraries in C and Rust that `bench/build_peers` has built. All their functions have the same type. HASHWELL_PEERS
//! names the folder.

use super::library::Library;
use super::{Contender, Found, Kind, Provider, Task};
use crate::report;
use std::path::Path;

/// `peer_digests` of `bench/peers_c/peer.h`.
type PeerDigests = unsafe extern "C" fn(*const *const u8, *const usize, usize, *mut u8, usize);

/// A library in the folder.
struct File {
    /// `libpeer_NAME.so`.
    name: &'static str,
    provider: &'static str,
    functions: &'static [Function],
}

struct Function {
    symbol: &'static str,
    variant: Option<&'static str>,
    algorithm: &'static str,
    /// True if the library only does tasks with many messages.
    many: bool,
}

const fn one(symbol: &'static str, algorithm: &'static str) -> Function {
    Function { symbol, variant: None, algorithm, many: false }
}

const fn many(symbol: &'static str, algorithm: &'static str) -> Function {
    Function { many: true, ..one(symbol, algorithm) }
}

impl Function {
    const fn of(self, variant: &'static str) -> Self {
        Self { variant: Some(variant), ..self }
    }
}

const FILES: [File; 5] = [
    File {
        name: "isal",
        provider: "isa-l",
        functions: &[
            many("peer_sha1", "sha1"),
            many("peer_sha256", "sha256"),
            many("peer_sha256_ni", "sha256").of("SHA-NI x2"),
            many("peer_sha512", "sha512"),
        ],
    },
    File {
        name: "k12",
        provider: "K12",
        functions: &[
            one("peer_kt128", "kt128"),
            one("peer_kt256", "kt256"),
            one("peer_turboshake128", "turboshake128"),
        ],
    },
    File {
        name: "xkcp",
        provider: "XKCP",
        functions: &[
            one("peer_sha3_256", "sha3-256"),
            one("peer_shake128", "shake128"),
            one("peer_turboshake128", "turboshake128"),
            many("peer_shake256_x4", "shake256").of("x4"),
            many("peer_shake256_x8", "shake256").of("x8"),
        ],
    },
    File { name: "ascon", provider: "ascon-c", functions: &[one("peer_ascon_xof128", "ascon-xof128")] },
    File {
        name: "rust",
        provider: "Rust +native",
        functions: &[
            one("peer_sha1", "sha1").of("sha1"),
            one("peer_sha256", "sha256").of("sha2"),
            one("peer_sha512", "sha512").of("sha2"),
            one("peer_sha3_256", "sha3-256").of("sha3"),
            one("peer_shake128", "shake128").of("shake"),
            one("peer_libcrux_shake128", "shake128").of("libcrux"),
            many("peer_libcrux_shake256_x4", "shake256").of("libcrux x4"),
            one("peer_turboshake128", "turboshake128").of("turboshake"),
            one("peer_kt128", "kt128").of("k12"),
            one("peer_kt256", "kt256").of("k12"),
            one("peer_blake2b", "blake2b-512").of("blake2b_simd"),
            many("peer_blake2b_many", "blake2b-512").of("blake2b_simd"),
            one("peer_blake2bp", "blake2bp-512").of("blake2b_simd"),
            one("peer_blake3", "blake3").of("blake3"),
            one("peer_ascon_xof128", "ascon-xof128").of("ascon-xof128"),
        ],
    },
];

/// One loaded library.
struct Built {
    library: Library,
    file: &'static File,
}

/// The names of the providers in the folder.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|file| file.provider)
}

/// Loads the libraries that exist.
pub(super) fn find() -> impl Iterator<Item = Found> {
    let folder = std::env::var_os("HASHWELL_PEERS");
    FILES.iter().map(move |file| {
        let path = folder.as_ref().map(|folder| Path::new(folder).join(format!("libpeer_{}.so", file.name)));
        let path = path.map(|path| path.to_string_lossy().into_owned());
        // SAFETY: the user names the folder, and the libraries that build_peers builds have no initializers.
        let library = path.as_ref().and_then(|path| unsafe { Library::load(path) });
        let missing = match (&path, &library) {
            (None, _) => Some("HASHWELL_PEERS is not set (see bench/build_peers)".into()),
            (Some(path), None) => Some(format!("{path} cannot be loaded")),
            (Some(_), Some(_)) => None,
        };
        Found {
            about: report::Provider { name: file.provider.into(), version: None, path, missing },
            provider: library.map(|library| Box::new(Built { library, file }) as Box<dyn Provider>),
        }
    })
}

impl Provider for Built {
    fn version(&self) -> Option<String> {
        None
    }

    fn contenders(&self, task: Task) -> Vec<Contender<'static>> {
        let fits = |f: &&Function| {
            task.kind.is_hash() && f.algorithm == task.algorithm && (task.kind == Kind::Many || !f.many)
        };
        self.file.functions.iter().filter(fits).filter_map(|f| self.contender(f)).collect()
    }
}

impl Built {
    fn contender(&self, function: &Function) -> Option<Contender<'static>> {
        // SAFETY: every function of these libraries has this type.
        let digests: PeerDigests = unsafe { self.library.get(function.symbol) }?;
        let mut pointers = Vec::new();
        let mut lengths = Vec::new();
        let contender = Contender::here(self.file.provider, move |messages, out| {
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
        });
        Some(match function.variant {
            Some(variant) => contender.variant(variant),
            None => contender,
        })
    }
}
