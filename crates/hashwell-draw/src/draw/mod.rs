//! Single draws. Each function documents how many random numbers it consumes, and the tests check it.
//!
//! | Draw | Minimum of random numbers | Mean | Maximum |
//! |---|---|---|---|
//! | [`below`] | 1 | 1 / (1 - r), where r < 1/2 is the fraction rejected | no bound, each rejection has probability r |
//! | [`below_u128`] | 1, or 2 beyond 2^64 | as [`below`] | as [`below`] |
//! | [`below_lemire`] | 1 | as [`below`] | as [`below`] |
//! | [`bernoulli`] | 0 for p = 0 and p = 1, else 1 | about 1 + 2^-64 at most | no bound, each further one has probability 2^-64 |
//! | [`categorical`], [`unit()`], [`unit_positive`] | 1 | 1 | 1 |
//! | [`categorical_exact`] | as [`below_u128`] of the sum | | |
//! | [`shuffle`], [`shuffle_integers`], [`permutation`] of n | n | as n times [`below`] | |
//! | [`gaussian`] | 2 | 2.738 | no bound, each further 2 have probability 0.27 |
//! | [`beta`] | 1 if a shape is 1, else 6 | 7.48 to 7.86, and 1 for each shape below 1 | no bound |
//! | [`exponential`] | 4 | 8.60 (4.30 numbers of 128 bits) | no bound |
mod below;
mod bernoulli;
mod beta;
mod categorical;
mod exponential;
mod gaussian;
mod lemire;
mod shuffle;
mod unit;

pub(crate) use below::Below;
pub use below::{below, below_u128};
pub use bernoulli::{bernoulli, bernoulli_of};
pub use beta::beta;
pub(crate) use beta::check_shape;
pub(crate) use categorical::checked_sum;
pub use categorical::{categorical, categorical_exact};
pub use exponential::{Exponential, exponential};
pub use gaussian::gaussian;
pub use lemire::below_lemire;
pub(crate) use lemire::lemire;
pub use shuffle::{permutation, shuffle, shuffle_integers};
pub(crate) use unit::{STEP, steps_of, unit_of};
pub use unit::{unit, unit_positive};
