//! HMAC-DRBG (SP 800-90A Rev. 1 section 10.1.2) over any algorithm that supports HMAC.
//!
//! ```text
//! entropy, nonce, personalization -> Drbg<HMAC> -> requests of at most 65,536 bytes
//! ```
//!
//! The module [`random`](crate::random) makes byte streams from this generator, with a seed or with
//! the operating system's entropy.
//!
//! SP 800-90A lists SHA-1 and SHA-2, and NIST also validates SHA-3. With BLAKE2, BLAKE3, SHA256-90R
//! and other algorithms, this is the HMAC-DRBG *construction* but not SP 800-90A. No standard
//! describes it, and its test vectors come from this project.
//!
//! # Backtracking resistance
//!
//! After a request without additional input, an attacker who obtains the state can check a guess at
//! the last output block, because V is the HMAC of that block under K (Woodage and Shumow,
//! EUROCRYPT 2019). A request with additional input does not have this weakness.
//! [`OsDrbg`](crate::OsDrbg) always uses additional input.

mod entropy;
mod hmac_drbg;
mod rows;
mod self_test;
mod state;

pub use entropy::EntropySource;
#[cfg(feature = "os-random")]
pub use entropy::OsEntropy;
pub use hmac_drbg::Drbg;
pub use rows::HmacDrbg;

/// The limits of SP 800-90A Rev. 1 (table 2).
pub mod limits {
    /// The maximum length of a request in bytes (2^19 bits).
    pub const MAX_REQUEST: usize = 1 << 16;
    /// The maximum number of requests between two reseeds.
    pub const MAX_RESEED_INTERVAL: u64 = 1 << 48;
    /// The maximum length of the entropy input, nonce, personalization string or additional input in bytes (2^35 bits).
    pub const MAX_INPUT: u64 = 1 << 32;
}

/// The parameters of a generator.
///
/// `DrbgParams::default()` means no personalization string, the full security strength of the hash,
/// no prediction resistance, 2^48 requests between reseeds, and the fastest kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrbgParams<'a> {
    /// A string that separates different uses of one source of entropy. It does not have to be
    /// secret, and has at most 2^35 bits.
    pub personalization: &'a [u8],
    /// The security strength in bits, rounded up to 112, 128, 192 or 256. It determines the
    /// required amount of entropy.
    ///
    /// The maximum is 128 for SHA-1, 192 for digests of 224 bits, and 256 for longer digests.
    pub strength: Option<u32>,
    /// True if requests can require prediction resistance.
    pub prediction_resistance: bool,
    /// The maximum number of requests between two reseeds, 1 to 2^48.
    pub reseed_interval: Option<u64>,
    /// The name of the kernel that the hash uses. This field is ignored if you provide your own implementation of HMAC.
    pub kernel: Option<&'a str>,
}

/// The options of a request for random bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Request<'a> {
    /// The additional input, at most 2^35 bits. If it is empty, the request has no additional input.
    pub additional: &'a [u8],
    /// The minimum security strength of the generator in bits.
    pub strength: Option<u32>,
    /// True to reseed with fresh entropy before the request, so that an attacker who obtained an
    /// earlier state learns nothing about the output.
    pub prediction_resistance: bool,
}
