//! Symbolic execution of the kernels' machine code (`dev/verification.md`).
//!
//! [`Image`] is the memory image of a program's file: that of the release build, or of the tests themselves.
//! [`Machine`] executes one of its functions, one instruction after the other. Registers and memory contain words of
//! the arena of [`symbol`], on which the portable kernels run, too. Control flow, addresses and the orders of shuffles
//! must be numbers. A kernel may read memory that was lent to it, its stack and the program's constants. It may write
//! only memory that was lent for writing, and its stack.
//!
//! The instructions are modelled in `scalar.rs`, `vectors.rs`, `shuffles.rs` and `sha.rs` according to Intel's manual
//! (Software Developer's Manual, volume 2). `compared.rs` and `processor.rs` compare these models with the CPU.
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
