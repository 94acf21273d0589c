//! Samples of other designs: by chance, by stratum, by cluster, by step, by age.
//!
//! | design | rows in the sample | here | merge |
//! |---|---|---|---|
//! | Bernoulli, Poisson | each by itself, with probability p or p of its own | [`takes`], [`BernoulliSkips`] | concatenation |
//! | stratified | k of each stratum, or a share of k | [`Strata`], [`allocate`] | stratum by stratum |
//! | cluster, distinct by key | all rows of k clusters, or of k values of a key | [`Clusters`] | union |
//! | systematic | every N-th from a random start, or k of n | [`Systematic`] | none: one walk over all rows |
//! | decayed | k, the younger the likelier | [`Decay`], over [`WeightedReservoir`](crate::weighted::WeightedReservoir) | union |

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
