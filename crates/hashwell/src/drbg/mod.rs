//! HMAC-DRBG (SP 800-90A Rev. 1 section 10.1.2) over any row that HMAC accepts.
//!
//! ```text
//! entropy, nonce, personalization -> Drbg<HMAC> -> requests of at most 65,536 bytes
//! ```
//!
//! [`random`](crate::random) makes streams of it, for a seed and for the operating system's entropy.
//!
//! SP 800-90A lists SHA-1 and SHA-2; NIST also validates SHA-3. Over BLAKE2, BLAKE3 or SHA256-90R this is the
//! HMAC-DRBG *construction*, not SP 800-90A: no standard names it, and its vectors are this project's own.
//!
//! **Backtracking.** After a request without additional input, the state still tells whether the last output
//! block was its own (V is that block's HMAC under K; Woodage and Shumow, EUROCRYPT 2019): whoever steals the
//! state can confirm a guess at it. A request with additional input leaves no such link; [`OsDrbg`](crate::OsDrbg) always
//! supplies some.

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

/// Limits of SP 800-90A Rev. 1, table 2, in bytes and requests.
pub mod limits {
    /// Most bytes of one request: 2^19 bits.
    pub const MAX_REQUEST: usize = 1 << 16;
    /// Most requests between two reseeds: 2^48.
    pub const MAX_RESEED_INTERVAL: u64 = 1 << 48;
    /// Most bytes of entropy input, nonce, personalization string or additional input: 2^35 bits.
    pub const MAX_INPUT: u64 = 1 << 32;
}

/// How a generator is instantiated. `DrbgParams::default()`: no personalization string, the hash's full
/// security strength, no prediction resistance, 2^48 requests between reseeds, the fastest kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrbgParams<'a> {
    /// Tells uses of one source of entropy apart; need not be secret. At most 2^35 bits.
    pub personalization: &'a [u8],
    /// Security strength in bits, rounded up to 112, 128, 192 or 256. It sets how much entropy is demanded. A
    /// hash gives at most 128 (SHA-1), 192 (digests of 224 bits) or 256.
    pub strength: Option<u32>,
    /// Whether requests may ask for prediction resistance.
    pub prediction_resistance: bool,
    /// Requests between two reseeds, 1 to 2^48.
    pub reseed_interval: Option<u64>,
    /// Kernel of the hash, by name. Not used with an HMAC of the caller's own.
    pub kernel: Option<&'a str>,
}

/// What a request asks for besides bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Request<'a> {
    /// Additional input, at most 2^35 bits; empty is none.
    pub additional: &'a [u8],
    /// Least security strength in bits that the generator must have.
    pub strength: Option<u32>,
    /// Whether to take fresh entropy first, so that a state stolen before tells nothing of the output.
    pub prediction_resistance: bool,
}
