//! Samples in which every row has the same chance.

mod algorithm_r;
mod bottom_k;
mod count;
mod fisher_yates;
mod gap;
mod in_order;
mod reservoir;
mod rows;
mod skip;
mod slots;

pub use algorithm_r::AlgorithmR;
pub use bottom_k::BottomK;
pub use count::MOST_SLOTS;
pub use fisher_yates::FisherYates;
pub use gap::Gap;
pub use in_order::InOrder;
pub use reservoir::Reservoir;
