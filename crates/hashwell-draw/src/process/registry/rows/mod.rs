//! The registry entries: one for each process, with its description.

mod chains;
mod families;
mod hidden;
mod partitions;
mod series;
mod urns;
mod waiting;

pub(super) use chains::{GAMBLERS_RUIN, MARKOV_CHAIN, MORAN, RANDOM_WALK};
pub(super) use families::GALTON_WATSON;
pub(super) use hidden::HMM;
pub(super) use partitions::{CRP, HOPPE_URN, PITMAN_YOR, STICK_BREAKING};
pub(super) use series::AR1;
pub(super) use urns::POLYA_URN;
pub(super) use waiting::{GEOMETRIC, NEGATIVE_BINOMIAL};
