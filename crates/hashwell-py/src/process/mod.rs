//! Processes: programs and coalgebras defined by Python functions, tables of coalgebras, built-in processes, and their
//! common operations.
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
