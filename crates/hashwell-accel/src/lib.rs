//! Hashing that needs more than a static table of functions: what is compiled at run time, and what the caller
//! describes as data.
//!
//! [`family`] is SHA-256 for any number of rounds, any constants, rotations and initial value. Its members hash on the
//! instructions for SHA-256 where their rotations allow it, on code made at run time (feature `jit`), and on a portable
//! loop anywhere. [`engines`] is the list of all that hashes here, by name, and [`Mode`] chooses among it.
//!
//! ```
//! use hashwell_accel::family::Sha256Family;
//!
//! let ninety = Sha256Family::sha256_with_rounds(90)?.prepare();
//! assert_eq!(ninety.digest(b"abc")[..], hashwell::find("sha256-90r").unwrap().digest(b"abc")[..]);
//! # Ok::<(), hashwell_accel::family::Error>(())
//! ```
#![deny(unsafe_code)]

pub mod engines;
pub mod family;
pub mod mode;

pub use engines::{Device, Engines, engines, open};
pub use mode::Mode;
