//! What can be asked of a process.

mod exact;
mod explain;
mod pieces;
mod sample;
mod simulate;
mod trace;
mod walk;
mod weigh;

pub use exact::{Exact, Expectation, Limit, exact, expect};
pub use explain::{Branch, Depth, Tree, explain};
pub use pieces::{Pieces, Simulation, pieces};
pub use sample::{MOST_TERMS, sample, sample_within};
pub use simulate::{Simulated, each, simulate};
pub use trace::{Score, Trace, score, trace};
pub use weigh::{Weighted, weigh};
