//! Hashing that needs more than a static table of functions: what is compiled at run time, and what the caller
//! describes as data.
//!
//! `gpu` (features `opencl` and `cuda`) hashes on graphics cards.
//!
//! [`family`] is SHA-256 for any number of rounds, any constants, rotations and initial value. Its members hash on the
//! instructions for SHA-256 where their rotations allow it, on code made at run time (feature `jit`), and on a portable
//! loop anywhere. `fpga_sim` (feature `fpga-sim`) is a simulation of the circuit in hdl/.
//!
//! [`engines`] is the list of all that hashes here, by name, and [`Mode`] chooses among it.
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
