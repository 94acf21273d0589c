//! The built-in processes. Each says its law, its parameters with their ranges, its cost and its source.

mod geometric;

pub use geometric::Geometric;
