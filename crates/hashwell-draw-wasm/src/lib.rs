//! Draws, samples and processes for JavaScript: a WebAssembly module without imports.
//!
//! ```text
//! operate(operation, at, …) <- a request, JSON, and up to two texts
//!     \-> output()          <- JSON, or a transcript
//! ```
//!
//! All that is drawn, verified and shown is `hashwell-draw`'s; here are requests (`operation.rs` has the list) and replies.
#![deny(unsafe_code)]

mod draw;
mod failure;
#[cfg(target_arch = "wasm32")]
mod ffi;
mod inputs;
mod operation;
mod process;
mod reply;
mod sample;
mod verify;

pub use failure::{Code, Failure};
pub use inputs::Inputs;
pub use operation::{Operation, run};
