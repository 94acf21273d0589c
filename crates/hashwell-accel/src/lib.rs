//! Hashing with more than a static table of functions: with JIT-compiled code, on GPUs, and with functions that the
//! caller describes as data.
//!
//! - [`family`] is SHA-256 with any number of rounds, and with any constants, rotations and initial value. Its members
//!   use the SHA-256 instructions if their rotations allow it, JIT-compiled code (feature `jit`), or a portable loop.
//! - `gpu` (features `opencl` and `cuda`) hashes on GPUs.
//! - `fpga_sim` (feature `fpga-sim`) is a simulation of the circuit in `hdl/`.
//! - [`engines`] lists all available engines by name, and [`Mode`] chooses one of them.
//!
//! # Examples
//!
//! ```
//! use hashwell_accel::family::Sha256Family;
//!
//! let ninety = Sha256Family::sha256_with_rounds(90)?.prepare();
//! assert_eq!(ninety.digest(b"abc")[..], hashwell::find("sha256-90r").unwrap().digest(b"abc")[..]);
//! # Ok::<(), hashwell_accel::family::Error>(())
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]

pub mod engines;
pub mod family;
#[cfg(feature = "fpga-sim")]
pub mod fpga_sim;
#[cfg(any(feature = "opencl", feature = "cuda"))]
pub mod gpu;
pub mod mode;

mod rows;

pub use engines::{Device, Engines, engines, open};
pub use mode::Mode;

// `cargo test` runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
