//! SHA-256 and related functions, with any number of rounds and any constants, rotations and initial value.
//!
//! ```text
//! Sha256Family    the function as data, checked once
//!   |  prepare()        the SHA-256 instructions, or a loop
//!   |  compile()        JIT-compiled code (feature jit), or the result of prepare() if the system refuses
//!   |  on(implementation)      exactly this implementation, or the reason why not
//! Prepared        the function on an implementation; cheap to clone, shared by threads
//!   |  digest(message), hasher()
//! Hasher          one message in pieces
//! ```
//!
//! This is a tool for research: what do more rounds cost, and how does a bit spread over them? **Only SHA-256 itself
//! has known security**: versions with fewer rounds have been broken. Memory is not overwritten here, so do not pass
//! secrets to these types.

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
