//! The operations on a process. Each takes [`Limits`].
//!
//! ```text
//! walk (one run) -> sample, trace; pieces (replicates in threads) -> simulate, weigh
//! forward (all runs, equal states merged) -> exact, expect
//! score (one run by its draws); explain (the first terms of all runs)
//! ```

mod exact;
mod explain;
mod forward;
mod limits;
mod pieces;
mod read_ahead;
mod sample;
mod simulate;
mod threads;
mod trace;
mod weigh;

pub(crate) use exact::kept;
pub use exact::{Exact, Expectation, exact, expect};
pub use explain::{Branch, Depth, Tree, explain};
pub use limits::{Limits, MAX_TERMS};
pub use pieces::{Pieces, pieces};
pub use sample::sample;
pub use simulate::{Simulated, each, simulate};
pub use trace::{Score, Trace, score, trace};
pub use weigh::{Weighted, weigh, weigh_one};
