//! The kernels' machine code, run on words of unknown value (`dev/verification.md`).
//!
//! [`Image`] is a program's file as it would lie in memory: the release build's, or that of the tests themselves. [`Machine`]
//! follows a function of it, instruction by instruction: registers and memory hold words of the arena of [`symbol`], which the
//! portable kernels run on, too. Control flow, addresses and shuffles' orders must be numbers; what a kernel reads
//! must have been lent to it, be its stack, or lie in the program; what it writes must be lent for that.
//!
//! What instructions do is written in `scalar.rs`, `vectors.rs`, `shuffles.rs` and `sha.rs`, from Intel's manual (Software Developer's Manual,
//! volume 2), and compared with the processor (`compared.rs`,
//! `processor.rs`).
//!
//! [`symbol`]: crate::internal::vector::symbol

mod cells;
mod compared;
mod image;
mod processor;
mod scalar;
mod sha;
mod shuffles;
mod state;
mod vectors;

pub(crate) use compared::{Compared, compare};
pub(crate) use image::Image;
pub(crate) use state::{Change, Machine, Trap};
