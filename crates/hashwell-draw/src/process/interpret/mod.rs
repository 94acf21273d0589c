//! What can be asked of a process.

mod sample;

pub use sample::{MOST_TERMS, sample, sample_within};
