//! Cryptographic digests, extendable output, message authentication, key derivation and
//! reproducible random numbers.
//!
//! # Hash bytes or a file
//!
//! ```
//! let digest: [u8; 32] = hashwell::Sha256::digest(b"abc"); // an algorithm that you choose at compile time
//! assert_eq!(digest[..4], [0xba, 0x78, 0x16, 0xbf]);
//!
//! # #[cfg(feature = "std")] {
//! let mut hasher = hashwell::find("blake3")?.hasher(); // an algorithm that you choose by name at run time
//! let mut file = std::fs::File::open("Cargo.toml")?;
//! std::io::copy(&mut file, &mut hasher)?;
//! assert_eq!(hasher.digest().len(), 32);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Read any number of output bytes
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
//! One core hashes several messages in parallel, each in its own SIMD lane.
//!
//! ```
//! let sha256 = hashwell::find("sha256")?;
//! let digests = hashwell::hash_many(sha256, ["many", "short", "messages"]); // 32 bytes each, in order
//! assert_eq!(digests[32..64], sha256.digest(b"short"));
//! # Ok::<(), hashwell::Error>(())
//! ```
//!
//! # Compute and verify an authentication tag
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
//! # Generate reproducible random numbers
//!
//! A seed gives the same numbers in every language that hashwell supports. The crate
//! `hashwell-draw` adds integers below a bound, shuffles, samples and verifiable draws.
//!
//! ```
//! use hashwell::{Source, RandomSource};
//!
//! let mut stream = Source::find("blake3")?.seeded(b"a public seed", b"")?;
//! let (integer, unit) = (stream.next_u64()?, stream.next_f64()?); // 64 bits; at least 0 and below 1
//! # assert_eq!(integer, 0x8828_1b88_ca45_497e);
//! # assert!((0.0..1.0).contains(&unit));
//! # Ok::<(), hashwell::Error>(())
//! ```
//!
//! # Algorithms, memory and security
//!
//! [`ALGORITHMS`] lists every algorithm. Hashing bytes cannot fail.
//!
//! Functions that return a vector or keep a state on the heap allocate memory. If an allocation fails, they abort the
//! process, as the collections of the standard library do. Only functions that document [`Error::OutOfMemory`] return
//! an error instead.
//!
//! Functions that write a digest of fixed length to your buffer allocate only in the first call, which selects the
//! kernels. These functions are [`Algorithm::digest_into`], the `digest` functions of the types, and the methods of
//! [`PlainHasher`] and [`PlainHmac`].
//!
//! hashwell is not FIPS-validated. It protects against timing side channels only. SHA-1 is broken,
//! and SHA256-90R is an experiment without public analysis.
//!
//! # Design
//!
//! A *kernel* is one implementation of an algorithm's inner function, for example with AVX-512
//! instructions. hashwell selects a kernel at run time.
//!
//! ```text
//!           kernels (selected once, then stored in each state)
//!                |
//! bytes -> absorb -> buffer -> compress / permute -> finish -> digest
//!                                  \-> squeeze -> Reader -> bytes
//! key, message -> Hmac(algorithm) -> hkdf            key, message -> Kmac -> tag or stream
//! entropy, nonce -> HmacDrbg(algorithm) -> requests
//! seed, or operating system -> Source -> RandomStream -> bytes, numbers
//! ```
//!
//! The modules form layers. Each module uses only modules that come before it in this list (see
//! Layers in `dev/architecture.md`):
//!
//! 1. `internal`: kernel tables and CPU detection, SIMD lanes, the scheduler for batches, buffers,
//!    wiping, errors, parameters, and the traits that hash cores implement.
//! 2. `families`: the two shared cores (`md` for Merkle–Damgård, `sponge` for sponges), a folder for each algorithm
//!    family, and the function that makes the state of an algorithm. Each family lists its implementations in
//!    `kernels.rs`.
//! 3. [`registry`]: the table of algorithms, with one row per algorithm.
//! 4. `api`: algorithms chosen at run time, one Rust type per algorithm, states as plain data, batches of messages,
//!    batches of streams, integers below a bound, and implementations of traits from other crates.
//! 5. `mac` (HMAC and KMAC), `kdf` (HKDF), [`drbg`] (HMAC-DRBG) and [`random`] (byte streams,
//!    numbers and named generators).
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]
// Only x86 and WebAssembly have batch kernels, so other targets do not use the code that batch
// kernels share.
#![cfg_attr(not(any(target_arch = "x86_64", target_arch = "x86")), allow(dead_code))]

extern crate alloc;

mod internal;

mod families;

pub mod registry;

mod api;

/// Engines, which hash batches of messages on devices or with code from other crates.
pub mod engine {
    pub use crate::api::engine::{Cpu, Engine, Fault, OnEngine};
    pub use crate::api::engine_check::{Checked, ConformanceError, check};
}

mod mac;

mod kdf;

pub mod drbg;

pub mod random;

#[cfg(feature = "states")]
pub use api::chunk_list::{ChunkList, ChunkListWriter, ChunkLocator};
pub use api::hash::{Hasher, Reader};
pub use api::many::{Many, hash_many, xof_many};
#[cfg(feature = "states")]
pub use api::outboard::{Located, Locator, Outboard, OutboardWriter};
pub use api::pieces::{Join, Pieces};
pub use api::plain::PlainHasher;
#[doc(hidden)] // used by hashwell-wasm for its modules of one algorithm
pub use api::single;
#[cfg(feature = "states")]
pub use api::slice::{SliceDecoder, SlicePart, SliceParts};
pub use api::streams::Streams;
pub use api::typed::*;
#[cfg(feature = "os-random")]
pub use drbg::OsEntropy;
pub use drbg::{Drbg, DrbgParams, EntropySource, HmacDrbg, Request};
#[doc(hidden)] // used by hashwell-accel, whose family of hash functions starts with these constants
pub use families::sha2::{H256 as SHA256_INITIAL, K256 as SHA256_CONSTANTS};
pub use internal::error::Error;
#[doc(hidden)] // used by hashwell-wasm, which contains no other formatting code
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
