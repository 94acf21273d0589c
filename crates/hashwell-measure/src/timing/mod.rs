//! Time, taken so that it can be believed, and what samples of it say. Nothing here knows what is timed.

pub mod child;
pub mod clock;
pub(crate) mod counter;
pub mod input;
pub(crate) mod pace;
pub mod random;
pub mod statistics;
