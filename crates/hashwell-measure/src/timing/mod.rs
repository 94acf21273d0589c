//! Reliable measurements of time, and statistics of samples. This module does not depend on the kind of work that is
//! measured.

pub mod child;
pub mod clock;
pub(crate) mod counter;
pub mod input;
pub(crate) mod pace;
pub mod random;
pub mod statistics;
