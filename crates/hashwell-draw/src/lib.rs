//! Reproducible random draws: integers, samples of every common design, and public draws that anyone can verify.
//!
//! # Draw from a public seed
//!
//! The same seed and context give the same numbers in every language that hashwell supports.
//!
//! ```
//! use hashwell_draw::draw::{below, shuffle};
//! use hashwell_draw::algorithms::floyd;
//! use hashwell_draw::{Key, key::OPEN_LIST};
//!
//! let mut words = Key::derive(b"0877", b"lottery of 3 May", &OPEN_LIST).words();
//! let die = below(&mut words, 6)? + 1; // every face has exactly the same chance
//! let mut order = ["Ada", "Blaise", "Carl"];
//! shuffle(&mut words, &mut order)?;
//! let rows = floyd(&mut words, 1_000_000, 3)?; // three of a million, in ascending order
//! # assert!((1..=6).contains(&die) && rows.len() == 3);
//! # Ok::<(), hashwell_draw::Error>(())
//! ```
//!
//! # Sample rows while they pass
//!
//! ```
//! use hashwell_draw::sample::{SkipReservoir, from_iter};
//! use hashwell_draw::{Key, key::OPEN_LIST};
//!
//! let words = Key::derive(b"0877", b"", &OPEN_LIST).words();
//! let lines = (1..=1000).map(|n| format!("line {n}")); // their number is not known in advance
//! let sample = from_iter(&mut SkipReservoir::new(words, 5)?, lines)?;
//! assert_eq!(sample.len(), 5);
//! # Ok::<(), hashwell_draw::Error>(())
//! ```
//!
//! The module [`hwdraw`] makes public draws with a commitment, a transcript and a later verification; see
//! `examples/ceremony.rs` for an example. Stochastic processes are in [`process`].
//!
//! # Structure
//!
//! ```text
//! seed, context, list -> Key -> random numbers ----\
//! any RandomSource (a stream, a generator, a tape) -+-> draw -> sample | weighted | design -> rows
//!                           Key, id -> ticket -----/             hwdraw: list, methods, transcript
//!                                             \-> process: distributions, coalgebras, interpreters
//! ```
//!
//! Modules are declared in the order of their layers: each module uses only the modules before it
//! (`dev/architecture.md`, Layers). `docs/spec/draw.md` specifies the results that every implementation must reproduce.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod error;
mod interrupt;
mod order;
mod strict;

pub mod hex;

pub mod number;

pub mod key;

pub mod draw;

pub mod state;

pub mod sample;
pub mod weighted;

pub mod algorithms;

pub mod design;

pub mod row_sampling;

pub mod hwdraw;
pub mod process;

pub use error::Error;
pub use hashwell::RandomSource;
pub use hashwell_work::{Stopped, Watch};
pub use interrupt::interruptible;
pub use key::Key;

// `cargo test` runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
