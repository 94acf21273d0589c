//! Samples in which rows have weights.
//!
//! Two different designs are called weighted sampling without replacement:
//!
//! | Design | Proportional to the weight | Samplers |
//! |---|---|---|
//! | successive sampling | the probability of being drawn *next*, among the rows not yet drawn | [`AExpJ`], [`WeightedReservoir`], [`WeightedTicket`]; [`ARes`](crate::algorithms::ARes) |
//! | PPS, inclusion proportional to size | the probability of being *in the sample* | [`Chao`], [`systematic_pps`] |
//!
//! For example, if two of four rows with weights 1, 2, 3 and 4 are drawn, successive sampling includes the rows with
//! probabilities 0.235, 0.441, 0.608 and 0.716, and PPS with 0.2, 0.4, 0.6 and 0.8. Use PPS to estimate totals, where
//! each value is divided by its inclusion probability, which is proportional to w, and successive sampling to award
//! prizes one after another. No function has a flag that chooses between the two.
//!
//! With replacement, every draw picks row i with probability w/W, where w is its weight and W is the sum of all
//! weights: [`WeightedWithReplacement`] for a stream, [`AliasTable`](crate::algorithms::AliasTable) for known rows.
//!
//! In all of them, a weight that is negative, infinite or NaN is an error that contains the weight and the index of the
//! row, which starts at 0. Rows with weight 0 are never drawn. If all weights are 0, the sample is empty.

mod a_exp_j;
pub(crate) mod arrival;
mod chao;
mod proportional;
pub(crate) mod put_back;
pub(crate) mod queue;
mod reservoir;
mod saved;
pub(crate) mod smallest;
mod systematic;
mod ticket;
mod units;
pub(crate) mod weight;
mod with_replacement;

pub(crate) use proportional::{DECIMALS, MAX_DIGITS, Proportional};
pub(crate) use units::Amount;

pub use a_exp_j::AExpJ;
pub use chao::Chao;
pub use reservoir::{WeightedReservoir, race_key};
pub use systematic::systematic_pps;
pub use ticket::{WeightedTicket, WeightedTickets};
pub use with_replacement::WeightedWithReplacement;
