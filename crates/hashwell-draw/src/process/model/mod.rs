//! The built-in processes. Each says its law, its parameters with their ranges, its cost and its source.

mod crp;
mod geometric;

pub use crp::Crp;
pub use geometric::Geometric;
