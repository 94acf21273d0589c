//! What can be asked of a process.
//!
//! ```text
//! walk (one run by words) -> sample, trace; pieces (replicates in threads) -> simulate, weigh
//! forward (all runs, equal states merged) -> exact, expect
//! score (one run by its draws); explain (the first terms of all runs)
//! ```

#[cfg(target_arch = "wasm32")]
mod alone;
mod exact;
mod explain;
mod forward;
mod near;
mod pieces;
mod sample;
mod simulate;
#[cfg(not(target_arch = "wasm32"))]
mod threads;
mod trace;
mod walk;
mod weigh;

pub use exact::{Exact, Expectation, exact, expect};
pub use explain::{Branch, Depth, Tree, explain};
pub use forward::Limit;
pub use pieces::{Pieces, Simulation, pieces};
pub use sample::{MOST_TERMS, sample, sample_while, sample_within};
pub use simulate::{Simulated, each, simulate};
pub use trace::{Score, Trace, score, trace, trace_within};
pub use weigh::{Weighted, weigh, weigh_one};
