//! SHA-256 and its relatives: any number of rounds, any constants, rotations and initial value.
//!
//! ```text
//! Sha256Family    which function: data, checked once
//!   |  prepare()        the instructions for SHA-256, or a loop
//!   |  compile()        code made now (feature jit), or what prepare() gives where the system refuses
//!   |  on(implementation)      exactly that, or why not
//! Prepared        the function on an implementation; cheap to clone, shared by threads
//!   |  digest(message), hasher()
//! Hasher          one message in pieces
//! ```
//!
//! This is a tool for research: what do more rounds cost, and how does a bit spread over them? **Nothing is claimed for
//! any member but SHA-256 itself**; fewer of its rounds have been broken. Nothing here is overwritten when it goes; do
//! not give it secrets.

mod engine;
mod error;
mod hasher;
mod implementation;
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "x86",
    all(target_arch = "aarch64", target_endian = "little")
))]
mod instructions;
#[cfg(feature = "jit")]
mod jit;
mod member;
mod prepared;
mod soft;

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod aarch64_sha2;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
mod x86_sha_ni;

pub use engine::JitEngine;
pub use error::Error;
pub use hasher::Hasher;
pub use implementation::Implementation;
#[cfg(feature = "jit")]
pub use jit::{CODE_CACHE_LIMIT, CodeCache, code_cache};
pub use member::{MAX_ROUNDS, Rotations, Sha256Family};
pub use prepared::{Compiled, Prepared};
