//! Draws, samples and processes for JavaScript: a WebAssembly module without imports.
//!
//! ```text
//! operate(operation, at, …) <- a request, JSON, and up to two texts
//!     \-> output()          <- JSON, or a transcript
//! ```
//!
//! `hashwell-draw` draws, verifies and renders. This crate contains only the requests (listed in `operation.rs`) and
//! the replies.
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
mod split;
mod verify;

pub use failure::{Code, Failure};
pub use inputs::Inputs;
pub use operation::{Operation, run};
