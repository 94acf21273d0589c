//! The providers of hashes: hashwell itself ([`ours`]), and its peers. No peer is required; a missing one is mentioned
//! in one line of the report.
//!
//! Each library that may be installed has one row in `KNOWN` and one file, which provides [`Contender`]s by the names
//! of the registry. The engine checks whether they compute correct digests.

mod botan;
pub mod built;
mod common_crypto;
mod contender;
mod cryptopp;
pub(crate) mod devices;
mod gcrypt;
mod gnutls;
mod known;
mod libb2;
pub mod library;
pub mod masked;
mod mbedtls;
mod nettle;
mod nss;
pub mod openssl;
pub mod ours;
pub mod programs;
#[cfg(feature = "peers")]
mod rust;
mod sodium;
mod wolfssl;
pub mod xxhash;

pub use contender::{
    Contender, DRBG_ENTROPY, DRBG_NONCE, Digests, Elsewhere, HMAC_KEY, Kind, Provider, Stream, Task, Work,
};
pub use known::Found;
pub(crate) use known::Known;

use crate::report;

/// All libraries that are looked for.
const KNOWN: [Known; 13] = [
    openssl::KNOWN,
    libb2::KNOWN,
    gcrypt::KNOWN,
    nettle::KNOWN,
    gnutls::KNOWN,
    sodium::KNOWN,
    nss::KNOWN,
    mbedtls::KNOWN,
    wolfssl::KNOWN,
    botan::KNOWN,
    cryptopp::KNOWN,
    common_crypto::KNOWN,
    xxhash::KNOWN,
];

/// The environment variables that set different files for the libraries.
pub fn variables() -> impl Iterator<Item = &'static str> {
    KNOWN.iter().map(|known| known.variable)
}

/// The names of all providers that may be available, starting with hashwell's own.
pub fn names() -> impl Iterator<Item = &'static str> {
    let libraries = KNOWN.iter().map(|known| known.name);
    [ours::NAME].into_iter().chain(libraries).chain(["Rust"]).chain(built::names())
}

/// The peers that this process looked for.
pub struct Peers {
    /// The peers, in the order of the tables.
    pub found: Vec<Found>,
}

impl Peers {
    /// Looks for all peers.
    #[must_use]
    pub fn find() -> Self {
        let mut found: Vec<Found> = KNOWN.iter().map(Known::find).collect();
        found.push(rust_crates());
        found.extend(built::find());
        Self { found }
    }

    /// All contenders for the task.
    #[must_use]
    pub fn contenders(&self, task: Task) -> Vec<Contender<'static>> {
        self.providers().flat_map(|(_, provider)| provider.contenders(task)).collect()
    }

    /// The peers that are available.
    pub fn providers(&self) -> impl Iterator<Item = (&report::Provider, &dyn Provider)> {
        self.found.iter().filter_map(|found| Some((&found.about, &**found.provider.as_ref()?)))
    }
}

fn rust_crates() -> Found {
    let about = |missing| report::Provider { name: "Rust".into(), version: None, path: None, missing };
    #[cfg(feature = "peers")]
    return Found {
        about: report::Provider { version: rust::Crates.version(), ..about(None) },
        provider: Some(Box::new(rust::Crates)),
    };
    #[cfg(not(feature = "peers"))]
    Found { about: about(Some("built without the feature 'peers'".into())), provider: None }
}
