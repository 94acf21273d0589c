//! Recursive stochastic processes: programs that denote distributions, with operations to sample, enumerate and score
//! them.
//!
//! ```text
//! Distribution (a term: the next draw) -> Coalgebra (the whole process) <- ana, apo, futu; Program; built-in models
//!                                         |
//! Run (seed) -> random numbers -> interpret: sample, trace, simulate, weigh; without them: exact, expect, score
//!                                         |               and explain
//! registry: each built-in process by name, without its types -> command, Python, documents; picture: SVG
//! ```
//!
//! A coalgebra is a function of a state. It determines which term comes next, and which state follows from each outcome
//! of that term. Nothing is drawn until the coalgebra is interpreted, so the same model can be sampled, enumerated with
//! equal states merged, scored and drawn as a picture. `docs/guides/processes.md` is a guide; `docs/spec/draw.md`
//! specifies which random numbers a term consumes.

pub mod builtin;
mod coalgebra;
mod distribution;
mod exact_table;
pub mod interpret;
mod mwc;
pub mod picture;
mod program;
pub mod registry;
mod replicates;
mod run;
pub mod show;
mod unfold;

pub use coalgebra::{Coalgebra, Flow};
pub use distribution::{Distribution, Outcome};
pub use exact_table::{Counted, ExactTable};
pub use mwc::Mwc256;
pub use program::Program;
pub use replicates::{ReplicateRng, Replicates};
pub use run::{Run, Streams};
pub use unfold::{Ana, Apo, Futu, Seed, ana, apo, futu};

// `cargo test` runs the Rust snippets of the guide to processes.
#[cfg(doctest)]
#[doc = include_str!("../../process.md")]
struct Page;

// It also runs the snippets of the site's Rust tutorial, docs/tutorials/rust.md. It is linked here so that the package
// contains it.
#[cfg(doctest)]
#[doc = include_str!("../../tutorial.md")]
struct Tutorial;
