//! Other sampling designs: Bernoulli, stratified, cluster, systematic, decayed.
//!
//! | Design | Rows in the sample | Type or function | Merge |
//! |---|---|---|---|
//! | Bernoulli, Poisson | each row independently, with the same p or its own | [`takes`], [`BernoulliSkips`] | concatenation |
//! | stratified | k of each stratum, or a share of k | [`Strata`], [`allocate`] | stratum by stratum |
//! | cluster, distinct by key | all rows of k clusters, or of k values of a key | [`Clusters`] | union |
//! | systematic | every N-th from a random start, or k of n | [`Systematic`] | none: needs a single pass over all rows |
//! | decayed | k rows, newer rows with higher probability | [`Decay`], over [`WeightedReservoir`](crate::weighted::WeightedReservoir) | union |

mod bernoulli;
mod clusters;
mod decay;
mod power;
mod skips;
mod strata;
mod systematic;

pub use bernoulli::takes;
pub use clusters::Clusters;
pub use decay::Decay;
pub use skips::BernoulliSkips;
pub use strata::{Strata, allocate};
pub use systematic::Systematic;
