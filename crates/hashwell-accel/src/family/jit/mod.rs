//! Code for a member, made at run time by Cranelift.
//!
//! ```text
//! emit     rounds, constants and rotations -> instructions, unrolled
//! code     instructions -> memory: written, then made executable and no longer writable; freed with its last user
//! cache    the programs made last, shared by whoever asks for the same member
//! ```
//!
//! In the code are the member's rounds, constants and rotations, which are public: they define the function. Initial
//! values, chaining values and messages never are; they come through pointers.

mod cache;
mod code;
mod emit;

pub(crate) use cache::code_for;
pub use cache::{CODE_CACHE_LIMIT, CodeCache, code_cache};
pub(crate) use code::Code;
