//! The built-in processes. Each says its law, its parameters with their ranges, its cost and its source.

mod ar1;
mod check;
mod crp;
mod crp_tables;
mod galton_watson;
mod geometric;
mod hmm;
mod hoppe;
mod markov_chain;
mod moran;
mod negative_binomial;
mod partition;
mod pitman_yor;
mod polya;
mod random_walk;
mod stick_breaking;
mod walk;

pub use ar1::Ar1;
pub use check::MOST_POINTS;
pub use crp::Crp;
pub use crp_tables::{CrpTables, Seating};
pub use galton_watson::GaltonWatson;
pub use geometric::Geometric;
pub use hmm::{Filtered, Hmm, Smoothed};
pub use hoppe::HoppeUrn;
pub use markov_chain::MarkovChain;
pub use moran::Moran;
pub use negative_binomial::NegativeBinomial;
pub use partition::Partition;
pub use pitman_yor::PitmanYor;
pub use polya::PolyaUrn;
pub use random_walk::{GamblersRuin, RandomWalk};
pub use stick_breaking::{Broken, StickBreaking};
pub use walk::{Chain, Keep, Walk};
