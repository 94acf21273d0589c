//! Bytes in; digests, unlimited streams, tags and keys out.
//!
//! ```text
//!           kernels (chosen once, by value)
//!                |
//! bytes -> absorb -> buffer -> compress / permute -> finish -> digest
//!                                  \-> squeeze -> Reader -> bytes
//! key, message -> Hmac(row) -> hkdf                  key, message -> Kmac -> tag or stream
//! entropy, nonce -> HmacDrbg(row) -> bytes, streams
//! ```
//!
//! Read in this order: [`registry`] (one row per algorithm), `hash` (any algorithm at run time), `typed`
//! (one Rust type per algorithm), `family` (how a row becomes a state), then the cores: `md` with `sha1` and `sha2`, `sponge` with `keccak`
//! and `ascon`, `blake2`, `blake3`. Each family's `kernels.rs` is its table of implementations.
//!
//! ```
//! // One algorithm, known when compiling:
//! let digest: [u8; 32] = hashwell::Sha256::digest(b"abc");
//!
//! // Any algorithm, by name:
//! let mut hasher = hashwell::find("shake128")?.hasher();
//! hasher.update(b"seed");
//! let mut stream = hasher.into_reader()?;
//! let first = stream.read_vec(16);
//! let next = stream.read_vec(1000);
//! # assert_eq!((digest[0], first.len(), next.len()), (0xba, 16, 1000));
//! # Ok::<(), hashwell::Error>(())
//! ```
//!
//! Hashing bytes cannot fail and never panics. Not promised: FIPS validation, freedom from side channels
//! other than timing, any security of SHA-1 or SHA256-90R.
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]
// Batch kernels are written for x86 only; elsewhere the code that they share has no user.
#![cfg_attr(not(any(target_arch = "x86_64", target_arch = "x86")), allow(dead_code))]

extern crate alloc;

mod error;
mod family;
mod hash;
mod many;
mod plain;
mod random;
pub mod registry;
mod storage;
mod streams;
#[cfg(feature = "rayon")]
#[doc(hidden)]
pub mod threads;
mod typed;
mod uniform;

pub mod drbg;
mod kdf;
mod mac;

mod batch;
mod buffer;
mod md;
mod sponge;

mod ascon;
mod blake2;
mod blake3;
mod keccak;
mod sha1;
mod sha2;

mod cpu;
mod kernel;
mod lanes;

#[cfg(feature = "digest")]
mod rustcrypto;

#[cfg(feature = "rand_core")]
pub use drbg::DrbgSeed;
pub use drbg::{CounterWords, Drbg, DrbgParams, DrbgStream, EntropySource, HmacDrbg, Request};
#[cfg(feature = "std")]
pub use drbg::{OsDrbg, OsEntropy};
pub use error::Error;
pub use hash::{Hasher, Reader};
pub use kdf::{hkdf, hkdf_expand, hkdf_extract, hkdf_with_kernel};
pub use kernel::KernelInfo;
pub use mac::{Hmac, KeyedHmac, Kmac, KmacVariant, PlainHmac, RowHmac, hmac};
pub use many::{Many, hash_many, hmac_many, hmac_many_with_kernel, xof_many};
pub use plain::PlainHasher;
pub use random::{RandomStream, Source, StreamKey};
#[cfg(feature = "std")]
pub use registry::force_backend;
pub use registry::{ALGORITHMS, Algorithm, Kind, Params, Status, backends, find};
pub use streams::Streams;
pub use typed::*;

// `cargo test` runs the README's Rust snippets.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
