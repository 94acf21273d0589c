//! Words in, fair draws out: integers, samples of every design, and draws that anyone can recheck.
//!
//! ```text
//! seed, context, frame -> Key -> counter words --\
//! any Words (a stream, a generator, a tape) ------+-> draw -> sample | weighted | design -> rows
//!                            Key, id -> ticket ---/             hwdraw: frame, methods, transcript
//!                                             \-> process: laws, coalgebras, what is asked of them
//! ```
//!
//! Read from the top of this file downwards: each folder takes from those before it only (`docs/design.md`, Floors).
//! `docs/spec/draw.md` is the specification of what must be equal everywhere.
#![forbid(unsafe_code)]

mod error;
mod order;

pub mod number;

pub mod key;

pub mod draw;

pub mod state;

pub mod sample;
pub mod weighted;

pub mod design;

pub mod survey;

pub mod hwdraw;
pub mod process;

pub use error::Error;
pub use hashwell::Words;
pub use key::Key;
