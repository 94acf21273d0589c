//! The four functions of the Haskell package *sampling*, for programs that are ported from it.

mod uniform;
mod weighted;

pub use uniform::{resample, sample};
pub use weighted::{presample, psample};
