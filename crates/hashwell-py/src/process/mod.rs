//! Processes: programs and coalgebras that Python functions make, tables of them, the built-in ones, and what can be
//! asked of all.
//!
//! ```text
//! term (laws as objects), faults -> program | unfold -> table -> live (whose next term Python says)
//!                                                                  |   model (the registry's: value, watched words)
//!                                                        seed -> asked (each interpreter, as Python objects) -> engine
//! ```

pub(crate) mod engine;
pub(crate) mod term;

mod faults;
mod live;
mod many;
mod model;
mod picture;
mod program;
mod seed;
mod table;
mod unfold;
mod value;
