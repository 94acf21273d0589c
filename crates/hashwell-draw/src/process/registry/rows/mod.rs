//! One row for each process, and what the process says of itself.

mod geometric;
mod restaurant;

pub(super) use geometric::GEOMETRIC;
pub(super) use restaurant::CRP;
