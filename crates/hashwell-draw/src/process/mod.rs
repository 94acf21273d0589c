//! Recursive stochastic processes: programs that denote distributions, and what can be asked of them.
//!
//! ```text
//! Distribution (a term: what is drawn next) -> Coalgebra (all the probability) <- ana, apo, futu; Program; model: those built in
//!                                         |
//!   Run (seed) -> words -> interpret: sample, trace, simulate, weigh; without words: exact, expect, score, explain
//!                                         |
//!   registry: each built-in process by name, without its types -> command, Python, documents; picture: SVG
//! ```
//!
//! A coalgebra is a function of a value, its state: it says which term comes next, and where each outcome of that term
//! leads. Nothing is drawn until it is interpreted, so that one model can be sampled, enumerated with equal states
//! merged, scored and drawn. `docs/guides/processes.md` teaches it; `docs/spec/draw.md` says which words a term eats.

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

// `cargo test` runs the Rust snippets of the page that teaches processes.
#[cfg(doctest)]
#[doc = include_str!("../../process.md")]
struct Page;

// And those of docs/tutorials/rust.md, the site's page for Rust, which is linked here for the package to have it.
#[cfg(doctest)]
#[doc = include_str!("../../tutorial.md")]
struct Tutorial;
