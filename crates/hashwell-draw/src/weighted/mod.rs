//! Samples in which rows have weights.
//!
//! Two laws go by the name of weighted sampling without replacement, and they differ:
//!
//! | law | what is proportional to the weight | here |
//! |---|---|---|
//! | successive sampling | the chance of being drawn *next*, among the rows not yet drawn | [`AExpJ`], [`WeightedReservoir`], [`WeightedTicket`]; [`ARes`](crate::algorithms::ARes) |
//! | PPS, inclusion proportional to size | the chance of being *in the sample* | [`Chao`], [`systematic_pps`] |
//!
//! Of the weights 1, 2, 3, 4 two rows are drawn: successive sampling has the rows in the sample with probability
//! 0.235, 0.441, 0.608 and 0.716, PPS with 0.2, 0.4, 0.6 and 0.8. Who estimates totals by w/k wants PPS, who hands out
//! prizes one after the other successive sampling. No function here chooses between them by a flag.
//!
//! With replacement every draw takes row i with probability w/W: [`WeightedWithReplacement`] of a stream,
//! [`AliasTable`](crate::algorithms::AliasTable) of known rows.
//!
//! Everywhere: a weight that is negative, infinite or not a number is an error that names it and the row's index
//! (counted from 0); rows of weight 0 are never drawn; if all weights are 0 the sample is empty.

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
