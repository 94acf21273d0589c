//! Crypto++, which only has C++ classes. They aren't called from here: the table of availability is based on the
//! symbols of their compression functions, and the digests are neither compared nor timed.

use super::library::Library;
use super::{Contender, Known, Provider, Task};

pub(super) const KNOWN: Known = Known {
    name: "Crypto++",
    variable: "HASHWELL_LIBCRYPTOPP",
    // The file name in Debian, and the one that its authors use.
    files: &["libcrypto++.so.8", "libcryptopp.so.8"],
    symbol: "_ZN8CryptoPP6SHA2569TransformEPjPKj",
    open: |library| Ok(Box::new(CryptoPp(library))),
};

struct CryptoPp(Library);

/// For each algorithm, a symbol that only its class has, as compilers for Linux mangle it.
const SYMBOLS: [(&str, &str); 16] = [
    ("sha1", "_ZN8CryptoPP4SHA19TransformEPjPKj"),
    ("sha224", "_ZN8CryptoPP6SHA2249InitStateEPj"),
    ("sha256", KNOWN.symbol),
    ("sha384", "_ZN8CryptoPP6SHA3849InitStateEPm"),
    ("sha512", "_ZN8CryptoPP6SHA5129TransformEPmPKm"),
    ("sm3", "_ZN8CryptoPP3SM39TransformEPjPKj"),
    ("sha3-224", SHA3),
    ("sha3-256", SHA3),
    ("sha3-384", SHA3),
    ("sha3-512", SHA3),
    ("shake128", SHAKE),
    ("shake256", SHAKE),
    ("blake2b-256", "_ZN8CryptoPP7BLAKE2b14TruncatedFinalEPhm"),
    ("blake2b-512", "_ZN8CryptoPP7BLAKE2b14TruncatedFinalEPhm"),
    ("blake2s-256", "_ZN8CryptoPP7BLAKE2s14TruncatedFinalEPhm"),
    ("ripemd160", "_ZN8CryptoPP9RIPEMD1609TransformEPjPKj"),
];
/// A symbol of the class that computes SHA-3 with all lengths.
const SHA3: &str = "_ZN8CryptoPP4SHA314TruncatedFinalEPhm";
const SHAKE: &str = "_ZN8CryptoPP5SHAKE14TruncatedFinalEPhm";

impl Provider for CryptoPp {
    fn version(&self) -> Option<String> {
        None
    }

    fn contenders(&self, _: Task) -> Vec<Contender<'static>> {
        Vec::new()
    }

    fn has_uncalled(&self, algorithm: &str) -> bool {
        SYMBOLS.iter().any(|(name, symbol)| *name == algorithm && self.0.has(symbol))
    }
}
