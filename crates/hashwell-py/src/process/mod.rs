//! Processes: programs and coalgebras defined by Python functions, tables of coalgebras, built-in processes, and their
//! common operations.
//!
//! ```text
//! term (distributions as objects), faults -> program | unfold -> table -> live (terms from Python code) -> engine
//! seed (random numbers), value (results as Python objects) -> model (built-in processes) -> engine
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
