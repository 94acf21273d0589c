//! Numbers that are equal on every machine.
//!
//! Exact numbers: [`Ratio`] is a probability, and [`Decimal`] is for weights with a declared number of decimals.
//! Floats: [`ln`], [`log1p`], [`exp`] and [`expm1`] use only `+ - * /`, comparisons and bit operations, which IEEE 754
//! defines to the last bit, so that no math library influences a draw.

mod decimal;
mod exponential;
pub(crate) mod float;
mod ln_gamma;
mod logarithm;
mod ratio;
mod text;

pub use decimal::Decimal;
pub use exponential::{exp, expm1};
pub(crate) use ln_gamma::HALF_LN_TWO_PI;
pub use ln_gamma::{ln_beta, ln_gamma};
pub use logarithm::{ln, log1p, minus_ln_unit};
pub use ratio::Ratio;
pub(crate) use ratio::binary_digits;
