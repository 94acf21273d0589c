//! JIT compilation of a member with Cranelift.
//!
//! ```text
//! emit     rounds, constants and rotations -> instructions, unrolled
//! code     instructions -> memory: written, then made executable and no longer writable; freed with its last user
//! cache    the most recent programs, shared by all users of the same member
//! ```
//!
//! The code contains the member's rounds, constants and rotations, which are public because they define the function.
//! It never contains initial values, chaining values or messages, which it receives through pointers.

mod cache;
mod code;
mod emit;

pub(crate) use cache::code_for;
pub use cache::{CODE_CACHE_LIMIT, CodeCache, code_cache};
pub(crate) use code::Code;
