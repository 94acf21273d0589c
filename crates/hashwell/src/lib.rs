//! Bytes in; digests, unlimited streams, tags, keys and fair numbers out.
//!
//! # Hash bytes, or a file
//!
//! ```
//! let digest: [u8; 32] = hashwell::Sha256::digest(b"abc"); // the algorithm is known when compiling
//! assert_eq!(digest[..4], [0xba, 0x78, 0x16, 0xbf]);
//!
//! # #[cfg(feature = "std")] {
//! let mut hasher = hashwell::find("blake3")?.hasher(); // by a name that somebody gave
//! let mut file = std::fs::File::open("Cargo.toml")?;
//! std::io::copy(&mut file, &mut hasher)?;
//! assert_eq!(hasher.digest().len(), 32);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Take as many bytes as you like from one message
//!
//! ```
//! let mut hasher = hashwell::find("shake128")?.hasher();
//! hasher.update(b"seed");
//! let mut stream = hasher.into_reader()?;
//! let (first, next) = (stream.read_vec(16), stream.read_vec(1000));
//! # assert_eq!((first.len(), next.len()), (16, 1000));
//! # Ok::<(), hashwell::Error>(())
//! ```
//!
//! # Hash many messages at once
//!
//! Side by side in the vectors of one core, each message in a lane.
//!
//! ```
//! let sha256 = hashwell::find("sha256")?;
//! let digests = hashwell::hash_many(sha256, ["many", "short", "messages"]); // 32 bytes for each, in order
//! assert_eq!(digests[32..64], sha256.digest(b"short"));
//! # Ok::<(), hashwell::Error>(())
//! ```
//!
//! # Make and check a tag
//!
//! ```
//! let mut mac = hashwell::Hmac::new(hashwell::find("sha3-256")?, b"a secret key")?;
//! mac.update(b"message");
//! let tag = mac.tag();
//! mac.verify(&tag)?; // in constant time
//! assert!(mac.verify(&tag[1..]).is_err());
//! # Ok::<(), hashwell::Error>(())
//! ```
//!
//! # Draw numbers that others can repeat
//!
//! The same in every language that hashwell has. Integers below a bound, shuffles, samples and draws to recheck are in the
//! crate `hashwell-draw`.
//!
//! ```
//! use hashwell::{Source, RandomSource};
//!
//! let mut stream = Source::find("blake3")?.seeded(b"a public seed", b"")?;
//! let (word, unit) = (stream.next_u64()?, stream.next_f64()?); // of 64 bits; at least 0 and below 1
//! # assert_eq!(word, 0x8828_1b88_ca45_497e);
//! # assert!((0.0..1.0).contains(&unit));
//! # Ok::<(), hashwell::Error>(())
//! ```
//!
//! [`ALGORITHMS`] is all that there is, a row each. Hashing bytes cannot fail. Where the allocator refuses memory, calls that
//! make a vector, or a state on the heap, end the process, as the standard library's collections do; a fixed digest
//! written to the caller's memory ([`Algorithm::digest_into`], the types' `digest`, [`PlainHasher`], [`PlainHmac`]) asks for
//! none once a first call has chosen the kernels. Not promised: FIPS validation, freedom from
//! side channels other than timing, any security of SHA-1 or SHA256-90R.
//!
//! # How it is made
//!
//! ```text
//!           kernels (chosen once, by value)
//!                |
//! bytes -> absorb -> buffer -> compress / permute -> finish -> digest
//!                                  \-> squeeze -> Reader -> bytes
//! key, message -> Hmac(row) -> hkdf                  key, message -> Kmac -> tag or stream
//! entropy, nonce -> HmacDrbg(row) -> requests
//! seed, or operating system -> Source -> RandomStream -> bytes, numbers
//! ```
//!
//! The modules form layers: each module uses only those before it in this list (`dev/architecture.md`, Layers):
//!
//! 1. `internal`: kernel tables and the CPU, lanes (vectors as numbers) and the scheduler of batches, buffers, storage and
//!    wiping, errors and parameters, and the contract of the cores.
//! 2. `families`: the cores, Merkle–Damgård (`md`) and the sponge (`sponge`), one folder for each family on them, and how
//!    a row's family becomes a state. Each family's `kernels.rs` is its table of implementations.
//! 3. [`registry`]: what is offered, one row per algorithm.
//! 4. `api`: any algorithm at run time, one Rust type per algorithm, plain data, many messages, many streams,
//!    numbers below a bound, other crates' traits.
//! 5. `mac` (HMAC and KMAC), `kdf` (HKDF), [`drbg`] (HMAC-DRBG), [`random`] (streams of bytes and the
//!    numbers in them, generators by name).
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]
// Batch kernels are written for x86 and WebAssembly only; elsewhere the code that they share has no user.
#![cfg_attr(not(any(target_arch = "x86_64", target_arch = "x86")), allow(dead_code))]

extern crate alloc;

mod internal;

mod families;

pub mod registry;

mod api;

/// Engines: hashing of many messages on what owns a device or memory, written in crates of their own.
pub mod engine {
    pub use crate::api::engine::{Cpu, Engine, Fault, OnEngine};
    pub use crate::api::engine_check::{Checked, ConformanceError, check};
}

mod mac;

mod kdf;

pub mod drbg;

pub mod random;

pub use api::hash::{Hasher, Reader};
pub use api::many::{Many, hash_many, xof_many};
#[cfg(feature = "states")]
pub use api::outboard::{Located, Locator, Outboard, OutboardWriter};
pub use api::pieces::{Join, Pieces};
pub use api::plain::PlainHasher;
#[doc(hidden)] // for hashwell-wasm, whose modules of one algorithm are made of these
pub use api::single;
pub use api::streams::Streams;
pub use api::typed::*;
#[cfg(feature = "os-random")]
pub use drbg::OsEntropy;
pub use drbg::{Drbg, DrbgParams, EntropySource, HmacDrbg, Request};
#[doc(hidden)] // for hashwell-accel, whose members begin with them
pub use families::sha2::{H256 as SHA256_INITIAL, K256 as SHA256_CONSTANTS};
pub use internal::error::Error;
#[doc(hidden)] // for hashwell-wasm, which has no other formatting
pub use internal::error::{Decimal, fill};
pub use internal::kernel::{KernelInfo, KernelSpeed};
#[cfg(feature = "rayon")]
#[doc(hidden)]
pub use internal::threads;
pub use internal::wipe::wipe_stack;
pub use kdf::{hkdf, hkdf_expand, hkdf_extract, hkdf_extract_into, hkdf_with_kernel};
pub use mac::{
    Hmac, KeyedHmac, Kmac, KmacVariant, PlainHmac, RowHmac, hmac, hmac_many, hmac_many_with_kernel,
};
#[cfg(any(feature = "rand_core", feature = "rand_core-0-6"))]
pub use random::DrbgSeed;
#[cfg(feature = "os-random")]
pub use random::OsDrbg;
pub use random::{ByteSource, CounterRng, DrbgStream, RandomSource, RandomStream, Source, StreamKey};
#[cfg(feature = "std")]
pub use registry::force_kernel;
pub use registry::{ALGORITHMS, Algorithm, Calibration, Kind, Node, Params, Status, find, kernels};

// `cargo test` runs the README's Rust snippets.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
